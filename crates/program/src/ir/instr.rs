//! The instructions: one set for all languages.

use super::{ClassId, FieldId, InputId, MethodId, Reg, Selector, StrId, Type};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Const {
    Int(i64),
    Bool(bool),
    Null,
    Long(i64),
    /// By their bits.
    Float(u32),
    Double(u64),
    /// A constant string of Java.
    Str(StrId),
    /// A class literal.
    Class(ClassId),
}

/// What an operation is one of: numbers, or truth values. In the tiny languages `Int` is as wide as the run says, in Java it has 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Bool,
    Int,
    Long,
    Float,
    Double,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Ushr,
    /// Of truth values, or bit by bit.
    And,
    Or,
    Xor,
    /// Strict order; the result is a truth value.
    Lt,
    /// Equality; the result is a truth value.
    Eq,
}

impl BinaryOp {
    /// A shift takes an int on its right, whatever is shifted.
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr)
    }

    /// Whether the result is a truth value, whatever is compared.
    pub fn is_test(self) -> bool {
        matches!(self, BinaryOp::Lt | BinaryOp::Eq)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// Of a truth value.
    Not,
    Neg(Kind),
    /// Between numbers, as Java's casts: to integers saturating, NaN is 0.
    Convert {
        from: Kind,
        to: Kind,
    },
    /// From the stack to a field, an element or a narrow type, and back.
    Narrow(Type),
    Widen(Type),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

/// A register, or a constant in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Reg(Reg),
    Int(i32),
}

/// What a branch depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// A truth value.
    Holds(Reg),
    /// A comparison of two ints.
    Compare(Test, Reg, Operand),
}

/// What is thrown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exception {
    /// The path ends, by this name. No handler sees it.
    Named(Box<str>),
    /// An exception object.
    Object(Reg),
    /// A new object of this class in `java.lang`, with the machine's own message: what could not be linked.
    New(&'static str),
    /// The path ends, because the postcondition of the entry does not hold. No handler sees it.
    Contract,
}

