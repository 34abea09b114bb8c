//! The inputs of which a method is true, by their shapes: what a trial that is done once has found. `kept.rs` finds them.

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, MethodId};
use rustc_hash::FxHashMap;

use crate::quota::Quota;

/// What is known of a reference of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    Null,
    /// An object, by its number.
    Object(u32),
    NotNull,
}

/// A partial input as a graph. Of arrays, objects that exist before the entry, and objects that may be of several classes
/// there is none.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub roots: Vec<(Symbol, Known)>,
    pub fields: FxHashMap<(u32, FieldId), Known>,
    /// The objects by their numbers, the symbols that name them, and their classes.
    pub objects: Vec<(u32, Symbol, ClassId)>,
}

/// Where the method is true.
pub(crate) struct Completion {
    pub shape: Shape,
    pub condition: Term,
    /// The numbers of objects that the condition is about: the object, and the field by a symbol of it.
    pub numbers: Vec<(u32, FieldId, Term)>,
}

/// The completions of one method, within quotas.
pub(crate) struct Kept {
    pub method: MethodId,
    pub quotas: Vec<Quota>,
    /// `None` if they are too many, or not all of them could be found, or have shapes.
    pub completions: Option<Vec<Completion>>,
    /// The one that fitted last.
    pub last: usize,
}

impl Shape {
    /// Which objects of a partial input are which of these, if it is a part of this one.
    pub(crate) fn contains(&self, part: &Shape) -> Option<Vec<(u32, u32)>> {
        let mut same: Vec<(u32, u32)> = Vec::with_capacity(part.objects.len());
        for &(root, known) in &part.roots {
            if let Some(&(_, here)) = self.roots.iter().find(|(name, _)| *name == root) {
                unify(&mut same, known, here)?;
            }
        }
        let mut at = 0;
        while let Some(&(there, here)) = same.get(at) {
            let class = |shape: &Shape, number| shape.objects.iter().find(|o| o.0 == number).map(|o| o.2);
            if class(part, there) != class(self, here) {
                return None;
            }
            for (&(_, field), &known) in part.fields.iter().filter(|((holder, _), _)| *holder == there) {
                if let Some(&here) = self.fields.get(&(here, field)) {
                    unify(&mut same, known, here)?;
                }
            }
            at += 1;
        }
        Some(same)
    }
}

/// Notes that two references are one; `None` if they cannot be.
fn unify(same: &mut Vec<(u32, u32)>, part: Known, whole: Known) -> Option<()> {
    match (part, whole) {
        (Known::Null, Known::Null) => Some(()),
        (Known::Null, _) | (_, Known::Null) => None,
        (Known::Object(part), Known::Object(whole)) => {
            match same.iter().find(|(known, other)| *known == part || *other == whole) {
                Some(pair) => (*pair == (part, whole)).then_some(()),
                None => {
                    same.push((part, whole));
                    Some(())
                }
            }
        }
        (Known::NotNull, _) | (_, Known::NotNull) => Some(()),
    }
}
