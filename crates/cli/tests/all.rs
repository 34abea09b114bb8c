//! All tests of the command in one binary: they share how they run it, and are linked once.

mod common;

mod bad_input;
mod bundle;
mod check;
mod command;
mod contracts;
#[cfg(unix)]
mod coverage;
mod endless;
mod golden;
#[cfg(unix)]
mod interruption;
mod judge;
mod junit;
mod readme;
mod safety;
mod schema;
mod tables;
mod techniques;
mod valid;
mod verdict;
#[cfg(unix)]
mod work;
