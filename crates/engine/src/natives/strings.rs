//! Methods of `String` on texts that are not all known. Each gives one term over the characters, so that the only branch is the program's own on it.
//!
//! A text has at most as many characters as its array has places: the bound on input strings, or what the program has put together. Where there is no
//! such bound, where its layout is not known, and where the JDK's code would throw, that code is executed.

mod bounds;
mod made;
mod search;

use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::Type;
use lazuli_program::library::LENGTH;

use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::Step;

type Heap<M> = <M as Memory>::Heap;

/// More places than this are looked at only if their number is known.
const MOST_PLACES: usize = 256;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/String.isEmpty()Z" => is_empty,
        "java/lang/String.equals(Ljava/lang/Object;)Z" => equals,
        "java/lang/String.equalsIgnoreCase(Ljava/lang/String;)Z" => equals_ignore_case,
        "java/lang/String.hashCode()I" => hash_code,
        "java/lang/String.compareTo(Ljava/lang/String;)I" => compare_to,
        _ => return search::find(key).or_else(|| made::find(key)).or_else(|| bounds::find(key)),
    };
    Some(native)
}

/// A text: its first characters, of which as many belong to it as its length says.
pub(super) struct Text {
    pub(super) bytes: Rc<Vec<Term>>,
    /// Whether a character has two bytes.
    pub(super) is_wide: bool,
    pub(super) length: Term,
}

impl Text {
    /// At most how many characters it has.
    pub(super) fn most(&self) -> usize {
        self.bytes.len() >> self.is_wide as u32
    }
}

