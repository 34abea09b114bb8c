//! The speed of the engine on the subjects of Table 1 of "Path-optimal symbolic execution", against our targets.
//!
//! ```text
//! cargo bench -p lazuli-cli --bench pose              everything; the 72 million traces take minutes
//! cargo bench -p lazuli-cli --bench pose -- --quick   without them
//! ```

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lazuli::Control;
use lazuli::Run;
use lazuli_cli::tables::pose::{ROWS, Row};
use lazuli_engine::config::{HeapKind, TraceDetail};

/// The command's allocator: states are copied at every fork.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Benchmarks run in their package's directory.
const PROGRAMS: &str = "../../programs";

const STARTS: usize = 20;
const JOBS: usize = 2;

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick");
    print_machine();
    println!("{:58} {:>12} {:>12}", "", "target", "measured");
    pose_rows();
    for name in ["dll_remove", "dll_indexOf"] {
        let run = pose(row(name), HeapKind::Pose, TraceDetail::None);
        verdict(&format!("POSE, {name}"), Duration::from_millis(200), run.time);
    }
    verdict(&format!("start-up of `lazuli explore`, median of {STARTS}"), Duration::from_millis(20), start_up());
    if !quick {
        lazy_max_element();
    }
}

fn row(name: &str) -> &'static Row {
    ROWS.iter().find(|row| row.name == name).expect("a row of the table")
}

fn pose(row: &Row, heap: HeapKind, detail: TraceDetail) -> Run {
    row.explore_pose(Path::new(PROGRAMS), heap, detail, &Control::default()).expect("the subject program runs")
}

fn print_machine() {
    let cores = std::thread::available_parallelism().map_or(0, |n| n.get());
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown processor");
    println!("{cores} cores, {}\n", model.trim_start_matches([' ', '\t', ':']));
}

/// All 21 rows in one process, first only explored, then with every witness replayed.
fn pose_rows() {
    for (what, detail) in [("", TraceDetail::None), (", with witnesses replayed", TraceDetail::Full)] {
        for heap in [HeapKind::Pose, HeapKind::PoseIte] {
            let started = Instant::now();
            for row in &ROWS {
                pose(row, heap, detail);
            }
            verdict(&format!("{heap}, all 21 rows{what}"), Duration::from_secs(3), started.elapsed());
        }
    }
}

/// The row that shows what lazy initialization costs: time, memory, traces a second.
fn lazy_max_element() {
    let row = row("avl_maxElement");
    let run = row
        .explore_lazy(Path::new(PROGRAMS), HeapKind::Lazy, JOBS, &Control::default())
        .expect("the subject program runs");
    let traces = run.counts.traces;
    assert!(row.lazy_traces.is_met(traces), "{traces} traces, but {:?}", row.lazy_traces);
    verdict(&format!("lazy, avl_maxElement, {traces} traces, {JOBS} jobs"), Duration::from_secs(300), run.time);
    let peak = peak_memory();
    line("  peak resident memory of this process", "300 MB", &format!("{peak} MB"), peak < 300);
    println!("  {:.0} traces a second", traces as f64 / run.time.as_secs_f64());
}

/// The process's peak resident memory, in megabytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// The median time of the whole command on the smallest program.
fn start_up() -> Duration {
    let program = Path::new(PROGRAMS).join("pose/sum.pose");
    let mut times: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let started = Instant::now();
            let status = Command::new(env!("CARGO_BIN_EXE_lazuli"))
                .arg("explore")
                .arg(&program)
                .stdout(Stdio::null())
                .status()
                .expect("lazuli starts");
            assert!(status.success(), "lazuli failed: {status}");
            started.elapsed()
        })
        .collect();
    times.sort();
    times[STARTS / 2]
}

fn verdict(what: &str, target: Duration, measured: Duration) {
    line(what, &show(target), &show(measured), measured < target);
}

fn line(what: &str, target: &str, measured: &str, met: bool) {
    println!("{what:58} {:>12} {measured:>12}  {}", format!("< {target}"), if met { "ok" } else { "missed" });
}

fn show(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}
