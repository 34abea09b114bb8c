//! The inner loops of `BigInteger` on constants: the JDK's own initialisers square numbers of thousands of digits.

use lazuli_logic::Term;

use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::Step;

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/math/BigInteger.implMulAdd([I[IIII)I" => multiply_add,
        "java/math/BigInteger.implMultiplyToLen([II[II[I)[I" => multiply,
        _ => return None,
    };
    Some(native)
}

impl<M: HeapModel> Executor<'_, M> {
    /// A number of elements from the first of an array on, if all are constants.
    fn words(&mut self, state: &mut State<M::Heap>, array: Term, count: usize) -> Option<Vec<u32>> {
        let elements = self.model.arrays(&mut state.heap).dense(&self.cx, array)?.clone();
        let words = elements.get(..count)?.iter();
        words.map(|word| self.cx.terms.as_bits(*word).map(|(_, word)| word as u32)).collect()
    }

    fn word(&self, term: Term) -> Option<u32> {
        self.cx.terms.as_bits(term).map(|(_, word)| word as u32)
    }

    fn store_words(&mut self, state: &mut State<M::Heap>, array: Term, first: usize, words: &[u32]) {
        for (offset, word) in words.iter().enumerate() {
            let index = self.cx.int((first + offset) as i64);
            let word = self.cx.terms.bits(32, *word as u64);
            self.model.arrays(&mut state.heap).write(&mut self.cx, array, Term::TRUE, index, word);
        }
    }
}

/// Adds the product of the first `length` words of one number and a word to another, which ends `offset` words before its last; gives what is left over.
fn multiply_add<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let &[out, number, offset, length, factor] = args else { unreachable!("it has five parameters") };
    let known = |e: &mut Executor<M>, state: &mut State<Heap<M>>| {
        let (offset, length) = (e.word(offset)? as usize, e.word(length)? as usize);
        let size = e.model.arrays(&mut state.heap).dense(&e.cx, out)?.len();
        let end = size.checked_sub(offset)?;
        let sum = e.words(state, out, end)?;
        let first = end.checked_sub(length)?;
        Some((sum[first..].to_vec(), e.words(state, number, length)?, e.word(factor)?, first))
    };
    let Some((mut sum, number, factor, first)) = known(e, state) else { return e.run_original(state) };
    let mut carry = 0u64;
    for (sum, word) in sum.iter_mut().zip(&number).rev() {
        let product = *word as u64 * factor as u64 + *sum as u64 + carry;
        (*sum, carry) = (product as u32, product >> 32);
    }
    e.store_words(state, out, first, &sum);
    Ok(e.cx.terms.bits(32, carry))
}

/// The product of two numbers, in an array that is given or in a new one.
fn multiply<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let known = |e: &mut Executor<M>, state: &mut State<Heap<M>>| {
        let (a, b) = (e.word(args[1])? as usize, e.word(args[3])? as usize);
        Some((e.words(state, args[0], a)?, e.words(state, args[2], b)?))
    };
    let Some((a, b)) = known(e, state) else { return e.run_original(state) };
    let count = a.len() + b.len();
    let given = match args[4].is_null() {
        true => None,
        false => e.model.arrays(&mut state.heap).dense(&e.cx, args[4]).map(|elements| elements.len()),
    };
    if !args[4].is_null() && given.is_none() || a.is_empty() || b.is_empty() {
        return e.run_original(state);
    }
    let product = match given.filter(|length| *length >= count) {
        Some(_) => args[4],
        None => {
            let class = e.cx.library().expect("only Java has natives").class_id("[I");
            let length = e.cx.int(count as i64);
            e.new_array(state, class, length)
        }
    };
    let mut words = vec![0u32; count];
    for (i, x) in a.iter().enumerate().rev() {
        let mut carry = 0u64;
        for (j, y) in b.iter().enumerate().rev() {
            let sum = *x as u64 * *y as u64 + words[i + j + 1] as u64 + carry;
            (words[i + j + 1], carry) = (sum as u32, sum >> 32);
        }
        words[i] = carry as u32;
    }
    e.store_words(state, product, 0, &words);
    Ok(product)
}
