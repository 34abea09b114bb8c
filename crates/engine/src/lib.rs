//! The machine of symbolic execution: states, steps, forks, and the heap models that say what an unknown reference is.
//!
//! `step` executes one instruction; a heap instruction asks the [`heap::HeapModel`], which proposes cases; `fork` keeps the
//! feasible ones. Which state is executed next, and what becomes of a path that has ended, is decided by those who own an
//! [`executor::Executor`].

pub mod concrete;
pub mod config;
pub mod confirm;
pub mod context;
pub mod counts;
mod ends;
pub mod error;
pub mod exact;
pub mod executor;
pub mod fork;
pub mod heap;
pub mod input;
pub mod invariant;
pub mod java;
pub mod limits;
pub mod machine;
pub mod natives;
pub mod outcome;
pub mod planted;
pub mod state;
pub mod step;
pub mod witness;

pub use config::{Bounds, Config, HeapKind, Ints, Search, TraceDetail};
pub use outcome::Outcome;
