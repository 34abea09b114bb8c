//! The one intermediate representation that every front end lowers to and that the engine executes.
//!
//! A method is a flat list of instructions over typed registers: parameters first (the receiver is register 0 of an instance
//! method), then locals. Programs are immutable, resolved and, after [`crate::verify`], well formed.

use rustc_hash::FxHashMap;

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

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Bool,
    Int,
    Ref(ClassId),
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
    /// Its place in the layout of `class` and of all subclasses.
    pub slot: u32,
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
    /// For every instruction, the expression it comes from.
    pub places: Vec<Place>,
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
    /// Ends the run as `AssertFailed` where the condition is false.
    Assert {
        condition: Reg,
    },
}

/// What a method call may run, with the intervals of class numbers whose objects run it; `None` where they have no such
/// method.
pub type Implementation = (Option<MethodId>, Vec<(u32, u32)>);

#[derive(Clone, Debug)]
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
    pub sources: Vec<Source>,
    pub warnings: Vec<crate::source::Warning>,
}

impl Program {
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.classes.iter().position(|c| c.name == name).map(|i| ClassId(i as u32))
    }

    pub fn is_subclass(&self, sub: ClassId, of: ClassId) -> bool {
        of <= sub && sub <= self.class(of).last
    }

    /// Whether one of the classes is above the other: a value of the one may then be one of the other.
    pub fn related(&self, a: ClassId, b: ClassId) -> bool {
        self.is_subclass(a, b) || self.is_subclass(b, a)
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

    /// `Class.method`, or `main`.
    pub fn method_name(&self, id: MethodId) -> String {
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

    /// The method that `Class.method` or `main` names.
    pub fn entry(&self, name: &str) -> Option<MethodId> {
        (0..self.methods.len()).map(|i| MethodId(i as u32)).find(|id| self.method_name(*id) == name)
    }

    /// The implementations a receiver of static type `class` may run, each with the intervals of class numbers that
    /// run it; in the order of the first class.
    pub fn implementations(&self, class: ClassId, selector: Selector) -> Vec<Implementation> {
        let mut found: Vec<Implementation> = Vec::new();
        for number in class.0..=self.class(class).last.0 {
            let method = self.classes[number as usize].methods.get(&selector).copied();
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
