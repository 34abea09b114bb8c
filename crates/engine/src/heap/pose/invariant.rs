//! The invariants of the input under POSE: an initialisation is a formula, so the statements are clauses, and nothing forks.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::hex::When;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::ir::FieldId;

use super::Heap;
use crate::context::{Context, Standing};
use crate::invariant::hex::{Alternatives, InitialHeap, Node, Owner, Reference};

impl Heap {
    /// A symbol is loaded under `guard`: the clause that the invariants put on it there.
    pub(super) fn valid(&mut self, cx: &mut Context, symbol: Symbol, guard: Term) -> Term {
        let term = cx.terms.symbol_info(symbol).term;
        if self.backbone.is_loaded(term) {
            return Term::TRUE;
        }
        let class = cx.declared_class(symbol);
        let standing = cx.standing(symbol);
        let owner = match &standing {
            Standing::Input(name) => Owner::Input(name),
            Standing::Field(holder, field) => {
                let holder = cx.terms.symbol_info(*holder).term;
                let objects = self.backbone.denoted(cx, holder, guard);
                Owner::Field { objects, selector: Selector::Field(*field) }
            }
            Standing::Element(array, index) => {
                let array = cx.terms.symbol_info(*array).term;
                let objects = self.backbone.denoted(cx, array, guard);
                Owner::Element { objects, index: *index }
            }
        };
        let reference = Reference { symbol: term, class, owner, handle: symbol.0 };
        let mut backbone = std::mem::take(&mut self.backbone);
        let clause = backbone.load(cx, self, reference, guard);
        self.backbone = backbone;
        clause
    }

    /// The receiver of the entry is an object of its own.
    pub(super) fn valid_receiver(&mut self, cx: &mut Context, symbol: Symbol) -> Term {
        let (term, class) = (cx.terms.symbol_info(symbol).term, cx.declared_class(symbol));
        let Standing::Input(name) = cx.standing(symbol) else { unreachable!("a receiver is an input") };
        let reference = Reference { symbol: term, class, owner: Owner::Input(&name), handle: symbol.0 };
        let mut backbone = std::mem::take(&mut self.backbone);
        let clause = backbone.receive(cx, self, reference, Alternatives::chosen(When::Expand, None));
        self.backbone = backbone;
        clause
    }
}

impl InitialHeap for Heap {
    /// The value that the field was named with first, through whichever symbol.
    fn initial(&mut self, cx: &mut Context, node: &Node, field: FieldId, facts: &mut Term) -> Term {
        let holder = cx.terms.as_symbol(node.symbol).expect("a node is a symbol");
        let own = |h: Symbol, f: FieldId| (h, f) == (holder, field);
        if !self.initial.iter().any(|(h, f, _)| own(*h, *f)) {
            // What the program wrote without looking stays in the column; only the name is new.
            let name = cx.field_symbol(holder, field);
            match self.value(cx, field, node.symbol) {
                None => {
                    let mut cases = crate::heap::Cases::default();
                    self.refine(cx, node.symbol, field, &mut cases);
                    *facts = cx.terms.and(*facts, cases.fact);
                }
                Some(_) => {
                    let name = crate::java::given_initial(cx, name, field, facts).unwrap_or(name);
                    Rc::make_mut(&mut self.initial).push((holder, field, name));
                }
            }
        }
        let mut named = Vec::new();
        for &(h, f, name) in self.initial.iter() {
            if own(h, f) {
                named.push((Term::TRUE, name));
                break;
            }
            if f == field {
                let other = cx.terms.symbol_info(h).term;
                let same = self.alias(cx, node.symbol, other);
                if same != Term::FALSE {
                    named.push((same, name));
                }
            }
        }
        let (_, mut value) = named.pop().expect("its own name is the last");
        for (same, name) in named.into_iter().rev() {
            value = cx.terms.ite(same, name, value);
        }
        value
    }

    fn reference(&self, node: &Node) -> Term {
        node.symbol
    }
}
