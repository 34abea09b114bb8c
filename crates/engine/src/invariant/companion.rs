//! Companion methods: executed symbolically in the middle of a path, right after the assumption they belong to. They fork, as in
//! the paper; what they decide is part of the path condition, but not of the program's control flow.

use lazuli_logic::Term;
use lazuli_program::hex::{Companion, Hex};
use lazuli_program::ir::{MethodId, Reg, Type};

use super::Admit;
use super::hex::Call;
use crate::explore::Executor;
use crate::heap::{Effect, HeapModel};
use crate::outcome::{Outcome, Stop};
use crate::state::{Flow, Frame, State};
use crate::step::{Pause, arith};

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
pub(crate) fn wanted(hex: &Hex) -> bool {
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
        let mut called = self.model.backbone(&mut state.heap).take_calls();
        // The first is executed first.
        called.reverse();
        state.called.extend(called);
        let Some(Call { guard, method, argument }) = state.called.pop() else { return false };
        let otherwise = self.cx.terms.not(guard);
        for (guard, effect) in [(guard, Effect::Companion { method, argument }), (otherwise, Effect::Again)] {
            if guard != Term::FALSE {
                self.cases.push(guard, false, None, effect);
            }
        }
        true
    }

    pub(crate) fn enter_companion(
        &mut self,
        state: &mut State<M::Heap>,
        method: MethodId,
        argument: Option<Term>,
    ) -> Option<Pause> {
        // What a companion assumes may call companions; they share its steps.
        if state.companions.len() >= NESTED {
            return Some(Pause::End(Outcome::Stopped(Stop::Budget("--max-calls")), None));
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
    pub(crate) fn outside_companions(&self, state: &State<M::Heap>, outcome: Outcome) -> Outcome {
        let Some(running) = state.companions.last() else { return outcome };
        let name = self.cx.program.method_name(running.method);
        let why = match outcome {
            Outcome::Threw(exception) => format!("the companion {name} threw {exception}"),
            Outcome::AssertFailed => format!("an assertion of the companion {name} failed"),
            Outcome::Stopped(Stop::Budget("--max-steps" | "--max-calls" | "--max-depth")) => {
                format!("the companion {name} did not return within its bounds")
            }
            other => return other,
        };
        Outcome::Stopped(Stop::Invariant(why))
    }
}
