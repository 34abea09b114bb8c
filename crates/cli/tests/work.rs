//! Work that can be interrupted, continued and handed around: streams, checkpoints, limits, and decision paths that mean the same in
//! every process.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{command, file, lazuli, stderr, stdout};
use serde_json::Value;

/// 7,033 traces in several tasks.
const SUBJECT: [&str; 7] =
    ["explore", "programs/pose/lazy/avl.pose", "--entry", "AvlTree.insertElem", "--heap", "lazy", "--format"];

fn subject(format: &'static str, more: &[&str]) -> Command {
    let mut command = command(&SUBJECT);
    command.arg(format).args(more);
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the command runs")
}

/// The lines of a stream, without the clock.
fn lines(text: &str) -> Vec<Value> {
    let timeless = |line: &str| {
        let mut value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        value.as_object_mut().expect("an object").remove("time");
        value
    };
    text.lines().map(timeless).collect()
}

fn fresh(name: &str) -> PathBuf {
    let path = file(name, "");
    std::fs::remove_file(&path).expect("it was just written");
    path
}

/// Xorshift: kills at other moments with every seed, which a failure shows.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn a_stream_has_a_header_a_line_for_every_trace_and_an_end() {
    let output = run(&mut subject("jsonl", &[]));
    let found = lines(&stdout(&output));
    let [first, traces @ .., end] = found.as_slice() else { panic!("{}", stderr(&output)) };
    assert_eq!((&first["type"], &first["version"], &first["heap"]), (&"run".into(), &4.into(), &"lazy".into()));
    assert_eq!((&end["type"], &end["complete"]), (&"end".into(), &true.into()));
    assert_eq!(end["counts"]["traces"], traces.len());
    assert!(end["tasks"].as_u64().expect("a number") > 3, "it was split: {}", end["tasks"]);
    assert!(traces.iter().all(|trace| trace["type"] == "trace" && trace["witness"]["verdict"] == "agrees"));
    let whole: Value = serde_json::from_slice(&run(&mut subject("json", &["--jobs", "2"])).stdout).expect("JSON");
    assert_eq!(whole["traces"].as_array().map(Vec::len), Some(traces.len()));
    for (one, other) in whole["traces"].as_array().expect("a list").iter().zip(traces) {
        assert_eq!(one["id"], other["id"], "the object has the traces of the stream, in its order");
    }
    assert_eq!(whole["counts"], end["counts"]);
}

