//! Products, quotients and remainders: the normal form of polynomials against plain evaluation, divisions by constants
//! against plain evaluation and Z3, at the widths of Java and at the edges.

use crate::random::{Tape, Tree, Universe, config, plain_bit_op, tape};
use lazuli_logic::solver::backend::{Answer, Backend};
use lazuli_logic::solver::bits::Bits;
use lazuli_logic::solver::z3::Z3;
use lazuli_logic::{BitOp, Sort, Term, Terms, Value};
use proptest::prelude::*;

const WIDTHS: [u8; 4] = [8, 16, 32, 64];
const EFFORT: u64 = 20_000;
const DIVISIONS: [BitOp; 4] = [BitOp::SDiv, BitOp::SRem, BitOp::UDiv, BitOp::URem];

fn bit(op: BitOp, width: u8, a: &Tree, b: &Tree) -> Tree {
    Tree::Bit(op, width, Box::new(a.clone()), Box::new(b.clone()))
}

/// Two ways to write one number, if all operands are the same.
fn pair(tape: &mut Tape, width: u8, [p, q, r]: [&Tree; 3]) -> (Tree, Tree) {
    use BitOp::*;
    let op = |op: BitOp, a: &Tree, b: &Tree| bit(op, width, a, b);
    let (pr, qr) = (op(Mul, p, r), op(Mul, q, r));
    match tape.below(6) {
        0 => (op(Mul, &op(Add, p, q), r), op(Add, &qr, &pr)),
        1 => (op(Mul, &op(Add, p, q), &op(Sub, p, q)), op(Sub, &op(Mul, p, p), &op(Mul, q, q))),
        2 => (op(Add, &op(Mul, &op(SDiv, p, q), q), &op(SRem, p, q)), p.clone()),
        3 => (op(Sub, p, &op(URem, p, q)), op(Mul, q, &op(UDiv, p, q))),
        4 => (Tree::BitNot(width, Box::new(op(Sub, p, q))), op(Sub, &op(Sub, q, p), &Tree::Bits(width, 1))),
        // The lowest bits of a wider product.
        _ => {
            let wide = |t: &Tree| Box::new(Tree::Extend(true, width, 64, Box::new(t.clone())));
            let product = Tree::Bit(Mul, 64, wide(p), wide(q));
            let low = if width == 64 { op(Mul, p, q) } else { Tree::Extract(width - 1, 0, Box::new(product)) };
            (low, op(Mul, q, p))
        }
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn comparisons_of_polynomials_keep_their_meaning(numbers in tape(120), models in tape(100), which in 0..4usize) {
        let width = WIDTHS[which];
        let mut universe = Universe::new(0, 1, &[width], 3, 0);
        universe.ops = [&DIVISIONS[..], &[BitOp::Add, BitOp::Sub, BitOp::Mul, BitOp::Shl, BitOp::Xor]].concat();
        let mut tape = Tape::new(&numbers);
        let operands = [0; 3].map(|_| Tree::of(&universe, &mut tape, Sort::Bits(width), 2));
        let (a, b) = pair(&mut tape, width, [&operands[0], &operands[1], &operands[2]]);
        // Now and then they differ, by a constant or by more.
        let b = match tape.below(3) {
            0 => b,
            1 => bit(BitOp::Add, width, &b, &Tree::Bits(width, tape.bits(width))),
            _ => bit(BitOp::Add, width, &b, &operands[2]),
        };
        for tree in [Tree::Eq(Box::new(a.clone()), Box::new(b.clone())), bit(BitOp::SLt, width, &a, &b)] {
            let term = tree.build(&mut universe.terms);
            let mut models = Tape::new(&models);
            for _ in 0..6 {
                let model = universe.model(&mut models);
                let (meant, have) = (tree.eval(&universe.terms, &model), universe.terms.eval(term, &model));
                prop_assert_eq!(Some(meant), have, "{:?} became {}", tree, universe.terms.show(term));
            }
        }
    }
}

/// Three symbols of a width, and some terms of them.
fn symbols(terms: &mut Terms, width: u8) -> [Tree; 3] {
    ["a", "b", "c"].map(|name| Tree::Symbol(terms.root(name, Sort::Bits(width))))
}

#[test]
fn identities_need_no_solver() {
    use BitOp::*;
    for width in WIDTHS {
        let mut terms = Terms::new();
        let [a, b, c] = symbols(&mut terms, width);
        let op = |op: BitOp, a: &Tree, b: &Tree| bit(op, width, a, b);
        let number = |value: u64| Tree::Bits(width, value);
        let sum = op(Add, &a, &b);
        let twice = op(Mul, &number(2), &op(Mul, &a, &b));
        let square = op(Add, &op(Add, &op(Mul, &a, &a), &twice), &op(Mul, &b, &b));
        let (hours, minutes) = (op(SDiv, &a, &number(60)), op(SDiv, &op(SRem, &a, &number(60)), &number(10)));
        let clock = op(Add, &op(Mul, &hours, &number(60)), &op(Mul, &minutes, &number(10)));
        let identities = [
            (op(Mul, &sum, &sum), square),
            (op(Mul, &op(Mul, &a, &b), &c), op(Mul, &c, &op(Mul, &b, &a))),
            (op(Add, &op(Mul, &op(SDiv, &a, &number(10)), &number(10)), &op(SRem, &a, &number(10))), a.clone()),
            (op(Add, &op(Mul, &op(UDiv, &a, &b), &b), &op(URem, &a, &b)), a.clone()),
            (op(Add, &clock, &op(SRem, &a, &number(10))), a.clone()),
            (op(Mul, &op(SDiv, &op(SDiv, &a, &number(3)), &number(7)), &b), op(Mul, &b, &op(SDiv, &a, &number(21)))),
        ];
        for (left, right) in identities {
            let (left, right) = (left.build(&mut terms), right.build(&mut terms));
            let shown = terms.show(left);
            assert_eq!(terms.eq(left, right), Term::TRUE, "{shown} at {width}");
            assert_eq!(terms.bit_op(SLt, left, right), Term::FALSE, "{shown} at {width}");
            let one = terms.bits(width, 1);
            let more = terms.bit_op(Add, right, one);
            assert_eq!(terms.eq(left, more), Term::FALSE, "{shown} at {width}");
        }
        // What is no identity stays open.
        let (left, right) = (op(Mul, &a, &a), op(Mul, &b, &b));
        let (left, right) = (left.build(&mut terms), right.build(&mut terms));
        assert!(terms.eq(left, right).as_bool().is_none());
    }
}

/// A sum of many products is more than anybody expands, and is left as it is.
#[test]
fn large_polynomials_are_left_as_they_are() {
    let mut terms = Terms::new();
    let mut product = terms.bits(32, 1);
    for i in 0..40 {
        let (x, y) = (terms.root(&format!("x{i}"), Sort::Bits(32)), terms.root(&format!("y{i}"), Sort::Bits(32)));
        let sum = terms.bit_op(BitOp::Add, x, y);
        product = terms.bit_op(BitOp::Mul, product, sum);
    }
    let x = terms.root("x0", Sort::Bits(32));
    let other = terms.bit_op(BitOp::Mul, product, x);
    assert!(terms.eq(product, other).as_bool().is_none());
}

/// What the solver takes an operation on `x` to be where `x` has a value; no other result is possible.
fn is_the_result(terms: &mut Terms, bits: &mut Bits, (x, result): (Term, Term), (value, right): (u64, u64)) {
    let Sort::Bits(width) = terms.sort(x) else { unreachable!("a word") };
    let (value, right) = (terms.bits(width, value), terms.bits(width, right));
    let (input, output) = (terms.eq(x, value), terms.eq(result, right));
    let other = terms.not(output);
    assert!(matches!(bits.check(terms, &[input, output]), Answer::Sat(_)), "{}", terms.show(output));
    assert!(matches!(bits.check(terms, &[input, other]), Answer::Unsat), "{}", terms.show(output));
}

/// All divisors and all dividends of five bits: zero, the smallest number and -1 are among them.
#[test]
fn divisions_by_every_constant() {
    let width = 5;
    for divisor in 0..1 << width {
        let mut terms = Terms::new();
        let x = terms.root("x", Sort::Bits(width));
        let constant = terms.bits(width, divisor);
        let results = DIVISIONS.map(|op| (op, terms.bit_op(op, x, constant)));
        let mut bits = Bits::new(EFFORT);
        for value in 0..1 << width {
            for (op, result) in results {
                let Value::Bits(right) = plain_bit_op(op, width, value, divisor) else { unreachable!("a word") };
                is_the_result(&mut terms, &mut bits, (x, result), (value, right));
            }
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn divisions_by_constants_at_the_widths_of_java(numbers in tape(12), which in 0..4usize) {
        let width = WIDTHS[which];
        let mut tape = Tape::new(&numbers);
        let (value, divisor) = (tape.bits(width), tape.bits(width));
        let mut terms = Terms::new();
        let x = terms.root("x", Sort::Bits(width));
        let constant = terms.bits(width, divisor);
        let mut bits = Bits::new(EFFORT);
        for op in DIVISIONS {
            let result = terms.bit_op(op, x, constant);
            let Value::Bits(right) = plain_bit_op(op, width, value, divisor) else { unreachable!("a word") };
            is_the_result(&mut terms, &mut bits, (x, result), (value, right));
        }
    }

    /// Quotients and remainders of unknown numbers in one condition, against Z3.
    #[test]
    fn conditions_on_divisions_agree_with_z3(numbers in tape(40)) {
        let mut tape = Tape::new(&numbers);
        let (mut terms, width) = (Terms::new(), 8);
        let words = ["x", "y"].map(|name| terms.root(name, Sort::Bits(width)));
        let clauses: Vec<Term> = (0..3)
            .map(|_| {
                let divisor = if tape.below(3) == 0 { words[1] } else { terms.bits(width, tape.bits(width)) };
                let result = terms.bit_op(tape.pick(&DIVISIONS), words[tape.below(2)], divisor);
                let other = if tape.flip() { words[1] } else { terms.bits(width, tape.bits(width)) };
                if tape.flip() { terms.eq(result, other) } else { terms.bit_op(BitOp::SLt, other, result) }
            })
            .filter(|clause| clause.as_bool().is_none())
            .collect();
        let is_sat = |answer: Answer| match answer {
            Answer::Sat(model) => {
                assert!(clauses.iter().all(|clause| terms.holds(*clause, &model)));
                true
            }
            Answer::Unsat => false,
            Answer::Unknown(reason) => panic!("{reason}"),
        };
        let (ours, theirs) = (Bits::new(EFFORT).check(&terms, &clauses), Z3::new(EFFORT).check(&terms, &clauses));
        prop_assert_eq!(is_sat(ours), is_sat(theirs));
    }
}

/// What a divider step by step does not show within any reasonable effort.
#[test]
fn facts_about_remainders_are_quickly_found() {
    for width in [32, 64] {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.root(name, Sort::Bits(width)));
        let (zero, seven) = (terms.bits(width, 0), terms.bits(width, 7));
        let (a_is_negative, b_is_positive) = (terms.bit_op(BitOp::SLt, a, zero), terms.bit_op(BitOp::SLt, zero, b));
        let a_is_not = terms.not(a_is_negative);
        let (remainder, quotient) = (terms.bit_op(BitOp::SRem, a, b), terms.bit_op(BitOp::SDiv, a, seven));
        let is_below = terms.bit_op(BitOp::SLt, remainder, b);
        let not_below = terms.not(is_below);
        let grows = terms.bit_op(BitOp::SLt, a, quotient);
        for claim in [vec![a_is_not, b_is_positive, not_below], vec![a_is_not, grows]] {
            assert!(matches!(Bits::new(2_000).check(&terms, &claim), Answer::Unsat), "at {width}");
        }
    }
}
