//! What generic declarations say of the classes of inputs: a symbol has a shape if its type has arguments, or if it stands where the
//! declared type has a variable. It depends on where the symbol stands, never on the path.

use lazuli_logic::{ClassSet, Symbol, Term};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};
use lazuli_program::library::{ClosedWorld, Library, ShapeId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use super::Context;
use crate::scope::{LeftOut, Taken};

/// The shape of an input.
#[derive(Clone, Copy)]
pub(super) struct RootShape {
    pub shape: ShapeId,
    /// Tells it apart from inputs of the same name and class that other paths make, of other shapes.
    pub number: Option<u32>,
}

/// Numbers of shapes stand above those of types.
const FIRST_GIVEN: u32 = 1 << 31;

/// What is known of the types of inputs beyond their declared classes.
#[derive(Default)]
pub(super) struct Shapes {
    /// Of inputs, by their names and declared classes; of what methods give, the one that was given last.
    roots: FxHashMap<(Box<str>, ClassId), RootShape>,
    /// The numbers of shapes with arguments that were given.
    given: FxHashMap<ShapeId, u32>,
    of_symbol: FxHashMap<Symbol, ShapeId>,
    /// The classes of fields whose types have arguments or are variables, by their holders.
    of_field: FxHashMap<(Symbol, FieldId), (ClassSet, Option<ShapeId>)>,
    /// For every field, whether its type has no arguments and is no variable, as far as it was asked for.
    plain: Vec<Option<bool>>,
    classes: FxHashMap<ShapeId, ClassSet>,
    /// Whether a class was chosen for a type variable.
    chosen: bool,
}

impl Shapes {
    /// Those of a program's entry.
    pub fn of_entry(program: &Program) -> Shapes {
        let mut shapes = Shapes::default();
        let entry = program.main.zip(program.library.as_deref());
        if let Some((entry, library)) = entry.filter(|(_, library)| library.has_valid_inputs()) {
            let first = program.has_receiver(entry) as usize;
            let registers = &program.method(entry).registers[first..];
            for (register, shape) in registers.iter().zip(library.parameter_shapes(entry)) {
                if let (Type::Ref(class), Some(shape)) = (register.ty, shape) {
                    let root = RootShape { shape, number: None };
                    shapes.roots.insert((register.name.as_str().into(), class), root);
                }
            }
        }
        shapes
    }
}

impl Context<'_> {
    /// Java's classes, if what generic types hold is respected.
    fn generic(&self) -> Option<&Library> {
        self.program.library.as_deref().filter(|library| library.has_valid_inputs())
    }

    /// The shape of an input of the entry.
    pub(super) fn root_shape(&self, name: &str, ty: Type) -> Option<RootShape> {
        let Type::Ref(class) = ty else { return None };
        if self.shapes.roots.is_empty() { None } else { self.shapes.roots.get(&(name.into(), class)).copied() }
    }

    pub(super) fn enter_shape(&mut self, symbol: Term, shape: Option<ShapeId>) {
        if let Some(shape) = shape {
            self.shapes.chosen |= self.library().is_some_and(|library| library.shape(shape).variable.is_some());
            self.shapes.of_symbol.insert(self.terms.as_symbol(symbol).expect("a name is a symbol"), shape);
        }
    }

    /// Whether a class was chosen for a type variable.
    pub(super) fn has_chosen(&self) -> bool {
        self.shapes.chosen
    }

    /// The class of a symbol's shape.
    pub(super) fn shape_class(&self, symbol: Symbol) -> Option<ClassId> {
        Some(self.library()?.shape(self.shape_of(symbol)?).class)
    }

    /// The shape of what a symbol denotes, if more is known of it than its declared class.
    pub fn shape_of(&self, symbol: Symbol) -> Option<ShapeId> {
        self.shapes.of_symbol.get(&symbol).copied()
    }

    /// Whether two symbols cannot denote one object, because their generic types contradict each other.
    pub fn have_types_apart(&self, a: Symbol, b: Symbol) -> bool {
        match (self.shape_of(a), self.shape_of(b), self.library()) {
            (Some(a), Some(b), Some(library)) => a != b && library.are_apart(a, b),
            _ => false,
        }
    }

    /// Whether a field's declared type says all that is known of it.
    fn is_plain(&mut self, field: FieldId) -> bool {
        if let Some(Some(plain)) = self.shapes.plain.get(field.index()) {
            return *plain;
        }
        let plain = self.generic().is_none_or(|library| {
            !library.field(field).ty.is_ref() || library.is_plain(field) || library.chosen_for_field(field).is_some()
        });
        if self.shapes.plain.len() <= field.index() {
            self.shapes.plain.resize(field.index() + 1, None);
        }
        self.shapes.plain[field.index()] = Some(plain);
        plain
    }

    /// The classes and the shape of a field of the object that `holder` denotes.
    pub(super) fn field_classes_of(&mut self, holder: Symbol, field: FieldId) -> (ClassSet, Option<ShapeId>) {
        if self.is_plain(field) {
            return (self.field_class_set(field), None);
        }
        if let Some(known) = self.shapes.of_field.get(&(holder, field)) {
            return known.clone();
        }
        let library = self.library().expect("only Java has such fields");
        let classes = &self.terms.symbol_info(holder).classes;
        let shape = library.field_shape_among(self.holder_shape(library, holder), classes, field);
        let classes = self.shaped_class_set(library.field(field).ty, shape);
        self.shapes.of_field.insert((holder, field), (classes.clone(), shape));
        (classes, shape)
    }

    /// The shape of a field of the object that `holder` denotes, if more is known of it than its declared class.
    pub fn field_shape(&mut self, holder: Symbol, field: FieldId) -> Option<ShapeId> {
        if self.is_plain(field) { None } else { self.field_classes_of(holder, field).1 }
    }

    /// The shape of the object that holds a field. A symbol that can have one class only has that one.
    fn holder_shape(&self, library: &Library, holder: Symbol) -> ShapeId {
        let shape = self.shape_of(holder).unwrap_or_else(|| library.plain(self.declared_class(holder)));
        match *self.terms.symbol_info(holder).classes {
            [(low, high)] if low == high => library.narrowed(shape, ClassId(low)),
            _ => shape,
        }
    }

    /// The shape of the elements of the array that a symbol denotes.
    pub(super) fn element_shape(&self, array: Symbol) -> Option<ShapeId> {
        let library = self.library()?;
        let shape = library.shape(self.shape_of(array)?);
        match shape.arguments[..] {
            [element] if library.java(shape.class).element.is_some() => element,
            _ => None,
        }
    }

    /// The classes that inputs of a type may have, or of a shape that says more.
    pub(super) fn shaped_class_set(&mut self, ty: Type, shape: Option<ShapeId>) -> ClassSet {
        let declared = self.class_set(ty);
        let Some(shape) = shape else { return declared };
        let classes = self.shape_class_set(shape);
        if *classes != *declared {
            self.take_for_granted(Taken::Generics);
        }
        classes
    }

    /// The classes that inputs of a shape may have.
    pub(super) fn shape_class_set(&mut self, shape: ShapeId) -> ClassSet {
        if let Some(classes) = self.shapes.classes.get(&shape) {
            return classes.clone();
        }
        let library = self.library().expect("only Java has shapes");
        // Whether there could be other classes is asked of the declared one.
        let usual = self.class_set(Type::Ref(library.shape(shape).class));
        let fitting: ClassSet = library.shape_classes(shape).into();
        let classes = if self.exact || *fitting == *usual { usual } else { fitting };
        self.shapes.classes.insert(shape, classes.clone());
        classes
    }

    /// The class of a type variable that was chosen for it, if what a symbol denotes has such a type.
    pub(super) fn chosen_variable(&self, symbol: Symbol) -> Option<LeftOut> {
        let library = self.library()?;
        let shape = library.shape(self.shape_of(symbol)?);
        let of = shape.variable.clone()?;
        Some(LeftOut::OtherClasses { of, taken: vec![library.class(shape.class).name.clone()], more: false })
    }

    /// What was left out of the classes of a symbol that has a shape.
    pub(super) fn taken_of_shape(&self, symbol: Symbol) -> Option<LeftOut> {
        let class = self.shape_class(symbol)?;
        let classes = &self.terms.symbol_info(symbol).classes;
        let ClosedWorld { of, taken, more } = self.library()?.taken_classes(class, classes)?;
        Some(LeftOut::OtherClasses { of, taken, more })
    }

    /// The type of what a method gives that nobody implements: by the shape of the object that it is called on.
    pub(crate) fn result_type(&self, receiver: Symbol, method: MethodId) -> Option<(Type, ShapeId)> {
        let library = self.generic()?;
        let shape = library.result_shape(self.shape_of(receiver)?, method)?;
        Some((Type::Ref(library.shape(shape).class), shape))
    }

    /// The next input of this name and type has a shape.
    pub(crate) fn give_shape(&mut self, name: &str, ty: Type, shape: ShapeId) {
        if let Type::Ref(class) = ty {
            let number = self.number_of_given(shape);
            self.shapes.roots.insert((name.into(), class), RootShape { shape, number });
        }
    }

    /// The number of a shape that was given, if it says more than its class: by what it says, because its own belongs to the process.
    fn number_of_given(&mut self, shape: ShapeId) -> Option<u32> {
        let library = self.library().expect("only Java has shapes");
        if library.shape(shape).arguments.is_empty() {
            return None;
        }
        if let Some(number) = self.shapes.given.get(&shape) {
            return Some(*number);
        }
        let mut hasher = FxHasher::default();
        library.show_shape(shape).hash(&mut hasher);
        let first = FIRST_GIVEN | hasher.finish() as u32;
        let is_free = |number: &u32| !self.shapes.given.values().any(|given| given == number);
        let number = (first..=u32::MAX).chain(FIRST_GIVEN..first).find(is_free).expect("there are numbers left");
        self.shapes.given.insert(shape, number);
        Some(number)
    }
}
