//! The theory of references: equalities, disequalities, null and class ranges of a conjunction of literals.
//!
//! A union-find over the symbols in play and `null`, a list of disequalities, and per representative the class numbers
//! that are still possible. Two symbols may be equal although their classes exclude each other: then both are null.

use std::rc::Rc;

use crate::eval::{Model, RefValue, Value};
use crate::term::{Node, Sort, Symbol, Term, Terms};

type Classes = Rc<[(u32, u32)]>;

/// Index of `null` in the union-find.
const NULL: u16 = 0;

/// A set of literals over references, kept consistent.
#[derive(Clone)]
pub struct References {
    symbols: Vec<Symbol>,
    parent: Vec<u16>,
    /// Class numbers still possible, valid at representatives other than `NULL`.
    classes: Vec<Classes>,
    disequalities: Vec<(u16, u16)>,
}

impl Default for References {
    fn default() -> Self {
        References::new()
    }
}

impl References {
    pub fn new() -> References {
        References {
            symbols: vec![Symbol(u32::MAX)],
            parent: vec![NULL],
            classes: vec![Rc::from([])],
            disequalities: Vec::new(),
        }
    }

    /// The vertex of a leaf: `null` or a symbol.
    fn vertex(&mut self, terms: &Terms, leaf: Term) -> u16 {
        let Some(symbol) = terms.as_symbol(leaf) else {
            debug_assert!(leaf.is_null(), "locations are folded away by the constructors");
            return NULL;
        };
        if let Some(i) = self.symbols.iter().position(|s| *s == symbol) {
            return i as u16;
        }
        self.symbols.push(symbol);
        self.parent.push(self.parent.len() as u16);
        self.classes.push(terms.symbol_info(symbol).classes.clone());
        self.parent.len() as u16 - 1
    }

    fn find(&self, mut vertex: u16) -> u16 {
        while self.parent[vertex as usize] != vertex {
            vertex = self.parent[vertex as usize];
        }
        vertex
    }

    /// What is known of an atom; `None` if it is open, or not about references.
    pub fn known(&mut self, terms: &Terms, atom: Term) -> Option<bool> {
        match *terms.node(atom)? {
            Node::Eq(a, b) if terms.sort(a) == Sort::Ref => {
                let (a, b) = (self.vertex(terms, a), self.vertex(terms, b));
                let (a, b) = (self.find(a), self.find(b));
                if a == b {
                    Some(true)
                } else if self.differ(a, b) {
                    Some(false)
                } else {
                    None
                }
            }
            Node::Class { reference, low, high } => {
                let vertex = self.vertex(terms, reference);
                let root = self.find(vertex);
                let classes = if root == NULL {
                    first_class(terms, reference)
                } else if self.differ(root, NULL) {
                    self.classes[root as usize].clone()
                } else {
                    return None;
                };
                if classes.iter().all(|&(l, h)| low <= l && h <= high) {
                    Some(true)
                } else if classes.iter().all(|&(l, h)| h < low || high < l) {
                    Some(false)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn differ(&self, a: u16, b: u16) -> bool {
        self.disequalities.iter().any(|&(x, y)| {
            let (x, y) = (self.find(x), self.find(y));
            (x, y) == (a, b) || (x, y) == (b, a)
        })
    }

    /// Adds a literal; `false` if it contradicts the others. A class literal wants its reference to be known non-null.
    pub fn assume(&mut self, terms: &Terms, atom: Term, positive: bool) -> bool {
        match *terms.node(atom).expect("atoms are not constants") {
            Node::Eq(a, b) => {
                let (a, b) = (self.vertex(terms, a), self.vertex(terms, b));
                if positive {
                    self.unite(a, b)
                } else if self.find(a) == self.find(b) {
                    false
                } else {
                    self.disequalities.push((a, b));
                    true
                }
            }
            Node::Class { reference, low, high } => {
                let vertex = self.vertex(terms, reference);
                let root = self.find(vertex);
                debug_assert!(self.differ(root, NULL));
                let narrowed = if positive {
                    clip(&self.classes[root as usize], low, high)
                } else {
                    cut(&self.classes[root as usize], low, high)
                };
                self.classes[root as usize] = narrowed.into();
                !self.classes[root as usize].is_empty()
            }
            ref other => unreachable!("not an atom about references: {other:?}"),
        }
    }

    fn unite(&mut self, a: u16, b: u16) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return true;
        }
        if self.differ(a, b) {
            return false;
        }
        // `null` stays a representative.
        let (kept, gone) = if b == NULL { (b, a) } else { (a, b) };
        if kept != NULL {
            let common: Vec<(u32, u32)> = self.classes[gone as usize]
                .iter()
                .flat_map(|&(l, h)| clip(&self.classes[kept as usize], l, h))
                .collect();
            self.classes[kept as usize] = common.into();
        }
        self.parent[gone as usize] = kept;
        if kept != NULL && self.classes[kept as usize].is_empty() {
            return self.unite(kept, NULL);
        }
        true
    }

    /// The atom `reference = null` must be decided before a class literal can be: whether it still is open.
    pub fn nullness_open(&mut self, terms: &Terms, reference: Term) -> bool {
        let vertex = self.vertex(terms, reference);
        let root = self.find(vertex);
        root != NULL && !self.differ(root, NULL)
    }

    /// Values for the symbols in play: what is not forced to be equal is different.
    pub fn model(&self, model: &mut Model) {
        for (i, &symbol) in self.symbols.iter().enumerate().skip(1) {
            let root = self.find(i as u16);
            if root == NULL {
                model.set(symbol, Value::Ref(RefValue::Null));
            } else {
                let object = self.symbols[root as usize];
                model.set(symbol, Value::Ref(RefValue::Input(object)));
                model.set_class(object, self.classes[root as usize][0].0);
            }
        }
    }
}

fn first_class(terms: &Terms, reference: Term) -> Classes {
    let symbol = terms.as_symbol(reference).expect("a class test is about a symbol");
    let first = terms.symbol_info(symbol).classes[0].0;
    Rc::from([(first, first)])
}

/// The part of `classes` inside `low..=high`.
fn clip(classes: &[(u32, u32)], low: u32, high: u32) -> Vec<(u32, u32)> {
    classes
        .iter()
        .filter_map(|&(l, h)| {
            let (l, h) = (l.max(low), h.min(high));
            (l <= h).then_some((l, h))
        })
        .collect()
}

/// The part of `classes` outside `low..=high`.
fn cut(classes: &[(u32, u32)], low: u32, high: u32) -> Vec<(u32, u32)> {
    let mut outside = Vec::new();
    for &(l, h) in classes {
        if l < low {
            outside.push((l, h.min(low - 1)));
        }
        if h > high {
            outside.push((l.max(high + 1), h));
        }
    }
    outside
}
