//! What generic declarations say of inputs: which classes the elements of a `List<Integer>` have, or the values of a field of
//! type `T` in a `Box<Integer>`.
//!
//! A [`Shape`] is a class with what is known of its arguments. The shape of a field depends on that of its holder, whose
//! arguments are looked up along the signatures of supertypes, upwards (`class Names extends ArrayList<String>`) and downwards
//! (the `ArrayList` that a `List<Integer>` is). What nobody says (raw types, `?`, variables without an argument) is bounded by
//! the variable's own bound. Shapes say what holds unless somebody has cheated by unchecked casts: pollution of the heap is
//! not looked at.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Library, OBJECT, access};
use crate::bytecode::classfile::ClassFile;
use crate::bytecode::signature::{self, TypeParameter, Written};
use crate::ir::*;

/// The number of a shape; it belongs to the process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ShapeId(u32);

/// A class, or an array, with what is known of its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    pub class: ClassId,
    /// Of an array its elements; otherwise the arguments for the type parameters, those of the classes around it first.
    pub arguments: Vec<Option<ShapeId>>,
    /// The type variable that this class was chosen for, because its bound speaks of itself: `T extends Comparable<T>`.
    pub variable: Option<String>,
    /// What the class of their holder says of the classes that inputs of this shape have: see [`LINKED`].
    pub held: Held,
}

/// Which classes something has by the class of its holder.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Held {
    /// Those of its type.
    #[default]
    Usual,
    /// One below its type, too.
    Also(ClassId),
    /// These, and those of the program below them.
    Only(Vec<ClassId>),
}

/// Arguments nested deeper than this are forgotten: types of fields may grow without end along the fields.
const MAX_NESTING: usize = 6;

/// Fields of the JDK whose declared types hide what they hold, with the types that they would have.
const HIDDEN: &[(&str, &str, &str)] = &[
    ("java/util/ArrayDeque", "elements", "[TE;"),
    ("java/util/ArrayList", "elementData", "[TE;"),
    ("java/util/ArrayList$Itr", "this$0", "Ljava/util/ArrayList<TE;>;"),
    ("java/util/EnumMap", "keyUniverse", "[TK;"),
    ("java/util/EnumMap", "vals", "[TV;"),
    ("java/util/EnumSet", "universe", "[TE;"),
    ("java/util/ImmutableCollections$List12", "e1", "TE;"),
    ("java/util/ImmutableCollections$Set12", "e1", "TE;"),
    ("java/util/PriorityQueue", "queue", "[TE;"),
    ("java/util/Vector", "elementData", "[TE;"),
    ("java/util/Vector$Itr", "this$0", "Ljava/util/Vector<TE;>;"),
    ("java/util/concurrent/ArrayBlockingQueue", "items", "[TE;"),
    ("java/util/concurrent/CopyOnWriteArrayList", "array", "[TE;"),
    ("java/util/concurrent/PriorityBlockingQueue", "queue", "[TE;"),
    ("java/util/concurrent/atomic/AtomicReferenceArray", "array", "[TE;"),
];

