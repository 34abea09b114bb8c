//! Values of a witness as the program's language writes them: `"Ørsted"`, `'x'`, `List.of(3, 1)`, `new int[]{1, 2}`, `Color.RED`. An object that
//! has no such form is shown with its fields; one that was shown before, by the way to it.

use lazuli::{Concrete, Existing, Program, WitnessObject};
use lazuli_program::escape;
use lazuli_program::frontend::java::phrase::{char_literal, simple_name, string_literal};
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::LENGTH;

use super::collections::Collection;

/// More elements of an array or a collection are not written out.
const MAX_ELEMENTS: usize = 24;
/// Objects within objects are written out to this depth.
const MAX_DEPTH: usize = 40;

/// A concrete heap with the names of the objects that a reader has met.
pub struct Heap<'a> {
    pub(super) program: &'a Program,
    pub(super) objects: &'a [WitnessObject],
    /// For each object the way by which it was first shown.
    ways: Vec<Option<String>>,
}

impl<'a> Heap<'a> {
    pub fn new(program: &'a Program, objects: &'a [WitnessObject]) -> Heap<'a> {
        Heap { program, objects, ways: vec![None; objects.len()] }
    }

    /// A value at the end of a way, which is where its objects are shown from now on.
    pub fn show(&mut self, value: Concrete, ty: Option<Type>, way: &str) -> String {
        self.value(value, ty, way, 0)
    }

    fn value(&mut self, value: Concrete, ty: Option<Type>, way: &str, depth: usize) -> String {
        match value {
            Concrete::Object(index) => self.object(index, way, depth),
            other => scalar(other, ty),
        }
    }

    fn object(&mut self, index: usize, way: &str, depth: usize) -> String {
        if let Some(literal) = self.literal(index) {
            return literal;
        }
        if let Some(known) = &self.ways[index] {
            return known.clone();
        }
        if depth >= MAX_DEPTH {
            return "…".into();
        }
        self.ways[index] = Some(way.to_string());
        if let Some(elements) = self.elements(index) {
            return self.array(index, elements, way, depth);
        }
        if let Some(collection) = self.collection(index) {
            return self.collected(collection, way, depth);
        }
        self.record(index, way, depth).unwrap_or_else(|| self.fields(index, way, depth))
    }

    /// `Account { balance = 5 }`.
    fn fields(&mut self, index: usize, way: &str, depth: usize) -> String {
        let object = &self.objects[index];
        let class = self.class_name(object.class);
        let mut parts = Vec::new();
        for (field, value) in &object.fields {
            let name = self.field_name(object.class, *field);
            let shown = self.value(*value, Some(self.program.field(*field).ty), &format!("{way}.{name}"), depth + 1);
            parts.push(format!("{name} = {shown}"));
        }
        match parts.is_empty() {
            true => format!("any {class}"),
            false => format!("{class} {{ {} }}", parts.join(", ")),
        }
    }

    /// `new Point(1, 2)`, where all components are known.
    fn record(&mut self, index: usize, way: &str, depth: usize) -> Option<String> {
        let library = self.program.library.as_deref()?;
        let object = &self.objects[index];
        let superclass = library.class(object.class).superclass?;
        if library.internal_name(superclass) != "java/lang/Record" {
            return None;
        }
        let layout = &library.class(object.class).layout;
        let own: Vec<FieldId> =
            layout.iter().copied().filter(|field| library.field(*field).class == object.class).collect();
        let mut parts = Vec::new();
        for field in own {
            let (name, ty) = (library.field(field).name.clone(), library.field(field).ty);
            // What the path does not depend on has its default.
            let value = self.field(index, field).unwrap_or(Concrete::default_of(ty));
            parts.push(self.value(value, Some(ty), &format!("{way}.{name}()"), depth + 1));
        }
        Some(format!("new {}({})", self.class_name(object.class), parts.join(", ")))
    }

    fn array(&mut self, index: usize, elements: Vec<Concrete>, way: &str, depth: usize) -> String {
        let class = self.objects[index].class;
        let element = self.program.library.as_deref().and_then(|library| library.java(class).element);
        let name = self.class_name(class);
        let zero = Concrete::default_of(element.unwrap_or(Type::Int));
        if elements.len() > 2 && elements.iter().all(|value| *value == zero) {
            return format!("new {}", name.replacen("[]", &format!("[{}]", elements.len()), 1));
        }
        let mut shown = Vec::new();
        for (at, value) in elements.iter().enumerate().take(MAX_ELEMENTS) {
            shown.push(self.value(*value, element, &format!("{way}[{at}]"), depth + 1));
        }
        if elements.len() > MAX_ELEMENTS {
            shown.push("…".into());
        }
        format!("new {name}{{{}}}", shown.join(", "))
    }

    fn collected(&mut self, collection: Collection, way: &str, depth: usize) -> String {
        let mut shown = Vec::new();
        for (at, value) in collection.values.iter().enumerate().take(MAX_ELEMENTS) {
            let way = match collection.is_map {
                true => format!("{way}.get(..)"),
                false => format!("{way}.get({at})"),
            };
            shown.push(self.value(*value, None, &way, depth + 1));
        }
        if collection.values.len() > MAX_ELEMENTS {
            shown.push("…".into());
        }
        collection.write(&shown)
    }

    /// What is written as one word, however often it is met: a string, a box, an enum's constant, a class.
    fn literal(&self, index: usize) -> Option<String> {
        if let Some(units) = self.text_of(index) {
            return Some(string_literal(&units));
        }
        if let Some((_, ty, value)) = self.boxed(index) {
            return Some(scalar(value, Some(ty)));
        }
        self.constant(index)
    }

    /// A box: its class, and what it holds.
    pub fn boxed(&self, index: usize) -> Option<(&'static str, Type, Concrete)> {
        let library = self.program.library.as_deref()?;
        let (class, ty) = boxed(library.internal_name(self.objects[index].class))?;
        // What exists before the entry holds what its name says.
        let value = match &self.objects[index].existing {
            Some(Existing::Boxed { value, .. }) => Some(Concrete::Int((*value).into())),
            _ => self.named(index, "value"),
        };
        Some((class, ty, value.unwrap_or(Concrete::default_of(ty))))
    }

    /// An enum's constant or a class, as the source writes it.
    pub fn constant(&self, index: usize) -> Option<String> {
        let library = self.program.library.as_deref()?;
        let object = &self.objects[index];
        if let Some(existing) = &object.existing {
            return Some(escape::line(&without_package(&existing.to_string())).into_owned());
        }
        if library.is_subclass(object.class, library.class_id("java/lang/Enum")) {
            // Of a constant the last two names are wanted.
            let simple: Vec<&str> = object.name.rsplitn(3, '.').collect();
            if let [constant, class, ..] = simple.as_slice()
                && constant.chars().next().is_some_and(char::is_uppercase)
            {
                let class = class.rsplit('$').next().unwrap_or_default();
                return Some(escape::line(&format!("{class}.{constant}")).into_owned());
            }
            if let Some(Concrete::Object(name)) = self.named(index, "name") {
                let name = String::from_utf16_lossy(&self.text_of(name)?);
                return Some(format!("{}.{}", self.class_name(object.class), escape::line(&name)));
            }
        }
        object.name.ends_with(".class").then(|| escape::line(&object.name).into_owned())
    }

    /// Whether an object is the characters of a string.
    pub fn is_text(&self, index: usize) -> bool {
        let is_string = |at: &usize| self.is_string(*at);
        let holders = (0..self.objects.len()).filter(is_string);
        holders.into_iter().any(|at| self.reference(at, "value") == Some(index))
    }

    fn is_string(&self, index: usize) -> bool {
        let library = self.program.library.as_deref();
        library.is_some_and(|library| library.internal_name(self.objects[index].class) == "java/lang/String")
    }

    /// The characters of a string; nothing if it is none.
    pub fn text_of(&self, index: usize) -> Option<Vec<u16>> {
        if !self.is_string(index) {
            return None;
        }
        if let Some(Existing::Literal { units }) = &self.objects[index].existing {
            return Some(units.clone());
        }
        let Concrete::Object(array) = self.named(index, "value").unwrap_or(Concrete::Null) else {
            // A string whose characters do not matter has none.
            return self.objects[index].fields.is_empty().then(Vec::new);
        };
        let wide = matches!(self.named(index, "coder"), Some(Concrete::Int(1)));
        let bytes: Vec<u8> = self
            .elements(array)?
            .iter()
            .map(|byte| if let Concrete::Int(byte) = byte { *byte as u8 } else { 0 })
            .collect();
        Some(match wide {
            true => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
            false => bytes.into_iter().map(u16::from).collect(),
        })
    }

    /// The elements of an array, within its length; nothing if it is none.
    pub fn elements(&self, index: usize) -> Option<Vec<Concrete>> {
        let object = &self.objects[index];
        let element = self.program.library.as_deref()?.java(object.class).element?;
        let length = match self.field(index, LENGTH) {
            Some(Concrete::Int(length)) => usize::try_from(length).ok()?,
            _ => 0,
        };
        let mut elements = vec![Concrete::default_of(element); length.min(1 << 16)];
        for (at, value) in &object.elements {
            if let Some(place) = elements.get_mut(*at as usize) {
                *place = *value;
            }
        }
        Some(elements)
    }

    fn field(&self, index: usize, field: FieldId) -> Option<Concrete> {
        self.objects[index].fields.iter().find(|(known, _)| *known == field).map(|(_, value)| *value)
    }

    /// A field by its name.
    pub(super) fn named(&self, index: usize, name: &str) -> Option<Concrete> {
        let fields = self.objects[index].fields.iter();
        fields.rev().find(|(field, _)| self.program.field(*field).name == name).map(|(_, value)| *value)
    }

    pub(super) fn reference(&self, index: usize, name: &str) -> Option<usize> {
        match self.named(index, name)? {
            Concrete::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(super) fn size(&self, index: usize, name: &str) -> Option<usize> {
        match self.named(index, name) {
            Some(Concrete::Int(size)) => usize::try_from(size).ok(),
            Some(_) => None,
            None => Some(0),
        }
    }

    /// The class of an object of a Java program, by its internal name.
    pub(super) fn internal_name(&self, index: usize) -> Option<&str> {
        Some(self.program.library.as_deref()?.internal_name(self.objects[index].class))
    }

    pub fn class_name(&self, class: ClassId) -> String {
        match self.program.library.as_deref() {
            Some(library) => simple_name(library.internal_name(class)),
            None => self.program.class(class).name.clone(),
        }
    }

    /// A field's name; with its class where the object has two of the name.
    pub fn field_name(&self, class: ClassId, field: FieldId) -> String {
        let declared = self.program.field(field);
        let layout = &self.program.class(class).layout;
        let is_hidden = layout.iter().filter(|other| self.program.field(**other).name == declared.name).count() > 1;
        match is_hidden {
            true => format!("{}.{}", self.class_name(declared.class), declared.name),
            false => escape::line(&declared.name).into_owned(),
        }
    }

    /// What differs at the end of a run, by the ways of the input: `this.balance: 5 → 3`. Both heaps have shown the inputs.
    pub fn changes(program: &Program, before: &Heap, after: &[WitnessObject]) -> Vec<String> {
        let mut lines = Vec::new();
        let (mut old, mut new) = (Heap::new(program, before.objects), Heap::new(program, after));
        for (index, way) in before.ways.iter().enumerate() {
            old.ways[index].clone_from(way);
            new.ways[index].clone_from(way);
        }
        for (index, way) in before.ways.iter().enumerate() {
            let Some(way) = way else { continue };
            old.compare(&mut new, index, way, &mut lines);
        }
        lines
    }

    fn compare(&mut self, new: &mut Self, index: usize, way: &str, lines: &mut Vec<String>) {
        let Some(after) = new.objects.get(index) else { return };
        if self.elements(index).is_some() || self.collection(index).is_some() {
            let texts = [&mut *self, &mut *new].map(|heap| {
                let known = heap.ways[index].take();
                let text = heap.object(index, way, 0);
                heap.ways[index] = known;
                text
            });
            if texts[0] != texts[1] {
                lines.push(format!("{way}: {} → {}", texts[0], texts[1]));
            }
            return;
        }
        let class = after.class;
        for (field, value) in after.fields.clone() {
            let ty = self.program.field(field).ty;
            let old = self.field(index, field).unwrap_or(Concrete::default_of(ty));
            let name = self.field_name(class, field);
            let place = format!("{way}.{name}");
            if !self.is_users(field) {
                continue;
            }
            let is_same = match (old, value) {
                (Concrete::Object(a), Concrete::Object(b)) => {
                    a == b || self.literal(a).is_some() && self.literal(a) == new.literal(b)
                }
                (a, b) => a == b,
            };
            if !is_same {
                let old = match old {
                    Concrete::Object(at) if self.ways[at].as_ref() == Some(&place) => {
                        format!("{} {{…}}", self.class_name(self.objects[at].class))
                    }
                    old => self.value(old, Some(ty), &place, 0),
                };
                let new = new.value(value, Some(ty), &place, 0);
                lines.push(format!("{place}: {old} → {new}"));
            }
        }
    }

    /// Whether a field is one of the program's classes, and no inside of the library.
    fn is_users(&self, field: FieldId) -> bool {
        let library = self.program.library.as_deref();
        library.is_none_or(|library| library.is_users(library.field(field).class))
    }
}

/// The name of a static without its package, which is written small.
fn without_package(name: &str) -> String {
    let is_name = name.chars().next().is_some_and(char::is_alphabetic) && !name.contains(['"', '(', ' ']);
    let class = name.split('.').position(|part| part.chars().next().is_some_and(char::is_uppercase));
    match class.filter(|_| is_name) {
        Some(first) => name.split('.').skip(first).collect::<Vec<_>>().join("."),
        None => name.into(),
    }
}

fn boxed(internal: &str) -> Option<(&'static str, Type)> {
    const BOXES: [(&str, Type); 8] = [
        ("Boolean", Type::Bool),
        ("Byte", Type::Byte),
        ("Character", Type::Char),
        ("Short", Type::Short),
        ("Integer", Type::Int),
        ("Long", Type::Long),
        ("Float", Type::Float),
        ("Double", Type::Double),
    ];
    let name = internal.strip_prefix("java/lang/")?;
    BOXES.iter().find(|(known, _)| *known == name).copied()
}

/// A value that is no object, as a literal of its type.
pub fn scalar(value: Concrete, ty: Option<Type>) -> String {
    match (value, ty) {
        (Concrete::Bool(value), _) => value.to_string(),
        (Concrete::Int(value), Some(Type::Bool)) => (value != 0).to_string(),
        (Concrete::Int(value), Some(Type::Char)) => char_literal(value as u16),
        (Concrete::Int(value), Some(Type::Long)) => format!("{value}L"),
        (Concrete::Int(value), _) => value.to_string(),
        (Concrete::Float(bits), _) => {
            float(f32::from_bits(bits).into(), format!("{:?}f", f32::from_bits(bits)), "Float")
        }
        (Concrete::Double(bits), _) => float(f64::from_bits(bits), format!("{:?}", f64::from_bits(bits)), "Double"),
        (Concrete::Null, _) => "null".into(),
        (Concrete::Object(_), _) => "…".into(),
    }
}

fn float(value: f64, text: String, class: &str) -> String {
    if value.is_nan() {
        return format!("{class}.NaN");
    }
    match value {
        f64::INFINITY => format!("{class}.POSITIVE_INFINITY"),
        f64::NEG_INFINITY => format!("{class}.NEGATIVE_INFINITY"),
        _ => text.replace('e', "E"),
    }
}

/// A value with its name, on one line if it fits, and otherwise as a small tree: an object a line, what it refers to below it.
pub fn draw(heap: &mut Heap, name: &str, value: Concrete, ty: Option<Type>, width: usize) -> Vec<String> {
    let before = heap.ways.clone();
    let line = match (value, heap.way_of(value)) {
        (Concrete::Object(_), Some(known)) => format!("{name} is {known}"),
        _ => format!("{name} = {}", heap.show(value, ty, name)),
    };
    let Concrete::Object(index) = value else { return vec![line] };
    if line.chars().count() <= width || heap.is_compact(index) {
        return vec![line];
    }
    heap.ways = before;
    let mut lines = Vec::new();
    heap.tree(index, &format!("{name} = "), name, "", &mut lines);
    lines
}

impl Heap<'_> {
    /// The way by which an object was shown, unless it is always written out.
    fn way_of(&self, value: Concrete) -> Option<String> {
        let Concrete::Object(index) = value else { return None };
        self.ways[index].clone().filter(|_| self.literal(index).is_none())
    }

    /// Whether an object has a form of its own, however long.
    fn is_compact(&self, index: usize) -> bool {
        self.literal(index).is_some() || self.elements(index).is_some() || self.collection(index).is_some()
    }

    fn tree(&mut self, index: usize, head: &str, way: &str, margin: &str, lines: &mut Vec<String>) {
        self.ways[index] = Some(way.to_string());
        let object = &self.objects[index];
        let class = self.class_name(object.class);
        let (mut parts, mut below) = (Vec::new(), Vec::new());
        for (field, value) in &object.fields {
            let name = self.field_name(object.class, *field);
            match *value {
                Concrete::Object(at) if self.ways[at].is_none() && !self.is_compact(at) => below.push((name, at)),
                value => {
                    let ty = self.program.field(*field).ty;
                    let shown = self.value(value, Some(ty), &format!("{way}.{name}"), 1);
                    parts.push(format!("{name} = {shown}"));
                }
            }
        }
        lines.push(format!("{head}{class} {{ {} }}", parts.join(", ")));
        for (number, (name, at)) in below.iter().enumerate() {
            let is_last = number + 1 == below.len();
            let (branch, under) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            // A deep list would run off to the right: its nodes stand below each other.
            let place = format!("{way}.{name}");
            match &self.ways[*at] {
                Some(known) => lines.push(format!("{margin}{branch}{name} = {}", known.clone())),
                None if lines.len() > MAX_LINES => lines.push(format!("{margin}{branch}{name} = …")),
                None => {
                    self.tree(*at, &format!("{margin}{branch}{name} = "), &place, &format!("{margin}{under}"), lines)
                }
            }
        }
    }
}

/// A tree with more lines is cut.
const MAX_LINES: usize = 40;
