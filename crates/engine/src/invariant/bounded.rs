//! Bounded model finding: is there a completion of the partial initial heap, with at most so many objects, that satisfies the
//! invariant and the path condition? This is what the document asks the Alloy analyzer.
//!
//! The models are found by executing the invariant itself under lazy initialization: a path on which it returns true stands for
//! such completions, and within the bound it has finitely many paths. Asked at every assumption, and, since the program
//! may have decided something about numbers since, at the end of every path.

use super::rep_ok::FULL;
use super::trial::OpenInputs;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Pruned, Step, Suspend};

impl<M: HeapModel> Executor<'_, M> {
    pub(crate) fn admit_completable(&mut self, state: &State<M::Heap>) -> Step {
        let objects = self.config.invariants.as_ref().map_or(0, |invariants| invariants.objects);
        self.is_completable(state, objects)
    }

    pub(crate) fn is_completable(&mut self, state: &State<M::Heap>, objects: u32) -> Step {
        // What has more objects already needs no trial: the bound of a trial is on the objects that it adds.
        if self.model.objects_assumed(&state.heap) > objects {
            return Err(Suspend::Prune(Pruned::Invariant));
        }
        self.some_path_is_true(state, FULL, OpenInputs::Resolved, Some(objects))
    }
}
