//! `VarHandle`s of fields; those of bytes are in `views.rs`. There is one thread, so all modes of access are alike.

use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::bytecode::descriptor;
use lazuli_program::ir::{FieldId, Type};

use super::views;
use crate::arith;
use crate::executor::Executor;
use crate::heap::{HeapModel, Memory};
use crate::shared::is_shared;
use crate::state::State;
use crate::suspend::{Step, unsupported};

type Heap<M> = <M as Memory>::Heap;

/// `Lookup.findVarHandle` and `findStaticVarHandle`.
pub(super) fn of_field<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let library = e.cx.library().expect("only Java has natives");
    let name = e.text_of(state, args[2])?;
    let [class, ty] = [args[1], args[3]].map(|mirror| e.mirrored(mirror));
    let (Some(name), Some(class), Some(ty)) = (name, class, ty) else {
        return unsupported("MethodHandles.Lookup.findVarHandle of an unknown field");
    };
    let ty = match library.internal_name(ty) {
        array if array.starts_with('[') => array.to_string(),
        name => descriptor_of(name),
    };
    let Some(field) = library.find_field(class, &name.as_str().into(), &ty.as_str().into()) else {
        return unsupported("MethodHandles.Lookup.findVarHandle of a field that is not there");
    };
    let handle = e.model.alloc(&mut e.cx, &mut state.heap, library.class_id("java/lang/invoke/VarHandle"));
    match handle.as_location().is_some_and(is_shared) {
        true => e.start.handles.insert(handle, field),
        false => Rc::make_mut(&mut state.vm).handles.insert(handle, field),
    };
    Ok(handle)
}

/// The descriptor of a class or of a primitive type, by its name.
pub(super) fn descriptor_of(name: &str) -> String {
    match name {
        "boolean" => "Z".into(),
        "byte" => "B".into(),
        "char" => "C".into(),
        "short" => "S".into(),
        "int" => "I".into(),
        "long" => "J".into(),
        "float" => "F".into(),
        "double" => "D".into(),
        "void" => "V".into(),
        class => format!("L{class};"),
    }
}

/// What a call of a handle's method does, by its name.
enum Mode {
    Get,
    Set,
    GetAndSet,
    GetAnd(BitOp),
    CompareAndSet,
    CompareAndExchange,
}

impl Mode {
    fn of(name: &str) -> Option<Mode> {
        let plain =
            ["Volatile", "Opaque", "Acquire", "Release", "Plain"].iter().find_map(|mode| name.strip_suffix(mode));
        Some(match plain.unwrap_or(name) {
            "get" => Mode::Get,
            "set" => Mode::Set,
            "getAndSet" => Mode::GetAndSet,
            "getAndAdd" => Mode::GetAnd(BitOp::Add),
            "getAndBitwiseOr" => Mode::GetAnd(BitOp::Or),
            "getAndBitwiseAnd" => Mode::GetAnd(BitOp::And),
            "getAndBitwiseXor" => Mode::GetAnd(BitOp::Xor),
            "compareAndSet" | "weakCompareAndSet" => Mode::CompareAndSet,
            "compareAndExchange" => Mode::CompareAndExchange,
            _ => return None,
        })
    }
}

/// A call of one of `VarHandle`'s methods, which take what the descriptor of the call says: the handle, then the object unless the field is static, then
/// values.
pub(super) fn access<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    (name, descriptor): (&str, &str),
    args: &[Term],
) -> Step<Term> {
    let other = || unsupported(format!("VarHandle.{name}{descriptor}"));
    e.check_null(state, args[0])?;
    if let Some(view) = views::view_of(e, state, args[0]) {
        return views::access(e, state, view, name, &args[1..]);
    }
    let shared = e.start.handles.get(&args[0]).copied();
    let Some(field) = shared.or_else(|| state.vm.handles.get(&args[0]).copied()) else { return other() };
    let library = e.cx.library().expect("only Java has natives");
    let declared = library.field(field);
    let (ty, is_static) = (declared.ty, declared.is_static);
    let own = library.descriptor_of(ty);
    let Some(signature) = descriptor::method(descriptor) else { return other() };
    let values = &signature.parameters[!is_static as usize..];
    let fits = |value: &str| value == own || ty.is_ref() && value.starts_with(['L', '[']);
    let result = signature.result;
    if !values.iter().all(|value| fits(value)) || !fits(result) && !["V", "Z"].contains(&result) {
        return other();
    }
    let Some(mode) = Mode::of(name) else { return other() };
    let object = (!is_static).then(|| args[1]);
    let given = &args[1 + !is_static as usize..];
    let place = Place { object, field, ty };
    let found = match (&mode, given) {
        (Mode::Set, &[value]) => {
            place.write(e, state, value)?;
            return Ok(Term::NULL);
        }
        _ => place.read(e, state)?,
    };
    match (mode, given) {
        (Mode::Get, []) => Ok(found),
        (Mode::GetAndSet, &[value]) => place.write(e, state, value).map(|()| found),
        (Mode::GetAnd(op), &[value]) if matches!(ty, Type::Int | Type::Long) => {
            let new = e.cx.terms.bit_op(op, found, value);
            place.write(e, state, new).map(|()| found)
        }
        (mode @ (Mode::CompareAndSet | Mode::CompareAndExchange), &[expected, new]) => {
            let equal = match ty.is_ref() {
                true => e.same(state, found, expected)?,
                false => e.cx.terms.eq(found, expected),
            };
            let value = e.cx.terms.ite(equal, new, found);
            place.write(e, state, value)?;
            match mode {
                Mode::CompareAndSet => Ok(arith::truth(&mut e.cx.terms, equal)),
                _ => Ok(found),
            }
        }
        _ => other(),
    }
}

/// A field of an object, or a static one. Its values are seen as those of the stack.
struct Place {
    object: Option<Term>,
    field: FieldId,
    ty: Type,
}

impl Place {
    fn read<M: HeapModel>(&self, e: &mut Executor<M>, state: &mut State<Heap<M>>) -> Step<Term> {
        let value = match self.object {
            Some(object) => e.read(state, object, self.field)?,
            None => e.get_static(state, self.field)?,
        };
        let value = arith::widen(&mut e.cx.terms, self.ty, value);
        if self.ty.is_ref() { e.load(state, value) } else { Ok(value) }
    }

    fn write<M: HeapModel>(&self, e: &mut Executor<M>, state: &mut State<Heap<M>>, value: Term) -> Step {
        let value = arith::narrow(&mut e.cx.terms, self.ty, value);
        match self.object {
            Some(object) => {
                e.write(state, object, self.field, value)?;
            }
            None => {
                e.put_static(state, self.field, value)?;
            }
        }
        Ok(())
    }
}
