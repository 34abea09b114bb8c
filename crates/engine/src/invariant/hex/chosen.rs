//! The same for the models that enumerate: which alternatives of a reference to try at all, and what follows from the one that was
//! taken. A reference stands at one place there and its alternatives are constants, so only the statements are looked at that have
//! something to say of that alternative.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::hex::{Hex, Semantics, When};

use super::admit::{Owner, Reference};
use super::alternatives::{Alternatives, Verdicts};
use super::backbone::{Backbone, InitialHeap};
use super::memo::{Asked, Choice, Outcome};
use super::origin::Topic;
use super::spot::Spot;
use crate::context::Context;

/// What the statements say of the alternatives of a reference.
#[derive(Debug)]
pub struct Opinion {
    /// False of what they exclude whatever else is true, true of what they permit; `None` if they permit everything.
    pub verdicts: Option<Verdicts>,
    /// Whether nothing follows if it is null, or an alias: then the invariants need not be told.
    pub null_is_silent: bool,
    pub alias_is_silent: bool,
}

impl Backbone {
    /// What the statements say of null, a fresh object, and some nodes, all at once. `None` if that depends on more.
    pub fn opinion(
        &self,
        cx: &mut Context,
        reference: &Reference,
        nodes: impl Iterator<Item = u32> + Clone,
    ) -> Option<Rc<Opinion>> {
        let Owner::Node { node, selector } = reference.owner else {
            return self.new_opinion(cx, reference, nodes.collect()).map(Rc::new);
        };
        if let Some(known) = cx.origins().memo.opinion(self, node, selector, nodes.clone()) {
            return Some(known);
        }
        let nodes: Vec<u32> = nodes.collect();
        let opinion = Rc::new(self.new_opinion(cx, reference, nodes.clone())?);
        cx.origins().memo.keep_opinion(self, node, selector, nodes, &opinion);
        Some(opinion)
    }

    fn new_opinion(&self, cx: &mut Context, reference: &Reference, nodes: Vec<u32>) -> Option<Opinion> {
        let hex = cx.origins.as_ref().expect("there are invariants").hex.clone();
        if hex.semantics != Semantics::Hex {
            return None;
        }
        let spot = &self.only_spot(cx, reference)?;
        let origins = cx.origins();
        let is_silent = |topic: Topic| hex.formulas.is_empty() && origins.about(spot.origin, topic).is_empty();
        let null_is_silent = is_silent(Topic::On(When::Null));
        let alias_is_silent = is_silent(Topic::On(When::Alias)) && is_silent(Topic::Maxima);
        if origins.is_free(spot.origin) {
            return Some(Opinion { verdicts: None, null_is_silent, alias_is_silent });
        }
        let verdicts = Some(self.verdicts_on_all(cx, &hex, reference, spot, &nodes));
        Some(Opinion { verdicts, null_is_silent, alias_is_silent })
    }

    /// What the statements at a spot say of null, a fresh object, and some nodes, each as if it had been chosen.
    pub(super) fn verdicts_on_all(
        &self,
        cx: &mut Context,
        hex: &Hex,
        reference: &Reference,
        spot: &Spot,
        nodes: &[u32],
    ) -> Verdicts {
        let all = Alternatives::all(nodes.iter().map(|node| (Term::TRUE, *node)).collect());
        match hex.semantics {
            Semantics::Hex => {
                let matched = self.matched_about(cx, hex, spot, Topic::Clauses);
                self.verdicts(cx, hex, reference, spot, &matched, &all)
            }
            Semantics::Jbse => {
                let matched = self.matched(cx, hex, spot);
                self.jbse_verdicts(cx, hex, reference, spot, &matched, &all)
            }
        }
    }

    /// The clause of a choice that was permitted and made before in another state with this backbone, which goes on alike. What is
    /// true of the initial values in every input is added to `facts`.
    pub fn recall(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        (holder, selector): (u32, Selector),
        choice: Choice,
        facts: &mut Term,
    ) -> Option<Term> {
        let known = cx.origins().memo.outcome(self, holder, selector, choice)?.clone();
        let mut asked = known.asked.iter();
        if !asked.all(|(node, field, value)| heap.initial(cx, self, node, *field, facts) == *value) {
            return None;
        }
        *self = known.after;
        Some(known.clause)
    }

    /// A reference is assumed to be what the statements permit without a condition. Gives the clause that its events put on it.
    pub fn permit(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        choice: Choice,
    ) -> Term {
        let (when, node, _) = choice;
        let chosen = Alternatives::chosen(when, node);
        // Where it may stand at several places, what follows depends on the path.
        let (holder, selector) = match reference.owner {
            Owner::Node { node, selector } if self.node(node).places.len() == 1 => (node, selector),
            _ => return self.follow(cx, heap, reference, chosen, when),
        };
        let before = self.clone();
        let mut heap = Asked { heap, list: Vec::new() };
        let clause = self.follow(cx, &mut heap, reference, chosen, when);
        let outcome = Outcome { after: self.clone(), clause, asked: heap.list.into() };
        cx.origins().memo.keep_outcome(&before, holder, selector, choice, outcome);
        clause
    }

    /// What follows from a choice.
    pub(super) fn follow(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        alternatives: Alternatives,
        when: When,
    ) -> Term {
        let hex = cx.origins.as_ref().expect("there are invariants").hex.clone();
        let simple = hex.formulas.is_empty() && hex.semantics == Semantics::Hex;
        let Some(spot) = &self.only_spot(cx, &reference).filter(|_| simple) else {
            return self.assume(cx, heap, reference, alternatives, Term::TRUE);
        };
        match when {
            When::Null => {}
            When::Expand => self.thaw(cx, &hex, spot, Term::TRUE),
            When::Alias => {
                let matched = self.matched_about(cx, &hex, spot, Topic::Maxima);
                self.freeze(cx, &hex, spot, &matched, &alternatives);
            }
        }
        let fresh = self.enter(cx, &reference, std::slice::from_ref(spot), &alternatives, Term::TRUE);
        let matched = self.matched_about(cx, &hex, spot, Topic::On(when));
        self.events(cx, heap, &hex, spot, &matched, &alternatives, fresh, Term::TRUE)
    }
}
