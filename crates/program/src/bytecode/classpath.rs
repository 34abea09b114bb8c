//! Where classes come from: what the user gave, then the JDK's library. A class is read when it is first asked for.
//!
//! As on the JVM, a package of the JDK comes from the JDK only, and of two classes with the same name the first counts.
//! Every class that can be found has a number that does not depend on what was read before.

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::classfile::ClassFile;
use super::compile;
use super::descriptor::readable_class;
use super::jar::{Jar, MAX_CLASS, Opened};
use super::jdk::Jdk;
use super::pool::Name;
use super::walk::{self, FoundFile};
use crate::files;
use crate::source::{Lacking, LoadError};

/// The word that stands for the JDK's library alone.
pub const JDK: &str = "jdk";

type Result<T> = std::result::Result<T, LoadError>;

pub struct ClassPath {
    jdk: Jdk,
    jars: Vec<Jar>,
    /// The user's classes, sorted.
    names: Vec<String>,
    /// For each of them where it is.
    places: Vec<Place>,
    /// Those of them that the program itself consists of, sorted.
    program: Vec<String>,
    beside: Vec<String>,
    /// Where the user's classes are looked for, in order.
    roots: Vec<Root>,
    loaded: RwLock<FxHashMap<Name, Result<Option<Arc<ClassFile>>>>>,
}

/// What resources are found in.
enum Root {
    Directory(PathBuf),
    Jar(usize),
}

enum Place {
    File(PathBuf),
    /// Which jar, and which entry of it.
    Jar(usize, usize),
    /// Compiled by us: the bytes, and from what.
    Memory(Vec<u8>, String),
}

impl ClassPath {
    /// Opens a program: a class file, a directory of classes, of sources or of jars, a jar, a source, or the word `jdk`. `extra` are
    /// further directories, jars (`lib/*` for all in a directory) and sources.
    pub fn open(program: &Path, extra: &[PathBuf]) -> Result<ClassPath> {
        ClassPath::open_with(program, extra, Jdk::locate()?)
    }

    /// [`ClassPath::open`] with a certain JDK.
    pub fn open_with(program: &Path, extra: &[PathBuf], jdk: Jdk) -> Result<ClassPath> {
        let mut builder = Builder::new(jdk);
        let is_source = |path: &&PathBuf| has_extension(path, "java");
        let class_path = expand(extra.iter().filter(|path| !is_source(path)))?;
        let mut sources: Vec<PathBuf> = extra.iter().filter(is_source).cloned().collect();
        if program != Path::new(JDK) {
            builder.program(program, &mut sources)?;
        }
        if !sources.is_empty() {
            builder.sources(program, &sources, &class_path)?;
        }
        let own = builder.places.keys().cloned().collect();
        builder.libraries()?;
        for path in &class_path {
            builder.add(path)?;
        }
        builder.libraries()?;
        builder.finish(own)
    }

    /// The class of that internal name (`java/util/Map$Entry`). `None` if there is none, or if it names an array.
    pub fn find(&self, internal_name: &str) -> Result<Option<Arc<ClassFile>>> {
        if let Some(known) = self.loaded.read().expect("no reader of classes panics").get(internal_name) {
            return known.clone();
        }
        let class = self.read(internal_name);
        // Another thread may have read it in the meantime; then its class is the one that counts.
        let mut loaded = self.loaded.write().expect("no reader of classes panics");
        loaded.entry(internal_name.into()).or_insert(class).clone()
    }

    /// [`ClassPath::find`], where the class must be there.
    pub fn require(&self, internal_name: &str) -> Result<Arc<ClassFile>> {
        self.find(internal_name)?.ok_or_else(|| {
            LoadError::new(format!("there is no class {}", readable_class(internal_name))).help(Lacking::Classes)
        })
    }

    /// Whether there is a class of that name. It is not read.
    pub fn has(&self, internal_name: &str) -> bool {
        self.user_index(internal_name).is_some() || matches!(self.jdk.image.number(internal_name), Ok(Some(_)) | Err(_))
    }

    /// Whether a class is one of the user's.
    pub fn is_users(&self, internal_name: &str) -> bool {
        self.user_index(internal_name).is_some()
    }

    /// The class file of one of the user's classes, as it was given; `None` if it is not one of them.
    pub fn user_class(&self, internal_name: &str) -> Result<Option<Vec<u8>>> {
        self.user_index(internal_name).map(|index| self.user_bytes(index).map(|(bytes, _)| bytes)).transpose()
    }

