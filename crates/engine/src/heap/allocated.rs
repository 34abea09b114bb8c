//! The objects that the program allocated: their classes and fields, all known.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId};

use super::overlay::Overlay;
use crate::context::Context;
use crate::shared::is_shared;

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Allocated {
    /// For every location, its class and where its fields begin.
    objects: Rc<Vec<(ClassId, u32)>>,
    cells: Rc<Vec<Term>>,
    /// Of the objects that all paths share.
    pub shared: Overlay,
}

impl Allocated {
    /// A new object with default fields.
    pub fn alloc(&mut self, cx: &mut Context, class: ClassId) -> Term {
        if let Some(object) = cx.alloc_shared(class) {
            return object;
        }
        let objects = Rc::make_mut(&mut self.objects);
        let object = Term::location(objects.len() as u32);
        let cells = Rc::make_mut(&mut self.cells);
        objects.push((class, cells.len() as u32));
        for &field in &cx.program.class(class).layout {
            cells.push(cx.default_value(cx.program.field(field).ty));
        }
        object
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    pub fn class(&self, cx: &Context, location: u32) -> ClassId {
        match is_shared(location) {
            true => cx.shared.class(location),
            false => self.objects[location as usize].0,
        }
    }

    /// Whether the object has the field: after a cast, the other leaves of an `ite` may not.
    pub fn has(&self, cx: &Context, location: u32, field: FieldId) -> bool {
        cx.program.is_subclass(self.class(cx, location), cx.program.field(field).class)
    }

    pub fn get(&self, cx: &Context, location: u32, field: FieldId) -> Term {
        match is_shared(location) {
            true => self.shared.get(cx, location, field),
            false => self.cells[self.place(cx, location, field)],
        }
    }

    pub fn set(&mut self, cx: &Context, location: u32, field: FieldId, value: Term) {
        if is_shared(location) {
            return self.shared.set(cx, location, field, value);
        }
        let at = self.place(cx, location, field);
        Rc::make_mut(&mut self.cells)[at] = value;
    }

    fn place(&self, cx: &Context, location: u32, field: FieldId) -> usize {
        (self.objects[location as usize].1 + cx.program.field(field).slot) as usize
    }
}
