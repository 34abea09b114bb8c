//! Objects that exist before the entry, by names that mean the same in every process, and in a virtual machine.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// An object that exists before the entry. Classes have the names that `Class.forName` takes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Existing {
    /// What a static field holds after its class was initialised (a constant of an enum is one), or what is reached from there.
    Static {
        class: String,
        field: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        path: Vec<Reached>,
    },
    /// What `valueOf` of a class of boxes gives for a number that its cache has; a truth value is 0 or 1.
    Boxed { class: String, value: i64 },
    /// A constant string, by its UTF-16 units.
    Literal { units: Vec<u16> },
    /// The object of a class.
    Class { class: String },
}

/// A step from one object to the next.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// An instance field, with the class that declares it.
    Field {
        class: String,
        name: String,
    },
    Element(u32),
}

/// What private statics of the JDK hold, by the calls that give it.
const GIVEN: [(&str, &str, &str); 7] = [
    ("java.util.ImmutableCollections", "EMPTY_LIST", "List.of()"),
    ("java.util.ImmutableCollections", "EMPTY_MAP", "Map.of()"),
    ("java.util.ImmutableCollections", "EMPTY_SET", "Set.of()"),
    ("java.util.Optional", "EMPTY", "Optional.empty()"),
    ("java.util.OptionalDouble", "EMPTY", "OptionalDouble.empty()"),
    ("java.util.OptionalInt", "EMPTY", "OptionalInt.empty()"),
    ("java.util.OptionalLong", "EMPTY", "OptionalLong.empty()"),
];

impl Existing {
    /// The call that gives it, where its name is nobody's to write.
    pub fn call(&self) -> Option<&'static str> {
        let Existing::Static { class, field, path } = self else { return None };
        let given = GIVEN.iter().find(|(holder, name, _)| path.is_empty() && holder == class && name == field);
        given.map(|(_, _, call)| *call)
    }
}

/// As in a program.
impl fmt::Display for Existing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(call) = self.call() {
            return f.write_str(call);
        }
        match self {
            Existing::Static { class, field, path } => {
                write!(f, "{}.{field}", short(class))?;
                path.iter().try_for_each(|reached| match reached {
                    Reached::Field { name, .. } => write!(f, ".{name}"),
                    Reached::Element(index) => write!(f, "[{index}]"),
                })
            }
            Existing::Boxed { class, value } => {
                let class = short(class);
                match class.as_str() {
                    "Boolean" => write!(f, "Boolean.{}", if *value == 1 { "TRUE" } else { "FALSE" }),
                    "Character" => {
                        let unit = char::from_u32(*value as u32).unwrap_or_default();
                        write!(f, "Character.valueOf({unit:?})")
                    }
                    _ => write!(f, "{class}.valueOf({value})"),
                }
            }
            Existing::Class { class } => write!(f, "{}.class", short(class)),
            Existing::Literal { units } => write!(f, "{:?}", String::from_utf16_lossy(units)),
        }
    }
}

/// The name of a class as people write it, of an array too.
fn short(class: &str) -> String {
    if let Some(element) = class.strip_prefix('[') {
        return short(element.strip_prefix('L').map_or_else(|| of_letter(element), |name| name.trim_end_matches(';')))
            + "[]";
    }
    class.strip_prefix("java.lang.").filter(|name| !name.contains('.')).unwrap_or(class).replace('$', ".")
}

/// The primitive type that a letter stands for in the name of an array's class; an array stays as it is.
fn of_letter(letter: &str) -> &str {
    match letter {
        "B" => "byte",
        "C" => "char",
        "D" => "double",
        "F" => "float",
        "I" => "int",
        "J" => "long",
        "S" => "short",
        "Z" => "boolean",
        array => array,
    }
}

/// What exists before the entry and may be an input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Offered {
    /// The enums whose constants may be inputs, by their names: no other object of them can be.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub enums: BTreeSet<String>,
    /// Other objects.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub objects: BTreeSet<Existing>,
}

impl Offered {
    pub fn is_empty(&self) -> bool {
        self.enums.is_empty() && self.objects.is_empty()
    }

    pub fn extend(&mut self, other: Offered) {
        self.enums.extend(other.enums);
        self.objects.extend(other.objects);
    }
}
