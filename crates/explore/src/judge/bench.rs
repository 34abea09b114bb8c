//! Who speaks with the helper: hands it cases, gives it the classes that it asks for, and settles its answers.
//!
//! Many cases are under way at once, so that nobody waits for each. Where the process ends or does not answer in time, it is not known by which of
//! them: those that were under way are tried again one at a time, and the one that is then alone is the one.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use lazuli_program::bytecode::{ClassPath, Scratch};

use super::process::{OUT_OF_MEMORY, Process};
use super::reply::{Message, Reply};
use super::{Case, compare, helper, request};
use crate::judgement::Verdict;

/// What the bench hears.
pub(crate) enum Event {
    /// A program comes, whose classes are these, or goes.
    Admit(u32, Arc<ClassPath>),
    Dismiss(u32),
    Submit(Box<Case>),
    /// A process has said something: which, and what.
    Said(u32, Message),
    /// The run is over.
    End,
}

/// So many cases are under way at once.
const WINDOW: usize = 256;
/// A JVM that takes longer to start does not start.
const START: Duration = Duration::from_secs(60);
/// A call of which the trace says that it does not end, and that takes longer, does not.
const ENDLESS: Duration = Duration::from_secs(2);
/// After so many processes that did not begin to work no more are started.
const MOST_FAILURES: u32 = 3;

pub(crate) struct Bench {
    /// The first program's: all have the same JDK.
    jdk: Arc<ClassPath>,
    /// Those that there are, by their numbers.
    programs: BTreeMap<u32, Arc<ClassPath>>,
    events: Sender<Event>,
    inbox: Receiver<Event>,
    /// Not handed to the process yet.
    waiting: VecDeque<Case>,
    /// Handed to the process, the first that it will answer in front.
    under_way: VecDeque<Case>,
    /// How many of those that wait are handed out one at a time.
    alone: usize,
    process: Option<Process>,
    /// Whether the process has said that it is there.
    is_ready: bool,
    /// The number of processes so far, and those in a row that came to nothing.
    number: u32,
    failures: u32,
    /// A call that takes longer does not end, as far as anybody waits for it.
    call: Duration,
    /// When the process must have said something.
    deadline: Instant,
    home: Option<Home>,
    /// Why there is no JVM to ask.
    broken: Option<String>,
}

/// Where the helper is, and where it works.
struct Home {
    classes: PathBuf,
    scratch: Scratch,
}

impl Bench {
    pub fn new(jdk: Arc<ClassPath>, call: Duration, events: Sender<Event>, inbox: Receiver<Event>) -> Bench {
        Bench {
            jdk,
            programs: BTreeMap::new(),
            events,
            inbox,
            waiting: VecDeque::new(),
            under_way: VecDeque::new(),
            alone: 0,
            process: None,
            is_ready: false,
            number: 0,
            failures: 0,
            call,
            deadline: Instant::now(),
            home: None,
            broken: None,
        }
    }

