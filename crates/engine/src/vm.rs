//! The part of a state that only Java has.

use std::collections::BTreeMap;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, MethodId, StrId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A box of a number that is not known: the number of its class, and the value, as one of the stack.
#[derive(Clone, Copy)]
pub struct Boxed {
    pub kind: usize,
    pub value: Term,
}

/// The identity hash codes of a path.
#[derive(Clone, Default)]
pub struct Hashes {
    /// How many questions there were.
    pub asked: u32,
    pub locations: BTreeMap<u32, Term>,
    pub of_location: FxHashMap<Term, u32>,
    pub unknown: Vec<(Term, Term)>,
}

/// Statics, class literals and constant strings. Cloned when a state that shares it changes it.
#[derive(Clone, Default)]
pub struct Vm {
    pub statics: FxHashMap<FieldId, Term>,
    /// Classes whose initialiser has run, or is running.
    pub initialised: FxHashSet<ClassId>,
    /// Classes whose initialiser has thrown.
    pub failed: FxHashSet<ClassId>,
    /// The objects that stand for classes, and the classes they stand for.
    pub mirrors: FxHashMap<ClassId, Term>,
    pub classes: FxHashMap<Term, ClassId>,
    /// The fields that handles are of.
    pub handles: FxHashMap<Term, FieldId>,
    /// Objects of which there is one, mostly by their class.
    pub singletons: FxHashMap<&'static str, Term>,
    /// The objects of constant strings.
    pub strings: FxHashMap<StrId, Term>,
    /// Strings that stand for texts which were not put together: whoever looks into one stops the path.
    pub untold: FxHashSet<Term>,
    /// What was asked for its identity hash code, and what it got: locations, and references that are not known.
    pub hashes: Hashes,
    /// Boxes of numbers that are not known.
    pub boxes: FxHashMap<Term, Boxed>,
    /// The calls of methods of the environment: the method, its arguments, and what it gave.
    pub calls: Vec<(MethodId, Vec<Term>, Term)>,
    /// How many inputs of a name the path has made.
    pub inputs: FxHashMap<String, u32>,
}
