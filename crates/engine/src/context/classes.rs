//! Which classes the objects may have that symbols denote, and which of them are left out.

use std::rc::Rc;

use lazuli_logic::{ClassSet, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::ClosedWorld;

use super::Context;
use crate::scope::LeftOut;

impl Context<'_> {
    /// Whether there are types of inputs that could have other classes, and nobody has looked into one.
    #[inline]
    pub(crate) fn has_open_types(&self) -> bool {
        !self.open_types.is_empty() || self.has_chosen()
    }

    /// The program has looked into the object that a symbol denotes: if it could have other classes, these are left out.
    pub(crate) fn leave_out_other_classes(&mut self, symbol: Symbol) {
        if let Some(others) = self.chosen_variable(symbol) {
            self.scope.left_out.insert(others);
            return;
        }
        let declared = self.declared_class(symbol);
        // What the user says of a field holds for that field.
        let usual = self.shape_of(symbol).is_some()
            || self.classes.get(&declared).is_some_and(|usual| **usual == *self.terms.symbol_info(symbol).classes);
        if usual && let Some(others) = self.open_types.remove(&declared) {
            let others = self.taken_of_shape(symbol).unwrap_or(others);
            self.scope.left_out.insert(others);
        }
    }

    /// The class of the array that a symbol denotes, if it is one, matters to the program: an array of a subclass's objects is left out.
    pub(crate) fn leave_out_other_arrays(&mut self, symbol: Symbol) {
        let array = self.declared_class(symbol);
        if self.program.has_subarrays(array) {
            let of = self.program.class(array).name.clone();
            let left_out = LeftOut::OtherClasses { taken: vec![of.clone()], of, more: false };
            self.scope.left_out.insert(left_out);
        }
    }

    /// The classes that an input of a declared type may have.
    pub fn class_set(&mut self, ty: Type) -> ClassSet {
        let Type::Ref(class) = ty else { return Rc::from([]) };
        if let Some(classes) = self.classes.get(&class) {
            return classes.clone();
        }
        let classes: ClassSet = match self.exact && self.program.is_instantiable(class) {
            true => Rc::from([(class.0, class.0)]),
            false => self.program.input_classes(class).into(),
        };
        if let Some(ClosedWorld { of, taken, more }) = self.program.closed_world(class) {
            self.open_types.insert(class, LeftOut::OtherClasses { of, taken, more });
        }
        self.classes.insert(class, classes.clone());
        classes
    }

    pub(super) fn field_class_set(&mut self, field: FieldId) -> ClassSet {
        if let Some(Some(classes)) = self.field_classes.get(field.index()) {
            return classes.clone();
        }
        let chosen = self.program.chosen_for_field(field);
        let classes = chosen.map_or_else(|| self.class_set(self.program.field(field).ty), Rc::from);
        if self.field_classes.len() <= field.index() {
            self.field_classes.resize(field.index() + 1, None);
        }
        self.field_classes[field.index()] = Some(classes.clone());
        classes
    }

    /// The condition that the object a symbol denotes is of a class or its subclasses.
    pub fn is_class(&mut self, symbol: Term, class: ClassId) -> Term {
        let possible = self.classes_of_symbol(symbol);
        let intervals = self.below(&possible, class);
        self.in_classes(symbol, &intervals)
    }

    /// Of the classes of a symbol, those that are a class or below it. An input may be of any class of a large library, and is asked about
    /// often.
    fn below(&self, possible: &ClassSet, class: ClassId) -> ClassSet {
        let mut known = self.below.borrow_mut();
        let (_, found) = known
            .entry((possible.as_ptr(), class))
            .or_insert_with(|| (possible.clone(), self.program.below(possible, class).into()));
        found.clone()
    }

    /// The classes of a symbol's declared type: `--exact-types` does not keep a reference from denoting an object that was met as one
    /// of a subclass.
    pub fn declared_classes(&mut self, symbol: Symbol) -> ClassSet {
        let classes = self.terms.symbol_info(symbol).classes.clone();
        if !self.exact {
            return classes;
        }
        let declared = ClassId(classes[0].0);
        let inexact = || self.program.input_classes(declared).into();
        self.declared.entry(declared).or_insert_with(inexact).clone()
    }

    pub fn classes_of_symbol(&self, symbol: Term) -> ClassSet {
        let symbol = self.terms.as_symbol(symbol).expect("a class test is about an input symbol");
        self.terms.symbol_info(symbol).classes.clone()
    }

    /// Whether the object that a symbol denotes can be of a class at all.
    pub fn may_be(&self, symbol: Symbol, class: ClassId) -> bool {
        let possible = &self.terms.symbol_info(symbol).classes;
        let wanted = self.below(possible, class);
        possible.iter().any(|&(low, high)| wanted.iter().any(|&(l, h)| low <= h && l <= high))
    }

    /// Whether two symbols can denote one object, by their classes.
    pub fn may_alias(&self, a: Symbol, b: Symbol) -> bool {
        let (a, b) = (&self.terms.symbol_info(a).classes, &self.terms.symbol_info(b).classes);
        a.iter().any(|&(l, h)| b.iter().any(|&(m, i)| l <= i && m <= h))
    }

    /// Likewise for a list of intervals of class numbers.
    pub fn in_classes(&mut self, symbol: Term, intervals: &[(u32, u32)]) -> Term {
        if let [(low, high)] = *intervals {
            return self.terms.class_in(symbol, low, high);
        }
        let parts: Vec<Term> = intervals.iter().map(|&(low, high)| self.terms.class_in(symbol, low, high)).collect();
        self.terms.any(parts)
    }
}
