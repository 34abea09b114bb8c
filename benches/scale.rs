//! How the heap models scale: curves of a bound against processor time and memory, one column a model, with verdicts on
//! POSE: its time beside that of others, what a bound costs that does not bind, and whether memory is linear in the path.
//!
//! ```text
//! cargo bench -p lazuli-cli --bench scale                 every subject
//! cargo bench -p lazuli-cli --bench scale -- walk put     some of them
//! ```
//!
//! What is measured is the exploration: witnesses are not made. Every cell is a run of the command by itself, because memory is that of a process. All cells of a curve are of one run
//! of the benchmark, so that their ratios mean something.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Benchmarks run in their package's directory.
const PROGRAMS: &str = "../../programs";

/// In the order of the columns. Verdicts are about the last one.
const MODELS: [&str; 6] = ["lazy", "lazier#", "uber-lazy", "summary", "pose-ite", "pose"];
const LAZY: usize = 0;
const POSE: usize = MODELS.len() - 1;

/// No cell takes longer; what would is shown as a dash, and larger bounds of the model are not tried.
const LIMIT: Duration = Duration::from_secs(20);

/// A cell is the mean of so many runs, or of fewer that take so long together: the system counts in hundredths of a second.
const RUNS: u32 = 20;
const ENOUGH: f64 = 0.3;

/// How much more a bound may cost that does not bind.
const UNBOUND: f64 = 1.2;

/// How much more than linear memory may grow, and what is noise, in kilobytes.
const LINEAR: f64 = 1.3;
const NOISE: f64 = 1024.0;

/// What POSE's time is compared with.
enum Against {
    Lazy(f64),
    /// The best of all models.
    Best(f64),
}

/// A family of runs by one bound.
struct Curve {
    name: &'static str,
    bounds: &'static [u32],
    /// The arguments of `lazuli explore`.
    arguments: fn(u32) -> Vec<String>,
    against: Against,
    /// Options that add a bound which cuts nothing off, whose price is judged as well.
    unbound: &'static [&'static str],
}

const CURVES: [Curve; 9] = [
    Curve {
        name: "walk",
        bounds: &[20, 40, 80, 160],
        arguments: |n| vec![written("walk", n, &walk(n))],
        against: Against::Lazy(2.0),
        unbound: &["--k", "200"],
    },
    Curve {
        name: "mark",
        bounds: &[20, 40, 80, 160],
        arguments: |n| vec![written("mark", n, &mark(n))],
        against: Against::Lazy(2.0),
        unbound: &["--k", "200"],
    },
    Curve {
        name: "walk 40, --k",
        bounds: &[2, 4, 8, 100],
        arguments: |k| vec![written("walk", 40, &walk(40)), "--k".into(), k.to_string()],
        against: Against::Lazy(2.0),
        unbound: &[],
    },
    Curve {
        name: "find, --k 12",
        bounds: &[3, 5, 7, 9],
        arguments: |depth| vec![find(depth), "--k".into(), "12".into()],
        against: Against::Lazy(2.0),
        unbound: &[],
    },
    Curve {
        name: "avl_find",
        bounds: &[5, 6, 7, 8, 9, 10],
        arguments: |depth| vec![find(depth)],
        against: Against::Lazy(1.0),
        unbound: &["--k", "12"],
    },
    Curve {
        name: "TreeMap.put + HEX, --n",
        bounds: &[1, 2, 4, 6, 8, 10, 12],
        arguments: |n| library("java.util.TreeMap.put(Object,Object)", "TreeMap", "Entry", n),
        against: Against::Lazy(1.0),
        unbound: &[],
    },
    Curve {
        name: "LinkedList.remove + HEX, --n",
        bounds: &[1, 2, 4, 6, 8, 10, 12],
        arguments: |n| library("java.util.LinkedList.remove(Object)", "LinkedList", "Node", n),
        against: Against::Lazy(1.0),
        unbound: &[],
    },
    Curve {
        name: "TreeMap.get by prep, --n",
        bounds: &[2, 4, 6],
        arguments: |n| prep("TreeMap", "get", "Entry", n),
        against: Against::Best(2.0),
        unbound: &[],
    },
    Curve {
        name: "LinkedList.contains by prep, --n",
        bounds: &[2, 4, 8],
        arguments: |n| prep("LinkedList", "contains", "Entry", n),
        against: Against::Best(2.0),
        unbound: &[],
    },
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |curve: &&Curve| wanted.is_empty() || wanted.iter().any(|word| curve.name.contains(word.as_str()));
    for curve in CURVES.iter().filter(is_wanted) {
        curve.print();
    }
}

