//! Words as polynomials modulo 2^width, in normal form: what two words differ by is seen without a circuit where it does not
//! depend on anything. `(a + b)·(a − b)` and `a·a − b·b` are one polynomial, and with `x % y = x − (x / y)·y`, which holds of all
//! words, also where `y` is 0, so are `x / 10 · 10 + x % 10` and `x`.
//!
//! Only comparisons ask. The terms themselves stay as the program wrote them: expanded, a product of sums has more
//! multipliers than before, and a reader would not know it again.

use std::collections::BTreeMap;

use super::bits::{mask, signed};
use crate::term::{BitOp, Node, Term, Terms};

/// What has more monomials is left as it is.
const MOST_MONOMIALS: usize = 64;
/// Operations that are expanded before the whole is left as it is.
const MOST_STEPS: usize = 128;
/// What lies deeper is an unknown, whatever it is.
const DEPTH: usize = 32;

/// `Σ coefficient · product`, no coefficient 0. A product is the sorted list of its factors; that of none is 1.
#[derive(Default)]
struct Polynomial(BTreeMap<Vec<Term>, u64>);

impl Polynomial {
    fn of(product: Vec<Term>, coefficient: u64, width: u8) -> Polynomial {
        let mut result = Polynomial::default();
        result.add(product, coefficient, width);
        result
    }

    fn add(&mut self, product: Vec<Term>, coefficient: u64, width: u8) {
        let sum = self.0.get(&product).unwrap_or(&0).wrapping_add(coefficient) & mask(width);
        match sum {
            0 => drop(self.0.remove(&product)),
            _ => drop(self.0.insert(product, sum)),
        }
    }

    /// `self + factor · other`.
    fn plus(mut self, factor: u64, other: Polynomial, width: u8) -> Option<Polynomial> {
        for (product, coefficient) in other.0 {
            self.add(product, coefficient.wrapping_mul(factor), width);
        }
        (self.0.len() <= MOST_MONOMIALS).then_some(self)
    }

    fn times(&self, other: &Polynomial, width: u8) -> Option<Polynomial> {
        if self.0.len() * other.0.len() > MOST_MONOMIALS {
            return None;
        }
        let mut result = Polynomial::default();
        for (left, x) in &self.0 {
            for (right, y) in &other.0 {
                let mut product = [left.as_slice(), right].concat();
                product.sort_unstable();
                result.add(product, x.wrapping_mul(*y), width);
            }
        }
        Some(result)
    }
}

impl Terms {
    /// What `a − b` is, if that is seen to be one number whatever the unknowns are.
    pub(super) fn constant_difference(&mut self, a: Term, b: Term) -> Option<u64> {
        // One operation, or none, is nothing to be brought into another form.
        if self.operations(a) + self.operations(b) < 2 {
            return None;
        }
        let width = self.width(a);
        let mut steps = MOST_STEPS;
        let left = self.polynomial(a, width, DEPTH, &mut steps)?;
        let right = self.polynomial(b, width, DEPTH, &mut steps)?;
        let difference = left.plus(u64::MAX, right, width)?;
        match difference.0.len() {
            0 => Some(0),
            1 => difference.0.get(&[][..]).copied(),
            _ => None,
        }
    }

    /// How many operations that are expanded stand at the top of a term: none, one, or more.
    fn operations(&self, term: Term) -> usize {
        let is_expanded = |t: Term| {
            let ring = [BitOp::Add, BitOp::Sub, BitOp::Mul, BitOp::SRem, BitOp::URem];
            matches!(self.node(t), Some(Node::Bit(op, ..)) if ring.contains(op))
                || matches!(self.node(t), Some(Node::Extract { low: 0, .. }))
        };
        if !is_expanded(term) {
            return 0;
        }
        let mut number = 1;
        self.children(term, |child| number += is_expanded(child) as usize);
        number
    }

