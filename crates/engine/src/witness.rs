//! A witness: a concrete input heap and arguments that drive the program down a path.

use lazuli_logic::{Model, RefValue, Sort, Symbol, Term, Terms, Value};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, Type};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::existing::Existing;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Concrete {
    Bool(bool),
    /// As text where it is written: numbers of JSON are too narrow.
    Int(#[serde(with = "as_text")] i128),
    /// By their bits.
    Float(u32),
    Double(u64),
    Null,
    /// An index into [`Witness::objects`].
    Object(usize),
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &i128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i128, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl Concrete {
    /// The value of a field that nobody has set.
    pub fn default_of(ty: Type) -> Concrete {
        match ty {
            Type::Bool => Concrete::Bool(false),
            Type::Float => Concrete::Float(0),
            Type::Double => Concrete::Double(0),
            Type::Ref(_) | Type::Void => Concrete::Null,
            _ => Concrete::Int(0),
        }
    }

    /// The value as a term of a type; `None` if it does not fit into 64 bits.
    pub(crate) fn term(self, cx: &mut Context, ty: Type, objects: &[Term]) -> Option<Term> {
        Some(match self {
            Concrete::Bool(value) => Term::bool(value),
            Concrete::Int(value) => {
                let value = i64::try_from(value).ok()?;
                match cx.sort(ty) {
                    Sort::Bits(width) => cx.terms.bits(width, value as u64),
                    _ => cx.int(value),
                }
            }
            Concrete::Float(bits) => cx.terms.float(32, bits as u64),
            Concrete::Double(bits) => cx.terms.float(64, bits),
            Concrete::Null => Term::NULL,
            Concrete::Object(index) => objects[index],
        })
    }

    /// The bits of a `char` are a number without a sign: only their type says so.
    fn read_as(&mut self, ty: Option<Type>) {
        if let (Concrete::Int(number), Some(Type::Char)) = (self, ty) {
            *number = i128::from(*number as u16);
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WitnessObject {
    pub class: ClassId,
    /// The access path that led to it first.
    pub name: String,
    /// Which object it is, if it exists before the entry: then its fields are what they are.
    pub existing: Option<Existing>,
    /// The fields that the path depends on; all others are free and have their defaults.
    pub fields: Vec<(FieldId, Concrete)>,
    /// Of an array, the elements that the path depends on.
    pub elements: Vec<(u32, Concrete)>,
}

impl Witness {
    /// About how many characters it takes to write it down.
    pub fn size(&self) -> usize {
        let object =
            |object: &WitnessObject| 64 + object.name.len() + 24 * (object.fields.len() + object.elements.len());
        64 * self.roots.len() + self.objects.iter().map(object).sum::<usize>()
    }
}

impl WitnessObject {
    /// Its fields and elements with their names, for pictures.
    pub fn parts(&self, program: &Program) -> Vec<(String, Concrete)> {
        let fields = self.fields.iter().map(|(field, value)| (program.field(*field).name.clone(), *value));
        let mut elements = self.elements.clone();
        elements.sort_unstable_by_key(|(index, _)| *index);
        fields.chain(elements.into_iter().map(|(index, value)| (format!("[{index}]"), value))).collect()
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Witness {
    /// Inputs or parameters by name, in the order in which the program met them.
    pub roots: Vec<(String, Concrete)>,
    pub objects: Vec<WitnessObject>,
}

/// The name of an initial element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Initial {
    pub array: Term,
    pub holder: Symbol,
    pub index: Term,
    /// Where this is its name. An element has several where it matters what was looked at: see `Arrays::read_where`.
    pub guard: Term,
    /// What the program sees there.
    pub value: Term,
    pub symbol: Symbol,
}

/// Builds a witness from a model, object by object.
pub struct Builder<'a> {
    cx: &'a Context<'a>,
    terms: &'a Terms,
    model: &'a Model,
    objects: FxHashMap<Symbol, usize>,
    pub witness: Witness,
}

impl<'a> Builder<'a> {
    pub fn new(cx: &'a Context, model: &'a Model) -> Builder<'a> {
        Builder { cx, terms: &cx.terms, model, objects: FxHashMap::default(), witness: Witness::default() }
    }

    /// The concrete value of a symbol.
    pub fn value(&mut self, symbol: Symbol) -> Concrete {
        match self.model.value(self.terms, symbol) {
            Value::Bool(value) => Concrete::Bool(value),
            Value::Int(value) => Concrete::Int(value),
            Value::Bits(value) => match self.terms.symbol_info(symbol).sort {
                Sort::Bits(width) => Concrete::Int(signed(width, value)),
                _ => Concrete::Int(value as i128),
            },
            Value::Float(bits) => match self.terms.symbol_info(symbol).sort {
                Sort::Float(32) => Concrete::Float(bits as u32),
                _ => Concrete::Double(bits),
            },
            Value::Ref(RefValue::Null | RefValue::Location(_)) => Concrete::Null,
            Value::Ref(RefValue::Input(object)) => Concrete::Object(self.object(object, symbol)),
        }
    }

    /// An input, by its name and its value.
    pub fn root(&mut self, cx: &Context, symbol: Symbol) {
        let mut value = self.value(symbol);
        value.read_as(cx.root_type(symbol));
        self.witness.roots.push((cx.terms.symbol_name(symbol), value));
    }

    /// The object that the model calls `object`; `symbol` names it if it is new.
    pub(crate) fn object(&mut self, object: Symbol, symbol: Symbol) -> usize {
        *self.objects.entry(object).or_insert_with(|| {
            let class = ClassId(self.model.class(self.terms, object));
            self.witness.objects.push(WitnessObject {
                class,
                name: self.terms.symbol_name(symbol),
                existing: self.cx.existing_object(object).cloned(),
                fields: Vec::new(),
                elements: Vec::new(),
            });
            self.witness.objects.len() - 1
        })
    }

    /// The object of the input that a symbol denotes: what exists before the entry is none, and its fields are what they are.
    pub fn object_of(&mut self, symbol: Symbol) -> Option<usize> {
        match self.value(symbol) {
            Concrete::Object(index) if self.witness.objects[index].existing.is_none() => Some(index),
            _ => None,
        }
    }
}

impl Builder<'_> {
    /// The elements of input arrays. Several names may mean one element: the first is its value.
    pub fn elements(&mut self, named: &[Initial]) {
        self.elements_where(named, |_| true);
    }

    /// Likewise, by those names that mean something.
    pub fn elements_where(&mut self, named: &[Initial], holds: impl Fn(&Initial) -> bool) {
        for initial in named.iter().filter(|initial| holds(initial)) {
            let Some(object) = self.object_of(initial.holder) else { continue };
            let Some(Value::Bits(index)) = self.terms.eval(initial.index, self.model) else { continue };
            let index = index as u32;
            // A character of a string that no clause mentions is free: see `readable.rs`.
            if self.terms.symbol_info(initial.holder).unique && self.model.get(initial.symbol).is_none() {
                continue;
            }
            let value = self.value(initial.symbol);
            let elements = &mut self.witness.objects[object].elements;
            if elements.iter().all(|(at, _)| *at != index) {
                elements.push((index, value));
            }
        }
    }
}

/// A bit-vector read as a signed number.
pub fn signed(width: u8, value: u64) -> i128 {
    let shift = 64 - width as u32;
    (((value << shift) as i64) >> shift) as i128
}

impl Witness {
    /// Reads the fields and elements of its objects by their types.
    pub(crate) fn read_chars(&mut self, cx: &Context) {
        for object in &mut self.objects {
            object.fields.iter_mut().for_each(|(field, value)| value.read_as(Some(cx.program.field(*field).ty)));
            let element = cx.element_of(object.class);
            object.elements.iter_mut().for_each(|(_, value)| value.read_as(element));
        }
    }

    /// One line a root and an object, for people.
    pub fn show(&self, program: &Program) -> Vec<String> {
        let mut lines: Vec<String> =
            self.roots.iter().map(|(name, value)| format!("{name} = {}", self.show_value(program, *value))).collect();
        for (index, object) in self.objects.iter().enumerate().filter(|(_, object)| object.existing.is_none()) {
            let fields: Vec<String> = object
                .fields
                .iter()
                .map(|(field, value)| format!("{} = {}", program.field(*field).name, self.show_value(program, *value)))
                .collect();
            let elements = object.elements.iter();
            let elements = elements.map(|(at, value)| format!("[{at}] = {}", self.show_value(program, *value)));
            let all: Vec<String> = fields.into_iter().chain(elements).collect();
            lines.push(format!("{} {{ {} }}", self.show_object(program, index), all.join(", ")));
        }
        lines
    }

    fn show_object(&self, program: &Program, index: usize) -> String {
        if let Some(existing) = &self.objects[index].existing {
            return existing.to_string();
        }
        format!("{}@{}", program.class(self.objects[index].class).name, index + 1)
    }

    fn show_value(&self, program: &Program, value: Concrete) -> String {
        match value {
            Concrete::Bool(value) => value.to_string(),
            Concrete::Int(value) => value.to_string(),
            Concrete::Float(bits) => format!("{:?}f", f32::from_bits(bits)),
            Concrete::Double(bits) => format!("{:?}", f64::from_bits(bits)),
            Concrete::Null => "null".into(),
            Concrete::Object(index) => self.show_object(program, index),
        }
    }
}