    /// The contents of a file of the user's class path, by the name that a program has for it (`com/acme/messages.properties`).
    pub fn resource(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let is_plain = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
        for root in self.roots.iter().filter(|_| is_plain && !name.is_empty()) {
            let found = match root {
                Root::Jar(number) => self.jars[*number].resource(name)?,
                Root::Directory(directory) => {
                    let path = directory.join(name);
                    let is_file = path.is_file();
                    is_file.then(|| read_class_file(&path)).transpose()?
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The internal names of the user's classes, sorted.
    pub fn user_classes(&self) -> &[String] {
        &self.names
    }

    pub fn is_user_class(&self, internal_name: &str) -> bool {
        self.user_index(internal_name).is_some()
    }

    /// Those of the user's classes that are the program: the class of a class file or source that was named, all classes
    /// of a directory or jar, none for the JDK. What `--cp` adds is not among them.
    pub fn program_classes(&self) -> &[String] {
        &self.program
    }

    /// The program's classes and those they came with: all classes of the directory of a class file, all that a source was compiled
    /// to. What `--cp` adds is not among them.
    pub fn classes_beside(&self) -> &[String] {
        &self.beside
    }

    /// The number of a class that can be found: user classes from 0 in their order, then the JDK's by their place in its
    /// library.
    pub fn class_number(&self, internal_name: &str) -> Option<u32> {
        match self.user_index(internal_name) {
            Some(index) => Some(index as u32),
            None => Some(self.names.len() as u32 + self.jdk.image.number(internal_name).ok()??),
        }
    }

    /// The class of that number. Not every number below [`ClassPath::numbers`] has one.
    pub fn class_name(&self, number: u32) -> Option<String> {
        match self.names.get(number as usize) {
            Some(name) => Some(name.clone()),
            None => self.jdk.image.class_name(number - self.names.len() as u32),
        }
    }

    /// All numbers are below this one.
    pub fn numbers(&self) -> u32 {
        self.names.len() as u32 + self.jdk.image.numbers()
    }

    /// The JDK's classes, sorted; a walk through its whole library, which takes tens of milliseconds.
    pub fn jdk_classes(&self) -> Vec<String> {
        let mut names: Vec<String> =
            (0..self.jdk.image.numbers()).filter_map(|n| self.jdk.image.class_name(n)).collect();
        names.sort();
        names
    }

    /// The module of the JDK that has a package (`java/util`).
    pub fn module(&self, package: &str) -> Result<Option<String>> {
        self.jdk.image.module(package)
    }

    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    fn user_index(&self, internal_name: &str) -> Option<usize> {
        self.names.binary_search_by(|name| name.as_str().cmp(internal_name)).ok()
    }

    fn read(&self, internal_name: &str) -> Result<Option<Arc<ClassFile>>> {
        let (bytes, origin) = match self.user_index(internal_name) {
            Some(index) => self.user_bytes(index)?,
            None => match self.jdk.image.number(internal_name)? {
                Some(number) => {
                    (self.jdk.image.bytes(number)?, format!("{}, of the JDK", readable_class(internal_name)))
                }
                None => return Ok(None),
            },
        };
        let class = ClassFile::read(bytes, origin)?;
        if *class.name != *internal_name {
            let (found, expected) = (readable_class(&class.name), readable_class(internal_name));
            return Err(misplaced(class.origin(), &found, &expected));
        }
        Ok(Some(Arc::new(class)))
    }

    fn user_bytes(&self, index: usize) -> Result<(Vec<u8>, String)> {
        Ok(match &self.places[index] {
            Place::File(path) => (read_class_file(path)?, path.display().to_string()),
            Place::Jar(jar, entry) => {
                let jar = &self.jars[*jar];
                (jar.read(*entry)?, format!("{}!{}.class", jar.name, self.names[index]))
            }
            Place::Memory(bytes, source) => (bytes.clone(), source.clone()),
        })
    }
}

fn misplaced(origin: &str, found: &str, expected: &str) -> LoadError {
    LoadError::new(format!("{origin}: this is the class {found}, at the place of {expected}"))
        .help("a class's file is named like the class, in directories named like its package")
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
}

fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
    LoadError::new(format!("cannot read {}: {}", path.display(), files::why(error)))
}

fn read_class_file(path: &Path) -> Result<Vec<u8>> {
    files::read(path, MAX_CLASS).map_err(|e| unreadable(path, &e))
}

/// Entries of a class path, where `lib/*`, or a directory `lib` that has jars and no classes, stands for all jars of `lib`.
pub fn expand<'a>(entries: impl Iterator<Item = &'a PathBuf>) -> Result<Vec<PathBuf>> {
    let mut expanded = Vec::new();
    for entry in entries {
        if entry.file_name().is_some_and(|name| name == "*") {
            let directory = entry.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
            expanded.append(&mut jars(directory)?);
            continue;
        }
        let jars = if entry.is_dir() { jars(entry)? } else { Vec::new() };
        match jars.is_empty() || !walk::files(entry, "class")?.is_empty() {
            true => expanded.push(entry.clone()),
            false => expanded.extend(jars),
        }
    }
    Ok(expanded)
}

/// The jars that are directly in a directory, sorted.
fn jars(directory: &Path) -> Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(directory).map_err(|e| unreadable(directory, &e))?;
    let paths = files.map(|file| file.map(|f| f.path())).collect::<std::io::Result<Vec<_>>>();
    let mut jars = paths.map_err(|e| unreadable(directory, &e))?;
    jars.retain(|path| has_extension(path, "jar"));
    jars.sort();
    Ok(jars)
}

/// Is this the file of a class, and not of a module's or package's description?
pub(super) fn is_listed(name: &str) -> bool {
    let simple = name.rsplit('/').next().unwrap_or(name);
    !matches!(simple, "module-info" | "package-info") && super::descriptor::is_class_name(name)
}

/// Collects what the user gave.
struct Builder {
    jdk: Jdk,
    jars: Vec<Jar>,
    /// Libraries inside of archives that were not opened yet: which jar, and which entry of it.
    inner: Vec<(usize, usize)>,
    places: FxHashMap<String, Place>,
    /// The class that the program's file is about, if it is about one.
    named: Option<String>,
    roots: Vec<Root>,
}

impl Builder {
    fn new(jdk: Jdk) -> Builder {
        let places = FxHashMap::default();
        Builder { jdk, jars: Vec::new(), inner: Vec::new(), places, named: None, roots: Vec::new() }
    }

