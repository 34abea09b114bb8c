//! Initialising references (the paper's SUMMARIZE, in its shared form): the set of a symbol that is looked at for the first time, and the
//! names of initial values.
//!
//! It makes sets and names, and says which clauses come with them. What a read or a write does with a set is not its matter.

use std::rc::Rc;

use lazuli_logic::{Origin, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::ShapeId;

use super::sets::Among;
use super::{Cell, Heap, Initial, Met, Object, Summary, Write, planted};
use crate::context::{Context, Holder};
use crate::heap::Cases;
use crate::planted::Planted;
use crate::scope::LeftOut;

/// A reference about to become a set.
pub(super) struct Expansion {
    pub symbol: Term,
    pub class: ClassId,
    /// Where the symbol names anything.
    pub guard: Term,
    pub depth: u32,
}

/// What a read initialises with one symbol.
struct Opening {
    depth: u32,
    /// What generic types say of the field in these locations.
    shape: Option<ShapeId>,
    /// The locations whose field it is, with the guards under which it is initialised there.
    holders: Vec<(Term, u32)>,
    /// Where the symbol names anything: one of the guards holds.
    guard: Term,
}

impl Summary {
    /// The set of a reference that is initialised under `guard`: null, the input locations so far, and a new one unless
    /// that would be too deep. Also the clause that keeps the input within the bounds.
    ///
    /// Where the guard does not hold the symbol names nothing, and is null by definition. So the locations need not be asked
    /// whether they were created (the ca of the papers): a symbol that equals a later one is not null, thus names something, and
    /// the oldest one that it equals is the one whose location was created. The terms are a fraction of the size.
    pub(super) fn expand(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        new: Expansion,
        cases: &mut Cases<Write>,
    ) -> (Term, Term) {
        let Expansion { symbol, class, guard, depth } = new;
        let is_null = cx.terms.eq(symbol, Term::NULL);
        // The characters of a string belong to it: no bound speaks of them.
        let is_part = cx.terms.is_unique(symbol);
        if !is_part {
            cases.define(cx, guard, is_null);
        }
        let name = cx.terms.as_symbol(symbol).expect("a reference that is initialised is a symbol");
        // Beyond the bound there is no new location.
        let choice = cx.choice(name);
        let is_closed = choice.as_ref().is_some_and(|choice| choice.is_closed);
        let is_within = is_part || cx.k.is_none_or(|k| depth <= k);
        let own = (is_within && !is_closed).then_some(heap.objects.len() as u32);
        let others = if is_closed { Vec::new() } else { self.possible_aliases(cx, heap, name) };
        let existing =
            choice.as_ref().map_or_else(Vec::new, |choice| choice.objects.iter().map(|(at, _)| *at).collect());
        let among = Among { symbol, guard, others, existing, own };
        let known = self.sets.borrow().find(&among);
        let (set, fresh) = known.unwrap_or_else(|| {
            let (set, fresh) = self.put_together(cx, heap, &among, class);
            self.sets.borrow_mut().keep(among, set, fresh);
            (set, fresh)
        });
        if let Some(choice) = &choice {
            cases.fact = cx.terms.and(cases.fact, choice.clause);
        }
        if is_closed {
            return (set, Term::TRUE);
        }
        if own.is_none() {
            cx.leave_out(LeftOut::Deeper, fresh);
            return (set, cx.terms.not(fresh));
        }
        let within_n = if is_part { Term::TRUE } else { heap.bound.count(cx, class, fresh) };
        let object = Object { class, origin: Some(name), created: fresh, first: 0, depth };
        self.enter(cx, heap, object);
        (set, within_n)
    }

    /// The input locations that a symbol may denote by its type, with their symbols.
    fn possible_aliases(&self, cx: &mut Context, heap: &Heap, name: Symbol) -> Vec<(Symbol, u32)> {
        let mut possible = Vec::with_capacity(heap.inputs.len());
        if self.uber_lazy && Planted::UberLazyWithoutAliases.here() {
            return possible;
        }
        let declared = cx.declared_classes(name);
        for &index in heap.inputs.iter() {
            let origin = heap.objects[index as usize].origin.expect("an input location");
            let classes = &cx.terms.symbol_info(origin).classes;
            if classes.iter().any(|&(l, h)| declared.iter().any(|&(m, i)| l <= i && m <= h)) {
                possible.push((origin, index));
            }
        }
        possible
    }

    /// The set of a symbol, and the guard under which it denotes an object of its own.
    fn put_together(&self, cx: &mut Context, heap: &Heap, among: &Among, class: ClassId) -> (Term, Term) {
        let Among { symbol, guard, ref others, ref existing, own } = *among;
        let is_null = cx.terms.eq(symbol, Term::NULL);
        let mut aliases = Vec::with_capacity(others.len());
        if Planted::SummaryAliasesAllocated.here() && !self.uber_lazy {
            aliases = planted::allocated_aliases(cx, heap, symbol, class);
        }
        // First, because the location of a symbol that denotes one of these was not created.
        for &location in existing {
            let location = Term::location(location);
            aliases.push((cx.terms.eq(symbol, location), location));
        }
        for &(origin, index) in others {
            let origin = cx.terms.symbol_info(origin).term;
            let alias = cx.terms.eq(symbol, origin);
            if alias != Term::FALSE {
                aliases.push((alias, Term::location(index)));
            }
        }
        if Planted::SummaryAliasGuards.here() && !self.uber_lazy {
            aliases = planted::exclusive_aliases(cx, &aliases);
        }
        // Conjunct by conjunct, as the guard of the new location in its set will be: see `Heap::still_open`.
        let mut parts = Vec::with_capacity(aliases.len() + 2);
        parts.extend([guard, cx.terms.not(is_null)]);
        parts.extend(aliases.iter().map(|(alias, _)| cx.terms.not(*alias)));
        let fresh = cx.terms.all(parts);
        let mut set = match own {
            Some(own) => Term::location(own),
            // Within the bound it is the last alias if it is none of the others.
            None => aliases.pop().map_or(Term::NULL, |(_, location)| location),
        };
        for (alias, location) in aliases.into_iter().rev() {
            set = cx.terms.ite(alias, location, set);
        }
        (cx.terms.ite(is_null, Term::NULL, set), fresh)
    }

    /// A reference as a set: an input is initialised at its first load. The clause is about the bounds.
    pub(super) fn set_of(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        value: Term,
        cases: &mut Cases<Write>,
    ) -> (Term, Term) {
        let Some(name) = cx.terms.as_symbol(value) else { return (value, Term::TRUE) };
        let at = heap.roots.iter().position(|(root, _)| *root == value).expect("only inputs are bare symbols");
        if let Some(set) = heap.roots[at].1 {
            return (set, Term::TRUE);
        }
        let class = first_class(cx, value);
        let root = Expansion { symbol: value, class, guard: Term::TRUE, depth: 1 };
        let (set, bound) = self.expand(cx, heap, root, cases);
        let Origin::Root(input, _) = cx.terms.symbol_info(name).origin.clone() else {
            unreachable!("an input has no holder");
        };
        let valid = heap.told(cx, value, Holder::Input(input), Term::TRUE);
        let bound = cx.terms.and(bound, valid);
        Rc::make_mut(&mut heap.roots)[at].1 = Some(set);
        (set, bound)
    }

    /// Initialises a field in all locations of a set in which it is open. Gives whether there were any, and the clause
    /// about the bounds.
    pub(super) fn initialise(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        object: Term,
        field: FieldId,
        met: &Met,
        cases: &mut Cases<Write>,
    ) -> (bool, Term) {
        let mut openings: Vec<Opening> = Vec::new();
        // A failure that is caught leaves what the bounds and those who listen keep: then it must say where nothing was loaded.
        let is_caught = met.null && cx.minds_loads() && cx.program.semantics.catches_failures();
        let mut everywhere = met.open == met.holders && !is_caught;
        // A single location is found in the set sooner than all of them.
        let leaves = match met.open {
            1 => {
                let location = Term::location(met.one);
                Rc::from([(location, cx.terms.eq(object, location))])
            }
            _ => cx.terms.leaves(object),
        };
        for &(leaf, guard) in leaves.iter() {
            let Some(location) = leaf.as_location() else { continue };
            if !heap.may_have(cx, location, field) {
                continue;
            }
            let open = heap.field(cx, location, field).open;
            everywhere &= open == Term::TRUE;
            let initialised = cx.terms.and(guard, open);
            if initialised == Term::FALSE {
                continue;
            }
            let initialised = if Planted::SummaryLosesConditionalWrite.here() { guard } else { initialised };
            // Depth matters only to a bound on it.
            let depth = if cx.k.is_some() { heap.objects[location as usize].depth } else { 0 };
            // What generic types say of the field may differ between the holders: then it has a name for each.
            let shape = heap.objects[location as usize].origin.and_then(|holder| cx.field_shape(holder, field));
            match openings.iter_mut().find(|opening| (opening.depth, opening.shape) == (depth, shape)) {
                Some(opening) => opening.holders.push((initialised, location)),
                None => {
                    let holders = vec![(initialised, location)];
                    openings.push(Opening { depth, shape, holders, guard: Term::TRUE });
                }
            }
        }
        if let [Opening { holders, .. }] = &mut openings[..]
            && let [holder] = &mut holders[..]
        {
            holder.0 = heap.wherever_created(cx, *holder, field);
        }
        let any = !openings.is_empty();
        // Wherever the access succeeds, if there is no location in which the field has a value.
        everywhere &= openings.len() == 1;
        let mut bounds = Term::TRUE;
        for mut opening in openings {
            if !everywhere {
                opening.guard = cx.terms.any(opening.holders.iter().map(|(guard, _)| *guard));
            }
            let bound = self.initialise_holders(cx, heap, opening, field, cases);
            bounds = cx.terms.and(bounds, bound);
        }
        (any, bounds)
    }

    fn initialise_holders(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        opening: Opening,
        field: FieldId,
        cases: &mut Cases<Write>,
    ) -> Term {
        let Opening { depth, holders, guard, .. } = opening;
        let symbol = heap.name(cx, holders[0].1, field);
        // Before those who listen name the fields of what it denotes: names are looked up in this order.
        let name = cx.terms.as_symbol(symbol).expect("a name is a symbol");
        let named = Initial { holders: holders.as_slice().into(), field, symbol: name };
        Rc::make_mut(&mut heap.initial).push(named);
        let (value, bound) = match cx.program.field(field).ty {
            Type::Ref(_) => {
                let class = first_class(cx, symbol);
                let (set, bound) = self.expand(cx, heap, Expansion { symbol, class, guard, depth: depth + 1 }, cases);
                let valid = heap.told(cx, symbol, Holder::OneOf(&holders, field), guard);
                (set, cx.terms.and(bound, valid))
            }
            _ => (crate::java::given_field(cx, symbol, field, &mut cases.fact).unwrap_or(symbol), Term::TRUE),
        };
        for &(guard, location) in &holders {
            let at = heap.cell(cx, location, field);
            let Cell { open, value: old } = heap.cells[at];
            // Where the field was open the old value means nothing, so it need not be kept apart.
            let value = if open == Term::TRUE { value } else { cx.terms.ite(guard, value, old) };
            let open = heap.still_open(cx, location, open, guard);
            Rc::make_mut(&mut heap.cells)[at] = Cell { open, value };
        }
        bound
    }
}

impl Heap {
    /// A symbol for the initial value of a field of a location; further ones get a number, because a location's field may
    /// be initialised under several guards.
    pub(super) fn name(&self, cx: &mut Context, location: u32, field: FieldId) -> Term {
        let holder = self.objects[location as usize].origin.expect("only input locations have open fields");
        let taken = |cx: &Context, name: Term| {
            let symbol = cx.terms.as_symbol(name);
            self.initial.iter().any(|initial| Some(initial.symbol) == symbol)
        };
        let mut number = 0;
        loop {
            let name = cx.numbered_field_symbol(holder, field, number);
            if !taken(cx, name) {
                return name;
            }
            number += 1;
        }
    }

    /// The guard under which the only holder of a read is initialised. A field that nobody has looked at may be named wherever
    /// the location exists, not only where this read finds it: its creation guard is a conjunction of a few atoms, while the
    /// guard in the set grows with every read. A bound counts what was loaded, so there the guard must stay.
    fn wherever_created(&self, cx: &Context, (guard, location): (Term, u32), field: FieldId) -> Term {
        let object = self.object(cx, location);
        let open = self.field(cx, location, field).open;
        let always_has = cx.program.is_subclass(object.class, cx.program.field(field).class);
        if !cx.minds_loads() && always_has && open == Term::TRUE { object.created } else { guard }
    }

    /// Where an array of a set is read, `leaves` being the set; where nothing counts it is empty. What is true wherever the array
    /// exists is no condition.
    pub(super) fn reached(&self, cx: &mut Context, leaves: &[(Term, Term)], array: Term) -> Term {
        let is_one = |(leaf, _): &&(Term, Term)| !leaf.is_null();
        if leaves.iter().filter(is_one).count() <= 1 {
            return Term::TRUE;
        }
        let guard = leaves.iter().find(|(leaf, _)| *leaf == array).map_or(Term::FALSE, |(_, guard)| *guard);
        let guard = cx.under_path(guard);
        let created = self.object(cx, array.as_location().expect("an array is a location")).created;
        let everywhere = cx.terms.conjuncts(&guard).iter().all(|part| cx.terms.conjuncts(&created).contains(part));
        if everywhere { Term::TRUE } else { guard }
    }

    /// Where a field stays open after it got a value under `guard`. Outside of its creation guard a location does not exist, so
    /// a guard that is part of the creation guard leaves nothing open.
    pub(super) fn still_open(&self, cx: &mut Context, location: u32, open: Term, guard: Term) -> Term {
        let created = self.object(cx, location).created;
        if cx.terms.conjuncts(&guard).iter().all(|part| cx.terms.conjuncts(&created).contains(part)) {
            return Term::FALSE;
        }
        let elsewhere = cx.terms.not(guard);
        cx.terms.and(open, elsewhere)
    }
}

/// The class whose layout an input location starts with: others are below it, or share only what is above both.
pub(super) fn first_class(cx: &Context, symbol: Term) -> ClassId {
    let symbol = cx.terms.as_symbol(symbol).expect("an input is a symbol");
    ClassId(cx.terms.symbol_info(symbol).classes[0].0)
}
