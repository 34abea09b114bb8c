//! The machine of symbolic execution: states, steps, forks, and the heap models that say what an unknown reference is.
//!
//! `step` executes one instruction; its operations ask the [`heap::HeapModel`], which proposes cases; where there are several, [`drive`] takes
//! the feasible ones. Which state is executed next, and what becomes of a path that has ended, is decided by those who own an
//! [`executor::Executor`].

// Who reads this documentation reads the code as well.
#![allow(rustdoc::private_intra_doc_links)]

mod accesses;
pub mod admit;
mod aliased;
pub mod arith;
mod attempt;
mod backtrace;
mod before;
pub mod branches;
mod companion;
pub mod completions;
pub mod concrete;
pub mod config;
pub mod confirm;
pub mod context;
pub mod counts;
mod decide;
pub mod drive;
mod endless;
pub mod error;
pub mod executor;
pub mod existing;
pub mod heap;
pub mod input;
pub mod invariant;
mod java;
mod kept;
mod known;
pub mod lead;
mod left_out;
pub mod limits;
pub mod machine;
pub mod models;
pub mod natives;
pub mod observe;
mod operations;
pub mod outcome;
pub mod planted;
pub mod quota;
mod readable;
mod rings;
mod rounds;
pub mod scope;
pub mod sequence;
pub mod shared;
mod smallest;
pub mod snapshot;
mod start;
mod started;
pub mod state;
pub mod step;
pub mod suspend;
pub mod trail;
mod trial;
mod trials;
pub mod visits;
pub mod vm;
pub mod witness;
mod wording;

pub use config::{Bounds, Config, HeapKind, Ints, Search, TraceDetail};
pub use outcome::Outcome;
