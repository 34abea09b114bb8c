//! What a reference may be: the atoms of Definition 3.2 as a clause over its alternatives.
//!
//! A reference may stand at several places in the backbone, if the object that holds it may be an alias; then the clause is a
//! conjunction over the places. Alternatives that the statements exclude are forgotten: the terms stay small.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::hex::automaton::{START, Selector};
use lazuli_program::hex::{ClassTest, Clause, Hex, Object, PatternId, ScopeId, Semantics, Start, Target, When};
use lazuli_program::ir::ClassId;

use super::backbone::{Backbone, Frozen, InitialHeap, Loaded, Node, Place};
use super::origin::{At, Match, OriginId};
use crate::context::Context;

/// Who holds a reference.
pub enum Owner<'a> {
    Input(&'a str),
    /// One of these objects, where the guard holds.
    Field {
        objects: Vec<(Term, u32)>,
        selector: Selector,
    },
}

/// A reference about which something is assumed.
pub struct Reference<'a> {
    pub symbol: Term,
    /// Its declared class.
    pub class: ClassId,
    pub owner: Owner<'a>,
    /// What the heap model calls the object that it may expand to.
    pub handle: u32,
}

/// What it may be: where it is null, where it denotes an object of its own, and where one of the nodes.
pub struct Alternatives {
    pub null: Term,
    pub fresh: Term,
    pub aliases: Vec<(Term, u32)>,
    /// Whether the heap model has chosen one of them already.
    enumerated: bool,
}

/// Which alternatives are impossible.
pub struct Excluded {
    pub null: bool,
    pub fresh: bool,
    pub aliases: Vec<bool>,
}

/// A place where the reference may stand.
pub(super) struct Spot {
    pub guard: Term,
    pub origin: OriginId,
    pub parent: Option<(u32, u32)>,
}

/// A statement that is about the reference at a spot.
#[derive(Clone, Copy)]
pub(super) struct Matched {
    pub statement: u32,
    /// Where the scope's variable denotes what `scope` says.
    pub guard: Term,
    pub scope: Scoped,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scoped {
    Nothing,
    Object((u32, u32)),
    /// The object that the reference denotes.
    Itself {
        sure: bool,
    },
}

/// A reference that may stand at more places in the backbone is given up.
pub const MAX_SPOTS: usize = 100;

/// What the statements at one spot say of the alternatives.
pub(super) struct Verdicts {
    pub null: Term,
    pub fresh: Term,
    pub aliases: Vec<Term>,
}

impl Backbone {
    /// A reference is assumed to be one of the alternatives, where `real` holds. Gives the clause that the invariants put on it.
    pub fn assume(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        mut alternatives: Alternatives,
        real: Term,
    ) -> Term {
        let hex = cx.origins.as_ref().expect("there are invariants").hex.clone();
        let spots = self.spots(cx, &reference);
        if spots.len() > MAX_SPOTS {
            cx.origins().too_many = true;
            return Term::TRUE;
        }
        let matched: Vec<Vec<Matched>> = spots.iter().map(|spot| self.matched(cx, &hex, spot)).collect();
        let mut clause = Term::TRUE;
        let mut verdicts = Vec::with_capacity(spots.len());
        for (spot, matched) in spots.iter().zip(&matched) {
            let verdict = match hex.semantics {
                Semantics::Hex => self.verdicts(cx, &hex, &reference, spot, matched, &alternatives),
                Semantics::Jbse => self.jbse_verdicts(cx, &hex, &reference, spot, matched, &alternatives),
            };
            let here = self.clause(cx, spot.guard, &alternatives, &verdict, real);
            clause = cx.terms.and(clause, here);
            verdicts.push(verdict);
        }
        if clause == Term::FALSE {
            return clause;
        }
        narrow(cx, reference.symbol, real, &mut alternatives, &verdicts);
        let freezes = hex.semantics == Semantics::Hex;
        for (spot, matched) in spots.iter().zip(&matched).filter(|_| freezes) {
            self.freeze(cx, &hex, spot, matched, &alternatives);
        }
        let fresh = self.enter(cx, &reference, &spots, &alternatives, real);
        for (spot, matched) in spots.iter().zip(&matched) {
            let assumed = self.events(cx, heap, &hex, spot, matched, &alternatives, fresh, real);
            clause = cx.terms.and(clause, assumed);
        }
        clause
    }

