//! Bit-vectors of 1 to 64 bits with wrap-around: their values, arithmetic and changes of width; `order` compares them. Division by zero and over-long shifts follow SMT-LIB, so that the
//! back ends need no special case; a language that throws instead branches before it divides.

use crate::term::{BitOp, Node, Sort, Term, Terms};

/// All ones at a width.
pub(super) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width as u32)
}

/// The value of `a` read as a signed number of `width` bits.
pub(super) fn signed(width: u8, a: u64) -> i64 {
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
        match Term::small_bits(width, value) {
            Some(term) => term,
            None => self.intern(Node::Bits { width, value }, Sort::Bits(width)),
        }
    }

    pub(super) fn width(&self, term: Term) -> u8 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector is wanted, not {sort:?}"),
        }
    }

    /// The value of a constant bit-vector.
    pub(super) fn word(&self, term: Term) -> Option<u64> {
        self.as_bits(term).map(|constant| constant.1)
    }

    pub fn bit_op(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        // Concrete execution: nothing is looked up.
        if let (Some((width, x)), Some((other, y))) = (a.as_small_bits(), b.as_small_bits())
            && width == other
        {
            let value = apply(op, width, x, y);
            return if op.is_comparison() { Term::bool(value == 1) } else { self.bits(width, value) };
        }
        let width = self.width(a);
        assert_eq!(width, self.width(b), "both operands have one width");
        if let (Some(x), Some(y)) = (self.word(a), self.word(b)) {
            let value = apply(op, width, x, y);
            return if op.is_comparison() { Term::bool(value == 1) } else { self.bits(width, value) };
        }
        if op.is_comparison() {
            return self.less(op, a, b);
        }
        // A constant stands on the right where that changes nothing, so that the rules look for it only there.
        let swap = op.is_commutative() && self.word(b).is_none() && (self.word(a).is_some() || b < a);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let simpler = match self.word(b) {
            Some(y) => self.with_constant(op, width, a, y).or_else(|| {
                self.map_constant_branches(a, &|t, x| {
                    let value = apply(op, width, t.word(x).expect("a constant"), y);
                    t.bits(width, value)
                })
            }),
            None => self.without_constant(op, width, a, b),
        };
        match simpler {
            Some(term) => term,
            None => self.intern(Node::Bit(op, a, b), Sort::Bits(width)),
        }
    }

    /// Operations with a constant on the right: neutral, absorbing, or combined with the one that the left side ends in.
    fn with_constant(&mut self, op: BitOp, width: u8, a: Term, y: u64) -> Option<Term> {
        let ones = mask(width);
        let bits = width as u64;
        match (op, y) {
            (BitOp::Add | BitOp::Sub | BitOp::Or | BitOp::Xor, 0) => return Some(a),
            (BitOp::Shl | BitOp::AShr | BitOp::LShr, 0) => return Some(a),
            (BitOp::Mul | BitOp::And, 0) => return Some(self.bits(width, 0)),
            (BitOp::Mul | BitOp::SDiv | BitOp::UDiv, 1) if width > 1 => return Some(a),
            (BitOp::And, y) if y == ones => return Some(a),
            (BitOp::Or, y) if y == ones => return Some(self.bits(width, ones)),
            (BitOp::Shl | BitOp::LShr, y) if y >= bits => return Some(self.bits(width, 0)),
            (BitOp::AShr, y) if y >= bits => {
                let sign = self.bits(width, bits - 1);
                return Some(self.bit_op(BitOp::AShr, a, sign));
            }
            // One way to write the subtraction of a constant.
            (BitOp::Sub, y) => {
                let negative = self.bits(width, y.wrapping_neg());
                return Some(self.bit_op(BitOp::Add, a, negative));
            }
            _ => {}
        }
        match *self.node(a)? {
            Node::Bit(inner, x, z) => self.with_two_constants(op, width, (inner, x, z), y),
            Node::Extend { term: x, .. } if op == BitOp::And && y == mask(self.width(x)) => {
                Some(self.extend(false, width, x))
            }
            Node::Extend { signed: false, term: x, .. } if op == BitOp::And => {
                let narrow = mask(self.width(x));
                (y & narrow == narrow).then_some(a)
            }
            _ => None,
        }
    }

    /// `(x inner z) op y` where one of `x` and `z` is a constant as well.
    fn with_two_constants(&mut self, op: BitOp, width: u8, (inner, x, z): (BitOp, Term, Term), y: u64) -> Option<Term> {
        let Some(c) = self.word(z) else {
            // (c − z) + y = (c + y) − z.
            let c = self.word(x).filter(|_| (op, inner) == (BitOp::Add, BitOp::Sub))?;
            let sum = self.bits(width, c.wrapping_add(y));
            return Some(self.bit_op(BitOp::Sub, sum, z));
        };
        if matches!(op, BitOp::SRem | BitOp::URem) {
            return self.remainder_of_remainder(op, (inner, x, c), y);
        }
        let together = match (op, inner) {
            (BitOp::Add | BitOp::And | BitOp::Or | BitOp::Xor | BitOp::Mul, _) if op == inner => apply(op, width, c, y),
            // Both are below the width: the constructor has seen to that. The sum may reach it, and is seen to again.
            (BitOp::Shl | BitOp::LShr | BitOp::AShr, _) if op == inner => c + y,
            _ => return None,
        };
        let together = self.bits(width, together);
        Some(self.bit_op(op, x, together))
    }

    /// Operations without a constant on the right.
    fn without_constant(&mut self, op: BitOp, width: u8, a: Term, b: Term) -> Option<Term> {
        match op {
            BitOp::And | BitOp::Or if a == b => return Some(a),
            BitOp::Sub | BitOp::Xor if a == b => return Some(self.bits(width, 0)),
            _ => {}
        }
        if let (BitOp::Sub, Some(&Node::Bit(BitOp::Add, x, y))) = (op, self.node(a))
            && (x == b || y == b)
        {
            return Some(if x == b { y } else { x });
        }
        if op == BitOp::Sub {
            // What a program that has the quotient computes for the remainder: x − (x / c) · c, or the other way round.
            if let Some(c) = self.divisor_of(a, b) {
                return Some(self.bit_op(BitOp::SRem, a, c));
            }
            if let Some(c) = self.divisor_of(b, a) {
                let (zero, remainder) = (self.bits(width, 0), self.bit_op(BitOp::SRem, b, c));
                return Some(self.bit_op(BitOp::Sub, zero, remainder));
            }
        }
        self.truths(op, width, a, b)
    }

    /// The constant `c`, if a product is `(x / c) · c`.
    fn divisor_of(&self, x: Term, product: Term) -> Option<Term> {
        let &Node::Bit(BitOp::Mul, quotient, factor) = self.node(product)? else { return None };
        let &Node::Bit(BitOp::SDiv, dividend, c) = self.node(quotient)? else { return None };
        (dividend == x && c == factor && self.word(c).is_some()).then_some(c)
    }

    /// Truth values that a program computes with as with numbers: `ite(c, 1, 0) & ite(d, 1, 0)` is `ite(c ∧ d, 1, 0)`.
    fn truths(&mut self, op: BitOp, width: u8, a: Term, b: Term) -> Option<Term> {
        if !matches!(op, BitOp::And | BitOp::Or | BitOp::Xor) {
            return None;
        }
        let (c, d) = (self.truth_as_number(a)?, self.truth_as_number(b)?);
        let both = match op {
            BitOp::And => self.and(c, d),
            BitOp::Or => self.or(c, d),
            _ => {
                let same = self.iff(c, d);
                self.not(same)
            }
        };
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        Some(self.ite(both, one, zero))
    }

    /// The condition under which a number is 1, if it is 0 otherwise.
    fn truth_as_number(&mut self, term: Term) -> Option<Term> {
        let &Node::Ite(condition, a, b) = self.node(term)? else { return None };
        match (self.word(a)?, self.word(b)?) {
            (1, 0) => Some(condition),
            (0, 1) => Some(self.not(condition)),
            _ => None,
        }
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
        let of_constant = |terms: &mut Terms, constant: Term| {
            let value = extend_value(signed, from, width, terms.word(constant).expect("a constant"));
            terms.bits(width, value)
        };
        if self.word(term).is_some() {
            return of_constant(self, term);
        }
        if let Some(term) = self.map_constant_branches(term, &of_constant) {
            return term;
        }
        match *self.node(term).expect("a constant was extended above") {
            // The inner extension decides: a number that it has made wider without sign has none.
            Node::Extend { signed: inner_signed, term: inner, .. } if signed == inner_signed || !inner_signed => {
                self.extend(inner_signed, width, inner)
            }
            _ => self.intern(Node::Extend { signed, width, term }, Sort::Bits(width)),
        }
    }

    /// The bits `low..=high` of a term.
    pub fn extract(&mut self, high: u8, low: u8, term: Term) -> Term {
        let from = self.width(term);
        assert!(low <= high && high < from, "an extraction stays inside");
        let width = high - low + 1;
        if width == from {
            return term;
        }
        let of_constant = |terms: &mut Terms, constant: Term| {
            let value = extract_value(high, low, terms.word(constant).expect("a constant"));
            terms.bits(width, value)
        };
        if self.word(term).is_some() {
            return of_constant(self, term);
        }
        if let Some(term) = self.map_constant_branches(term, &of_constant) {
            return term;
        }
        match *self.node(term).expect("a constant was cut above") {
            Node::Extend { signed, term: inner, .. } => {
                let inner_width = self.width(inner);
                if high < inner_width {
                    return self.extract(high, low, inner);
                }
                if low < inner_width {
                    let part = self.extract(inner_width - 1, low, inner);
                    return self.extend(signed, width, part);
                }
                if !signed {
                    return self.bits(width, 0);
                }
            }
            Node::Extract { low: inner_low, term: inner, .. } => {
                return self.extract(high + inner_low, low + inner_low, inner);
            }
            // A mask that keeps all of the bits asked for.
            Node::Bit(BitOp::And, inner, constant)
                if self.word(constant).is_some_and(|c| extract_value(high, low, c) == mask(width)) =>
            {
                return self.extract(high, low, inner);
            }
            _ => {}
        }
        self.intern(Node::Extract { high, low, term }, Sort::Bits(width))
    }
}
