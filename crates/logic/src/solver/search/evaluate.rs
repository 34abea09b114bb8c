//! The values of terms in the course of a search: constants, leaves, or open for the want of an atom.

use super::graph::{Known, first_open, index, junction, lookup};
use super::{LOOK_EVERY, Search};
use crate::difference::{is_comparison, is_order_leaf};
use crate::term::{BitOp, Node, Sort, Term};

impl Search<'_> {
    /// Evaluates a clause for the first time, and only what its value depends on. Gives the number of nodes; `None` if it is
    /// interrupted.
    pub(super) fn evaluate_below(&mut self, clause: Term) -> Option<usize> {
        let mut number = 0;
        let mut stack = vec![clause];
        while let Some(&top) = stack.last() {
            if self.room.has_seen(top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut want = |term: Term| stack.extend((!self.room.has_seen(term)).then_some(term));
            match *self.terms.node(top).expect("a constant has been seen") {
                Node::Ite(c, ..) if !self.room.has_seen(c) => want(c),
                Node::Ite(c, a, b) => match lookup(&self.room.known, c) {
                    Known::Term(Term::TRUE) => want(a),
                    Known::Term(_) => want(b),
                    _ => [a, b].into_iter().for_each(want),
                },
                _ => self.terms.children(top, want),
            }
            if stack.len() == before {
                let value = self.evaluate(None, top);
                self.room.known[index(top)] = value;
                self.room.seen[index(top)] = self.room.walk;
                number += 1;
                stack.pop();
                if number & LOOK_EVERY == LOOK_EVERY && self.terms.interrupt().is_raised() {
                    return None;
                }
            }
        }
        Some(number)
    }

    /// Evaluates what is above the atoms that were decided since the last time. The conditions above one that was evaluated are *stirred*,
    /// whether or not it has another value now: the clauses among them may leave less choice than before.
    pub(super) fn evaluate_changed(&mut self) {
        for &(place, is_reference) in &self.graph.atoms {
            if let Known::Open(atom) = self.room.known[index(self.graph.nodes[place as usize])] {
                let may_change = match is_reference {
                    true => self.references.may_have_changed(self.terms, atom),
                    false => self.is_decided(atom).is_some(),
                };
                if may_change {
                    self.graph.dirty.insert(place);
                }
            }
        }
        for (other, place) in self.references.touched().flat_map(|reference| self.graph.watched.of(reference)) {
            let is_open = matches!(self.room.known[index(self.graph.nodes[place as usize])], Known::Open(_));
            if is_open && self.references.is_touched(other) {
                self.graph.dirty.insert(place);
            }
        }
        self.references.looked();
        self.graph.stir();
        // What is above a node comes after it.
        let mut next = self.graph.stirred.first_from(0);
        while let Some(place) = next {
            let has_changed = self.graph.dirty.remove(place) && self.evaluate_again(place);
            if has_changed || self.terms.sort(self.graph.nodes[place]) == Sort::Bool {
                let (begin, end) = (self.graph.begins[place], self.graph.begins[place + 1]);
                for &above in &self.graph.above[begin as usize..end as usize] {
                    self.graph.stirred.insert(above);
                    if has_changed {
                        self.graph.dirty.insert(above);
                    }
                }
            }
            next = self.graph.stirred.first_from(place + 1);
        }
    }

    /// Evaluates a node of the graph: whether it has another value now.
    fn evaluate_again(&mut self, place: usize) -> bool {
        let node = self.graph.nodes[place];
        let value = self.evaluate(Some(place), node);
        let before = std::mem::replace(&mut self.room.known[index(node)], value);
        if before != value && !self.levels.is_empty() {
            self.changes.push((node, before));
        }
        before != value
    }

    pub(super) fn evaluate(&mut self, place: Option<usize>, term: Term) -> Known {
        let get = |t: &Term| lookup(&self.room.known, *t);
        match self.terms.node(term).expect("only pooled terms are walked") {
            Node::Int(_) | Node::Bits { .. } | Node::FloatConstant { .. } => Known::Term(term),
            Node::Symbol(_) if self.terms.sort(term) == Sort::Bool => match self.is_decided(term) {
                Some(value) => Known::Term(Term::bool(value)),
                None => Known::Open(term),
            },
            Node::Symbol(_) => Known::Term(term),
            Node::Not(a) => match get(a) {
                Known::Term(value) => Known::Term(Term::bool(value == Term::FALSE)),
                other => other,
            },
            Node::And(list) => junction(list.iter().map(get), true),
            Node::Or(list) => junction(list.iter().map(get), false),
            Node::Ite(c, a, b) => match get(c) {
                Known::Term(Term::TRUE) => get(a),
                Known::Term(_) => get(b),
                Known::Open(atom) => match (get(a), get(b)) {
                    (Known::Term(x), Known::Term(y)) if x == y => Known::Term(x),
                    _ => Known::Open(atom),
                },
                Known::Foreign => Known::Foreign,
            },
            &Node::Eq(a, b) | &Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b) => match (get(&a), get(&b)) {
                (Known::Term(x), Known::Term(y)) => {
                    let literal = match place.map(|place| self.graph.compared[place]) {
                        Some((last_x, last_y, literal)) if (x, y) == (last_x, last_y) => literal,
                        _ if (x, y) == (a, b) => term,
                        _ => self.terms.compared(term, x, y),
                    };
                    if let Some(place) = place {
                        self.graph.compared[place] = (x, y, literal);
                    }
                    self.truth(literal)
                }
                (a, b) => first_open([a, b]),
            },
            &Node::Bit(op, a, b) => match (get(&a), get(&b)) {
                (Known::Term(a), Known::Term(b)) if self.terms.is_constant(a) && self.terms.is_constant(b) => {
                    Known::Term(self.terms.bit_op(op, a, b))
                }
                // Arithmetic on what is unknown is for the back end; on what is still open it may come to constants.
                (a, b) => match [a, b].into_iter().find(|side| !self.may_be_constant(*side)) {
                    Some(_) => Known::Foreign,
                    None => first_open([a, b]),
                },
            },
            Node::Sum(list, constant) => {
                let (list, constant) = (list.clone(), *constant);
                let mut sum = self.terms.int(constant);
                for (part, coefficient) in list {
                    if self.terms.interrupt().is_raised() {
                        return Known::Foreign;
                    }
                    match lookup(&self.room.known, part) {
                        Known::Term(part) => {
                            sum = match coefficient {
                                1 => self.terms.add(sum, part),
                                -1 => self.terms.sub(sum, part),
                                _ => return Known::Foreign,
                            }
                        }
                        other => return other,
                    }
                }
                Known::Term(sum)
            }
            Node::Class { .. } => self.truth(term),
            &Node::Extend { signed, width, term: inner } => match get(&inner) {
                Known::Term(inner) if is_order_leaf(self.terms, inner) => {
                    Known::Term(self.terms.extend(signed, width, inner))
                }
                Known::Term(_) => Known::Foreign,
                other => other,
            },
            &Node::Extract { high, low, term: inner } => match get(&inner) {
                Known::Term(inner) if self.terms.is_constant(inner) => {
                    Known::Term(self.terms.extract(high, low, inner))
                }
                Known::Term(_) => Known::Foreign,
                other => other,
            },
            Node::WideAdd(..) | Node::Float(..) | Node::FloatFn(..) | Node::Convert(..) => Known::Foreign,
        }
    }

    fn may_be_constant(&self, value: Known) -> bool {
        match value {
            Known::Term(term) => self.terms.is_constant(term),
            Known::Open(_) => true,
            Known::Foreign => false,
        }
    }

    /// The truth of an atom or its negation.
    fn truth(&mut self, literal: Term) -> Known {
        if literal.as_bool().is_some() {
            return Known::Term(literal);
        }
        let (atom, positive) = match self.terms.node(literal) {
            Some(Node::Not(inner)) => (*inner, false),
            _ => (literal, true),
        };
        let value = match self.terms.node(atom) {
            Some(Node::Class { reference, .. }) => {
                let reference = *reference;
                if self.references.nullness_open(reference) {
                    return Known::Open(self.terms.eq(reference, Term::NULL));
                }
                self.references.known(self.terms, atom)
            }
            Some(Node::Eq(a, _)) if self.terms.sort(*a) == Sort::Ref => self.references.known(self.terms, atom),
            Some(&Node::Eq(a, b) | &Node::Lt(a, b) | &Node::Bit(BitOp::SLt, a, b))
                if is_comparison(self.terms, a, b) =>
            {
                self.is_decided(atom)
            }
            _ => return Known::Foreign,
        };
        match value {
            Some(value) => Known::Term(Term::bool(value == positive)),
            None => Known::Open(atom),
        }
    }
}
