//! Terms under what a path condition says by its form: a condition that was assumed, or refused, is a constant from there on.
//!
//! The heap models that keep all aliasing cases in one heap build choices over conditions that the program decides later. What
//! was decided drops out here, so that terms grow with what is still open and not with the length of the path. Nothing is
//! asked of a solver, and nothing is assumed: the result equals the term in every model of the path condition.

use rustc_hash::FxHashMap;

use crate::eval::Model;
use crate::path::PathCondition;
use crate::solver::difference::{Decision, Differences, is_comparison};
use crate::solver::references::References;
use crate::term::{BitOp, Node, Sort, Term, Terms};

/// How many times a comparison is distributed over choices: beyond that it stays as it is.
const COMPARISONS: usize = 64;

/// What follows from the clauses of a path condition by their form: their own truth and that of their parts, what is the last
/// hope of a disjunction, and what the atoms about references and about differences of integers imply together.
#[derive(Default)]
pub struct Facts {
    path: PathCondition,
    known: FxHashMap<Term, bool>,
    /// Clauses of which several parts can still be true.
    disjunctions: Vec<(Term, bool)>,
    references: References,
    differences: Differences,
    /// Atoms about numbers that were asked before.
    asked: FxHashMap<Term, Option<bool>>,
    /// Terms that were restricted before.
    restricted: FxHashMap<Term, Term>,
}

impl Facts {
    /// Changes to another path condition: cheaply, if it is an extension of the one before.
    pub fn turn_to(&mut self, terms: &Terms, path: &PathCondition) {
        let new = match path.since(&self.path) {
            Some(new) if new.is_empty() => return,
            Some(new) => new,
            None => {
                *self = Facts::default();
                path.clauses()
            }
        };
        self.path = path.clone();
        self.restricted.clear();
        self.assume(terms, new.into_iter().map(|clause| (clause, true)).collect());
        self.propagate(terms);
    }

    /// Takes terms with their truth apart, into atoms and disjunctions.
    fn assume(&mut self, terms: &Terms, mut pending: Vec<(Term, bool)>) {
        while let Some((term, value)) = pending.pop() {
            let Some(node) = terms.node(term) else { continue };
            match node {
                Node::Not(inner) => pending.push((*inner, !value)),
                Node::And(list) if value => pending.extend(list.iter().map(|part| (*part, true))),
                Node::Or(list) if !value => pending.extend(list.iter().map(|part| (*part, false))),
                _ => {
                    self.known.insert(term, value);
                    self.learn(terms, term, node, value);
                    if matches!(node, Node::And(_) | Node::Or(_)) {
                        self.disjunctions.push((term, value));
                    }
                }
            }
        }
    }

    /// Assumes the last part of a disjunction that still can be true, as long as there is one.
    fn propagate(&mut self, terms: &Terms) {
        loop {
            let mut units = Vec::new();
            let mut disjunctions = std::mem::take(&mut self.disjunctions);
            disjunctions.retain(|&(term, value)| {
                let Some(Node::And(list) | Node::Or(list)) = terms.node(term) else { unreachable!("a disjunction") };
                let mut open = None;
                for &part in list {
                    match self.truth_of_literal(terms, part) {
                        Some(truth) if truth == value => return false,
                        Some(_) => {}
                        None if open.is_some() => return true,
                        None => open = Some(part),
                    }
                }
                units.extend(open.map(|part| (part, value)));
                false
            });
            self.disjunctions = disjunctions;
            if units.is_empty() {
                return;
            }
            self.assume(terms, units);
        }
    }

    fn truth_of_literal(&mut self, terms: &Terms, literal: Term) -> Option<bool> {
        match terms.node(literal) {
            Some(&Node::Not(inner)) => self.truth(terms, inner).map(|value| !value),
            _ => self.truth(terms, literal),
        }
    }

    /// Gives the theories an atom that they understand.
    fn learn(&mut self, terms: &Terms, atom: Term, node: &Node, value: bool) {
        match *node {
            Node::Eq(a, b) if terms.sort(a) == Sort::Ref => {
                let is_leaf = |t: Term| t.is_null() || terms.as_symbol(t).is_some();
                if is_leaf(a) && is_leaf(b) {
                    // A contradiction would make the path infeasible: then whatever follows is right.
                    self.references.assume(terms, atom, value);
                }
            }
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) if is_comparison(terms, a, b) => {
                self.differences.add_literal(terms, atom, value);
                self.asked.clear();
            }
            _ => {}
        }
    }

    /// The truth of a term, where it is known.
    fn truth(&mut self, terms: &Terms, term: Term) -> Option<bool> {
        if let Some(&value) = self.known.get(&term) {
            return Some(value);
        }
        match *terms.node(term)? {
            Node::Eq(a, b) if terms.sort(a) == Sort::Ref => {
                let is_leaf = |t: Term| t.is_null() || terms.as_symbol(t).is_some();
                if is_leaf(a) && is_leaf(b) { self.references.known(terms, term) } else { None }
            }
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) if is_comparison(terms, a, b) => {
                if let Some(&answer) = self.asked.get(&term) {
                    return answer;
                }
                let answer = [true, false].into_iter().find(|value| self.excludes(terms, term, !value));
                self.asked.insert(term, answer);
                answer
            }
            _ => None,
        }
    }

    /// Whether a literal about numbers contradicts the differences known.
    fn excludes(&self, terms: &Terms, atom: Term, value: bool) -> bool {
        let mut extended = self.differences.clone();
        extended.add_literal(terms, atom, value) && matches!(extended.decide(&Model::default()), Decision::Unsat)
    }
}

