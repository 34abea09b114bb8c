//! An error that can be planted into the logic, for tests only: the engine's `planted.rs` has all of them. Without the feature
//! `planted-errors` nothing of it is left.

/// Whether groups take no notice of the holders of their applications.
#[cfg(not(feature = "planted-errors"))]
pub(crate) const fn forgets_holders() -> bool {
    false
}

/// Whether groups take no notice of the holders of their applications.
#[cfg(feature = "planted-errors")]
pub(crate) fn forgets_holders() -> bool {
    FORGETS_HOLDERS.load(std::sync::atomic::Ordering::Relaxed)
}

#[cfg(feature = "planted-errors")]
static FORGETS_HOLDERS: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Plants the error, or takes it out again.
#[cfg(feature = "planted-errors")]
pub fn forget_holders(forgets: bool) {
    FORGETS_HOLDERS.store(forgets, std::sync::atomic::Ordering::Relaxed);
}
