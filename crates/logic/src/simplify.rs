//! The smart constructors: every term is built here, and simplified while it is built.
//!
//! One file a sort. Each rule is local and cheap (it looks at a node and its children, never at a path condition), and
//! each must preserve the meaning that [`crate::eval`] gives: the property tests compare the two on random terms.

mod bits;
mod boolean;
mod integer;
mod reference;

pub use bits::apply as apply_bits;
pub(crate) use bits::{extend_value, extract_value};

use crate::term::{Node, Sort, Term, Terms};

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

    /// Equality of two terms of one sort.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return Term::TRUE;
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int => self.eq_int(a, b),
            Sort::Bits(_) => self.eq_bits(a, b),
            Sort::Ref => self.eq_ref(a, b),
        }
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// `ite(c, k1, k2) ⋈ k3` with constants decides `c` alone; `holds` is the comparison with the other side.
    fn compare_constant_branches(&mut self, ite: Term, holds: impl Fn(&Terms, Term) -> bool) -> Option<Term> {
        let &Node::Ite(condition, a, b) = self.node(ite)? else { return None };
        if !self.is_constant(a) || !self.is_constant(b) {
            return None;
        }
        let (then, otherwise) = (holds(self, a), holds(self, b));
        Some(self.ite_bool(condition, Term::bool(then), Term::bool(otherwise)))
    }

    fn intern_eq(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Node::Eq(a, b), Sort::Bool)
    }
}
