//! A term as a word, and the constants that live in it.

use std::fmt;
use std::num::NonZeroU64;

use crate::sort::Symbol;

/// One word: a small constant, or the index of a node in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(NonZeroU64);

const TAG_BITS: u32 = 3;
pub(super) const POOLED: u64 = 1;
pub(super) const BOOL: u64 = 2;
pub(super) const INT: u64 = 3;
pub(super) const BITS: u64 = 4;
const NULL: u64 = 5;
const LOCATION: u64 = 6;
pub(super) const FLOAT: u64 = 7;

/// A bit-vector keeps its width less one in these bits, and its signed value above them.
const WIDTH_BITS: u32 = 6;

/// The range of integers that fit into the word.
pub(crate) const SMALL_INT: std::ops::RangeInclusive<i64> = -(1 << 60)..=((1 << 60) - 1);

impl Term {
    pub const TRUE: Term = Term::tagged(BOOL, 1);
    pub const FALSE: Term = Term::tagged(BOOL, 0);
    pub const NULL: Term = Term::tagged(NULL, 0);

    #[inline]
    const fn tagged(tag: u64, payload: u64) -> Term {
        match NonZeroU64::new(payload << TAG_BITS | tag) {
            Some(word) => Term(word),
            None => unreachable!(),
        }
    }

    #[inline]
    pub(super) const fn tag(self) -> u64 {
        self.0.get() & ((1 << TAG_BITS) - 1)
    }

    #[inline]
    pub(super) const fn payload(self) -> u64 {
        self.0.get() >> TAG_BITS
    }

    #[inline]
    pub fn bool(value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// The object that the program allocated as its `n`-th (or, in concrete heaps, the `n`-th object).
    #[inline]
    pub fn location(n: u32) -> Term {
        Term::tagged(LOCATION, n as u64)
    }

    /// The input object that a symbol names. The symbol need not denote it: it does, if it is the first to denote its object.
    pub fn object(symbol: Symbol) -> Term {
        Term::tagged(NULL, symbol.0 as u64 + 1)
    }

    pub(crate) fn small_int(value: i64) -> Term {
        debug_assert!(SMALL_INT.contains(&value));
        Term::tagged(INT, value as u64 & (u64::MAX >> TAG_BITS))
    }

    /// The bit-vector `value` (without bits beyond its width), if its signed value fits into the word: always, up to a width
    /// of 55 bits.
    pub(crate) fn small_bits(width: u8, value: u64) -> Option<Term> {
        let unused = 64 - width as u32;
        let signed = ((value << unused) as i64) >> unused;
        let word = (signed << (TAG_BITS + WIDTH_BITS)) as u64;
        let fits = (word as i64) >> (TAG_BITS + WIDTH_BITS) == signed;
        fits.then(|| Term::tagged(BITS, word >> TAG_BITS | (width as u64 - 1)))
    }

    /// The floating-point number with this (canonical) bit pattern, if it fits into the word.
    pub(crate) fn small_float(width: u8, bits: u64) -> Option<Term> {
        match width {
            32 => Some(Term::tagged(FLOAT, bits << 1)),
            _ => (bits & 15 == 0).then(|| Term::tagged(FLOAT, bits >> 3 | 1)),
        }
    }

    #[inline]
    pub(crate) fn pooled(index: usize) -> Term {
        Term::tagged(POOLED, index as u64)
    }

    /// The node's place in the pool; `None` for a constant that lives in the word.
    #[inline]
    pub fn index(self) -> Option<usize> {
        (self.tag() == POOLED).then(|| self.payload() as usize)
    }

    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        (self.tag() == BOOL).then(|| self.payload() == 1)
    }

    #[inline]
    pub fn as_location(self) -> Option<u32> {
        (self.tag() == LOCATION).then(|| self.payload() as u32)
    }

    #[inline]
    pub fn as_object(self) -> Option<Symbol> {
        (self.tag() == NULL && !self.is_null()).then(|| Symbol(self.payload() as u32 - 1))
    }

    #[inline]
    pub(crate) fn as_small_int(self) -> Option<i64> {
        (self.tag() == INT).then(|| (self.0.get() as i64) >> TAG_BITS)
    }

    #[inline]
    pub(crate) fn as_small_bits(self) -> Option<(u8, u64)> {
        (self.tag() == BITS).then(|| {
            let signed = (self.0.get() as i64) >> (TAG_BITS + WIDTH_BITS);
            (self.width(), signed as u64 & (u64::MAX >> (64 - self.width() as u32)))
        })
    }

    pub(crate) fn as_small_float(self) -> Option<(u8, u64)> {
        (self.tag() == FLOAT).then(|| match self.payload() & 1 {
            0 => (32, self.payload() >> 1),
            _ => (64, self.payload() >> 1 << 4),
        })
    }

    /// The width of a bit-vector that lives in the word.
    #[inline]
    pub(super) const fn width(self) -> u8 {
        (self.payload() & ((1 << WIDTH_BITS) - 1)) as u8 + 1
    }

    #[inline]
    pub fn is_null(self) -> bool {
        self == Term::NULL
    }

    /// A number that no other term has.
    #[inline]
    pub fn number(self) -> u64 {
        self.0.get()
    }

    /// A number that depends on two terms, and hardly on anything in common.
    pub(crate) fn hashed(self, other: Term) -> usize {
        let mixed = (self.0.get() ^ other.0.get().rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 48) as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tag() {
            POOLED => write!(f, "#{}", self.payload()),
            BOOL => write!(f, "{}", self.payload() == 1),
            INT => write!(f, "{}", self.as_small_int().unwrap()),
            BITS => write!(f, "{:?}", self.as_small_bits().unwrap()),
            FLOAT => write!(f, "{:?}", self.as_small_float().unwrap()),
            NULL => match self.as_object() {
                Some(symbol) => write!(f, "o{}", symbol.0),
                None => write!(f, "null"),
            },
            _ => write!(f, "l{}", self.payload()),
        }
    }
}
