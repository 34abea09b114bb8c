//! Turning an ended state into a trace: counting it, and, as far as detail is wanted, its condition, value and witness.

use lazuli_engine::config::TraceDetail;
use lazuli_engine::confirm::Replayer;
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::outcome::{Bound, Outcome};
use lazuli_engine::state::State;
use lazuli_logic::Term;

use crate::run::{Trace, TraceFacts};
use crate::worker::{Cut, Worker};

/// What it costs, in instructions, to make a witness and to begin its replay.
const WITNESS: u64 = 200;

impl<M: HeapModel> Worker<'_, M> {
    /// Counts an ended path and makes a trace of it. If the run must end meanwhile, it is as if the path had not ended.
    pub(crate) fn record(
        &mut self,
        state: Box<State<M::Heap>>,
        outcome: Outcome,
        value: Option<Term>,
    ) -> Result<(), Cut<M::Heap>> {
        let detail = match self.executor.config.detail {
            TraceDetail::Full => match facts(&mut self.executor, &mut self.replayer, &state, &outcome, value) {
                Ok(made) => Some(made),
                Err(bound) => return Err(Cut { bound, state }),
            },
            _ => None,
        };
        self.executor.counts.count_end(&outcome);
        let refuted = detail.as_ref().is_some_and(|made| made.refuted);
        self.executor.counts.refuted += refuted as u64;
        self.executor.counts.violations_refuted += (refuted && outcome == Outcome::AssertFailed) as u64;
        if let Outcome::Stopped(stop) = &outcome {
            *self.stops.entry(stop.clone()).or_default() += 1;
        }
        let wanted = self.executor.config.detail != TraceDetail::None || outcome == Outcome::AssertFailed;
        if wanted {
            let State { decisions, flow, .. } = *state;
            let steps = detail.as_ref().map_or(0, |made| WITNESS + made.steps);
            let decisions = decisions.to_vec();
            let trace = Trace { decisions, outcome, flow, detail: detail.map(|made| Box::new(made.facts)) };
            self.count_witness(&trace);
            self.made += steps + trace.size() as u64 / 4;
            self.size += trace.size();
            self.traces.push(trace);
        }
        Ok(())
    }

    fn count_witness(&mut self, trace: &Trace) {
        match (&trace.outcome, trace.detail.as_ref().map(|facts| facts.confirmed.is_ok())) {
            (Outcome::Stopped(_), _) | (_, None) => {}
            (_, Some(true)) => self.executor.counts.confirmed += 1,
            (_, Some(false)) => self.executor.counts.unconfirmed += 1,
        }
    }
}

/// The facts of a trace, and how many instructions the replay of its witness took.
pub(crate) struct Made {
    pub facts: TraceFacts,
    /// Whether the program did something else on the witness.
    pub refuted: bool,
    pub steps: u64,
}

/// The condition, the value, and a witness that was replayed; or what ended the run before they were there.
pub(crate) fn facts<M: HeapModel>(
    executor: &mut Executor<'_, M>,
    replayer: &mut Replayer<'_>,
    state: &State<M::Heap>,
    outcome: &Outcome,
    value: Option<Term>,
) -> Result<Made, Bound> {
    let mut path_condition = executor.model.choices(&executor.cx, &state.heap);
    path_condition.extend(state.path.clauses().into_iter().map(|clause| executor.cx.show_clause(clause)));
    let witness = executor.witness(state);
    let (mut steps, mut refuted) = (0, false);
    let confirmed = match (&witness, outcome) {
        (Ok(_), Outcome::Stopped(_)) => Err("the path was not followed to its end".into()),
        (Ok(witness), _) => {
            let replayed = replayer.confirm(witness, outcome, state.flow, &executor.watch);
            if let Some(bound) = replayed.late {
                return Err(bound);
            }
            (steps, refuted) = (replayed.steps, replayed.refuted);
            replayed.verdict
        }
        (Err(reason), _) => Err(reason.clone()),
    };
    let facts = TraceFacts {
        value: value.map(|value| executor.show_value(state, value)),
        path_condition,
        witness: witness.ok(),
        confirmed,
        place: place(executor, state),
        printed: state.vm.output(),
    };
    Ok(Made { facts, refuted, steps })
}

/// Where a state stands, as `file:line`.
fn place<M: HeapModel>(executor: &Executor<'_, M>, state: &State<M::Heap>) -> String {
    let program = executor.cx.program;
    // An exception has a place of its own.
    let (method, pc) = match (state.thrown, state.frames.last()) {
        (Some(thrown), _) => (thrown.method, thrown.pc),
        (None, Some(frame)) => (frame.method, frame.pc),
        (None, None) => (executor.entry, 0),
    };
    let (path, line, _) = program.place(method, pc as usize);
    let path = std::path::Path::new(&path);
    let file = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    format!("{file}:{line}")
}
