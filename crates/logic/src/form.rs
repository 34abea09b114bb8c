//! What a term says, as two numbers: see `by_form.rs`.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// How high a term is, and a fingerprint of its text: lower ones come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Form {
    pub height: u32,
    pub print: u64,
}

/// The forms found so far, indexed like the pool.
#[derive(Default)]
pub(crate) struct Forms(pub Vec<Option<Form>>);

impl Form {
    /// A number whose bits all depend on all of the form: such numbers may be added.
    pub fn mixed(self) -> u64 {
        printed(|hasher| self.hash(hasher))
    }
}

/// A fingerprint of what is written.
pub(crate) fn printed(write: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut hasher = FxHasher::default();
    write(&mut hasher);
    hasher.finish()
}
