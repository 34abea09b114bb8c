//! Exploring: one worker's loop over states, and the run that puts the workers' results together.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lazuli_logic::interrupt::{Cause, Interrupt, resident_memory};
use lazuli_logic::{Facts, PathCondition, Solver, Term};
use lazuli_program::ir::{ClassId, Const, Instr, MethodId, Reg, Type};
use lazuli_program::{LoadError, Program};
use rustc_hash::FxHashMap;

use crate::config::{Config, Ints, Search};
use crate::context::Context;
use crate::fork::Successors;
use crate::heap::{Cases, HeapModel, with_heap_model};
use crate::invariant::hex::complete::{impossible, inputs_elsewhere};
use crate::invariant::trial::Trials;
use crate::invariant::{Admit, Technique, companion, instrumented};
use crate::machine::StepsTrace;
use crate::natives::Native;
use crate::parallel;
use crate::run::{Counts, Run, Trace, show_decisions};
use crate::state::{Decisions, Frame, State};
use crate::step::{Pause, arith};

/// What the outside can see of a run and do to it while it goes on.
#[derive(Default)]
pub struct Control {
    /// Set by Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
    /// Traces ended so far, for a progress line.
    pub traces: AtomicU64,
}

impl Control {
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
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
    /// Java's methods that the engine provides, as far as they were called.
    pub(crate) natives: FxHashMap<MethodId, Option<Native<M>>>,
    /// When the run ends.
    pub(crate) deadline: Option<Instant>,
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
    pub(crate) trials: Trials,
    /// Whether the invariants have companion methods.
    pub(crate) companions: bool,
}

/// A path at its end, with its heap.
pub(crate) struct Ended<H> {
    pub state: State<H>,
    pub outcome: crate::Outcome,
}

/// Why a worker returned before its work list was empty.
pub(crate) type Incomplete = Option<&'static str>;

/// How often the memory and Ctrl-C are looked at: every so many forks or ends.
const LOOK_EVERY: u32 = 512;

impl<'p, M: HeapModel> Executor<'p, M> {
    pub(crate) fn new(program: &'p Program, config: &'p Config, entry: MethodId, model: M, keep: usize) -> Self {
        let hex = config.invariants.as_ref().filter(|invariants| invariants.technique == Technique::Hex);
        let companions = hex.is_some_and(|invariants| companion::wanted(&invariants.hex));
        Executor {
            cx: Context::new(program, config),
            model,
            solver: Solver::new(config.solver.clone()),
            facts: Facts::default(),
            config,
            cases: Cases::default(),
            inputs: Inputs::Symbolic,
            natives: FxHashMap::default(),
            deadline: None,
            counts: Counts::default(),
            entry,
            stops: FxHashMap::default(),
            traces: Vec::new(),
            keep,
            omitted: 0,
            steps_trace: None,
            ended: None,
            trials: Trials::default(),
            companions,
        }
    }

