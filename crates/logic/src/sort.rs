//! The sorts of terms, and the numbers of symbols.

/// A free variable of the logic: an unknown input of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The sort of a term. `Int` is unbounded (the tiny languages); `Bits` is fixed-width with wrap-around, `Float` is IEEE 754 of 32
/// or 64 bits (Java).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    Int,
    Bits(u8),
    Float(u8),
    Ref,
}
