//! The solver chain: can a path condition be extended by a guard?
//!
//! [`Solver::check`] is the whole chain, cheapest stage first, each stage in its own file and counted on its own:
//!
//! 1. constants, and clauses the group already holds;
//! 2. the independent group only: clauses that share no symbol with the guard cannot matter;
//! 3. `reuse`: a model of the group that also fits the guard, an answer given before;
//! 4. `difference`: conjunctions of difference constraints;
//! 5. `repair`: the known model, changed in a few symbols of the guard;
//! 6. `bounds`: integers and booleans whose intervals leave nothing;
//! 7. `search`: references, booleans and differences with `ite`, by cases;
//! 8. `guess`: values for floating-point numbers, tried;
//! 9. `backend`: Z3 for unbounded integers and floating-point numbers, bits over CaDiCaL for fixed-width integers.
//!
//! Reuse stands before the theories because it answers half of all questions at the price of one evaluation. Every model,
//! wherever it comes from, is evaluated against the clauses before it is believed.

pub mod backend;
pub mod bits;
pub(crate) mod bounds;
pub(crate) mod closure;
pub(crate) mod difference;
mod guess;
pub(crate) mod references;
mod repair;
mod reuse;
mod search;
pub mod unwind;
pub mod z3;

use std::rc::Rc;
use std::time::{Duration, Instant};

use backend::{Answer, Backend};
use difference::Decision;
use reuse::{Answers, Twins};

use crate::eval::Model;
use crate::path::{ClauseList, Extension, Group, PathCondition};
use crate::term::{Symbol, Term, Terms};

/// The answer to "can this path take this guard?".
#[derive(Debug)]
pub enum Verdict<T = PathCondition> {
    /// Yes: the extended condition, with its model.
    Sat(T),
    Unsat,
    /// Nobody knows; the reason. Never to be taken for one of the others.
    Unknown(String),
}

impl<T> Verdict<T> {
    fn map<U>(self, of: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Verdict::Sat(extended) => Verdict::Sat(of(extended)),
            Verdict::Unsat => Verdict::Unsat,
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverKind {
    /// Z3 through its API: every sort.
    Z3,
    /// The bit-blaster over CaDiCaL: fixed-width integers and references, neither unbounded integers nor floating-point
    /// numbers.
    Bits,
    /// The bits where they understand the query, Z3 for the rest.
    Auto,
}

#[derive(Clone, Debug)]
pub struct SolverConfig {
    pub kind: SolverKind,
    /// Ask both back ends wherever both understand the query, and panic if they disagree.
    pub cross_check: bool,
    /// Count, for every query, the ite-free disjuncts that POSE-unwind would ask one by one.
    pub unwind: bool,
    /// How much effort a back end may spend on one question: see [`backend::EFFORT`].
    pub effort: u64,
    /// Leave out the stages between reuse and the back end (to measure and to test them).
    pub backend_only: bool,
}

impl Default for SolverConfig {
    fn default() -> Self {
        SolverConfig {
            kind: SolverKind::Auto,
            cross_check: false,
            unwind: false,
            effort: backend::EFFORT,
            backend_only: false,
        }
    }
}

/// How many questions each stage answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub constants: u64,
    pub known_clause: u64,
    pub model_fits: u64,
    pub known_answer: u64,
    pub differences: u64,
    /// By bounds, by cases, by a repaired model, or by a guess.
    pub search: u64,
    pub backend: u64,
    /// Ite-free sub-queries of POSE-unwind.
    pub unwind: u64,
}

impl Counters {
    pub fn add(&mut self, other: &Counters) {
        self.constants += other.constants;
        self.known_clause += other.known_clause;
        self.model_fits += other.model_fits;
        self.known_answer += other.known_answer;
        self.differences += other.differences;
        self.search += other.search;
        self.backend += other.backend;
        self.unwind += other.unwind;
    }
}

/// A guard that was asked about, with what its negation needs too: usually that is the next question.
struct Asked {
    path: ClauseList,
    guard: Term,
    symbols: Vec<Symbol>,
    /// Whether the known model of the path satisfied the guard, if it was tried.
    held: Option<bool>,
}

/// Owns caches, counters and the back ends; never program state.
pub struct Solver {
    config: SolverConfig,
    answers: Answers,
    twins: Twins,
    last: Option<Asked>,
    /// Room for the values of one case search.
    room: search::Room,
    z3: Option<z3::Z3>,
    bits: Option<bits::Bits>,
    pub counters: Counters,
    /// Time spent in the back ends.
    pub backend_time: Duration,
}

impl Solver {
    pub fn new(config: SolverConfig) -> Solver {
        Solver {
            config,
            answers: Answers::default(),
            twins: Twins::default(),
            last: None,
            room: search::Room::default(),
            z3: None,
            bits: None,
            counters: Counters::default(),
            backend_time: Duration::ZERO,
        }
    }

