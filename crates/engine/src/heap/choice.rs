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
    let mut values: FxHashMap<Term, Option<Term>> = FxHashMap::default();
    let mut stack = vec![reference];
    while let Some(&term) = stack.last() {
        if values.contains_key(&term) {
            stack.pop();
            continue;
        }
        match cx.terms.node(term) {
            Some(&Node::Ite(condition, a, b)) => match (values.get(&a).copied(), values.get(&b).copied()) {
                (Some(x), Some(y)) => {
                    let value = match (x, y) {
                        (Some(x), Some(y)) => Some(cx.terms.ite(condition, x, y)),
                        (x, y) => x.or(y),
                    };
                    values.insert(term, value);
                    stack.pop();
                }
                _ => stack.extend([a, b]),
            },
            _ => {
                let value = on_leaf(cx, term);
                values.insert(term, value);
            }
        }
    }
    values[&reference]
}
