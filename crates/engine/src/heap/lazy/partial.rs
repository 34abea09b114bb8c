//! The partial initial heap: the input as far as it has been resolved, for those that look at all of it.

use std::rc::Rc;

use lazuli_logic::{Sort, Term};
use lazuli_program::ir::ClassId;

use super::{Binding, Heap};
use crate::completions::{Known, Shape};
use crate::context::Context;
use crate::heap::Resolved;
use crate::shared::is_shared;

impl Heap {
    /// Without what the program wrote. Objects of the program are still there, but nothing leads to them.
    pub(super) fn partial_input(&self) -> Heap {
        let mut input = self.clone();
        input.arrays.forget_writes();
        input.shared = Default::default();
        let cells = Rc::make_mut(&mut input.cells);
        for (index, object) in self.objects.iter().enumerate().filter(|(_, object)| object.origin.is_some()) {
            let end = self.objects.get(index + 1).map_or(cells.len(), |next| next.first as usize);
            for cell in &mut cells[object.first as usize..end] {
                cell.current = cell.initial;
            }
        }
        input
    }

    pub(super) fn shape(&self, cx: &Context) -> Option<Shape> {
        let mut shape = Shape::default();
        if !self.arrays.initial().is_empty() {
            return None;
        }
        for &root in self.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            if cx.terms.symbol_info(symbol).sort == Sort::Ref
                && let Some(known) = self.known(cx, root)?
            {
                shape.roots.push((symbol, known));
            }
        }
        for (number, object) in (0..).zip(self.objects.iter()) {
            let Some(origin) = object.origin else { continue };
            let class = match *cx.terms.symbol_info(origin).classes {
                [(low, high)] if low == high => ClassId(low),
                _ => return None,
            };
            if cx.element_of(class).is_some() {
                return None;
            }
            shape.objects.push((number, origin, class));
            for (slot, &field) in cx.program.class(class).layout.iter().enumerate() {
                let initial = self.cells[object.first as usize + slot].initial;
                let Some(initial) = initial.filter(|_| cx.program.field(field).ty.is_ref()) else { continue };
                if let Some(known) = self.known(cx, initial)? {
                    shape.fields.insert((number, field), known);
                }
            }
        }
        Some(shape)
    }

    /// What is known of a reference, if anything is; `None` if it denotes what exists before the entry.
    fn known(&self, cx: &Context, reference: Term) -> Option<Option<Known>> {
        let value = match cx.terms.as_symbol(reference) {
            None => reference,
            Some(symbol) => match self.binding(symbol) {
                Some(Binding::To(value)) => value,
                Some(Binding::NonNull) => return Some(Some(Known::NotNull)),
                None => return Some(None),
            },
        };
        match value.as_location() {
            None => Some(Some(Known::Null)),
            Some(location) if is_shared(location) => None,
            Some(location) => Some(Some(Known::Object(location))),
        }
    }

    pub(super) fn all_resolved(&self, cx: &Context) -> Vec<Resolved> {
        let mut all = Vec::new();
        for (holder, object) in (0..).zip(self.objects.iter()).filter(|(_, object)| object.origin.is_some()) {
            let possible = self.possible_classes(cx, holder);
            let has = |number: u32, field| cx.program.is_subclass(ClassId(number), cx.program.field(field).class);
            for (slot, &field) in cx.program.class(object.class).layout.iter().enumerate() {
                // In an object of another class, this place may be another field's.
                if !possible.iter().flat_map(|&(low, high)| low..=high).all(|number| has(number, field)) {
                    continue;
                }
                let initial = self.cells[object.first as usize + slot].initial;
                let Some(initial) = initial.filter(|_| cx.program.field(field).ty.is_ref()) else { continue };
                let resolved = match cx.terms.as_symbol(initial).map(|symbol| self.binding(symbol)) {
                    None => initial,
                    Some(Some(Binding::To(value))) => value,
                    Some(_) => continue,
                };
                // What exists before the entry is no object of the input.
                if !resolved.as_location().is_some_and(is_shared) {
                    all.push(Resolved { holder, field, target: resolved.as_location() });
                }
            }
        }
        all
    }

    pub(super) fn is_open(&self, cx: &Context, value: Term) -> bool {
        cx.terms.as_symbol(value).is_some_and(|symbol| {
            cx.terms.symbol_info(symbol).sort == Sort::Ref && !matches!(self.binding(symbol), Some(Binding::To(_)))
        })
    }
}
