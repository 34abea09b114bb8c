//! How tightly Java's operators bind: what is needed to write an expression with no more parentheses than it takes.

pub const TERNARY: u8 = 0;
pub const OR: u8 = 1;
pub const AND: u8 = 2;
/// `&`, `|` and `^` alike: where one stands in another a reader wants to see it.
pub const BITWISE: u8 = 3;
pub const COMPARE: u8 = 5;
pub const SHIFT: u8 = 7;
pub const SUM: u8 = 8;
pub const PRODUCT: u8 = 9;
pub const UNARY: u8 = 10;
pub const ATOM: u8 = 12;

/// An expression whose outermost operator has this strength, as an operand of one that binds as tightly as `around`.
pub fn within(text: &str, strength: u8, around: u8) -> String {
    if strength < around { format!("({text})") } else { text.to_string() }
}
