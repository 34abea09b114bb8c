//! The JSON output is what `docs/lazuli.schema.json` says it is, on real programs; and it is small.

use crate::common::{file, lazuli, root, stdout};
use serde_json::Value;

/// Checks a value against a schema. Only the words of JSON Schema that ours uses are known: another one is an error of the schema.
pub fn check(schema: &Value, whole: &Value, value: &Value, at: &str) -> Result<(), String> {
    let fail = |why: String| Err(format!("{at}: {why}"));
    if let Value::Bool(is_allowed) = schema {
        return if *is_allowed { Ok(()) } else { fail("it is not allowed".into()) };
    }
    for (word, said) in schema.as_object().expect("a schema is an object") {
        match word.as_str() {
            "$schema" | "$id" | "title" | "description" | "default" | "$defs" | "definitions" => {}
            "$ref" => {
                let path = said.as_str().and_then(|path| path.strip_prefix('#')).expect("a definition");
                check(whole.pointer(path).expect("it is defined"), whole, value, at)?;
            }
            "type" => {
                let one = std::slice::from_ref(said);
                let types = said.as_array().map_or(one, Vec::as_slice);
                if !types.iter().any(|ty| is_of(value, ty.as_str().expect("a type's name"))) {
                    return fail(format!("{value} is no {said}"));
                }
            }
            "const" if value != said => return fail(format!("{value} is not {said}")),
            "enum" if !said.as_array().expect("values").contains(value) => {
                return fail(format!("{value} is none of {said}"));
            }
            "const" | "enum" => {}
            "required" => {
                for key in said.as_array().expect("keys") {
                    if value.get(key.as_str().expect("a key")).is_none() {
                        return fail(format!("{key} is missing"));
                    }
                }
            }
            "properties" => {
                for (key, schema) in said.as_object().expect("schemas") {
                    if let Some(part) = value.get(key) {
                        check(schema, whole, part, &format!("{at}.{key}"))?;
                    }
                }
            }
            "additionalProperties" => {
                let known = |key: &str| schema["properties"].get(key).is_some();
                for (key, part) in value.as_object().into_iter().flatten().filter(|(key, _)| !known(key)) {
                    match said {
                        Value::Bool(false) => return fail(format!("{key} is not known")),
                        schema => check(schema, whole, part, &format!("{at}.{key}"))?,
                    }
                }
            }
            "items" => {
                for (number, part) in value.as_array().into_iter().flatten().enumerate() {
                    check(said, whole, part, &format!("{at}[{number}]"))?;
                }
            }
            "minimum" if value.as_f64() < said.as_f64() => return fail(format!("{value} is below {said}")),
            "minimum" => {}
            "maximum" if value.as_f64() > said.as_f64() => return fail(format!("{value} is above {said}")),
            "maximum" => {}
            "minItems"
                if value.as_array().is_some_and(|list| (list.len() as u64) < said.as_u64().expect("a number")) =>
            {
                return fail(format!("{value} has less than {said}"));
            }
            "minItems" => {}
            "uniqueItems" => {
                let list = value.as_array().map_or(&[][..], Vec::as_slice);
                if *said == Value::Bool(true) && list.iter().enumerate().any(|(at, item)| list[..at].contains(item)) {
                    return fail(format!("{value} has something twice"));
                }
            }
            "format" if value.is_string() => {
                let text = value.as_str().expect("a text");
                let is_plain = text.chars().all(|c| c.is_ascii_graphic() && !"<>\"{}|\\^`".contains(c));
                let is_right = match said.as_str().expect("a format") {
                    "uri" => is_plain && text.contains(':'),
                    "uri-reference" => is_plain,
                    other => panic!("the format {other} is not known"),
                };
                if !is_right {
                    return fail(format!("{value} is no {said}"));
                }
            }
            "format" => {}
            "pattern" if value.is_string() => panic!("{at} must be like {said}, which nobody has written down here"),
            "pattern" => {}
            "anyOf" => {
                let all = said.as_array().expect("schemas");
                if !all.iter().any(|schema| check(schema, whole, value, at).is_ok()) {
                    return fail(format!("{value} fits no alternative"));
                }
            }
            "oneOf" => {
                let fitting = said.as_array().expect("schemas").iter();
                let number = fitting.filter(|schema| check(schema, whole, value, at).is_ok()).count();
                if number != 1 {
                    return fail(format!("{value} fits {number} alternatives"));
                }
            }
            other => panic!("the schema uses {other}"),
        }
    }
    Ok(())
}

fn is_of(value: &Value, ty: &str) -> bool {
    match ty {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the schema uses the type {other}"),
    }
}

