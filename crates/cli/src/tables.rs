//! `lazuli tables`: the documents' tables, ours beside theirs. One table a file; `output` is where they go, `finished` what an
//! interrupted one goes on from.

mod curves;
pub mod figure2;
pub mod figures;
mod finished;
pub mod hex;
mod output;
pub mod pose;
pub mod summaries;

use crate::args::{Table, Tables};
use finished::{Finished, Question};
use output::Output;

/// How a table ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Everything that must hold does.
    Holds,
    Fails,
    Interrupted,
}

pub fn run(args: &Tables) -> Result<u8, String> {
    let tables: &[Table] = match &args.table {
        Table::All => &[Table::Pose, Table::Summaries, Table::Figure2, Table::Figures, Table::Hex],
        one => std::slice::from_ref(one),
    };
    for table in tables {
        let subjects = args.programs.join(match table {
            Table::Pose | Table::All => "pose",
            Table::Summaries | Table::Figure2 | Table::Figures => "summaries",
            Table::Hex => "hex/subjects",
        });
        if !subjects.is_dir() {
            return Err(format!(
                "there is no directory {}: start lazuli in the project's root, or say where the programs are with --programs",
                subjects.display()
            ));
        }
    }
    let question = Question {
        version: env!("CARGO_PKG_VERSION").into(),
        options: format!("full {}, cell time {} ms", args.full, args.cell_time.as_millis()),
    };
    let mut finished = Finished::open(args.resume.as_deref(), &question)?;
    let mut output = Output::new(args.csv.as_deref(), args.html.as_deref())?;
    let mut ended = Ended::Holds;
    for table in tables {
        let this = match table {
            Table::Pose => pose::run(args, &mut finished, &mut output)?,
            Table::Summaries => summaries::run(args, &mut finished, &mut output)?,
            Table::Figure2 => figure2::run(args, &mut finished, &mut output)?,
            Table::Figures => figures::run(args, &mut output)?,
            Table::Hex => hex::run(args, &mut finished, &mut output)?,
            Table::All => unreachable!("all of them are a list of the others"),
        };
        if this != Ended::Holds && ended != Ended::Fails {
            ended = this;
        }
        if this == Ended::Interrupted {
            println!("incomplete: interrupted");
            break;
        }
    }
    output.finish(ended)?;
    Ok(match ended {
        Ended::Holds => 0,
        Ended::Fails => 1,
        Ended::Interrupted => 3,
    })
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
