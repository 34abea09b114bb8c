//! The command as its user sees it: exit codes, JSON, workers, bounds, replay.

use std::process::Stdio;

use crate::common::{command, file, lazuli, stderr, stdout};
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
    for heap in ["lazy", "lazier", "lazier#", "uber-lazy", "summary", "pose", "pose-ite"] {
        let run = json(&["explore", program.to_str().unwrap(), "--heap", heap]);
        let failed: Vec<&Value> =
            run["traces"].as_array().unwrap().iter().filter(|t| t["outcome"] == "assert_failed").collect();
        assert_eq!(failed.len(), 1, "{heap}");
        let witness = &failed[0]["witness"];
        assert_eq!(witness["verdict"], "agrees", "{heap}");
        assert_eq!(witness["inputs"]["Y0"], witness["inputs"]["Y1"], "{heap}: the two are one object");
    }
}

#[test]
fn json_is_what_the_design_says() {
    let run = json(&["explore", "programs/pose/swap.pose"]);
    assert_eq!(run["version"], 4);
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
        assert_eq!(trace["witness"]["verdict"], "agrees");
    }
}

#[test]
fn the_result_is_the_same_for_every_number_of_workers() {
    // 7,033 traces: enough to be split.
    let explore = |jobs: &str| {
        let args = ["explore", "programs/pose/lazy/avl.pose", "--entry", "AvlTree.insertElem", "--heap", "lazy"];
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
    // One path returns after every decision but the last, whose both sides are one decision too deep.
    assert_eq!(run["counts"]["returned"], 39);
    assert_eq!(run["stops"]["stopped by --max-depth"], 2);
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
    assert_eq!(run["counts"]["witnesses_agreed"], 2);
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
    assert!(text.contains("4 of 4 witnesses replayed"), "{text}");
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

/// Class files have lines, but no columns.
#[test]
fn the_steps_of_java() {
    let source = file("Step.java", "class Step { int v;\n  int two() { return one(); }\n  int one() { return v; } }");
    let output = lazuli(&["explore", source.to_str().expect("printable"), "--entry", "Step.two", "--steps-trace"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("control       3  ") && text.contains("continuation  Step.two:2"), "{text}");
}

/// The page says what the text says: that there are larger heaps, and that another order has others.
#[test]
fn the_page_of_heaps_has_the_notes() {
    let program = file("queue.pose", "class Node { Node next; } class Queue { Node tail; Node head; }");
    let invariants =
        "for any Queue q { q.head(.next)* aliases nothing; q.tail expands to nothing and aliases max q.head(.next)*; }";
    let invariants = file("queue.hex", invariants);
    let page = invariants.with_extension("html");
    let path = |path: &std::path::Path| path.to_str().expect("printable").to_string();
    lazuli(&["hex", &path(&invariants), &path(&program), "--size", "2", "--show", "1", "--html", &path(&page)]);
    let text = std::fs::read_to_string(&page).expect("it was written");
    for note in ["<p>and 2 more", "<p>there may be larger ones", "in the opposite one 4 are accepted</p>"] {
        assert!(text.contains(note), "{note}: {text}");
    }
}

/// The pictures of an earlier run are removed, and nothing else. One object is no "objects".
#[test]
fn pictures_of_an_earlier_run_are_removed() {
    let program = file("ring.pose", "class Node { Node next; } class P { bool is(Node n) := n = null; }");
    let invariants = file("ring.hex", "root.n(.next)+ not null and aliases root.n;");
    let folder = invariants.with_extension("pictures");
    // It is there if the test was run before.
    std::fs::remove_dir_all(&folder).ok();
    let drawn = |size: &str| {
        let paths = [&invariants, &program].map(|path| path.to_str().expect("printable"));
        let svg = ["--size", size, "--svg", folder.to_str().expect("printable")];
        let text = stdout(&lazuli(&[&["hex"], paths.as_slice(), &svg].concat()));
        let files = std::fs::read_dir(&folder).expect("it was made").map(|file| file.expect("a file").file_name());
        let mut files: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        files.sort();
        (text, files)
    };
    assert_eq!(drawn("3").1, ["heap-0001.svg", "heap-0002.svg", "heap-0003.svg"]);
    for ours in ["heap-7.svg", "heap-of-mine.svg", "notes.txt"] {
        std::fs::write(folder.join(ours), "mine").expect("a file");
    }
    let (text, files) = drawn("1");
    assert_eq!(files, ["heap-0001.svg", "heap-7.svg", "heap-of-mine.svg", "notes.txt"]);
    assert!(text.contains("1 complete heap with at most 1 object of a class"), "{text}");
}

/// A file is for all methods of a program; what it says of the parameters of another one is named.
#[test]
fn statements_about_inputs_of_other_methods_are_named() {
    let program = "class U { U up; } class P { bool one(U u) := u.up = null; bool two(U a, U b) := a = b; }";
    let program = file("elsewhere.pose", program);
    let invariants = file("elsewhere.hex", "root.u not null; root.a not null; root.a.up null; root.b not null;");
    let paths = [&program, &invariants].map(|path| path.to_str().expect("printable"));
    let explored = |entry: &str, format: &str| {
        let args = ["explore", paths[0], "--invariants", paths[1], "--entry", entry, "--format", format];
        stdout(&lazuli(&args))
    };
    let note = "what is said of root.a, root.b says nothing here: no input of P.one";
    assert!(explored("P.one", "text").contains(&format!("note: {note}\n")), "{}", explored("P.one", "text"));
    let json: serde_json::Value = serde_json::from_str(&explored("P.one", "json")).expect("JSON");
    assert_eq!(json["notes"], serde_json::json!([note]));
    assert!(explored("P.two", "text").contains("root.u says nothing here: no input of P.two"));
}

/// An input that nothing leads to in the pictures may be an alias of what hangs from another one.
#[test]
fn inputs_that_only_alias_are_no_contradiction() {
    let invariants = file("alias.hex", "root.a not null and expands to nothing;");
    let java = "class Nd { Nd next; } class Two { static boolean eq(Nd a, Nd b) { return b != null && b.next == a; } }";
    let tiny = "class Nd { Nd next; } class Two { bool eq(Nd a, Nd b) := if b = null then false else b.next = a; }";
    let cases: [(&str, &str, &[&str]); 3] = [
        ("Two.java", java, &["--entry", "Two.eq"]),
        ("two.pose", tiny, &["--entry", "Two.eq"]),
        ("two.pose", tiny, &[]),
    ];
    for (name, text, entry) in cases {
        let program = file(name, text);
        let paths = ["hex", invariants.to_str().expect("printable"), program.to_str().expect("printable")];
        let output = lazuli(&[&paths, entry].concat());
        let text = stdout(&output);
        assert!(output.status.code() == Some(0) && text.contains("none is valid by itself"), "{name}: {text}");
    }
}

/// Invariants whose smallest structure is beyond a bound do not contradict themselves.
#[test]
fn bounds_are_no_contradiction() {
    let program = file("two.pose", "class N { N next; } class L { N first; bool is() := this.first = null; }");
    let invariants = "for any L l { l.first not null and aliases nothing; l.first.next not null and aliases nothing; }";
    let invariants = file("two.hex", invariants);
    let (program, invariants) = (program.to_str().expect("printable"), invariants.to_str().expect("printable"));
    for (bound, told) in [("--n", "--n permits"), ("--k", "--k permits")] {
        let args = ["explore", program, "--entry", "L.is", "--invariants", invariants, bound, "0"];
        let output = lazuli(&[args.as_slice(), &["--heap", "lazy"]].concat());
        assert!(output.status.code() == Some(0) && stdout(&output).contains(told), "{output:?}");
    }
}

/// With an entry, its inputs are drawn: all of them if the file speaks of `any`, and none of other methods.
#[test]
fn heaps_of_the_inputs_of_an_entry() {
    let program = "class U { U parent; } class P { bool one(U u, int n) := u = null; bool two(U a, U b) := a = b; }";
    let program = file("two.pose", program);
    let drawn = |name: &str, invariants: &str, more: &[&str]| {
        let invariants = file(name, invariants);
        let path = |path: &std::path::Path| path.to_str().expect("printable").to_string();
        let (invariants, program) = (path(&invariants), path(&program));
        stdout(&lazuli(&[&["hex", invariants.as_str(), program.as_str(), "--size", "2"], more].concat()))
    };
    let both = "root.u not null; root.a not null;";
    let text = drawn("both.hex", both, &["--entry", "P.one"]);
    assert!(text.contains("\nU u: 1 complete heap "), "{text}");
    let text = drawn("both.hex", both, &[]);
    assert!(text.contains("\nU u, U a: 2 complete heaps "), "{text}");
    let text = drawn("other.hex", "root.a not null;", &["--entry", "P.one"]);
    assert!(text.contains("it speaks of no input of P.one"), "{text}");

    // The receiver, and two references to a U that are null, or to objects with a reference to themselves; or one such object.
    let any = "any.parent not null and expands to nothing and aliases here^;";
    let text = drawn("any.hex", any, &["--entry", "P.two"]);
    assert!(text.contains("\nP this, U a, U b: 5 complete heaps "), "{text}");
    let text = drawn("any.hex", any, &[]);
    assert!(text.contains("name it by --entry"), "{text}");
    let rules = "resolve begin {R_ANY}.parent instanceof U not null; {R_ANY}.parent instanceof U expands to nothing;
        {R_ANY}.parent instanceof U aliases target {$REF}.{UP}; resolve end";
    let text = drawn("any.jbse", rules, &["--entry", "P.two"]);
    assert!(text.contains("\nP this, U a, U b: 5 complete heaps "), "{text}");
    let text = drawn(
        "never.hex",
        "any.parent null; any.parent not null; any.parent null; root.u not null;",
        &["--entry", "P.one"],
    );
    assert!(text.contains("contradict themselves"), "{text}");
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

#[test]
fn methods_are_counted_by_how_they_end() {
    const SAMPLE: &str = "public class Sample {
    public static int returns(String s, int n) { return s.equals(\"a\") ? n : -n; }
    public static int throwsAlways(int n) { throw new IllegalStateException(\"n = \" + n); }
    public static void starts() { new Thread(() -> { }).start(); }
    static int hidden() { return 1; }
}";
    let program = file("Sample.java", SAMPLE);
    let output = lazuli(&["audit", "--methods", program.to_str().expect("printable"), "--timeout", "60s"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{text}{}", stderr(&output));
    assert!(text.contains("Sample.starts()V: stopped: java.lang.Thread.start0() is not supported"), "{text}");
    let sums = "3 methods: 1 (33.3 %) return and stop nowhere, 1 (33.3 %) only throw, \
                1 (33.3 %) stop at something unsupported, 0 (0.0 %) end nowhere, 0 fail, 0 hang";
    assert!(text.contains(sums), "{text}");
}
