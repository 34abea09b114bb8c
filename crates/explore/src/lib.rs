//! Symbolic execution of programs whose inputs live on the heap: exploring, replaying, and the work that is handed around.

mod explore;
mod record;
pub mod replay;
pub mod run;
mod tasks;
mod worker;

pub use explore::explore;
pub use lazuli_engine::config::{Bounds, Config, HeapKind, Ints, Search, TraceDetail};
pub use lazuli_engine::counts::Counts;
pub use lazuli_engine::limits::Control;
pub use lazuli_engine::outcome::{Outcome, Stop};
pub use lazuli_engine::state::Decisions;
pub use run::{Run, Trace, TraceFacts};
pub use worker::current_path;
