//! Bounds: what the integers of a group are at least and at most, and its truth values, found by passing intervals through the
//! clauses until they grow no tighter. That refutes most guards that contradict their path, at a fraction of what a search by cases
//! costs. To refute nothing means nothing.
//!
//! A group keeps what was found, and a longer one begins there: only what the new clause touches is gone through again.

use std::rc::Rc;

use crate::path::{Group, mask};
use crate::ranges::{ALL, HIGH, Kept, LARGEST, LOW, Range, plus};
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::{Node, Sort, Symbol, Term, Terms};

/// How often the clauses are gone through.
const ROUNDS: usize = 8;
/// Nodes looked at before the stage gives up.
const WORK: usize = 4_000;
/// How deep terms and disjunctions are looked into.
const DEPTH: usize = 24;
/// Groups of more symbols are left to others: what there is to look at would be used up before anything comes of it.
const MOST: usize = 256;

/// The stage. Groups of differences alone are decided as quickly.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let group = question.group_mut();
    (group.differences.is_none() && refutes(terms, group)).then_some(Reply::Unsat)
}

/// Whether the clauses of a group contradict each other for sure. Otherwise the group keeps what was found.
pub(crate) fn refutes(terms: &Terms, group: &mut Group) -> bool {
    if group.symbols.len() > MOST {
        return false;
    }
    let symbols: Vec<Symbol> = group.symbols.iter().map(|(symbol, ())| *symbol).collect();
    let range = |symbol: &Symbol| match terms.symbol_info(*symbol).sort {
        Sort::Bool => Some(Range { low: 0, high: 1 }),
        Sort::Int => Some(ALL),
        _ => None,
    };
    // Where there are other sorts, something else decides.
    let Some(mut ranges) = symbols.iter().map(range).collect::<Option<Vec<Range>>>() else { return false };
    if let Some(found) = &group.kept.found {
        // Both lists are sorted, and the longer one has all symbols.
        let mut at = 0;
        for (symbol, range) in found.0.iter().zip(&found.1) {
            while symbols[at] != *symbol {
                at += 1;
            }
            ranges[at] = *range;
        }
    }
    let mut bounds = Bounds { terms, symbols: &symbols, ranges, changed: 0, work: WORK, depth: DEPTH };
    let mut stale = group.kept.stale;
    for _ in 0..ROUNDS {
        // The newest first: the others are as they were.
        for (clause, mentioned) in group.clauses.iter().rev().zip(group.masks.iter().rev()) {
            if mentioned & (stale | bounds.changed) != 0 && !bounds.assume(*clause, true) {
                return true;
            }
        }
        stale = std::mem::take(&mut bounds.changed);
        if stale == 0 || bounds.work == 0 {
            break;
        }
    }
    let ranges = bounds.ranges;
    group.kept = Kept { found: Some(Rc::new((symbols, ranges))), stale };
    false
}

struct Bounds<'a> {
    terms: &'a Terms,
    /// Sorted; their ranges are beside them.
    symbols: &'a [Symbol],
    ranges: Vec<Range>,
    /// A set that contains the symbols whose ranges have changed, see [`mask`].
    changed: u64,
    work: usize,
    depth: usize,
}

