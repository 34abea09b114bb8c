//! Interruption: what every long loop of this crate asks, so that it ends when somebody outside wants it to.
//!
//! A question to the solver, a circuit, a simplification may take seconds or hours, and the one who waits has a flag,
//! a deadline and a limit on memory. An [`Interrupt`] is a handle on these three. Asking it costs a load and a
//! decrement; the clock is read once in [`CALLS`] questions and the memory every [`MEMORY_EVERY`].
//!
//! What ends early must stay sound: a solver says that it does not know, a constructor leaves a term as it is. Once
//! raised, an interrupt stays raised: whoever wants to go on makes a new one.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The clock is read at every so many questions.
const CALLS: u32 = 64;
/// So many nodes looked at count as one question.
const NODES: usize = 64;
/// The memory of the process is read at most so often.
const MEMORY_EVERY: Duration = Duration::from_millis(5);

/// What raised an interrupt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    Flag,
    Deadline,
    Memory,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Flag => "interrupted",
            Cause::Deadline => "interrupted: the time is over",
            Cause::Memory => "interrupted: the memory is used up",
        })
    }
}

/// A handle: clones share what raises them. It may be sent to another thread, and every thread has its own.
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    shared: Arc<Shared>,
    /// Questions until the clock is read; stays 0 once it is raised.
    left: Cell<u32>,
}

struct Shared {
    deadline: Option<Instant>,
    /// Resident memory of the process, in bytes.
    memory: Option<u64>,
    started: Instant,
    /// When the memory was read last, in microseconds since the start.
    read: AtomicU64,
    /// The first cause that anybody saw, as a number; 0 for none.
    cause: AtomicU8,
}

impl Interrupt {
    /// Raised when the flag is set, the deadline is over, or the process has more resident memory than this many
    /// bytes.
    pub fn new(flag: Arc<AtomicBool>, deadline: Option<Instant>, memory: Option<u64>) -> Interrupt {
        let (read, cause) = (AtomicU64::new(0), AtomicU8::new(0));
        let shared = Shared { deadline, memory, started: Instant::now(), read, cause };
        Interrupt { flag, shared: Arc::new(shared), left: Cell::new(0) }
    }

    /// Whether it is time to stop. For loops: the clock and the memory are not read every time.
    #[inline]
    pub fn is_raised(&self) -> bool {
        match self.left.get() {
            0 => self.cause().is_some(),
            left => {
                self.left.set(left - 1);
                self.flag.load(Ordering::Relaxed)
            }
        }
    }

    /// Notes work that was done without asking, in nodes looked at: after much of it the next question reads the
    /// clock.
    pub(crate) fn spend(&self, nodes: usize) {
        self.left.set(self.left.get().saturating_sub((nodes / NODES).try_into().unwrap_or(u32::MAX)));
    }

    /// What raised it, if it is raised. The clock is read.
    pub fn cause(&self) -> Option<Cause> {
        let shared = &*self.shared;
        let cause = match shared.cause.load(Ordering::Relaxed) {
            1 => Some(Cause::Flag),
            2 => Some(Cause::Deadline),
            3 => Some(Cause::Memory),
            _ => self.new_cause(),
        };
        match cause {
            Some(cause) => {
                shared.cause.store(cause as u8 + 1, Ordering::Relaxed);
                self.left.set(0);
            }
            None => self.left.set(CALLS - 1),
        }
        cause
    }

    fn new_cause(&self) -> Option<Cause> {
        let shared = &*self.shared;
        if self.flag.load(Ordering::Relaxed) {
            return Some(Cause::Flag);
        }
        if shared.deadline.is_none() && shared.memory.is_none() {
            return None;
        }
        let now = Instant::now();
        if shared.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Cause::Deadline);
        }
        let most = shared.memory?;
        let since = now.duration_since(shared.started).as_micros() as u64;
        let before = shared.read.load(Ordering::Relaxed);
        if before != 0 && since < before + MEMORY_EVERY.as_micros() as u64 {
            return None;
        }
        shared.read.store(since.max(1), Ordering::Relaxed);
        (resident_memory() > most).then_some(Cause::Memory)
    }
}

impl Default for Interrupt {
    /// Never raised.
    fn default() -> Self {
        Interrupt::new(Arc::default(), None, None)
    }
}

impl Clone for Interrupt {
    fn clone(&self) -> Self {
        Interrupt { flag: self.flag.clone(), shared: self.shared.clone(), left: Cell::new(0) }
    }
}

/// The process's resident memory in bytes; 0 where the system does not say.
pub fn resident_memory() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages: u64 = text.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many questions it takes until it is raised.
    fn questions(interrupt: &Interrupt) -> Option<u32> {
        (0..2 * CALLS).find(|_| interrupt.is_raised())
    }

    #[test]
    fn nothing_raises_the_default() {
        let interrupt = Interrupt::default();
        assert_eq!((questions(&interrupt), interrupt.cause()), (None, None));
    }

    #[test]
    fn a_flag_is_seen_at_once_and_by_every_clone() {
        let flag = Arc::new(AtomicBool::new(false));
        let interrupt = Interrupt::new(flag.clone(), None, None);
        let clone = interrupt.clone();
        assert_eq!((questions(&interrupt), questions(&clone)), (None, None));
        flag.store(true, Ordering::Relaxed);
        assert_eq!((questions(&interrupt), questions(&clone)), (Some(0), Some(0)));
        assert_eq!(interrupt.cause(), Some(Cause::Flag));
    }

    #[test]
    fn a_deadline_is_seen_within_a_round_of_questions_and_never_forgotten() {
        let interrupt = Interrupt::new(Arc::default(), Some(Instant::now() + Duration::from_millis(30)), None);
        assert!(!interrupt.is_raised());
        std::thread::sleep(Duration::from_millis(40));
        assert!(questions(&interrupt).is_some_and(|number| number < CALLS));
        assert_eq!(questions(&interrupt), Some(0));
        assert_eq!(interrupt.clone().cause(), Some(Cause::Deadline));
    }

    #[test]
    fn work_brings_the_next_look_at_the_clock_closer() {
        let interrupt = Interrupt::new(Arc::default(), Some(Instant::now() + Duration::from_millis(5)), None);
        assert!(!interrupt.is_raised());
        std::thread::sleep(Duration::from_millis(10));
        assert!(!interrupt.is_raised());
        interrupt.spend(NODES * CALLS as usize);
        assert!(interrupt.is_raised());
    }

    #[test]
    fn the_memory_of_the_process_counts() {
        assert!(resident_memory() > 100_000);
        assert_eq!(Interrupt::new(Arc::default(), None, Some(1)).cause(), Some(Cause::Memory));
        let plenty = Interrupt::new(Arc::default(), None, Some(1 << 50));
        assert_eq!((plenty.cause(), plenty.cause()), (None, None));
    }
}
