//! Bounds on the inputs of Java programs: what an access that fails would have loaded counts for nothing if the failure is caught, and an element
//! of an array counts where it is loaded. The heap models that resolve a reference when it is loaded come to the same flows.

use crate::java;

use std::collections::BTreeSet;

use lazuli::Run;
use lazuli_engine::config::{Bounds, Config, HeapKind, Most, TraceDetail};

use java::run;
use java::small::{arrays, load_small, returned};

const ALIKE: [HeapKind; 5] = [HeapKind::Lazy, HeapKind::UberLazy, HeapKind::Summary, HeapKind::Pose, HeapKind::PoseIte];

/// Explores under the bounds; every model returns what is expected, on the same flows.
fn bounded(name: &str, source: &str, bounds: Bounds, expected: &[&str]) {
    let program = load_small(name, source, "Small.f", arrays());
    let flows = |run: &Run| run.traces.iter().map(|trace| trace.flow).collect::<BTreeSet<_>>();
    let explored = ALIKE.map(|heap| {
        let config = Config { heap, bounds: bounds.clone(), detail: TraceDetail::Full, ..Config::default() };
        run(&program, &config, name)
    });
    for (heap, run) in ALIKE.iter().zip(&explored) {
        assert_eq!(returned(run), expected, "{name} under {heap}");
        assert_eq!(flows(run), flows(&explored[0]), "{name} under {heap}");
    }
}

/// `q.arr` is not there where q is null: nothing is an alias of it, and `p[1].arr` cannot but be p or null.
#[test]
fn aliases_of_what_was_not_loaded() {
    let source = "class Small {
        Small[] arr;
        int f(Small[] p, Small q) {
            try { p = q.arr; } catch (NullPointerException e) { }
            return p[1].arr.length == 0 ? 1 : 2;
        }
    }";
    bounded("not-loaded", source, Bounds { k: Some(1), ..Bounds::default() }, &["2"]);
}

/// Where q is null, p is the only object that there may be.
#[test]
fn objects_that_were_not_loaded() {
    let source = "class Small {
        Small next;
        static int f(Small p, Small q) {
            try { q = q.next.next; } catch (NullPointerException e) { return p.next == null ? 1 : p.next == p ? 2 : 3; }
            return 4;
        }
    }";
    bounded("one-object", source, Bounds { n: vec![Most::of_all(1)], ..Bounds::default() }, &["1", "2", "4"]);
}

/// Whichever array it is in, the element is loaded before `p.next`, and is no alias of it.
#[test]
fn elements_of_arrays_that_may_be_one() {
    let source = "class Small {
        Small next; Small[] arr;
        static int f(Small p, Small q) {
            Small[] other = q.arr;
            Small element = p.arr[0];
            Small next = p.next;
            if (element == null || next == null || element == p || element == q) return 1;
            return element == next ? 2 : 3;
        }
    }";
    bounded("elements", source, Bounds { k: Some(2), ..Bounds::default() }, &["1"]);
}
