//! The one intermediate representation that every front end lowers to and that the engine executes.
//!
//! A method is a flat list of instructions over typed registers: parameters first (the receiver is register 0 of an instance
//! method), then locals. Programs are immutable, resolved and, after [`crate::verify`], well formed.

use rustc_hash::FxHashMap;

use crate::library::Library;
use crate::source::{Place, Source};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
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
    /// What only classes of Java have.
    pub java: Option<Box<crate::library::JavaClass>>,
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

/// The numbers of the JVM's stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Ushr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Neg(Kind),
    /// Between the numbers of the stack, as Java's casts: to integers saturating, NaN is 0.
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

/// Which method a call of Java runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// This one: static methods, constructors, `super`, private methods.
    Exactly(MethodId),
    /// The receiver's, which is the first argument and of this static type.
    Virtual(ClassId, Selector),
    /// This one, which puts the message of an exception together: of unknown values the message is unknown too.
    Message(MethodId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    /// Strict order of integers.
    Lt,
    /// Equality of integers or booleans.
    Eq,
    And,
    Or,
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
    Binary {
        dst: Reg,
        op: BinaryOp,
        lhs: Reg,
        rhs: Reg,
    },
    Not {
        dst: Reg,
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
    Call {
        dst: Reg,
        receiver: Reg,
        selector: Selector,
        args: Box<[Reg]>,
    },
    Jump {
        target: u32,
    },
    Branch {
        condition: Reg,
        then: u32,
        otherwise: u32,
    },
    Return {
        value: Reg,
    },
    Throw {
        exception: Box<str>,
    },

    // ---- Java ----
    Arith {
        dst: Reg,
        kind: Kind,
        op: ArithOp,
        lhs: Reg,
        rhs: Operand,
    },
    Unary {
        dst: Reg,
        op: UnaryOp,
        src: Reg,
    },
    /// -1, 0 or 1; `nan` if one of them is not a number.
    Compare {
        dst: Reg,
        kind: Kind,
        lhs: Reg,
        rhs: Reg,
        nan: i8,
    },
    /// Compares two ints, and goes on at `then` if the test holds, with the next instruction otherwise.
    If {
        test: Test,
        lhs: Reg,
        rhs: Operand,
        then: u32,
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
    Invoke {
        dst: Reg,
        callee: Callee,
        args: Box<[Reg]>,
    },
    /// The body of a method that the engine itself provides: its parameters are the arguments.
    Native {
        dst: Reg,
        method: MethodId,
    },
    ReturnVoid,
    /// Throws an exception object.
    Raise {
        value: Reg,
    },
    /// Throws if the reference is null.
    CheckNull {
        object: Reg,
    },
    /// Enters or leaves a monitor.
    Monitor {
        object: Reg,
    },
    /// Something that is not executed, by name.
    Unsupported {
        what: Box<str>,
    },
    /// Ends the run as `AssertFailed` where the condition is false.
    Assert {
        condition: Reg,
    },
}

/// What a method call may run, with the intervals of class numbers whose objects run it; `None` where they have no such
/// method.
pub type Implementation = (Option<MethodId>, Vec<(u32, u32)>);

#[derive(Debug)]
pub struct Program {
    /// The name of the file it was read from.
    pub name: String,
    pub classes: Vec<Class>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    /// Name and number of parameters (without the receiver).
    pub selectors: Vec<(String, usize)>,
    pub inputs: Vec<Input>,
    /// The main expression, or the method that the program itself names as its entry.
    pub main: Option<MethodId>,
    /// In Java, the class of the object that the entry is called on: the one that declares it, or one below.
    pub receiver: Option<ClassId>,
    pub sources: Vec<Source>,
    pub warnings: Vec<crate::source::Warning>,
    /// Java's classes, fields and methods, which are loaded when they are needed; then the tables above are empty.
    pub library: Option<Box<Library>>,
}

impl Program {
    pub fn class(&self, id: ClassId) -> &Class {
        match &self.library {
            None => &self.classes[id.index()],
            Some(library) => library.class(id),
        }
    }

    pub fn field(&self, id: FieldId) -> &Field {
        match &self.library {
            None => &self.fields[id.index()],
            Some(library) => library.field(id),
        }
    }

    pub fn method(&self, id: MethodId) -> &Method {
        match &self.library {
            None => &self.methods[id.index()],
            Some(library) => library.body(id),
        }
    }

    /// The class of a name; in Java the only one that the name may mean.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        match self.library.as_ref().map(|library| library.classes_named(name)).as_deref() {
            None => self.classes.iter().position(|c| c.name == name).map(|i| ClassId(i as u32)),
            Some([one]) => Some(*one),
            Some(_) => None,
        }
    }

    /// A copy that can be changed; there is none of a program in Java.
    pub fn copy(&self) -> Option<Program> {
        if self.library.is_some() {
            return None;
        }
        Some(Program {
            name: self.name.clone(),
            classes: self.classes.clone(),
            fields: self.fields.clone(),
            methods: self.methods.clone(),
            selectors: self.selectors.clone(),
            inputs: self.inputs.clone(),
            main: self.main,
            receiver: self.receiver,
            sources: self.sources.clone(),
            warnings: self.warnings.clone(),
            library: None,
        })
    }

    /// Whether an object of class `sub` is one of `of`.
    pub fn is_subclass(&self, sub: ClassId, of: ClassId) -> bool {
        match &self.library {
            None => of <= sub && sub <= self.class(of).last,
            Some(library) => library.is_subclass(sub, of),
        }
    }

    /// The classes that an input of a declared class may have, as sorted intervals of class numbers.
    pub fn input_classes(&self, declared: ClassId) -> Vec<(u32, u32)> {
        match &self.library {
            None => vec![(declared.0, self.class(declared).last.0)],
            Some(library) => library.input_classes(declared),
        }
    }

    /// Whether the first parameter of a method is the object it is called on.
    pub fn has_receiver(&self, method: MethodId) -> bool {
        match &self.library {
            None => self.method(method).class.is_some(),
            Some(library) => !library.declared(method).is(crate::library::access::STATIC),
        }
    }

    /// The file and line of an instruction, and its column if the sources are there.
    pub fn place(&self, method: MethodId, pc: usize) -> (String, usize, Option<usize>) {
        let body = self.method(method);
        match body.places.get(pc) {
            Some(place) => {
                let (line, column) = place.line_column(&self.sources);
                (self.sources[place.source as usize].path.display().to_string(), line, Some(column))
            }
            None => {
                let java = body.class.and_then(|class| self.class(class).java.as_ref());
                let file = java.map_or("?", |java| java.source_file.as_str());
                (file.to_string(), body.lines.get(pc).map_or(0, |line| *line as usize), None)
            }
        }
    }

    /// Whether an object may be of both classes: one of them is above the other, or they are interfaces.
    pub fn related(&self, a: ClassId, b: ClassId) -> bool {
        let one_above = self.is_subclass(a, b) || self.is_subclass(b, a);
        one_above || self.library.as_ref().is_some_and(|library| library.may_meet(a, b))
    }

    /// The closest class above both.
    pub fn common_superclass(&self, a: ClassId, b: ClassId) -> ClassId {
        let mut class = a;
        while !self.is_subclass(b, class) {
            class = self.class(class).superclass.expect("the root is above every class");
        }
        class
    }

    /// The field that objects of a class have under a name, their own or an inherited one.
    pub fn field_named(&self, class: ClassId, name: &str) -> Option<FieldId> {
        self.class(class).layout.iter().copied().find(|f| self.field(*f).name == name)
    }

    /// A constant string, as far as it is Unicode.
    pub fn constant_text(&self, id: StrId) -> String {
        self.library.as_ref().map_or_else(String::new, |library| String::from_utf16_lossy(library.string(id)))
    }

    /// A method's name, without its class.
    pub fn selector_text(&self, selector: Selector) -> &str {
        match &self.library {
            None => &self.selectors[selector.index()].0,
            Some(library) => &library.selector_name(selector).0,
        }
    }

    /// `Class.method`, or `main`.
    pub fn method_name(&self, id: MethodId) -> String {
        if let Some(library) = &self.library {
            return library.method_name(id);
        }
        let method = self.method(id);
        match method.class {
            Some(class) => format!("{}.{}", self.class(class).name, method.name),
            None => method.name.clone(),
        }
    }

    /// The methods an entry can be chosen from, as they are written on the command line.
    pub fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = (0..self.methods.len()).map(|i| self.method_name(MethodId(i as u32))).collect();
        names.sort();
        names
    }

    /// The method that `Class.method` or `main` names; in Java, whose entry is found when it is read, one that the engine has made.
    pub fn entry(&self, name: &str) -> Option<MethodId> {
        if let Some(library) = &self.library {
            return library.defined(name);
        }
        (0..self.methods.len()).map(|i| MethodId(i as u32)).find(|id| self.method_name(*id) == name)
    }

    /// The implementations a receiver of one of the classes may run, each with the intervals of class numbers that
    /// run it; in the order of the first class.
    pub fn implementations(&self, classes: impl Iterator<Item = ClassId>, selector: Selector) -> Vec<Implementation> {
        let mut found: Vec<Implementation> = Vec::new();
        for ClassId(number) in classes {
            let method = self.class(ClassId(number)).methods.get(&selector).copied();
            let entry = match found.iter_mut().find(|(m, _)| *m == method) {
                Some(entry) => entry,
                None => {
                    found.push((method, Vec::new()));
                    found.last_mut().expect("just pushed")
                }
            };
            match entry.1.last_mut() {
                Some(interval) if interval.1 + 1 == number => interval.1 = number,
                _ => entry.1.push((number, number)),
            }
        }
        found
    }
}
