//! The tiny object language of the POSE paper (seed document 003, Figure 6), in the paper's own notation or in that of its
//! public prototype, with the prototype's limits lifted. `lexer` → `parser` → `ast` → `lower`.

mod ast;
mod lexer;
mod lower;
mod parser;
mod prototype;
mod types;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hierarchy::ClassDecl;
use crate::program::Program;
use crate::source::{LoadError, Place, Source};

/// The two notations of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notation {
    /// `class A extends B`, `o.m[x]`, `if c then a else b`.
    Prototype,
    /// `class A : B`, `o.m(x)`, `if c a b`.
    Figure6,
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notation::Prototype => "the prototype's notation",
            Notation::Figure6 => "the notation of Figure 6",
        })
    }
}

/// Reads a program with everything it includes; each file says itself in which notation it is, unless that is given.
pub fn load(path: &Path, notation: Option<Notation>) -> Result<Program, LoadError> {
    let (root, sources, open, done, classes) = (None, Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader { notation, root, sources, open, done, classes };
    let main = reader.read(path, None)?;
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    lower::lower(name, reader.sources, reader.classes, main)
}

/// Reads a program that is one text.
pub fn load_text(name: &str, text: String, notation: Option<Notation>) -> Result<Program, LoadError> {
    let sources = vec![Source { path: name.into(), text }];
    let tokens = lexer::tokenize(&sources, 0)?;
    let parsed = parser::parse(&sources, tokens, notation)?;
    if let Some(include) = parsed.includes.first() {
        return Err(LoadError::at(&sources, include.place, "a text that is no file cannot include one"));
    }
    lower::lower(name.into(), sources, parsed.classes, parsed.main)
}

/// A class and the bodies of its methods, in the order of declaration.
pub struct ParsedClass {
    pub declaration: ClassDecl,
    pub bodies: Vec<ast::Expr>,
}

struct Reader {
    notation: Option<Notation>,
    /// The directory of the program, links resolved: nothing outside of it is included.
    root: Option<PathBuf>,
    sources: Vec<Source>,
    /// Files whose includes are being read, outermost first.
    open: Vec<PathBuf>,
    done: Vec<PathBuf>,
    classes: Vec<ParsedClass>,
}

impl Reader {
    /// Reads one file; `from` is the include that names it. Gives its main expression.
    fn read(&mut self, path: &Path, from: Option<Place>) -> Result<Option<ast::Expr>, LoadError> {
        let located = |sources: &[Source], error: LoadError| match from {
            Some(place) => LoadError::at(sources, place, error.message),
            None => error,
        };
        let canonical = path.canonicalize().map_err(|e| {
            located(&self.sources, LoadError::new(format!("cannot read {}: {}", path.display(), crate::files::why(&e))))
        })?;
        let root = self.root.get_or_insert_with(|| canonical.parent().map_or_else(PathBuf::new, Path::to_path_buf));
        if !canonical.starts_with(&*root) {
            let message = format!("{} is outside of the program's directory {}", path.display(), root.display());
            return Err(located(&self.sources, LoadError::new(message)));
        }
        if self.open.contains(&canonical) {
            let error = LoadError::new(format!("{} includes itself", path.display()));
            return Err(located(&self.sources, error));
        }
        if self.done.contains(&canonical) {
            return Ok(None);
        }
        let source = super::read(path).map_err(|e| located(&self.sources, e))?;
        let index = self.sources.len() as u32;
        self.sources.push(source);
        self.open.push(canonical.clone());
        let tokens = lexer::tokenize(&self.sources, index)?;
        let parsed = parser::parse(&self.sources, tokens, self.notation)?;
        for include in &parsed.includes {
            let included = path.parent().unwrap_or(Path::new("")).join(&include.name);
            if let Some(main) = self.read(&included, Some(include.place))? {
                let message = "an included file has classes only, no main expression";
                return Err(LoadError::at(&self.sources, main.place, message));
            }
        }
        self.classes.extend(parsed.classes);
        self.open.pop();
        self.done.push(canonical);
        Ok(parsed.main)
    }
}
