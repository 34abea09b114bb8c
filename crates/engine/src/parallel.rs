//! The run as a whole: split into tasks, executed by workers, put together in order.
//!
//! The split does not depend on the number of workers, and every task has terms and a solver of its own, and a thread that no task
//! before it has asked Z3 on: so the result is the same, to the byte, for every `--jobs`. Small programs are finished before there
//! is a split.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lazuli_logic::solver::{Counters, Kind};
use lazuli_logic::{Term, Verdict};
use lazuli_program::Program;
use lazuli_program::ir::MethodId;
use rustc_hash::FxHashMap;

use crate::config::{Config, Search, TraceDetail};
use crate::explore::{Control, Executor, Incomplete, Limits};
use crate::heap::HeapModel;
use crate::invariant::companion;
use crate::machine::StepsTrace;
use crate::outcome::Outcome;
use crate::run::{Counts, Run, Trace};
use crate::state::{Decisions, State};
use crate::step::Pause;

/// A run that ends within this many traces is not split.
const SMALL: u64 = 2_000;
/// Nor is one that ends within this many instructions, if they are all it has to do: a split costs as much.
const SMALL_STEPS: u64 = 400_000;
/// A run with more questions than this that no model and no answer known before has settled has more to do.
const SMALL_QUESTIONS: u64 = 1_000;
/// A longer one is split until there are this many tasks.
const TASKS: usize = 1_000;

/// What a worker found.
#[derive(Default)]
struct Part {
    counts: Counts,
    solver: Counters,
    solver_time: Duration,
    terms: u64,
    traces: Vec<Trace>,
    omitted: u64,
    stops: FxHashMap<String, u64>,
    incomplete: Incomplete,
    steps_trace: Option<String>,
    caveats: BTreeSet<String>,
}

pub(crate) fn run<M: HeapModel>(
    program: &Program,
    config: &Config,
    entry: MethodId,
    control: &Control,
    model: impl Fn() -> M + Sync,
) -> Run {
    let limits = Limits {
        control,
        deadline: config.bounds.time.map(|t| std::time::Instant::now() + t),
        memory: config.bounds.memory,
        traces: config.bounds.traces,
    };
    let keep = match config.detail {
        TraceDetail::Full(most) | TraceDetail::Brief(most) => most,
        TraceDetail::None => 0,
    };
    let (mut part, prefixes) = on_own_thread(|| first_part(program, config, entry, &limits, model(), keep));
    if !prefixes.is_empty() && part.incomplete.is_none() {
        let tasks = Tasks { program, config, entry, limits: &limits, keep, prefixes };
        tasks.run(&mut part, &model);
    }
    part.traces.sort_by(|a, b| a.decisions.cmp(&b.decisions));
    if part.traces.len() > keep {
        part.omitted += (part.traces.len() - keep) as u64;
        part.traces.truncate(keep);
    }
    finish(program, config, entry, part)
}

/// Z3 keeps its context in the thread: a fresh one makes every task independent of the tasks before it.
fn on_own_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| match scope.spawn(work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Explores until the end, or until it is clear that the run is large; then splits. Gives what was found and what is left,
/// as decision prefixes in order.
fn first_part<M: HeapModel>(
    program: &Program,
    config: &Config,
    entry: MethodId,
    limits: &Limits,
    model: M,
    keep: usize,
) -> (Part, Vec<Decisions>) {
    let mut executor = Executor::new(program, config, entry, model, keep);
    executor.steps_trace = config.steps_trace.then(StepsTrace::default);
    let heap = executor.model.empty();
    let mut open: VecDeque<_> = executor.initial(heap).into_iter().collect();
    let mut incomplete = match config.search {
        Search::Depth => {
            let mut incomplete = executor.work(&mut open, Search::Depth, limits, |counts, _| counts.traces >= SMALL);
            while incomplete.is_none() && !open.is_empty() && executor.is_quick() {
                let most = executor.counts.traces + SMALL;
                incomplete = executor.work(&mut open, Search::Depth, limits, |counts, _| counts.traces >= most);
            }
            incomplete
        }
        other => executor.work(&mut open, other, limits, |_, _| false),
    };
    if incomplete.is_none() && !open.is_empty() {
        // The shallowest states are the largest tasks: they are split first.
        open.make_contiguous().sort_by_key(|state| state.decisions.len());
        incomplete = executor.work(&mut open, Search::Breadth, limits, |_, open| open.len() >= TASKS);
    }
    let mut prefixes: Vec<Decisions> = open.into_iter().map(|state| state.decisions).collect();
    prefixes.sort();
    (executor.into_part(incomplete), prefixes)
}

struct Tasks<'a> {
    program: &'a Program,
    config: &'a Config,
    entry: MethodId,
    limits: &'a Limits<'a>,
    keep: usize,
    prefixes: Vec<Decisions>,
}

