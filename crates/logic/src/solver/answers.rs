//! Answers that were found before: the same set of clauses, or a set with a subset known to be unsatisfiable.
//!
//! The path before the guard is satisfiable, so an unsatisfiable subset must contain the guard: the subsets are
//! indexed by it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Model;
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::{Term, Terms};

/// The stage.
pub(crate) fn answer(solver: &mut Solver, _: &mut Terms, question: &mut Question) -> Option<Reply> {
    solver.answers.find(question)
}

/// How many unsatisfiable sets are kept for one guard.
const SETS_A_GUARD: usize = 16;
/// When answers with this many clauses are kept, all are forgotten: a bound on memory that needs little bookkeeping.
const MAX_CLAUSES: usize = 1 << 20;

#[derive(Default)]
pub(crate) struct Answers {
    satisfiable: FxHashMap<Box<[Term]>, Model>,
    /// For a guard, the sorted rests of the unsatisfiable sets that contain it.
    unsatisfiable: FxHashMap<Term, Vec<Box<[Term]>>>,
    /// How many clauses the satisfiable sets have.
    lengths: FxHashSet<usize>,
    /// How many clauses all of these sets have together.
    size: usize,
}

impl Answers {
    fn find(&self, question: &Question) -> Option<Reply> {
        let guard = question.guard;
        // To sort the clauses is dear: mostly nothing is known that could be about them.
        if !self.lengths.contains(&question.group().clauses.len()) && !self.unsatisfiable.contains_key(&guard) {
            return None;
        }
        let sorted = sorted(question.clauses());
        if let Some(sets) = self.unsatisfiable.get(&guard)
            && sets.iter().any(|set| is_subset(set, &sorted))
        {
            return Some(Reply::Unsat);
        }
        self.satisfiable.get(&sorted).map(|model| Reply::Found(model.clone()))
    }

    /// Keeps an answer: a model, or none because there is none.
    pub(crate) fn keep(&mut self, clauses: &[Term], guard: Term, model: Option<&Model>) {
        if self.size >= MAX_CLAUSES {
            *self = Answers::default();
        }
        match model {
            Some(model) => {
                self.lengths.insert(clauses.len());
                self.satisfiable.insert(sorted(clauses), model.clone());
            }
            None => {
                let sets = self.unsatisfiable.entry(guard).or_default();
                if sets.len() >= SETS_A_GUARD {
                    return;
                }
                sets.push(sorted(clauses));
            }
        }
        self.size += clauses.len();
    }
}

fn sorted(clauses: &[Term]) -> Box<[Term]> {
    let mut sorted: Box<[Term]> = clauses.into();
    sorted.sort_unstable();
    sorted
}

/// Whether every element of `small` is in `large`; both are sorted.
fn is_subset(small: &[Term], large: &[Term]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.any(|have| have == wanted))
}
