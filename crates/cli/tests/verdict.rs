//! What a verdict says of the question, of what was cut off, and of what was taken for granted; and the exit code that follows.

use crate::common::{file, lazuli, stderr, stdout};
use serde_json::{Value, json};

/// An answer, as text and as JSON, with the exit code of both.
struct Answer {
    code: Option<i32>,
    text: String,
    json: Value,
}

impl Answer {
    fn of(program: &std::path::Path, options: &str) -> Answer {
        let path = program.to_str().expect("printable");
        let args: Vec<&str> = ["explore", path].into_iter().chain(options.split_whitespace()).collect();
        let output = lazuli(&args);
        let object = lazuli(&[&args[..], &["--format", "json"]].concat());
        assert_eq!(output.status.code(), object.status.code(), "{options}: the format changes nothing");
        let json: Value = serde_json::from_str(&stdout(&object)).unwrap_or_else(|e| panic!("{e}: {}", stderr(&object)));
        let lines = stdout(&lazuli(&[&args[..], &["--format", "jsonl"]].concat()));
        let end: Value = serde_json::from_str(lines.lines().last().expect("an end")).expect("JSON");
        for list in ["complete", "bounds", "limits", "assumptions", "notes"] {
            assert_eq!(json[list], end[list], "{options}: {list}");
        }
        Answer { code: output.status.code(), text: stdout(&output), json }
    }

    /// The lines of the text from the verdict on.
    fn verdict(&self) -> Vec<&str> {
        let is_verdict = |line: &&str| line.starts_with("complete") || line.starts_with("incomplete");
        let at = self.text.lines().position(|line| is_verdict(&line));
        self.text.lines().skip(at.unwrap_or_else(|| panic!("no verdict: {}", self.text))).collect()
    }

    fn kinds(&self, list: &str) -> Vec<&str> {
        let entries = self.json[list].as_array().expect("a list").iter();
        entries.map(|entry| entry["kind"].as_str().expect("a kind")).collect()
    }
}

const TEXTS: &str = "class Texts {
    static int isThere(String s) { return s == null ? 0 : 1; }
    static int isLong(String s) { return s.length() > 4 ? 1 : 0; }
    static int begins(String s) { return s.charAt(0) == 'a' ? 1 : 0; }
    static int fails(String s) { assert s.length() > 0; return s.length(); }
    static int sum(int[] a) { int sum = 0; for (int x : a) sum += x; return sum; }
}";

#[test]
fn a_default_length_is_a_limit_where_the_program_looks_at_one() {
    let program = file("Texts.java", TEXTS);
    for heap in ["pose", "summary", "lazy", "lazier#"] {
        let answer = |entry: &str| Answer::of(&program, &format!("--entry Texts.{entry} --heap {heap}"));
        let there = answer("isThere");
        assert_eq!((there.code, there.verdict()), (Some(0), vec!["complete"]), "{heap}");
        assert_eq!(there.json["complete"], true);
        // The program asks for what the bound excludes: that path is missing, and the other one is no wider without the bound.
        let long = answer("isLong");
        let limit = "input strings have at most 4 characters (--max-string)";
        let wanted = vec!["incomplete: inputs were left out".to_string(), format!("limit: {limit}")];
        assert_eq!((long.code, long.json["counts"]["returned"].as_u64()), (Some(3), Some(1)), "{heap}");
        assert_eq!(long.verdict(), wanted, "{heap}");
        assert_eq!(long.json["limits"], json!([{ "kind": "max_string", "text": limit, "value": 4 }]));
        assert_eq!((&long.json["complete"], long.kinds("bounds").len()), (&json!(false), 0));
        assert_eq!(answer("begins").kinds("limits"), ["max_string", "characters"], "{heap}");
        assert_eq!(answer("sum").kinds("limits"), ["max_array"], "{heap}");
    }
}

