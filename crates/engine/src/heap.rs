//! Heap models: what an unknown reference is, and what reading and writing through it does.
//!
//! A model *proposes* cases: a guard, a change of the heap that is applied only when the case is taken, and an effect. It never
//! forks and never touches the path condition. What does not depend on the case (naming an initial value that is
//! read for the first time) it may do to the heap at once.

mod allocated;
pub mod arrays;
mod bound;
mod cases;
mod choice;
pub mod lazy;
mod overlay;
pub mod pose;
pub mod summary;

use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Loading, MethodId, Selector, Type};

use crate::context::{Assumed, Context, InitialHeap, Reference, Resolution};
use crate::input::InputHeap;
use crate::witness::Witness;
use arrays::Arrays;
pub use cases::{Case, Cases, Found, Tell, Way};
pub use overlay::Overlay;

/// The classes in the order in which their implementations are listed: in the tiny languages all those below the static type.
fn static_classes(cx: &Context, possible: &[(u32, u32)], class: ClassId) -> Vec<ClassId> {
    match cx.program.semantics.loading {
        Loading::Beforehand => (class.0..=cx.program.class(class).last.0).map(ClassId).collect(),
        Loading::OnDemand => {
            let mut numbers: Vec<u32> = possible.iter().flat_map(|&(low, high)| low..=high).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers.into_iter().map(ClassId).collect()
        }
    }
}

/// The method that an object runs whatever class it has, if there is just one.
fn sole_implementation(cx: &Context, possible: &[(u32, u32)], class: ClassId, selector: Selector) -> Option<MethodId> {
    let mut numbers = possible.iter().flat_map(|&(low, high)| low..=high);
    let method_of = |number: u32| cx.program.class(ClassId(number)).methods.get(&selector).copied();
    let is_below = |number: u32| (class.0..=cx.program.class(class).last.0).contains(&number);
    let first = numbers.next().filter(|number| is_below(*number))?;
    let method = method_of(first)?;
    numbers.all(|number| is_below(number) && method_of(number) == Some(method)).then_some(method)
}

/// Every class of some intervals with its guard, without those that are impossible.
fn each_class(
    cx: &mut Context,
    possible: &[(u32, u32)],
    mut guard: impl FnMut(&mut Context, (u32, u32)) -> Term,
) -> Vec<(ClassId, Term)> {
    let mut numbers: Vec<u32> = possible.iter().flat_map(|&(low, high)| low..=high).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let classes = cx.program.in_order(numbers.into_iter().map(ClassId));
    let guards = classes.into_iter().map(|class| (class, guard(cx, (class.0, class.0))));
    guards.filter(|(_, guard)| *guard != Term::FALSE).collect()
}

/// A reference of an input object that was resolved: null, or an object. Objects have numbers.
#[derive(Clone, Copy, Debug)]
pub struct Resolved {
    pub holder: u32,
    pub field: FieldId,
    pub target: Option<u32>,
}

/// A heap model as memory: what reading, writing and comparing through an unknown reference does.
pub trait Memory {
    type Heap: Clone + InitialHeap;
    type Change;

    /// Whether references grow so large that they are simplified by what the path has decided before they are used.
    fn restricts(&self, _cx: &Context) -> bool {
        false
    }

    /// The heap before the first instruction.
    fn empty(&self) -> Self::Heap;

    /// The value of an input, known to be non-null if it is the entry's receiver.
    fn input(&self, cx: &mut Context, heap: &mut Self::Heap, symbol: Term, ty: Type, receiver: bool) -> Term;

    /// A new object with default fields.
    fn alloc(&self, cx: &mut Context, heap: &mut Self::Heap, class: ClassId) -> Term;

    /// Sets a field of a new object.
    fn preset(&self, cx: &mut Context, heap: &mut Self::Heap, object: Term, field: FieldId, value: Term);

    /// The symbol that names the object of a leaf (a symbol or a location, not null), if it is one of the input.
    fn input_symbol(&self, cx: &Context, heap: &Self::Heap, leaf: Term) -> Option<Symbol>;

