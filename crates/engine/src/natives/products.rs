//! Products of two longs in 128 bits: what is beyond the lower half says whether they overflow. The JDK divides to find that out, and decides which way
//! is quicker by the signs; here nothing is decided but the overflow.

use lazuli_logic::{BitOp, Term};

use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend};

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Math.multiplyExact(JJ)J" => multiply_exact,
        "java/lang/Math.multiplyHigh(JJ)J" => |e, state, args| match args.iter().all(|a| e.cx.terms.is_constant(*a)) {
            true => e.run_quietly(state),
            false => Ok(upper_half(e, args[0], args[1])),
        },
        _ => return None,
    };
    Some(native)
}

fn multiply_exact<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    if args.iter().all(|arg| e.cx.terms.is_constant(*arg)) {
        return e.run_quietly(state);
    }
    let upper = upper_half(e, args[0], args[1]);
    let terms = &mut e.cx.terms;
    let (product, sign) = (terms.bit_op(BitOp::Mul, args[0], args[1]), terms.bits(64, 63));
    // It fits where the upper half is nothing but the sign of the lower one.
    let signs = terms.bit_op(BitOp::AShr, product, sign);
    let fits = terms.eq(upper, signs);
    state.be_quiet(state.frames.len() - 1);
    if e.check(state, fits)? {
        return Ok(product);
    }
    e.throw_with_message(state, "java/lang/ArithmeticException", "long overflow")?;
    Err(Suspend::Detour)
}

/// The upper 64 bits of a signed product, of the products of halves.
fn upper_half<M: HeapModel>(e: &mut Executor<M>, x: Term, y: Term) -> Term {
    let terms = &mut e.cx.terms;
    let [low_x, low_y] = [x, y].map(|word| {
        let half = terms.extract(31, 0, word);
        terms.extend(false, 64, half)
    });
    let [high_x, high_y] = [x, y].map(|word| {
        let half = terms.extract(63, 32, word);
        terms.extend(true, 64, half)
    });
    let half = terms.bits(64, 32);
    let [low, left, right, high] = [(low_x, low_y), (high_x, low_y), (low_x, high_y), (high_x, high_y)]
        .map(|(a, b)| terms.bit_op(BitOp::Mul, a, b));
    let carried = terms.bit_op(BitOp::LShr, low, half);
    let left = terms.bit_op(BitOp::Add, left, carried);
    let (lower, upper) = (terms.extract(31, 0, left), terms.bit_op(BitOp::AShr, left, half));
    let lower = terms.extend(false, 64, lower);
    let middle = terms.bit_op(BitOp::Add, right, lower);
    let carried = terms.bit_op(BitOp::AShr, middle, half);
    let sum = terms.bit_op(BitOp::Add, high, upper);
    terms.bit_op(BitOp::Add, sum, carried)
}
