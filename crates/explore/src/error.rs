//! Everything that can be wrong with what a run is asked to do. What a program does is never an error: it is an outcome.

use std::fmt;
use std::path::PathBuf;

use lazuli_engine::drive::Astray;
use lazuli_engine::error::SetupError;
use lazuli_invariant::InvariantsError;
use lazuli_program::LoadError;

/// Why there is no run, or no replay.
#[derive(Debug)]
pub enum Error {
    /// The program could not be read.
    Load(LoadError),
    /// The program cannot be executed with this configuration.
    Setup(SetupError),
    /// The invariants of the input could not be read.
    Invariants(InvariantsError),
    /// The invariants contradict themselves: no such input is valid.
    Contradiction { inputs: String },
    /// A decision path that is no trace of the program.
    Trace(TraceError),
    /// A checkpoint that cannot be written, read or continued.
    Checkpoint { path: PathBuf, error: CheckpointError },
    /// Parts of a depth-first search only can be handed out.
    NotDepthFirst,
}

/// Why a name is not the name of a trace of this program.
#[derive(Clone, Debug)]
pub enum TraceError {
    NotAName(String),
    /// It is only the beginning of one: the trace goes on after these decisions.
    Beginning {
        after: String,
    },
    /// The trace ends after these decisions already.
    Ended {
        after: String,
    },
    NoReceiver,
    /// It leads to no state: there is no such case, or no (valid) input takes it.
    Astray(Astray),
    /// Of some traces, only so many were found again.
    NotFound {
        found: u64,
        wanted: u64,
    },
}

/// What is wrong with a checkpoint.
#[derive(Debug)]
pub enum CheckpointError {
    Io(std::io::Error),
    /// It is there already: nothing is overwritten.
    Exists,
    /// It is no checkpoint, or one of another version.
    NotACheckpoint(String),
    /// A line in its middle cannot be read.
    Damaged {
        line: usize,
        why: String,
    },
    /// It belongs to another program.
    OtherProgram {
        theirs: String,
        ours: String,
    },
    /// It was made with other options; this is the first that differs.
    OtherOption {
        name: String,
        theirs: String,
        ours: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Load(error) => write!(f, "{error}"),
            Error::Setup(error) => write!(f, "{error}"),
            Error::Invariants(error) => write!(f, "{error}"),
            Error::Contradiction { inputs } => {
                write!(f, "the invariants contradict themselves: no {inputs} is valid")
            }
            Error::Trace(error) => write!(f, "{error}"),
            Error::Checkpoint { path, error } => write!(f, "{}: {error}", path.display()),
            Error::NotDepthFirst => f.write_str("only parts of a depth-first search can be handed out and saved"),
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::NotAName(text) => {
                write!(f, "{text} is not the name of a trace: numbers with dots are, or -")
            }
            TraceError::Beginning { after } => {
                write!(f, "the trace goes on after {after}: the name is only the beginning of one")
            }
            TraceError::Ended { after } => write!(f, "the trace already ends after {after}"),
            TraceError::NoReceiver => f.write_str("no valid input has a receiver"),
            TraceError::Astray(astray) => write!(f, "{astray}"),
            TraceError::NotFound { found, wanted } => write!(f, "only {found} of {wanted} traces were found again"),
        }
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) => write!(f, "{error}"),
            CheckpointError::Exists => f.write_str("there is such a file already: continue it, or remove it first"),
            CheckpointError::NotACheckpoint(why) => write!(f, "this is no checkpoint: {why}"),
            CheckpointError::Damaged { line, why } => write!(f, "line {line} is damaged: {why}"),
            CheckpointError::OtherProgram { theirs, ours } => {
                write!(f, "the checkpoint is of another program: {theirs}; this is {ours}")
            }
            CheckpointError::OtherOption { name, theirs, ours } => {
                write!(f, "the checkpoint was made with other options: {name} is {theirs} there and {ours} here")
            }
        }
    }
}

impl std::error::Error for Error {}
impl std::error::Error for TraceError {}
impl std::error::Error for CheckpointError {}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Error {
        Error::Load(error)
    }
}

impl From<SetupError> for Error {
    fn from(error: SetupError) -> Error {
        Error::Setup(error)
    }
}

impl From<TraceError> for Error {
    fn from(error: TraceError) -> Error {
        Error::Trace(error)
    }
}

/// For those whose errors are texts.
impl From<Error> for String {
    fn from(error: Error) -> String {
        error.to_string()
    }
}
