//! Elements of input arrays under the heap models: what counts as met, which value an object has, and what an input holds that may be an
//! array of several kinds. The heap models must come to the same flows, and every witness is confirmed by the JVM.

use crate::java;

use std::collections::BTreeSet;

use lazuli::Run;
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_invariant::Invariants;
use lazuli_program::Program;
use lazuli_program::library::World;

use java::run;
use java::small::{load_small, returned};

/// The models that enumerate have thousands of traces of some programs.
const SHARING: [HeapKind; 4] = [HeapKind::Pose, HeapKind::PoseIte, HeapKind::Summary, HeapKind::UberLazy];

/// The flows are the same under some heap models. Gives the values that are returned.
fn agreed(program: &Program, invariants: &str, heaps: &[HeapKind]) -> Vec<String> {
    let read = lazuli_invariant::hex::load_text(program, "small.hex", invariants.into());
    let invariants = Invariants::of_hex(read.unwrap_or_else(|error| panic!("{error}"))).shared();
    let explored = |heap: HeapKind| {
        let invariants = Some(invariants.clone());
        run(program, &Config { heap, invariants, detail: TraceDetail::Full, ..Config::default() }, "small")
    };
    let flows = |run: &Run| run.traces.iter().map(|trace| trace.flow).collect::<BTreeSet<_>>();
    let expected = explored(heaps[0]);
    for heap in &heaps[1..] {
        let run = explored(*heap);
        assert_eq!(run.counts.stopped, 0, "{heap}");
        assert_eq!(returned(&run), returned(&expected), "{heap}");
        assert_eq!(flows(&run), flows(&expected), "{heap}");
    }
    returned(&expected)
}

fn bounded(max_array: u32) -> World {
    World { max_array, max_string: 2, ..World::default() }
}

/// Which of three arrays is read depends on what `a` is. The elements of the other two are not met: nothing is an alias of them.
#[test]
fn an_element_that_is_not_read_is_not_met() {
    let source = "class Small {
        Small next; Small[] arr;
        static int unread(Small s, Small a) {
            boolean z = s == null;
            Small first = a.arr[0];
            Small[] k = first.arr;
            Small again = a.arr[0];
            if (s.next.next == null) return 2;
            return 3;
        }
    }";
    let program = load_small("unread", source, "Small.unread", bounded(1));
    let invariants = "root.a.arr aliases nothing => any.next not null;";
    assert_eq!(agreed(&program, invariants, &HeapKind::ALL), ["3"]);
}

/// An object that is met in one of several arrays has one value, whichever of them is read.
#[test]
fn an_object_of_several_arrays_has_one_value() {
    let source = "class Small { int v; Small next; Small[] arr;
        boolean ord() { return next == null || next.v >= v; }
        static int values(Special a, Small s) {
            if (a.v < a.arr[1].v) return 1;
            a.arr = s.next.arr;
            if (a.v < s.arr[0].v) { a.next.arr[1] = s.next.next; return 3; }
            return 4;
        }
    }
    class Special extends Small { }";
    let program = load_small("values", source, "Small.values", bounded(2));
    let invariants = "for any Special x { x.next.next on alias do Small.ord(it); }";
    assert_eq!(agreed(&program, invariants, &SHARING), ["1", "3", "4"]);
}

/// The element of `q.arr` has a name since `r.arr` was read, but where r is another object it is loaded only at the end, by way of s: it is p there,
/// and has the value of p.
#[test]
fn an_element_that_is_loaded_later() {
    let source = "class Small { int v; Small[] arr;
        static int later(Small q, Small r, Small p, Small s) {
            Small[] first = q.arr;
            if (r.arr[0].v == 2) return 1;
            if (p.v == 3) return 2;
            if (s.arr[0].v == 3 && s.arr[0] == p) return 3;
            return 4;
        }
    }";
    let program = load_small("later", source, "Small.later", bounded(2));
    let invariants = "root.q aliases nothing; root.p aliases nothing; root.s expands to nothing and aliases root.q;
        root.q.arr aliases nothing; root.r.arr aliases nothing; root.q.arr[*] aliases root.p;";
    assert_eq!(agreed(&program, invariants, &HeapKind::ALL), ["1", "2", "4"]);
}

