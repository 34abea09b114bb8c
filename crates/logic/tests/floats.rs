//! Floating-point terms: the smart constructors and the evaluation against naive evaluation, Z3 and the chain against both.

use crate::random::{Tape, Tree, Universe, config, plain_conversion, plain_float_fn, plain_float_op, tape};
use lazuli_logic::solver::backend::{Answer, Backend};
use lazuli_logic::solver::bits::understands;
use lazuli_logic::solver::z3::Z3;
use lazuli_logic::{
    ComputedPair, Conversion, FloatFn, FloatOp, Model, PathCondition, Solver, SolverConfig, SolverKind, Sort, Term,
    Terms, Value, Verdict,
};
use proptest::prelude::*;

const WIDTHS: [u8; 2] = [32, 64];
const PATIENCE: u64 = 600_000;

fn numbers_and_words() -> Universe {
    Universe::new(0, 2, &[8, 32, 64], 2, 0).with_floats(&WIDTHS, 2)
}

/// Builds a tree and compares the two meanings under a few models.
fn compare(universe: &mut Universe, tree: &Tree, models: &mut Tape) -> Result<(), TestCaseError> {
    let term = tree.build(&mut universe.terms);
    for _ in 0..6 {
        let model = universe.model(models);
        let (meant, have) = (tree.eval(&universe.terms, &model), universe.terms.eval(term, &model));
        prop_assert_eq!(Some(meant), have, "{:?} became {}", tree, universe.terms.show(term));
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn numbers_keep_their_meaning(tree in tape(80), models in tape(200), which in 0..2usize) {
        let mut universe = numbers_and_words();
        let tree = Tree::of(&universe, &mut Tape::new(&tree), Sort::Float(WIDTHS[which]), 4);
        compare(&mut universe, &tree, &mut Tape::new(&models))?;
    }

    #[test]
    fn conditions_keep_their_meaning(tree in tape(120), models in tape(200)) {
        let mut universe = numbers_and_words();
        let tree = Tree::of(&universe, &mut Tape::new(&tree), Sort::Bool, 4);
        compare(&mut universe, &tree, &mut Tape::new(&models))?;
    }

    #[test]
    fn words_of_numbers_keep_their_meaning(tree in tape(80), models in tape(200), which in 0..2usize) {
        let mut universe = numbers_and_words();
        let tree = Tree::of(&universe, &mut Tape::new(&tree), Sort::Bits(WIDTHS[which]), 4);
        compare(&mut universe, &tree, &mut Tape::new(&models))?;
    }

    /// Every operation on every pair of constants, folded.
    #[test]
    fn operations_are_those_of_ieee(numbers in tape(20), which in 0..2usize) {
        let width = WIDTHS[which];
        let mut tape = Tape::new(&numbers);
        let (a, b, word) = (tape.float(width), tape.float(width), tape.bits(width));
        let mut terms = Terms::new();
        let (x, y, w) = (terms.float(width, a), terms.float(width, b), terms.bits(width, word));
        for op in FloatOp::ALL {
            let folded = terms.float_op(op, x, y);
            prop_assert_eq!(value(&terms, folded), plain_float_op(op, width, a, b), "{:?} of {} and {}", op, a, b);
        }
        for function in FloatFn::ALL {
            let folded = terms.float_fn(function, x);
            prop_assert_eq!(value(&terms, folded), plain_float_fn(function, width, a), "{:?} of {}", function, a);
        }
        for conversion in Conversion::ALL {
            for to in WIDTHS {
                if matches!(conversion, Conversion::FromBits | Conversion::ToBits) && to != width {
                    continue;
                }
                let (from, bits) = if conversion.takes_float() { (x, a) } else { (w, word) };
                let folded = terms.convert(conversion, to, from);
                prop_assert_eq!(value(&terms, folded), plain_conversion(conversion, width, to, bits));
            }
        }
    }
}

fn value(terms: &Terms, constant: Term) -> Value {
    assert!(terms.is_constant(constant), "{} is not folded", terms.show(constant));
    terms.eval(constant, &Model::default()).expect("a constant")
}

// ---- Z3 ----

/// The value that Z3 finds for a symbol that equals a term, in which all symbols but that one have the values of a model.
/// This asks Z3 for one result of one operation, so that no search hides a wrong one.
fn compare_with_z3(universe: &mut Universe, tree: &Tree, models: &mut Tape, sort: Sort) -> Result<(), TestCaseError> {
    let term = tree.build(&mut universe.terms);
    let model = universe.model(models);
    let meant = tree.eval(&universe.terms, &model);
    let terms = &mut universe.terms;
    let result = terms.root("result", sort);
    let mut clauses = vec![terms.eq(result, term)];
    for symbol in terms.symbols_of(term) {
        let name = terms.symbol_info(symbol).term;
        let constant = match (terms.sort(name), model.value(terms, symbol)) {
            (Sort::Bits(width), Value::Bits(value)) => terms.bits(width, value),
            (Sort::Float(width), Value::Float(value)) => terms.float(width, value),
            (_, Value::Bool(value)) => Term::bool(value),
            other => unreachable!("{other:?} has no symbols here"),
        };
        clauses.push(terms.eq(name, constant));
    }
    clauses.retain(|c| *c != Term::TRUE);
    match Z3::new(PATIENCE).check(terms, &clauses) {
        Answer::Sat(found) => {
            let have = found.value(terms, terms.as_symbol(result).unwrap());
            prop_assert_eq!(have, meant, "{} under {:?}", terms.show(term), model);
        }
        other => prop_assert!(false, "{:?} for {}", other, terms.show(term)),
    }
    Ok(())
}

/// All but the remainder, which Z3 is not told.
fn decidable(widths: &[u8]) -> Universe {
    let mut universe = Universe::new(0, 1, &[32, 64], 1, 0).with_floats(widths, 2);
    universe.float_ops = vec![FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
    universe.ops.truncate(2);
    universe
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn z3_computes_the_same_numbers(tree in tape(40), models in tape(60), which in 0..2usize) {
        let mut universe = decidable(&WIDTHS);
        let sort = Sort::Float(WIDTHS[which]);
        let tree = Tree::of(&universe, &mut Tape::new(&tree), sort, 3);
        compare_with_z3(&mut universe, &tree, &mut Tape::new(&models), sort)?;
    }

    #[test]
    fn z3_computes_the_same_words(tree in tape(40), models in tape(60), which in 0..2usize) {
        let mut universe = decidable(&WIDTHS);
        let sort = Sort::Bits(WIDTHS[which]);
        let tree = Tree::of(&universe, &mut Tape::new(&tree), sort, 3);
        compare_with_z3(&mut universe, &tree, &mut Tape::new(&models), sort)?;
    }
}

/// A path through the chain: if a model is known to exist, nobody may say "unsatisfiable"; what is said to be satisfiable
/// comes with a model.
fn walk(universe: &mut Universe, guards: &[Term], model: &Model) -> Result<(), TestCaseError> {
    let terms = &mut universe.terms;
    let mut chain = Solver::new(SolverConfig { effort: 5_000, ..SolverConfig::default() });
    let mut path = PathCondition::default();
    for &guard in guards {
        let negated = terms.not(guard);
        let (guard, other) = if terms.holds(guard, model) { (guard, negated) } else { (negated, guard) };
        if let Verdict::Sat(path) = chain.check(terms, &path, other) {
            let model = path.model().expect("a path that was checked has a model");
            prop_assert!(path.clauses().iter().all(|clause| terms.holds(*clause, &model)));
        }
        match chain.check(terms, &path, guard) {
            Verdict::Sat(extended) => {
                let found = extended.model().expect("a path that was checked has a model");
                prop_assert!(extended.clauses().iter().all(|clause| terms.holds(*clause, &found)));
                path = extended;
            }
            Verdict::Unknown(_) => {}
            Verdict::Unsat => {
                let clauses: Vec<String> = path.clauses().iter().map(|c| terms.show(*c)).collect();
                prop_assert!(false, "{:?} satisfies {} after {:?}", model, terms.show(guard), clauses);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn the_chain_never_denies_a_model(numbers in tape(150), models in tape(100)) {
        let mut universe = Universe::new(1, 2, &[32], 2, 2).with_floats(&[32], 2);
        let model = universe.model(&mut Tape::new(&models));
        let mut tape = Tape::new(&numbers);
        let guards: Vec<Term> =
            (0..5).map(|_| Tree::of(&universe, &mut tape, Sort::Bool, 2).build(&mut universe.terms)).collect();
        walk(&mut universe, &guards, &model)?;
    }
}

// ---- what must hold ----

fn check(terms: &mut Terms, guard: Term) -> Verdict {
    Solver::new(SolverConfig::default()).check(terms, &PathCondition::default(), guard)
}

#[test]
fn identity_is_not_the_comparison_of_ieee() {
    let mut terms = Terms::new();
    let (nan, plus, minus) = (terms.float64(f64::NAN), terms.float64(0.0), terms.float64(-0.0));
    let other_nan = terms.float(64, 0xfff0_0000_0000_0001);
    assert_eq!(nan, other_nan, "one NaN");
    assert_eq!(terms.eq(nan, other_nan), Term::TRUE);
    assert_eq!(terms.float_op(FloatOp::Eq, nan, nan), Term::FALSE);
    assert_eq!(terms.eq(plus, minus), Term::FALSE);
    assert_eq!(terms.float_op(FloatOp::Eq, plus, minus), Term::TRUE);
    // The same for unknown numbers: there is one that does not equal itself, and two different ones that are equal.
    let (x, y) = (terms.root("x", Sort::Float(64)), terms.root("y", Sort::Float(64)));
    assert_eq!(terms.eq(x, x), Term::TRUE);
    let equal = terms.float_op(FloatOp::Eq, x, x);
    let unequal = terms.not(equal);
    assert!(matches!(check(&mut terms, unequal), Verdict::Sat(_)));
    let (same, equal) = (terms.eq(x, y), terms.float_op(FloatOp::Eq, x, y));
    let different = terms.not(same);
    let zeros = terms.and(different, equal);
    let Verdict::Sat(path) = check(&mut terms, zeros) else { panic!("0.0 and -0.0") };
    let model = path.model().unwrap();
    let mut found = [x, y].map(|t| terms.eval(t, &model).unwrap());
    found.sort_by_key(|v| *v == Value::Float(0));
    assert_eq!(found, [Value::Float(1 << 63), Value::Float(0)]);
}

#[test]
fn most_numbers_need_no_pool() {
    let mut terms = Terms::new();
    for value in [0.0, -0.0, 1.0, -1.5, f64::NAN, f64::INFINITY, 1e6, 0.125, -2147483648.0] {
        assert!(terms.float64(value).index().is_none(), "{value}");
        assert!(terms.float32(value as f32).index().is_none(), "{value}");
    }
    let third = terms.float64(1.0 / 3.0);
    assert!(third.index().is_some());
    assert_eq!(terms.float64(1.0 / 3.0), third);
    assert_eq!(terms.as_float(third), Some((64, (1.0f64 / 3.0).to_bits())));
    assert!(terms.float32(0.1).index().is_none());
}

#[test]
fn conversions_saturate() {
    let mut terms = Terms::new();
    let x = terms.root("x", Sort::Float(64));
    // The integer is the greatest one, although the number is not: many numbers do that, and all are large.
    let integer = terms.convert(Conversion::ToSigned, 32, x);
    let greatest = terms.bits(32, i32::MAX as u64);
    let limit = terms.float64(2147483647.0);
    let saturated = terms.eq(integer, greatest);
    let above = terms.float_op(FloatOp::Lt, limit, x);
    let guard = terms.and(saturated, above);
    assert!(matches!(check(&mut terms, guard), Verdict::Sat(_)));
    let below = terms.float_op(FloatOp::Lt, x, limit);
    let guard = terms.and(saturated, below);
    assert!(matches!(check(&mut terms, guard), Verdict::Unsat));
    let nan = terms.float_fn(FloatFn::IsNan, x);
    let guard = terms.and(saturated, nan);
    assert!(matches!(check(&mut terms, guard), Verdict::Unsat));
}

#[test]
fn a_remainder_is_never_answered_wrongly() {
    let mut terms = Terms::new();
    let (x, y) = (terms.root("x", Sort::Float(64)), terms.root("y", Sort::Float(64)));
    let (rest, one) = (terms.float_op(FloatOp::Rem, x, y), terms.float64(1.0));
    let equal = terms.float_op(FloatOp::Eq, rest, one);
    let (five, four) = (terms.float64(5.0), terms.float64(4.0));
    let (is_five, is_four) = (terms.eq(x, five), terms.eq(y, four));
    let different = terms.not(equal);
    // 5 % 4 is 1: the model that says so is found by trying, its negation stays open.
    let guard = terms.all([is_five, is_four, equal]);
    assert!(matches!(check(&mut terms, guard), Verdict::Sat(_)));
    let guard = terms.all([is_five, is_four, different]);
    assert!(matches!(check(&mut terms, guard), Verdict::Unknown(reason) if reason.contains("remainder")));
    // What no function can do is refuted.
    let again = terms.float_op(FloatOp::Lt, rest, one);
    let guard = terms.and(equal, again);
    assert!(matches!(check(&mut terms, guard), Verdict::Unsat));
}

#[test]
fn functions_of_two_numbers_are_tried() {
    let mut terms = Terms::new();
    let (x, y) = (terms.root("x", Sort::Float(64)), terms.root("y", Sort::Float(64)));
    for function in [ComputedPair::Atan2, ComputedPair::Remainder] {
        let (value, limit) = (terms.float_op(FloatOp::Computed(function), y, x), terms.float64(0.5));
        let (above, below) = (terms.float_op(FloatOp::Lt, limit, value), terms.float_op(FloatOp::Lt, value, limit));
        let Verdict::Sat(path) = check(&mut terms, above) else { panic!("{} above 0.5", function.name()) };
        // What is found holds when it is computed.
        let model = path.model().unwrap();
        let [Value::Float(a), Value::Float(b)] = [y, x].map(|t| terms.eval(t, &model).unwrap()) else { panic!() };
        assert!(function.apply(f64::from_bits(a), f64::from_bits(b)) > 0.5);
        let both = terms.and(above, below);
        assert!(matches!(check(&mut terms, both), Verdict::Unsat));
    }
}

/// Z3 would be at work on the circuits for minutes, and hear of no interruption.
#[test]
fn more_operations_than_a_circuit_can_have_are_not_decided() {
    let mut terms = Terms::new();
    let (x, y) = (terms.root("x", Sort::Float(64)), terms.root("y", Sort::Float(64)));
    let (mut up, mut down) = (x, y);
    for _ in 0..40 {
        (up, down) = (terms.float_op(FloatOp::Mul, up, x), terms.float_op(FloatOp::Mul, down, y));
    }
    let (more, less) = (terms.float_op(FloatOp::Lt, up, down), terms.float_op(FloatOp::Lt, x, y));
    let positive = terms.float64(1.0);
    let positive = terms.float_op(FloatOp::Lt, positive, y);
    let both = terms.eq(up, down);
    let guard = terms.all([more, less, positive, both]);
    let verdict = check(&mut terms, guard);
    assert!(matches!(&verdict, Verdict::Unknown(reason) if reason.contains("too many")), "{verdict:?}");
}

#[test]
fn the_bits_solver_says_that_it_does_not_know() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.root(name, Sort::Float(32)));
    // A circle, so that no guess fits.
    let parts = [(x, y), (y, z), (z, x)].map(|(a, b)| terms.float_op(FloatOp::Lt, a, b));
    let less = terms.all(parts);
    assert!(!understands(&terms, &[less]));
    let mut bits = Solver::new(SolverConfig { kind: SolverKind::Bits, ..SolverConfig::default() });
    let answer = bits.check(&mut terms, &PathCondition::default(), less);
    assert!(matches!(answer, Verdict::Unknown(reason) if reason.contains("floating-point")));
}

#[test]
fn integers_in_double_precision_are_compared_as_integers() {
    let mut terms = Terms::new();
    let (x, y) = (terms.root("x", Sort::Bits(32)), terms.root("y", Sort::Bits(32)));
    let (a, b) = (terms.convert(Conversion::FromSigned, 64, x), terms.convert(Conversion::FromSigned, 64, y));
    let (less, order) = (terms.float_op(FloatOp::Lt, a, b), terms.bit_op(lazuli_logic::BitOp::SLt, x, y));
    assert_eq!(less, order);
    assert_eq!(terms.convert(Conversion::ToSigned, 32, a), x);
}
