//! Paths at their ends, with their heaps: for those who measure or compare heaps, not only traces.

use crate::executor::Executor;
use crate::fork::Successors;
use crate::heap::HeapModel;
use crate::limits::Watch;
use crate::outcome::{Bound, Outcome, Stop};
use crate::state::State;

/// A path at its end, with its heap.
pub(crate) struct Ended<H> {
    pub state: State<H>,
    pub outcome: Outcome,
}

impl<M: HeapModel> Executor<'_, M> {
    /// Explores depth first until nothing is open, a limit is reached, or `enough` traces have ended. Also gives the limit.
    pub(crate) fn ends(
        &mut self,
        open: &mut Vec<State<M::Heap>>,
        watch: &Watch,
        enough: u64,
    ) -> (Vec<Ended<M::Heap>>, Option<Bound>) {
        let mut successors = Successors::default();
        let mut ends = Vec::new();
        let most = self.config.bounds.traces;
        self.heed(watch);
        while self.counts.traces < enough {
            let Some(state) = open.pop() else { break };
            if let Some(reason) = watch.late() {
                open.push(state);
                return (ends, Some(reason));
            }
            self.expand(state, &mut successors);
            if self.is_expired() {
                return (ends, watch.late().or(Some(Bound::Timeout)));
            }
            for (mut state, outcome, _) in successors.ended.drain(..) {
                match outcome {
                    Outcome::Stopped(Stop::Bound(bound)) if bound.ends_run() => return (ends, Some(bound)),
                    _ if most.is_some_and(|most| self.counts.traces >= most) => return (ends, Some(Bound::MaxTraces)),
                    _ => {}
                }
                if let Some(outcome) = self.conclude(&mut state, outcome) {
                    self.counts.count_end(&outcome);
                    ends.push(Ended { state, outcome });
                }
            }
            open.extend(successors.running.drain(..).rev());
        }
        (ends, None)
    }
}
