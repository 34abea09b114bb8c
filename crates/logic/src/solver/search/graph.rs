//! What a case search looks at: the values of nodes, and the graph of those that are still open.

use super::Lists;
use crate::term::{BitOp, Node, Sort, Term, Terms};

/// The value of a term under an assignment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Known {
    /// A constant, a symbol, or a term that no longer depends on an open atom.
    Term(Term),
    /// The atom to decide first.
    Open(Term),
    /// Outside of what the search understands.
    Foreign,
}

/// Room for tables that are as large as the pool, and for lists, kept by the caller from one search to the next.
#[derive(Default)]
pub(crate) struct Room {
    /// The value of every node; only those of the nodes of the search are used.
    pub(super) known: Vec<Known>,
    /// The place of every node in the graph, likewise.
    pub(super) places: Vec<u32>,
    /// The walk that has met a node last, so that nothing has to be cleared between two.
    pub(super) seen: Vec<u32>,
    pub(super) walk: u32,
    /// The truth of the conditions and of the atoms about numbers that were assumed; of all others nothing.
    pub(super) decided: Vec<Option<bool>>,
    pub(super) lists: Lists,
}

/// The nodes that are open after the first evaluation: the others stay what they are. A node is known by its place among them.
#[derive(Default)]
pub(super) struct Graph {
    /// Children first.
    pub(super) nodes: Vec<Term>,
    /// For every node where its part of `above` begins; one more at the end.
    pub(super) begins: Vec<u32>,
    /// The nodes directly above.
    pub(super) above: Vec<u32>,
    /// The nodes that an atom makes true or false, and whether it is one about references; without those that are watched.
    pub(super) atoms: Vec<(u32, bool)>,
    /// The nodes that compare a reference, or ask for its class, where it is a symbol. Sorted.
    pub(super) watched: Watched,
    /// Of a comparison its sides when it was last looked at, and what it then came to.
    pub(super) compared: Vec<(Term, Term, Term)>,
    /// The nodes that must be evaluated again.
    pub(super) dirty: Places,
    /// Those, and the conditions above them.
    pub(super) stirred: Places,
}

/// The places of nodes that compare two references, by one of them: something must become known of both.
#[derive(Default)]
pub(super) struct Watched(Vec<(Term, Term, u32)>);

impl Watched {
    /// Those of a reference, with what it is compared with.
    pub(super) fn of(&self, reference: Term) -> impl Iterator<Item = (Term, u32)> {
        let first = self.0.partition_point(|(watched, ..)| *watched < reference);
        let those = self.0[first..].iter().take_while(move |(watched, ..)| *watched == reference);
        those.map(|&(_, other, place)| (other, place))
    }
}

/// A set of places.
#[derive(Default)]
pub(super) struct Places(Vec<u64>);

impl Places {
    /// Empties it, and makes room for so many.
    fn clear(&mut self, number: usize) {
        self.0.clear();
        self.0.resize(number.div_ceil(64), 0);
    }

    pub(super) fn insert(&mut self, place: u32) {
        self.0[place as usize / 64] |= 1 << (place % 64);
    }

    pub(super) fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// Whether it was there.
    pub(super) fn remove(&mut self, place: usize) -> bool {
        let was_there = self.contains(place);
        self.0[place / 64] &= !(1 << (place % 64));
        was_there
    }

    /// The first one from a place on.
    pub(super) fn first_from(&self, place: usize) -> Option<usize> {
        let mut word = place / 64;
        let mut bits = self.0.get(word)? >> (place % 64) << (place % 64);
        while bits == 0 {
            word += 1;
            bits = *self.0.get(word)?;
        }
        Some(64 * word + bits.trailing_zeros() as usize)
    }
}

