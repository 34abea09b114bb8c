//! Where a reference stands in the backbone, and what the words of a statement mean there: the places of its holder one step on, the
//! statements that are about it, and the objects that a statement can name.

use crate::hex::automaton::{START, Selector};
use crate::hex::{Hex, Object, PatternId, Scope, ScopeId, Start};
use lazuli_logic::Term;
use lazuli_program::ir::ClassId;

use super::Evaluator;
use super::admit::{Owner, Reference, unless};
use super::backbone::Backbone;
use super::origin::{At, Match, OriginId, Topic, index_selectors};
use lazuli_engine::context::Context;

/// A place where the reference may stand.
pub(super) struct Spot {
    pub guard: Term,
    pub origin: OriginId,
    pub parent: Option<(u32, u32)>,
    /// The index, if it is an element of an array.
    pub index: Option<Term>,
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

/// Objects with guards; almost always it is one.
pub(super) enum Objects {
    One(Option<(Term, u32)>),
    Several(std::vec::IntoIter<(Term, u32)>),
}

impl Iterator for Objects {
    type Item = (Term, u32);

    fn next(&mut self) -> Option<(Term, u32)> {
        match self {
            Objects::One(object) => object.take(),
            Objects::Several(objects) => objects.next(),
        }
    }
}

/// Where an object is one that the variable of a scope may denote.
pub(super) fn is_meant(cx: &mut Context, symbol: Term, scope: &Scope) -> Term {
    let is = cx.is_class(symbol, scope.class);
    match scope.but {
        None => is,
        Some(but) => {
            let is_other = cx.is_class(symbol, but);
            unless(cx, is_other, is)
        }
    }
}

/// A reference that may stand at more places in the backbone is given up.
pub const MAX_SPOTS: usize = 100;

impl Backbone {
    /// The places where a reference may stand.
    pub(super) fn spots(&self, cx: &mut Context, reference: &Reference) -> Vec<Spot> {
        let program = cx.program;
        match &reference.owner {
            Owner::Input(name) => {
                let origin = cx.origins().root(program, name, reference.class);
                vec![Spot { guard: Term::TRUE, origin, parent: None, index: None }]
            }
            Owner::Node { node, selector } => {
                self.spots_below(cx, &[(Term::TRUE, *node)], &[(Term::TRUE, *selector)], reference.class)
            }
            Owner::Field { objects, selector } => {
                self.spots_below(cx, objects, &[(Term::TRUE, *selector)], reference.class)
            }
            Owner::Element { objects, index } => {
                let selectors = index_selectors(cx, *index);
                let mut spots = self.spots_below(cx, objects, &selectors, reference.class);
                spots.iter_mut().for_each(|spot| spot.index = Some(*index));
                spots
            }
        }
    }

    /// The only place where a reference may stand; `None` if there may be others.
    pub(super) fn only_spot(&self, cx: &mut Context, reference: &Reference) -> Option<Spot> {
        if let Owner::Node { node, selector } = reference.owner {
            let [place] = *self.node(node).places else { return None };
            let program = cx.program;
            let origin = cx.origins().step(program, place.origin, selector, reference.class);
            return Some(Spot { guard: Term::TRUE, origin, parent: Some((node, 0)), index: None });
        }
        let mut spots = self.spots(cx, reference);
        if spots.len() == 1 { spots.pop() } else { None }
    }

