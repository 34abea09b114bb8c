//! `--invariants-by`: the techniques from the command line, and what they refuse.

use crate::common::{command, file, lazuli, stderr, stdout};

const LIST: &str = "programs/hex/subjects/LinkedList.pose";
const TREE: &str = "programs/hex/subjects/TreeMap.pose";

/// The number of traces of a target under lazy initialization.
fn traces(program: &str, entry: &str, node: &str, n: &str, more: &[&str]) -> u64 {
    let n = format!("{node}={n}");
    let mut args = vec!["explore", program, "--entry", entry, "--heap", "lazy", "--n", &n];
    args.extend(["--format", "json"].iter().chain(more));
    let output = lazuli(&args);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|e| {
        panic!("{args:?}: {e}: {}", stderr(&output));
    });
    assert_eq!(json["counts"]["witnesses_differed"], 0, "{args:?}");
    json["counts"]["traces"].as_u64().expect("a number")
}

fn refused(args: &[&str], words: &[&str]) {
    let output = lazuli(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "");
    for word in words {
        assert!(stderr(&output).contains(word), "{args:?}: no {word:?} in: {}", stderr(&output));
    }
}

#[test]
fn techniques_prune() {
    let by = |more: &[&str]| traces(LIST, "LinkedList.removeLast", "Entry", "4", more);
    let all = by(&[]);
    let hex = by(&["--invariants", "programs/hex/subjects/LinkedList.hex"]);
    let bounded = by(&["--invariants-by", "bounded"]);
    let consp = by(&["--invariants-by", "consp"]);
    assert_eq!(hex, bounded);
    assert!(hex < consp && consp < all, "{hex} < {consp} < {all}");
    assert!(by(&["--invariants-by", "prep"]) > hex, "PrEP enumerates what nobody looks at");
}

/// A completion has a bound too: with too few objects valid inputs are refused.
#[test]
fn completions_are_bounded() {
    let by = |objects| {
        let objects = format!("Entry={objects}");
        traces(LIST, "LinkedList.get", "Entry", "3", &["--invariants-by", "bounded", "--completion", &objects])
    };
    assert!(by("3") < by("6"));
    assert_eq!(by("6"), by("8"));
}

#[test]
fn workers_agree() {
    for (technique, n) in [("prep", "8"), ("consp", "6")] {
        let run = |jobs: &str| {
            let args = ["--invariants-by", technique, "--jobs", jobs, "--traces", "none", "--max-calls", "60"];
            traces(LIST, "LinkedList.remove", "Entry", n, &args)
        };
        let number = run("1");
        assert!(number > 2_000, "{technique}: {number} traces are not split");
        assert_eq!(number, run("2"), "{technique}");
    }
}

