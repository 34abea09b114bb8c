//! The command line of `lazuli check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};

use super::coverage::CoverageArgs;
use super::values::parse_duration;
use super::{BoundArgs, Confirm, InvariantArgs, JavaArgs, Limits, Subject};

/// The time for one method, unless something is said.
pub const TIME: &str = "10s";

/// Are there inputs on which a method fails?
///
/// Every public method is executed symbolically, with everything that it can reach unknown. It fails where an assertion does, where an
/// exception leaves it that is neither declared nor thrown on purpose, where it does not end, and where its postcondition does not hold. docs/check.md says it exactly.
///
/// The inputs that were found are given to a real JVM, which EXECUTES THE CODE UNDER ANALYSIS with your rights; --confirm engine does not.
///
/// Exit codes: 1 a method fails; otherwise 2 bad usage or input; otherwise 3 something is unknown, or holds only within limits that the
/// command line does not set; otherwise 0.
#[derive(ClapArgs)]
pub struct Check {
    /// What is checked: a project with a pom.xml or build.gradle that was compiled, a directory of classes or sources, a .jar, .class or .java
    /// file, or the word jdk
    pub target: PathBuf,
    /// Only these classes and methods, such as Order, Order.total or Order.total(int); a method that is named need not be public
    #[arg(value_name = "CLASS[.METHOD]")]
    pub wanted: Vec<String>,
    /// Stop a method at its first confirmed violation; this is the default
    #[arg(long, conflicts_with = "all")]
    pub first: bool,
    /// Look for all violations of a method
    #[arg(long)]
    pub all: bool,
    /// Also exceptions that are thrown on purpose are violations, unless they are declared
    #[arg(long)]
    pub strict: bool,
    /// Try null for every parameter, and as an element; by default only for parameters that are @Nullable or that the method compares with null
    #[arg(long)]
    pub null_args: bool,
    /// Who confirms an input: a real JVM, which EXECUTES THE CODE UNDER ANALYSIS with your rights; the engine itself; or nobody
    #[arg(long, value_enum, default_value = "jvm", value_name = "JUDGE")]
    pub confirm: Confirm,
    /// The time for one method, such as 500ms, 30s, 5m
    #[arg(long, default_value = TIME, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Duration,
    /// Methods that are checked at the same time; by default as many as there are processors. The answer is the same for every number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// Check every method again, also where nothing that it depends on has changed since it was checked
    #[arg(long)]
    pub no_cache: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value = "text")]
    pub format: CheckFormat,
    #[command(flatten)]
    pub coverage: CoverageArgs,
    #[command(flatten)]
    pub java: JavaArgs,
    /// The invariants of the input: a file in HEX; by default the file lazuli.hex beside the classes
    #[arg(long, value_name = "FILE")]
    pub invariants: Option<PathBuf>,
    /// A method that is true of the inputs that are meant: static, with the receiver and the parameters or these alone, or of the receiver. By
    /// default the one that an annotation @Requires("method") names
    #[arg(long, value_name = "CLASS.METHOD")]
    pub pre: Option<String>,
    /// A method that is true after the call: of the receiver, the parameters and the result, the last of them. By default the one that an
    /// annotation @Ensures("method") names
    #[arg(long, value_name = "CLASS.METHOD")]
    pub post: Option<String>,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// A block for every violation, and a table
    Text,
    /// One object: docs/check.schema.json
    Json,
    /// SARIF 2.1.0, for editors and code hosts
    Sarif,
    /// Annotations of GitHub's workflows, and the table
    Github,
}

impl Check {
    /// The target as other commands have it.
    pub fn subject(&self) -> Subject {
        Subject::of_target(&self.target, &self.java)
    }

    pub fn limits(&self) -> Limits {
        Limits::of_a_method(&self.bounds, self.timeout)
    }

    pub fn invariant_args(&self) -> InvariantArgs {
        InvariantArgs::of_file(self.invariants.clone(), self.pre.clone())
    }

    pub fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.map_or_else(processors, usize::from)
    }
}
