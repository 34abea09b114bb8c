//! A witness as the helper reads it.

use lazuli_engine::existing::{Existing, Reached};
use lazuli_engine::observe::{self, Observed};
use lazuli_engine::witness::{Concrete, Witness, WitnessObject};
use lazuli_invariant::Given;
use lazuli_program::Program;
use lazuli_program::bytecode::ClassPath;
use lazuli_program::ir::MethodId;
use lazuli_program::library::{IDENTITY_HASH, LENGTH, Library, access};

use super::Called;

const OBJECT: u8 = 0;
const ARRAY: u8 = 1;
const HELD: u8 = 2;
const BOXED: u8 = 3;
const LITERAL: u8 = 4;
const CLASS: u8 = 5;

const STATIC: u8 = 0;
const INSTANCE: u8 = 1;
const CONSTRUCTOR: u8 = 2;

const NULL: u8 = 0;
const REFERENCE: u8 = 1;
const NUMBER: u8 = 2;

/// The bytes of a request. An error says why it cannot be asked.
pub fn encode(program: &Program, called: &Called, witness: &Witness, observed: &Observed) -> Result<Vec<u8>, String> {
    let library = program.library.as_deref().expect("only Java is judged by a JVM");
    let entry = called.entry;
    let declared = library.declared(entry);
    let mut to = Bytes(Vec::new());
    to.0.push(observed.touches_statics as u8);
    to.method(library, entry);
    to.postcondition(library, called);
    to.number(witness.objects.len());
    for object in &witness.objects {
        to.object(library, object);
    }
    let body = program.method(entry);
    let skipped = usize::from(&*declared.name == "<init>");
    let parameters = &body.registers[skipped..body.parameters];
    let root = |name: &str| witness.roots.iter().find(|(root, _)| root == name).map(|(_, value)| *value);
    to.number(parameters.len());
    for parameter in parameters {
        to.value(root(&parameter.name).unwrap_or_else(|| Concrete::default_of(parameter.ty)));
    }
    let is_parameter = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
    let statics = program.input_statics();
    let static_of = |name: &str| statics.iter().copied().find(|field| program.show_field(*field) == name);
    let (mut of_statics, mut others) = (Vec::new(), Vec::new());
    for (name, value) in witness.roots.iter().filter(|(name, _)| !is_parameter(name)) {
        match static_of(name) {
            Some(field) => of_statics.push((field, *value)),
            None => others.push((name, *value)),
        }
    }
    to.number(of_statics.len());
    for (field, value) in of_statics {
        let field = library.field(field);
        to.named(library.internal_name(field.class), &field.name, value);
    }
    to.number(others.len());
    for (name, value) in others {
        to.named("", name, value);
    }
    to.number(observed.answers.len());
    for (method, given) in &observed.answers {
        let value = match given {
            observe::Given::Null => Concrete::Null,
            observe::Given::Number(number) => Concrete::Int(i128::from(*number)),
            observe::Given::Object(index) => Concrete::Object(*index),
            observe::Given::Other => return Err(format!("{method} gives an object that is no input")),
        };
        to.named("", method, value);
    }
    Ok(to.0)
}

/// The names of a program's classes, as the helper reads them.
pub fn program(path: &ClassPath) -> Vec<u8> {
    let mut to = Bytes(Vec::new());
    to.texts(path.user_classes().iter().map(String::as_str));
    to.0
}

