//! Floating-point values: IEEE 754 numbers of 32 and 64 bits as Java has them.
//!
//! A value is a bit pattern with its width. All NaNs are one value, in its canonical pattern: that makes the identity of values
//! (what [`crate::Terms::eq`] and a model speak of) the equality of patterns, under which NaN is itself and `-0.0` is not
//! `0.0`. The comparison of IEEE, under which NaN is nothing and the zeros are equal, is [`FloatOp::Eq`]. A language that
//! lets programs see the payload of a NaN sees the canonical one here: Java's `floatToIntBits`, and one of the results that
//! `floatToRawIntBits` may have.
//!
//! This file is the one definition of the operations: folding, evaluation and the tests of the back end use it. Rounding is to
//! nearest, ties to even.

use crate::strict::{Computed, ComputedPair};

/// Operations on two numbers of one width. Comparisons give `Bool`, all others the width of their operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder of the truncated quotient, as C's `fmod` and Java's `%`: not that of IEEE.
    Rem,
    Lt,
    Le,
    /// Equality of IEEE: false for NaN, true for the two zeros.
    Eq,
    /// One that is computed, in double precision: no solver knows it.
    Computed(ComputedPair),
}

impl FloatOp {
    /// All others.
    pub const ALL: [FloatOp; 8] =
        [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem, FloatOp::Lt, FloatOp::Le, FloatOp::Eq];

    pub fn is_comparison(self) -> bool {
        matches!(self, FloatOp::Lt | FloatOp::Le | FloatOp::Eq)
    }
}

/// Functions of one number. `IsNan` gives `Bool`, all others the width of the argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFn {
    Neg,
    Abs,
    Sqrt,
    /// To an integral value: downwards, upwards, to nearest with ties to even.
    Floor,
    Ceil,
    Rint,
    IsNan,
    /// One that is computed, in double precision: no solver knows it.
    Computed(Computed),
}

impl FloatFn {
    /// Those that solvers know.
    pub const ALL: [FloatFn; 7] =
        [FloatFn::Neg, FloatFn::Abs, FloatFn::Sqrt, FloatFn::Floor, FloatFn::Ceil, FloatFn::Rint, FloatFn::IsNan];
}

/// Changes of sort that involve a floating-point number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// A signed bit-vector to the nearest number.
    FromSigned,
    /// A number to a signed bit-vector: truncated, saturated at the bounds, NaN to 0.
    ToSigned,
    /// A number to the other precision.
    Resize,
    /// A bit pattern to the number that it denotes; the widths are the same.
    FromBits,
    /// A number to its bit pattern, the canonical one for NaN; the widths are the same.
    ToBits,
}

impl Conversion {
    pub const ALL: [Conversion; 5] =
        [Conversion::FromSigned, Conversion::ToSigned, Conversion::Resize, Conversion::FromBits, Conversion::ToBits];

    /// Whether it takes a number; else it takes a bit-vector.
    pub fn takes_float(self) -> bool {
        matches!(self, Conversion::ToSigned | Conversion::Resize | Conversion::ToBits)
    }

    /// Whether it gives a number; else it gives a bit-vector.
    pub fn gives_float(self) -> bool {
        matches!(self, Conversion::FromSigned | Conversion::Resize | Conversion::FromBits)
    }
}

const NAN_32: u64 = 0x7fc0_0000;
const NAN_64: u64 = 0x7ff8_0000_0000_0000;

/// The canonical pattern of NaN.
pub fn nan(width: u8) -> u64 {
    if width == 32 { NAN_32 } else { NAN_64 }
}

pub fn is_nan(width: u8, bits: u64) -> bool {
    if width == 32 { single(bits).is_nan() } else { double(bits).is_nan() }
}

/// The pattern of the value that `bits` denotes.
pub fn canonical(width: u8, bits: u64) -> u64 {
    if is_nan(width, bits) {
        nan(width)
    } else if width == 32 {
        bits & u32::MAX as u64
    } else {
        bits
    }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn of_single(value: f32) -> u64 {
    canonical(32, value.to_bits() as u64)
}

fn of_double(value: f64) -> u64 {
    canonical(64, value.to_bits())
}

/// Both precisions have the same text.
macro_rules! op {
    ($op:expr, $a:expr, $b:expr, $wrap:ident) => {{
        let (a, b) = ($a, $b);
        match $op {
            FloatOp::Add => $wrap(a + b),
            FloatOp::Sub => $wrap(a - b),
            FloatOp::Mul => $wrap(a * b),
            FloatOp::Div => $wrap(a / b),
            FloatOp::Rem => $wrap(a % b),
            FloatOp::Lt => (a < b) as u64,
            FloatOp::Le => (a <= b) as u64,
            FloatOp::Eq => (a == b) as u64,
            FloatOp::Computed(function) => $wrap(function.apply(a.into(), b.into()) as _),
        }
    }};
}

macro_rules! function {
    ($function:expr, $a:expr, $wrap:ident) => {{
        let a = $a;
        match $function {
            FloatFn::Neg => $wrap(-a),
            FloatFn::Abs => $wrap(a.abs()),
            FloatFn::Sqrt => $wrap(a.sqrt()),
            FloatFn::Floor => $wrap(a.floor()),
            FloatFn::Ceil => $wrap(a.ceil()),
            FloatFn::Rint => $wrap(a.round_ties_even()),
            FloatFn::IsNan => a.is_nan() as u64,
            FloatFn::Computed(function) => $wrap(function.apply(a.into()) as _),
        }
    }};
}

/// The pattern of the result; 0 or 1 for a comparison.
pub fn apply(op: FloatOp, width: u8, a: u64, b: u64) -> u64 {
    if width == 32 { op!(op, single(a), single(b), of_single) } else { op!(op, double(a), double(b), of_double) }
}

/// The pattern of the result; 0 or 1 for `IsNan`.
pub fn apply_fn(function: FloatFn, width: u8, a: u64) -> u64 {
    if width == 32 { function!(function, single(a), of_single) } else { function!(function, double(a), of_double) }
}

/// The pattern of `value`, which has `from` bits, converted to `to` bits.
pub fn convert(conversion: Conversion, from: u8, to: u8, value: u64) -> u64 {
    match (conversion, from, to) {
        (Conversion::FromBits | Conversion::ToBits, ..) => canonical(to, value),
        (Conversion::Resize, 32, 64) => of_double(single(value) as f64),
        (Conversion::Resize, 64, 32) => of_single(double(value) as f32),
        (Conversion::Resize, ..) => value,
        (Conversion::FromSigned, _, 32) => of_single(signed(from, value) as f32),
        (Conversion::FromSigned, ..) => of_double(signed(from, value) as f64),
        (Conversion::ToSigned, 32, 32) => single(value) as i32 as u32 as u64,
        (Conversion::ToSigned, 32, _) => single(value) as i64 as u64,
        (Conversion::ToSigned, _, 32) => double(value) as i32 as u32 as u64,
        (Conversion::ToSigned, ..) => double(value) as i64 as u64,
    }
}

fn signed(width: u8, value: u64) -> i64 {
    if width == 32 { value as u32 as i32 as i64 } else { value as i64 }
}

/// The value as Java would write it, with an `f` behind single precision.
pub fn show(width: u8, bits: u64) -> String {
    let value = if width == 32 { single(bits) as f64 } else { double(bits) };
    if value.is_nan() {
        "NaN".to_string()
    } else if value.is_infinite() {
        if value < 0.0 { "-Infinity" } else { "Infinity" }.to_string()
    } else if width == 32 {
        format!("{:?}f", single(bits))
    } else {
        format!("{value:?}")
    }
}
