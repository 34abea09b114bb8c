//! The Javalite front end on our own programs, on each of its errors, and on many broken programs.

use crate::common::{Folder, assert_wrong, fuzz, method_text, place, programs, wrong};
use lazuli_program::ir::{Instr, MethodId};
use lazuli_program::{LoadError, Program, load, text};

fn read(name: &str, text: &str) -> Result<Program, LoadError> {
    load(&Folder::new(name).write("case.jvl", text))
}

fn program(name: &str) -> Program {
    let (_, text) = programs("javalite").into_iter().find(|(n, _)| n == name).expect("a program of ours");
    read(name, &text).unwrap_or_else(|error| panic!("{error}"))
}

fn entry(program: &Program) -> String {
    program.method_name(program.main.expect("the program names its entry"))
}

#[test]
fn our_programs_load() {
    let names: Vec<String> = programs("javalite").into_iter().map(|(name, _)| name).collect();
    assert!(names.len() >= 6, "{names:?}");
    let entries: Vec<(String, String)> = names.into_iter().map(|name| (name.clone(), entry(&program(&name)))).collect();
    for (name, wanted) in [
        ("assignments.jvl", "Cell.run"),
        ("contains.jvl", "List.run"),
        ("figures.jvl", "Pair.run"),
        ("shapes.jvl", "Main.run"),
        ("swap.jvl", "Node.run"),
        ("uber-lazy.jvl", "Main.run"),
    ] {
        assert!(entries.iter().any(|(n, e)| n == name && e == wanted), "{name}: {entries:?}");
    }
}

/// Seed document 001, Figures 8 to 16: two reads, one write, one comparison, and no instruction besides.
#[test]
fn the_figures_are_what_they_say() {
    let program = program("figures.jvl");
    assert_eq!(
        method_text(&program, "Pair.assigned"),
        "bool Pair.assigned(Pair this%0)\n\
         0  a%1 = this%0.Pair.x\n\
         1  b%2 = this%0.Pair.y\n\
         2  this%0.Pair.x := b%2\n\
         3  %3 = this%0.Pair.x\n\
         4  %4 = %3 == b%2\n\
         5  return %4"
    );
    assert_eq!(
        method_text(&program, "Pair.compared"),
        "bool Pair.compared(Pair this%0)\n\
         0  %1 = this%0.Pair.x\n\
         1  %2 = this%0.Pair.y\n\
         2  %3 = %1 == %2\n\
         3  return %3"
    );
}

#[test]
fn an_operand_is_copied_only_if_it_may_be_assigned() {
    let assignments = program("assignments.jvl");
    assert_eq!(
        method_text(&assignments, "Cell.operands"),
        "bool Cell.operands(Cell this%0, Cell a%1, Cell b%2)\n\
         0  load a%1\n\
         1  %3 = a%1\n\
         2  load b%2\n\
         3  a%1 = b%2\n\
         4  %4 = %3 == a%1\n\
         5  return %4"
    );
    assert_eq!(
        method_text(&assignments, "Cell.sum"),
        "int Cell.sum(Cell this%0, int n%1)\n\
         0  %2 = n%1\n\
         1  %3 = 1\n\
         2  %3 = n%1 + %3\n\
         3  n%1 = %3\n\
         4  %3 = n%1 + n%1\n\
         5  %3 = %2 + %3\n\
         6  return %3"
    );
    let copies = |program: &Program| {
        let moves = program.methods.iter().flat_map(|m| &m.code).filter(|i| matches!(i, Instr::Move { .. }));
        moves.count()
    };
    // One assignment, no copies.
    assert_eq!(copies(&program("uber-lazy.jvl")), 1);
    assert_eq!(copies(&program("figures.jvl")), 0);
}

/// `(x $ f := e)` computes `e`, which may assign `x`, before it looks `x` up.
#[test]
fn the_object_of_a_write_is_looked_up_late() {
    let program = read("late", "(class A ([A f]) ((A m ([A x] [A y]) (x $ f := (x := y)))))").expect("well formed");
    assert_eq!(
        method_text(&program, "A.m"),
        "A A.m(A this%0, A x%1, A y%2)\n\
         0  load y%2\n\
         1  x%1 = y%2\n\
         2  load x%1\n\
         3  x%1.A.f := x%1\n\
         4  return x%1"
    );
}

