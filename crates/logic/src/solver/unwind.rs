//! What POSE-unwind would ask: the number of ite-free sub-queries behind one question.
//!
//! The clauses are written as a binary decision diagram over their atomic predicates. An `ite` below an atom is lifted
//! to the boolean structure first (`ite(c, x, y) < z` is `ite(c, x < z, y < z)`), so that no atom contains one. Every
//! path of the diagram to *true* is a conjunction of literals; these are asked one by one until one is satisfiable.
//!
//! The atoms are ordered by first occurrence: clause by clause, and inside a clause children before parents. That order
//! makes the count deterministic; nothing here depends on time.
//!
//! This file only counts. It must not touch the counters of the chain, and no verdict may depend on it.
//!
//! Bounds: a diagram has at most [`MAX_NODES`] nodes and [`MAX_ATOMS`] atoms, a number at most [`MAX_LEAVES`] ite-free
//! values, and at most [`MAX_QUERIES`] sub-queries are asked. A question beyond the first three counts as a single
//! sub-query (the formula as it stands), one beyond the last as that many; both are undercounts.

use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet, op_function};
use rustc_hash::FxHashMap;

use crate::float::FloatFn;
use crate::solver::Solver;
use crate::solver::backend::Answer;
use crate::term::{Node, Sort, Term, Terms};

const MAX_NODES: usize = 1 << 14;
const MAX_ATOMS: u16 = 1 << 10;
const MAX_LEAVES: usize = 1 << 8;
const MAX_QUERIES: u64 = 1 << 12;

/// What POSE-unwind asks for one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unwound {
    pub asked: u64,
    /// Whether a bound was met: then it asks at least so many.
    pub is_least: bool,
}

/// How many sub-queries are asked to decide the conjunction of `clauses`: one for every disjunct up to and including
/// the first satisfiable one. A disjunct that nobody can decide counts like an unsatisfiable one.
pub fn count(solver: &mut Solver, terms: &mut Terms, clauses: &[Term]) -> Unwound {
    let mut unwinding = Unwinding::new(terms);
    let Some(diagram) = unwinding.conjunction(clauses) else { return Unwound { asked: 1, is_least: true } };
    let atoms = unwinding.atoms;
    let mut asked = 0;
    for path in diagram.sat_clauses() {
        if asked == MAX_QUERIES || terms.interrupt().is_raised() {
            return Unwound { asked, is_least: true };
        }
        let mut literals = Vec::new();
        for (variable, value) in path.to_values() {
            let atom = atoms[variable.to_index()];
            literals.push(if value { atom } else { terms.not(atom) });
        }
        asked += 1;
        if matches!(solver.decide_literals(terms, &literals), Answer::Sat(_)) {
            break;
        }
    }
    Unwound { asked, is_least: false }
}

/// A term without `ite`.
#[derive(Clone)]
enum Lifted {
    Bool(Bdd),
    /// The ite-free values it can have, each with the condition under which it does: exclusive and exhaustive.
    Values(Vec<(Term, Bdd)>),
}

struct Unwinding<'a> {
    terms: &'a mut Terms,
    variables: BddVariableSet,
    names: Vec<BddVariable>,
    atoms: Vec<Term>,
    numbers: FxHashMap<Term, usize>,
    lifted: FxHashMap<Term, Lifted>,
}

