//! The bit-blaster: against exhaustive enumeration where that is possible, against plain evaluation and Z3 elsewhere,
//! and against itself without a past.

use crate::random::{CLASS_NUMBERS, Tape, Tree, Universe, config, plain_bit_op, tape};
use lazuli_logic::solver::backend::{Answer, Backend};
use lazuli_logic::solver::bits::{Bits, understands};
use lazuli_logic::solver::z3::Z3;
use lazuli_logic::{BitOp, Model, Sort, Term, Terms, Value};
use proptest::prelude::*;

const PATIENCE: u64 = 200_000;

/// Whether the answer is "satisfiable"; its model must then satisfy the clauses.
fn verdict(terms: &Terms, clauses: &[Term], answer: Answer) -> bool {
    match answer {
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("no answer: {reason}"),
        Answer::Sat(model) => {
            for clause in clauses {
                assert!(terms.holds(*clause, &model), "{} is false in {model:?}", terms.show(*clause));
            }
            true
        }
    }
}

fn fresh_bits(terms: &Terms, clauses: &[Term]) -> bool {
    assert!(understands(terms, clauses));
    verdict(terms, clauses, Bits::new(PATIENCE).check(terms, clauses))
}

fn fresh_z3(terms: &Terms, clauses: &[Term]) -> bool {
    verdict(terms, clauses, Z3::new(PATIENCE).check(terms, clauses))
}