/// Fields of the JDK that hold objects of another class by the class of their holder: that class, the class that declares the field, the
/// field, and the class of what it holds, or of its elements. Of several lines that fit a holder the first counts.
const LINKED: &[(&str, &str, &str, &str)] = &[
    ("java/util/LinkedHashMap", "java/util/HashMap", "table", "java/util/LinkedHashMap$Entry"),
    ("java/util/LinkedHashMap$Entry", "java/util/HashMap$Node", "next", "java/util/LinkedHashMap$Entry"),
    ("java/util/LinkedHashSet", "java/util/HashSet", "map", "java/util/LinkedHashMap"),
    (RANDOM_ACCESS, UNMODIFIABLE_LIST, "list", "java/util/ArrayList"),
    (UNMODIFIABLE_LIST, UNMODIFIABLE_LIST, "list", "java/util/LinkedList"),
    (RANDOM_ACCESS, UNMODIFIABLE, "c", "java/util/ArrayList"),
    (UNMODIFIABLE_LIST, UNMODIFIABLE, "c", "java/util/LinkedList"),
    ("java/util/Collections$UnmodifiableSet", UNMODIFIABLE, "c", "java/util/HashSet"),
    (UNMODIFIABLE, UNMODIFIABLE, "c", "java/util/ArrayList"),
    (UNMODIFIABLE_MAP, UNMODIFIABLE_MAP, "m", "java/util/HashMap"),
    (SYNCHRONIZED_RANDOM_ACCESS, SYNCHRONIZED_LIST, "list", "java/util/ArrayList"),
    (SYNCHRONIZED_LIST, SYNCHRONIZED_LIST, "list", "java/util/LinkedList"),
    (SYNCHRONIZED_RANDOM_ACCESS, SYNCHRONIZED, "c", "java/util/ArrayList"),
    (SYNCHRONIZED_LIST, SYNCHRONIZED, "c", "java/util/LinkedList"),
    ("java/util/Collections$SynchronizedSet", SYNCHRONIZED, "c", "java/util/HashSet"),
    (SYNCHRONIZED, SYNCHRONIZED, "c", "java/util/ArrayList"),
    (SYNCHRONIZED_MAP, SYNCHRONIZED_MAP, "m", "java/util/HashMap"),
];

const UNMODIFIABLE: &str = "java/util/Collections$UnmodifiableCollection";
const UNMODIFIABLE_LIST: &str = "java/util/Collections$UnmodifiableList";
const RANDOM_ACCESS: &str = "java/util/Collections$UnmodifiableRandomAccessList";
const UNMODIFIABLE_MAP: &str = "java/util/Collections$UnmodifiableMap";
const SYNCHRONIZED: &str = "java/util/Collections$SynchronizedCollection";
const SYNCHRONIZED_LIST: &str = "java/util/Collections$SynchronizedList";
const SYNCHRONIZED_RANDOM_ACCESS: &str = "java/util/Collections$SynchronizedRandomAccessList";
const SYNCHRONIZED_MAP: &str = "java/util/Collections$SynchronizedMap";

/// Of the hidden ones, arrays that are made by the class of what they hold.
const MADE_BY_CLASS: &[(&str, &str)] = &[("java/util/EnumMap", "keyUniverse"), ("java/util/EnumSet", "universe")];

/// The classes that are taken for variables whose bounds speak of themselves, if one fits.
const COMPARABLE: [&str; 2] = ["java/lang/Integer", "java/lang/String"];

/// Variables whose objects are compared with each other, though no bound says so.
const ORDERED: &[(&str, &str)] = &[
    ("java/util/PriorityQueue", "E"),
    ("java/util/TreeMap", "K"),
    ("java/util/TreeMap$Entry", "K"),
    ("java/util/TreeSet", "E"),
];

/// The arguments of a class by the names of its parameters.
type Bindings = FxHashMap<String, Option<ShapeId>>;

impl Library {
    /// Whether inputs are those that programs can make.
    pub fn has_valid_inputs(&self) -> bool {
        self.world.inputs == super::Inputs::Valid
    }

    pub fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// A shape as Java writes it.
    pub fn show_shape(&self, id: ShapeId) -> String {
        let Shape { class, arguments, .. } = self.shape(id);
        let name = &self.class(*class).name;
        if self.java(*class).element.is_some() || arguments.is_empty() {
            return name.clone();
        }
        let argument = |argument: &Option<ShapeId>| argument.map_or_else(|| "?".into(), |shape| self.show_shape(shape));
        format!("{name}<{}>", arguments.iter().map(argument).collect::<Vec<String>>().join(", "))
    }

