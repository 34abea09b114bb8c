//! Copying arrays, and making them by reflection.

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::{ClassId, Type};
use lazuli_program::library::{ARRAY, LENGTH};

use crate::executor::Executor;
use crate::heap::arrays::Before;
use crate::heap::{HeapModel, Memory};
use crate::outcome::{ARRAY_STORE, INDEX};
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};

type Heap<M> = <M as Memory>::Heap;

impl<M: HeapModel> Executor<'_, M> {
    /// The types of elements that an array may have, with the guards of its classes. References are of one kind: which class they have is
    /// the business of the store check.
    fn kinds(&mut self, state: &State<M::Heap>, array: Term) -> Vec<(Option<Type>, Term)> {
        let mut kinds: Vec<(Option<Type>, Term)> = Vec::new();
        for (class, guard) in self.model.classes(&mut self.cx, &state.heap, array) {
            let ty = self.cx.element_of(class);
            let is_ref = |ty: Option<Type>| ty.is_some_and(|ty| ty.is_ref());
            match kinds.iter_mut().find(|(known, _)| *known == ty || is_ref(*known) && is_ref(ty)) {
                Some((_, known)) => *known = self.cx.terms.or(*known, guard),
                None => kinds.push((ty, guard)),
            }
        }
        kinds
    }

    /// The type of the elements of an array; `None` if it is none.
    fn element_type(&mut self, state: &mut State<M::Heap>, array: Term) -> Step<Option<Type>> {
        let kinds = self.kinds(state, array);
        let guards: Vec<Term> = match kinds.len() {
            0 | 1 => return Ok(kinds.first().and_then(|(ty, _)| *ty)),
            _ => kinds.iter().map(|(_, guard)| *guard).collect(),
        };
        Ok(kinds[self.choose(state, &guards, false)?].0)
    }

    /// Whether an array of references may hold one that another may not.
    fn may_misfit(&mut self, state: &State<M::Heap>, from: Term, to: Term) -> bool {
        let [from, to] = [from, to].map(|array| {
            let classes = self.model.classes(&mut self.cx, &state.heap, array);
            let elements = classes.into_iter().map(|(class, _)| self.cx.element_of(class));
            elements.collect::<Vec<_>>()
        });
        let fits = |from: Type, to: Type| match (from, to) {
            (Type::Ref(from), Type::Ref(to)) => self.cx.program.is_subclass(from, to),
            _ => true,
        };
        from.iter().flatten().any(|from| to.iter().flatten().any(|to| !fits(*from, *to)))
    }

    /// A number that is at most `most`: decided where references cannot be kept apart by terms.
    fn decided(&mut self, state: &mut State<M::Heap>, value: Term, most: u64) -> Step<Term> {
        if !self.model.enumerates() || self.cx.terms.as_bits(value).is_some() {
            return Ok(value);
        }
        let numbers: Vec<Term> = (0..=most).map(|number| self.cx.terms.bits(32, number)).collect();
        let guards: Vec<Term> = numbers.iter().map(|number| self.cx.terms.eq(value, *number)).collect();
        Ok(numbers[self.choose(state, &guards, true)?])
    }

    /// At most how many elements a copy moves: what is known of the length, or of one of the arrays.
    fn most(&mut self, state: &mut State<M::Heap>, arrays: [Term; 2], count: Term) -> Option<u64> {
        if let Some((_, count)) = self.cx.terms.as_bits(count) {
            return Some(count);
        }
        let [a, b] = arrays.map(|array| self.longest(state, array));
        match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (known, other) => known.or(other),
        }
    }

    /// At most how long an array is.
    pub(super) fn longest(&mut self, state: &mut State<M::Heap>, array: Term) -> Option<u64> {
        let mut longest = 0;
        for (leaf, _) in self.cx.terms.leaves(array).to_vec() {
            let length = self.model.arrays(&mut state.heap).dense(&self.cx, leaf).map(|elements| elements.len() as u64);
            let input = self.model.input_symbol(&self.cx, &state.heap, leaf);
            let of_input = input.zip(self.cx.library()).map(|(symbol, library)| {
                let world = &library.world;
                match self.cx.terms.symbol_info(symbol).unique {
                    true => world.max_string as u64,
                    false => world.max_array.max(world.max_string) as u64,
                }
            });
            // It may be an array that exists before the entry.
            let choice = self.cx.choice_of(leaf);
            for (existing, _) in choice.iter().flat_map(|choice| &choice.objects) {
                let elements = self.model.arrays(&mut state.heap).dense(&self.cx, Term::location(*existing));
                longest = longest.max(elements?.len() as u64);
            }
            match length.or(of_input) {
                Some(length) => longest = longest.max(length),
                None if leaf.is_null() => {}
                None => return None,
            }
        }
        Some(longest).filter(|longest| *longest < 1 << 16)
    }
}

