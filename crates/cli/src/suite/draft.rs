//! One test of one trace: its input as code, the call, and what is asserted of what comes of it.

use std::collections::BTreeSet;

use lazuli::{Concrete, Config, Ending, Outcome, Program, Trace, TraceFacts, Witness, WitnessObject};
use lazuli_engine::confirm::Replayer;
use lazuli_engine::limits::Watch;
use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::descriptor;
use lazuli_program::bytecode::signature::Written;
use lazuli_program::frontend::java::EntryPoint;
use lazuli_program::ir::Type;
use lazuli_program::library::Library;

use super::Attempt;
use super::name::capitalised;
use crate::args::test::JUnit;
use crate::code::{
    Builder, NONE, Names, Reach, Recipes, Sequences, Tier, accessor, characters, erased, of_descriptor, parameters,
    reach, reach_of_class, scalar, text,
};
use crate::report::values::Heap;

/// What tests of a method are written with.
pub struct Drafting<'a> {
    pub program: &'a Program,
    pub classes: &'a ClassPath,
    pub entry: &'a EntryPoint,
    pub junit: JUnit,
}

/// More fields of a result are not looked at.
const MAX_FIELDS: usize = 6;

/// The code of a test, while it is written.
struct Draft<'a> {
    of: &'a Drafting<'a>,
    library: &'a Library,
    witness: &'a Witness,
    ending: &'a Ending,
    builder: Builder<'a>,
    asserts: BTreeSet<&'static str>,
    body: Vec<String>,
}

impl<'a> Drafting<'a> {
    /// A test of a trace, whose input is made by nothing beyond a tier; or why there is none.
    pub fn draft(&'a self, trace: &'a Trace, most: Tier, recipes: &'a Recipes) -> Result<Attempt, String> {
        let facts = trace.detail.as_deref().ok_or("nothing is known of it")?;
        let witness = facts.witness.as_ref().ok_or("no input is known")?;
        let ending = facts.ending.as_ref().ok_or("it is not known how it ends")?;
        let library = self.program.library.as_deref().ok_or("the program is not in Java")?;
        let receiver = &self.entry.receiver.name;
        let package = receiver.rsplit_once('/').map_or("", |(package, _)| package);
        let names = Names::new(self.classes, package);
        let builder = Builder::new(self.program, self.classes, &witness.objects, names, most, recipes);
        let builder = builder.ok_or("the program is not in Java")?;
        let draft = Draft { of: self, library, witness, ending, builder, asserts: BTreeSet::new(), body: Vec::new() };
        draft.written(trace, facts)
    }

    /// A trace that goes the same way, with inputs that calls can make; and these calls.
    pub fn with_calls(&self, sequences: &mut Sequences, config: &Config, trace: &Trace) -> Option<(Trace, Recipes)> {
        let mut trace = trace.clone();
        let mut recipes = Recipes::new();
        let mut replayer = Replayer::new(self.program, config, self.program.main?);
        loop {
            let facts = trace.detail.as_deref()?;
            let witness = facts.witness.as_ref()?;
            let Some(index) = self.unmade(witness, &recipes) else { return Some((trace, recipes)) };
            let candidates = sequences.find(witness, index);
            let followed = candidates.into_iter().find_map(|candidate| {
                let watch = Watch::default();
                let replayed = replayer.confirm(&candidate.witness, &trace.outcome, trace.flow, &watch);
                Some((candidate, replayed.ending.filter(|_| replayed.verdict.is_ok())?))
            });
            let (candidate, ending) = followed?;
            recipes.insert(index, candidate.recipe);
            let facts = trace.detail.as_deref_mut()?;
            (facts.witness, facts.ending) = (Some(candidate.witness), Some(ending));
        }
    }

    /// The first input for which no code is known.
    fn unmade(&self, witness: &Witness, recipes: &Recipes) -> Option<usize> {
        let receiver = &self.entry.receiver.name;
        let package = receiver.rsplit_once('/').map_or("", |(package, _)| package);
        let object = of_descriptor("Ljava/lang/Object;");
        let is_unmade = |index: &usize| {
            let names = Names::new(self.classes, package);
            let builder = Builder::new(self.program, self.classes, &witness.objects, names, Tier::Package, recipes);
            builder.is_none_or(|mut builder| builder.value(Concrete::Object(*index), &object, "input").is_err())
        };
        let objects = witness.roots.iter().filter_map(|(_, value)| match value {
            Concrete::Object(index) if !recipes.contains_key(index) => Some(*index),
            _ => None,
        });
        objects.into_iter().find(is_unmade)
    }

