//! Turning an ended state into a trace: counting it, and, while detail is wanted, its condition, value and witness.

use lazuli_engine::config::TraceDetail;
use lazuli_engine::confirm;
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::state::State;
use lazuli_logic::Term;

use crate::run::{Trace, TraceFacts};
use crate::worker::Worker;

impl<M: HeapModel> Worker<'_, M> {
    pub(crate) fn record(&mut self, state: State<M::Heap>, outcome: Outcome, value: Option<Term>) {
        if let Outcome::Stopped(_) = outcome {
            *self.stops.entry(outcome.to_string()).or_default() += 1;
        }
        let detail = self.executor.config.detail;
        if detail == TraceDetail::None {
            return;
        }
        if self.traces.len() >= self.keep {
            self.omitted += 1;
            return;
        }
        let detail = match detail {
            TraceDetail::Full(_) => Some(Box::new(facts(&mut self.executor, &state, &outcome, value))),
            _ => None,
        };
        let State { decisions, flow, .. } = state;
        self.traces.push(Trace { decisions, outcome, flow, detail });
    }
}

/// The condition, the value, and a witness that was replayed.
pub(crate) fn facts<M: HeapModel>(
    executor: &mut Executor<'_, M>,
    state: &State<M::Heap>,
    outcome: &Outcome,
    value: Option<Term>,
) -> TraceFacts {
    let mut path_condition = executor.model.choices(&executor.cx, &state.heap);
    path_condition.extend(state.path.clauses().into_iter().map(|clause| executor.cx.show_clause(clause)));
    let witness = executor.witness(state);
    let confirmed = match (&witness, outcome) {
        (Ok(_), Outcome::Stopped(_)) => Err("the path was not followed to its end".into()),
        (Ok(witness), _) => {
            confirm::confirm(executor.cx.program, executor.config, executor.entry, witness, outcome, state.flow)
        }
        (Err(reason), _) => Err(reason.clone()),
    };
    TraceFacts {
        value: value.map(|v| executor.model.show(&mut executor.cx, &state.heap, v)),
        path_condition,
        witness: witness.ok(),
        confirmed,
        place: place(executor, state),
    }
}

/// Where a state stands, as `file:line`.
fn place<M: HeapModel>(executor: &Executor<'_, M>, state: &State<M::Heap>) -> String {
    let program = executor.cx.program;
    // After the last return there is no frame left: the entry itself is the place. An exception has its own.
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
