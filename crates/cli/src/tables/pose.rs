//! Table 1 of "Path-optimal symbolic execution" (document 003): runs the subject programs, prints our numbers beside the
//! published ones, and says why where they differ.

mod rows;

use std::path::Path;
use std::time::Duration;

use lazuli::Control;
use lazuli::Run;
use lazuli_engine::config::{Bounds, Config, HeapKind, TraceDetail};
use lazuli_logic::SolverConfig;
pub use rows::{ROWS, Row};

use serde::{Deserialize, Serialize};

use super::Ended;
use super::finished::Finished;
use super::output::Output;
use crate::args::Tables;
use crate::command;
use crate::progress::{Allowed, Progress};

impl Row {
    /// The run of the POSE columns: the program's main expression, under POSE as it was published or as it is.
    pub fn explore_pose(
        &self,
        programs: &Path,
        heap: HeapKind,
        detail: TraceDetail,
        control: &Control,
    ) -> Result<Run, String> {
        explore_program(programs, self.program, Config { heap, detail, ..Config::default() }, control)
    }

    /// The same with every query split into its ite-free disjuncts: `Run::solver.unwind` counts them.
    pub fn explore_unwinding(&self, programs: &Path, control: &Control) -> Result<Run, String> {
        let solver = SolverConfig { unwind: true, ..SolverConfig::default() };
        let config = Config { heap: HeapKind::PoseIte, detail: TraceDetail::None, solver, ..Config::default() };
        explore_program(programs, self.program, config, control)
    }

    /// The run of the lazy columns, or of lazier#: a method whose receiver is resolved beforehand, with JBSE's types.
    pub fn explore_lazy(&self, programs: &Path, heap: HeapKind, jobs: usize, control: &Control) -> Result<Run, String> {
        let config = Config {
            heap,
            entry: Some(self.entry.to_string()),
            jobs,
            detail: TraceDetail::None,
            bounds: Bounds { exact_types: true, ..Bounds::default() },
            ..Config::default()
        };
        explore_program(programs, self.lazy_program, config, control)
    }
}

/// The queries as JBSE counts them: it also asks about conditions that answer themselves.
pub fn lazy_queries(run: &Run) -> u64 {
    run.counts.queries + run.counts.settled
}

/// Runs a program below `programs/pose`. A run that is not complete is an error: its counts mean nothing.
fn explore_program(programs: &Path, file: &str, config: Config, control: &Control) -> Result<Run, String> {
    let program = command::load_tiny(&programs.join("pose").join(file))?;
    let run = lazuli::explore(&program, &config, control)?;
    match run.incomplete {
        Some(reason) => Err(format!("{file}: stopped by {reason}")),
        None if run.counts.stopped > 0 => {
            Err(format!("{file}: {} traces were not followed to their end", run.counts.stopped))
        }
        None => Ok(run),
    }
}

/// The columns with numbers, in the order in which they are shown: that of [`Row::figures`].
const COLUMNS: [&str; 6] = ["POSE traces", "POSE queries", UNWIND, "lazy traces", "lazy queries", "lazier# traces"];

const UNWIND: &str = "unwind queries";

/// Where the lists of numbers below the table are broken.
const LINE: usize = 118;

/// What the document says of the last column, which it does not have.
const LAZIER: &str = "\
lazier# traces: the document measures lazy initialization only, and expects \"minor changes\" with lazier#. Here they differ widely:
  13 for 108 (ncll_add), 72 for 350 (treemap_put), 1,092 for 72 million (avl_maxElement), as many (avl_balanced,
  avl_insertElem), and more for dll_indexOf: 415,345 for 332,856.";

/// A row as it came out. Numbers are `None` where they were not computed.
#[derive(Serialize, Deserialize)]
struct Measured {
    ours: [Option<u64>; 6],
    /// Whether the number of unwind queries is a lower bound.
    unwind_is_least: bool,
    pose_time: Duration,
    lazy_time: Option<Duration>,
    unconfirmed: u64,
}

pub fn run(args: &Tables, finished: &mut Finished, output: &mut Output) -> Result<Ended, String> {
    let control = command::control();
    output.document("pose", "Path-optimal symbolic execution of heap-manipulating programs");
    let mut header = vec!["subject", "satisfiable"];
    header.extend(COLUMNS);
    header.extend(["POSE ms", "lazy ms"]);
    let widths = [19, 11, 13, 13, 15, 23, 23, 14, 9, 9];
    let mut sheet = output.begin("pose", "Table 1: ours / published", &header, &widths)?;
    let mut all: Vec<(&Row, Measured)> = Vec::with_capacity(ROWS.len());
    let mut ended = Ended::Holds;
    for row in &ROWS {
        let measured = match finished.row("pose", row.name) {
            Some(measured) => measured,
            None => {
                let progress = Progress::start(control.clone(), Allowed::default());
                let measured = measure(row, args, &control);
                progress.stop();
                if control.is_interrupted() {
                    ended = Ended::Interrupted;
                    break;
                }
                let measured = measured?;
                finished.keep("pose", row.name, &measured)?;
                measured
            }
        };
        sheet.row(line(row, &measured))?;
        all.push((row, measured));
    }
    output.end(sheet);
    output.text(&reasons(&all));
    output.text(LAZIER);
    let failures = failures(&all);
    failures.iter().for_each(|failure| output.text(&format!("DOES NOT HOLD: {failure}")));
    Ok(if failures.is_empty() { ended } else { Ended::Fails })
}

