//! The functions of `StrictMath` that the engine computes itself, against the real JVM: every bit, on thousands of arguments each.

use crate::java;

use lazuli_lab::random::Random;
use lazuli_logic::strict::strict;

const FUNCTIONS: &[(&str, usize)] = &[
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("atan2", 2),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("expm1", 1),
    ("log", 1),
    ("log10", 1),
    ("log1p", 1),
    ("IEEEremainder", 2),
];

/// Of each function, besides those that are special.
const ARGUMENTS: usize = 5_000;

const SPECIAL: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
    1e22,
    710.4758600739439,
];

/// Of all sizes, and more of those where something happens: near 1, near multiples of π/2, moderate ones.
fn argument(random: &mut Random) -> f64 {
    let bits = random.next();
    let fraction = (bits >> 11) as f64 / (1u64 << 53) as f64;
    match random.below(8) {
        0 | 1 => f64::from_bits(bits),
        2 => fraction * 2.0 - 1.0,
        3 => fraction * 20.0 - 10.0,
        4 => 1.0 + (fraction - 0.5) / (1u64 << random.below(32)) as f64,
        5 => random.below(100_000) as f64 * std::f64::consts::FRAC_PI_2,
        6 => (fraction - 0.5) * 1_600.0,
        _ => (fraction - 0.5) * 2f64.powi(random.below(64) as i32 - 32),
    }
}

fn canonical(value: f64) -> u64 {
    if value.is_nan() { 0x7FF8_0000_0000_0000 } else { value.to_bits() }
}

#[test]
fn strict_math_is_that_of_the_jvm() {
    let mut random = Random(1);
    let mut requests = Vec::new();
    let mut ours = Vec::new();
    for &(name, parameters) in FUNCTIONS {
        for number in 0..ARGUMENTS + SPECIAL.len() {
            let args: Vec<f64> = (0..parameters)
                .map(|parameter| match SPECIAL.get(number) {
                    Some(special) if parameter == 0 || random.one_in(2) => *special,
                    _ => argument(&mut random),
                })
                .collect();
            let texts: Vec<String> = args.iter().map(|arg| format!("d:{:016x}", canonical(*arg))).collect();
            requests.push(format!("java.lang.StrictMath.{name}({})D {}", "D".repeat(parameters), texts.join(" ")));
            let value = strict(name, &args).expect("the function is there");
            ours.push(format!("returned d:{:016x}", canonical(value)));
        }
    }
    let theirs = java::run_on_jvm(&requests);
    let all = requests.iter().zip(ours.iter().zip(&theirs));
    let different: Vec<String> = all
        .filter(|(_, (ours, theirs))| ours != theirs)
        .map(|(request, (ours, theirs))| format!("{request}: {ours}, JVM {theirs}"))
        .collect();
    assert!(different.is_empty(), "{} differ, such as {}", different.len(), different[0]);
}