    fn enter(&self, shape: Shape) -> ShapeId {
        let mut numbers = self.shape_numbers.lock().expect("no panic while locked");
        *numbers.entry(shape.clone()).or_insert_with(|| ShapeId(self.shapes.push(shape) as u32))
    }

    /// A class of which nothing else is known.
    pub fn plain(&self, class: ClassId) -> ShapeId {
        self.enter(Shape { class, arguments: Vec::new(), variable: None, held: Held::Usual })
    }

    /// What the signature of a method says of its parameters (without the receiver), if it has one for each.
    pub fn parameter_shapes(&self, method: MethodId) -> Vec<Option<ShapeId>> {
        let declared = self.declared(method);
        let count = declared.parameters.len() - !declared.is(access::STATIC) as usize;
        let signature = self.method_in_file(declared).and_then(|(file, at)| file.method_signature(&file.methods[at]));
        let Some(signature) = signature.filter(|signature| signature.parameters.len() == count) else {
            return vec![None; count];
        };
        let scope = Scope { library: self, class: declared.class, own: &signature.type_parameters };
        let bindings = Bindings::default();
        signature.parameters.iter().map(|written| scope.shape(written, &bindings, 0)).collect()
    }

    /// The shape of what a method gives that is called on an object, if its signature says more than its descriptor.
    pub fn result_shape(&self, receiver: ShapeId, method: MethodId) -> Option<ShapeId> {
        let declared = self.declared(self.implemented(method));
        let (file, at) = self.method_in_file(declared)?;
        let signature = file.method_signature(&file.methods[at])?;
        let scope = Scope { library: self, class: declared.class, own: &signature.type_parameters };
        scope.shape(&signature.result?, &self.bindings(receiver, declared.class), 0)
    }

    /// The method of an interface that one of its uninterpreted implementation stands for.
    fn implemented(&self, method: MethodId) -> MethodId {
        let declared = self.declared(method);
        if !self.is_uninterpreted(declared.class) {
            return method;
        }
        let above = self.by_name(self.java(declared.class).supertypes.iter().copied());
        let mut same = above.into_iter().filter(|class| *class != declared.class);
        let found = same.find_map(|class| self.declared_method(class, &declared.name, &declared.descriptor));
        found.unwrap_or(method)
    }

    /// Whether the type of a field has no parameters and is none.
    pub fn is_plain(&self, field: FieldId) -> bool {
        self.written(field).is_none()
    }

    /// The shape of a field of an object, if more is said of it than its erased type.
    pub fn field_shape(&self, holder: ShapeId, field: FieldId) -> Option<ShapeId> {
        let written = self.written(field)?;
        let class = self.field(field).class;
        let scope = Scope { library: self, class, own: &[] };
        let shape = scope.shape(&written, &self.bindings(holder, class), 0)?;
        let of = (self.internal_name(class), self.field(field).name.as_str());
        Some(if MADE_BY_CLASS.contains(&of) { self.made_by_class(shape) } else { shape })
    }

    /// The classes of what a field holds by the classes of its holders, beside the declared one.
    pub fn held_below(&self, field: FieldId) -> Vec<ClassId> {
        let Type::Ref(declared) = self.field(field).ty else { return Vec::new() };
        let held = self.held_by_holder(field).map(|(_, held)| held);
        held.filter(|held| self.is_subclass(*held, declared)).collect()
    }

    /// Fields that hold objects of one class, whatever their type permits: what a constructor makes.
    pub fn hold_copies(&self, fields: Vec<(FieldId, ClassId)>) {
        self.copied.lock().expect("no panic while locked").extend(fields);
    }

    /// What a field holds by the class of its holder: lines of [`LINKED`].
    fn held_by_holder(&self, field: FieldId) -> impl Iterator<Item = (ClassId, ClassId)> {
        let declared = self.field(field);
        let of = (self.internal_name(declared.class), declared.name.as_str());
        let lines = LINKED.iter().filter(move |(_, class, name, _)| (*class, *name) == of);
        lines.map(|(holder, _, _, held)| (self.class_id(holder), self.class_id(held)))
    }

