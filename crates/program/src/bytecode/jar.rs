//! Jars: listed when opened, each class unpacked when it is asked for, within limits that a hostile jar cannot evade.
//!
//! A jar may have several versions of a class, for the Java that runs it, and archives of web and Spring applications have their
//! classes and libraries in folders of their own.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::FxHashMap;
use zip::{CompressionMethod, ZipArchive};

use crate::files;
use crate::source::LoadError;

/// Larger class files do not exist outside attacks.
pub const MAX_CLASS: u64 = 64 << 20;
/// The largest jars of real programs have a tenth of these.
const MAX_ENTRIES: u64 = 500_000;
const MAX_TOTAL: u64 = 4 << 30;
/// Libraries that are compressed are kept in memory, so there is less room for them.
const MAX_LIBRARY: u64 = 256 << 20;
const MAX_LIBRARIES: u64 = 1 << 30;

/// Where archives of applications keep their classes, and where their libraries.
const APPLICATION: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];
const LIBRARIES: [&str; 2] = ["BOOT-INF/lib/", "WEB-INF/lib/"];

const MANIFEST: &str = "META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";
/// The first Java that looks for versions.
const FIRST_VERSION: u16 = 9;

/// What an archive is read from: a file, a part of one, or bytes.
trait Bytes: Read + Seek + Send {}
impl<T: Read + Seek + Send> Bytes for T {}

pub struct Jar {
    /// The jar's path, or that of the archive that it is in and its name there.
    pub name: String,
    path: PathBuf,
    /// The version of Java for which entries are looked for, if there are versions of them.
    version: Option<u16>,
    contents: Mutex<Contents>,
}

struct Contents {
    archive: ZipArchive<Box<dyn Bytes>>,
    /// The bytes unpacked so far, and those of them that are libraries.
    unpacked: u64,
    libraries: u64,
}

/// A jar with what is in it.
pub struct Opened {
    pub jar: Jar,
    /// The internal names of its classes and their places in it, each once.
    pub classes: Vec<(String, usize)>,
    /// The places of the jars of its libraries.
    pub libraries: Vec<usize>,
}

type Result<T> = std::result::Result<T, LoadError>;

impl Jar {
    /// Opens a jar as a Java of this version does.
    pub fn open(path: &Path, version: u16) -> Result<Opened> {
        let name = path.display().to_string();
        let (file, length) =
            files::open(path).map_err(|e| LoadError::new(format!("cannot read {name}: {}", files::why(&e))))?;
        Jar::of(name, path, Box::new(file), length, version)
    }

    /// Opens a library of this archive.
    pub fn library(&self, index: usize, version: u16) -> Result<Opened> {
        let mut contents = self.contents();
        let name = format!("{}!{}", self.name, contents.name(index));
        let refuse = |why: String| LoadError::new(format!("{name}: {why}"));
        let entry = contents.archive.by_index(index).map_err(|e| refuse(format!("cannot unpack: {e}")))?;
        let (start, size) = (entry.data_start(), entry.compressed_size());
        let stored = entry.compression() == CompressionMethod::Stored && !entry.encrypted();
        drop(entry);
        match start.filter(|_| stored) {
            Some(start) => {
                let (file, _) = files::open(&self.path).map_err(|e| refuse(format!("cannot read: {e}")))?;
                let part = Part { file, start, length: size, at: 0 };
                Jar::of(name, &self.path, Box::new(part), size, version)
            }
            None => {
                let bytes = contents.unpack(index, MAX_LIBRARY).map_err(refuse)?;
                contents.libraries += bytes.len() as u64;
                if contents.libraries > MAX_LIBRARIES {
                    let limit = MAX_LIBRARIES >> 20;
                    return Err(refuse(format!("the archive's libraries unpack to more than the limit of {limit} MB")));
                }
                let length = bytes.len() as u64;
                Jar::of(name, &self.path, Box::new(Cursor::new(bytes)), length, version)
            }
        }
    }

