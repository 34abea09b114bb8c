//! Replaying: a witness, on constants, by the same engine; and a trace, from its decisions.

use std::time::{Duration, Instant};

use lazuli_logic::{Sort, Term};
use lazuli_program::Program;
use lazuli_program::ir::{MethodId, Type};
use lazuli_program::library::LENGTH;
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::context::Context;
use crate::drive::{Astray, Successors};
use crate::explore::{Executor, Inputs, entry_of};
use crate::heap::lazy::{Heap, Lazy, When};
use crate::heap::{HeapModel, with_heap_model};
use crate::invariant::{Admit, instrumented};
use crate::outcome::Outcome;
use crate::run::{Trace, TraceFacts, parse_decisions, show_decisions};
use crate::state::{Decisions, Flow, State};
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
) -> Result<(), String> {
    let (found, found_flow) = run_concrete(program, config, entry, witness)?;
    if found != *outcome {
        return Err(format!("the witness {found} where the trace {outcome}"));
    }
    if found_flow != flow {
        return Err("the witness takes another path".into());
    }
    Ok(())
}

/// Executes the program on a concrete heap: the same engine, on constant terms.
pub fn run_concrete(
    program: &Program,
    config: &Config,
    entry: MethodId,
    witness: &Witness,
) -> Result<(Outcome, Flow), String> {
    let mut executor = Executor::new(program, config, entry, Lazy::new(When::Load), 0);
    let heap = concrete_heap(&mut executor, witness)?;
    let Ok(mut state) = executor.initial(heap) else { return Err("the witness does not begin".into()) };
    match executor.advance(&mut state) {
        Pause::End(outcome, _) => Ok((outcome, state.flow)),
        Pause::Decide => Err("the witness leaves something undecided".into()),
        Pause::Pruned(_) => Err("the witness breaks an assumption".into()),
    }
}

fn concrete_heap(executor: &mut Executor<Lazy>, witness: &Witness) -> Result<Heap, String> {
    let program = executor.cx.program;
    let mut heap = executor.model.empty();
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
    let Some(element) = crate::java::element_of(&executor.cx, object.class) else { return Ok(()) };
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

/// One decision of a replayed trace.
#[derive(Clone, Debug)]
pub struct DecisionPoint {
    /// `file:line:column`.
    pub place: String,
    /// The instruction that was decided.
    pub instruction: String,
    /// The case taken, and of how many.
    pub taken: usize,
    pub of: usize,
    pub guard: String,
}

/// A trace run again.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub trace: Trace,
    pub points: Vec<DecisionPoint>,
}

/// Runs the trace that `id` names: every decision is taken as the name says, whether or not another one is feasible.
pub fn replay(program: &Program, config: &Config, id: &str) -> Result<Replayed, String> {
    let decisions =
        parse_decisions(id).ok_or_else(|| format!("{id} is not the name of a trace: numbers with dots are, or -"))?;
    let entry = entry_of(program, config)?;
    let copy = instrumented(program, config, entry)?;
    let (program, entry) = copy.as_ref().map_or((program, entry), |copy| (copy.program(program), copy.entry));
    with_heap_model!(config.heap, |make| replay_with(program, config, entry, make(), &decisions))
}

fn replay_with<M: HeapModel>(
    program: &Program,
    config: &Config,
    entry: MethodId,
    model: M,
    decisions: &Decisions,
) -> Result<Replayed, String> {
    let mut executor = Executor::new(program, config, entry, model, 1);
    let mut points = Vec::new();
    let mut successors = Successors::default();
    successors.running.extend(executor.begin());
    while let Some(mut state) = successors.running.pop() {
        let taken = match executor.advance(&mut state) {
            Pause::Decide => {
                points
                    .extend(decisions.get(state.decisions.len()).map(|index| executor.point(&state, *index as usize)));
                let done = show_decisions(&state.decisions);
                executor.follow(state, decisions, &mut successors).map_err(|astray| match astray {
                    Astray::TooShort => {
                        format!("the trace goes on after {done}: the name is only the beginning of one")
                    }
                    other => other.to_string(),
                })
            }
            Pause::End(outcome, value) => {
                successors.ended.push((state, outcome, value));
                Ok(())
            }
            Pause::Pruned(pruned) => Err(Astray::from(pruned).to_string()),
        };
        taken?;
    }
    let (mut state, mut outcome, value) = successors.ended.pop().ok_or("no valid input has a receiver")?;
    if state.decisions.len() < decisions.len() {
        return Err(format!("the trace already ends after {}", show_decisions(&state.decisions)));
    }
    match executor.admit_end(&mut state, &outcome) {
        Admit::Yes => {}
        Admit::Pruned => return Err(Astray::Invalid.to_string()),
        Admit::Stopped(stop) => outcome = Outcome::Stopped(stop),
    }
    let outcome = executor.outside_companions(&state, outcome);
    let facts: TraceFacts = executor.facts(&state, &outcome, value);
    let trace = Trace { decisions: state.decisions, outcome, flow: state.flow, detail: Some(Box::new(facts)) };
    Ok(Replayed { trace, points })
}

