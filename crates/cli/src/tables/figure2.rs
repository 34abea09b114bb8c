//! Figure 2 of "Exact heap summaries from symbolic execution" (documents 000 and 001): the time for the program of its Figure 1
//! against the number of its calls, under lazy, lazier#, summaries and POSE. The document has the picture only, without numbers.

use std::path::Path;
use std::time::Duration;

use lazuli::Control;
use lazuli_engine::config::{Bounds, Config, HeapKind, TraceDetail};
use serde::{Deserialize, Serialize};

use super::Ended;
use super::curves::{self, Curve};
use super::finished::Finished;
use super::output::Output;
use crate::args::Tables;
use crate::command;
use crate::progress::{Allowed, Progress};

const HEAPS: [HeapKind; 4] = [HeapKind::Lazy, HeapKind::LazierSharp, HeapKind::Summary, HeapKind::Pose];

/// The program has this many methods.
pub const CALLS: u32 = 8;

/// The lists are at most this long: the document does not say.
const K: u32 = 3;

/// What a run came to, if it ended within its time.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Measured {
    traces: u64,
    time: Duration,
}

pub fn run(args: &Tables, finished: &mut Finished, output: &mut Output) -> Result<Ended, String> {
    let control = command::control();
    output.document("figure2", "Exact heap summaries: Figure 2, time against calls");
    let header = ["calls", "lazy", "lazier#", "SH", "POSE", "lazy ms", "lazier# ms", "SH ms", "POSE ms"];
    let mut sheet = output.begin(
        "figure2",
        "Figure 1's program: paths and time by the number of calls, k = 3",
        &header,
        &[5, 9, 9, 7, 7, 9, 9, 9, 9],
    )?;
    let mut curves: Vec<Curve> =
        ["lazy", "lazier#", "SH", "POSE"].map(|name| Curve { name: name.into(), points: Vec::new() }).into();
    let (mut ended, mut failures) = (Ended::Holds, Vec::new());
    'calls: for calls in 1..=CALLS {
        let mut row = Vec::new();
        for (heap, curve) in HEAPS.into_iter().zip(&mut curves) {
            // A model that has not ended with fewer calls is not asked again.
            if curve.points.len() + 1 < calls as usize {
                row.push(None);
                continue;
            }
            let name = format!("{calls} {heap}");
            let measured = match finished.row("figure2", &name) {
                Some(measured) => measured,
                None => {
                    let progress = Progress::start(control.clone(), Allowed::default());
                    let measured = measure(&args.programs, calls, heap, args.cell_time, &control);
                    progress.stop();
                    if control.is_interrupted() {
                        ended = Ended::Interrupted;
                        break 'calls;
                    }
                    let measured = measured?;
                    finished.keep("figure2", &name, &measured)?;
                    measured
                }
            };
            curve.points.extend(measured.map(|measured: Measured| (calls, measured.time.as_secs_f64())));
            row.push(measured);
        }
        if let [_, _, Some(sh), Some(pose)] = row[..]
            && sh.traces != pose.traces
        {
            failures.push(format!("{calls} calls: SH {} but POSE {}", sh.traces, pose.traces));
        }
        sheet.row(cells(calls, &row))?;
    }
    output.end(sheet);
    output.text("A dash: it did not end within --cell-time, or not with fewer calls. Times are of the paths alone.");
    output.figure(curves::svg("Figure 2: time against calls of contains", "calls", &curves), "");
    failures.iter().for_each(|failure| output.text(&format!("DOES NOT HOLD: {failure}")));
    Ok(if failures.is_empty() { ended } else { Ended::Fails })
}

fn measure(
    programs: &Path,
    calls: u32,
    heap: HeapKind,
    time: Duration,
    control: &Control,
) -> Result<Option<Measured>, String> {
    let program = command::load_tiny(&programs.join("summaries/Figure1.pose"))?;
    let config = Config {
        heap,
        entry: Some(format!("Figure1.run{calls}")),
        bounds: Bounds { k: Some(K), time: Some(time), ..Bounds::default() },
        detail: TraceDetail::None,
        ..Config::default()
    };
    let run = lazuli::explore(&program, &config, control)?;
    Ok(run.incomplete.is_none().then_some(Measured { traces: run.counts.traces, time: run.time }))
}

fn cells(calls: u32, row: &[Option<Measured>]) -> Vec<String> {
    let dash = || "-".to_string();
    let mut cells = vec![calls.to_string()];
    cells.extend(row.iter().map(|cell| cell.map_or_else(dash, |measured| measured.traces.to_string())));
    cells.extend(row.iter().map(|cell| cell.map_or_else(dash, |m| format!("{:.1}", m.time.as_secs_f64() * 1e3))));
    cells
}
