//! What an instruction of Java does, as its source says it: the condition of a branch, a call with its arguments, what is looked into.
//!
//! Expressions are put together from the bytecode of the block that the instruction stands in, with the names that the class file has for
//! locals. What comes from another block (a `? :` within an expression) is written `…`. This only serves readers: nothing depends on it.

use std::sync::Arc;

use crate::bytecode::ClassFile;
use crate::bytecode::code::{Arith, Code, Cond, Invoke, Kind, Narrow, Op};
use crate::bytecode::descriptor::{self, readable_class, readable_type};
use crate::bytecode::pool::{Constant, Dynamic, MemberRef};
use crate::escape;
use crate::frontend::java::operators::{ATOM, BITWISE, COMPARE, PRODUCT, SHIFT, SUM, UNARY, within};
use crate::ir::MethodId;
use crate::library::{Library, access};

/// What an instruction does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// A branch: what holds where the condition of the IR does, and where it does not.
    Test {
        holds: String,
        fails: String,
    },
    Switch {
        value: String,
    },
    /// A call, and what it is called on.
    Call {
        text: String,
        receiver: Option<String>,
        gives: Gives,
    },
    /// What must not be null.
    Access {
        object: String,
    },
    Element {
        array: String,
        index: String,
    },
    Length {
        length: String,
    },
    Divide {
        divisor: String,
    },
    Cast {
        value: String,
        class: String,
    },
    Other,
}

/// What a call gives, as far as it matters to a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    Nothing,
    Truth,
    Char,
    Other,
}

/// Longer arguments are left out.
const MAX_ARGUMENTS: usize = 40;
/// Longer expressions are cut off.
const MAX_TEXT: usize = 120;
/// How often a local without a name is followed to where it was set.
const MAX_FOLLOWED: usize = 3;

/// What the instruction of the IR does, if it comes from bytecode.
pub fn phrase(library: &Library, method: MethodId, pc: usize) -> Option<Phrase> {
    let op = *library.body(method).ops.get(pc)?;
    let (file, index) = library.method_in_file(library.declared(method))?;
    let code = file.methods[index].code().ok()??;
    let is_static = library.declared(method).is(access::STATIC);
    Some(Reader { file, code, is_static, library, method, followed: 0 }.phrase(op as usize))
}

/// An expression: its text, how tightly its outermost operator binds, and what it is.
#[derive(Clone)]
struct Text {
    text: String,
    strength: u8,
    is: Is,
}

#[derive(Clone)]
enum Is {
    Truth,
    Char,
    /// -1, 0 or 1, by comparing two others.
    Comparison(Box<(Text, Text)>),
    Constant(i64),
    Other,
}

impl Text {
    fn atom(text: impl Into<String>) -> Text {
        Text { text: cut(text.into()), strength: ATOM, is: Is::Other }
    }

    fn unknown() -> Text {
        Text::atom("…")
    }

    fn of(mut self, is: Is) -> Text {
        self.is = is;
        self
    }

    /// As an operand of an operator that binds so tightly.
    fn within(&self, strength: u8) -> String {
        within(&self.text, self.strength, strength)
    }

    /// As a value of a type, by its descriptor.
    fn typed(&self, descriptor: &str) -> String {
        match (&self.is, descriptor) {
            (Is::Constant(value), "Z") => (*value != 0).to_string(),
            (Is::Constant(value), "C") => char_literal(*value as u16),
            _ => self.text.clone(),
        }
    }
}

fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A character as Java writes it.
pub fn char_literal(unit: u16) -> String {
    match char::from_u32(unit.into()) {
        Some('\'') => "'\\''".into(),
        Some(c) => format!("'{}'", escaped_char(c)),
        None => format!("'\\u{unit:04x}'"),
    }
}

fn escaped_char(c: char) -> String {
    match c {
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        '\u{8}' => "\\b".into(),
        '\u{c}' => "\\f".into(),
        '\\' => "\\\\".into(),
        c => escape::line(c.encode_utf8(&mut [0; 4])).into_owned(),
    }
}

