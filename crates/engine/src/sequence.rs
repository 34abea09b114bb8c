//! Calls on constants, one after the other, on objects that they make: what public calls can build is found out by making them.

use lazuli_logic::Term;
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, MethodId};

use crate::concrete::Session;
use crate::config::Config;
use crate::heap::Memory;
use crate::heap::lazy::Heap;
use crate::snapshot::reached;
use crate::state::State;
use crate::witness::WitnessObject;

/// A machine on which calls are tried.
pub struct Calls<'p>(Session<'p>);

/// An object after some calls, with the whole heap that it is in.
#[derive(Clone)]
pub struct Reached {
    state: State<Heap>,
    object: Term,
}

impl<'p> Calls<'p> {
    pub fn new(program: &'p Program, config: &'p Config, entry: MethodId) -> Calls<'p> {
        Calls(Session::new(program, config, entry))
    }

    /// The object that a constructor makes; nothing where it throws or cannot be followed. Arguments are written as
    /// [`crate::concrete::call`] has them.
    pub fn construct(&mut self, class: ClassId, descriptor: &str, args: &[String]) -> Option<Reached> {
        let Calls(session) = self;
        session.state = State::new(Heap::default(), Default::default());
        let constructor = session.library.declared_method(class, "<init>", descriptor)?;
        let object = session.executor.model.alloc(&mut session.executor.cx, &mut session.state.heap, class);
        self.run(constructor, Some(object), args)?;
        Some(Reached { state: self.0.state.clone(), object })
    }

    /// The object that a static method gives.
    pub fn give(&mut self, class: ClassId, name: &str, descriptor: &str, args: &[String]) -> Option<Reached> {
        self.0.state = State::new(Heap::default(), Default::default());
        let method = self.0.library.declared_method(class, name, descriptor)?;
        let object = self.run(method, None, args)?;
        object.as_location()?;
        Some(Reached { state: self.0.state.clone(), object })
    }

    /// The same object after a method of it was called.
    pub fn call(
        &mut self,
        before: &Reached,
        class: ClassId,
        name: &str,
        descriptor: &str,
        args: &[String],
    ) -> Option<Reached> {
        self.0.state = before.state.clone();
        let method = self.0.library.declared_method(class, name, descriptor)?;
        self.run(method, Some(before.object), args)?;
        Some(Reached { state: self.0.state.clone(), object: before.object })
    }

    /// What such an object looks like: it is the first of those that can be reached from it.
    pub fn look(&mut self, at: &Reached) -> Vec<WitnessObject> {
        self.0.state = at.state.clone();
        reached(&mut self.0.executor, &mut self.0.state, at.object)
    }

    fn run(&mut self, method: MethodId, receiver: Option<Term>, args: &[String]) -> Option<Term> {
        let Calls(session) = self;
        session.state.steps = 0;
        let types = session.library.declared(method).parameters.clone();
        let own = types.len().checked_sub(args.len())?;
        let mut all: Vec<Term> = receiver.into_iter().collect();
        for (text, ty) in args.iter().zip(&types[own..]) {
            all.push(session.value(text, *ty).ok()?);
        }
        session.run(method, &all).ok()
    }
}
