//! `StrictMath`, bit for bit; of unknown numbers a term that is computed when a model is tried. `Math` leads there: what a virtual machine puts in its
//! place may differ in the last bit.

use lazuli_logic::strict::strict;
use lazuli_logic::{Computed, ComputedPair, FloatFn, FloatOp, Term};

use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::scope::Taken;
use crate::state::State;
use crate::suspend::{Step, unsupported};

type Heap<M> = <M as Memory>::Heap;

/// The functions that are native in some JDK: where one has them in Java, they are executed.
pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    macro_rules! function {
        ($name:literal) => {
            |e, _, args| computed(e, $name, args)
        };
    }
    let native: Native<M> = match key {
        "java/lang/StrictMath.sin(D)D" => function!("sin"),
        "java/lang/StrictMath.cos(D)D" => function!("cos"),
        "java/lang/StrictMath.tan(D)D" => function!("tan"),
        "java/lang/StrictMath.asin(D)D" => function!("asin"),
        "java/lang/StrictMath.acos(D)D" => function!("acos"),
        "java/lang/StrictMath.atan(D)D" => function!("atan"),
        "java/lang/StrictMath.atan2(DD)D" => function!("atan2"),
        "java/lang/StrictMath.sinh(D)D" => function!("sinh"),
        "java/lang/StrictMath.cosh(D)D" => function!("cosh"),
        "java/lang/StrictMath.tanh(D)D" => function!("tanh"),
        "java/lang/StrictMath.expm1(D)D" => function!("expm1"),
        "java/lang/StrictMath.log(D)D" => function!("log"),
        "java/lang/StrictMath.log10(D)D" => function!("log10"),
        "java/lang/StrictMath.log1p(D)D" => function!("log1p"),
        "java/lang/StrictMath.IEEEremainder(DD)D" => function!("IEEEremainder"),
        // Those that a virtual machine computes in another way.
        "java/lang/Math.sin(D)D"
        | "java/lang/Math.cos(D)D"
        | "java/lang/Math.tan(D)D"
        | "java/lang/Math.sinh(D)D"
        | "java/lang/Math.tanh(D)D"
        | "java/lang/Math.cbrt(D)D"
        | "java/lang/Math.exp(D)D"
        | "java/lang/Math.log(D)D"
        | "java/lang/Math.log10(D)D"
        | "java/lang/Math.pow(DD)D" => |e, state, _| {
            e.cx.take_for_granted(Taken::StrictMath);
            e.run_original(state)
        },
        "java/lang/Math.fma(DDD)D" => function!("fma"),
        "java/lang/Math.fma(FFF)F" => fma_float,
        _ => return None,
    };
    Some(native)
}

fn computed<M: HeapModel>(e: &mut Executor<M>, name: &'static str, args: &[Term]) -> Step<Term> {
    let known: Option<Vec<f64>> =
        args.iter().map(|arg| e.cx.terms.as_float(*arg).map(|(_, bits)| f64::from_bits(bits))).collect();
    if let Some(value) = known.and_then(|known| strict(name, &known)) {
        return Ok(e.cx.terms.float(64, value.to_bits()));
    }
    if let (Some(function), &[x]) = (Computed::named(name), args) {
        return Ok(e.cx.terms.float_fn(FloatFn::Computed(function), x));
    }
    match (ComputedPair::named(name), args) {
        (Some(function), &[a, b]) => Ok(e.cx.terms.float_op(FloatOp::Computed(function), a, b)),
        _ => unsupported(format!("Math.{name} of an unknown number")),
    }
}

fn fma_float<M: HeapModel>(e: &mut Executor<M>, _: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let float = |arg: &Term| e.cx.terms.as_float(*arg).map(|(_, bits)| f32::from_bits(bits as u32));
    let known: Option<Vec<f32>> = args.iter().map(float).collect();
    match known.as_deref() {
        Some(&[x, y, z]) => Ok(e.cx.terms.float(32, libm::fmaf(x, y, z).to_bits() as u64)),
        _ => unsupported("Math.fma of an unknown number"),
    }
}
