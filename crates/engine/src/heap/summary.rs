//! Exact heap summaries (GSESH), and uber-lazy initialization: all aliasing cases in one heap.
//!
//! A reference is a *guarded set* of locations, L(r) = {(φ, l) …}, its guards exclusive and exhaustive under the path
//! condition. It is written as an `ite` over locations, so that sets are shared, interned and merged by the terms
//! themselves: `leaves` is the set. A field of an input object is not initialised under a guard (the paper's l_un), and has a value
//! elsewhere.
//!
//! A read through a set initialises, for all its locations at once, with one fresh symbol rf and one fresh location lf: rf is
//! null, or equal to the symbol of an input location created before, or denotes lf. That is the shared form of SUMMARIZE; it
//! is sound because the guards of the set exclude each other. Only the program's branches fork, and null dereferences;
//! `uber-lazy` also forks on the null-ness of every reference when it is initialised.

mod initialise;
mod planted;
mod sets;
#[cfg(test)]
mod tests;
mod told;
mod witness;

use std::cell::RefCell;
use std::rc::Rc;

use lazuli_logic::{Model, Sort, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};

use self::initialise::{Expansion, first_class};
use self::sets::Sets;
use super::arrays::{Arrays, Before};
use super::bound::Bound;
use super::choice::distribute;
use super::writes::Writes;
use super::{Cases, Elements, Enumerating, Found, Given, Memory, Overlay, PossibleClasses, Seen, View};
use crate::context::{Context, Holder};
use crate::input::InputHeap;
use crate::outcome::NULL_POINTER;
use crate::planted::Planted;
use crate::shared::is_shared;
use crate::witness::Witness;

pub struct Summary {
    /// Whether null-ness is decided when a reference is initialised.
    uber_lazy: bool,
    /// Sets that were put together before.
    sets: RefCell<Sets>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Object {
    class: ClassId,
    /// Of an input location its symbol ra.
    origin: Option<Symbol>,
    /// Of an input location its creation guard: whether its symbol denotes an object of its own.
    created: Term,
    first: u32,
    /// Length of the reference chain from a root, from 1.
    depth: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    /// The guard under which nobody has looked yet.
    open: Term,
    /// The value elsewhere.
    value: Term,
}

impl Cell {
    const OPEN: Cell = Cell { open: Term::TRUE, value: Term::NULL };
}

/// A name for initial values: where one of the guards holds, the field of that location was `symbol` at first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Initial {
    holders: Rc<[(Term, u32)]>,
    field: FieldId,
    symbol: Symbol,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Heap {
    objects: Rc<Vec<Object>>,
    cells: Rc<Vec<Cell>>,
    /// The input locations.
    inputs: Rc<Vec<u32>>,
    arrays: Arrays,
    /// Of the objects that all paths share.
    shared: Overlay,
    /// The cells of fields that only a subclass of an input location's declared class has. They have no fixed place: under one
    /// guard the location may be of one subclass, under another of another, and their layouts overlap.
    subclass_cells: Rc<Vec<(u32, FieldId, u32)>>,
    initial: Rc<Vec<Initial>>,
    /// Inputs and parameters that were looked at, with their sets.
    roots: Rc<Vec<(Term, Option<Term>)>>,
    bound: Bound,
    writes: Writes,
}

pub enum Write {
    Field { object: Term, field: FieldId, value: Term },
    Element { array: Term, index: Term, value: Term },
}

/// What a read meets in a set.
#[derive(Default)]
struct Met {
    /// Null is one of its leaves.
    null: bool,
    /// How many of its locations can have the field.
    holders: u32,
    /// In how many of them the field is not initialised everywhere, and one of them.
    open: u32,
    one: u32,
}

impl Summary {
    pub fn new(uber_lazy: bool) -> Summary {
        Summary { uber_lazy, sets: RefCell::default() }
    }

    fn enter(&self, cx: &Context, heap: &mut Heap, object: Object) -> Term {
        let first = heap.cells.len();
        let size = cx.program.class(object.class).layout.len();
        Rc::make_mut(&mut heap.cells).resize(first + size, Cell::OPEN);
        let objects = Rc::make_mut(&mut heap.objects);
        objects.push(Object { first: first as u32, ..object });
        let location = objects.len() as u32 - 1;
        if object.origin.is_some() {
            Rc::make_mut(&mut heap.inputs).push(location);
        }
        Term::location(location)
    }
}

impl Heap {
    fn object(&self, cx: &Context, location: u32) -> Object {
        match is_shared(location) {
            true => Object { class: cx.shared.class(location), origin: None, created: Term::FALSE, first: 0, depth: 0 },
            false => self.objects[location as usize],
        }
    }

