//! Whether public calls can build an input. It is decided object by object, and only where that is plain: what is not known to be possible is
//! taken to need reflection, and is never called a failure.
//!
//! An object can be built if it is an array, a string, a box, a constant of an enum or something else that exists before the method is called; of a
//! class of the JDK for whose valid objects there is a file, or that takes any value; of a class of the target that others can make objects of, where
//! the path depends on none of its fields; or of one with a constructor that is not private and does nothing but keep its parameters, where every
//! other field is as it was at first, or may be assigned from outside.

use lazuli::{Concrete, Program, Witness, WitnessObject};
use lazuli_invariant::hex::bundle;
use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::classfile::{ClassFile, Method};
use lazuli_program::frontend::java::callable::{self, kept_fields};
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::Library;

use super::property::Failure;
use crate::report::values::Heap;

/// Classes of the JDK that may hold any value, by public calls.
const FREE: [&str; 15] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Float",
    "java/lang/Double",
    "java/util/Optional",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicReference",
];

/// Why a failure on a witness that calls can build need not be one, where nobody is told that null may be given: it is an element, or given to a
/// constructor.
pub fn doubtful_null(program: &Program, classes: &ClassPath, witness: &Witness, failure: &Failure) -> Option<String> {
    // Of what takes several calls nobody knows what they are given.
    let is_null = || hidden(program, classes, witness, &[]).is_none() && needs_null(program, classes, witness);
    let given = || is_null().then(|| "with null given to a constructor only".into());
    null_element(program, witness, failure).or_else(given)
}

/// The same, of null as an element.
pub fn null_element(program: &Program, witness: &Witness, failure: &Failure) -> Option<String> {
    let is_null = *failure == Failure::Exception("java.lang.NullPointerException".into());
    (is_null && has_null_element(program, witness)).then(|| "with null as an element only".into())
}

/// Whether objects of the witness can only be built by giving null to a constructor whose callers are not told that they may.
fn needs_null(program: &Program, classes: &ClassPath, witness: &Witness) -> bool {
    let Some(library) = program.library.as_deref() else { return false };
    let built = Built { library, classes, witness, gives_null: false };
    (0..witness.objects.len()).any(|index| !built.is_built(index))
}

/// The class of an object that public calls are not known to build as the witness has it. Some are known to be made, with all that belongs to them.
pub fn hidden(program: &Program, classes: &ClassPath, witness: &Witness, made: &[usize]) -> Option<String> {
    let library = program.library.as_deref()?;
    let built = Built { library, classes, witness, gives_null: true };
    let heap = Heap::new(program, &witness.objects);
    let made = reached(witness, made);
    let is_built = |index: &usize| made[*index] || built.is_built(*index) && built.is_placed(*index, &heap);
    let hidden = (0..witness.objects.len()).find(|index| !is_built(index));
    let readable = |index: usize| library.internal_name(witness.objects[index].class).replace('/', ".");
    hidden.or_else(|| built.in_circle(made)).map(readable)
}

/// Which objects can be reached from some, these included.
fn reached(witness: &Witness, from: &[usize]) -> Vec<bool> {
    let mut reached = vec![false; witness.objects.len()];
    let mut open = from.to_vec();
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        let WitnessObject { fields, elements, .. } = &witness.objects[index];
        let parts = fields.iter().map(|(_, value)| value).chain(elements.iter().map(|(_, value)| value));
        open.extend(parts.filter_map(|value| if let Concrete::Object(at) = value { Some(*at) } else { None }));
    }
    reached
}

struct Built<'a> {
    library: &'a Library,
    classes: &'a ClassPath,
    witness: &'a Witness,
    /// Whether constructors are given null that do not say what they do with it.
    gives_null: bool,
}

