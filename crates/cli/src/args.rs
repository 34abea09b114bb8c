//! The command line.

pub mod check;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use lazuli::{
    Bounds, Environment, HeapKind, IdentityHash, Inputs, Ints, InvariantSource, Invariants, Judge, Options, Search,
    Source, Technique, TraceDetail, Varying,
};
use lazuli_logic::solver::backend::EFFORT;
use lazuli_logic::{SolverConfig, SolverKind};
use lazuli_program::frontend::java::is_java;

use crate::style::Style;
use crate::terminal;

/// Symbolic execution of programs whose inputs live on the heap.
///
/// Everything an entry method can reach is unknown; every feasible path is explored; each comes with its condition, its
/// outcome, and a concrete input heap that was replayed.
///
/// Exit codes: 1 a property was violated, and no judge refuted the witness; otherwise 2 bad usage or input; otherwise 3 something was cut off
/// that the command line does not bound, or a judge refuted a witness; otherwise 0.
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
    /// Check the methods of a class, a jar or a project: are there inputs on which they fail?
    Check(Box<check::Check>),
    /// Explore a program under several heap models: one table, one row a model
    Compare(Compare),
    /// Run one trace again, from its decisions
    Replay(Replay),
    /// Check invariants of the input, and draw all complete heaps that they accept
    Hex(HexArgs),
    /// Print the intermediate representation
    Ir(Ir),
    /// The documents' tables, ours beside theirs
    Tables(Tables),
    /// Compare calls of Java's library with the JVM, or see how many methods of jars are executed
    Audit(Audit),
}