/// What is being written.
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn texts<'t>(&mut self, texts: impl ExactSizeIterator<Item = &'t str>) {
        self.number(texts.len());
        texts.for_each(|text| self.text(text));
    }

    pub fn number(&mut self, number: usize) {
        self.0.extend((number as u32).to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.0.extend((text.len() as u16).to_be_bytes());
        self.0.extend(text.as_bytes());
    }

    fn method(&mut self, library: &Library, method: MethodId) {
        let declared = library.declared(method);
        self.0.push(match &*declared.name {
            "<init>" => CONSTRUCTOR,
            _ if declared.is(access::STATIC) => STATIC,
            _ => INSTANCE,
        });
        self.text(library.internal_name(declared.class));
        self.text(&declared.name);
        self.text(&declared.descriptor);
    }

    /// What is asked after the call, if anything, and what it is given: arguments by their numbers, the result by one that none of them has.
    fn postcondition(&mut self, library: &Library, called: &Called) {
        self.0.push(called.post.is_some() as u8);
        let Some(post) = &called.post else { return };
        self.method(library, post.method);
        self.number(post.given.len());
        // The object of a constructor is no argument.
        let skipped = u32::from(&*library.declared(called.entry).name == "<init>");
        for given in &post.given {
            self.number(match given {
                Given::Input(number) => (number - skipped) as usize,
                Given::Result => u32::MAX as usize,
            });
        }
    }

    fn value(&mut self, value: Concrete) {
        let (kind, bits) = match value {
            Concrete::Null => return self.0.push(NULL),
            Concrete::Object(index) => (REFERENCE, index as i64),
            Concrete::Bool(value) => (NUMBER, i64::from(value)),
            Concrete::Int(value) => (NUMBER, value as i64),
            Concrete::Float(bits) => (NUMBER, i64::from(bits)),
            Concrete::Double(bits) => (NUMBER, bits as i64),
        };
        self.0.push(kind);
        self.0.extend(bits.to_be_bytes());
    }

    fn named(&mut self, owner: &str, name: &str, value: Concrete) {
        self.text(owner);
        self.text(name);
        self.value(value);
    }

    /// An object that exists before the entry: how to find it.
    fn existing(&mut self, existing: &Existing) {
        let empty = 0;
        match existing {
            Existing::Static { class, field, path } => {
                self.0.push(HELD);
                self.text(&class.replace('.', "/"));
                self.text(field);
                self.number(empty);
                self.number(path.len());
                for step in path {
                    match step {
                        Reached::Field { class, name } => self.named(&class.replace('.', "/"), name, Concrete::Null),
                        Reached::Element(index) => self.named("", &index.to_string(), Concrete::Null),
                    }
                }
                self.number(empty);
            }
            Existing::Boxed { class, value } => {
                self.0.push(BOXED);
                self.text(&class.replace('.', "/"));
                self.text("");
                self.number(empty);
                self.number(1);
                self.named("", "value", Concrete::Int(i128::from(*value)));
                self.number(empty);
            }
            Existing::Class { class } => {
                self.0.push(CLASS);
                self.text(&class.replace('.', "/"));
                self.text("");
                (0..3).for_each(|_| self.number(empty));
            }
            Existing::Literal { units } => {
                self.0.push(LITERAL);
                self.text("java/lang/String");
                self.text("");
                self.number(empty);
                self.number(empty);
                self.number(units.len());
                for (at, unit) in units.iter().enumerate() {
                    self.number(at);
                    self.value(Concrete::Int(i128::from(*unit)));
                }
            }
        }
    }

    fn object(&mut self, library: &Library, object: &WitnessObject) {
        if let Some(existing) = &object.existing {
            return self.existing(existing);
        }
        let class = library.internal_name(object.class);
        let length = match object.fields.iter().find(|(field, _)| *field == LENGTH) {
            Some((_, Concrete::Int(length))) => *length as u32,
            _ => 0,
        };
        self.0.push(if class.starts_with('[') { ARRAY } else { OBJECT });
        self.text(class);
        self.text("");
        self.number(length as usize);
        let fields: Vec<_> =
            object.fields.iter().filter(|(field, _)| *field != LENGTH && *field != IDENTITY_HASH).collect();
        self.number(fields.len());
        for (field, value) in fields {
            let field = library.field(*field);
            self.named(library.internal_name(field.class), &field.name, *value);
        }
        // Names beyond the end belong to copies that did not take place.
        let elements: Vec<_> = object.elements.iter().filter(|(at, _)| *at < length).collect();
        self.number(elements.len());
        for (at, value) in elements {
            self.number(*at as usize);
            self.value(*value);
        }
    }
}
