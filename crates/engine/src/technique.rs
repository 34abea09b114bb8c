//! The invariants of a run, as they are asked for: which technique evaluates them, and what it reads.

pub mod trees;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use lazuli_program::Program;
use lazuli_program::hex::Hex;
use serde::{Deserialize, Serialize};

/// How the invariants are evaluated: HEX (seed 002), or one of the techniques it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Technique {
    /// Statements about the references of the partial heap, one reference at a time.
    Hex,
    /// The representation invariant as a method, executed before the program.
    Prep,
    /// A conservative representation invariant, executed on the partial heap at every assumption.
    Consp,
    /// Bounded model finding: is there a completion with few objects?
    Bounded,
    /// Monadic second-order logic over tree backbones.
    Mso,
}

impl Technique {
    pub const ALL: [Technique; 5] =
        [Technique::Hex, Technique::Prep, Technique::Consp, Technique::Bounded, Technique::Mso];

    pub fn name(self) -> &'static str {
        match self {
            Technique::Hex => "hex",
            Technique::Prep => "prep",
            Technique::Consp => "consp",
            Technique::Bounded => "bounded",
            Technique::Mso => "mso",
        }
    }
}

impl Technique {
    /// Whether the invariants are in a file; otherwise they are methods of the program.
    pub fn reads_file(self) -> bool {
        matches!(self, Technique::Hex | Technique::Mso)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Technique {
    type Err = String;

    fn from_str(name: &str) -> Result<Technique, String> {
        Technique::ALL.into_iter().find(|t| t.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Technique::ALL.iter().map(|t| t.name()).collect();
            format!("there is no technique {name}; there are {}", names.join(", "))
        })
    }
}

/// The invariants of a run.
#[derive(Debug)]
pub struct Invariants {
    pub technique: Technique,
    /// Those of HEX.
    pub hex: Arc<Hex>,
    /// Of the bounded technique: the objects (that `n` counts) which a completion may have.
    pub objects: u32,
    /// The shapes of the mso technique.
    pub trees: Vec<trees::Tree>,
}

impl Invariants {
    /// The objects of a completion, where nobody says how many.
    pub const OBJECTS: u32 = 8;

    /// Those of HEX, by HEX.
    pub fn of_hex(hex: Hex) -> Invariants {
        Invariants { technique: Technique::Hex, hex: hex.into(), objects: Invariants::OBJECTS, trees: Vec::new() }
    }

    /// Reads what a technique needs from a file: HEX, or the shapes of trees. The others have methods of the program instead.
    pub fn load(technique: Technique, file: Option<&Path>, program: &Program, objects: u32) -> Result<Self, String> {
        let mut invariants = Invariants { technique, hex: Arc::default(), objects, trees: Vec::new() };
        match (technique, file) {
            (Technique::Hex, Some(path)) => {
                invariants.hex = lazuli_program::hex::load(program, path).map_err(|e| e.to_string())?.into();
            }
            (Technique::Mso, Some(path)) => invariants.trees = trees::load(program, path)?,
            (Technique::Hex | Technique::Mso, None) => {
                return Err(format!("{technique} needs a file of invariants: --invariants FILE"));
            }
            (_, Some(_)) => return Err(format!("{technique} takes the invariants from methods, not from a file")),
            (_, None) => {}
        }
        Ok(invariants)
    }
}
