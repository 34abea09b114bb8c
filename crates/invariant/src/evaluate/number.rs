//! The numbers of invariants: integers without bounds, and two infinities.
//!
//! Where the program's integers have a width, sums are made as wide as they need to be, up to 64 bits, so that a ghost field
//! never wraps around where the invariant means a number; beyond 64 bits they wrap, as Java's `long` does. Infinity is a mark beside
//! the value, no value: no width has room for it.

use lazuli_logic::{BitOp, Sort, Term};

use super::admit::unless;
use lazuli_engine::context::Context;

/// A number that may be infinite, or a truth value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Num {
    pub value: Term,
    /// Where it is -∞ or +∞.
    pub low: Term,
    pub high: Term,
    /// Where the value is a bit-vector, the least and the greatest one that it can be.
    range: (i64, i64),
}

const WIDEST: u8 = 64;

/// The signed numbers of a width.
fn range_of(width: u8) -> (i64, i64) {
    (i64::MIN >> (WIDEST - width), i64::MAX >> (WIDEST - width))
}

impl Num {
    /// A truth value.
    pub fn truth(value: Term) -> Num {
        Num { value, low: Term::FALSE, high: Term::FALSE, range: (0, 0) }
    }

    /// A number that is not infinite.
    pub fn finite(cx: &Context, value: Term) -> Num {
        let range = match (cx.terms.as_bits(value), cx.terms.sort(value)) {
            (Some((width, bits)), _) => {
                let shift = WIDEST - width;
                let value = (bits << shift) as i64 >> shift;
                (value, value)
            }
            (None, Sort::Bits(width)) => range_of(width),
            _ => (i64::MIN, i64::MAX),
        };
        Num { value, low: Term::FALSE, high: Term::FALSE, range }
    }

    pub fn int(cx: &mut Context, value: i64) -> Num {
        let (least, most) = match cx.int_sort {
            Sort::Bits(width) => range_of(width),
            _ => (i64::MIN, i64::MAX),
        };
        let term = match (least..=most).contains(&value) {
            true => cx.int(value),
            false => cx.terms.bits(WIDEST, value as u64),
        };
        Num::finite(cx, term)
    }

    pub fn infinite(cx: &mut Context, positive: bool) -> Num {
        Num { low: Term::bool(!positive), high: Term::bool(positive), ..Num::int(cx, 0) }
    }

    /// `then` where the guard holds.
    pub fn choose(cx: &mut Context, guard: Term, then: Num, otherwise: Num) -> Num {
        if guard == Term::TRUE {
            return then;
        }
        let (a, b) = alike(cx, then.value, otherwise.value);
        Num {
            value: cx.terms.ite(guard, a, b),
            low: cx.terms.ite(guard, then.low, otherwise.low),
            high: cx.terms.ite(guard, then.high, otherwise.high),
            range: (then.range.0.min(otherwise.range.0), then.range.1.max(otherwise.range.1)),
        }
    }

    /// The sum, or the difference; infinity wins, and of two infinities the first.
    pub fn add(cx: &mut Context, a: Num, b: Num, negated: bool) -> Num {
        let (b_least, b_most) = match negated {
            false => (b.range.0 as i128, b.range.1 as i128),
            true => (-(b.range.1 as i128), -(b.range.0 as i128)),
        };
        let sum = (a.range.0 as i128 + b_least, a.range.1 as i128 + b_most);
        let fits = |(least, most): (i64, i64)| least as i128 <= sum.0 && sum.1 <= most as i128;
        let (value, range) = match (cx.terms.sort(a.value), cx.terms.sort(b.value)) {
            (Sort::Bits(v), Sort::Bits(w)) => {
                let width = if fits(range_of(v.max(w))) { v.max(w) } else { WIDEST };
                let range = if fits(range_of(WIDEST)) { (sum.0 as i64, sum.1 as i64) } else { range_of(WIDEST) };
                let (a, b) = (cx.terms.extend(true, width, a.value), cx.terms.extend(true, width, b.value));
                (cx.terms.bit_op(if negated { BitOp::Sub } else { BitOp::Add }, a, b), range)
            }
            _ if negated => (cx.terms.sub(a.value, b.value), a.range),
            _ => (cx.terms.add(a.value, b.value), a.range),
        };
        if a.is_finite() && b.is_finite() {
            return Num { value, low: Term::FALSE, high: Term::FALSE, range };
        }
        let (b_low, b_high) = if negated { (b.high, b.low) } else { (b.low, b.high) };
        let b_low = unless(cx, a.high, b_low);
        let b_high = unless(cx, a.low, b_high);
        Num { value, low: cx.terms.or(a.low, b_low), high: cx.terms.or(a.high, b_high), range }
    }

    /// An operation on the bits of two numbers; infinite ones have none.
    pub fn bits(cx: &mut Context, op: BitOp, a: Num, b: Num) -> Num {
        let (x, y) = alike(cx, a.value, b.value);
        let value = cx.terms.bit_op(op, x, y);
        Num::finite(cx, value)
    }

    /// Whether it is a number for sure.
    fn is_finite(&self) -> bool {
        self.low == Term::FALSE && self.high == Term::FALSE
    }

    pub fn less(cx: &mut Context, a: Num, b: Num) -> Term {
        if a.low == Term::TRUE && b.is_finite() || a.is_finite() && b.high == Term::TRUE {
            return Term::TRUE;
        }
        let (x, y) = alike(cx, a.value, b.value);
        let finite_less = match cx.terms.sort(x) {
            Sort::Bits(_) => cx.terms.bit_op(BitOp::SLt, x, y),
            _ => cx.terms.lt(x, y),
        };
        if a.is_finite() && b.is_finite() {
            return finite_less;
        }
        // -∞ is less than everything but itself; nothing but +∞ is not less than +∞.
        let finite = unless(cx, a.high, finite_less);
        let finite = unless(cx, b.low, finite);
        let low = unless(cx, b.low, a.low);
        let high = unless(cx, a.high, b.high);
        let infinite = cx.terms.or(low, high);
        cx.terms.or(infinite, finite)
    }

    pub fn equal(cx: &mut Context, a: Num, b: Num) -> Term {
        if a.is_finite() && b.is_finite() {
            let (x, y) = alike(cx, a.value, b.value);
            return cx.terms.eq(x, y);
        }
        let (below, above) = (Num::less(cx, a, b), Num::less(cx, b, a));
        let differ = cx.terms.or(below, above);
        cx.terms.not(differ)
    }
}

/// Two values of one width.
fn alike(cx: &mut Context, a: Term, b: Term) -> (Term, Term) {
    match (cx.terms.sort(a), cx.terms.sort(b)) {
        (Sort::Bits(v), Sort::Bits(w)) if v != w => {
            (cx.terms.extend(true, v.max(w), a), cx.terms.extend(true, v.max(w), b))
        }
        _ => (a, b),
    }
}
