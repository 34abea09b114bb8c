//! Other readings of subjects whose calls or invariants the document does not print, beside its numbers: which comes nearest.

use std::path::Path;

use lazuli::Control;
use lazuli_engine::config::{Bounds, Config, HeapKind, TraceDetail};
use serde::{Deserialize, Serialize};

use super::ROWS;
use crate::command;
use crate::progress::{Allowed, Progress};
use crate::tables::finished::Finished;
use crate::tables::output::Output;

/// A program that could have been the document's.
pub struct Reading {
    pub subject: &'static str,
    /// Below `programs/summaries`, without its ending.
    pub file: &'static str,
    pub entry: &'static str,
    /// What it takes the document for.
    pub what: &'static str,
}

pub const READINGS: [Reading; 6] = [
    Reading {
        subject: "LinkedList",
        file: "LinkedList",
        entry: "LinkedList.run",
        what: "three calls, as in the table",
    },
    Reading {
        subject: "LinkedList",
        file: "readings/LinkedListNull",
        entry: "LinkedList.run",
        what: "contains tests the node before its element",
    },
    Reading {
        subject: "LinkedList",
        file: "readings/LinkedListObjects",
        entry: "LinkedList.run",
        what: "elements may be nodes, as if of type Object",
    },
    Reading { subject: "TreeMap", file: "TreeMap", entry: "TreeMap.check", what: "one pass, as in the table" },
    Reading {
        subject: "TreeMap",
        file: "readings/TreeMapParents",
        entry: "TreeMap.check",
        what: "one pass, parents and size checked too",
    },
    Reading {
        subject: "TreeMap",
        file: "readings/TreeMapPasses",
        entry: "TreeMap.check",
        what: "a pass each for parents, colours, blacks, order and size",
    },
];

/// Larger bounds of LinkedList would take the readings hours.
const MOST: u32 = 4;

/// The bounds at which the document has numbers of a subject, with its paths under GSE and SH.
pub fn published(subject: &str) -> Vec<(u32, [u64; 2])> {
    let rows = ROWS.iter().filter(|row| row.subject == subject && row.k <= MOST);
    rows.map(|row| (row.k, [row.gse, row.sh].map(|figure| figure.published().expect("every number is published"))))
        .collect()
}

/// Paths under GSE and SH at every bound.
#[derive(Serialize, Deserialize)]
pub struct Measured {
    pub paths: Vec<[u64; 2]>,
}

impl Measured {
    /// How far it is from the document: the factors by which the numbers differ, as logarithms, added.
    pub fn distance(&self, published: &[(u32, [u64; 2])]) -> f64 {
        let both = self.paths.iter().zip(published);
        both.flat_map(|(ours, (_, theirs))| [0, 1].map(|i| (ours[i] as f64 / theirs[i] as f64).ln().abs())).sum()
    }
}

impl Reading {
    pub fn measure(&self, programs: &Path, control: &Control) -> Result<Measured, String> {
        let program = command::load_tiny(&programs.join("summaries").join(format!("{}.pose", self.file)))?;
        let paths = |k: u32, heap: HeapKind| {
            let config = Config {
                heap,
                entry: Some(self.entry.to_string()),
                bounds: Bounds { k: Some(k), ..Bounds::default() },
                detail: TraceDetail::None,
                ..Config::default()
            };
            let run = lazuli::explore(&program, &config, control)?;
            match run.incomplete {
                Some(reason) => Err(format!("{} k={k}: stopped by {reason}", self.file)),
                None => Ok(run.counts.traces),
            }
        };
        let at = |(k, _): (u32, [u64; 2])| Ok([paths(k, HeapKind::Lazy)?, paths(k, HeapKind::Summary)?]);
        let paths = published(self.subject).into_iter().map(at).collect::<Result<_, String>>()?;
        Ok(Measured { paths })
    }
}

/// The table of all readings; `false` where it was interrupted.
pub fn table(
    programs: &Path,
    control: &std::sync::Arc<Control>,
    finished: &mut Finished,
    output: &mut Output,
) -> Result<bool, String> {
    let header = ["subject", "reading", "paths GSE / SH by k", "published", "distance"];
    let mut sheet = output.begin("summaries-readings", TITLE, &header, &[10, 54, 38, 38, 8])?;
    let mut all: Vec<(&Reading, f64)> = Vec::new();
    for reading in &READINGS {
        let measured = match finished.row("summaries", reading.file) {
            Some(measured) => measured,
            None => {
                let progress = Progress::start(control.clone(), Allowed::default());
                let measured = reading.measure(programs, control);
                progress.stop();
                if control.is_interrupted() {
                    output.end(sheet);
                    return Ok(false);
                }
                let measured = measured?;
                finished.keep("summaries", reading.file, &measured)?;
                measured
            }
        };
        let published = published(reading.subject);
        let distance = measured.distance(&published);
        let show =
            |paths: Vec<[u64; 2]>| paths.iter().map(|[gse, sh]| format!("{gse}/{sh}")).collect::<Vec<_>>().join("  ");
        sheet.row(vec![
            reading.subject.into(),
            reading.what.into(),
            show(measured.paths),
            show(published.into_iter().map(|(_, paths)| paths).collect()),
            format!("{distance:.2}"),
        ])?;
        all.push((reading, distance));
    }
    output.end(sheet);
    for subject in ["LinkedList", "TreeMap"] {
        let of = all.iter().filter(|(reading, _)| reading.subject == subject);
        if let Some((nearest, _)) = of.min_by(|a, b| a.1.total_cmp(&b.1)) {
            output.text(&format!("Nearest to the document's {subject}: {} ({}.pose).", nearest.what, nearest.file));
        }
    }
    output.text(WHY);
    Ok(true)
}

const TITLE: &str = "Readings of what the document does not print, and how far each is from its numbers";

const WHY: &str = "\
distance: the logarithms of the factors by which the numbers differ, added over both columns and all k; 0 is the document.
LinkedList: every reading has the SH column, and none the GSE column, which grows by 10.6 from k = 3 to 4: with elements of a class of their
  own it grows too slowly, and with elements that may be nodes too fast.
TreeMap: which checks are made, in which order, and whether they share a pass decides both columns; of some hundred combinations that
  were tried this one came nearest. Those that compare both children of an entry have 9 / 9 at k = 1, and 170 / 47 and over 170,000 paths under GSE later.";
