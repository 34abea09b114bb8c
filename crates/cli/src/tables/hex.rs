//! "Symbolic execution of programs with heap inputs" (document 002): HEX beside plain lazy initialization and the techniques
//! it is compared with, on every target of every subject at the document's bounds, and HEX under POSE, which the
//! document does not have.

mod java;
pub mod measure;
mod pairs;
pub mod plot;
mod show;
mod subjects;

use std::path::Path;
use std::time::Duration;

use lazuli::Control;
use lazuli_engine::config::{Bounds, Config, HeapKind, Most, TraceDetail};
use lazuli_invariant::{InvariantSource, Invariants, Technique};
use lazuli_lab::audit::{self, Audit, Extent};
use lazuli_program::Program;
pub use subjects::{Published, SUBJECTS, Subject};

use super::Ended;
use super::finished::Finished;
use super::output::Output;
use crate::args::Tables;
use crate::command;
use crate::progress::{Allowed, Progress};
use measure::{Cell, Measured};

/// Where the subjects are, below the directory of the programs.
const SUBJECT_FILES: &str = "hex/subjects";

/// How long a cell may take, and how large the inputs are.
#[derive(Clone, Copy)]
pub struct Effort {
    /// For exploring one target by one technique; and as much again for measuring its traces.
    pub time: Duration,
    /// Smaller inputs than the document's, by so many nodes.
    pub smaller: u32,
    /// All pairs of calls beside the single ones.
    pub pairs: bool,
}

impl Subject {
    pub fn load(&self, programs: &Path) -> Result<Program, String> {
        command::load_tiny(&programs.join(SUBJECT_FILES).join(format!("{}.pose", self.file)))
    }

    /// The program of a target: with the method of a pair, if it is one.
    fn load_target(&self, programs: &Path, target: &str) -> Result<Program, String> {
        let mut program = self.load(programs)?;
        pairs::add(&mut program, target)?;
        Ok(program)
    }

    /// The configuration of one target under lazy initialization; without a technique all inputs are valid.
    pub fn config(
        &self,
        programs: &Path,
        program: &Program,
        entry: &str,
        technique: Option<Technique>,
        effort: Effort,
    ) -> Result<Config, String> {
        let completion = self.quota(entry, effort);
        let invariants = match technique {
            None => None,
            Some(technique) => {
                let ending = if technique == Technique::Mso { "mso" } else { "hex" };
                let file = programs.join(SUBJECT_FILES).join(format!("{}.{ending}", self.file));
                let file = technique.reads_file().then_some(file);
                let source = InvariantSource { file, ..InvariantSource::methods(technique, completion) };
                Some(Invariants::load(&source, program).map_err(|e| e.to_string())?.shared())
            }
        };
        Ok(Config {
            heap: HeapKind::Lazy,
            entry: Some(entry.to_string()),
            bounds: Bounds {
                n: vec![Most::of(self.node, self.nodes - effort.smaller)],
                // An invalid ring may have no end.
                calls: 60,
                time: Some(effort.time),
                ..Bounds::default()
            },
            detail: TraceDetail::None,
            invariants,
            ..Config::default()
        })
    }

    /// The objects that a valid input may have. The second call of a pair may find a list that is one element shorter than the input.
    fn quota(&self, entry: &str, effort: Effort) -> Vec<Most> {
        let more = u32::from(pairs::is_pair(entry) && !self.tree);
        vec![Most::of(self.node, self.completion + more - effort.smaller)]
    }

    /// Explores one target, and measures its traces as long as there is time for it.
    pub fn audit(
        &self,
        programs: &Path,
        entry: &str,
        technique: Option<Technique>,
        effort: Effort,
        measuring: Duration,
        control: &Control,
    ) -> Result<Audit, String> {
        let program = self.load_target(programs, entry)?;
        let config = self.config(programs, &program, entry, technique, effort)?;
        let extent = Extent { completion: self.quota(entry, effort), time: measuring };
        audit::audit(&program, &config, extent, control)
    }
}

pub fn run(args: &Tables, finished: &mut Finished, output: &mut Output) -> Result<Ended, String> {
    let control = command::control();
    let effort = Effort { time: args.cell_time, smaller: 0, pairs: args.full };
    output.document("hex", "Symbolic execution of programs with heap inputs");
    let mut sheet = output.begin("hex-targets", show::TARGETS, &show::TARGET_HEADER, &show::TARGET_WIDTHS)?;
    let mut all: Vec<Measured> = Vec::with_capacity(SUBJECTS.len());
    'subjects: for subject in &SUBJECTS {
        let mut targets = Vec::new();
        for entry in &subject.targets(effort.pairs) {
            let name = format!("{} {entry}", subject.number);
            let target = match finished.row("hex", &name) {
                Some(target) => target,
                None => {
                    let progress = Progress::start(control.clone(), Allowed::default());
                    let target = measure::measure_target(subject, entry, &args.programs, effort, &control);
                    progress.stop();
                    let Some(target) = target? else {
                        all.push(Measured { subject, targets });
                        break 'subjects;
                    };
                    finished.keep("hex", &name, &target)?;
                    target
                }
            };
            sheet.row(show::target(subject, &target))?;
            targets.push(target);
        }
        all.push(Measured { subject, targets });
    }
    output.end(sheet);
    all.retain(|measured| !measured.targets.is_empty());
    show::tables(&all, effort.pairs, output)?;
    if !control.is_interrupted() {
        java::table(&all, &args.programs, effort, &control, finished, output)?;
    }
    show::differences(&all, output);
    for figure in show::figures(&all) {
        output.figure(figure.svg(), &figure.text());
    }
    let failures = failures(&all);
    failures.iter().for_each(|failure| output.text(&format!("DOES NOT HOLD: {failure}")));
    Ok(match (failures.is_empty(), control.is_interrupted()) {
        (false, _) => Ended::Fails,
        (true, true) => Ended::Interrupted,
        (true, false) => Ended::Holds,
    })
}

/// What the document claims, and must hold for every target: HEX and the bounded technique have no invalid traces, HEX has no
/// false alarm, and HEX, ConsP and the bounded technique have the same number of valid traces.
pub fn failures(all: &[Measured]) -> Vec<String> {
    let mut failures = Vec::new();
    for target in all.iter().flat_map(|measured| &measured.targets) {
        let complete = |technique| target.cell(Some(technique)).and_then(Cell::complete);
        for technique in [Technique::Hex, Technique::Bounded] {
            let audit = target.cell(Some(technique)).and_then(|cell| cell.audit.as_ref().ok());
            if let Some(audit) = audit.filter(|audit| audit.invalid > 0) {
                failures.push(format!("{}, {technique}: {} invalid traces", target.entry, audit.invalid));
            }
        }
        let Some(hex) = complete(Technique::Hex) else { continue };
        for technique in [Technique::Consp, Technique::Bounded] {
            if let Some(other) = complete(technique).filter(|other| other.valid != hex.valid) {
                let entry = &target.entry;
                failures.push(format!("{entry}: hex has {} valid traces, {technique} {}", hex.valid, other.valid));
            }
        }
    }
    failures
}
