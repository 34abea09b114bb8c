//! Objects that exist before the entry and are not compared with an input, but written through one, or read through one after they were written: the
//! program can tell that way, too, that an input is one of them. What is accessed is remembered by fields, for all paths of a worker: an object too
//! many that may be an input changes no answer.

use lazuli_logic::Term;
use lazuli_program::ir::FieldId;
use lazuli_program::library::access;

use crate::accesses::WRITTEN;
use crate::executor::Executor;
use crate::existing::Existing;
use crate::heap::HeapModel;
use crate::shared::is_shared;
use crate::state::State;

impl<M: HeapModel> Executor<'_, M> {
    /// The program accesses a field of what a reference denotes.
    #[inline]
    pub(crate) fn accesses(&mut self, state: &State<M::Heap>, object: Term, field: FieldId, how: u8) {
        if !self.cx.program.semantics.loads_classes() || self.runs_for_all() {
            return;
        }
        match object.as_location() {
            Some(location) if is_shared(location) => self.accesses_existing(location, field, how),
            _ => self.accesses_input(state, object, field, how),
        }
    }

    fn accesses_input(&mut self, state: &State<M::Heap>, object: Term, field: FieldId, how: u8) {
        let known = self.start.accesses.inputs.get(field.index()).copied().unwrap_or_default();
        if known & how == how {
            return;
        }
        let is_input = match object.as_location() {
            Some(_) => self.model.input_symbol(&self.cx, &state.heap, object).is_some(),
            None => !self.input_symbols(state, object).is_empty(),
        };
        if is_input {
            let inputs = &mut self.start.accesses.inputs;
            if inputs.len() <= field.index() {
                inputs.resize(field.index() + 1, 0);
            }
            inputs[field.index()] |= how;
            self.want_aliased(field);
        }
    }

    fn accesses_existing(&mut self, location: u32, field: FieldId, how: u8) {
        let known = self.start.accesses.existing.get(&(field, location)).copied().unwrap_or_default();
        if known & how == how || self.cx.is_offered(location) || !self.is_visible(location) {
            return;
        }
        self.start.accesses.existing.insert((field, location), known | how);
        self.want_aliased(field);
    }

    /// Objects of which a field is written here and read there are inputs the next time.
    fn want_aliased(&mut self, field: FieldId) {
        let through_inputs = self.start.accesses.inputs.get(field.index()).copied().unwrap_or_default();
        let is_seen = |here: u8| here & WRITTEN != 0 && through_inputs != 0 || through_inputs & WRITTEN != 0;
        let accessed = self.start.accesses.existing.iter();
        let mut wanted: Vec<u32> =
            accessed.filter(|((of, _), here)| *of == field && is_seen(**here)).map(|((_, at), _)| *at).collect();
        wanted.sort_unstable();
        for location in wanted {
            let class = self.cx.shared.class(location);
            self.want(location, class);
        }
    }

    /// Whether the caller of the entry can have an object: it was made by an initialiser of the program, and a static field leads to it that is not
    /// private. Strings and boxes never change.
    fn is_visible(&mut self, location: u32) -> bool {
        if let Some(known) = self.start.accesses.visible.get(&location) {
            return *known;
        }
        let library = self.cx.library().expect("only Java has objects that exist before");
        let maker = self.cx.shared.maker_of(location).map(|maker| self.start.makers[maker as usize]);
        let is_visible = maker.is_some_and(|maker| self.is_program(maker))
            && match self.name_existing(location) {
                Some(Existing::Static { class, field, .. }) => {
                    let class = library.class_id(&class.replace('.', "/"));
                    let statics = library.java(class).statics.iter().map(|(field, _)| *field);
                    let mut named = statics.filter(|id| library.field(*id).name == field);
                    named.any(|id| library.field_flags(id) & access::PRIVATE == 0)
                }
                _ => false,
            };
        self.start.accesses.visible.insert(location, is_visible);
        is_visible
    }
}