impl Built<'_> {
    fn object(&self, index: usize) -> &WitnessObject {
        &self.witness.objects[index]
    }

    fn is_built(&self, index: usize) -> bool {
        let object = self.object(index);
        let internal = self.library.internal_name(object.class);
        if object.existing.is_some() || internal.starts_with('[') || FREE.contains(&internal) {
            return true;
        }
        if self.library.is_subclass(object.class, self.library.class_id("java/lang/Enum")) {
            return true;
        }
        match self.classes.is_user_class(internal) {
            true => self.class(object.class).is_some_and(|class| {
                callable::is_callable(&class) && (is_any(&class, object) || self.is_kept(&class, object))
            }),
            false => self.is_bundled(object.class),
        }
    }

    fn class(&self, class: ClassId) -> Option<std::sync::Arc<ClassFile>> {
        self.classes.find(self.library.internal_name(class)).ok().flatten()
    }

    /// Whether a file that comes with Lazuli says how valid objects look; nodes are as valid as what they belong to.
    fn is_bundled(&self, class: ClassId) -> bool {
        let internal = self.library.internal_name(class);
        let outermost = internal.split('$').next().unwrap_or(internal);
        bundle::ALL.iter().any(|file| {
            let name = file.class.replace('.', "/");
            name == outermost || self.library.is_subclass(class, self.library.class_id(&name))
        })
    }

    /// Whether a node of a map is where its key belongs. The files that come with Lazuli say it of keys that are Integers; of strings it is
    /// computed here, and of others it is not known.
    fn is_placed(&self, index: usize, heap: &Heap) -> bool {
        let kind = self.library.internal_name(self.object(index).class);
        let Some(Concrete::Object(key)) = self.named(index, "key") else { return true };
        let is_alike = |other: &usize| self.library.internal_name(self.object(*other).class) == kind;
        let others = (0..self.witness.objects.len()).filter(|other| *other != index).filter(is_alike);
        match kind {
            _ if heap.boxed(key).is_some_and(|(class, ..)| class.ends_with("Integer")) => true,
            "java/util/HashMap$Node" | "java/util/LinkedHashMap$Entry" | "java/util/HashMap$TreeNode" => {
                let Some(text) = heap.text_of(key) else { return false };
                let hash = text.iter().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(*unit)));
                let spread = hash ^ (hash as u32 >> 16) as i32;
                let is_there = self.named(index, "hash").is_none_or(|hash| hash == Concrete::Int(spread.into()));
                let is_same = |other: usize| matches!(self.named(other, "key"), Some(Concrete::Object(at)) if heap.text_of(at) == Some(text.clone()));
                is_there && !others.into_iter().any(is_same)
            }
            // One entry is in its order.
            "java/util/TreeMap$Entry" => others.count() == 0,
            _ => true,
        }
    }

    fn named(&self, index: usize, name: &str) -> Option<Concrete> {
        let known = self.object(index).fields.iter().find(|(field, _)| self.library.field(*field).name == name);
        known.map(|(_, value)| *value)
    }

    /// Whether one constructor, and assignments of fields that others may assign, make the object.
    fn is_kept(&self, class: &ClassFile, object: &WitnessObject) -> bool {
        let constructors =
            class.methods.iter().filter(|method| &*method.name == "<init>" && !method.access.is_private());
        let kept = constructors.filter_map(|constructor| Some((kept_fields(class, constructor)?, constructor)));
        kept.into_iter().any(|(kept, constructor)| {
            let nullable = callable::nullable(constructor);
            let may_be = |value: Concrete, parameter: usize| {
                value != Concrete::Null || self.gives_null || nullable.get(parameter).copied().unwrap_or(true)
            };
            let is_made = object.fields.iter().all(|(field, value)| {
                let declared = self.library.field(*field);
                let is_default = *value == Concrete::default_of(declared.ty);
                match kept.iter().find(|(name, _)| **name == *declared.name) {
                    Some((_, parameter)) => {
                        may_be(*value, *parameter)
                            || is_open(class, &declared.name)
                            || self.is_next(object.class, declared.ty)
                    }
                    None => is_default || is_open(class, &declared.name),
                }
            });
            // What one parameter gives to two fields is the same.
            let value = |name: &str| {
                let known = object.fields.iter().find(|(field, _)| self.library.field(*field).name == name);
                known.map(|(_, value)| *value)
            };
            let is_shared = kept.iter().all(|(name, parameter)| {
                kept.iter().all(|(other, same)| parameter != same || value(name) == value(other))
            });
            is_made && is_shared
        })
    }

    /// Whether a field leads to objects like the one that has it: the first of them can be given nothing but null.
    fn is_next(&self, class: ClassId, ty: Type) -> bool {
        matches!(ty, Type::Ref(to) if self.library.is_subclass(class, to) && self.library.internal_name(to) != "java/lang/Object")
    }

    /// An object of a circle of references that only constructors can set: there is none that comes first.
    fn in_circle(&self, mut made: Vec<bool>) -> Option<usize> {
        let number = self.witness.objects.len();
        // An object is made when all that its constructor is given was made.
        for _ in 0..number {
            for index in 0..number {
                let all = self.given(index).iter().all(|given| made[*given]);
                made[index] |= all;
            }
        }
        made.iter().position(|made| !made)
    }

    /// The objects that the constructor of one of the target's classes must be given.
    fn given(&self, index: usize) -> Vec<usize> {
        let object = self.object(index);
        let internal = self.library.internal_name(object.class);
        if object.existing.is_some() || !self.classes.is_user_class(internal) {
            return Vec::new();
        }
        let Some(class) = self.class(object.class) else { return Vec::new() };
        let fields = object.fields.iter().filter(|(field, _)| !is_open(&class, &self.library.field(*field).name));
        fields.filter_map(|(_, value)| if let Concrete::Object(at) = value { Some(*at) } else { None }).collect()
    }
}

