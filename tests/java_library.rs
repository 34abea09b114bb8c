//! Methods of the JDK that is on this machine, unmodified, with all state they can reach unknown: explored under POSE to the bound,
//! without anything unsupported, every witness confirmed by the JVM.

use std::path::Path;

use crate::java;
use lazuli::{Bound, Stop};
use lazuli_engine::config::{Config, TraceDetail};
use lazuli_program::frontend::java::{JavaOptions, load};
use lazuli_program::library::World;

/// Chains of references from the inputs are at most so long.
const K: u32 = 3;

/// The entry, and how many decisions a path may take: the inputs need not be well-formed, and some of the structures are cyclic.
const SUBJECTS: [(&str, usize); 24] = [
    ("java.util.LinkedList.add(Object)", 12),
    ("java.util.LinkedList.removeFirst", 12),
    ("java.util.LinkedList.remove(Object)", 10),
    ("java.util.ArrayList.get", 12),
    ("java.util.ArrayList.add(Object)", 12),
    ("java.util.ArrayList.remove(int)", 12),
    ("java.util.ArrayDeque.addLast", 12),
    ("java.util.ArrayDeque.pollFirst", 12),
    ("java.util.TreeMap.put(Object,Object)", 12),
    ("java.util.TreeMap.get", 10),
    ("java.util.HashMap.get", 10),
    ("java.util.HashMap.put", 6),
    ("java.util.PriorityQueue.offer", 10),
    ("java.util.PriorityQueue.poll", 10),
    ("java.util.Optional.get", 12),
    ("java.util.Optional.orElse", 12),
    ("java.util.Optional.map", 12),
    ("java.lang.StringBuilder.append(char)", 8),
    ("java.lang.StringBuilder.reverse", 8),
    ("java.lang.Integer.parseInt(String)", 1_000),
    ("java.util.Arrays.binarySearch(int[],int)", 1_000),
    ("java.util.Arrays.binarySearch(long[],long)", 1_000),
    ("java.util.Arrays.sort(int[])", 1_000),
    ("java.util.Arrays.fill(int[],int)", 1_000),
];

#[test]
fn the_library_is_explored_to_the_bound() {
    let mut wrong = Vec::new();
    for (entry, depth) in SUBJECTS {
        let integers = ("java.lang.Object".to_string(), vec!["java.lang.Integer".to_string()]);
        let world = World { types: vec![integers], max_array: 4, max_string: 4, ..World::default() };
        let provided = lazuli_engine::natives::provides;
        let options = JavaOptions { class_path: Vec::new(), entry: Some(entry.into()), world, provided };
        let program = load(Path::new("jdk"), &options).unwrap_or_else(|error| panic!("{entry}: {error}"));
        let mut config = Config { detail: TraceDetail::Full, ..Config::default() };
        (config.bounds.k, config.bounds.depth) = (Some(K), depth);
        let run = java::explore(&program, &config).unwrap_or_else(|error| panic!("{entry}: {error}"));
        if run.counts.returned == 0 {
            wrong.push(format!("{entry}: no path returns"));
        }
        let beyond_bounds = run.stops.iter().filter(|(why, _)| *why != Stop::Bound(Bound::MaxDepth));
        wrong.extend(beyond_bounds.map(|(why, number)| format!("{entry}: {number} {why}")));
        wrong.extend(java::refuted(&run).iter().map(|what| format!("{entry}: {what}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 0, 1, 2, 3 and 4 elements: the permutations, and one path for the arrays that are sorted already by being short.
#[test]
fn sorting_has_a_path_a_permutation() {
    let world = World { max_array: 4, ..World::default() };
    let entry = Some("java.util.Arrays.sort(int[])".to_string());
    let options = JavaOptions { class_path: Vec::new(), entry, world, provided: lazuli_engine::natives::provides };
    let program = load(Path::new("jdk"), &options).unwrap_or_else(|error| panic!("{error}"));
    let run = java::explore(&program, &Config::default()).expect("an entry");
    assert_eq!(run.counts.returned, 1 + 2 + 6 + 24);
}
