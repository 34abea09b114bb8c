//! References: `null`, locations, input symbols and `ite` over them.
//!
//! Locations are distinct from `null`, from each other and from every input symbol, so equality of constants is decided
//! here; but for the locations of constant objects ([`Terms::make_constant`]), which a symbol of a fitting class may denote: no location gets
//! into an atom, its object does. A comparison with one of them is distributed over an `ite`; two `ite`s are compared through the *leaves* of one: the
//! guarded set of the references it can denote, one guard a leaf.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::term::{Node, Sort, Term, Terms};

/// How many links of a chain are compared without a stack.
const LINKS: usize = 16;

impl Terms {
    pub(super) fn eq_ref(&mut self, a: Term, b: Term) -> Term {
        let (a_choice, b_choice) = (self.is_choice(a), self.is_choice(b));
        match (a_choice, b_choice) {
            (false, false) => self.eq_leaf(a, b),
            (true, false) => self.eq_choice(a, b),
            (false, true) => self.eq_choice(b, a),
            (true, true) => {
                // Over the leaves of the smaller side: the number of comparisons is the number of its leaves.
                let (a, b) = if self.leaves(a).len() < self.leaves(b).len() { (b, a) } else { (a, b) };
                let leaves = self.leaves(b);
                let mut cases = Vec::with_capacity(leaves.len());
                for &(leaf, guard) in leaves.iter() {
                    if self.interrupt.is_raised() {
                        // As right as its simplification, and made in no time.
                        return self.intern_eq(a, b);
                    }
                    let equal = self.eq_choice(a, leaf);
                    cases.push(self.and(guard, equal));
                }
                self.any(cases)
            }
        }
    }

    fn is_choice(&self, term: Term) -> bool {
        matches!(self.node(term), Some(Node::Ite(..)))
    }

