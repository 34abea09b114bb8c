//! Numbers as decimal text. Of an unknown one there are as many places as it may have digits, and the length is a term: nothing is decided by how long it is.

use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::Type;

use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::Step;

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Integer.toString(I)Ljava/lang/String;" => |e, s, a| to_string(e, s, a, 32),
        "java/lang/Long.toString(J)Ljava/lang/String;" => |e, s, a| to_string(e, s, a, 64),
        "java/lang/Integer.stringSize(I)I" | "jdk/internal/util/DecimalDigits.stringSize(I)I" => {
            |e, s, a| size(e, s, a, 32)
        }
        "java/lang/Long.stringSize(J)I" | "jdk/internal/util/DecimalDigits.stringSize(J)I" => {
            |e, s, a| size(e, s, a, 64)
        }
        "java/lang/Integer.getChars(II[B)I" | "jdk/internal/util/DecimalDigits.uncheckedGetCharsLatin1(II[B)I" => {
            |e, s, a| write(e, s, a, 32)
        }
        "java/lang/Long.getChars(JI[B)I" | "jdk/internal/util/DecimalDigits.uncheckedGetCharsLatin1(JI[B)I" => {
            |e, s, a| write(e, s, a, 64)
        }
        _ => return None,
    };
    Some(native)
}

/// An unknown number in decimal digits.
struct Decimal {
    is_negative: Term,
    /// The digits, from the last to the first that there may be.
    digits: Vec<Term>,
    /// How many there are, and how many characters with the sign.
    count: Term,
    size: Term,
}

impl<M: HeapModel> Executor<'_, M> {
    fn decimal(&mut self, number: Term, width: u8) -> Decimal {
        let terms = &mut self.cx.terms;
        let zero = terms.bits(width, 0);
        let is_negative = terms.bit_op(BitOp::SLt, number, zero);
        let opposite = terms.bit_op(BitOp::Sub, zero, number);
        // Without a sign: also the smallest number has its opposite there.
        let magnitude = terms.ite(is_negative, opposite, number);
        let most = if width == 32 { 10 } else { 19 };
        let (ten, sign) = (terms.bits(width, 10), terms.bits(8, b'0' as u64));
        let mut digits = Vec::new();
        let mut count = terms.bits(32, most);
        // Each quotient is divided once more: digit and quotient are one division, and all of them together say what the number is.
        let mut above = magnitude;
        for _ in 0..most {
            let digit = terms.bit_op(BitOp::URem, above, ten);
            above = terms.bit_op(BitOp::UDiv, above, ten);
            let digit = terms.extract(7, 0, digit);
            digits.push(terms.bit_op(BitOp::Add, digit, sign));
        }
        for place in (1..most as u32).rev() {
            let power = terms.bits(width, 10u64.pow(place));
            let (below, places) = (terms.bit_op(BitOp::ULt, magnitude, power), terms.bits(32, place as u64));
            count = terms.ite(below, places, count);
        }
        let one = terms.bits(32, 1);
        let with_sign = terms.bit_op(BitOp::Add, count, one);
        let size = terms.ite(is_negative, with_sign, count);
        Decimal { is_negative, digits, count, size }
    }
}

impl Decimal {
    /// At most how many characters there are.
    fn most(&self) -> usize {
        self.digits.len() + 1
    }

    /// The character at a place from the end, if there are so many: the sign is before the digits.
    fn before_end<M: HeapModel>(&self, e: &mut Executor<M>, place: usize) -> Term {
        let minus = e.cx.terms.bits(8, b'-' as u64);
        let Some(digit) = self.digits.get(place) else { return minus };
        let number = e.cx.int(place as i64);
        let is_digit = e.cx.terms.bit_op(BitOp::SLt, number, self.count);
        e.cx.terms.ite(is_digit, *digit, minus)
    }

    /// The characters from the first on.
    fn text<M: HeapModel>(&self, e: &mut Executor<M>) -> Vec<Term> {
        let minus = e.cx.terms.bits(8, b'-' as u64);
        let mut text = Vec::new();
        for place in 0..self.most() {
            // By how many digits there are: which of them it is without a sign, and with one.
            let mut unit = [e.cx.terms.bits(8, 0); 2];
            for count in 1..=self.digits.len() {
                let number = e.cx.int(count as i64);
                let here = e.cx.terms.eq(self.count, number);
                for (sign, unit) in unit.iter_mut().enumerate() {
                    let before_end = (count + sign).checked_sub(place + 1);
                    let character = match before_end {
                        Some(before_end) if before_end < count => self.digits[before_end],
                        Some(_) => minus,
                        None => continue,
                    };
                    *unit = e.cx.terms.ite(here, character, *unit);
                }
            }
            text.push(e.cx.terms.ite(self.is_negative, unit[1], unit[0]));
        }
        text
    }
}

fn to_string<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], width: u8) -> Step<Term> {
    if let Some((_, number)) = e.cx.terms.as_bits(args[0]) {
        let number = if width == 32 { number as u32 as i32 as i64 } else { number as i64 };
        let units: Vec<u16> = number.to_string().encode_utf16().collect();
        return Ok(e.new_string(state, &units));
    }
    let decimal = e.decimal(args[0], width);
    let text = decimal.text(e);
    let string = e.string_of(state, text, decimal.size);
    let shown = format!("{{{}}}", e.cx.show(args[0])).into();
    let vm = Rc::make_mut(&mut state.vm);
    vm.shown.insert(string, shown);
    vm.numerals.insert(string, args[0]);
    Ok(string)
}

fn size<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], width: u8) -> Step<Term> {
    match e.cx.terms.is_constant(args[0]) {
        true => e.run_quietly(state),
        false => Ok(e.decimal(args[0], width).size),
    }
}

/// Writes the digits and the sign before an index, and gives the index of the first of them.
fn write<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], width: u8) -> Step<Term> {
    let &[number, end, buffer] = args else { unreachable!("it has three parameters") };
    if e.cx.terms.is_constant(number) {
        return e.run_quietly(state);
    }
    let decimal = e.decimal(number, width);
    let mut written = Vec::new();
    for place in 0..decimal.most() {
        let behind = e.cx.int(place as i64 + 1);
        let index = e.cx.terms.bit_op(BitOp::Sub, end, behind);
        let old = e.element(state, buffer, index, Type::Byte)?;
        let place_term = e.cx.int(place as i64);
        let is_there = e.cx.terms.bit_op(BitOp::SLt, place_term, decimal.size);
        let unit = decimal.before_end(e, place);
        written.push((index, e.cx.terms.ite(is_there, unit, old)));
    }
    for (index, unit) in written {
        e.set_element(state, buffer, index, unit)?;
    }
    Ok(e.cx.terms.bit_op(BitOp::Sub, end, decimal.size))
}
