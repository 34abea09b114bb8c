//! Every method of `programs/java/instructions`, `features` and `aliasing`, executed symbolically within bounds: the real JVM, given a
//! witness, does what its trace says.
//!
//! `LAZULI_ONLY=TEXT` looks only at the methods whose names contain the text; `LAZULI_TIMES=1` names the slow ones.

use crate::java;

use std::collections::BTreeSet;
use std::time::Duration;

use lazuli::Run;
use lazuli_engine::Outcome;
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_program::Program;
use lazuli_program::library::World;

fn targets(packages: &[&str]) -> Vec<String> {
    let mut targets = java::methods(packages);
    if let Ok(only) = std::env::var("LAZULI_ONLY") {
        targets.retain(|target| target.contains(&only));
    }
    targets
}

/// Makes a method the program's entry, and explores it.
fn explore_target(program: &mut Program, target: &str, config: &Config) -> Run {
    let library = program.library.as_deref().expect("a program in Java");
    let (name, descriptor) = target.split_at(target.find('(').expect("a descriptor"));
    let (class, name) = name.rsplit_once('.').expect("a class and a method");
    let class = library.class_id(&class.replace('.', "/"));
    program.main = library.declared_method(class, name, descriptor);
    program.receiver = Some(class);
    java::explore(program, config).unwrap_or_else(|error| panic!("{target}: {error}"))
}

fn bounded(heap: HeapKind) -> Config {
    let mut config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
    config.bounds.depth = 24;
    config.bounds.steps = 200_000;
    config.bounds.calls = 200;
    config.bounds.traces = Some(16);
    config.bounds.time = Some(Duration::from_millis(400));
    config.solver.effort = 1_000;
    config
}

#[test]
fn witnesses_drive_the_jvm_as_their_traces_say() {
    let targets = targets(&["instructions", "features", "aliasing"]);
    let mut wrong = Vec::new();
    let (mut confirmed, mut others) = (0, 0);
    for heap in [HeapKind::Pose, HeapKind::PoseIte, HeapKind::Lazy] {
        let mut program = java::program("instructions.IntArithmetic.add", 3, 2);
        let config = bounded(heap);
        for target in &targets {
            let run = explore_target(&mut program, target, &config);
            if std::env::var_os("LAZULI_TIMES").is_some() && run.time > Duration::from_millis(500) {
                println!("{heap} {target}: {:?}, {} traces, {:?}", run.time, run.counts.traces, run.incomplete);
            }
            wrong.extend(java::refuted(&run).iter().map(|what| format!("{target} under {heap}, {what}")));
            confirmed += run.counts.agreed;
            others += run.counts.not_comparable;
        }
    }
    println!("{confirmed} witnesses of {} methods confirmed by the JVM, {others} not comparable", targets.len());
    assert!(wrong.is_empty(), "{} traces are wrong:\n{}", wrong.len(), wrong.join("\n"));
    if std::env::var_os("LAZULI_ONLY").is_none() {
        assert!(confirmed > 20 * others && confirmed > 5_000, "{confirmed} confirmed, {others} not comparable");
    }
}

/// Elements at an unknown index, through handles: under every model the same results, which the JVM confirms.
#[test]
fn atomic_arrays_have_the_same_results_under_every_model() {
    let targets = java::methods(&["features"]).into_iter().filter(|target| target.contains(".AtomicArrays."));
    let targets: Vec<String> = targets.collect();
    let types = vec![("java.lang.Object".to_string(), vec!["java.lang.Object".to_string()])];
    let world = World { types, ..World::default() };
    let mut program = java::program_with("features.AtomicArrays.setAndGet", world);
    for target in &targets {
        let mut ends = Vec::new();
        for heap in HeapKind::ALL {
            let config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
            let run = explore_target(&mut program, target, &config);
            assert_eq!((run.counts.stopped, run.counts.agreed), (0, run.counts.traces), "{target} under {heap}");
            let mut found = BTreeSet::new();
            for trace in &run.traces {
                let facts = trace.detail.as_ref().expect("there are few traces");
                let end = match &trace.outcome {
                    Outcome::Threw(class) => format!("threw {class} "),
                    _ => format!("returned {}", facts.value.as_deref().expect("a value")),
                };
                found.insert(end);
            }
            ends.push(found);
        }
        assert!(ends.iter().all(|found| *found == ends[0] && found.len() >= 3), "{target}: {ends:?}");
    }
}

/// An assert of a method `…Fails` is violated for some input, of `…Holds` for none.
#[test]
fn aliasing_is_seen() {
    // Which classes inputs have is for the user to say; these two asserts fail only for arrays in unusual places.
    let mut program = java::program_with(
        "instructions.IntArithmetic.add",
        World {
            types: [("java.lang.Object", "aliasing.Cells$Cell"), ("[Ljava.lang.Object;", "[Ljava.lang.String;")]
                .map(|(of, also)| (of.to_string(), vec!["[Ljava.lang.Object;".to_string(), also.to_string()]))
                .to_vec(),
            max_array: 4,
            max_string: 2,
            ..World::default()
        },
    );
    let mut wrong = Vec::new();
    for heap in [HeapKind::Pose, HeapKind::PoseIte, HeapKind::Lazy, HeapKind::Lazier] {
        let config = Config { heap, ..Config::default() };
        for target in targets(&["aliasing"]) {
            let name = target.split('(').next().expect("a name");
            let run = explore_target(&mut program, &target, &config);
            let complete = run.incomplete.is_none() && run.counts.stopped == 0;
            let failed = run.counts.assert_failed;
            if name.ends_with("Fails") && failed == 0 {
                wrong.push(format!("{name} under {heap}: no assert is violated"));
            }
            if name.ends_with("Holds") && (failed > 0 || !complete) {
                wrong.push(format!(
                    "{name} under {heap}: {failed} violated, stops {:?} {:?}",
                    run.stops, run.incomplete
                ));
            }
            wrong.extend(java::refuted(&run).iter().map(|what| format!("{name} under {heap}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
