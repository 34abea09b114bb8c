//! The tiny object language of the POSE paper (seed document 003, Figure 6), in the concrete syntax of its public
//! prototype, with that syntax's limits lifted. `lexer` → `parser` → `ast` → `lower`.

mod ast;
mod lexer;
mod lower;
mod parser;
mod types;

use std::path::{Path, PathBuf};

use super::hierarchy::ClassDecl;
use crate::program::Program;
use crate::source::{LoadError, Place, Source};

/// Reads a program with everything it includes.
pub fn load(path: &Path) -> Result<Program, LoadError> {
    let mut reader =
        Reader { root: None, sources: Vec::new(), open: Vec::new(), done: Vec::new(), classes: Vec::new() };
    let main = reader.read(path, None)?;
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    lower::lower(name, reader.sources, reader.classes, main)
}

/// Reads a program that is one text.
pub fn load_text(name: &str, text: String) -> Result<Program, LoadError> {
    let sources = vec![Source { path: name.into(), text }];
    let tokens = lexer::tokenize(&sources, 0)?;
    let parsed = parser::parse(&sources, 0, tokens)?;
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
        let parsed = parser::parse(&self.sources, index, tokens)?;
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
