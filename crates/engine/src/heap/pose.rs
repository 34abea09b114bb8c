//! Path-optimal symbolic execution (POSE): a reference is a symbol, and aliasing lives in `ite` terms.
//!
//! The heap H is kept by columns: for every field, the objects (input symbols and locations) in which it has a value, and
//! that value. A first read of `Y.f` names its initial value Z and gives `Y.f` the value
//! `ite(Y = Y1, H(Y1)(f), … Z)` over the symbols that have one; a write through any reference updates every object it may
//! denote. Nothing forks but what the program decides, and null dereferences.
//!
//! The rules are the corrected ones: null-ness is a clause of *every* access; a write through an `ite` first gives every
//! symbol it may denote a value for the field, and then updates all objects that have the field, locations too.

use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Selector, Type};

use super::bound::Bound;
use super::choice::distribute;
use super::{Cases, Effect, HeapModel};
use crate::context::Context;
use crate::input::InputHeap;
use crate::outcome::NULL_POINTER;
use crate::planted::Planted;
use crate::witness::{Builder, Concrete, Witness};

pub struct Pose;

/// The objects that have a value for one field, in the order in which they got it.
type Column = Rc<Vec<(Term, Term)>>;

#[derive(Clone, Default)]
pub struct Heap {
    columns: Rc<Vec<Column>>,
    /// The classes of the objects that the program allocated.
    locations: Rc<Vec<ClassId>>,
    /// Initial values in the order in which they were named: the holder, the field and the symbol Z.
    initial: Rc<Vec<(Symbol, FieldId, Term)>>,
    roots: Rc<Vec<Term>>,
    receiver: Option<Term>,
    bound: Bound,
}

pub struct Write {
    object: Term,
    field: FieldId,
    value: Term,
}

impl Heap {
    fn column(&self, field: FieldId) -> &[(Term, Term)] {
        self.columns.get(field.index()).map_or(&[], |column| column.as_slice())
    }

    fn column_mut(&mut self, field: FieldId) -> &mut Vec<(Term, Term)> {
        let columns = Rc::make_mut(&mut self.columns);
        if columns.len() <= field.index() {
            columns.resize_with(field.index() + 1, Rc::default);
        }
        Rc::make_mut(&mut columns[field.index()])
    }

    fn value(&self, field: FieldId, object: Term) -> Option<Term> {
        self.column(field).iter().find(|(o, _)| *o == object).map(|(_, v)| *v)
    }

    /// Gives `symbol.field` its value, with a name for the initial one.
    fn refine(&mut self, cx: &mut Context, symbol: Term, field: FieldId) {
        if self.value(field, symbol).is_some() {
            return;
        }
        let holder = cx.terms.as_symbol(symbol).expect("only input symbols are refined");
        let initial = cx.field_symbol(holder, field);
        let mut value = initial;
        for (object, current) in self.column(field).to_vec() {
            if Planted::PoseInitialisesPlain.here() {
                break;
            }
            let alias = self.alias(cx, symbol, object);
            value = cx.terms.ite(alias, current, value);
        }
        self.column_mut(field).push((symbol, value));
        Rc::make_mut(&mut self.initial).push((holder, field, initial));
    }

    /// A reference is loaded: the clause that keeps the input within the bounds.
    fn bound(&mut self, cx: &mut Context, value: Term) -> Term {
        if cx.k.is_none() && cx.n.is_none() {
            return Term::TRUE;
        }
        let mut bounds = Term::TRUE;
        for &(leaf, guard) in cx.terms.leaves(value).iter() {
            if cx.terms.as_symbol(leaf).is_some() {
                let bound = self.bound.enter(cx, leaf, guard);
                bounds = cx.terms.and(bounds, bound);
            }
        }
        bounds
    }

    /// Whether two references denote one object, given that the first is not null.
    fn alias(&self, cx: &mut Context, symbol: Term, object: Term) -> Term {
        if let (Some(a), Some(b)) = (cx.terms.as_symbol(symbol), cx.terms.as_symbol(object)) {
            let (a, b) = (&cx.terms.symbol_info(a).classes, &cx.terms.symbol_info(b).classes);
            let meet = a.iter().any(|&(l, h)| b.iter().any(|&(m, i)| l <= i && m <= h));
            if !meet {
                return Term::FALSE;
            }
        }
        cx.terms.eq(symbol, object)
    }

    /// Refines every symbol that `object` may denote.
    fn refine_leaves(&mut self, cx: &mut Context, object: Term, field: FieldId) {
        for &(leaf, _) in cx.terms.leaves(object).iter() {
            if cx.terms.as_symbol(leaf).is_some() && self.may_have(cx, leaf, field) {
                self.refine(cx, leaf, field);
            }
        }
    }

