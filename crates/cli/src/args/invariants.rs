//! Which inputs are valid data structures.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use lazuli::{Bounds, InvariantSource, Most, Technique};
use lazuli_program::frontend::java::is_java;

use super::subject::{InputKind, Subject};
use super::values::parse_most;

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
    /// What the method of the inputs is called that says whether they are valid; by default repOk, repOK or invariant
    #[arg(long, value_name = "NAME", requires = "invariants_by")]
    pub rep_ok: Option<String>,
    /// With --invariants-by bounded: how many objects a valid input may have, of all classes or of one; by default twice as many
    /// as each --n, or 8 without it
    #[arg(long, value_name = "[CLASS=]N", value_parser = parse_most)]
    pub completion: Vec<Most>,
    /// A method that is true of the inputs: static, with the receiver and the parameters or these alone, or of the receiver
    #[arg(long, value_name = "CLASS.METHOD")]
    pub pre: Option<String>,
}

impl InvariantArgs {
    /// What a file says, and a method that is true of the inputs, if there are such.
    pub fn of_file(invariants: Option<PathBuf>, pre: Option<String>) -> InvariantArgs {
        InvariantArgs { invariants, invariants_by: None, rep_ok: None, completion: Vec::new(), pre }
    }

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
        let twice = |most: &Most| Most { number: most.number.saturating_mul(2), ..most.clone() };
        let completion = match (self.completion.is_empty(), bounds.n.is_empty()) {
            (false, _) => self.completion.clone(),
            (true, false) => bounds.n.iter().map(twice).collect(),
            (true, true) => vec![Most::of_all(InvariantSource::OBJECTS)],
        };
        let (file, rep_ok) = (self.invariants.clone(), self.rep_ok.clone());
        Some(InvariantSource { technique, file, completion, rep_ok })
    }
}
