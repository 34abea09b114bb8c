//! Java's arithmetic on terms.

use lazuli_logic::{BitOp, Conversion, FloatFn, FloatOp, Node, Term, Terms};
use lazuli_program::ir::{ArithOp, Kind, Test, Type, UnaryOp};

fn width(kind: Kind) -> u8 {
    match kind {
        Kind::Int | Kind::Float => 32,
        Kind::Long | Kind::Double => 64,
    }
}

fn is_float(kind: Kind) -> bool {
    matches!(kind, Kind::Float | Kind::Double)
}

/// The value of an operation; division by zero was excluded. A shift takes the low bits of an int.
pub fn arith(terms: &mut Terms, kind: Kind, op: ArithOp, a: Term, b: Term) -> Term {
    if is_float(kind) {
        let op = match op {
            ArithOp::Add => FloatOp::Add,
            ArithOp::Sub => FloatOp::Sub,
            ArithOp::Mul => FloatOp::Mul,
            ArithOp::Div => FloatOp::Div,
            _ => FloatOp::Rem,
        };
        return terms.float_op(op, a, b);
    }
    let op = match op {
        ArithOp::Add => BitOp::Add,
        ArithOp::Sub => BitOp::Sub,
        ArithOp::Mul => BitOp::Mul,
        ArithOp::Div => BitOp::SDiv,
        ArithOp::Rem => BitOp::SRem,
        ArithOp::And => BitOp::And,
        ArithOp::Or => BitOp::Or,
        ArithOp::Xor => BitOp::Xor,
        ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr => return shift(terms, kind, op, a, b),
    };
    terms.bit_op(op, a, b)
}

fn shift(terms: &mut Terms, kind: Kind, op: ArithOp, a: Term, by: Term) -> Term {
    let width = width(kind);
    let mask = terms.bits(32, width as u64 - 1);
    let by = terms.bit_op(BitOp::And, by, mask);
    let by = terms.extend(false, width, by);
    let op = match op {
        ArithOp::Shl => BitOp::Shl,
        ArithOp::Shr => BitOp::AShr,
        _ => BitOp::LShr,
    };
    terms.bit_op(op, a, by)
}

pub fn unary(terms: &mut Terms, op: UnaryOp, a: Term) -> Term {
    match op {
        UnaryOp::Neg(kind) if is_float(kind) => terms.float_fn(FloatFn::Neg, a),
        UnaryOp::Neg(kind) => {
            let zero = terms.bits(width(kind), 0);
            terms.bit_op(BitOp::Sub, zero, a)
        }
        UnaryOp::Convert { from, to } => match (is_float(from), is_float(to)) {
            (true, true) => terms.convert(Conversion::Resize, width(to), a),
            (true, false) => terms.convert(Conversion::ToSigned, width(to), a),
            (false, true) => terms.convert(Conversion::FromSigned, width(to), a),
            (false, false) if width(from) < width(to) => terms.extend(true, width(to), a),
            (false, false) => terms.extract(width(to) - 1, 0, a),
        },
        UnaryOp::Narrow(ty) => narrow(terms, ty, a),
        UnaryOp::Widen(ty) => widen(terms, ty, a),
    }
}

/// From an int of the stack to what a place of a narrow type holds.
pub fn narrow(terms: &mut Terms, ty: Type, a: Term) -> Term {
    match ty {
        Type::Bool => {
            let low = terms.extract(0, 0, a);
            let one = terms.bits(1, 1);
            terms.eq(low, one)
        }
        Type::Byte => terms.extract(7, 0, a),
        Type::Short | Type::Char => terms.extract(15, 0, a),
        _ => a,
    }
}

/// Whether a number is 0 or 1 by its form: a truth value that became one. What is larger than a few choices is not looked at.
pub fn is_truth(terms: &Terms, number: Term) -> bool {
    let mut open = vec![number];
    for _ in 0..64 {
        let Some(term) = open.pop() else { return true };
        match (terms.as_bits(term), terms.node(term)) {
            (Some((_, 0 | 1)), _) => {}
            (None, Some(&Node::Ite(_, a, b))) => open.extend([a, b]),
            _ => return false,
        }
    }
    open.is_empty()
}

/// From a place of a narrow type to an int of the stack.
pub fn widen(terms: &mut Terms, ty: Type, a: Term) -> Term {
    match ty {
        Type::Bool => truth(terms, a),
        Type::Byte | Type::Short => terms.extend(true, 32, a),
        Type::Char => terms.extend(false, 32, a),
        _ => a,
    }
}

/// What a method of a narrow type gives back for an int of the stack. Compilers have narrowed it already.
pub fn returned(terms: &mut Terms, ty: Type, a: Term) -> Term {
    match ty {
        Type::Bool | Type::Byte | Type::Short | Type::Char => {
            let narrowed = narrow(terms, ty, a);
            widen(terms, ty, narrowed)
        }
        _ => a,
    }
}

/// A condition as an int.
pub fn truth(terms: &mut Terms, condition: Term) -> Term {
    let (one, zero) = (terms.bits(32, 1), terms.bits(32, 0));
    terms.ite(condition, one, zero)
}

/// -1, 0 or 1.
pub fn compare(terms: &mut Terms, kind: Kind, nan: i8, a: Term, b: Term) -> Term {
    let (less, equal) = match is_float(kind) {
        true => (terms.float_op(FloatOp::Lt, a, b), terms.float_op(FloatOp::Eq, a, b)),
        false => (terms.bit_op(BitOp::SLt, a, b), terms.eq(a, b)),
    };
    let [minus, zero, one] = [u64::MAX, 0, 1].map(|value| terms.bits(32, value));
    if !is_float(kind) {
        let rest = terms.ite(equal, zero, one);
        return terms.ite(less, minus, rest);
    }
    // What is neither less nor equal is greater, or not comparable; which of the two is asked last, or not at all.
    if nan > 0 {
        let rest = terms.ite(equal, zero, one);
        return terms.ite(less, minus, rest);
    }
    let greater = terms.float_op(FloatOp::Lt, b, a);
    let rest = terms.ite(equal, zero, minus);
    terms.ite(greater, one, rest)
}

/// A comparison of two ints.
pub fn test(terms: &mut Terms, test: Test, a: Term, b: Term) -> Term {
    match test {
        Test::Eq => terms.eq(a, b),
        Test::Ne => terms.ne(a, b),
        Test::Lt => terms.bit_op(BitOp::SLt, a, b),
        Test::Gt => terms.bit_op(BitOp::SLt, b, a),
        Test::Ge => {
            let less = terms.bit_op(BitOp::SLt, a, b);
            terms.not(less)
        }
        Test::Le => {
            let greater = terms.bit_op(BitOp::SLt, b, a);
            terms.not(greater)
        }
    }
}