/// Traces are there long before the run has ended.
#[test]
fn traces_are_written_while_they_are_found() {
    use std::io::{BufRead, BufReader};
    let endless = ["explore", "programs/pose/lazy/avl.pose", "--entry", "AvlTree.maxElement", "--heap", "lazy"];
    let mut child = command(&endless).args(["--format", "jsonl"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    for expected in ["\"run\"", "\"trace\"", "\"trace\""] {
        line.clear();
        reader.read_line(&mut line).expect("a line");
        assert!(line.contains(expected), "{line}");
    }
    assert_eq!(child.try_wait().expect("it can be asked"), None, "it goes on");
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
}

/// Whatever is hidden, a failed assertion is not.
#[test]
fn violations_are_always_shown() {
    let text = "class A { int v; A next; }\n\
                let a : A := Y0 in let b : A := Y1 in { a.v := 1; b.v := 2; assert a.v = 1 }";
    let program = file("violated.pose", text);
    let shown = |more: &[&str]| stdout(&run(command(&["explore", program.to_str().expect("text")]).args(more)));
    let all = shown(&[]);
    assert!(all.contains(": returned") && all.contains(": assertion failed"), "{all}");
    for hidden in [&["--show", "0"][..], &["--traces", "none"], &["--show", "0", "--search", "bfs"]] {
        let text = shown(hidden);
        assert!(text.contains(": assertion failed") && !text.contains(": returned"), "{hidden:?}: {text}");
    }
    assert!(shown(&["--show", "0"]).contains("more traces not shown (--show N"), "{}", shown(&["--show", "0"]));
}

#[test]
fn killed_runs_are_continued() {
    let whole = lines(&stdout(&run(&mut subject("jsonl", &[]))));
    let mut random = Random(std::process::id() as u64 | 1 << 20);
    let (mut kills, mut number) = (0, 0);
    while kills < 10 {
        number += 1;
        let path = fresh(&format!("killed-{number}.jsonl"));
        let path = path.to_str().expect("text");
        let jobs = ["1", "2"][number % 2];
        let mut option = "--checkpoint";
        let output = loop {
            let saved = [option, path, "--jobs", jobs];
            let mut child = subject("jsonl", &saved).stdout(Stdio::null()).spawn().expect("it starts");
            let delay = 20 + random.below(600);
            std::thread::sleep(Duration::from_millis(delay));
            let ended = child.try_wait().expect("it can be asked").is_some();
            // SIGKILL: nobody can heed it.
            child.kill().expect("it is killed, or has ended");
            child.wait().expect("it has ended");
            kills += !ended as u32;
            if Path::new(path).exists() && std::fs::metadata(path).expect("a file").len() > 0 {
                option = "--resume";
            }
            if ended || kills >= 10 {
                let saved = [option, path, "--jobs", jobs];
                break run(&mut subject("jsonl", &saved));
            }
        };
        let continued = lines(&stdout(&output));
        let differs = whole.iter().zip(&continued).find(|(a, b)| a != b);
        assert!(whole == continued, "{kills} kills: {differs:?} {}", stderr(&output));
    }
}

#[test]
fn a_damaged_last_line_is_done_again() {
    let whole = lines(&stdout(&run(&mut subject("jsonl", &[]))));
    let path = fresh("damaged.jsonl");
    let saved = path.to_str().expect("text");
    let first = run(&mut subject("jsonl", &["--checkpoint", saved]));
    assert_eq!(lines(&stdout(&first)), whole);
    let text = std::fs::read_to_string(&path).expect("a checkpoint");
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let last_line = ends[ends.len() - 2];
    // Without its end, in its midst, and with bytes that were never written.
    for damaged in [text[..text.len() - 1].to_string(), text[..last_line + 40].to_string(), text.clone() + "\0\0\0"] {
        std::fs::write(&path, &damaged).expect("it is written");
        let output = run(&mut subject("jsonl", &["--resume", saved, "--jobs", "2"]));
        assert_eq!(lines(&stdout(&output)), whole, "{}", stderr(&output));
        let repaired = std::fs::read_to_string(&path).expect("a checkpoint");
        let all_parse = repaired.lines().all(|line| serde_json::from_str::<Value>(line).is_ok());
        assert!(all_parse && repaired.lines().count() == ends.len(), "the file is whole again");
    }
    // In its middle it is not ours to guess.
    let middle = ends[1] + 10;
    std::fs::write(&path, [&text[..middle], "§", &text[middle + 1..]].concat()).expect("it is written");
    let refused = run(&mut subject("jsonl", &["--resume", saved]));
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("line 3 is damaged"), "{}", stderr(&refused));
}

#[test]
fn checkpoints_of_other_runs_are_refused_by_name() {
    let source = "class A { int v; int f(int w) := if this.v < w then 1 else 2; }";
    let program = file("mine.pose", source);
    let program = program.to_str().expect("text");
    let path = fresh("mine.jsonl");
    let saved = path.to_str().expect("text");
    let explore = |more: &[&str]| run(command(&["explore", program, "--entry", "A.f"]).args(more));
    assert_eq!(explore(&["--checkpoint", saved]).status.code(), Some(0));
    // Where it ends and how many work on it is no part of it.
    assert_eq!(explore(&["--resume", saved, "--timeout", "1m", "--jobs", "2"]).status.code(), Some(0));
    let refused = |more: &[&str], why: &str| {
        let output = explore(&[&["--resume", saved], more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(why), "{more:?}: {}", stderr(&output));
    };
    refused(&["--heap", "lazy"], "heap is \"pose\" there and \"lazy\" here");
    refused(&["--max-depth", "7"], "depth is 1000 there and 7 here");
    refused(&["--k", "3"], "k is not given there and 3 here");
    refused(&["--search", "bfs"], "--checkpoint saves parts of a depth-first search");
    assert!(stderr(&explore(&["--checkpoint", saved])).contains("continue it by --resume"));
    let not_one = explore(&["--resume", "programs/pose/swap.pose"]);
    assert!(stderr(&not_one).contains("this is no checkpoint"), "{}", stderr(&not_one));
    std::fs::write(program, source.replace("then 1", "then 3")).expect("it is written");
    refused(&[], "the checkpoint is of another program");
}

/// How a trace ends, and its condition.
fn essence(trace: &Value) -> [&Value; 4] {
    assert!(trace["path_condition"].is_array(), "{trace} has a condition");
    ["outcome", "exception", "reason", "path_condition"].map(|key| &trace[key])
}

/// Explored in any order, by any number of workers, a trace is the same when a fresh process follows its decisions.
#[test]
fn decision_paths_mean_the_same_in_every_process() {
    let java = ["jdk", "--entry", "java.util.LinkedList.remove(Object)", "--k", "2", "--max-depth", "8"];
    let subjects: [&[&str]; 5] = [
        &["programs/pose/dll_add.pose", "--heap", "lazier#"],
        &["programs/pose/avl_find.pose", "--heap", "pose", "--max-depth", "9"],
        &["programs/pose/dll_get.pose", "--heap", "summary"],
        &[&java[..], &["--heap", "pose"]].concat(),
        &[&java[..], &["--heap", "lazy"]].concat(),
    ];
    let parsed = |output: &Output| -> Value {
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(output)))
    };
    for subject in subjects {
        let explore = |more: &[&str]| -> Vec<Value> {
            let output = run(command(&["explore"]).args(subject).args(["--format", "json", "--verbose"]).args(more));
            parsed(&output)["traces"].as_array().expect("traces").clone()
        };
        let depth_first = explore(&["--jobs", "1"]);
        assert!(depth_first.len() > 4, "{subject:?}");
        let others = [explore(&["--jobs", "2"]), explore(&["--search", "bfs"]), explore(&["--search", "random"])];
        assert!(others.iter().all(|other| other.len() == depth_first.len()), "{subject:?}");
        // Processes take time: every trace of a small run, some of a large one.
        for trace in depth_first.iter().step_by(depth_first.len().div_ceil(25)) {
            let (id, expected) = (trace["id"].as_str().expect("a name"), essence(trace));
            for other in &others {
                let same =
                    other.iter().find(|other| other["id"] == id).unwrap_or_else(|| panic!("{subject:?}: no {id}"));
                assert_eq!(essence(same), expected, "{subject:?}, {id}");
            }
            let replayed = run(command(&["replay", subject[0], id, "--format", "json"]).args(&subject[1..]));
            let replayed = parsed(&replayed);
            assert_eq!(essence(&replayed["trace"]), expected, "{subject:?}, {id}");
        }
    }
}