/// `System.arraycopy`: element by element under guards, so that an unknown length forks nothing.
pub(super) fn copy<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let &[from, from_at, to, to_at, count] = args else { return Err(Suspend::Throw(ARRAY_STORE)) };
    e.check_null(state, from)?;
    e.check_null(state, to)?;
    let (element, target) = (e.element_type(state, from)?, e.element_type(state, to)?);
    let (Some(element), Some(target)) = (element, target) else { return Err(Suspend::Throw(ARRAY_STORE)) };
    if element.is_ref() != target.is_ref() || !element.is_ref() && element != target {
        return Err(Suspend::Throw(ARRAY_STORE));
    }
    // Not every heap model can read what is of one kind on one path, and of another on another.
    let are_arrays = |kinds: Vec<(Option<Type>, Term)>| kinds.iter().filter(|(ty, _)| ty.is_some()).count();
    if are_arrays(e.kinds(state, from)) > 1 || are_arrays(e.kinds(state, to)) > 1 {
        return unsupported("System.arraycopy of an input that may be an array of several kinds");
    }
    let checked = element.is_ref() && e.may_misfit(state, from, to);
    let (from_length, to_length) = (e.read(state, from, LENGTH)?, e.read(state, to, LENGTH)?);
    let fails = outside(e, [from_at, from_length, to_at, to_length, count]);
    let fits = e.cx.terms.not(fails);
    e.require(state, fits, INDEX)?;
    let Some(most) = e.most(state, [from, to], count) else {
        if checked {
            return unsupported("System.arraycopy of arrays of unknown length whose elements may not fit");
        }
        // Where references are constants, they would have to be decided when the copy is read.
        let decides = e.model.enumerates() && element.is_ref();
        if decides || !copy_range(e, state, [(from, from_at), (to, to_at)], count, element) {
            return unsupported("System.arraycopy of arrays of unknown length");
        }
        return Ok(Term::NULL);
    };
    let [mut count, mut from_at, mut to_at] = [count, from_at, to_at];
    if e.model.enumerates() {
        // Positions go up to the ends of their arrays, however few elements are moved.
        let bounds = [Some(most), e.longest(state, from), e.longest(state, to)];
        for (number, bound) in [&mut count, &mut from_at, &mut to_at].into_iter().zip(bounds) {
            let Some(bound) = bound.or(e.cx.terms.as_bits(*number).map(|_| 0)) else {
                return unsupported("System.arraycopy of arrays of unknown length");
            };
            *number = e.decided(state, *number, bound)?;
        }
    }
    match copy_elements(e, state, [(from, from_at), (to, to_at)], count, most, element, checked)? {
        true => Ok(Term::NULL),
        false => Err(Suspend::Throw(ARRAY_STORE)),
    }
}