    /// Until the run is over.
    pub fn sit(mut self) {
        // The machine starts while the first paths are explored.
        self.start();
        loop {
            let is_asked = !self.under_way.is_empty() || self.process.is_some() && !self.is_ready;
            let event = match is_asked {
                true => self.inbox.recv_timeout(self.deadline.saturating_duration_since(Instant::now())),
                false => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Event::Admit(number, path)) => self.admit(number, path),
                Ok(Event::Dismiss(number)) => self.dismiss(number),
                Ok(Event::Submit(case)) => self.take_in(*case),
                Ok(Event::Said(number, message)) if number == self.number => self.hear(message),
                Ok(Event::Said(..)) => {}
                Err(RecvTimeoutError::Timeout) => self.fail(Failure::Silent),
            }
            self.hand_out();
        }
    }

    fn start(&mut self) {
        self.number += 1;
        self.is_ready = false;
        self.deadline = Instant::now() + START;
        match self.try_start() {
            Ok(process) => self.process = Some(process),
            Err(why) => self.broken = Some(why),
        }
    }

    fn try_start(&mut self) -> Result<Process, String> {
        if self.home.is_none() {
            let scratch = Scratch::new().map_err(|error| error.to_string())?;
            let classes = helper::classes(self.jdk.jdk(), &scratch)?;
            self.home = Some(Home { classes, scratch });
        }
        let Home { classes, scratch } = self.home.as_ref().expect("just made");
        // What one process leaves in its directory is nothing for the next.
        let directory = scratch.path().join(self.number.to_string());
        std::fs::create_dir(&directory).map_err(|error| format!("cannot make {}: {error}", directory.display()))?;
        Process::start(&self.jdk.jdk().home, classes, &directory, self.number, self.events.clone())
    }

    fn admit(&mut self, number: u32, path: Arc<ClassPath>) {
        if let (Some(process), true) = (&mut self.process, self.is_ready) {
            introduce(process, number, &path);
        }
        self.programs.insert(number, path);
    }

    /// All that was asked about the program has been answered: whoever asks waits for it.
    fn dismiss(&mut self, number: u32) {
        self.programs.remove(&number);
        if let (Some(process), true) = (&mut self.process, self.is_ready) {
            let _ = process.send(b'W', &[&number.to_be_bytes(), &[1, 0]]).and_then(|()| process.flush());
        }
    }

    /// Where the program does not end, the process is waited for in vain, and lost: those come last.
    fn take_in(&mut self, case: Case) {
        let first_endless = self.waiting.iter().position(Case::is_endless).filter(|_| !case.is_endless());
        self.waiting.insert(first_endless.unwrap_or(self.waiting.len()), case);
    }

    /// Gives the process what it can take.
    fn hand_out(&mut self) {
        if let Some(why) = &self.broken {
            for case in self.under_way.drain(..).chain(self.waiting.drain(..)) {
                let _ = case.verdict.send(Verdict::NotTried(why.clone()));
            }
            return;
        }
        if !self.is_ready || self.waiting.is_empty() {
            return;
        }
        if self.under_way.is_empty() {
            let is_endless = self.waiting.front().is_some_and(Case::is_endless);
            self.deadline = Instant::now() + if is_endless { self.call.min(ENDLESS) } else { self.call };
        }
        let process = self.process.as_mut().expect("it is ready");
        let mut sent = false;
        while let Some(case) = self.waiting.front() {
            let is_alone = self.alone > 0 || self.under_way.iter().chain([case]).any(Case::is_endless);
            let room = if is_alone { 1 } else { WINDOW };
            if self.under_way.len() >= room {
                break;
            }
            // Whether it arrives is seen by whether it is answered.
            sent |= process.send(b'W', &[&case.program.to_be_bytes(), &[0], &case.request]).is_ok();
            self.alone = self.alone.saturating_sub(1);
            self.under_way.extend(self.waiting.pop_front());
        }
        if sent {
            let _ = process.flush();
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Ready => {
                self.is_ready = true;
                self.failures = 0;
                self.deadline = Instant::now() + self.call;
                let process = self.process.as_mut().expect("it has just spoken");
                self.programs.iter().for_each(|(number, path)| introduce(process, *number, path));
            }
            Message::Class(program, name) => {
                let path = self.programs.get(&program);
                let bytes = path.and_then(|path| path.user_class(&name).ok().flatten()).unwrap_or_default();
                if let Some(process) = &mut self.process {
                    let _ = process.send(b'K', &[&bytes]).and_then(|()| process.flush());
                }
            }
            Message::Answer(reply) => {
                self.deadline = Instant::now() + self.call;
                self.settle(&reply);
            }
            Message::Ended(why) => self.fail(Failure::Ended(why)),
        }
    }

    fn settle(&mut self, reply: &Reply) {
        if let Some(case) = self.under_way.pop_front() {
            let verdict = compare::verdict(&case, reply);
            let _ = case.verdict.send(verdict);
        }
    }

    /// The process is gone, or has to go.
    fn fail(&mut self, failure: Failure) {
        let Some(mut process) = self.process.take() else { return };
        let code = match failure {
            Failure::Silent => None,
            Failure::Ended(_) => process.end(),
        };
        if !self.is_ready {
            self.failures += 1;
            let directory = self.home.as_ref().map(|home| home.scratch.path().join(self.number.to_string()));
            let why = directory.map_or_else(String::new, |directory| process.complaints(&directory));
            if self.failures >= MOST_FAILURES {
                self.broken = Some(why);
                return;
            }
        }
        drop(process);
        match self.under_way.len() {
            0 => {}
            1 => {
                let case = self.under_way.pop_front().expect("there is one");
                let verdict = match failure {
                    Failure::Silent if case.is_endless() => Verdict::Agrees,
                    _ => failure.verdict(code, self.call),
                };
                let _ = case.verdict.send(verdict);
            }
            several => {
                self.alone = self.alone.max(several);
                while let Some(case) = self.under_way.pop_back() {
                    self.waiting.push_front(case);
                }
            }
        }
        self.start();
    }
}

/// Tells a process of a program.
fn introduce(process: &mut Process, number: u32, path: &ClassPath) {
    // Whether it arrives is seen by whether anything is answered.
    let _ =
        process.send(b'W', &[&number.to_be_bytes(), &[1, 1], &request::program(path)]).and_then(|()| process.flush());
}

/// Why a process has to go.
enum Failure {
    Silent,
    /// With what was wrong with its last words, if anything.
    Ended(Option<String>),
}

impl Failure {
    /// What this says of the only case that was under way.
    fn verdict(&self, code: Option<i32>, call: Duration) -> Verdict {
        match (self, code) {
            (Failure::Silent, _) => {
                Verdict::NotComparable(format!("the call took more than {call:?}: the JVM was ended, and started anew"))
            }
            // Its last words are not for us then.
            (Failure::Ended(_), Some(OUT_OF_MEMORY)) => {
                Verdict::NotComparable("the JVM ran out of memory, and was started anew".into())
            }
            (Failure::Ended(Some(garbled)), _) => Verdict::NotTried(format!("the JVM's answer is garbled: {garbled}")),
            (Failure::Ended(None), Some(code)) => {
                Verdict::Differs(vec![format!("the JVM was ended by the program, with the exit code {code}")])
            }
            (Failure::Ended(None), None) => Verdict::NotTried("the JVM died, and was started anew".into()),
        }
    }
}
