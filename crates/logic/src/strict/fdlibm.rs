//! The functions of `StrictMath` that the crate `libm` computes otherwise than Java in the last bit: those of the library that Java's specification
//! names, fdlibm 5.3, from which this is translated. `tests/java_math.rs` compares both with a JVM.
//!
//! Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft, a Sun Microsystems, Inc. business.
//! Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

// The constants are written with the digits that the library has; ranges are told apart by their upper ends.
#![allow(clippy::excessive_precision, clippy::match_overlapping_arm)]

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LOG10_E, PI};

const TWO_54: f64 = (1u64 << 54) as f64;
const LN2_HI: f64 = 6.931_471_803_691_238_16e-01;
const LN2_LO: f64 = 1.908_214_929_270_587_70e-10;

/// The upper half of a number's bits.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits((high as u32 as u64) << 32 | x.to_bits() & 0xFFFF_FFFF)
}

/// The upper half without the sign.
fn magnitude(x: f64) -> i32 {
    high(x) & 0x7FFF_FFFF
}

pub(super) fn sin(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    if magnitude(x) <= 0x3FE9_21FB {
        return sin_kernel(x, None);
    }
    let (n, y, tail) = reduce(x);
    match n & 3 {
        0 => sin_kernel(y, Some(tail)),
        1 => cos_kernel(y, tail),
        2 => -sin_kernel(y, Some(tail)),
        _ => -cos_kernel(y, tail),
    }
}

pub(super) fn cos(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    if magnitude(x) <= 0x3FE9_21FB {
        return cos_kernel(x, 0.0);
    }
    let (n, y, tail) = reduce(x);
    match n & 3 {
        0 => cos_kernel(y, tail),
        1 => -sin_kernel(y, Some(tail)),
        2 => -cos_kernel(y, tail),
        _ => sin_kernel(y, Some(tail)),
    }
}

/// The sine of a number below π/4, with what is behind its last bit.
fn sin_kernel(x: f64, tail: Option<f64>) -> f64 {
    const S: [f64; 6] = [
        -1.666_666_666_666_663_24e-01,
        8.333_333_333_322_489_46e-03,
        -1.984_126_982_985_794_93e-04,
        2.755_731_370_707_006_77e-06,
        -2.505_076_025_340_686_34e-08,
        1.589_690_995_211_550_10e-10,
    ];
    if magnitude(x) < 0x3E40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])));
    match tail {
        None => x + v * (S[0] + z * r),
        Some(y) => x - ((z * (0.5 * y - v * r) - y) - v * S[0]),
    }
}

fn cos_kernel(x: f64, y: f64) -> f64 {
    const C: [f64; 6] = [
        4.166_666_666_666_660_19e-02,
        -1.388_888_888_887_410_96e-03,
        2.480_158_728_947_672_94e-05,
        -2.755_731_435_139_066_33e-07,
        2.087_572_321_298_174_83e-09,
        -1.135_964_755_778_819_48e-11,
    ];
    let size = magnitude(x);
    if size < 0x3E40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5])))));
    if size < 0x3FD3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let quarter = if size > 0x3FE9_0000 { 0.28125 } else { with_high(0.0, size - 0x0020_0000) };
    let rest = 0.5 * z - quarter;
    (1.0 - quarter) - (rest - (z * r - x * y))
}

/// The remainder of a division by π/2 in two numbers, and the quotient modulo 4 or more.
fn reduce(x: f64) -> (i32, f64, f64) {
    let (n, y, tail) = match magnitude(x) {
        size if size <= 0x4139_21FB => reduce_medium(x.abs(), size),
        _ => reduce_large(x.abs()),
    };
    if x < 0.0 { (-n, -y, -tail) } else { (n, y, tail) }
}

