//! The same tree as a term, through the smart constructors.

use lazuli_logic::{Term, Terms};

use super::Tree;

impl Tree {
    pub fn build(&self, terms: &mut Terms) -> Term {
        match self {
            Tree::Bool(value) => Term::bool(*value),
            Tree::Int(value) => terms.int(*value),
            Tree::Bits(width, value) => terms.bits(*width, *value),
            Tree::Null => Term::NULL,
            Tree::Location(n) => Term::location(*n),
            Tree::Symbol(term) => *term,
            Tree::Not(a) => {
                let a = a.build(terms);
                terms.not(a)
            }
            Tree::And(list) => {
                let list: Vec<Term> = list.iter().map(|t| t.build(terms)).collect();
                if let [a, b] = list[..] { terms.and(a, b) } else { terms.all(list) }
            }
            Tree::Or(list) => {
                let list: Vec<Term> = list.iter().map(|t| t.build(terms)).collect();
                if let [a, b] = list[..] { terms.or(a, b) } else { terms.any(list) }
            }
            Tree::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b)
            }
            Tree::Implies(a, b) => Tree::build_pair(terms, a, b, Terms::implies),
            Tree::Eq(a, b) => Tree::build_pair(terms, a, b, Terms::eq),
            Tree::Ne(a, b) => Tree::build_pair(terms, a, b, Terms::ne),
            Tree::Lt(a, b) => Tree::build_pair(terms, a, b, Terms::lt),
            Tree::Le(a, b) => Tree::build_pair(terms, a, b, Terms::le),
            Tree::Add(a, b) => Tree::build_pair(terms, a, b, Terms::add),
            Tree::Sub(a, b) => Tree::build_pair(terms, a, b, Terms::sub),
            Tree::Bit(op, _, a, b) => Tree::build_pair(terms, a, b, |t, a, b| t.bit_op(*op, a, b)),
            Tree::BitNot(_, a) => {
                let a = a.build(terms);
                terms.bit_not(a)
            }
            Tree::Extend(signed, _, width, a) => {
                let a = a.build(terms);
                terms.extend(*signed, *width, a)
            }
            Tree::Extract(high, low, a) => {
                let a = a.build(terms);
                terms.extract(*high, *low, a)
            }
            Tree::Class(reference, low, high) => terms.class_in(*reference, *low, *high),
            Tree::Own(reference) => terms.is_own(*reference),
            Tree::Float(width, bits) => terms.float(*width, *bits),
            Tree::FloatOp(op, _, a, b) => Tree::build_pair(terms, a, b, |t, a, b| t.float_op(*op, a, b)),
            Tree::FloatFn(function, _, a) => {
                let a = a.build(terms);
                terms.float_fn(*function, a)
            }
            Tree::Convert(conversion, _, to, a) => {
                let a = a.build(terms);
                terms.convert(*conversion, *to, a)
            }
        }
    }

    fn build_pair(terms: &mut Terms, a: &Tree, b: &Tree, make: impl Fn(&mut Terms, Term, Term) -> Term) -> Term {
        let (a, b) = (a.build(terms), b.build(terms));
        make(terms, a, b)
    }
}
