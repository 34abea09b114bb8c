//! The machine: what executes states, one at a time. Which state is next, and what becomes of an ended path, is not its business.

use lazuli_logic::interrupt::Cause;
use lazuli_logic::solver::{Kind, Stage};
use lazuli_logic::{Facts, Origin, PathCondition, Solver, Term, Verdict};
use lazuli_program::ir::{ClassId, Const, Instr, Loading, MethodId, Reg, Type};
use lazuli_program::{LoadError, Program};
use rustc_hash::FxHashMap;

use crate::arith;
use crate::config::{Config, Ints};
use crate::context::{Assumed, Context, Holder, Opinion, Reference, Resolution};
use crate::counts::Counts;
use crate::error::SetupError;
use crate::heap::{Cases, Given, HeapModel, Memory, Way};
use crate::invariant::Calls;
use crate::limits::Watch;
use crate::outcome::{Bound, Outcome, Stop};
use crate::quota::{Most, Quota};
use crate::rounds::Rounds;
use crate::started::Start;
use crate::state::{Frame, State};
use crate::suspend::{Pruned, Step, Suspend};
use crate::trials::Trials;
use crate::visits::Visits;
use crate::witness::{Concrete, Witness};
use crate::wording::Worded;

/// Where the inputs come from.
pub enum Inputs {
    Symbolic,
    /// By name, and the objects that they may be: for replaying a witness.
    Constant(FxHashMap<String, Concrete>, Vec<Term>),
}

impl Inputs {
    pub(crate) fn value<M: HeapModel>(
        &self,
        cx: &mut Context,
        model: &M,
        heap: &mut M::Heap,
        name: &str,
        ty: Type,
        given: Given,
    ) -> Term {
        match self {
            Inputs::Symbolic => {
                let symbol = cx.root_symbol(name, ty);
                model.input(cx, heap, symbol, ty, given)
            }
            // An input that the path never met is free.
            Inputs::Constant(values, objects) => {
                let given = values.get(name).and_then(|value| value.term(cx, ty, objects));
                given.unwrap_or_else(|| cx.default_value(ty))
            }
        }
    }
}

/// A method of Java that the engine provides gives a value of the stack, or nothing in particular for `void`. It asks first, and then acts: see
/// `decide.rs`.
pub(crate) type Native<M> = fn(&mut Executor<'_, M>, &mut State<<M as Memory>::Heap>, &[Term]) -> Step<Term>;

/// The configurations of a run so far, as text, and how many they are.
#[derive(Default)]
pub struct StepsTrace {
    pub text: String,
    pub(crate) steps: usize,
}

/// Executes states: its terms, its solver, its counters.
pub struct Executor<'p, M: HeapModel> {
    pub cx: Context<'p>,
    pub model: M,
    pub solver: Solver,
    /// Answers what only a reader wants to know.
    pub(crate) bystander: Solver,
    /// What the path of the state in work says by its form.
    pub(crate) facts: Facts,
    pub config: &'p Config,
    /// What the operation in work proposes: where a state has paused, the cases of its decision.
    pub cases: Cases<M::Change>,
    /// How each of them can be taken.
    pub(crate) ways: Vec<Way>,
    /// How many operations the instruction in work has carried out, and the number of the one that asked last.
    pub(crate) operations: u32,
    pub(crate) asked: u32,
    pub(crate) inputs: Inputs,
    /// Java's methods that the engine provides, as far as they were called.
    pub(crate) natives: FxHashMap<MethodId, Option<Native<M>>>,
    /// What was put into words for those who read of traces.
    pub(crate) worded: Worded,
    /// When the run ends.
    pub watch: Watch,
    pub counts: Counts,
    pub entry: MethodId,
    /// The configurations, if they are wanted.
    pub steps_trace: Option<StepsTrace>,
    /// What is executed of the user's bytecode, if that is wanted.
    pub visits: Option<Visits>,
    pub(crate) trials: Trials,
    /// Initialisers that were run for all paths.
    pub(crate) start: Start,
    /// After so many instructions a path stops.
    pub(crate) most_steps: u64,
    /// At so many instructions the path in work looks up from them.
    pub(crate) look_at: u64,
    /// Whether the invariants call methods.
    pub(crate) companions: bool,
    /// Whether what an instruction looks at is loaded before it is executed, so that they can be called right then.
    pub(crate) looks_first: bool,
    /// What is assumed at first.
    assumed: Assumed,
    /// What a model that enumerates proposes.
    pub(crate) proposed: Vec<(Resolution, Opinion)>,
    /// Whether the path in work goes around.
    pub(crate) rounds: Rounds<M::Heap>,
}

