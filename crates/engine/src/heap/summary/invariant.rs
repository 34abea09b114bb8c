//! The invariants of the input under summaries: clauses over the guards of the sets, and nothing forks.

use std::rc::Rc;

use lazuli_logic::{Origin, Term};
use lazuli_program::hex::automaton::Selector;
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::{Arrays, Cell, Heap, Initial};
use crate::context::Context;
use crate::invariant::hex::{Backbone, InitialHeap, Node, Owner, Reference};

impl Heap {
    /// The clause that the invariants put on an input that was just initialised.
    pub(super) fn valid_input(&mut self, cx: &mut Context, symbol: Term) -> Term {
        if cx.origins.is_none() {
            return Term::TRUE;
        }
        let name = input_name(cx, symbol);
        let class = cx.declared_class(cx.terms.as_symbol(symbol).expect("an input is a symbol"));
        self.valid(cx, symbol, class, Owner::Input(&name), Term::TRUE, false)
    }

    pub(super) fn valid_receiver(&mut self, cx: &mut Context, symbol: Term) -> Term {
        if cx.origins.is_none() {
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
        if cx.origins.is_none() {
            return Term::TRUE;
        }
        let Type::Ref(class) = cx.program.field(field).ty else { unreachable!("only references are valid") };
        let mut objects = self.nodes_of(cx, holders);
        if let [only] = objects.as_mut_slice() {
            only.0 = Term::TRUE;
        }
        let owner = Owner::Field { objects, selector: Selector::Field(field) };
        self.valid(cx, symbol, class, owner, guard, false)
    }

    /// The nodes of some locations. One that the invariants exclude does not exist.
    fn nodes_of(&self, cx: &mut Context, locations: &[(Term, u32)]) -> Vec<(Term, u32)> {
        let mut nodes = Vec::with_capacity(locations.len());
        for &(guard, location) in locations {
            let first = Some(self.objects[location as usize].node).filter(|node| *node != u32::MAX);
            let others = self.more_nodes.iter().filter(|(of, _)| *of == location).map(|(_, node)| *node);
            let all: Vec<u32> = first.into_iter().chain(others).collect();
            for &node in &all {
                let exists = self.backbone.node(node).exists;
                let guard = if all.len() > 1 { cx.terms.and(guard, exists) } else { guard };
                nodes.push((guard, node));
            }
        }
        nodes
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
        if cx.origins.is_none() {
            return Term::TRUE;
        }
        let mut objects = self.nodes_of(cx, &[(Term::TRUE, location)]);
        if objects.is_empty() {
            return Term::TRUE;
        }
        if let [only] = objects.as_mut_slice() {
            only.0 = Term::TRUE;
        }
        let class = cx.declared_class(cx.terms.as_symbol(symbol).expect("a name is a symbol"));
        let guard = cx.terms.and(self.objects[location as usize].created, guard);
        self.valid(cx, symbol, class, Owner::Element { objects, index }, guard, false)
    }

    /// The input arrays that a reference may denote, with their guards; a single one needs none.
    pub(super) fn reached_arrays(&self, cx: &mut Context, array: Term) -> Vec<(Term, Term)> {
        let is_input = |leaf: Term| leaf.as_location().is_some_and(|l| self.objects[l as usize].origin.is_some());
        let mut leaves: Vec<(Term, Term)> = cx.terms.leaves(array).to_vec();
        leaves.retain(|(leaf, _)| is_input(*leaf));
        if let [only] = leaves.as_mut_slice() {
            only.1 = Term::TRUE;
        }
        leaves
    }

    /// Where an element of an array is looked at.
    pub(super) fn reached_element(&self, cx: &mut Context, reached: &[(Term, Term)], array: Term) -> Term {
        let guard = reached.iter().find(|(leaf, _)| *leaf == array).map_or(Term::FALSE, |(_, guard)| *guard);
        cx.under_path(guard)
    }

    /// An element that has a name is looked at again, where `reached` holds: the invariants are asked where they have not been.
    pub(super) fn valid_again(
        &mut self,
        cx: &mut Context,
        arrays: &Arrays,
        (array, index): (Term, Term),
        reached: Term,
    ) -> Term {
        let mut clause = Term::TRUE;
        let mut rest = reached;
        for known in arrays.initial().to_vec().into_iter().filter(|known| known.array == array) {
            let same = cx.terms.eq(index, known.index);
            let here = cx.terms.and(rest, same);
            if here != Term::FALSE {
                let symbol = cx.terms.symbol_info(known.symbol).term;
                let valid = self.valid_element(cx, symbol, known.index, array, here);
                clause = cx.terms.and(clause, valid);
                let elsewhere = cx.terms.not(same);
                rest = cx.terms.and(rest, elsewhere);
            }
        }
        clause
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
        // If it may be fresh, its location was entered just now; an element's, when it was looked at first.
        let origin = cx.terms.as_symbol(symbol);
        let last = self.objects.len() - 1;
        let location = match &owner {
            Owner::Element { .. } => self.objects.iter().rposition(|object| object.origin == origin).unwrap_or(last),
            _ => last,
        };
        let expands = self.objects[location].origin == origin;
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
            match self.objects[location].node {
                u32::MAX => Rc::make_mut(&mut self.objects)[location].node = node,
                _ => Rc::make_mut(&mut self.more_nodes).push((location as u32, node)),
            }
        }
        self.backbone = backbone;
        clause
    }
}

fn input_name(cx: &Context, symbol: Term) -> Rc<str> {
    let symbol = cx.terms.as_symbol(symbol).expect("an input is a symbol");
    match &cx.terms.symbol_info(symbol).origin {
        Origin::Root(name) => name.clone(),
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
        let name = crate::java::given_initial(cx, symbol, field, facts).unwrap_or(symbol);
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
