//! `--confirm`: who judges the witnesses, what the verdicts are, and the exit codes that follow.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{file, lazuli};
use serde_json::Value;

/// A program has a directory of its own: the classes beside it belong to it.
fn program(name: &str, source: &str) -> PathBuf {
    file(&format!("{name}/{name}.java"), source)
}

struct Judged {
    code: Option<i32>,
    json: Value,
}

impl Judged {
    fn of(path: &Path, entry: &str, more: &[&str]) -> Judged {
        let mut args = vec!["explore", path.to_str().expect("printable"), "--entry", entry, "--format", "json"];
        args.extend_from_slice(more);
        Judged::read(&lazuli(&args))
    }

    fn read(output: &Output) -> Judged {
        let json = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        Judged { code: output.status.code(), json }
    }

    fn count(&self, verdict: &str) -> u64 {
        self.json["counts"][format!("witnesses_{verdict}")].as_u64().expect("a number")
    }

    fn counts(&self) -> [u64; 4] {
        ["agreed", "differed", "not_comparable", "not_tried"].map(|verdict| self.count(verdict))
    }

    fn reasons(&self) -> String {
        let traces = self.json["traces"].as_array().expect("a list");
        traces.iter().map(|trace| trace["witness"]["reasons"].to_string()).collect()
    }
}

const ACCOUNT: &str = "class Account {
  private final int limit; int balance; static int calls;
  Account(int limit) { this.limit = limit; if (limit < 0) throw new IllegalArgumentException(\"below \" + limit); }
  int withdraw(int amount) {
    if (amount > balance + limit) throw new IllegalStateException(\"too much\");
    balance -= amount;
    System.out.println(\"left \" + balance);
    return balance;
  }
  static int count() { return ++calls; }
  static int compare(java.util.Comparator<String> by, String a, String b) { return by.compare(a, b) < 0 ? 1 : 2; }
  static abstract class Rate { int base; abstract long of(int amount); }
  static long rate(Rate rate, int amount) { long r = rate.of(amount); return r > 3 ? r + rate.base : -1; }
}";

#[test]
fn the_jvm_confirms() {
    let path = program("Account", ACCOUNT);
    for (entry, traces) in [("withdraw", 2), ("<init>", 2), ("count", 1), ("compare", 3), ("rate", 3)] {
        for jobs in ["1", "3"] {
            let judged = Judged::of(&path, &format!("Account.{entry}"), &["--confirm", "jvm", "--jobs", jobs]);
            assert_eq!(judged.counts(), [traces, 0, 0, 0], "{entry}: {}", judged.reasons());
            let witness = &judged.json["traces"][0]["witness"];
            assert_eq!((&witness["judge"], &witness["verdict"]), (&"jvm".into(), &"agrees".into()));
        }
    }
    let path = path.to_str().expect("printable");
    let text = |judge: &str| {
        let output = lazuli(&["explore", path, "--entry", "Account.withdraw", "--confirm", judge]);
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(text("jvm").contains("2 of 2 witnesses confirmed by the JVM"), "{}", text("jvm"));
    assert!(text("engine").contains("2 of 2 witnesses replayed") && !text("engine").contains("confirmed"));
    assert!(!text("none").contains("witnesses"), "{}", text("none"));
}

/// What no two machines agree on is said to be so, and changes no exit code.
#[test]
fn some_witnesses_are_not_comparable() {
    let source = "class Varies {
      static int hash(Object o) { return o == null ? 0 : System.identityHashCode(o); }
    }";
    let path = program("Varies", source);
    let judged =
        Judged::of(&path, "Varies.hash", &["--confirm", "jvm", "--types", "java.lang.Object=java.lang.Object"]);
    assert_eq!((judged.code, judged.counts()), (Some(0), [1, 0, 1, 0]), "{}", judged.reasons());
    assert!(judged.reasons().contains("identity hash codes"), "{}", judged.reasons());
}

/// For the tiny languages the engine's replay is the judge.
#[test]
fn a_program_in_a_tiny_language_has_no_jvm() {
    let path = file("judge.pose", "class A { int f(int x) := if x < 3 then 0 else 1; }");
    let path = path.to_str().expect("printable");
    let output = lazuli(&["explore", path, "--entry", "A.f", "--confirm", "jvm"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not in Java"));
    for judge in ["engine", "none"] {
        let output = lazuli(&["explore", path, "--entry", "A.f", "--confirm", judge, "--format", "json"]);
        let judged = Judged::read(&output);
        let expected = if judge == "engine" { [2, 0, 0, 0] } else { [0, 0, 0, 2] };
        assert_eq!((judged.code, judged.counts()), (Some(0), expected));
    }
}

/// A helper that cannot be compiled, or does not start: every witness says so, and the exit code too.
#[test]
fn without_a_jvm_nothing_is_tried() {
    let path = program("Lone", "class Lone { static int f(int x) { return x > 0 ? 1 : 2; } }");
    // Classes need no compiler to be read; the helper does.
    let classes = path.with_file_name("classes");
    let javac = Command::new("javac").arg("-d").arg(&classes).arg(&path).status().expect("there is a JDK");
    assert!(javac.success());
    let empty = path.with_file_name("cache");
    let _ = std::fs::remove_dir_all(&empty);
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    command.args(["explore", "--entry", "Lone.f", "--confirm", "jvm", "--format", "json"]).arg(&classes);
    // Where temporary directories cannot be made.
    let output = command.env("XDG_CACHE_HOME", &empty).env("TMPDIR", "/nonexistent").output().expect("it runs");
    let judged = Judged::read(&output);
    assert_eq!((judged.code, judged.counts()), (Some(3), [0, 0, 0, 2]), "{}", judged.reasons());
    assert!(judged.reasons().contains("/nonexistent"), "{}", judged.reasons());
    assert!(judged.json["limits"].to_string().contains("untried"));
}
