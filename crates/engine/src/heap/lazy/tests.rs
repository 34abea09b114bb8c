//! The operations of `lazy`, `lazier` and `lazier#`.

use lazuli_logic::Term;
use lazuli_program::Program;

use super::{Change, Lazy, When};
use crate::config::HeapKind;
use crate::context::Resolution;
use crate::heap::testing::{Bench, program, show};
use crate::heap::{Cases, Enumerating, Found};
use crate::outcome::NULL_POINTER;

fn bench(program: &Program, when: When) -> Bench<'_, Lazy> {
    Bench::new(program, HeapKind::Lazy, Lazy::new(when))
}

/// What the cases resolve a reference to.
fn resolutions(bench: &Bench<Lazy>, cases: &Cases<Change>) -> Vec<Resolution> {
    let resolution = |change| bench.model.resolution(change).expect("a reference is resolved");
    cases.list.iter().map(|case| resolution(case.change.as_ref().expect("a change"))).collect()
}

#[test]
fn a_reference_is_null_an_object_that_was_met_or_a_new_one() {
    let program = program();
    let mut bench = bench(&program, When::Load);
    let (a, b) = (bench.input("a"), bench.input("b"));
    let cases = bench.touch(a);
    assert_eq!(resolutions(&bench, &cases), [Resolution::Null, Resolution::New]);
    bench.take(cases, 1);
    let own = bench.alloc();
    let cases = bench.touch(b);
    // What the program allocated is no input.
    assert_eq!(resolutions(&bench, &cases), [Resolution::Null, Resolution::Object(0), Resolution::New]);
    assert_eq!(own, Term::location(1));
}

#[test]
fn lazier_resolves_what_is_used() {
    let program = program();
    for when in [When::Use, When::UseSharp] {
        let mut bench = bench(&program, when);
        let a = bench.input("a");
        let cases = bench.touch(a);
        assert_eq!(bench.first(cases), a);
        let v = bench.v;
        let cases = bench.get(a, v);
        assert_eq!(resolutions(&bench, &cases), [Resolution::Null, Resolution::New]);
    }
}

#[test]
fn lazier_sharp_learns_no_more_than_it_asks() {
    let program = program();
    let mut bench = bench(&program, When::UseSharp);
    let a = bench.input("a");
    let cases = bench.same(a, Term::NULL);
    assert_eq!(resolutions(&bench, &cases), [Resolution::Null, Resolution::NotNull]);
    assert_eq!(bench.take(cases, 1), Some(Found::Value(Term::FALSE)));
    let v = bench.v;
    let cases = bench.get(a, v);
    assert_eq!(resolutions(&bench, &cases), [Resolution::New]);
}

#[test]
fn a_write_is_seen_through_an_alias() {
    let program = program();
    let mut bench = bench(&program, When::Load);
    let (a, b, v) = (bench.input("a"), bench.input("b"), bench.v);
    for (input, case) in [(a, 1), (b, 1)] {
        let cases = bench.touch(input);
        bench.take(cases, case);
    }
    let two = bench.int(2);
    let cases = bench.put(a, v, two);
    bench.take(cases, 0);
    let cases = bench.get(b, v);
    assert_eq!(bench.first(cases), two);
}

#[test]
fn an_initial_value_has_one_name_and_null_has_none() {
    let program = program();
    let mut bench = bench(&program, When::Load);
    let (this, v, next) = (bench.receiver(), bench.v, bench.next);
    let cases = bench.get(this, v);
    let name = bench.first(cases);
    assert_eq!(bench.cx.show(name), "this.v");
    let cases = bench.get(this, v);
    assert_eq!(bench.first(cases), name);
    let cases = bench.get(this, next);
    let null = bench.first(cases);
    let cases = bench.get(null, v);
    assert_eq!(bench.take(cases, 0), Some(Found::Throw(NULL_POINTER)));
}

/// It is told which reference is resolved, by what holds it.
#[test]
fn a_change_says_what_it_resolves() {
    let program = program();
    let mut bench = bench(&program, When::Load);
    let (this, next, a) = (bench.receiver(), bench.next, bench.input("a"));
    for (cases, text) in [(bench.get(this, next), "? at 0.next"), (bench.touch(a), "a at input a")] {
        let change = cases.list[0].change.as_ref().expect("a change");
        let reference = bench.model.reference(&mut bench.cx, &bench.heap, change);
        assert_eq!(show(&bench.cx, &reference), text);
        assert_eq!((reference.class, reference.object), (bench.class, Some(1)));
    }
}

#[test]
fn the_partial_input_is_without_what_was_written() {
    let program = program();
    let mut bench = bench(&program, When::Load);
    let (this, v, next) = (bench.receiver(), bench.v, bench.next);
    let cases = bench.get(this, next);
    bench.take(cases, 1);
    let cases = bench.get(this, v);
    let name = bench.first(cases);
    let seven = bench.int(7);
    for (field, value) in [(v, seven), (next, Term::NULL)] {
        let cases = bench.put(this, field, value);
        bench.take(cases, 0);
    }
    let resolved = bench.model.all_resolved(&bench.cx, &bench.heap);
    assert_eq!(resolved.iter().map(|r| (r.holder, r.field, r.target)).collect::<Vec<_>>(), [(0, next, Some(0))]);
    bench.heap = bench.model.partial_input(&bench.heap).expect("it enumerates");
    let cases = bench.get(this, v);
    assert_eq!(bench.first(cases), name);
}
