//! Workers, and the parts of a run in the order of tasks: the same for every number of workers.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::sync_channel;
use std::sync::{Condvar, Mutex, MutexGuard};

use lazuli_engine::config::Search;
use lazuli_engine::existing::Offered;
use lazuli_engine::limits::{Control, Watch};
use lazuli_engine::outcome::Bound;
use lazuli_engine::with_heap_model;
use lazuli_logic::solver::z3::in_fresh_context;

use crate::board::{Board, Next, Place};
use crate::checkpoint::Checkpoint;
use crate::error::Error;
use crate::setting::Setting;
use crate::task::{self, MAX_SIZE, Part, Work};
use crate::worker::{Allowance, Worker};

/// Where somebody waits for the first trace that fails, the first part of a search that is not depth first is the work of a whole task through this.
const IMPATIENCE: u64 = 64;

/// What all workers of a run share.
pub(crate) struct Pool<'a> {
    pub setting: &'a Setting<'a>,
    pub watch: &'a Watch,
    pub control: &'a Control,
    pub checkpoint: Option<&'a Checkpoint>,
}

/// How the work on a run ended.
pub(crate) enum Ended {
    /// With the limit that left something undone.
    Done(Option<Bound>),
    /// Before anything was given out: the run begins again, and offers this.
    Again(Offered),
}

/// The board, and what went wrong.
struct Shared {
    board: Board,
    panic: Option<Box<dyn Any + Send>>,
    error: Option<Error>,
}

/// A board that several look at.
struct Desk {
    shared: Mutex<Shared>,
    changed: Condvar,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("nobody panics with the board in hand")
    }

    fn wait<'g>(&self, guard: MutexGuard<'g, Shared>) -> MutexGuard<'g, Shared> {
        self.changed.wait(guard).expect("nobody panics with the board in hand")
    }
}

