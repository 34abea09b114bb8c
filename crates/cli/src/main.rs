//! The `lazuli` command. It reads the command line, calls the engine, and hands the finished run to a report.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use lazuli_cli::verdict::Given;
use lazuli_cli::{args, audit, check, command, hex, suite, tables, terminal};

/// States are copied at every fork: a third of the time of a large run goes to the allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Bad usage or input.
pub const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    report_bugs();
    let matches = args::Args::command().get_matches();
    let args = args::Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let given = Given::of(&matches);
    command::heed_interruptions();
    let result = match args.command {
        args::Command::Explore(mut args) => {
            args.subject.entry = args.subject.entry.or(args.method.take());
            args.invariants.look_beside(&args.subject);
            command::explore(&args, &given)
        }
        args::Command::Compare(mut args) => {
            args.invariants.look_beside(&args.subject);
            command::compare(&args, &given)
        }
        args::Command::Replay(mut args) => {
            args.invariants.look_beside(&args.subject);
            command::replay(&args)
        }
        args::Command::Hex(args) => hex::run(&args),
        args::Command::Ir(args) => command::ir(&args),
        args::Command::Tables(args) => tables::run(&args),
        args::Command::Audit(args) => audit::run(&args),
        args::Command::Check(args) => check::run(&args, &given),
        args::Command::Test(args) => suite::run(&args, &given),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            terminal::complain(&format!("error: {message}"));
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// A panic is a bug of ours: it says so, and says how to report it.
fn report_bugs() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // A reader that closed the pipe (`lazuli … | head`) is no bug.
        let text = panic.to_string();
        if text.contains("Broken pipe") {
            std::process::exit(terminal::BROKEN_PIPE.into());
        }
        // Nor is a full disk.
        if let Some((_, why)) = text.split_once("failed printing to stdout: ") {
            eprintln!("error: cannot write the answer: {why}");
            std::process::exit(BAD_INPUT.into());
        }
        default(panic);
        let path = lazuli::current_path();
        eprintln!(
            "\nThis is a bug of Lazuli, on path {path}.\n\
             Please report it with the program, the command line and the lines above."
        );
    }));
}