/// Which method a call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// This one: static methods, constructors, `super`, private methods.
    Exactly(MethodId),
    /// The receiver's, which is the first argument and of this static type.
    Virtual(ClassId, Selector),
    /// This one, which puts the message of an exception together: of unknown values the message is unknown too.
    Message(MethodId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Instr {
    Const {
        dst: Reg,
        value: Const,
    },
    Input {
        dst: Reg,
        input: InputId,
    },
    /// The program reads a variable that may hold an input reference nobody has looked at: where `lazy` resolves it.
    Load {
        register: Reg,
    },
    Move {
        dst: Reg,
        src: Reg,
    },
    /// The right operand of a shift is an int, both others are of the kind. Integers throw if they are divided by zero.
    Binary {
        dst: Reg,
        kind: Kind,
        op: BinaryOp,
        lhs: Reg,
        rhs: Operand,
    },
    Unary {
        dst: Reg,
        op: UnaryOp,
        src: Reg,
    },
    RefEq {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    /// True for a non-null object of the class or a subclass.
    InstanceOf {
        dst: Reg,
        src: Reg,
        class: ClassId,
    },
    /// Whether the field of an input object has been initialised: what a conservative invariant asks before it looks.
    IsResolved {
        dst: Reg,
        object: Reg,
        field: FieldId,
    },
    /// Passes null and objects of the class; throws `ClassCastException` otherwise.
    Cast {
        dst: Reg,
        src: Reg,
        class: ClassId,
    },
    New {
        dst: Reg,
        class: ClassId,
    },
    GetField {
        dst: Reg,
        object: Reg,
        field: FieldId,
    },
    PutField {
        object: Reg,
        field: FieldId,
        value: Reg,
    },
    /// The receiver is the first argument.
    Call {
        dst: Reg,
        callee: Callee,
        args: Box<[Reg]>,
    },
    Jump {
        target: u32,
    },
    Branch {
        condition: Condition,
        then: u32,
        otherwise: u32,
    },
    /// Nothing is returned where the result of the method is `Void`.
    Return {
        value: Option<Reg>,
    },
    Throw {
        exception: Exception,
    },
    /// Ends the run as `AssertFailed` where the condition is false.
    Assert {
        condition: Reg,
    },
    /// The path has come to a place that the program has a name for: its trace says so.
    Reach {
        place: Box<str>,
    },

    // ---- what only Java has: wide numbers, arrays, statics, initialisers, monitors, methods of the engine ----
    /// -1, 0 or 1; `nan` if one of them is not a number.
    Compare {
        dst: Reg,
        kind: Kind,
        lhs: Reg,
        rhs: Reg,
        nan: i8,
    },
    Switch {
        value: Reg,
        /// Sorted by the key.
        table: Box<[(i32, u32)]>,
        default: u32,
    },
    NewArray {
        dst: Reg,
        /// The class of the array.
        class: ClassId,
        length: Reg,
    },
    /// An array of arrays, as many levels as there are lengths.
    NewArrays {
        dst: Reg,
        class: ClassId,
        lengths: Box<[Reg]>,
    },
    /// Throws unless `0 <= index < length`.
    CheckIndex {
        index: Operand,
        length: Reg,
    },
    /// Throws unless the array may hold the value.
    CheckStore {
        array: Reg,
        value: Reg,
    },
    /// The array is not null and the index is within it.
    ArrayLoad {
        dst: Reg,
        array: Reg,
        index: Operand,
        element: Type,
    },
    ArrayStore {
        array: Reg,
        index: Operand,
        value: Reg,
        element: Type,
    },
    GetStatic {
        dst: Reg,
        field: FieldId,
    },
    PutStatic {
        field: FieldId,
        value: Reg,
    },
    /// The class is used: its initialiser runs, unless it has.
    InitClass {
        class: ClassId,
    },
    /// The body of a method that the engine itself provides: its parameters are the arguments.
    Native {
        dst: Reg,
        method: MethodId,
    },
    /// Throws if the reference is null.
    CheckNull {
        object: Reg,
    },
    /// Enters or leaves a monitor.
    Monitor {
        object: Reg,
        enter: bool,
    },
    /// Something that is not executed, by name.
    Unsupported {
        what: Box<str>,
    },
}

impl Instr {
    /// Where it may jump to; what follows it is not among them.
    pub fn targets(&self) -> impl Iterator<Item = u32> {
        let (single, table): ([Option<u32>; 2], &[(i32, u32)]) = match self {
            Instr::Jump { target } => ([Some(*target), None], &[]),
            Instr::Branch { then, otherwise, .. } => ([Some(*then), Some(*otherwise)], &[]),
            Instr::Switch { table, default, .. } => ([Some(*default), None], table),
            _ => ([None, None], &[]),
        };
        single.into_iter().flatten().chain(table.iter().map(|(_, target)| *target))
    }

    pub(crate) fn targets_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        let (single, table): ([Option<&mut u32>; 2], &mut [(i32, u32)]) = match self {
            Instr::Jump { target } => ([Some(target), None], &mut []),
            Instr::Branch { then, otherwise, .. } => ([Some(then), Some(otherwise)], &mut []),
            Instr::Switch { table, default, .. } => ([Some(default), None], table),
            _ => ([None, None], &mut []),
        };
        single.into_iter().flatten().chain(table.iter_mut().map(|(_, target)| target))
    }

    /// The registers that it reads.
    pub(crate) fn each_read(&self, mut read: impl FnMut(Reg)) {
        let mut operand = |operand: &Operand| match operand {
            Operand::Reg(register) => read(*register),
            Operand::Int(_) => {}
        };
        match self {
            Instr::Binary { lhs, rhs, .. } | Instr::Branch { condition: Condition::Compare(_, lhs, rhs), .. } => {
                operand(rhs);
                read(*lhs);
            }
            Instr::CheckIndex { index, length } => {
                operand(index);
                read(*length);
            }
            Instr::ArrayLoad { array, index, .. } => {
                operand(index);
                read(*array);
            }
            Instr::ArrayStore { array, index, value, .. } => {
                operand(index);
                read(*array);
                read(*value);
            }
            Instr::Load { register } => read(*register),
            Instr::Move { src, .. }
            | Instr::Unary { src, .. }
            | Instr::InstanceOf { src, .. }
            | Instr::Cast { src, .. } => read(*src),
            Instr::RefEq { lhs, rhs, .. } | Instr::Compare { lhs, rhs, .. } => {
                read(*lhs);
                read(*rhs);
            }
            Instr::GetField { object, .. }
            | Instr::IsResolved { object, .. }
            | Instr::CheckNull { object }
            | Instr::Monitor { object, .. } => read(*object),
            Instr::PutField { object, value, .. } | Instr::CheckStore { array: object, value } => {
                read(*object);
                read(*value);
            }
            Instr::Call { args, .. } => args.iter().for_each(|arg| read(*arg)),
            Instr::Branch { condition: Condition::Holds(condition), .. } | Instr::Assert { condition } => {
                read(*condition)
            }
            Instr::Return { value: Some(value) }
            | Instr::Throw { exception: Exception::Object(value) }
            | Instr::Switch { value, .. }
            | Instr::PutStatic { value, .. } => read(*value),
            Instr::NewArray { length, .. } => read(*length),
            Instr::NewArrays { lengths, .. } => lengths.iter().for_each(|length| read(*length)),
            Instr::Const { .. }
            | Instr::Input { .. }
            | Instr::New { .. }
            | Instr::Jump { .. }
            | Instr::Throw { exception: Exception::Named(_) | Exception::New(_) | Exception::Contract }
            | Instr::GetStatic { .. }
            | Instr::InitClass { .. }
            | Instr::Native { .. }
            | Instr::Return { value: None }
            | Instr::Reach { .. }
            | Instr::Unsupported { .. } => {}
        }
    }

    /// The register that it writes.
    pub(crate) fn written(&self) -> Option<Reg> {
        match self {
            Instr::Const { dst, .. }
            | Instr::Input { dst, .. }
            | Instr::Load { register: dst }
            | Instr::Move { dst, .. }
            | Instr::Binary { dst, .. }
            | Instr::RefEq { dst, .. }
            | Instr::InstanceOf { dst, .. }
            | Instr::IsResolved { dst, .. }
            | Instr::Cast { dst, .. }
            | Instr::New { dst, .. }
            | Instr::GetField { dst, .. }
            | Instr::Call { dst, .. }
            | Instr::Unary { dst, .. }
            | Instr::Compare { dst, .. }
            | Instr::NewArray { dst, .. }
            | Instr::NewArrays { dst, .. }
            | Instr::ArrayLoad { dst, .. }
            | Instr::GetStatic { dst, .. }
            | Instr::Native { dst, .. } => Some(*dst),
            _ => None,
        }
    }

    /// Whether control can go on with the instruction after it.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Instr::Jump { .. }
                | Instr::Branch { .. }
                | Instr::Switch { .. }
                | Instr::Return { .. }
                | Instr::Throw { .. }
                | Instr::Unsupported { .. }
        )
    }

    /// The register that it writes, if a store that follows may put another one in its place.
    pub(crate) fn redirectable(&mut self) -> Option<&mut Reg> {
        match self {
            Instr::Const { dst, .. }
            | Instr::Move { dst, .. }
            | Instr::Binary { dst, .. }
            | Instr::Unary { dst, .. }
            | Instr::Compare { dst, .. }
            | Instr::Cast { dst, .. }
            | Instr::New { dst, .. }
            | Instr::NewArray { dst, .. }
            | Instr::GetField { dst, .. }
            | Instr::GetStatic { dst, .. }
            | Instr::ArrayLoad { dst, .. }
            | Instr::Call { dst, .. } => Some(dst),
            _ => None,
        }
    }
}
