//! The printed rules where they differ from the corrected ones, to see that the exactness check tells them apart: see
//! [`Planted`]. Nobody comes here unless the error is planted.

use std::rc::Rc;

use lazuli_logic::{Node, Sort, Term};
use lazuli_program::ir::{ClassId, FieldId};

use super::{Cell, Heap, Summary, Write};
use crate::context::Context;
use crate::heap::{Cases, Found};
use crate::planted::Planted;

impl Summary {
    /// φ'g is computed and then forgotten.
    pub(super) fn forget_null_check(&self, cx: &mut Context, valid: Term, bound: Term, cases: &mut Cases<Write>) {
        if Planted::SummaryForgetsNullCheck.here() && !self.uber_lazy && valid != Term::FALSE {
            cases.list[0].guard = cx.terms.and(bound, cases.definition);
        }
    }

    /// The false side as Σ ∧ ⋀(φ0 ∧ ¬φ1) over the common locations.
    pub(super) fn equal_by_conjunction(
        &self,
        cx: &mut Context,
        [a, b]: [Term; 2],
        equal: Term,
        cases: &mut Cases<Write>,
    ) {
        let mut differ = Term::TRUE;
        for &(leaf, guard) in cx.terms.leaves(a).iter() {
            if let Some(&(_, other)) = cx.terms.leaves(b).iter().find(|(l, _)| *l == leaf) {
                let not_other = cx.terms.not(other);
                differ = cx.terms.all([differ, guard, not_other]);
            }
        }
        cases.exhaustive = false;
        for (guard, value) in [(equal, Term::TRUE), (differ, Term::FALSE)] {
            let guard = cx.terms.and(guard, cases.definition);
            cases.push(guard, false, None, Found::Value(value));
        }
    }
}

impl Heap {
    /// A write through a set that was not merged: every occurrence of a location starts from the value before the write.
    pub(super) fn write_unmerged(&mut self, cx: &mut Context, object: Term, field: FieldId, value: Term) {
        let before = self.cells.clone();
        let mut occurrences = vec![(object, Term::TRUE)];
        while let Some((reference, guard)) = occurrences.pop() {
            if let Some(&Node::Ite(condition, a, b)) = cx.terms.node(reference) {
                let otherwise = cx.terms.not(condition);
                occurrences.push((a, cx.terms.and(guard, condition)));
                occurrences.push((b, cx.terms.and(guard, otherwise)));
                continue;
            }
            let Some(location) = reference.as_location().filter(|l| self.may_have(cx, *l, field)) else { continue };
            let at = self.cell(cx, location, field);
            let Cell { open, value: old } = before.get(at).copied().unwrap_or(Cell::OPEN);
            let value = if open == Term::TRUE { value } else { cx.terms.ite(guard, value, old) };
            let open = self.still_open(cx, location, open, guard);
            Rc::make_mut(&mut self.cells)[at] = Cell { open, value };
        }
    }
}

/// A reference of the input may be an object that the program allocated.
pub fn allocated_aliases(cx: &mut Context, heap: &Heap, symbol: Term, class: ClassId) -> Vec<(Term, Term)> {
    let mut aliases = Vec::new();
    for (index, object) in heap.objects.iter().enumerate() {
        if object.origin.is_none() && cx.program.is_subclass(object.class, class) {
            let name = format!("{} is new", cx.show(symbol));
            aliases.push((cx.terms.root(&name, Sort::Bool), Term::location(index as u32)));
        }
    }
    aliases
}

/// The alias guards as printed: equal to the symbol of one location and different from those of all others, as if no two symbols
/// could denote one object.
pub fn exclusive_aliases(cx: &mut Context, aliases: &[(Term, Term)]) -> Vec<(Term, Term)> {
    let mut printed = Vec::with_capacity(aliases.len());
    for &(alias, location) in aliases {
        let mut parts = vec![alias];
        parts.extend(aliases.iter().filter(|(_, other)| *other != location).map(|(other, _)| cx.terms.not(*other)));
        printed.push((cx.terms.all(parts), location));
    }
    printed
}
