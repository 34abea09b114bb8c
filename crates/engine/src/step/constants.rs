//! Constants of Java that are objects: strings and class literals.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, Const, StrId};
use lazuli_program::library::LENGTH;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;

impl<M: HeapModel> Executor<'_, M> {
    pub(crate) fn constant(&mut self, state: &mut State<M::Heap>, constant: Const) -> Term {
        let cx = &mut self.cx;
        match constant {
            Const::Int(value) => cx.int(value),
            Const::Bool(value) => Term::bool(value),
            Const::Null => Term::NULL,
            Const::Long(value) => cx.terms.bits(64, value as u64),
            Const::Float(bits) => cx.terms.float(32, bits as u64),
            Const::Double(bits) => cx.terms.float(64, bits),
            Const::Str(id) => self.constant_string(state, id),
            Const::Class(class) => self.mirror(state, class),
        }
    }

    /// The object of a constant string: the same for the same text.
    pub(crate) fn constant_string(&mut self, state: &mut State<M::Heap>, id: StrId) -> Term {
        if let Some(object) = state.vm.strings.get(&id) {
            return *object;
        }
        let library = self.cx.library().expect("only Java has strings");
        let object = self.new_string(state, library.string(id));
        Rc::make_mut(&mut state.vm).strings.insert(id, object);
        object
    }

    /// A new string with this text, in the JDK's own layout: Latin-1 if possible, otherwise UTF-16, low byte first.
    pub(crate) fn new_string(&mut self, state: &mut State<M::Heap>, units: &[u16]) -> Term {
        let known = self.cx.known.clone().expect("the JDK has strings");
        let is_latin = units.iter().all(|unit| *unit < 256);
        let bytes: Vec<u8> = match is_latin {
            true => units.iter().map(|unit| *unit as u8).collect(),
            false => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        };
        let (cx, heap) = (&mut self.cx, &mut state.heap);
        let array = self.model.alloc(cx, heap, known.bytes);
        let length = cx.int(bytes.len() as i64);
        self.model.preset(cx, heap, array, LENGTH, length);
        let elements = bytes.iter().map(|byte| cx.terms.bits(8, *byte as u64)).collect();
        self.model.arrays(heap).alloc(array.as_location().expect("a new object is a location"), elements);
        let string = self.model.alloc(cx, heap, known.string);
        self.model.preset(cx, heap, string, known.string_value, array);
        let coder = cx.terms.bits(8, !is_latin as u64);
        self.model.preset(cx, heap, string, known.string_coder, coder);
        string
    }

    /// The object that stands for a class.
    pub(crate) fn mirror(&mut self, state: &mut State<M::Heap>, class: ClassId) -> Term {
        if let Some(mirror) = state.vm.mirrors.get(&class) {
            return *mirror;
        }
        let of_class = self.cx.known.as_ref().expect("the JDK has class literals").class;
        let mirror = self.model.alloc(&mut self.cx, &mut state.heap, of_class);
        let vm = Rc::make_mut(&mut state.vm);
        vm.mirrors.insert(class, mirror);
        vm.classes.insert(mirror, class);
        mirror
    }
}
