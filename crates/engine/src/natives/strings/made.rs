//! New strings of parts of others, where it is not known how long they are: as many places as they may have, side by side.

use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::ClassId;
use lazuli_program::library::LENGTH;

use super::super::printing::shown_text;
use super::{Heap, MOST_PLACES, Text};
use crate::executor::{Executor, Native};
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::Step;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/String.substring(I)Ljava/lang/String;" | "java/lang/String.substring(II)Ljava/lang/String;" => {
            substring
        }
        "java/lang/String.concat(Ljava/lang/String;)Ljava/lang/String;" => concat,
        "java/lang/StringConcatHelper.simpleConcat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;"
        | "java/lang/StringConcatHelper.doConcat(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;" => join,
        "java/lang/StringLatin1.newString([BII)Ljava/lang/String;" => new_string,
        "java/util/Arrays.copyOfRange([BII)[B" => copy_of_range,
        _ => return None,
    };
    Some(native)
}

impl<M: HeapModel> Executor<'_, M> {
    /// An array of bytes of which so many belong to it.
    fn array_of(&mut self, state: &mut State<M::Heap>, bytes: Vec<Term>, length: Term) -> Term {
        let class: ClassId = self.cx.known.as_ref().expect("the JDK has strings").bytes;
        let array = self.model.alloc(&mut self.cx, &mut state.heap, class);
        self.model.preset(&mut self.cx, &mut state.heap, array, LENGTH, length);
        let location = array.as_location().expect("a new object is a location");
        self.model.arrays(&mut state.heap).alloc(location, bytes);
        array
    }

    /// A new string with characters of one byte.
    pub(in crate::natives) fn string_of(&mut self, state: &mut State<M::Heap>, bytes: Vec<Term>, length: Term) -> Term {
        let array = self.array_of(state, bytes, length);
        let known = self.cx.known.as_ref().expect("the JDK has strings");
        let (class, value, coder) = (known.string, known.string_value, known.string_coder);
        let string = self.model.alloc(&mut self.cx, &mut state.heap, class);
        self.model.preset(&mut self.cx, &mut state.heap, string, value, array);
        let latin = self.cx.terms.bits(8, 0);
        self.model.preset(&mut self.cx, &mut state.heap, string, coder, latin);
        string
    }

    /// The first of some strings whose condition holds, otherwise a new one: which it is, only its identity tells. Where references are constants, it is decided.
    fn one_of(
        &mut self,
        state: &mut State<M::Heap>,
        known: &[(Term, Term)],
        (bytes, length): (Vec<Term>, Term),
    ) -> Step<Term> {
        let mut rest = Term::TRUE;
        let mut guards = Vec::new();
        for (guard, _) in known {
            guards.push(self.cx.terms.and(rest, *guard));
            let not = self.cx.terms.not(*guard);
            rest = self.cx.terms.and(rest, not);
        }
        guards.push(rest);
        if let Some(certain) = guards.iter().position(|guard| *guard == Term::TRUE) {
            return Ok(match known.get(certain) {
                Some((_, string)) => *string,
                None => self.string_of(state, bytes, length),
            });
        }
        if self.model.enumerates() {
            let chosen = self.choose(state, &guards, false)?;
            return Ok(match known.get(chosen) {
                Some((_, string)) => *string,
                None => self.string_of(state, bytes, length),
            });
        }
        let mut string = self.string_of(state, bytes, length);
        for (guard, known) in known.iter().rev() {
            string = self.cx.terms.ite(*guard, *known, string);
        }
        Ok(string)
    }

    fn empty_string(&mut self, state: &mut State<M::Heap>) -> Term {
        let library = self.cx.library().expect("only Java has strings");
        let id = library.string_id(&[][..].into());
        self.constant_string(state, id)
    }

    /// The bytes from one place of some on, as many as there may be.
    fn part(&mut self, bytes: &Rc<Vec<Term>>, from: Term, count: Term) -> Vec<Term> {
        let constant = |e: &Self, number: Term| e.cx.terms.as_bits(number).map(|(_, number)| number as usize);
        let most = bytes.len().saturating_sub(constant(self, from).unwrap_or(0));
        let most = constant(self, count).map_or(most, |count| count.min(most));
        (0..most).map(|at| self.byte_behind(bytes, from, at)).collect()
    }

    /// The byte so many places behind one. Beyond the end there is none, and nobody looks at it.
    fn byte_behind(&mut self, bytes: &Rc<Vec<Term>>, from: Term, offset: usize) -> Term {
        let mut byte = self.cx.terms.bits(8, 0);
        if let Some((_, from)) = self.cx.terms.as_bits(from) {
            return bytes.get(from as usize + offset).copied().unwrap_or(byte);
        }
        for at in (offset..bytes.len()).rev() {
            let place = self.cx.int((at - offset) as i64);
            let here = self.cx.terms.eq(from, place);
            byte = self.cx.terms.ite(here, bytes[at], byte);
        }
        byte
    }

    /// The bytes of two texts, one behind the other, with their number. `None` for characters of two bytes, and for what may be too long.
    pub(in crate::natives) fn joined(&mut self, a: &Text, b: &Text) -> Option<(Vec<Term>, Term)> {
        let length = self.cx.terms.bit_op(BitOp::Add, a.length, b.length);
        let known = self.cx.terms.as_bits(length).map(|(_, length)| length as usize);
        let most = known.unwrap_or(a.most() + b.most());
        if a.is_wide || b.is_wide || known.is_none() && most > MOST_PLACES {
            return None;
        }
        if let Some((_, end)) = self.cx.terms.as_bits(a.length) {
            let mut bytes = a.bytes[..a.bytes.len().min(end as usize)].to_vec();
            bytes.extend(b.bytes.iter().take(most - bytes.len()));
            return Some((bytes, length));
        }
        let mut bytes = Vec::new();
        for at in 0..most {
            // Where it is one of the second, it is so many places behind the end of the first.
            let place = self.cx.int(at as i64);
            let behind = self.cx.terms.bit_op(BitOp::Sub, place, a.length);
            let second = self.byte_behind(&b.bytes, behind, 0);
            let in_first = self.is_before(at, a.length);
            let first = a.bytes.get(at).copied().unwrap_or(second);
            bytes.push(self.cx.terms.ite(in_first, first, second));
        }
        Some((bytes, length))
    }

    /// Whether `0 <= from <= to <= length`.
    fn is_range(&mut self, from: Term, to: Term, length: Term) -> Term {
        let zero = self.cx.int(0);
        let terms = &mut self.cx.terms;
        let outside = [(from, zero), (to, from), (length, to)].map(|(a, b)| terms.bit_op(BitOp::SLt, a, b));
        let outside = terms.any(outside);
        terms.not(outside)
    }

    fn are_constant(&self, terms: &[Term]) -> bool {
        terms.iter().all(|term| self.cx.terms.is_constant(*term))
    }
}

