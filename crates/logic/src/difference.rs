//! Difference constraints `x − y ≤ c` over the integers, and order constraints on bit-vectors, decided without SMT.
//!
//! A satisfying assignment is kept; a new constraint that it violates is repaired by lowering values along the constraint
//! graph (Cotton and Maler's incremental scheme). If the repair comes back to where it started, the new constraint closes
//! a negative cycle and the set is unsatisfiable. Disequalities are split into `<` and `>` only where the assignment
//! violates them, and only so often: beyond that the stage abstains.
//!
//! A signed comparison of bit-vectors without arithmetic is a comparison of integers in the range of their width: of symbols,
//! extended symbols and constants. The ranges are looked at only if the assignment leaves one, so that such constraints cost
//! what those on integers cost. A symbol that is read both with and without its sign is not understood here.

pub(crate) mod incremental;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::eval::{Model, Value};
use crate::interrupt::Interrupt;
use crate::map::Map;
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};

/// `left − right ≤ bound`; `None` is the constant 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub left: Option<Symbol>,
    pub right: Option<Symbol>,
    pub bound: i128,
}

/// How the bits of a symbol are read as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    symbol: Symbol,
    width: u8,
    signed: bool,
}

impl Reading {
    pub(crate) fn low(&self) -> i128 {
        if self.signed { -(1 << (self.width - 1)) } else { 0 }
    }

    pub(crate) fn high(&self) -> i128 {
        if self.signed { (1 << (self.width - 1)) - 1 } else { (1 << self.width) - 1 }
    }

    pub(crate) fn integer(&self, bits: u64) -> i128 {
        if self.signed && bits >> (self.width - 1) & 1 == 1 { bits as i128 - (1 << self.width) } else { bits as i128 }
    }

    pub(crate) fn bits(&self, integer: i128) -> u64 {
        integer as u64 & (u64::MAX >> (64 - self.width))
    }
}

/// A number that constraints are about: a symbol, or the constant 0.
type Vertex = Option<Symbol>;

/// What a literal says.
#[derive(Clone, Copy)]
pub(crate) enum Constraint {
    /// `left − right ≤ bound`.
    AtMost(Edge),
    /// `left − right = bound`.
    Equal(Edge),
    /// `left − right ≠ bound`.
    Differ(Edge),
}

impl Constraint {
    /// The upper bounds that it sets.
    pub(crate) fn edges(self) -> impl Iterator<Item = Edge> {
        let (one, other) = match self {
            Constraint::AtMost(edge) => (Some(edge), None),
            Constraint::Equal(edge) => (Some(edge), Some(edge.turned())),
            Constraint::Differ(_) => (None, None),
        };
        one.into_iter().chain(other)
    }

    pub(crate) fn disequality(self) -> Option<Edge> {
        if let Constraint::Differ(edge) = self { Some(edge) } else { None }
    }
}

impl Edge {
    /// `right − left ≤ −bound`.
    fn turned(self) -> Edge {
        Edge { left: self.right, right: self.left, bound: -self.bound }
    }
}

/// For every pair, what `left − right` is not.
type Excluded = Map<(Vertex, Vertex), Map<i128, ()>>;

/// A conjunction of difference constraints and disequalities `left − right ≠ bound`. Copies share what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// The least of the upper bounds of `left − right`.
    bounds: Map<(Vertex, Vertex), i128>,
    excluded: Excluded,
    /// The bit-vectors among the symbols.
    readings: Map<Symbol, Reading>,
}

/// What the stage found.
pub enum Decision {
    Sat(Model),
    Unsat,
    /// Too many splits, numbers too large, or an interruption.
    Abstain,
}

/// How many disequality splits are tried before the stage abstains.
const MAX_SPLITS: u32 = 64;
/// How many pairs of numbers are few.
const SMALL: usize = 64;
/// Values start below this, and bounds have less than 66 bits, so that sums of them cannot overflow.
const MAX_VALUE: i128 = 1 << 100;

impl Differences {
    /// Adds the constraints of another group; `false` (and an unusable set) if the two read a symbol differently.
    pub(crate) fn join(&mut self, other: &Differences) -> bool {
        for &((left, right), bound) in other.bounds.iter() {
            self.bound(Edge { left, right, bound });
        }
        for &(pair, ref excluded) in other.excluded.iter() {
            match self.excluded.get_mut(pair) {
                Some(known) => known.absorb(excluded),
                None => _ = self.excluded.insert(pair, excluded.clone()),
            }
        }
        other.readings.iter().all(|(_, reading)| self.read(*reading))
    }

