//! A small case search over the atoms of a query: references ([`References`]), booleans, difference constraints and order
//! constraints on bit-vectors ([`Differences`]), combined by their boolean structure and by `ite`.
//!
//! It decides most of what a heap model asks without SMT. It looks at an atom only when the clauses' value depends on it, and
//! gives up after a fixed amount of work: then the back end is asked.

use crate::eval::{Model, Value};
use crate::solver::difference::{Decision, Differences, is_comparison, is_order_leaf};
use crate::solver::references::References;
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};

/// Nodes evaluated before the search gives up, plus a little for every node of the query itself.
const WORK: usize = 600_000;

/// One consistent assignment of truth values to atoms.
#[derive(Clone)]
struct Assignment {
    references: References,
    booleans: Vec<(Symbol, bool)>,
    differences: Differences,
    /// Truth of the atoms about numbers met so far; those about references are asked of `references`.
    numbers: Vec<(Term, bool)>,
}

/// The value of a term under an assignment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Known {
    /// A constant, a symbol, or a term that no longer depends on an open atom.
    Term(Term),
    /// The atom to decide first.
    Open(Term),
    /// Outside of what the search understands.
    Foreign,
}

/// `room` is for the values of the nodes: kept by the caller, because it is as large as the pool.
pub(crate) fn decide(terms: &mut Terms, clauses: &[Term], start: &Model, room: &mut Vec<Known>) -> Decision {
    let nodes = terms.postorder(clauses);
    let size = nodes.last().and_then(|t| t.index()).map_or(0, |i| i + 1);
    if room.len() < size {
        room.resize(size + size / 2, Known::Foreign);
    }
    let open = clauses.to_vec();
    let mut search = Search { terms, clauses: open, nodes, known: room, start, work: WORK, branched: false };
    search.work = search.work.max(4 * search.nodes.len());
    let mut first = Assignment {
        references: References::new(),
        booleans: Vec::new(),
        differences: Differences::default(),
        numbers: Vec::new(),
    };
    // Clauses that are literals leave no choice.
    for &clause in clauses {
        if search.assume_literals(&mut first, clause) == Some(false) {
            return Decision::Unsat;
        }
    }
    search.run(first)
}

struct Search<'a> {
    terms: &'a mut Terms,
    /// Those that are not true whatever is chosen.
    clauses: Vec<Term>,
    /// All nodes below the clauses, children first.
    nodes: Vec<Term>,
    /// The value of every node, indexed like the pool; only those of `nodes` are used.
    known: &'a mut Vec<Known>,
    start: &'a Model,
    work: usize,
    /// Whether anything was assumed that may have to be taken back.
    branched: bool,
}

