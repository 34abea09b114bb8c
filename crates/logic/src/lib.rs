//! Terms, path conditions and solving. This crate knows nothing of programs.
//!
//! `float` has the floating-point values, `term` stores, `walk` walks, `simplify` builds, `restrict` builds under
//! what a path condition says by its form (`facts`), `eval` gives the meaning; `path` is the persistent path
//! condition and `solver` the chain of stages that decides whether it can be extended. Every long loop asks
//! `interrupt` whether it is to end.

// Who reads this documentation reads the code as well.
#![allow(rustdoc::private_intra_doc_links)]

mod by_form;
mod congruence;
pub mod difference;
pub mod eval;
mod facts;
pub mod float;
mod form;
pub mod interrupt;
mod list;
mod map;
pub mod path;
pub mod planted;
pub mod print;
mod ranges;
mod restrict;
mod seen;
mod simplify;
pub mod solver;
mod sort;
pub mod strict;
pub mod term;
mod value;
mod walk;

pub use eval::{Model, RefValue, Value};
pub use facts::Facts;
pub use float::{Conversion, FloatFn, FloatOp};
pub use interrupt::Interrupt;
pub use list::List;
pub use path::{Extension, PathCondition};
pub use simplify::apply_bits;
pub use solver::{Solver, SolverConfig, SolverKind, Verdict};
pub use strict::{Computed, ComputedPair};
pub use term::{BitOp, ClassSet, Label, Node, Origin, Sort, Symbol, SymbolInfo, Term, Terms};
