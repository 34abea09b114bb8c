//! The path condition Σ: a persistent set of clauses, already split into groups that share no symbol.
//!
//! Cloning copies a few pointers. Every group carries a model of its clauses when one is known: then the whole condition is
//! known to be satisfiable, because groups are independent.

use std::borrow::Cow;
use std::rc::Rc;

use crate::difference::Differences;
use crate::eval::Model;
use crate::ranges::Kept;
use crate::term::{Node, Symbol, Term, Terms};

/// Clauses connected by the symbols they mention.
#[derive(Clone, Debug)]
pub struct Group {
    /// Sorted.
    pub(crate) symbols: Vec<Symbol>,
    /// A set that contains them, see [`mask`].
    set: u64,
    /// In the order in which they were assumed.
    pub(crate) clauses: Vec<Term>,
    /// For every clause a set that contains its symbols, see [`mask`].
    pub(crate) masks: Vec<u64>,
    /// The clauses as difference constraints, if all of them are.
    pub(crate) differences: Option<Differences>,
    /// Instances of the axiom of functions: they follow from nothing but what an application is, and some model of the
    /// clauses broke them.
    pub(crate) instances: Vec<Term>,
    /// What is known of the bounds of its symbols.
    pub(crate) kept: Kept,
    /// Satisfies all clauses; `None` if they were assumed without asking.
    pub(crate) model: Option<Rc<Model>>,
}

impl Group {
    /// Takes a model of all clauses, which from now on mentions every symbol of the group.
    pub(crate) fn with_model(mut self, terms: &Terms, model: Option<Rc<Model>>) -> Group {
        self.model = model.map(|model| match model.is_complete(&self.symbols) {
            true => model,
            false => Rc::new(model.completed(terms, &self.symbols)),
        });
        self
    }

    /// The group of a clause that is to be added to `parts`, without a model.
    pub(crate) fn joined(terms: &Terms, parts: &[&Rc<Group>], symbols: &[Symbol], clause: Term) -> Group {
        let number = parts.iter().map(|part| part.clauses.len()).sum::<usize>() + 1;
        let mentioned = parts.iter().map(|part| part.symbols.len()).sum::<usize>() + symbols.len();
        let mut group = Group {
            symbols: Vec::with_capacity(mentioned),
            set: 0,
            clauses: Vec::with_capacity(number),
            masks: Vec::with_capacity(number),
            differences: Some(Differences::default()),
            instances: Vec::new(),
            kept: Kept::default(),
            model: None,
        };
        for part in parts {
            group.mention(&part.symbols);
            group.clauses.extend_from_slice(&part.clauses);
            group.masks.extend_from_slice(&part.masks);
            group.instances.extend_from_slice(&part.instances);
            group.kept.join(&part.kept, &part.masks);
            group.differences = match (group.differences, &part.differences) {
                (Some(mut all), Some(more)) => all.join(more).then_some(all),
                _ => None,
            };
        }
        group.mention(symbols);
        group.clauses.push(clause);
        let mentioned = mask_of(symbols);
        group.masks.push(mentioned);
        group.set = group.masks.iter().fold(0, |all, clause| all | clause);
        group.kept.touch(mentioned);
        group.differences = group.differences.and_then(|mut all| all.add(terms, clause).then_some(all));
        group
    }
}

impl Group {
    /// The clauses, and what is said of the functions in them.
    pub(crate) fn constraints(&self) -> Cow<'_, [Term]> {
        match self.instances.is_empty() {
            true => Cow::Borrowed(&self.clauses),
            false => Cow::Owned([self.instances.as_slice(), self.clauses.as_slice()].concat()),
        }
    }
}

/// A set of symbols as a word, in which some symbols share a bit: it may seem to contain a symbol that it does not contain, but
/// never the other way round.
pub(crate) fn mask(symbol: Symbol) -> u64 {
    1 << (symbol.0 % 64)
}

fn mask_of(symbols: &[Symbol]) -> u64 {
    symbols.iter().fold(0, |all, symbol| all | mask(*symbol))
}

/// All clauses, the newest first. Paths share what they have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClauseList(Option<Rc<Assumed>>);

#[derive(Debug)]
struct Assumed {
    clause: Term,
    /// How many clauses there are with it.
    number: usize,
    before: ClauseList,
}

impl ClauseList {
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |newest| newest.number)
    }

    /// The newest clause, and the list before it.
    pub(crate) fn split(&self) -> Option<(Term, &ClauseList)> {
        self.0.as_ref().map(|newest| (newest.clause, &newest.before))
    }

    /// Whether this is the very same list, not merely an equal one.
    pub(crate) fn is(&self, other: &ClauseList) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    fn push(&mut self, clause: Term) {
        let before = std::mem::take(self);
        *self = ClauseList(Some(Rc::new(Assumed { clause, number: before.len() + 1, before })));
    }
}

