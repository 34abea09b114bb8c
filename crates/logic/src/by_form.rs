//! An order of terms by what they say. Terms are numbered as they are built, and what was built before differs from one process to the
//! next; where the order of clauses can be seen, it is this one.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::form::{Form, Forms, printed};
use crate::term::{Node, Origin, Sort, Symbol, Term, Terms};

/// The form of `Σ coefficient·term + constant`: the height of its terms, and their sum.
#[derive(Clone, Copy)]
struct LinearForm {
    height: u32,
    sum: u64,
    constant: i128,
}

impl Terms {
    /// Sorts terms by their form, lower ones first. Class numbers belong to a process, too: `classes` names an interval of them.
    pub fn sort_by_form(&self, list: &mut [Term], classes: &dyn Fn(u32, u32) -> String) {
        if list.len() < 2 {
            return;
        }
        let mut forms = self.forms.take();
        forms.0.resize(self.len(), None);
        let mut stack: Vec<Term> = list.to_vec();
        while let Some(&term) = stack.last() {
            let Some(index) = term.index().filter(|index| forms.0[*index].is_none()) else {
                stack.pop();
                continue;
            };
            let before = stack.len();
            self.children(term, |child| {
                if child.index().is_some_and(|index| forms.0[index].is_none()) {
                    stack.push(child);
                }
            });
            if stack.len() == before {
                forms.0[index] = Some(self.form_of_node(term, &forms, classes));
                stack.pop();
            }
        }
        list.sort_by_key(|term| self.form(*term, &forms));
        self.forms.replace(forms);
    }

    fn form(&self, term: Term, forms: &Forms) -> Form {
        match term.index() {
            Some(index) => forms.0[index].expect("children are looked at first"),
            None => Form { height: 0, print: printed(|hasher| self.print_constant(term, hasher)) },
        }
    }

    fn form_of_node(&self, term: Term, forms: &Forms, classes: &dyn Fn(u32, u32) -> String) -> Form {
        let node = self.node(term).expect("constants have no node");
        if let Some((linear, is)) = self.form_of_comparison(node, forms) {
            return Form {
                height: linear.height + 1,
                print: printed(|hasher| (is, linear.sum, linear.constant).hash(hasher)),
            };
        }
        let (mut height, mut sum, mut sequence) = (0, 0u64, FxHasher::default());
        self.children(term, |child| {
            let form = self.form(child, forms);
            height = height.max(form.height + 1);
            sum = sum.wrapping_add(form.mixed());
            form.hash(&mut sequence);
        });
        let print = printed(|hasher| {
            std::mem::discriminant(node).hash(hasher);
            match node {
                Node::Int(value) => value.hash(hasher),
                Node::Bits { width, value } => (width, value).hash(hasher),
                Node::FloatConstant { width, bits } => (width, bits).hash(hasher),
                Node::Symbol(symbol) => self.print_symbol(*symbol, hasher),
                Node::Sum(..) => {
                    let linear = self.linear_form(term, forms);
                    (linear.sum, linear.constant).hash(hasher);
                }
                Node::Bit(op, ..) => op.hash(hasher),
                Node::Float(op, ..) => op.hash(hasher),
                Node::FloatFn(function, _) => function.hash(hasher),
                Node::WideAdd(_, factor, _) => factor.hash(hasher),
                Node::Extend { signed, width, .. } => (signed, width).hash(hasher),
                Node::Extract { high, low, .. } => (high, low).hash(hasher),
                Node::Convert(conversion, width, _) => (conversion, width).hash(hasher),
                Node::Class { low, high, .. } => classes(*low, *high).hash(hasher),
                Node::And(_) | Node::Or(_) | Node::Eq(..) | Node::Not(_) | Node::Ite(..) | Node::Lt(..) => {}
            }
            let commutes = match node {
                Node::And(_) | Node::Or(_) | Node::Eq(..) | Node::Sum(..) => true,
                Node::Bit(op, ..) => op.is_commutative(),
                _ => false,
            };
            if commutes { sum } else { sequence.finish() }.hash(hasher);
        });
        Form { height, print }
    }

