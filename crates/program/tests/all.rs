//! All tests of the front ends in one binary: they share their helpers, and are linked once.

mod common;

mod bytecode;
mod javalite;
mod notations;
mod pose;
