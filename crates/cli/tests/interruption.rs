//! Ctrl-C: a run ends at once with what it has found, and nothing of ours stays behind.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{command, file, stderr, stdout};

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs")
}

/// Sends the signal; what the command then said, and how long it went on.
fn interrupted_by(signal: &str, child: Child) -> (Output, Duration) {
    let signalled = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(signalled.expect("kill runs").success());
    let since = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    (output, since.elapsed())
}

#[test]
fn a_run_ends_with_what_was_found() {
    for signal in ["-INT", "-TERM"] {
        let program = ["explore", "programs/pose/lazy/avl.pose", "--entry", "AvlTree.maxElement"];
        let child = start(command(&program).args(["--heap", "lazy", "--traces", "none"]));
        std::thread::sleep(Duration::from_millis(2000));
        let (output, _) = interrupted_by(signal, child);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stdout(&output).contains("incomplete: stopped by interrupted"), "{}", stdout(&output));
        assert_eq!(stderr(&output), "", "no progress line where there is no terminal");
    }
}

/// A large run is split into many tasks: those that are left do not begin.
#[test]
fn all_tasks_end() {
    let subject = "programs/hex/subjects/AvlTree";
    let (program, invariants) = (format!("{subject}.pose"), format!("{subject}.hex"));
    let bounds = ["--n", "AvlNode=40", "--traces", "none"];
    let mut explore = command(&["explore", &program, "--entry", "AvlTree.insert", "--invariants", &invariants]);
    let child = start(explore.args(bounds));
    std::thread::sleep(Duration::from_millis(2000));
    let (output, after) = interrupted_by("-INT", child);
    assert!(stdout(&output).contains("incomplete: stopped by interrupted"), "{}", stdout(&output));
    assert!(after < Duration::from_secs(5), "the other tasks are not begun");
}

/// Methods that have not begun do not begin; those that have are given up.
#[test]
fn checks_of_many_methods_end() {
    let method = |number: usize| {
        format!(
            "static int f{number}(int[] a) {{ int s = 0; for (int x : a) if (x % {} > s) s += x; return s; }}\n",
            number + 2
        )
    };
    let text = format!(
        "public class Many {{\n{}}}",
        (0..600).map(method).collect::<String>().replace("static", "public static")
    );
    let program = file("many/Many.java", &text);
    let program = program.to_str().expect("printable");
    let child = start(&mut command(&["check", program, "--no-cache", "--confirm", "none", "--max-array", "50"]));
    std::thread::sleep(Duration::from_millis(6000));
    let (output, after) = interrupted_by("-INT", child);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{text}{}", stderr(&output));
    let interrupted = text.lines().filter(|line| line.contains("unknown: interrupted")).count();
    assert!(interrupted > 500, "{text}");
    assert!(after < Duration::from_secs(5), "{after:?}");
}

/// What goes on for long inside of one decision notices too: the search for a completion, and a path without decisions.
#[test]
fn what_is_long_ends() {
    let spin = "class P { int f() := this.g[0]; int g(int n) := if n < 100000000 then this.g[n + 1] else n; }";
    let spin = file("spin.pose", spin);
    let subject = "programs/hex/subjects/TreeMap.pose";
    let of_subject = ["--entry", "TreeMap.put", "--invariants-by", "bounded", "--heap", "lazy", "--n", "9"];
    let of_spin = ["--entry", "P.f", "--max-calls", "1000000000", "--max-steps", "1000000000"];
    let cases: [(&str, &[&str]); 2] = [(subject, &of_subject), (spin.to_str().expect("text"), &of_spin)];
    for (program, options) in cases {
        let child = start(command(&["explore", program, "--traces", "none"]).args(options));
        std::thread::sleep(Duration::from_millis(2000));
        let (output, after) = interrupted_by("-INT", child);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("stopped by interrupted"), "{text}");
        assert!(after < Duration::from_secs(3), "{program}: {after:?}");
    }
}

/// The pictures that were found are shown.
#[test]
fn pictures_end_with_what_was_found() {
    let (program, invariants) =
        ("programs/hex/tree.pose", file("free.hex", "for any Tree t { t.root(.left|.right)* not null; }"));
    let sizes = ["--size", "30", "--max-steps", "1000000000", "--show", "2"];
    let child = start(command(&["hex", invariants.to_str().expect("text"), program]).args(sizes));
    std::thread::sleep(Duration::from_millis(1000));
    let (output, after) = interrupted_by("-INT", child);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("\nheap 2\n") && text.contains("incomplete: interrupted"), "{text}");
    assert!(after < Duration::from_secs(3), "{after:?}");
}

/// The cells of the table of techniques are short: no one of them notices, so the table must.
#[test]
fn the_table_of_techniques_ends() {
    let child = start(&mut command(&["tables", "hex", "--cell-time", "1s"]));
    std::thread::sleep(Duration::from_millis(2000));
    let (output, after) = interrupted_by("-INT", child);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).ends_with("incomplete: interrupted\n"), "{}", stdout(&output));
    assert!(after < Duration::from_secs(5), "the other subjects are not measured");
}

/// The compiler's directory goes: after a compilation, after one that failed, and in the midst of one.
#[test]
fn scratch_directories_do_not_stay() {
    let temporary = &Path::new(env!("CARGO_TARGET_TMPDIR")).join("interruption-scratch");
    let _ = std::fs::remove_dir_all(temporary);
    std::fs::create_dir(temporary).expect("an empty directory");
    let explore = |source: &Path| {
        let mut command = command(&["explore", source.to_str().expect("text"), "--entry", "A.f", "--traces", "none"]);
        start(command.env("TMPDIR", temporary))
    };
    let left = || std::fs::read_dir(temporary).expect("a directory").count();
    let endless =
        file("good/A.java", "class A { static void f(int n) { while (true) if (n % 3 == 1) n = n * 5 + 1; } }");
    let (good, bad) = (file("short/A.java", "class A { static void f(int n) { } }"), file("bad/A.java", "class {}"));
    for (source, code) in [(good, 0), (bad, 2)] {
        let output = explore(&source).wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), left()), (Some(code), 0), "{}", stderr(&output));
    }
    let child = explore(&endless);
    let since = Instant::now();
    while left() == 0 && since.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(left(), 1, "the compiler has its directory");
    let (output, _) = interrupted_by("-INT", child);
    // Where the compiler was faster than the signal, the run ends as any other.
    assert!(matches!(output.status.code(), Some(130 | 3)), "{}", stderr(&output));
    assert_eq!(left(), 0);
}
