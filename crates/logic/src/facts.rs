//! What a path condition says by its form: the truth of its clauses and of their parts, what is the last hope of a disjunction, and what
//! the atoms about references and about differences of integers imply together.
//!
//! Exploration goes down one path and comes back to its last fork: so there is a level for every clause, and turning to another
//! path takes back the levels that the two do not share. What is known at a level depends on its clauses alone, not on the paths
//! visited before. Nothing is asked of a solver, and nothing is assumed.

use crate::difference::is_comparison;
use crate::path::{ClauseList, PathCondition};
use crate::solver::closure::{Closure, Mark};
use crate::solver::references::References;
use crate::term::{BitOp, Node, Sort, Term, Terms};

#[derive(Default)]
pub struct Facts {
    levels: Vec<Level>,
    /// By the place of a term in the pool, what is known of it.
    known: Vec<Option<bool>>,
    /// The terms of which something is known.
    trail: Vec<u32>,
    /// Clauses of which several parts can still be true, and choices whose condition is open.
    disjunctions: Vec<(Term, bool)>,
    /// Room for what is being assumed.
    pending: Vec<(Term, bool)>,
    references: References,
    differences: Closure,
    /// Terms that were restricted before, see [`Terms::under`].
    pub(crate) restricted: Restricted,
}

/// A clause, and what there was before it.
struct Level {
    clauses: ClauseList,
    trail: usize,
    differences: Mark,
    references: usize,
    /// If the clause has changed them.
    disjunctions: Option<Vec<(Term, bool)>>,
}

impl Facts {
    /// Changes to another path condition: at the price of the clauses in which it differs from the one before.
    pub fn turn_to(&mut self, terms: &Terms, path: &PathCondition) {
        let mut list = path.list();
        if self.levels.last().map_or(list.len() == 0, |level| level.clauses.is(list)) {
            return;
        }
        self.restricted.forget();
        let mut new = Vec::with_capacity(8);
        while self.levels.len() > list.len() {
            self.leave();
        }
        while let Some((_, before)) = list.split() {
            if self.levels.len() == list.len() {
                if self.levels.last().is_some_and(|level| level.clauses.is(list)) {
                    break;
                }
                self.leave();
            }
            new.push(list);
            list = before;
        }
        for clauses in new.into_iter().rev() {
            self.enter(terms, clauses.clone());
        }
    }

