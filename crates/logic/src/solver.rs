//! The solver chain: can a path condition be extended by a guard?
//!
//! [`Solver::check`] asks one stage after the other, the cheapest first, until one of them answers: [`chain`] is the
//! list of them, in order. Each is in its own file and has its own counter ([`Counters`]). In short:
//!
//! 1. what needs no deciding: `constants`, `clauses` that the path has, `twins` (the same group asked before), the
//!    known model (`fits`) and the known model with new objects (`fresh`);
//! 2. `repair`: the known model, changed in a few symbols of the guard; `bounds`: integers and booleans whose
//!    intervals leave nothing;
//! 3. `answers`: the same clauses, asked before; it costs a sorted copy of them, so that it stands behind the
//!    quickest theories;
//! 4. `differences`: conjunctions of difference constraints; `search`: references, booleans and differences with
//!    `ite`, by cases; `guess`: values for floating-point numbers, tried;
//! 5. the back ends: `bits` over CaDiCaL for fixed-width integers and references, `z3` for the rest.
//!
//! Only the groups of clauses that share a symbol with the guard are looked at: no others can matter. Every model,
//! wherever it comes from, is evaluated against the clauses before it is believed. A stage that is interrupted
//! ([`crate::interrupt`]) leaves the question to the next, and the back ends then say that they do not know; that is
//! never remembered.

mod answers;
pub mod backend;
pub mod bits;
pub(crate) mod bounds;
pub mod chain;
mod clauses;
pub(crate) mod closure;
mod constants;
mod counters;
mod differences;
mod fits;
mod fresh;
mod functions;
mod guess;
pub(crate) mod question;
pub(crate) mod references;
mod repair;
mod search;
mod twins;
pub mod unwind;
pub mod z3;

use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::difference::Decision;
use answers::Answers;
use backend::{Answer, Backend};
pub use chain::{Kind, Stage};
pub use counters::Counters;
use question::{Asked, Question, Reply};
use serde::{Deserialize, Serialize};
use twins::Twins;

