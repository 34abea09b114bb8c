//! Comparisons of bit-vectors: equality, signed and unsigned order, and two of them about the same operands.
//!
//! The canonical forms: a constant stands on the right of a signed order (`c < x` is `¬(x < c + 1)`), so that a condition and
//! its complement are one atom; an unsigned order of numbers without sign is a signed one; a comparison of sign-extended
//! numbers is one of the numbers. Zero-extended numbers stay as they are, so that all comparisons of one symbol read its bits
//! in the same way, which is what the difference stage wants.

use super::bits::{apply, mask, signed};
use crate::float::FloatOp;
use crate::term::{BitOp, Node, Sort, Term, Terms};

/// The least and the greatest signed value that a term can have.
type Range = (i64, i64);

impl Terms {
    /// `a < b`, signed or unsigned, of which at most one is a constant.
    pub(super) fn less(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        if a == b {
            return Term::FALSE;
        }
        let width = self.width(a);
        let word = |t: &Terms, x: Term| t.word(x).expect("a constant");
        let decided = match (self.word(a), self.word(b)) {
            (_, Some(y)) => self.compare_constant_branches(a, |t, x| apply(op, width, word(t, x), y) == 1),
            (Some(x), _) => self.compare_constant_branches(b, |t, y| apply(op, width, x, word(t, y)) == 1),
            _ => None,
        };
        if let Some(term) = decided {
            return term;
        }
        let (left, right) = (self.range(a), self.range(b));
        if op == BitOp::ULt {
            if left.0 >= 0 && right.0 >= 0 {
                return self.less(BitOp::SLt, a, b);
            }
            return match (self.word(a), self.word(b)) {
                (_, Some(0)) => Term::FALSE,
                (Some(x), _) if x == mask(width) => Term::FALSE,
                _ => self.intern(Node::Bit(BitOp::ULt, a, b), Sort::Bool),
            };
        }
        if left.1 < right.0 {
            return Term::TRUE;
        }
        if left.0 >= right.1 {
            return Term::FALSE;
        }
        if let Some((a, b)) = self.without_signs(a, b) {
            return self.bit_op(BitOp::SLt, a, b);
        }
        if self.constant_difference(a, b) == Some(0) {
            return Term::FALSE;
        }
        match self.word(a) {
            // The greatest value was compared above.
            Some(x) => {
                let next = self.bits(width, x.wrapping_add(1));
                let below = self.quotient_below(b, next);
                self.not(below)
            }
            None => self.quotient_below(a, b),
        }
    }

    /// `a < b`, signed. If `a` is `x / c` and `b` a constant, that is a comparison of `x` with a constant: no division is left.
    fn quotient_below(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let quotient = match self.node(a) {
            Some(&Node::Bit(BitOp::SDiv, x, c)) => self.word(c).map(|c| (x, signed(width, c))).filter(|(_, c)| *c > 0),
            _ => None,
        };
        let (Some((x, c)), Some(b)) = (quotient, self.word(b)) else {
            return self.intern(Node::Bit(BitOp::SLt, a, b), Sort::Bool);
        };
        // Division rounds towards zero: the greatest x with a quotient of at most `most`.
        let (most, c) = (signed(width, b) as i128 - 1, c as i128);
        let greatest = if most < 0 { most * c } else { most * c + c - 1 };
        let limit = 1i128 << (width - 1);
        if greatest < -limit {
            return Term::FALSE;
        }
        if greatest >= limit - 1 {
            return Term::TRUE;
        }
        let bound = self.bits(width, (greatest + 1) as u64);
        self.less(BitOp::SLt, x, bound)
    }

    pub(super) fn eq_bits(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if self.word(a).is_some() { (b, a) } else { (a, b) };
        let (left, right) = (self.range(a), self.range(b));
        if left.1 < right.0 || right.1 < left.0 {
            return Term::FALSE;
        }
        if let Some((a, b)) = self.without_signs(a, b) {
            return self.eq(a, b);
        }
        if let Some(difference) = self.constant_difference(a, b) {
            return Term::bool(difference == 0);
        }
        let simpler = match self.word(b) {
            Some(y) => self.eq_constant(a, y),
            None => self.eq_sums(a, b),
        };
        match simpler {
            Some(term) => term,
            None => self.intern_eq(a, b),
        }
    }

