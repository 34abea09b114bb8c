//! The subjects of Table 1 of "Path-optimal symbolic execution" (document 003) in Java, as the table's lazy column was
//! measured: its lazy traces, and the satisfiable traces of its POSE column.

use crate::java;

use lazuli::{Control, explore};
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_engine::counts::Counts;

/// Entry, and traces: all under lazy, those that return under POSE.
struct Row {
    pose: &'static str,
    pose_traces: u64,
    lazy: &'static str,
    lazy_traces: u64,
}

const fn row(pose: &'static str, pose_traces: u64, lazy: &'static str, lazy_traces: u64) -> Row {
    Row { pose, pose_traces, lazy, lazy_traces }
}

/// The rows but for avl_maxElement and avl_minElement under lazy, whose 72,230,358 traces are for the benchmark.
///
/// avl_insertElem calculates heights, which overflow: with Java's integers of 32 bits it has more paths than the 546 and
/// 7,033 that were published for unbounded ones.
const ROWS: [Row; 19] = [
    row("Sample.swap", 2, "Sample.swap", 21),
    row("Sample.sum", 1, "Sample.sum", 23),
    row("Sample.hasNullWithin4", 6, "Sample.hasNullWithin4", 21),
    row("Sample.hasNullWithin10", 12, "Sample.hasNullWithin10", 78),
    row("AvlTree.balancedWithin1", 89, "lazy.AvlTree.balanced", 18_876),
    row("AvlTree.findWithin5", 190, "lazy.AvlTree.find", 896),
    row("AvlTree.findMaxWithin10", 13, "lazy.AvlTree.findMax", 92),
    row("AvlTree.findMinWithin10", 13, "lazy.AvlTree.findMin", 92),
    row("AvlTree.insertElemWithin1", 731, "lazy.AvlTree.insertElem", 13_354),
    row("DoubleLinkedList.add4", 2, "lazy.DoubleLinkedList.add4", 312),
    row("DoubleLinkedList.get4", 1, "lazy.DoubleLinkedList.get4", 116),
    row("DoubleLinkedList.getFirst", 2, "lazy.DoubleLinkedList.getFirst", 12),
    row("DoubleLinkedList.getLast", 2, "lazy.DoubleLinkedList.getLast", 12),
    row("DoubleLinkedList.indexOfWithin8", 42, "lazy.DoubleLinkedList.indexOf", 332_856),
    row("DoubleLinkedList.remove4", 2, "lazy.DoubleLinkedList.remove4", 949),
    row("DoubleLinkedList.removeFirst", 2, "lazy.DoubleLinkedList.removeFirst", 91),
    row("DoubleLinkedList.removeLast", 2, "lazy.DoubleLinkedList.removeLast", 91),
    row("NodeCachingLinkedList.add", 2, "lazy.NodeCachingLinkedList.add", 108),
    row("TreeMap.putWithin2", 44, "lazy.TreeMap.put", 350),
];

fn counts(entry: &str, heap: HeapKind) -> Counts {
    let program = java::program(&format!("pose.{entry}"), 8, 4);
    let mut config = Config { heap, detail: TraceDetail::None, ..Config::default() };
    config.bounds.exact_types = true;
    let run = explore(&program, &config, &Control::default()).unwrap_or_else(|error| panic!("{entry}: {error}"));
    assert!(run.incomplete.is_none() && run.counts.stopped == 0, "{entry} was not explored completely");
    run.counts
}

#[test]
fn lazy_traces_are_those_of_the_lazy_column() {
    for row in &ROWS {
        assert_eq!(counts(row.lazy, HeapKind::Lazy).traces, row.lazy_traces, "{}", row.lazy);
    }
}

#[test]
fn pose_traces_are_the_satisfiable_ones() {
    let max_and_min = [row("AvlTree.maxElementWithin2", 51, "", 0), row("AvlTree.minElementWithin2", 51, "", 0)];
    for row in ROWS.iter().chain(&max_and_min) {
        for heap in [HeapKind::PoseIte, HeapKind::Pose] {
            assert_eq!(counts(row.pose, heap).returned, row.pose_traces, "{}, {heap}", row.pose);
        }
    }
}

/// Path-optimality: the summary has the same control-flow paths.
#[test]
fn summary_has_the_paths_of_pose() {
    for entry in
        ["Sample.swap", "Sample.sum", "Sample.hasNullWithin4", "DoubleLinkedList.add4", "NodeCachingLinkedList.add"]
    {
        let (pose, summary) = (counts(entry, HeapKind::Pose), counts(entry, HeapKind::Summary));
        assert_eq!((pose.traces, pose.returned), (summary.traces, summary.returned), "{entry}");
    }
}
