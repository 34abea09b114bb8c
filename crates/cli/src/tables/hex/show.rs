//! The tables as text and as a page: one row a subject and technique, the figures, and POSE beside lazy initialization.

use std::time::Duration;

use lazuli_invariant::Technique;
use lazuli_lab::audit::Audit;

use super::measure::{Cell, Measured, TECHNIQUES, Target, WholeRun, name};
use super::plot::{Box5, Figure, number};
use super::subjects::{Published, Subject};
use crate::tables::output::Output;

const HEX: Option<Technique> = Some(Technique::Hex);

/// The sums over the targets of one subject by one technique.
struct Sum {
    targets: usize,
    ended: usize,
    traces: u64,
    invalid: u64,
    unknown: u64,
    alarms: u64,
    false_alarms: u64,
    time: Duration,
}

impl Sum {
    fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Option<Sum> {
        let (traces, invalid, unknown, alarms, false_alarms) = (0, 0, 0, 0, 0);
        let time = Duration::ZERO;
        let mut sum = Sum { targets: 0, ended: 0, traces, invalid, unknown, alarms, false_alarms, time };
        for cell in cells {
            let audit = cell.audit.as_ref().ok()?;
            sum.targets += 1;
            sum.ended += audit.incomplete.is_none() as usize;
            sum.traces += audit.traces;
            sum.invalid += audit.invalid;
            sum.unknown += audit.unknown;
            sum.alarms += audit.alarms;
            sum.false_alarms += audit.false_alarms;
            sum.time += audit.time;
        }
        (sum.targets > 0).then_some(sum)
    }

    /// A number of traces that is only a lower bound if not every target ended.
    fn explored(&self, number: u64) -> String {
        if self.ended < self.targets { format!("≥ {number}") } else { number.to_string() }
    }

    /// Likewise if not every trace was measured.
    fn measured(&self, number: u64) -> String {
        if self.unknown > 0 { format!("≥ {number}") } else { self.explored(number) }
    }
}

fn cells(measured: &Measured, technique: Option<Technique>) -> impl Iterator<Item = &Cell> {
    measured.targets.iter().filter_map(move |target| target.cell(technique))
}

/// The rows that are shown while they are measured: one a target.
pub const TARGETS: &str = "Every target: traces, those of Lazy, HEX and the bounded technique, and milliseconds";
pub const TARGET_HEADER: [&str; 9] =
    ["target", "Lazy", "invalid", "HEX", "bounded", "Lazy ms", "HEX ms", "PrEP ms", "bounded ms"];
pub const TARGET_WIDTHS: [usize; 9] = [38, 9, 9, 6, 7, 9, 8, 8, 9];

pub fn target(subject: &Subject, target: &Target) -> Vec<String> {
    let audit = |technique| target.cell(technique).and_then(|cell| cell.audit.as_ref().ok());
    let number = |technique, value: fn(&Audit) -> u64| match audit(technique) {
        None => "-".to_string(),
        Some(audit) if audit.incomplete.is_some() => format!("≥ {}", value(audit)),
        Some(audit) => value(audit).to_string(),
    };
    let time = |technique| match audit(technique) {
        None => "-".to_string(),
        Some(audit) if audit.incomplete.is_some() => "timeout".into(),
        Some(audit) => format!("{:.2}", audit.time.as_secs_f64() * 1e3),
    };
    let [bounded, prep] = [Some(Technique::Bounded), Some(Technique::Prep)];
    vec![
        format!("{} {}", subject.number, target.entry),
        number(None, |audit| audit.traces),
        number(None, |audit| audit.invalid),
        number(HEX, |audit| audit.traces),
        number(bounded, |audit| audit.traces),
        time(None),
        time(HEX),
        time(prep),
        time(bounded),
    ]
}

/// The tables over all targets.
pub fn tables(all: &[Measured], pairs: bool, output: &mut Output) -> Result<(), String> {
    techniques(all, output)?;
    output.text(&targets(all, pairs));
    published(all, output)?;
    pose(all, output)
}

/// How many targets there are beside the document's 274.
fn targets(all: &[Measured], pairs: bool) -> String {
    let structures = all.iter().filter(|measured| measured.subject.published.is_none());
    let number: usize = structures.map(|measured| measured.targets.len()).sum();
    let ours = match pairs {
        true => "all public methods and all ordered pairs of them, a method with itself included",
        false => "all public methods; --full adds all ordered pairs of them",
    };
    format!(
        "Of P1 to P4 there are {number} targets: {ours}. The document has 274, single methods and pairs, and says neither which methods\n  \
         those are nor which pairs."
    )
}

