//! What files of invariants say of Java programs, construct by construct, on small sources, under every heap model: numbers of every
//! width, companions, static fields, elements of arrays, what holds between inputs, and rules of JBSE.

use crate::java;

use std::collections::BTreeSet;
use std::path::Path;

use lazuli::Run;
use lazuli_engine::Outcome;
use lazuli_engine::config::{Config, HeapKind, Most};
use lazuli_engine::witness::{Concrete, Witness};
use lazuli_invariant::{InvariantSource, Invariants, Technique};
use lazuli_program::Program;
use lazuli_program::frontend::java::load;
use lazuli_program::library::World;

use java::small::{arrays, returned, small};
use java::{options, run};

/// What a path that returns says of the inputs.
fn witness_field(program: &Program, witness: &Witness, class: &str, field: &str) -> Vec<Concrete> {
    let objects = witness.objects.iter().filter(|object| program.class(object.class).name.ends_with(class));
    let fields = objects.flat_map(|object| object.fields.iter().copied());
    fields.filter(|(id, _)| program.field(*id).name == field).map(|(_, value)| value).collect()
}

/// Integers of every width are numbers: sums do not wrap around, and infinity is beyond the greatest one.
#[test]
fn numbers_of_every_width() {
    let source = "class Small {
        byte b; short s; char c; int i; long l; boolean z; Small next;
        int sum() { return next.i; }
    }";
    let invariants = "
        ghost Small { int low = -inf; int high = +inf; long free = fresh; }
        root.this on expand do {
            assume it.low < initial(it.l) && initial(it.l) < it.high;
            assume initial(it.i) + 1 > initial(it.i) && initial(it.i) + initial(it.i) > 3000000000;
            assume initial(it.b) + 1 == 128 && initial(it.s) == -32768 && initial(it.c) == 65535;
            assume initial(it.l) > 5000000000 && initial(it.z) && it.free == initial(it.l) - 1 && it.free > 4999999999; };
        root.this.next not null and aliases nothing on expand do { assume initial(it.i) - 1 > 2147483645; };";
    let (program, runs) = small("numbers", source, "Small.sum", invariants, arrays());
    for (heap, run) in runs {
        assert_eq!((run.counts.traces, run.counts.returned), (1, 1), "{heap}");
        let witness = run.traces[0].detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
        let number = |field: &str| match witness_field(&program, witness, "Small", field)[..] {
            [Concrete::Int(value), ..] => value as i64,
            ref other => panic!("{heap}, {field}: {other:?}"),
        };
        assert_eq!((number("b") as i8, number("s") as i16, number("c") as u16), (127, -32768, 65535), "{heap}");
        assert!((number("i") as i32) > 1_500_000_000 && number("l") > 5_000_000_000, "{heap}");
        let next = witness_field(&program, witness, "Small", "i");
        assert!(next.contains(&Concrete::Int(i32::MAX as i128)), "{heap}: {next:?}");
    }
}

/// The least number of 64 bits can be written, wherever a number can.
#[test]
fn the_least_number() {
    let source = "class Small { long l; long m; long value() { return l; } }";
    let invariants = "
        let least = -9223372036854775808;
        ghost Small { long low = -9223372036854775808; }
        root.this on expand do { assume initial(it.l) == least && initial(it.m) + -9223372036854775808 == it.low; };";
    for (heap, run) in small("least", source, "Small.value", invariants, arrays()).1 {
        let witness = run.traces[0].detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
        let mut values: Vec<Concrete> = witness.objects[0].fields.iter().map(|(_, value)| *value).collect();
        values.sort();
        let expected = [Concrete::Int(i64::MIN as i128), Concrete::Int(0)];
        assert!(
            run.counts.returned == 1 && values[0] == expected[0] && values.iter().all(|v| expected.contains(v)),
            "{heap}"
        );
    }
}

