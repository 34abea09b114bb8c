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
use crate::outcome::Outcome;
use crate::rounds::Kept;
use crate::state::{Flow, State};
use crate::suspend::{Step, Suspend};

/// So many jumps backwards are nothing special.
const FIRST: u64 = 64;

impl<M: HeapModel> Executor<'_, M> {
    /// The program has jumped backwards.
    #[inline]
    pub(crate) fn come_back(&mut self, state: &mut State<M::Heap>) -> Step {
        self.rounds.number += 1;
        if self.rounds.number < FIRST {
            return Ok(());
        }
        self.look_around(state)
    }

    fn look_around(&mut self, state: &mut State<M::Heap>) -> Step {
        let is_whole = state.companions.is_empty() && state.called.is_empty() && state.thrown.is_none();
        if !is_whole || self.cx.listens {
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
                    Some(around) => return Err(self.endless(state, &around)),
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
    fn endless(&self, state: &mut State<M::Heap>, around: &[(MethodId, u32)]) -> Suspend {
        let program = self.cx.program;
        let place = |(method, pc): &(MethodId, u32)| (program.method_name(*method), *pc);
        let (method, pc) = around.iter().map(place).min().expect("a way around jumps backwards");
        state.flow = Flow::default();
        method.bytes().chain(pc.to_le_bytes()).for_each(|byte| state.flow.record(byte as u64));
        Suspend::end(Outcome::Endless { method }, None)
    }
}
