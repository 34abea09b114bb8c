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
    /// The nodes that an atom makes true or false, and whether it is one about references.
    pub(super) atoms: Vec<(u32, bool)>,
    /// Of a comparison its sides when it was last looked at, and what it then came to.
    pub(super) compared: Vec<(Term, Term, Term)>,
    /// The nodes that must be looked at.
    pub(super) dirty: Vec<bool>,
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
        self.dirty.clear();
        self.dirty.resize(number, false);
        for (place, &node) in self.nodes.iter().enumerate() {
            open_children(terms, &room.known, node, |child| {
                let begin = &mut self.begins[room.places[index(child)] as usize];
                *begin -= 1;
                self.above[*begin as usize] = place as u32;
            });
            let about_references = match terms.node(node) {
                Some(&Node::Eq(a, _)) => terms.sort(a) == Sort::Ref,
                Some(Node::Class { .. }) => true,
                Some(Node::Lt(..) | Node::Bit(BitOp::SLt, ..)) => false,
                Some(Node::Symbol(_)) if terms.sort(node) == Sort::Bool => false,
                _ => continue,
            };
            self.atoms.push((place as u32, about_references));
            // What a comparison comes to is noted when it is looked at.
            self.dirty[place] = true;
        }
        self.compared.clear();
        self.compared.resize(number, (Term::TRUE, Term::TRUE, Term::TRUE));
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
