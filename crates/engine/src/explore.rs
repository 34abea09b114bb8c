//! Exploring: one worker's loop over states, and the run that puts the workers' results together.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lazuli_logic::{Facts, PathCondition, Solver, Term};
use lazuli_program::ir::{Const, Instr, MethodId, Reg, Type};
use lazuli_program::{LoadError, Program};
use rustc_hash::FxHashMap;

use crate::config::{Config, Ints, Search};
use crate::context::Context;
use crate::fork::Next;
use crate::heap::{Cases, HeapModel, with_heap_model};
use crate::machine::StepsTrace;
use crate::parallel;
use crate::run::{Counts, Run, Trace, show_decisions};
use crate::state::{Decisions, Flow, Frame, State};
use crate::step::Pause;

/// What the outside can see of a run and do to it while it goes on.
#[derive(Default)]
pub struct Control {
    /// Set by Ctrl-C.
    pub interrupted: AtomicBool,
    /// Traces ended so far, for a progress line.
    pub traces: AtomicU64,
}

/// Where the inputs come from.
pub(crate) enum Inputs {
    Symbolic,
    /// By name: for replaying a witness.
    Constant(FxHashMap<String, Term>),
}

impl Inputs {
    pub(crate) fn value<M: HeapModel>(
        &self,
        cx: &mut Context,
        model: &M,
        heap: &mut M::Heap,
        name: &str,
        ty: Type,
        receiver: bool,
    ) -> Term {
        match self {
            Inputs::Symbolic => {
                let symbol = cx.root_symbol(name, ty);
                model.input(cx, heap, symbol, ty, receiver)
            }
            // An input that the path never met is free.
            Inputs::Constant(values) => values.get(name).copied().unwrap_or_else(|| cx.default_value(ty)),
        }
    }
}

thread_local! {
    /// The decisions of the path that this thread is executing: what a bug report needs.
    static CURRENT: RefCell<Decisions> = const { RefCell::new(Vec::new()) };
}

/// The name of the path that this thread is executing, for the report of a panic.
pub fn current_path() -> String {
    CURRENT.with(|current| current.try_borrow().map_or_else(|_| "?".into(), |d| show_decisions(&d)))
}

/// One worker: its terms, its solver, its counters.
pub struct Executor<'p, M: HeapModel> {
    pub(crate) cx: Context<'p>,
    pub(crate) model: M,
    pub(crate) solver: Solver,
    /// What the path of the state in work says by its form.
    pub(crate) facts: Facts,
    pub(crate) config: &'p Config,
    pub(crate) cases: Cases<M::Change>,
    pub(crate) inputs: Inputs,
    pub(crate) counts: Counts,
    pub(crate) entry: MethodId,
    pub(crate) stops: FxHashMap<String, u64>,
    pub(crate) traces: Vec<Trace>,
    /// How many traces may still be kept.
    pub(crate) keep: usize,
    pub(crate) omitted: u64,
    /// The configurations, if they are wanted.
    pub(crate) steps_trace: Option<StepsTrace>,
    /// Where the ended states go when somebody wants to look at their heaps: see [`crate::exact`].
    pub(crate) ended: Option<Vec<Ended<M::Heap>>>,
}

/// A path at its end, with its heap.
pub(crate) struct Ended<H> {
    pub state: State<H>,
    pub outcome: crate::Outcome,
}

/// Why a worker returned before its work list was empty.
pub(crate) type Incomplete = Option<&'static str>;

/// How often the clock, the memory and Ctrl-C are looked at: every so many forks or ends.
const LOOK_EVERY: u32 = 512;

impl<'p, M: HeapModel> Executor<'p, M> {
    pub(crate) fn new(program: &'p Program, config: &'p Config, entry: MethodId, model: M, keep: usize) -> Self {
        Executor {
            cx: Context::new(program, config),
            model,
            solver: Solver::new(config.solver.clone()),
            facts: Facts::default(),
            config,
            cases: Cases::default(),
            inputs: Inputs::Symbolic,
            counts: Counts::default(),
            entry,
            stops: FxHashMap::default(),
            traces: Vec::new(),
            keep,
            omitted: 0,
            steps_trace: None,
            ended: None,
        }
    }

    /// The state before the first instruction.
    pub(crate) fn initial(&mut self, mut heap: M::Heap) -> State<M::Heap> {
        let method = self.cx.program.method(self.entry);
        let mut registers = vec![Term::NULL; method.registers.len()];
        let mut path = PathCondition::default();
        for (i, register) in registers.iter_mut().enumerate().take(method.parameters) {
            let parameter = &method.registers[i];
            let receiver = i == 0 && method.class.is_some();
            let value =
                self.inputs.value(&mut self.cx, &self.model, &mut heap, &parameter.name, parameter.ty, receiver);
            *register = value;
            if receiver && matches!(self.inputs, Inputs::Symbolic) {
                let symbol = self.cx.root_symbol(&parameter.name, parameter.ty);
                let proper = self.proper_receiver(symbol);
                match self.solver.check(&mut self.cx.terms, &path, proper) {
                    lazuli_logic::Verdict::Sat(extended) => path = extended,
                    other => unreachable!("a method has a receiver: {other:?}"),
                }
            }
        }
        State {
            frames: vec![Frame { method: self.entry, pc: 0, base: 0, dst: Reg(0) }],
            registers,
            heap,
            path,
            decisions: Decisions::new(),
            steps: 0,
            flow: Flow::default(),
        }
    }

