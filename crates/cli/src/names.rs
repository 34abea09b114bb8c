//! What the command calls things: bounds by their options, and errors with what to do about them.

use lazuli::{
    Bound, Bounds, CheckpointError, Error, Help, InvariantsError, Judge, Lacking, LeftOut, Limit, LoadError, Note,
    Outcome, SetupError, Stop, Taken,
};

/// The option that sets a bound.
pub fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::MaxDepth => "--max-depth",
        Bound::MaxSteps => "--max-steps",
        Bound::MaxCalls => "--max-calls",
        Bound::MaxArray => "--max-array",
        Bound::MaxTraces => "--max-traces",
        Bound::Timeout => "--timeout",
        Bound::MaxMemory => "--max-memory",
        Bound::Interrupted => "interrupted",
    }
}

/// Why a trace was stopped.
pub fn stop(stop: &Stop) -> String {
    match stop {
        Stop::Unsupported(what) if what.contains(": it is not on the class path") => {
            let class = what.split(": it is not").next().unwrap_or(what);
            format!("stopped: {class} is not on the class path (directories and jars are given by --cp)")
        }
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

pub fn plural(number: u64, word: &str) -> String {
    plural_of(number, word, &format!("{word}s"))
}

pub fn plural_of(number: u64, one: &str, many: &str) -> String {
    if number == 1 { one.into() } else { many.into() }
}

/// What a bound on the run is where nobody says anything.
pub fn usual(bound: Bound) -> Option<String> {
    match bound {
        Bound::Timeout => Some(format!("which is {} h unless something is said", Bounds::TIME.as_secs() / 3_600)),
        Bound::MaxMemory => Some("which is half of the machine's unless something is said".into()),
        _ => None,
    }
}

/// The word for a limit in JSON.
pub fn limit_kind(limit: &Limit) -> &'static str {
    match limit {
        Limit::Ended(bound) | Limit::Stopped(Stop::Bound(bound), _) => bound_kind(*bound),
        Limit::Stopped(Stop::Unsupported(_), _) => "unsupported",
        Limit::Stopped(Stop::SolverUnknown(_), _) => "solver_unknown",
        Limit::Stopped(Stop::Invariant(_), _) => "invariant",
        Limit::Stopped(Stop::Lost(_), _) => "lost",
        Limit::Stopped(Stop::Endless { .. }, _) => "endless",
        Limit::Refuted { .. } => "refuted",
        Limit::Untried { .. } => "untried",
        Limit::LeftOut(LeftOut::LongerStrings(_)) => "max_string",
        Limit::LeftOut(LeftOut::LongerArrays(_)) => "max_array",
        Limit::LeftOut(LeftOut::WiderCharacters) => "characters",
        Limit::LeftOut(LeftOut::OtherClasses { .. }) => "types",
        Limit::LeftOut(LeftOut::Existing { .. } | LeftOut::ClassObjects { .. }) => "existing",
        Limit::LeftOut(LeftOut::Deeper) => "k",
        Limit::LeftOut(LeftOut::More) => "n",
    }
}

fn bound_kind(bound: Bound) -> &'static str {
    match bound {
        Bound::MaxDepth => "max_depth",
        Bound::MaxSteps => "max_steps",
        Bound::MaxCalls => "max_calls",
        Bound::MaxArray => "max_array",
        Bound::MaxTraces => "max_traces",
        Bound::Timeout => "timeout",
        Bound::MaxMemory => "max_memory",
        Bound::Interrupted => "interrupted",
    }
}

/// What cut something off though nobody asked for it.
pub fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Ended(reached) => format!("stopped by {}", bound(*reached)),
        Limit::Stopped(why, traces) => {
            format!("{traces} {} {}", plural(*traces, "trace"), stop(why))
        }
        Limit::Refuted { witnesses, companions } => {
            let why = match companions {
                true => {
                    "either a companion method writes what the program reads, or the program itself asks isResolved, or this is a bug of Lazuli"
                }
                false => "this is a bug of Lazuli, please report it",
            };
            let who = plural_of(
                *witnesses,
                "witness does not do what its trace says",
                "witnesses do not do what their traces say",
            );
            format!("{witnesses} {who}: {why}")
        }
        Limit::Untried { witnesses, judge } => {
            let what = if *judge == Judge::Jvm { "put to the JVM" } else { "replayed" };
            format!("{witnesses} {} could not be {what}", plural_of(*witnesses, "witness", "witnesses"))
        }
        Limit::LeftOut(inputs) => left_out(inputs),
    }
}

