//! Events: what is done after an assumption, under its guard. An action on a ghost field is an `ite`; `assume` adds a clause.

use std::cell::Cell;

use crate::hex::{Action, Companion, Expr, GhostId, GhostValue, Hex, Object, Op, Semantics, SetOp, When};
use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::{FieldId, MethodId, Type};

use super::admit::unless;
use super::alternatives::Alternatives;
use super::backbone::{Backbone, Member, Node};
use super::demand::stands_above;
use super::existing::It;
use super::number::Num;
use super::spot::{Matched, Objects, Scoped, Spot};
use lazuli_engine::arith;
use lazuli_engine::context::{Call, Context, InitialHeap, Wanted};

/// What an event needs to find the objects it speaks of.
pub(super) struct Scene<'a> {
    pub hex: &'a Hex,
    pub spot: &'a Spot,
    matched: &'a Matched,
    it: Option<It>,
    /// Where the statement is about the reference.
    scope: Term,
    /// Where the objects that the action speaks of have the fields that it asks for.
    pub defined: Cell<Term>,
    /// What is true of these fields in every input.
    pub facts: Cell<Term>,
}

impl<'a> Scene<'a> {
    pub fn new(hex: &'a Hex, spot: &'a Spot, matched: &'a Matched, it: Option<It>, scope: Term) -> Scene<'a> {
        let [defined, facts] = [Term::TRUE; 2].map(Cell::new);
        Scene { hex, spot, matched, it, scope, defined, facts }
    }
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
        fresh: Option<It>,
        real: Term,
    ) -> Term {
        let mut assumed = Term::TRUE;
        for matched in matched {
            for event in &hex.statements[matched.statement as usize].events {
                let mut one: Option<(Term, Option<It>)> = None;
                let mut each: &[(Term, u32)] = &[];
                match event.when {
                    // Null is no object of a scope's class, unless it stands where all are.
                    When::Null if matches!(matched.scope, Scoped::Itself { sure: false }) => {}
                    When::Null => one = Some((alternatives.null, None)),
                    When::Expand => one = fresh.map(|it| (alternatives.fresh, Some(it))),
                    When::Alias if alternatives.aliases.len() <= 1 || needs_it(hex, matched, &event.companion) => {
                        each = &alternatives.aliases;
                    }
                    When::Alias => {
                        // Which object it is does not matter: where it is neither null nor fresh.
                        let possible = alternatives.aliases.iter().any(|(alias, _)| *alias != Term::FALSE);
                        let not_null = unless(cx, alternatives.null, real);
                        let alias = unless(cx, alternatives.fresh, not_null);
                        one = Some((if possible { alias } else { Term::FALSE }, None));
                    }
                }
                let each = each.iter().map(|(alias, node)| (*alias, Some(It::Node(*node))));
                for (alternative, it) in one.into_iter().chain(each) {
                    if alternative == Term::FALSE {
                        continue;
                    }
                    let scope = match it {
                        Some(it) => {
                            let symbol = match it {
                                It::Node(node) => self.node(node).symbol,
                                It::Existing { reference, .. } => reference,
                            };
                            self.with_itself(cx, hex, matched, symbol)
                        }
                        None => matched.guard,
                    };
                    let mut guard = cx.terms.and(scope, alternative);
                    guard = cx.terms.and(guard, spot.guard);
                    if hex.semantics == Semantics::Jbse {
                        let fires =
                            self.rule_fires(cx, hex, spot, matched, event.given.as_ref(), it.and_then(It::node));
                        guard = cx.terms.and(guard, fires);
                    }
                    if guard != Term::FALSE {
                        let scene = Scene::new(hex, spot, matched, it, scope);
                        let clause = self.run(cx, heap, &scene, &event.companion, guard);
                        assumed = cx.terms.and(assumed, clause);
                        assumed = cx.terms.and(assumed, scene.facts.get());
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
            Companion::Method { method, object, waits } => {
                let mut guard = guard;
                let argument = match object {
                    None => None,
                    Some(object) => {
                        let objects = self.objects_of(cx, scene, *object);
                        let objects = self.that_it_takes(cx, *method, objects);
                        let Some(value) = self.reference(cx, heap, &objects) else { return assumed };
                        let is_there = cx.terms.any(objects.iter().map(|(guard, _)| *guard));
                        guard = cx.terms.and(guard, is_there);
                        Some(value)
                    }
                };
                let until = if *waits { scene.scope } else { Term::TRUE };
                let arguments = [argument, None];
                self.inner().calls.push(Call { guard, until, method: *method, arguments, wanted: Wanted::Truth });
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
                        Action::Insert { object, ghosts, number, value, and_above } => {
                            let Some(value) = self.eval(cx, heap, scene, value) else { continue };
                            let number = match number {
                                None => None,
                                Some(number) => match self.eval(cx, heap, scene, number) {
                                    None => continue,
                                    some => some,
                                },
                            };
                            let is_heap =
                                |ghost: &GhostId| scene.hex.ghosts[ghost.index()].initial == GhostValue::EmptyHeap;
                            let index = scene.spot.index.filter(|_| ghosts.iter().any(is_heap));
                            for (denotes, node) in self.objects_of(cx, scene, *object) {
                                let Some(set) = self.ghost(cx, node, ghosts) else { continue };
                                let here = cx.terms.all([guard, denotes, scene.defined.get()]);
                                let and_above = *and_above;
                                let member = Member { set, guard: here, number, value, and_above, index };
                                let clause = self.insert(cx, member);
                                assumed = cx.terms.and(assumed, clause);
                            }
                        }
                        Action::Set { object, ghosts, op, value } => {
                            let Some(value) = self.eval(cx, heap, scene, value) else { continue };
                            for (denotes, node) in self.objects_of(cx, scene, *object) {
                                let Some(at) = self.ghost(cx, node, ghosts) else { continue };
                                let old = self.shared.ghosts[at];
                                let new = match op {
                                    SetOp::Assign => value,
                                    SetOp::Add => Num::add(cx, old, value, false),
                                    SetOp::Subtract => Num::add(cx, old, value, true),
                                };
                                let mut here = cx.terms.and(guard, denotes);
                                here = cx.terms.and(here, scene.defined.get());
                                self.inner().ghosts[at] = Num::choose(cx, here, new, old);
                            }
                        }
                    }
                }
            }
        }
        assumed
    }

    /// Adds a number to a set: the clause that it was not there. Or to a heap: the clause that none above it is greater.
    fn insert(&mut self, cx: &mut Context, member: Member) -> Term {
        let mut assumed = Term::TRUE;
        for known in self.shared.members.iter().filter(|known| known.set == member.set) {
            let both = cx.terms.and(known.guard, member.guard);
            let wrong = match (known.index, member.index) {
                (Some(_), Some(_)) => {
                    let [above, below] = [(known, &member), (&member, known)].map(|(a, b)| breaks_heap(cx, a, b));
                    cx.terms.or(above, below)
                }
                _ => is_there(cx, known, &member),
            };
            let clash = cx.terms.and(both, wrong);
            assumed = unless(cx, clash, assumed);
        }
        self.inner().members.push(member);
        assumed
    }

    pub(super) fn objects_of(&self, cx: &mut Context, scene: &Scene, object: Object) -> Objects {
        self.objects(cx, scene.hex, object, scene.spot, scene.matched, scene.it.and_then(It::node))
    }

    /// The objects that a companion method takes, by its parameter's class.
    fn that_it_takes(&self, cx: &mut Context, method: MethodId, objects: Objects) -> Vec<(Term, u32)> {
        let program = cx.program;
        let Some(Type::Ref(class)) = program.method(method).registers.first().map(|parameter| parameter.ty) else {
            return objects.collect();
        };
        let mut taken = Vec::new();
        for (guard, node) in objects {
            let Node { symbol, class: declared, .. } = *self.node(node);
            if program.is_subclass(declared, class) {
                taken.push((guard, node));
            } else if program.related(declared, class) {
                let is = cx.is_class(symbol, class);
                taken.push((cx.terms.and(guard, is), node));
            }
        }
        taken
    }

    /// One of the objects as a value of the program.
    pub(super) fn reference(&self, cx: &mut Context, heap: &dyn InitialHeap, objects: &[(Term, u32)]) -> Option<Term> {
        let (first, rest) = objects.split_first()?;
        let mut value = heap.reference(self.node(first.1).object());
        for &(guard, node) in rest {
            value = cx.terms.ite(guard, heap.reference(self.node(node).object()), value);
        }
        Some(value)
    }

    /// The value of a field of an object that exists before the entry.
    fn of_existing(&self, cx: &mut Context, scene: &Scene, it: Term, fields: &[FieldId]) -> Option<Num> {
        let (field, (value, has)) = fields.iter().find_map(|&field| Some((field, cx.existing_field(it, field)?)))?;
        scene.defined.set(cx.terms.and(scene.defined.get(), has));
        Some(number(cx, field, value))
    }

    /// The value of an expression; `None` if it speaks of an object that is not there.
    pub(super) fn eval(&self, cx: &mut Context, heap: &mut dyn InitialHeap, scene: &Scene, expr: &Expr) -> Option<Num> {
        Some(match expr {
            Expr::Int(value) => Num::int(cx, *value),
            Expr::Bool(value) => Num::truth(Term::bool(*value)),
            Expr::Infinity { positive } => Num::infinite(cx, *positive),
            Expr::Index => Num::finite(cx, scene.spot.index?),
            Expr::Initial { object, fields } => {
                if let (Object::It, Some(It::Existing { object: it, .. })) = (object, scene.it) {
                    return self.of_existing(cx, scene, it, fields);
                }
                let mut found: Option<Num> = None;
                let mut is_there = Term::FALSE;
                for (guard, node) in self.objects_of(cx, scene, *object) {
                    let node = self.node(node);
                    let has = |field: &&_| cx.program.related(cx.program.field(**field).class, node.class);
                    let Some(&field) = fields.iter().find(has) else { continue };
                    let class = cx.program.field(field).class;
                    if !cx.program.is_subclass(node.class, class) {
                        // Only objects of a subclass have it: of the others nothing is said.
                        let has = cx.is_class(node.symbol, class);
                        if has == Term::FALSE {
                            continue;
                        }
                        let has = cx.terms.implies(guard, has);
                        scene.defined.set(cx.terms.and(scene.defined.get(), has));
                    }
                    let mut facts = scene.facts.get();
                    let initial = heap.initial(cx, self, node.object(), field, &mut facts);
                    scene.facts.set(facts);
                    let value = number(cx, field, initial);
                    is_there = cx.terms.or(is_there, guard);
                    found = Some(found.map_or(value, |other| Num::choose(cx, guard, value, other)));
                }
                scene.defined.set(cx.terms.and(scene.defined.get(), is_there));
                found?
            }
            Expr::Ghost { object, ghosts } => {
                let mut found: Option<Num> = None;
                let mut is_there = Term::FALSE;
                for (guard, node) in self.objects_of(cx, scene, *object) {
                    let Some(at) = self.ghost(cx, node, ghosts) else { continue };
                    let value = self.shared.ghosts[at];
                    is_there = cx.terms.or(is_there, guard);
                    found = Some(found.map_or(value, |other| Num::choose(cx, guard, value, other)));
                }
                scene.defined.set(cx.terms.and(scene.defined.get(), is_there));
                found?
            }
            Expr::Not(inner) => {
                let inner = self.eval(cx, heap, scene, inner)?;
                Num::truth(cx.terms.not(inner.value))
            }
            Expr::If(condition, then, otherwise) => {
                let condition = self.eval(cx, heap, scene, condition)?.value;
                let then = self.eval(cx, heap, scene, then)?;
                let otherwise = self.eval(cx, heap, scene, otherwise)?;
                Num::choose(cx, condition, then, otherwise)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.eval(cx, heap, scene, a)?, self.eval(cx, heap, scene, b)?);
                match op {
                    Op::Add => Num::add(cx, a, b, false),
                    Op::Subtract => Num::add(cx, a, b, true),
                    Op::Less => Num::truth(Num::less(cx, a, b)),
                    Op::LessEqual => {
                        let more = Num::less(cx, b, a);
                        Num::truth(cx.terms.not(more))
                    }
                    Op::EqualInt => Num::truth(Num::equal(cx, a, b)),
                    Op::EqualBool => Num::truth(cx.terms.iff(a.value, b.value)),
                    Op::And => Num::truth(cx.terms.and(a.value, b.value)),
                    Op::Or => Num::truth(cx.terms.or(a.value, b.value)),
                    Op::Remainder => Num::bits(cx, BitOp::SRem, a, b),
                    Op::BitAnd => Num::bits(cx, BitOp::And, a, b),
                    Op::BitXor => Num::bits(cx, BitOp::Xor, a, b),
                    Op::ShiftRight => Num::bits(cx, BitOp::LShr, a, b),
                }
            }
        })
    }
}