    /// `a = y`, solved for what is unknown in `a`.
    fn eq_constant(&mut self, a: Term, y: u64) -> Option<Term> {
        if let Some(term) = self.compare_constant_branches(a, |t, x| t.word(x) == Some(y)) {
            return Some(term);
        }
        let width = self.width(a);
        let &Node::Bit(op, x, z) = self.node(a)? else { return None };
        let (unknown, value) = match (op, self.word(x), self.word(z)) {
            (BitOp::Add, _, Some(c)) => (x, y.wrapping_sub(c)),
            (BitOp::Xor, _, Some(c)) => (x, y ^ c),
            (BitOp::Sub, Some(c), _) => (z, c.wrapping_sub(y)),
            (BitOp::Sub | BitOp::Xor, ..) if y == 0 => return Some(self.eq(x, z)),
            (BitOp::And, _, Some(c)) if y & !c != 0 => return Some(Term::FALSE),
            (BitOp::Or, _, Some(c)) if c & !y != 0 => return Some(Term::FALSE),
            _ => return None,
        };
        let value = self.bits(width, value);
        Some(self.eq(unknown, value))
    }

    /// `x + y = x + z` is `y = z`, and `x + y = x` is `y = 0`.
    fn eq_sums(&mut self, a: Term, b: Term) -> Option<Term> {
        let sum = |t: &Terms, s: Term| match t.node(s) {
            Some(&Node::Bit(BitOp::Add, x, y)) => Some((x, y)),
            _ => None,
        };
        let (x, y) = match (sum(self, a), sum(self, b)) {
            (Some((x, y)), Some((u, v))) if x == u => (y, v),
            (Some((x, y)), Some((u, v))) if x == v => (y, u),
            (Some((x, y)), Some((u, v))) if y == u => (x, v),
            (Some((x, y)), Some((u, v))) if y == v => (x, u),
            (Some((x, y)), _) if x == b || y == b => {
                let zero = self.bits(self.width(a), 0);
                (if x == b { y } else { x }, zero)
            }
            (_, Some((u, v))) if u == a || v == a => {
                let zero = self.bits(self.width(a), 0);
                (if u == a { v } else { u }, zero)
            }
            _ => return None,
        };
        Some(self.eq(x, y))
    }

    /// Two sign-extended numbers of one width, or one and a constant in its range, without the extensions.
    fn without_signs(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let inner = |t: &Terms, x: Term| match t.node(x) {
            Some(&Node::Extend { signed: true, term, .. }) => Some(term),
            _ => None,
        };
        match (inner(self, a), inner(self, b)) {
            (Some(x), Some(y)) if self.sort(x) == self.sort(y) => Some((x, y)),
            (Some(x), None) => Some((x, self.narrowed(b, x)?)),
            (None, Some(y)) => Some((self.narrowed(a, y)?, y)),
            _ => None,
        }
    }

    /// A constant as a signed number of the width of `like`, if it is one.
    fn narrowed(&mut self, constant: Term, like: Term) -> Option<Term> {
        let (width, value) = self.as_bits(constant)?;
        let narrow = self.width(like);
        (signed(narrow, value) == signed(width, value)).then(|| self.bits(narrow, value))
    }

    /// What a term's outermost operation says of its signed value.
    fn range(&self, term: Term) -> Range {
        let width = self.width(term);
        if let Some(value) = self.word(term) {
            let value = signed(width, value);
            return (value, value);
        }
        let all = (signed(width, 1 << (width - 1)), signed(width, mask(width) >> 1));
        match *self.node(term).expect("a constant was read above") {
            Node::Extend { signed: is_signed, term: inner, .. } => {
                let narrow = self.width(inner);
                if is_signed {
                    (signed(narrow, 1 << (narrow - 1)), (mask(narrow) >> 1) as i64)
                } else {
                    (0, mask(narrow) as i64)
                }
            }
            Node::Bit(op, _, b) => match (op, self.word(b)) {
                (BitOp::And | BitOp::URem, Some(y)) if y > 0 && signed(width, y) > 0 => {
                    (0, if op == BitOp::And { y } else { y - 1 } as i64)
                }
                (BitOp::LShr, Some(y)) if (1..width as u64).contains(&y) => (0, (mask(width) >> y) as i64),
                (BitOp::SRem, Some(y)) if signed(width, y) > 0 => (1 - signed(width, y), signed(width, y) - 1),
                _ => all,
            },
            _ => all,
        }
    }

    /// The conjunction of two comparisons of the same operands, where that is simpler than the two.
    pub(super) fn meet(&mut self, p: Term, q: Term) -> Option<Term> {
        let (p, q) = self.related(p, q)?;
        self.meet_ordered(p, q).or_else(|| self.meet_ordered(q, p))
    }

    /// Their disjunction: the complement of the conjunction of the complements.
    pub(super) fn join(&mut self, p: Term, q: Term) -> Option<Term> {
        self.related(p, q)?;
        let (p, q) = (self.not(p), self.not(q));
        let neither = self.meet(p, q)?;
        Some(self.not(neither))
    }

