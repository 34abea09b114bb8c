//! The run as one JSON object: stable, documented in `docs/json.md`, versioned.

use lazuli_engine::run::{Run, Trace, TraceFacts};
use lazuli_engine::witness::{Concrete, Witness};
use lazuli_program::Program;
use serde_json::{Map, Value, json};

/// Raised whenever a reader of the old form could be misled by the new one.
const VERSION: u32 = 2;

pub fn run(program: &Program, run: &Run) -> String {
    let c = &run.counts;
    let s = &run.solver;
    let stops: Map<String, Value> = run.stops.iter().map(|(reason, n)| (reason.clone(), json!(n))).collect();
    let value = json!({
        "version": VERSION,
        "program": run.program,
        "entry": run.entry,
        "heap": run.heap.name(),
        "complete": run.incomplete.is_none() && c.stopped == 0,
        "incomplete": run.incomplete,
        "counts": {
            "traces": c.traces, "returned": c.returned, "threw": c.threw, "assert_failed": c.assert_failed,
            "stopped": c.stopped, "pruned_infeasible": c.pruned_infeasible, "pruned_invariant": c.pruned_invariant,
            "queries": c.queries, "settled": c.settled, "implicit_queries": c.implicit_queries, "solver_calls": s.backend(),
            "steps": c.steps, "witnesses_confirmed": c.confirmed, "witnesses_unconfirmed": c.unconfirmed,
        },
        "solver": s,
        "stops": stops,
        "time": { "total_ms": millis(run.time), "solver_ms": millis(run.solver_time) },
        "traces_omitted": run.traces_omitted,
        "traces": run.traces.iter().map(|t| trace(program, t)).collect::<Vec<_>>(),
        "caveats": run.caveats,
    });
    serde_json::to_string_pretty(&value).expect("a JSON value can be written")
}

fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn trace(program: &Program, trace: &Trace) -> Value {
    let mut value = json!({ "id": trace.id(), "outcome": trace.outcome.kind() });
    let object = value.as_object_mut().expect("an object");
    match &trace.outcome {
        lazuli_engine::Outcome::Threw(class) => {
            object.insert("exception".into(), json!(class));
        }
        outcome @ lazuli_engine::Outcome::Stopped(_) => {
            object.insert("reason".into(), json!(outcome.to_string()));
        }
        _ => {}
    }
    if let Some(facts) = &trace.detail {
        insert_facts(program, object, facts);
    }
    value
}

fn insert_facts(program: &Program, object: &mut Map<String, Value>, facts: &TraceFacts) {
    if let Some(value) = &facts.value {
        object.insert("value".into(), json!(value));
    }
    object.insert("place".into(), json!(facts.place));
    object.insert("path_condition".into(), json!(facts.path_condition));
    let mut witness_value = json!({ "confirmed": facts.confirmed.is_ok() });
    let entry = witness_value.as_object_mut().expect("an object");
    if let Err(reason) = &facts.confirmed {
        entry.insert("reason".into(), json!(reason));
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
