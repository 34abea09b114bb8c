//! What a module of the JDK says of itself: its `module-info`.

use super::pool::{Pool, tag};
use super::reader::{Reader, Result};

/// A package that is exported or opened, to the modules that are named, or to all.
struct Shown {
    package: String,
    to: Vec<String>,
}

/// What a module says of itself, as far as somebody asks.
pub struct ModuleInfo {
    is_open: bool,
    exports: Vec<Shown>,
    opens: Vec<Shown>,
    /// Services, and the classes that provide them, by internal names.
    pub provides: Vec<(String, Vec<String>)>,
}

const OPEN: u16 = 0x20;

impl ModuleInfo {
    /// Reads the class file of a description; nothing, if it is none.
    pub fn read(bytes: Vec<u8>) -> Option<ModuleInfo> {
        read(bytes).ok().flatten()
    }

    /// Whether a package (`java/util`) can be used by another module, or by code that is in none; by reflection, if it is to be open.
    pub fn shows(&self, package: &str, to: Option<&str>, open: bool) -> bool {
        let is_shown = |shown: &Shown| {
            shown.package == package
                && (shown.to.is_empty() || to.is_some_and(|to| shown.to.iter().any(|name| name == to)))
        };
        self.is_open || self.opens.iter().any(is_shown) || !open && self.exports.iter().any(is_shown)
    }
}

fn read(bytes: Vec<u8>) -> Result<Option<ModuleInfo>> {
    let major = Reader::from(&bytes, 6).u2()?;
    let (pool, at) = Pool::read(bytes.into(), 8, major)?;
    let mut reader = Reader::from(pool.bytes(), at);
    // Flags, its own class and the one above; it has no interfaces, fields and methods.
    reader.take(12)?;
    for _ in 0..reader.u2()? {
        let (name, length) = (pool.text(reader.u2()?)?, reader.u4()?);
        let mut contents = reader.part(length as usize)?;
        if &*name == "Module" {
            return read_module(&pool, &mut contents).map(Some);
        }
    }
    Ok(None)
}

fn read_module(pool: &Pool, reader: &mut Reader<'_>) -> Result<ModuleInfo> {
    let _name = reader.u2()?;
    let flags = reader.u2()?;
    let _version = reader.u2()?;
    let requires = reader.u2()? as usize;
    reader.take(6 * requires)?;
    let exports = read_shown(pool, reader)?;
    let opens = read_shown(pool, reader)?;
    let uses = reader.u2()? as usize;
    reader.take(2 * uses)?;
    let mut provides = Vec::new();
    for _ in 0..reader.u2()? {
        let service = pool.class(reader.u2()?)?.to_string();
        let classes = (0..reader.u2()?).map(|_| Ok(pool.class(reader.u2()?)?.to_string())).collect::<Result<_>>()?;
        provides.push((service, classes));
    }
    Ok(ModuleInfo { is_open: flags & OPEN != 0, exports, opens, provides })
}

fn read_shown(pool: &Pool, reader: &mut Reader<'_>) -> Result<Vec<Shown>> {
    let mut list = Vec::new();
    for _ in 0..reader.u2()? {
        let package = pool.named(reader.u2()?, tag::PACKAGE, "a package")?.to_string();
        let _flags = reader.u2()?;
        let module = |reader: &mut Reader<'_>| Ok(pool.named(reader.u2()?, tag::MODULE, "a module")?.to_string());
        let to = (0..reader.u2()?).map(|_| module(reader)).collect::<Result<_>>()?;
        list.push(Shown { package, to });
    }
    Ok(list)
}
