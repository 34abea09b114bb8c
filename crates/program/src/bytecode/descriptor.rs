//! Descriptors (`(ILjava/lang/String;)V`): checked, split, and as a person writes them.

use crate::escape;
use crate::ir::Type;

/// Arrays have at most this many dimensions.
const MAX_DIMENSIONS: usize = 255;
/// A method takes at most this many words of parameters, the receiver included.
const MAX_WORDS: usize = 255;

/// The parts of a method's descriptor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodType<'a> {
    /// A descriptor for each parameter.
    pub parameters: Vec<&'a str>,
    /// A descriptor, or `V`.
    pub result: &'a str,
}

/// The length of the field descriptor at the start of the text.
fn field_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let dimensions = bytes.iter().take_while(|b| **b == b'[').count();
    if dimensions > MAX_DIMENSIONS {
        return None;
    }
    match bytes.get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => {
            let length = class_length(&bytes[dimensions + 1..])?;
            (bytes.get(dimensions + 1 + length) == Some(&b';')).then_some(dimensions + length + 2)
        }
        _ => None,
    }
}

/// The length of the class's name at the start of the text, which ends where a character is that no name can have.
fn class_length(bytes: &[u8]) -> Option<usize> {
    let mut part = 0;
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'/' if i == part => return None,
            b'/' => part = i + 1,
            b'.' | b';' | b'[' => return (i > part).then_some(i),
            _ => {}
        }
    }
    (bytes.len() > part).then_some(bytes.len())
}

/// Is this `java/lang/String`, and neither a descriptor nor an array?
pub fn is_class_name(text: &str) -> bool {
    class_length(text.as_bytes()) == Some(text.len())
}

/// What a class constant may name: a class, or an array by its descriptor.
pub fn is_class_or_array(text: &str) -> bool {
    if text.starts_with('[') { is_field(text) } else { is_class_name(text) }
}

/// A field's, method's or variable's name. Only `<init>` and `<clinit>` may have angle brackets, and only as methods.
pub fn is_member_name(text: &str) -> bool {
    !text.is_empty() && !text.bytes().any(|b| matches!(b, b'.' | b';' | b'[' | b'/'))
}

pub fn is_method_name(text: &str) -> bool {
    matches!(text, "<init>" | "<clinit>") || is_member_name(text) && !text.bytes().any(|b| matches!(b, b'<' | b'>'))
}

pub fn is_field(text: &str) -> bool {
    field_length(text) == Some(text.len())
}

/// Splits a method's descriptor; `None` if it is not one.
pub fn method(text: &str) -> Option<MethodType<'_>> {
    let mut rest = text.strip_prefix('(')?;
    let mut parameters = Vec::new();
    let mut words = 0;
    loop {
        if let Some(result) = rest.strip_prefix(')') {
            return (result == "V" || is_field(result)).then_some(MethodType { parameters, result });
        }
        let (parameter, after) = rest.split_at(field_length(rest)?);
        words += if matches!(parameter, "J" | "D") { 2 } else { 1 };
        if words > MAX_WORDS {
            return None;
        }
        parameters.push(parameter);
        rest = after;
    }
}

/// Only the check of [`method`], without splitting.
/// The type that a descriptor names, unless it is a class.
pub fn primitive(text: &str) -> Option<Type> {
    Some(match text {
        "Z" => Type::Bool,
        "B" => Type::Byte,
        "S" => Type::Short,
        "C" => Type::Char,
        "I" => Type::Int,
        "J" => Type::Long,
        "F" => Type::Float,
        "D" => Type::Double,
        "V" => Type::Void,
        _ => return None,
    })
}

pub fn is_method(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix('(') else { return false };
    let mut words = 0;
    while !rest.starts_with(')') {
        let Some(length) = field_length(rest) else { return false };
        words += if matches!(&rest[..length], "J" | "D") { 2 } else { 1 };
        rest = &rest[length..];
    }
    words <= MAX_WORDS && (rest == ")V" || is_field(&rest[1..]))
}

/// `java.util.Map.Entry` for `java/util/Map$Entry`. A dollar that cannot separate two names stays.
pub fn readable_class(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let separates = |i: usize| {
        let identifier = |c: Option<&char>| c.is_some_and(|c| *c != '/' && *c != '$');
        let starts = characters.get(i + 1).is_some_and(|c| c.is_alphabetic() || *c == '_');
        i > 0 && identifier(characters.get(i - 1)) && starts
    };
    let readable = |(i, c): (usize, &char)| match c {
        '/' => '.',
        '$' if separates(i) => '.',
        c => *c,
    };
    let text: String = characters.iter().enumerate().map(readable).collect();
    escape::line(&text).into_owned()
}

/// `int[]` for `[I`, `void` for `V`.
pub fn readable_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let mut text = match element {
        "B" => "byte".into(),
        "C" => "char".into(),
        "D" => "double".into(),
        "F" => "float".into(),
        "I" => "int".into(),
        "J" => "long".into(),
        "S" => "short".into(),
        "Z" => "boolean".into(),
        "V" => "void".into(),
        class => readable_class(class.strip_prefix('L').and_then(|c| c.strip_suffix(';')).unwrap_or(class)),
    };
    for _ in 0..descriptor.len() - element.len() {
        text.push_str("[]");
    }
    text
}

/// `com.acme.Order.total(int, java.lang.String)`; constructors are `com.acme.Order.new(int)`.
pub fn readable_method(class: &str, name: &str, descriptor: &str) -> String {
    let parameters = method(descriptor).map_or_else(Vec::new, |m| m.parameters);
    let parameters: Vec<String> = parameters.into_iter().map(readable_type).collect();
    let name = if name == "<init>" { "new" } else { name };
    format!("{}.{}({})", readable_class(class), escape::line(name), parameters.join(", "))
}
