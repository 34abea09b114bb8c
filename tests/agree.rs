//! All heap models agree with each other and with the program: on named programs, each once a counterexample to a rule
//! somebody printed, and on random ones.

use crate::random;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use lazuli::Control;
use lazuli_engine::config::{Bounds, Config, HeapKind};
use lazuli_lab::exact::{self, Extent};
use random::generate::generate;
use random::seeds::{check_all, seeds};
use random::shrink::shrink;
use random::{Bound, Verdict, compare};

/// Tests run in their package's directory.
const PROGRAMS: &str = "../programs/agree";

/// Random programs compared by default.
const RANDOM_PROGRAMS: u64 = 5_000;

/// Heaps for a random program: most of its mistakes show on the witnesses and on a few others.
const FEW: Extent = Extent { objects: 3, heaps: 100 };

fn named_programs() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(PROGRAMS)
        .expect("the named programs are there")
        .map(|entry| entry.expect("a readable directory").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pose"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 15, "there are only {} named programs", paths.len());
    paths
}

fn check_named(bound: Bound) {
    for path in named_programs() {
        let program = lazuli_program::load(&path).unwrap_or_else(|e| panic!("{e}"));
        let config = Config { bounds: bound.within(Bounds::default(), &program), ..Config::default() };
        // Under a bound most heaps are cut off: fewer will do.
        let extent = Extent { heaps: if bound == Bound::None { 20_000 } else { 2_000 }, ..Extent::default() };
        let comparison = exact::check(&program, &config, &HeapKind::ALL, extent, &Control::default())
            .unwrap_or_else(|reason| panic!("{}: {reason}", program.name));
        if let Some(difference) = &comparison.difference {
            panic!("{} under {bound:?}: {}", program.name, difference.show(&program));
        }
        assert_eq!(comparison.unfinished, None, "{}", program.name);
    }
}

#[test]
fn named_programs_are_exact() {
    check_named(Bound::None);
}

/// k-bounding keeps the models that resolve at the first load in agreement, whatever k is.
#[test]
fn named_programs_agree_under_k() {
    for k in 1..=3 {
        check_named(Bound::K(k));
    }
}

/// n-bounding likewise.
#[test]
fn named_programs_agree_under_n() {
    for n in 0..=3 {
        check_named(Bound::N(n));
        check_named(Bound::NOfLast(n));
    }
}

/// A failing program, shrunk, with what is wrong.
fn minimal(seed: u64, bound: Bound) -> String {
    let differs = |source: &str| matches!(compare(source, bound, FEW), Verdict::Different(_));
    let small = shrink(&generate(seed), |sketch| differs(&sketch.source()));
    let Verdict::Different(difference) = compare(&small.source(), bound, FEW) else {
        unreachable!("shrinking keeps the difference")
    };
    format!("seed {seed} under {bound:?}:\n{}\n{difference}", small.source())
}

#[test]
fn random_programs_are_exact() {
    let seeds = seeds(RANDOM_PROGRAMS);
    let (compared, heaps) = (AtomicU64::new(0), AtomicU64::new(0));
    check_all(&seeds, |seed| {
        // Every fourth one under a bound on the length of chains, every fourth on the number of objects.
        let index = seed - seeds.start;
        let bound = match (index % 4, (index / 4 % 3) as u32) {
            (3, few) => Bound::K(1 + few),
            (1, few) if index % 8 == 1 => Bound::N(1 + few),
            (1, few) => Bound::NOfLast(1 + few),
            _ => Bound::None,
        };
        match compare(&generate(seed).source(), bound, FEW) {
            Verdict::Exact(comparison) => {
                compared.fetch_add(1, Ordering::Relaxed);
                heaps.fetch_add((comparison.enumerated + comparison.witnesses) as u64, Ordering::Relaxed);
                None
            }
            Verdict::TooLarge => None,
            Verdict::Different(_) => Some(minimal(seed, bound)),
        }
    });
    let (programs, compared, heaps) = (seeds.end - seeds.start, compared.into_inner(), heaps.into_inner());
    println!("{compared} of {programs} random programs compared under all heap models, on {heaps} heaps");
    assert!(compared * 10 >= programs * 8, "only {compared} of {programs} programs were small enough to compare");
}
