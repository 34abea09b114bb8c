//! Front ends: from files to verified programs. Each is a function from a path to a [`Program`] or a [`LoadError`].

mod body;
mod hierarchy;
pub mod java;
mod javalite;
mod pose;

use std::path::Path;

use crate::files;
use crate::program::Program;
use crate::source::{LoadError, Source};

pub use hierarchy::suggest;
pub use pose::Notation;

enum Language {
    Pose,
    Javalite,
}

/// Parsers and type checkers recurse over the syntax tree; this is enough for the deepest tree they accept.
const STACK: usize = 512 << 20;

/// Reads a program; the file's ending says in which language.
pub fn load(path: &Path) -> Result<Program, LoadError> {
    load_in(path, None)
}

/// Likewise, where the notation of the tiny object language is given.
pub fn load_in(path: &Path, notation: Option<Notation>) -> Result<Program, LoadError> {
    let language = match path.extension().and_then(|e| e.to_str()) {
        Some("pose" | "txt") => Language::Pose,
        Some("jvl") => Language::Javalite,
        _ if !path.exists() => {
            return Err(LoadError::new(format!("cannot read {}: there is no such file", path.display())));
        }
        _ => {
            return Err(LoadError::new(format!("{}: which language is this?", path.display()))
                .help("the tiny object language ends in .pose (or .txt), Javalite in .jvl; Java is a .class, .jar or .java file, a directory, or jdk"));
        }
    };
    let program = std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().name("reader".into()).stack_size(STACK);
        let running = reader
            .spawn_scoped(scope, || match language {
                Language::Pose => pose::load(path, notation),
                Language::Javalite => javalite::load(path),
            })
            .expect("a thread for the reader");
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    program.verify().map_err(|fault| LoadError::new(format!("internal error: unverifiable program: {fault}")))?;
    Ok(program)
}

/// Reads a program in the tiny object language from a text, which cannot include files. `name` stands for the file's.
pub fn load_text(name: &str, text: String) -> Result<Program, LoadError> {
    load_text_in(name, text, None)
}

/// Likewise, where the notation is given.
pub fn load_text_in(name: &str, text: String, notation: Option<Notation>) -> Result<Program, LoadError> {
    let program = pose::load_text(name, text, notation)?;
    program.verify().map_err(|fault| LoadError::new(format!("internal error: unverifiable program: {fault}")))?;
    Ok(program)
}

/// Reads a text file as a source.
pub fn read(path: &Path) -> Result<Source, LoadError> {
    let unreadable = |why: String| LoadError::new(format!("cannot read {}: {why}", path.display()));
    let bytes = files::read(path, files::MAX_TEXT).map_err(|e| unreadable(files::why(&e)))?;
    let text = String::from_utf8(bytes)
        .map_err(|e| unreadable(format!("it is not text (byte {} is not UTF-8)", e.utf8_error().valid_up_to())))?;
    if let Some(at) = text.find('\0') {
        return Err(unreadable(format!("it is not text (byte {at} is zero)")));
    }
    // Some editors begin a file with a mark of its encoding.
    let text = text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text);
    Ok(Source { path: path.to_path_buf(), text })
}