fn measure(row: &Row, args: &Tables, control: &Control) -> Result<Measured, String> {
    let pose = row.explore_pose(&args.programs, HeapKind::PoseIte, TraceDetail::Full, control)?;
    let unwind = row.explore_unwinding(&args.programs, control)?;
    let jobs = args.jobs as usize;
    let lazy = match !row.large || args.full {
        true => Some(row.explore_lazy(&args.programs, HeapKind::Lazy, jobs, control)?),
        false => None,
    };
    let lazier_sharp = row.explore_lazy(&args.programs, HeapKind::LazierSharp, jobs, control)?;
    Ok(Measured {
        ours: [
            Some(pose.counts.returned),
            Some(pose.counts.queries),
            Some(unwind.solver.unwind),
            lazy.as_ref().map(|run| run.counts.traces),
            lazy.as_ref().map(lazy_queries),
            Some(lazier_sharp.counts.traces),
        ],
        unwind_is_least: unwind.solver.unwind_cut > 0,
        pose_time: pose.time,
        lazy_time: lazy.map(|run| run.time),
        unconfirmed: pose.counts.doubtful(),
    })
}

/// What must hold and does not.
fn failures(all: &[(&Row, Measured)]) -> Vec<String> {
    let mut failures = Vec::new();
    for (row, measured) in all {
        for ((column, figure), ours) in COLUMNS.iter().zip(row.figures()).zip(measured.ours) {
            if let (Some(ours), Some(expected)) = (ours, figure.expected())
                && !figure.is_met(ours)
            {
                failures.push(format!("{}, {column}: {} instead of {}", row.name, digits(ours), digits(expected)));
            }
        }
        if measured.unconfirmed > 0 {
            failures.push(format!(
                "{}: {} witnesses do not drive the program down their path",
                row.name, measured.unconfirmed
            ));
        }
    }
    failures
}

fn line(row: &Row, measured: &Measured) -> Vec<String> {
    let mut line = vec![row.name.to_string(), row.pose_traces.expected().map_or_else(String::new, digits)];
    for ((column, figure), ours) in COLUMNS.iter().zip(row.figures()).zip(measured.ours) {
        let least = if *column == UNWIND && measured.unwind_is_least { "≥ " } else { "" };
        let ours = ours.map_or_else(|| "(--full)".to_string(), |ours| format!("{least}{}", digits(ours)));
        let published = figure.published().map_or_else(|| "-".to_string(), digits);
        line.push(format!("{ours} / {published}"));
    }
    line.push(millis(measured.pose_time));
    line.push(measured.lazy_time.map_or_else(String::new, millis));
    line
}

/// One paragraph a reason, with the numbers it explains, in the order of the columns.
fn reasons(all: &[(&Row, Measured)]) -> String {
    let mut out = String::new();
    for (i, column) in COLUMNS.iter().enumerate() {
        let mut explained: Vec<(&str, Vec<String>)> = Vec::new();
        for (row, measured) in all {
            let figure = row.figures()[i];
            let (Some(ours), Some(published), Some(why)) = (measured.ours[i], figure.published(), figure.why()) else {
                continue;
            };
            if ours == published {
                continue;
            }
            let number = format!("{} {} for {}", row.name, digits(ours), digits(published));
            match explained.iter_mut().find(|(other, _)| *other == why) {
                Some((_, numbers)) => numbers.push(number),
                None => explained.push((why, vec![number])),
            }
        }
        for (why, numbers) in explained {
            out.push_str(&format!("{column}: {why}.\n{}", list(&numbers)));
        }
    }
    out
}

/// The items with commas, indented, in lines that fit on a screen.
fn list(items: &[String]) -> String {
    let mut out = String::new();
    let mut width = 0;
    for (i, item) in items.iter().enumerate() {
        let separator = if i + 1 < items.len() { "," } else { "" };
        if width > 0 && width + item.len() > LINE {
            out.push('\n');
            width = 0;
        }
        out.push_str(if width == 0 { "  " } else { " " });
        out.push_str(item);
        out.push_str(separator);
        width += item.len() + 2;
    }
    out.push('\n');
    out
}

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

/// A number with its thousands apart.
fn digits(number: u64) -> String {
    let plain = number.to_string();
    let mut text = String::with_capacity(plain.len() + plain.len() / 3);
    for (i, digit) in plain.chars().enumerate() {
        if i > 0 && (plain.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
