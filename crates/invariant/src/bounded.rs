//! Bounded model finding: is there a completion of the partial initial heap, with at most so many objects, that satisfies the
//! invariant and the path condition? This is what the document asks the Alloy analyzer.
//!
//! The models are found by executing the invariant itself under lazy initialization: a path on which it returns true stands for
//! such completions, and within the bound it has finitely many paths. Asked at every assumption, and, since the program
//! may have decided something about numbers since, at the end of every path.

use lazuli_engine::admit::InWork;
use lazuli_engine::config::Most;
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::invariant::{OpenInputs, Path};
use lazuli_engine::state::State;
use lazuli_engine::suspend::{Pruned, Step, Suspend};

use crate::rep_ok::FULL;

pub(crate) fn admit(path: &mut dyn Path, completion: &[Most]) -> Step {
    let quotas = path.quotas_of(completion);
    // What has more objects already needs no trial: the bound of a trial is on the objects that it adds.
    if quotas.iter().any(|quota| path.objects(quota) > quota.most) {
        return Err(Suspend::Prune(Pruned::Invariant));
    }
    path.some_path_is_true(FULL, OpenInputs::Resolved, quotas)
}

/// Whether the input of a state has a valid completion with so many objects.
pub fn is_completable<M: HeapModel>(
    executor: &mut Executor<'_, M>,
    state: &mut State<M::Heap>,
    completion: &[Most],
) -> Step {
    admit(&mut InWork { executor, state }, completion)
}