    pub fn check(&mut self, terms: &mut Terms, path: &PathCondition, guard: Term) -> Verdict {
        self.extension(terms, path, guard).map(|extension| {
            let mut extended = path.clone();
            extended.extend(extension);
            extended
        })
    }

    /// Likewise, without a copy of the path.
    pub fn extension(&mut self, terms: &mut Terms, path: &PathCondition, guard: Term) -> Verdict<Extension> {
        self.group_with(terms, path, guard).map(|group| Extension { clause: guard, group })
    }

    /// The group that the guard makes of those it is connected with; `None` if the path stays as it is.
    fn group_with(&mut self, terms: &mut Terms, path: &PathCondition, guard: Term) -> Verdict<Option<Rc<Group>>> {
        if let Some(value) = guard.as_bool() {
            self.counters.constants += 1;
            return if value { Verdict::Sat(None) } else { Verdict::Unsat };
        }
        let not_guard = terms.not(guard);
        let is_last = |asked: &mut Asked| asked.guard == not_guard && asked.path.is(path.list());
        match self.last.take_if(is_last) {
            Some(Asked { symbols, held, .. }) => {
                self.open_group_with(terms, path, guard, &symbols, held.map(|held| !held)).0
            }
            None => {
                let symbols = terms.symbols_of(guard);
                let (verdict, held) = self.open_group_with(terms, path, guard, &symbols, None);
                self.last = Some(Asked { path: path.list().clone(), guard, symbols, held });
                verdict
            }
        }
    }

    /// Of a guard that is no constant, with its symbols. The known model is not tried if it is known whether it satisfies the guard;
    /// that is given too.
    fn open_group_with(
        &mut self,
        terms: &mut Terms,
        path: &PathCondition,
        guard: Term,
        symbols: &[Symbol],
        held: Option<bool>,
    ) -> (Verdict<Option<Rc<Group>>>, Option<bool>) {
        let not_guard = terms.not(guard);
        let connected = path.connected(symbols);
        let known_clause = |clause: Term| connected.iter().any(|group| group.clauses.contains(&clause));
        if known_clause(not_guard) {
            self.counters.known_clause += 1;
            return (Verdict::Unsat, None);
        }
        if known_clause(guard) && path.is_known_satisfiable() {
            self.counters.known_clause += 1;
            return (Verdict::Sat(None), None);
        }
        if let Some((found, held)) = self.twins.find(&connected, guard) {
            self.counters.known_answer += 1;
            return (found.map_or(Verdict::Unsat, |group| Verdict::Sat(Some(group))), held);
        }
        let known = Group::model_of(&connected);
        let held = held.or_else(|| terms.truth(guard, known.as_ref()?));
        let fitting = match held {
            Some(true) => known.clone(),
            _ => known.as_ref().and_then(|known| reuse::fresh_model(terms, symbols, guard, known)),
        };
        let mut group = Group::joined(terms, &connected, symbols, guard);
        let model = match fitting {
            Some(model) => {
                self.counters.model_fits += 1;
                Ok(model)
            }
            None => self.check_group(terms, &mut group, guard, known).map(Rc::new),
        };
        let verdict = match model {
            Ok(model) => Verdict::Sat(Some(Rc::new(group.with_model(terms, Some(model))))),
            Err(verdict) => verdict,
        };
        match &verdict {
            Verdict::Sat(group) => self.twins.keep(&connected, guard, group.as_ref(), held),
            Verdict::Unsat => self.twins.keep(&connected, guard, None, held),
            Verdict::Unknown(_) => {}
        }
        (verdict, held)
    }

    /// A model of a group whose last clause is a guard that the known model does not satisfy; or why there is none.
    fn check_group(
        &mut self,
        terms: &mut Terms,
        group: &mut Group,
        guard: Term,
        known: Option<Rc<Model>>,
    ) -> Result<Model, Verdict<Option<Rc<Group>>>> {
        // Differences alone are decided as quickly.
        if group.differences.is_none() && !self.config.backend_only {
            // Every clause but the guard is true in the known model.
            if let Some(model) = known.as_deref().and_then(|known| repair::model(terms, group, known)) {
                self.counters.search += 1;
                return Ok(model);
            }
            if bounds::refutes(terms, group) {
                self.counters.search += 1;
                return Err(Verdict::Unsat);
            }
        }
        let hint = known.unwrap_or_default();
        match self.decide(terms, group, guard, &hint) {
            Answer::Unsat => Err(Verdict::Unsat),
            Answer::Unknown(reason) => Err(Verdict::Unknown(reason)),
            Answer::Sat(model) => {
                let wrong = group.clauses.iter().find(|c| terms.eval(**c, &model).is_none_or(|v| !v.as_bool()));
                match wrong.map(|clause| (clause, terms.eval(*clause, &model))) {
                    None => Ok(model),
                    Some((_, None)) => {
                        Err(Verdict::Unknown("an integer of the model does not fit into 128 bits".into()))
                    }
                    Some((clause, Some(_))) => panic!("a model that does not satisfy {}", terms.show(*clause)),
                }
            }
        }
    }

