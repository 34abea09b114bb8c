//! What is told of the references that are initialised, and the initial values that are asked for. What comes back are
//! clauses over the guards of the sets, and nothing forks.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::FieldId;

use super::{Cell, Heap, Initial};
use crate::context::{Assumptions, Context, Holder, InitialHeap, InputObject, Reference};

impl Heap {
    /// A reference was just initialised, where `guard` holds: the clause that comes back.
    pub(super) fn told(&mut self, cx: &mut Context, symbol: Term, holder: Holder, guard: Term) -> Term {
        if !cx.listens {
            return Term::TRUE;
        }
        let name = cx.terms.as_symbol(symbol).expect("an input is a symbol");
        let class = cx.declared_class(name);
        // If it may be fresh, its location was entered just now; otherwise a bound excludes it, or its type.
        let is_own = self.objects.last().is_some_and(|object| object.origin == Some(name));
        let object = is_own.then(|| self.objects.len() as u32 - 1);
        cx.loaded(self, &Reference { symbol: Some(symbol), class, holder, object }, guard)
    }
}

impl InitialHeap for Heap {
    /// The names that the field of the location got, under their guards; elsewhere a new one.
    fn initial(
        &mut self,
        cx: &mut Context,
        _: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        let location = object.number;
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

    fn reference(&self, object: InputObject) -> Term {
        Term::location(object.number)
    }
}

impl Heap {
    /// A name for the initial value of a field where it has none. Where nobody has looked, it is also the field's
    /// value.
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
