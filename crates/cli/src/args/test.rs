//! The command line of `lazuli test`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};

use super::coverage::CoverageArgs;
use super::values::parse_duration;
use super::{BoundArgs, InvariantArgs, JavaArgs, Limits, Subject};

/// Write JUnit tests of what the methods of a class, a jar or a project do.
///
/// Every public method is executed symbolically, with everything that it can reach unknown. For each of its behaviours (what ends alike and takes
/// the same branches) one test is written, with an input that takes it and what comes of it. docs/test.md says it exactly.
///
/// The tests are compiled and run before they are written, which EXECUTES THE CODE UNDER TEST with your rights: what does not pass is not
/// written.
///
/// Exit codes: 1 a test shows that a method fails, as `lazuli check` has it; otherwise 2 bad usage or input; otherwise 3 a behaviour has no test,
/// or something was not explored; otherwise 0.
#[derive(ClapArgs)]
pub struct Test {
    /// What is tested: a project with a pom.xml or build.gradle that was compiled, a directory of classes or sources, a .jar, .class or .java
    /// file
    pub target: PathBuf,
    /// Only these classes and methods, such as Order, Order.total or Order.total(int); a method that is named need not be public
    #[arg(value_name = "CLASS[.METHOD]")]
    pub wanted: Vec<String>,
    /// Where the sources of tests are, to which those of packages are added; of a project src/test/java unless something is said
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The version of JUnit
    #[arg(long, value_enum, default_value = "5", value_name = "VERSION")]
    pub junit: JUnit,
    /// Only tests that show that a method fails
    #[arg(long)]
    pub failing_only: bool,
    /// Overwrite files that exist
    #[arg(long)]
    pub force: bool,
    /// What the names of the test classes end with
    #[arg(long, default_value = "Test", value_name = "WORD")]
    pub suffix: String,
    /// Also exceptions that are thrown on purpose are failures, unless they are declared
    #[arg(long)]
    pub strict: bool,
    /// Try null for every parameter; by default only for parameters that are @Nullable or that the method compares with null
    #[arg(long)]
    pub null_args: bool,
    /// The time for one method, such as 500ms, 30s, 5m
    #[arg(long, default_value = super::check::TIME, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Duration,
    /// Methods that are explored at the same time; by default as many as there are processors. The tests are the same for every number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub coverage: CoverageArgs,
    #[command(flatten)]
    pub java: JavaArgs,
    /// The invariants of the input: a file in HEX; by default the file lazuli.hex beside the classes
    #[arg(long, value_name = "FILE")]
    pub invariants: Option<PathBuf>,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum JUnit {
    #[value(name = "4")]
    Four,
    #[value(name = "5")]
    Five,
}

impl Test {
    /// The target as other commands have it.
    pub fn subject(&self) -> Subject {
        Subject::of_target(&self.target, &self.java)
    }

    pub fn limits(&self) -> Limits {
        Limits::of_a_method(&self.bounds, self.timeout)
    }

    pub fn invariant_args(&self) -> InvariantArgs {
        InvariantArgs::of_file(self.invariants.clone(), None)
    }

    pub fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.map_or_else(processors, usize::from)
    }
}
