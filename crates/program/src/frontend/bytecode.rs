//! Java: from class files, jars, sources and the JDK's library to classes and entry points.

pub mod classfile;
pub mod classpath;
pub mod code;
mod compile;
mod decode;
pub mod descriptor;
pub mod entry;
mod jar;
mod jdk;
mod jimage;
pub mod lower;
pub mod pool;
mod reader;
mod walk;

pub use classfile::ClassFile;
pub use classpath::ClassPath;
pub use compile::exit_after_compilations;
pub use entry::EntryPoint;
pub use jdk::Jdk;
pub use lower::Synthetic;
