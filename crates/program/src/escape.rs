//! Texts that others have written, as they may be shown: names, paths and strings of foreign files can hold characters that a terminal
//! obeys, or that make a line read as another. They are written as Java writes them, `\u001b`.

use std::borrow::Cow;

/// A text that becomes a part of a line.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_safe)
}

/// A text of several lines.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\n' | '\t') || is_safe(c))
}

fn escaped(text: &str, safe: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&safe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match safe(c) {
            true => shown.push(c),
            // All of them are in the basic plane.
            false => shown.push_str(&format!("\\u{:04x}", c as u32)),
        }
    }
    Cow::Owned(shown)
}

/// Not a control character, the end of a line or paragraph, or what turns the direction of a text around.
fn is_safe(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !(c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}'))
}
