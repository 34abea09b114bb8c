//! Temporary directories: with names that nobody can foresee, for us alone, and gone at the end. What a process left behind that was
//! killed is removed by the next one.

use std::path::Path;

use tempfile::TempDir;

use crate::source::LoadError;

/// How the names of all of them begin.
const PREFIX: &str = "lazuli-";

/// A fresh directory, which is removed with everything in it when it is dropped.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Result<Scratch, LoadError> {
        let temporary = std::env::temp_dir();
        remove_abandoned(&temporary);
        let prefix = format!("{PREFIX}{}-{}-", namespace(), std::process::id());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).rand_bytes(16);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let made = builder.tempdir_in(&temporary).map(Scratch);
        made.map_err(|e| LoadError::new(format!("cannot make a directory in {}: {e}", temporary.display())))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// What the numbers of processes are relative to: containers may share a directory and have numbers of their own.
fn namespace() -> String {
    let link = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let digits: String = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    if digits.is_empty() { "0".into() } else { digits }
}

/// Removes our directories whose processes do not live any more. Where the system does not tell who lives, nothing is removed; nor is
/// what belongs to somebody else, or is a link. What cannot be removed stays.
fn remove_abandoned(temporary: &Path) {
    let Ok(entries) = std::fs::read_dir(temporary) else { return };
    let ours = format!("{PREFIX}{}-", namespace());
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(&ours)?.split('-').next()?.parse::<u32>().ok());
        if number.is_some_and(has_ended) && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_ours(&entry.path())
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn has_ended(process: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(process.to_string()).exists()
}

#[cfg(unix)]
fn is_ours(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = |path: &Path| std::fs::symlink_metadata(path).map(|metadata| metadata.uid()).ok();
    // What is below `/proc/self` belongs to whoever runs the process.
    let us = std::fs::metadata("/proc/self").map(|metadata| metadata.uid()).ok();
    us.is_some() && owner(path) == us
}

#[cfg(not(unix))]
fn is_ours(_: &Path) -> bool {
    false
}
