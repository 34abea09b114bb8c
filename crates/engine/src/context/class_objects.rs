//! Class objects as inputs. An input of `Class` is no new object: it is one of those that every machine has. There are too many to offer all, so
//! a few stand for the rest, of every kind that code asks about; with them the class that a generic type names (`Class<? extends Number>`), and
//! those that the program compares an input with ([`crate::left_out`]).

use lazuli_logic::Symbol;
use lazuli_program::ir::{ClassId, Type};
use lazuli_program::library::{Library, OBJECT};

use super::Context;
use crate::existing::Existing;
use crate::known::BOXES;
use crate::scope::LeftOut;

/// A class that all others are below, two that are final, an interface, an array, and a primitive type.
const USUAL: [&str; 6] =
    ["java/lang/Object", "java/lang/Integer", "java/lang/String", "java/lang/Comparable", "[Ljava/lang/String;", "int"];

const PRIMITIVES: [(&str, Type); 9] = [
    ("boolean", Type::Bool),
    ("byte", Type::Byte),
    ("char", Type::Char),
    ("short", Type::Short),
    ("int", Type::Int),
    ("long", Type::Long),
    ("float", Type::Float),
    ("double", Type::Double),
    ("void", Type::Void),
];

/// The type that a class object without members stands for.
pub(crate) fn primitive(library: &Library, class: ClassId) -> Option<Type> {
    let name = library.internal_name(class);
    PRIMITIVES.iter().find(|(primitive, _)| *primitive == name).map(|(_, ty)| *ty)
}

/// The name of a primitive type.
pub(crate) fn primitive_name(ty: Type) -> Option<&'static str> {
    PRIMITIVES.iter().find(|(_, primitive)| *primitive == ty).map(|(name, _)| *name)
}

impl Context<'_> {
    /// The class that the generic type of a symbol for class objects names.
    fn bound_of_class(&self, symbol: Symbol) -> Option<ClassId> {
        let library = self.library()?;
        let argument = library.shape(self.shape_of(symbol)?).arguments.first().copied().flatten()?;
        Some(library.shape(argument).class).filter(|bound| *bound != OBJECT)
    }

    /// Whether a symbol may denote an object, by what its type says of class objects: `int.class` is a `Class<Integer>`.
    pub(super) fn may_stand_for(&self, symbol: Symbol, object: &Existing) -> bool {
        let Existing::Class { class } = object else { return true };
        let (Some(library), Some(bound)) = (self.library(), self.bound_of_class(symbol)) else { return true };
        let class = library.class_id(&class.replace('.', "/"));
        let boxed = primitive(library, class).and_then(|ty| BOXES.iter().find(|(_, value)| *value == ty));
        let class = boxed.map_or(class, |(name, _)| library.class_id(name));
        library.is_subclass(class, bound)
    }

    /// The class objects that a symbol may denote are wanted as inputs; others are left out.
    pub(super) fn want_class_objects(&mut self, symbol: Symbol) {
        let Some(library) = self.library() else { return };
        let mut classes: Vec<ClassId> = USUAL.iter().map(|name| library.class_id(name)).collect();
        if let Some(bound) = self.bound_of_class(symbol) {
            // No enum is the class of all enums.
            match library.internal_name(bound) {
                "java/lang/Enum" => {
                    let enums =
                        library.input_classes(bound).into_iter().flat_map(|(low, high)| low..=high).map(ClassId);
                    classes.extend(enums.map(|class| library.enum_of(class)).take(2));
                }
                _ => classes.push(bound),
            }
        }
        let objects = classes.into_iter().map(|class| Existing::Class { class: library.binary_name(class) });
        let fitting: Vec<Existing> = objects.filter(|object| self.may_stand_for(symbol, object)).collect();
        let offered: Vec<&Existing> = self.existing_objects().map(|(_, object)| object).collect();
        let wanted: Vec<Existing> = fitting.into_iter().filter(|object| !offered.contains(&object)).collect();
        let is_class =
            |object: &&&Existing| matches!(object, Existing::Class { .. }) && self.may_stand_for(symbol, object);
        let taken: Vec<String> = offered.iter().filter(is_class).map(|object| object.to_string()).collect();
        self.scope.wanted.objects.extend(wanted);
        self.scope.left_out.insert(match taken.is_empty() {
            true => LeftOut::Existing { class: "java.lang.Class".into() },
            false => LeftOut::ClassObjects { taken },
        });
    }
}
