//! The command lines of `lazuli compare` and `lazuli replay`, which explore again what `explore` does.

use clap::{Args as ClapArgs, ValueEnum};
use lazuli::{HeapKind, Options, TraceDetail};

use super::{InvariantArgs, Limits, Solving, Subject, common};

#[derive(ClapArgs)]
pub struct Compare {
    #[command(flatten)]
    pub subject: Subject,
    /// The heap models, separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "lazy,lazier,lazier#,uber-lazy,summary,pose",
        value_name = "MODELS"
    )]
    pub heaps: Vec<HeapKind>,
    /// Check that the models are exact: every concrete input heap is represented by one trace of each, which goes where the
    /// program goes on it. A program in Java is executed on every heap by a real JVM
    #[arg(long)]
    pub exact: bool,
    /// With --exact: the heaps are all those with at most so many objects, and the traces' witnesses
    #[arg(long, default_value_t = 3, value_name = "N", requires = "exact")]
    pub objects: usize,
    /// With --exact: beyond so many heaps a sample of them
    #[arg(long, default_value_t = 20_000, value_name = "N", requires = "exact")]
    pub max_heaps: usize,
    #[command(flatten)]
    pub limits: Limits,
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    #[command(flatten)]
    pub invariants: InvariantArgs,
    #[command(flatten)]
    pub solving: Solving,
}

impl Compare {
    pub fn options(&self, heap: HeapKind) -> Result<Options, String> {
        let options = common(&self.subject, heap, &self.limits, &self.invariants, &self.solving)?;
        Ok(Options { detail: TraceDetail::None, ..options })
    }
}

#[derive(ClapArgs)]
pub struct Replay {
    #[command(flatten)]
    pub subject: Subject,
    /// The trace's name, such as 0.1.1 (or - for the one without decisions)
    #[arg(allow_hyphen_values = true)]
    pub trace: String,
    #[arg(long, value_enum, default_value = "text")]
    pub format: ReplayFormat,
    /// The heap model of the run that named the trace
    #[arg(long, default_value = "pose", value_name = "MODEL")]
    pub heap: HeapKind,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub invariants: InvariantArgs,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ReplayFormat {
    Text,
    Json,
}

impl Replay {
    pub fn options(&self) -> Result<Options, String> {
        common(&self.subject, self.heap, &self.limits, &self.invariants, &self.solving)
    }
}
