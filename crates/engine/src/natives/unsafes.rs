//! `Unsafe`: an offset is the number of a field, or a multiple of an element's size. Static fields are found in the object of their class.

use lazuli_logic::{BitOp, Conversion, Term};
use lazuli_program::ir::{FieldId, Type};
use lazuli_program::library::OBJECT;

use super::{arrays, members};
use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};

type Heap<M> = <M as Memory>::Heap;

/// Where the elements of an array begin.
const BASE: u64 = 16;

const REFERENCE: Type = Type::Ref(OBJECT);

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let method = key.strip_prefix("jdk/internal/misc/Unsafe.")?;
    let native: Native<M> = match method {
        "arrayBaseOffset0(Ljava/lang/Class;)I" => |e, _, _| Ok(e.cx.int(BASE as i64)),
        "arrayIndexScale0(Ljava/lang/Class;)I" => scale,
        "addressSize0()I" => |e, _, _| Ok(e.cx.int(8)),
        "isBigEndian0()Z" | "unalignedAccess0()Z" => |e, _, _| Ok(e.cx.int(0)),
        "objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J" => field_offset,
        "objectFieldOffset0(Ljava/lang/reflect/Field;)J" | "staticFieldOffset0(Ljava/lang/reflect/Field;)J" => {
            member_offset
        }
        "staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;" => static_base,
        "shouldBeInitialized0(Ljava/lang/Class;)Z" => should_be_initialised,
        "ensureClassInitialized0(Ljava/lang/Class;)V" => ensure_initialised,
        "storeFence()V" | "loadFence()V" | "fullFence()V" => |_, _, _| Ok(Term::NULL),
        "copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V" => copy_memory,
        _ => return access(method),
    };
    Some(native)
}

/// An access of every type.
macro_rules! natives {
    ($access:ident) => {
        [
            |e, s, a| $access(e, s, a, Type::Bool),
            |e, s, a| $access(e, s, a, Type::Byte),
            |e, s, a| $access(e, s, a, Type::Short),
            |e, s, a| $access(e, s, a, Type::Char),
            |e, s, a| $access(e, s, a, Type::Int),
            |e, s, a| $access(e, s, a, Type::Long),
            |e, s, a| $access(e, s, a, Type::Float),
            |e, s, a| $access(e, s, a, Type::Double),
            |e, s, a| $access(e, s, a, REFERENCE),
        ]
    };
}

/// Reading and writing places. There is one thread: all modes of access are alike.
fn access<M: HeapModel>(method: &str) -> Option<Native<M>> {
    const ORDERS: [&str; 5] = ["Volatile", "Opaque", "Acquire", "Release", "Plain"];
    let (name, descriptor) = method.split_at(method.find('(')?);
    let name = ORDERS.iter().find_map(|order| name.strip_suffix(order)).unwrap_or(name);
    let modes: [(&str, usize, [Native<M>; 9]); 4] = [
        ("get", 0, natives!(get)),
        ("put", 1, natives!(put)),
        ("compareAndSet", 2, natives!(compare_and_set)),
        ("compareAndExchange", 2, natives!(compare_and_exchange)),
    ];
    let name = name.strip_prefix("weakC").map_or_else(|| name.to_string(), |rest| format!("c{rest}"));
    modes.into_iter().find_map(|(mode, values, natives)| {
        let word = name.strip_prefix(mode)?;
        let at = WORDS.iter().position(|(known, _)| *known == word)?;
        let value = WORDS[at].1;
        // Those of addresses outside of objects have no object.
        descriptor.starts_with(&format!("(Ljava/lang/Object;J{})", value.repeat(values))).then(|| natives[at])
    })
}

/// The types, as the names of methods and descriptors have them; [`natives`] has the same order.
const WORDS: [(&str, &str); 9] = [
    ("Boolean", "Z"),
    ("Byte", "B"),
    ("Short", "S"),
    ("Char", "C"),
    ("Int", "I"),
    ("Long", "J"),
    ("Float", "F"),
    ("Double", "D"),
    ("Reference", "Ljava/lang/Object;"),
];

fn size(ty: Type) -> u64 {
    match ty {
        Type::Bool | Type::Byte => 1,
        Type::Char | Type::Short => 2,
        Type::Long | Type::Double => 8,
        _ => 4,
    }
}

fn scale<M: HeapModel>(e: &mut Executor<M>, _: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let element = e.mirrored(args[1]).and_then(|class| e.cx.element_of(class));
    match element {
        Some(element) => Ok(e.cx.int(size(element) as i64)),
        None => unsupported("Unsafe.arrayIndexScale of an unknown class"),
    }
}

