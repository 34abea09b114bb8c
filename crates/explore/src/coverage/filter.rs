//! What the compiler wrote and JaCoCo does not count: the rules of its filters that are plain to see in the bytecode.
//!
//! Not among them are those for `finally`, for `try` with resources and for `switch` over strings: there the compiler's copies and checks are
//! counted here. `docs/coverage.md` has the list.

use std::collections::BTreeSet;

use lazuli_program::bytecode::annotations::On;
use lazuli_program::bytecode::classfile::{ClassFile, Method};
use lazuli_program::bytecode::code::{Code, Invoke, Kind, Op};

/// Whether a class is counted at all.
pub fn is_counted(class: &ClassFile) -> bool {
    !class.access.is_synthetic() && !class.access.is_module()
}

/// The instructions of a method that are not counted; `None` if none of them is.
pub fn ignored(class: &ClassFile, method: &Method, code: &Code) -> Option<BTreeSet<u32>> {
    let is_lambda = method.name.starts_with("lambda$");
    if method.access.is_synthetic() && !is_lambda || method.access.is_bridge() {
        return None;
    }
    if is_of_enum(class, method) || is_empty_constructor(class, method, code) || is_of_record(class, method, code) {
        return None;
    }
    if method.annotations().iter().any(|a| a.on == On::Method && a.simple_name.contains("Generated")) {
        return None;
    }
    Some(unlocking(code))
}

/// `values` and `valueOf` of an enum.
fn is_of_enum(class: &ClassFile, method: &Method) -> bool {
    let is_values = &*method.name == "values" && method.descriptor.starts_with("()[");
    let is_value_of = &*method.name == "valueOf" && method.descriptor.starts_with("(Ljava/lang/String;)");
    class.access.is_enum() && (is_values || is_value_of)
}

/// A private constructor that does nothing: nobody is to make objects of the class. Of an enum every constructor is private.
fn is_empty_constructor(class: &ClassFile, method: &Method, code: &Code) -> bool {
    let descriptor = if class.access.is_enum() { "(Ljava/lang/String;I)V" } else { "()V" };
    let calls = |op: &Op| matches!(op, Op::Invoke(Invoke::Special, above) if &*above.name == "<init>");
    let is_empty = match (&code.ops[..], class.access.is_enum()) {
        ([Op::Load(Kind::Ref, 0), call, Op::Return(None)], false) => calls(call),
        ([Op::Load(Kind::Ref, 0), Op::Load(..), Op::Load(..), call, Op::Return(None)], true) => calls(call),
        _ => false,
    };
    method.access.is_private() && &*method.name == "<init>" && &*method.descriptor == descriptor && is_empty
}

/// `toString`, `hashCode` and `equals` of a record that does not write them itself.
fn is_of_record(class: &ClassFile, method: &Method, code: &Code) -> bool {
    let is_one = matches!(&*method.name, "toString" | "hashCode" | "equals");
    let is_dynamic = code.ops.iter().any(|op| matches!(op, Op::InvokeDynamic(_)));
    class.record.is_some() && is_one && is_dynamic && code.ops.len() <= 4
}

/// Where `synchronized` unlocks after an exception: a handler of everything that protects itself.
fn unlocking(code: &Code) -> BTreeSet<u32> {
    let own = code.handlers.iter().filter(|handler| {
        let itself = handler.start == handler.handler;
        let is_unlocking = |op: &Op| matches!(op, Op::MonitorExit);
        let end = handler.end.min(code.ops.len() as u32);
        itself && handler.catch.is_none() && code.ops[handler.start as usize..end as usize].iter().any(is_unlocking)
    });
    let block = |start: u32| {
        let rest = (start..code.ops.len() as u32).take_while(|op| !matches!(code.ops[*op as usize], Op::Throw));
        let end = rest.last().map_or(start, |last| last + 1);
        start..=end
    };
    own.flat_map(|handler| block(handler.handler)).collect()
}
