//! The JVM as a judge: one helper process for a whole run is given every witness, builds it, calls the real method, and says what it came to; that is
//! compared with what the engine observed on the same witness.
//!
//! Workers hand cases in and go on; whoever finishes a part waits for its verdicts. One thread ([`Bench`]) speaks with the process.
//!
//! The helper *executes the code under analysis*. It gets nothing that it does not need: no environment, a directory of its own that is removed at the
//! end, a limit on memory. Where it does not answer in time, or ends, it is killed and started anew.

mod bench;
mod compare;
mod helper;
mod process;
mod reply;
mod request;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use lazuli_engine::config::{Config, Judge};
use lazuli_engine::observe::Observed;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::witness::Witness;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::judgement::Verdict;
use bench::{Bench, Event};

/// A witness to be judged, and what the engine says of it.
pub(crate) struct Case {
    /// Its bytes, without the number that the bench gives it.
    request: Vec<u8>,
    outcome: Outcome,
    observed: Observed,
    /// What the objects of the witness are called.
    names: Vec<String>,
    verdict: Sender<Verdict>,
}

/// Where a verdict will be.
pub(crate) struct Ticket(Receiver<Verdict>);

impl Ticket {
    /// The verdict, if it comes before the run must be over.
    pub fn wait(self, until: Option<Instant>) -> Verdict {
        let received = match until {
            None => self.0.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => self.0.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        received.unwrap_or_else(|error| {
            Verdict::NotTried(match error {
                RecvTimeoutError::Timeout => "the run ended before the JVM answered".into(),
                RecvTimeoutError::Disconnected => "nobody speaks with the JVM any more".into(),
            })
        })
    }
}

/// After the end of a run its last verdicts are waited for so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(3);

/// What workers have of the judge. It is dropped when a run ends, and with it the process.
#[derive(Clone)]
pub(crate) struct Client {
    events: Sender<Event>,
    entry: MethodId,
}

impl Client {
    /// Hands a witness in. Where it cannot be put to a JVM at all, that is its verdict.
    pub fn submit(
        &self,
        program: &Program,
        witness: &Witness,
        outcome: &Outcome,
        observed: Observed,
    ) -> Result<Ticket, Verdict> {
        let request = request::encode(program, self.entry, witness, &observed).map_err(Verdict::NotComparable)?;
        let (verdict, ticket) = channel();
        let names = witness.objects.iter().map(|object| object.name.clone()).collect();
        let case = Case { request, outcome: outcome.clone(), observed, names, verdict };
        // Without a bench the ticket says so.
        let _ = self.events.send(Event::Submit(case));
        Ok(Ticket(ticket))
    }
}

/// Does something with a judge at hand, if the JVM is asked; `entry` is the method that it calls.
pub(crate) fn with_jvm<R>(
    program: &Program,
    config: &Config,
    entry: MethodId,
    work: impl FnOnce(Option<Client>) -> R,
) -> R {
    let Some(library) = program.library.as_deref().filter(|_| config.judge == Judge::Jvm) else { return work(None) };
    std::thread::scope(|scope| {
        let (events, inbox) = channel();
        let bench = Bench::new(&library.path, events.clone(), inbox);
        scope.spawn(move || bench.sit());
        let client = Client { events: events.clone(), entry };
        // Whatever happens in between, the bench hears that it is over.
        let _end = AtEnd(events);
        work(Some(client))
    })
}

struct AtEnd(Sender<Event>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        let _ = self.0.send(Event::End);
    }
}
