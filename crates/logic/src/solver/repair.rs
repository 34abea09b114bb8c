//! Repairs: the known model of a path, changed in the few symbols that keep a guard from being true.
//!
//! Both sides of a branch are usually possible, and the known model is on one of them. The other side seldom asks for more than
//! one reference to be null, an alias or an object of its own, or for one number to move past another. A repaired model is
//! believed only if every clause evaluates to true; to find none means nothing.

use std::rc::Rc;

use crate::difference::{Differences, Reading, reading, unit};
use crate::eval::{Model, RefValue, Value};
use crate::path::{Group, mask};
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};

/// How many sets of literals are tried that would make the guard true.
const ALTERNATIVES: usize = 4;
/// How deep a condition is looked into for them.
const DEPTH: usize = 64;
/// How many ways to make the last literal of a set true.
const WAYS: usize = 12;

/// The stage. Few differences alone are decided as quickly.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let group = question.group();
    let is_quick = group.differences.as_ref().is_some_and(Differences::is_small);
    let known = question.known.as_deref().filter(|_| !is_quick)?;
    // Every clause but the guard is true in the known model.
    model(terms, group, known).map(|model| Reply::Fits(Rc::new(model)))
}

/// A model of a group, of which the last clause is the guard that the known model does not satisfy.
pub(crate) fn model(terms: &Terms, group: &Group, known: &Model) -> Option<Model> {
    let &guard = group.clauses.last()?;
    // The guard first, then the newest clauses: they refuse most attempts. What mentions no changed symbol is still true.
    let fits = |model: &Model, changed: u64| {
        if !terms.holds(guard, model) {
            return false;
        }
        let clauses = group.clauses.iter().rev().zip(group.masks.iter().rev()).skip(1);
        let mut touched = clauses.filter(|(_, symbols)| **symbols & changed != 0);
        touched.all(|(clause, _)| !terms.interrupt().is_raised() && terms.holds(*clause, model))
    };
    let mut changed = known.clone();
    for literals in alternatives(terms, known, guard, true, DEPTH) {
        let Some((&last, first)) = literals.split_last() else { continue };
        for way in 0..WAYS {
            if terms.interrupt().is_raised() {
                return None;
            }
            changed.clone_from(known);
            let mut repair = Repair { terms, group, model: &mut changed, symbols: 0 };
            let made = match first {
                [] => repair.turn(last, way),
                _ => first.iter().all(|&literal| repair.make(literal, 0)) && repair.make(last, way),
            };
            if !made {
                break;
            }
            let symbols = repair.symbols;
            // Classes belong to objects: what is said of one may come from several groups, and concern references that have not
            // changed. Without classes a clause depends on the values of its symbols alone.
            let is_model = || group.clauses.iter().all(|clause| terms.holds(*clause, &changed));
            if fits(&changed, symbols) && (!(known.has_classes() || changed.has_classes()) || is_model()) {
                debug_assert!(is_model());
                return Some(changed);
            }
        }
    }
    None
}

/// Sets of literals that are false in the model, each of which would give a term a value that it does not have; a few of them.
fn alternatives(terms: &Terms, model: &Model, term: Term, value: bool, depth: usize) -> Vec<Vec<(Term, bool)>> {
    let Some(node) = terms.node(term).filter(|_| depth > 0 && !terms.interrupt().is_raised()) else {
        return Vec::new();
    };
    let depth = depth - 1;
    match node {
        Node::Not(inner) => alternatives(terms, model, *inner, !value, depth),
        Node::And(list) if value => every(terms, model, list, value, depth),
        Node::Or(list) if !value => every(terms, model, list, value, depth),
        Node::And(list) | Node::Or(list) => {
            // The newest part first: it has the fewest clauses about it.
            let parts = list.iter().rev().flat_map(|part| alternatives(terms, model, *part, value, depth));
            parts.take(ALTERNATIVES).collect()
        }
        &Node::Ite(condition, a, b) if terms.sort(a) == Sort::Bool => {
            let side = if terms.holds(condition, model) { a } else { b };
            alternatives(terms, model, side, value, depth)
        }
        _ => vec![vec![(term, value)]],
    }
}

/// All parts are to have a value: one alternative of each, and the other alternatives of the last one that has any.
fn every(terms: &Terms, model: &Model, list: &[Term], value: bool, depth: usize) -> Vec<Vec<(Term, bool)>> {
    let mut all: Vec<Vec<(Term, bool)>> = vec![Vec::new()];
    for &part in list {
        if terms.holds(part, model) == value {
            continue;
        }
        let mut ways = alternatives(terms, model, part, value, depth);
        ways.truncate(ALTERNATIVES);
        if all.len() > 1 {
            ways.truncate(1);
        }
        let joined = all.iter().flat_map(|before| ways.iter().map(move |way| [&before[..], way].concat()));
        all = joined.collect();
    }
    all
}

