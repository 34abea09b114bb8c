//! Reports: from a run, while it goes on, to text. They compute nothing.

pub mod behaviours;
mod collections;
pub mod coverage;
pub mod data;
pub mod jacoco;
pub mod json;
pub mod sources;
pub mod svg;
pub mod text;
pub mod title;
pub mod values;

use std::io::{ErrorKind, StdoutLock, Write};

use lazuli::coverage::Coverage;
use lazuli::{Event, Program, Run, Source};

use crate::args::Format;
use crate::style::Style;
use crate::terminal::{self, Escaping};
use crate::verdict::Verdict;

/// A report that is written while the run goes on. Nothing of it is kept.
pub struct Report<'p> {
    program: &'p Program,
    out: std::io::BufWriter<Escaping<StdoutLock<'static>>>,
    form: Form,
    /// Why nothing more can be written.
    broken: Option<std::io::Error>,
}

enum Form {
    Text(text::Writer),
    Behaviours(Box<behaviours::Writer>),
    Json(json::Writer),
    /// Whether traces have their formulas.
    Lines(bool),
}

impl<'p> Report<'p> {
    pub fn new(format: Format, program: &'p Program, source: &Source, style: Style) -> Report<'p> {
        // In the tiny languages the formulas are in the words of the source.
        let formulas = style.verbose || !program.semantics.tells_branches();
        let form = match format {
            Format::Text if program.semantics.tells_branches() => {
                Form::Behaviours(Box::new(behaviours::Writer::new(program, source, style)))
            }
            Format::Text => Form::Text(text::Writer::new(style)),
            Format::Json => Form::Json(json::Writer::new(formulas)),
            Format::Jsonl => Form::Lines(formulas),
        };
        // Larger pieces than a terminal's lines: a trace may have many.
        let out = std::io::BufWriter::with_capacity(1 << 16, Escaping::new(std::io::stdout().lock(), style.colour));
        Report { program, out, form, broken: None }
    }

    /// Writes what is told. False if nobody can read it any more.
    pub fn tell(&mut self, event: Event) -> bool {
        if self.broken.is_none()
            && let Err(error) = self.write(event)
        {
            self.broken = Some(error);
        }
        self.broken.is_none()
    }

    fn write(&mut self, event: Event) -> std::io::Result<()> {
        let (program, out) = (self.program, &mut self.out);
        match (event, &mut self.form) {
            (Event::Begins(subject), Form::Text(text)) => text.begin(subject),
            (Event::Begins(subject), Form::Behaviours(text)) => text.begin(subject),
            (Event::Begins(subject), Form::Json(json)) => json.begin(out, subject)?,
            (Event::Begins(subject), Form::Lines(_)) => json::begin_lines(out, subject)?,
            (Event::Configurations(shown), Form::Text(_) | Form::Behaviours(_)) => out.write_all(shown.as_bytes())?,
            (Event::Configurations(_), _) => {}
            (Event::Trace(trace), Form::Text(text)) => text.trace(out, program, &trace)?,
            (Event::Trace(trace), Form::Behaviours(text)) => text.trace(out, program, trace)?,
            (Event::Trace(trace), Form::Json(json)) => json.trace(out, program, &trace)?,
            (Event::Trace(trace), Form::Lines(formulas)) => json::trace_line(out, program, &trace, *formulas)?,
            // Whoever reads it sees what was found.
            (Event::Task { .. }, _) => out.flush()?,
        }
        Ok(())
    }

    /// Writes the end; with the exit code.
    pub fn end(mut self, run: &Run, verdict: &Verdict, coverage: Option<&Coverage>) -> Result<u8, String> {
        let written = match (self.broken.take(), &mut self.form) {
            (Some(error), _) => Err(error),
            (None, Form::Text(text)) => text.end(&mut self.out, run, verdict),
            (None, Form::Behaviours(text)) => text.end(&mut self.out, self.program, run, verdict),
            (None, Form::Json(json)) => json.end(&mut self.out, run, verdict, coverage),
            (None, Form::Lines(_)) => json::end_lines(&mut self.out, run, verdict, coverage),
        };
        let written = written.and_then(|()| match (&self.form, coverage) {
            (Form::Text(_) | Form::Behaviours(_), Some(counted)) => {
                self.out.write_all(coverage::text(counted).as_bytes())
            }
            _ => Ok(()),
        });
        match written.and_then(|()| self.out.flush()) {
            Ok(()) => Ok(verdict.code),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(terminal::BROKEN_PIPE),
            Err(error) => Err(format!("cannot write the answer: {error}")),
        }
    }
}
