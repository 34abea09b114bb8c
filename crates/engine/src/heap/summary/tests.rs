//! The operations of `summary` and `uber-lazy`.

use lazuli_logic::{Model, RefValue, Term, Value};
use lazuli_program::Program;

use super::Summary;
use crate::config::HeapKind;
use crate::heap::Found;
use crate::heap::testing::{Bench, program};
use crate::outcome::NULL_POINTER;

fn bench(program: &Program) -> Bench<'_, Summary> {
    Bench::new(program, HeapKind::Summary, Summary::new(false))
}

#[test]
fn an_input_is_a_set_and_nothing_forks() {
    let program = program();
    let mut bench = bench(&program);
    let (a, b) = (bench.input("a"), bench.input("b"));
    for (input, leaves) in
        [(a, vec![Term::NULL, Term::location(0)]), (b, vec![Term::NULL, Term::location(0), Term::location(1)])]
    {
        let cases = bench.touch(input);
        assert_eq!(cases.list.len(), 1);
        let set = bench.first(cases);
        assert_eq!(bench.cx.terms.leaves(set).iter().map(|(leaf, _)| *leaf).collect::<Vec<_>>(), leaves);
    }
}

#[test]
fn uber_lazy_forks_on_null_once() {
    let program = program();
    let mut bench = Bench::new(&program, HeapKind::UberLazy, Summary::new(true));
    let a = bench.input("a");
    let cases = bench.touch(a);
    let found: Vec<_> = cases.list.iter().map(|case| case.found).collect();
    assert_eq!((found.len(), found[0]), (2, Some(Found::Value(Term::NULL))));
    assert_eq!(bench.touch(a).list.len(), 1);
}

/// The object may be null: there the access throws, and the guards exclude each other.
#[test]
fn an_access_through_a_set_throws_where_it_is_null() {
    let program = program();
    let mut bench = bench(&program);
    let (a, v) = (bench.input("a"), bench.v);
    let cases = bench.get(a, v);
    let [fine, throws] = cases.list.as_slice() else { panic!("two cases") };
    assert_eq!(throws.found, Some(Found::Throw(NULL_POINTER)));
    assert_eq!(bench.cx.terms.not(throws.guard), fine.guard);
}

#[test]
fn a_write_is_seen_where_the_references_are_equal() {
    let program = program();
    let mut bench = bench(&program);
    let (a, b, v) = (bench.input("a"), bench.input("b"), bench.v);
    for input in [a, b] {
        let (cases, value) = (bench.get(input, v), bench.int(7));
        bench.take(cases, 0);
        let cases = bench.put(input, v, value);
        bench.take(cases, 0);
    }
    let two = bench.int(2);
    let cases = bench.put(b, v, two);
    bench.take(cases, 0);
    let cases = bench.get(a, v);
    let value = bench.first(cases);
    let [x, y] = [a, b].map(|input| bench.cx.terms.as_symbol(input).expect("an input"));
    for (denoted, expected) in [(x, 2), (y, 7)] {
        let mut model = Model::default();
        model.set(x, Value::Ref(RefValue::Input(x)));
        model.set(y, Value::Ref(RefValue::Input(denoted)));
        assert_eq!(bench.cx.terms.eval(value, &model), Some(Value::Int(expected)));
    }
}

/// One that is initialised for several objects at once is told with all of them.
#[test]
fn sets_are_told_with_their_holders() {
    let program = program();
    let mut bench = bench(&program);
    let told = bench.listen(&[]);
    let (a, b, next) = (bench.input("a"), bench.input("b"), bench.next);
    for input in [a, b] {
        bench.touch(input);
    }
    bench.get(b, next);
    let told = told.borrow();
    assert_eq!(told[..2], ["a at input a where true", "b at input b where true"]);
    assert!(told[2].contains("at one of 2, .next where "), "{}", told[2]);
    assert_eq!(told.len(), 3);
}
