//! String's methods on unknown strings (`tests/java/strings/Against.java`) beside plain loops over their characters: the engine gives one term for a
//! method, executes the loops, and must find no string on which they differ. Elsewhere: what they fork on.

use crate::java;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use lazuli::{Control, Run, explore};
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_program::Program;
use lazuli_program::library::World;

const METHODS: [&str; 19] = [
    "equal",
    "constant",
    "ignoringCase",
    "hash",
    "order",
    "starts",
    "ends",
    "region",
    "first",
    "last",
    "firstText",
    "nothing",
    "lastText",
    "joined",
    "added",
    "part",
    "digits",
    "built",
    "parsed",
];

fn compiled() -> &'static Path {
    static OUT: OnceLock<PathBuf> = OnceLock::new();
    OUT.get_or_init(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-strings");
        let sources = ["Against.java", "Forks.java", "Numbers.java"].map(|name| Path::new("java/strings").join(name));
        let mut javac = Command::new(java::jdk_program("javac"));
        let status = javac.args(["-g", "-d"]).arg(&out).args(sources).status();
        assert!(status.expect("there is a JDK").success(), "the sources do not compile");
        out
    })
}

fn loaded(class: &str, method: &str, max_string: u32) -> Program {
    let world = World { max_array: 3, max_string, ..World::default() };
    let options = java::options(Some(&format!("{class}.{method}")), world);
    lazuli_program::frontend::java::load(compiled(), &options).unwrap_or_else(|e| panic!("{method}: {e}"))
}

fn explored(class: &str, method: &str, max_string: u32, heap: HeapKind, detail: TraceDetail) -> Run {
    let program = loaded(class, method, max_string);
    let config = Config { heap, detail, ..Config::default() };
    explore(&program, &config, &Control::default()).unwrap_or_else(|error| panic!("{method}: {error}"))
}

#[test]
fn terms_say_what_loops_over_characters_say() {
    for heap in [HeapKind::Pose, HeapKind::PoseIte, HeapKind::Lazy] {
        for method in METHODS {
            let run = explored("Against", method, 2, heap, TraceDetail::None);
            let counts = &run.counts;
            assert!(counts.returned > 0, "{method} under {heap}: nothing returns");
            assert_eq!(counts.assert_failed, 0, "{method} under {heap}");
            assert_eq!(counts.threw, 0, "{method} under {heap}");
            assert_eq!(counts.stopped, 0, "{method} under {heap}: {:?}", run.stops);
        }
    }
}

/// Traces that return and that throw: one of the latter is that of null.
#[test]
fn strings_fork_only_where_the_program_does() {
    let expected = [
        ("eq", 2, 1),
        ("starts", 2, 1),
        ("ends", 2, 1),
        ("index", 2, 1),
        ("contains", 2, 1),
        ("compare", 2, 2),
        ("hash", 2, 1),
        ("region", 2, 1),
        ("ignore", 2, 1),
        ("sub", 2, 2),
        ("cat", 2, 2),
        // The branches of a switch are about the hash code first: another string may have that of a case.
        ("choose", 5, 1),
        ("value", 1, 1),
        ("message", 1, 1),
    ];
    for heap in [HeapKind::Pose, HeapKind::PoseIte, HeapKind::Summary] {
        for (method, returned, threw) in expected {
            let run = explored("Forks", method, 4, heap, TraceDetail::Full);
            let counts = &run.counts;
            assert_eq!((counts.returned, counts.threw), (returned, threw), "{method} under {heap}");
            assert_eq!(counts.traces, counts.agreed, "{method} under {heap}: a witness does something else");
        }
    }
}

/// Traces that return and that throw. What is always so is one trace, whatever the digits are; what is read decides whether it is a number, and
/// the program decides the rest. The JVM confirms all of it, with the messages.
#[test]
fn numbers_and_their_texts() {
    let expected = [
        ("roundTrip", 1, 0),
        ("longRoundTrip", 1, 0),
        ("widened", 1, 0),
        ("narrowed", 1, 1),
        ("seventeen", 2, 0),
        ("noNumber", 1, 0),
        ("same", 2, 0),
        ("first", 2, 0),
        ("last", 2, 0),
        ("length", 2, 0),
        ("built", 2, 0),
        // Two of them throw: null, and what is no number.
        ("parsed", 2, 2),
        ("parsedLong", 2, 2),
        ("boxed", 2, 2),
        ("hex", 2, 2),
        ("refused", 3, 0),
        ("split", 1, 0),
        ("splitBy", 2, 0),
        ("clock", 1, 0),
        ("squares", 1, 0),
        ("rest", 3, 0),
        ("digits", 4, 0),
        ("exact", 2, 1),
        ("exactByInt", 2, 1),
        ("upper", 4, 0),
        ("half", 2, 0),
    ];
    for heap in [HeapKind::Pose, HeapKind::Summary, HeapKind::Lazy] {
        for (method, returned, threw) in expected {
            let config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
            let run = java::explore(&loaded("Numbers", method, 4), &config).unwrap_or_else(|e| panic!("{method}: {e}"));
            let counts = &run.counts;
            assert_eq!(java::refuted(&run), Vec::<String>::new(), "{method} under {heap}");
            assert_eq!((counts.returned, counts.threw), (returned, threw), "{method} under {heap}: {:?}", run.stops);
            assert_eq!(counts.traces, counts.agreed, "{method} under {heap}");
        }
    }
}
