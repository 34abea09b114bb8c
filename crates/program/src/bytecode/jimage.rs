//! The JDK's library: the file `lib/modules`, in the format "jimage". A perfect hash leads from a name to its place, so
//! nothing is listed: opening reads the index, finding a class touches a few words of it.
//!
//! The place of a class in the image's table is also its number: unique, the same in every run with the same JDK, and free.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, RwLock};

use rustc_hash::FxHashMap;

use crate::source::LoadError;

const MAGIC: u32 = 0xCAFE_DADA;
const RESOURCE_MAGIC: u32 = 0xCAFE_FAFA;
/// Header: magic, version, flags, resources, length of the table, sizes of the locations and of the strings.
const HEADER: usize = 28;
/// Header of a compressed resource: magic, both sizes, decompressor, its configuration, and whether it is the last.
const RESOURCE_HEADER: usize = 29;
/// The image of a complete JDK has an index of 3 MB.
const MAX_INDEX: u64 = 256 << 20;
const MAX_RESOURCE: u64 = 64 << 20;
/// How often a resource may be compressed.
const MAX_LAYERS: usize = 4;
/// Seed and factor of the hash.
const HASH: u32 = 0x0100_0193;

pub struct Image {
    path: PathBuf,
    file: Mutex<File>,
    little_endian: bool,
    /// How many places the table has.
    table: usize,
    /// Redirections, offsets of locations, locations, strings.
    index: Box<[u8]>,
    locations: usize,
    strings: usize,
    /// Where the resources start in the file.
    data: u64,
    /// The module of each package that was asked for.
    modules: RwLock<FxHashMap<String, Option<String>>>,
}

/// What the image says of one resource.
struct Location<'a> {
    module: &'a [u8],
    parent: &'a [u8],
    base: &'a [u8],
    extension: &'a [u8],
    offset: u64,
    compressed: u64,
    size: u64,
}

type Result<T> = std::result::Result<T, LoadError>;

impl Image {
    pub fn open(path: &Path) -> Result<Image> {
        let unreadable = |e: std::io::Error| LoadError::new(format!("cannot read {}: {e}", path.display()));
        let corrupt = |what: &str| LoadError::new(format!("{}: this is not a JDK's library: {what}", path.display()));
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut header = [0; HEADER];
        if length < HEADER as u64 {
            return Err(corrupt("it is too short"));
        }
        file.read_exact(&mut header).map_err(unreadable)?;
        let little_endian = match number(&header, 0, true) {
            Some(MAGIC) => true,
            Some(magic) if magic.swap_bytes() == MAGIC => false,
            _ => return Err(corrupt("it does not start with CAFEDADA")),
        };
        let word = |i: usize| number(&header, 4 * i, little_endian).unwrap_or(0) as u64;
        let (table, locations, strings) = (word(4), word(5), word(6));
        let size = 8 * table + locations + strings;
        if table == 0 || size > MAX_INDEX || HEADER as u64 + size > length {
            return Err(corrupt("its index does not fit"));
        }
        let mut index = vec![0; size as usize];
        file.read_exact(&mut index).map_err(unreadable)?;
        Ok(Image {
            path: path.to_path_buf(),
            file: Mutex::new(file),
            little_endian,
            table: table as usize,
            index: index.into(),
            locations: 8 * table as usize,
            strings: (8 * table + locations) as usize,
            data: HEADER as u64 + size,
            modules: RwLock::default(),
        })
    }

    /// The number of a class, by its internal name.
    pub fn number(&self, class: &str) -> Result<Option<u32>> {
        let Some((package, _)) = class.rsplit_once('/') else { return Ok(None) };
        Ok(self.module(package)?.and_then(|module| self.place(&["/", &module, "/", class, ".class"])))
    }

    /// How many numbers there are.
    pub fn numbers(&self) -> u32 {
        self.table as u32
    }

    /// The internal name of the class with that number.
    pub fn class_name(&self, number: u32) -> Option<String> {
        let location = self.location(number)?;
        let is_class = location.extension == b"class" && !location.parent.is_empty();
        if !is_class || matches!(location.module, b"" | b"modules" | b"packages") {
            return None;
        }
        Some(format!("{}/{}", std::str::from_utf8(location.parent).ok()?, std::str::from_utf8(location.base).ok()?))
    }

    /// A resource of a module, by its name (`java/util/currency.data`).
    pub fn resource(&self, module: &str, name: &str) -> Result<Option<Vec<u8>>> {
        self.place(&["/", module, "/", name]).map(|place| self.bytes(place)).transpose()
    }

    /// What the modules say of themselves.
    pub fn module_infos(&self) -> Vec<Vec<u8>> {
        let is_info = |number: &u32| {
            self.location(*number).is_some_and(|place| place.base == b"module-info" && place.extension == b"class")
        };
        (0..self.numbers()).filter(is_info).filter_map(|number| self.bytes(number).ok()).collect()
    }

    /// The module of a package (`java/util`): a search of the image, the first time.
    pub fn module(&self, package: &str) -> Result<Option<String>> {
        if let Some(known) = self.modules.read().expect("no reader of modules panics").get(package) {
            return Ok(known.clone());
        }
        let module = self.find_module(package)?;
        let mut modules = self.modules.write().expect("no reader of modules panics");
        modules.insert(package.to_string(), module.clone());
        Ok(module)
    }

