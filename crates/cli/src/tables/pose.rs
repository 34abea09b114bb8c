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

use super::Figure;
use crate::args::Tables;
use crate::command;
use crate::progress::{Allowed, Progress};
use crate::report;

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

/// The columns with numbers, in the order in which they are shown.
const COLUMNS: [&str; 6] =
    ["POSE traces", "POSE queries", "unwind queries", "lazy traces", "lazy queries", "lazier# traces"];

/// Where the lists of numbers below the table are broken.
const LINE: usize = 118;

/// A number of ours beside the document's. `ours` is `None` where it was not computed.
struct Cell {
    column: &'static str,
    figure: Figure,
    ours: Option<u64>,
}

/// A row as it came out.
struct Measured {
    name: &'static str,
    /// Traces of POSE whose path condition is satisfiable: what its count must be.
    satisfiable: Option<u64>,
    cells: Vec<Cell>,
    pose_time: Duration,
    lazy_time: Option<Duration>,
    unconfirmed: u64,
}

pub fn run(args: &Tables) -> Result<u8, String> {
    let control = command::control();
    let mut measured = Vec::with_capacity(ROWS.len());
    for row in &ROWS {
        let progress = Progress::start(control.clone(), Allowed::default());
        let result = measure(row, args, &control);
        progress.stop();
        if control.is_interrupted() {
            return Ok(super::interrupted());
        }
        measured.push(result?);
    }
    print!("{}", show(&measured));
    let failures = failures(&measured);
    for failure in &failures {
        println!("DOES NOT HOLD: {failure}");
    }
    Ok(if failures.is_empty() { 0 } else { 1 })
}

fn measure(row: &Row, args: &Tables, control: &Control) -> Result<Measured, String> {
    let pose = row.explore_pose(&args.programs, HeapKind::PoseIte, TraceDetail::Full, control)?;
    let unwind = row.explore_unwinding(&args.programs, control)?;
    let jobs = args.jobs as usize;
    let lazy = match !row.large || args.full {
        true => Some(row.explore_lazy(&args.programs, HeapKind::Lazy, jobs, control)?),
        false => None,
    };
    let mut cells = vec![
        Cell { column: COLUMNS[0], figure: row.pose_traces, ours: Some(pose.counts.returned) },
        Cell { column: COLUMNS[1], figure: row.pose_queries, ours: Some(pose.counts.queries) },
        Cell { column: COLUMNS[2], figure: row.unwind_queries, ours: Some(unwind.solver.unwind) },
        Cell { column: COLUMNS[3], figure: row.lazy_traces, ours: lazy.as_ref().map(|run| run.counts.traces) },
        Cell { column: COLUMNS[4], figure: row.lazy_queries, ours: lazy.as_ref().map(lazy_queries) },
    ];
    if let Some(figure) = row.lazier_sharp_traces {
        let run = row.explore_lazy(&args.programs, HeapKind::LazierSharp, jobs, control)?;
        cells.push(Cell { column: COLUMNS[5], figure, ours: Some(run.counts.traces) });
    }
    Ok(Measured {
        name: row.name,
        satisfiable: row.pose_traces.expected(),
        cells,
        pose_time: pose.time,
        lazy_time: lazy.map(|run| run.time),
        unconfirmed: pose.counts.doubtful(),
    })
}

/// What must hold and does not.
fn failures(measured: &[Measured]) -> Vec<String> {
    let mut failures = Vec::new();
    for row in measured {
        for cell in &row.cells {
            if let (Some(ours), Some(expected)) = (cell.ours, cell.figure.expected())
                && !cell.figure.is_met(ours)
            {
                failures.push(format!(
                    "{}, {}: {} instead of {}",
                    row.name,
                    cell.column,
                    digits(ours),
                    digits(expected)
                ));
            }
        }
        if row.unconfirmed > 0 {
            failures
                .push(format!("{}: {} witnesses do not drive the program down their path", row.name, row.unconfirmed));
        }
    }
    failures
}

fn show(measured: &[Measured]) -> String {
    let mut header = vec!["subject", "satisfiable"];
    header.extend(COLUMNS);
    header.extend(["POSE ms", "lazy ms"]);
    let mut rows = vec![header.into_iter().map(str::to_string).collect()];
    for row in measured {
        let mut line = vec![row.name.to_string(), row.satisfiable.map_or_else(String::new, digits)];
        for column in COLUMNS {
            let cell = row.cells.iter().find(|cell| cell.column == column);
            line.push(cell.map_or_else(String::new, |cell| cell.text()));
        }
        line.push(millis(row.pose_time));
        line.push(row.lazy_time.map_or_else(String::new, millis));
        rows.push(line);
    }
    let title = "Path-optimal symbolic execution, Table 1: ours / published\n\n";
    format!("{title}{}\n{}", report::text::table(&rows), reasons(measured))
}

impl Cell {
    fn text(&self) -> String {
        let ours = self.ours.map_or_else(|| "(--full)".to_string(), digits);
        let published = self.figure.published().map_or_else(|| "-".to_string(), digits);
        format!("{ours} / {published}")
    }
}

/// One paragraph a reason, with the numbers it explains, in the order of the columns.
fn reasons(measured: &[Measured]) -> String {
    let mut out = String::new();
    for column in COLUMNS {
        let mut explained: Vec<(&str, Vec<String>)> = Vec::new();
        for (name, cell) in measured.iter().flat_map(|row| row.cells.iter().map(|cell| (row.name, cell))) {
            let (Some(ours), Some(published), Some(why)) = (cell.ours, cell.figure.published(), cell.figure.why())
            else {
                continue;
            };
            if cell.column != column || ours == published {
                continue;
            }
            let number = format!("{name} {} for {}", digits(ours), digits(published));
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
