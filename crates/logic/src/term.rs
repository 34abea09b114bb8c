//! Terms: the one representation of every symbolic value.
//!
//! A [`Term`] is a `Copy` word. Small constants (booleans, integers of 61 bits, bit-vectors whose signed value has 55 bits,
//! floating-point numbers of 32 bits and those of 64 whose last four are zero, `null`, locations, input objects) live in the word itself, so that concrete execution builds nothing; everything else is an index into the
//! append-only, interned pool of [`Terms`]. Equal terms have equal words, and a node's children always precede it in
//! the pool, which is what lets every pass over a term be a loop instead of a recursion.
//!
//! This file stores terms. It must not simplify them: the smart constructors in [`crate::simplify`] are the only
//! callers of [`Terms::intern`].

use std::cell::RefCell;
use std::fmt;
use std::hash::BuildHasher;
use std::num::NonZeroU64;
use std::rc::Rc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::float::{Conversion, FloatFn, FloatOp};
use crate::form::Forms;
use crate::interrupt::Interrupt;
use crate::seen::Seen;
pub use crate::sort::{Sort, Symbol};
use crate::value::Value;

/// One word: a small constant, or the index of a node in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(NonZeroU64);

const TAG_BITS: u32 = 3;
const POOLED: u64 = 1;
const BOOL: u64 = 2;
const INT: u64 = 3;
const BITS: u64 = 4;
const NULL: u64 = 5;
const LOCATION: u64 = 6;
const FLOAT: u64 = 7;

/// A bit-vector keeps its width less one in these bits, and its signed value above them.
const WIDTH_BITS: u32 = 6;

/// The range of integers that fit into the word.
pub(crate) const SMALL_INT: std::ops::RangeInclusive<i64> = -(1 << 60)..=((1 << 60) - 1);

impl Term {
    pub const TRUE: Term = Term::tagged(BOOL, 1);
    pub const FALSE: Term = Term::tagged(BOOL, 0);
    pub const NULL: Term = Term::tagged(NULL, 0);

    const fn tagged(tag: u64, payload: u64) -> Term {
        match NonZeroU64::new(payload << TAG_BITS | tag) {
            Some(word) => Term(word),
            None => unreachable!(),
        }
    }

    const fn tag(self) -> u64 {
        self.0.get() & ((1 << TAG_BITS) - 1)
    }

    const fn payload(self) -> u64 {
        self.0.get() >> TAG_BITS
    }