    /// The program itself. What must be compiled first is added to the sources.
    fn program(&mut self, program: &Path, sources: &mut Vec<PathBuf>) -> Result<()> {
        let metadata = std::fs::metadata(program).map_err(|e| unreadable(program, &e))?;
        if metadata.is_dir() {
            if self.directory(program)? > 0 {
                return Ok(());
            }
            let jars = jars(program)?;
            if !jars.is_empty() {
                return jars.iter().try_for_each(|jar| self.add(jar));
            }
            let found = walk::files(program, "java")?;
            if found.is_empty() {
                let program = program.display();
                return Err(LoadError::new(format!("there are no classes and no sources in {program}, and no jars")));
            }
            sources.splice(0..0, found.into_iter().map(|f| f.path));
            Ok(())
        } else if has_extension(program, "java") {
            sources.insert(0, program.to_path_buf());
            Ok(())
        } else if has_extension(program, "class") {
            self.class_file(program)
        } else {
            self.add(program)
        }
    }

    /// A directory or jar.
    fn add(&mut self, path: &Path) -> Result<()> {
        let metadata = std::fs::metadata(path).map_err(|e| unreadable(path, &e))?;
        if metadata.is_dir() {
            self.directory(path)?;
            return Ok(());
        }
        let mut magic = Vec::new();
        let (file, _) = files::open(path).map_err(|e| unreadable(path, &e))?;
        std::io::Read::read_to_end(&mut std::io::Read::take(file, 4), &mut magic).map_err(|e| unreadable(path, &e))?;
        if has_extension(path, "jar") || magic.starts_with(b"PK") {
            let opened = Jar::open(path, self.jdk.version())?;
            self.jar(opened);
            return Ok(());
        }
        Err(LoadError::new(format!("{}: this is neither a directory nor a jar", path.display()))
            .help("Java programs are directories, .jar, .class and .java files, or the word jdk"))
    }

    fn jar(&mut self, opened: Opened) {
        let number = self.jars.len();
        self.jars.push(opened.jar);
        self.roots.push(Root::Jar(number));
        self.inner.extend(opened.libraries.into_iter().map(|entry| (number, entry)));
        for (name, entry) in opened.classes {
            self.places.entry(name).or_insert(Place::Jar(number, entry));
        }
    }

    /// Adds the libraries inside of the archives so far. What is inside of those is theirs.
    fn libraries(&mut self) -> Result<()> {
        for (jar, entry) in std::mem::take(&mut self.inner) {
            let opened = self.jars[jar].library(entry, self.jdk.version())?;
            self.jar(Opened { libraries: Vec::new(), ..opened });
        }
        Ok(())
    }

    /// Returns how many classes it has.
    fn directory(&mut self, root: &Path) -> Result<usize> {
        let found = walk::files(root, "class")?;
        let count = found.len();
        self.roots.push(Root::Directory(root.to_path_buf()));
        self.files(found);
        Ok(count)
    }

