//! Linking: from a class file to a class with its layout, its table of methods and its supertypes.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::resolve::package;
use super::world::UNINTERPRETED;
use super::{ARRAY, Declared, IDENTITY_HASH, JavaClass, LENGTH, Library, Linked, OBJECT, THROWER, access, linkage};
use crate::bytecode::classfile::ClassFile;
use crate::bytecode::descriptor;
use crate::bytecode::pool::{Constant, Name};
use crate::ir::*;

thread_local! {
    /// The classes that this thread is linking: a class that is met again is its own superclass.
    static LINKING: RefCell<Vec<ClassId>> = const { RefCell::new(Vec::new()) };
}

impl Library {
    pub(super) fn link(&self, id: ClassId, internal: &Name) -> Linked {
        if id == ARRAY {
            return self.link_special(id, internal, None, vec![IDENTITY_HASH, LENGTH]);
        }
        if let Some(element) = internal.strip_prefix('[') {
            let element = self.type_of(element);
            return self.link_special(id, internal, Some(element), vec![IDENTITY_HASH, LENGTH]);
        }
        if let Some(interface) = internal.strip_suffix(UNINTERPRETED) {
            return self.link_uninterpreted(id, internal, interface);
        }
        if LINKING.with_borrow(|linking| linking.contains(&id)) {
            return self.missing(id, internal, "it is its own superclass".into());
        }
        LINKING.with_borrow_mut(|linking| linking.push(id));
        let linked = match self.path.find(internal) {
            Ok(Some(file)) => self.link_file(id, file),
            Ok(None) => self.missing(id, internal, "it is not on the class path".into()),
            Err(error) => self.missing(id, internal, error.to_string()),
        };
        LINKING.with_borrow_mut(|linking| linking.pop());
        linked
    }

    /// A class that nobody wrote: of arrays, and the parent of these.
    fn link_special(&self, id: ClassId, internal: &Name, element: Option<Type>, layout: Vec<FieldId>) -> Linked {
        let interfaces = ["java/lang/Cloneable", "java/io/Serializable"].map(|name| self.class_id(name)).to_vec();
        let mut supertypes: FxHashSet<ClassId> = interfaces.iter().copied().collect();
        supertypes.extend([id, OBJECT, ARRAY]);
        let class = Class {
            name: if id == ARRAY { "array".into() } else { descriptor::readable_type(internal) },
            superclass: Some(OBJECT),
            last: id,
            layout,
            methods: self.class(OBJECT).methods.clone(),
        };
        Linked::new(class, JavaClass { element, ..self.bare(internal, interfaces, supertypes) })
    }

    pub(super) fn bare(&self, internal: &Name, interfaces: Vec<ClassId>, supertypes: FxHashSet<ClassId>) -> JavaClass {
        JavaClass {
            internal: internal.clone(),
            flags: access::FINAL,
            interfaces,
            supertypes,
            statics: Vec::new(),
            initializer: None,
            needs_initializing: false,
            declared_methods: FxHashMap::default(),
            declared_fields: FxHashMap::default(),
            element: None,
            source_file: String::from("?"),
            file: None,
            missing: None,
        }
    }

    fn missing(&self, id: ClassId, internal: &Name, why: String) -> Linked {
        let supertypes = FxHashSet::from_iter([id, OBJECT]);
        let class = Class {
            name: internal.replace('/', "."),
            superclass: None,
            last: id,
            layout: Vec::new(),
            methods: FxHashMap::default(),
        };
        Linked::new(class, JavaClass { missing: Some(why), ..self.bare(internal, Vec::new(), supertypes) })
    }

    fn link_file(&self, id: ClassId, file: Arc<ClassFile>) -> Linked {
        let superclass = file.superclass.as_ref().map(|name| self.class_id(name));
        let interfaces: Vec<ClassId> = file.interfaces.iter().map(|name| self.class_id(name)).collect();
        let mut supertypes = FxHashSet::from_iter([id]);
        let mut layout = vec![IDENTITY_HASH];
        let mut methods = FxHashMap::default();
        if let Some(superclass) = superclass {
            let above = self.class(superclass);
            let java = self.java(superclass);
            if let Some(why) = &java.missing {
                return self.missing(id, &file.name, format!("its superclass {} is missing: {why}", above.name));
            }
            supertypes.extend(&java.supertypes);
            layout = above.layout.clone();
            if file.access.0 & access::INTERFACE == 0 {
                methods = above.methods.clone();
            }
        }
        for interface in &interfaces {
            supertypes.extend(&self.java(*interface).supertypes);
        }
        if let Some(why) = self.is_refused(&file, superclass, &interfaces) {
            return self.missing(id, &file.name, why);
        }
        let mut java = JavaClass {
            flags: file.access.0,
            source_file: file.source_file.as_ref().map_or_else(|| "?".into(), |name| name.to_string()),
            file: Some(file.clone()),
            ..self.bare(&file.name, interfaces, supertypes)
        };
        self.link_fields(id, &file, &mut java, &mut layout);
        self.link_methods(id, &file, &mut java, &mut methods);
        let has_initializer = |above: &ClassId| *above != id && self.java(*above).initializer.is_some();
        let above = file.access.0 & access::INTERFACE == 0 && java.supertypes.iter().any(has_initializer);
        java.needs_initializing = above || java.initializer.is_some();
        Linked::new(Class { name: file.name.replace('/', "."), superclass, last: id, layout, methods }, java)
    }

