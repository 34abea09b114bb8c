//! Floating-point terms for Z3's theory, which has one NaN and two zeros, as [`crate::float`] has.
//!
//! Where the theory leaves a result open (the pattern of NaN, the integer of a number out of range) the translation says what
//! it is. The remainder is not the one of the theory: it is a function of which nothing is said, so that "no model" can be
//! believed and a model cannot; [`has_remainder`] tells when that matters.
//!
//! The two conversions that the crate `z3` lacks call the C library; nothing else here is unsafe.

use ::z3::ast::{Ast, BV, Bool, Dynamic, Float, RoundingMode};
use ::z3::{Context, FuncDecl, Model, Sort as Z3Sort};
use z3_sys::{Z3_ast, Z3_context, Z3_mk_fpa_to_fp_bv, Z3_mk_fpa_to_fp_signed, Z3_sort};

use crate::float::{self, Conversion, FloatFn, FloatOp};
use crate::term::{Node, Sort, Term, Terms};

fn sort(width: u8) -> Z3Sort {
    if width == 32 { Z3Sort::float32() } else { Z3Sort::double() }
}

pub fn constant(width: u8, bits: u64) -> Float {
    if float::is_nan(width, bits) {
        return Float::nan(&sort(width));
    }
    of_bits(&BV::from_u64(bits, width as u32), width)
}

pub fn symbol(name: u32, width: u8) -> Float {
    if width == 32 { Float::new_const_float32(name) } else { Float::new_const_double(name) }
}

/// The bit pattern of a value that Z3 found.
pub fn value(model: &Model, width: u8, number: &Float) -> Option<u64> {
    if model.eval(&number.is_nan(), true)?.as_bool()? {
        return Some(float::nan(width));
    }
    model.eval(&number.to_ieee_bv(), true)?.as_u64()
}

/// Whether the clauses contain what Z3 takes for any function, so that a model has to be tried.
pub fn has_open(terms: &Terms, clauses: &[Term]) -> bool {
    terms.postorder(clauses).into_iter().any(|term| is_open(terms, term))
}

/// A remainder, or a function that is computed.
fn is_open(terms: &Terms, term: Term) -> bool {
    matches!(
        terms.node(term),
        Some(Node::Float(FloatOp::Rem | FloatOp::Computed(_), ..) | Node::FloatFn(FloatFn::Computed(_), _))
    )
}

/// What an operation costs as a circuit, by its gates: sums are the unit, of floats. Z3 makes all circuits before it begins to count its effort, and
/// hears of no interruption meanwhile.
fn circuit(terms: &Terms, node: Term) -> u64 {
    let wide = |operand: Term| if terms.sort(operand) == Sort::Float(64) { 3 } else { 1 };
    match terms.node(node) {
        Some(Node::Float(FloatOp::Mul, a, _)) => 2 * wide(*a),
        Some(Node::Float(FloatOp::Div, a, _)) | Some(Node::FloatFn(FloatFn::Sqrt, a)) => 8 * wide(*a),
        Some(Node::Float(FloatOp::Add | FloatOp::Sub, a, _)) => wide(*a),
        _ => 0,
    }
}

/// Circuits larger than this are left alone.
const MOST_GATES: u64 = 300;

/// Whether the floating-point operations of the clauses are too many for a circuit.
pub fn too_many(terms: &Terms, clauses: &[Term]) -> bool {
    let gates: u64 = terms.postorder(clauses).into_iter().map(|node| circuit(terms, node)).sum();
    gates > MOST_GATES
}

/// Whether the clauses have floating-point numbers, and besides them only bit-vectors and booleans.
pub fn stand_alone(terms: &Terms, clauses: &[Term]) -> bool {
    let mut any = false;
    let mut all = true;
    for node in terms.postorder(clauses) {
        match terms.sort(node) {
            Sort::Float(_) => any = true,
            Sort::Int | Sort::Ref => all = false,
            Sort::Bool | Sort::Bits(_) => {}
        }
        all &= !is_open(terms, node);
    }
    any && all
}

fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

pub fn op(op: FloatOp, a: &Float, b: &Float) -> Dynamic {
    match op {
        FloatOp::Add => a.add_with_rounding_mode(b, &nearest()).into(),
        FloatOp::Sub => a.sub_with_rounding_mode(b, &nearest()).into(),
        FloatOp::Mul => a.mul_with_rounding_mode(b, &nearest()).into(),
        FloatOp::Div => a.div_with_rounding_mode(b, &nearest()).into(),
        FloatOp::Rem => any("remainder", a, b),
        FloatOp::Computed(function) => any(function.name(), a, b),
        FloatOp::Lt => a.lt(b).into(),
        FloatOp::Le => a.le(b).into(),
        FloatOp::Eq => a.eq_fpa(b).into(),
    }
}

