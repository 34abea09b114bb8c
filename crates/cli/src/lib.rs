//! The `lazuli` command as a library: the binary is a thin shell around it, and tests and benchmarks run the same tables.

pub mod args;
pub mod audit;
pub mod check;
pub mod code;
pub mod command;
pub mod hex;
pub mod names;
pub mod progress;
pub mod report;
pub mod style;
pub mod suite;
pub mod tables;
pub mod terminal;
pub mod verdict;
