//! What is assumed about the input on one path. A heap model tells what it loads and resolves, and hears what of it is
//! possible: a clause. Who listens is not its matter, nor what he remembers: the [`Assumptions`] are a part of the
//! state beside the heap. While an operation is carried out they are in the context, where the models find them.

use std::any::Any;
use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, MethodId};

use super::Context;

/// What a reference is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    Null,
    /// The object that this symbol or location names.
    Object(Term),
    /// It may still be several things.
    Open,
}

/// What a reference of the input is resolved to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resolution {
    Null,
    /// An object that was there before, by the number that it has with whoever proposes this.
    Object(u32),
    /// An object of its own.
    New,
    /// An object that exists before the entry, by its location.
    Existing(u32),
    /// Not null; which object it is stays open.
    NotNull,
}

/// What has been said already of a resolution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Opinion {
    #[default]
    Nothing,
    Excluded,
    /// Nothing is against it; what follows from it is another matter.
    Permitted,
    /// Nor does anything follow from it: nobody needs to be told.
    Settled,
}

/// A reference of the input.
pub struct Reference<'a> {
    /// Its symbol. Without one it has the name that the field of its holder gives it.
    pub symbol: Option<Term>,
    /// Its declared class.
    pub class: ClassId,
    pub holder: Holder<'a>,
    /// What the heap calls the object that it may be the first to denote; none if a bound leaves no room for one.
    pub object: Option<u32>,
}

/// What holds a reference. Objects are named by their numbers in the heap.
pub enum Holder<'a> {
    Input(Rc<str>),
    Field(u32, FieldId),
    /// One of these objects, where its guard holds.
    OneOf(&'a [(Term, u32)], FieldId),
    /// An array, at this index.
    Element(u32, Term),
}

/// An object of the input, as those speak of it who listen.
#[derive(Clone, Copy, Debug)]
pub struct InputObject {
    pub symbol: Term,
    /// Its declared class.
    pub class: ClassId,
    /// What the heap calls it.
    pub number: u32,
}

/// What those who listen ask a heap.
pub trait InitialHeap {
    /// The value that a primitive field of an object had before the program ran. What is true of it in every input is
    /// added to `facts`.
    fn initial(
        &mut self,
        cx: &mut Context,
        known: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term;

    /// An object as a value of the program.
    fn reference(&self, object: InputObject) -> Term;

    /// The input objects that a reference of a declared class may denote.
    fn candidates(&self, _cx: &Context, _class: ClassId) -> Vec<u32> {
        Vec::new()
    }

    /// Whether a bound leaves room for the object that a symbol may be the first to denote.
    fn has_room(&self, _cx: &Context, _symbol: Symbol) -> bool {
        true
    }

    /// A symbol was loaded where `guard` holds, and denotes an object of its own where `fresh` does. Gives the clause
    /// that keeps the input within its bounds.
    fn entered(&mut self, _cx: &mut Context, _symbol: Symbol, _guard: Term, _fresh: Option<Term>) -> Term {
        Term::TRUE
    }
}

/// A method that is to be executed where the guard holds.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub guard: Term,
    /// It waits until the path has decided this; what is true does not wait.
    pub until: Term,
    pub method: MethodId,
    pub arguments: [Option<Term>; 2],
    pub wanted: Wanted,
}

/// What a method that is called must give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// True, if it gives a truth value. What the method throws is told.
    Truth,
    /// This number; where it throws instead, there is no such input.
    Number(Term),
    /// A number, or a truth value for 0 and 1, that is negative, 0, or positive only where these hold; where it throws
    /// instead, there is no such input.
    Sign([Term; 3]),
}

impl Wanted {
    /// Whether the method asks something of an object that its class says in every state of the program. Such a call may
    /// be put off.
    pub fn can_wait(self) -> bool {
        self != Wanted::Truth
    }
}

/// One side of a decision about a reference that waits.
pub enum Side {
    /// It cannot be.
    Excluded,
    /// It is just this.
    Is(Resolution, Opinion),
    /// What it is, is as open as before.
    Open,
}

/// What the cases of an operation decide of references that wait.
pub enum Decided {
    Nothing,
    /// What this reference is, in each of two cases.
    Reference(Symbol, [Side; 2]),
    /// In this case everything that waits is asked about.
    AllIn(usize),
    /// Everything that waits was asked about before: this is what was said.
    All(Term),
}

/// What was assumed about the input on one path. A clause that it gives holds of every input that is possible; where
/// it cannot hold there is no path.
pub trait Assumptions: Any {
    fn copy(&self) -> Box<dyn Assumptions>;

    /// The receiver of the entry is an object of its own, under a model that does not enumerate.
    fn receive(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: Reference) -> Term;

    /// A model that enumerates proposes what a reference may be: what is to be said of each is noted.
    fn weigh(&mut self, cx: &mut Context, reference: &Reference, proposed: &mut [(Resolution, Opinion)]);

    /// A model that enumerates has resolved a reference.
    fn resolved(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: &Reference,
        what: Resolution,
        opinion: Opinion,
    ) -> Term;

    /// A reference may be several things from now on, where `guard` holds.
    fn loaded(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: &Reference, guard: Term) -> Term;