    /// Which alternatives of a reference the statements exclude, whatever else is true: all of them at once, under the models that
    /// enumerate.
    pub fn excluded(&self, cx: &mut Context, reference: &Reference, nodes: &[u32]) -> Excluded {
        let hex = cx.origins.as_ref().expect("there are invariants").hex.clone();
        let mut excluded = Excluded { null: false, fresh: false, aliases: vec![false; nodes.len()] };
        if hex.semantics != Semantics::Hex {
            return excluded;
        }
        let aliases = nodes.iter().map(|node| (Term::TRUE, *node)).collect();
        let all = Alternatives { null: Term::TRUE, fresh: Term::TRUE, aliases, enumerated: true };
        for spot in self.spots(cx, reference).iter().filter(|spot| spot.guard == Term::TRUE) {
            let matched = self.matched(cx, &hex, spot);
            let verdicts = self.verdicts(cx, &hex, reference, spot, &matched, &all);
            excluded.null |= verdicts.null == Term::FALSE;
            excluded.fresh |= verdicts.fresh == Term::FALSE;
            for (excluded, verdict) in excluded.aliases.iter_mut().zip(&verdicts.aliases) {
                *excluded |= *verdict == Term::FALSE;
            }
        }
        excluded
    }

    /// Likewise for a reference that is loaded under `guard`, under the models that do not enumerate.
    pub fn load(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: Reference, guard: Term) -> Term {
        let before = self.loaded_before(cx, reference.symbol);
        let not_before = cx.terms.not(before);
        let real = cx.terms.and(guard, not_before);
        if real == Term::FALSE {
            return Term::TRUE;
        }
        let alternatives = self.alternatives(cx, reference.symbol, reference.class, real);
        self.assume(cx, heap, reference, alternatives, real)
    }

    /// Likewise for the receiver of the entry, which is an object of its own under every model.
    pub fn receive(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        chosen: Alternatives,
    ) -> Term {
        let (symbol, node) = (reference.symbol, self.len());
        let clause = self.assume(cx, heap, reference, chosen, Term::TRUE);
        if self.len() > node {
            let objects = Rc::from([(Term::TRUE, node)]);
            self.inner().loaded.push(Loaded { symbol, real: Term::TRUE, objects });
        }
        clause
    }

    /// The objects that hold a field of the object that `holder` denotes.
    pub fn owners(&self, cx: &mut Context, holder: Term, guard: Term) -> Vec<(Term, u32)> {
        self.denoted(cx, holder, guard)
    }

    /// null, the objects so far, and a fresh one.
    fn alternatives(&self, cx: &mut Context, symbol: Term, class: ClassId, real: Term) -> Alternatives {
        let is_null = cx.terms.eq(symbol, Term::NULL);
        let null = cx.terms.and(real, is_null);
        let mut aliases = Vec::new();
        let mut parts = vec![real, cx.terms.not(is_null)];
        for (index, node) in (0..).zip(self.0.nodes.iter()) {
            if !cx.program.related(node.class, class) {
                continue;
            }
            let equal = cx.terms.eq(symbol, node.symbol);
            let same = cx.terms.and(equal, node.exists);
            let alias = cx.terms.and(real, same);
            if alias != Term::FALSE {
                aliases.push((alias, index));
                parts.push(cx.terms.not(same));
            }
        }
        let fresh = cx.terms.all(parts);
        Alternatives { null, fresh, aliases, enumerated: false }
    }

