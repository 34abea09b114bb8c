//! The objects that the program allocated: their classes and fields, all known.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId};

use crate::context::Context;

#[derive(Clone, Default)]
pub struct Allocated {
    /// For every location, its class and where its fields begin.
    objects: Rc<Vec<(ClassId, u32)>>,
    cells: Rc<Vec<Term>>,
}

impl Allocated {
    /// A new object with default fields.
    pub fn alloc(&mut self, cx: &mut Context, class: ClassId) -> Term {
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

    pub fn class(&self, location: u32) -> ClassId {
        self.objects[location as usize].0
    }

    /// Whether the object has the field: after a cast, the other leaves of an `ite` may not.
    pub fn has(&self, cx: &Context, location: u32, field: FieldId) -> bool {
        cx.program.is_subclass(self.class(location), cx.program.field(field).class)
    }

    pub fn get(&self, cx: &Context, location: u32, field: FieldId) -> Term {
        self.cells[self.place(cx, location, field)]
    }

    pub fn set(&mut self, cx: &Context, location: u32, field: FieldId, value: Term) {
        let at = self.place(cx, location, field);
        Rc::make_mut(&mut self.cells)[at] = value;
    }

    fn place(&self, cx: &Context, location: u32, field: FieldId) -> usize {
        (self.objects[location as usize].1 + cx.program.field(field).slot) as usize
    }
}
