//! What the outside can see of a run and do to it, and what ends a run from outside of its paths.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::config::Config;

/// What the outside can see of a run and do to it while it goes on.
#[derive(Default)]
pub struct Control {
    /// Set by Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
    /// Traces ended so far, for a progress line.
    pub traces: AtomicU64,
}

impl Control {
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// What ends a run from outside of a path.
pub struct Limits<'a> {
    pub control: &'a Control,
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
    pub traces: Option<u64>,
}

impl<'a> Limits<'a> {
    /// Those of a configuration, from now on.
    pub fn of(config: &Config, control: &'a Control) -> Limits<'a> {
        Limits {
            control,
            deadline: config.bounds.time.map(|time| Instant::now() + time),
            memory: config.bounds.memory,
            traces: config.bounds.traces,
        }
    }

    /// What can be told at once.
    pub fn late(&self) -> Option<&'static str> {
        if self.control.is_interrupted() {
            return Some("interrupted");
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some("--timeout")
    }

    pub fn exceeded(&self) -> Option<&'static str> {
        let is_full = || self.memory.is_some_and(|most| resident_memory() > most);
        self.late().or_else(|| is_full().then_some("--max-memory"))
    }
}

/// The process's resident memory in bytes; 0 where the system does not say.
pub fn resident_memory() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages: u64 = text.split_whitespace().nth(1).and_then(|p| p.parse().ok()).unwrap_or(0);
    pages * 4096
}
