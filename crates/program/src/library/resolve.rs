//! Resolution: from a member that code mentions to the member that it means, or to the error that the JVM has instead
//! (JVMS 5.4.3 and 5.4.4). Class files were not all compiled together, so what one mentions need not be what another has.
//!
//! A class that is not there is another matter: the user may have left it out, so nothing is concluded from its absence.

use super::{JavaClass, Library, OBJECT, access};
use crate::bytecode::pool::{MemberRef, Name};
use crate::ir::*;

/// The errors of linking, by their classes in `java.lang`.
pub mod linkage {
    pub const NO_FIELD: &str = "NoSuchFieldError";
    pub const NO_METHOD: &str = "NoSuchMethodError";
    pub const ACCESS: &str = "IllegalAccessError";
    /// Static and not static, or a class and an interface, have changed places.
    pub const CHANGE: &str = "IncompatibleClassChangeError";
    pub const ABSTRACT: &str = "AbstractMethodError";
    pub const INSTANTIATION: &str = "InstantiationError";
}

/// Why something that code mentions cannot be used.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The JVM throws a new error of this class.
    Throws(&'static str),
    /// What is not supported: a class that is not there.
    Missing(String),
}

type Resolved<T> = Result<T, Refusal>;

/// Class files older than this may use private members of others of their kind: HotSpot does not look.
const STRICT_ACCESS: u16 = 52;

/// The last long-term JDK in which a call through one of two interfaces with contradicting defaults is an `AbstractMethodError`.
const SPEAKS_OF_NO_CONFLICT: u16 = 17;

impl Library {
    /// The class that code of `from` mentions: it is there, and it may be used from there.
    pub fn resolve_class(&self, from: ClassId, class: ClassId) -> Resolved<()> {
        let java = self.java(class);
        if let Some(element) = java.element {
            return match element {
                Type::Ref(element) => self.resolve_class(from, element),
                _ => Ok(()),
            };
        }
        if let Some(why) = &java.missing {
            return Err(Refusal::Missing(format!("the class {}: {why}, and it", self.class(class).name)));
        }
        let visible = java.is(access::PUBLIC) || self.same_package(from, class) || self.is_relaxed(from, class);
        if visible { Ok(()) } else { Err(Refusal::Throws(linkage::ACCESS)) }
    }

    /// A class of which code of `from` makes an object.
    pub fn resolve_new(&self, from: ClassId, class: ClassId) -> Resolved<()> {
        self.resolve_class(from, class)?;
        match self.java(class).is_instantiable() {
            true => Ok(()),
            false => Err(Refusal::Throws(linkage::INSTANTIATION)),
        }
    }

    /// The field that an instruction of `from` means, which is for static fields or for those of objects.
    pub fn resolve_field(&self, from: ClassId, member: &MemberRef, is_static: bool) -> Resolved<FieldId> {
        let class = self.class_id(&member.class);
        self.resolve_class(from, class)?;
        let Some(field) = self.find_field(class, &member.name, &member.descriptor) else {
            return Err(self.without(class, linkage::NO_FIELD));
        };
        let declaring = self.field(field).class;
        if !self.may_use(from, class, declaring, self.field_flags(field)) {
            return Err(Refusal::Throws(linkage::ACCESS));
        }
        match self.field(field).is_static == is_static {
            true => Ok(field),
            false => Err(Refusal::Throws(linkage::CHANGE)),
        }
    }

    /// Whether a method may write a field: a final one only its class's own initialisers.
    pub fn may_write(&self, from: ClassId, method: &str, field: FieldId) -> bool {
        if self.field_flags(field) & access::FINAL == 0 {
            return true;
        }
        // Older compilers wrote them elsewhere too.
        const STRICT_FINAL: u16 = 53;
        let strict = self.java(from).file.as_ref().is_some_and(|file| file.major >= STRICT_FINAL);
        let initialiser = if self.field(field).is_static { "<clinit>" } else { "<init>" };
        self.field(field).class == from && (!strict || method == initialiser)
    }

    /// The method that an instruction of `from` means, which is for static methods or for those of objects.
    pub fn resolve_method(&self, from: ClassId, member: &MemberRef, is_static: bool) -> Resolved<MethodId> {
        let class = self.class_id(&member.class);
        self.resolve_class(from, class)?;
        let java = self.java(class);
        if java.is(access::INTERFACE) != member.interface {
            return Err(Refusal::Throws(linkage::CHANGE));
        }
        let found = match &*member.name {
            "<init>" => self.declared_method(class, &member.name, &member.descriptor),
            _ => self.find_method(class, &member.name, &member.descriptor),
        };
        let of_object = |flags: u16| flags & access::PUBLIC != 0 && flags & access::STATIC == 0;
        let found = found.filter(|method| {
            let declared = self.declared(*method);
            !(java.is(access::INTERFACE) && declared.class == OBJECT) || of_object(declared.flags)
        });
        let Some(method) = found else { return Err(self.without(class, linkage::NO_METHOD)) };
        let declared = self.declared(method);
        // Arrays have a `clone` for everybody.
        if java.element.is_none() && !self.may_use(from, class, declared.class, declared.flags) {
            return Err(Refusal::Throws(linkage::ACCESS));
        }
        match declared.is(access::STATIC) == is_static {
            true => Ok(method),
            false => Err(Refusal::Throws(linkage::CHANGE)),
        }
    }

