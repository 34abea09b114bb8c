//! Java sources: compiled by the JDK's `javac` into a directory that is gone when the classes have been read.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{PoisonError, RwLock};

use super::jar::MAX_CLASS;
use super::jdk::Jdk;
use super::scratch::Scratch;
use super::walk::{self, FoundFile};
use crate::files;
use crate::source::LoadError;

/// The interfaces for test drivers, which sources may use without bringing them along.
const INTERFACES: [(&str, &str); 3] = [
    ("jbse/meta/Analysis.java", include_str!("../../java/jbse/meta/Analysis.java")),
    ("lazuli/Lazuli.java", include_str!("../../java/lazuli/Lazuli.java")),
    ("org/sosy_lab/sv_benchmarks/Verifier.java", include_str!("../../java/org/sosy_lab/sv_benchmarks/Verifier.java")),
];

type Result<T> = std::result::Result<T, LoadError>;

/// A class that was compiled.
pub struct Compiled {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Read by every compilation.
static UNDER_WAY: RwLock<()> = RwLock::new(());

/// Ends the process when no compiler is at work: one that went on would leave its directory behind.
pub fn exit_after_compilations(code: i32) -> ! {
    let _none = UNDER_WAY.write().unwrap_or_else(PoisonError::into_inner);
    std::process::exit(code)
}

/// Compiles sources, and those that they mention: beside them, in the class path, and the interfaces for test drivers.
pub fn compile(sources: &[PathBuf], class_path: &[PathBuf], jdk: &Jdk) -> Result<Vec<Compiled>> {
    let javac = jdk.javac()?;
    for source in sources {
        // javac's own message would be in its own words, and a pipe would keep it waiting.
        files::read(source, files::MAX_TEXT).map_err(|e| unusable(source, &e))?;
    }
    for path in class_path.iter().filter(|path| path.exists() && !path.is_dir()) {
        files::open(path).map_err(|e| unusable(path, &e))?;
    }
    let _under_way = UNDER_WAY.read().unwrap_or_else(PoisonError::into_inner);
    let scratch = Scratch::new()?;
    let [classes, interfaces, nothing] = ["classes", "sources", "nothing"].map(|name| scratch.path().join(name));
    for directory in [&classes, &nothing] {
        std::fs::create_dir(directory).map_err(|e| unusable(directory, &e))?;
    }
    for (name, text) in INTERFACES {
        let path = interfaces.join(name);
        let parent = path.parent().unwrap_or(&interfaces);
        std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text)).map_err(|e| unusable(&path, &e))?;
    }
    let mut roots: Vec<PathBuf> = sources.iter().map(|source| root(source)).collect();
    roots.push(interfaces);
    roots.dedup();
    // An empty class path would mean the environment's CLASSPATH.
    let class_path = if class_path.is_empty() { std::slice::from_ref(&classes) } else { class_path };
    let mut command = Command::new(&javac);
    // The compiler lives too briefly for its JVM to optimise it.
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto"]);
    command.args(["-g", "-parameters", "-nowarn", "-encoding", "UTF-8", "-implicit:class"]);
    // Nothing that comes with the program is executed: neither annotation processors nor plug-ins of the compiler, which start by
    // themselves if the class path has them, unless there is another path for them.
    command.arg("-proc:none").arg("-processorpath").arg(&nothing);
    for variable in ["JDK_JAVAC_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    command.arg("-d").arg(&classes);
    command.arg("-cp").arg(joined(class_path)?);
    command.arg("-sourcepath").arg(joined(&roots)?);
    for source in sources {
        // An absolute path can be taken neither for an option nor for a file of arguments.
        command.arg(std::path::absolute(source).map_err(|e| unusable(source, &e))?);
    }
    run(command, &javac, sources)?;
    read(&classes)
}

fn run(mut command: Command, javac: &Path, sources: &[PathBuf]) -> Result<()> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| LoadError::new(format!("cannot run {}: {e}", javac.display())))?;
    if output.status.success() {
        return Ok(());
    }
    // A terminal's Ctrl-C reaches the compiler as well, and then the JVM exits with 130.
    if matches!(output.status.code(), None | Some(130)) {
        return Err(LoadError::new("javac was interrupted"));
    }
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stdout));
    let which = match sources {
        [source] => source.display().to_string(),
        _ => format!("the {} sources", sources.len()),
    };
    Err(LoadError::new(format!("javac cannot compile {which}:\n{}", said.trim_end())))
}

/// The classes that `javac` wrote.
fn read(classes: &Path) -> Result<Vec<Compiled>> {
    let class = |FoundFile { name, path }| {
        let bytes = files::read(&path, MAX_CLASS).map_err(|e| unusable(&path, &e))?;
        Ok(Compiled { name, bytes })
    };
    walk::files(classes, "class")?.into_iter().map(class).collect()
}

fn joined(paths: &[PathBuf]) -> Result<std::ffi::OsString> {
    std::env::join_paths(paths).map_err(|e| LoadError::new(format!("a path cannot be passed to javac: {e}")))
}

fn unusable(path: &Path, error: &std::io::Error) -> LoadError {
    LoadError::new(format!("cannot read {}: {}", path.display(), files::why(error)))
}

/// The directory above a source's package, where the sources of other packages are.
fn root(source: &Path) -> PathBuf {
    let directory = source.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let bytes = files::read(source, files::MAX_TEXT);
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let package = package(&text);
    // A relative path may be shorter than the package.
    let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf());
    let suffix: PathBuf = package.split('.').collect();
    if package.is_empty() || !absolute.ends_with(&suffix) {
        return directory.to_path_buf();
    }
    let above = package.split('.').count();
    absolute.ancestors().nth(above).map_or(absolute.clone(), Path::to_path_buf)
}

/// The package that a source declares: the first thing in it besides comments and annotations.
pub fn package(text: &str) -> String {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let after = if rest.starts_with("//") {
            rest.find('\n').map(|end| &rest[end..])
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| &rest[end + 2..])
        } else {
            break;
        };
        match after {
            Some(after) => rest = after.trim_start(),
            None => return String::new(),
        }
    }
    let declared = rest.strip_prefix("package").filter(|r| r.starts_with(char::is_whitespace));
    let name = declared.and_then(|r| r.split_once(';')).map_or("", |(name, _)| name);
    name.chars().filter(|c| !c.is_whitespace()).collect()
}