    /// A reference is loaded whose symbols say themselves where they stand; where it is not sure to be, where
    /// `succeeds` holds. One that is sure may wait until somebody looks at it.
    fn met(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, value: Term, is_sure: bool, succeeds: Term)
    -> Term;

    /// What a reference is known to be.
    fn told(&self, reference: Term) -> Told;

    /// Whether two references, not null, cannot denote one object.
    fn are_apart(&self, a: Term, b: Term) -> bool;

    /// The path has decided that a symbol is not null.
    fn found(&mut self, symbol: Term);

    /// What a reference must be that was never asked about, if only one thing is left, and its value then.
    fn forced(&mut self, cx: &mut Context, heap: &dyn InitialHeap, value: Term) -> Option<(Resolution, Opinion, Term)>;

    /// Whether a symbol waits: then it is decided first whether it is null, and what it is in either case.
    fn looked_at(&mut self, cx: &mut Context, heap: &dyn InitialHeap, symbol: Symbol) -> Option<[Side; 2]>;

    /// An operation is about to decide something: between these guards, if they are two.
    fn decided(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, guards: Option<[Term; 2]>) -> Decided;

    /// The path has decided what a reference is that waited.
    fn seen(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        symbol: Symbol,
        what: Resolution,
        opinion: Opinion,
    ) -> Term;

    /// Asks about everything that waits.
    fn ask(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap) -> Term;

    /// Takes the methods that are to be executed.
    fn take_calls(&mut self) -> Vec<Call>;

    /// Gives every object of a model that stands for a concrete input the name of the symbol that was the first to
    /// denote it.
    fn name_objects(&self, cx: &Context, model: &mut Rc<Model>);
}

/// The assumptions of a state, cloned with it.
#[derive(Default)]
pub struct Assumed(pub Option<Box<dyn Assumptions>>);

impl Assumed {
    /// See [`Assumptions::told`].
    #[inline]
    pub fn told(&self, reference: Term) -> Told {
        self.0.as_ref().map_or(Told::Open, |assumptions| assumptions.told(reference))
    }
}

impl Clone for Assumed {
    #[inline]
    fn clone(&self) -> Assumed {
        Assumed(self.0.as_ref().map(|assumptions| assumptions.copy()))
    }
}

/// What heap models tell and ask. Where nobody listens everything is possible, and nothing known.
impl Context<'_> {
    /// Something is told, and the clause that comes back.
    fn tell(&mut self, tell: impl FnOnce(&mut Self, &mut dyn Assumptions) -> Term) -> Term {
        let Some(mut assumptions) = self.assumed.0.take() else { return Term::TRUE };
        let clause = tell(self, &mut *assumptions);
        self.assumed.0 = Some(assumptions);
        clause
    }

    /// See [`Assumptions::loaded`].
    pub fn loaded(&mut self, heap: &mut dyn InitialHeap, reference: &Reference, guard: Term) -> Term {
        self.tell(|cx, assumptions| assumptions.loaded(cx, heap, reference, guard))
    }

    /// See [`Assumptions::met`].
    pub fn met(&mut self, heap: &mut dyn InitialHeap, value: Term, is_sure: bool, succeeds: Term) -> Term {
        self.tell(|cx, assumptions| assumptions.met(cx, heap, value, is_sure, succeeds))
    }

    /// See [`Assumptions::ask`].
    pub fn ask(&mut self, heap: &mut dyn InitialHeap) -> Term {
        self.tell(|cx, assumptions| assumptions.ask(cx, heap))
    }

    /// See [`Assumptions::told`].
    #[inline]
    pub fn told(&self, reference: Term) -> Told {
        self.assumed.told(reference)
    }

    /// What a reference is known to be, as a term: the reference itself if it may still be several things.
    pub fn known(&self, reference: Term) -> Term {
        match self.told(reference) {
            Told::Null => Term::NULL,
            Told::Object(object) => object,
            Told::Open => reference,
        }
    }

    /// See [`Assumptions::are_apart`].
    pub fn are_apart(&self, a: Term, b: Term) -> bool {
        self.assumed.0.as_ref().is_some_and(|assumptions| assumptions.are_apart(a, b))
    }

    /// See [`Assumptions::found`].
    pub fn found(&mut self, symbol: Term) {
        if let Some(assumptions) = &mut self.assumed.0 {
            assumptions.found(symbol);
        }
    }

    /// See [`Assumptions::forced`].
    pub fn forced(&mut self, heap: &dyn InitialHeap, value: Term) -> Option<(Resolution, Opinion, Term)> {
        let mut assumptions = self.assumed.0.take()?;
        let forced = assumptions.forced(self, heap, value);
        self.assumed.0 = Some(assumptions);
        forced
    }

    /// See [`Assumptions::looked_at`].
    pub fn looked_at(&mut self, heap: &dyn InitialHeap, symbol: Symbol) -> Option<[Side; 2]> {
        let mut assumptions = self.assumed.0.take()?;
        let sides = assumptions.looked_at(self, heap, symbol);
        self.assumed.0 = Some(assumptions);
        sides
    }
}
