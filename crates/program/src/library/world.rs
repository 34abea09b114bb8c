//! The closed world: which classes an input of a declared type may have.
//!
//! The instantiable classes of the program (not of `--cp`) that fit, the declared class itself, and for the types that are too open a short list. An
//! interface or abstract class without any has an *uninterpreted* implementation: its results are inputs. Subclasses inside the
//! JDK are left out unless [`World::types`] names them: which of them exist would otherwise depend on what happened to be loaded.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{Declared, JavaClass, Library, Linked, OBJECT, access};
use crate::bytecode::pool::Name;
use crate::ir::*;

/// Which objects are inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inputs {
    /// Those that programs can make: what generic types hold is respected, and what is known of the JDK's classes holds.
    #[default]
    Valid,
    /// All that fit the declared types.
    Any,
}

/// What the user says about the classes of inputs.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub inputs: Inputs,
    /// A type or a field (`java.util.TreeMap.Entry.key`, or a part from the right), and the classes it may have.
    pub types: Vec<(String, Vec<String>)>,
    /// Input strings have at most this many characters.
    pub max_string: u32,
    /// Input arrays have at most this many elements.
    pub max_array: u32,
    /// The classes whose static fields are inputs.
    pub symbolic_statics: Vec<String>,
}

/// The classes that inputs of a type are taken to have, though there could be others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClosedWorld {
    pub of: String,
    /// The first few of them.
    pub taken: Vec<String>,
    /// Whether there are more.
    pub more: bool,
}

/// How many classes are named.
const NAMED: usize = 5;

/// Types of the JDK that are too open, or that have no objects of their own, and what their inputs are by default. An interface of the
/// collections has those classes of its own package that everybody can make from nothing; where these are many, the usual ones.
/// Interfaces of one method are not here: any code may stand behind them.
const OPEN_TYPES: &[(&str, &[&str])] = &[
    ("java/lang/Object", &["java/lang/Integer", "java/lang/String"]),
    ("java/lang/Comparable", &["java/lang/Integer", "java/lang/String"]),
    ("java/lang/Number", &["java/lang/Integer"]),
    ("java/io/Serializable", &["java/lang/Integer", "java/lang/String"]),
    ("java/lang/CharSequence", &["java/lang/String"]),
    ("java/lang/Iterable", &["java/util/ArrayList", "java/util/LinkedList"]),
    ("java/util/Collection", &["java/util/ArrayList", "java/util/LinkedList"]),
    ("java/util/List", &["java/util/ArrayList", "java/util/LinkedList"]),
    ("java/util/Map", &["java/util/HashMap", "java/util/TreeMap"]),
    ("java/util/Set", &["java/util/HashSet", "java/util/TreeSet"]),
    ("java/util/Queue", &["java/util/ArrayDeque", "java/util/LinkedList"]),
    ("java/util/Deque", &["java/util/ArrayDeque", "java/util/LinkedList"]),
    ("java/util/EnumSet", &["java/util/RegularEnumSet"]),
    ("java/util/Map$Entry", &["java/util/AbstractMap$SimpleEntry"]),
    ("java/util/SortedMap", &["java/util/TreeMap"]),
    ("java/util/NavigableMap", &["java/util/TreeMap"]),
    ("java/util/SortedSet", &["java/util/TreeSet"]),
    ("java/util/NavigableSet", &["java/util/TreeSet"]),
    ("java/util/SequencedCollection", &["java/util/ArrayList", "java/util/LinkedList"]),
    ("java/util/SequencedMap", &["java/util/LinkedHashMap", "java/util/TreeMap"]),
    ("java/util/SequencedSet", &["java/util/LinkedHashSet", "java/util/TreeSet"]),
    ("java/util/concurrent/BlockingDeque", &["java/util/concurrent/LinkedBlockingDeque"]),
    ("java/util/concurrent/BlockingQueue", &["java/util/concurrent/LinkedBlockingQueue"]),
    ("java/util/concurrent/TransferQueue", &["java/util/concurrent/LinkedTransferQueue"]),
    ("java/util/concurrent/ConcurrentMap", &["java/util/concurrent/ConcurrentHashMap"]),
    ("java/util/concurrent/ConcurrentNavigableMap", &["java/util/concurrent/ConcurrentSkipListMap"]),
    ("java/util/concurrent/locks/Lock", &["java/util/concurrent/locks/ReentrantLock"]),
    ("java/util/concurrent/locks/ReadWriteLock", &["java/util/concurrent/locks/ReentrantReadWriteLock"]),
];

