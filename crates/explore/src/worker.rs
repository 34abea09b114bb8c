//! One worker's loop over states: which comes next, when it is enough, and what is kept of the paths that end.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;

use lazuli_engine::config::Search;
use lazuli_engine::confirm::Replayer;
use lazuli_engine::drive::{Policy, Successors};
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::limits::{Control, Watch};
use lazuli_engine::outcome::{Bound, Outcome, Stop};
use lazuli_engine::state::{State, show_decisions};
use lazuli_invariant::Whole;
use lazuli_logic::{List, Term};

use crate::judge::{Client, Ticket};
use crate::run::Trace;
use crate::setting::Setting;

thread_local! {
    /// The decisions of the path that this thread is executing: what a bug report needs.
    static CURRENT: RefCell<List<u32>> = const { RefCell::new(List::new()) };
}

/// The name of the path that this thread is executing, for the report of a panic.
pub fn current_path() -> String {
    CURRENT.with(|current| current.try_borrow().map_or_else(|_| "?".into(), |d| show_decisions(&d.to_vec())))
}

/// A machine, the states that it has still to execute, and what became of the others.
pub(crate) struct Worker<'p, M: HeapModel> {
    pub executor: Executor<'p, M>,
    pub replayer: Replayer<'p>,
    /// Completes witnesses, where it is known what a valid input is.
    pub whole: Option<Whole<'p>>,
    pub open: VecDeque<Box<State<M::Heap>>>,
    /// The JVM, if it is asked, and the traces that it has not answered yet, by their numbers.
    pub jvm: Option<Client>,
    pub judged: Vec<(usize, Ticket)>,
    pub traces: Vec<Trace>,
    /// Reasons of stopped traces with their numbers.
    pub stops: BTreeMap<Stop, u64>,
    /// The effort of making traces, and the size of those that were not taken yet.
    pub made: u64,
    pub size: usize,
    /// The terms that were there when the last part was taken.
    pub terms: u64,
    /// The state of a random search.
    seed: u64,
    /// What the outside was told last: open states, and microseconds of solving.
    told: Told,
}

/// A path that a limit of the run cut off at its end: it counts as not ended.
pub(crate) struct Cut<H> {
    pub bound: Bound,
    pub state: Box<State<H>>,
}

/// How often the effort is looked at: every so many states.
const LOOK_EVERY: u64 = 8;

/// The outside is told after so much of it. Workers that tell of every path wait for each other.
const TELL_EVERY: u64 = 20_000;

/// What the outside was told last.
#[derive(Default)]
struct Told {
    effort: u64,
    traces: u64,
    open: i64,
    solving: u64,
}

/// What ends the work on a list before it is empty.
pub(crate) struct Allowance<'a> {
    pub watch: &'a Watch,
    pub control: &'a Control,
    /// The effort of the whole worker at which it is enough for now.
    pub effort: u64,
    /// The traces of the whole worker after which no more are wanted.
    pub traces: Option<u64>,
    /// The size of the traces at which it is enough for now.
    pub size: usize,
}

impl<'p, M: HeapModel> Worker<'p, M> {
    pub fn new(setting: &'p Setting<'p>, model: M) -> Self {
        let (program, config, entry) = (setting.program(), setting.config, setting.entry());
        let seed = match config.search {
            Search::Random(seed) => seed | 1,
            _ => 1,
        };
        let mut executor = Executor::new(program, config, entry, model);
        // Only what witnesses execute is counted.
        executor.visits = None;
        Worker {
            executor,
            replayer: Replayer::new(program, config, entry),
            whole: Whole::new(program, config, entry),
            open: VecDeque::new(),
            jvm: setting.jvm.clone(),
            judged: Vec::new(),
            traces: Vec::new(),
            stops: BTreeMap::new(),
            made: 0,
            size: 0,
            terms: 0,
            seed,
            told: Told::default(),
        }
    }

    /// Begins with the program's first state, if there is a valid one.
    pub fn begin(&mut self) {
        let mut successors = Successors::default();
        self.executor.begin(&mut successors);
        self.open.extend(successors.running);
        for (state, outcome, value) in successors.ended {
            self.end_early(state, outcome, value);
        }
    }

