//! The only place that forks or prunes: it asks the solver about every case and makes one successor per feasible one.

use lazuli_logic::{Extension, PathCondition, Term, Verdict};

use crate::config::HeapKind;
use crate::executor::Executor;
use crate::heap::{Cases, Effect, HeapModel};
use crate::invariant::Admit;
use crate::outcome::{Bound, Outcome, Stop};
use crate::planted::Planted;
use crate::state::State;
use crate::step::Pause;

/// What the solver said of one case.
enum Way {
    /// The path condition stays as it is.
    Free,
    Feasible(Extension),
    Unknown(String),
}

/// The successors of a state, and how the paths that would lead to others ended.
pub struct Successors<H> {
    pub running: Vec<State<H>>,
    pub ended: Vec<(State<H>, Outcome, Option<Term>)>,
}

impl<H> Default for Successors<H> {
    fn default() -> Self {
        Successors { running: Vec::new(), ended: Vec::new() }
    }
}

impl<M: HeapModel> Executor<'_, M> {
    /// The successors of a state whose cases are in the buffer, in the order of the cases.
    pub fn fork(&mut self, state: State<M::Heap>, successors: &mut Successors<M::Heap>) {
        let mut cases = std::mem::take(&mut self.cases);
        let ways = self.feasible(&state.path, &cases);
        // A program always goes on somewhere: where no case is left, the invariants of the input have excluded all of them.
        if ways.is_empty() && self.cx.origins.is_some() && !self.config.heap.resolves_inputs() {
            self.counts.pruned_invariant += 1;
            cases.list.clear();
            self.cases = cases;
            return;
        }
        let decision = cases.list.len() > 1;
        let last = ways.last().map(|(index, _)| *index);
        let mut original = Some(state);
        let mut feasible = ways.into_iter().peekable();
        for (index, case) in cases.list.drain(..).enumerate() {
            if case.effect == Effect::Refused {
                self.counts.pruned_invariant += 1;
                continue;
            }
            let Some((_, way)) = feasible.next_if(|(i, _)| *i == index) else {
                self.counts.pruned_infeasible += 1;
                continue;
            };
            // The last one takes the state itself; all others a copy.
            let mut next = match Some(index) == last {
                true => original.take().expect("taken once"),
                false => original.clone().expect("taken last"),
            };
            if decision {
                next.decisions.push(index as u32);
            }
            match way {
                Way::Free => {}
                Way::Feasible(extension) => {
                    if self.drops_path(index, &case.effect) {
                        next.path = PathCondition::default();
                    }
                    next.path.extend(extension);
                }
                Way::Unknown(reason) => {
                    let outcome = Outcome::Stopped(Stop::SolverUnknown(reason));
                    successors.ended.push((next, outcome, None));
                    continue;
                }
            }
            if let Some(change) = case.change {
                match self.carry_out(&mut next, change) {
                    Admit::Yes => {}
                    Admit::Pruned => {
                        self.counts.pruned_invariant += 1;
                        continue;
                    }
                    Admit::Stopped(stop) => {
                        successors.ended.push((next, Outcome::Stopped(stop), None));
                        continue;
                    }
                }
            }
            if decision && next.decisions.len() > self.config.bounds.depth {
                successors.ended.push((next, Outcome::Stopped(Stop::Bound(Bound::MaxDepth)), None));
                continue;
            }
            match self.take_effect(&mut next, case.effect) {
                Some(Pause::End(outcome, value)) => successors.ended.push((next, outcome, value)),
                _ => successors.running.push(next),
            }
        }
        self.cases = cases;
    }

    /// A planted error: the side where two references differ forgets the path.
    fn drops_path(&self, index: usize, effect: &Effect) -> bool {
        let planted = Planted::SummaryEqualsFalseDropsPath.here() && self.config.heap == HeapKind::Summary;
        planted && matches!(effect, Effect::Goto(_)) && index == 1
    }

    /// The numbers of the cases that can be taken, with how the path condition is extended there.
    fn feasible(&mut self, path: &PathCondition, cases: &Cases<M::Change>) -> Vec<(usize, Way)> {
        let mut ways = Vec::with_capacity(cases.list.len());
        let mut all_infeasible = cases.exhaustive && path.is_known_satisfiable();
        for (index, case) in cases.list.iter().enumerate() {
            if case.effect == Effect::Refused {
                self.counts.queries += case.counted as u64;
                all_infeasible = false;
                continue;
            }
            if case.guard == Term::TRUE || case.change.as_ref().is_some_and(|change| self.model.implies_guard(change)) {
                self.counts.queries += case.counted as u64;
                ways.push((index, Way::Free));
                all_infeasible = false;
                continue;
            }
            // A clause assumed before, or its negation: no question, as the POSE prototype counts.
            let implied = all_infeasible && index > 0 && index + 1 == cases.list.len();
            let settled = (case.counted && !implied) as u64;
            let negated = self.cx.terms.not(case.guard);
            if let Some(assumed) = path.settles(case.guard, negated) {
                self.counts.settled += settled;
                if assumed {
                    ways.push((index, Way::Free));
                    all_infeasible = false;
                }
                continue;
            }
            // The guards cover everything and the path is known satisfiable: if nothing else can be, this one is.
            if all_infeasible && index + 1 == cases.list.len() {
                ways.push((index, Way::Feasible(path.implied(&self.cx.terms, case.guard))));
                continue;
            }
            match case.counted {
                true => {
                    self.counts.queries += 1;
                    self.solver.count_unwound(&mut self.cx.terms, path, case.guard);
                }
                false => self.counts.implicit_queries += 1,
            }
            let nothing = PathCondition::default();
            let path = if self.drops_path(index, &case.effect) { &nothing } else { path };
            match self.solver.extension(&mut self.cx.terms, path, case.guard) {
                Verdict::Sat(extension) => {
                    ways.push((index, Way::Feasible(extension)));
                    all_infeasible = false;
                }
                Verdict::Unsat => {}
                Verdict::Unknown(reason) => {
                    ways.push((index, Way::Unknown(reason)));
                    all_infeasible = false;
                }
            }
        }
        ways
    }

    /// Takes one case without asking whether it is feasible: for replaying decisions. Where it is `known` to be, the clauses of the
    /// invariants are given a model.
    pub fn follow(&mut self, state: &mut State<M::Heap>, index: usize, known: bool) -> Result<Option<Pause>, String> {
        let decision = self.cases.list.len() > 1;
        if index >= self.cases.list.len() {
            return Err(format!("there are only {} cases here, no number {index}", self.cases.list.len()));
        }
        let case = self.cases.list.swap_remove(index);
        if case.effect == Effect::Refused {
            return Err("this trace is not valid: it breaks an invariant of the input".into());
        }
        // The path is the one that was explored: there a clause that says the same stands for the guard.
        let implied = case.change.as_ref().is_some_and(|change| self.model.implies_guard(change));
        if !implied {
            state.path.assume_unchecked(&self.cx.terms, case.guard);
        }
        if decision {
            state.decisions.push(index as u32);
        }
        match case.change {
            Some(change) if known && !implied => _ = self.carry_out(state, change),
            Some(change) => {
                let clause = self.model.apply(&mut self.cx, &mut state.heap, change);
                if !known || !matches!(self.assume(state, clause), Admit::Yes) {
                    state.path.assume_unchecked(&self.cx.terms, clause);
                }
            }
            None => {}
        }
        Ok(self.take_effect(state, case.effect))
    }
}