/// The string itself where it is all of it, the empty constant where nothing is left.
fn substring<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let text = e.read_text(state, args[0])?.filter(|text| !text.is_wide && text.most() <= MOST_PLACES);
    let Some(text) = text else { return e.run_quietly(state) };
    let (from, to) = (args[1], args.get(2).copied().unwrap_or(text.length));
    if e.are_constant(&[from, to, text.length]) {
        return e.run_quietly(state);
    }
    let is_range = e.is_range(from, to, text.length);
    if !e.check(state, is_range)? {
        return e.run_quietly(state);
    }
    let zero = e.cx.int(0);
    let count = e.cx.terms.bit_op(BitOp::Sub, to, from);
    let (begins, ends) = (e.cx.terms.eq(from, zero), e.cx.terms.eq(to, text.length));
    let (whole, is_empty) = (e.cx.terms.and(begins, ends), e.cx.terms.eq(count, zero));
    let (bytes, empty) = (e.part(&text.bytes, from, count), e.empty_string(state));
    e.one_of(state, &[(whole, args[0]), (is_empty, empty)], (bytes, count))
}

/// The string itself where nothing is added.
fn concat<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    if e.is_null(state, args[1])? {
        return e.run_quietly(state);
    }
    let Some((a, b)) = e.texts(state, args[0], args[1])? else { return e.run_quietly(state) };
    let zero = e.cx.int(0);
    let is_empty = e.cx.terms.eq(b.length, zero);
    match e.joined(&a, &b) {
        Some(joined) => e.one_of(state, &[(is_empty, args[0])], joined),
        None => e.run_quietly(state),
    }
}