fn left_out(inputs: &LeftOut) -> String {
    match inputs {
        LeftOut::LongerStrings(most) => format!("input strings have at most {most} characters (--max-string)"),
        LeftOut::LongerArrays(most) => format!("input arrays have at most {most} elements (--max-array)"),
        LeftOut::WiderCharacters => "characters of input strings are Latin-1".into(),
        LeftOut::OtherClasses { of, taken, more: false } if taken.as_slice() == [of.clone()] => {
            format!("inputs of {of} are of that class itself, and of none below it (--types says otherwise)")
        }
        LeftOut::OtherClasses { of, taken, more } => {
            let more = if *more { ", …" } else { "" };
            format!("inputs of {of} are taken to be of: {}{more} (--types says otherwise)", taken.join(", "))
        }
        LeftOut::Existing { class } => {
            format!(
                "no input is a {class} that exists before the entry (a constant, a literal, what a static field holds)"
            )
        }
        LeftOut::ClassObjects { taken } => {
            format!("inputs of java.lang.Class are taken to be one of: {}", taken.join(", "))
        }
        LeftOut::Deeper => "chains of references are bounded (--k)".into(),
        LeftOut::More => "the number of input objects is bounded (--n)".into(),
    }
}

/// The word for an assumption in JSON.
pub fn taken_kind(taken: &Taken) -> &'static str {
    match taken {
        Taken::Locale => "locale",
        Taken::TimeZone => "time_zone",
        Taken::Properties => "properties",
        Taken::IdentityHashes => "identity_hash",
        Taken::OneThread => "threads",
        Taken::StrictMath => "math",
        Taken::Services => "services",
        Taken::Resources => "resources",
        Taken::Processors => "processors",
        Taken::Generics => "generics",
        Taken::Constructor { .. } => "constructor",
        Taken::Results { .. } => "results",
    }
}

/// What was taken for granted of the environment.
pub fn taken(taken: &Taken) -> String {
    match taken {
        Taken::Locale => "the default locale is en_US".into(),
        Taken::TimeZone => "the default time zone is UTC".into(),
        Taken::Properties => "system properties are those of the JDK that is read, and encodings are UTF-8".into(),
        Taken::IdentityHashes => {
            "identity hash codes are 1, 2, … in the order of the questions (--identity-hash says otherwise)".into()
        }
        Taken::OneThread => "there is one thread: monitors are never waited for".into(),
        Taken::StrictMath => "Math computes what StrictMath does".into(),
        Taken::Resources => "resources are those of the class path that was given".into(),
        Taken::Processors => "the machine has one processor".into(),
        Taken::Generics => {
            "objects hold what their generic types say: no unchecked cast has put anything else there".into()
        }
        Taken::Constructor { class } => {
            format!(
                "the constructor of {class} changes nothing that it has made: made again, such a record is the same"
            )
        }
        Taken::Services => "of services those are found that the JDK provides, none of the class path".into(),
        Taken::Results { class, method } => {
            format!("{class} has no implementation here: {method} gives any result, and does nothing else")
        }
    }
}

/// What a reader should know about the question.
pub fn note(note: &Note) -> String {
    match *note {
        Note::NoInput { n, k } => {
            let within = match (n, k) {
                (false, false) => "",
                (true, false) => " and that --n permits",
                (false, true) => " and that --k permits",
                (true, true) => " and that --n and --k permit",
            };
            format!("the invariants exclude every input that the program looks at{within}")
        }
        Note::Bundled { .. } => format!("{note} (--inputs any takes all that fit)"),
        ref other => other.to_string(),
    }
}

/// An error as the user of the command reads it.
pub fn error(error: Error) -> String {
    match error {
        Error::Setup(setup) => setup_error(setup),
        Error::Load(error) | Error::Invariants(InvariantsError::Hex(error)) => load_error(error),
        Error::Invariants(error @ InvariantsError::NeedsFile(_)) => format!("{error}: --invariants FILE"),
        Error::Checkpoint { path, error: CheckpointError::Exists } => {
            format!("{}: there is such a file already: continue it by --resume, or remove it first", path.display())
        }
        other => other.to_string(),
    }
}

/// A program or a file that could not be read.
pub fn load_error(mut error: LoadError) -> String {
    error.help = error.help.map(|help| match help {
        Help::Give(Lacking::Classes) => "directories and jars with further classes are given by --cp".into(),
        Help::Give(Lacking::Entry(example)) => {
            format!("it is a method that is explored: name it by --entry {example}").into()
        }
        Help::Give(Lacking::StaticsOf(class)) => format!("--symbolic-statics {class} makes them so").into(),
        text => text,
    });
    error.to_string()
}

pub fn setup_error(error: SetupError) -> String {
    match error {
        SetupError::NoMain { program, all } => {
            format!("{program} has no main expression; choose an --entry of: {}", all.join(", "))
        }
        SetupError::Literal(error) => error.help("choose wider --ints").to_string(),
        SetupError::NoClass { program, name } => {
            format!("there is no class {name} in {program}, whose objects are to be counted")
        }
        SetupError::NoPartialHeaps { technique, heap } => format!(
            "{technique} asks about partial heaps, which {heap} does not have; choose --heap lazy, lazier or lazier#"
        ),
        other => other.to_string(),
    }
}
