//! The whole chain against Z3 alone, along random paths, and the difference stage likewise.
//!
//! Two solvers walk the same path: the chain as it is configured by default, and one that leaves everything after reuse
//! to Z3. They must agree on every guard, and every model must satisfy every clause of its path.

use crate::random::{Tape, Tree, Universe, config, tape};
use lazuli_logic::solver::{Kind, Stage};
use lazuli_logic::{
    BitOp, PathCondition, RefValue, Solver, SolverConfig, SolverKind, Sort, Term, Terms, Value, Verdict,
};
use proptest::prelude::*;

fn z3_alone() -> Solver {
    Solver::new(SolverConfig { kind: SolverKind::Z3, backend_only: true, ..SolverConfig::default() })
}

/// How many questions needed more than the differences to be decided.
fn beyond_differences(chain: &Solver) -> u64 {
    let counters = &chain.counters;
    counters.of(Kind::Theory) + counters.of(Kind::Backend) - counters[Stage::Differences]
}

/// The extended path, `None` if there is none. Its model must satisfy it.
fn extended(terms: &Terms, verdict: Verdict) -> Option<PathCondition> {
    match verdict {
        Verdict::Unsat => None,
        Verdict::Unknown(reason) => panic!("no answer: {reason}"),
        Verdict::Sat(path) => {
            let model = path.model().expect("a path that was checked has a model");
            for clause in path.clauses() {
                assert!(terms.holds(clause, &model), "{} is false in {model:?}", terms.show(clause));
            }
            for (symbol, value) in model.values() {
                if let Value::Ref(RefValue::Input(object)) = value {
                    let class = model.class(terms, object);
                    let mut classes = terms.symbol_info(symbol).classes.iter();
                    assert!(
                        classes.any(|&(low, high)| low <= class && class <= high),
                        "a class that is none of its type"
                    );
                    let named = model.get(object) == Some(value) || object.is_other();
                    assert!(named, "an object is named by a symbol that denotes it, or has another name");
                }
            }
            Some(path)
        }
    }
}

/// Both solvers ask all guards one after the other, each with and without backtracking to an earlier point.
fn walk(terms: &mut Terms, guards: &[Term], choices: &mut Tape, chain: &mut Solver) -> Result<(), TestCaseError> {
    let mut reference = z3_alone();
    let mut points = vec![(PathCondition::default(), PathCondition::default())];
    for &guard in guards {
        // Not on 0, which is what the end of the tape gives: the walk would start over and over again.
        if choices.below(6) == 5 {
            points.truncate(choices.below(points.len()) + 1);
        }
        let (path, plain) = points.last().cloned().expect("the empty path is never left");
        let negated = terms.not(guard);
        let sides = if choices.flip() { [guard, negated] } else { [negated, guard] };
        let mut possible = Vec::new();
        for side in sides {
            let verdict = chain.check(terms, &path, side);
            let have = extended(terms, verdict);
            let verdict = reference.check(terms, &plain, side);
            let want = extended(terms, verdict);
            let clauses: Vec<String> = path.clauses().iter().map(|c| terms.show(*c)).collect();
            prop_assert_eq!(have.is_some(), want.is_some(), "{} after {:?}", terms.show(side), clauses);
            possible.extend(have.zip(want));
        }
        prop_assert!(!possible.is_empty(), "one side of a guard is always possible");
        points.push(possible.swap_remove(0));
    }
    Ok(())
}

