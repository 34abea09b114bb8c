//! What has been found out about the references of a backbone, for the states that share it. A branch on data copies a state but not
//! its backbone, and neither does an assumption of which nothing follows: so both sides ask the same questions again.

use std::rc::Rc;

use crate::hex::When;
use crate::hex::automaton::Selector;
use lazuli_logic::Term;
use lazuli_program::ir::FieldId;
use rustc_hash::FxHashMap;

use super::backbone::Inner;
use super::chosen::Opinions;
use lazuli_engine::context::{Assumptions, Context, InitialHeap, InputObject};

/// A reference: the backbone by its address, the node that holds it, and where.
type Key = (*const Inner, u32, Selector);

/// One of the alternatives of a reference: its kind, the node if it is an alias, and what the heap calls the object.
pub type Choice = (When, Option<u32>, Option<u32>);

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
    opinions: Option<Rc<Opinions>>,
    outcomes: Vec<(Choice, Outcome)>,
}

/// What follows from a choice.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub after: Rc<Inner>,
    pub clause: Term,
    /// The initial values that events asked for: a heap remembers that they did.
    pub asked: Rc<[(InputObject, FieldId, Term)]>,
}

impl Memo {
    fn reference(&mut self, backbone: &Rc<Inner>, node: u32, selector: Selector) -> &mut Remembered {
        if self.references.len() >= MAX_REFERENCES {
            self.references.clear();
        }
        self.references.entry(key(backbone, node, selector)).or_insert_with(|| Remembered {
            _backbone: backbone.clone(),
            opinions: None,
            outcomes: Vec::new(),
        })
    }

    pub fn opinions(
        &self,
        backbone: &Rc<Inner>,
        node: u32,
        selector: Selector,
        of: impl Iterator<Item = u32>,
    ) -> Option<Rc<Opinions>> {
        let opinions = self.references.get(&key(backbone, node, selector))?.opinions.as_ref()?;
        // What permits everything permits any nodes.
        (opinions.verdicts.is_none() || of.eq(opinions.nodes.iter().copied())).then(|| opinions.clone())
    }

    pub fn keep_opinions(&mut self, backbone: &Rc<Inner>, node: u32, selector: Selector, opinions: &Rc<Opinions>) {
        self.reference(backbone, node, selector).opinions = Some(opinions.clone());
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
pub(super) struct Asking<'a> {
    pub heap: &'a mut dyn InitialHeap,
    pub list: Vec<(InputObject, FieldId, Term)>,
}

impl InitialHeap for Asking<'_> {
    fn initial(
        &mut self,
        cx: &mut Context,
        known: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        let value = self.heap.initial(cx, known, object, field, facts);
        if !self.list.iter().any(|(asked, of, _)| asked.symbol == object.symbol && *of == field) {
            self.list.push((object, field, value));
        }
        value
    }

    fn reference(&self, object: InputObject) -> Term {
        self.heap.reference(object)
    }
}
