//! A test class as a source: its package, what it imports, one method a test.

use std::collections::{BTreeMap, BTreeSet};

use super::{Attempt, Test};
use crate::args::test::JUnit;
use crate::code::Tier;

/// A file of a test class, and which test its lines belong to.
pub struct Source {
    pub text: String,
    /// The first line of every test, by its number in the class; lines are counted from 1.
    pub begins: Vec<(usize, usize)>,
}

/// The text of the helper, without its package.
const HELPER: &str = include_str!("../../java/LazuliInputs.java");

/// A class of tests.
pub struct Class {
    /// With dots; empty where there is none.
    pub package: String,
    pub name: String,
    /// The class under test, as a source writes it.
    pub of: String,
    pub tests: Vec<Test>,
}

impl Class {
    /// Its path below the directory of sources.
    pub fn path(&self) -> String {
        in_package(&self.package, &self.name)
    }

    /// As `java` names it.
    pub fn qualified(&self) -> String {
        if self.package.is_empty() { self.name.clone() } else { format!("{}.{}", self.package, self.name) }
    }

    pub fn needs_helper(&self) -> bool {
        self.attempts().any(|(_, attempt)| attempt.tier == Tier::Reflection)
    }

    /// What the tests are now, each with its number.
    fn attempts(&self) -> impl Iterator<Item = (usize, &Attempt)> {
        self.tests.iter().enumerate().filter_map(|(number, test)| Some((number, test.attempt()?)))
    }

    /// Whether there is any test left.
    pub fn is_empty(&self) -> bool {
        self.attempts().next().is_none()
    }

    /// The source with all its tests.
    pub fn source(&self, junit: JUnit) -> Source {
        let mut lines = Vec::new();
        if !self.package.is_empty() {
            lines.extend([format!("package {};", self.package), String::new()]);
        }
        lines.extend(self.imports(junit));
        lines.push(String::new());
        lines.push(format!("/** What {} does, one test a behaviour. Written by {}. */", self.of, "lazuli test"));
        let (public, void) = if junit == JUnit::Four { ("public ", "public void") } else { ("", "void") };
        lines.push(format!("{public}class {} {{", self.name));
        let mut begins = Vec::new();
        for (place, (number, attempt)) in self.attempts().enumerate() {
            if place > 0 {
                lines.push(String::new());
            }
            begins.push((lines.len() + 1, number));
            let test = &self.tests[number];
            lines.extend(test.comment.iter().map(|line| format!("    // {line}").trim_end().to_string()));
            lines.extend(failure(test));
            lines.push("    @Test".into());
            if !test.suppressed.is_empty() {
                let all: Vec<String> = test.suppressed.iter().map(|key| format!("\"{key}\"")).collect();
                let all = if all.len() == 1 { all.concat() } else { format!("{{{}}}", all.join(", ")) };
                lines.push(format!("    @SuppressWarnings({all})"));
            }
            let throws = attempt.throws.map_or_else(String::new, |class| format!(" throws {class}"));
            lines.push(format!("    {void} {}(){throws} {{", test.name));
            lines.extend(attempt.body.iter().flat_map(|line| broken(line)));
            lines.push("    }".into());
        }
        lines.push("}".into());
        Source { text: lines.join("\n") + "\n", begins }
    }

    fn imports(&self, junit: JUnit) -> Vec<String> {
        let api = if junit == JUnit::Four { "org.junit" } else { "org.junit.jupiter.api" };
        let (assertions, assumptions) = match junit {
            JUnit::Four => ("Assert", "Assume"),
            JUnit::Five => ("Assertions", "Assumptions"),
        };
        let asserts: BTreeSet<&str> =
            self.attempts().flat_map(|(_, attempt)| attempt.asserts.iter().copied()).collect();
        let mut lines: Vec<String> = asserts
            .iter()
            .map(|name| {
                let class = if name.starts_with("assume") { assumptions } else { assertions };
                format!("import static {api}.{class}.{name};")
            })
            .collect();
        lines.sort();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let mut plain: BTreeSet<String> =
            self.attempts().flat_map(|(_, attempt)| attempt.imports.iter().cloned()).collect();
        plain.insert(format!("{api}.Test"));
        lines.extend(plain.iter().map(|class| format!("import {class};")));
        lines
    }

    /// Gives up what cannot stand in one file with what stands before it: a simple name means one class.
    pub fn settle_imports(&mut self) {
        let mut known = BTreeMap::from([("Test".to_string(), String::new())]);
        for test in &mut self.tests {
            while let Some(attempt) = test.attempt() {
                let simple = |class: &String| class.rsplit('.').next().unwrap_or_default().to_string();
                let is_other = |class: &String| known.get(&simple(class)).is_some_and(|other| other != class);
                if attempt.imports.iter().any(is_other) {
                    test.give_up("two classes of the same name would have to be imported");
                    continue;
                }
                let new: Vec<(String, String)> =
                    attempt.imports.iter().map(|class| (simple(class), class.clone())).collect();
                known.extend(new);
                break;
            }
        }
    }
}

/// What a test shows that should not be.
fn failure(test: &Test) -> Vec<String> {
    let Some(fails) = &test.fails else { return Vec::new() };
    match (test.doubt(), test.attempt().map(|attempt| attempt.tier)) {
        (None, _) => vec![format!("    // FAILURE: {fails}. The test says what happens, not what should.")],
        (_, Some(Tier::Reflection)) => vec![
            format!("    // MAY FAIL: {fails}. The test says what happens, not what should."),
            "    // No public call is known to build this input: it may never be met.".into(),
        ],
        (Some(doubt), _) => vec![format!("    // MAY FAIL, {doubt}: {fails}.")],
    }
}

/// Longer lines are broken.
const WIDTH: usize = 112;

/// A statement, indented, in lines that are not too long where that is possible.
fn broken(statement: &str) -> Vec<String> {
    if statement.is_empty() {
        return vec![String::new()];
    }
    let (mut lines, mut rest) = (Vec::new(), statement);
    let mut margin = 8;
    for mark in [" = ", ", () -> ", ", "] {
        if margin + rest.len() <= WIDTH {
            break;
        }
        // Nothing is broken within a text.
        if let Some(at) = rest.find(mark).filter(|at| rest[..*at].matches('"').count() % 2 == 0) {
            let end = if mark == " = " { at + 2 } else { at + 1 };
            lines.push(format!("{}{}", " ".repeat(margin), &rest[..end]));
            rest = rest[end..].trim_start();
            margin = 16;
        }
    }
    lines.push(format!("{}{rest}", " ".repeat(margin)));
    lines
}

/// The path of a class of a package.
pub fn in_package(package: &str, class: &str) -> String {
    if package.is_empty() { format!("{class}.java") } else { format!("{}/{class}.java", package.replace('.', "/")) }
}

/// The source of the helper in a package.
pub fn helper(package: &str) -> String {
    if package.is_empty() { HELPER.into() } else { format!("package {package};\n\n{HELPER}") }
}