/// How long a command goes on after its time. The machine may be busy: the shortest of three attempts.
fn overtime(args: &[&str]) -> Duration {
    let attempt = |_| {
        let started = Instant::now();
        let output = run(command(&["explore"]).args(args).args(["--timeout", "2s"]));
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {}", stderr(&output));
        assert!(text.contains("--timeout"), "{}", text.lines().last().unwrap_or(""));
        started.elapsed().saturating_sub(Duration::from_secs(2))
    };
    (0..3).map(attempt).min().expect("there were three")
}

/// While witnesses are replayed, while an answer is written, on one long path, and in a search for a completion: half a second
/// and a tenth.
#[test]
fn the_time_is_kept_everywhere() {
    let spin = "class P { int f() := this.g[0]; int g(int n) := if n < 100000000 then this.g[n + 1] else n; }";
    let spin = file("spin.pose", spin);
    let spin = spin.to_str().expect("text");
    let avl = ["programs/pose/lazy/avl.pose", "--entry", "AvlTree.maxElement", "--heap", "lazy"];
    let map = ["programs/hex/subjects/TreeMap.pose", "--entry", "TreeMap.put", "--heap", "lazy", "--n", "9"];
    let cases: [&[&str]; 5] = [
        &avl,
        &[&avl[..], &["--format", "jsonl", "--jobs", "2"]].concat(),
        &[spin, "--entry", "P.f", "--max-calls", "1000000000", "--max-steps", "1000000000"],
        &[&map[..], &["--invariants-by", "bounded"]].concat(),
        &[&map[..], &["--invariants-by", "consp", "--traces", "none"]].concat(),
    ];
    for case in cases {
        let over = overtime(case);
        assert!(over < Duration::from_millis(700), "{case:?}: {over:?} too late");
    }
}

#[test]
fn memory_ends_a_run_by_name() {
    let output = lazuli(&["explore", "programs/pose/avl_find.pose", "--max-memory", "1M"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("incomplete: stopped by --max-memory"), "{}", stdout(&output));
    let output = lazuli(&["explore", "programs/pose/avl_find.pose", "--max-memory", "none", "--timeout", "none"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// The number of a case may be greater than sixteen bits count: it is not taken for a smaller one.
#[test]
fn numbers_of_cases_are_large() {
    let output = lazuli(&["replay", "programs/pose/swap.pose", "65536"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no number 65536"), "{}", stderr(&output));
}