impl Tasks<'_> {
    /// Runs all tasks and adds what they found, in their order.
    fn run<M: HeapModel>(&self, total: &mut Part, model: &(impl Fn() -> M + Sync)) {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<Part>>> = self.prefixes.iter().map(|_| Mutex::new(None)).collect();
        let left = self.limits.traces.map(|most| most - total.counts.traces);
        // Until there is no task left, or one has asked Z3.
        let tasks = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= self.prefixes.len() || self.enough(left, &results[..index]) {
                    return false;
                }
                // What earlier tasks keep, this one need not.
                let kept = || finished(&results[..index]).map(|p| p.traces).sum();
                let keep = if self.keep == 0 { 0 } else { self.keep.saturating_sub(kept()) };
                let (part, asked_z3) = self.task(&self.prefixes[index], model(), keep, left);
                *results[index].lock().expect("a worker panicked") = Some(part);
                if asked_z3 {
                    return true;
                }
            }
        };
        let worker = || while on_own_thread(tasks) {};
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.config.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
            for worker in workers {
                if let Err(panic) = worker.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
        self.collect(total, results, left, model);
    }

    /// Whether the tasks before have used up the permitted traces.
    fn enough(&self, left: Option<u64>, before: &[Mutex<Option<Part>>]) -> bool {
        left.is_some_and(|left| finished(before).map(|p| p.ended).sum::<u64>() >= left)
    }

    fn collect<M: HeapModel>(
        &self,
        total: &mut Part,
        results: Vec<Mutex<Option<Part>>>,
        mut left: Option<u64>,
        model: &(impl Fn() -> M + Sync),
    ) {
        for (index, result) in results.into_iter().enumerate() {
            let part = result.into_inner().expect("a worker panicked");
            let part = match (part, left) {
                (_, Some(0)) => {
                    total.incomplete = total.incomplete.or(Some("--max-traces"));
                    return;
                }
                (None, _) => {
                    total.incomplete = total.incomplete.or(Some("--max-traces"));
                    return;
                }
                // It ran without knowing how much the tasks before would leave: again, with exactly that.
                (Some(part), Some(rest)) if part.counts.traces > rest => {
                    on_own_thread(|| self.task(&self.prefixes[index], model(), self.keep, Some(rest)).0)
                }
                (Some(part), _) => part,
            };
            left = left.map(|left| left - part.counts.traces);
            total.add(part);
        }
    }

    /// Runs a task. Also gives whether it has asked Z3.
    fn task<M: HeapModel>(&self, prefix: &Decisions, model: M, keep: usize, traces: Option<u64>) -> (Part, bool) {
        let mut executor = Executor::new(self.program, self.config, self.entry, model, keep);
        // There may be many tasks left: none of them begins any more.
        if let Some(reason) = self.limits.exceeded() {
            return (executor.into_part(Some(reason)), false);
        }
        let state = executor.resume(prefix);
        // The way there was counted when it was explored first.
        executor.counts = Counts::default();
        executor.solver.counters = Counters::default();
        executor.solver.backend_time = Duration::ZERO;
        let mut open = VecDeque::from([state]);
        let limits = Limits { control: self.limits.control, traces, ..*self.limits };
        let incomplete = executor.work(&mut open, Search::Depth, &limits, |_, _| false);
        // The invariants have solvers of their own.
        let asked_z3 = executor.solver.has_asked_z3() || self.config.invariants.is_some();
        (executor.into_part(incomplete), asked_z3)
    }
}

/// What is known of the tasks that are done.
struct Done {
    traces: usize,
    ended: u64,
}

fn finished(results: &[Mutex<Option<Part>>]) -> impl Iterator<Item = Done> + '_ {
    results.iter().filter_map(|result| {
        let part = result.lock().expect("a worker panicked");
        part.as_ref().map(|p| Done { traces: p.traces.len(), ended: p.counts.traces })
    })
}

