//! The path condition Σ: a persistent set of clauses, already split into groups that share no symbol.
//!
//! Cloning copies a few pointers, however long the path is: a group and the one that it grows out of share what they have in common.
//! Every group carries a model of its clauses when one is known: then the whole condition is known to be satisfiable, because
//! groups are independent.

use std::rc::Rc;

use crate::difference::Differences;
use crate::eval::Model;
use crate::list::List;
use crate::map::Map;
use crate::ranges::Kept;
use crate::term::{Node, Symbol, Term, Terms};

/// Clauses connected by the symbols they mention.
#[derive(Clone, Debug)]
pub struct Group {
    pub(crate) symbols: Map<Symbol, ()>,
    /// Those of the newest clause, sorted.
    newest: Vec<Symbol>,
    /// A set that contains its symbols, see [`mask`].
    set: u64,
    /// In the order in which they were assumed.
    pub(crate) clauses: List<Term>,
    /// The same, to be found, once there are many.
    found: Map<Term, ()>,
    /// For every clause a set that contains its symbols, see [`mask`].
    pub(crate) masks: List<u64>,
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

/// A group of more clauses than this is extended as it is: whatever joins it comes behind its own clauses, however old that is.
pub(crate) const LONG: usize = 64;

impl Group {
    /// Takes a model of all clauses, which from now on mentions every symbol of the group.
    pub(crate) fn with_model(mut self, terms: &Terms, model: Option<Rc<Model>>) -> Group {
        self.model = model.map(|model| model.complete(terms, self.symbols.iter().map(|(symbol, ())| *symbol)));
        self
    }

    /// Takes the known model of its parts, which mentions their symbols, or one that says more: it will mention those of the newest
    /// clause, too.
    pub(crate) fn with_known(mut self, terms: &Terms, model: Option<Rc<Model>>) -> Group {
        self.model = model.map(|model| model.complete(terms, self.newest.iter().copied()));
        self
    }

    /// The group of a clause that is to be added to `parts`, without a model.
    pub(crate) fn joined(terms: &Terms, parts: &[&Rc<Group>], symbols: &[Symbol], clause: Term) -> Group {
        let longest = (0..parts.len()).max_by_key(|at| parts[*at].clauses.len());
        let first = longest.filter(|at| parts[*at].clauses.len() > LONG).unwrap_or(0);
        let mut group = match parts.get(first) {
            Some(part) => Group {
                symbols: part.symbols.clone(),
                newest: Vec::new(),
                set: part.set,
                clauses: part.clauses.with_room(1),
                found: part.found.clone(),
                masks: part.masks.with_room(1),
                differences: part.differences.clone(),
                instances: part.instances.clone(),
                kept: part.kept.clone(),
                model: None,
            },
            None => Group {
                symbols: Map::EMPTY,
                newest: Vec::new(),
                set: 0,
                clauses: List::default(),
                found: Map::EMPTY,
                masks: List::default(),
                differences: Some(Differences::default()),
                instances: Vec::new(),
                kept: Kept::default(),
                model: None,
            },
        };
        for (_, part) in parts.iter().enumerate().filter(|(at, _)| *at != first) {
            group.symbols.absorb(&part.symbols);
            part.clauses.iter().for_each(|clause| group.assume(*clause));
            group.masks.extend(part.masks.iter().copied());
            group.instances.extend_from_slice(&part.instances);
            group.kept.join(&part.kept, part.set);
            group.set |= part.set;
            group.differences = match (group.differences, &part.differences) {
                (Some(mut all), Some(more)) => all.join(more).then_some(all),
                _ => None,
            };
        }
        for symbol in symbols {
            if !group.mentions(*symbol) {
                group.symbols.insert(*symbol, ());
            }
        }
        group.newest = symbols.to_vec();
        group.assume(clause);
        let mentioned = mask_of(symbols);
        group.masks.push(mentioned);
        group.set |= mentioned;
        group.kept.touch(mentioned);
        group.differences = group.differences.and_then(|mut all| all.add(terms, clause).then_some(all));
        group
    }