    /// A receiver of the entry is not null, and of a class that does not override the entry: no call would bring it there.
    fn proper_receiver(&mut self, symbol: Term) -> Term {
        let program = self.cx.program;
        let class = program.method(self.entry).class.expect("the entry has a receiver");
        let overridable = program.class(class).methods.iter().find(|(_, method)| **method == self.entry);
        let classes = match overridable {
            Some((selector, _)) => {
                let all = program.implementations(class, *selector);
                all.into_iter().find(|(method, _)| *method == Some(self.entry)).expect("its own class runs it").1
            }
            None => vec![(class.0, program.class(class).last.0)],
        };
        let non_null = self.cx.terms.ne(symbol, Term::NULL);
        let runs_entry = self.cx.in_classes(symbol, &classes);
        self.cx.terms.and(non_null, runs_entry)
    }

    /// Works until the list is empty, a limit is reached, or `pause` says that it is enough for now.
    pub(crate) fn work(
        &mut self,
        open: &mut VecDeque<State<M::Heap>>,
        order: Search,
        limits: &Limits,
        pause: impl Fn(&Counts, &VecDeque<State<M::Heap>>) -> bool,
    ) -> Incomplete {
        let mut seed = match order {
            Search::Random(seed) => seed | 1,
            _ => 0,
        };
        let mut successors = Vec::new();
        let mut since_look = 0;
        while !pause(&self.counts, open) {
            let taken = match order {
                Search::Depth => open.pop_back(),
                Search::Breadth => open.pop_front(),
                Search::Random(_) => {
                    seed = next_random(seed);
                    let last = open.len().saturating_sub(1);
                    let at = (seed % open.len().max(1) as u64) as usize;
                    if !open.is_empty() {
                        open.swap(at, last);
                    }
                    open.pop_back()
                }
            };
            let mut state = taken?;
            CURRENT.with_borrow_mut(|current| current.clone_from(&state.decisions));
            since_look += 1;
            if since_look >= LOOK_EVERY {
                since_look = 0;
                if let Some(reason) = limits.exceeded() {
                    open.push_back(state);
                    return Some(reason);
                }
            }
            match self.advance(&mut state) {
                Pause::End(outcome, value) => self.end(state, outcome, value, limits),
                Pause::Decide => self.fork(state, &mut successors),
            }
            // Depth-first takes from the back: the first case goes there last.
            let place = open.len();
            for next in successors.drain(..) {
                match next {
                    Next::Run(state) => open.push_back(state),
                    Next::Ended(state, outcome, value) => self.end(state, outcome, value, limits),
                }
            }
            if order == Search::Depth {
                open.make_contiguous()[place..].reverse();
            }
            if limits.traces.is_some_and(|most| self.counts.traces >= most) {
                return if open.is_empty() { None } else { Some("--max-traces") };
            }
        }
        None
    }

    fn end(&mut self, state: State<M::Heap>, outcome: crate::Outcome, value: Option<Term>, limits: &Limits) {
        // Successors that ended in the same fork as the last permitted trace are not counted any more.
        if limits.traces.is_some_and(|most| self.counts.traces >= most) {
            return;
        }
        limits.control.traces.fetch_add(1, Ordering::Relaxed);
        self.record(state, outcome, value);
    }
}

/// What ends a run from outside of a path.
pub(crate) struct Limits<'a> {
    pub control: &'a Control,
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
    pub traces: Option<u64>,
}

impl Limits<'_> {
    fn exceeded(&self) -> Option<&'static str> {
        if self.control.interrupted.load(Ordering::Relaxed) {
            return Some("interrupted");
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some("--timeout");
        }
        if self.memory.is_some_and(|most| resident_memory() > most) {
            return Some("--max-memory");
        }
        None
    }
}

/// The process's resident memory in bytes; 0 where the system does not say.
pub fn resident_memory() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages: u64 = text.split_whitespace().nth(1).and_then(|p| p.parse().ok()).unwrap_or(0);
    pages * 4096
}

/// Xorshift: small, and the same everywhere.
fn next_random(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    x
}

/// Finds the method to execute.
fn find_entry(program: &Program, name: Option<&str>) -> Result<MethodId, String> {
    match name {
        Some(name) => program.entry(name).ok_or_else(|| {
            let all = program.entries();
            format!("there is no method {name} in {}; there are: {}", program.name, all.join(", "))
        }),
        None => program.main.ok_or_else(|| {
            let all = program.entries();
            format!("{} has no main expression; choose an --entry of: {}", program.name, all.join(", "))
        }),
    }
}

/// Finds the entry of a configuration, and refuses literals that its integers do not have: they would silently be others.
pub(crate) fn entry_of(program: &Program, config: &Config) -> Result<MethodId, String> {
    if let Ints::Bits(width) = config.ints {
        let limit = 1i128 << (width - 1);
        let literals = program.methods.iter().flat_map(|m| m.code.iter().zip(&m.places));
        for (instr, place) in literals {
            if let Instr::Const { value: Const::Int(value), .. } = instr
                && !(-limit..limit).contains(&(*value as i128))
            {
                let error = LoadError::at(&program.sources, *place, format!("{value} does not fit into {width} bits"));
                return Err(error.help("choose wider --ints").to_string());
            }
        }
    }
    find_entry(program, config.entry.as_deref())
}

/// Explores a program. Errors are about the entry and the literals; everything else is in the run.
pub fn explore(program: &Program, config: &Config, control: &Control) -> Result<Run, String> {
    let entry = entry_of(program, config)?;
    let started = Instant::now();
    let mut run = with_heap_model!(config.heap, program, |make| parallel::run(program, config, entry, control, make));
    run.time = started.elapsed().max(Duration::from_micros(1));
    Ok(run)
}
