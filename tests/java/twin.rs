//! Programs of the tiny language, printed as Java: the same instructions in the same order, behind the same names.
//!
//! A method's code is a `switch` in a loop, one case for every instruction that is jumped to, so that nothing has to be structured
//! again. Where it goes on is a constant on every path.

use std::collections::{BTreeSet, HashMap};

use lazuli_program::Program;
use lazuli_program::ir::{BinaryOp, Callee, ClassId, Condition, Const, Instr, Method, Operand, Reg, Type, UnaryOp};

/// A class's name in a twin: names are told apart by the twin's number, so that many twins are compiled together.
pub fn class_name(number: u64, name: &str) -> String {
    format!("T{number}{name}")
}

/// An invariant's text with the classes' names of a twin.
pub fn rename(program: &Program, number: u64, text: &str) -> String {
    let word_and_more = text.split_inclusive(|c: char| !c.is_alphanumeric());
    let renamed =
        word_and_more.map(|piece| match program.class_named(piece.trim_end_matches(|c: char| !c.is_alphanumeric())) {
            Some(_) => class_name(number, piece),
            None => piece.into(),
        });
    renamed.collect()
}

/// The twin's source.
pub fn print(program: &Program, number: u64) -> String {
    let mut text = String::new();
    for (id, class) in program.classes.iter().enumerate() {
        let above = class.superclass.map(|above| format!(" extends {}", named(program, number, above)));
        let name = class_name(number, &class.name);
        text += &format!("class {name}{} {{\n", above.unwrap_or_default());
        for field in program.fields.iter().filter(|field| field.class.index() == id) {
            text += &format!("  {} {};\n", show_type(program, number, field.ty), field.name);
        }
        for method in program.methods.iter().filter(|method| method.class.is_some_and(|class| class.index() == id)) {
            Body { program, number, method, held: HashMap::new() }.print(&mut text);
        }
        text.push_str("}\n");
    }
    let method = program.method(program.main.expect("a main expression"));
    text += &format!("class {} {{\n", class_name(number, "Main"));
    Body { program, number, method, held: HashMap::new() }.print(&mut text);
    text + "}\n"
}

fn named(program: &Program, number: u64, class: ClassId) -> String {
    class_name(number, &program.class(class).name)
}

fn show_type(program: &Program, number: u64, ty: Type) -> String {
    match ty {
        Type::Bool => "boolean".into(),
        Type::Ref(class) => named(program, number, class),
        _ => "int".into(),
    }
}

struct Body<'p> {
    program: &'p Program,
    number: u64,
    method: &'p Method,
    /// What a register holds, if it is no variable of the twin: an input, or what was computed just before it is used. A condition
    /// is no value there: its branch takes place where it is written.
    held: HashMap<Reg, String>,
}

