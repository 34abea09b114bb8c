//! A concrete input heap seen from the symbols: the value that each of them names in it.
//!
//! It is the converse of a witness: not from a model of a path condition to a heap, but from a heap to the model that it
//! induces. Evaluating a trace's path condition under that model says whether the trace represents the heap.

use std::rc::Rc;

use lazuli_logic::{Model, Origin, RefValue, Sort, Symbol, Value};
use lazuli_program::ir::{ClassId, FieldId};

use crate::context::Context;
use crate::witness::{Concrete, Witness, WitnessObject};

/// A heap with the values at the ends of all access paths that have a symbol.
pub struct InputHeap<'a> {
    pub heap: &'a Witness,
    /// For every symbol the initial value at the end of its access path; null or 0 where the path leads nowhere.
    values: Vec<Concrete>,
    /// Whether the heap says what is there.
    is_mentioned: Vec<bool>,
    /// The same as a model.
    pub by_path: Rc<Model>,
}

impl<'a> InputHeap<'a> {
    pub fn new(cx: &Context, heap: &'a Witness) -> InputHeap<'a> {
        let mut input = InputHeap { heap, values: Vec::new(), is_mentioned: Vec::new(), by_path: Rc::default() };
        let mut assignment = Assignment { cx, names: names(cx, heap), heap, model: Model::default() };
        for (symbol, info) in cx.terms.symbols() {
            let found = match &info.origin {
                Origin::Root(name, _) => heap.roots.iter().find(|(root, _)| **root == **name).map(|(_, value)| *value),
                Origin::Constant(_) => None,
                Origin::Field { holder, label } => match (input.values[holder.0 as usize], cx.index_of(symbol)) {
                    (Concrete::Object(object), Some(index)) => {
                        let index = cx.terms.eval(index, &assignment.model);
                        index.and_then(|index| input.element(object, index))
                    }
                    (Concrete::Object(object), None) => {
                        let field = cx.field_labelled(heap.objects[object].class, *label);
                        field.and_then(|field| input.given(object, field))
                    }
                    _ => None,
                },
            };
            input.is_mentioned.push(found.is_some());
            let value = found.unwrap_or_else(|| default_of(info.sort));
            input.values.push(value);
            assignment.set(symbol, value);
        }
        input.by_path = Rc::new(assignment.model);
        input
    }

    /// The initial value at the end of a symbol's access path.
    pub fn path_value(&self, symbol: Symbol) -> Concrete {
        self.values[symbol.0 as usize]
    }

    /// Likewise, if the heap says what is there.
    pub(crate) fn mentioned(&self, symbol: Symbol) -> Option<Concrete> {
        self.is_mentioned[symbol.0 as usize].then(|| self.path_value(symbol))
    }

    /// What the heap says of a field, if it does.
    fn given(&self, object: usize, field: FieldId) -> Option<Concrete> {
        self.heap.objects[object].fields.iter().find(|(known, _)| *known == field).map(|(_, value)| *value)
    }

    /// What the heap says of an element of an array.
    pub(crate) fn element(&self, array: usize, index: Value) -> Option<Concrete> {
        let index = match index {
            Value::Bits(index) => index as u32,
            Value::Int(index) => u32::try_from(index).ok()?,
            _ => return None,
        };
        self.heap.objects[array].elements.iter().find(|(at, _)| *at == index).map(|(_, value)| *value)
    }

    /// Whether its objects are of the classes that inputs have where they stand: of what a generic type holds, for instance.
    pub fn is_of_the_world(&self, cx: &Context) -> bool {
        cx.terms.symbols().all(|(symbol, info)| match self.path_value(symbol) {
            Concrete::Object(index) if self.heap.objects[index].existing.is_none() => {
                let ClassId(class) = self.heap.objects[index].class;
                info.classes.iter().any(|&(low, high)| low <= class && class <= high)
            }
            _ => true,
        })
    }

    /// Whether a value is the object that exists before the entry at a location.
    pub(crate) fn is_existing(&self, cx: &Context, value: Concrete, location: u32) -> bool {
        let Concrete::Object(index) = value else { return false };
        let existing = self.heap.objects[index].existing.as_ref();
        existing
            .is_some_and(|name| cx.constant_named(name).is_some_and(|symbol| cx.constant_of(location) == Some(symbol)))
    }

    /// The value of an object's field; `None` if objects of its class have no such field.
    pub fn field(&self, cx: &Context, index: usize, field: FieldId) -> Option<Concrete> {
        let object = &self.heap.objects[index];
        let declared = cx.program.field(field);
        if !cx.program.is_subclass(object.class, declared.class) {
            return None;
        }
        let given = self.given(index, field);
        Some(given.unwrap_or_else(|| Concrete::default_of(declared.ty)))
    }
}

/// What objects are called that exist before the entry; the others get the name of the symbol that denotes them first.
fn names(cx: &Context, heap: &Witness) -> Vec<Option<Symbol>> {
    let name = |object: &WitnessObject| object.existing.as_ref().and_then(|existing| cx.constant_named(existing));
    heap.objects.iter().map(name).collect()
}

/// A model in the making: values for symbols, and the objects they denote by the symbol that came first.
pub struct Assignment<'a> {
    cx: &'a Context<'a>,
    heap: &'a Witness,
    names: Vec<Option<Symbol>>,
    pub model: Model,
}

impl<'a> Assignment<'a> {
    pub fn new(cx: &'a Context<'a>, input: &'a InputHeap) -> Assignment<'a> {
        Assignment { cx, heap: input.heap, names: names(cx, input.heap), model: Model::default() }
    }

    pub fn set(&mut self, symbol: Symbol, value: Concrete) {
        let value = match (value, self.cx.terms.symbol_info(symbol).sort) {
            (Concrete::Bool(value), _) => Value::Bool(value),
            (Concrete::Int(value), Sort::Bits(64)) => Value::Bits(value as u64),
            (Concrete::Int(value), Sort::Bits(width)) => Value::Bits(value as u64 & ((1 << width) - 1)),
            (Concrete::Int(value), _) => Value::Int(value),
            (Concrete::Float(bits), _) => Value::Float(bits as u64),
            (Concrete::Double(bits), _) => Value::Float(bits),
            (Concrete::Null, _) => Value::Ref(RefValue::Null),
            (Concrete::Object(index), _) => {
                let ClassId(class) = self.heap.objects[index].class;
                let name = *self.names[index].get_or_insert(symbol);
                self.model.set_class(name, class);
                Value::Ref(RefValue::Input(name))
            }
        };
        self.model.set(symbol, value);
    }

    /// The object that a symbol denotes.
    pub fn object(&self, symbol: Symbol) -> Option<usize> {
        match self.model.value(&self.cx.terms, symbol) {
            Value::Ref(RefValue::Input(name)) => self.names.iter().position(|n| *n == Some(name)),
            _ => None,
        }
    }
}

fn default_of(sort: Sort) -> Concrete {
    match sort {
        Sort::Bool => Concrete::Bool(false),
        Sort::Int | Sort::Bits(_) => Concrete::Int(0),
        Sort::Float(32) => Concrete::Float(0),
        Sort::Float(_) => Concrete::Double(0),
        Sort::Ref => Concrete::Null,
    }
}