fn random_guards(universe: &mut Universe, numbers: &[u16], count: usize, depth: u32) -> Vec<Term> {
    let mut tape = Tape::new(numbers);
    (0..count).map(|_| Tree::of(universe, &mut tape, Sort::Bool, depth).build(&mut universe.terms)).collect()
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn references_integers_and_booleans(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(3, 2, &[], 0, 5);
        let guards = random_guards(&mut universe, &numbers, 10, 3);
        let mut chain = Solver::new(SolverConfig::default());
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }

    #[test]
    fn integers_and_booleans(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(4, 2, &[], 0, 0);
        let guards = random_guards(&mut universe, &numbers, 12, 3);
        let mut chain = Solver::new(SolverConfig::default());
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }

    #[test]
    fn references_alone(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(0, 1, &[], 0, 6);
        let guards = random_guards(&mut universe, &numbers, 12, 3);
        let mut chain = Solver::new(SolverConfig::default());
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }

    #[test]
    fn symbols_that_name_their_objects(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(1, 1, &[], 0, 6).with_own();
        let guards = random_guards(&mut universe, &numbers, 16, 2);
        let mut chain = Solver::new(SolverConfig::default());
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }

    /// The same without integers: the bits solver is asked too.
    #[test]
    fn named_objects_by_both_back_ends(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(0, 1, &[8], 1, 6).with_own();
        let guards = random_guards(&mut universe, &numbers, 16, 2);
        let mut chain = Solver::new(SolverConfig { cross_check: true, ..SolverConfig::default() });
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }

    /// Few and small conditions about many references, so that a model of one side of a branch is changed into one of the other.
    #[test]
    fn literals_about_references(numbers in tape(200), choices in tape(60)) {
        let mut universe = Universe::new(2, 1, &[], 0, 6);
        let guards = random_guards(&mut universe, &numbers, 20, 2);
        let mut chain = Solver::new(SolverConfig::default());
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }

    /// The bits solver behind the chain, cross-checked by Z3 on the way.
    #[test]
    fn references_and_words(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(0, 1, &[8], 3, 4);
        let guards = random_guards(&mut universe, &numbers, 8, 3);
        let mut chain = Solver::new(SolverConfig { cross_check: true, ..SolverConfig::default() });
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }
}

