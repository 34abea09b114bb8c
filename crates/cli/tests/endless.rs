//! Paths that never end are told from those that are merely long; and long paths cost what they are.

use crate::common::{file, lazuli, stderr, stdout};
use serde_json::Value;

const SOURCE: &str = "class E {
    static class N { N next; int v; }
    static int forever(int x) { while (true) { if (x == 7) return 1; } }
    static int ring(N n) { while (n != null) n = n.next; return 1; }
    static int find(N n, int v) { while (n != null && n.v != v) n = n.next; return 1; }
    static int swaps(N n, N m) { while (n != m) { N other = n; n = m; m = other; } return 1; }
    static int stars(N n) { while (n != null) { for (int i = 0; i < 3; i++) if (n.v == i) return i; n = n.next; } return 4; }
    static int counts(N n) { int c = 0; while (n != null) { n = n.next; c++; } return c; }
    static int alternates(int x) {
        boolean b = x > 3;
        int y = x;
        while (true) { b = !b; int z = x; x = y; y = z; if (b && x == y + 1) return 1; }
    }
    static int collatz() { long n = 871; while (n != 1) n = n % 2 == 0 ? n / 2 : 3 * n + 1; return 1; }
    static int nested() { int c = 0; for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) c = 1 - c; return c; }
}";

/// The counts of a run: returned, threw, endless, stopped; and its exit code.
fn counts(entry: &str, more: &[&str]) -> ([u64; 4], Option<i32>) {
    let source = file("E.java", SOURCE);
    let path = source.to_str().expect("text");
    let output = lazuli(&[&["explore", path, "--entry", entry, "--format", "json"], more].concat());
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let count = |name: &str| answer["counts"][name].as_u64().expect("a count");
    // A witness of an endless path is endless, too.
    assert_eq!(count("witnesses_differed"), 0, "{entry}");
    for trace in answer["traces"].as_array().expect("traces").iter().filter(|trace| trace["outcome"] == "endless") {
        assert_eq!(trace["endless_in"], entry, "{trace}");
    }
    (["returned", "threw", "endless", "stopped"].map(count), output.status.code())
}

#[test]
fn what_comes_back_to_itself_does_not_end() {
    for heap in ["lazy", "summary", "pose"] {
        assert_eq!(counts("E.forever", &["--heap", heap]), ([1, 0, 1, 0], Some(0)), "{heap}");
        assert_eq!(counts("E.alternates", &["--heap", heap]), ([0, 0, 2, 0], Some(0)), "{heap}");
    }
    // A list of at most three nodes: it ends, or is one of the rings 1 + 2 + 3.
    let rings = ["--heap", "lazy", "--n", "3"];
    assert_eq!(counts("E.ring", &rings), ([4, 0, 6, 0], Some(0)));
}

/// Where references are symbols or sets, whether a loop has come around is a question about the input.
#[test]
fn rings_of_inputs_are_found_by_every_model() {
    for heap in ["pose", "pose-ite", "summary", "uber-lazy"] {
        // Lists of up to three nodes, and rings that are left after so many rounds.
        let ([returned, 0, endless, 0], Some(0)) = counts("E.ring", &["--heap", heap, "--k", "3"]) else {
            panic!("{heap}: the rings of three nodes are all")
        };
        assert!(returned == 4 && (3..=9).contains(&endless), "{heap}: {returned} {endless}");
        // Their elements are looked at, and a loop on constants is inside.
        for entry in ["E.find", "E.stars"] {
            let (ends, code) = counts(entry, &["--heap", heap, "--k", "2"]);
            assert!(ends[2] >= 2 && ends[3] == 0 && code == Some(0), "{heap} {entry}: {ends:?}");
        }
        // What comes back whatever the input is.
        let (ends, code) = counts("E.swaps", &["--heap", heap]);
        assert!(ends[0] == ends[2].min(2) && ends[3] == 0 && code == Some(0), "{heap}: {ends:?}");
    }
}

/// A real run on such an input does not end, either.
#[test]
fn the_jvm_goes_around_too() {
    let options = ["--k", "2", "--confirm", "jvm"];
    let (ends, code) = counts("E.ring", &options);
    assert!(ends[2] >= 1 && ends[3] == 0 && code == Some(0), "{ends:?}");
}

/// Loops that count what they meet never come back to a state; where references are constants, the path stops when it has gone through what
/// it knows too often.
#[test]
fn what_is_known_of_the_input_is_not_gone_through_for_ever() {
    let (ends, code) = counts("E.counts", &["--heap", "lazy", "--n", "3", "--max-steps", "20000"]);
    assert_eq!((ends, code), ([4, 0, 0, 6], Some(3)));
    let output = lazuli(&[
        "explore",
        file("E.java", SOURCE).to_str().expect("text"),
        "--entry",
        "E.counts",
        "--heap",
        "lazy",
        "--n",
        "3",
        "--format",
        "json",
    ]);
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert_eq!(answer["limits"][0]["kind"], "max_depth", "{}", answer["limits"]);
    assert!(answer["counts"]["steps"].as_u64() < Some(100_000), "{}", answer["counts"]);
}

/// A loop that makes progress is none, however long it is: it ends, or runs into a bound.
#[test]
fn what_is_long_ends() {
    assert_eq!(counts("E.collatz", &[]), ([1, 0, 0, 0], Some(0)));
    assert_eq!(counts("E.nested", &[]), ([1, 0, 0, 0], Some(0)));
    let (ends, code) = counts("E.counts", &["--heap", "lazy", "--n", "3", "--max-steps", "20000"]);
    assert_eq!((ends, code), ([4, 0, 0, 6], Some(3)));
}

/// Ten thousand decisions on one path, each with another side that waits: about one unknown, and about neighbours in an order.
#[test]
fn long_paths_need_little_memory() {
    let program = "class P {
        int v; P next;
        int differs(int n, int x) := if n = 0 then 0 else if x = n then n else this.differs[n - 1, x];
        int below(int n, int x) := if n = 0 then 0 else if x > n then n else this.below[n - 1, x];
        int rises(int n, int last) := if n = 0 then 0 else if this.v < last then n else this.next.rises[n - 1, this.v];
        int many(int x) := this.differs[10000, x];
        int more(int x) := this.below[10000, x];
        int list(int x) := this.rises[1500, x];
    }";
    let program = file("long.pose", program);
    let bounds = ["--max-depth", "20000", "--max-calls", "20000", "--traces", "none", "--max-memory", "300M"];
    for (entry, heap, traces) in [("P.many", "pose", 10_001), ("P.more", "pose", 10_001), ("P.list", "lazy", 1_501)] {
        let path = program.to_str().expect("text");
        let at_most = (traces * 2).to_string();
        let options = ["--heap", heap, "--format", "json", "--max-traces", &at_most];
        let output = lazuli(&[&["explore", path, "--entry", entry], &options[..], &bounds].concat());
        let answer: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        assert_ne!(answer["incomplete"], "--max-memory", "{entry}");
        assert!(answer["counts"]["returned"].as_u64() >= Some(traces), "{entry}: {}", answer["counts"]);
    }
}