/// A companion is a static method or one of the object; an exception in it is none of the program's.
#[test]
fn companions_in_java() {
    let source = "class Small {
        int i; Small next;
        int value() { try { return next.i; } catch (RuntimeException e) { return -1; } }
        boolean even() { return i % 2 == 0; }
        static boolean small(Small s) { return s.i >= 0 && s.i < 3; }
        static void fails(Small s) { throw new IllegalStateException(); }
    }";
    let invariants = "root.this.next not null and aliases nothing
        on expand do Small.even(it) on expand do Small.small(it);";
    let (program, runs) = small("companions", source, "Small.value", invariants, arrays());
    for (heap, run) in runs {
        assert_eq!((run.counts.stopped, run.counts.threw), (0, 0), "{heap}");
        assert!(run.counts.returned >= 1, "{heap}");
        for trace in &run.traces {
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
            let value = *witness_field(&program, witness, "Small", "i").last().expect("the companion looked at it");
            assert!([Concrete::Int(0), Concrete::Int(2)].contains(&value), "{heap}: {value:?}");
        }
    }
    let invariants = "root.this.next not null and aliases nothing on expand do Small.fails(it);";
    for (heap, run) in small("failing", source, "Small.value", invariants, arrays()).1 {
        let stops: Vec<String> = run.stops.iter().map(|(why, _)| why.to_string()).collect();
        assert!(run.counts.returned == 0 && stops[0].contains("IllegalStateException"), "{heap}: {stops:?}");
    }
}

/// A companion may make a string of an unknown number: it does not fork on the digits, and the program decides nothing else.
#[test]
fn companions_that_build_strings() {
    let source = "class Small {
        int i; Small next;
        int value() { return next.i; }
        static boolean even(Small s) { return (\"\" + s.i).length() % 2 == 0; }
    }";
    let invariants = "root.this.next not null and aliases nothing on expand do Small.even(it);";
    let (program, runs) = small("strings", source, "Small.value", invariants, arrays());
    for (heap, run) in runs {
        assert_eq!((run.counts.stopped, run.counts.returned, run.counts.doubtful()), (0, 1, 0), "{heap}");
        for trace in &run.traces {
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
            let Some(Concrete::Int(value)) = witness_field(&program, witness, "Small", "i").last().copied() else {
                panic!("{heap}: the companion looked at it");
            };
            assert_eq!((value as i32).to_string().len() % 2, 0, "{heap}: {value}");
        }
    }
}

/// A companion is executed even if the instruction that looks at the reference fails.
#[test]
fn companions_of_what_fails() {
    let source = "
        class A { int v; A next; boolean isZero() { return v == 0; } }
        class B extends A { B h; }
        class Small {
            static int f(A a) { return ((B) a).h == null ? 1 : 2; }
            static int g(A a) {
                try { return a.next == null ? 1 : 2; } catch (NullPointerException e) { return 3; }
            }
        }";
    let (program, runs) = small("failing-cast", source, "Small.f", "root.a on expand do A.isZero(it);", arrays());
    for (heap, run) in runs {
        let threw =
            run.traces.iter().filter(|trace| trace.outcome == Outcome::Threw("java.lang.ClassCastException".into()));
        let witnesses: Vec<&Witness> = threw
            .map(|trace| trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness"))
            .collect();
        assert_eq!(witnesses.len(), 1, "{heap}");
        assert_eq!(witness_field(&program, witnesses[0], "A", "v"), [Concrete::Int(0)], "{heap}");
    }
    // What would have been loaded is not there: nothing is asked about it.
    let (_, runs) = small("failing-read", source, "Small.g", "root.a.next on expand do A.isZero(it);", arrays());
    for (heap, run) in runs {
        let values = run.traces.iter().filter_map(|trace| trace.detail.as_ref()?.value.clone());
        assert_eq!(values.filter(|value| value == "3").count(), 1, "{heap}");
    }
}

/// Static fields and elements of arrays are places of path expressions.
#[test]
fn statics_and_elements() {
    let source = "class Small {
        int i; Small next;
        static Small known;
        static int value() { return known.next.i; }
        static boolean same(Small[] all, int i, int j) { return i != j && all[i] != null && all[i] == all[j]; }
        static int third(Small[] all) { return all[2].i; }
    }";
    let world = || World { symbolic_statics: vec!["Small".into()], ..arrays() };
    let invariants = "Small.known not null;
        Small.known.next not null and aliases Small.known on alias do { assume initial(it.i) == 5; } on expand do { assume initial(it.i) == 6; };";
    let (program, runs) = small("statics", source, "Small.value", invariants, world());
    for (heap, run) in runs {
        assert_eq!((run.counts.threw, run.counts.stopped), (0, 0), "{heap}");
        assert!(run.counts.returned >= 1, "{heap}");
        for trace in &run.traces {
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
            let field = |object: usize, name: &str| {
                let fields = &witness.objects[object].fields;
                fields.iter().find(|(id, _)| program.field(*id).name == name).map(|(_, value)| *value)
            };
            let next = |object| field(object, "next").map(|next| (object, next));
            let (known, next) =
                (0..witness.objects.len()).find_map(next).expect("the object that was asked for its next");
            let Concrete::Object(next) = next else { panic!("{heap}: {next:?} is not null") };
            let expected = if next == known { 5 } else { 6 };
            assert_eq!(field(next, "i"), Some(Concrete::Int(expected)), "{heap}");
        }
    }
    let invariants = "root.all not null and aliases nothing; root.all[*] aliases nothing;";
    let (_, runs) = small("elements", source, "Small.same", invariants, arrays());
    for (heap, run) in &runs {
        assert_eq!(run.counts.stopped, 0, "{heap}");
        // Only different elements, or none: the comparison is never true.
        let returned: Vec<&str> =
            run.traces.iter().filter_map(|trace| trace.detail.as_ref()?.value.as_deref()).collect();
        assert!(!returned.is_empty() && returned.iter().all(|value| *value == "0"), "{heap}: {returned:?}");
    }
    let invariants = "root.all not null on expand do { assume initial(it.length) == 3; };
        root.all[2] not null on expand do { assume initial(it.i) == 9; };";
    let (program, runs) = small("third", source, "Small.third", invariants, arrays());
    for (heap, run) in runs {
        assert_eq!((run.counts.traces, run.counts.returned), (1, 1), "{heap}");
        let witness = run.traces[0].detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
        assert_eq!(witness_field(&program, witness, "Small", "i"), [Concrete::Int(9)], "{heap}");
    }
}

/// Formulas and events are about several references: they hold under every model, even if these are only compared with null.
#[test]
fn references_compared_with_null() {
    let source = "class Small {
        Small left; Small right; int size;
        boolean small() { return left != null && right != null && size < 2; }
        boolean one() { return (left == null) != (right == null); }
        static boolean only(Small a, Small b) { return b != null && a == null; }
    }";
    let full = "for any Small s { (s.left null and s.right null) or (s.left not null and s.right not null); }";
    let counted = "ghost Small { int n = 0; } for any Small s { s(.left|.right) aliases nothing
        on expand do { s.n += 1; assume initial(s.size) >= s.n; }; }";
    let all = [
        ("full", "Small.one", full),
        ("implied", "Small.only", "root.a null => root.b null;"),
        ("counted", "Small.small", counted),
    ];
    for (name, entry, invariants) in all {
        let (_, runs) = small(name, source, entry, invariants, arrays());
        for (heap, run) in runs {
            let values: Vec<&str> =
                run.traces.iter().filter_map(|trace| trace.detail.as_ref()?.value.as_deref()).collect();
            assert!(values.len() >= 2 && values.iter().all(|value| *value == "0"), "{heap}, {entry}: {values:?}");
        }
    }
}

