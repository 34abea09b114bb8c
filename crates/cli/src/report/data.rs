//! A trace as JSON: its branches with their places, its result, what it printed, the input heap and what became of it. Values are typed: see
//! `docs/json.md` and `docs/lazuli.schema.json`.

use lazuli::{
    Branch, Concrete, Ending, Judgement, Line, Outcome, Program, Stream, Trace, TraceFacts, Witness, WitnessObject,
    judge_name,
};
use lazuli_program::ir::{ClassId, FieldId, Type};
use serde_json::{Map, Value, json};

use super::values;
use crate::names;

/// A trace. `formulas`: with its condition and result as terms.
pub fn trace(program: &Program, trace: &Trace, formulas: bool) -> Map<String, Value> {
    let mut object = map(json!({ "id": trace.id(), "outcome": trace.outcome.kind() }));
    match &trace.outcome {
        Outcome::Threw(class) => _ = object.insert("exception".into(), json!(class)),
        Outcome::Stopped(stop) => _ = object.insert("reason".into(), json!(names::stop(stop))),
        Outcome::Endless { method } => _ = object.insert("endless_in".into(), json!(method)),
        Outcome::Returned | Outcome::AssertFailed | Outcome::PostFailed => {}
    }
    if let Some(facts) = &trace.detail {
        insert_facts(program, &mut object, facts, formulas);
    }
    object
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => unreachable!("{other} is no object"),
    }
}

fn insert_facts(program: &Program, object: &mut Map<String, Value>, facts: &TraceFacts, formulas: bool) {
    object.insert("place".into(), place(&facts.place));
    object.extend(facts.came.as_ref().map(|line| ("came".to_string(), place(line))));
    let ending = facts.ending.as_ref();
    if let Some(message) = ending.and_then(|ending| ending.message.as_ref()) {
        object.insert("message".into(), json!(message));
    }
    let result = program.main.map(|entry| program.method(entry).result);
    let before = facts.witness.as_ref().map(|witness| Objects::new(program, &witness.objects, witness_uses(witness)));
    let after = ending.map(|ending| Objects::new(program, &ending.objects, ending_uses(ending)));
    if let Some((ending, after)) = ending.zip(after.as_ref()) {
        object.extend(ending.value.map(|value| ("value".to_string(), after.value(value, result))));
        if ending.value.is_some() {
            object.insert("fixed".into(), json!(facts.is_fixed));
        }
    }
    object.extend(facts.said_value.as_ref().map(|said| ("said".to_string(), json!(said))));
    if program.semantics.tells_branches() {
        object.insert("branches".into(), facts.branches.iter().map(branch).collect());
    }
    let printed = ending.map_or(&facts.printed, |ending| &ending.printed);
    if !printed.is_empty() {
        object.insert("printed".into(), printed.iter().map(|(stream, text)| piece(*stream, text)).collect());
    }
    if !facts.reached.is_empty() {
        object.insert("reached".into(), json!(facts.reached));
    }
    if formulas {
        object.insert("path_condition".into(), json!(facts.path_condition));
        object.extend(facts.value.as_ref().map(|term| ("term".to_string(), json!(term))));
    }
    let Judgement { judge, verdict } = &facts.judgement;
    let mut witness = map(json!({ "judge": judge_name(*judge), "verdict": verdict.kind() }));
    if !verdict.reasons().is_empty() {
        witness.insert("reasons".into(), json!(verdict.reasons()));
    }
    if let Some((input, objects)) = facts.witness.as_ref().zip(before.as_ref()) {
        let inputs: Map<String, Value> = input
            .roots
            .iter()
            .map(|(name, value)| (name.clone(), objects.value(*value, input_type(program, name))))
            .collect();
        witness.insert("inputs".into(), Value::Object(inputs));
        witness.insert("heap".into(), objects.all());
    }
    object.insert("witness".into(), Value::Object(witness));
    if let Some((before, after)) = before.zip(after) {
        let changed = after.changed(&before);
        if !changed.is_empty() {
            object.insert("after".into(), Value::Object(changed));
        }
    }
}

pub fn place(line: &Line) -> Value {
    json!({ "file": line.file, "line": line.line })
}

