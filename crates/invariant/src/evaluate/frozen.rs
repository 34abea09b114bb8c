//! `max`, frozen: an alias that only a `max` target permits stays one only while nothing of the pattern extends the target.

use crate::hex::{Clause, Hex, PatternId, Start, Target};
use lazuli_logic::Term;

use super::Evaluator;
use super::admit::unless;
use super::alternatives::Alternatives;
use super::backbone::{Backbone, Frozen, Place};
use super::formula::Instance;
use super::spot::{Matched, Scoped, Spot};
use lazuli_engine::context::Context;

impl Backbone {
    /// Whether a fresh object at a spot leaves all `max` targets that were taken what they are.
    pub(super) fn unfrozen(&self, cx: &mut Context, hex: &Hex, spot: &Spot) -> Term {
        let mut holds = Term::TRUE;
        for number in 0..self.shared.frozen.len() {
            if self.shared.frozen[number].atom.is_none() {
                let lost = self.lost(cx, hex, spot, number);
                holds = unless(cx, lost, holds);
            }
        }
        holds
    }

    /// The targets of atoms that a fresh object at a spot would extend, and where.
    pub(super) fn lost_targets(&self, cx: &mut Context, hex: &Hex, spot: &Spot) -> Vec<(u32, Instance, Term)> {
        let mut found = Vec::new();
        for number in 0..self.shared.frozen.len() {
            if let Some((statement, instance)) = self.shared.frozen[number].atom {
                let lost = self.lost(cx, hex, spot, number);
                if lost != Term::FALSE {
                    found.push((statement, instance, lost));
                }
            }
        }
        found
    }

    /// Where a fresh object at a spot takes from a target the last pattern in which it is maximal.
    fn lost(&self, cx: &mut Context, hex: &Hex, spot: &Spot, number: usize) -> Term {
        let frozen = &self.shared.frozen[number];
        let Some(parent) = spot.parent.filter(|parent| self.is_below(*parent, frozen.target)) else {
            return Term::FALSE;
        };
        let (mut taken, mut left) = (Term::FALSE, Term::FALSE);
        for &(pattern, holds) in &frozen.maxima {
            match self.extends(cx, hex, spot, parent, pattern, frozen.scope) {
                true => taken = cx.terms.or(taken, holds),
                false => left = cx.terms.or(left, holds),
            }
        }
        let taken = cx.terms.and(frozen.guard, taken);
        unless(cx, left, taken)
    }

    fn extends(
        &self,
        cx: &mut Context,
        hex: &Hex,
        spot: &Spot,
        parent: (u32, u32),
        pattern: PatternId,
        variable: Option<(u32, u32)>,
    ) -> bool {
        match (&hex.patterns[pattern.index()].start, variable) {
            (Start::Scope(scope), Some(variable)) => {
                let place = Place { guard: Term::TRUE, origin: spot.origin, parent: Some(parent) };
                match self.run_of(cx, &place, *scope, variable) {
                    Some(run) => cx.origins().is_in(spot.origin, pattern, run),
                    None => self.leads_to(cx, hex, variable, spot.origin, parent, pattern),
                }
            }
            (Start::Scope(_), None) => false,
            _ => cx.origins().is_in(spot.origin, pattern, 0),
        }
    }

    /// A fresh object was assumed at a spot: the targets that it extends are maximal in fewer patterns.
    pub(super) fn thaw(&mut self, cx: &mut Context, hex: &Hex, spot: &Spot, fresh: Term) {
        let Some(parent) = spot.parent.filter(|_| fresh != Term::FALSE) else { return };
        let extended = cx.terms.and(spot.guard, fresh);
        for number in 0..self.shared.frozen.len() {
            let frozen = &self.shared.frozen[number];
            // Without another pattern the extension was excluded, or the atom is violated for good.
            if frozen.maxima.len() < 2 || !self.is_below(parent, frozen.target) {
                continue;
            }
            for which in 0..frozen.maxima.len() {
                let frozen = &self.shared.frozen[number];
                let (pattern, holds) = frozen.maxima[which];
                if self.extends(cx, hex, spot, parent, pattern, frozen.scope) {
                    self.inner().frozen[number].maxima[which].1 = unless(cx, extended, holds);
                }
            }
        }
    }

    /// Remembers the aliases that only a `max` target permits.
    pub(super) fn freeze(
        &mut self,
        cx: &mut Context,
        hex: &Hex,
        spot: &Spot,
        matched: &[Matched],
        alternatives: &Alternatives,
    ) {
        for matched in matched {
            for clause in &hex.statements[matched.statement as usize].clauses {
                let Clause::Aliases(targets) = clause else { continue };
                if targets.iter().all(|t| !matches!(t, Target::Path { max: true, .. })) {
                    continue;
                }
                for &(alias, node) in alternatives.aliases.iter().filter(|(alias, _)| *alias != Term::FALSE) {
                    self.freeze_targets(cx, hex, spot, matched, targets, (alias, node));
                }
            }
        }
    }

    fn freeze_targets(
        &mut self,
        cx: &mut Context,
        hex: &Hex,
        spot: &Spot,
        matched: &Matched,
        targets: &[Target],
        (alias, node): (Term, u32),
    ) {
        let mut otherwise = Term::FALSE;
        for target in targets.iter().filter(|t| !matches!(t, Target::Path { max: true, .. })) {
            let is = self.is_target(cx, hex, spot, matched, target, node);
            otherwise = cx.terms.or(otherwise, is);
        }
        let symbol = self.node(node).symbol;
        let about = self.with_itself(cx, hex, matched, symbol);
        let taken = cx.terms.all([spot.guard, about, alias]);
        let taken = unless(cx, otherwise, taken);
        let scope = match matched.scope {
            Scoped::Object(object) => Some(object),
            _ => None,
        };
        for place in 0..self.node(node).places.len() as u32 {
            let mut maxima = Vec::new();
            let mut any = Term::FALSE;
            for target in targets {
                let Target::Path { pattern, max: true } = *target else { continue };
                let is = self.is_at(cx, hex, (node, place), pattern, matched.scope, true);
                if is != Term::FALSE {
                    maxima.push((pattern, is));
                    any = cx.terms.or(any, is);
                }
            }
            let guard = cx.terms.and(taken, any);
            if guard != Term::FALSE {
                let is_atom = hex.statements[matched.statement as usize].formula.is_some();
                let instance =
                    if scope.is_none() && matched.scope != Scoped::Nothing { Some((node, place)) } else { scope };
                let atom = is_atom.then_some((matched.statement, instance));
                self.inner().frozen.push(Frozen { guard, maxima, scope, target: (node, place), atom });
            }
        }
    }
}
