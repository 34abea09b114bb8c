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
//! The alternatives are null, every input object of a fitting class, and a fresh one, in this order. Their choice is
//! structural, no clause is needed: that is what makes tens of millions of traces affordable. An object that the
//! program allocated is never an alias of an input.

use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Selector, Type};

use super::{Cases, Effect, HeapModel};
use crate::context::Context;
use crate::input::InputHeap;
use crate::outcome::NULL_POINTER;
use crate::planted::Planted;
use crate::witness::{Builder, Concrete, Witness};

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
    /// For every class, the number of fields of the largest object of it or a subclass.
    cells: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Object {
    /// Of an object of the program its class, of an input object its declared class.
    class: ClassId,
    /// Of an input object the symbol that was expanded to it.
    origin: Option<Symbol>,
    /// Where its fields begin.
    first: u32,
    /// Length of the reference chain from a root, from 1.
    depth: u32,
}

/// A field of an object. `None`: not initialised.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    current: Option<Term>,
    /// What the field of an input object held at first, if anybody has looked.
    initial: Option<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Binding {
    /// `lazier#` only: known not to be null.
    NonNull,
    To(Term),
}

#[derive(Clone, Default)]
pub struct Heap {
    objects: Rc<Vec<Object>>,
    cells: Rc<Vec<Cell>>,
    /// Symbols that were resolved while a variable or cell still held them, in the order of resolution.
    bindings: Rc<Vec<(Symbol, Binding)>>,
    /// Inputs and parameters that the program met.
    roots: Rc<Vec<Term>>,
    inputs: u32,
}

#[derive(Clone, Copy, Debug)]
pub enum Change {
    Bind { place: Holder, target: Target },
    NonNull(Symbol),
}

/// Where an unresolved reference stands.
#[derive(Clone, Copy, Debug)]
pub enum Holder {
    /// A field that nobody has read: the object and the field.
    Cell { object: u32, field: FieldId },
    /// A symbol in a variable, or, in the lazier variants, anywhere.
    Symbol(Symbol),
}

#[derive(Clone, Copy, Debug)]
pub enum Target {
    Null,
    Alias(u32),
    Fresh,
}

impl Lazy {
    pub fn new(program: &lazuli_program::Program, when: When) -> Lazy {
        let cells = super::largest_layouts(program);
        Lazy { when, cells }
    }

    /// Enters an object whose fields are not initialised.
    fn enter(&self, heap: &mut Heap, class: ClassId, origin: Option<Symbol>, depth: u32) -> u32 {
        let first = heap.cells.len();
        Rc::make_mut(&mut heap.cells).resize(first + self.cells[class.index()] as usize, Cell::default());
        let objects = Rc::make_mut(&mut heap.objects);
        objects.push(Object { class, origin, first: first as u32, depth });
        objects.len() as u32 - 1
    }

    /// Sets the initial value of an object's field: for replaying a witness.
    pub fn preset(&self, cx: &Context, heap: &mut Heap, object: Term, field: FieldId, value: Term) {
        let object = object.as_location().expect("a witness has constants only");
        let at = heap.cell(cx, object, field);
        Rc::make_mut(&mut heap.cells)[at].current = Some(value);
    }

