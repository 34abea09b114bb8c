//! Decisions in direct style: whoever needs one asks for it where it arises, as in a plain program.
//!
//! An instruction is a function of the state. It carries out *operations*: those of the heap ([`Executor::operation`]), and questions of its
//! own ([`Executor::choose`]). An operation that has one outcome gives it. Where there are several, the instruction is suspended: the driver
//! (`drive.rs`) makes one successor for every feasible one, each of which remembers what the operation gave ([`crate::attempt::Attempt`]), and runs the
//! instruction again from its beginning. The operations before get what they got, the one that was asked gets its answer, and it goes on from there.
//!
//! What makes running again safe:
//! - What an attempt did to the heap stays: names of initial values, references that were resolved, what the invariants were told. So an
//!   operation that is carried out again finds the same, and nothing is copied. Everything else (registers, frames, statics, new objects)
//!   is changed only when all questions of the instruction have been answered: ask first, then act.
//! - Answers belong to the number of the operation within the instruction, and are taken before anything looks at the path. Which operations an instruction
//!   carries out depends on the state before it and on earlier answers alone, never on what the path says by now.

use lazuli_logic::Term;

use crate::executor::Executor;
use crate::heap::{Case, Found, HeapModel};
use crate::state::State;
use crate::suspend::{Pruned, Step, Suspend};

impl<M: HeapModel> Executor<'_, M> {
    /// What was done so far of an instruction is done for good: its next part begins.
    pub(crate) fn commit(&mut self, state: &mut State<M::Heap>) {
        state.attempt.clear();
        self.operations = 0;
    }

    /// Carries out an operation: the model proposes what may happen, and if only one thing can, that is what happens.
    #[inline]
    pub(crate) fn operation(
        &mut self,
        state: &mut State<M::Heap>,
        mut propose: impl FnMut(&mut Self, &mut State<M::Heap>),
    ) -> Step<Found> {
        let number = self.operations;
        self.operations += 1;
        if !state.attempt.is_first()
            && let Some(found) = state.attempt.answer(number)
        {
            return given(found);
        }
        loop {
            self.cases.clear();
            self.propose(state, &mut propose);
            if !matches!(self.cases.list.as_slice(), [Case { guard: Term::TRUE, counted: false, .. }]) {
                self.consider(state);
            }
            if !self.cx.leaving_out.is_empty() {
                self.ask_left_out(&state.path);
            }
            self.check_given_up()?;
            if self.cases.list.len() > 1 {
                self.check_varying()?;
                self.asked = number;
                return Err(Suspend::Choose);
            }
            let Some(case) = self.cases.list.pop() else { return Err(Suspend::Prune(Pruned::Infeasible)) };
            // Mostly there is nothing to decide, to change or to tell.
            let found = if case.is_plain() { case.found } else { self.take_only(state, case)? };
            if let Some(found) = found {
                return given(found);
            }
        }
    }

    /// Leaves of the cases what the path has not decided.
    fn consider(&mut self, state: &mut State<M::Heap>) {
        if !self.cases.is_open() {
            return;
        }
        if self.model.restricts(&self.cx) {
            self.restrict_guards(&state.path);
        }
        self.settle(&state.path);
        if self.cases.list.len() > 1 {
            self.look_first(state);
        }
    }

    /// Which of some alternatives holds: exclusive and exhaustive guards, each with whether the papers count a question for it.
    pub(crate) fn choose(&mut self, state: &mut State<M::Heap>, guards: &[Term], counted: bool) -> Step<usize> {
        let found = self.operation(state, |executor, _| {
            for (number, &guard) in guards.iter().enumerate().filter(|(_, guard)| **guard != Term::FALSE) {
                executor.cases.push(guard, counted && guard != Term::TRUE, None, Found::Alternative(number as u32));
            }
        })?;
        match found {
            Found::Alternative(number) => Ok(number as usize),
            other => unreachable!("a choice has alternatives: {other:?}"),
        }
    }

    /// Whether a condition holds: a branch of the program.
    pub(crate) fn branch(&mut self, state: &mut State<M::Heap>, condition: Term) -> Step<bool> {
        self.holds(state, condition, true)
    }

    /// Whether a condition holds, where the program does not see that it is asked.
    pub(crate) fn check(&mut self, state: &mut State<M::Heap>, condition: Term) -> Step<bool> {
        self.holds(state, condition, false)
    }

    #[inline]
    fn holds(&mut self, state: &mut State<M::Heap>, condition: Term, counted: bool) -> Step<bool> {
        if let Some(value) = condition.as_bool() {
            self.operations += 1;
            return Ok(value);
        }
        let negated = self.cx.terms.not(condition);
        Ok(self.choose(state, &[condition, negated], counted)? == 0)
    }

    /// The instruction fails where a condition does not hold.
    pub(crate) fn require(&mut self, state: &mut State<M::Heap>, condition: Term, exception: &'static str) -> Step {
        match self.check(state, condition)? {
            true => Ok(()),
            false => Err(Suspend::Throw(exception)),
        }
    }

    /// A clause that may be false: a bound, an assumption. Where it cannot hold, there is no path.
    pub(crate) fn within(&mut self, state: &mut State<M::Heap>, clause: Term) -> Step {
        self.operation(state, |executor, _| {
            executor.cases.exhaustive = clause == Term::TRUE;
            executor.cases.push(clause, false, None, Found::Value(Term::NULL));
        })?;
        Ok(())
    }

    /// Takes the only case that there is.
    fn take_only(&mut self, state: &mut State<M::Heap>, case: Case<M::Change>) -> Step<Option<Found>> {
        let way = match case.is_excluded() {
            true => {
                self.counts.queries += case.counted as u64;
                return Err(Suspend::Prune(Pruned::Invariant));
            }
            false => self.way_of_only(state, &case),
        };
        self.take(state, case, way)
    }
}

fn given(found: Found) -> Step<Found> {
    match found {
        Found::Throw(exception) => Err(Suspend::Throw(exception)),
        found => Ok(found),
    }
}