/// All operations at a width on two given operands: the result is the only one that the solver accepts.
fn operations_at(width: u8, a: u64, b: u64) {
    let mut terms = Terms::new();
    let (x, y) = (terms.root("x", Sort::Bits(width)), terms.root("y", Sort::Bits(width)));
    let (ca, cb) = (terms.bits(width, a), terms.bits(width, b));
    let inputs = [terms.eq(x, ca), terms.eq(y, cb)];
    let mut bits = Bits::new(PATIENCE);
    for op in BitOp::ALL {
        let result = terms.bit_op(op, x, y);
        let right = match plain_bit_op(op, width, a, b) {
            Value::Bool(value) => terms.eq(result, Term::bool(value)),
            Value::Bits(value) => {
                let value = terms.bits(width, value);
                terms.eq(result, value)
            }
            other => unreachable!("{other:?}"),
        };
        let wrong = terms.not(right);
        for (claim, holds) in [(right, true), (wrong, false)] {
            let clauses = [inputs[0], inputs[1], claim];
            let answer = bits.check(&terms, &clauses);
            assert_eq!(verdict(&terms, &clauses, answer), holds, "{op:?} at {width} of {a} and {b}");
        }
        // With one operand a constant, the circuit is another one.
        for (left, right_operand, input) in [(ca, y, inputs[1]), (x, cb, inputs[0])] {
            let folded = terms.bit_op(op, left, right_operand);
            let same = terms.eq(folded, result);
            let different = terms.not(same);
            let clauses = [input, inputs[0], inputs[1], different];
            let answer = bits.check(&terms, &clauses);
            assert!(!verdict(&terms, &clauses, answer), "{op:?} at {width} of {a} and {b}, one of them constant");
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn operations_give_what_plain_evaluation_gives(numbers in tape(12), width in 1..=64u8) {
        let mut tape = Tape::new(&numbers);
        let (a, b) = (tape.bits(width), tape.bits(width));
        operations_at(width, a, b);
    }
}

#[test]
fn operations_at_the_widths_of_java_and_at_the_edges() {
    for width in [1, 2, 3, 8, 16, 32, 64] {
        let mask = u64::MAX >> (64 - width);
        let least = 1 << (width - 1);
        for (a, b) in [(0, 0), (least, mask), (mask, 0), (least, 0), (mask, least), (mask / 3, width as u64)] {
            operations_at(width, a & mask, b & mask);
        }
    }
}

/// Every value of every symbol of a universe of few, narrow words and booleans.
fn exhaustive_words(universe: &Universe, tree: &Tree) -> bool {
    let mut symbols: Vec<(Term, u64)> = universe.bools.iter().map(|b| (*b, 2)).collect();
    for (width, words) in &universe.words {
        symbols.extend(words.iter().map(|w| (*w, 1 << width)));
    }
    let total: u64 = symbols.iter().map(|s| s.1).product();
    (0..total).any(|mut number| {
        let mut model = Model::default();
        for &(symbol, range) in &symbols {
            let value = number % range;
            number /= range;
            let is_bool = universe.terms.sort(symbol) == Sort::Bool;
            model.set(universe.symbol(symbol), if is_bool { Value::Bool(value == 1) } else { Value::Bits(value) });
        }
        tree.holds(&universe.terms, &model)
    })
}

/// Every aliasing of the references, and every class of every object.
fn exhaustive_references(universe: &Universe, tree: &Tree) -> bool {
    let count = universe.refs.len();
    let classes = *CLASS_NUMBERS.end() as usize + 1;
    let aliasings = (count + 1).pow(count as u32);
    let typings = classes.pow(count as u32);
    (0..aliasings).any(|aliasing| {
        let digit = |i: usize| aliasing / (count + 1).pow(i as u32) % (count + 1);
        let objects: Vec<Option<usize>> = (0..count).map(|i| digit(i).checked_sub(1)).collect();
        (0..typings).any(|typing| {
            let class = |object: usize| (typing / classes.pow(object as u32) % classes) as u32;
            // The classes of objects that nobody denotes do not matter: one typing is enough.
            if (0..count).any(|o| class(o) != 0 && !objects.contains(&Some(o))) {
                return false;
            }
            let mut model = Model::default();
            universe.set_references(&mut model, &objects, class) && tree.holds(&universe.terms, &model)
        })
    })
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn narrow_words_agree_with_enumeration(numbers in tape(150)) {
        let mut universe = Universe::new(0, 1, &[1, 2, 3], 2, 0);
        let mut tape = Tape::new(&numbers);
        let tree = Tree::And((0..3).map(|_| Tree::of(&universe, &mut tape, Sort::Bool, 4)).collect());
        let condition = tree.build(&mut universe.terms);
        prop_assert_eq!(fresh_bits(&universe.terms, &[condition]), exhaustive_words(&universe, &tree));
    }

    #[test]
    fn references_agree_with_enumeration(numbers in tape(150)) {
        let mut universe = Universe::new(0, 0, &[], 0, 4);
        // The first may be of any class; the others are the interesting ones.
        universe.refs.remove(0);
        let mut tape = Tape::new(&numbers);
        let tree = Tree::And((0..4).map(|_| Tree::of(&universe, &mut tape, Sort::Bool, 3)).collect());
        let condition = tree.build(&mut universe.terms);
        prop_assert_eq!(fresh_bits(&universe.terms, &[condition]), exhaustive_references(&universe, &tree));
    }
}

/// The operations whose circuits stay easy when both operands are unknown and wide.
const LIGHT: [BitOp; 8] =
    [BitOp::Add, BitOp::Sub, BitOp::Shl, BitOp::AShr, BitOp::LShr, BitOp::And, BitOp::Or, BitOp::Xor];

fn compare_with_z3(universe: &mut Universe, numbers: &[u16], clauses: usize, depth: u32) -> Result<(), TestCaseError> {
    let mut tape = Tape::new(numbers);
    let clauses: Vec<Term> = (0..clauses)
        .map(|_| Tree::of(universe, &mut tape, Sort::Bool, depth).build(&mut universe.terms))
        .filter(|clause| clause.as_bool().is_none())
        .collect();
    let shown: Vec<String> = clauses.iter().map(|c| universe.terms.show(*c)).collect();
    prop_assert_eq!(fresh_bits(&universe.terms, &clauses), fresh_z3(&universe.terms, &clauses), "{:?}", shown);
    Ok(())
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn bytes_agree_with_z3(numbers in tape(100)) {
        compare_with_z3(&mut Universe::new(0, 1, &[8], 2, 0), &numbers, 3, 3)?;
    }

    #[test]
    fn wide_words_agree_with_z3(numbers in tape(200)) {
        let mut universe = Universe::new(0, 2, &[1, 8, 16, 32, 64], 2, 2);
        universe.ops = LIGHT.to_vec();
        compare_with_z3(&mut universe, &numbers, 4, 3)?;
    }

    #[test]
    fn references_agree_with_z3(numbers in tape(200)) {
        compare_with_z3(&mut Universe::new(0, 2, &[], 0, 8), &numbers, 8, 3)?;
    }

    #[test]
    fn named_objects_agree_with_z3(numbers in tape(300)) {
        compare_with_z3(&mut Universe::new(0, 1, &[], 0, 6).with_own(), &numbers, 12, 3)?;
    }
}

/// One step of a walk over a pool of clauses, as a depth-first exploration makes it.
fn step(tape: &mut Tape, pool: &[Term], stack: &mut Vec<Term>) {
    match tape.below(4) {
        0 => stack.truncate(stack.len() / 2),
        1 => {
            stack.pop();
        }
        _ => stack.push(tape.pick(pool)),
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_past_does_not_change_an_answer(numbers in tape(400), walk in tape(80)) {
        let mut universe = Universe::new(0, 3, &[8, 16], 2, 8).with_own();
        let mut tape = Tape::new(&numbers);
        let pool: Vec<Term> =
            (0..12).map(|_| Tree::of(&universe, &mut tape, Sort::Bool, 3).build(&mut universe.terms)).collect();
        let (terms, mut walk) = (&universe.terms, Tape::new(&walk));
        let mut bits = Bits::new(PATIENCE);
        let mut stack = Vec::new();
        while !walk.is_empty() {
            step(&mut walk, &pool, &mut stack);
            let answer = bits.check(terms, &stack);
            prop_assert_eq!(verdict(terms, &stack, answer), fresh_bits(terms, &stack));
        }
    }
}

/// So many products and references that the circuit is rebuilt on the way, and codes of many widths are in use.
#[test]
fn rebuilding_the_circuit_does_not_change_an_answer() {
    let mut terms = Terms::new();
    let numbers: Vec<Term> = (0..24).map(|i| terms.root(&format!("n{i}"), Sort::Bits(32))).collect();
    let objects: Vec<Term> = (0..24).map(|i| terms.root(&format!("o{i}"), Sort::Ref)).collect();
    let mut bits = Bits::new(PATIENCE);
    let mut path: Vec<Term> = Vec::new();
    for i in 1..24 {
        let product = terms.bit_op(BitOp::Mul, numbers[i - 1], numbers[i]);
        let goal = terms.bits(32, 35);
        path.push(terms.eq(product, goal));
        path.push(terms.ne(objects[i - 1], objects[i]));
        let same = terms.eq(objects[i - 1], objects[i]);
        let answer = bits.check(&terms, &path);
        assert!(verdict(&terms, &path, answer));
        let answer = bits.check(&terms, &[&path[..], &[same]].concat());
        assert!(matches!(answer, Answer::Unsat));
        if i % 4 == 0 {
            path.truncate(2);
        }
    }
}

#[test]
fn many_different_objects_are_no_pigeonhole_problem() {
    let mut terms = Terms::new();
    let objects: Vec<Term> = (0..40).map(|i| terms.root(&format!("o{i}"), Sort::Ref)).collect();
    let mut clauses = Vec::new();
    for (i, &a) in objects.iter().enumerate() {
        clauses.push(terms.ne(a, Term::NULL));
        for &b in &objects[..i] {
            clauses.push(terms.ne(a, b));
        }
    }
    assert!(fresh_bits(&terms, &clauses));
}

/// An object has one name: two symbols that are said to name what they denote are apart, over whatever chain of equalities.
#[test]
fn an_object_has_one_name() {
    let mut terms = Terms::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.root(name, Sort::Ref));
    let chain = [terms.eq(a, b), terms.eq(b, c), terms.eq(c, d)];
    let (own_a, own_d, b_is_null) = (terms.is_own(a), terms.is_own(d), terms.eq(b, Term::NULL));
    let not_own_d = terms.not(own_d);
    for (more, holds) in [
        (vec![own_a, own_d], false),
        (vec![own_a], true),
        (vec![own_d], true),
        (vec![own_a, not_own_d], true),
        (vec![own_a, b_is_null], false),
    ] {
        let clauses = [&chain[..], &more].concat();
        assert_eq!(fresh_bits(&terms, &clauses), holds, "{more:?}");
        // Whatever was asked before.
        let mut bits = Bits::new(PATIENCE);
        let answer = bits.check(&terms, &more);
        verdict(&terms, &more, answer);
        let answer = bits.check(&terms, &clauses);
        assert_eq!(verdict(&terms, &clauses, answer), holds, "{more:?}, first alone");
    }
    assert!(fresh_bits(&terms, &[own_a, own_d, chain[0], chain[1]]));
}

/// An object may be denoted by others only.
#[test]
fn an_object_that_its_symbol_does_not_denote() {
    let mut terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.root(name, Sort::Ref));
    let named = Term::object(terms.as_symbol(a).expect("a symbol"));
    let (b_is, c_is, own) = (terms.eq(b, named), terms.eq(c, named), terms.is_own(a));
    let (not_own, apart) = (terms.not(own), terms.ne(b, c));
    assert!(fresh_bits(&terms, &[b_is, c_is, not_own]));
    assert!(!fresh_bits(&terms, &[b_is, c_is, apart]));
    let own_b = terms.is_own(b);
    assert!(!fresh_bits(&terms, &[b_is, own_b]));
}

#[test]
fn unbounded_integers_are_not_understood() {
    let mut terms = Terms::new();
    let (x, w) = (terms.root("x", Sort::Int), terms.root("w", Sort::Bits(8)));
    let (zero, one) = (terms.int(0), terms.bits(8, 1));
    let (foreign, native) = (terms.lt(x, zero), terms.eq(w, one));
    assert!(understands(&terms, &[native]));
    assert!(!understands(&terms, &[native, foreign]));
}

/// The product of two primes of 31 bits, with factors that are neither 1 nor wrap around.
fn factors(terms: &mut Terms) -> Vec<Term> {
    let (x, y) = (terms.root("x", Sort::Bits(64)), terms.root("y", Sort::Bits(64)));
    let product = terms.bit_op(BitOp::Mul, x, y);
    let number = terms.bits(64, 2_147_483_647 * 2_147_483_629);
    let (one, limit) = (terms.bits(64, 1), terms.bits(64, 1 << 32));
    let mut clauses = vec![terms.eq(product, number)];
    for factor in [x, y] {
        clauses.push(terms.bit_op(BitOp::ULt, one, factor));
        clauses.push(terms.bit_op(BitOp::ULt, factor, limit));
    }
    clauses
}

/// The effort is counted: the same question is given up every time, by either back end, and answered with more of it.
#[test]
fn effort_that_is_used_up_is_an_unknown() {
    let mut terms = Terms::new();
    let clauses = factors(&mut terms);
    for _ in 0..2 {
        for answer in [Bits::new(500).check(&terms, &clauses), Z3::new(500).check(&terms, &clauses)] {
            let Answer::Unknown(reason) = answer else { panic!("an answer with little effort: {answer:?}") };
            assert!(reason.ends_with("an effort of 500"), "{reason}");
        }
    }
    assert!(fresh_bits(&terms, &clauses));
    // A question that is easy is answered with as little.
    let limit = clauses[2];
    for answer in [Bits::new(500).check(&terms, &[limit]), Z3::new(500).check(&terms, &[limit])] {
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    }
}
