//! What only research needs: heap models and techniques of invariants, measured against brute force.
//!
//! [`exact`] enumerates concrete heaps and checks that every heap model represents each of them by one trace; [`audit`] asks of every
//! trace of a technique whether its input has a valid completion. Both look at the heaps of ended paths ([`ends`]). [`library`] compares calls of
//! Java's library with what a JVM answers.

pub mod audit;
pub mod ends;
pub mod exact;
pub mod library;
pub mod random;