/// What no static field satisfies is said before anything is explored.
#[test]
fn contradictory_statics() {
    let source = "class Small { int i; Small next; static Small known; static int value() { return known.i; } }";
    let world = World { symbolic_statics: vec!["Small".into()], ..arrays() };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-invariants-contradiction");
    std::fs::create_dir_all(&folder).expect("a folder for the source");
    let path = folder.join("Small.java");
    std::fs::write(&path, source).expect("a source");
    let program = load(&path, &options(Some("Small.value"), world)).unwrap_or_else(|error| panic!("{error}"));
    let explored = |text: &str| {
        let hex = lazuli_invariant::hex::load_text(&program, "test.hex", text.into()).unwrap_or_else(|e| panic!("{e}"));
        let config = Config { invariants: Some(Invariants::of_hex(hex).shared()), ..Config::default() };
        java::explore(&program, &config).map(|run| run.counts.returned).map_err(|error| error.to_string())
    };
    let why = explored("Small.known not null; Small.known expands to nothing;").expect_err("a contradiction");
    assert!(why.contains("contradict themselves: no Small Small.known is valid"), "{why}");
    assert_eq!(explored("Small.known not null;"), Ok(1));
}

/// Two arrays that may be one: an element has one value, whichever way it is reached, and the invariants are asked of it once.
#[test]
fn elements_of_arrays_that_may_be_one() {
    let source = "class Small {
        int i; int seen;
        static boolean same(Small[] a, Small[] b) { return a[0] == b[0]; }
        static boolean apart(Small[] a, Small[] b, Small[] c) { return b[0] != a[0] && c[0] != a[0]; }
    }";
    let invariants = "root.a not null on expand do { assume initial(it.length) == 2; };
        root.b not null on expand do { assume initial(it.length) == 2; };
        any[*] not null and aliases nothing on expand do { assume initial(it.i) == 4; };";
    let (program, runs) = small("shared", source, "Small.same", invariants, arrays());
    let mut flows = Vec::new();
    for (heap, run) in runs {
        assert_eq!((run.counts.threw, run.counts.stopped), (0, 0), "{heap}");
        flows.push(run.traces.iter().map(|trace| trace.flow).collect::<BTreeSet<_>>());
        // What is compared with itself need not be resolved, and of what nobody resolves nobody asks.
        let resolves = !matches!(heap, HeapKind::Lazier | HeapKind::LazierSharp);
        for trace in run.traces.iter().filter(|_| resolves) {
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
            let elements: Vec<Concrete> =
                witness.objects.iter().flat_map(|object| object.elements.iter().map(|(_, value)| *value)).collect();
            assert!(!elements.is_empty(), "{heap}: {witness:?}");
            for (number, element) in elements.iter().enumerate() {
                let Concrete::Object(at) = element else { panic!("{heap}: {witness:?}") };
                let numbers = witness.objects[*at].fields.iter().filter(|(id, _)| program.field(*id).name == "i");
                assert!(numbers.map(|(_, value)| *value).eq([Concrete::Int(4)]), "{heap}: {witness:?}");
                assert!(!elements[..number].contains(element), "{heap}: different arrays have different elements");
            }
        }
    }
    assert!(flows[0].len() == 2 && flows.iter().all(|other| *other == flows[0]), "{flows:?}");
    let invariants = "root.a not null on expand do { assume initial(it.length) == 1; };
        root.b not null on expand do { assume initial(it.length) == 1; };
        root.c not null and expands to nothing;
        any[*] not null and aliases nothing;";
    let mut flows = Vec::new();
    for (heap, run) in small("apart", source, "Small.apart", invariants, arrays()).1 {
        assert_eq!((run.counts.threw, run.counts.stopped), (0, 0), "{heap}");
        flows.push(run.traces.iter().map(|trace| trace.flow).collect::<BTreeSet<_>>());
    }
    assert!(flows[0].len() > 1 && flows.iter().all(|other| *other == flows[0]), "{flows:?}");
}

