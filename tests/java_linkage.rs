//! Classes that were not compiled together: `use.Use` was compiled with `tests/java/linkage/before` and runs with what `after` has.
//! Every method ends as on the real JVM, on constants and for every witness of a symbolic execution, and nothing stops.

use crate::java;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use java::inputs::Inputs;
use lazuli_engine::concrete::{self, Answer};
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_program::Program;
use lazuli_program::library::World;

/// The classes of `before`, with those of `after` in their places.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-linkage");
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir(&out).expect("a directory of the tests");
        compile(&out, &["before/parts/Part.java", "before/use/Use.java"]);
        std::fs::remove_dir_all(out.join("parts")).expect("it was compiled");
        compile(&out, &["after/parts/Part.java"]);
        out
    })
}

fn compile(out: &Path, sources: &[&str]) {
    let sources = sources.iter().map(|source| Path::new("java/linkage").join(source));
    let status = Command::new(java::jdk_program("javac")).arg("-g").arg("-d").arg(out).args(sources).status();
    assert!(status.expect("there is a JDK").success(), "the sources do not compile");
}

fn program(target: &str) -> Program {
    let world = World { max_array: 2, max_string: 2, ..World::default() };
    let (method, descriptor) = target.split_at(target.find('(').expect("a descriptor"));
    let options = java::options(Some(&format!("{method}{descriptor}")), world);
    lazuli_program::frontend::java::load(classes(), &options).unwrap_or_else(|error| panic!("{target}: {error}"))
}

