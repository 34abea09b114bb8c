//! The driver: the only place that forks or prunes. It runs a state to its next question and takes the cases: all that are feasible
//! ([`Policy::Explore`]), or the one that a decision path names ([`Policy::Follow`]).

use std::fmt;

use lazuli_logic::{PathCondition, Term, Verdict};

use crate::config::{HeapKind, TraceDetail};
use crate::executor::Executor;
use crate::heap::{Case, Found, HeapModel, Tell, Way};
use crate::outcome::{Bound, Outcome, Stop};
use crate::planted::Planted;
use crate::state::State;
use crate::suspend::{Pause, Pruned, Step, Suspend};

/// What becomes of a question.
#[derive(Clone, Copy)]
pub enum Policy<'a> {
    /// Every feasible case is taken.
    Explore,
    /// The case that the decision path names is taken. Whether it is feasible is asked all the same: that gives the condition its model.
    Follow(&'a [u32]),
}

/// The successors of a state, and how the paths that would lead to others ended. States are large, and handed around often.
pub struct Successors<H> {
    pub running: Vec<Box<State<H>>>,
    pub ended: Vec<(Box<State<H>>, Outcome, Option<Term>)>,
}

impl<H> Default for Successors<H> {
    fn default() -> Self {
        Successors { running: Vec::new(), ended: Vec::new() }
    }
}

/// Why a decision path leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Astray {
    /// There are fewer cases.
    NoSuchCase { number: usize, cases: usize, place: String },
    /// The path goes on after all decisions.
    TooShort,
    /// No input takes this path.
    Infeasible,
    /// No valid input takes it.
    Invalid,
}

impl From<Pruned> for Astray {
    fn from(pruned: Pruned) -> Astray {
        match pruned {
            Pruned::Infeasible => Astray::Infeasible,
            Pruned::Invariant => Astray::Invalid,
        }
    }
}

impl fmt::Display for Astray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Astray::NoSuchCase { number, cases, place } => {
                write!(f, "there are only {cases} cases here, at {place}, no number {number}")
            }
            Astray::TooShort => write!(f, "the trace goes on: the name is only the beginning of one"),
            Astray::Infeasible => write!(f, "this trace is infeasible: its path condition is unsatisfiable"),
            Astray::Invalid => write!(f, "this trace is not valid: it breaks an invariant of the input"),
        }
    }
}

