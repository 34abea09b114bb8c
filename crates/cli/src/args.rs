//! The command line: what the commands are, and what several of them have in common. Each group of options has a file.

pub mod check;
mod compare;
pub mod coverage;
mod explore;
mod invariants;
mod limits;
mod research;
mod solving;
mod subject;
pub mod test;
mod values;

use clap::{Args as ClapArgs, Parser, Subcommand};
use lazuli::{HeapKind, Options};

pub use compare::{Compare, Replay, ReplayFormat};
pub use explore::{Confirm, Explore, Format};
pub use invariants::InvariantArgs;
pub use limits::{BoundArgs, Limits};
pub use research::{Audit, HexArgs, Table, Tables};
pub use solving::Solving;
pub use subject::{JavaArgs, Subject};
pub use values::Limit;

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
    /// Write JUnit tests of the methods of a class, a jar or a project: one for each of their behaviours
    Test(Box<test::Test>),
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
pub struct Ir {
    #[command(flatten)]
    pub subject: Subject,
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
        pre: invariants.pre.clone(),
        bounds,
        ints: solving.ints,
        environment: subject.environment(),
        solver: solving.config(subject)?,
        ..Options::default()
    })
}
