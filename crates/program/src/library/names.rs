//! Classes by the names that people write: `java.util.TreeMap.Entry`, `TreeMap$Entry`, or the end of the name of a class of theirs.

use super::{Library, access};
use crate::bytecode::descriptor::readable_class;
use crate::ir::*;

impl Library {
    /// The classes that a name may mean: the one of that full name, the user's classes whose names end so, or one of `java.lang`.
    pub fn classes_named(&self, name: &str) -> Vec<ClassId> {
        if let Some(class) = self.class_in_full(name) {
            return vec![class];
        }
        let wanted = name.replace(['.', '$'], "/");
        let ends_so =
            |class: &&String| class.replace('$', "/").strip_suffix(&wanted).is_some_and(|front| front.ends_with('/'));
        let own: Vec<ClassId> =
            self.path.user_classes().iter().filter(ends_so).map(|class| self.class_id(class)).collect();
        match own.is_empty() {
            true => self.class_in_full(&format!("java.lang.{name}")).into_iter().collect(),
            false => own,
        }
    }

    /// Which of the dots separate packages, and which lead to inner classes, is tried from the left.
    fn class_in_full(&self, name: &str) -> Option<ClassId> {
        let mut internal = name.replace('.', "/");
        loop {
            if matches!(self.path.find(&internal), Ok(Some(_))) {
                return Some(self.class_id(&internal));
            }
            let at = internal.rfind('/')?;
            internal.replace_range(at..=at, "$");
        }
    }

    /// The JDK's classes of a simple name, as they are written in an import.
    pub fn importable(&self, simple: &str) -> Vec<String> {
        let ends_so = |class: &String| {
            class.starts_with("java/") && class.rsplit('/').next().is_some_and(|last| last.replace('$', ".") == simple)
        };
        self.path.jdk_classes().iter().filter(|class| ends_so(class)).map(|class| readable_class(class)).collect()
    }

    /// Whether objects of two classes that are not above one another may be one and the same: an interface may be implemented
    /// by a class below the other.
    pub(crate) fn may_meet(&self, a: ClassId, b: ClassId) -> bool {
        let (a, b) = (self.java(a), self.java(b));
        let open = |class: &super::JavaClass| !class.is(access::FINAL) && class.element.is_none();
        (a.is(access::INTERFACE) || b.is(access::INTERFACE)) && open(a) && open(b)
    }

    /// The static fields of the user's classes that are inputs.
    pub fn input_statics(&self) -> Vec<FieldId> {
        // Looking at a class reads it.
        if self.world.symbolic_statics.is_empty() {
            return Vec::new();
        }
        let classes = self.path.user_classes().iter().map(|class| self.class_id(class));
        let symbolic = classes.filter(|class| self.has_symbolic_statics(*class));
        symbolic.flat_map(|class| self.java(class).statics.iter().map(|(field, _)| *field)).collect()
    }

    /// Whether the user declared the static fields of a class to be inputs.
    pub fn has_symbolic_statics(&self, class: ClassId) -> bool {
        let name = &self.class(class).name;
        let chosen = |wanted: &String| name == wanted || name.ends_with(&format!(".{wanted}"));
        self.world.symbolic_statics.iter().any(chosen)
    }

    /// The name of a class as `Class.forName` takes it.
    pub fn binary_name(&self, class: ClassId) -> String {
        self.internal_name(class).replace('/', ".")
    }

    /// The enum that an object of an enum's class is a constant of: constants with a body have classes of their own.
    pub fn enum_of(&self, class: ClassId) -> ClassId {
        let above = self.class(class).superclass.filter(|above| self.java(*above).is(access::ENUM));
        above.unwrap_or(class)
    }

    /// Whether a field is declared to be final.
    pub fn is_final(&self, field: FieldId) -> bool {
        self.field_flags(field) & access::FINAL != 0
    }
}
