//! Java's classes, fields and methods: loaded when they are first needed, lowered when they are first called.
//!
//! The tables only grow, and what is in them never changes, so a [`crate::Program`] in Java is as immutable for its readers as
//! any other. Numbers depend on the order of loading, so nothing that is printed or decided may depend on them: what is listed is
//! listed by name. The exception are classes of inputs, whose numbers a solver chooses from: they are numbered before anything
//! is loaded (see [`World`]).

mod generics;
mod link;
mod names;
mod resolve;
mod tables;
mod world;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bytecode::classfile::ClassFile;
use crate::bytecode::classpath::ClassPath;
use crate::bytecode::descriptor;
use crate::bytecode::pool::Name;
use crate::ir::*;

pub use generics::{Shape, ShapeId};
pub use resolve::{Refusal, linkage};
pub(crate) use world::intervals;
pub use world::{ClosedWorld, Inputs, World};

/// Access flags of the class file format.
pub mod access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    /// Of classes, and of methods.
    pub const SUPER: u16 = 0x0020;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const ENUM: u16 = 0x4000;
}

pub const OBJECT: ClassId = ClassId(0);
/// The parent of all classes of arrays, which Java does not have: it declares [`LENGTH`].
pub const ARRAY: ClassId = ClassId(1);
/// What `Object.hashCode` gives: a field of every object that the program cannot write.
pub const IDENTITY_HASH: FieldId = FieldId(0);
/// The length of an array: a field that the program cannot write.
pub const LENGTH: FieldId = FieldId(1);

/// The name of the methods that throw what an instruction raises. No method of Java is called so.
pub const THROWER: &str = "throw";

/// What a class of Java has besides fields and methods.
#[derive(Clone, Debug)]
pub struct JavaClass {
    /// `java/util/Map$Entry`, or an array's descriptor.
    pub internal: Name,
    pub flags: u16,
    pub interfaces: Vec<ClassId>,
    /// All classes and interfaces that its objects are of, itself included.
    pub supertypes: FxHashSet<ClassId>,
    /// Its static fields, with the constants they start with.
    pub statics: Vec<(FieldId, Option<Const>)>,
    /// `<clinit>`.
    pub initializer: Option<MethodId>,
    /// Whether it has an initialiser, or is a class and something above it has one.
    pub needs_initializing: bool,
    pub declared_methods: FxHashMap<(Name, Name), MethodId>,
    pub declared_fields: FxHashMap<(Name, Name), FieldId>,
    /// Of an array.
    pub element: Option<Type>,
    pub source_file: String,
    pub file: Option<Arc<ClassFile>>,
    /// Why there is no such class.
    pub missing: Option<String>,
}

impl JavaClass {
    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Whether there can be an object of exactly this class.
    pub fn is_instantiable(&self) -> bool {
        !self.is(access::INTERFACE | access::ABSTRACT) && self.missing.is_none()
    }
}

/// A class that is linked: what the classes of all languages have, and what only those of Java have.
struct Linked {
    class: Class,
    /// Not in place, because many classes have a slot, and few of them are ever linked.
    java: Box<JavaClass>,
}

impl Linked {
    fn new(class: Class, java: JavaClass) -> Linked {
        Linked { class, java: Box::new(java) }
    }
}

struct ClassSlot {
    internal: Name,
    linked: OnceLock<Linked>,
}

/// A method as its class declares it.
pub struct Declared {
    pub name: Name,
    pub descriptor: Name,
    pub class: ClassId,
    pub flags: u16,
    /// The receiver first.
    pub parameters: Vec<Type>,
    pub result: Type,
    /// Its place in the class file.
    index: Option<usize>,
    /// Its own code is meant, even if the engine provides the method.
    original: bool,
    body: OnceLock<Method>,
}

