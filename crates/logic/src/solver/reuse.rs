//! Answers known: a model that still fits, the same set of clauses, or a set with a subset known to be unsatisfiable.
//!
//! The path before the guard is satisfiable, so an unsatisfiable subset must contain the guard: the subsets are indexed by it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::eval::{Model, RefValue, Value};
use crate::solver::backend::Answer;
use crate::term::{Sort, Symbol, Term, Terms};

/// A model of the path that also satisfies the guard: the known one, with the references it says nothing about denoting objects
/// of their own (unmentioned, they are null). It does not change what the known one says.
pub fn fresh_model(terms: &Terms, symbols: &[Symbol], guard: Term, known: &Model) -> Option<Rc<Model>> {
    let is_new = |symbol: &&Symbol| terms.symbol_info(**symbol).sort == Sort::Ref && known.get(**symbol).is_none();
    let mut new = symbols.iter().filter(is_new).peekable();
    new.peek()?;
    let mut fresh = known.clone();
    for &symbol in new {
        fresh.set(symbol, Value::Ref(RefValue::Input(symbol)));
    }
    terms.holds(guard, &fresh).then(|| Rc::new(fresh))
}

/// How many unsatisfiable sets are kept for one guard.
const SETS_A_GUARD: usize = 16;
/// When this many answers are kept, all are forgotten: a bound on memory that needs no bookkeeping.
const MAX_ANSWERS: usize = 1 << 16;

#[derive(Default)]
pub struct Answers {
    satisfiable: FxHashMap<Box<[Term]>, Model>,
    /// For a guard, the sorted rests of the unsatisfiable sets that contain it.
    unsatisfiable: FxHashMap<Term, Vec<Box<[Term]>>>,
    count: usize,
}

impl Answers {
    pub fn find(&self, clauses: &[Term], guard: Term) -> Option<Answer> {
        let sorted = sorted(clauses);
        if let Some(sets) = self.unsatisfiable.get(&guard)
            && sets.iter().any(|set| is_subset(set, &sorted))
        {
            return Some(Answer::Unsat);
        }
        self.satisfiable.get(&sorted).map(|model| Answer::Sat(model.clone()))
    }

    pub fn keep(&mut self, clauses: &[Term], guard: Term, answer: &Answer) {
        if self.count >= MAX_ANSWERS {
            *self = Answers::default();
        }
        match answer {
            Answer::Sat(model) => {
                self.satisfiable.insert(sorted(clauses), model.clone());
            }
            Answer::Unsat => {
                let sets = self.unsatisfiable.entry(guard).or_default();
                if sets.len() >= SETS_A_GUARD {
                    return;
                }
                sets.push(sorted(clauses));
            }
            Answer::Unknown(_) => return,
        }
        self.count += 1;
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
