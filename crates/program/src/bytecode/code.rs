//! A method's body: instructions with their operands resolved and their jumps as indices of instructions. The many
//! instructions of the JVM that differ only in type or operand are one here, with a field that tells them apart.

use std::sync::Arc;

use super::pool::{Constant, Dynamic, MemberRef, Name};

/// The index of an instruction in [`Code::ops`].
pub type Target = u32;

/// What a local, a stack place or an arithmetic instruction holds or works on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Kind {
    /// How many locals or stack words it takes.
    pub fn words(self) -> usize {
        if matches!(self, Kind::Long | Kind::Double) { 2 } else { 1 }
    }
}

/// What an array instruction moves. `baload` and `bastore` serve bytes and booleans alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    Int,
    Long,
    Float,
    Double,
    Ref,
    ByteOrBoolean,
    Char,
    Short,
}

/// The element of a new array of primitives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    Boolean,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
}

impl Primitive {
    /// The element's descriptor.
    pub fn descriptor(self) -> &'static str {
        match self {
            Primitive::Boolean => "Z",
            Primitive::Char => "C",
            Primitive::Float => "F",
            Primitive::Double => "D",
            Primitive::Byte => "B",
            Primitive::Short => "S",
            Primitive::Int => "I",
            Primitive::Long => "J",
        }
    }
}

/// Operations on two operands of the same kind; for shifts the second is an int.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// From here on for int and long only.
    Shl,
    Shr,
    Ushr,
    And,
    Or,
    Xor,
}

/// What an int narrows to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Narrow {
    Byte,
    Char,
    Short,
}

/// A three-way comparison. Those of floats say what NaN gives: `-1` (`fcmpl`) or `1` (`fcmpg`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    Long,
    Float { nan: i32 },
    Double { nan: i32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cond {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Invoke {
    Virtual,
    Special,
    Static,
    Interface,
}

#[derive(Clone, Debug)]
pub enum Op {
    Nop,
    /// All of `aconst_null`, `iconst_0`, …, `bipush`, `sipush`, `ldc`, `ldc_w`, `ldc2_w`.
    Const(Constant),
    Load(Kind, u16),
    Store(Kind, u16),
    ArrayLoad(Element),
    ArrayStore(Element),
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    Arith(Arith, Kind),
    Neg(Kind),
    /// Adds a constant to a local int.
    Increment(u16, i16),
    /// From one of int, long, float, double to another.
    Convert(Kind, Kind),
    Narrow(Narrow),
    Compare(Compare),
    /// Jumps if the int compares so with zero.
    IfZero(Cond, Target),
    /// Jumps if the first int compares so with the second.
    IfInt(Cond, Target),
    /// Jumps if the references are the same (`true`) or differ (`false`).
    IfRef(bool, Target),
    /// Jumps if the reference is null (`true`) or not (`false`).
    IfNull(bool, Target),
    Goto(Target),
    /// Pushes a return address and jumps; only before Java 7.
    Jsr(Target),
    Ret(u16),
    /// Cases are in ascending order, each number once.
    Switch {
        default: Target,
        cases: Box<[(i32, Target)]>,
    },
    /// `None` returns nothing.
    Return(Option<Kind>),
    GetStatic(Arc<MemberRef>),
    PutStatic(Arc<MemberRef>),
    GetField(Arc<MemberRef>),
    PutField(Arc<MemberRef>),
    Invoke(Invoke, Arc<MemberRef>),
    InvokeDynamic(Arc<Dynamic>),
    New(Name),
    NewArray(Primitive),
    /// A new array of references; the name is that of its elements (a class, or an array's descriptor).
    NewRefArray(Name),
    /// The array's descriptor, and how many of its dimensions are given.
    NewMultiArray(Name, u8),
    ArrayLength,
    Throw,
    /// A class's name or an array's descriptor.
    CheckCast(Name),
    InstanceOf(Name),
    MonitorEnter,
    MonitorExit,
}

impl Op {
    /// Can the next instruction follow this one?
    pub fn falls_through(&self) -> bool {
        !matches!(self, Op::Goto(_) | Op::Ret(_) | Op::Switch { .. } | Op::Return(_) | Op::Throw)
    }
}

/// Exceptions of class `catch` (any, if `None`) thrown in `start..end` continue at `handler`.
#[derive(Clone, Debug)]
pub struct Handler {
    pub start: Target,
    pub end: Target,
    pub handler: Target,
    pub catch: Option<Name>,
}

/// A local's name in the source, while `start..end` runs.
#[derive(Clone, Debug)]
pub struct LocalName {
    pub start: Target,
    pub end: Target,
    pub slot: u16,
    pub name: Name,
    pub descriptor: Name,
}

#[derive(Debug)]
pub struct Code {
    pub max_stack: u16,
    pub max_locals: u16,
    pub ops: Vec<Op>,
    /// For each instruction its place in bytes.
    pub offsets: Vec<u16>,
    /// In the order in which they are tried.
    pub handlers: Vec<Handler>,
    /// From this instruction on, this line; ascending.
    pub lines: Vec<(Target, u16)>,
    pub locals: Vec<LocalName>,
}

impl Code {
    /// The source line of an instruction.
    pub fn line(&self, op: usize) -> Option<u16> {
        let after = self.lines.partition_point(|(start, _)| *start as usize <= op);
        after.checked_sub(1).map(|i| self.lines[i].1)
    }

    /// The instruction at that byte.
    pub fn index(&self, offset: u16) -> Option<usize> {
        self.offsets.binary_search(&offset).ok()
    }

    /// The source's name for a local at an instruction.
    pub fn local(&self, op: usize, slot: u16) -> Option<&LocalName> {
        self.locals.iter().find(|l| l.slot == slot && (l.start as usize..l.end as usize).contains(&op))
    }
}
