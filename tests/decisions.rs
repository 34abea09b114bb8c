//! Decisions: what was asked and answered means the same whenever an instruction is executed again, a trace is replayed, or a witness is run.

use crate::java;

use std::path::Path;

use lazuli::replay::replay;
use lazuli::{Control, Outcome, Run, Stop, explore};
use lazuli_engine::config::{Bounds, Config, HeapKind};
use lazuli_engine::witness::Concrete;
use lazuli_logic::{SolverConfig, SolverKind};
use lazuli_program::Program;
use lazuli_program::frontend::load_text;
use lazuli_program::library::World;

use java::run;
use java::small::{load_small, returned};

fn tiny(text: &str) -> Program {
    load_text("tiny.pose", text.into()).unwrap_or_else(|error| panic!("{error}"))
}

fn explored(program: &Program, config: &Config) -> Run {
    explore(program, config, &Control::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Every trace of a run has, when it is replayed, the outcome, the condition, the value and the flow that it had.
fn replays_alike(name: &str, program: &Program, config: &Config) {
    let run = explored(program, config);
    assert!(!run.traces.is_empty(), "{name} under {}", config.heap);
    for trace in &run.traces {
        let what = format!("{name} under {}, trace {}", config.heap, trace.id());
        let again = replay(program, config, &trace.id()).unwrap_or_else(|error| panic!("{what}: {error}")).trace;
        assert_eq!(again.outcome, trace.outcome, "{what}");
        assert_eq!(again.flow, trace.flow, "{what}");
        let facts = |trace: &lazuli::Trace| trace.detail.as_ref().map(|d| (d.path_condition.clone(), d.value.clone()));
        assert_eq!(facts(&again), facts(trace), "{what}");
        let confirmed = again.detail.as_ref().is_some_and(|detail| detail.judgement.agrees());
        assert!(confirmed || matches!(again.outcome, Outcome::Stopped(_)), "{what}: {again:?}");
    }
}

/// Which handler takes an exception, and of which class one is that nobody takes, is a part of the path, decided or known.
#[test]
fn exceptions_of_unknown_class_confirm() {
    let source = "class Small {
        static int caught(RuntimeException e) {
            try { throw e; }
            catch (IllegalArgumentException x) { return 1; }
            catch (ArithmeticException x) { return 2; }
            catch (RuntimeException x) { return 3; }
        }
        static int thrown(RuntimeException e) { throw e; }
        static int through(RuntimeException e) {
            try { return thrown(e); } catch (IllegalStateException x) { return 1; }
        }
    }";
    let classes = ["RuntimeException", "IllegalArgumentException", "ArithmeticException", "IllegalStateException"];
    let classes = classes.map(|class| format!("java.lang.{class}")).to_vec();
    for (entry, values, outcomes) in
        [("caught", vec!["1", "2", "3"], 3), ("thrown", vec![], 5), ("through", vec!["1"], 5)]
    {
        let types = vec![("java.lang.RuntimeException".to_string(), classes.clone())];
        let world = World { types, ..World::default() };
        let program = load_small(&format!("exceptions-{entry}"), source, &format!("Small.{entry}"), world);
        for heap in HeapKind::ALL {
            let config = Config { heap, ..Config::default() };
            let run = run(&program, &config, entry);
            assert_eq!(returned(&run), values, "{entry} under {heap}");
            assert_eq!((run.counts.doubtful(), run.counts.stopped), (0, 0), "{entry} under {heap}");
            let mut ends: Vec<String> =
                run.traces.iter().map(|t| format!("{} {:?}", t.outcome, t.detail.as_ref().map(|d| &d.value))).collect();
            ends.sort();
            ends.dedup();
            assert_eq!(ends.len(), outcomes, "{entry} under {heap}: {ends:?}");
            replays_alike(entry, &program, &config);
        }
    }
}

/// A condition of one clause is kept: the witness has the value that it asks for.
#[test]
fn a_replayed_trace_keeps_its_only_clause() {
    let program = tiny("let x : int := X0 in if x = 5 then 1 else 2");
    for heap in HeapKind::ALL {
        let config = Config { heap, ..Config::default() };
        let trace = replay(&program, &config, "0").unwrap_or_else(|error| panic!("{error}")).trace;
        let detail = trace.detail.expect("a replayed trace has its detail");
        assert_eq!(detail.path_condition, ["X0 == 5"], "{heap}");
        assert!(detail.judgement.agrees(), "{heap}");
        assert_eq!(detail.witness.expect("it is satisfiable").roots[0].1, Concrete::Int(5), "{heap}");
        replays_alike("one clause", &program, &config);
    }
}

/// What a replay prints is what was explored, under every model, with bounds and without.
#[test]
fn replayed_conditions_are_those_of_the_exploration() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let subjects =
        ["pose/swap", "pose/hasNull_4", "pose/ncll_add", "agree/bounded_chain", "agree/dispatch_on_a_choice"];
    for name in subjects {
        let program = lazuli_program::frontend::load(&programs.join(format!("{name}.pose"))).expect("a program");
        for heap in HeapKind::ALL {
            for k in [None, Some(2)] {
                let bounds = Bounds { k, depth: 12, traces: Some(40), ..Bounds::default() };
                let config = Config { heap, bounds, ..Config::default() };
                replays_alike(name, &program, &config);
            }
        }
    }
}