    fn files(&mut self, files: Vec<FoundFile>) {
        for FoundFile { name, path } in files.into_iter().filter(|f| is_listed(&f.name)) {
            self.places.entry(name).or_insert(Place::File(path));
        }
    }

    /// One class file stands for the tree that it is in: the class says by its package where that starts. A class
    /// without package stands for those beside it, because there is no telling what else is below.
    fn class_file(&mut self, path: &Path) -> Result<()> {
        let class = ClassFile::read(read_class_file(path)?, path.display().to_string())?;
        let absolute = std::path::absolute(path).map_err(|e| unreadable(path, &e))?;
        let place = absolute.with_extension("");
        if !place.ends_with(Path::new(&*class.name)) {
            let found = readable_class(&class.name);
            let depth = class.name.split('/').count();
            let mut parts: Vec<_> = place.iter().rev().take(depth).map(|part| part.to_string_lossy()).collect();
            parts.reverse();
            return Err(misplaced(&path.display().to_string(), &found, &readable_class(&parts.join("/"))));
        }
        match class.name.matches('/').count() {
            0 => {
                let directory = absolute.parent().unwrap_or(&absolute);
                self.roots.push(Root::Directory(directory.to_path_buf()));
                let entries = std::fs::read_dir(directory).map_err(|e| unreadable(directory, &e))?;
                let classes = entries.filter_map(|entry| {
                    let path = entry.ok()?.path();
                    let name = path.file_name()?.to_str()?.strip_suffix(".class")?.to_string();
                    Some(FoundFile { name, path })
                });
                self.files(classes.collect());
            }
            depth => {
                let root = absolute.ancestors().nth(depth + 1).unwrap_or(&absolute).to_path_buf();
                self.directory(&root)?;
            }
        }
        self.places.insert(class.name.to_string(), Place::File(path.to_path_buf()));
        self.named = Some(class.name.to_string());
        Ok(())
    }

    fn sources(&mut self, program: &Path, sources: &[PathBuf], class_path: &[PathBuf]) -> Result<()> {
        // Classes of the program itself are what its further sources are compiled against.
        let mut visible = class_path.to_vec();
        if program != Path::new(JDK) && !has_extension(program, "java") && !has_extension(program, "class") {
            visible.insert(0, program.to_path_buf());
        }
        let compiled = compile::compile(sources, &visible, &self.jdk)?;
        if has_extension(program, "java") {
            let stem = program.file_stem().unwrap_or_default().to_string_lossy();
            let text = files::read(program, files::MAX_TEXT).map_err(|e| unreadable(program, &e))?;
            let package = compile::package(&String::from_utf8_lossy(&text)).replace('.', "/");
            let name = if package.is_empty() { stem.into_owned() } else { format!("{package}/{stem}") };
            if compiled.iter().any(|class| class.name == name) {
                self.named = Some(name);
            }
        }
        let origin = match sources {
            [source] => source.display().to_string(),
            _ => "the compiled sources".into(),
        };
        for class in compiled.into_iter().filter(|class| is_listed(&class.name)) {
            let place = Place::Memory(class.bytes, format!("{} of {origin}", readable_class(&class.name)));
            self.places.entry(class.name).or_insert(place);
        }
        Ok(())
    }

    /// `own` are the classes of the program, without those of the class path.
    fn finish(self, own: FxHashSet<String>) -> Result<ClassPath> {
        let Builder { jdk, jars, places, named, roots, inner: _ } = self;
        let mut classes: Vec<(String, Place)> = places.into_iter().collect();
        classes.sort_by(|a, b| a.0.cmp(&b.0));
        let (mut names, mut places) = (Vec::new(), Vec::new());
        for (name, place) in classes {
            let package = name.rsplit_once('/').map(|(package, _)| package);
            match package.map(|p| jdk.image.module(p)).transpose()?.flatten() {
                None => {
                    names.push(name);
                    places.push(place);
                }
                Some(module) if named.as_ref() == Some(&name) => return Err(shadowed(&name, &module)),
                Some(_) => {}
            }
        }
        let beside: Vec<String> = names.iter().filter(|name| own.contains(*name)).cloned().collect();
        let program = named.map_or_else(|| beside.clone(), |name| vec![name]);
        Ok(ClassPath { jdk, jars, names, places, program, beside, roots, loaded: RwLock::default() })
    }
}

fn shadowed(class: &str, module: &str) -> LoadError {
    let class = readable_class(class);
    LoadError::new(format!(
        "the JVM would not load {class} from here: its package is that of the JDK's module {module}"
    ))
    .help(format!("analyse the JDK's own class by the program \"{JDK}\", or move the class to another package"))
}
