//! The run as JSON, one object or one a line: stable, documented in `docs/json.md`, versioned. Both are written while the run goes
//! on.

use std::io::Write;

use lazuli::coverage::Coverage;
use lazuli::replay::Replayed;
use lazuli::{Run, Subject, Trace};
use lazuli_program::Program;
use serde_json::{Map, Value, json};

use super::{coverage, data};
use crate::names;
use crate::verdict::Verdict;

/// Raised whenever a reader of the old form could be misled by the new one.
const VERSION: u32 = 4;

fn header(subject: &Subject) -> Map<String, Value> {
    let value = json!({
        "version": VERSION, "program": subject.program, "entry": subject.entry, "heap": subject.heap.name(),
    });
    object(value)
}

/// What is known at the end.
fn footer(run: &Run, verdict: &Verdict, counted: Option<&Coverage>) -> Map<String, Value> {
    let c = &run.counts;
    let s = &run.solver;
    let stops: Map<String, Value> = run.stops.iter().map(|(stop, n)| (names::stop(stop), json!(n))).collect();
    let mut footer = object(json!({
        "complete": verdict.is_complete(),
        "incomplete": run.incomplete.map(names::bound),
        "counts": {
            "traces": c.traces, "returned": c.returned, "threw": c.threw, "assert_failed": c.assert_failed,
            "endless": c.endless, "stopped": c.stopped, "pruned_infeasible": c.pruned_infeasible, "pruned_invariant": c.pruned_invariant,
            "queries": c.queries, "settled": c.settled, "implicit_queries": c.implicit_queries, "solver_calls": s.backend(),
            "steps": c.steps, "witnesses_agreed": c.agreed, "witnesses_differed": c.differed,
            "witnesses_not_comparable": c.not_comparable, "witnesses_not_tried": c.not_tried,
            "violations_refuted": c.violations_refuted,
        },
        "solver": s,
        "effort": run.effort,
        "tasks": run.tasks,
        "stops": stops,
        "time": { "total_ms": millis(run.time), "solver_ms": millis(run.solver_time) },
    }));
    footer.extend(verdict.json().map(|(key, list)| (key.to_string(), list)));
    if !run.offered.is_empty() {
        footer.insert("offered".into(), json!(run.offered));
    }
    footer.extend(counted.map(|counted| ("coverage".to_string(), coverage::json(counted))));
    footer.insert("notes".into(), run.notes.iter().map(names::note).collect());
    footer
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => unreachable!("{other} is no object"),
    }
}

/// One object, of which the traces are written while they are found.
pub struct Writer {
    traces: u64,
    formulas: bool,
}

impl Writer {
    pub fn new(formulas: bool) -> Writer {
        Writer { traces: 0, formulas }
    }

    pub fn begin(&mut self, out: &mut impl Write, subject: &Subject) -> std::io::Result<()> {
        out.write_all(b"{\n")?;
        for (key, value) in header(subject) {
            writeln!(out, "  {}: {},", json!(key), value)?;
        }
        out.write_all(b"  \"traces\": [")
    }

    pub fn trace(&mut self, out: &mut impl Write, program: &Program, trace: &Trace) -> std::io::Result<()> {
        out.write_all(if self.traces == 0 { b"\n" } else { b",\n" })?;
        self.traces += 1;
        out.write_all(indented(&Value::Object(data::trace(program, trace, self.formulas)), "    ").as_bytes())
    }

    pub fn end(
        &mut self,
        out: &mut impl Write,
        run: &Run,
        verdict: &Verdict,
        counted: Option<&Coverage>,
    ) -> std::io::Result<()> {
        out.write_all(if self.traces == 0 { b"]" } else { b"\n  ]" })?;
        for (key, value) in footer(run, verdict, counted) {
            write!(out, ",\n  {}: {}", json!(key), indented(&value, "  ").trim_start())?;
        }
        out.write_all(b"\n}\n")
    }
}

/// For people, below something else.
fn indented(value: &Value, by: &str) -> String {
    let text = serde_json::to_string_pretty(value).expect("a JSON value can be written");
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

/// A line with what it is.
fn line(out: &mut impl Write, kind: &str, rest: Map<String, Value>) -> std::io::Result<()> {
    let mut all = Map::from_iter([("type".to_string(), json!(kind))]);
    all.extend(rest);
    serde_json::to_writer(&mut *out, &Value::Object(all))?;
    out.write_all(b"\n")
}

pub fn begin_lines(out: &mut impl Write, subject: &Subject) -> std::io::Result<()> {
    line(out, "run", header(subject))
}

pub fn trace_line(out: &mut impl Write, program: &Program, trace: &Trace, formulas: bool) -> std::io::Result<()> {
    line(out, "trace", data::trace(program, trace, formulas))
}

pub fn end_lines(
    out: &mut impl Write,
    run: &Run,
    verdict: &Verdict,
    counted: Option<&Coverage>,
) -> std::io::Result<()> {
    line(out, "end", footer(run, verdict, counted))
}

/// A trace that was run again, with its decisions.
pub fn replayed(program: &Program, replayed: &Replayed) -> String {
    let points = replayed.points.iter().map(|point| {
        json!({
            "place": point.place, "instruction": point.instruction, "taken": point.taken, "of": point.of,
            "guard": point.guard,
        })
    });
    let points: Vec<Value> = points.collect();
    let value =
        json!({ "version": VERSION, "trace": data::trace(program, &replayed.trace, true), "decisions": points });
    serde_json::to_string_pretty(&value).expect("a JSON value can be written") + "\n"
}

fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
