//! How a run on a witness ended, as data: the result, what was printed, and the heap: the objects of the input as they are then, and the new
//! ones that can be reached.

use std::fmt;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, MethodId, Type};
use lazuli_program::library::{IDENTITY_HASH, LENGTH};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::backtrace::stack;
use crate::branches::Line;
use crate::executor::Executor;
use crate::heap::lazy::{Heap, Lazy};
use crate::heap::{Classes, Elements};
use crate::outcome::Outcome;
use crate::state::State;
use crate::vm::Stream;
use crate::witness::{Concrete, WitnessObject, signed};

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    /// What was returned; nothing where that is `void`, or where something was thrown.
    pub value: Option<Concrete>,
    /// What an exception says.
    pub message: Option<String>,
    /// Where it was made, and who called that: the newest first.
    pub stack: Vec<Called>,
    pub printed: Vec<(Stream, String)>,
    /// The objects of the witness, in their order, and then new ones.
    pub objects: Vec<WitnessObject>,
}

/// A call that had not returned when an exception was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Called {
    /// The name of the method.
    pub method: String,
    /// Where it was; line 0 where that is not known.
    pub at: Line,
}

impl fmt::Display for Called {
    /// As a stack trace has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { file, line, class } = &self.at;
        write!(f, "{class}.{}(", self.method)?;
        match (file.is_empty(), line) {
            (true, _) => write!(f, "Unknown Source)"),
            (false, 0) => write!(f, "{file})"),
            (false, line) => write!(f, "{file}:{line})"),
        }
    }
}

/// No more calls than these are kept.
const MAX_STACK: usize = 64;

/// So many new objects are looked at, and so many elements of an array.
const MAX_NEW: usize = 64;
const MAX_ELEMENTS: usize = 256;

struct Snapshot<'a, 'p> {
    executor: &'a mut Executor<'p, Lazy>,
    state: &'a mut State<Heap>,
    numbers: FxHashMap<Term, usize>,
    /// The objects that have a number, in their order.
    found: Vec<Term>,
    most: usize,
}

/// The end of a run on constants whose input objects were these.
pub(crate) fn ending(
    executor: &mut Executor<Lazy>,
    state: &mut State<Heap>,
    inputs: &[Term],
    outcome: &Outcome,
    value: Option<Term>,
) -> Ending {
    let program = executor.cx.program;
    let result = program.method(executor.entry).result;
    let printed = state.vm.output();
    let message = state.thrown.and_then(|thrown| executor.message_of(state, thrown.value));
    let calls = state.thrown.and_then(|thrown| stack(executor, state, thrown.value)).unwrap_or_default();
    let stack = calls.iter().take(MAX_STACK).map(|(method, pc)| executor.called(*method, *pc)).collect();
    let numbers = inputs.iter().enumerate().map(|(number, object)| (*object, number)).collect();
    let most = inputs.len() + MAX_NEW;
    let mut snapshot = Snapshot { executor, state, numbers, found: inputs.to_vec(), most };
    let value = match outcome {
        Outcome::Returned if result != Type::Void => value.and_then(|value| snapshot.concrete(value, result)),
        _ => None,
    };
    let mut objects = Vec::new();
    while let Some(object) = snapshot.found.get(objects.len()).copied() {
        let copy = snapshot.object(object);
        objects.push(copy);
    }
    Ending { value, message, stack, printed, objects }
}

/// The objects that can be reached from one, which is the first of them.
pub(crate) fn reached(executor: &mut Executor<Lazy>, state: &mut State<Heap>, object: Term) -> Vec<WitnessObject> {
    let numbers = FxHashMap::from_iter([(object, 0)]);
    let mut snapshot = Snapshot { executor, state, numbers, found: vec![object], most: MAX_NEW };
    let mut objects = Vec::new();
    while let Some(object) = snapshot.found.get(objects.len()).copied() {
        let copy = snapshot.object(object);
        objects.push(copy);
    }
    objects
}

impl Executor<'_, Lazy> {
    fn called(&self, method: MethodId, pc: u32) -> Called {
        Called { method: self.cx.program.method(method).name.clone(), at: self.line(method, pc) }
    }

    /// What an exception says, as its field has it.
    fn message_of(&mut self, state: &mut State<Heap>, thrown: Term) -> Option<String> {
        let library = self.cx.library()?;
        let field = self.cx.program.field_named(library.class_id("java/lang/Throwable"), "detailMessage")?;
        let message = self.read(state, thrown, field).ok()?;
        if message.is_null() || state.vm.untold.contains(&message) {
            return None;
        }
        self.text_of(state, message).ok()?
    }
}

