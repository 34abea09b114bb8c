//! One worker's loop over states: which comes next, when it is enough, and what is kept of the paths that end.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use lazuli_engine::config::{Config, Search};
use lazuli_engine::counts::Counts;
use lazuli_engine::drive::{Policy, Successors};
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::limits::Limits;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::state::{Decisions, State, show_decisions};
use lazuli_logic::Term;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;
use rustc_hash::FxHashMap;

use crate::run::Trace;

thread_local! {
    /// The decisions of the path that this thread is executing: what a bug report needs.
    static CURRENT: RefCell<Decisions> = const { RefCell::new(Vec::new()) };
}

/// The name of the path that this thread is executing, for the report of a panic.
pub fn current_path() -> String {
    CURRENT.with(|current| current.try_borrow().map_or_else(|_| "?".into(), |d| show_decisions(&d)))
}

/// A machine, the states that it has still to execute, and what became of the others.
pub(crate) struct Worker<'p, M: HeapModel> {
    pub executor: Executor<'p, M>,
    pub open: VecDeque<State<M::Heap>>,
    pub stops: FxHashMap<String, u64>,
    pub traces: Vec<Trace>,
    /// How many traces may still be kept.
    pub keep: usize,
    pub omitted: u64,
}

/// Why a worker returned before its work list was empty.
pub(crate) type Incomplete = Option<&'static str>;

/// How often the memory and Ctrl-C are looked at: every so many forks or ends.
const LOOK_EVERY: u32 = 512;

impl<'p, M: HeapModel> Worker<'p, M> {
    pub fn new(program: &'p Program, config: &'p Config, entry: MethodId, model: M, keep: usize) -> Self {
        Worker {
            executor: Executor::new(program, config, entry, model),
            open: VecDeque::new(),
            stops: FxHashMap::default(),
            traces: Vec::new(),
            keep,
            omitted: 0,
        }
    }

    /// The beginning of the program.
    pub fn begin(&mut self) {
        let mut successors = Successors::default();
        self.executor.begin(&mut successors);
        self.open.extend(successors.running);
        for (mut state, outcome, value) in successors.ended {
            if let Some(outcome) = self.executor.conclude(&mut state, outcome) {
                self.record(state, outcome, value);
            }
        }
    }

    /// Works until the list is empty, a limit is reached, or `pause` says that it is enough for now.
    pub fn work(
        &mut self,
        order: Search,
        limits: &Limits,
        pause: impl Fn(&Counts, &VecDeque<State<M::Heap>>) -> bool,
    ) -> Incomplete {
        let mut seed = match order {
            Search::Random(seed) => seed | 1,
            _ => 0,
        };
        let mut successors = Successors::default();
        let mut since_look = 0;
        self.executor.heed(limits);
        while !pause(&self.executor.counts, &self.open) {
            let state = self.next(order, &mut seed)?;
            CURRENT.with_borrow_mut(|current| current.clone_from(&state.decisions));
            since_look += 1;
            // One fork may have taken the back end seconds.
            let reason = match since_look >= LOOK_EVERY {
                true => limits.exceeded(),
                false => limits.late(),
            };
            since_look %= LOOK_EVERY;
            if reason.is_some() {
                self.open.push_back(state);
                return reason;
            }
            self.executor.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
            if self.executor.is_expired() {
                return limits.late().or(Some("--timeout"));
            }
            for (state, outcome, value) in successors.ended.drain(..) {
                self.end(state, outcome, value, limits);
            }
            match order {
                // It takes from the back: the first case goes there last.
                Search::Depth => self.open.extend(successors.running.drain(..).rev()),
                _ => self.open.extend(successors.running.drain(..)),
            }
            if limits.traces.is_some_and(|most| self.executor.counts.traces >= most) {
                return if self.open.is_empty() { None } else { Some("--max-traces") };
            }
        }
        None
    }

    fn next(&mut self, order: Search, seed: &mut u64) -> Option<State<M::Heap>> {
        match order {
            Search::Depth => self.open.pop_back(),
            Search::Breadth => self.open.pop_front(),
            Search::Random(_) => {
                *seed = next_random(*seed);
                let last = self.open.len().checked_sub(1)?;
                let at = (*seed % self.open.len() as u64) as usize;
                self.open.swap(at, last);
                self.open.pop_back()
            }
        }
    }

    fn end(&mut self, mut state: State<M::Heap>, outcome: Outcome, value: Option<Term>, limits: &Limits) {
        // Successors that ended in the same fork as the last permitted trace are not counted any more.
        if limits.traces.is_some_and(|most| self.executor.counts.traces >= most) {
            return;
        }
        if let Some(outcome) = self.executor.conclude(&mut state, outcome) {
            limits.control.traces.fetch_add(1, Ordering::Relaxed);
            self.record(state, outcome, value);
        }
    }
}

/// Xorshift: small, and the same everywhere.
fn next_random(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    x
}
