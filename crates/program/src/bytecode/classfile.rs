//! One class as its class file describes it: names resolved, attributes that matter kept, method bodies decoded when
//! first asked for. Owned, immutable, shared between threads.
//!
//! The format is checked as the JVM's own format check does (JVMS 4.8); what depends on other classes is not.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;

use super::annotations::{self, Annotation};
use super::code::Code;
use super::decode::decode;
use super::descriptor;
use super::pool::{Constant, MethodHandle, Name, Pool};
use super::reader::{Fault, Reader, Result};
use super::signature::{self, ClassSignature, MethodSignature, Written};
use crate::source::LoadError;

/// The class-file versions that are understood: those of JDK 1.0 to JDK 25.
pub const OLDEST: u16 = 45;
pub const NEWEST: u16 = 69;

/// Access flags of a class, field, method or parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Access(pub u16);

macro_rules! flags {
    ($($name:ident = $bit:literal),* $(,)?) => {
        impl Access {
            $(pub fn $name(self) -> bool {
                self.0 & $bit != 0
            })*
        }
    };
}

flags! {
    is_public = 0x0001,
    is_private = 0x0002,
    is_protected = 0x0004,
    is_static = 0x0008,
    is_final = 0x0010,
    is_synchronized = 0x0020,
    is_bridge = 0x0040,
    is_volatile = 0x0040,
    is_varargs = 0x0080,
    is_transient = 0x0080,
    is_native = 0x0100,
    is_interface = 0x0200,
    is_abstract = 0x0400,
    is_synthetic = 0x1000,
    is_annotation = 0x2000,
    is_enum = 0x4000,
    is_module = 0x8000,
}

#[derive(Debug)]
pub struct Field {
    pub name: Name,
    pub descriptor: Name,
    pub access: Access,
    /// What a static field starts with, if not with zero: never a class, handle or dynamic constant.
    pub constant: Option<Constant>,
    /// Where its generic signature stands in the pool.
    signature: Option<u16>,
}

#[derive(Debug)]
pub struct Method {
    pub name: Name,
    pub descriptor: Name,
    pub access: Access,
    /// Names and flags of the parameters, where the compiler was told to keep them (`-parameters`).
    pub parameters: Vec<Parameter>,
    /// The classes that it is declared to throw.
    pub exceptions: Vec<Name>,
    /// Where its generic signature stands in the pool.
    signature: Option<u16>,
    /// Where its annotations stand.
    annotations: Vec<(annotations::Kind, u32)>,
    file: Arc<File>,
    /// Where the `Code` attribute's contents start, and its length; `None` for abstract and native methods.
    body: Option<(u32, u32)>,
    code: OnceLock<std::result::Result<Code, LoadError>>,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Option<Name>,
    pub access: Access,
}

#[derive(Clone, Debug)]
pub struct InnerClass {
    pub inner: Name,
    /// `None` for local and anonymous classes.
    pub outer: Option<Name>,
    /// `None` for anonymous classes.
    pub simple_name: Option<Name>,
    pub access: Access,
}

#[derive(Clone, Debug)]
pub struct EnclosingMethod {
    pub class: Name,
    /// Name and descriptor, if the class stands in a method and not in an initialiser.
    pub method: Option<(Name, Name)>,
}

#[derive(Clone, Debug)]
pub struct RecordComponent {
    pub name: Name,
    pub descriptor: Name,
}

#[derive(Clone, Debug)]
pub struct BootstrapMethod {
    pub method: Arc<MethodHandle>,
    pub arguments: Vec<Constant>,
}

/// What the class and its methods share: where the bytes came from, and the constants.
#[derive(Debug)]
pub(super) struct File {
    pub origin: String,
    pub pool: Pool,
    pub major: u16,
}

impl File {
    /// A fault as the user should see it.
    fn error(&self, fault: Fault) -> LoadError {
        corrupt(&self.origin, &fault)
    }
}

fn corrupt(origin: &str, fault: &Fault) -> LoadError {
    LoadError::new(format!("{origin}: corrupt class file: {fault}"))
}

