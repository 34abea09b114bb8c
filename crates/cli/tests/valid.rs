//! Inputs that programs can make: methods over collections, records and generic types throw what their throws clauses say, and
//! nothing else, under every heap model.

use crate::common::{file, lazuli, root, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// What bounds the structures that have no bound of their own.
const BOUNDS: [&str; 6] = ["--max-depth", "40", "--max-array", "4", "--max-steps", "20000"];

fn source() -> String {
    std::fs::read_to_string(root().join("tests/java/valid/Valid.java")).expect("the methods are there")
}

/// The methods, compiled.
fn compiled() -> PathBuf {
    let source = file("Valid.java", source());
    let classes = source.parent().expect("a directory").join("classes");
    let javac = std::env::var_os("JAVA_HOME").map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"));
    let status = Command::new(javac).arg("-g").arg("-d").arg(&classes).arg(&source).status().expect("javac runs");
    assert!(status.success());
    classes
}

/// The static methods of the class itself, each with what it may throw.
fn methods() -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    for line in source().lines().filter_map(|line| line.strip_prefix("    static ")) {
        let Some((head, rest)) = line.split_once('(') else { continue };
        let name = head.rsplit(' ').next().expect("a name").to_string();
        let throws = rest.split_once(" throws ").map_or("", |(_, list)| list.trim_end_matches(" {"));
        let throws = throws.split(", ").filter(|class| !class.is_empty()).map(str::to_string);
        found.push((name, throws.collect()));
    }
    found
}

/// What the paths of a method throw; those that a bound stopped are not among them.
fn thrown(classes: &str, method: &str, options: &[&str]) -> (BTreeSet<String>, Vec<String>, usize) {
    let entry = format!("Valid.{method}");
    let args = [&["explore", classes, "--entry", &entry, "--format", "jsonl"], &BOUNDS[..], options].concat();
    let output = lazuli(&args);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{method}: {}", stderr(&output));
    let (mut thrown, mut stopped, mut returned) = (BTreeSet::new(), Vec::new(), 0);
    for line in stdout(&output).lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        match line["outcome"].as_str() {
            Some("threw") => {
                let class = line["exception"].as_str().expect("a class");
                thrown.insert(class.rsplit('.').next().expect("a name").to_string());
            }
            Some("stopped") => stopped.push(line.to_string()),
            Some("returned") => returned += 1,
            _ => {}
        }
    }
    (thrown, stopped, returned)
}

#[test]
fn what_methods_throw() {
    let classes = compiled();
    let classes = classes.to_str().expect("printable");
    let methods = methods();
    assert!(methods.len() >= 55, "{}", methods.len());
    for (method, expected) in &methods {
        let (found, stopped, returned) = thrown(classes, method, &[]);
        assert_eq!(found, *expected, "{method}");
        assert!(returned > 0, "{method}: {stopped:?}");
    }
}
