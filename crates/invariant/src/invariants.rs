//! The invariants of a run, as they are asked for: which technique evaluates them, and what it reads.

use std::any::Any;
use std::fmt;
use std::path;
use std::sync::Arc;

use lazuli_engine::config::{Config, Most};
use lazuli_engine::context::{Assumptions, Context};
use lazuli_engine::invariant::{Calls, Invariant, Path};
use lazuli_engine::outcome::Outcome;
use lazuli_engine::suspend::Step;
use lazuli_program::{LoadError, Program};
use serde::{Deserialize, Serialize};

use crate::hex::{self, Hex};
use crate::mso::trees::{self, Tree};
use crate::technique::Technique;
use crate::{bounded, consp, evaluate, mso, prep};

/// Where the invariants of the input come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvariantSource {
    pub technique: Technique,
    /// HEX or shapes of trees; the other techniques take methods of the program.
    pub file: Option<path::PathBuf>,
    /// Of the bounded technique: how many objects a valid input may have.
    pub completion: Vec<Most>,
    /// What the method is called that says whether an object is valid; otherwise by one of the usual names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rep_ok: Option<String>,
}

impl InvariantSource {
    /// The objects of a completion, where nobody says how many.
    pub const OBJECTS: u32 = 8;

    /// Methods of the program, by a technique.
    pub fn methods(technique: Technique, completion: Vec<Most>) -> InvariantSource {
        InvariantSource { technique, file: None, completion, rep_ok: None }
    }

    /// What a file says, by a technique.
    pub fn file(technique: Technique, file: &path::Path) -> InvariantSource {
        InvariantSource { technique, file: Some(file.into()), completion: Vec::new(), rep_ok: None }
    }
}

/// The invariants of a run.
#[derive(Debug)]
pub struct Invariants {
    pub technique: Technique,
    /// Those of HEX.
    pub hex: Arc<Hex>,
    /// Of the bounded technique: the objects that a completion may have.
    pub completion: Vec<Most>,
    /// What the method is called that says whether an object is valid; otherwise by one of the usual names.
    pub rep_ok: Option<String>,
    /// A method of the program that is true of all inputs: `Class.method`.
    pub pre: Option<String>,
    /// A method of the program that is true of what the entry leaves behind, and of its result: `Class.method`.
    pub post: Option<String>,
    /// The shapes of the mso technique.
    pub trees: Vec<Tree>,
}

impl Invariants {
    /// For a configuration.
    pub fn shared(self) -> Arc<dyn Invariant> {
        Arc::new(self)
    }

    /// Those of a configuration; none if it has others than these.
    pub fn of(config: &Config) -> Option<&Invariants> {
        let invariant: &dyn Any = config.invariants.as_deref()?;
        invariant.downcast_ref()
    }

    /// Those of HEX, by HEX.
    pub fn of_hex(hex: Hex) -> Invariants {
        Invariants {
            technique: Technique::Hex,
            hex: hex.into(),
            completion: Vec::new(),
            rep_ok: None,
            pre: None,
            post: None,
            trees: Vec::new(),
        }
    }

    /// The same, with methods that are true before and after the entry.
    pub fn with_contract(invariants: Option<Invariants>, pre: Option<&str>, post: Option<&str>) -> Option<Invariants> {
        if pre.is_none() && post.is_none() {
            return invariants;
        }
        let invariants = invariants.unwrap_or_else(|| Invariants::of_hex(Hex::default()));
        Some(Invariants { pre: pre.map(str::to_string), post: post.map(str::to_string), ..invariants })
    }

    /// Whether methods are executed before the program, by a harness.
    pub(crate) fn has_harness(&self) -> bool {
        self.technique == Technique::Prep || self.pre.is_some()
    }

    /// What is known of inputs where nobody says anything: the files that come with the program, if one is about an input.
    pub fn usual(program: &Program) -> Result<Option<Invariants>, InvariantsError> {
        let hex = hex::add_bundled(program, Hex::default())?;
        Ok((!hex.statements.is_empty()).then(|| Invariants::of_hex(hex)))
    }

    /// Reads what a technique needs from a file: HEX, or the shapes of trees. The others have methods of the program instead.
    pub fn load(source: &InvariantSource, program: &Program) -> Result<Self, InvariantsError> {
        let InvariantSource { technique, completion, rep_ok, .. } = source.clone();
        let mut invariants = Invariants { technique, completion, rep_ok, ..Invariants::of_hex(Hex::default()) };
        match (technique, source.file.as_deref()) {
            (Technique::Hex, Some(path)) => {
                let hex = hex::load(program, path).and_then(|hex| hex::add_bundled(program, hex));
                invariants.hex = hex?.into();
            }
            (Technique::Mso, Some(path)) => {
                invariants.trees = trees::load(program, path).map_err(InvariantsError::Trees)?
            }
            (Technique::Hex | Technique::Mso, None) => {
                return Err(InvariantsError::NeedsFile(technique));
            }
            (_, Some(_)) => return Err(InvariantsError::NeedsMethods(technique)),
            (_, None) => {}
        }
        Ok(invariants)
    }
}

/// Why the invariants of a question cannot be had.
#[derive(Clone, Debug)]
pub enum InvariantsError {
    /// A file of HEX could not be read.
    Hex(LoadError),
    /// A file with the shapes of trees could not be read.
    Trees(String),
    /// The technique takes the invariants from a file, and there is none.
    NeedsFile(Technique),
    /// The technique takes the invariants from methods of the program, and there is a file.
    NeedsMethods(Technique),
}

impl From<LoadError> for InvariantsError {
    fn from(error: LoadError) -> InvariantsError {
        InvariantsError::Hex(error)
    }
}

impl fmt::Display for InvariantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvariantsError::Hex(error) => write!(f, "{error}"),
            InvariantsError::Trees(why) => f.write_str(why),
            InvariantsError::NeedsFile(technique) => write!(f, "{technique} needs a file of invariants"),
            InvariantsError::NeedsMethods(technique) => {
                write!(f, "{technique} takes the invariants from methods, not from a file")
            }
        }
    }
}

impl std::error::Error for InvariantsError {}

impl Invariant for Invariants {
    fn begin(&self, cx: &mut Context) -> Option<Box<dyn Assumptions>> {
        let says_something = self.technique == Technique::Hex && !self.hex.statements.is_empty();
        says_something.then(|| evaluate::begin(cx, self.hex.clone()))
    }

    fn calls(&self) -> Calls {
        if self.technique == Technique::Hex { evaluate::calls(&self.hex) } else { Calls::Never }
    }

    fn admit(&self, path: &mut dyn Path) -> Step {
        match self.technique {
            Technique::Consp => consp::admit(path),
            Technique::Bounded => bounded::admit(path, &self.completion),
            Technique::Mso => mso::admit(path, &self.trees),
            Technique::Hex | Technique::Prep => Ok(()),
        }
    }

    fn admit_end(&self, path: &mut dyn Path, outcome: &Outcome) -> Step {
        if self.has_harness() {
            prep::admit_end(path, outcome)?;
        }
        match self.technique {
            Technique::Bounded => bounded::admit(path, &self.completion),
            Technique::Hex | Technique::Prep | Technique::Consp | Technique::Mso => Ok(()),
        }
    }
}