impl Bounds<'_> {
    /// Whether there is enough time to look at one more node.
    fn looks(&mut self) -> bool {
        self.work = self.work.saturating_sub(1);
        self.work > 0
    }

    fn at(&self, symbol: Symbol) -> usize {
        self.symbols.binary_search(&symbol).expect("a symbol of the group")
    }

    fn narrow(&mut self, symbol: Symbol, to: Range) -> bool {
        let range = &mut self.ranges[self.symbols.binary_search(&symbol).expect("a symbol of the group")];
        let new = Range { low: range.low.max(to.low), high: range.high.min(to.high) };
        if new != *range {
            *range = new;
            self.changed |= mask(symbol);
        }
        new.low <= new.high
    }

    /// What an integer can be.
    fn range(&mut self, term: Term, depth: usize) -> Range {
        if let Some(value) = self.terms.as_int(term) {
            return Range::of(value);
        }
        let terms = self.terms;
        let Some(node) = terms.node(term).filter(|_| depth > 0 && self.looks()) else { return ALL };
        match node {
            Node::Symbol(symbol) => self.ranges[self.at(*symbol)],
            Node::Sum(list, constant) => {
                let parts = list.iter().map(|(part, factor)| self.range(*part, depth - 1).times(*factor));
                parts.fold(Range::of(*constant), Range::plus)
            }
            &Node::Ite(condition, a, b) => match self.truth(condition, depth - 1) {
                Some(true) => self.range(a, depth - 1),
                Some(false) => self.range(b, depth - 1),
                None => self.range(a, depth - 1).hull(self.range(b, depth - 1)),
            },
            _ => ALL,
        }
    }

    /// What is known of a condition.
    fn truth(&mut self, term: Term, depth: usize) -> Option<bool> {
        if let Some(value) = term.as_bool() {
            return Some(value);
        }
        let terms = self.terms;
        match terms.node(term).filter(|_| depth > 0 && self.looks())? {
            Node::Symbol(symbol) => match self.ranges[self.at(*symbol)] {
                Range { low: 1, .. } => Some(true),
                Range { high: 0, .. } => Some(false),
                _ => None,
            },
            Node::Not(inner) => self.truth(*inner, depth - 1).map(|value| !value),
            Node::And(list) => self.junction(list, true, depth - 1),
            Node::Or(list) => self.junction(list, false, depth - 1),
            &Node::Lt(a, b) => {
                let (a, b) = (self.range(a, depth - 1), self.range(b, depth - 1));
                match (a.high < b.low, a.low >= b.high) {
                    (true, _) => Some(true),
                    (_, is_false) => is_false.then_some(false),
                }
            }
            &Node::Eq(a, b) if terms.sort(a) == Sort::Int => {
                let (a, b) = (self.range(a, depth - 1), self.range(b, depth - 1));
                match a.low == a.high && a == b {
                    true => Some(true),
                    false => (!a.meets(b)).then_some(false),
                }
            }
            &Node::Ite(condition, a, b) => match self.truth(condition, depth - 1)? {
                true => self.truth(a, depth - 1),
                false => self.truth(b, depth - 1),
            },
            _ => None,
        }
    }

    fn junction(&mut self, list: &[Term], conjunction: bool, depth: usize) -> Option<bool> {
        let mut all = Some(conjunction);
        for part in list {
            match self.truth(*part, depth) {
                Some(value) if value != conjunction => return Some(value),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    /// Assumes that a condition has a value; `false` if that contradicts the ranges.
    fn assume(&mut self, term: Term, value: bool) -> bool {
        if let Some(constant) = term.as_bool() {
            return constant == value;
        }
        let terms = self.terms;
        let Some(node) = terms.node(term).filter(|_| self.depth > 0 && self.looks()) else { return true };
        self.depth -= 1;
        let possible = self.assume_node(node, value);
        self.depth += 1;
        possible
    }

    fn assume_node(&mut self, node: &Node, value: bool) -> bool {
        match node {
            Node::Symbol(symbol) => self.narrow(*symbol, Range::of(value as i64)),
            Node::Not(inner) => self.assume(*inner, !value),
            Node::And(list) if value => list.iter().all(|part| self.assume(*part, true)),
            Node::Or(list) if !value => list.iter().all(|part| self.assume(*part, false)),
            Node::And(list) | Node::Or(list) => self.assume_some(list, value),
            &Node::Ite(condition, a, b) => match self.truth(condition, DEPTH) {
                Some(true) => self.assume(a, value),
                Some(false) => self.assume(b, value),
                None if self.truth(a, DEPTH) == Some(!value) => self.assume(condition, false) && self.assume(b, value),
                None if self.truth(b, DEPTH) == Some(!value) => self.assume(condition, true) && self.assume(a, value),
                None => true,
            },
            &Node::Lt(a, b) if value => self.order(a, b, -1),
            &Node::Lt(a, b) => self.order(b, a, 0),
            &Node::Eq(a, b) if self.terms.sort(a) == Sort::Int => match value {
                true => self.order(a, b, 0) && self.order(b, a, 0),
                false => self.differ(a, b) && self.differ(b, a),
            },
            _ => true,
        }
    }

    /// One of several conditions has a value.
    fn assume_some(&mut self, list: &[Term], value: bool) -> bool {
        let (mut first, mut number) = (None, 0);
        for part in list {
            match self.truth(*part, DEPTH) {
                Some(known) if known == value => return true,
                Some(_) => {}
                None => {
                    first = first.or(Some(*part));
                    number += 1;
                }
            }
        }
        match first {
            None => false,
            Some(only) if number == 1 => self.assume(only, value),
            Some(_) => self.assume_one_of(list, value),
        }
    }

    /// What all of the cases have in common that are left.
    fn assume_one_of(&mut self, list: &[Term], value: bool) -> bool {
        let (before, changed) = (self.ranges.clone(), self.changed);
        let mut common: Option<Vec<Range>> = None;
        for part in list {
            self.ranges.copy_from_slice(&before);
            self.changed = 0;
            if !self.assume(*part, value) {
                continue;
            }
            if self.changed == 0 {
                // This case says nothing new, so all together do not.
                self.changed = changed;
                return true;
            }
            match &mut common {
                None => common = Some(self.ranges.clone()),
                Some(all) => all.iter_mut().zip(&self.ranges).for_each(|(all, here)| *all = all.hull(*here)),
            }
        }
        self.changed = changed;
        let Some(common) = common else { return false };
        for ((symbol, old), new) in self.symbols.iter().zip(&before).zip(&common) {
            if old != new {
                self.changed |= mask(*symbol);
            }
        }
        self.ranges = common;
        true
    }

    /// The symbol and the constant of a term that is the sum of these, or one of them.
    fn leaf(&self, term: Term) -> Option<(Option<Symbol>, i64)> {
        if let Some(value) = self.terms.as_int(term) {
            return Some((None, value));
        }
        let (symbol, constant) = match self.terms.node(term)? {
            Node::Symbol(symbol) => (*symbol, 0),
            Node::Sum(list, constant) => match **list {
                [(part, 1)] => (self.terms.as_symbol(part)?, *constant),
                _ => return None,
            },
            _ => return None,
        };
        Some((Some(symbol), constant))
    }

    /// `a ≤ b + more`.
    fn order(&mut self, a: Term, b: Term, more: i64) -> bool {
        if let (Some((a, c)), Some((b, d))) = (self.leaf(a), self.leaf(b))
            && [c, d].iter().all(|constant| constant.unsigned_abs() <= LARGEST as u64)
        {
            return self.order_leaves(a, b, d + more - c);
        }
        let most = Range { low: LOW, ..self.range(b, DEPTH) }.plus(Range::of(more));
        if !self.bound(a, most, DEPTH) {
            return false;
        }
        let least = Range { high: HIGH, ..self.range(a, DEPTH) }.plus(Range::of(-more));
        self.bound(b, least, DEPTH)
    }

    /// `a ≤ b + more`, where nothing stands for 0.
    fn order_leaves(&mut self, a: Option<Symbol>, b: Option<Symbol>, more: i64) -> bool {
        let range = |name: Option<Symbol>| name.map_or(Range::of(0), |symbol| self.ranges[self.at(symbol)]);
        let (most, least) = (plus(range(b).high, more, HIGH), plus(range(a).low, -more, LOW));
        let at_most = |name: Option<Symbol>, bounds: &mut Self| match name {
            Some(symbol) => bounds.narrow(symbol, Range { low: LOW, high: most }),
            None => most >= 0,
        };
        let at_least = |name: Option<Symbol>, bounds: &mut Self| match name {
            Some(symbol) => bounds.narrow(symbol, Range { low: least, high: HIGH }),
            None => least <= 0,
        };
        at_most(a, self) && at_least(b, self)
    }

    /// `a ≠ b`, where `b` can be but one number.
    fn differ(&mut self, a: Term, b: Term) -> bool {
        let (range, other) = (self.range(a, DEPTH), self.range(b, DEPTH));
        match other.low == other.high {
            true if range == other => false,
            true if range.low == other.low => self.bound(a, Range { low: other.low + 1, high: HIGH }, DEPTH),
            true if range.high == other.low => self.bound(a, Range { low: LOW, high: other.low - 1 }, DEPTH),
            _ => true,
        }
    }

    /// An integer is in a range.
    fn bound(&mut self, term: Term, to: Range, depth: usize) -> bool {
        if let Some(value) = self.terms.as_int(term) {
            return to.meets(Range::of(value));
        }
        let terms = self.terms;
        let Some(node) = terms.node(term).filter(|_| depth > 0 && self.looks()) else { return true };
        match node {
            Node::Symbol(symbol) => self.narrow(*symbol, to),
            Node::Sum(list, constant) => {
                let to = to.minus(Range::of(*constant));
                if let [(part, factor)] = **list {
                    return self.bound(part, to.divided(factor), depth - 1);
                }
                (0..list.len()).all(|at| {
                    if self.work == 0 {
                        return true;
                    }
                    let others = list.iter().enumerate().filter(|(other, _)| *other != at);
                    let rest = others
                        .map(|(_, (part, factor))| self.range(*part, depth - 1).times(*factor))
                        .fold(Range::of(0), Range::plus);
                    let (part, factor) = list[at];
                    let here = to.minus(rest).divided(factor);
                    self.bound(part, here, depth - 1)
                })
            }
            &Node::Ite(condition, a, b) => match self.truth(condition, depth - 1) {
                Some(true) => self.bound(a, to, depth - 1),
                Some(false) => self.bound(b, to, depth - 1),
                None if !self.range(a, depth - 1).meets(to) => {
                    self.assume(condition, false) && self.bound(b, to, depth - 1)
                }
                None if !self.range(b, depth - 1).meets(to) => {
                    self.assume(condition, true) && self.bound(a, to, depth - 1)
                }
                None => true,
            },
            _ => true,
        }
    }
}