/// What is otherwise than in the document, with our numbers.
pub fn differences(all: &[Measured], output: &mut Output) {
    let targets = || all.iter().flat_map(|measured| &measured.targets);
    let slower = |technique: Technique| {
        let values = targets().filter_map(|target| target.slowdown(Some(technique))).collect();
        Box5::of(values).map_or_else(|| "-".into(), |five| number(five.median))
    };
    let ratios = |technique: Technique| {
        let values = targets().filter_map(|target| target.ratio(Some(technique))).collect();
        Box5::of(values).map_or_else(|| ["-".to_string(), "-".to_string()], |five| [number(five.min), number(five.max)])
    };
    let ([prep_low, prep_high], [_, hex_high]) = (ratios(Technique::Prep), ratios(Technique::Hex));
    let (mso, bounded) = (slower(Technique::Mso), slower(Technique::Bounded));
    let (prep, consp) = (slower(Technique::Prep), slower(Technique::Consp));
    output.text(&format!(
        "What differs from the document, medians over the targets that both end:\n\
         MSO takes {mso} times the time of HEX, where the document found PALE comparable: mona is a process of its own for every new\n  \
         question, and HEX answers within microseconds.\n\
         The bounded technique takes {bounded} times the time of HEX, the document's 4.3 times: it finds completions by executing repOk,\n  \
         the document's by a model finder, and HEX has become faster more than either.\n\
         PrEP takes {prep} and ConsP {consp} times the time of HEX, in the document 2.4 and 3.4 times: what repOk executes costs them that,\n  \
         and how much that is depends on the targets that end.\n\
         R of PrEP goes from {prep_low} to {prep_high}. Below 1, as in the document, it is where the sizes that PrEP fixes beforehand leave out what lazy\n  \
         initialization never looks at (TreeMap.put); the medians of the table, which are all 1 or more, do not show that.\n\
         R of HEX is at most {hex_high}, in the document above 1 on P2: colours are terms of the companion's actions here and do not fork.\n\
         PrEP and ConsP have false alarms on P5, in the document none: ours dereferences what only the full invariant says is there, and\n  \
         two lists that share entries break its assertion; what the document's program, which is not public as it was, does then is not known."
    ));
}

/// One row a subject and technique.
fn techniques(all: &[Measured], output: &mut Output) -> Result<(), String> {
    let header = ["subject", "technique", "targets", "traces", "invalid", "R", "alarms", "false", "ms", "× HEX"];
    let mut rows = Vec::new();
    for measured in all {
        for technique in TECHNIQUES {
            let Some(sum) = Sum::of(cells(measured, technique)) else { continue };
            let subject = match technique {
                None => format!("{} {} ≤ {}", measured.subject.number, measured.subject.file, measured.subject.size),
                Some(_) => String::new(),
            };
            let ended = match sum.ended == sum.targets {
                true => sum.targets.to_string(),
                false => format!("{} of {}", sum.ended, sum.targets),
            };
            let time = match sum.ended == sum.targets {
                true => format!("{:.2}", sum.time.as_secs_f64() * 1e3),
                false => "timeout".into(),
            };
            rows.push(vec![
                subject,
                name(technique).to_string(),
                ended,
                sum.explored(sum.traces),
                sum.measured(sum.invalid),
                median(measured, |target| target.ratio(technique)),
                sum.explored(sum.alarms),
                sum.measured(sum.false_alarms),
                time,
                total_slowdown(measured, technique),
            ]);
        }
    }
    let title = "HEX and the other techniques under lazy initialization; sums over the targets, which are calls of methods of the subject";
    output.table("hex", title, &header, rows)?;
    output.text(LEGEND);
    Ok(())
}

/// What the columns of the first table mean.
const LEGEND: &str = "\
targets  all of them, or how many end within --cell-time
≥        so many in the part that was explored, or measured, within --cell-time
invalid  traces whose input cannot be completed to a valid data structure
R        valid traces beside those of Lazy, the median over the targets that both end; - if there is none
alarms   failed assertions, null dereferences and wrong casts; false: those on invalid inputs
× HEX    time beside that of HEX, for the targets that both end
";

fn median(measured: &Measured, value: impl Fn(&Target) -> Option<f64>) -> String {
    let values = measured.targets.iter().filter_map(value).collect();
    Box5::of(values).map_or_else(|| "-".into(), |five| number(five.median))
}

