//! Programs in Java in the manner of those that were written for JBSE: its interface for drivers, and what its rules may say beyond fields, under
//! every heap model.

use crate::java;

use lazuli_engine::Outcome;
use lazuli_program::library::World;

use java::small::{arrays, explore_small, load_small, returned, small};

/// Triggers keep initial values in fields of their own and ask `isResolved` of these: so a tree is known to be balanced while it is built. The trigger
/// of the receiver fires too.
#[test]
fn triggers_ask_what_is_resolved() {
    let source = "import jbse.meta.Analysis;
        class Small {
            int size; int most; Node root;
            static class Node {
                int height; Node left; Node right;
                int initialHeight; Node initialLeft; Node initialRight;
                static void got(Node n) { n.initialHeight = n.height; Analysis.assume(n.initialHeight >= 0); }
                static void nullLeft(Node n) {
                    n.initialLeft = null;
                    if (!Analysis.isResolved(n, \"initialRight\")) { Analysis.assume(n.initialHeight <= 1); }
                    else if (n.initialRight == null) { Analysis.assume(n.initialHeight == 0); }
                }
                static void nullRight(Node n) {
                    n.initialRight = null;
                    if (!Analysis.isResolved(n, \"initialLeft\")) { Analysis.assume(n.initialHeight <= 1); }
                    else if (n.initialLeft == null) { Analysis.assume(n.initialHeight == 0); }
                }
            }
            static void gotThis(Small s) { s.most = s.size; Analysis.assume(s.most == 7); }
            int leaf() {
                if (root == null || root.left != null || root.right != null) { return -1; }
                return size != 7 ? -2 : root.height == 0 ? 0 : 1;
            }
        }";
    let rules = "resolve begin
        {R_ANY}.Small:root instanceof Small$Node expands to instanceof Small$Node triggers Small$Node:(LSmall$Node;)V:got:{$REF};
        {R_ANY}.Small:root(.Small$Node:left|.Small$Node:right)* instanceof Small$Node aliases nothing;
        {R_ANY}.Small$Node:left instanceof Small$Node null triggers Small$Node:(LSmall$Node;)V:nullLeft:{$REF}.{UP};
        {R_ANY}.Small$Node:right instanceof Small$Node null triggers Small$Node:(LSmall$Node;)V:nullRight:{$REF}.{UP};
        resolve end
        trigger begin
        instanceof Small expands to instanceof Small triggers Small:(LSmall;)V:gotThis:{$REF};
        trigger end";
    for (heap, run) in small("resolved", source, "Small.leaf", rules, arrays()).1 {
        assert_eq!((run.counts.stopped, run.counts.threw), (0, 0), "{heap}");
        // A leaf has the height 0, whichever child was looked at first.
        assert_eq!(returned(&run), ["-1", "0"], "{heap}");
    }
}

/// `fail` is an assertion that fails, `ass3rt` one that may, `ignore` ends a path that does not matter, `force` decides.
#[test]
fn the_interface_of_drivers() {
    let source = "import static jbse.meta.Analysis.*;
        class Small {
            static int run(int n) {
                assumeClassNotInitialized(Small.class);
                if (n < 0) { ignore(); }
                assume(n < 10);
                if (n == 3) { fail(); }
                ass3rt(n != 4);
                boolean many = force(n > 5);
                return isRunByJBSE() ? -1 : many ? 1 : 0;
            }
        }";
    for (heap, run) in small("drivers", source, "Small.run", "resolve begin\nresolve end", arrays()).1 {
        let failed = run.traces.iter().filter(|trace| trace.outcome == Outcome::AssertFailed).count();
        assert_eq!((failed, run.counts.returned, run.counts.stopped), (2, 2, 0), "{heap}");
        assert_eq!(returned(&run), ["0", "1"], "{heap}");
    }
}

const OWNERS: &str = "class Small {
        static Small first;
        Small next; Small other; Box box; Object element;
        static class Box { Small owner; }
        int none() { return element == null ? 0 : element == next ? 1 : element == other ? 2 : 3; }
        int owner() { return box.owner == this ? 1 : 0; }
        int both() { return next == null || box == null ? 0 : 1; }
        static int known() { return first == null ? 0 : first.next == null ? 1 : first.next == first ? 2 : 3; }
    }";

/// Every origin but some; any way to a field of a name; classes of several names.
#[test]
fn paths_about_characters() {
    let world = || World { types: vec![("java.lang.Object".into(), vec!["Small".into()])], ..arrays() };
    let program = load_small("but", OWNERS, "Small.none", world());
    let rules = "resolve begin
        {ROOT}:this.Small:next instanceof Small aliases nothing;
        {ROOT}:this.Small:element instanceof java/lang/Object expands to nothing;
        {ROOT}:this.Small:element instanceof java/lang/Object aliases target {ROOT}:(?!{°}*Small:next(.Small:next)*{EOL}){°}*;
        resolve end";
    for (heap, run) in explore_small("but", &program, rules) {
        assert_eq!((run.counts.stopped, run.counts.threw), (0, 0), "{heap}");
        let values = returned(&run);
        assert!(!values.contains(&"1".to_string()), "{heap}: what is at next is no element: {values:?}");
        assert!(values.contains(&"0".to_string()) && values.contains(&"2".to_string()), "{heap}: {values:?}");
    }
    let rules = "resolve begin
        {R_ANY}.Small:box instanceof Small$Box not null;
        {R_ANY}.Small:box.{°}*:owner instanceof Small not null;
        {R_ANY}.Small:box.{°}*:owner instanceof Small expands to nothing;
        {R_ANY}.Small:box.{°}*:owner instanceof Small aliases target {$R_ANY};
        resolve end";
    for (heap, run) in small("owner", OWNERS, "Small.owner", rules, arrays()).1 {
        assert_eq!((run.counts.stopped, run.counts.threw), (0, 0), "{heap}");
        assert_eq!(returned(&run), ["1"], "{heap}");
    }
    let rules = "resolve begin
        {R_ANY}.Sma(ll|ll$Box):next instanceof Small not null;
        resolve end";
    let error =
        lazuli_invariant::hex::load_jbse_text(&program, "classes.jbse", rules.into()).expect_err("no such field");
    assert!(error.to_string().contains("Box has no field next of its own"), "{error}");
    let rules = "resolve begin
        {R_ANY}.Sma(ll):next instanceof Small not null;
        {R_ANY}.Sma(ll):box instanceof Small$Box not null;
        resolve end";
    for (heap, run) in small("classes", OWNERS, "Small.both", rules, arrays()).1 {
        assert_eq!(returned(&run), ["1"], "{heap}");
    }
}

/// Rules are about the erased types of references, under models that know more by their generic types as well.
#[test]
fn rules_and_generic_types() {
    let source = "import java.util.List;
        class Small<T> {
            T element; Small<T> next;
            static int sum(Small<Integer> list) {
                if (list == null) { return 0; }
                Small<Integer> next = list.next;
                if (next == list) { return 1; }
                Integer second = next.element;
                return second == null ? 2 : 3;
            }
        }";
    let rules = "resolve begin
        {ROOT}:list(.Small:next)+ instanceof Small not null;
        {ROOT}:list(.Small:next)+.Small:element instanceof java/lang/Object not null;
        {ROOT}:list(.Small:next)+.Small:element instanceof java/lang/Object expands to instanceof java/lang/Integer;
        resolve end";
    for (heap, run) in small("generic", source, "Small.sum", rules, arrays()).1 {
        assert_eq!((run.counts.stopped, run.counts.threw), (0, 0), "{heap}");
        assert_eq!(returned(&run), ["0", "1", "3"], "{heap}");
    }
}

/// A static field is an input if somebody says so; otherwise a rule about it says nothing.
#[test]
fn static_fields() {
    let rules = "resolve begin
        [Small].Small:first instanceof Small not null;
        [Small].Small:first instanceof Small aliases nothing;
        [Small].Small:first(.Small:next)+ instanceof Small not null;
        [Small].Small:first(.Small:next)+ instanceof Small aliases target [Small].Small:first;
        resolve end";
    let world = World { symbolic_statics: vec!["Small".into()], ..arrays() };
    for (heap, run) in small("statics", OWNERS, "Small.known", rules, world).1 {
        assert_eq!((run.counts.stopped, run.counts.threw), (0, 0), "{heap}");
        assert_eq!(returned(&run), ["2", "3"], "{heap}");
    }
    for (heap, run) in small("no-statics", OWNERS, "Small.known", rules, arrays()).1 {
        assert_eq!(returned(&run), ["0"], "{heap}: the initialiser leaves null");
    }
}

/// The files of a directory hold together, whatever order they have; a file may speak of the parameters of other methods of the class, and of
/// classes of arrays.
#[test]
fn files_of_a_directory() {
    let source = "class Small {
        Small next; int[] numbers;
        int length(Small other) { return numbers == null ? -1 : next == null ? -2 : 1; }
        int second(Small value) { return 2; }
    }";
    let program = load_small("directory", source, "Small.length", arrays());
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules-of-a-directory");
    std::fs::create_dir_all(&folder).expect("a folder");
    let files = [
        ("a.jbse", "resolve begin\n{ROOT}:this.numbers instanceof [I not null;\nresolve end"),
        (
            "b.jbse",
            "resolve begin\n{ROOT}:value instanceof Small not null;\n{ROOT}:this.next instanceof Small not null;\nresolve end",
        ),
    ];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let hex = lazuli_invariant::hex::load(&program, &folder).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(hex.statements.len(), 3);
    let invariants = Some(lazuli_invariant::Invariants::of_hex(hex).shared());
    let config = lazuli_engine::config::Config { invariants, ..lazuli_engine::config::Config::default() };
    let run = java::run(&program, &config, "directory");
    assert_eq!(returned(&run), ["1"]);
    std::fs::write(folder.join("b.jbse"), "resolve begin\n{ROOT}:volue instanceof Small not null;\nresolve end")
        .expect("a file");
    let error = lazuli_invariant::hex::load(&program, &folder).expect_err("no such parameter").to_string();
    assert!(error.contains("b.jbse:2:8") && error.contains("no input and no parameter volue"), "{error}");
}
