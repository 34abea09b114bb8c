//! How long the solver chain takes to decide path conditions over fixed-width and floating-point numbers, as programs in
//! bytecode leave them. Every family is a small program whose branches are explored depth first, both ways.
//!
//! ```text
//! cargo bench -p lazuli-logic --bench words               all families
//! cargo bench -p lazuli-logic --bench words -- floating   those with this in their name
//! ```

use std::time::Instant;

use lazuli_logic::solver::{Kind, Stage};
use lazuli_logic::{BitOp, FloatOp, PathCondition, Solver, SolverConfig, SolverKind, Sort, Term, Terms, Verdict};

/// Questions asked of one family at most.
const QUESTIONS: u64 = 4_000;

type Family = (&'static str, fn(&mut Terms) -> Vec<Term>);

const FAMILIES: [Family; 9] = [
    ("x < y", orders),
    ("0 <= i < length", bounds),
    ("bytes and characters", characters),
    ("x + 1 < y", successors),
    ("i + k < n", loops),
    ("(h ^ h >>> 16) & 15", hashes),
    ("31 * h + c", string_hashes),
    ("digits of a number", digits),
    ("floating point", floats),
];

fn main() {
    println!(
        "{:22} {:>5} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "", "", "questions", "µs each", "reuse", "order", "search", "back end"
    );
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    for (name, guards) in FAMILIES.into_iter().filter(|family| family.0.contains(&wanted)) {
        for (label, kind) in [("auto", SolverKind::Auto), ("z3", SolverKind::Z3)] {
            measure(name, label, kind, guards);
        }
    }
}

fn measure(name: &str, label: &str, kind: SolverKind, guards: fn(&mut Terms) -> Vec<Term>) {
    let mut terms = Terms::new();
    let guards = guards(&mut terms);
    let config = SolverConfig { kind, effort: 20_000, ..SolverConfig::default() };
    let mut run = Run { terms, solver: Solver::new(config), guards, questions: 0, unknown: 0 };
    let started = Instant::now();
    run.explore(&PathCondition::default(), 0);
    let each = started.elapsed().as_secs_f64() * 1e6 / run.questions as f64;
    let c = run.solver.counters;
    println!(
        "{name:22} {label:>5} {:>9} {each:>9.1} {:>8} {:>8} {:>8} {:>8}{}",
        run.questions,
        c.of(Kind::Known),
        c[Stage::Differences],
        c.of(Kind::Theory) - c[Stage::Differences],
        c.backend(),
        if run.unknown > 0 { format!("   {} unknown", run.unknown) } else { String::new() }
    );
}

struct Run {
    terms: Terms,
    solver: Solver,
    guards: Vec<Term>,
    questions: u64,
    unknown: u64,
}

impl Run {
    fn explore(&mut self, path: &PathCondition, depth: usize) {
        let Some(&guard) = self.guards.get(depth) else { return };
        let negated = self.terms.not(guard);
        for side in [guard, negated] {
            if self.questions >= QUESTIONS {
                return;
            }
            self.questions += 1;
            match self.solver.check(&mut self.terms, path, side) {
                Verdict::Sat(extended) => self.explore(&extended, depth + 1),
                Verdict::Unsat => {}
                Verdict::Unknown(_) => self.unknown += 1,
            }
        }
    }
}

// ---- the families ----

fn symbols(terms: &mut Terms, count: usize, sort: Sort) -> Vec<Term> {
    (0..count).map(|i| terms.root(&format!("x{i}"), sort)).collect()
}

fn less(terms: &mut Terms, a: Term, b: Term) -> Term {
    terms.bit_op(BitOp::SLt, a, b)
}

/// A sort by comparisons.
fn orders(terms: &mut Terms) -> Vec<Term> {
    let x = symbols(terms, 6, Sort::Bits(32));
    let pairs = (0..6).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.map(|(i, j)| less(terms, x[i], x[j])).collect()
}

/// Accesses to one array at unknown places.
fn bounds(terms: &mut Terms) -> Vec<Term> {
    let x = symbols(terms, 9, Sort::Bits(32));
    let zero = terms.bits(32, 0);
    let mut guards = vec![less(terms, x[0], zero)];
    for &index in &x[1..] {
        guards.push(less(terms, index, zero));
        guards.push(less(terms, index, x[0]));
    }
    guards
}

/// A scanner.
fn characters(terms: &mut Terms) -> Vec<Term> {
    let mut guards = Vec::new();
    for symbol in symbols(terms, 8, Sort::Bits(16)) {
        let character = terms.extend(false, 32, symbol);
        for edge in ['0', '9', 'a', 'z'] {
            let constant = terms.bits(32, edge as u64);
            guards.push(less(terms, character, constant));
        }
        let space = terms.bits(32, ' ' as u64);
        guards.push(terms.eq(character, space));
    }
    guards
}

fn successors(terms: &mut Terms) -> Vec<Term> {
    let x = symbols(terms, 10, Sort::Bits(32));
    let one = terms.bits(32, 1);
    x.windows(2)
        .map(|pair| {
            let next = terms.bit_op(BitOp::Add, pair[0], one);
            less(terms, next, pair[1])
        })
        .collect()
}

/// A loop with an unknown start and end, and an array access in it.
fn loops(terms: &mut Terms) -> Vec<Term> {
    let x = symbols(terms, 3, Sort::Bits(32));
    let zero = terms.bits(32, 0);
    let mut guards = Vec::new();
    for k in 0..40 {
        let step = terms.bits(32, k);
        let index = terms.bit_op(BitOp::Add, x[0], step);
        guards.push(less(terms, index, x[1]));
        guards.push(less(terms, index, zero));
        guards.push(less(terms, index, x[2]));
    }
    guards
}

/// The places of keys in a hash table, compared.
fn hashes(terms: &mut Terms) -> Vec<Term> {
    let (fold, mask) = (terms.bits(32, 16), terms.bits(32, 15));
    let places: Vec<Term> = symbols(terms, 6, Sort::Bits(32))
        .into_iter()
        .map(|hash| {
            let high = terms.bit_op(BitOp::LShr, hash, fold);
            let mixed = terms.bit_op(BitOp::Xor, hash, high);
            terms.bit_op(BitOp::And, mixed, mask)
        })
        .collect();
    let pairs: Vec<(usize, usize)> = (0..6).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    pairs.into_iter().map(|(i, j)| terms.eq(places[i], places[j])).collect()
}

/// The hash of a string of unknown characters, compared after each.
fn string_hashes(terms: &mut Terms) -> Vec<Term> {
    let factor = terms.bits(32, 31);
    let mut hash = terms.bits(32, 0);
    let mut guards = Vec::new();
    for (i, symbol) in symbols(terms, 6, Sort::Bits(16)).into_iter().enumerate() {
        let character = terms.extend(false, 32, symbol);
        let scaled = terms.bit_op(BitOp::Mul, hash, factor);
        hash = terms.bit_op(BitOp::Add, scaled, character);
        let limit = terms.bits(32, 1_000 << i);
        guards.push(less(terms, hash, limit));
        let (low, high) = (terms.bits(32, 'a' as u64), terms.bits(32, 'z' as u64));
        guards.push(less(terms, character, low));
        guards.push(less(terms, high, character));
    }
    guards
}

/// A number read from its digits, with a test against overflow.
fn digits(terms: &mut Terms) -> Vec<Term> {
    let (ten, zero, limit) = (terms.bits(32, 10), terms.bits(32, 0), terms.bits(32, i32::MAX as u64 / 10));
    let mut number = terms.bits(32, 0);
    let mut guards = Vec::new();
    for symbol in symbols(terms, 5, Sort::Bits(16)) {
        let character = terms.extend(false, 32, symbol);
        let offset = terms.bits(32, '0' as u64);
        let digit = terms.bit_op(BitOp::Sub, character, offset);
        guards.push(less(terms, digit, zero));
        guards.push(less(terms, digit, ten));
        guards.push(less(terms, limit, number));
        let scaled = terms.bit_op(BitOp::Mul, number, ten);
        number = terms.bit_op(BitOp::Add, scaled, digit);
    }
    guards.retain(|guard| guard.as_bool().is_none());
    guards
}

fn floats(terms: &mut Terms) -> Vec<Term> {
    let x = symbols(terms, 5, Sort::Float(64));
    let (two, limit) = (terms.float64(2.0), terms.float64(100.0));
    let mut guards = Vec::new();
    for pair in x.windows(2) {
        let twice = terms.float_op(FloatOp::Mul, pair[0], two);
        guards.push(terms.float_op(FloatOp::Lt, twice, pair[1]));
        let sum = terms.float_op(FloatOp::Add, pair[0], pair[1]);
        guards.push(terms.float_op(FloatOp::Le, sum, limit));
    }
    guards
}
