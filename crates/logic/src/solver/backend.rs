//! What a back end is: a decision procedure for a conjunction of clauses. The only trait of this crate.

use crate::eval::Model;
use crate::term::{Term, Terms};

#[derive(Clone, Debug)]
pub enum Answer {
    Sat(Model),
    Unsat,
    Unknown(String),
}

pub trait Backend {
    /// Decides the conjunction of `clauses`. Successive calls usually share a prefix, which a back end may keep.
    fn check(&mut self, terms: &Terms, clauses: &[Term]) -> Answer;
}
