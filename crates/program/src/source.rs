//! Source texts, places in them, and errors that point there.

use std::fmt;
use std::path::PathBuf;

/// A text that was read.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: PathBuf,
    pub text: String,
}

/// A position in one of the program's sources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Place {
    pub source: u32,
    pub offset: u32,
}

impl Place {
    /// Line and column, both from 1; columns count characters.
    pub fn line_column(self, sources: &[Source]) -> (usize, usize) {
        let text = &sources[self.source as usize].text;
        let before = &text[..(self.offset as usize).min(text.len())];
        // Bytes, because they are counted many at a time.
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        (line, before[start..].chars().count() + 1)
    }
}

/// Why a program could not be read. Shown with the line it is about and a caret below the place.
#[derive(Clone, Debug)]
pub struct LoadError {
    pub message: String,
    /// The text of the place, rendered when the error was made, so that it outlives the sources.
    place: Option<String>,
    pub help: Option<Help>,
}

/// What can be done about an error.
#[derive(Clone, Debug)]
pub enum Help {
    Text(String),
    /// The question lacks something: whoever asks knows how it is given.
    Give(Lacking),
}

/// What a question may lack.
#[derive(Clone, Debug)]
pub enum Lacking {
    /// Further directories and jars with classes.
    Classes,
    /// The method that is to be explored, such as this one.
    Entry(&'static str),
    /// That the static fields of a class are inputs.
    StaticsOf(String),
}

/// What the reader should know although the program can be run.
pub type Warning = LoadError;

impl LoadError {
    pub fn new(message: impl Into<String>) -> LoadError {
        LoadError { message: message.into(), place: None, help: None }
    }

    pub fn at(sources: &[Source], place: Place, message: impl Into<String>) -> LoadError {
        LoadError { message: message.into(), place: Some(excerpt(sources, place)), help: None }
    }

    pub fn help(mut self, help: impl Into<Help>) -> LoadError {
        self.help = Some(help.into());
        self
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Help {
        Help::Text(text.into())
    }
}

impl From<String> for Help {
    fn from(text: String) -> Help {
        Help::Text(text)
    }
}

impl From<Lacking> for Help {
    fn from(lacking: Lacking) -> Help {
        Help::Give(lacking)
    }
}

impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Help::Text(text) => f.write_str(text),
            Help::Give(Lacking::Classes) => f.write_str("directories and jars with further classes can be given"),
            Help::Give(Lacking::Entry(example)) => write!(f, "name the method that is to be explored: {example}"),
            Help::Give(Lacking::StaticsOf(class)) => write!(f, "the static fields of {class} can be made inputs"),
        }
    }
}

/// Lines longer than this are cut around the place.
const EXCERPT_WIDTH: usize = 100;

/// `file:line:column`, the line, and a caret.
fn excerpt(sources: &[Source], place: Place) -> String {
    let (line, column) = place.line_column(sources);
    let source = &sources[place.source as usize];
    let text: Vec<char> = source.text.lines().nth(line - 1).unwrap_or("").chars().collect();
    let first = (column - 1).saturating_sub(EXCERPT_WIDTH / 2);
    let last = text.len().min(first + EXCERPT_WIDTH);
    let shown: String = text[first.min(last)..last].iter().map(|c| if c.is_control() { ' ' } else { *c }).collect();
    let margin = line.to_string().len();
    let caret = column - 1 - first;
    format!(
        "{:margin$}--> {}:{line}:{column}\n{:margin$} |\n{line} | {shown}\n{:margin$} | {:caret$}^",
        "",
        source.path.display(),
        "",
        "",
        ""
    )
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n{place}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}
