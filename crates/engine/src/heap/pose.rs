//! Path-optimal symbolic execution (POSE): a reference is a symbol, and aliasing lives in `ite` terms.
//!
//! Nothing forks but what the program decides, and null dereferences. The fields of input objects have two
//! representations ([`fields`]): as functions under a log of writes, the default, and as it was published. Objects of the
//! program have all their fields.
//!
//! The rules are the corrected ones: null-ness is a clause of *every* access; a write through an `ite` updates all objects
//! that have the field, locations too.

mod classes;
mod columns;
mod fields;
mod first_loads;
mod load;
mod log;
#[cfg(test)]
mod tests;
mod told;

use std::borrow::Cow;
use std::marker::PhantomData;
use std::rc::Rc;

pub use columns::Columns;
use fields::{Bounds, Fields};
pub use log::Log;
use told::{Names, Sameness};

use lazuli_logic::{ClassSet, Model, Origin, Sort, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::allocated::Allocated;
use super::arrays::{Arrays, Before};
use super::choice::distribute;
use super::{Cases, Elements, Enumerating, Found, Given, Memory, Overlay, PossibleClasses, Seen, View};
use crate::context::{Assumed, Assumptions, Context, Told};
use crate::input::InputHeap;
use crate::outcome::NULL_POINTER;
use crate::planted::Planted;
use crate::witness::{Builder, Concrete, Witness};

/// By a representation of the fields of input objects.
#[derive(Default)]
pub struct Pose<F = Log>(PhantomData<F>);

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Heap<F: Fields> {
    fields: F,
    allocated: Allocated,
    arrays: Arrays,
    /// Initial values in the order in which they were named: the holder, the field and the symbol Z.
    initial: Rc<Vec<(Symbol, FieldId, Term)>>,
    names: Names,
    roots: Rc<Vec<Term>>,
    receiver: Option<Term>,
    bound: F::Bounds,
}

pub enum Write {
    Field { object: Term, field: FieldId, value: Term },
    Element { array: Term, index: Term, value: Term },
}

impl<F: Fields> Heap<F> {
    /// The value of a field in one object; `None` if that object cannot have it.
    fn value(&self, cx: &Context, field: FieldId, object: Term) -> Option<Term> {
        match object.as_location() {
            Some(location) => self.allocated.has(cx, location, field).then(|| self.allocated.get(cx, location, field)),
            None => self.fields.value(field, object),
        }
    }

    /// The initial value of a field that has a name, `heap.initial[at]`: that of the first name that the object has for it.
    fn named_before(
        &self,
        cx: &mut Context,
        known: Option<&dyn Assumptions>,
        object: Term,
        field: FieldId,
        at: usize,
        mut value: Term,
    ) -> Term {
        let sameness = Sameness::new(known, &self.names, object);
        for &(holder, _, name) in self.initial[..at].iter().rev().filter(|(_, f, _)| *f == field) {
            let other = cx.terms.symbol_info(holder).term;
            value = match sameness.with(cx, other) {
                Term::FALSE => value,
                same => cx.terms.ite(same, name, value),
            };
        }
        value
    }

    /// Refines every symbol that `object` may denote.
    fn refine_leaves(&mut self, cx: &mut Context, object: Term, field: FieldId, cases: &mut Cases<Write>) {
        let assumed = std::mem::take(&mut cx.assumed);
        for &(leaf, _) in cx.terms.leaves(object).iter() {
            // After a cast, the other leaves of an `ite` may not have the field.
            let symbol = cx.terms.as_symbol(leaf);
            let has_field = symbol.is_some_and(|symbol| cx.may_be(symbol, cx.program.field(field).class));
            if has_field && self.fields.value(field, leaf).is_none() && !cx.is_closed(leaf) {
                F::refine(self, cx, assumed.0.as_deref(), leaf, field, &mut cases.fact);
            }
        }
        cx.assumed = assumed;
    }

    /// The condition under which a reference is not null: nn(σ).
    fn non_null(&self, cx: &mut Context, object: Term) -> Term {
        let is_known = object.as_location().is_some() || self.receiver == Some(object) || cx.terms.is_unique(object);
        if is_known || matches!(cx.told(object), Told::Object(_)) {
            return Term::TRUE;
        }
        if Planted::PoseBoundIsNonNull.here() && self.fields.binds(object) {
            return Term::TRUE;
        }
        let null = cx.terms.eq(object, Term::NULL);
        cx.terms.not(null)
    }

    /// Reads a field through any reference that is not null.
    fn read(&self, cx: &mut Context, object: Term, field: FieldId) -> Term {
        let left_out = Planted::PoseReadsNoLocations.here() && object.as_location().is_none();
        let value = distribute(cx, object, |cx, leaf| match leaf.as_location().filter(|_| left_out) {
            Some(_) => None,
            None => self.value_at(cx, field, leaf),
        });
        value.unwrap_or_else(|| cx.default_value(cx.program.field(field).ty))
    }

    /// The value of a field in what a leaf denotes: where that exists before the entry, what is there.
    fn value_at(&self, cx: &mut Context, field: FieldId, leaf: Term) -> Option<Term> {
        let mut value = self.value(cx, field, leaf);
        let Some(choice) = cx.choice_of(leaf) else { return value };
        for &(location, _) in choice.objects.iter().rev() {
            if !self.allocated.has(cx, location, field) {
                continue;
            }
            let there = self.allocated.get(cx, location, field);
            value = Some(match value {
                None => there,
                Some(value) => {
                    let same = cx.terms.eq(leaf, Term::location(location));
                    cx.terms.ite(same, there, value)
                }
            });
        }
        value
    }

    /// Writes a field of the objects that exist before the entry, where a reference denotes one of them.
    fn write_existing(&mut self, cx: &mut Context, object: Term, field: FieldId, value: Term) {
        for &(leaf, guard) in cx.terms.leaves(object).iter() {
            let Some(choice) = cx.choice_of(leaf) else { continue };
            for &(location, _) in &choice.objects {
                if self.allocated.has(cx, location, field) {
                    let same = cx.terms.eq(leaf, Term::location(location));
                    let here = cx.terms.and(guard, same);
                    let updated = cx.terms.ite(here, value, self.allocated.get(cx, location, field));
                    self.allocated.set(cx, location, field, updated);
                }
            }
        }
    }

    /// A model that says of all initial values what follows from those that the path speaks of.
    fn completed<'m>(&self, cx: &Context, model: &'m Model) -> Cow<'m, Model> {
        if !cx.terms.has_applications() {
            return Cow::Borrowed(model);
        }
        let mut symbols: Vec<Symbol> = self.initial.iter().filter_map(|(.., name)| cx.terms.as_symbol(*name)).collect();
        symbols.sort_unstable();
        Cow::Owned(model.completed(&cx.terms, &symbols))
    }

    /// What the elements of a leaf were at first.
    fn before(&self, cx: &mut Context, leaf: Term, element: Type) -> Before {
        match cx.terms.as_symbol(leaf) {
            Some(symbol) => Before::Unknown(symbol),
            None => Before::Default(cx.default_value(crate::java::cell(element))),
        }
    }
}

