//! The command lines of what explores no program of the user's: pictures of invariants, tables of documents, audits.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};

use super::values::{parse_duration, parse_range};
use super::{Solving, Subject};

#[derive(ClapArgs)]
pub struct HexArgs {
    /// The invariants: a file in HEX (.hex), rules of JBSE (.jbse), or a class of the JDK whose file comes with Lazuli, such as ArrayList
    pub file: PathBuf,
    #[command(flatten)]
    pub subject: Subject,
    /// The heaps have at most so many objects of each class
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub size: u32,
    /// Also every choice of the numbers that the invariants mention, from the least to the greatest; by default one that fits
    #[arg(long, value_name = "LEAST..GREATEST", value_parser = parse_range, allow_hyphen_values = true)]
    pub numbers: Option<(i64, i64)>,
    /// How many heaps are shown; the others are counted
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub show: usize,
    /// Partial heaps to look at
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    pub max_steps: u64,
    /// Write an SVG picture of every heap into this folder
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// Write all pictures onto one page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(ClapArgs)]
pub struct Tables {
    /// Which document's table
    #[arg(value_enum)]
    pub table: Table,
    /// Also the rows that take minutes; of hex, also all pairs of calls
    #[arg(long)]
    pub full: bool,
    /// Workers for the large rows
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Of hex: the time for one target by one technique, and as much again for measuring its traces. Of figure2: for one run
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = parse_duration)]
    pub cell_time: Duration,
    /// Also pages, with figures, in this directory
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// Also a file of comma-separated values for every table, in this directory
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Keep finished rows in this file, and do not measure again what it has
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
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
    /// Exact heap summaries from symbolic execution, Figure 2: time against calls
    Figure2,
    /// Exact heap summaries from symbolic execution, Figures 8, 9 and 12: heaps as bipartite graphs
    Figures,
    /// Symbolic execution of programs with heap inputs: HEX and the other techniques
    Hex,
    /// All of them, one after the other
    All,
}

#[derive(ClapArgs)]
pub struct Audit {
    /// Public methods of the JDK, or of a jar, on constants that a seed chooses: executed here and by the JVM
    #[arg(long, required_unless_present = "methods")]
    pub library: bool,
    /// Public methods of these jars that a seed chooses: each is explored, and how it ends is counted
    #[arg(long, value_name = "JAR", num_args = 1.., conflicts_with_all = ["library", "jar", "calls"])]
    pub methods: Vec<PathBuf>,
    /// With --methods: how many
    #[arg(long, default_value_t = 300, value_name = "N")]
    pub count: usize,
    /// With --methods: how long each may take
    #[arg(long, default_value = "8s", value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Duration,
    /// What is chosen
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// How many calls
    #[arg(long, default_value_t = 3_000, value_name = "N")]
    pub calls: usize,
    /// The methods of this jar, instead of the JDK's
    #[arg(long, value_name = "FILE")]
    pub jar: Option<PathBuf>,
    /// Only methods whose names, with their classes, contain this text
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
}
