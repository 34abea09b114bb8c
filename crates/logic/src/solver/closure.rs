//! What a conjunction of difference constraints implies: the least upper bound of every difference, kept closed.
//!
//! A new constraint is put together with the bounds on both of its sides at once, so that a question about a difference is one look at a
//! table. What was added can be taken back in the reverse order. Disequalities tighten the bounds that they touch; what several
//! of them imply together (three different numbers do not fit between 0 and 1) is not seen.

use std::collections::BTreeSet;

use crate::difference::{Reading, reading, unit};
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};

/// Symbols beyond so many are not looked at: a constraint costs the square of their number.
const MOST: usize = 128;

const UNBOUNDED: i128 = i128::MAX;

/// How much there was at some moment.
#[derive(Clone, Copy, Default)]
pub struct Mark {
    vertices: usize,
    disequalities: usize,
    changes: usize,
}

/// The symbols of a closed set of constraints; the first vertex is the constant 0.
#[derive(Default)]
pub struct Closure {
    names: Vec<Option<Symbol>>,
    /// How the bit-vectors among them are read.
    readings: Vec<Option<Reading>>,
    /// The least upper bound of `x − y`, at [`place`]`(x, y)`.
    bounds: Vec<i128>,
    /// For pairs `x, y` what `x − y` is not.
    excluded: Vec<(usize, usize, BTreeSet<i128>)>,
    /// The places of the pairs, and what was excluded there, in the order in which that was said.
    disequalities: Vec<(usize, i128)>,
    /// The bounds that were changed, with their former values.
    changes: Vec<(u32, i128)>,
}

/// Where the bound on `x − y` is. All pairs of the first vertices come first, so that a new vertex moves nothing.
fn place(x: usize, y: usize) -> usize {
    if x >= y { x * x + y } else { y * y + y + 1 + x }
}

impl Closure {
    pub fn mark(&self) -> Mark {
        let (vertices, disequalities) = (self.names.len(), self.disequalities.len());
        Mark { vertices, disequalities, changes: self.changes.len() }
    }

    /// Forgets what was added since.
    pub fn back_to(&mut self, mark: Mark) {
        for (at, bound) in self.changes.drain(mark.changes..).rev() {
            self.bounds[at as usize] = bound;
        }
        for (at, bound) in self.disequalities.drain(mark.disequalities..).rev() {
            let excluded = &mut self.excluded[at].2;
            excluded.remove(&bound);
            // The pairs that came later are gone already.
            if excluded.is_empty() {
                self.excluded.truncate(at);
            }
        }
        self.names.truncate(mark.vertices);
        self.readings.truncate(mark.vertices);
        self.bounds.truncate(mark.vertices * mark.vertices);
    }

