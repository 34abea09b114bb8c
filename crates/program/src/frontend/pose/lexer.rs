//! Text to tokens. Comments are `// …` to the end of the line and `/* … */`.

use crate::source::{LoadError, Place, Source};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// Keywords too: which they are is the parser's business.
    Word(String),
    Int(i64),
    Sign(&'static str),
    /// The rest of an `include` line.
    Include(String),
    End,
}

/// Longer signs first.
const SIGNS: [&str; 26] = [
    ":=", "&&", "||", "<=", ">=", "!=", "(", ")", "[", "]", "{", "}", ",", ";", ".", ":", "+", "-", "<", ">", "=", "~",
    "!", "&", "|", "@",
];

pub fn tokenize(sources: &[Source], source: u32) -> Result<Vec<(Token, Place)>, LoadError> {
    let text = &sources[source as usize].text;
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let place = Place { source, offset: at as u32 };
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
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            at += end;
            if &rest[..end] == "include" {
                let line = rest[end..].lines().next().unwrap_or("");
                tokens.push((Token::Include(line.trim().to_string()), place));
                at += line.len();
            } else {
                tokens.push((Token::Word(rest[..end].to_string()), place));
            }
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let number = rest[..end].parse().map_err(|_| {
                let digits = rest[..end].chars().all(|c| c.is_ascii_digit());
                let what = if digits { "is too large for a 64-bit literal" } else { "is not a number" };
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
    tokens.push((Token::End, Place { source, offset: text.len() as u32 }));
    Ok(tokens)
}
