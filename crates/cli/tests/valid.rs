//! Inputs that programs can make: methods over collections, records and generic types throw what their throws clauses say, and
//! nothing else, and a JVM does the same on every witness.

use crate::common::{file, lazuli, root, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// What bounds the structures that have no bound of their own.
const BOUNDS: [&str; 6] = ["--max-depth", "40", "--max-array", "4", "--max-steps", "20000"];

/// So many traces of each are judged.
const JUDGED: [&str; 4] = ["--confirm", "jvm", "--max-traces", "60"];

const MODELS: [&str; 7] = ["lazy", "lazier", "lazier#", "uber-lazy", "summary", "pose", "pose-ite"];

/// A class of `tests/java/valid`.
struct Subject {
    class: &'static str,
    source: String,
    classes: String,
}

impl Subject {
    fn new(class: &'static str) -> Subject {
        let name = format!("{class}.java");
        let path = root().join("tests/java/valid").join(&name);
        let source = std::fs::read_to_string(path).expect("the methods are there");
        let copy = file(&name, source.clone());
        let classes = copy.parent().expect("a directory").join("classes");
        let javac = std::env::var_os("JAVA_HOME").map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"));
        let status = Command::new(javac).arg("-g").arg("-d").arg(&classes).arg(&copy).status().expect("javac runs");
        assert!(status.success());
        Subject { class, source, classes: classes.to_str().expect("printable").into() }
    }

    /// The static methods of the class itself, each with what it may throw.
    fn methods(&self) -> Vec<(String, BTreeSet<String>)> {
        let mut found = Vec::new();
        for line in self.source.lines().filter_map(|line| line.strip_prefix("    static ")) {
            let Some((head, rest)) = line.split_once('(') else { continue };
            let name = head.rsplit(' ').next().expect("a name").to_string();
            let throws = rest.split_once(" throws ").map_or("", |(_, list)| list.trim_end_matches(" {"));
            let throws = throws.split(", ").filter(|class| !class.is_empty()).map(str::to_string);
            found.push((name, throws.collect()));
        }
        found
    }

    fn explore(&self, method: &str, options: &[&str]) -> Found {
        let entry = format!("{}.{method}", self.class);
        let args = [&["explore", &self.classes, "--entry", &entry, "--format", "jsonl"], &BOUNDS[..], options].concat();
        let output = lazuli(&args);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{method}: {}", stderr(&output));
        let mut found = Found::default();
        for line in stdout(&output).lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            match line["outcome"].as_str() {
                Some("threw") => {
                    let class = line["exception"].as_str().expect("a class");
                    found.thrown.insert(class.rsplit('.').next().expect("a name").to_string());
                }
                Some("stopped") => found.stopped.push(line.to_string()),
                Some("returned") => {
                    found.returned += 1;
                    found.values.extend(line["value"].as_i64());
                }
                _ => {}
            }
            if line["witness"]["verdict"] == "differs" {
                found.refuted.push(line.to_string());
            }
            if line["witness"]["judge"] == "jvm" && line["witness"]["verdict"] == "agrees" {
                found.confirmed += 1;
            }
        }
        found
    }
}

/// What the paths of a method come to; those that a bound stopped are by themselves.
#[derive(Default)]
struct Found {
    thrown: BTreeSet<String>,
    stopped: Vec<String>,
    returned: usize,
    values: BTreeSet<i64>,
    refuted: Vec<String>,
    confirmed: usize,
}

#[test]
fn what_methods_throw() {
    let subject = Subject::new("Valid");
    let methods = subject.methods();
    assert!(methods.len() >= 55, "{}", methods.len());
    for (method, expected) in &methods {
        let found = subject.explore(method, &[]);
        assert_eq!(found.refuted, [""; 0], "{method}");
        assert_eq!(found.thrown, *expected, "{method}");
        assert!(found.returned > 0, "{method}: {:?}", found.stopped);
    }
}

/// What people try first, judged by a JVM.
#[test]
fn a_machine_does_the_same() {
    let subject = Subject::new("Everyday");
    let methods = subject.methods();
    assert!(methods.len() >= 60, "{}", methods.len());
    for (method, expected) in &methods {
        let found = subject.explore(method, &JUDGED);
        assert_eq!(found.refuted, [""; 0], "{method}");
        assert_eq!(found.thrown, *expected, "{method}");
        assert!(found.confirmed > 0 && found.returned > 0, "{method}: {:?}", found.stopped);
    }
}