    /// The input symbol that a location came from.
    fn origin(&self, location: u32) -> Option<Symbol> {
        if is_shared(location) { None } else { self.objects[location as usize].origin }
    }

    /// A field of a location; one that nobody has touched is open.
    fn field(&self, cx: &Context, location: u32, field: FieldId) -> Cell {
        if is_shared(location) && self.may_have(cx, location, field) {
            return Cell { open: Term::FALSE, value: self.shared.get(cx, location, field) };
        }
        self.known_cell(cx, location, field).map_or(Cell::OPEN, |at| self.cells[at])
    }

    fn set_field(&mut self, cx: &Context, location: u32, field: FieldId, cell: Cell) {
        if is_shared(location) {
            return self.shared.set(cx, location, field, cell.value);
        }
        let at = self.cell(cx, location, field);
        Rc::make_mut(&mut self.cells)[at] = cell;
    }

    /// The value of a field of a leaf, as far as it has one.
    fn value_at(&self, cx: &Context, leaf: Term, field: FieldId, met: &mut Met) -> Option<Term> {
        met.null |= leaf.is_null();
        let location = leaf.as_location()?;
        let cell = self.field(cx, location, field);
        if cell.open == Term::FALSE {
            met.holders += 1;
        } else if self.may_have(cx, location, field) {
            met.holders += 1;
            met.open += 1;
            met.one = location;
        }
        (cell.open != Term::TRUE).then_some(cell.value)
    }

    /// Where a field of a location is; `None` if it is one of a subclass and nobody has touched it.
    fn known_cell(&self, cx: &Context, location: u32, field: FieldId) -> Option<usize> {
        if is_shared(location) {
            return None;
        }
        let object = &self.objects[location as usize];
        if cx.program.is_subclass(object.class, cx.program.field(field).class) {
            return Some((object.first + cx.program.field(field).slot) as usize);
        }
        let known = self.subclass_cells.iter().find(|(l, f, _)| (*l, *f) == (location, field));
        known.map(|(_, _, at)| *at as usize)
    }

    /// Likewise; it gets a place if it has none.
    fn cell(&mut self, cx: &Context, location: u32, field: FieldId) -> usize {
        self.known_cell(cx, location, field).unwrap_or_else(|| {
            let at = self.cells.len();
            Rc::make_mut(&mut self.cells).push(Cell::OPEN);
            Rc::make_mut(&mut self.subclass_cells).push((location, field, at as u32));
            at
        })
    }

    /// Whether an object of this location can have the field at all, after casts.
    fn may_have(&self, cx: &Context, location: u32, field: FieldId) -> bool {
        let object = self.object(cx, location);
        let class = cx.program.field(field).class;
        cx.program.is_subclass(object.class, class) || object.origin.is_some_and(|symbol| cx.may_be(symbol, class))
    }

    /// The classes that an object may have: those of the locations.
    fn possible_classes(&self, cx: &mut Context, object: Term) -> Vec<(u32, u32)> {
        let mut classes = Vec::new();
        for &(leaf, _) in cx.terms.leaves(object).iter() {
            let Some(object) = leaf.as_location().map(|l| self.object(cx, l)) else { continue };
            match object.origin {
                Some(symbol) => classes.extend(cx.terms.symbol_info(symbol).classes.iter()),
                None => classes.push((object.class.0, object.class.0)),
            }
        }
        classes
    }

    /// The set of an input that was looked at; other references are sets.
    fn known_set(&self, value: Term) -> Term {
        self.roots.iter().find(|(root, _)| *root == value).and_then(|(_, set)| *set).unwrap_or(value)
    }

    fn non_null(&self, cx: &mut Context, object: Term) -> Term {
        let null = cx.terms.eq(object, Term::NULL);
        cx.terms.not(null)
    }

    /// The condition that the object a set denotes has one of the classes; on null it may be anything.
    fn class_guard(&self, cx: &mut Context, object: Term, intervals: &[(u32, u32)]) -> Term {
        let guard = distribute(cx, object, |cx, leaf| {
            let object = self.object(cx, leaf.as_location()?);
            Some(match object.origin {
                Some(symbol) => {
                    let symbol = cx.terms.symbol_info(symbol).term;
                    cx.in_classes(symbol, intervals)
                }
                None => Term::bool(intervals.iter().any(|&(low, high)| (low..=high).contains(&object.class.0))),
            })
        });
        guard.unwrap_or(Term::TRUE)
    }
}

impl Memory for Summary {
    type Heap = Heap;
    type Change = Write;

    fn restricts(&self, _cx: &Context) -> bool {
        true
    }