/// π/2 in parts of 33 bits, and what is left after each.
const PARTS: [(f64, f64); 3] = [
    (1.570_796_326_734_125_614_17e+00, 6.077_100_506_506_192_249_32e-11),
    (6.077_100_506_303_965_976_60e-11, 2.022_266_248_795_950_631_54e-21),
    (2.022_266_248_711_166_455_80e-21, 8.478_427_660_368_899_569_97e-32),
];

fn reduce_medium(x: f64, size: i32) -> (i32, f64, f64) {
    let n = (x * (2.0 / PI) + 0.5) as i32;
    let count = n as f64;
    let mut r = x - count * PARTS[0].0;
    let mut w = count * PARTS[0].1;
    let mut y = r - w;
    // What is lost by cancellation is fetched from the next parts.
    let close = n >= 32 || size == high(count * FRAC_PI_2);
    let exponents = |y: f64| (size >> 20) - (high(y) >> 20 & 0x7FF);
    for ((part, rest), lost) in PARTS[1..].iter().zip([16, 49]) {
        if close && exponents(y) > lost {
            let before = r;
            w = count * part;
            r = before - w;
            w = count * rest - ((before - r) - w);
            y = r - w;
        }
    }
    (n, y, (r - y) - w)
}

/// The first 1,584 bits of 2/π.
const TWO_OVER_PI: [u32; 66] = [
    0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163, 0xABDEBB, 0xC561B7,
    0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129, 0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C,
    0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C, 0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F, 0xEF2F11,
    0x8B5A0A, 0x6D1F6D, 0x367ECF, 0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7,
    0x8A5292, 0xEA6BFB, 0x5FB11F, 0x8D5D08, 0x560330, 0x46FC7B, 0x6BABF0, 0xCFBC20, 0x9AF436, 0x1DA9E3, 0x91615E,
    0xE61B08, 0x659985, 0x5F14A0, 0x68408D, 0xFFD880, 0x4D7327, 0x310606, 0x1556CA, 0x73A8C9, 0x60E27B, 0xC08C6B,
];

/// π/2 in parts of 24 bits.
const HALF_PI: [f64; 5] = [
    1.570_796_251_296_997_070_31e+00,
    7.549_789_415_861_596_353_35e-08,
    5.390_302_529_957_764_765_54e-15,
    3.282_003_415_807_912_941_23e-22,
    1.270_655_753_080_676_073_49e-29,
];

/// Words of 2/π that are taken at first, less one.
const WORDS: usize = 4;
const TWO_24: f64 = (1 << 24) as f64;

/// The product with those bits of 2/π that matter, in words of 24 bits; without its integer part, times π/2.
fn reduce_large(x: f64) -> (i32, f64, f64) {
    let exponent = (high(x) >> 20) - 1046;
    let mut z = with_high(x, high(x) - (exponent << 20));
    let mut parts = [0.0; 3];
    for part in &mut parts {
        *part = z.trunc();
        z = (z - *part) * TWO_24;
    }
    let first = ((exponent - 3) / 24).max(0);
    let power = exponent - 24 * (first + 1);
    let word = |at: i32| if at < 0 { 0.0 } else { TWO_OVER_PI[at as usize] as f64 };
    let last = parts.iter().rposition(|part| *part != 0.0).unwrap_or(0);
    let term = |at: usize| (0..=last).fold(0.0, |sum, j| sum + parts[j] * word(first + at as i32 - j as i32));
    let mut terms: Vec<f64> = (0..=WORDS).map(term).collect();
    loop {
        let fraction = Fraction::of(&terms, power);
        // Where nothing is left of the words, more of them are needed.
        if fraction.top == 0.0 && fraction.words[WORDS..].iter().all(|word| *word == 0) {
            let needed = 1 + fraction.words[..WORDS].iter().rev().take_while(|word| **word == 0).count();
            terms.extend((terms.len()..terms.len() + needed).map(term));
            continue;
        }
        let (quotient, negative) = (fraction.quotient, fraction.negative);
        let (y, tail) = fraction.times_half_pi(power);
        return if negative { (quotient, -y, -tail) } else { (quotient, y, tail) };
    }
}

