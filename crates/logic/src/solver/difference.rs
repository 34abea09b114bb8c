//! Difference constraints `x − y ≤ c` over the integers, decided without SMT.
//!
//! A satisfying assignment is kept; a new constraint that it violates is repaired by lowering values along the constraint
//! graph (Cotton and Maler's incremental scheme). If the repair comes back to where it started, the new constraint closes
//! a negative cycle and the set is unsatisfiable. Disequalities are split into `<` and `>` only where the assignment
//! violates them, and only so often: beyond that the stage abstains.

use std::collections::VecDeque;

use crate::eval::{Model, Value};
use crate::term::{Node, Sort, Symbol, Term, Terms};

/// `left − right ≤ bound`; `None` is the constant 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub left: Option<Symbol>,
    pub right: Option<Symbol>,
    pub bound: i64,
}

/// A conjunction of difference constraints and disequalities `left − right ≠ bound`.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    edges: Vec<Edge>,
    disequalities: Vec<Edge>,
}

/// What the stage found.
pub enum Decision {
    Sat(Model),
    Unsat,
    /// Too many splits, or numbers too large.
    Abstain,
}

/// How many disequality splits are tried before the stage abstains.
const MAX_SPLITS: u32 = 64;
/// Bounds and values stay below these, so that sums of them cannot overflow.
const MAX_BOUND: i64 = 1 << 55;
const MAX_VALUE: i128 = 1 << 100;

impl Differences {
    pub(crate) fn join(&mut self, other: &Differences) {
        self.edges.extend_from_slice(&other.edges);
        self.disequalities.extend_from_slice(&other.disequalities);
    }

    /// Adds a clause; `false` (and an unusable set) if it is not a conjunction of such constraints.
    pub(crate) fn add(&mut self, terms: &Terms, clause: Term) -> bool {
        match terms.node(clause) {
            Some(Node::And(list)) => list.iter().all(|part| self.add(terms, *part)),
            Some(Node::Not(inner)) => self.add_literal(terms, *inner, false),
            _ => self.add_literal(terms, clause, true),
        }
    }

