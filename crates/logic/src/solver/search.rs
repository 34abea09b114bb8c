//! A small case search over the atoms of a query: references ([`References`]), booleans, difference constraints and order
//! constraints on bit-vectors ([`Incremental`]), combined by their boolean structure and by `ite`.
//!
//! It decides most of what a heap model asks without SMT. It looks at an atom only when the clauses' value depends on it, and
//! gives up after a fixed amount of work: then the back end is asked.
//!
//! A choice is taken back by a trail: of values, of assumed atoms, of constraints. After an assumption only what is above the
//! atoms that it decides is evaluated again.

mod closure;
mod evaluate;
mod graph;

use crate::difference::Decision;
use crate::difference::incremental::{Incremental, Mark};
use crate::eval::{Model, Value};
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::solver::references::References;
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};
use closure::Functions;
pub(crate) use graph::Room;
use graph::{Graph, Known, index, lookup};

/// Nodes evaluated before the search gives up, plus a little for every node of the query itself. A round of evaluation counts as
/// all of them, though it looks only at those above what has changed.
const WORK: usize = 600_000;

/// The share of the work after which the search begins again with the oldest clause. What the known model does not satisfy is mostly near the
/// newest; but where the newest follows from what came first, it is proved from there.
const TURN: usize = 10;

/// Nodes evaluated for the first time between two looks at whether the search is interrupted, less one.
const LOOK_EVERY: usize = 63;

/// The stage.
pub(crate) fn answer(solver: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let symbols: Vec<Symbol> = match terms.has_applications() {
        true => question.group().symbols.iter().map(|(symbol, ())| *symbol).collect(),
        false => Vec::new(),
    };
    decide(terms, &question.constraints(), &symbols, question.hint(), &mut solver.room).reply()
}

/// Decides clauses; of the symbols, the applications among them keep the axiom of functions.
pub(crate) fn decide(
    terms: &mut Terms,
    clauses: &[Term],
    symbols: &[Symbol],
    start: &Model,
    room: &mut Room,
) -> Decision {
    let Lists { clauses: mut open, graph, mut trail, mut changes, mut levels } = std::mem::take(&mut room.lists);
    open.clear();
    trail.clear();
    changes.clear();
    levels.clear();
    let mut search = Search {
        terms,
        clauses: open,
        graph,
        room,
        start,
        references: References::new(),
        functions: Functions::default(),
        differences: Incremental::new(start),
        trail,
        changes,
        levels,
        work: WORK,
        turn: 0,
    };
    search.enter_applications(symbols);
    let decision = search.decide(clauses);
    search.undecide(0);
    let Search { clauses, graph, room, trail, changes, levels, .. } = search;
    room.lists = Lists { clauses, graph, trail, changes, levels };
    decision
}

/// The lists of a search, which keep their room from one to the next.
#[derive(Default)]
struct Lists {
    clauses: Vec<Term>,
    graph: Graph,
    trail: Vec<(Term, bool)>,
    changes: Vec<(Term, Known)>,
    levels: Vec<Level>,
}

/// A choice, and what there was before it.
struct Level {
    atom: Term,
    /// The value to be tried next.
    other: bool,
    trail: usize,
    changes: usize,
    differences: Mark,
    references: usize,
}

struct Search<'a> {
    terms: &'a mut Terms,
    /// Those that are not true whatever is chosen.
    clauses: Vec<Term>,
    graph: Graph,
    room: &'a mut Room,
    start: &'a Model,
    references: References,
    functions: Functions,
    differences: Incremental<'a>,
    /// The conditions and the atoms about numbers that were assumed.
    trail: Vec<(Term, bool)>,
    /// The values of nodes that were changed since the first choice, with their former values.
    changes: Vec<(Term, Known)>,
    levels: Vec<Level>,
    work: usize,
    /// As long as there is more work left than this, the newest clause comes first.
    turn: usize,
}

