//! HEX and the techniques it is compared with (document 002), at bounds that are small enough for a test: what `lazuli tables hex` claims
//! at the document's bounds must hold here for every target of every subject.

use std::path::Path;
use std::time::Duration;

use lazuli::{Control, explore};
use lazuli_cli::tables::hex::measure::{Measured, measure, measure_target};
use lazuli_cli::tables::hex::{Effort, SUBJECTS, Subject, failures};
use lazuli_engine::config::{Bounds, Config, HeapKind, Most, TraceDetail};
use lazuli_invariant::complete::{self, Cut};
use lazuli_invariant::{InvariantSource, Invariants, Technique};

/// Tests run in their package's directory.
const PROGRAMS: &str = "../programs";

fn subject(number: &str) -> &'static Subject {
    SUBJECTS.iter().find(|subject| subject.number == number).expect("a subject of the table")
}

/// Measures a subject with fewer nodes than the table has.
fn measured(number: &str, smaller: u32) -> Measured {
    let effort = Effort { time: Duration::from_secs(60), smaller, pairs: false };
    measure(subject(number), Path::new(PROGRAMS), effort, &Control::default()).expect("the subject runs")
}

/// Everything was explored and measured by the techniques that claim something, and the claims hold.
fn check(measured: &Measured) {
    for target in &measured.targets {
        for technique in [Technique::Hex, Technique::Prep, Technique::Consp, Technique::Bounded] {
            let cell = target.cell(Some(technique)).expect("measured");
            let audit = cell.complete().unwrap_or_else(|| panic!("{}, {technique}: not measured", target.entry));
            assert!(audit.valid > 0, "{}, {technique}: no valid trace", target.entry);
        }
        let hex = target.cell(Some(Technique::Hex)).expect("measured").complete().expect("complete");
        assert_eq!(hex.false_alarms, 0, "{}: false alarms of HEX", target.entry);
        assert_eq!(hex.stopped, 0, "{}: a valid input has a path without end", target.entry);
        for technique in [Technique::Hex, Technique::Consp, Technique::Bounded] {
            if let Some(ratio) = target.ratio(Some(technique)) {
                assert_eq!(ratio, 1.0, "{}, {technique}: only PrEP has another number of valid traces", target.entry);
            }
        }
    }
    let failures = failures(std::slice::from_ref(measured));
    assert!(failures.is_empty(), "{failures:#?}");
}

fn invalid(measured: &Measured, technique: Technique) -> u64 {
    let cells = measured.targets.iter().map(|target| target.cell(Some(technique)).expect("measured"));
    cells.map(|cell| cell.complete().expect("measured").invalid).sum()
}

#[test]
fn doubly_linked_list() {
    let measured = measured("P1", 2);
    check(&measured);
    assert_eq!(invalid(&measured, Technique::Prep), 0);
    assert!(invalid(&measured, Technique::Consp) > 0, "the conservative invariant does not look backwards");
}

#[test]
fn red_black_tree() {
    let measured = measured("P2", 1);
    check(&measured);
    assert_eq!(invalid(&measured, Technique::Prep), 0);
}

#[test]
fn avl_tree() {
    let measured = measured("P3", 2);
    check(&measured);
    assert_eq!(invalid(&measured, Technique::Prep), 0);
}

#[test]
fn node_caching_list() {
    let measured = measured("P4", 2);
    check(&measured);
    assert_eq!(invalid(&measured, Technique::Prep), 0);
    assert!(invalid(&measured, Technique::Consp) > 0, "the conservative invariant does not look backwards");
}

