//! The smart constructors and the evaluation of terms, against naive evaluation of the tree that was meant.

use crate::random::{Tape, Tree, Universe, config, plain_bit_op, tape};
use lazuli_logic::{BitOp, Conversion, FloatOp, Model, Node, Sort, Term, Terms, Value, apply_bits};
use proptest::prelude::*;

const WIDTHS: [u8; 5] = [1, 8, 16, 32, 64];

fn everything() -> Universe {
    Universe::new(3, 3, &WIDTHS, 2, 5).with_own()
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

    /// Few symbols and narrow words, so that operands meet themselves and constants meet bounds; under all models.
    #[test]
    fn narrow_words_keep_their_meaning_under_every_model(numbers in tape(60), which in 0..3usize) {
        let mut universe = Universe::new(0, 1, &[1, 3, 4], 1, 0);
        let sort = [Sort::Bool, Sort::Bits(3), Sort::Bits(4)][which];
        let tree = Tree::of(&universe, &mut Tape::new(&numbers), sort, 4);
        let term = tree.build(&mut universe.terms);
        let symbols = [universe.bools[0], universe.words[0].1[0], universe.words[1].1[0], universe.words[2].1[0]]
            .map(|t| universe.symbol(t));
        for number in 0..2 * 2 * 8 * 16u64 {
            let mut model = Model::default();
            model.set(symbols[0], Value::Bool(number & 1 == 1));
            model.set(symbols[1], Value::Bits(number >> 1 & 1));
            model.set(symbols[2], Value::Bits(number >> 2 & 7));
            model.set(symbols[3], Value::Bits(number >> 5));
            let (meant, have) = (tree.eval(&universe.terms, &model), universe.terms.eval(term, &model));
            prop_assert_eq!(Some(meant), have, "{:?} became {} ({:?})", tree, universe.terms.show(term), model);
        }
    }

    /// Two comparisons of one operand with constants, joined: what loops and three-way comparisons leave behind.
    #[test]
    fn joined_comparisons_keep_their_meaning(numbers in tape(30)) {
        let mut universe = Universe::new(0, 0, &[3], 2, 0);
        let mut tape = Tape::new(&numbers);
        let (x, y) = (universe.words[0].1[0], universe.words[0].1[1]);
        let leaf = |tape: &mut Tape| match tape.below(3) {
            0 => Tree::Symbol(y),
            _ => Tree::Bits(3, tape.below(8) as u64),
        };
        let literal = |tape: &mut Tape| {
            let (a, b) = (Box::new(Tree::Symbol(x)), Box::new(leaf(tape)));
            let (a, b) = if tape.flip() { (a, b) } else { (b, a) };
            let atom = if tape.flip() { Tree::Eq(a, b) } else { Tree::Bit(BitOp::SLt, 3, a, b) };
            if tape.flip() { Tree::Not(Box::new(atom)) } else { atom }
        };
        let parts = vec![literal(&mut tape), literal(&mut tape)];
        for tree in [Tree::And(parts.clone()), Tree::Or(parts)] {
            let term = tree.build(&mut universe.terms);
            for number in 0..64u64 {
                let mut model = Model::default();
                model.set(universe.symbol(x), Value::Bits(number & 7));
                model.set(universe.symbol(y), Value::Bits(number >> 3));
                let (meant, have) = (tree.eval(&universe.terms, &model), universe.terms.eval(term, &model));
                prop_assert_eq!(Some(meant), have, "{:?} became {}", tree, universe.terms.show(term));
            }
        }
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

/// Comparisons of a quotient with a constant need no division, and what is left over by it is a remainder: for every number, divisor and
/// constant of five bits.
#[test]
fn quotients_keep_their_meaning() {
    const WIDTH: u8 = 5;
    let mut terms = Terms::new();
    let x = terms.root("x", Sort::Bits(WIDTH));
    for c in 0..32 {
        let divisor = terms.bits(WIDTH, c);
        let quotient = terms.bit_op(BitOp::SDiv, x, divisor);
        let product = terms.bit_op(BitOp::Mul, quotient, divisor);
        let rest = [terms.bit_op(BitOp::Sub, x, product), terms.bit_op(BitOp::Sub, product, x)];
        let bounds: Vec<(u64, Term, Term)> = (0..32)
            .map(|k| {
                let bound = terms.bits(WIDTH, k);
                (k, terms.bit_op(BitOp::SLt, quotient, bound), terms.bit_op(BitOp::SLt, bound, quotient))
            })
            .collect();
        let divides = |term: Term| terms.show(term).contains('/');
        // Those by a positive number.
        assert!(!(1..16).contains(&c) || bounds.iter().all(|(_, below, above)| !divides(*below) && !divides(*above)));
        for value in 0..32 {
            let mut model = Model::default();
            model.set(terms.as_symbol(x).expect("a symbol"), Value::Bits(value));
            let found = apply_bits(BitOp::SDiv, WIDTH, value, c);
            let times = apply_bits(BitOp::Mul, WIDTH, found, c);
            for (term, (a, b)) in rest.iter().zip([(value, times), (times, value)]) {
                let expected = Value::Bits(apply_bits(BitOp::Sub, WIDTH, a, b));
                assert_eq!(terms.eval(*term, &model), Some(expected), "{value} and {c}: {}", terms.show(*term));
            }
            for (k, below, above) in &bounds {
                for (term, (a, b)) in [(below, (found, *k)), (above, (*k, found))] {
                    let expected = Value::Bool(apply_bits(BitOp::SLt, WIDTH, a, b) == 1);
                    assert_eq!(terms.eval(*term, &model), Some(expected), "{value}, {c}, {k}: {}", terms.show(*term));
                }
            }
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

/// A constant is one word, whatever way it was made, and concrete execution at 32 and 64 bits fills no pool.
#[test]
fn constants_of_every_width_are_equal_words_and_small_ones_need_no_pool() {
    let mut terms = Terms::new();
    for width in 1..=64u8 {
        let mask = u64::MAX >> (64 - width);
        let top = 1u64 << (width - 1);
        for value in
            [0, 1, 2, top, top - 1, top + 1, mask, mask - 1, 1 << 54, (1 << 54) - 1, 1 << 53, 0xdead_beef_dead_beef]
        {
            let made = terms.bits(width, value);
            assert_eq!(terms.as_bits(made), Some((width, value & mask)));
            assert_eq!(terms.sort(made), Sort::Bits(width));
            assert_eq!(made, terms.bits(width, value & mask));
            let signed = ((value << (64 - width)) as i64) >> (64 - width);
            let small = (-(1i64 << 54)..1 << 54).contains(&signed);
            assert_eq!(made.index().is_none(), small, "{value} of {width} bits");
        }
    }
}

// ---- what the bytecode of Java makes of conditions ----

fn two(sort: Sort) -> (Terms, Term, Term) {
    let mut terms = Terms::new();
    let (x, y) = (terms.root("x", sort), terms.root("y", sort));
    (terms, x, y)
}

/// −1, 0 or 1, as a three-way comparison gives it.
fn three_way(terms: &mut Terms, less: Term, equal: Term) -> Term {
    let [minus, zero, plus] = [u64::MAX, 0, 1].map(|c| terms.bits(32, c));
    let rest = terms.ite(equal, zero, plus);
    terms.ite(less, minus, rest)
}

/// The six comparisons of `term` with 0: `<`, `<=`, `==`, `!=`, `>=`, `>`.
fn six(terms: &mut Terms, term: Term) -> [Term; 6] {
    let zero = terms.bits(32, 0);
    let (less, greater) = (terms.bit_op(BitOp::SLt, term, zero), terms.bit_op(BitOp::SLt, zero, term));
    let equal = terms.eq(term, zero);
    [less, terms.not(greater), equal, terms.not(equal), terms.not(less), greater]
}

#[test]
fn a_three_way_comparison_with_zero_is_the_comparison_itself() {
    let (mut terms, x, y) = two(Sort::Bits(64));
    let five = terms.bits(64, 5);
    for (a, b) in [(x, y), (y, x), (x, five), (five, x)] {
        let (less, equal, greater) = (terms.bit_op(BitOp::SLt, a, b), terms.eq(a, b), terms.bit_op(BitOp::SLt, b, a));
        let compared = three_way(&mut terms, less, equal);
        let (at_most, different, at_least) = (terms.not(greater), terms.not(equal), terms.not(less));
        assert_eq!(six(&mut terms, compared), [less, at_most, equal, different, at_least, greater]);
    }
}

#[test]
fn a_three_way_comparison_of_numbers_with_nan_is_the_comparison_itself() {
    let (mut terms, x, y) = two(Sort::Float(64));
    let (less, equal, at_most) =
        (terms.float_op(FloatOp::Lt, x, y), terms.float_op(FloatOp::Eq, x, y), terms.float_op(FloatOp::Le, x, y));
    // NaN counts as greater.
    let compared = three_way(&mut terms, less, equal);
    let [different, at_least, greater] = [equal, less, at_most].map(|t| terms.not(t));
    assert_eq!(six(&mut terms, compared), [less, at_most, equal, different, at_least, greater]);
}

#[test]
fn a_truth_value_as_a_number_is_the_condition_again() {
    let mut terms = Terms::new();
    let (c, d) = (terms.root("c", Sort::Bool), terms.root("d", Sort::Bool));
    let [zero, one] = [0, 1].map(|n| terms.bits(32, n));
    let (a, b) = (terms.ite(c, one, zero), terms.ite(d, one, zero));
    assert_eq!(terms.ne(a, zero), c);
    let flipped = terms.bit_op(BitOp::Xor, a, one);
    let not_c = terms.not(c);
    assert_eq!(terms.ne(flipped, zero), not_c);
    for (op, joined) in [(BitOp::And, terms.and(c, d)), (BitOp::Or, terms.or(c, d))] {
        let number = terms.bit_op(op, a, b);
        assert_eq!(terms.ne(number, zero), joined);
    }
    // As a byte and back.
    let byte = terms.extract(7, 0, a);
    assert_eq!(terms.extend(true, 32, byte), a);
}

#[test]
fn narrow_numbers_survive_their_conversions() {
    let mut terms = Terms::new();
    let (byte, character) = (terms.root("byte", Sort::Bits(8)), terms.root("char", Sort::Bits(16)));
    let (b, c) = (terms.extend(true, 32, byte), terms.extend(false, 32, character));
    for (number, width, signed) in [(b, 8, true), (c, 16, false)] {
        // i2b of a byte, i2c of a character, l2i of i2l.
        let cut = terms.extract(width - 1, 0, number);
        assert_eq!(terms.extend(signed, 32, cut), number);
        let long = terms.extend(true, 64, number);
        assert_eq!(terms.extract(31, 0, long), number);
    }
    let mask = terms.bits(32, 255);
    let unsigned = terms.extend(false, 32, byte);
    assert_eq!(terms.bit_op(BitOp::And, b, mask), unsigned);
    // Out of range either way.
    let [low, high, limit] = [-129i64, 128, 65_536].map(|n| terms.bits(32, n as u64));
    assert_eq!(terms.bit_op(BitOp::SLt, b, high), Term::TRUE);
    assert_eq!(terms.bit_op(BitOp::SLt, b, low), Term::FALSE);
    assert_eq!(terms.eq(c, limit), Term::FALSE);
    let number = terms.convert(Conversion::FromSigned, 64, b);
    assert_eq!(terms.convert(Conversion::ToSigned, 32, number), b);
}

#[test]
fn sums_with_constants_are_solved() {
    let (mut terms, x, y) = two(Sort::Bits(32));
    let [one, two, minus, zero] = [1, 2, u64::MAX, 0].map(|n| terms.bits(32, n));
    let next = terms.bit_op(BitOp::Add, x, one);
    let after = terms.bit_op(BitOp::Add, next, one);
    assert_eq!(terms.bit_op(BitOp::Add, x, two), after);
    assert_eq!(terms.bit_op(BitOp::Sub, after, two), x);
    assert_eq!(terms.show(after), "x + 2");
    let before = terms.bit_op(BitOp::Sub, x, one);
    assert_eq!(terms.show(before), "x - 1");
    let (left, right) = (terms.eq(after, one), terms.eq(x, minus));
    assert_eq!(left, right);
    let difference = terms.bit_op(BitOp::Sub, x, y);
    let (left, right) = (terms.eq(difference, zero), terms.eq(x, y));
    assert_eq!(left, right);
    let flipped = terms.bit_not(x);
    assert_eq!(terms.bit_not(flipped), x);
    let far = terms.bits(32, 40);
    assert_eq!(terms.bit_op(BitOp::LShr, x, far), zero);
    // An index under a mask is in the table.
    let (fifteen, sixteen) = (terms.bits(32, 15), terms.bits(32, 16));
    let index = terms.bit_op(BitOp::And, x, fifteen);
    assert_eq!(terms.bit_op(BitOp::SLt, index, sixteen), Term::TRUE);
    assert_eq!(terms.bit_op(BitOp::SLt, index, zero), Term::FALSE);
}
