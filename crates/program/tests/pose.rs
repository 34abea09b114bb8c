//! The front end of the tiny object language on each of its errors, and on many broken programs.

use crate::common::{Folder, assert_wrong, fuzz, method_text, place, programs, wrong};
use lazuli_program::ir::{Instr, MethodId};
use lazuli_program::{LoadError, Program, load};

fn read(name: &str, text: &str) -> Result<Program, LoadError> {
    load(&Folder::new(name).write("case.pose", text))
}

#[test]
fn our_programs_load() {
    let folder = Folder::new("pose-ours");
    let programs = programs("pose");
    for (name, text) in &programs {
        folder.write(name, text);
    }
    for (name, _) in programs.iter().filter(|(name, _)| name.ends_with(".pose")) {
        load(&folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn files_that_are_not_programs() {
    let folder = Folder::new("pose-files");
    let missing = load(&folder.path().join("missing.pose")).expect_err("there is no file");
    assert!(missing.message.starts_with("cannot read ") && missing.message.contains("missing.pose"), "{missing}");
    let binary = load(&folder.write("binary.pose", [b'1', 0xC3])).expect_err("not text");
    assert!(binary.message.ends_with("it is not text (byte 1 is not UTF-8)"), "{binary}");
    let zero = load(&folder.write("zero.pose", b"1\0")).expect_err("not text");
    assert!(zero.message.ends_with("it is not text (byte 1 is zero)"), "{zero}");
    std::fs::create_dir(folder.path().join("folder.pose")).expect("a folder");
    let directory = load(&folder.path().join("folder.pose")).expect_err("not a file");
    assert!(directory.message.ends_with("it is a directory, not a file"), "{directory}");
    let unknown = load(&folder.write("program.c", "1")).expect_err("not our language");
    assert!(unknown.message.ends_with("which language is this?"), "{unknown}");
    assert!(unknown.help.is_some_and(|help| [".pose", ".jvl"].iter().all(|ending| help.to_string().contains(ending))));
}

#[test]
fn includes_are_followed_once_and_never_in_a_circle() {
    let folder = Folder::new("pose-includes");
    folder.write("a.pose", "include b.pose\nclass A {}\n");
    folder.write("b.pose", "class B {}\n");
    let twice = folder.write("twice.pose", "include a.pose\ninclude b.pose\nnew B");
    assert!(load(&twice).is_ok());

    let missing = load(&folder.write("main.pose", "include b.pose\ninclude nowhere.pose\n1")).expect_err("no file");
    assert!(missing.message.contains("nowhere.pose"), "{missing}");
    assert_eq!(place(&missing), "2:1");

    folder.write("x.pose", "include y.pose\n");
    folder.write("y.pose", "include x.pose\n");
    let cycle = load(&folder.path().join("x.pose")).expect_err("a cycle");
    assert!(cycle.message.ends_with("x.pose includes itself"), "{cycle}");
    assert_eq!(place(&cycle), "1:1");
    assert!(cycle.to_string().contains("y.pose:1:1"), "{cycle}");

    folder.write("main-expression.pose", "class C {}\n  new C");
    let expression = load(&folder.write("outer.pose", "include main-expression.pose\n1")).expect_err("no classes only");
    assert_eq!(expression.message, "an included file has classes only, no main expression");
    assert_eq!(place(&expression), "2:3");

    folder.write("broken.pose", "class D {\n");
    let broken = load(&folder.write("of-broken.pose", "include broken.pose\n1")).expect_err("a syntax error");
    assert!(broken.to_string().contains("broken.pose:2:1"), "{broken}");
}

#[test]
fn syntax_is_checked() {
    assert_wrong(
        "pose-syntax",
        "pose",
        &[
            wrong("include \n1", "include what? A file's name is wanted", "1:1", ""),
            wrong(
                "1 include x",
                "expected the end of the program, found `include`, which belongs at the beginning of a file",
                "1:3",
                "",
            ),
            wrong("1 /* 2", "this comment is not closed", "1:3", ""),
            wrong("1 # 2", "unexpected character '#'", "1:3", ""),
            wrong("12x", "12x is not a number", "1:1", ""),
            wrong("9223372036854775808", "9223372036854775808 is too large for a 64-bit literal", "1:1", ""),
            wrong("class {}", "expected the class's name, found `{`", "1:7", ""),
            wrong("class A extends {}", "expected the superclass's name, found `{`", "1:17", ""),
            wrong("class A {", "expected a type, found the end of the file", "1:10", ""),
            wrong("class A { A }", "expected the name of a field or method, found `}`", "1:13", ""),
            wrong("class A { A f }", "expected `;`, found `}`", "1:15", ""),
            wrong("class A { A m() }", "expected `:=`, found `}`", "1:17", ""),
            wrong("class A { A m(A) := this; }", "expected the parameter's name, found `)`", "1:16", ""),
            wrong("class A { A m(A x A y) := this; }", "expected `,`, found `A`", "1:19", ""),
            wrong("let in 1", "expected the variable's name, found `in`", "1:5", ""),
            wrong("let x = 1 in x", "expected `:=`, found `=`", "1:7", ""),
            wrong("let x := 1\n x", "expected `in`, found `x`", "2:2", ""),
            wrong("if true 1 else 2", "expected `then`, found `1`", "1:9", ""),
            wrong("if true then 1", "expected `else`, found the end of the file", "1:15", ""),
            wrong("(1", "expected `)`, found the end of the file", "1:3", ""),
            wrong("{1; 2", "expected `}`, found the end of the file", "1:6", ""),
            wrong("{}", "expected an expression, found `}`", "1:2", ""),
            wrong("1 +", "expected an expression, found the end of the file", "1:4", ""),
            wrong("1 2", "expected the end of the program, found `2`", "1:3", ""),
            wrong("Y0.", "expected a field or method, found the end of the file", "1:4", ""),
            wrong("Y0.m[1", "expected `,`, found the end of the file", "1:7", ""),
            wrong("1 := 2", "only a field can be assigned", "1:3", ""),
            wrong("new 1", "expected a class, found `1`", "1:5", ""),
            wrong("throw 1", "expected the exception's name, found `1`", "1:7", ""),
            wrong("Y0 instanceof 1", "expected a class, found `1`", "1:15", ""),
        ],
    );
}

#[test]
fn names_are_checked() {
    assert_wrong(
        "pose-names",
        "pose",
        &[
            wrong(
                "class A {}\nclass A {}\n1",
                "class A is declared twice",
                "2:7",
                "the first declaration is in line 1",
            ),
            wrong("class A { A f; A f; }\n1", "field f is already declared in A", "1:18", ""),
            wrong("class A { A f; }\nclass B extends A { int f; }\n1", "field f is already declared in A", "2:25", ""),
            wrong(
                "class A { A m() := this; A m() := this; }\n1",
                "method m is declared twice in this class",
                "1:28",
                "",
            ),
            wrong("class A { A m(A x, A x) := this; }\n1", "there already is a parameter x", "1:22", ""),
            wrong("class A { A m(A this) := this; }\n1", "there already is a parameter this", "1:17", ""),
            wrong("class A extends B {}\nclass B extends A {}\n1", "class A inherits from itself", "1:17", ""),
            wrong("class A extends A {}\n1", "class A inherits from itself", "1:17", ""),
            wrong("class Object extends A {}\nclass A {}\n1", "Object is the root and extends nothing", "1:22", ""),
            wrong(
                "class Node {}\nclass B extends Nodes {}\n1",
                "there is no class Nodes",
                "2:17",
                "did you mean Node?",
            ),
            wrong("class Node { Mode f; }\n1", "there is no class Mode", "1:14", "did you mean Node?"),
            wrong("class Node {}\nnew Nod", "there is no class Nod", "2:5", "did you mean Node?"),
            wrong("class Node {}\nlet x : Nod := null in x", "there is no class Nod", "2:9", "did you mean Node?"),
            wrong("class Node {}\nY0 instanceof Nude", "there is no class Nude", "2:15", "did you mean Node?"),
            wrong("let first := 1 in frist", "there is no variable frist", "1:19", "did you mean first?"),
            wrong("let x := x in x", "there is no variable x", "1:10", ""),
            wrong("class A { A next; }\n(new A).nxt", "A has no field nxt", "2:9", "did you mean next?"),
            wrong("class A { A next; }\nnew A.nest := null", "A has no field nest", "2:7", "did you mean next?"),
            wrong(
                "class A { A next() := this; }\nnew A.nxt[]",
                "no class has a method nxt of 0 arguments",
                "2:7",
                "did you mean next?",
            ),
            wrong(
                "class A { A m() := this; }\nnew A.m[1]",
                "no class has a method m of 1 arguments",
                "2:7",
                "m takes 0",
            ),
            wrong(
                "class A { A f; }\nclass B { A f; }\nY0.f",
                "which field f of Y0? A, B have one",
                "3:4",
                "write the type: (e : T), or let x : T := e in …",
            ),
        ],
    );
}

#[test]
fn types_are_checked() {
    assert_wrong(
        "pose-types",
        "pose",
        &[
            wrong("1 + true", "expected int, found bool", "1:5", ""),
            wrong("true && 1", "expected bool, found int", "1:9", ""),
            wrong("~1", "expected bool, found int", "1:2", ""),
            wrong("if 1 then 2 else 3", "expected bool, found int", "1:4", ""),
            wrong("assert 1", "expected bool, found int", "1:8", ""),
            wrong("1 = true", "int cannot be compared with bool", "1:3", ""),
            wrong("1 = null", "int cannot be compared with null", "1:3", ""),
            wrong("1.f", "an object is wanted here, not int", "1:1", ""),
            wrong("(throw E).f", "an object is wanted here, not nothing", "1:2", ""),
            wrong("1 + (throw E)", "a value is wanted here, and this has none", "1:6", ""),
            wrong("1 + (if true then 1 else null)", "the branches have different types: int and null", "1:6", ""),
            wrong("if Y0 = null then 1 else true", "the program returns bool here and int elsewhere", "1:26", ""),
            wrong("class A { int m() := true; }\n1", "expected int, found bool", "1:22", ""),
            wrong("class A { int f; }\nnew A.f := null", "expected int, found null", "2:12", ""),
            wrong("class A { A m(A x) := x; }\nnew A.m[1]", "expected A, found int", "2:9", ""),
            wrong("class A { A f; }\nclass B { B g; }\n{ Y0.f; Y0.g }", "Y0, used as A, has no field g", "3:12", ""),
            wrong("class A {}\nclass B {}\n{ (Y0 : A); (Y0 : B) }", "Y0 has two types", "3:14", ""),
            wrong("class A {}\nclass B {}\nlet x : A := new B in x", "expected A, found B", "3:14", ""),
            wrong(
                "class A { int m() := 1; }\nclass B extends A { bool m() := true; }\n1",
                "m does not fit the method of A that it overrides",
                "2:26",
                "",
            ),
        ],
    );
}

/// A place in a line of 100,000 levels, for each way to nest.
#[test]
fn deep_nesting_is_refused_with_a_place() {
    let many = 100_000;
    let class = "class A { A f; bool b; }\n";
    for (name, text, at) in [
        ("parentheses", "(".repeat(many) + "1" + &")".repeat(many), "1:10001".to_string()),
        ("open", "(".repeat(many), "1:10001".to_string()),
        ("not", "~".repeat(many) + "true", "1:10001".to_string()),
        ("minus", "- ".repeat(many) + "1", "1:20001".to_string()),
        ("fields", format!("{class}new A{}", ".f".repeat(many)), format!("2:{}", 5 + 2 * 10_000)),
        ("sum", format!("1{}", " + 1".repeat(many)), format!("1:{}", 1 + 4 * 10_000)),
        ("or", format!("true{}", " || true".repeat(many)), format!("1:{}", 4 + 8 * 10_000 - 3)),
        ("instanceof", format!("{class}new A{}", " instanceof A".repeat(many)), format!("2:{}", 5 + 13 * 10_000)),
        ("if", "if true then ".repeat(many), format!("1:{}", 4 + 13 * 9_999)),
    ] {
        let error = read(name, &text).expect_err("too deep");
        assert_eq!(error.message, "expressions are nested deeper than 10000 levels here", "{name}");
        assert_eq!(place(&error), at, "{name}");
    }
}

#[test]
fn long_programs_are_no_problem() {
    let lets: String = (0..50_000).map(|i| format!("let x{i} := {i} in ")).collect();
    assert!(read("lets", &(lets + "x7")).is_ok());
    assert!(read("block", &format!("{{ {} 1 }}", "X0 + 1; ".repeat(100_000))).is_ok());
    assert!(read("sum", &format!("1{}", " + 1".repeat(9_000))).is_ok());
    let classes: String = (0..2_000).map(|i| format!("class C{} extends C{i} {{ int f{i}; }}\n", i + 1)).collect();
    assert!(read("classes", &format!("class C0 {{}}\n{classes}new C2000")).is_ok());
}

/// `null` lives in a register of the root class; a variable of another class that it becomes has members all the same.
#[test]
fn a_typed_null_has_members() {
    let program = read("null", "class A { A f; }\nlet x : A := null in x.f").expect("well formed");
    assert!(method_text(&program, "main").contains("(A) x%0"), "{}", method_text(&program, "main"));
    assert!(read("branch", "class A { A f; }\n(if X0 = 1 then null else Y0).f").is_ok());
}

/// An overriding method may declare other classes: what it is passed is then checked where it is used.
#[test]
fn an_overriding_method_takes_what_callers_pass() {
    let program = read(
        "override",
        "class A { int m(A x) := 1; A n() := this; }\n\
         class B extends A { int k; int m(B x) := x.k; Object n() := new Object; }\n\
         (Y0 : A).m[Y0.n[]]",
    )
    .expect("well formed");
    let narrowed = method_text(&program, "B.m");
    assert!(narrowed.starts_with("int B.m(B this%0, A x%1)") && narrowed.contains("(B) x%1"), "{narrowed}");
    assert!(method_text(&program, "A.n").starts_with("Object A.n"), "callers of A.n may get an Object");
}

const SEEDS: [&str; 4] = [
    "class Node { Node next; int value; bool isLast() := this.next = null;\n\
     Node add(int v) := let n := new Node in { n.value := v; n.next := this; n }; }\n\
     class Leaf extends Node { bool isLast() := true; }\n\
     let n : Node := Y0 in if n = null then 0 else if n.isLast[] then n.add[X0 + 1].value else X1 - 1",
    "class A { A f; A m(A x) := if x instanceof B then x.f else null; }\n\
     class B extends A { int g; A m(B x) := { x.g := 3; assert x.g > 2; x }; }\n\
     let a := (Y0 : A) in let b := a.m[Y1] in { a.f := b; if a.f = b && ~(a = null) then a else throw Wrong }",
    "class T { T left; T right; int key; T find(int k) := if k < this.key then this.left.find[k] else \
     if this.key < k then this.right.find[k] else this; }\nY0.find[X0].key = X0 || X1 <= 2",
    "/* a comment */ let x := if true then null else Y0 in let y := x in let z : Object := y in z = y // another",
];

const TOKENS: [&str; 50] = [
    "class",
    "extends",
    "let",
    "in",
    "if",
    "then",
    "else",
    "new",
    "null",
    "true",
    "false",
    "instanceof",
    "assert",
    "throw",
    "include",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ".",
    ":",
    ":=",
    "&&",
    "||",
    "<=",
    "!=",
    "+",
    "-",
    "<",
    "=",
    "~",
    "A",
    "Node",
    "Object",
    "int",
    "bool",
    "x",
    "this",
    "f",
    "m",
    "X0",
    "Y0",
    "0",
    "99999999999999999999",
    "/*",
    "//",
];

#[test]
fn no_text_makes_it_panic() {
    let folder = Folder::new("pose-fuzz");
    let ours = programs("pose");
    for (name, text) in &ours {
        folder.write(name, text);
    }
    // Long programs are slow to load and hold nothing that the short ones do not.
    let short = ours.into_iter().map(|(_, text)| text).filter(|text| text.len() < 3_000);
    let seeds: Vec<String> = SEEDS.map(String::from).into_iter().chain(short).collect();
    fuzz(&folder, "pose", &seeds, &TOKENS, 20_000);
}

/// Registers of the tiny languages have types, and hold nothing else; what does not fit is refused with its place.
#[test]
fn verification_of_typed_registers() {
    let text =
        "class Other { int number; } class Node { int value; Node next; int get() := this.value; } new Node.get[]";
    let broken = |change: &dyn Fn(&mut Program)| {
        let mut program = read("verified", text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.method_name(MethodId(0)), "Node.get");
        change(&mut program);
        program.verify().expect_err("it is broken").message
    };
    let field = |name: &'static str| {
        move |program: &mut Program| {
            let found = program.fields.iter().position(|field| field.name == name).expect("a field of the text");
            let Instr::GetField { field, .. } = &mut program.methods[0].code[0] else { panic!("it reads a field") };
            field.0 = found as u32;
        }
    };
    assert_eq!(broken(&field("next")), "Node.get at 0: register 1 is written with what is not of its type");
    assert_eq!(broken(&field("number")), "Node.get at 0: Node has no field number");
    let forgotten = broken(&|program| drop(program.methods[0].code.pop()));
    assert_eq!(forgotten, "Node.get at 0: no code, or instructions without places");
    let endless = broken(&|program| {
        program.methods[0].code.pop();
        program.methods[0].places.pop();
    });
    assert_eq!(endless, "Node.get at 0: control runs off the end");
    let unnumbered = broken(&|program| program.classes.swap(0, 1));
    assert!(unnumbered.contains("is not numbered after its superclass"), "{unnumbered}");
}