    fn of(name: String, path: &Path, mut bytes: Box<dyn Bytes>, length: u64, version: u16) -> Result<Opened> {
        let refuse = |why: String| LoadError::new(format!("{name}: {why}"));
        let entries = claimed_entries(&mut bytes, length)
            .map_err(|e| LoadError::new(format!("cannot read {name}: {e}")))?
            .ok_or_else(|| refuse("this is not a jar".into()))?;
        // Before the table of contents is read, because it alone could fill the memory.
        if entries > MAX_ENTRIES {
            return Err(refuse(format!("the jar has {entries} entries, the limit is {MAX_ENTRIES}")));
        }
        let archive = ZipArchive::new(bytes).map_err(|e| refuse(format!("this is not a usable jar: {e}")))?;
        let contents = Mutex::new(Contents { archive, unpacked: 0, libraries: 0 });
        Jar { name, path: path.to_path_buf(), version: None, contents }.listed(version)
    }

    /// With its classes, of each the version that counts, and its libraries.
    fn listed(mut self, version: u16) -> Result<Opened> {
        let has_versions = self.has_versions()?;
        self.version = has_versions.then_some(version);
        let contents = self.contents();
        let mut classes: FxHashMap<String, (u16, usize)> = FxHashMap::default();
        let mut libraries = Vec::new();
        for index in 0..contents.archive.len() {
            let entry = contents.name(index);
            if LIBRARIES.iter().any(|folder| entry.strip_prefix(folder).is_some_and(is_library)) {
                libraries.push(index);
            }
            let (of, entry) = versioned(&entry);
            if of > 0 && (!has_versions || of < FIRST_VERSION || of > version) {
                continue;
            }
            if let Some(name) = class_name(entry) {
                let known = classes.entry(name.to_string()).or_insert((of, index));
                // Of two entries of one name and one version the first counts.
                if of > known.0 {
                    *known = (of, index);
                }
            }
        }
        let mut classes: Vec<(String, usize)> = classes.into_iter().map(|(name, (_, index))| (name, index)).collect();
        classes.sort_unstable();
        drop(contents);
        Ok(Opened { jar: self, classes, libraries })
    }

    /// Unpacks the entry that a program finds by this name, if there is one: of several versions the one that counts.
    pub fn resource(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let versions = self.version.into_iter().flat_map(|version| (FIRST_VERSION..=version).rev());
        let versions = versions.filter(|_| !name.starts_with("META-INF/"));
        let versioned = versions.map(|version| format!("{VERSIONS}{version}/{name}"));
        let in_application = APPLICATION.iter().map(|folder| format!("{folder}{name}"));
        let names: Vec<String> = versioned.chain([name.to_string()]).chain(in_application).collect();
        let found = names.iter().find_map(|name| self.contents().archive.index_for_name(name));
        found.map(|index| self.read(index)).transpose()
    }

    /// Whether the manifest says that there are versions of classes.
    fn has_versions(&self) -> Result<bool> {
        let Some(index) = self.contents().archive.index_for_name(MANIFEST) else { return Ok(false) };
        let manifest = self.read(index)?;
        let text = String::from_utf8_lossy(&manifest);
        // The main attributes end where a line is empty.
        let mut main = text.lines().take_while(|line| !line.is_empty());
        Ok(main.any(|line| {
            let attribute = line.split_once(':');
            attribute.is_some_and(|(name, value)| {
                name.eq_ignore_ascii_case("Multi-Release") && value.trim().eq_ignore_ascii_case("true")
            })
        }))
    }

    /// Unpacks an entry. The size that the jar promises is a bound, and must be true.
    pub fn read(&self, index: usize) -> Result<Vec<u8>> {
        let mut contents = self.contents();
        let unpacked = contents.unpack(index, MAX_CLASS);
        unpacked.map_err(|why| LoadError::new(format!("{}!{}: {why}", self.name, contents.name(index))))
    }

