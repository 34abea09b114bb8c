//! Annotations of methods and their parameters: of each its class, and the text of its `value`. They are read when somebody asks; what cannot
//! be read says nothing, because nothing is executed by it.

use super::pool::{Name, Pool};
use super::reader::{Reader, Result};

/// What an annotation stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    Method,
    /// The parameter of that number, as the class file counts them.
    Parameter(usize),
}

/// An annotation as somebody wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub on: On,
    /// The name of its class, without its package.
    pub simple_name: String,
    /// The texts of its element `value`: one, or those of an array.
    pub value: Vec<String>,
}

/// What an attribute with annotations is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Method,
    Parameters,
    Types,
}

impl Kind {
    /// The kind of an attribute, by its name.
    pub(super) fn of(attribute: &[u8]) -> Option<Kind> {
        match attribute {
            b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => Some(Kind::Method),
            b"RuntimeVisibleParameterAnnotations" | b"RuntimeInvisibleParameterAnnotations" => Some(Kind::Parameters),
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => Some(Kind::Types),
            _ => None,
        }
    }
}

/// The annotations of an attribute whose contents start at `at`. `parameters`: how many the method has.
pub(super) fn read(pool: &Pool, kind: Kind, at: usize, parameters: usize) -> Result<Vec<Annotation>> {
    let mut reader = Reader::from(pool.bytes(), at);
    let mut found = Vec::new();
    match kind {
        Kind::Method => {
            for _ in 0..reader.u2()? {
                found.push(annotation(pool, &mut reader, On::Method)?);
            }
        }
        Kind::Parameters => {
            let listed = reader.u1()? as usize;
            // Parameters that the compiler added come first, and may not be listed.
            let added = parameters.saturating_sub(listed);
            for number in 0..listed {
                for _ in 0..reader.u2()? {
                    found.push(annotation(pool, &mut reader, On::Parameter(number + added))?);
                }
            }
        }
        Kind::Types => {
            for _ in 0..reader.u2()? {
                let on = type_target(&mut reader)?;
                let annotation = annotation(pool, &mut reader, on.unwrap_or(On::Method))?;
                found.extend(on.map(|_| annotation));
            }
        }
    }
    Ok(found)
}

/// Which parameter an annotation of a type is about, if it is about a parameter as a whole.
fn type_target(reader: &mut Reader) -> Result<Option<On>> {
    let mut parameter = None;
    match reader.u1()? {
        0x00 | 0x01 => _ = reader.u1()?,
        0x10 | 0x17 => _ = reader.u2()?,
        0x11 | 0x12 => _ = reader.u2()?,
        0x13..=0x15 => {}
        0x16 => parameter = Some(On::Parameter(reader.u1()? as usize)),
        other => return reader.fault(format!("an annotation stands on {other}, which no method has")),
    }
    // A way into the type: through an array or a type argument it leads to a part of it.
    for _ in 0..reader.u1()? {
        if reader.u2()? >> 8 != 1 {
            parameter = None;
        }
    }
    Ok(parameter)
}

fn annotation(pool: &Pool, reader: &mut Reader, on: On) -> Result<Annotation> {
    let class: Name = pool.text(reader.u2()?)?;
    let simple = class.trim_end_matches(';').rsplit(['/', '$']).next().unwrap_or_default();
    let simple_name = if class.contains('/') { simple } else { simple.trim_start_matches('L') }.to_string();
    let mut value = Vec::new();
    for _ in 0..reader.u2()? {
        let is_value = pool.text_bytes(reader.u2()?)? == b"value";
        let mut texts = Vec::new();
        element(pool, reader, &mut texts, 0)?;
        if is_value {
            value = texts;
        }
    }
    Ok(Annotation { on, simple_name, value })
}

/// Annotations within annotations are followed to this depth.
const MAX_DEPTH: u32 = 32;

/// Reads the value of an element; its texts are kept.
fn element(pool: &Pool, reader: &mut Reader, texts: &mut Vec<String>, depth: u32) -> Result<()> {
    if depth > MAX_DEPTH {
        return reader.fault("annotations are nested too deeply");
    }
    match reader.u1()? {
        b's' => texts.push(pool.text(reader.u2()?)?.to_string()),
        b'e' => _ = reader.u4()?,
        b'@' => {
            reader.u2()?;
            for _ in 0..reader.u2()? {
                reader.u2()?;
                element(pool, reader, &mut Vec::new(), depth + 1)?;
            }
        }
        b'[' => {
            for _ in 0..reader.u2()? {
                element(pool, reader, texts, depth + 1)?;
            }
        }
        _ => _ = reader.u2()?,
    }
    Ok(())
}
