//! The number of ite-free sub-queries, on formulas small enough to count by hand.

use lazuli_logic::solver::unwind::count;
use lazuli_logic::{PathCondition, Solver, SolverConfig, Sort, Term, Terms};

struct World {
    terms: Terms,
    solver: Solver,
}

impl World {
    fn new() -> World {
        World { terms: Terms::new(), solver: Solver::new(SolverConfig { unwind: true, ..SolverConfig::default() }) }
    }

    fn ints<const N: usize>(&mut self, names: [&str; N]) -> [Term; N] {
        names.map(|name| self.terms.root(name, Sort::Int))
    }

    fn refs<const N: usize>(&mut self, names: [&str; N]) -> [Term; N] {
        names.map(|name| self.terms.root(name, Sort::Ref))
    }

    fn count(&mut self, clauses: &[Term]) -> u64 {
        let before = self.solver.counters;
        let unwound = count(&mut self.solver, &mut self.terms, clauses);
        assert_eq!(self.solver.counters, before, "counting leaves the counters alone");
        assert!(!unwound.is_least, "no bound is met");
        unwound.asked
    }
}

#[test]
fn a_conjunction_of_literals_is_one_query() {
    let mut w = World::new();
    let [x, y, z] = w.ints(["x", "y", "z"]);
    let clauses = [w.terms.lt(x, y), w.terms.lt(y, z), w.terms.ne(x, z)];
    assert_eq!(w.count(&clauses), 1);
    let cycle = w.terms.lt(z, x);
    assert_eq!(w.count(&[clauses[0], clauses[1], cycle]), 1, "and one if it is unsatisfiable");
}

#[test]
fn a_propositional_contradiction_is_no_query() {
    let mut w = World::new();
    let [x, y] = w.ints(["x", "y"]);
    let less = w.terms.lt(x, y);
    let not_less = w.terms.not(less);
    assert_eq!(w.count(&[less, not_less]), 0);
    assert_eq!(w.count(&[]), 1, "the empty conjunction has one, empty disjunct");
}

#[test]
fn an_ite_below_an_atom_is_lifted() {
    let mut w = World::new();
    let [a, b] = w.refs(["a", "b"]);
    let [x, y, z] = w.ints(["x", "y", "z"]);
    let same = w.terms.eq(a, b);
    let choice = w.terms.ite(same, x, y);
    let below = w.terms.lt(choice, z);
    // a ≠ b ∧ y < z is satisfiable, and the first of the two disjuncts.
    assert_eq!(w.count(&[below]), 1);
    // With z ≤ x and z ≤ y both disjuncts are unsatisfiable: two queries.
    let (not_x, not_y) = (w.terms.le(z, x), w.terms.le(z, y));
    let one = w.terms.int(1);
    let less = w.terms.sub(z, one);
    let far_below = w.terms.lt(choice, less);
    assert_eq!(w.count(&[not_x, not_y, far_below]), 2);
    // With z ≤ y only the first fails.
    assert_eq!(w.count(&[not_y, far_below]), 2);
    // The same atoms again, negated: the diagram has no path left.
    assert_eq!(w.count(&[not_x, not_y, below]), 0);
}

#[test]
fn nested_choices_multiply() {
    let mut w = World::new();
    let [a, b, c, d] = w.refs(["a", "b", "c", "d"]);
    let [x, y, z, u] = w.ints(["x", "y", "z", "u"]);
    let (first, second) = (w.terms.eq(a, b), w.terms.eq(c, d));
    let (left, right) = (w.terms.ite(first, x, y), w.terms.ite(second, z, u));
    let below = w.terms.lt(left, right);
    // Every value of the left side is at least 10, every one of the right side at most 5.
    let (five, ten) = (w.terms.int(5), w.terms.int(10));
    let mut clauses = vec![];
    for low in [x, y] {
        clauses.push(w.terms.le(ten, low));
    }
    for high in [z, u] {
        clauses.push(w.terms.le(high, five));
    }
    clauses.push(below);
    assert_eq!(w.count(&clauses), 4);
}

