//! Test drivers (`tests/java/drivers/Unknowns.java`): inputs of one number that have different types on different paths are different
//! inputs. Every witness is given to the real JVM, input by input, and drives it to the same outcome.

use crate::java;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use lazuli::LeftOut;
use lazuli_engine::Outcome;
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_engine::witness::{Concrete, Witness};
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
    let sources = ["Unknowns.java", "Replay.java"].map(|name| Path::new(SOURCES).join(name));
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

/// The inputs of a witness in the order in which the path made them.
fn inputs(program: &Program, witness: &Witness) -> Vec<String> {
    witness.roots.iter().map(|(_, value)| show(program, witness, *value)).collect()
}

fn show(program: &Program, witness: &Witness, value: Concrete) -> String {
    match value {
        Concrete::Bool(value) => (value as u8).to_string(),
        Concrete::Int(value) => value.to_string(),
        Concrete::Float(bits) => (bits as i32).to_string(),
        Concrete::Double(bits) => (bits as i64).to_string(),
        Concrete::Null => panic!("no input is null"),
        Concrete::Object(string) => {
            let named = |(field, _): &&(_, Concrete)| program.field(*field).name == "value";
            let Some((_, Concrete::Object(bytes))) = witness.objects[string].fields.iter().find(named) else {
                return "s".into();
            };
            let array = &witness.objects[*bytes];
            let length = array.fields.iter().find(|(field, _)| *field == lazuli_program::library::LENGTH);
            let Some((_, Concrete::Int(length))) = length else { return "s".into() };
            let at = |index: u32| array.elements.iter().find(|(at, _)| *at == index).map(|(_, value)| *value);
            let units = (0..*length as u32).map(|index| match at(index) {
                Some(Concrete::Int(value)) => (value as u8).to_string(),
                _ => "0".into(),
            });
            format!("s{}", units.collect::<Vec<_>>().join(","))
        }
    }
}

#[test]
fn inputs_of_drivers_have_a_type() {
    let classes = compiled();
    let (mut requests, mut promised) = (Vec::new(), Vec::new());
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
            for trace in &run.traces {
                let facts = trace.detail.as_ref().expect("there are few traces");
                let given = inputs(&program, facts.witness.as_ref().expect("every trace has one"));
                requests.push(format!("{method} {}", given.join(" ")));
                promised.push(match &trace.outcome {
                    Outcome::AssertFailed => "threw java.lang.AssertionError".to_string(),
                    Outcome::Threw(class) => format!("threw {class}"),
                    _ => "returned".into(),
                });
            }
        }
    }
    assert!(requests.len() > 100, "there are only {} traces", requests.len());
    let mut java = Command::new(java::jdk_program("java"));
    let java = java.args(["-ea", "-cp"]).arg(classes).arg("Replay").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = java.spawn().expect("there is a JVM");
    let text = requests.join("\n") + "\n";
    let mut input = child.stdin.take().expect("it was piped");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the JVM ends");
    writer.join().expect("no panic").expect("the JVM reads all requests");
    let answers = String::from_utf8(output.stdout).expect("answers are text");
    assert_eq!(answers.lines().count(), requests.len(), "one answer a request");
    for ((request, promise), answer) in requests.iter().zip(&promised).zip(answers.lines()) {
        assert_eq!(promise, answer, "{request}");
    }
}

/// What an input string cannot have is said.
#[test]
fn the_run_says_that_strings_are_latin() {
    let classes = compiled();
    let program = program(classes, "textFails");
    let run = java::run(&program, &Config::default(), "textFails");
    assert!(run.scope.left_out.contains(&LeftOut::WiderCharacters), "{:?}", run.scope);
}