#[test]
fn a_variable_that_is_only_read_shares_its_register() {
    let program = read(
        "shared",
        "(class A ([A f]) ((A m [A x] (var A y := x in (y $ f))) (A n [A x] (var A y := x in (begin (x := null) y)))))",
    )
    .expect("well formed");
    assert_eq!(method_text(&program, "A.m"), "A A.m(A this%0, A x%1)\n0  load x%1\n1  %2 = x%1.A.f\n2  return %2");
    assert_eq!(
        method_text(&program, "A.n"),
        "A A.n(A this%0, A x%1)\n0  load x%1\n1  y%2 = x%1\n2  %3 = null\n3  x%1 = %3\n4  return y%2"
    );
}

/// `null` becomes a variable with members, a conditional's value, an argument.
#[test]
fn null_takes_the_type_it_is_used_as() {
    let program = read(
        "null",
        "(class A ([A f]) ((A m [bool b] (var A x := null in (begin (this @ n (null)) ((if b x else null) $ f)))) \
         (A n [A x] ((A null) $ f))))",
    )
    .expect("well formed");
    let shown = method_text(&program, "A.m");
    assert!(shown.contains("0  x%2 = null"), "{shown}");
}

#[test]
fn unit_is_the_absence_of_a_value() {
    let program = read(
        "unit",
        "(class A ([bool f]) ((unit m () (if (this $ f) (this $ f := false) else unit)) (unit n () (begin)) \
         (bool o () (begin (this @ m ()) (if (this $ f) (this @ n ()) else 3) (this @ m) true))))",
    )
    .expect("well formed");
    assert_eq!(method_text(&program, "A.n"), "Object A.n(A this%0)\n0  %1 = null\n1  return %1");
}

#[test]
fn connectives_stop_early() {
    let program = read("and", "(class A ([A f] [bool b]) ((bool m [A x] ((not (x == null)) and (x $ b)))))");
    let shown = method_text(&program.expect("well formed"), "A.m");
    assert!(shown.contains("if %"), "{shown}");
}

#[test]
fn the_forms_of_the_documents_and_of_the_model_are_one() {
    let class = "(class A extends Object ([bool f]) ((bool m ([A x]) (x @ m ((A x)))) (bool n () true)))";
    let same = "[class A ([bool f]) {(bool m [A x] (x @ m (A x))) (bool n true)}]";
    let forms = [
        format!("(({class}) (A m))"),
        format!("({class}) (A m)"),
        format!("{class} (A m)"),
        format!("({class} (A m))"),
        format!("{same} ; a comment\n #; (A n) (A m)"),
    ];
    let shown: Vec<String> = forms
        .iter()
        .map(|form| {
            let program = read("forms", form).unwrap_or_else(|error| panic!("{form}\n{error}"));
            assert_eq!(entry(&program), "A.m");
            text::show(&program)
                .lines()
                .map(|line| line.split("  //").next().unwrap_or("").to_string() + "\n")
                .collect()
        })
        .collect();
    assert!(shown.iter().all(|one| *one == shown[0]), "{shown:?}");
}

#[test]
fn arguments_can_be_a_list_or_not() {
    let class = |body: &str| {
        format!(
            "(class A ([A f]) ((bool z () true) (bool o ([A x]) true) (bool t ([A x] [A y]) true) \
             (bool m ([A x]) {body})))"
        )
    };
    for (body, wanted) in [
        ("(x @ z)", "x%1.z[]"),
        ("(x @ z ())", "x%1.z[]"),
        ("(x @ o x)", "x%1.o[x%1]"),
        ("(x @ o (x))", "x%1.o[x%1]"),
        ("(x @ o (x $ f))", "x%1.o[%2]"),
        ("(x @ o ((x $ f)))", "x%1.o[%2]"),
        ("(x @ o (A x))", "x%1.o[x%1]"),
        ("(x @ t (x this))", "x%1.t[x%1, this%0]"),
        ("(x @ t x this)", "x%1.t[x%1, this%0]"),
        ("(x @ t (this (A x)))", "x%1.t[this%0, x%1]"),
    ] {
        let program = read("arguments", &class(body)).unwrap_or_else(|error| panic!("{body}\n{error}"));
        let shown = method_text(&program, "A.m");
        assert!(shown.contains(wanted), "{body}: {shown}");
    }
}

