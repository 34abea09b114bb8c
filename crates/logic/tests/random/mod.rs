//! Random terms for the property tests: a plain tree, its meaning by naive evaluation, and the same thing built through
//! the smart constructors.
//!
//! Proptest shrinks tapes, so a failure comes with a small tree without a strategy for every sort.

mod build;
mod meaning;
mod tape;
mod tree;
mod universe;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

pub use meaning::{plain_bit_op, plain_conversion, plain_float_fn, plain_float_op};
pub use tape::Tape;
pub use tree::Tree;
pub use universe::{CLASS_NUMBERS, Universe};

/// A fixed seed, so that a red test is red for everybody; with `PROPTEST_CASES` set, as many cases from a random seed.
pub fn config(cases: u32) -> Config {
    let default = Config { failure_persistence: None, max_shrink_iters: 4096, ..Config::default() };
    match std::env::var("PROPTEST_CASES") {
        Ok(_) => default,
        Err(_) => Config { cases, rng_seed: RngSeed::Fixed(20_240_229), ..default },
    }
}

pub fn tape(length: usize) -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..length)
}
