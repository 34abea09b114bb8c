//! Replaying: a trace, from its decisions.

use std::time::{Duration, Instant};

use lazuli_engine::config::Config;
use lazuli_engine::confirm::Replayer;
use lazuli_engine::drive::{Astray, Successors};
use lazuli_engine::executor::{Executor, entry_of};
use lazuli_engine::heap::HeapModel;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::state::{Decisions, State, parse_decisions, show_decisions};
use lazuli_engine::suspend::Pause;
use lazuli_engine::with_heap_model;
use lazuli_invariant::Whole;
use lazuli_invariant::instrumented;
use lazuli_logic::Term;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::error::{Error, TraceError};
use crate::explore::offered;
use crate::record::{Judges, facts};
use crate::run::Trace;
use crate::setting::Setting;
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

/// Runs the trace that `id` names: every decision is taken as the name says, whether or not another one is feasible.
pub fn replay(program: &Program, config: &Config, id: &str) -> Result<Replayed, Error> {
    let decisions = parse_decisions(id).ok_or_else(|| TraceError::NotAName(id.into()))?;
    let entry = entry_of(program, config)?;
    // Decisions mean something only together with what may be an input.
    let config = &Config { offered: offered(program, config)?, ..config.clone() };
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
    let mut points = Vec::new();
    let mut successors = Successors::default();
    executor.begin(&mut successors);
    while let Some(mut state) = successors.running.pop() {
        let taken = match executor.advance(&mut state) {
            Pause::Decide => {
                points.extend(
                    decisions.get(state.decisions.len()).map(|index| point(&executor, &state, *index as usize)),
                );
                let done = show_decisions(&state.decisions.to_vec());
                executor.follow(state, decisions, &mut successors).map_err(|astray| match astray {
                    Astray::TooShort => TraceError::Beginning { after: done },
                    other => TraceError::Astray(other),
                })
            }
            Pause::End(outcome, value) => {
                successors.ended.push((state, outcome, value));
                Ok(())
            }
            Pause::Pruned(pruned) => Err(TraceError::Astray(pruned.into())),
        };
        taken?;
    }
    let (mut state, outcome, value) = successors.ended.pop().ok_or(TraceError::NoReceiver)?;
    if state.decisions.len() < decisions.len() {
        return Err(TraceError::Ended { after: show_decisions(&state.decisions.to_vec()) }.into());
    }
    let outcome = executor.conclude(&mut state, outcome).ok_or(TraceError::Astray(Astray::Invalid))?;
    let mut replayer = Replayer::new(executor.cx.program, executor.config, executor.entry);
    let mut whole = Whole::new(executor.cx.program, executor.config, executor.entry);
    let mut judges = Judges { replayer: &mut replayer, whole: whole.as_mut() };
    let made = facts(&mut executor, &mut judges, &state, &outcome, value);
    let facts = made.expect("nothing ends a replay early").facts;
    let trace = Trace { decisions: state.decisions.to_vec(), outcome, flow: state.flow, detail: Some(Box::new(facts)) };
    Ok(Replayed { trace, points })
}

/// Explores again, on one worker, but only where some traces lead. Gives the time: what these traces cost, with their conditions and
/// replayed witnesses if the detail is full.
pub fn cost(program: &Program, config: &Config, traces: &[Decisions]) -> Result<Duration, Error> {
    let config = &Config { offered: offered(program, config)?, ..config.clone() };
    let mut traces: Vec<&[u32]> = traces.iter().map(Decisions::as_slice).collect();
    traces.sort_unstable();
    let setting = Setting::new(program, config, None)?;
    with_heap_model!(config.heap, |make| {
        let mut worker = Worker::new(&setting, make());
        let started = Instant::now();
        worker.retrace(&traces);
        let time = started.elapsed();
        let found = worker.executor.counts.traces;
        match found == traces.len() as u64 {
            true => Ok(time),
            false => Err(TraceError::NotFound { found, wanted: traces.len() as u64 }.into()),
        }
    })
}

impl<M: HeapModel> Worker<'_, M> {
    /// Follows some traces, sorted, to their ends.
    fn retrace(&mut self, traces: &[&[u32]]) {
        self.begin();
        let mut open: Vec<_> = self.open.drain(..).map(|state| (state, traces)).collect();
        let mut successors = Successors::default();
        while let Some((mut state, traces)) = open.pop() {
            let at = state.decisions.len();
            match self.executor.advance(&mut state) {
                Pause::End(outcome, value) => self.end_retraced(state, outcome, value),
                Pause::Pruned(_) => {}
                Pause::Decide => {
                    self.refuse_others(traces.iter().map(|trace| trace.get(at).copied()));
                    self.executor.fork(state, &mut successors);
                }
            }
            for (state, outcome, value) in successors.ended.drain(..) {
                self.end_retraced(state, outcome, value);
            }
            for state in successors.running.drain(..) {
                let taken = *state.decisions.last().expect("a case was taken");
                let before = traces.partition_point(|trace| trace[at] < taken);
                let through = traces.partition_point(|trace| trace[at] <= taken);
                open.push((state, &traces[before..through]));
            }
        }
    }

    fn end_retraced(&mut self, mut state: Box<State<M::Heap>>, outcome: Outcome, value: Option<Term>) {
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
            case.exclude();
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
