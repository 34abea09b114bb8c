//! Text to tokens. Comments are `// …` to the end of the line and `/* … */`.

use lazuli_program::source::{LoadError, Place, Source};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// Keywords too: which they are is the parser's business.
    Word(String),
    /// At most 2^63, which only a minus in front makes a literal.
    Int(u64),
    Sign(&'static str),
    End,
}

pub const TOO_LARGE: &str = "is too large for a 64-bit literal";

/// Longer signs first.
const SIGNS: [&str; 34] = [
    ">>>", "&&", "||", "<=", ">=", "==", "!=", "=>", "+=", "-=", "..", "(", ")", "[", "]", "{", "}", ",", ";", ".",
    ":", "+", "-", "<", ">", "=", "!", "|", "*", "?", "^", "~", "&", "%",
];

pub fn tokenize(sources: &[Source]) -> Result<Vec<(Token, Place)>, LoadError> {
    let text = &sources[0].text;
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let place = Place { source: 0, offset: at as u32 };
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => at += end + 2,
                None => return Err(LoadError::at(sources, place, "this comment is not closed")),
            }
        } else if c.is_alphabetic() || c == '_' || c == '$' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
            tokens.push((Token::Word(rest[..end].to_string()), place));
            at += end;
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let number = rest[..end].parse().ok().filter(|number| *number <= 1 << 63).ok_or_else(|| {
                let digits = rest[..end].chars().all(|c| c.is_ascii_digit());
                let what = if digits { TOO_LARGE } else { "is not a number" };
                LoadError::at(sources, place, format!("{} {what}", &rest[..end]))
            })?;
            tokens.push((Token::Int(number), place));
            at += end;
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            tokens.push((Token::Sign(sign), place));
            at += sign.len();
        } else {
            return Err(LoadError::at(sources, place, format!("unexpected character {c:?}")));
        }
    }
    tokens.push((Token::End, Place { source: 0, offset: text.len() as u32 }));
    Ok(tokens)
}