impl<F: Fields> Heap<F> {
    /// Writes a field of every object that a reference may denote.
    fn write(&mut self, cx: &mut Context, object: Term, field: FieldId, value: Term) {
        if let Some(location) = object.as_location() {
            return self.allocated.set(cx, location, field, value);
        }
        self.write_existing(cx, object, field, value);
        if cx.is_closed(object) {
            return;
        }
        F::write(self, cx, object, field, value);
        for &(leaf, guard) in cx.terms.leaves(object).iter() {
            let Some(location) = leaf.as_location() else { continue };
            if self.allocated.has(cx, location, field) && !Planted::PoseWritesNoLocations.here() {
                let updated = cx.terms.ite(guard, value, self.allocated.get(cx, location, field));
                self.allocated.set(cx, location, field, updated);
            }
        }
    }
}

impl<F: Fields> Memory for Pose<F> {
    type Heap = Heap<F>;
    type Change = Write;

    /// Only the clauses that keep the input within bounds, and valid, grow; without them the terms stay as the paper has them.
    fn restricts(&self, cx: &Context) -> bool {
        cx.minds_loads()
    }

    fn is_unwritten(&self, before: &Heap<F>, now: &Heap<F>) -> bool {
        now.fields.is_unwritten(&before.fields)
            && now.allocated == before.allocated
            && now.arrays.is_unwritten(&before.arrays)
    }

    fn input(&self, cx: &mut Context, heap: &mut Heap<F>, symbol: Term, ty: Type, given: Given) -> Term {
        if !heap.roots.contains(&symbol) {
            Rc::make_mut(&mut heap.roots).push(symbol);
        }
        if given == Given::Receiver {
            debug_assert!(ty.is_ref());
            // Where it may be an object that exists before the entry, it is not its own.
            heap.receiver = Some(symbol).filter(|_| !cx.may_exist(symbol));
            heap.bound.receive(cx, symbol);
        }
        symbol
    }

