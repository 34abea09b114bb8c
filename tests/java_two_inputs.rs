//! P5 to P7 of the HEX document in Java: programs with two inputs that have nothing in common. They have the traces that they have in the tiny
//! language, with the same files of invariants; HEX leaves no invalid one, and invariants of single inputs do.

use crate::java;

use std::path::Path;
use std::time::Duration;

use lazuli::Control;
use lazuli_cli::tables::hex::{SUBJECTS, Subject};
use lazuli_engine::config::{Bounds, Config, HeapKind, Most, TraceDetail};
use lazuli_invariant::{InvariantSource, Invariants, Technique};
use lazuli_lab::audit;
use lazuli_program::Program;
use lazuli_program::frontend::java::load;
use lazuli_program::library::World;

use java::{options, run};

const NUMBERS: [&str; 3] = ["P5", "P6", "P7"];

/// Fewer nodes than the document has, by one; and as many in a completion.
const SMALLER: u32 = 1;

fn subject(number: &str) -> &'static Subject {
    SUBJECTS.iter().find(|subject| subject.number == number).expect("a subject of the table")
}

/// The subject in Java, with its one target as the entry.
fn in_java(subject: &Subject) -> Program {
    let (source, package) = subject.java.expect("it is there in Java");
    let path = format!("{}/hex/{source}", java::SOURCES);
    let entry = format!("{}.{}", package.replace('/', "."), subject.entries[0]);
    load(Path::new(&path), &options(Some(&entry), World::default())).unwrap_or_else(|error| panic!("{error}"))
}

fn config(subject: &Subject, program: &Program, technique: Technique, heap: HeapKind) -> Config {
    let file = technique.reads_file().then(|| format!("../programs/hex/subjects/{}.hex", subject.file).into());
    let completion = vec![Most::of(subject.node, subject.completion - SMALLER)];
    let source = InvariantSource { file, ..InvariantSource::methods(technique, completion) };
    let invariants = Invariants::load(&source, program).unwrap_or_else(|error| panic!("{error}")).shared();
    Config {
        heap,
        bounds: Bounds {
            n: vec![Most::of(subject.node, subject.nodes - SMALLER)],
            steps: 100_000,
            calls: 60,
            ..Bounds::default()
        },
        invariants: Some(invariants),
        detail: TraceDetail::Full,
        ..Config::default()
    }
}

#[test]
fn two_inputs_have_the_traces_of_the_tiny_language() {
    for subject in NUMBERS.map(subject) {
        let program = in_java(subject);
        let tiny = subject.load(Path::new("../programs")).expect("the subject loads");
        for heap in [HeapKind::Lazy, HeapKind::Summary, HeapKind::Pose] {
            let name = format!("{} under {heap}", subject.number);
            let ours = run(&program, &config(subject, &program, Technique::Hex, heap), &name);
            let entry = Some(subject.entries[0].to_string());
            let theirs = run(&tiny, &Config { entry, ..config(subject, &tiny, Technique::Hex, heap) }, &name);
            let counts = |run: &lazuli::Run| (run.counts.traces, run.counts.returned, run.counts.stopped);
            assert_eq!(counts(&ours), counts(&theirs), "{name}");
            assert!(ours.counts.returned > 0, "{name}");
        }
    }
}

/// By `repOk` of every input and `repOkInputs`, which says what holds between them.
#[test]
fn only_what_speaks_of_both_inputs_is_exact() {
    for subject in NUMBERS.map(subject) {
        let program = in_java(subject);
        let measure = |technique| {
            let extent = audit::Extent {
                completion: vec![Most::of(subject.node, subject.completion - SMALLER)],
                time: Duration::from_secs(60),
            };
            let config = config(subject, &program, technique, HeapKind::Lazy);
            audit::audit(&program, &config, extent, &Control::default()).unwrap_or_else(|error| panic!("{error}"))
        };
        let (hex, prep) = (measure(Technique::Hex), measure(Technique::Prep));
        let name = subject.number;
        assert_eq!((hex.invalid, hex.unknown, hex.false_alarms, hex.incomplete), (0, 0, 0, None), "{name}: HEX");
        assert!(hex.valid > 0 && prep.invalid > 0, "{name}: {hex:?} {prep:?}");
    }
}
