//! Constants of Java that are objects: strings and class literals.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, Const, StrId};
use lazuli_program::library::LENGTH;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Step, unsupported};

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
            Const::Class(class) => self.mirror(class),
        }
    }

    /// The object of a constant string: the same for the same text.
    pub(crate) fn constant_string(&mut self, state: &mut State<M::Heap>, id: StrId) -> Term {
        if let Some(object) = state.vm.strings.get(&id) {
            return *object;
        }
        let object = self.literal(id);
        Rc::make_mut(&mut Rc::make_mut(&mut state.vm).strings).insert(id, object);
        object
    }

    /// The object of a literal, the same on all paths.
    pub(crate) fn literal(&mut self, id: StrId) -> Term {
        if let Some(object) = self.start.literals.get(&id) {
            return *object;
        }
        let library = self.cx.library().expect("only Java has strings");
        let object = self.shared_string(library.string(id));
        self.start.literals.insert(id, object);
        object
    }

    /// A string that all paths share.
    pub(crate) fn shared_string(&mut self, units: &[u16]) -> Term {
        let known = self.cx.known.clone().expect("the JDK has strings");
        let (bytes, coder) = layout(units);
        let array = self.cx.enter_shared(known.bytes, None);
        let length = self.cx.int(bytes.len() as i64);
        self.cx.preset_shared(array, LENGTH, length);
        let elements = bytes.iter().map(|byte| self.cx.terms.bits(8, *byte as u64)).collect();
        self.cx.shared.set_elements(array, Rc::new(elements));
        let string = self.cx.enter_shared(known.string, None);
        self.cx.preset_shared(string, known.string_value, Term::location(array));
        let coder = self.cx.terms.bits(8, coder);
        self.cx.preset_shared(string, known.string_coder, coder);
        Term::location(string)
    }

    /// A new string with this text.
    pub(crate) fn new_string(&mut self, state: &mut State<M::Heap>, units: &[u16]) -> Term {
        let known = self.cx.known.clone().expect("the JDK has strings");
        let (bytes, coder) = layout(units);
        let (cx, heap) = (&mut self.cx, &mut state.heap);
        let array = self.model.alloc(cx, heap, known.bytes);
        let length = cx.int(bytes.len() as i64);
        self.model.preset(cx, heap, array, LENGTH, length);
        let elements = bytes.iter().map(|byte| cx.terms.bits(8, *byte as u64)).collect();
        self.model.arrays(heap).alloc(array.as_location().expect("a new object is a location"), elements);
        let string = self.model.alloc(cx, heap, known.string);
        self.model.preset(cx, heap, string, known.string_value, array);
        let coder = cx.terms.bits(8, coder);
        self.model.preset(cx, heap, string, known.string_coder, coder);
        string
    }

    /// The object that stands for a class, the same on all paths.
    pub(crate) fn mirror(&mut self, class: ClassId) -> Term {
        if let Some(mirror) = self.start.mirrors.get(&class) {
            return *mirror;
        }
        let known = self.cx.known.as_ref().expect("the JDK has class literals");
        let class_of_classes = known.class;
        let unknown = known.class_unknown(self.cx.library().expect("only Java has class literals"));
        let location = self.cx.enter_shared(class_of_classes, None);
        let what = "a field of a class object that the virtual machine sets".into();
        self.cx.shared.make_unknown(location, &what, &unknown);
        let mirror = Term::location(location);
        self.start.mirrors.insert(class, mirror);
        self.start.classes.insert(mirror, class);
        mirror
    }

    /// The class that an object stands for, if it is known.
    pub(crate) fn mirrored(&self, mirror: Term) -> Option<ClassId> {
        self.start.classes.get(&mirror).copied()
    }

    /// The class that an object stands for which is not null: where it is one of several classes, each is a case.
    pub(crate) fn the_class(
        &mut self,
        state: &mut State<M::Heap>,
        mirror: Term,
        refused: impl FnOnce() -> String,
    ) -> Step<ClassId> {
        if let Some(class) = self.mirrored(mirror) {
            return Ok(class);
        }
        let mut cases: Vec<(ClassId, Term)> = Vec::new();
        for (leaf, guard) in self.cx.terms.leaves(mirror).to_vec() {
            if leaf.is_null() {
                continue;
            }
            if let Some(class) = self.mirrored(leaf) {
                cases.push((class, guard));
                continue;
            }
            let Some(choice) = self.cx.choice_of(leaf).filter(|choice| choice.is_closed) else {
                return unsupported(refused());
            };
            if self.model.enumerates() {
                return self.the_class_found(state, leaf, &choice.objects, refused);
            }
            for (location, _) in &choice.objects {
                let object = Term::location(*location);
                let Some(class) = self.mirrored(object) else { return unsupported(refused()) };
                let is = self.cx.terms.eq(leaf, object);
                cases.push((class, self.cx.terms.and(guard, is)));
            }
        }
        if cases.is_empty() {
            return unsupported(refused());
        }
        let guards: Vec<Term> = cases.iter().map(|(_, guard)| *guard).collect();
        Ok(cases[self.choose(state, &guards, false)?].0)
    }

    /// Likewise where a reference is resolved when somebody looks at it: it is one of these objects.
    fn the_class_found(
        &mut self,
        state: &mut State<M::Heap>,
        mirror: Term,
        objects: &[(u32, ClassId)],
        refused: impl FnOnce() -> String,
    ) -> Step<ClassId> {
        for (location, _) in objects {
            let object = Term::location(*location);
            if self.same(state, mirror, object)?.as_bool() == Some(true)
                && let Some(class) = self.mirrored(object)
            {
                return Ok(class);
            }
        }
        unsupported(refused())
    }
}

/// A text in the JDK's own layout, with its coder: Latin-1 if possible, otherwise UTF-16, low byte first.
fn layout(units: &[u16]) -> (Vec<u8>, u64) {
    match units.iter().all(|unit| *unit < 256) {
        true => (units.iter().map(|unit| *unit as u8).collect(), 0),
        false => (units.iter().flat_map(|unit| unit.to_le_bytes()).collect(), 1),
    }
}
