//! Turning an ended state into a trace: counting it, and, while detail is wanted, its condition, value and witness.

use lazuli_logic::Term;

use crate::config::TraceDetail;
use crate::explore::{Ended, Executor};
use crate::heap::HeapModel;
use crate::outcome::Outcome;
use crate::replay;
use crate::run::{Trace, TraceFacts};
use crate::state::State;
use crate::witness::Witness;

impl<M: HeapModel> Executor<'_, M> {
    pub(crate) fn record(&mut self, state: State<M::Heap>, outcome: Outcome, value: Option<Term>) {
        self.counts.traces += 1;
        match &outcome {
            Outcome::Returned => self.counts.returned += 1,
            Outcome::Threw(_) => self.counts.threw += 1,
            Outcome::AssertFailed => self.counts.assert_failed += 1,
            Outcome::Stopped(_) => {
                self.counts.stopped += 1;
                *self.stops.entry(outcome.to_string()).or_default() += 1;
            }
        }
        if let Some(ended) = &mut self.ended {
            return ended.push(Ended { state, outcome });
        }
        if self.config.detail == TraceDetail::None {
            return;
        }
        if self.traces.len() >= self.keep {
            self.omitted += 1;
            return;
        }
        let detail = match self.config.detail {
            TraceDetail::Full(_) => Some(Box::new(self.facts(&state, &outcome, value))),
            _ => None,
        };
        let State { decisions, flow, .. } = state;
        self.traces.push(Trace { decisions, outcome, flow, detail });
    }

    /// The condition, the value, and a witness that was replayed.
    pub(crate) fn facts(&mut self, state: &State<M::Heap>, outcome: &Outcome, value: Option<Term>) -> TraceFacts {
        let mut path_condition = self.model.choices(&self.cx, &state.heap);
        path_condition.extend(state.path.clauses().into_iter().map(|clause| self.cx.show_clause(clause)));
        let witness = self.witness(state);
        let confirmed = match (&witness, outcome) {
            (Ok(_), Outcome::Stopped(_)) => Err("the path was not followed to its end".into()),
            (Ok(witness), _) => replay::confirm(self.cx.program, self.config, self.entry, witness, outcome, state.flow),
            (Err(reason), _) => Err(reason.clone()),
        };
        TraceFacts {
            value: value.map(|v| self.model.show(&mut self.cx, &state.heap, v)),
            path_condition,
            witness: witness.ok(),
            confirmed,
            place: self.place(state),
        }
    }

    /// A concrete input from a model of the whole path condition, every clause of which is evaluated once more.
    pub(crate) fn witness(&mut self, state: &State<M::Heap>) -> Result<Witness, String> {
        let model = state.path.model().ok_or("the path condition was not checked")?;
        for clause in state.path.clauses() {
            match self.cx.terms.eval(clause, &model) {
                Some(value) if value.as_bool() => {}
                Some(_) => panic!("the model does not satisfy {}", self.cx.show(clause)),
                None => return Err("an integer of the witness does not fit into 128 bits".into()),
            }
        }
        let mut witness = self.model.witness(&mut self.cx, &state.heap, &model);
        witness.read_chars(&self.cx);
        Ok(witness)
    }

    /// Where a state stands, as `file:line`.
    fn place(&self, state: &State<M::Heap>) -> String {
        let program = self.cx.program;
        // After the last return there is no frame left: the entry itself is the place. An exception has its own.
        let (method, pc) = match (state.thrown, state.frames.last()) {
            (Some(thrown), _) => (thrown.method, thrown.pc),
            (None, Some(frame)) => (frame.method, frame.pc),
            (None, None) => (self.entry, 0),
        };
        let (path, line, _) = program.place(method, pc as usize);
        let path = std::path::Path::new(&path);
        let file = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        format!("{file}:{line}")
    }
}
