//! Records as inputs: in which states their constructors leave them.
//!
//! Most records keep what they are given, and then every state is one. A canonical constructor that checks its arguments leaves
//! those that it does not throw for: that is asked by a method that executes it. One that keeps something else (a copy, a default
//! instead of null) leaves those that it would leave as they are, if it changes nothing that it has made itself: the record is made
//! again of its own components, and must be the same. That this is so is an assumption, which the answer names.

use super::Synthetic;
use crate::assembler::Label;
use crate::ir::*;
use crate::library::{Library, OBJECT, access};

/// Methods of the library that make lists, and the class of those: of one or two elements it is another one, which nobody can tell
/// apart.
const MAKERS: [(&str, &str, &str); 3] = [
    ("java/util/List", "copyOf", IMMUTABLE),
    ("java/util/List", "of", IMMUTABLE),
    ("java/util/Collections", "unmodifiableList", "java/util/Collections$UnmodifiableRandomAccessList"),
];

const IMMUTABLE: &str = "java/util/ImmutableCollections$ListN";

/// The name of the method that makes a record again; no method of Java is called so.
pub const MADE_AGAIN: &str = "made again";

/// The method that says of a record whether its canonical constructor leaves it like that; `None` if it always does, or if the class
/// is no record.
pub fn valid_record(library: &Library, class: ClassId) -> Option<MethodId> {
    let fields = components(library, class)?;
    let key = format!("valid {}", library.internal_name(class));
    if let Some(known) = library.defined(&key) {
        return Some(known);
    }
    let constructor = canonical(library, class, &fields)?;
    let body = library.body(constructor);
    let check = match changed(library, body, &fields) {
        Ok(changed) if changed.is_empty() && !looks(body) => return None,
        Ok(changed) => executed(library, class, constructor, &fields, &changed),
        Err(what) => refused(library, class, &what),
    };
    Some(library.define(&key, constructor, check))
}

/// The components of a record that are lists, and not those that its constructor was given, with the classes that it makes.
pub fn copied_lists(library: &Library, class: ClassId) -> Vec<(FieldId, ClassId)> {
    let Some(fields) = components(library, class) else { return Vec::new() };
    let Some(constructor) = canonical(library, class, &fields) else { return Vec::new() };
    let body = library.body(constructor);
    let changed = changed(library, body, &fields).unwrap_or_default();
    changed.into_iter().filter_map(|field| Some((field, made_list(library, body, field)?))).collect()
}

/// The class of what a constructor puts into a component of type `List`, if it is one that inputs can have.
fn made_list(library: &Library, body: &Method, field: FieldId) -> Option<ClassId> {
    let is_list =
        matches!(library.field(field).ty, Type::Ref(class) if library.internal_name(class) == "java/util/List");
    // Of a raw type it is not known what it holds.
    if !is_list || library.is_plain(field) {
        return None;
    }
    let stored = |instr: &Instr| match instr {
        Instr::PutField { field: of, value, .. } if *of == field => Some(*value),
        _ => None,
    };
    let mut open: Vec<Reg> = body.code.iter().filter_map(stored).collect();
    let (mut seen, mut made) = (Vec::new(), None);
    while let Some(register) = open.pop() {
        if seen.contains(&register) {
            continue;
        }
        seen.push(register);
        let writes = |instr: &&Instr| !matches!(instr, Instr::Load { .. }) && instr.written() == Some(register);
        for instr in body.code.iter().filter(writes) {
            let class = match instr {
                Instr::Move { src, .. } => {
                    open.push(*src);
                    continue;
                }
                Instr::New { class, .. } => *class,
                Instr::Call { callee: Callee::Exactly(method), .. } => made_by(library, *method)?,
                _ => return None,
            };
            if *made.get_or_insert(class) != class {
                return None;
            }
        }
    }
    made
}

fn made_by(library: &Library, method: MethodId) -> Option<ClassId> {
    let declared = library.declared(method);
    let of = (library.internal_name(declared.class), &*declared.name);
    let (.., class) = MAKERS.iter().find(|(class, name, _)| (*class, *name) == of)?;
    Some(library.class_id(class))
}

fn canonical(library: &Library, class: ClassId, fields: &[FieldId]) -> Option<MethodId> {
    let descriptors: String = fields.iter().map(|field| library.descriptor_of(library.field(*field).ty)).collect();
    library.declared_method(class, "<init>", &format!("({descriptors})V"))
}

/// The fields of a record, in the order of its components.
fn components(library: &Library, class: ClassId) -> Option<Vec<FieldId>> {
    let above = library.class(class).superclass?;
    if library.internal_name(above) != "java/lang/Record" {
        return None;
    }
    let of_record = |field: &FieldId| library.field(*field).class == class;
    Some(library.class(class).layout.iter().copied().filter(of_record).collect())
}

/// The components into which a constructor does not put its arguments as they are, whatever else it does. An error says what cannot be
/// made again.
fn changed(library: &Library, body: &Method, fields: &[FieldId]) -> Result<Vec<FieldId>, String> {
    let is_overwritten = |register: usize| {
        let writes = |instr: &Instr| instr.written().is_some_and(|written| written.index() == register);
        body.code.iter().any(|instr| !matches!(instr, Instr::Load { .. }) && writes(instr))
    };
    let mut kept = vec![false; fields.len()];
    let mut changed = vec![false; fields.len()];
    for instr in &body.code {
        let Instr::PutField { object, field, value } = instr else { continue };
        let at = fields.iter().position(|of| of == field).filter(|_| object.index() == 0);
        let Some(at) = at else { return Err("an input record whose constructor writes elsewhere".into()) };
        let is_kept = value.index() == at + 1 && !is_overwritten(at + 1);
        if is_kept { kept[at] = true } else { changed[at] = true }
    }
    let at_changed = |at: &usize| changed[*at] || !kept[*at];
    let changed: Vec<FieldId> = (0..fields.len()).filter(at_changed).map(|at| fields[at]).collect();
    match changed.iter().find(|field| !can_be_compared(library, body, **field)) {
        Some(field) => Err(format!("an input record whose constructor changes {}", library.field(*field).name)),
        None => Ok(changed),
    }
}

