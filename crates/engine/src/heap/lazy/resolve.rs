//! Resolving references: what an unresolved one can be, and which of those known the element of an array is.

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::{ClassId, Type};

use super::{Binding, Change, Heap, Lazy, Place, Target};
use crate::context::Context;
use crate::heap::arrays::{Arrays, Before};
use crate::heap::{Cases, Found};
use crate::planted::Planted;
use crate::quota::Quota;
use crate::scope::LeftOut;

impl Lazy {
    /// Proposes what an unresolved reference can be.
    pub(super) fn resolve(&self, cx: &mut Context, heap: &Heap, place: Place, cases: &mut Cases<Change>) {
        let (symbol, depth, nullable) = match place {
            Place::Cell { object, field } => {
                let holder = heap.objects[object as usize];
                let symbol = cx.field_symbol(holder.origin.expect("an input object"), field);
                (cx.terms.as_symbol(symbol).expect("a symbol"), holder.depth + 1, true)
            }
            Place::Symbol(symbol) => {
                let nullable = heap.binding(symbol) != Some(Binding::NonNull);
                (symbol, heap.depth_of(cx, symbol), nullable || Planted::LazierSharpForgetsNonNull.here())
            }
        };
        // In a cell nothing else can see the choice, so the value is known at once; a symbol is looked up again.
        let found = |value: Term| match place {
            Place::Cell { .. } => Some(Found::Value(value)),
            Place::Symbol(_) => None,
        };
        let fresh = Term::location(heap.objects.len() as u32);
        if cx.terms.symbol_info(symbol).unique {
            return cases.push(Term::TRUE, false, Some(Change::bind(place, Target::Fresh)), found(fresh));
        }
        if nullable {
            cases.push(Term::TRUE, true, Some(Change::bind(place, Target::Null)), found(Term::NULL));
        }
        let choice = cx.choice(symbol);
        if !choice.as_ref().is_some_and(|choice| choice.is_closed) {
            self.resolve_to_known(cx, heap, symbol, cases, |index| {
                (Change::bind(place, Target::Alias(index)), found(Term::location(index)))
            });
        }
        let mut is_fresh = Term::TRUE;
        if let Some(choice) = &choice {
            // Not every class has a constant.
            cases.exhaustive = false;
            let term = cx.terms.symbol_info(symbol).term;
            for &(location, class) in &choice.objects {
                let is = cx.terms.class_in(term, class.0, class.0);
                if is != Term::FALSE {
                    let change = Change::bind(place, Target::Existing(location));
                    cases.push(is, true, Some(change), found(Term::location(location)));
                }
            }
            is_fresh = choice.open.as_ref().map_or(Term::TRUE, |open| cx.in_classes(term, open));
        }
        if is_fresh == Term::FALSE || choice.is_some_and(|choice| choice.is_closed) {
            // A case for each that there is: where nothing else can be, that is said too.
            return cases.at_least_one();
        }
        let within_k = cx.k.is_none_or(|k| depth <= k);
        let class = ClassId(cx.terms.symbol_info(symbol).classes[0].0);
        let fits = |quota: &Quota| !quota.counts(cx.program, class) || heap.number(cx, quota) < quota.most;
        let within_n = cx.quotas.iter().all(fits);
        if within_k && within_n {
            cases.push(is_fresh, true, Some(Change::bind(place, Target::Fresh)), found(fresh));
        } else {
            let beyond = if within_k { LeftOut::More } else { LeftOut::Deeper };
            cx.leave_out(beyond, Term::TRUE);
            cases.exhaustive = false;
        }
    }

    /// Proposes the input objects that an unresolved reference can be, by their classes.
    pub(super) fn resolve_to_known(
        &self,
        cx: &mut Context,
        heap: &Heap,
        symbol: Symbol,
        cases: &mut Cases<Change>,
        choose: impl Fn(u32) -> (Change, Option<Found>),
    ) {
        let declared = cx.declared_classes(symbol);
        let mut propose = |cx: &mut Context, index: u32| {
            let object = heap.objects[index as usize];
            let fits = match object.origin {
                Some(origin) => {
                    let info = cx.terms.symbol_info(origin);
                    match (&*declared, &*info.classes) {
                        _ if info.unique => return,
                        // The most frequent answers, without a question.
                        ([(low, high)], [(l, h)]) if h < low || high < l => return,
                        ([(low, high)], [(l, h)]) if low <= l && h <= high => Term::TRUE,
                        _ => cx.in_classes(info.term, &declared),
                    }
                }
                None => Term::bool(declared.iter().any(|&(low, high)| (low..=high).contains(&object.class.0))),
            };
            if fits != Term::FALSE {
                let (change, found) = choose(index);
                cases.push(fits, true, Some(change), found);
            }
        };
        if Planted::LazyAliasesAllocated.here() {
            (0..heap.objects.len() as u32).for_each(|index| propose(cx, index));
        } else if !Planted::LazyWithoutAliases.here() {
            heap.expanded.iter().for_each(|index| propose(cx, *index));
        }
    }

    /// The resolved value of a reference; `None` after proposing how to resolve it.
    pub(super) fn resolved(
        &self,
        cx: &mut Context,
        heap: &Heap,
        value: Term,
        cases: &mut Cases<Change>,
    ) -> Option<Term> {
        let Some(symbol) = cx.terms.as_symbol(value) else { return Some(value) };
        match heap.binding(symbol) {
            Some(Binding::To(value)) => Some(value),
            _ => {
                self.resolve(cx, heap, Place::Symbol(symbol), cases);
                None
            }
        }
    }

    /// An element of an array of references: which of those known it is, is decided here.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn read_reference(
        &self,
        cx: &mut Context,
        arrays: &mut Arrays,
        array: Term,
        before: Before,
        index: Term,
        element: Type,
        cases: &mut Cases<Change>,
    ) {
        let (found, exhaustive) = arrays.possible(cx, array, index);
        // Places side by side exclude each other anyhow; of many of them, all before each would be a term of quadratic size.
        let are_exclusive = arrays.dense(cx, array).is_some();
        let mut rest = Term::TRUE;
        for (here, value) in found {
            let guard = cx.terms.and(rest, here);
            if guard != Term::FALSE {
                cases.push(guard, guard != Term::TRUE, None, Found::Value(value));
            }
            if !are_exclusive {
                let elsewhere = cx.terms.not(here);
                rest = cx.terms.and(rest, elsewhere);
            }
        }
        if !exhaustive && rest != Term::FALSE {
            let value = match before {
                Before::Default(value) => value,
                Before::Unknown(holder) => {
                    arrays.name(cx, (array, Term::TRUE), holder, index, element, |_, symbol| symbol)
                }
            };
            cases.push(rest, rest != Term::TRUE, None, Found::Value(value));
        }
    }

    /// Comparison with null under `lazier#`: decides no more than that.
    pub(super) fn decide_null(&self, heap: &Heap, symbol: Symbol, cases: &mut Cases<Change>) {
        match heap.binding(symbol) {
            Some(Binding::NonNull) => cases.only(Found::Value(Term::FALSE)),
            Some(Binding::To(value)) => cases.only(Found::Value(Term::bool(value.is_null()))),
            None => {
                let null = Change::bind(Place::Symbol(symbol), Target::Null);
                cases.push(Term::TRUE, true, Some(null), Found::Value(Term::TRUE));
                cases.push(Term::TRUE, true, Some(Change::NonNull(symbol)), Found::Value(Term::FALSE));
            }
        }
    }
}
