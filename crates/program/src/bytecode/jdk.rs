//! The JDK on this machine: where it is, its library, its compiler.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::jimage::Image;
use crate::source::LoadError;

/// Where systems put JDKs, and where in such an entry the JDK itself is.
const USUAL_PLACES: [(&str, &str); 2] = [("/usr/lib/jvm", ""), ("/Library/Java/JavaVirtualMachines", "Contents/Home")];

/// The first Java with a library like this, and the version of its class files.
const FIRST: u16 = 9;
const FIRST_MAJOR: u16 = 53;

pub struct Jdk {
    pub home: PathBuf,
    pub image: Image,
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, else that of the `javac` or `java` on the `PATH`, else one in the usual places.
    pub fn locate() -> Result<Jdk, LoadError> {
        Jdk::locate_in(std::env::var_os("JAVA_HOME").as_deref(), std::env::var_os("PATH").as_deref())
    }

    /// [`Jdk::locate`] with these values of `JAVA_HOME` and `PATH`.
    pub fn locate_in(java_home: Option<&OsStr>, path: Option<&OsStr>) -> Result<Jdk, LoadError> {
        // Whoever sets JAVA_HOME wants that one and no other.
        if let Some(home) = java_home.filter(|h| !h.is_empty()) {
            return Jdk::at(Path::new(home)).map_err(|e| {
                LoadError::new(format!("JAVA_HOME does not lead to a JDK: {}", e.message))
                    .help("set JAVA_HOME to the directory of a JDK 9 or newer, or unset it")
            });
        }
        let home = on_path(path).or_else(|| USUAL_PLACES.iter().find_map(|(root, inner)| newest(root, inner)));
        match home {
            Some(home) => Jdk::at(&home),
            None => Err(LoadError::new("there is no JDK: JAVA_HOME is not set, and no JDK is on the PATH")
                .help("install a JDK 9 or newer (on Debian: apt install default-jdk), or set JAVA_HOME")),
        }
    }

    /// The JDK in that directory.
    pub fn at(home: &Path) -> Result<Jdk, LoadError> {
        let modules = home.join("lib/modules");
        if !modules.is_file() {
            let old = ["lib/rt.jar", "jre/lib/rt.jar"].iter().any(|jar| home.join(jar).is_file());
            let why = if old { "it is older than JDK 9" } else { "it has no lib/modules" };
            return Err(LoadError::new(format!("{} is not a usable JDK: {why}", home.display())));
        }
        Ok(Jdk { home: home.to_path_buf(), image: Image::open(&modules)? })
    }

    /// Which Java it is: 17. The JDK's own classes are compiled for it.
    pub fn version(&self) -> u16 {
        let object =
            self.image.number("java/lang/Object").ok().flatten().and_then(|number| self.image.bytes(number).ok());
        let major = object.and_then(|bytes| bytes.get(6..8).map(|major| u16::from_be_bytes([major[0], major[1]])));
        major.map_or(FIRST, |major| major.saturating_sub(FIRST_MAJOR - FIRST))
    }

    /// The compiler: this JDK's, or the one on the `PATH` if this is only a runtime.
    pub fn javac(&self) -> Result<PathBuf, LoadError> {
        let own = self.home.join("bin").join(program("javac"));
        let found = own.is_file().then_some(own);
        found.or_else(|| which(std::env::var_os("PATH").as_deref(), "javac")).ok_or_else(|| {
            LoadError::new(format!("there is no javac: {} is a runtime without compiler", self.home.display()))
                .help("install a JDK, set JAVA_HOME to one, or compile the sources and give the class files")
        })
    }
}

fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

fn which(path: Option<&OsStr>, name: &str) -> Option<PathBuf> {
    std::env::split_paths(path?).map(|dir| dir.join(program(name))).find(|file| file.is_file())
}

/// The home of the JDK whose program is on the path: programs are links that lead there.
fn on_path(path: Option<&OsStr>) -> Option<PathBuf> {
    ["javac", "java"].into_iter().find_map(|name| {
        let real = which(path, name)?.canonicalize().ok()?;
        let home = real.parent()?.parent()?;
        home.join("lib/modules").is_file().then(|| home.to_path_buf())
    })
}

/// The JDK with the highest number in its name.
fn newest(root: &str, inner: &str) -> Option<PathBuf> {
    let number = |path: &Path| -> Option<u32> {
        let name = path.file_name()?.to_str()?;
        let digits = name.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?;
        digits.parse().ok()
    };
    let entries = std::fs::read_dir(root).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let with_library = entries.filter(|path| path.join(inner).join("lib/modules").is_file());
    let newest = with_library.max_by(|a, b| number(a).cmp(&number(b)).then_with(|| a.cmp(b)))?;
    Some(newest.join(inner))
}
