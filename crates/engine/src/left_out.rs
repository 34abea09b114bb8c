//! Asking whether inputs were left out: see [`crate::scope`].
//!
//! Whoever keeps an input within a bound says so where the bound enters a path, before its clause does
//! ([`crate::context::Context::leave_out`]): then it is asked whether inputs beyond it exist there, until one was found. At the end of a path it would
//! be too late: where the program itself asks whether the bound is exceeded, the side that the bound excludes has no trace, and the other one is no
//! wider without the bound.

use lazuli_logic::{PathCondition, Symbol, Term, Verdict};
use lazuli_program::ir::{ClassId, FieldId};
use lazuli_program::library::OBJECT;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::known::is_value_class;
use crate::scope::LeftOut;
use crate::shared::is_shared;
use crate::state::State;

impl<M: HeapModel> Executor<'_, M> {
    /// Asks whether there are inputs on a path that bounds are about to leave out. What the solver does not know may be one.
    pub(crate) fn ask_left_out(&mut self, path: &PathCondition) {
        // A trial has bounds of its own, and looks at no input that the program does not look at.
        let asked = std::mem::take(&mut self.cx.leaving_out);
        for (what, guard) in asked.into_iter().filter(|_| !self.trials.running) {
            if self.cx.scope.left_out.contains(&what) {
                continue;
            }
            // A solver of its own: what the program's questions cost does not depend on this one.
            let exists =
                guard == Term::TRUE || !matches!(self.bystander.check(&mut self.cx.terms, path, guard), Verdict::Unsat);
            if exists {
                self.cx.scope.left_out.insert(what);
            }
        }
    }

    /// The program has looked into the object of a reference, or at which one it is: if it is an input of a type that may have other classes, these
    /// were left out.
    #[inline]
    pub(crate) fn looked_into(&mut self, state: &State<M::Heap>, value: Term) {
        if self.cx.has_open_types() {
            self.leave_out_classes(state, value);
        }
    }

    /// The program has compared two references: where one is an object that exists before the entry and the other an input, the input might be that
    /// one, and should have been offered it.
    pub(crate) fn compared(&mut self, state: &State<M::Heap>, a: Term, b: Term) {
        if self.runs_for_all() {
            return;
        }
        for (existing, input) in [(a, b), (b, a)] {
            let shared = |term: Term| term.as_location().filter(|location| is_shared(*location));
            let leaves = self.cx.terms.leaves(existing);
            let mut locations: Vec<u32> = leaves.iter().filter_map(|(leaf, _)| shared(*leaf)).collect();
            locations.retain(|location| !self.cx.is_offered(*location));
            self.compared_on_path(state, &leaves, input);
            for location in locations {
                let class = self.cx.shared.class(location);
                let may_be = self.input_symbols(state, input).iter().any(|symbol| self.cx.may_be(*symbol, class));
                if may_be && !self.compares_values(state, class) {
                    self.want(location, class);
                }
            }
        }
    }

    /// Objects of the path stand for some that exist before the entry: what initialisers made that depend on the path, and boxes of unknown numbers,
    /// which the cache may have. These are never inputs.
    fn compared_on_path(&mut self, state: &State<M::Heap>, leaves: &[(Term, Term)], input: Term) {
        let library = self.cx.library().expect("only Java has objects that exist before");
        for &(leaf, _) in leaves.iter().filter(|(leaf, _)| leaf.as_location().is_some_and(|at| !is_shared(at))) {
            let is_held = |(field, value): (&FieldId, &Term)| *value == leaf && library.is_final(*field);
            if !state.vm.boxes.contains_key(&leaf) && !state.vm.statics.iter().any(is_held) {
                continue;
            }
            let classes = self.model.classes(&mut self.cx, &state.heap, leaf);
            let Some(&(class, _)) = classes.first() else { continue };
            let may_be = self.input_symbols(state, input).iter().any(|symbol| self.cx.may_be(*symbol, class));
            if may_be && !self.compares_values(state, class) {
                let class = self.cx.program.class(class).name.clone();
                self.cx.scope.left_out.insert(LeftOut::Existing { class });
            }
        }
    }

    /// An object that exists before the entry was left out; the next time it may be an input, if it has a name.
    pub(crate) fn want(&mut self, location: u32, class: ClassId) {
        if !self.start.compared.insert(location) || self.is_mark(location, class) {
            return;
        }
        let name = self.name_existing(location).filter(|name| !self.config.offered.objects.contains(name));
        if let Some(name) = name.filter(|_| !self.cx.listens) {
            self.cx.scope.wanted.objects.insert(name);
        }
        let class = self.cx.program.class(class).name.clone();
        self.cx.scope.left_out.insert(LeftOut::Existing { class });
    }

    /// Whether an object is a plain `Object` that an initialiser of the JDK made: it marks something in there, and is handed to nobody.
    fn is_mark(&self, location: u32, class: ClassId) -> bool {
        let maker = self.cx.shared.maker_of(location).map(|maker| self.start.makers[maker as usize]);
        class == OBJECT && maker.is_some_and(|maker| !self.is_program(maker))
    }

    /// The JDK asks whether two strings or boxes are the same only to be faster: what it does does not depend on it.
    fn compares_values(&self, state: &State<M::Heap>, class: ClassId) -> bool {
        let library = self.cx.library().expect("only Java has objects that exist before");
        let is_value = is_value_class(library.internal_name(class));
        let method = state.frames.last().and_then(|frame| self.cx.program.method(frame.method).class);
        let in_program = method.is_some_and(|class| self.is_program(class));
        is_value && !in_program
    }

    /// The program has asked for the class of an object, or where its class matters: also of an array, which has its declared class as an input.
    pub(crate) fn asked_class(&mut self, state: &State<M::Heap>, value: Term) {
        self.looked_into(state, value);
        if self.cx.program.semantics.loads_classes() {
            for symbol in self.input_symbols(state, value) {
                self.cx.leave_out_other_arrays(symbol);
            }
        }
    }

    fn leave_out_classes(&mut self, state: &State<M::Heap>, value: Term) {
        for symbol in self.input_symbols(state, value) {
            self.cx.leave_out_other_classes(symbol);
        }
    }

    /// The symbols of the input objects that a reference may denote.
    pub(crate) fn input_symbols(&mut self, state: &State<M::Heap>, value: Term) -> Vec<Symbol> {
        let leaves = self.cx.terms.leaves(value);
        let symbol = |&(leaf, _): &(Term, Term)| {
            let of_object = || self.model.input_symbol(&self.cx, &state.heap, leaf);
            if leaf.is_null() { None } else { of_object().or_else(|| self.cx.terms.as_symbol(leaf)) }
        };
        leaves.iter().filter_map(symbol).collect()
    }
}