    /// Notes how a symbol is read; `false` if it is already read in another way.
    fn read(&mut self, reading: Reading) -> bool {
        match self.readings.get(reading.symbol) {
            Some(known) => *known == reading,
            None => {
                self.readings.insert(reading.symbol, reading);
                true
            }
        }
    }

    fn reading(&self, symbol: Symbol) -> Option<&Reading> {
        self.readings.get(symbol)
    }

    fn bound(&mut self, Edge { left, right, bound }: Edge) {
        if self.bounds.get((left, right)).is_none_or(|least| bound < *least) {
            self.bounds.insert((left, right), bound);
        }
    }

    fn exclude(&mut self, Edge { left, right, bound }: Edge) {
        match self.excluded.get_mut((left, right)) {
            Some(known) => _ = known.insert(bound, ()),
            None => {
                let mut excluded = Map::EMPTY;
                excluded.insert(bound, ());
                self.excluded.insert((left, right), excluded);
            }
        }
    }

    /// Whether there are so few that to decide them all is as quick as to look at those that a change touches.
    pub(crate) fn is_small(&self) -> bool {
        self.bounds.len() + self.excluded.len() <= SMALL
    }

    /// Whether a model, which has all of their symbols, satisfies them.
    pub(crate) fn hold_in(&self, model: &Model) -> bool {
        let number = |vertex: Vertex| match vertex {
            None => Some(0),
            Some(symbol) => match (model.get(symbol)?, self.reading(symbol)) {
                (Value::Int(value), None) => Some(value),
                (Value::Bits(bits), Some(reading)) => Some(reading.integer(bits)),
                _ => None,
            },
        };
        let difference = |(left, right): (Vertex, Vertex)| number(left)?.checked_sub(number(right)?);
        self.bounds.iter().all(|&(pair, bound)| difference(pair).is_some_and(|value| value <= bound))
            && self
                .excluded
                .iter()
                .all(|&(pair, ref excluded)| difference(pair).is_some_and(|value| !excluded.contains(value)))
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.bounds.iter().map(|&((left, right), bound)| Edge { left, right, bound })
    }

    /// Adds a clause; `false` (and an unusable set) if it is not a conjunction of such constraints.
    pub(crate) fn add(&mut self, terms: &Terms, clause: Term) -> bool {
        match terms.node(clause) {
            Some(Node::And(list)) => list.iter().all(|part| self.add(terms, *part)),
            Some(Node::Not(inner)) => self.add_literal(terms, *inner, false),
            _ => self.add_literal(terms, clause, true),
        }
    }

    /// Adds an atom or its negation; `false`, and no constraint is added, if it is none of these.
    fn add_literal(&mut self, terms: &Terms, atom: Term, positive: bool) -> bool {
        let constraint = self.understand(terms, atom, positive);
        if let Some(constraint) = constraint {
            self.enter(constraint);
        }
        constraint.is_some()
    }

