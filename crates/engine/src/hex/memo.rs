//! What has been found out about the references of a backbone, for the states that share it. A branch on data copies a state but not
//! its backbone, and neither does an assumption of which nothing follows: so both sides ask the same questions again.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::hex::When;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::ir::FieldId;
use rustc_hash::FxHashMap;

use super::backbone::{Backbone, InitialHeap, Inner, Node};
use super::chosen::Opinion;
use crate::context::Context;

/// A reference: the backbone by its address, the node that holds it, and where.
type Key = (*const Inner, u32, Selector);

/// One of the alternatives of a reference: its kind, the node if it is an alias, and what the heap calls the object.
pub type Choice = (When, Option<u32>, u32);

/// When this many references are remembered, all are forgotten: a bound on memory that needs no bookkeeping.
const MAX_REFERENCES: usize = 1 << 11;

#[derive(Default, Debug)]
pub(super) struct Memo {
    references: FxHashMap<Key, Remembered>,
}

#[derive(Debug)]
struct Remembered {
    /// Held, so that nothing else gets its address.
    _backbone: Rc<Inner>,
    opinion: Option<Rc<Opinion>>,
    outcomes: Vec<(Choice, Outcome)>,
}

/// What follows from a choice.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub after: Rc<Inner>,
    pub clause: Term,
    /// The initial values that events asked for: a heap remembers that they did.
    pub asked: Rc<[(Node, FieldId, Term)]>,
}

impl Memo {
    fn reference(&mut self, backbone: &Rc<Inner>, node: u32, selector: Selector) -> &mut Remembered {
        if self.references.len() >= MAX_REFERENCES {
            self.references.clear();
        }
        self.references.entry(key(backbone, node, selector)).or_insert_with(|| Remembered {
            _backbone: backbone.clone(),
            opinion: None,
            outcomes: Vec::new(),
        })
    }

    pub fn opinion(
        &self,
        backbone: &Rc<Inner>,
        node: u32,
        selector: Selector,
        of: impl Iterator<Item = u32>,
    ) -> Option<Rc<Opinion>> {
        let opinion = self.references.get(&key(backbone, node, selector))?.opinion.as_ref()?;
        // What permits everything permits any nodes.
        (opinion.verdicts.is_none() || of.eq(opinion.nodes.iter().copied())).then(|| opinion.clone())
    }

    pub fn keep_opinion(&mut self, backbone: &Rc<Inner>, node: u32, selector: Selector, opinion: &Rc<Opinion>) {
        self.reference(backbone, node, selector).opinion = Some(opinion.clone());
    }

    pub fn outcome(&self, backbone: &Rc<Inner>, node: u32, selector: Selector, choice: Choice) -> Option<&Outcome> {
        let remembered = self.references.get(&key(backbone, node, selector))?;
        remembered.outcomes.iter().find(|(known, _)| *known == choice).map(|(_, outcome)| outcome)
    }

    pub fn keep_outcome(
        &mut self,
        backbone: &Rc<Inner>,
        node: u32,
        selector: Selector,
        choice: Choice,
        outcome: Outcome,
    ) {
        self.reference(backbone, node, selector).outcomes.push((choice, outcome));
    }
}

fn key(backbone: &Rc<Inner>, node: u32, selector: Selector) -> Key {
    (Rc::as_ptr(backbone), node, selector)
}

/// A heap, and what it is asked.
pub(super) struct Asked<'a> {
    pub heap: &'a mut dyn InitialHeap,
    pub list: Vec<(Node, FieldId, Term)>,
}

impl InitialHeap for Asked<'_> {
    fn initial(
        &mut self,
        cx: &mut Context,
        backbone: &Backbone,
        node: &Node,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        let value = self.heap.initial(cx, backbone, node, field, facts);
        if !self.list.iter().any(|(known, of, _)| known.symbol == node.symbol && *of == field) {
            self.list.push((node.clone(), field, value));
        }
        value
    }

    fn reference(&self, node: &Node) -> Term {
        self.heap.reference(node)
    }
}
