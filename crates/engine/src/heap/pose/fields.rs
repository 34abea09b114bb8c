//! What a representation of the fields of input objects is. The objects of the program have their fields elsewhere.

use std::rc::Rc;

use lazuli_logic::{Model, Term};
use lazuli_program::ir::{ClassId, FieldId};

use super::Heap;
use crate::context::{Assumptions, Context, InputObject};
use crate::heap::bound::Bound;

/// k- and n-bounding: as clauses about the references that are loaded, where they are.
pub trait Bounds: Clone + Default + PartialEq + Eq {
    /// Enters a reference symbol where it is loaded: under `guard`. Gives the clause that keeps it within the bounds.
    fn enter(&mut self, cx: &mut Context, symbol: Term, guard: Term) -> Term;

    /// The receiver is loaded, whatever the bounds are.
    fn receive(&mut self, cx: &mut Context, symbol: Term);

    /// Whether there are as many objects of a declared class as there may be.
    fn is_full(&self, cx: &Context, class: ClassId) -> bool;

    /// Counts an object of a declared class that is fresh where `fresh` holds; the clause that it is not one too many.
    fn count(&mut self, cx: &mut Context, class: ClassId, fresh: Term) -> Term;

    /// What the clauses need to know of the input that a model stands for.
    fn describe(&self, _cx: &Context, _model: &mut Rc<Model>) {}
}

impl Bounds for Bound {
    fn enter(&mut self, cx: &mut Context, symbol: Term, guard: Term) -> Term {
        Bound::enter(self, cx, symbol, guard)
    }

    fn receive(&mut self, cx: &mut Context, symbol: Term) {
        Bound::enter(self, cx, symbol, Term::TRUE);
    }

    fn is_full(&self, cx: &Context, class: ClassId) -> bool {
        Bound::is_full(self, cx, class)
    }

    fn count(&mut self, cx: &mut Context, class: ClassId, fresh: Term) -> Term {
        Bound::count(self, cx, class, fresh)
    }
}

/// The fields of input objects, by the symbols that denote them.
pub trait Fields: Clone + Default + PartialEq + 'static {
    /// Whether a write through a choice wants the field of every symbol that it may denote to have a value.
    const REFINES_FIRST: bool;

    /// What keeps the input within its bounds.
    type Bounds: Bounds;

    /// The value of a field in the object that a symbol denotes, if it has one by now.
    fn value(&self, field: FieldId, symbol: Term) -> Option<Term>;

    /// Gives `symbol.field` its value. What is true of it in every input is added to `facts`.
    fn refine(
        heap: &mut Heap<Self>,
        cx: &mut Context,
        known: Option<&dyn Assumptions>,
        symbol: Term,
        field: FieldId,
        facts: &mut Term,
    );

    /// Writes a field of every input object that a reference, a symbol or a choice, may denote.
    fn write(heap: &mut Heap<Self>, cx: &mut Context, object: Term, field: FieldId, value: Term);

    /// The value that a field of an input object had before the program ran.
    fn initial(
        heap: &mut Heap<Self>,
        cx: &mut Context,
        known: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term;

    /// Whether nothing has been written since.
    fn is_unwritten(&self, before: &Self) -> bool;

    /// Whether any field of a symbol has a value.
    fn binds(&self, symbol: Term) -> bool;

    /// All values, with the symbols and the fields: for pictures.
    fn all(&self) -> Vec<(Term, FieldId, Term)>;
}
