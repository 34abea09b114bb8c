//! What a method does, as a part of the name of a test.

use lazuli::{Concrete, Ending, Outcome, Trace, TraceFacts};
use lazuli_program::ir::Type;

use super::change::{Change, changed};
use super::name::{capitalised, phrase};
use crate::code::{Calling, scalar, simple_name};
use crate::report::values::Heap;

/// What the method does, as a part of a name.
pub fn effect(of: &Calling, trace: &Trace) -> String {
    let Some(facts) = trace.detail.as_deref() else { return "ends".into() };
    match &trace.outcome {
        Outcome::AssertFailed => "throwsAssertionError".into(),
        Outcome::PostFailed => "breaksItsPostcondition".into(),
        Outcome::Threw(class) => format!("throws{}", class.rsplit(['.', '/', '$']).next().unwrap_or(class)),
        Outcome::Endless { .. } => "doesNotEnd".into(),
        _ => returned(of, facts),
    }
}

fn returned(of: &Calling, facts: &TraceFacts) -> String {
    let (Some(ending), Some(witness)) = (&facts.ending, &facts.witness) else { return "returns".into() };
    let heap = Heap::new(of.program, &ending.objects);
    let fixed = |text: String| match facts.is_fixed {
        true => format!("returns{text}"),
        false => "returnsValue".into(),
    };
    match ending.value {
        _ if of.is_constructor() => "makesObject".into(),
        None => match changed(of.program, witness, ending).first() {
            Some(Change::Field { name, .. }) => format!("sets{}", capitalised(name)),
            Some(Change::Whole { .. }) => "changesItsInput".into(),
            None => "returns".into(),
        },
        Some(Concrete::Null) => "returnsNull".into(),
        Some(Concrete::Object(at))
            if at < witness.objects.len() && heap.text_of(at).is_none() && heap.boxed(at).is_none() =>
        {
            let is_this = witness.roots.iter().any(|(name, value)| name == "this" && *value == Concrete::Object(at));
            let root = witness.roots.iter().find(|(_, value)| *value == Concrete::Object(at));
            match root {
                Some(_) if is_this => "returnsItself".into(),
                Some((name, _)) => format!("returns{}", capitalised(name)),
                None => "returnsValue".into(),
            }
        }
        Some(Concrete::Object(at)) => match (heap.text_of(at), heap.boxed(at)) {
            (Some(units), _) if units.is_empty() => "returnsEmptyString".into(),
            (Some(units), _) => fixed(phrase(&String::from_utf16_lossy(&units)).chars().take(20).collect()),
            (_, Some((_, ty, value))) => fixed(phrase(&scalar(value, ty))),
            _ => match heap.constant(at) {
                Some(constant) => {
                    format!("returns{}", capitalised(constant.rsplit('.').next().unwrap_or_default()))
                }
                None => format!("returns{}", simple_name(class_name(of, ending, at))),
            },
        },
        Some(value) => {
            let ty = of.program.main.map_or(Type::Int, |main| of.program.method(main).result);
            let literal = scalar(value, ty);
            let negative = literal.strip_prefix('-').map(|number| format!("Minus{}", phrase(number)));
            fixed(negative.unwrap_or_else(|| phrase(literal.trim_end_matches('L'))))
        }
    }
}

fn class_name<'a>(of: &Calling<'a>, ending: &Ending, at: usize) -> &'a str {
    of.program.library.as_deref().map_or("Value", |library| library.internal_name(ending.objects[at].class))
}
