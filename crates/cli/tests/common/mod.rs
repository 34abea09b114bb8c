//! Running the `lazuli` command on real programs, from the project's root.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The project's root, where `programs/` is.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.current_dir(root()).args(args);
    command
}

pub fn lazuli(args: &[&str]) -> Output {
    command(args).output().expect("the command runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A file with a given text, in a directory of this test's own.
pub fn file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    // A colon would be the end of an entry of a class path.
    let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let path = directory.join(name);
    std::fs::create_dir_all(path.parent().expect("it is in the directory")).expect("a directory for the test's files");
    std::fs::write(&path, text).expect("the test's file is written");
    path
}
