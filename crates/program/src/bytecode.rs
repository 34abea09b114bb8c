//! Class files and where they are found: class paths, jars, sources that are compiled first, and the image of the JDK. What
//! their code becomes is not said here: the front end lowers it.

pub mod annotations;
pub mod classfile;
pub mod classpath;
pub mod code;
mod compile;
mod decode;
pub mod descriptor;
mod jar;
mod jdk;
mod jimage;
pub mod module_info;
pub mod pool;
mod reader;
mod scratch;
pub mod services;
pub mod signature;
mod walk;

pub use classfile::ClassFile;
pub use classpath::{ClassPath, expand};
pub use compile::exit_after_compilations;
pub use jdk::Jdk;
pub use scratch::Scratch;
