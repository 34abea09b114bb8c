//! The stage of [`crate::difference`]: groups whose clauses are all difference constraints.

use crate::difference::Decision;
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::Terms;

impl Decision {
    pub(crate) fn reply(self) -> Option<Reply> {
        match self {
            Decision::Sat(model) => Some(Reply::Found(model)),
            Decision::Unsat => Some(Reply::Unsat),
            Decision::Abstain => None,
        }
    }
}

/// The stage: groups whose clauses are all such constraints.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let differences = question.group().differences.as_ref()?;
    differences.decide(question.hint(), terms.interrupt()).reply()
}
