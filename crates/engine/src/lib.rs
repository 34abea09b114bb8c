//! Symbolic execution: states, steps, forks, and the heap models that say what an unknown reference is.
//!
//! `explore` takes states from a work list; `step` executes one instruction; a heap instruction asks the [`heap::HeapModel`],
//! which proposes cases; `fork` keeps the feasible ones; a finished path becomes a [`run::Trace`] with a witness that was
//! replayed.

pub mod concrete;
pub mod config;
pub mod context;
mod decide;
mod drive;
pub mod exact;
pub mod explore;
pub mod heap;
pub mod input;
pub mod invariant;
pub mod java;
mod machine;
pub mod natives;
mod operations;
pub mod outcome;
mod parallel;
pub mod planted;
mod record;
pub mod replay;
pub mod run;
pub mod state;
mod step;
pub mod witness;

pub use config::{Bounds, Config, HeapKind, Ints, Search, TraceDetail};
pub use outcome::Outcome;
pub use run::{Run, Trace};
