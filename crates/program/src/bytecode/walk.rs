//! Lists the files of one kind in a directory tree.

use std::path::{Path, PathBuf};

use crate::source::LoadError;

/// A directory with more than this is not one of classes.
const MAX_FILES: usize = 1_000_000;

/// A file, with its name below the root: `/` between directories, no ending.
pub struct FoundFile {
    pub name: String,
    pub path: PathBuf,
}

/// The files that end so in the tree below a directory, sorted by name. Links to directories are not followed: they may
/// lead in circles.
pub fn files(root: &Path, extension: &str) -> Result<Vec<FoundFile>, LoadError> {
    let mut found = Vec::new();
    let mut seen = 0;
    let mut pending = vec![(root.to_path_buf(), String::new())];
    while let Some((directory, prefix)) = pending.pop() {
        let unreadable = |e: std::io::Error| LoadError::new(format!("cannot read {}: {e}", directory.display()));
        for entry in std::fs::read_dir(&directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            seen += 1;
            if seen > MAX_FILES {
                return Err(LoadError::new(format!("{} has more than {MAX_FILES} files", root.display())));
            }
            // Names that are not Unicode are not those of classes.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if entry.file_type().map_err(unreadable)?.is_dir() {
                pending.push((entry.path(), format!("{prefix}{name}/")));
            } else if let Some(stem) = name.strip_suffix(extension).and_then(|n| n.strip_suffix('.')) {
                found.push(FoundFile { name: format!("{prefix}{stem}"), path: entry.path() });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}