/// A function of two numbers of which nothing is said.
fn any(name: &str, a: &Float, b: &Float) -> Dynamic {
    let sort = a.get_sort();
    FuncDecl::new(name, &[&sort, &sort], &sort).apply(&[a as &dyn Ast, b as &dyn Ast])
}

pub fn function(function: FloatFn, a: &Float) -> Dynamic {
    let round = |mode: RoundingMode| a.round_to_integral_with_rounding_mode(&mode).into();
    match function {
        FloatFn::Neg => a.unary_neg().into(),
        FloatFn::Abs => a.unary_abs().into(),
        FloatFn::Sqrt => a.sqrt_with_rounding_mode(&nearest()).into(),
        FloatFn::Floor => round(RoundingMode::round_towards_negative()),
        FloatFn::Ceil => round(RoundingMode::round_towards_positive()),
        FloatFn::Rint => round(nearest()),
        FloatFn::IsNan => a.is_nan().into(),
        FloatFn::Computed(function) => {
            let sort = a.get_sort();
            FuncDecl::new(function.name(), &[&sort], &sort).apply(&[a as &dyn Ast])
        }
    }
}

/// Converts to `width` bits.
pub fn convert(conversion: Conversion, width: u8, term: &Dynamic) -> Dynamic {
    let number = || term.as_float().expect("a floating-point number");
    let word = || term.as_bv().expect("a bit-vector");
    match conversion {
        Conversion::FromSigned => of_signed(&word(), width).into(),
        Conversion::ToSigned => to_signed(&number(), width).into(),
        Conversion::Resize => number().to_fp_with_rounding_mode(&nearest(), &sort(width)).into(),
        Conversion::FromBits => of_bits(&word(), width).into(),
        Conversion::ToBits => {
            let number = number();
            let nan = BV::from_u64(float::nan(width), width as u32);
            number.is_nan().ite(&nan, &number.to_ieee_bv()).into()
        }
    }
}

/// Truncated; what is out of range goes to the next bound, and NaN to 0. The bounds are powers of two, hence exact.
fn to_signed(number: &Float, width: u8) -> BV {
    let least = BV::from_i64(i64::MIN >> (64 - width), width as u32);
    let greatest = BV::from_i64(i64::MAX >> (64 - width), width as u32);
    let zero = BV::from_u64(0, width as u32);
    let precision = if number.get_sort() == Z3Sort::float32() { 32 } else { 64 };
    let low = float::convert(Conversion::FromSigned, 64, precision, (i64::MIN >> (64 - width)) as u64);
    let high = float::apply_fn(FloatFn::Neg, precision, low);
    let too_low: Bool = number.le(constant(precision, low));
    let too_high: Bool = number.ge(constant(precision, high));
    let inside = number.to_sbv_with_rounding_mode(&RoundingMode::round_towards_zero(), width as u32);
    let bounded = too_low.ite(&least, &too_high.ite(&greatest, &inside));
    number.is_nan().ite(&zero, &bounded)
}

fn of_bits(word: &BV, width: u8) -> Float {
    build(&sort(width), |context, sort| {
        // SAFETY: the context, the bit-vector and the sort belong together and are alive, and the widths are equal.
        unsafe { Z3_mk_fpa_to_fp_bv(context, word.get_z3_ast(), sort) }
    })
}

fn of_signed(word: &BV, width: u8) -> Float {
    let mode = nearest();
    build(&sort(width), |context, sort| {
        // SAFETY: the context, the rounding mode, the bit-vector and the sort belong together and are alive.
        unsafe { Z3_mk_fpa_to_fp_signed(context, mode.get_z3_ast(), word.get_z3_ast(), sort) }
    })
}

/// A number made by the C library in the context of this thread, the one that the crate `z3` uses throughout.
fn build(sort: &Z3Sort, make: impl FnOnce(Z3_context, Z3_sort) -> Option<Z3_ast>) -> Float {
    let context = Context::thread_local();
    let ast = make(context.get_z3_context(), sort.get_z3_sort()).expect("Z3 refuses a conversion of the right sorts");
    // SAFETY: the tree was just made in this context, and is a floating-point number by the sort asked for.
    unsafe { Float::wrap(&context, ast) }
}
