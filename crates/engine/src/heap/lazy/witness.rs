//! From a heap to concrete inputs and back: the witness of a model, the inputs that a heap represents, and its choices as text.

use std::rc::Rc;

use lazuli_logic::{Model, RefValue, Term, Value};
use lazuli_program::ir::ClassId;

use super::{Binding, Heap};
use crate::context::Context;
use crate::input::InputHeap;
use crate::shared::is_shared;
use crate::witness::{Builder, Concrete, Witness};

impl Heap {
    pub(super) fn witness(&self, cx: &mut Context, model: &Model) -> Witness {
        // Input objects are the model's objects: give every origin its own value first.
        let mut model = model.clone();
        for object in self.objects.iter() {
            if let Some(origin) = object.origin {
                let class = model.class(&cx.terms, origin);
                model.set(origin, Value::Ref(RefValue::Input(origin)));
                model.set_class(origin, class);
            }
        }
        for &(symbol, binding) in self.bindings.iter() {
            let value = match binding {
                Binding::To(value) => self.ref_value(cx, value),
                // Nobody asked which object: one of its own, or any constant of its class.
                Binding::NonNull => {
                    let class = ClassId(model.class(&cx.terms, symbol));
                    let constant = cx.choice(symbol).and_then(|_| cx.some_constant(class));
                    RefValue::Input(constant.unwrap_or(symbol))
                }
            };
            model.set(symbol, Value::Ref(value));
        }
        let mut builder = Builder::new(cx, &model);
        for &root in self.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            builder.root(cx, symbol);
        }
        for (number, object) in (0..).zip(self.objects.iter()) {
            let Some(origin) = object.origin else { continue };
            let index = builder.object_of(origin).expect("an expanded reference is not null");
            // The class the model chose says which fields its cells are.
            let class = builder.witness.objects[index].class;
            for (slot, &field) in cx.program.class(class).layout.iter().enumerate() {
                let Some(initial) = self.cells[object.first as usize + slot].initial else { continue };
                let value = match cx.terms.as_symbol(initial) {
                    Some(symbol) => builder.value(symbol),
                    // A constant that every object of the class starts with.
                    None if !cx.program.field(field).ty.is_ref() => continue,
                    None => match self.ref_value(cx, initial) {
                        RefValue::Input(object) => Concrete::Object(builder.object(object, object)),
                        _ => Concrete::Null,
                    },
                };
                builder.witness.objects[index].fields.push((field, value));
            }
            for &(_, field, name) in self.named.iter().filter(|(object, ..)| *object == number) {
                let known = builder.witness.objects[index].fields.iter().any(|(f, _)| *f == field);
                if !known && cx.program.is_subclass(class, cx.program.field(field).class) {
                    let value = builder.value(name);
                    builder.witness.objects[index].fields.push((field, value));
                }
            }
        }
        builder.elements(&self.arrays.initial());
        builder.witness
    }

    pub(super) fn represents(&self, cx: &Context, input: &InputHeap) -> Option<Rc<Model>> {
        // Two input locations are two objects.
        let mut concrete: Vec<Option<Concrete>> = Vec::with_capacity(self.objects.len());
        for object in self.objects.iter() {
            let value = object.origin.map(|origin| input.path_value(origin));
            if value == Some(Concrete::Null) || value.is_some() && concrete.contains(&value) {
                return None;
            }
            concrete.push(value);
        }
        let is = |value: Concrete, resolved: Term| match resolved.as_location() {
            None => value == Concrete::Null,
            Some(location) if is_shared(location) => input.is_existing(cx, value, location),
            Some(location) => concrete[location as usize] == Some(value),
        };
        let matches = self.bindings.iter().all(|&(symbol, binding)| match binding {
            Binding::NonNull => input.path_value(symbol) != Concrete::Null,
            Binding::To(resolved) => is(input.path_value(symbol), resolved),
        });
        if !matches {
            return None;
        }
        for (object, value) in self.objects.iter().zip(&concrete) {
            let Some(Concrete::Object(index)) = *value else { continue };
            for (slot, &field) in cx.program.class(input.heap.objects[index].class).layout.iter().enumerate() {
                let initial = self.cells.get(object.first as usize + slot).and_then(|cell| cell.initial);
                // Without a symbol it was resolved on the spot.
                let resolved = initial.filter(|v| cx.program.field(field).ty.is_ref() && v.index().is_none());
                if resolved.is_some_and(|v| !input.field(cx, index, field).is_some_and(|value| is(value, v))) {
                    return None;
                }
            }
        }
        Some(input.by_path.clone())
    }

    pub(super) fn choices(&self, cx: &Context) -> Vec<String> {
        let mut choices = Vec::new();
        let mut state = |name: String, value: Term| {
            let existing = value.as_location().and_then(|location| cx.constant_of(location));
            let text = match value.as_location().and_then(|l| self.origin(l)).or(existing) {
                None => format!("{name} == null"),
                Some(origin) if cx.terms.symbol_name(origin) == name => format!("{name} is new"),
                Some(origin) => format!("{name} == {}", cx.terms.symbol_name(origin)),
            };
            choices.push(text);
        };
        for &(symbol, binding) in self.bindings.iter() {
            if let Binding::To(value) = binding {
                state(cx.terms.symbol_name(symbol), value);
            }
        }
        for object in self.objects.iter() {
            let Some(origin) = object.origin else { continue };
            for (slot, &field) in cx.program.class(object.class).layout.iter().enumerate() {
                let initial = self.cells[object.first as usize + slot].initial;
                if let Some(value) = initial.filter(|v| v.index().is_none() && cx.program.field(field).ty.is_ref()) {
                    state(format!("{}.{}", cx.terms.symbol_name(origin), cx.program.field(field).name), value);
                }
            }
        }
        for &(symbol, binding) in self.bindings.iter() {
            let open = !self.bindings.iter().any(|(s, b)| *s == symbol && matches!(b, Binding::To(_)));
            if binding == Binding::NonNull && open {
                choices.push(format!("{} != null", cx.terms.symbol_name(symbol)));
            }
        }
        choices
    }

    /// A resolved reference as a value of a model.
    fn ref_value(&self, cx: &Context, value: Term) -> RefValue {
        let object = value.as_location().and_then(|location| match is_shared(location) {
            true => cx.constant_of(location),
            false => self.origin(location),
        });
        object.map_or(RefValue::Null, RefValue::Input)
    }
}
