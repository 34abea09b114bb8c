//! Terms: the one representation of every symbolic value.
//!
//! A [`Term`] is a `Copy` word. Small constants (booleans, integers of 61 bits, bit-vectors whose signed value has 55 bits,
//! floating-point numbers of 32 bits and those of 64 whose last four are zero, `null`, locations, input objects) live in the word itself, so that concrete execution builds nothing; everything else is an index into the
//! append-only, interned pool of [`Terms`]. Equal terms have equal words, and a node's children always precede it in
//! the pool, which is what lets every pass over a term be a loop instead of a recursion.
//!
//! This file stores terms. It must not simplify them: the smart constructors in [`crate::simplify`] are the only
//! callers of [`Terms::intern`].

mod symbols;
mod word;

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::rc::Rc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::float::{Conversion, FloatFn, FloatOp};
use crate::form::Forms;
use crate::interrupt::Interrupt;
use crate::seen::Seen;
pub use crate::sort::{Sort, Symbol};
use crate::value::Value;
pub use symbols::{ClassSet, Label, Origin, SymbolInfo};
pub(crate) use word::SMALL_INT;
pub use word::Term;
use word::{BITS, BOOL, FLOAT, INT, POOLED};

/// Operations on bit-vectors. Comparisons give `Bool`, all others the width of their operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitOp {
    Add,
    Sub,
    Mul,
    SDiv,
    SRem,
    UDiv,
    URem,
    Shl,
    AShr,
    LShr,
    And,
    Or,
    Xor,
    SLt,
    ULt,
}

impl BitOp {
    pub const ALL: [BitOp; 15] = [
        BitOp::Add,
        BitOp::Sub,
        BitOp::Mul,
        BitOp::SDiv,
        BitOp::SRem,
        BitOp::UDiv,
        BitOp::URem,
        BitOp::Shl,
        BitOp::AShr,
        BitOp::LShr,
        BitOp::And,
        BitOp::Or,
        BitOp::Xor,
        BitOp::SLt,
        BitOp::ULt,
    ];

    pub fn is_comparison(self) -> bool {
        matches!(self, BitOp::SLt | BitOp::ULt)
    }

    /// Whether its operands may change places.
    pub fn is_commutative(self) -> bool {
        matches!(self, BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor)
    }
}

/// What the pool holds. Constants appear here only when they do not fit into the word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Int(i64),
    Bits {
        width: u8,
        value: u64,
    },
    /// A bit pattern; NaN has only the canonical one.
    FloatConstant {
        width: u8,
        bits: u64,
    },
    Symbol(Symbol),
    Not(Term),
    /// At least two, sorted, none a constant, a nested `And`, or the complement of another.
    And(Box<[Term]>),
    /// Likewise.
    Or(Box<[Term]>),
    Ite(Term, Term, Term),
    /// Equality of two integers, bit-vectors or references; identity of two floating-point values.
    Eq(Term, Term),
    /// Strict order of two integers.
    Lt(Term, Term),
    /// `Σ coefficient·term + constant`, the terms sorted, none a constant or itself a sum.
    Sum(Box<[(Term, i64)]>, i64),
    /// `left + factor·right` whose coefficients would not fit into 64 bits, left to the solver as it stands.
    WideAdd(Term, i64, Term),
    Bit(BitOp, Term, Term),
    Extend {
        signed: bool,
        width: u8,
        term: Term,
    },
    Extract {
        high: u8,
        low: u8,
        term: Term,
    },
    Float(FloatOp, Term, Term),
    FloatFn(FloatFn, Term),
    /// To this width.
    Convert(Conversion, u8, Term),
    /// The class number of the object that a reference symbol denotes lies in `low..=high`.
    Class {
        reference: Term,
        low: u32,
        high: u32,
    },
}

/// How many nodes there is room for at first: small runs build no more.
const ROOM: usize = 1 << 11;

