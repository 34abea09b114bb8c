//! Our decoding against the JDK's own disassembler: the same instructions at the same bytes, with the same jumps.

use std::process::Command;

use lazuli_program::bytecode::code::{Arith, Code, Compare, Cond, Element, Invoke, Kind, Narrow, Op};
use lazuli_program::bytecode::pool::Constant;

use crate::bytecode::open;

const CLASSES: [&str; 9] = [
    "java.lang.String",
    "java.lang.Math",
    "java.lang.StrictMath",
    "java.lang.Double",
    "java.lang.Character",
    "java.util.TreeMap",
    "java.util.Formatter",
    "java.util.Arrays",
    "java.lang.FdLibm",
];

#[test]
fn agrees_with_javap() {
    let classes = open("jdk");
    let javap = classes.jdk().home.join("bin/javap");
    let output = Command::new(javap).args(["-c", "-p", "--module", "java.base"]).args(CLASSES).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut bodies = text.split("    Code:\n").skip(1);
    let mut compared = 0;
    for name in CLASSES {
        let class = classes.require(&name.replace('.', "/")).unwrap();
        for method in class.methods.iter().filter(|m| m.has_code()) {
            let code = method.code().unwrap().unwrap();
            let lines = bodies.next().expect("javap shows the methods in the order of the class file").lines();
            let theirs: Vec<String> = instructions(lines);
            let ours: Vec<String> = (0..code.ops.len()).map(|i| instruction(code, i)).collect();
            assert_eq!(ours, theirs, "{name}.{}{}", method.name, method.descriptor);
            compared += ours.len();
        }
    }
    println!("{compared} instructions compared");
    assert!(bodies.next().is_none() && compared > 15_000);
}

/// From javap's lines: place, name without what the operand says again, and the places that it may jump to.
fn instructions<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_switch = false;
    for line in lines {
        let trimmed = line.trim();
        if in_switch {
            in_switch = trimmed != "}";
            if let Some((case, target)) = trimmed.split_once(": ") {
                found.last_mut().unwrap().push_str(&format!(" {case}:{target}"));
            }
            continue;
        }
        let Some((place, rest)) = trimmed.split_once(": ") else { break };
        if place.parse::<u16>().is_err() {
            break;
        }
        let mut words = rest.split_whitespace();
        let name = words.next().unwrap();
        in_switch = name.ends_with("switch");
        let is_jump = name.starts_with("if") || name.starts_with("goto");
        let target = if is_jump { format!(" {}", words.next().unwrap()) } else { String::new() };
        found.push(format!("{place} {}{target}", general_name(name)));
    }
    found
}

/// `iload` for `iload_1`, `const` for everything that pushes a constant.
fn general_name(name: &str) -> &str {
    match name {
        "bipush" | "sipush" | "ldc" | "ldc_w" | "ldc2_w" | "aconst_null" => "const",
        "goto_w" => "goto",
        "tableswitch" | "lookupswitch" => "switch",
        _ if name.contains("const_") => "const",
        _ if name.contains("load_") || name.contains("store_") => &name[..name.len() - 2],
        _ if name.ends_with("_w") => &name[..name.len() - 2],
        _ => name,
    }
}

fn instruction(code: &Code, index: usize) -> String {
    let at = |target: &u32| code.offsets[*target as usize];
    let text = match &code.ops[index] {
        Op::IfZero(_, target) | Op::IfInt(_, target) | Op::IfRef(_, target) | Op::IfNull(_, target) => {
            format!("{} {}", name(&code.ops[index]), at(target))
        }
        Op::Goto(target) => format!("goto {}", at(target)),
        Op::Switch { default, cases } => {
            let cases: String = cases.iter().map(|(value, target)| format!(" {value}:{}", at(target))).collect();
            format!("switch{cases} default:{}", at(default))
        }
        op => name(op),
    };
    format!("{} {text}", code.offsets[index])
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Int => 'i',
        Kind::Long => 'l',
        Kind::Float => 'f',
        Kind::Double => 'd',
        Kind::Ref => 'a',
    }
}

fn element(element: Element) -> char {
    match element {
        Element::Int => 'i',
        Element::Long => 'l',
        Element::Float => 'f',
        Element::Double => 'd',
        Element::Ref => 'a',
        Element::ByteOrBoolean => 'b',
        Element::Char => 'c',
        Element::Short => 's',
    }
}