    /// The state before the first instruction; `None` if no receiver is valid.
    pub(crate) fn initial(&mut self, mut heap: M::Heap) -> Option<State<M::Heap>> {
        let method = self.cx.program.method(self.entry);
        let mut registers = vec![Term::NULL; method.registers.len()];
        let mut path = PathCondition::default();
        let mut valid = Term::TRUE;
        for (i, register) in registers.iter_mut().enumerate().take(method.parameters) {
            let parameter = &method.registers[i];
            let receiver = i == 0 && self.cx.program.has_receiver(self.entry);
            if receiver && method.name == "<init>" {
                // A constructor starts with a new object.
                let class = method.class.expect("a constructor has a class");
                *register = self.model.alloc(&mut self.cx, &mut heap, class);
                continue;
            }
            let ty = match self.cx.program.receiver {
                Some(class) if receiver => Type::Ref(class),
                _ => parameter.ty,
            };
            let value = self.inputs.value(&mut self.cx, &self.model, &mut heap, &parameter.name, ty, receiver);
            *register = match self.cx.library() {
                Some(_) => arith::widen(&mut self.cx.terms, parameter.ty, value),
                None => value,
            };
            if receiver && matches!(self.inputs, Inputs::Symbolic) {
                let symbol = self.cx.root_symbol(&parameter.name, ty);
                let proper = self.proper_receiver(symbol, ty);
                match self.solver.extension(&mut self.cx.terms, &path, proper) {
                    lazuli_logic::Verdict::Sat(extension) => path.extend(extension),
                    other => unreachable!("a method has a receiver: {other:?}"),
                }
                valid = self.model.receiver(&mut self.cx, &mut heap, symbol);
            }
        }
        let mut state = State::new(heap, path);
        state.frames.push(Frame { method: self.entry, pc: 0, base: 0, dst: Reg(0), called: true });
        state.registers = registers;
        if let (Some(_), Some(class)) = (self.cx.library(), method.class) {
            // It has been initialised when its method is called; the initialisers run first.
            self.init_class(&mut state, class);
        }
        match self.assume(&mut state, valid) {
            Admit::Yes => Some(state),
            Admit::Pruned => {
                self.counts.pruned_invariant += 1;
                None
            }
            // Nobody knows whether there is a valid receiver: what follows will say so.
            Admit::Stopped(_) => {
                state.path.assume_unchecked(&self.cx.terms, valid);
                Some(state)
            }
        }
    }

    /// A receiver of the entry is not null, and of a class that does not override the entry: no call would bring it there.
    fn proper_receiver(&mut self, symbol: Term, ty: Type) -> Term {
        let program = self.cx.program;
        let class = program.method(self.entry).class.expect("the entry has a receiver");
        let overridable = program.class(class).methods.iter().find(|(_, method)| **method == self.entry);
        let symbol_classes = self.cx.class_set(ty);
        let possible = match self.cx.library() {
            None => vec![(class.0, program.class(class).last.0)],
            Some(_) => symbol_classes.to_vec(),
        };
        let classes = match overridable {
            Some((selector, _)) => {
                let all = possible.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
                let all = program.implementations(all, *selector);
                all.into_iter().find(|(method, _)| *method == Some(self.entry)).map_or(possible, |found| found.1)
            }
            None => possible,
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
        let mut successors = Successors::default();
        let mut since_look = 0;
        self.deadline = limits.deadline;
        (self.trials.deadline, self.trials.expired) = (limits.deadline, false);
        self.trials.interrupted = limits.control.interrupted.clone();
        self.cx.terms.set_interrupt(limits.interrupt());
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
            // One fork may have taken the back end seconds.
            let reason = match since_look >= LOOK_EVERY {
                true => limits.exceeded(),
                false => limits.late(),
            };
            since_look %= LOOK_EVERY;
            if reason.is_some() {
                open.push_back(state);
                return reason;
            }
            match self.advance(&mut state) {
                Pause::End(outcome, value) => self.end(state, outcome, value, limits),
                Pause::Decide => self.fork(state, &mut successors),
                Pause::Pruned => self.counts.pruned_invariant += 1,
            }
            if let Some(cause) = self.cx.terms.interrupt().cause() {
                // Whatever the solver did not know then is no outcome of a path.
                return Some(Limits::reason(cause));
            }
            if self.trials.expired {
                return limits.late().or(Some("--timeout"));
            }
            for (state, outcome, value) in successors.ended.drain(..) {
                self.end(state, outcome, value, limits);
            }
            match order {
                // It takes from the back: the first case goes there last.
                Search::Depth => open.extend(successors.running.drain(..).rev()),
                _ => open.extend(successors.running.drain(..)),
            }
            if limits.traces.is_some_and(|most| self.counts.traces >= most) {
                return if open.is_empty() { None } else { Some("--max-traces") };
            }
        }
        None
    }