/// What one run cost.
#[derive(Clone, Copy)]
struct Cost {
    /// Of the processor, in seconds.
    time: f64,
    kilobytes: u64,
}

type Row = [Option<Cost>; MODELS.len()];

impl Curve {
    fn print(&self) {
        println!("{}", self.name);
        let columns: String = MODELS.iter().map(|model| format!("{model:>20}")).collect();
        println!("{:>8}{columns}", "");
        let mut has_ended = [true; MODELS.len()];
        let mut rows: Vec<(u32, Row)> = Vec::new();
        for &bound in self.bounds {
            let arguments = (self.arguments)(bound);
            let mut line = format!("{bound:>8}");
            let mut row: Row = [None; MODELS.len()];
            for (at, model) in MODELS.into_iter().enumerate() {
                row[at] = if has_ended[at] { mean(model, &arguments) } else { None };
                has_ended[at] = row[at].is_some();
                let cell = row[at]
                    .map_or("–".into(), |cost| format!("{:.1} ms {:>4} MB", cost.time * 1e3, cost.kilobytes / 1024));
                write!(line, "{cell:>20}").expect("a string can be written");
            }
            println!("{line}");
            rows.push((bound, row));
        }
        rows.iter().for_each(|(bound, row)| self.judge_time(*bound, row));
        self.judge_bound(&rows);
        judge_memory(&rows);
        println!();
    }

    fn judge_time(&self, bound: u32, row: &Row) {
        let (most, other, name) = match self.against {
            Against::Lazy(most) => (most, row[LAZY].map(|cost| cost.time), "lazy"),
            Against::Best(most) => {
                let best = row[..POSE].iter().flatten().map(|cost| cost.time).min_by(f64::total_cmp);
                (most, best, "the best of the others")
            }
        };
        match (other, row[POSE]) {
            (Some(other), Some(ours)) => {
                let ratio = ours.time / other;
                verdict(ratio <= most, &format!("{bound}: {ratio:.2} times {name}, at most {most:.1}"));
            }
            (None, Some(_)) => verdict(true, &format!("{bound}: {name} does not end")),
            (_, None) => verdict(false, &format!("{bound}: does not end")),
        }
    }

    /// The largest bound once more, with a bound that cuts nothing off.
    fn judge_bound(&self, rows: &[(u32, Row)]) {
        let last = rows.last().and_then(|(bound, row)| Some((*bound, row[POSE]?)));
        let Some((bound, without)) = last.filter(|_| !self.unbound.is_empty()) else { return };
        let mut arguments = (self.arguments)(bound);
        arguments.extend(self.unbound.iter().map(ToString::to_string));
        let ratio = mean(MODELS[POSE], &arguments).map_or(f64::INFINITY, |cost| cost.time / without.time);
        let what = self.unbound.join(" ");
        verdict(
            ratio <= UNBOUND,
            &format!("{bound}: {what}, which does not bind, costs {ratio:.2}, at most {UNBOUND}"),
        );
    }
}

/// Where the last three bounds double: whether what they take beyond the first is in proportion.
fn judge_memory(rows: &[(u32, Row)]) {
    let [.., first, second, third] = rows else { return };
    if (second.0, third.0) != (2 * first.0, 2 * second.0) {
        return;
    }
    let [Some(first), Some(second), Some(third)] = [first, second, third].map(|(_, row)| row[POSE]) else { return };
    let more = |cost: Cost| cost.kilobytes.saturating_sub(first.kilobytes) as f64;
    // From n to 4n it is three times as much as from n to 2n.
    let is_linear = more(third) <= more(second) * 3.0 * LINEAR + NOISE;
    verdict(is_linear, &format!("memory is linear: {} and {} KB more", more(second), more(third)));
}

fn verdict(is_met: bool, text: &str) {
    println!("  {}: {text}", if is_met { "met" } else { "NOT MET" });
}