impl Declared {
    /// Its place among the methods of its class file; methods that no class file has are 0.
    pub fn number_in_file(&self) -> usize {
        self.index.map_or(0, |index| index + 1)
    }

    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

/// Whether the engine itself provides a method, by class, name and descriptor.
pub type Provided = fn(&str, &str, &str) -> bool;

/// Who writes the bodies of methods. The library only keeps them: it is given these functions by the front end, which knows the
/// library and not the other way round.
#[derive(Clone, Copy)]
pub struct Bodies {
    /// Lowers a method that a class declares.
    pub method: fn(&Library, MethodId) -> Method,
    /// The body of a method that throws a new exception of a class, by the constructor with this descriptor and these parameters.
    pub thrower: fn(&Library, ClassId, &str, &[Type]) -> Method,
}

pub struct Library {
    /// Shared with whoever needs class files beside the program.
    pub path: Arc<ClassPath>,
    pub world: World,
    provided: Provided,
    bodies: Bodies,
    names: RwLock<FxHashMap<Name, ClassId>>,
    classes: boxcar::Vec<ClassSlot>,
    fields: boxcar::Vec<Field>,
    methods: boxcar::Vec<Declared>,
    selectors: boxcar::Vec<(Name, Name)>,
    selector_numbers: Mutex<FxHashMap<(Name, Name), Selector>>,
    strings: boxcar::Vec<Arc<[u16]>>,
    string_numbers: Mutex<FxHashMap<Arc<[u16]>, StrId>>,
    throwers: Mutex<FxHashMap<Name, MethodId>>,
    failing: Mutex<FxHashMap<&'static str, MethodId>>,
    originals: Mutex<FxHashMap<MethodId, MethodId>>,
    /// Methods that the engine has made, by the names it gave them.
    defined: Mutex<FxHashMap<Name, MethodId>>,
    /// Types with their arguments, as far as somebody has asked for them.
    shapes: boxcar::Vec<Shape>,
    shape_numbers: Mutex<FxHashMap<Shape, ShapeId>>,
    /// The program's classes that have objects, and the classes of inputs by their declared ones, as far as somebody has asked.
    instantiable: OnceLock<Vec<ClassId>>,
    input_classes: Mutex<FxHashMap<ClassId, Vec<(u32, u32)>>>,
    /// The classes of what constructors make for fields whose types permit more.
    copied: Mutex<FxHashMap<FieldId, ClassId>>,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Library of {} classes", self.classes.count())
    }
}

impl Library {
    pub fn new(path: Arc<ClassPath>, world: World, provided: Provided, bodies: Bodies) -> Library {
        let library = Library {
            path,
            world,
            provided,
            bodies,
            names: RwLock::default(),
            classes: boxcar::Vec::new(),
            fields: boxcar::Vec::new(),
            methods: boxcar::Vec::new(),
            selectors: boxcar::Vec::new(),
            selector_numbers: Mutex::default(),
            strings: boxcar::Vec::new(),
            string_numbers: Mutex::default(),
            throwers: Mutex::default(),
            failing: Mutex::default(),
            originals: Mutex::default(),
            defined: Mutex::default(),
            shapes: boxcar::Vec::new(),
            shape_numbers: Mutex::default(),
            instantiable: OnceLock::new(),
            input_classes: Mutex::default(),
            copied: Mutex::default(),
        };
        let pseudo =
            |name: &str, class, slot| Field { name: name.into(), class, ty: Type::Int, slot, is_static: false };
        library.fields.push(pseudo("identityHashCode", OBJECT, 0));
        library.fields.push(pseudo("length", ARRAY, 1));
        assert_eq!(library.class_id("java/lang/Object"), OBJECT);
        assert_eq!(library.class_id("[]"), ARRAY);
        library.number_input_classes();
        library
    }

    /// The number of a class, by its internal name or, for an array, its descriptor. It is not loaded.
    pub fn class_id(&self, internal: &str) -> ClassId {
        if let Some(id) = self.names.read().expect("no panic while locked").get(internal) {
            return *id;
        }
        let mut names = self.names.write().expect("no panic while locked");
        if let Some(id) = names.get(internal) {
            return *id;
        }
        let internal: Name = internal.into();
        let id = ClassId(self.classes.push(ClassSlot { internal: internal.clone(), linked: OnceLock::new() }) as u32);
        names.insert(internal, id);
        id
    }

    pub fn internal_name(&self, id: ClassId) -> &str {
        &self.classes[id.index()].internal
    }

    /// Whether a class is one of the user's, and not of the JDK.
    pub fn is_users(&self, class: ClassId) -> bool {
        self.path.is_users(self.internal_name(class))
    }

