//! The speed of heap summaries on the subjects of Table 1 of "Exact heap summaries from symbolic execution", beside lazy
//! initialization and POSE, against our targets.
//!
//! ```text
//! cargo bench -p lazuli --bench summaries
//! ```

use std::path::Path;
use std::time::Duration;

use lazuli::tables::summaries::{HEAPS, ROWS, Row};
use lazuli_engine::explore::Control;

/// The command's allocator: states are copied at every fork.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Benchmarks run in their package's directory.
const PROGRAMS: &str = "../../programs";

/// The shortest of so many runs is shown.
const RUNS: usize = 31;

fn main() {
    println!("{:18} {:>2} {:>24} {:>24} {:>24}  SH/GSE  SH/POSE", "", "k", "GSE", "SH", "POSE");
    let measured: Vec<_> = ROWS.iter().map(measure).collect();
    println!();
    for (row, [lazy, summary, pose]) in ROWS.iter().zip(&measured) {
        let is_last = ROWS.iter().all(|other| other.subject != row.subject || other.k <= row.k);
        if is_last {
            let at = format!("{} k={}", row.subject, row.k);
            verdict(&format!("{at}: SH no slower than GSE"), summary <= lazy);
            verdict(&format!("{at}: SH at most 3 times POSE"), *summary <= 3 * *pose);
        }
        if row.subject == "LinkedList" && row.k == 6 {
            verdict("LinkedList k=6: SH under a second", *summary < Duration::from_secs(1));
        }
    }
}

/// Runs a row under the three heap models and prints it: traces, milliseconds and terms of each.
fn measure(row: &Row) -> [Duration; 3] {
    let mut columns = String::new();
    let times = HEAPS.map(|heap| {
        let run = || row.explore(Path::new(PROGRAMS), heap, &Control::default()).expect("the subject program runs");
        let fastest = (0..RUNS).map(|_| run()).min_by_key(|run| run.time).expect("there was a run");
        let (traces, time, terms) = (fastest.counts.traces, fastest.time, fastest.terms);
        columns.push_str(&format!(" {traces:>6} {:>7.1} ms {terms:>6}", millis(time)));
        time
    });
    let ratio = |other: usize| millis(times[1]) / millis(times[other]);
    println!("{:18} {:>2}{columns} {:>7.2} {:>8.2}", row.subject, row.k, ratio(0), ratio(2));
    times
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn verdict(what: &str, met: bool) {
    println!("{what:50} {}", if met { "ok" } else { "missed" });
}
