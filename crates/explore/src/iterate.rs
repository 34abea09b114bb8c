//! Traces one after the other, for whoever wants to take them and not be told.

use std::panic::resume_unwind;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, sync_channel};

use lazuli_engine::config::Config;
use lazuli_engine::limits::Control;
use lazuli_program::Program;

use crate::error::Error;
use crate::explore::{Event, explore_with};
use crate::run::{Run, Trace};

/// How many traces may wait for whoever takes them: then the run waits.
const ROOM: usize = 64;

/// The traces of a run that goes on meanwhile.
pub struct Traces(Receiver<Trace>);

impl Iterator for Traces {
    type Item = Trace;

    fn next(&mut self) -> Option<Trace> {
        self.0.recv().ok()
    }
}

/// Explores a program while somebody takes its traces. If he does not take all of them, the run is interrupted. Gives what he made of
/// them, and the run without traces.
///
/// ```
/// use lazuli::{Config, Control, Source, traces};
///
/// let text = "class A { int f(int n, int x) := if x = n then n else this.f[n + 1, x]; }";
/// let program = Source::text("endless.pose", text).load()?;
/// let config = Config { entry: Some("A.f".into()), ..Config::default() };
/// let (first, run) = traces(&program, &config, &Control::default(), |traces| {
///     traces.take(3).map(|trace| trace.id()).collect::<Vec<_>>()
/// })?;
/// assert_eq!(first, ["0", "1.0", "1.1.0"]);
/// assert!(!run.is_complete());
/// # Ok::<(), lazuli::Error>(())
/// ```
pub fn traces<T>(
    program: &Program,
    config: &Config,
    control: &Control,
    take: impl FnOnce(&mut Traces) -> T,
) -> Result<(T, Run), Error> {
    let (give, taken) = sync_channel(ROOM);
    std::thread::scope(|scope| {
        let run = scope.spawn(move || {
            explore_with(program, config, control, None, &mut |event| {
                if let Event::Trace(trace) = event
                    && give.send(trace).is_err()
                {
                    control.interrupted.store(true, Ordering::Relaxed);
                }
            })
        });
        let made = {
            let mut traces = Traces(taken);
            take(&mut traces)
        };
        let run = run.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        Ok((made, run))
    })
}