    /// The shape of a field of an object that has one of these classes.
    pub fn field_shape_among(&self, holder: ShapeId, classes: &[(u32, u32)], field: FieldId) -> Option<ShapeId> {
        let general = self.field_shape(self.holder_among(holder, classes, field), field)?;
        let copied = self.copied.lock().expect("no panic while locked").get(&field).copied();
        if let Some(class) = copied.filter(|_| !self.is_chosen(self.shape(general).class)) {
            return Some(self.narrowed(general, class));
        }
        let lines: Vec<(ClassId, ClassId)> = self.held_by_holder(field).collect();
        if lines.is_empty() {
            return Some(general);
        }
        let numbers = classes.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
        let holders = numbers.filter(|class| self.is_subclass(*class, self.field(field).class));
        let held_by = |class: ClassId| lines.iter().find(|(of, _)| self.is_subclass(class, *of)).map(|(_, held)| *held);
        let mut held: Vec<Option<ClassId>> = holders.map(held_by).collect();
        held.sort_unstable();
        held.dedup();
        Some(match held[..] {
            [Some(held)] => self.held(general, held, true),
            [None, Some(held)] => self.held(general, held, false),
            [Some(_), ..] => {
                let held = Held::Only(held.into_iter().flatten().collect());
                self.enter(Shape { held, ..self.shape(general).clone() })
            }
            _ => general,
        })
    }

    /// The shape of a holder where its type says nothing of the class that declares the field: `c` of a wrapper that is known as a
    /// `List<Integer>`. Then its classes say it, if they agree.
    fn holder_among(&self, holder: ShapeId, classes: &[(u32, u32)], field: FieldId) -> ShapeId {
        let (class, declaring) = (self.shape(holder).class, self.field(field).class);
        if self.is_subclass(class, declaring) || self.is_subclass(declaring, class) {
            return holder;
        }
        let numbers = classes.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
        let holders = numbers.filter(|class| self.is_subclass(*class, declaring));
        let mut shapes = holders.map(|class| self.narrowed(holder, class));
        let Some(first) = shapes.next() else { return holder };
        let of_field = self.field_shape(first, field);
        if shapes.all(|shape| self.field_shape(shape, field) == of_field) { first } else { holder }
    }

    /// A shape whose objects, or elements, are of a class below: they alone, or they as well.
    fn held(&self, shape: ShapeId, below: ClassId, alone: bool) -> ShapeId {
        let Shape { class, arguments, .. } = self.shape(shape);
        match (arguments[..].first().copied().flatten(), alone) {
            (Some(element), _) if self.java(*class).element.is_some() => {
                let arguments = vec![Some(self.held(element, below, alone))];
                self.enter(Shape { class: *class, arguments, variable: None, held: Held::Usual })
            }
            (_, true) => self.narrowed(shape, below),
            (_, false) => self.enter(Shape { held: Held::Also(below), ..self.shape(shape).clone() }),
        }
    }

    /// The shape of an array whose own class is that of its elements.
    fn made_by_class(&self, array: ShapeId) -> ShapeId {
        let Some(element) = self.shape(array).arguments.first().copied().flatten() else { return array };
        let name = self.internal_name(self.shape(element).class);
        let class = self.class_id(&format!("[L{name};"));
        self.enter(Shape { class, arguments: vec![Some(element)], variable: None, held: Held::Usual })
    }

    /// The type of a field as it is written, if that is more than its descriptor.
    fn written(&self, field: FieldId) -> Option<Written> {
        let field = self.field(field);
        let name = self.internal_name(field.class);
        if let Some((_, _, ty)) = HIDDEN.iter().find(|(class, hidden, _)| *class == name && *hidden == field.name) {
            return signature::field(ty);
        }
        let file = self.java(field.class).file.as_ref()?;
        let descriptor = self.descriptor_of(field.ty);
        file.field_signature(file.field(&field.name, &descriptor)?)
    }

