//! Loading references: what is told of them, and the clauses that come back. What is told of one that is loaded for
//! sure may wait until the program looks at it.

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId};

use super::fields::{Bounds, Fields};
use super::{Heap, Write};
use crate::context::{Assumptions, Context, InitialHeap, InputObject};
use crate::heap::{Cases, Found, Tell};

/// So many objects may hold a reference of which somebody is told.
const MOST_HOLDERS: usize = 8;

/// At so many places of an array it may stand.
const MOST_PLACES: usize = 3;

/// Whether it is known here that a reference is not null.
fn is_sure(cx: &mut Context, non_null: Term) -> bool {
    let is_known = |cx: &mut Context| cx.path.entails(&cx.terms, non_null) || cx.under_path(non_null) == Term::TRUE;
    non_null == Term::TRUE || cx.listens && is_known(cx)
}

impl<F: Fields> Heap<F> {
    /// A reference is loaded, if it is sure to be: the clause that keeps the input within the bounds, and possible.
    pub(super) fn bound(&mut self, cx: &mut Context, value: Term, is_sure: bool) -> Term {
        self.bound_where(cx, value, is_sure, Term::TRUE)
    }

    /// Likewise where the access that loads it succeeds.
    fn bound_where(&mut self, cx: &mut Context, value: Term, is_sure: bool, succeeds: Term) -> Term {
        if cx.listens {
            return cx.met(self, value, is_sure, succeeds);
        }
        if cx.k.is_none() && cx.quotas.is_empty() || cx.is_closed(value) {
            return Term::TRUE;
        }
        let mut bounds = Term::TRUE;
        for &(leaf, guard) in cx.terms.leaves(value).iter() {
            // The characters of a string belong to it: no bound speaks of them.
            if cx.terms.as_symbol(leaf).is_some() && !cx.terms.is_unique(leaf) {
                let loaded = cx.terms.and(guard, succeeds);
                let bound = self.bound.enter(cx, leaf, loaded);
                bounds = cx.terms.and(bounds, bound);
            }
        }
        bounds
    }

    /// A reference that can be just one thing is known as soon as it is read.
    pub(super) fn is_forced(&self, cx: &mut Context, value: Term, cases: &mut Cases<Write>) -> bool {
        let no_clause = [cases.loaded, cases.definition, cases.fact] == [Term::TRUE; 3];
        let Some(symbol) = cx.terms.as_symbol(value).filter(|_| no_clause) else { return false };
        let Some((what, opinion, known)) = cx.forced(self, value) else { return false };
        cases.push(Term::TRUE, false, None, Found::Value(known));
        let case = cases.list.last_mut().expect("just pushed");
        (case.tells, case.opinion) = (Tell::Seen(symbol, what), opinion);
        true
    }

    /// The clause for the holder of a field, and where it is not null. Where it may be null, what is in the field is
    /// not loaded for sure, but what was loaded before is: that is asked about first.
    pub(super) fn holder_bound(&mut self, cx: &mut Context, object: Term, bound: Term) -> (Term, Term) {
        let non_null = self.non_null(cx, object);
        if is_sure(cx, non_null) {
            cx.found(object);
            return (bound, Term::TRUE);
        }
        let before = cx.ask(self);
        (cx.terms.and(bound, before), non_null)
    }

    /// The clause for a reference that goes into or comes out of a field, where the holder is not null.
    pub(super) fn field_bound(&mut self, cx: &mut Context, field: FieldId, value: Term, non_null: Term) -> Term {
        if !cx.program.field(field).ty.is_ref() {
            return Term::TRUE;
        }
        let is_sure = is_sure(cx, non_null);
        let succeeds = if is_sure || !cx.program.semantics.catches_failures() { Term::TRUE } else { non_null };
        self.bound_where(cx, value, is_sure, succeeds)
    }

    /// Whether it is decided first that the holder of a reference is not null: where the access fails nothing is
    /// loaded, and what was told of it must not stay if the failure is caught.
    pub(super) fn is_checked_first(&self, cx: &mut Context, object: Term, field: FieldId, non_null: Term) -> bool {
        let is_ref = cx.program.field(field).ty.is_ref();
        let is_kept = is_ref && cx.listens && cx.program.semantics.catches_failures();
        is_kept && cx.terms.as_symbol(object).is_some() && !is_sure(cx, non_null)
    }

    /// Whether it is decided first which object it is whose reference is loaded: where somebody listens, what he says of the
    /// reference is a formula over all objects that may hold it, and these would be more with every step.
    pub(super) fn is_decided_first(
        &self,
        cx: &mut Context,
        object: Term,
        field: FieldId,
        cases: &mut Cases<Write>,
    ) -> bool {
        if !cx.listens || cx.terms.is_plain(object) || !cx.program.field(field).ty.is_ref() {
            return false;
        }
        let object = cx.under_path(object);
        let leaves = cx.terms.leaves(object);
        if leaves.len() <= MOST_HOLDERS {
            return false;
        }
        leaves.iter().for_each(|(_, guard)| cases.push(*guard, true, None, None));
        true
    }

    /// Likewise at which place a reference of an array stands: where that is one of several that were looked at.
    pub(super) fn is_placed_first(
        &mut self,
        cx: &mut Context,
        array: Term,
        index: Term,
        cases: &mut Cases<Write>,
    ) -> bool {
        if !cx.listens || cx.terms.as_symbol(array).is_none() || cx.terms.as_bits(index).is_some() {
            return false;
        }
        let (found, is_exhaustive) = self.arrays.possible(cx, array, index);
        let mut rest = Term::TRUE;
        let mut guards = Vec::with_capacity(found.len() + 1);
        for (here, _) in found {
            let first = cx.terms.and(rest, here);
            guards.push(cx.under_path(first));
            let elsewhere = cx.terms.not(here);
            rest = cx.terms.and(rest, elsewhere);
        }
        if !is_exhaustive {
            guards.push(cx.under_path(rest));
        }
        guards.retain(|guard| *guard != Term::FALSE);
        if guards.len() <= MOST_PLACES {
            return false;
        }
        guards.into_iter().for_each(|guard| cases.push(guard, true, None, None));
        true
    }

    /// An instruction looks at a reference: if it waits, it is decided first whether it is null.
    pub(super) fn looks_at(&self, cx: &mut Context, object: Term, cases: &mut Cases<Write>) -> bool {
        let Some(symbol) = cx.terms.as_symbol(object).filter(|_| cx.listens) else { return false };
        let Some(sides) = cx.looked_at(self, symbol) else { return false };
        cases.look(cx, object, symbol, sides);
        true
    }
}

impl<F: Fields> InitialHeap for Heap<F> {
    fn initial(
        &mut self,
        cx: &mut Context,
        known: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        F::initial(self, cx, known, object, field, facts)
    }

    fn reference(&self, object: InputObject) -> Term {
        object.symbol
    }

    fn has_room(&self, cx: &Context, symbol: Symbol) -> bool {
        !self.bound.is_full(cx, ClassId(cx.terms.symbol_info(symbol).classes[0].0))
    }

    fn entered(&mut self, cx: &mut Context, symbol: Symbol, guard: Term, fresh: Option<Term>) -> Term {
        match (cx.k, fresh) {
            (None, Some(fresh)) => self.bound.count(cx, ClassId(cx.terms.symbol_info(symbol).classes[0].0), fresh),
            (None, None) => Term::TRUE,
            (Some(_), _) => self.bound.enter(cx, cx.terms.symbol_info(symbol).term, guard),
        }
    }
}