/// The condition that a copy leaves one of the arrays.
fn outside<M: HeapModel>(e: &mut Executor<M>, [from_at, from_length, to_at, to_length, count]: [Term; 5]) -> Term {
    let zero = e.cx.int(0);
    let terms = &mut e.cx.terms;
    let mut fails = Vec::new();
    for negative in [from_at, to_at, count] {
        fails.push(terms.bit_op(BitOp::SLt, negative, zero));
    }
    // Without a sum, which could overflow: count > length - at.
    for (at, length) in [(from_at, from_length), (to_at, to_length)] {
        let room = terms.bit_op(BitOp::Sub, length, at);
        fails.push(terms.bit_op(BitOp::SLt, room, count));
    }
    terms.any(fails)
}

/// As one write that covers a range: both arrays have an unknown length, so their elements are in the log. Says whether that is
/// possible.
fn copy_range<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    [(from, from_at), (to, to_at)]: [(Term, Term); 2],
    count: Term,
    element: Type,
) -> bool {
    let default = e.cx.default_value(crate::java::cell(element));
    let mut sources = Vec::new();
    for (leaf, guard) in e.cx.terms.leaves(from).to_vec() {
        if !leaf.is_null() {
            let before = match e.model.input_symbol(&e.cx, &state.heap, leaf) {
                // The references of such a location would have to be initialised when they are read, which nobody would do.
                Some(_) if element.is_ref() && leaf.as_location().is_some() => return false,
                Some(symbol) => Before::Unknown(symbol),
                None => Before::Default(default),
            };
            sources.push((e.model.arrays(&mut state.heap).source(&mut e.cx, leaf, before), guard));
        }
    }
    for (leaf, guard) in e.cx.terms.leaves(to).to_vec() {
        for (source, source_guard) in &sources {
            let both = e.cx.terms.and(guard, *source_guard);
            if !leaf.is_null() && both != Term::FALSE {
                let arrays = e.model.arrays(&mut state.heap);
                arrays.write_range(&mut e.cx, (leaf, both), (to_at, count), (source.clone(), from_at), element);
            }
        }
    }
    true
}

/// All elements are read before the first is written: the arrays may be the same. Says whether all were moved: with `checked`, the
/// first that the array may not hold is not, nor what is behind it.
fn copy_elements<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    [(from, from_at), (to, to_at)]: [(Term, Term); 2],
    count: Term,
    most: u64,
    element: Type,
    checked: bool,
) -> Step<bool> {
    let mut moved = Vec::new();
    let mut all = true;
    for number in 0..most {
        let number = e.cx.terms.bits(32, number);
        let copied = e.cx.terms.bit_op(BitOp::SLt, number, count);
        if copied == Term::FALSE {
            break;
        }
        let source = e.cx.terms.bit_op(BitOp::Add, from_at, number);
        let target = e.cx.terms.bit_op(BitOp::Add, to_at, number);
        let value = e.element(state, from, source, element)?;
        if checked && !holds_next(e, state, (to, value), copied)? {
            all = false;
            break;
        }
        let value = match copied {
            Term::TRUE => value,
            _ => {
                let old = e.element(state, to, target, element)?;
                e.cx.terms.ite(copied, value, old)
            }
        };
        moved.push((target, value));
    }
    for (target, value) in moved {
        e.set_element(state, to, target, value)?;
    }
    Ok(all)
}

/// Whether an array may hold the next reference of a copy, if that one is copied. Both answers are decided: where it may not, those
/// before it have been moved.
fn holds_next<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    (array, value): (Term, Term),
    copied: Term,
) -> Step<bool> {
    let fits = e.may_hold(state, array, value)?;
    let stays = e.cx.terms.not(copied);
    let holds = e.cx.terms.or(fits, stays);
    e.check(state, holds)
}