    /// What an atom or its negation says, if it is one of these constraints; its symbols are noted as they are read.
    pub(crate) fn understand(&mut self, terms: &Terms, atom: Term, positive: bool) -> Option<Constraint> {
        match terms.node(atom) {
            Some(&Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b)) => {
                let edge = self.difference(terms, a, b)?;
                // a < b: left − right ≤ bound − 1, where left − right + (−bound) = a − b. b ≤ a: right − left ≤ −bound.
                let edge = if positive { Edge { bound: edge.bound - 1, ..edge } } else { edge.turned() };
                Some(Constraint::AtMost(edge))
            }
            Some(&Node::Eq(a, b)) => {
                let edge = self.difference(terms, a, b)?;
                Some(if positive { Constraint::Equal(edge) } else { Constraint::Differ(edge) })
            }
            _ => None,
        }
    }

    pub(crate) fn enter(&mut self, constraint: Constraint) {
        constraint.edges().for_each(|edge| self.bound(edge));
        if let Some(edge) = constraint.disequality() {
            self.exclude(edge);
        }
    }

    /// Finds an assignment, starting from `start` (of which only hints are taken).
    pub(crate) fn decide(&self, start: &Model, interrupt: &Interrupt) -> Decision {
        match self.attempt(start, false, interrupt) {
            Attempt::OutOfRange => match self.attempt(start, true, interrupt) {
                Attempt::Decided(decision) => decision,
                Attempt::OutOfRange => unreachable!("the ranges were constraints"),
            },
            Attempt::Decided(decision) => decision,
        }
    }

    /// Decides the constraints; with those of the ranges, or hoping that these are kept anyway.
    fn attempt(&self, start: &Model, ranges: bool, interrupt: &Interrupt) -> Attempt {
        let mut graph = Graph::default();
        // Satisfied edges first: they never need a repair on the way in.
        let pairs = self.bounds.iter().map(|(pair, _)| pair).chain(self.excluded.iter().map(|(pair, _)| pair));
        for &(left, right) in pairs {
            if interrupt.is_raised() {
                return Attempt::Decided(Decision::Abstain);
            }
            graph.vertex(left, || self.hint(left, start));
            graph.vertex(right, || self.hint(right, start));
        }
        if graph.values.iter().any(|v| v.abs() > MAX_VALUE) {
            return Attempt::Decided(Decision::Abstain);
        }
        if ranges {
            graph.vertex(None, || 0);
            for (_, reading) in self.readings.iter() {
                let symbol = Some(reading.symbol);
                graph.vertex(symbol, || self.hint(symbol, start));
                // A hint is in range: these never fail.
                graph.assume(&Edge { left: symbol, right: None, bound: reading.high() }, interrupt);
                graph.assume(&Edge { left: None, right: symbol, bound: -reading.low() }, interrupt);
            }
        }
        for edge in self.edges() {
            match graph.assume(&edge, interrupt) {
                Some(true) => {}
                Some(false) => return Attempt::Decided(Decision::Unsat),
                None => return Attempt::Decided(Decision::Abstain),
            }
        }
        let mut splits = MAX_SPLITS;
        match graph.separate(&self.excluded, &mut splits, interrupt) {
            Some(true) => self.model(&graph).map_or(Attempt::OutOfRange, |m| Attempt::Decided(Decision::Sat(m))),
            Some(false) => Attempt::Decided(Decision::Unsat),
            None => Attempt::Decided(Decision::Abstain),
        }
    }

    /// The value that a model gives to a vertex, as an integer.
    fn hint(&self, name: Option<Symbol>, start: &Model) -> i128 {
        let Some(symbol) = name else { return 0 };
        match (start.get(symbol), self.reading(symbol)) {
            (Some(Value::Int(value)), _) => value,
            (Some(Value::Bits(bits)), Some(reading)) => reading.integer(bits),
            _ => 0,
        }
    }

    /// The assignment of a graph; `None` if it leaves a range.
    fn model(&self, graph: &Graph) -> Option<Model> {
        let mut values = Vec::with_capacity(graph.names.len());
        for (symbol, value) in graph.assignment() {
            let value = match self.reading(symbol) {
                None => Value::Int(value),
                Some(reading) if (reading.low()..=reading.high()).contains(&value) => Value::Bits(reading.bits(value)),
                Some(_) => return None,
            };
            values.push((symbol, value));
        }
        Some(Model::of(values))
    }

    /// `a − b = left − right − bound`, if that is so for some symbols, which are then noted as they are read.
    fn difference(&mut self, terms: &Terms, a: Term, b: Term) -> Option<Edge> {
        let (left, c) = unit(terms, a)?;
        let (right, d) = unit(terms, b)?;
        for reading in [reading(terms, a), reading(terms, b)].into_iter().flatten() {
            if !self.read(reading) {
                return None;
            }
        }
        Some(Edge { left, right, bound: d - c })
    }
}

enum Attempt {
    Decided(Decision),
    /// Satisfiable, but the assignment leaves a range.
    OutOfRange,
}

/// Whether a comparison of two numbers can be one that this stage is about.
pub(crate) fn is_comparison(terms: &Terms, a: Term, b: Term) -> bool {
    match terms.sort(a) {
        Sort::Int => true,
        Sort::Bits(_) => is_order_leaf(terms, a) && is_order_leaf(terms, b),
        _ => false,
    }
}

/// Whether a bit-vector is one that order constraints are about: a constant, a symbol, or an extended symbol.
pub(crate) fn is_order_leaf(terms: &Terms, term: Term) -> bool {
    terms.as_bits(term).is_some() || reading(terms, term).is_some()
}

/// The symbol behind a bit-vector and how it is read; `None` for all other terms. An extension has more bits than the symbol,
/// so that its signed value is the integer that the symbol is read as.
pub(crate) fn reading(terms: &Terms, term: Term) -> Option<Reading> {
    let (symbol, inner, signed) = match *terms.node(term)? {
        Node::Symbol(symbol) => (symbol, term, true),
        Node::Extend { signed, term: inner, .. } => (terms.as_symbol(inner)?, inner, signed),
        _ => return None,
    };
    match terms.sort(inner) {
        Sort::Bits(width) => Some(Reading { symbol, width, signed }),
        _ => None,
    }
}

