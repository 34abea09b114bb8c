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

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lazuli_engine::config::{Config, Judge};
use lazuli_engine::limits::Watch;
use lazuli_engine::observe::Observed;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::witness::Witness;
use lazuli_invariant::{Contract, Invariants, postcondition};
use lazuli_program::Program;
use lazuli_program::bytecode::ClassPath;
use lazuli_program::ir::MethodId;

use crate::judgement::Verdict;
use bench::{Bench, Event};
pub use helper::cache as cache_directory;

/// A witness to be judged, and what the engine says of it.
pub(crate) struct Case {
    program: u32,
    request: Vec<u8>,
    outcome: Outcome,
    observed: Observed,
    /// What the objects of the witness are called.
    names: Vec<String>,
    verdict: Sender<Verdict>,
}

impl Case {
    fn is_endless(&self) -> bool {
        matches!(self.outcome, Outcome::Endless { .. })
    }
}

/// Where a verdict will be.
pub struct Ticket(Receiver<Verdict>);

impl Ticket {
    /// The verdict, however long it takes.
    pub fn verdict(self) -> Verdict {
        self.wait(&mut End::of(&Watch::default()))
    }

    /// The verdict, if it comes before the run must be over.
    pub(crate) fn wait(self, end: &mut End) -> Verdict {
        let disconnected = || Verdict::NotTried("nobody speaks with the JVM any more".into());
        loop {
            let Some(left) = end.left() else {
                // What is there need not be waited for.
                let late = || Verdict::NotTried("the run ended before the JVM answered".into());
                return self.0.try_recv().unwrap_or_else(|error| match error {
                    TryRecvError::Empty => late(),
                    TryRecvError::Disconnected => disconnected(),
                });
            };
            match self.0.recv_timeout(left.min(LOOK)) {
                Ok(verdict) => return verdict,
                Err(RecvTimeoutError::Disconnected) => return disconnected(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// How often somebody who waits looks whether the run must be over.
const LOOK: Duration = Duration::from_millis(50);

/// The end of a run for those who wait for verdicts: after it is over they wait for the last ones, but not for long.
pub(crate) struct End<'a> {
    watch: &'a Watch,
    until: Option<Instant>,
}

impl End<'_> {
    pub fn of(watch: &Watch) -> End<'_> {
        End { watch, until: None }
    }

    /// What may still pass; `None` if that is nothing.
    fn left(&mut self) -> Option<Duration> {
        let now = Instant::now();
        if self.until.is_none() && self.watch.late().is_some() {
            self.until = Some(now + self.watch.patience());
        }
        let left = self.until.map_or(LOOK, |until| until.saturating_duration_since(now));
        Some(left).filter(|left| !left.is_zero())
    }
}

/// The time of a call, unless something is said.
pub(crate) const CALL: Duration = Duration::from_secs(10);

/// A JVM that judges. It may do so for several runs, of several programs; it ends when it is dropped.
pub struct Jvm {
    events: Sender<Event>,
    programs: AtomicU32,
    bench: Option<JoinHandle<()>>,
}

impl Jvm {
    /// Starts the JVM of the JDK that a program was read with; `None` if it is not in Java.
    pub fn of(program: &Program) -> Option<Jvm> {
        Jvm::with_limit(program, CALL)
    }

    /// The same; calls that take longer than this are not waited for.
    pub fn with_limit(program: &Program, call: Duration) -> Option<Jvm> {
        Some(Jvm::start(program.library.as_deref()?.path.clone(), call))
    }

    /// Starts the JVM of the JDK that a class path was read with.
    pub(crate) fn start(path: Arc<ClassPath>, call: Duration) -> Jvm {
        let (events, inbox) = channel();
        let bench = Bench::new(path, call, events.clone(), inbox);
        let bench = std::thread::spawn(move || bench.sit());
        Jvm { events, programs: AtomicU32::new(0), bench: Some(bench) }
    }

    /// What those are given who ask about a method of a program; `None` if it is not in Java.
    pub fn client(&self, program: &Program, entry: MethodId) -> Option<Client> {
        self.client_with(program, entry, None)
    }

    /// The same, of a method that has a postcondition.
    pub(crate) fn client_with(&self, program: &Program, entry: MethodId, post: Option<Contract>) -> Option<Client> {
        let path = program.library.as_deref()?.path.clone();
        let number = self.programs.fetch_add(1, Ordering::Relaxed);
        // Without a bench the tickets say so.
        let _ = self.events.send(Event::Admit(number, path));
        let admitted = Admitted { events: self.events.clone(), number };
        Some(Client { admitted: Arc::new(admitted), called: Arc::new(Called { entry, post }) })
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        let _ = self.events.send(Event::End);
        if let Some(bench) = self.bench.take() {
            let _ = bench.join();
        }
    }
}

/// A program that the helper knows, as long as anybody asks about it.
struct Admitted {
    events: Sender<Event>,
    number: u32,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Dismiss(self.number));
    }
}

/// What those have of the judge who ask about one method: the workers of a run, for instance.
#[derive(Clone)]
pub struct Client {
    admitted: Arc<Admitted>,
    called: Arc<Called>,
}