/// A string as Java writes it.
pub fn string_literal(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok('"') => text.push_str("\\\""),
            Ok(c) => text.push_str(&escaped_char(c)),
            Err(lone) => text.push_str(&format!("\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    text + "\""
}

/// A class's name without its package.
pub fn simple_name(internal: &str) -> String {
    let readable = if internal.starts_with('[') { readable_type(internal) } else { readable_class(internal) };
    let start = readable.rfind('.').map_or(0, |at| at + 1);
    readable[start..].to_string()
}

struct Reader<'a> {
    file: &'a Arc<ClassFile>,
    code: &'a Code,
    is_static: bool,
    library: &'a Library,
    method: MethodId,
    followed: usize,
}

impl Reader<'_> {
    fn phrase(&self, at: usize) -> Phrase {
        let mut stack = self.stack_before(at);
        let mut pop = || stack.pop().unwrap_or_else(Text::unknown);
        match &self.code.ops[at] {
            Op::IfZero(cond, _) => {
                let value = pop();
                let zero = Text::atom("0").of(Is::Constant(0));
                match value.is.clone() {
                    Is::Comparison(sides) => test(*cond, &sides.0, &sides.1),
                    Is::Truth => {
                        let negated = format!("!{}", value.within(UNARY));
                        let is_true = matches!(cond, Cond::Ne | Cond::Gt);
                        let (holds, fails) = if is_true { (value.text, negated) } else { (negated, value.text) };
                        Phrase::Test { holds, fails }
                    }
                    _ => test(*cond, &value, &zero),
                }
            }
            Op::IfInt(cond, _) => {
                let (b, a) = (pop(), pop());
                test(*cond, &a, &b)
            }
            // The IR asks for equality, whichever way the instruction jumps.
            Op::IfRef(..) => {
                let (b, a) = (pop(), pop());
                test(Cond::Eq, &a, &b)
            }
            Op::IfNull(..) => test(Cond::Eq, &pop(), &Text::atom("null")),
            Op::Switch { .. } => Phrase::Switch { value: pop().text },
            Op::GetField(_) | Op::ArrayLength | Op::Throw | Op::MonitorEnter | Op::MonitorExit => {
                Phrase::Access { object: pop().within(ATOM) }
            }
            Op::PutField(_) => {
                pop();
                Phrase::Access { object: pop().within(ATOM) }
            }
            Op::ArrayLoad(_) => {
                let (index, array) = (pop(), pop());
                Phrase::Element { array: array.within(ATOM), index: index.text }
            }
            Op::ArrayStore(_) => {
                pop();
                let (index, array) = (pop(), pop());
                Phrase::Element { array: array.within(ATOM), index: index.text }
            }
            Op::Arith(Arith::Div | Arith::Rem, _) => Phrase::Divide { divisor: pop().within(SUM) },
            Op::NewArray(_) | Op::NewRefArray(_) => Phrase::Length { length: pop().text },
            Op::CheckCast(name) => Phrase::Cast { value: pop().within(ATOM), class: simple_name(name) },
            Op::Invoke(how, member) => {
                let (text, receiver) = self.call(*how, member, &mut stack);
                Phrase::Call { text: text.text, receiver, gives: gives(&member.descriptor) }
            }
            Op::InvokeDynamic(site) => {
                let text = self.dynamic(site, &mut stack);
                Phrase::Call { text: text.text, receiver: None, gives: gives(&site.descriptor) }
            }
            _ => Phrase::Other,
        }
    }

    /// The stack before an instruction, as far as its block has filled it.
    fn stack_before(&self, at: usize) -> Vec<Text> {
        let mut stack = Vec::new();
        for index in self.block_of(at)..at {
            self.run(index, &mut stack);
        }
        stack
    }

    /// Where the block of an instruction begins.
    fn block_of(&self, at: usize) -> usize {
        let mut begins = 0;
        let mut candidate = |target: u32| {
            if target as usize <= at {
                begins = begins.max(target as usize);
            }
        };
        for (index, op) in self.code.ops.iter().enumerate() {
            match op {
                Op::IfZero(_, target) | Op::IfInt(_, target) | Op::IfRef(_, target) | Op::IfNull(_, target) => {
                    candidate(*target);
                    candidate(index as u32 + 1);
                }
                Op::Goto(target) | Op::Jsr(target) => {
                    candidate(*target);
                    candidate(index as u32 + 1);
                }
                Op::Switch { default, cases } => {
                    candidate(*default);
                    cases.iter().for_each(|(_, target)| candidate(*target));
                }
                _ => {}
            }
        }
        self.code.handlers.iter().for_each(|handler| candidate(handler.handler));
        begins
    }

    /// What an instruction does to the stack.
    fn run(&self, at: usize, stack: &mut Vec<Text>) {
        let op = &self.code.ops[at];
        let mut pop = || stack.pop().unwrap_or_else(Text::unknown);
        let pushed = match op {
            Op::Const(constant) => constant_text(constant),
            Op::Load(_, local) => self.local(at, *local),
            Op::ArrayLoad(element) => {
                let (index, array) = (pop(), pop());
                let is = if matches!(element, crate::bytecode::code::Element::Char) { Is::Char } else { Is::Other };
                Text::atom(format!("{}[{}]", array.within(ATOM), index.text)).of(is)
            }
            Op::Arith(op, _) => {
                let (b, a) = (pop(), pop());
                arithmetic(*op, &a, &b)
            }
            Op::Neg(_) => Text { text: format!("-{}", pop().within(ATOM)), strength: UNARY, is: Is::Other },
            Op::Convert(from, to) => convert(*from, *to, pop()),
            Op::Narrow(to) => {
                let (name, is) = match to {
                    Narrow::Byte => ("byte", Is::Other),
                    Narrow::Char => ("char", Is::Char),
                    Narrow::Short => ("short", Is::Other),
                };
                Text { text: format!("({name}) {}", pop().within(UNARY)), strength: UNARY, is }
            }
            Op::Compare(_) => {
                let (b, a) = (pop(), pop());
                Text::unknown().of(Is::Comparison(Box::new((a, b))))
            }
            Op::GetStatic(member) => field(&self.class_prefix(member), member),
            Op::GetField(member) => field(&pop().within(ATOM), member),
            Op::Invoke(how, member) => {
                let (text, _) = self.call(*how, member, stack);
                if &*member.name == "<init>" {
                    // The copy of the reference below becomes the new object.
                    if let Some(top) = stack.last_mut().filter(|top| top.text.starts_with("new ")) {
                        *top = text;
                    }
                    return;
                }
                if member.descriptor.ends_with(")V") {
                    return;
                }
                text
            }
            Op::InvokeDynamic(site) => self.dynamic(site, stack),
            Op::New(name) => Text::atom(format!("new {}(..)", simple_name(name))),
            Op::NewArray(element) => Text::atom(format!("new {}[{}]", readable_type(element.descriptor()), pop().text)),
            Op::NewRefArray(name) => Text::atom(format!("new {}[{}]", simple_name(name), pop().text)),
            Op::NewMultiArray(name, dimensions) => {
                (0..*dimensions).for_each(|_| _ = pop());
                Text::atom(format!("new {}", simple_name(name)))
            }
            Op::ArrayLength => Text::atom(format!("{}.length", pop().within(ATOM))),
            Op::CheckCast(_) => pop(),
            Op::InstanceOf(name) => {
                let text = format!("{} instanceof {}", pop().within(COMPARE), simple_name(name));
                Text { text, strength: COMPARE, is: Is::Truth }
            }
            Op::Store(..) | Op::Pop | Op::MonitorEnter | Op::MonitorExit | Op::PutStatic(_) => {
                pop();
                return;
            }
            Op::PutField(_) => {
                (0..2).for_each(|_| _ = pop());
                return;
            }
            Op::ArrayStore(_) => {
                (0..3).for_each(|_| _ = pop());
                return;
            }
            Op::Dup => {
                let top = pop();
                stack.push(top.clone());
                top
            }
            Op::DupX1 => {
                let (top, second) = (pop(), pop());
                stack.extend([top.clone(), second]);
                top
            }
            Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::DupX2 | Op::Pop2 | Op::Swap => return self.shuffle(op, stack),
            _ => return,
        };
        stack.push(pushed);
    }

    /// Rare ones. Wide values count as one here, and nobody knows by the instruction alone which are wide.
    fn shuffle(&self, op: &Op, stack: &mut Vec<Text>) {
        match op {
            Op::Swap if stack.len() >= 2 => {
                let last = stack.len() - 1;
                stack.swap(last, last - 1);
            }
            _ => stack.clear(),
        }
    }

    /// A local by its name; one without a name by what was put there, if that is one thing.
    fn local(&self, at: usize, slot: u16) -> Text {
        if slot == 0 && !self.is_static {
            return Text::atom("this");
        }
        if let Some(local) = self.code.local(at, slot) {
            let is = match &*local.descriptor {
                "Z" => Is::Truth,
                "C" => Is::Char,
                _ => Is::Other,
            };
            return Text::atom(escape::line(&local.name)).of(is);
        }
        let is_set = |(_, op): &(usize, &Op)| matches!(op, Op::Store(_, s) | Op::Increment(s, _) if *s == slot);
        let sets: Vec<(usize, &Op)> = self.code.ops.iter().enumerate().filter(is_set).collect();
        match sets.as_slice() {
            [] => self.parameter(slot),
            [(store, Op::Store(..))] if self.followed < MAX_FOLLOWED => {
                let reader = Reader { followed: self.followed + 1, ..*self };
                reader.stack_before(*store).pop().unwrap_or_else(Text::unknown)
            }
            _ => Text::unknown(),
        }
    }

    /// A parameter whose name the class file does not have.
    fn parameter(&self, slot: u16) -> Text {
        let mut at = 0;
        for (number, ty) in self.library.declared(self.method).parameters.iter().enumerate() {
            if at == slot {
                return Text::atom(self.library.body(self.method).registers[number].name.clone());
            }
            at += if matches!(ty, crate::ir::Type::Long | crate::ir::Type::Double) { 2 } else { 1 };
        }
        Text::unknown()
    }

    /// What stands before a static member: nothing where it is one of this class.
    fn class_prefix(&self, member: &MemberRef) -> String {
        if *member.class == *self.file.name { String::new() } else { simple_name(&member.class) }
    }

    /// A call, and what it is called on.
    fn call(&self, how: Invoke, member: &MemberRef, stack: &mut Vec<Text>) -> (Text, Option<String>) {
        let signature = descriptor::method(&member.descriptor);
        let parameters = signature.map_or_else(Vec::new, |signature| signature.parameters);
        let mut arguments: Vec<String> = Vec::new();
        for descriptor in parameters.iter().rev() {
            arguments.push(stack.pop().unwrap_or_else(Text::unknown).typed(descriptor));
        }
        arguments.reverse();
        let arguments = shortened(&arguments);
        let receiver = (how != Invoke::Static).then(|| stack.pop().unwrap_or_else(Text::unknown).within(ATOM));
        let name = escape::line(&member.name);
        let text = match &receiver {
            _ if name == "<init>" => format!("new {}({arguments})", simple_name(&member.class)),
            // Boxing is not written.
            None if name == "valueOf" && is_box(&member.class) && !member.descriptor.contains("String") => arguments,
            None => match self.class_prefix(member) {
                prefix if prefix.is_empty() => format!("{name}({arguments})"),
                prefix => format!("{prefix}.{name}({arguments})"),
            },
            Some(receiver) if is_box(&member.class) && name.ends_with("Value") => receiver.clone(),
            Some(receiver) if how == Invoke::Special && receiver == "this" && *member.class != *self.file.name => {
                format!("super.{name}({arguments})")
            }
            Some(receiver) => format!("{receiver}.{name}({arguments})"),
        };
        let is = match gives(&member.descriptor) {
            Gives::Truth => Is::Truth,
            Gives::Char => Is::Char,
            _ => Is::Other,
        };
        (Text::atom(text).of(is), receiver)
    }

    /// A call site: strings that are put together, or a lambda.
    fn dynamic(&self, site: &Dynamic, stack: &mut Vec<Text>) -> Text {
        let signature = descriptor::method(&site.descriptor);
        let number = signature.map_or(0, |signature| signature.parameters.len());
        let parts: Vec<Text> = (0..number).map(|_| stack.pop().unwrap_or_else(Text::unknown)).collect();
        match &*site.name {
            "makeConcatWithConstants" | "makeConcat" => {
                let parts: Vec<String> = parts.iter().rev().map(|part| part.within(SUM)).collect();
                Text { text: cut(format!("\"…\" + {}", parts.join(" + "))), strength: SUM, is: Is::Other }
            }
            "typeSwitch" | "enumSwitch" => parts.last().cloned().unwrap_or_else(Text::unknown),
            "toString" | "hashCode" | "equals" => Text::atom(format!("this.{}(..)", site.name)),
            _ => Text::atom("… -> …"),
        }
    }
}

