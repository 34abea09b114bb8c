//! Generalized symbolic execution with lazy initialization, and its two lazier variants.
//!
//! Every reference is, once *resolved*, a constant: null or a location. Input objects and objects of the program share one
//! numbering; an input object remembers the symbol it came from. What differs between the three is the moment of
//! resolution:
//!
//! - `lazy`: at the first load of a field or variable, even if the value is only passed on;
//! - `lazier`: when the reference is dereferenced or compared;
//! - `lazier#`: likewise, but a comparison with null only decides null or non-null.
//!
//! The alternatives are null, every input object of a fitting class, what exists before the entry and may be an input, and a fresh one, in this order. Their choice is
//! structural, no clause is needed: that is what makes tens of millions of traces affordable. An object that the
//! program allocated is never an alias of an input.

mod elements;
mod partial;
mod resolve;
#[cfg(test)]
mod tests;
mod told;
mod witness;

use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::arrays::Arrays;
use super::{Cases, Enumerating, Found, Given, Memory, Overlay, PossibleClasses, Resolved, Seen, View};
use crate::completions::Shape;
use crate::context::{Context, Reference, Resolution};
use crate::input::InputHeap;
use crate::outcome::NULL_POINTER;
use crate::quota::Quota;
use crate::shared::is_shared;
use crate::witness::Witness;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// At the first load.
    Load,
    /// When dereferenced or compared.
    Use,
    /// When dereferenced or compared with another reference; null-ness when compared with null.
    UseSharp,
}

pub struct Lazy {
    when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Object {
    /// Of an object of the program its class, of an input object its declared class (in Java one that it may have).
    class: ClassId,
    /// Of an input object the symbol that was expanded to it.
    origin: Option<Symbol>,
    /// Where its fields begin.
    first: u32,
    /// Length of the reference chain from a root, from 1.
    depth: u32,
}

/// A field of an object. `None`: not initialised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    current: Option<Term>,
    /// What the field of an input object held at first, if anybody has looked.
    initial: Option<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Binding {
    /// Known not to be null: of inputs that are said to be so, otherwise in `lazier#` only.
    NonNull,
    To(Term),
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Heap {
    objects: Rc<Vec<Object>>,
    cells: Rc<Vec<Cell>>,
    /// The input objects.
    expanded: Rc<Vec<u32>>,
    arrays: Arrays,
    /// Of the objects that all paths share.
    shared: Overlay,
    /// Symbols that were resolved while a variable or cell still held them, in the order of resolution.
    bindings: Rc<Vec<(Symbol, Binding)>>,
    /// Inputs and parameters that the program met.
    roots: Rc<Vec<Term>>,
    /// Fields of subclasses whose initial values the program has not asked for: object, field and name.
    named: Rc<Vec<(u32, FieldId, Symbol)>>,
}

#[derive(Clone, Copy, Debug)]
pub enum Change {
    Bind(Bind),
    NonNull(Symbol),
    /// A reference is written to this place of an array.
    Element {
        array: u32,
        index: u32,
        value: Term,
    },
}

/// An unresolved reference is resolved.
#[derive(Clone, Copy, Debug)]
pub struct Bind {
    place: Place,
    target: Target,
}

impl Change {
    fn bind(place: Place, target: Target) -> Change {
        Change::Bind(Bind { place, target })
    }
}

/// Where an unresolved reference stands.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A field that nobody has read: the object and the field.
    Cell { object: u32, field: FieldId },
    /// A symbol in a variable, or, in the lazier variants, anywhere.
    Symbol(Symbol),
}

#[derive(Clone, Copy, Debug)]
pub enum Target {
    Null,
    Alias(u32),
    /// An object that exists before the entry.
    Existing(u32),
    Fresh,
}

impl Lazy {
    pub fn new(when: When) -> Lazy {
        Lazy { when }
    }

