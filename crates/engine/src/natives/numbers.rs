//! Functions of floating-point numbers.

use lazuli_logic::{Conversion, FloatFn, Term};

use crate::arith;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::Step;

pub(super) fn to_bits<M: HeapModel>(e: &mut Executor<M>, width: u8, value: Term) -> Step<Term> {
    Ok(e.cx.terms.convert(Conversion::ToBits, width, value))
}

pub(super) fn from_bits<M: HeapModel>(e: &mut Executor<M>, width: u8, value: Term) -> Step<Term> {
    Ok(e.cx.terms.convert(Conversion::FromBits, width, value))
}

macro_rules! function {
    ($name:ident, $function:ident) => {
        pub(super) fn $name<M: HeapModel>(e: &mut Executor<M>, _: &mut State<M::Heap>, args: &[Term]) -> Step<Term> {
            Ok(e.cx.terms.float_fn(FloatFn::$function, args[0]))
        }
    };
}

function!(sqrt, Sqrt);
function!(floor, Floor);
function!(ceil, Ceil);
function!(rint, Rint);
function!(abs, Abs);

pub(super) fn is_nan<M: HeapModel>(e: &mut Executor<M>, _: &mut State<M::Heap>, args: &[Term]) -> Step<Term> {
    let is = e.cx.terms.float_fn(FloatFn::IsNan, args[0]);
    Ok(arith::truth(&mut e.cx.terms, is))
}