impl<M: HeapModel> Executor<'_, M> {
    /// The beginning: one path, unless it ends before its first instruction.
    pub fn begin(&mut self, successors: &mut Successors<M::Heap>) {
        let heap = M::Heap::default();
        match self.initial(heap) {
            Ok(state) => successors.running.push(Box::new(state)),
            Err(Suspend::Prune(pruned)) => self.count_pruned(pruned),
            Err(Suspend::Stop(stop)) => {
                let state = Box::new(State::new(M::Heap::default(), PathCondition::default()));
                successors.ended.push((state, Outcome::Stopped(*stop), None));
            }
            Err(other) => unreachable!("nothing is executed before the first instruction: {other:?}"),
        }
    }

    /// Runs a state to its next question or its end. An error only where a decision path leads astray.
    pub fn drive(
        &mut self,
        mut state: Box<State<M::Heap>>,
        policy: Policy,
        successors: &mut Successors<M::Heap>,
    ) -> Result<(), Astray> {
        match self.advance(&mut state) {
            Pause::End(outcome, value) => {
                successors.ended.push((state, outcome, value));
                Ok(())
            }
            Pause::Decide => match policy {
                Policy::Explore => {
                    self.fork(state, successors);
                    Ok(())
                }
                Policy::Follow(decisions) => self.follow(state, decisions, successors),
            },
            Pause::Pruned(pruned) => {
                self.count_pruned(pruned);
                match policy {
                    Policy::Explore => Ok(()),
                    Policy::Follow(_) => Err(Astray::from(pruned)),
                }
            }
        }
    }

    pub fn count_pruned(&mut self, pruned: Pruned) {
        match pruned {
            Pruned::Infeasible => self.counts.pruned_infeasible += 1,
            Pruned::Invariant => self.counts.pruned_invariant += 1,
        }
    }

    /// The successors of a state whose cases are in the buffer, in the order of the cases.
    pub fn fork(&mut self, state: Box<State<M::Heap>>, successors: &mut Successors<M::Heap>) {
        let mut list = std::mem::take(&mut self.cases.list);
        let mut ways = std::mem::take(&mut self.ways);
        self.feasible(&state.path, &list, &mut ways);
        let is_open = |(way, case): &(&Way, &Case<M::Change>)| !case.is_excluded() && !matches!(way, Way::Infeasible);
        let last = ways.iter().zip(&list).rposition(|taken| is_open(&taken));
        let none_left = last.is_none() && list.iter().all(|case| !case.is_excluded());
        // A program always goes on somewhere: where no case is left, the invariants of the input have excluded all of them.
        if none_left && self.is_judged() {
            self.counts.pruned_invariant += 1;
            list.clear();
            ways.clear();
        }
        let mut original = Some(state);
        for (index, (case, way)) in list.drain(..).zip(ways.drain(..)).enumerate() {
            if case.is_excluded() {
                self.counts.pruned_invariant += 1;
                continue;
            }
            if let Way::Infeasible = way {
                self.counts.pruned_infeasible += 1;
                continue;
            }
            // The last one takes the state itself; all others a copy.
            let next = match Some(index) == last {
                true => original.take().expect("taken once"),
                false => original.clone().expect("taken last"),
            };
            self.decide(next, index, case, way, successors);
        }
        (self.cases.list, self.ways) = (list, ways);
    }

    /// Takes the case that a decision path names.
    pub fn follow(
        &mut self,
        state: Box<State<M::Heap>>,
        decisions: &[u32],
        successors: &mut Successors<M::Heap>,
    ) -> Result<(), Astray> {
        let number = *decisions.get(state.decisions.len()).ok_or(Astray::TooShort)? as usize;
        let cases = self.cases.list.len();
        if number >= cases {
            let frame = state.frames.last().expect("a running state has a frame");
            let place = self.line(frame.method, frame.pc).to_string();
            return Err(Astray::NoSuchCase { number, cases, place });
        }
        let case = self.cases.list.swap_remove(number);
        if case.is_excluded() {
            return Err(Astray::Invalid);
        }
        let way = self.way(&state.path, &case, number);
        if let Way::Infeasible = way {
            return Err(Astray::Infeasible);
        }
        let before = self.counts.pruned_invariant;
        self.decide(state, number, case, way, successors);
        if self.counts.pruned_invariant > before { Err(Astray::Invalid) } else { Ok(()) }
    }

    /// One of several cases was taken: the decision is recorded, and the operation that asked gets its answer.
    fn decide(
        &mut self,
        mut next: Box<State<M::Heap>>,
        index: usize,
        case: Case<M::Change>,
        way: Way,
        successors: &mut Successors<M::Heap>,
    ) {
        next.decisions.push(index as u32);
        let is_aside = !next.companions.is_empty() || !next.called.is_empty();
        next.aside += (is_aside || matches!(case.found, Some(Found::Around(_)))) as usize;
        if self.config.detail == TraceDetail::Full {
            self.mark(&mut next, &case);
        }
        // The guard is a clause of the path: this was decided before.
        let was_settled = matches!(way, Way::Free) && case.guard != Term::TRUE;
        match self.take(&mut next, case, way) {
            Ok(_) if next.decisions.len() - next.aside > self.config.bounds.depth => {
                successors.ended.push((next, Outcome::Stopped(Stop::Bound(Bound::MaxDepth)), None));
            }
            Ok(found) => {
                if let Some(found) = found {
                    next.attempt.record(self.asked, found);
                }
                if was_settled {
                    self.rounds.expect(&next);
                }
                successors.running.push(next);
            }
            Err(Suspend::Prune(pruned)) => self.count_pruned(pruned),
            Err(Suspend::Stop(stop)) => successors.ended.push((next, Outcome::Stopped(*stop), None)),
            Err(other) => unreachable!("a case is taken or not: {other:?}"),
        }
    }

    /// Takes a case: the one place, for the only one of an operation and for one of many.
    pub(crate) fn take(&mut self, state: &mut State<M::Heap>, case: Case<M::Change>, way: Way) -> Step<Option<Found>> {
        match way {
            Way::Free => {}
            Way::Feasible(extension) => {
                if self.drops_path(&case) {
                    state.path = PathCondition::default();
                }
                state.path.extend(extension);
            }
            Way::Infeasible => {
                // A program always goes on somewhere: the invariants of the input have excluded what is left.
                let pruned = if self.is_judged() { Pruned::Invariant } else { Pruned::Infeasible };
                return Err(Suspend::Prune(pruned));
            }
            Way::Unknown(reason) => return Err(Suspend::stop(Stop::SolverUnknown(reason))),
        }
        let found = case.found;
        if case.change.is_some() || case.tells != Tell::Nothing {
            self.carry_out(state, case)?;
        }
        Ok(found)
    }

    /// Whether what is possible is said by clauses: then guards that exclude everything are theirs.
    fn is_judged(&self) -> bool {
        self.cx.listens && !self.model.enumerates()
    }

    /// A planted error: the side where two references differ forgets the path.
    fn drops_path(&self, case: &Case<M::Change>) -> bool {
        let planted = Planted::SummaryEqualsFalseDropsPath.here() && self.config.heap == HeapKind::Summary;
        planted && case.counted && case.found == Some(Found::Alternative(1))
    }

    /// How a case can be taken; nothing is known of the others.
    fn way(&mut self, path: &PathCondition, case: &Case<M::Change>, index: usize) -> Way {
        let mut all_infeasible = false;
        self.next_way(path, case, index, false, &mut all_infeasible)
    }

    /// How the only case can be taken.
    pub(crate) fn way_of_only(&mut self, state: &State<M::Heap>, case: &Case<M::Change>) -> Way {
        let mut all_infeasible = self.cases.exhaustive && state.path.is_known_satisfiable();
        self.next_way(&state.path, case, 0, true, &mut all_infeasible)
    }

    /// How each of the cases can be taken.
    fn feasible(&mut self, path: &PathCondition, list: &[Case<M::Change>], ways: &mut Vec<Way>) {
        let mut all_infeasible = self.cases.exhaustive && path.is_known_satisfiable();
        for (index, case) in list.iter().enumerate() {
            if case.is_excluded() {
                self.counts.queries += case.counted as u64;
                all_infeasible = false;
                ways.push(Way::Infeasible);
                continue;
            }
            ways.push(self.next_way(path, case, index, index + 1 == list.len(), &mut all_infeasible));
        }
    }

    /// How the next case can be taken. `all_infeasible`: the guards cover everything, the path is known to be satisfiable, and no case so far
    /// can be taken.
    fn next_way(
        &mut self,
        path: &PathCondition,
        case: &Case<M::Change>,
        index: usize,
        is_last: bool,
        all_infeasible: &mut bool,
    ) -> Way {
        // What is told says what the guard says: one question is enough.
        if case.guard == Term::TRUE || matches!(case.tells, Tell::Seen(..)) {
            self.counts.queries += case.counted as u64;
            *all_infeasible = false;
            return Way::Free;
        }
        // A clause assumed before, or its negation: no question, as the POSE prototype counts.
        let implied = *all_infeasible && index > 0 && is_last;
        let settled = (case.counted && !implied) as u64;
        let negated = self.cx.terms.not(case.guard);
        if let Some(assumed) = path.settles(&self.cx.terms, case.guard, negated) {
            self.counts.settled += settled;
            *all_infeasible &= !assumed;
            return if assumed { Way::Free } else { Way::Infeasible };
        }
        // The guards cover everything and the path is known satisfiable: if nothing else can be, this one is.
        if *all_infeasible && is_last {
            return Way::Feasible(path.implied(&self.cx.terms, case.guard));
        }
        match case.counted {
            true => {
                self.counts.queries += 1;
                self.solver.count_unwound(&mut self.cx.terms, path, case.guard);
            }
            false => self.counts.implicit_queries += 1,
        }
        let nothing = PathCondition::default();
        let path = if self.drops_path(case) { &nothing } else { path };
        let way = match self.solver.extension(&mut self.cx.terms, path, case.guard) {
            Verdict::Sat(extension) => Way::Feasible(extension),
            Verdict::Unsat => return Way::Infeasible,
            Verdict::Unknown(reason) => Way::Unknown(reason),
        };
        *all_infeasible = false;
        way
    }
}

