//! Which fields were accessed through inputs, and of objects that exist before the entry, as data: see `aliased.rs`.

use lazuli_program::ir::FieldId;
use rustc_hash::FxHashMap;

/// How a field was accessed, as bits.
pub(crate) const READ: u8 = 1;
pub(crate) const WRITTEN: u8 = 2;

/// The fields that the paths of a worker have accessed.
#[derive(Default)]
pub(crate) struct Accesses {
    /// Through inputs, by the number of the field.
    pub(crate) inputs: Vec<u8>,
    /// Of objects that exist before the entry.
    pub(crate) existing: FxHashMap<(FieldId, u32), u8>,
    /// Whether an object that exists may be handed in by whoever calls the entry, for those that were accessed.
    pub(crate) visible: FxHashMap<u32, bool>,
}
