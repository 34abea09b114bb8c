//! Companion methods: executed symbolically in the middle of a path, right after the assumption they belong to. They fork, as in
//! the paper; what they decide is part of the path condition, but not of the program's control flow.

use lazuli_logic::Term;
use lazuli_program::hex::{Companion, Hex};
use lazuli_program::ir::{Instr, MethodId, Reg, Type};

use super::Admit;
use super::hex::Call;
use crate::executor::Executor;
use crate::heap::{Effect, HeapModel};
use crate::outcome::{Bound, NULL_POINTER, Outcome, Stop};
use crate::state::{Flow, Frame, State};
use crate::step::{Pause, arith, operands};

/// A companion that does not return within this many instructions stops the trace.
const STEPS: u64 = 100_000;

/// So many companions may be in execution at once.
const NESTED: usize = 8;

/// A companion that is being executed.
#[derive(Clone, Copy, Debug)]
pub struct Running {
    method: MethodId,
    /// The frames below it.
    frames: usize,
    /// The program's control flow, to which what the companion does is not added.
    flow: Flow,
    /// The number of steps at which it is given up.
    pub limit: u64,
}

/// Whether invariants have companion methods at all.
pub fn wanted(hex: &Hex) -> bool {
    let mut events = hex.statements.iter().flat_map(|s| &s.events);
    events.any(|event| matches!(event.companion, Companion::Method { .. }))
}

