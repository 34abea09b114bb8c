//! Companion methods: executed symbolically in the middle of a path, right after the assumption they belong to. They fork, as in
//! the paper; what they decide is part of the path condition, but not of the program's control flow.

use lazuli_logic::{BitOp, PathCondition, Sort, Term, Verdict};
use lazuli_program::frontend::java::record::MADE_AGAIN;
use lazuli_program::ir::{Instr, MethodId, Reg, Type};

use crate::arith;
use crate::context::{Call, Wanted};
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::outcome::{Bound, NULL_POINTER, Outcome, Stop};
use crate::scope::Taken;
use crate::state::{Frame, Running, State};
use crate::step::operands;
use crate::suspend::{Pruned, Step, Suspend};

/// A companion that does not return within this many instructions stops the trace.
const STEPS: u64 = 100_000;

/// So many companions may be in execution at once.
const NESTED: usize = 8;

impl<M: HeapModel> Executor<'_, M> {
    /// What comes before an instruction, where there are companions: those that an assumption has called, and its operands.
    pub(crate) fn prepare(&mut self, state: &mut State<M::Heap>) -> Step {
        // While an exception is on its way, the frame on top is the one that it leaves.
        if state.thrown.is_some() || state.attempt.prepared && !state.attempt.is_first() {
            return Ok(());
        }
        state.attempt.prepared = false;
        self.begin_companion(state)?;
        if self.looks_first {
            self.load_operands(state)?;
        }
        self.commit(state);
        state.attempt.prepared = true;
        Ok(())
    }

    /// Begins a companion that an assumption has called, if there is one.
    fn begin_companion(&mut self, state: &mut State<M::Heap>) -> Step {
        // What an operand has called that is being loaded comes after it.
        if state.attempt.is_first() {
            self.collect_calls(state);
            self.sort_out_waiting(state);
        }
        while let Some(&call) = state.called.last() {
            let is_called = self.check(state, call.guard)?;
            state.called.pop();
            self.commit(state);
            if is_called {
                self.enter_companion(state, &call)?;
                return Err(Suspend::Detour);
            }
        }
        Ok(())
    }

    fn collect_calls(&self, state: &mut State<M::Heap>) {
        let mut called = state.assumed.0.as_mut().map(|assumptions| assumptions.take_calls()).unwrap_or_default();
        // The first is executed first.
        called.reverse();
        let (waiting, at_once): (Vec<Call>, Vec<Call>) = called.into_iter().partition(|call| call.until != Term::TRUE);
        state.called.extend(at_once);
        state.waiting.extend(waiting);
    }

    /// Calls that waited for something that the path has decided meanwhile are executed, or forgotten.
    fn sort_out_waiting(&mut self, state: &mut State<M::Heap>) {
        if state.waiting.is_empty() {
            return;
        }
        self.cx.path = state.path.clone();
        for call in std::mem::take(&mut state.waiting) {
            match self.cx.under_path(call.until).as_bool() {
                Some(true) => state.called.push(call),
                Some(false) => {}
                None => state.waiting.push(call),
            }
        }
    }

    /// A model of the path in which the calls that still wait have nothing to say, if there is one: nobody has asked whether what they
    /// wait for is true.
    pub(crate) fn without_waiting(&mut self, state: &State<M::Heap>) -> Option<PathCondition> {
        let mut path = state.path.clone();
        for call in &state.waiting {
            let other = self.cx.terms.not(call.until);
            if let Verdict::Sat(extension) = self.solver.extension(&mut self.cx.terms, &path, other) {
                path.extend(extension);
            }
        }
        (!state.waiting.is_empty()).then_some(path)
    }

    /// Loads the operands of an instruction before it is executed, if that is an assumption about the input: a companion is
    /// executed right after it. The models that do not enumerate would otherwise load, check and write at once.
    fn load_operands(&mut self, state: &mut State<M::Heap>) -> Step {
        let frame = *state.frames.last().expect("a running state has a frame");
        let instr = &self.cx.program.method(frame.method).code[frame.pc as usize];
        let [first, second] = operands(instr);
        if let Some(first) = first {
            self.load_operand(state, first)?;
        }
        let (Some(first), Some(second)) = (first, second) else { return Ok(()) };
        // A write looks at the value only where the object is not null.
        if matches!(instr, Instr::PutField { .. }) && self.open_reference(state, second).is_some() {
            let object = state.registers[frame.base as usize + first.index()];
            let null = self.model.is_null(&mut self.cx, &state.heap, object);
            let non_null = self.cx.terms.not(null);
            self.require(state, non_null, NULL_POINTER)?;
        }
        self.load_operand(state, second)
    }

    /// The value of a register, if it is a reference that may not have been loaded.
    fn open_reference(&self, state: &State<M::Heap>, register: Reg) -> Option<Term> {
        let frame = state.frames.last().expect("a running state has a frame");
        let is_ref = self.cx.program.method(frame.method).registers[register.index()].ty.is_ref();
        let value = state.registers[frame.base as usize + register.index()];
        (is_ref && self.cx.terms.as_symbol(value).is_some()).then_some(value)
    }

    fn load_operand(&mut self, state: &mut State<M::Heap>, register: Reg) -> Step {
        let Some(value) = self.open_reference(state, register) else { return Ok(()) };
        let value = self.load(state, value)?;
        self.collect_calls(state);
        if state.called.is_empty() {
            return Ok(());
        }
        let base = state.frames.last().expect("a running state has a frame").base as usize;
        state.registers[base + register.index()] = value;
        Err(Suspend::Detour)
    }

    /// An instruction fails: what it would have loaded is not there, and nothing is assumed about it.
    pub(crate) fn forget_calls(&self, state: &mut State<M::Heap>) {
        if let Some(assumptions) = state.assumed.0.as_mut().filter(|_| self.companions) {
            let called = assumptions.take_calls();
            state.waiting.extend(called.into_iter().filter(|call| call.wanted.can_wait()));
        }
    }

    pub(crate) fn enter_companion(&mut self, state: &mut State<M::Heap>, call: &Call) -> Step {
        // What a companion assumes may call companions; they share its steps.
        if state.companions.len() >= NESTED {
            return Err(Suspend::stop(Stop::Bound(Bound::MaxCalls)));
        }
        let Call { method, wanted, .. } = *call;
        let code = self.cx.program.method(method);
        if let Some(class) = code.class.filter(|_| code.name == MADE_AGAIN) {
            let class = self.cx.program.class(class).name.clone();
            self.cx.take_for_granted(Taken::Constructor { class });
        }
        let limit = state.companions.last().map_or(state.steps + STEPS, |outer| outer.limit);
        let running = Running { method, frames: state.frames.len(), flow: state.flow, limit, wanted };
        state.companions.push(running);
        self.look_at = state.steps;
        let base = state.registers.len();
        state.registers.extend(call.arguments.iter().flatten());
        state.registers.resize(base + self.cx.program.method(method).registers.len(), Term::NULL);
        state.frames.push(Frame { method, pc: 0, base: base as u32, dst: Reg(0), called: true });
        let class = self.cx.program.method(method).class.filter(|_| self.cx.program.semantics.loads_classes());
        match class.filter(|class| !state.vm.is_initialised(*class)) {
            Some(class) => self.init_class(state, class),
            None => Ok(()),
        }
    }

    /// Whether the frame that was just popped was a companion's.
    pub(crate) fn leaves_companion(&self, state: &State<M::Heap>) -> bool {
        state.companions.last().is_some_and(|running| running.frames == state.frames.len())
    }

    /// The program goes on after a companion. That it gave what it must give is assumed.
    pub(crate) fn leave_companion(&mut self, state: &mut State<M::Heap>, value: Term) -> Step {
        let running = state.companions.pop().expect("a companion is left");
        state.flow = running.flow;
        let assumed = self.is_wanted(running.method, running.wanted, value);
        self.assume(state, assumed)
    }

    /// The condition that a method gave what it must give.
    pub(crate) fn is_wanted(&mut self, method: MethodId, wanted: Wanted, value: Term) -> Term {
        let is_truth = self.cx.program.method(method).result == Type::Bool;
        match wanted {
            Wanted::Truth if is_truth => arith::given(&mut self.cx, value),
            Wanted::Truth => Term::TRUE,
            Wanted::Number(number) => {
                let width = if let Sort::Bits(width) = self.cx.terms.sort(number) { width } else { 32 };
                let value = self.cx.terms.extend(true, width, value);
                self.cx.terms.eq(value, number)
            }
            Wanted::Sign([_, zero, positive]) if is_truth => {
                let is_true = arith::given(&mut self.cx, value);
                self.cx.terms.ite(is_true, positive, zero)
            }
            Wanted::Sign([negative, zero, positive]) => {
                let nothing = self.cx.int(0);
                let terms = &mut self.cx.terms;
                let (is_negative, is_zero) = (terms.bit_op(BitOp::SLt, value, nothing), terms.eq(value, nothing));
                let not_negative = terms.ite(is_zero, zero, positive);
                terms.ite(is_negative, negative, not_negative)
            }
        }
    }

    /// An exception leaves a companion: it is told, unless it says that there is no such input.
    pub(crate) fn companion_throws(&self, state: &State<M::Heap>) -> Step {
        let asks = state.companions.last().is_some_and(|running| running.wanted != Wanted::Truth);
        if asks && self.is_companion_frame(state) { Err(Suspend::Prune(Pruned::Invariant)) } else { Ok(()) }
    }

    /// Whether the frame on top is a companion's own: what it does not catch does not reach the program.
    pub(crate) fn is_companion_frame(&self, state: &State<M::Heap>) -> bool {
        state.companions.last().is_some_and(|running| running.frames + 1 == state.frames.len())
    }

    /// How a path ended, seen from the program: what ends within a companion is no behaviour of the program.
    pub fn outside_companions(&self, state: &State<M::Heap>, outcome: Outcome) -> Outcome {
        let Some(running) = state.companions.last() else { return outcome };
        let name = self.cx.program.method_name(running.method);
        let why = match outcome {
            Outcome::Threw(exception) => format!("the companion {name} threw {exception}"),
            Outcome::AssertFailed => format!("an assertion of the companion {name} failed"),
            Outcome::Endless { .. } => format!("the companion {name} does not end"),
            Outcome::Stopped(Stop::Bound(Bound::MaxSteps | Bound::MaxCalls | Bound::MaxDepth | Bound::MaxArray)) => {
                format!("the companion {name} did not return within its bounds")
            }
            other => return other,
        };
        Outcome::Stopped(Stop::Invariant(why))
    }
}