    /// Adds an atom or its negation.
    pub(crate) fn add_literal(&mut self, terms: &Terms, atom: Term, positive: bool) -> bool {
        match terms.node(atom) {
            Some(&Node::Lt(a, b)) => match difference(terms, a, b) {
                // a < b: left − right ≤ bound − 1, where left − right + (−bound) = a − b.
                Some(edge) if positive => self.push(Edge { bound: edge.bound - 1, ..edge }),
                // b ≤ a: right − left ≤ −bound.
                Some(edge) => self.push(Edge { left: edge.right, right: edge.left, bound: -edge.bound }),
                None => false,
            },
            Some(&Node::Eq(a, b)) if terms.sort(a) == Sort::Int => match difference(terms, a, b) {
                Some(edge) if positive => {
                    self.push(edge) && self.push(Edge { left: edge.right, right: edge.left, bound: -edge.bound })
                }
                Some(edge) => {
                    self.disequalities.push(edge);
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    fn push(&mut self, edge: Edge) -> bool {
        self.edges.push(edge);
        true
    }

    /// Finds an assignment, starting from `start` (of which only hints are taken).
    pub(crate) fn decide(&self, start: &Model) -> Decision {
        let mut graph = Graph::default();
        // Satisfied edges first: they never need a repair on the way in.
        for edge in self.edges.iter().chain(&self.disequalities) {
            graph.vertex(edge.left, start);
            graph.vertex(edge.right, start);
        }
        if graph.values.iter().any(|v| v.abs() > MAX_VALUE) {
            return Decision::Abstain;
        }
        for edge in &self.edges {
            if !graph.assume(edge) {
                return Decision::Unsat;
            }
        }
        let mut splits = MAX_SPLITS;
        match graph.separate(&self.disequalities, &mut splits) {
            Some(true) => Decision::Sat(graph.model()),
            Some(false) => Decision::Unsat,
            None => Decision::Abstain,
        }
    }
}

/// `a − b = left − right − bound`, if that is so for some unit symbols.
fn difference(terms: &Terms, a: Term, b: Term) -> Option<Edge> {
    let (left, c) = unit(terms, a)?;
    let (right, d) = unit(terms, b)?;
    let bound = d.checked_sub(c)?;
    (bound.unsigned_abs() < MAX_BOUND as u64).then_some(Edge { left, right, bound })
}

/// A term of the form `symbol + constant` or `constant`.
fn unit(terms: &Terms, term: Term) -> Option<(Option<Symbol>, i64)> {
    if let Some(value) = terms.as_int(term) {
        return Some((None, value));
    }
    match terms.node(term)? {
        Node::Symbol(symbol) => Some((Some(*symbol), 0)),
        Node::Sum(list, constant) => match list.as_ref() {
            [(part, 1)] => Some((Some(terms.as_symbol(*part)?), *constant)),
            _ => None,
        },
        _ => None,
    }
}

/// The constraint graph with its current assignment.
#[derive(Clone, Default)]
struct Graph {
    names: Vec<Option<Symbol>>,
    values: Vec<i128>,
    edges: Vec<(usize, usize, i64)>,
}

impl Graph {
    fn vertex(&mut self, name: Option<Symbol>, start: &Model) -> usize {
        if let Some(i) = self.names.iter().position(|n| *n == name) {
            return i;
        }
        let value = match name.and_then(|symbol| start.get(symbol)) {
            Some(Value::Int(value)) => value,
            _ => 0,
        };
        self.names.push(name);
        self.values.push(value);
        self.names.len() - 1
    }

    fn find(&self, name: Option<Symbol>) -> usize {
        self.names.iter().position(|n| *n == name).expect("every vertex was entered first")
    }

    /// Adds `left − right ≤ bound` and repairs the assignment; `false` if that closes a negative cycle.
    fn assume(&mut self, edge: &Edge) -> bool {
        let (left, right) = (self.find(edge.left), self.find(edge.right));
        if left == right {
            return edge.bound >= 0;
        }
        self.edges.push((left, right, edge.bound));
        let wanted = self.values[right] + edge.bound as i128;
        if self.values[left] <= wanted {
            return true;
        }
        self.values[left] = wanted;
        let mut lowered = VecDeque::from([left]);
        while let Some(vertex) = lowered.pop_front() {
            for i in 0..self.edges.len() {
                let (x, y, bound) = self.edges[i];
                if y == vertex && self.values[x] > self.values[y] + bound as i128 {
                    if x == right {
                        return false;
                    }
                    self.values[x] = self.values[y] + bound as i128;
                    lowered.push_back(x);
                }
            }
        }
        true
    }

    /// Makes every disequality true, splitting those the assignment violates. `None`: gave up.
    fn separate(&mut self, disequalities: &[Edge], splits: &mut u32) -> Option<bool> {
        let violated = disequalities.iter().find(|d| {
            let (left, right) = (self.find(d.left), self.find(d.right));
            self.values[left] - self.values[right] == d.bound as i128
        });
        let Some(d) = violated else { return Some(true) };
        let below = Edge { bound: d.bound - 1, ..*d };
        let above = Edge { left: d.right, right: d.left, bound: -d.bound - 1 };
        for side in [below, above] {
            if *splits == 0 {
                return None;
            }
            *splits -= 1;
            let mut tried = self.clone();
            if tried.assume(&side) {
                match tried.separate(disequalities, splits) {
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
    fn model(&self) -> Model {
        let zero = self.names.iter().position(|n| n.is_none()).map_or(0, |i| self.values[i]);
        let mut model = Model::default();
        for (name, value) in self.names.iter().zip(&self.values) {
            if let Some(symbol) = name {
                model.set(*symbol, Value::Int(value - zero));
            }
        }
        model
    }
}