#[derive(Debug)]
pub struct ClassFile {
    pub major: u16,
    pub minor: u16,
    pub access: Access,
    pub name: Name,
    /// `None` for `java/lang/Object` only.
    pub superclass: Option<Name>,
    pub interfaces: Vec<Name>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub source_file: Option<Name>,
    pub inner_classes: Vec<InnerClass>,
    pub enclosing_method: Option<EnclosingMethod>,
    pub nest_host: Option<Name>,
    pub nest_members: Vec<Name>,
    /// `None` if the class is not sealed.
    pub permitted_subclasses: Option<Vec<Name>>,
    /// `None` if the class is not a record.
    pub record: Option<Vec<RecordComponent>>,
    /// Where its generic signature stands in the pool.
    signature_at: Option<u16>,
    signature: OnceLock<Option<Arc<ClassSignature>>>,
    file: Arc<File>,
    /// Where the contents of `BootstrapMethods` start.
    bootstrap_at: Option<u32>,
    bootstrap: OnceLock<std::result::Result<Vec<BootstrapMethod>, LoadError>>,
}

impl ClassFile {
    /// Reads a class; `origin` says in messages where it came from.
    pub fn read(bytes: impl Into<Box<[u8]>>, origin: impl Into<String>) -> std::result::Result<ClassFile, LoadError> {
        let bytes = bytes.into();
        let origin = origin.into();
        let (major, _minor) = version(&bytes, &origin)?;
        let (pool, at) = Pool::read(bytes, 8, major).map_err(|fault| corrupt(&origin, &fault))?;
        let file = Arc::new(File { origin, pool, major });
        read_class(&file, at).map_err(|fault| file.error(fault))
    }

    /// Where the class was read from, for messages.
    pub fn origin(&self) -> &str {
        &self.file.origin
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.file.pool.bytes()
    }

    /// The classes and the strings that the code of this class names.
    pub fn literals(&self) -> impl Iterator<Item = Constant> {
        let pool = &self.file.pool;
        (1..pool.count()).filter(|index| pool.is_literal(*index)).filter_map(|index| pool.constant(index).ok())
    }

    /// The field that this class itself declares.
    pub fn field(&self, name: &str, descriptor: &str) -> Option<&Field> {
        self.fields.iter().find(|f| *f.name == *name && *f.descriptor == *descriptor)
    }

    /// The method that this class itself declares, by its index in `methods`.
    pub fn method_index(&self, name: &str, descriptor: &str) -> Option<usize> {
        self.methods.iter().position(|m| *m.name == *name && *m.descriptor == *descriptor)
    }

    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Method> {
        self.method_index(name, descriptor).map(|i| &self.methods[i])
    }

    /// What the class says of its type parameters and supertypes, if it is generic or something above it is.
    pub fn signature(&self) -> Option<Arc<ClassSignature>> {
        let read = || signature::class(&self.text(self.signature_at)?).map(Arc::new);
        self.signature.get_or_init(read).clone()
    }

    /// The same as it is written.
    pub fn signature_text(&self) -> Option<Name> {
        self.text(self.signature_at)
    }

    /// What one of its fields says of its type, as it is written.
    pub fn field_signature_text(&self, field: &Field) -> Option<Name> {
        self.text(field.signature)
    }

    /// What one of its methods says of its types, as it is written.
    pub fn method_signature_text(&self, method: &Method) -> Option<Name> {
        self.text(method.signature)
    }

    /// What one of its fields says of its type, if that has parameters.
    pub fn field_signature(&self, field: &Field) -> Option<Written> {
        signature::field(&self.text(field.signature)?)
    }

    /// What one of its methods says of its types, if they have parameters.
    pub fn method_signature(&self, method: &Method) -> Option<MethodSignature> {
        signature::method(&self.text(method.signature)?)
    }

    /// Nobody has checked that there is a text at the index: without one, nothing is said.
    fn text(&self, index: Option<u16>) -> Option<Name> {
        self.file.pool.text(index?).ok()
    }

