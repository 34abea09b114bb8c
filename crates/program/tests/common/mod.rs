//! What the tests of the front ends share: programs in files of a folder that goes away, errors with their places, and
//! seeded random mutations of programs.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lazuli_program::{LoadError, Program, load, text};

/// A folder of its own for one test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lazuli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        // Some file systems wait for the disk when a file is overwritten, and not when it is new.
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, bytes).expect("a file in the temporary folder");
        path
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The programs of a folder of the repository: names and texts, sorted.
pub fn programs(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(folder);
    let files = std::fs::read_dir(&folder).into_iter().flatten().map(|f| f.expect("a readable folder").path());
    let mut found: Vec<(String, String)> = files
        .filter(|path| path.is_file() && path.extension().is_none_or(|e| e != "golden"))
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a readable program"))
        })
        .collect();
    found.sort();
    found
}

/// An error that a text must give: its message, its line and column, and its help, if any.
pub struct Wrong {
    pub text: &'static str,
    pub message: &'static str,
    pub at: &'static str,
    pub help: &'static str,
}

/// Shorthand for a [`Wrong`].
pub fn wrong(text: &'static str, message: &'static str, at: &'static str, help: &'static str) -> Wrong {
    Wrong { text, message, at, help }
}

/// The line and column that an error shows; empty if it has no place.
pub fn place(error: &LoadError) -> String {
    let shown = error.to_string();
    let Some(arrow) = shown.lines().find(|line| line.trim_start().starts_with("--> ")) else { return String::new() };
    let mut parts = arrow.rsplitn(3, ':');
    let (column, line) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    format!("{line}:{column}")
}

/// All of these texts must be refused as they say; all differences are shown at once.
pub fn assert_wrong(name: &str, ending: &str, cases: &[Wrong]) {
    let folder = Folder::new(name);
    let mut differences = String::new();
    for Wrong { text, message, at, help } in cases {
        let found = match load(&folder.write(&format!("case.{ending}"), text)) {
            Ok(_) => ("accepted".to_string(), String::new(), String::new()),
            Err(error) => {
                (error.message.clone(), place(&error), error.help.as_ref().map(ToString::to_string).unwrap_or_default())
            }
        };
        if (found.0.as_str(), found.1.as_str(), found.2.as_str()) != (*message, *at, *help) {
            writeln!(differences, "{text}\n  wanted {:?}\n  found  {found:?}", (message, at, help)).expect("a string");
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// The IR of one method, as `lazuli ir` prints it, without line numbers.
pub fn method_text(program: &Program, name: &str) -> String {
    let shown = text::show(program);
    let header = format!(" {name}(");
    let lines = shown.lines().skip_while(|line| line.starts_with(' ') || !line.contains(&header));
    let lines = lines.take_while(|line| !line.is_empty()).map(|line| line.split("  //").next().unwrap_or(line).trim());
    lines.collect::<Vec<_>>().join("\n")
}

/// Xorshift: small, and the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn range(&mut self, length: usize, longest: usize) -> std::ops::Range<usize> {
        let from = self.below(length + 1);
        from..(from + self.below(longest)).min(length)
    }
}

/// The words and signs of a text, with the blanks between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if in_word(first) { rest.find(|c| !in_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>, tokens: &[&str]) {
    match random.below(6) {
        0 if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        1 => {
            let range = random.range(bytes.len(), 12);
            bytes.drain(range);
        }
        2 => {
            let range = random.range(bytes.len(), 40);
            let (copy, at) = (bytes[range].to_vec(), random.below(bytes.len() + 1));
            bytes.splice(at..at, copy);
        }
        3 => {
            let (at, token) = (random.below(bytes.len() + 1), tokens[random.below(tokens.len())]);
            bytes.splice(at..at, token.bytes());
        }
        // Most of these are still well formed: they reach the type checker.
        _ => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let mut pieces = pieces(&text);
            if !pieces.is_empty() {
                let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
                if !pieces[at].trim().is_empty() && !pieces[other].trim().is_empty() {
                    pieces[at] = pieces[other];
                }
            }
            *bytes = pieces.concat().into_bytes();
        }
    }
}

/// A case: a program with a few mutations, or a soup of tokens.
fn case(random: &mut Random, seeds: &[String], tokens: &[&str]) -> Vec<u8> {
    if random.below(8) == 0 {
        let soup: Vec<&str> = (0..random.below(60)).map(|_| tokens[random.below(tokens.len())]).collect();
        return soup.join(" ").into_bytes();
    }
    let mut bytes = seeds[random.below(seeds.len())].clone().into_bytes();
    for _ in 0..1 + random.below(4) {
        mutate(random, &mut bytes, tokens);
    }
    bytes
}

/// Loads many broken and nearly broken programs: each is accepted or refused, and neither a panic nor an unverifiable
/// program comes of it. `folder` holds what the programs include.
pub fn fuzz(folder: &Folder, ending: &str, seeds: &[String], tokens: &[&str], cases: u32) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..cases {
        let bytes = case(&mut random, seeds, tokens);
        let path = folder.write(&format!("case.{ending}"), &bytes);
        let shown = || format!("case {number}:\n{}", String::from_utf8_lossy(&bytes));
        match catch_unwind(AssertUnwindSafe(|| load(&path))) {
            Ok(Ok(_)) => accepted += 1,
            Ok(Err(error)) => {
                refused += 1;
                assert!(!error.message.contains("internal error"), "{error}\n{}", shown());
                assert!(!error.to_string().is_empty());
            }
            Err(_) => panic!("a panic on {}", shown()),
        }
    }
    assert!(accepted > cases / 100 && refused > cases / 100, "{accepted} accepted, {refused} refused");
}