    /// The places where a reference may stand.
    fn spots(&self, cx: &mut Context, reference: &Reference) -> Vec<Spot> {
        let program = cx.program;
        match &reference.owner {
            Owner::Input(name) => {
                let origin = cx.origins().root(program, name, reference.class);
                vec![Spot { guard: Term::TRUE, origin, parent: None }]
            }
            Owner::Field { objects, selector } => {
                let mut spots = Vec::with_capacity(objects.len());
                for &(guard, node) in objects {
                    let places = self.0.nodes[node as usize].places.clone();
                    for (number, place) in (0..).zip(places.iter()) {
                        let guard = if places.len() > 1 { cx.terms.and(guard, place.guard) } else { guard };
                        if guard != Term::FALSE {
                            let origin = cx.origins().step(program, place.origin, *selector, reference.class);
                            spots.push(Spot { guard, origin, parent: Some((node, number)) });
                        }
                    }
                }
                // What the path has decided need not be kept apart.
                if spots.len() > 1 {
                    for spot in &mut spots {
                        spot.guard = cx.under_path(spot.guard);
                    }
                    spots.retain(|spot| spot.guard != Term::FALSE);
                }
                if let [only] = spots.as_mut_slice() {
                    only.guard = Term::TRUE;
                }
                spots
            }
        }
    }

    /// The statements about the reference at a spot.
    fn matched(&self, cx: &mut Context, hex: &Hex, spot: &Spot) -> Vec<Matched> {
        let matches = cx.origins().matches(spot.origin);
        let mut list = Vec::with_capacity(matches.len());
        for &Match { statement, at } in matches.iter() {
            let (guard, scope) = match at {
                At::Input => (Term::TRUE, Scoped::Nothing),
                At::Itself { sure } => (Term::TRUE, Scoped::Itself { sure }),
                At::Run(run) => {
                    let pattern = hex.statements[statement as usize].pattern;
                    let Start::Scope(scope) = hex.patterns[pattern.index()].start else {
                        unreachable!("only a scope has runs")
                    };
                    let (guard, object) = self.variable(cx, hex, spot, scope, run);
                    (guard, Scoped::Object(object))
                }
            };
            if guard != Term::FALSE {
                list.push(Matched { statement, guard, scope });
            }
        }
        list
    }

    /// The object that is meant by a run, and the condition that the scope's variable denotes it.
    fn variable(&self, cx: &mut Context, hex: &Hex, spot: &Spot, scope: ScopeId, run: u32) -> (Term, (u32, u32)) {
        let runs = cx.origins().runs(spot.origin, scope);
        let holder = spot.parent.expect("there is an object above");
        let depth = cx.origins().depth(spot.origin) - 1;
        let class = hex.scopes[scope.index()].class;
        let mut guard = Term::TRUE;
        let mut object = holder;
        for (number, candidate) in (0..=run).zip(runs.iter()) {
            object = self.ancestor(holder, depth - candidate.depth).expect("the backbone reaches to the input");
            if !candidate.sure {
                let symbol = self.node(object.0).symbol;
                let is = cx.is_class(symbol, class);
                let is = if number == run { is } else { cx.terms.not(is) };
                guard = cx.terms.and(guard, is);
            }
        }
        (guard, object)
    }

