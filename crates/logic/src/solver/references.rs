//! The theory of references: equalities, disequalities, null and class ranges of a conjunction of literals.
//!
//! A union-find over the symbols in play, the objects they name, and `null`, and per representative those that it differs from and the class numbers
//! that are still possible. Two symbols may be equal although their classes exclude each other: then both are null.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::eval::{Model, RefValue, Value};
use crate::term::{Node, Sort, Symbol, Term, Terms};

type Classes = Rc<[(u32, u32)]>;

/// Index of `null` in the union-find.
const NULL: u16 = 0;

/// Among so many leaves it is quicker to look at each.
const FEW: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    Null,
    Symbol(Symbol),
    /// The object that a symbol names: a constant.
    Object(Symbol),
}

/// A set of literals over references, kept consistent.
pub struct References {
    /// `null`, symbols and objects.
    leaves: Vec<Term>,
    /// The vertices of leaves, where there are more than [`FEW`].
    vertices: FxHashMap<Term, u16>,
    parent: Vec<u16>,
    /// Class numbers still possible, valid at representatives other than `NULL`.
    classes: Vec<Classes>,
    /// A row of bits for every vertex: those that it differs from. Valid at representatives, and as far as these go.
    apart: Vec<u64>,
    /// The length of a row in words.
    width: usize,
    /// A set that contains the symbols with a vertex, see [`References::may_have_vertex`].
    met: u64,
    /// Bits of the representatives of which something became known since somebody looked, see [`References::is_touched`].
    touched: Vec<u64>,
    /// How many vertices have another representative than themselves that was not `null` when they got it.
    merged: usize,
    /// What was changed, to be taken back in the reverse order.
    changes: Vec<Change>,
}

/// A change, with what there was before.
enum Change {
    /// A new vertex.
    Vertex {
        met: u64,
    },
    /// A representative that is none any more.
    Parent(u16),
    Classes(u16, Classes),
    /// A word of a row of bits.
    Apart {
        row: u16,
        word: u16,
        bits: u64,
    },
}

impl Default for References {
    fn default() -> Self {
        References::new()
    }
}

impl References {
    pub fn new() -> References {
        References {
            leaves: vec![Term::NULL],
            vertices: FxHashMap::default(),
            parent: vec![NULL],
            classes: vec![Rc::from([])],
            apart: vec![0],
            width: 1,
            met: 0,
            touched: vec![0],
            merged: 0,
            changes: Vec::new(),
        }
    }

    /// How much was changed so far.
    pub fn mark(&self) -> usize {
        self.changes.len()
    }

    /// Takes back what was changed since. Rows that became longer stay so.
    pub fn back_to(&mut self, mark: usize) {
        while self.changes.len() > mark {
            match self.changes.pop().expect("there is a change after the mark") {
                Change::Vertex { met } => {
                    let leaf = self.leaves.pop().expect("a vertex has a leaf");
                    match self.leaves.len() {
                        FEW => self.vertices.clear(),
                        more if more > FEW => drop(self.vertices.remove(&leaf)),
                        _ => {}
                    }
                    self.parent.pop();
                    self.classes.pop();
                    self.apart.truncate(self.parent.len() * self.width);
                    self.met = met;
                }
                Change::Parent(vertex) => {
                    self.merged -= usize::from(self.parent[vertex as usize] != NULL);
                    self.parent[vertex as usize] = vertex;
                }
                Change::Classes(vertex, classes) => self.classes[vertex as usize] = classes,
                Change::Apart { row, word, bits } => self.apart[row as usize * self.width + word as usize] = bits,
            }
        }
    }

    fn set_classes(&mut self, vertex: u16, classes: Vec<(u32, u32)>) {
        self.touch(vertex);
        let before = std::mem::replace(&mut self.classes[vertex as usize], classes.into());
        self.changes.push(Change::Classes(vertex, before));
    }

    /// Whether a leaf may have a vertex: quick to say, and most symbols that are asked about are new.
    fn may_have_vertex(&self, leaf: Term) -> bool {
        leaf.index().is_none_or(|index| self.met >> (index % 64) & 1 == 1)
    }

    /// A vertex for a symbol, before anything is said of it.
    pub fn enter(&mut self, terms: &Terms, symbol: Term) -> u16 {
        self.vertex(terms, symbol)
    }

    /// Whether any two references may denote one object.
    pub fn has_merged(&self) -> bool {
        self.merged > 0
    }

    /// The representative of a vertex that is known to denote an object.
    pub fn object(&self, vertex: u16) -> Option<u16> {
        let root = self.find(vertex);
        (root != NULL && self.differ(root, NULL)).then_some(root)
    }

