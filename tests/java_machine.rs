//! The machine under the program: what a virtual machine has set up is there (`tests/java/machine`), and everything gives and prints what it does on
//! the real one.

use crate::java;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lazuli::Stream;
use lazuli_engine::concrete::{Answer, call};
use lazuli_engine::config::{Config, Environment, HeapKind, IdentityHash, TraceDetail, Varying};
use lazuli_program::Program;
use lazuli_program::library::World;

const SOURCES: &str = "java/machine";

/// The environment that Lazuli assumes.
const ENVIRONMENT: [&str; 3] = ["-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US"];

fn compiled() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        // Every JDK has its own.
        let jdk = java::jdk_program("java").display().to_string().replace('/', "-");
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("java-machine-{jdk}"));
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir(&out).expect("a directory of the tests");
        let sources = ["Machine.java", "OnMachine.java", "Refused.java", "StartState.java", "Varying.java"];
        let mut javac = Command::new(java::jdk_program("javac"));
        let javac =
            javac.args(["-g", "-XDignore.symbol.file", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]);
        let status = javac.arg("-d").arg(&out).args(sources.map(|name| Path::new(SOURCES).join(name))).status();
        assert!(status.expect("there is a JDK").success(), "the sources do not compile");
        out
    })
}

fn program(method: &str) -> Program {
    let options = java::options(Some(method), World::default());
    lazuli_program::frontend::java::load(compiled(), &options).unwrap_or_else(|error| panic!("{method}: {error}"))
}

/// The methods without parameters of a class.
fn methods(class: &str) -> Vec<String> {
    let all = java::methods_of(compiled(), &[]).into_iter();
    all.filter_map(|target| Some(target.strip_prefix(class)?.strip_prefix('.')?.split_once("()")?.0.to_string()))
        .collect()
}

/// What the real machine says of every method: what it gave, and what it printed.
fn on_jvm(class: &str, names: &[String]) -> BTreeMap<String, (String, String)> {
    let mut java = Command::new(java::jdk_program("java"));
    let java = java.args(ENVIRONMENT).args(["-ea", "-cp"]).arg(compiled()).args(["OnMachine", class]);
    let mut child = java.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("there is a JVM");
    let text = names.join("\n") + "\n";
    child.stdin.take().expect("it was piped").write_all(text.as_bytes()).expect("the JVM reads all names");
    let output = child.wait_with_output().expect("the JVM ends");
    let answers = String::from_utf8(output.stdout).expect("answers are text");
    let answers = answers.lines().map(|line| {
        let mut parts = line.split('\t').map(String::from);
        let mut part = || parts.next().expect("three parts");
        (part(), (part(), part()))
    });
    answers.collect()
}

/// As the real machine writes it.
fn quote(text: &str) -> String {
    let unit = |unit: u16| match unit {
        0x20..=0x7e if unit != b'\\' as u16 => (unit as u8 as char).to_string(),
        _ => format!("\\u{unit:04x}"),
    };
    text.encode_utf16().map(unit).collect()
}

fn printed(output: &[(Stream, String)]) -> String {
    let piece = |(stream, text): &(Stream, String)| match stream {
        Stream::Out => format!("[out]{text}"),
        Stream::Err => format!("[err]{text}"),
    };
    quote(&output.iter().map(piece).collect::<String>())
}

#[test]
fn a_program_finds_what_a_virtual_machine_has_set_up() {
    let names = methods("Machine");
    assert!(names.len() > 50, "there are only {names:?}");
    let expected = on_jvm("Machine", &names);
    for name in &names {
        let program = program(&format!("Machine.{name}"));
        let (given, text) = &expected[name];
        for heap in [HeapKind::Lazy, HeapKind::Summary, HeapKind::Pose] {
            let config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
            let run = java::run(&program, &config, &format!("{name} under {heap}"));
            assert_eq!(run.counts.stopped, 0, "{name} under {heap}: {:?}", run.stops);
            let [trace] = run.traces.as_slice() else { panic!("{name} under {heap} has {} traces", run.traces.len()) };
            let facts = trace.detail.as_ref().expect("in full detail");
            assert_eq!(&printed(&facts.printed), text, "{name} under {heap} prints");
            let value = facts.value.as_deref().unwrap_or_default();
            let value = match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
                Some(text) => quote(&text.replace("\\n", "\n")),
                None => value.to_string(),
            };
            let is_truth =
                |text: &str| (text == "returned true" && value == "1") || (text == "returned false" && value == "0");
            assert!(
                *given == format!("returned {value}") || is_truth(given),
                "{name} under {heap}: {value}, not {given}"
            );
        }
    }
}

