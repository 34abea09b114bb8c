//! Members of the JDK that the engine itself touches.

use lazuli_program::ir::{ClassId, FieldId};
use lazuli_program::library::Library;

/// Members of the JDK that the engine itself touches.
#[derive(Clone, Debug)]
pub struct Known {
    pub string: ClassId,
    pub string_value: FieldId,
    pub string_coder: FieldId,
    /// Fields of a string that cache something.
    pub string_caches: Vec<FieldId>,
    pub class: ClassId,
    pub bytes: ClassId,
}

impl Known {
    /// `None` if the JDK's classes do not look as expected.
    pub fn find(library: &Library) -> Option<Known> {
        let string = library.class_id("java/lang/String");
        let field = |name: &str, descriptor: &str| library.find_field(string, &name.into(), &descriptor.into());
        Some(Known {
            string,
            string_value: field("value", "[B")?,
            string_coder: field("coder", "B")?,
            string_caches: [field("hash", "I"), field("hashIsZero", "Z")].into_iter().flatten().collect(),
            class: library.class_id("java/lang/Class"),
            bytes: library.class_id("[B"),
        })
    }
}
