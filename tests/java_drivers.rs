//! Test drivers (`tests/java/drivers/Unknowns.java`): inputs of one number that have different types on different paths are different
//! inputs. The real JVM gets them from the witness, and confirms every trace.

use crate::java;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use lazuli::LeftOut;
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_program::Program;
use lazuli_program::library::World;

const SOURCES: &str = "java/drivers";

fn compiled() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(compile)
}

fn compile() -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-drivers");
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir(&out).expect("a directory of the tests");
    let sources = [Path::new(SOURCES).join("Unknowns.java")];
    let mut javac = Command::new(java::jdk_program("javac"));
    let status = javac.args(["-g", "-sourcepath", SOURCES, "-d"]).arg(&out).args(sources).status();
    assert!(status.expect("there is a JDK").success(), "the sources do not compile");
    out
}

fn program(classes: &Path, method: &str) -> Program {
    let world = World { max_array: 4, max_string: 2, ..World::default() };
    let options = java::options(Some(&format!("Unknowns.{method}")), world);
    lazuli_program::frontend::java::load(classes, &options).unwrap_or_else(|error| panic!("{method}: {error}"))
}

#[test]
fn inputs_of_drivers_have_a_type() {
    let classes = compiled();
    let mut confirmed = 0;
    let methods = java::methods_of(classes, &[])
        .into_iter()
        .filter_map(|target| Some(target.strip_prefix("Unknowns.")?.split('(').next().expect("a name").to_string()));
    for method in methods {
        let program = program(classes, &method);
        for heap in HeapKind::ALL {
            let config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
            let run = java::run(&program, &config, &format!("{method} under {heap}"));
            assert_eq!(run.counts.stopped, 0, "{method} under {heap}: {:?}", run.stops);
            let fails = run.counts.assert_failed > 0;
            assert_eq!(fails, method.ends_with("Fails"), "{method} under {heap}");
            assert_eq!(run.counts.agreed, run.counts.traces, "{method} under {heap}");
            confirmed += run.counts.agreed;
        }
    }
    assert!(confirmed > 100, "there are only {confirmed} traces");
}

/// What an input string cannot have is said.
#[test]
fn the_run_says_that_strings_are_latin() {
    let classes = compiled();
    let program = program(classes, "textFails");
    let run = java::run(&program, &Config::default(), "textFails");
    assert!(run.scope.left_out.contains(&LeftOut::WiderCharacters), "{:?}", run.scope);
}
