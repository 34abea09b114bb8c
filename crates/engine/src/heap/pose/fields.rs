//! What a representation of the fields of input objects is. The objects of the program have their fields elsewhere.

use lazuli_logic::Term;
use lazuli_program::ir::FieldId;

use super::Heap;
use crate::context::{Assumptions, Context, InputObject};

/// The fields of input objects, by the symbols that denote them.
pub trait Fields: Clone + Default + PartialEq + 'static {
    /// Whether a write through a choice wants the field of every symbol that it may denote to have a value.
    const REFINES_FIRST: bool;

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

    /// Whether any field of a symbol has a value.
    fn binds(&self, symbol: Term) -> bool;

    /// All values, with the symbols and the fields: for pictures.
    fn all(&self) -> Vec<(Term, FieldId, Term)>;
}
