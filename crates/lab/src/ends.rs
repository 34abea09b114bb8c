//! Paths at their ends, with their heaps: for those who measure or compare heaps, not only traces.

use lazuli_engine::drive::{Policy, Successors};
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::limits::Watch;
use lazuli_engine::outcome::{Bound, Outcome, Stop};
use lazuli_engine::state::State;

/// A path at its end, with its heap.
pub struct Ended<H> {
    pub state: Box<State<H>>,
    pub outcome: Outcome,
}

/// What is open.
pub type Open<H> = Vec<Box<State<H>>>;

/// What is open before the first instruction.
pub fn beginning<M: HeapModel>(executor: &mut Executor<'_, M>) -> Result<Open<M::Heap>, String> {
    let mut successors = Successors::default();
    executor.begin(&mut successors);
    match successors.ended.pop() {
        Some((_, outcome, _)) => Err(format!("the exploration was {outcome}")),
        None => Ok(successors.running),
    }
}

/// Explores depth first until nothing is open, a limit is reached, or `enough` traces have ended. Also gives the limit.
pub fn ends<M: HeapModel>(
    executor: &mut Executor<'_, M>,
    open: &mut Open<M::Heap>,
    watch: &Watch,
    enough: u64,
) -> (Vec<Ended<M::Heap>>, Option<Bound>) {
    let mut successors = Successors::default();
    let mut ends = Vec::new();
    let most = executor.config.bounds.traces;
    executor.heed(watch);
    while executor.counts.traces < enough {
        let Some(state) = open.pop() else { break };
        if let Some(reason) = watch.late() {
            open.push(state);
            return (ends, Some(reason));
        }
        executor.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
        if let Some(bound) = executor.expired() {
            return (ends, Some(bound));
        }
        for (mut state, outcome, _) in successors.ended.drain(..) {
            match outcome {
                Outcome::Stopped(Stop::Bound(bound)) if bound.ends_run() => return (ends, Some(bound)),
                _ if most.is_some_and(|most| executor.counts.traces >= most) => return (ends, Some(Bound::MaxTraces)),
                _ => {}
            }
            if let Some(outcome) = executor.conclude(&mut state, outcome) {
                executor.counts.count_end(&outcome);
                ends.push(Ended { state, outcome });
            }
        }
        open.extend(successors.running.drain(..).rev());
    }
    (ends, None)
}
