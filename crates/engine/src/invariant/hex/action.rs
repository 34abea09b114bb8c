//! Events: what is done after an assumption, under its guard. An action on a ghost field is an `ite`; `assume` adds a clause.

use std::cell::Cell;

use lazuli_logic::{BitOp, Sort, Term};
use lazuli_program::hex::{Action, Companion, Expr, Hex, Object, Op, Semantics, SetOp, When};

use super::admit::{Alternatives, Matched, Scoped, Spot, unless};
use super::backbone::{Backbone, Call, InitialHeap, Num};
use crate::context::Context;

/// What an event needs to find the objects it speaks of.
struct Scene<'a> {
    hex: &'a Hex,
    spot: &'a Spot,
    matched: &'a Matched,
    it: Option<u32>,
    /// Where the objects that the action speaks of have the fields that it asks for.
    defined: Cell<Term>,
}

impl Backbone {
    /// Carries out the events of the statements about a reference. Gives what they assume.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn events(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        hex: &Hex,
        spot: &Spot,
        matched: &[Matched],
        alternatives: &Alternatives,
        fresh: Option<u32>,
        real: Term,
    ) -> Term {
        let mut assumed = Term::TRUE;
        for matched in matched {
            for event in &hex.statements[matched.statement as usize].events {
                let mut cases: Vec<(Term, Option<u32>)> = Vec::new();
                match event.when {
                    When::Null => cases.push((alternatives.null, None)),
                    When::Expand => cases.extend(fresh.map(|node| (alternatives.fresh, Some(node)))),
                    When::Alias if needs_it(hex, matched, &event.companion) || alternatives.aliases.len() <= 1 => {
                        cases.extend(alternatives.aliases.iter().map(|(alias, node)| (*alias, Some(*node))));
                    }
                    When::Alias => {
                        // Which object it is does not matter: where it is neither null nor fresh.
                        let possible = alternatives.aliases.iter().any(|(alias, _)| *alias != Term::FALSE);
                        let not_null = unless(cx, alternatives.null, real);
                        let alias = unless(cx, alternatives.fresh, not_null);
                        cases.push((if possible { alias } else { Term::FALSE }, None));
                    }
                }
                for (alternative, it) in cases {
                    let scope = match it {
                        Some(node) => {
                            let symbol = self.node(node).symbol;
                            self.with_itself(cx, hex, matched, symbol)
                        }
                        None => matched.guard,
                    };
                    let mut guard = cx.terms.all([spot.guard, scope, alternative]);
                    if hex.semantics == Semantics::Jbse {
                        let fires = self.rule_fires(cx, hex, spot, matched, it);
                        guard = cx.terms.and(guard, fires);
                    }
                    if guard != Term::FALSE {
                        let scene = Scene { hex, spot, matched, it, defined: Cell::new(Term::TRUE) };
                        let clause = self.run(cx, heap, &scene, &event.companion, guard);
                        assumed = cx.terms.and(assumed, clause);
                    }
                }
            }
        }
        assumed
    }

    fn run(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        scene: &Scene,
        companion: &Companion,
        guard: Term,
    ) -> Term {
        let mut assumed = Term::TRUE;
        match companion {
            Companion::Method { method, object } => {
                let argument = match object {
                    None => None,
                    Some(object) => {
                        let objects = self.objects_of(cx, scene, *object);
                        let Some(value) = self.reference(cx, heap, &objects) else { return assumed };
                        Some(value)
                    }
                };
                self.inner().calls.push(Call { guard, method: *method, argument });
            }
            Companion::Actions(actions) => {
                for action in actions {
                    scene.defined.set(Term::TRUE);
                    match action {
                        Action::Assume(condition) => {
                            if let Some(condition) = self.eval(cx, heap, scene, condition) {
                                let guard = cx.terms.and(guard, scene.defined.get());
                                let clause = cx.terms.implies(guard, condition.value);
                                assumed = cx.terms.and(assumed, clause);
                            }
                        }
                        Action::Set { object, ghosts, op, value } => {
                            let Some(value) = self.eval(cx, heap, scene, value) else { continue };
                            for (denotes, node) in self.objects_of(cx, scene, *object) {
                                let Some(at) = self.ghost(cx, node, ghosts) else { continue };
                                let old = self.0.ghosts[at];
                                let new = match op {
                                    SetOp::Assign => value,
                                    SetOp::Add => add(cx, old, value, false),
                                    SetOp::Subtract => add(cx, old, value, true),
                                };
                                let here = cx.terms.all([guard, denotes, scene.defined.get()]);
                                self.inner().ghosts[at] = choose(cx, here, new, old);
                            }
                        }
                    }
                }
            }
        }
        assumed
    }

    fn objects_of(&self, cx: &mut Context, scene: &Scene, object: Object) -> Vec<(Term, u32)> {
        self.objects(cx, scene.hex, object, scene.spot, scene.matched, scene.it)
    }

    /// One of the objects as a value of the program.
    fn reference(&self, cx: &mut Context, heap: &dyn InitialHeap, objects: &[(Term, u32)]) -> Option<Term> {
        let (first, rest) = objects.split_first()?;
        let mut value = heap.reference(self.node(first.1));
        for &(guard, node) in rest {
            value = cx.terms.ite(guard, heap.reference(self.node(node)), value);
        }
        Some(value)
    }

    /// The value of an expression; `None` if it speaks of an object that is not there.
    fn eval(&self, cx: &mut Context, heap: &mut dyn InitialHeap, scene: &Scene, expr: &Expr) -> Option<Num> {
        Some(match expr {
            Expr::Int(value) => Num::finite(cx.int(*value)),
            Expr::Bool(value) => Num::finite(Term::bool(*value)),
            Expr::Infinity { positive } => {
                Num { value: cx.int(0), low: Term::bool(!positive), high: Term::bool(*positive) }
            }
            Expr::Initial { object, fields } => {
                let mut found: Option<Num> = None;
                for (guard, node) in self.objects_of(cx, scene, *object) {
                    let node = self.node(node);
                    let has = |field: &&_| cx.program.related(cx.program.field(**field).class, node.class);
                    let Some(&field) = fields.iter().find(has) else { continue };
                    let class = cx.program.field(field).class;
                    if !cx.program.is_subclass(node.class, class) {
                        // Only objects of a subclass have it: of the others nothing is said.
                        let has = cx.is_class(node.symbol, class);
                        let has = cx.terms.implies(guard, has);
                        scene.defined.set(cx.terms.and(scene.defined.get(), has));
                    }
                    let value = Num::finite(heap.initial(cx, node, field));
                    found = Some(found.map_or(value, |other| choose(cx, guard, value, other)));
                }
                found?
            }
            Expr::Ghost { object, ghosts } => {
                let mut found: Option<Num> = None;
                for (guard, node) in self.objects_of(cx, scene, *object) {
                    let Some(at) = self.ghost(cx, node, ghosts) else { continue };
                    let value = self.0.ghosts[at];
                    found = Some(found.map_or(value, |other| choose(cx, guard, value, other)));
                }
                found?
            }
            Expr::Not(inner) => {
                let inner = self.eval(cx, heap, scene, inner)?;
                Num::finite(cx.terms.not(inner.value))
            }
            Expr::If(condition, then, otherwise) => {
                let condition = self.eval(cx, heap, scene, condition)?.value;
                let then = self.eval(cx, heap, scene, then)?;
                let otherwise = self.eval(cx, heap, scene, otherwise)?;
                choose(cx, condition, then, otherwise)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.eval(cx, heap, scene, a)?, self.eval(cx, heap, scene, b)?);
                match op {
                    Op::Add => add(cx, a, b, false),
                    Op::Subtract => add(cx, a, b, true),
                    Op::Less => Num::finite(less(cx, a, b)),
                    Op::LessEqual => {
                        let more = less(cx, b, a);
                        Num::finite(cx.terms.not(more))
                    }
                    Op::EqualInt => {
                        let (below, above) = (less(cx, a, b), less(cx, b, a));
                        Num::finite(equal(cx, a, b, below, above))
                    }
                    Op::EqualBool => Num::finite(cx.terms.iff(a.value, b.value)),
                    Op::And => Num::finite(cx.terms.and(a.value, b.value)),
                    Op::Or => Num::finite(cx.terms.or(a.value, b.value)),
                }
            }
        })
    }
}

