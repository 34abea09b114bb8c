//! What is told of resolutions: which reference a change resolves, and the initial values that are asked for.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::{Bind, Cell, Change, Heap, Place, Target};
use crate::context::{self, Assumptions, Context, InitialHeap, InputObject, Reference, Resolution, Standing};
use crate::input::InputHeap;
use crate::witness::Concrete;

impl Change {
    pub(super) fn resolution(&self) -> Option<Resolution> {
        match self {
            Change::Bind(Bind { target: Target::Null, .. }) => Some(Resolution::Null),
            Change::Bind(Bind { target: Target::Alias(object), .. }) => Some(Resolution::Object(*object)),
            Change::Bind(Bind { target: Target::Fresh, .. }) => Some(Resolution::New),
            Change::Bind(Bind { target: Target::Existing(location), .. }) => Some(Resolution::Existing(*location)),
            Change::NonNull(_) => Some(Resolution::NotNull),
            Change::Element { .. } => None,
        }
    }
}

impl Heap {
    /// The reference that a change resolves, before it does.
    pub(super) fn reference_of(&self, cx: &mut Context, change: &Change) -> Reference<'static> {
        let place = match change {
            Change::Bind(bind) => bind.place,
            Change::NonNull(symbol) => Place::Symbol(*symbol),
            Change::Element { .. } => unreachable!("a write resolves nothing"),
        };
        let object = Some(self.objects.len() as u32);
        match place {
            Place::Cell { object: holder, field } => {
                let Type::Ref(class) = cx.program.field(field).ty else { unreachable!("only references are resolved") };
                Reference { symbol: None, class, holder: context::Holder::Field(holder, field), object }
            }
            Place::Symbol(symbol) => {
                let number = |origin: Symbol| {
                    let at = self.objects.iter().position(|object| object.origin == Some(origin));
                    at.expect("its holder is an object") as u32
                };
                let holder = match cx.standing(symbol) {
                    Standing::Input(root) => context::Holder::Input(root),
                    Standing::Field(holder, field) => context::Holder::Field(number(holder), field),
                    Standing::Element(array, index) => context::Holder::Element(number(array), index),
                };
                let (class, symbol) = (cx.declared_class(symbol), Some(cx.terms.symbol_info(symbol).term));
                Reference { symbol, class, holder, object }
            }
        }
    }

    /// Whether a change resolves a reference to what it is in an input; `None` where the input does not say.
    pub(crate) fn agrees(&self, cx: &Context, change: &Change, input: &InputHeap) -> Option<bool> {
        let (place, target) = match change {
            Change::Bind(Bind { place, target }) => (*place, Some(*target)),
            Change::NonNull(symbol) => (Place::Symbol(*symbol), None),
            Change::Element { .. } => return Some(true),
        };
        let value = match place {
            Place::Symbol(symbol) => input.mentioned(symbol)?,
            Place::Cell { object, field } => {
                let holder = self.objects[object as usize].origin.expect("an input object");
                let Concrete::Object(index) = input.path_value(holder) else { return None };
                let fields = &input.heap.objects[index].fields;
                fields.iter().find(|(known, _)| *known == field).map(|(_, value)| *value)?
            }
        };
        let is = |object: u32| self.origin(object).is_some_and(|origin| input.path_value(origin) == value);
        Some(match target {
            None => value != Concrete::Null,
            Some(Target::Null) => value == Concrete::Null,
            Some(Target::Alias(object)) => is(object),
            Some(Target::Existing(location)) => input.is_existing(cx, value, location),
            Some(Target::Fresh) => match value {
                Concrete::Object(index) => {
                    input.heap.objects[index].existing.is_none() && !self.expanded.iter().any(|object| is(*object))
                }
                _ => false,
            },
        })
    }

    /// What a field of an input object held at first, if anybody has looked.
    pub fn initial_value(&self, cx: &Context, object: u32, field: FieldId) -> Option<Term> {
        self.cells[self.cell(cx, object, field)].initial
    }
}

impl InitialHeap for Heap {
    fn initial(
        &mut self,
        cx: &mut Context,
        _: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        let symbol = cx.terms.as_symbol(object.symbol);
        let number = self.objects.iter().position(|object| object.origin == symbol).expect("an input object");
        let origin = symbol.expect("an input object has a symbol");
        // A field of a subclass: in objects of another one, its cell is that of another field. A read will name it
        // alike.
        if !cx.program.is_subclass(object.class, cx.program.field(field).class) {
            let value = cx.field_symbol(origin, field);
            let name = (number as u32, field, cx.terms.as_symbol(value).expect("a name is a symbol"));
            if !self.named.contains(&name) {
                Rc::make_mut(&mut self.named).push(name);
            }
            return value;
        }
        let at = self.cell(cx, number as u32, field);
        if let Some(initial) = self.cells[at].initial {
            return initial;
        }
        let value = cx.field_symbol(origin, field);
        let value = crate::java::given_field(cx, value, field, facts).unwrap_or(value);
        let cell = &mut Rc::make_mut(&mut self.cells)[at];
        // What the program wrote before stays.
        *cell = Cell { current: cell.current.or(Some(value)), initial: Some(value) };
        value
    }

    fn reference(&self, object: InputObject) -> Term {
        Term::location(object.number)
    }

    fn candidates(&self, cx: &Context, class: ClassId) -> Vec<u32> {
        let fits = |object: &super::Object| object.origin.is_some() && cx.program.related(object.class, class);
        (0..).zip(self.objects.iter()).filter(|(_, object)| fits(object)).map(|(number, _)| number).collect()
    }
}
