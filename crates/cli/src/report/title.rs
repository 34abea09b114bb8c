//! The line above a text: the program, its entry and the heap model. It is written before the first thing that stands below it.

use std::io::Write;

use lazuli::Subject;
use lazuli_program::escape;

use crate::style::Style;

#[derive(Default)]
pub struct Title(Option<String>);

impl Title {
    pub fn begin(&mut self, subject: &Subject) {
        let (program, entry) = (escape::line(&subject.program), escape::line(&subject.entry));
        self.0 = Some(format!("{program} · {entry} · {}", subject.heap));
    }

    /// Writes it, unless that was done.
    pub fn write(&mut self, out: &mut impl Write, style: Style) -> std::io::Result<()> {
        self.0.take().map_or(Ok(()), |title| writeln!(out, "{}", style.bold(&title)))
    }
}
