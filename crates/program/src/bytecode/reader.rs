//! Reads big-endian numbers from bytes that may end too early or lie. Nothing here panics on any input.

use std::fmt;

/// What is wrong with a class file, and at which byte.
#[derive(Clone, Debug)]
pub struct Fault {
    pub at: usize,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.message)
    }
}

pub type Result<T> = std::result::Result<T, Fault>;

/// A position in bytes; it never moves past `end`.
#[derive(Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    pub at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, end: bytes.len() }
    }

    /// A reader of the bytes from `at` on, as many as there are.
    pub fn from(bytes: &'a [u8], at: usize) -> Reader<'a> {
        Reader { bytes, at: at.min(bytes.len()), end: bytes.len() }
    }

    pub fn fault<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Fault { at: self.at, message: message.into() })
    }

    #[inline]
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        if count > self.end - self.at {
            return self.too_short(count);
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    #[cold]
    fn too_short<T>(&self, count: usize) -> Result<T> {
        self.fault(format!("{count} bytes expected, {} left", self.rest()))
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        Ok(taken.try_into().expect("N bytes were taken"))
    }

    #[inline]
    pub fn u1(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    #[inline]
    pub fn u2(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    #[inline]
    pub fn u4(&mut self) -> Result<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn i1(&mut self) -> Result<i8> {
        Ok(self.u1()? as i8)
    }

    pub fn i2(&mut self) -> Result<i16> {
        Ok(self.u2()? as i16)
    }

    pub fn i4(&mut self) -> Result<i32> {
        Ok(self.u4()? as i32)
    }

    pub fn u8(&mut self) -> Result<u64> {
        self.array().map(u64::from_be_bytes)
    }

    #[inline]
    pub fn rest(&self) -> usize {
        self.end - self.at
    }

    /// A reader of the next `count` bytes only, which this one then has passed.
    pub fn part(&mut self, count: usize) -> Result<Reader<'a>> {
        let at = self.at;
        self.take(count)?;
        Ok(Reader { bytes: self.bytes, at, end: self.at })
    }

    /// Fails unless everything was read.
    pub fn finish(&self, what: &str) -> Result<()> {
        match self.rest() {
            0 => Ok(()),
            n => self.fault(format!("{n} bytes too many in {what}")),
        }
    }
}
