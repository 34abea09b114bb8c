//! One program in Java and in the tiny language, under the same files of invariants: both have the same paths, with the same values,
//! under every heap model. The files are formulas: every connective by itself, nested, and beside events.

use std::collections::BTreeSet;

use lazuli::{Run, Trace};
use lazuli_engine::config::{Config, TraceDetail};
use lazuli_invariant::Invariants;

use crate::java::run;
use crate::java::small::{arrays, explore_small, load_small};

/// The same program in both languages, under the same invariants: the same paths, with the same values, under every heap model. How many
/// paths there are is given for each file of invariants, and for none.
fn alike(source: &str, tiny: &str, entry: &str, files: &[(&str, u64)], without: u64) {
    let program = load_small(entry, source, entry, arrays());
    let tiny = lazuli_program::load_text("small.pose", tiny.into()).unwrap_or_else(|error| panic!("{error}"));
    let ends = |run: &Run| {
        let end = |trace: &Trace| {
            let value = trace.detail.as_ref().expect("there are few traces").value.clone();
            (trace.outcome.to_string().replace("java.lang.", ""), value)
        };
        let mut ends: Vec<_> = run.traces.iter().map(end).collect();
        ends.sort();
        ends
    };
    for &(text, paths) in files {
        let hex = lazuli_invariant::hex::load_text(&tiny, "small.hex", text.into()).unwrap_or_else(|e| panic!("{e}"));
        let hex = Some(Invariants::of_hex(hex).shared());
        for (heap, ours) in explore_small("small.hex", &program, text) {
            let (entry, detail) = (Some(entry.to_string()), TraceDetail::Full);
            let theirs =
                run(&tiny, &Config { heap, entry, detail, invariants: hex.clone(), ..Config::default() }, text);
            assert_eq!(ends(&ours), ends(&theirs), "{text} under {heap}");
            assert_eq!((ours.counts.stopped, theirs.counts.stopped), (0, 0), "{text} under {heap}");
            let flows: BTreeSet<_> = ours.traces.iter().map(|trace| trace.flow).collect();
            assert_eq!(flows.len() as u64, paths, "{text} under {heap}");
        }
    }
    assert_eq!(run(&program, &Config::default(), entry).counts.traces, without);
}

/// Formulas about the children of a tree's nodes: every connective by itself, nested, under negation, in a scope and outside.
#[test]
fn formulas_about_trees() {
    let source = "
        class Node { int v; Node left; Node right; }
        class Small {
            Node root;
            int shape() {
                if (root == null) { return 0; }
                if (root.left == null) {
                    if (root.right == null) { return 1; }
                    if (root.right.left == null) { return 2; }
                    return 3;
                }
                if (root.left == root) { return 4; }
                if (root.right == null) { return 5; }
                if (root.right == root.left) { return 6; }
                if (root.left.left == root.right) { return 7; }
                return 8;
            }
        }";
    let tiny = "
        class Node { int v; Node left; Node right; }
        class Small {
            Node root;
            int shape() :=
                if this.root = null then 0
                else if this.root.left = null then
                    if this.root.right = null then 1
                    else if this.root.right.left = null then 2
                    else 3
                else if this.root.left = this.root then 4
                else if this.root.right = null then 5
                else if this.root.right = this.root.left then 6
                else if this.root.left.left = this.root.right then 7
                else 8;
        }";
    let (left, right) = ("root.this.root.left", "root.this.root.right");
    // What a formula leaves of the nine paths.
    let files = [
        ("for any Node n { (n.left null and n.right null) or (n.left not null and n.right not null); }", 6),
        (&format!("{left} null or {right} null;"), 6),
        (&format!("{left} null => {right} null;"), 7),
        (&format!("{left} null => {right} null => root.this.root not null;"), 8),
        (&format!("not ({left} null);"), 5),
        (&format!("not (not ({left} null));"), 4),
        (&format!("not ({left} null or {right} null);"), 4),
        (&format!("not ({left} null and {right} null);"), 7),
        (&format!("not ({left} null => {right} null);"), 2),
        (&format!("({left} not null and {right} not null) or ({left} null and not ({right} null));"), 7),
        (&format!("{left} aliases nothing or {right} null;"), 9),
        ("root.this.root(.left|.right)+ aliases nothing;", 6),
        ("not (root.this.root(.left|.right)+ aliases nothing) or root.this.root.left null;", 9),
        (
            &format!(
                "(root.this.root(.left)+ not null or {right} null) and ({left} expands to nothing => {right} null);"
            ),
            7,
        ),
        ("for any Node n { n.left null => (n.right null or n.right aliases n); }", 9),
    ];
    alike(source, tiny, "Small.shape", &files, 9);
}

/// Formulas about lists that end, or are rings, of up to three nodes.
#[test]
fn formulas_about_lists() {
    let source = "
        class Node {
            int v; Node next;
            int walk(Node first, int n) {
                if (n == 0) { return 0; }
                if (next == null) { return 1; }
                if (next == first) { return 2; }
                return next.walk(first, n - 1);
            }
        }
        class Small {
            Node list;
            int kind() { if (list == null) { return 3; } return list.walk(list, 3); }
        }";
    let tiny = "
        class Node {
            int v; Node next;
            int walk(Node first, int n) :=
                if n = 0 then 0
                else if this.next = null then 1
                else if this.next = first then 2
                else this.next.walk[first, n - 1];
        }
        class Small {
            Node list;
            int kind() := if this.list = null then 3 else this.list.walk[this.list, 3];
        }";
    let list = "root.this.list";
    let (ring, chain) =
        (format!("({list}(.next)+ not null and aliases {list})"), format!("({list}(.next)+ aliases nothing)"));
    let files: [(&str, u64); 7] = [
        (&format!("{ring} or {chain};"), 8),
        (&format!("{ring} and {list} not null;"), 4),
        (&format!("not {chain};"), 4),
        (&format!("not {ring};"), 4),
        (&format!("{chain} and not {ring};"), 4),
        (&format!("{list}.next null => {list} null;"), 7),
        (&format!("{chain} => {list}.next null;"), 6),
    ];
    alike(source, tiny, "Small.kind", &files, 8);
}

/// Formulas between two parameters, and with events beside them.
#[test]
fn formulas_between_inputs() {
    let source = "
        class Node { int v; Node next; }
        class Small {
            int both(Node a, Node b) {
                if (a == null) { if (b == null) { return 0; } return 1; }
                if (b == null) { return 2; }
                if (a == b) { return 3; }
                if (a.next == b) { return 4; }
                return b.v < a.v ? 5 : 6;
            }
        }";
    let tiny = "
        class Node { int v; Node next; }
        class Small {
            int both(Node a, Node b) :=
                if a = null then if b = null then 0 else 1
                else if b = null then 2
                else if a = b then 3
                else if a.next = b then 4
                else if b.v < a.v then 5 else 6;
        }";
    let files = [
        ("root.a null => root.b null;", 6),
        ("root.a null or root.b null;", 3),
        ("not (root.a null) and not (root.b null);", 4),
        ("root.b aliases nothing or root.a.next null;", 7),
        ("(root.a not null and root.b not null) => root.b expands to nothing;", 4),
        ("root.a not null => root.b not null; root.b on expand do { assume initial(it.v) > 3; };", 6),
        ("root.a.next null or root.a.next not null; root.b on expand do { assume initial(it.v) < initial(it.v); };", 3),
    ];
    alike(source, tiny, "Small.both", &files, 7);
}