#[test]
fn what_the_user_bounds_is_part_of_the_question() {
    let program = file("Texts.java", TEXTS);
    // Repeating a default counts.
    let long = Answer::of(&program, "--entry Texts.isLong --max-string 4");
    assert_eq!(long.code, Some(0));
    assert_eq!(long.verdict(), ["complete within --max-string 4", "bound: --max-string 4 cut something off"]);
    let text = "--max-string 4 cut something off";
    assert_eq!(long.json["bounds"], json!([{ "kind": "max_string", "text": text, "value": 4, "cut": true }]));
    let there = Answer::of(&program, "--entry Texts.isThere --max-string 4 --max-array 8");
    let bounds = ["--max-string 4", "--max-array 8"].map(|bound| format!("bound: {bound} did not cut anything off"));
    assert_eq!((there.code, there.verdict()), (Some(0), vec!["complete", &bounds[0], &bounds[1]]));
    // Time that was not used up is no part of the answer.
    let soon = Answer::of(&program, "--entry Texts.isThere --timeout 1h");
    assert_eq!((soon.verdict(), soon.kinds("bounds")), (vec!["complete"], vec!["timeout"]));
    // One that was given does not excuse another.
    assert_eq!(Answer::of(&program, "--entry Texts.sum --max-string 4").code, Some(3));
}

#[test]
fn a_violation_outweighs_limits_and_bad_input_everything_that_is_left() {
    let program = file("Texts.java", TEXTS);
    let fails = Answer::of(&program, "--entry Texts.fails");
    assert_eq!((fails.code, fails.kinds("limits")), (Some(1), vec!["max_string"]));
    assert!(fails.text.contains("assertion failed") && fails.verdict()[0].starts_with("incomplete"), "{}", fails.text);
    let path = program.to_str().expect("printable");
    assert_eq!(lazuli(&["explore", path, "--entry", "Texts.isNowhere"]).status.code(), Some(2));
    assert_eq!(lazuli(&["explore", path, "--entry", "Texts.fails", "--k", "many"]).status.code(), Some(2));
}

/// A violation whose witness does something else is none: a companion method wrote what the program reads.
#[test]
fn a_refuted_violation_is_a_limit() {
    let program = "class Node { Node next; int value; bool sets() := { this.value := 7; true }; }
        class Program {
            int one(Node n) := if n.next = null then 0 else { assert n.next.value < 7; 1 };
            int other(Node n) := if n.next = null then 0 else if n.next = n then 1 else { assert n.next.value < 7; 2 };
        }";
    let program = file("sets.pose", program);
    let invariants = file("sets.hex", "any.next on expand do Node.sets(it);");
    let answer = |entry: &str| {
        let answer = Answer::of(&program, &format!("--entry Program.{entry} --invariants {}", invariants.display()));
        assert_eq!(answer.kinds("limits"), ["refuted"], "{}", answer.text);
        let counts = ["assert_failed", "violations_refuted"].map(|count| answer.json["counts"][count].as_u64());
        (answer.code, counts)
    };
    // A node that leads to itself was met before, so that nobody has written its value.
    assert_eq!(answer("one"), (Some(1), [Some(2), Some(1)]));
    assert_eq!(answer("other"), (Some(3), [Some(1), Some(1)]));
}

const LIST: &str = "class N { N next; int v; }
    class P { int two(N a) := if a = null then 0 else if a.next = null then 1 else 2; }";

#[test]
fn whether_a_bound_on_the_heap_cut_something_off_is_said() {
    let program = file("list.pose", LIST);
    for heap in ["lazy", "lazier", "uber-lazy", "summary", "pose"] {
        // P is the first object, so that two more are wanted at least.
        for (bound, cuts) in [("--k 1", true), ("--k 2", false), ("--k 3", false), ("--n 2", true), ("--n 3", false)] {
            let answer = Answer::of(&program, &format!("--entry P.two --heap {heap} {bound}"));
            let wanted = match cuts {
                true => [format!("complete within {bound}"), format!("bound: {bound} cut something off")],
                false => ["complete".into(), format!("bound: {bound} did not cut anything off")],
            };
            assert_eq!(answer.verdict(), wanted, "{heap}");
            assert_eq!((answer.code, &answer.json["bounds"][0]["cut"]), (Some(0), &json!(cuts)), "{heap} {bound}");
        }
    }
}

