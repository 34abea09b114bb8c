//! The speed of HEX, against our targets: its overhead on valid traces, the other techniques beside it, and POSE beside lazy
//! initialization. All ratios are of one run.
//!
//! ```text
//! cargo bench -p lazuli-cli --bench hex                        everything
//! cargo bench -p lazuli-cli --bench hex -- P2 P5 overhead pose   some subjects; some of overhead, techniques and pose
//! ```

use std::path::Path;
use std::time::Duration;

use lazuli::replay;
use lazuli::{Control, explore};
use lazuli_cli::tables::hex::{Effort, SUBJECTS, Subject};
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_engine::state::Decisions;
use lazuli_invariant::Technique;
use lazuli_program::Program;

/// The command's allocator: states are copied at every fork.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Benchmarks run in their package's directory.
const PROGRAMS: &str = "../../programs";

/// For one target by one technique.
const EFFORT: Effort = Effort { time: Duration::from_secs(20), smaller: 0, pairs: false };

/// Every measurement is the shortest of so many, but for long runs.
const REPEATS: usize = 31;
const LONG: Duration = Duration::from_millis(50);

/// What the exploration of one target costs.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    traces: u64,
}

/// Every trace with what a user gets of it, condition and replayed witness; and the paths alone.
const DETAILS: [(TraceDetail, &str); 2] = [(TraceDetail::Full, "whole traces"), (TraceDetail::None, "paths alone")];

/// The document's medians of the time beside that of HEX.
const PUBLISHED: [(Technique, f64); 3] = [(Technique::Prep, 2.4), (Technique::Consp, 3.4), (Technique::Bounded, 4.3)];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (numbers, parts): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.starts_with('P'));
    let subjects = SUBJECTS.iter().filter(|s| numbers.is_empty() || numbers.iter().any(|number| *number == s.number));
    let wants = |part: &str| parts.is_empty() || parts.iter().any(|wanted| *wanted == part);
    println!("{:60} {:>7} {:>10}", "", "target", "measured");
    let mut ratios: Vec<(Technique, Vec<f64>)> =
        PUBLISHED.iter().map(|(technique, _)| (*technique, Vec::new())).collect();
    for subject in subjects {
        let program = subject.load(Path::new(PROGRAMS)).expect("the subject loads");
        if wants("overhead") {
            overhead(subject, &program);
        }
        if wants("techniques") {
            techniques(subject, &mut ratios);
        }
        if wants("pose") {
            for (detail, what) in DETAILS {
                let [lazy, pose] = run_times(subject, &program, [HeapKind::Lazy, HeapKind::Pose], detail);
                let target = if subject.tree { 10.0 } else { 1.0 };
                compare(subject, &format!("lazy + HEX beside POSE + HEX, {what}"), &lazy, &pose, target);
            }
        }
    }
    if !wants("techniques") {
        return;
    }
    println!("\nmedians over all targets");
    for ((technique, mut all), (_, published)) in ratios.into_iter().zip(PUBLISHED) {
        all.sort_by(f64::total_cmp);
        println!(
            "{:60} {published:>7.1} {:>10.1}",
            format!("{technique} beside HEX, the document's number first"),
            all[all.len() / 2]
        );
    }
}

fn techniques(subject: &Subject, ratios: &mut [(Technique, Vec<f64>)]) {
    for (technique, all) in ratios {
        let [hex, other] = times(subject, [Technique::Hex, *technique]);
        compare(subject, &format!("{technique} beside HEX"), &other, &hex, 1.0);
        all.extend(both(&other, &hex).map(|(a, b)| a.seconds / b.seconds));
    }
}

fn config(subject: &Subject, program: &Program, entry: &str, technique: Option<Technique>, heap: HeapKind) -> Config {
    let config = subject.config(Path::new(PROGRAMS), program, entry, technique, EFFORT);
    Config { heap, ..config.expect("the invariants load") }
}

/// The cost of every target under lazy initialization, without that of setting up; a target that does not end has none.
fn times(subject: &Subject, techniques: [Technique; 2]) -> [Vec<Option<Cost>>; 2] {
    shortest(subject, |entry, which| {
        let technique = Some(techniques[which]);
        let audit = subject.audit(Path::new(PROGRAMS), entry, technique, EFFORT, Duration::ZERO, &Control::default());
        let audit = audit.expect("the entry exists");
        audit.incomplete.is_none().then_some((audit.time, audit.traces))
    })
}

