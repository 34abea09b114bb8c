//! The path condition Σ: a persistent set of clauses, already split into groups that share no symbol.
//!
//! Cloning copies a few pointers. Every group carries a model of its clauses when one is known: then the whole condition is
//! known to be satisfiable, because groups are independent.

use std::rc::Rc;

use crate::eval::Model;
use crate::solver::difference::Differences;
use crate::term::{Node, Symbol, Term, Terms};

/// Clauses connected by the symbols they mention.
#[derive(Clone, Debug)]
pub struct Group {
    /// Sorted.
    pub(crate) symbols: Vec<Symbol>,
    /// In the order in which they were assumed.
    pub(crate) clauses: Vec<Term>,
    /// The clauses as difference constraints, if all of them are.
    pub(crate) differences: Option<Differences>,
    /// Satisfies all clauses; `None` if they were assumed without asking.
    pub(crate) model: Option<Model>,
}

impl Group {
    /// Takes a model of all clauses, which from now on mentions every symbol of the group.
    pub(crate) fn with_model(mut self, terms: &Terms, model: Option<Model>) -> Group {
        self.model = model.map(|mut model| {
            model.complete(terms, &self.symbols);
            model
        });
        self
    }

    /// The group of a clause that is to be added to `parts`, without a model.
    pub(crate) fn joined<'a>(
        terms: &Terms,
        parts: impl Iterator<Item = &'a Group>,
        symbols: &[Symbol],
        clause: Term,
    ) -> Group {
        let mut group = Group {
            symbols: symbols.to_vec(),
            clauses: Vec::new(),
            differences: Some(Differences::default()),
            model: None,
        };
        for part in parts {
            group.symbols.extend_from_slice(&part.symbols);
            group.clauses.extend_from_slice(&part.clauses);
            group.differences = match (group.differences, &part.differences) {
                (Some(mut all), Some(more)) => all.join(more).then_some(all),
                _ => None,
            };
        }
        group.symbols.sort_unstable();
        group.symbols.dedup();
        group.clauses.push(clause);
        group.differences = group.differences.and_then(|mut all| all.add(terms, clause).then_some(all));
        group
    }
}

#[derive(Clone, Debug, Default)]
struct ClauseList(Option<Rc<(Term, ClauseList)>>);

#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    clauses: ClauseList,
    groups: Vec<Rc<Group>>,
}

impl PathCondition {
    /// All clauses, in the order in which they were assumed.
    pub fn clauses(&self) -> Vec<Term> {
        let mut all = Vec::new();
        let mut rest = &self.clauses;
        while let Some(cell) = &rest.0 {
            all.push(cell.0);
            rest = &cell.1;
        }
        all.reverse();
        all
    }

    /// The clauses that were assumed since `older`, the newest first; `None` if this is no extension of it by a few.
    pub(crate) fn since(&self, older: &PathCondition) -> Option<Vec<Term>> {
        let mut newer = Vec::new();
        let mut rest = &self.clauses;
        loop {
            match (&rest.0, &older.clauses.0) {
                (None, None) => return Some(newer),
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => return Some(newer),
                (Some(cell), _) if newer.len() < 4 => {
                    newer.push(cell.0);
                    rest = &cell.1;
                }
                _ => return None,
            }
        }
    }

    pub fn is_known_satisfiable(&self) -> bool {
        self.groups.iter().all(|g| g.model.is_some())
    }

    /// Whether this very clause has been assumed.
    pub fn contains(&self, clause: Term) -> bool {
        self.groups.iter().any(|g| g.clauses.contains(&clause))
    }

    /// Whether a clause follows from those assumed by its form alone: it, one of its alternatives, or all of its parts were
    /// assumed, by themselves or as a part of a conjunction.
    pub fn entails(&self, terms: &Terms, clause: Term) -> bool {
        let assumed = |part: Term| {
            let holds =
                |c: &Term| *c == part || matches!(terms.node(*c), Some(Node::And(list)) if list.contains(&part));
            self.groups.iter().any(|g| g.clauses.iter().any(holds))
        };
        match terms.node(clause) {
            Some(Node::And(list)) => assumed(clause) || list.iter().all(|part| assumed(*part)),
            Some(Node::Or(list)) => assumed(clause) || list.iter().any(|part| assumed(*part)),
            _ => assumed(clause),
        }
    }

    /// A model of the whole condition, if it is known to be satisfiable.
    pub fn model(&self) -> Option<Model> {
        let mut all = Model::default();
        for group in &self.groups {
            all.absorb(group.model.as_ref()?);
        }
        Some(all)
    }

    /// Adds a clause that nobody has checked: for replaying decisions without a solver.
    pub fn assume_unchecked(&mut self, terms: &Terms, clause: Term) {
        if clause == Term::TRUE {
            return;
        }
        let symbols = terms.symbols_of(clause);
        let group = Group::joined(terms, self.connected(&symbols), &symbols, clause);
        self.replace(&symbols, clause, group);
    }

    /// Adds a clause that the condition is known to imply, so that every model still fits.
    pub fn assume_implied(&mut self, terms: &Terms, clause: Term) {
        if clause == Term::TRUE {
            return;
        }
        let symbols = terms.symbols_of(clause);
        let model = self.model_of(&symbols);
        debug_assert!(model.as_ref().is_none_or(|m| terms.eval(clause, m).is_none_or(|v| v.as_bool())));
        self.assume_with(terms, clause, &symbols, model);
    }

    /// Adds a clause, with a model of it and of all clauses connected to it.
    pub(crate) fn assume_with(&mut self, terms: &Terms, clause: Term, symbols: &[Symbol], model: Option<Model>) {
        let group = Group::joined(terms, self.connected(symbols), symbols, clause);
        self.replace(symbols, clause, group.with_model(terms, model));
    }

    /// The groups that mention one of the symbols.
    pub(crate) fn connected<'a>(&'a self, symbols: &'a [Symbol]) -> impl Iterator<Item = &'a Group> + Clone {
        self.groups.iter().filter(|g| intersects(&g.symbols, symbols)).map(|g| g.as_ref())
    }

    /// The models of the connected groups together, if all are known.
    pub(crate) fn model_of(&self, symbols: &[Symbol]) -> Option<Model> {
        let mut all = Model::default();
        for group in self.connected(symbols) {
            all.absorb(group.model.as_ref()?);
        }
        Some(all)
    }

    /// Puts `group` in the place of the groups it joins.
    pub(crate) fn replace(&mut self, symbols: &[Symbol], clause: Term, group: Group) {
        self.groups.retain(|g| !intersects(&g.symbols, symbols));
        self.groups.push(Rc::new(group));
        self.clauses = ClauseList(Some(Rc::new((clause, std::mem::take(&mut self.clauses)))));
    }
}

impl Drop for ClauseList {
    /// A loop, because a long list would otherwise be dropped by a deep recursion.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(cell) = rest {
            rest = match Rc::try_unwrap(cell) {
                Ok((_, mut next)) => next.0.take(),
                Err(_) => None,
            };
        }
    }
}

/// Whether two sorted lists share an element.
fn intersects(a: &[Symbol], b: &[Symbol]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}