impl<'p, M: HeapModel> Executor<'p, M> {
    pub fn new(program: &'p Program, config: &'p Config, entry: MethodId, model: M) -> Self {
        let mut cx = Context::new(program, &config.setup());
        let invariant = config.invariants.as_ref();
        let assumed = Assumed(invariant.and_then(|invariant| invariant.begin(&mut cx)));
        cx.listens = assumed.0.is_some();
        let calls = invariant.map_or(Calls::Never, |invariant| invariant.calls());
        let (companions, looks_first) = (calls != Calls::Never, calls == Calls::AtOnce && !model.enumerates());
        let mut executor = Executor {
            cx,
            model,
            solver: Solver::new(config.solver.clone()),
            bystander: Solver::new(config.solver.clone()),
            facts: Facts::default(),
            config,
            cases: Cases::default(),
            ways: Vec::new(),
            operations: 0,
            asked: 0,
            inputs: Inputs::Symbolic,
            natives: FxHashMap::default(),
            worded: Worded::default(),
            watch: Watch::default(),
            counts: Counts::default(),
            entry,
            steps_trace: None,
            visits: config.coverage.then(Visits::default),
            trials: Trials::default(),
            start: Start::default(),
            most_steps: config.bounds.steps,
            look_at: 0,
            companions,
            looks_first,
            assumed,
            proposed: Vec::new(),
            rounds: Rounds::default(),
        };
        executor.offer_all(&config.offered);
        executor
    }

