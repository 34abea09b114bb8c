//! All heap models agree with each other and with the program: on named programs, each once a counterexample to a rule
//! somebody printed, and on random ones.

use crate::random;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use lazuli::Control;
use lazuli_engine::config::{Config, HeapKind};
use lazuli_lab::exact::{self, Extent};
use random::generate::generate;
use random::seeds::{check_all, seeds};
use random::shrink::shrink;
use random::{Verdict, compare};

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

fn check_named(k: Option<u32>) {
    for path in named_programs() {
        let program = lazuli_program::load(&path).unwrap_or_else(|e| panic!("{e}"));
        let mut config = Config::default();
        config.bounds.k = k;
        // Under a bound most heaps are cut off: fewer will do.
        let extent = Extent { heaps: if k.is_some() { 2_000 } else { 20_000 }, ..Extent::default() };
        let comparison = exact::check(&program, &config, &HeapKind::ALL, extent, &Control::default())
            .unwrap_or_else(|reason| panic!("{}: {reason}", program.name));
        if let Some(difference) = &comparison.difference {
            panic!("{} with k = {k:?}: {}", program.name, difference.show(&program));
        }
        assert_eq!(comparison.unfinished, None, "{}", program.name);
    }
}

#[test]
fn named_programs_are_exact() {
    check_named(None);
}

/// k-bounding keeps the models that resolve at the first load in agreement, whatever k is.
#[test]
fn named_programs_agree_under_k() {
    for k in 1..=3 {
        check_named(Some(k));
    }
}

/// A failing program, shrunk, with what is wrong.
fn minimal(seed: u64, k: Option<u32>) -> String {
    let differs = |source: &str| matches!(compare(source, k, FEW), Verdict::Different(_));
    let small = shrink(&generate(seed), |sketch| differs(&sketch.source()));
    let Verdict::Different(difference) = compare(&small.source(), k, FEW) else {
        unreachable!("shrinking keeps the difference")
    };
    format!("seed {seed}, k = {k:?}:\n{}\n{difference}", small.source())
}

#[test]
fn random_programs_are_exact() {
    let seeds = seeds(RANDOM_PROGRAMS);
    let (compared, heaps) = (AtomicU64::new(0), AtomicU64::new(0));
    check_all(&seeds, |seed| {
        // Every fourth one under a bound on the length of chains.
        let index = seed - seeds.start;
        let k = (index % 4 == 3).then_some(1 + (index / 4 % 3) as u32);
        match compare(&generate(seed).source(), k, FEW) {
            Verdict::Exact(comparison) => {
                compared.fetch_add(1, Ordering::Relaxed);
                heaps.fetch_add((comparison.enumerated + comparison.witnesses) as u64, Ordering::Relaxed);
                None
            }
            Verdict::TooLarge => None,
            Verdict::Different(_) => Some(minimal(seed, k)),
        }
    });
    let (programs, compared, heaps) = (seeds.end - seeds.start, compared.into_inner(), heaps.into_inner());
    println!("{compared} of {programs} random programs compared under all heap models, on {heaps} heaps");
    assert!(compared * 10 >= programs * 8, "only {compared} of {programs} programs were small enough to compare");
}