    fn eq_leaf(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return Term::TRUE;
        }
        let constants = a.index().is_none() && b.index().is_none();
        if constants || self.is_unique(a) || self.is_unique(b) {
            return Term::FALSE;
        }
        match (a.as_location(), b.as_location()) {
            (None, None) => self.intern_eq(a, b),
            (Some(location), _) => self.denotes(b, location),
            (_, Some(location)) => self.denotes(a, location),
        }
    }

    /// The condition that a symbol denotes the object at a location.
    fn denotes(&mut self, reference: Term, location: u32) -> Term {
        let Some(&object) = self.constants.get(&location) else { return Term::FALSE };
        let (class, _) = self.symbol_info(object).classes[0];
        let symbol = self.as_symbol(reference).expect("a leaf is a constant or a symbol");
        let fits = self.symbol_info(symbol).classes.iter().any(|&(low, high)| (low..=high).contains(&class));
        if fits { self.intern_eq(reference, Term::object(object)) } else { Term::FALSE }
    }

    /// The condition that a symbol denotes the object it names: that it is the first to denote it. Two symbols of which that is so
    /// denote two objects.
    pub fn is_own(&mut self, reference: Term) -> Term {
        let symbol = self.as_symbol(reference).expect("only a symbol names an object");
        match self.symbol_info(symbol).unique {
            // Nothing else denotes it.
            true => Term::TRUE,
            false => self.eq(reference, Term::object(symbol)),
        }
    }

    /// `choice = leaf`, by distribution over the `ite`s, each once: `ite(c, a, b) = l` is `ite(c, a = l, b = l)`.
    fn eq_choice(&mut self, choice: Term, leaf: Term) -> Term {
        match self.eq_chain(choice, leaf) {
            Some(equal) => equal,
            None => self.eq_any_choice(choice, leaf),
        }
    }

    /// Likewise for a short chain `ite(c, a, ite(d, b, …))`, the form of most references; `None` if it is none.
    fn eq_chain(&mut self, choice: Term, leaf: Term) -> Option<Term> {
        let mut links = [(Term::NULL, Term::NULL, Term::NULL); LINKS];
        let (mut number, mut rest) = (0, choice);
        let mut equal = loop {
            let Some(&Node::Ite(condition, a, b)) = self.node(rest) else { break self.eq_leaf(rest, leaf) };
            if let Some(&known) = self.equal_to_leaf.get(&(rest, leaf)) {
                break known;
            }
            if number == LINKS || self.is_choice(a) {
                return None;
            }
            links[number] = (rest, condition, a);
            (number, rest) = (number + 1, b);
        };
        for &(link, condition, a) in links[..number].iter().rev() {
            let here = self.eq_leaf(a, leaf);
            equal = self.ite_bool(condition, here, equal);
            self.equal_to_leaf.insert((link, leaf), equal);
        }
        Some(equal)
    }

    fn eq_any_choice(&mut self, choice: Term, leaf: Term) -> Term {
        let mut stack = vec![choice];
        while let Some(&top) = stack.last() {
            let Some(&Node::Ite(condition, a, b)) = self.node(top) else { unreachable!("only choices are pushed") };
            if self.equal_to_leaf.contains_key(&(top, leaf)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let is_pending = |t: &Term| self.is_choice(*t) && !self.equal_to_leaf.contains_key(&(*t, leaf));
            stack.extend([a, b].into_iter().filter(is_pending));
            if stack.len() > before {
                continue;
            }
            let side = |terms: &mut Terms, t: Term| match terms.equal_to_leaf.get(&(t, leaf)) {
                Some(&known) => known,
                None => terms.eq_leaf(t, leaf),
            };
            let (a, b) = (side(self, a), side(self, b));
            let equal = self.ite_bool(condition, a, b);
            self.equal_to_leaf.insert((top, leaf), equal);
        }
        self.equal_to_leaf[&(choice, leaf)]
    }

    /// The references that `term` can denote, each with the condition under which it does. Guards are exclusive and
    /// exhaustive; every leaf occurs once. Guards are simplified, at a price that is more than the square of the number of leaves: if
    /// that is interrupted, they are left as they come.
    pub fn leaves(&mut self, term: Term) -> Rc<[(Term, Term)]> {
        debug_assert_eq!(self.sort(term), Sort::Ref);
        if !self.is_choice(term) {
            return Rc::from([(term, Term::TRUE)]);
        }
        if let Some(leaves) = self.leaves.get(&term) {
            return leaves.clone();
        }
        // Children first, each choice below from its two parts; what was computed for an earlier term is met again.
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.interrupt.is_raised() {
                return self.leaves_as_they_come(term);
            }
            let Some(&Node::Ite(condition, a, b)) = self.node(top) else { unreachable!("only choices are pushed") };
            let before = stack.len();
            stack.extend([a, b].into_iter().filter(|t| self.is_choice(*t) && !self.leaves.contains_key(t)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if self.leaves.contains_key(&top) {
                continue;
            }
            match self.merge_leaves(condition, a, b) {
                Some(merged) => _ = self.leaves.insert(top, merged),
                None => return self.leaves_as_they_come(term),
            }
        }
        self.leaves[&term].clone()
    }

    /// Likewise in one pass over the choices, parents first, with guards that are not simplified. Nothing of it is kept.
    fn leaves_as_they_come(&mut self, term: Term) -> Rc<[(Term, Term)]> {
        let mut guards: FxHashMap<Term, Term> = FxHashMap::from_iter([(term, Term::TRUE)]);
        let mut leaves = Vec::new();
        for choice in self.postorder(&[term]).into_iter().rev() {
            let (Some(&Node::Ite(condition, a, b)), Some(&guard)) = (self.node(choice), guards.get(&choice)) else {
                continue;
            };
            let not_condition = self.not(condition);
            for (side, taken) in [(a, condition), (b, not_condition)] {
                let taken = if guard == Term::TRUE { taken } else { self.intern_pair(guard, taken, true) };
                match guards.get(&side) {
                    Some(&known) => _ = guards.insert(side, self.intern_pair(known, taken, false)),
                    None => {
                        guards.insert(side, taken);
                        leaves.extend((!self.is_choice(side)).then_some(side));
                    }
                }
            }
        }
        leaves.into_iter().map(|leaf| (leaf, guards[&leaf])).collect()
    }

    /// The conjunction or disjunction of two conditions, as a node of its own whatever they are.
    fn intern_pair(&mut self, a: Term, b: Term, conjunction: bool) -> Term {
        if a == b {
            return a;
        }
        let parts: Box<[Term]> = [a.min(b), a.max(b)].into();
        self.intern(if conjunction { Node::And(parts) } else { Node::Or(parts) }, Sort::Bool)
    }

    /// The leaves of `ite(condition, a, b)`. A leaf of both sides gets `ite(condition, its guard in a, its guard in b)`: unlike
    /// a disjunction of conjunctions, that is no larger than the choice itself. `None` if it is interrupted.
    fn merge_leaves(&mut self, condition: Term, a: Term, b: Term) -> Option<Rc<[(Term, Term)]>> {
        let (left, right) = (self.leaves(a), self.leaves(b));
        let find = |list: &[(Term, Term)], leaf: Term| list.iter().find(|(l, _)| *l == leaf).map(|(_, guard)| *guard);
        let mut merged = Vec::with_capacity(left.len() + right.len());
        for &(leaf, guard) in left.iter() {
            if self.interrupt.is_raised() {
                return None;
            }
            let other = find(&right, leaf).unwrap_or(Term::FALSE);
            merged.push((leaf, self.ite_bool(condition, guard, other)));
        }
        for &(leaf, guard) in right.iter() {
            if self.interrupt.is_raised() {
                return None;
            }
            if find(&left, leaf).is_none() {
                merged.push((leaf, self.ite_bool(condition, Term::FALSE, guard)));
            }
        }
        merged.retain(|(_, guard)| *guard != Term::FALSE);
        Some(merged.into())
    }

    /// The class number of the object that the symbol `reference` denotes is in `low..=high`. It says nothing of null:
    /// callers add `reference ≠ null` where that matters.
    pub fn class_in(&mut self, reference: Term, low: u32, high: u32) -> Term {
        let symbol = self.as_symbol(reference).expect("a class test is about an input symbol");
        let classes = &self.symbol_info(symbol).classes;
        if classes.iter().all(|&(l, h)| low <= l && h <= high) {
            return Term::TRUE;
        }
        if classes.iter().all(|&(l, h)| h < low || high < l) {
            return Term::FALSE;
        }
        self.intern(Node::Class { reference, low, high }, Sort::Bool)
    }
}
