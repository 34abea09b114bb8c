//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use lazuli_engine::config::{Bounds, Config, HeapKind, Ints, Search, TraceDetail};
use lazuli_logic::{SolverConfig, SolverKind};

/// Symbolic execution of programs whose inputs live on the heap.
///
/// Everything an entry method can reach is unknown; every feasible path is explored; each comes with its condition, its
/// outcome, and a concrete input heap that was replayed.
///
/// Exit codes: 0 explored completely, 1 a property was violated, 2 bad usage or input, 3 stopped by a budget or a limit.
#[derive(Parser)]
#[command(name = "lazuli", version)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Explore all feasible paths of a program
    Explore(Explore),
    /// Explore a program under several heap models: one table, one row a model
    Compare(Compare),
    /// Run one trace again, from its decisions
    Replay(Replay),
    /// Print the intermediate representation
    Ir(Ir),
    /// The documents' tables, ours beside theirs
    Tables(Tables),
}

#[derive(ClapArgs)]
pub struct Explore {
    #[command(flatten)]
    pub subject: Subject,
    /// What an unknown reference becomes: lazy, lazier, lazier# or pose
    #[arg(long, default_value = "pose", value_name = "MODEL")]
    pub heap: HeapKind,
    #[command(flatten)]
    pub limits: Limits,
    /// The order in which paths are explored
    #[arg(long, value_enum, default_value = "dfs")]
    pub search: SearchOrder,
    /// The seed of --search random
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Workers; the result is the same for every number
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// What is kept of each trace: condition and witness, its decisions only, or nothing but counts
    #[arg(long, value_enum, default_value = "full")]
    pub traces: Detail,
    /// How many traces are kept; the others are counted
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub keep: usize,
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every configuration of the machine: control, environment, continuation, heap
    #[arg(long)]
    pub steps_trace: bool,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(ClapArgs)]
pub struct Subject {
    /// The program: a file in the tiny object language (.pose, .txt)
    pub program: PathBuf,
    /// The method to execute; by default the program's main expression
    #[arg(long, value_name = "CLASS.METHOD")]
    pub entry: Option<String>,
}

#[derive(ClapArgs)]
pub struct Limits {
    /// Decisions on one path
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    pub max_depth: usize,
    /// Instructions on one path
    #[arg(long, default_value_t = 10_000_000, value_name = "N")]
    pub max_steps: u64,
    /// Nested calls on one path
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub max_calls: usize,
    /// Length of reference chains from the inputs: deeper references are null or aliases
    #[arg(long, value_name = "N")]
    pub k: Option<u32>,
    /// Number of input objects
    #[arg(long, value_name = "N")]
    pub n: Option<u32>,
    /// Under lazy, lazier and lazier#: a fresh input object is of its declared class exactly, as in JBSE
    #[arg(long)]
    pub exact_types: bool,
    /// Stop after this many traces
    #[arg(long, value_name = "N")]
    pub max_traces: Option<u64>,
    /// Stop after this time, such as 500ms, 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Stop when the process has this much resident memory, such as 300M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
}

#[derive(ClapArgs)]
pub struct Solving {
    /// The back end for what the built-in stages do not decide
    #[arg(long, value_enum, default_value = "auto")]
    pub solver: Backend,
    /// Ask both back ends and stop if they disagree
    #[arg(long)]
    pub cross_check: bool,
    /// Give the back end every query that no known model answers
    #[arg(long)]
    pub backend_only: bool,
    /// How long the back end may think about one query
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = parse_duration)]
    pub solver_timeout: Duration,
    /// Count the ite-free sub-queries that POSE-unwind asks
    #[arg(long)]
    pub unwind: bool,
    /// The integers of the tiny languages: unbounded, or 8, 16, 32 or 64 bits with wrap-around
    #[arg(long, default_value = "unbounded", value_name = "BITS", value_parser = parse_ints)]
    pub ints: Ints,
}

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
    /// program goes on it
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
    pub solving: Solving,
}

