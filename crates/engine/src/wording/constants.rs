//! Objects that exist before the entry by their names, and conditions on which of an enum's constants a reference is.

use lazuli_logic::term::Node;
use lazuli_logic::{Symbol, Term};
use lazuli_program::frontend::java::operators::{AND, COMPARE, OR};
use lazuli_program::frontend::java::phrase::{simple_name, string_literal};

use super::{Words, Writer};
use crate::existing::Existing;

impl Writer<'_, '_> {
    /// A condition on nothing but which constant of an enum a reference is, by the constants.
    pub(super) fn among_constants(&mut self, term: Term) -> Option<Words> {
        let symbol = self.compared_with_constants(term)?;
        let choice = self.cx.known_choice(symbol).filter(|choice| choice.is_closed)?;
        let constants = choice.objects.iter().filter_map(|(location, _)| self.cx.constant_of(*location));
        let (some, others): (Vec<Symbol>, Vec<Symbol>) = constants.partition(|c| self.holds_for(term, Some(*c)));
        // Null is none of them.
        let by_others = self.holds_for(term, None) && !self.not_null || some.len() > others.len();
        let (list, sign, also, strength) =
            if by_others { (others, "!=", " && ", AND) } else { (some, "==", " || ", OR) };
        let name = self.symbol(symbol)?.text;
        let parts: Option<Vec<String>> =
            list.iter().map(|constant| Some(format!("{name} {sign} {}", self.existing(*constant)?.text))).collect();
        match parts?.as_slice() {
            [] => None,
            [only] => Some(Words { text: only.clone(), strength: COMPARE }),
            parts => Some(Words { text: parts.join(also), strength }),
        }
    }

    /// The symbol, if a condition only says which constants it is and which not.
    fn compared_with_constants(&self, term: Term) -> Option<Symbol> {
        let terms = &self.cx.terms;
        match terms.node(term)? {
            Node::Not(inner) => self.compared_with_constants(*inner),
            Node::And(list) | Node::Or(list) => {
                let mut all = list.iter().map(|part| self.compared_with_constants(*part));
                let first = all.next()??;
                all.all(|other| other == Some(first)).then_some(first)
            }
            Node::Eq(a, b) => {
                let (symbol, constant) = match (terms.as_symbol(*a), terms.as_symbol(*b)) {
                    (Some(symbol), None) => (symbol, *b),
                    (None, Some(symbol)) => (symbol, *a),
                    _ => return None,
                };
                self.constant_object(constant).map(|_| symbol)
            }
            _ => None,
        }
    }

    /// Whether such a condition holds if the symbol is this constant, or null.
    fn holds_for(&self, term: Term, constant: Option<Symbol>) -> bool {
        match self.cx.terms.node(term) {
            Some(Node::Not(inner)) => !self.holds_for(*inner, constant),
            Some(Node::And(list)) => list.iter().all(|part| self.holds_for(*part, constant)),
            Some(Node::Or(list)) => list.iter().any(|part| self.holds_for(*part, constant)),
            Some(Node::Eq(a, b)) => self.constant_object(*a).or(self.constant_object(*b)) == constant,
            _ => false,
        }
    }

    /// The object that exists before the entry and that a term is.
    fn constant_object(&self, term: Term) -> Option<Symbol> {
        let by_location = || term.as_location().and_then(|location| self.cx.constant_of(location));
        term.as_object().filter(|object| self.cx.terms.is_constant_object(*object)).or_else(by_location)
    }

    /// An object that exists before the entry, by its name.
    pub(super) fn existing(&self, object: Symbol) -> Option<Words> {
        let name = self.cx.existing_object(object)?;
        Some(Words::atom(match name {
            Existing::Static { class, field, path } if path.is_empty() && name.call().is_none() => {
                format!("{}.{field}", simple_name(class))
            }
            Existing::Literal { units } => string_literal(units),
            other => other.to_string(),
        }))
    }
}