#[test]
fn what_a_technique_needs() {
    let explore = ["explore", LIST, "--entry", "LinkedList.get"];
    let with = |more: &[&'static str]| explore.iter().copied().chain(more.iter().copied()).collect::<Vec<_>>();
    refused(&with(&["--invariants-by", "consp"]), &["partial heaps", "pose", "--heap lazy"]);
    refused(&with(&["--invariants-by", "bounded", "--heap", "summary"]), &["partial heaps", "summary"]);
    refused(&with(&["--invariants-by", "hex"]), &["--invariants FILE"]);
    refused(&with(&["--invariants-by", "prep", "--invariants", "x.hex"]), &["methods"]);
    refused(&with(&["--invariants-by", "magic"]), &["no technique magic", "bounded"]);
    refused(&with(&["--n", "Nothing=3"]), &["no class Nothing"]);
    refused(
        &["explore", "programs/pose/dll.pose", "--entry", "DoubleLinkedList.getFirst", "--invariants-by", "prep"],
        &["no input", "repOk"],
    );
}

/// A method that has the name of the invariant and not its signature is pointed at.
#[test]
fn methods_that_are_nearly_the_invariant() {
    let near = |name: &str, text: &str, technique: &str, words: &[&str]| {
        let path = file(name, text);
        let path = path.to_str().expect("printable");
        refused(&["explore", path, "--entry", "A.f", "--heap", "lazy", "--invariants-by", technique], words);
    };
    near("number.pose", "class A { int repOk() := 1; int f() := 2; }", "prep", &["A.repOk", "does not return bool"]);
    near("more.pose", "class A { bool repOk(int i) := true; int f() := 2; }", "bounded", &["repOk", "has parameters"]);
    let java = |methods: &str| format!("class A {{ int f() {{ return 2; }} {methods} }}");
    let (number, fixed) = ("int repOk() { return 1; }", "static boolean repOk() { return true; }");
    near("A.java", &java(number), "prep", &["A.repOk() does not return boolean"]);
    near("A.java", &java(fixed), "bounded", &["A.repOk() is static"]);
    near(
        "A.java",
        &java("boolean repOkConservative(int i) { return true; }"),
        "consp",
        &["A.repOkConservative(int) has parameters"],
    );
}

/// An invariant that does not return is not the program that does not.
#[test]
fn invariants_that_do_not_return() {
    let text = "class A { A a;
        bool repOk() := this.again[]; bool repOkConservative() := this.again[]; bool again() := this.again[];
        bool f() := this.a = null; }";
    let path = file("endless.pose", text);
    for (technique, method) in [("bounded", "repOk"), ("consp", "repOkConservative")] {
        let args = ["--entry", "A.f", "--heap", "lazy", "--invariants-by", technique, "--n", "2"];
        let output = command(&["explore", path.to_str().expect("printable")]).args(args).output().expect("it runs");
        let expected = format!("stopped: {method} of the inputs did not return within --max-calls");
        assert!(stdout(&output).contains(&expected), "{technique}: {}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn shapes_are_checked() {
    let refuse = |text: &str, words: &[&str]| {
        let path = file("shape.mso", text);
        let path = path.to_str().expect("a printable path");
        let args = [
            "explore",
            TREE,
            "--entry",
            "TreeMap.get",
            "--heap",
            "lazy",
            "--invariants",
            path,
            "--invariants-by",
            "mso",
        ];
        refused(&args, words);
    };
    refuse("", &["declares no tree"]);
    refuse("// trees\ntree TreeMap.root by left;", &["tree CLASS.FIELD of CLASS", "shape.mso:2"]);
    refuse("tree TreeMap.root of Entry by left, rigth;", &["no field rigth", "shape.mso:1"]);
    refuse("tree TreeMap.root of Node by left, right;", &["no class Node"]);
    refuse("tree TreeMap.size of Entry by left, right;", &["TreeMap.size", "Entry"]);
    refuse("tree TreeMap.root of Entry by left, left;", &["left is both"]);
}

/// Without `mona` there is a message, not a result.
#[test]
fn mona_is_missing() {
    let args = ["explore", TREE, "--entry", "TreeMap.get", "--heap", "lazy", "--n", "Entry=2"];
    let mut lazuli = command(&args);
    lazuli.args(["--invariants", "programs/hex/subjects/TreeMap.mso", "--invariants-by", "mso"]);
    let output = lazuli.env("PATH", "/nonexistent").output().expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("mona, which is not installed"), "{}", stderr(&output));
}

/// `isResolved` is a word of the language only where it is called, and only references are resolved.
#[test]
fn is_resolved() {
    let path = file("resolved.pose", "class A { int x; A a; bool f() := isResolved(this, x); }");
    refused(&["explore", path.to_str().expect("printable"), "--entry", "A.f"], &["x is no reference"]);
    let path = file("variable.pose", "class A { int f(int isResolved) := isResolved; }");
    assert_eq!(lazuli(&["explore", path.to_str().expect("printable"), "--entry", "A.f"]).status.code(), Some(0));
}

/// Whether or not `--n` counts them: all objects of the input are objects of its completion.
#[test]
fn completions_count_what_is_there_already() {
    let program = "class A { A f; bool repOk() := true; int run(A p) := if p = this.f then 1 else 2; }";
    let program = file("count.pose", program);
    let program = program.to_str().expect("printable");
    let by = |objects: &str, more: &[&str]| {
        let args = ["explore", program, "--entry", "A.run", "--heap", "lazy", "--format", "json"];
        let bounded = ["--invariants-by", "bounded", "--completion", objects];
        let output = lazuli(&[args.as_slice(), &bounded, more].concat());
        let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        json["counts"]["traces"].as_u64().expect("a number")
    };
    // Both references are null, this, or an object more; with three objects two different ones.
    for more in [&[] as &[&str], &["--n", "3"]] {
        assert_eq!([by("0", more), by("1", more), by("2", more), by("3", more)], [0, 4, 9, 10], "{more:?}");
    }
}

/// `--exact` compares what the technique executes: the harness of PrEP, or the models that ConsP can ask.
#[test]
fn exactness_of_techniques() {
    let program =
        "class A { A f; bool repOk() := this.f = this; int run() := this.f.step[]; int step() := throw Odd; }";
    let program = file("exact.pose", program);
    let args = ["compare", program.to_str().expect("printable"), "--entry", "A.run", "--exact", "--invariants-by"];
    let output = lazuli(&[args.as_slice(), &["prep"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("\npose            1 "), "the valid input throws: {}", stdout(&output));
    refused(&[args.as_slice(), &["bounded", "--heaps", "lazy,pose"]].concat(), &["pose does not have"]);
    let output = lazuli(&[args.as_slice(), &["bounded", "--heaps", "lazy,lazier,lazier#"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// The method that says whether an object is valid has one of the names that people give it, or the one that is named.
#[test]
fn invariants_by_other_names() {
    for (name, option) in [("repOk", None), ("repOK", None), ("invariant", None), ("ok", Some("ok"))] {
        let text = format!(
            "class A {{ int x; private boolean {name}() {{ return x > 0; }} int f() {{ return x > 0 ? 1 : 2; }} }}"
        );
        let path = file("A.java", text);
        let mut args = vec!["explore", path.to_str().expect("printable"), "--entry", "A.f", "--invariants-by", "prep"];
        args.extend(option.iter().flat_map(|name| ["--rep-ok", *name]));
        let output = lazuli(&args);
        assert!(stdout(&output).contains("1 trace: 1 returned"), "{name}: {}{}", stdout(&output), stderr(&output));
        if option.is_some() {
            refused(&args[..6], &["no input of the entry has a method boolean repOk()"]);
        }
    }
}

/// Several classes have bounds of their own, and all of them hold.
#[test]
fn objects_of_several_classes_are_counted() {
    let text = "class L { N first; T tag; int f() := if this.first = null then 0 else
            if this.first.next = null then 1 else 2; int g() := if this.tag = null then 0 else 1; }
        class N { N next; } class T { int x; }";
    let path = file("several.pose", text);
    for heap in ["lazy", "lazier", "summary", "pose", "pose-ite"] {
        let number = |entry: &str, more: &[&str]| {
            let args = ["explore", path.to_str().expect("printable"), "--entry", entry, "--heap", heap];
            let output = lazuli(&[args.as_slice(), &["--format", "json"], more].concat());
            let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
            json["counts"]["traces"].as_u64().expect("a number")
        };
        let all = number("L.f", &[]);
        assert_eq!(number("L.f", &["--n", "N=2", "--n", "T=0"]), all, "{heap}");
        assert!(number("L.f", &["--n", "N=0", "--n", "T=5"]) < all, "{heap}");
        assert_eq!(number("L.g", &["--n", "N=5", "--n", "T=0"]), 1, "{heap}");
        assert_eq!(number("L.g", &["--n", "N=0", "--n", "T=1"]), 2, "{heap}");
        assert_eq!(number("L.g", &["--n", "1"]), 1, "{heap}: the receiver counts");
    }
}

/// Under HEX `--n` counts the same objects as without, the receiver among them, whatever the heap model.
#[test]
fn objects_are_counted_beside_hex() {
    for (n, expected) in [("2", 4), ("3", 10)] {
        for heap in ["lazy", "uber-lazy", "summary", "pose", "pose-ite"] {
            let args = ["explore", TREE, "--entry", "TreeMap.get", "--n", n, "--heap", heap, "--format", "json"];
            let output = lazuli(&[args.as_slice(), &["--invariants", "programs/hex/subjects/TreeMap.hex"]].concat());
            let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
            assert_eq!(json["counts"]["traces"], expected, "--n {n} under {heap}");
        }
    }
}

/// A precondition is a method that is true of the inputs, under every heap model.
#[test]
fn preconditions() {
    let text = "class A { int x;
        static boolean positive(int n) { return n > 0; }
        static boolean enough(A a, int n) { return 0 < n && n <= a.x; }
        boolean isOpen() { return x >= 0; }
        boolean takes(int n) { return n < 100 / x; }
        static boolean text(String s) { return true; }
        int take(int n) {
            if (n <= 0) throw new IllegalArgumentException();
            if (n > x) throw new IllegalStateException();
            return x -= n;
        }
    }";
    let path = file("A.java", text);
    for heap in ["lazy", "lazier#", "summary", "pose"] {
        let args = ["explore", path.to_str().expect("printable"), "--entry", "A.take", "--heap", heap, "--pre"];
        let counts = |pre: &str| {
            let output = lazuli(&[args.as_slice(), &[pre, "--format", "json"]].concat());
            let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
            assert_eq!(json["counts"]["witnesses_differed"], 0, "{pre} under {heap}");
            [&json["counts"]["returned"], &json["counts"]["threw"]].map(|number| number.as_u64().expect("a number"))
        };
        assert_eq!(counts("A.positive"), [1, 1], "{heap}");
        assert_eq!(counts("A.enough"), [1, 0], "{heap}");
        assert_eq!(counts("A.isOpen"), [1, 2], "{heap}");
        // Where it throws, it is not true.
        assert_eq!(counts("A.takes"), [1, 2], "{heap}");
        refused(&[args.as_slice(), &["A.text"]].concat(), &["A.text is no precondition of A.take(int)"]);
        refused(&[args.as_slice(), &["A.nothing"]].concat(), &["there is no method A.nothing"]);
    }
}

/// A companion method that asks what is resolved hears the same under every heap model.
#[test]
fn companions_ask_what_is_resolved() {
    let program = file(
        "T.java",
        "import lazuli.Lazuli;
        class N {
            N left, right, seenRight;
            int height;
            static void nullLeft(N n) {
                if (!Lazuli.isResolved(n, \"seenRight\")) Lazuli.assume(n.height <= 1);
                else Lazuli.assume(n.height == (n.seenRight == null ? 0 : 1));
            }
        }
        class T {
            N root;
            int look() { if (root == null) return 0; if (root.left == null) return 1; return 2; }
        }",
    );
    let rules = "for any T t {
        t.root(.left|.right)* aliases nothing;
        t.root(.left|.right)*.left on null do N.nullLeft(here^);
    }";
    let rules = file("T.hex", rules);
    for heap in ["lazy", "lazier", "lazier#", "uber-lazy", "summary", "pose", "pose-ite"] {
        let args = ["explore", program.to_str().expect("printable"), "--entry", "T.look", "--heap", heap];
        let more = ["--invariants", rules.to_str().expect("printable"), "--format", "json"];
        let output = lazuli(&[args.as_slice(), &more].concat());
        let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(json["counts"]["traces"], 3, "{heap}: {}", stdout(&output));
        assert_eq!(json["counts"]["returned"], 3, "{heap}");
    }
}
