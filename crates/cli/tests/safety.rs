//! Files of others: what they hold does not reach a terminal as commands, what is no file is not read, and an answer that nobody has read is no success.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{command, file, lazuli, stderr, stdout};

/// A class `C` whose static methods, all empty, have these names.
fn class(methods: &[&str]) -> Vec<u8> {
    let mut class = Vec::from(0xCAFE_BABEu32.to_be_bytes());
    class.extend([0, 0, 0, 52]);
    class.extend((7 + methods.len() as u16).to_be_bytes());
    let text = |class: &mut Vec<u8>, text: &str| {
        class.push(1);
        class.extend((text.len() as u16).to_be_bytes());
        class.extend(text.as_bytes());
    };
    text(&mut class, "C");
    class.extend([7, 0, 1]);
    text(&mut class, "java/lang/Object");
    class.extend([7, 0, 3]);
    text(&mut class, "()V");
    text(&mut class, "Code");
    methods.iter().for_each(|method| text(&mut class, method));
    for number in [0x0021, 2, 4, 0, 0, methods.len() as u16] {
        class.extend(number.to_be_bytes());
    }
    for number in 0..methods.len() as u16 {
        for number in [0x0009, 7 + number, 5, 1, 6] {
            class.extend(number.to_be_bytes());
        }
        // No stack, no locals, one byte of code, no handlers, no attributes.
        class.extend([0, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0, 1, 0xb1, 0, 0, 0, 0]);
    }
    class.extend([0, 0]);
    class
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a printable path")
}

/// Nothing that a terminal obeys, and nothing that turns a line around.
fn is_plain(text: &str) -> bool {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().all(|c| c == '\n' || !c.is_control() && !turns(c))
}

#[test]
fn names_are_escaped() {
    let names = ["m\u{1b}c\u{7}", "a\u{202e}b\u{9b}2J", "two\nlines"];
    let shown = ["m\\u001bc\\u0007", "a\\u202eb\\u009b2J", "two\\u000alines"];
    for (name, shown) in names.iter().zip(shown) {
        let path = file("C.class", class(&[name]));
        for format in ["text", "json", "jsonl"] {
            let output = lazuli(&["explore", text(&path), "--format", format]);
            let answer = stdout(&output);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert!(is_plain(&answer), "{answer:?}");
            let shown = if format == "text" { shown } else { &shown.replace("\\u000a", "\\n") };
            assert!(answer.contains(shown), "{shown} is not in {answer}");
            if format == "json" {
                let read: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
                assert_eq!(read["entry"], format!("C.{name}"));
            }
        }
        let output = lazuli(&["ir", text(&path)]);
        assert!(is_plain(&stdout(&output)) && output.status.success(), "{:?}", stdout(&output));
    }
    let path = file("C.class", class(&names));
    let output = lazuli(&["explore", text(&path)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(is_plain(&stderr(&output)), "{:?}", stderr(&output));
    for shown in shown {
        assert!(stderr(&output).contains(&format!("C.{shown}()")), "{}", stderr(&output));
    }
    // The name of a file.
    let path = file("no\u{1b}[2J.pose", "class A {");
    let output = lazuli(&["explore", text(&path)]);
    assert!(is_plain(&stderr(&output)) && stderr(&output).contains("no\\u001b[2J.pose"), "{:?}", stderr(&output));
}

#[test]
fn an_answer_that_nobody_reads_is_no_success() {
    let program = "programs/pose/avl_find.pose";
    for arguments in
        [&["explore", program][..], &["explore", program, "--format", "jsonl"], &["ir", program], &["compare", program]]
    {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(141), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output), "", "{arguments:?}");
    }
}

/// Where a test makes something that is no file, which may be there from the last time.
fn place(name: &str) -> PathBuf {
    let path = file("beside", "").with_file_name(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn pipe(name: &str) -> PathBuf {
    let path = place(name);
    assert!(Command::new("mkfifo").arg(&path).status().expect("there is mkfifo").success());
    path
}

fn refused(arguments: &[&str], words: &[&str]) {
    let output = lazuli(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    for word in words {
        assert!(stderr(&output).contains(word), "{arguments:?}: no {word:?} in\n{}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    let program = "programs/pose/swap.pose";
    refused(&["explore", text(&pipe("p.pose"))], &["p.pose", "it is a pipe, not a file"]);
    refused(&["explore", program, "--invariants", text(&pipe("p.hex"))], &["p.hex", "it is a pipe, not a file"]);
    let link = place("zero.pose");
    std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
    refused(&["explore", text(&link)], &["zero.pose", "it is a device, not a file"]);
    refused(&["explore", program, "--invariants", "/dev/zero"], &["/dev/zero", "it is a device, not a file"]);
    refused(&["explore", program, "--invariants", "programs"], &["programs has no files of invariants"]);
    let source = file("A.java", "class A { static int f(int x) { return x; } }");
    let with = |path: &'static str| ["explore", text(&source), "A.f", "--cp", path].map(String::from);
    let with = with("/dev/zero");
    refused(&with.each_ref().map(String::as_str), &["/dev/zero", "it is a device, not a file"]);
}

#[cfg(unix)]
#[test]
fn included_files_are_the_programs_own() {
    let outside = file("outside/secret.pose", "class A { int x; }");
    let main = |included: &str| file("program/main.pose", format!("include {included}\nclass B {{ int y; }}\n1"));
    file("program/part/own.pose", "class A { int x; }");
    let output = lazuli(&["explore", text(&main("part/own.pose"))]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let link = main("x").with_file_name("link.pose");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&outside, &link).expect("a link");
    for included in
        ["../outside/secret.pose", "link.pose", text(&outside), "/dev/zero", "part/../../outside/secret.pose"]
    {
        refused(&["explore", text(&main(included))], &["is outside of the program's directory", "main.pose:1:"]);
    }
}
