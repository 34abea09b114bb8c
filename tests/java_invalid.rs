//! Classes that fail verification are refused when they are read, with the reason.

use crate::java;

use std::path::Path;
use std::process::Command;

use lazuli_program::frontend::java::{JavaOptions, load};
use lazuli_program::library::World;

/// Every method of `programs/java/invalid/Bad.jasm`, and a part of the message.
const METHODS: [(&str, &str); 5] = [
    ("stackConfusion", "it uses Int as Ref"),
    ("localConfusion", "it takes local 0 for Int, which holds Float"),
    ("underflow", "its stack underflows"),
    ("wrongReturn", "it takes local 0 for Ref, which holds Long"),
    ("returnsFloat", "it returns Float"),
];

#[test]
fn invalid_methods_are_refused() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("invalid-classes");
    std::fs::create_dir_all(&out).expect("the build directory is writable");
    let java = std::env::var_os("JAVA_HOME").map_or_else(|| "java".into(), |home| Path::new(&home).join("bin/java"));
    let source = Path::new(java::SOURCES).join("invalid/Bad.jasm");
    let mut assembler = Command::new(java);
    assembler.arg("-cp").arg(java::classes()).arg("assembler.Assemble").arg(source).arg(&out);
    assert!(assembler.status().expect("there is a JVM").success());
    for (method, reason) in METHODS {
        let entry = Some(format!("invalid.Bad.{method}"));
        let provided = lazuli_engine::natives::provides;
        let options = JavaOptions { class_path: Vec::new(), entry, world: World::default(), provided };
        let error = load(&out, &options).err().unwrap_or_else(|| panic!("{method} is accepted")).to_string();
        assert!(error.contains(reason), "{method}: {error}");
    }
}
