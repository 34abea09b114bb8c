//! Sets that were put together before. A symbol that is initialised among the same locations has the same set on every path, and
//! many paths come there one after the other.

use lazuli_logic::{Symbol, Term};
use rustc_hash::FxHashMap;

use crate::planted::Planted;

/// What a set depends on.
#[derive(PartialEq)]
pub(super) struct Among {
    pub symbol: Term,
    /// Where the symbol names anything.
    pub guard: Term,
    /// The input locations that it may denote, with their symbols.
    pub others: Vec<(Symbol, u32)>,
    /// Those of objects that exist before the entry.
    pub existing: Vec<u32>,
    /// The location of its own, if it may have one.
    pub own: Option<u32>,
}

/// The sets of the symbols, the newest of each.
#[derive(Default)]
pub(super) struct Sets {
    of: FxHashMap<Term, Vec<(Among, Term, Term)>>,
}

impl Sets {
    /// How many sets of a symbol are kept.
    const MOST: usize = 8;

    /// The set, and the guard under which the symbol denotes an object of its own.
    pub fn find(&self, among: &Among) -> Option<(Term, Term)> {
        // It also looks at the objects of the program.
        if Planted::SummaryAliasesAllocated.here() {
            return None;
        }
        let known = self.of.get(&among.symbol)?.iter().rev().find(|(other, ..)| other == among);
        known.map(|&(_, set, fresh)| (set, fresh))
    }

    pub fn keep(&mut self, among: Among, set: Term, fresh: Term) {
        let kept = self.of.entry(among.symbol).or_default();
        if kept.len() == Sets::MOST {
            kept.remove(0);
        }
        kept.push((among, set, fresh));
    }
}
