//! Floating-point numbers: constants are folded, and the few identities that hold for every value (NaN, infinities and both
//! zeros) are applied. There is no associativity and no distribution here: rounding forbids them.

use crate::float::{self, Conversion, FloatFn, FloatOp};
use crate::term::{BitOp, Node, Sort, Term, Terms};

impl Terms {
    /// The constant with this bit pattern; every NaN is the canonical one.
    pub fn float(&mut self, width: u8, bits: u64) -> Term {
        assert!(width == 32 || width == 64, "a floating-point number has 32 or 64 bits");
        let bits = float::canonical(width, bits);
        match Term::small_float(width, bits) {
            Some(term) => term,
            None => self.intern(Node::FloatConstant { width, bits }, Sort::Float(width)),
        }
    }

    pub fn float32(&mut self, value: f32) -> Term {
        self.float(32, value.to_bits() as u64)
    }

    pub fn float64(&mut self, value: f64) -> Term {
        self.float(64, value.to_bits())
    }

    fn precision(&self, term: Term) -> u8 {
        match self.sort(term) {
            Sort::Float(width) => width,
            sort => panic!("a floating-point number is wanted, not {sort:?}"),
        }
    }

    pub fn float_op(&mut self, op: FloatOp, a: Term, b: Term) -> Term {
        let width = self.precision(a);
        assert_eq!(width, self.precision(b), "both operands have one precision");
        let (ca, cb) = (self.as_float(a).map(|c| c.1), self.as_float(b).map(|c| c.1));
        if let (Some(x), Some(y)) = (ca, cb) {
            let result = float::apply(op, width, x, y);
            return if op.is_comparison() { Term::bool(result == 1) } else { self.float(width, result) };
        }
        let simpler = if op.is_comparison() {
            self.simpler_comparison(op, width, (a, ca), (b, cb))
        } else {
            self.simpler_arithmetic(op, width, (a, ca), (b, cb))
        };
        if let Some(term) = simpler {
            return term;
        }
        let commutes = matches!(op, FloatOp::Add | FloatOp::Mul | FloatOp::Eq);
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        let sort = if op.is_comparison() { Sort::Bool } else { Sort::Float(width) };
        self.intern(Node::Float(op, a, b), sort)
    }

    /// Neutral operands, and NaN, which absorbs.
    fn simpler_arithmetic(
        &mut self,
        op: FloatOp,
        width: u8,
        (a, ca): (Term, Option<u64>),
        (b, cb): (Term, Option<u64>),
    ) -> Option<Term> {
        if [ca, cb].into_iter().flatten().any(|c| float::is_nan(width, c)) {
            return Some(self.float(width, float::nan(width)));
        }
        let one = float::convert(Conversion::FromSigned, 64, width, 1);
        let negative_zero = 1 << (width - 1);
        match (op, ca, cb) {
            // The neutral element of addition is −0.0: 0.0 would turn −0.0 into 0.0.
            (FloatOp::Add, Some(x), _) if x == negative_zero => Some(b),
            (FloatOp::Add, _, Some(y)) if y == negative_zero => Some(a),
            (FloatOp::Sub, _, Some(0)) => Some(a),
            (FloatOp::Mul, Some(x), _) if x == one => Some(b),
            (FloatOp::Mul | FloatOp::Div, _, Some(y)) if y == one => Some(a),
            _ => None,
        }
    }

    /// Comparisons with NaN, with itself, of converted integers, and of choices between constants.
    fn simpler_comparison(
        &mut self,
        op: FloatOp,
        width: u8,
        (a, ca): (Term, Option<u64>),
        (b, cb): (Term, Option<u64>),
    ) -> Option<Term> {
        if [ca, cb].into_iter().flatten().any(|c| float::is_nan(width, c)) {
            return Some(Term::FALSE);
        }
        if a == b {
            // A number equals itself unless it is NaN.
            let nan = self.float_fn(FloatFn::IsNan, a);
            return Some(if op == FloatOp::Lt { Term::FALSE } else { self.not(nan) });
        }
        if let (Some(x), Some(y)) = (self.exact_integer(a), self.exact_integer(b))
            && self.sort(x) == self.sort(y)
        {
            return Some(match op {
                FloatOp::Lt => self.bit_op(BitOp::SLt, x, y),
                FloatOp::Le => {
                    let greater = self.bit_op(BitOp::SLt, y, x);
                    self.not(greater)
                }
                _ => self.eq(x, y),
            });
        }
        let pattern = |terms: &Terms, t: Term| terms.as_float(t).expect("a constant").1;
        match (ca, cb) {
            (_, Some(y)) => self.compare_constant_branches(a, |t, x| float::apply(op, width, pattern(t, x), y) == 1),
            (Some(x), _) => self.compare_constant_branches(b, |t, y| float::apply(op, width, x, pattern(t, y)) == 1),
            _ => None,
        }
    }

