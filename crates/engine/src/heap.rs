//! Heap models: what an unknown reference is, and what reading and writing through it does.
//!
//! A model *proposes* cases: a guard, a change of the heap that is applied only when the case is taken, and an effect. It never
//! forks and never touches the path condition. What does not depend on the case (naming an initial value that is
//! read for the first time) it may do to the heap at once.

mod bound;
mod choice;
pub mod lazy;
pub mod pose;
pub mod summary;

use std::rc::Rc;

use lazuli_logic::{Model, Term};
use lazuli_program::ir::{ClassId, FieldId, MethodId, Selector, Type};

use crate::context::Context;
use crate::input::InputHeap;
use crate::witness::Witness;

/// Evaluates an expression with a maker of the heap model that a [`crate::HeapKind`] names: the one place that lists them.
macro_rules! with_heap_model {
    ($kind:expr, $program:expr, |$make:ident| $body:expr) => {{
        use $crate::config::HeapKind;
        use $crate::heap::{lazy::Lazy, lazy::When, pose::Pose, summary::Summary};
        let program = $program;
        match $kind {
            HeapKind::Lazy => {
                let $make = || Lazy::new(program, When::Load);
                $body
            }
            HeapKind::Lazier => {
                let $make = || Lazy::new(program, When::Use);
                $body
            }
            HeapKind::LazierSharp => {
                let $make = || Lazy::new(program, When::UseSharp);
                $body
            }
            HeapKind::UberLazy => {
                let $make = || Summary::new(program, true);
                $body
            }
            HeapKind::Summary => {
                let $make = || Summary::new(program, false);
                $body
            }
            HeapKind::Pose => {
                let $make = || Pose;
                $body
            }
        }
    }};
}
pub(crate) use with_heap_model;

/// What an instruction does in one case.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// It has this value (a write has the value written).
    Value(Term),
    Throw(&'static str),
    /// The heap has changed: execute the same instruction again.
    Again,
    /// Enter this method.
    Call(MethodId),
    /// Go on at this instruction.
    Goto(u32),
    /// An assertion does not hold.
    AssertFails,
}

/// One way on. The guards of one list are exhaustive and exclusive; where a model enumerates structurally (`lazy`), the
/// guards are trivial and the changes exclude each other.
pub struct Case<C> {
    pub guard: Term,
    /// Whether the papers count a query for it: alternatives of a reference and program branches, not implicit checks.
    pub counted: bool,
    pub change: Option<C>,
    pub effect: Effect,
}

/// The cases of one instruction. One buffer serves all instructions of a worker.
pub struct Cases<C> {
    pub list: Vec<Case<C>>,
    /// Whether the guards cover everything: not if a bound on the input cuts some of it off.
    pub exhaustive: bool,
    /// A clause about symbols that are new here; it goes with every case that does not throw. It can always be made true, so
    /// it takes nothing away.
    pub definition: Term,
}

impl<C> Default for Cases<C> {
    fn default() -> Self {
        Cases { list: Vec::new(), exhaustive: true, definition: Term::TRUE }
    }
}

impl<C> Cases<C> {
    pub fn push(&mut self, guard: Term, counted: bool, change: Option<C>, effect: Effect) {
        self.list.push(Case { guard, counted, change, effect });
    }

    /// Nothing to decide.
    pub fn only(&mut self, effect: Effect) {
        self.push(Term::TRUE, false, None, effect);
    }

    /// Starts the cases of the next instruction.
    pub fn clear(&mut self) {
        self.list.clear();
        self.exhaustive = true;
        self.definition = Term::TRUE;
    }

    /// Defines a new symbol: outside of `guard` it is null.
    pub fn define(&mut self, cx: &mut Context, guard: Term, is_null: Term) {
        let clause = cx.terms.or(guard, is_null);
        self.definition = cx.terms.and(self.definition, clause);
    }

    /// Nothing to decide, but the input stays within `bound`.
    pub fn bounded(&mut self, cx: &mut Context, bound: Term, effect: Effect) {
        self.exhaustive &= bound == Term::TRUE;
        let guard = cx.terms.and(bound, self.definition);
        self.push(guard, false, None, effect);
    }

    /// The access succeeds where `valid` holds (and the input is within `bound`), and throws elsewhere.
    pub fn checked(
        &mut self,
        cx: &mut Context,
        valid: Term,
        bound: Term,
        change: Option<C>,
        effect: Effect,
        exception: &'static str,
    ) {
        if valid != Term::FALSE {
            self.exhaustive &= bound == Term::TRUE;
            let guard = cx.terms.all([valid, bound, self.definition]);
            self.push(guard, false, change, effect);
        }
        let invalid = cx.terms.not(valid);
        if invalid != Term::FALSE {
            self.push(invalid, false, None, Effect::Throw(exception));
        }
    }
}

impl<C> Cases<C> {
    /// A reference that was just initialised: null, or not (uber-lazy).
    pub fn split_null(&mut self, cx: &mut Context, valid: Term, bound: Term, non_null: Term, value: Term) {
        self.exhaustive &= bound == Term::TRUE;
        let null = cx.terms.not(non_null);
        for (guard, value) in [(null, Term::NULL), (non_null, value)] {
            let guard = cx.terms.all([valid, bound, self.definition, guard]);
            if guard != Term::FALSE {
                self.push(guard, guard != Term::TRUE, None, Effect::Value(value));
            }
        }
    }

    /// One case for every implementation that a call may run, however many objects lead to it, and the null dereference.
    pub fn implementations(
        &mut self,
        cx: &mut Context,
        within: Term,
        valid: Term,
        class: ClassId,
        selector: Selector,
        mut class_guard: impl FnMut(&mut Context, &[(u32, u32)]) -> Term,
    ) {
        let mut possible = Vec::new();
        let within = cx.terms.and(within, self.definition);
        for (method, intervals) in cx.program.implementations(class, selector) {
            let is = class_guard(cx, &intervals);
            let guard = cx.terms.and(within, is);
            if guard != Term::FALSE {
                possible.push((guard, method.expect("checked by the front end")));
            }
        }
        let several = possible.len() > 1;
        for (guard, method) in possible {
            self.push(guard, several, None, Effect::Call(method));
        }
        let null = cx.terms.not(valid);
        if null != Term::FALSE {
            self.push(null, false, None, Effect::Throw(crate::outcome::NULL_POINTER));
        }
    }
}

/// For every class, the number of fields of the largest object of it or a subclass.
fn largest_layouts(program: &lazuli_program::Program) -> Vec<u32> {
    let largest = |id: usize| {
        let last = program.classes[id].last.index();
        program.classes[id..=last].iter().map(|c| c.layout.len() as u32).max().expect("a class is below itself")
    };
    (0..program.classes.len()).map(largest).collect()
}

pub trait HeapModel {
    type Heap: Clone;
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

    /// Carries out the change of a case that was taken.
    fn apply(&self, cx: &mut Context, heap: &mut Self::Heap, change: Self::Change);

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
