//! How a path ends.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Returned,
    /// An exception nobody caught, by its class.
    Threw(String),
    AssertFailed,
    /// It returned, and its postcondition does not hold.
    PostFailed,
    /// The program comes back to a state in which it was before: it goes around in this method, and in what that calls, for ever.
    Endless {
        method: String,
    },
    /// Not the program's behaviour but our limit; the path was not followed to its end.
    Stopped(Stop),
}

/// What can be bounded: on one path, or for a run as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Decisions on one path.
    MaxDepth,
    /// Instructions on one path.
    MaxSteps,
    /// Frames on the stack of one path.
    MaxCalls,
    /// Arrays in an array whose length is not known.
    MaxArray,
    /// Traces of the run.
    MaxTraces,
    /// The time of the run.
    Timeout,
    /// The memory of the process.
    MaxMemory,
    /// The patience of whoever started the run.
    Interrupted,
}

impl Bound {
    /// Whether it ends the run rather than a path: then what was under way is left open.
    pub fn ends_run(self) -> bool {
        matches!(self, Bound::MaxTraces | Bound::Timeout | Bound::MaxMemory | Bound::Interrupted)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::MaxDepth => "the bound on decisions",
            Bound::MaxSteps => "the bound on instructions",
            Bound::MaxCalls => "the bound on nested calls",
            Bound::MaxArray => "the bound on arrays",
            Bound::MaxTraces => "the bound on traces",
            Bound::Timeout => "the time limit",
            Bound::MaxMemory => "the memory limit",
            Bound::Interrupted => "an interruption",
        })
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The bound that was reached.
    Bound(Bound),
    /// Something the engine does not execute, by name.
    Unsupported(String),
    /// The solver could not say whether the path goes on.
    SolverUnknown(String),
    /// The invariants of the input could not be evaluated: a companion method threw, for instance.
    Invariant(String),
    /// The decisions that led to a path mean something else when they are taken again: a bug of ours.
    Lost(String),
    /// A method of the invariants did not return within a bound.
    Endless { method: String, bound: Bound },
}

pub const NULL_POINTER: &str = "NullPointerException";
pub const CLASS_CAST: &str = "ClassCastException";
pub const ARITHMETIC: &str = "ArithmeticException";
pub const INDEX: &str = "ArrayIndexOutOfBoundsException";
pub const NEGATIVE_SIZE: &str = "NegativeArraySizeException";
pub const ARRAY_STORE: &str = "ArrayStoreException";

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Bound(bound) => write!(f, "stopped by {bound}"),
            Stop::Unsupported(what) => write!(f, "stopped: {what} is not supported"),
            Stop::SolverUnknown(why) => write!(f, "stopped: the solver does not know ({why})"),
            Stop::Invariant(why) => write!(f, "stopped: {why}"),
            Stop::Lost(how) => write!(f, "stopped: the way back to this path was not found, a bug of Lazuli: {how}"),
            Stop::Endless { method, bound } => write!(f, "stopped: {method} did not return within {bound}"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Returned => write!(f, "returned"),
            Outcome::Threw(class) => write!(f, "threw {class}"),
            Outcome::AssertFailed => write!(f, "assertion failed"),
            Outcome::PostFailed => write!(f, "postcondition failed"),
            Outcome::Endless { method } => write!(f, "does not end: {method} comes back to the same state"),
            Outcome::Stopped(stop) => write!(f, "{stop}"),
        }
    }
}

impl Outcome {
    /// The word for it in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Outcome::Returned => "returned",
            Outcome::Threw(_) => "threw",
            Outcome::AssertFailed => "assert_failed",
            Outcome::PostFailed => "post_failed",
            Outcome::Endless { .. } => "endless",
            Outcome::Stopped(_) => "stopped",
        }
    }
}