/// Where a run was not finished, or invariants say which inputs are valid, nobody knows what a bound would have cut off.
#[test]
fn what_is_not_known_of_a_bound_is_not_said() {
    let program = file("list.pose", LIST);
    let unfinished = Answer::of(&program, "--entry P.two --k 3 --max-traces 1");
    assert_eq!(
        unfinished.verdict()[..2],
        ["incomplete: stopped by --max-traces", "bound: --k 3 may have cut something off"]
    );
    let bounds = &unfinished.json["bounds"];
    assert_eq!((&bounds[0]["cut"], &bounds[1]["cut"]), (&Value::Null, &json!(true)));
    assert_eq!((unfinished.code, unfinished.kinds("limits")), (Some(3), vec!["max_traces"]));
    let invariants = file("short.hex", "root.a.next null;");
    let options = format!("--entry P.two --k 1 --heap lazy --invariants {}", invariants.display());
    let judged = Answer::of(&program, &options);
    assert_eq!((judged.code, &judged.json["bounds"][0]["cut"]), (Some(0), &Value::Null), "{}", judged.text);
}

#[test]
fn what_was_stopped_is_a_limit() {
    let program = "class Stops {
        static int starts() { new Thread(() -> {}).start(); return 1; }
        static int factor(long x, long y) {
            return x > 1 && y > 1 && x < 4000000000L && y < 4000000000L && x * y == 1000000016000000063L ? 1 : 0;
        }
    }";
    let program = file("Stops.java", program);
    let starts = Answer::of(&program, "--entry Stops.starts");
    assert_eq!((starts.code, starts.kinds("limits")), (Some(3), vec!["unsupported"]));
    assert_eq!(starts.json["limits"][0]["traces"], 1);
    assert_eq!(starts.verdict()[0], "incomplete: 1 trace stopped");
    let factor = Answer::of(&program, "--entry Stops.factor --solver-effort 1");
    assert_eq!((factor.code, factor.kinds("limits")), (Some(3), vec!["solver_unknown"]));
    let list = file("list.pose", LIST);
    let shallow = Answer::of(&list, "--entry P.two --max-depth 1");
    // The bound was given, and the traces were stopped all the same.
    assert_eq!(
        (shallow.code, shallow.kinds("bounds"), shallow.kinds("limits")),
        (Some(3), vec!["max_depth"], vec!["max_depth"])
    );
    assert_eq!(shallow.verdict(), ["incomplete: 2 traces stopped", "limit: 2 traces stopped by --max-depth"]);
}

#[test]
fn other_classes_are_left_out_where_the_program_looks_into_an_object() {
    let program = file(
        "Any.java",
        "class Any {
            static int isThere(Object o) { return o == null ? 0 : 1; }
            static int calls(Object o) { return o.equals(null) ? 1 : 0; }
            static int same(Object a, Thread b) { return a == b ? 1 : 0; }
            static int stores(Number[] a) { if (a.length == 1) a[0] = 1; return 1; }
            static int strings(String[] a) { if (a.length == 1) a[0] = \"\"; return 1; }
            static int reads(Number[] a) { return a.length == 1 && a[0] == null ? 1 : 0; }
        }",
    );
    assert_eq!(Answer::of(&program, "--entry Any.isThere").code, Some(0));
    let calls = Answer::of(&program, "--entry Any.calls");
    assert_eq!((calls.code, calls.kinds("limits")), (Some(3), vec!["types"]), "{}", calls.text);
    let chosen = Answer::of(&program, "--entry Any.calls --types java.lang.Object=java.lang.Integer");
    assert_eq!((chosen.code, chosen.kinds("bounds")), (Some(0), vec!["types"]), "{}", chosen.text);
    assert_eq!(chosen.verdict()[0], "complete within --types java.lang.Object=java.lang.Integer");
    assert_eq!(Answer::of(&program, "--entry Any.same").code, Some(3));
    // It may be an array of Double.
    let limits =
        |entry: &str| Answer::of(&program, &format!("--entry Any.{entry} --max-array 2")).json["limits"].clone();
    assert!(
        limits("stores")[0]["text"].as_str().expect("a text").contains("java.lang.Number[]"),
        "{}",
        limits("stores")
    );
    assert_eq!((limits("strings"), limits("reads")), (json!([]), json!([])));
}