impl Terms {
    /// A term that equals `term` wherever the facts hold.
    pub fn under(&mut self, facts: &mut Facts, term: Term) -> Term {
        if term.index().is_none() || facts.known.is_empty() {
            return term;
        }
        let mut restricted = std::mem::take(&mut facts.restricted);
        // Where a condition is known, only the side it leads to is walked.
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if top.index().is_none() || restricted.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(value) = facts.truth(self, top) {
                restricted.insert(top, Term::bool(value));
                continue;
            }
            let before = stack.len();
            let look = |t: Term| if t.index().is_none() { Some(t) } else { restricted.get(&t).copied() };
            match *self.node(top).expect("a constant was left out above") {
                Node::Ite(c, a, b) => match look(c) {
                    None => stack.push(c),
                    Some(Term::TRUE) => stack.extend(look(a).is_none().then_some(a)),
                    Some(Term::FALSE) => stack.extend(look(b).is_none().then_some(b)),
                    Some(_) => stack.extend([a, b].into_iter().filter(|t| look(*t).is_none())),
                },
                _ => self.children(top, |child| stack.extend(look(child).is_none().then_some(child))),
            }
            if stack.len() == before {
                let value = self.rebuilt(top, &restricted);
                let value = self.distributed(facts, value, &mut { COMPARISONS });
                restricted.insert(top, value);
            }
        }
        let result = restricted[&term];
        facts.restricted = restricted;
        result
    }

    /// A comparison of numbers that are choices as a choice between comparisons, of which many are known. Others as they are,
    /// or their truth.
    fn distributed(&mut self, facts: &mut Facts, term: Term, left: &mut usize) -> Term {
        if let Some(value) = facts.truth(self, term) {
            return Term::bool(value);
        }
        let (a, b) = match self.node(term) {
            Some(&Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b)) => (a, b),
            Some(&Node::Eq(a, b)) if matches!(self.sort(a), Sort::Int | Sort::Bits(_)) => (a, b),
            Some(&Node::Not(inner)) => {
                let inner = self.distributed(facts, inner, left);
                return self.not(inner);
            }
            _ => return term,
        };
        let (condition, sides) = match (self.as_choice(a), self.as_choice(b)) {
            (Some((condition, x, y)), _) => (condition, [(x, b), (y, b)]),
            (_, Some((condition, x, y))) => (condition, [(a, x), (a, y)]),
            _ => return term,
        };
        if *left == 0 {
            return term;
        }
        *left -= 1;
        let [then, otherwise] = sides.map(|(a, b)| {
            let comparison = self.compared(term, a, b);
            self.distributed(facts, comparison, left)
        });
        self.ite(condition, then, otherwise)
    }

    /// A number as a choice between two.
    fn as_choice(&mut self, term: Term) -> Option<(Term, Term, Term)> {
        match self.node(term)? {
            &Node::Ite(condition, a, b) => Some((condition, a, b)),
            Node::Sum(list, constant) => {
                let (list, constant) = (list.clone(), *constant);
                let (at, condition, a, b) =
                    list.iter().enumerate().find_map(|(at, (part, _))| match self.node(*part) {
                        Some(&Node::Ite(condition, a, b)) => Some((at, condition, a, b)),
                        _ => None,
                    })?;
                let mut with = |choice: Term| {
                    let start = self.int(constant);
                    let parts = list.iter().enumerate();
                    parts.fold(start, |sum, (i, &(part, factor))| {
                        self.add_scaled(sum, factor, if i == at { choice } else { part })
                    })
                };
                Some((condition, with(a), with(b)))
            }
            _ => None,
        }
    }

    /// A node with its children replaced.
    fn rebuilt(&mut self, term: Term, restricted: &FxHashMap<Term, Term>) -> Term {
        let new = |t: Term| restricted.get(&t).copied().unwrap_or(t);
        let mut changed = false;
        self.children(term, |child| changed |= new(child) != child);
        if !changed {
            return term;
        }
        match self.node(term).expect("a constant has no children").clone() {
            Node::Not(a) => self.not(new(a)),
            Node::And(list) => self.all(list.iter().map(|t| new(*t))),
            Node::Or(list) => self.any(list.iter().map(|t| new(*t))),
            Node::Ite(c, a, b) => match new(c).as_bool() {
                Some(true) => new(a),
                Some(false) => new(b),
                None => self.ite(new(c), new(a), new(b)),
            },
            Node::Eq(a, b) => self.eq(new(a), new(b)),
            Node::Lt(a, b) => self.lt(new(a), new(b)),
            Node::Sum(list, constant) => {
                let start = self.int(constant);
                list.iter().fold(start, |sum, &(part, factor)| self.add_scaled(sum, factor, new(part)))
            }
            Node::Bit(op, a, b) => self.bit_op(op, new(a), new(b)),
            Node::Extend { signed, width, term } => self.extend(signed, width, new(term)),
            Node::Extract { high, low, term } => self.extract(high, low, new(term)),
            Node::Float(op, a, b) => self.float_op(op, new(a), new(b)),
            Node::FloatFn(function, a) => self.float_fn(function, new(a)),
            Node::Convert(conversion, width, a) => self.convert(conversion, width, new(a)),
            Node::WideAdd(..)
            | Node::Class { .. }
            | Node::Symbol(_)
            | Node::Int(_)
            | Node::Bits { .. }
            | Node::FloatConstant { .. } => term,
        }
    }
}