    fn alloc(&self, cx: &mut Context, heap: &mut Heap<F>, class: ClassId) -> Term {
        heap.allocated.alloc(cx, class)
    }

    fn preset(&self, cx: &mut Context, heap: &mut Heap<F>, object: Term, field: FieldId, value: Term) {
        heap.allocated.set(cx, object.as_location().expect("an object of the program"), field, value);
    }

    fn is_loaded(&self, heap: &Heap<F>, assumed: &Assumed, value: Term) -> bool {
        heap.receiver == Some(value) || assumed.told(value) != Told::Open
    }

    fn touch(&self, cx: &mut Context, heap: &mut Heap<F>, value: Term, cases: &mut Cases<Write>) {
        let bound = heap.bound(cx, value, true);
        cases.bounded(cx, bound, Found::Value(value));
    }

    fn get(&self, cx: &mut Context, heap: &mut Heap<F>, object: Term, field: FieldId, cases: &mut Cases<Write>) {
        let object = match heap.told(cx, object) {
            Told::Null => return cases.only(Found::Throw(NULL_POINTER)),
            Told::Object(object) => match heap.plain_value(cx, object, field) {
                Some(value) => return cases.only(Found::Value(value)),
                None => object,
            },
            Told::Open => object,
        };
        if heap.is_decided_first(cx, object, field, cases) {
            return;
        }
        let bound = heap.bound(cx, object, true);
        if heap.looks_at(cx, object, cases) {
            return;
        }
        let (object_bound, non_null) = heap.holder_bound(cx, object, bound);
        cases.loaded = object_bound;
        if heap.is_checked_first(cx, object, field, non_null) {
            return cases.checked(cx, non_null, object_bound, None, None, NULL_POINTER);
        }
        heap.refine_leaves(cx, object, field, cases);
        let value = heap.read(cx, object, field);
        let value = cx.known(value);
        let is_ref = cx.program.field(field).ty.is_ref();
        if is_ref && non_null == Term::TRUE && heap.is_forced(cx, value, cases) {
            return;
        }
        let value_bound = heap.field_bound(cx, field, value, non_null);
        let bound = cx.terms.and(object_bound, value_bound);
        cases.checked(cx, non_null, bound, None, Found::Value(value), NULL_POINTER);
    }

    fn put(
        &self,
        cx: &mut Context,
        heap: &mut Heap<F>,
        object: Term,
        field: FieldId,
        value: Term,
        cases: &mut Cases<Write>,
    ) {
        let told_value = heap.told_value(cx, field, value);
        let object = match (heap.told(cx, object), told_value) {
            (Told::Null, _) => return cases.only(Found::Throw(NULL_POINTER)),
            (Told::Object(object), Some(value)) => {
                let write = Write::Field { object, field, value };
                return cases.push(Term::TRUE, false, Some(write), Found::Value(value));
            }
            (Told::Object(object), None) => object,
            (Told::Open, _) => object,
        };
        let value = told_value.unwrap_or(value);
        // A plain symbol's field need not be initialised before it is overwritten; each of several must be.
        let bound = heap.bound(cx, object, true);
        if heap.looks_at(cx, object, cases) {
            return;
        }
        let (object_bound, non_null) = heap.holder_bound(cx, object, bound);
        cases.loaded = object_bound;
        if heap.is_checked_first(cx, object, field, non_null) {
            return cases.checked(cx, non_null, object_bound, None, None, NULL_POINTER);
        }
        let value_bound = heap.field_bound(cx, field, value, non_null);
        let bound = cx.terms.and(object_bound, value_bound);
        if F::REFINES_FIRST && cx.terms.as_symbol(object).is_none() && !Planted::PoseWritesUnrefined.here() {
            heap.refine_leaves(cx, object, field, cases);
        }
        let write = Write::Field { object, field, value };
        cases.checked(cx, non_null, bound, Some(write), Found::Value(value), NULL_POINTER);
    }

