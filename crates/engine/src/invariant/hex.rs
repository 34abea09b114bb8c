//! HEX (seed document 002, Section 3), evaluated one assumed reference at a time (Theorem 3.6).
//!
//! `origin` runs the automata of the path expressions along access paths, once for every path; `backbone` is what the invariants
//! keep in a state: the input objects with their places, their ghost fields, and the `max` targets that were taken. `admit` says
//! what a reference may be, as a clause: `spot` finds where it stands and what is said of it there, `target` and `frozen` what its
//! aliases may be, `alternatives` what is left; `chosen` is the shorter way of the models that enumerate, `memo` what it need not ask twice, `bystander` what it need not know. `formula` is about what is said beyond conjunction, `jbse` about JBSE's rules; `action`
//! carries out events, `number` calculates; `complete` enumerates the heaps that a file accepts.
//!
//! One evaluation serves all heap models. The alternatives of a reference (null, an alias, a fresh object) have guards: constants
//! where the model enumerates, formulas where it does not.

mod action;
mod admit;
mod alternatives;
mod backbone;
mod bystander;
mod chosen;
pub mod complete;
mod formula;
mod frozen;
mod jbse;
mod memo;
mod number;
mod origin;
mod seen;
mod spot;
mod target;

pub use admit::{Owner, Reference};
pub use alternatives::Alternatives;
pub use backbone::{Backbone, Call, InitialHeap, Node, Told, is_ghost};
pub use chosen::Known;
pub use origin::{OriginId, Origins};
pub use seen::{Seen, Side};
pub use spot::MAX_SPOTS;