    fn is_static(&self) -> bool {
        self.entry.method().access.is_static()
    }

    fn is_constructor(&self) -> bool {
        &*self.entry.method().name == "<init>"
    }

    /// The type of what it gives, as its source has it.
    fn result(&self) -> Written {
        let method = self.entry.method();
        let signature = self.entry.class.method_signature(method).and_then(|signature| signature.result);
        let plain = descriptor::method(&method.descriptor).map_or("V", |method| method.result);
        match signature {
            Some(Written::Variable(_)) | None => of_descriptor(plain),
            Some(written) => written,
        }
    }

    /// What the method does, as a part of a name.
    pub fn effect(&self, trace: &Trace) -> String {
        let Some(facts) = trace.detail.as_deref() else { return "ends".into() };
        match &trace.outcome {
            Outcome::AssertFailed => "throwsAssertionError".into(),
            Outcome::Threw(class) => format!("throws{}", class.rsplit(['.', '/', '$']).next().unwrap_or(class)),
            Outcome::Endless { .. } => "doesNotEnd".into(),
            _ => self.returned(facts),
        }
    }

    fn returned(&self, facts: &TraceFacts) -> String {
        let (Some(ending), Some(witness)) = (&facts.ending, &facts.witness) else { return "returns".into() };
        let heap = Heap::new(self.program, &ending.objects);
        let fixed = |text: String| match facts.is_fixed {
            true => format!("returns{text}"),
            false => "returnsValue".into(),
        };
        match ending.value {
            _ if self.is_constructor() => "makesObject".into(),
            None => match changed(self.program, witness, ending).first() {
                Some(Change::Field { name, .. }) => format!("sets{}", capitalised(name)),
                Some(Change::Whole { .. }) => "changesItsInput".into(),
                None => "returns".into(),
            },
            Some(Concrete::Null) => "returnsNull".into(),
            Some(Concrete::Object(at))
                if at < witness.objects.len() && heap.text_of(at).is_none() && heap.boxed(at).is_none() =>
            {
                let is_this =
                    witness.roots.iter().any(|(name, value)| name == "this" && *value == Concrete::Object(at));
                let root = witness.roots.iter().find(|(_, value)| *value == Concrete::Object(at));
                match root {
                    Some(_) if is_this => "returnsItself".into(),
                    Some((name, _)) => format!("returns{}", capitalised(name)),
                    None => "returnsValue".into(),
                }
            }
            Some(Concrete::Object(at)) => match (heap.text_of(at), heap.boxed(at)) {
                (Some(units), _) if units.is_empty() => "returnsEmptyString".into(),
                (Some(units), _) => {
                    fixed(super::name::phrase(&String::from_utf16_lossy(&units)).chars().take(20).collect())
                }
                (_, Some((_, ty, value))) => fixed(super::name::phrase(&scalar(value, ty))),
                _ => match heap.constant(at) {
                    Some(constant) => {
                        format!("returns{}", capitalised(constant.rsplit('.').next().unwrap_or_default()))
                    }
                    None => format!("returns{}", simple(self.library_name(ending, at))),
                },
            },
            Some(value) => {
                let ty = self.program.main.map_or(Type::Int, |main| self.program.method(main).result);
                let literal = scalar(value, ty);
                let negative = literal.strip_prefix('-').map(|number| format!("Minus{}", super::name::phrase(number)));
                fixed(negative.unwrap_or_else(|| super::name::phrase(literal.trim_end_matches('L'))))
            }
        }
    }

    fn library_name(&self, ending: &Ending, at: usize) -> &str {
        self.program.library.as_deref().map_or("Value", |library| library.internal_name(ending.objects[at].class))
    }
}

fn simple(internal: &str) -> String {
    let name = internal.rsplit(['/', '$']).next().unwrap_or(internal);
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    if internal.starts_with('[') { "Array".into() } else { plain }
}

/// What is another at the end than it was.
enum Change {
    /// A field of an object of the program.
    Field { index: usize, declaring: String, name: String, value: Concrete },
    /// An array or a collection.
    Whole { index: usize },
}