impl Snapshot<'_, '_> {
    /// A value of a type. Nothing where it is not known.
    fn concrete(&mut self, value: Term, ty: Type) -> Option<Concrete> {
        let terms = &self.executor.cx.terms;
        if let Type::Ref(_) | Type::Void = ty {
            return if value.is_null() { Some(Concrete::Null) } else { self.number(value).map(Concrete::Object) };
        }
        if let Some(value) = value.as_bool() {
            return Some(Concrete::Bool(value));
        }
        if let Some(value) = terms.as_int(value) {
            return Some(Concrete::Int(value.into()));
        }
        if let Some((width, bits)) = terms.as_float(value) {
            return Some(if width == 32 { Concrete::Float(bits as u32) } else { Concrete::Double(bits) });
        }
        let (width, bits) = terms.as_bits(value)?;
        Some(match ty {
            Type::Bool => Concrete::Bool(bits != 0),
            Type::Char => Concrete::Int(i128::from(bits as u16)),
            _ => Concrete::Int(signed(width, bits)),
        })
    }

    /// The number of an object, a new one if there is room.
    fn number(&mut self, object: Term) -> Option<usize> {
        object.as_location()?;
        if let Some(number) = self.numbers.get(&object) {
            return Some(*number);
        }
        if self.found.len() >= self.most {
            return None;
        }
        let number = self.found.len();
        self.numbers.insert(object, number);
        self.found.push(object);
        Some(number)
    }

    fn object(&mut self, object: Term) -> WitnessObject {
        let executor = &mut *self.executor;
        let classes = executor.model.classes(&mut executor.cx, &self.state.heap, object);
        let class = classes.first().map_or(ClassId(0), |(class, _)| *class);
        let name = self.constant_name(object, class).unwrap_or_default();
        let mut copy = WitnessObject { class, name, existing: None, fields: Vec::new(), elements: Vec::new() };
        if copy.name.is_empty() {
            self.read_fields(object, &mut copy);
        }
        copy
    }

    fn read_fields(&mut self, object: Term, copy: &mut WitnessObject) {
        let program = self.executor.cx.program;
        let caches = self.executor.cx.known.as_ref().map_or_else(Vec::new, |known| known.string_caches.clone());
        if let Some(element) = self.executor.cx.element_of(copy.class) {
            let elements = self.executor.model.arrays(&mut self.state.heap).dense(&self.executor.cx, object).cloned();
            let Some(elements) = elements else { return };
            copy.fields.push((LENGTH, Concrete::Int(elements.len() as i128)));
            for (at, value) in elements.iter().enumerate().take(MAX_ELEMENTS) {
                copy.elements.extend(self.concrete(*value, element).map(|value| (at as u32, value)));
            }
            return;
        }
        let has_hash = program.semantics.loads_classes();
        for &field in &program.class(copy.class).layout {
            if caches.contains(&field) || has_hash && field == IDENTITY_HASH {
                continue;
            }
            let Ok(value) = self.executor.read(self.state, object, field) else { continue };
            let value = self.concrete(value, program.field(field).ty);
            copy.fields.extend(value.map(|value| (field, value)));
        }
    }

    /// The name of an object that has one in the source: an enum's constant, a class.
    fn constant_name(&mut self, object: Term, class: ClassId) -> Option<String> {
        let library = self.executor.cx.library()?;
        if let Some(class) = self.executor.mirrored(object) {
            return Some(format!("{}.class", library.class(class).name));
        }
        let of_enum = library.class_id("java/lang/Enum");
        if !library.is_subclass(class, of_enum) {
            return None;
        }
        // A constant with a body has a class of its own.
        let superclass = library.class(class).superclass?;
        let class = if superclass == of_enum { class } else { superclass };
        let field = self.executor.cx.program.field_named(of_enum, "name")?;
        let name = self.executor.read(self.state, object, field).ok()?;
        let name = self.executor.text_of(self.state, name).ok()??;
        Some(format!("{}.{name}", library.class(class).name))
    }
}