fn choose(cx: &mut Context, guard: Term, then: Num, otherwise: Num) -> Num {
    if guard == Term::TRUE {
        return then;
    }
    Num {
        value: cx.terms.ite(guard, then.value, otherwise.value),
        low: cx.terms.ite(guard, then.low, otherwise.low),
        high: cx.terms.ite(guard, then.high, otherwise.high),
    }
}

/// The sum or the difference; infinity wins, and of two infinities the first.
fn add(cx: &mut Context, a: Num, b: Num, negated: bool) -> Num {
    let value = match (cx.int_sort, negated) {
        (Sort::Bits(_), false) => cx.terms.bit_op(BitOp::Add, a.value, b.value),
        (Sort::Bits(_), true) => cx.terms.bit_op(BitOp::Sub, a.value, b.value),
        (_, false) => cx.terms.add(a.value, b.value),
        (_, true) => cx.terms.sub(a.value, b.value),
    };
    let (b_low, b_high) = if negated { (b.high, b.low) } else { (b.low, b.high) };
    let b_low = unless(cx, a.high, b_low);
    let b_high = unless(cx, a.low, b_high);
    Num { value, low: cx.terms.or(a.low, b_low), high: cx.terms.or(a.high, b_high) }
}

fn less(cx: &mut Context, a: Num, b: Num) -> Term {
    let finite_less = match cx.int_sort {
        Sort::Bits(_) => cx.terms.bit_op(BitOp::SLt, a.value, b.value),
        _ => cx.terms.lt(a.value, b.value),
    };
    // -∞ is less than everything but itself; nothing but +∞ is not less than +∞.
    let finite = unless(cx, a.high, finite_less);
    let finite = unless(cx, b.low, finite);
    let low = unless(cx, b.low, a.low);
    let high = unless(cx, a.high, b.high);
    let infinite = cx.terms.or(low, high);
    cx.terms.or(infinite, finite)
}