/// A trace that no input takes is refused, and so is one that has no such case.
#[test]
fn infeasible_decisions_are_refused() {
    let program = tiny("let x : int := X0 in if x < 3 then (if x < 5 then 1 else 2) else 3");
    let config = Config::default();
    assert!(replay(&program, &config, "0.0").is_ok());
    for (trace, why) in
        [("0.1", "infeasible"), ("0.2", "only 2 cases"), ("0", "goes on after 0"), ("1.0", "already ends")]
    {
        let error = replay(&program, &config, trace).expect_err(trace);
        assert!(error.to_string().contains(why), "{trace}: {error}");
    }
}

/// Where the solver does not know, the trace stops and says so, whatever is asked first.
#[test]
fn what_the_solver_does_not_know_stops_by_name() {
    let source = "class A { int v; A next; int f(A a) := if this.next.v < a.v then 1 else 2; }";
    let program = tiny(source);
    for heap in HeapKind::ALL {
        let solver = SolverConfig { kind: SolverKind::Bits, backend_only: true, ..SolverConfig::default() };
        let config = Config { heap, entry: Some("A.f".into()), solver, ..Config::default() };
        let run = explored(&program, &config);
        let unknown = |outcome: &Outcome| matches!(outcome, Outcome::Stopped(Stop::SolverUnknown(_)));
        assert!(run.traces.iter().any(|trace| unknown(&trace.outcome)), "{heap}: {:?}", run.stops);
        // Where the comparison is constant, nobody has to know.
        let returns = run.traces.iter().filter(|trace| trace.outcome == Outcome::Returned);
        assert!(returns.flat_map(|trace| &trace.detail).all(|detail| detail.judgement.agrees()), "{heap}");
    }
}

/// A decision may have more cases than two bytes can number.
#[test]
fn a_decision_has_as_many_cases_as_it_has() {
    let source = "class Small {
        static int f(int i, Object o) {
            Object[] all = new Object[70000];
            all[69999] = o;
            return all[i] == null ? 1 : 2;
        }
    }";
    let program = load_small("many-cases", source, "Small.f", World::default());
    let config = Config { heap: HeapKind::Lazy, ..Config::default() };
    let small = Config { bounds: Bounds { traces: Some(3), ..Bounds::default() }, ..config.clone() };
    let first = explored(&program, &small);
    let name = first.traces[0].id();
    let (before, _) = name.rsplit_once('.').expect("several decisions");
    let replayed = replay(&program, &config, &format!("{before}.69999")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(replayed.points.iter().map(|point| point.of).max(), Some(70000));
    assert!(replayed.trace.detail.is_some_and(|detail| detail.judgement.agrees()));
}