    /// Two comparisons of the same operands, or of the same one with constants.
    fn related(&self, p: Term, q: Term) -> Option<(Comparison, Comparison)> {
        let (p, q) = (self.comparison(p)?, self.comparison(q)?);
        let same = (p.a, p.b) == (q.a, q.b) || (p.a, p.b) == (q.b, q.a);
        let constants = p.a == q.a && self.word(p.b).is_some() && self.word(q.b).is_some();
        (same || constants).then_some((p, q))
    }

    fn meet_ordered(&mut self, p: Comparison, q: Comparison) -> Option<Term> {
        use Relation::*;
        if let (Some(x), Some(y)) = (self.word_of(p.b), self.word_of(q.b)) {
            return self.meet_constants(p, x, q, y);
        }
        let turned = (p.a, p.b) == (q.b, q.a);
        match ((p.relation, p.holds), (q.relation, q.holds)) {
            // Equal, and less or not; different, and less or not.
            ((Equal, true), (Less, true)) | ((FloatEqual, true), (FloatLess, true)) => Some(Term::FALSE),
            ((Equal, true), (Less, false)) | ((FloatEqual, true), (FloatLess, false)) => Some(p.term),
            ((Equal, false), (Less, true)) | ((FloatEqual, false), (FloatLess, true)) => Some(q.term),
            ((Equal, false), (Less, false)) => Some(self.bit_op(BitOp::SLt, q.b, q.a)),
            ((FloatEqual, false), (FloatLess, false)) => {
                let at_most = self.float_op(FloatOp::Le, q.a, q.b);
                Some(self.not(at_most))
            }
            ((Less, true), (Less, true)) | ((FloatLess, true), (FloatLess, true)) if turned => Some(Term::FALSE),
            ((Less, true), (Less, false)) if turned => Some(p.term),
            ((Less, false), (Less, false)) if turned => Some(self.eq(p.a, p.b)),
            _ => None,
        }
    }

    /// Two comparisons of a bit-vector with constants.
    fn meet_constants(&mut self, p: Comparison, x: i64, q: Comparison, y: i64) -> Option<Term> {
        use Relation::*;
        match ((p.relation, p.holds), (q.relation, q.holds)) {
            ((Equal, true), (Equal, true)) if x != y => Some(Term::FALSE),
            ((Equal, true), (Equal, false)) if x != y => Some(p.term),
            ((Equal, true), (Less, holds)) => Some(if (x < y) == holds { p.term } else { Term::FALSE }),
            ((Equal, false), (Less, holds)) if (x < y) != holds => Some(q.term),
            // a ≠ y − 1 and a < y; a ≠ y and ¬(a < y).
            ((Equal, false), (Less, true)) if y.checked_sub(1) == Some(x) => Some(self.bit_op(BitOp::SLt, q.a, p.b)),
            ((Equal, false), (Less, false)) if x == y => Some(self.bit_op(BitOp::SLt, p.b, q.a)),
            ((Less, true), (Less, true)) => Some(if x < y { p.term } else { q.term }),
            ((Less, false), (Less, false)) => Some(if x < y { q.term } else { p.term }),
            ((Less, true), (Less, false)) if x <= y => Some(Term::FALSE),
            ((Less, true), (Less, false)) if y.checked_add(1) == Some(x) => Some(self.eq(q.a, q.b)),
            _ => None,
        }
    }

    fn word_of(&self, term: Term) -> Option<i64> {
        self.as_bits(term).map(|(width, value)| signed(width, value))
    }

    /// A literal as a comparison; a constant stands on the right.
    fn comparison(&self, literal: Term) -> Option<Comparison> {
        let (atom, holds) = match self.node(literal)? {
            Node::Not(inner) => (*inner, false),
            _ => (literal, true),
        };
        let (relation, a, b) = match *self.node(atom)? {
            Node::Eq(a, b) if matches!(self.sort(a), Sort::Bits(_)) => (Relation::Equal, a, b),
            Node::Bit(BitOp::SLt, a, b) => (Relation::Less, a, b),
            Node::Float(FloatOp::Lt, a, b) => (Relation::FloatLess, a, b),
            Node::Float(FloatOp::Eq, a, b) => (Relation::FloatEqual, a, b),
            _ => return None,
        };
        let turn = relation == Relation::Equal && self.word(a).is_some();
        let (a, b) = if turn { (b, a) } else { (a, b) };
        Some(Comparison { term: literal, relation, a, b, holds })
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Relation {
    Equal,
    Less,
    FloatLess,
    FloatEqual,
}

/// A comparison, or its negation if it does not hold.
#[derive(Clone, Copy)]
struct Comparison {
    term: Term,
    relation: Relation,
    a: Term,
    b: Term,
    holds: bool,
}