use crate::eval::Model;
use crate::path::{Extension, Group, PathCondition};
use crate::term::{Term, Terms};

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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SolverKind {
    /// Z3 through its API: every sort.
    Z3,
    /// The bit-blaster over CaDiCaL: fixed-width integers and references, neither unbounded integers nor
    /// floating-point numbers.
    Bits,
    /// The bits where they understand the query, Z3 for the rest.
    Auto,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
        let mut question = Question::new(path, guard);
        let (stage, reply) = self.ask(terms, &mut question);
        self.counters.count(stage);
        if stage == Stage::Constants {
            return if matches!(reply, Reply::Unsat) { Verdict::Unsat } else { Verdict::Sat(None) };
        }
        let verdict = match reply {
            Reply::Unchanged => Verdict::Sat(None),
            Reply::Group(group) => Verdict::Sat(Some(group)),
            Reply::Fits(model) => Verdict::Sat(Some(question.extended_by_known(terms, model))),
            Reply::Found(model) => self.believed(terms, stage, &mut question, model).map(Some),
            Reply::Unknown(reason) => Verdict::Unknown(reason),
            Reply::Unsat => {
                if stage.is_dear() {
                    self.answers.keep(question.clauses(), guard, None);
                }
                Verdict::Unsat
            }
        };
        if stage > Stage::Twins {
            match &verdict {
                Verdict::Sat(group) => self.twins.keep(&question.connected, guard, group.as_ref(), question.held),
                Verdict::Unsat => self.twins.keep(&question.connected, guard, None, question.held),
                Verdict::Unknown(_) => {}
            }
        }
        if let Some(asked) = question.into_asked() {
            self.last = Some(asked);
        }
        verdict
    }

    /// Evaluates a model that a stage has found.
    fn believed(&mut self, terms: &Terms, stage: Stage, question: &mut Question, model: Model) -> Verdict<Rc<Group>> {
        let guard = question.guard;
        let clauses = question.clauses();
        let wrong = clauses.iter().find(|clause| terms.eval(**clause, &model).is_none_or(|value| !value.as_bool()));
        match wrong.map(|clause| (clause, terms.eval(*clause, &model))) {
            None => {
                if stage.is_dear() {
                    self.answers.keep(clauses, guard, Some(&model));
                }
                Verdict::Sat(question.extended(terms, Rc::new(model)))
            }
            Some((_, None)) => Verdict::Unknown("an integer of the model does not fit into 128 bits".into()),
            Some((clause, Some(_))) => panic!("a model that does not satisfy {}", terms.show(*clause)),
        }
    }

    /// Whether a stage belongs to the chain as it is configured.
    #[inline]
    fn has(&self, stage: Stage) -> bool {
        stage.kind() != Kind::Theory || !self.config.backend_only
    }

    /// Asks one back end, and with `cross_check` the other one, too.
    fn ask_backend(&mut self, terms: &Terms, clauses: &[Term], stage: Stage) -> Reply {
        let started = Instant::now();
        let answer = self.decide_by(terms, clauses, stage);
        self.backend_time += started.elapsed();
        match answer {
            Answer::Sat(model) => Reply::Found(model),
            Answer::Unsat => Reply::Unsat,
            Answer::Unknown(reason) => Reply::Unknown(reason),
        }
    }

    fn decide_by(&mut self, terms: &Terms, clauses: &[Term], stage: Stage) -> Answer {
        let use_bits = stage == Stage::Bits;
        if use_bits && !bits::understands(terms, clauses) {
            return Answer::Unknown(bits::FOREIGN_QUESTION.into());
        }
        let answer = if use_bits { self.bits().check(terms, clauses) } else { self.z3().check(terms, clauses) };
        if self.config.cross_check && (use_bits || bits::understands(terms, clauses)) {
            let other = if use_bits { self.z3().check(terms, clauses) } else { self.bits().check(terms, clauses) };
            let disagree =
                matches!((&answer, &other), (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)));
            assert!(!disagree, "Z3 and the bits solver disagree on {}", show_all(terms, clauses));
        }
        answer
    }

    /// The back end for some clauses.
    fn backend_for(&self, terms: &Terms, clauses: &[Term]) -> Stage {
        match self.config.kind {
            SolverKind::Z3 => Stage::Z3,
            SolverKind::Bits => Stage::Bits,
            SolverKind::Auto if bits::understands(terms, clauses) => Stage::Bits,
            SolverKind::Auto => Stage::Z3,
        }
    }

    /// Decides a conjunction of literals for [`unwind`]: by the same stages, but nothing is counted, timed or
    /// remembered.
    fn decide_literals(&mut self, terms: &mut Terms, literals: &[Term]) -> Answer {
        if self.has(Stage::Search) {
            match search::decide(terms, literals, &[], &Model::default(), &mut self.room) {
                Decision::Abstain => {}
                Decision::Sat(model) => return Answer::Sat(model),
                Decision::Unsat => return Answer::Unsat,
            }
        }
        let backend = self.backend_for(terms, literals);
        self.decide_by(terms, literals, backend)
    }

    /// Counts what POSE-unwind would ask to decide the same question (seed 003, RQ3).
    pub fn count_unwound(&mut self, terms: &mut Terms, path: &PathCondition, guard: Term) {
        if self.config.unwind && guard.as_bool().is_none() {
            let symbols = terms.involved(guard);
            let group = Group::joined(terms, &path.connected(&symbols), &symbols, guard);
            let unwound = unwind::count(self, terms, &group.clauses.iter().copied().collect::<Vec<_>>());
            self.counters.unwind += unwound.asked;
            self.counters.unwind_cut += u64::from(unwound.is_least);
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

fn show_all(terms: &Terms, clauses: &[Term]) -> String {
    clauses.iter().map(|c| terms.show(*c)).collect::<Vec<_>>().join("\n  ")
}