/// What has become of the objects of the input, as far as somebody can see it.
fn changed(program: &Program, witness: &Witness, ending: &Ending) -> Vec<Change> {
    let Some(library) = program.library.as_deref() else { return Vec::new() };
    let (before, after) = (Heap::new(program, &witness.objects), Heap::new(program, &ending.objects));
    let mut changes = Vec::new();
    for (index, object) in witness.objects.iter().enumerate() {
        let Some(now) = ending.objects.get(index).filter(|_| object.existing.is_none()) else { continue };
        if before.text_of(index).is_some() || before.boxed(index).is_some() || before.is_text(index) {
            continue;
        }
        if let Some(elements) = before.elements(index) {
            let is_inside = !is_seen(library, witness, index);
            changes.extend((!is_inside && after.elements(index) != Some(elements)).then_some(Change::Whole { index }));
            continue;
        }
        let class = library.internal_name(object.class);
        if !library.path.is_user_class(class) {
            let is_other = before.contents(index).is_some_and(|contents| after.contents(index) != Some(contents));
            changes.extend(is_other.then_some(Change::Whole { index }));
            continue;
        }
        for (field, value) in &now.fields {
            let declared = library.field(*field);
            let known = object.fields.iter().find(|(known, _)| known == field).map(|(_, value)| *value);
            let old = known.unwrap_or(Concrete::default_of(declared.ty));
            let declaring = library.internal_name(declared.class);
            if old != *value && library.path.is_user_class(declaring) {
                changes.push(Change::Field {
                    index,
                    declaring: declaring.into(),
                    name: declared.name.clone(),
                    value: *value,
                });
            }
        }
    }
    changes
}

/// Whether an object of the input belongs to the program, and is not the inside of one of the library's.
fn is_seen(library: &Library, witness: &Witness, index: usize) -> bool {
    let is_users = |object: &WitnessObject| library.path.is_user_class(library.internal_name(object.class));
    let holders =
        witness.objects.iter().filter(|object| is_users(object) || library.java(object.class).element.is_some());
    let of_object = holders.flat_map(|object| {
        object.fields.iter().map(|(_, value)| *value).chain(object.elements.iter().map(|(_, value)| *value))
    });
    of_object.chain(witness.roots.iter().map(|(_, value)| *value)).any(|value| value == Concrete::Object(index))
}

impl<'a> Draft<'a> {
    fn written(mut self, trace: &Trace, facts: &TraceFacts) -> Result<Attempt, String> {
        let of = self.of;
        let (class, method) = (&of.entry.receiver.name, of.entry.method());
        let reach = reach(method.access).max(reach_of_class(of.classes, class));
        if reach == Reach::Nowhere {
            return Err("a test cannot call what is private".into());
        }
        self.builder.uses(reach);
        let changes = changed(of.program, self.witness, self.ending);
        self.give_variables(&changes);
        let call = self.call()?;
        self.body = self.builder.statements().to_vec();
        if !self.body.is_empty() {
            self.body.push(String::new());
        }
        match &trace.outcome {
            Outcome::AssertFailed => self.fails_assertion(&call, facts),
            Outcome::Threw(class) => self.throws(&call, class, facts),
            Outcome::Returned => self.returns(&call, changes.is_empty())?,
            _ => return Err("it does not end".into()),
        }
        self.assert_changes(&changes);
        let needs = method.exceptions.iter().any(|class| **class == *"java/lang/Throwable");
        let throws = match matches!(trace.outcome, Outcome::Returned) && !method.exceptions.is_empty() {
            true => Some(if needs { "Throwable" } else { "Exception" }),
            false => None,
        };
        let imports = self.builder.names().imports().cloned().collect();
        Ok(Attempt { tier: self.builder.used(), imports, asserts: self.asserts, body: self.body, throws })
    }

    /// The objects that are looked at after the call have variables.
    fn give_variables(&mut self, changes: &[Change]) {
        for (_, value) in &self.witness.roots {
            self.builder.refer(*value, 1);
        }
        for change in changes {
            let (Change::Field { index, .. } | Change::Whole { index }) = change;
            self.builder.refer(Concrete::Object(*index), 2);
        }
        if let Some(value @ Concrete::Object(index)) = self.ending.value
            && index < self.witness.objects.len()
        {
            self.builder.refer(value, 2);
        }
        if let Some(this) = self.root("this") {
            self.builder.refer(this, 2);
        }
    }

    fn root(&self, name: &str) -> Option<Concrete> {
        self.witness.roots.iter().find(|(root, _)| root == name).map(|(_, value)| *value)
    }

