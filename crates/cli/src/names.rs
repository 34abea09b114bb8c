//! What the command calls things: bounds by their options, and errors with what to do about them.

use lazuli::{Bound, Caveat, CheckpointError, Error, Outcome, SetupError, Stop};

/// The option that sets a bound.
pub fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::MaxDepth => "--max-depth",
        Bound::MaxSteps => "--max-steps",
        Bound::MaxCalls => "--max-calls",
        Bound::MaxTraces => "--max-traces",
        Bound::Timeout => "--timeout",
        Bound::MaxMemory => "--max-memory",
        Bound::Interrupted => "interrupted",
    }
}

/// Why a trace was stopped.
pub fn stop(stop: &Stop) -> String {
    match stop {
        Stop::Bound(reached) => format!("stopped by {}", bound(*reached)),
        Stop::Endless { method, bound: reached } => {
            format!("stopped: {method} did not return within {}", bound(*reached))
        }
        other => other.to_string(),
    }
}

pub fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Stopped(why) => stop(why),
        other => other.to_string(),
    }
}

/// What a reader must know.
pub fn caveat(caveat: &Caveat) -> String {
    match *caveat {
        Caveat::CountsResolved => {
            "--n bounds what each heap model has resolved so far: it does not preserve agreement between models".into()
        }
        Caveat::NoInput { n, k } => {
            let within = match (n, k) {
                (false, false) => "",
                (true, false) => " and that --n permits",
                (false, true) => " and that --k permits",
                (true, true) => " and that --n and --k permit",
            };
            format!("the invariants exclude every input that the program looks at{within}")
        }
        Caveat::Met(ref text) => text.clone(),
    }
}

/// An error as the user of the command reads it.
pub fn error(error: Error) -> String {
    match error {
        Error::Setup(setup) => setup_error(setup),
        Error::Checkpoint { path, error: CheckpointError::Exists } => {
            format!("{}: there is such a file already: continue it by --resume, or remove it first", path.display())
        }
        other => other.to_string(),
    }
}

pub fn setup_error(error: SetupError) -> String {
    match error {
        SetupError::NoMain { program, all } => {
            format!("{program} has no main expression; choose an --entry of: {}", all.join(", "))
        }
        SetupError::Literal(error) => error.help("choose wider --ints").to_string(),
        SetupError::NoClass { program, name } => {
            format!("there is no class {name} in {program}, whose objects --n-of is to count")
        }
        SetupError::NoPartialHeaps { technique, heap } => format!(
            "{technique} asks about partial heaps, which {heap} does not have; choose --heap lazy, lazier or lazier#"
        ),
        other => other.to_string(),
    }
}