    fn input(&self, cx: &mut Context, heap: &mut Heap, symbol: Term, ty: Type, given: Given) -> Term {
        if heap.roots.iter().all(|(root, _)| *root != symbol) {
            Rc::make_mut(&mut heap.roots).push((symbol, None));
        }
        if given == Given::Receiver && !cx.may_exist(symbol) {
            let Type::Ref(class) = ty else { unreachable!("a receiver is a reference") };
            let origin = cx.terms.as_symbol(symbol);
            heap.bound.count(cx, class, Term::TRUE);
            let object = Object { class, origin, created: Term::TRUE, first: 0, depth: 1 };
            let location = self.enter(cx, heap, object);
            Rc::make_mut(&mut heap.roots).last_mut().expect("just pushed").1 = Some(location);
            return location;
        }
        symbol
    }

    fn alloc(&self, cx: &mut Context, heap: &mut Heap, class: ClassId) -> Term {
        if let Some(object) = cx.alloc_shared(class) {
            return object;
        }
        heap.writes.add();
        let object = Object { class, origin: None, created: Term::FALSE, first: 0, depth: 0 };
        let object = self.enter(cx, heap, object);
        let first = heap.objects.last().expect("just entered").first as usize;
        for (slot, &field) in cx.program.class(class).layout.iter().enumerate() {
            let value = cx.default_value(cx.program.field(field).ty);
            Rc::make_mut(&mut heap.cells)[first + slot] = Cell { open: Term::FALSE, value };
        }
        object
    }

    fn preset(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, value: Term) {
        heap.writes.add();
        let location = object.as_location().expect("an object of the program");
        heap.set_field(cx, location, field, Cell { open: Term::FALSE, value });
    }

    fn touch(&self, cx: &mut Context, heap: &mut Heap, value: Term, cases: &mut Cases<Write>) {
        let known = heap.roots.iter().any(|(root, set)| *root == value && set.is_some());
        let (set, bound) = self.set_of(cx, heap, value, cases);
        if known || !self.uber_lazy {
            return cases.bounded(cx, bound, Found::Value(set));
        }
        let non_null = heap.non_null(cx, set);
        cases.split_null(cx, Term::TRUE, bound, non_null, set);
    }

    fn get(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, cases: &mut Cases<Write>) {
        let (object, root_bound) = self.set_of(cx, heap, object, cases);
        cases.loaded = root_bound;
        if object.is_null() {
            return cases.only(Found::Throw(NULL_POINTER));
        }
        // Most reads find the field initialised wherever they go: then nobody needs the guards of the set.
        let mut met = Met::default();
        // Where one finds that it is not, the value is put together afterwards.
        let mut value =
            distribute(cx, object, |cx, leaf| heap.value_at(cx, leaf, field, &mut met).filter(|_| met.open == 0));
        let (mut initialised, mut field_bound) = (false, Term::TRUE);
        if met.open > 0 {
            (initialised, field_bound) = self.initialise(cx, heap, object, field, &met, cases);
            value = distribute(cx, object, |cx, leaf| heap.value_at(cx, leaf, field, &mut Met::default()));
        }
        let bound = cx.terms.and(root_bound, field_bound);
        let value = value.unwrap_or_else(|| cx.default_value(cx.program.field(field).ty));
        let valid = if met.null { heap.non_null(cx, object) } else { Term::TRUE };
        if !(self.uber_lazy && initialised && cx.program.field(field).ty.is_ref()) {
            cases.checked(cx, valid, bound, None, Found::Value(value), NULL_POINTER);
            return self.forget_null_check(cx, valid, bound, cases);
        }
        let non_null = heap.non_null(cx, value);
        cases.split_null(cx, valid, bound, non_null, value);
        let invalid = cx.terms.not(valid);
        cases.throw(cx, invalid, NULL_POINTER);
    }

    fn put(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        object: Term,
        field: FieldId,
        value: Term,
        cases: &mut Cases<Write>,
    ) {
        let (object, bound) = self.set_of(cx, heap, object, cases);
        cases.loaded = bound;
        if object.is_null() {
            return cases.only(Found::Throw(NULL_POINTER));
        }
        // What is stored is a set, so that a bare input is never met inside the heap.
        let (value, value_bound) = match cx.program.field(field).ty {
            Type::Ref(_) => self.set_of(cx, heap, value, cases),
            _ => (value, Term::TRUE),
        };
        let bound = cx.terms.and(bound, value_bound);
        let valid = heap.non_null(cx, object);
        cases.checked(cx, valid, bound, Some(Write::Field { object, field, value }), Found::Value(value), NULL_POINTER);
        self.forget_null_check(cx, valid, bound, cases);
    }