    /// Whether a class is the program's, or came with it, and is none of the libraries that it is given.
    pub fn is_programs(&self, class: ClassId) -> bool {
        self.path.classes_beside().iter().any(|name| name.as_str() == self.internal_name(class))
    }

    /// Classes in an order that does not depend on what was loaded first.
    pub fn by_name(&self, classes: impl Iterator<Item = ClassId>) -> Vec<ClassId> {
        let mut classes: Vec<ClassId> = classes.collect();
        classes.sort_unstable_by_key(|class| self.internal_name(*class));
        classes
    }

    /// The class with its members. One that cannot be found has none, and says why.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.linked(id).class
    }

    /// What the class has besides.
    pub fn java(&self, id: ClassId) -> &JavaClass {
        &self.linked(id).java
    }

    fn linked(&self, id: ClassId) -> &Linked {
        let slot = &self.classes[id.index()];
        if let Some(linked) = slot.linked.get() {
            return linked;
        }
        let linked = self.link(id, &slot.internal);
        slot.linked.get_or_init(|| linked)
    }

    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// The field of a number that may be none's.
    pub fn numbered_field(&self, number: u64) -> Option<(FieldId, &Field)> {
        let field = self.fields.get(usize::try_from(number).ok()?)?;
        Some((FieldId(number as u32), field))
    }

    pub fn declared(&self, id: MethodId) -> &Declared {
        &self.methods[id.index()]
    }

    /// A method's instructions, lowered when they are first asked for.
    #[inline]
    pub fn body(&self, id: MethodId) -> &Method {
        let declared = self.declared(id);
        declared.body.get_or_init(|| (self.bodies.method)(self, id))
    }

    /// The bodies of all methods that somebody has asked for.
    pub fn bodies(&self) -> impl Iterator<Item = &Method> {
        self.methods.iter().filter_map(|(_, declared)| declared.body.get())
    }

    /// Its code in the class file.
    pub fn method_in_file(&self, declared: &Declared) -> Option<(&Arc<ClassFile>, usize)> {
        Some((self.java(declared.class).file.as_ref()?, declared.index?))
    }

    pub fn is_provided(&self, declared: &Declared) -> bool {
        declared.is(access::NATIVE)
            || !declared.original
                && (self.provided)(self.internal_name(declared.class), &declared.name, &declared.descriptor)
    }

    /// The method with the code of its class file, for one that the engine provides.
    pub fn original(&self, id: MethodId) -> MethodId {
        let mut originals = self.originals.lock().expect("no panic while locked");
        *originals.entry(id).or_insert_with(|| {
            let declared = self.declared(id);
            MethodId(self.methods.push(Declared {
                name: declared.name.clone(),
                descriptor: declared.descriptor.clone(),
                parameters: declared.parameters.clone(),
                body: OnceLock::new(),
                original: true,
                ..*declared
            }) as u32)
        })
    }

    pub fn selector(&self, name: &Name, descriptor: &Name) -> Selector {
        let mut numbers = self.selector_numbers.lock().expect("no panic while locked");
        let key = (name.clone(), descriptor.clone());
        *numbers.entry(key.clone()).or_insert_with(|| Selector(self.selectors.push(key) as u32))
    }

    pub fn selector_name(&self, selector: Selector) -> &(Name, Name) {
        &self.selectors[selector.index()]
    }

    pub fn string_id(&self, units: &Arc<[u16]>) -> StrId {
        let mut numbers = self.string_numbers.lock().expect("no panic while locked");
        *numbers.entry(units.clone()).or_insert_with(|| StrId(self.strings.push(units.clone()) as u32))
    }

    pub fn text_id(&self, text: &str) -> StrId {
        self.string_id(&text.encode_utf16().collect())
    }

    pub fn string(&self, id: StrId) -> &Arc<[u16]> {
        &self.strings[id.index()]
    }

    /// The type that a field's descriptor (or `V`) names.
    pub fn type_of(&self, descriptor: &str) -> Type {
        descriptor::primitive(descriptor).unwrap_or_else(|| match descriptor.starts_with('[') {
            true => Type::Ref(self.class_id(descriptor)),
            false => Type::Ref(self.class_id(&descriptor[1..descriptor.len() - 1])),
        })
    }

    /// The array class with elements of a type.
    pub fn array_of(&self, element: Type) -> ClassId {
        self.class_id(&format!("[{}", self.descriptor_of(element)))
    }

    pub fn descriptor_of(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "Z".into(),
            Type::Byte => "B".into(),
            Type::Short => "S".into(),
            Type::Char => "C".into(),
            Type::Int => "I".into(),
            Type::Long => "J".into(),
            Type::Float => "F".into(),
            Type::Double => "D".into(),
            Type::Void => "V".into(),
            Type::Ref(class) => match self.internal_name(class) {
                array if array.starts_with('[') => array.into(),
                name => format!("L{name};"),
            },
        }
    }

    pub fn is_subclass(&self, sub: ClassId, of: ClassId) -> bool {
        if sub == of || of == OBJECT {
            return true;
        }
        let java = self.java(sub);
        if java.supertypes.contains(&of) {
            return true;
        }
        // Arrays of references are covariant.
        match (java.element, self.internal_name(of).starts_with('[')) {
            (Some(Type::Ref(sub)), true) => match self.java(of).element {
                Some(Type::Ref(of)) => self.is_subclass(sub, of),
                _ => false,
            },
            _ => false,
        }
    }

    /// A class and those above it.
    pub fn superclasses(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(class), |class| self.class(*class).superclass)
    }

    /// What is initialised when a class is, in this order: its superclass, the interfaces that have default methods, and itself.
    /// Initialising an interface initialises nothing else.
    pub fn initialised_with(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        if !self.java(class).is(access::INTERFACE) {
            if let Some(superclass) = self.class(class).superclass {
                found = self.initialised_with(superclass);
            }
            self.collect_interfaces(class, &mut found);
        }
        found.push(class);
        found
    }

    fn collect_interfaces(&self, class: ClassId, found: &mut Vec<ClassId>) {
        for &interface in &self.java(class).interfaces {
            self.collect_interfaces(interface, found);
            let java = self.java(interface);
            let is_default = |method: &MethodId| !self.declared(*method).is(access::STATIC | access::ABSTRACT);
            let declares_default = java.declared_methods.values().any(is_default);
            if java.initializer.is_some() && declares_default && !found.contains(&interface) {
                found.push(interface);
            }
        }
    }

    /// A method that a class declares.
    pub fn declared_method(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        self.java(class).declared_methods.get(&(name.into(), descriptor.into())).copied()
    }

    /// The field that code of any class means by a name in `class`: declared there, in an interface, or above.
    pub fn find_field(&self, class: ClassId, name: &Name, descriptor: &Name) -> Option<FieldId> {
        let java = self.java(class);
        if let Some(field) = java.declared_fields.get(&(name.clone(), descriptor.clone())) {
            return Some(*field);
        }
        let interfaces = java.interfaces.iter().find_map(|i| self.find_field(*i, name, descriptor));
        interfaces.or_else(|| self.find_field(self.class(class).superclass?, name, descriptor))
    }

    /// The method that code means by a name in `class`: declared there, above, or in an interface.
    pub fn find_method(&self, class: ClassId, name: &Name, descriptor: &Name) -> Option<MethodId> {
        let key = (name.clone(), descriptor.clone());
        let mut at = Some(class);
        while let Some(class) = at {
            if let Some(method) = self.java(class).declared_methods.get(&key) {
                return Some(*method);
            }
            at = self.class(class).superclass;
        }
        let selector = self.selector(name, descriptor);
        let inherited = self.class(class).methods.get(&selector);
        // Where interfaces contradict each other, every one of their methods stands for all.
        if let Some(method) = inherited.filter(|method| self.declared(**method).name == *name) {
            return Some(*method);
        }
        let supertypes = self.by_name(self.java(class).supertypes.iter().copied());
        let declares = |class: &ClassId| {
            let method = *self.java(*class).declared_methods.get(&key)?;
            (!self.declared(method).is(access::STATIC | access::PRIVATE)).then_some(method)
        };
        supertypes.iter().find_map(declares).or_else(|| self.declared_method(OBJECT, name, descriptor))
    }

    /// A method that throws a new exception of a class, by this constructor: what an instruction does that fails.
    pub fn thrower(&self, class: &str, descriptor: &str) -> MethodId {
        let key: Name = format!("{class}{descriptor}").into();
        let mut throwers = self.throwers.lock().expect("no panic while locked");
        *throwers.entry(key).or_insert_with(|| {
            let class = self.class_id(class);
            let signature = descriptor::method(descriptor).expect("a constructor's descriptor");
            let parameters: Vec<Type> = signature.parameters.iter().map(|p| self.type_of(p)).collect();
            let body = (self.bodies.thrower)(self, class, descriptor, &parameters);
            self.add_synthetic(THROWER, descriptor, class, parameters, Type::Void, body)
        })
    }

    /// A method that a call runs where it finds none: it throws an error of the machine.
    pub(crate) fn failing(&self, error: &'static str) -> MethodId {
        let mut failing = self.failing.lock().expect("no panic while locked");
        *failing.entry(error).or_insert_with(|| {
            let code = vec![Instr::Throw { exception: Exception::New(error) }];
            let body = Method {
                name: THROWER.into(),
                class: Some(OBJECT),
                parameters: 0,
                result: Type::Void,
                registers: Vec::new(),
                lines: vec![0; code.len()],
                ops: Vec::new(),
                code,
                places: Vec::new(),
                handlers: Vec::new(),
            };
            self.add_synthetic(THROWER, "()V", OBJECT, Vec::new(), Type::Void, body)
        })
    }

    /// Adds a static method that no class file has.
    pub fn add_synthetic(
        &self,
        name: &str,
        descriptor: &str,
        class: ClassId,
        parameters: Vec<Type>,
        result: Type,
        body: Method,
    ) -> MethodId {
        let body = self.verified(name, body);
        let declared = Declared {
            name: name.into(),
            descriptor: descriptor.into(),
            class,
            flags: access::STATIC,
            parameters,
            result,
            index: None,
            original: false,
            body: OnceLock::from(body),
        };
        MethodId(self.methods.push(declared) as u32)
    }

    /// Adds a method that no class file has, static if another one is, and finds it by a key from then on.
    pub fn define(&self, key: &str, like: MethodId, body: Method) -> MethodId {
        let declared = self.declared(like);
        let body = self.verified(key, body);
        let parameters = body.registers[..body.parameters].iter().map(|register| register.ty).collect();
        let method = MethodId(self.methods.push(Declared {
            name: body.name.as_str().into(),
            descriptor: declared.descriptor.clone(),
            class: declared.class,
            flags: declared.flags & access::STATIC,
            parameters,
            result: body.result,
            index: None,
            original: false,
            body: OnceLock::from(body),
        }) as u32);
        self.defined.lock().expect("no panic while locked").insert(key.into(), method);
        method
    }

    /// A native method with the descriptor of a call: one of those whose parameters are what they are called with.
    pub fn polymorphic(&self, class: ClassId, name: &Name, descriptor: &Name) -> Option<MethodId> {
        let signature = descriptor::method(descriptor)?;
        let key: Name = format!("{}.{name}{descriptor}", self.internal_name(class)).as_str().into();
        let mut parameters = vec![Type::Ref(class)];
        parameters.extend(signature.parameters.iter().map(|p| self.type_of(p)));
        let result = self.type_of(signature.result);
        let mut defined = self.defined.lock().expect("no panic while locked");
        Some(*defined.entry(key).or_insert_with(|| {
            MethodId(self.methods.push(Declared {
                name: name.clone(),
                descriptor: descriptor.clone(),
                class,
                flags: access::NATIVE,
                parameters,
                result,
                index: None,
                original: false,
                body: OnceLock::new(),
            }) as u32)
        }))
    }

    /// The method that was defined last under a key.
    pub fn defined(&self, key: &str) -> Option<MethodId> {
        self.defined.lock().expect("no panic while locked").get(key).copied()
    }

    /// `java.util.Map$Entry.getKey`.
    pub fn method_name(&self, id: MethodId) -> String {
        let declared = self.declared(id);
        format!("{}.{}", self.internal_name(declared.class).replace('/', "."), declared.name)
    }

    /// Likewise, with the types of the parameters.
    pub fn method_signature(&self, id: MethodId) -> String {
        let declared = self.declared(id);
        descriptor::readable_method(self.internal_name(declared.class), &declared.name, &declared.descriptor)
    }
}
