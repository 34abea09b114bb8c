//! What was found, as JSON: stable, versioned, described by `docs/check.schema.json`.

use lazuli::coverage::Coverage;
use lazuli::{Called, Judge, Line, judge_name};
use serde_json::{Map, Value, json};

use crate::report::coverage;

use super::method::{Checked, Verdict};
use super::violation::Violation;

/// Raised whenever a reader of the old form could be misled by the new one.
const VERSION: u32 = 1;

pub fn report(target: &str, judge: Judge, all: &[Checked], counted: Option<&Coverage>, code: u8) -> String {
    let methods: Vec<Value> = all.iter().map(method).collect();
    let mut report = map(json!({
        "version": VERSION, "target": target, "judge": judge_name(judge), "methods": methods, "exit_code": code,
    }));
    report.extend(counted.map(|counted| ("coverage".to_string(), coverage::json(counted))));
    format!("{:#}\n", Value::Object(report))
}

fn method(checked: &Checked) -> Value {
    let mut object = map(json!({
        "method": checked.method,
        "verdict": checked.verdict.kind(),
        "paths": checked.paths,
        "time_ms": (checked.time.as_secs_f64() * 1e4).round() / 10.0,
        "violations": checked.violations.iter().map(violation).collect::<Vec<_>>(),
    }));
    if let Some(why) = checked.verdict.why() {
        object.insert("why".into(), json!(why));
    }
    Value::Object(object)
}

fn violation(violation: &Violation) -> Value {
    let place = &violation.place;
    let mut at = map(json!({ "class": place.class, "file": place.file, "line": place.line }));
    at.extend(violation.path.as_ref().map(|path| ("path".to_string(), json!(path.display().to_string()))));
    at.extend(violation.source.as_ref().map(|source| ("source".to_string(), json!(source))));
    let mut object = map(json!({
        "kind": violation.failure.kind(),
        "text": violation.headline(),
        "at": at,
        "stack": violation.stack.iter().map(called).collect::<Vec<_>>(),
        "code": violation.code,
        "confirmed": violation.is_confirmed,
        "judgement": violation.judgement,
        "trace": violation.trace,
    }));
    object.extend(violation.doubt.as_ref().map(|doubt| ("doubt".to_string(), json!(doubt))));
    Value::Object(object)
}

fn called(call: &Called) -> Value {
    let Line { file, line, class } = &call.at;
    json!({ "class": class, "method": call.method, "file": file, "line": line })
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => unreachable!("{other} is no object"),
    }
}

impl Verdict {
    /// The word for it.
    fn kind(&self) -> &'static str {
        match self {
            Verdict::Fails => "fails",
            Verdict::MayFail(_) => "may_fail",
            Verdict::Unknown(_) => "unknown",
            Verdict::WithinLimits(_) => "holds_within_limits",
            Verdict::WithinBounds(_) => "holds_within_bounds",
            Verdict::Holds => "holds",
        }
    }

    /// Why it is no other, or within what it holds.
    fn why(&self) -> Option<&str> {
        match self {
            Verdict::MayFail(why) | Verdict::Unknown(why) | Verdict::WithinLimits(why) | Verdict::WithinBounds(why) => {
                Some(why)
            }
            Verdict::Fails | Verdict::Holds => None,
        }
    }
}