impl<M: HeapModel> Executor<'_, M> {
    /// The text of a string that is not null, if it has a bound and its layout is known.
    pub(super) fn read_text(&mut self, state: &mut State<M::Heap>, string: Term) -> Step<Option<Text>> {
        let Some(known) = &self.cx.known else { return Ok(None) };
        let (value, coder) = (known.string_value, known.string_coder);
        let value = self.read(state, string, value)?;
        let coder = self.read(state, string, coder)?;
        let is_wide = match self.cx.terms.as_bits(coder) {
            Some((_, coder)) => coder != 0,
            None => return Ok(None),
        };
        let Some((bytes, length)) = self.bytes_of(state, value)? else { return Ok(None) };
        let one = self.cx.int(1);
        let length = if is_wide { self.cx.terms.bit_op(BitOp::LShr, length, one) } else { length };
        Ok(Some(Text { bytes, is_wide, length }))
    }

    /// The places of an array of bytes that is not null, if there is a bound on them, and its length.
    fn bytes_of(&mut self, state: &mut State<M::Heap>, array: Term) -> Step<Option<(Rc<Vec<Term>>, Term)>> {
        let length = self.read(state, array, LENGTH)?;
        if let Some(bytes) = self.model.arrays(&mut state.heap).dense(&self.cx, array).cloned() {
            return Ok(Some((bytes, length)));
        }
        let most = self.longest(state, array).map(|most| most as usize);
        let Some(most) = most.filter(|most| *most <= MOST_PLACES) else { return Ok(None) };
        let mut bytes = Vec::with_capacity(most);
        for at in 0..most {
            let at = self.cx.int(at as i64);
            bytes.push(self.element(state, array, at, Type::Byte)?);
        }
        Ok(Some((Rc::new(bytes), length)))
    }

    /// The texts of two strings that are not null.
    fn texts(&mut self, state: &mut State<M::Heap>, a: Term, b: Term) -> Step<Option<(Text, Text)>> {
        let (a, b) = (self.read_text(state, a)?, self.read_text(state, b)?);
        Ok(a.zip(b))
    }

    /// A character, of 16 bits. Beyond the places there is none, and nobody looks at it.
    fn unit(&mut self, text: &Text, at: usize) -> Term {
        let terms = &mut self.cx.terms;
        if !text.is_wide {
            return match text.bytes.get(at) {
                Some(byte) => terms.extend(false, 16, *byte),
                None => terms.bits(16, 0),
            };
        }
        let [Some(&low), Some(&high)] = [text.bytes.get(2 * at), text.bytes.get(2 * at + 1)] else {
            return terms.bits(16, 0);
        };
        let (low, high, eight) = (terms.extend(false, 16, low), terms.extend(false, 16, high), terms.bits(16, 8));
        let high = terms.bit_op(BitOp::Shl, high, eight);
        terms.bit_op(BitOp::Or, high, low)
    }

    /// Whether two characters are equal.
    fn same_unit(&mut self, (a, at): (&Text, usize), (b, other): (&Text, usize)) -> Term {
        if let (false, false, Some(a), Some(b)) = (a.is_wide, b.is_wide, a.bytes.get(at), b.bytes.get(other)) {
            return self.cx.terms.eq(*a, *b);
        }
        let (a, b) = (self.unit(a, at), self.unit(b, other));
        self.cx.terms.eq(a, b)
    }

    /// Whether a place is before another.
    pub(super) fn is_before(&mut self, at: usize, end: Term) -> Term {
        let at = self.cx.int(at as i64);
        self.cx.terms.bit_op(BitOp::SLt, at, end)
    }

    /// Whether two texts are of one length, and the same at all places.
    fn alike(
        &mut self,
        a: &Text,
        b: &Text,
        mut same: impl FnMut(&mut Self, (&Text, usize), (&Text, usize)) -> Term,
    ) -> Term {
        let equal = self.cx.terms.eq(a.length, b.length);
        // Of equal lengths the one that is known says more.
        let length = if self.cx.terms.is_constant(b.length) { b.length } else { a.length };
        let mut all = vec![equal];
        for at in 0..a.most().min(b.most()) {
            let inside = self.is_before(at, length);
            if inside == Term::FALSE || all.last() == Some(&Term::FALSE) {
                break;
            }
            let same = same(self, (a, at), (b, at));
            all.push(self.cx.terms.implies(inside, same));
        }
        self.cx.terms.all(all)
    }

    /// Whether two texts are equal of which one is a number and the other one known, or a number too: then the numbers say so.
    fn same_numbers(&mut self, state: &State<M::Heap>, texts: [(Term, &Text); 2]) -> Option<Term> {
        let [a, b] = texts.map(|(string, _)| state.vm.numerals.get(&string).copied());
        let (number, other) = match (a, b) {
            (Some(a), Some(b)) => {
                let [a, b] = [a, b].map(|number| self.cx.terms.extend(true, 64, number));
                return Some(self.cx.terms.eq(a, b));
            }
            (Some(number), None) => (number, texts[1].1),
            (None, Some(number)) => (number, texts[0].1),
            (None, None) => return None,
        };
        let known = self.told(other)?;
        // A number has one text: without a plus, and without zeros in front.
        let value = known.parse::<i64>().ok().filter(|value| value.to_string() == known);
        let number = self.cx.terms.extend(true, 64, number);
        Some(match value {
            Some(value) => {
                let value = self.cx.terms.bits(64, value as u64);
                self.cx.terms.eq(number, value)
            }
            None => Term::FALSE,
        })
    }

    /// The characters of a text, if all of them are known and of one byte.
    fn told(&self, text: &Text) -> Option<String> {
        let (_, length) = self.cx.terms.as_bits(text.length)?;
        let bytes = text.bytes.get(..length as usize).filter(|_| !text.is_wide)?;
        bytes.iter().map(|byte| Some(char::from(self.cx.terms.as_bits(*byte)?.1 as u8))).collect()
    }

    fn truth(&mut self, condition: Term) -> Term {
        arith::truth(&mut self.cx.terms, condition)
    }
}

fn is_empty<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(value) = e.cx.known.as_ref().map(|known| known.string_value) else { return e.run_quietly(state) };
    let value = e.read(state, args[0], value)?;
    let (length, zero) = (e.read(state, value, LENGTH)?, e.cx.int(0));
    let is = e.cx.terms.eq(length, zero);
    Ok(e.truth(is))
}

