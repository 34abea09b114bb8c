//! Constant objects: symbols may denote them, each is one object of one class, and all back ends know it.

use std::rc::Rc;

use lazuli_logic::{
    Origin, PathCondition, RefValue, Solver, SolverConfig, SolverKind, Sort, Symbol, Term, Terms, Value, Verdict,
};

const NIL: u32 = 100;
const END: u32 = 101;

struct World {
    terms: Terms,
    nil: Symbol,
    a: Term,
    b: Term,
}

/// Two symbols of the classes 1 to 3, and two objects, of the classes 2 and 3.
fn world() -> World {
    let mut terms = Terms::new();
    let nil = terms.make_constant(NIL, "NIL", 2);
    terms.make_constant(END, "END", 3);
    let [a, b] = ["a", "b"].map(|name| symbol(&mut terms, name, (1, 3)));
    World { terms, nil, a, b }
}

fn symbol(terms: &mut Terms, name: &str, classes: (u32, u32)) -> Term {
    terms.symbol(Origin::Root(name.into(), 0), Sort::Ref, &Rc::from([classes]))
}

fn solvers() -> Vec<(&'static str, Solver)> {
    let alone = |kind| Solver::new(SolverConfig { kind, backend_only: true, ..SolverConfig::default() });
    vec![
        ("all", Solver::new(SolverConfig::default())),
        ("z3", alone(SolverKind::Z3)),
        ("bits", alone(SolverKind::Bits)),
    ]
}

/// Whether clauses are possible together, which all solvers say alike; and what `a` is then.
fn possible(world: &mut World, clauses: &[Term]) -> Option<Value> {
    let mut answers = Vec::new();
    for (name, mut solver) in solvers() {
        let mut path = PathCondition::default();
        let mut is_possible = true;
        for &clause in clauses {
            match solver.check(&mut world.terms, &path, clause) {
                Verdict::Sat(extended) => path = extended,
                Verdict::Unsat => is_possible = false,
                Verdict::Unknown(why) => panic!("{name}: {why}"),
            }
        }
        let symbol = world.terms.as_symbol(world.a).expect("a symbol");
        let model = path.model().expect("it was checked");
        if is_possible {
            assert!(clauses.iter().all(|clause| world.terms.holds(*clause, &model)), "{name}");
        }
        answers.push(is_possible.then(|| model.value(&world.terms, symbol)));
    }
    assert!(answers.iter().all(|answer| answer.is_some() == answers[0].is_some()), "{answers:?}");
    answers[0]
}

#[test]
fn symbols_denote_them() {
    let mut w = world();
    let [is_nil, b_is_nil] = [w.a, w.b].map(|symbol| w.terms.eq(symbol, Term::location(NIL)));
    assert_eq!(possible(&mut w, &[is_nil]), Some(Value::Ref(RefValue::Input(w.nil))));
    let differ = w.terms.ne(w.a, w.b);
    assert_eq!(possible(&mut w, &[is_nil, b_is_nil, differ]), None);
    let not_nil = w.terms.not(is_nil);
    let equal = w.terms.eq(w.a, w.b);
    assert_eq!(possible(&mut w, &[not_nil, b_is_nil, equal]), None);
}

#[test]
fn each_is_one_object() {
    let mut w = world();
    let is_nil = w.terms.eq(w.a, Term::location(NIL));
    let is_end = w.terms.eq(w.a, Term::location(END));
    let is_null = w.terms.eq(w.a, Term::NULL);
    assert_eq!(possible(&mut w, &[is_nil, is_end]), None);
    assert_eq!(possible(&mut w, &[is_nil, is_null]), None);
    assert_eq!(w.terms.eq(Term::location(NIL), Term::location(END)), Term::FALSE);
    let either = w.terms.any([is_nil, is_end, is_null]);
    let (not_nil, not_null) = (w.terms.not(is_nil), w.terms.not(is_null));
    let value = possible(&mut w, &[either, not_nil, not_null]);
    assert_eq!(value, possible(&mut w, &[is_end]));
}

/// Who makes a symbol that may denote one says of which class it is then; the circuit does not find that out by itself.
#[test]
fn each_is_of_one_class() {
    let mut w = world();
    let is_nil = w.terms.eq(w.a, Term::location(NIL));
    let [one, two] = [1, 2].map(|class| w.terms.class_in(w.a, class, class));
    let said = w.terms.implies(is_nil, two);
    assert_eq!(possible(&mut w, &[said, is_nil, one]), None);
    assert!(possible(&mut w, &[said, is_nil, two]).is_some());
    let not_two = w.terms.not(two);
    assert_eq!(possible(&mut w, &[said, not_two, is_nil]), None);
    let other = symbol(&mut w.terms, "c", (7, 9));
    assert_eq!(w.terms.eq(other, Term::location(NIL)), Term::FALSE);
}

#[test]
fn no_other_location_is_denoted() {
    let mut w = world();
    assert_eq!(w.terms.eq(w.a, Term::location(1)), Term::FALSE);
    let is_nil = w.terms.eq(w.a, Term::location(NIL));
    assert_eq!(w.terms.show(is_nil), "a == NIL");
    let not_nil = w.terms.not(is_nil);
    assert_eq!(w.terms.show(not_nil), "a != NIL");
}
