//! One test of one trace: its input as code, the call, and what is asserted of what comes of it.

use std::collections::BTreeSet;

use lazuli::{Concrete, Ending, Executed, Outcome, Program, Trace, TraceFacts, Witness};
use lazuli_program::bytecode::descriptor;
use lazuli_program::bytecode::signature::Written;
use lazuli_program::ir::Type;
use lazuli_program::library::Library;

use super::Attempt;
use super::change::{Change, changed};
use crate::args::test::JUnit;
use crate::code::{
    Builder, Calling, NONE, Reach, Recipes, Tier, accessor, characters, erased, of_descriptor, reach, reach_of_class,
    scalar, text,
};
use crate::report::values::Heap;

/// What tests of a method are written with.
pub struct Drafting<'a> {
    pub calling: Calling<'a>,
    pub junit: JUnit,
}

/// More fields of a result are not looked at.
const MAX_FIELDS: usize = 6;

/// The code of a test, while it is written.
struct Draft<'a> {
    of: Calling<'a>,
    junit: JUnit,
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
        let of = self.calling;
        let library = of.program.library.as_deref().ok_or("the program is not in Java")?;
        let builder = of.builder(&witness.objects, most, recipes).ok_or("the program is not in Java")?;
        let (asserts, body) = (BTreeSet::new(), Vec::new());
        let draft = Draft { of, junit: self.junit, library, witness, ending, builder, asserts, body };
        draft.written(trace, facts)
    }
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
        let call = of.call(&mut self.builder, self.witness)?;
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
        let (tier, executed) = (self.builder.used(), Executed::default());
        Ok(Attempt { tier, imports, asserts: self.asserts, body: self.body, throws, executed, doubt: None })
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
        let this = self.witness.roots.iter().find(|(root, _)| root == "this");
        if let Some((_, this)) = this {
            self.builder.refer(*this, 2);
        }
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
        match self.junit {
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
            None if ty == Written::Primitive('V') && is_all && self.junit == JUnit::Five => {
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
                let delta = match (self.junit, primitive) {
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
                let delta = match (self.junit, class) {
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