/// What the helper calls.
pub(crate) struct Called {
    entry: MethodId,
    /// What must be true after it.
    post: Option<Contract>,
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
        let request = request::encode(program, &self.called, witness, &observed).map_err(Verdict::NotComparable)?;
        let (verdict, ticket) = channel();
        let names = witness.objects.iter().map(|object| object.name.clone()).collect();
        let Admitted { events, number } = &*self.admitted;
        let case = Case { program: *number, request, outcome: outcome.clone(), observed, names, verdict };
        let _ = events.send(Event::Submit(Box::new(case)));
        Ok(Ticket(ticket))
    }
}

/// Does something with what workers need, if the JVM is asked: the one that is given, or one of its own.
pub(crate) fn with_jvm<R>(
    program: &Program,
    config: &Config,
    entry: MethodId,
    jvm: Option<&Jvm>,
    work: impl FnOnce(Option<Client>) -> R,
) -> R {
    if config.judge != Judge::Jvm {
        return work(None);
    }
    let own = if jvm.is_none() { Jvm::of(program) } else { None };
    // What is wrong with a postcondition is said where the program is made that asks it.
    let post = Invariants::of(config).and_then(|invariants| invariants.post.as_deref());
    let post = post.and_then(|post| postcondition(program, entry, post).ok());
    let client = jvm.or(own.as_ref()).and_then(|jvm| jvm.client_with(program, entry, post));
    work(client)
}

#[cfg(test)]
mod tests {
    use lazuli_engine::limits::Control;
    use lazuli_engine::vm::Stream;
    use lazuli_program::bytecode::Scratch;

    use super::*;
    use crate::source::Source;

    /// After the end of a run nobody waits for a verdict that does not come; one that is there is taken.
    #[test]
    fn nobody_waits_for_long_after_the_end() {
        let control = Control::default();
        control.interrupted.store(true, Ordering::Relaxed);
        let watch = Watch::of(&Config::default(), &control);
        let mut end = End::of(&watch);
        let (judge, ticket) = channel();
        assert!(matches!(Ticket(ticket).wait(&mut end), Verdict::NotTried(why) if why.contains("the run ended")));
        assert_eq!(end.left(), None);
        drop(judge);
        let (judge, ticket) = channel();
        judge.send(Verdict::Agrees).expect("the ticket is there");
        assert_eq!(Ticket(ticket).wait(&mut end), Verdict::Agrees);
    }

    const SOURCE: &str = "class Hostile {
        static void exits() { System.exit(4); }
        static void hangs() { for (;;) { } }
        static void eats() { var all = new java.util.ArrayList<long[]>(); for (;;) all.add(new long[1 << 20]); }
        static void dies() { Runtime.getRuntime().halt(9); }
        static void prints() { System.out.println(\"fine\"); }
        static void lies() { System.setOut(null); System.setProperty(\"user.dir\", \"x\"); java.util.Locale.setDefault(java.util.Locale.FRANCE); }
    }";

    /// What a JVM says of calls one after the other, of which each is expected to print something and return.
    #[test]
    fn a_program_that_ends_the_jvm_spoils_nothing_but_itself() {
        let scratch = Scratch::new().expect("a directory");
        let path = scratch.path().join("Hostile.java");
        std::fs::write(&path, SOURCE).expect("a source");
        let program =
            Source { entry: Some("Hostile.prints".into()), ..Source::new(&path) }.load().expect("it compiles");
        let library = program.library.as_deref().expect("Java");
        let class = library.class_id("Hostile");
        let jvm = Jvm::with_limit(&program, Duration::from_secs(3)).expect("Java");
        let submit = |method: &str| {
            let entry = library.declared_method(class, method, "()V").expect("declared");
            let client = jvm.client(&program, entry).expect("Java");
            let printed = vec![(Stream::Out, "fine\n".to_string())];
            let observed = Observed { printed, ..Observed::default() };
            let ticket = client.submit(&program, &Witness::default(), &Outcome::Returned, observed);
            // Whoever asks stays until the answer is there.
            (client, ticket.expect("it can be asked"))
        };
        // All are under way before the first is answered.
        let methods = ["prints", "exits", "prints", "eats", "prints", "hangs", "lies", "prints", "dies", "prints"];
        let tickets: Vec<(Client, Ticket)> = methods.iter().map(|method| submit(method)).collect();
        for (method, (_client, ticket)) in methods.iter().zip(tickets) {
            let verdict = ticket.verdict();
            let (kind, reason) = match *method {
                "prints" => ("agrees", ""),
                "exits" => ("differs", "exit code 4"),
                "dies" => ("differs", "exit code 9"),
                "lies" => ("differs", "prints nothing"),
                "eats" => ("not_comparable", "memory"),
                _ => ("not_comparable", "more than 3s"),
            };
            assert_eq!(verdict.kind(), kind, "{method}: {verdict:?}");
            assert!(verdict.reasons().concat().contains(reason), "{method}: {verdict:?}");
        }
    }
}
