//! All tests of terms and solving in one binary: they share their random terms, and are linked once.

mod random;

mod arithmetic;
mod bits;
mod chain;
mod constants;
mod floats;
mod functions;
mod interrupt;
mod restrict;
mod stages;
mod terms;
mod unwind;