    /// Which modules have a package stands in a resource: pairs of "it is empty there" and the module's name.
    fn find_module(&self, package: &str) -> Result<Option<String>> {
        let Some(place) = self.place(&["/packages/", &package.replace('/', ".")]) else { return Ok(None) };
        let pairs = self.bytes(place)?;
        for at in (0..pairs.len()).step_by(8) {
            let word = |at| number(&pairs, at, self.little_endian);
            if let (Some(0), Some(name)) = (word(at), word(at + 4)) {
                let name = self.string(name as u64).and_then(|n| std::str::from_utf8(n).ok());
                return name.map(|n| Some(n.to_string())).ok_or_else(|| self.corrupt(package));
            }
        }
        Ok(None)
    }

    /// The contents of a resource.
    pub fn bytes(&self, place: u32) -> Result<Vec<u8>> {
        let location = self.location(place).ok_or_else(|| self.corrupt("its index"))?;
        let name = || String::from_utf8_lossy(location.base).into_owned();
        let stored = if location.compressed == 0 { location.size } else { location.compressed };
        if stored.max(location.size) > MAX_RESOURCE {
            return Err(self.corrupt(&name()));
        }
        let mut bytes = vec![0; stored as usize];
        let mut file = self.file.lock().expect("no reader of the image panics");
        file.seek(SeekFrom::Start(self.data.saturating_add(location.offset)))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|e| LoadError::new(format!("cannot read {} from {}: {e}", name(), self.path.display())))?;
        drop(file);
        if location.compressed == 0 { Ok(bytes) } else { self.decompress(bytes, &name()) }
    }

    /// Images made by `jlink --compress` hold compressed resources, possibly more than once.
    fn decompress(&self, mut bytes: Vec<u8>, name: &str) -> Result<Vec<u8>> {
        for _ in 0..MAX_LAYERS {
            if number(&bytes, 0, self.little_endian) != Some(RESOURCE_MAGIC) || bytes.len() < RESOURCE_HEADER {
                break;
            }
            let word = |at| number(&bytes, at, self.little_endian).unwrap_or(0) as u64;
            let long =
                |at| if self.little_endian { word(at) | word(at + 4) << 32 } else { word(at) << 32 | word(at + 4) };
            let size = long(12);
            let decompressor = self.string(word(20)).unwrap_or(b"?");
            if decompressor != b"zip" {
                let decompressor = String::from_utf8_lossy(decompressor);
                return Err(LoadError::new(format!(
                    "{}: {name} is compressed by \"{decompressor}\", which is not supported",
                    self.path.display()
                ))
                .help("set JAVA_HOME to a JDK that is not compressed"));
            }
            let mut plain = Vec::new();
            let decoder = flate2::read::ZlibDecoder::new(&bytes[RESOURCE_HEADER..]);
            let read = decoder.take(size.min(MAX_RESOURCE) + 1).read_to_end(&mut plain);
            if read.is_err() || plain.len() as u64 != size {
                return Err(self.corrupt(name));
            }
            bytes = plain;
        }
        Ok(bytes)
    }

    /// The place of a resource in the table; the parts together are its name.
    fn place(&self, parts: &[&str]) -> Option<u32> {
        let bytes = || parts.iter().flat_map(|part| part.bytes());
        let hash = |seed: u32| bytes().fold(seed, |h, b| h.wrapping_mul(HASH) ^ b as u32) & 0x7FFF_FFFF;
        let table = self.table as u32;
        let redirect = number(&self.index, 4 * (hash(HASH) % table) as usize, self.little_endian)? as i32;
        let place = match redirect {
            0 => return None,
            1.. => hash(redirect as u32) % table,
            _ => (-1 - redirect) as u32,
        };
        let location = self.location(place)?;
        let name =
            [(&b"/"[..], location.module), (b"/", location.parent), (b"/", location.base), (b".", location.extension)];
        let present = name.iter().filter(|(_, part)| !part.is_empty());
        let found = present.flat_map(|(separator, part)| separator.iter().chain(*part)).copied();
        found.eq(bytes()).then_some(place)
    }

    /// Each attribute of a location is a byte (kind and length) and a big-endian number.
    fn location(&self, place: u32) -> Option<Location<'_>> {
        if place as usize >= self.table {
            return None;
        }
        let offset = number(&self.index, 4 * (self.table + place as usize), self.little_endian)?;
        let mut rest = self.index.get(self.locations + offset as usize..self.strings)?;
        let mut values = [0u64; 32];
        while let [first, after @ ..] = rest
            && *first >> 3 != 0
        {
            let (value, after) = after.split_at_checked((*first as usize & 7) + 1)?;
            values[*first as usize >> 3] = value.iter().fold(0, |v, b| v << 8 | *b as u64);
            rest = after;
        }
        let [_, module, parent, base, extension, offset, compressed, size, ..] = values;
        Some(Location {
            module: self.string(module)?,
            parent: self.string(parent)?,
            base: self.string(base)?,
            extension: self.string(extension)?,
            offset,
            compressed,
            size,
        })
    }

    fn string(&self, offset: u64) -> Option<&[u8]> {
        let bytes = self.index[self.strings..].get(usize::try_from(offset).ok()?..)?;
        Some(&bytes[..bytes.iter().position(|b| *b == 0)?])
    }

    fn corrupt(&self, what: &str) -> LoadError {
        LoadError::new(format!("{}: corrupt JDK library: {what}", self.path.display()))
    }
}

fn number(bytes: &[u8], at: usize, little_endian: bool) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(if little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
}