impl<M: HeapModel> Executor<'_, M> {
    /// Proposes to begin a companion that an assumption has called; `false` if there is none.
    pub(crate) fn begins_companion(&mut self, state: &mut State<M::Heap>) -> bool {
        // While an exception is on its way, the frame on top is the one that it leaves.
        if !self.companions || state.thrown.is_some() {
            return false;
        }
        self.collect_calls(state);
        let Some(Call { guard, method, argument }) = state.called.pop() else { return false };
        let otherwise = self.cx.terms.not(guard);
        for (guard, effect) in [(guard, Effect::Companion { method, argument }), (otherwise, Effect::Again)] {
            if guard != Term::FALSE {
                self.cases.push(guard, false, None, effect);
            }
        }
        true
    }

    fn collect_calls(&self, state: &mut State<M::Heap>) {
        let mut called = self.model.backbone(&mut state.heap).take_calls();
        // The first is executed first.
        called.reverse();
        state.called.extend(called);
    }

    /// Proposes to load an operand before its instruction is executed, if that is an assumption about the input: a companion is
    /// executed right after it. The models that do not enumerate would otherwise load, check and write at once.
    pub(crate) fn loads_first(&mut self, state: &mut State<M::Heap>) -> bool {
        if !self.companions || self.model.enumerates() || state.thrown.is_some() {
            return false;
        }
        let frame = *state.frames.last().expect("a running state has a frame");
        let instr = &self.cx.program.method(frame.method).code[frame.pc as usize];
        let [first, second] = operands(instr);
        if first.is_some_and(|register| self.proposes_load(state, register)) {
            return true;
        }
        let (Some(first), Some(second)) = (first, second) else { return false };
        // A write looks at the value only where the object is not null.
        if matches!(instr, Instr::PutField { .. }) && self.open_reference(state, second).is_some() {
            let object = state.registers[frame.base as usize + first.index()];
            match self.proposes_check(state, object) {
                Some(true) => return false,
                Some(false) => {}
                None => return true,
            }
        }
        self.proposes_load(state, second)
    }

    /// The value of a register, if it is a reference that may not have been loaded.
    fn open_reference(&self, state: &State<M::Heap>, register: Reg) -> Option<Term> {
        let frame = state.frames.last().expect("a running state has a frame");
        let is_ref = self.cx.program.method(frame.method).registers[register.index()].ty.is_ref();
        let value = state.registers[frame.base as usize + register.index()];
        (is_ref && self.cx.terms.as_symbol(value).is_some()).then_some(value)
    }

    fn proposes_load(&mut self, state: &mut State<M::Heap>, register: Reg) -> bool {
        let Some(value) = self.open_reference(state, register) else { return false };
        self.model.load(&mut self.cx, &mut state.heap, value, &mut self.cases);
        self.collect_calls(state);
        self.proposes(state, register)
    }

    /// Whether an object is null; if the path has not decided that, it is proposed.
    fn proposes_check(&mut self, state: &State<M::Heap>, object: Term) -> Option<bool> {
        if object.is_null() {
            return Some(true);
        }
        let null = self.model.is_null(&mut self.cx, &state.heap, object);
        // An object that the program has made, for instance.
        if let Some(is_null) = null.as_bool() {
            return Some(is_null);
        }
        let non_null = self.cx.terms.not(null);
        self.cases.push(non_null, false, None, Effect::Again);
        self.cases.push(null, false, None, Effect::Throw(NULL_POINTER));
        if self.model.restricts(&self.cx) {
            self.restrict_guards(&state.path);
        }
        self.settle(&state.path);
        let decided = match self.cases.list.as_slice() {
            [only] => only.effect != Effect::Again,
            [first, _] => match first.guard.as_bool() {
                Some(non_null) => !non_null,
                None => return None,
            },
            _ => return None,
        };
        self.cases.clear();
        Some(decided)
    }

    /// Whether the cases assume anything; then the instruction is executed again after that.
    fn proposes(&mut self, state: &State<M::Heap>, register: Reg) -> bool {
        let list = &mut self.cases.list;
        if state.called.is_empty() && matches!(list.as_slice(), [only] if only.guard == Term::TRUE) {
            self.cases.clear();
            return false;
        }
        for case in list {
            if let Effect::Value(value) = case.effect {
                case.effect = Effect::Loaded { register, value };
            }
        }
        true
    }

    /// An instruction fails: what it would have loaded is not there, and nothing is assumed about it.
    pub(crate) fn forget_calls(&self, state: &mut State<M::Heap>) {
        if self.companions {
            self.model.backbone(&mut state.heap).take_calls();
        }
    }

    pub(crate) fn enter_companion(
        &mut self,
        state: &mut State<M::Heap>,
        method: MethodId,
        argument: Option<Term>,
    ) -> Option<Pause> {
        // What a companion assumes may call companions; they share its steps.
        if state.companions.len() >= NESTED {
            return Some(Pause::End(Outcome::Stopped(Stop::Bound(Bound::MaxCalls)), None));
        }
        let limit = state.companions.last().map_or(state.steps + STEPS, |outer| outer.limit);
        let running = Running { method, frames: state.frames.len(), flow: state.flow, limit };
        state.companions.push(running);
        let base = state.registers.len();
        state.registers.extend(argument);
        state.registers.resize(base + self.cx.program.method(method).registers.len(), Term::NULL);
        state.frames.push(Frame { method, pc: 0, base: base as u32, dst: Reg(0), called: true });
        match (self.cx.library(), self.cx.program.method(method).class) {
            (Some(_), Some(class)) if !state.vm.initialised.contains(&class) => self.init_class(state, class),
            _ => None,
        }
    }

    /// A frame was popped: if it was a companion's, the program goes on. If its result is a truth value, it is assumed.
    pub(crate) fn leave_companion(&mut self, state: &mut State<M::Heap>, value: Term) -> Option<Option<Pause>> {
        let running = *state.companions.last().filter(|running| running.frames == state.frames.len())?;
        state.companions.pop();
        state.flow = running.flow;
        let assumed = match self.cx.program.method(running.method).result {
            Type::Bool if self.cx.library().is_some() => arith::narrow(&mut self.cx.terms, Type::Bool, value),
            Type::Bool => value,
            _ => Term::TRUE,
        };
        Some(match self.assume(state, assumed) {
            Admit::Yes => None,
            Admit::Pruned => Some(Pause::Pruned),
            Admit::Stopped(stop) => Some(Pause::End(Outcome::Stopped(stop), None)),
        })
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
            Outcome::Stopped(Stop::Bound(Bound::MaxSteps | Bound::MaxCalls | Bound::MaxDepth)) => {
                format!("the companion {name} did not return within its bounds")
            }
            other => return other,
        };
        Outcome::Stopped(Stop::Invariant(why))
    }
}