/// What is behind the point of a product.
struct Fraction {
    quotient: i32,
    /// 24 bits each, the lowest first.
    words: Vec<i32>,
    /// What is above them.
    top: f64,
    /// It was more than a half; now it is what is missing to the next quotient.
    negative: bool,
}

impl Fraction {
    /// Of a sum whose terms are 24 bits apart, the highest first, with this power of two.
    fn of(terms: &[f64], power: i32) -> Fraction {
        let last = terms.len() - 1;
        let mut words = Vec::new();
        let mut z = terms[last];
        for term in terms[..last].iter().rev() {
            let carried = (z / TWO_24).trunc();
            words.push((z - TWO_24 * carried) as i32);
            z = term + carried;
        }
        z = libm::scalbn(z, power);
        z -= 8.0 * (z * 0.125).floor();
        let mut quotient = z as i32;
        z -= quotient as f64;
        let highest = &mut words[last - 1];
        let above_half = match power {
            1.. => {
                let bits = *highest >> (24 - power);
                quotient += bits;
                *highest -= bits << (24 - power);
                *highest >> (23 - power) != 0
            }
            0 => *highest >> 23 != 0,
            _ => z >= 0.5,
        };
        let mut fraction = Fraction { quotient, words, top: z, negative: above_half };
        if above_half {
            fraction.complement(power);
        }
        fraction
    }

    fn complement(&mut self, power: i32) {
        self.quotient += 1;
        let mut carry = false;
        for word in &mut self.words {
            match carry {
                true => *word = 0xFF_FFFF - *word,
                false if *word != 0 => (*word, carry) = (0x100_0000 - *word, true),
                false => {}
            }
        }
        if power > 0 {
            let highest = self.words.last_mut().expect("there are words");
            *highest &= 0xFF_FFFF >> power;
        }
        if power < 0 {
            self.top = 1.0 - self.top - if carry { libm::scalbn(1.0, power) } else { 0.0 };
        }
    }

    /// In two numbers.
    fn times_half_pi(mut self, mut power: i32) -> (f64, f64) {
        if self.top == 0.0 {
            power -= 24;
            while self.words.pop_if(|word| *word == 0).is_some() {
                power -= 24;
            }
        } else {
            let z = libm::scalbn(self.top, -power);
            if z >= TWO_24 {
                let upper = (z / TWO_24).trunc();
                self.words.extend([(z - TWO_24 * upper) as i32, upper as i32]);
                power += 24;
            } else {
                self.words.push(z as i32);
            }
        }
        let mut scale = libm::scalbn(1.0, power);
        let mut values = vec![0.0; self.words.len()];
        for (value, word) in values.iter_mut().zip(&self.words).rev() {
            *value = scale * *word as f64;
            scale /= TWO_24;
        }
        // The parts of the product, the highest first.
        let part = |at: usize| HALF_PI.iter().zip(&values[at..]).fold(0.0, |sum, (pi, value)| sum + pi * value);
        let parts: Vec<f64> = (0..values.len()).rev().map(part).collect();
        let y = parts.iter().rev().fold(0.0, |sum, part| sum + part);
        let tail = parts[1..].iter().fold(parts[0] - y, |sum, part| sum + part);
        (y, tail)
    }
}

const LG: [f64; 7] = [
    6.666_666_666_666_735_13e-01,
    3.999_999_999_940_941_91e-01,
    2.857_142_874_366_239_15e-01,
    2.222_219_843_214_978_40e-01,
    1.818_357_216_161_805_01e-01,
    1.531_383_769_920_937_33e-01,
    1.479_819_860_511_658_59e-01,
];

/// A positive number that is not too small as a power of two and what is left; `None` if it has no logarithm that is a number.
fn normal(x: f64) -> Result<(i32, f64), f64> {
    match x {
        _ if x == 0.0 => Err(f64::NEG_INFINITY),
        _ if x < 0.0 || x.is_nan() => Err(f64::NAN),
        _ if x == f64::INFINITY => Err(x),
        _ if high(x) < 0x0010_0000 => Ok((-54, x * TWO_54)),
        _ => Ok((0, x)),
    }
}