fn is_box(class: &str) -> bool {
    matches!(
        class.strip_prefix("java/lang/"),
        Some("Boolean" | "Byte" | "Character" | "Short" | "Integer" | "Long" | "Float" | "Double")
    )
}

fn gives(descriptor: &str) -> Gives {
    match descriptor.rsplit_once(')').map(|(_, result)| result) {
        Some("V") => Gives::Nothing,
        Some("Z") => Gives::Truth,
        Some("C") => Gives::Char,
        _ => Gives::Other,
    }
}

fn shortened(arguments: &[String]) -> String {
    let all = arguments.join(", ");
    if all.chars().count() > MAX_ARGUMENTS { "..".into() } else { all }
}

fn field(holder: &str, member: &MemberRef) -> Text {
    let is = match &*member.descriptor {
        "Z" => Is::Truth,
        "C" => Is::Char,
        _ => Is::Other,
    };
    let name = escape::line(&member.name);
    let text = if holder.is_empty() { name.into_owned() } else { format!("{holder}.{name}") };
    Text::atom(text).of(is)
}

fn constant_text(constant: &Constant) -> Text {
    match constant {
        Constant::Null => Text::atom("null"),
        Constant::Int(value) => number(value.to_string(), i64::from(*value)),
        Constant::Long(value) => number(format!("{value}L"), *value),
        Constant::Float(value) => Text::atom(format!("{value:?}f")),
        Constant::Double(value) => Text::atom(format!("{value:?}")),
        Constant::String(units) => Text::atom(string_literal(units)),
        Constant::Class(name) => Text::atom(format!("{}.class", simple_name(name))),
        Constant::MethodType(_) | Constant::MethodHandle(_) | Constant::Dynamic(_) => Text::unknown(),
    }
}