#[cfg(test)]
mod tests {
    use lazuli_logic::{SolverConfig, SolverKind};
    use lazuli_program::Program;
    use lazuli_program::frontend::load_text;

    use super::*;
    use crate::config::Config;
    use crate::executor::entry_of;
    use crate::heap::lazy::{Lazy, When};
    use crate::heap::pose::{Columns, Pose};

    fn program(text: &str) -> Program {
        load_text("driven.pose", text.into()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// All ends of a program, with the decisions that lead there.
    fn ends<M: HeapModel>(program: &Program, config: &Config, model: M) -> Vec<(Vec<u32>, Outcome, Option<Term>)> {
        let entry = entry_of(program, config).expect("an entry");
        let mut executor = Executor::new(program, config, entry, model);
        let mut successors = Successors::default();
        executor.begin(&mut successors);
        while let Some(state) = successors.running.pop() {
            executor.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
        }
        let mut ends: Vec<_> = successors
            .ended
            .into_iter()
            .map(|(state, outcome, value)| (state.decisions.to_vec(), outcome, value))
            .collect();
        ends.sort_by(|a, b| a.0.cmp(&b.0));
        ends
    }

    /// Where a decision path leads.
    fn followed(program: &Program, config: &Config, decisions: &[u32]) -> Result<Outcome, Astray> {
        let entry = entry_of(program, config).expect("an entry");
        let mut executor = Executor::new(program, config, entry, Pose::<Columns>::default());
        let mut successors = Successors::default();
        executor.begin(&mut successors);
        while let Some(state) = successors.running.pop() {
            executor.drive(state, Policy::Follow(decisions), &mut successors)?;
        }
        Ok(successors.ended.pop().expect("a path that does not go on has ended").1)
    }

    const NESTED: &str = "let x : int := X0 in if x < 3 then (if x < 5 then 1 else 2) else 3";

    #[test]
    fn every_feasible_case_is_taken_once() {
        let ends = ends(&program(NESTED), &Config::default(), Pose::<Columns>::default());
        let decisions: Vec<&[u32]> = ends.iter().map(|(decisions, ..)| decisions.as_slice()).collect();
        assert_eq!(decisions, [&[0, 0][..], &[1]]);
        assert!(ends.iter().all(|(_, outcome, _)| *outcome == Outcome::Returned));
    }

    #[test]
    fn a_decision_path_leads_to_its_end_or_says_why_not() {
        let (program, config) = (program(NESTED), Config::default());
        assert_eq!(followed(&program, &config, &[0, 0]), Ok(Outcome::Returned));
        assert_eq!(followed(&program, &config, &[1]), Ok(Outcome::Returned));
        assert_eq!(followed(&program, &config, &[0, 1]), Err(Astray::Infeasible));
        assert_eq!(followed(&program, &config, &[0]), Err(Astray::TooShort));
        let astray = followed(&program, &config, &[2]);
        assert!(matches!(astray, Err(Astray::NoSuchCase { number: 2, cases: 2, .. })), "{astray:?}");
    }

    /// What was feasible when it was explored may be unknown when it is followed: that is neither dropped nor assumed.
    #[test]
    fn what_the_solver_does_not_know_ends_the_path() {
        let solver = SolverConfig { kind: SolverKind::Bits, backend_only: true, ..SolverConfig::default() };
        // No model that is there already has a number of at least 3.
        let outcome = followed(&program(NESTED), &Config { solver, ..Config::default() }, &[1]);
        assert!(matches!(outcome, Ok(Outcome::Stopped(Stop::SolverUnknown(_)))), "{outcome:?}");
    }

    /// One operation may ask twice: the second question is asked of each answer to the first.
    #[test]
    fn an_operation_goes_on_after_its_first_answer() {
        let program = program("class A { int v; }\nlet a : A := Y0 in let b : A := Y1 in if a = b then 1 else 2");
        let ends = ends(&program, &Config::default(), Lazy::new(When::Use));
        // null and null, null and an object, an object and null, the same, another one.
        assert_eq!(ends.len(), 5);
        assert_eq!(ends.iter().filter(|(_, _, value)| *value == ends[0].2).count(), 2);
    }

    /// A write through one of two references is seen through the other where they are equal, and nothing forks for that.
    #[test]
    fn aliases_need_no_fork_under_pose() {
        let text = "class A { int v; }\nlet a : A := Y0 in let b : A := Y1 in { a.v := 1; b.v := 2; a.v }";
        let returned = |ends: &[(Vec<u32>, Outcome, Option<Term>)]| {
            ends.iter().filter(|(_, outcome, _)| *outcome == Outcome::Returned).count()
        };
        assert_eq!(returned(&ends(&program(text), &Config::default(), Pose::<Columns>::default())), 1);
        assert_eq!(returned(&ends(&program(text), &Config::default(), Lazy::new(When::Load))), 2);
    }
}