/// `x − y ⋈ c` or `x ⋈ c`, with `<`, `≤`, `=` or `≠`. Few symbols and small constants, so that a path leaves a symbol
/// one or two values: only then do the splits of disequalities matter to the last unit.
fn difference(universe: &mut Universe, tape: &mut Tape) -> Term {
    let (ints, terms) = (&universe.ints, &mut universe.terms);
    let (x, y) = (tape.pick(ints), tape.pick(ints));
    let constant = terms.int(tape.below(4) as i64 - 1);
    let right = if tape.below(4) == 0 { constant } else { terms.add(y, constant) };
    match tape.below(5) {
        0 => terms.lt(x, right),
        1 => terms.le(x, right),
        2 => terms.eq(x, right),
        _ => terms.ne(x, right),
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn difference_constraints_with_disequalities(numbers in tape(200), choices in tape(60)) {
        let mut universe = Universe::new(3, 0, &[], 0, 0);
        let mut tape = Tape::new(&numbers);
        let guards: Vec<Term> = (0..24).map(|_| difference(&mut universe, &mut tape)).collect();
        let mut chain = Solver::new(SolverConfig::default());
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
        prop_assert_eq!(beyond_differences(&chain), 0, "the difference stage decides all of these");
    }

    /// As invariants about heights and sizes say them.
    #[test]
    fn cases_of_difference_constraints(numbers in tape(400), choices in tape(60)) {
        let mut universe = Universe::new(5, 1, &[], 0, 0);
        let mut tape = Tape::new(&numbers);
        let guards: Vec<Term> = (0..16).map(|_| {
            let [a, b, c] = std::array::from_fn(|_| difference(&mut universe, &mut tape));
            let terms = &mut universe.terms;
            match tape.below(4) {
                0 => a,
                1 => terms.or(a, b),
                2 => {
                    let both = terms.and(b, c);
                    terms.or(a, both)
                }
                _ => terms.ite(universe.bools[0], a, b),
            }
        }).collect();
        let mut chain = Solver::new(SolverConfig::default());
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }
}

/// The words that order constraints are about, at one width: symbols, extended symbols and constants, which are often bounds.
fn order_leaf(universe: &mut Universe, tape: &mut Tape, width: u8) -> Term {
    let (words, terms) = (&universe.words, &mut universe.terms);
    let narrow: Vec<u8> = words.iter().map(|w| w.0).filter(|w| *w < width).collect();
    let of = |width: u8| &words.iter().find(|w| w.0 == width).expect("a width in use").1;
    match tape.below(5) {
        0 => {
            let top = 1u64 << (width - 1);
            let edges = [top, top - 1, top + 1, top.wrapping_sub(2), 0, 1, u64::MAX, 2];
            terms.bits(width, tape.pick(&edges))
        }
        1 if !narrow.is_empty() => {
            // One symbol of a width is read with its sign and another one without, so that no reading contradicts another.
            let from = tape.pick(&narrow);
            let signed = tape.flip();
            let symbol = of(from)[if signed { 0 } else { 1 }];
            terms.extend(signed, width, symbol)
        }
        _ => {
            // The second symbol of a narrow width is left to the extensions without sign.
            let symbols = of(width);
            let count = if width < 32 && words.iter().any(|w| w.0 > width) { 1 } else { symbols.len() };
            tape.pick(&symbols[..count])
        }
    }
}

fn order(universe: &mut Universe, tape: &mut Tape) -> Term {
    let widths: Vec<u8> = universe.words.iter().map(|w| w.0).collect();
    let width = tape.pick(&widths);
    let (x, y) = (order_leaf(universe, tape, width), order_leaf(universe, tape, width));
    let terms = &mut universe.terms;
    match tape.below(5) {
        0 => terms.bit_op(BitOp::SLt, x, y),
        1 => {
            let greater = terms.bit_op(BitOp::SLt, y, x);
            terms.not(greater)
        }
        2 => terms.eq(x, y),
        _ => terms.ne(x, y),
    }
}

/// Order constraints along a path: the chain against Z3, without asking a back end. Where disequalities fill a range, it may
/// give up: that is why a back end is allowed at small widths.
fn order_path(widths: &[u8], symbols: usize, numbers: &[u16], choices: &[u16]) -> Result<Solver, TestCaseError> {
    let mut universe = Universe::new(0, 0, widths, symbols, 0);
    let mut tape = Tape::new(numbers);
    let guards: Vec<Term> = (0..24).map(|_| order(&mut universe, &mut tape)).collect();
    let mut chain = Solver::new(SolverConfig::default());
    walk(&mut universe.terms, &guards, &mut Tape::new(choices), &mut chain)?;
    Ok(chain)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn order_constraints_on_integers_of_java(numbers in tape(200), choices in tape(60)) {
        let chain = order_path(&[32], 4, &numbers, &choices)?;
        prop_assert_eq!(beyond_differences(&chain), 0, "the difference stage decides all of these");
    }

    #[test]
    fn order_constraints_on_longs(numbers in tape(200), choices in tape(60)) {
        let chain = order_path(&[64], 4, &numbers, &choices)?;
        prop_assert_eq!(beyond_differences(&chain), 0, "the difference stage decides all of these");
    }

    #[test]
    fn order_constraints_on_bytes_characters_and_integers(numbers in tape(200), choices in tape(60)) {
        let chain = order_path(&[8, 16, 32], 2, &numbers, &choices)?;
        prop_assert_eq!(beyond_differences(&chain), 0, "the difference stage decides all of these");
    }

    /// Ranges of two to eight values: the bounds matter at every step.
    #[test]
    fn order_constraints_in_narrow_ranges(numbers in tape(200), choices in tape(60)) {
        order_path(&[1], 4, &numbers, &choices)?;
        order_path(&[2], 4, &numbers, &choices)?;
        order_path(&[3], 5, &numbers, &choices)?;
        order_path(&[2, 3, 4], 2, &numbers, &choices)?;
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// With choices, disjunctions, arithmetic and the other sorts around them.
    #[test]
    fn conditions_on_narrow_words(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(0, 2, &[2, 4], 2, 2);
        universe.ops = vec![BitOp::Add, BitOp::And];
        let mut tape = Tape::new(&numbers);
        let mut guards = Vec::new();
        for _ in 0..6 {
            guards.push(order(&mut universe, &mut tape));
            guards.push(Tree::of(&universe, &mut tape, Sort::Bool, 3).build(&mut universe.terms));
        }
        let mut chain = Solver::new(SolverConfig { cross_check: true, ..SolverConfig::default() });
        walk(&mut universe.terms, &guards, &mut Tape::new(&choices), &mut chain)?;
    }
}

/// A symbol that is read both with and without its sign is more than an order: the chain must not take the two for one.
#[test]
fn two_readings_of_one_symbol_are_not_confused() {
    let mut terms = Terms::new();
    let byte = terms.root("byte", Sort::Bits(8));
    let (signed, unsigned) = (terms.extend(true, 32, byte), terms.extend(false, 32, byte));
    let (zero, limit) = (terms.bits(32, 0), terms.bits(32, 200));
    let negative = terms.bit_op(BitOp::SLt, signed, zero);
    let large = terms.bit_op(BitOp::SLt, limit, unsigned);
    let (positive, small) = (terms.not(negative), terms.not(large));
    let possible = |terms: &mut Terms, guards: [Term; 2]| {
        let mut chain = Solver::new(SolverConfig::default());
        let mut path = PathCondition::default();
        guards.into_iter().all(|guard| {
            let verdict = chain.check(terms, &path, guard);
            let extended = extended(terms, verdict);
            path = extended.clone().unwrap_or_default();
            extended.is_some()
        })
    };
    assert!(possible(&mut terms, [negative, large]));
    assert!(possible(&mut terms, [negative, small]));
    assert!(possible(&mut terms, [positive, small]));
    assert!(!possible(&mut terms, [positive, large]));
    assert!(!possible(&mut terms, [large, positive]));
}

/// The one value that a path leaves is found on either side of the value that a disequality excludes.
#[test]
fn a_disequality_leaves_the_neighbouring_value() {
    for (low, high, excluded) in [(3, 4, 3), (3, 4, 4)] {
        let mut universe = Universe::new(2, 0, &[], 0, 0);
        let (x, y, terms) = (universe.ints[0], universe.ints[1], &mut universe.terms);
        let mut path = PathCondition::default();
        let mut chain = Solver::new(SolverConfig::default());
        let [low, high, excluded] = [low, high, excluded].map(|c| {
            let constant = terms.int(c);
            terms.add(y, constant)
        });
        let guards = [terms.le(low, x), terms.le(x, high), terms.eq(x, excluded)];
        // A model with the excluded value comes first, so that the disequality has to repair it.
        for guard in &guards[..2] {
            let verdict = chain.check(terms, &path, *guard);
            path = extended(terms, verdict).expect("a range of two");
        }
        let other = terms.not(guards[2]);
        for side in [guards[2], other] {
            let verdict = chain.check(terms, &path, side);
            let possible = extended(terms, verdict).expect("both values are possible");
            let opposite = terms.not(side);
            assert!(matches!(chain.check(terms, &possible, opposite), Verdict::Unsat));
        }
    }
}

/// The comparison above would prove little if the cheap stages never had anything to say.
#[test]
fn every_stage_answers_something() {
    let mut universe = Universe::new(3, 2, &[8], 2, 5);
    let mut chain = Solver::new(SolverConfig::default());
    for seed in 1..200u64 {
        let mut state = seed;
        let numbers: Vec<u16> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u16
        })
        .take(400)
        .collect();
        let mut guards = random_guards(&mut universe, &numbers, 8, 3);
        let mut tape = Tape::new(&numbers);
        guards.extend((0..6).map(|_| difference(&mut universe, &mut tape)));
        walk(&mut universe.terms, &guards, &mut Tape::new(&numbers[200..]), &mut chain).unwrap();
    }
    let c = chain.counters;
    // There are no floating-point numbers to guess, and whoever asks the same clauses again here asks of the same group.
    let absent = [Stage::Guess, Stage::KnownAnswer];
    assert!(c.stages().all(|(stage, count)| count > 0 || absent.contains(&stage)), "{c:?}");
}