fn equal(cx: &mut Context, a: Num, b: Num, below: Term, above: Term) -> Term {
    let infinite = [a.low, a.high, b.low, b.high].iter().any(|part| *part != Term::FALSE);
    if !infinite {
        return cx.terms.eq(a.value, b.value);
    }
    let differ = cx.terms.or(below, above);
    cx.terms.not(differ)
}

/// Whether a companion speaks of the object that the reference denotes.
fn needs_it(hex: &Hex, matched: &Matched, companion: &Companion) -> bool {
    if hex.semantics == Semantics::Jbse || matches!(matched.scope, Scoped::Itself { .. }) {
        return true;
    }
    match companion {
        Companion::Method { object, .. } => *object == Some(Object::It),
        Companion::Actions(actions) => actions.iter().any(|action| match action {
            Action::Assume(condition) => expr_mentions_it(condition),
            Action::Set { object, value, .. } => *object == Object::It || expr_mentions_it(value),
        }),
    }
}

fn expr_mentions_it(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) | Expr::Bool(_) | Expr::Infinity { .. } => false,
        Expr::Initial { object, .. } | Expr::Ghost { object, .. } => *object == Object::It,
        Expr::Not(inner) => expr_mentions_it(inner),
        Expr::Binary(_, a, b) => expr_mentions_it(a) || expr_mentions_it(b),
        Expr::If(a, b, c) => expr_mentions_it(a) || expr_mentions_it(b) || expr_mentions_it(c),
    }
}