/// What holds between the inputs is said by `repOkInputs`: bounded model finding asks it, pre-evaluation cannot.
#[test]
fn what_holds_between_inputs() {
    let source = "class Small {
        int i;
        boolean repOk() { return i > 0; }
        boolean repOkInputs(Small other) { return other == null || other.i > i; }
        boolean less(Small other) { return other != null && i < other.i; }
        static int sum(Small a, Small b) { if (a == null || b == null) return 0; assert a.i > 0 && b.i > 0; return 1; }
        Small(Small of) { assert of == null || of.i > 0; i = 1; }
    }";
    let explored = |entry: &str, technique: Technique| {
        let (program, _) = small("between", source, entry, "", arrays());
        let invariants = Invariants::load(&InvariantSource::methods(technique, vec![Most::of_all(4)]), &program)
            .expect("methods of the program");
        let config = Config { heap: HeapKind::Lazy, invariants: Some(invariants.shared()), ..Config::default() };
        run(&program, &config, entry)
    };
    let values = |run: &Run| -> Vec<String> {
        let facts = run.traces.iter().filter_map(|trace| trace.detail.as_ref());
        facts.filter_map(|facts| facts.value.clone()).collect()
    };
    // Without the other one; and with one that is greater.
    let bounded = explored("Small.less", Technique::Bounded);
    assert_eq!(values(&bounded), ["0", "1"]);
    // The other one may be the same, or any other valid one.
    let prep = explored("Small.less", Technique::Prep);
    assert!(prep.counts.returned > 2 && prep.counts.pruned_invariant > 0, "{:?}", values(&prep));
    for technique in [Technique::Prep, Technique::Bounded] {
        for entry in ["Small.sum", "Small.new"] {
            let run = explored(entry, technique);
            assert_eq!((run.counts.assert_failed, run.counts.stopped), (0, 0), "{entry}, {technique}");
            assert!(run.counts.returned > 1, "{entry}, {technique}");
        }
    }
}

