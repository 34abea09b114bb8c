//! `CRC32` and `Adler32`, of constants.

use lazuli_logic::Term;
use lazuli_program::ir::Type;

use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, unsupported};

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/util/zip/CRC32.update(II)I" => |e, _, args| of_byte(e, args, crc32),
        "java/util/zip/CRC32.updateBytes0(I[BII)I" => |e, state, args| of_bytes(e, state, args, crc32),
        "java/util/zip/Adler32.update(II)I" => |e, _, args| of_byte(e, args, adler32),
        "java/util/zip/Adler32.updateBytes(I[BII)I" => |e, state, args| of_bytes(e, state, args, adler32),
        _ => return None,
    };
    Some(native)
}

/// A sum with one more byte.
type Sum = fn(u32, u8) -> u32;

fn crc32(sum: u32, byte: u8) -> u32 {
    let rest = (0..8).fold(!sum ^ byte as u32, |rest, _| rest >> 1 ^ (0xEDB8_8320 & (rest & 1).wrapping_neg()));
    !rest
}

fn adler32(sum: u32, byte: u8) -> u32 {
    const MODULUS: u32 = 65_521;
    let low = ((sum & 0xFFFF) + byte as u32) % MODULUS;
    let high = ((sum >> 16) + low) % MODULUS;
    high << 16 | low
}

const UNKNOWN: &str = "a checksum of unknown bytes";

fn of_byte<M: HeapModel>(e: &mut Executor<M>, args: &[Term], sum: Sum) -> Step<Term> {
    let [before, byte] = [args[0], args[1]].map(|arg| e.cx.terms.as_bits(arg).map(|(_, bits)| bits));
    match (before, byte) {
        (Some(before), Some(byte)) => Ok(e.cx.terms.bits(32, sum(before as u32, byte as u8) as u64)),
        _ => unsupported(UNKNOWN),
    }
}

fn of_bytes<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], sum: Sum) -> Step<Term> {
    let [before, from, count] = [args[0], args[2], args[3]].map(|arg| e.cx.terms.as_bits(arg).map(|(_, bits)| bits));
    let (Some(before), Some(from), Some(count)) = (before, from, count) else { return unsupported(UNKNOWN) };
    let mut all = before as u32;
    for at in from..from + count {
        let at = e.cx.terms.bits(32, at);
        let byte = e.element(state, args[1], at, Type::Byte)?;
        let Some((_, byte)) = e.cx.terms.as_bits(byte) else { return unsupported(UNKNOWN) };
        all = sum(all, byte as u8);
    }
    Ok(e.cx.terms.bits(32, all as u64))
}