    /// Why the JVM does not load a class: what is above it has changed since it was compiled.
    fn is_refused(&self, file: &ClassFile, superclass: Option<ClassId>, interfaces: &[ClassId]) -> Option<String> {
        let above = superclass.map(|class| self.java(class));
        if above.is_some_and(|above| above.is(access::INTERFACE)) {
            return Some("its superclass is an interface".into());
        }
        if above.is_some_and(|above| above.is(access::FINAL)) {
            return Some("its superclass is final".into());
        }
        let is_class =
            |class: &&ClassId| !self.java(**class).is(access::INTERFACE) && self.java(**class).missing.is_none();
        if let Some(class) = interfaces.iter().find(is_class) {
            return Some(format!("it implements {}, which is no interface", self.class(*class).name));
        }
        let permits = |above: &ClassId| {
            let permitted = self.java(*above).file.as_ref().and_then(|file| file.permitted_subclasses.as_ref());
            permitted.is_none_or(|permitted| permitted.contains(&file.name))
        };
        let forbids = superclass.iter().chain(interfaces).find(|above| !permits(above))?;
        Some(format!("{}, which is sealed, does not permit it", self.class(*forbids).name))
    }

    fn link_fields(&self, id: ClassId, file: &ClassFile, java: &mut JavaClass, layout: &mut Vec<FieldId>) {
        for info in &file.fields {
            let is_static = info.access.0 & access::STATIC != 0;
            let slot = if is_static { java.statics.len() } else { layout.len() } as u32;
            let ty = self.type_of(&info.descriptor);
            let field = Field { name: info.name.to_string(), class: id, ty, slot, is_static };
            let field = FieldId(self.fields.push(field) as u32);
            java.declared_fields.insert((info.name.clone(), info.descriptor.clone()), field);
            match is_static {
                true => java.statics.push((field, info.constant.as_ref().map(|constant| self.constant(constant)))),
                false => layout.push(field),
            }
        }
    }

    fn link_methods(
        &self,
        id: ClassId,
        file: &ClassFile,
        java: &mut JavaClass,
        methods: &mut FxHashMap<Selector, MethodId>,
    ) {
        for (index, info) in file.methods.iter().enumerate() {
            let signature = descriptor::method(&info.descriptor).expect("checked when it was read");
            let is_static = info.access.0 & access::STATIC != 0;
            let receiver = (!is_static).then_some(Type::Ref(id));
            let parameters = receiver.into_iter().chain(signature.parameters.iter().map(|p| self.type_of(p)));
            let declared = Declared {
                name: info.name.clone(),
                descriptor: info.descriptor.clone(),
                class: id,
                flags: info.access.0,
                parameters: parameters.collect(),
                result: self.type_of(signature.result),
                index: Some(index),
                original: false,
                body: OnceLock::new(),
            };
            let method = MethodId(self.methods.push(declared) as u32);
            java.declared_methods.insert((info.name.clone(), info.descriptor.clone()), method);
            if &*info.name == "<clinit>" {
                java.initializer = Some(method);
            // A private method hides nothing and is hidden by nothing; calls of it name it exactly.
            } else if &*info.name != "<init>" && info.access.0 & (access::STATIC | access::PRIVATE) == 0 {
                self.override_above(file, method, methods);
            }
        }
        // Without interfaces of its own, what the class above has of them is what this one has.
        if !java.interfaces.is_empty() {
            self.inherit_defaults(id, java, methods);
        }
    }

    /// Enters a method where calls find it: by its own name, and in the place of all that it overrides.
    fn override_above(&self, file: &ClassFile, method: MethodId, methods: &mut FxHashMap<Selector, MethodId>) {
        let declared = self.declared(method);
        let (name, descriptor) = (&declared.name, &declared.descriptor);
        let inherited = self.selector(name, descriptor);
        let overridden = methods.get(&inherited).copied();
        let key = (name.clone(), descriptor.clone());
        let above = file.superclass.as_ref().map(|name| self.class_id(name));
        for class in above.into_iter().flat_map(|above| self.superclasses(above)) {
            let of_package = self.java(class).declared_methods.get(&key).copied().filter(|above| {
                !self.declared(*above).is(access::PUBLIC | access::PROTECTED | access::PRIVATE | access::STATIC)
            });
            let Some(above) = of_package else { continue };
            let selector = self.selector_of(above);
            let same_package = package(self.internal_name(class)) == package(&file.name);
            // What overrides a method that overrides another overrides that one too.
            if same_package || overridden.is_some() && methods.get(&selector).copied() == overridden {
                methods.insert(selector, method);
            }
        }
        if overridden.is_some() {
            methods.insert(inherited, method);
        }
        methods.insert(self.selector_of(method), method);
    }

