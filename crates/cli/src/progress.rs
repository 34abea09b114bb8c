//! A progress line on a terminal; nothing where standard error is not one.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lazuli::Control;
use lazuli_logic::interrupt::resident_memory;

pub struct Progress {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// How long a run is left alone before it has to say something, and how often it says it then.
const PATIENCE: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(200);

/// What a run may use, as far as its reader wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allowed {
    pub time: Option<Duration>,
    pub jobs: usize,
    /// Nobody wants to know.
    pub quiet: bool,
}

impl Progress {
    pub fn start(control: Arc<Control>, allowed: Allowed) -> Progress {
        let done = Arc::new(AtomicBool::new(false));
        if allowed.quiet || !std::io::stderr().is_terminal() {
            return Progress { done, thread: None };
        }
        let flag = done.clone();
        let thread = std::thread::spawn(move || {
            let started = Instant::now();
            let mut shown = 0;
            while !flag.load(Ordering::Relaxed) {
                std::thread::park_timeout(INTERVAL);
                if started.elapsed() >= PATIENCE && !flag.load(Ordering::Relaxed) {
                    let line = line(&control, started.elapsed(), allowed);
                    let width = line.chars().count();
                    eprint!("\r{line}{}", " ".repeat(usize::saturating_sub(shown, width)));
                    // A progress line that cannot be shown is no reason to stop.
                    let _ = std::io::stderr().flush();
                    shown = width;
                }
            }
            if shown > 0 {
                eprint!("\r{}\r", " ".repeat(shown));
            }
        });
        Progress { done, thread: Some(thread) }
    }

    pub fn stop(mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            thread.join().expect("the progress line does not panic");
        }
    }
}

/// How it goes: traces, what is open, how fast, what it takes, and how much time is left.
fn line(control: &Control, elapsed: Duration, allowed: Allowed) -> String {
    let traces = control.traces.load(Ordering::Relaxed);
    let open = control.open.load(Ordering::Relaxed).max(0);
    let seconds = elapsed.as_secs_f64();
    let solving = control.solving.load(Ordering::Relaxed) as f64 / 1e6;
    let share = (100.0 * solving / (seconds * allowed.jobs.max(1) as f64)).min(100.0);
    let left = match allowed.time {
        Some(time) => format!(", {} s left", time.saturating_sub(elapsed).as_secs()),
        None => String::new(),
    };
    format!(
        "{traces} traces, {open} open, {:.0} a second, {share:.0} % solving, {} MB, {seconds:.0} s{left} (Ctrl-C stops)",
        traces as f64 / seconds,
        resident_memory() >> 20,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_it_goes() {
        let control = Control::default();
        control.traces.store(300, Ordering::Relaxed);
        control.open.store(12, Ordering::Relaxed);
        control.solving.store(1_500_000, Ordering::Relaxed);
        let allowed = Allowed { time: Some(Duration::from_secs(60)), jobs: 1, quiet: false };
        let shown = line(&control, Duration::from_secs(3), allowed);
        assert!(shown.starts_with("300 traces, 12 open, 100 a second, 50 % solving, "), "{shown}");
        assert!(shown.ends_with(" MB, 3 s, 57 s left (Ctrl-C stops)"), "{shown}");
    }
}
