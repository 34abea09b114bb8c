//! Why a program cannot be executed as it is asked for.

use std::fmt;

use lazuli_program::LoadError;

use crate::config::HeapKind;

/// What is wrong with a configuration, for a program.
#[derive(Clone, Debug)]
pub enum SetupError {
    /// There is no method of this name; there are others.
    NoMethod { program: String, name: String, all: Vec<String> },
    /// A program without a main expression needs the name of a method.
    NoMain { program: String, all: Vec<String> },
    /// A literal of the program that the chosen integers do not have.
    Literal(LoadError),
    /// The class whose objects are to be counted.
    NoClass { program: String, name: String },
    /// A technique of invariants needs partial heaps, which this model does not have.
    NoPartialHeaps { technique: &'static str, heap: HeapKind },
    /// What a technique of invariants needs and does not find.
    Technique(String),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoMethod { program, name, all } => {
                write!(f, "there is no method {name} in {program}; there are: {}", all.join(", "))
            }
            SetupError::NoMain { program, all } => {
                write!(f, "{program} has no main expression; choose a method of: {}", all.join(", "))
            }
            SetupError::Literal(error) => write!(f, "{error}"),
            SetupError::NoClass { program, name } => {
                write!(f, "there is no class {name} in {program}, whose objects are to be counted")
            }
            SetupError::NoPartialHeaps { technique, heap } => write!(
                f,
                "{technique} asks about partial heaps, which {heap} does not have; choose lazy, lazier or lazier#"
            ),
            SetupError::Technique(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for SetupError {}

/// For those whose errors are texts.
impl From<SetupError> for String {
    fn from(error: SetupError) -> String {
        error.to_string()
    }
}
