//! The bit-blaster: booleans, bit-vectors and references as a circuit over CaDiCaL, incrementally.
//!
//! Every term is translated once; a clause becomes literals that are *assumed* when a query mentions it. A depth-first
//! exploration therefore pays for the new clause only, and CaDiCaL keeps what it has learnt, and even its trail as far
//! as the assumptions are the same. What abandoned branches leave behind is cheap (see `circuit`) but not free: when it
//! outweighs the query by far, the circuit is thrown away and rebuilt from the query at hand.
//!
//! `circuit` has the gates, `words` and `division` the arithmetic, `heap` the references; this file translates terms and reads models.
//! It must never be asked about an unbounded integer or a floating-point number: see [`understands`].

mod circuit;
mod division;
mod heap;
mod words;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::{Model, RefValue, Value};
use crate::solver::backend::{Answer, Backend};
use crate::solver::question::{Question, Reply};
use crate::solver::{Solver, Stage};
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};
use circuit::{Circuit, FALSE, Lit, TRUE};
use division::Division;
use heap::{Edge, Heap};
use words::Word;

/// The circuit is rebuilt when it has this many variables more than one and a half times those of the query that it was
/// built for. Every check that finds a model assigns all variables, so it pays to be quick to forget: on 32-bit path
/// conditions (and one times the query) 1 000 took 120 µs a check, 8 000 took 340 µs and 20 000 more than a
/// millisecond.
const SPARE_SIZE: usize = 1_000;

const FOREIGN: &str = "the bits solver is not asked about unbounded integers or floating-point numbers";

/// What it says to such a question all the same.
pub(crate) const FOREIGN_QUESTION: &str =
    "the bits solver decides neither unbounded integers nor floating-point numbers";

/// The stage: what it understands, and everything if it is the only back end.
pub(crate) fn answer(solver: &mut Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    let clauses = &question.constraints();
    (solver.backend_for(terms, clauses) == Stage::Bits).then(|| solver.ask_backend(terms, clauses, Stage::Bits))
}

/// Whether the clauses are free of unbounded integers and of floating-point numbers.
pub fn understands(terms: &Terms, clauses: &[Term]) -> bool {
    let is_foreign = |t: Term| matches!(terms.sort(t), Sort::Int | Sort::Float(_));
    terms.postorder(clauses).into_iter().all(|node| {
        let mut any = is_foreign(node);
        terms.children(node, |child| any |= is_foreign(child));
        !any
    })
}

pub struct Bits {
    /// How many conflicts one question may cost.
    effort: u64,
    encoder: Encoder,
    /// The size of the circuit after the first query it served.
    first_size: usize,
}

impl Bits {
    pub fn new(effort: u64) -> Bits {
        Bits { effort, encoder: Encoder::new(), first_size: 0 }
    }

    /// Forgets the questions before.
    fn renew(&mut self) {
        self.encoder = Encoder::new();
        self.first_size = 0;
    }

    fn ask(&mut self, terms: &Terms, clauses: &[Term]) -> Answer {
        let encoded: Option<Vec<Rc<Clause>>> = clauses.iter().map(|c| self.encoder.clause(terms, *c)).collect();
        let Some(encoded) = encoded else { return Answer::interrupted(terms.interrupt()) };
        if self.first_size == 0 {
            self.first_size = self.encoder.circuit.size();
        }
        let mut assumptions: Vec<Lit> = encoded.iter().flat_map(|c| c.assumptions.iter().copied()).collect();
        // A circuit that folds to false needs no solver.
        if assumptions.contains(&FALSE) {
            return Answer::Unsat;
        }
        self.encoder.assume_guards(&encoded, &mut assumptions);
        match self.encoder.circuit.solve(&assumptions, self.effort, terms.interrupt()) {
            Some(true) => Answer::Sat(self.encoder.model(terms, &encoded)),
            Some(false) => Answer::Unsat,
            None if terms.interrupt().cause().is_some() => Answer::interrupted(terms.interrupt()),
            None => Answer::exhausted("CaDiCaL", self.effort),
        }
    }
}

