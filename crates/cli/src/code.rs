//! Inputs as code: the statements of Java that make what a witness has, as somebody would write them who has never heard of a witness.
//!
//! `names` writes types and keeps what must be imported, `members` says what others may call, `literal` writes values that Java has a form for, and
//! `build` puts objects together, and `sequence` finds the calls that make those for which one call does not do. Whoever shows an input as code does it by [`Builder`]; nothing else writes Java that makes objects.

mod build;
mod literal;
mod members;
mod names;
mod sequence;

pub use build::{Builder, HELPER, Tier, parameters};
pub use literal::{characters, scalar, text};
pub use members::{Reach, accessor, reach, reach_of_class};
pub use names::{Names, erased, is_identifier, of_descriptor};
pub use sequence::{NONE, Recipe, Recipes, Sequences};