impl Body<'_> {
    fn print(mut self, text: &mut String) {
        let (method, program) = (self.method, self.program);
        let ty = |ty| show_type(program, self.number, ty);
        let registers = method.registers.iter().enumerate();
        let (parameters, locals): (Vec<_>, Vec<_>) = registers.partition(|(at, _)| *at < method.parameters);
        let mut head: Vec<String> =
            parameters.iter().skip(1).map(|(at, register)| format!("{} r{at}", ty(register.ty))).collect();
        let (modifier, name) = if method.class.is_some() { ("", &*method.name) } else { ("static ", "run") };
        if method.class.is_none() {
            head = program.inputs.iter().map(|input| format!("{} {}", ty(input.ty), input.name)).collect();
        }
        let mut line = |what: String| *text += &format!("  {what}\n");
        line(format!("{modifier}{} {name}({}) {{", ty(method.result), head.join(", ")));
        for (at, register) in locals {
            let default = if register.ty == Type::Bool {
                "false"
            } else if register.ty.is_ref() {
                "null"
            } else {
                "0"
            };
            line(format!("  {} r{at} = {default};", ty(register.ty)));
        }
        line("  int at = 0;\n    for (;;) switch (at) {\n    case 0:".into());
        let targets: BTreeSet<u32> = method.code.iter().flat_map(Instr::targets).collect();
        let mut open = true;
        for (at, instr) in method.code.iter().enumerate() {
            if at > 0 && targets.contains(&(at as u32)) {
                self.held.retain(|_, what| program.inputs.iter().any(|input| input.name == *what));
                line(format!("  case {at}:"));
                open = true;
            }
            if open {
                line(format!("    {}", self.instr(instr)));
            }
            open &= instr.falls_through();
        }
        line("  default: throw new IllegalStateException();\n    }\n  }".into());
    }

    fn value(&self, register: Reg) -> String {
        match self.held.get(&register) {
            Some(what) => what.clone(),
            None if register == Reg(0) && self.method.class.is_some() => "this".into(),
            None => format!("r{}", register.0),
        }
    }

    fn set(&mut self, dst: Reg, what: String) -> String {
        self.held.remove(&dst);
        format!("r{} = {what};", dst.0)
    }

    fn hold(&mut self, dst: Reg, what: String) -> String {
        self.held.insert(dst, what);
        String::new()
    }

    fn instr(&mut self, instr: &Instr) -> String {
        let class = |class| named(self.program, self.number, class);
        let field = |field| &self.program.field(field).name;
        let value = |register: &Reg| self.value(*register);
        // Java refuses a question whose answer follows from the types; this one asks nothing at run time.
        let any = |register: &Reg| format!("(({}) {})", class(ClassId(0)), self.value(*register));
        match instr {
            Instr::Const { dst, value: Const::Null } => self.hold(*dst, "null".into()),
            Instr::Const { dst, value: Const::Int(constant) } => self.set(*dst, constant.to_string()),
            Instr::Const { dst, value: Const::Bool(constant) } => self.set(*dst, constant.to_string()),
            Instr::Input { dst, input } => {
                let input = &self.program.inputs[input.index()];
                if input.ty.is_ref() { self.hold(*dst, input.name.clone()) } else { self.set(*dst, input.name.clone()) }
            }
            // A parameter is loaded where it is read.
            Instr::Load { register } if self.held.contains_key(register) => {
                format!("r{} = {};", register.0, value(register))
            }
            Instr::Load { .. } => String::new(),
            Instr::Move { dst, src } => self.set(*dst, value(src)),
            Instr::Binary { dst, op, lhs, rhs: Operand::Reg(rhs), .. } => {
                let (lhs, rhs) = (value(lhs), value(rhs));
                match op {
                    BinaryOp::Add => self.set(*dst, format!("{lhs} + {rhs}")),
                    BinaryOp::Sub => self.set(*dst, format!("{lhs} - {rhs}")),
                    BinaryOp::Lt => self.hold(*dst, format!("({lhs} < {rhs})")),
                    BinaryOp::Eq => self.hold(*dst, format!("({lhs} == {rhs})")),
                    other => unreachable!("no random program has {other:?}"),
                }
            }
            Instr::Unary { dst, op: UnaryOp::Not, src } => self.hold(*dst, format!("!{}", value(src))),
            Instr::RefEq { dst, lhs, rhs } => self.hold(*dst, format!("({} == {})", any(lhs), any(rhs))),
            Instr::InstanceOf { dst, src, class: of } => {
                self.hold(*dst, format!("({} instanceof {})", any(src), class(*of)))
            }
            Instr::Cast { dst, src, class: to } => self.set(*dst, format!("({}) {}", class(*to), any(src))),
            Instr::New { dst, class: of } => self.set(*dst, format!("new {}()", class(*of))),
            Instr::GetField { dst, object, field: of } => self.set(*dst, format!("{}.{}", value(object), field(*of))),
            Instr::PutField { object, field: of, value: put } => {
                format!("{}.{} = {};", value(object), field(*of), value(put))
            }
            Instr::Call { dst, callee: Callee::Virtual(_, selector), args } => {
                let args: Vec<String> = args.iter().map(value).collect();
                let name = self.program.selector_text(*selector);
                self.set(*dst, format!("{}.{name}({})", args[0], args[1..].join(", ")))
            }
            Instr::Jump { target } => format!("at = {target}; continue;"),
            Instr::Branch { condition: Condition::Holds(condition), then, otherwise } => {
                format!("if ({}) at = {then}; else at = {otherwise}; continue;", value(condition))
            }
            Instr::Return { value: Some(result) } => format!("return {};", value(result)),
            other => unreachable!("no random program has {other:?}"),
        }
    }
}
