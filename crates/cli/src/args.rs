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

use clap::{ArgMatches, Args as ClapArgs, FromArgMatches, Parser, Subcommand};
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

/// The commands, each with its name and what it does. What options one has is asked only of the one that is meant: there are hundreds.
macro_rules! commands {
    ($($name:literal $variant:ident($args:ty) => $about:literal;)+) => {
        pub enum Command {
            $(#[doc = $about] $variant($args),)+
        }

        impl Subcommand for Command {
            fn augment_subcommands(lazuli: clap::Command) -> clap::Command {
                lazuli$(.subcommand(clap::Command::new($name).about($about).defer(|command| {
                    <$args as ClapArgs>::augment_args(command).about($about).long_about(None)
                })))+
            }

            fn augment_subcommands_for_update(lazuli: clap::Command) -> clap::Command {
                Command::augment_subcommands(lazuli)
            }

            fn has_subcommand(name: &str) -> bool {
                [$($name),+].contains(&name)
            }
        }

        impl FromArgMatches for Command {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Command, clap::Error> {
                match matches.subcommand() {
                    $(Some(($name, matches)) => Ok(Command::$variant(<$args>::from_arg_matches(matches)?)),)+
                    _ => Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand)),
                }
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Command::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

commands! {
    "explore" Explore(Explore) => "Explore all feasible paths of a program";
    "check" Check(Box<check::Check>) => "Check the methods of a class, a jar or a project: are there inputs on which they fail?";
    "test" Test(Box<test::Test>) => "Write JUnit tests of the methods of a class, a jar or a project: one for each of their behaviours";
    "compare" Compare(Compare) => "Explore a program under several heap models: one table, one row a model";
    "replay" Replay(Replay) => "Run one trace again, from its decisions";
    "hex" Hex(HexArgs) => "Check invariants of the input, and draw all complete heaps that they accept";
    "ir" Ir(Ir) => "Print the intermediate representation";
    "tables" Tables(Tables) => "The documents' tables, ours beside theirs";
    "audit" Audit(Audit) => "Compare calls of Java's library with the JVM, or see how many methods of jars are executed";
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