#[test]
fn every_method_links_as_on_the_jvm() {
    let targets = java::methods_of(classes(), &["use"]);
    assert!(targets.len() > 60, "there are only {} methods", targets.len());
    let mut inputs = Inputs::read();
    let (mut requests, mut promised) = (Vec::new(), Vec::new());
    for target in &targets {
        let program = program(target);
        // Objects are left to symbolic execution.
        let is_plain = |parameter: &String| parameter.len() == 1;
        let on_constants = java::inputs::parameters(target).iter().all(is_plain);
        let given = if on_constants { inputs.requests(target, 4, 2) } else { Vec::new() };
        for request in given {
            let answer = match concrete::call(&program, &Config::default(), &request) {
                Ok(Answer::Returned(value)) => format!("returned {value}"),
                Ok(Answer::Threw { class, .. }) => format!("threw {class} "),
                other => panic!("{request}: {other:?}"),
            };
            promised.push(format!("{answer}, on constants"));
            requests.push(request);
        }
        for heap in [HeapKind::Pose, HeapKind::Lazy, HeapKind::Summary] {
            let config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
            let run = java::run(&program, &config, &format!("{target} under {heap}"));
            assert_eq!(run.counts.stopped, 0, "{target} under {heap}: {:?}", run.stops);
            assert_eq!(run.counts.agreed, run.counts.traces, "{target} under {heap}");
        }
    }
    let answers = java::run_on_jvm_with(classes(), &requests);
    let mut wrong = Vec::new();
    for ((request, promise), answer) in requests.iter().zip(&promised).zip(&answers) {
        let end = promise.split(',').next().expect("before the comma");
        if !answer.starts_with(end) {
            wrong.push(format!("{request}: {promise}\n    JVM: {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), requests.len(), wrong.join("\n"));
    let errors =
        ["NoSuchField", "NoSuchMethod", "IllegalAccess", "IncompatibleClassChange", "AbstractMethod", "Instantiation"];
    for error in errors {
        let end = format!("threw java.lang.{error}Error ");
        assert!(answers.iter().any(|answer| answer.starts_with(&end)), "no method has an {error}Error");
    }
}

/// Classes that the JVM would not load, or that are not there, stop the path that needs them, by name.
#[test]
fn classes_that_cannot_be_loaded_stop_by_name() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-loading");
    let _ = std::fs::remove_dir_all(&directory);
    let (sources, out) = (directory.join("sources"), directory.join("classes"));
    for path in [&sources, &out] {
        std::fs::create_dir_all(path).expect("a directory of the tests");
    }
    let compile = |text: &str| {
        let source = sources.join("Main.java");
        std::fs::write(&source, text).expect("a source of the tests");
        let status = Command::new(java::jdk_program("javac")).arg("-g").arg("-d").arg(&out).arg(source).status();
        assert!(status.expect("there is a JDK").success());
    };
    let main = "class Main {
        static int made(int x) { return x > 3 ? new Finally().hashCode() & 0 : 1; }
        static int below(int x) { return x > 3 ? new Below().x : 1; }
        static int implementing(int x) { return x > 3 ? new Implementing().x : 1; }
        static int kind(Object o) { return o instanceof Gone ? 1 : 2; }
        static int cast(Object o) { return (Gone) o == null ? 1 : 2; }
        static int literal(int x) { return x > 3 ? Gone.class.hashCode() & 0 : 1; }
        static int array(int x) { return x > 3 ? new Gone[x].length : 1; }
        static int caught(int x) { try { return 6 / x; } catch (Failure e) { return 1; } } }
        class Finally extends Ended { } class Below extends Turned { int x; } class Implementing implements Kind { int x; } ";
    compile(&format!(
        "{main} class Ended {{ }} class Turned {{ }} interface Kind {{ }} class Gone {{ }} class Failure extends RuntimeException {{ }}"
    ));
    std::fs::remove_file(out.join("Gone.class")).expect("it was compiled");
    std::fs::remove_file(out.join("Failure.class")).expect("it was compiled");
    compile("final class Ended { } interface Turned { } class Kind { }");
    // The method, how many of its paths return, and what the others stop by.
    for (method, returned, why) in [
        ("made", 1, "its superclass is final"),
        ("below", 1, "its superclass is an interface"),
        ("implementing", 1, "it implements Kind, which is no interface"),
        ("kind", 1, "Gone: it is not on the class path"),
        ("cast", 1, "Gone: it is not on the class path"),
        ("literal", 1, "Gone: it is not on the class path"),
        ("array", 1, "Gone: it is not on the class path"),
        ("caught", 1, "Failure: it is not on the class path"),
    ] {
        let options = java::options(Some(&format!("Main.{method}")), World::default());
        let program = lazuli_program::frontend::java::load(&out, &options).unwrap_or_else(|error| panic!("{error}"));
        for heap in [HeapKind::Pose, HeapKind::Lazy] {
            let run = java::run(&program, &Config { heap, ..Config::default() }, method);
            let stops: Vec<String> = run.stops.iter().map(|(stop, _)| format!("{stop:?}")).collect();
            assert_eq!(run.counts.returned, returned, "{method} under {heap}: {stops:?}");
            assert!(
                run.counts.stopped > 0 && stops.iter().all(|stop| stop.contains(why)),
                "{method} under {heap}: {stops:?}"
            );
        }
    }
}

/// A path that returns does so at a line.
#[test]
fn the_place_of_a_return_is_its_line() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("Returns.java");
    std::fs::write(&source, "class Returns {\n  static int f(int x) {\n    if (x > 3)\n      return 1;\n\n    return g(x);\n  }\n  static int g(int x) { return x; }\n}\n")
        .expect("a source of the tests");
    let options = java::options(Some("Returns.f"), World::default());
    let program = lazuli_program::frontend::java::load(&source, &options).unwrap_or_else(|error| panic!("{error}"));
    let run = java::run(&program, &Config { detail: TraceDetail::Full, ..Config::default() }, "Returns.f");
    let mut places: Vec<String> =
        run.traces.iter().map(|trace| trace.detail.as_ref().expect("two traces").place.to_string()).collect();
    places.sort_unstable();
    assert_eq!(places, ["Returns.java:4", "Returns.java:6"]);
}
