//! The one intermediate representation that every front end lowers to and that the engine executes.
//!
//! A method is a flat list of instructions over typed registers: parameters first (the receiver is register 0 of an instance
//! method), then locals. Programs are immutable, resolved and, after [`crate::verify`], well formed.

mod instr;
mod live;
mod semantics;

use rustc_hash::FxHashMap;

use crate::source::Place;

pub use instr::*;
pub use semantics::*;

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type!(
    /// A class. Classes are numbered in pre-order of the inheritance tree, so "is a C" is an interval test.
    ClassId
);
index_type!(FieldId);
index_type!(MethodId);
index_type!(
    /// A method name with its number of parameters: what dynamic dispatch looks for.
    Selector
);
index_type!(
    /// An input that the program text names, such as `Y0`.
    InputId
);
index_type!(
    /// A register of a frame.
    Reg
);
index_type!(
    /// A constant string.
    StrId
);

/// What a field, a parameter or a result holds. The tiny languages have `Bool`, `Int` and `Ref`; in Java `Int` has 32 bits, and the
/// types below it are widened to it when they are loaded, as on the JVM's stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Bool,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    Ref(ClassId),
    Void,
}

impl Type {
    pub fn is_ref(self) -> bool {
        matches!(self, Type::Ref(_))
    }
}

#[derive(Clone, Debug)]
pub struct Class {
    pub name: String,
    pub superclass: Option<ClassId>,
    /// The last class below this one: its subclasses are `id..=last`.
    pub last: ClassId,
    /// All fields of an object of this class, inherited ones first.
    pub layout: Vec<FieldId>,
    /// The implementation that an object of exactly this class has for a selector.
    pub methods: FxHashMap<Selector, MethodId>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub class: ClassId,
    pub ty: Type,
    /// Its place in the layout of `class` and of all subclasses; of a static field, among the statics of its class.
    pub slot: u32,
    pub is_static: bool,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub name: String,
    /// The class of the receiver; `None` for the program's main expression.
    pub class: Option<ClassId>,
    /// How many registers are parameters, the receiver included.
    pub parameters: usize,
    pub result: Type,
    pub registers: Vec<Register>,
    pub code: Vec<Instr>,
    /// For every instruction, the expression it comes from; empty in Java.
    pub places: Vec<Place>,
    /// In Java, the source line of every instruction; 0 where the class file does not say.
    pub lines: Vec<u32>,
    /// In Java, the bytecode instruction that every instruction belongs to; empty where there is no bytecode.
    pub ops: Vec<u32>,
    /// Searched in this order when an exception passes.
    pub handlers: Vec<Handler>,
}

/// Exceptions of a class (of any, if there is none) that leave the instructions `start..end` go on at `target`.
#[derive(Clone, Debug)]
pub struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    pub class: Option<ClassId>,
    /// Where the exception goes.
    pub register: Reg,
}

#[derive(Clone, Debug)]
pub struct Register {
    /// The variable, empty for an intermediate value.
    pub name: String,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub struct Input {
    pub name: String,
    pub ty: Type,
}