    /// The call with its arguments; what makes them is among the statements.
    fn call(&mut self) -> Result<String, String> {
        let of = self.of;
        let (class, method) = (&of.entry.receiver.name, of.entry.method());
        let main = of.program.main.ok_or("there is no entry")?;
        let body = of.program.method(main);
        let types = parameters(&of.entry.class, method);
        let names: Vec<String> =
            body.registers.iter().take(body.parameters).map(|register| register.name.clone()).collect();
        let own = names.len() - types.len().min(names.len());
        let others = self.witness.roots.iter().find(|(name, _)| !names.contains(name));
        if let Some((name, _)) = others {
            return Err(format!("it depends on {name}, which no caller gives"));
        }
        let receiver = match own {
            0 => self.builder.names().class(class),
            _ if of.is_constructor() => {
                let diamond = self.builder.names().diamond(class);
                format!("new {}{diamond}", self.builder.names().class(class))
            }
            _ => {
                let value = self.root(&names[0]).ok_or("its receiver is not known")?;
                let ty = Written::Class { name: class.to_string(), arguments: Vec::new() };
                let mut hint = simple(class);
                hint[..1].make_ascii_lowercase();
                self.builder.value(value, &ty, &hint)?
            }
        };
        let mut arguments = Vec::new();
        let is_overloaded = of.entry.class.methods.iter().filter(|other| other.name == method.name).count() > 1;
        for (name, ty) in names[own..].iter().zip(&types) {
            let plain = match ty {
                Written::Primitive(ty) => descriptor::primitive(&ty.to_string()).unwrap_or(Type::Int),
                _ => Type::Void,
            };
            let value = self.root(name).unwrap_or(Concrete::default_of(plain));
            let code = self.builder.value(value, ty, name)?;
            // Null alone does not say which of several methods is meant.
            arguments.push(match value {
                Concrete::Null if is_overloaded => format!("({}) null", self.builder.names().written(ty)),
                _ => code,
            });
        }
        let arguments = arguments.join(", ");
        Ok(match (of.is_constructor(), of.is_static()) {
            (true, _) => format!("{receiver}({arguments})"),
            _ => format!("{receiver}.{}({arguments})", method.name),
        })
    }

    fn assert(&mut self, name: &'static str, arguments: &str) {
        self.asserts.insert(name);
        self.body.push(format!("{name}({arguments});"));
    }

    fn fails_assertion(&mut self, call: &str, facts: &TraceFacts) {
        let internal = facts.place.class.replace('.', "/");
        let outermost = internal.split('$').next().unwrap_or(&internal).to_string();
        let class = self.builder.names().class(&outermost);
        let (enabled, message) = (format!("{class}.class.desiredAssertionStatus()"), "\"assertions are enabled\"");
        match self.of.junit {
            JUnit::Five => self.assert("assumeTrue", &format!("{enabled}, {message}")),
            JUnit::Four => self.assert("assumeTrue", &format!("{message}, {enabled}")),
        }
        self.assert("assertThrows", &format!("AssertionError.class, () -> {call}"));
    }

    /// The message is asserted where the program itself gives it: what the machine says differs from one to the next.
    fn throws(&mut self, call: &str, class: &str, facts: &TraceFacts) {
        let class = self.visible(&class.replace('.', "/"));
        let named = self.builder.names().class(&class);
        let is_own = self.of.classes.is_user_class(&facts.place.class.replace('.', "/"));
        let message = self.ending.message.as_ref().filter(|_| is_own && facts.is_new);
        match message {
            Some(message) => {
                let thrown = self.builder.fresh("thrown");
                self.asserts.insert("assertThrows");
                self.body.push(format!("{named} {thrown} = assertThrows({named}.class, () -> {call});"));
                let message = text(&characters(message));
                self.assert("assertEquals", &format!("{message}, {thrown}.getMessage()"));
            }
            None => self.assert("assertThrows", &format!("{named}.class, () -> {call}")),
        }
    }

    /// The class itself, or the first above it that a test can name.
    fn visible(&self, internal: &str) -> String {
        let mut class = internal.to_string();
        loop {
            let package = class.rsplit_once('/').map_or("", |(package, _)| package);
            let own = self.of.entry.receiver.name.rsplit_once('/').map_or("", |(package, _)| package);
            match reach_of_class(self.of.classes, &class) {
                Reach::Everywhere => return class,
                Reach::Package if package == own => return class,
                _ => {}
            }
            let above = self.of.classes.find(&class).ok().flatten().and_then(|class| class.superclass.clone());
            match above {
                Some(above) => class = above.to_string(),
                None => return "java/lang/Throwable".into(),
            }
        }
    }

