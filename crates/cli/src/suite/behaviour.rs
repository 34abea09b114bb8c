//! Choosing behaviours: traces that end alike and take the same branches are one, and of very many only those that show something new are kept.

use std::collections::{BTreeSet, HashMap};

use lazuli::{Branch, Line, Outcome, Trace};

use crate::report::behaviours::Signature;

/// So many inputs of a behaviour are kept, the smallest: if there is no code for one, there may be some for the next.
const MAX_EXAMPLES: usize = 4;
/// Of a method with more behaviours than these, those are left out that show no branch or end that another does not show.
const MAX_KEPT: usize = 10;
/// More behaviours than these are not even collected.
const MAX_COLLECTED: usize = 2_000;

/// What a method may do.
pub struct Behaviour {
    pub signature: Signature,
    /// Traces that do it, those with the smallest inputs first.
    pub examples: Vec<Trace>,
}

impl Behaviour {
    /// What was decided on the way, by the first example.
    pub fn branches(&self) -> &[Branch] {
        self.examples[0].detail.as_ref().map_or(&[], |facts| &facts.branches)
    }
}

/// The behaviours of a method, in the order in which they were found.
#[derive(Default)]
pub struct Behaviours {
    found: Vec<Behaviour>,
    known: HashMap<Signature, usize>,
}

impl Behaviours {
    /// Adds a trace that ended, if its input is known.
    pub fn add(&mut self, trace: Trace) {
        let Some(facts) = trace.detail.as_deref() else { return };
        let is_ended = !matches!(trace.outcome, Outcome::Stopped(_));
        if !is_ended || facts.witness.is_none() || trace.is_refuted() {
            return;
        }
        let signature = Signature::of(&trace, facts);
        match self.known.get(&signature) {
            Some(&at) => {
                let examples = &mut self.found[at].examples;
                let place = examples.partition_point(|known| size(known) <= size(&trace));
                if place < MAX_EXAMPLES {
                    examples.insert(place, trace);
                    examples.truncate(MAX_EXAMPLES);
                }
            }
            None if self.found.len() >= MAX_COLLECTED => {}
            None => {
                self.known.insert(signature.clone(), self.found.len());
                self.found.push(Behaviour { signature, examples: vec![trace] });
            }
        }
    }

    /// Those that tests are written of, the simplest first.
    pub fn chosen(mut self) -> Vec<Behaviour> {
        self.found.sort_by_key(|behaviour| (behaviour.signature.branches.len(), size(&behaviour.examples[0])));
        if self.found.len() <= MAX_KEPT {
            return self.found;
        }
        let (mut branches, mut ends) = (BTreeSet::<(Line, String)>::new(), BTreeSet::<String>::new());
        self.found.retain(|behaviour| {
            let is_new = behaviour.signature.branches.iter().any(|branch| !branches.contains(branch));
            branches.extend(behaviour.signature.branches.iter().cloned());
            ends.insert(behaviour.signature.outcome.clone()) | is_new
        });
        self.found
    }
}

fn size(trace: &Trace) -> usize {
    trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).map_or(0, |witness| witness.size())
}