    /// Whether a call is of a method whose descriptor is the caller's choice.
    pub fn is_polymorphic(&self, member: &MemberRef) -> bool {
        matches!(&*member.class, "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle")
            && self.declared_method(self.class_id(&member.class), &member.name, &member.descriptor).is_none()
    }

    /// The method that `super.name()` runs: that of the class above, whichever class above the code mentions.
    pub fn above(&self, from: ClassId, member: &MemberRef, resolved: MethodId) -> MethodId {
        let class = self.class_id(&member.class);
        let is_above = class != from && !self.java(class).is(access::INTERFACE) && self.is_subclass(from, class);
        match self.class(from).superclass.filter(|_| is_above && &*member.name != "<init>") {
            Some(above) => self.find_method(above, &member.name, &member.descriptor).unwrap_or(resolved),
            None => resolved,
        }
    }

    /// What an object of a class runs that is called through an interface, where `method` is what it has by that name.
    pub fn through(&self, interface: ClassId, class: ClassId, method: Option<MethodId>) -> MethodId {
        if !self.is_subclass(class, interface) {
            return self.failing(linkage::CHANGE);
        }
        let Some(method) = method else { return self.failing(linkage::ABSTRACT) };
        // Of interfaces that contradict each other, HotSpot's table of an interface had none of the methods.
        if method == self.failing(linkage::CHANGE) && self.path.jdk().version() <= SPEAKS_OF_NO_CONFLICT {
            return self.failing(linkage::ABSTRACT);
        }
        let declared = self.declared(method);
        match declared.is(access::PUBLIC) || declared.number_in_file() == 0 {
            true => method,
            false => self.failing(linkage::ACCESS),
        }
    }

    /// There is no such member, unless it would be in a class that is missing.
    fn without(&self, class: ClassId, error: &'static str) -> Refusal {
        let above = self.by_name(self.java(class).supertypes.iter().copied());
        match above.into_iter().find_map(|above| self.resolve_above(above)) {
            Some(what) => Refusal::Missing(what),
            None => Refusal::Throws(error),
        }
    }

    fn resolve_above(&self, class: ClassId) -> Option<String> {
        let why = self.java(class).missing.as_ref()?;
        Some(format!("a member that may be in {}: {why}, and it", self.class(class).name))
    }

    /// Whether code of `from`, which names `class`, may use a member that `declaring` has with these flags.
    fn may_use(&self, from: ClassId, class: ClassId, declaring: ClassId, flags: u16) -> bool {
        if from == declaring || flags & access::PUBLIC != 0 {
            return true;
        }
        if flags & access::PROTECTED != 0 && self.is_subclass(from, declaring) {
            let related = self.is_subclass(class, from) || self.is_subclass(from, class);
            if flags & access::STATIC != 0 || related {
                return true;
            }
        }
        let is_private = flags & access::PRIVATE != 0;
        let inside = if is_private { self.are_nestmates(from, declaring) } else { self.same_package(from, declaring) };
        inside || self.is_relaxed(from, declaring)
    }

    fn is_relaxed(&self, from: ClassId, to: ClassId) -> bool {
        let is_old = |class: ClassId| self.java(class).file.as_ref().is_some_and(|file| file.major < STRICT_ACCESS);
        is_old(from) && is_old(to)
    }

    fn same_package(&self, a: ClassId, b: ClassId) -> bool {
        package(self.internal_name(a)) == package(self.internal_name(b))
    }

    fn are_nestmates(&self, a: ClassId, b: ClassId) -> bool {
        self.nest_host(a) == self.nest_host(b)
    }

    /// The class of the nest that a class is in: the host that it names, if that one knows of it.
    fn nest_host(&self, class: ClassId) -> ClassId {
        let host = |java: &JavaClass| java.file.as_ref()?.nest_host.as_ref().map(|host| self.class_id(host));
        let Some(host) = host(self.java(class)) else { return class };
        let knows = |file: &crate::bytecode::classfile::ClassFile| {
            file.nest_members.iter().any(|member| **member == *self.internal_name(class))
        };
        let known = self.java(host).file.as_ref().is_some_and(|file| knows(file)) && self.same_package(host, class);
        if known { host } else { class }
    }

    /// The access flags of a field. One that no class file has may be used by all, and written by none.
    pub fn field_flags(&self, field: FieldId) -> u16 {
        let declared = self.field(field);
        let file = self.java(declared.class).file.as_ref();
        let is_it = |info: &&crate::bytecode::classfile::Field| {
            *info.name == *declared.name && self.type_of(&info.descriptor) == declared.ty
        };
        file.and_then(|file| file.fields.iter().find(is_it))
            .map_or(access::PUBLIC | access::FINAL, |info| info.access.0)
    }

    /// What a method is called by: methods that are only for their package are not overridden outside of it, so there they are
    /// others than those of the same name.
    pub fn selector_of(&self, method: MethodId) -> Selector {
        let declared = self.declared(method);
        match declared.flags & (access::PUBLIC | access::PROTECTED | access::PRIVATE) {
            0 => {
                self.selector_within(package(self.internal_name(declared.class)), &declared.name, &declared.descriptor)
            }
            _ => self.selector(&declared.name, &declared.descriptor),
        }
    }

    /// What a method is called by that is only for a package.
    pub(super) fn selector_within(&self, package: &str, name: &Name, descriptor: &Name) -> Selector {
        // No name of Java has a semicolon in it.
        self.selector(&format!("{name};{package}").into(), descriptor)
    }
}

/// The package of a class, by its internal name.
pub(super) fn package(internal: &str) -> &str {
    internal.rsplit_once('/').map_or("", |(package, _)| package)
}
