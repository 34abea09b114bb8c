//! Witnesses that can be read: where a character of an input string may be any, or one of many, it is a letter and not a control
//! character, and a number is a small one. What is put there satisfies the path condition as well, and is replayed like everything else.

use lazuli_logic::{Model, PathCondition, Sort, Symbol, Term, Value};
use lazuli_program::library::LENGTH;

use crate::context::{Context, Standing};
use crate::witness::{Concrete, Witness};

/// What is tried for a character that cannot be read.
const LETTERS: &[u8] = b"axbyczAZ059 -.,:/";
/// With more clauses or characters, the witness stays as it is: every letter is put to all clauses.
const MAX_CLAUSES: usize = 256;
const MAX_CHARACTERS: usize = 16;

/// What is tried for a large number, the nearest to zero first.
const NUMBERS: &[i64] = &[0, 1, -1, 2, -2, 3, 5, 10, -10, 20, 100, -100, 1_000];
const MAX_NUMBERS: usize = 16;
/// The farthest from zero that needs no change.
const MAX_SMALL: u128 = 20;
/// A number may have to become smaller before another one can.
const ROUNDS: usize = 3;

fn is_readable(byte: u64) -> bool {
    (0x20..0x7f).contains(&(byte as u8))
}

/// Whether a symbol is a character of an input string.
pub(crate) fn is_character(cx: &Context, symbol: Symbol) -> bool {
    let Some(known) = &cx.known else { return false };
    let Some(Standing::Element(array, _)) = cx.standing_in_heap(symbol) else { return false };
    matches!(cx.standing(array), Standing::Field(_, field) if field == known.string_value)
}

/// Changes characters of the model to letters, as far as all clauses still hold. Those that are equal may change together.
pub(crate) fn prefer_letters(cx: &Context, path: &PathCondition, model: &mut Model) {
    if cx.known.is_none() || !cx.has_elements() {
        return;
    }
    let clauses = path.clauses();
    if clauses.len() > MAX_CLAUSES {
        return;
    }
    // A model need not mention what has its default; here it does, so that what it does not mention is free.
    let mut characters: Vec<(Value, Vec<Symbol>)> = Vec::new();
    let mut number = 0;
    let mut symbols: Vec<Symbol> = clauses.iter().flat_map(|clause| cx.terms.symbols_of(*clause)).collect();
    symbols.sort_unstable();
    symbols.dedup();
    for symbol in symbols.into_iter().filter(|symbol| is_character(cx, *symbol)) {
        let value = model.value(&cx.terms, symbol);
        model.set(symbol, value);
        if matches!(value, Value::Bits(byte) if !is_readable(byte)) && number < MAX_CHARACTERS {
            number += 1;
            match characters.iter_mut().find(|(known, _)| *known == value) {
                Some((_, symbols)) => symbols.push(symbol),
                None => characters.push((value, vec![symbol])),
            }
        }
    }
    for (before, symbols) in characters {
        // Each by itself; then those that are equal, which may have to be, together.
        let left: Vec<Symbol> =
            symbols.into_iter().filter(|symbol| !become_letter(cx, &clauses, model, &[*symbol], before)).collect();
        if left.len() > 1 {
            become_letter(cx, &clauses, model, &left, before);
        }
    }
}

/// Whether characters could become one letter; otherwise they are what they were.
fn become_letter(cx: &Context, clauses: &[Term], model: &mut Model, symbols: &[Symbol], before: Value) -> bool {
    let set = |model: &mut Model, value: Value| symbols.iter().for_each(|symbol| model.set(*symbol, value));
    for letter in LETTERS {
        set(model, Value::Bits(u64::from(*letter)));
        if clauses.iter().all(|clause| cx.terms.eval(*clause, model).is_some_and(|value| value.as_bool())) {
            return true;
        }
    }
    set(model, before);
    false
}

/// Makes large numbers of the model small, as far as all clauses still hold. Those that are equal change together: so do the
/// values that a function gives for one object.
pub(crate) fn prefer_small_numbers(cx: &Context, path: &PathCondition, model: &mut Model) {
    let mut large: Vec<(i128, Vec<Symbol>)> = Vec::new();
    for (symbol, value) in model.values() {
        let Some(number) = number(cx, symbol, value).filter(|number| number.unsigned_abs() > MAX_SMALL) else {
            continue;
        };
        match large.iter_mut().find(|(known, _)| *known == number) {
            Some((_, symbols)) => symbols.push(symbol),
            None => large.push((number, vec![symbol])),
        }
    }
    if large.is_empty() || large.len() > MAX_NUMBERS {
        return;
    }
    let clauses = path.clauses();
    if clauses.len() > MAX_CLAUSES {
        return;
    }
    for _ in 0..ROUNDS {
        let before = large.len();
        large.retain(|(number, symbols)| !is_made_small(cx, &clauses, model, *number, symbols));
        if large.is_empty() || large.len() == before {
            return;
        }
    }
}

fn is_made_small(cx: &Context, clauses: &[Term], model: &mut Model, number: i128, symbols: &[Symbol]) -> bool {
    let set = |model: &mut Model, number: i128| {
        for symbol in symbols {
            model.set(*symbol, written(cx, *symbol, number));
        }
    };
    let smaller = NUMBERS.iter().map(|small| i128::from(*small));
    for small in smaller.filter(|small| small.unsigned_abs() < number.unsigned_abs()) {
        set(model, small);
        if clauses.iter().all(|clause| cx.terms.holds(*clause, model)) {
            return true;
        }
    }
    set(model, number);
    false
}

/// The value of a number, with its sign.
fn number(cx: &Context, symbol: Symbol, value: Value) -> Option<i128> {
    match (value, cx.terms.symbol_info(symbol).sort) {
        (Value::Int(number), _) => Some(number),
        (Value::Bits(bits), Sort::Bits(width @ 32..)) => {
            let unused = 64 - width as u32;
            Some((((bits << unused) as i64) >> unused).into())
        }
        _ => None,
    }
}

fn written(cx: &Context, symbol: Symbol, number: i128) -> Value {
    match cx.terms.symbol_info(symbol).sort {
        Sort::Bits(width) => Value::Bits(number as u64 & (u64::MAX >> (64 - width as u32))),
        _ => Value::Int(number),
    }
}

/// Characters that the path never looks at are letters too.
pub(crate) fn fill_texts(cx: &Context, witness: &mut Witness) {
    let Some(known) = &cx.known else { return };
    let texts = witness.objects.iter().filter(|object| object.class == known.string).filter_map(|object| {
        let is_wide = object.fields.iter().any(|f| f.0 == known.string_coder && f.1 != Concrete::Int(0));
        let value = object.fields.iter().find(|(field, _)| *field == known.string_value)?.1;
        match value {
            Concrete::Object(array) if !is_wide => Some(array),
            _ => None,
        }
    });
    for array in texts.collect::<Vec<_>>() {
        let array = &mut witness.objects[array];
        let length = array.fields.iter().find(|(field, _)| *field == LENGTH).map(|(_, value)| *value);
        let Some(Concrete::Int(length @ 0..=64)) = length else { continue };
        for at in 0..length as u32 {
            if array.elements.iter().all(|(known, _)| *known != at) {
                array.elements.push((at, Concrete::Int(i128::from(b'a' + (at % 26) as u8))));
            }
        }
    }
}
