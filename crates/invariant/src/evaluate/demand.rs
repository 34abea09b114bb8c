//! Demands: what is asked of an object by executing methods of its class, as `hashCode`, `equals` and `compareTo` of keys.
//!
//! They are calls, which fork where it is open whether there is such an object. Whether it is of a class that is asked, the path decides by
//! itself or never: until then they wait. What is asked does not change while the program runs: keys that are looked for by what they say
//! must not.

use crate::hex::{Demand, Demanded, GhostId, GhostValue, Hex};
use lazuli_engine::context::{Call, Context, InitialHeap, Wanted};
use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::MethodId;

use super::action::Scene;
use super::admit::unless;
use super::alternatives::Alternatives;
use super::backbone::{Backbone, Entered};
use super::existing::It;
use super::number::Num;
use super::spot::{Matched, Spot};

/// The object that a reference denotes, as a value of the program.
#[derive(Clone, Copy)]
struct Asked {
    /// Where there is one.
    guard: Term,
    value: Term,
    /// The symbol that knows its class.
    symbol: Term,
}

/// An object of which something is demanded.
struct Subject {
    guard: Term,
    /// What the path decides first, or never.
    until: Term,
    value: Term,
}

/// A reference of which something is demanded.
pub(super) struct Demanding<'a> {
    pub hex: &'a Hex,
    pub spot: &'a Spot,
    pub alternatives: &'a Alternatives,
    /// The object that it expands to, or one that exists before the entry.
    pub fresh: Option<It>,
    pub symbol: Term,
    pub real: Term,
}

impl Backbone {
    /// Calls the methods that the statements about a reference demand. Gives what is true of the values that they mention.
    pub(super) fn demands(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        of: &Demanding,
        matched: &[Matched],
    ) -> Term {
        let mut facts = Term::TRUE;
        for matched in matched {
            let demands = &of.hex.statements[matched.statement as usize].demands;
            let asked = if demands.is_empty() { None } else { self.asked(cx, heap, of) };
            let Some(asked) = asked else { continue };
            let scope = self.with_itself(cx, of.hex, matched, asked.symbol);
            let guard = cx.terms.all([scope, asked.guard, of.spot.guard]);
            for demand in demands {
                let mut is_meant = Term::TRUE;
                for &class in &demand.but {
                    let is_left_out = cx.is_class(asked.symbol, class);
                    is_meant = unless(cx, is_left_out, is_meant);
                }
                if is_meant != Term::FALSE && guard != Term::FALSE {
                    let scene = Scene::new(of.hex, of.spot, matched, None, scope);
                    // Where all are asked nothing is waited for.
                    let until = if is_meant == Term::TRUE { is_meant } else { cx.terms.and(guard, is_meant) };
                    self.ask_object(cx, heap, &scene, demand, Subject { guard, until, value: asked.value });
                    facts = cx.terms.and(facts, scene.facts.get());
                }
            }
        }
        facts
    }

    /// The object that a reference denotes, if it may denote one.
    fn asked(&self, cx: &mut Context, heap: &dyn InitialHeap, of: &Demanding) -> Option<Asked> {
        let Alternatives { null, fresh, aliases, enumerated, .. } = of.alternatives;
        let aliases = aliases.iter().map(|(alias, node)| (*alias, It::Node(*node)));
        let possible = of.fresh.map(|it| (*fresh, it)).into_iter().chain(aliases);
        let possible: Vec<(Term, It)> = possible.filter(|(guard, _)| *guard != Term::FALSE).collect();
        let &(guard, first) = possible.first()?;
        let is_alone = *enumerated && possible.len() == 1;
        let node = match first {
            It::Existing { reference, object } => {
                let value = constant(cx, object);
                return Some(Asked { guard, value, symbol: reference });
            }
            It::Node(node) => self.node(node),
        };
        let value = heap.reference(node.object());
        if is_alone {
            return Some(Asked { guard, value, symbol: node.symbol });
        }
        let guard = unless(cx, *null, of.real);
        if value == node.symbol {
            // Where symbols are values, it is the same whatever the object is.
            return Some(Asked { guard, value: of.symbol, symbol: of.symbol });
        }
        let nodes: Vec<(Term, u32)> = possible.iter().filter_map(|(guard, it)| Some((*guard, it.node()?))).collect();
        let mut value = self.reference(cx, heap, &nodes)?;
        for (location, _) in cx.choice_of(of.symbol).iter().flat_map(|choice| choice.objects.clone()) {
            let is = cx.terms.eq(of.symbol, Term::location(location));
            value = cx.terms.ite(is, Term::location(location), value);
        }
        Some(Asked { guard, value, symbol: of.symbol })
    }