impl Backend for Bits {
    fn check(&mut self, terms: &Terms, clauses: &[Term]) -> Answer {
        if self.encoder.circuit.size() > self.first_size + self.first_size / 2 + SPARE_SIZE {
            self.renew();
        }
        let is_new = self.first_size == 0;
        match self.ask(terms, clauses) {
            // What the questions before have left behind may have been in the way: once more, without it.
            Answer::Unknown(_) if !is_new && terms.interrupt().cause().is_none() => {
                self.renew();
                self.ask(terms, clauses)
            }
            answer => answer,
        }
    }
}

/// A clause in terms of the circuit.
struct Clause {
    /// What to assume for the clause to hold.
    assumptions: Vec<Lit>,
    /// The guards of the large circuits below it.
    guards: Vec<Lit>,
    /// Its symbols, sorted, and its equality atoms between references: what a model is read from.
    symbols: Vec<Symbol>,
    edges: Vec<Edge>,
}

/// A translated term.
enum Encoded {
    Bool(Lit),
    Word(Word),
    /// The references that the term can denote, each with the literal under which it does.
    Leaves(Vec<(Term, Lit)>),
}

struct Encoder {
    circuit: Circuit,
    heap: Heap,
    encoded: FxHashMap<Term, Encoded>,
    clauses: FxHashMap<Term, Rc<Clause>>,
    /// The guards of the operations that are under one.
    guards: FxHashMap<Term, Lit>,
    /// The divisions of two terms, signed or not, and their guards: quotient and remainder are one circuit.
    divisions: FxHashMap<(bool, Term, Term), (Division, Lit)>,
}

/// `None` wherever a circuit is built: it is interrupted. What was built before stands, and is whole: a node is entered when all of
/// its circuit is there.
impl Encoder {
    fn new() -> Encoder {
        Encoder {
            circuit: Circuit::new(),
            heap: Heap::default(),
            encoded: FxHashMap::default(),
            clauses: FxHashMap::default(),
            guards: FxHashMap::default(),
            divisions: FxHashMap::default(),
        }
    }

    fn clause(&mut self, terms: &Terms, clause: Term) -> Option<Rc<Clause>> {
        if let Some(known) = self.clauses.get(&clause) {
            return Some(known.clone());
        }
        let nodes = terms.postorder(&[clause]);
        let mut result = Clause { assumptions: Vec::new(), guards: Vec::new(), symbols: Vec::new(), edges: Vec::new() };
        for &node in &nodes {
            if !self.encoded.contains_key(&node) {
                // A multiplier takes milliseconds: this looks at the clock.
                if terms.interrupt().cause().is_some() {
                    return None;
                }
                let encoded = self.translate(terms, node)?;
                self.encoded.insert(node, encoded);
            }
            result.guards.extend(self.guards.get(&node));
            match *terms.node(node).expect("only pooled terms are walked") {
                Node::Symbol(symbol) => result.symbols.push(symbol),
                Node::Eq(a, b) if terms.sort(a) == Sort::Ref => self.collect_edges(terms, a, b, &mut result.edges)?,
                _ => {}
            }
        }
        result.symbols.sort_unstable();
        // The parts of a conjunction are assumed one by one, which needs no gate that a model must satisfy.
        match terms.node(clause) {
            Some(Node::And(parts)) => result.assumptions.extend(parts.iter().map(|part| self.bool(*part))),
            _ => result.assumptions.push(self.bool(clause)),
        }
        result.assumptions.retain(|l| *l != TRUE);
        let result = Rc::new(result);
        self.clauses.insert(clause, result.clone());
        Some(result)
    }

    fn collect_edges(&mut self, terms: &Terms, a: Term, b: Term, edges: &mut Vec<Edge>) -> Option<()> {
        for (left, _) in self.leaves(a) {
            for (right, _) in self.leaves(b) {
                if terms.interrupt().is_raised() {
                    return None;
                }
                if let (Some(left), Some(right)) = (self.denoted(terms, left), self.denoted(terms, right))
                    && left != right
                    && !(left.is_other() && right.is_other())
                {
                    let equal = self.heap.equal(&mut self.circuit, terms, left, right);
                    edges.push(Edge { left, right, equal });
                }
            }
        }
        Some(())
    }