/// Where two members of sets are in the same one, and are one number, or one is among those that the other stands for.
fn is_there(cx: &mut Context, known: &Member, member: &Member) -> Term {
    let same = match known.number.zip(member.number) {
        Some((a, b)) => Num::equal(cx, a, b),
        None => Term::TRUE,
    };
    let meet = match (known.and_above, member.and_above) {
        (false, false) => Num::equal(cx, known.value, member.value),
        (true, true) => Term::TRUE,
        (is_first, _) => {
            let (from, one) = if is_first { (known, member) } else { (member, known) };
            let is_below = Num::less(cx, one.value, from.value);
            cx.terms.not(is_below)
        }
    };
    cx.terms.and(same, meet)
}

/// Where one number stands above another in a heap, and is greater.
fn breaks_heap(cx: &mut Context, above: &Member, below: &Member) -> Term {
    let (Some(i), Some(j)) = (above.index, below.index) else { return Term::FALSE };
    let (is_above, is_greater) = (stands_above(cx, i, j), Num::less(cx, below.value, above.value));
    cx.terms.and(is_above, is_greater)
}

/// The value of a field as a number, or a truth value.
fn number(cx: &mut Context, field: FieldId, value: Term) -> Num {
    match cx.program.field(field).ty {
        Type::Bool => Num::truth(value),
        ty => {
            let wide = arith::widen(&mut cx.terms, ty, value);
            Num::finite(cx, wide)
        }
    }
}

/// Whether a companion speaks of the object that the reference denotes.
fn needs_it(hex: &Hex, matched: &Matched, companion: &Companion) -> bool {
    if hex.semantics == Semantics::Jbse || matches!(matched.scope, Scoped::Itself { .. }) {
        return true;
    }
    match companion {
        Companion::Method { object, .. } => *object == Some(Object::It),
        Companion::Actions(actions) => actions.iter().any(|action| match action {
            Action::Assume(condition) => condition.mentions_it(),
            Action::Set { object, value, .. } => *object == Object::It || value.mentions_it(),
            Action::Insert { object, number, value, .. } => {
                *object == Object::It || number.iter().chain([value]).any(Expr::mentions_it)
            }
        }),
    }
}
