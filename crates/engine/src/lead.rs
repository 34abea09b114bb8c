//! The path that a concrete input takes, executed on unknown inputs under lazy initialization: references are resolved
//! as the input has them, decisions fall as it decides them. What comes out is a partial heap with the condition of the
//! path, in which everything that nobody looked at is still open: whoever completes it does not change the path.

use crate::drive::Successors;
use crate::executor::Executor;
use crate::heap::Case;
use crate::heap::lazy::{Change, Heap, Lazy};
use crate::input::InputHeap;
use crate::outcome::Outcome;
use crate::state::State;
use crate::suspend::Pause;
use crate::witness::Witness;

/// So many decisions are followed; then it is given up.
const MOST_DECISIONS: usize = 20_000;

impl Executor<'_, Lazy> {
    /// Follows an input to the first end that `accept` is content with. Where the input does not say what a reference
    /// is, each way is tried.
    pub fn lead<R>(
        &mut self,
        witness: &Witness,
        mut accept: impl FnMut(&mut Self, Box<State<Heap>>, Outcome) -> Option<R>,
    ) -> Option<R> {
        // The input is there: no bound is to cut it off.
        (self.cx.k, self.cx.quotas) = (None, Vec::new());
        let mut successors = Successors::default();
        self.begin(&mut successors);
        let mut open = std::mem::take(&mut successors.running);
        for _ in 0..MOST_DECISIONS {
            let mut state = open.pop()?;
            if self.is_late() {
                return None;
            }
            match self.advance(&mut state) {
                Pause::End(outcome, _) => {
                    if let Some(found) = accept(self, state, outcome) {
                        return Some(found);
                    }
                }
                Pause::Pruned(_) => {}
                Pause::Decide => {
                    let wanted = self.cases_of(&state.heap, witness);
                    self.fork(state, &mut successors);
                    let is_wanted = |at: Option<&u32>| at.is_some_and(|at| wanted[*at as usize]);
                    let taken = successors.running.drain(..).rev();
                    open.extend(taken.filter(|state| is_wanted(state.decisions.last())));
                    successors.ended.clear();
                }
            }
        }
        None
    }

    /// Which of the cases of a decision an input takes.
    fn cases_of(&mut self, heap: &Heap, witness: &Witness) -> Vec<bool> {
        let input = InputHeap::new(&self.cx, witness);
        let holds = |case: &Case<Change>| {
            let agrees = case.change.as_ref().map_or(Some(true), |change| heap.agrees(&self.cx, change, &input));
            match agrees {
                Some(agrees) => agrees && self.cx.terms.holds(case.guard, &input.by_path),
                None => true,
            }
        };
        self.cases.list.iter().map(holds).collect()
    }
}