/// An input of type Object may be an array of numbers on one path, and one of references on another.
#[test]
fn arrays_of_several_kinds() {
    let source = "class Small {
        static int read(Object o) {
            if (o instanceof int[] numbers && numbers.length > 0) return numbers[0] == 0 ? 1 : 2;
            if (o instanceof Object[] objects && objects.length > 0) return objects[0] == null ? 3 : 4;
            return 0;
        }
    }";
    let types = vec![("java.lang.Object".to_string(), vec!["[I".to_string(), "[Ljava.lang.Object;".to_string()])];
    let program = load_small("kinds", source, "Small.read", World { types, ..bounded(2) });
    let heaps = [&[HeapKind::Lazy, HeapKind::LazierSharp], &SHARING[..]].concat();
    assert_eq!(agreed(&program, "", &heaps), ["0", "1", "2", "3", "4"]);
}

/// What is at an index that is known may be an element that was looked at by another one: that is decided before anything is copied.
#[test]
fn copies_of_elements_at_unknown_indices() {
    let source = "class Small {
        static int copy(Small[] a, Small[] b, int i) {
            if (a.length != 2 || b.length != 2 || a == b || a[i] == null) return 0;
            System.arraycopy(a, 1, b, 0, 1);
            Small[] c = a.clone();
            return b[0] == a[1] && c[1] == a[1] ? 1 : 2;
        }
    }";
    let program = load_small("indices", source, "Small.copy", bounded(2));
    assert_eq!(agreed(&program, "", &HeapKind::ALL), ["0", "1"]);
}

/// Where neither array's class is known, an element that does not fit is decided once.
#[test]
fn copies_between_arrays_of_unknown_classes() {
    let source = "class Small {
        static int copy(Object[] a, Object[] b) {
            if (a == null || b == null || a.length < 1 || b.length < 1) return 0;
            try {
                System.arraycopy(a, 0, b, 0, 1);
                return b[0] == null ? 1 : b[0] instanceof String ? 2 : 3;
            } catch (ArrayStoreException e) {
                return a[0] instanceof String ? 4 : 5;
            }
        }
    }";
    let arrays = ["[Ljava.lang.Object;", "[Ljava.lang.String;"].map(str::to_string).to_vec();
    let types = vec![("[Ljava.lang.Object;".to_string(), arrays)];
    let program = load_small("copies", source, "Small.copy", World { types, ..bounded(1) });
    assert_eq!(agreed(&program, "", &SHARING), ["0", "1", "2", "3", "5"]);
}

/// The chars of a witness have no sign, wherever they are.
#[test]
fn chars_of_witnesses_have_no_sign() {
    let source = "class Small {
        char f;
        short s;
        static int of(char c, char[] a, Small o) {
            boolean there = a != null && a.length > 1 && o != null;
            return there && c == 65535 && a[1] == 65534 && o.f == 65533 && o.s == -1 ? 1 : 0;
        }
    }";
    let program = load_small("chars", source, "Small.of", bounded(4));
    for heap in HeapKind::ALL {
        let run = run(&program, &Config { heap, detail: TraceDetail::Full, ..Config::default() }, "chars");
        let facts = run.traces.iter().filter_map(|trace| trace.detail.as_ref());
        let facts = facts.filter(|facts| facts.value.as_deref() == Some("1")).collect::<Vec<_>>();
        let [facts] = facts[..] else { panic!("{heap}: {} traces", facts.len()) };
        let shown = facts.witness.as_ref().expect("it has one").show(&program).join("\n");
        for part in ["c = 65535", "[1] = 65534", "f = 65533", "s = -1"] {
            assert!(shown.contains(part), "{heap}: {part} is not in\n{shown}");
        }
    }
}
