//! The IR as text: what `lazuli ir` prints.

use std::fmt::Write;

use crate::ir::*;
use crate::program::Program;

/// The whole program.
pub fn show(program: &Program) -> String {
    let mut out = String::new();
    show_into(program, &mut out).expect("writing to a string");
    out
}

fn show_into(program: &Program, out: &mut String) -> std::fmt::Result {
    for input in &program.inputs {
        writeln!(out, "input {}: {}", input.name, program.show_type(input.ty))?;
    }
    for (number, class) in program.classes.iter().enumerate() {
        let superclass = class.superclass.map(|c| format!(" extends {}", program.class(c).name)).unwrap_or_default();
        writeln!(out, "\nclass {}{superclass}  // number {number}, subclasses to {}", class.name, class.last.0)?;
        for &id in &class.layout {
            let field = program.field(id);
            if field.class.index() == number {
                writeln!(out, "  {} {}", program.show_type(field.ty), field.name)?;
            }
        }
    }
    if let (Some(_), Some(entry)) = (&program.library, program.main) {
        // Of Java, whose classes are loaded when they are needed, the entry.
        show_method(program, entry, out)?;
    }
    for index in 0..program.methods.len() {
        show_method(program, MethodId(index as u32), out)?;
    }
    Ok(())
}

fn show_method(program: &Program, id: MethodId, out: &mut String) -> std::fmt::Result {
    let method = program.method(id);
    let parameters: Vec<String> = (0..method.parameters)
        .map(|i| format!("{} {}", program.show_type(method.registers[i].ty), show_register(method, Reg(i as u32))))
        .collect();
    let result = program.show_type(method.result);
    writeln!(out, "\n{result} {}({})", program.method_name(id), parameters.join(", "))?;
    let mut last_line = 0;
    for (at, instr) in method.code.iter().enumerate() {
        let (_, line, _) = program.place(id, at);
        let note = if line != last_line { format!("  // line {line}") } else { String::new() };
        last_line = line;
        writeln!(out, "  {at:4}  {}{note}", show_instr(program, method, instr))?;
    }
    Ok(())
}

fn show_register(method: &Method, register: Reg) -> String {
    let name = &method.registers[register.index()].name;
    if name.is_empty() { format!("%{}", register.0) } else { format!("{name}%{}", register.0) }
}

fn show_operand(method: &Method, operand: &Operand) -> String {
    match operand {
        Operand::Reg(register) => show_register(method, *register),
        Operand::Int(value) => value.to_string(),
    }
}

/// What stands between the operands: a sign where there is one in the tiny languages, a name otherwise.
fn sign(kind: Kind, op: BinaryOp) -> String {
    let sign = match (kind, op) {
        (Kind::Int, BinaryOp::Add) => "+",
        (Kind::Int, BinaryOp::Sub) => "-",
        (_, BinaryOp::Lt) => "<",
        (_, BinaryOp::Eq) => "=",
        (Kind::Bool, BinaryOp::And) => "&&",
        (Kind::Bool, BinaryOp::Or) => "||",
        _ => return format!("{}.{}", name(&kind), name(&op)),
    };
    sign.into()
}

