//! Terms, path conditions and solving. This crate knows nothing of programs.
//!
//! `float` has the floating-point values, `term` stores, `simplify` builds, `restrict` builds under a path condition, `eval` gives the meaning; `path` is the persistent path condition and `solver` the
//! chain of stages that decides whether it can be extended.

pub mod eval;
pub mod float;
pub mod path;
pub mod print;
mod restrict;
mod simplify;
pub mod solver;
pub mod term;

pub use eval::{Model, RefValue, Value};
pub use float::{Conversion, FloatFn, FloatOp};
pub use path::PathCondition;
pub use restrict::Facts;
pub use simplify::apply_bits;
pub use solver::{Solver, SolverConfig, SolverKind, Verdict};
pub use term::{BitOp, ClassSet, Label, Node, Origin, Sort, Symbol, SymbolInfo, Term, Terms};
