//! Reports: from a run, while it goes on, to text. They compute nothing.

pub mod json;
pub mod svg;
pub mod text;

use std::io::{ErrorKind, StdoutLock, Write};

use lazuli::{Event, Program, Run};

use crate::args::Format;
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
    Json(json::Writer),
    Lines,
}

impl<'p> Report<'p> {
    pub fn new(format: Format, program: &'p Program, show: u64) -> Report<'p> {
        let form = match format {
            Format::Text => Form::Text(text::Writer::new(show)),
            Format::Json => Form::Json(json::Writer::default()),
            Format::Jsonl => Form::Lines,
        };
        // Larger pieces than a terminal's lines: a trace may have many.
        let out = std::io::BufWriter::with_capacity(1 << 16, Escaping::new(std::io::stdout().lock()));
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
            (Event::Begins(subject), Form::Json(json)) => json.begin(out, subject)?,
            (Event::Begins(subject), Form::Lines) => json::begin_lines(out, subject)?,
            (Event::Configurations(shown), Form::Text(_)) => out.write_all(shown.as_bytes())?,
            (Event::Configurations(_), _) => {}
            (Event::Trace(trace), Form::Text(text)) => text.trace(out, program, &trace)?,
            (Event::Trace(trace), Form::Json(json)) => json.trace(out, program, &trace)?,
            (Event::Trace(trace), Form::Lines) => json::trace_line(out, program, &trace)?,
            // Whoever reads it sees what was found.
            (Event::Task { .. }, _) => out.flush()?,
        }
        Ok(())
    }

    /// Writes the end; with the exit code.
    pub fn end(mut self, run: &Run, verdict: &Verdict) -> Result<u8, String> {
        let written = match (self.broken.take(), &mut self.form) {
            (Some(error), _) => Err(error),
            (None, Form::Text(text)) => text.end(&mut self.out, run, verdict),
            (None, Form::Json(json)) => json.end(&mut self.out, run, verdict),
            (None, Form::Lines) => json::end_lines(&mut self.out, run, verdict),
        };
        match written.and_then(|()| self.out.flush()) {
            Ok(()) => Ok(verdict.code),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(terminal::BROKEN_PIPE),
            Err(error) => Err(format!("cannot write the answer: {error}")),
        }
    }
}
