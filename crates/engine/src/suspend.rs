//! Why an instruction or an operation does not go on; see `decide.rs`.

use lazuli_logic::Term;

use crate::outcome::{Outcome, Stop};

/// Why an instruction does not go on.
#[derive(Debug)]
pub enum Suspend {
    /// Something must be decided first: the cases are in the executor's buffer.
    Choose,
    /// It fails with an exception of this class.
    Throw(&'static str),
    /// Frames were pushed: it is executed after them, from its beginning.
    Detour,
    /// Our limit, not the program's behaviour.
    Stop(Box<Stop>),
    /// No valid input within the bounds comes here.
    Prune(Pruned),
    /// The path ends here.
    End(Box<(Outcome, Option<Term>)>),
}

impl Suspend {
    // What is seldom is kept small for what is frequent: every operation gives a result that could be one of these.
    pub fn stop(stop: Stop) -> Suspend {
        Suspend::Stop(Box::new(stop))
    }

    pub(crate) fn unsupported(what: impl Into<String>) -> Suspend {
        Suspend::stop(Stop::Unsupported(what.into()))
    }

    pub(crate) fn end(outcome: Outcome, value: Option<Term>) -> Suspend {
        Suspend::End(Box::new((outcome, value)))
    }
}

/// Why a path is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruned {
    Infeasible,
    Invariant,
}

/// Why execution paused.
pub enum Pause {
    /// The cases are in the executor's buffer.
    Decide,
    End(Outcome, Option<Term>),
    /// The only way on is none.
    Pruned(Pruned),
}

/// What an instruction or an operation gives, or why it does not.
pub type Step<T = ()> = Result<T, Suspend>;

/// What the engine does not execute, by name.
pub fn unsupported<T>(what: impl Into<String>) -> Step<T> {
    Err(Suspend::unsupported(what))
}
