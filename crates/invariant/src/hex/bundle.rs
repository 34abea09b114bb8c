//! The invariants of the JDK's classes that come with the program: a file in HEX for each class, in `jdk/`.
//!
//! A file is used where an object of its class may be an input, unless the user's own file speaks of the class. Each says in its
//! first lines what it leaves out; `crates/cli/tests/bundle.rs` compares those about collections with what a JVM builds by public calls.

use lazuli_program::Program;
use lazuli_program::frontend::java::record::copied_lists;
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::{Library, ShapeId, access};
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::Names;
use super::{Demand, Pattern};

/// A file that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// The class that it is about, as Java writes it.
    pub class: &'static str,
    pub text: &'static str,
}

macro_rules! bundled {
    ($($class:literal),* $(,)?) => {
        /// All of them.
        pub const ALL: &[Bundled] =
            &[$(Bundled { class: $class, text: include_str!(concat!("../../jdk/", $class, ".hex")) }),*];
    };
}

bundled![
    "java.lang.AbstractStringBuilder",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.time.Duration",
    "java.time.Instant",
    "java.time.LocalDate",
    "java.time.LocalDateTime",
    "java.time.LocalTime",
    "java.time.MonthDay",
    "java.time.Year",
    "java.time.YearMonth",
    "java.util.ArrayDeque",
    "java.util.ArrayList",
    "java.util.ArrayList$Itr",
    "java.util.Arrays$ArrayList",
    "java.util.BitSet",
    "java.util.Collections$SingletonMap",
    "java.util.Collections$SynchronizedCollection",
    "java.util.Collections$SynchronizedList",
    "java.util.Collections$SynchronizedMap",
    "java.util.Collections$SynchronizedRandomAccessList",
    "java.util.Collections$SynchronizedSet",
    "java.util.Collections$UnmodifiableCollection",
    "java.util.Collections$UnmodifiableList",
    "java.util.Collections$UnmodifiableMap",
    "java.util.Collections$UnmodifiableRandomAccessList",
    "java.util.Collections$UnmodifiableSet",
    "java.util.EnumMap",
    "java.util.EnumSet",
    "java.util.HashMap",
    "java.util.HashSet",
    "java.util.ImmutableCollections$List12",
    "java.util.ImmutableCollections$ListN",
    "java.util.ImmutableCollections$Map1",
    "java.util.ImmutableCollections$MapN",
    "java.util.ImmutableCollections$Set12",
    "java.util.LinkedHashMap",
    "java.util.LinkedHashSet",
    "java.util.LinkedList",
    "java.util.PriorityQueue",
    "java.util.TreeMap",
    "java.util.TreeSet",
    "java.util.Vector",
    "java.util.Vector$Itr",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.concurrent.CopyOnWriteArrayList",
    "java.util.concurrent.atomic.AtomicBoolean",
    "java.util.concurrent.atomic.AtomicIntegerArray",
    "java.util.concurrent.atomic.AtomicLongArray",
    "java.util.concurrent.atomic.AtomicReferenceArray",
];

/// So many types are looked at, from the inputs on: then any class may be reached.
const MAX_SHAPES: usize = 2_000;

/// Fields of maps in which views are kept once somebody has asked for them. The files say that nobody has; their types would go on
/// without end.
const VIEWS: [&str; 5] = ["keySet", "values", "entrySet", "navigableKeySet", "descendingMap"];

impl Bundled {
    /// The name of the file, for messages.
    pub fn file(&self) -> String {
        format!("{}.hex", self.class)
    }

    fn internal(&self) -> String {
        self.class.replace('.', "/")
    }

    /// The file about a class of this name: in full, or its last part.
    pub fn named(name: &str) -> Option<&'static Bundled> {
        ALL.iter().find(|bundled| bundled.class == name || bundled.class.rsplit('.').next() == Some(name))
    }
}

/// The classes that inputs of the program may have, where these are what programs can make. Of records that are the user's own matter
/// nothing is said.
pub(super) fn of_inputs<'p>(program: &'p Program, is_own: &dyn Fn(ClassId) -> bool) -> Option<Reached<'p>> {
    let library = program.library.as_deref().filter(|library| library.has_valid_inputs())?;
    let reached = Reached::of(library, inputs(program, library));
    let records = reached.records().into_iter().filter(|class| !is_own(*class));
    let copied: Vec<(FieldId, ClassId)> = records.flat_map(|class| copied_lists(library, class)).collect();
    if copied.is_empty() {
        return Some(reached);
    }
    // They lead to lists of other classes.
    library.hold_copies(copied);
    Some(Reached::of(library, inputs(program, library)))
}

/// The files about classes that an object of a class may lead to.
pub fn for_class(program: &Program, class: ClassId) -> Vec<&'static Bundled> {
    let Some(library) = program.library.as_deref() else { return Vec::new() };
    Reached::of(library, vec![library.plain(class)]).files()
}

/// The types of the inputs that are references.
fn inputs(program: &Program, library: &Library) -> Vec<ShapeId> {
    let mut inputs = Vec::new();
    if let Some(entry) = program.main {
        let parameters = &library.declared(entry).parameters;
        let has_receiver = program.has_receiver(entry);
        inputs.extend(program.receiver.filter(|_| has_receiver).map(|class| library.plain(class)));
        for (ty, shape) in parameters[has_receiver as usize..].iter().zip(library.parameter_shapes(entry)) {
            if let Type::Ref(class) = ty {
                inputs.push(shape.unwrap_or_else(|| library.plain(*class)));
            }
        }
    }
    inputs.extend(library.input_statics().into_iter().flat_map(|field| in_field(library, None, field)));
    inputs.extend(Names::new(program).made_classes().into_iter().map(|class| library.plain(class)));
    inputs
}

