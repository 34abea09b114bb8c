//! Members of the JDK that the engine itself touches.

use std::cell::OnceCell;
use std::rc::Rc;

use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::Library;

/// The classes of boxes, and what each holds.
pub const BOXES: [(&str, Type); 8] = [
    ("java/lang/Boolean", Type::Bool),
    ("java/lang/Byte", Type::Byte),
    ("java/lang/Character", Type::Char),
    ("java/lang/Short", Type::Short),
    ("java/lang/Integer", Type::Int),
    ("java/lang/Long", Type::Long),
    ("java/lang/Float", Type::Float),
    ("java/lang/Double", Type::Double),
];

/// Whether a class is that of strings or of boxes: final, and its objects are what they hold.
pub fn is_value_class(internal: &str) -> bool {
    internal == "java/lang/String" || BOXES.iter().any(|(name, _)| *name == internal)
}

/// The fields of class objects that the virtual machine sets.
const SET_BY_MACHINE: [&str; 8] = [
    "classLoader",
    "module",
    "componentType",
    "classData",
    "modifiers",
    "primitive",
    "classFileAccessFlags",
    "protectionDomain",
];

/// Members of the JDK that the engine itself touches.
#[derive(Clone, Debug)]
pub struct Known {
    pub string: ClassId,
    pub string_value: FieldId,
    pub string_coder: FieldId,
    /// Fields of a string that cache something.
    pub string_caches: Vec<FieldId>,
    pub class: ClassId,
    /// See [`Known::class_unknown`]: many runs meet no class object, and reading its class takes long.
    class_unknown: OnceCell<Rc<[FieldId]>>,
    /// `System`: its statics are those of the machine, set before the program starts.
    pub system: ClassId,
    pub bytes: ClassId,
}

impl Known {
    /// `None` if the JDK's classes do not look as expected.
    pub fn find(library: &Library) -> Option<Known> {
        let string = library.class_id("java/lang/String");
        let class = library.class_id("java/lang/Class");
        let field = |name: &str, descriptor: &str| library.find_field(string, &name.into(), &descriptor.into());
        Some(Known {
            string,
            string_value: field("value", "[B")?,
            string_coder: field("coder", "B")?,
            string_caches: [field("hash", "I"), field("hashIsZero", "Z")].into_iter().flatten().collect(),
            class,
            class_unknown: OnceCell::new(),
            system: library.class_id("java/lang/System"),
            bytes: library.class_id("[B"),
        })
    }

    /// Fields of class objects that the virtual machine sets; whoever needs them asks a method.
    pub fn class_unknown(&self, library: &Library) -> Rc<[FieldId]> {
        let is_set = |field: &FieldId| SET_BY_MACHINE.contains(&library.field(*field).name.as_str());
        let find = || library.class(self.class).layout.iter().copied().filter(is_set).collect();
        self.class_unknown.get_or_init(find).clone()
    }
}
