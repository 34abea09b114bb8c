//! References as literals: null, identity of objects, and classes.
//!
//! The encoding, and why it is this one:
//! - *Null* is one variable a symbol, because `x = null` is by far the most frequent atom.
//! - *Identity* is a code of a few bits, given to a symbol when it is first compared with another. The `i`-th symbol's
//!   code has room for `i` and one bit to spare; a null reference has code 0. Any partition of the symbols can be
//!   coded, by naming a block after its least member, so the width of a code never has to change when later queries
//!   bring more symbols. Equality of `n` symbols then costs a handful of gates an atom, where equality literals would
//!   need transitivity for cubically many triples. The spare bit keeps "all of these differ" from becoming a pigeonhole
//!   problem.
//! - *Classes* are in order encoding: for every bound `p` that matters to a symbol, the literal "its class number is at
//!   least `p`". Ranges are then two literals, and the declared types of a program mention few bounds.
//! - *Named objects* ([`crate::Term::object`]) are references like symbols, under the symbol's other name, that are never null. Each
//!   has a number, and whatever may be equal to one has a word for the number of its object, its *owner*: so no object has two names.
//!   That is a few clauses an equality, where "all named objects differ" would be one for every pair.
//!
//! Classes and owners are tied together along the equalities that queries mention, not for all pairs: two symbols whose codes
//! agree by accident, with no true equality atom between them, may have different ones. A model must therefore be
//! read along the equality atoms of the query ([`Edge`]), never from the codes.

use rustc_hash::FxHashMap;

use super::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::term::{Symbol, Terms};

/// How many bits the number of a named object has.
const OWNER_BITS: u32 = 20;

/// An equality atom between two symbols, or a symbol and a named object.
#[derive(Clone, Copy)]
pub struct Edge {
    pub left: Symbol,
    pub right: Symbol,
    pub equal: Lit,
}

struct Reference {
    null: Lit,
    /// Empty until the symbol is compared with another.
    code: Vec<Lit>,
    /// Bounds with the literal "the class number is at least this", ascending. `0` and `2^32` are never here.
    bounds: Vec<(u64, Lit)>,
    /// The first declared class: the default.
    first: u32,
    /// Whether it is a constant object, which has that class.
    is_constant: bool,
    /// The number of the name of its object. Empty unless a named object is tied to it, over however many equalities.
    owner: Vec<Lit>,
    neighbours: Vec<(Symbol, Lit)>,
}

impl Reference {
    fn new(null: Lit, first: u32) -> Reference {
        let (code, bounds, owner, neighbours) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Reference { null, code, bounds, first, is_constant: false, owner, neighbours }
    }
}

#[derive(Default)]
pub struct Heap {
    references: FxHashMap<Symbol, Reference>,
    edges: FxHashMap<(Symbol, Symbol), Lit>,
    codes: usize,
    named: u32,
}

impl Heap {
    /// The literal "this symbol is null", declaring the symbol on first use.
    pub fn null(&mut self, circuit: &mut Circuit, terms: &Terms, symbol: Symbol) -> Lit {
        if let Some(reference) = self.references.get(&symbol) {
            return reference.null;
        }
        let classes = terms.symbol_info(symbol).classes.clone();
        let null = circuit.input(false);
        self.references.insert(symbol, Reference::new(null, classes[0].0));
        let ranges: Vec<Lit> = classes.iter().map(|&(low, high)| self.class_in(circuit, symbol, low, high)).collect();
        let typed = circuit.any(&ranges);
        if typed != TRUE {
            circuit.require(&[null, typed]);
        }
        null
    }

    /// The object that a symbol names, as a reference of its own.
    pub fn object(&mut self, terms: &Terms, symbol: Symbol) -> Symbol {
        let object = symbol.other();
        let (first, named) = (terms.symbol_info(symbol).classes[0].0, &mut self.named);
        self.references.entry(object).or_insert_with(|| {
            *named += 1;
            assert!(*named >> OWNER_BITS == 0, "a query does not name a million objects");
            let owner = (0..OWNER_BITS).map(|i| if *named >> i & 1 == 1 { TRUE } else { FALSE }).collect();
            Reference { owner, is_constant: terms.is_constant_object(symbol), ..Reference::new(FALSE, first) }
        });
        object
    }