pub fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/lazuli.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("the schema is JSON")
}

#[track_caller]
fn explored(args: &[&str]) -> Value {
    let output = stdout(&lazuli(&[args, &["--format", "json"]].concat()));
    let run: Value = serde_json::from_str(&output).unwrap_or_else(|error| panic!("{args:?}: {error}: {output}"));
    let schema = schema();
    check(&schema, &schema, &run, "$").unwrap_or_else(|why| panic!("{args:?}: {why}"));
    run
}

#[test]
fn the_schema_refuses_what_it_does_not_say() {
    let schema = schema();
    let trace = |text: &str| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        check(&schema["$defs"]["trace"], &schema, &value, "$")
    };
    assert!(trace(r#"{"id": "0", "outcome": "returned", "value": {"char": "x"}}"#).is_ok());
    for wrong in [
        r#"{"outcome": "returned"}"#,
        r#"{"id": "0", "outcome": "vanished"}"#,
        r#"{"id": "0", "outcome": "returned", "value": {"ref": "o1", "string": "x"}}"#,
        r#"{"id": "0", "outcome": "returned", "branches": [{"file": "A.java", "line": "6", "holds": "x"}]}"#,
        r#"{"id": "0", "outcome": "returned", "hidden": 1}"#,
    ] {
        assert!(trace(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn answers_are_what_the_schema_says() {
    for heap in ["lazy", "summary", "pose"] {
        explored(&["explore", "programs/pose/swap.pose", "--heap", heap]);
    }
    explored(&["explore", "programs/java/everyday/Account.java", "--entry", "Account.transfer", "-v"]);
    explored(&["explore", "programs/java/everyday/Flag.java", "--entry", "Flag.parse", "--max-string", "3"]);
    explored(&["explore", "programs/java/everyday/Light.java", "--entry", "Light.seconds"]);
}

/// Two fields of one name are two; characters, long numbers and results are typed; elements are within the length.
#[test]
fn values_are_typed_and_fields_have_their_classes() {
    let source = file(
        "Typed.java",
        "class Typed { static class A { int hidden; char c; } static class B extends A { long hidden; }
           static String f(B b, int[] a) {
             if (b.hidden == 1L << 60 && ((A) b).hidden == 2 && b.c == 'x' && a.length == 2 && a[1] == 7) { b.c = 'y'; return \"Ørsted\"; }
             return null; } }",
    );
    let run = explored(&["explore", source.to_str().expect("a path"), "--entry", "Typed.f", "--max-array", "3"]);
    let found = run["traces"].as_array().expect("traces").iter().find(|trace| trace["value"]["string"] == "Ørsted");
    let trace = found.expect("the path to the end");
    let heap = trace["witness"]["heap"].as_object().expect("objects");
    let of = |class: &str| heap.values().find(|object| object["class"] == class).expect(class);
    let b = &of("Typed$B")["fields"];
    assert_eq!(b["hidden"]["long"], (1u64 << 60).to_string());
    assert_eq!((&b["Typed$A.hidden"], &b["Typed$A.c"]["char"]), (&2.into(), &"x".into()));
    let array = of("int[]");
    assert_eq!((array["length"].as_u64(), array["elements"].as_array().map(Vec::len)), (Some(2), Some(2)));
    let after = trace["after"].as_object().expect("what was written").values().next().expect("an object");
    assert_eq!(after["fields"]["Typed$A.c"]["char"], "y");
    assert!(trace["branches"].as_array().expect("branches").iter().all(|branch| branch["line"] == 3));
}

/// A trace of ten branches has at most 2 KB, as a line.
#[test]
fn traces_are_small() {
    let source = file(
        "Ten.java",
        "class Ten { int a, b; Ten next;
           static int f(Ten t, String s) {
             int n = 0;
             if (t.a > 1) n++;
             if (t.b > 2) n++;
             if (t.next != null) n++;
             if (s.length() > 1) n++;
             if (s.startsWith(\"a\")) n++;
             if (t.a < 9) n++;
             if (t.b < 9) n++;
             if (t.a + t.b < 12) n++;
             if (t.a != 5) n++;
             if (t.b != 5) n++;
             return n; } }",
    );
    let args =
        ["explore", source.to_str().expect("a path"), "--entry", "Ten.f", "--max-string", "3", "--format", "jsonl"];
    let output = stdout(&lazuli(&args));
    let mut longest = 0;
    for line in output.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        if value["branches"].as_array().is_some_and(|branches| branches.len() >= 10) {
            longest = longest.max(line.len());
        }
    }
    assert!(longest > 0, "there are traces with ten branches: {output}");
    assert!(longest <= 2048, "the longest has {longest} bytes");
}
