//! Objects, made as callers make them: by what Java writes as a value, by constructors that keep what they are given, by methods and fields that
//! others may use; and, if it is allowed and there is no other way, by a small helper that sets fields by reflection.
//!
//! Every object is made once. One that is referred to twice, or that is looked at afterwards, has a variable; all others stand where they are needed.

mod user;

use std::collections::BTreeSet;

use lazuli::{Concrete, Program, WitnessObject};
use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::classfile::{ClassFile, Method};
use lazuli_program::bytecode::descriptor;
use lazuli_program::bytecode::signature::Written;
use lazuli_program::ir::Type;
use lazuli_program::library::Library;

use super::literal::{scalar, text};
use super::members::{Reach, reach, reach_of_class};
use super::names::{Names, erased, is_identifier, of_descriptor};
use super::sequence::Recipes;
use crate::report::values::Heap;

/// By what an input is made; each may use what those before it use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tier {
    Public,
    /// What is not private, in the same package.
    Package,
    Reflection,
}

/// The class of the helper that sets fields.
pub const HELPER: &str = "LazuliInputs";

/// Objects within objects are made to this depth.
const MAX_DEPTH: usize = 30;
/// Longer arrays and collections are not written.
const MAX_ELEMENTS: usize = 64;

/// Where an object is.
#[derive(Clone, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// What it is made of is being made.
    UnderWay,
    Local(String),
}

/// Why there is no code.
type Why = String;

pub struct Builder<'a> {
    program: &'a Program,
    library: &'a Library,
    classes: &'a ClassPath,
    objects: &'a [WitnessObject],
    heap: Heap<'a>,
    most: Tier,
    /// Objects that several calls make.
    recipes: &'a Recipes,
    /// How often each object is referred to.
    references: Vec<usize>,
    draft: Draft<'a>,
    depth: usize,
}

/// What was written so far.
#[derive(Clone)]
struct Draft<'a> {
    names: Names<'a>,
    statements: Vec<String>,
    places: Vec<Place>,
    locals: BTreeSet<String>,
    used: Tier,
}

