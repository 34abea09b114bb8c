//! Heap models: what an unknown reference is, and what reading and writing through it does.
//!
//! A model *proposes* cases: a guard, a change of the heap that is applied only when the case is taken, and an effect.
//! It never forks and never touches the path condition. What does not depend on the case (naming an initial value that
//! is read for the first time) it may do to the heap at once.

mod allocated;
pub mod arrays;
mod bound;
mod cases;
mod choice;
mod classes;
pub mod lazy;
mod overlay;
pub mod pose;
pub mod summary;
#[cfg(test)]
mod testing;
mod writes;

use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};

use crate::completions::Shape;
use crate::context::{Assumed, Context, InitialHeap, Reference, Resolution};
use crate::input::InputHeap;
use crate::quota::Quota;
use crate::witness::Witness;
use arrays::Arrays;
pub use cases::{Case, Cases, Found, Tell, Way};
pub use classes::{Classes, PossibleClasses};
pub use overlay::Overlay;

/// A reference of an input object that was resolved: null, or an object. Objects have numbers.
#[derive(Clone, Copy, Debug)]
pub struct Resolved {
    pub holder: u32,
    pub field: FieldId,
    pub target: Option<u32>,
}

/// A reference that an operation looks at, resolved as far as the model resolves.
pub struct Seen {
    pub value: Term,
    /// Where it is not null.
    pub non_null: Term,
    /// The clause that keeps the input within its bounds.
    pub bound: Term,
}

/// What is said of an input before the program looks at it. The path has a clause for it as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// It is the receiver of the entry: an object.
    Receiver,
    /// It is not null.
    NotNull,
    Nothing,
}

/// A heap model as memory: what reading, writing and comparing through an unknown reference does. Where a reference
/// must be resolved first, an operation proposes how, and is carried out again.
pub trait Memory {
    type Heap: Clone + Default + PartialEq + InitialHeap;
    type Change;

    /// The value of an input.
    fn input(&self, cx: &mut Context, heap: &mut Self::Heap, symbol: Term, ty: Type, given: Given) -> Term;

    /// A new object with default fields.
    fn alloc(&self, cx: &mut Context, heap: &mut Self::Heap, class: ClassId) -> Term;

    /// Sets a field of a new object.
    fn preset(&self, cx: &mut Context, heap: &mut Self::Heap, object: Term, field: FieldId, value: Term);

    /// The program reads a variable.
    fn touch(&self, cx: &mut Context, heap: &mut Self::Heap, value: Term, cases: &mut Cases<Self::Change>);

    /// Reads a field; throws if the object is null.
    fn get(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        object: Term,
        field: FieldId,
        cases: &mut Cases<Self::Change>,
    );

    /// Writes a field; throws if the object is null.
    fn put(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        object: Term,
        field: FieldId,
        value: Term,
        cases: &mut Cases<Self::Change>,
    );

    /// Equality of references; `null` is a reference like any other.
    fn same(&self, cx: &mut Context, heap: &mut Self::Heap, a: Term, b: Term, cases: &mut Cases<Self::Change>);

    /// The condition that a resolved reference is null.
    fn is_null(&self, cx: &mut Context, heap: &Self::Heap, value: Term) -> Term;

    /// An instruction looks at a reference: to follow it, or to ask what it is. `None` after proposing how to resolve
    /// it.
    fn look(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        value: Term,
        follows: bool,
        cases: &mut Cases<Self::Change>,
    ) -> Option<Seen>;

    /// The classes that the object of a reference may have; null has none.
    fn possible(&self, cx: &mut Context, heap: &Self::Heap, value: Term) -> PossibleClasses;

    /// The condition that the object of a reference has one of the classes; of null it may be anything.
    fn instance(&self, cx: &mut Context, heap: &Self::Heap, value: Term, classes: &[(u32, u32)]) -> Term;

    /// What was written into the objects that all paths share.
    fn shared<'h>(&self, heap: &'h mut Self::Heap) -> &'h mut Overlay;

    /// Carries out the change of a case that was taken.
    fn apply(&self, cx: &mut Context, heap: &mut Self::Heap, change: Self::Change);

    /// Whether the program has written nothing since a heap was another. Where references are constants, nobody asks.
    fn is_unwritten(&self, _before: &Self::Heap, _now: &Self::Heap) -> bool {
        false
    }

    /// Whether references grow so large that they are simplified by what the path has decided before they are used.
    fn restricts(&self, _cx: &Context) -> bool {
        false
    }

    /// Whether there is nothing to do when the program reads a variable with this value.
    fn is_loaded(&self, _heap: &Self::Heap, _assumed: &Assumed, _value: Term) -> bool {
        false
    }
}

