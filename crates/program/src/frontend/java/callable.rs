//! The methods of a target that others may call, and what their callers are told of them: which parameters may be null, what is declared to
//! be thrown, and which constructors do nothing but keep what they are given.

use std::sync::Arc;

use super::entry::{self, EntryPoint, Request};
use crate::bytecode::annotations::On;
use crate::bytecode::classfile::{Access, ClassFile, Method};
use crate::bytecode::classpath::ClassPath;
use crate::bytecode::code::{Invoke, Kind, Op};
use crate::bytecode::descriptor;
use crate::bytecode::pool::Name;
use crate::source::LoadError;

type Result<T> = std::result::Result<T, LoadError>;

/// The methods of all classes of the program that others may call; or those of the classes and methods that are named, in that order.
pub fn methods(classes: &ClassPath, wanted: &[String]) -> Result<Vec<EntryPoint>> {
    let mut found = Vec::new();
    if wanted.is_empty() {
        for class in own(classes)? {
            found.extend(of_class(&class));
        }
        return Ok(found);
    }
    for text in wanted {
        for method in named(classes, text.trim())? {
            let is_same = |known: &EntryPoint| known.readable() == method.readable();
            if !found.iter().any(is_same) {
                found.push(method);
            }
        }
    }
    Ok(found)
}

/// The classes of the program that have names of their own and are not private. A source stands for all classes that it declares.
fn own(classes: &ClassPath) -> Result<Vec<Arc<ClassFile>>> {
    let names = classes.program_classes();
    let mut program = entry::read_all(classes, names.iter())?;
    if let [class] = &program[..] {
        let package = |class: &ClassFile| class.name.rsplit_once('/').map(|(package, _)| package.to_string());
        let (file, package_of_it) = (class.source_file.clone(), package(class));
        let beside = entry::read_all(classes, classes.classes_beside().iter())?;
        let of_source = |other: &Arc<ClassFile>| {
            other.name == class.name || file.is_some() && other.source_file == file && package(other) == package_of_it
        };
        program = beside.into_iter().filter(of_source).collect();
    }
    program.retain(|class| !entry::is_driver_interface(&class.name) && is_callable(class));
    Ok(program)
}

/// Whether code elsewhere can name a class.
pub fn is_callable(class: &ClassFile) -> bool {
    let is_hidden = class.access.is_synthetic() || class.access.is_module() || class.enclosing_method.is_some();
    !is_hidden && declared_access(class).is_none_or(|access| !access.is_private())
}

/// How a nested class was declared; the class itself only says whether it is public.
fn declared_access(class: &ClassFile) -> Option<Access> {
    class.inner_classes.iter().find(|inner| inner.inner == class.name).map(|inner| inner.access)
}

/// A class by its name, or a method by that of its class and its own.
fn named(classes: &ClassPath, text: &str) -> Result<Vec<EntryPoint>> {
    let known = classes.user_classes();
    let program = if known.is_empty() { Vec::new() } else { entry::matching(text, known) };
    if !program.is_empty() {
        let classes = entry::read_all(classes, program.into_iter())?;
        return Ok(classes.iter().flat_map(of_class).collect());
    }
    let request = Request::parse(text);
    let receivers = match request.class {
        "" => match entry::receivers(classes, text) {
            // A class of the JDK.
            Ok(found) if known.is_empty() => return Ok(found.iter().flat_map(of_class).collect()),
            _ => entry::read_all(classes, classes.program_classes().iter())?,
        },
        class => entry::receivers(classes, class)?,
    };
    let mut found = Vec::new();
    for receiver in &receivers {
        found.append(&mut entry::methods(classes, receiver, request.method)?);
    }
    let is_wanted = |method: &Method| method.has_code() && !method.access.is_synthetic();
    found.retain(|candidate| is_wanted(candidate.method()) && entry::fits(&request, candidate.method()));
    if !found.is_empty() {
        return Ok(found);
    }
    // The name of a class of the JDK in full has a package before it, which may look like a class.
    match entry::receivers(classes, text) {
        Ok(found) => Ok(found.iter().flat_map(of_class).collect()),
        Err(_) => Err(entry::no_such_method(classes, &request, &receivers)?),
    }
}