pub(super) fn log(x: f64) -> f64 {
    let (mut k, x) = match normal(x) {
        Ok(normal) => normal,
        Err(answer) => return answer,
    };
    let mut hx = high(x);
    k += (hx >> 20) - 1023;
    hx &= 0x000F_FFFF;
    let i = (hx + 0x95F64) & 0x0010_0000;
    let x = with_high(x, hx | i ^ 0x3FF0_0000);
    k += i >> 20;
    let f = x - 1.0;
    let dk = k as f64;
    if 0x000F_FFFF & (2 + hx) < 3 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * LN2_HI + dk * LN2_LO };
        }
        let r = f * f * (0.5 - 0.333_333_333_333_333_33 * f);
        return if k == 0 { f - r } else { dk * LN2_HI - ((r - dk * LN2_LO) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (LG[1] + w * (LG[3] + w * LG[5]));
    let t2 = z * (LG[0] + w * (LG[2] + w * (LG[4] + w * LG[6])));
    let r = t2 + t1;
    if (hx - 0x6147A) | (0x6B851 - hx) > 0 {
        let half_square = 0.5 * f * f;
        match k {
            0 => f - (half_square - s * (half_square + r)),
            _ => dk * LN2_HI - ((half_square - (s * (half_square + r) + dk * LN2_LO)) - f),
        }
    } else {
        match k {
            0 => f - s * (f - r),
            _ => dk * LN2_HI - ((s * (f - r) - dk * LN2_LO) - f),
        }
    }
}

pub(super) fn log10(x: f64) -> f64 {
    let (mut k, x) = match normal(x) {
        Ok(normal) => normal,
        Err(answer) => return answer,
    };
    let hx = high(x);
    k += (hx >> 20) - 1023;
    let i = (k < 0) as i32;
    let x = with_high(x, hx & 0x000F_FFFF | (0x3FF - i) << 20);
    let y = (k + i) as f64;
    let z = y * 3.694_239_077_158_930_79e-13 + LOG10_E * log(x);
    z + y * 3.010_299_956_636_117_71e-01
}

pub(super) fn log1p(x: f64) -> f64 {
    let (hx, size) = (high(x), magnitude(x));
    let (mut k, mut f, mut hu, mut c) = (1, 0.0, 1, 0.0);
    if hx < 0x3FDA_827A {
        if size >= 0x3FF0_0000 {
            return if x == -1.0 { f64::NEG_INFINITY } else { f64::NAN };
        }
        if size < 0x3E20_0000 {
            return if size < 0x3C90_0000 { x } else { x - x * x * 0.5 };
        }
        if hx > 0 || hx <= 0xBFD2_BEC3_u32 as i32 {
            (k, f) = (0, x);
        }
    }
    if hx >= 0x7FF0_0000 {
        return x + x;
    }
    if k != 0 {
        let mut u = if hx < 0x4340_0000 { 1.0 + x } else { x };
        hu = high(u);
        k = (hu >> 20) - 1023;
        if hx < 0x4340_0000 {
            c = if k > 0 { 1.0 - (u - x) } else { x - (u - 1.0) };
            c /= u;
        }
        hu &= 0x000F_FFFF;
        if hu < 0x6A09E {
            u = with_high(u, hu | 0x3FF0_0000);
        } else {
            k += 1;
            u = with_high(u, hu | 0x3FE0_0000);
            hu = (0x0010_0000 - hu) >> 2;
        }
        f = u - 1.0;
    }
    let dk = k as f64;
    let half_square = 0.5 * f * f;
    if hu == 0 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * LN2_HI + (c + dk * LN2_LO) };
        }
        let r = half_square * (1.0 - 0.666_666_666_666_666_66 * f);
        return if k == 0 { f - r } else { dk * LN2_HI - ((r - (dk * LN2_LO + c)) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * (LG[0] + z * (LG[1] + z * (LG[2] + z * (LG[3] + z * (LG[4] + z * (LG[5] + z * LG[6]))))));
    match k {
        0 => f - (half_square - s * (half_square + r)),
        _ => dk * LN2_HI - ((half_square - (s * (half_square + r) + (dk * LN2_LO + c))) - f),
    }
}

/// Beyond it, the hyperbolic functions are infinite.
fn overflows(x: f64) -> bool {
    x.abs().to_bits() > 0x4086_33CE_8FB9_F87D
}

pub(super) fn sinh(x: f64) -> f64 {
    let size = magnitude(x);
    let half = if x < 0.0 { -0.5 } else { 0.5 };
    match size {
        _ if !x.is_finite() => x,
        ..0x3E30_0000 => x,
        ..0x4036_0000 => {
            let t = libm::expm1(x.abs());
            if size < 0x3FF0_0000 { half * (2.0 * t - t * t / (t + 1.0)) } else { half * (t + t / (t + 1.0)) }
        }
        ..0x4086_2E42 => half * libm::exp(x.abs()),
        _ if overflows(x) => x * f64::INFINITY,
        _ => {
            let w = libm::exp(0.5 * x.abs());
            half * w * w
        }
    }
}

pub(super) fn cosh(x: f64) -> f64 {
    match magnitude(x) {
        _ if !x.is_finite() => x * x,
        size @ ..0x3FD6_2E43 => {
            let t = libm::expm1(x.abs());
            let w = 1.0 + t;
            if size < 0x3C80_0000 { w } else { 1.0 + (t * t) / (w + w) }
        }
        ..0x4036_0000 => {
            let t = libm::exp(x.abs());
            0.5 * t + 0.5 / t
        }
        ..0x4086_2E42 => 0.5 * libm::exp(x.abs()),
        _ if overflows(x) => f64::INFINITY,
        _ => {
            let w = libm::exp(0.5 * x.abs());
            0.5 * w * w
        }
    }
}

pub(super) fn tanh(x: f64) -> f64 {
    let z = match magnitude(x) {
        _ if x.is_nan() => return x,
        ..0x3C80_0000 => return x * (1.0 + x),
        ..0x3FF0_0000 => {
            let t = libm::expm1(-2.0 * x.abs());
            -t / (t + 2.0)
        }
        ..0x4036_0000 => 1.0 - 2.0 / (libm::expm1(2.0 * x.abs()) + 2.0),
        _ => 1.0,
    };
    if x < 0.0 { -z } else { z }
}

pub(super) fn atan2(y: f64, x: f64) -> f64 {
    const PI_LO: f64 = 1.224_646_799_147_353_18e-16;
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == 1.0 {
        return libm::atan(y);
    }
    let (left, signed) = (x.is_sign_negative(), |value: f64| value.copysign(y));
    if y == 0.0 {
        return if left { signed(PI) } else { y };
    }
    if x == 0.0 {
        return signed(FRAC_PI_2);
    }
    match (x.is_infinite(), y.is_infinite()) {
        (true, true) => return signed(if left { 3.0 * FRAC_PI_4 } else { FRAC_PI_4 }),
        (true, false) => return signed(if left { PI } else { 0.0 }),
        (false, true) => return signed(FRAC_PI_2),
        (false, false) => {}
    }
    let k = (magnitude(y) - magnitude(x)) >> 20;
    let z = match k {
        61.. => FRAC_PI_2 + 0.5 * PI_LO,
        ..-60 if left => 0.0,
        _ => libm::atan((y / x).abs()),
    };
    match (left, y.is_sign_negative()) {
        (false, false) => z,
        (false, true) => -z,
        (true, false) => PI - (z - PI_LO),
        (true, true) => (z - PI_LO) - PI,
    }
}
