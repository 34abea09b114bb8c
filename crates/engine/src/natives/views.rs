//! `VarHandle`s that look at an array of bytes as numbers: the JDK's digests and calendars use them.

use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::Type;
use lazuli_program::library::LENGTH;

use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::shared::is_shared;
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};
use crate::vm::ByteView;

type Heap<M> = <M as Memory>::Heap;

const OUT_OF_BOUNDS: &str = "java/lang/IndexOutOfBoundsException";

/// The methods of handles that have code of their own: it would look into what handles are made of, which they are not here.
pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let method = key.strip_prefix("java/lang/invoke/VarHandle.")?;
    let native: Native<M> = match method {
        // The table of the start says what becomes of it.
        "<clinit>()V" => return None,
        "fullFence()V" | "acquireFence()V" | "releaseFence()V" | "loadLoadFence()V" | "storeStoreFence()V" => {
            |_, _, _| Ok(Term::NULL)
        }
        "withInvokeExactBehavior()Ljava/lang/invoke/VarHandle;"
        | "withInvokeBehavior()Ljava/lang/invoke/VarHandle;" => |_, _, args| Ok(args[0]),
        // What these take is said by their calls.
        access if ["get", "set", "compareAnd", "weakCompareAnd"].iter().any(|mode| access.starts_with(mode)) => {
            return None;
        }
        _ => |_, _, _| unsupported("what a VarHandle knows of itself"),
    };
    Some(native)
}

/// `MethodHandles.byteArrayViewVarHandle`.
pub(super) fn of_bytes<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let library = e.cx.library().expect("only Java has handles");
    let element = e.mirrored(args[0]).and_then(|class| e.cx.element_of(class));
    let Some(ty) = element.filter(|element| !element.is_ref()) else {
        return Err(Suspend::Throw("java/lang/UnsupportedOperationException"));
    };
    let order = library.class_id("java/nio/ByteOrder");
    let field = library.find_field(order, &"BIG_ENDIAN".into(), &"Ljava/nio/ByteOrder;".into());
    let Some(field) = field else { return unsupported("the byte orders of this JDK") };
    let high_first = e.get_static(state, field)? == args[1];
    let handle = e.model.alloc(&mut e.cx, &mut state.heap, library.class_id("java/lang/invoke/VarHandle"));
    let view = ByteView { ty, high_first };
    match handle.as_location().is_some_and(is_shared) {
        true => e.start.views.insert(handle, view),
        false => Rc::make_mut(&mut state.vm).views.insert(handle, view),
    };
    Ok(handle)
}

/// What a handle looks at, if it is such a one.
pub(super) fn view_of<M: HeapModel>(e: &Executor<M>, state: &State<Heap<M>>, handle: Term) -> Option<ByteView> {
    e.start.views.get(&handle).or_else(|| state.vm.views.get(&handle)).copied()
}

/// Reads or writes a number; `given` are the array, the index and, to write, the value.
pub(super) fn access<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    view: ByteView,
    name: &str,
    given: &[Term],
) -> Step<Term> {
    let bytes: u64 = if view.ty == Type::Long {
        8
    } else if view.ty == Type::Int {
        4
    } else {
        2
    };
    let &[array, index, ref value @ ..] = given else { return unsupported(format!("VarHandle.{name}")) };
    let array = e.check_null(state, array)?;
    let length = e.read(state, array, LENGTH)?;
    let (zero, size) = (e.cx.int(0), e.cx.int(bytes as i64));
    let last = e.cx.terms.bit_op(BitOp::Sub, length, size);
    let (below, beyond) = (e.cx.terms.bit_op(BitOp::SLt, index, zero), e.cx.terms.bit_op(BitOp::SLt, last, index));
    let outside = e.cx.terms.or(below, beyond);
    let fits = e.cx.terms.not(outside);
    e.require(state, fits, OUT_OF_BOUNDS)?;
    let place = |e: &mut Executor<M>, number: u64| {
        let number = e.cx.terms.bits(32, number);
        e.cx.terms.bit_op(BitOp::Add, index, number)
    };
    // The lowest byte first.
    let order = (0..bytes).map(|number| if view.high_first { bytes - 1 - number } else { number });
    let width = 8 * bytes as u8;
    match (name, value) {
        ("get", []) => {
            let mut number = e.cx.terms.bits(width, 0);
            for (shift, at) in order.enumerate() {
                let at = place(e, at);
                let byte = e.element(state, array, at, Type::Byte)?;
                let byte = e.cx.terms.extend(false, width, byte);
                let shift = e.cx.terms.bits(width, 8 * shift as u64);
                let byte = e.cx.terms.bit_op(BitOp::Shl, byte, shift);
                number = e.cx.terms.bit_op(BitOp::Or, number, byte);
            }
            Ok(arith::widen(&mut e.cx.terms, view.ty, number))
        }
        ("set", &[value]) => {
            let value = arith::narrow(&mut e.cx.terms, view.ty, value);
            for (shift, at) in order.enumerate() {
                let low = 8 * shift as u8;
                let byte = e.cx.terms.extract(low + 7, low, value);
                let at = place(e, at);
                e.set_element(state, array, at, byte)?;
            }
            Ok(Term::NULL)
        }
        _ => unsupported(format!("VarHandle.{name} of bytes as numbers")),
    }
}