    /// The integer of which a term is the exact, and therefore order-preserving, conversion: 32 bits in double precision.
    fn exact_integer(&self, term: Term) -> Option<Term> {
        match *self.node(term)? {
            Node::Convert(Conversion::FromSigned, 64, inner) if self.sort(inner) == Sort::Bits(32) => Some(inner),
            _ => None,
        }
    }

    pub fn float_fn(&mut self, function: FloatFn, a: Term) -> Term {
        let width = self.precision(a);
        if let Some((_, x)) = self.as_float(a) {
            let result = float::apply_fn(function, width, x);
            return if function == FloatFn::IsNan { Term::bool(result == 1) } else { self.float(width, result) };
        }
        match (function, self.node(a)) {
            (FloatFn::Neg, Some(&Node::FloatFn(FloatFn::Neg, inner))) => return inner,
            (FloatFn::Abs, Some(&Node::FloatFn(FloatFn::Neg | FloatFn::Abs, inner))) => {
                return self.float_fn(FloatFn::Abs, inner);
            }
            // Rounding to an integral value a second time changes nothing.
            (
                FloatFn::Floor | FloatFn::Ceil | FloatFn::Rint,
                Some(
                    Node::FloatFn(FloatFn::Floor | FloatFn::Ceil | FloatFn::Rint, _)
                    | Node::Convert(Conversion::FromSigned, ..),
                ),
            ) => return a,
            (FloatFn::IsNan, Some(Node::Convert(Conversion::FromSigned, ..))) => return Term::FALSE,
            // These are NaN exactly where their argument is.
            (
                FloatFn::IsNan,
                Some(
                    &Node::FloatFn(FloatFn::Neg | FloatFn::Abs | FloatFn::Floor | FloatFn::Ceil | FloatFn::Rint, inner)
                    | &Node::Convert(Conversion::Resize, _, inner),
                ),
            ) => return self.float_fn(FloatFn::IsNan, inner),
            (FloatFn::IsNan, _) => {
                let is_nan = |t: &Terms, x: Term| float::is_nan(width, t.as_float(x).expect("a constant").1);
                if let Some(term) = self.compare_constant_branches(a, is_nan) {
                    return term;
                }
            }
            _ => {}
        }
        let sort = if function == FloatFn::IsNan { Sort::Bool } else { Sort::Float(width) };
        self.intern(Node::FloatFn(function, a), sort)
    }

    /// Converts a term to `width` bits.
    pub fn convert(&mut self, conversion: Conversion, width: u8, term: Term) -> Term {
        let (from, is_float) = match self.sort(term) {
            Sort::Float(from) => (from, true),
            Sort::Bits(from) => (from, false),
            sort => panic!("a number is wanted, not {sort:?}"),
        };
        assert_eq!(is_float, conversion.takes_float(), "{conversion:?} of {:?}", self.sort(term));
        assert!([32, 64].contains(&width) && [32, 64].contains(&from), "numbers of 32 and 64 bits are converted");
        if matches!(conversion, Conversion::FromBits | Conversion::ToBits) {
            assert_eq!(from, width, "a bit pattern has the width of its number");
        }
        if conversion == Conversion::Resize && from == width {
            return term;
        }
        if let Some((_, value)) = self.as_bits(term).or_else(|| self.as_float(term)) {
            let result = float::convert(conversion, from, width, value);
            return if conversion.gives_float() { self.float(width, result) } else { self.bits(width, result) };
        }
        match (conversion, self.node(term)) {
            // There and back again, where the way there is exact.
            (Conversion::FromBits, Some(&Node::Convert(Conversion::ToBits, _, inner))) => return inner,
            (Conversion::Resize, Some(&Node::Convert(Conversion::Resize, 64, inner))) => return inner,
            (Conversion::ToSigned, Some(&Node::Convert(Conversion::FromSigned, 64, inner)))
                if self.sort(inner) == Sort::Bits(32) =>
            {
                return self.extend(true, width, inner);
            }
            _ => {}
        }
        let sort = if conversion.gives_float() { Sort::Float(width) } else { Sort::Bits(width) };
        self.intern(Node::Convert(conversion, width, term), sort)
    }

    /// Identity of values: NaN is itself, and the zeros are two. [`FloatOp::Eq`] is the comparison of programs.
    pub(super) fn eq_float(&mut self, a: Term, b: Term) -> Term {
        match (self.as_float(a), self.as_float(b)) {
            (Some(x), Some(y)) => return Term::bool(x == y),
            (Some(x), None) => {
                if let Some(term) = self.compare_constant_branches(b, |t, y| t.as_float(y) == Some(x)) {
                    return term;
                }
            }
            (None, Some(y)) => {
                if let Some(term) = self.compare_constant_branches(a, |t, x| t.as_float(x) == Some(y)) {
                    return term;
                }
            }
            (None, None) => {}
        }
        self.intern_eq(a, b)
    }
}
