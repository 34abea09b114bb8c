//! The smallest input that takes a path: the fewest objects, the shortest arrays and strings, the smallest numbers.
//!
//! The path is narrowed by one clause after the other, each of which it can still be satisfied with: references are null, then lengths are small,
//! then numbers. It stays a path of the program, so whatever input it has ends as before. It is found one symbol at a time, in the order of
//! their names, which need not be the smallest sum.

use lazuli_logic::term::BitOp;
use lazuli_logic::{PathCondition, Sort, Symbol, Term, Verdict};
use lazuli_program::library::LENGTH;

use crate::context::Standing;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::readable::is_character;
use crate::state::State;
use crate::witness::Witness;

/// After so many questions the input stays as it is.
const MAX_QUESTIONS: u32 = 400;
/// Longer arrays are as long as they happen to be.
const MAX_LENGTH: u64 = 8;

/// What is made small, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Reference,
    Length,
    Number,
}

impl<M: HeapModel> Executor<'_, M> {
    /// A small concrete input of an ended path; otherwise as [`Executor::witness`].
    pub fn small_witness(&mut self, state: &State<M::Heap>) -> Result<Witness, String> {
        let path = self.narrowed(&state.path);
        self.witness_of(state, &path)
    }

    fn narrowed(&mut self, path: &PathCondition) -> PathCondition {
        let mut symbols: Vec<Symbol> =
            path.clauses().iter().flat_map(|clause| self.cx.terms.symbols_of(*clause)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut kinds: Vec<(Kind, Symbol)> = symbols.iter().filter_map(|s| Some((self.kind(*s)?, *s))).collect();
        kinds.sort_by_key(|(kind, _)| *kind);
        let mut narrow = Narrow { path: path.clone(), questions: MAX_QUESTIONS };
        for (kind, symbol) in kinds {
            let info = self.cx.terms.symbol_info(symbol);
            let (term, sort) = (info.term, info.sort);
            let is_done = self.smaller(kind, term, sort).into_iter().any(|clause| self.narrow(&mut narrow, clause));
            if let (false, Kind::Number, Sort::Bits(width)) = (is_done, kind, sort) {
                self.narrow_number(&mut narrow, term, width);
            }
        }
        narrow.path
    }

    /// Adds a clause to the path, if it can still be satisfied then; what nobody knows is not asked for.
    fn narrow(&mut self, narrow: &mut Narrow, clause: Term) -> bool {
        if narrow.questions == 0 || self.watch.late().is_some() {
            return false;
        }
        narrow.questions -= 1;
        match self.bystander.extension(&mut self.cx.terms, &narrow.path, clause) {
            Verdict::Sat(extension) => {
                narrow.path.extend(extension);
                true
            }
            Verdict::Unsat | Verdict::Unknown(_) => false,
        }
    }

    /// Finds how near to zero a number can be that is neither 0 nor 1 nor -1.
    fn narrow_number(&mut self, narrow: &mut Narrow, term: Term, width: u8) {
        let mut is_below = |executor: &mut Self, most: u64| {
            let terms = &mut executor.cx.terms;
            let (low, high) = (terms.bits(width, most.wrapping_neg()), terms.bits(width, most));
            let is_above = terms.bit_op(BitOp::SLt, low, term);
            let is_below = terms.bit_op(BitOp::SLt, term, high);
            let clause = terms.and(is_above, is_below);
            executor.narrow(narrow, clause)
        };
        let Some(exponent) = (2..width - 1).find(|exponent| is_below(self, 1 << exponent)) else { return };
        let (mut not, mut most) = (1u64 << (exponent - 1), 1u64 << exponent);
        while most - not > 1 {
            let middle = not + (most - not) / 2;
            match is_below(self, middle) {
                true => most = middle,
                false => not = middle,
            }
        }
    }

    fn kind(&self, symbol: Symbol) -> Option<Kind> {
        let info = self.cx.terms.symbol_info(symbol);
        match (info.sort, self.cx.standing_in_heap(symbol)?) {
            (Sort::Ref, _) if info.unique => None,
            (Sort::Ref, _) => Some(Kind::Reference),
            (Sort::Bits(_) | Sort::Int, Standing::Field(_, LENGTH)) => Some(Kind::Length),
            // They are chosen so that they can be read.
            (Sort::Bits(_), _) if is_character(&self.cx, symbol) => None,
            (Sort::Bits(_) | Sort::Int | Sort::Bool, _) => Some(Kind::Number),
            (Sort::Float(_), _) => Some(Kind::Number),
        }
    }

    /// What is wanted of a symbol, the best first.
    fn smaller(&mut self, kind: Kind, term: Term, sort: Sort) -> Vec<Term> {
        let terms = &mut self.cx.terms;
        let values: Vec<Term> = match (kind, sort) {
            (_, Sort::Bool) => return vec![terms.not(term)],
            (_, Sort::Ref) => vec![Term::NULL],
            (Kind::Length, Sort::Bits(width)) => (0..=MAX_LENGTH).map(|length| terms.bits(width, length)).collect(),
            (_, Sort::Bits(width)) => [0, 1, u64::MAX].into_iter().map(|value| terms.bits(width, value)).collect(),
            (_, Sort::Float(width)) => {
                let bits = |value: f64| if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
                [0.0, 1.0, -1.0].into_iter().map(|value| terms.float(width, bits(value))).collect()
            }
            (_, Sort::Int) => [0, 1, -1, 2, -2, 3, -3].into_iter().map(|number| terms.int(number)).collect(),
        };
        values.into_iter().map(|value| terms.eq(term, value)).collect()
    }
}

/// A path that becomes narrower, and how often that may still be asked.
struct Narrow {
    path: PathCondition,
    questions: u32,
}
