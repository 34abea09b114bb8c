//! Terms under what a path condition says by its form: the same value in every model of the path condition.

use crate::random::{Tape, Tree, Universe, config, tape};
use lazuli_logic::{Facts, Model, PathCondition, Sort, Symbol, Term, Terms};
use proptest::prelude::*;

const SORTS: [Sort; 5] = [Sort::Bool, Sort::Int, Sort::Ref, Sort::Bits(3), Sort::Bits(8)];

/// Conditions that hold in a model: random ones, or their negations.
fn clauses(universe: &mut Universe, tape: &mut Tape, model: &Model, number: usize) -> Vec<Term> {
    let build = |_| {
        let condition = Tree::of(universe, tape, Sort::Bool, 3).build(&mut universe.terms);
        if universe.terms.holds(condition, model) { condition } else { universe.terms.not(condition) }
    };
    (0..number).map(build).collect()
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn restricted_terms_keep_their_meaning(numbers in tape(300), models in tape(60), others in tape(300)) {
        let mut universe = Universe::new(3, 2, &[3, 8], 2, 4).with_own();
        let model = universe.model(&mut Tape::new(&models));
        let mut tape = Tape::new(&numbers);
        let clauses = clauses(&mut universe, &mut tape, &model, 6);
        let mut others = Tape::new(&others);
        let others: Vec<Model> = (0..6).map(|_| universe.model(&mut others)).collect();
        let mut path = PathCondition::default();
        let mut facts = Facts::default();
        // One clause at a time, as a path grows; the facts of the whole path at once must be no others.
        for clause in clauses {
            path.assume_unchecked(&universe.terms, clause);
            facts.turn_to(&universe.terms, &path);
        }
        let mut at_once = Facts::default();
        at_once.turn_to(&universe.terms, &path);
        for sort in SORTS {
            let term = Tree::of(&universe, &mut tape, sort, 4).build(&mut universe.terms);
            let grown = universe.terms.under(&mut facts, term);
            let whole = universe.terms.under(&mut at_once, term);
            let holds = |m: &&Model| path.clauses().iter().all(|clause| universe.terms.holds(*clause, m));
            for model in others.iter().filter(holds).chain([&model]) {
                let meant = universe.terms.eval(term, model);
                prop_assert_eq!(meant, universe.terms.eval(grown, model), "{}", universe.terms.show(term));
                prop_assert_eq!(meant, universe.terms.eval(whole, model), "{}", universe.terms.show(term));
            }
        }
    }
}

proptest! {
    #![proptest_config(config(3_000))]

    /// With values for all symbols but the integers, a condition says the same of these, and nothing of other symbols but references.
    #[test]
    fn values_take_the_place_of_symbols(numbers in tape(200), models in tape(60), others in tape(300)) {
        let mut universe = Universe::new(3, 2, &[3, 8], 2, 4);
        let model = universe.model(&mut Tape::new(&models));
        let condition = Tree::of(&universe, &mut Tape::new(&numbers), Sort::Bool, 5).build(&mut universe.terms);
        let sort = |terms: &Terms, symbol| terms.symbol_info(symbol).sort;
        let symbols = universe.terms.symbols_of(condition);
        let open: Vec<Symbol> = symbols.into_iter().filter(|s| sort(&universe.terms, *s) == Sort::Int).collect();
        let left = universe.terms.with_values(condition, &model, |symbol| open.contains(&symbol));
        for symbol in universe.terms.symbols_of(left) {
            prop_assert!(matches!(sort(&universe.terms, symbol), Sort::Int | Sort::Ref));
        }
        let mut others = Tape::new(&others);
        for _ in 0..6 {
            let other = universe.model(&mut others);
            let mut mixed = model.clone();
            for symbol in &open {
                mixed.set(*symbol, other.value(&universe.terms, *symbol));
            }
            let meant = universe.terms.eval(condition, &mixed);
            prop_assert_eq!(meant, universe.terms.eval(left, &mixed), "{}", universe.terms.show(condition));
        }
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    /// Going down a path, back to an earlier point and down another one leaves nothing behind.
    #[test]
    fn facts_do_not_depend_on_the_paths_before(numbers in tape(400), models in tape(60), turns in tape(30)) {
        let mut universe = Universe::new(3, 2, &[3, 8], 2, 4).with_own();
        let model = universe.model(&mut Tape::new(&models));
        let mut tape = Tape::new(&numbers);
        let mut turns = Tape::new(&turns);
        let terms: Vec<Term> =
            SORTS.map(|sort| Tree::of(&universe, &mut tape, sort, 4).build(&mut universe.terms)).to_vec();
        let mut points = vec![PathCondition::default()];
        let mut facts = Facts::default();
        for clause in clauses(&mut universe, &mut tape, &model, 8) {
            points.truncate(turns.below(points.len()) + 1);
            let mut path = points.last().expect("the empty path is never left").clone();
            path.assume_unchecked(&universe.terms, clause);
            facts.turn_to(&universe.terms, &path);
            let mut alone = Facts::default();
            alone.turn_to(&universe.terms, &path);
            for &term in &terms {
                let here = universe.terms.under(&mut facts, term);
                prop_assert_eq!(here, universe.terms.under(&mut alone, term), "{}", universe.terms.show(term));
            }
            points.push(path);
        }
    }
}

/// What the program has decided drops out of a set, and so does what follows from it.
#[test]
fn decided_cases_drop_out() {
    let mut universe = Universe::new(2, 0, &[], 0, 3);
    let (r, s, t) = (universe.refs[0], universe.refs[1], universe.refs[2]);
    let (x, y) = (universe.ints[0], universe.ints[1]);
    let terms = &mut universe.terms;
    let (is_s, is_t) = (terms.eq(r, s), terms.eq(r, t));
    let set = terms.ite(is_t, Term::location(1), Term::location(2));
    let set = terms.ite(is_s, Term::location(0), set);
    // Not s, and one of the two.
    let mut path = PathCondition::default();
    let not_s = terms.not(is_s);
    let either = terms.or(is_s, is_t);
    path.assume_unchecked(terms, not_s);
    path.assume_unchecked(terms, either);
    // x < y: the converse is settled, although it is another atom.
    let less = terms.lt(x, y);
    path.assume_unchecked(terms, less);
    let mut facts = Facts::default();
    facts.turn_to(terms, &path);
    assert_eq!(terms.under(&mut facts, set), Term::location(1));
    let converse = terms.lt(y, x);
    assert_eq!(terms.under(&mut facts, converse), Term::FALSE);
}

/// What a path says of a choice between comparisons holds of the comparison of a choice too, whatever was restricted before.
#[test]
fn a_comparison_is_known_by_the_choice_that_it_becomes() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.root(name, Sort::Int));
    let (condition, one) = (terms.root("c", Sort::Bool), terms.int(1));
    let number = terms.ite(condition, x, y);
    let below = [x, y].map(|side| terms.lt(side, one));
    let choice = terms.ite(condition, below[0], below[1]);
    let not_below = terms.not(choice);
    let mut path = PathCondition::default();
    path.assume_unchecked(&terms, not_below);
    let mut facts = Facts::default();
    facts.turn_to(&terms, &path);
    let comparison = terms.lt(number, one);
    let negated = terms.not(comparison);
    assert_eq!(terms.under(&mut facts, comparison), Term::FALSE);
    assert_eq!(terms.under(&mut facts, negated), Term::TRUE);
    assert_eq!(terms.under(&mut facts, choice), Term::FALSE);
}