    fn verdicts(
        &self,
        cx: &mut Context,
        hex: &Hex,
        reference: &Reference,
        spot: &Spot,
        matched: &[Matched],
        alternatives: &Alternatives,
    ) -> Verdicts {
        let mut verdicts = Verdicts {
            null: Term::TRUE,
            fresh: self.unfrozen(cx, hex, spot),
            aliases: vec![Term::TRUE; alternatives.aliases.len()],
        };
        for matched in matched {
            for clause in &hex.statements[matched.statement as usize].clauses {
                match clause {
                    Clause::NotNull => {
                        // Of a reference that denotes nothing it cannot be said that it denotes one of the scope's class.
                        if !matches!(matched.scope, Scoped::Itself { sure: false }) {
                            verdicts.null = unless(cx, matched.guard, verdicts.null);
                        }
                    }
                    Clause::ExpandsToNothing => {
                        let guard = self.with_itself(cx, hex, matched, reference.symbol);
                        verdicts.fresh = unless(cx, guard, verdicts.fresh);
                    }
                    Clause::ExpandsTo(tests) => {
                        let guard = self.with_itself(cx, hex, matched, reference.symbol);
                        let is = any_class(cx, reference.symbol, tests);
                        let holds = cx.terms.implies(guard, is);
                        verdicts.fresh = cx.terms.and(verdicts.fresh, holds);
                    }
                    Clause::AliasesNothing | Clause::Aliases(_) | Clause::NeverAliases(_) => {
                        for (verdict, &(alias, node)) in verdicts.aliases.iter_mut().zip(&alternatives.aliases) {
                            if alias != Term::FALSE && *verdict != Term::FALSE {
                                let holds = self.alias_holds(cx, hex, spot, matched, clause, node);
                                let symbol = self.node(node).symbol;
                                let guard = self.with_itself(cx, hex, matched, symbol);
                                let holds = cx.terms.implies(guard, holds);
                                *verdict = cx.terms.and(*verdict, holds);
                            }
                        }
                    }
                }
            }
        }
        verdicts
    }

    /// The guard of a statement about an object; if the statement is about the object itself, its class is part of it.
    pub(super) fn with_itself(&self, cx: &mut Context, hex: &Hex, matched: &Matched, symbol: Term) -> Term {
        let Scoped::Itself { sure: false } = matched.scope else { return matched.guard };
        let pattern = hex.statements[matched.statement as usize].pattern;
        let Start::Scope(scope) = hex.patterns[pattern.index()].start else { return matched.guard };
        let is = cx.is_class(symbol, hex.scopes[scope.index()].class);
        cx.terms.and(matched.guard, is)
    }

    /// Whether an atom about aliases permits the alias of a node.
    fn alias_holds(
        &self,
        cx: &mut Context,
        hex: &Hex,
        spot: &Spot,
        matched: &Matched,
        clause: &Clause,
        node: u32,
    ) -> Term {
        match clause {
            Clause::Aliases(targets) => {
                let each: Vec<Term> = targets.iter().map(|t| self.is_target(cx, hex, spot, matched, t, node)).collect();
                cx.terms.any(each)
            }
            Clause::NeverAliases(target) => {
                let is = self.is_target(cx, hex, spot, matched, target, node);
                cx.terms.not(is)
            }
            _ => Term::FALSE,
        }
    }

    pub(super) fn is_target(
        &self,
        cx: &mut Context,
        hex: &Hex,
        spot: &Spot,
        matched: &Matched,
        target: &Target,
        node: u32,
    ) -> Term {
        match target {
            Target::Some(test) => any_class(cx, self.node(node).symbol, &[*test]),
            Target::Object(object) => {
                let mut is = Term::FALSE;
                for (guard, found) in self.objects(cx, hex, *object, spot, matched, Some(node)) {
                    if found == node {
                        is = cx.terms.or(is, guard);
                    }
                }
                is
            }
            Target::Path { pattern, max: true } if hex.semantics == Semantics::Jbse => {
                self.is_longest(cx, hex, *pattern, node)
            }
            Target::Path { pattern, max } => {
                let mut is = Term::FALSE;
                for number in 0..self.node(node).places.len() as u32 {
                    let here = self.is_at(cx, hex, (node, number), *pattern, matched.scope, *max);
                    is = cx.terms.or(is, here);
                }
                is
            }
        }
    }

    /// The condition that an object is at a place that the pattern has; with `max`, that nothing of the pattern is below it.
    fn is_at(&self, cx: &mut Context, hex: &Hex, at: (u32, u32), pattern: PatternId, scope: Scoped, max: bool) -> Term {
        if !self.in_pattern(cx, hex, at, pattern, scope) {
            return Term::FALSE;
        }
        let mut guard = if self.node(at.0).places.len() > 1 { self.place(at).guard } else { Term::TRUE };
        if max {
            for node in at.0 + 1..self.len() {
                for place in 0..self.node(node).places.len() as u32 {
                    let below = (node, place);
                    if self.is_below(below, at) && self.in_pattern(cx, hex, below, pattern, scope) {
                        guard = unless(cx, self.place(below).guard, guard);
                    }
                }
            }
        }
        guard
    }

