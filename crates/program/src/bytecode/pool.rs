//! A class file's constants. Reading a class only notes where each constant stands; a constant is decoded when it is
//! first asked for, then kept, so that a name is one `Arc` however often the class mentions it.

use std::sync::{Arc, OnceLock};

use super::descriptor;
use super::reader::{Fault, Reader, Result};

/// A class's, member's or type's name, as in the class file: `java/lang/String`, `length`, `()I`.
pub type Name = Arc<str>;

/// A field or method that code mentions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemberRef {
    /// A class's name or, for methods of arrays such as `clone`, an array's descriptor.
    pub class: Name,
    pub name: Name,
    pub descriptor: Name,
    /// Whether the class file says that `class` is an interface.
    pub interface: bool,
}

/// What code pushes, a static field starts with, and bootstrap methods take.
#[derive(Clone, Debug)]
pub enum Constant {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// UTF-16 units: a Java string need not be valid Unicode.
    String(Arc<[u16]>),
    /// A class's name, or an array's descriptor.
    Class(Name),
    /// A method's descriptor.
    MethodType(Name),
    MethodHandle(Arc<MethodHandle>),
    /// Computed at run time by the class's bootstrap method with this index.
    Dynamic(Arc<Dynamic>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HandleKind {
    GetField,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

/// From number 1 on; the first four are of fields.
const HANDLE_KINDS: [HandleKind; 9] = [
    HandleKind::GetField,
    HandleKind::GetStatic,
    HandleKind::PutField,
    HandleKind::PutStatic,
    HandleKind::InvokeVirtual,
    HandleKind::InvokeStatic,
    HandleKind::InvokeSpecial,
    HandleKind::NewInvokeSpecial,
    HandleKind::InvokeInterface,
];

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MethodHandle {
    pub kind: HandleKind,
    pub member: Arc<MemberRef>,
}

/// A use of a bootstrap method: the call site of an `invokedynamic`, or a dynamic constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dynamic {
    /// Which of the class's bootstrap methods.
    pub bootstrap: u16,
    pub name: Name,
    pub descriptor: Name,
}

pub(super) mod tag {
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD: u8 = 9;
    pub const METHOD: u8 = 10;
    pub const INTERFACE_METHOD: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// A constant that was decoded.
#[derive(Debug)]
enum Decoded {
    Name(Name),
    String(Arc<[u16]>),
    Member(Arc<MemberRef>),
    Handle(Arc<MethodHandle>),
    Dynamic(Arc<Dynamic>),
}

/// Takes one kind of constant.
macro_rules! only {
    ($kind:ident) => {
        |decoded: &Decoded| match decoded {
            Decoded::$kind(value) => Some(value.clone()),
            _ => None,
        }
    };
}

/// A class file's bytes, and where its constants are in them.
#[derive(Debug)]
pub struct Pool {
    bytes: Box<[u8]>,
    /// Where the constant's tag stands; 0, where no constant can be, for those that do not exist.
    places: Box<[u32]>,
    decoded: Box<[OnceLock<Decoded>]>,
}

impl Pool {
    /// Finds the constants; `at` is where their number stands. Returns where they end.
    pub fn read(bytes: Box<[u8]>, at: usize, major: u16) -> Result<(Pool, usize)> {
        let mut reader = Reader::from(&bytes, at);
        let count = reader.u2()? as usize;
        // A constant has at least three bytes, so a lying count cannot make us reserve much.
        if count > reader.rest() {
            return reader.fault(format!("{count} constants do not fit"));
        }
        let mut places = vec![0; count];
        let mut index = 1;
        while index < count {
            places[index] = reader.at as u32;
            let kind = reader.u1()?;
            let length = match kind {
                tag::UTF8 => reader.u2()? as usize,
                tag::INTEGER | tag::FLOAT => 4,
                tag::LONG | tag::DOUBLE => 8,
                tag::CLASS | tag::STRING => 2,
                tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD | tag::NAME_AND_TYPE => 4,
                tag::METHOD_HANDLE if major >= 51 => 3,
                tag::METHOD_TYPE if major >= 51 => 2,
                tag::DYNAMIC if major >= 55 => 4,
                tag::INVOKE_DYNAMIC if major >= 51 => 4,
                tag::MODULE | tag::PACKAGE if major >= 53 => 2,
                _ => return reader.fault(format!("constant {index} has the unknown kind {kind}")),
            };
            reader.take(length)?;
            // A wide constant takes two indices; the second one names nothing.
            index += if matches!(kind, tag::LONG | tag::DOUBLE) { 2 } else { 1 };
        }
        if index > count.max(1) {
            return reader.fault("the last constant takes two places, there is one");
        }
        let end = reader.at;
        let decoded = std::iter::repeat_with(OnceLock::new).take(count).collect();
        Ok((Pool { bytes, places: places.into(), decoded }, end))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The numbers of the constants are below this one.
    pub fn count(&self) -> u16 {
        self.places.len() as u16
    }

    /// Whether a constant is a class or a string.
    pub fn is_literal(&self, index: u16) -> bool {
        matches!(self.tag(index), tag::CLASS | tag::STRING)
    }

    fn tag(&self, index: u16) -> u8 {
        match self.places.get(index as usize) {
            None | Some(0) => 0,
            Some(place) => self.bytes[*place as usize],
        }
    }

    fn fault<T>(&self, index: u16, message: impl Into<String>) -> Result<T> {
        let at = self.places.get(index as usize).map_or(0, |p| *p as usize);
        Err(Fault { at, message: format!("constant {index} {}", message.into()) })
    }

    /// A reader of the constant's contents, if it is of that kind.
    fn open(&self, index: u16, kind: u8, what: &str) -> Result<Reader<'_>> {
        if self.tag(index) != kind {
            return self.fault(index, format!("is not {what}"));
        }
        Ok(Reader::from(&self.bytes, self.places[index as usize] as usize + 1))
    }

    /// The bytes of a text, in Java's modified UTF-8.
    pub fn text_bytes(&self, index: u16) -> Result<&[u8]> {
        let mut reader = self.open(index, tag::UTF8, "a text")?;
        let length = reader.u2()?;
        reader.take(length as usize)
    }

    /// The constant as it was decoded before, or decoded now. What `pick` takes is what `decode` makes: an index is of one
    /// kind for ever.
    fn once<T>(
        &self,
        index: u16,
        pick: impl Fn(&Decoded) -> Option<T>,
        decode: impl FnOnce() -> Result<Decoded>,
    ) -> Result<T> {
        let slot = &self.decoded[index as usize];
        let decoded = match slot.get() {
            Some(decoded) => decoded,
            None => {
                let fresh = decode()?;
                slot.get_or_init(|| fresh)
            }
        };
        match pick(decoded) {
            Some(value) => Ok(value),
            None => self.fault(index, "is of two kinds"),
        }
    }

    /// A text that names something.
    pub fn text(&self, index: u16) -> Result<Name> {
        let bytes = self.text_bytes(index)?;
        self.once(index, only!(Name), || {
            // Plain ASCII is the same in both encodings, but for zero.
            let is_plain = bytes.iter().all(|b| (1..0x80).contains(b));
            let text = match std::str::from_utf8(bytes) {
                Ok(text) if is_plain => Some(text.into()),
                _ => units(bytes).and_then(|units| String::from_utf16(&units).ok()).map(Name::from),
            };
            text.map_or_else(|| self.fault(index, "is not a valid text"), |text| Ok(Decoded::Name(text)))
        })
    }

    fn checked(&self, index: u16, valid: impl Fn(&str) -> bool, what: &str) -> Result<Name> {
        let text = self.text(index)?;
        if valid(&text) { Ok(text) } else { self.fault(index, format!("is not {what}: {text:?}")) }
    }

    /// A class's name or an array's descriptor.
    pub fn class(&self, index: u16) -> Result<Name> {
        let name = self.open(index, tag::CLASS, "a class")?.u2()?;
        self.checked(name, descriptor::is_class_or_array, "the name of a class")
    }

    /// The name of a module, or of a package.
    pub fn named(&self, index: u16, tag: u8, what: &str) -> Result<Name> {
        let name = self.open(index, tag, what)?.u2()?;
        self.text(name)
    }

    /// Like [`Pool::class`], where 0 stands for none.
    pub fn class_opt(&self, index: u16) -> Result<Option<Name>> {
        if index == 0 { Ok(None) } else { self.class(index).map(Some) }
    }

    pub fn text_opt(&self, index: u16) -> Result<Option<Name>> {
        if index == 0 { Ok(None) } else { self.text(index).map(Some) }
    }

    pub fn member_name(&self, index: u16) -> Result<Name> {
        self.checked(index, descriptor::is_member_name, "the name of a field")
    }

    pub fn method_name(&self, index: u16) -> Result<Name> {
        self.checked(index, descriptor::is_method_name, "the name of a method")
    }

    pub fn field_descriptor(&self, index: u16) -> Result<Name> {
        self.checked(index, descriptor::is_field, "the descriptor of a field")
    }

    pub fn method_descriptor(&self, index: u16) -> Result<Name> {
        self.checked(index, descriptor::is_method, "the descriptor of a method")
    }

    /// The name and the descriptor, neither of them checked.
    fn name_and_type(&self, index: u16) -> Result<(u16, u16)> {
        let mut reader = self.open(index, tag::NAME_AND_TYPE, "a name and a type")?;
        Ok((reader.u2()?, reader.u2()?))
    }

    /// The name and the descriptor of a method.
    pub fn method_name_and_type(&self, index: u16) -> Result<(Name, Name)> {
        let (name, descriptor) = self.name_and_type(index)?;
        Ok((self.method_name(name)?, self.method_descriptor(descriptor)?))
    }

    fn field_name_and_type(&self, index: u16) -> Result<(Name, Name)> {
        let (name, descriptor) = self.name_and_type(index)?;
        Ok((self.member_name(name)?, self.field_descriptor(descriptor)?))
    }

    pub fn field(&self, index: u16) -> Result<Arc<MemberRef>> {
        if self.tag(index) != tag::FIELD {
            return self.fault(index, "is not a field");
        }
        self.member(index)
    }

    /// A method of a class or of an interface.
    pub fn method(&self, index: u16) -> Result<Arc<MemberRef>> {
        if !matches!(self.tag(index), tag::METHOD | tag::INTERFACE_METHOD) {
            return self.fault(index, "is not a method");
        }
        self.member(index)
    }

    fn member(&self, index: u16) -> Result<Arc<MemberRef>> {
        let kind = self.tag(index);
        let mut reader = self.open(index, kind, "a member")?;
        self.once(index, only!(Member), || {
            let class = self.class(reader.u2()?)?;
            let name_and_type = reader.u2()?;
            let (name, descriptor) = match kind {
                tag::FIELD => self.field_name_and_type(name_and_type)?,
                _ => self.method_name_and_type(name_and_type)?,
            };
            if &*name == "<clinit>" || &*name == "<init>" && !descriptor.ends_with(")V") {
                return self.fault(index, format!("calls {name}{descriptor}"));
            }
            let interface = kind == tag::INTERFACE_METHOD;
            Ok(Decoded::Member(Arc::new(MemberRef { class, name, descriptor, interface })))
        })
    }

    /// The call site of an `invokedynamic`.
    pub fn call_site(&self, index: u16) -> Result<Arc<Dynamic>> {
        self.open(index, tag::INVOKE_DYNAMIC, "a dynamic call")?;
        self.dynamic(index)
    }

    fn dynamic(&self, index: u16) -> Result<Arc<Dynamic>> {
        let kind = self.tag(index);
        let mut reader = self.open(index, kind, "dynamic")?;
        self.once(index, only!(Dynamic), || {
            let bootstrap = reader.u2()?;
            let name_and_type = reader.u2()?;
            let (name, descriptor) = match kind {
                tag::INVOKE_DYNAMIC => self.method_name_and_type(name_and_type)?,
                _ => self.field_name_and_type(name_and_type)?,
            };
            if name.starts_with('<') {
                return self.fault(index, format!("calls {name}"));
            }
            Ok(Decoded::Dynamic(Arc::new(Dynamic { bootstrap, name, descriptor })))
        })
    }

    pub fn method_handle(&self, index: u16) -> Result<Arc<MethodHandle>> {
        let mut reader = self.open(index, tag::METHOD_HANDLE, "a method handle")?;
        self.once(index, only!(Handle), || {
            let number = reader.u1()?;
            let Some(kind) = HANDLE_KINDS.get((number as usize).wrapping_sub(1)).copied() else {
                return self.fault(index, format!("is a method handle of the unknown kind {number}"));
            };
            let member = reader.u2()?;
            let member = if number <= 4 { self.field(member)? } else { self.method(member)? };
            if (kind == HandleKind::NewInvokeSpecial) != (&*member.name == "<init>") {
                return self.fault(index, format!("is a method handle of the wrong kind for {}", member.name));
            }
            Ok(Decoded::Handle(Arc::new(MethodHandle { kind, member })))
        })
    }

    fn string(&self, index: u16) -> Result<Arc<[u16]>> {
        let text = self.open(index, tag::STRING, "a string")?.u2()?;
        let bytes = self.text_bytes(text)?;
        self.once(index, only!(String), || match units(bytes) {
            Some(units) => Ok(Decoded::String(units.into())),
            None => self.fault(text, "is not a valid text"),
        })
    }

    /// Anything that can be pushed or passed to a bootstrap method.
    pub fn constant(&self, index: u16) -> Result<Constant> {
        let kind = self.tag(index);
        let number = || self.open(index, kind, "a number");
        Ok(match kind {
            tag::INTEGER => Constant::Int(number()?.i4()?),
            tag::FLOAT => Constant::Float(f32::from_bits(number()?.u4()?)),
            tag::LONG => Constant::Long(number()?.u8()? as i64),
            tag::DOUBLE => Constant::Double(f64::from_bits(number()?.u8()?)),
            tag::STRING => Constant::String(self.string(index)?),
            tag::CLASS => Constant::Class(self.class(index)?),
            tag::METHOD_TYPE => Constant::MethodType(self.method_descriptor(number()?.u2()?)?),
            tag::METHOD_HANDLE => Constant::MethodHandle(self.method_handle(index)?),
            tag::DYNAMIC => Constant::Dynamic(self.dynamic(index)?),
            _ => return self.fault(index, "is not a value"),
        })
    }
}

/// UTF-16 units from modified UTF-8: zero takes two bytes, and a character beyond 16 bits is two surrogates of
/// three bytes each.
fn units(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().map(|b| *b as u16);
    let continuation = |b: Option<u16>| b.filter(|b| b & 0xC0 == 0x80).map(|b| b & 0x3F);
    while let Some(first) = rest.next() {
        units.push(match first {
            0x01..=0x7F => first,
            0xC0..=0xDF => (first & 0x1F) << 6 | continuation(rest.next())?,
            0xE0..=0xEF => {
                let middle = continuation(rest.next())?;
                (first & 0x0F) << 12 | middle << 6 | continuation(rest.next())?
            }
            _ => return None,
        });
    }
    Some(units)
}
