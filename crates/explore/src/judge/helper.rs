//! The helper's classes: compiled once by the JDK's own compiler, and kept below the user's cache directory by what they were compiled from.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lazuli_program::bytecode::{Jdk, Scratch};

use crate::source::Fingerprint;

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../../java/", $name)))
    };
}

/// The program that runs witnesses, and what drivers call.
const SOURCES: [(&str, &str); 12] = [
    source!("lazuli/judge/Capture.java"),
    source!("lazuli/judge/Judge.java"),
    source!("lazuli/judge/Memory.java"),
    source!("lazuli/judge/Program.java"),
    source!("lazuli/judge/ProgramLoader.java"),
    source!("lazuli/judge/Reply.java"),
    source!("lazuli/judge/Request.java"),
    source!("lazuli/judge/Rules.java"),
    source!("lazuli/judge/Uninterpreted.java"),
    source!("lazuli/judge/Witness.java"),
    source!("lazuli/Lazuli.java"),
    source!("org/sosy_lab/sv_benchmarks/Verifier.java"),
];

/// What it needs of the JDK beyond what everybody may use.
pub const EXPORTS: [&str; 2] = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"];

/// The oldest JDK that can compile and run it.
const OLDEST: u16 = 17;

/// The directory of the compiled helper: cached, or inside of `scratch` where there is no place for a cache.
pub fn classes(jdk: &Jdk, scratch: &Scratch) -> Result<PathBuf, String> {
    if jdk.version() < OLDEST {
        let home = jdk.home.display();
        return Err(format!("the JVM judges with JDK {OLDEST} or newer, and {home} is {}", jdk.version()));
    }
    let cached = cache().map(|cache| cache.join(format!("judge-{}", identity(jdk))));
    if let Some(cached) = cached.as_ref().filter(|cached| is_whole(cached)) {
        return Ok(cached.clone());
    }
    let classes = compile(jdk, scratch)?;
    let kept = cached.and_then(|cached| keep(&classes, &cached));
    Ok(kept.unwrap_or(classes))
}

/// Where something can be kept that may be made again.
pub fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let root = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(root.join("lazuli"))
}

fn identity(jdk: &Jdk) -> String {
    let mut hash = Fingerprint::default();
    SOURCES.iter().for_each(|(_, text)| hash.add(text.as_bytes()));
    hash.add(jdk.home.as_os_str().as_encoded_bytes());
    hash.add(&std::fs::read(jdk.home.join("release")).unwrap_or_default());
    hash.show()
}

fn is_whole(classes: &Path) -> bool {
    SOURCES.iter().all(|(name, _)| classes.join(name).with_extension("class").is_file())
}

fn compile(jdk: &Jdk, scratch: &Scratch) -> Result<PathBuf, String> {
    let [sources, classes, nothing] = ["sources", "classes", "nothing"].map(|name| scratch.path().join(name));
    let cannot = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
    for directory in [&classes, &nothing] {
        std::fs::create_dir_all(directory).map_err(|error| cannot(directory, error))?;
    }
    let mut command = Command::new(jdk.javac().map_err(|error| error.to_string())?);
    command.env_clear().args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData"]);
    command.args(["-nowarn", "-encoding", "UTF-8", "-proc:none", "-processorpath"]).arg(&nothing);
    command.args(EXPORTS).arg("-cp").arg(&classes).arg("-d").arg(&classes);
    for (name, text) in SOURCES {
        let path = sources.join(name);
        let parent = path.parent().expect("a source is in a directory");
        std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text)).map_err(|e| cannot(&path, e))?;
        command.arg(path);
    }
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run javac: {error}"))?;
    match output.status.success() && is_whole(&classes) {
        true => Ok(classes),
        false => Err(format!("javac cannot compile the JVM's helper: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Puts the classes where the next run finds them. Another process may have done so in the meantime.
fn keep(classes: &Path, cached: &Path) -> Option<PathBuf> {
    std::fs::create_dir_all(cached.parent()?).ok()?;
    let copy = cached.with_extension(std::process::id().to_string());
    copy_all(classes, &copy).ok()?;
    if std::fs::rename(&copy, cached).is_err() {
        let _ = std::fs::remove_dir_all(&copy);
    }
    is_whole(cached).then(|| cached.to_path_buf())
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_all(&entry.path(), &target)?,
            false => _ = std::fs::copy(entry.path(), target)?,
        }
    }
    Ok(())
}
