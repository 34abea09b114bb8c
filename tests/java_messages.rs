//! Messages of exceptions with unknown numbers are not put together: whoever looks into one, in whatever way, stops the path by name, and
//! nobody sees a wrong text. What does not need the text is executed. (`java_differential` compares the same methods of
//! `programs/java/features/Messages.java` with the real JVM where all numbers are known.)

use crate::java;

use lazuli::Run;
use lazuli_engine::config::{Config, HeapKind};
use lazuli_engine::{Outcome, outcome::Stop};

use java::{program, run};

const UNTOLD: &str = "the text of a message that was not put together";

fn explored(method: &str) -> Vec<(HeapKind, Run)> {
    let entry = format!("features.Messages.{method}");
    let program = program(&entry, 4, 2);
    let explored = |heap| (heap, run(&program, &Config { heap, ..Config::default() }, method));
    HeapKind::ALL.map(explored).into()
}

/// What stopped a trace, by name.
fn stop(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Stopped(Stop::Unsupported(what)) => Some(what),
        _ => None,
    }
}

/// Every path that looks into a message stops.
#[test]
fn looking_into_a_message_stops() {
    let looks = [
        "length",
        "keptLength",
        "keptEquals",
        "equalsKept",
        "hash",
        "extended",
        "built",
        "joined",
        "judged",
        "first",
        "wrapped",
        "asked",
        "interned",
    ];
    for method in looks {
        for (heap, run) in explored(method) {
            let outcomes: Vec<_> = run.traces.iter().map(|trace| stop(&trace.outcome)).collect();
            assert_eq!(outcomes, [Some(UNTOLD)], "{method} under {heap}");
        }
    }
}

/// The elements are returned; only what is said of an index beyond them is not known.
#[test]
fn a_message_of_an_instruction() {
    for (heap, run) in explored("index") {
        let (stopped, other): (Vec<_>, Vec<_>) = run.traces.iter().partition(|trace| stop(&trace.outcome).is_some());
        assert!(!stopped.is_empty() && stopped.iter().all(|t| stop(&t.outcome) == Some(UNTOLD)), "index under {heap}");
        assert!(!other.is_empty() && other.iter().all(|t| t.outcome == Outcome::Returned), "index under {heap}");
    }
}

/// That there is a message, which object it is and of which class: that is known. Nothing is left out by the way, neither a method of
/// the program that gives a part of the message nor what it does besides.
#[test]
fn what_is_known_without_the_text() {
    for (method, values) in [
        ("isThere", &["1"][..]),
        ("isItself", &["1"]),
        ("areApart", &["1"]),
        ("isText", &["1"]),
        ("castSays", &["0", "1"]),
        ("elementSays", &["0"]),
        ("checkSays", &["0"]),
        ("copySays", &["0"]),
        ("loud", &["1", "2"]),
        ("counted", &["1"]),
    ] {
        for (heap, run) in explored(method) {
            let mut found: Vec<String> = Vec::new();
            for trace in &run.traces {
                let facts = trace.detail.as_ref().expect("there are few traces");
                assert_eq!(trace.outcome, Outcome::Returned, "{method} under {heap}");
                assert!(facts.judgement.agrees(), "{method} under {heap}: {}", facts.judgement);
                found.extend(facts.value.clone());
            }
            found.sort();
            found.dedup();
            assert_eq!(found, values, "{method} under {heap}");
        }
    }
}