    pub fn bool(value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// The object that the program allocated as its `n`-th (or, in concrete heaps, the `n`-th object).
    pub fn location(n: u32) -> Term {
        Term::tagged(LOCATION, n as u64)
    }

    /// The input object that a symbol names. The symbol need not denote it: it does, if it is the first to denote its object.
    pub fn object(symbol: Symbol) -> Term {
        Term::tagged(NULL, symbol.0 as u64 + 1)
    }

    pub(crate) fn small_int(value: i64) -> Term {
        debug_assert!(SMALL_INT.contains(&value));
        Term::tagged(INT, value as u64 & (u64::MAX >> TAG_BITS))
    }

    /// The bit-vector `value` (without bits beyond its width), if its signed value fits into the word: always, up to a width
    /// of 55 bits.
    pub(crate) fn small_bits(width: u8, value: u64) -> Option<Term> {
        let unused = 64 - width as u32;
        let signed = ((value << unused) as i64) >> unused;
        let word = (signed << (TAG_BITS + WIDTH_BITS)) as u64;
        let fits = (word as i64) >> (TAG_BITS + WIDTH_BITS) == signed;
        fits.then(|| Term::tagged(BITS, word >> TAG_BITS | (width as u64 - 1)))
    }

    /// The floating-point number with this (canonical) bit pattern, if it fits into the word.
    pub(crate) fn small_float(width: u8, bits: u64) -> Option<Term> {
        match width {
            32 => Some(Term::tagged(FLOAT, bits << 1)),
            _ => (bits & 15 == 0).then(|| Term::tagged(FLOAT, bits >> 3 | 1)),
        }
    }

    pub(crate) fn pooled(index: usize) -> Term {
        Term::tagged(POOLED, index as u64)
    }

    /// The node's place in the pool; `None` for a constant that lives in the word.
    pub fn index(self) -> Option<usize> {
        (self.tag() == POOLED).then(|| self.payload() as usize)
    }

    pub fn as_bool(self) -> Option<bool> {
        (self.tag() == BOOL).then(|| self.payload() == 1)
    }

    pub fn as_location(self) -> Option<u32> {
        (self.tag() == LOCATION).then(|| self.payload() as u32)
    }

    pub fn as_object(self) -> Option<Symbol> {
        (self.tag() == NULL && !self.is_null()).then(|| Symbol(self.payload() as u32 - 1))
    }

    pub(crate) fn as_small_int(self) -> Option<i64> {
        (self.tag() == INT).then(|| (self.0.get() as i64) >> TAG_BITS)
    }

    #[inline]
    pub(crate) fn as_small_bits(self) -> Option<(u8, u64)> {
        (self.tag() == BITS).then(|| {
            let signed = (self.0.get() as i64) >> (TAG_BITS + WIDTH_BITS);
            (self.width(), signed as u64 & (u64::MAX >> (64 - self.width() as u32)))
        })
    }

    pub(crate) fn as_small_float(self) -> Option<(u8, u64)> {
        (self.tag() == FLOAT).then(|| match self.payload() & 1 {
            0 => (32, self.payload() >> 1),
            _ => (64, self.payload() >> 1 << 4),
        })
    }

    /// The width of a bit-vector that lives in the word.
    const fn width(self) -> u8 {
        (self.payload() & ((1 << WIDTH_BITS) - 1)) as u8 + 1
    }

    pub fn is_null(self) -> bool {
        self == Term::NULL
    }

    /// A number that no other term has.
    pub fn number(self) -> u64 {
        self.0.get()
    }

    /// A number that depends on two terms, and hardly on anything in common.
    pub(crate) fn hashed(self, other: Term) -> usize {
        let mixed = (self.0.get() ^ other.0.get().rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 48) as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tag() {
            POOLED => write!(f, "#{}", self.payload()),
            BOOL => write!(f, "{}", self.payload() == 1),
            INT => write!(f, "{}", self.as_small_int().unwrap()),
            BITS => write!(f, "{:?}", self.as_small_bits().unwrap()),
            FLOAT => write!(f, "{:?}", self.as_small_float().unwrap()),
            NULL => match self.as_object() {
                Some(symbol) => write!(f, "o{}", symbol.0),
                None => write!(f, "null"),
            },
            _ => write!(f, "l{}", self.payload()),
        }
    }
}

impl Symbol {
    const OTHER: u32 = 1 << 31;

    /// The name, in models, of an object that the symbol denotes and does not name: see [`Term::object`].
    pub fn other(self) -> Symbol {
        Symbol(self.0 | Symbol::OTHER)
    }

    /// The symbol whose other name this is.
    pub(crate) fn named(self) -> Symbol {
        Symbol(self.0 & !Symbol::OTHER)
    }

    pub fn is_other(self) -> bool {
        self.0 & Symbol::OTHER != 0
    }
}

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

/// Where a symbol comes from; this names it, and equal origins are the same symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// An input of the program: a parameter, or a symbol the program text mentions. The number tells inputs of one name apart
    /// that different paths make: of different types.
    Root(Rc<str>, u32),
    /// The initial value of a field of the object that `holder` denotes.
    Field { holder: Symbol, label: Label },
    /// A constant object that is called so: nothing but its [`Term::object`] is ever used.
    Constant(Rc<str>),
}

/// An interned piece of a symbol's name (a field's name, qualified only where a reader needs that).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Label(u32);

/// Class numbers a reference symbol may have when it is not null: sorted, disjoint, inclusive intervals.
pub type ClassSet = Rc<[(u32, u32)]>;