impl<M: HeapModel> Executor<'_, M> {
    /// Whether so little was done so far that a split would cost more.
    fn is_quick(&self) -> bool {
        let answered = &self.solver.counters;
        self.config.detail == TraceDetail::None
            && self.config.invariants.is_none()
            && self.counts.steps < SMALL_STEPS
            && answered.of(Kind::Theory) + answered.backend() < SMALL_QUESTIONS
    }

    /// Goes to where a prefix leads. Every guard on the way is known to be feasible; asking again gives its model.
    fn resume(&mut self, prefix: &Decisions) -> State<M::Heap> {
        let heap = self.model.empty();
        let mut state = self.initial(heap).expect("the run has begun with it");
        while state.decisions.len() < prefix.len() {
            match self.advance(&mut state) {
                Pause::End(..) | Pause::Pruned => unreachable!("a prefix leads to an open state"),
                Pause::Decide => {
                    let index = match self.cases.list.len() {
                        1 => 0,
                        _ => prefix[state.decisions.len()] as usize,
                    };
                    let case = &mut self.cases.list[index];
                    let implied = case.change.as_ref().is_some_and(|change| self.model.implies_guard(change));
                    let guard = std::mem::replace(&mut case.guard, Term::TRUE);
                    let guard = if implied { Term::TRUE } else { guard };
                    match self.solver.extension(&mut self.cx.terms, &state.path, guard) {
                        Verdict::Sat(extension) => state.path.extend(extension),
                        _ => state.path.assume_unchecked(&self.cx.terms, guard),
                    }
                    let ended = self.follow(&mut state, index, true).expect("the case was taken before");
                    assert!(ended.is_none(), "a prefix leads to an open state");
                }
            }
        }
        state
    }

    fn into_part(self, incomplete: Incomplete) -> Part {
        Part {
            counts: self.counts,
            solver: self.solver.counters,
            solver_time: self.solver.backend_time,
            terms: self.cx.terms.len() as u64,
            traces: self.traces,
            omitted: self.omitted,
            stops: self.stops,
            incomplete,
            steps_trace: self.steps_trace.map(|trace| trace.text),
            caveats: self.cx.caveats,
        }
    }
}

impl Part {
    fn add(&mut self, other: Part) {
        self.counts.add(&other.counts);
        self.solver += &other.solver;
        self.solver_time += other.solver_time;
        self.terms += other.terms;
        self.traces.extend(other.traces);
        self.omitted += other.omitted;
        for (reason, number) in other.stops {
            *self.stops.entry(reason).or_default() += number;
        }
        self.incomplete = self.incomplete.or(other.incomplete);
        self.caveats.extend(other.caveats);
    }
}

fn finish(program: &Program, config: &Config, entry: MethodId, mut part: Part) -> Run {
    // Of the traces that were kept: how many more were replayed depends on who explored them.
    for trace in &part.traces {
        match (&trace.outcome, trace.detail.as_ref().map(|facts| facts.confirmed.is_ok())) {
            (Outcome::Stopped(_), _) | (_, None) => {}
            (_, Some(true)) => part.counts.confirmed += 1,
            (_, Some(false)) => part.counts.unconfirmed += 1,
        }
    }
    let mut stops: Vec<(String, u64)> = part.stops.into_iter().collect();
    stops.sort();
    let mut caveats: Vec<String> = part.caveats.into_iter().collect();
    if part.omitted > 0 {
        caveats.push(format!("{} more traces were counted but not kept (see --traces)", part.omitted));
    }
    if part.counts.unconfirmed > 0 {
        let number = match part.counts.unconfirmed {
            1 => "1 witness".to_string(),
            number => format!("{number} witnesses"),
        };
        // A witness is replayed without the invariants.
        let hex = config.invariants.as_ref().filter(|invariants| companion::wanted(&invariants.hex));
        let why = match hex {
            Some(_) => "either a companion method writes what the program reads, or this is a bug of Lazuli",
            None => "this is a bug of Lazuli, please report it",
        };
        caveats.push(format!("{number} did not replay: {why}"));
    }
    if config.bounds.n.is_some() {
        caveats.push(
            "--n bounds what each heap model has resolved so far: it does not preserve agreement between models".into(),
        );
    }
    Run {
        program: program.name.clone(),
        entry: program.method_name(entry),
        heap: config.heap,
        counts: part.counts,
        solver: part.solver,
        terms: part.terms,
        traces: part.traces,
        traces_omitted: part.omitted,
        caveats,
        incomplete: part.incomplete,
        stops,
        time: Duration::ZERO,
        solver_time: part.solver_time,
        steps_trace: part.steps_trace,
    }
}
