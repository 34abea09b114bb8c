//! References about which the program asks before the invariants do, under the models that do not enumerate: the path decides what
//! such a reference is, and the invariants are told. Mostly just one alternative is left then, as where a model enumerates.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::hex::When;

use super::Evaluator;
use super::admit::{Owner, Reference};
use super::alternatives::Alternatives;
use super::backbone::{Backbone, InitialHeap};
use super::chosen::{Known, Opinion};
use crate::context::Context;

/// What the path decides of a reference.
#[derive(Clone, Copy)]
pub enum Seen {
    /// It is just this alternative, of which the statements have said something.
    Is {
        when: When,
        node: Option<u32>,
        known: Known,
    },
    NotNull,
}

/// One side of a decision whether a reference is null, or a node.
pub enum Side {
    /// The statements exclude it.
    Excluded,
    Seen(Seen),
    /// It is not that node; what it is, is as open as before.
    Open,
}

impl Side {
    /// Both sides, if nothing is known of what the statements say.
    pub fn either(other: Option<u32>) -> [Side; 2] {
        let (when, rest) = match other {
            Some(_) => (When::Alias, Side::Open),
            None => (When::Null, Side::Seen(Seen::NotNull)),
        };
        [Side::Seen(Seen::Is { when, node: other, known: Known::Nothing }), rest]
    }
}

/// What the statements say of every alternative of a reference.
struct Prospect {
    opinion: Rc<Opinion>,
    /// The nodes that it may denote, where everything is permitted.
    any: Vec<u32>,
    /// Whether it may be an object of its own, by a bound.
    has_room: bool,
}

impl Prospect {
    /// What is said of a fresh object, null, and the nodes.
    fn all(&self) -> impl Iterator<Item = (When, Option<u32>, Term)> {
        let verdicts = self.opinion.verdicts.as_ref();
        let fresh = if self.has_room { verdicts.map_or(Term::TRUE, |v| v.fresh) } else { Term::FALSE };
        let null = verdicts.map_or(Term::TRUE, |v| v.null);
        let alias = move |at: usize| verdicts.map_or(Term::TRUE, |v| v.aliases[at]);
        let nodes = if verdicts.is_some() { &self.opinion.nodes } else { &self.any };
        let nodes = nodes.iter().enumerate().map(move |(at, node)| (When::Alias, Some(*node), alias(at)));
        [(When::Expand, None, fresh), (When::Null, None, null)].into_iter().chain(nodes)
    }

    /// It is null, or a node.
    fn is(&self, other: Option<u32>) -> Side {
        match self.all().find(|alternative| is(alternative, other)) {
            None | Some((.., Term::FALSE)) => Side::Excluded,
            Some((when, node, verdict)) => {
                Side::Seen(Seen::Is { when, node, known: self.opinion.known(when, verdict) })
            }
        }
    }
}

/// Whether an alternative is null, or a node.
fn is((when, node, _): &(When, Option<u32>, Term), other: Option<u32>) -> bool {
    *when != When::Expand && *node == other
}

impl Backbone {
    /// `None` if that depends on where the reference stands.
    fn prospect(&self, cx: &mut Context, reference: &Reference, only_if_forced: bool) -> Option<Prospect> {
        let hex = cx.known_origins().hex.clone();
        if !hex.formulas.is_empty() || only_if_forced && !self.may_force(cx, reference)? {
            return None;
        }
        let program = cx.program;
        let is_related = |node: &u32| program.related(self.node(*node).class, reference.class);
        let nodes = (0..self.len()).filter(is_related);
        let opinion = self.opinion(cx, reference, nodes.clone())?;
        let any = if opinion.verdicts.is_none() { nodes.collect() } else { Vec::new() };
        Some(Prospect { opinion, any, has_room: reference.handle != Reference::NO_OBJECT })
    }

    fn may_force(&self, cx: &mut Context, reference: &Reference) -> Option<bool> {
        let spot = self.only_spot(cx, reference)?;
        Some(cx.origins().may_force(spot.origin))
    }

    /// The path is about to decide whether a reference is null, or a node: what it is in either case.
    pub fn sides(&self, cx: &mut Context, reference: &Reference, other: Option<u32>) -> [Side; 2] {
        match self.prospect(cx, reference, false) {
            Some(prospect) => [prospect.is(other), self.rest(&prospect, other)],
            None => Side::either(other),
        }
    }

    /// It is not null, or not a node.
    fn rest(&self, prospect: &Prospect, other: Option<u32>) -> Side {
        let mut left = prospect.all().filter(|left| left.2 != Term::FALSE && !is(left, other));
        let Some((when, node, verdict)) = left.next() else { return Side::Excluded };
        match left.next().is_none() && node.is_none_or(|node| self.node(node).exists == Term::TRUE) {
            true => Side::Seen(Seen::Is { when, node, known: prospect.opinion.known(when, verdict) }),
            false if other.is_none() => Side::Seen(Seen::NotNull),
            false => Side::Open,
        }
    }

    /// What a reference must be, if the statements leave just one alternative.
    pub fn forced(&self, cx: &mut Context, reference: &Reference) -> Option<Seen> {
        let prospect = self.prospect(cx, reference, true)?;
        match (prospect.is(None), self.rest(&prospect, None)) {
            (Side::Seen(null), Side::Excluded) => Some(null),
            (Side::Excluded, Side::Seen(sole @ Seen::Is { .. })) => Some(sole),
            _ => None,
        }
    }

    /// Tells the invariants what a reference is. Gives the clause that they put on it.
    pub fn tell(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: Reference, seen: Seen) -> Term {
        let symbol = reference.symbol;
        match seen {
            Seen::Is { when, node, known } => {
                let differs = if when == When::Expand { self.differs(cx, &reference) } else { Term::TRUE };
                let clause = match known {
                    Known::Settled if when != When::Expand => {
                        self.loaded_as(symbol, node);
                        Term::TRUE
                    }
                    // The other models know bystanders too: what a reference denotes is looked up.
                    Known::Settled | Known::Permitted => self.follow_told(cx, heap, reference, when, node),
                    Known::Nothing => self.assume(cx, heap, reference, Alternatives::told(when, node), Term::TRUE),
                };
                cx.terms.and(differs, clause)
            }
            Seen::NotNull => {
                let mut alternatives = self.alternatives(cx, symbol, reference.class, Term::TRUE);
                alternatives.null = Term::FALSE;
                if reference.handle == Reference::NO_OBJECT {
                    alternatives.fresh = Term::FALSE;
                }
                self.assume(cx, heap, reference, alternatives, Term::TRUE)
            }
        }
    }
    /// What follows from an alternative that the statements permit without a condition.
    fn follow_told(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        when: When,
        node: Option<u32>,
    ) -> Term {
        let choice = (when, node, reference.handle);
        if let Owner::Node { node: holder, selector } = reference.owner {
            let loaded = self.loaded.clone();
            self.loaded_as(reference.symbol, if when == When::Expand { Some(self.len()) } else { node });
            let mut facts = Term::TRUE;
            if let Some(clause) = self.recall(cx, heap, (holder, selector), choice, &mut facts) {
                return cx.terms.and(clause, facts);
            }
            self.loaded = loaded;
        }
        self.permit(cx, heap, reference, Alternatives::told(when, node), choice)
    }
}
