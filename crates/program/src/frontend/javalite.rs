//! Javalite (seed document 001, Figure 3; 004, Figure 1), in its S-expression syntax, with what its public Redex model
//! adds and our integers. `sexpr` → `parser` → `ast` → `lower`; the accepted grammar is at the top of `parser`.

mod ast;
mod lower;
mod parser;
mod sexpr;

use std::path::Path;

use crate::program::Program;
use crate::source::LoadError;

pub fn load(path: &Path) -> Result<Program, LoadError> {
    let sources = vec![super::read(path)?];
    let data = sexpr::read(&sources, 0)?;
    let parsed = parser::parse(&sources, &data)?;
    drop(data);
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    lower::lower(name, sources, parsed)
}