/// The elements of arrays.
pub trait Elements: Memory {
    fn arrays<'h>(&self, heap: &'h mut Self::Heap) -> &'h mut Arrays;

    /// The symbol that names the object of a leaf (a symbol or a location, not null), if it is one of the input.
    fn input_symbol(&self, cx: &Context, heap: &Self::Heap, leaf: Term) -> Option<Symbol>;

    /// Reads an element of a resolved array that is not null, within its bounds.
    fn element(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        array: Term,
        index: Term,
        element: Type,
        cases: &mut Cases<Self::Change>,
    );

    /// Writes one; the value may go there.
    fn set_element(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        array: Term,
        index: Term,
        value: Term,
        cases: &mut Cases<Self::Change>,
    );
}

/// What a heap stands for: inputs, texts, pictures. It changes nothing.
pub trait View: Memory {
    /// The concrete initial heap that a model of the path condition describes.
    fn witness(&self, cx: &mut Context, heap: &Self::Heap, model: &Model) -> Witness;

    /// The values that a concrete input heap gives to the symbols of a trace that ended with `heap`, if the choices
    /// that are not in the path condition are those of the input. The trace represents the input if its path condition
    /// holds there.
    fn represents(&self, cx: &Context, heap: &Self::Heap, input: &InputHeap) -> Option<Rc<Model>>;

    /// The choices made for input references that are not in the path condition, as text.
    fn choices(&self, cx: &Context, heap: &Self::Heap) -> Vec<String>;

    /// The text of a reference, with input objects by the path that leads to them.
    fn show(&self, cx: &mut Context, heap: &Self::Heap, value: Term) -> String;

    /// The heap, one line an object or field, as `--steps-trace` shows it.
    fn draw(&self, cx: &mut Context, heap: &Self::Heap) -> Vec<String>;
}

/// What only the models have that enumerate: there a reference is a constant as soon as it is looked at, and a heap is
/// one partial input.
pub trait Enumerating: Memory {
    fn enumerates(&self) -> bool {
        false
    }

    /// What a change resolves a reference of the input to, if it does.
    fn resolution(&self, _change: &Self::Change) -> Option<Resolution> {
        None
    }

    /// The reference that a change resolves, which has a resolution.
    fn reference(&self, _cx: &mut Context, _heap: &Self::Heap, _change: &Self::Change) -> Reference<'static> {
        unreachable!("the model does not enumerate")
    }

    /// Whether the field of an object has been initialised.
    fn is_resolved(
        &self,
        _cx: &mut Context,
        _heap: &mut Self::Heap,
        _object: Term,
        _field: FieldId,
        cases: &mut Cases<Self::Change>,
    ) {
        cases.only(Found::Value(Term::TRUE));
    }

    /// The input as far as it has been resolved, before the program wrote anything.
    fn partial_input(&self, _heap: &Self::Heap) -> Option<Self::Heap> {
        None
    }

    /// The input objects that have been resolved, of those that a quota counts.
    fn objects_resolved(&self, _cx: &Context, _heap: &Self::Heap, _quota: &Quota) -> u32 {
        0
    }

    /// The partial input as a graph, if it is one.
    fn shape(&self, _cx: &Context, _heap: &Self::Heap) -> Option<Shape> {
        None
    }

    /// The references of input objects that have been resolved, with their initial values.
    fn all_resolved(&self, _cx: &Context, _heap: &Self::Heap) -> Vec<Resolved> {
        Vec::new()
    }

    /// Whether a value is an input reference that has not been resolved.
    fn is_open(&self, _cx: &Context, _heap: &Self::Heap, _value: Term) -> bool {
        false
    }
}

/// A heap model: memory, arrays, a view of them, and what it has if it enumerates.
pub trait HeapModel: Memory + Elements + View + Enumerating + Classes {}

impl<M: Memory + Elements + View + Enumerating> HeapModel for M {}
