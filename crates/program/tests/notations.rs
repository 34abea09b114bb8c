//! The two notations of the tiny object language, and what is forgiven in files of its public prototype.

use crate::common::{Folder, method_text, place};
use lazuli_program::{LoadError, Notation, Program, load, load_in, load_text_in};

const PROTOTYPE: &str = "\
class Node extends Object { int value; Node next;
  int larger(int x) := if x < this.value then this.value else x;
  Node last() := if this.next = null then this else this.next.last[];
}
class Leaf extends Node { int larger(int x) := 7; }
let n := new Node in let v := (n.value := 3) in if n.larger[2] = 3 then Y0.last[] else null";

const FIGURE_6: &str = "\
class Node : Object { int value; Node next;
  int larger(int x) := if x < this.value this.value x
  Node last() := if this.next = null this this.next.last()
}
class Leaf : Node { int larger(int x) := 7 }
let n := new Node in let v := (n.value := 3) in if n.larger(2) = 3 Y0.last() null";

fn read(text: &str, notation: Option<Notation>) -> Result<Program, LoadError> {
    load_text_in("case.pose", text.into(), notation)
}

#[test]
fn both_notations_say_the_same() {
    let methods = |program: &Program| -> Vec<String> {
        ["Node.larger", "Node.last", "Leaf.larger", "main"].map(|name| method_text(program, name)).to_vec()
    };
    let read = |text, notation| read(text, notation).unwrap_or_else(|error| panic!("{error}"));
    let prototype = methods(&read(PROTOTYPE, None));
    assert_eq!(methods(&read(FIGURE_6, None)), prototype);
    assert_eq!(methods(&read(PROTOTYPE, Some(Notation::Prototype))), prototype);
    assert_eq!(methods(&read(FIGURE_6, Some(Notation::Figure6))), prototype);
}

#[test]
fn a_file_has_one_notation() {
    for (text, at, message) in [
        ("class A : Object { A f; }\nclass B extends A {}\n1", "2:9", "this belongs to the prototype's notation"),
        (
            "class A extends Object { A m() := this; }\nclass B : A {}\n1",
            "2:9",
            "this belongs to the notation of Figure 6",
        ),
        (
            "class A : Object { A m() := this }\nif true then 1 else 2",
            "2:9",
            "this belongs to the prototype's notation",
        ),
        ("class A : Object { A m() := this }\nnew A.m[]", "2:8", "this belongs to the prototype's notation"),
    ] {
        let error = read(text, None).err().unwrap_or_else(|| panic!("{text}"));
        assert!(error.message.starts_with(message), "{text}: {error}");
        assert_eq!(place(&error), at, "{text}: {error}");
    }
    let other = read(PROTOTYPE, Some(Notation::Figure6)).expect_err("the other notation");
    assert_eq!(place(&other), "1:12");
    let other = read(FIGURE_6, Some(Notation::Prototype)).expect_err("the other notation");
    assert_eq!(place(&other), "1:12");
}

/// An `else` shows what the writer had in mind.
#[test]
fn a_forgotten_then_is_named() {
    let error = read("if true 1 else 2", None).expect_err("no notation has this");
    assert_eq!((error.message.as_str(), place(&error).as_str()), ("expected `then`, found `1`", "1:9"));
}

/// The prototype looks at a call when it gets there, and never at the declared class of a result.
#[test]
fn the_prototype_s_files_are_forgiven() {
    let text = "class A { A f; Nothing m(A x) := (x.gone[x]); }\n(Y0.m[new A])";
    let folder = Folder::new("pose-forgiven");
    let program = load(&folder.write("case.txt", text)).unwrap_or_else(|error| panic!("{error}"));
    let warnings: Vec<&str> = program.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings, ["there is no class Nothing", "no class has a method gone of 1 arguments"]);
    assert!(method_text(&program, "A.m").contains("throw StuckException"), "{}", method_text(&program, "A.m"));
    let number = "class A { int m(A x) := if x = null then null else 1; }\n(Y0.m[new A])";
    let program = load(&folder.write("number.txt", number)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.warnings.iter().map(|w| w.message.as_str()).collect::<Vec<_>>(), ["expected int, found null"]);
    assert!(method_text(&program, "A.m").contains("throw StuckException"), "{}", method_text(&program, "A.m"));
    let variable = "class A { A f; A m(A x) := let y := (s.f := x) in y; }\n(Y0.m[new A])";
    let program = load(&folder.write("variable.txt", variable)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.warnings.iter().map(|w| w.message.as_str()).collect::<Vec<_>>(), ["there is no variable s"]);
    let branches = "class A { int m(A x) := 1 + (if x = null then 1 else x); }\n(Y0.m[new A])";
    let program = load(&folder.write("branches.txt", branches)).unwrap_or_else(|error| panic!("{error}"));
    let messages: Vec<&str> = program.warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(messages, ["the branches have different types: int and A"]);
    let ours = folder.write("case.pose", text);
    assert_eq!(load(&ours).expect_err("our own files are checked").message, "there is no class Nothing");
    let called = folder.write("call.pose", "class A { A m(A x) := (x.gone[x]); }\n1");
    let error = load_in(&called, Some(Notation::Prototype)).expect_err("our own files are checked");
    assert_eq!(error.message, "no class has a method gone of 1 arguments");
}