fn condition(condition: Cond) -> &'static str {
    match condition {
        Cond::Eq => "eq",
        Cond::Ne => "ne",
        Cond::Lt => "lt",
        Cond::Ge => "ge",
        Cond::Gt => "gt",
        Cond::Le => "le",
    }
}

fn arithmetic(operation: Arith) -> &'static str {
    match operation {
        Arith::Add => "add",
        Arith::Sub => "sub",
        Arith::Mul => "mul",
        Arith::Div => "div",
        Arith::Rem => "rem",
        Arith::Shl => "shl",
        Arith::Shr => "shr",
        Arith::Ushr => "ushr",
        Arith::And => "and",
        Arith::Or => "or",
        Arith::Xor => "xor",
    }
}

fn name(op: &Op) -> String {
    match op {
        Op::Nop => "nop".into(),
        Op::Const(Constant::Dynamic(_)) => panic!("none of the classes has dynamic constants"),
        Op::Const(_) => "const".into(),
        Op::Load(kind, _) => format!("{}load", letter(*kind)),
        Op::Store(kind, _) => format!("{}store", letter(*kind)),
        Op::ArrayLoad(kind) => format!("{}aload", element(*kind)),
        Op::ArrayStore(kind) => format!("{}astore", element(*kind)),
        Op::Pop => "pop".into(),
        Op::Pop2 => "pop2".into(),
        Op::Dup => "dup".into(),
        Op::DupX1 => "dup_x1".into(),
        Op::DupX2 => "dup_x2".into(),
        Op::Dup2 => "dup2".into(),
        Op::Dup2X1 => "dup2_x1".into(),
        Op::Dup2X2 => "dup2_x2".into(),
        Op::Swap => "swap".into(),
        Op::Arith(operation, kind) => format!("{}{}", letter(*kind), arithmetic(*operation)),
        Op::Neg(kind) => format!("{}neg", letter(*kind)),
        Op::Increment(..) => "iinc".into(),
        Op::Convert(from, to) => format!("{}2{}", letter(*from), letter(*to)),
        Op::Narrow(Narrow::Byte) => "i2b".into(),
        Op::Narrow(Narrow::Char) => "i2c".into(),
        Op::Narrow(Narrow::Short) => "i2s".into(),
        Op::Compare(Compare::Long) => "lcmp".into(),
        Op::Compare(Compare::Float { nan }) => if *nan < 0 { "fcmpl" } else { "fcmpg" }.into(),
        Op::Compare(Compare::Double { nan }) => if *nan < 0 { "dcmpl" } else { "dcmpg" }.into(),
        Op::IfZero(cond, _) => format!("if{}", condition(*cond)),
        Op::IfInt(cond, _) => format!("if_icmp{}", condition(*cond)),
        Op::IfRef(same, _) => if *same { "if_acmpeq" } else { "if_acmpne" }.into(),
        Op::IfNull(null, _) => if *null { "ifnull" } else { "ifnonnull" }.into(),
        Op::Return(None) => "return".into(),
        Op::Return(Some(kind)) => format!("{}return", letter(*kind)),
        Op::GetStatic(_) => "getstatic".into(),
        Op::PutStatic(_) => "putstatic".into(),
        Op::GetField(_) => "getfield".into(),
        Op::PutField(_) => "putfield".into(),
        Op::Invoke(Invoke::Virtual, _) => "invokevirtual".into(),
        Op::Invoke(Invoke::Special, _) => "invokespecial".into(),
        Op::Invoke(Invoke::Static, _) => "invokestatic".into(),
        Op::Invoke(Invoke::Interface, _) => "invokeinterface".into(),
        Op::InvokeDynamic(_) => "invokedynamic".into(),
        Op::New(_) => "new".into(),
        Op::NewArray(_) => "newarray".into(),
        Op::NewRefArray(_) => "anewarray".into(),
        Op::NewMultiArray(..) => "multianewarray".into(),
        Op::ArrayLength => "arraylength".into(),
        Op::Throw => "athrow".into(),
        Op::CheckCast(_) => "checkcast".into(),
        Op::InstanceOf(_) => "instanceof".into(),
        Op::MonitorEnter => "monitorenter".into(),
        Op::MonitorExit => "monitorexit".into(),
        Op::Goto(_) | Op::Switch { .. } | Op::Jsr(_) | Op::Ret(_) => panic!("not by its name alone"),
    }
}
