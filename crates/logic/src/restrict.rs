//! Terms under what a path condition says by its form: a condition that was assumed, or refused, is a constant from there on.
//!
//! The heap models that keep all aliasing cases in one heap build choices over conditions that the program decides later. What
//! was decided drops out here, so that terms grow with what is still open and not with the length of the path. Nothing is
//! asked of a solver, and nothing is assumed: the result equals the term in every model of the path condition.

use rustc_hash::FxHashSet;

use crate::eval::{Model, Value};
use crate::facts::{Facts, Restricted};
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};

/// How many times a comparison is distributed over choices: beyond that it stays as it is.
const COMPARISONS: usize = 64;

/// How deep the direct restriction recurses before the loop over the whole term takes over.
const DIRECT_DEPTH: u32 = 24;

impl Terms {
    /// A term that equals `term` wherever the facts hold.
    pub fn under(&mut self, facts: &mut Facts, term: Term) -> Term {
        if term.index().is_none() || facts.is_empty() {
            return term;
        }
        let mut restricted = std::mem::take(&mut facts.restricted);
        let result = match self.under_direct(facts, &mut restricted, term, DIRECT_DEPTH) {
            Some(result) => result,
            None => self.under_all(facts, &mut restricted, term),
        };
        facts.restricted = restricted;
        result
    }

