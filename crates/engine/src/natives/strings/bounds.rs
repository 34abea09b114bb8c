//! What checks indices into strings and builders: where one is wrong and not known, the message that the JDK would put together is left out.

use lazuli_logic::{BitOp, Term};

use super::Heap;
use crate::executor::{Executor, Native};
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Step, Suspend};

const STRING: &str = "StringIndexOutOfBoundsException";

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        // The index is below the length; the offset is not above it.
        "java/lang/String.checkIndex(II)V" => |e, state, args| {
            let last = e.minus_one(args[1]);
            checked(e, state, args, &[args[0], last], STRING)
        },
        "java/lang/String.checkOffset(II)V" => |e, state, args| checked(e, state, args, args, STRING),
        "java/lang/String.checkBoundsBeginEnd(III)V" | "java/lang/AbstractStringBuilder.checkRangeSIOOBE(III)V" => {
            |e, state, args| checked(e, state, args, args, STRING)
        }
        "java/lang/AbstractStringBuilder.checkRange(III)V" => {
            |e, state, args| checked(e, state, args, args, "IndexOutOfBoundsException")
        }
        _ => return None,
    };
    Some(native)
}

/// The numbers must not be negative, and none above the next.
fn checked<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    numbers: &[Term],
    exception: &'static str,
) -> Step<Term> {
    let mut wrong = Vec::new();
    let mut low = e.cx.int(0);
    for &number in numbers {
        wrong.push(e.cx.terms.bit_op(BitOp::SLt, number, low));
        low = number;
    }
    let wrong = e.cx.terms.any(wrong);
    if !e.check(state, wrong)? {
        return Ok(Term::NULL);
    }
    match args.iter().all(|arg| e.cx.terms.is_constant(*arg)) {
        true => e.run_original(state),
        false => Err(Suspend::Throw(exception)),
    }
}

impl<M: HeapModel> Executor<'_, M> {
    fn minus_one(&mut self, number: Term) -> Term {
        let one = self.cx.int(1);
        self.cx.terms.bit_op(BitOp::Sub, number, one)
    }
}