/// The public methods of a class, and the constructors that are given something; of a class that has none, all that are not private. What the
/// compiler wrote is not among them.
pub fn of_class(class: &Arc<ClassFile>) -> Vec<EntryPoint> {
    let is_written = |method: &Method| {
        let is_default = &*method.name == "<init>" && method.descriptor.starts_with("()");
        let is_code = method.has_code() && !method.access.is_synthetic() && &*method.name != "<clinit>";
        is_code && !method.access.is_private() && !is_default && !is_generated(class, method)
    };
    let is_enum = class.access.is_enum();
    let written: Vec<usize> = (0..class.methods.len())
        .filter(|index| is_written(&class.methods[*index]))
        .filter(|index| !(is_enum && &*class.methods[*index].name == "<init>"))
        .collect();
    let is_public = |index: &usize| class.methods[*index].access.is_public();
    let public: Vec<usize> = written.iter().copied().filter(is_public).collect();
    let has_method = public.iter().any(|index| !class.methods[*index].is_initialiser());
    let chosen = if has_method { public } else { written };
    chosen.into_iter().map(|index| EntryPoint { receiver: class.clone(), class: class.clone(), index }).collect()
}

/// Whether the compiler wrote a method of an enum or a record.
fn is_generated(class: &ClassFile, method: &Method) -> bool {
    if class.access.is_enum() {
        return method.access.is_static() && matches!(&*method.name, "values" | "valueOf");
    }
    let Some(components) = &class.record else { return false };
    let Ok(Some(code)) = method.code() else { return false };
    match &*method.name {
        "<init>" => kept_fields(class, method).is_some(),
        "toString" | "hashCode" | "equals" => {
            code.ops.iter().any(|op| matches!(op, Op::InvokeDynamic(_))) && code.ops.len() <= 4
        }
        name => {
            let is_component = components.iter().any(|component| &*component.name == name);
            is_component && code.ops.len() == 3 && matches!(code.ops[1], Op::GetField(_))
        }
    }
}

/// Of a constructor that does nothing but keep its parameters: the fields, each with the number of its parameter.
pub fn kept_fields(class: &ClassFile, constructor: &Method) -> Option<Vec<(Name, usize)>> {
    let code = constructor.code().ok()??;
    let slots = slots(constructor)?;
    let mut kept = Vec::new();
    let mut ops = code.ops.iter().filter(|op| !matches!(op, Op::Nop));
    let (Some(Op::Load(Kind::Ref, 0)), Some(Op::Invoke(Invoke::Special, above))) = (ops.next(), ops.next()) else {
        return None;
    };
    if &*above.name != "<init>" || !matches!(&*above.class, "java/lang/Object" | "java/lang/Record") {
        return None;
    }
    loop {
        match ops.next()? {
            Op::Return(None) => return Some(kept),
            Op::Load(Kind::Ref, 0) => {}
            _ => return None,
        }
        let (Op::Load(_, slot), Op::PutField(field)) = (ops.next()?, ops.next()?) else { return None };
        let parameter = slots.iter().position(|known| known == slot)?;
        if *field.class != *class.name {
            return None;
        }
        kept.push((field.name.clone(), parameter));
    }
}

/// For each parameter the local that it is in.
fn slots(method: &Method) -> Option<Vec<u16>> {
    let mut slot = if method.access.is_static() { 0 } else { 1 };
    let mut slots = Vec::new();
    for parameter in descriptor::method(&method.descriptor)?.parameters {
        slots.push(slot);
        slot += if matches!(parameter, "J" | "D") { 2 } else { 1 };
    }
    Some(slots)
}

/// For each parameter whether its callers are told that it may be null: by an annotation `Nullable`, or because the method compares it with null.
pub fn nullable(method: &Method) -> Vec<bool> {
    let Some(slots) = slots(method) else { return Vec::new() };
    let annotations = method.annotations();
    let is_annotated =
        |number: usize| annotations.iter().any(|a| a.on == On::Parameter(number) && a.simple_name == "Nullable");
    let compared = match method.code() {
        Ok(Some(code)) => compared(&code.ops),
        _ => Vec::new(),
    };
    slots.iter().enumerate().map(|(number, slot)| is_annotated(number) || compared.contains(slot)).collect()
}

/// The locals that are compared with null.
fn compared(ops: &[Op]) -> Vec<u16> {
    let pairs = ops.windows(2).filter_map(|pair| match pair {
        [Op::Load(Kind::Ref, slot), Op::IfNull(..)] => Some(*slot),
        _ => None,
    });
    pairs.collect()
}