    /// Enters an object whose fields are not initialised; an input object has room for those of its largest class.
    fn enter(&self, cx: &Context, heap: &mut Heap, class: ClassId, origin: Option<Symbol>, depth: u32) -> u32 {
        let first = heap.cells.len();
        let size = |number: u32| cx.program.class(ClassId(number)).layout.len();
        let cells = match origin {
            None => size(class.0),
            Some(symbol) => {
                let classes = &cx.terms.symbol_info(symbol).classes;
                classes.iter().flat_map(|&(low, high)| low..=high).map(size).max().unwrap_or(0)
            }
        };
        Rc::make_mut(&mut heap.cells).resize(first + cells, Cell::default());
        let objects = Rc::make_mut(&mut heap.objects);
        objects.push(Object { class, origin, first: first as u32, depth });
        let object = objects.len() as u32 - 1;
        if origin.is_some() {
            Rc::make_mut(&mut heap.expanded).push(object);
        }
        object
    }
}

impl Heap {
    fn object(&self, cx: &Context, location: u32) -> Object {
        match is_shared(location) {
            true => Object { class: cx.shared.class(location), origin: None, first: 0, depth: 0 },
            false => self.objects[location as usize],
        }
    }

    /// The input symbol that a location came from.
    fn origin(&self, location: u32) -> Option<Symbol> {
        if is_shared(location) { None } else { self.objects[location as usize].origin }
    }

    /// The input objects that a quota counts: a string and its characters are one.
    fn number(&self, cx: &Context, quota: &Quota) -> u32 {
        let is_part = |origin: Option<Symbol>| origin.is_some_and(|symbol| cx.terms.symbol_info(symbol).unique);
        let counts = |object: &&u32| {
            let Object { class, origin, .. } = self.objects[**object as usize];
            quota.counts(cx.program, class) && !is_part(origin)
        };
        self.expanded.iter().filter(counts).count() as u32
    }

    /// The value of a field, if it is initialised.
    fn current(&self, cx: &Context, object: u32, field: FieldId) -> Option<Term> {
        match is_shared(object) {
            true => Some(self.shared.get(cx, object, field)),
            false => self.cells[self.cell(cx, object, field)].current,
        }
    }

    fn set_current(&mut self, cx: &Context, object: u32, field: FieldId, value: Term) {
        if is_shared(object) {
            return self.shared.set(cx, object, field, value);
        }
        let at = self.cell(cx, object, field);
        Rc::make_mut(&mut self.cells)[at].current = Some(value);
    }

    fn cell(&self, cx: &Context, object: u32, field: FieldId) -> usize {
        (self.objects[object as usize].first + cx.program.field(field).slot) as usize
    }

    /// Whether a reference is what it was at first, in an object of the input.
    fn is_settled(&self, cx: &Context, object: u32, field: FieldId) -> bool {
        cx.program.field(field).ty.is_ref() && self.origin(object).is_some() && {
            let cell = self.cells[self.cell(cx, object, field)];
            cell.initial == cell.current
        }
    }

    fn binding(&self, symbol: Symbol) -> Option<Binding> {
        self.bindings.iter().rev().find(|(s, _)| *s == symbol).map(|(_, b)| *b)
    }

    /// How far from a root the object would be that a symbol expands to.
    fn depth_of(&self, cx: &Context, symbol: Symbol) -> u32 {
        match cx.terms.symbol_info(symbol).origin {
            lazuli_logic::Origin::Root(..) | lazuli_logic::Origin::Constant(_) => 1,
            lazuli_logic::Origin::Field { holder, .. } => {
                let object = self.objects.iter().find(|o| o.origin == Some(holder));
                object.map_or(1, |o| o.depth + 1)
            }
        }
    }

    /// The classes that an object may have, one or several.
    #[inline]
    fn possible(&self, cx: &Context, object: u32) -> PossibleClasses {
        let object = self.object(cx, object);
        match object.origin {
            Some(symbol) => PossibleClasses::of_classes(&cx.terms.symbol_info(symbol).classes),
            None => PossibleClasses::One(object.class),
        }
    }