/// What is in a field of an object, or of a class.
fn in_field(library: &Library, holder: Option<ShapeId>, field: FieldId) -> Vec<ShapeId> {
    let declared = library.field(field);
    let Type::Ref(class) = declared.ty else { return Vec::new() };
    if let Some(chosen) = library.chosen_for_field(field) {
        let classes = chosen.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
        return classes.map(|class| library.plain(class)).collect();
    }
    let holder = holder.unwrap_or_else(|| library.plain(declared.class));
    let ClassId(of) = library.shape(holder).class;
    vec![library.field_shape_among(holder, &[(of, of)], field).unwrap_or_else(|| library.plain(class))]
}

/// The classes that objects may have which others lead to, along fields and elements, with what generic types say of them.
pub(super) struct Reached<'l> {
    library: &'l Library,
    shapes: FxHashSet<ShapeId>,
    classes: FxHashSet<&'l str>,
    /// Those of the program.
    own: FxHashSet<ClassId>,
    /// What is in the fields, and in arrays.
    held: FxHashMap<FieldId, FxHashSet<ShapeId>>,
    elements: FxHashSet<ShapeId>,
    /// Those that were met and not yet followed.
    open: Vec<ShapeId>,
}

impl<'l> Reached<'l> {
    fn of(library: &'l Library, inputs: Vec<ShapeId>) -> Reached<'l> {
        let (shapes, classes, own) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        let (held, elements) = (FxHashMap::default(), FxHashSet::default());
        let mut reached = Reached { library, shapes, classes, own, held, elements, open: Vec::new() };
        inputs.into_iter().for_each(|shape| reached.meet(shape));
        while !reached.too_many()
            && let Some(shape) = reached.open.pop()
        {
            reached.follow(shape);
        }
        reached
    }

    /// Whether so many types are met that any class may be reached.
    fn too_many(&self) -> bool {
        self.shapes.len() > MAX_SHAPES
    }

    fn meet(&mut self, shape: ShapeId) {
        if self.shapes.insert(shape) {
            self.open.push(shape);
        }
    }

    /// The files about them.
    pub fn files(&self) -> Vec<&'static Bundled> {
        let is_reached = |bundled: &&Bundled| self.too_many() || self.classes.contains(bundled.internal().as_str());
        ALL.iter().filter(is_reached).collect()
    }

    /// Whether a path of the pattern may lead to an object that a demand asks.
    pub fn is_asked(&self, pattern: &Pattern, demand: &Demand) -> bool {
        let is_meant = |class: ClassId| !demand.but.iter().any(|but| self.library.is_subclass(class, *but));
        let has_meant = |shape: &ShapeId| classes_of(self.library, *shape).any(is_meant);
        let of_field = |field: &FieldId| self.held.get(field).is_none_or(|held| held.iter().any(has_meant));
        self.too_many()
            || match pattern.automaton.last_fields() {
                Some(fields) => fields.iter().any(of_field),
                None => self.elements.iter().any(has_meant),
            }
    }

    /// Those that may be records of the program, in the order of their names.
    pub fn records(&self) -> Vec<ClassId> {
        let library = self.library;
        let mut records: Vec<ClassId> = match self.too_many() {
            true => library.path.user_classes().iter().map(|name| library.class_id(name)).collect(),
            false => self.own.iter().copied().collect(),
        };
        records.sort_unstable_by_key(|class| library.internal_name(*class));
        records
    }

    fn follow(&mut self, shape: ShapeId) {
        let library = self.library;
        for class in classes_of(library, shape) {
            if self.too_many() {
                return;
            }
            self.classes.extend(library.superclasses(class).map(|above| library.internal_name(above)));
            if let Some(element) = library.java(class).element {
                let known = library.shape(shape).arguments.first().copied().flatten();
                let plain = if let Type::Ref(class) = element { Some(library.plain(class)) } else { None };
                if let Some(elements) = known.or(plain) {
                    self.elements.insert(elements);
                    self.meet(elements);
                }
                continue;
            }
            if library.is_uninterpreted(class) {
                self.results(shape, class);
            }
            if !is_followed(library, class) {
                continue;
            }
            if library.path.is_user_class(library.internal_name(class)) {
                self.own.insert(class);
            }
            let narrowed = library.narrowed(shape, class);
            let keeps_views = library.internal_name(class).starts_with("java/util/");
            for &field in &library.class(class).layout {
                if !keeps_views || !VIEWS.contains(&library.field(field).name.as_str()) {
                    let shapes = in_field(library, Some(narrowed), field);
                    self.held.entry(field).or_default().extend(&shapes);
                    shapes.into_iter().for_each(|shape| self.meet(shape));
                }
            }
        }
    }

    /// What the methods give that nobody implements.
    fn results(&mut self, shape: ShapeId, class: ClassId) {
        let library = self.library;
        for method in library.java(class).declared_methods.values() {
            if let Type::Ref(result) = library.declared(*method).result {
                self.meet(library.result_shape(shape, *method).unwrap_or_else(|| library.plain(result)));
            }
        }
    }
}

fn classes_of(library: &Library, shape: ShapeId) -> impl Iterator<Item = ClassId> {
    library.shape_classes(shape).into_iter().flat_map(|(low, high)| low..=high).map(ClassId)
}

/// The fields of the JDK's own machinery lead everywhere, and no program has them as inputs.
fn is_followed(library: &Library, class: ClassId) -> bool {
    let name = library.internal_name(class);
    !library.java(class).is(access::INTERFACE)
        && (name.starts_with("java/util/") || name.starts_with("java/time/") || library.path.is_user_class(name))
}
