//! The same where one alternative of a reference is chosen, by a model that enumerates or by the path: which of them to try at all,
//! and what follows from the one that was taken. A reference stands at one place then and its alternatives are constants, so only the
//! statements are looked at that have something to say of that alternative.

use std::rc::Rc;

use crate::hex::automaton::Selector;
use crate::hex::{Hex, Semantics, When};
use lazuli_logic::Term;

use super::Evaluator;
use super::admit::{Owner, Reference};
use super::alternatives::{Alternatives, Verdicts};
use super::backbone::Backbone;
use super::demand::Demanding;
use super::existing::It;
use super::memo::{Asking, Choice, Outcome};
use super::origin::Topic;
use super::spot::Spot;
use lazuli_engine::context::{Context, InitialHeap, Opinion, Resolution};

/// What the statements say of the alternatives of a reference.
#[derive(Debug)]
pub struct Opinions {
    /// The nodes that the verdicts are about.
    pub nodes: Vec<u32>,
    /// False of what they exclude whatever else is true, true of what they permit; `None` if they permit everything.
    pub verdicts: Option<Verdicts>,
    /// Whether nothing follows if it is null, a fresh object, or an alias: then the invariants need not be told.
    pub null_is_silent: bool,
    pub fresh_is_silent: bool,
    pub alias_is_silent: bool,
}

impl Opinions {
    /// Of an alternative with a verdict.
    pub fn of(&self, what: Resolution, verdict: Term) -> Opinion {
        let is_silent = match what {
            Resolution::Null => self.null_is_silent,
            Resolution::New => self.fresh_is_silent,
            // What follows from it depends on which object it is.
            Resolution::Existing(_) => false,
            Resolution::Object(_) | Resolution::NotNull => self.alias_is_silent,
        };
        match verdict {
            Term::FALSE => Opinion::Excluded,
            Term::TRUE if is_silent => Opinion::Settled,
            Term::TRUE if !matches!(what, Resolution::Existing(_)) => Opinion::Permitted,
            _ => Opinion::Nothing,
        }
    }
}

impl Backbone {
    /// What the statements say of null, a fresh object, and some nodes, all at once. `None` if that depends on more.
    pub fn opinions(
        &self,
        cx: &mut Context,
        reference: &Reference,
        nodes: impl Iterator<Item = u32> + Clone,
    ) -> Option<Rc<Opinions>> {
        let Owner::Node { node, selector } = reference.owner else {
            return self.new_opinions(cx, reference, nodes.collect()).map(Rc::new);
        };
        if let Some(known) = cx.origins().memo.opinions(&self.shared, node, selector, nodes.clone()) {
            return Some(known);
        }
        let opinions = Rc::new(self.new_opinions(cx, reference, nodes.collect())?);
        cx.origins().memo.keep_opinions(&self.shared, node, selector, &opinions);
        Some(opinions)
    }

    fn new_opinions(&self, cx: &mut Context, reference: &Reference, nodes: Vec<u32>) -> Option<Opinions> {
        let hex = cx.known_origins().hex.clone();
        let spot = &self.only_spot(cx, reference)?;
        let program = cx.program;
        let origins = cx.origins();
        let simple = hex.formulas.is_empty() && hex.semantics == Semantics::Hex;
        let is_silent = |topic: Topic| simple && origins.about(spot.origin, topic).is_empty();
        let null_is_silent = is_silent(Topic::On(When::Null));
        let alias_is_silent = is_silent(Topic::On(When::Alias)) && is_silent(Topic::Maxima);
        if hex.semantics == Semantics::Hex && origins.is_free(spot.origin) {
            let fresh_is_silent = cx.origins().is_bystander(program, spot.origin);
            return Some(Opinions { nodes, verdicts: None, null_is_silent, fresh_is_silent, alias_is_silent });
        }
        let verdicts = Some(self.verdicts_on_all(cx, &hex, reference, spot, &nodes));
        Some(Opinions { nodes, verdicts, null_is_silent, fresh_is_silent: false, alias_is_silent })
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
        let known = cx.origins().memo.outcome(&self.shared, holder, selector, choice)?.clone();
        let before = std::mem::replace(&mut self.shared, known.after);
        let mut asked = known.asked.iter();
        if !asked.all(|(object, field, value)| heap.initial(cx, self, *object, *field, facts) == *value) {
            self.shared = before;
            return None;
        }
        Some(known.clause)
    }

    /// A reference is assumed to be what the statements permit without a condition. Gives the clause that its events put on it.
    pub fn permit(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        chosen: Alternatives,
        choice: Choice,
    ) -> Term {
        let (when, ..) = choice;
        // Where it may stand at several places, what follows depends on the path.
        let (holder, selector) = match reference.owner {
            Owner::Node { node, selector } if self.node(node).places.len() == 1 => (node, selector),
            _ => return self.follow(cx, heap, reference, chosen, when),
        };
        let before = self.shared.clone();
        let mut heap = Asking { heap, list: Vec::new() };
        let clause = self.follow(cx, &mut heap, reference, chosen, when);
        let outcome = Outcome { after: self.shared.clone(), clause, asked: heap.list.into() };
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
        let hex = cx.known_origins().hex.clone();
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
        let (fresh, symbol) = (fresh.map(It::Node), reference.symbol);
        let of = Demanding { hex: &hex, spot, alternatives: &alternatives, fresh, symbol, real: Term::TRUE };
        let facts = self.demands(cx, heap, &of, &matched);
        let assumed = self.events(cx, heap, &hex, spot, &matched, &alternatives, fresh, Term::TRUE);
        cx.terms.and(assumed, facts)
    }
}