    /// Makes two vertices equal: whether they were not yet; `None` if they cannot be.
    pub fn merge(&mut self, a: u16, b: u16) -> Option<bool> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Some(false);
        }
        self.unite(a, b).then_some(true)
    }

    /// The vertex of a leaf, if it has one.
    fn find_vertex(&self, leaf: Term) -> Option<u16> {
        if leaf.is_null() {
            return Some(NULL);
        }
        if !self.may_have_vertex(leaf) {
            return None;
        }
        match self.leaves.len() > FEW {
            true => self.vertices.get(&leaf).copied(),
            false => self.leaves.iter().position(|known| *known == leaf).map(|at| at as u16),
        }
    }

    /// Likewise; it gets one if it has none.
    fn vertex(&mut self, terms: &Terms, leaf: Term) -> u16 {
        if let Some(vertex) = self.find_vertex(leaf) {
            return vertex;
        }
        let kind = leaf_of(terms, leaf);
        let (Leaf::Symbol(symbol) | Leaf::Object(symbol)) = kind else { unreachable!("null has a vertex") };
        let vertex = self.parent.len();
        if vertex == 64 * self.width {
            self.widen();
            self.touched.push(0);
        }
        self.changes.push(Change::Vertex { met: self.met });
        self.leaves.push(leaf);
        match self.leaves.len() {
            few if few == FEW + 1 => self.vertices.extend(self.leaves.iter().copied().zip(0..)),
            more if more > FEW => drop(self.vertices.insert(leaf, vertex as u16)),
            _ => {}
        }
        self.met |= leaf.index().map_or(0, |index| 1 << (index % 64));
        self.parent.push(vertex as u16);
        self.classes.push(terms.symbol_info(symbol).classes.clone());
        self.apart.resize((vertex + 1) * self.width, 0);
        if kind == Leaf::Object(symbol) {
            for other in 0..vertex as u16 {
                if self.leaves[other as usize].index().is_none() {
                    self.set_apart(self.find(other), vertex as u16);
                }
            }
        }
        vertex as u16
    }

    /// Makes the rows longer by a word.
    fn widen(&mut self) {
        let rows = self.apart.chunks(self.width);
        self.apart = rows.flat_map(|row| row.iter().copied().chain([0])).collect();
        self.width += 1;
    }

    fn find(&self, mut vertex: u16) -> u16 {
        while self.parent[vertex as usize] != vertex {
            vertex = self.parent[vertex as usize];
        }
        vertex
    }

    /// Whether two references are equal; `None` if that is open, or if one of them was never met.
    pub fn equal(&self, a: Term, b: Term) -> Option<bool> {
        if !self.may_have_vertex(a) || !self.may_have_vertex(b) {
            return None;
        }
        let (a, b) = (self.find_vertex(a)?, self.find_vertex(b)?);
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            Some(true)
        } else if self.differ(a, b) {
            Some(false)
        } else {
            None
        }
    }

    /// What is known of an atom; `None` if it is open, or not about references.
    pub fn known(&self, terms: &Terms, atom: Term) -> Option<bool> {
        match *terms.node(atom)? {
            Node::Eq(a, b) if terms.sort(a) == Sort::Ref => self.equal(a, b),
            Node::Class { reference, low, high } => {
                let vertex = self.find_vertex(reference)?;
                let root = self.find(vertex);
                let first;
                let classes = if root == NULL {
                    first = first_class(terms, reference);
                    &first
                } else if self.differ(root, NULL) {
                    &self.classes[root as usize]
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

    /// Whether two representatives are known to differ.
    fn differ(&self, a: u16, b: u16) -> bool {
        self.apart[a as usize * self.width + b as usize / 64] >> (b % 64) & 1 == 1
    }

    fn set_apart(&mut self, a: u16, b: u16) {
        for (row, other) in [(a, b), (b, a)] {
            self.touch(row);
            let bits = &mut self.apart[row as usize * self.width + other as usize / 64];
            self.changes.push(Change::Apart { row, word: other / 64, bits: *bits });
            *bits |= 1 << (other % 64);
        }
    }

    fn touch(&mut self, root: u16) {
        self.touched[root as usize / 64] |= 1 << (root % 64);
    }

    fn is_root_touched(&self, root: u16) -> bool {
        self.touched[root as usize / 64] >> (root % 64) & 1 == 1
    }

    /// Whether something became known of a reference since the last look.
    pub fn is_touched(&self, reference: Term) -> bool {
        self.find_vertex(reference).is_some_and(|vertex| self.is_root_touched(self.find(vertex)))
    }

    /// The symbols and objects of which something became known since the last look.
    pub fn touched(&self) -> impl Iterator<Item = Term> {
        let leaves = self.leaves.iter().enumerate().skip(1);
        leaves.filter(|(vertex, _)| self.is_root_touched(self.find(*vertex as u16))).map(|(_, leaf)| *leaf)
    }

    /// Whether it may have become known since the last look whether an atom holds. Of an equation something must have become known of both
    /// sides: that they are one, or apart.
    pub fn may_have_changed(&self, terms: &Terms, atom: Term) -> bool {
        match terms.node(atom) {
            Some(&Node::Eq(a, b)) => self.is_touched(a) && self.is_touched(b),
            Some(&Node::Class { reference, .. }) => self.is_touched(reference),
            _ => false,
        }
    }

    /// Somebody has looked.
    pub fn looked(&mut self) {
        self.touched.fill(0);
    }

    /// Adds a literal; `false` if it contradicts the others. A class literal wants its reference to be known non-null.
    pub fn assume(&mut self, terms: &Terms, atom: Term, positive: bool) -> bool {
        match *terms.node(atom).expect("atoms are not constants") {
            Node::Eq(a, b) => {
                let (a, b) = (self.vertex(terms, a), self.vertex(terms, b));
                let (a, b) = (self.find(a), self.find(b));
                if positive {
                    return self.unite(a, b);
                }
                if a != b {
                    self.set_apart(a, b);
                }
                a != b
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
                self.set_classes(root, narrowed);
                !self.classes[root as usize].is_empty()
            }
            ref other => unreachable!("not an atom about references: {other:?}"),
        }
    }

    /// Makes two representatives equal.
    fn unite(&mut self, a: u16, b: u16) -> bool {
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
            self.set_classes(kept, common);
        }
        self.changes.push(Change::Parent(gone));
        self.merged += usize::from(kept != NULL);
        self.parent[gone as usize] = kept;
        self.touch(kept);
        for vertex in 0..self.parent.len() as u16 {
            if self.differ(gone, vertex) {
                self.set_apart(kept, vertex);
            }
        }
        if kept != NULL && self.classes[kept as usize].is_empty() {
            return self.unite(kept, NULL);
        }
        true
    }

    /// The atom `reference = null` must be decided before a class literal can be: whether it still is open.
    pub fn nullness_open(&self, reference: Term) -> bool {
        let Some(vertex) = self.find_vertex(reference) else { return true };
        let root = self.find(vertex);
        root != NULL && !self.differ(root, NULL)
    }

    /// Values for the symbols in play: what is not forced to be equal is different.
    pub fn model(&self, terms: &Terms, model: &mut Model) {
        let roots: Vec<u16> = (0..self.parent.len() as u16).map(|vertex| self.find(vertex)).collect();
        for (leaf, &root) in self.leaves.iter().zip(&roots) {
            let Some(symbol) = terms.as_symbol(*leaf) else { continue };
            if root == NULL {
                model.set(symbol, Value::Ref(RefValue::Null));
                continue;
            }
            let object = self.name(terms, root, &roots);
            model.set(symbol, Value::Ref(RefValue::Input(object)));
            let class = self.classes[root as usize][0].0;
            if model.class(terms, object) != class {
                model.set_class(object, class);
            }
        }
    }
}

impl References {
    /// The name of an object: the one that is said to be its, or a symbol for it of which nothing is said.
    fn name(&self, terms: &Terms, root: u16, roots: &[u16]) -> Symbol {
        let leaves = self.leaves.iter().zip(roots).filter(|(_, other)| **other == root);
        let mut denoting = leaves.map(|(leaf, _)| leaf_of(terms, *leaf));
        let is_asked = |symbol: Symbol| self.leaves.contains(&Term::object(symbol));
        let named = denoting.clone().find_map(|leaf| match leaf {
            Leaf::Object(symbol) => Some(symbol),
            _ => None,
        });
        let free = denoting.clone().find_map(|leaf| match leaf {
            Leaf::Symbol(symbol) if !is_asked(symbol) => Some(symbol),
            _ => None,
        });
        named.or(free).unwrap_or_else(|| match denoting.next() {
            Some(Leaf::Symbol(symbol)) => symbol.other(),
            _ => unreachable!("an object has a name or a symbol for it"),
        })
    }
}

fn leaf_of(terms: &Terms, leaf: Term) -> Leaf {
    match (terms.as_symbol(leaf), leaf.as_object()) {
        (Some(symbol), _) => Leaf::Symbol(symbol),
        (_, Some(symbol)) => Leaf::Object(symbol),
        _ => {
            debug_assert!(leaf.is_null(), "locations are folded away by the constructors");
            Leaf::Null
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
