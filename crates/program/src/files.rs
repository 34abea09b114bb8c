//! Reading files that somebody else has written: only regular ones, and only up to a size.
//!
//! Links are followed, but what they lead to must be a file: a device has no end, and a pipe may wait for ever.

use std::fs::{File, FileType};
use std::io::{Error, Read, Result};
use std::path::Path;

/// Texts larger than this were not written by people.
pub const MAX_TEXT: u64 = 64 << 20;

/// Opens a regular file; with its length.
pub fn open(path: &Path) -> Result<(File, u64)> {
    // Before it is opened, because opening a pipe waits for somebody who writes into it; and after, because it may be another by then.
    regular(std::fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    regular(metadata.file_type())?;
    Ok((file, metadata.len()))
}

/// Reads a regular file that is not larger than a limit.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let (file, length) = open(path)?;
    let mut bytes = Vec::new();
    if length <= limit {
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    // Files of the system say that they are empty.
    match length.max(bytes.len() as u64) {
        length if length > limit => Err(too_large(length, limit)),
        _ => Ok(bytes),
    }
}

fn too_large(length: u64, limit: u64) -> Error {
    Error::other(format!("it has {} MB, the limit is {} MB", length.div_ceil(1 << 20), limit >> 20))
}

fn regular(kind: FileType) -> Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    Err(Error::other(format!("it is {}, not a file", name(kind))))
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_dir() => "a directory",
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn name(kind: FileType) -> &'static str {
    if kind.is_dir() { "a directory" } else { "a device" }
}

/// Why a file cannot be used, in plain words.
pub fn why(error: &Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "it may not be read".into(),
        _ => error.to_string(),
    }
}