/// Whether any object of the class will do, and others can make one: by a constructor, or by a static method that gives one.
fn is_any(class: &ClassFile, object: &WitnessObject) -> bool {
    let gives = |descriptor: &str| descriptor.ends_with(&format!(")L{};", class.name));
    let makes = |method: &Method| &*method.name == "<init>" || method.access.is_static() && gives(&method.descriptor);
    object.fields.is_empty() && class.methods.iter().any(|method| !method.access.is_private() && makes(method))
}

/// Whether code outside of the class may assign a field.
fn is_open(class: &ClassFile, name: &str) -> bool {
    let field = class.fields.iter().find(|field| *field.name == *name);
    field.is_some_and(|field| !field.access.is_private() && !field.access.is_final())
}

/// The fields of nodes in which collections of the JDK keep what they hold.
const HOLDS: [&str; 3] = ["item", "key", "value"];

/// Whether an array or a collection of the input has null as an element.
fn has_null_element(program: &Program, witness: &Witness) -> bool {
    let Some(library) = program.library.as_deref() else { return false };
    let heap = Heap::new(program, &witness.objects);
    let internal = |object: &WitnessObject| library.internal_name(object.class);
    let is_users = |object: &WitnessObject| library.path.is_user_class(internal(object));
    // An array of a collection has places that nobody sees.
    let is_inside = |index: usize| {
        let holders = witness.objects.iter().filter(|object| !is_users(object));
        holders.flat_map(|object| &object.fields).any(|(_, value)| *value == Concrete::Object(index))
    };
    let is_node = |object: &WitnessObject| internal(object).starts_with("java/util/") && internal(object).contains('$');
    (0..witness.objects.len()).any(|index| {
        let object = &witness.objects[index];
        if is_node(object) {
            let holds = |(field, value): &(FieldId, Concrete)| {
                *value == Concrete::Null && HOLDS.contains(&library.field(*field).name.as_str())
            };
            return object.fields.iter().any(holds);
        }
        let element = library.java(object.class).element;
        let elements = match element.is_some_and(|element| element.is_ref()) && !is_inside(index) {
            true => heap.elements(index),
            false => heap.contents(index),
        };
        elements.is_some_and(|elements| elements.contains(&Concrete::Null))
    })
}
