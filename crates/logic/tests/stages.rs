//! Every stage of the chain is reached by a small question, and its counter is the one that moves.

use std::rc::Rc;

use lazuli_logic::solver::{Counters, Kind, Stage};
use lazuli_logic::{
    BitOp, FloatOp, Origin, PathCondition, Solver, SolverConfig, SolverKind, Sort, Term, Terms, Verdict,
};

struct World {
    terms: Terms,
    solver: Solver,
    path: PathCondition,
}

impl World {
    fn new(config: SolverConfig) -> World {
        World { terms: Terms::new(), solver: Solver::new(config), path: PathCondition::default() }
    }

    fn roots<const N: usize>(&mut self, names: [&str; N], sort: Sort) -> [Term; N] {
        names.map(|name| self.terms.root(name, sort))
    }

    /// Asks, and extends the path if that is possible.
    fn ask(&mut self, guard: Term) -> bool {
        match self.solver.check(&mut self.terms, &self.path, guard) {
            Verdict::Sat(extended) => {
                self.path = extended;
                true
            }
            Verdict::Unsat => false,
            Verdict::Unknown(reason) => panic!("no answer: {reason}"),
        }
    }

    /// The stages that answered what is asked by `ask`, each once.
    fn answered_by(&mut self, guard: Term) -> (bool, Stage) {
        let before = self.solver.counters;
        let possible = self.ask(guard);
        let moved: Vec<(Stage, u64)> =
            self.solver.counters.stages().filter(|(stage, number)| *number != before[*stage]).collect();
        let [(stage, number)] = moved[..] else { panic!("{moved:?} moved") };
        assert_eq!(number, before[stage] + 1);
        (possible, stage)
    }
}

fn world() -> World {
    World::new(SolverConfig::default())
}

#[test]
fn constants() {
    let mut w = world();
    assert_eq!(w.answered_by(Term::TRUE), (true, Stage::Constants));
    assert_eq!(w.answered_by(Term::FALSE), (false, Stage::Constants));
}

#[test]
fn known_clauses() {
    let mut w = world();
    let [x] = w.roots(["x"], Sort::Bool);
    assert!(w.ask(x));
    assert_eq!(w.answered_by(x), (true, Stage::KnownClause));
    let not_x = w.terms.not(x);
    assert_eq!(w.answered_by(not_x), (false, Stage::KnownClause));
}

/// Two paths that differ in what has nothing to do with the guard.
#[test]
fn twins() {
    let mut w = world();
    let [x, y] = w.roots(["x", "y"], Sort::Int);
    let [z] = w.roots(["z"], Sort::Bool);
    let (below, above) = (w.terms.lt(x, y), w.terms.lt(y, x));
    assert!(w.ask(below));
    let before = w.path.clone();
    assert!(!w.ask(above));
    assert!(w.ask(z));
    assert_eq!(w.answered_by(above), (false, Stage::Twins));
    w.path = before;
    assert_eq!(w.answered_by(above), (false, Stage::Twins));
}

#[test]
fn a_model_that_fits() {
    let mut w = world();
    let [x] = w.roots(["x"], Sort::Int);
    let one = w.terms.int(1);
    let small = w.terms.lt(x, one);
    // Without a clause all numbers are 0.
    assert_eq!(w.answered_by(small), (true, Stage::ModelFits));
}

#[test]
fn a_fresh_model() {
    let mut w = world();
    let [x] = w.roots(["x"], Sort::Ref);
    let non_null = w.terms.ne(x, Term::NULL);
    // Without a clause all references are null.
    assert_eq!(w.answered_by(non_null), (true, Stage::FreshModel));
}

#[test]
fn a_repaired_model() {
    let mut w = world();
    let [p, q] = w.roots(["p", "q"], Sort::Bool);
    let either = w.terms.or(p, q);
    assert_eq!(w.answered_by(either), (true, Stage::Repair));
}

#[test]
fn bounds_that_leave_nothing() {
    let mut w = world();
    let [p] = w.roots(["p"], Sort::Bool);
    let [x] = w.roots(["x"], Sort::Int);
    let [zero, five, nine] = [0, 5, 9].map(|value| w.terms.int(value));
    let choice = w.terms.ite(p, five, x);
    let (positive, large) = (w.terms.lt(choice, zero), w.terms.lt(nine, x));
    assert!(w.ask(positive));
    assert_eq!(w.answered_by(large), (false, Stage::Bounds));
}

/// The same clauses in groups that are equal, but not the same.
#[test]
fn a_known_answer() {
    let mut w = world();
    let [x] = w.roots(["x"], Sort::Bits(8));
    let guards = [(3, 1), (5, 4)].map(|(mask, value)| {
        let (mask, value) = (w.terms.bits(8, mask), w.terms.bits(8, value));
        let masked = w.terms.bit_op(BitOp::And, x, mask);
        w.terms.eq(masked, value)
    });
    assert!(w.ask(guards[0]));
    assert_eq!(w.answered_by(guards[1]), (false, Stage::Bits));
    // The path is the same, but was assumed anew: so its group is another one.
    w.path = PathCondition::default();
    w.path.assume_unchecked(&w.terms, guards[0]);
    assert_eq!(w.answered_by(guards[1]), (false, Stage::KnownAnswer));
}