    /// The places of a reference that one of some objects holds, at one of some places in it.
    fn spots_below(
        &self,
        cx: &mut Context,
        objects: &[(Term, u32)],
        selectors: &[(Term, Selector)],
        class: ClassId,
    ) -> Vec<Spot> {
        let program = cx.program;
        let mut spots = Vec::with_capacity(objects.len());
        for &(guard, node) in objects {
            let places = self.shared.nodes[node as usize].places.clone();
            for (number, place) in (0..).zip(places.iter()) {
                let guard = if places.len() > 1 { cx.terms.and(guard, place.guard) } else { guard };
                for &(here, selector) in selectors {
                    let guard = cx.terms.and(guard, here);
                    if guard != Term::FALSE {
                        let origin = cx.origins().step(program, place.origin, selector, class);
                        spots.push(Spot { guard, origin, parent: Some((node, number)), index: None });
                    }
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

    /// The statements about the reference at a spot.
    pub(super) fn matched(&self, cx: &mut Context, hex: &Hex, spot: &Spot) -> Vec<Matched> {
        let matches = cx.origins().matches(spot.origin);
        self.matched_of(cx, hex, spot, &matches)
    }

    /// Those of them that have something to say of a topic.
    pub(super) fn matched_about(&self, cx: &mut Context, hex: &Hex, spot: &Spot, topic: Topic) -> Vec<Matched> {
        let matches = cx.origins().about(spot.origin, topic);
        if matches.is_empty() {
            return Vec::new();
        }
        let matches = matches.clone();
        self.matched_of(cx, hex, spot, &matches)
    }

    fn matched_of(&self, cx: &mut Context, hex: &Hex, spot: &Spot, matches: &[Match]) -> Vec<Matched> {
        let mut list: Vec<Matched> = Vec::with_capacity(matches.len());
        for &Match { statement, at } in matches {
            let (guard, scope) = match at {
                At::Input => (Term::TRUE, Scoped::Nothing),
                At::Itself { sure } => {
                    // Only where the statement is not about the reference by way of an object above.
                    let mut guard = Term::TRUE;
                    for above in list.iter().rev().take_while(|m| m.statement == statement) {
                        guard = unless(cx, above.guard, guard);
                    }
                    (guard, Scoped::Itself { sure })
                }
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
        let holder = spot.parent.expect("there is an object above");
        let depth = cx.origins().depth(spot.origin) - 1;
        if let Some(at) = cx.origins().sure_run(spot.origin, scope).filter(|_| run == 0) {
            let object = self.ancestor(holder, depth - at).expect("the backbone reaches to the input");
            return (Term::TRUE, object);
        }
        let runs = cx.origins().runs(spot.origin, scope);
        let of = &hex.scopes[scope.index()];
        let mut guard = Term::TRUE;
        let mut object = holder;
        for (number, candidate) in (0..=run).zip(runs.iter()) {
            object = self.ancestor(holder, depth - candidate.depth).expect("the backbone reaches to the input");
            if !candidate.sure {
                let symbol = self.node(object.0).symbol;
                let is = is_meant(cx, symbol, of);
                let is = if number == run { is } else { cx.terms.not(is) };
                guard = cx.terms.and(guard, is);
            }
        }
        (guard, object)
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
    ) -> Objects {
        let known = |object: Option<(u32, u32)>| Objects::One(object.map(|(node, _)| (Term::TRUE, node)));
        let it_alone = Objects::One(it.map(|node| (Term::TRUE, node)));
        match object {
            Object::It => it_alone,
            Object::Prefix(pattern) => known(self.prefix(cx, hex, spot, pattern)),
            Object::AboveIt(steps) => {
                let Some(it) = it else { return Objects::One(None) };
                let above = |(place, guard)| Some((guard, self.ancestor((it, place), steps)?.0));
                let all: Vec<(Term, u32)> = self.places_of(it).into_iter().filter_map(above).collect();
                Objects::Several(all.into_iter())
            }
            Object::Up(steps) => known(spot.parent.and_then(|parent| self.ancestor(parent, steps - 1))),
            Object::Scope(scope) => {
                let pattern = hex.statements[matched.statement as usize].pattern;
                match matched.scope {
                    Scoped::Itself { .. } => return it_alone,
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
                Objects::Several(found.into_iter())
            }
        }
    }

    /// The closest object above a reference from which its path is one of the pattern.
    pub(super) fn prefix(&self, cx: &mut Context, hex: &Hex, spot: &Spot, pattern: PatternId) -> Option<(u32, u32)> {
        // The longest prefix may be the whole path, which is that of no object yet.
        if hex.patterns[pattern.index()].automaton.accepts(START) {
            return None;
        }
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
}
