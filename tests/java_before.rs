//! What exists before the entry can be an input: constants of enums, sentinels, cached boxes, literals. Under every heap model the traces have all
//! outcomes that the real JVM has on a list of inputs, none that it has not, and every witness drives it to the outcome of its trace.

use crate::java;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use lazuli::Run;
use lazuli::replay::replay;
use lazuli_engine::Outcome;
use lazuli_engine::config::{Config, HeapKind, Most};
use lazuli_engine::scope::LeftOut;
use lazuli_program::Program;
use lazuli_program::library::World;

/// A method, its descriptor, and inputs that between them have all outcomes.
type Subject = (&'static str, &'static str, &'static [&'static str]);

const COLORS: [&str; 4] = ["null", "@Before$Color.RED", "@Before$Color.GREEN", "@Before$Color.BLUE"];
const NIL: [&str; 4] = ["null", "@Before.NIL", "#1=Before$Nil{} | #1", "#1=Before$Below{} | #1"];

/// Objects of the request stand before the bar. For what a request has no words for, there is a method that makes the call.
const SUBJECTS: [Subject; 37] = [
    ("color", "(LBefore$Color;)I", &COLORS),
    ("arrow", "(LBefore$Color;)I", &COLORS),
    ("isNull", "(LBefore$Color;)I", &COLORS),
    ("name", "(LBefore$Color;)I", &COLORS),
    (
        "twoColors",
        "(LBefore$Color;LBefore$Color;)I",
        &["null null", "@Before$Color.BLUE null", "@Before$Color.RED @Before$Color.BLUE"],
    ),
    ("day", "(LBefore$Day;)I", &["null", "@Before$Day.MON", "@Before$Day.TUE"]),
    ("body", "(LBefore$Op;)I", &["null", "@Before$Op.PLUS", "@Before$Op.MINUS"]),
    ("sign", "(LBefore$Op;)I", &["null", "@Before$Op.PLUS", "@Before$Op.MINUS"]),
    ("rule", "(LBefore$Rule;)I", &["null", "@Before$Op.PLUS", "@Before$Op.MINUS", "#1=Before$Twice{} | #1"]),
    (
        "field",
        "(LBefore$Holder;)I",
        &["null", "#1=Before$Holder{} | #1", "#1=Before$Holder{color=@Before$Color.GREEN} | #1"],
    ),
    (
        "element",
        "([LBefore$Color;)I",
        &["null", "#1=Before$Color[0]{} | #1", "#1=Before$Color[2]{1:@Before$Color.BLUE} | #1"],
    ),
    ("bool", "(Ljava/lang/Boolean;)I", &["null", "java.lang.Boolean(true)", "java.lang.Boolean(false)"]),
    ("sentinel", "(LBefore$Nil;)I", &NIL),
    ("classed", "(LBefore$Nil;)I", &NIL),
    ("mutated", "(LBefore$Nil;)I", &NIL),
    ("written", "(LBefore$Nil;)I", &NIL),
    ("unseen", "(LBefore$Nil;)I", &NIL),
    ("unseenBack", "(LBefore$Nil;)I", &NIL),
    ("held", "(LBefore$Nil;)I", &NIL),
    ("both", "(LBefore$Nil;LBefore$Nil;)I", &["null null", "@Before.NIL null", "@Before.NIL @Before.NIL"]),
    ("inField", "(LBefore$Holder;)I", &["null", "#1=Before$Holder{} | #1", "#1=Before$Holder{nil=@Before.NIL} | #1"]),
    (
        "walk",
        "(LBefore$Nil;)I",
        &["null", "@Before.END", "#1=Before$Nil{next=@Before.END} | #1", "#1=Before$Nil{next=#1} | #1"],
    ),
    ("inTable", "(LBefore$Nil;)I", &["null", "@Before.NIL", "Before.inTableOnJvm()I"]),
    ("any", "(Ljava/lang/Object;)I", &["null", "@Before.NIL", "\"a\""]),
    ("none", "([I)I", &["null", "@Before.NONE"]),
    ("few", "([I)I", &["null", "@Before.FEW", "[1,2]"]),
    (
        "kind",
        "(Ljava/lang/Class;)I",
        &["null", "@Before.TEXT", "@Before.TEXTS", "@Before.INTERFACE", "@Before.NUMBER", "@Before.ANY"],
    ),
    (
        "assignable",
        "(Ljava/lang/Class;Ljava/lang/Class;)I",
        &["null null", "@Before.ANY null", "@Before.ANY @Before.TEXT", "@Before.TEXT @Before.ANY"],
    ),
    ("numbers", "(Ljava/lang/Class;)I", &["null", "@Before.NUMBER"]),
    ("cached", "(Ljava/lang/Integer;)I", &["null", "java.lang.Integer(5)", "java.lang.Integer(500)"]),
    ("character", "(Ljava/lang/Character;)I", &["null", "java.lang.Character(120)"]),
    ("literal", "(Ljava/lang/String;)I", &["null", "\"a\""]),
    ("empty", "(Ljava/util/Optional;)I", &["null", "@java.util.Optional.EMPTY"]),
    ("Color.warmth", "()I", &["@Before$Color.RED", "@Before$Color.GREEN", "@Before$Color.BLUE"]),
    ("Nil.isNil", "()I", &["@Before.NIL", "#1=Before$Nil{} | #1"]),
    ("Plain.other", "(LPlain;LPlain;)I", &["null null", "#1=Plain{} | #1 null"]),
    ("Plain.made", "(LPlain;)I", &["null"]),
];