    /// A symbol or a named object, as the heap knows it.
    fn denoted(&mut self, terms: &Terms, leaf: Term) -> Option<Symbol> {
        let object = leaf.as_object().map(|symbol| self.heap.object(terms, symbol));
        object.or_else(|| terms.as_symbol(leaf))
    }

    // ---- translated terms ----

    fn bool(&self, term: Term) -> Lit {
        match (term.as_bool(), self.encoded.get(&term)) {
            (Some(true), _) => TRUE,
            (Some(false), _) => FALSE,
            (None, Some(Encoded::Bool(literal))) => *literal,
            _ => unreachable!("a translated boolean is wanted, not {term:?}"),
        }
    }

    fn word(&self, terms: &Terms, term: Term) -> Word {
        match (terms.as_bits(term), self.encoded.get(&term)) {
            (Some((width, value)), _) => words::constant(width, value),
            (None, Some(Encoded::Word(word))) => word.clone(),
            _ => unreachable!("a translated bit-vector is wanted, not {term:?}"),
        }
    }

    fn leaves(&self, term: Term) -> Vec<(Term, Lit)> {
        match self.encoded.get(&term) {
            None => vec![(term, TRUE)],
            Some(Encoded::Leaves(leaves)) => leaves.clone(),
            Some(_) => unreachable!("a translated reference is wanted, not {term:?}"),
        }
    }

    // ---- translation ----

    /// Translates a node whose children are translated.
    fn translate(&mut self, terms: &Terms, term: Term) -> Option<Encoded> {
        Some(match *terms.node(term).expect("only pooled terms are walked") {
            Node::Bits { width, value } => Encoded::Word(words::constant(width, value)),
            Node::Symbol(symbol) => self.symbol(terms, term, symbol),
            Node::Not(a) => Encoded::Bool(-self.bool(a)),
            Node::And(ref list) => {
                let parts: Vec<Lit> = list.iter().map(|t| self.bool(*t)).collect();
                Encoded::Bool(self.circuit.all(&parts))
            }
            Node::Or(ref list) => {
                let parts: Vec<Lit> = list.iter().map(|t| self.bool(*t)).collect();
                Encoded::Bool(self.circuit.any(&parts))
            }
            Node::Ite(condition, a, b) => self.choice(terms, self.bool(condition), a, b)?,
            Node::Eq(a, b) => Encoded::Bool(self.equality(terms, a, b)?),
            Node::Bit(op, a, b) => self.bit_op(terms, term, op, a, b),
            Node::Extend { signed, width, term: inner } => {
                let mut word = self.word(terms, inner);
                let fill = if signed { word[word.len() - 1] } else { FALSE };
                word.resize(width as usize, fill);
                Encoded::Word(word)
            }
            Node::Extract { high, low, term: inner } => {
                Encoded::Word(self.word(terms, inner)[low as usize..=high as usize].to_vec())
            }
            Node::Class { reference, low, high } => {
                let symbol = terms.as_symbol(reference).expect("a class test is about a symbol");
                Encoded::Bool(self.heap.class_atom(&mut self.circuit, terms, symbol, low, high))
            }
            Node::Int(_)
            | Node::Lt(..)
            | Node::Sum(..)
            | Node::WideAdd(..)
            | Node::FloatConstant { .. }
            | Node::Float(..)
            | Node::FloatFn(..)
            | Node::Convert(..) => unreachable!("{FOREIGN}"),
        })
    }

    fn symbol(&mut self, terms: &Terms, term: Term, symbol: Symbol) -> Encoded {
        match terms.sort(term) {
            Sort::Bool => Encoded::Bool(self.circuit.input(false)),
            Sort::Bits(width) => Encoded::Word((0..width).map(|_| self.circuit.input(false)).collect()),
            Sort::Ref => {
                self.heap.null(&mut self.circuit, terms, symbol);
                Encoded::Leaves(vec![(term, TRUE)])
            }
            Sort::Int | Sort::Float(_) => unreachable!("{FOREIGN}"),
        }
    }

