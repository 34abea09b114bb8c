//! Table 1 of "Exact heap summaries from symbolic execution" (document 001): paths under lazy initialization (GSE) and under
//! heap summaries (SH) at several bounds k, with POSE beside them.

pub mod readings;

use std::path::Path;
use std::time::Duration;

use lazuli::Control;
use lazuli::Run;
use lazuli_engine::config::{Bounds, Config, HeapKind, TraceDetail};

use serde::{Deserialize, Serialize};

use super::finished::Finished;
use super::output::Output;
use super::{Ended, Figure};
use crate::args::Tables;
use crate::command;
use crate::progress::{Allowed, Progress};

/// One subject at one bound.
pub struct Row {
    pub subject: &'static str,
    pub entry: &'static str,
    pub k: u32,
    /// Paths under lazy initialization.
    pub gse: Figure,
    /// Paths under heap summaries, which POSE must have too.
    pub sh: Figure,
    /// The document's seconds for both.
    pub seconds: (u32, u32),
}

const CALLS: &str = "the document does not say which calls of contains its test makes; ours are three that go on while \
                     the answer is no, after a walk that checks the invariant: this gives the SH column. No reading that \
                     gives it has the GSE column: see the readings below";
const INVARIANT: &str = "the document does not print its invariant; ours is in programs/summaries/TreeMap.pose, and others are in the \
                         readings below";

pub const ROWS: [Row; 10] = [
    linked_list(3, 1_656, 25, (1, 1)),
    linked_list(4, 17_485, 39, (3, 2)),
    linked_list(5, 232_743, 56, (20, 3)),
    linked_list(6, 3_731_094, 76, (338, 8)),
    binary_search_tree(1, 4, 4, (0, 1)),
    binary_search_tree(2, 26, 17, (1, 1)),
    binary_search_tree(3, 305, 118, (12, 7)),
    tree_map(1, 9, 9, (0, 1)),
    tree_map(2, 100, 46, (1, 3)),
    tree_map(3, 3_026, 547, (21, 206)),
];

const fn linked_list(k: u32, gse: u64, sh: u64, seconds: (u32, u32)) -> Row {
    Row {
        subject: "LinkedList",
        entry: "LinkedList.run",
        k,
        gse: Figure::Open { published: gse, why: CALLS },
        sh: Figure::Holds(sh),
        seconds,
    }
}

const fn binary_search_tree(k: u32, gse: u64, sh: u64, seconds: (u32, u32)) -> Row {
    Row {
        subject: "BinarySearchTree",
        entry: "BinarySearchTree.check",
        k,
        gse: Figure::Holds(gse),
        sh: Figure::Holds(sh),
        seconds,
    }
}

const fn tree_map(k: u32, gse: u64, sh: u64, seconds: (u32, u32)) -> Row {
    Row {
        subject: "TreeMap",
        entry: "TreeMap.check",
        k,
        gse: Figure::Open { published: gse, why: INVARIANT },
        sh: Figure::Open { published: sh, why: INVARIANT },
        seconds,
    }
}

impl Row {
    /// Explores the subject under a heap model, and keeps so much of its traces.
    pub fn explore(
        &self,
        programs: &Path,
        heap: HeapKind,
        detail: TraceDetail,
        control: &Control,
    ) -> Result<Run, String> {
        let program = command::load_tiny(&programs.join("summaries").join(format!("{}.pose", self.subject)))?;
        let config = Config {
            heap,
            entry: Some(self.entry.to_string()),
            bounds: Bounds { k: Some(self.k), ..Bounds::default() },
            detail,
            ..Config::default()
        };
        let run = lazuli::explore(&program, &config, control)?;
        match run.incomplete {
            Some(reason) => Err(format!("{} k={}: stopped by {reason}", self.subject, self.k)),
            None => Ok(run),
        }
    }
}

/// What a run of the table gives: what a user of `lazuli explore` gets.
const DETAIL: TraceDetail = TraceDetail::Full;

