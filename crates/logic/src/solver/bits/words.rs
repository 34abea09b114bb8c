//! Arithmetic on words: the circuits of every bit-vector operation, least significant bit first.
//!
//! The meaning is that of `apply_bits`: division by zero and over-long shifts follow SMT-LIB. Constants hardly need cases
//! of their own here, because the gates fold them: dividing by a power of two leaves wires, comparing with a constant
//! leaves a chain of conjunctions. `division` divides.

use super::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::term::BitOp;

pub type Word = Vec<Lit>;

/// The word of a constant.
pub fn constant(width: u8, value: u64) -> Word {
    (0..width).map(|i| if value >> i & 1 == 1 { TRUE } else { FALSE }).collect()
}

/// The value of a word whose bits are all constants.
pub fn as_constant(word: &[Lit]) -> Option<u64> {
    let mut value = 0;
    for (i, &bit) in word.iter().enumerate() {
        match bit {
            TRUE => value |= 1 << i,
            FALSE => {}
            _ => return None,
        }
    }
    Some(value)
}

pub fn complement(word: &[Lit]) -> Word {
    word.iter().map(|l| -l).collect()
}

/// How many of the highest bits of a word are the same: more than one, if it is a narrower number that was extended.
fn sign_bits(word: &[Lit]) -> usize {
    let sign = word[word.len() - 1];
    word.iter().rev().take_while(|bit| **bit == sign).count()
}

/// Whether an operation is so large a circuit that it belongs under a guard. Divisions always are.
pub fn is_large(op: BitOp, a: &[Lit], b: &[Lit]) -> bool {
    op == BitOp::Mul && as_constant(a).is_none() && as_constant(b).is_none()
}

impl Circuit {
    /// An operation of two words that gives a word.
    pub fn word_op(&mut self, op: BitOp, a: &[Lit], b: &[Lit]) -> Word {
        match op {
            BitOp::Add => self.add(a, b, FALSE).0,
            BitOp::Sub => self.subtract(a, b),
            BitOp::Mul => self.multiply(a, b),
            BitOp::UDiv | BitOp::URem | BitOp::SDiv | BitOp::SRem => {
                unreachable!("a division gives two words: see `division`")
            }
            BitOp::Shl => {
                let reversed: Word = a.iter().rev().copied().collect();
                let mut shifted = self.shift_right(&reversed, b, FALSE);
                shifted.reverse();
                shifted
            }
            BitOp::LShr => self.shift_right(a, b, FALSE),
            BitOp::AShr => self.shift_right(a, b, a[a.len() - 1]),
            BitOp::And => self.bitwise(a, b, Circuit::and),
            BitOp::Or => self.bitwise(a, b, Circuit::or),
            BitOp::Xor => self.bitwise(a, b, Circuit::xor),
            BitOp::SLt | BitOp::ULt => unreachable!("a comparison gives no word"),
        }
    }

    fn bitwise(&mut self, a: &[Lit], b: &[Lit], gate: impl Fn(&mut Circuit, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(&x, &y)| gate(self, x, y)).collect()
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let differ = self.bitwise(a, b, Circuit::xor);
        self.all(&complement(&differ))
    }

    /// `a < b`, unsigned: `a − b` borrows.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.carry(&complement(a), b, FALSE)
    }

    /// `a < b`, signed: the same with the sign bits exchanged.
    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        let sign = a.len() - 1;
        std::mem::swap(&mut a[sign], &mut b[sign]);
        self.less(&a, &b)
    }

    pub fn choose(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.mux(condition, x, y)).collect()
    }

    fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add(a, &complement(b), TRUE).0
    }

    /// `−word` if the condition holds, else the word.
    pub fn negate_if(&mut self, condition: Lit, word: &[Lit]) -> Word {
        let flipped: Word = word.iter().map(|&l| self.xor(l, condition)).collect();
        self.add(&flipped, &vec![FALSE; word.len()], condition).0
    }

    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        if let Some(value) = as_constant(a) {
            return self.multiply_constant(b, value);
        }
        if let Some(value) = as_constant(b) {
            return self.multiply_constant(a, value);
        }
        let (a, b) = if sign_bits(a) > sign_bits(b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut sum = vec![FALSE; width];
        // The bits of `b` from the first sign bit on are all the same: together they are worth −2^sign of it.
        let sign = width - sign_bits(b);
        for (i, &digit) in b[..sign].iter().enumerate() {
            let row: Word = a[..width - i].iter().map(|&x| self.and(x, digit)).collect();
            let upper = self.add(&sum[i..], &row, FALSE).0;
            sum.splice(i.., upper);
        }
        let row: Word = a[..width - sign].iter().map(|&x| self.and(x, b[sign])).collect();
        let upper = self.subtract(&sum[sign..], &row);
        sum.splice(sign.., upper);
        sum
    }

    /// One addition or subtraction for every digit of the constant's non-adjacent form, which is the shortest.
    pub fn multiply_constant(&mut self, word: &[Lit], value: u64) -> Word {
        let width = word.len();
        let mut sum = vec![FALSE; width];
        let mut rest = value as u128;
        for i in 0..width {
            if rest & 1 == 1 {
                let (row, carry, next) = if rest & 3 == 3 {
                    (complement(&word[..width - i]), TRUE, rest + 1)
                } else {
                    (word[..width - i].to_vec(), FALSE, rest - 1)
                };
                let upper = self.add(&sum[i..], &row, carry).0;
                sum.splice(i.., upper);
                rest = next;
            }
            rest >>= 1;
        }
        sum
    }

    /// A barrel shifter: one row of choices for every bit of the amount that can matter, and `fill` beyond.
    fn shift_right(&mut self, word: &[Lit], amount: &[Lit], fill: Lit) -> Word {
        let width = word.len();
        let mut shifted = word.to_vec();
        let mut row = 0;
        while row < amount.len() && 1 << row < width {
            let distance = 1 << row;
            let moved: Word = (0..width).map(|i| shifted.get(i + distance).copied().unwrap_or(fill)).collect();
            shifted = self.choose(amount[row], &moved, &shifted);
            row += 1;
        }
        let too_far = self.any(&amount[row..]);
        let filled = vec![fill; width];
        self.choose(too_far, &filled, &shifted)
    }
}
