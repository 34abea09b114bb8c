//! Inputs as code: the statements of Java that make what a witness has, as somebody would write them who has never heard of a witness.
//!
//! `names` writes types and keeps what must be imported, `members` says what others may call, `literal` writes values that Java has a form for,
//! `build` puts objects together, `sequence` finds the calls that make those for which one call does not do, and `call` writes the call of a method
//! with its inputs. Whoever shows an input as code does it by [`Calling`] and [`Builder`]; nothing else writes Java that makes objects.

mod build;
mod call;
mod literal;
mod members;
mod names;
mod sequence;

pub use build::{Builder, HELPER, Tier, parameters};
pub use call::{Calling, simple_name};
pub use literal::{characters, scalar, text};
pub use members::{Reach, accessor, reach, reach_of_class};
pub use names::{Names, erased, is_identifier, of_descriptor};
pub use sequence::{NONE, Recipe, Recipes, Sequences};