    /// The bootstrap method that an `invokedynamic` or a dynamic constant of this class refers to.
    pub fn bootstrap(&self, index: u16) -> std::result::Result<&BootstrapMethod, LoadError> {
        let read = || self.read_bootstrap().map_err(|fault| self.file.error(fault));
        let methods = self.bootstrap.get_or_init(read).as_ref().map_err(Clone::clone)?;
        methods.get(index as usize).ok_or_else(|| {
            let at = self.bootstrap_at.unwrap_or(0) as usize;
            let message = format!("bootstrap method {index} of {} is used", methods.len());
            self.file.error(Fault { at, message })
        })
    }

    fn read_bootstrap(&self) -> Result<Vec<BootstrapMethod>> {
        let Some(at) = self.bootstrap_at else { return Ok(Vec::new()) };
        let pool = &self.file.pool;
        let mut reader = Reader::from(pool.bytes(), at as usize);
        (0..reader.u2()?)
            .map(|_| {
                let method = pool.method_handle(reader.u2()?)?;
                let arguments = (0..reader.u2()?).map(|_| pool.constant(reader.u2()?)).collect::<Result<_>>()?;
                Ok(BootstrapMethod { method, arguments })
            })
            .collect()
    }
}

impl Method {
    /// Is there code, and not only a declaration?
    pub fn has_code(&self) -> bool {
        self.body.is_some()
    }

    /// The body, decoded at the first call; `None` for abstract and native methods.
    pub fn code(&self) -> std::result::Result<Option<&Code>, LoadError> {
        let Some((at, length)) = self.body else { return Ok(None) };
        let body = || {
            decode(&self.file, at as usize, length as usize).map_err(|mut fault| {
                fault.message = format!("in method {}{}: {}", self.name, self.descriptor, fault.message);
                self.file.error(fault)
            })
        };
        self.code.get_or_init(body).as_ref().map(Some).map_err(Clone::clone)
    }

    /// The annotations of the method and of its parameters, as far as they can be read.
    pub fn annotations(&self) -> Vec<Annotation> {
        let parameters = descriptor::method(&self.descriptor).map_or(0, |m| m.parameters.len());
        let read = |(kind, at): &(annotations::Kind, u32)| {
            annotations::read(&self.file.pool, *kind, *at as usize, parameters).unwrap_or_default()
        };
        self.annotations.iter().flat_map(read).collect()
    }

    pub fn is_initialiser(&self) -> bool {
        self.name.starts_with('<')
    }
}

/// Major and minor version; says so clearly if these are not a class's bytes, or of a version not understood.
fn version(bytes: &[u8], origin: &str) -> std::result::Result<(u16, u16), LoadError> {
    let header = |reader: &mut Reader| Ok((reader.u4()?, reader.u2()?, reader.u2()?));
    let (magic, minor, major) = match header(&mut Reader::new(bytes)) {
        Ok(header) => header,
        Err(fault) => return Err(corrupt(origin, &fault)),
    };
    if magic != 0xCAFE_BABE {
        return Err(LoadError::new(format!("{origin}: this is not a class file: it does not start with CAFEBABE")));
    }
    if !(OLDEST..=NEWEST).contains(&major) {
        let java = if major > 48 { format!(", that of Java {}", major - 44) } else { String::new() };
        return Err(LoadError::new(format!("{origin}: the class file has version {major}.{minor}{java}"))
            .help(format!("versions {OLDEST} to {NEWEST} are understood: up to Java {}", NEWEST - 44)));
    }
    Ok((major, minor))
}

/// Reads what follows the constants.
fn read_class(file: &Arc<File>, at: usize) -> Result<ClassFile> {
    let pool = &file.pool;
    let mut reader = Reader::from(pool.bytes(), at);
    let access = Access(reader.u2()?);
    let name = pool.class(reader.u2()?)?;
    if name.starts_with('[') {
        return reader.fault("the class is an array");
    }
    let superclass = pool.class_opt(reader.u2()?)?;
    if superclass.is_none() != (&*name == "java/lang/Object" || access.is_module()) {
        return reader.fault("only java/lang/Object has no superclass");
    }
    let interfaces = (0..reader.u2()?).map(|_| pool.class(reader.u2()?)).collect::<Result<_>>()?;
    let fields = read_fields(pool, &mut reader)?;
    let methods = read_methods(file, &mut reader, access)?;
    let mut class = ClassFile {
        major: file.major,
        minor: Reader::from(pool.bytes(), 4).u2()?,
        access,
        name,
        superclass,
        interfaces,
        fields,
        methods,
        source_file: None,
        inner_classes: Vec::new(),
        enclosing_method: None,
        nest_host: None,
        nest_members: Vec::new(),
        permitted_subclasses: None,
        record: None,
        signature_at: None,
        signature: OnceLock::new(),
        file: file.clone(),
        bootstrap_at: None,
        bootstrap: OnceLock::new(),
    };
    read_class_attributes(&mut class, pool, &mut reader)?;
    reader.finish("the class file")?;
    Ok(class)
}

