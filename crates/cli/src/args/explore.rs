//! The command line of `lazuli explore`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use lazuli::{HeapKind, Judge, Options, Search, TraceDetail};
use lazuli_program::frontend::java::is_java;

use super::coverage::CoverageArgs;
use super::{InvariantArgs, Limits, Solving, Subject, common};
use crate::style::Style;
use crate::terminal;

#[derive(ClapArgs)]
pub struct Explore {
    #[command(flatten)]
    pub subject: Subject,
    /// The method to execute, as --entry names it
    #[arg(value_name = "METHOD", conflicts_with = "entry")]
    pub method: Option<String>,
    /// What an unknown reference becomes: lazy, lazier, lazier#, uber-lazy, summary, pose, or pose-ite
    /// (pose as it was published)
    #[arg(long, default_value = "pose", value_name = "MODEL")]
    pub heap: HeapKind,
    #[command(flatten)]
    pub limits: Limits,
    /// The order in which paths are explored; dfs goes breadth first for a while where it finds nothing
    #[arg(long, value_enum, default_value = "dfs")]
    pub search: SearchOrder,
    /// The seed of --search random
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Workers; the result is the same for every number
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// What is made of each trace: condition and witness, its decisions only, or nothing but counts (and the decisions of
    /// violations)
    #[arg(long, value_enum, default_value = "full")]
    pub traces: Detail,
    /// Who is asked whether each witness does what its trace says: the engine itself, on constants (its witnesses are "replayed"); a
    /// real JVM (Java; "confirmed"), which EXECUTES THE CODE UNDER ANALYSIS with your rights; or nobody
    #[arg(long, value_enum, default_value = "engine", value_name = "JUDGE")]
    pub confirm: Confirm,
    /// How many behaviours of a Java program, or traces of others, the text prints; violations are always printed
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub show: u64,
    /// Print the formulas too, and what it took
    #[arg(short, long)]
    pub verbose: bool,
    /// Print only violations and the verdict, and no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Text, one JSON object, or JSON lines: a header, a line for every trace when it is found, and an end with the counts
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write every finished part of the run to this new file
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub checkpoint: Option<PathBuf>,
    /// Continue the run of this checkpoint: what it has is not done again
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Print every configuration of the machine: control, environment, continuation, heap
    #[arg(long)]
    pub steps_trace: bool,
    #[command(flatten)]
    pub coverage: CoverageArgs,
    #[command(flatten)]
    pub invariants: InvariantArgs,
    #[command(flatten)]
    pub solving: Solving,
}

impl Explore {
    /// How the text is to look.
    pub fn style(&self) -> Style {
        Style {
            show: self.show,
            verbose: self.verbose,
            quiet: self.quiet,
            colour: terminal::is_painted(),
            width: terminal::width(),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum SearchOrder {
    Dfs,
    Bfs,
    Random,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Detail {
    Full,
    Brief,
    None,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Confirm {
    Jvm,
    Engine,
    None,
}

impl Confirm {
    pub fn judge(self, subject: &Subject) -> Result<Judge, String> {
        match self {
            Confirm::Jvm if !is_java(&subject.program) => {
                Err("--confirm jvm asks a JVM, and the program is not in Java: leave it out".into())
            }
            Confirm::Jvm => Ok(Judge::Jvm),
            Confirm::Engine => Ok(Judge::Engine),
            Confirm::None => Ok(Judge::None),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Jsonl,
}

impl Explore {
    pub fn options(&self) -> Result<Options, String> {
        let search = match self.search {
            SearchOrder::Dfs => Search::Depth,
            SearchOrder::Bfs => Search::Breadth,
            SearchOrder::Random => Search::Random(self.seed),
        };
        let saved = self.checkpoint.is_some() || self.resume.is_some();
        if search != Search::Depth && (self.jobs > 1 || saved) {
            let option = if saved { "--checkpoint saves" } else { "--jobs hands out" };
            return Err(format!("{option} parts of a depth-first search: leave out --search"));
        }
        if self.solving.unwind && self.heap != HeapKind::PoseIte {
            return Err("--unwind counts what the published representation asks: add --heap pose-ite".into());
        }
        let detail = match self.traces {
            Detail::Full => TraceDetail::Full,
            Detail::Brief => TraceDetail::Brief,
            Detail::None => TraceDetail::None,
        };
        let options = common(&self.subject, self.heap, &self.limits, &self.invariants, &self.solving)?;
        let judge = self.confirm.judge(&self.subject)?;
        let coverage = self.coverage.is_wanted();
        if coverage && (judge == Judge::None || detail != TraceDetail::Full || !is_java(&self.subject.program)) {
            return Err("--coverage counts what witnesses of a Java program execute: it needs --traces full, and \
                --confirm engine or jvm"
                .into());
        }
        Ok(Options { search, detail, judge, coverage, ..options })
    }
}
