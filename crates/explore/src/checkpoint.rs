//! Checkpoints: a file with the finished parts of a run, one a line, to which every part is added when it is done. After the
//! process was killed, a run that continues it does only what is missing and gives the same traces.
//!
//! The first line says of which program and options the run is. A last line that was cut off is recognised, removed, and its work
//! done again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use lazuli_engine::config::Most;
use lazuli_invariant::InvariantSource;
use lazuli_program::{Program, files};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{CheckpointError, Error};
use crate::options::Options;
use crate::source::{Fingerprint, Source};
use crate::task::{Part, VERSION, Work};
use crate::wire::TraceRecord;

/// What a run's result depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The program's name with the fingerprint of what was read.
    pub program: String,
    /// Every option by its name.
    pub options: Map<String, Value>,
}

impl Identity {
    /// Of a program that was read from a source, and of options.
    pub fn of(source: &Source, program: &Program, options: &Options) -> std::io::Result<Identity> {
        let mut all = Map::new();
        let mut add = |value: Value| {
            if let Value::Object(map) = value {
                all.extend(map);
            }
        };
        let mut bounds = serde_json::to_value(&options.bounds).expect("options can be written");
        let mut rest = serde_json::to_value(options).expect("options can be written");
        let mut of_source = serde_json::to_value(source).expect("options can be written");
        // How soon a run ends does not change what its parts are; and a program may be moved.
        ["time", "memory"].iter().for_each(|name| _ = bounds[name].take());
        ["bounds", "invariants"].iter().for_each(|name| _ = rest[name].take());
        ["path", "text", "class_path", "entry"].iter().for_each(|name| _ = of_source[name].take());
        add(of_source);
        add(rest);
        add(bounds);
        all.retain(|_, value| !value.is_null());
        if let Some(entry) = options.entry.as_ref().or(source.entry.as_ref()) {
            all.insert("entry".into(), Value::from(entry.as_str()));
        }
        if let Some(invariants) = &options.invariants {
            let mut hash = Fingerprint::default();
            if let Some(file) = &invariants.file {
                hash.add(&files::read(file, files::MAX_TEXT)?);
            }
            let InvariantSource { technique, completion, rep_ok, .. } = invariants;
            let objects = completion.iter().map(Most::to_string).collect::<Vec<_>>().join(" ");
            let name = rep_ok.as_deref().unwrap_or_default();
            let text = format!("{technique} {objects} {name} {}", hash.show());
            all.insert("invariants".into(), Value::from(text));
        }
        Ok(Identity { program: format!("{} {}", program.name, source.fingerprint(program)?), options: all })
    }

    /// What differs, if anything does.
    fn differs(&self, ours: &Identity) -> Option<CheckpointError> {
        if self.program != ours.program {
            return Some(CheckpointError::OtherProgram { theirs: self.program.clone(), ours: ours.program.clone() });
        }
        let names = self.options.keys().chain(ours.options.keys());
        let name = names.into_iter().find(|name| self.options.get(*name) != ours.options.get(*name))?;
        let show = |value: Option<&Value>| value.map_or_else(|| "not given".into(), Value::to_string);
        let (theirs, ours) = (show(self.options.get(name)), show(ours.options.get(name)));
        Some(CheckpointError::OtherOption { name: name.clone(), theirs, ours })
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    lazuli_checkpoint: u32,
    #[serde(flatten)]
    identity: Identity,
}

/// Every other line: what was done, and what it came to.
#[derive(Serialize, Deserialize)]
struct Line<T> {
    work: Work,
    part: T,
}

/// Where a line is.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    /// Its first byte.
    at: u64,
}

/// A file of finished parts.
pub struct Checkpoint {
    path: PathBuf,
    file: Mutex<File>,
    /// The line of each piece of work.
    known: HashMap<Work, Place>,
}