/// Two calls, one after the other, on the same object: the claims hold of them as of single calls, and the second call meets what the first has
/// left. `LAZULI_LONG` measures all pairs.
#[test]
fn pairs_of_calls() {
    let long = std::env::var_os("LAZULI_LONG").is_some();
    let some = ["removeFirst then getFirst", "put then remove", "insert then find", "removeLast then addFirst"];
    for (number, pair) in ["P1", "P2", "P3", "P4"].into_iter().zip(some) {
        let (subject, programs) = (subject(number), Path::new(PROGRAMS));
        let effort = Effort { time: Duration::from_secs(60), smaller: if subject.tree { 1 } else { 2 }, pairs: true };
        let targets = subject.targets(true);
        let methods = subject.entries.len();
        assert_eq!(targets.len(), methods + methods * methods, "{number}: all single calls and all ordered pairs");
        let chosen: Vec<&String> = targets.iter().filter(|target| long || target.ends_with(pair)).collect();
        assert!(!chosen.is_empty(), "{number}: {pair}");
        let measure = |target: &&String| {
            let measured = measure_target(subject, target, programs, effort, &Control::default());
            measured.expect("the pair runs").expect("nobody interrupts")
        };
        check(&Measured { subject, targets: chosen.iter().map(measure).collect() });
    }
    // What was put is found: in the single call `get` there are paths on which it is not.
    let pairs = [("P2", "TreeMap.put then get"), ("P1", "LinkedList.clear then getFirst")];
    let effort = Effort { time: Duration::from_secs(60), smaller: 1, pairs: true };
    let audits = pairs.map(|(number, pair)| {
        let audit = subject(number).audit(
            Path::new(PROGRAMS),
            pair,
            Some(Technique::Hex),
            effort,
            Duration::from_secs(60),
            &Control::default(),
        );
        audit.expect("the pair runs")
    });
    assert!(audits[0].traces > 1 && audits[0].invalid == 0, "{:?}", audits[0]);
    assert_eq!((audits[1].traces, audits[1].alarms), (1, 0), "an empty list has no first element: {:?}", audits[1]);
}

/// What holds between two inputs no invariant of one of them can say.
#[test]
fn two_inputs() {
    for number in ["P5", "P6", "P7"] {
        let measured = measured(number, 1);
        check(&measured);
        assert!(invalid(&measured, Technique::Prep) > 0, "{number}: PrEP");
        assert!(invalid(&measured, Technique::Consp) > 0, "{number}: ConsP");
    }
}

/// MSO knows the shape of trees and nothing of numbers: it keeps every valid trace, and some that are not. Where `mona` is not
/// installed, it says so.
#[test]
fn shapes_of_trees() {
    let mona = std::process::Command::new("mona").output().is_ok();
    for (number, smaller) in [("P2", 1), ("P3", 2)] {
        let measured = measured(number, smaller);
        for target in &measured.targets {
            match (&target.cell(Some(Technique::Mso)).expect("a tree").audit, mona) {
                (Ok(audit), true) => {
                    let hex = target.cell(Some(Technique::Hex)).expect("measured").complete().expect("complete");
                    assert_eq!(audit.valid, hex.valid, "{}", target.entry);
                }
                (Err(message), false) => assert!(message.contains("mona"), "{message}"),
                (other, _) => panic!("{}: mona installed: {mona}, but {other:?}", target.entry),
            }
        }
        assert!(!mona || invalid(&measured, Technique::Mso) > 0, "{number}");
    }
}

/// What was explored before the time was up is measured all the same.
#[test]
fn runs_without_an_end_are_measured() {
    let subject = subject("P5");
    let effort = Effort { time: Duration::from_millis(300), smaller: 0, pairs: false };
    let measuring = Duration::from_secs(300);
    let programs = Path::new(PROGRAMS);
    let audit = subject.audit(programs, subject.entries[0], None, effort, measuring, &Control::default());
    let audit = audit.expect("the subject runs");
    assert_eq!((audit.incomplete, audit.unknown), (Some(lazuli::Bound::Timeout), 0), "{audit:?}");
    assert!(audit.traces > 0 && audit.valid + audit.invalid == audit.traces, "{audit:?}");
}

fn bounded(number: &str, nodes: u32) -> Bounds {
    Bounds { n: vec![Most::of(subject(number).node, nodes)], calls: 60, ..Bounds::default() }
}