/// The receiver of an inherited entry is of the class that the entry names.
#[test]
fn an_inherited_entry_has_its_own_receiver() {
    let program = read("inherited", "(class A () ((bool m [A x] (x == this)))) (class B extends A () ()) (B m)");
    let program = program.expect("well formed");
    assert_eq!(entry(&program), "B.m");
    assert_eq!(method_text(&program, "B.m"), "bool B.m(B this%0, A x%1)\n0  %2 = this%0.m[x%1]\n1  return %2");
    assert_eq!(program.entry("A.m"), Some(MethodId(0)));
}

#[test]
fn a_program_without_an_entry_has_no_main() {
    assert!(read("library", "(class A () ((bool m true)))").expect("well formed").main.is_none());
    assert!(read("empty", "").expect("well formed").main.is_none());
    assert!(read("nothing", "()").expect("well formed").main.is_none());
}

#[test]
fn what_racket_would_not_read() {
    assert_wrong(
        "jvl-read",
        "jvl",
        &[
            wrong("(class A () ()", "this `(` is not closed", "1:1", ""),
            wrong("(class A () ())\n  )", "this `)` closes nothing", "2:3", ""),
            wrong("(class A [) ())", "expected `]`, found `)`", "1:11", "it closes the `[` in line 1, column 10"),
            wrong("(class A () ()) #| #| |#", "this comment is not closed", "1:17", ""),
            wrong("(class A () ()) #;", "nothing follows this `#;`", "1:17", ""),
            wrong("(class A () (#;))", "nothing follows this `#;`", "1:14", ""),
            wrong("(class A () ((bool m \"x\")))", "unexpected character '\"'", "1:22", ""),
            wrong("(class A () ((bool m 'x)))", "unexpected character '\\''", "1:22", ""),
            wrong("(class A () ((int m 12x)))", "12x is not a number", "1:21", ""),
            wrong(
                "(class A () ((int m -9223372036854775809)))",
                "-9223372036854775809 is too large for a 64-bit literal",
                "1:21",
                "",
            ),
        ],
    );
}

const CLASS_FORM: &str = "write (class C ([T f] …) (M …)) or (class C extends C ([T f] …) (M …))";

#[test]
fn what_is_not_the_form_of_a_program() {
    assert_wrong(
        "jvl-form",
        "jvl",
        &[
            wrong("(klass A () ())", "expected a class or the entry (C m), found `(klass …)`", "1:1", ""),
            wrong("7", "expected a class or the entry (C m), found `7`", "1:1", ""),
            wrong("((class A () ()) (A m) (A m))", "expected the end of the program, found `(A …)`", "1:24", ""),
            wrong("(((class A () ()) 5) (A m))", "expected a class, found `5`", "1:19", ""),
            wrong("(class A ())", "this is not the form of a class", "1:1", CLASS_FORM),
            wrong("(class if () ())", "expected the class's name, found `if`", "1:8", ""),
            wrong("(class int () ())", "expected the class's name, found `int`", "1:8", ""),
            wrong("(class A extends 3 () ())", "expected the superclass's name, found `3`", "1:18", ""),
            wrong("(class A f ())", "expected the list of fields, found `f`", "1:10", ""),
            wrong("(class A () f)", "expected the list of methods, found `f`", "1:13", ""),
            wrong("(class A ([A f g]) ())", "expected a field [T f], found `(A …)`", "1:11", ""),
            wrong("(class A ([A @]) ())", "expected the field's name, found `@`", "1:14", ""),
            wrong("(class A ([(A) f]) ())", "expected a type, found `(A)`", "1:12", ""),
            wrong(
                "(class A ([unit f]) ())",
                "expected a type of values, found `unit`",
                "1:12",
                "only a method can have the type unit: it returns nothing",
            ),
            wrong("(class A () ((bool m)))", "expected a method (T m ([T x] …) e), found `(bool …)`", "1:14", ""),
            wrong("(class A () ((bool true true)))", "expected the method's name, found `true`", "1:20", ""),
            wrong("(class A () ((bool m x true)))", "expected a parameter [T x], found `x`", "1:22", ""),
            wrong("(class A () ((bool m [A 1] true)))", "expected the parameter's name, found `1`", "1:25", ""),
            wrong("(class A () ()) (A m n)", "expected a class or the entry (C m), found `(A …)`", "1:17", ""),
            wrong("(class A () ()) (A :=)", "expected the entry's method, found `:=`", "1:20", ""),
        ],
    );
}

