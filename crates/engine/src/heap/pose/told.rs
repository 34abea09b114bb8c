//! The plain case: references of which it is known what they are. Objects of the program always are; input objects are when the
//! invariants have been told. Then an access has one outcome, as under the models that enumerate, and there is nothing to ask.

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::FieldId;

use super::Heap;
use crate::context::Context;
use crate::invariant::hex::{Backbone, Told};

impl Heap {
    /// What a reference is known to be.
    pub(super) fn told(&self, reference: Term) -> Told {
        match reference {
            Term::NULL => Told::Null,
            _ if reference.as_location().is_some() || self.receiver == Some(reference) => Told::Object(reference),
            _ => self.backbone.told(reference),
        }
    }

    /// The value that goes into or comes out of a field, under the name of its object; `None` if there is more to say of it.
    pub(super) fn told_value(&self, cx: &Context, field: FieldId, value: Term) -> Option<Term> {
        if !cx.program.field(field).ty.is_ref() {
            return Some(value);
        }
        match self.told(value) {
            Told::Null => Some(Term::NULL),
            Told::Object(object) => Some(object),
            Told::Open => None,
        }
    }

    /// The value of a field in an object, if the field has one and there is nothing more to say of it.
    pub(super) fn plain_value(&self, cx: &Context, object: Term, field: FieldId) -> Option<Term> {
        self.told_value(cx, field, self.value(cx, field, object)?)
    }

    /// Whether a symbol was loaded in the input that a model stands for: elsewhere it stands for nothing.
    pub(super) fn is_real(&self, cx: &mut Context, symbol: Symbol, model: &Model) -> bool {
        let symbol = cx.terms.symbol_info(symbol).term;
        if !self.backbone.was_loaded(symbol) {
            return true;
        }
        let real = self.backbone.loaded_before(cx, symbol);
        cx.terms.holds(real, model)
    }

    /// Whether two references are equal, if it is known what they are. Different objects have different names.
    pub(super) fn told_equal(&self, a: Term, b: Term) -> Option<bool> {
        match (self.told(a), self.told(b)) {
            (Told::Open, _) | (_, Told::Open) => None,
            (Told::Null, Told::Null) => Some(true),
            (Told::Object(a), Told::Object(b)) => Some(a == b),
            _ => Some(false),
        }
    }
}

/// Compares a reference that is not null with others.
pub(super) struct Sameness<'a> {
    backbone: &'a Backbone,
    reference: Term,
    told: Told,
}

impl<'a> Sameness<'a> {
    pub fn new(backbone: &'a Backbone, reference: Term) -> Sameness<'a> {
        Sameness { backbone, reference, told: backbone.told(reference) }
    }

    /// Whether it denotes the same object as another one.
    pub fn with(&self, cx: &mut Context, other: Term) -> Term {
        if let Told::Object(mine) = self.told
            && let Told::Object(object) = self.backbone.told(other)
        {
            return Term::bool(mine == object);
        }
        let symbols = cx.terms.as_symbol(self.reference).zip(cx.terms.as_symbol(other));
        let is_apart = |(a, b)| !cx.may_alias(a, b) || self.backbone.are_apart(self.reference, other);
        if symbols.is_some_and(is_apart) {
            return Term::FALSE;
        }
        let equal = cx.terms.eq(self.reference, other);
        match self.backbone.was_loaded(other) {
            // Elsewhere it stands for nothing, so that it may be equal to anything: nobody is to ask whether it is.
            true => {
                let real = self.backbone.loaded_before(cx, other);
                cx.terms.and(equal, real)
            }
            false => equal,
        }
    }
}
