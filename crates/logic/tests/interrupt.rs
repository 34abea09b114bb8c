//! What takes long ends soon after it is interrupted, says so, and is asked anew the next time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lazuli_logic::interrupt::resident_memory;
use lazuli_logic::solver::Stage;
use lazuli_logic::{
    BitOp, Facts, FloatOp, Interrupt, Model, PathCondition, RefValue, Solver, SolverConfig, SolverKind, Sort, Term,
    Terms, Value, Verdict,
};

/// The work that may be done between an interruption and its effect.
const PROMPT: Duration = Duration::from_millis(500);
/// What passes before the interruption.
const BEFORE: Duration = Duration::from_millis(150);

/// The processor time of this thread, which others may read too. Tests run side by side and the machine is never idle: what passes by the
/// clock says little.
#[derive(Clone)]
struct Worked(PathBuf);

impl Worked {
    fn by_this_thread() -> Worked {
        let thread = std::fs::read_link("/proc/thread-self").expect("a thread has a name in /proc");
        Worked(Path::new("/proc").join(thread).join("schedstat"))
    }

    fn so_far(&self) -> Duration {
        let text = std::fs::read_to_string(&self.0).expect("the thread is there");
        let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse().ok());
        Duration::from_nanos(nanoseconds.expect("a number comes first"))
    }
}

/// Somebody who looks at the work of this thread at the moment of interruption.
struct Witness {
    worked: Worked,
    then: JoinHandle<Duration>,
}

impl Witness {
    /// After a while an interruption comes, and this is done.
    fn of(interrupt: impl FnOnce() + Send + 'static) -> Witness {
        let worked = Worked::by_this_thread();
        let seen = worked.clone();
        let then = std::thread::spawn(move || {
            std::thread::sleep(BEFORE);
            interrupt();
            seen.so_far()
        });
        Witness { worked, then }
    }

    /// What was done after the interruption, up to now.
    fn late(self) -> Duration {
        let now = self.worked.so_far();
        now.saturating_sub(self.then.join().expect("it only looks"))
    }

    fn assert_prompt(self) {
        let late = self.late();
        assert!(late < PROMPT, "{late:?} of work after the interruption");
    }
}

/// So much effort that nothing else ends a question.
fn patient(kind: SolverKind) -> Solver {
    Solver::new(SolverConfig { kind, effort: u64::MAX, ..SolverConfig::default() })
}

/// A prime of 61 bits has no factors of 32 bits: minutes of work for either back end.
fn factors(terms: &mut Terms) -> Term {
    let (x, y) = (terms.root("x", Sort::Bits(64)), terms.root("y", Sort::Bits(64)));
    let (product, prime) = (terms.bit_op(BitOp::Mul, x, y), terms.bits(64, (1 << 61) - 1));
    let (one, limit) = (terms.bits(64, 1), terms.bits(64, 1 << 32));
    let mut clauses = vec![terms.eq(product, prime)];
    for factor in [x, y] {
        clauses.push(terms.bit_op(BitOp::ULt, one, factor));
        clauses.push(terms.bit_op(BitOp::ULt, factor, limit));
    }
    terms.all(clauses)
}

/// A thousand multiplications, of which each depends on the one before: a circuit of millions of gates.
fn products(terms: &mut Terms) -> Term {
    let (mut x, mut y) = (terms.root("x", Sort::Bits(64)), terms.root("y", Sort::Bits(64)));
    for _ in 0..1_000 {
        (x, y) = (y, terms.bit_op(BitOp::Mul, x, y));
    }
    let number = terms.bits(64, 12_345);
    terms.eq(y, number)
}

/// Products of four numbers, in two orders, that are further apart than rounding allows.
fn float_products(terms: &mut Terms) -> Term {
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| terms.root(name, Sort::Float(64)));
    let mut op = |op: FloatOp, a: Term, b: Term| terms.float_op(op, a, b);
    let (xy, zw) = (op(FloatOp::Mul, x, y), op(FloatOp::Mul, z, w));
    let (left, right) = (op(FloatOp::Mul, xy, zw), op(FloatOp::Mul, xy, z));
    let right = op(FloatOp::Mul, right, w);
    let near = [(x, 1.25), (y, 1.5), (z, 1.75), (w, 1.125)].map(|(number, value)| {
        let (low, high) = (terms.float(64, f64::to_bits(value)), terms.float(64, f64::to_bits(value + 1e-3)));
        [terms.float_op(FloatOp::Lt, low, number), terms.float_op(FloatOp::Lt, number, high)]
    });
    let far = terms.float(64, 1.0f64.to_bits());
    let (sum, close) = (terms.float_op(FloatOp::Add, right, far), terms.float_op(FloatOp::Sub, left, far));
    let differ = terms.float_op(FloatOp::Lt, sum, close);
    terms.all(near.into_iter().flatten().chain([differ]))
}

