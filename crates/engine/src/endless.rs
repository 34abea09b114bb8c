//! Loops that never end: a path that comes back to a state in which it was before.
//!
//! What a path does next depends on its state alone. So where it comes back to one, with nothing decided in between but what it had
//! decided before, it does so for ever, and the way around is the proof. It is looked for where the program jumps backwards: every endless run of finitely many
//! frames does that again and again. After Brent, the state is kept at every power of two of these jumps, and those that follow
//! are compared with it; mostly they differ in the first register.
//!
//! A state is the same if everything is that execution looks at: frames, registers, heap, clauses, and what the machine remembers. Loops that
//! count, print or write statics are none of these; they run into a bound. Where invariants listen, nothing is looked for: what they
//! remember cannot be compared.

use lazuli_program::ir::MethodId;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::outcome::{Bound, Outcome, Stop};
use crate::rings::is_whole;
use crate::rounds::Kept;
use crate::state::{Flow, State};
use crate::suspend::{Step, Suspend};

/// So many jumps backwards are nothing special.
const FIRST: u64 = 64;

impl<M: HeapModel> Executor<'_, M> {
    /// The program has jumped backwards.
    #[inline]
    pub(crate) fn come_back(&mut self, state: &mut State<M::Heap>) -> Step {
        self.note_round(state);
        // It goes around in what it knows of the input, and not to where it was: that would have been found by now.
        if self.cx.settled > self.config.bounds.depth + 4 * FIRST as usize {
            return Err(Suspend::stop(Stop::Bound(Bound::MaxDepth)));
        }
        self.rounds.number += 1;
        if self.rounds.number < FIRST {
            return Ok(());
        }
        self.look_around(state)
    }

    fn look_around(&mut self, state: &mut State<M::Heap>) -> Step {
        if !is_whole(state) || self.cx.listens {
            self.rounds.forget();
            return Ok(());
        }
        if let Some(kept) = &mut self.rounds.kept {
            let here = state.frames.last().map(|frame| (frame.method, frame.pc));
            if let (Some(around), Some(here)) = (&mut kept.around, here) {
                around.push(here);
            }
            if kept.is(state) {
                match kept.around.take() {
                    // The way around is gone once more, to see where it leads.
                    None => kept.around = Some(Vec::new()),
                    Some(around) => {
                        let first = around.into_iter().fold(None, |first, here| Some(self.first_place(first, here)));
                        return Err(self.endless(state, first.expect("a way around jumps backwards")));
                    }
                }
                return Ok(());
            }
            if kept.around.is_some() {
                return Ok(());
            }
        }
        if self.rounds.number.is_power_of_two() {
            self.rounds.kept = Some(Box::new(Kept::of(state)));
        }
        Ok(())
    }

    /// The path does not end. Its place is the first of those that it comes back to, wherever on the way around that was noticed.
    pub(crate) fn endless(&self, state: &mut State<M::Heap>, (method, pc): (MethodId, u32)) -> Suspend {
        if let Some(frame) = state.frames.last_mut().filter(|frame| frame.method == method) {
            frame.pc = pc;
        }
        let method = self.cx.program.method_name(method);
        state.flow = Flow::default();
        method.bytes().chain(pc.to_le_bytes()).for_each(|byte| state.flow.record(byte as u64));
        Suspend::end(Outcome::Endless { method }, None)
    }

    /// The first of two places in the program, in an order that does not depend on the process.
    pub(crate) fn first_place(&self, one: Option<(MethodId, u32)>, other: (MethodId, u32)) -> (MethodId, u32) {
        let program = self.cx.program;
        match one {
            Some(one) if one.0 == other.0 => one.min(other),
            Some(one) if program.method_name(one.0) < program.method_name(other.0) => one,
            _ => other,
        }
    }
}
