//! Arithmetic on terms: of unbounded integers, of words, of floating-point numbers.

use lazuli_logic::{BitOp, Conversion, FloatFn, FloatOp, Node, Sort, Term, Terms};
use lazuli_program::ir::{BinaryOp, Kind, MethodId, Test, Truth, Type, UnaryOp};

use crate::context::Context;

fn width(kind: Kind) -> u8 {
    match kind {
        Kind::Bool => 1,
        Kind::Int | Kind::Float => 32,
        Kind::Long | Kind::Double => 64,
    }
}

fn is_float(kind: Kind) -> bool {
    matches!(kind, Kind::Float | Kind::Double)
}

/// An integer of a kind.
pub fn number(cx: &mut Context, kind: Kind, value: i32) -> Term {
    match kind {
        Kind::Int => cx.int(value as i64),
        _ => cx.terms.bits(width(kind), value as i64 as u64),
    }
}

/// The value of an operation; division by zero was excluded.
pub fn binary(cx: &mut Context, kind: Kind, op: BinaryOp, a: Term, b: Term) -> Term {
    let terms = &mut cx.terms;
    match (op, kind, cx.int_sort) {
        (BinaryOp::Eq, ..) => terms.eq(a, b),
        (BinaryOp::And, Kind::Bool, _) => terms.and(a, b),
        (BinaryOp::Or, Kind::Bool, _) => terms.or(a, b),
        (BinaryOp::Xor, Kind::Bool, _) => terms.ne(a, b),
        (BinaryOp::Add, Kind::Int, Sort::Int) => terms.add(a, b),
        (BinaryOp::Sub, Kind::Int, Sort::Int) => terms.sub(a, b),
        (BinaryOp::Lt, Kind::Int, Sort::Int) => terms.lt(a, b),
        (_, Kind::Int, Sort::Int) => unreachable!("no language has {op:?} of unbounded integers"),
        _ => machine(terms, kind, op, a, b),
    }
}

/// An operation of words or floating-point numbers. A shift takes the low bits of an int.
pub fn machine(terms: &mut Terms, kind: Kind, op: BinaryOp, a: Term, b: Term) -> Term {
    if is_float(kind) {
        let op = match op {
            BinaryOp::Add => FloatOp::Add,
            BinaryOp::Sub => FloatOp::Sub,
            BinaryOp::Mul => FloatOp::Mul,
            BinaryOp::Div => FloatOp::Div,
            _ => FloatOp::Rem,
        };
        return terms.float_op(op, a, b);
    }
    let op = match op {
        BinaryOp::Add => BitOp::Add,
        BinaryOp::Sub => BitOp::Sub,
        BinaryOp::Mul => BitOp::Mul,
        BinaryOp::Div => BitOp::SDiv,
        BinaryOp::Rem => BitOp::SRem,
        BinaryOp::And => BitOp::And,
        BinaryOp::Or => BitOp::Or,
        BinaryOp::Xor => BitOp::Xor,
        BinaryOp::Lt => BitOp::SLt,
        BinaryOp::Eq => return terms.eq(a, b),
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr => return shift(terms, kind, op, a, b),
    };
    terms.bit_op(op, a, b)
}

fn shift(terms: &mut Terms, kind: Kind, op: BinaryOp, a: Term, by: Term) -> Term {
    let width = width(kind);
    let mask = terms.bits(32, width as u64 - 1);
    let by = terms.bit_op(BitOp::And, by, mask);
    let by = terms.extend(false, width, by);
    let op = match op {
        BinaryOp::Shl => BitOp::Shl,
        BinaryOp::Shr => BitOp::AShr,
        _ => BitOp::LShr,
    };
    terms.bit_op(op, a, by)
}

pub fn unary(terms: &mut Terms, op: UnaryOp, a: Term) -> Term {
    match op {
        UnaryOp::Not => terms.not(a),
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

/// What a method gives back for the value of a register. Where what is narrow is an int, compilers have narrowed it already.
pub fn returned(cx: &mut Context, method: MethodId, a: Term) -> Term {
    if cx.program.semantics.truth == Truth::Values {
        return a;
    }
    let ty = cx.program.method(method).result;
    match ty {
        Type::Bool | Type::Byte | Type::Short | Type::Char => {
            let narrowed = narrow(&mut cx.terms, ty, a);
            widen(&mut cx.terms, ty, narrowed)
        }
        _ => a,
    }
}

/// What a parameter of a type is for the value of an input.
pub fn passed(cx: &mut Context, ty: Type, value: Term) -> Term {
    match cx.program.semantics.truth {
        Truth::Values => value,
        Truth::Numbers => widen(&mut cx.terms, ty, value),
    }
}

/// The truth value that a method gave back.
pub fn given(cx: &mut Context, value: Term) -> Term {
    match cx.program.semantics.truth {
        Truth::Values => value,
        Truth::Numbers => narrow(&mut cx.terms, Type::Bool, value),
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
pub fn test(cx: &mut Context, test: Test, a: Term, b: Term) -> Term {
    let less = |cx: &mut Context, a: Term, b: Term| binary(cx, Kind::Int, BinaryOp::Lt, a, b);
    match test {
        Test::Eq => cx.terms.eq(a, b),
        Test::Ne => cx.terms.ne(a, b),
        Test::Lt => less(cx, a, b),
        Test::Gt => less(cx, b, a),
        Test::Ge => {
            let less = less(cx, a, b);
            cx.terms.not(less)
        }
        Test::Le => {
            let greater = less(cx, b, a);
            cx.terms.not(greater)
        }
    }
}
