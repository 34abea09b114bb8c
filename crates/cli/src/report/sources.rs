//! The text of source lines, where the sources are at hand: the program itself, or what stands near its classes.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use lazuli::{Line, Source};
use lazuli_program::files;

/// Finds the lines that traces name.
pub struct Sources {
    /// Where packages may begin.
    roots: Vec<PathBuf>,
    /// The files that were asked for, by class and name.
    files: HashMap<(String, String), Option<Vec<String>>>,
}

/// Where a directory of classes may have its sources.
const NEAR: [&str; 8] = [
    "",
    "src",
    "src/main/java",
    "../src",
    "../java",
    "../src/main/java",
    "../../src/main/java",
    "../../../../src/main/java",
];

impl Sources {
    pub fn near(source: &Source) -> Sources {
        let mut roots = Vec::new();
        for path in std::iter::once(&source.path).chain(&source.class_path) {
            let directory = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(Path::new("")) };
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            roots.extend(NEAR.iter().map(|near| directory.join(near)));
        }
        Sources { roots, files: HashMap::new() }
    }

    /// The file that a line stands in, if it is at hand.
    pub fn path(&self, place: &Line) -> Option<PathBuf> {
        path(&self.roots, place)
    }

    /// The text of a line, without the space around it.
    pub fn line(&mut self, place: &Line) -> Option<&str> {
        let key = (place.class.clone(), place.file.clone());
        let roots = &self.roots;
        let lines = self.files.entry(key).or_insert_with(|| find(roots, place)).as_ref()?;
        lines.get((place.line as usize).checked_sub(1)?).map(String::as_str)
    }
}

/// The file that a line stands in.
fn path(roots: &[PathBuf], place: &Line) -> Option<PathBuf> {
    // The name comes from a class file, which may say anything.
    if place.file.contains(['/', '\\']) || !place.file.ends_with(".java") {
        return None;
    }
    let package: PathBuf = place.class.rsplit_once('.').map_or("", |(package, _)| package).split('.').collect();
    let mut candidates = roots.iter().flat_map(|root| [root.join(&package).join(&place.file), root.join(&place.file)]);
    candidates.find(|path| path.is_file()).map(|path| tidy(&path))
}

/// A path without steps that lead up again.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidied.components().next_back(), Some(Component::Normal(_))) => {
                tidied.pop();
            }
            other => tidied.push(other),
        }
    }
    tidied
}

fn find(roots: &[PathBuf], place: &Line) -> Option<Vec<String>> {
    let path = path(roots, place)?;
    let text = String::from_utf8(files::read(&path, files::MAX_TEXT).ok()?).ok()?;
    Some(text.lines().map(|line| line.trim().to_string()).collect())
}
