//! The elements of arrays, for every heap model.
//!
//! An array whose length is known when the program allocates it has its elements side by side; so has the array of a string that the engine puts together,
//! with as many places as it may have. All other arrays share one log: of
//! the writes, and of the initial elements of input arrays that were looked at. To read `A[i]` is
//! `ite(A = A' ∧ i = i', v', …)` over the log, newest first, then over the initial elements, then a new name. Constants and
//! distinct objects fold away while that is built. Arrays are told apart by their *leaf*: an input symbol, or a location.
//!
//! Indices are within bounds wherever they are used here: the program has checked them.

use std::rc::Rc;

use lazuli_logic::{BitOp, List, Symbol, Term};
use lazuli_program::ir::Type;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::shared::is_shared;
use crate::witness::Initial;

#[derive(Clone, PartialEq, Eq)]
struct Write {
    array: Term,
    /// Where it took place.
    guard: Term,
    index: Term,
    what: Written,
}

#[derive(Clone, PartialEq, Eq)]
enum Written {
    One(Term),
    /// `count` elements from `index` on, which another array had from `from` on.
    Range {
        count: Term,
        source: Source,
        from: Term,
        element: Type,
    },
}

/// An array as it was when a range of it was copied.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    array: Term,
    before: Before,
    dense: Option<Rc<Vec<Term>>>,
    /// Of an array of the input, what those held that exist before the entry and that it may be.
    existing: Existing,
    /// How many writes the log had.
    writes: usize,
}

/// Arrays that exist before the entry, with their elements.
type Existing = Vec<(Term, Rc<Vec<Term>>)>;

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Arrays {
    dense: Rc<FxHashMap<u32, Rc<Vec<Term>>>>,
    log: Rc<Vec<Write>>,
    initial: List<Initial>,
}

/// What the elements of an array were before the program wrote any.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Of an array that the program allocated: this value.
    Default(Term),
    /// Of an input array: unknown. The symbol names the array.
    Unknown(Symbol),
}

/// What a read may find: guards and values, the newest first.
pub type Possible = Vec<(Term, Term)>;

impl Arrays {
    /// An array of known length, or of one that is at most so large: then only its first elements belong to it.
    pub fn alloc(&mut self, location: u32, elements: Vec<Term>) {
        Rc::make_mut(&mut self.dense).insert(location, Rc::new(elements));
    }

    pub fn dense<'a>(&'a self, cx: &'a Context, array: Term) -> Option<&'a Rc<Vec<Term>>> {
        let location = array.as_location()?;
        self.dense.get(&location).or_else(|| cx.shared.elements(location).filter(|_| is_shared(location)))
    }

    /// The arrays that all paths share and this one has written into, with their elements, in order.
    pub(crate) fn written_shared(&self) -> Vec<(u32, Rc<Vec<Term>>)> {
        let shared = self.dense.iter().filter(|(location, _)| is_shared(**location));
        let mut written: Vec<(u32, Rc<Vec<Term>>)> = shared.map(|(at, elements)| (*at, elements.clone())).collect();
        written.sort_unstable_by_key(|(location, _)| *location);
        written
    }

    pub(crate) fn set_dense(&mut self, location: u32, elements: Rc<Vec<Term>>) {
        Rc::make_mut(&mut self.dense).insert(location, elements);
    }

    pub fn initial(&self) -> Vec<Initial> {
        self.initial.to_vec()
    }

    /// Whether the program has written nothing since it had other arrays.
    pub fn is_unwritten(&self, before: &Arrays) -> bool {
        self.dense == before.dense && self.log == before.log
    }

    /// Forgets what the program wrote into arrays of the input, and into those that all paths share.
    pub fn forget_writes(&mut self) {
        self.log = Rc::default();
        if self.dense.keys().any(|location| is_shared(*location)) {
            Rc::make_mut(&mut self.dense).retain(|location, _| !is_shared(*location));
        }
    }

    /// The condition that two leaves are one array.
    fn alias(cx: &mut Context, a: Term, b: Term) -> Term {
        if let (Some(a), Some(b)) = (cx.terms.as_symbol(a), cx.terms.as_symbol(b))
            && !cx.may_alias(a, b)
        {
            return Term::FALSE;
        }
        cx.terms.eq(a, b)
    }

    /// What `array[index]` may be by what was written or named so far: the first whose guard holds, and whether there always
    /// is one.
    pub fn possible(&mut self, cx: &mut Context, array: Term, index: Term) -> (Possible, bool) {
        let dense = self.dense(cx, array).cloned();
        let existing = self.existing(cx, array);
        self.possible_then(cx, array, dense, &existing, self.log.len(), index)
    }

    /// The arrays that exist before the entry and that an array of the input may be.
    fn existing(&self, cx: &mut Context, array: Term) -> Existing {
        let Some(choice) = cx.choice_of(array) else { return Existing::new() };
        let arrays = choice.objects.iter().map(|(location, _)| Term::location(*location));
        arrays.filter_map(|array| Some((array, self.dense(cx, array)?.clone()))).collect()
    }

