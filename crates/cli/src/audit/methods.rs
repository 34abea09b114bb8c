//! `lazuli audit --methods`: public methods of jars, chosen by a seed, each explored by a process of its own within a time. How many of them return
//! something and stop nowhere, what stops the others, and whether one does not end.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lazuli_lab::library::entries;
use serde_json::Value;

use crate::args::Audit;
use crate::terminal;

/// A process that takes so much longer than its time hangs.
const GRACE: Duration = Duration::from_secs(60);
const MEMORY: &str = "2G";

/// What came of a method. The first that fits counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// The process did not end.
    Hangs,
    /// It ended without an answer.
    Failed(String),
    /// A path stopped at something that is not executed.
    Unsupported(String),
    Returns,
    OnlyThrows,
    /// No path ended within the limits.
    Nothing,
}

/// Exit code 1 where a process hangs or fails, 3 where something is not executed.
pub fn run(args: &Audit) -> Result<u8, String> {
    let chosen = entries(&args.methods, args.seed, args.count, args.only.as_deref())?;
    let program = std::env::current_exe().map_err(|e| format!("where this command is: {e}"))?;
    let mut endings: Vec<(String, Ending)> = Vec::new();
    for entry in &chosen {
        let mut command = Command::new(&program);
        command.arg("explore").arg(&entry.jar).arg("--entry").arg(&entry.name);
        // The others may be what it needs.
        let others: Vec<_> = args.methods.iter().filter(|other| **other != entry.jar).collect();
        if !others.is_empty() {
            command.arg("--cp").arg(std::env::join_paths(others).map_err(|e| e.to_string())?);
        }
        command.args(["--format", "json", "--traces", "none", "--max-memory", MEMORY]);
        let time: OsString = format!("{}ms", args.timeout.as_millis()).into();
        command.arg("--timeout").arg(time);
        let ending = ending(command, args.timeout + GRACE)?;
        if let Some(why) = shown(&ending) {
            terminal::print(&format!("{}: {why}\n", entry.name));
        }
        endings.push((entry.name.clone(), ending));
    }
    terminal::print(&summary(&endings));
    let any = |wanted: fn(&Ending) -> bool| endings.iter().any(|(_, ending)| wanted(ending));
    Ok(match () {
        _ if any(|ending| matches!(ending, Ending::Hangs | Ending::Failed(_))) => 1,
        _ if any(|ending| matches!(ending, Ending::Unsupported(_))) => 3,
        _ => 0,
    })
}

/// Runs an exploration; what it wrote says how it ended.
fn ending(mut command: Command, most: Duration) -> Result<Ending, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot start an exploration: {e}"))?;
    let output = read(child.stdout.take());
    let errors = read(child.stderr.take());
    if !ends(&mut child, most) {
        return Ok(Ending::Hangs);
    }
    let (output, errors) = (output.join().unwrap_or_default(), errors.join().unwrap_or_default());
    let Ok(answer) = serde_json::from_str::<Value>(&output) else {
        let first = errors.lines().next().unwrap_or("no answer").to_string();
        return Ok(Ending::Failed(first));
    };
    let count = |name: &str| answer["counts"][name].as_u64().unwrap_or(0);
    let stops = answer["stops"].as_object().into_iter().flatten().map(|(why, _)| why.as_str());
    let unsupported = stops.filter(|why| why.ends_with(" is not supported")).min();
    Ok(match (unsupported, count("returned"), count("threw") + count("assert_failed")) {
        (Some(why), ..) => Ending::Unsupported(why.to_string()),
        (None, 1.., _) => Ending::Returns,
        (None, 0, 1..) => Ending::OnlyThrows,
        (None, 0, 0) => Ending::Nothing,
    })
}

/// Reads beside the process, so that it does not wait for its reader.
fn read(from: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut from) = from {
            // What was read before an error is what there is.
            let _ = from.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// Whether a process ends in time; otherwise it is killed.
fn ends(child: &mut Child, most: Duration) -> bool {
    let end = Instant::now() + most;
    while Instant::now() < end {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    // It may have ended by itself in this moment.
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// What is worth a line of its own.
fn shown(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Hangs => Some("does not end".into()),
        Ending::Failed(why) => Some(format!("failed: {why}")),
        Ending::Unsupported(why) => Some(why.clone()),
        Ending::Nothing => Some("no path ends within the limits".into()),
        Ending::Returns | Ending::OnlyThrows => None,
    }
}

fn summary(endings: &[(String, Ending)]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, ending) in endings {
        if let Ending::Unsupported(why) = ending {
            *reasons.entry(why).or_default() += 1;
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, methods)| std::cmp::Reverse(*methods));
    let mut text: String = reasons.iter().map(|(why, methods)| format!("{methods:>5} {why}\n")).collect();
    let count = |wanted: fn(&Ending) -> bool| endings.iter().filter(|(_, ending)| wanted(ending)).count();
    let share = |number: usize| format!("{number} ({:.1} %)", 100.0 * number as f64 / endings.len().max(1) as f64);
    text += &format!(
        "{} methods: {} return and stop nowhere, {} only throw, {} stop at something unsupported, {} end nowhere, {} fail, {} hang\n",
        endings.len(),
        share(count(|ending| matches!(ending, Ending::Returns))),
        share(count(|ending| matches!(ending, Ending::OnlyThrows))),
        share(count(|ending| matches!(ending, Ending::Unsupported(_)))),
        share(count(|ending| matches!(ending, Ending::Nothing))),
        count(|ending| matches!(ending, Ending::Failed(_))),
        count(|ending| matches!(ending, Ending::Hangs)),
    );
    text
}
