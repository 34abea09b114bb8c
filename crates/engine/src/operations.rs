//! The operations of the heap, as instructions and natives carry them out: each gives its value, or suspends the instruction until it is known
//! which of several it is.

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, MethodId, Selector, Type};

use crate::accesses::{READ, WRITTEN};
use crate::context::Context;
use crate::executor::Executor;
use crate::heap::{Cases, Found, HeapModel};
use crate::state::State;
use crate::suspend::{Step, unsupported};

impl<M: HeapModel> Executor<'_, M> {
    /// An operation of the heap model that gives a value.
    #[inline]
    fn value(
        &mut self,
        state: &mut State<M::Heap>,
        mut propose: impl FnMut(&M, &mut Context, &mut M::Heap, &mut Cases<M::Change>),
    ) -> Step<Term> {
        let found = self.operation(state, |executor, state| {
            propose(&executor.model, &mut executor.cx, &mut state.heap, &mut executor.cases);
        })?;
        match found {
            Found::Value(value) => Ok(value),
            other => unreachable!("the operation has a value: {other:?}"),
        }
    }

    /// Whether there is nothing to do when the program reads a variable with this value.
    #[inline]
    pub(crate) fn is_loaded(&self, state: &State<M::Heap>, value: Term) -> bool {
        self.model.is_loaded(&state.heap, &state.assumed, value)
    }

    /// The program reads a variable.
    pub(crate) fn load(&mut self, state: &mut State<M::Heap>, value: Term) -> Step<Term> {
        self.value(state, |model, cx, heap, cases| model.touch(cx, heap, value, cases))
    }

    /// Reads a field; throws if the object is null.
    #[inline]
    pub(crate) fn read(&mut self, state: &mut State<M::Heap>, object: Term, field: FieldId) -> Step<Term> {
        if !state.vm.untold.is_empty() || self.cx.shared.has_opaque() {
            self.look_into(state, object, field)?;
        }
        let value = self.value(state, |model, cx, heap, cases| model.get(cx, heap, object, field, cases))?;
        self.looked_into(state, object);
        self.accesses(state, object, field, READ);
        Ok(value)
    }

    /// Writes a field; throws if the object is null.
    pub(crate) fn write(
        &mut self,
        state: &mut State<M::Heap>,
        object: Term,
        field: FieldId,
        value: Term,
    ) -> Step<Term> {
        let value = self.value(state, |model, cx, heap, cases| model.put(cx, heap, object, field, value, cases))?;
        self.looked_into(state, object);
        self.accesses(state, object, field, WRITTEN);
        Ok(value)
    }

    /// Whether two references are equal, as a truth value.
    pub(crate) fn same(&mut self, state: &mut State<M::Heap>, a: Term, b: Term) -> Step<Term> {
        let equal = self.value(state, |model, cx, heap, cases| model.same(cx, heap, a, b, cases))?;
        if !a.is_null() && !b.is_null() {
            self.looked_into(state, a);
            self.looked_into(state, b);
            if self.cx.shared.is_used() {
                self.compared(state, a, b);
            }
        }
        match state.vm.boxes.is_empty() {
            true => Ok(equal),
            false => self.same_boxes(state, a, b, equal),
        }
    }

    /// Whether a reference denotes an object of a class, as a truth value.
    pub(crate) fn instance_of(&mut self, state: &mut State<M::Heap>, value: Term, class: ClassId) -> Step<Term> {
        let is = self.value(state, |model, cx, heap, cases| model.instance_of(cx, heap, value, class, cases))?;
        self.asked_class(state, value);
        Ok(is)
    }

    /// Whether the field of an object has been initialised, as a truth value.
    pub(crate) fn is_resolved(&mut self, state: &mut State<M::Heap>, object: Term, field: FieldId) -> Step<Term> {
        self.value(state, |model, cx, heap, cases| model.is_resolved(cx, heap, object, field, cases))
    }

    /// Throws if a reference is null; gives the reference, resolved.
    pub(crate) fn check_null(&mut self, state: &mut State<M::Heap>, value: Term) -> Step<Term> {
        self.value(state, |model, cx, heap, cases| model.check_null(cx, heap, value, cases))
    }

    /// Reads an element of an array that is not null, within its bounds.
    pub(crate) fn element(
        &mut self,
        state: &mut State<M::Heap>,
        array: Term,
        index: Term,
        element: Type,
    ) -> Step<Term> {
        self.value(state, |model, cx, heap, cases| model.element(cx, heap, array, index, element, cases))
    }

    /// Writes an element of an array that is not null, within its bounds; it may go there.
    pub(crate) fn set_element(&mut self, state: &mut State<M::Heap>, array: Term, index: Term, value: Term) -> Step {
        self.value(state, |model, cx, heap, cases| model.set_element(cx, heap, array, index, value, cases))?;
        Ok(())
    }

    /// The method that a call runs.
    pub(crate) fn dispatch(
        &mut self,
        state: &mut State<M::Heap>,
        receiver: Term,
        class: ClassId,
        selector: Selector,
    ) -> Step<MethodId> {
        let found = self.operation(state, |executor, state| {
            let (cx, heap, cases) = (&mut executor.cx, &mut state.heap, &mut executor.cases);
            executor.model.dispatch(cx, heap, receiver, class, selector, cases);
        })?;
        self.looked_into(state, receiver);
        match found {
            Found::Method(Some(method)) => Ok(method),
            Found::Method(None) => {
                let name = self.cx.program.selector_text(selector);
                unsupported(format!("a call of {name} on an object that does not have it"))
            }
            other => unreachable!("a call runs a method: {other:?}"),
        }
    }
}