    fn choice(&mut self, terms: &Terms, condition: Lit, a: Term, b: Term) -> Option<Encoded> {
        Some(match terms.sort(a) {
            Sort::Bool => Encoded::Bool(self.circuit.mux(condition, self.bool(a), self.bool(b))),
            Sort::Bits(_) => {
                let (a, b) = (self.word(terms, a), self.word(terms, b));
                Encoded::Word(self.circuit.choose(condition, &a, &b))
            }
            Sort::Ref => {
                let mut leaves: Vec<(Term, Lit)> = Vec::new();
                for (side, taken) in [(a, condition), (b, -condition)] {
                    for (leaf, guard) in self.leaves(side) {
                        if terms.interrupt().is_raised() {
                            return None;
                        }
                        let guard = self.circuit.and(taken, guard);
                        match leaves.iter_mut().find(|l| l.0 == leaf) {
                            Some(known) => known.1 = self.circuit.or(known.1, guard),
                            None => leaves.push((leaf, guard)),
                        }
                    }
                }
                Encoded::Leaves(leaves)
            }
            Sort::Int | Sort::Float(_) => unreachable!("{FOREIGN}"),
        })
    }

    fn equality(&mut self, terms: &Terms, a: Term, b: Term) -> Option<Lit> {
        Some(match terms.sort(a) {
            Sort::Bool => -self.circuit.xor(self.bool(a), self.bool(b)),
            Sort::Bits(_) => {
                let (a, b) = (self.word(terms, a), self.word(terms, b));
                self.circuit.equal(&a, &b)
            }
            Sort::Ref => {
                let mut cases = Vec::new();
                for (left, left_guard) in self.leaves(a) {
                    for (right, right_guard) in self.leaves(b) {
                        if terms.interrupt().is_raised() {
                            return None;
                        }
                        let equal = self.equal_leaves(terms, left, right);
                        cases.push(self.circuit.all(&[left_guard, right_guard, equal]));
                    }
                }
                self.circuit.any(&cases)
            }
            Sort::Int | Sort::Float(_) => unreachable!("{FOREIGN}"),
        })
    }

    /// Equality of null, locations, symbols and named objects. A location equals nothing but itself, and so does an object but
    /// for the symbols that denote it.
    fn equal_leaves(&mut self, terms: &Terms, a: Term, b: Term) -> Lit {
        if a == b {
            return TRUE;
        }
        match (self.denoted(terms, a), self.denoted(terms, b)) {
            (Some(a), Some(b)) if a.is_other() && b.is_other() => FALSE,
            (Some(a), Some(b)) => self.heap.equal(&mut self.circuit, terms, a, b),
            (Some(a), None) if b.is_null() => self.heap.null(&mut self.circuit, terms, a),
            (None, Some(b)) if a.is_null() => self.heap.null(&mut self.circuit, terms, b),
            _ => FALSE,
        }
    }

    fn bit_op(&mut self, terms: &Terms, term: Term, op: BitOp, a: Term, b: Term) -> Encoded {
        if let BitOp::SDiv | BitOp::SRem | BitOp::UDiv | BitOp::URem = op {
            return Encoded::Word(self.division(terms, term, op, a, b));
        }
        let (a, b) = (self.word(terms, a), self.word(terms, b));
        match op {
            BitOp::ULt => return Encoded::Bool(self.circuit.less(&a, &b)),
            BitOp::SLt => return Encoded::Bool(self.circuit.less_signed(&a, &b)),
            _ => {}
        }
        if !words::is_large(op, &a, &b) {
            return Encoded::Word(self.circuit.word_op(op, &a, &b));
        }
        let guard = self.circuit.open_guard();
        let word = self.circuit.word_op(op, &a, &b);
        self.circuit.close_guard();
        self.guards.insert(term, guard);
        Encoded::Word(word)
    }