    fn ask_object(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        scene: &Scene,
        demand: &Demand,
        subject: Subject,
    ) {
        let Subject { guard, until, value: object } = subject;
        match &demand.what {
            Demanded::Number(expr) => {
                let Some(number) = self.eval(cx, heap, scene, expr) else { return };
                let guard = cx.terms.and(guard, scene.defined.get());
                let wanted = Wanted::Number(number.value);
                self.called(Call { guard, until, method: demand.method, arguments: [Some(object), None], wanted });
            }
            Demanded::Member { object: holder, ghosts, place } => {
                let place = match place {
                    None => None,
                    Some(place) => match self.eval(cx, heap, scene, place) {
                        None => return,
                        some => some,
                    },
                };
                for (denotes, node) in self.objects_of(cx, scene, *holder) {
                    let Some(set) = self.ghost(cx, node, ghosts) else { continue };
                    let guard = cx.terms.all([guard, denotes, scene.defined.get()]);
                    let entered = Entered { set, guard, until, object, place, index: scene.spot.index };
                    self.enter_object(cx, kind(scene.hex, ghosts), demand.method, entered);
                }
            }
        }
    }

    /// An object comes into a collection: it is compared with those that are there.
    fn enter_object(&mut self, cx: &mut Context, kind: GhostValue, method: MethodId, entered: Entered) {
        if kind != GhostValue::EmptyObjects {
            // One alone must be comparable, too.
            let Entered { guard, until, object, .. } = entered;
            let wanted = Wanted::Sign([Term::FALSE, Term::TRUE, Term::FALSE]);
            self.called(Call { guard, until, method, arguments: [Some(object); 2], wanted });
        }
        for known in self.shared.entered.clone().iter().filter(|known| known.set == entered.set) {
            let guard = cx.terms.and(known.guard, entered.guard);
            let until = cx.terms.and(known.until, entered.until);
            let wanted = match kind {
                GhostValue::EmptySorted => in_order(cx, known, &entered),
                GhostValue::EmptyQueue => queued(cx, known, &entered),
                _ => [Term::FALSE, Term::TRUE, Term::FALSE],
            };
            if guard != Term::FALSE && wanted != [Term::TRUE; 3] {
                let arguments = [Some(known.object), Some(entered.object)];
                self.called(Call { guard, until, method, arguments, wanted: Wanted::Sign(wanted) });
            }
        }
        self.inner().entered.push(entered);
    }

    fn called(&mut self, call: Call) {
        self.inner().calls.push(call);
    }
}

/// A reference to what exists before the entry, as a value of the program under every heap model: which object it is.
fn constant(cx: &mut Context, reference: Term) -> Term {
    let choice = if reference.as_location().is_some() { None } else { cx.choice_of(reference) };
    let objects = choice.map_or_else(Vec::new, |choice| choice.objects.clone());
    let Some(((last, _), others)) = objects.split_last() else { return reference };
    others.iter().fold(Term::location(*last), |value, (location, _)| {
        let is = cx.terms.eq(reference, Term::location(*location));
        cx.terms.ite(is, Term::location(*location), value)
    })
}

/// What kind of collection ghost fields are.
fn kind(hex: &Hex, ghosts: &[GhostId]) -> GhostValue {
    let mut kinds = ghosts.iter().map(|ghost| hex.ghosts[ghost.index()].initial);
    kinds.find(|kind| kind.has_objects()).expect("names were checked")
}

/// The first is less than the second where its place is.
fn in_order(cx: &mut Context, first: &Entered, second: &Entered) -> [Term; 3] {
    let (Some(a), Some(b)) = (first.place, second.place) else { return [Term::TRUE; 3] };
    let is_less = Num::less(cx, a, b);
    [is_less, Term::FALSE, cx.terms.not(is_less)]
}

/// Neither is greater than the other where it stands above that in a heap.
fn queued(cx: &mut Context, first: &Entered, second: &Entered) -> [Term; 3] {
    let (Some(i), Some(j)) = (first.index, second.index) else { return [Term::TRUE; 3] };
    let (first_above, second_above) = (stands_above(cx, i, j), stands_above(cx, j, i));
    [cx.terms.not(second_above), Term::TRUE, cx.terms.not(first_above)]
}

/// Where the place `i` of a heap is above the place `j`. The children of `i` are at `2i + 1` and `2i + 2`: one stands above another if
/// its index, and one, is a beginning of the other's in binary.
pub(super) fn stands_above(cx: &mut Context, i: Term, j: Term) -> Term {
    // No array of the input is longer.
    let longest = cx.library().map_or(u32::MAX, |library| library.world.max_array);
    let levels = u32::BITS - longest.leading_zeros();
    let one = cx.int(1);
    let [i, j] = [i, j].map(|index| cx.terms.bit_op(BitOp::Add, index, one));
    let mut is_above = Term::FALSE;
    for level in 1..=levels.min(31) {
        let level = cx.int(i64::from(level));
        let begins = cx.terms.bit_op(BitOp::LShr, j, level);
        let same = cx.terms.eq(i, begins);
        is_above = cx.terms.or(is_above, same);
    }
    is_above
}
