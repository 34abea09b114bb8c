//! Answers known: a model that still fits, the same set of clauses, or a set with a subset known to be unsatisfiable.
//!
//! Paths that differ in other groups only are twins: they share the group itself, and what a guard makes of it.
//!
//! The path before the guard is satisfiable, so an unsatisfiable subset must contain the guard: the subsets are indexed by it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::eval::{Model, RefValue, Value};
use crate::path::Group;
use crate::solver::backend::Answer;
use crate::term::{Sort, Symbol, Term, Terms};

/// A model of the path that also satisfies the guard: the known one, with the references it says nothing about denoting objects
/// of their own (unmentioned, they are null). It does not change what the known one says.
pub fn fresh_model(terms: &Terms, symbols: &[Symbol], guard: Term, known: &Model) -> Option<Rc<Model>> {
    let is_reference = |symbol: Symbol| terms.symbol_info(symbol).sort == Sort::Ref;
    if !symbols.iter().any(|symbol| is_reference(*symbol) && known.get(*symbol).is_none()) {
        return None;
    }
    let own = |symbol: Symbol| is_reference(symbol).then_some(Value::Ref(RefValue::Input(symbol)));
    let fresh = known.extended(symbols, own);
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

/// When this many answers about shared groups are kept, all are forgotten.
const MAX_TWINS: usize = 1 << 12;

/// What guards have made of groups: of a single one, or of none.
#[derive(Default)]
pub struct Twins {
    answers: FxHashMap<(*const Group, Term), Twin>,
}

struct Twin {
    /// Held, so that nothing else gets its address.
    _before: Option<Rc<Group>>,
    /// `None`: unsatisfiable.
    after: Option<Rc<Group>>,
    /// Whether the known model satisfied the guard, if it was tried.
    held: Option<bool>,
}

impl Twins {
    pub fn find(&self, connected: &[&Rc<Group>], guard: Term) -> Option<(Option<Rc<Group>>, Option<bool>)> {
        let twin = self.answers.get(&(address(connected)?, guard))?;
        Some((twin.after.clone(), twin.held))
    }

    pub fn keep(&mut self, connected: &[&Rc<Group>], guard: Term, after: Option<&Rc<Group>>, held: Option<bool>) {
        let Some(address) = address(connected) else { return };
        if self.answers.len() >= MAX_TWINS {
            self.answers.clear();
        }
        let before = connected.first().map(|group| Rc::clone(group));
        self.answers.insert((address, guard), Twin { _before: before, after: after.cloned(), held });
    }
}

fn address(connected: &[&Rc<Group>]) -> Option<*const Group> {
    match connected {
        [] => Some(std::ptr::null()),
        [only] => Some(Rc::as_ptr(only)),
        _ => None,
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