/// `None` everywhere below: a bound was exceeded, or it is interrupted.
impl Unwinding<'_> {
    fn new(terms: &mut Terms) -> Unwinding<'_> {
        let variables = BddVariableSet::new_anonymous(MAX_ATOMS);
        let names = variables.variables();
        let (numbers, lifted) = (FxHashMap::default(), FxHashMap::default());
        Unwinding { terms, variables, names, atoms: Vec::new(), numbers, lifted }
    }

    fn conjunction(&mut self, clauses: &[Term]) -> Option<Bdd> {
        let mut all = self.variables.mk_true();
        for &clause in clauses {
            for node in self.terms.postorder(&[clause]) {
                if self.terms.interrupt().is_raised() {
                    return None;
                }
                if !self.lifted.contains_key(&node) {
                    let lifted = self.lift(node)?;
                    self.lifted.insert(node, lifted);
                }
            }
            all = and(&all, &self.bool(clause))?;
        }
        Some(all)
    }

    fn bool(&self, term: Term) -> Bdd {
        match (term.as_bool(), self.lifted.get(&term)) {
            (Some(true), _) => self.variables.mk_true(),
            (Some(false), _) => self.variables.mk_false(),
            (None, Some(Lifted::Bool(diagram))) => diagram.clone(),
            _ => unreachable!("a lifted boolean is wanted, not {term:?}"),
        }
    }

    fn values(&self, term: Term) -> Vec<(Term, Bdd)> {
        match self.lifted.get(&term) {
            None => vec![(term, self.variables.mk_true())],
            Some(Lifted::Values(values)) => values.clone(),
            Some(Lifted::Bool(_)) => unreachable!("a lifted value is wanted, not {term:?}"),
        }
    }

    /// Lifts a node whose children are lifted.
    fn lift(&mut self, term: Term) -> Option<Lifted> {
        match self.terms.node(term).expect("only pooled terms are walked").clone() {
            Node::Symbol(_) if self.terms.sort(term) == Sort::Bool => self.atom(term).map(Lifted::Bool),
            Node::Class { .. } => self.atom(term).map(Lifted::Bool),
            Node::Int(_) | Node::Bits { .. } | Node::FloatConstant { .. } | Node::Symbol(_) => {
                Some(Lifted::Values(vec![(term, self.variables.mk_true())]))
            }
            Node::Not(a) => Some(Lifted::Bool(self.bool(a).not())),
            Node::And(list) => self.junction(&list, self.variables.mk_true(), and).map(Lifted::Bool),
            Node::Or(list) => self.junction(&list, self.variables.mk_false(), or).map(Lifted::Bool),
            Node::Ite(c, a, b) => self.choice(c, a, b),
            Node::Eq(a, b) => self.predicate(a, b, Terms::eq),
            Node::Lt(a, b) => self.predicate(a, b, Terms::lt),
            Node::Bit(op, a, b) if op.is_comparison() => self.predicate(a, b, |t, x, y| t.bit_op(op, x, y)),
            Node::Bit(op, a, b) => self.combine(a, b, |t, x, y| t.bit_op(op, x, y)),
            Node::WideAdd(a, factor, b) => self.combine(a, b, |t, x, y| t.add_scaled(x, factor, y)),
            Node::Sum(list, constant) => self.sum(&list, constant),
            Node::Extend { signed, width, term: inner } => {
                self.combine(inner, Term::NULL, |t, x, _| t.extend(signed, width, x))
            }
            Node::Extract { high, low, term: inner } => {
                self.combine(inner, Term::NULL, |t, x, _| t.extract(high, low, x))
            }
            Node::Float(op, a, b) if op.is_comparison() => self.predicate(a, b, |t, x, y| t.float_op(op, x, y)),
            Node::Float(op, a, b) => self.combine(a, b, |t, x, y| t.float_op(op, x, y)),
            Node::FloatFn(FloatFn::IsNan, a) => self.predicate(a, Term::NULL, |t, x, _| t.float_fn(FloatFn::IsNan, x)),
            Node::FloatFn(function, a) => self.combine(a, Term::NULL, |t, x, _| t.float_fn(function, x)),
            Node::Convert(conversion, width, a) => {
                self.combine(a, Term::NULL, |t, x, _| t.convert(conversion, width, x))
            }
        }
    }

    fn junction(&self, list: &[Term], neutral: Bdd, join: fn(&Bdd, &Bdd) -> Option<Bdd>) -> Option<Bdd> {
        list.iter().try_fold(neutral, |all, part| join(&all, &self.bool(*part)))
    }

    fn choice(&mut self, condition: Term, a: Term, b: Term) -> Option<Lifted> {
        let taken = self.bool(condition);
        let skipped = taken.not();
        if self.terms.sort(a) == Sort::Bool {
            let (then, otherwise) = (and(&taken, &self.bool(a))?, and(&skipped, &self.bool(b))?);
            return or(&then, &otherwise).map(Lifted::Bool);
        }
        let mut values = Vec::new();
        for (side, guard) in [(a, &taken), (b, &skipped)] {
            for (value, inner) in self.values(side) {
                enter(&mut values, value, and(guard, &inner)?)?;
            }
        }
        Some(Lifted::Values(values))
    }

    /// The values of an operation, for all pairs of values of its operands.
    fn combine(&mut self, a: Term, b: Term, apply: impl Fn(&mut Terms, Term, Term) -> Term) -> Option<Lifted> {
        let (left, right) = (self.values(a), self.values(b));
        self.pairs(&left, &right, apply).map(Lifted::Values)
    }

    fn pairs(
        &mut self,
        left: &[(Term, Bdd)],
        right: &[(Term, Bdd)],
        apply: impl Fn(&mut Terms, Term, Term) -> Term,
    ) -> Option<Vec<(Term, Bdd)>> {
        let mut values = Vec::new();
        for (x, x_guard) in left {
            for (y, y_guard) in right {
                if self.terms.interrupt().is_raised() {
                    return None;
                }
                let guard = and(x_guard, y_guard)?;
                if !guard.is_false() {
                    let value = apply(self.terms, *x, *y);
                    enter(&mut values, value, guard)?;
                }
            }
        }
        Some(values)
    }

    fn sum(&mut self, list: &[(Term, i64)], constant: i64) -> Option<Lifted> {
        let constant = self.terms.int(constant);
        let mut sums = vec![(constant, self.variables.mk_true())];
        for &(part, coefficient) in list {
            let parts = self.values(part);
            sums = self.pairs(&sums, &parts, |t, sum, x| t.add_scaled(sum, coefficient, x))?;
        }
        Some(Lifted::Values(sums))
    }

    /// A predicate holds where some pair of values is possible and satisfies it.
    fn predicate(&mut self, a: Term, b: Term, apply: impl Fn(&mut Terms, Term, Term) -> Term) -> Option<Lifted> {
        let (left, right) = (self.values(a), self.values(b));
        let mut holds = self.variables.mk_false();
        for (literal, guard) in self.pairs(&left, &right, apply)? {
            let literal = self.literal(literal)?;
            holds = or(&holds, &and(&guard, &literal)?)?;
        }
        Some(Lifted::Bool(holds))
    }

    /// The diagram of a constant, an atom or a negated atom: what the constructors make of a predicate on ite-free
    /// terms.
    fn literal(&mut self, literal: Term) -> Option<Bdd> {
        match (literal.as_bool(), self.terms.node(literal)) {
            (Some(true), _) => Some(self.variables.mk_true()),
            (Some(false), _) => Some(self.variables.mk_false()),
            (None, Some(&Node::Not(atom))) => Some(self.atom(atom)?.not()),
            _ => self.atom(literal),
        }
    }

    fn atom(&mut self, atom: Term) -> Option<Bdd> {
        let number = match self.numbers.get(&atom) {
            Some(&number) => number,
            None => {
                let number = self.atoms.len();
                self.atoms.push(atom);
                self.numbers.insert(atom, number);
                number
            }
        };
        self.names.get(number).map(|name| self.variables.mk_var(*name))
    }
}

/// Adds a guarded value to a list in which every value occurs once.
fn enter(values: &mut Vec<(Term, Bdd)>, value: Term, guard: Bdd) -> Option<()> {
    if guard.is_false() {
        return Some(());
    }
    match values.iter().position(|known| known.0 == value) {
        Some(i) => values[i].1 = or(&values[i].1, &guard)?,
        None if values.len() == MAX_LEAVES => return None,
        None => values.push((value, guard)),
    }
    Some(())
}

fn and(a: &Bdd, b: &Bdd) -> Option<Bdd> {
    Bdd::binary_op_with_limit(MAX_NODES, a, b, op_function::and)
}

fn or(a: &Bdd, b: &Bdd) -> Option<Bdd> {
    Bdd::binary_op_with_limit(MAX_NODES, a, b, op_function::or)
}