/// The chain's verdict on a guard, how long it took beyond the moment of interruption, and the question once more.
fn interrupted(kind: SolverKind, question: fn(&mut Terms) -> Term, by_flag: bool) -> Stage {
    let mut terms = Terms::new();
    let guard = question(&mut terms);
    let mut solver = patient(kind);
    let path = PathCondition::default();
    let mut backend = None;
    // Twice: what is interrupted is not remembered, and the back end can still be used.
    for _ in 0..2 {
        let before = solver.counters;
        let flag = Arc::new(AtomicBool::new(false));
        let at = Instant::now() + BEFORE;
        terms.set_interrupt(Interrupt::new(flag.clone(), (!by_flag).then_some(at), None));
        let witness = Witness::of(move || flag.store(by_flag, Ordering::Relaxed));
        let verdict = solver.check(&mut terms, &path, guard);
        let now = Instant::now();
        witness.assert_prompt();
        let Verdict::Unknown(reason) = verdict else { panic!("an answer in no time: {verdict:?}") };
        assert!(reason.starts_with("interrupted"), "{reason}");
        assert_eq!(by_flag, reason == "interrupted", "{reason}");
        assert!(now >= at, "it was not interrupted yet");
        let moved = solver.counters.stages().find(|(stage, number)| *number != before[*stage]);
        backend = moved.map(|(stage, _)| stage);
    }
    // What is easy is answered as if nothing had been.
    terms.set_interrupt(Interrupt::default());
    let (x, one) = (terms.root("easy", Sort::Bits(8)), terms.bits(8, 1));
    let (sum, seven) = (terms.bit_op(BitOp::Mul, x, x), terms.bits(8, 49));
    let (easy, limit) = (terms.eq(sum, seven), terms.bit_op(BitOp::ULt, one, x));
    let easy = terms.and(easy, limit);
    let Verdict::Sat(path) = solver.check(&mut terms, &path, easy) else { panic!("7 times 7 is 49") };
    let model = path.model().expect("a path that was checked has a model");
    assert!(terms.holds(easy, &model));
    backend.expect("some stage gave up")
}

#[test]
fn cadical_is_interrupted() {
    assert_eq!(interrupted(SolverKind::Bits, factors, true), Stage::Bits);
    assert_eq!(interrupted(SolverKind::Bits, factors, false), Stage::Bits);
}

#[test]
fn the_circuit_is_interrupted() {
    assert_eq!(interrupted(SolverKind::Bits, products, true), Stage::Bits);
    assert_eq!(interrupted(SolverKind::Bits, products, false), Stage::Bits);
}

#[test]
fn z3_is_interrupted() {
    assert_eq!(interrupted(SolverKind::Z3, factors, true), Stage::Z3);
    assert_eq!(interrupted(SolverKind::Z3, factors, false), Stage::Z3);
}

#[test]
fn z3_is_interrupted_at_floating_point_numbers() {
    assert_eq!(interrupted(SolverKind::Auto, float_products, true), Stage::Z3);
    assert_eq!(interrupted(SolverKind::Auto, float_products, false), Stage::Z3);
}

/// Memory that is used up ends a question like time that is over.
#[test]
fn memory_is_a_limit() {
    let mut terms = Terms::new();
    let guard = products(&mut terms);
    let most = resident_memory() + (64 << 20);
    terms.set_interrupt(Interrupt::new(Arc::default(), None, Some(most)));
    let verdict = patient(SolverKind::Bits).check(&mut terms, &PathCondition::default(), guard);
    let Verdict::Unknown(reason) = verdict else { panic!("an answer: {verdict:?}") };
    assert_eq!(reason, "interrupted: the memory is used up");
}

// ---- terms ----

/// A choice between so many references.
fn choice(terms: &mut Terms, name: &str, leaves: usize) -> Term {
    let mut all = Term::NULL;
    for i in 0..leaves {
        let condition = terms.root(&format!("{name}?{i}"), Sort::Bool);
        let leaf = terms.root(&format!("{name}{i}"), Sort::Ref);
        all = terms.ite(condition, leaf, all);
    }
    all
}

/// Terms whose interrupt is raised after a while: when, and who sees what is done then.
fn soon(terms: &mut Terms) -> (Instant, Witness) {
    let at = Instant::now() + BEFORE;
    terms.set_interrupt(Interrupt::new(Arc::default(), Some(at), None));
    (at, Witness::of(|| {}))
}

/// A model of the conditions and references of a choice: the condition with this number is true, and those before it are not.
fn choosing(terms: &mut Terms, name: &str, leaves: usize, chosen: usize) -> Model {
    let mut model = Model::default();
    for i in 0..leaves {
        let condition = terms.root(&format!("{name}?{i}"), Sort::Bool);
        let leaf = terms.root(&format!("{name}{i}"), Sort::Ref);
        model.set(terms.as_symbol(condition).expect("a symbol"), Value::Bool(i <= chosen));
        let leaf = terms.as_symbol(leaf).expect("a symbol");
        model.set(leaf, Value::Ref(RefValue::Input(leaf)));
    }
    model
}

