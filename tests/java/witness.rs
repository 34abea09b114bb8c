//! A witness as a request to the real JVM.

use lazuli_engine::existing::Existing;
use lazuli_engine::witness::{Concrete, Witness, WitnessObject};
use lazuli_program::Program;
use lazuli_program::ir::{MethodId, Type};
use lazuli_program::library::{LENGTH, Library};

/// `None` if the witness has inputs that cannot be given to a call, such as identity hash codes.
pub fn request(program: &Program, method: MethodId, target: &str, witness: &Witness) -> Option<String> {
    let library = program.library.as_deref().expect("a program in Java");
    let body = program.method(method);
    let parameters = &body.registers[..body.parameters];
    if witness.roots.iter().any(|(root, _)| parameters.iter().all(|parameter| parameter.name != *root)) {
        return None;
    }
    let mut line = String::new();
    for (number, object) in witness.objects.iter().enumerate() {
        if let Some(existing) = &object.existing {
            show_existing(existing)?;
        } else if let Some(text) = show_object(library, witness, object)? {
            line += &format!("#{}={text} ", number + 1);
        }
    }
    line += target;
    for parameter in parameters {
        let given = witness.roots.iter().find(|(root, _)| *root == parameter.name).map(|(_, value)| *value);
        line +=
            &format!(" {}", show(witness, given.unwrap_or_else(|| Concrete::default_of(parameter.ty)), parameter.ty));
    }
    Some(line)
}

/// What exists before the entry, where the harness has words for it.
fn show_existing(existing: &Existing) -> Option<String> {
    Some(match existing {
        Existing::Static { class, field, path } if path.is_empty() => format!("@{class}.{field}"),
        Existing::Static { .. } | Existing::Class { .. } => return None,
        Existing::Boxed { class, value } if class.ends_with("Boolean") => format!("{class}({})", *value == 1),
        Existing::Boxed { class, value } if class.ends_with("Long") => format!("{class}({value}L)"),
        Existing::Boxed { class, value } => format!("{class}({value})"),
        Existing::Literal { units } => {
            let text: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            format!("\"{text}\"")
        }
    })
}

fn show(witness: &Witness, value: Concrete, ty: Type) -> String {
    if let Concrete::Object(index) = value
        && let Some(existing) = &witness.objects[index].existing
    {
        return show_existing(existing).expect("asked before");
    }
    match (value, ty) {
        (Concrete::Null, _) => "null".into(),
        (Concrete::Object(index), _) => format!("#{}", index + 1),
        (Concrete::Float(bits), _) => format!("f:{bits:08x}"),
        (Concrete::Double(bits), _) => format!("d:{bits:016x}"),
        (Concrete::Bool(value), _) => value.to_string(),
        (Concrete::Int(value), Type::Bool) => (value != 0).to_string(),
        (Concrete::Int(value), Type::Long) => format!("{}L", value as i64),
        (Concrete::Int(value), Type::Char) => (value as u16).to_string(),
        (Concrete::Int(value), Type::Short) => (value as i16).to_string(),
        (Concrete::Int(value), Type::Byte) => (value as i8).to_string(),
        (Concrete::Int(value), _) => (value as i32).to_string(),
    }
}

/// The description of an object, if it needs one: the characters of a string belong to the string.
fn show_object(library: &Library, witness: &Witness, object: &WitnessObject) -> Option<Option<String>> {
    let class = library.class(object.class);
    let field = |name: &str| {
        let found = object.fields.iter().find(|(field, _)| library.field(*field).name == name);
        found.map(|(_, value)| *value)
    };
    if class.name == "java.lang.String" {
        return Some(Some(match field("value") {
            Some(Concrete::Object(array)) => show_string(&witness.objects[array]),
            _ => "\"\"".into(),
        }));
    }
    let fields =
        object.fields.iter().filter(|(field, _)| library.field(*field).class != lazuli_program::library::OBJECT);
    if let Some(element) = library.java(object.class).element {
        if library.internal_name(object.class) == "[B" && is_text(library, witness, object) {
            return Some(None);
        }
        let length = length_of(object);
        let cells = object.elements.iter().filter(|(at, _)| *at < length);
        let cells: Vec<String> = cells.map(|(at, value)| format!("{at}:{}", show(witness, *value, element))).collect();
        let (inner, dimensions) = class.name.split_once("[]").expect("an array has brackets");
        // The JVM asks for a dollar between a class and those inside it.
        let named = library.internal_name(object.class).trim_start_matches('[').strip_prefix('L');
        let inner = named.map_or(inner.into(), |name| name.trim_end_matches(';').replace('/', "."));
        return Some(Some(format!("{inner}[{length}]{dimensions}{{{}}}", cells.join(","))));
    }
    let fields: Vec<String> = fields
        .map(|(field, value)| {
            format!("{}={}", library.field(*field).name, show(witness, *value, library.field(*field).ty))
        })
        .collect();
    Some(Some(format!("{}{{{}}}", class.name, fields.join(","))))
}

fn length_of(object: &WitnessObject) -> u32 {
    match object.fields.iter().find(|(field, _)| *field == LENGTH) {
        Some((_, Concrete::Int(length))) => *length as u32,
        _ => 0,
    }
}

/// Whether an array is the characters of a string.
fn is_text(library: &Library, witness: &Witness, array: &WitnessObject) -> bool {
    witness.objects.iter().any(|object| {
        library.class(object.class).name == "java.lang.String"
            && object.fields.iter().any(
                |(_, value)| matches!(value, Concrete::Object(index) if std::ptr::eq(&witness.objects[*index], array)),
            )
    })
}

/// Input strings are Latin-1.
fn show_string(array: &WitnessObject) -> String {
    let mut bytes = vec![0u8; length_of(array) as usize];
    for (at, value) in &array.elements {
        if let (Some(byte), Concrete::Int(value)) = (bytes.get_mut(*at as usize), value) {
            *byte = *value as u8;
        }
    }
    let text: String = bytes.iter().map(|byte| format!("\\u{byte:04x}")).collect();
    format!("\"{text}\"")
}