struct Repair<'a> {
    terms: &'a Terms,
    group: &'a Group,
    model: &'a mut Model,
    /// A set that contains the symbols that have changed, see [`mask`].
    symbols: u64,
}

impl Repair<'_> {
    fn set(&mut self, symbol: Symbol, value: Value) {
        self.symbols |= mask(symbol);
        self.model.set(symbol, value);
    }

    /// Makes a literal true in one of several ways; `false` if there are no more.
    fn make(&mut self, (atom, value): (Term, bool), way: usize) -> bool {
        if self.terms.holds(atom, self.model) == value {
            // A literal before it did that already.
            return way == 0;
        }
        self.turn((atom, value), way)
    }

    /// Likewise of a literal that is known to be false.
    fn turn(&mut self, (atom, value): (Term, bool), way: usize) -> bool {
        match *self.terms.node(atom).expect("a constant is no literal") {
            Node::Symbol(symbol) => {
                self.set(symbol, Value::Bool(value));
                way == 0
            }
            Node::Eq(a, b) if self.terms.sort(a) == Sort::Ref => {
                let (a, b) = (self.chosen(a), self.chosen(b));
                if value { self.unite(a, b, way) } else { self.separate(a, b, way) }
            }
            Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) => {
                let (a, b) = (self.chosen(a), self.chosen(b));
                if value { self.order(a, b, -1, way) } else { self.order(b, a, 0, way) }
            }
            Node::Eq(a, b) if matches!(self.terms.sort(a), Sort::Int | Sort::Bits(_)) => {
                let (a, b) = (self.chosen(a), self.chosen(b));
                match (value, way % 2) {
                    (false, 0) => self.order(a, b, -1, way / 2),
                    (false, _) => self.order(b, a, -1, way / 2),
                    (true, _) => way == 0 && self.order(a, b, 0, 0) && self.order(b, a, 0, 0),
                }
            }
            _ => false,
        }
    }

    /// What a choice is under the model.
    fn chosen(&self, mut term: Term) -> Term {
        while let Some(&Node::Ite(condition, a, b)) = self.terms.node(term) {
            term = if self.terms.holds(condition, self.model) { a } else { b };
        }
        term
    }

    /// How many clauses a change of a symbol may break. Those met last on the path have the fewest about them.
    fn weight(&self, symbol: Symbol) -> usize {
        // Beyond the newest it makes no difference.
        self.group.masks.iter().rev().take(1 << 10).filter(|symbols| **symbols & mask(symbol) != 0).count()
    }

    /// The symbols of two leaves that may denote something else, the lighter one first.
    fn movable(&self, a: Term, b: Term) -> impl Iterator<Item = Symbol> + use<> {
        let symbol = |t: Term| self.terms.as_symbol(t).filter(|s| !self.terms.symbol_info(*s).unique);
        let (a, b) = match (symbol(a), symbol(b)) {
            (Some(a), Some(b)) if self.weight(a) > self.weight(b) => (Some(b), Some(a)),
            other => other,
        };
        a.into_iter().chain(b)
    }

    fn unite(&mut self, a: Term, b: Term, way: usize) -> bool {
        let Some(symbol) = self.movable(a, b).nth(way) else { return false };
        let other = if self.terms.as_symbol(a) == Some(symbol) { b } else { a };
        match self.terms.eval(other, self.model) {
            Some(Value::Ref(value)) => self.refer(symbol, value),
            _ => false,
        }
    }

    /// Another object for the lighter symbol: one of its own, null, or one of those known.
    fn separate(&mut self, a: Term, b: Term, way: usize) -> bool {
        let Some(symbol) = self.movable(a, b).next() else { return false };
        // What is not null has one way less.
        let way = if way > 0 && (a.is_null() || b.is_null()) { way + 1 } else { way };
        match way {
            0 => {
                self.leave(symbol);
                self.set(symbol, Value::Ref(RefValue::Input(symbol)));
                self.set_class(symbol, self.terms.symbol_info(symbol).classes[0].0);
                true
            }
            1 => self.refer(symbol, RefValue::Null),
            _ => {
                let objects = self.model.values().filter_map(|(name, value)| match value {
                    Value::Ref(RefValue::Input(object)) if object == name && object != symbol => Some(object),
                    _ => None,
                });
                // The newest ones first; those that do not fit count as ways that fail.
                let object = objects.rev().filter(|object| self.may_denote(symbol, *object)).nth(way - 2);
                match object {
                    Some(object) => self.refer(symbol, RefValue::Input(object)),
                    None => false,
                }
            }
        }
    }

    /// Whether the object is of a class that the symbol's type admits, and no other symbol's alone.
    fn may_denote(&self, symbol: Symbol, object: Symbol) -> bool {
        let class = self.model.class(self.terms, object);
        let admits = |&(low, high): &(u32, u32)| low <= class && class <= high;
        !self.terms.symbol_info(object).unique && self.terms.symbol_info(symbol).classes.iter().any(admits)
    }

    fn refer(&mut self, symbol: Symbol, value: RefValue) -> bool {
        match value {
            RefValue::Input(object) if !self.may_denote(symbol, object) => return false,
            RefValue::Location(_) => return false,
            _ => {}
        }
        self.leave(symbol);
        self.set(symbol, Value::Ref(value));
        true
    }

    /// A symbol will denote another object. If its own is denoted by others too, these name it from now on.
    fn leave(&mut self, symbol: Symbol) {
        let own = Value::Ref(RefValue::Input(symbol));
        let heir = self.model.values().find(|(s, value)| *s != symbol && *value == own);
        if let Some((heir, _)) = heir {
            let class = self.model.class(self.terms, symbol);
            for (name, _) in self.model.values().filter(|(_, value)| *value == own) {
                self.symbols |= mask(name);
            }
            self.model.rename(symbol, heir);
            self.set_class(heir, class);
        }
    }

    fn set_class(&mut self, object: Symbol, class: u32) {
        if self.model.class(self.terms, object) != class {
            // What is said of an object's class may concern every reference to it.
            self.symbols = u64::MAX;
            self.model.set_class(object, class);
        }
    }

    /// Makes `a ≤ b + more` true: by moving the lighter symbol as little as possible, also with everything beyond its new place
    /// out of its way, or by moving the other one.
    fn order(&mut self, a: Term, b: Term, more: i128, way: usize) -> bool {
        let (Some((low, c)), Some((high, d))) = (unit(self.terms, a), unit(self.terms, b)) else { return false };
        let (low_reading, high_reading) = (reading(self.terms, a), reading(self.terms, b));
        let bound = d - c + more;
        let (Some(low_value), Some(high_value)) = (self.number(low, low_reading), self.number(high, high_reading))
        else {
            return false;
        };
        // low − high ≤ bound.
        let low_is_lighter = match (low, high) {
            (Some(low), Some(high)) => self.weight(low) <= self.weight(high),
            (low, _) => low.is_some(),
        };
        let move_low = (way < 2) == low_is_lighter;
        let (symbol, number, reading) = match move_low {
            true => (low, high_value + bound, low_reading),
            false => (high, low_value - bound, high_reading),
        };
        let Some(symbol) = symbol else { return false };
        if way > 3 {
            return false;
        }
        if way % 2 == 1 {
            self.make_room(symbol, number, move_low);
        }
        self.set_number(symbol, number, reading)
    }

    /// Moves the integers at a place and beyond it by one, away from it, in the direction in which `symbol` comes.
    fn make_room(&mut self, symbol: Symbol, place: i128, downwards: bool) {
        let symbols = &mut self.symbols;
        self.model.change(|name, value| {
            if let Value::Int(number) = value
                && name != symbol
            {
                match downwards {
                    true if *number <= place => *number -= 1,
                    false if *number >= place => *number += 1,
                    _ => return,
                }
                *symbols |= mask(name);
            }
        });
    }

    fn number(&self, symbol: Option<Symbol>, reading: Option<Reading>) -> Option<i128> {
        let Some(symbol) = symbol else { return Some(0) };
        match (self.model.value(self.terms, symbol), reading) {
            // Far from the limits of the arithmetic here.
            (Value::Int(value), _) if value.abs() < 1 << 100 => Some(value),
            (Value::Bits(bits), Some(reading)) => Some(reading.integer(bits)),
            _ => None,
        }
    }

    fn set_number(&mut self, symbol: Symbol, number: i128, reading: Option<Reading>) -> bool {
        let value = match reading {
            None => Value::Int(number),
            Some(reading) if (reading.low()..=reading.high()).contains(&number) => Value::Bits(reading.bits(number)),
            Some(_) => return false,
        };
        self.set(symbol, value);
        true
    }
}
