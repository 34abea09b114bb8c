//! Bad input gives a clear message with its place, exit code 2, and nothing that looks like a result.

use crate::common::{file, lazuli, stderr, stdout};

/// Explores a file and expects it to be refused.
fn refused(path: &std::path::Path, words: &[&str]) {
    refused_with(&["explore", path.to_str().expect("a printable path")], words);
}

fn refused_with(args: &[&str], words: &[&str]) {
    let output = lazuli(args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?} gave:\n{message}");
    assert_eq!(stdout(&output), "", "nothing is printed as if it were a result");
    for word in words {
        assert!(message.contains(word), "{args:?}: no {word:?} in:\n{message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn files_that_are_no_programs() {
    refused_with(&["explore", "no/such/file.pose"], &["no/such/file.pose", "there is no such file"]);
    refused_with(&["explore", "programs/pose"], &["there are no classes and no sources"]);
    refused_with(&["explore", "Cargo.lock"], &["which language", ".pose"]);
    refused(&file("binary.pose", [0u8, 159, 146, 150]), &["not text"]);
    refused(&file("zero.pose", "class A { }\0"), &["not text"]);
    refused(&file("empty.pose", ""), &["no main expression"]);
}

#[test]
fn syntax_errors_point_into_the_text() {
    let path = file("syntax.pose", "class A {\n  int x\n}\n1");
    refused(&path, &["expected `;`", "syntax.pose:3:1", "^"]);
    refused(&file("open.pose", "let x := 1 in (x"), &["expected `)`", "end of the file", ":1:17"]);
    refused(&file("sign.pose", "1 # 2"), &["unexpected character '#'", ":1:3"]);
    refused(&file("comment.pose", "1 /* never closed"), &["comment is not closed", ":1:3"]);
    refused(&file("number.pose", "99999999999999999999"), &["too large", ":1:1"]);
}

#[test]
fn type_errors_point_into_the_text() {
    refused(
        &file("type.pose", "class A { int x; }\nlet a : A := Y0 in a.x + true"),
        &["expected int, found bool", ":2:26"],
    );
    refused(
        &file("field.pose", "class A { int size; }\nlet a : A := Y0 in a.sise"),
        &["no field sise", "did you mean size", ":2:22"],
    );
    refused(&file("variable.pose", "let count := 1 in coumt"), &["no variable coumt", "did you mean count"]);
    refused(&file("class.pose", "new Nod"), &["no class Nod"]);
    refused(&file("branches.pose", "let x := if true then 1 else false in x"), &["different types: int and bool"]);
    refused(&file("results.pose", "if true then 1 else false"), &["returns bool here and int elsewhere", ":1:21"]);
    refused(
        &file("inputs.pose", "class A { int x; } class B { int y; } Y0.x + Y0.y"),
        &["Y0, used as A, has no field y"],
    );
}

#[test]
fn includes_and_inheritance() {
    refused(
        &file("missing.pose", "include nowhere.pose\n1"),
        &["nowhere.pose", "there is no such file", "missing.pose:1:1"],
    );
    let first = file("first.pose", "include second.pose\n1");
    file("second.pose", "include first.pose\n");
    refused(&first, &["includes itself"]);
    refused(&file("cycle.pose", "class A extends B { } class B extends A { } 1"), &["inherits from itself"]);
    refused(&file("unknown.pose", "class A extends Missing { } 1"), &["no class Missing", ":1:17"]);
}

#[test]
fn a_hundred_thousand_parentheses() {
    let text = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    refused(&file("deep.pose", text), &["nested deeper than"]);
    let text = format!("{}true{}", "(not ".repeat(100_000), ")".repeat(100_000));
    refused(&file("deep.jvl", format!("(class A () ((bool m {text}))) (A m)")), &["nested"]);
}

#[test]
fn option_values() {
    let program = "programs/pose/swap.pose";
    refused_with(&["explore", program, "--heap", "lazyer"], &["lazyer", "lazier#", "pose"]);
    refused_with(&["explore", program, "--timeout", "soon"], &["soon is not a time"]);
    refused_with(&["explore", program, "--max-memory", "much"], &["much is not a size"]);
    refused_with(&["explore", program, "--ints", "12"], &["12 is not one of"]);
    refused_with(&["explore", program, "--jobs", "0"], &["0 is not in"]);
    refused_with(&["explore", program, "--jobs", "2", "--search", "bfs"], &["depth-first"]);
    refused_with(&["explore", program, "--solver", "bits"], &["--ints 32"]);
    refused_with(&["explore", program, "--cross-check"], &["--ints 32"]);
    refused_with(&["explore", program, "--colour"], &["unexpected argument"]);
    refused_with(&["explore"], &["PROGRAM"]);
    refused_with(&["explode"], &["unrecognized subcommand"]);
}

#[test]
fn literals_that_the_integers_do_not_have() {
    let path = file("literal.pose", "if X0 < 300 then 1 else 2");
    let path = path.to_str().expect("a printable path");
    for command in [&["explore", path][..], &["compare", path], &["replay", path, "0"]] {
        refused_with(&[command, &["--ints", "8"]].concat(), &["300 does not fit into 8 bits", "literal.pose:1:9"]);
    }
    assert_eq!(lazuli(&["explore", path, "--ints", "16"]).status.code(), Some(0));
}

#[test]
fn entries() {
    refused_with(
        &["explore", "programs/pose/swap.pose", "--entry", "Sample.swop"],
        &["no method Sample.swop", "Sample.swap"],
    );
    refused_with(&["explore", "programs/pose/avl.pose"], &["no main expression", "AvlTree.find"]);
}

#[test]
fn names_of_traces() {
    let replay = |id: &str, words: &[&str]| refused_with(&["replay", "programs/pose/swap.pose", id], words);
    replay("x.y", &["not the name of a trace"]);
    replay("0.7", &["only", "cases"]);
    replay("0", &["goes on"]);
    replay("1.0.0.0", &["already ends"]);
}

#[test]
fn bad_invariants() {
    let program = file("list.pose", "class Node { Node next; int v; } class P { int go(Node list) := 0; }");
    let with = |invariants: &std::path::Path, words: &[&str]| {
        let (program, path) = (program.to_str().expect("printable"), invariants.to_str().expect("printable"));
        refused_with(&["explore", program, "--entry", "P.go", "--invariants", path], words);
    };
    with(std::path::Path::new("no/such.hex"), &["no/such.hex", "there is no such file"]);
    with(&file("field.hex", "root.list.nxet null;"), &["no field nxet", "did you mean next", ":1:11", "^"]);
    with(&file("syntax.hex", "root.list not"), &["\"null\" is expected", "end of the file"]);
    with(
        &file("never.hex", "root.list not null and expands to nothing;"),
        &["contradict themselves", "no Node list is valid"],
    );
    with(
        &file("value.hex", "for any P p { p on expand do { assume 1 < 0; }; }"),
        &["contradict themselves", "no P p is valid"],
    );
    with(&file("open.hex", "root.list null;\nfor any Node n { n.next null;"), &["this scope is not closed", ":2:1"]);
    with(&file("inner.hex", "for any P p { for any Node n { n.next null; } }"), &["closed before this", ":1:15"]);
    // Inputs may be null, and looked at in either order: what is possible somehow is no contradiction.
    with(
        &file(
            "formula.hex",
            "(root.list null or root.list.next null)\n  and root.list not null and root.list.next not null;",
        ),
        &["contradict themselves", "no Node list is valid"],
    );
    with(&file("or.hex", "root.list null or\n  root.list nul;"), &["aliases", "is expected here", ":2:13", "^"]);
    with(&file("rule.jbse", "resolve begin\ninstanceof Nod not null\nresolve end"), &["no class Nod", ":2:12"]);
    let path = program.to_str().expect("printable");
    refused_with(&["explore", path, "--invariants", "x.hex", "--invariants-by", "guess"], &["no technique guess"]);
    refused_with(&["explore", path, "--invariants-by", "hex"], &["--invariants"]);
    let fine = file("fine.hex", "root.list not null;");
    refused_with(&["hex", fine.to_str().expect("printable"), path, "--entry", "P.no"], &["no method P.no"]);
}

/// What no input can be is told, but an input may be null.
#[test]
fn objects_that_are_never_valid() {
    let program = file("list.pose", "class Node { Node next; int v; } class P { bool go(Node list) := list = null; }");
    let invariants = "for any Node n { n on expand do { assume initial(n.v) < 0 && initial(n.v) > 0; }; }";
    let invariants = file("value.hex", invariants);
    let (program, invariants) = (program.to_str().expect("printable"), invariants.to_str().expect("printable"));
    let output = lazuli(&["explore", program, "--entry", "P.go", "--invariants", invariants]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("1 trace: 1 returned") && text.contains("contradict themselves: no Node n is valid"),
        "{text}"
    );
}

#[test]
fn tables_without_their_programs() {
    for table in ["pose", "summaries", "hex"] {
        refused_with(&["tables", table, "--programs", "no/such"], &["no/such", "project's root", "--programs"]);
    }
}

/// A fresh directory below the build directory.
fn directory(name: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the build directory is writable");
    path
}

#[test]
fn java_entries_and_options() {
    refused_with(&["explore", "jdk", "--entry", "java.util.NoSuchMap.put"], &["java.util.NoSuchMap"]);
    refused_with(&["explore", "jdk", "--entry", "java.util.TreeMap.putt"], &["putt", "put"]);
    let overloads = ["java.util.ArrayList.remove(int)", "java.util.ArrayList.remove(java.lang.Object)"];
    refused_with(&["explore", "jdk", "--entry", "java.util.ArrayList.remove"], &overloads);
    let entry = ["explore", "jdk", "--entry", "java.util.Optional.get", "--types"];
    refused_with(&[&entry[..], &["Object"]].concat(), &["--types Object", "TYPE=CLASS"]);
    refused_with(&[&entry[..], &["Object=no.Such"]].concat(), &["no.Such", "not on the class path"]);
    refused_with(&[&entry[..], &["Object=java.util.List"]].concat(), &["java.util.List", "no objects of exactly"]);
    let alike = "Object=[I|[Ljava.lang.Object;|[Ljava.lang.String;";
    refused_with(
        &[&entry[..], &[alike]].concat(),
        &["elements of one kind", "[Ljava.lang.Object; and [Ljava.lang.String;"],
    );
    let entry = ["jdk", "--entry", "java.util.Optional.get"];
    let uninterpreted = ["compare", "--exact", "jdk", "--entry", "java.util.Optional.ifPresent"];
    refused_with(&uninterpreted, &["Consumer", "not enumerated"]);
    refused_with(&[&["explore"], &entry[..], &["--invariants-by", "prep"]].concat(), &["boolean repOk()"]);
}

#[test]
fn invariants_of_java() {
    let entry = ["explore", "jdk", "--entry", "java.util.TreeMap.get"];
    let check = |name: &str, text: &str, options: &[&str], words: &[&str]| {
        let path = file(name, text);
        let path = path.to_str().expect("a printable path");
        refused_with(&[&entry[..], &["--invariants", path], options].concat(), words);
    };
    check(
        "imported.hex",
        "for any TreeMap t { t.root null; }",
        &[],
        &["no class TreeMap", "import", "java.util.TreeMap"],
    );
    check("class.hex", "import java.util.TreeMop;", &[], &["no class java.util.TreeMop", "java.util.TreeMap", ":1:8"]);
    let of = |statement: &str| format!("import java.util.TreeMap;\nfor any TreeMap t {{ {statement} }}\n");
    check(
        "nested.hex",
        &of("t.root expands to TreeMap.Entri;"),
        &[],
        &["no class TreeMap.Entri", "TreeMap.Entry", ":2:39"],
    );
    check("nested_dollar.hex", &of("t.root expands to TreeMap$Entri;"), &[], &["no class TreeMap$Entri", ":2:39"]);
    check("field.hex", &of("t.roof null;"), &[], &["no field roof", "did you mean root", ":2:23"]);
    check("below.hex", &of("t.root(.left|.rigth)* aliases nothing;"), &[], &["no field rigth", "did you mean right"]);
    check("number.hex", &of("t.size null;"), &[], &["size is no reference"]);
    let does = |assumed: &str| of(&format!("t.root on expand do {{ assume {assumed}; }};"));
    check("reference.hex", &does("initial(it.left) == 0"), &[], &["left is a reference"]);
    check("sort.hex", &does("initial(it.color) < 3"), &[], &["this is a condition, not a number"]);
    check("inverse.hex", &does("initial(t.size)"), &[], &["this is a number, not a condition"]);
    check("index.hex", &of("t.root[0] null;"), &[], &["no array of references here", ":2:27"]);
    check("root.hex", "root.kee not null;", &[], &["no parameter kee", "did you mean key"]);
    check("static.hex", "import java.util.TreeMap;\nTreeMap.NOTHING null;", &[], &["no such static field", ":2:1"]);
    check("final.hex", "Integer.TYPE null;", &[], &["Integer.TYPE is final"]);
    check("companion.hex", &of("t.root on expand do TreeMap.sise(t);"), &[], &["no method sise", "did you mean size"]);
    check(
        "result.hex",
        &of("t.root on expand do TreeMap.size(t);"),
        &[],
        &["TreeMap.size gives a number: a companion gives a truth value", ":2:41"],
    );
    check(
        "object.hex",
        &of("t.root on expand do TreeMap.getFirstEntry(t);"),
        &[],
        &["TreeMap.getFirstEntry gives an object of class java.util.TreeMap$Entry", ":2:41"],
    );
    check(
        "result.jbse",
        "resolve begin\n{ROOT}:this.root instanceof java/util/TreeMap$Entry expands to instanceof java/util/TreeMap$Entry \
         triggers java/util/TreeMap:()I:size:{$REF}.{UP}\nresolve end",
        &[],
        &["java/util/TreeMap.size gives a number", ":2:"],
    );
    check(
        "rules.jbse",
        "resolve begin\n instanceof java/util/TreeMop not null\nresolve end",
        &[],
        &["no class java/util/TreeMop"],
    );
    let hash = ["--entry", "java.util.HashMap.get"];
    let path =
        file("float.hex", "import java.util.HashMap;\nroot.this on expand do { assume initial(it.loadFactor) == 1; };");
    let path = path.to_str().expect("a printable path");
    refused_with(
        &[&["explore", "jdk"], &hash[..], &["--invariants", path]].concat(),
        &["loadFactor is a floating-point number", ":2:44"],
    );
    let path = file("inputs.hex", "root.x null;");
    refused_with(&["hex", path.to_str().expect("a printable path"), "jdk"], &["no parameter x", "--entry"]);
}

#[test]
fn statics_that_are_no_inputs() {
    let source =
        file("Registry.java", "class Registry { static Registry first; static Registry get() { return first; } }");
    let source = source.to_str().expect("a printable path");
    let path = file("registry.hex", "Registry.first not null;");
    let path = path.to_str().expect("a printable path");
    let run = ["explore", source, "--entry", "Registry.get", "--invariants", path];
    refused_with(&run, &["static fields of Registry are no inputs", "--symbolic-statics Registry", ":1:1"]);
}

#[test]
fn java_files_that_are_none() {
    let at = directory("bad-java");
    let file = |name: &str, bytes: &[u8]| {
        let path = at.join(name);
        std::fs::write(&path, bytes).expect("the build directory is writable");
        path.display().to_string()
    };
    refused_with(&["explore", &file("Empty.class", b"")], &["Empty.class"]);
    refused_with(&["explore", &file("Text.class", b"not a class file")], &["Text.class"]);
    let truncated = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 40, 10];
    refused_with(&["explore", &file("Truncated.class", &truncated)], &["Truncated.class", "corrupt"]);
    let future = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 3, 0, 0, 1];
    refused_with(&["explore", &file("Future.class", &future)], &["Future.class", "version"]);
    refused_with(&["explore", &file("Bad.jar", b"PK\x03\x04 but nothing more")], &["Bad.jar"]);
    refused_with(&["explore", &file("Broken.java", b"class Broken { int f( }")], &["Broken.java"]);
    refused_with(&["explore", &at.join("Missing.class").display().to_string()], &["Missing.class"]);
}

/// What a question lacks is said with the option that gives it.
#[test]
fn what_is_lacking_is_named_by_its_option() {
    refused_with(&["explore", "jdk"], &["which method of the JDK?", "--entry java.util.TreeMap.put"]);
    refused_with(&["explore", "jdk", "--entry", "com.acme.Missing.run"], &["com.acme.Missing", "--cp"]);
}