    fn same(&self, cx: &mut Context, heap: &mut Heap, a: Term, b: Term, cases: &mut Cases<Write>) {
        let (a, a_bound) = self.set_of(cx, heap, a, cases);
        let (b, b_bound) = self.set_of(cx, heap, b, cases);
        let bound = cx.terms.and(a_bound, b_bound);
        let equal = cx.terms.eq(a, b);
        if Planted::SummaryEqualsFalseConjunction.here() && !self.uber_lazy {
            return self.equal_by_conjunction(cx, [a, b], equal, cases);
        }
        cases.bounded(cx, bound, Found::Value(equal));
    }

    fn is_null(&self, cx: &mut Context, _heap: &Heap, value: Term) -> Term {
        cx.terms.eq(value, Term::NULL)
    }

    fn look(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        value: Term,
        _follows: bool,
        cases: &mut Cases<Write>,
    ) -> Option<Seen> {
        let (value, bound) = self.set_of(cx, heap, value, cases);
        Some(Seen { value, non_null: heap.non_null(cx, value), bound })
    }

    fn possible(&self, cx: &mut Context, heap: &Heap, value: Term) -> PossibleClasses {
        PossibleClasses::of_classes(&heap.possible_classes(cx, heap.known_set(value)))
    }

    fn instance(&self, cx: &mut Context, heap: &Heap, value: Term, classes: &[(u32, u32)]) -> Term {
        heap.class_guard(cx, heap.known_set(value), classes)
    }

    fn is_unwritten(&self, before: &Heap, now: &Heap) -> bool {
        !now.writes.is_more_than(before.writes)
            && now.shared == before.shared
            && now.arrays.is_unwritten(&before.arrays)
    }

    fn shared<'h>(&self, heap: &'h mut Heap) -> &'h mut Overlay {
        &mut heap.shared
    }

    fn apply(&self, cx: &mut Context, heap: &mut Heap, write: Write) {
        heap.writes.add();
        let (object, field, value) = match write {
            Write::Field { object, field, value } => (object, field, value),
            Write::Element { array, index, value } => {
                for &(leaf, guard) in cx.terms.leaves(array).iter() {
                    if !leaf.is_null() {
                        heap.arrays.write(cx, leaf, guard, index, value);
                    }
                }
                return;
            }
        };
        if Planted::SummaryWithoutMerge.here() && !self.uber_lazy {
            return heap.write_unmerged(cx, object, field, value);
        }
        for &(leaf, guard) in cx.terms.leaves(object).iter() {
            let Some(location) = leaf.as_location() else { continue };
            if !heap.may_have(cx, location, field) {
                continue;
            }
            let Cell { open, value: old } = heap.field(cx, location, field);
            let value = if open == Term::TRUE { value } else { cx.terms.ite(guard, value, old) };
            let open = heap.still_open(cx, location, open, guard);
            heap.set_field(cx, location, field, Cell { open, value });
        }
    }
}

impl Elements for Summary {
    fn arrays<'h>(&self, heap: &'h mut Heap) -> &'h mut Arrays {
        &mut heap.arrays
    }

    fn input_symbol(&self, _cx: &Context, heap: &Heap, leaf: Term) -> Option<Symbol> {
        heap.origin(leaf.as_location()?)
    }

    fn element(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        array: Term,
        index: Term,
        element: Type,
        cases: &mut Cases<Write>,
    ) {
        let (array, mut bound) = self.set_of(cx, heap, array, cases);
        // What counts is what was looked at: an array of the set counts only where it is the one that is read.
        let counts = element.is_ref() && cx.minds_loads();
        let reached = if counts { cx.terms.leaves(array) } else { Rc::from([]) };
        let mut arrays = std::mem::take(&mut heap.arrays);
        let value = distribute(cx, array, |cx, leaf| {
            let object = heap.object(cx, leaf.as_location()?);
            let possible = heap.possible_classes(cx, leaf);
            let element = crate::java::element_among(cx, &possible, element)?;
            let before = match object.origin {
                Some(symbol) => Before::Unknown(symbol),
                None => Before::Default(cx.default_value(crate::java::cell(element))),
            };
            let (Type::Ref(_), Before::Unknown(holder)) = (element, before) else {
                return Some(arrays.read(cx, leaf, before, index, element, crate::java::input_element(element)));
            };
            let here = heap.reached(cx, &reached, leaf);
            Some(arrays.read_where(cx, (leaf, here), holder, index, element, |cx, symbol, unnamed| {
                let guard = cx.terms.and(object.created, unnamed);
                let (class, depth) = (first_class(cx, symbol), object.depth + 1);
                let (set, within) = self.expand(cx, heap, Expansion { symbol, class, guard, depth }, cases);
                let array = leaf.as_location().expect("an array is a location");
                let valid = heap.told(cx, symbol, Holder::Element(array, index), guard);
                bound = cx.terms.all([bound, within, valid]);
                set
            }))
        });
        heap.arrays = arrays;
        let value = value.unwrap_or_else(|| cx.default_value(element));
        cases.bounded(cx, bound, Found::Value(value));
    }

    fn set_element(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        array: Term,
        index: Term,
        value: Term,
        cases: &mut Cases<Write>,
    ) {
        let (array, array_bound) = self.set_of(cx, heap, array, cases);
        let (value, value_bound) = match cx.terms.sort(value) {
            Sort::Ref => self.set_of(cx, heap, value, cases),
            _ => (value, Term::TRUE),
        };
        let bound = cx.terms.and(array_bound, value_bound);
        cases.exhaustive &= bound == Term::TRUE;
        let guard = cx.terms.all([bound, cases.definition, cases.fact]);
        cases.push(guard, false, Some(Write::Element { array, index, value }), Found::Value(value));
    }
}

