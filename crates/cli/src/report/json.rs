//! The run as JSON, one object or one a line: stable, documented in `docs/json.md`, versioned. Both are written while the run goes
//! on.

use std::io::Write;

use lazuli::replay::Replayed;
use lazuli::{Judgement, Outcome, Run, Subject, Trace, TraceFacts, judge_name};
use lazuli_engine::witness::{Concrete, Witness};
use lazuli_program::Program;
use serde_json::{Map, Value, json};

use crate::names;
use crate::verdict::Verdict;

/// Raised whenever a reader of the old form could be misled by the new one.
const VERSION: u32 = 3;

fn header(subject: &Subject) -> Map<String, Value> {
    let value = json!({
        "version": VERSION, "program": subject.program, "entry": subject.entry, "heap": subject.heap.name(),
    });
    object(value)
}

/// What is known at the end.
fn footer(run: &Run, verdict: &Verdict) -> Map<String, Value> {
    let c = &run.counts;
    let s = &run.solver;
    let stops: Map<String, Value> = run.stops.iter().map(|(stop, n)| (names::stop(stop), json!(n))).collect();
    let mut footer = object(json!({
        "complete": verdict.is_complete(),
        "incomplete": run.incomplete.map(names::bound),
        "counts": {
            "traces": c.traces, "returned": c.returned, "threw": c.threw, "assert_failed": c.assert_failed,
            "stopped": c.stopped, "pruned_infeasible": c.pruned_infeasible, "pruned_invariant": c.pruned_invariant,
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
#[derive(Default)]
pub struct Writer {
    traces: u64,
}

impl Writer {
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
        out.write_all(indented(&Value::Object(self::trace(program, trace)), "    ").as_bytes())
    }

    pub fn end(&mut self, out: &mut impl Write, run: &Run, verdict: &Verdict) -> std::io::Result<()> {
        out.write_all(if self.traces == 0 { b"]" } else { b"\n  ]" })?;
        for (key, value) in footer(run, verdict) {
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

pub fn trace_line(out: &mut impl Write, program: &Program, trace: &Trace) -> std::io::Result<()> {
    line(out, "trace", self::trace(program, trace))
}

pub fn end_lines(out: &mut impl Write, run: &Run, verdict: &Verdict) -> std::io::Result<()> {
    line(out, "end", footer(run, verdict))
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
    let value = json!({ "version": VERSION, "trace": trace(program, &replayed.trace), "decisions": points });
    serde_json::to_string_pretty(&value).expect("a JSON value can be written") + "\n"
}

fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn trace(program: &Program, trace: &Trace) -> Map<String, Value> {
    let mut object = object(json!({ "id": trace.id(), "outcome": trace.outcome.kind() }));
    match &trace.outcome {
        Outcome::Threw(class) => _ = object.insert("exception".into(), json!(class)),
        Outcome::Stopped(stop) => _ = object.insert("reason".into(), json!(names::stop(stop))),
        Outcome::Returned | Outcome::AssertFailed => {}
    }
    if let Some(facts) = &trace.detail {
        insert_facts(program, &mut object, facts);
    }
    object
}

fn insert_facts(program: &Program, object: &mut Map<String, Value>, facts: &TraceFacts) {
    if let Some(value) = &facts.value {
        object.insert("value".into(), json!(value));
    }
    object.insert("place".into(), json!(facts.place));
    if !facts.printed.is_empty() {
        let pieces = facts.printed.iter().map(|(stream, text)| json!({ "stream": stream, "text": text }));
        object.insert("printed".into(), pieces.collect());
    }
    object.insert("path_condition".into(), json!(facts.path_condition));
    let Judgement { judge, verdict } = &facts.judgement;
    let mut witness_value = json!({ "judge": judge_name(*judge), "verdict": verdict.kind() });
    let entry = witness_value.as_object_mut().expect("an object");
    if !verdict.reasons().is_empty() {
        entry.insert("reasons".into(), json!(verdict.reasons()));
    }
    if let Some(witness) = &facts.witness {
        let inputs: Map<String, Value> =
            witness.roots.iter().map(|(name, value)| (name.clone(), concrete(*value))).collect();
        entry.insert("inputs".into(), Value::Object(inputs));
        entry.insert("heap".into(), heap(program, witness));
    }
    object.insert("witness".into(), witness_value);
}

/// Objects by name: `o1`, `o2`, …
fn heap(program: &Program, witness: &Witness) -> Value {
    let mut objects = Map::new();
    for (index, object) in witness.objects.iter().enumerate() {
        let fields: Map<String, Value> =
            object.fields.iter().map(|(field, value)| (program.field(*field).name.clone(), concrete(*value))).collect();
        let mut value = json!({ "class": program.class(object.class).name, "path": object.name, "fields": fields });
        if let Some(existing) = &object.existing {
            value["existing"] = json!(existing);
        }
        if !object.elements.is_empty() {
            let elements: Map<String, Value> =
                object.elements.iter().map(|(at, value)| (at.to_string(), concrete(*value))).collect();
            value["elements"] = Value::Object(elements);
        }
        objects.insert(format!("o{}", index + 1), value);
    }
    Value::Object(objects)
}

fn concrete(value: Concrete) -> Value {
    match value {
        Concrete::Bool(value) => json!(value),
        // JSON numbers are read as doubles by many: what does not fit exactly is a string.
        Concrete::Int(value) if value.unsigned_abs() <= 1 << 53 => json!(value as i64),
        Concrete::Int(value) => json!(value.to_string()),
        Concrete::Float(bits) => float(f32::from_bits(bits) as f64),
        Concrete::Double(bits) => float(f64::from_bits(bits)),
        Concrete::Null => Value::Null,
        Concrete::Object(index) => json!({ "ref": format!("o{}", index + 1) }),
    }
}

/// JSON has no NaN and no infinities: those are strings.
fn float(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
}
