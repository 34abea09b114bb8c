//! The numbers that texts stand for: `parseInt`, `parseLong`. Of an unknown text the number is one term over its characters, and all that is decided is
//! whether it is one at all. A text that was made of a number stands for that number, whatever its digits are.

use std::rc::Rc;

use lazuli_logic::{BitOp, Sort, Term};

use super::printing::shown_text;
use super::strings::Text;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend};

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Integer.parseInt(Ljava/lang/String;)I" | "java/lang/Integer.parseInt(Ljava/lang/String;I)I" => {
            |e, s, a| parse(e, s, a, 32)
        }
        "java/lang/Long.parseLong(Ljava/lang/String;)J" | "java/lang/Long.parseLong(Ljava/lang/String;I)J" => {
            |e, s, a| parse(e, s, a, 64)
        }
        _ => return None,
    };
    Some(native)
}

/// What a text is as a number: whether it is one, and which, of 64 bits.
struct Numeral {
    is_number: Term,
    value: Term,
}

fn parse<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], width: u8) -> Step<Term> {
    let radix = match args.get(1) {
        None => Some(10),
        Some(radix) => e.cx.terms.as_bits(*radix).map(|(_, radix)| radix).filter(|radix| (2..=36).contains(radix)),
    };
    let Some(radix) = radix else { return e.run_quietly(state) };
    if e.is_null(state, args[0])? {
        return e.run_quietly(state);
    }
    let numeral = match state.vm.numerals.get(&args[0]).filter(|_| radix == 10) {
        Some(&number) => {
            let value = e.cx.terms.extend(true, 64, number);
            Numeral { is_number: Term::TRUE, value }
        }
        None => match e.read_text(state, args[0])? {
            Some(text) if !e.is_known(&text) && is_short(&text, radix) => e.numeral(&text, radix),
            _ => return e.run_quietly(state),
        },
    };
    let terms = &mut e.cx.terms;
    let result = terms.extract(width - 1, 0, numeral.value);
    let again = terms.extend(true, 64, result);
    let fits = terms.eq(again, numeral.value);
    let is_number = terms.and(numeral.is_number, fits);
    state.be_quiet(state.frames.len() - 1);
    match e.check(state, is_number)? {
        true => Ok(result),
        false => refuse(e, state, args[0], radix),
    }
}

/// Whether no number of so many digits leaves 64 bits, and no digit has two bytes.
fn is_short(text: &Text, radix: u64) -> bool {
    let digits = u32::try_from(text.most()).ok();
    !text.is_wide && digits.and_then(|digits| radix.checked_pow(digits)).is_some_and(|most| most < 1 << 62)
}

/// The exception that the JDK throws, with its message.
fn refuse<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, string: Term, radix: u64) -> Step<Term> {
    let Some(text) = e.read_text(state, string)? else { return e.run_quietly(state) };
    let end = if radix == 10 { "\"".to_string() } else { format!("\" under radix {radix}") };
    let [before, behind] = ["For input string: \"", &end].map(|part| e.known_text(part));
    let message =
        e.joined(&before, &text).map(|(bytes, length)| Text { bytes: Rc::new(bytes), is_wide: false, length });
    let Some((bytes, length)) = message.and_then(|message| e.joined(&message, &behind)) else {
        return e.run_quietly(state);
    };
    let shown = format!("For input string: \"{}{end}", shown_text(e, state, string)?);
    let message = e.string_of(state, bytes, length);
    Rc::make_mut(&mut state.vm).shown.insert(message, shown.into());
    e.throw_saying(state, "java/lang/NumberFormatException", message)?;
    Err(Suspend::Detour)
}

impl<M: HeapModel> Executor<'_, M> {
    fn is_known(&self, text: &Text) -> bool {
        let is_constant = |term: &Term| self.cx.terms.is_constant(*term);
        is_constant(&text.length) && text.bytes.iter().all(is_constant)
    }

    /// A text of characters of one byte that is known.
    fn known_text(&mut self, text: &str) -> Text {
        let bytes = text.bytes().map(|byte| self.cx.terms.bits(8, byte as u64)).collect();
        Text { bytes: Rc::new(bytes), is_wide: false, length: self.cx.int(text.len() as i64) }
    }

    /// A sign, if there is one and something behind it, and digits.
    fn numeral(&mut self, text: &Text, radix: u64) -> Numeral {
        let (mut conditions, mut value) = (vec![self.is_before(0, text.length)], self.cx.terms.bits(64, 0));
        let (factor, zero) = (self.cx.terms.bits(64, radix), self.cx.terms.bits(64, 0));
        let mut is_negative = Term::FALSE;
        for (at, &byte) in text.bytes.iter().enumerate() {
            let inside = self.is_before(at, text.length);
            let (mut is_one, mut digit) = self.digit(byte, radix);
            if at == 0 {
                let more = self.is_before(1, text.length);
                let terms = &mut self.cx.terms;
                let signs = [b'-', b'+'].map(|sign| terms.bits(8, sign as u64));
                let [minus, plus] = signs.map(|sign| terms.eq(byte, sign));
                is_negative = minus;
                let is_sign = terms.or(minus, plus);
                let leads = terms.and(is_sign, more);
                is_one = terms.or(is_one, leads);
                digit = terms.ite(is_sign, zero, digit);
            }
            let terms = &mut self.cx.terms;
            conditions.push(terms.implies(inside, is_one));
            let shifted = terms.bit_op(BitOp::Mul, value, factor);
            let next = terms.bit_op(BitOp::Add, shifted, digit);
            value = terms.ite(inside, next, value);
        }
        let terms = &mut self.cx.terms;
        let opposite = terms.bit_op(BitOp::Sub, zero, value);
        Numeral { is_number: terms.all(conditions), value: terms.ite(is_negative, opposite, value) }
    }

    /// Whether a character of one byte is a digit, and which, of 64 bits.
    fn digit(&mut self, byte: Term, radix: u64) -> (Term, Term) {
        let terms = &mut self.cx.terms;
        debug_assert_eq!(terms.sort(byte), Sort::Bits(8));
        let (mut is_digit, mut digit) = (Vec::new(), terms.bits(8, 0));
        // From which character on how many stand for the digits from which on.
        let letters = radix.saturating_sub(10);
        for (first, count, from) in [(b'0', radix.min(10), 0), (b'a', letters, 10), (b'A', letters, 10)] {
            if count == 0 {
                continue;
            }
            let (low, number) = (terms.bits(8, first as u64), terms.bits(8, count));
            let distance = terms.bit_op(BitOp::Sub, byte, low);
            let here = terms.bit_op(BitOp::ULt, distance, number);
            let from = terms.bits(8, from);
            let value = terms.bit_op(BitOp::Add, distance, from);
            digit = terms.ite(here, value, digit);
            is_digit.push(here);
        }
        (terms.any(is_digit), terms.extend(false, 64, digit))
    }
}