/// Explores again, on one worker, but only where some traces lead. Gives the time: what these traces cost, with their conditions and
/// replayed witnesses if the detail is full.
pub fn cost(program: &Program, config: &Config, traces: &[Decisions]) -> Result<Duration, String> {
    let entry = entry_of(program, config)?;
    let copy = instrumented(program, config, entry)?;
    let (program, entry) = copy.as_ref().map_or((program, entry), |copy| (copy.program(program), copy.entry));
    let mut traces: Vec<&[u16]> = traces.iter().map(Decisions::as_slice).collect();
    traces.sort_unstable();
    with_heap_model!(config.heap, |make| {
        let mut executor = Executor::new(program, config, entry, make(), traces.len());
        let started = Instant::now();
        executor.retrace(&traces);
        let time = started.elapsed();
        match executor.counts.traces == traces.len() as u64 {
            true => Ok(time),
            false => Err(format!("only {} of {} traces were found again", executor.counts.traces, traces.len())),
        }
    })
}

impl<M: HeapModel> Executor<'_, M> {
    /// Follows some traces, sorted, to their ends.
    fn retrace(&mut self, traces: &[&[u16]]) {
        let mut open: Vec<_> = self.begin().into_iter().map(|state| (state, traces)).collect();
        let mut successors = Successors::default();
        while let Some((mut state, traces)) = open.pop() {
            let at = state.decisions.len();
            match self.advance(&mut state) {
                Pause::End(outcome, value) => self.end_retraced(state, outcome, value),
                Pause::Pruned(_) => {}
                Pause::Decide => {
                    self.refuse_others(traces.iter().map(|trace| trace.get(at).copied()));
                    self.fork(state, &mut successors);
                }
            }
            for (state, outcome, value) in successors.ended.drain(..) {
                self.end_retraced(state, outcome, value);
            }
            for state in successors.running.drain(..) {
                let taken = state.decisions[at];
                let before = traces.partition_point(|trace| trace[at] < taken);
                let through = traces.partition_point(|trace| trace[at] <= taken);
                open.push((state, &traces[before..through]));
            }
        }
    }

    fn end_retraced(&mut self, mut state: State<M::Heap>, outcome: Outcome, value: Option<Term>) {
        if let Admit::Yes = self.admit_end(&mut state, &outcome) {
            self.record(state, outcome, value);
        }
    }

    /// Leaves only the cases that some trace takes.
    fn refuse_others(&mut self, taken: impl Iterator<Item = Option<u16>>) {
        let mut wanted = vec![false; self.cases.list.len()];
        taken.flatten().for_each(|index| wanted[index as usize] = true);
        for (case, _) in self.cases.list.iter_mut().zip(wanted).filter(|(_, wanted)| !wanted) {
            case.refused = true;
        }
    }

    /// Describes the decision about to be taken.
    fn point(&self, state: &State<M::Heap>, index: usize) -> DecisionPoint {
        let program = self.cx.program;
        let frame = state.frames.last().expect("a running state has a frame");
        let method = program.method(frame.method);
        let (path, line, column) = program.place(frame.method, frame.pc as usize);
        let column = column.map_or_else(String::new, |column| format!(":{column}"));
        DecisionPoint {
            place: format!("{path}:{line}{column}"),
            instruction: lazuli_program::text::show_instr(program, method, &method.code[frame.pc as usize]),
            taken: index,
            of: self.cases.list.len(),
            guard: self.cases.list.get(index).map_or_else(String::new, |case| self.cx.show(case.guard)),
        }
    }
}
