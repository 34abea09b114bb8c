//! The whole chain against Z3 alone, along random paths, and the difference stage likewise.
//!
//! Two solvers walk the same path: the chain as it is configured by default, and one that leaves everything after reuse
//! to Z3. They must agree on every guard, and every model must satisfy every clause of its path.

mod common;

use common::{Tape, Tree, Universe, config, tape};
use lazuli_logic::{PathCondition, Solver, SolverConfig, SolverKind, Sort, Term, Terms, Verdict};
use proptest::prelude::*;

fn z3_alone() -> Solver {
    Solver::new(SolverConfig { kind: SolverKind::Z3, backend_only: true, ..SolverConfig::default() })
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
    fn references_alone(numbers in tape(300), choices in tape(60)) {
        let mut universe = Universe::new(0, 1, &[], 0, 6);
        let guards = random_guards(&mut universe, &numbers, 12, 3);
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
        let counters = chain.counters;
        prop_assert_eq!(counters.search + counters.backend, 0, "the difference stage decides all of these");
    }
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
    let stages = [c.constants, c.known_clause, c.model_fits, c.known_answer, c.differences, c.search, c.backend];
    assert!(stages.iter().all(|count| *count > 0), "{c:?}");
}