impl Group {
    /// The models of groups together, if all are known.
    pub(crate) fn model_of(groups: &[&Rc<Group>]) -> Option<Rc<Model>> {
        let Some((first, others)) = groups.split_first() else { return Some(Rc::default()) };
        let mut all = first.model.clone()?;
        for group in others {
            Rc::make_mut(&mut all).absorb(group.model.as_ref()?);
        }
        Some(all)
    }

    /// Adds symbols, which are sorted.
    fn mention(&mut self, symbols: &[Symbol]) {
        if self.symbols.is_empty() {
            return self.symbols.extend_from_slice(symbols);
        }
        let mut known = self.symbols.iter();
        if !symbols.iter().all(|symbol| known.any(|s| s == symbol)) {
            self.symbols.extend_from_slice(symbols);
            self.symbols.sort_unstable();
            self.symbols.dedup();
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    clauses: ClauseList,
    groups: Vec<Rc<Group>>,
}

/// One more clause of a path condition, and the group that takes the place of those it connects; none if the clause is known. Paths
/// may share it.
#[derive(Debug)]
pub struct Extension {
    pub(crate) clause: Term,
    pub(crate) group: Option<Rc<Group>>,
}

impl PathCondition {
    /// All clauses, in the order in which they were assumed.
    pub fn clauses(&self) -> Vec<Term> {
        let mut all = Vec::new();
        let mut rest = &self.clauses;
        while let Some((clause, before)) = rest.split() {
            all.push(clause);
            rest = before;
        }
        all.reverse();
        all
    }

    pub(crate) fn list(&self) -> &ClauseList {
        &self.clauses
    }

    /// Whether this is the very same condition, not merely an equal one.
    pub fn is(&self, other: &PathCondition) -> bool {
        self.clauses.is(&other.clauses)
    }

    pub fn is_known_satisfiable(&self) -> bool {
        self.groups.iter().all(|g| g.model.is_some())
    }

    /// Whether this very clause has been assumed.
    pub fn contains(&self, clause: Term) -> bool {
        self.groups.iter().any(|g| g.clauses.contains(&clause))
    }

    /// Whether this very clause has been assumed, or its negation; `None` if neither has.
    pub fn settles(&self, clause: Term, negation: Term) -> Option<bool> {
        let clauses = self.groups.iter().flat_map(|group| &group.clauses);
        let found = |c: &Term| *c == clause || *c == negation;
        clauses.copied().find(found).map(|assumed| assumed == clause)
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
        let symbols = terms.involved(clause);
        let group = Group::joined(terms, &self.connected(&symbols), &symbols, clause);
        self.extend(Extension { clause, group: Some(Rc::new(group)) });
    }

    /// By a clause that the condition is known to imply, so that every model still fits.
    pub fn implied(&self, terms: &Terms, clause: Term) -> Extension {
        if clause == Term::TRUE {
            return Extension { clause, group: None };
        }
        let symbols = terms.involved(clause);
        let connected = self.connected(&symbols);
        let model = Group::model_of(&connected);
        let model = model.map(|model| model.with_forced(terms, &symbols).map_or(model, Rc::new));
        debug_assert!(model.as_ref().is_none_or(|m| terms.eval(clause, m).is_none_or(|v| v.as_bool())));
        let group = Group::joined(terms, &connected, &symbols, clause).with_model(terms, model);
        Extension { clause, group: Some(Rc::new(group)) }
    }

    /// Extends the condition for which the extension was found, or a copy of it.
    pub fn extend(&mut self, Extension { clause, group }: Extension) {
        if let Some(group) = group {
            self.groups.retain(|g| g.set & group.set == 0 || !intersects(&g.symbols, &group.symbols));
            self.groups.push(group);
            self.clauses.push(clause);
        }
    }

    /// The groups that mention one of the symbols.
    pub(crate) fn connected(&self, symbols: &[Symbol]) -> Vec<&Rc<Group>> {
        let set = mask_of(symbols);
        self.groups.iter().filter(|g| g.set & set != 0 && intersects(&g.symbols, symbols)).collect()
    }
}

impl Drop for ClauseList {
    /// A loop, because a long list would otherwise be dropped by a deep recursion.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(newest) = rest {
            rest = match Rc::try_unwrap(newest) {
                Ok(mut alone) => alone.before.0.take(),
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