impl Search<'_> {
    fn decide(&mut self, clauses: &[Term]) -> Decision {
        // Clauses that are literals leave no choice, and nothing to look at.
        for &clause in clauses {
            match self.assume_literals(clause) {
                Some(false) => return Decision::Unsat,
                Some(true) => {}
                None => self.clauses.push(clause),
            }
        }
        if !self.close() {
            return Decision::Unsat;
        }
        self.room.start_walk(self.terms.len());
        let mut number = 0;
        for at in 0..self.clauses.len() {
            match self.evaluate_below(self.clauses[at]) {
                Some(nodes) => number += nodes,
                None => return Decision::Abstain,
            }
        }
        self.work = self.work.max(4 * number);
        self.turn = self.work - self.work / TURN;
        match self.status() {
            Status::Open(_) => {
                self.enter_nodes();
                self.run()
            }
            status => self.end(status),
        }
    }

    /// Makes the graph of what is still open, and forgets the clauses that are true whatever is chosen.
    fn enter_nodes(&mut self) {
        let known = &self.room.known;
        self.clauses.retain(|clause| lookup(known, *clause) != Known::Term(Term::TRUE));
        self.graph.enter(self.terms, self.room, &self.clauses);
        // All atoms are evaluated next, whatever has become known.
        self.references.looked();
    }

    /// Assumes a clause that is a literal over constants and symbols, or a conjunction of such; `Some(false)`: contradictory, `None`:
    /// it has other parts, which are left alone.
    fn assume_literals(&mut self, clause: Term) -> Option<bool> {
        let (atom, positive) = match *self.terms.node(clause)? {
            Node::And(_) => {
                let mut whole = Some(true);
                for at in 0..self.terms.conjuncts(&clause).len() {
                    match self.assume_literals(self.terms.conjuncts(&clause)[at]) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => whole = None,
                    }
                }
                return whole;
            }
            Node::Not(inner) => (inner, false),
            _ => (clause, true),
        };
        match *self.terms.node(atom)? {
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) if self.is_simple(a) && self.is_simple(b) => {
                self.assume(atom, positive)
            }
            _ => None,
        }
    }

    /// Whether a term has no `ite` to decide: a constant, a symbol, an extended symbol, or a sum of symbols.
    fn is_simple(&self, term: Term) -> bool {
        match self.terms.node(term) {
            None | Some(Node::Int(_) | Node::Bits { .. } | Node::Symbol(_)) => true,
            Some(Node::Extend { term, .. }) => self.terms.as_symbol(*term).is_some(),
            Some(Node::Sum(list, _)) => list.iter().all(|(t, _)| self.terms.as_symbol(*t).is_some()),
            _ => false,
        }
    }

    /// Depth-first over the open atoms.
    fn run(&mut self) -> Decision {
        let mut status = self.settle();
        loop {
            status = match status {
                Status::True | Status::Foreign => return self.end(status),
                Status::Open(_) if self.is_turning() => self.begin_again(),
                Status::Open(atom) => {
                    let is_true = |clause: &Term| lookup(&self.room.known, *clause) == Known::Term(Term::TRUE);
                    if self.levels.is_empty() && self.clauses.iter().any(is_true) {
                        self.enter_nodes();
                    }
                    // The polarity that the known model suggests is tried first.
                    let preferred = self.terms.holds(atom, self.start);
                    let (trail, changes, differences) = (self.trail.len(), self.changes.len(), self.differences.mark());
                    let references = self.references.mark();
                    self.levels.push(Level { atom, other: !preferred, trail, changes, differences, references });
                    self.choose(atom, preferred)
                }
                Status::False => match self.levels.pop() {
                    Some(level) => {
                        let (atom, other) = (level.atom, level.other);
                        self.back_to(level);
                        self.choose(atom, other)
                    }
                    None => return Decision::Unsat,
                },
            }
        }
    }

    /// Whether it is time to begin again with the oldest clause.
    fn is_turning(&mut self) -> bool {
        let turns = self.turn > 0 && self.work < self.turn && !self.levels.is_empty();
        if turns {
            self.turn = 0;
        }
        turns
    }

    /// Takes back all choices.
    fn begin_again(&mut self) -> Status {
        let first = self.levels.drain(..).next();
        if let Some(first) = first {
            self.back_to(first);
        }
        self.settle()
    }

    /// The answer, where there is nothing left to choose.
    fn end(&self, status: Status) -> Decision {
        match status {
            Status::True => self.model().map_or(Decision::Abstain, Decision::Sat),
            Status::False => Decision::Unsat,
            Status::Open(_) | Status::Foreign => Decision::Abstain,
        }
    }

    fn choose(&mut self, atom: Term, value: bool) -> Status {
        match self.assume(atom, value) {
            Some(true) => self.settle(),
            Some(false) => Status::False,
            None => Status::Foreign,
        }
    }

    /// Takes back all that was assumed since a choice.
    fn back_to(&mut self, level: Level) {
        self.undecide(level.trail);
        for (node, value) in self.changes.drain(level.changes..).rev() {
            self.room.known[index(node)] = value;
        }
        self.differences.back_to(level.differences);
        self.references.back_to(level.references);
        self.references.looked();
    }

    /// Takes back conditions and atoms about numbers, all but the first ones.
    fn undecide(&mut self, first: usize) {
        for (atom, _) in self.trail.drain(first..) {
            self.room.decided[index(atom)] = None;
        }
    }

    /// Evaluates, and assumes what the clauses then leave no choice about, until there is a choice or nothing to choose.
    fn settle(&mut self) -> Status {
        loop {
            if self.work < self.graph.nodes.len() || self.terms.interrupt().is_raised() {
                return Status::Foreign;
            }
            self.work -= self.graph.nodes.len();
            if !self.close() {
                return Status::False;
            }
            self.evaluate_changed();
            let status = self.status();
            if !matches!(status, Status::Open(_)) {
                return status;
            }
            let forced = self.forced();
            if forced.is_empty() {
                return status;
            }
            for (atom, value) in forced {
                match self.assume(atom, value) {
                    Some(true) => {}
                    Some(false) => return Status::False,
                    None => return Status::Foreign,
                }
            }
        }
    }

    /// The literals that are the only hope of a clause, given the values of the nodes. Where nothing below a clause was evaluated, there is
    /// nothing new.
    fn forced(&self) -> Vec<(Term, bool)> {
        let known = &self.room.known;
        let mut forced = Vec::new();
        let is_stirred = |clause: &Term| self.graph.stirred.contains(self.room.places[index(*clause)] as usize);
        let stirred = self.clauses.iter().filter(|clause| is_stirred(clause));
        let mut wanted: Vec<(Term, bool)> = stirred.map(|clause| (*clause, true)).collect();
        while let Some((term, value)) = wanted.pop() {
            if !matches!(lookup(known, term), Known::Open(_)) {
                continue;
            }
            match self.terms.node(term).expect("a constant is not open") {
                Node::Not(inner) => wanted.push((*inner, !value)),
                Node::And(list) => demand(known, list, value, true, &mut wanted),
                Node::Or(list) => demand(known, list, value, false, &mut wanted),
                &Node::Ite(c, a, b) => match (lookup(known, c), lookup(known, a), lookup(known, b)) {
                    (Known::Term(Term::TRUE), ..) => wanted.push((a, value)),
                    (Known::Term(_), ..) => wanted.push((b, value)),
                    (_, Known::Term(other), _) if other != Term::bool(value) => wanted.extend([(c, false), (b, value)]),
                    (_, _, Known::Term(other)) if other != Term::bool(value) => wanted.extend([(c, true), (a, value)]),
                    _ => {}
                },
                &Node::Eq(a, b) | &Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b) => {
                    if let (Known::Term(_), Known::Term(_)) = (lookup(known, a), lookup(known, b)) {
                        let (.., literal) = self.graph.compared[self.room.places[index(term)] as usize];
                        forced.push(match self.terms.node(literal) {
                            Some(Node::Not(inner)) => (*inner, !value),
                            _ => (literal, value),
                        });
                    }
                }
                Node::Symbol(_) => forced.push((term, value)),
                Node::Class { .. } if lookup(known, term) == Known::Open(term) => forced.push((term, value)),
                _ => {}
            }
        }
        forced.sort_unstable();
        forced.dedup();
        forced
    }

    /// What the values of the clauses say together.
    fn status(&self) -> Status {
        let mut status = Status::True;
        let mut clauses = self.clauses.iter();
        while let Some(&clause) = if self.turn > 0 { clauses.next_back() } else { clauses.next() } {
            match lookup(&self.room.known, clause) {
                Known::Term(Term::TRUE) => {}
                Known::Term(Term::FALSE) => return Status::False,
                Known::Open(atom) if matches!(status, Status::True) => status = Status::Open(atom),
                Known::Open(_) => {}
                Known::Term(_) | Known::Foreign => status = Status::Foreign,
            }
        }
        status
    }

    /// The truth of a condition or of an atom about numbers, if it was assumed.
    fn is_decided(&self, atom: Term) -> Option<bool> {
        self.room.decided.get(index(atom)).copied().flatten()
    }

    fn note(&mut self, atom: Term, value: bool) {
        let at = index(atom);
        if self.room.decided.len() <= at {
            self.room.decided.resize(at + at / 2 + 1, None);
        }
        // The first word counts: the theory has them all, and finds what contradicts.
        if self.room.decided[at].is_none() {
            self.room.decided[at] = Some(value);
            self.trail.push((atom, value));
        }
    }

    /// Adds a literal; `Some(false)`: contradictory, `None`: cannot be expressed.
    fn assume(&mut self, atom: Term, value: bool) -> Option<bool> {
        match *self.terms.node(atom)? {
            Node::Symbol(_) => {
                self.functions.is_open = true;
                self.note(atom, value);
                Some(self.is_decided(atom) == Some(value))
            }
            Node::Eq(a, _) | Node::Class { reference: a, .. } if self.terms.sort(a) == Sort::Ref => {
                self.functions.is_open = true;
                Some(self.references.assume(self.terms, atom, value))
            }
            Node::Eq(..) | Node::Lt(..) | Node::Bit(BitOp::SLt, ..) => {
                // What the theory does not understand is not decided.
                let consistent = self.differences.assume(self.terms, atom, value)?;
                self.note(atom, value);
                Some(consistent)
            }
            _ => None,
        }
    }

    fn model(&self) -> Option<Model> {
        let mut model = match self.differences.decide(self.terms.interrupt()) {
            Decision::Sat(model) => model,
            _ => return None,
        };
        self.references.model(self.terms, &mut model);
        for &(atom, value) in &self.trail {
            if let Some(symbol) = self.terms.as_symbol(atom) {
                model.set(symbol, Value::Bool(value));
            }
        }
        Some(model)
    }
}

enum Status {
    True,
    False,
    Open(Term),
    Foreign,
}

/// What it takes for a conjunction (or disjunction) to have a value: all of its parts, or the last one that still can.
fn demand(known: &[Known], list: &[Term], value: bool, conjunction: bool, wanted: &mut Vec<(Term, bool)>) {
    let open = |part: &&Term| !matches!(lookup(known, **part), Known::Term(_));
    if value == conjunction {
        wanted.extend(list.iter().filter(open).map(|part| (*part, value)));
    } else {
        let mut parts = list.iter().filter(open);
        if let (Some(last), None) = (parts.next(), parts.next()) {
            wanted.push((*last, value));
        }
    }
}