fn number(text: String, value: i64) -> Text {
    Text { text, strength: if value < 0 { UNARY } else { ATOM }, is: Is::Constant(value) }
}

fn arithmetic(op: Arith, a: &Text, b: &Text) -> Text {
    let (sign, strength) = match op {
        Arith::Add => ("+", SUM),
        Arith::Sub => ("-", SUM),
        Arith::Mul => ("*", PRODUCT),
        Arith::Div => ("/", PRODUCT),
        Arith::Rem => ("%", PRODUCT),
        Arith::Shl => ("<<", SHIFT),
        Arith::Shr => (">>", SHIFT),
        Arith::Ushr => (">>>", SHIFT),
        Arith::And => ("&", BITWISE),
        Arith::Or => ("|", BITWISE),
        Arith::Xor => ("^", BITWISE),
    };
    let text = format!("{} {sign} {}", a.within(strength), b.within(strength + 1));
    Text { text: cut(text), strength, is: Is::Other }
}

/// Widening is not written.
fn convert(from: Kind, to: Kind, value: Text) -> Text {
    let rank = |kind: Kind| match kind {
        Kind::Int => 0,
        Kind::Long => 1,
        Kind::Float => 2,
        Kind::Double | Kind::Ref => 3,
    };
    if rank(from) < rank(to) {
        return Text { is: Is::Other, ..value };
    }
    let name = match to {
        Kind::Int => "int",
        Kind::Long => "long",
        Kind::Float => "float",
        Kind::Double | Kind::Ref => "double",
    };
    Text { text: format!("({name}) {}", value.within(UNARY)), strength: UNARY, is: Is::Other }
}

/// A comparison, in both directions.
fn test(cond: Cond, a: &Text, b: &Text) -> Phrase {
    let (sign, other) = match cond {
        Cond::Eq => ("==", "!="),
        Cond::Ne => ("!=", "=="),
        Cond::Lt => ("<", ">="),
        Cond::Ge => (">=", "<"),
        Cond::Gt => (">", "<="),
        Cond::Le => ("<=", ">"),
    };
    let as_char = |side: &Text, other: &Text| match (&side.is, &other.is) {
        (Is::Constant(value), Is::Char) => char_literal(*value as u16),
        _ => side.within(COMPARE + 1),
    };
    let (left, right) = (as_char(a, b), as_char(b, a));
    Phrase::Test { holds: format!("{left} {sign} {right}"), fails: format!("{left} {other} {right}") }
}
