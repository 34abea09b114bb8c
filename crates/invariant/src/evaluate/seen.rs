//! References about which the program asks before the invariants do, under the models that do not enumerate: the path
//! decides what such a reference is, and the invariants are told. Mostly just one alternative is left then, as where a
//! model enumerates.

use std::rc::Rc;

use crate::hex::When;
use lazuli_logic::Term;

use super::Evaluator;
use super::admit::{Owner, Reference};
use super::alternatives::Alternatives;
use super::backbone::Backbone;
use super::chosen::Opinions;
use lazuli_engine::context::{Context, InitialHeap, Opinion, Resolution, Side};

/// Both sides of a decision whether a reference is null, or a node, if nothing is known of what the statements say.
pub(super) fn either(other: Option<u32>) -> [Side; 2] {
    let (what, rest) = match other {
        Some(node) => (Resolution::Object(node), Side::Open),
        None => (Resolution::Null, Side::Is(Resolution::NotNull, Opinion::Nothing)),
    };
    [Side::Is(what, Opinion::Nothing), rest]
}

/// What the statements say of every alternative of a reference.
struct Prospect {
    opinions: Rc<Opinions>,
    /// The nodes that it may denote, where everything is permitted.
    any: Vec<u32>,
    /// Whether it may be an object of its own, by a bound.
    has_room: bool,
}

impl Prospect {
    /// What is said of a fresh object, null, and the nodes.
    fn all(&self) -> impl Iterator<Item = (Resolution, Term)> {
        let verdicts = self.opinions.verdicts.as_ref();
        let fresh = if self.has_room { verdicts.map_or(Term::TRUE, |v| v.fresh) } else { Term::FALSE };
        let null = verdicts.map_or(Term::TRUE, |v| v.null);
        let alias = move |at: usize| verdicts.map_or(Term::TRUE, |v| v.aliases[at]);
        let nodes = if verdicts.is_some() { &self.opinions.nodes } else { &self.any };
        let nodes = nodes.iter().enumerate().map(move |(at, node)| (Resolution::Object(*node), alias(at)));
        [(Resolution::New, fresh), (Resolution::Null, null)].into_iter().chain(nodes)
    }

    /// It is null, or a node.
    fn is(&self, other: Resolution) -> Side {
        match self.all().find(|(what, _)| *what == other) {
            None | Some((_, Term::FALSE)) => Side::Excluded,
            Some((what, verdict)) => Side::Is(what, self.opinions.of(what, verdict)),
        }
    }
}

/// Null, or a node.
fn null_or(node: Option<u32>) -> Resolution {
    node.map_or(Resolution::Null, Resolution::Object)
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
        let opinions = self.opinions(cx, reference, nodes.clone())?;
        let any = if opinions.verdicts.is_none() { nodes.collect() } else { Vec::new() };
        Some(Prospect { opinions, any, has_room: reference.handle.is_some() })
    }

    fn may_force(&self, cx: &mut Context, reference: &Reference) -> Option<bool> {
        let spot = self.only_spot(cx, reference)?;
        Some(cx.origins().may_force(spot.origin))
    }

    /// The path is about to decide whether a reference is null, or a node: what it is in either case.
    pub(super) fn sides(&self, cx: &mut Context, reference: &Reference, other: Option<u32>) -> [Side; 2] {
        match self.prospect(cx, reference, false) {
            Some(prospect) => [prospect.is(null_or(other)), self.rest(&prospect, other)],
            None => either(other),
        }
    }

    /// It is not null, or not a node.
    fn rest(&self, prospect: &Prospect, other: Option<u32>) -> Side {
        let mut left = prospect.all().filter(|(what, verdict)| *verdict != Term::FALSE && *what != null_or(other));
        let Some((what, verdict)) = left.next() else { return Side::Excluded };
        let exists = match what {
            Resolution::Object(node) => self.node(node).exists == Term::TRUE,
            _ => true,
        };
        match left.next().is_none() && exists {
            true => Side::Is(what, prospect.opinions.of(what, verdict)),
            false if other.is_none() => Side::Is(Resolution::NotNull, Opinion::Nothing),
            false => Side::Open,
        }
    }

    /// What a reference must be, if the statements leave just one alternative.
    pub(super) fn only_way(&self, cx: &mut Context, reference: &Reference) -> Option<(Resolution, Opinion)> {
        let prospect = self.prospect(cx, reference, true)?;
        match (prospect.is(Resolution::Null), self.rest(&prospect, None)) {
            (Side::Is(null, opinion), Side::Excluded) => Some((null, opinion)),
            (Side::Excluded, Side::Is(sole, opinion)) if sole != Resolution::NotNull => Some((sole, opinion)),
            _ => None,
        }
    }

    /// Tells the invariants what a reference is. Gives the clause that they put on it.
    pub(super) fn tell(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        what: Resolution,
        opinion: Opinion,
    ) -> Term {
        let symbol = reference.symbol;
        if what == Resolution::NotNull {
            let mut alternatives = self.alternatives(cx, symbol, reference.class, Term::TRUE);
            alternatives.null = Term::FALSE;
            if reference.handle.is_none() {
                alternatives.fresh = Term::FALSE;
            }
            return self.assume(cx, heap, reference, alternatives, Term::TRUE);
        }
        let (when, node) = kind(what);
        let differs = if when == When::Expand { self.differs(cx, &reference) } else { Term::TRUE };
        let clause = match opinion {
            Opinion::Settled if when != When::Expand => {
                self.loaded_as(symbol, node);
                Term::TRUE
            }
            // The other models know bystanders too: what a reference denotes is looked up.
            Opinion::Settled | Opinion::Permitted => self.follow_told(cx, heap, reference, when, node),
            Opinion::Nothing | Opinion::Excluded => {
                self.assume(cx, heap, reference, Alternatives::told(when, node), Term::TRUE)
            }
        };
        cx.terms.and(differs, clause)
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

/// What a resolution is in the words of HEX: its kind, and the node if it is an alias.
pub(super) fn kind(what: Resolution) -> (When, Option<u32>) {
    match what {
        Resolution::Null => (When::Null, None),
        Resolution::Object(node) => (When::Alias, Some(node)),
        Resolution::New | Resolution::Existing(_) => (When::Expand, None),
        Resolution::NotNull => unreachable!("it is open what it is"),
    }
}
