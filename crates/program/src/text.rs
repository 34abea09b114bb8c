//! The IR as text: what `lazuli ir` prints.

use std::fmt::Write;

use crate::ir::*;

impl Program {
    pub fn show_type(&self, ty: Type) -> &str {
        match ty {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Ref(class) => &self.class(class).name,
        }
    }

    pub fn show_field(&self, field: FieldId) -> String {
        let field = self.field(field);
        format!("{}.{}", self.class(field.class).name, field.name)
    }
}

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
        let (line, _) = method.places[at].line_column(&program.sources);
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

/// One instruction.
pub fn show_instr(program: &Program, method: &Method, instr: &Instr) -> String {
    let r = |register: &Reg| show_register(method, *register);
    match instr {
        Instr::Const { dst, value } => match value {
            Const::Int(value) => format!("{} = {value}", r(dst)),
            Const::Bool(value) => format!("{} = {value}", r(dst)),
            Const::Null => format!("{} = null", r(dst)),
        },
        Instr::Input { dst, input } => format!("{} = input {}", r(dst), program.inputs[input.index()].name),
        Instr::Load { register } => format!("load {}", r(register)),
        Instr::Move { dst, src } => format!("{} = {}", r(dst), r(src)),
        Instr::Binary { dst, op, lhs, rhs } => {
            let sign = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Lt => "<",
                BinaryOp::Eq => "=",
                BinaryOp::And => "&&",
                BinaryOp::Or => "||",
            };
            format!("{} = {} {sign} {}", r(dst), r(lhs), r(rhs))
        }
        Instr::Not { dst, src } => format!("{} = ~{}", r(dst), r(src)),
        Instr::RefEq { dst, lhs, rhs } => format!("{} = {} == {}", r(dst), r(lhs), r(rhs)),
        Instr::InstanceOf { dst, src, class } => {
            format!("{} = {} instanceof {}", r(dst), r(src), program.class(*class).name)
        }
        Instr::Cast { dst, src, class } => format!("{} = ({}) {}", r(dst), program.class(*class).name, r(src)),
        Instr::New { dst, class } => format!("{} = new {}", r(dst), program.class(*class).name),
        Instr::GetField { dst, object, field } => {
            format!("{} = {}.{}", r(dst), r(object), program.show_field(*field))
        }
        Instr::PutField { object, field, value } => {
            format!("{}.{} := {}", r(object), program.show_field(*field), r(value))
        }
        Instr::Call { dst, receiver, selector, args } => {
            let args: Vec<String> = args.iter().map(r).collect();
            let name = &program.selectors[selector.index()].0;
            format!("{} = {}.{name}[{}]", r(dst), r(receiver), args.join(", "))
        }
        Instr::Jump { target } => format!("jump {target}"),
        Instr::Branch { condition, then, otherwise } => format!("if {} then {then} else {otherwise}", r(condition)),
        Instr::Return { value } => format!("return {}", r(value)),
        Instr::Throw { exception } => format!("throw {exception}"),
        Instr::Assert { condition } => format!("assert {}", r(condition)),
    }
}
