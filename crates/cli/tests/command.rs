//! The command as its user sees it: exit codes, JSON, workers, bounds, replay.

mod common;

use std::process::Stdio;

use common::{command, file, lazuli, stderr, stdout};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let mut all = args.to_vec();
    all.extend(["--format", "json"]);
    let output = lazuli(&all);
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
}

/// Everything but the clock.
fn timeless(mut value: Value) -> String {
    value.as_object_mut().expect("an object").remove("time");
    value.to_string()
}

#[test]
fn exit_codes() {
    let code = |args: &[&str]| lazuli(args).status.code();
    assert_eq!(code(&["explore", "programs/pose/swap.pose"]), Some(0));
    let violated = file(
        "violated.pose",
        "class A { int v; }\nlet a : A := Y0 in let b : A := Y1 in { a.v := 1; b.v := 2; assert a.v = 1 }",
    );
    assert_eq!(code(&["explore", violated.to_str().unwrap()]), Some(1));
    assert_eq!(code(&["explore", "programs/pose/swap.pose", "--max-traces", "1"]), Some(3));
    assert_eq!(code(&["explore", "programs/pose/avl_find.pose", "--max-depth", "3"]), Some(3));
    assert_eq!(code(&["--help"]), Some(0));
    assert_eq!(code(&["--version"]), Some(0));
}

#[test]
fn an_aliasing_violation_has_a_witness_with_the_alias() {
    let program = file(
        "alias.pose",
        "class A { int v; }\nlet a : A := Y0 in let b : A := Y1 in { a.v := 1; b.v := 2; assert a.v = 1 }",
    );
    for heap in ["lazy", "lazier", "lazier#", "uber-lazy", "summary", "pose"] {
        let run = json(&["explore", program.to_str().unwrap(), "--heap", heap]);
        let failed: Vec<&Value> =
            run["traces"].as_array().unwrap().iter().filter(|t| t["outcome"] == "assert_failed").collect();
        assert_eq!(failed.len(), 1, "{heap}");
        let witness = &failed[0]["witness"];
        assert_eq!(witness["confirmed"], true, "{heap}");
        assert_eq!(witness["inputs"]["Y0"], witness["inputs"]["Y1"], "{heap}: the two are one object");
    }
}

#[test]
fn json_is_what_the_design_says() {
    let run = json(&["explore", "programs/pose/swap.pose"]);
    assert_eq!(run["version"], 1);
    assert_eq!(run["program"], "swap.pose");
    assert_eq!(run["entry"], "main");
    assert_eq!(run["heap"], "pose");
    assert_eq!(run["counts"]["returned"], 2);
    for key in [
        "traces",
        "threw",
        "assert_failed",
        "stopped",
        "pruned_infeasible",
        "pruned_invariant",
        "queries",
        "solver_calls",
        "steps",
    ] {
        assert!(run["counts"][key].is_u64(), "{key}");
    }
    for trace in run["traces"].as_array().unwrap() {
        assert!(trace["id"].is_string() && trace["path_condition"].is_array());
        assert_eq!(trace["witness"]["confirmed"], true);
    }
}

#[test]
fn the_result_is_the_same_for_every_number_of_workers() {
    // 7,033 traces: enough to be split.
    let explore = |jobs: &str| {
        let args = [
            "explore",
            "programs/pose/lazy/avl.pose",
            "--entry",
            "AvlTree.insertElem",
            "--heap",
            "lazy",
            "--keep",
            "3000",
        ];
        json(&[&args[..], &["--jobs", jobs]].concat())
    };
    let one = explore("1");
    assert_eq!(one["counts"]["traces"], 7033);
    let one = timeless(one);
    for jobs in ["2", "3"] {
        let other = timeless(explore(jobs));
        let at = one.bytes().zip(other.bytes()).position(|(a, b)| a != b);
        let around = |text: &str, at: usize| text[at.saturating_sub(80)..text.len().min(at + 80)].to_string();
        assert!(one == other, "{:?}", at.map(|at| (around(&one, at), around(&other, at))));
    }
}

#[test]
fn the_number_of_traces_is_cut_exactly_whatever_the_number_of_workers() {
    for jobs in ["1", "2"] {
        let run = json(&[
            "explore",
            "programs/pose/lazy/avl.pose",
            "--entry",
            "AvlTree.insertElem",
            "--heap",
            "lazy",
            "--max-traces",
            "5000",
            "--traces",
            "none",
            "--jobs",
            jobs,
        ]);
        assert_eq!(run["counts"]["traces"], 5000);
        assert_eq!(run["incomplete"], "--max-traces");
    }
}