fn should_be_initialised<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    match e.mirrored(args[1]) {
        Some(class) => {
            let library = e.cx.library().expect("only Java has natives");
            let waits = library.java(class).file.is_some() && !state.vm.is_initialised(class);
            Ok(e.cx.int(waits as i64))
        }
        None => unsupported("Unsafe.shouldBeInitialized of an unknown class"),
    }
}

fn ensure_initialised<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(class) = e.mirrored(args[1]) else {
        return unsupported("Unsafe.ensureClassInitialized of an unknown class");
    };
    let library = e.cx.library().expect("only Java has natives");
    let is_done = state.vm.is_initialised(class) || e.cx.is_machine(class);
    if is_done || library.java(class).file.is_none() {
        return Ok(Term::NULL);
    }
    e.init_class(state, class)?;
    Err(Suspend::Detour)
}

fn field_offset<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let class = e.mirrored(args[1]);
    let name = e.text_of(state, args[2])?;
    let (Some(class), Some(name)) = (class, name) else {
        return unsupported("Unsafe.objectFieldOffset of an unknown field");
    };
    match e.cx.program.field_named(class, &name) {
        Some(field) => Ok(e.cx.terms.bits(64, field.0 as u64)),
        None => Err(Suspend::Throw("java/lang/InternalError")),
    }
}

fn member_offset<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    match members::member(e, state, args[1])? {
        Some((_, field)) => Ok(e.cx.terms.bits(64, field as u64)),
        None => unsupported("Unsafe.objectFieldOffset of an unknown field"),
    }
}

fn static_base<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    match members::member(e, state, args[1])? {
        Some((class, _)) => Ok(e.mirror(class)),
        None => unsupported("Unsafe.staticFieldBase of an unknown field"),
    }
}

/// What an offset in an object means, and of what type that is.
#[derive(Clone, Copy)]
enum Place {
    Field(FieldId, Type),
    Static(FieldId, Type),
    Element(Term, Type),
}

impl Place {
    fn ty(self) -> Type {
        match self {
            Place::Field(_, ty) | Place::Static(_, ty) => ty,
            Place::Element(_, element) => crate::java::cell(element),
        }
    }
}

/// `None` if it is not known.
fn place<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, object: Term, offset: Term) -> Option<Place> {
    let classes = e.model.classes(&mut e.cx, &state.heap, object);
    if let Some(element) = classes.iter().find_map(|(class, _)| e.cx.element_of(*class)) {
        let terms = &mut e.cx.terms;
        let (base, shift) = (terms.bits(64, BASE), terms.bits(64, size(element).trailing_zeros() as u64));
        let bytes = terms.bit_op(BitOp::Sub, offset, base);
        let index = terms.bit_op(BitOp::AShr, bytes, shift);
        return Some(Place::Element(terms.extract(31, 0, index), element));
    }
    // What belongs to no object is at an address of the machine's.
    let (_, number) = e.cx.terms.as_bits(offset).filter(|_| !object.is_null())?;
    let (field, declared) = e.cx.program.library.as_deref()?.numbered_field(number)?;
    Some(match declared.is_static {
        true => Place::Static(field, declared.ty),
        false => Place::Field(field, declared.ty),
    })
}

/// What is at a place, as a value of the stack.
fn read<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, object: Term, place: Place) -> Step<Term> {
    let value = match place {
        Place::Field(field, _) => e.read(state, object, field)?,
        Place::Static(field, _) => e.get_static(state, field)?,
        Place::Element(index, element) => e.element(state, object, index, element)?,
    };
    Ok(arith::widen(&mut e.cx.terms, place.ty(), value))
}

fn write<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    place: Place,
    value: Term,
) -> Step {
    let value = arith::narrow(&mut e.cx.terms, place.ty(), value);
    match place {
        Place::Field(field, _) => e.write(state, object, field, value).map(|_| ()),
        Place::Static(field, _) => {
            e.put_static(state, field, value)?;
            Ok(())
        }
        Place::Element(index, _) => e.set_element(state, object, index, value),
    }
}

const UNKNOWN: &str = "Unsafe with an unknown offset, or of another type than what is there";

/// The places that an access of a type takes, the lowest first: one of the type itself, or several elements of an array of bytes.
fn places<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    offset: Term,
    ty: Type,
) -> Step<Vec<Place>> {
    let Some(place) = place(e, state, object, offset) else { return unsupported(UNKNOWN) };
    let there = place.ty();
    if there == crate::java::cell(ty) || there == ty || there.is_ref() && ty.is_ref() {
        return Ok(vec![place]);
    }
    match place {
        Place::Element(first, Type::Byte) if !ty.is_ref() => {
            let next = |number| {
                let number = e.cx.terms.bits(32, number);
                Place::Element(e.cx.terms.bit_op(BitOp::Add, first, number), Type::Byte)
            };
            Ok((0..size(ty)).map(next).collect())
        }
        _ => unsupported(UNKNOWN),
    }
}

