//! PrEP, the pre-evaluation of executable properties: `if (every input is valid) P(inputs)`.
//!
//! The harness is a method like any other, so this works under every heap model and with witnesses, decisions and workers. Paths
//! on which an invariant is false or throws are no traces of the program: they are pruned.
//!
//! The receiver is any object of the entry's class; the call in the harness finds its implementation, as a caller's would.

use lazuli_program::ir::Instr;

use super::rep_ok::REJECTED;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::outcome::Outcome;
use crate::state::State;

impl<M: HeapModel> Executor<'_, M> {
    /// Whether a path ended before its inputs were found to be valid.
    pub(crate) fn ended_in_harness(&self, state: &State<M::Heap>, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Threw(exception) if exception == REJECTED => true,
            // The harness asks, and then it calls: that is its last call.
            Outcome::Threw(_) | Outcome::AssertFailed => {
                let harness = state.frames.first().expect("a path that does not return has a frame");
                let code = &self.cx.program.method(harness.method).code;
                let calls = code.iter().rposition(|instr| matches!(instr, Instr::Call { .. }));
                calls.is_some_and(|call| (harness.pc as usize) < call)
            }
            Outcome::Returned | Outcome::Stopped(_) => false,
        }
    }
}
