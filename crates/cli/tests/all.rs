//! All tests of the command in one binary: they share how they run it, and are linked once.

mod common;

mod bad_input;
mod command;
mod golden;
#[cfg(unix)]
mod interruption;
mod safety;
mod techniques;
mod verdict;
#[cfg(unix)]
mod work;
