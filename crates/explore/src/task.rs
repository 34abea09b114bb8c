//! Tasks and their parts: the unit of work that is handed to another thread, machine or process, and what comes back.
//!
//! A task begins where its decision prefixes lead, with fresh terms, caches and solver. It explores depth first; from time to time it
//! hands back a few open states that are probably large, and, when it has used its budget, all that are left. Time is counted as effort
//! here (instructions and questions) and never measured. So the split of a run, and everything that comes out of it, is the same for
//! every number of workers and on every machine.

use std::convert::Infallible;
use std::time::Duration;

use lazuli_engine::config::Search;
use lazuli_engine::counts::Counts;
use lazuli_engine::drive::{Policy, Successors};
use lazuli_engine::executor::{StepsTrace, entry_of};
use lazuli_engine::existing::Offered;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::limits::{Control, Watch};
use lazuli_engine::outcome::{Bound, Outcome, Stop};
use lazuli_engine::scope::Scope;
use lazuli_engine::state::{Decisions, State, show_decisions};
use lazuli_engine::with_heap_model;
use lazuli_logic::List;
use lazuli_logic::solver::Counters;
use lazuli_logic::solver::z3::in_fresh_context;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::executed::Executed;
use crate::judge::with_jvm;
use crate::options::Options;
use crate::prefixes::Prefixes;
use crate::run::Trace;
use crate::setting::Setting;
use crate::source::Source;
use crate::wire::TraceRecord;
use crate::worker::{Allowance, Worker};

/// Raised whenever tasks, parts and checkpoints of the old form would be misread.
pub const VERSION: u32 = 5;

/// After this effort, about a twentieth of a second, a run hands back something for the first time: one that ends within it is not split.
const FIRST_SLICE: u64 = 750_000;
/// From then on a slice is about a tenth of a second,
const SLICE: u64 = 2_000_000;
/// and this share of what the run has done on the way to the task, so that the work that is left when the other workers have no more is
/// a share of the whole, and a long run has no more tasks than it needs.
const SHARE: u64 = 4;
/// But it is never longer than about a second.
const MAX_SLICE: u64 = 30_000_000;
/// A task ends after so many slices.
const SLICES: u64 = 8;
/// At the end of a slice so many open states are handed back: the shallowest, which are probably the largest.
const RELEASED: usize = 2;
/// A task also ends when its traces have about so many bytes: they are kept until then.
pub(crate) const MAX_SIZE: usize = 2 << 20;

/// The effort between two moments at which something is handed back, where a run has done so much.
fn slice(spent: u64) -> u64 {
    (SLICE + spent / SHARE).min(MAX_SLICE)
}

/// The effort after which the work that has been done so much of, of a run that has done so much, hands back something.
fn next_moment(spent: u64, done: u64) -> u64 {
    if spent + done == 0 { FIRST_SLICE } else { done + slice(spent + done) }
}

/// A piece of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Work {
    /// Where it begins.
    pub prefixes: Prefixes,
    /// The effort after which it hands back what is open.
    pub budget: u64,
    /// The effort of the run on the way to it.
    pub spent: u64,
}

impl Work {
    /// All of a run.
    pub fn whole() -> Work {
        Work::of(Prefixes::whole(), 0)
    }

    fn of(prefixes: Prefixes, spent: u64) -> Work {
        Work { prefixes, budget: SLICES * slice(spent), spent }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.prefixes.is_whole()
    }
}

/// A piece of a run with all that somebody elsewhere needs to do it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub version: u32,
    pub program: Source,
    pub options: Options,
    pub work: Work,
}

impl Task {
    /// Reads the program and does the work.
    pub fn run(&self, control: &Control) -> Result<Part<TraceRecord>, Error> {
        let program = self.program.load()?;
        let config = self.options.config(&program)?;
        let watch = Watch::of(&config, control);
        let part = with_jvm(&program, &config, entry_of(&program, &config)?, None, |jvm| {
            let setting = Setting::new(&program, &config, jvm)?;
            let (part, _) = in_fresh_context(|| run(&setting, &self.work, &watch, control, None, &mut |_| {}));
            Ok::<Part, Error>(part)
        })?;
        Ok(part.map(|trace| TraceRecord::of(&program, &trace)))
    }
}

/// What a task came to. A run is the fold over its parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part<T = Trace> {
    pub version: u32,
    pub traces: Vec<T>,
    pub counts: Counts,
    pub solver: Counters,
    pub solver_time: Duration,
    pub terms: u64,
    /// What was done, without the way to the prefixes.
    pub effort: u64,
    /// What is left: in the order in which it was handed back, the shallowest first.
    pub open: Vec<Work>,
    pub stops: Vec<(Stop, u64)>,
    pub scope: Scope,
    /// What exists before the entry and was offered as an input.
    #[serde(default, skip_serializing_if = "Offered::is_empty")]
    pub offered: Offered,
    /// The limit of the run that ended the task early. What is open then is not all that is left.
    pub incomplete: Option<Bound>,
    pub steps_trace: Option<String>,
    /// What was executed on witnesses, if that is wanted.
    #[serde(default, skip_serializing_if = "Executed::is_empty")]
    pub executed: Executed,
}

