//! What trials need of their executor; see `trial.rs`.

use lazuli_program::ir::MethodId;

use crate::completions::Kept;

/// What trials need of their executor.
#[derive(Default)]
pub(crate) struct Trials {
    /// Whether one is going on: then nobody asks the invariants.
    pub running: bool,
    /// Whether one was given up because the run must end.
    pub expired: bool,
    /// Instructions of all trials: they are no steps of the run, but effort.
    pub steps: u64,
    /// What was found by a trial that is done once, and the effort that it took.
    pub kept: Option<Kept>,
    pub once: u64,
    /// The method of each name that was looked for.
    pub methods: Vec<(&'static str, MethodId)>,
}
