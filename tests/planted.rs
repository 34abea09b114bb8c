//! The exactness check bites: every error of a printed rule, planted into the heap models, is found.
//!
//! It needs the engine's feature `planted-errors`, which `cargo test -p lazuli-tests --features planted-errors` switches on.

#[allow(dead_code)]
mod random;

use lazuli_engine::planted::{Planted, plant};
use lazuli_lab::exact::Extent;
use random::generate::generate;
use random::shrink::shrink;
use random::{Bound, Verdict, compare};

/// Tests run in their package's directory.
const PROGRAMS: &str = "../programs/agree";

/// An error that this many random programs do not show is not found.
const RANDOM_PROGRAMS: u64 = 600;

/// The bound for errors that only bounds show.
const BOUND: Option<u32> = Some(2);

const FEW: Extent = Extent { objects: 3, heaps: 100 };

fn differs(source: &str, k: Option<u32>) -> Option<String> {
    match compare(source, Bound::of_k(k), FEW) {
        Verdict::Different(difference) => Some(difference),
        Verdict::Exact(comparison) => {
            assert!(comparison.enumerated > 0, "nothing was compared");
            None
        }
        Verdict::TooLarge => None,
    }
}

/// The named programs that show the planted error.
fn named(k: Option<u32>) -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(PROGRAMS)
        .expect("the named programs are there")
        .map(|entry| entry.expect("a readable directory").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pose"))
        .filter(|path| differs(&std::fs::read_to_string(path).expect("a readable program"), k).is_some())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    found.sort();
    found
}

/// The number of random programs until one shows the planted error, and that one, shrunk.
fn random(k: Option<u32>) -> Option<(u64, String, String)> {
    let seed = (1..=RANDOM_PROGRAMS).find(|seed| differs(&generate(*seed).source(), k).is_some())?;
    let small = shrink(&generate(seed), |sketch| differs(&sketch.source(), k).is_some()).source();
    let difference = differs(&small, k).expect("shrinking keeps the difference");
    Some((seed, small, difference))
}

/// One test, because what is planted is planted in the whole process.
#[test]
fn every_planted_error_is_found() {
    // A planted error may well end in a panic; that is a find like any other, and needs no backtrace.
    std::panic::set_hook(Box::new(|_| {}));
    plant(None);
    let clean = [named(None), named(BOUND)].concat();
    let mut missed = Vec::new();
    let mut report = String::new();
    for error in Planted::ALL {
        plant(Some(error));
        let k = BOUND.filter(|_| error.needs_bound());
        let (named, random) = (named(k), random(k));
        plant(None);
        match &random {
            Some((seed, source, difference)) => {
                let main = source.split("\n\n").last().unwrap_or_default();
                report += &format!("{error:?}: random program {seed}; {named:?}\n{main}{difference}\n");
            }
            None => report += &format!("{error:?}: NO random program; {named:?}\n\n"),
        }
        if named.is_empty() || random.is_none() {
            missed.push(error);
        }
    }
    drop(std::panic::take_hook());
    println!("{report}");
    assert!(clean.is_empty(), "without a planted error these differ: {clean:?}");
    assert!(missed.is_empty(), "not found by the named or not by the random programs: {missed:?}");
}