/// Rules of JBSE, with the names of class files.
#[test]
fn rules_of_jbse() {
    let source = "package p; class Small {
        static class Node { int i; Node next; }
        Node head;
        int count() { int n = 0; for (Node x = head; x != null && n < 3; x = x.next) n++; return n; }
        static void seen(Node n) { lazuli.Lazuli.assume(n.i > 0); }
    }";
    let rules = "resolve begin
        {ROOT}:this.head(.next)* instanceof p/Small$Node expands to instanceof p/Small$Node triggers p/Small:(Lp/Small$Node;)V:seen:{$REF};
        {ROOT}:this.head(.next)* instanceof p/Small$Node aliases nothing;
    resolve end";
    let (program, runs) = small("jbse", source, "p.Small.count", rules, arrays());
    for (heap, run) in runs {
        assert_eq!((run.counts.stopped, run.counts.threw), (0, 0), "{heap}");
        assert!(run.counts.returned >= 4, "{heap}: {}", run.counts.returned);
        for trace in &run.traces {
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
            let values = witness_field(&program, witness, "Node", "i");
            assert!(
                values.iter().all(|value| matches!(value, Concrete::Int(n) if *n as i32 > 0)),
                "{heap}: {values:?}"
            );
        }
    }
}

fn returns(name: &str, source: &str, entry: &str, invariants: &str, expected: &[&str]) {
    let (_, runs) = small(name, source, entry, invariants, arrays());
    for (heap, run) in runs {
        assert_eq!((run.counts.threw, run.counts.stopped), (0, 0), "{heap}");
        assert_eq!(returned(&run), expected, "{heap}");
    }
}

/// A path that has ended says nothing of the index of another one.
#[test]
fn indices_of_other_paths() {
    let source = "class Small {
        static int at(Object[] a, int i, boolean b) {
            if (a == null || i < 0 || i >= a.length) { return 0; }
            if (b) { return i == 0 ? 1 : 2; }
            if (a[i] == null) { return i == 0 ? 3 : 4; }
            return 5;
        }
    }";
    returns("indices", source, "Small.at", "root.a[0] not null;", &["0", "1", "2", "4", "5"]);
}

/// What an access would have loaded is not there if it fails, and the failure is caught.
#[test]
fn failures_that_are_caught() {
    let source = "class Node { Node next; }
        class Small {
            Node head, tail;
            static int walk(Small s, int i) {
                if (s == null) { return 0; }
                Node h = s.head, t = s.tail, n = null;
                if (i == 0) { i = 1; }
                try { n = h.next; } catch (NullPointerException e) { }
                try { n = t.next; } catch (NullPointerException e) { return h == null ? 1 : 2; }
                return n == null ? 3 : 4;
            }
        }";
    let invariants = "ghost Small { int count = 0; }
        for any Small s {
            s.head.next not null and aliases nothing on expand do { s.count += 1; };
            s.tail.next on null do { assume s.count == 0; } on expand do { assume s.count == 0; };
        }";
    returns("caught", source, "Small.walk", invariants, &["0", "1", "2", "3", "4"]);
}

/// A copy of an object has its fields as the invariants know them.
#[test]
fn copies_of_objects() {
    let source = "class Node { Node next; }
        class Small implements Cloneable {
            Node head, tail;
            static int copy(Small s) throws CloneNotSupportedException {
                if (s == null) { return 0; }
                Small c = (Small) s.clone();
                if (c.head == null) { return 1; }
                return c.head == c.tail ? 2 : 3;
            }
        }";
    let invariants = "root.s.head not null and aliases nothing;
        root.s.tail not null and expands to nothing and aliases root.s.head;";
    returns("copies", source, "Small.copy", invariants, &["0", "2"]);
    returns("free_copies", source, "Small.copy", "root.s aliases nothing;", &["0", "1", "2", "3"]);
}
