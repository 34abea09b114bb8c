//! Options about what was executed.

use std::path::PathBuf;

use clap::Args as ClapArgs;

#[derive(ClapArgs, Clone)]
pub struct CoverageArgs {
    /// Count the lines and branches of a Java program that the witnesses execute, and say of the others why they do not: docs/coverage.md
    #[arg(long)]
    pub coverage: bool,
    /// Write the same to a file in the form of JaCoCo's XML, which other tools read
    #[arg(long, value_name = "FILE")]
    pub coverage_xml: Option<PathBuf>,
}

impl CoverageArgs {
    pub fn is_wanted(&self) -> bool {
        self.coverage || self.coverage_xml.is_some()
    }
}