    /// Whether the origin of a place is in a pattern, from the object on that the scope's variable denotes.
    pub(super) fn in_pattern(
        &self,
        cx: &mut Context,
        hex: &Hex,
        at: (u32, u32),
        pattern: PatternId,
        scope: Scoped,
    ) -> bool {
        let Start::Scope(start) = hex.patterns[pattern.index()].start else {
            let origin = self.place(at).origin;
            return cx.origins().is_in(origin, pattern, 0);
        };
        let Scoped::Object(variable) = scope else { return false };
        if at == variable {
            return hex.patterns[pattern.index()].automaton.accepts(START);
        }
        self.run_of(cx, self.place(at), start, variable)
            .is_some_and(|run| cx.origins().is_in(self.place(at).origin, pattern, run))
    }

    /// The number of the run that begins at an object.
    fn run_of(&self, cx: &mut Context, place: &Place, scope: ScopeId, object: (u32, u32)) -> Option<usize> {
        let runs = cx.origins().runs(place.origin, scope);
        let depth = cx.origins().depth(place.origin);
        let parent = place.parent?;
        runs.iter().position(|run| self.ancestor(parent, depth - 1 - run.depth) == Some(object))
    }

    /// The objects that an expression may mean, with guards; `it` is the object that the reference denotes.
    pub(super) fn objects(
        &self,
        cx: &mut Context,
        hex: &Hex,
        object: Object,
        spot: &Spot,
        matched: &Matched,
        it: Option<u32>,
    ) -> Vec<(Term, u32)> {
        let known = |object: Option<(u32, u32)>| object.map(|(node, _)| (Term::TRUE, node)).into_iter().collect();
        match object {
            Object::It => it.map(|node| (Term::TRUE, node)).into_iter().collect(),
            Object::Prefix(pattern) => known(self.prefix(cx, hex, spot, pattern)),
            Object::Up(steps) => known(spot.parent.and_then(|parent| self.ancestor(parent, steps - 1))),
            Object::Scope(scope) => {
                let pattern = hex.statements[matched.statement as usize].pattern;
                match matched.scope {
                    Scoped::Itself { .. } => return it.map(|node| (Term::TRUE, node)).into_iter().collect(),
                    Scoped::Object(object) if hex.patterns[pattern.index()].start == Start::Scope(scope) => {
                        return known(Some(object));
                    }
                    _ => {}
                }
                let runs = cx.origins().runs(spot.origin, scope).len() as u32;
                let mut found = Vec::new();
                for run in 0..runs {
                    let (guard, (node, _)) = self.variable(cx, hex, spot, scope, run);
                    if guard != Term::FALSE {
                        found.push((guard, node));
                    }
                }
                found
            }
        }
    }

    /// The closest object above a reference from which its path is one of the pattern.
    fn prefix(&self, cx: &mut Context, hex: &Hex, spot: &Spot, pattern: PatternId) -> Option<(u32, u32)> {
        let mut path = Vec::new();
        let (mut origin, mut object) = (spot.origin, spot.parent);
        while let (Some((above, selector)), Some(at)) = (cx.origins().parent(origin), object) {
            path.insert(0, selector);
            if hex.patterns[pattern.index()].automaton.matches(&path) {
                return Some(at);
            }
            (origin, object) = (above, self.place(at).parent);
        }
        None
    }

    /// Whether a fresh object at a spot extends none of the `max` targets that were taken.
    fn unfrozen(&self, cx: &mut Context, hex: &Hex, spot: &Spot) -> Term {
        let mut holds = Term::TRUE;
        let Some(parent) = spot.parent else { return holds };
        for frozen in &self.0.frozen {
            if self.is_below(parent, frozen.target) && self.extends(cx, hex, spot, frozen) {
                holds = unless(cx, frozen.guard, holds);
            }
        }
        holds
    }