impl Graph {
    /// Enters what is open below clauses that were evaluated.
    pub(super) fn enter(&mut self, terms: &Terms, room: &mut Room, clauses: &[Term]) {
        room.start_walk(terms.len());
        self.nodes.clear();
        let mut stack = clauses.to_vec();
        while let Some(node) = stack.pop() {
            if !room.has_seen(node) {
                room.seen[index(node)] = room.walk;
                self.nodes.push(node);
                open_children(terms, &room.known, node, |child| stack.push(child));
            }
        }
        self.nodes.sort_unstable();
        let number = self.nodes.len();
        for (place, &node) in self.nodes.iter().enumerate() {
            room.places[index(node)] = place as u32;
        }
        // The numbers of nodes above, then where each part ends, then the parts from their ends.
        self.begins.clear();
        self.begins.resize(number + 1, 0);
        for &node in &self.nodes {
            open_children(terms, &room.known, node, |child| {
                self.begins[room.places[index(child)] as usize] += 1;
            });
        }
        let mut end = 0;
        for begin in &mut self.begins {
            end += *begin;
            *begin = end;
        }
        self.above.clear();
        self.above.resize(end as usize, 0);
        self.atoms.clear();
        self.watched.0.clear();
        self.dirty.clear(number);
        self.stirred.clear(number);
        for (place, &node) in self.nodes.iter().enumerate() {
            open_children(terms, &room.known, node, |child| {
                let begin = &mut self.begins[room.places[index(child)] as usize];
                *begin -= 1;
                self.above[*begin as usize] = place as u32;
            });
            match terms.node(node) {
                Some(&Node::Eq(a, b)) if terms.sort(a) == Sort::Ref => match is_leaf(terms, a) && is_leaf(terms, b) {
                    true if a.is_null() => self.watched.0.push((b, a, place as u32)),
                    true => self.watched.0.push((a, b, place as u32)),
                    false => self.atoms.push((place as u32, true)),
                },
                Some(&Node::Class { reference, .. }) => self.watched.0.push((reference, reference, place as u32)),
                Some(Node::Eq(..) | Node::Lt(..) | Node::Bit(BitOp::SLt, ..)) => self.atoms.push((place as u32, false)),
                Some(Node::Symbol(_)) if terms.sort(node) == Sort::Bool => self.atoms.push((place as u32, false)),
                _ => continue,
            }
            // What a comparison comes to is noted when it is looked at.
            self.dirty.insert(place as u32);
        }
        self.watched.0.sort_unstable();
        self.compared.clear();
        self.compared.resize(number, (Term::TRUE, Term::TRUE, Term::TRUE));
    }

    /// What is dirty is stirred, and nothing else.
    pub(super) fn stir(&mut self) {
        self.stirred.0.copy_from_slice(&self.dirty.0);
    }
}

impl Room {
    pub(super) fn start_walk(&mut self, nodes: usize) {
        if self.known.len() < nodes {
            self.known.resize(nodes + nodes / 2, Known::Foreign);
            self.places.resize(nodes + nodes / 2, 0);
            self.seen.resize(nodes + nodes / 2, 0);
        }
        if self.walk == u32::MAX {
            self.seen.fill(0);
            self.walk = 0;
        }
        self.walk += 1;
    }

    /// Whether this walk has met a node; constants need not be met.
    pub(super) fn has_seen(&self, term: Term) -> bool {
        term.index().is_none_or(|i| self.seen[i] == self.walk)
    }
}

/// The children of an open node that are not settled, and on which its value still depends.
fn open_children(terms: &Terms, known: &[Known], node: Term, mut visit: impl FnMut(Term)) {
    let mut visit = |child: Term| {
        if !matches!(lookup(known, child), Known::Term(_)) {
            visit(child);
        }
    };
    match terms.node(node) {
        Some(&Node::Ite(c, a, b)) => match lookup(known, c) {
            Known::Term(Term::TRUE) => visit(a),
            Known::Term(_) => visit(b),
            _ => [c, a, b].into_iter().for_each(visit),
        },
        _ => terms.children(node, visit),
    }
}

/// Whether a reference is `null`, a symbol or an object, whatever is chosen.
fn is_leaf(terms: &Terms, reference: Term) -> bool {
    terms.as_symbol(reference).is_some() || terms.node(reference).is_none()
}

pub(super) fn index(term: Term) -> usize {
    term.index().expect("only pooled terms are walked")
}

pub(super) fn lookup(known: &[Known], term: Term) -> Known {
    term.index().map_or(Known::Term(term), |i| known[i])
}

pub(super) fn first_open<const N: usize>(parts: [Known; N]) -> Known {
    let mut result = Known::Foreign;
    for part in parts {
        match part {
            Known::Open(_) => return part,
            Known::Foreign => result = part,
            Known::Term(_) => {}
        }
    }
    result
}

/// The value of a conjunction or disjunction of values.
pub(super) fn junction(parts: impl Iterator<Item = Known>, conjunction: bool) -> Known {
    let mut result = Known::Term(Term::bool(conjunction));
    for part in parts {
        match (part, result) {
            (Known::Term(value), _) if value == Term::bool(!conjunction) => return part,
            (Known::Term(_), _) => {}
            (Known::Open(_), Known::Open(_)) => {}
            (Known::Open(_), _) => result = part,
            (Known::Foreign, Known::Term(_)) => result = part,
            (Known::Foreign, _) => {}
        }
    }
    result
}
