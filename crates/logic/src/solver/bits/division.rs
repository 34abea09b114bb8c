//! Division. By a constant it is not computed but said: there are a quotient and a remainder with `a = q·c + r`, two
//! additions or so, where a divider would have a subtraction for every bit. Quotient and remainder come together: who
//! has both in a query pays once.

use super::circuit::{Circuit, FALSE, Lit, TRUE};
use super::words::{Word, as_constant, complement, constant};

/// A quotient and a remainder.
pub type Division = (Word, Word);

impl Circuit {
    /// Of numbers without sign.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> Division {
        match as_constant(b) {
            Some(c) if c > 1 && !c.is_power_of_two() => self.divide_by_constant(a, c),
            _ => self.divide_stepwise(a, b),
        }
    }

    /// Division that rounds towards zero; the remainder has the sign of the dividend.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> Division {
        let width = a.len();
        if let Some(c) = as_constant(b) {
            let unused = 64 - width as u32;
            let magnitude = (((c << unused) as i64) >> unused).unsigned_abs();
            if magnitude > 1 && !magnitude.is_power_of_two() {
                let (quotient, remainder) = self.divide_signed_by_constant(a, magnitude);
                return (self.negate_if(b[width - 1], &quotient), remainder);
            }
        }
        let (sign_a, sign_b) = (a[width - 1], b[width - 1]);
        let (magnitude_a, magnitude_b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let (quotient, remainder) = self.divide_stepwise(&magnitude_a, &magnitude_b);
        let negative = self.xor(sign_a, sign_b);
        (self.negate_if(negative, &quotient), self.negate_if(sign_a, &remainder))
    }

    /// `a = q·c + r` with `0 ≤ r < c`, in so many bits that nothing is lost: `c` is more than `2^k`, so that `q` has `width − k` bits,
    /// and `q·c` fewer than two more than the width.
    fn divide_by_constant(&mut self, a: &[Lit], c: u64) -> Division {
        let width = a.len();
        let bits = c.ilog2() as usize + 1;
        let (quotient, remainder) = (self.unknown(width - bits + 1), self.unknown(bits));
        let whole = resized(a, width + 2, FALSE);
        self.compose(&whole, &resized(&quotient, width + 2, FALSE), c, &resized(&remainder, width + 2, FALSE));
        let fits = self.less(&remainder, &constant(bits as u8, c));
        self.constrain(&[fits]);
        (resized(&quotient, width, FALSE), resized(&remainder, width, FALSE))
    }

    /// Likewise with signs: `|r| < c`, and `r` is 0 or has the sign of `a`.
    fn divide_signed_by_constant(&mut self, a: &[Lit], c: u64) -> Division {
        let width = a.len();
        let bits = c.ilog2() as usize + 1;
        let (quotient, remainder) = (self.unknown(width - bits + 1), self.unknown(bits + 1));
        let signed = |word: &[Lit], width: usize| resized(word, width, word[word.len() - 1]);
        let whole = signed(a, width + 2);
        self.compose(&whole, &signed(&quotient, width + 2), c, &signed(&remainder, width + 2));
        let bound = constant(bits as u8 + 1, c);
        let below = self.less_signed(&remainder, &bound);
        let negative = self.negate_if(TRUE, &bound);
        let above = self.less_signed(&negative, &remainder);
        self.constrain(&[below]);
        self.constrain(&[above]);
        let (sign, is_negative) = (a[width - 1], remainder[bits]);
        self.constrain(&[-is_negative, sign]);
        for &bit in &remainder[..bits] {
            self.constrain(&[-sign, is_negative, -bit]);
        }
        (signed(&quotient, width), signed(&remainder, width))
    }

    /// Says that `whole = quotient·c + remainder`.
    fn compose(&mut self, whole: &[Lit], quotient: &[Lit], c: u64, remainder: &[Lit]) {
        let product = self.multiply_constant(quotient, c);
        let sum = self.add(&product, remainder, FALSE).0;
        for (&x, &y) in sum.iter().zip(whole) {
            self.constrain(&[-x, y]);
            self.constrain(&[x, -y]);
        }
    }

    /// A word that nothing is known of.
    fn unknown(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input(false)).collect()
    }

    /// Restoring division. After `k` steps the remainder has at most `k` bits, so the
    /// subtracters grow with the steps. A divisor of zero is always subtracted: quotient all ones, remainder the
    /// dividend.
    fn divide_stepwise(&mut self, a: &[Lit], b: &[Lit]) -> Division {
        let width = a.len();
        let mut quotient = vec![FALSE; width];
        let mut remainder: Word = Vec::with_capacity(width);
        // rest_is_zero[k]: the divisor has no bit at k or above.
        let mut rest_is_zero = vec![TRUE; width + 1];
        for k in (0..width).rev() {
            rest_is_zero[k] = self.and(rest_is_zero[k + 1], -b[k]);
        }
        for step in 1..=width {
            remainder.insert(0, a[width - step]);
            let (difference, no_borrow) = self.add(&remainder, &complement(&b[..step]), TRUE);
            let fits = self.and(no_borrow, rest_is_zero[step]);
            quotient[width - step] = fits;
            remainder = self.choose(fits, &difference, &remainder);
        }
        // Implied, but no solver sees it through so many steps: the remainder is less than the divisor, and not more than the
        // dividend.
        if as_constant(b).is_none() {
            let is_less = self.less(&remainder, b);
            self.constrain(&[is_less, rest_is_zero[0]]);
            let is_more = self.less(a, &remainder);
            self.constrain(&[-is_more]);
        }
        (quotient, remainder)
    }
}

/// A word of another width, filled up with a bit.
fn resized(word: &[Lit], width: usize, fill: Lit) -> Word {
    let mut word = word.to_vec();
    word.resize(width, fill);
    word
}
