//! PrEP, the pre-evaluation of executable properties: `if (every input is valid) P(inputs)`.
//!
//! The harness is a method like any other, so this works under every heap model and with witnesses, decisions and workers. Paths
//! on which an invariant is false or throws are no traces of the program: they are pruned.
//!
//! The receiver is any object of the entry's class; the call in the harness finds its implementation, as a caller's would.

use lazuli_engine::invariant::Path;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::suspend::{Pruned, Step, Suspend};

use crate::rep_ok::REJECTED;

/// A path that ended before its inputs were found to be valid is none.
pub(crate) fn admit_end(path: &mut dyn Path, outcome: &Outcome) -> Step {
    let is_rejected = match outcome {
        Outcome::Threw(exception) if exception == REJECTED => true,
        // The harness asks, and then it calls: that is its last call.
        Outcome::Threw(_) | Outcome::AssertFailed => path.calls_again(),
        Outcome::Returned | Outcome::PostFailed | Outcome::Endless { .. } | Outcome::Stopped(_) => false,
    };
    if is_rejected { Err(Suspend::Prune(Pruned::Invariant)) } else { Ok(()) }
}
