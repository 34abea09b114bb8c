//! What depends on the class of an object, and null: the same under every model, once it has said what a reference is.

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, Loading, MethodId, Selector};

use super::{Cases, Found, Memory};
use crate::context::Context;
use crate::outcome::NULL_POINTER;

/// The classes that an object may have, by its symbols and locations: intervals of numbers.
pub enum PossibleClasses {
    /// Just one: most objects are of this kind, and need no list.
    One(ClassId),
    Several(Vec<(u32, u32)>),
}

impl PossibleClasses {
    /// Of a symbol.
    #[inline]
    pub fn of_classes(classes: &[(u32, u32)]) -> PossibleClasses {
        match *classes {
            [(low, high)] if low == high => PossibleClasses::One(ClassId(low)),
            _ => PossibleClasses::Several(classes.to_vec()),
        }
    }

    fn intervals(&self) -> Vec<(u32, u32)> {
        match self {
            PossibleClasses::One(class) => vec![(class.0, class.0)],
            PossibleClasses::Several(intervals) => intervals.clone(),
        }
    }

    fn numbers(&self) -> impl Iterator<Item = u32> {
        let (one, several) = match self {
            PossibleClasses::One(class) => (Some((class.0, class.0)), &[][..]),
            PossibleClasses::Several(intervals) => (None, intervals.as_slice()),
        };
        one.into_iter().chain(several.iter().copied()).flat_map(|(low, high)| low..=high)
    }

    /// Every class once, in the order of their numbers.
    fn sorted(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.numbers().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The method that an object runs whatever class it has, if it does not depend on that; none if it has no such
    /// method.
    #[inline]
    fn sole_implementation(&self, cx: &Context, class: ClassId, selector: Selector) -> Option<Option<MethodId>> {
        let method_of = |number: u32| cx.program.selected(ClassId(number), class, selector);
        if let PossibleClasses::One(exact) = self {
            return Some(method_of(exact.0));
        }
        let mut numbers = self.numbers();
        let is_below = |number: u32| (class.0..=cx.program.class(class).last.0).contains(&number);
        let first = numbers.next().filter(|number| is_below(*number))?;
        let method = method_of(first)?;
        numbers.all(|number| is_below(number) && method_of(number) == Some(method)).then_some(Some(method))
    }

    /// The classes in the order in which their implementations are listed: in the tiny languages all those below the
    /// static type.
    fn of_static_type(&self, cx: &Context, class: ClassId) -> Vec<ClassId> {
        match cx.program.semantics.loading {
            Loading::Beforehand => (class.0..=cx.program.class(class).last.0).map(ClassId).collect(),
            Loading::OnDemand => self.sorted().into_iter().map(ClassId).collect(),
        }
    }
}

/// What instructions ask of the class of an object.
pub trait Classes: Memory {
    /// Whether a value is an object of a class: false for null.
    fn instance_of(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        value: Term,
        class: ClassId,
        cases: &mut Cases<Self::Change>,
    ) {
        let Some(seen) = self.look(cx, heap, value, false, cases) else { return };
        if seen.value.is_null() {
            return cases.only(Found::Value(Term::FALSE));
        }
        let possible = self.possible(cx, heap, seen.value).intervals();
        let below = cx.program.below(&possible, class);
        let is = self.instance(cx, heap, seen.value, &below);
        let both = cx.terms.and(seen.non_null, is);
        cases.bounded(cx, seen.bound, Found::Value(both));
    }

    /// The implementations that a call on `receiver` (of static type `class`) may run: one case for each, however many
    /// objects lead to it, and the null dereference.
    fn dispatch(
        &self,
        cx: &mut Context,
        heap: &mut Self::Heap,
        receiver: Term,
        class: ClassId,
        selector: Selector,
        cases: &mut Cases<Self::Change>,
    ) {
        let Some(seen) = self.look(cx, heap, receiver, true, cases) else { return };
        let possible = self.possible(cx, heap, seen.value);
        let is_sure = [seen.non_null, seen.bound, cases.definition] == [Term::TRUE; 3];
        if is_sure && let Some(method) = possible.sole_implementation(cx, class, selector) {
            return cases.only(Found::Method(method));
        }
        cases.loaded = seen.bound;
        let within = cx.terms.and(seen.non_null, seen.bound);
        let within = cx.terms.and(within, cases.definition);
        cases.exhaustive &= seen.bound == Term::TRUE;
        let mut found = Vec::new();
        let classes = possible.of_static_type(cx, class);
        for (method, intervals) in cx.program.implementations(classes.into_iter(), class, selector) {
            let is = self.instance(cx, heap, seen.value, &intervals);
            let guard = cx.terms.and(within, is);
            if guard != Term::FALSE {
                found.push((guard, method));
            }
        }
        let several = found.len() > 1;
        for (guard, method) in found {
            cases.push(guard, several, None, Found::Method(method));
        }
        let null = cx.terms.not(seen.non_null);
        cases.throw(cx, null, NULL_POINTER);
        cases.at_least_one();
    }

    /// Throws if the reference is null; its value is the reference, resolved.
    fn check_null(&self, cx: &mut Context, heap: &mut Self::Heap, value: Term, cases: &mut Cases<Self::Change>) {
        let Some(seen) = self.look(cx, heap, value, true, cases) else { return };
        cases.loaded = seen.bound;
        cases.checked(cx, seen.non_null, seen.bound, None, Found::Value(seen.value), NULL_POINTER);
    }

    /// The classes that the object of a reference may have, with their guards; null has none.
    fn classes(&self, cx: &mut Context, heap: &Self::Heap, value: Term) -> Vec<(ClassId, Term)> {
        let possible = self.possible(cx, heap, value).sorted();
        let classes = cx.program.in_order(possible.into_iter().map(ClassId));
        let guards = classes.into_iter().map(|class| (class, self.instance(cx, heap, value, &[(class.0, class.0)])));
        guards.filter(|(_, guard)| *guard != Term::FALSE).collect()
    }
}

impl<M: Memory> Classes for M {}
