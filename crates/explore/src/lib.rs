//! Symbolic execution of programs whose inputs live on the heap.
//!
//! Everything an entry method can reach is unknown; every feasible path is explored; each comes with its condition, its outcome,
//! and a concrete input heap that was replayed. [`Source`] reads a program, [`Config`] or [`Options`] say what is asked, and
//! [`explore`] gives a [`Run`]:
//!
//! ```
//! use lazuli::{Config, Control, HeapKind, Source, explore};
//!
//! let text = "class Node { int key; Node next;
//!     int smaller(Node other) := if this.key < other.key then this.key else other.key; }";
//! let program = Source::text("node.pose", text).load()?;
//! let config = Config { heap: HeapKind::Lazy, entry: Some("Node.smaller".into()), ..Config::default() };
//! let run = explore(&program, &config, &Control::default())?;
//! for trace in &run.traces {
//!     println!("{} {}", trace.id(), trace.outcome);
//! }
//! assert_eq!((run.counts.returned, run.counts.threw), (3, 1));
//! # Ok::<(), lazuli::Error>(())
//! ```
//!
//! A long run is followed while it goes on by [`explore_with`], which tells of every trace and keeps none, or by [`traces`], which lets
//! one take as many as one wants. It can be saved in a
//! [`Checkpoint`] and continued after the process has ended. A trace is run again, in any process, by [`replay::replay`] from its name.
//!
//! Work is handed around as data: a [`Task`] says where in which program a piece of a run begins and what it may cost, a [`Part`]
//! what it came to and what it left open.

mod again;
mod board;
mod checkpoint;
pub mod coverage;
mod error;
mod executed;
mod explore;
mod iterate;
mod judge;
mod judgement;
mod options;
mod pool;
mod prefixes;
mod record;
pub mod replay;
mod run;
mod setting;
mod source;
mod target;
mod task;
mod verdict;
mod wire;
mod worker;

pub use again::Again;
pub use checkpoint::{Checkpoint, Identity};
pub use error::{CheckpointError, Error, TraceError};
pub use executed::{Executed, MethodName};
pub use explore::{Event, explore, explore_judged, explore_judged_with, explore_with};
pub use iterate::{Traces, traces};
pub use judge::{Client, Jvm, Ticket, cache_directory};
pub use judgement::{Judgement, Verdict, judge_name};
pub use lazuli_engine::branches::{Branch, Line};
pub use lazuli_engine::config::{
    Bounds, Config, Environment, HeapKind, IdentityHash, Ints, Judge, Most, Search, TraceDetail, Varying,
};
pub use lazuli_engine::counts::Counts;
pub use lazuli_engine::error::SetupError;
pub use lazuli_engine::existing::Existing;
pub use lazuli_engine::limits::Control;
pub use lazuli_engine::outcome::{Bound, Outcome, Stop};
pub use lazuli_engine::scope::{LeftOut, Scope, Taken};
pub use lazuli_engine::snapshot::{Called, Ending};
pub use lazuli_engine::state::Decisions;
pub use lazuli_engine::vm::Stream;
pub use lazuli_engine::witness::{Concrete, Witness, WitnessObject};
pub use lazuli_invariant::{InvariantSource, Invariants, InvariantsError, Technique};
pub use lazuli_logic::SolverConfig;
pub use lazuli_program::library::Inputs;
pub use lazuli_program::{Help, Lacking, LoadError, Program};
pub use options::Options;
pub use prefixes::Prefixes;
pub use run::{Note, Run, Subject, Trace, TraceFacts};
pub use source::{Fingerprint, Source};
pub use target::Target;
pub use task::{Part, Task, VERSION, Work};
pub use verdict::{Chosen, Limit};
pub use wire::{EndingRecord, FactsRecord, ObjectRecord, TraceRecord, WitnessRecord};
pub use worker::current_path;