impl Pool<'_> {
    /// Does all work, and gives out the parts in order.
    pub fn run(&self, jobs: usize, give: &mut dyn FnMut(Part, usize)) -> Result<Ended, Error> {
        let shared = Shared { board: Board::new(Work::whole()), panic: None, error: None };
        let desk = Desk { shared: Mutex::new(shared), changed: Condvar::new() };
        let ended = std::thread::scope(|scope| {
            for _ in 0..jobs.max(1) {
                scope.spawn(|| self.worker(&desk));
            }
            // Whatever happens here, the workers must end before this returns.
            let given = catch_unwind(AssertUnwindSafe(|| self.collect(&desk, give)));
            desk.lock().board.close();
            self.watch.set_enough();
            desk.changed.notify_all();
            given.unwrap_or_else(|panic| resume_unwind(panic))
        });
        let shared = desk.shared.into_inner().expect("nobody panics with the board in hand");
        match (shared.panic, shared.error) {
            (Some(panic), _) => resume_unwind(panic),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(ended),
        }
    }

    /// Gives out parts in order until there are no more.
    fn collect(&self, desk: &Desk, give: &mut dyn FnMut(Part, usize)) -> Ended {
        let mut left = self.setting.config.bounds.traces;
        let mut incomplete = None;
        let mut is_first = true;
        loop {
            let mut shared = desk.lock();
            let (work, mut part) = loop {
                if let Some(ready) = shared.board.ready() {
                    break ready;
                }
                if shared.board.is_over() {
                    return Ended::Done(incomplete.or_else(|| shared.board.has_pending().then(|| self.limit())));
                }
                shared = desk.wait(shared);
            };
            let pending = shared.board.pending();
            drop(shared);
            // There may be room again for what waits.
            desk.changed.notify_all();
            if std::mem::take(&mut is_first)
                && let Some(wanted) = part.wanted(&self.setting.config.offered)
            {
                return Ended::Again(wanted);
            }
            if let Some(rest) = left.filter(|rest| part.counts.traces > *rest) {
                // It was done without knowing how many traces the tasks before would leave: again, with exactly that.
                part = self.again(&work, rest);
            }
            incomplete = incomplete.or(part.incomplete);
            left = left.map(|left| left.saturating_sub(part.counts.traces));
            give(part, pending);
            if left == Some(0) {
                let shared = desk.lock();
                let more = shared.board.has_pending() || !shared.board.is_over();
                return Ended::Done(incomplete.or(more.then_some(Bound::MaxTraces)));
            }
        }
    }

    /// Does a piece of work with other traces, on a thread that Z3 has no context in.
    fn again(&self, work: &Work, traces: u64) -> Part {
        std::thread::scope(|scope| {
            let running =
                scope.spawn(|| task::run(self.setting, work, self.watch, self.control, Some(traces), &mut |_| {}).0);
            running.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn limit(&self) -> Bound {
        self.watch.late().unwrap_or(Bound::Interrupted)
    }

    /// Takes work until there is none. After a task that has asked Z3 the next one has a fresh context.
    fn worker(&self, desk: &Desk) {
        if self.until_z3(desk) {
            while in_fresh_context(|| self.until_z3(desk)) {}
        }
    }

    /// Whether there may be more work.
    fn until_z3(&self, desk: &Desk) -> bool {
        loop {
            let mut shared = desk.lock();
            let (place, work) = loop {
                if self.watch.late().is_some() {
                    shared.board.close();
                }
                match shared.board.next() {
                    Next::Work(place, work) => break (place, work),
                    Next::Later => shared = desk.wait(shared),
                    Next::Never => {
                        desk.changed.notify_all();
                        return false;
                    }
                }
            };
            drop(shared);
            let mut released = 0;
            let mut release = |work: &Work| {
                desk.lock().board.release(&place, released, work);
                released += 1;
                desk.changed.notify_all();
            };
            let done = catch_unwind(AssertUnwindSafe(|| self.task(&work, &mut release)));
            let asked_z3 = self.finish(desk, place, work, done, released);
            desk.changed.notify_all();
            if asked_z3 {
                return true;
            }
        }
    }

    fn finish(
        &self,
        desk: &Desk,
        place: Place,
        work: Work,
        done: std::thread::Result<Result<(Part, bool), Error>>,
        released: usize,
    ) -> bool {
        let mut shared = desk.lock();
        match done {
            Ok(Ok((part, asked_z3))) => {
                shared.board.finish(place, work, part, released);
                return asked_z3;
            }
            Ok(Err(error)) => shared.error = shared.error.take().or(Some(error)),
            Err(panic) => shared.panic = shared.panic.take().or(Some(panic)),
        }
        shared.board.give_up(&place);
        false
    }

    /// Does a piece of work, unless a checkpoint has what it came to.
    fn task(&self, work: &Work, release: &mut dyn FnMut(&Work)) -> Result<(Part, bool), Error> {
        if let Some(checkpoint) = self.checkpoint
            && let Some(part) = checkpoint.find(self.setting.program(), work)?
        {
            return Ok((part, false));
        }
        let most = self.setting.config.bounds.traces;
        let (part, asked_z3) = task::run(self.setting, work, self.watch, self.control, most, release);
        let is_begun = work.is_whole() && part.wanted(&self.setting.config.offered).is_some();
        if let (Some(checkpoint), None, false) = (self.checkpoint, part.incomplete, is_begun) {
            checkpoint.add(self.setting.program(), work, &part)?;
        }
        Ok((part, asked_z3))
    }

    /// A search that is not depth first is one task. Its traces are given out while they are found: soon, where somebody waits for the first that
    /// fails. He may hear of some of them twice then, if the run begins again.
    pub fn run_unsplit(&self, order: Search, give: &mut dyn FnMut(Part, usize)) -> Ended {
        std::thread::scope(|scope| {
            let (sender, parts) = sync_channel(1);
            // Z3 keeps its context in the thread: this one is new.
            let running = scope.spawn(move || {
                let config = self.setting.config;
                with_heap_model!(config.heap, |make| {
                    let mut worker = Worker::new(self.setting, make());
                    worker.begin_with(&Work::whole());
                    let (mut left, mut is_new) = (config.bounds.traces, true);
                    let whole = Work::whole().budget;
                    let (mut budget, mut size) = match () {
                        _ if config.steps_trace => (u64::MAX, MAX_SIZE),
                        _ if config.smallest => (whole / IMPATIENCE, 1),
                        _ => (whole, MAX_SIZE),
                    };
                    loop {
                        let begun = worker.effort();
                        let effort = begun.saturating_add(budget);
                        let (watch, control) = (self.watch, self.control);
                        let allowance = Allowance { watch, control, effort, traces: left, size };
                        budget = budget.max(budget.saturating_mul(2).min(whole));
                        size = (size * 2).min(MAX_SIZE);
                        let incomplete = worker.work(order, &allowance);
                        let is_last = incomplete.is_some() || worker.open.is_empty();
                        let part = worker.part(begun, incomplete);
                        left = left.map(|left| left - part.counts.traces);
                        // What may be an input is found out by the first of the work.
                        let is_first = std::mem::take(&mut is_new) || config.smallest && begun < whole;
                        if sender.send((part, is_first)).is_err() || is_last {
                            return;
                        }
                    }
                })
            });
            let (mut incomplete, mut again) = (None, None);
            for (part, is_first) in parts {
                if is_first {
                    again = part.wanted(&self.setting.config.offered);
                }
                if again.is_some() {
                    break;
                }
                incomplete = incomplete.or(part.incomplete);
                give(part, 0);
            }
            if let Err(panic) = running.join() {
                resume_unwind(panic);
            }
            again.map_or(Ended::Done(incomplete), Ended::Again)
        })
    }
}
