//! Functions: the initial value of a field as a function of the object.
//!
//! An *application* is a symbol like any other, whose origin says of which holder and of which field it is the initial
//! value ([`Terms::make_application`]). What makes it one is the axiom of functions: holders that denote one object
//! have one value. Terms do not say so, and most stages of the solver need not know: they treat applications as
//! constants, and a model is *congruent* if it keeps the axiom. Where a model breaks it, the instance that it breaks is
//! a clause like any other ([`instance`]). Holders that are null have no values, and nothing is said of them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::eval::{Model, RefValue, Value};
use crate::term::{Label, Sort, Symbol, Term, Terms};

/// Two applications of one function.
pub(crate) type Pair = (Symbol, Symbol);

impl Model {
    /// The model with values for all of the symbols, which are sorted: those that it says nothing about have the values that
    /// congruence gives them, or their defaults, which are part of what makes the clauses true.
    pub fn completed(&self, terms: &Terms, symbols: &[Symbol]) -> Model {
        let with_forced = self.with_forced(terms, symbols);
        let known = with_forced.as_ref().unwrap_or(self);
        known.extended(symbols, |symbol| Some(Model::default_value(terms, symbol)))
    }

    /// The same of a model that may be shared, and mostly has all of them.
    pub(crate) fn complete(self: Rc<Model>, terms: &Terms, symbols: impl Iterator<Item = Symbol>) -> Rc<Model> {
        let mut model = self;
        for symbol in symbols {
            if model.get(symbol).is_none() {
                let value = model.forced(terms, symbol).unwrap_or_else(|| Model::default_value(terms, symbol));
                Rc::make_mut(&mut model).set(symbol, value);
            }
        }
        model
    }

    /// The model with the values that congruence gives to symbols that it says nothing about; `None` if there are none.
    /// The symbols are sorted, so that a holder comes before what it holds.
    pub(crate) fn with_forced(&self, terms: &Terms, symbols: &[Symbol]) -> Option<Model> {
        if !terms.has_applications() {
            return None;
        }
        let mut more: Option<Model> = None;
        for &symbol in symbols {
            let model = more.as_ref().unwrap_or(self);
            if model.get(symbol).is_none()
                && let Some(value) = model.forced(terms, symbol)
            {
                more.get_or_insert_with(|| self.clone()).set(symbol, value);
            }
        }
        more
    }

    /// The value of an application, if another holder of the same object has one.
    fn forced(&self, terms: &Terms, symbol: Symbol) -> Option<Value> {
        let (holder, function) = terms.application(symbol)?;
        let object = self.get(holder).filter(is_object)?;
        // Most objects have one name, which is soon seen.
        let is_alias = |(other, value): (Symbol, Value)| value == object && other != holder;
        if !self.values().any(is_alias) {
            return None;
        }
        self.values().find_map(|(other, value)| {
            let (alias, same) = terms.application(other)?;
            (same == function && self.get(alias) == Some(object)).then_some(value)
        })
    }

    /// Applications to which the model gives other values than to the first one of the same object. The symbols are sorted.
    pub(crate) fn broken(&self, terms: &Terms, symbols: &[Symbol]) -> Vec<Pair> {
        let mut first: FxHashMap<(Symbol, Label), Symbol> = FxHashMap::default();
        let mut broken = Vec::new();
        for &symbol in symbols {
            let Some((holder, function)) = terms.application(symbol) else { continue };
            let Value::Ref(RefValue::Input(object)) = self.value(terms, holder) else { continue };
            let other = *first.entry((object, function)).or_insert(symbol);
            if other != symbol && self.value(terms, other) != self.value(terms, symbol) {
                broken.push((other, symbol));
            }
        }
        broken
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Ref(RefValue::Input(_)))
}

/// The axiom for two applications of one function: if their holders denote one object, they are equal.
pub(crate) fn instance(terms: &mut Terms, (a, b): Pair) -> Term {
    let holder = |symbol: Symbol| {
        let (holder, _) = terms.application(symbol).expect("an instance is about applications");
        terms.symbol_info(holder).term
    };
    let (holder_a, holder_b) = (holder(a), holder(b));
    let (a, b) = (terms.symbol_info(a).term, terms.symbol_info(b).term);
    let equal = match terms.sort(a) {
        Sort::Bool => {
            let not_b = terms.not(b);
            terms.ite(a, b, not_b)
        }
        _ => terms.eq(a, b),
    };
    let differ = terms.ne(holder_a, holder_b);
    let no_object = terms.eq(holder_a, Term::NULL);
    terms.any([differ, no_object, equal])
}
