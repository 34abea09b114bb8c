//! Running the program on a witness: the same engine, on constants. The outcome and the control flow must be those of the trace.

use lazuli_logic::Term;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;
use lazuli_program::library::LENGTH;
use rustc_hash::FxHashMap;

use crate::config::{Config, Judge};
use crate::executor::{Executor, Inputs};
use crate::heap::lazy::{Heap, Lazy, When};
use crate::heap::{Elements, Memory};
use crate::limits::Watch;
use crate::observe::Observed;
use crate::outcome::{Bound, Outcome, Stop};
use crate::snapshot::{Ending, ending};
use crate::state::Flow;
use crate::suspend::Pause;
use crate::visits::Visits;
use crate::witness::{Concrete, Witness, WitnessObject};

/// Replays witnesses, one after the other: what initialisers do is done once for all of them.
pub struct Replayer<'p> {
    program: &'p Program,
    config: &'p Config,
    entry: MethodId,
    executor: Option<Executor<'p, Lazy>>,
    /// What was executed on the witnesses that are right, if that is wanted.
    visits: Visits,
}

/// A machine that has made so many terms is put away: constants are never forgotten.
const MOST_TERMS: usize = 1 << 20;

impl<'p> Replayer<'p> {
    pub fn new(program: &'p Program, config: &'p Config, entry: MethodId) -> Replayer<'p> {
        Replayer { program, config, entry, executor: None, visits: Visits::default() }
    }

    /// Runs the program on a witness: the outcome and the control flow must be the same.
    pub fn confirm(&mut self, witness: &Witness, outcome: &Outcome, flow: Flow, watch: &Watch) -> Confirmed {
        let run = match self.run(witness, watch) {
            Ok(run) => run,
            Err(why) => {
                return Confirmed {
                    verdict: Err(why),
                    refuted: false,
                    late: None,
                    steps: 0,
                    ending: None,
                    observed: None,
                };
            }
        };
        let verdict = if run.outcome != *outcome {
            Err(format!("the witness {} where the trace {outcome}", run.outcome))
        } else if run.flow != flow {
            Err("the witness takes another path".into())
        } else {
            Ok(())
        };
        let late = match run.outcome {
            Outcome::Stopped(Stop::Bound(bound)) if bound.ends_run() => Some(bound),
            _ => None,
        };
        // A replay that stopped says nothing.
        let refuted = verdict.is_err() && !matches!(run.outcome, Outcome::Stopped(_));
        let ending = verdict.is_ok().then_some(run.ending);
        if verdict.is_ok() {
            self.visits.extend(run.visits.unwrap_or_default());
        }
        Confirmed { verdict, refuted, late, steps: run.steps, ending, observed: run.observed }
    }

    /// What was executed since this was asked last.
    pub fn visited(&mut self) -> Visits {
        std::mem::take(&mut self.visits)
    }

    /// Executes the program on a concrete heap.
    pub fn run(&mut self, witness: &Witness, watch: &Watch) -> Result<Ran, String> {
        let (program, config, entry) = (self.program, self.config, self.entry);
        let used = self.executor.take().filter(|executor| executor.cx.terms.len() < MOST_TERMS);
        let new = || Executor::new(program, config, entry, Lazy::new(When::Load));
        let executor = self.executor.insert(used.unwrap_or_else(new));
        executor.heed(watch);
        // A new machine has initialised classes of which something exists before the entry.
        self.visits.extend(executor.visits.replace(Visits::default()).unwrap_or_default());
        executor.visits = executor.visits.take().filter(|_| config.coverage);
        let heap = concrete_heap(executor, witness)?;
        let Inputs::Constant(_, objects) = &executor.inputs else { unreachable!("a witness has constants only") };
        let objects = objects.clone();
        executor.cx.scope.taken.clear();
        let Ok(mut state) = executor.initial(heap) else { return Err("the witness does not begin".into()) };
        let made = (program.method(entry).name == "<init>").then(|| state.registers[0]);
        let pause = executor.advance(&mut state);
        let visits = executor.visits.take();
        match pause {
            Pause::End(outcome, value) => {
                let (flow, steps) = (state.flow, state.steps);
                let is_wanted = config.judge == Judge::Jvm && !matches!(outcome, Outcome::Stopped(_));
                let observed = is_wanted.then(|| executor.observe(&mut state, value, made, &objects));
                let mut ending = ending(executor, &mut state, &objects, &outcome, value);
                for (after, before) in ending.objects.iter_mut().zip(&witness.objects) {
                    after.existing.clone_from(&before.existing);
                }
                Ok(Ran { outcome, flow, steps, ending, observed, visits })
            }
            Pause::Decide => Err("the witness leaves something undecided".into()),
            Pause::Pruned(_) => Err("the witness breaks an assumption".into()),
        }
    }
}

