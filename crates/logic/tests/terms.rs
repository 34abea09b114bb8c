//! The smart constructors and the evaluation of terms, against naive evaluation of the tree that was meant.

mod common;

use common::{Tape, Tree, Universe, config, plain_bit_op, tape};
use lazuli_logic::{BitOp, Node, Sort, Term, Value, apply_bits};
use proptest::prelude::*;

const WIDTHS: [u8; 5] = [1, 8, 16, 32, 64];

fn everything() -> Universe {
    Universe::new(3, 3, &WIDTHS, 2, 5)
}

/// Builds a tree of a sort and compares the two meanings under a few models.
fn compare(universe: &mut Universe, tree: &Tree, models: &mut Tape) -> Result<Term, TestCaseError> {
    let term = tree.build(&mut universe.terms);
    for _ in 0..6 {
        let model = universe.model(models);
        let (meant, have) = (tree.eval(&universe.terms, &model), universe.terms.eval(term, &model));
        prop_assert_eq!(Some(meant), have, "{:?} became {}", tree, universe.terms.show(term));
    }
    Ok(term)
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn conditions_keep_their_meaning(numbers in tape(120), models in tape(200)) {
        let mut universe = everything();
        let tree = Tree::of(&universe, &mut Tape::new(&numbers), Sort::Bool, 4);
        compare(&mut universe, &tree, &mut Tape::new(&models))?;
    }

    #[test]
    fn integers_keep_their_meaning(numbers in tape(80), models in tape(100)) {
        let mut universe = Universe::new(3, 2, &[], 0, 2);
        let tree = Tree::of(&universe, &mut Tape::new(&numbers), Sort::Int, 5);
        compare(&mut universe, &tree, &mut Tape::new(&models))?;
    }

    #[test]
    fn words_keep_their_meaning(numbers in tape(80), models in tape(200), which in 0..5usize) {
        let mut universe = everything();
        let tree = Tree::of(&universe, &mut Tape::new(&numbers), Sort::Bits(WIDTHS[which]), 4);
        compare(&mut universe, &tree, &mut Tape::new(&models))?;
    }

    #[test]
    fn references_keep_their_meaning_and_leaves_partition_them(numbers in tape(100), models in tape(200)) {
        let mut universe = everything();
        let tree = Tree::of(&universe, &mut Tape::new(&numbers), Sort::Ref, 5);
        let term = compare(&mut universe, &tree, &mut Tape::new(&models))?;
        let leaves = universe.terms.leaves(term);
        let mut models = Tape::new(&models);
        for _ in 0..6 {
            let model = universe.model(&mut models);
            let taken: Vec<Term> =
                leaves.iter().filter(|(_, guard)| universe.terms.holds(*guard, &model)).map(|l| l.0).collect();
            prop_assert_eq!(taken.len(), 1, "the guards are exclusive and exhaustive");
            prop_assert_eq!(universe.terms.eval(taken[0], &model), universe.terms.eval(term, &model));
        }
        let mut distinct: Vec<Term> = leaves.iter().map(|l| l.0).collect();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), leaves.len(), "every leaf occurs once");
    }

    #[test]
    fn bit_operations_are_those_of_smt_lib(numbers in tape(20), which in 0..5usize) {
        let width = WIDTHS[which];
        let mut tape = Tape::new(&numbers);
        let (a, b) = (tape.bits(width), tape.bits(width));
        for op in BitOp::ALL {
            let have = apply_bits(op, width, a, b);
            let have = if op.is_comparison() { Value::Bool(have == 1) } else { Value::Bits(have) };
            prop_assert_eq!(have, plain_bit_op(op, width, a, b), "{:?} at {} of {} and {}", op, width, a, b);
        }
    }
}

#[test]
fn an_order_and_its_converse_are_one_atom() {
    let mut universe = Universe::new(2, 0, &[], 0, 0);
    let (x, y) = (universe.ints[0], universe.ints[1]);
    let less = universe.terms.lt(x, y);
    let converse = universe.terms.le(y, x);
    assert_eq!(universe.terms.not(less), converse);
}

#[test]
fn coefficients_that_overflow_are_kept_apart_and_keep_their_meaning() {
    let mut universe = Universe::new(1, 0, &[], 0, 0);
    let terms = &mut universe.terms;
    let x = universe.ints[0];
    let large = terms.int(i64::MAX);
    let once = terms.add(x, large);
    let twice = terms.add(once, large);
    assert!(matches!(terms.node(twice), Some(Node::WideAdd(..))));
    let mut model = lazuli_logic::Model::default();
    model.set(terms.as_symbol(x).unwrap(), Value::Int(-5));
    assert_eq!(terms.eval(twice, &model), Some(Value::Int(2 * i64::MAX as i128 - 5)));
    let back = terms.sub(twice, large);
    assert_eq!(terms.eval(back, &model), Some(Value::Int(i64::MAX as i128 - 5)));
}

#[test]
fn locations_equal_nothing_but_themselves() {
    let mut universe = Universe::new(0, 0, &[], 0, 1);
    let (r, terms) = (universe.refs[0], &mut universe.terms);
    assert_eq!(terms.eq(Term::location(1), Term::location(1)), Term::TRUE);
    assert_eq!(terms.eq(Term::location(1), Term::location(2)), Term::FALSE);
    assert_eq!(terms.eq(Term::location(1), Term::NULL), Term::FALSE);
    assert_eq!(terms.eq(r, Term::location(1)), Term::FALSE);
}
