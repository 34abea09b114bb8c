//! Initial values as functions: of one object there is one, under every back end and with all stages between.
//!
//! Random questions about the fields of two references, beside an enumeration of all small heaps: no heap may be denied,
//! and every model must be a heap.

use std::rc::Rc;

use crate::random::{Tape, config, tape};
use lazuli_logic::{
    Model, Origin, PathCondition, RefValue, Solver, SolverConfig, SolverKind, Sort, Symbol, Term, Terms, Value, Verdict,
};
use proptest::prelude::*;

/// Heaps have so many objects, and numbers below this one.
const OBJECTS: usize = 3;
const NUMBERS: u64 = 2;

/// References a and b, their fields `f` (references) and `x` (numbers), and those of `a.f`.
struct World {
    terms: Terms,
    /// a, b, a.f, b.f, a.f.f
    references: [Term; 5],
    /// a.x, b.x, a.f.x
    numbers: [Term; 3],
    path: PathCondition,
    solver: Solver,
}

fn world(config: SolverConfig, sort: Sort) -> World {
    let mut terms = Terms::new();
    let (f, x) = (terms.label("f"), terms.label("x"));
    let apply = |terms: &mut Terms, holder: Term, label, sort| {
        let holder = terms.as_symbol(holder).expect("a reference");
        let value = terms.symbol(Origin::Field { holder, label }, sort, &Rc::from([(0, 9)]));
        terms.make_application(value);
        value
    };
    let root =
        |terms: &mut Terms, name: &str| terms.symbol(Origin::Root(name.into(), 0), Sort::Ref, &Rc::from([(0, 9)]));
    let (a, b) = (root(&mut terms, "a"), root(&mut terms, "b"));
    let af = apply(&mut terms, a, f, Sort::Ref);
    let bf = apply(&mut terms, b, f, Sort::Ref);
    let aff = apply(&mut terms, af, f, Sort::Ref);
    let numbers = [a, b, af].map(|holder| apply(&mut terms, holder, x, sort));
    let (mut path, mut solver) = (PathCondition::default(), Solver::new(config));
    // What is looked into is not null.
    for holder in [a, b, af] {
        let clause = terms.ne(holder, Term::NULL);
        let Verdict::Sat(extended) = solver.check(&mut terms, &path, clause) else { panic!("nothing is against it") };
        path = extended;
    }
    World { terms, references: [a, b, af, bf, aff], numbers, path, solver }
}

impl World {
    fn literal(&mut self, tape: &mut Tape) -> Term {
        let atom = match tape.below(3) {
            0 => {
                let (a, b) = (self.references[tape.below(5)], self.references[tape.below(5)]);
                self.terms.eq(a, b)
            }
            1 => self.terms.eq(self.references[tape.below(5)], Term::NULL),
            _ => {
                let (a, b) = (self.numbers[tape.below(3)], self.numbers[tape.below(3)]);
                self.terms.eq(a, b)
            }
        };
        if tape.below(2) == 0 { atom } else { self.terms.not(atom) }
    }

    /// A literal, or one of two, or a choice between two.
    fn clause(&mut self, tape: &mut Tape) -> Term {
        let first = self.literal(tape);
        match tape.below(4) {
            0 => {
                let second = self.literal(tape);
                self.terms.or(first, second)
            }
            1 => {
                let (second, third) = (self.literal(tape), self.literal(tape));
                self.terms.ite(first, second, third)
            }
            _ => first,
        }
    }

    /// Whether a small heap satisfies the clauses.
    fn has_heap(&self, clauses: &[Term]) -> bool {
        let (values, links) = (NUMBERS.pow(OBJECTS as u32), (OBJECTS as u64 + 1).pow(OBJECTS as u32));
        (1..=OBJECTS).any(|b| (0..links).any(|link| (0..values).any(|value| self.fits(clauses, b, link, value))))
    }

