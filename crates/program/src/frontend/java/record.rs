//! Records as inputs: in which states their constructors leave them.
//!
//! Most records keep what they are given, and then every state is one. A canonical constructor that checks its arguments leaves
//! those that it does not throw for: that is asked by a method that executes it. One that keeps something else (a copy, a default
//! instead of null) would have to be executed on unknown arguments in place of the record; that is not done, and said by name.

use super::Synthetic;
use crate::ir::*;
use crate::library::Library;

/// The method that says of a record whether its canonical constructor leaves it like that; `None` if it always does, or if the class
/// is no record.
pub fn valid_record(library: &Library, class: ClassId) -> Option<MethodId> {
    let fields = components(library, class)?;
    let key = format!("valid {}", library.internal_name(class));
    if let Some(known) = library.defined(&key) {
        return Some(known);
    }
    let descriptors: String = fields.iter().map(|field| library.descriptor_of(library.field(*field).ty)).collect();
    let constructor = library.declared_method(class, "<init>", &format!("({descriptors})V"))?;
    let body = library.body(constructor);
    let check = match (keeps(body, &fields), looks(body)) {
        (true, false) => return None,
        (true, true) => executed(library, class, constructor, &fields),
        (false, _) => refused(library, class, "an input record whose constructor does more than check"),
    };
    Some(library.define(&key, constructor, check))
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

/// Whether a constructor puts its arguments, as they are, into the fields, whatever else it does.
fn keeps(body: &Method, fields: &[FieldId]) -> bool {
    let is_overwritten = |register: usize| {
        let writes = |instr: &Instr| instr.written().is_some_and(|written| written.index() == register);
        body.code.iter().any(|instr| !matches!(instr, Instr::Load { .. }) && writes(instr))
    };
    let mut kept = 0;
    for instr in &body.code {
        let Instr::PutField { object, field, value } = instr else { continue };
        let Some(at) = fields.iter().position(|of| of == field) else { return false };
        if object.index() != 0 || value.index() != at + 1 {
            return false;
        }
        kept += 1;
    }
    kept == fields.len() && !(0..=fields.len()).any(is_overwritten)
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

/// Makes another record of the same components: that is possible, or the constructor throws.
fn executed(library: &Library, class: ClassId, constructor: MethodId, fields: &[FieldId]) -> Method {
    let mut body = Synthetic::new(library, &[Type::Ref(class)], Type::Bool);
    body.init_class(class);
    let (record, other) = (Reg(0), body.register());
    body.emit(Instr::New { dst: other, class });
    let mut arguments = vec![other];
    for &field in fields {
        arguments.push(body.get_field(record, field));
    }
    let (_, _, thrown) = body.call_guarded(Callee::Exactly(constructor), arguments);
    let yes = body.constant(Const::Int(1));
    body.give_back(yes);
    body.bind(thrown);
    let no = body.constant(Const::Int(0));
    body.give_back(no);
    body.finish("isRecord", class)
}

/// Stops the path.
fn refused(library: &Library, class: ClassId, what: &str) -> Method {
    let mut body = Synthetic::new(library, &[Type::Ref(class)], Type::Bool);
    let what = format!("{what}: {}", library.class(class).name);
    body.emit(Instr::Unsupported { what: what.into() });
    body.finish("isRecord", class)
}
