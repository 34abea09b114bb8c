//! Random programs in Java (`java/generate.rs`), explored within bounds: the real JVM, given a witness, does what its trace says, and comes to the same
//! objects.
//!
//! `LAZULI_RANDOM_PROGRAMS=N` takes more of them, `LAZULI_RANDOM_SEED=N` others.

use crate::java::{self, generate};
use crate::random::seeds::seeds;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use lazuli_engine::config::{Config, HeapKind};
use lazuli_program::library::World;

/// So many programs stand in one source.
const TOGETHER: usize = 50;

/// Compiles all programs at once, to a folder of this name.
pub fn compile(name: &str, programs: &[generate::Program]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let (sources, out) = (folder.join("sources"), folder.join("classes"));
    std::fs::create_dir_all(&sources).expect("a folder for the sources");
    let mut javac = Command::new(java::jdk_program("javac"));
    javac.args(["-g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"]).arg(&out);
    for (number, together) in programs.chunks(TOGETHER).enumerate() {
        let text: String = together.iter().map(|program| program.source.as_str()).collect();
        let path = sources.join(format!("Random{number}.java"));
        std::fs::write(&path, format!("{}{text}", generate::IMPORTS)).expect("a source");
        javac.arg(path);
    }
    let output = javac.output().expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    out
}

fn config(heap: HeapKind) -> Config {
    let mut config = Config { heap, ..Config::default() };
    config.bounds.depth = 40;
    config.bounds.steps = 100_000;
    config.bounds.calls = 200;
    config.bounds.traces = Some(12);
    config.bounds.time = Some(Duration::from_millis(500));
    config.solver.effort = 500;
    config
}

#[test]
fn random_programs_do_on_the_jvm_what_their_traces_say() {
    let seeds = seeds(1_000);
    let programs: Vec<generate::Program> = seeds.clone().map(generate::generate).collect();
    let classes = compile("java-random", &programs);
    let world = World { max_array: 3, max_string: 2, ..World::default() };
    let options = java::options(Some(&format!("{}.run", programs[0].class)), world);
    let mut loaded = lazuli_program::frontend::java::load(&classes, &options).unwrap_or_else(|error| panic!("{error}"));
    let (mut traces, mut confirmed, mut others, mut stopped) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for (seed, program) in seeds.zip(&programs) {
        let heap = [HeapKind::Pose, HeapKind::Lazy, HeapKind::Summary, HeapKind::PoseIte][seed as usize % 4];
        let library = loaded.library.as_deref().expect("a program in Java");
        let class = library.class_id(&program.class);
        let entry = library.java(class).declared_methods.iter().find(|((name, _), _)| &**name == "run");
        loaded.main = entry.map(|(_, method)| *method);
        loaded.receiver = Some(class);
        let run = java::explore(&loaded, &config(heap)).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        wrong.extend(java::refuted(&run).into_iter().map(|what| format!("seed {seed} under {heap}, {what}")));
        traces += run.counts.traces;
        confirmed += run.counts.agreed;
        others += run.counts.not_comparable;
        stopped += run.counts.stopped;
        if std::env::var_os("LAZULI_TIMES").is_some() && run.counts.stopped > 0 {
            println!("seed {seed}: {:?}", run.stops);
        }
    }
    println!(
        "{} programs, {traces} traces: {confirmed} confirmed, {others} not comparable, {stopped} stopped",
        programs.len()
    );
    assert!(wrong.is_empty(), "{} traces are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(confirmed > 2 * programs.len() as u64 && confirmed > 20 * others, "too little was compared");
}
