//! ConsP: the conservative invariant, executed on the partial initial heap at every assumption (Visser et al., ISSTA 2004).
//!
//! An input that the program has not looked at is not asked. Nothing that the invariant finds out on the way is kept, so
//! conditions of the program between two assumptions may make a state invalid unnoticed.

use lazuli_engine::invariant::{OpenInputs, Path};
use lazuli_engine::suspend::Step;

use crate::rep_ok::CONSERVATIVE;

pub(crate) fn admit(path: &mut dyn Path) -> Step {
    let quotas = path.quotas();
    path.some_path_is_true(CONSERVATIVE, OpenInputs::Skipped, quotas)
}
