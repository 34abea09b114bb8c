//! Ends a check of Z3 from outside: Z3 asks nobody while it thinks, but lets another thread interrupt it.
//!
//! One thread for the whole process looks at all checks that are under way, every [`EVERY`]; it starts with the first
//! check and sleeps while there are none. A check costs two short locks, and a wake-up only if the thread has gone to
//! sleep.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use ::z3::{Context, Solver};
use z3_sys::{Z3_context, Z3_interrupt};

use crate::interrupt::Interrupt;

const EVERY: Duration = Duration::from_millis(20);
/// Rounds without a check before the thread goes to sleep.
const IDLE: u32 = 50;

struct Check {
    number: u64,
    context: Z3_context,
    interrupt: Interrupt,
    fired: bool,
}

// SAFETY: the context is used for nothing but `Z3_interrupt`, which is made for other threads, and only between the beginning and
// the end of a check, while the thread that checks keeps it alive.
unsafe impl Send for Check {}

#[derive(Default)]
struct Checks {
    list: Vec<Check>,
    last: u64,
    asleep: bool,
}

#[derive(Default)]
struct Watcher {
    checks: Mutex<Checks>,
    wake: Condvar,
}

impl Watcher {
    fn lock(&self) -> MutexGuard<'_, Checks> {
        // Nothing is left half done under this lock.
        self.checks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut checks = self.lock();
        let mut idle = 0;
        loop {
            idle = if checks.list.is_empty() { idle + 1 } else { 0 };
            if idle > IDLE {
                checks.asleep = true;
                checks = self.wake.wait_while(checks, |checks| checks.asleep).unwrap_or_else(PoisonError::into_inner);
                idle = 0;
            }
            checks = self.wake.wait_timeout(checks, EVERY).unwrap_or_else(PoisonError::into_inner).0;
            for check in &mut checks.list {
                if check.interrupt.cause().is_some() {
                    // More than once, if need be: an interruption that comes before Z3 listens is lost.
                    check.fired = true;
                    unsafe { Z3_interrupt(check.context) };
                }
            }
        }
    }
}

fn watcher() -> &'static Watcher {
    static WATCHER: OnceLock<&'static Watcher> = OnceLock::new();
    WATCHER.get_or_init(|| {
        let watcher: &'static Watcher = Box::leak(Box::default());
        let thread = std::thread::Builder::new().name("z3 watcher".into());
        thread.spawn(|| watcher.run()).expect("a thread can be started");
        watcher
    })
}

/// Runs a check that ends when the interrupt is raised. `None`: it was, and whatever the check said is not to be used.
pub(super) fn watched<T>(context: &Context, interrupt: &Interrupt, check: impl FnOnce() -> T) -> Option<T> {
    if interrupt.cause().is_some() {
        return None;
    }
    let number = {
        let mut checks = watcher().lock();
        checks.last += 1;
        let (number, context) = (checks.last, context.get_z3_context());
        checks.list.push(Check { number, context, interrupt: interrupt.clone(), fired: false });
        if std::mem::take(&mut checks.asleep) {
            watcher().wake.notify_one();
        }
        number
    };
    let result = check();
    let mut checks = watcher().lock();
    let at = checks.list.iter().position(|check| check.number == number).expect("nobody else removes it");
    let fired = checks.list.swap_remove(at).fired;
    drop(checks);
    if !fired {
        return Some(result);
    }
    // An interruption that comes after the check has ended waits for the next call of Z3, which may be one that must not fail. A check
    // takes it.
    Solver::new().check();
    None
}