/// Paths on which `repOk` is true, up to so many nodes: one for every shape with its colours. A method that looks at nothing
/// has one trace for each of them under PrEP.
fn valid_heaps(number: &str, entry: &str, nodes: u32) -> u64 {
    let program = subject(number).load(Path::new(PROGRAMS)).expect("the subject loads");
    let invariants = Invariants::load(&InvariantSource::methods(Technique::Prep, Vec::new()), &program)
        .expect("methods of the program");
    let config = Config {
        heap: HeapKind::Lazy,
        entry: Some(entry.into()),
        bounds: bounded(number, nodes),
        invariants: Some(invariants.shared()),
        ..Config::default()
    };
    let run = explore(&program, &config, &Control::default()).expect("the entry exists");
    assert_eq!((run.incomplete, run.counts.stopped, run.counts.doubtful()), (None, 0, 0), "{entry}");
    run.counts.returned
}

/// Complete heaps that HEX accepts, with at most so many objects of one class.
fn accepted_heaps(number: &str, root: &str, nodes: u32) -> u64 {
    let subject = subject(number);
    let program = subject.load(Path::new(PROGRAMS)).expect("the subject loads");
    let file = Path::new(PROGRAMS).join(format!("hex/subjects/{}.hex", subject.file));
    let invariants =
        Invariants::load(&InvariantSource::file(Technique::Hex, &file), &program).expect("the invariants load");
    let all = complete::roots(&program, &invariants.hex, None);
    let class = program.class_named(root).expect("a class of the subject");
    let is_root = |roots: &&complete::Roots| matches!(roots.list.as_slice(), [(_, of)] if *of == class);
    let roots = all.iter().find(is_root).expect("a scope");
    let config = Config { invariants: Some(invariants.shared()), ..Config::default() };
    let extent = complete::Extent {
        size: nodes,
        keep: 0,
        accept: u64::MAX,
        steps: u64::MAX,
        order: complete::Order::Declared,
        numbers: None,
    };
    let accepted = complete::complete(&program, &config, roots, extent);
    assert_eq!(accepted.cut, Some(Cut::Size), "{number}: there are larger ones");
    accepted.count
}

/// `repOk` and HEX say the same of complete heaps: rings with 0 to 5 entries; coloured trees with up to 5 entries; AVL trees with up
/// to 5 nodes (1, 1, 2, 1, 4, 6); rings and caches that share 4 nodes, one of which is the header.
#[test]
fn invariants_agree_on_complete_heaps() {
    for (number, entry, root, nodes, expected) in [
        ("P1", "LinkedList.length", "LinkedList", 6, 6),
        ("P2", "TreeMap.length", "TreeMap", 5, 18),
        ("P3", "AvlTree.makeEmpty", "AvlTree", 5, 15),
        ("P4", "NodeCachingLinkedList.length", "NodeCachingLinkedList", 4, 10),
    ] {
        assert_eq!(valid_heaps(number, entry, nodes), expected, "{entry}");
        assert_eq!(accepted_heaps(number, root, nodes), expected, "{root}");
    }
}

/// PrEP works under every heap model, and its witnesses drive the program, harness and all, down their paths.
#[test]
fn harness_under_every_heap_model() {
    let program = subject("P1").load(Path::new(PROGRAMS)).expect("the subject loads");
    for heap in HeapKind::ALL {
        let invariants = Invariants::load(&InvariantSource::methods(Technique::Prep, Vec::new()), &program)
            .expect("methods of the program");
        let config = Config {
            heap,
            entry: Some("LinkedList.removeLast".into()),
            bounds: bounded("P1", 3),
            invariants: Some(invariants.shared()),
            detail: TraceDetail::Full,
            ..Config::default()
        };
        let run = explore(&program, &config, &Control::default()).expect("the entry exists");
        assert_eq!(run.counts.doubtful(), 0, "{heap}");
        assert_eq!(run.counts.agreed, run.counts.traces, "{heap}");
        // The empty list throws; a valid one is never null inside.
        assert!(run.counts.returned > 0 && run.counts.threw > 0, "{heap}");
        assert!(run.traces.iter().all(|trace| !trace.outcome.to_string().contains("NullPointer")), "{heap}");
    }
}