/// `clone` of arrays, and of objects whose class says so.
pub(super) fn clone<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    e.asked_class(state, args[0]);
    let classes = e.model.classes(&mut e.cx, &state.heap, args[0]);
    let [(class, _)] = classes[..] else {
        return unsupported("Object.clone of an object whose class is not known");
    };
    let Some(element) = e.cx.element_of(class) else { return clone_object(e, state, args[0], class) };
    let length = e.read(state, args[0], LENGTH)?;
    let Some(most) = e.most(state, [args[0], args[0]], length) else {
        if e.model.enumerates() && element.is_ref() {
            return unsupported("clone of an array of unknown length");
        }
        let zero = e.cx.int(0);
        let copy = e.new_array(state, class, length);
        return match copy_range(e, state, [(args[0], zero), (copy, zero)], length, element) {
            true => Ok(copy),
            false => unsupported("clone of an array of unknown length"),
        };
    };
    let length = e.decided(state, length, most)?;
    let mut elements = Vec::new();
    for number in 0..most {
        let number = e.cx.terms.bits(32, number);
        let inside = e.cx.terms.bit_op(BitOp::SLt, number, length);
        if inside == Term::FALSE {
            break;
        }
        elements.push((number, inside, e.element(state, args[0], number, element)?));
    }
    let copy = e.new_array(state, class, length);
    let default = e.cx.default_value(crate::java::cell(element));
    for (number, inside, value) in elements {
        let value = e.cx.terms.ite(inside, value, default);
        e.set_element(state, copy, number, value)?;
    }
    Ok(copy)
}

fn clone_object<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    class: ClassId,
) -> Step<Term> {
    let library = e.cx.library().expect("only Java has natives");
    if !library.is_subclass(class, library.class_id("java/lang/Cloneable")) {
        return Err(Suspend::Throw("CloneNotSupportedException"));
    }
    let mut values = Vec::new();
    for &field in library.class(class).layout.iter().skip(1) {
        values.push((field, e.read(state, object, field)?));
    }
    let copy = e.model.alloc(&mut e.cx, &mut state.heap, class);
    for (field, value) in values {
        e.model.preset(&mut e.cx, &mut state.heap, copy, field, value);
    }
    Ok(copy)
}

pub(super) fn new_array<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let array = array_of(e, state, args[0], 1)?;
    e.check_length(state, args[1])?;
    Ok(e.new_array(state, array, args[1]))
}

/// Arrays of arrays, whose lengths are in an array.
pub(super) fn new_arrays<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    e.check_null(state, args[0])?;
    e.check_null(state, args[1])?;
    let dimensions = e.read(state, args[1], LENGTH)?;
    let Some((_, dimensions @ 0..=255)) = e.cx.terms.as_bits(dimensions) else {
        return unsupported("arrays with an unknown number of dimensions");
    };
    e.require(state, Term::bool(dimensions > 0), "java/lang/IllegalArgumentException")?;
    let array = array_of(e, state, args[0], dimensions as usize)?;
    let mut lengths = Vec::new();
    for at in 0..dimensions {
        let at = e.cx.terms.bits(32, at);
        lengths.push(e.element(state, args[1], at, Type::Int)?);
    }
    e.new_arrays(state, array, &lengths)
}

/// The class of arrays with so many dimensions, by the class object of their elements.
fn array_of<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    element: Term,
    dimensions: usize,
) -> Step<ClassId> {
    let library = e.cx.library().expect("only Java has natives");
    e.check_null(state, element)?;
    let element = e.the_class(state, element, || "an array whose element type is not known".into())?;
    let array = match library.internal_name(element) {
        array if array.starts_with('[') => format!("[{array}"),
        "int" => "[I".into(),
        "long" => "[J".into(),
        "byte" => "[B".into(),
        "char" => "[C".into(),
        "short" => "[S".into(),
        "boolean" => "[Z".into(),
        "float" => "[F".into(),
        "double" => "[D".into(),
        class => format!("[L{class};"),
    };
    Ok(library.class_id(&format!("{}{array}", "[".repeat(dimensions - 1))))
}

pub(super) fn length<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    e.check_null(state, args[0])?;
    let is_array = e.instance_of(state, args[0], ARRAY)?;
    e.require(state, is_array, "java/lang/IllegalArgumentException")?;
    e.read(state, args[0], LENGTH)
}
