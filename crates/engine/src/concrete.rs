//! Calling a static method of Java on concrete values: the same engine, on constants. Requests and answers are the text that
//! `programs/java/harness/RunOnJvm.java` reads and writes, so that one line can be put to both and the answers compared.
//!
//! Of its requests those without objects of their own are understood: numbers, strings, arrays, boxes, class literals and
//! static fields.

use std::rc::Rc;

use lazuli_logic::{PathCondition, Term};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, MethodId, Reg, Type};
use lazuli_program::library::{LENGTH, Library, access};
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::executor::{Executor, Inputs};
use crate::heap::lazy::{Heap, Lazy, When};
use crate::heap::{Classes, Elements, Memory};
use crate::java::cell;
use crate::known::BOXES;
use crate::outcome::Outcome;
use crate::state::State;
use crate::suspend::Pause;
use crate::witness::signed;

/// What a call came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// With the value as text.
    Returned(String),
    /// With the message as text, if there is one, and the method that threw it.
    Threw { class: String, message: Option<String>, place: String },
    /// Our limit, not the program's behaviour.
    Stopped(String),
}

/// Runs `CLASS.METHOD DESCRIPTOR VALUE…`, as the harness does. An error is about the request.
pub fn call(program: &Program, config: &Config, line: &str) -> Result<Answer, String> {
    let library = program.library.as_deref().ok_or("only methods of Java can be called")?;
    let mut parts = split(line, ' ').into_iter();
    let target = parts.next().ok_or("a request names a method")?;
    let method = find_method(library, target)?;
    let mut session = Session::new(program, config, method);
    let types = &library.declared(method).parameters;
    let args: Vec<Result<Term, String>> = types.iter().zip(parts).map(|(ty, text)| session.value(text, *ty)).collect();
    let args = args.into_iter().collect::<Result<Vec<Term>, String>>()?;
    if args.len() != types.len() {
        return Err(format!("{target} has {} parameters, not {}", types.len(), args.len()));
    }
    Ok(match session.run(method, &args) {
        Ok(value) => match session.show(value, library.declared(method).result) {
            Some(text) => Answer::Returned(text),
            None => Answer::Stopped("the result is not constant".into()),
        },
        Err(Failure::Threw(thrown)) => session.thrown(thrown),
        Err(Failure::Stopped(why)) => Answer::Stopped(why),
    })
}

fn find_method(library: &Library, target: &str) -> Result<MethodId, String> {
    let (name, descriptor) = target.split_at(target.find('(').ok_or_else(|| format!("{target} has no descriptor"))?);
    let (class, name) = name.rsplit_once('.').ok_or_else(|| format!("{target} has no class"))?;
    let class = library.class_id(&class.replace('.', "/"));
    let method = library.declared_method(class, name, descriptor).ok_or_else(|| format!("there is no {target}"))?;
    match library.declared(method).is(access::STATIC) {
        true => Ok(method),
        false => Err(format!("{target} is not static")),
    }
}

/// The parts of a text between separators that are not inside of strings, brackets or parentheses.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quoted, mut escaped) = (0, 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            // The bracket of a descriptor is never closed.
            '[' | '(' if separator == ',' => depth += 1,
            ']' | ')' if separator == ',' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Why a call has no value.
pub(crate) enum Failure {
    Threw(Term),
    Stopped(String),
}

/// Calls that share one heap.
pub(crate) struct Session<'p> {
    pub executor: Executor<'p, Lazy>,
    pub library: &'p Library,
    pub state: State<Heap>,
}