impl<T> Part<T> {
    /// What the run is to offer as inputs, if that is more than it did: of its first part, before anything was given out. Decisions mean something
    /// only together with what was offered, so the run begins again.
    pub(crate) fn wanted(&self, offered: &Offered) -> Option<Offered> {
        let mut all = self.offered.clone();
        all.extend(self.scope.wanted.clone());
        (all != *offered && self.incomplete.is_none()).then_some(all)
    }

    /// The same, with its traces in another form.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Part<U> {
        let Ok(part) = self.try_map(|trace| Ok::<U, Infallible>(of(trace)));
        part
    }

    /// The same, with its traces in another form if they all have it.
    pub fn try_map<U, E>(self, of: impl FnMut(T) -> Result<U, E>) -> Result<Part<U>, E> {
        Ok(Part {
            version: self.version,
            traces: self.traces.into_iter().map(of).collect::<Result<_, _>>()?,
            counts: self.counts,
            solver: self.solver,
            solver_time: self.solver_time,
            terms: self.terms,
            effort: self.effort,
            open: self.open,
            stops: self.stops,
            scope: self.scope,
            offered: self.offered,
            incomplete: self.incomplete,
            steps_trace: self.steps_trace,
            executed: self.executed,
        })
    }
}

/// Does a piece of a run, and tells of work that it hands back as soon as it does. Also gives whether Z3 was asked, which keeps its
/// context in the thread.
pub(crate) fn run(
    setting: &Setting,
    work: &Work,
    watch: &Watch,
    control: &Control,
    traces: Option<u64>,
    release: &mut dyn FnMut(&Work),
) -> (Part, bool) {
    let config = setting.config;
    with_heap_model!(config.heap, |make| {
        let mut worker = Worker::new(setting, make());
        worker.begin_with(work);
        let begun = worker.effort();
        // The configurations of the machine are shown of small runs only: those are not split.
        let budget = if config.steps_trace { u64::MAX } else { work.budget };
        let mut open = Vec::new();
        let mut done = 0;
        let mut order = Search::Depth;
        let incomplete = loop {
            done = next_moment(work.spent, done).min(budget);
            let allowance = Allowance { watch, control, effort: begun.saturating_add(done), traces, size: MAX_SIZE };
            let before = worker.executor.counts.traces;
            let limit = worker.work(order, &allowance);
            // A slice without a trace was spent on one long path, or on a tree of them: others are shorter.
            let found_nothing = worker.executor.counts.traces == before;
            order = if found_nothing && order == Search::Depth { Search::Breadth } else { Search::Depth };
            // The run will begin again.
            if work.is_whole() && worker.begins_again() {
                break limit;
            }
            if limit.is_some() || worker.open.is_empty() || done >= budget || worker.size >= MAX_SIZE {
                break limit;
            }
            let spent = work.spent + worker.effort() - begun;
            for prefix in worker.shallowest() {
                open.push(Work::of(Prefixes::of_sorted([prefix]), spent));
                release(open.last().expect("just added"));
            }
        };
        let asked_z3 = worker.executor.has_asked_z3();
        let rest = worker.rest();
        let mut part = worker.part(begun, incomplete);
        if let Some(rest) = rest {
            open.push(Work::of(rest, work.spent + part.effort));
        }
        part.open = open;
        (part, asked_z3)
    })
}