    /// [`Arrays::possible`], when the log had so many writes.
    fn possible_then(
        &mut self,
        cx: &mut Context,
        array: Term,
        dense: Option<Rc<Vec<Term>>>,
        existing: &Existing,
        writes: usize,
        index: Term,
    ) -> (Possible, bool) {
        let mut found = Possible::new();
        if let Some(elements) = dense {
            if let Some((_, at)) = cx.terms.as_bits(index) {
                // Beyond the end only where the guard of a copy does not hold.
                return (elements.get(at as usize).map(|value| (Term::TRUE, *value)).into_iter().collect(), true);
            }
            for (at, value) in elements.iter().enumerate() {
                let at = cx.terms.bits(32, at as u64);
                let here = cx.terms.eq(index, at);
                found.push((here, *value));
            }
            return (found, true);
        }
        for (other, elements) in existing.iter().filter(|(_, elements)| !elements.is_empty()) {
            let same = cx.terms.eq(array, *other);
            let (mut there, _) = self.possible_then(cx, *other, Some(elements.clone()), &Existing::new(), 0, index);
            // Beyond its end nobody reads it.
            let Some((_, last)) = there.pop() else { continue };
            found.push((same, first_of(cx, there, last)));
        }
        let log = self.log.clone();
        for write in log[..writes].iter().rev() {
            let same_array = Arrays::alias(cx, array, write.array);
            if same_array == Term::FALSE {
                continue;
            }
            let there = match &write.what {
                Written::One(_) => cx.terms.eq(index, write.index),
                Written::Range { count, .. } => within(cx, index, write.index, *count),
            };
            let here = cx.terms.all([write.guard, same_array, there]);
            if here == Term::FALSE {
                continue;
            }
            let value = match &write.what {
                Written::One(value) => *value,
                Written::Range { source, from, element, .. } => {
                    let offset = cx.terms.bit_op(BitOp::Sub, index, write.index);
                    let at = cx.terms.bit_op(BitOp::Add, offset, *from);
                    self.read_then(cx, source, at, *element)
                }
            };
            found.push((here, value));
            if here == Term::TRUE {
                return (found, true);
            }
        }
        let initial = self.initial.clone();
        // An element at another constant index is another element, whatever the arrays.
        let is_constant = cx.terms.as_bits(index).is_some();
        for known in initial.iter() {
            if is_constant && known.index != index && cx.terms.as_bits(known.index).is_some() {
                continue;
            }
            let same_array = Arrays::alias(cx, array, known.array);
            if same_array == Term::FALSE {
                continue;
            }
            let same_index = cx.terms.eq(index, known.index);
            let here = cx.terms.all([known.guard, same_array, same_index]);
            if here != Term::FALSE {
                found.push((here, known.value));
            }
            if here == Term::TRUE {
                return (found, true);
            }
        }
        (found, false)
    }

    /// What an array held when a range of it was copied.
    fn read_then(&mut self, cx: &mut Context, source: &Source, index: Term, element: Type) -> Term {
        let (dense, writes) = (source.dense.clone(), source.writes);
        let (found, exhaustive) = self.possible_then(cx, source.array, dense, &source.existing, writes, index);
        let name = crate::java::input_element(element);
        self.choose(cx, source.array, source.before, index, element, (found, exhaustive), name)
    }

    /// An array as it is now, to be copied from.
    pub fn source(&self, cx: &mut Context, array: Term, before: Before) -> Source {
        let existing = self.existing(cx, array);
        Source { array, before, dense: self.dense(cx, array).cloned(), existing, writes: self.log.len() }
    }

    /// Writes a range of elements through one leaf whose elements are not side by side, where `guard` holds.
    pub fn write_range(
        &mut self,
        cx: &mut Context,
        (array, guard): (Term, Term),
        (index, count): (Term, Term),
        (source, from): (Source, Term),
        element: Type,
    ) {
        for (other, elements) in self.existing(cx, array) {
            let same = cx.terms.eq(array, other);
            for at in 0..elements.len() as u64 {
                let at = cx.terms.bits(32, at);
                let inside = within(cx, at, index, count);
                let here = cx.terms.all([guard, same, inside]);
                if here == Term::FALSE {
                    continue;
                }
                let offset = cx.terms.bit_op(BitOp::Sub, at, index);
                let place = cx.terms.bit_op(BitOp::Add, offset, from);
                let value = self.read_then(cx, &source, place, element);
                self.write(cx, other, here, at, value);
            }
        }
        let what = Written::Range { count, source, from, element };
        Rc::make_mut(&mut self.log).push(Write { array, guard, index, what });
    }