    fn end(&mut self, mut state: State<M::Heap>, mut outcome: crate::Outcome, value: Option<Term>, limits: &Limits) {
        // Successors that ended in the same fork as the last permitted trace are not counted any more.
        if limits.traces.is_some_and(|most| self.counts.traces >= most) {
            return;
        }
        let unknown = matches!(outcome, crate::Outcome::Stopped(crate::outcome::Stop::SolverUnknown(_)));
        if unknown && self.cx.terms.interrupt().cause().is_some() {
            return;
        }
        match self.admit_end(&mut state, &outcome) {
            Admit::Yes => {}
            Admit::Pruned => return self.counts.pruned_invariant += 1,
            Admit::Stopped(_) if self.trials.expired || self.cx.terms.interrupt().cause().is_some() => return,
            Admit::Stopped(stop) => outcome = crate::Outcome::Stopped(stop),
        }
        limits.control.traces.fetch_add(1, Ordering::Relaxed);
        let outcome = self.outside_companions(&state, outcome);
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
    /// What ends the long loops of the logic, too.
    pub fn interrupt(&self) -> Interrupt {
        Interrupt::new(self.control.interrupted.clone(), self.deadline, self.memory)
    }

    fn reason(cause: Cause) -> &'static str {
        match cause {
            Cause::Flag => "interrupted",
            Cause::Deadline => "--timeout",
            Cause::Memory => "--max-memory",
        }
    }

    /// What can be told at once.
    fn late(&self) -> Option<&'static str> {
        if self.control.is_interrupted() {
            return Some("interrupted");
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some("--timeout")
    }

    pub fn exceeded(&self) -> Option<&'static str> {
        let is_full = || self.memory.is_some_and(|most| resident_memory() > most);
        self.late().or_else(|| is_full().then_some("--max-memory"))
    }
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
    if let Some(class) = config.bounds.n_of.as_deref().filter(|name| program.class_named(name).is_none()) {
        return Err(format!("there is no class {class} in {}, whose objects --n-of is to count", program.name));
    }
    find_entry(program, config.entry.as_deref())
}

/// Explores a program. Errors are about the entry and the literals; everything else is in the run.
pub fn explore(program: &Program, config: &Config, control: &Control) -> Result<Run, String> {
    let entry = entry_of(program, config)?;
    let impossible = impossible(program, config, entry, control);
    if let Some(roots) = impossible.inputs {
        return Err(format!("the invariants contradict themselves: no {} is valid", roots.describe(program)));
    }
    let elsewhere = config.invariants.as_ref().and_then(|invariants| {
        let names = inputs_elsewhere(program, &invariants.hex, entry);
        let names: Vec<String> = names.iter().map(|name| format!("root.{name}")).collect();
        let entry = program.method_name(entry);
        (!names.is_empty())
            .then(|| format!("what is said of {} says nothing here: no input of {entry}", names.join(", ")))
    });
    let copy = instrumented(program, config, entry)?;
    let (program, entry) = copy.as_ref().map_or((program, entry), |copy| (copy.program(program), copy.entry));
    let started = Instant::now();
    let mut run = with_heap_model!(config.heap, |make| parallel::run(program, config, entry, control, make));
    run.time = started.elapsed().max(Duration::from_micros(1));
    run.caveats.extend(elsewhere);
    for roots in &impossible.objects {
        run.caveats.push(format!("the invariants contradict themselves: no {} is valid", roots.describe(program)));
    }
    if run.counts.traces == 0 && config.invariants.is_some() && run.incomplete.is_none() {
        let within = match (config.bounds.n, config.bounds.k) {
            (None, None) => "",
            (Some(_), None) => " and that --n permits",
            (None, Some(_)) => " and that --k permits",
            (Some(_), Some(_)) => " and that --n and --k permit",
        };
        run.caveats.push(format!("the invariants exclude every input that the program looks at{within}"));
    }
    Ok(run)
}
