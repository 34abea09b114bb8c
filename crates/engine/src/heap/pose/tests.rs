//! The operations of POSE.

use lazuli_logic::Term;
use lazuli_program::Program;
use lazuli_program::ir::Type;

use super::{Columns, Log, Pose};
use crate::config::HeapKind;
use crate::context::Told;
use crate::heap::testing::{Bench, program};
use crate::heap::{Elements, Found};
use crate::outcome::NULL_POINTER;

fn bench(program: &Program) -> Bench<'_, Pose<Columns>> {
    Bench::new(program, HeapKind::PoseIte, Pose::default())
}

#[test]
fn a_reference_stays_the_symbol_that_it_is() {
    let program = program();
    let mut bench = bench(&program);
    let (a, b) = (bench.input("a"), bench.input("b"));
    let cases = bench.touch(a);
    assert_eq!(bench.first(cases), a);
    let cases = bench.same(a, b);
    let equal = bench.first(cases);
    assert_eq!(bench.cx.show(equal), "a == b");
}

#[test]
fn an_access_throws_where_the_object_is_null_but_the_receiver_never_is() {
    let program = program();
    let mut bench = bench(&program);
    let (this, a, v) = (bench.receiver(), bench.input("a"), bench.v);
    assert_eq!(bench.get(this, v).list.len(), 1);
    let cases = bench.get(a, v);
    let [fine, throws] = cases.list.as_slice() else { panic!("two cases") };
    assert_eq!(throws.found, Some(Found::Throw(NULL_POINTER)));
    assert_eq!(bench.cx.terms.not(throws.guard), fine.guard);
}

/// The second symbol has the value of the first where they are equal, and a name of its own elsewhere.
#[test]
fn aliasing_lives_in_terms() {
    let program = program();
    let mut bench = bench(&program);
    let (a, b, v) = (bench.input("a"), bench.input("b"), bench.v);
    let cases = bench.get(a, v);
    let first = bench.first(cases);
    assert_eq!(bench.cx.show(first), "a.v");
    let two = bench.int(2);
    let cases = bench.put(a, v, two);
    bench.take(cases, 0);
    let cases = bench.get(b, v);
    let value = bench.first(cases);
    let equal = bench.cx.terms.eq(a, b);
    let symbol = bench.cx.terms.as_symbol(b).expect("an input");
    let own = bench.cx.field_symbol(symbol, v);
    assert_eq!(value, bench.cx.terms.ite(equal, two, own));
}

#[test]
fn a_write_goes_to_every_object_that_is_meant() {
    let program = program();
    let mut bench = bench(&program);
    let (a, v, own) = (bench.input("a"), bench.v, bench.alloc());
    let condition = bench.cx.root_symbol("c", Type::Bool);
    let either = bench.cx.terms.ite(condition, a, own);
    let (one, two) = (bench.int(1), bench.int(2));
    for (object, value) in [(a, one), (own, one), (either, two)] {
        let cases = bench.put(object, v, value);
        bench.take(cases, 0);
    }
    let not = bench.cx.terms.not(condition);
    for (object, meant) in [(a, condition), (own, not)] {
        let cases = bench.get(object, v);
        let value = bench.first(cases);
        assert_eq!(value, bench.cx.terms.ite(meant, two, one));
    }
    assert_eq!(bench.model.input_symbol(&bench.cx, &bench.heap, own), None);
}

/// What somebody who listens knows of a reference needs no case.
#[test]
fn what_is_known_of_a_reference_is_used() {
    let program = program();
    let mut bench = bench(&program);
    let (a, b, c, v) = (bench.input("a"), bench.input("b"), bench.input("c"), bench.v);
    let cases = bench.get(a, v);
    let name = bench.first(cases);
    bench.listen(&[(a, Told::Object(a)), (b, Told::Object(a)), (c, Told::Null)]);
    let cases = bench.get(b, v);
    assert_eq!(cases.list.len(), 1);
    assert_eq!(bench.first(cases), name);
    let cases = bench.get(c, v);
    assert_eq!((cases.list.len(), bench.take(cases, 0)), (1, Some(Found::Throw(NULL_POINTER))));
    let cases = bench.same(a, b);
    assert_eq!(bench.first(cases), Term::TRUE);
}

/// A reference in a field is loaded for sure only if its holder is not null.
#[test]
fn loads_are_told() {
    let program = program();
    let mut bench = bench(&program);
    let (this, a, next) = (bench.receiver(), bench.input("a"), bench.next);
    let told = bench.listen(&[]);
    bench.get(this, next);
    bench.get(a, next);
    let either = "ite(a == this, this.next, a.next) perhaps";
    assert_eq!(*told.borrow(), ["this", "this.next", "a", either]);
}

fn functions(program: &Program) -> Bench<'_, Pose<Log>> {
    Bench::new(program, HeapKind::Pose, Pose::default())
}

/// Initial values are applications: reading alone builds no choice.
#[test]
fn reading_builds_no_choice_over_functions() {
    let program = program();
    let mut bench = functions(&program);
    let (a, b, next) = (bench.input("a"), bench.input("b"), bench.next);
    for (object, name) in [(a, "a.next"), (b, "b.next")] {
        let cases = bench.get(object, next);
        let value = bench.first(cases);
        assert_eq!(bench.cx.show(value), name);
        let symbol = bench.cx.terms.as_symbol(value).expect("an initial value is a symbol");
        assert!(bench.cx.terms.application(symbol).is_some());
    }
}

/// The newest write comes first, one through the same reference is the only one, and what was read before is the bottom.
#[test]
fn a_read_goes_through_the_log_from_the_newest_write() {
    let program = program();
    let mut bench = functions(&program);
    let (a, b, c, v) = (bench.input("a"), bench.input("b"), bench.input("c"), bench.v);
    let [one, two, three] = [1, 2, 3].map(|value| bench.int(value));
    for (object, value) in [(a, one), (b, two), (a, three)] {
        let cases = bench.put(object, v, value);
        bench.take(cases, 0);
    }
    let cases = bench.get(a, v);
    assert_eq!(bench.first(cases), three);
    let cases = bench.get(c, v);
    let value = bench.first(cases);
    assert_eq!(bench.cx.show(value), "ite(a == c, 3, ite(b == c, 2, c.v))");
    let cases = bench.get(b, v);
    let value = bench.first(cases);
    assert_eq!(bench.cx.show(value), "ite(a == b, 3, 2)");
}
