//! The calls as Java: one static method a call, on one line, so that what the compiler says can be led back to it.

use std::fmt::Write;

use lazuli_program::bytecode::descriptor;

use super::members::Member;
use super::values::{Values, java_name, java_type};

/// A call, as it is written.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method that is called, with class and descriptor.
    pub method: String,
    /// The statements: at their end the text of what the call gave is returned.
    pub body: String,
}

/// So many calls are one class.
const CALLS_A_CLASS: usize = 100;

impl Call {
    /// `None` where no arguments or no receiver were found.
    pub fn of(member: &Member, values: &mut Values) -> Option<Call> {
        let ty = descriptor::method(&member.descriptor)?;
        let mut body = String::new();
        let mut declare = |values: &mut Values, name: &str, ty: &str| {
            let value = values.of(ty)?;
            write!(body, "{} {name} = {value}; ", java_type(ty)).expect("writing to a string");
            Some(())
        };
        if !member.is_static {
            declare(values, "receiver", &format!("L{};", member.class))?;
        }
        let names: Vec<String> = (0..ty.parameters.len()).map(|number| format!("a{number}")).collect();
        for (name, ty) in names.iter().zip(&ty.parameters) {
            declare(values, name, ty)?;
        }
        let on = if member.is_static { java_name(&member.class) } else { "receiver".into() };
        let call = format!("{on}.{}({})", member.name, names.join(", "));
        match ty.result {
            // What it did is seen in what it was given.
            "V" => {
                let receiver = (!member.is_static).then_some("receiver".to_string());
                let is_object = |ty: &str| ty.starts_with(['L', '[']);
                let objects =
                    names.into_iter().zip(&ty.parameters).filter(|(_, ty)| is_object(ty)).map(|(name, _)| name);
                let shown = receiver.into_iter().chain(objects).map(|name| format!(" + Show.show({name})"));
                write!(body, "{call}; return \"void\"{};", shown.collect::<String>()).expect("writing to a string");
            }
            _ => write!(body, "return Show.show({call});").expect("writing to a string"),
        }
        Some(Call { method: format!("{}.{}{}", member.class, member.name, member.descriptor), body })
    }
}

/// The name of the method that a call becomes, as `CLASS.METHOD`.
pub fn name(number: usize) -> String {
    format!("lazuli.audit.Calls{}.call{number}", number / CALLS_A_CLASS)
}

/// The sources, by file name; the number of a call is its place.
pub fn write(calls: &[Option<Call>]) -> Vec<(String, String)> {
    let chunks = calls.chunks(CALLS_A_CLASS).enumerate();
    let source = |(chunk, calls): (usize, &[Option<Call>])| {
        let mut text = format!("package lazuli.audit; public class Calls{chunk} {{\n");
        for (at, call) in calls.iter().enumerate() {
            match call {
                Some(call) => {
                    let name = format!("call{}", chunk * CALLS_A_CLASS + at);
                    writeln!(text, "public static String {name}() throws Throwable {{ {} }}", call.body)
                }
                None => writeln!(text),
            }
            .expect("writing to a string");
        }
        (format!("Calls{chunk}.java"), text + "}\n")
    };
    chunks.map(source).collect()
}

/// The call that stands in a line of a source, from 1.
pub fn call_at(chunk: usize, line: usize) -> Option<usize> {
    (2..CALLS_A_CLASS + 2).contains(&line).then(|| chunk * CALLS_A_CLASS + line - 2)
}