/// One instruction.
pub fn show_instr(program: &Program, method: &Method, instr: &Instr) -> String {
    let r = |register: &Reg| show_register(method, *register);
    let o = |operand: &Operand| show_operand(method, operand);
    match instr {
        Instr::Const { dst, value } => match value {
            Const::Int(value) => format!("{} = {value}", r(dst)),
            Const::Bool(value) => format!("{} = {value}", r(dst)),
            Const::Null => format!("{} = null", r(dst)),
            Const::Long(value) => format!("{} = {value}L", r(dst)),
            Const::Float(bits) => format!("{} = {:?}f", r(dst), f32::from_bits(*bits)),
            Const::Double(bits) => format!("{} = {:?}", r(dst), f64::from_bits(*bits)),
            Const::Str(text) => format!("{} = {:?}", r(dst), program.constant_text(*text)),
            Const::Class(class) => format!("{} = {}.class", r(dst), program.class(*class).name),
        },
        Instr::Input { dst, input } => format!("{} = input {}", r(dst), program.inputs[input.index()].name),
        Instr::Load { register } => format!("load {}", r(register)),
        Instr::Move { dst, src } => format!("{} = {}", r(dst), r(src)),
        Instr::Binary { dst, kind, op, lhs, rhs } => format!("{} = {} {} {}", r(dst), r(lhs), sign(*kind, *op), o(rhs)),
        Instr::Unary { dst, op, src } => match op {
            UnaryOp::Not => format!("{} = ~{}", r(dst), r(src)),
            UnaryOp::Neg(_) => format!("{} = -{}", r(dst), r(src)),
            UnaryOp::Convert { from, to } => format!("{} = {} from {} to {}", r(dst), r(src), name(from), name(to)),
            UnaryOp::Narrow(ty) => format!("{} = {} narrowed to {}", r(dst), r(src), program.show_type(*ty)),
            UnaryOp::Widen(ty) => format!("{} = {} widened from {}", r(dst), r(src), program.show_type(*ty)),
        },
        Instr::RefEq { dst, lhs, rhs } => format!("{} = {} == {}", r(dst), r(lhs), r(rhs)),
        Instr::InstanceOf { dst, src, class } => {
            format!("{} = {} instanceof {}", r(dst), r(src), program.class(*class).name)
        }
        Instr::IsResolved { dst, object, field } => {
            format!("{} = isResolved({}, {})", r(dst), r(object), program.show_field(*field))
        }
        Instr::Cast { dst, src, class } => format!("{} = ({}) {}", r(dst), program.class(*class).name, r(src)),
        Instr::New { dst, class } => format!("{} = new {}", r(dst), program.class(*class).name),
        Instr::GetField { dst, object, field } => {
            format!("{} = {}.{}", r(dst), r(object), program.show_field(*field))
        }
        Instr::PutField { object, field, value } => {
            format!("{}.{} := {}", r(object), program.show_field(*field), r(value))
        }
        Instr::Call { dst, callee, args } => {
            let args: Vec<String> = args.iter().map(r).collect();
            match (callee, args.as_slice()) {
                (Callee::Virtual(_, selector), [receiver, args @ ..]) => {
                    format!("{} = {receiver}.{}[{}]", r(dst), program.selector_text(*selector), args.join(", "))
                }
                (Callee::Exactly(method) | Callee::Message(method), args) => {
                    format!("{} = {}({})", r(dst), program.method_name(*method), args.join(", "))
                }
                (Callee::Virtual(..), []) => unreachable!("a virtual call has a receiver"),
            }
        }
        Instr::Jump { target } => format!("jump {target}"),
        Instr::Branch { condition, then, otherwise } => {
            let condition = match condition {
                Condition::Holds(register) => r(register),
                Condition::Compare(test, lhs, rhs) => format!("{} {} {}", r(lhs), name(test), o(rhs)),
            };
            format!("if {condition} then {then} else {otherwise}")
        }
        Instr::Return { value: Some(value) } => format!("return {}", r(value)),
        Instr::Return { value: None } => "return".into(),
        Instr::Throw { exception: Exception::Named(exception) } => format!("throw {exception}"),
        Instr::Throw { exception: Exception::New(exception) } => format!("throw new {exception}"),
        Instr::Throw { exception: Exception::Contract } => "the postcondition does not hold".into(),
        Instr::Throw { exception: Exception::Object(object) } => format!("throw {}", r(object)),
        Instr::Assert { condition } => format!("assert {}", r(condition)),
        Instr::Reach { place } => format!("reach {place}"),
        java => show_java(program, method, java),
    }
}

/// One of the instructions that only Java has.
fn show_java(program: &Program, method: &Method, instr: &Instr) -> String {
    let r = |register: &Reg| show_register(method, *register);
    let o = |operand: &Operand| show_operand(method, operand);
    let list = |args: &[Reg]| args.iter().map(r).collect::<Vec<String>>().join(", ");
    let class = |class: &ClassId| program.class(*class).name.as_str();
    match instr {
        Instr::Compare { dst, kind, lhs, rhs, nan } => {
            format!("{} = compare {} {}, {}, NaN {nan}", r(dst), name(kind), r(lhs), r(rhs))
        }
        Instr::Switch { value, table, default } => {
            let cases: Vec<String> = table.iter().map(|(key, target)| format!("{key}: {target}")).collect();
            format!("switch {} {{ {}, else: {default} }}", r(value), cases.join(", "))
        }
        Instr::NewArray { dst, class: array, length } => format!("{} = new {} of {}", r(dst), class(array), r(length)),
        Instr::NewArrays { dst, class: array, lengths } => {
            format!("{} = new {} of {}", r(dst), class(array), list(lengths))
        }
        Instr::CheckIndex { index, length } => format!("check index {} of {}", o(index), r(length)),
        Instr::CheckStore { array, value } => format!("check that {} may hold {}", r(array), r(value)),
        Instr::CheckNull { object } => format!("check that {} is not null", r(object)),
        Instr::ArrayLoad { dst, array, index, .. } => format!("{} = {}[{}]", r(dst), r(array), o(index)),
        Instr::ArrayStore { array, index, value, .. } => format!("{}[{}] := {}", r(array), o(index), r(value)),
        Instr::GetStatic { dst, field } => format!("{} = {}", r(dst), program.show_field(*field)),
        Instr::PutStatic { field, value } => format!("{} := {}", program.show_field(*field), r(value)),
        Instr::InitClass { class: of } => format!("initialise {}", class(of)),
        Instr::Native { dst, method } => format!("{} = native {}", r(dst), program.method_name(*method)),
        Instr::Monitor { object, enter: true } => format!("enter {}", r(object)),
        Instr::Monitor { object, enter: false } => format!("leave {}", r(object)),
        Instr::Unsupported { what } => format!("unsupported: {what}"),
        other => unreachable!("{other:?} is not only Java's"),
    }
}

/// The name of an operation or a kind, in small letters.
fn name(thing: &impl std::fmt::Debug) -> String {
    format!("{thing:?}").to_lowercase()
}
