//! A fresh model: the known one, with the references it says nothing about denoting objects of their own.

use std::rc::Rc;

use crate::eval::{Model, RefValue, Value};
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::{Sort, Symbol, Term, Terms};

/// The stage.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let known = question.known.as_deref()?;
    fresh_model(terms, &question.symbols, question.guard, known).map(Reply::Fits)
}

/// A model of the path that also satisfies the guard: the known one, with the references it says nothing about
/// denoting objects of their own (unmentioned, they are null). It does not change what the known one says.
fn fresh_model(terms: &Terms, symbols: &[Symbol], guard: Term, known: &Model) -> Option<Rc<Model>> {
    let is_reference = |symbol: Symbol| terms.symbol_info(symbol).sort == Sort::Ref;
    if !symbols.iter().any(|symbol| is_reference(*symbol) && known.get(*symbol).is_none()) {
        return None;
    }
    let own = |symbol: Symbol| is_reference(symbol).then_some(Value::Ref(RefValue::Input(symbol)));
    let fresh = known.extended(symbols, own);
    terms.holds(guard, &fresh).then(|| Rc::new(fresh))
}