    /// Proposes what an unresolved reference can be.
    fn resolve(&self, cx: &mut Context, heap: &Heap, place: Holder, cases: &mut Cases<Change>) {
        let (declared, depth, nullable) = match place {
            Holder::Cell { object, field } => {
                (cx.program.field(field).ty, heap.objects[object as usize].depth + 1, true)
            }
            Holder::Symbol(symbol) => {
                let class = ClassId(cx.terms.symbol_info(symbol).classes[0].0);
                let nullable = heap.binding(symbol) != Some(Binding::NonNull);
                (Type::Ref(class), heap.depth_of(cx, symbol), nullable || Planted::LazierSharpForgetsNonNull.here())
            }
        };
        let Type::Ref(class) = declared else { unreachable!("only references are resolved") };
        let last = cx.program.class(class).last;
        // In a cell nothing else can see the choice, so the value is known at once; a symbol is looked up again.
        let effect = |value: Term| match place {
            Holder::Cell { .. } => Effect::Value(value),
            Holder::Symbol(_) => Effect::Again,
        };
        if nullable {
            cases.push(Term::TRUE, true, Some(Change::Bind { place, target: Target::Null }), effect(Term::NULL));
        }
        for (index, object) in heap.objects.iter().enumerate() {
            let fits = match object.origin {
                Some(_) if Planted::LazyWithoutAliases.here() => continue,
                Some(origin) => {
                    let origin = cx.terms.symbol_info(origin).term;
                    cx.terms.class_in(origin, class.0, last.0)
                }
                None if Planted::LazyAliasesAllocated.here() => Term::bool(cx.program.is_subclass(object.class, class)),
                None => continue,
            };
            if fits != Term::FALSE {
                let change = Change::Bind { place, target: Target::Alias(index as u32) };
                cases.push(fits, true, Some(change), effect(Term::location(index as u32)));
            }
        }
        let within_k = cx.k.is_none_or(|k| depth <= k);
        let within_n = cx.n.is_none_or(|n| heap.inputs < n);
        if within_k && within_n {
            let fresh = Term::location(heap.objects.len() as u32);
            cases.push(Term::TRUE, true, Some(Change::Bind { place, target: Target::Fresh }), effect(fresh));
        } else {
            cases.exhaustive = false;
        }
    }

    /// The resolved value of a reference; `None` after proposing how to resolve it.
    fn resolved(&self, cx: &mut Context, heap: &Heap, value: Term, cases: &mut Cases<Change>) -> Option<Term> {
        let Some(symbol) = cx.terms.as_symbol(value) else { return Some(value) };
        match heap.binding(symbol) {
            Some(Binding::To(value)) => Some(value),
            _ => {
                self.resolve(cx, heap, Holder::Symbol(symbol), cases);
                None
            }
        }
    }

    /// Comparison with null under `lazier#`: decides no more than that.
    fn decide_null(&self, heap: &Heap, symbol: Symbol, cases: &mut Cases<Change>) {
        match heap.binding(symbol) {
            Some(Binding::NonNull) => cases.only(Effect::Value(Term::FALSE)),
            Some(Binding::To(value)) => cases.only(Effect::Value(Term::bool(value.is_null()))),
            None => {
                let null = Change::Bind { place: Holder::Symbol(symbol), target: Target::Null };
                cases.push(Term::TRUE, true, Some(null), Effect::Value(Term::TRUE));
                cases.push(Term::TRUE, true, Some(Change::NonNull(symbol)), Effect::Value(Term::FALSE));
            }
        }
    }
}

impl Heap {
    fn cell(&self, cx: &Context, object: u32, field: FieldId) -> usize {
        (self.objects[object as usize].first + cx.program.field(field).slot) as usize
    }

    fn binding(&self, symbol: Symbol) -> Option<Binding> {
        self.bindings.iter().rev().find(|(s, _)| *s == symbol).map(|(_, b)| *b)
    }

    /// How far from a root the object would be that a symbol expands to.
    fn depth_of(&self, cx: &Context, symbol: Symbol) -> u32 {
        match cx.terms.symbol_info(symbol).origin {
            lazuli_logic::Origin::Root(_) => 1,
            lazuli_logic::Origin::Field { holder, .. } => {
                let object = self.objects.iter().find(|o| o.origin == Some(holder));
                object.map_or(1, |o| o.depth + 1)
            }
        }
    }

    /// The condition that an object is of one of the classes.
    fn class_guard(&self, cx: &mut Context, object: u32, intervals: &[(u32, u32)]) -> Term {
        let object = &self.objects[object as usize];
        match object.origin {
            Some(symbol) => {
                let symbol = cx.terms.symbol_info(symbol).term;
                cx.in_classes(symbol, intervals)
            }
            None => Term::bool(intervals.iter().any(|&(low, high)| (low..=high).contains(&object.class.0))),
        }
    }
}

impl HeapModel for Lazy {
    type Heap = Heap;
    type Change = Change;