/// The time for all targets that both techniques end, beside that of HEX.
fn total_slowdown(measured: &Measured, technique: Option<Technique>) -> String {
    let both = |target: &Target| {
        let hex = target.cell(HEX)?.ended()?.time;
        Some((target.cell(technique)?.ended()?.time, hex))
    };
    let times: Vec<(Duration, Duration)> = measured.targets.iter().filter_map(both).collect();
    let (ours, hex) = times.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x.as_secs_f64(), b + y.as_secs_f64()));
    if times.is_empty() { "-".into() } else { number(ours / hex) }
}

/// The rows of the document's Table 2 beside ours.
fn published(all: &[Measured], output: &mut Output) -> Result<(), String> {
    let header =
        ["subject", "technique", "traces", "ours", "invalid", "ours", "alarms", "ours", "false", "ours", "its minutes"];
    let mut rows = Vec::new();
    for measured in all {
        let Some(published) = &measured.subject.published else { continue };
        for (technique, theirs) in TECHNIQUES.into_iter().zip(published) {
            let Some(ours) = Sum::of(cells(measured, technique)) else { continue };
            let Published { minutes, traces, invalid, alarms, false_alarms } = *theirs;
            rows.push(vec![
                measured.subject.number.to_string(),
                name(technique).to_string(),
                traces.to_string(),
                ours.explored(ours.traces),
                invalid.to_string(),
                ours.measured(ours.invalid),
                alarms.to_string(),
                ours.explored(ours.alarms),
                false_alarms.to_string(),
                ours.measured(ours.false_alarms),
                minutes.map_or_else(|| "timeout".into(), |m| m.to_string()),
            ]);
        }
    }
    output.table("hex-table2", "Table 2 of the document, its numbers beside ours", &header, rows)?;
    output.text(
        "The programs are not the document's (its subjects have thousands of lines), so what can be compared is the pattern:\n\
         which techniques have invalid traces and false alarms.",
    );
    Ok(())
}

/// HEX under POSE beside HEX under lazy initialization.
fn pose(all: &[Measured], output: &mut Output) -> Result<(), String> {
    let header = ["subject", "targets", "lazy + HEX", "POSE + HEX", "lazy ms", "POSE ms", "lazy / POSE"];
    let mut rows = Vec::new();
    for measured in all {
        let both = |target: &Target| Some((target.lazy?, target.pose?));
        let ended: Vec<(WholeRun, WholeRun)> = measured.targets.iter().filter_map(both).collect();
        let lazy_traces: u64 = ended.iter().map(|(lazy, _)| lazy.traces).sum();
        let pose_traces: u64 = ended.iter().map(|(_, pose)| pose.traces).sum();
        let lazy = ended.iter().map(|(lazy, _)| lazy.time).sum::<Duration>().as_secs_f64();
        let pose = ended.iter().map(|(_, pose)| pose.time).sum::<Duration>().as_secs_f64();
        rows.push(vec![
            format!("{} {} ≤ {}", measured.subject.number, measured.subject.file, measured.subject.size),
            format!("{} of {}", ended.len(), measured.targets.len()),
            lazy_traces.to_string(),
            pose_traces.to_string(),
            format!("{:.2}", lazy * 1e3),
            format!("{:.2}", pose * 1e3),
            if ended.is_empty() { "-".into() } else { number(lazy / pose) },
        ]);
    }
    output.table(
        "hex-pose",
        "HEX under POSE beside HEX under lazy initialization, for the targets that both end",
        &header,
        rows,
    )?;
    output.text("Traces, and time of whole runs with conditions and replayed witnesses.");
    Ok(())
}

/// Figures 4 to 6: invalid traces, R, and time beside HEX, over all targets.
pub fn figures(all: &[Measured]) -> Vec<Figure> {
    let targets = || all.iter().flat_map(|measured| &measured.targets);
    let figure = |title: &str, value: &dyn Fn(&Target, Option<Technique>) -> Option<f64>| Figure {
        title: title.into(),
        boxes: TECHNIQUES
            .into_iter()
            .map(|technique| {
                let values: Vec<f64> = targets().filter_map(|target| value(target, technique)).collect();
                (name(technique), values.len(), Box5::of(values))
            })
            .collect(),
    };
    let invalid = |target: &Target, technique| Some(target.cell(technique)?.complete()?.invalid as f64);
    vec![
        figure("Figure 4: invalid traces of a target", &invalid),
        figure("Figure 5: R, valid traces of a target beside those of Lazy", &|t, technique| t.ratio(technique)),
        figure("Figure 6: time for a target beside that of HEX", &|t, technique| t.slowdown(technique)),
    ]
}
