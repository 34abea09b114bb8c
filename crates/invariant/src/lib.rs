//! Invariants: which inputs are valid data structures. Assumptions about the input that no valid one allows are pruned.
//!
//! There are several techniques, named by [`Technique`]. HEX ([`hex`] reads it, `evaluate` says what it means) listens
//! to what a heap model resolves. The others execute a method of the program (`rep_ok` finds it) before the program
//! (`prep`) or beside it (`consp`, `bounded`), or decide a formula about the shape (`mso`). The engine knows none of
//! them: [`Invariants`] is what it is given.

// Who reads this documentation reads the code as well.
#![allow(rustdoc::private_intra_doc_links)]

mod bounded;
pub mod complete;
mod consp;
mod evaluate;
pub mod hex;
mod instrument;
mod invariants;
mod mso;
mod prep;
mod rep_ok;
mod technique;
mod whole;

pub use bounded::is_completable;
pub use evaluate::{calls, is_ghost};
pub use instrument::instrumented;
pub use invariants::{InvariantSource, Invariants, InvariantsError};
pub use rep_ok::{Contract, Given, Instrumented, postcondition, with_full};
pub use technique::Technique;
pub use whole::Whole;