#[test]
fn what_is_not_the_form_of_an_expression() {
    assert_wrong(
        "jvl-expression",
        "jvl",
        &[
            wrong("(class A () ((bool m ())))", "expected an expression, found `()`", "1:22", ""),
            wrong("(class A () ((bool m (x))))", "expected an expression, found `(x)`", "1:22", ""),
            wrong("(class A () ((bool m else)))", "expected an expression, found `else`", "1:22", ""),
            wrong("(class A () ((bool m (1 2))))", "expected an expression, found a list", "1:22", ""),
            wrong(
                "(class A () ((bool m (if true false true))))",
                "this does not have the form (if e e else e)",
                "1:22",
                "",
            ),
            wrong("(class A () ((A m (new))))", "this does not have the form (new C)", "1:19", ""),
            wrong(
                "(class A () ((A m (var A x := null))))",
                "this does not have the form (var T x := e in e)",
                "1:19",
                "",
            ),
            wrong("(class A () ((A m (var A 2 := null in x))))", "expected the variable's name, found `2`", "1:26", ""),
            wrong("(class A () ((A m (this $))))", "this does not have the form (e $ f) or (x $ f := e)", "1:19", ""),
            wrong("(class A () ((A m (this $ 1))))", "expected a field, found `1`", "1:27", ""),
            wrong("(class A () ((A m ((new A) $ f := null))))", "expected a variable, found `(new …)`", "1:20", ""),
            wrong("(class A () ((A m ((new A) := null))))", "expected a variable, found `(new …)`", "1:20", ""),
            wrong("(class A () ((A m (this := null null))))", "this does not have the form (x := e)", "1:19", ""),
            wrong("(class A () ((A m (this @))))", "this does not have the form (e @ m e …)", "1:19", ""),
            wrong(
                "(class A () ((bool m (this instanceof))))",
                "this does not have the form (e instanceof C)",
                "1:22",
                "",
            ),
            wrong("(class A () ((bool m (this ==))))", "this does not have the form (e == e)", "1:22", ""),
            wrong("(class A () ((int m (1 + 2 3))))", "this does not have the form (e + e)", "1:21", ""),
            wrong("(class A () ((bool m (not))))", "this does not have the form (not e)", "1:22", ""),
            wrong("(class A () ((bool m (assert))))", "this does not have the form (assert e)", "1:22", ""),
        ],
    );
}