    /// The state before the first instruction. Where there is no valid receiver, or nobody knows, that is why there is no path.
    pub(crate) fn initial(&mut self, mut heap: M::Heap) -> Step<State<M::Heap>> {
        let method = self.cx.program.method(self.entry);
        let mut registers = vec![Term::NULL; method.registers.len()];
        let mut path = PathCondition::default();
        let mut valid = Term::TRUE;
        let mut assumed = self.assumed.clone();
        let mut inputs = Vec::new();
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
            let given = match () {
                _ if receiver => Given::Receiver,
                _ if ty.is_ref() && self.config.not_null.contains(&parameter.name) => Given::NotNull,
                _ => Given::Nothing,
            };
            let value = self.inputs.value(&mut self.cx, &self.model, &mut heap, &parameter.name, ty, given);
            *register = arith::passed(&mut self.cx, parameter.ty, value);
            inputs.push((value, given));
            if receiver && matches!(self.inputs, Inputs::Symbolic) {
                let symbol = self.cx.root_symbol(&parameter.name, ty);
                let proper = self.proper_receiver(symbol, ty);
                match self.solver.extension(&mut self.cx.terms, &path, proper) {
                    Verdict::Sat(extension) => path.extend(extension),
                    Verdict::Unsat => return Err(Suspend::Prune(Pruned::Infeasible)),
                    Verdict::Unknown(reason) => return Err(Suspend::stop(Stop::SolverUnknown(reason))),
                }
                if !self.cx.may_exist(symbol) {
                    valid = self.tell_receiver(&mut heap, &mut assumed, symbol, value);
                }
            }
        }
        // There is a receiver, whatever bounds say.
        self.cx.leaving_out.clear();
        let mut state = State { assumed, ..State::new(heap, path) };
        state.frames.push(Frame { method: self.entry, pc: 0, base: 0, dst: Reg(0), called: true });
        state.registers = registers;
        if let Some(class) = method.class.filter(|_| self.cx.program.semantics.loads_classes()) {
            self.begin_initialised(&mut state)?;
            // It has been initialised when its method is called; the initialisers run first.
            self.init_class(&mut state, class)?;
        }
        for (input, given) in inputs {
            self.assume_input(&mut state, input)?;
            if given == Given::NotNull && matches!(self.inputs, Inputs::Symbolic) {
                let not_null = self.cx.terms.ne(input, Term::NULL);
                self.assume(&mut state, not_null)?;
            }
        }
        self.assume(&mut state, valid)?;
        Ok(state)
    }

    /// What is true of a new input that is a reference: one of an enum is a constant. Where references are resolved one by one, it is seen to there.
    pub(crate) fn assume_input(&mut self, state: &mut State<M::Heap>, value: Term) -> Step {
        match self.cx.choice_of(value).filter(|_| !self.model.enumerates()) {
            Some(choice) => self.assume(state, choice.clause),
            None => Ok(()),
        }
    }

    /// The receiver of the entry is an object of its own: the clause that comes back.
    fn tell_receiver(&mut self, heap: &mut M::Heap, assumed: &mut Assumed, symbol: Term, value: Term) -> Term {
        let Some(assumptions) = &mut assumed.0 else { return Term::TRUE };
        let cx = &mut self.cx;
        let name = cx.terms.as_symbol(symbol).expect("an input is a symbol");
        let Origin::Root(input, _) = cx.terms.symbol_info(name).origin.clone() else {
            unreachable!("an input has no holder");
        };
        let (symbol, holder) = (Some(symbol), Holder::Input(input));
        let reference = Reference { symbol, class: cx.declared_class(name), holder, object: value.as_location() };
        match self.model.enumerates() {
            true => assumptions.resolved(cx, heap, &reference, Resolution::New, Opinion::Nothing),
            false => assumptions.receive(cx, heap, reference),
        }
    }

    /// A receiver of the entry is not null, and of a class that does not override the entry: no call would bring it there.
    fn proper_receiver(&mut self, symbol: Term, ty: Type) -> Term {
        let program = self.cx.program;
        let class = program.method(self.entry).class.expect("the entry has a receiver");
        let overridable = program.class(class).methods.iter().find(|(_, method)| **method == self.entry);
        let symbol_classes = self.cx.class_set(ty);
        let possible = match program.semantics.loading {
            Loading::Beforehand => vec![(class.0, program.class(class).last.0)],
            Loading::OnDemand => symbol_classes.to_vec(),
        };
        let classes = match overridable {
            Some((selector, _)) => {
                let all = possible.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
                let all = program.implementations(all, class, *selector);
                all.into_iter().find(|(method, _)| *method == Some(self.entry)).map_or(possible, |found| found.1)
            }
            None => possible,
        };
        let non_null = self.cx.terms.ne(symbol, Term::NULL);
        let runs_entry = self.cx.in_classes(symbol, &classes);
        self.cx.terms.and(non_null, runs_entry)
    }

    /// From now on this says when the run must end, also in the middle of a path.
    pub fn heed(&mut self, watch: &Watch) {
        self.watch = watch.clone();
        self.cx.terms.set_interrupt(watch.interrupt());
        self.trials.expired = false;
    }

    /// Why something was given up because the run must end, if so: what was being asked has no answer.
    pub fn expired(&self) -> Option<Bound> {
        let interrupt = self.cx.terms.interrupt();
        if !self.trials.expired && !interrupt.is_raised() {
            return self.watch.has_enough().then_some(Bound::MaxTraces);
        }
        Some(match interrupt.cause() {
            Some(Cause::Flag) => Bound::Interrupted,
            Some(Cause::Memory) => Bound::MaxMemory,
            Some(Cause::Deadline) => Bound::Timeout,
            None => self.watch.late().unwrap_or(Bound::Timeout),
        })
    }

    /// Whether Z3 was asked, which keeps its context in the thread.
    pub fn has_asked_z3(&self) -> bool {
        self.solver.has_asked_z3() || self.bystander.has_asked_z3()
    }

    /// What was done so far, counted in instructions and never timed: the same on every machine. A question that reaches the theories
    /// costs as much as a hundred instructions, one that reaches a back end as thousands.
    pub fn effort(&self) -> u64 {
        let weight = |stage: Stage| match stage.kind() {
            Kind::Known => 10,
            Kind::Theory => 100,
            Kind::Backend => 3_000,
        };
        let questions: u64 = self.solver.counters.stages().map(|(stage, number)| weight(stage) * number).sum();
        // Where the path simplifies what is read, every step looks at terms.
        let step = if self.model.restricts(&self.cx) { 10 } else { 1 };
        let steps = step * (self.counts.steps + self.trials.steps) + self.start.steps;
        steps + questions + 10 * self.cx.terms.asked() - self.trials.once
    }

    /// How a path has ended, as the program's behaviour; nothing if the invariants exclude it after all, or if the run had to end
    /// before anybody knew.
    pub fn conclude(&mut self, state: &mut State<M::Heap>, outcome: Outcome) -> Option<Outcome> {
        let outcome = match self.admit_end(state, &outcome) {
            Ok(()) => outcome,
            Err(Suspend::Prune(_)) => {
                self.counts.pruned_invariant += 1;
                return None;
            }
            Err(_) if self.expired().is_some() => return None,
            Err(Suspend::Stop(stop)) => Outcome::Stopped(*stop),
            Err(other) => unreachable!("the end of a path is admitted or not: {other:?}"),
        };
        Some(self.outside_companions(state, outcome))
    }

    /// A concrete input from a model of the whole path condition, every clause of which is evaluated once more.
    pub fn witness(&mut self, state: &State<M::Heap>) -> Result<Witness, String> {
        let chosen = self.without_waiting(state);
        self.witness_of(state, chosen.as_ref().unwrap_or(&state.path))
    }

    /// The same, of a path that has more clauses.
    pub fn witness_of(&mut self, state: &State<M::Heap>, path: &PathCondition) -> Result<Witness, String> {
        let mut model = path.model().ok_or("the path condition was not checked")?;
        for clause in path.clauses() {
            match self.cx.terms.eval(clause, &model) {
                Some(value) if value.as_bool() => {}
                Some(_) => panic!("the model does not satisfy {}", self.cx.show(clause)),
                None => return Err("an integer of the witness does not fit into 128 bits".into()),
            }
        }
        crate::readable::prefer_letters(&self.cx, path, &mut model);
        crate::readable::prefer_small_numbers(&self.cx, path, &mut model);
        let mut witness = self.model.witness(&mut self.cx, &state.heap, &model);
        crate::readable::fill_texts(&self.cx, &mut witness);
        crate::java::fill_given(&self.cx, &mut witness);
        witness.read_chars(&self.cx);
        Ok(witness)
    }
}

