//! The speed of heap summaries on the subjects of Table 1 of "Exact heap summaries from symbolic execution", beside lazy
//! initialization and POSE, against our targets.
//!
//! ```text
//! cargo bench -p lazuli-cli --bench summaries
//! ```

use std::path::Path;
use std::time::{Duration, Instant};

use lazuli::Control;
use lazuli_cli::tables::summaries::{HEAPS, ROWS, Row};
use lazuli_engine::config::TraceDetail;

/// The command's allocator: states are copied at every fork.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Benchmarks run in their package's directory.
const PROGRAMS: &str = "../../programs";

/// The shortest of so many runs is shown, or of those that begin in this time.
const RUNS: usize = 31;
const PATIENCE: Duration = Duration::from_secs(10);

/// What is measured: the exploration alone, and all that a report of every trace needs.
const MEASURES: [(&str, TraceDetail); 2] =
    [("paths alone", TraceDetail::None), ("with conditions and replayed witnesses", TraceDetail::Full)];

fn main() {
    for (name, detail) in MEASURES {
        println!("{name}");
        println!("{:18} {:>2} {:>24} {:>24} {:>24}  SH/GSE  SH/POSE", "", "k", "GSE", "SH", "POSE");
        let measured: Vec<_> = ROWS.iter().map(|row| measure(row, detail)).collect();
        println!();
        verdicts(name, &measured);
        println!();
    }
}

/// Says of each subject at its largest bound whether the targets are met.
fn verdicts(measure: &str, measured: &[[Duration; 3]]) {
    for (row, [lazy, summary, pose]) in ROWS.iter().zip(measured) {
        let at = format!("{} k={}, {measure}", row.subject, row.k);
        let is_last = ROWS.iter().all(|other| other.subject != row.subject || other.k <= row.k);
        if is_last {
            verdict(&format!("{at}: SH no slower than GSE"), summary <= lazy);
            verdict(&format!("{at}: SH at most 3 times POSE"), *summary <= 3 * *pose);
        }
        if row.subject == "LinkedList" && row.k == 6 {
            verdict(&format!("{at}: SH under a second"), *summary < Duration::from_secs(1));
        }
    }
}

/// Runs a row under the three heap models and prints it: traces, milliseconds and terms of each.
fn measure(row: &Row, detail: TraceDetail) -> [Duration; 3] {
    let mut columns = String::new();
    let times = HEAPS.map(|heap| {
        let control = Control::default();
        let run = || row.explore(Path::new(PROGRAMS), heap, detail, &control).expect("the subject program runs");
        let started = Instant::now();
        let mut fastest = run();
        for _ in 1..RUNS {
            if started.elapsed() > PATIENCE {
                break;
            }
            let next = run();
            if next.time < fastest.time {
                fastest = next;
            }
        }
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
    println!("{what:88} {}", if met { "ok" } else { "missed" });
}