/// What joins strings to a new one.
fn join<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(string) = e.cx.known.as_ref().map(|known| known.string) else { return e.run_quietly(state) };
    for part in args {
        let is_string = e.instance_of(state, *part, string)?;
        if !e.check(state, is_string)? {
            return e.run_quietly(state);
        }
    }
    let Some((a, b)) = e.texts(state, args[0], args[1])? else { return e.run_quietly(state) };
    let Some((bytes, length)) = e.joined(&a, &b) else { return e.run_quietly(state) };
    let is_known = e.are_constant(&[length]) && e.are_constant(&bytes);
    let shown = match is_known {
        true => None,
        false => Some(shown_text(e, state, args[0])? + &shown_text(e, state, args[1])?),
    };
    let string = e.string_of(state, bytes, length);
    // A number behind nothing is still one.
    let zero = e.cx.int(0);
    let number = match [a.length == zero, b.length == zero] {
        [true, _] => state.vm.numerals.get(&args[1]).copied(),
        [_, true] => state.vm.numerals.get(&args[0]).copied(),
        _ => None,
    };
    if let Some(number) = number {
        Rc::make_mut(&mut state.vm).numerals.insert(string, number);
    }
    if let Some(shown) = shown {
        Rc::make_mut(&mut state.vm).shown.insert(string, shown.into());
    }
    Ok(string)
}

/// What makes strings of a builder's characters.
fn new_string<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(bytes) = range(e, state, args[0], [args[1], args[2]], Given::Count)? else {
        return e.run_quietly(state);
    };
    let (zero, empty) = (e.cx.int(0), e.empty_string(state));
    let is_empty = e.cx.terms.eq(args[2], zero);
    e.one_of(state, &[(is_empty, empty)], (bytes, args[2]))
}

fn copy_of_range<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(bytes) = range(e, state, args[0], [args[1], args[2]], Given::End)? else {
        return e.run_quietly(state);
    };
    let length = e.cx.terms.bit_op(BitOp::Sub, args[2], args[1]);
    Ok(e.array_of(state, bytes, length))
}

/// What the second number of a range is.
#[derive(PartialEq)]
enum Given {
    Count,
    End,
}

/// The bytes of a range whose length is not known, if it is one of an array that has a bound.
fn range<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    array: Term,
    [from, second]: [Term; 2],
    given: Given,
) -> Step<Option<Vec<Term>>> {
    if e.are_constant(&[from, second]) || e.is_null(state, array)? {
        return Ok(None);
    }
    let known = e.bytes_of(state, array)?.filter(|(bytes, _)| bytes.len() <= MOST_PLACES);
    let Some((bytes, length)) = known else { return Ok(None) };
    let (to, count) = match given {
        Given::Count => (e.cx.terms.bit_op(BitOp::Add, from, second), second),
        Given::End => (second, e.cx.terms.bit_op(BitOp::Sub, second, from)),
    };
    let is_range = e.is_range(from, to, length);
    match e.check(state, is_range)? {
        true => Ok(Some(e.part(&bytes, from, count))),
        false => Ok(None),
    }
}
