//! Difference constraints that come and go with the cases of a search.
//!
//! The assignment outlives the constraints that it was made for: what satisfies all of them satisfies some of them. So a new
//! constraint is a repair of the last assignment, and to take constraints back is to forget them. Only where the assignment
//! comes upon a disequality, or leaves the range of a bit-vector, all constraints are decided from the start.

use super::{Decision, Differences, Edge, Graph, MAX_VALUE};
use crate::eval::Model;
use crate::interrupt::Interrupt;
use crate::term::{Symbol, Term, Terms};

pub(crate) struct Incremental<'a> {
    constraints: Differences,
    /// With the constraints but the disequalities. Vertices stay.
    graph: Graph,
    /// `x − y ≠ bound`, of vertices.
    disequalities: Vec<(usize, usize, i128)>,
    /// Where values start.
    start: &'a Model,
    /// Room for the assignment before a repair.
    before: Vec<i128>,
}

/// As many constraints as most searches have.
const ROOM: usize = 16;

/// How much there was at some moment.
pub(crate) struct Mark {
    constraints: Differences,
    disequalities: usize,
    graph_edges: usize,
}

impl<'a> Incremental<'a> {
    pub(crate) fn new(start: &'a Model) -> Self {
        Incremental {
            constraints: Differences::default(),
            graph: Graph {
                names: Vec::with_capacity(ROOM),
                values: Vec::with_capacity(ROOM),
                edges: Vec::with_capacity(ROOM),
                ..Graph::default()
            },
            disequalities: Vec::new(),
            start,
            before: Vec::with_capacity(ROOM),
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            constraints: self.constraints.clone(),
            disequalities: self.disequalities.len(),
            graph_edges: self.graph.edges.len(),
        }
    }

    /// Forgets what was added since.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.constraints = mark.constraints;
        self.disequalities.truncate(mark.disequalities);
        self.graph.edges.truncate(mark.graph_edges);
    }

    /// Adds an atom or its negation. `Some(false)`: it contradicts the others, and must be taken back; `None`: nobody knows.
    pub(crate) fn assume(&mut self, terms: &Terms, atom: Term, positive: bool) -> Option<bool> {
        if terms.interrupt().is_raised() {
            return None;
        }
        let constraint = self.constraints.understand(terms, atom, positive)?;
        self.constraints.enter(constraint);
        self.before.clone_from(&self.graph.values);
        for edge in constraint.edges() {
            self.enter(&edge)?;
            if !self.graph.assume(&edge, terms.interrupt())? {
                self.undo_repair();
                return Some(false);
            }
        }
        if let Some(edge) = constraint.disequality() {
            let (left, right) = self.enter(&edge)?;
            self.disequalities.push((left, right, edge.bound));
        }
        if self.is_solution() {
            return Some(true);
        }
        match self.constraints.decide(self.start, terms.interrupt()) {
            Decision::Sat(model) => {
                let names = self.graph.names.iter();
                self.graph.values = names.map(|name| self.constraints.hint(*name, &model)).collect();
                Some(true)
            }
            Decision::Unsat => {
                self.undo_repair();
                Some(false)
            }
            Decision::Abstain => None,
        }
    }

    /// A repair that failed has left the assignment somewhere on the way.
    fn undo_repair(&mut self) {
        self.graph.values[..self.before.len()].copy_from_slice(&self.before);
    }

    /// The vertices of a constraint; `None` if their values are too large to compute with.
    fn enter(&mut self, edge: &Edge) -> Option<(usize, usize)> {
        Some((self.vertex(edge.left)?, self.vertex(edge.right)?))
    }

    fn vertex(&mut self, name: Option<Symbol>) -> Option<usize> {
        if let Some(at) = self.graph.find(name) {
            return Some(at);
        }
        // Repairs may have moved the value of 0, from which all others are seen.
        let zero = self.graph.find(None).map_or(0, |at| self.graph.values[at]);
        let value = self.constraints.hint(name, self.start);
        let at = self.graph.enter(name, value + zero);
        (value.abs() <= MAX_VALUE).then_some(at)
    }

    /// Whether the assignment satisfies the disequalities, too, and leaves no range.
    fn is_solution(&self) -> bool {
        let values = &self.graph.values;
        let differ = |&(x, y, bound): &(usize, usize, i128)| values[x] - values[y] != bound;
        let fits = |(symbol, value): (Symbol, i128)| {
            let reading = self.constraints.reading(symbol);
            reading.is_none_or(|reading| (reading.low()..=reading.high()).contains(&value))
        };
        let has_ranges = !self.constraints.readings.is_empty();
        self.disequalities.iter().all(differ) && (!has_ranges || self.graph.assignment().all(fits))
    }

    /// Values for the symbols of the constraints.
    pub(crate) fn decide(&self, interrupt: &Interrupt) -> Decision {
        self.constraints.decide(self.start, interrupt)
    }
}