    fn empty(&self) -> Heap {
        Heap::default()
    }

    fn input(&self, cx: &mut Context, heap: &mut Heap, symbol: Term, ty: Type, receiver: bool) -> Term {
        if !heap.roots.contains(&symbol) {
            Rc::make_mut(&mut heap.roots).push(symbol);
        }
        if receiver {
            let name = cx.terms.as_symbol(symbol).expect("an input is a symbol");
            let Type::Ref(class) = ty else { unreachable!("a receiver is a reference") };
            heap.inputs += 1;
            let object = Term::location(self.enter(heap, class, Some(name), 1));
            Rc::make_mut(&mut heap.bindings).push((name, Binding::To(object)));
            return object;
        }
        symbol
    }

    fn alloc(&self, cx: &mut Context, heap: &mut Heap, class: ClassId) -> Term {
        let object = self.enter(heap, class, None, 0);
        let first = heap.objects[object as usize].first as usize;
        let cells = Rc::make_mut(&mut heap.cells);
        for (slot, field) in cx.program.class(class).layout.iter().enumerate() {
            cells[first + slot].current = Some(cx.default_value(cx.program.field(*field).ty));
        }
        Term::location(object)
    }

    fn load(&self, cx: &mut Context, heap: &mut Heap, value: Term, cases: &mut Cases<Change>) {
        if self.when != When::Load {
            return cases.only(Effect::Value(value));
        }
        if let Some(value) = self.resolved(cx, heap, value, cases) {
            cases.only(Effect::Value(value));
        }
    }

    fn read(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, cases: &mut Cases<Change>) {
        let Some(object) = self.resolved(cx, heap, object, cases) else { return };
        let Some(object) = object.as_location() else {
            return cases.only(Effect::Throw(NULL_POINTER));
        };
        let at = heap.cell(cx, object, field);
        if let Some(value) = heap.cells[at].current {
            return cases.only(Effect::Value(value));
        }
        if self.when == When::Load && cx.program.field(field).ty.is_ref() {
            return self.resolve(cx, heap, Holder::Cell { object, field }, cases);
        }
        let origin = heap.objects[object as usize].origin.expect("only input objects have uninitialised fields");
        let value = cx.field_symbol(origin, field);
        Rc::make_mut(&mut heap.cells)[at] = Cell { current: Some(value), initial: Some(value) };
        cases.only(Effect::Value(value));
    }

