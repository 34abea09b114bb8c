//! Jars: listed when opened, each class unpacked when it is asked for, within limits that a hostile jar cannot evade.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use zip::ZipArchive;

use crate::source::LoadError;

/// Larger class files do not exist outside attacks.
pub const MAX_CLASS: u64 = 64 << 20;
/// The largest jars of real programs have a tenth of these.
const MAX_ENTRIES: u64 = 500_000;
const MAX_TOTAL: u64 = 4 << 30;

/// Where web and Spring archives keep the application's own classes.
const APPLICATION: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];

pub struct Jar {
    pub path: PathBuf,
    contents: Mutex<Contents>,
}

struct Contents {
    archive: ZipArchive<File>,
    /// The bytes unpacked so far.
    unpacked: u64,
}

type Result<T> = std::result::Result<T, LoadError>;

impl Jar {
    /// Opens a jar; returns it with the internal names of its classes and their places in it. The versions of classes for
    /// newer JVMs in a multi-release jar are not among them.
    pub fn open(path: &Path) -> Result<(Jar, Vec<(String, usize)>)> {
        let refuse = |why: String| LoadError::new(format!("{}: {why}", path.display()));
        let mut file = File::open(path).map_err(|e| LoadError::new(format!("cannot read {}: {e}", path.display())))?;
        let entries = claimed_entries(&mut file)
            .map_err(|e| LoadError::new(format!("cannot read {}: {e}", path.display())))?
            .ok_or_else(|| refuse("this is not a jar".into()))?;
        // Before the table of contents is read, because it alone could fill the memory.
        if entries > MAX_ENTRIES {
            return Err(refuse(format!("the jar has {entries} entries, the limit is {MAX_ENTRIES}")));
        }
        let archive = ZipArchive::new(file).map_err(|e| refuse(format!("this is not a usable jar: {e}")))?;
        let mut classes = Vec::new();
        for index in 0..archive.len() {
            // A name that is no text is not that of a class.
            let Some(Ok(entry)) = archive.name_for_index(index) else { continue };
            if let Some(name) = class_name(&entry) {
                classes.push((name.to_string(), index));
            }
        }
        Ok((Jar { path: path.to_path_buf(), contents: Mutex::new(Contents { archive, unpacked: 0 }) }, classes))
    }

    /// Unpacks an entry. The size that the jar promises is a bound, and must be true.
    pub fn read(&self, index: usize) -> Result<Vec<u8>> {
        let mut contents = self.contents.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Contents { archive, unpacked } = &mut *contents;
        let name = archive.name_for_index(index).and_then(|name| Some(name.ok()?.into_owned())).unwrap_or_default();
        let refuse = |why: String| LoadError::new(format!("{}!{name}: {why}", self.path.display()));
        let mut entry = archive.by_index(index).map_err(|e| refuse(format!("cannot unpack: {e}")))?;
        let size = entry.size();
        if size > MAX_CLASS {
            return Err(refuse(format!("unpacks to {} MB, the limit is {} MB", size >> 20, MAX_CLASS >> 20)));
        }
        *unpacked += size;
        if *unpacked > MAX_TOTAL {
            return Err(refuse(format!("the jar's classes unpack to more than the limit of {} MB", MAX_TOTAL >> 20)));
        }
        let mut bytes = Vec::new();
        let read = entry.by_ref().take(size + 1).read_to_end(&mut bytes);
        read.map_err(|e| refuse(format!("cannot unpack: {e}")))?;
        if bytes.len() as u64 != size {
            return Err(refuse(format!("unpacks to another size than the {size} bytes that the jar promises")));
        }
        Ok(bytes)
    }
}

/// The internal name of the class in an entry, if it is one.
fn class_name(entry: &str) -> Option<&str> {
    let name = entry.strip_suffix(".class")?;
    let name = APPLICATION.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    (!name.starts_with("META-INF/") && super::classpath::is_listed(name)).then_some(name)
}

/// How many entries the end of the file says there are; `None` if this is not the end of a zip file.
fn claimed_entries(file: &mut File) -> std::io::Result<Option<u64>> {
    /// The last record of a zip file has this size, and a comment of at most 64 KB after it.
    const RECORD: usize = 22;
    /// Zip files of many entries have a pointer of this size before it, to a record with wide numbers.
    const POINTER: usize = 20;
    let length = file.metadata()?.len();
    let tail = length.min((RECORD + POINTER + u16::MAX as usize) as u64);
    file.seek(SeekFrom::Start(length - tail))?;
    let mut bytes = Vec::new();
    Read::by_ref(file).take(tail).read_to_end(&mut bytes)?;
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