/// What differs from run to run stops the path that depends on it, by name; what only passes it on goes on. Where it is an input, nothing stops.
#[test]
fn what_differs_from_run_to_run_decides_nothing() {
    let names = methods("Varying");
    assert!(names.len() >= 10, "there are only {names:?}");
    for name in names {
        let program = program(&format!("Varying.{name}"));
        for heap in [HeapKind::Lazy, HeapKind::Summary, HeapKind::Pose] {
            let what = format!("{name} under {heap}");
            let config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
            let run = java::run(&program, &config, &what);
            let stops = name.starts_with("decides");
            assert_eq!(run.counts.stopped > 0, stops, "{what}: {:?}", run.stops);
            assert_eq!(run.counts.returned > 0, !stops, "{what}");
            let environment = Environment { varying: Varying::Unknown, identity_hash: IdentityHash::Numbered };
            let run = java::run(&program, &Config { environment, ..config }, &what);
            assert_eq!(run.counts.stopped, 0, "{what}, as inputs: {:?}", run.stops);
        }
    }
}

/// What depends on where and how the program was started is not guessed.
#[test]
fn what_is_not_known_of_the_start_stops_by_name() {
    let names = methods("Refused");
    assert!(names.len() >= 7, "there are only {names:?}");
    for name in names {
        let program = program(&format!("Refused.{name}"));
        for heap in [HeapKind::Lazy, HeapKind::Summary, HeapKind::Pose] {
            let run = java::run(&program, &Config { heap, ..Config::default() }, &format!("{name} under {heap}"));
            assert_eq!((run.counts.stopped, run.counts.traces), (1, 1), "{name} under {heap}: {:?}", run.stops);
        }
    }
}

/// Caches that the program which looks at the statics has filled itself, or the start of the modules.
const FILLED: [&str; 3] = [
    "java.lang.Class.reflectionFactory",
    "java.lang.Class.allPermDomain",
    "java.lang.Module$ArchivedData.archivedData",
];

/// Whatever static a virtual machine has set when a program starts is not null here either; or the path stops by name.
#[test]
fn no_static_of_the_start_is_null() {
    let mut java = Command::new(java::jdk_program("java"));
    // Without the archive of classes that a virtual machine may have.
    let java =
        java.args(["-Xshare:off", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-cp"]).arg(compiled());
    let output = java.arg("StartState").output().expect("there is a JVM");
    let fields = String::from_utf8(output.stdout).expect("names are text");
    assert!(fields.lines().count() > 100, "{fields}{}", String::from_utf8_lossy(&output.stderr));
    let program = program("Machine.streams");
    let config = Config::default();
    let (mut nulls, mut named) = (Vec::new(), 0);
    for field in fields.lines().filter(|field| !FILLED.contains(field)) {
        let request = format!("java.util.Objects.isNull(Ljava/lang/Object;)Z @{field}");
        match call(&program, &config, &request) {
            Ok(Answer::Returned(text)) if text == "false" => {}
            Ok(Answer::Returned(_)) => nulls.push(field.to_string()),
            Ok(Answer::Threw { class, .. }) => panic!("{field}: {class}"),
            Ok(Answer::Stopped(_)) | Err(_) => named += 1,
        }
    }
    assert!(nulls.is_empty(), "null here, but not on a virtual machine: {nulls:?}");
    assert!(named * 20 < fields.lines().count(), "{named} of {} stop", fields.lines().count());
}