/// Of sets and maps over an enum there is one for every choice of its constants, and no other.
#[test]
fn every_subset_of_an_enum() {
    let subject = Subject::new("Everyday");
    for method in ["subset", "presence"] {
        for model in MODELS {
            let found = subject.explore(method, &[&JUDGED[..], &["--heap", model]].concat());
            assert_eq!(found.values, (-1..8).collect(), "{method} under {model}");
            assert_eq!((found.refuted, found.thrown), (Vec::new(), BTreeSet::new()), "{method} under {model}");
        }
    }
}

/// There are leap days, and last hours.
#[test]
fn dates_at_their_ends() {
    let subject = Subject::new("Everyday");
    for (method, values) in [("leapDay", 0..3), ("hours", 0..4)] {
        assert_eq!(subject.explore(method, &JUDGED).values, values.collect(), "{method}");
    }
}

/// A record whose constructor keeps something else than its arguments is one that it leaves as it is.
#[test]
fn records_that_do_more_than_check() {
    let subject = Subject::new("Copied");
    every_model(&subject, None);
    for (method, values) in [("count", 0..4), ("first", 0..3), ("percent", 0..3), ("length", 0..3), ("cells", 0..4)] {
        assert_eq!(subject.explore(method, &JUDGED).values, values.collect(), "{method}");
    }
}

/// Where it is not known whether what such a constructor makes is what it was given, the path stops by name.
#[test]
fn records_that_cannot_be_made_again() {
    let records = [
        ("java.util.Set<Integer> all", "java.util.Set.copyOf(all)", "an input record whose constructor changes all"),
        ("java.util.List<Integer> all", "all.stream().toList()", "an input record whose constructor changes all"),
    ];
    for (component, made, why) in records {
        let source = format!(
            "record Scores({component}) {{\n    Scores {{ all = {made}; }}\n\
             static int count(Scores s) {{ return s == null ? 0 : s.all().size(); }}\n}}\n"
        );
        let path = file("Scores.java", source);
        let output = lazuli(&["explore", path.to_str().expect("printable"), "--entry", "Scores.count"]);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains(why) && !text.contains("threw"), "{text}");
    }
}

/// What is found by its key, and what is in order, is the same under every heap model.
#[test]
fn keys_under_every_model() {
    every_model(&Subject::new("Keyed"), None);
}

/// Keys of every class are where they belong, and no two are equal.
#[test]
fn keys_of_every_class() {
    let subject = Subject::new("Keys");
    let methods = subject.methods();
    assert!(methods.len() >= 18, "{}", methods.len());
    for (method, _) in &methods {
        // What is found at an unknown place of a table takes POSE its time.
        let models = if method == "twoStrings" { &["lazy"][..] } else { &["pose", "lazy"] };
        for model in models {
            let found = subject.explore(method, &[&JUDGED[..], &["--heap", model]].concat());
            assert_eq!((found.refuted, found.thrown), (Vec::new(), BTreeSet::new()), "{method} under {model}");
            assert!(found.values.contains(&1), "{method} under {model}: {:?}", found.stopped);
        }
    }
    let values = subject.explore("find", &JUDGED).values;
    assert_eq!(values, (0..3).collect(), "{values:?}");
    every_model(&subject, Some(&["longs", "removed", "colors", "contained", "linked", "ends", "versions", "queued"]));
}

/// The identity hash code of a constant that is an input is that of the constant: whoever looks it up in a map takes the same path again.
#[test]
fn hash_codes_of_constants() {
    let source = "import java.util.*;\nclass Keyed {\n\
        enum Color { RED, GREEN, BLUE }\n\
        static int find(HashMap<Color, Integer> m, Color c) { return m.containsKey(c) ? 1 : 0; }\n\
        static int two(Color c, Object o) {\n\
            int a = System.identityHashCode(c), b = System.identityHashCode(o);\n\
            return b == 1 ? 1 : a == b ? 2 : 3;\n    }\n}\n";
    let path = file("Keyed.java", source);
    let path = path.to_str().expect("printable");
    for method in ["Keyed.find", "Keyed.two"] {
        for heap in ["pose", "lazy", "summary"] {
            let bounds = ["--k", "3", "--max-array", "2", "--max-depth", "40", "--timeout", "60s"];
            let args = [&["explore", path, "--entry", method, "--heap", heap], &bounds[..]].concat();
            let text = stdout(&lazuli(&args));
            assert!(!text.contains("REFUTED"), "{method} under {heap}: {text}");
            assert!(text.contains("returned 1"), "{method} under {heap}: {text}");
        }
    }
}

