//! What a tree means, by naive evaluation. It must stay independent of the crate's: it is what the crate is compared with.

use lazuli_logic::{BitOp, Conversion, FloatFn, FloatOp, Model, RefValue, Terms, Value};

use super::Tree;

/// The canonical bit pattern of a number at a width.
pub fn pattern(width: u8, value: f64) -> u64 {
    if width == 32 { canonical(32, (value as f32).to_bits() as u64) } else { canonical(64, value.to_bits()) }
}

/// The number that a bit pattern denotes; exact for both widths.
fn number(width: u8, bits: u64) -> f64 {
    if width == 32 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits) }
}

pub(super) fn canonical(width: u8, bits: u64) -> u64 {
    let (exponent, fraction) = if width == 32 { (0xff << 23, (1 << 23) - 1) } else { (0x7ff << 52, (1 << 52) - 1) };
    if bits & exponent == exponent && bits & fraction != 0 { exponent | (fraction + 1) >> 1 } else { bits }
}

fn signed(width: u8, value: u64) -> i128 {
    let value = value as i128;
    if value >> (width - 1) & 1 == 1 { value - (1i128 << width) } else { value }
}

/// Bit operations in 128-bit arithmetic, after the SMT-LIB definitions.
pub fn plain_bit_op(op: BitOp, width: u8, a: u64, b: u64) -> Value {
    let (ua, ub) = (a as i128, b as i128);
    let (sa, sb) = (signed(width, a), signed(width, b));
    let long = ub >= width as i128;
    let result = match op {
        BitOp::Add => ua + ub,
        BitOp::Sub => ua - ub,
        BitOp::Mul => return Value::Bits(((a as u128 * b as u128) & ((1u128 << width) - 1)) as u64),
        BitOp::UDiv => {
            if b == 0 {
                -1
            } else {
                ua / ub
            }
        }
        BitOp::URem => {
            if b == 0 {
                ua
            } else {
                ua % ub
            }
        }
        BitOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                -1
            }
        }
        BitOp::SDiv => sa / sb,
        BitOp::SRem => {
            if b == 0 {
                sa
            } else {
                sa % sb
            }
        }
        BitOp::Shl => {
            if long {
                0
            } else {
                ((a as u128) << b) as i128
            }
        }
        BitOp::LShr => {
            if long {
                0
            } else {
                ua >> b
            }
        }
        BitOp::AShr => sa >> ub.min(100),
        BitOp::And => ua & ub,
        BitOp::Or => ua | ub,
        BitOp::Xor => ua ^ ub,
        BitOp::SLt => return Value::Bool(sa < sb),
        BitOp::ULt => return Value::Bool(ua < ub),
    };
    Value::Bits((result & ((1i128 << width) - 1)) as u64)
}

/// Operations on numbers. Single precision is computed in double precision and rounded, which is exact for these.
pub fn plain_float_op(op: FloatOp, width: u8, a: u64, b: u64) -> Value {
    let (a, b) = (number(width, a), number(width, b));
    let result = match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div => a / b,
        FloatOp::Rem => a % b,
        FloatOp::Lt => return Value::Bool(a < b),
        FloatOp::Le => return Value::Bool(a <= b),
        FloatOp::Eq => return Value::Bool(a == b),
        FloatOp::Computed(_) => unreachable!("no random operation is one"),
    };
    Value::Float(pattern(width, result))
}

pub fn plain_float_fn(function: FloatFn, width: u8, bits: u64) -> Value {
    let a = number(width, bits);
    // Numbers of this size have no fraction; NaN and the infinities are left alone as well.
    let integral = a.is_nan() || a.abs() >= 4503599627370496.0;
    let truncated = if integral { a } else { (a as i64) as f64 };
    let sign = |value: f64| if a.is_sign_negative() { -value.abs() } else { value.abs() };
    let result = match function {
        FloatFn::Neg => return Value::Float(canonical(width, bits ^ 1 << (width - 1))),
        FloatFn::Abs => return Value::Float(canonical(width, bits & !(1 << (width - 1)))),
        FloatFn::Sqrt => a.sqrt(),
        FloatFn::Floor if integral => a,
        FloatFn::Floor if a < truncated => truncated - 1.0,
        FloatFn::Floor => sign(truncated),
        FloatFn::Ceil if integral => a,
        FloatFn::Ceil if a > truncated => truncated + 1.0,
        FloatFn::Ceil => sign(truncated),
        FloatFn::Rint if integral => a,
        FloatFn::Rint => {
            let distance = (a - truncated).abs();
            let odd = truncated as i64 % 2 != 0;
            sign(if distance > 0.5 || distance == 0.5 && odd { truncated.abs() + 1.0 } else { truncated })
        }
        FloatFn::IsNan => return Value::Bool(a.is_nan()),
        FloatFn::Computed(_) => unreachable!("generated terms have those that solvers know"),
    };
    Value::Float(pattern(width, result))
}

