//! Where a program comes from: enough to read it again elsewhere, and to tell whether it is still the same.

use std::path::{Path, PathBuf};

use lazuli_program::bytecode::{self, Jdk};
use lazuli_program::frontend::java::{self, JavaOptions, is_java};
use lazuli_program::library::{Inputs, World};
use lazuli_program::{Notation, Program, files, load_in, load_text_in};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A program that can be read: a file in one of the tiny languages, or Java.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// A file (`.pose`, `.txt`, `.jvl`), or Java: a `.class`, `.jar` or `.java` file, a directory of classes, or the word `jdk`.
    pub path: PathBuf,
    /// The text itself, where there is no file: in the tiny object language.
    pub text: Option<String>,
    /// The notation of the tiny object language; otherwise each file says it itself.
    #[serde(default)]
    pub notation: Option<Notation>,
    /// Java: the method to execute.
    pub entry: Option<String>,
    /// Java: further directories, jars and sources.
    pub class_path: Vec<PathBuf>,
    /// Java: which objects are inputs.
    pub inputs: Inputs,
    /// Java: types or fields, and the classes that their inputs have.
    pub types: Vec<(String, Vec<String>)>,
    /// Java: the greatest length of input strings and arrays.
    pub max_string: u32,
    pub max_array: u32,
    /// Java: the classes whose static fields are inputs.
    pub symbolic_statics: Vec<String>,
}

impl Source {
    /// A file or directory, with what is usual for Java.
    pub fn new(path: impl Into<PathBuf>) -> Source {
        Source {
            path: path.into(),
            text: None,
            notation: None,
            entry: None,
            class_path: Vec::new(),
            inputs: Inputs::default(),
            types: Vec::new(),
            max_string: 4,
            max_array: 8,
            symbolic_statics: Vec::new(),
        }
    }

    /// A program in the tiny object language, as text.
    pub fn text(name: &str, text: impl Into<String>) -> Source {
        Source { text: Some(text.into()), ..Source::new(name) }
    }

    pub fn is_java(&self) -> bool {
        self.text.is_none() && is_java(&self.path)
    }

    /// Reads the program. One in Java needs to know which method is executed.
    pub fn load(&self) -> Result<Program, Error> {
        Ok(match (&self.text, self.is_java()) {
            (Some(text), _) => load_text_in(&self.path.to_string_lossy(), text.clone(), self.notation)?,
            (None, true) => java::load(&self.path, &self.java_options())?,
            (None, false) => load_in(&self.path, self.notation)?,
        })
    }

    /// Reads the program where nothing is executed: Java needs no entry then.
    pub fn load_classes(&self) -> Result<Program, Error> {
        match self.is_java() {
            true => Ok(java::load_classes(&self.path, &self.java_options())?),
            false => self.load(),
        }
    }

    pub(crate) fn java_options(&self) -> JavaOptions {
        JavaOptions {
            class_path: self.class_path.clone(),
            entry: self.entry.clone(),
            world: World {
                inputs: self.inputs,
                types: self.types.clone(),
                max_string: self.max_string,
                max_array: self.max_array,
                symbolic_statics: self.symbolic_statics.clone(),
            },
            provided: lazuli_engine::natives::provides,
        }
    }

    /// A fingerprint of everything that is read: the file with what it includes, or the class path and the release of the JDK.
    pub fn fingerprint(&self, program: &Program) -> std::io::Result<String> {
        let mut hash = Fingerprint::default();
        if !self.is_java() {
            program.sources.iter().for_each(|source| hash.add(source.text.as_bytes()));
            return Ok(hash.show());
        }
        self.add_java(&mut hash)?;
        Ok(hash.show())
    }

    /// The class path and the release of the JDK.
    pub(crate) fn add_java(&self, hash: &mut Fingerprint) -> std::io::Result<()> {
        if let Ok(jdk) = Jdk::locate() {
            hash.add(&std::fs::read(jdk.home.join("release")).unwrap_or_default());
        }
        let own = (self.path != Path::new("jdk")).then_some(&self.path);
        let class_path = bytecode::expand(self.class_path.iter()).map_err(std::io::Error::other)?;
        for path in own.into_iter().chain(&class_path) {
            hash.add_files(path, path.is_dir())?;
        }
        Ok(())
    }
}

/// Jars are larger than texts.
const MAX_FILE: u64 = 4 << 30;

/// FNV-1a of 128 bits: small, and the same everywhere.
pub struct Fingerprint(u128);

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fingerprint {
    /// Adds a text, with its length: two texts are not the same as one.
    pub fn add(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds a file, or all files below a directory with their names, in their order. As where classes are looked for, links to directories
    /// are not followed, and what is no file is none.
    fn add_files(&mut self, path: &Path, is_directory: bool) -> std::io::Result<()> {
        if !is_directory {
            self.add(&files::read(path, MAX_FILE)?);
            return Ok(());
        }
        let mut entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            self.add(entry.file_name().as_encoded_bytes());
            let is_directory = entry.file_type()?.is_dir();
            if is_directory || entry.path().is_file() {
                self.add_files(&entry.path(), is_directory)?;
            }
        }
        Ok(())
    }

    pub fn show(&self) -> String {
        format!("{:032x}", self.0)
    }
}