#[test]
fn names_are_checked() {
    assert_wrong(
        "jvl-names",
        "jvl",
        &[
            wrong(
                "(class Node () ()) (class Node () ())",
                "class Node is declared twice",
                "1:27",
                "the first declaration is in line 1",
            ),
            wrong("(class A ([A f] [A f]) ())", "field f is already declared in A", "1:20", ""),
            wrong(
                "(class A ([A f]) ()) (class B extends A ([A f]) ())",
                "field f is already declared in A",
                "1:45",
                "",
            ),
            wrong("(class A () ((A m null) (A m null)))", "method m is declared twice in this class", "1:28", ""),
            wrong("(class A () ((A m ([A x] [A x]) null)))", "there already is a parameter x", "1:29", ""),
            wrong("(class A () ((A m [A this] null)))", "there already is a parameter this", "1:22", ""),
            wrong("(class A extends B () ())\n(class B extends A () ())", "class A inherits from itself", "1:18", ""),
            wrong("(class Object extends Object () ())", "Object is the root and extends nothing", "1:23", ""),
            wrong(
                "(class Node () ()) (class B extends Nodee () ())",
                "there is no class Nodee",
                "1:37",
                "did you mean Node?",
            ),
            wrong("(class Node ([Mode f]) ())", "there is no class Mode", "1:15", "did you mean Node?"),
            wrong("(class Node () ((Node m (new Nod))))", "there is no class Nod", "1:30", "did you mean Node?"),
            wrong("(class Node () ((Node m (Nod this))))", "there is no class Nod", "1:26", "did you mean Node?"),
            wrong(
                "(class Node () ((bool m (this instanceof Nod))))",
                "there is no class Nod",
                "1:42",
                "did you mean Node?",
            ),
            wrong(
                "(class Node () ((bool m (var Noda x := null in true))))",
                "there is no class Noda",
                "1:30",
                "did you mean Node?",
            ),
            wrong("(class Node () ()) (Nods m)", "there is no class Nods", "1:21", "did you mean Node?"),
            wrong(
                "(class Node () ((Node main null))) (Node man)",
                "Node has no method man",
                "1:42",
                "did you mean main?",
            ),
            wrong("(class A () ((A m null) (A m [A x] null))) (A m)", "A has several methods m", "1:47", ""),
            wrong("(class A () ((A m [A first] frist)))", "there is no variable frist", "1:29", "did you mean first?"),
            wrong("(class A () ((A m (var A x := x in x))))", "there is no variable x", "1:31", ""),
            wrong("(class A () ((A m (x := null))))", "there is no variable x", "1:20", ""),
            wrong("(class A () ((A m (thus $ f := null))))", "there is no variable thus", "1:20", "did you mean this?"),
            wrong("(class A ([A next]) ((A m (this $ nxt))))", "A has no field nxt", "1:35", "did you mean next?"),
            wrong(
                "(class A ([A next]) ((A m (this $ nest := this))))",
                "A has no field nest",
                "1:35",
                "did you mean next?",
            ),
            wrong(
                "(class A () ((A m (this $ f)))) (class B extends A ([A f]) ())",
                "A has no field f",
                "1:27",
                "its subclass B has one: cast, (B e)",
            ),
            wrong(
                "(class A () ((A next (this @ nxt))))",
                "no class has a method nxt of 0 arguments",
                "1:30",
                "did you mean next?",
            ),
            wrong(
                "(class A () ((A m (this @ m this))))",
                "no class has a method m of 1 arguments",
                "1:27",
                "m takes 0",
            ),
            wrong(
                "(class A () ((A m (this @ n)))) (class B extends A () ((A n null)))",
                "A has no method n",
                "1:27",
                "its subclass B has one: cast, (B e)",
            ),
        ],
    );
}

#[test]
fn types_are_checked() {
    assert_wrong(
        "jvl-types",
        "jvl",
        &[
            wrong("(class A () ((bool m this)))", "expected bool, found A", "1:22", ""),
            wrong("(class A () ((A m (begin))))", "expected A, found unit", "1:19", ""),
            wrong("(class A () ((int m null)))", "expected int, found null", "1:21", ""),
            wrong("(class A () ((int m (if this 1 else 2))))", "expected bool, found A", "1:25", ""),
            wrong("(class A () ((int m (1 + true))))", "expected int, found bool", "1:26", ""),
            wrong("(class A () ((bool m (not 1))))", "expected bool, found int", "1:27", ""),
            wrong("(class A () ((bool m (assert 1))))", "expected bool, found int", "1:30", ""),
            wrong("(class A () ((bool m (true and 1))))", "expected bool, found int", "1:32", ""),
            wrong("(class A () ((bool m [int x] (x == this))))", "int cannot be compared with A", "1:30", ""),
            wrong("(class A () ((bool m (unit == unit))))", "unit cannot be compared with unit", "1:22", ""),
            wrong("(class A ([A f]) ((A m (this $ f := 1))))", "expected A, found int", "1:37", ""),
            wrong("(class A () ((A m [int x] (x $ f := 1))))", "an object is wanted here, not int", "1:28", ""),
            wrong("(class A () ((A m [int x] (x $ f))))", "an object is wanted here, not int", "1:28", ""),
            wrong("(class A () ((A m (null $ f))))", "an object is wanted here, not null", "1:20", ""),
            wrong(
                "(class A () ((unit m unit) (A n ((this @ m) @ n))))",
                "an object is wanted here, not unit",
                "1:34",
                "",
            ),
            wrong("(class A () ((bool m (error instanceof A))))", "an object is wanted here, not error", "1:23", ""),
            wrong("(class A () ((bool m (not error))))", "a value is wanted here, and this has none", "1:27", ""),
            wrong("(class A () ((int m [int x] (x := true))))", "expected int, found bool", "1:35", ""),
            wrong("(class A () ((A m (var bool x := this in this))))", "expected bool, found A", "1:34", ""),
            wrong("(class A () ((A m [A x] (this @ m 1))))", "expected A, found int", "1:35", ""),
            wrong(
                "(class A () ((bool m ((if true 1 else this) == 1))))",
                "the branches have different types: int and A",
                "1:23",
                "",
            ),
            wrong("(class A () ((A m [Object x] x)))", "expected A, found Object", "1:30", "cast: (A e)"),
            wrong(
                "(class A () ()) (class B () ((A m (A this))))",
                "an object of class B is never one of A",
                "1:35",
                "",
            ),
        ],
    );
}