/// Methods of `Wrapped.java` with what their inputs are taken to be, in full but for the package.
const WRAPPED: [(&str, &str, &[&str]); 8] = [
    (
        "last",
        "List",
        &[
            "Collections$UnmodifiableList",
            "Collections$UnmodifiableRandomAccessList",
            "Collections$SynchronizedList|java.util.Collections$SynchronizedRandomAccessList",
            "Collections$SingletonList",
            "Collections$EmptyList",
            "ImmutableCollections$List12|java.util.ImmutableCollections$ListN",
        ],
    ),
    ("changed", "List", &["Collections$UnmodifiableRandomAccessList", "ImmutableCollections$ListN"]),
    ("added", "List", &["Collections$SynchronizedRandomAccessList"]),
    ("all", "Collection", &["Collections$UnmodifiableCollection", "Collections$SynchronizedCollection"]),
    (
        "contained",
        "Set",
        &[
            "Collections$UnmodifiableSet",
            "Collections$SynchronizedSet",
            "Collections$SingletonSet",
            "ImmutableCollections$Set12",
        ],
    ),
    ("found", "Map", &["Collections$UnmodifiableMap", "Collections$SynchronizedMap", "Collections$SingletonMap"]),
    ("found", "Map", &["ImmutableCollections$Map1|java.util.ImmutableCollections$MapN"]),
    ("next", "Iterator", &["ArrayList$Itr", "Vector$Itr"]),
];

/// What only the library can make.
#[test]
fn wrappers_and_iterators() {
    let subject = Subject::new("Wrapped");
    let methods = subject.methods();
    for (method, of, classes) in WRAPPED {
        let throws = &methods.iter().find(|(name, _)| name == method).expect("a method").1;
        for class in classes {
            let types = format!("java.util.{of}=java.util.{class}");
            for model in ["lazy", "summary", "pose"] {
                let found = subject.explore(method, &[&JUDGED[..], &["--types", &types, "--heap", model]].concat());
                assert_eq!(found.refuted, [""; 0], "{method} of {class} under {model}");
                assert_eq!(found.thrown, *throws, "{method} of {class} under {model}");
                assert!(found.confirmed > 1, "{method} of {class} under {model}: {:?}", found.stopped);
            }
        }
    }
    // The order differs from run to run.
    let types = "java.util.Set=java.util.ImmutableCollections$Set12";
    let found = subject.explore("iterated", &[&JUDGED[..], &["--types", types]].concat());
    assert_eq!((found.thrown, found.refuted), (BTreeSet::new(), Vec::new()));
    assert!(found.stopped.iter().all(|trace| trace.contains("the salt of Set.of and Map.of")), "{:?}", found.stopped);
    every_model(&subject, Some(&["put", "keys", "set", "counted"]));
}

/// What enums and records are is the same under every heap model.
#[test]
fn under_every_model() {
    let methods =
        ["ordered", "constants", "sorted", "waiting", "least", "added", "entries", "both", "rangesOf", "pair"];
    every_model(&Subject::new("Everyday"), Some(&methods));
}

/// Methods that throw nothing, all or some of those of a class.
fn every_model(subject: &Subject, chosen: Option<&[&str]>) {
    for (method, throws) in subject.methods() {
        if chosen.is_some_and(|chosen| !chosen.contains(&method.as_str())) {
            continue;
        }
        for model in MODELS {
            let found = subject.explore(&method, &[&JUDGED[..], &["--heap", model]].concat());
            assert_eq!(found.refuted, [""; 0], "{method} under {model}");
            assert_eq!(found.thrown, throws, "{method} under {model}");
            assert!(found.confirmed > 0, "{method} under {model}: {:?}", found.stopped);
        }
    }
}