    /// The lowest `width` bits of a term. `None` if that is too much work.
    fn polynomial(&mut self, term: Term, width: u8, depth: usize, steps: &mut usize) -> Option<Polynomial> {
        if let Some(value) = self.word(term) {
            return Some(Polynomial::of(Vec::new(), value, width));
        }
        *steps = steps.checked_sub(1)?;
        let alone = |term: Term| Some(Polynomial::of(vec![term], 1, width));
        let Some(depth) = depth.checked_sub(1) else { return alone(term) };
        match *self.node(term).expect("a constant was read above") {
            Node::Bit(op @ (BitOp::Add | BitOp::Sub), a, b) => {
                let (left, right) =
                    (self.polynomial(a, width, depth, steps)?, self.polynomial(b, width, depth, steps)?);
                left.plus(if op == BitOp::Add { 1 } else { u64::MAX }, right, width)
            }
            Node::Bit(BitOp::Mul, a, b) => {
                let (left, right) =
                    (self.polynomial(a, width, depth, steps)?, self.polynomial(b, width, depth, steps)?);
                left.times(&right, width)
            }
            Node::Bit(BitOp::Shl, a, by) if self.word(by).is_some() => {
                let by = self.word(by).expect("a constant");
                let factor = if by < 64 { 1 << by } else { 0 };
                Polynomial::default().plus(factor, self.polynomial(a, width, depth, steps)?, width)
            }
            // The complement of a word is what is left to −1.
            Node::Bit(BitOp::Xor, a, ones) if self.word(ones) == Some(mask(self.width(term))) => {
                let minus_one = Polynomial::of(Vec::new(), u64::MAX, width);
                minus_one.plus(u64::MAX, self.polynomial(a, width, depth, steps)?, width)
            }
            Node::Bit(op @ (BitOp::SRem | BitOp::URem), a, b) => {
                let (dividend, divisor) =
                    (self.polynomial(a, width, depth, steps)?, self.polynomial(b, width, depth, steps)?);
                let division = if op == BitOp::SRem { BitOp::SDiv } else { BitOp::UDiv };
                let quotient = self.bit_op(division, a, b);
                let quotient = self.polynomial(quotient, width, depth, steps)?;
                dividend.plus(u64::MAX, quotient.times(&divisor, width)?, width)
            }
            Node::Bit(op @ (BitOp::SDiv | BitOp::UDiv), a, b) => match self.quotient_by_others(op, a, b) {
                Some(parts) => {
                    let mut sum = Polynomial::default();
                    for (quotient, factor) in parts {
                        sum = sum.plus(factor, self.polynomial(quotient, width, depth, steps)?, width)?;
                    }
                    Some(sum)
                }
                None => alone(term),
            },
            // The lowest bits of a number are those of its narrower part.
            Node::Extract { low: 0, term: inner, .. } => self.polynomial(inner, width, depth, steps),
            Node::Extend { term: inner, .. } if self.width(inner) >= width => {
                self.polynomial(inner, width, depth, steps)
            }
            _ => alone(term),
        }
    }

    /// A quotient of a quotient or of a remainder by constants, as a sum of quotients of the number itself: `(x / c) / d` is
    /// `x / (c·d)`, and `(x % c) / d` is `x / d − (c / d)·(x / c)` where `d` divides `c`. Signed constants are positive here.
    fn quotient_by_others(&mut self, op: BitOp, a: Term, b: Term) -> Option<Vec<(Term, u64)>> {
        let width = self.width(a);
        let most = if op == BitOp::SDiv { mask(width) >> 1 } else { mask(width) };
        let &Node::Bit(inner, x, c) = self.node(a)? else { return None };
        let constant = |terms: &Terms, term: Term| terms.word(term).filter(|value| (1..=most).contains(value));
        let (c, d) = (constant(self, c)?, constant(self, b)?);
        match (op, inner) {
            (BitOp::SDiv, BitOp::SDiv) | (BitOp::UDiv, BitOp::UDiv) => {
                let both = c.checked_mul(d).filter(|both| *both <= most)?;
                let both = self.bits(width, both);
                Some(vec![(self.bit_op(op, x, both), 1)])
            }
            (BitOp::SDiv, BitOp::SRem) | (BitOp::UDiv, BitOp::URem) if c.is_multiple_of(d) => {
                let divisors = [self.bits(width, d), self.bits(width, c)];
                let [fine, coarse] = divisors.map(|divisor| self.bit_op(op, x, divisor));
                Some(vec![(fine, 1), (coarse, (c / d).wrapping_neg())])
            }
            _ => None,
        }
    }

    /// `(x % c) % d` is `x % d` where `d` divides `c`.
    pub(super) fn remainder_of_remainder(
        &mut self,
        op: BitOp,
        (inner, x, c): (BitOp, Term, u64),
        d: u64,
    ) -> Option<Term> {
        let width = self.width(x);
        let is_positive = |value: u64| value > 0 && (op == BitOp::URem || signed(width, value) > 0);
        let divides = op == inner && is_positive(c) && is_positive(d) && c.is_multiple_of(d);
        divides.then(|| {
            let d = self.bits(width, d);
            self.bit_op(op, x, d)
        })
    }
}