/// The mean of several runs; `None` if one takes too long.
fn mean(model: &str, arguments: &[String]) -> Option<Cost> {
    let (before, mut kilobytes) = (children(), 0);
    for number in 1..=RUNS {
        kilobytes = kilobytes.max(run(model, arguments)?);
        let time = children() - before;
        if time >= ENOUGH || number == RUNS {
            return Some(Cost { time: time / f64::from(number), kilobytes });
        }
    }
    None
}

/// The processor's time of all processes that were waited for, in seconds; see proc(5).
fn children() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the system tells what processes take");
    let (_, fields) = stat.rsplit_once(')').expect("the name of the command comes first");
    let ticks = fields.split_whitespace().skip(13).take(2);
    ticks.map(|field| field.parse::<f64>().expect("a number of ticks")).sum::<f64>() / TICKS
}

/// Runs the command and gives its peak memory; `None` if it takes too long.
fn run(model: &str, arguments: &[String]) -> Option<u64> {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["explore", "--jobs", "1", "--traces", "none", "--heap", model]).args(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lazuli starts");
    let status = format!("/proc/{}/status", child.id());
    let mut kilobytes = 0;
    loop {
        // The kernel keeps the peak: what is read last is what it was.
        kilobytes = kilobytes.max(peak(Path::new(&status)));
        if let Some(exit) = child.try_wait().expect("a child can be waited for") {
            // 1: a property was violated, 3: something was cut off. Anything else is a run that has not taken place.
            assert!(matches!(exit.code(), Some(0 | 1 | 3)), "{command:?}: {exit}");
            return Some(kilobytes);
        }
        if started.elapsed() > LIMIT {
            child.kill().expect("a child can be killed");
            child.wait().expect("a child can be waited for");
            return None;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// The peak resident memory of a process, in kilobytes; 0 where the system does not say.
fn peak(status: &Path) -> u64 {
    let status = std::fs::read_to_string(status).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
}

// ---- the subjects ----

/// Writes a program; its path.
fn written(name: &str, bound: u32, text: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scale-{name}-{bound}.pose"));
    std::fs::write(&path, text).expect("the build directory can be written");
    path.to_string_lossy().into_owned()
}

const NODE: &str = "class Node { Node next; int v; }\nlet n0 : Node := Y0 in\n";

/// Follows a list of unknown nodes.
fn walk(n: u32) -> String {
    let steps: String = (0..n).map(|i| format!("let n{} : Node := n{i}.next in\n", i + 1)).collect();
    format!("{NODE}{steps}n{n}\n")
}

/// Likewise, and writes into every node.
fn mark(n: u32) -> String {
    let steps: String = (0..n).map(|i| format!("{{ n{i}.v := 1; let n{} : Node := n{i}.next in\n", i + 1)).collect();
    format!("{NODE}{steps}n{n}{}\n", " }".repeat(n as usize))
}

/// The search in an AVL tree, down to a depth.
fn find(depth: u32) -> String {
    let classes = std::fs::read_to_string(Path::new(PROGRAMS).join("pose/avl.pose")).expect("the subject is there");
    let main = format!("let t : AvlTree := Y0 in {{ t.depthBound := {depth}; t.find[X0] }}");
    written("find", depth, &format!("{classes}\n{main}\n"))
}

/// A method of the JDK on valid inputs with at most so many nodes.
fn library(entry: &str, class: &str, node: &str, n: u32) -> Vec<String> {
    let invariants = format!("{PROGRAMS}/java/jdk/{class}.hex");
    let most = format!("java.util.{class}.{node}={n}");
    let mut arguments: Vec<String> = ["jdk", "--types", "Object=java.lang.Integer"].map(String::from).into();
    let more = ["--entry", entry, "--invariants", &invariants, "--n", &most];
    arguments.extend(more.map(String::from));
    arguments
}

/// A method of our own subjects on inputs of which `repOk` is true, asked beforehand.
fn prep(class: &str, method: &str, node: &str, n: u32) -> Vec<String> {
    let (file, entry) = (format!("{PROGRAMS}/hex/subjects/{class}.pose"), format!("{class}.{method}"));
    let most = format!("{node}={n}");
    let arguments = [&file, "--entry", &entry, "--invariants-by", "prep", "--n", &most];
    arguments.map(String::from).into()
}
