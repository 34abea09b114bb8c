//! What was found, as SARIF 2.1.0, which editors and code hosts show beside the lines.

use std::path::{Component, Path};

use lazuli::Called;
use serde_json::{Value, json};

use super::method::Checked;
use super::violation::Violation;

/// The properties that are checked, by the words of [`super::property::Failure::kind`].
const RULES: [(&str, &str, &str); 4] = [
    ("assertion", "An assertion fails", "There is an input on which an assert statement fails."),
    (
        "exception",
        "An undeclared exception is thrown",
        "There is an input on which an exception leaves a method that is neither declared nor thrown on purpose.",
    ),
    ("endless", "A method does not end", "There is an input on which a method comes back to a state in which it was."),
    (
        "postcondition",
        "A postcondition does not hold",
        "There is an input on which a method returns, and its postcondition is not true of what it leaves behind.",
    ),
];

pub fn report(all: &[Checked]) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, short, full)| {
            json!({
                "id": id, "shortDescription": { "text": short }, "fullDescription": { "text": full },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    let found = all.iter().flat_map(|checked| checked.violations.iter().map(move |violation| (checked, violation)));
    let results: Vec<Value> = found.map(|(checked, violation)| result(checked, violation)).collect();
    let driver = json!({ "name": "lazuli", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let report = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "utf16CodeUnits",
            "invocations": [{ "executionSuccessful": true }],
            "results": results,
        }],
    });
    format!("{report:#}\n")
}

fn result(checked: &Checked, violation: &Violation) -> Value {
    let kind = violation.failure.kind();
    let rule = RULES.iter().position(|(id, ..)| *id == kind).expect("every kind has a rule");
    let (level, doubt) = match &violation.doubt {
        None => ("error", String::new()),
        Some(doubt) => ("warning", format!(" ({doubt})")),
    };
    let word = if violation.doubt.is_none() { "fails" } else { "may fail" };
    let code: String = violation.code.iter().map(|line| format!("{line}\n")).collect();
    let text = format!("{} {word}: {}{doubt}\n{}{code}", checked.name(), violation.headline(), violation.facts);
    let place = format!("{}:{}:{}", violation.place.class, checked.method, violation.headline());
    let mut result = json!({
        "ruleId": kind,
        "ruleIndex": rule,
        "level": level,
        "message": { "text": text },
        "locations": [location(checked, violation)],
        "partialFingerprints": { "violation/v1": place },
    });
    if !violation.stack.is_empty() {
        let frames: Vec<Value> = violation.stack.iter().map(|call| frame(call, violation)).collect();
        result["stacks"] = json!([{ "message": { "text": violation.headline() }, "frames": frames }]);
    }
    if !violation.code.is_empty() {
        result["properties"] = json!({ "code": violation.code });
    }
    result
}

/// A call of a stack: a line of a file only where that file is at hand.
fn frame(call: &Called, violation: &Violation) -> Value {
    let name = format!("{}.{}", call.at.class, call.method);
    let logical = json!([{ "fullyQualifiedName": name, "kind": "function" }]);
    let is_here = call.at.class == violation.place.class && call.at.line > 0;
    let location = match violation.path.as_ref().filter(|_| is_here) {
        Some(path) => json!({ "physicalLocation": physical(path, call.at.line), "logicalLocations": logical }),
        None => json!({ "logicalLocations": logical }),
    };
    json!({ "location": location, "module": call.at.class })
}

fn physical(path: &Path, line: u32) -> Value {
    json!({ "artifactLocation": { "uri": uri(path) }, "region": { "startLine": line } })
}

fn location(checked: &Checked, violation: &Violation) -> Value {
    let logical = json!([{ "fullyQualifiedName": checked.method, "kind": "function" }]);
    let Some(path) = violation.path.as_ref().filter(|_| violation.place.line > 0) else {
        return json!({ "logicalLocations": logical });
    };
    json!({ "physicalLocation": physical(path, violation.place.line), "logicalLocations": logical })
}

/// A path as a reference: relative to where the command was started, if it is below that.
fn uri(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    let parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            Component::RootDir | Component::CurDir => None,
            other => Some(encoded(&other.as_os_str().to_string_lossy())),
        })
        .collect();
    let joined = parts.join("/");
    if path.is_absolute() { format!("file:///{joined}") } else { joined }
}

fn encoded(part: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~$".contains(&byte);
    part.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri(Path::new("src/main/java/A b.java")), "src/main/java/A%20b.java");
        assert_eq!(uri(Path::new("/no/such/Ä.java")), "file:///no/such/%C3%84.java");
        assert_eq!(uri(&std::env::current_dir().expect("a directory").join("A.java")), "A.java");
    }
}