impl Checkpoint {
    /// Begins a checkpoint. Nothing is overwritten.
    pub fn create(path: &Path, identity: &Identity) -> Result<Checkpoint, Error> {
        let header = Header { lazuli_checkpoint: VERSION, identity: identity.clone() };
        let create = || -> Result<File, CheckpointError> {
            let mut file = match OpenOptions::new().read(true).append(true).create_new(true).open(path) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(CheckpointError::Exists),
                file => file.map_err(CheckpointError::Io)?,
            };
            write_line(&mut file, &header).map_err(CheckpointError::Io)?;
            Ok(file)
        };
        let file = create().map_err(|error| Error::Checkpoint { path: path.into(), error })?;
        Ok(Checkpoint { path: path.into(), file: Mutex::new(file), known: HashMap::new() })
    }

    /// Continues a checkpoint of the same program and options.
    pub fn resume(path: &Path, identity: &Identity) -> Result<Checkpoint, Error> {
        let wrong = |error| Error::Checkpoint { path: path.into(), error };
        let io = |error| wrong(CheckpointError::Io(error));
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(io)?;
        let mut lines = BufReader::new(&file);
        let mut text = Vec::new();
        let mut at = lines.read_until(b'\n', &mut text).map_err(io)? as u64;
        let header: Header =
            serde_json::from_slice(&text).map_err(|error| wrong(CheckpointError::NotACheckpoint(error.to_string())))?;
        if header.lazuli_checkpoint != VERSION {
            let why = format!("it has version {}, this is version {VERSION}", header.lazuli_checkpoint);
            return Err(wrong(CheckpointError::NotACheckpoint(why)));
        }
        if let Some(error) = header.identity.differs(identity) {
            return Err(wrong(error));
        }
        let mut known = HashMap::new();
        for number in 2.. {
            text.clear();
            let length = lines.read_until(b'\n', &mut text).map_err(io)? as u64;
            if length == 0 {
                break;
            }
            let read: Result<Line<serde::de::IgnoredAny>, _> = serde_json::from_slice(&text);
            match read {
                Ok(line) if text.ends_with(b"\n") => _ = known.insert(line.work, Place { line: number, at }),
                // The process was killed while it wrote its last line.
                _ if lines.fill_buf().map_err(io)?.is_empty() => {
                    file.set_len(at).map_err(io)?;
                    break;
                }
                Ok(_) => unreachable!("only the last line has no end"),
                Err(why) => return Err(wrong(CheckpointError::Damaged { line: number, why: why.to_string() })),
            }
            at += length;
        }
        drop(lines);
        Ok(Checkpoint { path: path.into(), file: Mutex::new(file), known })
    }

    /// How many parts there were when it was opened.
    pub fn parts(&self) -> usize {
        self.known.len()
    }

    fn error(&self, error: CheckpointError) -> Error {
        Error::Checkpoint { path: self.path.clone(), error }
    }

    /// What a piece of work came to, if it was done before.
    pub(crate) fn find(&self, program: &Program, work: &Work) -> Result<Option<Part>, Error> {
        let Some(&Place { line, at }) = self.known.get(work) else { return Ok(None) };
        let text = self.line(at).map_err(|error| self.error(CheckpointError::Io(error)))?;
        let damaged = |why: String| self.error(CheckpointError::Damaged { line, why });
        let read: Line<Part<TraceRecord>> = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        read.part.try_map(|trace| trace.trace(program)).map(Some).map_err(damaged)
    }

    fn line(&self, at: u64) -> std::io::Result<String> {
        let mut file = self.file.lock().expect("nobody panics while writing");
        file.seek(SeekFrom::Start(at))?;
        let mut text = String::new();
        BufReader::new(Read::by_ref(&mut *file)).read_line(&mut text)?;
        Ok(text)
    }

    /// Adds what a piece of work came to.
    pub(crate) fn add(&self, program: &Program, work: &Work, part: &Part) -> Result<(), Error> {
        let part = part.clone().map(|trace| TraceRecord::of(program, &trace));
        let line = Line { work: work.clone(), part };
        let mut file = self.file.lock().expect("nobody panics while writing");
        write_line(&mut file, &line).map_err(|error| self.error(CheckpointError::Io(error)))
    }
}

/// In one piece, so that a line is there whole, or is the last one.
fn write_line(file: &mut File, line: &impl Serialize) -> std::io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    file.write_all(&text)
}
