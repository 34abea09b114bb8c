//! What annotations of a method say of its inputs and of what it leaves behind: the names of methods that are true of them.

use lazuli_program::bytecode::annotations::{Annotation, On};
use lazuli_program::frontend::java::EntryPoint;

/// The method that `@Requires("method")` names, whoever's annotation it is: of the same class, unless it names one.
pub fn required(entry: &EntryPoint) -> Result<Option<String>, String> {
    named(entry, "Requires")
}

/// The method that `@Ensures("method")` names, likewise.
pub fn ensured(entry: &EntryPoint) -> Result<Option<String>, String> {
    named(entry, "Ensures")
}

fn named(entry: &EntryPoint, annotation: &str) -> Result<Option<String>, String> {
    let annotations = entry.method().annotations();
    let is_contract = |found: &&Annotation| found.on == On::Method && found.simple_name == annotation;
    let Some(found) = annotations.iter().find(is_contract) else { return Ok(None) };
    match &found.value[..] {
        [named] if named.contains('.') => Ok(Some(named.clone())),
        [named] => Ok(Some(format!("{}.{named}", entry.class.name.replace('/', ".")))),
        [] => Err(format!("@{annotation} names no method")),
        _ => Err(format!("@{annotation} names several methods: one is wanted, which may call the others")),
    }
}
