//! Bit-vectors of 1 to 64 bits with wrap-around. Division by zero and over-long shifts follow SMT-LIB, so that the
//! back ends need no special case; a language that throws instead branches before it divides.

use crate::term::{BitOp, Node, Sort, Term, Terms};

/// All ones at a width.
fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width as u32)
}

/// The value of `a` read as a signed number of `width` bits.
fn signed(width: u8, a: u64) -> i64 {
    let shift = 64 - width as u32;
    ((a << shift) as i64) >> shift
}

/// The one definition of the operations: folding, evaluation and the tests of both back ends use it.
/// Comparisons give 0 or 1.
pub fn apply(op: BitOp, width: u8, a: u64, b: u64) -> u64 {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let bits = width as u64;
    let result = match op {
        BitOp::Add => a.wrapping_add(b),
        BitOp::Sub => a.wrapping_sub(b),
        BitOp::Mul => a.wrapping_mul(b),
        BitOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u64::MAX
            }
        }
        BitOp::SDiv => sa.wrapping_div(sb) as u64,
        BitOp::SRem if b == 0 => a,
        BitOp::SRem => sa.wrapping_rem(sb) as u64,
        BitOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        BitOp::URem => a.checked_rem(b).unwrap_or(a),
        BitOp::Shl if b >= bits => 0,
        BitOp::Shl => a << b,
        BitOp::LShr if b >= bits => 0,
        BitOp::LShr => a >> b,
        BitOp::AShr => (sa >> b.min(63)) as u64,
        BitOp::And => a & b,
        BitOp::Or => a | b,
        BitOp::Xor => a ^ b,
        BitOp::SLt => return (sa < sb) as u64,
        BitOp::ULt => return (a < b) as u64,
    };
    result & mask(width)
}

pub(crate) fn extend_value(is_signed: bool, from: u8, to: u8, value: u64) -> u64 {
    let wide = if is_signed { signed(from, value) as u64 } else { value };
    wide & mask(to)
}

pub(crate) fn extract_value(high: u8, low: u8, value: u64) -> u64 {
    (value >> low) & mask(high - low + 1)
}

impl Terms {
    /// The constant `value` modulo 2^width.
    pub fn bits(&mut self, width: u8, value: u64) -> Term {
        assert!((1..=64).contains(&width));
        let value = value & mask(width);
        if width <= 32 {
            Term::small_bits(width, value)
        } else {
            self.intern(Node::Bits { width, value }, Sort::Bits(width))
        }
    }

    fn width(&self, term: Term) -> u8 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector is wanted, not {sort:?}"),
        }
    }

    pub fn bit_op(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "both operands have one width");
        let (ca, cb) = (self.as_bits(a).map(|c| c.1), self.as_bits(b).map(|c| c.1));
        if let (Some(x), Some(y)) = (ca, cb) {
            let value = apply(op, width, x, y);
            return if op.is_comparison() { Term::bool(value == 1) } else { self.bits(width, value) };
        }
        let zero = self.bits(width, 0);
        let ones = mask(width);
        // Neutral and absorbing operands, and an operand met with itself.
        match (op, ca, cb) {
            (BitOp::Add | BitOp::Or | BitOp::Xor, Some(0), _) => return b,
            (BitOp::Add | BitOp::Sub | BitOp::Or | BitOp::Xor, _, Some(0)) => return a,
            (BitOp::Shl | BitOp::AShr | BitOp::LShr, _, Some(0)) => return a,
            (BitOp::Mul | BitOp::And, Some(0), _) | (BitOp::Mul | BitOp::And, _, Some(0)) => return zero,
            (BitOp::Mul, Some(1), _) => return b,
            (BitOp::Mul | BitOp::SDiv | BitOp::UDiv, _, Some(1)) if width > 1 => return a,
            (BitOp::And, Some(x), _) if x == ones => return b,
            (BitOp::And, _, Some(y)) if y == ones => return a,
            (BitOp::ULt, _, Some(0)) => return Term::FALSE,
            (BitOp::And | BitOp::Or, ..) if a == b => return a,
            (BitOp::Sub | BitOp::Xor, ..) if a == b => return zero,
            (BitOp::SLt | BitOp::ULt, ..) if a == b => return Term::FALSE,
            _ => {}
        }
        if op.is_comparison() {
            let decided = match (ca, cb) {
                (_, Some(y)) => {
                    self.compare_constant_branches(a, |t, x| apply(op, width, t.as_bits(x).unwrap().1, y) == 1)
                }
                (Some(x), _) => {
                    self.compare_constant_branches(b, |t, y| apply(op, width, x, t.as_bits(y).unwrap().1) == 1)
                }
                _ => None,
            };
            if let Some(term) = decided {
                return term;
            }
        }
        let commutes = matches!(op, BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor);
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        let sort = if op.is_comparison() { Sort::Bool } else { Sort::Bits(width) };
        self.intern(Node::Bit(op, a, b), sort)
    }

    /// Bitwise complement.
    pub fn bit_not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let ones = self.bits(width, u64::MAX);
        self.bit_op(BitOp::Xor, a, ones)
    }

    /// Sign- or zero-extension to `width` bits.
    pub fn extend(&mut self, signed: bool, width: u8, term: Term) -> Term {
        let from = self.width(term);
        assert!(from <= width && width <= 64, "an extension does not shorten");
        if from == width {
            return term;
        }
        if let Some((_, value)) = self.as_bits(term) {
            return self.bits(width, extend_value(signed, from, width, value));
        }
        self.intern(Node::Extend { signed, width, term }, Sort::Bits(width))
    }

    /// The bits `low..=high` of a term.
    pub fn extract(&mut self, high: u8, low: u8, term: Term) -> Term {
        let from = self.width(term);
        assert!(low <= high && high < from, "an extraction stays inside");
        let width = high - low + 1;
        if width == from {
            return term;
        }
        if let Some((_, value)) = self.as_bits(term) {
            return self.bits(width, extract_value(high, low, value));
        }
        // The low part of an extension is the low part of what was extended.
        if let Some(&Node::Extend { term: inner, .. }) = self.node(term)
            && high < self.width(inner)
        {
            return self.extract(high, low, inner);
        }
        self.intern(Node::Extract { high, low, term }, Sort::Bits(width))
    }

    pub(super) fn eq_bits(&mut self, a: Term, b: Term) -> Term {
        if let (Some((_, x)), Some((_, y))) = (self.as_bits(a), self.as_bits(b)) {
            return Term::bool(x == y);
        }
        for (constant, other) in [(a, b), (b, a)] {
            if let Some((_, x)) = self.as_bits(constant)
                && let Some(term) = self.compare_constant_branches(other, |t, y| t.as_bits(y).unwrap().1 == x)
            {
                return term;
            }
        }
        self.intern_eq(a, b)
    }
}