/// Calls `each` with the name and a reader of the contents of every attribute. An attribute that `each` understood
/// (returned true) must have been read to its end.
pub(super) fn attributes(
    pool: &Pool,
    reader: &mut Reader,
    mut each: impl FnMut(&[u8], &mut Reader) -> Result<bool>,
) -> Result<()> {
    for _ in 0..reader.u2()? {
        let name = pool.text_bytes(reader.u2()?)?;
        let length = reader.u4()? as usize;
        let mut contents = reader.part(length)?;
        if each(name, &mut contents)? {
            contents.finish("an attribute")?;
        }
    }
    Ok(())
}

fn skip(reader: &mut Reader) -> Result<bool> {
    reader.take(reader.rest())?;
    Ok(true)
}

fn classes(pool: &Pool, reader: &mut Reader) -> Result<Vec<Name>> {
    (0..reader.u2()?).map(|_| pool.class(reader.u2()?)).collect()
}

fn read_class_attributes(class: &mut ClassFile, pool: &Pool, reader: &mut Reader) -> Result<()> {
    attributes(pool, reader, |name, r| {
        match name {
            b"Signature" => class.signature_at = Some(r.u2()?),
            b"SourceFile" => class.source_file = Some(pool.text(r.u2()?)?),
            b"InnerClasses" => {
                class.inner_classes = (0..r.u2()?).map(|_| inner_class(pool, r)).collect::<Result<_>>()?
            }
            b"EnclosingMethod" => {
                let enclosing = pool.class(r.u2()?)?;
                let method = match r.u2()? {
                    0 => None,
                    index => Some(pool.method_name_and_type(index)?),
                };
                class.enclosing_method = Some(EnclosingMethod { class: enclosing, method });
            }
            b"NestHost" => class.nest_host = Some(pool.class(r.u2()?)?),
            b"NestMembers" => class.nest_members = classes(pool, r)?,
            b"PermittedSubclasses" => class.permitted_subclasses = Some(classes(pool, r)?),
            b"Record" => class.record = Some((0..r.u2()?).map(|_| component(pool, r)).collect::<Result<_>>()?),
            b"BootstrapMethods" => {
                if class.bootstrap_at.is_some() {
                    return r.fault("there are two lists of bootstrap methods");
                }
                class.bootstrap_at = Some(r.at as u32);
                return skip(r);
            }
            _ => return Ok(false),
        }
        Ok(true)
    })
}

fn inner_class(pool: &Pool, reader: &mut Reader) -> Result<InnerClass> {
    Ok(InnerClass {
        inner: pool.class(reader.u2()?)?,
        outer: pool.class_opt(reader.u2()?)?,
        simple_name: pool.text_opt(reader.u2()?)?,
        access: Access(reader.u2()?),
    })
}

fn component(pool: &Pool, reader: &mut Reader) -> Result<RecordComponent> {
    let name = pool.member_name(reader.u2()?)?;
    let descriptor = pool.field_descriptor(reader.u2()?)?;
    attributes(pool, reader, |_, _| Ok(false))?;
    Ok(RecordComponent { name, descriptor })
}

