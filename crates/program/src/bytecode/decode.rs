//! Decodes a method's body.
//!
//! Checked: every operand is of the right kind, jumps and handlers lead to instructions, locals exist, and control cannot
//! run off the end. What is on the stack is not checked; that is the lowering's business.

use std::sync::Arc;

use super::classfile::{File, attributes};
use super::code::{
    Arith, Code, Compare, Cond, Element, Handler, Invoke, Kind, LocalName, Narrow, Op, Primitive, Target,
};
use super::pool::{Constant, MemberRef, Name, Pool};
use super::reader::{Fault, Reader, Result};

/// Decodes the `Code` attribute whose contents start at `at`.
pub(super) fn decode(file: &File, at: usize, length: usize) -> Result<Code> {
    let pool = &file.pool;
    let mut reader = Reader::from(pool.bytes(), at).part(length)?;
    let max_stack = reader.u2()?;
    let max_locals = reader.u2()?;
    let size = reader.u4()?;
    if size == 0 || size > u16::MAX as u32 {
        return reader.fault(format!("the body has {size} bytes"));
    }
    let body = reader.part(size as usize)?;
    let mut decoder = Decoder { pool, start: body.at, max_locals, major: file.major, reader: body };
    let mut places = Places::new(size as usize);
    let mut ops = Vec::with_capacity(size as usize / 2);
    while decoder.reader.rest() > 0 {
        places.begin(decoder.offset());
        ops.push(decoder.op()?);
    }
    for (op, offset) in ops.iter_mut().zip(&places.offsets) {
        places.link(op).map_err(|target| Fault {
            at: decoder.start + *offset as usize,
            message: format!("the jump at {offset} leads to {target}, which is not an instruction"),
        })?;
    }
    if ops.last().is_none_or(Op::falls_through) {
        return reader.fault("control runs off the end of the body");
    }
    let handlers = (0..reader.u2()?).map(|_| handler(pool, &places, &mut reader)).collect::<Result<_>>()?;
    let mut code = Code { max_stack, max_locals, ops, offsets: Vec::new(), handlers, lines: vec![], locals: vec![] };
    read_debug(&mut code, pool, &places, &mut reader)?;
    reader.finish("the body's attribute")?;
    code.offsets = places.offsets;
    Ok(code)
}

/// From bytes of a body to its instructions.
struct Places {
    /// The body's length.
    size: usize,
    offsets: Vec<u16>,
    /// For each byte the number of instructions that start before it, and whether one starts there.
    at: Vec<(u16, bool)>,
}

impl Places {
    fn new(size: usize) -> Places {
        Places { size, offsets: Vec::with_capacity(size / 2), at: Vec::with_capacity(size + 1) }
    }

    fn begin(&mut self, offset: usize) {
        let before = self.offsets.len() as u16;
        self.at.resize(offset, (before, false));
        self.at.push((before, true));
        self.offsets.push(offset as u16);
    }

    /// The instruction that starts there.
    fn exact(&self, offset: i64) -> Option<Target> {
        let (index, starts) = self.at.get(usize::try_from(offset).ok()?)?;
        starts.then_some(*index as Target)
    }

    /// The first instruction at or after that byte; one past the last if there is none.
    fn at_or_after(&self, offset: usize) -> Target {
        self.at.get(offset).map_or(self.offsets.len() as Target, |(index, _)| *index as Target)
    }

    /// Replaces the jumps, which the decoder left as bytes, by instructions; fails with the byte that is not one.
    fn link(&self, op: &mut Op) -> std::result::Result<(), i64> {
        let link = |target: &mut Target| {
            let offset = *target as i32 as i64;
            *target = self.exact(offset).ok_or(offset)?;
            Ok(())
        };
        match op {
            Op::IfZero(_, target) | Op::IfInt(_, target) | Op::IfRef(_, target) | Op::IfNull(_, target) => link(target),
            Op::Goto(target) | Op::Jsr(target) => link(target),
            Op::Switch { default, cases } => {
                link(default)?;
                cases.iter_mut().try_for_each(|(_, target)| link(target))
            }
            _ => Ok(()),
        }
    }
}

fn handler(pool: &Pool, places: &Places, reader: &mut Reader) -> Result<Handler> {
    let (start, end, handler) = (reader.u2()?, reader.u2()?, reader.u2()?);
    let end_index = match end as usize == places.size {
        true => Some(places.offsets.len() as Target),
        false => places.exact(end as i64),
    };
    match (places.exact(start as i64), end_index, places.exact(handler as i64)) {
        (Some(start), Some(end), Some(handler)) if start < end => {
            Ok(Handler { start, end, handler, catch: pool.class_opt(reader.u2()?)? })
        }
        _ => reader.fault(format!("the handler of {start} to {end} at {handler} does not stand at instructions")),
    }
}

