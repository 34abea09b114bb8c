//! Seeds: which are tried, by two workers, and the numbers that come of one.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

pub use lazuli_lab::random::Random;

/// With `LAZULI_LONG`, so many times as many.
const LONG: u64 = 10;

/// The first of them, unless the environment says otherwise: `LAZULI_LONG` compares more, `LAZULI_RANDOM_PROGRAMS=N` so many;
/// `LAZULI_RANDOM_SEED=N` starts at another seed.
pub fn seeds(programs: u64) -> Range<u64> {
    let number = |variable: &str, default: u64| match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => default,
    };
    let first = number("LAZULI_RANDOM_SEED", 1);
    let usual = if std::env::var_os("LAZULI_LONG").is_some() { LONG * programs } else { programs };
    first..first + number("LAZULI_RANDOM_PROGRAMS", usual)
}

/// What differs, seed by seed: it must be nothing.
pub fn check_all(seeds: &Range<u64>, difference: impl Fn(u64) -> Option<String> + Sync) {
    let next = AtomicU64::new(seeds.start);
    let worker = || {
        let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        taken.take_while(|seed| *seed < seeds.end).filter_map(&difference).collect::<Vec<_>>()
    };
    let found: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a worker")).collect()
    });
    assert!(found.is_empty(), "{} programs differ:\n\n{}", found.len(), found.join("\n\n"));
}
