//! Paths at their ends, with their heaps: for those who measure or compare heaps, not only traces.

use crate::drive::{Policy, Successors};
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::state::State;

/// A path at its end, with its heap.
pub(crate) struct Ended<H> {
    pub state: State<H>,
    pub outcome: Outcome,
}

impl<M: HeapModel> Executor<'_, M> {
    /// What is open before the first instruction.
    pub(crate) fn beginning(&mut self) -> Result<Vec<State<M::Heap>>, String> {
        let mut successors = Successors::default();
        self.begin(&mut successors);
        match successors.ended.pop() {
            Some((_, outcome, _)) => Err(format!("the exploration was {outcome}")),
            None => Ok(successors.running),
        }
    }

    /// Explores depth first until nothing is open, a limit is reached, or `enough` traces have ended. Also gives the limit.
    pub(crate) fn ends(
        &mut self,
        open: &mut Vec<State<M::Heap>>,
        limits: &Limits,
        enough: u64,
    ) -> (Vec<Ended<M::Heap>>, Option<&'static str>) {
        let mut successors = Successors::default();
        let mut ends = Vec::new();
        self.heed(limits);
        while self.counts.traces < enough {
            let Some(state) = open.pop() else { break };
            if let Some(reason) = limits.exceeded() {
                open.push(state);
                return (ends, Some(reason));
            }
            self.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
            if self.is_expired() {
                return (ends, limits.late().or(Some("--timeout")));
            }
            for (mut state, outcome, _) in successors.ended.drain(..) {
                if limits.traces.is_some_and(|most| self.counts.traces >= most) {
                    return (ends, Some("--max-traces"));
                }
                if let Some(outcome) = self.conclude(&mut state, outcome) {
                    ends.push(Ended { state, outcome });
                }
            }
            open.extend(successors.running.drain(..).rev());
        }
        (ends, None)
    }
}
