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

use std::rc::Rc;

use lazuli_logic::{List, PathCondition, Term};
use lazuli_program::ir::MethodId;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::outcome::Outcome;
use crate::state::{Flow, Frame, State};
use crate::suspend::{Step, Suspend};
use crate::vm::Vm;

/// So many jumps backwards are nothing special.
const FIRST: u64 = 64;

/// The jumps backwards since the last decision that was none before.
pub(crate) struct Rounds<H> {
    number: u64,
    kept: Option<Box<Kept<H>>>,
    /// The state that goes on after a decision that the path had settled: where it is, and how many decisions it has.
    next: Option<(*const State<H>, usize)>,
}

/// A state to come back to.
struct Kept<H> {
    frames: Vec<Frame>,
    registers: Vec<Term>,
    heap: H,
    path: PathCondition,
    vm: Rc<Vm>,
    monitors: Vec<Term>,
    quiet: Option<u32>,
    decisions: List<u32>,
    /// Where the program jumped back to since it came here again; `None` before that.
    around: Option<Vec<(MethodId, u32)>>,
}

impl<H> Default for Rounds<H> {
    fn default() -> Self {
        Rounds { number: 0, kept: None, next: None }
    }
}

impl<H> Rounds<H> {
    fn forget(&mut self) {
        self.number = 0;
        self.kept = None;
    }

    /// A state goes on. Mostly it is another one, or something was decided.
    #[inline]
    pub fn begin(&mut self, state: &State<H>) {
        if self.next.take() != Some((state as *const State<H>, state.decisions.len())) && self.number > 0 {
            self.forget();
        }
    }

    /// This state will go on after a decision that the path had settled.
    #[inline]
    pub fn expect(&mut self, state: &State<H>) {
        self.next = (self.number > 0).then_some((state as *const State<H>, state.decisions.len()));
    }
}

impl<H: Clone + PartialEq> Kept<H> {
    fn of(state: &State<H>) -> Kept<H> {
        Kept {
            frames: state.frames.clone(),
            registers: state.registers.clone(),
            heap: state.heap.clone(),
            path: state.path.clone(),
            vm: state.vm.clone(),
            monitors: state.monitors.clone(),
            quiet: state.quiet,
            decisions: state.decisions.clone(),
            around: None,
        }
    }

    /// What is shared cannot have changed: whoever changes it makes a copy.
    fn is(&self, state: &State<H>) -> bool {
        self.registers == state.registers
            && self.frames == state.frames
            && self.path.is(&state.path)
            && Rc::ptr_eq(&self.vm, &state.vm)
            && self.monitors == state.monitors
            && self.quiet == state.quiet
            && self.heap == state.heap
            // It is the same path, too.
            && self.decisions.iter().eq(state.decisions.iter().take(self.decisions.len()))
    }
}

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