#[test]
fn overriding_methods_fit() {
    let help = "the parameters have the same types, the result the same type or a subclass";
    assert_wrong(
        "jvl-override",
        "jvl",
        &[
            wrong(
                "(class A () ((A m [A x] null))) (class B extends A () ((A m [B x] null)))",
                "m does not fit A.m, which it overrides",
                "1:59",
                help,
            ),
            wrong(
                "(class A () ((A m null))) (class B extends A () ((Object m null)))",
                "m does not fit A.m, which it overrides",
                "1:58",
                help,
            ),
            wrong(
                "(class A () ((Object m null))) (class B extends A () ((unit m unit)))",
                "m does not fit A.m, which it overrides",
                "1:61",
                help,
            ),
            wrong(
                "(class A () ((bool m true))) (class B extends A () ((int m 1)))",
                "m does not fit the method of A that it overrides",
                "1:58",
                "",
            ),
        ],
    );
    let fits = "(class A () ((A m null))) (class B extends A () ((B m this)))";
    assert!(read("covariant", fits).is_ok());
}

#[test]
fn deep_nesting_is_refused_with_a_place() {
    let deep = |depth: usize| format!("(class A () ((int m {}1{})))", "(1 + ".repeat(depth), ")".repeat(depth));
    let error = read("deep", &deep(100_000)).expect_err("too deep");
    assert_eq!(error.message, "lists are nested deeper than 10000 levels here");
    // Three lists are around the expression, and five characters are a level.
    assert_eq!(place(&error), format!("1:{}", 21 + 9_997 * 5));
    let brackets = read("brackets", &"(".repeat(100_000)).expect_err("too deep");
    assert_eq!((brackets.message.as_str(), place(&brackets).as_str()), (error.message.as_str(), "1:10001"));
    assert!(read("not-too-deep", &deep(9_000)).is_ok());
}

#[test]
fn wide_programs_are_no_problem() {
    let parts = "(this $ f := this) ".repeat(100_000);
    assert!(read("wide", &format!("(class A ([A f]) ((A m (begin {parts}))))")).is_ok());
    let parameters: String = (0..10_000).map(|i| format!("[A x{i}] ")).collect();
    let arguments: String = (0..10_000).map(|i| format!("x{i} ")).collect();
    let class = format!("(class A () ((A m ({parameters}) (this @ m ({arguments} )))))");
    assert!(read("parameters", &class).is_ok());
}

#[test]
fn files_that_are_not_programs() {
    let folder = Folder::new("jvl-files");
    let missing = load(&folder.path().join("missing.jvl")).expect_err("there is no file");
    assert!(missing.message.starts_with("cannot read ") && missing.message.contains("missing.jvl"), "{missing}");
    let binary = load(&folder.write("binary.jvl", [b'(', 0xFF, 0xFE])).expect_err("not text");
    assert!(binary.message.ends_with("it is not text (byte 1 is not UTF-8)"), "{binary}");
    let zero = load(&folder.write("zero.jvl", b"(\0)")).expect_err("not text");
    assert!(zero.message.ends_with("it is not text (byte 1 is zero)"), "{zero}");
}

const TOKENS: [&str; 49] = [
    "(",
    ")",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "class",
    "extends",
    "Object",
    "Node",
    "A",
    "bool",
    "int",
    "unit",
    "new",
    "$",
    "@",
    ":=",
    "=",
    "==",
    "instanceof",
    "if",
    "else",
    "var",
    "in",
    "begin",
    "null",
    "true",
    "false",
    "error",
    "this",
    "x",
    "f",
    "m",
    "0",
    "-7",
    "+",
    "-",
    "<",
    "and",
    "or",
    "not",
    "assert",
    ";",
    "#|",
    "|#",
    "#;",
];

#[test]
fn no_text_makes_it_panic() {
    let seeds: Vec<String> = programs("javalite").into_iter().map(|(_, text)| text).collect();
    fuzz(&Folder::new("jvl-fuzz"), "jvl", &seeds, &TOKENS, 20_000);
}