impl Enumerating for Summary {
    fn is_resolved(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, cases: &mut Cases<Write>) {
        let (object, root_bound) = self.set_of(cx, heap, object, cases);
        cases.loaded = root_bound;
        if object.is_null() {
            return cases.only(Found::Throw(NULL_POINTER));
        }
        let resolved = distribute(cx, object, |cx, leaf| {
            let open = heap.field(cx, leaf.as_location()?, field).open;
            Some(cx.terms.not(open))
        });
        let non_null = heap.non_null(cx, object);
        let resolved = Found::Value(resolved.unwrap_or(Term::TRUE));
        cases.checked(cx, non_null, root_bound, None, resolved, NULL_POINTER);
    }
}

impl View for Summary {
    fn witness(&self, cx: &mut Context, heap: &Heap, model: &Model) -> Witness {
        heap.witness(cx, model)
    }

    fn represents(&self, cx: &Context, heap: &Heap, input: &InputHeap) -> Option<Rc<Model>> {
        Some(heap.represents(cx, input))
    }

    fn choices(&self, _cx: &Context, _heap: &Heap) -> Vec<String> {
        Vec::new()
    }

    fn show(&self, cx: &mut Context, heap: &Heap, value: Term) -> String {
        if cx.terms.sort(value) != Sort::Ref || cx.terms.as_symbol(value).is_some() {
            return cx.show(value);
        }
        let leaves = cx.terms.leaves(value);
        match leaves.as_ref() {
            [(leaf, Term::TRUE)] => heap.name_of(cx, *leaf),
            several => {
                let pairs: Vec<String> = several
                    .iter()
                    .map(|(leaf, guard)| format!("({}, {})", cx.show(*guard), heap.name_of(cx, *leaf)))
                    .collect();
                format!("{{{}}}", pairs.join(" "))
            }
        }
    }

    /// The two maps of the papers: R from a location and a field to a reference, L from a reference to its set.
    fn draw(&self, cx: &mut Context, heap: &Heap) -> Vec<String> {
        let mut lines = Vec::new();
        let mut reference = 0;
        for location in 0..heap.objects.len() as u32 {
            let object = heap.objects[location as usize];
            let name = heap.name_of(cx, Term::location(location));
            if !cx.program.class(object.class).layout.is_empty() {
                lines.push(format!("l{location} is {name}: {}", cx.program.class(object.class).name));
            }
            for (slot, &field) in cx.program.class(object.class).layout.iter().enumerate() {
                let Cell { open, value } = heap.cells[object.first as usize + slot];
                let field_name = &cx.program.field(field).name;
                reference += 1;
                let mut set = match open {
                    Term::TRUE => "{(true, uninitialised)}".to_string(),
                    _ => self.show(cx, heap, value),
                };
                if open != Term::TRUE && open != Term::FALSE {
                    set = format!("{set}, uninitialised if {}", cx.show(open));
                }
                lines.push(format!("  R(l{location}, {field_name}) = r{reference}  L(r{reference}) = {set}"));
            }
        }
        lines
    }
}

impl Heap {
    /// A location by the access path of its symbol, or by its class.
    fn name_of(&self, cx: &Context, leaf: Term) -> String {
        match leaf.as_location().map(|l| self.object(cx, l)) {
            Some(Object { origin: Some(origin), .. }) => cx.terms.symbol_name(origin),
            Some(Object { class, .. }) => format!("new {}", cx.program.class(class).name),
            None => "null".into(),
        }
    }
}
