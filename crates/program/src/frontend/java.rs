//! Java programs: from a command line's words to a [`Program`] whose classes are loaded when they are needed.

pub mod callable;
pub mod entry;
pub mod keys;
mod lower;
pub mod operators;
pub mod phrase;
pub mod record;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bytecode::ClassPath;
use crate::ir::{Instr, Semantics};
use crate::library::{Library, Provided, World};
use crate::program::Program;
use crate::source::LoadError;

pub use crate::bytecode::exit_after_compilations;
pub use entry::EntryPoint;
pub use lower::Synthetic;

/// What a Java program is read with.
#[derive(Clone, Debug)]
pub struct JavaOptions {
    /// Further directories, jars and sources.
    pub class_path: Vec<PathBuf>,
    /// The method to execute, as the user writes it.
    pub entry: Option<String>,
    pub world: World,
    /// The methods that the engine itself provides.
    pub provided: Provided,
}

/// Whether a path is for this front end: a class file, a jar, a source, a directory, or the word `jdk`.
pub fn is_java(path: &Path) -> bool {
    path == Path::new("jdk")
        || path.is_dir()
        || matches!(path.extension().and_then(|e| e.to_str()), Some("class" | "jar" | "java"))
}

pub fn load(path: &Path, options: &JavaOptions) -> Result<Program, LoadError> {
    let class_path = ClassPath::open(path, &options.class_path)?;
    let found = entry::resolve(&class_path, options.entry.as_deref())?;
    load_entry(path, Arc::new(class_path), &found, options)
}

/// Reads a program whose classes are known where to be found, and whose entry is known.
pub fn load_entry(
    path: &Path,
    class_path: Arc<ClassPath>,
    found: &EntryPoint,
    options: &JavaOptions,
) -> Result<Program, LoadError> {
    let library = Library::new(class_path, options.world.clone(), options.provided, lower::BODIES);
    check_world(&library)?;
    let method = found.method();
    let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
    let class = library.class_id(&found.class.name);
    let Some(main) = library.declared_method(class, &name, &descriptor) else {
        let why = library.java(class).missing.clone().unwrap_or_else(|| "it cannot be linked".into());
        return Err(LoadError::new(format!("{}: {why}", found.readable())));
    };
    if let [Instr::Unsupported { what }] = &library.body(main).code[..] {
        return Err(LoadError::new(format!("cannot execute {what}")));
    }
    let receiver = library.class_id(&found.receiver.name);
    Ok(Program { main: Some(main), receiver: Some(receiver), ..of_classes(path, library) })
}

/// Likewise, where nothing is executed: without an entry, if none is named.
pub fn load_classes(path: &Path, options: &JavaOptions) -> Result<Program, LoadError> {
    if options.entry.is_some() {
        return load(path, options);
    }
    let class_path = Arc::new(ClassPath::open(path, &options.class_path)?);
    let library = Library::new(class_path, options.world.clone(), options.provided, lower::BODIES);
    check_world(&library)?;
    Ok(of_classes(path, library))
}

fn of_classes(path: &Path, library: Library) -> Program {
    Program {
        name: path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned()),
        classes: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        selectors: Vec::new(),
        inputs: Vec::new(),
        main: None,
        receiver: None,
        sources: Vec::new(),
        warnings: Vec::new(),
        semantics: Semantics::JAVA,
        library: Some(Box::new(library)),
    }
}

/// The classes that the user names for inputs exist and can have objects.
fn check_world(library: &Library) -> Result<(), LoadError> {
    for (of, classes) in &library.world.types {
        for class in classes {
            let java = library.java(library.class_id(&class.replace('.', "/")));
            if let Some(why) = &java.missing {
                return Err(LoadError::new(format!("{class} cannot stand for {of}: {why}")));
            }
            if !java.is_instantiable() {
                return Err(LoadError::new(format!(
                    "{class} cannot stand for {of}: there are no objects of exactly this class"
                )));
            }
        }
    }
    Ok(())
}