/// Whether the argument is a string is decided.
fn equals<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(string) = e.cx.known.as_ref().map(|known| known.string) else { return e.run_quietly(state) };
    if args[0] == args[1] {
        return Ok(e.cx.int(1));
    }
    let is_string = e.instance_of(state, args[1], string)?;
    if !e.check(state, is_string)? {
        return Ok(e.cx.int(0));
    }
    let Some((a, b)) = e.texts(state, args[0], args[1])? else { return e.run_quietly(state) };
    let equal = match e.same_numbers(state, [(args[0], &a), (args[1], &b)]) {
        Some(equal) => equal,
        None => e.alike(&a, &b, |e, a, b| e.same_unit(a, b)),
    };
    Ok(e.truth(equal))
}

/// Where all characters have one byte: there two letters are one if they differ in the bit of capitals at most.
fn equals_ignore_case<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    if e.is_null(state, args[1])? {
        return Ok(e.cx.int(0));
    }
    match e.texts(state, args[0], args[1])? {
        Some((a, b)) if !a.is_wide && !b.is_wide => {
            let equal = e.alike(&a, &b, |e, (a, at), (b, other)| {
                let (a, b) = (a.bytes[at], b.bytes[other]);
                same_letter(e, a, b)
            });
            Ok(e.truth(equal))
        }
        _ => e.run_quietly(state),
    }
}

fn same_letter<M: HeapModel>(e: &mut Executor<M>, a: Term, b: Term) -> Term {
    let terms = &mut e.cx.terms;
    let capital = terms.bits(8, 0x20);
    let (small_a, small_b) = (terms.bit_op(BitOp::Or, a, capital), terms.bit_op(BitOp::Or, b, capital));
    let mut is_letter = Vec::new();
    for (first, last) in [(b'a', b'z'), (0xE0, 0xFE)] {
        let [first, last] = [first, last].map(|bound| terms.bits(8, bound as u64));
        let (below, above) = (terms.bit_op(BitOp::ULt, small_a, first), terms.bit_op(BitOp::ULt, last, small_a));
        let outside = terms.or(below, above);
        is_letter.push(terms.not(outside));
    }
    // The signs of multiplication and division are among the letters.
    let division = terms.bits(8, 0xF7);
    is_letter[1] = {
        let is_none = terms.eq(small_a, division);
        let is_one = terms.not(is_none);
        terms.and(is_letter[1], is_one)
    };
    let is_letter = terms.any(is_letter);
    let (same, equal) = (terms.eq(small_a, small_b), terms.eq(a, b));
    let letters = terms.and(is_letter, same);
    terms.or(equal, letters)
}

/// What the JDK would keep of it in the string, nobody sees.
fn hash_code<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(text) = e.read_text(state, args[0])? else { return e.run_quietly(state) };
    let (mut hash, factor) = (e.cx.int(0), e.cx.int(31));
    for at in 0..text.most() {
        let inside = e.is_before(at, text.length);
        if inside == Term::FALSE {
            break;
        }
        let unit = e.unit(&text, at);
        let terms = &mut e.cx.terms;
        let (before, unit) = (terms.bit_op(BitOp::Mul, hash, factor), terms.extend(false, 32, unit));
        let next = terms.bit_op(BitOp::Add, before, unit);
        hash = terms.ite(inside, next, hash);
    }
    Ok(hash)
}

/// The difference of the first characters that differ, otherwise that of the lengths.
fn compare_to<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    if e.is_null(state, args[1])? {
        return e.run_quietly(state);
    }
    let Some((a, b)) = e.texts(state, args[0], args[1])? else { return e.run_quietly(state) };
    let mut differences = Vec::new();
    for at in 0..a.most().min(b.most()) {
        let (in_a, in_b) = (e.is_before(at, a.length), e.is_before(at, b.length));
        let same = e.same_unit((&a, at), (&b, at));
        let differs = e.cx.terms.not(same);
        let here = e.cx.terms.all([in_a, in_b, differs]);
        if here != Term::FALSE {
            let [x, y] = [&a, &b].map(|text| {
                let unit = e.unit(text, at);
                e.cx.terms.extend(false, 32, unit)
            });
            differences.push((here, e.cx.terms.bit_op(BitOp::Sub, x, y)));
        }
        if here == Term::TRUE {
            break;
        }
    }
    let mut order = e.cx.terms.bit_op(BitOp::Sub, a.length, b.length);
    for (here, difference) in differences.into_iter().rev() {
        order = e.cx.terms.ite(here, difference, order);
    }
    Ok(order)
}
