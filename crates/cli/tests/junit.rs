//! `lazuli test`: the tests that it writes are compiled without a warning and run by JUnit's own launcher; and what it refuses.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{file, lazuli, root, stderr, stdout};

/// The jars of JUnit, as Debian has them; the one for older versions is left out.
const JARS: [&str; 12] = [
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-platform-console",
    "junit-platform-launcher",
    "junit-platform-engine",
    "junit-platform-commons",
    "junit-platform-reporting",
    "opentest4j",
    "opentest4j-reporting-events",
    "opentest4j-reporting-schema",
    "apiguardian-api",
    "picocli",
];

/// The class path of JUnit; nothing where it is not installed.
fn junit() -> Option<String> {
    let jar = |name: &str| PathBuf::from(format!("/usr/share/java/{name}.jar"));
    if !jar("junit-jupiter-engine").is_file() {
        eprintln!("JUnit is not installed (Debian: junit5): what was written is not run by its launcher");
        return None;
    }
    let there: Vec<String> =
        JARS.iter().map(|name| jar(name)).filter(|jar| jar.is_file()).map(|jar| jar.display().to_string()).collect();
    Some(there.join(":"))
}

/// An empty directory of this test's own.
fn directory(name: &str) -> PathBuf {
    let path = file("nothing", "").with_file_name(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

fn test(target: &str, out: &Path, more: &[&str]) -> Output {
    let mut args = vec!["test", target, "--out", out.to_str().expect("text")];
    args.extend(more);
    lazuli(&args)
}

/// The sources below a directory.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(sources(&path)),
            path => found.push(path),
        }
    }
    found.sort();
    found
}

/// The numbers of the last line: tests by public calls, within the package, by reflection, not written.
fn tiers(text: &str) -> [u64; 4] {
    let line = text.lines().last().expect("a summary");
    let numbers: Vec<u64> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers.len(), 6, "{line}");
    [numbers[1], numbers[2], numbers[3], numbers[5]]
}

/// What the tests execute, as the line before the last one has it: lines, all lines, branches, all branches.
fn executed(text: &str) -> [u64; 4] {
    let line = text.lines().rev().nth(1).expect("a line before the summary");
    assert!(line.starts_with("the tests execute "), "{text}");
    let numbers: Vec<u64> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{line}"))
}

/// Compiles what was written, and runs it by the launcher of JUnit: all tests pass, and there are as many as were announced.
fn launch(classes: &str, out: &Path, announced: u64) {
    let Some(junit) = junit() else { return };
    let compiled = directory("compiled");
    let class_path = format!("{classes}:{junit}");
    let mut javac = Command::new("javac");
    javac.args(["-Xlint:all,-path,-classfile", "-Werror", "-proc:none", "-cp", &class_path, "-d"]).arg(&compiled);
    let output = javac.args(sources(out)).output().expect("javac runs");
    assert!(output.status.success(), "{}", stderr(&output));
    let mut java = Command::new("java");
    java.args(["-ea", "-cp", &format!("{}:{class_path}", compiled.display())]);
    java.args(["org.junit.platform.console.ConsoleLauncher", "--details", "summary", "--scan-class-path"])
        .arg(&compiled);
    let output = java.output().expect("java runs");
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    assert!(text.contains(&format!("{announced} tests successful")), "{announced} are wanted:\n{text}");
}

fn compile(sources: &Path) -> PathBuf {
    compile_with(sources, &[])
}

fn compile_with(sources: &Path, more: &[PathBuf]) -> PathBuf {
    let classes = directory("classes");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-nowarn", "-d"]).arg(&classes).args(self::sources(sources)).args(more);
    assert!(javac.status().expect("javac runs").success());
    classes
}

#[test]
fn tests_of_small_classes_pass_by_junits_own_launcher() {
    let out = directory("out");
    let output = test("programs/java/tested", &out, &["--timeout", "2s", "--max-depth", "12"]);
    let text = stdout(&output);
    let [public, package, reflection, _] = tiers(&text);
    println!("{text}");
    assert!(public + package + reflection >= 50, "{text}");
    let [lines, all_lines, branches, all_branches] = executed(&text);
    assert!(lines * 10 >= all_lines * 9 && branches * 10 >= all_branches * 9, "nine tenths are executed:\n{text}");
    assert!(reflection * 5 <= public + package + reflection, "at most a fifth by reflection:\n{text}");
    let classes = compile(&root().join("programs/java/tested"));
    launch(classes.to_str().expect("text"), &out, public + package + reflection);
}