    /// Methods of interfaces, where no class has one.
    fn inherit_defaults(&self, id: ClassId, java: &JavaClass, methods: &mut FxHashMap<Selector, MethodId>) {
        let mut interfaces = self.by_name(java.supertypes.iter().copied());
        interfaces.retain(|class| *class != id && self.java(*class).is(access::INTERFACE));
        let mut found: FxHashMap<Selector, Vec<MethodId>> = FxHashMap::default();
        for interface in interfaces {
            for method in self.java(interface).declared_methods.values() {
                if !self.declared(*method).is(access::STATIC | access::PRIVATE) {
                    found.entry(self.selector_of(*method)).or_default().push(*method);
                }
            }
        }
        for (selector, all) in found {
            // A method of a class wins over every interface's, even if it is abstract.
            let of_class = methods.get(&selector).is_some_and(|known| {
                let declared = self.declared(*known);
                declared.class == id || &*declared.name != THROWER && !self.java(declared.class).is(access::INTERFACE)
            });
            if !of_class {
                methods.insert(selector, self.most_specific(&all));
            }
        }
    }

    /// Of methods of interfaces the one that counts: those that others override do not. If several with code are left, who calls
    /// them is refused.
    fn most_specific(&self, all: &[MethodId]) -> MethodId {
        let class = |method: MethodId| self.declared(method).class;
        let overrides = |a: MethodId, b: MethodId| class(a) != class(b) && self.is_subclass(class(a), class(b));
        let specific = || all.iter().copied().filter(|method| !all.iter().any(|other| overrides(*other, *method)));
        let mut with_code = specific().filter(|method| !self.declared(*method).is(access::ABSTRACT));
        match (with_code.next(), with_code.next()) {
            (Some(_), Some(_)) => self.failing(linkage::CHANGE),
            (Some(only), None) => only,
            _ => specific().next().unwrap_or(all[0]),
        }
    }

    /// The constant that a static field starts with, or that code pushes.
    pub fn constant(&self, constant: &Constant) -> Const {
        match constant {
            Constant::Int(value) => Const::Int(*value as i64),
            Constant::Long(value) => Const::Long(*value),
            Constant::Float(value) => Const::Float(value.to_bits()),
            Constant::Double(value) => Const::Double(value.to_bits()),
            Constant::String(units) => Const::Str(self.string_id(units)),
            Constant::Class(name) => Const::Class(self.class_id(name)),
            _ => Const::Null,
        }
    }
}

/// A method that a lambda's class implements: its name, its descriptor and its body.
type LambdaMethod = (Name, Name, Method);

impl Library {
    /// Defines the class of a lambda: an implementation of interfaces with a field for every captured value.
    pub fn define_lambda(
        &self,
        internal: &str,
        interfaces: &[ClassId],
        captured: &[Type],
        implementation: impl FnOnce(ClassId, &[FieldId]) -> Vec<LambdaMethod>,
    ) -> (ClassId, Vec<FieldId>) {
        let id = self.class_id(internal);
        let mut layout = vec![IDENTITY_HASH];
        let mut fields = Vec::new();
        for (number, ty) in captured.iter().enumerate() {
            let (name, slot) = (format!("captured{number}"), layout.len() as u32);
            let field = Field { name, class: id, ty: *ty, slot, is_static: false };
            fields.push(FieldId(self.fields.push(field) as u32));
            layout.extend(fields.last());
        }
        let mut supertypes = FxHashSet::from_iter([id, OBJECT]);
        let mut methods = self.class(OBJECT).methods.clone();
        for interface in interfaces {
            supertypes.extend(&self.java(*interface).supertypes);
            for (selector, method) in &self.class(*interface).methods {
                methods.entry(*selector).or_insert(*method);
            }
        }
        for (name, descriptor, body) in implementation(id, &fields) {
            let (parameters, result) = (body.registers[..body.parameters].iter().map(|r| r.ty).collect(), body.result);
            let method = self.add_synthetic(&name, &descriptor, id, parameters, result, body);
            methods.insert(self.selector(&name, &descriptor), method);
        }
        let internal: Name = internal.into();
        let class = Class { name: internal.replace('/', "."), superclass: Some(OBJECT), last: id, layout, methods };
        let mut java = self.bare(&internal, interfaces.to_vec(), supertypes);
        if captured.is_empty() {
            let field = Field { name: "instance".into(), class: id, ty: Type::Ref(id), slot: 0, is_static: true };
            java.statics.push((FieldId(self.fields.push(field) as u32), None));
        }
        // A second lowering of the same call site would find the class defined already.
        let _ = self.classes[id.index()].linked.set(Linked::new(class, java));
        (id, fields)
    }

    /// Where the only object of a lambda's class is, if there is only one: if it captures nothing.
    pub fn sole_object(&self, lambda: ClassId) -> Option<FieldId> {
        self.java(lambda).statics.first().map(|(field, _)| *field)
    }
}
