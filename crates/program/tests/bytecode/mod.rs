//! Reading Java: the JDK's library, class files, jars, sources, entry points; and what is said about bad ones.

mod archives;
mod asked;
mod assemble;
mod bad;
mod disassembly;
mod entries;
mod fuzz;
mod library;
mod order;
mod programs;
mod safety;
mod verified;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use lazuli_program::LoadError;
use lazuli_program::bytecode::ClassPath;

/// A directory that is gone after the test.
pub(crate) struct Scratch(pub PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("lazuli-test-{}-{number}", std::process::id()));
        // A process of the same number that was killed has left it behind.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Scratch(path)
    }

    /// Writes a file, and the directories that it needs.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, contents).unwrap();
        path
    }

    /// Writes the user's classes of a class path as a tree of class files.
    pub fn write_classes(&self, classes: &ClassPath) {
        for name in classes.user_classes() {
            self.write(&format!("{name}.class"), classes.find(name).unwrap().unwrap().bytes());
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn open(program: impl AsRef<Path>) -> ClassPath {
    ClassPath::open(program.as_ref(), &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Compiles one source.
pub fn compile(name: &str, text: &str) -> ClassPath {
    let scratch = Scratch::new();
    open(scratch.write(name, text))
}

/// The message of what must fail.
pub fn refused<T>(result: Result<T, LoadError>) -> String {
    match result {
        Ok(_) => panic!("this should have been refused"),
        Err(e) => e.to_string(),
    }
}

#[track_caller]
pub fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is missing in:\n{message}");
    }
}