fn branch(Branch { place, text, code }: &Branch) -> Value {
    let mut object = map(json!({ "file": place.file, "line": place.line, "holds": text }));
    object.extend(code.as_ref().map(|code| ("code".to_string(), json!(code))));
    Value::Object(object)
}

fn piece(stream: Stream, text: &str) -> Value {
    json!({ "stream": stream, "text": text })
}

/// The type of an input, if it is one of the entry.
fn input_type(program: &Program, name: &str) -> Option<Type> {
    let entry = program.method(program.main?);
    entry.registers.iter().take(entry.parameters).find(|register| register.name == name).map(|register| register.ty)
}

/// How often each object is referred to.
fn witness_uses(witness: &Witness) -> Vec<u32> {
    uses(&witness.objects, witness.roots.iter().map(|(_, value)| *value))
}

fn ending_uses(ending: &Ending) -> Vec<u32> {
    uses(&ending.objects, ending.value.into_iter())
}

fn uses(objects: &[WitnessObject], roots: impl Iterator<Item = Concrete>) -> Vec<u32> {
    let mut uses = vec![0; objects.len()];
    let fields = objects.iter().flat_map(|object| object.fields.iter().map(|(_, value)| *value));
    let elements = objects.iter().flat_map(|object| object.elements.iter().map(|(_, value)| *value));
    for value in roots.chain(fields).chain(elements) {
        if let Concrete::Object(index) = value {
            uses[index] += 1;
        }
    }
    uses
}

/// Objects by name: `o1`, `o2`, … What is a value in Java (strings, boxes, constants of enums) stands where it is used, unless two places share it.
struct Objects<'a> {
    program: &'a Program,
    objects: &'a [WitnessObject],
    heap: values::Heap<'a>,
    uses: Vec<u32>,
}

impl<'a> Objects<'a> {
    fn new(program: &'a Program, objects: &'a [WitnessObject], uses: Vec<u32>) -> Objects<'a> {
        Objects { program, objects, heap: values::Heap::new(program, objects), uses }
    }

    fn all(&self) -> Value {
        let names = (0..self.objects.len()).filter(|index| !self.is_inside(*index));
        Value::Object(names.map(|index| (name(index), self.object(index))).collect())
    }

    /// The objects that differ from those before, and the new ones.
    fn changed(&self, before: &Objects) -> Map<String, Value> {
        let mut changed = Map::new();
        for index in (0..self.objects.len()).filter(|index| !self.is_inside(*index)) {
            let object = self.object(index);
            let differs = match index < before.objects.len() {
                true => self.differs(before, index),
                false => true,
            };
            if differs {
                changed.insert(name(index), object);
            }
        }
        changed
    }

    /// Whether an object of the input has another field or element now. What it did not mention had its default.
    fn differs(&self, before: &Objects, index: usize) -> bool {
        let (old, new) = (&before.objects[index], &self.objects[index]);
        // Of what exists before the entry the witness does not say what it holds.
        if old.existing.is_some() {
            return false;
        }
        let field = |(field, value): &(FieldId, Concrete)| {
            let known = old.fields.iter().find(|(known, _)| known == field).map(|(_, value)| *value);
            known.unwrap_or(Concrete::default_of(self.program.field(*field).ty)) != *value
        };
        new.fields.iter().any(field) || self.heap.elements(index) != before.heap.elements(index)
    }

    /// Whether an object stands where it is used: characters of a string always do.
    fn is_inside(&self, index: usize) -> bool {
        self.heap.is_text(index) || self.uses[index] < 2 && self.literal(index).is_some()
    }

    fn literal(&self, index: usize) -> Option<Value> {
        if let Some(units) = self.heap.text_of(index) {
            return Some(text("string", &units));
        }
        if let Some((class, ty, value)) = self.heap.boxed(index) {
            return Some(json!({ "box": class, "value": typed(value, Some(ty)) }));
        }
        self.heap.constant(index).map(|constant| json!({ "constant": constant }))
    }

    fn value(&self, value: Concrete, ty: Option<Type>) -> Value {
        match value {
            Concrete::Object(index) if self.is_inside(index) => {
                self.literal(index).unwrap_or_else(|| json!({ "ref": name(index) }))
            }
            Concrete::Object(index) => json!({ "ref": name(index) }),
            other => typed(other, ty),
        }
    }

    fn object(&self, index: usize) -> Value {
        let object = &self.objects[index];
        let mut map = map(json!({ "class": self.class_name(object.class) }));
        object.existing.as_ref().map(|existing| map.insert("existing".into(), json!(existing)));
        if let Some(literal) = self.literal(index) {
            let Value::Object(parts) = literal else { unreachable!("a literal is an object") };
            map.extend(parts);
            return Value::Object(map);
        }
        if !object.name.is_empty() {
            map.insert("path".into(), json!(object.name));
        }
        if let Some(elements) = self.heap.elements(index) {
            let element = self.program.library.as_deref().and_then(|library| library.java(object.class).element);
            map.insert("length".into(), json!(elements.len()));
            let shown = elements.iter().take(MAX_ELEMENTS).map(|value| self.value(*value, element));
            map.insert("elements".into(), shown.collect());
            return Value::Object(map);
        }
        let fields = object.fields.iter().map(|(field, value)| {
            (self.field_name(object.class, *field), self.value(*value, Some(self.program.field(*field).ty)))
        });
        map.insert("fields".into(), Value::Object(fields.collect()));
        Value::Object(map)
    }

    /// One naming: `P$A`, with the package before it and `[]` after arrays.
    fn class_name(&self, class: ClassId) -> String {
        class_name(self.program, class)
    }

    /// A field that a class above declares has that class before it.
    fn field_name(&self, class: ClassId, field: FieldId) -> String {
        let declared = self.program.field(field);
        match declared.class == class {
            true => declared.name.clone(),
            false => format!("{}.{}", self.class_name(declared.class), declared.name),
        }
    }
}

