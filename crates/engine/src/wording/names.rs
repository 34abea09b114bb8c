//! Initial values by where they stand: variables, fields, elements, and what methods of the library give.

use lazuli_logic::term::Node;
use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::{FieldId, Type};
use lazuli_program::library::LENGTH;

use super::{MAX_NODES, Words, Writer};
use crate::context::Standing;
use crate::known::BOXES;

impl Writer<'_, '_> {
    /// Whether a value is a character: one of a variable, field or element of that type, or of a string.
    pub(super) fn is_char(&self, term: Term) -> bool {
        match self.cx.terms.node(term) {
            Some(Node::Extend { term, signed: false, .. }) => self.is_char(*term),
            Some(Node::Symbol(symbol)) => {
                self.type_of(*symbol) == Some(Type::Char)
                    || matches!(self.cx.standing_in_heap(*symbol), Some(Standing::Element(array, _)) if self.is_text(array))
            }
            _ => false,
        }
    }

    fn type_of(&self, symbol: Symbol) -> Option<Type> {
        self.cx.program.library.as_ref()?;
        match self.cx.standing_in_heap(symbol)? {
            Standing::Input(_) => self.cx.root_type(symbol),
            Standing::Field(_, field) => Some(self.cx.program.field(field).ty),
            Standing::Element(array, _) => self.cx.element_of(self.cx.declared_class(array)),
        }
    }

    /// Whether a symbol names the characters of a string.
    fn is_text(&self, symbol: Symbol) -> bool {
        let Some(known) = &self.cx.known else { return false };
        matches!(self.cx.standing(symbol), Standing::Field(_, field) if field == known.string_value)
    }

    pub(super) fn symbol(&mut self, symbol: Symbol) -> Option<Words> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        if !self.cx.program.semantics.tells_branches() {
            return Some(Words::atom(self.cx.terms.symbol_name(symbol)));
        }
        match self.cx.standing_in_heap(symbol)? {
            Standing::Input(name) => Some(Words::atom(name.as_ref())),
            Standing::Field(holder, field) => self.field(holder, field),
            Standing::Element(array, index) => {
                let index = self.words(index)?.text;
                if self.is_text(array) {
                    let Standing::Field(string, _) = self.cx.standing(array) else { return None };
                    return Some(Words::atom(format!("{}.charAt({index})", self.symbol(string)?.text)));
                }
                if let Standing::Field(list, field) = self.cx.standing(array)
                    && let Some(("java/util/ArrayList" | "java/util/Vector", "elementData")) = self.member(field)
                {
                    return Some(Words::atom(format!("{}.get({index})", self.symbol(list)?.text)));
                }
                Some(Words::atom(format!("{}[{index}]", self.symbol(array)?.text)))
            }
        }
    }

    fn member(&self, field: FieldId) -> Option<(&str, &str)> {
        let library = self.cx.program.library.as_deref()?;
        let declared = library.field(field);
        Some((library.internal_name(declared.class), declared.name.as_str()))
    }

    /// A field of the program's own classes by its name; of the library's, those that a method gives.
    fn field(&mut self, holder: Symbol, field: FieldId) -> Option<Words> {
        if field == LENGTH {
            if self.is_text(holder) {
                let Standing::Field(string, _) = self.cx.standing(holder) else { return None };
                return Some(Words::atom(format!("{}.length()", self.symbol(string)?.text)));
            }
            return Some(Words::atom(format!("{}.length", self.symbol(holder)?.text)));
        }
        let (class, name) = self.member(field).map(|(class, name)| (class.to_string(), name.to_string()))?;
        let library = self.cx.program.library.as_deref()?;
        let of = |writer: &mut Self| writer.symbol(holder).map(|words| words.text);
        if library.is_users(self.cx.program.field(field).class) {
            let holder = match self.is_hidden(holder, field) {
                true => format!("(({}) {})", class.rsplit(['/', '$']).next().unwrap_or(&class), of(self)?),
                false => of(self)?,
            };
            return Some(Words::atom(format!("{holder}.{name}")));
        }
        if BOXES.iter().any(|(known, _)| *known == class) && name == "value" {
            return self.symbol(holder);
        }
        if class == "java/lang/Enum" && ["ordinal", "name"].contains(&name.as_str()) {
            return Some(Words::atom(format!("{}.{name}()", of(self)?)));
        }
        if (class.as_str(), name.as_str()) == ("java/util/LinkedList$Node", "item") {
            return self.linked(holder);
        }
        let simple = class.strip_prefix("java/util/")?;
        let (_, _, call) = GIVEN.iter().find(|(known, field, _)| *known == simple && *field == name)?;
        Some(Words::atom(format!("{}.{call}()", of(self)?)))
    }

    /// Whether a class below the one that declares a field, as an object is declared, has another field of its name.
    fn is_hidden(&mut self, holder: Symbol, field: FieldId) -> bool {
        let program = self.cx.program;
        let declared = program.field(field);
        let hides = |other: &FieldId| {
            let other = program.field(*other);
            other.name == declared.name
                && other.class != declared.class
                && program.is_subclass(other.class, declared.class)
        };
        program.class(self.cx.declared_class(holder)).layout.iter().any(hides)
    }

    /// An element of a `LinkedList`, by the node that has it.
    fn linked(&mut self, node: Symbol) -> Option<Words> {
        let (mut node, mut index) = (node, 0);
        loop {
            let Standing::Field(holder, field) = self.cx.standing_in_heap(node)? else { return None };
            let call = match self.member(field)? {
                ("java/util/LinkedList$Node", "next") => {
                    (node, index) = (holder, index + 1);
                    continue;
                }
                ("java/util/LinkedList", "first") => format!("get({index})"),
                ("java/util/LinkedList", "last") if index == 0 => "getLast()".into(),
                _ => return None,
            };
            return Some(Words::atom(format!("{}.{call}", self.symbol(holder)?.text)));
        }
    }

    /// That an `Optional` has a value, or none.
    pub(super) fn presence(&mut self, reference: Term, is_null: bool) -> Option<Words> {
        let symbol = self.cx.terms.as_symbol(reference)?;
        let Standing::Field(holder, field) = self.cx.standing_in_heap(symbol)? else { return None };
        if self.member(field) != Some(("java/util/Optional", "value")) {
            return None;
        }
        let call = if is_null { "isEmpty" } else { "isPresent" };
        Some(Words::atom(format!("{}.{call}()", self.symbol(holder)?.text)))
    }
}

/// Fields of the JDK's classes in `java.util`, and the methods that give what they hold.
const GIVEN: [(&str, &str, &str); 16] = [
    ("ArrayList", "size", "size"),
    ("HashMap", "size", "size"),
    ("LinkedList", "size", "size"),
    ("Optional", "value", "get"),
    ("OptionalDouble", "value", "getAsDouble"),
    ("OptionalInt", "isPresent", "isPresent"),
    ("OptionalInt", "value", "getAsInt"),
    ("OptionalLong", "value", "getAsLong"),
    ("PriorityQueue", "size", "size"),
    ("TreeMap", "size", "size"),
    ("Vector", "elementCount", "size"),
    ("concurrent/atomic/AtomicBoolean", "value", "get"),
    ("concurrent/atomic/AtomicInteger", "value", "get"),
    ("concurrent/atomic/AtomicLong", "value", "get"),
    ("concurrent/atomic/AtomicReference", "value", "get"),
    ("EnumMap", "size", "size"),
];
