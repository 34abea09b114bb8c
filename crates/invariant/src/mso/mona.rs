//! Asking `mona`, the decision procedure for monadic second-order logic: one process a formula.

use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

/// Whether a formula is satisfiable. An error is an answer that is none.
pub(crate) fn is_satisfiable(formula: &str) -> Result<bool, String> {
    let output = ask(formula)?;
    let text = String::from_utf8_lossy(&output.stdout);
    if text.contains("Formula is unsatisfiable") {
        Ok(false)
    } else if text.contains("A satisfying example") || text.contains("Formula is valid") {
        Ok(true)
    } else {
        let why = text.lines().chain(std::str::from_utf8(&output.stderr).unwrap_or("").lines()).next().unwrap_or("");
        Err(format!("mona gives no answer: {why}"))
    }
}

/// Says before a run that `mona` is there.
pub(crate) fn is_installed() -> Result<(), String> {
    is_satisfiable("ws2s;\ntrue;\n").map(|_| ())
}

fn ask(formula: &str) -> Result<Output, String> {
    let mona = Command::new("mona")
        .args(["-q", "/dev/stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut mona = mona.map_err(|e| match e.kind() {
        ErrorKind::NotFound => "mso needs mona, which is not installed (Debian's package mona)".to_string(),
        _ => format!("mona does not start: {e}"),
    })?;
    let mut input = mona.stdin.take().expect("piped");
    input.write_all(formula.as_bytes()).map_err(|e| format!("mona does not read: {e}"))?;
    drop(input);
    mona.wait_with_output().map_err(|e| format!("mona does not end: {e}"))
}