    /// The classes that an object may have.
    fn possible_classes(&self, cx: &Context, object: u32) -> Vec<(u32, u32)> {
        let object = self.object(cx, object);
        match object.origin {
            Some(symbol) => cx.terms.symbol_info(symbol).classes.to_vec(),
            None => vec![(object.class.0, object.class.0)],
        }
    }

    /// What a reference was resolved to.
    fn resolution(&self, cx: &Context, value: Term) -> Term {
        match cx.terms.as_symbol(value).map(|symbol| self.binding(symbol)) {
            Some(Some(Binding::To(value))) => value,
            Some(_) => unreachable!("asked before the reference is resolved"),
            None => value,
        }
    }

    /// The condition that an object is of one of the classes.
    fn class_guard(&self, cx: &mut Context, object: u32, intervals: &[(u32, u32)]) -> Term {
        let object = self.object(cx, object);
        match object.origin {
            Some(symbol) => {
                let symbol = cx.terms.symbol_info(symbol).term;
                cx.in_classes(symbol, intervals)
            }
            None => Term::bool(intervals.iter().any(|&(low, high)| (low..=high).contains(&object.class.0))),
        }
    }
}

impl Memory for Lazy {
    type Heap = Heap;
    type Change = Change;

    fn input(&self, cx: &mut Context, heap: &mut Heap, symbol: Term, ty: Type, given: Given) -> Term {
        if !heap.roots.contains(&symbol) {
            Rc::make_mut(&mut heap.roots).push(symbol);
        }
        if given != Given::Nothing {
            let name = cx.terms.as_symbol(symbol).expect("an input is a symbol");
            if given == Given::NotNull || cx.may_exist(symbol) {
                Rc::make_mut(&mut heap.bindings).push((name, Binding::NonNull));
                return symbol;
            }
            let Type::Ref(class) = ty else { unreachable!("a receiver is a reference") };
            let object = Term::location(self.enter(cx, heap, class, Some(name), 1));
            Rc::make_mut(&mut heap.bindings).push((name, Binding::To(object)));
            return object;
        }
        symbol
    }

    fn alloc(&self, cx: &mut Context, heap: &mut Heap, class: ClassId) -> Term {
        if let Some(object) = cx.alloc_shared(class) {
            return object;
        }
        let object = self.enter(cx, heap, class, None, 0);
        let first = heap.objects[object as usize].first as usize;
        let cells = Rc::make_mut(&mut heap.cells);
        for (slot, field) in cx.program.class(class).layout.iter().enumerate() {
            cells[first + slot].current = Some(cx.default_value(cx.program.field(*field).ty));
        }
        Term::location(object)
    }

    fn preset(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, value: Term) {
        heap.set_current(cx, object.as_location().expect("an object of the program"), field, value);
    }

    fn touch(&self, cx: &mut Context, heap: &mut Heap, value: Term, cases: &mut Cases<Change>) {
        if self.when != When::Load {
            return cases.only(Found::Value(value));
        }
        if let Some(value) = self.resolved(cx, heap, value, cases) {
            cases.only(Found::Value(value));
        }
    }

    fn get(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, cases: &mut Cases<Change>) {
        let Some(object) = self.resolved(cx, heap, object, cases) else { return };
        let Some(object) = object.as_location() else {
            return cases.only(Found::Throw(NULL_POINTER));
        };
        if let Some(value) = heap.current(cx, object, field) {
            cx.settled += heap.is_settled(cx, object, field) as usize;
            return cases.only(Found::Value(value));
        }
        if self.when == When::Load && cx.program.field(field).ty.is_ref() {
            return self.resolve(cx, heap, Place::Cell { object, field }, cases);
        }
        let origin = heap.objects[object as usize].origin.expect("only input objects have uninitialised fields");
        let (_, value) = crate::java::input_field(cx, origin, field, &mut cases.fact);
        let at = heap.cell(cx, object, field);
        Rc::make_mut(&mut heap.cells)[at] = Cell { current: Some(value), initial: Some(value) };
        cases.bounded(cx, Term::TRUE, Found::Value(value));
    }