    /// Of the classes that inputs of a shape may have, those whose supertypes do not say otherwise.
    pub fn shape_classes(&self, shape: ShapeId) -> Vec<(u32, u32)> {
        let Shape { class, arguments, held, .. } = self.shape(shape);
        let usual = |class: ClassId| self.input_classes(class).into_iter().flat_map(|(low, high)| low..=high);
        let mut classes = match held {
            Held::Usual => self.input_classes(*class),
            Held::Also(also) => super::intervals(usual(*class).map(ClassId).chain([*also]).collect()),
            Held::Only(only) => super::intervals(only.iter().flat_map(|class| usual(*class)).map(ClassId).collect()),
        };
        if arguments.iter().any(Option::is_some) {
            let numbers = classes.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
            let fitting: Vec<ClassId> = numbers.filter(|below| self.fits(*below, *class, arguments)).collect();
            if !fitting.is_empty() {
                classes = super::intervals(fitting);
            }
        }
        classes
    }

    /// Whether the objects of a class may be of a class above it with these arguments.
    fn fits(&self, below: ClassId, class: ClassId, arguments: &[Option<ShapeId>]) -> bool {
        let Some(written) = self.arguments_above(below, class, 0) else { return true };
        let no_bindings = Bindings::default();
        let scope = Scope { library: self, class: below, own: &[] };
        written.iter().zip(arguments).all(|(written, argument)| {
            let (Some(written), Some(argument)) = (written, argument) else { return true };
            let own = match written {
                Written::Variable(_) => return true,
                _ => scope.shape(written, &no_bindings, 0),
            };
            own.is_none_or(|own| self.may_meet_classes(self.shape(own).class, self.shape(*argument).class))
        })
    }

    fn may_meet_classes(&self, a: ClassId, b: ClassId) -> bool {
        self.is_subclass(a, b) || self.is_subclass(b, a) || self.may_meet(a, b)
    }

    /// Whether no object has both shapes: their arguments contradict each other.
    pub fn are_apart(&self, a: ShapeId, b: ShapeId) -> bool {
        let (below, above) = match self.is_subclass(self.shape(a).class, self.shape(b).class) {
            true => (a, b),
            false => (b, a),
        };
        let Shape { class, arguments, .. } = self.shape(above);
        if !self.may_meet_classes(self.shape(below).class, *class) {
            return true;
        }
        if !self.is_subclass(self.shape(below).class, *class) {
            return false;
        }
        if self.java(*class).element.is_some() {
            let elements = [below, above].map(|shape| self.shape(shape).arguments.first().copied().flatten());
            // Arrays without elements that are objects belong to both.
            return matches!(elements, [Some(a), Some(b)] if self.are_apart(a, b));
        }
        let bindings = self.bindings(below, *class);
        self.parameters(*class).iter().zip(arguments).any(|(parameter, argument)| {
            let own = bindings.get(&parameter.name).copied().flatten();
            matches!((own, argument), (Some(own), Some(argument)) if self.are_apart(own, *argument))
        })
    }

    /// A shape as one of a class below it: what is known of the arguments there.
    pub fn narrowed(&self, shape: ShapeId, class: ClassId) -> ShapeId {
        if self.shape(shape).class == class || !self.is_subclass(class, self.shape(shape).class) {
            return shape;
        }
        let bindings = self.bindings(shape, class);
        let arguments = self.parameters(class).iter().map(|p| bindings.get(&p.name).copied().flatten()).collect();
        self.enter(Shape { class, arguments, variable: None, held: Held::Usual })
    }

