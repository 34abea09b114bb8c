//! The services of the JDK: which of its modules provides which implementations, as their `module-info` says.

use super::jimage::Image;
use super::pool::Pool;
use super::reader::{Reader, Result};

/// The classes of the JDK that provide a service, by internal names.
pub fn providers(image: &Image, service: &str) -> Vec<String> {
    let mut found = Vec::new();
    for bytes in image.module_infos() {
        // A module that cannot be read provides nothing.
        let provided = provided(bytes, service).unwrap_or_default();
        found.extend(provided);
    }
    found.sort();
    found
}

fn provided(bytes: Vec<u8>, service: &str) -> Result<Vec<String>> {
    let major = Reader::from(&bytes, 6).u2()?;
    let (pool, at) = Pool::read(bytes.into(), 8, major)?;
    let mut reader = Reader::from(pool.bytes(), at);
    // Flags, its own class and the one above; it has no interfaces, fields and methods.
    reader.take(12)?;
    for _ in 0..reader.u2()? {
        let (name, length) = (pool.text(reader.u2()?)?, reader.u4()?);
        let mut contents = reader.part(length as usize)?;
        if &*name == "Module" {
            return read_module(&pool, &mut contents, service);
        }
    }
    Ok(Vec::new())
}

fn read_module(pool: &Pool, reader: &mut Reader<'_>, service: &str) -> Result<Vec<String>> {
    // Name, flags, version.
    reader.take(6)?;
    let requires = reader.u2()? as usize;
    reader.take(6 * requires)?;
    // What is exported, and what is open.
    for _ in 0..2 {
        for _ in 0..reader.u2()? {
            reader.take(4)?;
            let to = reader.u2()? as usize;
            reader.take(2 * to)?;
        }
    }
    let uses = reader.u2()? as usize;
    reader.take(2 * uses)?;
    let mut found = Vec::new();
    for _ in 0..reader.u2()? {
        let provides = pool.class(reader.u2()?)?;
        for _ in 0..reader.u2()? {
            let class = pool.class(reader.u2()?)?;
            if &*provides == service {
                found.push(class.to_string());
            }
        }
    }
    Ok(found)
}
