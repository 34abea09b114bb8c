//! The plain case: references of which it is known what they are. Objects of the program always are; input objects are
//! where somebody who listens knows. Then an access has one outcome, as under the models that enumerate, and there is
//! nothing to ask. Where it is not known, a reference is compared with the names that stand for something.

use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::FieldId;

use super::Heap;
use super::fields::Fields;
use crate::context::{Assumptions, Context, Told};

impl<F: Fields> Heap<F> {
    /// What a reference is known to be.
    pub(super) fn told(&self, cx: &Context, reference: Term) -> Told {
        match reference {
            Term::NULL => Told::Null,
            _ if reference.as_location().is_some() || self.receiver == Some(reference) => Told::Object(reference),
            _ => cx.told(reference),
        }
    }

    /// The value that goes into or comes out of a field, under the name of its object; `None` if there is more to say
    /// of it.
    pub(super) fn told_value(&self, cx: &Context, field: FieldId, value: Term) -> Option<Term> {
        if !cx.program.field(field).ty.is_ref() {
            return Some(value);
        }
        match self.told(cx, value) {
            Told::Null => Some(Term::NULL),
            Told::Object(object) => Some(object),
            Told::Open => None,
        }
    }

    /// The value of a field in an object, if the field has one and there is nothing more to say of it.
    pub(super) fn plain_value(&self, cx: &Context, object: Term, field: FieldId) -> Option<Term> {
        self.told_value(cx, field, self.value(cx, field, object)?)
    }

    /// Where the name that the initial value of a field is about to get stands for it: where there is such an object,
    /// and it has no other name by which the field is known.
    pub(super) fn stands(&self, cx: &mut Context, holder: Symbol, field: FieldId, is_first: Term) -> Term {
        let (object, class) = (cx.terms.symbol_info(holder).term, cx.program.field(field).class);
        let has_field = match cx.program.is_subclass(cx.declared_class(holder), class) {
            true => Term::TRUE,
            false => cx.is_class(object, class),
        };
        let is_object = self.non_null(cx, object);
        match cx.terms.all([self.names.stands(object), is_object, has_field, is_first]) {
            Term::TRUE => Term::TRUE,
            stands => cx.under_path(stands),
        }
    }

    /// Whether a symbol stands for something in the input that a model stands for.
    pub(super) fn is_real(&self, cx: &Context, symbol: Symbol, model: &Model) -> bool {
        let symbol = cx.terms.symbol_info(symbol).term;
        cx.terms.holds(self.names.stands(symbol), model)
    }

    /// Whether two references are equal, if it is known what they are. Different objects have different names.
    pub(super) fn told_equal(&self, cx: &Context, a: Term, b: Term) -> Option<bool> {
        match (self.told(cx, a), self.told(cx, b)) {
            (Told::Open, _) | (_, Told::Open) => None,
            (Told::Null, Told::Null) => Some(true),
            (Told::Object(a), Told::Object(b)) => Some(a == b),
            _ => Some(false),
        }
    }
}

/// Where the names of initial values stand for something, of those that do not everywhere. Elsewhere nothing keeps
/// such a symbol from being equal to anything.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Names(Rc<Vec<(Term, Term)>>);

impl Names {
    pub fn add(&mut self, name: Term, stands: Term) {
        if stands != Term::TRUE {
            Rc::make_mut(&mut self.0).push((name, stands));
        }
    }

    /// It depends on the input alone, not on what has been loaded so far: a reference that is loaded later on, in
    /// another case, must have been compared with others as if it had been loaded then.
    fn stands(&self, name: Term) -> Term {
        self.0.iter().find(|(known, _)| *known == name).map_or(Term::TRUE, |(_, stands)| *stands)
    }
}

/// Compares a reference that is not null with others.
pub(super) struct Sameness<'a> {
    known: Option<&'a dyn Assumptions>,
    names: &'a Names,
    reference: Term,
    told: Told,
}

impl<'a> Sameness<'a> {
    pub fn new(known: Option<&'a dyn Assumptions>, names: &'a Names, reference: Term) -> Sameness<'a> {
        let told = known.map_or(Told::Open, |known| known.told(reference));
        Sameness { known, names, reference, told }
    }

    /// Whether it denotes the same object as another one.
    pub fn with(&self, cx: &mut Context, other: Term) -> Term {
        if let Told::Object(mine) = self.told
            && let Some(Told::Object(object)) = self.known.map(|known| known.told(other))
        {
            return Term::bool(mine == object);
        }
        let are_apart = || self.known.is_some_and(|known| known.are_apart(self.reference, other));
        let symbols = cx.terms.as_symbol(self.reference).zip(cx.terms.as_symbol(other));
        if symbols.is_some_and(|(a, b)| !cx.may_alias(a, b) || are_apart()) {
            return Term::FALSE;
        }
        let equal = cx.terms.eq(self.reference, other);
        cx.terms.and(equal, self.names.stands(other))
    }
}
