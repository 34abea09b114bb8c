//! `Unsafe`, as far as the collections use it: an offset is the number of a field, or a multiple of an element's size.

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::{FieldId, Type};

use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};

type Heap<M> = <M as Memory>::Heap;

/// Where the elements of an array begin.
const BASE: u64 = 16;

const REFERENCE: Type = Type::Ref(lazuli_program::library::OBJECT);

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let method = key.strip_prefix("jdk/internal/misc/Unsafe.")?;
    let native: Native<M> = match method {
        "arrayBaseOffset0(Ljava/lang/Class;)I" => |e, _, _| Ok(e.cx.int(BASE as i64)),
        "arrayIndexScale0(Ljava/lang/Class;)I" => scale,
        "addressSize0()I" => |e, _, _| Ok(e.cx.int(8)),
        "isBigEndian0()Z" | "unalignedAccess0()Z" => |e, _, _| Ok(e.cx.int(0)),
        "objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J" => field_offset,
        "getByte(Ljava/lang/Object;J)B" => |e, s, a| {
            let byte = get(e, s, a, Type::Byte)?;
            Ok(arith::widen(&mut e.cx.terms, Type::Byte, byte))
        },
        "putByte(Ljava/lang/Object;JB)V" => |e, s, a| {
            let byte = arith::narrow(&mut e.cx.terms, Type::Byte, a[3]);
            put(e, s, &[a[0], a[1], a[2], byte], Type::Byte)
        },
        "ensureClassInitialized0(Ljava/lang/Class;)V" => ensure_initialised,
        "storeFence()V" | "loadFence()V" | "fullFence()V" => |_, _, _| Ok(Term::NULL),
        "compareAndSetInt(Ljava/lang/Object;JII)Z" => |e, s, a| compare_and_set(e, s, a, Type::Int),
        "compareAndSetLong(Ljava/lang/Object;JJJ)Z" => |e, s, a| compare_and_set(e, s, a, Type::Long),
        "compareAndSetReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z"
        | "compareAndSetObject(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z" => {
            |e, s, a| compare_and_set(e, s, a, REFERENCE)
        }
        "getReferenceVolatile(Ljava/lang/Object;J)Ljava/lang/Object;"
        | "getReference(Ljava/lang/Object;J)Ljava/lang/Object;" => |e, s, a| get(e, s, a, REFERENCE),
        "getIntVolatile(Ljava/lang/Object;J)I" | "getInt(Ljava/lang/Object;J)I" => |e, s, a| get(e, s, a, Type::Int),
        "getLongVolatile(Ljava/lang/Object;J)J" | "getLong(Ljava/lang/Object;J)J" => |e, s, a| get(e, s, a, Type::Long),
        "putReferenceVolatile(Ljava/lang/Object;JLjava/lang/Object;)V"
        | "putReference(Ljava/lang/Object;JLjava/lang/Object;)V" => |e, s, a| put(e, s, a, REFERENCE),
        "putIntVolatile(Ljava/lang/Object;JI)V" | "putInt(Ljava/lang/Object;JI)V" => |e, s, a| put(e, s, a, Type::Int),
        "putLongVolatile(Ljava/lang/Object;JJ)V" | "putLong(Ljava/lang/Object;JJ)V" => {
            |e, s, a| put(e, s, a, Type::Long)
        }
        _ => return None,
    };
    Some(native)
}

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

fn ensure_initialised<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(class) = e.mirrored(args[1]) else {
        return unsupported("Unsafe.ensureClassInitialized of an unknown class");
    };
    if state.vm.is_initialised(class) {
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

/// What an offset in an object means.
enum Place {
    Field(FieldId),
    Element(Term, Type),
}

/// `None` if it is not known, or what is there is not of the type: an access that takes several elements at once.
fn place<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    offset: Term,
    ty: Type,
) -> Option<Place> {
    let place = any_place(e, state, object, offset)?;
    let there = match place {
        Place::Field(field) => e.cx.program.field(field).ty,
        Place::Element(_, element) => crate::java::cell(element),
    };
    (there == ty || there.is_ref() && ty.is_ref()).then_some(place)
}

fn any_place<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    offset: Term,
) -> Option<Place> {
    let classes = e.model.classes(&mut e.cx, &state.heap, object);
    let elements = classes.iter().find_map(|(class, _)| e.cx.element_of(*class));
    Some(match elements {
        Some(element) => {
            let terms = &mut e.cx.terms;
            let (base, shift) = (terms.bits(64, BASE), terms.bits(64, size(element).trailing_zeros() as u64));
            let bytes = terms.bit_op(BitOp::Sub, offset, base);
            let index = terms.bit_op(BitOp::AShr, bytes, shift);
            Place::Element(terms.extract(31, 0, index), element)
        }
        None => Place::Field(FieldId(e.cx.terms.as_bits(offset)?.1 as u32)),
    })
}

fn read<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, object: Term, place: &Place) -> Step<Term> {
    match *place {
        Place::Field(field) => e.read(state, object, field),
        Place::Element(index, element) => e.element(state, object, index, element),
    }
}

fn write<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    place: &Place,
    value: Term,
) -> Step {
    match *place {
        Place::Field(field) => e.write(state, object, field, value).map(|_| ()),
        Place::Element(index, _) => e.set_element(state, object, index, value),
    }
}

const UNKNOWN: &str = "Unsafe with an unknown offset, or of another type than what is there";

fn get<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], ty: Type) -> Step<Term> {
    let Some(place) = place(e, state, args[1], args[2], ty) else { return unsupported(UNKNOWN) };
    read(e, state, args[1], &place)
}

fn put<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], ty: Type) -> Step<Term> {
    let Some(place) = place(e, state, args[1], args[2], ty) else { return unsupported(UNKNOWN) };
    write(e, state, args[1], &place, args[3])?;
    Ok(Term::NULL)
}

/// One thread: it is a comparison and a write.
fn compare_and_set<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    ty: Type,
) -> Step<Term> {
    let &[_, object, offset, expected, new] = args else { return unsupported(UNKNOWN) };
    let Some(place) = place(e, state, object, offset, ty) else { return unsupported(UNKNOWN) };
    let found = read(e, state, object, &place)?;
    let equal = match ty.is_ref() {
        true => e.same(state, found, expected)?,
        false => e.cx.terms.eq(found, expected),
    };
    let value = e.cx.terms.ite(equal, new, found);
    write(e, state, object, &place, value)?;
    Ok(arith::truth(&mut e.cx.terms, equal))
}
