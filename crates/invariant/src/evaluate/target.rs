//! Whether an object is what an alias may be: by its class, by its place relative to the reference, or by its origin in a pattern.

use crate::hex::automaton::START;
use crate::hex::{Clause, Hex, Object, PatternId, ScopeId, Semantics, Start, Target};
use lazuli_logic::Term;

use super::Evaluator;
use super::admit::{any_class, unless};
use super::backbone::{Backbone, Place};
use super::origin::OriginId;
use super::spot::{Matched, Scoped, Spot};
use lazuli_engine::context::Context;

impl Backbone {
    /// Whether an atom about aliases permits the alias of a node.
    pub(super) fn alias_holds(
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
                let mut any = Term::FALSE;
                for target in targets {
                    let is = self.is_target(cx, hex, spot, matched, target, node);
                    any = cx.terms.or(any, is);
                }
                any
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
                self.is_longest(cx, node, true, |backbone, cx, at| {
                    backbone.in_pattern(cx, hex, at, *pattern, Scoped::Nothing)
                })
            }
            Target::Below { object, pattern, max } => {
                let above = match *object {
                    Object::Prefix(prefix) => self.prefix(cx, hex, spot, prefix),
                    Object::Up(steps) => spot.parent.and_then(|parent| self.ancestor(parent, steps - 1)),
                    _ => None,
                };
                let Some(above) = above else { return Term::FALSE };
                self.is_longest(cx, node, *max, |backbone, cx, at| {
                    let origin = backbone.place(at).origin;
                    backbone.leads_to(cx, hex, above, origin, at, *pattern)
                })
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
    pub(super) fn is_at(
        &self,
        cx: &mut Context,
        hex: &Hex,
        at: (u32, u32),
        pattern: PatternId,
        scope: Scoped,
        max: bool,
    ) -> Term {
        if !self.in_pattern(cx, hex, at, pattern, scope) {
            return Term::FALSE;
        }
        let mut guard = if self.node(at.0).places.len() > 1 { self.place(at).guard } else { Term::TRUE };
        if max {
            for node in at.0 + 1..self.len() {
                for place in 0..self.node(node).places.len() as u32 {
                    let below = (node, place);
                    let origin = self.place(below).origin;
                    if !cx.origins().may_be_in(origin, pattern) {
                        continue;
                    }
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
        let origin = self.place(at).origin;
        if !cx.origins().may_be_in(origin, pattern) {
            return false;
        }
        match self.run_of(cx, self.place(at), start, variable) {
            Some(run) => cx.origins().is_in(origin, pattern, run),
            None => self.leads_to(cx, hex, variable, origin, at, pattern),
        }
    }

    /// Whether the path from an object to an origin below it is one of the pattern. Runs end at an inner object of the scope's class,
    /// but what a statement says of its own object goes on.
    pub(super) fn leads_to(
        &self,
        cx: &mut Context,
        hex: &Hex,
        from: (u32, u32),
        origin: OriginId,
        holder: (u32, u32),
        pattern: PatternId,
    ) -> bool {
        if !self.is_below(holder, from) {
            return false;
        }
        let start = self.place(from).origin;
        let mut path = Vec::new();
        let mut origin = origin;
        while origin != start {
            let Some((above, selector)) = cx.origins().parent(origin) else { return false };
            path.push(selector);
            origin = above;
        }
        path.reverse();
        hex.patterns[pattern.index()].automaton.matches(&path)
    }

    /// The number of the run that begins at an object.
    pub(super) fn run_of(&self, cx: &mut Context, place: &Place, scope: ScopeId, object: (u32, u32)) -> Option<usize> {
        let parent = place.parent?;
        let origins = cx.origins();
        let depth = origins.depth(self.place(object).origin);
        let run = origins.run_at(place.origin, scope, depth)?;
        let above = origins.depth(place.origin) - 1 - depth;
        (self.ancestor(parent, above) == Some(object)).then_some(run)
    }
}