#[derive(ClapArgs)]
pub struct Replay {
    #[command(flatten)]
    pub subject: Subject,
    /// The trace's name, such as 0.1.1 (or - for the one without decisions)
    #[arg(allow_hyphen_values = true)]
    pub trace: String,
    /// The heap model of the run that named the trace
    #[arg(long, default_value = "pose", value_name = "MODEL")]
    pub heap: HeapKind,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(ClapArgs)]
pub struct Ir {
    /// The program
    pub program: PathBuf,
}

#[derive(ClapArgs)]
pub struct Tables {
    /// Which document's table
    #[arg(value_enum)]
    pub table: Table,
    /// Also the rows that take minutes
    #[arg(long)]
    pub full: bool,
    /// Workers for the large rows
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Where the subject programs are
    #[arg(long, default_value = "programs", value_name = "DIR")]
    pub programs: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Table {
    /// Path-optimal symbolic execution, Table 1
    Pose,
    /// Exact heap summaries from symbolic execution, Table 1
    Summaries,
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
pub enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Backend {
    /// The bits where the query has no unbounded integer, Z3 for the rest
    Auto,
    Z3,
    /// The bit-blaster over CaDiCaL; needs --ints 8, 16, 32 or 64
    Bits,
}

impl Limits {
    pub fn bounds(&self) -> Bounds {
        Bounds {
            depth: self.max_depth,
            steps: self.max_steps,
            calls: self.max_calls,
            k: self.k,
            n: self.n,
            exact_types: self.exact_types,
            traces: self.max_traces,
            time: self.timeout,
            memory: self.max_memory,
        }
    }
}

impl Solving {
    pub fn config(&self) -> Result<SolverConfig, String> {
        let kind = match self.solver {
            Backend::Auto => SolverKind::Auto,
            Backend::Z3 => SolverKind::Z3,
            Backend::Bits if self.ints == Ints::Unbounded => {
                return Err("--solver bits decides fixed-width integers only: add --ints 32".into());
            }
            Backend::Bits => SolverKind::Bits,
        };
        if self.cross_check && self.ints == Ints::Unbounded {
            return Err("--cross-check compares two solvers, and only Z3 has unbounded integers: add --ints 32".into());
        }
        Ok(SolverConfig {
            kind,
            cross_check: self.cross_check,
            unwind: self.unwind,
            timeout: self.solver_timeout,
            backend_only: self.backend_only,
        })
    }
}

impl Explore {
    pub fn config(&self) -> Result<Config, String> {
        let search = match self.search {
            SearchOrder::Dfs => Search::Depth,
            SearchOrder::Bfs => Search::Breadth,
            SearchOrder::Random => Search::Random(self.seed),
        };
        if search != Search::Depth && self.jobs > 1 {
            return Err("--jobs hands out parts of a depth-first search: leave out --search".into());
        }
        Ok(Config {
            heap: self.heap,
            entry: self.subject.entry.clone(),
            bounds: self.limits.bounds(),
            search,
            jobs: self.jobs as usize,
            detail: match self.traces {
                Detail::Full => TraceDetail::Full(self.keep),
                Detail::Brief => TraceDetail::Brief(self.keep),
                Detail::None => TraceDetail::None,
            },
            ints: self.solving.ints,
            solver: self.solving.config()?,
            steps_trace: self.steps_trace,
        })
    }
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text} is not a time: write 500ms, 30s, 5m or 2h");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let millis = match &text[digits..] {
        "ms" => 1,
        "s" | "" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    number.checked_mul(millis).map(Duration::from_millis).ok_or_else(wrong)
}

fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text} is not a size: write 300M or 2G");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let unit: u64 = match &text[digits..] {
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "" => 1,
        _ => return Err(wrong()),
    };
    number.checked_mul(unit).ok_or_else(wrong)
}

fn parse_ints(text: &str) -> Result<Ints, String> {
    match text {
        "unbounded" => Ok(Ints::Unbounded),
        "8" | "16" | "32" | "64" => Ok(Ints::Bits(text.parse().expect("one of four numbers"))),
        _ => Err(format!("{text} is not one of unbounded, 8, 16, 32, 64")),
    }
}
