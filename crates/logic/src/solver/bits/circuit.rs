//! Gates over CaDiCaL: the boolean circuit that terms are translated into, written down as clauses while it is built.
//!
//! Invariants:
//! - A gate is built once (structural hashing) and folds its constants, so equal circuits cost nothing.
//! - A *positive* literal is true in the default model (all numbers 0, references distinct objects, booleans false).
//!   The solver tries the positive phase of a fresh variable first; hence whatever a query leaves open settles at the
//!   default without a conflict, and that includes every gate that belongs to abandoned queries only.
//! - Gates built under a *guard* are defined only while the guard is assumed. Multipliers and dividers are built so:
//!   otherwise a product that only an abandoned query mentions would have to be satisfied by every later query.
//!
//! This file knows nothing of terms, sorts or references.

use cadical::{Callbacks, Solver};
use rustc_hash::FxHashMap;

use crate::interrupt::Interrupt;

/// A literal in the DIMACS convention.
pub type Lit = i32;

pub const TRUE: Lit = 1;
pub const FALSE: Lit = -1;

/// A gate in normal form: operands sorted where the order does not matter, signs pulled out where that is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// `if .0 then .1 else .2`.
    Mux(Lit, Lit, Lit),
    Parity(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// Ends CaDiCaL's search, which asks it after every few decisions: often enough to look at the clock each time.
struct Terminator(Interrupt);

impl Callbacks for Terminator {
    fn terminate(&mut self) -> bool {
        self.0.cause().is_some()
    }
}

pub struct Circuit {
    solver: Solver<Terminator>,
    variables: Lit,
    /// The guard that definitions are currently under; `TRUE` for none.
    guard: Lit,
    /// Gates by the guard they are defined under.
    gates: FxHashMap<(Lit, Gate), Lit>,
    conjunctions: FxHashMap<(Lit, Box<[Lit]>), Lit>,
}

impl Circuit {
    pub fn new() -> Circuit {
        // Inprocessing costs more than it gains on queries that take a fraction of a millisecond.
        let mut solver = Solver::with_config("plain").expect("CaDiCaL has a plain configuration");
        solver.add_clause([TRUE]);
        Circuit {
            solver,
            variables: TRUE,
            guard: TRUE,
            gates: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
        }
    }

    /// How many variables there are: a measure of what a check costs.
    pub fn size(&self) -> usize {
        self.variables as usize
    }

    /// A fresh variable as the literal whose value in the default model is `default`.
    pub fn input(&mut self, default: bool) -> Lit {
        self.variables = self.variables.checked_add(1).expect("more than 2^31 variables");
        if default { self.variables } else { -self.variables }
    }

    /// Starts a guarded region and gives its guard, which every query that uses the region must assume.
    pub fn open_guard(&mut self) -> Lit {
        debug_assert_eq!(self.guard, TRUE, "guarded regions do not nest");
        // Off by default: nobody pays for a region that the query at hand does not use.
        self.guard = self.input(false);
        self.guard
    }

    pub fn close_guard(&mut self) {
        self.guard = TRUE;
    }

    /// A clause that always holds.
    pub fn require(&mut self, clause: &[Lit]) {
        debug_assert_eq!(self.guard, TRUE, "axioms are not guarded");
        self.emit(clause);
    }

    /// A clause that holds where the gates are defined that are being built: wherever their guard is assumed.
    pub fn constrain(&mut self, clause: &[Lit]) {
        if !clause.contains(&TRUE) {
            let open: Vec<Lit> = clause.iter().copied().filter(|literal| *literal != FALSE).collect();
            self.emit(&open);
        }
    }

    fn emit(&mut self, clause: &[Lit]) {
        let guard = (self.guard != TRUE).then_some(-self.guard);
        self.solver.add_clause(clause.iter().copied().chain(guard));
    }

    /// Decides the circuit under assumptions; `None` after so many conflicts, or when it is interrupted.
    pub fn solve(&mut self, assumptions: &[Lit], conflicts: u64, interrupt: &Interrupt) -> Option<bool> {
        let conflicts = i32::try_from(conflicts).unwrap_or(i32::MAX);
        self.solver.set_limit("conflicts", conflicts).expect("CaDiCaL limits conflicts");
        self.solver.set_callbacks(Some(Terminator(interrupt.clone())));
        self.solver.solve_with(assumptions.iter().copied())
    }

    /// The value of a literal in the solution just found.
    pub fn value(&self, literal: Lit) -> bool {
        match literal {
            TRUE => true,
            FALSE => false,
            // A variable that no clause mentions has no value; then the default is as good as any.
            _ => self.solver.value(literal).unwrap_or(literal > 0),
        }
    }

    // ---- gates ----

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == FALSE || b == FALSE || a == -b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        self.gate(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        -self.and(-a, -b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let sign = a.signum() * b.signum();
        let (a, b) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        if a == b {
            return sign * FALSE;
        }
        if a == TRUE {
            return sign * -b;
        }
        sign * self.gate(Gate::Xor(a, b))
    }

    pub fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let (condition, a, b) = if condition < 0 { (-condition, b, a) } else { (condition, a, b) };
        if condition == TRUE || a == b {
            return a;
        }
        if a == -b {
            return self.xor(condition, b);
        }
        match (a, b) {
            (TRUE, _) => self.or(condition, b),
            (FALSE, _) => self.and(-condition, b),
            (_, TRUE) => self.or(-condition, a),
            (_, FALSE) => self.and(condition, a),
            _ if a == condition => self.or(condition, b),
            _ if a == -condition => self.and(-condition, b),
            _ if b == condition => self.and(condition, a),
            _ if b == -condition => self.or(-condition, a),
            _ => self.gate(Gate::Mux(condition, a, b)),
        }
    }

    /// The exclusive or of three: the sum bit of a full adder.
    fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let sign = a.signum() * b.signum() * c.signum();
        let mut operands = [a.abs(), b.abs(), c.abs()];
        operands.sort_unstable();
        let [a, b, c] = operands;
        if a == TRUE || a == b || b == c {
            let pair = self.xor(a, b);
            return sign * self.xor(pair, c);
        }
        sign * self.gate(Gate::Parity(a, b, c))
    }

    /// Whether at least two of three hold: the carry bit of a full adder.
    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut operands = [a, b, c];
        operands.sort_unstable_by_key(|l| (l.abs(), *l));
        let [a, b, c] = operands;
        if a == b || a == -b {
            return if a == b { a } else { c };
        }
        if b == c || b == -c {
            return if b == c { b } else { a };
        }
        match a {
            TRUE => self.or(b, c),
            FALSE => self.and(b, c),
            // One of the two complements of a majority gate is built, whichever begins with a positive literal.
            _ if a < 0 => -self.gate(Gate::Majority(-a, -b, -c)),
            _ => self.gate(Gate::Majority(a, b, c)),
        }
    }

    /// The conjunction of a list, as one gate.
    pub fn all(&mut self, literals: &[Lit]) -> Lit {
        let mut parts: Vec<Lit> = literals.iter().copied().filter(|l| *l != TRUE).collect();
        parts.sort_unstable_by_key(|l| (l.abs(), *l));
        parts.dedup();
        if parts.windows(2).any(|pair| pair[0] == -pair[1]) || parts.contains(&FALSE) {
            return FALSE;
        }
        match *parts.as_slice() {
            [] => return TRUE,
            [only] => return only,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        let mut key = (self.guard, parts.into_boxed_slice());
        if let Some(&output) = self.conjunctions.get(&key) {
            return output;
        }
        let parts = std::mem::take(&mut key.1);
        let output = self.input(parts.iter().all(|l| *l > 0));
        for &part in &parts {
            self.emit(&[-output, part]);
        }
        let clause: Vec<Lit> = parts.iter().map(|l| -l).chain([output]).collect();
        self.emit(&clause);
        self.conjunctions.insert((key.0, parts), output);
        output
    }

    pub fn any(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|l| -l).collect();
        -self.all(&negated)
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        // What is defined without a guard is defined everywhere.
        let found = self.gates.get(&(TRUE, gate)).or_else(|| self.gates.get(&(self.guard, gate)));
        if let Some(&output) = found {
            return output;
        }
        let output = self.define(gate);
        self.gates.insert((self.guard, gate), output);
        output
    }

    fn define(&mut self, gate: Gate) -> Lit {
        match gate {
            Gate::And(a, b) => {
                let o = self.input(a > 0 && b > 0);
                self.emit_all(&[&[-o, a], &[-o, b], &[o, -a, -b]]);
                o
            }
            Gate::Xor(a, b) => {
                let o = self.input((a > 0) ^ (b > 0));
                self.emit_all(&[&[-o, a, b], &[-o, -a, -b], &[o, -a, b], &[o, a, -b]]);
                o
            }
            Gate::Mux(c, a, b) => {
                let o = self.input(if c > 0 { a > 0 } else { b > 0 });
                self.emit_all(&[&[-c, -a, o], &[-c, a, -o], &[c, -b, o], &[c, b, -o]]);
                // Implied, but what both branches agree on is then known before the condition is.
                self.emit_all(&[&[-a, -b, o], &[a, b, -o]]);
                o
            }
            Gate::Parity(a, b, c) => {
                let o = self.input((a > 0) ^ (b > 0) ^ (c > 0));
                self.emit_all(&[&[-o, a, b, c], &[-o, a, -b, -c], &[-o, -a, b, -c], &[-o, -a, -b, c]]);
                self.emit_all(&[&[o, -a, -b, -c], &[o, -a, b, c], &[o, a, -b, c], &[o, a, b, -c]]);
                o
            }
            Gate::Majority(a, b, c) => {
                let o = self.input((a > 0) as u8 + (b > 0) as u8 + (c > 0) as u8 >= 2);
                self.emit_all(&[&[-a, -b, o], &[-a, -c, o], &[-b, -c, o]]);
                self.emit_all(&[&[a, b, -o], &[a, c, -o], &[b, c, -o]]);
                o
            }
        }
    }

    fn emit_all(&mut self, clauses: &[&[Lit]]) {
        for clause in clauses {
            self.emit(clause);
        }
    }

    /// `a + b + carry` and the carry out.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.parity(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    /// The carry out of `a + b + carry` without the sum.
    pub fn carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Lit {
        a.iter().zip(b).fold(carry, |carry, (&x, &y)| self.majority(x, y, carry))
    }
}
