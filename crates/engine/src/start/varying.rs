//! What differs from run to run: the time, the seeds of random numbers, the numbers of threads. Such a value may be passed on and calculated with;
//! a path on which something is decided by it stops, by name. Otherwise, if the user wants that, it is an input.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::table;
use crate::arith;
use crate::config::Varying;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Step, unsupported};

impl<M: HeapModel> Executor<'_, M> {
    /// A value that differs from run to run.
    pub(crate) fn varying(&mut self, state: &mut State<M::Heap>, what: &str, ty: Type) -> Step<Term> {
        if self.config.environment.varying == Varying::Unknown {
            self.only_on_path()?;
            return self.fresh_input(state, what, ty);
        }
        let name = match self.start.running.last_mut() {
            Some(running) => {
                running.varying += 1;
                let library = self.cx.library().expect("only Java has a machine");
                format!("{what} when {} was initialised, {}", library.class(running.class).name, running.varying)
            }
            None => {
                let vm = Rc::make_mut(&mut state.vm);
                vm.varying += 1;
                format!("{what}, {}", vm.varying)
            }
        };
        let value = self.name_varying(&name, what, ty);
        Ok(arith::widen(&mut self.cx.terms, ty, value))
    }

    fn name_varying(&mut self, name: &str, what: &str, ty: Type) -> Term {
        let value = self.cx.root_symbol(name, ty);
        let symbol = self.cx.terms.as_symbol(value).expect("a new name");
        self.cx.varying.insert(symbol, what.into());
        value
    }

    /// What a run for all paths has left in a static, unless that differs from run to run. The JDK's own initialisers go through sets in some order, which
    /// nobody sees afterwards: they have what was left there.
    pub(crate) fn unless_varying(&mut self, state: &mut State<M::Heap>, field: FieldId, value: Term) -> Step<Term> {
        let library = self.cx.library().expect("only Java has a machine");
        let declared = library.field(field);
        let Some(what) = table::varying(library.internal_name(declared.class), &declared.name) else {
            return Ok(value);
        };
        let in_library = self.start.running.last().is_some_and(|running| !self.is_program(running.class));
        if in_library || self.is_order_unseen(state) || self.goes_through_one(state)? {
            return Ok(value);
        }
        if self.config.environment.varying == Varying::Stops {
            return Ok(self.name_varying(&format!("{what} ({})", declared.name), what, declared.ty));
        }
        let value = self.varying(state, what, declared.ty)?;
        let value = arith::narrow(&mut self.cx.terms, declared.ty, value);
        Rc::make_mut(&mut state.vm).statics.insert(field, value);
        Ok(value)
    }

    /// Whether the order of a set is asked for by a part of the JDK that does not show it, without the program's doing.
    fn is_order_unseen(&self, state: &State<M::Heap>) -> bool {
        let library = self.cx.library().expect("only Java has sets");
        let classes = state.frames.iter().rev().filter_map(|frame| self.cx.program.method(frame.method).class);
        for class in classes {
            if table::hides_order(library.internal_name(class)) {
                return true;
            }
            if self.is_program(class) {
                return false;
            }
        }
        false
    }

    /// Whether the current method goes through a set of one element: its order is what it is.
    fn goes_through_one(&mut self, state: &mut State<M::Heap>) -> Step<bool> {
        let library = self.cx.library().expect("only Java has sets");
        let frame = *state.frames.last().expect("a running state has a frame");
        let is_iterator = |class: ClassId| library.internal_name(class) == "java/util/ImmutableCollections$Set12$1";
        if !self.cx.program.method(frame.method).class.is_some_and(is_iterator) {
            return Ok(false);
        }
        let [set, all] =
            ["java/util/ImmutableCollections$Set12", "java/util/ImmutableCollections"].map(|c| library.class_id(c));
        let iterator = library.class_id("java/util/ImmutableCollections$Set12$1");
        let fields = [(iterator, "this$0"), (set, "e1")].map(|(class, name)| self.cx.program.field_named(class, name));
        let empty = library.find_field(all, &"EMPTY".into(), &"Ljava/lang/Object;".into());
        let ([Some(outer), Some(second)], Some(empty)) = (fields, empty) else { return Ok(false) };
        let of = self.read(state, state.registers[frame.base as usize], outer)?;
        let second = self.read(state, of, second)?;
        Ok(self.static_so_far(state, empty) == Some(second))
    }

    /// Nothing is decided by what differs from run to run.
    #[inline]
    pub(crate) fn check_varying(&self) -> Step {
        if self.cx.varying.is_empty() {
            return Ok(());
        }
        for case in &self.cases.list {
            let symbols = self.cx.terms.symbols_of(case.guard);
            if let Some(what) = symbols.iter().find_map(|symbol| self.cx.varying.get(symbol)) {
                return unsupported(format!("a decision that depends on {what}, which differs from run to run,"));
            }
        }
        Ok(())
    }
}
