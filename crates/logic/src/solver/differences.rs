//! The stage of [`crate::difference`]: groups whose clauses are all difference constraints.

use std::rc::Rc;

use crate::difference::Decision;
use crate::path::LONG;
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

/// The stage: groups whose clauses are all such constraints. Many clauses may come to few constraints: a model is evaluated against
/// these, and against the guard.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let differences = question.group().differences.as_ref()?;
    match differences.decide(question.hint(), terms.interrupt()) {
        // What applications are is said by no constraint.
        Decision::Sat(model) if terms.has_applications() => Some(Reply::Found(model)),
        Decision::Sat(model) if terms.holds(question.guard, &model) && differences.hold_in(&model) => {
            let is_long = question.group().clauses.len() > LONG;
            debug_assert!(is_long || question.clauses().iter().all(|clause| terms.holds(*clause, &model)));
            Some(Reply::Fits(Rc::new(model)))
        }
        other => other.reply(),
    }
}