    fn put(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        object: Term,
        field: FieldId,
        value: Term,
        cases: &mut Cases<Change>,
    ) {
        let Some(object) = self.resolved(cx, heap, object, cases) else { return };
        let Some(object) = object.as_location() else {
            return cases.only(Found::Throw(NULL_POINTER));
        };
        // An input that the program stores without looking at it is loaded all the same.
        let loaded = match self.when {
            When::Load if cx.program.field(field).ty.is_ref() => self.resolved(cx, heap, value, cases),
            _ => Some(value),
        };
        let Some(value) = loaded else { return };
        heap.set_current(cx, object, field, value);
        cases.only(Found::Value(value));
    }

    fn same(&self, cx: &mut Context, heap: &mut Heap, a: Term, b: Term, cases: &mut Cases<Change>) {
        if a == b {
            return cases.only(Found::Value(Term::TRUE));
        }
        if self.when == When::UseSharp && !cx.needs_objects {
            for (value, other) in [(a, b), (b, a)] {
                if other.is_null()
                    && let Some(symbol) = cx.terms.as_symbol(value)
                {
                    return self.decide_null(heap, symbol, cases);
                }
            }
        }
        let Some(a) = self.resolved(cx, heap, a, cases) else { return };
        let Some(b) = self.resolved(cx, heap, b, cases) else { return };
        cases.only(Found::Value(Term::bool(a == b)));
    }

    fn is_null(&self, cx: &mut Context, heap: &Heap, value: Term) -> Term {
        Term::bool(heap.resolution(cx, value).is_null())
    }

    #[inline]
    fn look(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        value: Term,
        _follows: bool,
        cases: &mut Cases<Change>,
    ) -> Option<Seen> {
        let value = self.resolved(cx, heap, value, cases)?;
        Some(Seen { value, non_null: Term::bool(!value.is_null()), bound: Term::TRUE })
    }

    #[inline]
    fn possible(&self, cx: &mut Context, heap: &Heap, value: Term) -> PossibleClasses {
        if let Some(object) = value.as_location() {
            return heap.possible(cx, object);
        }
        if let Some(symbol) = cx.terms.as_symbol(value).filter(|_| heap.is_open(cx, value)) {
            return PossibleClasses::of_classes(&cx.terms.symbol_info(symbol).classes);
        }
        match heap.resolution(cx, value).as_location() {
            Some(object) => heap.possible(cx, object),
            None => PossibleClasses::Several(Vec::new()),
        }
    }

    fn instance(&self, cx: &mut Context, heap: &Heap, value: Term, classes: &[(u32, u32)]) -> Term {
        if heap.is_open(cx, value) {
            return cx.in_classes(value, classes);
        }
        match heap.resolution(cx, value).as_location() {
            Some(object) => heap.class_guard(cx, object, classes),
            None => Term::TRUE,
        }
    }

    fn shared<'h>(&self, heap: &'h mut Heap) -> &'h mut Overlay {
        &mut heap.shared
    }

    fn apply(&self, cx: &mut Context, heap: &mut Heap, change: Change) {
        let Bind { place, target } = match change {
            Change::NonNull(symbol) => {
                return Rc::make_mut(&mut heap.bindings).push((symbol, Binding::NonNull));
            }
            Change::Element { array, index, value } => {
                let index = cx.terms.bits(32, index as u64);
                return heap.arrays.write(cx, Term::location(array), Term::TRUE, index, value);
            }
            Change::Bind(bind) => bind,
        };
        let value = match target {
            Target::Null => Term::NULL,
            Target::Alias(object) | Target::Existing(object) => Term::location(object),
            Target::Fresh => {
                let (origin, depth) = match place {
                    Place::Cell { object, field } => {
                        let holder = heap.objects[object as usize];
                        let origin = cx.field_symbol(holder.origin.expect("an input object"), field);
                        (cx.terms.as_symbol(origin).expect("a symbol"), holder.depth + 1)
                    }
                    Place::Symbol(symbol) => (symbol, heap.depth_of(cx, symbol)),
                };
                let class = ClassId(cx.terms.symbol_info(origin).classes[0].0);
                Term::location(self.enter(cx, heap, class, Some(origin), depth))
            }
        };
        match place {
            Place::Cell { object, field } => {
                let at = heap.cell(cx, object, field);
                Rc::make_mut(&mut heap.cells)[at] = Cell { current: Some(value), initial: Some(value) };
            }
            Place::Symbol(symbol) => Rc::make_mut(&mut heap.bindings).push((symbol, Binding::To(value))),
        }
    }
}

