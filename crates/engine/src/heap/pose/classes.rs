//! The classes of what a reference may denote: a symbol has several, as its type allows; an object of the program has one.

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, MethodId, Selector, Type};

use super::Heap;
use crate::context::Context;

impl Heap {
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
    pub(super) fn possible_classes(&self, cx: &mut Context, object: Term) -> Vec<(u32, u32)> {
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
        classes
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

    /// The method that a call of an object runs, if it does not depend on its class.
    pub(super) fn sole_implementation(
        &self,
        cx: &Context,
        object: Term,
        class: ClassId,
        selector: Selector,
    ) -> Option<MethodId> {
        match (cx.terms.as_symbol(object), object.as_location()) {
            (Some(symbol), _) => {
                crate::heap::sole_implementation(cx, &cx.terms.symbol_info(symbol).classes, class, selector)
            }
            (_, Some(location)) => {
                let exact = self.allocated.class(cx, location).0;
                crate::heap::sole_implementation(cx, &[(exact, exact)], class, selector)
            }
            _ => None,
        }
    }
}
