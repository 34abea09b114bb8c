//! The rules of JBSE in its own semantics: of the rules about a reference, those of one kind combine by OR. "expands to nothing" and
//! "aliases nothing" are satisfied by nothing, so any other rule of the kind overrides them. The longest origin of a
//! pattern is a single one.

use crate::hex::{Clause, Hex};
use lazuli_logic::Term;

use super::Evaluator;
use super::admit::{Owner, Reference, any_class, unless};
use super::alternatives::{Alternatives, Verdicts};
use super::backbone::Backbone;
use super::spot::{Matched, Spot};
use lazuli_engine::context::Context;

impl Backbone {
    pub(super) fn jbse_verdicts(
        &self,
        cx: &mut Context,
        hex: &Hex,
        reference: &Reference,
        spot: &Spot,
        matched: &[Matched],
        alternatives: &Alternatives,
    ) -> Verdicts {
        // The receiver is always expanded and bypasses the rules.
        if matches!(reference.owner, Owner::Input("this")) {
            let aliases = vec![Term::TRUE; alternatives.aliases.len()];
            return Verdicts { null: Term::TRUE, fresh: Term::TRUE, aliases };
        }
        let rules =
            || matched.iter().flat_map(|m| hex.statements[m.statement as usize].clauses.iter().map(move |c| (m, c)));
        let null = Term::bool(!rules().any(|(_, clause)| *clause == Clause::NotNull));
        let mut expands =
            rules().filter(|(_, c)| matches!(c, Clause::ExpandsToNothing | Clause::ExpandsTo(_))).peekable();
        let mut fresh = Term::bool(expands.peek().is_none());
        for (_, clause) in expands {
            if let Clause::ExpandsTo(tests) = clause {
                let is = any_class(cx, reference.symbol, tests);
                fresh = cx.terms.or(fresh, is);
            }
        }
        let restricted = rules().any(|(_, c)| matches!(c, Clause::AliasesNothing | Clause::Aliases(_)));
        let mut aliases = Vec::with_capacity(alternatives.aliases.len());
        for &(_, node) in &alternatives.aliases {
            let (mut holds, mut forbidden) = (Term::bool(!restricted), Term::FALSE);
            for (matched, clause) in rules() {
                match clause {
                    Clause::Aliases(targets) => {
                        for target in targets {
                            let is = self.is_target(cx, hex, spot, matched, target, node);
                            holds = cx.terms.or(holds, is);
                        }
                    }
                    // Whatever else permits it.
                    Clause::NeverAliases(target) => {
                        let is = self.is_target(cx, hex, spot, matched, target, node);
                        forbidden = cx.terms.or(forbidden, is);
                    }
                    _ => {}
                }
            }
            aliases.push(unless(cx, forbidden, holds));
        }
        Verdicts { null, fresh, aliases }
    }

    /// Whether a rule is satisfied by an assumption: only then its trigger fires.
    pub(super) fn rule_fires(
        &self,
        cx: &mut Context,
        hex: &Hex,
        spot: &Spot,
        matched: &Matched,
        given: Option<&Clause>,
        it: Option<u32>,
    ) -> Term {
        match (given, it) {
            (Some(Clause::ExpandsTo(tests)), Some(node)) => any_class(cx, self.node(node).symbol, tests),
            (Some(Clause::Aliases(targets)), Some(node)) => {
                let each: Vec<Term> = targets.iter().map(|t| self.is_target(cx, hex, spot, matched, t, node)).collect();
                cx.terms.any(each)
            }
            _ => Term::TRUE,
        }
    }

    /// The condition that the origin of a node is one of those that `is_in` accepts, and with `max` the longest; of equally long ones
    /// the first.
    pub(super) fn is_longest(
        &self,
        cx: &mut Context,
        node: u32,
        max: bool,
        mut is_in: impl FnMut(&Backbone, &mut Context, (u32, u32)) -> bool,
    ) -> Term {
        let mut places = Vec::new();
        for number in 0..self.len() {
            for place in 0..self.node(number).places.len() as u32 {
                if is_in(self, cx, (number, place)) {
                    let at = *self.place((number, place));
                    places.push((number, cx.origins().depth(at.origin), at.guard));
                }
            }
        }
        let mut is = Term::FALSE;
        for &(_, depth, guard) in places.iter().filter(|(number, ..)| *number == node) {
            let mut here = if self.node(node).places.len() > 1 { guard } else { Term::TRUE };
            for &(other, other_depth, exists) in places.iter().filter(|_| max) {
                if other != node && (other_depth > depth || other_depth == depth && other < node) {
                    here = unless(cx, exists, here);
                }
            }
            is = cx.terms.or(is, here);
        }
        is
    }
}
