//! A target in Java whose classes are looked for once, and whose methods are explored one by one, or several at a time.

use std::sync::Arc;

use lazuli_program::bytecode::ClassPath;
use lazuli_program::frontend::java::{self, EntryPoint, callable};
use lazuli_program::{LoadError, Program};

use crate::error::Error;
use crate::judge::{CALL, Jvm};
use crate::source::{Fingerprint, Source};

/// The classes of a program in Java.
pub struct Target {
    source: Source,
    classes: Arc<ClassPath>,
}

impl Target {
    /// Finds the classes; sources are compiled now.
    pub fn open(source: &Source) -> Result<Target, Error> {
        let classes = ClassPath::open(&source.path, &source.class_path)?;
        Ok(Target { source: source.clone(), classes: Arc::new(classes) })
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn classes(&self) -> &ClassPath {
        &self.classes
    }

    /// The methods that others may call: of all its classes, or of those that are named (`Class`, `Class.method`, `Class.method(int)`).
    pub fn methods(&self, wanted: &[String]) -> Result<Vec<EntryPoint>, Error> {
        Ok(callable::methods(&self.classes, wanted)?)
    }

    /// The program that begins with one of them. It has numbers of its own, so that what it comes to does not depend on the others.
    pub fn program(&self, entry: &EntryPoint) -> Result<Program, Error> {
        Ok(java::load_entry(&self.source.path, self.classes.clone(), entry, &self.source.java_options())?)
    }

    /// A fingerprint of everything that is read: the class path, the classes that sources were compiled to, the release of the JDK, and what
    /// is an input.
    pub fn fingerprint(&self) -> Result<String, Error> {
        let mut hash = Fingerprint::default();
        let unreadable =
            |error: std::io::Error| Error::Load(LoadError::new(format!("cannot read the classes: {error}")));
        hash.add(&serde_json::to_vec(&self.source).map_err(|error| unreadable(error.into()))?);
        self.source.add_java(&mut hash).map_err(unreadable)?;
        for name in self.classes.user_classes() {
            hash.add(name.as_bytes());
            hash.add(&self.classes.user_class(name)?.unwrap_or_default());
        }
        Ok(hash.show())
    }

    /// Starts the JVM of its JDK, which judges the runs of all its methods.
    pub fn jvm(&self) -> Jvm {
        Jvm::start(self.classes.clone(), CALL)
    }
}
