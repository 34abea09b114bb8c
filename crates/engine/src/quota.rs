//! How many input objects there may be: n-bounding, of one class or several.

use std::fmt;

use lazuli_program::Program;
use lazuli_program::ir::ClassId;
use serde::{Deserialize, Serialize};

/// How many input objects there may be: of a class by its name and of its subclasses, or of all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Most {
    pub class: Option<String>,
    pub number: u32,
}

impl Most {
    /// Of all objects together.
    pub fn of_all(number: u32) -> Most {
        Most { class: None, number }
    }

    pub fn of(class: &str, number: u32) -> Most {
        Most { class: Some(class.into()), number }
    }
}

impl fmt::Display for Most {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.class {
            Some(class) => write!(f, "{class}={}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

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