/// The end of the name of an uninterpreted implementation.
pub(super) const UNINTERPRETED: &str = "$Uninterpreted";

impl Library {
    /// Numbers the classes that inputs may have, but for a declared class itself: those of the class path, then those of the JDK and
    /// of [`World::types`], each by name. A set of classes has at most one that is not among them, which comes last, so that the order
    /// of its numbers is the same whatever was loaded first.
    pub(super) fn number_input_classes(&self) {
        for name in self.path.user_classes() {
            self.class_id(name);
        }
        let defaults = OPEN_TYPES.iter().flat_map(|(_, classes)| classes.iter().map(|class| class.to_string()));
        let chosen = self.world.types.iter().flat_map(|(_, classes)| classes.iter().map(|class| internal(class)));
        let mut names: Vec<String> = defaults.chain(chosen).collect();
        names.sort_unstable();
        for name in names {
            self.class_id(&name);
        }
    }

    /// The classes that an input of a declared class may have, as sorted intervals. A large program has thousands to be gone through.
    pub fn input_classes(&self, declared: ClassId) -> Vec<(u32, u32)> {
        if let Some(known) = self.input_classes.lock().expect("no panic while locked").get(&declared) {
            return known.clone();
        }
        let found = self.find_input_classes(declared);
        self.input_classes.lock().expect("no panic while locked").insert(declared, found.clone());
        found
    }

    fn find_input_classes(&self, declared: ClassId) -> Vec<(u32, u32)> {
        let name = self.internal_name(declared).to_string();
        if let Some(classes) = self.chosen(&name) {
            return intervals(classes);
        }
        let java = self.java(declared);
        let mut classes = Vec::new();
        if java.is_instantiable() {
            classes.push(declared);
        }
        if let Some((_, defaults)) = OPEN_TYPES.iter().find(|(open, _)| *open == name) {
            classes.extend(defaults.iter().map(|class| self.class_id(class)));
        }
        if !java.is(access::FINAL) {
            classes.extend(self.instantiable_user_classes().filter(|class| self.is_subclass(*class, declared)));
        }
        if classes.is_empty() {
            classes.push(match java.missing {
                None => self.class_id(&format!("{name}{UNINTERPRETED}")),
                Some(_) => declared,
            });
        }
        intervals(classes)
    }

    /// The classes that inputs of a declared class are taken to have: `None` if there is no other that they could have, or the user chose them. One
    /// that nobody implements stands for all that could.
    pub fn closed_world(&self, declared: ClassId) -> Option<ClosedWorld> {
        let java = self.java(declared);
        if self.is_private(java) {
            return None;
        }
        let of_program = self.path.classes_beside().iter().any(|name| **name == *java.internal);
        if java.is(access::FINAL) || of_program || java.element.is_some() || self.chosen(&java.internal).is_some() {
            return None;
        }
        self.taken_classes(declared, &self.input_classes(declared))
    }

    /// Whether only the class around a class of the JDK can extend it.
    fn is_private(&self, java: &JavaClass) -> bool {
        let inner = java.file.iter().flat_map(|file| &file.inner_classes).find(|inner| inner.inner == java.internal);
        inner.is_some_and(|inner| inner.access.is_private())
    }

    /// The same of inputs that are taken to have these classes.
    pub fn taken_classes(&self, declared: ClassId, classes: &[(u32, u32)]) -> Option<ClosedWorld> {
        let mut numbers = classes.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
        if numbers.clone().all(|class| self.is_uninterpreted(class)) {
            return None;
        }
        let of = self.class(declared).name.clone();
        let taken = numbers.by_ref().take(NAMED).map(|class| self.class(class).name.clone()).collect();
        Some(ClosedWorld { of, taken, more: numbers.next().is_some() })
    }

    /// Whether a class is one of arrays that may be arrays of a subclass's objects, and the user has not said which they are.
    pub fn has_subarrays(&self, array: ClassId) -> bool {
        let java = self.java(array);
        let Some(mut element) = java.element.filter(|_| self.chosen(&java.internal).is_none()) else { return false };
        while let Type::Ref(class) = element {
            let of = self.java(class);
            match of.element {
                Some(inner) => element = inner,
                None => return !of.is(access::FINAL),
            }
        }
        false
    }