#[test]
fn every_search_order_finds_the_same_traces() {
    let ids = |order: &[&str]| {
        let run = json(&[&["explore", "programs/pose/avl_find.pose", "--traces", "brief"], order].concat());
        run["traces"].as_array().unwrap().iter().map(|t| t["id"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let depth_first = ids(&[]);
    assert_eq!(depth_first.len(), 191);
    assert_eq!(depth_first, ids(&["--search", "bfs"]));
    assert_eq!(depth_first, ids(&["--search", "random", "--seed", "7"]));
}

#[test]
fn unbounded_recursion_is_stopped_by_name() {
    let program = file("forever.pose", "class A { int m() := this.m[]; }\nY0.m[]");
    let run = json(&["explore", program.to_str().unwrap()]);
    assert_eq!(run["counts"]["stopped"], 1);
    assert_eq!(run["stops"]["stopped by --max-calls"], 1);
    let growing =
        file("list.pose", "class A { A next; int m() := if this.next = null then 0 else this.next.m[]; }\nY0.m[]");
    let run = json(&["explore", growing.to_str().unwrap(), "--max-depth", "40"]);
    assert!(run["counts"]["returned"].as_u64().unwrap() > 5);
    assert_eq!(run["stops"]["stopped by --max-depth"], 1);
}

#[test]
fn time_ends_a_run_with_what_was_found() {
    let run = json(&[
        "explore",
        "programs/pose/lazy/avl.pose",
        "--entry",
        "AvlTree.maxElement",
        "--heap",
        "lazy",
        "--traces",
        "none",
        "--timeout",
        "300ms",
    ]);
    assert_eq!(run["incomplete"], "--timeout");
    assert!(run["counts"]["traces"].as_u64().unwrap() > 0);
}

#[test]
fn every_trace_replays_from_its_name() {
    for heap in ["lazy", "lazier#", "summary", "pose"] {
        let run = json(&["explore", "programs/pose/dll_add.pose", "--heap", heap]);
        for trace in run["traces"].as_array().unwrap().iter().take(20) {
            let id = trace["id"].as_str().unwrap();
            let output = lazuli(&["replay", "programs/pose/dll_add.pose", id, "--heap", heap]);
            assert_eq!(output.status.code(), Some(0), "{heap} {id}: {}", stderr(&output));
            let wanted = match trace["exception"].as_str() {
                Some(class) => format!("trace {id}: threw {class}"),
                None => format!("trace {id}: returned"),
            };
            assert!(stdout(&output).contains(&wanted), "{}", stdout(&output));
        }
    }
}

#[test]
fn fixed_width_integers_are_decided_by_both_solvers() {
    // x + 1 < x has no unbounded solution, and one in 32 bits.
    let program = file("wrap.pose", "if X0 + 1 < X0 then 1 else 2");
    let path = program.to_str().unwrap();
    assert_eq!(json(&["explore", path])["counts"]["traces"], 1);
    let run = json(&["explore", path, "--ints", "32", "--cross-check", "--backend-only"]);
    assert_eq!(run["counts"]["traces"], 2);
    assert_eq!(run["counts"]["witnesses_confirmed"], 2);
    assert!(run["counts"]["solver_calls"].as_u64().unwrap() > 0);
    let find = ["explore", "programs/pose/avl_find.pose", "--ints", "32", "--cross-check"];
    assert_eq!(json(&find)["counts"]["returned"], 190);
}

#[test]
fn compare_has_a_row_a_model() {
    let output = lazuli(&["compare", "programs/pose/swap.pose", "--heaps", "lazy,pose"]);
    let text = stdout(&output);
    let rows: Vec<&str> = text.lines().map(|l| l.split_whitespace().next().unwrap_or("")).collect();
    assert_eq!(rows, ["heap", "lazy", "pose"], "{text}");
}

#[test]
fn a_closed_pipe_is_no_bug() {
    let mut child = command(&["explore", "programs/pose/avl_find.pose"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(!stderr(&output).contains("bug"), "{}", stderr(&output));
}

/// Drivers in Java: our interface, and the one of the software verification competition.
#[test]
fn java_test_drivers() {
    let run = |entry: &str, more: &[&str]| {
        let output = lazuli(&[&["explore", "programs/drivers/Driver.java", "--entry", entry], more].concat());
        (output.status.code(), stdout(&output))
    };
    let (code, text) = run("Driver.ownInterface", &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("4 traces: 2 returned, 2 assertions failed"), "{text}");
    assert!(text.contains("4 of 4 witnesses confirmed"), "{text}");
    let (code, text) = run("Driver.competition", &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("2 traces: 1 returned, 1 assertion failed"), "{text}");
    let (code, text) = run("Driver.many", &["--symbolic-statics", "Driver"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 traces: 2 returned"), "{text}");
}

/// A subclass in the same source is a class that an input may have: its object may be the other parameter.
#[test]
fn java_inputs_may_be_of_subclasses() {
    let entry = ["--entry", "Cells.subclassFails"];
    let output = lazuli(&[&["explore", "programs/java/aliasing/Cells.java"], &entry[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
}

/// Integers of Java have a width: the bit-blaster needs no option for them, in the tiny languages it does.
#[test]
fn the_bits_solver_decides_java() {
    let program =
        file("Sum.java", "class Sum { int at; Sum next; boolean f() { return next.at + at == 7 && next != this; } }");
    let program = program.to_str().expect("a printable path");
    for more in
        [&["--solver", "bits"][..], &["--solver", "bits", "--backend-only"], &["--cross-check", "--backend-only"]]
    {
        let run = json(&[&["explore", program, "--entry", "Sum.f"], more].concat());
        // If the two objects are one, the sum is even.
        assert_eq!((&run["counts"]["returned"], &run["counts"]["stopped"]), (&2.into(), &0.into()), "{more:?}");
    }
    let tiny = lazuli(&["explore", "programs/pose/swap.pose", "--solver", "bits"]);
    assert_eq!(tiny.status.code(), Some(2));
    assert!(stderr(&tiny).contains("--ints 32"), "{}", stderr(&tiny));
}

/// With invariants too: that a reference denotes an object of its own is decided by both back ends.
#[test]
fn the_bits_solver_decides_invariants() {
    for heap in ["pose", "summary"] {
        let explore = ["explore", "jdk", "--entry", "java.util.LinkedList.removeLast", "--heap", heap];
        let invariants = ["--invariants", "programs/java/jdk/LinkedList.hex"];
        let run = |more: &[&str]| {
            let run = json(&[&explore, &invariants[..], &["--backend-only"], more].concat());
            assert_eq!(run["counts"]["stopped"], 0, "{more:?}");
            run["counts"]["traces"].clone()
        };
        let traces = run(&["--solver", "z3"]);
        assert_eq!((run(&["--solver", "bits"]), run(&["--cross-check"])), (traces.clone(), traces), "{heap}");
    }
}

/// The pictures show one order; where the opposite one has other heaps, that is said, and no contradiction is made of it.
#[test]
fn heaps_that_depend_on_the_order() {
    let program = file("queue.pose", "class Node { Node next; } class Queue { Node tail; Node head; }");
    let drawn = |invariants: &str| {
        let invariants = file("queue.hex", invariants);
        let path = |path: &std::path::Path| path.to_str().expect("printable").to_string();
        let output = lazuli(&["hex", &path(&invariants), &path(&program), "--size", "2"]);
        (output.status.code(), stdout(&output))
    };
    let (code, text) = drawn(
        "for any Queue q { q.head(.next)* aliases nothing; q.tail expands to nothing and aliases max q.head(.next)*; }",
    );
    assert!(code == Some(0) && text.contains("3 complete heaps") && text.contains("opposite one 4 are"), "{text}");
    let (code, text) = drawn("for any Queue q { q.head(.next)* aliases nothing; }");
    assert!(code == Some(0) && !text.contains("opposite"), "{text}");
    let (code, text) = drawn(
        "for any Queue q { q.head not null and aliases nothing; q.head.next not null and aliases nothing;
           q.tail not null and expands to nothing and aliases q.head.next; }",
    );
    assert!(code == Some(0) && text.contains("none is valid by itself"), "{text}");
    let (code, text) = drawn("for any Queue q { q.head null; q.head not null; }");
    assert!(code == Some(1) && text.contains("contradict themselves"), "{text}");
}

/// A full disk is no bug of ours.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let program = file("full.pose", "1 + 1");
    let path = program.to_str().expect("printable");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let output = command(&["explore", path]).stdout(full).stderr(Stdio::piped()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: cannot write the answer: No space left"), "{}", stderr(&output));
}