    /// The literal "these two symbols are equal".
    pub fn equal(&mut self, circuit: &mut Circuit, terms: &Terms, a: Symbol, b: Symbol) -> Lit {
        let key = (a.min(b), a.max(b));
        if let Some(&literal) = self.edges.get(&key) {
            return literal;
        }
        let (mut left, mut right) = (self.identity(circuit, terms, a), self.identity(circuit, terms, b));
        let width = left.len().max(right.len());
        left.resize(width, FALSE);
        right.resize(width, FALSE);
        let equal = circuit.equal(&left, &right);
        self.edges.insert(key, equal);
        self.tie(circuit, Edge { left: a, right: b, equal });
        equal
    }

    /// Nullness and code: what two equal references agree on.
    fn identity(&mut self, circuit: &mut Circuit, terms: &Terms, symbol: Symbol) -> Vec<Lit> {
        let null = self.null(circuit, terms, symbol);
        let reference = self.references.get_mut(&symbol).expect("declared just above");
        if reference.code.is_empty() {
            let number = self.codes;
            self.codes += 1;
            let width = (usize::BITS - number.leading_zeros()) as usize + 1;
            reference.code = (0..width).map(|i| circuit.input(number >> i & 1 == 1)).collect();
            for &bit in &reference.code {
                circuit.require(&[-null, -bit]);
            }
        }
        std::iter::once(null).chain(reference.code.iter().copied()).collect()
    }

    /// Makes the classes of two symbols agree where the symbols are equal and not null.
    fn tie(&mut self, circuit: &mut Circuit, edge: Edge) {
        let Edge { left, right, equal } = edge;
        let of_left: Vec<u64> = self.references[&left].bounds.iter().map(|b| b.0).collect();
        let of_right: Vec<u64> = self.references[&right].bounds.iter().map(|b| b.0).collect();
        for bound in of_left.iter().filter(|b| !of_right.contains(b)) {
            self.add_bound(circuit, right, *bound);
        }
        for bound in of_right.iter().filter(|b| !of_left.contains(b)) {
            self.add_bound(circuit, left, *bound);
        }
        for i in 0..self.references[&left].bounds.len() {
            self.tie_bound(circuit, edge, i);
        }
        match (self.references[&left].owner.is_empty(), self.references[&right].owner.is_empty()) {
            (true, true) => {}
            (of_left, of_right) => {
                let without = [(of_left, left), (of_right, right)].into_iter().filter(|(is_without, _)| *is_without);
                without.for_each(|(_, symbol)| self.add_owner(circuit, symbol));
                self.tie_owner(circuit, edge);
            }
        }
        self.references.get_mut(&left).expect("declared").neighbours.push((right, equal));
        self.references.get_mut(&right).expect("declared").neighbours.push((left, equal));
    }

    /// Gives owners to a symbol without one and to all that are tied to it, which have none either.
    fn add_owner(&mut self, circuit: &mut Circuit, symbol: Symbol) {
        let mut reached = vec![symbol];
        let mut next = 0;
        while let Some(&current) = reached.get(next) {
            let reference = self.references.get_mut(&current).expect("declared");
            reference.owner = (0..OWNER_BITS).map(|_| circuit.input(false)).collect();
            let neighbours = reference.neighbours.iter().map(|(neighbour, _)| *neighbour);
            let new: Vec<Symbol> = neighbours.filter(|neighbour| !reached.contains(neighbour)).collect();
            reached.extend(new);
            next += 1;
        }
        for left in reached {
            for (right, equal) in self.references[&left].neighbours.clone() {
                if left < right {
                    self.tie_owner(circuit, Edge { left, right, equal });
                }
            }
        }
    }

    /// Equal references have the same owner. (Those that are null may have any, as nothing named is equal to them.)
    fn tie_owner(&mut self, circuit: &mut Circuit, edge: Edge) {
        let (left, right) = (&self.references[&edge.left].owner, &self.references[&edge.right].owner);
        for (&a, &b) in left.iter().zip(right) {
            circuit.require(&[-edge.equal, -a, b]);
            circuit.require(&[-edge.equal, a, -b]);
        }
    }