    /// Likewise the heap with `a` as its first object and `b` as another one, whose fields are digits of two numbers.
    fn fits(&self, clauses: &[Term], b: usize, links: u64, values: u64) -> bool {
        let digit = |number: u64, base: u64, object: usize| number / base.pow(object as u32 - 1) % base;
        let f = |object: usize| if object == 0 { 0 } else { digit(links, OBJECTS as u64 + 1, object) as usize };
        let x = |object: usize| if object == 0 { 0 } else { digit(values, NUMBERS, object) };
        let objects = [1, b, f(1), f(b), f(f(1))];
        let mut model = Model::default();
        for (reference, object) in self.references.into_iter().zip(objects) {
            // Objects are called by the first symbol that denotes them.
            let name = objects.iter().position(|other| *other == object).expect("it is one of them");
            let value = if object == 0 { RefValue::Null } else { RefValue::Input(self.symbol(self.references[name])) };
            model.set(self.symbol(reference), Value::Ref(value));
        }
        for (number, object) in self.numbers.into_iter().zip([1, b, f(1)]) {
            let value = match self.terms.sort(number) {
                Sort::Int => Value::Int(x(object).into()),
                _ => Value::Bits(x(object)),
            };
            model.set(self.symbol(number), value);
        }
        clauses.iter().all(|clause| self.terms.holds(*clause, &model))
    }

    fn symbol(&self, term: Term) -> Symbol {
        self.terms.as_symbol(term).expect("a symbol")
    }

    /// Whether the model gives one object one value of each field.
    fn is_heap(&self, model: &Model) -> bool {
        // What the model does not speak of follows from congruence.
        let mut symbols: Vec<Symbol> = self.references.iter().chain(&self.numbers).map(|t| self.symbol(*t)).collect();
        symbols.sort_unstable();
        let model = model.completed(&self.terms, &symbols);
        let value = |term: Term| model.value(&self.terms, self.symbol(term));
        let [a, b, af, bf, aff] = self.references.map(value);
        let [ax, bx, afx] = self.numbers.map(value);
        let objects = [(a, af, ax), (b, bf, bx), (af, aff, afx)];
        objects.iter().all(|(o, f, x)| objects.iter().all(|(p, g, y)| o != p || (f, x) == (g, y)))
    }
}

fn check(numbers: &[u16], config: SolverConfig, sort: Sort) -> Result<(), TestCaseError> {
    let mut world = world(config, sort);
    let mut tape = Tape::new(numbers);
    for _ in 0..8 {
        let guard = world.clause(&mut tape);
        let path = world.path.clone();
        match world.solver.check(&mut world.terms, &path, guard) {
            Verdict::Sat(extended) => {
                let model = extended.model().expect("it was checked");
                let clauses = extended.clauses();
                prop_assert!(clauses.iter().all(|clause| world.terms.holds(*clause, &model)));
                prop_assert!(world.is_heap(&model), "{model:?}");
                world.path = extended;
            }
            Verdict::Unsat => {
                let clauses = [path.clauses(), vec![guard]].concat();
                prop_assert!(!world.has_heap(&clauses), "{} is possible", world.terms.show(guard));
            }
            Verdict::Unknown(reason) => panic!("no answer: {reason}"),
        }
    }
    Ok(())
}

fn backend(kind: SolverKind) -> SolverConfig {
    SolverConfig { kind, backend_only: true, ..SolverConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn the_chain_keeps_the_axiom(numbers in tape(60)) {
        check(&numbers, SolverConfig::default(), Sort::Int)?;
        check(&numbers, SolverConfig::default(), Sort::Bits(8))?;
    }

    #[test]
    fn so_does_the_circuit(numbers in tape(60)) {
        check(&numbers, backend(SolverKind::Bits), Sort::Bits(8))?;
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn so_does_z3(numbers in tape(60)) {
        check(&numbers, backend(SolverKind::Z3), Sort::Int)?;
    }
}