    /// The elements of arrays.
    fn arrays<'h>(&self, heap: &'h mut Self::Heap) -> &'h mut Arrays;

    /// What was written into the objects that all paths share.
    fn shared<'h>(&self, heap: &'h mut Self::Heap) -> &'h mut Overlay;

    /// Whether there is nothing to do when the program reads a variable with this value.
    fn is_loaded(&self, _heap: &Self::Heap, _assumed: &Assumed, _value: Term) -> bool {
        false
    }

    /// The program reads a variable.
    fn load(&self, cx: &mut Context, heap: &mut Self::Heap, value: Term, cases: &mut Cases<Self::Change>);

    fn read(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        object: Term,
        field: FieldId,
        cases: &mut Cases<Self::Change>,
    );

    fn write(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        object: Term,
        field: FieldId,
        value: Term,
        cases: &mut Cases<Self::Change>,
    );

    /// Equality of references; `null` is a reference like any other.
    fn ref_eq(&self, cx: &mut Context, heap: &mut Self::Heap, a: Term, b: Term, cases: &mut Cases<Self::Change>);

    /// The condition that a resolved reference is null.
    fn is_null(&self, cx: &mut Context, heap: &Self::Heap, value: Term) -> Term;

    /// Whether a value is an object of a class: false for null.
    fn instance_of(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        value: Term,
        class: ClassId,
        cases: &mut Cases<Self::Change>,
    );

    /// The implementations that a call on `receiver` (of static type `class`) may run.
    fn dispatch(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        receiver: Term,
        class: ClassId,
        selector: Selector,
        cases: &mut Cases<Self::Change>,
    );

    /// Throws if the reference is null; its value is the reference, resolved.
    fn check_null(&self, cx: &mut Context, heap: &mut Self::Heap, value: Term, cases: &mut Cases<Self::Change>);

    /// The classes that the object of a reference may have, with their guards if it is resolved; null has none.
    fn classes(&self, cx: &mut Context, heap: &Self::Heap, value: Term) -> Vec<(ClassId, Term)>;

    /// Reads an element of a resolved array that is not null, within its bounds.
    fn array_read(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        array: Term,
        index: Term,
        element: Type,
        cases: &mut Cases<Self::Change>,
    );

    /// Likewise; the value may go there.
    fn array_write(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        array: Term,
        index: Term,
        value: Term,
        cases: &mut Cases<Self::Change>,
    );

    /// Carries out the change of a case that was taken.
    fn apply(&self, cx: &mut Context, heap: &mut Self::Heap, change: Self::Change);
}

/// What a heap stands for: inputs, texts, pictures. It changes nothing.
pub trait View: Memory {
    /// The concrete initial heap that a model of the path condition describes.
    fn witness(&self, cx: &mut Context, heap: &Self::Heap, model: &Model) -> Witness;

    /// The values that a concrete input heap gives to the symbols of a trace that ended with `heap`, if the choices that are
    /// not in the path condition are those of the input. The trace represents the input if its path condition holds there.
    fn represents(&self, cx: &Context, heap: &Self::Heap, input: &InputHeap) -> Option<Rc<Model>>;

    /// The choices made for input references that are not in the path condition, as text.
    fn choices(&self, cx: &Context, heap: &Self::Heap) -> Vec<String>;

    /// The text of a reference, with input objects by the path that leads to them.
    fn show(&self, cx: &mut Context, heap: &Self::Heap, value: Term) -> String;

    /// The heap, one line an object or field, as `--steps-trace` shows it.
    fn draw(&self, cx: &mut Context, heap: &Self::Heap) -> Vec<String>;
}

/// What only the models have that enumerate: there a reference is a constant as soon as it is looked at, and a heap is one partial input.
pub trait Partial: Memory {
    fn enumerates(&self) -> bool {
        false
    }

    /// What a change resolves a reference of the input to, if it does.
    fn resolution(&self, _change: &Self::Change) -> Option<Resolution> {
        None
    }

    /// The reference that a change resolves, which has a resolution.
    fn resolved(&self, _cx: &mut Context, _heap: &Self::Heap, _change: &Self::Change) -> Reference<'static> {
        unreachable!("the model does not enumerate")
    }

    /// Whether the field of an object has been initialised. A model that does not enumerate has a value for every field.
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

    /// The input objects that have been resolved, of those that `n` counts.
    fn objects_resolved(&self, _heap: &Self::Heap) -> u32 {
        0
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

/// A heap model: memory, a view of it, and what it has if it enumerates.
pub trait HeapModel: Memory + View + Partial {}

impl<M: Memory + View + Partial> HeapModel for M {}
