//! Guards that the path has as a clause, or the negation of which it has.

use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::{Term, Terms};

/// The stage.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let is_known = |clause: Term| question.connected.iter().any(|group| group.has(clause));
    if is_known(terms.not(question.guard)) {
        return Some(Reply::Unsat);
    }
    (is_known(question.guard) && question.path.is_known_satisfiable()).then_some(Reply::Unchanged)
}
