//! Objects of the JDK by what they hold, as a program would make them: `new ArrayList<>(List.of(3, 1))`, `new StringBuilder("ab")`,
//! `Optional.of(5)`. What is not well formed, or not known to the end, has no such form.

use lazuli::{Concrete, Existing};
use lazuli_program::frontend::java::phrase::{simple_name, string_literal};
use lazuli_program::library::access;

use super::values::Heap;

/// What an object of the JDK holds, and how Java writes it.
pub(super) struct Collection {
    form: Form,
    pub values: Vec<Concrete>,
    /// Whether keys and values alternate.
    pub is_map: bool,
}

/// How the contents are written.
enum Form {
    /// A call with them as arguments: `List.of`.
    Call(String),
    /// A copy of a list or set that has them.
    Copy { class: String, of: &'static str },
    /// A copy of a map that has them; of one without entries, this.
    Map { class: String, empty: String, is_ordered: bool },
    /// A map of these keys; without any, this.
    Keyed { keys: Vec<String>, empty: String },
    /// They are put in one by one, by a method.
    OneByOne { class: String, by: &'static str },
    /// Something without parts.
    Plain(String),
}

/// `Map.of` takes no more entries.
const MAX_MAP_OF: usize = 10;

impl Collection {
    fn plain(text: String) -> Option<Collection> {
        Some(Collection { form: Form::Plain(text), values: Vec::new(), is_map: false })
    }

    fn call(name: impl Into<String>, values: Vec<Concrete>) -> Option<Collection> {
        Some(Collection { form: Form::Call(name.into()), values, is_map: false })
    }

    fn copy(class: &str, of: &'static str, values: Vec<Concrete>) -> Option<Collection> {
        Some(Collection { form: Form::Copy { class: class.into(), of }, values, is_map: false })
    }

    fn map(class: &str, empty: String, entries: Vec<Concrete>) -> Option<Collection> {
        let is_ordered = class == "LinkedHashMap";
        Some(Collection { form: Form::Map { class: class.into(), empty, is_ordered }, values: entries, is_map: true })
    }

    /// The text, given those of what it holds.
    pub fn write(&self, shown: &[String]) -> String {
        let has_null = self.values.contains(&Concrete::Null);
        let all = shown.join(", ");
        match &self.form {
            Form::Plain(text) => text.clone(),
            Form::Call(name) => format!("{name}({all})"),
            Form::Copy { class, .. } if self.values.is_empty() => format!("new {class}<>()"),
            // `List.of` refuses null, and one null alone is no array of arguments.
            Form::Copy { class, .. } if has_null && self.values.len() == 1 => {
                format!("new {class}<>(Collections.singletonList({all}))")
            }
            Form::Copy { class, .. } if has_null => format!("new {class}<>(Arrays.asList({all}))"),
            Form::Copy { class, of } => format!("new {class}<>({of}({all}))"),
            Form::Map { empty, .. } if self.values.is_empty() => empty.clone(),
            Form::Map { class, .. } if has_null && self.values.len() == 2 => {
                format!("new {class}<>(Collections.singletonMap({all}))")
            }
            // `Map.of` refuses null, and has no order.
            Form::Map { class, is_ordered, .. }
                if has_null || *is_ordered && self.values.len() > 2 || self.values.len() > 2 * MAX_MAP_OF =>
            {
                let puts: Vec<String> = shown.chunks(2).map(|entry| format!("put({});", entry.join(", "))).collect();
                format!("new {class}<>() {{{{ {} }}}}", puts.join(" "))
            }
            Form::Map { class, .. } => format!("new {class}<>(Map.of({all}))"),
            Form::Keyed { empty, .. } if self.values.is_empty() => empty.clone(),
            Form::Keyed { keys, empty } => {
                let puts: Vec<String> =
                    keys.iter().zip(shown).map(|(key, value)| format!("put({key}, {value});")).collect();
                format!("{empty} {{{{ {} }}}}", puts.join(" "))
            }
            Form::OneByOne { class, .. } if self.values.is_empty() => format!("new {class}<>()"),
            Form::OneByOne { class, by } => {
                let calls: Vec<String> = shown.iter().map(|value| format!("{by}({value});")).collect();
                format!("new {class}<>() {{{{ {} }}}}", calls.join(" "))
            }
        }
    }
}

/// Collections that a program makes from what they hold.
const HOLDERS: [&str; 11] = [
    "java/util/ArrayList",
    "java/util/Arrays$ArrayList",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/ImmutableCollections$List12",
    "java/util/ImmutableCollections$ListN",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/Optional",
    "java/util/TreeMap",
];

impl Heap<'_> {
    /// What a collection of the JDK holds; nothing if it is none, or if a part of it is not known.
    pub fn contents(&self, index: usize) -> Option<Vec<Concrete>> {
        let internal = self.internal_name(index).filter(|internal| HOLDERS.contains(internal))?;
        if internal == "java/util/LinkedList" && self.linked(index)?.contains(&None) {
            return None;
        }
        self.collection(index).map(|collection| collection.values)
    }

    /// An object of the JDK by its contents; nothing if it has no such form, or is not well formed.
    pub(super) fn collection(&self, index: usize) -> Option<Collection> {
        let internal = self.internal_name(index)?;
        let simple = simple_name(internal);
        match internal {
            "java/util/ArrayList" | "java/util/Vector" => {
                let size = if simple == "Vector" { "elementCount" } else { "size" };
                Collection::copy(&simple, "List.of", self.first_elements(index, "elementData", size)?)
            }
            "java/util/Stack" => {
                let values = self.first_elements(index, "elementData", "elementCount")?;
                Some(Collection { form: Form::OneByOne { class: simple, by: "push" }, values, is_map: false })
            }
            "java/util/PriorityQueue" => {
                Collection::copy(&simple, "List.of", self.first_elements(index, "queue", "size")?)
            }
            "java/util/LinkedList" => {
                // Those in the middle that nobody has looked at are any: null does.
                let values = self.linked(index)?.into_iter().map(|value| value.unwrap_or(Concrete::Null));
                Collection::copy(&simple, "List.of", values.collect())
            }
            "java/util/ArrayDeque" => Collection::copy(&simple, "List.of", self.circular(index)?),
            "java/util/HashMap" | "java/util/LinkedHashMap" | "java/util/TreeMap" => {
                Collection::map(&simple, format!("new {simple}<>()"), self.entries(index)?)
            }
            "java/util/EnumMap" => self.enum_map(index),
            "java/util/RegularEnumSet" => {
                let class = self.reference(index, "elementType")?;
                let bits = match self.named(index, "elements") {
                    Some(Concrete::Int(bits)) => bits as u64,
                    _ => 0,
                };
                let all = self.enum_constants(class)?;
                let chosen: Vec<&str> =
                    (0..all.len().min(64)).filter(|at| bits >> at & 1 == 1).map(|at| all[at].as_str()).collect();
                match chosen.is_empty() {
                    true => Collection::plain(format!("EnumSet.noneOf({})", self.constant(class)?)),
                    false => Collection::plain(format!("EnumSet.of({})", chosen.join(", "))),
                }
            }
            "java/util/HashSet" | "java/util/LinkedHashSet" | "java/util/TreeSet" => {
                let map = if simple == "TreeSet" { "m" } else { "map" };
                let keys = self.entries(self.reference(index, map)?)?.into_iter().step_by(2).collect();
                // A set of the JDK has no order.
                Collection::copy(&simple, if simple == "LinkedHashSet" { "List.of" } else { "Set.of" }, keys)
            }
            "java/util/AbstractMap$SimpleEntry" | "java/util/AbstractMap$SimpleImmutableEntry" => {
                let part = |name| self.named(index, name).unwrap_or(Concrete::Null);
                Collection::call(format!("new {simple}<>"), vec![part("key"), part("value")])
            }
            "java/util/Optional" => match self.named(index, "value").unwrap_or(Concrete::Null) {
                Concrete::Null => Collection::plain("Optional.empty()".into()),
                value => Collection::call("Optional.of", vec![value]),
            },
            _ => self.fixed(index, internal).or_else(|| self.number(index, internal)),
        }
    }

    /// Lists, sets and maps that do not change.
    fn fixed(&self, index: usize, internal: &str) -> Option<Collection> {
        // A mark for "no element" is a plain object.
        let is_mark = |value: &Concrete| match value {
            Concrete::Object(at) => self.internal_name(*at) == Some("java/lang/Object"),
            _ => false,
        };
        let named = |names: [&str; 2]| {
            let values = names.iter().filter_map(|name| self.named(index, name));
            values.filter(|value| *value != Concrete::Null && !is_mark(value)).collect::<Vec<_>>()
        };
        let array = |name: &str| self.elements(self.reference(index, name)?);
        let filled = |name: &str| {
            let all = array(name)?.into_iter();
            Some(all.filter(|value| *value != Concrete::Null).collect::<Vec<_>>())
        };
        match internal {
            "java/util/ImmutableCollections$ListN" => Collection::call("List.of", array("elements")?),
            "java/util/ImmutableCollections$List12" => Collection::call("List.of", named(["e0", "e1"])),
            "java/util/ImmutableCollections$Set12" => Collection::call("Set.of", named(["e0", "e1"])),
            "java/util/ImmutableCollections$SetN" => Collection::call("Set.of", filled("elements")?),
            "java/util/ImmutableCollections$Map1" => {
                Some(Collection { is_map: true, ..Collection::call("Map.of", named(["k0", "v0"]))? })
            }
            "java/util/ImmutableCollections$MapN" => {
                Some(Collection { is_map: true, ..Collection::call("Map.of", filled("table")?)? })
            }
            "java/util/Arrays$ArrayList" => Collection::call("Arrays.asList", array("a")?),
            "java/util/Collections$EmptyList" => Collection::plain("Collections.emptyList()".into()),
            "java/util/Collections$EmptyMap" => Collection::plain("Collections.emptyMap()".into()),
            "java/util/Collections$EmptySet" => Collection::plain("Collections.emptySet()".into()),
            "java/util/Collections$SingletonList" => {
                Collection::call("Collections.singletonList", vec![self.named(index, "element")?])
            }
            "java/util/Collections$SingletonSet" => {
                Collection::call("Collections.singleton", vec![self.named(index, "element")?])
            }
            _ => None,
        }
    }

    /// Numbers and texts that are objects.
    fn number(&self, index: usize, internal: &str) -> Option<Collection> {
        let simple = simple_name(internal);
        let value = |name: &str| self.named(index, name);
        let int = |name: &str| match value(name) {
            Some(Concrete::Int(number)) => Some(number),
            Some(_) => None,
            None => Some(0),
        };
        match internal {
            "java/lang/StringBuilder" | "java/lang/StringBuffer" => match self.built(index)?.as_slice() {
                [] => Collection::plain(format!("new {simple}()")),
                units => Collection::plain(format!("new {simple}({})", string_literal(units))),
            },
            "java/util/concurrent/atomic/AtomicInteger" => {
                Collection::plain(format!("new {simple}({})", int("value")?))
            }
            "java/util/concurrent/atomic/AtomicLong" => Collection::plain(format!("new {simple}({}L)", int("value")?)),
            "java/util/concurrent/atomic/AtomicBoolean" => {
                Collection::plain(format!("new {simple}({})", int("value")? != 0))
            }
            "java/util/concurrent/atomic/AtomicReference" => {
                Collection::call(format!("new {simple}<>"), vec![value("value").unwrap_or(Concrete::Null)])
            }
            "java/util/OptionalInt" | "java/util/OptionalLong" | "java/util/OptionalDouble" => match int("isPresent") {
                Some(0) => Collection::plain(format!("{simple}.empty()")),
                _ => match value("isPresent") {
                    Some(Concrete::Bool(false)) => Collection::plain(format!("{simple}.empty()")),
                    _ => Collection::call(format!("{simple}.of"), vec![value("value")?]),
                },
            },
            "java/math/BigInteger" => {
                let (sign, words) = (int("signum")?, self.reference(index, "mag"));
                // Where nobody has looked at the digits, any do.
                let words = words.map_or(Some(vec![Concrete::Int(sign.abs())]), |array| self.elements(array))?;
                let digits = words.iter().try_fold(0u128, |sum, word| match word {
                    Concrete::Int(word) if sum >> 96 == 0 => Some(sum << 32 | u128::from(*word as u32)),
                    _ => None,
                })?;
                let minus = if sign < 0 { "-" } else { "" };
                ((sign == 0) == (digits == 0))
                    .then(|| Collection::plain(format!("new {simple}(\"{minus}{digits}\")")))?
            }
            "java/math/BigDecimal" if value("intVal").unwrap_or(Concrete::Null) == Concrete::Null => {
                Collection::plain(format!("{simple}.valueOf({}L, {})", int("intCompact")?, int("scale")?))
            }
            "java/time/LocalDate" => {
                let (year, month, day) = (int("year")?, int("month")?, int("day")?);
                let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
                is_date.then(|| Collection::plain(format!("{simple}.of({year}, {month}, {day})")))?
            }
            _ => None,
        }
    }

    /// The characters of a builder.
    fn built(&self, index: usize) -> Option<Vec<u16>> {
        let count = self.size(index, "count")?;
        if count == 0 {
            return Some(Vec::new());
        }
        let bytes: Vec<u8> = self
            .elements(self.reference(index, "value")?)?
            .iter()
            .map(|byte| if let Concrete::Int(byte) = byte { *byte as u8 } else { 0 })
            .collect();
        let units: Vec<u16> = match self.named(index, "coder") {
            Some(Concrete::Int(1)) => {
                bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
            }
            _ => bytes.into_iter().map(u16::from).collect(),
        };
        Some(units.get(..count)?.to_vec())
    }

    /// What the first places of an array hold, as many as a field says.
    fn first_elements(&self, index: usize, array: &str, size: &str) -> Option<Vec<Concrete>> {
        let size = self.size(index, size)?;
        match self.reference(index, array) {
            Some(array) => Some(self.elements(array)?.get(..size)?.to_vec()),
            None if size == 0 => Some(Vec::new()),
            None => None,
        }
    }

    /// The elements of a linked list, from both ends; not those in the middle that nobody has looked at.
    fn linked(&self, index: usize) -> Option<Vec<Option<Concrete>>> {
        let size = self.size(index, "size").filter(|size| *size <= MAX_LINKED)?;
        let mut values: Vec<Option<Concrete>> = vec![None; size];
        let item = |at: usize| self.named(at, "item").unwrap_or(Concrete::Null);
        let mut node = self.reference(index, "first");
        let mut place = 0;
        while let Some(at) = node {
            *values.get_mut(place)? = Some(item(at));
            place += 1;
            node = self.reference(at, "next");
        }
        let mut node = self.reference(index, "last");
        let mut place = size;
        while let Some(at) = node {
            place = place.checked_sub(1)?;
            let known = values[place].replace(item(at));
            if known.is_some_and(|known| known != item(at)) {
                return None;
            }
            node = self.reference(at, "prev");
        }
        Some(values)
    }

    /// The elements of a deque, from its head round to its tail.
    fn circular(&self, index: usize) -> Option<Vec<Concrete>> {
        let (head, tail) = (self.size(index, "head")?, self.size(index, "tail")?);
        if head == tail {
            return Some(Vec::new());
        }
        let all = self.elements(self.reference(index, "elements")?)?;
        match head < tail {
            true => Some(all.get(head..tail)?.to_vec()),
            false => Some([all.get(head..)?, all.get(..tail)?].concat()),
        }
    }

    /// The constants of an enum, by its class object, as the source writes them.
    fn enum_constants(&self, class: usize) -> Option<Vec<String>> {
        let name = match &self.objects[class].existing {
            Some(Existing::Class { class }) => class,
            _ => self.objects[class].name.strip_suffix(".class")?,
        };
        let library = self.program.library.as_deref()?;
        // A class in another is named as the source names it.
        let mut internal = name.replace('.', "/");
        loop {
            let class = library.class_id(&internal);
            let statics = library.java(class).statics.iter().map(|(field, _)| *field);
            let constants = statics.filter(|field| library.field_flags(*field) & access::ENUM != 0);
            let names = constants.map(|field| format!("{}.{}", simple_name(&internal), library.field(field).name));
            let names: Vec<String> = names.collect();
            if !names.is_empty() {
                return Some(names);
            }
            let outer = internal.rfind('/')?;
            internal.replace_range(outer..=outer, "$");
        }
    }

    /// A map whose keys are an enum's constants.
    fn enum_map(&self, index: usize) -> Option<Collection> {
        let class = self.reference(index, "keyType")?;
        let places = match self.reference(index, "vals") {
            Some(values) => self.elements(values)?,
            None => Vec::new(),
        };
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (key, value) in self.enum_constants(class)?.into_iter().zip(places) {
            match value {
                Concrete::Null => continue,
                // The map's own mark for null.
                Concrete::Object(at) if self.internal_name(at)?.starts_with("java/util/EnumMap$") => {
                    values.push(Concrete::Null);
                }
                value => values.push(value),
            }
            keys.push(key);
        }
        let empty = format!("new EnumMap<>({})", self.constant(class)?);
        Some(Collection { form: Form::Keyed { keys, empty }, values, is_map: true })
    }

    /// Keys and values of a map, one after the other.
    fn entries(&self, index: usize) -> Option<Vec<Concrete>> {
        let size = self.named(index, "size").map_or(Some(None), |_| self.size(index, "size").map(Some))?;
        let most = size.unwrap_or(self.objects.len());
        let mut nodes = Vec::new();
        let mut add = |at: usize| {
            nodes.push(at);
            nodes.len() <= most
        };
        if let Some(head) = self.reference(index, "head") {
            let mut node = Some(head);
            while let Some(at) = node {
                if !add(at) {
                    return None;
                }
                node = self.reference(at, "after");
            }
        } else if let Some(table) = self.reference(index, "table") {
            for bucket in self.elements(table)? {
                let mut node = if let Concrete::Object(at) = bucket { Some(at) } else { None };
                while let Some(at) = node {
                    if !add(at) {
                        return None;
                    }
                    node = self.reference(at, "next");
                }
            }
        } else if let Some(root) = self.reference(index, "root") {
            // In order, without recursion: a broken tree may have circles.
            let (mut open, mut node) = (Vec::new(), Some(root));
            while node.is_some() || !open.is_empty() {
                while let Some(at) = node {
                    open.push(at);
                    node = self.reference(at, "left");
                    if open.len() > most {
                        return None;
                    }
                }
                let at = open.pop()?;
                if !add(at) {
                    return None;
                }
                node = self.reference(at, "right");
            }
        }
        let part = |at: usize, name| self.named(at, name).unwrap_or(Concrete::Null);
        let entries: Vec<Concrete> = nodes.iter().flat_map(|at| [part(*at, "key"), part(*at, "value")]).collect();
        (size.unwrap_or(nodes.len()) == nodes.len()).then_some(entries)
    }
}

/// Longer lists that nobody has gone through are not written out.
const MAX_LINKED: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn written(collection: Option<Collection>, shown: &[&str]) -> String {
        let shown: Vec<String> = shown.iter().map(|text| text.to_string()).collect();
        collection.expect("a form").write(&shown)
    }

