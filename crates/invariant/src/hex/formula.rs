//! Propositional formulas over atoms (Definition 3.3 of the document), and what is left of one on a partial heap.
//!
//! An atom is about all references at its paths: it is *violated* as soon as one of them breaks it, and stays so; it is *settled*
//! when no further reference can come to stand at one of its paths. So on a partial heap an atom *may hold* unless it is violated,
//! and *may fail* unless it is settled and not violated. On a complete heap it holds unless it is violated.

use super::ScopeId;

/// A formula that must hold. In a scope it must hold for every object of the scope's class by itself.
#[derive(Clone, Debug)]
pub struct Formula {
    pub scope: Option<ScopeId>,
    /// The numbers of the statements that are its atoms.
    pub atoms: Vec<u32>,
    /// What a complete heap must satisfy.
    pub body: Prop,
    /// What a partial heap must satisfy: the literals are [`Literal::MayHold`] and [`Literal::MayFail`].
    pub possible: Prop,
    /// The statements whose atoms may have to fail.
    pub negated: Vec<u32>,
    /// As it is written, for messages.
    pub text: String,
}

/// A formula without negation but in its literals. `And` of nothing is true, `Or` of nothing false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prop {
    Literal(Literal),
    And(Vec<Prop>),
    Or(Vec<Prop>),
}

/// What is said of an atom, by its number in the formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literal {
    /// It is not violated.
    MayHold(u32),
    /// In the body: it is violated. Of a partial heap: it is, or may become so.
    MayFail(u32),
}

/// Formulas with more atoms that occur both as they are and negated are refused: the cases of these are told apart.
pub const MAX_MIXED: usize = 6;

impl Prop {
    pub fn is_false(&self) -> bool {
        matches!(self, Prop::Or(list) if list.is_empty())
    }

    pub fn is_true(&self) -> bool {
        matches!(self, Prop::And(list) if list.is_empty())
    }

    fn literals(&self, into: &mut Vec<Literal>) {
        match self {
            Prop::Literal(literal) => into.push(*literal),
            Prop::And(list) | Prop::Or(list) => list.iter().for_each(|prop| prop.literals(into)),
        }
    }

    /// With an atom replaced by a truth value, as far as that decides anything.
    fn with(&self, atom: u32, holds: bool) -> Prop {
        match self {
            Prop::Literal(Literal::MayHold(a)) if *a == atom => constant(holds),
            Prop::Literal(Literal::MayFail(a)) if *a == atom => constant(!holds),
            Prop::Literal(_) => self.clone(),
            Prop::And(list) => all(list.iter().map(|prop| prop.with(atom, holds)).collect()),
            Prop::Or(list) => any(list.iter().map(|prop| prop.with(atom, holds)).collect()),
        }
    }
}

fn constant(value: bool) -> Prop {
    if value { Prop::And(Vec::new()) } else { Prop::Or(Vec::new()) }
}

pub fn all(mut list: Vec<Prop>) -> Prop {
    list.retain(|prop| !prop.is_true());
    match list.iter().any(Prop::is_false) {
        true => constant(false),
        false if list.len() == 1 => list.remove(0),
        false => Prop::And(list),
    }
}

pub fn any(mut list: Vec<Prop>) -> Prop {
    list.retain(|prop| !prop.is_false());
    match list.iter().any(Prop::is_true) {
        true => constant(true),
        false if list.len() == 1 => list.remove(0),
        false => Prop::Or(list),
    }
}

/// The atoms that occur both as they are and negated.
pub fn mixed(body: &Prop) -> Vec<u32> {
    let mut literals = Vec::new();
    body.literals(&mut literals);
    let mut mixed: Vec<u32> = literals
        .iter()
        .filter_map(|literal| match *literal {
            Literal::MayHold(atom) if literals.contains(&Literal::MayFail(atom)) => Some(atom),
            _ => None,
        })
        .collect();
    mixed.sort_unstable();
    mixed.dedup();
    mixed
}

/// The atoms that occur negated.
pub fn negated(possible: &Prop) -> Vec<u32> {
    let mut literals = Vec::new();
    possible.literals(&mut literals);
    let failing = |literal: &Literal| match *literal {
        Literal::MayFail(atom) => Some(atom),
        Literal::MayHold(_) => None,
    };
    let mut atoms: Vec<u32> = literals.iter().filter_map(failing).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// What a partial heap must satisfy so that a completion can satisfy the body, as far as the atoms are independent. Where an atom
/// occurs in one polarity only, its literal says so; the others are told apart by cases.
pub fn possible(body: &Prop, mixed: &[u32]) -> Prop {
    let Some((&atom, rest)) = mixed.split_first() else { return body.clone() };
    let case = |holds: bool| {
        let literal = if holds { Literal::MayHold(atom) } else { Literal::MayFail(atom) };
        all(vec![Prop::Literal(literal), possible(&body.with(atom, holds), rest)])
    };
    any(vec![case(true), case(false)])
}
