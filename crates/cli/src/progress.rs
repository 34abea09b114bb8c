//! A progress line on a terminal; nothing where standard error is not one.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lazuli::Control;

pub struct Progress {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// How long a run is left alone before it has to say something, and how often it says it then.
const PATIENCE: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(100);

impl Progress {
    pub fn start(control: Arc<Control>) -> Progress {
        let done = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return Progress { done, thread: None };
        }
        let flag = done.clone();
        let thread = std::thread::spawn(move || {
            let started = Instant::now();
            let mut shown = false;
            while !flag.load(Ordering::Relaxed) {
                std::thread::park_timeout(INTERVAL);
                if started.elapsed() >= PATIENCE && !flag.load(Ordering::Relaxed) {
                    let traces = control.traces.load(Ordering::Relaxed);
                    let seconds = started.elapsed().as_secs_f64();
                    let rate = traces as f64 / seconds;
                    eprint!("\r{traces} traces, {seconds:.1} s, {rate:.0} a second (Ctrl-C to stop) ");
                    // A progress line that cannot be shown is no reason to stop.
                    let _ = std::io::stderr().flush();
                    shown = true;
                }
            }
            if shown {
                eprint!("\r{:70}\r", "");
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