    fn write(
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
            return cases.only(Effect::Throw(NULL_POINTER));
        };
        // An input that the program stores without looking at it is loaded all the same.
        let loaded = match self.when {
            When::Load if cx.program.field(field).ty.is_ref() => self.resolved(cx, heap, value, cases),
            _ => Some(value),
        };
        let Some(value) = loaded else { return };
        let at = heap.cell(cx, object, field);
        Rc::make_mut(&mut heap.cells)[at].current = Some(value);
        cases.only(Effect::Value(value));
    }

    fn ref_eq(&self, cx: &mut Context, heap: &mut Heap, a: Term, b: Term, cases: &mut Cases<Change>) {
        if a == b {
            return cases.only(Effect::Value(Term::TRUE));
        }
        if self.when == When::UseSharp {
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
        cases.only(Effect::Value(Term::bool(a == b)));
    }

    fn is_null(&self, cx: &mut Context, heap: &Heap, value: Term) -> Term {
        let resolved = match cx.terms.as_symbol(value).map(|symbol| heap.binding(symbol)) {
            Some(Some(Binding::To(value))) => value,
            Some(_) => unreachable!("asked before the reference is resolved"),
            None => value,
        };
        Term::bool(resolved.is_null())
    }

    fn instance_of(&self, cx: &mut Context, heap: &mut Heap, value: Term, class: ClassId, cases: &mut Cases<Change>) {
        let Some(value) = self.resolved(cx, heap, value, cases) else { return };
        let is = match value.as_location() {
            None => Term::FALSE,
            Some(object) => heap.class_guard(cx, object, &[(class.0, cx.program.class(class).last.0)]),
        };
        cases.only(Effect::Value(is));
    }

    fn dispatch(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        receiver: Term,
        class: ClassId,
        selector: Selector,
        cases: &mut Cases<Change>,
    ) {
        let Some(receiver) = self.resolved(cx, heap, receiver, cases) else { return };
        let Some(object) = receiver.as_location() else {
            return cases.only(Effect::Throw(NULL_POINTER));
        };
        let known = &heap.objects[object as usize];
        if known.origin.is_none() || cx.program.class(known.class).last == known.class {
            let method = cx.program.class(known.class).methods.get(&selector);
            return cases.only(Effect::Call(*method.expect("checked by the front end")));
        }
        let implementations = cx.program.implementations(class, selector);
        let several = implementations.len() > 1;
        for (method, intervals) in implementations {
            let guard = heap.class_guard(cx, object, &intervals);
            if guard != Term::FALSE {
                cases.push(guard, several, None, Effect::Call(method.expect("checked by the front end")));
            }
        }
    }

    fn apply(&self, cx: &mut Context, heap: &mut Heap, change: Change) {
        let (place, target) = match change {
            Change::NonNull(symbol) => {
                return Rc::make_mut(&mut heap.bindings).push((symbol, Binding::NonNull));
            }
            Change::Bind { place, target } => (place, target),
        };
        let value = match target {
            Target::Null => Term::NULL,
            Target::Alias(object) => Term::location(object),
            Target::Fresh => {
                heap.inputs += 1;
                let (origin, ty, depth) = match place {
                    Holder::Cell { object, field } => {
                        let holder = heap.objects[object as usize];
                        let origin = cx.field_symbol(holder.origin.expect("an input object"), field);
                        (cx.terms.as_symbol(origin).expect("a symbol"), cx.program.field(field).ty, holder.depth + 1)
                    }
                    Holder::Symbol(symbol) => {
                        let class = ClassId(cx.terms.symbol_info(symbol).classes[0].0);
                        (symbol, Type::Ref(class), heap.depth_of(cx, symbol))
                    }
                };
                let Type::Ref(class) = ty else { unreachable!("only references are expanded") };
                Term::location(self.enter(heap, class, Some(origin), depth))
            }
        };
        match place {
            Holder::Cell { object, field } => {
                let at = heap.cell(cx, object, field);
                Rc::make_mut(&mut heap.cells)[at] = Cell { current: Some(value), initial: Some(value) };
            }
            Holder::Symbol(symbol) => Rc::make_mut(&mut heap.bindings).push((symbol, Binding::To(value))),
        }
    }

    fn witness(&self, cx: &mut Context, heap: &Heap, model: &Model) -> Witness {
        // Input objects are the model's objects: give every origin its own value first.
        let mut model = model.clone();
        for object in heap.objects.iter() {
            if let Some(origin) = object.origin {
                let class = model.class(&cx.terms, origin);
                model.set(origin, lazuli_logic::Value::Ref(lazuli_logic::RefValue::Input(origin)));
                model.set_class(origin, class);
            }
        }
        for &(symbol, binding) in heap.bindings.iter() {
            let value = match binding {
                Binding::To(value) => heap.ref_value(value),
                // Nobody asked which object: one of its own.
                Binding::NonNull => lazuli_logic::RefValue::Input(symbol),
            };
            model.set(symbol, lazuli_logic::Value::Ref(value));
        }
        let mut builder = Builder::new(&cx.terms, &model);
        for &root in heap.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            let value = builder.value(symbol);
            builder.witness.roots.push((cx.terms.symbol_name(symbol), value));
        }
        for object in heap.objects.iter() {
            let Some(origin) = object.origin else { continue };
            let index = builder.object_of(origin).expect("an expanded reference is not null");
            // The class the model chose says which fields its cells are.
            let class = builder.witness.objects[index].class;
            for (slot, &field) in cx.program.class(class).layout.iter().enumerate() {
                let Some(initial) = heap.cells[object.first as usize + slot].initial else { continue };
                let value = match cx.terms.as_symbol(initial) {
                    Some(symbol) => builder.value(symbol),
                    None => match heap.ref_value(initial) {
                        lazuli_logic::RefValue::Input(origin) => {
                            Concrete::Object(builder.object_of(origin).expect("an input object"))
                        }
                        _ => Concrete::Null,
                    },
                };
                builder.witness.objects[index].fields.push((field, value));
            }
        }
        builder.witness
    }

    fn represents(&self, cx: &Context, heap: &Heap, input: &InputHeap) -> Option<Rc<Model>> {
        // Two input locations are two objects.
        let mut concrete: Vec<Option<Concrete>> = Vec::with_capacity(heap.objects.len());
        for object in heap.objects.iter() {
            let value = object.origin.map(|origin| input.path_value(origin));
            if value == Some(Concrete::Null) || value.is_some() && concrete.contains(&value) {
                return None;
            }
            concrete.push(value);
        }
        let is = |value: Concrete, resolved: Term| match resolved.as_location() {
            None => value == Concrete::Null,
            Some(location) => concrete[location as usize] == Some(value),
        };
        let matches = heap.bindings.iter().all(|&(symbol, binding)| match binding {
            Binding::NonNull => input.path_value(symbol) != Concrete::Null,
            Binding::To(resolved) => is(input.path_value(symbol), resolved),
        });
        if !matches {
            return None;
        }
        for (object, value) in heap.objects.iter().zip(&concrete) {
            let Some(Concrete::Object(index)) = *value else { continue };
            for (slot, &field) in cx.program.class(input.heap.objects[index].class).layout.iter().enumerate() {
                let initial = heap.cells.get(object.first as usize + slot).and_then(|cell| cell.initial);
                // Without a symbol it was resolved on the spot.
                let resolved = initial.filter(|v| cx.program.field(field).ty.is_ref() && v.index().is_none());
                if resolved.is_some_and(|v| !input.field(cx, index, field).is_some_and(|value| is(value, v))) {
                    return None;
                }
            }
        }
        Some(input.by_path.clone())
    }

    fn choices(&self, cx: &Context, heap: &Heap) -> Vec<String> {
        let mut choices = Vec::new();
        let mut state = |name: String, value: Term| {
            let text = match value.as_location().and_then(|l| heap.objects[l as usize].origin) {
                None => format!("{name} == null"),
                Some(origin) if cx.terms.symbol_name(origin) == name => format!("{name} is new"),
                Some(origin) => format!("{name} == {}", cx.terms.symbol_name(origin)),
            };
            choices.push(text);
        };
        for &(symbol, binding) in heap.bindings.iter() {
            if let Binding::To(value) = binding {
                state(cx.terms.symbol_name(symbol), value);
            }
        }
        for object in heap.objects.iter() {
            let Some(origin) = object.origin else { continue };
            for (slot, &field) in cx.program.class(object.class).layout.iter().enumerate() {
                let initial = heap.cells[object.first as usize + slot].initial;
                if let Some(value) = initial.filter(|v| v.index().is_none() && cx.program.field(field).ty.is_ref()) {
                    state(format!("{}.{}", cx.terms.symbol_name(origin), cx.program.field(field).name), value);
                }
            }
        }
        for &(symbol, binding) in heap.bindings.iter() {
            let open = !heap.bindings.iter().any(|(s, b)| *s == symbol && matches!(b, Binding::To(_)));
            if binding == Binding::NonNull && open {
                choices.push(format!("{} != null", cx.terms.symbol_name(symbol)));
            }
        }
        choices
    }

    fn show(&self, cx: &mut Context, heap: &Heap, value: Term) -> String {
        match value.as_location().map(|l| heap.objects[l as usize]) {
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

impl Heap {
    /// A resolved reference as a value of a model.
    fn ref_value(&self, value: Term) -> lazuli_logic::RefValue {
        match value.as_location().and_then(|l| self.objects[l as usize].origin) {
            Some(origin) => lazuli_logic::RefValue::Input(origin),
            None => lazuli_logic::RefValue::Null,
        }
    }
}