    /// What an object of a shape has as arguments of a class above or below.
    fn bindings(&self, shape: ShapeId, class: ClassId) -> Bindings {
        let Shape { class: own, arguments, .. } = self.shape(shape);
        let given: Bindings =
            self.parameters(*own).into_iter().map(|parameter| parameter.name).zip(arguments.iter().copied()).collect();
        if *own == class {
            return given;
        }
        let parameters = self.parameters(class);
        if self.is_subclass(*own, class) {
            let Some(written) = self.arguments_above(*own, class, 0) else { return Bindings::default() };
            let scope = Scope { library: self, class: *own, own: &[] };
            let shapes = written.iter().map(|written| scope.shape(written.as_ref()?, &given, 0));
            return parameters.into_iter().map(|parameter| parameter.name).zip(shapes).collect();
        }
        let mut found = Bindings::default();
        if self.is_subclass(class, *own)
            && let Some(written) = self.arguments_above(class, *own, 0)
        {
            for (written, argument) in written.iter().zip(arguments) {
                if let (Some(written), Some(argument)) = (written, argument) {
                    self.unify(written, *argument, &mut found);
                }
            }
        }
        found
    }

    /// What the variables of a type are if it is a shape.
    fn unify(&self, written: &Written, shape: ShapeId, found: &mut Bindings) {
        let Shape { class, arguments, .. } = self.shape(shape);
        match written {
            Written::Primitive(_) => {}
            Written::Variable(name) => {
                found.entry(name.clone()).or_insert(Some(shape));
            }
            Written::Array(element) => {
                if let [Some(argument)] = arguments[..] {
                    self.unify(element, argument, found);
                }
            }
            Written::Class { name, arguments: inner } => {
                if self.internal_name(*class) == name && inner.len() == arguments.len() {
                    for (written, argument) in inner.iter().zip(arguments) {
                        if let (Some(written), Some(argument)) = (written, argument) {
                            self.unify(written, *argument, found);
                        }
                    }
                }
            }
        }
    }

    /// The type parameters of a class, those of the classes around it first.
    fn parameters(&self, class: ClassId) -> Vec<TypeParameter> {
        let Some(file) = self.java(class).file.as_ref() else { return Vec::new() };
        let mut parameters = match self.around(file) {
            Some(outer) => self.parameters(outer),
            None => Vec::new(),
        };
        parameters.extend(file.signature().iter().flat_map(|signature| &signature.parameters).cloned());
        parameters
    }

    /// The class whose type variables an inner class shares.
    fn around(&self, file: &Arc<ClassFile>) -> Option<ClassId> {
        let inner = file.inner_classes.iter().find(|inner| inner.inner == file.name)?;
        let outer = inner.outer.as_ref().filter(|outer| **outer != file.name)?;
        (inner.access.0 & access::STATIC == 0).then(|| self.class_id(outer))
    }

    /// The supertypes of a class as they are written; one that says nothing of arguments has none (`Operation$1`, the body of a
    /// constant).
    fn supertypes_of(&self, class: ClassId) -> Option<Vec<Written>> {
        let file = self.java(class).file.as_ref()?;
        if let Some(signature) = file.signature() {
            return Some(signature.supertypes.clone());
        }
        let names = file.superclass.iter().chain(&file.interfaces);
        Some(names.map(|name| Written::Class { name: name.to_string(), arguments: Vec::new() }).collect())
    }

    /// The arguments that a class has for one above it, in its own variables: `None` if nobody says.
    fn arguments_above(&self, class: ClassId, above: ClassId, depth: usize) -> Option<Vec<Option<Written>>> {
        if class == above {
            let variables = self.parameters(class).into_iter().map(|parameter| Some(Written::Variable(parameter.name)));
            return Some(variables.collect());
        }
        let supertypes = self.supertypes_of(class)?;
        let next = supertypes.iter().find_map(|written| match written {
            Written::Class { name, arguments } if depth < MAX_DEPTH => {
                let class = self.class_id(name);
                self.is_subclass(class, above).then_some((class, arguments))
            }
            _ => None,
        });
        let (next, arguments) = next?;
        let further = self.arguments_above(next, above, depth + 1)?;
        let parameters = self.parameters(next);
        let known = |variable: &str| {
            let at = parameters.iter().rposition(|parameter| parameter.name == variable)?;
            arguments.get(at)?.clone()
        };
        Some(further.into_iter().map(|written| written?.substitute(&known)).collect())
    }
}