#[test]
fn the_leaves_of_a_large_choice_are_right_when_they_are_interrupted() {
    let mut terms = Terms::new();
    let large = choice(&mut terms, "a", 20_000);
    let (at, witness) = soon(&mut terms);
    let leaves = terms.leaves(large);
    assert!(Instant::now() >= at, "it was not interrupted");
    witness.assert_prompt();
    assert_eq!(leaves.len(), 20_001);
    for chosen in [0, 777, 19_999] {
        let model = choosing(&mut terms, "a", 20_000, chosen);
        let denoted = terms.eval(large, &model);
        // Guards are exclusive: of a few, the one of what is denoted holds.
        for (leaf, guard) in leaves.iter().step_by(97).chain(&leaves[19_998..]) {
            let is_denoted = terms.eval(*leaf, &model) == denoted;
            assert_eq!(terms.holds(*guard, &model), is_denoted, "{leaf:?}");
        }
        assert!(
            leaves.iter().any(|(leaf, guard)| { terms.eval(*leaf, &model) == denoted && terms.holds(*guard, &model) })
        );
    }
    // Nothing of it was kept.
    terms.set_interrupt(Interrupt::default());
    let small = choice(&mut terms, "a", 3);
    let guards: Vec<Term> = terms.leaves(small).iter().map(|(_, guard)| *guard).collect();
    let mut fresh = Terms::new();
    let same = choice(&mut fresh, "a", 3);
    let simplified: Vec<String> = fresh.leaves(same).iter().map(|(_, guard)| fresh.show(*guard)).collect();
    assert_eq!(guards.iter().map(|guard| terms.show(*guard)).collect::<Vec<_>>(), simplified);
}

#[test]
fn an_equality_of_large_choices_keeps_its_meaning() {
    let mut terms = Terms::new();
    let (a, b) = (choice(&mut terms, "a", 3_000), choice(&mut terms, "b", 3_000));
    let (at, witness) = soon(&mut terms);
    let equal = terms.eq(a, b);
    assert!(Instant::now() >= at, "it was not interrupted");
    witness.assert_prompt();
    let mut model = choosing(&mut terms, "a", 3_000, 12);
    model.absorb(&choosing(&mut terms, "b", 3_000, 34));
    assert!(!terms.holds(equal, &model));
    let (from, to) = (terms.root("b34", Sort::Ref), terms.root("a12", Sort::Ref));
    let (from, to) = (terms.as_symbol(from).expect("a symbol"), terms.as_symbol(to).expect("a symbol"));
    model.set(from, Value::Ref(RefValue::Input(to)));
    assert!(terms.holds(equal, &model));
    // The solver understands it as it stands.
    terms.set_interrupt(Interrupt::default());
    let verdict = Solver::new(SolverConfig::default()).check(&mut terms, &PathCondition::default(), equal);
    assert!(matches!(verdict, Verdict::Sat(_)), "{verdict:?}");
}

/// Many comparisons of sums of choices, under a path that decides one of them.
#[test]
fn a_restriction_that_is_interrupted_is_none() {
    let mut terms = Terms::new();
    let mut sum = terms.int(0);
    for i in 0..400 {
        let condition = terms.root(&format!("?{i}"), Sort::Bool);
        let (two, one) = (terms.int(2 + i), terms.int(1));
        let part = terms.ite(condition, two, one);
        sum = terms.add(sum, part);
    }
    let comparisons: Vec<Term> = (0..400)
        .map(|i| {
            let number = terms.root(&format!("n{i}"), Sort::Int);
            let moved = terms.add(sum, number);
            let limit = terms.int(1_000);
            terms.lt(moved, limit)
        })
        .collect();
    let all = terms.all(comparisons);
    let mut path = PathCondition::default();
    let first = terms.root("?0", Sort::Bool);
    path.assume_unchecked(&terms, first);
    let mut facts = Facts::default();
    facts.turn_to(&terms, &path);
    let (_, witness) = soon(&mut terms);
    let restricted = terms.under(&mut facts, all);
    witness.assert_prompt();
    for values in [3, 5_000] {
        let mut model = Model::default();
        model.set(terms.as_symbol(first).expect("a symbol"), Value::Bool(true));
        let number = terms.root("n7", Sort::Int);
        model.set(terms.as_symbol(number).expect("a symbol"), Value::Int(values));
        assert_eq!(terms.eval(restricted, &model), terms.eval(all, &model));
    }
}

/// Conditions that are nested a hundred thousand times neither overflow the stack nor go on for long.
#[test]
fn deep_conditions_are_interrupted() {
    let mut terms = Terms::new();
    let mut deep = terms.root("x", Sort::Bool);
    for i in 0..100_000 {
        let (a, b) = (terms.root(&format!("a{i}"), Sort::Bool), terms.root(&format!("b{i}"), Sort::Bool));
        let both = terms.and(b, deep);
        deep = terms.or(a, both);
    }
    for guard in [deep, terms.not(deep)] {
        let (_, witness) = soon(&mut terms);
        // An answer is as welcome, if it comes in time.
        let verdict = Solver::new(SolverConfig::default()).check(&mut terms, &PathCondition::default(), guard);
        assert!(!matches!(verdict, Verdict::Unsat));
        witness.assert_prompt();
    }
}