#[test]
fn difference_constraints() {
    let mut w = world();
    let [x, y, z] = w.roots(["x", "y", "z"], Sort::Int);
    let guards = [w.terms.lt(x, y), w.terms.lt(y, z), w.terms.lt(z, x)];
    assert_eq!(w.answered_by(guards[0]), (true, Stage::Differences));
    assert_eq!(w.answered_by(guards[1]), (true, Stage::Differences));
    assert_eq!(w.answered_by(guards[2]), (false, Stage::Differences));
}

#[test]
fn a_search_by_cases() {
    let mut w = world();
    let [x, y, z] = w.roots(["x", "y", "z"], Sort::Ref);
    let (xy, yz, xz) = (w.terms.eq(x, y), w.terms.eq(y, z), w.terms.ne(x, z));
    assert!(w.ask(xy));
    assert!(w.ask(yz));
    assert_eq!(w.answered_by(xz), (false, Stage::Search));
}

#[test]
fn a_guess() {
    let mut w = world();
    let [x] = w.roots(["x"], Sort::Float(64));
    let two = w.terms.float(64, 2.0f64.to_bits());
    let large = w.terms.float_op(FloatOp::Lt, two, x);
    assert_eq!(w.answered_by(large), (true, Stage::Guess));
}

#[test]
fn bits() {
    let mut w = world();
    let [x, y] = w.roots(["x", "y"], Sort::Bits(16));
    let product = w.terms.bit_op(BitOp::Mul, x, y);
    let number = w.terms.bits(16, 143);
    let factors = w.terms.eq(product, number);
    assert_eq!(w.answered_by(factors), (true, Stage::Bits));
}

#[test]
fn z3() {
    let mut w = world();
    let [x, y] = w.roots(["x", "y"], Sort::Int);
    let one = w.terms.int(1);
    let (twice, again) = (w.terms.add(x, x), w.terms.add(y, y));
    let (even, odd) = (w.terms.add(twice, again), w.terms.add(again, one));
    let odd = w.terms.add(odd, again);
    let odd = w.terms.eq(even, odd);
    assert_eq!(w.answered_by(odd), (false, Stage::Z3));
    let mut alone = World::new(SolverConfig { kind: SolverKind::Z3, ..SolverConfig::default() });
    let [x, y] = alone.roots(["x", "y"], Sort::Bits(16));
    let product = alone.terms.bit_op(BitOp::Mul, x, y);
    let number = alone.terms.bits(16, 143);
    let factors = alone.terms.eq(product, number);
    assert_eq!(alone.answered_by(factors), (true, Stage::Z3));
}

/// Without the stages between what is known and the back ends, a back end is asked.
#[test]
fn back_ends_only() {
    let mut w = World::new(SolverConfig { backend_only: true, ..SolverConfig::default() });
    let [x, y] = w.roots(["x", "y"], Sort::Int);
    let below = w.terms.lt(x, y);
    assert_eq!(w.answered_by(below), (true, Stage::Z3));
    let [p, q] = w.roots(["p", "q"], Sort::Bool);
    let either = w.terms.or(p, q);
    assert_eq!(w.answered_by(either), (true, Stage::Bits));
}

#[test]
fn counters_have_names() {
    let mut w = world();
    let [x, y] = w.roots(["x", "y"], Sort::Int);
    let below = w.terms.lt(x, y);
    assert!(w.ask(below) && w.ask(Term::TRUE) && w.ask(Term::TRUE));
    let mut counters = w.solver.counters;
    let json = serde_json::to_value(counters).expect("counters can be written");
    let names: Vec<&str> = Stage::ALL.iter().map(|stage| stage.name()).chain(["unwind"]).collect();
    assert_eq!(json.as_object().expect("a map").len(), names.len());
    for name in names {
        let number = match name {
            "constants" => 2,
            "differences" => 1,
            _ => 0,
        };
        assert_eq!(json[name], number, "{name}");
        assert_eq!(Stage::by_name(name).map(Stage::name), (name != "unwind").then_some(name));
    }
    assert_eq!(serde_json::from_value::<Counters>(json).expect("what was written can be read"), counters);
    assert!(serde_json::from_str::<Counters>(r#"{"magic": 1}"#).is_err());
    counters.unwind = 7;
    counters += &counters.clone();
    assert_eq!((counters[Stage::Constants], counters[Stage::Differences], counters.unwind), (4, 2, 14));
    assert_eq!((counters.of(Kind::Known), counters.of(Kind::Theory), counters.backend()), (4, 2, 0));
}

/// The classes of a reference are no reason to leave the chain.
#[test]
fn classes_are_searched() {
    let mut w = world();
    let x = w.terms.symbol(Origin::Root("x".into(), 0), Sort::Ref, &Rc::from([(1, 4)]));
    let (low, high) = (w.terms.class_in(x, 1, 2), w.terms.class_in(x, 3, 4));
    let non_null = w.terms.ne(x, Term::NULL);
    assert!(w.ask(non_null) && w.ask(low));
    assert_eq!(w.answered_by(high), (false, Stage::Search));
}