    /// The `i`-th bound of the two ends is the same: tied symbols have the same bounds.
    fn tie_bound(&mut self, circuit: &mut Circuit, edge: Edge, i: usize) {
        let (left, right) = (&self.references[&edge.left], &self.references[&edge.right]);
        let (bound, a) = left.bounds[i];
        let (other, b) = right.bounds[i];
        debug_assert_eq!(bound, other, "tied symbols have the same bounds");
        circuit.require(&[-edge.equal, left.null, -a, b]);
        circuit.require(&[-edge.equal, left.null, a, -b]);
    }

    /// Adds a bound to a symbol and to all that are tied to it.
    fn add_bound(&mut self, circuit: &mut Circuit, symbol: Symbol, bound: u64) {
        let mut reached = vec![symbol];
        let mut next = 0;
        self.insert_bound(circuit, symbol, bound);
        while next < reached.len() {
            let current = reached[next];
            for (neighbour, _) in self.references[&current].neighbours.clone() {
                if !reached.contains(&neighbour) {
                    self.insert_bound(circuit, neighbour, bound);
                    reached.push(neighbour);
                }
            }
            next += 1;
        }
        for &left in &reached {
            let place = self.references[&left].bounds.partition_point(|b| b.0 < bound);
            for (right, equal) in self.references[&left].neighbours.clone() {
                // Every edge is seen from both ends; once is enough.
                if left < right {
                    self.tie_bound(circuit, Edge { left, right, equal }, place);
                }
            }
        }
    }

    fn insert_bound(&mut self, circuit: &mut Circuit, symbol: Symbol, bound: u64) {
        let reference = self.references.get_mut(&symbol).expect("declared");
        let place = reference.bounds.partition_point(|b| b.0 < bound);
        debug_assert!(reference.bounds.get(place).is_none_or(|b| b.0 != bound), "a bound is added once");
        let literal = match (reference.is_constant, reference.first as u64 >= bound) {
            (true, true) => TRUE,
            (true, false) => FALSE,
            (false, likely) => circuit.input(likely),
        };
        reference.bounds.insert(place, (bound, literal));
        // At least a higher bound means at least a lower one.
        if place > 0 {
            circuit.require(&[-literal, reference.bounds[place - 1].1]);
        }
        if let Some(&(_, higher)) = reference.bounds.get(place + 1) {
            circuit.require(&[-higher, literal]);
        }
    }

    fn at_least(&mut self, circuit: &mut Circuit, symbol: Symbol, bound: u64) -> Lit {
        if bound == 0 {
            return TRUE;
        }
        if bound > u32::MAX as u64 {
            return FALSE;
        }
        let bounds = &self.references[&symbol].bounds;
        if bounds.binary_search_by_key(&bound, |b| b.0).is_err() {
            self.add_bound(circuit, symbol, bound);
        }
        let bounds = &self.references[&symbol].bounds;
        bounds[bounds.partition_point(|b| b.0 < bound)].1
    }

    /// The literal "the class number of this declared symbol's object is in a range"; it says nothing of null.
    fn class_in(&mut self, circuit: &mut Circuit, symbol: Symbol, low: u32, high: u32) -> Lit {
        let from = self.at_least(circuit, symbol, low as u64);
        let beyond = self.at_least(circuit, symbol, high as u64 + 1);
        circuit.and(from, -beyond)
    }

    /// A class atom. A null reference counts as having the first class of its declared type.
    pub fn class_atom(&mut self, circuit: &mut Circuit, terms: &Terms, symbol: Symbol, low: u32, high: u32) -> Lit {
        let null = self.null(circuit, terms, symbol);
        let inside = self.class_in(circuit, symbol, low, high);
        let first = self.references[&symbol].first;
        let when_null = if low <= first && first <= high { TRUE } else { FALSE };
        circuit.mux(null, when_null, inside)
    }

    /// In the solution just found: the class number of a symbol's object, `None` if it is null.
    pub fn class_value(&self, circuit: &Circuit, symbol: Symbol) -> Option<u32> {
        let reference = &self.references[&symbol];
        if circuit.value(reference.null) {
            return None;
        }
        let reached = reference.bounds.iter().rev().find(|b| circuit.value(b.1));
        Some(reached.map_or(0, |b| b.0 as u32))
    }
}