/// A symbol's declaration.
#[derive(Clone, Debug)]
pub struct SymbolInfo {
    pub origin: Origin,
    pub sort: Sort,
    /// For references: the classes of the declared type.
    pub classes: ClassSet,
    /// For references: it denotes an object of its own, which no other symbol denotes.
    pub unique: bool,
    /// It is what a function gives for its holder: see [`crate::congruence`].
    pub is_application: bool,
    pub term: Term,
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
    pub fn node(&self, term: Term) -> Option<&Node> {
        term.index().map(|i| &self.nodes[i])
    }

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

    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        match self.node(term)? {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

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

    // ---- symbols ----

    pub fn label(&mut self, text: &str) -> Label {
        self.label_of(text, 0)
    }

    /// A label that is none of those with the same text and another number.
    pub fn label_of(&mut self, text: &str, number: u64) -> Label {
        let known = self.by_label.entry(number).or_default();
        if let Some(&label) = known.get(text) {
            return label;
        }
        let label = Label(self.labels.len() as u32);
        let text: Rc<str> = text.into();
        self.labels.push(text.clone());
        known.insert(text, label);
        label
    }

    pub fn label_text(&self, label: Label) -> &str {
        &self.labels[label.0 as usize]
    }

    /// The symbol with this origin, declared on first use. `classes` matters for references only.
    pub fn symbol(&mut self, origin: Origin, sort: Sort, classes: &ClassSet) -> Term {
        if let Some(&symbol) = self.by_origin.get(&origin) {
            return self.symbols[symbol.0 as usize].term;
        }
        let symbol = Symbol(self.symbols.len() as u32);
        let term = self.intern(Node::Symbol(symbol), sort);
        self.by_origin.insert(origin.clone(), symbol);
        let (unique, is_application) = (false, false);
        self.symbols.push(SymbolInfo { origin, sort, classes: classes.clone(), unique, is_application, term });
        term
    }

    /// A root symbol without classes: the usual need of tests and of numeric inputs.
    pub fn root(&mut self, name: &str, sort: Sort) -> Term {
        self.symbol(Origin::Root(name.into(), 0), sort, &Rc::from([(0, u32::MAX)]))
    }

    /// Declares that a new reference symbol is not null and equals no other. Nothing may have been said of it before.
    pub fn make_unique(&mut self, term: Term) {
        let symbol = self.as_symbol(term).expect("only a symbol can be unique");
        self.symbols[symbol.0 as usize].unique = true;
    }

    /// Declares that symbols may denote the object at a location, which has this class: wherever such a symbol is compared with the location, that is
    /// open. Nothing may have been compared with it before.
    pub fn make_constant(&mut self, location: u32, name: &str, class: u32) -> Symbol {
        let term = self.symbol(Origin::Constant(name.into()), Sort::Ref, &Rc::from([(class, class)]));
        let symbol = self.as_symbol(term).expect("just made");
        self.constants.insert(location, symbol);
        symbol
    }

    /// Whether a symbol is but the name of a constant object.
    pub fn is_constant_object(&self, symbol: Symbol) -> bool {
        matches!(self.symbol_info(symbol).origin, Origin::Constant(_))
    }

    pub fn is_unique(&self, term: Term) -> bool {
        self.as_symbol(term).is_some_and(|symbol| self.symbol_info(symbol).unique)
    }

    /// Declares that the initial value of a field is a function of its holder: of one object there is one. What names an
    /// object of its own is none.
    pub fn make_application(&mut self, term: Term) {
        let symbol = self.as_symbol(term).expect("only a symbol can be an application");
        let info = &mut self.symbols[symbol.0 as usize];
        debug_assert!(!info.unique && matches!(info.origin, Origin::Field { .. }));
        info.is_application = true;
        self.has_applications = true;
    }

    /// Whether any symbol is an application.
    #[inline]
    pub fn has_applications(&self) -> bool {
        self.has_applications
    }

    /// The holder and the function, if a symbol is an application.
    #[inline]
    pub fn application(&self, symbol: Symbol) -> Option<(Symbol, Label)> {
        match self.symbol_info(symbol) {
            SymbolInfo { origin: Origin::Field { holder, label }, is_application: true, .. } => Some((*holder, *label)),
            _ => None,
        }
    }

    pub fn symbol_info(&self, symbol: Symbol) -> &SymbolInfo {
        &self.symbols[(symbol.0 & !Symbol::OTHER) as usize]
    }

    /// All symbols, in the order of declaration: a holder before its fields.
    pub fn symbols(&self) -> impl Iterator<Item = (Symbol, &SymbolInfo)> {
        self.symbols.iter().enumerate().map(|(i, info)| (Symbol(i as u32), info))
    }

    /// The symbol's access path, such as `Y0.root.left`.
    pub fn symbol_name(&self, symbol: Symbol) -> String {
        let mut parts = Vec::new();
        let mut current = symbol;
        loop {
            match &self.symbol_info(current).origin {
                Origin::Root(name, _) | Origin::Constant(name) => {
                    parts.push(name.as_ref());
                    break;
                }
                Origin::Field { holder, label } => {
                    parts.push(self.label_text(*label));
                    current = *holder;
                }
            }
        }
        parts.reverse();
        // The elements of an array are labelled with brackets.
        parts.join(".").replace(".[", "[")
    }
}