/// Finds the method to execute.
fn find_entry(program: &Program, name: Option<&str>) -> Result<MethodId, SetupError> {
    let (all, of) = (|| program.entries(), || program.name.clone());
    match name {
        Some(name) => {
            program.entry(name).ok_or_else(|| SetupError::NoMethod { program: of(), name: name.into(), all: all() })
        }
        None => program.main.ok_or_else(|| SetupError::NoMain { program: of(), all: all() }),
    }
}

/// Refuses quotas of classes that are not there.
pub fn check_classes(program: &Program, list: &[Most]) -> Result<(), SetupError> {
    match list.iter().find(|most| Quota::new(program, most).is_none()).and_then(|most| most.class.clone()) {
        Some(name) => Err(SetupError::NoClass { program: program.name.clone(), name }),
        None => Ok(()),
    }
}

/// Finds the entry of a configuration, and refuses literals that its integers do not have: they would silently be others.
pub fn entry_of(program: &Program, config: &Config) -> Result<MethodId, SetupError> {
    if let Ints::Bits(width) = config.ints {
        let limit = 1i128 << (width - 1);
        let literals = program.methods.iter().flat_map(|m| m.code.iter().zip(&m.places));
        for (instr, place) in literals {
            if let Instr::Const { value: Const::Int(value), .. } = instr
                && !(-limit..limit).contains(&(*value as i128))
            {
                let error = LoadError::at(&program.sources, *place, format!("{value} does not fit into {width} bits"));
                return Err(SetupError::Literal(error));
            }
        }
    }
    check_classes(program, &config.bounds.n)?;
    find_entry(program, config.entry.as_deref())
}
