//! The invariants of the input under summaries: clauses over the guards of the sets, and nothing forks.

use std::rc::Rc;

use lazuli_logic::{Origin, Term};
use lazuli_program::hex::automaton::Selector;
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::{Cell, Heap, Initial};
use crate::context::Context;
use crate::hex::{Backbone, InitialHeap, Node, Owner, Reference};

impl Heap {
    /// The clause that the invariants put on an input that was just initialised.
    pub(super) fn valid_input(&mut self, cx: &mut Context, symbol: Term) -> Term {
        if cx.invariant.is_none() {
            return Term::TRUE;
        }
        let name = input_name(cx, symbol);
        let class = cx.declared_class(cx.terms.as_symbol(symbol).expect("an input is a symbol"));
        self.valid(cx, symbol, class, Owner::Input(&name), Term::TRUE, false)
    }

    pub(super) fn valid_receiver(&mut self, cx: &mut Context, symbol: Term) -> Term {
        if cx.invariant.is_none() {
            return Term::TRUE;
        }
        let name = input_name(cx, symbol);
        let class = self.objects.last().expect("the receiver was just entered").class;
        self.valid(cx, symbol, class, Owner::Input(&name), Term::TRUE, true)
    }

    /// Likewise for a field of some locations, where `guard` holds.
    pub(super) fn valid_field(
        &mut self,
        cx: &mut Context,
        symbol: Term,
        field: FieldId,
        holders: &[(Term, u32)],
        guard: Term,
    ) -> Term {
        if cx.invariant.is_none() {
            return Term::TRUE;
        }
        let Type::Ref(class) = cx.program.field(field).ty else { unreachable!("only references are valid") };
        let mut objects = self.nodes_of(holders);
        if let [only] = objects.as_mut_slice() {
            only.0 = Term::TRUE;
        }
        let owner = Owner::Field { objects, selector: Selector::Field(field) };
        self.valid(cx, symbol, class, owner, guard, false)
    }

    /// The nodes of some locations. One that the invariants exclude does not exist.
    fn nodes_of(&self, locations: &[(Term, u32)]) -> Vec<(Term, u32)> {
        let nodes = locations.iter().map(|&(guard, location)| (guard, self.objects[location as usize].node));
        nodes.filter(|(_, node)| *node != u32::MAX).collect()
    }

    /// Likewise for an element of an array, where `guard` holds.
    pub(super) fn valid_element(
        &mut self,
        cx: &mut Context,
        symbol: Term,
        index: Term,
        array: Term,
        guard: Term,
    ) -> Term {
        let location = array.as_location().expect("an array is a location");
        if cx.invariant.is_none() {
            return Term::TRUE;
        }
        let objects = self.nodes_of(&[(Term::TRUE, location)]);
        if objects.is_empty() {
            return Term::TRUE;
        }
        let class = cx.declared_class(cx.terms.as_symbol(symbol).expect("a name is a symbol"));
        self.valid(cx, symbol, class, Owner::Element { objects, index }, guard, false)
    }

    fn valid(
        &mut self,
        cx: &mut Context,
        symbol: Term,
        class: ClassId,
        owner: Owner,
        guard: Term,
        receiver: bool,
    ) -> Term {
        // If it may be fresh, its location was entered just now.
        let location = self.objects.len() - 1;
        let expands = self.objects[location].origin == cx.terms.as_symbol(symbol);
        // Otherwise a bound excludes it.
        let handle = if expands { location as u32 } else { Reference::NO_OBJECT };
        let reference = Reference { symbol, class, owner, handle };
        let mut backbone = std::mem::take(&mut self.backbone);
        let node = backbone.len();
        let clause = match receiver {
            true => backbone.receive(cx, self, reference),
            false => backbone.load(cx, self, reference, guard),
        };
        if expands && backbone.len() > node {
            Rc::make_mut(&mut self.objects)[location].node = node;
        }
        self.backbone = backbone;
        clause
    }
}

fn input_name(cx: &Context, symbol: Term) -> Rc<str> {
    let symbol = cx.terms.as_symbol(symbol).expect("an input is a symbol");
    match &cx.terms.symbol_info(symbol).origin {
        Origin::Root(name, _) => name.clone(),
        Origin::Field { .. } => unreachable!("an input has no holder"),
    }
}

impl InitialHeap for Heap {
    /// The names that the field of the location got, under their guards; elsewhere a new one.
    fn initial(&mut self, cx: &mut Context, _: &Backbone, node: &Node, field: FieldId, facts: &mut Term) -> Term {
        let location = node.handle;
        let mut named: Vec<(Term, Term)> = Vec::new();
        for initial in self.initial.iter().filter(|initial| initial.field == field) {
            for &(guard, _) in initial.holders.iter().filter(|(_, holder)| *holder == location) {
                named.push((guard, cx.terms.symbol_info(initial.symbol).term));
            }
        }
        let before = cx.terms.any(named.iter().map(|(guard, _)| *guard));
        let unnamed = cx.terms.not(before);
        let mut value = match named.last() {
            Some((_, name)) if self.still_open(cx, location, unnamed, before) == Term::FALSE => *name,
            _ => self.name_elsewhere(cx, location, field, unnamed, facts),
        };
        for (guard, name) in named.into_iter().rev() {
            value = cx.terms.ite(guard, name, value);
        }
        value
    }

    fn reference(&self, node: &Node) -> Term {
        Term::location(node.handle)
    }
}

impl Heap {
    /// A name for the initial value of a field where it has none. Where nobody has looked, it is also the field's value.
    fn name_elsewhere(
        &mut self,
        cx: &mut Context,
        location: u32,
        field: FieldId,
        unnamed: Term,
        facts: &mut Term,
    ) -> Term {
        let symbol = self.name(cx, location, field);
        let name = crate::java::given_field(cx, symbol, field, facts).unwrap_or(symbol);
        let at = self.cell(cx, location, field);
        let Cell { open, value } = self.cells[at];
        if open != Term::FALSE {
            let value = if open == Term::TRUE { name } else { cx.terms.ite(open, name, value) };
            Rc::make_mut(&mut self.cells)[at] = Cell { open: Term::FALSE, value };
        }
        let symbol = cx.terms.as_symbol(symbol).expect("a name is a symbol");
        // Where the location was not created its symbol denotes another object.
        let guard = cx.terms.and(unnamed, self.objects[location as usize].created);
        let holders = Rc::from([(guard, location)]);
        Rc::make_mut(&mut self.initial).push(Initial { holders, field, symbol });
        name
    }
}
