//! The subjects in Java beside those in the tiny language: HEX under lazy initialization and under POSE, every target at the document's bounds.

use std::path::Path;
use std::sync::Arc;

use lazuli::{Control, Source};
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_invariant::Technique;
use lazuli_program::Program;
use serde::{Deserialize, Serialize};

use super::measure::{Measured, WholeRun};
use super::{Effort, Subject};
use crate::progress::{Allowed, Progress};
use crate::tables::finished::Finished;
use crate::tables::output::Output;

/// The single calls of a subject in Java, as far as they ended: what a target came to under lazy initialization and under POSE.
#[derive(Serialize, Deserialize)]
struct InJava {
    runs: Vec<(String, [Option<WholeRun>; 2])>,
}

const HEAPS: [HeapKind; 2] = [HeapKind::Lazy, HeapKind::Pose];

/// Explores the targets of a subject in Java, if it is there in Java; `None` also where that was interrupted.
fn measure(subject: &Subject, programs: &Path, effort: Effort, control: &Control) -> Result<Option<InJava>, String> {
    let Some((source, package)) = subject.java else { return Ok(None) };
    let source = Source::new(programs.join("java/hex").join(source));
    let mut program = source.load_classes().map_err(crate::names::error)?;
    let mut runs = Vec::with_capacity(subject.entries.len());
    for entry in subject.entries {
        set_entry(&mut program, package, entry)?;
        let config = subject.config(programs, &program, entry, Some(Technique::Hex), effort)?;
        let explored = HEAPS.map(|heap| {
            let config = Config { heap, entry: None, detail: TraceDetail::Full, ..config.clone() };
            lazuli::explore(&program, &config, control)
        });
        if control.is_interrupted() {
            return Ok(None);
        }
        let [lazy, pose] = explored.map(|run| run.map_err(|error| format!("{entry} in Java: {error}")));
        let whole = |run: lazuli::Run| {
            run.incomplete.is_none().then_some(WholeRun { traces: run.counts.traces, time: run.time })
        };
        runs.push((entry.to_string(), [whole(lazy?), whole(pose?)]));
    }
    Ok(Some(InJava { runs }))
}

/// Makes the method of a target the program's entry.
fn set_entry(program: &mut Program, package: &str, entry: &str) -> Result<(), String> {
    let (class, method) = entry.split_once('.').expect("a target is Class.method");
    let library = program.library.as_deref().ok_or("the subject is not in Java")?;
    let id = library.class_id(&format!("{package}/{class}"));
    let mut declared = library.java(id).declared_methods.iter();
    let found = declared.find(|((name, _), _)| **name == *method).map(|(_, found)| *found);
    let found = found.ok_or_else(|| format!("there is no {entry} in Java"))?;
    (program.main, program.receiver) = (Some(found), Some(id));
    Ok(())
}

/// A row: the sums over the targets that ended in both languages, ours in the tiny language beside those in Java.
fn row(measured: &Measured, java: &InJava) -> Vec<String> {
    let subject = measured.subject;
    let mut cells = vec![format!("{} {} ≤ {}", subject.number, subject.file, subject.size)];
    for (number, _) in HEAPS.iter().enumerate() {
        let mut sums = (0, 0, 0, 0.0);
        for (entry, runs) in &java.runs {
            let target = measured.targets.iter().find(|target| target.entry == *entry);
            let tiny = target.and_then(|target| [target.lazy, target.pose][number]);
            if let (Some(tiny), Some(java)) = (tiny, runs[number]) {
                sums = (sums.0 + 1, sums.1 + tiny.traces, sums.2 + java.traces, sums.3 + java.time.as_secs_f64());
            }
        }
        let (ended, tiny, java_traces, seconds) = sums;
        let all = java.runs.len();
        cells.push(if ended == all { all.to_string() } else { format!("{ended} of {all}") });
        cells.extend([tiny.to_string(), java_traces.to_string(), format!("{:.1}", seconds * 1e3)]);
    }
    cells
}

const TITLE: &str = "The subjects in Java beside those in the tiny language: HEX, single calls that end in both";
const HEADER: [&str; 9] = ["subject", "lazy ends", "tiny", "Java", "Java ms", "POSE ends", "tiny", "Java", "Java ms"];

const WIDEST_SUBJECT: usize = 20;

/// Why the numbers differ where they do.
const WHY: &str = "\
A comparison that is returned is a value in the tiny language and a branch in bytecode (isEmpty, contains: more traces); methods that loop in Java
  look at an argument only when they compare with it, where those that call themselves pass it on (indexOf, remove: fewer traces under lazy).";

/// The table of all subjects that are there in Java, as far as nobody interrupts.
pub fn table(
    all: &[Measured],
    programs: &Path,
    effort: Effort,
    control: &Arc<Control>,
    finished: &mut Finished,
    output: &mut Output,
) -> Result<(), String> {
    let mut sheet = output.begin("hex-java", TITLE, &HEADER, &[WIDEST_SUBJECT])?;
    for measured in all.iter().filter(|measured| measured.subject.java.is_some()) {
        let name = format!("{} in Java", measured.subject.number);
        let java = match finished.row("hex", &name) {
            Some(java) => java,
            None => {
                let progress = Progress::start(control.clone(), Allowed::default());
                let java = measure(measured.subject, programs, effort, control);
                progress.stop();
                let Some(java) = java? else { break };
                finished.keep("hex", &name, &java)?;
                java
            }
        };
        sheet.row(row(measured, &java))?;
    }
    output.end(sheet);
    output.text(WHY);
    Ok(())
}