impl Enumerating for Lazy {
    fn enumerates(&self) -> bool {
        true
    }

    fn resolution(&self, change: &Change) -> Option<Resolution> {
        change.resolution()
    }

    fn reference(&self, cx: &mut Context, heap: &Heap, change: &Change) -> Reference<'static> {
        heap.reference_of(cx, change)
    }

    fn is_resolved(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, cases: &mut Cases<Change>) {
        let Some(object) = self.resolved(cx, heap, object, cases) else { return };
        let Some(object) = object.as_location() else {
            return cases.only(Found::Throw(NULL_POINTER));
        };
        let value = heap.current(cx, object, field);
        let resolved = value.is_some_and(|value| match cx.terms.as_symbol(value) {
            Some(symbol) => matches!(heap.binding(symbol), Some(Binding::To(_))),
            None => true,
        });
        cases.only(Found::Value(Term::bool(resolved)));
    }

    fn partial_input(&self, heap: &Heap) -> Option<Heap> {
        Some(heap.partial_input())
    }

    fn objects_resolved(&self, cx: &Context, heap: &Heap, quota: &Quota) -> u32 {
        heap.number(cx, quota)
    }

    fn shape(&self, cx: &Context, heap: &Heap) -> Option<Shape> {
        heap.shape(cx)
    }

    fn all_resolved(&self, cx: &Context, heap: &Heap) -> Vec<Resolved> {
        heap.all_resolved(cx)
    }

    fn is_open(&self, cx: &Context, heap: &Heap, value: Term) -> bool {
        heap.is_open(cx, value)
    }
}

impl View for Lazy {
    fn witness(&self, cx: &mut Context, heap: &Heap, model: &Model) -> Witness {
        heap.witness(cx, model)
    }

    fn represents(&self, cx: &Context, heap: &Heap, input: &InputHeap) -> Option<Rc<Model>> {
        heap.represents(cx, input)
    }

    fn choices(&self, cx: &Context, heap: &Heap) -> Vec<String> {
        heap.choices(cx)
    }

    fn show(&self, cx: &mut Context, heap: &Heap, value: Term) -> String {
        match value.as_location().map(|l| heap.object(cx, l)) {
            Some(Object { origin: Some(origin), .. }) => cx.terms.symbol_name(origin),
            Some(Object { class, .. }) => format!("new {}", cx.program.class(class).name),
            None => cx.show(value),
        }
    }

    /// Every object with the fields that are initialised.
    fn draw(&self, cx: &mut Context, heap: &Heap) -> Vec<String> {
        let mut lines = Vec::new();
        for location in 0..heap.objects.len() as u32 {
            let object = heap.objects[location as usize];
            let mut fields = Vec::new();
            for (slot, &field) in cx.program.class(object.class).layout.iter().enumerate() {
                if let Some(value) = heap.cells[object.first as usize + slot].current {
                    let text = self.show(cx, heap, value);
                    fields.push(format!("{} = {text}", cx.program.field(field).name));
                }
            }
            let name = self.show(cx, heap, Term::location(location));
            lines.push(format!("{name} {{ {} }}", fields.join(", ")));
        }
        lines
    }
}
