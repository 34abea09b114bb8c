//! The classes of what a reference may denote: a symbol has several, as its type allows; an object of the program has one.

use lazuli_logic::Term;
use lazuli_program::ir::Type;

use super::Heap;
use super::fields::Fields;
use crate::context::Context;
use crate::heap::PossibleClasses;

impl<F: Fields> Heap<F> {
    /// The condition that the object a reference denotes has one of the classes; on null it may be anything.
    pub(super) fn class_guard(&self, cx: &mut Context, object: Term, intervals: &[(u32, u32)]) -> Term {
        let mut cases = Vec::new();
        for &(leaf, guard) in cx.terms.leaves(object).iter() {
            let is = match (cx.terms.as_symbol(leaf), leaf.as_location()) {
                (Some(_), _) => cx.in_classes(leaf, intervals),
                (_, Some(location)) => {
                    let class = self.allocated.class(cx, location).0;
                    Term::bool(intervals.iter().any(|&(low, high)| (low..=high).contains(&class)))
                }
                _ => Term::TRUE,
            };
            cases.push(cx.terms.and(guard, is));
        }
        cx.terms.any(cases)
    }

    /// The classes that an object may have: those of the leaves.
    pub(super) fn possible(&self, cx: &mut Context, object: Term) -> PossibleClasses {
        match (cx.terms.as_symbol(object), object.as_location()) {
            (Some(symbol), _) => return PossibleClasses::of_classes(&cx.terms.symbol_info(symbol).classes),
            (_, Some(location)) => return PossibleClasses::One(self.allocated.class(cx, location)),
            _ => {}
        }
        let mut classes = Vec::new();
        for &(leaf, _) in cx.terms.leaves(object).iter() {
            match (cx.terms.as_symbol(leaf), leaf.as_location()) {
                (Some(symbol), _) => classes.extend(cx.terms.symbol_info(symbol).classes.iter()),
                (_, Some(location)) => {
                    classes.push((self.allocated.class(cx, location).0, self.allocated.class(cx, location).0))
                }
                _ => {}
            }
        }
        PossibleClasses::Several(classes)
    }

    /// The type of the elements of a leaf: more exactly than the instruction knows. `None` if it is no such array.
    pub(super) fn element_type(&self, cx: &Context, leaf: Term, asked: Type) -> Option<Type> {
        match (cx.terms.as_symbol(leaf), leaf.as_location()) {
            (Some(symbol), _) => crate::java::element_among(cx, &cx.terms.symbol_info(symbol).classes, asked),
            (_, Some(location)) => {
                let element = cx.element_of(self.allocated.class(cx, location));
                element.filter(|element| element.is_ref() == asked.is_ref())
            }
            _ => None,
        }
    }
}
