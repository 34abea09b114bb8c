//! What the tests of Java programs share: the programs, compiled; the real JVM, asked by lines; and inputs.

// Every test uses a part of it.
#![allow(dead_code)]

pub mod generate;
pub mod inputs;
pub mod small;
pub mod twin;
pub mod witness;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::SystemTime;

use lazuli::{Control, Jvm, Outcome, Run, Verdict, explore_judged};
use lazuli_engine::config::Config;
use lazuli_program::Program;
use lazuli_program::frontend::java::{self, JavaOptions};
use lazuli_program::library::World;

/// Tests run in their package's directory.
pub const SOURCES: &str = "../programs/java";

/// The directory of the compiled programs. They are compiled again when a source is newer.
pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-programs");
        let stamp = out.join("compiled");
        let compiled = std::fs::metadata(&stamp).and_then(|m| m.modified());
        if compiled.is_ok_and(|time| time > newest(Path::new(SOURCES))) {
            return out;
        }
        let _ = std::fs::remove_dir_all(&out);
        let status = Command::new(Path::new(SOURCES).join("build.sh")).arg(&out).status().expect("build.sh runs");
        assert!(status.success(), "the Java programs do not compile");
        std::fs::write(&stamp, "").expect("the output directory is writable");
        out
    })
}

fn newest(directory: &Path) -> SystemTime {
    let entries = std::fs::read_dir(directory).expect("the sources are there").map(|e| e.expect("readable").path());
    let times = entries.map(|path| match path.is_dir() {
        true => newest(&path),
        false => path.metadata().and_then(|m| m.modified()).expect("files have times"),
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The program of all classes. Which method is executed can be changed.
pub fn program(entry: &str, max_array: u32, max_string: u32) -> Program {
    program_with(entry, World { max_array, max_string, ..World::default() })
}

pub fn program_with(entry: &str, world: World) -> Program {
    java::load(classes(), &options(Some(entry), world)).unwrap_or_else(|error| panic!("{error}"))
}

/// What a program is read with.
pub fn options(entry: Option<&str>, world: World) -> JavaOptions {
    let provided = lazuli_engine::natives::provides;
    JavaOptions { class_path: Vec::new(), entry: entry.map(str::to_string), world, provided }
}

/// Explores to the end; every witness is confirmed by the JVM, as far as it can be.
pub fn run(program: &Program, config: &Config, what: &str) -> Run {
    let run = explore(program, config).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(run.incomplete, None, "{what}");
    assert_eq!(refuted(&run), Vec::<String>::new(), "{what}");
    run
}

/// Explores before the JVM, of which there is one for all tests; programs in other languages are judged by their replay.
pub fn explore(program: &Program, config: &Config) -> Result<Run, lazuli::Error> {
    static JVM: OnceLock<Option<Jvm>> = OnceLock::new();
    if program.library.is_none() {
        return lazuli::explore(program, config, &Control::default());
    }
    let jvm = JVM.get_or_init(|| Jvm::of(program)).as_ref().expect("the program is in Java");
    let run = explore_judged(program, config, &Control::default(), jvm)?;
    tally(&run);
    Ok(run)
}

/// The traces whose witnesses do something else, or were not tried, and why.
pub fn refuted(run: &Run) -> Vec<String> {
    let judged = run.traces.iter().filter(|trace| !matches!(trace.outcome, Outcome::Stopped(_)));
    let judged = judged.filter_map(|trace| Some((trace.id(), &trace.detail.as_ref()?.judgement)));
    let doubted =
        judged.filter(|(_, judgement)| matches!(judgement.verdict, Verdict::Differs(_) | Verdict::NotTried(_)));
    doubted.map(|(id, judgement)| format!("trace {id}: {judgement}")).collect()
}

/// What the JVM said of all traces so far: how many it confirmed, and why others could not be compared.
fn tally(run: &Run) {
    static SAID: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let mut said = SAID.lock().expect("no panic while locked");
    for judgement in run.traces.iter().filter_map(|trace| Some(&trace.detail.as_ref()?.judgement)) {
        match &judgement.verdict {
            Verdict::Agrees => *said.entry("confirmed by the JVM".into()).or_default() += 1,
            Verdict::NotComparable(why) => *said.entry(format!("not comparable: {why}")).or_default() += 1,
            Verdict::Differs(_) | Verdict::NotTried(_) => {}
        }
    }
    let Some(file) = std::env::var_os("LAZULI_TALLY") else { return };
    let lines = said.iter().map(|(what, traces)| format!("{traces} {what}\n"));
    std::fs::write(file, lines.collect::<String>()).expect("the tally can be written");
}

/// A program of the JDK that is compared with.
pub fn jdk_program(name: &str) -> PathBuf {
    std::env::var_os("JAVA_HOME").map_or_else(|| name.into(), |home| Path::new(&home).join("bin").join(name))
}

fn harness(of: &Path) -> Command {
    let mut command = Command::new(jdk_program("java"));
    command.args(["-ea", "-XX:-ShowCodeDetailsInExceptionMessages", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]);
    command.arg("-cp").arg(classes()).arg("harness.RunOnJvm").arg("--cp").arg(of);
    command
}

/// The public static methods of packages, as targets of requests.
pub fn methods(packages: &[&str]) -> Vec<String> {
    methods_of(classes(), packages)
}

/// Likewise, of the classes in a directory.
pub fn methods_of(directory: &Path, packages: &[&str]) -> Vec<String> {
    let output = harness(directory).arg("--list").args(packages).output().expect("there is a JVM");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("targets are text").lines().map(str::to_string).collect()
}

/// The real JVM's answers to requests, one a line.
pub fn run_on_jvm(requests: &[String]) -> Vec<String> {
    run_on_jvm_with(classes(), requests)
}

/// Likewise, with the classes in a directory.
pub fn run_on_jvm_with(directory: &Path, requests: &[String]) -> Vec<String> {
    let mut command = harness(directory);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("there is a JVM");
    let mut input = child.stdin.take().expect("it was piped");
    let text = requests.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the JVM ends");
    writer.join().expect("no panic").expect("the JVM reads all requests");
    let answers: Vec<String> =
        String::from_utf8(output.stdout).expect("answers are text").lines().map(str::to_string).collect();
    assert_eq!(answers.len(), requests.len(), "one answer a request");
    answers
}