    /// The stages that look at the whole group.
    fn decide(&mut self, terms: &mut Terms, group: &Group, guard: Term, hint: &Model) -> Answer {
        if let Some(answer) = self.answers.find(&group.clauses, guard) {
            self.counters.known_answer += 1;
            return answer;
        }
        if !self.config.backend_only {
            if let Some(differences) = &group.differences {
                match differences.decide(hint) {
                    Decision::Abstain => {}
                    decided => {
                        self.counters.differences += 1;
                        return answer(decided);
                    }
                }
            }
            match search::decide(terms, &group.clauses, hint, &mut self.room) {
                Decision::Abstain => {}
                decided => {
                    self.counters.search += 1;
                    return self.remember(group, guard, answer(decided));
                }
            }
        }
        if !self.config.backend_only
            && let Some(model) = guess::model(terms, &group.clauses, hint)
        {
            self.counters.search += 1;
            return self.remember(group, guard, Answer::Sat(model));
        }
        let answer = self.ask(terms, &group.clauses);
        self.remember(group, guard, answer)
    }

    fn remember(&mut self, group: &Group, guard: Term, answer: Answer) -> Answer {
        self.answers.keep(&group.clauses, guard, &answer);
        answer
    }

    /// The back ends, counted and timed.
    fn ask(&mut self, terms: &Terms, clauses: &[Term]) -> Answer {
        self.counters.backend += 1;
        let started = Instant::now();
        let answer = self.ask_uncounted(terms, clauses);
        self.backend_time += started.elapsed();
        answer
    }

    fn ask_uncounted(&mut self, terms: &Terms, clauses: &[Term]) -> Answer {
        let fits_bits = bits::understands(terms, clauses);
        let use_bits = match self.config.kind {
            SolverKind::Z3 => false,
            SolverKind::Bits => true,
            SolverKind::Auto => fits_bits,
        };
        let answer = if use_bits && !fits_bits {
            Answer::Unknown("the bits solver decides neither unbounded integers nor floating-point numbers".into())
        } else if use_bits {
            self.bits().check(terms, clauses)
        } else {
            self.z3().check(terms, clauses)
        };
        if self.config.cross_check && fits_bits {
            let other = if use_bits { self.z3().check(terms, clauses) } else { self.bits().check(terms, clauses) };
            let disagree =
                matches!((&answer, &other), (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)));
            assert!(!disagree, "Z3 and the bits solver disagree on {}", show_all(terms, clauses));
        }
        answer
    }

    /// Decides a conjunction of literals for [`unwind`]: by the same stages, but nothing is counted, timed or remembered.
    fn decide_literals(&mut self, terms: &mut Terms, literals: &[Term]) -> Answer {
        if !self.config.backend_only {
            match search::decide(terms, literals, &Model::default(), &mut self.room) {
                Decision::Abstain => {}
                decided => return answer(decided),
            }
        }
        self.ask_uncounted(terms, literals)
    }

    /// Counts what POSE-unwind would ask to decide the same question (seed 003, RQ3).
    pub fn count_unwound(&mut self, terms: &mut Terms, path: &PathCondition, guard: Term) {
        if self.config.unwind && guard.as_bool().is_none() {
            let symbols = terms.symbols_of(guard);
            let group = Group::joined(terms, &path.connected(&symbols), &symbols, guard);
            self.counters.unwind += unwind::count(self, terms, &group.clauses);
        }
    }

    /// Whether Z3 was asked: it keeps its context in the thread.
    pub fn has_asked_z3(&self) -> bool {
        self.z3.is_some()
    }

    fn z3(&mut self) -> &mut z3::Z3 {
        let effort = self.config.effort;
        self.z3.get_or_insert_with(|| z3::Z3::new(effort))
    }

    fn bits(&mut self) -> &mut bits::Bits {
        let effort = self.config.effort;
        self.bits.get_or_insert_with(|| bits::Bits::new(effort))
    }
}

fn answer(decision: Decision) -> Answer {
    match decision {
        Decision::Sat(model) => Answer::Sat(model),
        Decision::Unsat => Answer::Unsat,
        Decision::Abstain => unreachable!("an abstention is not an answer"),
    }
}

fn show_all(terms: &Terms, clauses: &[Term]) -> String {
    clauses.iter().map(|c| terms.show(*c)).collect::<Vec<_>>().join("\n  ")
}
