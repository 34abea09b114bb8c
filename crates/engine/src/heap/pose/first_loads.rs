//! k- and n-bounding where initial values are functions: by the references in the order in which they were loaded.
//!
//! A load is *own* if it is the first to denote its object: it took place, is not null and nothing that exists before the
//! entry, and equals no earlier load that took place. Every input object that was loaded has one such load. Its depth is one more than that of the object that
//! holds it, and is a function of the object: through which reference it is met later on makes no difference. k bounds the
//! depth of what is own, n the number.
//!
//! As long as no load can be too deep, or one too many, there is nothing to say. From then on a clause says it of all
//! loads: paths that a load was not part of (its access failed, and the program went on) have no other place for it.

use std::rc::Rc;

use lazuli_logic::{BitOp, Model, Origin, RefValue, Sort, Symbol, SymbolInfo, Term, Value};
use lazuli_program::ir::ClassId;
use rustc_hash::FxHashMap;

use super::fields::Bounds;
use crate::context::Context;
use crate::heap::bound::Bound;
use crate::planted::Planted;
use crate::quota::Quota;
use crate::scope::LeftOut;

/// The name of the function in symbols; no field has such a name.
const DEPTH: &str = "(depth)";

/// How wide depths are where integers are words.
const DEPTH_BITS: u8 = 32;

#[derive(Clone, PartialEq, Eq)]
struct Load {
    reference: Term,
    /// Where it took place, for the first time.
    guard: Term,
    /// The symbol of the holder, unless it is an input by itself.
    holder: Option<Symbol>,
    /// No object that it may denote is deeper.
    deepest: u32,
    /// The condition that it is own, once that was needed.
    own: Option<Term>,
    /// It is there whatever the bounds are.
    is_receiver: bool,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct FirstLoads {
    loads: Rc<Vec<Load>>,
    /// How many loads were counted, and what that came to.
    counted: usize,
    counter: Bound,
}

impl Bounds for FirstLoads {
    fn enter(&mut self, cx: &mut Context, symbol: Term, guard: Term) -> Term {
        if cx.k.is_none() && cx.quotas.is_empty() {
            return Term::TRUE;
        }
        let before: Vec<Term> = self.loads.iter().filter(|l| l.reference == symbol).map(|load| load.guard).collect();
        let before = cx.terms.any(before);
        let not_before = cx.terms.not(before);
        let guard = cx.terms.and(guard, not_before);
        if guard == Term::FALSE {
            return Term::TRUE;
        }
        self.push(cx, symbol, guard, false);
        let within_k = match cx.k {
            Some(k) if self.loads.last().is_some_and(|load| load.deepest > k) => self.within_depth(cx, k),
            _ => Term::TRUE,
        };
        let within_n = self.within_number(cx);
        cx.terms.and(within_k, within_n)
    }

    fn receive(&mut self, cx: &mut Context, symbol: Term) {
        self.push(cx, symbol, Term::TRUE, true);
        // Where somebody listens, and depths do not matter, he says what is to be counted: all but the receiver.
        if cx.listens && cx.k.is_none() {
            let (last, name) = (self.loads.len() - 1, cx.terms.as_symbol(symbol).expect("an input is a symbol"));
            let (class, own) = (ClassId(cx.terms.symbol_info(name).classes[0].0), self.own(cx, last));
            self.counter.count(cx, class, own);
        }
    }

    fn is_full(&self, cx: &Context, class: ClassId) -> bool {
        self.counter.is_full(cx, class)
    }

    fn count(&mut self, cx: &mut Context, class: ClassId, fresh: Term) -> Term {
        self.counter.count(cx, class, fresh)
    }

    /// The depths of the objects.
    fn describe(&self, cx: &Context, model: &mut Rc<Model>) {
        let object = |model: &Model, symbol: Symbol| match model.value(&cx.terms, symbol) {
            Value::Ref(RefValue::Input(object)) => Some(object),
            _ => None,
        };
        let mut depths: FxHashMap<Symbol, u32> = FxHashMap::default();
        for load in self.loads.iter().filter(|load| cx.terms.holds(load.guard, model)) {
            let symbol = cx.terms.as_symbol(load.reference).expect("only symbols are entered");
            let Some(own) = object(model, symbol).filter(|own| !cx.terms.is_constant_object(*own)) else { continue };
            let above = load.holder.and_then(|holder| object(model, holder));
            let above = above.and_then(|above| depths.get(&above)).copied();
            depths.entry(own).or_insert(above.unwrap_or(0) + 1);
        }
        let depth = |(symbol, info): (Symbol, &SymbolInfo)| {
            let Origin::Field { holder, label } = info.origin else { return None };
            let depth = depths.get(&object(model, holder)?).copied().filter(|_| cx.terms.label_text(label) == DEPTH)?;
            Some((symbol, if info.sort == Sort::Int { Value::Int(depth.into()) } else { Value::Bits(depth.into()) }))
        };
        let known: Vec<(Symbol, Value)> = cx.terms.symbols().filter_map(depth).collect();
        let model = Rc::make_mut(model);
        known.into_iter().for_each(|(symbol, depth)| model.set(symbol, depth));
    }
}

impl FirstLoads {
    fn push(&mut self, cx: &Context, reference: Term, guard: Term, is_receiver: bool) {
        let symbol = cx.terms.as_symbol(reference).expect("only symbols are entered");
        let holder = match cx.terms.symbol_info(symbol).origin {
            Origin::Root(..) | Origin::Constant(_) => None,
            Origin::Field { holder, .. } => Some(holder),
        };
        let before = self.loads.last().map_or(0, |load| load.deepest);
        let above = match holder {
            None => 0,
            Some(holder) => {
                let holder = cx.terms.symbol_info(holder).term;
                // Who was not loaded himself is an alias of someone who was.
                self.loads.iter().find(|load| load.reference == holder).map_or(before, |load| load.deepest)
            }
        };
        let deepest = before.max(above + 1);
        let guard = if Planted::LogLoadsWithoutGuards.here() { Term::TRUE } else { guard };
        Rc::make_mut(&mut self.loads).push(Load { reference, guard, holder, deepest, own: None, is_receiver });
    }