    /// Reads through one leaf. `name` gives the value for the new name of an initial element.
    pub fn read(
        &mut self,
        cx: &mut Context,
        array: Term,
        before: Before,
        index: Term,
        element: Type,
        name: impl FnOnce(&mut Context, Term) -> Term,
    ) -> Term {
        let found = self.possible(cx, array, index);
        self.choose(cx, array, before, index, element, found, name)
    }

    /// Reads through a leaf of an input array that is read only where `reached` holds: elsewhere the element stays without a name.
    /// `name` is told where the new one holds.
    pub fn read_where(
        &mut self,
        cx: &mut Context,
        (array, reached): (Term, Term),
        holder: Symbol,
        index: Term,
        element: Type,
        name: impl FnOnce(&mut Context, Term, Term) -> Term,
    ) -> Term {
        let (mut found, exhaustive) = self.possible(cx, array, index);
        let known = cx.terms.any(found.iter().map(|(here, _)| *here));
        let unknown = cx.terms.not(known);
        let unnamed = cx.terms.and(reached, unknown);
        let unnamed = cx.under_path(unnamed);
        let value = match exhaustive || unnamed == Term::FALSE {
            true => found.pop().map_or_else(|| cx.default_value(element), |(_, value)| value),
            false => self.name(cx, (array, unnamed), holder, index, element, |cx, symbol| name(cx, symbol, unnamed)),
        };
        first_of(cx, found, value)
    }

    /// The first of the possible values whose guard holds; what nobody has looked at gets a name.
    #[allow(clippy::too_many_arguments)]
    fn choose(
        &mut self,
        cx: &mut Context,
        array: Term,
        before: Before,
        index: Term,
        element: Type,
        (mut found, exhaustive): (Possible, bool),
        name: impl FnOnce(&mut Context, Term) -> Term,
    ) -> Term {
        let value = match (exhaustive, before) {
            // An array without elements is never read.
            (true, _) => found.pop().map_or_else(|| cx.default_value(element), |(_, value)| value),
            (false, Before::Default(value)) => value,
            (false, Before::Unknown(holder)) => self.name(cx, (array, Term::TRUE), holder, index, element, name),
        };
        first_of(cx, found, value)
    }

    /// Names an initial element that nobody has looked at, where `guard` holds.
    pub fn name(
        &mut self,
        cx: &mut Context,
        (array, guard): (Term, Term),
        holder: Symbol,
        index: Term,
        element: Type,
        name: impl FnOnce(&mut Context, Term) -> Term,
    ) -> Term {
        // Further names of an element get a number.
        let mut number = 0;
        let (term, symbol) = loop {
            let term = cx.element_symbol(holder, index, element, number);
            let symbol = cx.terms.as_symbol(term).expect("a name is a symbol");
            if self.initial.iter().all(|initial| initial.symbol != symbol) {
                break (term, symbol);
            }
            number += 1;
        };
        let value = name(cx, term);
        self.initial.push(Initial { array, holder, index, guard, value, symbol });
        value
    }

    /// Writes through one leaf, where `guard` holds.
    pub fn write(&mut self, cx: &mut Context, array: Term, guard: Term, index: Term, value: Term) {
        for (other, _) in self.existing(cx, array) {
            let same = cx.terms.eq(array, other);
            let here = cx.terms.and(guard, same);
            self.write(cx, other, here, index, value);
        }
        let Some(location) = array.as_location().filter(|_| self.dense(cx, array).is_some()) else {
            return Rc::make_mut(&mut self.log).push(Write { array, guard, index, what: Written::One(value) });
        };
        let dense = Rc::make_mut(&mut self.dense).entry(location);
        let elements = dense.or_insert_with(|| cx.shared.elements(location).expect("just found").clone());
        let elements = Rc::make_mut(elements);
        if let Some((_, at)) = cx.terms.as_bits(index) {
            if let Some(old) = elements.get_mut(at as usize) {
                *old = cx.terms.ite(guard, value, *old);
            }
            return;
        }
        for (at, old) in elements.iter_mut().enumerate() {
            let at = cx.terms.bits(32, at as u64);
            let same = cx.terms.eq(index, at);
            let here = cx.terms.and(guard, same);
            *old = cx.terms.ite(here, value, *old);
        }
    }
}

/// The first of some values whose guard holds; where none does, `value`.
fn first_of(cx: &mut Context, found: Possible, mut value: Term) -> Term {
    for (guard, found) in found.into_iter().rev() {
        value = cx.terms.ite(guard, found, value);
    }
    value
}

/// `start <= index < start + count`, where nothing overflows.
fn within(cx: &mut Context, index: Term, start: Term, count: Term) -> Term {
    let below = cx.terms.bit_op(BitOp::SLt, index, start);
    let offset = cx.terms.bit_op(BitOp::Sub, index, start);
    let inside = cx.terms.bit_op(BitOp::SLt, offset, count);
    let not_below = cx.terms.not(below);
    cx.terms.and(not_below, inside)
}
