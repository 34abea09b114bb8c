//! Unbounded integers: sums in a canonical linear form, comparisons in one canonical orientation.
//!
//! `a < b` and `b <= a` become one atom and its negation, so that complements are seen without a solver. Coefficients are
//! 64-bit; where one would overflow, the addition is left as a [`Node::WideAdd`], which only the back end decides.

use crate::term::{Node, SMALL_INT, Sort, Term, Terms};

/// How many comparisons are remembered.
const LATELY: usize = 256;

/// A linear form while it is being built.
struct Linear {
    terms: Vec<(Term, i64)>,
    constant: i64,
}

impl Terms {
    pub fn int(&mut self, value: i64) -> Term {
        if SMALL_INT.contains(&value) { Term::small_int(value) } else { self.intern(Node::Int(value), Sort::Int) }
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, 1, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, -1, b)
    }

    /// `a + factor·b`.
    pub(crate) fn add_scaled(&mut self, a: Term, factor: i64, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b))
            && let Some(sum) = y.checked_mul(factor).and_then(|y| x.checked_add(y))
        {
            return self.int(sum);
        }
        match self.combine(a, factor, b) {
            Some(linear) => self.linear(linear),
            None => self.intern(Node::WideAdd(a, factor, b), Sort::Int),
        }
    }

    /// The linear form of `a + factor·b`; `None` if a coefficient overflows.
    fn combine(&self, a: Term, factor: i64, b: Term) -> Option<Linear> {
        let (alone, other) = ([(a, 1)], [(b, 1)]);
        let (left, c) = self.parts(a, &alone);
        let (right, d) = self.parts(b, &other);
        let constant = d.checked_mul(factor)?.checked_add(c)?;
        let mut terms = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        while i < left.len() || j < right.len() {
            let next = match (left.get(i), right.get(j)) {
                (Some(x), Some(y)) if x.0 == y.0 => {
                    i += 1;
                    j += 1;
                    (x.0, y.1.checked_mul(factor)?.checked_add(x.1)?)
                }
                (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                    i += 1;
                    *x
                }
                (_, Some(y)) => {
                    j += 1;
                    (y.0, y.1.checked_mul(factor)?)
                }
                _ => unreachable!("one side has an element left"),
            };
            if next.1 != 0 {
                terms.push(next);
            }
        }
        Some(Linear { terms, constant })
    }

    /// A term as a linear form; `alone` is the one of a term that is no sum.
    fn parts<'a>(&'a self, term: Term, alone: &'a [(Term, i64)]) -> (&'a [(Term, i64)], i64) {
        if let Some(value) = self.as_int(term) {
            return (&[], value);
        }
        match self.node(term) {
            Some(Node::Sum(list, constant)) => (list, *constant),
            _ => (alone, 0),
        }
    }

    /// Whether a term is neither a constant nor a sum.
    fn is_alone(&self, term: Term) -> bool {
        self.node(term).is_some_and(|node| !matches!(node, Node::Int(_) | Node::Sum(..)))
    }

    fn linear(&mut self, linear: Linear) -> Term {
        match linear.terms.as_slice() {
            [] => self.int(linear.constant),
            [(term, 1)] if linear.constant == 0 => *term,
            _ => self.intern(Node::Sum(linear.terms.into(), linear.constant), Sort::Int),
        }
    }

    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Term::FALSE;
        }
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b)) {
            return Term::bool(x < y);
        }
        if let Some(y) = self.as_int(b)
            && let Some(term) = self.compare_constant_branches(a, |t, x| t.as_int(x).unwrap() < y)
        {
            return term;
        }
        if let Some(x) = self.as_int(a)
            && let Some(term) = self.compare_constant_branches(b, |t, y| x < t.as_int(y).unwrap())
        {
            return term;
        }
        // Restricting a path's terms compares the same numbers again and again.
        let place = a.hashed(b) % LATELY;
        if let Some(&(x, y, known)) = self.lately.get(place)
            && (x, y) == (a, b)
        {
            return known;
        }
        let term = self.lt_open(a, b);
        self.lately.resize(LATELY, (Term::NULL, Term::NULL, Term::NULL));
        self.lately[place] = (a, b, term);
        term
    }

    /// Likewise, of two different terms that are not both known.
    fn lt_open(&mut self, a: Term, b: Term) -> Term {
        // What comes below makes the same of two terms without sums, the most frequent ones.
        if self.is_alone(a) && self.is_alone(b) {
            if a < b {
                return self.intern(Node::Lt(a, b), Sort::Bool);
            }
            let next = self.intern(Node::Sum([(a, 1)].into(), 1), Sort::Int);
            let greater = self.intern(Node::Lt(b, next), Sort::Bool);
            return self.not(greater);
        }
        // a < b  ⟺  d < 0 with d = a − b. With a negative leading coefficient:  d < 0  ⟺  ¬(−d − 1 < 0).
        let Some(mut d) = self.combine(a, -1, b) else {
            return self.intern(Node::Lt(a, b), Sort::Bool);
        };
        let Some(&(_, leading)) = d.terms.first() else {
            return Term::bool(d.constant < 0);
        };
        if leading > 0 {
            return match self.split(&d) {
                Some((left, right)) => self.intern(Node::Lt(left, right), Sort::Bool),
                None => self.intern(Node::Lt(a, b), Sort::Bool),
            };
        }
        let negated = negate(&mut d).and_then(|()| d.constant.checked_sub(1));
        match negated {
            Some(constant) => {
                d.constant = constant;
                match self.split(&d) {
                    Some((left, right)) => {
                        let atom = self.intern(Node::Lt(left, right), Sort::Bool);
                        self.not(atom)
                    }
                    None => self.intern(Node::Lt(a, b), Sort::Bool),
                }
            }
            None => self.intern(Node::Lt(a, b), Sort::Bool),
        }
    }

    pub fn le(&mut self, a: Term, b: Term) -> Term {
        let greater = self.lt(b, a);
        self.not(greater)
    }

    pub(super) fn eq_int(&mut self, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b)) {
            return Term::bool(x == y);
        }
        for (constant, other) in [(a, b), (b, a)] {
            if let Some(x) = self.as_int(constant)
                && let Some(term) = self.compare_constant_branches(other, |t, y| t.as_int(y).unwrap() == x)
            {
                return term;
            }
        }
        let Some(mut d) = self.combine(a, -1, b) else {
            return self.intern_eq(a, b);
        };
        let Some(&(_, leading)) = d.terms.first() else {
            return Term::bool(d.constant == 0);
        };
        if leading < 0 && negate(&mut d).is_none() {
            return self.intern_eq(a, b);
        }
        match self.split(&d) {
            // The canonical orientation is kept as it is: sorting the sides would lose it.
            Some((left, right)) => self.intern(Node::Eq(left, right), Sort::Bool),
            None => self.intern_eq(a, b),
        }
    }

    /// `d ⋈ 0` as `positive part ⋈ negative part`, which reads as people write it; the constant goes to the right.
    fn split(&mut self, d: &Linear) -> Option<(Term, Term)> {
        let mut left = Linear { terms: Vec::new(), constant: 0 };
        let mut right = Linear { terms: Vec::new(), constant: d.constant.checked_neg()? };
        for &(term, coefficient) in &d.terms {
            if coefficient > 0 {
                left.terms.push((term, coefficient));
            } else {
                right.terms.push((term, coefficient.checked_neg()?));
            }
        }
        Some((self.linear(left), self.linear(right)))
    }
}

fn negate(d: &mut Linear) -> Option<()> {
    for (_, coefficient) in &mut d.terms {
        *coefficient = coefficient.checked_neg()?;
    }
    d.constant = d.constant.checked_neg()?;
    Some(())
}
