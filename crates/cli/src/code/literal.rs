//! Values that Java writes in one word, in ASCII: a source must mean the same whatever its reader takes its encoding to be.

use lazuli::Concrete;
use lazuli_program::ir::Type;

/// A value that is no object, as an expression of its type.
pub fn scalar(value: Concrete, ty: Type) -> String {
    match (value, ty) {
        (Concrete::Bool(value), _) => value.to_string(),
        (Concrete::Int(value), Type::Bool) => (value != 0).to_string(),
        (Concrete::Int(value), Type::Char) => character(value as u16),
        (Concrete::Int(value), Type::Byte) => format!("(byte) {value}"),
        (Concrete::Int(value), Type::Short) => format!("(short) {value}"),
        (Concrete::Int(value), Type::Long) if value == i128::from(i64::MIN) => "Long.MIN_VALUE".into(),
        (Concrete::Int(value), Type::Long) => format!("{value}L"),
        (Concrete::Int(value), _) => match i32::try_from(value) {
            Ok(i32::MIN) => "Integer.MIN_VALUE".into(),
            Ok(i32::MAX) => "Integer.MAX_VALUE".into(),
            _ => value.to_string(),
        },
        (Concrete::Float(bits), _) => {
            let value = f32::from_bits(bits);
            fraction(value.into(), format!("{value:?}f"), "Float")
        }
        (Concrete::Double(bits), _) => {
            let value = f64::from_bits(bits);
            fraction(value, format!("{value:?}"), "Double")
        }
        (Concrete::Null | Concrete::Object(_), _) => "null".into(),
    }
}

fn fraction(value: f64, text: String, class: &str) -> String {
    match value {
        _ if value.is_nan() => format!("{class}.NaN"),
        f64::INFINITY => format!("{class}.POSITIVE_INFINITY"),
        f64::NEG_INFINITY => format!("{class}.NEGATIVE_INFINITY"),
        _ => text.replace('e', "E"),
    }
}

fn character(unit: u16) -> String {
    match unit {
        0x27 => "'\\''".into(),
        0x22 => "'\"'".into(),
        unit => format!("'{}'", escaped(unit)),
    }
}

/// A string.
pub fn text(units: &[u16]) -> String {
    format!("\"{}\"", units.iter().map(|unit| escaped(*unit)).collect::<String>())
}

/// A text as the units of a string.
pub fn characters(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn escaped(unit: u16) -> String {
    match unit {
        0x08 => "\\b".into(),
        0x09 => "\\t".into(),
        0x0a => "\\n".into(),
        0x0c => "\\f".into(),
        0x0d => "\\r".into(),
        0x22 => "\\\"".into(),
        0x5c => "\\\\".into(),
        0x20..=0x7e => char::from(unit as u8).to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_plain_and_of_their_types() {
        assert_eq!(scalar(Concrete::Int(-3), Type::Long), "-3L");
        assert_eq!(scalar(Concrete::Int(i128::from(i32::MIN)), Type::Int), "Integer.MIN_VALUE");
        assert_eq!(scalar(Concrete::Int(0x27), Type::Char), "'\\''");
        assert_eq!(scalar(Concrete::Int(0xe9), Type::Char), "'\\u00e9'");
        assert_eq!(scalar(Concrete::Double(1e300f64.to_bits()), Type::Double), "1E300");
        assert_eq!(scalar(Concrete::Float(f32::NAN.to_bits()), Type::Float), "Float.NaN");
        assert_eq!(text(&characters("a\"b\\\n\u{1f600}")), "\"a\\\"b\\\\\\n\\ud83d\\ude00\"");
    }
}
