//! The known model of the path, if the guard is true in it: half of all questions, at the price of one evaluation.

use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::Terms;

/// The stage.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let known = question.known.as_ref()?;
    if question.held.is_none() {
        question.held = terms.truth(question.guard, known);
    }
    (question.held == Some(true)).then(|| Reply::Fits(known.clone()))
}
