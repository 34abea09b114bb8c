//! The choices of one test case, read from a tape of numbers; at its end every choice is the simplest.

use super::meaning::{canonical, pattern};

/// The choices of one test case.
pub struct Tape<'a> {
    rest: &'a [u16],
}

impl<'a> Tape<'a> {
    pub fn new(numbers: &'a [u16]) -> Tape<'a> {
        Tape { rest: numbers }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// A number below `bound`; 0 at the end of the tape.
    pub fn below(&mut self, bound: usize) -> usize {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                *first as usize % bound
            }
            [] => 0,
        }
    }

    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn word(&mut self) -> u64 {
        (0..4).fold(0, |word, _| word << 16 | self.below(1 << 16) as u64)
    }

    /// Often a value at an edge, because that is where operations go wrong.
    pub fn bits(&mut self, width: u8) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let value = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => 1 << (width - 1),
            4 => (1 << (width - 1)) - 1,
            5 => self.below(70) as u64,
            _ => self.word(),
        };
        value & mask
    }

    /// The bit pattern of a number, mostly a special one; NaN is canonical.
    pub fn float(&mut self, width: u8) -> u64 {
        let value = match self.below(24) {
            0 => 0.0,
            1 => -0.0,
            2 => 1.0,
            3 => -1.0,
            4 => f64::NAN,
            5 => f64::INFINITY,
            6 => f64::NEG_INFINITY,
            7 if width == 32 => f32::MAX as f64,
            7 => f64::MAX,
            8 if width == 32 => f32::MIN_POSITIVE as f64,
            8 => f64::MIN_POSITIVE,
            9 if width == 32 => f32::from_bits(1) as f64,
            9 => f64::from_bits(1),
            10 => 0.1,
            11 => -0.5,
            12 => 2147483647.0,
            13 => -2147483648.5,
            14 => 9223372036854775808.0,
            15 => -9223372036854775808.0,
            16 => 1e10,
            17 => 4503599627370497.5,
            18 => 8388609.5,
            19 => self.below(1 << 16) as f64 / 8.0 - 4096.0,
            20 => self.below(9) as f64 - 4.0,
            _ => {
                let bits = self.word();
                return canonical(width, if width == 32 { bits >> 32 } else { bits });
            }
        };
        pattern(width, value)
    }
}
