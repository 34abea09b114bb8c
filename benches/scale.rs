//! How the heap models scale: curves of a bound against time and memory, one column a model, with verdicts.
//!
//! ```text
//! cargo bench -p lazuli-cli --bench scale                 every subject
//! cargo bench -p lazuli-cli --bench scale -- walk put     some of them
//! ```
//!
//! Every cell is a run of the command by itself, because memory is that of a process. All cells of a curve are of one run
//! of the benchmark, so that their ratios mean something.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Benchmarks run in their package's directory.
const PROGRAMS: &str = "../../programs";

/// In the order of the columns. Verdicts compare the last one with the first.
const MODELS: [&str; 4] = ["lazy", "summary", "pose-ite", "pose"];

/// No cell takes longer; what would is shown as a dash, and larger bounds of the model are not tried.
const LIMIT: Duration = Duration::from_secs(20);

/// A cell is the shortest of so many runs, if they are short.
const RUNS: usize = 5;
const SHORT: Duration = Duration::from_millis(500);

/// A family of runs by one bound.
struct Curve {
    name: &'static str,
    bounds: &'static [u32],
    /// The arguments of `lazuli explore`.
    arguments: fn(u32) -> Vec<String>,
    /// How many times the time of `lazy` may be taken where both end.
    most: f64,
}

const CURVES: [Curve; 8] = [
    Curve { name: "walk", bounds: &[20, 40, 80, 160], arguments: |n| vec![written("walk", n, &walk(n))], most: 2.0 },
    Curve { name: "mark", bounds: &[20, 40, 80, 160], arguments: |n| vec![written("mark", n, &mark(n))], most: 2.0 },
    Curve {
        name: "walk 40, --k",
        bounds: &[2, 4, 8, 100],
        arguments: |k| vec![written("walk", 40, &walk(40)), "--k".into(), k.to_string()],
        most: 2.0,
    },
    Curve { name: "find", bounds: &[3, 5, 7, 9], arguments: |depth| vec![find(depth)], most: 2.0 },
    Curve {
        name: "find, --k 12",
        bounds: &[3, 5, 7, 9],
        arguments: |depth| vec![find(depth), "--k".into(), "12".into()],
        most: 2.0,
    },
    Curve { name: "avl_find", bounds: &[5, 6, 7, 8, 9, 10], arguments: |depth| vec![find(depth)], most: 1.0 },
    Curve {
        name: "TreeMap.put + HEX, --n",
        bounds: &[1, 2, 4, 6, 8, 10, 12],
        arguments: |n| library("java.util.TreeMap.put(Object,Object)", "TreeMap", "Entry", n),
        most: 1.0,
    },
    Curve {
        name: "LinkedList.remove + HEX, --n",
        bounds: &[1, 2, 4, 6, 8, 10, 12],
        arguments: |n| library("java.util.LinkedList.remove(Object)", "LinkedList", "Node", n),
        most: 1.0,
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
    time: Duration,
    megabytes: u64,
}

impl Curve {
    fn print(&self) {
        println!("{}", self.name);
        let columns: String = MODELS.iter().map(|model| format!("{model:>24}")).collect();
        println!("{:>8}{columns}", "");
        let mut has_ended = [true; MODELS.len()];
        let mut verdicts = Vec::new();
        for &bound in self.bounds {
            let arguments = (self.arguments)(bound);
            let mut line = format!("{bound:>8}");
            let mut costs = [None; MODELS.len()];
            for (at, model) in MODELS.into_iter().enumerate() {
                costs[at] = if has_ended[at] { shortest(model, &arguments) } else { None };
                has_ended[at] = costs[at].is_some();
                let cell = costs[at].map_or("–".into(), |cost| {
                    format!("{:.1} ms {:>5} MB", cost.time.as_secs_f64() * 1e3, cost.megabytes)
                });
                write!(line, "{cell:>24}").expect("a string can be written");
            }
            println!("{line}");
            verdicts.push((bound, costs[0], costs[MODELS.len() - 1]));
        }
        for (bound, lazy, ours) in verdicts {
            let (text, met) = match (lazy, ours) {
                (Some(lazy), Some(ours)) => {
                    let ratio = ours.time.as_secs_f64() / lazy.time.as_secs_f64();
                    (format!("{ratio:.2} times lazy"), ratio <= self.most)
                }
                (None, Some(_)) => ("lazy does not end".into(), true),
                (_, None) => ("does not end".into(), false),
            };
            println!("  {}: {bound}: at most {:.1}, {text}", if met { "met" } else { "NOT MET" }, self.most);
        }
        println!();
    }
}

fn shortest(model: &str, arguments: &[String]) -> Option<Cost> {
    let mut best = run(model, arguments)?;
    for _ in 1..RUNS {
        if best.time > SHORT {
            break;
        }
        let next = run(model, arguments)?;
        best = Cost { time: best.time.min(next.time), megabytes: best.megabytes.max(next.megabytes) };
    }
    Some(best)
}

/// Runs the command; `None` if it takes too long.
fn run(model: &str, arguments: &[String]) -> Option<Cost> {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["explore", "--jobs", "1", "--show", "0", "--heap", model]).args(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lazuli starts");
    let status = format!("/proc/{}/status", child.id());
    let mut megabytes = 0;
    loop {
        // The kernel keeps the peak: what is read last is what it was.
        megabytes = megabytes.max(peak(Path::new(&status)));
        if let Some(exit) = child.try_wait().expect("a child can be waited for") {
            // 1: a property was violated, 3: something was cut off. Anything else is a run that has not taken place.
            assert!(matches!(exit.code(), Some(0 | 1 | 3)), "{command:?}: {exit}");
            return Some(Cost { time: started.elapsed(), megabytes });
        }
        if started.elapsed() > LIMIT {
            child.kill().expect("a child can be killed");
            child.wait().expect("a child can be waited for");
            return None;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// The peak resident memory of a process, in megabytes; 0 where the system does not say.
fn peak(status: &Path) -> u64 {
    let status = std::fs::read_to_string(status).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
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
    let counted = format!("java.util.{class}.{node}");
    let mut arguments: Vec<String> = ["jdk", "--types", "Object=java.lang.Integer"].map(String::from).into();
    let n = n.to_string();
    let more = ["--entry", entry, "--invariants", &invariants, "--n", &format!("{counted}={n}")];
    arguments.extend(more.map(String::from));
    arguments
}