    /// Adds an atom or its negation; what is no difference constraint is left out.
    pub fn add(&mut self, terms: &Terms, atom: Term, positive: bool) {
        match *terms.node(atom).expect("an atom is no constant") {
            Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) => match self.difference(terms, a, b) {
                Some((x, y, bound)) if positive => self.bound(x, y, bound - 1),
                Some((x, y, bound)) => self.bound(y, x, -bound),
                None => return,
            },
            Node::Eq(a, b) => match self.difference(terms, a, b) {
                Some((x, y, bound)) if positive => {
                    self.bound(x, y, bound);
                    self.bound(y, x, -bound);
                }
                Some((x, y, bound)) => self.exclude(x, y, bound),
                None => return,
            },
            _ => return,
        }
        while self.tighten() {}
    }

    /// The truth of an atom, if it follows.
    pub fn known(&mut self, terms: &Terms, atom: Term) -> Option<bool> {
        match *terms.node(atom)? {
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) => self.compared(terms, atom, a, b).flatten(),
            _ => None,
        }
    }

    /// Likewise of the comparison of `a` and `b` by the relation of `like`, which nobody has to build for it; `None` if it is no
    /// difference constraint.
    pub fn compared(&mut self, terms: &Terms, like: Term, a: Term, b: Term) -> Option<Option<bool>> {
        let (left, c) = unit(terms, a)?;
        let (right, d) = unit(terms, b)?;
        let (x, y, bound) = match terms.sort(a) {
            // Of an integer that was never met, nothing is known but what it is by itself.
            Sort::Int => match (self.find(left), self.find(right)) {
                (Some(x), Some(y)) => (x, y, d - c),
                _ if left == right => return None,
                _ => return Some(None),
            },
            _ => self.difference(terms, a, b)?,
        };
        let (most, least) = (self.bounds[place(x, y)], self.bounds[place(y, x)]);
        Some(if matches!(terms.node(like), Some(Node::Eq(..))) {
            if most == bound && least == -bound {
                Some(true)
            } else if most < bound || least < -bound || self.differ(x, y, bound) {
                Some(false)
            } else {
                None
            }
        } else if most < bound {
            Some(true)
        } else if least <= -bound {
            Some(false)
        } else {
            None
        })
    }

    /// Adds `x − y ≠ bound`.
    fn exclude(&mut self, x: usize, y: usize, bound: i128) {
        let known = self.excluded.iter().position(|(a, b, _)| (*a, *b) == (x, y));
        let at = known.unwrap_or_else(|| {
            self.excluded.push((x, y, BTreeSet::new()));
            self.excluded.len() - 1
        });
        if self.excluded[at].2.insert(bound) {
            self.disequalities.push((at, bound));
        }
    }

    /// Whether `x − y ≠ bound` was said, of these two or of two that are at known distances from them.
    fn differ(&self, x: usize, y: usize, bound: i128) -> bool {
        self.excluded.iter().any(|(a, b, excluded)| {
            let straight = self.distance(x, *a).zip(self.distance(y, *b)).map(|(p, q)| bound - p + q);
            let turned = self.distance(x, *b).zip(self.distance(y, *a)).map(|(p, q)| p - q - bound);
            straight.is_some_and(|value| excluded.contains(&value))
                || turned.is_some_and(|value| excluded.contains(&value))
        })
    }

    /// `x − y`, if it is known.
    fn distance(&self, x: usize, y: usize) -> Option<i128> {
        let (most, least) = (self.bounds[place(x, y)], self.bounds[place(y, x)]);
        (most != UNBOUNDED && least != UNBOUNDED && most == -least).then_some(most)
    }

    /// Takes from a bound what a disequality excludes; whether there was one.
    fn tighten(&mut self) -> bool {
        for i in 0..self.excluded.len() {
            let (x, y, ref excluded) = self.excluded[i];
            let (most, least) = (self.bounds[place(x, y)], self.bounds[place(y, x)]);
            // Where both are tight the constraints contradict each other: then whatever follows is right.
            if least != UNBOUNDED && most == -least {
                continue;
            } else if excluded.contains(&most) {
                self.bound(x, y, most - 1);
            } else if least != UNBOUNDED && excluded.contains(&-least) {
                self.bound(y, x, least - 1);
            } else {
                continue;
            }
            let changed = (most, least) != (self.bounds[place(x, y)], self.bounds[place(y, x)]);
            if changed {
                return true;
            }
        }
        false
    }

    /// Adds `x − y ≤ bound`, and all that it implies.
    fn bound(&mut self, x: usize, y: usize, bound: i128) {
        let back = self.bounds[place(y, x)];
        let contradicts = back != UNBOUNDED && back + bound < 0;
        if self.bounds[place(x, y)] <= bound || contradicts {
            return;
        }
        let vertices = self.names.len();
        for left in 0..vertices {
            let to_x = self.bounds[place(left, x)];
            if to_x == UNBOUNDED {
                continue;
            }
            for right in 0..vertices {
                let from_y = self.bounds[place(y, right)];
                if from_y == UNBOUNDED {
                    continue;
                }
                let (at, through) = (place(left, right), to_x + bound + from_y);
                if through < self.bounds[at] {
                    self.changes.push((at as u32, self.bounds[at]));
                    self.bounds[at] = through;
                }
            }
        }
    }

    /// `a − b = x − y − bound` as (x, y, bound), if that is so for some symbols.
    fn difference(&mut self, terms: &Terms, a: Term, b: Term) -> Option<(usize, usize, i128)> {
        let (left, c) = unit(terms, a)?;
        let (right, d) = unit(terms, b)?;
        let x = self.vertex(left, reading(terms, a))?;
        let y = self.vertex(right, reading(terms, b))?;
        Some((x, y, d - c))
    }

    /// The vertex of a symbol, or of 0, if it has one.
    fn find(&self, name: Option<Symbol>) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }

    /// Likewise; it gets one if it has none. `None` if there are too many, or if it was read in another way before.
    fn vertex(&mut self, name: Option<Symbol>, reading: Option<Reading>) -> Option<usize> {
        if self.names.is_empty() {
            self.enter(None, None);
        }
        if let Some(at) = self.find(name) {
            return (self.readings[at] == reading).then_some(at);
        }
        (self.names.len() < MOST).then(|| self.enter(name, reading))
    }

    fn enter(&mut self, name: Option<Symbol>, reading: Option<Reading>) -> usize {
        let vertex = self.names.len();
        self.names.push(name);
        self.readings.push(reading);
        self.bounds.resize((vertex + 1) * (vertex + 1), UNBOUNDED);
        self.bounds[place(vertex, vertex)] = 0;
        if let Some(reading) = reading {
            self.bound(vertex, 0, reading.high());
            self.bound(0, vertex, -reading.low());
        }
        vertex
    }
}
