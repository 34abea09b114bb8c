//! Where the machine meets the invariants of the input: what it tells them when a case is taken, and what it asks them.
//!
//! Those that listen say what is possible as a clause, which must stay satisfiable; the others are asked after every
//! resolution.

use std::any::Any;
use std::rc::Rc;

use lazuli_logic::{Model, Node, Term, Verdict};
use lazuli_program::ir::Instr;

use crate::context::{Assumed, Decided, Opinion, Resolution};
use crate::executor::Executor;
use crate::heap::{Case, HeapModel, Resolved, Tell};
use crate::input::InputHeap;
use crate::invariant::{OpenInputs, Path};
use crate::outcome::{Outcome, Stop};
use crate::quota::{Most, Quota};
use crate::state::State;
use crate::suspend::{Pruned, Step, Suspend};

impl<M: HeapModel> Executor<'_, M> {
    /// The assumptions of a state are in the context while something is done that may tell or ask them.
    #[inline]
    pub(crate) fn propose(
        &mut self,
        state: &mut State<M::Heap>,
        propose: &mut impl FnMut(&mut Self, &mut State<M::Heap>),
    ) {
        if !self.cx.listens {
            return propose(self, state);
        }
        if self.model.enumerates() {
            propose(self, state);
            return self.weigh_cases(state);
        }
        // What is said are clauses: for that, the path is looked at.
        if !self.cx.path.is(&state.path) {
            self.cx.path = state.path.clone();
        }
        self.cx.assumed = std::mem::take(&mut state.assumed);
        propose(self, state);
        state.assumed = std::mem::take(&mut self.cx.assumed);
    }

    /// A model that enumerates has proposed what a reference may be: what is excluded is never tried.
    fn weigh_cases(&mut self, state: &mut State<M::Heap>) {
        // What can be one thing only is told when it is taken.
        let [Case { change: Some(change), counted: true, .. }, ..] = self.cases.list.as_slice() else { return };
        let Some(assumptions) = &mut state.assumed.0 else { return };
        self.proposed.clear();
        for case in &self.cases.list {
            let what = case.change.as_ref().and_then(|change| self.model.resolution(change));
            match what {
                Some(Resolution::NotNull) | None => return,
                Some(what) => self.proposed.push((what, Opinion::Nothing)),
            }
        }
        let reference = self.model.reference(&mut self.cx, &state.heap, change);
        assumptions.weigh(&mut self.cx, &reference, &mut self.proposed);
        for (case, (_, opinion)) in self.cases.list.iter_mut().zip(&self.proposed) {
            case.opinion = *opinion;
        }
    }

    /// The cases decide something while references wait of which nobody has said what is possible: where they are
    /// about one of these, it is told what that is; otherwise it is said first.
    pub(crate) fn look_first(&mut self, state: &mut State<M::Heap>) {
        let Some(assumptions) = &mut state.assumed.0 else { return };
        if self.cases.list.iter().any(|case| case.tells != Tell::Nothing) {
            return;
        }
        let guards = match self.cases.list.as_slice() {
            [first, second] => Some([first.guard, second.guard]),
            _ => None,
        };
        match assumptions.decided(&mut self.cx, &mut state.heap, guards) {
            Decided::Nothing | Decided::All(Term::TRUE) => {}
            Decided::Reference(symbol, sides) => self.cases.tell(symbol, sides),
            Decided::AllIn(case) => self.cases.list[case].asks(Tell::All),
            Decided::All(clause) => {
                self.cases.clear();
                self.cases.exhaustive = false;
                self.cases.push(self.cx.under_path(clause), false, None, None);
            }
        }
    }

    /// Carries out the change of the case that was taken, tells what it resolves, and asks whether there still is a
    /// valid input.
    pub(crate) fn carry_out(&mut self, state: &mut State<M::Heap>, case: Case<M::Change>) -> Step {
        match (self.cx.listens, case.change) {
            (true, change) => {
                let clause = self.tell_case(state, change, case.tells, case.opinion);
                self.check_given_up()?;
                self.assume(state, clause)?;
            }
            (false, Some(change)) => self.model.apply(&mut self.cx, &mut state.heap, change),
            (false, None) => {}
        }
        if self.model.enumerates()
            && !self.trials.running
            && let Some(invariant) = &self.config.invariants
        {
            return invariant.admit(&mut InWork { executor: self, state });
        }
        Ok(())
    }

    fn tell_case(
        &mut self,
        state: &mut State<M::Heap>,
        change: Option<M::Change>,
        tells: Tell,
        opinion: Opinion,
    ) -> Term {
        let cx = &mut self.cx;
        let Some(change) = change else {
            let State { heap, assumed, .. } = state;
            let Some(assumptions) = &mut assumed.0 else { return Term::TRUE };
            return match tells {
                Tell::Nothing => Term::TRUE,
                Tell::Seen(symbol, what) => assumptions.seen(cx, heap, symbol, what, opinion),
                Tell::All => assumptions.ask(cx, heap),
            };
        };
        let told = self.model.resolution(&change).filter(|_| opinion != Opinion::Settled);
        let Some(what) = told else {
            std::mem::swap(&mut self.cx.assumed, &mut state.assumed);
            self.model.apply(&mut self.cx, &mut state.heap, change);
            std::mem::swap(&mut self.cx.assumed, &mut state.assumed);
            return Term::TRUE;
        };
        let reference = self.model.reference(&mut self.cx, &state.heap, &change);
        self.model.apply(&mut self.cx, &mut state.heap, change);
        let State { heap, assumed, .. } = state;
        match &mut assumed.0 {
            Some(assumptions) => assumptions.resolved(&mut self.cx, heap, &reference, what, opinion),
            None => Term::TRUE,
        }
    }

    /// What the invariants say of a path that has ended.
    pub fn admit_end(&mut self, state: &mut State<M::Heap>, outcome: &Outcome) -> Step {
        if !self.model.enumerates()
            && let Some(assumptions) = &mut state.assumed.0
        {
            self.cx.path = state.path.clone();
            let clause = assumptions.ask(&mut self.cx, &mut state.heap);
            self.check_given_up()?;
            self.assume(state, clause)?;
        }
        match &self.config.invariants {
            Some(invariant) => invariant.admit_end(&mut InWork { executor: self, state }, outcome),
            None => Ok(()),
        }
    }

    /// Stops the path if it could not be said what is possible.
    #[inline]
    pub(crate) fn check_given_up(&mut self) -> Step {
        if self.cx.given_up.is_none() { Ok(()) } else { self.give_up() }
    }

    #[cold]
    fn give_up(&mut self) -> Step {
        let why = self.cx.given_up.take().unwrap_or_default();
        Err(Suspend::stop(Stop::Invariant(why)))
    }

    /// Adds a clause of the invariants to the path condition, which must stay satisfiable. Where it is decided what a
    /// reference is, the parts of a conjunction have little in common: keys, heights and sizes are asked about one by
    /// one, each with its own group.
    pub fn assume(&mut self, state: &mut State<M::Heap>, clause: Term) -> Step {
        self.ask_left_out(&state.path);
        let mut parts = match self.cx.terms.node(clause) {
            Some(Node::And(parts)) => parts.clone(),
            _ => return self.assume_part(state, clause),
        };
        self.cx.sort_by_form(&mut parts);
        parts.iter().try_for_each(|part| self.assume_part(state, *part))
    }

    fn assume_part(&mut self, state: &mut State<M::Heap>, clause: Term) -> Step {
        match clause.as_bool() {
            Some(true) => return Ok(()),
            Some(false) => return Err(Suspend::Prune(Pruned::Invariant)),
            None => {}
        }
        match self.solver.extension(&mut self.cx.terms, &state.path, clause) {
            Verdict::Sat(extension) => {
                state.path.extend(extension);
                Ok(())
            }
            Verdict::Unsat => Err(Suspend::Prune(Pruned::Invariant)),
            Verdict::Unknown(reason) => Err(Suspend::stop(Stop::SolverUnknown(reason))),
        }
    }

    /// The values that a concrete input gives to the symbols of a path that has ended: see
    /// [`crate::heap::View::represents`].
    pub fn represents(&mut self, state: &State<M::Heap>, input: &InputHeap) -> Option<Rc<Model>> {
        self.cx.assumed = state.assumed.clone();
        let model = self.model.represents(&self.cx, &state.heap, input);
        self.cx.assumed = Assumed::default();
        model
    }
}

