//! Loops that never end on some inputs: a path whose references may have come back to what they were.
//!
//! Where a model enumerates, a path around a ring comes back to the very same state, which [`crate::endless`] sees. Where a reference is a
//! symbol or a set, every round has one more of them, and whether it has come back is a question about the input: are all registers what they were
//! when the program was here before, with nothing written since? Where they are, the path does not end; where they are not, it goes on. So every input
//! still has one path.
//!
//! After Brent, a path is compared with one earlier state: the last of those that came after a power of two of rounds. A ring is found after at most
//! three times its length, for one equation a round. Long loops without a decision are left to [`crate::endless`]. What was read
//! in between does not matter: it is the input's, which does not change.

use std::rc::Rc;

use lazuli_logic::{Sort, Term};
use lazuli_program::ir::MethodId;

use crate::executor::Executor;
use crate::heap::{Found, HeapModel};
use crate::state::{Frame, Rings, State};
use crate::suspend::Step;

/// So many rounds without a decision are looked at.
const UNDECIDED: u32 = 64;

/// Whether a state that is about to jump may be where it was before: everything but heap and registers is the same.
fn may_be<H>(state: &State<H>, target: u32, before: &State<H>) -> bool {
    let ([outer @ .., last], [outer_before @ .., here]) = (state.frames.as_slice(), before.frames.as_slice()) else {
        return false;
    };
    *here == Frame { pc: target, ..*last }
        && outer == outer_before
        && state.registers.len() == before.registers.len()
        && Rc::ptr_eq(&state.vm, &before.vm)
        && state.monitors == before.monitors
        && state.quiet == before.quiet
}

/// Whether a state executes the program, and nothing beside it.
pub(crate) fn is_whole<H>(state: &State<H>) -> bool {
    state.companions.is_empty() && state.called.is_empty() && state.thrown.is_none()
}

/// A copy to come back to, which need not come back itself.
fn kept<H: Clone>(state: &State<H>) -> Rc<State<H>> {
    let mut kept = state.clone();
    kept.rings = None;
    Rc::new(kept)
}

impl<M: HeapModel> Executor<'_, M> {
    /// The program is about to jump backwards: ends the path on the inputs for which it has been there before.
    pub(crate) fn look_for_ring(&mut self, state: &mut State<M::Heap>, target: u32) -> Step {
        let Some(rings) = &state.rings else { return Ok(()) };
        if !self.is_round(rings, state) || !is_whole(state) || !may_be(state, target, &rings.before) {
            return Ok(());
        }
        let rings = rings.clone();
        let frame = state.frames.last().expect("a running state has a frame");
        let here = (frame.method, target);
        let same = self.is_same(state, &rings.before, here);
        let comes = match same.as_bool() {
            Some(comes) => comes,
            None => self.comes_around(state, same)?,
        };
        if !comes {
            return Ok(());
        }
        let place = self.first_place(rings.place, here);
        Err(self.endless(state, place))
    }

    /// The program has jumped backwards.
    pub(crate) fn note_round(&mut self, state: &mut State<M::Heap>) {
        if self.model.enumerates() || self.cx.listens || !is_whole(state) {
            return;
        }
        let frame = state.frames.last().expect("a running state has a frame");
        let here = (frame.method, frame.pc);
        let decisions = state.decisions.len();
        let Some(rings) = state.rings.as_deref() else {
            state.rings = Some(Rc::new(Rings { number: 1, decisions, since: 0, before: kept(state), place: None }));
            return;
        };
        let is_round = self.is_round(rings, state);
        let place = Some(self.first_place(rings.place, here));
        if !is_round && rings.place == place {
            return;
        }
        let number = rings.number + is_round as u32;
        let since = if rings.decisions == decisions { rings.since + 1 } else { 0 };
        let rings = match is_round && number.is_power_of_two() {
            true => Rings { number, decisions, since, before: kept(state), place: None },
            false => Rings { number, decisions, since, before: rings.before.clone(), place },
        };
        state.rings = Some(Rc::new(rings));
    }

    /// Whether a jump backwards is a round: something was decided since the last one, or, where what the path knows decides for itself, not long
    /// before.
    fn is_round(&self, rings: &Rings<M::Heap>, state: &State<M::Heap>) -> bool {
        let is_decided = rings.decisions != state.decisions.len();
        // Decisions of the program are bounded, and so are the rounds with one.
        let is_allowed = rings.number as usize <= self.config.bounds.depth + UNDECIDED as usize;
        is_allowed && (is_decided || rings.since < UNDECIDED && self.model.restricts(&self.cx))
    }

    /// Whether a path has come around. That is no decision of the program: it does not count as one.
    fn comes_around(&mut self, state: &mut State<M::Heap>, same: Term) -> Step<bool> {
        let differs = self.cx.terms.not(same);
        let found = self.operation(state, |executor, _| {
            executor.cases.push(same, false, None, Found::Around(true));
            executor.cases.push(differs, false, None, Found::Around(false));
        })?;
        Ok(found == Found::Around(true))
    }

    /// The condition that a state which is about to be at a place has the heap and the registers that it had there before. Registers that nobody
    /// reads any more do not matter.
    fn is_same(&mut self, state: &State<M::Heap>, before: &State<M::Heap>, here: (MethodId, u32)) -> Term {
        if !self.model.is_unwritten(&before.heap, &state.heap) {
            return Term::FALSE;
        }
        let base = state.frames.last().expect("a running state has a frame").base as usize;
        let mut same = Term::TRUE;
        for at in (0..state.registers.len()).filter(|at| before.registers[*at] != state.registers[*at]) {
            if at >= base && !self.rounds.live(self.cx.program, here)[at - base] {
                continue;
            }
            let (was, is) = (before.registers[at], state.registers[at]);
            let sort = self.cx.terms.sort(was);
            // Of floating-point numbers, equality is another thing.
            if sort != self.cx.terms.sort(is) || matches!(sort, Sort::Float(_)) {
                return Term::FALSE;
            }
            let equal = self.cx.terms.eq(was, is);
            same = self.cx.terms.and(same, equal);
            if same == Term::FALSE {
                break;
            }
        }
        same
    }
}