/// The cost of runs with HEX, under two heap models.
fn run_times(
    subject: &Subject,
    program: &Program,
    heaps: [HeapKind; 2],
    detail: TraceDetail,
) -> [Vec<Option<Cost>>; 2] {
    shortest(subject, |entry, which| {
        let config = Config { detail, ..config(subject, program, entry, Some(Technique::Hex), heaps[which]) };
        let run = explore(program, &config, &Control::default()).expect("the entry exists");
        run.incomplete.is_none().then_some((run.time, run.counts.traces))
    })
}

/// Two costs of every target. They are measured in turn: the machine is not always equally fast.
fn shortest(subject: &Subject, run: impl Fn(&str, usize) -> Option<(Duration, u64)>) -> [Vec<Option<Cost>>; 2] {
    let mut costs = [Vec::new(), Vec::new()];
    for entry in subject.entries {
        let mut best = [0, 1].map(|which| run(entry, which));
        for _ in 1..REPEATS {
            for (which, best) in best.iter_mut().enumerate() {
                // A long run is not repeated: it is not noisy.
                if let Some((time, _)) = best
                    && *time < LONG
                {
                    *time = run(entry, which).map_or(*time, |(again, _)| again.min(*time));
                }
            }
        }
        for (costs, best) in costs.iter_mut().zip(best) {
            costs.push(best.map(|(time, traces)| Cost { seconds: time.as_secs_f64(), traces }));
        }
    }
    costs
}

fn both<'a>(a: &'a [Option<Cost>], b: &'a [Option<Cost>]) -> impl Iterator<Item = (Cost, Cost)> + 'a {
    a.iter().zip(b).filter_map(|(a, b)| Some(((*a)?, (*b)?)))
}

/// The ratio of the sums over the targets that both end. What they find is not the same: the numbers of traces are said too.
fn compare(subject: &Subject, what: &str, a: &[Option<Cost>], b: &[Option<Cost>], target: f64) {
    let nothing = Cost { seconds: 0.0, traces: 0 };
    let (mut sums, mut number) = ((nothing, nothing), 0);
    let add = |sum: &mut Cost, more: Cost| {
        sum.seconds += more.seconds;
        sum.traces += more.traces;
    };
    for (x, y) in both(a, b) {
        add(&mut sums.0, x);
        add(&mut sums.1, y);
        number += 1;
    }
    let ratio = sums.0.seconds / sums.1.seconds;
    let name = format!("{} {} ({number} of {}): {what}", subject.number, subject.file, a.len());
    let verdict = if number == 0 {
        "not measured"
    } else if ratio >= target {
        "ok"
    } else {
        "missed"
    };
    let show = |cost: Cost| {
        let each = cost.seconds * 1e6 / cost.traces.max(1) as f64;
        format!("{:.1} ms ({} traces, {each:.1} µs each)", cost.seconds * 1e3, cost.traces)
    };
    println!("{name:60} > {target:>5.1} {ratio:>10.2}  {verdict:12} {} beside {}", show(sums.0), show(sums.1));
}

/// HEX on the traces that it leaves, beside the same traces without it: they are run again from their decisions.
fn overhead(subject: &Subject, program: &Program) {
    for (detail, what) in DETAILS {
        let (mut sums, mut number) = ((0.0, 0.0), 0);
        for entry in subject.entries {
            let mut with = config(subject, program, entry, Some(Technique::Hex), HeapKind::Lazy);
            with.detail = TraceDetail::Brief;
            let run = explore(program, &with, &Control::default()).expect("the entry exists");
            let traces: Vec<Decisions> = run.traces.into_iter().map(|trace| trace.decisions).collect();
            number += traces.len();
            with.detail = detail;
            let without = Config { invariants: None, ..with.clone() };
            let mut best = [f64::MAX; 2];
            for _ in 0..REPEATS {
                for (config, best) in [&with, &without].into_iter().zip(&mut best) {
                    *best = best.min(replay::cost(program, config, &traces).expect("a trace").as_secs_f64());
                }
            }
            sums = (sums.0 + best[0], sums.1 + best[1]);
        }
        let percent = (sums.0 / sums.1 - 1.0) * 100.0;
        let name = format!("{} {}: overhead on valid traces, {what}", subject.number, subject.file);
        let verdict = if percent < 10.0 { "ok" } else { "missed" };
        println!(
            "{name:60} < {:>4}% {percent:>9.0}%  {verdict:12} {:.2} ms beside {:.2} ms, {number} traces",
            10,
            sums.0 * 1e3,
            sums.1 * 1e3
        );
    }
}
