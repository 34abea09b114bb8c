//! The smart constructors: every term is built here, and simplified while it is built.
//!
//! One file a sort. Each rule is local and cheap (it looks at a node and its children, never at a path condition), and
//! each must preserve the meaning that [`crate::eval`] gives: the property tests compare the two on random terms.

mod bits;
mod boolean;
mod float;
mod integer;
mod order;
mod polynomial;
mod reference;

pub use bits::apply as apply_bits;
pub(crate) use bits::{extend_value, extract_value};

use crate::term::{BitOp, Node, Sort, Term, Terms};

/// Choices between constants are computed with as long as they have fewer branches than this, inner ones included: enough
/// for the results of comparisons, and a bound on the depth of the recursion.
const CONSTANT_BRANCHES: usize = 16;

impl Terms {
    /// `if condition then a else b`, for any sort.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(value) = condition.as_bool() {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        if self.sort(a) == Sort::Bool {
            return self.ite_bool(condition, a, b);
        }
        if let Some(Node::Not(inner)) = self.node(condition) {
            let inner = *inner;
            return self.ite(inner, b, a);
        }
        // A choice that the same condition has already made, one level down.
        let a = match self.node(a) {
            Some(&Node::Ite(c, then, _)) if c == condition => then,
            _ => a,
        };
        let b = match self.node(b) {
            Some(&Node::Ite(c, _, otherwise)) if c == condition => otherwise,
            _ => b,
        };
        if a == b {
            return a;
        }
        // ite(c, a, ite(d, a, b)) = ite(c ∨ d, a, b): alias chains produce it in plenty.
        if let Some(&Node::Ite(d, then, otherwise)) = self.node(b)
            && then == a
        {
            let either = self.or(condition, d);
            return self.ite(either, a, otherwise);
        }
        let sort = self.sort(a);
        self.intern(Node::Ite(condition, a, b), sort)
    }

    /// Equality of two terms of one sort. On floating-point numbers it is the identity of values, not the comparison of IEEE.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return Term::TRUE;
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int => self.eq_int(a, b),
            Sort::Bits(_) => self.eq_bits(a, b),
            Sort::Float(_) => self.eq_float(a, b),
            Sort::Ref => self.eq_ref(a, b),
        }
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// The comparison of `a` and `b` by the relation of `like`: an equality or a strict order.
    pub(crate) fn compared(&mut self, like: Term, a: Term, b: Term) -> Term {
        match self.node(like) {
            Some(Node::Eq(..)) => self.eq(a, b),
            Some(Node::Lt(..)) => self.lt(a, b),
            Some(Node::Bit(BitOp::SLt, ..)) => self.bit_op(BitOp::SLt, a, b),
            other => unreachable!("an equality or a strict order is wanted, not {other:?}"),
        }
    }

    /// A comparison of a choice between constants with a constant decides the conditions alone; `holds` is the comparison
    /// with the other side.
    fn compare_constant_branches(&mut self, choice: Term, holds: impl Fn(&Terms, Term) -> bool) -> Option<Term> {
        self.map_constant_branches(choice, &|terms, constant| Term::bool(holds(terms, constant)))
    }

    /// The choice between the results of a function, if `choice` is one between a few constants.
    fn map_constant_branches(&mut self, choice: Term, result: &impl Fn(&mut Terms, Term) -> Term) -> Option<Term> {
        let mut budget = CONSTANT_BRANCHES;
        self.has_constant_branches(choice, &mut budget).then(|| self.map_branches(choice, result))
    }

    /// Whether a term is a choice between at most so many constants.
    fn has_constant_branches(&self, term: Term, budget: &mut usize) -> bool {
        let Some(&Node::Ite(_, a, b)) = self.node(term) else { return false };
        [a, b].into_iter().all(|side| {
            *budget = budget.saturating_sub(1);
            *budget > 0 && (self.is_constant(side) || self.has_constant_branches(side, budget))
        })
    }

    fn map_branches(&mut self, term: Term, result: &impl Fn(&mut Terms, Term) -> Term) -> Term {
        match self.node(term) {
            Some(&Node::Ite(condition, a, b)) => {
                let (a, b) = (self.map_branches(a, result), self.map_branches(b, result));
                self.ite(condition, a, b)
            }
            _ => result(self, term),
        }
    }

    fn intern_eq(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Node::Eq(a, b), Sort::Bool)
    }
}
