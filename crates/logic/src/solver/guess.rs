//! Guesses for floating-point numbers: the known model with other values for one or two numbers of the guard.
//!
//! A back end needs milliseconds to seconds for what a handful of evaluations often finds: most branches of programs are taken
//! by numbers like 0, 1, −1, the constants of the condition and their neighbours. A guess is believed only if every clause
//! evaluates to true; to find none means nothing.

use crate::eval::{Model, Value};
use crate::float::{self, Conversion};
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::{Sort, Symbol, Term, Terms};

/// How many constants and known values of the clauses are tried, each with its neighbours.
const CONSTANTS: usize = 12;

/// The stage.
pub(crate) fn answer(_: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    model(terms, question.clauses(), question.hint()).map(Reply::Found)
}

/// A model of the clauses, of which the last is the guard.
pub(crate) fn model(terms: &Terms, clauses: &[Term], start: &Model) -> Option<Model> {
    let guard = *clauses.last()?;
    let numbers: Vec<(Symbol, u8)> = terms
        .symbols_of(guard)
        .into_iter()
        .filter_map(|symbol| match terms.symbol_info(symbol).sort {
            Sort::Float(width) => Some((symbol, width)),
            _ => None,
        })
        .collect();
    if numbers.is_empty() {
        return None;
    }
    // The guard first: the known model satisfies the others, so that it is the one that refuses most guesses.
    let fits = |model: &Model| clauses.iter().rev().all(|clause| terms.holds(*clause, model));
    let values = candidates(terms, clauses, start);
    for (i, &(first, width)) in numbers.iter().enumerate() {
        for &value in &values {
            if terms.interrupt().is_raised() {
                return None;
            }
            let mut guess = start.clone();
            guess.set(first, Value::Float(resized(value, width)));
            if fits(&guess) {
                return Some(guess);
            }
            for &(second, width) in &numbers[i + 1..] {
                for &value in &values {
                    if terms.interrupt().is_raised() {
                        return None;
                    }
                    guess.set(second, Value::Float(resized(value, width)));
                    if fits(&guess) {
                        return Some(guess);
                    }
                }
                guess.set(second, start.value(terms, second));
            }
        }
    }
    None
}

fn resized(value: f64, width: u8) -> u64 {
    float::convert(Conversion::Resize, 64, width, float::canonical(64, value.to_bits()))
}

/// Special values, and the constants and the known values of the clauses with what is close to them.
fn candidates(terms: &Terms, clauses: &[Term], start: &Model) -> Vec<f64> {
    let mut values = vec![0.0, 1.0, -1.0, 0.5, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30, -1e30];
    let mut met = Vec::new();
    let wide = |width: u8, bits: u64| f64::from_bits(float::convert(Conversion::Resize, width, 64, bits));
    for node in terms.postorder(clauses).into_iter().rev() {
        terms.children(node, |child| {
            if let Some((width, bits)) = terms.as_float(child) {
                met.push(wide(width, bits));
            }
        });
        if let (Some(symbol), Sort::Float(width)) = (terms.as_symbol(node), terms.sort(node))
            && let Value::Float(bits) = start.value(terms, symbol)
        {
            met.push(wide(width, bits));
        }
    }
    met.retain(|value| value.is_finite());
    met.sort_by(f64::total_cmp);
    met.dedup();
    met.truncate(CONSTANTS);
    for value in met {
        let close = [value, value + 1.0, value - 1.0, -value, value * 2.0, value * 2.5, value / 2.0, value / 2.5];
        values.extend(close.into_iter().chain([value.next_up(), value.next_down()]));
    }
    values
}
