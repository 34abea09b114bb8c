//! What the outside can see of a run and do to it, and what ends a run from outside of its paths.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lazuli_logic::Interrupt;
use lazuli_logic::interrupt::resident_memory;

use crate::config::Config;
use crate::outcome::Bound;

/// What the outside can see of a run and do to it while it goes on.
#[derive(Default)]
pub struct Control {
    /// Set by Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
    /// Traces ended so far, for a progress line.
    pub traces: AtomicU64,
    /// Paths that are to be gone on with, in all workers.
    pub open: AtomicI64,
    /// Time in the back ends of the solver, in microseconds, in all workers.
    pub solving: AtomicU64,
}

impl Control {
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Says when a run must end. Everybody who may be at work for long has one and looks at it; by default it never ends.
#[derive(Clone, Debug)]
pub struct Watch {
    interrupted: Arc<AtomicBool>,
    /// Set when the run has what it wants: work that goes on for it is given up.
    enough: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// Resident memory of the process, in bytes.
    memory: Option<u64>,
    started: Instant,
    /// When the memory was looked at last, in milliseconds after the start: asking the system takes as long as a hundred
    /// instructions.
    looked: Arc<AtomicU64>,
}

/// What passes between the end of a run and its effect is half a second and a tenth of its time at most; writing needs a part of that.
const LEAST_PATIENCE: Duration = Duration::from_millis(400);
/// Of longer times the tenth is longer than anybody wants to wait.
const MOST_TIME: Duration = Duration::from_secs(25);
/// How often the memory is looked at, in milliseconds.
const LOOK_EVERY: u64 = 10;

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            interrupted: Arc::default(),
            enough: Arc::default(),
            deadline: None,
            memory: None,
            started: Instant::now(),
            looked: Arc::default(),
        }
    }
}

impl Watch {
    /// The limits of a configuration, from now on.
    pub fn of(config: &Config, control: &Control) -> Watch {
        let watch = Watch::default();
        Watch {
            interrupted: control.interrupted.clone(),
            deadline: config.bounds.time.and_then(|time| watch.started.checked_add(time)),
            memory: config.bounds.memory,
            ..watch
        }
    }

    /// The same limits, for a run that begins again and has nothing of what it wants.
    pub fn again(&self) -> Watch {
        Watch { enough: Arc::default(), ..self.clone() }
    }

    /// How long the end of a run may take: what was begun is brought to an end within it.
    pub fn patience(&self) -> Duration {
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(self.started));
        LEAST_PATIENCE + time.unwrap_or_default().min(MOST_TIME) / 10
    }

    /// The same, with another end.
    pub fn until(&self, deadline: Option<Instant>) -> Watch {
        Watch { deadline, ..self.clone() }
    }

    /// The run has all traces that are wanted.
    pub fn set_enough(&self) {
        self.enough.store(true, Ordering::Relaxed);
    }

    pub fn has_enough(&self) -> bool {
        self.enough.load(Ordering::Relaxed)
    }

    /// The same for the long loops of the logic.
    pub fn interrupt(&self) -> Interrupt {
        Interrupt::new(self.interrupted.clone(), self.deadline, self.memory)
    }

    /// Why the run must end now, if it must.
    pub fn late(&self) -> Option<Bound> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Bound::Interrupted);
        }
        if self.has_enough() {
            return Some(Bound::MaxTraces);
        }
        if self.deadline.is_none() && self.memory.is_none() {
            return None;
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Bound::Timeout);
        }
        let most = self.memory?;
        let since = now.duration_since(self.started).as_millis() as u64;
        if since < self.looked.load(Ordering::Relaxed) + LOOK_EVERY {
            return None;
        }
        self.looked.store(since, Ordering::Relaxed);
        (resident_memory() > most).then_some(Bound::MaxMemory)
    }
}
