//! How a path ends.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Outcome {
    Returned,
    /// An exception nobody caught, by its class.
    Threw(String),
    AssertFailed,
    /// Not the program's behaviour but our limit; the path was not followed to its end.
    Stopped(Stop),
}

#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Stop {
    /// The bound that was reached, by the name of its option.
    Budget(&'static str),
    /// Something the engine does not execute, by name.
    Unsupported(String),
    /// The solver could not say whether the path goes on.
    SolverUnknown(String),
    /// The invariants of the input could not be evaluated: a companion method threw or did not return.
    Invariant(String),
}

pub const NULL_POINTER: &str = "NullPointerException";
pub const CLASS_CAST: &str = "ClassCastException";
pub const ARITHMETIC: &str = "ArithmeticException";
pub const INDEX: &str = "ArrayIndexOutOfBoundsException";
pub const NEGATIVE_SIZE: &str = "NegativeArraySizeException";
pub const ARRAY_STORE: &str = "ArrayStoreException";

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Returned => write!(f, "returned"),
            Outcome::Threw(class) => write!(f, "threw {class}"),
            Outcome::AssertFailed => write!(f, "assertion failed"),
            Outcome::Stopped(Stop::Budget(bound)) => write!(f, "stopped by {bound}"),
            Outcome::Stopped(Stop::Unsupported(what)) => write!(f, "stopped: {what} is not supported"),
            Outcome::Stopped(Stop::SolverUnknown(why)) => write!(f, "stopped: the solver does not know ({why})"),
            Outcome::Stopped(Stop::Invariant(why)) => write!(f, "stopped: {why}"),
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
            Outcome::Stopped(_) => "stopped",
        }
    }
}