    fn contents(&self) -> std::sync::MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Contents {
    /// The name of an entry. One that is no text is nobody's.
    fn name(&self, index: usize) -> String {
        self.archive.name_for_index(index).and_then(|name| Some(name.ok()?.into_owned())).unwrap_or_default()
    }

    fn unpack(&mut self, index: usize, limit: u64) -> std::result::Result<Vec<u8>, String> {
        let mut entry = self.archive.by_index(index).map_err(|e| format!("cannot unpack: {e}"))?;
        let size = entry.size();
        if size > limit {
            return Err(format!("unpacks to {} MB, the limit is {} MB", size >> 20, limit >> 20));
        }
        self.unpacked += size;
        if self.unpacked > MAX_TOTAL {
            return Err(format!("what was read of the jar unpacks to more than the limit of {} MB", MAX_TOTAL >> 20));
        }
        let mut bytes = Vec::new();
        let read = entry.by_ref().take(size + 1).read_to_end(&mut bytes);
        read.map_err(|e| format!("cannot unpack: {e}"))?;
        match bytes.len() as u64 == size {
            true => Ok(bytes),
            false => Err(format!("unpacks to another size than the {size} bytes that the jar promises")),
        }
    }
}

/// The version that an entry is for, 0 if it is for all, and its name there.
fn versioned(entry: &str) -> (u16, &str) {
    let Some((number, name)) = entry.strip_prefix(VERSIONS).and_then(|rest| rest.split_once('/')) else {
        return (0, entry);
    };
    // A number as Java writes it: no sign, no zero before it.
    match number.parse() {
        Ok(version) if number.starts_with(|c: char| ('1'..='9').contains(&c)) => (version, name),
        _ => (0, entry),
    }
}

/// Whether a name in a folder of libraries is that of a jar.
fn is_library(name: &str) -> bool {
    !name.contains('/') && name.ends_with(".jar")
}

/// The internal name of the class in an entry, if it is one.
fn class_name(entry: &str) -> Option<&str> {
    let name = entry.strip_suffix(".class")?;
    let name = APPLICATION.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    (!name.starts_with("META-INF/") && super::classpath::is_listed(name)).then_some(name)
}

/// A part of a file: an entry that is not compressed.
struct Part {
    file: File,
    start: u64,
    length: u64,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.length.saturating_sub(self.at).min(buffer.len() as u64) as usize;
        self.file.seek(SeekFrom::Start(self.start.saturating_add(self.at)))?;
        let read = self.file.read(&mut buffer[..rest])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Part {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// How many entries the end of the file says there are; `None` if this is not the end of a zip file.
fn claimed_entries(file: &mut dyn Bytes, length: u64) -> io::Result<Option<u64>> {
    /// The last record of a zip file has this size, and a comment of at most 64 KB after it.
    const RECORD: usize = 22;
    /// Zip files of many entries have a pointer of this size before it, to a record with wide numbers.
    const POINTER: usize = 20;
    let tail = length.min((RECORD + POINTER + u16::MAX as usize) as u64);
    file.seek(SeekFrom::Start(length - tail))?;
    let mut bytes = Vec::new();
    file.take(tail).read_to_end(&mut bytes)?;
    let starts = (0..(bytes.len() + 1).saturating_sub(RECORD)).rev();
    let Some(at) = starts.into_iter().find(|at| bytes[*at..].starts_with(b"PK\x05\x06")) else { return Ok(None) };
    let small = u16::from_le_bytes([bytes[at + 10], bytes[at + 11]]) as u64;
    let pointer = at.checked_sub(POINTER).map(|p| &bytes[p..at]).filter(|p| p.starts_with(b"PK\x06\x07"));
    let Some(pointer) = pointer else { return Ok(Some(small)) };
    let wide = u64::from_le_bytes(pointer[8..16].try_into().expect("eight bytes"));
    let mut entries = [0; 8];
    // An entry count beyond the file's end is left to the zip reader to refuse.
    match file.seek(SeekFrom::Start(wide.saturating_add(32))).and_then(|_| file.read_exact(&mut entries)) {
        Ok(()) => Ok(Some(u64::from_le_bytes(entries).max(small))),
        Err(_) => Ok(None),
    }
}
