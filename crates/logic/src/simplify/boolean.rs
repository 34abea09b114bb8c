//! Propositional constructors: negation, n-ary conjunction and disjunction in a sorted, flat, complement-free form.

use crate::term::{Node, Sort, Term, Terms};

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        if let Some(value) = a.as_bool() {
            return Term::bool(!value);
        }
        match self.node(a) {
            Some(&Node::Not(inner)) => inner,
            _ => self.intern_not(a),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        match (a.as_bool(), b.as_bool()) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => Term::FALSE,
            _ => self.all([a, b]),
        }
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        match (a.as_bool(), b.as_bool()) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) | (_, Some(true)) => Term::TRUE,
            _ => self.any([a, b]),
        }
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        let not_b = self.not(b);
        self.ite(a, b, not_b)
    }

    /// The conjunction of a list.
    pub fn all(&mut self, list: impl IntoIterator<Item = Term>) -> Term {
        self.junction(list, true)
    }

    /// The disjunction of a list.
    pub fn any(&mut self, list: impl IntoIterator<Item = Term>) -> Term {
        self.junction(list, false)
    }

    fn junction(&mut self, list: impl IntoIterator<Item = Term>, conjunction: bool) -> Term {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        let result = self.junction_of(list, &mut parts, conjunction);
        self.parts = parts;
        result
    }

    fn junction_of(&mut self, list: impl IntoIterator<Item = Term>, parts: &mut Vec<Term>, conjunction: bool) -> Term {
        let absorbing = Term::bool(!conjunction);
        for term in list {
            match (term.as_bool(), self.node(term)) {
                (Some(value), _) if value == conjunction => {}
                (Some(_), _) => return absorbing,
                (_, Some(Node::And(inner))) if conjunction => parts.extend_from_slice(inner),
                (_, Some(Node::Or(inner))) if !conjunction => parts.extend_from_slice(inner),
                _ => parts.push(term),
            }
        }
        if let [] | [_] = parts[..] {
            return parts.first().copied().unwrap_or(Term::bool(conjunction));
        }
        parts.sort_unstable();
        parts.dedup();
        let complement = |t: &Term| match self.node(*t) {
            Some(Node::Not(inner)) => parts.binary_search(inner).is_ok(),
            _ => false,
        };
        if parts.iter().any(complement) {
            return absorbing;
        }
        self.absorb(parts, conjunction);
        if let [p, q] = parts[..] {
            let simpler = if conjunction { self.meet(p, q) } else { self.join(p, q) };
            if let Some(term) = simpler {
                return term;
            }
        }
        match parts[..] {
            [] => Term::bool(conjunction),
            [part] => part,
            _ if conjunction => self.intern(Node::And(parts.as_slice().into()), Sort::Bool),
            _ => self.intern(Node::Or(parts.as_slice().into()), Sort::Bool),
        }
    }

    /// `a ∧ (a ∨ b) = a`, and `a ∧ (¬a ∨ b) = a ∧ b` when that leaves a single `b`; dually for `∨`. Only short lists
    /// are looked at, so that the constructor stays cheap.
    fn absorb(&mut self, parts: &mut Vec<Term>, conjunction: bool) {
        if parts.len() > 8 {
            return;
        }
        let mut changed = false;
        let mut i = 0;
        while i < parts.len() {
            let inner = match self.node(parts[i]) {
                Some(Node::Or(inner)) if conjunction => inner,
                Some(Node::And(inner)) if !conjunction => inner,
                _ => {
                    i += 1;
                    continue;
                }
            };
            if inner.iter().any(|t| parts.contains(t)) {
                parts.remove(i);
                continue;
            }
            let is_kept = |t: &&Term| self.negation(**t).is_none_or(|complement| !parts.contains(&complement));
            let mut kept = inner.iter().filter(is_kept);
            if let (first, None) = (kept.next(), kept.next()) {
                // Nothing left: the whole list is contradictory; one left: it joins the list.
                parts[i] = first.copied().unwrap_or(Term::bool(!conjunction));
                changed = true;
            }
            i += 1;
        }
        if changed {
            let again = self.junction(std::mem::take(parts), conjunction);
            parts.push(again);
        }
    }

    pub(super) fn ite_bool(&mut self, condition: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        match (condition.as_bool(), a.as_bool(), b.as_bool()) {
            (Some(true), ..) => a,
            (Some(false), ..) => b,
            (_, Some(true), Some(false)) => condition,
            (_, Some(false), Some(true)) => self.not(condition),
            (_, Some(true), _) => self.or(condition, b),
            (_, Some(false), _) => {
                let not = self.not(condition);
                self.and(not, b)
            }
            (_, _, Some(true)) => self.implies(condition, a),
            (_, _, Some(false)) => self.and(condition, a),
            _ => {
                if let Some(&Node::Not(inner)) = self.node(condition) {
                    return self.ite_bool(inner, b, a);
                }
                if a == condition {
                    return self.or(condition, b);
                }
                if b == condition {
                    return self.and(condition, a);
                }
                self.intern(Node::Ite(condition, a, b), Sort::Bool)
            }
        }
    }
}