    /// The classes that a field's inputs may have, if the user has said so.
    pub fn chosen_for_field(&self, field: FieldId) -> Option<Vec<(u32, u32)>> {
        if self.world.types.is_empty() {
            return None;
        }
        let field = self.field(field);
        let name = format!("{}.{}", self.internal_name(field.class), field.name);
        self.chosen(&name).map(intervals)
    }

    /// Whether the user has said which classes inputs of a type have.
    pub(super) fn is_chosen(&self, declared: ClassId) -> bool {
        self.chosen(self.internal_name(declared)).is_some()
    }

    fn chosen(&self, name: &str) -> Option<Vec<ClassId>> {
        let dotted = name.replace(['/', '$'], ".");
        let fits = |pattern: &str| {
            let pattern = pattern.replace(['/', '$'], ".");
            dotted == pattern || dotted.strip_suffix(&pattern).is_some_and(|front| front.ends_with('.'))
        };
        let (_, classes) = self.world.types.iter().find(|(pattern, _)| fits(pattern))?;
        Some(classes.iter().map(|class| self.class_id(&internal(class))).collect())
    }

    fn instantiable_user_classes(&self) -> impl Iterator<Item = ClassId> {
        let all = || self.path.classes_beside().iter().map(|name| self.class_id(name));
        let find = || all().filter(|class| self.java(*class).is_instantiable()).collect();
        self.instantiable.get_or_init(find).iter().copied()
    }

    /// The methods of an interface or abstract class that an implementation must have.
    fn abstract_methods(&self, interface: ClassId) -> Vec<MethodId> {
        let is_abstract = |method: &&MethodId| {
            let declared = self.declared(**method);
            let of_interface = self.java(declared.class).is(access::INTERFACE);
            let of_object = self.declared_method(OBJECT, &declared.name, &declared.descriptor);
            declared.is(access::ABSTRACT) && !(of_interface && of_object.is_some())
        };
        let mut all: Vec<MethodId> = self.class(interface).methods.values().filter(is_abstract).copied().collect();
        all.sort_unstable_by_key(|method| (&self.declared(*method).name, &self.declared(*method).descriptor));
        all
    }

    /// A class whose methods give results that are inputs.
    pub(super) fn link_uninterpreted(&self, id: ClassId, internal: &Name, interface: &str) -> Linked {
        let interface = self.class_id(interface);
        let mut supertypes: FxHashSet<ClassId> = self.java(interface).supertypes.clone();
        supertypes.extend([id, OBJECT]);
        let superclass = if self.java(interface).is(access::INTERFACE) { OBJECT } else { interface };
        let mut methods = self.class(superclass).methods.clone();
        for (selector, method) in &self.class(interface).methods {
            methods.entry(*selector).or_insert(*method);
        }
        let mut declared_methods = FxHashMap::default();
        for method in self.abstract_methods(interface) {
            let of = self.declared(method);
            let mut parameters = of.parameters.clone();
            parameters[0] = Type::Ref(id);
            let own = self.methods.push(Declared {
                name: of.name.clone(),
                descriptor: of.descriptor.clone(),
                class: id,
                flags: access::NATIVE,
                parameters,
                result: of.result,
                index: None,
                original: false,
                body: OnceLock::new(),
            });
            let own = MethodId(own as u32);
            declared_methods.insert((of.name.clone(), of.descriptor.clone()), own);
            methods.insert(self.selector_of(method), own);
        }
        let java = JavaClass { declared_methods, ..self.bare(internal, vec![interface], supertypes) };
        let class = Class {
            name: internal.replace('/', "."),
            superclass: Some(superclass),
            last: id,
            layout: self.class(superclass).layout.clone(),
            methods,
        };
        Linked::new(class, java)
    }

    /// Whether the objects of a class are uninterpreted implementations.
    pub fn is_uninterpreted(&self, class: ClassId) -> bool {
        self.internal_name(class).ends_with(UNINTERPRETED)
    }
}

/// A class as [`World::types`] names it, by its internal name.
fn internal(class: &str) -> String {
    class.replace('.', "/")
}

/// Sorted intervals of the numbers of classes.
pub(crate) fn intervals(mut classes: Vec<ClassId>) -> Vec<(u32, u32)> {
    classes.sort_unstable();
    classes.dedup();
    let mut intervals: Vec<(u32, u32)> = Vec::new();
    for ClassId(class) in classes {
        match intervals.last_mut() {
            Some((_, last)) if *last + 1 == class => *last = class,
            _ => intervals.push((class, class)),
        }
    }
    intervals
}
