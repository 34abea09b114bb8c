//! A run from its configuration to its result: the fold over its parts.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli_engine::config::{Config, Judge, Search};
use lazuli_engine::executor::entry_of;
use lazuli_engine::existing::Offered;
use lazuli_engine::invariant::Calls;
use lazuli_engine::limits::{Control, Watch};
use lazuli_engine::outcome::{Bound, Stop};
use lazuli_invariant::complete::{Impossible, impossible, inputs_elsewhere};
use lazuli_invariant::{Invariants, calls};
use lazuli_logic::solver::z3::in_fresh_context;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::checkpoint::Checkpoint;
use crate::error::Error;
use crate::judge::{Client, Jvm, with_jvm};
use crate::pool::{Ended, Pool};
use crate::run::{Note, Run, Subject, Trace};
use crate::setting::Setting;
use crate::task::{self, Part, Work};

/// What somebody hears who follows a run.
pub enum Event<'a> {
    /// It begins.
    Begins(&'a Subject),
    /// The configurations of the machine, if they were asked for.
    Configurations(String),
    /// A path has ended. Traces come in the order of tasks, which is the same for every number of workers.
    Trace(Trace),
    /// A task is done, its traces were told, and so many wait for a worker.
    Task { pending: usize },
}

/// Explores a program and gives all traces at the end.
///
/// ```
/// use lazuli::{Config, Control, Source, explore};
///
/// let program = Source::text("swap.pose", "class A { int x; int f(int y) := if this.x < y then 0 else 1; }").load()?;
/// let config = Config { entry: Some("A.f".into()), ..Config::default() };
/// let run = explore(&program, &config, &Control::default())?;
/// assert_eq!(run.counts.traces, 2);
/// assert!(run.is_complete() && run.traces.iter().all(|trace| trace.detail.as_ref().unwrap().judgement.agrees()));
/// # Ok::<(), lazuli::Error>(())
/// ```
pub fn explore(program: &Program, config: &Config, control: &Control) -> Result<Run, Error> {
    let mut traces = Vec::new();
    let mut run = explore_with(program, config, control, None, &mut |event| {
        if let Event::Trace(trace) = event {
            traces.push(trace);
        }
    })?;
    run.traces = traces;
    Ok(run)
}

/// Explores a program and tells of every trace when it is found: none is kept. With a checkpoint, what it has is not done again,
/// and every finished part is added to it.
pub fn explore_with(
    program: &Program,
    config: &Config,
    control: &Control,
    checkpoint: Option<&Checkpoint>,
    tell: &mut dyn FnMut(Event),
) -> Result<Run, Error> {
    explore_before(program, config, control, checkpoint, None, tell)
}

/// [`explore_with`], judged by a JVM that is there already.
pub fn explore_judged_with(
    program: &Program,
    config: &Config,
    control: &Control,
    jvm: &Jvm,
    tell: &mut dyn FnMut(Event),
) -> Result<Run, Error> {
    explore_before(program, &Config { judge: Judge::Jvm, ..config.clone() }, control, None, Some(jvm), tell)
}

/// Explores a program and gives all traces at the end, judged by a JVM that is there already.
pub fn explore_judged(program: &Program, config: &Config, control: &Control, jvm: &Jvm) -> Result<Run, Error> {
    let mut traces = Vec::new();
    let mut run = explore_judged_with(program, config, control, jvm, &mut |event| {
        if let Event::Trace(trace) = event {
            traces.push(trace);
        }
    })?;
    run.traces = traces;
    Ok(run)
}

/// Explores a program before a judge: the JVM that is given, if it is to judge, or one of its own.
fn explore_before(
    program: &Program,
    config: &Config,
    control: &Control,
    checkpoint: Option<&Checkpoint>,
    jvm: Option<&Jvm>,
    tell: &mut dyn FnMut(Event),
) -> Result<Run, Error> {
    if config.search != Search::Depth && (config.jobs > 1 || checkpoint.is_some()) {
        return Err(Error::NotDepthFirst);
    }
    let method = entry_of(program, config)?;
    let watch = Watch::of(config, control);
    let impossible = impossible(program, config, method, &watch);
    if let Some(roots) = impossible.inputs {
        return Err(Error::Contradiction { inputs: roots.describe(program) });
    }
    let started = Instant::now();
    let explored = with_jvm(program, config, method, jvm, |jvm| {
        explore_rounds(program, config, Outside { watch: &watch, control, checkpoint }, jvm, tell)
    })?;
    let (mut run, incomplete, offered) = explored;
    let config = &Config { offered, ..config.clone() };
    run.incomplete = incomplete;
    run.offered = config.offered.clone();
    run.time = started.elapsed().max(Duration::from_micros(1));
    let invariants = Invariants::of(config);
    run.judge = config.judge;
    run.judged = config.invariants.is_some();
    run.companions = invariants.is_some_and(|invariants| calls(&invariants.hex) == Calls::AtOnce);
    run.notes = notes(program, config, method, &impossible, &run);
    Ok(run)
}

/// What a run has to do with besides its program and its question.
#[derive(Clone, Copy)]
struct Outside<'a> {
    /// Its limits, from its beginning.
    watch: &'a Watch,
    control: &'a Control,
    checkpoint: Option<&'a Checkpoint>,
}