/// Whether the objects of a component that is made anew are of classes that inputs have. Of interfaces only lists are.
fn can_be_compared(library: &Library, body: &Method, field: FieldId) -> bool {
    let Type::Ref(class) = library.field(field).ty else { return true };
    let is_open = library.java(class).is(access::INTERFACE) || class == OBJECT;
    !is_open || made_list(library, body, field).is_some()
}

/// Whether a constructor does anything else.
fn looks(body: &Method) -> bool {
    let calls = body.code.iter().filter(|instr| matches!(instr, Instr::Call { .. })).count();
    let is_plain = |instr: &Instr| {
        matches!(instr, Instr::Call { .. } | Instr::Load { .. } | Instr::PutField { .. } | Instr::Return { .. })
    };
    // One call is that of the superclass's constructor.
    calls > 1 || !body.code.iter().all(is_plain)
}

/// Makes another record of the same components: that is possible, or the constructor throws. Those that it changes must be the same.
fn executed(
    library: &Library,
    class: ClassId,
    constructor: MethodId,
    fields: &[FieldId],
    changed: &[FieldId],
) -> Method {
    let mut body = Synthetic::new(library, &[Type::Ref(class)], Type::Bool);
    body.init_class(class);
    let (record, other) = (Reg(0), body.register());
    body.emit(Instr::New { dst: other, class });
    let mut arguments = vec![other];
    for &field in fields {
        arguments.push(body.get_field(record, field));
    }
    let (_, _, thrown) = body.call_guarded(Callee::Exactly(constructor), arguments);
    let differs = body.label();
    let mut unknown = Vec::new();
    for &field in changed {
        let (own, made) = (body.get_field(record, field), body.get_field(other, field));
        match library.field(field).ty {
            Type::Ref(class) => unknown.push((compare_objects(&mut body, class, own, made, differs), field)),
            ty => compare_numbers(&mut body, ty, own, made, differs),
        }
    }
    let yes = body.constant(Const::Int(1));
    body.give_back(yes);
    for (label, field) in unknown {
        body.bind(label);
        let what = format!("an input record whose constructor makes its own {}", library.field(field).name);
        body.emit(Instr::Unsupported { what: what.into() });
    }
    body.bind(thrown);
    body.bind(differs);
    let no = body.constant(Const::Int(0));
    body.give_back(no);
    body.finish(if changed.is_empty() { "isRecord" } else { MADE_AGAIN }, class)
}

fn compare_numbers(body: &mut Synthetic, ty: Type, own: Reg, made: Reg, differs: Label) {
    let compared = match ty {
        Type::Long => body.call("java/lang/Long", "compare", "(JJ)I", vec![own, made]),
        Type::Float => body.call("java/lang/Float", "compare", "(FF)I", vec![own, made]),
        Type::Double => body.call("java/lang/Double", "compare", "(DD)I", vec![own, made]),
        _ => return body.when(Condition::Compare(Test::Ne, own, Operand::Reg(made)), differs),
    };
    body.when(Condition::Compare(Test::Ne, compared, Operand::Int(0)), differs);
}

/// Goes on where two objects are one, or of one class and equal: a copy. Gives the label to which it goes where that is not known.
fn compare_objects(body: &mut Synthetic, class: ClassId, own: Reg, made: Reg, differs: Label) -> Label {
    let library = body.library;
    let (same, next, unknown) = (body.register(), body.label(), body.label());
    body.emit(Instr::RefEq { dst: same, lhs: own, rhs: made });
    body.when(Condition::Holds(same), next);
    for object in [own, made] {
        let is_null = body.is_null(object);
        body.when(is_null, differs);
    }
    let equal = match library.java(class).element {
        Some(element) => {
            let of = if element.is_ref() { "Ljava/lang/Object;".into() } else { library.descriptor_of(element) };
            body.call("java/util/Arrays", "equals", &format!("([{of}[{of})Z"), vec![own, made])
        }
        None => {
            let classes =
                [own, made].map(|of| body.call("java/lang/Object", "getClass", "()Ljava/lang/Class;", vec![of]));
            let same = body.register();
            body.emit(Instr::RefEq { dst: same, lhs: classes[0], rhs: classes[1] });
            body.unless(Condition::Holds(same), unknown);
            // Immutable lists that are equal may differ in whether null is permitted.
            let is_immutable = body.register();
            let immutable = library.class_id(IMMUTABLE);
            body.emit(Instr::InstanceOf { dst: is_immutable, src: made, class: immutable });
            body.when(Condition::Holds(is_immutable), unknown);
            body.call("java/lang/Object", "equals", "(Ljava/lang/Object;)Z", vec![own, made])
        }
    };
    body.when(Condition::Compare(Test::Eq, equal, Operand::Int(0)), differs);
    body.bind(next);
    unknown
}

/// Stops the path.
fn refused(library: &Library, class: ClassId, what: &str) -> Method {
    let mut body = Synthetic::new(library, &[Type::Ref(class)], Type::Bool);
    let what = format!("{what}: {}", library.class(class).name);
    body.emit(Instr::Unsupported { what: what.into() });
    body.finish("isRecord", class)
}