impl<'a> Builder<'a> {
    /// Code for objects of a heap, in a source with these names, by nothing beyond a tier. `None` if the program is not in Java.
    pub fn new(
        program: &'a Program,
        classes: &'a ClassPath,
        objects: &'a [WitnessObject],
        names: Names<'a>,
        most: Tier,
        recipes: &'a Recipes,
    ) -> Option<Builder<'a>> {
        let library = program.library.as_deref()?;
        let mut references = vec![0; objects.len()];
        for object in objects {
            let parts =
                object.fields.iter().map(|(_, value)| value).chain(object.elements.iter().map(|(_, value)| value));
            parts.for_each(|value| {
                if let Concrete::Object(at) = value {
                    references[*at] += 1
                }
            });
        }
        let places = vec![Place::Nowhere; objects.len()];
        let draft = Draft { names, statements: Vec::new(), places, locals: BTreeSet::new(), used: Tier::Public };
        let heap = Heap::new(program, objects);
        Some(Builder { program, library, classes, objects, heap, most, recipes, references, draft, depth: 0 })
    }

    pub fn names(&mut self) -> &mut Names<'a> {
        &mut self.draft.names
    }

    /// The statements, in order.
    pub fn statements(&self) -> &[String] {
        &self.draft.statements
    }

    /// The furthest tier that was needed.
    pub fn used(&self) -> Tier {
        self.draft.used
    }

    /// Something else of a tier is used.
    pub fn uses(&mut self, reach: Reach) {
        if reach == Reach::Package {
            self.draft.used = self.draft.used.max(Tier::Package);
        }
    }

    /// A name that no variable has yet.
    pub fn fresh(&mut self, hint: &str) -> String {
        let plain: String = hint.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let plain = if is_identifier(&plain) { plain } else { "value".into() };
        let numbered = (2..).map(|number| format!("{plain}{number}"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(|name| !self.draft.locals.contains(name));
        let name = free.unwrap_or(plain);
        self.draft.locals.insert(name.clone());
        name
    }

    /// The variable that an object has.
    pub fn local(&self, index: usize) -> Option<&str> {
        match &self.draft.places[index] {
            Place::Local(name) => Some(name),
            _ => None,
        }
    }

    /// An object has a variable that others have declared.
    pub fn place(&mut self, index: usize, name: &str) {
        self.draft.places[index] = Place::Local(name.into());
        self.draft.locals.insert(name.into());
    }

    /// Several inputs refer to an object: it has a variable.
    pub fn refer(&mut self, value: Concrete, times: usize) {
        if let Concrete::Object(index) = value {
            self.references[index] += times;
        }
    }

    /// The expression for a value where a type is expected; what must be done before is among the statements.
    pub fn value(&mut self, value: Concrete, expected: &Written, hint: &str) -> Result<String, Why> {
        match (value, expected) {
            (Concrete::Object(index), _) => self.object(index, expected, hint),
            (Concrete::Null, _) => Ok("null".into()),
            (value, Written::Primitive(ty)) => {
                let ty = descriptor::primitive(&ty.to_string()).unwrap_or(Type::Int);
                Ok(scalar(value, ty))
            }
            (value, _) => Ok(scalar(value, Type::Int)),
        }
    }

    /// An object, made now or before.
    fn object(&mut self, index: usize, expected: &Written, hint: &str) -> Result<String, Why> {
        match &self.draft.places[index] {
            Place::Local(name) => return Ok(name.clone()),
            Place::UnderWay => return Err("its objects refer to each other in a circle that no call closes".into()),
            Place::Nowhere => {}
        }
        if let Some(literal) = self.literal(index)? {
            return Ok(literal);
        }
        if self.depth > MAX_DEPTH {
            return Err("its objects are nested too deeply".into());
        }
        self.depth += 1;
        let before = self.draft.clone();
        self.draft.places[index] = Place::UnderWay;
        let made = self.make(index, expected, hint);
        self.depth -= 1;
        let made = made.inspect_err(|_| self.draft = before)?;
        if let Place::Local(name) = &self.draft.places[index] {
            return Ok(name.clone());
        }
        self.draft.places[index] = Place::Nowhere;
        match self.references[index] > 1 {
            true => Ok(self.declare(index, expected, hint, &made)),
            false => Ok(made),
        }
    }

    /// Gives an object a variable.
    fn declare(&mut self, index: usize, expected: &Written, hint: &str, made: &str) -> String {
        let ty = self.type_of(index, expected);
        let name = self.fresh(hint);
        self.draft.statements.push(format!("{ty} {name} = {made};"));
        self.draft.places[index] = Place::Local(name.clone());
        name
    }

    /// The type of the variable of an object: its class, or what is expected where the class is the library's.
    fn type_of(&mut self, index: usize, expected: &Written) -> String {
        let class = self.internal(index).to_string();
        let is_users = self.classes.is_user_class(&class);
        match expected {
            Written::Class { name, .. } if *name == class => self.draft.names.written(expected),
            Written::Class { .. } if !is_users => self.draft.names.written(expected),
            _ if class.starts_with('[') => self.draft.names.written(&of_descriptor(&class)),
            _ if is_users && reach_of_class(self.classes, &class) == Reach::Nowhere => "Object".into(),
            _ => self.draft.names.written(&Written::Class { name: class, arguments: Vec::new() }),
        }
    }

    fn internal(&self, index: usize) -> &'a str {
        self.library.internal_name(self.objects[index].class)
    }

    fn is_same_package(&self, internal: &str) -> bool {
        internal.rsplit_once('/').map_or("", |(package, _)| package) == self.draft.names.package
    }

    /// Whether a source of our package may name something of a class.
    fn may_use(&self, class: &str, reach: Reach) -> bool {
        reach == Reach::Everywhere
            || reach == Reach::Package && self.is_same_package(class) && self.most >= Tier::Package
    }

    /// What is written in one word, however often it is met.
    fn literal(&mut self, index: usize) -> Result<Option<String>, Why> {
        if let Some(units) = self.heap.text_of(index) {
            return Ok(Some(text(&units)));
        }
        if let Some((class, ty, value)) = self.heap.boxed(index) {
            let plain = scalar(value, ty);
            let is_plain = matches!(class, "Integer" | "Long" | "Double" | "Float" | "Boolean" | "Character");
            return Ok(Some(if is_plain { plain } else { format!("{class}.valueOf({plain})") }));
        }
        if let Some(literal) = self.existing(index)? {
            return Ok(Some(literal));
        }
        let class = self.internal(index);
        if self.library.is_subclass(self.objects[index].class, self.library.class_id("java/lang/Enum")) {
            let shown = self.heap.constant(index).ok_or("which constant of an enum it is does not matter")?;
            let constant = shown.rsplit('.').next().unwrap_or_default().to_string();
            return self.constant(class, &constant).map(Some);
        }
        Ok(None)
    }

    /// A constant of an enum, whose class may be that of its body.
    fn constant(&mut self, class: &str, name: &str) -> Result<String, Why> {
        let found = self.classes.find(class).ok().flatten();
        let is_body = found.as_ref().is_some_and(|found| found.superclass.as_deref() != Some("java/lang/Enum"));
        let class = match found.and_then(|found| found.superclass.clone()).filter(|_| is_body) {
            Some(above) => above.to_string(),
            None => class.to_string(),
        };
        self.named_static(&class, name)
    }

    /// What a static field holds.
    fn named_static(&mut self, class: &str, name: &str) -> Result<String, Why> {
        let found = self.classes.find(class).ok().flatten().ok_or("there is no such class")?;
        let field = found.fields.iter().find(|field| *field.name == *name && field.access.is_static());
        let field = field.ok_or_else(|| format!("there is no {name}"))?;
        let reach = reach(field.access).max(reach_of_class(self.classes, class));
        if !self.may_use(class, reach) {
            return Err(format!("{}.{name} cannot be named from outside", class.replace('/', ".")));
        }
        self.uses(reach);
        Ok(format!("{}.{name}", self.draft.names.class(class)))
    }

    fn existing(&mut self, index: usize) -> Result<Option<String>, Why> {
        use lazuli::Existing;
        Ok(match &self.objects[index].existing {
            None => None,
            Some(Existing::Static { class, field, path }) if path.is_empty() => {
                Some(self.named_static(&class.replace('.', "/"), field)?)
            }
            Some(Existing::Static { .. }) => return Err("it is part of something that exists before".into()),
            Some(Existing::Class { class }) => {
                let internal = class.replace('.', "/");
                let name = match internal.starts_with('[') {
                    true => self.draft.names.written(&of_descriptor(&internal)),
                    false => self.draft.names.class(&internal),
                };
                Some(format!("{name}.class"))
            }
            Some(Existing::Literal { units }) => Some(text(units)),
            Some(Existing::Boxed { class, value }) => {
                let simple = class.rsplit('.').next().unwrap_or(class);
                let literal = match simple {
                    "Character" => scalar(Concrete::Int((*value).into()), Type::Char),
                    "Boolean" => (*value != 0).to_string(),
                    "Long" => format!("{value}L"),
                    "Byte" | "Short" => format!("({}) {value}", simple.to_lowercase()),
                    _ => value.to_string(),
                };
                Some(format!("{simple}.valueOf({literal})"))
            }
        })
    }

    fn make(&mut self, index: usize, expected: &Written, hint: &str) -> Result<String, Why> {
        let class = self.internal(index);
        if let Some(elements) = self.heap.elements(index) {
            return self.array(class, &elements, hint);
        }
        if self.classes.is_user_class(class) {
            let file = self.classes.find(class).ok().flatten().ok_or("there is no such class")?;
            return self.user_object(index, &file, expected, hint);
        }
        if let Some(values) = self.heap.contents(index) {
            return self.collection(index, class, values, expected, hint);
        }
        self.of_library(index, class)
    }

    fn array(&mut self, class: &str, elements: &[Concrete], hint: &str) -> Result<String, Why> {
        if elements.len() > MAX_ELEMENTS {
            return Err("an array is too long to be written".into());
        }
        let element = of_descriptor(&class[1..]);
        if let Written::Class { name, .. } = &element {
            let reach = reach_of_class(self.classes, name);
            if !self.may_use(name, reach) {
                return Err(format!("{} cannot be named from outside", name.replace('/', ".")));
            }
            self.uses(reach);
        }
        // An array has the erasure of its elements' class.
        let name = match &element {
            Written::Class { name, .. } => self.draft.names.class(name),
            other => self.draft.names.written(other),
        };
        let zero = |value: &Concrete| {
            use Concrete::{Bool, Double, Float, Int, Null};
            matches!(value, Int(0) | Bool(false) | Null | Float(0) | Double(0))
        };
        if elements.is_empty() || elements.len() > 2 && elements.iter().all(zero) {
            let (inner, dimensions) = name.split_at(name.find('[').unwrap_or(name.len()));
            return Ok(format!("new {inner}[{}]{dimensions}", elements.len()));
        }
        let mut written = Vec::new();
        for value in elements {
            // Within braces a constant needs no cast.
            let value = self.value(*value, &element, hint)?;
            let value = value.strip_prefix("(byte) ").or(value.strip_prefix("(short) ")).unwrap_or(&value);
            written.push(value.to_string());
        }
        Ok(format!("new {name}[] {{{}}}", written.join(", ")))
    }

    /// A collection of the JDK by its contents.
    fn collection(
        &mut self,
        index: usize,
        class: &str,
        values: Vec<Concrete>,
        expected: &Written,
        hint: &str,
    ) -> Result<String, Why> {
        if values.len() > MAX_ELEMENTS {
            return Err("a collection is too large to be written".into());
        }
        let object = || Written::Class { name: "java/lang/Object".into(), arguments: Vec::new() };
        let argument = |number: usize| match expected {
            Written::Class { arguments, .. } => arguments.get(number).cloned().flatten().unwrap_or_else(object),
            _ => object(),
        };
        let is_map = matches!(class, "java/util/HashMap" | "java/util/LinkedHashMap" | "java/util/TreeMap");
        let mut written = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let ty = argument(if is_map { at % 2 } else { 0 });
            written.push(self.value(*value, &ty, if is_map { "entry" } else { "element" })?);
        }
        let name = self.draft.names.class(class);
        let all = written.join(", ");
        let has_null = values.contains(&Concrete::Null);
        if is_map {
            if written.is_empty() {
                return Ok(format!("new {name}<>()"));
            }
            let (key, value) = (argument(0), argument(1));
            let types = [key, value].map(|ty| self.draft.names.written(&ty)).join(", ");
            let map = self.draft.names.class("java/util/Map");
            let local = self.fresh(hint);
            self.draft.statements.push(format!("{map}<{types}> {local} = new {name}<>();"));
            for pair in written.chunks(2) {
                self.draft.statements.push(format!("{local}.put({});", pair.join(", ")));
            }
            self.draft.places[index] = Place::Local(local.clone());
            return Ok(local);
        }
        let listed = |names: &mut Names| match () {
            _ if has_null && values.len() == 1 => {
                format!("{}.singletonList(null)", names.class("java/util/Collections"))
            }
            _ if has_null => format!("{}.asList({all})", names.class("java/util/Arrays")),
            _ => format!("{}.of({all})", names.class("java/util/List")),
        };
        Ok(match class {
            "java/util/Optional" if values.is_empty() => format!("{name}.empty()"),
            "java/util/Optional" => format!("{name}.of({all})"),
            "java/util/Arrays$ArrayList" => format!("{}.asList({all})", self.draft.names.class("java/util/Arrays")),
            _ if class.starts_with("java/util/ImmutableCollections$List") => listed(&mut self.draft.names),
            _ if class.contains('$') => {
                return Err(format!("no code is known that makes a {}", class.replace('/', ".")));
            }
            _ if values.is_empty() => format!("new {name}<>()"),
            _ => format!("new {name}<>({})", listed(&mut self.draft.names)),
        })
    }

    fn named(&self, index: usize, name: &str) -> Option<Concrete> {
        let fields = self.objects[index].fields.iter();
        fields.rev().find(|(field, _)| self.program.field(*field).name == name).map(|(_, value)| *value)
    }

    fn number(&self, index: usize, name: &str) -> i128 {
        match self.named(index, name) {
            Some(Concrete::Int(value)) => value,
            _ => 0,
        }
    }

    /// Other objects of the library, as its users make them.
    fn of_library(&mut self, index: usize, class: &str) -> Result<String, Why> {
        let unknown = || format!("no code is known that makes a {}", class.replace('/', "."));
        let number = |name: &str| self.number(index, name);
        let made = match class {
            "java/lang/StringBuilder" | "java/lang/StringBuffer" => {
                let units = self.characters(index).ok_or_else(unknown)?;
                if units.is_empty() { "new {}()".into() } else { format!("new {{}}({})", text(&units)) }
            }
            "java/math/BigInteger" => {
                let magnitude = match self.named(index, "mag") {
                    Some(Concrete::Object(array)) => self.heap.elements(array).ok_or_else(unknown)?,
                    _ => Vec::new(),
                };
                if magnitude.len() > 3 {
                    return Err(unknown());
                }
                let word = |word: &Concrete| if let Concrete::Int(word) = word { *word as u32 } else { 0 };
                let value = magnitude.iter().fold(0i128, |value, part| (value << 32) | i128::from(word(part)));
                format!("new {{}}(\"{}\")", value * number("signum"))
            }
            "java/math/BigDecimal" if number("intCompact") != i128::from(i64::MIN) => match number("scale") {
                0 => format!("{{}}.valueOf({}L)", number("intCompact")),
                scale => format!("{{}}.valueOf({}L, {scale})", number("intCompact")),
            },
            "java/util/concurrent/atomic/AtomicInteger" => {
                format!("new {{}}({})", scalar(Concrete::Int(number("value")), Type::Int))
            }
            "java/util/concurrent/atomic/AtomicLong" => format!("new {{}}({}L)", number("value")),
            "java/util/concurrent/atomic/AtomicBoolean" => format!("new {{}}({})", number("value") != 0),
            "java/time/LocalDate" => format!("{{}}.of({}, {}, {})", number("year"), number("month"), number("day")),
            "java/time/LocalTime" => {
                format!("{{}}.of({}, {}, {}, {})", number("hour"), number("minute"), number("second"), number("nano"))
            }
            "java/time/Duration" => format!("{{}}.ofSeconds({}L, {}L)", number("seconds"), number("nanos")),
            _ if self.is_plain(index, class) => format!("new {{}}{}()", self.draft.names.diamond(class)),
            _ => return Err(unknown()),
        };
        Ok(made.replace("{}", &self.draft.names.class(class)))
    }

    /// The characters of something that a string is built with.
    fn characters(&self, index: usize) -> Option<Vec<u16>> {
        let count = usize::try_from(self.number(index, "count")).ok()?;
        let Some(Concrete::Object(array)) = self.named(index, "value") else { return (count == 0).then(Vec::new) };
        let elements = self.heap.elements(array)?;
        let bytes: Vec<u8> = elements.iter().map(|e| if let Concrete::Int(e) = e { *e as u8 } else { 0 }).collect();
        let units: Vec<u16> = match self.number(index, "coder") {
            1 => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
            _ => bytes.into_iter().map(u16::from).collect(),
        };
        units.get(..count).map(<[u16]>::to_vec)
    }

    /// Whether nothing matters of an object of the library that everybody can make.
    fn is_plain(&self, index: usize, class: &str) -> bool {
        let Ok(Some(file)) = self.classes.find(class) else { return false };
        let is_made = file.method("<init>", "()V").is_some_and(|method| method.access.is_public());
        let is_open = reach_of_class(self.classes, class) == Reach::Everywhere && !file.access.is_abstract();
        is_made && is_open && self.objects[index].fields.is_empty()
    }
}

/// The types of a method's parameters, as its source has them where that is known.
pub fn parameters(file: &ClassFile, method: &Method) -> Vec<Written> {
    let plain: Vec<Written> = descriptor::method(&method.descriptor)
        .map_or_else(Vec::new, |method| method.parameters.iter().map(|ty| of_descriptor(ty)).collect());
    match file.method_signature(method) {
        // What the compiler adds is not among the types that the source has.
        Some(signature) if signature.parameters.len() == plain.len() => {
            let erased_is_same = |written: &Written, plain: &Written| match written {
                Written::Class { .. } => erased(written) == erased(plain),
                _ => true,
            };
            let pairs = signature.parameters.into_iter().zip(plain);
            pairs
                .map(|(written, plain)| match written {
                    Written::Variable(_) => plain,
                    written if erased_is_same(&written, &plain) => written,
                    _ => plain,
                })
                .collect()
        }
        _ => plain,
    }
}