fn compiled() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-before");
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir(&out).expect("a directory of the tests");
        let sources = ["Before.java", "Plain.java", "Odd.java"].map(|name| Path::new("java/before").join(name));
        let status = Command::new(java::jdk_program("javac")).arg("-g").arg("-d").arg(&out).args(sources).status();
        assert!(status.expect("there is a JDK").success(), "the sources do not compile");
        out
    })
}

fn program(method: &str) -> Program {
    let world = World { max_array: 2, max_string: 1, ..World::default() };
    let options = java::options(Some(&entry(method)), world);
    lazuli_program::frontend::java::load(compiled(), &options).unwrap_or_else(|error| panic!("{method}: {error}"))
}

/// Methods without a class are those of `Before`.
fn entry(method: &str) -> String {
    match method.split_once('.') {
        None => format!("Before.{method}"),
        Some((class @ ("Color" | "Nil"), name)) => format!("Before${class}.{name}"),
        Some(_) => method.into(),
    }
}

fn config(heap: HeapKind) -> Config {
    Config { heap, ..Config::default() }
}

fn leaves_out_existing(run: &Run) -> bool {
    run.scope.left_out.iter().any(|inputs| matches!(inputs, LeftOut::Existing { .. }))
}

/// What a trace says that the JVM does, as its answer begins; a value that depends on the input is left to the witness.
fn promised(outcome: &Outcome, value: Option<&str>) -> String {
    match (outcome, value) {
        (Outcome::Returned, Some(value)) if value.parse::<i32>().is_ok() => format!("returned {value}"),
        (Outcome::Returned, _) => "returned ".into(),
        (Outcome::Threw(class), _) => format!("threw {class}"),
        (other, _) => panic!("{other}"),
    }
}

/// What was found of a subject under one heap model.
struct Found {
    name: String,
    outcomes: BTreeSet<String>,
}

/// Requests to the JVM, and what becomes of their answers.
#[derive(Default)]
struct Questions {
    requests: Vec<String>,
    /// The number of a request on a witness, its trace, and what that promises.
    promises: Vec<(usize, String, String)>,
}

impl Questions {
    fn explore(&mut self, program: &Program, method: &str, target: &str, heap: HeapKind) -> Found {
        let name = format!("{method} under {heap}");
        let run = java::run(program, &config(heap), &name);
        assert!(!leaves_out_existing(&run), "{name}: {:?}", run.scope);
        let mut outcomes = BTreeSet::new();
        for trace in &run.traces {
            let facts = trace.detail.as_ref().expect("all detail");
            let promise = promised(&trace.outcome, facts.value.as_deref());
            let witness = facts.witness.as_ref().expect("a path has a witness");
            let entry = program.main.expect("the entry");
            if let Some(request) = java::witness::request(program, entry, target, witness) {
                self.promises.push((self.requests.len(), format!("{name}, trace {}", trace.id()), promise.clone()));
                self.requests.push(request);
            }
            outcomes.insert(promise);
        }
        Found { name, outcomes }
    }
}

