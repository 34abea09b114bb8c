//! Ranges of integers: what a group of clauses keeps of the bounds of its symbols. How they are found is in `solver/bounds.rs`.

use std::rc::Rc;

use crate::sort::Symbol;

/// Bounds beyond this are forgotten, so that nothing overflows.
pub(crate) const LARGEST: i64 = 1 << 30;

/// No bound.
pub(crate) const LOW: i64 = i64::MIN;
pub(crate) const HIGH: i64 = i64::MAX;

/// What a group keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The ranges of some of its symbols, which follow from its clauses.
    pub found: Option<Rc<(Vec<Symbol>, Vec<Range>)>>,
    /// A set that contains the symbols whose clauses must be gone through again, see `mask` in `path.rs`; all, if nothing was found yet.
    pub stale: u64,
}

impl Kept {
    /// Adds what is known of another group, whose symbols are in this set.
    pub fn join(&mut self, other: &Kept, symbols: u64) {
        match (&self.found, &other.found) {
            // Of two findings one is enough: the clauses of the other group are gone through again.
            (Some(_), Some(_)) => self.stale |= symbols,
            (_, None) => self.stale |= other.stale,
            (None, found) => {
                self.found = found.clone();
                self.stale |= other.stale;
            }
        }
    }

    /// A clause over some symbols is new.
    pub fn touch(&mut self, symbols: u64) {
        self.stale |= symbols;
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Range {
    pub low: i64,
    pub high: i64,
}

pub(crate) const ALL: Range = Range { low: LOW, high: HIGH };

impl Range {
    pub fn of(value: i64) -> Range {
        Range { low: value, high: value }.kept()
    }

    pub fn plus(self, other: Range) -> Range {
        Range { low: plus(self.low, other.low, LOW), high: plus(self.high, other.high, HIGH) }
    }

    pub fn minus(self, other: Range) -> Range {
        self.plus(other.times(-1))
    }

    pub fn times(self, factor: i64) -> Range {
        if factor == 1 {
            return self;
        }
        if factor.unsigned_abs() > LARGEST as u64 {
            return ALL;
        }
        let times = |bound: i64, opposite: i64| match bound {
            LOW | HIGH if factor < 0 => opposite,
            LOW | HIGH => bound,
            finite => finite * factor,
        };
        let (a, b) = (times(self.low, HIGH), times(self.high, LOW));
        if factor < 0 { Range { low: b, high: a } } else { Range { low: a, high: b } }.kept()
    }

    /// What a number can be that is in the range when it is multiplied.
    pub fn divided(self, factor: i64) -> Range {
        if factor == 1 {
            return self;
        }
        if factor == i64::MIN {
            return ALL;
        }
        if factor < 0 {
            return self.times(-1).divided(-factor);
        }
        let low = if self.low == LOW { LOW } else { -(-self.low).div_euclid(factor) };
        let high = if self.high == HIGH { HIGH } else { self.high.div_euclid(factor) };
        Range { low, high }
    }

    /// Without bounds that are too large to calculate with.
    pub fn kept(self) -> Range {
        let low = if self.low < -LARGEST { LOW } else { self.low.min(LARGEST) };
        let high = if self.high > LARGEST { HIGH } else { self.high.max(-LARGEST) };
        Range { low, high }
    }

    pub fn meets(self, other: Range) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    pub fn hull(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// The sum of two bounds of one side.
pub(crate) fn plus(a: i64, b: i64, none: i64) -> i64 {
    if a == none || b == none {
        return none;
    }
    match a + b {
        sum if none == LOW && sum < -LARGEST => LOW,
        sum if none == HIGH && sum > LARGEST => HIGH,
        sum => sum.clamp(-LARGEST, LARGEST),
    }
}
