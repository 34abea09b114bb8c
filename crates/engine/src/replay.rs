//! Replaying: a witness, on constants, by the same engine; and a trace, from its decisions, without a solver.

use lazuli_program::Program;
use lazuli_program::ir::MethodId;
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::explore::{Executor, Inputs, entry_of};
use crate::heap::lazy::{Heap, Lazy, When};
use crate::heap::{HeapModel, with_heap_model};
use crate::outcome::Outcome;
use crate::run::{Trace, TraceFacts, parse_decisions, show_decisions};
use crate::state::{Decisions, Flow};
use crate::step::Pause;
use crate::witness::{Concrete, Witness};

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
    let mut executor = Executor::new(program, config, entry, Lazy::new(program, When::Load), 0);
    let heap = concrete_heap(&mut executor, witness)?;
    let mut state = executor.initial(heap);
    match executor.advance(&mut state) {
        Pause::End(outcome, _) => Ok((outcome, state.flow)),
        Pause::Decide => Err("the witness leaves something undecided".into()),
    }
}

fn concrete_heap(executor: &mut Executor<Lazy>, witness: &Witness) -> Result<Heap, String> {
    let mut heap = executor.model.empty();
    let objects: Vec<_> =
        witness.objects.iter().map(|o| executor.model.alloc(&mut executor.cx, &mut heap, o.class)).collect();
    let value = |cx: &mut crate::context::Context, concrete: Concrete| match concrete {
        Concrete::Bool(value) => Ok(lazuli_logic::Term::bool(value)),
        Concrete::Int(value) => {
            let value = i64::try_from(value).map_err(|_| "a value of the witness does not fit into 64 bits")?;
            Ok(cx.int(value))
        }
        Concrete::Null => Ok(lazuli_logic::Term::NULL),
        Concrete::Object(index) => Ok::<_, String>(objects[index]),
    };
    let mut inputs = FxHashMap::default();
    for (name, concrete) in &witness.roots {
        inputs.insert(name.clone(), value(&mut executor.cx, *concrete)?);
    }
    for (index, object) in witness.objects.iter().enumerate() {
        for (field, concrete) in &object.fields {
            let value = value(&mut executor.cx, *concrete)?;
            executor.model.preset(&executor.cx, &mut heap, objects[index], *field, value);
        }
    }
    executor.inputs = Inputs::Constant(inputs);
    Ok(heap)
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

/// Runs the trace that `id` names. No solver is asked on the way; one query at the end gives the witness.
pub fn replay(program: &Program, config: &Config, id: &str) -> Result<Replayed, String> {
    let decisions =
        parse_decisions(id).ok_or_else(|| format!("{id} is not the name of a trace: numbers with dots are, or -"))?;
    let entry = entry_of(program, config)?;
    with_heap_model!(config.heap, program, |make| replay_with(program, config, entry, make(), &decisions))
}

fn replay_with<M: HeapModel>(
    program: &Program,
    config: &Config,
    entry: MethodId,
    model: M,
    decisions: &Decisions,
) -> Result<Replayed, String> {
    let mut executor = Executor::new(program, config, entry, model, 1);
    let heap = executor.model.empty();
    let mut state = executor.initial(heap);
    let mut points = Vec::new();
    loop {
        let (outcome, value) = match executor.advance(&mut state) {
            Pause::End(outcome, value) => (outcome, value),
            Pause::Decide => {
                let index = match executor.cases.list.len() {
                    1 => 0,
                    _ => *decisions.get(state.decisions.len()).ok_or_else(|| {
                        let done = show_decisions(&state.decisions);
                        format!("the trace goes on after {done}: the name is only the beginning of one")
                    })? as usize,
                };
                points.push(executor.point(&state, index));
                match executor.follow(&mut state, index)? {
                    Some(Pause::End(outcome, value)) => (outcome, value),
                    _ => continue,
                }
            }
        };
        if state.decisions.len() < decisions.len() {
            return Err(format!("the trace already ends after {}", show_decisions(&state.decisions)));
        }
        state.path = executor.check_all(&state.path)?;
        let facts: TraceFacts = executor.facts(&state, &outcome, value);
        let trace = Trace { decisions: state.decisions, outcome, flow: state.flow, detail: Some(Box::new(facts)) };
        return Ok(Replayed { trace, points });
    }
}

impl<M: HeapModel> Executor<'_, M> {
    /// Describes the decision about to be taken.
    fn point(&self, state: &crate::state::State<M::Heap>, index: usize) -> DecisionPoint {
        let program = self.cx.program;
        let frame = state.frames.last().expect("a running state has a frame");
        let method = program.method(frame.method);
        let place = method.places[frame.pc as usize];
        let (line, column) = place.line_column(&program.sources);
        let path = &program.sources[place.source as usize].path;
        DecisionPoint {
            place: format!("{}:{line}:{column}", path.display()),
            instruction: lazuli_program::text::show_instr(program, method, &method.code[frame.pc as usize]),
            taken: index,
            of: self.cases.list.len(),
            guard: self.cases.list.get(index).map_or_else(String::new, |case| self.cx.show(case.guard)),
        }
    }

    /// The same condition with a model. All of it is asked about first, so that the verdict does not depend on the order.
    fn check_all(&mut self, path: &lazuli_logic::PathCondition) -> Result<lazuli_logic::PathCondition, String> {
        let mut checked = lazuli_logic::PathCondition::default();
        let all = self.cx.terms.all(path.clauses());
        for clause in std::iter::once(all).chain(path.clauses()) {
            match self.solver.check(&mut self.cx.terms, &checked, clause) {
                lazuli_logic::Verdict::Sat(_) if clause == all => {}
                lazuli_logic::Verdict::Sat(extended) => checked = extended,
                lazuli_logic::Verdict::Unsat => {
                    return Err("this trace is infeasible: its path condition is unsatisfiable".into());
                }
                lazuli_logic::Verdict::Unknown(reason) => return Err(format!("the solver does not know: {reason}")),
            }
        }
        Ok(checked)
    }
}
