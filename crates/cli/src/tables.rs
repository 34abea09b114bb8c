//! `lazuli tables`: the documents' tables, ours beside theirs. One table a file.

pub mod hex;
pub mod pose;
pub mod summaries;

use crate::args::{Table, Tables};

pub fn run(args: &Tables) -> Result<u8, String> {
    let subjects = args.programs.join(match args.table {
        Table::Pose => "pose",
        Table::Summaries => "summaries",
        Table::Hex => "hex/subjects",
    });
    if !subjects.is_dir() {
        return Err(format!(
            "there is no directory {}: start lazuli in the project's root, or say where the programs are with --programs",
            subjects.display()
        ));
    }
    match args.table {
        Table::Pose => pose::run(args),
        Table::Summaries => summaries::run(args),
        Table::Hex => hex::run(args),
    }
}

/// Says that the user ended a table before there was anything to show; with the exit code.
fn interrupted() -> u8 {
    println!("incomplete: stopped by interrupted");
    3
}

/// A number of a document and what we say of it.
#[derive(Clone, Copy, Debug)]
pub enum Figure {
    /// It must come out as published.
    Holds(u64),
    /// Another number must come out, for a reason.
    Corrected { published: u64, ours: u64, why: &'static str },
    /// It depends on how much is simplified before anything is asked: shown, not demanded.
    Open { published: u64, why: &'static str },
    /// It must come out, but the document does not have it.
    Unpublished(u64),
}

impl Figure {
    pub fn published(&self) -> Option<u64> {
        match *self {
            Figure::Holds(published) | Figure::Corrected { published, .. } | Figure::Open { published, .. } => {
                Some(published)
            }
            Figure::Unpublished(_) => None,
        }
    }

    /// What must come out, if anything must.
    pub fn expected(&self) -> Option<u64> {
        match *self {
            Figure::Holds(number) | Figure::Corrected { ours: number, .. } | Figure::Unpublished(number) => {
                Some(number)
            }
            Figure::Open { .. } => None,
        }
    }

    /// Why ours is another number than the published one.
    pub fn why(&self) -> Option<&'static str> {
        match *self {
            Figure::Corrected { why, .. } | Figure::Open { why, .. } => Some(why),
            Figure::Holds(_) | Figure::Unpublished(_) => None,
        }
    }

    pub fn is_met(&self, ours: u64) -> bool {
        self.expected().is_none_or(|expected| expected == ours)
    }
}
