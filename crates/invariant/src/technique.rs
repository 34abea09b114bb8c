//! The techniques by their names.

use std::fmt;
use std::str::FromStr;

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
