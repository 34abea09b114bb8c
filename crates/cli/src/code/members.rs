//! What code outside of a class may name and call, and what plain methods do: those that give a field, and those that set one.

use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::classfile::{Access, ClassFile, Method};
use lazuli_program::bytecode::code::{Kind, Op};

/// From where something can be named, the nearest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reach {
    Everywhere,
    /// In the package of the class.
    Package,
    /// Only within the class.
    Nowhere,
}

/// From where a member can be named, as far as its own access goes.
pub fn reach(access: Access) -> Reach {
    match () {
        _ if access.is_public() => Reach::Everywhere,
        _ if access.is_private() => Reach::Nowhere,
        _ => Reach::Package,
    }
}

/// From where a class can be named: it and all that it stands in.
pub fn reach_of_class(classes: &ClassPath, internal: &str) -> Reach {
    let Ok(Some(class)) = classes.find(internal) else { return Reach::Nowhere };
    if class.enclosing_method.is_some() || class.access.is_synthetic() {
        return Reach::Nowhere;
    }
    let declared = class.inner_classes.iter().find(|inner| *inner.inner == *internal);
    match declared {
        None => reach(class.access),
        Some(inner) => match &inner.outer {
            Some(outer) => reach(inner.access).max(reach_of_class(classes, outer)),
            None => Reach::Nowhere,
        },
    }
}

/// Whether an object of a nested class belongs to one of the class around it.
pub fn is_inner(class: &ClassFile) -> bool {
    let declared = class.inner_classes.iter().find(|inner| inner.inner == class.name);
    declared.is_some_and(|inner| !inner.access.is_static() && inner.outer.is_some() && !class.access.is_interface())
        && !class.access.is_enum()
        && class.record.is_none()
}

/// The field that a method of no parameters gives, if it does nothing else.
fn given(class: &ClassFile, method: &Method) -> Option<String> {
    if method.access.is_static() || !method.descriptor.starts_with("()") || method.is_initialiser() {
        return None;
    }
    let code = method.code().ok()??;
    let ops: Vec<&Op> = code.ops.iter().filter(|op| !matches!(op, Op::Nop)).collect();
    match ops.as_slice() {
        [Op::Load(Kind::Ref, 0), Op::GetField(field), Op::Return(Some(_))] if *field.class == *class.name => {
            Some(field.name.to_string())
        }
        _ => None,
    }
}

/// The field that a method of one parameter sets to it, if it does nothing else.
pub fn set(class: &ClassFile, method: &Method) -> Option<String> {
    if method.access.is_static() || method.is_initialiser() {
        return None;
    }
    let code = method.code().ok()??;
    let ops: Vec<&Op> = code.ops.iter().filter(|op| !matches!(op, Op::Nop)).collect();
    let field = match ops.as_slice() {
        [Op::Load(Kind::Ref, 0), Op::Load(_, 1), Op::PutField(field), Op::Return(None)]
        | [Op::Load(Kind::Ref, 0), Op::Load(_, 1), Op::PutField(field), Op::Load(Kind::Ref, 0), Op::Return(Some(_))] => {
            field
        }
        _ => return None,
    };
    (*field.class == *class.name).then(|| field.name.to_string())
}

/// How a source in the same package reads a field of an object: by a method that gives it, or by its name.
pub fn accessor(class: &ClassFile, field: &str, is_same_package: bool) -> Option<(String, Reach)> {
    let is_open = |reach: Reach| reach == Reach::Everywhere || is_same_package && reach == Reach::Package;
    let getters = class.methods.iter().filter(|method| given(class, method).as_deref() == Some(field));
    let getters = getters.map(|method| (format!("{}()", method.name), reach(method.access)));
    let declared = class.fields.iter().filter(|known| *known.name == *field);
    let declared = declared.map(|known| (known.name.to_string(), reach(known.access)));
    let mut all: Vec<(String, Reach)> = getters.chain(declared).filter(|(_, reach)| is_open(*reach)).collect();
    all.sort_by_key(|(_, reach)| *reach);
    all.into_iter().next()
}
