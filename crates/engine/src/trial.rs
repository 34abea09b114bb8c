//! Executing a method on the partial *initial* heap of a state, beside the run: does it return true on some path?
//!
//! The initial heap is the input as far as the state has assumed it, before the program wrote anything. The trial has a heap and a
//! path of its own, starts with the state's path condition, and leaves no trace but the answer.

use std::collections::VecDeque;
use std::rc::Rc;

use lazuli_logic::{PathCondition, Term, Verdict};
use lazuli_program::ir::{MethodId, Reg};

use crate::arith;
use crate::context::Call;
use crate::drive::{Policy, Successors};
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::invariant::OpenInputs;
use crate::outcome::{Bound, Outcome, Stop};
use crate::quota::Quota;
use crate::state::{Frame, State};
use crate::suspend::{Pruned, Step, Suspend};

/// How a path of a trial ended.
pub(crate) enum End {
    True,
    False,
    Unknown(Stop),
}

impl<M: HeapModel> Executor<'_, M> {
    /// Whether the method `name`, on the inputs of the entry, returns true on some path from the initial heap of a state; the
    /// inputs are within the quotas. What could not be followed is not taken for an answer.
    pub(crate) fn some_path_is_true(
        &mut self,
        state: &State<M::Heap>,
        name: &'static str,
        open: OpenInputs,
        quotas: Vec<Quota>,
    ) -> Step {
        let method = self.method_called(name);
        let kept = (open == OpenInputs::Resolved).then(|| self.kept_answer(state, method, &quotas)).flatten();
        kept.unwrap_or_else(|| self.some_true_path(state, name, open, quotas).map(|_| ()))
    }

    /// Such a path, at its end: a heap in which everything is resolved that the method looked at, and the condition under
    /// which it is true.
    pub fn some_true_path(
        &mut self,
        state: &State<M::Heap>,
        name: &'static str,
        open: OpenInputs,
        quotas: Vec<Quota>,
    ) -> Step<Box<State<M::Heap>>> {
        let method = self.method_called(name);
        let start = self.trial_state(state, method, open)?;
        let before = self.counts.steps;
        let (answer, steps) = self.aside(quotas, |executor| (executor.search(start), executor.counts.steps - before));
        self.trials.steps += steps;
        match answer {
            // It is not the program that goes on for too long.
            Err(Suspend::Stop(stop)) => Err(Suspend::stop(match *stop {
                Stop::Bound(bound) if !bound.ends_run() => Stop::Endless { method: name.into(), bound },
                other => other,
            })),
            other => other,
        }
    }

    /// Does something beside the run, with other quotas: nobody listens, and nothing is counted.
    pub(crate) fn aside<R>(&mut self, quotas: Vec<Quota>, work: impl FnOnce(&mut Self) -> R) -> R {
        let counts = self.counts;
        let bound = std::mem::replace(&mut self.cx.quotas, quotas);
        let (steps_trace, visits) = (self.steps_trace.take(), self.visits.take());
        let listens = std::mem::replace(&mut self.cx.listens, false);
        let companions = std::mem::replace(&mut self.companions, false);
        self.trials.running = true;
        let result = work(self);
        self.trials.running = false;
        self.companions = companions;
        (self.steps_trace, self.visits, self.cx.listens) = (steps_trace, visits, listens);
        self.cx.quotas = bound;
        self.counts = counts;
        result
    }

    /// Whether the run must end; then what is being asked is given up.
    pub(crate) fn is_late(&mut self) -> bool {
        self.trials.expired |= self.watch.late().is_some();
        self.trials.expired
    }

    fn method_called(&mut self, name: &'static str) -> MethodId {
        if let Some((_, method)) = self.trials.methods.iter().find(|(known, _)| *known == name) {
            return *method;
        }
        let method = self.cx.program.entry(name).expect("the program was instrumented");
        self.trials.methods.push((name, method));
        method
    }

    pub(crate) fn trial_state(
        &mut self,
        state: &State<M::Heap>,
        method: MethodId,
        open: OpenInputs,
    ) -> Step<State<M::Heap>> {
        let heap = self.model.partial_input(&state.heap).expect("refused beforehand: the model does not enumerate");
        let code = self.cx.program.method(method);
        let mut registers = vec![Term::NULL; code.registers.len()];
        for (i, register) in registers.iter_mut().enumerate().take(code.parameters) {
            let symbol = self.cx.root_symbol(&code.registers[i].name, code.registers[i].ty);
            if open == OpenInputs::Resolved || !self.model.is_open(&self.cx, &heap, symbol) {
                *register = arith::passed(&mut self.cx, code.registers[i].ty, symbol);
            }
        }
        let mut trial = State::new(heap, state.path.clone());
        trial.frames.push(Frame { method, pc: 0, base: 0, dst: Reg(0), called: true });
        trial.registers = registers;
        if self.cx.program.semantics.loads_classes() {
            // Statics are what the initialisers leave, as before the program ran; what the environment has answered stays.
            let vm = Rc::make_mut(&mut trial.vm);
            (vm.inputs, vm.calls) = (state.vm.inputs.clone(), state.vm.calls.clone());
            if let Some(class) = code.class {
                self.init_class(&mut trial, class)?;
            }
        }
        Ok(trial)
    }

    /// A heap in which methods that were called give what they must give, one after the other, and the condition under which they
    /// do; `None` if no such path was found.
    pub fn fulfilled(&mut self, heap: M::Heap, path: PathCondition, calls: &[Call]) -> Option<Box<State<M::Heap>>> {
        self.aside(Vec::new(), |executor| {
            let mut open = vec![(Box::new(State::new(heap, path)), 0)];
            while let Some((state, at)) = open.pop() {
                let Some(call) = calls.get(at) else { return Some(state) };
                open.extend(executor.ends_of(state, call)?.into_iter().map(|state| (state, at + 1)));
            }
            None
        })
    }

    /// The ends of a method that was called, where it gives what it must give. `None` if that could not be followed.
    fn ends_of(&mut self, mut state: Box<State<M::Heap>>, call: &Call) -> Option<Vec<Box<State<M::Heap>>>> {
        let code = self.cx.program.method(call.method);
        (state.frames, state.steps) =
            (vec![Frame { method: call.method, pc: 0, base: 0, dst: Reg(0), called: true }], 0);
        state.registers = call.arguments.iter().flatten().copied().collect();
        state.registers.resize(code.registers.len(), Term::NULL);
        if let Some(class) = code.class.filter(|class| !state.vm.is_initialised(*class)) {
            self.init_class(&mut state, class).ok()?;
        }
        let (mut open, mut ends) = (vec![state], Vec::new());
        let mut successors = Successors::default();
        while let Some(state) = open.pop() {
            if self.is_late() {
                return None;
            }
            self.drive(state, Policy::Explore, &mut successors).ok()?;
            for (mut state, outcome, value) in successors.ended.drain(..) {
                let (Outcome::Returned, Some(value)) = (outcome, value) else { continue };
                let wanted = self.is_wanted(call.method, call.wanted, value);
                if let Verdict::Sat(extension) = self.solver.extension(&mut self.cx.terms, &state.path, wanted) {
                    state.path.extend(extension);
                    ends.push(state);
                }
            }
            open.extend(successors.running.drain(..).rev());
        }
        Some(ends)
    }

    /// Depth first, up to the first path that returns true.
    fn search(&mut self, start: State<M::Heap>) -> Step<Box<State<M::Heap>>> {
        let mut open = VecDeque::from([Box::new(start)]);
        let mut successors = Successors::default();
        let mut unknown = None;
        while let Some(state) = open.pop_back() {
            if self.is_late() {
                return Err(Suspend::stop(Stop::Bound(Bound::Timeout)));
            }
            self.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
            for (mut state, outcome, value) in successors.ended.drain(..).rev() {
                match self.verdict(&mut state, outcome, value) {
                    End::True => return Ok(state),
                    End::False => {}
                    End::Unknown(stop) => unknown = Some(stop),
                }
            }
            open.extend(successors.running.drain(..).rev());
        }
        Err(unknown.map_or(Suspend::Prune(Pruned::Invariant), Suspend::stop))
    }

    /// An invariant that throws does not hold.
    pub(crate) fn verdict(&mut self, state: &mut State<M::Heap>, outcome: Outcome, value: Option<Term>) -> End {
        match (outcome, value) {
            (Outcome::Returned, Some(value)) => {
                let value = arith::given(&mut self.cx, value);
                match self.solver.extension(&mut self.cx.terms, &state.path, value) {
                    Verdict::Sat(extension) => {
                        state.path.extend(extension);
                        End::True
                    }
                    Verdict::Unsat => End::False,
                    Verdict::Unknown(reason) => End::Unknown(Stop::SolverUnknown(reason)),
                }
            }
            (Outcome::Stopped(stop), _) => End::Unknown(stop),
            (endless @ Outcome::Endless { .. }, _) => End::Unknown(Stop::Invariant(endless.to_string())),
            _ => End::False,
        }
    }
}