/// Lines and the names of locals. They only serve reports: entries that point nowhere are moved, not refused.
fn read_debug(code: &mut Code, pool: &Pool, places: &Places, reader: &mut Reader) -> Result<()> {
    attributes(pool, reader, |name, r| {
        match name {
            b"LineNumberTable" => {
                for _ in 0..r.u2()? {
                    code.lines.push((places.at_or_after(r.u2()? as usize), r.u2()?));
                }
            }
            b"LocalVariableTable" => {
                for _ in 0..r.u2()? {
                    let (start, length) = (r.u2()? as usize, r.u2()? as usize);
                    let (name, descriptor) = (pool.text(r.u2()?)?, pool.field_descriptor(r.u2()?)?);
                    let (start, end) = (places.at_or_after(start), places.at_or_after(start + length));
                    code.locals.push(LocalName { start, end, slot: r.u2()?, name, descriptor });
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    code.lines.sort_by_key(|(start, _)| *start);
    Ok(())
}

struct Decoder<'a> {
    pool: &'a Pool,
    /// Where the body starts in the file.
    start: usize,
    max_locals: u16,
    major: u16,
    reader: Reader<'a>,
}

const KINDS: [Kind; 5] = [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Ref];
const ELEMENTS: [Element; 8] = [
    Element::Int,
    Element::Long,
    Element::Float,
    Element::Double,
    Element::Ref,
    Element::ByteOrBoolean,
    Element::Char,
    Element::Short,
];
const CONDITIONS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le];
const ARITHMETIC: [Arith; 5] = [Arith::Add, Arith::Sub, Arith::Mul, Arith::Div, Arith::Rem];
const BITS: [Arith; 6] = [Arith::Shl, Arith::Shr, Arith::Ushr, Arith::And, Arith::Or, Arith::Xor];

impl Decoder<'_> {
    /// Where the reader stands in the body.
    fn offset(&self) -> usize {
        self.reader.at - self.start
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T> {
        self.reader.fault(message)
    }

    fn op(&mut self) -> Result<Op> {
        let start = self.offset();
        let opcode = self.reader.u1()?;
        Ok(match opcode {
            0x00 => Op::Nop,
            0x01 => Op::Const(Constant::Null),
            0x02..=0x08 => Op::Const(Constant::Int(opcode as i32 - 3)),
            0x09 | 0x0a => Op::Const(Constant::Long(opcode as i64 - 9)),
            0x0b..=0x0d => Op::Const(Constant::Float((opcode - 0x0b) as f32)),
            0x0e | 0x0f => Op::Const(Constant::Double((opcode - 0x0e) as f64)),
            0x10 => Op::Const(Constant::Int(self.reader.i1()? as i32)),
            0x11 => Op::Const(Constant::Int(self.reader.i2()? as i32)),
            0x12..=0x14 => self.load_constant(opcode)?,
            0x15..=0x19 => self.load(KINDS[opcode as usize - 0x15], false)?,
            0x1a..=0x2d => self.local(Op::Load, KINDS[(opcode as usize - 0x1a) / 4], (opcode as u16 - 0x1a) % 4)?,
            0x2e..=0x35 => Op::ArrayLoad(ELEMENTS[opcode as usize - 0x2e]),
            0x36..=0x3a => self.store(KINDS[opcode as usize - 0x36], false)?,
            0x3b..=0x4e => self.local(Op::Store, KINDS[(opcode as usize - 0x3b) / 4], (opcode as u16 - 0x3b) % 4)?,
            0x4f..=0x56 => Op::ArrayStore(ELEMENTS[opcode as usize - 0x4f]),
            0x57 => Op::Pop,
            0x58 => Op::Pop2,
            0x59 => Op::Dup,
            0x5a => Op::DupX1,
            0x5b => Op::DupX2,
            0x5c => Op::Dup2,
            0x5d => Op::Dup2X1,
            0x5e => Op::Dup2X2,
            0x5f => Op::Swap,
            0x60..=0x73 => Op::Arith(ARITHMETIC[(opcode as usize - 0x60) / 4], KINDS[(opcode as usize - 0x60) % 4]),
            0x74..=0x77 => Op::Neg(KINDS[opcode as usize - 0x74]),
            0x78..=0x83 => Op::Arith(BITS[(opcode as usize - 0x78) / 2], KINDS[(opcode as usize - 0x78) % 2]),
            0x84 => self.increment(false)?,
            0x85..=0x90 => conversion(opcode - 0x85),
            0x91 => Op::Narrow(Narrow::Byte),
            0x92 => Op::Narrow(Narrow::Char),
            0x93 => Op::Narrow(Narrow::Short),
            0x94 => Op::Compare(Compare::Long),
            0x95 => Op::Compare(Compare::Float { nan: -1 }),
            0x96 => Op::Compare(Compare::Float { nan: 1 }),
            0x97 => Op::Compare(Compare::Double { nan: -1 }),
            0x98 => Op::Compare(Compare::Double { nan: 1 }),
            0x99..=0x9e => Op::IfZero(CONDITIONS[opcode as usize - 0x99], self.jump(start)?),
            0x9f..=0xa4 => Op::IfInt(CONDITIONS[opcode as usize - 0x9f], self.jump(start)?),
            0xa5 | 0xa6 => Op::IfRef(opcode == 0xa5, self.jump(start)?),
            0xa7 => Op::Goto(self.jump(start)?),
            0xa8 => Op::Jsr(self.before_java_7().and_then(|()| self.jump(start))?),
            0xa9 => self.ret(false)?,
            0xaa => self.table_switch(start)?,
            0xab => self.lookup_switch(start)?,
            0xac..=0xb0 => Op::Return(Some(KINDS[opcode as usize - 0xac])),
            0xb1 => Op::Return(None),
            0xb2 => Op::GetStatic(self.field()?),
            0xb3 => Op::PutStatic(self.field()?),
            0xb4 => Op::GetField(self.field()?),
            0xb5 => Op::PutField(self.field()?),
            0xb6..=0xb9 => self.invoke(opcode)?,
            0xba => self.invoke_dynamic()?,
            0xbb => Op::New(self.class(false)?),
            0xbc => Op::NewArray(self.primitive()?),
            0xbd => Op::NewRefArray(self.class(true)?),
            0xbe => Op::ArrayLength,
            0xbf => Op::Throw,
            0xc0 => Op::CheckCast(self.class(true)?),
            0xc1 => Op::InstanceOf(self.class(true)?),
            0xc2 => Op::MonitorEnter,
            0xc3 => Op::MonitorExit,
            0xc4 => self.wide()?,
            0xc5 => self.multi_array()?,
            0xc6 | 0xc7 => Op::IfNull(opcode == 0xc6, self.jump(start)?),
            0xc8 => Op::Goto(self.wide_jump(start)?),
            0xc9 => Op::Jsr(self.before_java_7().and_then(|()| self.wide_jump(start))?),
            0xca.. => return self.fault(format!("there is no instruction {opcode:#04x}")),
        })
    }

    fn before_java_7(&self) -> Result<()> {
        if self.major >= 51 { self.fault("jsr and ret do not exist since Java 7") } else { Ok(()) }
    }

    /// The byte of a jump, which [`Places::link`] turns into an instruction.
    fn target(&self, start: usize, distance: i32) -> Result<Target> {
        match i32::try_from(start as i64 + distance as i64) {
            Ok(offset) => Ok(offset as Target),
            Err(_) => self.fault("a jump leads out of the body"),
        }
    }

    fn jump(&mut self, start: usize) -> Result<Target> {
        let distance = self.reader.i2()? as i32;
        self.target(start, distance)
    }

    fn wide_jump(&mut self, start: usize) -> Result<Target> {
        let distance = self.reader.i4()?;
        self.target(start, distance)
    }

    /// The number of a local that must exist, with its second half if it has one.
    fn slot(&mut self, wide: bool, words: usize) -> Result<u16> {
        let slot = if wide { self.reader.u2()? } else { self.reader.u1()? as u16 };
        self.existing(slot, words)
    }

    fn existing(&self, slot: u16, words: usize) -> Result<u16> {
        if slot as usize + words > self.max_locals as usize {
            return self.fault(format!("there is no local {slot}, there are {}", self.max_locals));
        }
        Ok(slot)
    }

    fn local(&self, op: fn(Kind, u16) -> Op, kind: Kind, slot: u16) -> Result<Op> {
        Ok(op(kind, self.existing(slot, kind.words())?))
    }

    fn load(&mut self, kind: Kind, wide: bool) -> Result<Op> {
        Ok(Op::Load(kind, self.slot(wide, kind.words())?))
    }

    fn store(&mut self, kind: Kind, wide: bool) -> Result<Op> {
        Ok(Op::Store(kind, self.slot(wide, kind.words())?))
    }

    fn increment(&mut self, wide: bool) -> Result<Op> {
        let slot = self.slot(wide, 1)?;
        Ok(Op::Increment(slot, if wide { self.reader.i2()? } else { self.reader.i1()? as i16 }))
    }

    fn ret(&mut self, wide: bool) -> Result<Op> {
        self.before_java_7()?;
        Ok(Op::Ret(self.slot(wide, 1)?))
    }

    fn wide(&mut self) -> Result<Op> {
        let opcode = self.reader.u1()?;
        match opcode {
            0x15..=0x19 => self.load(KINDS[opcode as usize - 0x15], true),
            0x36..=0x3a => self.store(KINDS[opcode as usize - 0x36], true),
            0x84 => self.increment(true),
            0xa9 => self.ret(true),
            _ => self.fault(format!("the instruction {opcode:#04x} is never wide")),
        }
    }

    fn load_constant(&mut self, opcode: u8) -> Result<Op> {
        let index = if opcode == 0x12 { self.reader.u1()? as u16 } else { self.reader.u2()? };
        let constant = self.pool.constant(index)?;
        let is_wide = match &constant {
            Constant::Long(_) | Constant::Double(_) => true,
            Constant::Dynamic(dynamic) => matches!(&*dynamic.descriptor, "J" | "D"),
            _ => false,
        };
        if is_wide != (opcode == 0x14) {
            return self.fault(format!("the constant {index} has the wrong size here"));
        }
        Ok(Op::Const(constant))
    }

    fn field(&mut self) -> Result<Arc<MemberRef>> {
        self.pool.field(self.reader.u2()?)
    }

    fn invoke(&mut self, opcode: u8) -> Result<Op> {
        let method = self.pool.method(self.reader.u2()?)?;
        let (kind, is_legal) = match opcode {
            0xb6 => (Invoke::Virtual, !method.interface),
            // Interfaces have had methods to call so since Java 8.
            0xb7 => (Invoke::Special, !method.interface || self.major >= 52),
            0xb8 => (Invoke::Static, !method.interface || self.major >= 52),
            _ => (Invoke::Interface, method.interface),
        };
        if kind == Invoke::Interface {
            // The number of arguments, which the descriptor has too, and a zero.
            self.reader.take(2)?;
        }
        if !is_legal || kind != Invoke::Special && &*method.name == "<init>" {
            return self.fault(format!("{}.{} cannot be called so", method.class, method.name));
        }
        Ok(Op::Invoke(kind, method))
    }

    fn invoke_dynamic(&mut self) -> Result<Op> {
        let call = self.pool.call_site(self.reader.u2()?)?;
        self.reader.take(2)?;
        Ok(Op::InvokeDynamic(call))
    }

    fn class(&mut self, array_allowed: bool) -> Result<Name> {
        let name = self.pool.class(self.reader.u2()?)?;
        if name.starts_with('[') && !array_allowed {
            return self.fault(format!("new cannot make the array {name}"));
        }
        Ok(name)
    }

    fn primitive(&mut self) -> Result<Primitive> {
        Ok(match self.reader.u1()? {
            4 => Primitive::Boolean,
            5 => Primitive::Char,
            6 => Primitive::Float,
            7 => Primitive::Double,
            8 => Primitive::Byte,
            9 => Primitive::Short,
            10 => Primitive::Int,
            11 => Primitive::Long,
            code => return self.fault(format!("there is no primitive type {code}")),
        })
    }

    fn multi_array(&mut self) -> Result<Op> {
        let name = self.class(true)?;
        let dimensions = self.reader.u1()?;
        let all = name.bytes().take_while(|b| *b == b'[').count();
        if dimensions == 0 || dimensions as usize > all {
            return self.fault(format!("{dimensions} dimensions of {name}"));
        }
        Ok(Op::NewMultiArray(name, dimensions))
    }

    /// Operands of switches stand at multiples of four bytes.
    fn align(&mut self) -> Result<()> {
        self.reader.take((4 - self.offset() % 4) % 4).map(|_| ())
    }

    fn table_switch(&mut self, start: usize) -> Result<Op> {
        self.align()?;
        let default = self.wide_jump(start)?;
        let (low, high) = (self.reader.i4()?, self.reader.i4()?);
        if low > high || high as i64 - low as i64 >= self.reader.rest() as i64 / 4 {
            return self.fault(format!("the switch from {low} to {high} does not fit"));
        }
        let cases = (low..=high).map(|value| Ok((value, self.wide_jump(start)?))).collect::<Result<_>>()?;
        Ok(Op::Switch { default, cases })
    }

    fn lookup_switch(&mut self, start: usize) -> Result<Op> {
        self.align()?;
        let default = self.wide_jump(start)?;
        let count = self.reader.u4()? as usize;
        if count > self.reader.rest() / 8 {
            return self.fault(format!("the switch with {count} cases does not fit"));
        }
        let case = |decoder: &mut Self| Ok((decoder.reader.i4()?, decoder.wide_jump(start)?));
        let cases: Box<[(i32, Target)]> = (0..count).map(|_| case(self)).collect::<Result<_>>()?;
        if !cases.is_sorted_by(|a, b| a.0 < b.0) {
            return self.fault("the cases of the switch are not in order");
        }
        Ok(Op::Switch { default, cases })
    }
}

/// `i2l` is number 0, `d2f` number 11.
fn conversion(number: u8) -> Op {
    let from = KINDS[number as usize / 3];
    let to = KINDS[..4].iter().filter(|to| **to != from).nth(number as usize % 3);
    Op::Convert(from, *to.expect("three of four kinds remain"))
}