#[derive(ClapArgs)]
pub struct Explore {
    #[command(flatten)]
    pub subject: Subject,
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
        if is_given || matches!(subject.inputs, InputKind::Any) || !is_java(path) || path == Path::new("jdk") {
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

#[derive(ClapArgs)]
pub struct Subject {
    /// The program: a file in the tiny object language (.pose, .txt) or in Javalite (.jvl); or Java: a .class, .jar or .java file,
    /// a directory of classes, or the word jdk for the JDK's own library
    pub program: PathBuf,
    /// The method to execute; by default the program's main expression or only method
    #[arg(long, value_name = "CLASS.METHOD")]
    pub entry: Option<String>,
    /// Java: further directories, jars and sources, separated by colons
    #[arg(long = "cp", value_name = "PATHS")]
    pub class_path: Option<String>,
    /// Java: inputs are what programs can make, or all that fits the declared types
    #[arg(long, value_enum, default_value = "valid", value_name = "WHICH")]
    pub inputs: InputKind,
    /// Java: the classes that inputs of a type or field have, such as TreeMap.Entry.key=java.lang.Integer, or several with |
    #[arg(long, value_name = "WHAT=CLASSES")]
    pub types: Vec<String>,
    /// Java: the greatest length of input strings
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub max_string: u32,
    /// Java: the greatest length of input arrays
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub max_array: u32,
    /// Java: the static fields of this class are inputs, once its initialiser has run
    #[arg(long, value_name = "CLASS")]
    pub symbolic_statics: Vec<String>,
    /// Java: what Object.hashCode gives: 1, 2, … in the order of the questions, or any number
    #[arg(long, value_enum, default_value = "numbered", value_name = "WHAT")]
    pub identity_hash: Hashes,
    /// Java: what differs from run to run (the time, unseeded random numbers) stops the path that depends on it, or is an input
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT")]
    pub machine: Machine,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum InputKind {
    /// What generic types hold is respected, and what is known of the JDK's classes holds
    Valid,
    Any,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Hashes {
    Numbered,
    Unknown,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Machine {
    Stop,
    Unknown,
}

/// Arrays of classes of which an input can be only one: what it may hold would depend on which of them it is.
fn arrays_alike(classes: &[String]) -> Option<String> {
    let holds_references = |class: &&str| class.starts_with("[L") || class.starts_with("[[");
    let holds_bytes = |class: &&str| matches!(*class, "[B" | "[Z");
    let names = || classes.iter().map(String::as_str);
    let kinds: [Vec<&str>; 2] = [names().filter(holds_references).collect(), names().filter(holds_bytes).collect()];
    kinds.iter().find(|alike| alike.len() > 1).map(|alike| alike.join(" and "))
}

impl Subject {
    /// Where the program comes from.
    pub fn source(&self) -> Result<Source, String> {
        let mut types = Vec::new();
        for text in &self.types {
            let Some((of, classes)) = text.split_once('=') else {
                return Err(format!("--types {text}: TYPE=CLASS or FIELD=CLASS is wanted"));
            };
            let classes: Vec<String> = classes.split('|').map(str::to_string).collect();
            if let Some(alike) = arrays_alike(&classes) {
                return Err(format!("--types {text}: {alike} have elements of one kind; name one of them"));
            }
            types.push((of.to_string(), classes));
        }
        let class_path = self.class_path.iter().flat_map(|paths| paths.split(':')).filter(|path| !path.is_empty());
        Ok(Source {
            entry: self.entry.clone().filter(|_| is_java(&self.program)),
            class_path: class_path.map(PathBuf::from).collect(),
            inputs: match self.inputs {
                InputKind::Valid => Inputs::Valid,
                InputKind::Any => Inputs::Any,
            },
            types,
            max_string: self.max_string,
            max_array: self.max_array,
            symbolic_statics: self.symbolic_statics.clone(),
            ..Source::new(&self.program)
        })
    }

    /// Adds libraries behind what the command line has.
    pub fn add_libraries(&mut self, libraries: &[PathBuf]) -> Result<(), String> {
        let mut class_path = self.class_path.take().unwrap_or_default();
        for library in libraries {
            let path = library.to_str().filter(|path| !path.contains(':'));
            let path = path.ok_or_else(|| format!("{} cannot be an entry of a class path", library.display()))?;
            class_path += &format!(":{path}");
        }
        self.class_path = Some(class_path);
        Ok(())
    }

    /// What is taken for granted of the machine under the program.
    pub fn environment(&self) -> Environment {
        Environment {
            identity_hash: match self.identity_hash {
                Hashes::Numbered => IdentityHash::Numbered,
                Hashes::Unknown => IdentityHash::Unknown,
            },
            varying: match self.machine {
                Machine::Stop => Varying::Stops,
                Machine::Unknown => Varying::Unknown,
            },
        }
    }

    /// The entry of a program in one of the tiny languages; one in Java is resolved when it is read.
    pub fn tiny_entry(&self) -> Option<String> {
        self.entry.clone().filter(|_| !is_java(&self.program))
    }
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
    /// The class whose objects --n counts; otherwise all
    #[arg(long, value_name = "CLASS", requires = "n")]
    pub n_of: Option<String>,
    /// Under lazy, lazier and lazier#: a fresh input object is of its declared class exactly, as in JBSE
    #[arg(long)]
    pub exact_types: bool,
    /// Stop after this many traces
    #[arg(long, value_name = "N")]
    pub max_traces: Option<u64>,
    /// Stop after this time, such as 500ms, 30s, 5m, 2h, or none; 1h unless something is said
    #[arg(long, value_name = "TIME", value_parser = parse_timeout)]
    pub timeout: Option<Limit<Duration>>,
    /// Stop when the process has this much resident memory, such as 300M, 2G, or none; half of the machine's unless something is
    /// said
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub max_memory: Option<Limit<u64>>,
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
    /// How much effort the back end may spend on one query, in conflicts of CaDiCaL (or as much of what Z3 counts): about
    /// 10,000 a second, and the same answers on a busy machine
    #[arg(long, default_value_t = EFFORT, value_name = "N")]
    pub solver_effort: u64,
    /// With --heap pose-ite: count the ite-free sub-queries that POSE-unwind asks
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
    pub invariants: InvariantArgs,
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
pub struct Ir {
    #[command(flatten)]
    pub subject: Subject,
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
    /// Of the table of techniques: the time for one target by one technique, and as much again for measuring its traces
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = parse_duration)]
    pub cell_time: Duration,
    /// Of the table of techniques: also a page with the figures, in this directory
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
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
    /// Symbolic execution of programs with heap inputs: HEX and the other techniques
    Hex,
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

#[derive(Clone, Copy, ValueEnum)]
pub enum ReplayFormat {
    Text,
    Json,
}

/// A limit, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit<T>(pub Option<T>);

#[derive(Clone, Copy, ValueEnum)]
pub enum Backend {
    /// The bits where the query has no unbounded integer, Z3 for the rest
    Auto,
    Z3,
    /// The bit-blaster over CaDiCaL; in the tiny languages it needs --ints 8, 16, 32 or 64
    Bits,
}

impl Limits {
    pub fn bounds(&self) -> Bounds {
        let usual = Bounds::default();
        Bounds {
            depth: self.max_depth,
            steps: self.max_steps,
            calls: self.max_calls,
            k: self.k,
            n: self.n,
            n_of: self.n_of.clone(),
            exact_types: self.exact_types,
            traces: self.max_traces,
            time: self.timeout.map_or(usual.time, |limit| limit.0),
            memory: self.max_memory.map_or(usual.memory, |limit| limit.0),
        }
    }
}

impl Solving {
    /// The integers of Java have a width, whatever `--ints` says of those of the tiny languages.
    pub fn config(&self, subject: &Subject) -> Result<SolverConfig, String> {
        let is_unbounded = self.ints == Ints::Unbounded && !is_java(&subject.program);
        let kind = match self.solver {
            Backend::Auto => SolverKind::Auto,
            Backend::Z3 => SolverKind::Z3,
            Backend::Bits if is_unbounded => {
                return Err("--solver bits decides fixed-width integers only: add --ints 32".into());
            }
            Backend::Bits => SolverKind::Bits,
        };
        if self.cross_check && is_unbounded {
            return Err("--cross-check compares two solvers, and only Z3 has unbounded integers: add --ints 32".into());
        }
        Ok(SolverConfig {
            kind,
            cross_check: self.cross_check,
            unwind: self.unwind,
            effort: self.solver_effort,
            backend_only: self.backend_only,
        })
    }
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
        Ok(Options { search, detail, judge: self.confirm.judge(&self.subject)?, ..options })
    }
}

impl Compare {
    pub fn options(&self, heap: HeapKind) -> Result<Options, String> {
        let options = common(&self.subject, heap, &self.limits, &self.invariants, &self.solving)?;
        Ok(Options { detail: TraceDetail::None, ..options })
    }
}

impl Replay {
    pub fn options(&self) -> Result<Options, String> {
        common(&self.subject, self.heap, &self.limits, &self.invariants, &self.solving)
    }
}

/// What several commands have in common.
pub fn common(
    subject: &Subject,
    heap: HeapKind,
    limits: &Limits,
    invariants: &InvariantArgs,
    solving: &Solving,
) -> Result<Options, String> {
    let bounds = limits.bounds();
    Ok(Options {
        heap,
        entry: subject.tiny_entry(),
        invariants: invariants.source(&bounds),
        bounds,
        ints: solving.ints,
        environment: subject.environment(),
        solver: solving.config(subject)?,
        ..Options::default()
    })
}

pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
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

fn parse_range(text: &str) -> Result<(i64, i64), String> {
    let numbers = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    numbers.filter(|(low, high)| low <= high).ok_or_else(|| format!("{text} is not a range: write 0..3 or -1..5"))
}

fn parse_timeout(text: &str) -> Result<Limit<Duration>, String> {
    limit(text, parse_duration)
}

pub(crate) fn parse_memory(text: &str) -> Result<Limit<u64>, String> {
    limit(text, parse_size)
}

fn limit<T>(text: &str, parse: fn(&str) -> Result<T, String>) -> Result<Limit<T>, String> {
    match text {
        "none" => Ok(Limit(None)),
        _ => parse(text).map(|limit| Limit(Some(limit))),
    }
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