impl<'p> Session<'p> {
    pub fn new(program: &'p Program, config: &'p Config, entry: MethodId) -> Session<'p> {
        let mut executor = Executor::new(program, config, entry, Lazy::new(When::Load));
        executor.inputs = Inputs::Constant(FxHashMap::default(), Vec::new());
        let state = State::new(Heap::default(), PathCondition::default());
        let library = program.library.as_deref().expect("the program is in Java");
        Session { executor, library, state }
    }

    /// Calls a method; its class is initialised first.
    pub fn run(&mut self, method: MethodId, args: &[Term]) -> Result<Term, Failure> {
        self.state.frames.clear();
        self.state.registers.clear();
        self.state.thrown = None;
        self.state.quiet = None;
        self.executor.push_frame(&mut self.state, method, args, Reg(0), true);
        let class = self.library.declared(method).class;
        if !self.state.vm.is_initialised(class) {
            let begun = self.executor.init_class(&mut self.state, class);
            begun.map_err(|why| Failure::Stopped(format!("{class:?} cannot be initialised: {why:?}")))?;
        }
        match self.executor.advance(&mut self.state) {
            Pause::End(Outcome::Returned, value) => Ok(value.unwrap_or(Term::NULL)),
            Pause::End(Outcome::Stopped(why), _) => {
                let frames = self.state.frames.iter().rev();
                let callers: Vec<String> = frames.map(|frame| self.library.method_name(frame.method)).collect();
                Err(Failure::Stopped(format!("{}, in {}", Outcome::Stopped(why), callers.join(" < "))))
            }
            Pause::End(outcome @ Outcome::Endless { .. }, _) => Err(Failure::Stopped(outcome.to_string())),
            Pause::End(..) => Err(Failure::Threw(self.state.thrown.expect("something was thrown").value)),
            Pause::Decide | Pause::Pruned(_) => Err(Failure::Stopped("something is undecided".into())),
        }
    }

    fn class_of(&mut self, object: Term) -> Option<ClassId> {
        let classes = self.executor.model.classes(&mut self.executor.cx, &self.state.heap, object);
        classes.first().map(|(class, _)| *class)
    }

    /// An exception nobody caught, with what its own `getMessage` gives.
    fn thrown(&mut self, value: Term) -> Answer {
        let class = self.class_of(value).expect("what is thrown is an object");
        let place = self.state.thrown.map_or_else(String::new, |thrown| self.library.method_name(thrown.method));
        let selector = self.library.selector(&"getMessage".into(), &"()Ljava/lang/String;".into());
        let text = match self.library.class(class).methods.get(&selector) {
            Some(method) => self.run(*method, &[value]).unwrap_or(Term::NULL),
            None => Term::NULL,
        };
        let message = self.executor.units_of(&mut self.state, text).ok().flatten().map(|units| quote(&units));
        Answer::Threw { class: self.library.class(class).name.clone(), message, place }
    }

    // ---- from text ----

    /// A value of the stack.
    pub fn value(&mut self, text: &str, ty: Type) -> Result<Term, String> {
        let wrong = || format!("{text} is not of the type of its parameter");
        let Type::Ref(class) = ty else { return self.primitive(text, ty).ok_or_else(wrong) };
        if text == "null" {
            return Ok(Term::NULL);
        }
        if text.starts_with('"') {
            let units: Rc<[u16]> = unquote(text).ok_or_else(wrong)?.into();
            let id = self.library.string_id(&units.to_vec().into());
            return Ok(self.executor.constant_string(&mut self.state, id));
        }
        if let Some(elements) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            return self.array(class, elements);
        }
        if let Some(name) = text.strip_prefix("class:") {
            let class = self.library.class_id(&name.replace('.', "/"));
            return Ok(self.executor.mirror(class));
        }
        if let Some((class, name)) = text.strip_prefix('@').and_then(|text| text.rsplit_once('.')) {
            return self.static_field(class, name).ok_or_else(wrong);
        }
        let (class, value) = text.strip_suffix(')').and_then(|text| text.split_once('(')).ok_or_else(wrong)?;
        self.boxed(class, value).ok_or_else(wrong)
    }

    fn primitive(&mut self, text: &str, ty: Type) -> Option<Term> {
        let terms = &mut self.executor.cx.terms;
        Some(match ty {
            Type::Bool => terms.bits(32, text.parse::<bool>().ok()? as u64),
            Type::Long => terms.bits(64, text.strip_suffix('L')?.parse::<i64>().ok()? as u64),
            Type::Float => terms.float(32, u32::from_str_radix(text.strip_prefix("f:")?, 16).ok()? as u64),
            Type::Double => terms.float(64, u64::from_str_radix(text.strip_prefix("d:")?, 16).ok()?),
            _ => terms.bits(32, text.parse::<i32>().ok()? as u32 as u64),
        })
    }

    fn array(&mut self, class: ClassId, elements: &str) -> Result<Term, String> {
        let element = self.executor.cx.element_of(class).ok_or("an array for a parameter that is none")?;
        let mut values = Vec::new();
        for text in split(elements, ',') {
            let value = self.value(text, element)?;
            values.push(crate::arith::narrow(&mut self.executor.cx.terms, cell(element), value));
        }
        let (cx, heap) = (&mut self.executor.cx, &mut self.state.heap);
        let length = cx.int(values.len() as i64);
        let array = self.executor.model.alloc(cx, heap, class);
        self.executor.model.preset(cx, heap, array, LENGTH, length);
        self.executor.model.arrays(heap).alloc(array.as_location().expect("a new object is a location"), values);
        Ok(array)
    }

    /// What a static field holds after its class has been initialised.
    fn static_field(&mut self, class: &str, name: &str) -> Option<Term> {
        let class = self.library.class_id(&class.replace('.', "/"));
        let java = self.library.java(class);
        let (field, _) = *java.statics.iter().find(|(field, _)| self.library.field(*field).name == name)?;
        self.state.frames.clear();
        self.state.registers.clear();
        if !self.state.vm.is_initialised(class) {
            self.executor.init_class(&mut self.state, class).ok()?;
        }
        // What could not be taken over from a run for all paths is executed here.
        if !self.state.frames.is_empty()
            && !matches!(self.executor.advance(&mut self.state), Pause::End(Outcome::Returned, _))
        {
            return None;
        }
        self.executor.get_static(&mut self.state, field).ok()
    }

    /// What `valueOf` of a box's class gives.
    fn boxed(&mut self, class: &str, value: &str) -> Option<Term> {
        let internal = class.replace('.', "/");
        let primitive = BOXES.iter().find(|(name, _)| *name == internal)?.1;
        let value = self.primitive(value, primitive)?;
        let descriptor = format!("({})L{internal};", self.library.descriptor_of(primitive));
        let method = self.library.declared_method(self.library.class_id(&internal), "valueOf", &descriptor)?;
        self.run(method, &[value]).ok()
    }

    // ---- to text ----

    /// `None` if it is not constant.
    fn show(&mut self, value: Term, ty: Type) -> Option<String> {
        if let Type::Ref(_) = ty {
            return self.show_object(value);
        }
        let terms = &self.executor.cx.terms;
        Some(match ty {
            Type::Void => "void".into(),
            Type::Float => format!("f:{:08x}", terms.as_float(value)?.1),
            Type::Double => format!("d:{:016x}", terms.as_float(value)?.1),
            Type::Bool => (terms.as_bits(value)?.1 != 0).to_string(),
            Type::Long => format!("{}L", terms.as_bits(value)?.1 as i64),
            Type::Char => terms.as_bits(value)?.1.to_string(),
            _ => {
                let (width, bits) = terms.as_bits(value)?;
                signed(width, bits).to_string()
            }
        })
    }

    fn show_object(&mut self, value: Term) -> Option<String> {
        if value.is_null() {
            return Some("null".into());
        }
        let class = self.class_of(value)?;
        let name = self.library.class(class).name.clone();
        let known = self.executor.cx.known.clone()?;
        if class == known.string {
            return Some(quote(&self.executor.units_of(&mut self.state, value).ok()??));
        }
        if let Some(class) = self.executor.mirrored(value) {
            return Some(format!("class:{}", self.library.class(class).name));
        }
        if let Some(element) = self.executor.cx.element_of(class) {
            let elements = self.executor.model.arrays(&mut self.state.heap).dense(&self.executor.cx, value)?.clone();
            let texts: Option<Vec<String>> = elements.iter().map(|e| self.show(*e, element)).collect();
            return Some(format!("[{}]", texts?.join(",")));
        }
        let internal = self.library.internal_name(class);
        if let Some((_, primitive)) = BOXES.iter().find(|(name, _)| *name == internal) {
            let field = self.executor.cx.program.field_named(class, "value")?;
            let held = self.executor.read(&mut self.state, value, field).ok()?;
            let held = match primitive {
                Type::Bool => crate::arith::truth(&mut self.executor.cx.terms, held),
                _ => held,
            };
            return Some(format!("{name}({})", self.show(held, *primitive)?));
        }
        if self.library.is_subclass(class, self.library.class_id("java/lang/Enum")) {
            return self.show_constant(class, value);
        }
        Some(format!("new {name}"))
    }

    fn show_constant(&mut self, class: ClassId, value: Term) -> Option<String> {
        // A constant with a body has a class of its own.
        let of_enum = self.library.class_id("java/lang/Enum");
        let superclass = self.library.class(class).superclass?;
        let class = if superclass == of_enum { class } else { superclass };
        let field = self.executor.cx.program.field_named(of_enum, "name")?;
        let name = self.executor.read(&mut self.state, value, field).ok()?;
        let name = self.executor.text_of(&mut self.state, name).ok()??;
        Some(format!("@{}.{name}", self.library.class(class).name))
    }
}

fn quote(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for unit in units {
        match char::from_u32(*unit as u32) {
            Some('\n') => text.push_str("\\n"),
            Some('\r') => text.push_str("\\r"),
            Some('\t') => text.push_str("\\t"),
            Some(c @ ('"' | '\\')) => text.extend(['\\', c]),
            Some(c @ ' '..='~') => text.push(c),
            _ => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    text + "\""
}

fn unquote(text: &str) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    let mut rest = text.strip_prefix('"')?.strip_suffix('"')?.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            '\\' => match rest.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits = rest.as_str().get(..4)?;
                    units.push(u16::from_str_radix(digits, 16).ok()?);
                    rest = rest.as_str()[4..].chars();
                    continue;
                }
                other => other,
            },
            other => other,
        };
        units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    }
    Some(units)
}
