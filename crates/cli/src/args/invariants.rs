//! Which inputs are valid data structures.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use lazuli::{Bounds, InvariantSource, Invariants, Technique};
use lazuli_program::frontend::java::is_java;

use super::subject::{InputKind, Subject};

/// Which inputs are valid data structures.
#[derive(ClapArgs)]
pub struct InvariantArgs {
    /// The invariants of the input: a file in HEX (.hex) or a directory of such files, rules of JBSE (.jbse), or shapes of trees (.mso); of a
    /// program in Java, by default the file lazuli.hex beside it
    #[arg(long, value_name = "FILE")]
    pub invariants: Option<PathBuf>,
    /// The technique that evaluates them: hex or mso, from the file; prep, consp or bounded, by the methods repOk of the inputs
    #[arg(long, value_name = "TECHNIQUE")]
    pub invariants_by: Option<Technique>,
    /// With --invariants-by bounded: how many objects (that --n counts) a valid input may have; by default twice as many as --n,
    /// or 8 without it
    #[arg(long, value_name = "N")]
    pub completion: Option<u32>,
}

impl InvariantArgs {
    /// The name of the file that is used where none is given.
    const BESIDE: &str = "lazuli.hex";

    /// Without a file, takes the one that lies beside a program in Java, if there is one.
    pub fn look_beside(&mut self, subject: &Subject) {
        let path = &subject.program;
        let is_given = self.invariants.is_some() || self.invariants_by.is_some();
        if is_given || matches!(subject.java.inputs, InputKind::Any) || !is_java(path) || path == Path::new("jdk") {
            return;
        }
        let directory = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
        self.invariants = directory.map(|directory| directory.join(Self::BESIDE)).filter(|file| file.is_file());
    }

    /// Where they come from, if there are any.
    pub fn source(&self, bounds: &Bounds) -> Option<InvariantSource> {
        let technique = match (self.invariants_by, &self.invariants) {
            (None, None) => return None,
            (technique, _) => technique.unwrap_or(Technique::Hex),
        };
        let objects = self.completion.unwrap_or_else(|| bounds.n.map_or(Invariants::OBJECTS, |n| n.saturating_mul(2)));
        Some(InvariantSource { technique, file: self.invariants.clone(), objects })
    }
}
