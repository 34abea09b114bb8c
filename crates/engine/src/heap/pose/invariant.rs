//! The invariants of the input under POSE: an initialisation is a formula, so the statements are clauses, and nothing forks.

use std::rc::Rc;

use lazuli_logic::{Origin, Symbol, Term};
use lazuli_program::hex::When;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::ir::{ClassId, FieldId};

use super::Heap;
use crate::context::Context;
use crate::invariant::hex::{Alternatives, InitialHeap, Node, Owner, Reference};

impl Heap {
    /// A symbol is loaded under `guard`: the clause that the invariants put on it there.
    pub(super) fn valid(&mut self, cx: &mut Context, symbol: Symbol, guard: Term) -> Term {
        let info = cx.terms.symbol_info(symbol);
        let (term, class, origin) = (info.term, ClassId(info.classes[0].0), info.origin.clone());
        let owner = match &origin {
            Origin::Root(name) => Owner::Input(name),
            Origin::Field { holder, label } => {
                let holder = cx.terms.symbol_info(*holder);
                let (holder, holder_class) = (holder.term, ClassId(holder.classes[0].0));
                let field = cx.field_below(holder_class, *label).expect("the holder has the field");
                let objects = self.backbone.owners(cx, holder, guard);
                Owner::Field { objects, selector: Selector::Field(field) }
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
        let info = cx.terms.symbol_info(symbol);
        let (term, class, origin) = (info.term, ClassId(info.classes[0].0), info.origin.clone());
        let Origin::Root(name) = &origin else { unreachable!("a receiver is an input") };
        let reference = Reference { symbol: term, class, owner: Owner::Input(name), handle: symbol.0 };
        let mut backbone = std::mem::take(&mut self.backbone);
        let clause = backbone.receive(cx, self, reference, Alternatives::chosen(When::Expand, None));
        self.backbone = backbone;
        clause
    }
}

impl InitialHeap for Heap {
    /// The value that the field was named with first, through whichever symbol.
    fn initial(&mut self, cx: &mut Context, node: &Node, field: FieldId) -> Term {
        let holder = cx.terms.as_symbol(node.symbol).expect("a node is a symbol");
        let own = |h: Symbol, f: FieldId| (h, f) == (holder, field);
        if !self.initial.iter().any(|(h, f, _)| own(*h, *f)) {
            // What the program wrote without looking stays in the column; only the name is new.
            let name = cx.field_symbol(holder, field);
            match self.value(cx, field, node.symbol) {
                None => {
                    // There are facts only about the lengths of arrays, which invariants do not name.
                    let mut facts = crate::heap::Cases::default();
                    self.refine(cx, node.symbol, field, &mut facts);
                }
                Some(_) => Rc::make_mut(&mut self.initial).push((holder, field, name)),
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