pub fn plain_conversion(conversion: Conversion, from: u8, to: u8, value: u64) -> Value {
    match conversion {
        Conversion::FromBits => Value::Float(canonical(to, value)),
        Conversion::ToBits => Value::Bits(canonical(to, value)),
        Conversion::Resize => Value::Float(pattern(to, number(from, value))),
        Conversion::FromSigned if to == 32 => {
            Value::Float(canonical(32, (signed(from, value) as f32).to_bits() as u64))
        }
        Conversion::FromSigned => Value::Float((signed(from, value) as f64).to_bits()),
        Conversion::ToSigned => {
            let bound = 1i128 << (to - 1);
            let integer = number(from, value) as i128;
            Value::Bits((integer.clamp(-bound, bound - 1) & ((1i128 << to) - 1)) as u64)
        }
    }
}

impl Tree {
    pub fn holds(&self, terms: &Terms, model: &Model) -> bool {
        self.eval(terms, model) == Value::Bool(true)
    }

    fn int(&self, terms: &Terms, model: &Model) -> i128 {
        match self.eval(terms, model) {
            Value::Int(value) => value,
            other => panic!("an integer is wanted, not {other:?}"),
        }
    }

    fn bits(&self, terms: &Terms, model: &Model) -> u64 {
        match self.eval(terms, model) {
            Value::Bits(value) => value,
            other => panic!("a bit-vector is wanted, not {other:?}"),
        }
    }

    fn float(&self, terms: &Terms, model: &Model) -> u64 {
        match self.eval(terms, model) {
            Value::Float(value) => value,
            other => panic!("a floating-point number is wanted, not {other:?}"),
        }
    }

    pub fn eval(&self, terms: &Terms, model: &Model) -> Value {
        let eval = |t: &Tree| t.eval(terms, model);
        let holds = |t: &Tree| t.holds(terms, model);
        let int = |t: &Tree| t.int(terms, model);
        let bits = |t: &Tree| t.bits(terms, model);
        let float = |t: &Tree| t.float(terms, model);
        match self {
            Tree::Bool(value) => Value::Bool(*value),
            Tree::Int(value) => Value::Int(*value as i128),
            Tree::Bits(_, value) => Value::Bits(*value),
            Tree::Null => Value::Ref(RefValue::Null),
            Tree::Location(n) => Value::Ref(RefValue::Location(*n)),
            Tree::Symbol(term) => model.get(terms.as_symbol(*term).unwrap()).expect("models are total here"),
            Tree::Not(a) => Value::Bool(!holds(a)),
            Tree::And(list) => Value::Bool(list.iter().all(holds)),
            Tree::Or(list) => Value::Bool(list.iter().any(holds)),
            Tree::Implies(a, b) => Value::Bool(!holds(a) || holds(b)),
            Tree::Ite(c, a, b) => eval(if holds(c) { a } else { b }),
            Tree::Eq(a, b) => Value::Bool(eval(a) == eval(b)),
            Tree::Ne(a, b) => Value::Bool(eval(a) != eval(b)),
            Tree::Lt(a, b) => Value::Bool(int(a) < int(b)),
            Tree::Le(a, b) => Value::Bool(int(a) <= int(b)),
            Tree::Add(a, b) => Value::Int(int(a) + int(b)),
            Tree::Sub(a, b) => Value::Int(int(a) - int(b)),
            Tree::Bit(op, width, a, b) => plain_bit_op(*op, *width, bits(a), bits(b)),
            Tree::BitNot(width, a) => Value::Bits(!bits(a) & (u64::MAX >> (64 - width))),
            Tree::Extend(is_signed, from, to, a) => {
                let value = bits(a);
                let wide = if *is_signed { signed(*from, value) } else { value as i128 };
                Value::Bits((wide & ((1i128 << to) - 1)) as u64)
            }
            Tree::Extract(high, low, a) => {
                Value::Bits((bits(a) as u128 >> low & ((1u128 << (high - low + 1)) - 1)) as u64)
            }
            Tree::Float(_, bits) => Value::Float(*bits),
            Tree::FloatOp(op, width, a, b) => plain_float_op(*op, *width, float(a), float(b)),
            Tree::FloatFn(function, width, a) => plain_float_fn(*function, *width, float(a)),
            Tree::Convert(conversion, from, to, a) if conversion.takes_float() => {
                plain_conversion(*conversion, *from, *to, float(a))
            }
            Tree::Convert(conversion, from, to, a) => plain_conversion(*conversion, *from, *to, bits(a)),
            Tree::Class(reference, low, high) => {
                let symbol = terms.as_symbol(*reference).unwrap();
                let class = match eval(&Tree::Symbol(*reference)) {
                    Value::Ref(RefValue::Input(object)) => model.class(terms, object),
                    _ => terms.symbol_info(symbol).classes[0].0,
                };
                Value::Bool(*low <= class && class <= *high)
            }
            Tree::Own(reference) => {
                let symbol = terms.as_symbol(*reference).unwrap();
                Value::Bool(eval(&Tree::Symbol(*reference)) == Value::Ref(RefValue::Input(symbol)))
            }
        }
    }
}
