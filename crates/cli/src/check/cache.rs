//! What methods came to is kept by everything that it depends on: the classes, the JDK, the options, and this program. What did not change is not
//! explored again. Where nothing can be kept, nothing is.

use std::path::{Path, PathBuf};

use lazuli::{Fingerprint, Options, Target, cache_directory};

use super::method::Checked;
use crate::style::Style;

/// The answers of so many questions are kept: the youngest.
const MAX_KEPT: usize = 32;

/// Where the answers to one question about a target are.
pub struct Cache(PathBuf);

/// What an answer depends on beside the target and the options.
pub struct Question<'a> {
    /// How the command was asked, as far as it matters.
    pub said: &'a str,
    pub style: Style,
}

impl Cache {
    /// `None` where there is no place for it.
    pub fn open(target: &Target, options: &Options, question: &Question) -> Option<Cache> {
        let mut hash = Fingerprint::default();
        hash.add(env!("CARGO_PKG_VERSION").as_bytes());
        // Two builds of one version are two programs.
        let program = std::fs::metadata(std::env::current_exe().ok()?).ok()?;
        let age = program.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        hash.add(&program.len().to_le_bytes());
        hash.add(&age.as_nanos().to_le_bytes());
        hash.add(target.fingerprint().ok()?.as_bytes());
        hash.add(&serde_json::to_vec(options).ok()?);
        if let Some(file) = options.invariants.as_ref().and_then(|invariants| invariants.file.as_ref()) {
            hash.add(&lazuli_program::files::read(file, lazuli_program::files::MAX_TEXT).ok()?);
        }
        hash.add(question.said.as_bytes());
        hash.add(&[u8::from(question.style.colour)]);
        hash.add(&question.style.width.to_le_bytes());
        let all = cache_directory()?.join("check");
        forget(&all);
        let directory = all.join(hash.show());
        std::fs::create_dir_all(&directory).ok()?;
        Some(Cache(directory))
    }

    fn file(&self, method: &str) -> PathBuf {
        let mut hash = Fingerprint::default();
        hash.add(method.as_bytes());
        self.0.join(format!("{}.json", hash.show()))
    }

    /// What a method came to, if it is known.
    pub fn find(&self, method: &str) -> Option<Checked> {
        let bytes = std::fs::read(self.file(method)).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|checked: &Checked| checked.method == method)
    }

    /// Keeps what a method came to, if that is possible.
    pub fn keep(&self, checked: &Checked) {
        let Ok(bytes) = serde_json::to_vec(checked) else { return };
        let file = self.file(&checked.method);
        // Nobody reads half of it.
        let half = file.with_extension(format!("{}.half", std::process::id()));
        if std::fs::write(&half, bytes).and_then(|()| std::fs::rename(&half, &file)).is_err() {
            let _ = std::fs::remove_file(&half);
        }
    }
}

/// Removes the oldest answers, if there are too many.
fn forget(all: &Path) {
    let Ok(entries) = std::fs::read_dir(all) else { return };
    let mut kept: Vec<_> =
        entries.flatten().filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    kept.sort();
    for (_, directory) in kept.iter().rev().skip(MAX_KEPT) {
        let _ = std::fs::remove_dir_all(directory);
    }
}