/// The heap models of a row: GSE, SH, and POSE beside them.
pub const HEAPS: [HeapKind; 3] = [HeapKind::Lazy, HeapKind::Summary, HeapKind::Pose];

/// What a row came to: traces and time of each of [`HEAPS`], and the terms of the summaries.
#[derive(Serialize, Deserialize)]
struct Measured {
    traces: [u64; 3],
    times: [Duration; 3],
    terms: u64,
}

const HEADER: [&str; 12] = [
    "subject",
    "k",
    "GSE",
    "published",
    "SH",
    "published",
    "POSE",
    "GSE ms",
    "SH ms",
    "POSE ms",
    "SH terms",
    "published s",
];

pub fn run(args: &Tables, finished: &mut Finished, output: &mut Output) -> Result<Ended, String> {
    let control = command::control();
    output.document("summaries", "Exact heap summaries from symbolic execution");
    let mut sheet = output.begin(
        "summaries",
        "Table 1: paths, and times of whole runs",
        &HEADER,
        &[16, 1, 7, 9, 3, 9, 4, 8, 8, 8],
    )?;
    let mut reasons: Vec<String> = Vec::new();
    let mut failures = Vec::new();
    let mut ended = Ended::Holds;
    for row in &ROWS {
        let name = format!("{} k={}", row.subject, row.k);
        let measured: Measured = match finished.row("summaries", &name) {
            Some(measured) => measured,
            None => {
                let progress = Progress::start(control.clone(), Allowed::default());
                let runs: Result<Vec<Run>, String> =
                    HEAPS.iter().map(|heap| row.explore(&args.programs, *heap, DETAIL, &control)).collect();
                progress.stop();
                if control.is_interrupted() {
                    ended = Ended::Interrupted;
                    break;
                }
                let runs = runs?;
                let measured = Measured {
                    traces: [0, 1, 2].map(|i| runs[i].counts.traces),
                    times: [0, 1, 2].map(|i| runs[i].time),
                    terms: runs[1].terms,
                };
                finished.keep("summaries", &name, &measured)?;
                measured
            }
        };
        let [gse, sh, pose] = measured.traces;
        for (figure, ours) in [(row.gse, gse), (row.sh, sh)] {
            if !figure.is_met(ours) {
                failures.push(format!("{name}: {ours} instead of {:?}", figure.expected()));
            }
            let why = figure.why().map(|why| format!("{}: {why}", row.subject));
            reasons.extend(why.filter(|why| !reasons.contains(why)));
        }
        if sh != pose {
            failures.push(format!("{name}: SH {sh} but POSE {pose}"));
        }
        sheet.row(cells(row, &measured))?;
    }
    output.end(sheet);
    output.text("Times are of whole runs: with the conditions of all traces, and with witnesses that were replayed.");
    output.text(&reasons.join("\n"));
    if ended == Ended::Holds && !readings::table(&args.programs, &control, finished, output)? {
        ended = Ended::Interrupted;
    }
    failures.iter().for_each(|failure| output.text(&format!("DOES NOT HOLD: {failure}")));
    Ok(if failures.is_empty() { ended } else { Ended::Fails })
}

fn cells(row: &Row, measured: &Measured) -> Vec<String> {
    let published = |figure: &Figure| figure.published().map_or_else(String::new, |n| n.to_string());
    let mut cells = vec![row.subject.to_string(), row.k.to_string()];
    cells.extend([measured.traces[0].to_string(), published(&row.gse)]);
    cells.extend([measured.traces[1].to_string(), published(&row.sh)]);
    cells.push(measured.traces[2].to_string());
    cells.extend(measured.times.iter().map(|time| format!("{:.1}", time.as_secs_f64() * 1e3)));
    cells.push(measured.terms.to_string());
    cells.push(format!("{} / {}", row.seconds.0, row.seconds.1));
    cells
}