    /// What is written compiles, and makes what is meant: `List.of`, `Set.of` and `Map.of` refuse null.
    #[test]
    fn null_among_the_contents() {
        let (null, one) = (Concrete::Null, Concrete::Int(1));
        let list = |values: &[Concrete]| Collection::copy("ArrayList", "List.of", values.to_vec());
        assert_eq!(written(list(&[]), &[]), "new ArrayList<>()");
        assert_eq!(written(list(&[one]), &["1"]), "new ArrayList<>(List.of(1))");
        assert_eq!(written(list(&[null]), &["null"]), "new ArrayList<>(Collections.singletonList(null))");
        assert_eq!(written(list(&[null, one]), &["null", "1"]), "new ArrayList<>(Arrays.asList(null, 1))");
        let map =
            |class: &str, values: &[Concrete]| Collection::map(class, format!("new {class}<>()"), values.to_vec());
        assert_eq!(written(map("TreeMap", &[]), &[]), "new TreeMap<>()");
        assert_eq!(written(map("TreeMap", &[one, one]), &["1", "1"]), "new TreeMap<>(Map.of(1, 1))");
        let single = written(map("HashMap", &[one, null]), &["1", "null"]);
        assert_eq!(single, "new HashMap<>(Collections.singletonMap(1, null))");
        let two = written(map("HashMap", &[null, one, one, null]), &["null", "1", "1", "null"]);
        assert_eq!(two, "new HashMap<>() {{ put(null, 1); put(1, null); }}");
        // The order of `Map.of` is not known.
        let ordered = written(map("LinkedHashMap", &[one, one, one, one]), &["2", "1", "1", "1"]);
        assert_eq!(ordered, "new LinkedHashMap<>() {{ put(2, 1); put(1, 1); }}");
    }
}