#[test]
fn choices_in_sums_and_in_words_are_lifted() {
    let mut w = World::new();
    let [a, b] = w.refs(["a", "b"]);
    let [x, y, z] = w.ints(["x", "y", "z"]);
    let same = w.terms.eq(a, b);
    let choice = w.terms.ite(same, x, y);
    let twice = w.terms.add(choice, choice);
    let sum = w.terms.add(twice, z);
    let zero = w.terms.int(0);
    let negative = w.terms.lt(sum, zero);
    let nonnegative: Vec<Term> = [x, y, z].into_iter().map(|t| w.terms.le(zero, t)).collect();
    assert_eq!(w.count(&[&nonnegative[..], &[negative]].concat()), 2);

    let (p, q) = (w.terms.root("p", Sort::Bits(8)), w.terms.root("q", Sort::Bits(8)));
    let word = w.terms.ite(same, p, q);
    let wide = w.terms.extend(false, 16, word);
    let (one, limit) = (w.terms.bits(16, 1), w.terms.bits(16, 256));
    let next = w.terms.bit_op(lazuli_logic::BitOp::Add, wide, one);
    let beyond = w.terms.bit_op(lazuli_logic::BitOp::ULt, limit, next);
    assert_eq!(w.count(&[beyond]), 2);
}

#[test]
fn disjuncts_are_paths_of_the_diagram_in_the_order_of_first_occurrence() {
    let mut w = World::new();
    let [p, q] = ["p", "q"].map(|name| w.terms.root(name, Sort::Bool));
    let [x] = w.ints(["x"]);
    let (zero, one) = (w.terms.int(0), w.terms.int(1));
    let (negative, positive) = (w.terms.lt(x, zero), w.terms.lt(one, x));
    let either = w.terms.or(p, q);
    // ¬p ∧ q and p, each with a contradiction that only the theory sees.
    assert_eq!(w.count(&[either, negative, positive]), 2);
    assert_eq!(w.count(&[either, negative]), 1);
}

#[test]
fn the_chain_counts_only_when_told() {
    let mut w = World::new();
    let [x, y] = w.ints(["x", "y"]);
    let less = w.terms.lt(x, y);
    w.solver.count_unwound(&mut w.terms, &PathCondition::default(), less);
    assert_eq!(w.solver.counters.unwind, 1);
    let mut silent = Solver::new(SolverConfig::default());
    silent.count_unwound(&mut w.terms, &PathCondition::default(), less);
    assert_eq!(silent.counters.unwind, 0);
}

/// An exclusive or of many integer comparisons has a small diagram but exponentially many paths: the bound on
/// sub-queries is what ends this one.
#[test]
fn a_blow_up_is_bounded() {
    let mut w = World::new();
    let mut parity = Term::FALSE;
    let zero = w.terms.int(0);
    let mut clauses = Vec::new();
    for i in 0..16 {
        let [x] = w.ints([format!("x{i}").as_str()]);
        let negative = w.terms.lt(x, zero);
        parity = w.terms.iff(parity, negative);
    }
    let [u, v] = w.ints(["u", "v"]);
    clauses.push(parity);
    clauses.push(w.terms.lt(u, v));
    clauses.push(w.terms.lt(v, u));
    let unwound = count(&mut w.solver, &mut w.terms, &clauses);
    assert_eq!((unwound.asked, unwound.is_least), (1 << 12, true), "a lower bound, and called one");
}

/// The number is one of the text of a condition, not of what it says: two ways to write one question are counted differently. So RQ3's column
/// belongs to the prototype, which asks about conditions as they were put together.
#[test]
fn one_question_written_in_two_ways() {
    let mut w = World::new();
    let [a, b, c] = w.refs(["a", "b", "c"]);
    let [x, y, z] = w.ints(["x", "y", "z"]);
    let (known, also) = (w.terms.eq(a, c), w.terms.eq(c, b));
    let same = w.terms.eq(a, b);
    let choice = w.terms.ite(same, x, y);
    let (chosen, plain) = (w.terms.lt(choice, z), w.terms.lt(x, z));
    let never = w.terms.lt(z, x);
    // a = c and c = b, so that the choice is x: both are the same contradiction.
    assert_eq!(w.count(&[known, also, chosen, never]), 2, "as it was put together");
    assert_eq!(w.count(&[known, also, plain, never]), 1, "as it is simplified");
}