/// The pool.
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    /// The negation of every node that has one.
    negations: Vec<Option<Term>>,
    table: HashTable<u32>,
    symbols: Vec<SymbolInfo>,
    has_applications: bool,
    by_origin: FxHashMap<Origin, Symbol>,
    labels: Vec<Rc<str>>,
    by_label: FxHashMap<u64, FxHashMap<Rc<str>, Label>>,
    /// The leaves of a reference, see [`Terms::leaves`].
    pub(crate) leaves: FxHashMap<Term, Rc<[(Term, Term)]>>,
    pub(crate) seen: RefCell<Seen>,
    /// For [`Terms::sort_by_form`].
    pub(crate) forms: RefCell<Forms>,
    /// Room for the values of one evaluation, indexed like the pool.
    pub(crate) values: RefCell<Vec<Value>>,
    /// `choice = leaf` for the choices compared so far.
    pub(crate) equal_to_leaf: FxHashMap<(Term, Term), Term>,
    /// The locations of constant objects that symbols may denote: what these are called.
    pub(crate) constants: FxHashMap<u32, Symbol>,
    /// What ends a long loop over these terms early, in whatever stage or constructor it runs.
    pub(crate) interrupt: Interrupt,
    /// Room for the parts of one conjunction or disjunction.
    pub(crate) parts: Vec<Term>,
    /// How many nodes were asked for, new or not.
    asked: u64,
    /// Comparisons of integers that were built lately: `(a, b, a < b)`, at a place that depends on a and b.
    pub(crate) lately: Vec<(Term, Term, Term)>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        Terms {
            nodes: Vec::with_capacity(ROOM),
            sorts: Vec::with_capacity(ROOM),
            negations: Vec::with_capacity(ROOM),
            table: HashTable::with_capacity(ROOM),
            symbols: Vec::new(),
            has_applications: false,
            by_origin: FxHashMap::default(),
            labels: Vec::new(),
            by_label: FxHashMap::default(),
            leaves: FxHashMap::default(),
            seen: RefCell::default(),
            forms: RefCell::default(),
            values: RefCell::default(),
            equal_to_leaf: FxHashMap::default(),
            constants: FxHashMap::default(),
            interrupt: Interrupt::default(),
            parts: Vec::new(),
            asked: 0,
            lately: Vec::new(),
        }
    }

    /// From now on constructors, restriction and every solver that is asked about these terms end early when this is raised: a
    /// solver says that it does not know, and a term stays as it is.
    pub fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The number of nodes built so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many nodes were asked for, new or not: a measure of the work done on these terms.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// The node behind a term; `None` for a constant that lives in the word.
    #[inline]
    pub fn node(&self, term: Term) -> Option<&Node> {
        term.index().map(|i| &self.nodes[i])
    }

    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        match term.tag() {
            POOLED => self.sorts[term.payload() as usize],
            BOOL => Sort::Bool,
            INT => Sort::Int,
            BITS => Sort::Bits(term.width()),
            FLOAT => Sort::Float(if term.payload() & 1 == 0 { 32 } else { 64 }),
            _ => Sort::Ref,
        }
    }

    pub fn as_int(&self, term: Term) -> Option<i64> {
        term.as_small_int().or_else(|| match self.node(term)? {
            Node::Int(value) => Some(*value),
            _ => None,
        })
    }

    pub fn as_bits(&self, term: Term) -> Option<(u8, u64)> {
        term.as_small_bits().or_else(|| match self.node(term)? {
            Node::Bits { width, value } => Some((*width, *value)),
            _ => None,
        })
    }

    /// The width and the bit pattern of a floating-point constant.
    pub fn as_float(&self, term: Term) -> Option<(u8, u64)> {
        term.as_small_float().or_else(|| match self.node(term)? {
            Node::FloatConstant { width, bits } => Some((*width, *bits)),
            _ => None,
        })
    }

    #[inline]
    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        match self.node(term)? {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    #[inline]
    pub fn is_constant(&self, term: Term) -> bool {
        match self.node(term) {
            None => true,
            Some(node) => matches!(node, Node::Int(_) | Node::Bits { .. } | Node::FloatConstant { .. }),
        }
    }

    /// Whether a term is a constant, a symbol, or compares two of these: what is known of it is said by a clause as short.
    #[inline]
    pub fn is_plain(&self, term: Term) -> bool {
        term.index().is_none() || self.is_plain_node(term)
    }

    fn is_plain_node(&self, term: Term) -> bool {
        let is_atom = |term: Term| match self.node(term) {
            Some(Node::Symbol(_)) => true,
            Some(Node::Sum(parts, _)) => parts.iter().all(|(part, _)| self.as_symbol(*part).is_some()),
            _ => self.is_constant(term),
        };
        match self.node(term) {
            Some(Node::Not(negated)) => self.is_plain(*negated),
            Some(Node::Eq(a, b) | Node::Lt(a, b)) => is_atom(*a) && is_atom(*b),
            _ => is_atom(term),
        }
    }

    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        self.asked += 1;
        let hash = FxBuildHasher.hash_one(&node);
        let nodes = &self.nodes;
        if let Some(&index) = self.table.find(hash, |&i| nodes[i as usize] == node) {
            return Term::pooled(index as usize);
        }
        let term = self.push(node, sort);
        let (nodes, index) = (&self.nodes, term.payload() as u32);
        self.table.insert_unique(hash, index, |&i| FxBuildHasher.hash_one(&nodes[i as usize]));
        term
    }

    fn push(&mut self, node: Node, sort: Sort) -> Term {
        let index = u32::try_from(self.nodes.len()).expect("more than 2^32 terms");
        self.nodes.push(node);
        self.sorts.push(sort);
        self.negations.push(None);
        Term::pooled(index as usize)
    }

    /// The node `¬a`. Negations are found through what they negate, not through the table.
    pub(crate) fn intern_not(&mut self, a: Term) -> Term {
        let index = a.index().expect("a constant has no such node");
        if let Some(negation) = self.negations[index] {
            return negation;
        }
        let negation = self.push(Node::Not(a), Sort::Bool);
        self.negations[index] = Some(negation);
        negation
    }

    /// The negation of a term, if it exists already.
    pub(crate) fn negation(&self, a: Term) -> Option<Term> {
        match self.node(a)? {
            Node::Not(inner) => Some(*inner),
            _ => self.negations[a.payload() as usize],
        }
    }
}
