//! Programs and reading them. This crate knows nothing of terms.
//!
//! A front end turns source text into the one [`Program`]; [`verify`] accepts its bodies or says where they are wrong; [`text`]
//! prints it.

// Who reads this documentation reads the code as well.
#![allow(rustdoc::private_intra_doc_links)]

pub mod assembler;
pub mod bytecode;
pub mod escape;
pub mod files;
pub mod frontend;
pub mod ir;
pub mod library;
pub mod program;
pub mod source;
pub mod text;
pub mod verify;

pub use frontend::{Notation, load, load_in, load_text, load_text_in};
pub use program::Program;
pub use source::{Help, Lacking, LoadError, Place, Source};
