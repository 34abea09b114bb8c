//! What an exception knows of where it was made: the machine hangs an array of numbers on it. The first says whether an instruction raised it; then
//! there is one for every frame.

use lazuli_logic::Term;
use lazuli_program::ir::MethodId;

use crate::executor::Executor;
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, unsupported};

type Heap<M> = <M as Memory>::Heap;

/// Where an exception was made, and who called that: the newest first. Nothing where it does not say.
pub(crate) fn stack<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    throwable: Term,
) -> Option<Vec<(MethodId, u32)>> {
    let backtrace = throwable_field(e, state, throwable, "backtrace").ok()?;
    let numbers = numbers(e, state, backtrace)?;
    Some(numbers.get(1..)?.iter().map(|number| (MethodId((number >> 32) as u32), *number as u32)).collect())
}

/// A field that all exceptions have.
pub(crate) fn throwable_field<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    throwable: Term,
    name: &str,
) -> Step<Term> {
    let class = e.cx.library().expect("only Java has natives").class_id("java/lang/Throwable");
    match e.cx.program.field_named(class, name) {
        Some(field) => e.read(state, throwable, field),
        None => unsupported("stack traces of this JDK"),
    }
}

/// The numbers, where they are known.
pub(crate) fn numbers<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    backtrace: Term,
) -> Option<Vec<u64>> {
    let numbers = e.model.arrays(&mut state.heap).dense(&e.cx, backtrace)?.clone();
    numbers.iter().map(|number| e.cx.terms.as_bits(*number).map(|(_, number)| number)).collect()
}