fn get<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], ty: Type) -> Step<Term> {
    let places = places(e, state, args[1], args[2], ty)?;
    if let [place] = places[..] {
        return read(e, state, args[1], place);
    }
    let width = if size(ty) == 8 { 64 } else { 32 };
    let mut value = e.cx.terms.bits(width, 0);
    let (eight, low) = (e.cx.terms.bits(width, 8), e.cx.terms.bits(width, 0xFF));
    for place in places.into_iter().rev() {
        let byte = read(e, state, args[1], place)?;
        let byte = e.cx.terms.extend(true, width, byte);
        let byte = e.cx.terms.bit_op(BitOp::And, byte, low);
        let shifted = e.cx.terms.bit_op(BitOp::Shl, value, eight);
        value = e.cx.terms.bit_op(BitOp::Or, shifted, byte);
    }
    Ok(match ty {
        Type::Float | Type::Double => e.cx.terms.convert(Conversion::FromBits, width, value),
        _ => {
            let narrow = arith::narrow(&mut e.cx.terms, ty, value);
            arith::widen(&mut e.cx.terms, ty, narrow)
        }
    })
}

fn put<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], ty: Type) -> Step<Term> {
    let places = places(e, state, args[1], args[2], ty)?;
    if let [place] = places[..] {
        write(e, state, args[1], place, args[3])?;
        return Ok(Term::NULL);
    }
    let width = if size(ty) == 8 { 64 } else { 32 };
    let mut value = match ty {
        Type::Float | Type::Double => e.cx.terms.convert(Conversion::ToBits, width, args[3]),
        _ => args[3],
    };
    let eight = e.cx.terms.bits(width, 8);
    for place in places {
        let byte = e.cx.terms.extract(31, 0, value);
        write(e, state, args[1], place, byte)?;
        value = e.cx.terms.bit_op(BitOp::LShr, value, eight);
    }
    Ok(Term::NULL)
}

/// One thread: it is a comparison and a write. Gives what was there, and whether it was what was expected.
fn exchange<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    ty: Type,
) -> Step<(Term, Term)> {
    let &[_, object, offset, expected, new] = args else { return unsupported(UNKNOWN) };
    let [place] = places(e, state, object, offset, ty)?[..] else { return unsupported(UNKNOWN) };
    let found = read(e, state, object, place)?;
    let equal = match ty.is_ref() {
        true => e.same(state, found, expected)?,
        false => {
            let bits = |e: &mut Executor<M>, value: Term| match ty {
                // Numbers are compared by their bits.
                Type::Float => e.cx.terms.convert(Conversion::ToBits, 32, value),
                Type::Double => e.cx.terms.convert(Conversion::ToBits, 64, value),
                _ => value,
            };
            let (found, expected) = (bits(e, found), bits(e, expected));
            e.cx.terms.eq(found, expected)
        }
    };
    let value = e.cx.terms.ite(equal, new, found);
    write(e, state, object, place, value)?;
    Ok((found, equal))
}

fn compare_and_set<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    ty: Type,
) -> Step<Term> {
    let (_, equal) = exchange(e, state, args, ty)?;
    Ok(arith::truth(&mut e.cx.terms, equal))
}

fn compare_and_exchange<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    ty: Type,
) -> Step<Term> {
    Ok(exchange(e, state, args, ty)?.0)
}

/// Between arrays with elements of one size: a copy of elements.
fn copy_memory<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let &[_, from, from_offset, to, to_offset, bytes] = args else { return unsupported(UNKNOWN) };
    let places = [(from, from_offset), (to, to_offset)].map(|(array, offset)| place(e, state, array, offset));
    let [Some(Place::Element(from_at, element)), Some(Place::Element(to_at, other))] = places else {
        return unsupported("Unsafe.copyMemory outside of arrays");
    };
    if element != other {
        return unsupported("Unsafe.copyMemory between arrays of different types");
    }
    let shift = e.cx.terms.bits(64, size(element).trailing_zeros() as u64);
    let count = e.cx.terms.bit_op(BitOp::AShr, bytes, shift);
    let count = e.cx.terms.extract(31, 0, count);
    arrays::copy(e, state, &[from, from_at, to, to_at, count])
}