    fn extends(&self, cx: &mut Context, hex: &Hex, spot: &Spot, frozen: &Frozen) -> bool {
        match (&hex.patterns[frozen.pattern.index()].start, frozen.scope) {
            (Start::Scope(scope), Some(variable)) => {
                let place = Place { guard: Term::TRUE, origin: spot.origin, parent: spot.parent };
                self.run_of(cx, &place, *scope, variable)
                    .is_some_and(|run| cx.origins().is_in(spot.origin, frozen.pattern, run))
            }
            (Start::Scope(_), None) => false,
            _ => cx.origins().is_in(spot.origin, frozen.pattern, 0),
        }
    }

    /// Remembers the aliases that only a `max` target permits.
    fn freeze(&mut self, cx: &mut Context, hex: &Hex, spot: &Spot, matched: &[Matched], alternatives: &Alternatives) {
        for matched in matched {
            for clause in &hex.statements[matched.statement as usize].clauses {
                let Clause::Aliases(targets) = clause else { continue };
                for &(alias, node) in alternatives.aliases.iter().filter(|(alias, _)| *alias != Term::FALSE) {
                    self.freeze_targets(cx, hex, spot, matched, targets, (alias, node));
                }
            }
        }
    }

    fn freeze_targets(
        &mut self,
        cx: &mut Context,
        hex: &Hex,
        spot: &Spot,
        matched: &Matched,
        targets: &[Target],
        (alias, node): (Term, u32),
    ) {
        if targets.iter().all(|t| !matches!(t, Target::Path { max: true, .. })) {
            return;
        }
        let mut otherwise = Term::FALSE;
        for target in targets.iter().filter(|t| !matches!(t, Target::Path { max: true, .. })) {
            let is = self.is_target(cx, hex, spot, matched, target, node);
            otherwise = cx.terms.or(otherwise, is);
        }
        let taken = cx.terms.all([spot.guard, matched.guard, alias]);
        let taken = unless(cx, otherwise, taken);
        for target in targets {
            let Target::Path { pattern, max: true } = *target else { continue };
            for place in 0..self.node(node).places.len() as u32 {
                let is = self.is_at(cx, hex, (node, place), pattern, matched.scope, true);
                let guard = cx.terms.and(taken, is);
                if guard != Term::FALSE {
                    let scope = match matched.scope {
                        Scoped::Object(object) => Some(object),
                        _ => None,
                    };
                    self.inner().frozen.push(Frozen { guard, pattern, scope, target: (node, place) });
                }
            }
        }
    }

    /// The clause at one spot: exclusions, or, where a single alternative is left, that one.
    fn clause(
        &self,
        cx: &mut Context,
        spot: Term,
        alternatives: &Alternatives,
        verdicts: &Verdicts,
        real: Term,
    ) -> Term {
        let aliases = alternatives.aliases.iter().zip(&verdicts.aliases).map(|((alias, _), ok)| (*alias, *ok));
        let all = [(alternatives.null, verdicts.null), (alternatives.fresh, verdicts.fresh)].into_iter().chain(aliases);
        let mut excluded = Vec::new();
        let mut left = Vec::new();
        for (alternative, ok) in all.filter(|(alternative, _)| *alternative != Term::FALSE) {
            if ok != Term::FALSE {
                left.push((alternative, ok));
            }
            if ok != Term::TRUE {
                excluded.push((alternative, ok));
            }
        }
        let guard = cx.terms.and(spot, real);
        match left.as_slice() {
            [] => cx.terms.not(guard),
            _ if excluded.is_empty() => Term::TRUE,
            &[(only, ok)] => {
                let holds = cx.terms.and(only, ok);
                cx.terms.implies(guard, holds)
            }
            _ => {
                let mut clause = Term::TRUE;
                for (alternative, ok) in excluded {
                    let here = cx.terms.and(guard, alternative);
                    let holds = cx.terms.implies(here, ok);
                    clause = cx.terms.and(clause, holds);
                }
                clause
            }
        }
    }

