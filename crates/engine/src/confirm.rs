//! Running the program on a witness: the same engine, on constants. The outcome and the control flow must be those of the trace.

use lazuli_logic::{Sort, Term};
use lazuli_program::Program;
use lazuli_program::ir::{MethodId, Type};
use lazuli_program::library::LENGTH;
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::context::Context;
use crate::executor::{Executor, Inputs};
use crate::heap::lazy::{Heap, Lazy, When};
use crate::heap::{Elements, Memory};
use crate::limits::Watch;
use crate::outcome::{Bound, Outcome, Stop};
use crate::state::Flow;
use crate::step::Pause;
use crate::witness::{Concrete, Witness, WitnessObject};

/// Runs the program on a witness: the outcome and the control flow must be the same.
pub fn confirm(
    program: &Program,
    config: &Config,
    entry: MethodId,
    witness: &Witness,
    outcome: &Outcome,
    flow: Flow,
    watch: &Watch,
) -> Confirmed {
    let run = match run_watched(program, config, entry, witness, watch) {
        Ok(run) => run,
        Err(why) => return Confirmed { verdict: Err(why), late: None, steps: 0 },
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
    Confirmed { verdict, late, steps: run.steps }
}

/// What replaying a witness came to.
pub struct Confirmed {
    /// Why it is none, if so.
    pub verdict: Result<(), String>,
    /// What ended the run meanwhile: then nobody knows.
    pub late: Option<Bound>,
    /// The instructions that it took.
    pub steps: u64,
}

/// A run on constants.
struct Ran {
    outcome: Outcome,
    flow: Flow,
    steps: u64,
}

/// Executes the program on a concrete heap: the same engine, on constant terms.
pub fn run_concrete(
    program: &Program,
    config: &Config,
    entry: MethodId,
    witness: &Witness,
) -> Result<(Outcome, Flow), String> {
    run_watched(program, config, entry, witness, &Watch::default()).map(|run| (run.outcome, run.flow))
}

fn run_watched(
    program: &Program,
    config: &Config,
    entry: MethodId,
    witness: &Witness,
    watch: &Watch,
) -> Result<Ran, String> {
    let mut executor = Executor::new(program, config, entry, Lazy::new(When::Load));
    executor.heed(watch);
    let heap = concrete_heap(&mut executor, witness)?;
    let Ok(mut state) = executor.initial(heap) else { return Err("the witness does not begin".into()) };
    match executor.advance(&mut state) {
        Pause::End(outcome, _) => Ok(Ran { outcome, flow: state.flow, steps: state.steps }),
        Pause::Decide => Err("the witness leaves something undecided".into()),
        Pause::Pruned(_) => Err("the witness breaks an assumption".into()),
    }
}

fn concrete_heap(executor: &mut Executor<Lazy>, witness: &Witness) -> Result<Heap, String> {
    let program = executor.cx.program;
    let mut heap = Heap::default();
    let objects: Vec<_> =
        witness.objects.iter().map(|o| executor.model.alloc(&mut executor.cx, &mut heap, o.class)).collect();
    let mut inputs = FxHashMap::default();
    for (name, concrete) in &witness.roots {
        let ty = input_type(program, executor.entry, name);
        inputs.insert(name.clone(), constant(&mut executor.cx, *concrete, ty, &objects)?);
    }
    for (object, &location) in witness.objects.iter().zip(&objects) {
        for (field, concrete) in &object.fields {
            let ty = Some(program.field(*field).ty);
            let value = constant(&mut executor.cx, *concrete, ty, &objects)?;
            executor.model.preset(&mut executor.cx, &mut heap, location, *field, value);
        }
        preset_elements(executor, &mut heap, object, location, &objects)?;
    }
    executor.inputs = Inputs::Constant(inputs);
    Ok(heap)
}

/// The type of a parameter of the entry; other inputs of Java have the sort of their value.
fn input_type(program: &Program, entry: MethodId, name: &str) -> Option<Type> {
    let method = program.method(entry);
    let parameters = method.registers[..method.parameters].iter().map(|register| (&register.name, register.ty));
    let inputs = program.inputs.iter().map(|input| (&input.name, input.ty));
    parameters.chain(inputs).find(|(known, _)| *known == name).map(|(_, ty)| ty)
}

/// A value of a witness as a term.
fn constant(cx: &mut Context, concrete: Concrete, ty: Option<Type>, objects: &[Term]) -> Result<Term, String> {
    Ok(match concrete {
        Concrete::Bool(value) => Term::bool(value),
        Concrete::Int(value) => {
            let value = i64::try_from(value).map_err(|_| "a value of the witness does not fit into 64 bits")?;
            match ty.map(|ty| cx.sort(ty)) {
                Some(Sort::Bits(width)) => cx.terms.bits(width, value as u64),
                _ => cx.int(value),
            }
        }
        Concrete::Float(bits) => cx.terms.float(32, bits as u64),
        Concrete::Double(bits) => cx.terms.float(64, bits),
        Concrete::Null => Term::NULL,
        Concrete::Object(index) => objects[index],
    })
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
            *place = constant(&mut executor.cx, concrete, Some(cell), objects)?;
        }
    }
    let location = location.as_location().expect("a witness has constants only");
    executor.model.arrays(heap).alloc(location, elements);
    Ok(())
}