/// A path, for an invariant to look at.
pub struct InWork<'a, 'p, M: HeapModel> {
    pub executor: &'a mut Executor<'p, M>,
    pub state: &'a mut State<M::Heap>,
}

impl<M: HeapModel> Path for InWork<'_, '_, M> {
    fn quotas(&self) -> Vec<Quota> {
        self.executor.cx.quotas.clone()
    }

    fn quotas_of(&self, list: &[Most]) -> Vec<Quota> {
        Quota::all(self.executor.cx.program, list)
    }

    fn kept(&mut self) -> &mut Option<Box<dyn Any>> {
        &mut self.executor.cx.kept
    }

    fn calls_again(&self) -> bool {
        let first = self.state.frames.first().expect("a path that does not return has a frame");
        let code = &self.executor.cx.program.method(first.method).code;
        let calls = code.iter().rposition(|instr| matches!(instr, Instr::Call { .. }));
        calls.is_some_and(|call| (first.pc as usize) < call)
    }

    fn resolved(&self) -> Vec<Resolved> {
        self.executor.model.all_resolved(&self.executor.cx, &self.state.heap)
    }

    fn objects(&self, quota: &Quota) -> u32 {
        self.executor.model.objects_resolved(&self.executor.cx, &self.state.heap, quota)
    }

    fn some_path_is_true(&mut self, name: &'static str, open: OpenInputs, quotas: Vec<Quota>) -> Step {
        self.executor.some_path_is_true(self.state, name, open, quotas)
    }

    fn assume(&mut self, clause: Term) -> Step {
        self.executor.assume(self.state, clause)
    }

    fn is_late(&mut self) -> bool {
        self.executor.is_late()
    }
}