    fn division(&mut self, terms: &Terms, term: Term, op: BitOp, a: Term, b: Term) -> Word {
        let is_signed = matches!(op, BitOp::SDiv | BitOp::SRem);
        let key = (is_signed, a, b);
        if !self.divisions.contains_key(&key) {
            let (a, b) = (self.word(terms, a), self.word(terms, b));
            let guard = self.circuit.open_guard();
            let division = if is_signed { self.circuit.divide_signed(&a, &b) } else { self.circuit.divide(&a, &b) };
            self.circuit.close_guard();
            self.divisions.insert(key, (division, guard));
        }
        let ((quotient, remainder), guard) = &self.divisions[&key];
        self.guards.insert(term, *guard);
        if matches!(op, BitOp::SDiv | BitOp::UDiv) { quotient.clone() } else { remainder.clone() }
    }

    /// Assumes the guards that the query needs, and the complements of all others: CaDiCaL remembers that a guard was
    /// on and would otherwise turn it on again in queries that have nothing to do with it.
    fn assume_guards(&self, clauses: &[Rc<Clause>], assumptions: &mut Vec<Lit>) {
        if self.guards.is_empty() {
            return;
        }
        let needed: FxHashSet<Lit> = clauses.iter().flat_map(|c| c.guards.iter().copied()).collect();
        let first = assumptions.len();
        assumptions.extend(self.guards.values().map(|g| if needed.contains(g) { *g } else { -g }));
        assumptions[first..].sort_unstable_by_key(|l| l.abs());
    }

    // ---- models ----

    /// Values for all symbols of the clauses. An input object is named by the first symbol that denotes it; if the clauses speak of
    /// names, by the symbol whose named object it is, or not by a symbol.
    fn model(&self, terms: &Terms, clauses: &[Rc<Clause>]) -> Model {
        let mut symbols: Vec<Symbol> = clauses.iter().flat_map(|c| c.symbols.iter().copied()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut objects = Objects::default();
        for edge in clauses.iter().flat_map(|c| &c.edges) {
            objects.are_named |= edge.left.is_other() || edge.right.is_other();
            if self.circuit.value(edge.equal) {
                objects.unite(edge.left, edge.right);
            }
        }
        let mut model = Model::default();
        for symbol in symbols {
            let info = terms.symbol_info(symbol);
            let value = match info.sort {
                Sort::Bool => Value::Bool(self.circuit.value(self.bool(info.term))),
                Sort::Bits(_) => {
                    let word = self.word(terms, info.term);
                    let bits = word.iter().enumerate();
                    Value::Bits(bits.fold(0, |value, (i, l)| value | (self.circuit.value(*l) as u64) << i))
                }
                Sort::Ref => Value::Ref(match self.heap.class_value(&self.circuit, symbol) {
                    None => RefValue::Null,
                    Some(class) => {
                        let object = objects.name(symbol);
                        model.set_class(object, class);
                        RefValue::Input(object)
                    }
                }),
                Sort::Int | Sort::Float(_) => unreachable!("{FOREIGN}"),
            };
            model.set(symbol, value);
        }
        model
    }
}

/// Which symbols denote one object: a union-find whose representatives are the named objects, or else the first symbols.
#[derive(Default)]
struct Objects {
    parent: FxHashMap<Symbol, Symbol>,
    /// Whether there are named objects, under the other names of their symbols.
    are_named: bool,
}

impl Objects {
    fn find(&self, mut symbol: Symbol) -> Symbol {
        while let Some(&parent) = self.parent.get(&symbol) {
            symbol = parent;
        }
        symbol
    }

    fn unite(&mut self, a: Symbol, b: Symbol) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            let first = std::cmp::min_by_key(a, b, |symbol| (!symbol.is_other(), *symbol));
            self.parent.insert(if first == a { b } else { a }, first);
        }
    }

    /// The name in a model of the object that a symbol denotes.
    fn name(&self, symbol: Symbol) -> Symbol {
        let object = self.find(symbol);
        match (self.are_named, object.is_other()) {
            (false, _) => object,
            (true, true) => object.named(),
            (true, false) => object.other(),
        }
    }
}