impl Search<'_> {
    /// Assumes a clause that is a literal over constants and symbols, or a conjunction of such; leaves any other alone.
    fn assume_literals(&mut self, assignment: &mut Assignment, clause: Term) -> Option<bool> {
        let (atom, positive) = match self.terms.node(clause)?.clone() {
            Node::And(list) => {
                for part in list {
                    if self.assume_literals(assignment, part) == Some(false) {
                        return Some(false);
                    }
                }
                return None;
            }
            Node::Not(inner) => (inner, false),
            _ => (clause, true),
        };
        match *self.terms.node(atom)? {
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) if self.is_simple(a) && self.is_simple(b) => {
                self.assume(assignment, atom, positive)
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

    /// Depth-first over the open atoms, with an explicit stack of assignments still to be tried.
    fn run(&mut self, first: Assignment) -> Decision {
        let mut stack = vec![first];
        while let Some(mut assignment) = stack.pop() {
            match self.settle(&mut assignment) {
                Status::False => {}
                Status::True => match self.model(&assignment) {
                    Some(model) => return Decision::Sat(model),
                    None => return Decision::Abstain,
                },
                Status::Foreign => return Decision::Abstain,
                Status::Open(atom) => {
                    self.branched = true;
                    // The polarity that the known model suggests is tried first, hence pushed last.
                    let preferred = self.terms.holds(atom, self.start);
                    for value in [!preferred, preferred] {
                        let mut next = assignment.clone();
                        match self.assume(&mut next, atom, value) {
                            Some(true) => stack.push(next),
                            Some(false) => {}
                            None => return Decision::Abstain,
                        }
                    }
                }
            }
        }
        Decision::Unsat
    }

    /// Evaluates, and assumes what the clauses then leave no choice about, until there is a choice or nothing to choose.
    fn settle(&mut self, assignment: &mut Assignment) -> Status {
        loop {
            if self.work < self.nodes.len() {
                return Status::Foreign;
            }
            self.work -= self.nodes.len();
            let status = self.open_atom(assignment);
            if !matches!(status, Status::Open(_)) {
                return status;
            }
            let forced = self.forced();
            if !self.branched {
                self.leave_true_clauses();
            }
            if forced.is_empty() {
                return status;
            }
            for (atom, value) in forced {
                match self.assume(assignment, atom, value) {
                    Some(true) => {}
                    Some(false) => return Status::False,
                    None => return Status::Foreign,
                }
            }
        }
    }

    /// Forgets the clauses that are true by now, and stay so.
    fn leave_true_clauses(&mut self) {
        let known = &*self.known;
        let before = self.clauses.len();
        self.clauses.retain(|clause| lookup(known, *clause) != Known::Term(Term::TRUE));
        if self.clauses.len() < before {
            self.nodes = self.terms.postorder(&self.clauses);
        }
    }

    /// The literals that are the only hope of a clause, given the values of the nodes.
    fn forced(&mut self) -> Vec<(Term, bool)> {
        let known = std::mem::take(self.known);
        let mut forced = Vec::new();
        let mut wanted: Vec<(Term, bool)> = self.clauses.iter().map(|clause| (*clause, true)).collect();
        while let Some((term, value)) = wanted.pop() {
            if !matches!(lookup(&known, term), Known::Open(_)) {
                continue;
            }
            match self.terms.node(term).expect("a constant is not open") {
                Node::Not(inner) => wanted.push((*inner, !value)),
                Node::And(list) => demand(&known, list, value, true, &mut wanted),
                Node::Or(list) => demand(&known, list, value, false, &mut wanted),
                &Node::Ite(c, a, b) => match (lookup(&known, c), lookup(&known, a), lookup(&known, b)) {
                    (Known::Term(Term::TRUE), ..) => wanted.push((a, value)),
                    (Known::Term(_), ..) => wanted.push((b, value)),
                    (_, Known::Term(other), _) if other != Term::bool(value) => wanted.extend([(c, false), (b, value)]),
                    (_, _, Known::Term(other)) if other != Term::bool(value) => wanted.extend([(c, true), (a, value)]),
                    _ => {}
                },
                &Node::Eq(a, b) | &Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b) => {
                    if let (Known::Term(a), Known::Term(b)) = (lookup(&known, a), lookup(&known, b)) {
                        let literal = self.terms.compared(term, a, b);
                        forced.push(match self.terms.node(literal) {
                            Some(Node::Not(inner)) => (*inner, !value),
                            _ => (literal, value),
                        });
                    }
                }
                Node::Symbol(_) => forced.push((term, value)),
                Node::Class { .. } if lookup(&known, term) == Known::Open(term) => forced.push((term, value)),
                _ => {}
            }
        }
        *self.known = known;
        forced.sort_unstable();
        forced.dedup();
        forced
    }

    /// Evaluates all clauses in one pass over the nodes.
    fn open_atom(&mut self, assignment: &mut Assignment) -> Status {
        let mut known = std::mem::take(self.known);
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let value = self.evaluate(assignment, node, &known);
            known[node.index().expect("only pooled terms are walked")] = value;
        }
        let status = self.status(&known);
        *self.known = known;
        status
    }

    /// What the values of the clauses say together.
    fn status(&self, known: &[Known]) -> Status {
        let mut status = Status::True;
        // The newest clause first: it is the one that the known model does not satisfy.
        for &clause in self.clauses.iter().rev() {
            match lookup(known, clause) {
                Known::Term(Term::TRUE) => {}
                Known::Term(Term::FALSE) => return Status::False,
                Known::Open(atom) if matches!(status, Status::True) => status = Status::Open(atom),
                Known::Open(_) => {}
                Known::Term(_) | Known::Foreign => status = Status::Foreign,
            }
        }
        status
    }

    fn evaluate(&mut self, assignment: &mut Assignment, term: Term, known: &[Known]) -> Known {
        let get = |t: &Term| lookup(known, *t);
        match self.terms.node(term).expect("only pooled terms are walked") {
            Node::Int(_) | Node::Bits { .. } | Node::FloatConstant { .. } => Known::Term(term),
            Node::Symbol(symbol) if self.terms.sort(term) == Sort::Bool => {
                match assignment.booleans.iter().find(|(s, _)| s == symbol) {
                    Some((_, value)) => Known::Term(Term::bool(*value)),
                    None => Known::Open(term),
                }
            }
            Node::Symbol(_) => Known::Term(term),
            Node::Not(a) => match get(a) {
                Known::Term(value) => Known::Term(Term::bool(value == Term::FALSE)),
                other => other,
            },
            Node::And(list) => junction(list.iter().map(get), true),
            Node::Or(list) => junction(list.iter().map(get), false),
            Node::Ite(c, a, b) => match get(c) {
                Known::Term(Term::TRUE) => get(a),
                Known::Term(_) => get(b),
                Known::Open(atom) => match (get(a), get(b)) {
                    (Known::Term(x), Known::Term(y)) if x == y => Known::Term(x),
                    _ => Known::Open(atom),
                },
                Known::Foreign => Known::Foreign,
            },
            &Node::Eq(a, b) | &Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b) => match (get(&a), get(&b)) {
                (Known::Term(a), Known::Term(b)) => {
                    let atom = self.terms.compared(term, a, b);
                    self.truth(assignment, atom)
                }
                (a, b) => first_open([a, b]),
            },
            &Node::Bit(op, a, b) => match (get(&a), get(&b)) {
                (Known::Term(a), Known::Term(b)) if self.terms.is_constant(a) && self.terms.is_constant(b) => {
                    Known::Term(self.terms.bit_op(op, a, b))
                }
                // Arithmetic on what is unknown is for the back end; on what is still open it may come to constants.
                (a, b) => match [a, b].into_iter().find(|side| !self.may_be_constant(*side)) {
                    Some(_) => Known::Foreign,
                    None => first_open([a, b]),
                },
            },
            Node::Sum(list, constant) => {
                let (list, constant) = (list.clone(), *constant);
                let mut sum = self.terms.int(constant);
                for (part, coefficient) in list {
                    match get(&part) {
                        Known::Term(part) => {
                            sum = match coefficient {
                                1 => self.terms.add(sum, part),
                                -1 => self.terms.sub(sum, part),
                                _ => return Known::Foreign,
                            }
                        }
                        other => return other,
                    }
                }
                Known::Term(sum)
            }
            Node::Class { .. } => self.truth(assignment, term),
            &Node::Extend { signed, width, term: inner } => match get(&inner) {
                Known::Term(inner) if is_order_leaf(self.terms, inner) => {
                    Known::Term(self.terms.extend(signed, width, inner))
                }
                Known::Term(_) => Known::Foreign,
                other => other,
            },
            &Node::Extract { high, low, term: inner } => match get(&inner) {
                Known::Term(inner) if self.terms.is_constant(inner) => {
                    Known::Term(self.terms.extract(high, low, inner))
                }
                Known::Term(_) => Known::Foreign,
                other => other,
            },
            Node::WideAdd(..) | Node::Float(..) | Node::FloatFn(..) | Node::Convert(..) => Known::Foreign,
        }
    }

    fn may_be_constant(&self, value: Known) -> bool {
        match value {
            Known::Term(term) => self.terms.is_constant(term),
            Known::Open(_) => true,
            Known::Foreign => false,
        }
    }

    /// The truth of an atom or its negation.
    fn truth(&mut self, assignment: &mut Assignment, literal: Term) -> Known {
        if literal.as_bool().is_some() {
            return Known::Term(literal);
        }
        let (atom, positive) = match self.terms.node(literal) {
            Some(Node::Not(inner)) => (*inner, false),
            _ => (literal, true),
        };
        let value = match self.terms.node(atom) {
            Some(Node::Class { reference, .. }) => {
                let reference = *reference;
                if assignment.references.nullness_open(self.terms, reference) {
                    return Known::Open(self.terms.eq(reference, Term::NULL));
                }
                assignment.references.known(self.terms, atom)
            }
            Some(Node::Eq(a, _)) if self.terms.sort(*a) == Sort::Ref => assignment.references.known(self.terms, atom),
            Some(&Node::Eq(a, b) | &Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b))
                if is_comparison(self.terms, a, b) =>
            {
                assignment.numbers.iter().find(|(t, _)| *t == atom).map(|(_, v)| *v)
            }
            _ => return Known::Foreign,
        };
        match value {
            Some(value) => Known::Term(Term::bool(value == positive)),
            None => Known::Open(atom),
        }
    }

    /// Adds a literal; `Some(false)`: contradictory, `None`: cannot be expressed.
    fn assume(&mut self, assignment: &mut Assignment, atom: Term, value: bool) -> Option<bool> {
        match *self.terms.node(atom)? {
            Node::Symbol(symbol) => {
                assignment.booleans.push((symbol, value));
                Some(true)
            }
            Node::Eq(a, _) | Node::Class { reference: a, .. } if self.terms.sort(a) == Sort::Ref => {
                Some(assignment.references.assume(self.terms, atom, value))
            }
            Node::Eq(..) | Node::Lt(..) | Node::Bit(BitOp::SLt, ..) => {
                if !assignment.differences.add_literal(self.terms, atom, value) {
                    return None;
                }
                assignment.numbers.push((atom, value));
                match assignment.differences.decide(self.start) {
                    Decision::Sat(_) => Some(true),
                    Decision::Unsat => Some(false),
                    Decision::Abstain => None,
                }
            }
            _ => None,
        }
    }

    fn model(&self, assignment: &Assignment) -> Option<Model> {
        let mut model = match assignment.differences.decide(self.start) {
            Decision::Sat(model) => model,
            _ => return None,
        };
        assignment.references.model(&mut model);
        for &(symbol, value) in &assignment.booleans {
            model.set(symbol, Value::Bool(value));
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

fn lookup(known: &[Known], term: Term) -> Known {
    term.index().map_or(Known::Term(term), |i| known[i])
}

/// What it takes for a conjunction (or disjunction) to have a value: all of its parts, or the last one that still can.
fn demand(known: &[Known], list: &[Term], value: bool, conjunction: bool, wanted: &mut Vec<(Term, bool)>) {
    let open = |part: &&Term| !matches!(lookup(known, **part), Known::Term(_));
    if value == conjunction {
        wanted.extend(list.iter().filter(open).map(|part| (*part, value)));
    } else if let [last] = list.iter().filter(open).take(2).collect::<Vec<_>>()[..] {
        wanted.push((*last, value));
    }
}

fn first_open<const N: usize>(parts: [Known; N]) -> Known {
    let mut result = Known::Foreign;
    for part in parts {
        match part {
            Known::Open(_) => return part,
            Known::Foreign => result = part,
            Known::Term(_) => {}
        }
    }
    result
}

/// The value of a conjunction or disjunction of values.
fn junction(parts: impl Iterator<Item = Known>, conjunction: bool) -> Known {
    let mut result = Known::Term(Term::bool(conjunction));
    for part in parts {
        match (part, result) {
            (Known::Term(value), _) if value == Term::bool(!conjunction) => return part,
            (Known::Term(_), _) => {}
            (Known::Open(_), Known::Open(_)) => {}
            (Known::Open(_), _) => result = part,
            (Known::Foreign, Known::Term(_)) => result = part,
            (Known::Foreign, _) => {}
        }
    }
    result
}
