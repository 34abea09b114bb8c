//! Paths at their ends, with their heaps: for those who measure or compare heaps, not only traces.

use crate::drive::{Policy, Successors};
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::limits::Watch;
use crate::outcome::{Bound, Outcome, Stop};
use crate::state::State;

/// A path at its end, with its heap.
pub(crate) struct Ended<H> {
    pub state: Box<State<H>>,
    pub outcome: Outcome,
}

impl<M: HeapModel> Executor<'_, M> {
    /// What is open before the first instruction.
    pub(crate) fn beginning(&mut self) -> Result<Vec<Box<State<M::Heap>>>, String> {
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
        open: &mut Vec<Box<State<M::Heap>>>,
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
            self.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
            if let Some(bound) = self.expired() {
                return (ends, Some(bound));
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