    /// An integer comparison as `d < 0` or `d = 0`: which of the ways to say it is the canonical one depends on the numbers of terms.
    fn form_of_comparison(&self, node: &Node, forms: &Forms) -> Option<(LinearForm, &'static str)> {
        let difference = |a: Term, b: Term| self.linear_form(a, forms).minus(self.linear_form(b, forms));
        match node {
            Node::Lt(a, b) => Some((difference(*a, *b), "<")),
            Node::Eq(a, b) if self.sort(*a) == Sort::Int => {
                let (d, opposite) = (difference(*a, *b), difference(*b, *a));
                Some((if d.sum < opposite.sum { d } else { opposite }, "="))
            }
            Node::Not(negated) => match self.node(*negated) {
                // ¬(a < b)  ⟺  b − a − 1 < 0.
                Some(Node::Lt(a, b)) => {
                    let d = difference(*b, *a);
                    Some((LinearForm { constant: d.constant - 1, ..d }, "<"))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn linear_form(&self, term: Term, forms: &Forms) -> LinearForm {
        match (self.as_int(term), self.node(term)) {
            (Some(value), _) => LinearForm { height: 0, sum: 0, constant: value.into() },
            (None, Some(Node::Sum(list, constant))) => {
                let mut linear = LinearForm { height: 0, sum: 0, constant: (*constant).into() };
                for (part, coefficient) in list {
                    let form = self.form(*part, forms);
                    linear.height = linear.height.max(form.height);
                    linear.sum = linear.sum.wrapping_add(form.mixed().wrapping_mul(*coefficient as u64));
                }
                linear
            }
            _ => {
                let form = self.form(term, forms);
                LinearForm { height: form.height, sum: form.mixed(), constant: 0 }
            }
        }
    }

    fn print_constant(&self, term: Term, hasher: &mut FxHasher) {
        match term.as_object() {
            Some(symbol) => self.print_symbol(symbol, hasher),
            None => term.hash(hasher),
        }
    }

    /// What a symbol is called; its number belongs to the process.
    fn print_symbol(&self, symbol: Symbol, hasher: &mut FxHasher) {
        let mut current = symbol;
        loop {
            match &self.symbol_info(current).origin {
                Origin::Root(name, number) => return (name, number).hash(hasher),
                Origin::Constant(name) => return name.hash(hasher),
                Origin::Field { holder, label } => {
                    self.label_text(*label).hash(hasher);
                    current = *holder;
                }
            }
        }
    }
}

impl LinearForm {
    fn minus(self, other: LinearForm) -> LinearForm {
        LinearForm {
            height: self.height.max(other.height),
            sum: self.sum.wrapping_sub(other.sum),
            constant: self.constant - other.constant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same clauses, built in two orders.
    #[test]
    fn the_order_does_not_depend_on_when_terms_were_built() {
        let build = |terms: &mut Terms, reversed: bool| -> Vec<Term> {
            let names = if reversed { ["c", "b", "a"] } else { ["a", "b", "c"] };
            let mut clauses = Vec::new();
            for name in names {
                let (x, limit) = (terms.root(name, Sort::Int), terms.root("limit", Sort::Int));
                let (less, same) = (terms.lt(x, limit), terms.eq(x, limit));
                let either = terms.or(less, same);
                clauses.extend([less, either]);
            }
            terms.sort_by_form(&mut clauses, &|low, high| format!("{low}..{high}"));
            clauses
        };
        let [first, second] = [false, true].map(|reversed| {
            let mut terms = Terms::new();
            let clauses = build(&mut terms, reversed);
            clauses.into_iter().map(|clause| terms.show(clause)).collect::<Vec<_>>()
        });
        assert_eq!(first, second);
        assert!(first[..3].iter().all(|low| !low.contains("||")), "lower ones come first: {first:?}");
    }
}
