//! Replaying: a trace, from its decisions, without a solver.

use std::time::{Duration, Instant};

use lazuli_engine::config::Config;
use lazuli_engine::executor::{Executor, entry_of};
use lazuli_engine::fork::Successors;
use lazuli_engine::heap::{Effect, HeapModel, with_heap_model};
use lazuli_engine::invariant::instrumented;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::state::{Decisions, State, parse_decisions, show_decisions};
use lazuli_engine::step::Pause;
use lazuli_logic::{PathCondition, Term, Verdict};
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::error::{Error, TraceError};
use crate::record::facts;
use crate::run::Trace;
use crate::worker::Worker;

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
pub fn replay(program: &Program, config: &Config, id: &str) -> Result<Replayed, Error> {
    let decisions = parse_decisions(id).ok_or_else(|| TraceError::NotAName(id.into()))?;
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
) -> Result<Replayed, Error> {
    let mut executor = Executor::new(program, config, entry, model);
    let heap = executor.model.empty();
    let mut state = executor.initial(heap).ok_or(TraceError::NoReceiver)?;
    let mut points = Vec::new();
    loop {
        let (outcome, value) = match executor.advance(&mut state) {
            Pause::End(outcome, value) => (outcome, value),
            Pause::Pruned => return Err(TraceError::Invalid.into()),
            Pause::Decide => {
                let index = match executor.cases.list.len() {
                    1 => 0,
                    _ => {
                        let next = decisions.get(state.decisions.len()).copied();
                        let after = || show_decisions(&state.decisions);
                        next.ok_or_else(|| TraceError::Beginning { after: after() })? as usize
                    }
                };
                points.push(point(&executor, &state, index));
                match executor.follow(&mut state, index, false).map_err(TraceError::NoCase)? {
                    Some(Pause::End(outcome, value)) => (outcome, value),
                    _ => continue,
                }
            }
        };
        if state.decisions.len() < decisions.len() {
            return Err(TraceError::Ended { after: show_decisions(&state.decisions) }.into());
        }
        let clause = executor.model.ask(&mut executor.cx, &mut state.heap);
        state.path.assume_unchecked(&executor.cx.terms, clause);
        let outcome = executor.given_up().map_or(outcome, Outcome::Stopped);
        let outcome = executor.outside_companions(&state, outcome);
        state.path = check_all(&mut executor, &state.path)?;
        let facts = facts(&mut executor, &state, &outcome, value).expect("nothing ends a replay early").facts;
        let trace = Trace { decisions: state.decisions, outcome, flow: state.flow, detail: Some(Box::new(facts)) };
        return Ok(Replayed { trace, points });
    }
}

/// Explores again, on one worker, but only where some traces lead. Gives the time: what these traces cost, with their conditions and
/// replayed witnesses if the detail is full.
pub fn cost(program: &Program, config: &Config, traces: &[Decisions]) -> Result<Duration, Error> {
    let entry = entry_of(program, config)?;
    let copy = instrumented(program, config, entry)?;
    let (program, entry) = copy.as_ref().map_or((program, entry), |copy| (copy.program(program), copy.entry));
    let mut traces: Vec<&[u32]> = traces.iter().map(Decisions::as_slice).collect();
    traces.sort_unstable();
    with_heap_model!(config.heap, |make| {
        let mut worker = Worker::new(program, config, entry, make());
        let started = Instant::now();
        worker.retrace(&traces)?;
        let time = started.elapsed();
        let found = worker.executor.counts.traces;
        match found == traces.len() as u64 {
            true => Ok(time),
            false => {
                let why = format!("only {found} of {} traces were found again", traces.len());
                Err(TraceError::NoCase(why).into())
            }
        }
    })
}

impl<M: HeapModel> Worker<'_, M> {
    /// Follows some traces, sorted, to their ends.
    fn retrace(&mut self, traces: &[&[u32]]) -> Result<(), TraceError> {
        let heap = self.executor.model.empty();
        let first = self.executor.initial(heap).ok_or(TraceError::NoReceiver)?;
        let mut open = vec![(first, traces)];
        let mut successors = Successors::default();
        while let Some((mut state, traces)) = open.pop() {
            let at = state.decisions.len();
            match self.executor.advance(&mut state) {
                Pause::End(outcome, value) => self.end_retraced(state, outcome, value),
                Pause::Pruned => {}
                Pause::Decide => {
                    if self.executor.cases.list.len() > 1 {
                        self.refuse_others(traces.iter().map(|trace| trace.get(at).copied()));
                    }
                    self.executor.fork(state, &mut successors);
                }
            }
            for (state, outcome, value) in successors.ended.drain(..) {
                self.end_retraced(state, outcome, value);
            }
            for state in successors.running.drain(..) {
                let traces = match state.decisions.get(at) {
                    Some(taken) => {
                        let before = traces.partition_point(|trace| trace[at] < *taken);
                        let through = traces.partition_point(|trace| trace[at] <= *taken);
                        &traces[before..through]
                    }
                    None => traces,
                };
                open.push((state, traces));
            }
        }
        Ok(())
    }

    fn end_retraced(&mut self, mut state: State<M::Heap>, outcome: Outcome, value: Option<Term>) {
        if let Some(outcome) = self.executor.conclude(&mut state, outcome) {
            let recorded = self.record(state, outcome, value);
            assert!(recorded.is_ok(), "nothing ends this early");
        }
    }

    /// Leaves only the cases that some trace takes.
    fn refuse_others(&mut self, taken: impl Iterator<Item = Option<u32>>) {
        let mut wanted = vec![false; self.executor.cases.list.len()];
        taken.flatten().for_each(|index| wanted[index as usize] = true);
        for (case, _) in self.executor.cases.list.iter_mut().zip(wanted).filter(|(_, wanted)| !wanted) {
            case.effect = Effect::Refused;
        }
    }
}

/// Describes the decision about to be taken.
fn point<M: HeapModel>(executor: &Executor<'_, M>, state: &State<M::Heap>, index: usize) -> DecisionPoint {
    let program = executor.cx.program;
    let frame = state.frames.last().expect("a running state has a frame");
    let method = program.method(frame.method);
    let (path, line, column) = program.place(frame.method, frame.pc as usize);
    let column = column.map_or_else(String::new, |column| format!(":{column}"));
    DecisionPoint {
        place: format!("{path}:{line}{column}"),
        instruction: lazuli_program::text::show_instr(program, method, &method.code[frame.pc as usize]),
        taken: index,
        of: executor.cases.list.len(),
        guard: executor.cases.list.get(index).map_or_else(String::new, |case| executor.cx.show(case.guard)),
    }
}

/// The same condition with a model. All of it is asked about first, so that the verdict does not depend on the order.
fn check_all<M: HeapModel>(executor: &mut Executor<'_, M>, path: &PathCondition) -> Result<PathCondition, TraceError> {
    let mut checked = PathCondition::default();
    let all = executor.cx.terms.all(path.clauses());
    for clause in std::iter::once(all).chain(path.clauses()) {
        match executor.solver.extension(&mut executor.cx.terms, &checked, clause) {
            Verdict::Sat(_) if clause == all => {}
            Verdict::Sat(extension) => checked.extend(extension),
            Verdict::Unsat => {
                return Err(TraceError::Infeasible);
            }
            Verdict::Unknown(reason) => return Err(TraceError::SolverUnknown(reason)),
        }
    }
    Ok(checked)
}