#[test]
fn every_model_has_the_outcomes_of_inputs_that_exist_before() {
    let mut questions = Questions::default();
    let mut all = Vec::new();
    for (method, descriptor, inputs) in SUBJECTS {
        let target = format!("{}{descriptor}", entry(method));
        let first = questions.requests.len();
        questions.requests.extend(inputs.iter().map(|input| match input.split_once(" | ") {
            Some((objects, values)) => format!("{objects} {target} {values}"),
            None if input.contains('(') && input.starts_with("Before.") => input.to_string(),
            None => format!("{target} {input}"),
        }));
        let given = first..questions.requests.len();
        let program = program(method);
        let found: Vec<Found> = HeapKind::ALL.map(|heap| questions.explore(&program, method, &target, heap)).into();
        all.push((given, found));
    }
    let answers: Vec<String> = java::run_on_jvm_with(compiled(), &questions.requests)
        .iter()
        .map(|answer| answer.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    for (given, found) in all {
        let expected: BTreeSet<String> = answers[given].iter().cloned().collect();
        for Found { name, outcomes } in found {
            let is_found = |answer: &&String| outcomes.iter().any(|outcome| answer.starts_with(outcome));
            let is_right = |outcome: &&String| expected.iter().any(|answer| answer.starts_with(*outcome));
            let missing: Vec<&String> = expected.iter().filter(|answer| !is_found(answer)).collect();
            let wrong: Vec<&String> = outcomes.iter().filter(|outcome| !is_right(outcome)).collect();
            assert!(missing.is_empty() && wrong.is_empty(), "{name}: {missing:?} are missing, {wrong:?} are wrong");
        }
    }
    for (number, trace, promise) in &questions.promises {
        let answer = &answers[*number];
        assert!(answer.starts_with(promise), "{trace}: {promise}, but {answer}: {}", questions.requests[*number]);
    }
    println!("{} witnesses of {} methods", questions.promises.len(), SUBJECTS.len());
}

/// One trace a path: where nobody can tell, nothing is offered, and no trace is made more.
#[test]
fn what_is_not_compared_is_not_offered() {
    for (method, heap, traces) in [
        ("Plain.other", HeapKind::Pose, 2),
        ("Plain.other", HeapKind::Lazy, 5),
        ("Plain.made", HeapKind::Pose, 1),
        ("sentinel", HeapKind::Pose, 2),
        ("sentinel", HeapKind::Lazy, 3),
        ("color", HeapKind::Pose, 4),
        ("color", HeapKind::Lazy, 4),
        ("both", HeapKind::Pose, 3),
    ] {
        let run = java::run(&program(method), &config(heap), method);
        assert_eq!(run.counts.traces, traces, "{method} under {heap}");
    }
    let run = java::run(&program("Plain.equal"), &config(HeapKind::Pose), "Plain.equal");
    assert!(run.offered.is_empty(), "{:?}", run.offered);
}

/// A trace is replayed with what its run has offered.
#[test]
fn traces_are_replayed_with_what_was_offered() {
    for (method, heap) in [("sentinel", HeapKind::Pose), ("color", HeapKind::Lazy), ("literal", HeapKind::Summary)] {
        let program = program(method);
        let run = java::run(&program, &config(heap), method);
        for trace in &run.traces {
            let again =
                replay(&program, &config(heap), &trace.id()).unwrap_or_else(|error| panic!("{method}: {error}"));
            assert_eq!(again.trace.outcome, trace.outcome, "{method} under {heap}, trace {}", trace.id());
            let value = |trace: &lazuli::Trace| trace.detail.as_ref().and_then(|facts| facts.value.clone());
            assert_eq!(value(&again.trace), value(trace), "{method} under {heap}, trace {}", trace.id());
        }
    }
}

/// What the engine cannot offer is said.
#[test]
fn what_depends_on_the_path_is_left_out_by_name() {
    for method in ["Odd.sentinel", "Odd.boxed"] {
        for heap in [HeapKind::Pose, HeapKind::PoseIte, HeapKind::Lazy] {
            let run = java::run(&program(method), &config(heap), method);
            assert!(leaves_out_existing(&run), "{method} under {heap}: {:?}", run.scope);
        }
    }
}

/// Existing objects are no input objects: no bound counts them.
#[test]
fn bounds_do_not_count_what_exists() {
    for heap in HeapKind::ALL {
        let mut config = config(heap);
        (config.bounds.k, config.bounds.n) = (Some(1), vec![Most::of_all(1)]);
        // One of them is an input object: there is no room for another.
        let run = java::run(&program("both"), &config, "both");
        let values: BTreeSet<_> =
            run.traces.iter().map(|trace| trace.detail.as_ref().expect("detail").value.clone()).collect();
        assert_eq!(values, BTreeSet::from([Some("1".into()), Some("3".into())]), "{heap}");
    }
}