/// So many elements of an array are written.
const MAX_ELEMENTS: usize = 256;

fn name(index: usize) -> String {
    format!("o{}", index + 1)
}

fn class_name(program: &Program, class: ClassId) -> String {
    let Some(library) = program.library.as_deref() else { return program.class(class).name.clone() };
    let internal = library.internal_name(class);
    let element = internal.trim_start_matches('[');
    if element.len() == internal.len() {
        return internal.replace('/', ".");
    }
    let name = match element.strip_prefix('L').and_then(|name| name.strip_suffix(';')) {
        Some(name) => name.replace('/', "."),
        None => lazuli_program::bytecode::descriptor::readable_type(element),
    };
    name + &"[]".repeat(internal.len() - element.len())
}

/// A value that is no object. Numbers that JSON's readers would round are strings, with their type.
fn typed(value: Concrete, ty: Option<Type>) -> Value {
    match (value, ty) {
        (Concrete::Bool(value), _) => json!(value),
        (Concrete::Int(value), Some(Type::Bool)) => json!(value != 0),
        (Concrete::Int(value), Some(Type::Char)) => text("char", &[value as u16]),
        (Concrete::Int(value), _) if value.unsigned_abs() <= 1 << 53 => json!(value as i64),
        (Concrete::Int(value), Some(Type::Long)) => json!({ "long": value.to_string() }),
        (Concrete::Int(value), _) => json!({ "int": value.to_string() }),
        (Concrete::Float(bits), _) => float(f32::from_bits(bits).into(), "float"),
        (Concrete::Double(bits), _) => float(f64::from_bits(bits), "double"),
        (Concrete::Null, _) => Value::Null,
        (Concrete::Object(index), _) => json!({ "ref": name(index) }),
    }
}

/// A text by its characters; one that is not Unicode by its units.
fn text(kind: &str, units: &[u16]) -> Value {
    match String::from_utf16(units) {
        Ok(text) => json!({ kind: text }),
        Err(_) => json!({ "units": units }),
    }
}

/// JSON has no NaN and no infinities, and no sign of zero that all readers keep.
fn float(value: f64, ty: &str) -> Value {
    if value.is_finite() && !(value == 0.0 && value.is_sign_negative()) {
        return json!(value);
    }
    let text = match value {
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        value if value.is_nan() => "NaN".into(),
        value => format!("{value:?}"),
    };
    json!({ ty: text })
}
