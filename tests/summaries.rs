//! "Exact heap summaries from symbolic execution" (document 001), Table 1: the numbers that must come out.

use std::path::Path;

use lazuli::Control;
use lazuli_cli::tables::summaries::readings::{Measured, READINGS, published};
use lazuli_cli::tables::summaries::{HEAPS, ROWS, Row};
use lazuli_engine::config::{HeapKind, TraceDetail};

fn traces(row: &Row) -> Vec<u64> {
    HEAPS.iter().map(|heap| traces_under(row, *heap)).collect()
}

fn traces_under(row: &Row, heap: HeapKind) -> u64 {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let run = row.explore(&programs, heap, TraceDetail::None, &Control::default());
    run.expect("the row runs").counts.traces
}

/// Every row: GSE and SH where they are reproduced, and POSE as many paths as SH (Corollary 13).
#[test]
fn table_1() {
    for row in &ROWS {
        let ours = traces(row);
        assert!(row.gse.is_met(ours[0]), "{} k={}: GSE {}, wanted {:?}", row.subject, row.k, ours[0], row.gse);
        assert!(row.sh.is_met(ours[1]), "{} k={}: SH {}, wanted {:?}", row.subject, row.k, ours[1], row.sh);
        assert_eq!(ours[1], ours[2], "{} k={}: SH and POSE", row.subject, row.k);
        assert_eq!(ours[2], traces_under(row, HeapKind::PoseIte), "{} k={}: POSE as published", row.subject, row.k);
        assert!(ours[1] <= ours[0], "{} k={}: a summary has no more paths", row.subject, row.k);
    }
}

/// Rows "BinarySearchTree": 4/4, 26/17, 305/118.
#[test]
fn binary_search_tree_is_exact() {
    let rows: Vec<Vec<u64>> = ROWS.iter().filter(|r| r.subject == "BinarySearchTree").map(traces).collect();
    assert_eq!(rows, [[4, 4, 4], [26, 17, 17], [305, 118, 118]]);
}

/// Rows "LinkedList": the SH column is (3k + 1)(k + 2) / 2.
#[test]
fn linked_list_summaries_follow_the_formula() {
    for row in ROWS.iter().filter(|r| r.subject == "LinkedList") {
        let k = row.k as u64;
        assert_eq!(traces(row)[1], (3 * k + 1) * (k + 2) / 2, "k = {k}");
    }
}

/// Figures 8, 9 and 12: the sets of `this.x` and `this.y` are those that Figure 15 prints, and a write makes them one.
#[test]
fn figures_of_heaps() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let graphs = lazuli_cli::tables::figures::graphs(&programs, &Control::default()).expect("the program runs");
    let sets: Vec<[Vec<&str>; 2]> =
        graphs.iter().map(|graph| ["x", "y"].map(|field| graph.set_of("l0", field))).collect();
    let (first, second) = (vec!["null", "this.x"], vec!["null", "this.x", "this.y"]);
    assert_eq!(sets[0], [first.clone(), vec!["uninitialised"]]);
    assert_eq!(sets[1], [first, second.clone()]);
    assert_eq!(sets[2], [second.clone(), second]);
    for graph in &graphs {
        let edges: usize = graph.references.iter().map(|reference| 1 + reference.set.len()).sum();
        assert_eq!(graph.svg("a heap").matches("class=\"edge\"").count(), edges, "an arrow for every edge");
    }
}

/// The readings of what the document does not print: what each gives, and which comes nearest.
#[test]
fn readings_of_the_document() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let paths = |file: &str| {
        let reading = READINGS.iter().find(|reading| reading.file == file).expect("a reading of the table");
        let measured = reading.measure(&programs, &Control::default()).expect("the reading runs");
        let distance = measured.distance(&published(reading.subject));
        (measured.paths, distance)
    };
    let (null, null_distance) = paths("readings/LinkedListNull");
    assert_eq!(null, [[308, 25], [1_088, 39]]);
    let (parents, parents_distance) = paths("readings/TreeMapParents");
    assert_eq!(parents, [[8, 8], [67, 36], [1_276, 393]]);
    let (passes, passes_distance) = paths("readings/TreeMapPasses");
    assert_eq!(passes, [[8, 8], [65, 42], [1_463, 694]]);
    assert!(passes_distance < parents_distance && null_distance > 0.0);
    let exact = published("TreeMap");
    assert_eq!(exact, [(1, [9, 9]), (2, [100, 46]), (3, [3_026, 547])]);
    let same = Measured { paths: exact.iter().map(|(_, paths)| *paths).collect() };
    assert_eq!(same.distance(&exact), 0.0);
}