    /// Whether the class of a leaf can have the field: after a cast, the other leaves of an `ite` may not.
    fn may_have(&self, cx: &Context, leaf: Term, field: FieldId) -> bool {
        let class = cx.program.field(field).class;
        let last = cx.program.class(class).last;
        match (cx.terms.as_symbol(leaf), leaf.as_location()) {
            (Some(symbol), _) => {
                cx.terms.symbol_info(symbol).classes.iter().any(|&(low, high)| low <= last.0 && class.0 <= high)
            }
            (_, Some(location)) => cx.program.is_subclass(self.locations[location as usize], class),
            _ => false,
        }
    }

    /// The condition under which a reference is not null: nn(σ).
    fn non_null(&self, cx: &mut Context, object: Term) -> Term {
        if object.as_location().is_some() || self.receiver == Some(object) {
            return Term::TRUE;
        }
        let bound = |column: &Column| column.iter().any(|(known, _)| *known == object);
        if Planted::PoseBoundIsNonNull.here() && self.columns.iter().any(bound) {
            return Term::TRUE;
        }
        let null = cx.terms.eq(object, Term::NULL);
        cx.terms.not(null)
    }

    /// The condition that the object a reference denotes has one of the classes; on null it may be anything.
    fn class_guard(&self, cx: &mut Context, object: Term, intervals: &[(u32, u32)]) -> Term {
        let mut cases = Vec::new();
        for &(leaf, guard) in cx.terms.leaves(object).iter() {
            let is = match (cx.terms.as_symbol(leaf), leaf.as_location()) {
                (Some(_), _) => cx.in_classes(leaf, intervals),
                (_, Some(location)) => {
                    let class = self.locations[location as usize].0;
                    Term::bool(intervals.iter().any(|&(low, high)| (low..=high).contains(&class)))
                }
                _ => Term::TRUE,
            };
            cases.push(cx.terms.and(guard, is));
        }
        cx.terms.any(cases)
    }

    /// Reads a field through any reference that is not null.
    fn read(&self, cx: &mut Context, object: Term, field: FieldId) -> Term {
        let value = distribute(cx, object, |_, leaf| self.value(field, leaf));
        value.unwrap_or_else(|| cx.default_value(cx.program.field(field).ty))
    }
}

impl HeapModel for Pose {
    type Heap = Heap;
    type Change = Write;

    /// Only the clauses that keep the input within bounds grow; without bounds the terms stay as the paper has them.
    fn restricts(&self, cx: &Context) -> bool {
        cx.k.is_some() || cx.n.is_some()
    }

    fn empty(&self) -> Heap {
        Heap::default()
    }

    fn input(&self, cx: &mut Context, heap: &mut Heap, symbol: Term, ty: Type, receiver: bool) -> Term {
        if !heap.roots.contains(&symbol) {
            Rc::make_mut(&mut heap.roots).push(symbol);
        }
        if receiver {
            debug_assert!(ty.is_ref());
            heap.receiver = Some(symbol);
            heap.bound.enter(cx, symbol, Term::TRUE);
        }
        symbol
    }

    fn alloc(&self, cx: &mut Context, heap: &mut Heap, class: ClassId) -> Term {
        let locations = Rc::make_mut(&mut heap.locations);
        let object = Term::location(locations.len() as u32);
        locations.push(class);
        for &field in &cx.program.class(class).layout {
            let value = cx.default_value(cx.program.field(field).ty);
            heap.column_mut(field).push((object, value));
        }
        object
    }

    fn load(&self, cx: &mut Context, heap: &mut Heap, value: Term, cases: &mut Cases<Write>) {
        let bound = heap.bound(cx, value);
        cases.bounded(cx, bound, Effect::Value(value));
    }

    fn read(&self, cx: &mut Context, heap: &mut Heap, object: Term, field: FieldId, cases: &mut Cases<Write>) {
        if object.is_null() {
            return cases.only(Effect::Throw(NULL_POINTER));
        }
        let object_bound = heap.bound(cx, object);
        let non_null = heap.non_null(cx, object);
        heap.refine_leaves(cx, object, field);
        let value = heap.read(cx, object, field);
        let value_bound = if cx.program.field(field).ty.is_ref() { heap.bound(cx, value) } else { Term::TRUE };
        let bound = cx.terms.and(object_bound, value_bound);
        cases.checked(cx, non_null, bound, None, Effect::Value(value), NULL_POINTER);
    }

    fn write(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        object: Term,
        field: FieldId,
        value: Term,
        cases: &mut Cases<Write>,
    ) {
        if object.is_null() {
            return cases.only(Effect::Throw(NULL_POINTER));
        }
        // A plain symbol's field need not be initialised before it is overwritten; each of several must be.
        let object_bound = heap.bound(cx, object);
        let value_bound = if cx.program.field(field).ty.is_ref() { heap.bound(cx, value) } else { Term::TRUE };
        let bound = cx.terms.and(object_bound, value_bound);
        let non_null = heap.non_null(cx, object);
        if cx.terms.as_symbol(object).is_none() && !Planted::PoseWritesUnrefined.here() {
            heap.refine_leaves(cx, object, field);
        }
        let write = Write { object, field, value };
        cases.checked(cx, non_null, bound, Some(write), Effect::Value(value), NULL_POINTER);
    }