/// What replaying a witness came to.
pub struct Confirmed {
    /// Why it is none, if so.
    pub verdict: Result<(), String>,
    /// Whether the program did something else on it.
    pub refuted: bool,
    /// What ended the run meanwhile: then nobody knows.
    pub late: Option<Bound>,
    /// The instructions that it took.
    pub steps: u64,
    /// How it ended, if it did as it should.
    pub ending: Option<Ending>,
    /// What it came to, where the JVM is asked whether it does the same.
    pub observed: Option<Observed>,
}

/// A run on constants.
pub struct Ran {
    pub outcome: Outcome,
    pub flow: Flow,
    steps: u64,
    ending: Ending,
    /// What it came to, where the JVM is asked whether it does the same.
    pub observed: Option<Observed>,
    visits: Option<Visits>,
}

/// Executes the program on a concrete heap: the same engine, on constant terms.
pub fn run_concrete(
    program: &Program,
    config: &Config,
    entry: MethodId,
    witness: &Witness,
) -> Result<(Outcome, Flow), String> {
    let run = Replayer::new(program, config, entry).run(witness, &Watch::default());
    run.map(|run| (run.outcome, run.flow))
}

/// Why a witness cannot be run.
const TOO_WIDE: &str = "a value of the witness does not fit into 64 bits";

fn concrete_heap(executor: &mut Executor<Lazy>, witness: &Witness) -> Result<Heap, String> {
    let program = executor.cx.program;
    let mut heap = Heap::default();
    let mut objects = Vec::with_capacity(witness.objects.len());
    executor.start.before.clear();
    for object in &witness.objects {
        objects.push(match &object.existing {
            None => executor.model.alloc(&mut executor.cx, &mut heap, object.class),
            Some(existing) => {
                let location = executor.find_existing(existing);
                let location = location.ok_or_else(|| format!("there is no {existing} before the entry"))?;
                executor.begins_with_class_of(existing);
                Term::location(location)
            }
        });
    }
    let mut inputs = FxHashMap::default();
    for (name, concrete) in &witness.roots {
        if matches!(concrete, Concrete::Int(value) if i64::try_from(*value).is_err()) {
            return Err(TOO_WIDE.into());
        }
        inputs.insert(name.clone(), *concrete);
    }
    for (object, &location) in witness.objects.iter().zip(&objects).filter(|(object, _)| object.existing.is_none()) {
        for (field, concrete) in &object.fields {
            let value = concrete.term(&mut executor.cx, program.field(*field).ty, &objects).ok_or(TOO_WIDE)?;
            executor.model.preset(&mut executor.cx, &mut heap, location, *field, value);
        }
        preset_elements(executor, &mut heap, object, location, &objects)?;
    }
    executor.inputs = Inputs::Constant(inputs, objects);
    Ok(heap)
}

/// The elements of an array of the witness; all that it does not mention have their default.
fn preset_elements(
    executor: &mut Executor<Lazy>,
    heap: &mut Heap,
    object: &WitnessObject,
    location: Term,
    objects: &[Term],
) -> Result<(), String> {
    let Some(element) = executor.cx.element_of(object.class) else { return Ok(()) };
    let length = object.fields.iter().find(|(field, _)| *field == LENGTH).map_or(Concrete::Int(0), |(_, value)| *value);
    let Concrete::Int(length) = length else { return Err("the length of an array is a number".into()) };
    let cell = crate::java::cell(element);
    let mut elements = vec![executor.cx.default_value(cell); length as usize];
    for (index, concrete) in &object.elements {
        let concrete = match *concrete {
            Concrete::Bool(value) => Concrete::Int(value as i128),
            other => other,
        };
        // Names beyond the end belong to copies that did not take place.
        if let Some(place) = elements.get_mut(*index as usize) {
            *place = concrete.term(&mut executor.cx, cell, objects).ok_or(TOO_WIDE)?;
        }
    }
    let location = location.as_location().expect("a witness has constants only");
    executor.model.arrays(heap).alloc(location, elements);
    Ok(())
}