/// Hierarchies that are deeper are not followed: class files may be wrong.
const MAX_DEPTH: usize = 64;

/// Where a type is written: whose variables it may mention.
struct Scope<'a> {
    library: &'a Library,
    class: ClassId,
    /// The type parameters of the method.
    own: &'a [TypeParameter],
}

impl Scope<'_> {
    /// The shape of a type as it is written; nothing for primitive types and for variables without any bound.
    fn shape(&self, written: &Written, bindings: &Bindings, depth: usize) -> Option<ShapeId> {
        let library = self.library;
        match written {
            Written::Primitive(_) => None,
            Written::Array(element) => {
                let Type::Ref(class) = library.type_of(&self.erased(written, 0)?) else { return None };
                let argument = self.shape(element, bindings, depth + 1);
                Some(library.enter(Shape { class, arguments: vec![argument], variable: None, held: Held::Usual }))
            }
            Written::Class { name, arguments } => {
                let class = library.class_id(name);
                let fits =
                    depth < MAX_NESTING && !arguments.is_empty() && arguments.len() == library.parameters(class).len();
                let inner = |written: &Option<Written>| self.shape(written.as_ref()?, bindings, depth + 1);
                let arguments = if fits { arguments.iter().map(inner).collect() } else { Vec::new() };
                Some(library.enter(Shape { class, arguments, variable: None, held: Held::Usual }))
            }
            Written::Variable(name) => match bindings.get(name) {
                Some(Some(known)) => Some(*known),
                _ => self.bound(name, bindings, depth),
            },
        }
    }

    /// What bounds a variable of which nothing else is known.
    fn bound(&self, variable: &str, bindings: &Bindings, depth: usize) -> Option<ShapeId> {
        if depth > MAX_NESTING {
            return None;
        }
        let bound = self.bound_of(variable)?;
        let library = self.library;
        let is_ordered = ORDERED.contains(&(library.internal_name(self.class), variable));
        if !bound.mentions(variable) && !is_ordered {
            return self.shape(&bound, bindings, depth + 1);
        }
        let Written::Class { name, .. } = &bound else { return None };
        let class = library.class_id(name);
        // All objects of this type are of one class, whichever it is.
        if library.is_chosen(class) {
            return Some(library.plain(class));
        }
        let comparable = COMPARABLE.iter().map(|name| library.class_id(name));
        match comparable.into_iter().find(|candidate| library.is_subclass(*candidate, class)) {
            Some(chosen) => {
                let variable = Some(variable.to_string());
                Some(library.enter(Shape { class: chosen, arguments: Vec::new(), variable, held: Held::Usual }))
            }
            None => Some(library.plain(class)),
        }
    }

    fn bound_of(&self, variable: &str) -> Option<Written> {
        let of_class = || self.library.parameters(self.class).into_iter().rev().find(|p| p.name == variable);
        let parameter = self.own.iter().find(|p| p.name == variable).cloned().or_else(of_class)?;
        parameter.bound
    }

    /// The descriptor of a type as it is written.
    fn erased(&self, written: &Written, depth: usize) -> Option<String> {
        Some(match written {
            Written::Primitive(descriptor) => descriptor.to_string(),
            Written::Class { name, .. } => format!("L{name};"),
            Written::Array(element) => format!("[{}", self.erased(element, depth + 1)?),
            Written::Variable(name) => match self.bound_of(name) {
                Some(bound) if depth < MAX_NESTING => self.erased(&bound, depth + 1)?,
                _ => format!("L{};", self.library.internal_name(OBJECT)),
            },
        })
    }
}
