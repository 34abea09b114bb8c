//! References about which the program asks before the invariants do, under the models that do not enumerate: the path decides what
//! such a reference is, and the invariants are told. Mostly just one alternative is left then, as where a model enumerates.

use lazuli_logic::Term;
use lazuli_program::hex::When;

use super::admit::Reference;
use super::alternatives::{Alternatives, Verdicts};
use super::backbone::{Backbone, InitialHeap};
use crate::context::Context;

/// What the path decides of a reference.
#[derive(Clone, Copy)]
pub enum Seen {
    /// It is just this alternative; whether the statements permit that without a condition.
    Is { when: When, node: Option<u32>, permitted: bool },
    /// It is not null, or not this node.
    IsNot(Option<u32>),
}

impl Seen {
    /// It is null, or a node.
    fn is(other: Option<u32>, permitted: bool) -> Seen {
        let when = if other.is_some() { When::Alias } else { When::Null };
        Seen::Is { when, node: other, permitted }
    }

    /// Whether it is null, or a node, if nothing more is known.
    pub fn either(other: Option<u32>) -> [Seen; 2] {
        [Seen::is(other, false), Seen::IsNot(other)]
    }
}

/// What the statements say of every alternative of a reference.
struct Prospect {
    nodes: Vec<u32>,
    verdicts: Verdicts,
}

impl Prospect {
    /// The alternatives that are not excluded, but for null or a node.
    fn others(&self, but: Option<u32>) -> Vec<(When, Option<u32>, Term)> {
        let mut left = vec![(When::Expand, None, self.verdicts.fresh)];
        if but.is_some() {
            left.push((When::Null, None, self.verdicts.null));
        }
        let nodes = self.nodes.iter().zip(&self.verdicts.aliases).filter(|(node, _)| Some(**node) != but);
        left.extend(nodes.map(|(node, verdict)| (When::Alias, Some(*node), *verdict)));
        left.retain(|(.., verdict)| *verdict != Term::FALSE);
        left
    }

    /// What is said of null, or of a node.
    fn of(&self, other: Option<u32>) -> Term {
        match other {
            None => self.verdicts.null,
            Some(node) => {
                let at = self.nodes.iter().position(|known| *known == node);
                at.map_or(Term::FALSE, |at| self.verdicts.aliases[at])
            }
        }
    }
}

impl Backbone {
    /// `None` if that depends on where the reference stands.
    fn prospect(&self, cx: &mut Context, reference: &Reference, only_if_forced: bool) -> Option<Prospect> {
        let hex = cx.origins.as_ref().expect("there are invariants").hex.clone();
        let spot = &self.only_spot(cx, reference)?;
        if !hex.formulas.is_empty() || only_if_forced && !cx.origins().may_force(spot.origin) {
            return None;
        }
        let is_related = |node: &u32| cx.program.related(self.node(*node).class, reference.class);
        let nodes: Vec<u32> = (0..self.len()).filter(is_related).collect();
        let mut verdicts = self.verdicts_on_all(cx, &hex, reference, spot, &nodes);
        if reference.handle == Reference::NO_OBJECT {
            verdicts.fresh = Term::FALSE;
        }
        Some(Prospect { nodes, verdicts })
    }

    /// The path is about to decide whether a reference is null, or a node: what it is in either case; `None` where the statements
    /// exclude the case.
    pub fn sides(&self, cx: &mut Context, reference: &Reference, other: Option<u32>) -> [Option<Seen>; 2] {
        let Some(prospect) = self.prospect(cx, reference, false) else { return Seen::either(other).map(Some) };
        let verdict = prospect.of(other);
        let is = Seen::is(other, verdict == Term::TRUE);
        [(verdict != Term::FALSE).then_some(is), self.rest(&prospect, other)]
    }

    /// What a reference is that is not null, or not a node.
    fn rest(&self, prospect: &Prospect, other: Option<u32>) -> Option<Seen> {
        match *prospect.others(other) {
            [] => None,
            [(when, node, verdict)] if node.is_none_or(|node| self.node(node).exists == Term::TRUE) => {
                Some(Seen::Is { when, node, permitted: verdict == Term::TRUE })
            }
            _ => Some(Seen::IsNot(other)),
        }
    }

    /// What a reference must be, if the statements leave just one alternative.
    pub fn forced(&self, cx: &mut Context, reference: &Reference) -> Option<Seen> {
        let prospect = self.prospect(cx, reference, true)?;
        let null = prospect.verdicts.null;
        match self.rest(&prospect, None) {
            None if null != Term::FALSE => Some(Seen::is(None, null == Term::TRUE)),
            Some(sole @ Seen::Is { .. }) if null == Term::FALSE => Some(sole),
            _ => None,
        }
    }

    /// Tells the invariants what a reference is. Gives the clause that they put on it.
    pub fn tell(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: Reference, seen: Seen) -> Term {
        let symbol = reference.symbol;
        match seen {
            Seen::Is { when, node, permitted } => {
                let differs = if when == When::Expand { self.differs(cx, &reference) } else { Term::TRUE };
                let told = Alternatives::told(when, node);
                let clause = match permitted {
                    true => self.follow(cx, heap, reference, told, when),
                    false => self.assume(cx, heap, reference, told, Term::TRUE),
                };
                cx.terms.and(differs, clause)
            }
            Seen::IsNot(other) => {
                let mut alternatives = self.alternatives(cx, symbol, reference.class, Term::TRUE);
                match other {
                    None => alternatives.null = Term::FALSE,
                    Some(node) => alternatives.aliases.retain(|(_, known)| *known != node),
                }
                if reference.handle == Reference::NO_OBJECT {
                    alternatives.fresh = Term::FALSE;
                }
                self.assume(cx, heap, reference, alternatives, Term::TRUE)
            }
        }
    }
}