    fn returns(&mut self, call: &str, is_all: bool) -> Result<(), String> {
        let of = self.of;
        let ty = of.result();
        match self.ending.value {
            _ if of.is_constructor() => self.assert("assertNotNull", call),
            None if ty == Written::Primitive('V') && is_all && of.junit == JUnit::Five => {
                self.assert("assertDoesNotThrow", &format!("() -> {call}"));
            }
            None => self.body.push(format!("{call};")),
            Some(Concrete::Object(at)) if self.is_opened(at) => {
                let class = self.library.internal_name(self.ending.objects[at].class).to_string();
                let result = self.builder.fresh("result");
                let ty = match &ty {
                    // A class that is not generic and cannot be named is looked at by what is declared.
                    Written::Class { name, .. } if *name == class => self.builder.names().written(&ty),
                    other => self.builder.names().written(other),
                };
                self.body.push(format!("{ty} {result} = {call};"));
                self.assert("assertNotNull", &result);
                if erased(&of.result()) == class {
                    self.assert_fields(at, &result, true);
                }
            }
            Some(value) => {
                if !self.assert_value(call, value, &ty) {
                    self.assert("assertNotNull", call);
                }
            }
        }
        Ok(())
    }

    /// Whether an object is a new one of the program's classes, which is not compared as a whole.
    fn is_opened(&self, at: usize) -> bool {
        let class = self.library.internal_name(self.ending.objects[at].class);
        let is_new = at >= self.witness.objects.len() && self.of.classes.is_user_class(class);
        is_new && !is_comparable(self.of.program, self.ending, at, 0)
    }

    /// What can be seen of the fields of an object.
    fn assert_fields(&mut self, at: usize, way: &str, is_first: bool) {
        let fields = self.ending.objects[at].fields.clone();
        let mut seen = 0;
        for (field, value) in fields {
            let declared = self.library.field(field);
            let declaring = self.library.internal_name(declared.class).to_string();
            if seen < MAX_FIELDS && self.assert_field(&declaring, &declared.name.clone(), way, value, is_first) {
                seen += 1;
            }
        }
    }

    fn assert_field(&mut self, declaring: &str, name: &str, way: &str, value: Concrete, is_first: bool) -> bool {
        let Some(file) = self.of.classes.find(declaring).ok().flatten() else { return false };
        let package = |class: &str| class.rsplit_once('/').map_or(String::new(), |(package, _)| package.to_string());
        let is_same = package(declaring) == package(&self.of.entry.receiver.name);
        let Some((accessor, reach)) = accessor(&file, name, is_same) else { return false };
        let Some(field) = file.fields.iter().find(|field| *field.name == *name) else { return false };
        let way = format!("{way}.{accessor}");
        if let Concrete::Object(at) = value
            && self.is_opened(at)
        {
            self.builder.uses(reach);
            self.assert("assertNotNull", &way);
            // A new object is looked into once.
            if is_first
                && erased(&of_descriptor(&field.descriptor))
                    == self.library.internal_name(self.ending.objects[at].class)
            {
                self.assert_fields(at, &way, false);
            }
            return true;
        }
        if self.assert_value(&way, value, &of_descriptor(&field.descriptor)) {
            self.builder.uses(reach);
            return true;
        }
        false
    }

