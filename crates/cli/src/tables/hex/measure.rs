//! Measuring the subjects: every target by every technique, and HEX under POSE.

use std::path::Path;
use std::time::Duration;

use lazuli::Control;
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_invariant::Technique;
use lazuli_lab::audit::Audit;
use serde::{Deserialize, Serialize};

use super::{Effort, Subject};

/// The techniques in the document's order; `None` is plain lazy initialization.
pub const TECHNIQUES: [Option<Technique>; 6] = [
    None,
    Some(Technique::Hex),
    Some(Technique::Prep),
    Some(Technique::Consp),
    Some(Technique::Bounded),
    Some(Technique::Mso),
];

/// The document's names.
pub fn name(technique: Option<Technique>) -> &'static str {
    match technique {
        None => "Lazy",
        Some(Technique::Hex) => "HEX",
        Some(Technique::Prep) => "PrEP",
        Some(Technique::Consp) => "ConsP",
        Some(Technique::Bounded) => "bounded",
        Some(Technique::Mso) => "MSO",
    }
}

/// Short runs are repeated until they took this long together, and the shortest counts.
const REPEAT: Duration = Duration::from_millis(10);
const MOST_REPEATS: usize = 5;

/// One target by one technique.
#[derive(Serialize, Deserialize)]
pub struct Cell {
    pub technique: Option<Technique>,
    /// `Err`: why it was not measured.
    pub audit: Result<Audit, String>,
}

impl Cell {
    /// If the technique explored and measured everything.
    pub fn complete(&self) -> Option<&Audit> {
        self.audit.as_ref().ok().filter(|audit| audit.incomplete.is_none() && audit.unknown == 0)
    }

    /// If the technique explored everything.
    pub fn ended(&self) -> Option<&Audit> {
        self.audit.as_ref().ok().filter(|audit| audit.incomplete.is_none())
    }
}

/// One target.
#[derive(Serialize, Deserialize)]
pub struct Target {
    pub entry: String,
    pub cells: Vec<Cell>,
    /// HEX under lazy initialization and under POSE, if they ended.
    pub lazy: Option<WholeRun>,
    pub pose: Option<WholeRun>,
}

/// A run as a user has it, with conditions and replayed witnesses.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct WholeRun {
    pub traces: u64,
    pub time: Duration,
}

impl Target {
    pub fn cell(&self, technique: Option<Technique>) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.technique == technique)
    }

    /// R: valid traces beside those of plain lazy initialization.
    pub fn ratio(&self, technique: Option<Technique>) -> Option<f64> {
        let lazy = self.cell(None)?.complete()?;
        let ours = self.cell(technique)?.complete()?;
        (lazy.valid > 0).then(|| ours.valid as f64 / lazy.valid as f64)
    }

    /// Time beside that of HEX, where both end.
    pub fn slowdown(&self, technique: Option<Technique>) -> Option<f64> {
        let hex = self.cell(Some(Technique::Hex))?.ended()?;
        let ours = self.cell(technique)?.ended()?;
        Some(ours.time.as_secs_f64() / hex.time.as_secs_f64().max(1e-6))
    }
}

pub struct Measured {
    pub subject: &'static Subject,
    pub targets: Vec<Target>,
}

/// Measures all targets of a subject, or those before an interruption.
pub fn measure(
    subject: &'static Subject,
    programs: &Path,
    effort: Effort,
    control: &Control,
) -> Result<Measured, String> {
    let mut targets = Vec::new();
    for entry in &subject.targets(effort.pairs) {
        match measure_target(subject, entry, programs, effort, control)? {
            Some(target) => targets.push(target),
            None => break,
        }
    }
    Ok(Measured { subject, targets })
}

/// Measures one target, unless it is interrupted. MSO speaks of trees only.
pub fn measure_target(
    subject: &Subject,
    entry: &str,
    programs: &Path,
    effort: Effort,
    control: &Control,
) -> Result<Option<Target>, String> {
    let mut cells = Vec::new();
    for technique in TECHNIQUES.into_iter().filter(|t| *t != Some(Technique::Mso) || subject.tree) {
        let audit = timed(subject, programs, entry, technique, effort, control);
        if control.is_interrupted() {
            return Ok(None);
        }
        // Without mona the table has no column for it; everything else must work.
        if technique != Some(Technique::Mso) {
            audit.as_ref().map_err(|e| format!("{entry}: {e}"))?;
        }
        cells.push(Cell { technique, audit });
    }
    let [lazy, pose] =
        [HeapKind::Lazy, HeapKind::Pose].map(|heap| whole_run(subject, programs, entry, heap, effort, control));
    let (lazy, pose) = (lazy?, pose?);
    Ok((!control.is_interrupted()).then(|| Target { entry: entry.to_string(), cells, lazy, pose }))
}

fn timed(
    subject: &Subject,
    programs: &Path,
    entry: &str,
    technique: Option<Technique>,
    effort: Effort,
    control: &Control,
) -> Result<Audit, String> {
    let mut audit = subject.audit(programs, entry, technique, effort, effort.time, control)?;
    let mut total = audit.time;
    for _ in 1..MOST_REPEATS {
        if total >= REPEAT || audit.incomplete.is_some() {
            break;
        }
        let again = subject.audit(programs, entry, technique, effort, Duration::ZERO, control)?;
        total += again.time;
        audit.time = audit.time.min(again.time);
    }
    Ok(audit)
}

/// HEX under a heap model, at the same bounds.
fn whole_run(
    subject: &Subject,
    programs: &Path,
    entry: &str,
    heap: HeapKind,
    effort: Effort,
    control: &Control,
) -> Result<Option<WholeRun>, String> {
    let program = subject.load_target(programs, entry)?;
    let config = subject.config(programs, &program, entry, Some(Technique::Hex), effort)?;
    let config = Config { heap, detail: TraceDetail::Full, ..config };
    let (mut shortest, mut total) = (None::<WholeRun>, Duration::ZERO);
    for _ in 0..MOST_REPEATS {
        let run = lazuli::explore(&program, &config, control)?;
        if run.incomplete.is_some() {
            return Ok(None);
        }
        let time = shortest.map_or(run.time, |shortest| shortest.time.min(run.time));
        shortest = Some(WholeRun { traces: run.counts.traces, time });
        total += run.time;
        if total >= REPEAT {
            break;
        }
    }
    Ok(shortest)
}
