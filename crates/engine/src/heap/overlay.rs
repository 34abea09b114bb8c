//! What a path has written into objects that all paths share.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::FieldId;
use rustc_hash::FxHashMap;

use crate::context::Context;

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    /// By the number of the cell.
    cells: Rc<FxHashMap<u32, Term>>,
}

impl Overlay {
    pub fn get(&self, cx: &Context, location: u32, field: FieldId) -> Term {
        let cell = cx.shared_cell(location, field);
        self.cells.get(&cell).copied().unwrap_or_else(|| cx.shared.cell(cell))
    }

    pub fn set(&mut self, cx: &Context, location: u32, field: FieldId, value: Term) {
        self.set_cell(cx.shared_cell(location, field), value);
    }

    pub(crate) fn set_cell(&mut self, cell: u32, value: Term) {
        Rc::make_mut(&mut self.cells).insert(cell, value);
    }

    /// The cells that were written, in order.
    pub(crate) fn written(&self) -> Vec<(u32, Term)> {
        let mut written: Vec<(u32, Term)> = self.cells.iter().map(|(cell, value)| (*cell, *value)).collect();
        written.sort_unstable_by_key(|(cell, _)| *cell);
        written
    }
}