    /// Enters the object that the reference may expand to; `None` if it cannot.
    fn enter(
        &mut self,
        cx: &mut Context,
        reference: &Reference,
        spots: &[Spot],
        alternatives: &Alternatives,
        real: Term,
    ) -> Option<u32> {
        let fresh = alternatives.fresh;
        let entered = (fresh != Term::FALSE).then(|| {
            let place = |cx: &mut Context, spot: &Spot| {
                let guard = if spots.len() > 1 { cx.terms.and(fresh, spot.guard) } else { fresh };
                Place { guard, origin: spot.origin, parent: spot.parent }
            };
            let places: Rc<[Place]> = spots.iter().map(|spot| place(cx, spot)).collect();
            self.push(cx, Node::new(reference.symbol, reference.class, fresh, places, reference.handle));
            self.len() - 1
        });
        if !alternatives.enumerated {
            let aliases = alternatives.aliases.iter().copied().filter(|(alias, _)| *alias != Term::FALSE);
            let objects = aliases.chain(entered.map(|node| (fresh, node))).collect();
            self.inner().loaded.push(Loaded { symbol: reference.symbol, real, objects });
        }
        entered
    }
}

/// Forgets the alternatives that are excluded at every spot, and what the others need not say any more.
fn narrow(cx: &mut Context, symbol: Term, real: Term, alternatives: &mut Alternatives, verdicts: &[Verdicts]) {
    if alternatives.enumerated {
        return;
    }
    let excluded = |ok: &dyn Fn(&Verdicts) -> Term| verdicts.iter().all(|v| ok(v) == Term::FALSE);
    if excluded(&|v| v.null) {
        alternatives.null = Term::FALSE;
    }
    if excluded(&|v| v.fresh) {
        alternatives.fresh = Term::FALSE;
    }
    for (index, alias) in alternatives.aliases.iter_mut().enumerate() {
        if excluded(&|v| v.aliases[index]) {
            alias.0 = Term::FALSE;
        }
    }
    for alias in alternatives.aliases.iter_mut().filter(|(alias, _)| *alias != Term::FALSE) {
        alias.0 = cx.under_path(alias.0);
    }
    if alternatives.fresh == Term::FALSE {
        return;
    }
    let mut parts = vec![real];
    if alternatives.null != Term::FALSE {
        parts.push(cx.terms.ne(symbol, Term::NULL));
    }
    for &(alias, _) in alternatives.aliases.iter().filter(|(alias, _)| *alias != Term::FALSE) {
        parts.push(cx.terms.not(alias));
    }
    alternatives.fresh = cx.terms.all(parts);
}

/// `value`, but not where `guard` holds.
pub(super) fn unless(cx: &mut Context, guard: Term, value: Term) -> Term {
    let not = cx.terms.not(guard);
    cx.terms.and(value, not)
}

/// The condition that the object a symbol denotes is of one of the classes.
pub(super) fn any_class(cx: &mut Context, symbol: Term, tests: &[ClassTest]) -> Term {
    let last = |cx: &Context, test: &ClassTest| if test.exact { test.class } else { cx.program.class(test.class).last };
    let each: Vec<Term> = tests
        .iter()
        .map(|test| {
            let last = last(cx, test);
            cx.terms.class_in(symbol, test.class.0, last.0)
        })
        .collect();
    cx.terms.any(each)
}

impl Alternatives {
    /// The alternative that a model which enumerates has chosen.
    pub fn chosen(when: When, node: Option<u32>) -> Alternatives {
        let is = |kind: When| Term::bool(when == kind);
        let aliases = node.filter(|_| when == When::Alias).map(|node| (Term::TRUE, node));
        Alternatives {
            null: is(When::Null),
            fresh: is(When::Expand),
            aliases: aliases.into_iter().collect(),
            enumerated: true,
        }
    }
}