/// The trees of the project, which take many calls to build.
#[test]
fn tests_of_trees_pass_by_junits_own_launcher() {
    let helper = root().join("crates/explore/java/lazuli/Lazuli.java");
    for (tree, methods) in [
        ("avltree", ["AvlTree.insert", "AvlTree.contains", "AvlTree.findMin"]),
        ("treemap", ["TreeMap.put", "TreeMap.get", "TreeMap.remove"]),
    ] {
        let (target, out) = (format!("programs/java/hex/{tree}"), directory("out"));
        let more: Vec<&str> = methods.iter().copied().chain(["--timeout", "2s", "--max-depth", "10"]).collect();
        let output = test(&target, &out, &more);
        let text = stdout(&output);
        let [public, package, reflection, _] = tiers(&text);
        println!("{text}");
        assert!(public + package + reflection >= 10, "{text}{}", stderr(&output));
        assert!(reflection * 5 <= public + package + reflection, "at most a fifth by reflection:\n{text}");
        let classes = compile_with(&root().join(&target), std::slice::from_ref(&helper));
        launch(classes.to_str().expect("text"), &out, public + package + reflection);
    }
}

/// A file is as somebody would have written it, and shows what is wrong.
#[test]
fn a_failure_is_shown_by_a_test_that_says_so() {
    let out = directory("out");
    let output = test("programs/java/shop", &out, &["Cart.takeOver", "--failing-only", "--timeout", "3s"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let written = std::fs::read_to_string(out.join("shop/CartTest.java")).expect("a test class");
    assert!(written.contains("assertThrows(AssertionError.class, () -> cart.takeOver(cart));"), "{written}");
    assert!(written.contains("// FAILURE: an assertion fails at Cart.java:"), "{written}");
    // The same again: the same bytes, but only by force.
    let output = test("programs/java/shop", &out, &["Cart.takeOver", "--failing-only", "--timeout", "3s"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("CartTest.java exists: --force overwrites it"), "{}", stderr(&output));
    test("programs/java/shop", &out, &["Cart.takeOver", "--failing-only", "--timeout", "3s", "--force", "--jobs", "1"]);
    assert_eq!(std::fs::read_to_string(out.join("shop/CartTest.java")).expect("a test class"), written);
}

#[test]
fn tests_for_the_older_junit_are_public_and_have_its_imports() {
    let out = directory("out");
    test("programs/java/tested/Numbers.java", &out, &["Numbers.half", "--junit", "4", "--suffix", "Generated"]);
    let written = std::fs::read_to_string(out.join("tested/NumbersGenerated.java")).expect("a test class");
    assert!(
        written.contains("import org.junit.Test;") && written.contains("public class NumbersGenerated {"),
        "{written}"
    );
    assert!(written.contains("public void half_when") && written.contains(", 0.0);"), "{written}");
    let jars = "/usr/share/java/junit4.jar";
    if Path::new(jars).is_file() {
        let classes = compile(&root().join("programs/java/tested"));
        let mut javac = Command::new("javac");
        javac.args([
            "-Xlint:all,-path",
            "-Werror",
            "-proc:none",
            "-cp",
            &format!("{}:{jars}", classes.display()),
            "-d",
        ]);
        let output = javac.arg(directory("compiled")).args(sources(&out)).output().expect("javac runs");
        assert!(output.status.success(), "{}", stderr(&output));
    }
}

#[test]
fn what_is_wrong_with_the_question_is_said() {
    let is = |args: &[&str], said: &str| {
        let output = lazuli(args);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(said), "{said} in {}", stderr(&output));
    };
    is(&["test", "programs/java/shop"], "--out DIR is needed");
    is(&["test", "programs/pose/swap.pose", "--out", "x"], "tests are written of programs in Java");
    is(&["test", "programs/java/shop", "Cart.nothing", "--out", "x"], "there is no method nothing");
}

/// Classes of libraries that others have written: of all tests together at least four fifths need no reflection.
#[test]
fn tests_of_libraries_pass_by_junits_own_launcher() {
    let classes = [
        ("commons-lang3", "org.apache.commons.lang3.mutable.MutableInt"),
        ("commons-lang3", "org.apache.commons.lang3.CharUtils"),
        ("commons-lang3", "org.apache.commons.lang3.tuple.MutablePair"),
        ("commons-collections4", "org.apache.commons.collections4.keyvalue.DefaultKeyValue"),
        ("joda-time", "org.joda.time.Weeks"),
    ];
    let (mut all, mut by_reflection) = (0, 0);
    for (jar, class) in classes {
        let jar = format!("/usr/share/java/{jar}.jar");
        if !Path::new(&jar).is_file() {
            eprintln!("{jar} is not installed: no tests of {class} are written");
            continue;
        }
        let out = directory("out");
        let output = test(&jar, &out, &[class, "--timeout", "500ms", "--max-depth", "8"]);
        let [public, package, reflection, unwritten] = tiers(&stdout(&output));
        println!("{class}: {public} + {package} + {reflection} tests, {unwritten} not written");
        assert!(public + package + reflection > 0, "{}{}", stdout(&output), stderr(&output));
        launch(&jar, &out, public + package + reflection);
        (all, by_reflection) = (all + public + package + reflection, by_reflection + reflection);
    }
    assert!(by_reflection * 5 <= all, "{by_reflection} of {all}");
}
