//! What may reach a terminal: everything that the command writes passes here, with what a terminal would obey escaped.

use std::io::{self, Write};

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

/// Escapes what is written through it. The escapes are those of JSON too.
pub struct Escaping<W> {
    out: W,
    /// The first bytes of a character whose others are still to come.
    begun: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    pub fn new(out: W) -> Escaping<W> {
        Escaping { out, begun: Vec::new() }
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
        self.out.write_all(escape::lines(&text).as_bytes())?;
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
            let mut out = Escaping::new(Vec::new());
            text.as_bytes().chunks(piece).for_each(|part| out.write_all(part).expect("a vector takes everything"));
            let shown = String::from_utf8(out.out).expect("text");
            assert_eq!(shown, "a\\u001b[2J\\u009b…\\u202e\n\té\\u007f");
        }
    }
}
