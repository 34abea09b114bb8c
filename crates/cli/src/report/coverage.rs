//! What was executed, as text and as JSON.

use lazuli::coverage::{ClassCount, Count, Coverage, LineCount, MethodCount, Why};
use lazuli_program::escape;
use serde_json::{Map, Value, json};

use crate::names::plural;

/// The sources with what is missing in them, for people.
pub fn text(coverage: &Coverage) -> String {
    let (lines, branches) = (coverage.line_count(), coverage.branch_count());
    let mut text = format!("coverage: {}\n", counts(lines, branches));
    for ((package, source), classes) in coverage.sources() {
        let all = Coverage::lines_of(&classes);
        let lines = all.values().map(|line| Count::one(line.is_covered())).sum();
        let branches = all.values().map(|line| line.branches).sum();
        let name = if package.is_empty() { source.to_string() } else { format!("{package}/{source}") };
        text += &format!("  {}: {}\n", escape::line(&name), counts(lines, branches));
        for (class, method) in classes.iter().flat_map(|class| class.methods.iter().map(move |method| (class, method)))
        {
            text += &missing(source, class, method);
        }
    }
    text
}

/// `13 of 14 lines, 8 of 10 branches`.
pub fn counts(lines: Count, branches: Count) -> String {
    let of = |count: Count, word: &str| format!("{} of {} {}", count.covered, count.total(), word);
    match branches.total() {
        0 => of(lines, "lines"),
        _ => format!("{}, {}", of(lines, "lines"), of(branches, "branches")),
    }
}

/// The lines of a method that were not executed, or not in every way, and why.
fn missing(source: &str, class: &ClassCount, method: &MethodCount) -> String {
    let missed: Vec<(u32, &LineCount)> =
        method.lines.iter().filter(|(_, line)| !line.is_whole()).map(|(at, line)| (*at, line)).collect();
    if missed.is_empty() {
        return String::new();
    }
    let name = escape::line(&readable(class, method)).into_owned();
    if !method.is_covered() {
        let lines = plural(missed.len() as u64, "line");
        let begin = missed[0].0;
        return format!("    {source}:{begin}  {name}: not executed, {} {lines}; {}\n", missed.len(), why(&method.why));
    }
    let line = |(at, line): &(u32, &LineCount)| {
        let what = match (line.is_covered(), line.branches.missed) {
            (false, _) => "not executed".to_string(),
            (true, 0) => "executed in part".to_string(),
            (true, missed) => format!("{missed} of {} branches not taken", line.branches.total()),
        };
        format!("    {source}:{at}  {name}: {what}; {}\n", why(&method.why))
    };
    missed.iter().map(line).collect()
}

fn readable(class: &ClassCount, method: &MethodCount) -> String {
    let simple = class.name.rsplit('/').next().unwrap_or(&class.name).replace('$', ".");
    match method.name.as_str() {
        "<init>" => format!("new {simple}"),
        "<clinit>" => format!("the initialiser of {simple}"),
        name => format!("{simple}.{name}"),
    }
}

/// In a few words.
fn why(why: &Why) -> String {
    match why {
        Why::Infeasible { within: None } => "infeasible: no input leads there".into(),
        Why::Infeasible { within: Some(bounds) } => format!("infeasible within {bounds}"),
        Why::NotCalled => "nothing that was explored calls it".into(),
        Why::CutOff(limits) => format!("beyond what was explored: {}", limits.join("; ")),
        Why::Untested => "no test was written that leads there".into(),
    }
}

/// The same as data: docs/coverage.md.
pub fn json(coverage: &Coverage) -> Value {
    let classes: Vec<Value> = coverage
        .classes
        .iter()
        .map(|class| {
            let methods: Vec<Value> = class.methods.iter().map(method).collect();
            json!({ "class": class.readable(), "source": class.source, "methods": methods })
        })
        .collect();
    json!({ "lines": count(coverage.line_count()), "branches": count(coverage.branch_count()), "classes": classes })
}

fn count(count: Count) -> Value {
    json!({ "covered": count.covered, "missed": count.missed })
}

fn method(method: &MethodCount) -> Value {
    let mut object = Map::new();
    object.insert("method".into(), json!(format!("{}{}", method.name, method.descriptor)));
    object.insert("lines".into(), count(method.line_count()));
    object.insert("branches".into(), count(method.branches));
    let missed = method.lines.iter().filter(|(_, line)| !line.is_whole());
    let missed: Vec<Value> = missed
        .map(|(at, line)| {
            json!({ "line": at, "instructions": count(line.instructions), "branches": count(line.branches) })
        })
        .collect();
    if !missed.is_empty() {
        object.insert("missed".into(), json!(missed));
        let (kind, more) = match &method.why {
            Why::Infeasible { within } => ("infeasible", within.as_ref().map(|within| ("within", json!(within)))),
            Why::NotCalled => ("not_called", None),
            Why::CutOff(limits) => ("cut_off", Some(("limits", json!(limits)))),
            Why::Untested => ("untested", None),
        };
        object.insert("why".into(), json!(kind));
        object.extend(more.map(|(key, value)| (key.to_string(), value)));
    }
    Value::Object(object)
}