fn read_fields(pool: &Pool, reader: &mut Reader) -> Result<Vec<Field>> {
    let count = reader.u2()?;
    let mut seen = FxHashSet::with_capacity_and_hasher((count as usize).min(reader.rest() / 8), Default::default());
    let mut fields = Vec::new();
    for _ in 0..count {
        let access = Access(reader.u2()?);
        let name = pool.member_name(reader.u2()?)?;
        let descriptor = pool.field_descriptor(reader.u2()?)?;
        if !seen.insert((name.clone(), descriptor.clone())) {
            return reader.fault(format!("the field {name} is declared twice"));
        }
        let (mut constant, mut signature) = (None, None);
        attributes(pool, reader, |attribute, r| {
            match attribute {
                b"ConstantValue" => constant = Some(pool.constant(r.u2()?)?),
                b"Signature" => signature = Some(r.u2()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        // The JVM ignores the attribute on fields of objects.
        let constant = constant.filter(|_| access.is_static());
        if constant.as_ref().is_some_and(|value| !may_start_with(&descriptor, value)) {
            return reader.fault(format!("the field {name} cannot start with that constant"));
        }
        fields.push(Field { name, descriptor, access, constant, signature });
    }
    Ok(fields)
}

fn may_start_with(descriptor: &str, value: &Constant) -> bool {
    match value {
        Constant::Int(_) => matches!(descriptor, "I" | "S" | "C" | "B" | "Z"),
        Constant::Long(_) => descriptor == "J",
        Constant::Float(_) => descriptor == "F",
        Constant::Double(_) => descriptor == "D",
        Constant::String(_) => descriptor == "Ljava/lang/String;",
        _ => false,
    }
}

fn read_methods(file: &Arc<File>, reader: &mut Reader, class: Access) -> Result<Vec<Method>> {
    let count = reader.u2()?;
    let mut seen = FxHashSet::with_capacity_and_hasher((count as usize).min(reader.rest() / 8), Default::default());
    let mut methods = Vec::new();
    for _ in 0..count {
        let method = read_method(file, reader)?;
        if !seen.insert((method.name.clone(), method.descriptor.clone())) {
            return reader.fault(format!("the method {}{} is declared twice", method.name, method.descriptor));
        }
        let is_void = method.descriptor.ends_with(")V");
        if method.is_initialiser() && !is_void || &*method.name == "<init>" && class.is_interface() {
            return reader.fault(format!("{}{} is not a valid initialiser", method.name, method.descriptor));
        }
        methods.push(method);
    }
    Ok(methods)
}

fn read_method(file: &Arc<File>, reader: &mut Reader) -> Result<Method> {
    let pool = &file.pool;
    let mut access = Access(reader.u2()?);
    let name = pool.method_name(reader.u2()?)?;
    let descriptor = pool.method_descriptor(reader.u2()?)?;
    let (mut body, mut signature) = (None, None);
    let (mut parameters, mut exceptions, mut annotations) = (Vec::new(), Vec::new(), Vec::new());
    attributes(pool, reader, |attribute, r| {
        match attribute {
            b"Code" => {
                if body.is_some() {
                    return r.fault(format!("the method {name} has two bodies"));
                }
                body = Some((r.at as u32, r.rest() as u32));
                return skip(r);
            }
            b"Signature" => signature = Some(r.u2()?),
            b"Exceptions" => {
                exceptions = (0..r.u2()?).map(|_| pool.class(r.u2()?)).collect::<Result<_>>()?;
            }
            b"MethodParameters" => {
                let parameter =
                    |r: &mut Reader| Ok(Parameter { name: pool.text_opt(r.u2()?)?, access: Access(r.u2()?) });
                parameters = (0..r.u1()?).map(|_| parameter(r)).collect::<Result<_>>()?;
            }
            other => {
                annotations.extend(annotations::Kind::of(other).map(|kind| (kind, r.at as u32)));
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    if &*name == "<clinit>" {
        // Only "static" means anything here; before Java 7 not even that was required.
        access = Access(access.0 & 0x0800 | 0x0008);
    }
    if body.is_some() == (access.is_native() || access.is_abstract()) {
        let has = if body.is_some() { "has a body but may not" } else { "has no body" };
        return reader.fault(format!("the method {name}{descriptor} {has}"));
    }
    // Tools that rewrite parameters leave stale names behind; without a name for each they say nothing.
    let count = || descriptor::method(&descriptor).map_or(0, |m| m.parameters.len());
    if !parameters.is_empty() && parameters.len() != count() {
        parameters.clear();
    }
    let (file, code) = (file.clone(), OnceLock::new());
    Ok(Method { name, descriptor, access, parameters, exceptions, signature, annotations, file, body, code })
}
