//! How many input objects there may be: n-bounding, of one class or several.

use lazuli_program::Program;
use lazuli_program::ir::ClassId;

use crate::config::Most;

/// The most objects of a class, those of its subclasses included. References count by the class that they are declared
/// with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    pub class: ClassId,
    pub most: u32,
}

impl Quota {
    /// `None` if there is no such class.
    pub fn new(program: &Program, most: &Most) -> Option<Quota> {
        let class = match &most.class {
            None => ClassId(0),
            Some(name) => program.class_named(name)?,
        };
        Some(Quota { class, most: most.number })
    }

    /// Those of a list, whose names were checked with the entry.
    pub fn all(program: &Program, list: &[Most]) -> Vec<Quota> {
        list.iter().map(|most| Quota::new(program, most).expect("the name was checked")).collect()
    }

    /// Whether it counts the objects that references of a declared class expand to.
    pub fn counts(&self, program: &Program, declared: ClassId) -> bool {
        program.is_subclass(declared, self.class)
    }
}