    fn assert_changes(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Field { index, declaring, name, value } => {
                    if let Some(local) = self.builder.local(*index).map(str::to_string) {
                        self.assert_field(declaring, name, &local, *value, true);
                    }
                }
                Change::Whole { index } => {
                    if let Some(local) = self.builder.local(*index).map(str::to_string) {
                        let class = self.library.internal_name(self.ending.objects[*index].class);
                        let ty = of_descriptor(if class.starts_with('[') { class } else { "Ljava/lang/Object;" });
                        self.assert_whole(&local, *index, &ty);
                    }
                }
            }
        }
    }

    /// Asserts that an expression has a value; says whether there is anything to assert.
    fn assert_value(&mut self, actual: &str, value: Concrete, ty: &Written) -> bool {
        match (value, ty) {
            (Concrete::Null, _) => self.assert("assertNull", actual),
            (Concrete::Bool(true), _) => self.assert("assertTrue", actual),
            (Concrete::Bool(false), _) => self.assert("assertFalse", actual),
            (Concrete::Int(value), Written::Primitive('Z')) => {
                self.assert(if value == 0 { "assertFalse" } else { "assertTrue" }, actual);
            }
            (Concrete::Object(at), _) => {
                if let Some(local) = (at < self.witness.objects.len()).then(|| self.builder.local(at)).flatten() {
                    let local = local.to_string();
                    self.assert("assertSame", &format!("{local}, {actual}"));
                    return true;
                }
                return self.assert_whole(actual, at, ty);
            }
            (value, Written::Primitive(primitive)) => {
                let literal = scalar(value, descriptor::primitive(&primitive.to_string()).unwrap_or(Type::Int));
                let delta = match (self.of.junit, primitive) {
                    (JUnit::Four, 'F') => ", 0.0f",
                    (JUnit::Four, 'D') => ", 0.0",
                    _ => "",
                };
                self.assert("assertEquals", &format!("{literal}, {actual}{delta}"));
            }
            _ => return false,
        }
        true
    }

    /// Asserts that an expression equals an object, where objects of its class are compared by what they hold.
    fn assert_whole(&mut self, actual: &str, at: usize, ty: &Written) -> bool {
        let heap = Heap::new(self.of.program, &self.ending.objects);
        let class = self.library.internal_name(self.ending.objects[at].class);
        if !is_comparable(self.of.program, self.ending, at, 0) {
            return false;
        }
        let boxed = heap.boxed(at);
        let names = self.builder.names().clone();
        let Some(mut builder) =
            Builder::new(self.of.program, self.of.classes, &self.ending.objects, names, Tier::Package, &NONE)
        else {
            return false;
        };
        for index in 0..self.witness.objects.len() {
            if let Some(local) = self.builder.local(index)
                && index != at
            {
                builder.place(index, local);
            }
        }
        let expected = match boxed {
            Some((class, ty, value)) => Ok(format!("{class}.valueOf({})", scalar(value, ty))),
            None => builder.value(Concrete::Object(at), ty, "expected"),
        };
        let Ok(expected) = expected else { return false };
        // The variables of what is expected must not be those of the input.
        let is_plain = builder.statements().is_empty();
        if !is_plain {
            return false;
        }
        *self.builder.names() = builder.names().clone();
        let is_text = matches!(class, "java/lang/StringBuilder" | "java/lang/StringBuffer");
        match () {
            _ if class.starts_with('[') => {
                let delta = match (self.of.junit, class) {
                    (JUnit::Four, "[F") => ", 0.0f",
                    (JUnit::Four, "[D") => ", 0.0",
                    _ => "",
                };
                self.assert("assertArrayEquals", &format!("{expected}, {actual}{delta}"));
            }
            _ if is_text => self.assert("assertEquals", &format!("{expected}.toString(), {actual}.toString()")),
            _ => self.assert("assertEquals", &format!("{expected}, {actual}")),
        }
        true
    }
}

/// Classes of the JDK whose objects are equal if they hold the same.
const BY_VALUE: [&str; 7] = [
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/time/LocalDate",
    "java/time/LocalTime",
    "java/time/Duration",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
];

/// Whether what an object holds can be written down and compared.
fn is_comparable(program: &Program, ending: &Ending, at: usize, depth: usize) -> bool {
    let (heap, Some(library)) = (Heap::new(program, &ending.objects), program.library.as_deref()) else { return false };
    let all = |values: Vec<Concrete>| {
        let is_one = |value: &Concrete| match value {
            Concrete::Object(at) => is_comparable(program, ending, *at, depth + 1),
            _ => true,
        };
        values.iter().all(is_one)
    };
    if heap.text_of(at).is_some() || heap.boxed(at).is_some() || heap.constant(at).is_some() {
        return true;
    }
    let object = &ending.objects[at];
    let class = library.internal_name(object.class);
    if depth > 4 {
        return false;
    }
    if let Some(elements) = heap.elements(at) {
        return depth == 0 && all(elements);
    }
    if let Some(contents) = heap.contents(at) {
        return all(contents);
    }
    let is_record =
        library.class(object.class).superclass.is_some_and(|above| library.internal_name(above) == "java/lang/Record");
    if is_record {
        return all(object.fields.iter().map(|(_, value)| *value).collect());
    }
    BY_VALUE.contains(&class)
}
