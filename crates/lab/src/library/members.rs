//! The public members of the classes that are looked at, and which of them make objects of a type.

use std::collections::BTreeMap;
use std::sync::Arc;

use lazuli_program::bytecode::classfile::{ClassFile, Method};
use lazuli_program::bytecode::{ClassPath, descriptor};

use super::excluded;

/// The packages of the JDK; those below them are others.
const PACKAGES: [&str; 14] = [
    "java/lang",
    "java/math",
    "java/nio/charset",
    "java/text",
    "java/time",
    "java/time/chrono",
    "java/time/format",
    "java/time/temporal",
    "java/time/zone",
    "java/util",
    "java/util/concurrent/atomic",
    "java/util/function",
    "java/util/regex",
    "java/util/stream",
];

/// A method that can be called.
#[derive(Clone)]
pub struct Member {
    pub class: String,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
}

/// What gives an object of a type.
#[derive(Clone)]
pub enum Maker {
    /// With the descriptor.
    Constructor(String),
    Factory(Member),
    Constant(String),
}

/// Public classes that a program can name.
pub struct Members {
    classes: BTreeMap<String, Arc<ClassFile>>,
    /// Whose methods are called; the others only make arguments.
    called: Vec<String>,
}

impl Members {
    /// Those of the JDK; with a jar among the program's classes, those of the jar are called, and the JDK's make arguments.
    pub fn of(path: &ClassPath) -> Result<Members, String> {
        let in_package = |name: &String| name.rsplit_once('/').is_some_and(|(package, _)| PACKAGES.contains(&package));
        let jdk: Vec<String> = path.jdk_classes().into_iter().filter(in_package).collect();
        let own = path.program_classes();
        let mut classes = BTreeMap::new();
        for name in jdk.iter().chain(own) {
            let file = path.find(name).map_err(|e| e.to_string())?;
            if let Some(file) = file.filter(|file| is_public(path, file)) {
                classes.insert(name.clone(), file);
            }
        }
        let candidates = if own.is_empty() { &jdk[..] } else { own };
        let called = candidates.iter().filter(|name| classes.contains_key(*name)).cloned().collect();
        Ok(Members { classes, called })
    }

    pub fn class(&self, name: &str) -> Option<&ClassFile> {
        self.classes.get(name).map(|file| &**file)
    }

    /// The methods that may be called.
    pub fn methods(&self) -> Vec<Member> {
        let files = self.called.iter().map(|name| &self.classes[name]);
        files.flat_map(|file| public(file).filter(|m| !m.is_initialiser()).map(|m| member(file, m))).collect()
    }

    /// Those of them that have code.
    pub fn with_code(&self) -> Vec<Member> {
        let files = self.called.iter().map(|name| &self.classes[name]);
        let has_code = |m: &&Method| !m.is_initialiser() && m.has_code();
        files.flat_map(|file| public(file).filter(has_code).map(|m| member(file, m))).collect()
    }

    /// What makes objects of exactly this class, or is declared to by its own static methods and constants.
    pub fn makers(&self, class: &str) -> Vec<Maker> {
        let Some(file) = self.class(class) else { return Vec::new() };
        let own = format!("L{class};");
        let mut makers: Vec<Maker> = Vec::new();
        if !file.access.is_abstract() && !file.access.is_interface() {
            let constructors = public(file).filter(|m| &*m.name == "<init>");
            makers.extend(constructors.map(|m| Maker::Constructor(m.descriptor.to_string())));
        }
        let gives_it =
            |m: &&Method| m.access.is_static() && descriptor::method(&m.descriptor).is_some_and(|m| m.result == own);
        makers.extend(public(file).filter(gives_it).map(|m| Maker::Factory(member(file, m))));
        let constants =
            file.fields.iter().filter(|f| f.access.is_public() && f.access.is_static() && *f.descriptor == *own);
        makers.extend(constants.map(|f| Maker::Constant(f.name.to_string())));
        makers
    }

    /// The classes below a type, by name.
    pub fn below(&self, class: &str) -> Vec<String> {
        let names = self.classes.keys().filter(|name| *name != class && self.is_below(name, class));
        names.cloned().collect()
    }

    fn is_below(&self, class: &str, above: &str) -> bool {
        let Some(file) = self.class(class) else { return false };
        let supertypes = file.superclass.iter().chain(&file.interfaces);
        supertypes.into_iter().any(|name| **name == *above || self.is_below(name, above))
    }
}

/// The public members of a class that javac lets a program call, without those that are excluded.
fn public(file: &ClassFile) -> impl Iterator<Item = &Method> {
    let callable = |m: &&Method| m.access.is_public() && !m.access.is_synthetic() && &*m.name != "<clinit>";
    file.methods.iter().filter(callable).filter(|m| excluded::why(&file.name, &m.name, &m.descriptor).is_none())
}

fn member(file: &ClassFile, method: &Method) -> Member {
    Member {
        class: file.name.to_string(),
        name: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
        is_static: method.access.is_static(),
    }
}

/// A class that other packages can name and whose objects need no other object around them.
fn is_public(path: &ClassPath, file: &ClassFile) -> bool {
    let own = file.inner_classes.iter().find(|inner| inner.inner == file.name);
    match own {
        None => file.access.is_public() && !file.name.contains('-'),
        Some(inner) => {
            let outer = inner.outer.as_ref().and_then(|outer| path.find(outer).ok().flatten());
            let free = inner.access.is_static() || inner.access.is_interface();
            free && inner.access.is_public() && outer.is_some_and(|outer| is_public(path, &outer))
        }
    }
}