    fn same(&self, cx: &mut Context, heap: &mut Heap<F>, a: Term, b: Term, cases: &mut Cases<Write>) {
        if let Some(equal) = heap.told_equal(cx, a, b) {
            return cases.only(Found::Value(Term::bool(equal)));
        }
        let (a, b) = (cx.known(a), cx.known(b));
        let (a_bound, b_bound) = (heap.bound(cx, a, true), heap.bound(cx, b, true));
        let bound = cx.terms.and(a_bound, b_bound);
        let mut equal = match matches!(cx.told(a), Told::Object(_)) && cx.are_apart(a, b) {
            true => Term::FALSE,
            false => cx.terms.eq(a, b),
        };
        if Planted::PoseAllocatedNeverEqual.here() && a != b && (a.as_location().or(b.as_location())).is_some() {
            equal = Term::FALSE;
        }
        let is_new = |reference: Term| reference.as_location().is_some();
        let is_input = |reference: Term| cx.terms.as_symbol(reference).is_some();
        if Planted::PoseNewObjectsNotApart.here() && (is_new(a) && is_input(b) || is_input(a) && is_new(b)) {
            equal = cx.terms.symbol(Origin::Root("may be new".into(), 0), Sort::Bool, &ClassSet::default());
        }
        cases.bounded(cx, bound, Found::Value(equal));
    }

    fn is_null(&self, cx: &mut Context, _heap: &Heap<F>, value: Term) -> Term {
        cx.terms.eq(value, Term::NULL)
    }

    fn look(
        &self,
        cx: &mut Context,
        heap: &mut Heap<F>,
        value: Term,
        follows: bool,
        cases: &mut Cases<Write>,
    ) -> Option<Seen> {
        if matches!(heap.told(cx, value), Told::Object(_)) {
            return Some(Seen { value, non_null: Term::TRUE, bound: Term::TRUE });
        }
        let bound = heap.bound(cx, value, true);
        if follows && heap.looks_at(cx, value, cases) {
            return None;
        }
        Some(Seen { value, non_null: heap.non_null(cx, value), bound })
    }

    fn possible(&self, cx: &mut Context, heap: &Heap<F>, value: Term) -> PossibleClasses {
        heap.possible(cx, value)
    }

    fn instance(&self, cx: &mut Context, heap: &Heap<F>, value: Term, classes: &[(u32, u32)]) -> Term {
        heap.class_guard(cx, value, classes)
    }

    fn shared<'h>(&self, heap: &'h mut Heap<F>) -> &'h mut Overlay {
        &mut heap.allocated.shared
    }

    fn apply(&self, cx: &mut Context, heap: &mut Heap<F>, write: Write) {
        match write {
            Write::Field { object, field, value } => heap.write(cx, object, field, value),
            Write::Element { array, index, value } => {
                for &(leaf, guard) in cx.terms.leaves(array).iter() {
                    if !leaf.is_null() {
                        heap.arrays.write(cx, leaf, guard, index, value);
                    }
                }
            }
        }
    }
}

impl<F: Fields> Elements for Pose<F> {
    fn arrays<'h>(&self, heap: &'h mut Heap<F>) -> &'h mut Arrays {
        &mut heap.arrays
    }

    fn input_symbol(&self, cx: &Context, _heap: &Heap<F>, leaf: Term) -> Option<Symbol> {
        cx.terms.as_symbol(leaf)
    }

    fn element(
        &self,
        cx: &mut Context,
        heap: &mut Heap<F>,
        array: Term,
        index: Term,
        element: Type,
        cases: &mut Cases<Write>,
    ) {
        if element.is_ref() && heap.is_placed_first(cx, array, index, cases) {
            return;
        }
        let mut arrays = std::mem::take(&mut heap.arrays);
        let value = distribute(cx, array, |cx, leaf| {
            let element = heap.element_type(cx, leaf, element)?;
            let before = heap.before(cx, leaf, element);
            Some(arrays.read(cx, leaf, before, index, element, crate::java::input_element(element)))
        });
        heap.arrays = arrays;
        let value = value.unwrap_or_else(|| cx.default_value(element));
        if element.is_ref() {
            for &(leaf, _) in cx.terms.leaves(value).iter() {
                if let Some(choice) = cx.choice_of(leaf) {
                    cases.fact = cx.terms.and(cases.fact, choice.clause);
                }
            }
        }
        let bound = if element.is_ref() { heap.bound(cx, value, false) } else { Term::TRUE };
        cases.bounded(cx, bound, Found::Value(value));
    }

    fn set_element(
        &self,
        _cx: &mut Context,
        _heap: &mut Heap<F>,
        array: Term,
        index: Term,
        value: Term,
        cases: &mut Cases<Write>,
    ) {
        cases.push(Term::TRUE, false, Some(Write::Element { array, index, value }), Found::Value(value));
    }
}

