//! Outside of this crate nobody asks whether a program is in Java: what differs is in its semantics.

use std::path::{Path, PathBuf};

/// All sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn nobody_asks_for_the_library_to_know_the_language() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut asked = Vec::new();
    let mut seen = 0;
    for folder in std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src")) {
        if !folder.is_dir() || folder.starts_with(crates.join("program")) {
            continue;
        }
        for path in sources(&folder) {
            let text: String = std::fs::read_to_string(&path).unwrap().split_whitespace().collect();
            seen += text.contains("program") as usize;
            for of in ["library", "library()"] {
                for question in ["is_some()", "is_none()"] {
                    if text.contains(&format!(".{of}.{question}")) {
                        asked.push(format!("{}: {of}.{question}", path.display()));
                    }
                }
            }
        }
    }
    assert!(seen > 50, "only {seen} sources speak of programs");
    assert_eq!(asked, Vec::<String>::new());
}