/// Explores, again and again where there turns out to be more that may be an input. Also gives the limit that left something undone, and what was
/// offered in the end.
fn explore_rounds(
    program: &Program,
    config: &Config,
    outside: Outside,
    jvm: Option<Client>,
    tell: &mut dyn FnMut(Event),
) -> Result<(Run, Option<Bound>, Offered), Error> {
    let mut config = config.clone();
    let mut has_begun = false;
    loop {
        let setting = Setting::new(program, &config, jvm.clone())?;
        if !std::mem::replace(&mut has_begun, true) {
            tell(Event::Begins(&setting.subject()));
        }
        let again = match explore_once(&setting, outside, tell)? {
            Round::Done(run, incomplete) => {
                drop(setting);
                return Ok((*run, incomplete, config.offered));
            }
            Round::Again(offered) => offered,
        };
        drop(setting);
        config.offered = again;
        outside.control.traces.store(0, Ordering::Relaxed);
    }
}

/// How one round of a run ended.
enum Round {
    /// With the limit that left something undone.
    Done(Box<Run>, Option<Bound>),
    /// Before anything was told: there is more that may be an input.
    Again(Offered),
}

/// Explores with what is offered as inputs so far.
fn explore_once(
    setting: &Setting,
    Outside { watch, control, checkpoint }: Outside,
    tell: &mut dyn FnMut(Event),
) -> Result<Round, Error> {
    let config = setting.config;
    let watch = watch.again();
    let mut fold = Fold::new(setting.subject());
    let mut give = |part: Part, pending: usize| {
        let (configurations, traces) = fold.add(part);
        configurations.into_iter().for_each(|shown| tell(Event::Configurations(shown)));
        traces.into_iter().for_each(|trace| tell(Event::Trace(trace)));
        tell(Event::Task { pending });
    };
    let pool = Pool { setting, watch: &watch, control, checkpoint };
    let ended = match config.search {
        Search::Depth => pool.run(config.jobs, &mut give)?,
        other => pool.run_unsplit(other, &mut give),
    };
    Ok(match ended {
        Ended::Done(incomplete) => Round::Done(Box::new(fold.finish()), incomplete),
        Ended::Again(offered) => Round::Again(offered),
    })
}

/// What a run of a configuration offers as inputs of what exists before the entry: found as the run does, by its first task.
pub(crate) fn offered(program: &Program, config: &Config) -> Result<Offered, Error> {
    let mut config = config.clone();
    // Only Java has anything before the entry.
    while program.semantics.loads_classes() {
        let setting = Setting::new(program, &config, None)?;
        let control = Control::default();
        let (watch, most) = (Watch::of(&config, &control), config.bounds.traces);
        let run = || task::run(&setting, &Work::whole(), &watch, &control, most, &mut |_| {});
        let Some(wanted) = in_fresh_context(run).0.wanted(&config.offered) else { break };
        drop(setting);
        config.offered = wanted;
    }
    Ok(config.offered)
}

/// The sum of the parts so far.
struct Fold {
    run: Run,
    stops: BTreeMap<Stop, u64>,
}

impl Fold {
    fn new(subject: Subject) -> Fold {
        let run = Run {
            program: subject.program,
            entry: subject.entry,
            heap: subject.heap,
            counts: Default::default(),
            solver: Default::default(),
            traces: Vec::new(),
            terms: 0,
            effort: 0,
            tasks: 0,
            scope: Default::default(),
            offered: Default::default(),
            companions: false,
            judge: Judge::default(),
            judged: false,
            notes: Vec::new(),
            incomplete: None,
            stops: Vec::new(),
            executed: Default::default(),
            time: Duration::ZERO,
            solver_time: Duration::ZERO,
        };
        Fold { run, stops: BTreeMap::new() }
    }

    /// Adds a part; what is told of it is left over.
    fn add(&mut self, part: Part) -> (Option<String>, Vec<Trace>) {
        let run = &mut self.run;
        run.counts.add(&part.counts);
        run.solver += &part.solver;
        run.solver_time += part.solver_time;
        run.terms += part.terms;
        run.effort += part.effort;
        run.tasks += 1;
        for (stop, number) in part.stops {
            *self.stops.entry(stop).or_default() += number;
        }
        run.scope.extend(part.scope);
        run.executed.extend(part.executed);
        (part.steps_trace, part.traces)
    }

    fn finish(self) -> Run {
        Run { stops: self.stops.into_iter().collect(), ..self.run }
    }
}

/// What a reader should know about the question.
fn notes(program: &Program, config: &Config, method: MethodId, impossible: &Impossible, run: &Run) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(invariants) = Invariants::of(config) {
        let names = inputs_elsewhere(program, &invariants.hex, method);
        let names: Vec<String> = names.iter().map(|name| format!("root.{name}")).collect();
        if !names.is_empty() {
            notes.push(Note::Elsewhere { names, entry: program.method_name(method) });
        }
        let classes = invariants.hex.bundled.clone();
        if !classes.is_empty() {
            notes.push(Note::Bundled { classes });
        }
    }
    notes.extend(impossible.objects.iter().map(|roots| Note::Contradiction { objects: roots.describe(program) }));
    if run.counts.traces == 0 && config.invariants.is_some() && run.incomplete.is_none() {
        notes.push(Note::NoInput { n: !config.bounds.n.is_empty(), k: config.bounds.k.is_some() });
    }
    notes
}