    /// If it is interrupted, nothing is taken from the clause: to know less is sound.
    fn enter(&mut self, terms: &Terms, clauses: ClauseList) {
        let (clause, _) = clauses.split().expect("a level has a clause");
        let (trail, differences, references) = (self.trail.len(), self.differences.mark(), self.references.mark());
        self.levels.push(Level { clauses, trail, differences, references, disjunctions: None });
        if terms.interrupt().is_raised() {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.push((clause, true));
        self.assume(terms, &mut pending);
        self.propagate(terms, &mut pending);
        self.pending = pending;
    }

    fn leave(&mut self) {
        let level = self.levels.pop().expect("there is a level to leave");
        for index in self.trail.drain(level.trail..) {
            self.known[index as usize] = None;
        }
        self.differences.back_to(level.differences);
        self.references.back_to(level.references);
        if let Some(disjunctions) = level.disjunctions {
            self.disjunctions = disjunctions;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.trail.is_empty()
    }

    /// Takes terms with their truth apart, into atoms and disjunctions.
    fn assume(&mut self, terms: &Terms, pending: &mut Vec<(Term, bool)>) {
        while let Some((term, value)) = pending.pop() {
            let Some(node) = terms.node(term) else { continue };
            match node {
                Node::Not(inner) => pending.push((*inner, !value)),
                Node::And(list) if value => pending.extend(list.iter().map(|part| (*part, true))),
                Node::Or(list) if !value => pending.extend(list.iter().map(|part| (*part, false))),
                _ => {
                    // A contradiction would make the path infeasible: then whatever follows is right.
                    if !self.note(term, value) {
                        continue;
                    }
                    self.learn(terms, term, node, value);
                    if matches!(node, Node::And(_) | Node::Or(_) | Node::Ite(..)) {
                        let disjunctions = self.disjunctions.iter().copied().chain([(term, value)]).collect();
                        self.replace_disjunctions(disjunctions);
                    }
                }
            }
        }
    }

    /// Writes down what is known of a term; `false` if something was known before.
    fn note(&mut self, term: Term, value: bool) -> bool {
        let index = term.index().expect("constants are known");
        if self.known.len() <= index {
            self.known.resize(roomy(index), None);
        }
        let is_new = self.known[index].is_none();
        if is_new {
            self.known[index] = Some(value);
            self.trail.push(index as u32);
        }
        is_new
    }

    fn replace_disjunctions(&mut self, disjunctions: Vec<(Term, bool)>) {
        let before = std::mem::replace(&mut self.disjunctions, disjunctions);
        self.levels.last_mut().expect("a level was entered").disjunctions.get_or_insert(before);
    }

    /// Assumes the last part of a disjunction that still can be true, as long as there is one.
    fn propagate(&mut self, terms: &Terms, units: &mut Vec<(Term, bool)>) {
        loop {
            let before = std::mem::take(&mut self.disjunctions);
            let mut open = None;
            for (i, &disjunction) in before.iter().enumerate() {
                match (self.is_open(terms, disjunction, units), &mut open) {
                    (true, None) => {}
                    (true, Some(open)) => Vec::push(open, disjunction),
                    (false, _) => _ = open.get_or_insert_with(|| before[..i].to_vec()),
                }
            }
            self.disjunctions = before;
            if let Some(open) = open {
                self.replace_disjunctions(open);
            }
            if units.is_empty() {
                return;
            }
            self.assume(terms, units);
        }
    }

    /// Whether several parts of a disjunction can still be true. If it is one, that is noted.
    fn is_open(&mut self, terms: &Terms, (term, value): (Term, bool), units: &mut Vec<(Term, bool)>) -> bool {
        let list = match terms.node(term) {
            Some(Node::And(list) | Node::Or(list)) => list,
            Some(&Node::Ite(condition, a, b)) => {
                let side = self.truth_of_part(terms, condition).map(|holds| if holds { a } else { b });
                units.extend(side.map(|side| (side, value)));
                return side.is_none();
            }
            other => unreachable!("a disjunction or a choice is wanted, not {other:?}"),
        };
        let mut last = None;
        for &part in list {
            match self.truth_of_part(terms, part) {
                Some(truth) if truth == value => return false,
                Some(_) => {}
                None if last.is_some() => return true,
                None => last = Some(part),
            }
        }
        units.extend(last.map(|part| (part, value)));
        false
    }

    /// The truth of a literal, or of a choice between literals.
    pub(crate) fn truth_of_part(&mut self, terms: &Terms, mut part: Term) -> Option<bool> {
        loop {
            match terms.node(part) {
                Some(&Node::Not(inner)) => return self.truth(terms, inner).map(|value| !value),
                Some(&Node::Ite(condition, a, b)) => {
                    if let Some(value) = self.truth(terms, part) {
                        return Some(value);
                    }
                    part = if self.truth(terms, condition)? { a } else { b };
                }
                _ => return self.truth(terms, part),
            }
        }
    }

    /// Gives the theories an atom that they understand.
    fn learn(&mut self, terms: &Terms, atom: Term, node: &Node, value: bool) {
        match *node {
            Node::Eq(a, b) if terms.sort(a) == Sort::Ref => {
                let is_leaf = |t: Term| t.index().is_none() || terms.as_symbol(t).is_some();
                if is_leaf(a) && is_leaf(b) && self.references.equal(a, b).is_none() {
                    self.references.assume(terms, atom, value);
                }
            }
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) if is_comparison(terms, a, b) => {
                self.differences.add(terms, atom, value);
            }
            _ => {}
        }
    }

    /// What was written down of a term.
    pub(crate) fn noted(&self, term: Term) -> Option<bool> {
        self.known.get(term.index()?).copied().flatten()
    }

    /// The truth of the comparison of two numbers by the relation of `like`, where it is known; `None` if it is no constraint on
    /// a difference, of which more may be known when it has been built.
    pub(crate) fn compared(&mut self, terms: &Terms, like: Term, a: Term, b: Term) -> Option<Option<bool>> {
        if is_comparison(terms, a, b) { self.differences.compared(terms, like, a, b) } else { None }
    }

    /// The truth of a term, where it is known.
    pub(crate) fn truth(&mut self, terms: &Terms, term: Term) -> Option<bool> {
        if let Some(value) = self.noted(term) {
            return Some(value);
        }
        match *terms.node(term)? {
            // A choice is no vertex there.
            Node::Eq(a, b) if terms.sort(a) == Sort::Ref => self.references.equal(a, b),
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) if is_comparison(terms, a, b) => {
                self.differences.known(terms, term)
            }
            _ => None,
        }
    }
}

/// The results of restricting terms, by their place in the pool. A result counts if it is of the present age, so that nothing has
/// to be cleared.
#[derive(Default)]
pub(crate) struct Restricted {
    results: Vec<(u32, Term)>,
    age: u32,
}

impl Restricted {
    fn forget(&mut self) {
        if self.age == u32::MAX {
            self.results.clear();
            self.age = 0;
        }
        self.age += 1;
    }

    /// What a term has become: itself, if it is a constant in the word.
    pub(crate) fn get(&self, term: Term) -> Option<Term> {
        let Some(index) = term.index() else { return Some(term) };
        self.results.get(index).filter(|(age, _)| *age == self.age).map(|(_, result)| *result)
    }

    /// Enters what a term has become. That stays what it is: the next instructions work with it.
    #[inline]
    pub(crate) fn set(&mut self, term: Term, result: Term) {
        *self.entry(term.index().expect("a constant stays what it is")) = (self.age, result);
        if result != term
            && let Some(index) = result.index()
        {
            let age = self.age;
            let entry = self.entry(index);
            if entry.0 != age {
                *entry = (age, result);
            }
        }
    }

    #[inline]
    fn entry(&mut self, index: usize) -> &mut (u32, Term) {
        if self.results.len() <= index {
            self.results.resize(roomy(index), (0, Term::TRUE));
        }
        &mut self.results[index]
    }
}

/// The length of a table by the place of a term in the pool: ahead of the pool, which grows.
fn roomy(index: usize) -> usize {
    (index + index / 2 + 1).max(1 << 11)
}