    /// Terms that are not deep, the most frequent ones, without a stack; `None` for all that is more.
    fn under_direct(&mut self, facts: &mut Facts, restricted: &mut Restricted, term: Term, depth: u32) -> Option<Term> {
        if let Some(result) = restricted.get(term) {
            return Some(result);
        }
        if depth == 0 {
            return None;
        }
        let result = match *self.node(term)? {
            Node::Symbol(_) if self.sort(term) != Sort::Bool => return Some(term),
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) => match facts.truth(self, term) {
                Some(value) => Term::bool(value),
                None if self.is_leaf(a) && self.is_leaf(b) => term,
                None if matches!(self.node(term), Some(Node::Bit(..))) => return None,
                None => self.under_parts(facts, restricted, term, depth - 1)?,
            },
            Node::Symbol(_) | Node::Class { .. } => facts.truth(self, term).map_or(term, Term::bool),
            Node::Not(inner) => {
                let result = self.under_direct(facts, restricted, inner, depth - 1)?;
                if result == inner { term } else { self.not(result) }
            }
            Node::Ite(..) | Node::And(_) | Node::Or(_) | Node::Sum(..) => match facts.noted(term) {
                Some(value) => Term::bool(value),
                None => self.under_parts(facts, restricted, term, depth - 1)?,
            },
            _ => return None,
        };
        restricted.set(term, result);
        Some(result)
    }

    /// Likewise of what has parts. Where a condition is known, only the side it leads to is looked at.
    fn under_parts(&mut self, facts: &mut Facts, restricted: &mut Restricted, term: Term, depth: u32) -> Option<Term> {
        let value = match *self.node(term)? {
            Node::Ite(condition, a, b) => match self.under_direct(facts, restricted, condition, depth)? {
                Term::TRUE => return self.under_direct(facts, restricted, a, depth),
                Term::FALSE => return self.under_direct(facts, restricted, b, depth),
                chosen => {
                    let then = self.under_direct(facts, restricted, a, depth)?;
                    let otherwise = self.under_direct(facts, restricted, b, depth)?;
                    match (chosen, then, otherwise) == (condition, a, b) {
                        true => term,
                        false => self.ite(chosen, then, otherwise),
                    }
                }
            },
            Node::Eq(a, b) | Node::Lt(a, b) => {
                let sides = [a, b].map(|side| self.under_direct(facts, restricted, side, depth));
                let [Some(x), Some(y)] = sides else { return None };
                return Some(match (x, y) == (a, b) {
                    true => self.distributed_open(facts, term, &mut { COMPARISONS }),
                    false => {
                        let value = self.compared(term, x, y);
                        self.distributed(facts, value, &mut { COMPARISONS })
                    }
                });
            }
            _ => {
                let mut changed = false;
                let mut at = 0;
                while let Some(part) = self.part(term, at) {
                    changed |= self.under_direct(facts, restricted, part, depth)? != part;
                    at += 1;
                }
                match changed {
                    // Sums and lists may be long. The loop over the whole term then leaves it as it is.
                    true if self.interrupt.is_raised() => return None,
                    true => self.rebuilt(term, restricted),
                    false => term,
                }
            }
        };
        let is_new = value != term && self.sort(term) == Sort::Bool;
        Some(if is_new { self.distributed(facts, value, &mut { COMPARISONS }) } else { value })
    }

    /// A part of a conjunction, a disjunction or a sum.
    fn part(&self, term: Term, at: usize) -> Option<Term> {
        match self.node(term)? {
            Node::And(list) | Node::Or(list) => list.get(at).copied(),
            Node::Sum(list, _) => list.get(at).map(|(part, _)| *part),
            _ => None,
        }
    }

    /// Any term: a loop over its nodes, children first. If it is interrupted, the term stays as it is.
    fn under_all(&mut self, facts: &mut Facts, restricted: &mut Restricted, term: Term) -> Term {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if restricted.get(top).is_some() {
                stack.pop();
                continue;
            }
            if self.interrupt.is_raised() {
                return term;
            }
            if let Some(value) = facts.truth(self, top) {
                restricted.set(top, Term::bool(value));
                continue;
            }
            let before = stack.len();
            let mut look = |t: Term| {
                let result = restricted.get(t);
                stack.extend(result.is_none().then_some(t));
                result
            };
            match *self.node(top).expect("a constant was left out above") {
                Node::Ite(c, a, b) => match look(c) {
                    None => {}
                    Some(Term::TRUE) => _ = look(a),
                    Some(Term::FALSE) => _ = look(b),
                    Some(_) => _ = [a, b].map(look),
                },
                _ => self.children(top, |child| _ = look(child)),
            }
            if stack.len() == before {
                let value = self.rebuilt(top, restricted);
                let value = self.distributed(facts, value, &mut { COMPARISONS });
                restricted.set(top, value);
            }
        }
        restricted.get(term).expect("it was walked last")
    }

    /// Whether a term stays what it is under every path condition: a constant, a symbol that is no condition, or one plus a constant.
    fn is_leaf(&self, term: Term) -> bool {
        match self.node(term) {
            None | Some(Node::Int(_) | Node::Bits { .. }) => true,
            Some(Node::Symbol(_)) => self.sort(term) != Sort::Bool,
            Some(Node::Sum(list, _)) => matches!(list.as_ref(), [(part, _)] if self.as_symbol(*part).is_some()),
            _ => false,
        }
    }

    /// A comparison of numbers that are choices as a choice between comparisons, of which many are known. Others as they are,
    /// or their truth.
    fn distributed(&mut self, facts: &mut Facts, term: Term, left: &mut usize) -> Term {
        match facts.truth(self, term) {
            Some(value) => Term::bool(value),
            None => self.distributed_open(facts, term, left),
        }
    }

    /// Likewise of a term whose truth is not known.
    fn distributed_open(&mut self, facts: &mut Facts, term: Term, left: &mut usize) -> Term {
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
        if *left == 0 || self.interrupt.is_raised() {
            return term;
        }
        *left -= 1;
        let [then, otherwise] = sides.map(|(a, b)| match facts.compared(self, term, a, b) {
            Some(Some(value)) => Term::bool(value),
            Some(None) => self.compared(term, a, b),
            None => {
                let comparison = self.compared(term, a, b);
                self.distributed(facts, comparison, left)
            }
        });
        // The path may speak of the choice itself. What it says must not depend on how the choice came about.
        let choice = self.ite(condition, then, otherwise);
        facts.truth_of_part(self, choice).map_or(choice, Term::bool)
    }

    /// A number as a choice between two; `None` if it is none, or if that is interrupted.
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
                    let mut parts = list.iter().enumerate();
                    parts.try_fold(start, |sum, (i, &(part, factor))| {
                        let sum = self.add_scaled(sum, factor, if i == at { choice } else { part });
                        (!self.interrupt.is_raised()).then_some(sum)
                    })
                };
                Some((condition, with(a)?, with(b)?))
            }
            _ => None,
        }
    }

    /// A condition with the values of a model in the place of all symbols but those that stay open. References must not depend on these.
    pub fn with_values(&mut self, condition: Term, model: &Model, is_open: impl Fn(Symbol) -> bool) -> Term {
        let mut restricted = Restricted::default();
        let mut open = FxHashSet::default();
        for part in self.postorder(&[condition]) {
            let mut depends = self.as_symbol(part).is_some_and(&is_open);
            self.children(part, |child| depends |= open.contains(&child));
            let value = match depends {
                true => None,
                false => self.eval(part, model).and_then(|value| self.of_value(part, value)),
            };
            open.extend(depends.then_some(part));
            let value = value.unwrap_or_else(|| self.rebuilt(part, &restricted));
            restricted.set(part, value);
        }
        restricted.get(condition).unwrap_or(condition)
    }

    /// The constant of a value that a term has. References, and integers beyond 64 bits, have none.
    fn of_value(&mut self, term: Term, value: Value) -> Option<Term> {
        Some(match (value, self.sort(term)) {
            (Value::Bool(value), _) => Term::bool(value),
            (Value::Int(value), _) => self.int(value.try_into().ok()?),
            (Value::Bits(value), Sort::Bits(width)) => self.bits(width, value),
            (Value::Float(bits), Sort::Float(width)) => self.float(width, bits),
            _ => return None,
        })
    }

    /// A node with its children replaced.
    fn rebuilt(&mut self, term: Term, restricted: &Restricted) -> Term {
        let new = |t: Term| restricted.get(t).unwrap_or(t);
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
            Node::WideAdd(a, factor, b) => self.add_scaled(new(a), factor, new(b)),
            Node::Class { .. } | Node::Symbol(_) | Node::Int(_) | Node::Bits { .. } | Node::FloatConstant { .. } => {
                term
            }
        }
    }
}