/// A term of the form `symbol + constant` or `constant`.
pub(crate) fn unit(terms: &Terms, term: Term) -> Option<(Option<Symbol>, i128)> {
    if let Some(value) = terms.as_int(term) {
        return Some((None, value as i128));
    }
    if let Some((width, value)) = terms.as_bits(term) {
        let shift = 64 - width as u32;
        return Some((None, (((value << shift) as i64) >> shift) as i128));
    }
    match terms.node(term)? {
        Node::Symbol(symbol) if matches!(terms.sort(term), Sort::Int | Sort::Bits(_)) => Some((Some(*symbol), 0)),
        Node::Extend { .. } => reading(terms, term).map(|reading| (Some(reading.symbol), 0)),
        Node::Sum(list, constant) => match list.as_ref() {
            [(part, 1)] => Some((Some(terms.as_symbol(*part)?), *constant as i128)),
            _ => None,
        },
        _ => None,
    }
}

/// The constraint graph with its current assignment.
#[derive(Clone, Default)]
struct Graph {
    names: Vec<Vertex>,
    /// Where each is, once there are many.
    places: FxHashMap<Vertex, usize>,
    values: Vec<i128>,
    edges: Vec<(usize, usize, i128)>,
}

/// So many vertices are gone through one by one.
const FEW: usize = 24;

impl Graph {
    fn vertex(&mut self, name: Vertex, value: impl FnOnce() -> i128) {
        if self.find(name).is_none() {
            self.enter(name, value());
        }
    }

    fn enter(&mut self, name: Vertex, value: i128) -> usize {
        let at = self.names.len();
        self.names.push(name);
        self.values.push(value);
        match at {
            ..FEW => {}
            FEW => self.places = self.names.iter().enumerate().map(|(at, name)| (*name, at)).collect(),
            _ => _ = self.places.insert(name, at),
        }
        at
    }

    fn find(&self, name: Vertex) -> Option<usize> {
        match self.places.is_empty() {
            true => self.names.iter().position(|n| *n == name),
            false => self.places.get(&name).copied(),
        }
    }

    fn place(&self, name: Vertex) -> usize {
        self.find(name).expect("every vertex was entered first")
    }

    /// Adds `left − right ≤ bound` and repairs the assignment; `Some(false)` if that closes a negative cycle, `None` if it is
    /// interrupted.
    fn assume(&mut self, edge: &Edge, interrupt: &Interrupt) -> Option<bool> {
        if interrupt.is_raised() {
            return None;
        }
        let (left, right) = (self.place(edge.left), self.place(edge.right));
        if left == right {
            return Some(edge.bound >= 0);
        }
        self.edges.push((left, right, edge.bound));
        let wanted = self.values[right] + edge.bound;
        if self.values[left] <= wanted {
            return Some(true);
        }
        self.values[left] = wanted;
        let mut lowered = VecDeque::from([left]);
        while let Some(vertex) = lowered.pop_front() {
            if interrupt.is_raised() {
                return None;
            }
            for i in 0..self.edges.len() {
                let (x, y, bound) = self.edges[i];
                if y == vertex && self.values[x] > self.values[y] + bound {
                    if x == right {
                        return Some(false);
                    }
                    self.values[x] = self.values[y] + bound;
                    lowered.push_back(x);
                }
            }
        }
        Some(true)
    }

    /// Makes every disequality true, splitting those the assignment violates. `None`: gave up.
    fn separate(&mut self, excluded: &Excluded, splits: &mut u32, interrupt: &Interrupt) -> Option<bool> {
        let violated = excluded.iter().find_map(|&((left, right), ref excluded)| {
            let bound = self.values[self.place(left)] - self.values[self.place(right)];
            excluded.contains(bound).then_some(Edge { left, right, bound })
        });
        let Some(d) = violated else { return Some(true) };
        let below = Edge { bound: d.bound - 1, ..d };
        let above = Edge { left: d.right, right: d.left, bound: -d.bound - 1 };
        for side in [below, above] {
            if *splits == 0 {
                return None;
            }
            *splits -= 1;
            let mut tried = self.clone();
            if tried.assume(&side, interrupt)? {
                match tried.separate(excluded, splits, interrupt) {
                    Some(false) => {}
                    done => {
                        *self = tried;
                        return done;
                    }
                }
            }
        }
        Some(false)
    }

    /// The assignment, shifted so that the constant 0 is 0.
    fn assignment(&self) -> impl Iterator<Item = (Symbol, i128)> {
        let zero = self.find(None).map_or(0, |i| self.values[i]);
        self.names.iter().zip(&self.values).filter_map(move |(name, value)| Some(((*name)?, value - zero)))
    }
}
