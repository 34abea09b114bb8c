//! What may reach a terminal: everything that the command writes passes here, with what a terminal would obey escaped.

use std::io::{self, IsTerminal, Write};

use lazuli_program::escape;

/// The exit code where nobody reads the answer any more (`lazuli … | head`): what a shell says of a program that the signal of a broken
/// pipe has ended. Whoever did not read the answer does not know how the run ended.
pub const BROKEN_PIPE: u8 = 141;

/// Writes a text to the standard output.
pub fn print(text: &str) {
    print!("{}", escape::lines(text));
}

/// Writes a message to the standard error.
pub fn complain(message: &str) {
    eprintln!("{}", escape::lines(message));
}

/// Says on a terminal how far something is, in a line that goes away when it is done.
pub fn tally(done: usize, all: usize, what: &str) {
    if !io::stderr().is_terminal() {
        return;
    }
    match done == all {
        true => eprint!("\r\u{1b}[K"),
        false => eprint!("\r{done} of {all} {what}"),
    }
}

/// Whether the answer is painted: on a terminal, unless somebody does not want it (<https://no-color.org>).
pub fn is_painted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stdout().is_terminal() && !refused && !is_dumb
}

/// How wide the answer may be: as wide as the terminal, or as a page where it is none.
pub fn width() -> usize {
    const PAGE: usize = 110;
    let terminal = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    terminal.unwrap_or(PAGE).clamp(40, 200)
}

/// How a piece of text is marked on a terminal.
#[derive(Clone, Copy)]
pub enum Paint {
    Bold,
    Dim,
    Red,
    Green,
    Yellow,
}

const END: &str = "\u{1b}[0m";
const PAINTS: [&str; 6] = ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[31;1m", "\u{1b}[32m", "\u{1b}[33m", END];

impl Paint {
    pub fn on(self, text: &str) -> String {
        // A foreign text ends no mark and begins none.
        format!("{}{}{END}", PAINTS[self as usize], escape::lines(text))
    }
}

/// Escapes what is written through it, but for our own marks where there are any. The escapes are those of JSON too.
pub struct Escaping<W> {
    out: W,
    painted: bool,
    /// The first bytes of a character whose others are still to come.
    begun: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    pub fn new(out: W, painted: bool) -> Escaping<W> {
        Escaping { out, painted, begun: Vec::new() }
    }
}

impl<W: Write> Escaping<W> {
    /// Marks go through as they are.
    fn write_painted(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find('\u{1b}') {
            self.out.write_all(escape::lines(&rest[..at]).as_bytes())?;
            rest = &rest[at..];
            let length = PAINTS.iter().find(|paint| rest.starts_with(**paint)).map_or(0, |paint| paint.len());
            match length {
                0 => {
                    self.out.write_all(escape::lines(&rest[..1]).as_bytes())?;
                    rest = &rest[1..];
                }
                length => {
                    self.out.write_all(&rest.as_bytes()[..length])?;
                    rest = &rest[length..];
                }
            }
        }
        self.out.write_all(escape::lines(rest).as_bytes())
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        };
        let rest = self.begun.split_off(whole);
        let text = String::from_utf8(std::mem::replace(&mut self.begun, rest)).expect("just looked at");
        match self.painted {
            true => self.write_painted(&text)?,
            false => self.out.write_all(escape::lines(&text).as_bytes())?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_may_come_in_pieces() {
        let text = "a\u{1b}[2J\u{9b}…\u{202e}\n\té\u{7f}";
        for piece in 1..5 {
            let mut out = Escaping::new(Vec::new(), false);
            text.as_bytes().chunks(piece).for_each(|part| out.write_all(part).expect("a vector takes everything"));
            let shown = String::from_utf8(out.out).expect("text");
            assert_eq!(shown, "a\\u001b[2J\\u009b…\\u202e\n\té\\u007f");
        }
    }

    #[test]
    fn only_our_own_marks_reach_a_terminal() {
        let mut out = Escaping::new(Vec::new(), true);
        let text = format!("{} \u{1b}[2J \u{1b}[8m", Paint::Red.on("a\u{1b}[0mb"));
        out.write_all(text.as_bytes()).expect("a vector takes everything");
        let shown = String::from_utf8(out.out).expect("text");
        assert_eq!(shown, "\u{1b}[31;1ma\\u001b[0mb\u{1b}[0m \\u001b[2J \\u001b[8m");
    }
}