impl<M: HeapModel> Worker<'_, M> {
    /// Goes to where a piece of work begins.
    pub(crate) fn begin_with(&mut self, work: &Work) {
        if work.is_whole() {
            self.executor.steps_trace = self.executor.config.steps_trace.then(StepsTrace::default);
            return self.begin();
        }
        self.begin();
        let first = self.open.pop_back().expect("the run has begun with it");
        self.resume(first, &work.prefixes);
        // The first of them is explored first: it goes to the back.
        self.open.make_contiguous().reverse();
        // The way there was counted when it was explored first; only a path that ended on it is new.
        let Counts { traces, stopped, .. } = self.executor.counts;
        self.executor.counts = Counts { traces, stopped, ..Counts::default() };
        self.executor.solver.counters = Counters::default();
        self.executor.solver.backend_time = Duration::ZERO;
    }

    /// Goes from a state to where prefixes lead. Every guard on the way is known to be feasible; asking again gives its model. Where the
    /// solver does not know it this time, the path ends there, and says so. So does one whose decisions mean something else this time: that is a
    /// bug of ours, which costs the paths beyond it and not the whole run.
    fn resume(&mut self, first: Box<State<M::Heap>>, prefixes: &Prefixes) {
        let root = first.clone();
        // The states at which later prefixes part from the way to the last one, by their decisions.
        let mut partings = vec![(first.decisions.len(), first)];
        // After how many decisions the way was lost, if it was.
        let mut lost: Option<(usize, Stop)> = None;
        let mut way = Decisions::new();
        for (number, prefix) in prefixes.iter().enumerate() {
            way.truncate(prefix.shared);
            way.extend_from_slice(&prefix.rest);
            lost = lost.filter(|(depth, _)| prefix.shared > *depth);
            while partings.last().is_some_and(|(depth, _)| *depth > prefix.shared) {
                partings.pop();
            }
            // Where there is none, the path to it has ended early.
            let parting = partings.last().filter(|(depth, _)| *depth == prefix.shared && lost.is_none());
            let mut state = parting.map(|(_, state)| state.clone());
            let mut wanted = prefixes.partings(number).into_iter().peekable();
            while let Some(here) = state.take_if(|state| state.decisions.len() < way.len()) {
                let depth = here.decisions.len();
                if wanted.next_if_eq(&depth).is_some() {
                    partings.push((depth, here.clone()));
                }
                match self.follow(here, &way) {
                    Ok(next) => state = next,
                    Err(stop) => lost = Some((depth, stop)),
                }
            }
            self.open.extend(state);
            if let Some((_, stop)) = &lost {
                let mut state = root.clone();
                state.decisions.extend(way.iter().copied());
                self.end_early(state, Outcome::Stopped(stop.clone()), None);
            }
        }
    }

    /// Takes the next decision of a way; there is nobody to go on where the path ends with it.
    fn follow(&mut self, state: Box<State<M::Heap>>, way: &[u32]) -> Result<Option<Box<State<M::Heap>>>, Stop> {
        let mut successors = Successors::default();
        if let Err(astray) = self.executor.drive(state, Policy::Follow(way), &mut successors) {
            let lost = Stop::Lost(format!("{} was decided before, and now {astray}", show_decisions(way)));
            if cfg!(debug_assertions) {
                panic!("{lost}");
            }
            return Err(lost);
        }
        for (state, outcome, value) in successors.ended.drain(..) {
            assert!(matches!(outcome, Outcome::Stopped(_)), "a prefix leads to an open state");
            self.end_early(state, outcome, value);
        }
        Ok(successors.running.pop())
    }

    /// Whether something exists before the entry that should have been offered as an input: see [`Part::wanted`].
    pub(crate) fn begins_again(&self) -> bool {
        !self.executor.cx.scope.wanted.is_empty()
    }

    /// Takes the shallowest open states away, in order; half of them stay at least.
    fn shallowest(&mut self) -> Vec<Decisions> {
        // In a depth-first search they are at the front.
        let number = RELEASED.min(self.open.len() / 2);
        self.open.drain(..number).map(|state| state.decisions.to_vec()).collect()
    }

    /// Takes all open states away.
    fn rest(&mut self) -> Option<Prefixes> {
        let mut rest: Vec<List<u32>> = self.open.drain(..).map(|state| state.decisions).collect();
        rest.sort_by(|a, b| a.iter().cmp(b.iter()));
        (!rest.is_empty()).then(|| Prefixes::of_sorted(rest.iter().map(List::to_vec)))
    }

    /// What was found since the last part; the worker goes on.
    pub(crate) fn part(&mut self, begun: u64, incomplete: Option<Bound>) -> Part {
        let effort = self.effort() - begun;
        self.settle();
        let executed = Executed::of(self.executor.cx.program, &self.replayer.visited());
        let executor = &mut self.executor;
        let terms = executor.cx.terms.len() as u64 - std::mem::replace(&mut self.terms, executor.cx.terms.len() as u64);
        let mut traces = std::mem::take(&mut self.traces);
        self.size = 0;
        traces.sort_by(|a, b| a.decisions.cmp(&b.decisions));
        let part = Part {
            version: VERSION,
            traces,
            counts: std::mem::take(&mut executor.counts),
            solver: std::mem::take(&mut executor.solver.counters),
            solver_time: std::mem::take(&mut executor.solver.backend_time),
            terms,
            effort,
            open: Vec::new(),
            stops: std::mem::take(&mut self.stops).into_iter().collect(),
            scope: executor.cx.scope.clone(),
            offered: executor.config.offered.clone(),
            incomplete,
            steps_trace: executor.steps_trace.take().map(|trace| trace.text),
            executed,
        };
        self.count_anew();
        part
    }
}
