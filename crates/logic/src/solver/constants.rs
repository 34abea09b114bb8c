//! Guards that are constants: nothing has to be decided.

use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::Terms;

/// The stage.
#[inline]
pub(crate) fn answer(_: &mut Solver, _: &mut Terms, question: &mut Question) -> Option<Reply> {
    question.guard.as_bool().map(|value| if value { Reply::Unchanged } else { Reply::Unsat })
}