    /// The condition that a load is the first of its object.
    fn own(&mut self, cx: &mut Context, at: usize) -> Term {
        if let Some(own) = self.loads[at].own {
            return own;
        }
        let Load { reference, guard, .. } = self.loads[at];
        let symbol = cx.terms.as_symbol(reference).expect("only symbols are entered");
        let exists = cx.denotes_existing(reference);
        let mut parts = vec![guard, cx.terms.ne(reference, Term::NULL), cx.terms.not(exists)];
        for earlier in &self.loads[..at] {
            let other = cx.terms.as_symbol(earlier.reference).expect("only symbols are entered");
            // Where it was loaded before, the guard does not hold.
            if other != symbol && cx.may_alias(symbol, other) {
                let differs = cx.terms.ne(reference, earlier.reference);
                parts.push(cx.terms.implies(earlier.guard, differs));
            }
        }
        let own = cx.terms.all(parts);
        Rc::make_mut(&mut self.loads)[at].own = Some(own);
        own
    }

    /// No load is too deep.
    fn within_depth(&mut self, cx: &mut Context, k: u32) -> Term {
        let mut clauses = Vec::with_capacity(self.loads.len());
        let last = self.loads.len() - 1;
        for at in 0..self.loads.len() {
            let own = self.own(cx, at);
            let Load { reference, holder, deepest, is_receiver, .. } = self.loads[at];
            let symbol = cx.terms.as_symbol(reference).expect("only symbols are entered");
            let (depth, one) = (depth(cx, symbol), number(cx, 1));
            let expected = match holder {
                None => one,
                Some(holder) => {
                    let above = self::depth(cx, holder);
                    if cx.int_sort == Sort::Int {
                        cx.terms.add(above, one)
                    } else {
                        cx.terms.bit_op(BitOp::Add, above, one)
                    }
                }
            };
            let is_expected = cx.terms.eq(depth, expected);
            clauses.push(cx.terms.implies(own, is_expected));
            if deepest > k && !is_receiver {
                let most = number(cx, k);
                let too_deep = match cx.int_sort == Sort::Int {
                    true => cx.terms.lt(most, depth),
                    false => cx.terms.bit_op(BitOp::SLt, most, depth),
                };
                if at == last {
                    let where_left = cx.terms.all(clauses.iter().copied().chain([own, too_deep]));
                    cx.leave_out(LeftOut::Deeper, where_left);
                }
                let within = cx.terms.not(too_deep);
                clauses.push(cx.terms.implies(own, within));
            }
        }
        cx.terms.all(clauses)
    }

    /// How many loads are of a class that a quota counts.
    fn countable(&self, cx: &Context, quota: &Quota) -> usize {
        let class = |load: &Load| cx.terms.as_symbol(load.reference).map(|symbol| declared(cx, symbol));
        let counts = |load: &&Load| class(load).is_some_and(|class| quota.counts(cx.program, class));
        self.loads.iter().filter(counts).count()
    }

    /// There are not too many loads of objects of their own.
    fn within_number(&mut self, cx: &mut Context) -> Term {
        if cx.quotas.iter().all(|quota| self.countable(cx, quota) <= quota.most as usize) {
            return Term::TRUE;
        }
        let mut clauses = Vec::new();
        for at in self.counted..self.loads.len() {
            let own = self.own(cx, at);
            let symbol = cx.terms.as_symbol(self.loads[at].reference).expect("only symbols are entered");
            let class = declared(cx, symbol);
            let within = self.counter.count(cx, class, own);
            if !self.loads[at].is_receiver {
                clauses.push(within);
            }
        }
        self.counted = self.loads.len();
        cx.terms.all(clauses)
    }
}

/// The class that a symbol counts by.
fn declared(cx: &Context, symbol: Symbol) -> ClassId {
    ClassId(cx.terms.symbol_info(symbol).classes[0].0)
}

/// The depth of the object that a symbol denotes.
fn depth(cx: &mut Context, symbol: Symbol) -> Term {
    let label = cx.terms.label(DEPTH);
    let sort = if cx.int_sort == Sort::Int { Sort::Int } else { Sort::Bits(DEPTH_BITS) };
    let depth = cx.terms.symbol(Origin::Field { holder: symbol, label }, sort, &Rc::from([]));
    cx.terms.make_application(depth);
    depth
}

fn number(cx: &mut Context, value: u32) -> Term {
    match cx.int_sort {
        Sort::Int => cx.terms.int(value.into()),
        _ => cx.terms.bits(DEPTH_BITS, value.into()),
    }
}
