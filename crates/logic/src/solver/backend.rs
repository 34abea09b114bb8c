//! What a back end is: a decision procedure for a conjunction of clauses, with a budget of effort. The only trait of
//! this crate.

use crate::eval::Model;
use crate::interrupt::Interrupt;
use crate::term::{Term, Terms};

#[derive(Clone, Debug)]
pub enum Answer {
    Sat(Model),
    Unsat,
    Unknown(String),
}

impl Answer {
    /// No answer, because the one who waits does not want to wait any longer.
    pub(crate) fn interrupted(interrupt: &Interrupt) -> Answer {
        Answer::Unknown(interrupt.cause().map_or_else(|| "interrupted".into(), |cause| cause.to_string()))
    }

    /// No answer, because the budget is used up.
    pub(crate) fn exhausted(solver: &str, effort: u64) -> Answer {
        Answer::Unknown(format!("{solver} found no answer with an effort of {effort}"))
    }
}

/// The effort that a back end may spend on one question, unless somebody says otherwise.
///
/// The unit is one conflict of CaDiCaL, and as much of what Z3 counts as takes about as long: see
/// [`crate::solver::z3`]. It is counted and not timed, so that the same question has the same answer on a busy
/// machine. On the hard questions that were measured the default is about ten seconds.
pub const EFFORT: u64 = 100_000;

pub trait Backend {
    /// Decides the conjunction of `clauses`. Successive calls usually share a prefix, which a back end may keep. Ends
    /// early when the interrupt of the terms is raised.
    fn check(&mut self, terms: &Terms, clauses: &[Term]) -> Answer;
}
