//! The speed of Java against our targets: concrete execution, the paper's first programs from the command to the answer, and the
//! JDK's own library.
//!
//! ```text
//! cargo bench -p lazuli-cli --bench java
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use lazuli::{Control, explore};
use lazuli_engine::config::{Config, TraceDetail};
use lazuli_program::Program;
use lazuli_program::frontend::java::{JavaOptions, load};
use lazuli_program::library::World;

/// The command's allocator: states are copied at every fork.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The shortest of so many runs is shown.
const RUNS: usize = 5;

/// Bytecode instructions of `speed.Loop.million`.
const LOOP_INSTRUCTIONS: f64 = 12e6;

/// The subjects from the JDK, and how many decisions a path may take.
const LIBRARY: [(&str, usize); 12] = [
    ("java.util.LinkedList.remove(Object)", 10),
    ("java.util.ArrayList.add(Object)", 12),
    ("java.util.ArrayDeque.addLast", 12),
    ("java.util.TreeMap.put(Object,Object)", 16),
    ("java.util.TreeMap.get", 10),
    ("java.util.HashMap.get", 10),
    ("java.util.HashMap.put", 6),
    ("java.util.PriorityQueue.offer", 10),
    ("java.lang.StringBuilder.append(char)", 8),
    ("java.lang.Integer.parseInt(String)", 1_000),
    ("java.util.Arrays.binarySearch(int[],int)", 1_000),
    ("java.util.Arrays.sort(int[])", 1_000),
];

fn main() {
    let classes = compile();
    let concrete = fastest(|| run(&program(&classes, "speed.Loop.million", World::default()), &config(None, 1_000)));
    let speed = LOOP_INSTRUCTIONS / concrete.as_secs_f64() / 1e6;
    println!("speed.Loop.million: {:.0} ms, {speed:.0} million bytecode instructions a second", millis(concrete));
    verdict("at least 20 million a second", speed >= 20.0);
    for entry in ["swap", "sum", "hasNullWithin4", "hasNullWithin10"] {
        let time = fastest(|| {
            let started = Instant::now();
            run(&program(&classes, &format!("pose.Sample.{entry}"), World::default()), &config(None, 1_000));
            started.elapsed()
        });
        println!("pose.Sample.{entry}, reading included: {:.1} ms", millis(time));
        verdict("under 0.2 s", time < Duration::from_millis(200));
    }
    let mut all = Duration::ZERO;
    for (entry, depth) in LIBRARY {
        let integers = ("java.lang.Object".to_string(), vec!["java.lang.Integer".to_string()]);
        let world = World { types: vec![integers], max_array: 4, max_string: 4, ..World::default() };
        let time = run(&program(Path::new("jdk"), entry, world), &config(Some(3), depth));
        println!("{entry}, k = 3, at most {depth} decisions: {:.0} ms", millis(time));
        all += time;
        if entry.starts_with("java.util.TreeMap.put") {
            verdict("under 5 s", time < Duration::from_secs(5));
        }
    }
    println!("the library together: {:.1} s", all.as_secs_f64());
    verdict("under 60 s", all < Duration::from_secs(60));
}

/// Compiles the programs below the build directory.
fn compile() -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-programs");
    let status = Command::new("../../programs/java/build.sh").arg(&out).status().expect("build.sh runs");
    assert!(status.success(), "the Java programs do not compile");
    out
}

fn program(path: &Path, entry: &str, world: World) -> Program {
    let provided = lazuli_engine::natives::provides;
    let options = JavaOptions { class_path: Vec::new(), entry: Some(entry.into()), world, provided };
    load(path, &options).unwrap_or_else(|error| panic!("{entry}: {error}"))
}

fn config(k: Option<u32>, depth: usize) -> Config {
    let mut config = Config { detail: TraceDetail::None, ..Config::default() };
    (config.bounds.k, config.bounds.depth) = (k, depth);
    config
}

fn run(program: &Program, config: &Config) -> Duration {
    explore(program, config, &Control::default()).expect("an entry").time
}

fn fastest(measure: impl Fn() -> Duration) -> Duration {
    (0..RUNS).map(|_| measure()).min().expect("there was a run")
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn verdict(what: &str, met: bool) {
    println!("  {}: {what}", if met { "met" } else { "NOT MET" });
}