/// They stand in the verdict, and change nothing.
#[test]
fn assumptions_do_not_change_the_exit_code() {
    let program = file(
        "World.java",
        "class World {
            static int prints() { System.out.println(1); return 1; }
            static int hash() { return new Object().hashCode(); }
            static double sine() { return Math.sin(1); }
            static double strict() { return StrictMath.sin(1); }
            static int zone() { return java.util.TimeZone.getDefault().getRawOffset(); }
            static int compares(java.util.Comparator<String> c) { return c.compare(\"a\", \"b\"); }
        }",
    );
    let answer = |entry: &str| Answer::of(&program, &format!("--entry World.{entry}"));
    for (entry, kind) in [
        ("prints", "properties"),
        ("hash", "identity_hash"),
        ("sine", "math"),
        ("zone", "time_zone"),
        ("compares", "results"),
    ] {
        let answer = answer(entry);
        assert_eq!((answer.code, answer.verdict()[0]), (Some(0), "complete"), "{entry}");
        assert!(answer.kinds("assumptions").contains(&kind), "{entry}: {}", answer.text);
        assert!(answer.text.contains("\nassumption: "), "{entry}: {}", answer.text);
    }
    assert_eq!(answer("strict").kinds("assumptions"), [""; 0]);
}

const EXISTING: &str = "import java.util.*;
class Existing {
    static class Nil { int v; }
    static final Nil NIL = new Nil();
    static int sentinel(Nil n) { return n == NIL ? 1 : 2; }
    static int literal(String s) { return s == \"a\" ? 1 : 2; }
    static int cached(Integer x) { return x == (Integer) 5 ? 1 : 2; }
    static int empty(Optional<?> o) { return o == Optional.empty() ? 1 : 2; }
    static int other(Nil n, Nil m) { return n == m ? 1 : 2; }
    static int made(Nil n) { return n == new Nil() ? 1 : 2; }
    static int boxed(Integer x, int n) { Integer y = n; return x == y ? 1 : 2; }
    static int type(Class<?> c) { return c == String.class ? 1 : 2; }
}";

/// What exists before the entry is an input where it is compared with one; what cannot be one is said.
#[test]
fn inputs_that_cannot_be_what_exists_before_the_entry_are_left_out_by_name() {
    let program = file("Existing.java", EXISTING);
    for heap in ["pose", "summary", "lazy"] {
        for (entry, is_left_out) in [
            ("sentinel", false),
            ("literal", false),
            ("cached", false),
            ("empty", false),
            ("other", false),
            ("made", false),
            ("boxed", true),
            ("type", true),
        ] {
            let answer = Answer::of(&program, &format!("--entry Existing.{entry} --heap {heap}"));
            assert_eq!(
                answer.kinds("limits").contains(&"existing"),
                is_left_out,
                "{entry} under {heap}: {}",
                answer.text
            );
            assert_eq!(answer.code, Some(if is_left_out { 3 } else { 0 }), "{entry} under {heap}: {}", answer.text);
        }
    }
}