    fn ref_eq(&self, cx: &mut Context, heap: &mut Heap, a: Term, b: Term, cases: &mut Cases<Write>) {
        let (a_bound, b_bound) = (heap.bound(cx, a), heap.bound(cx, b));
        let bound = cx.terms.and(a_bound, b_bound);
        let mut equal = cx.terms.eq(a, b);
        if Planted::PoseAllocatedNeverEqual.here() && a != b && (a.as_location().or(b.as_location())).is_some() {
            equal = Term::FALSE;
        }
        cases.bounded(cx, bound, Effect::Value(equal));
    }

    fn is_null(&self, cx: &mut Context, _heap: &Heap, value: Term) -> Term {
        cx.terms.eq(value, Term::NULL)
    }

    fn instance_of(&self, cx: &mut Context, heap: &mut Heap, value: Term, class: ClassId, cases: &mut Cases<Write>) {
        let bound = heap.bound(cx, value);
        let non_null = heap.non_null(cx, value);
        let is = heap.class_guard(cx, value, &[(class.0, cx.program.class(class).last.0)]);
        let both = cx.terms.and(non_null, is);
        cases.bounded(cx, bound, Effect::Value(both));
    }

    fn dispatch(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        receiver: Term,
        class: ClassId,
        selector: Selector,
        cases: &mut Cases<Write>,
    ) {
        let bound = heap.bound(cx, receiver);
        cases.exhaustive &= bound == Term::TRUE;
        let non_null = heap.non_null(cx, receiver);
        let within = cx.terms.and(non_null, bound);
        cases.implementations(cx, within, non_null, class, selector, |cx, intervals| {
            heap.class_guard(cx, receiver, intervals)
        });
    }

    fn apply(&self, cx: &mut Context, heap: &mut Heap, write: Write) {
        let Write { object, field, value } = write;
        let plain = cx.terms.as_symbol(object).is_some() || object.as_location().is_some();
        for i in 0..heap.column(field).len() {
            let (target, current) = heap.column(field)[i];
            if Planted::PoseWritesLeavesOnly.here() && cx.terms.leaves(object).iter().all(|(leaf, _)| *leaf != target)
                || Planted::PoseWritesNoLocations.here() && !plain && target.as_location().is_some()
            {
                continue;
            }
            let denotes = match plain {
                true if target == object => Term::TRUE,
                true => heap.alias(cx, object, target),
                false => cx.terms.eq(object, target),
            };
            if denotes != Term::FALSE {
                let updated = cx.terms.ite(denotes, value, current);
                heap.column_mut(field)[i].1 = updated;
            }
        }
        if plain && heap.value(field, object).is_none() {
            heap.column_mut(field).push((object, value));
        }
    }

    fn witness(&self, cx: &mut Context, heap: &Heap, model: &Model) -> Witness {
        let mut builder = Builder::new(&cx.terms, model);
        for &root in heap.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            let value = builder.value(symbol);
            builder.witness.roots.push((cx.terms.symbol_name(symbol), value));
        }
        // Symbols that are equal denote one object; its initial field is that of the symbol that was named first.
        for &(holder, field, initial) in heap.initial.iter() {
            let Some(index) = builder.object_of(holder) else { continue };
            let class = builder.witness.objects[index].class;
            if !cx.program.is_subclass(class, cx.program.field(field).class) {
                continue;
            }
            let initial = cx.terms.as_symbol(initial).expect("an initial value is a symbol");
            if builder.witness.objects[index].fields.iter().all(|(f, _)| *f != field) {
                let value: Concrete = builder.value(initial);
                builder.witness.objects[index].fields.push((field, value));
            }
        }
        builder.witness
    }

    fn represents(&self, _cx: &Context, _heap: &Heap, input: &InputHeap) -> Option<Rc<Model>> {
        // A symbol names the initial value at the end of an access path: there is nothing else to match.
        Some(input.by_path.clone())
    }

    fn choices(&self, _cx: &Context, _heap: &Heap) -> Vec<String> {
        Vec::new()
    }

    fn show(&self, cx: &mut Context, heap: &Heap, value: Term) -> String {
        match value.as_location() {
            Some(location) => format!("new {}", cx.program.class(heap.locations[location as usize]).name),
            None => cx.show(value),
        }
    }

    /// H: every object with the fields that have a value.
    fn draw(&self, cx: &mut Context, heap: &Heap) -> Vec<String> {
        let mut objects: Vec<(Term, Vec<String>)> = Vec::new();
        for (index, column) in heap.columns.iter().enumerate() {
            for &(object, value) in column.iter() {
                let text = format!("{} = {}", cx.program.fields[index].name, self.show(cx, heap, value));
                match objects.iter_mut().find(|(o, _)| *o == object) {
                    Some((_, fields)) => fields.push(text),
                    None => objects.push((object, vec![text])),
                }
            }
        }
        let line = |(object, fields): (Term, Vec<String>)| {
            format!("{} {{ {} }}", self.show(cx, heap, object), fields.join(", "))
        };
        objects.into_iter().map(line).collect()
    }
}
