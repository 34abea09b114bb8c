//! References that may denote several objects: operations distributed over their `ite`s.

use lazuli_logic::{Node, Term};
use rustc_hash::FxHashMap;

use crate::context::Context;

/// The value of an operation on a reference, from its value on the objects the reference may denote. `on_leaf` gives `None`
/// where the operation cannot come (null, an object without the field): the other side of the `ite` is taken there.
/// Every `ite` is visited once, so the result is no larger than the reference.
pub fn distribute(
    cx: &mut Context,
    reference: Term,
    mut on_leaf: impl FnMut(&mut Context, Term) -> Option<Term>,
) -> Option<Term> {
    if !matches!(cx.terms.node(reference), Some(Node::Ite(..))) {
        return on_leaf(cx, reference);
    }
    if let Some(value) = along_chain(cx, reference, &mut on_leaf) {
        return value;
    }
    let mut values = Values::default();
    let mut stack = Vec::with_capacity(8);
    stack.push(reference);
    while let Some(&term) = stack.last() {
        match cx.terms.node(term) {
            Some(&Node::Ite(condition, a, b)) => match (values.get(a), values.get(b)) {
                (Some(x), Some(y)) => {
                    let value = match (x, y) {
                        (Some(x), Some(y)) => Some(cx.terms.ite(condition, x, y)),
                        (x, y) => x.or(y),
                    };
                    values.set(term, value);
                    stack.pop();
                }
                (x, y) => {
                    stack.extend(x.is_none().then_some(a));
                    stack.extend(y.is_none().then_some(b));
                }
            },
            _ => {
                stack.pop();
                if values.get(term).is_none() {
                    let value = on_leaf(cx, term);
                    values.set(term, value);
                }
            }
        }
    }
    values.get(reference).expect("it was visited last")
}

/// How many links of a chain `ite(c, leaf, ite(d, leaf, …))`, the form of most references, are walked without a table.
const LINKS: usize = 16;

/// Likewise for a short chain, in the same order; `None` if it is none.
fn along_chain(
    cx: &mut Context,
    reference: Term,
    on_leaf: &mut impl FnMut(&mut Context, Term) -> Option<Term>,
) -> Option<Option<Term>> {
    let mut links = [(Term::NULL, Term::NULL); LINKS];
    let (mut number, mut last) = (0, reference);
    while let Some(&Node::Ite(condition, leaf, rest)) = cx.terms.node(last) {
        if number == LINKS || matches!(cx.terms.node(leaf), Some(Node::Ite(..))) {
            return None;
        }
        links[number] = (condition, leaf);
        number += 1;
        last = rest;
    }
    let last_value = on_leaf(cx, last);
    let mut values = [last_value; LINKS];
    let mut value = last_value;
    for at in (0..number).rev() {
        let (condition, leaf) = links[at];
        if leaf != last {
            let before = (at + 1..number).find(|later| links[*later].1 == leaf);
            values[at] = before.map_or_else(|| on_leaf(cx, leaf), |later| values[later]);
        }
        value = match (values[at], value) {
            (Some(x), Some(y)) => Some(cx.terms.ite(condition, x, y)),
            (x, y) => x.or(y),
        };
    }
    Some(value)
}

/// The values of the terms visited. Most references have a few leaves, which are found sooner by looking at all of them.
#[derive(Default)]
struct Values {
    few: Vec<(Term, Option<Term>)>,
    many: FxHashMap<Term, Option<Term>>,
}

impl Values {
    const FEW: usize = 24;

    fn get(&self, term: Term) -> Option<Option<Term>> {
        let found = self.few.iter().find(|(known, _)| *known == term).map(|(_, value)| *value);
        found.or_else(|| if self.many.is_empty() { None } else { self.many.get(&term).copied() })
    }

    fn set(&mut self, term: Term, value: Option<Term>) {
        if self.few.len() < Values::FEW {
            if self.few.is_empty() {
                self.few.reserve_exact(Values::FEW);
            }
            self.few.push((term, value));
        } else {
            self.many.insert(term, value);
        }
    }
}
