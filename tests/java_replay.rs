//! Every method of `programs/java/instructions`, `features` and `aliasing`, executed symbolically within bounds: every witness is
//! confirmed by replay, and the real JVM, given the witness, comes to the same outcome.
//!
//! `LAZULI_ONLY=TEXT` looks only at the methods whose names contain the text; `LAZULI_TIMES=1` names the slow ones.

use crate::java;

use std::collections::BTreeSet;
use std::time::Duration;

use lazuli::Run;
use lazuli::{Control, explore};
use lazuli_engine::Outcome;
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_program::Program;
use lazuli_program::library::World;

/// Methods whose outcome on the real JVM is another, and why.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// What a trace promises of the real JVM.
struct Promise {
    request: String,
    outcome: Outcome,
    trace: String,
}

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
    explore(program, config, &Control::default()).unwrap_or_else(|error| panic!("{target}: {error}"))
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

/// Explores all targets; gives what their traces promise, and adds what is wrong to `wrong`.
fn promises(targets: &[String], heap: HeapKind, wrong: &mut Vec<String>) -> Vec<Promise> {
    let mut program = java::program("instructions.IntArithmetic.add", 3, 2);
    let config = bounded(heap);
    let mut all = Vec::new();
    for target in targets {
        let run = explore_target(&mut program, target, &config);
        if std::env::var_os("LAZULI_TIMES").is_some() && run.time > Duration::from_millis(500) {
            println!("{heap} {target}: {:?}, {} traces, {:?}", run.time, run.counts.traces, run.incomplete);
        }
        for trace in &run.traces {
            let Some(facts) = trace.detail.as_ref().filter(|_| !matches!(trace.outcome, Outcome::Stopped(_))) else {
                continue;
            };
            let name = format!("{target} under {heap}, trace {}", trace.id());
            if !facts.judgement.agrees() {
                wrong.push(format!("{name}: {}", facts.judgement));
            }
            let entry = program.main.expect("just set");
            let request = facts.witness.as_ref().and_then(|w| java::witness::request(&program, entry, target, w));
            all.extend(request.map(|request| Promise { request, outcome: trace.outcome.clone(), trace: name }));
        }
    }
    all
}

fn kept(outcome: &Outcome, answer: &str) -> bool {
    match outcome {
        Outcome::Returned => answer.starts_with("returned "),
        Outcome::Threw(class) => answer.starts_with(&format!("threw {class} ")),
        Outcome::AssertFailed => answer.starts_with("threw java.lang.AssertionError "),
        Outcome::Stopped(_) => true,
    }
}

#[test]
fn witnesses_drive_the_jvm_to_the_same_outcome() {
    let targets = targets(&["instructions", "features", "aliasing"]);
    let mut wrong = Vec::new();
    let mut all = Vec::new();
    for heap in [HeapKind::Pose, HeapKind::Lazy] {
        all.extend(promises(&targets, heap, &mut wrong));
    }
    let requests: Vec<String> = all.iter().map(|promise| promise.request.clone()).collect();
    println!("{} witnesses of {} methods", requests.len(), targets.len());
    let mut differing = Vec::new();
    for (promise, answer) in all.iter().zip(java::run_on_jvm(&requests)) {
        if kept(&promise.outcome, &answer) {
            continue;
        }
        let excepted = EXCEPTIONS.iter().find(|(name, _)| promise.trace.starts_with(&format!("{name}(")));
        if let Some((name, _)) = excepted {
            differing.push(name);
        } else {
            let Promise { request, outcome, trace } = promise;
            wrong.push(format!("{trace}: {outcome}\n    request: {request}\n    JVM:     {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} traces are wrong:\n{}", wrong.len(), wrong.join("\n"));
    if std::env::var_os("LAZULI_ONLY").is_none() {
        for (name, why) in EXCEPTIONS {
            assert!(differing.contains(&name), "{name} does not differ any more: it is still excepted because {why}");
        }
    }
}

/// Elements at an unknown index, through handles: under every model the same results, which are those of the real JVM.
#[test]
fn atomic_arrays_have_the_same_results_under_every_model() {
    let targets = java::methods(&["features"]).into_iter().filter(|target| target.contains(".AtomicArrays."));
    let targets: Vec<String> = targets.collect();
    let types = vec![("java.lang.Object".to_string(), vec!["java.lang.Object".to_string()])];
    let world = World { types, ..World::default() };
    let mut program = java::program_with("features.AtomicArrays.setAndGet", world);
    let (mut requests, mut promised) = (Vec::new(), Vec::new());
    for target in &targets {
        let mut ends = Vec::new();
        for heap in HeapKind::ALL {
            let config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
            let run = explore_target(&mut program, target, &config);
            assert_eq!((run.counts.stopped, run.counts.doubtful()), (0, 0), "{target} under {heap}");
            let entry = program.main.expect("just set");
            let mut found = BTreeSet::new();
            for trace in &run.traces {
                let facts = trace.detail.as_ref().expect("there are few traces");
                let end = match &trace.outcome {
                    Outcome::Threw(class) => format!("threw {class} "),
                    _ => format!("returned {}", facts.value.as_deref().expect("a value")),
                };
                let witness = facts.witness.as_ref().expect("every trace has one");
                let request = java::witness::request(&program, entry, target, witness).expect("arguments");
                requests.push(request);
                promised.push((format!("{target} under {heap}, trace {}", trace.id()), end.clone()));
                found.insert(end);
            }
            ends.push(found);
        }
        assert!(ends.iter().all(|found| *found == ends[0] && found.len() >= 3), "{target}: {ends:?}");
    }
    for ((trace, end), answer) in promised.iter().zip(java::run_on_jvm(&requests)) {
        assert!(answer.starts_with(end), "{trace}: {end}, but the JVM {answer}");
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
    for heap in [HeapKind::Pose, HeapKind::Lazy, HeapKind::Lazier] {
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
            let judgements = run.traces.iter().filter_map(|trace| Some(&trace.detail.as_ref()?.judgement));
            wrong.extend(
                judgements.filter(|j| !j.agrees()).map(|judgement| format!("{name} under {heap}: {judgement}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
