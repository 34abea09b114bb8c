//! ConsP: the conservative invariant, executed on the partial initial heap at every assumption (Visser et al., ISSTA 2004).
//!
//! An input that the program has not looked at is not asked. Nothing that the invariant finds out on the way is kept, so
//! conditions of the program between two assumptions may make a state invalid unnoticed.

use super::rep_ok::CONSERVATIVE;
use super::trial::OpenInputs;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::Step;

impl<M: HeapModel> Executor<'_, M> {
    pub(crate) fn admit_conservatively(&mut self, state: &State<M::Heap>) -> Step {
        let n = self.cx.n;
        self.some_path_is_true(state, CONSERVATIVE, OpenInputs::Skipped, n)
    }
}