impl<F: Fields> Enumerating for Pose<F> {
    /// An object may have been looked at by another name.
    fn is_resolved(
        &self,
        cx: &mut Context,
        heap: &mut Heap<F>,
        object: Term,
        field: FieldId,
        cases: &mut Cases<Write>,
    ) {
        let object = cx.known(object);
        if object.is_null() {
            return cases.only(Found::Throw(NULL_POINTER));
        }
        let known: Vec<Term> = heap.fields.all().iter().filter(|(_, f, _)| *f == field).map(|(o, ..)| *o).collect();
        let resolved = distribute(cx, object, |cx, leaf| match cx.terms.as_symbol(leaf) {
            None if leaf.is_null() => None,
            None => Some(Term::TRUE),
            Some(_) => {
                let names: Vec<Term> = known.iter().map(|other| cx.terms.eq(leaf, *other)).collect();
                Some(cx.terms.any(names))
            }
        });
        let non_null = heap.non_null(cx, object);
        let resolved = Found::Value(resolved.unwrap_or(Term::TRUE));
        cases.checked(cx, non_null, Term::TRUE, None, resolved, NULL_POINTER);
    }
}

impl<F: Fields> View for Pose<F> {
    fn witness(&self, cx: &mut Context, heap: &Heap<F>, model: &Model) -> Witness {
        let model = &heap.completed(cx, model);
        let real: Vec<bool> = heap.initial.iter().map(|(holder, ..)| heap.is_real(cx, *holder, model)).collect();
        let mut builder = Builder::new(cx, model);
        for &root in heap.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            builder.root(cx, symbol);
        }
        // Symbols that are equal denote one object; its initial field is that of the symbol that was named first.
        for (&(holder, field, initial), _) in heap.initial.iter().zip(real).filter(|(_, real)| *real) {
            let Some(index) = builder.object_of(holder) else { continue };
            let class = builder.witness.objects[index].class;
            if !cx.program.is_subclass(class, cx.program.field(field).class) {
                continue;
            }
            // A field whose initial value is given by the class has no name.
            let Some(initial) = cx.terms.as_symbol(initial) else { continue };
            if builder.witness.objects[index].fields.iter().all(|(f, _)| *f != field) {
                let value: Concrete = builder.value(initial);
                builder.witness.objects[index].fields.push((field, value));
            }
        }
        builder.elements(&heap.arrays.initial());
        builder.witness
    }

    fn represents(&self, cx: &Context, heap: &Heap<F>, input: &InputHeap) -> Option<Rc<Model>> {
        // A symbol names the initial value at the end of an access path: there is nothing else to match.
        let mut model = input.by_path.clone();
        heap.bound.describe(cx, &mut model);
        if let Some(assumptions) = &cx.assumed.0 {
            assumptions.name_objects(cx, &mut model);
        }
        Some(model)
    }

    fn choices(&self, _cx: &Context, _heap: &Heap<F>) -> Vec<String> {
        Vec::new()
    }

    fn show(&self, cx: &mut Context, heap: &Heap<F>, value: Term) -> String {
        match value.as_location() {
            Some(location) => format!("new {}", cx.program.class(heap.allocated.class(cx, location)).name),
            None => cx.show(value),
        }
    }

    /// H: every object with the fields that have a value.
    fn draw(&self, cx: &mut Context, heap: &Heap<F>) -> Vec<String> {
        let mut objects: Vec<(Term, Vec<String>)> = Vec::new();
        for (object, field, value) in heap.fields.all() {
            let text = format!("{} = {}", cx.program.field(field).name, self.show(cx, heap, value));
            match objects.iter_mut().find(|(o, _)| *o == object) {
                Some((_, fields)) => fields.push(text),
                None => objects.push((object, vec![text])),
            }
        }
        for location in 0..heap.allocated.len() as u32 {
            let mut fields = Vec::new();
            for &field in &cx.program.class(heap.allocated.class(cx, location)).layout {
                let value = heap.allocated.get(cx, location, field);
                fields.push(format!("{} = {}", cx.program.field(field).name, self.show(cx, heap, value)));
            }
            objects.push((Term::location(location), fields));
        }
        let line = |(object, fields): (Term, Vec<String>)| {
            format!("{} {{ {} }}", self.show(cx, heap, object), fields.join(", "))
        };
        objects.into_iter().map(line).collect()
    }
}