    /// A path has ended before the work began: nobody knows whether there is a valid receiver, for instance.
    pub fn end_early(&mut self, mut state: Box<State<M::Heap>>, outcome: Outcome, value: Option<Term>) {
        if let Some(outcome) = self.executor.conclude(&mut state, outcome) {
            let recorded = self.record(state, outcome, value);
            assert!(recorded.is_ok(), "nothing ends a run before its work begins");
        }
    }

    /// What was done so far: see [`Executor::effort`].
    pub fn effort(&self) -> u64 {
        self.executor.effort() + self.made
    }

    /// Works until the list is empty, or the allowance is used up. Gives the limit that ends the run, if one does.
    pub fn work(&mut self, order: Search, allowance: &Allowance) -> Option<Bound> {
        let bound = self.work_on(order, allowance);
        self.tell(allowance.control);
        bound
    }

    fn work_on(&mut self, order: Search, allowance: &Allowance) -> Option<Bound> {
        let mut successors = Successors::default();
        self.executor.heed(allowance.watch);
        for number in 0u64.. {
            // Adding up what was done takes as long as a short path.
            let effort = if number % LOOK_EVERY == 0 { self.effort() } else { 0 };
            if effort >= self.told.effort + TELL_EVERY {
                self.tell(allowance.control);
            }
            if self.size >= allowance.size || effort >= allowance.effort {
                break;
            }
            if let Some(bound) = self.executor.expired() {
                return (!self.open.is_empty()).then_some(bound);
            }
            let state = self.next(order)?;
            CURRENT.with_borrow_mut(|current| current.clone_from(&state.decisions));
            self.executor.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
            if let Some(bound) = self.executor.expired() {
                return Some(bound);
            }
            match order {
                // It takes from the back: the first case goes there last.
                Search::Depth => {
                    std::iter::from_fn(|| successors.running.pop()).for_each(|state| self.open.push_back(state))
                }
                _ => self.open.extend(successors.running.drain(..)),
            }
            for (state, outcome, value) in successors.ended.drain(..) {
                if allowance.traces.is_some_and(|most| self.executor.counts.traces >= most) {
                    return Some(Bound::MaxTraces);
                }
                if let Err(Cut { bound, state }) = self.end(state, outcome, value) {
                    self.open.push_back(state);
                    return Some(bound);
                }
            }
            if allowance.traces.is_some_and(|most| self.executor.counts.traces >= most) {
                return (!self.open.is_empty()).then_some(Bound::MaxTraces);
            }
        }
        None
    }

    /// Tells the outside how it goes.
    fn tell(&mut self, control: &Control) {
        let now = Told {
            effort: self.effort(),
            traces: self.executor.counts.traces,
            open: self.open.len() as i64,
            solving: self.executor.solver.backend_time.as_micros() as u64,
        };
        control.traces.fetch_add(now.traces - self.told.traces, Ordering::Relaxed);
        control.open.fetch_add(now.open - self.told.open, Ordering::Relaxed);
        control.solving.fetch_add(now.solving.saturating_sub(self.told.solving), Ordering::Relaxed);
        self.told = now;
    }

    /// What was counted so far has been taken away: counting begins anew.
    pub(crate) fn count_anew(&mut self) {
        self.told = Told { open: self.told.open, ..Told::default() };
    }

    fn next(&mut self, order: Search) -> Option<Box<State<M::Heap>>> {
        match order {
            Search::Depth => self.open.pop_back(),
            Search::Breadth => self.open.pop_front(),
            Search::Random(_) => {
                self.seed = next_random(self.seed);
                let last = self.open.len().checked_sub(1)?;
                let at = (self.seed % self.open.len() as u64) as usize;
                self.open.swap(at, last);
                self.open.pop_back()
            }
        }
    }

    /// A path has ended; or, with what ended the run, it has not.
    fn end(
        &mut self,
        mut state: Box<State<M::Heap>>,
        outcome: Outcome,
        value: Option<Term>,
    ) -> Result<(), Cut<M::Heap>> {
        if let Outcome::Stopped(Stop::Bound(bound)) = outcome
            && bound.ends_run()
        {
            return Err(Cut { bound, state });
        }
        match self.executor.conclude(&mut state, outcome) {
            Some(outcome) => self.record(state, outcome, value)?,
            None => self.executor.expired().map_or(Ok(()), |bound| Err(Cut { bound, state }))?,
        }
        Ok(())
    }
}

/// Xorshift: small, and the same everywhere.
fn next_random(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    x
}