    fn assume(&mut self, clause: Term) {
        self.clauses.push(clause);
        if !self.found.is_empty() {
            self.found.insert(clause, ());
        } else if self.clauses.len() > LONG {
            self.clauses.iter().for_each(|clause| _ = self.found.insert(*clause, ()));
        }
    }

    #[inline]
    fn mentions(&self, symbol: Symbol) -> bool {
        self.set & mask(symbol) != 0 && self.symbols.contains(symbol)
    }

    fn mentions_any(&self, symbols: &[Symbol]) -> bool {
        symbols.iter().any(|symbol| self.mentions(*symbol))
    }

    /// Whether this very clause has been assumed.
    #[inline]
    pub(crate) fn has(&self, clause: Term) -> bool {
        if self.found.is_empty() { self.clauses.contains(clause) } else { self.found.contains(clause) }
    }
}

/// A set of symbols as a word, in which some symbols share a bit: it may seem to contain a symbol that it does not contain, but
/// never the other way round.
#[inline]
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
    #[inline]
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
}

#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    clauses: ClauseList,
    groups: Groups,
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
        self.groups.without_model == 0
    }

    /// Whether this very clause has been assumed, or its negation; `None` if neither has.
    pub fn settles(&self, terms: &Terms, clause: Term, negation: Term) -> Option<bool> {
        // All of its symbols are in the group of any of them.
        let group = self.groups.of(terms.some_symbol_of(clause)?)?;
        match group.has(clause) {
            true => Some(true),
            false => group.has(negation).then_some(false),
        }
    }

    /// Whether a clause follows from those assumed by its form alone: it, one of its alternatives, or all of its parts were
    /// assumed, by themselves or as a part of a conjunction.
    pub fn entails(&self, terms: &Terms, clause: Term) -> bool {
        let assumed = |part: Term| {
            let holds = |c: &Term| matches!(terms.node(*c), Some(Node::And(list)) if list.contains(&part));
            let group = terms.some_symbol_of(part).and_then(|symbol| self.groups.of(symbol));
            group.is_some_and(|group| group.has(part) || group.clauses.iter().rev().any(holds))
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
        for group in self.groups.iter() {
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
        let group = Group::joined(terms, &connected, &symbols, clause).with_known(terms, model);
        Extension { clause, group: Some(Rc::new(group)) }
    }

    /// Extends the condition for which the extension was found, or a copy of it.
    pub fn extend(&mut self, Extension { clause, group }: Extension) {
        if let Some(group) = group {
            self.clauses.push(clause);
            self.groups.replace(group, self.clauses.len());
        }
    }

    /// The groups that mention one of the symbols.
    pub(crate) fn connected(&self, symbols: &[Symbol]) -> Vec<&Rc<Group>> {
        self.groups.connected(symbols)
    }
}

/// The groups of a path. Most paths have a few, which are gone through.
#[derive(Clone, Debug, Default)]
struct Groups {
    /// The one with the oldest newest clause first. Empty once there are many.
    few: Vec<Rc<Group>>,
    many: Option<Box<Many>>,
    /// Groups of clauses without symbols: conditions on constants that nobody computes.
    constant: Vec<Rc<Group>>,
    /// How many have no known model.
    without_model: usize,
}

/// So many groups are few.
const FEW: usize = 12;

/// Many groups, each found from any of its symbols: a symbol leads to another one of its group, and so on to the one that
/// stands for the group. Of two groups that become one the larger keeps its symbol, so that no way is long.
#[derive(Clone, Debug, Default)]
struct Many {
    next: Map<Symbol, Symbol>,
    /// By the symbol that stands for it.
    standing: Map<Symbol, Grown>,
}

#[derive(Clone, Debug)]
struct Grown {
    group: Rc<Group>,
    /// The number of clauses that the path had with its newest one: the older group comes first.
    age: usize,
}

impl Groups {
    fn iter(&self) -> impl Iterator<Item = &Rc<Group>> {
        let many = self.many.iter().flat_map(|many| many.standing.iter().map(|(_, grown)| &grown.group));
        self.constant.iter().chain(&self.few).chain(many)
    }

    #[inline]
    fn of(&self, symbol: Symbol) -> Option<&Group> {
        match &self.many {
            None => self.few.iter().map(|group| &**group).find(|group| group.mentions(symbol)),
            Some(many) => many.standing.get(many.standing_for(symbol)?).map(|grown| &*grown.group),
        }
    }

    /// The groups of some symbols, the older first.
    fn connected(&self, symbols: &[Symbol]) -> Vec<&Rc<Group>> {
        match &self.many {
            None => {
                let set = mask_of(symbols);
                self.few.iter().filter(|group| group.set & set != 0 && group.mentions_any(symbols)).collect()
            }
            Some(many) => many.connected(symbols).into_iter().map(|(_, grown)| &grown.group).collect(),
        }
    }

    /// A group takes the place of those that its newest clause connects. The path has so many clauses.
    fn replace(&mut self, group: Rc<Group>, clauses: usize) {
        self.without_model += group.model.is_none() as usize;
        if group.newest.is_empty() {
            return self.constant.push(group);
        }
        if let Some(many) = &mut self.many {
            self.without_model -= many.replace(group, clauses);
            return;
        }
        let set = mask_of(&group.newest);
        self.few.retain(|part| {
            let is_part = part.set & set != 0 && part.mentions_any(&group.newest);
            self.without_model -= (is_part && part.model.is_none()) as usize;
            !is_part
        });
        self.few.push(group);
        if self.few.len() > FEW {
            self.many = Some(Box::new(Many::of(std::mem::take(&mut self.few))));
        }
    }
}

impl Many {
    /// The older first.
    fn of(groups: Vec<Rc<Group>>) -> Many {
        let mut many = Many::default();
        for (age, group) in groups.into_iter().enumerate() {
            let standing = group.newest[0];
            group.symbols.iter().for_each(|(symbol, ())| _ = many.next.insert(*symbol, standing));
            many.standing.insert(standing, Grown { group, age });
        }
        many
    }

    /// The symbol that stands for the group of a symbol.
    fn standing_for(&self, symbol: Symbol) -> Option<Symbol> {
        let mut at = symbol;
        loop {
            match *self.next.get(at)? {
                next if next == at => return Some(at),
                next => at = next,
            }
        }
    }

    /// The groups of some symbols with the symbols that stand for them, the older first.
    fn connected(&self, symbols: &[Symbol]) -> Vec<(Symbol, &Grown)> {
        let mut found: Vec<(Symbol, &Grown)> = Vec::new();
        for symbol in symbols {
            // Mostly all of them are in one group.
            if found.last().is_some_and(|(_, grown)| grown.group.mentions(*symbol)) {
                continue;
            }
            if let Some(standing) = self.standing_for(*symbol)
                && !found.iter().any(|(other, _)| *other == standing)
            {
                found.push((standing, self.standing.get(standing).expect("it stands for a group")));
            }
        }
        found.sort_by_key(|(_, grown)| grown.age);
        found
    }

    /// Gives how many of those that are replaced had no known model.
    fn replace(&mut self, group: Rc<Group>, age: usize) -> usize {
        let parts = self.connected(&group.newest);
        let largest = parts.iter().max_by_key(|(_, grown)| grown.group.symbols.len());
        let standing = largest.map_or(group.newest[0], |(symbol, _)| *symbol);
        let without_model = parts.iter().filter(|(_, grown)| grown.group.model.is_none()).count();
        let parts: Vec<Symbol> = parts.iter().map(|(symbol, _)| *symbol).filter(|part| *part != standing).collect();
        for part in parts {
            self.standing.remove(part);
            self.next.insert(part, standing);
        }
        for symbol in &group.newest {
            if !self.next.contains(*symbol) {
                self.next.insert(*symbol, standing);
            }
        }
        self.standing.insert(standing, Grown { group, age });
        without_model
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
