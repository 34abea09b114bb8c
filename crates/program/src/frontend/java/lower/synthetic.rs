//! Bodies of Java's methods that no class file has: of lambdas, records, texts that are put together, exceptions that instructions
//! throw, and of whatever an engine wants to be called as a caller in Java would.

use crate::assembler::{Assembler, Label};
use crate::ir::*;
use crate::library::{Library, access};

/// The source line of instructions that come from no source.
const NO_LINE: u32 = 0;
/// Marks the instructions whose exceptions are caught.
const GUARDED: u32 = 1;

/// A body in the making.
pub struct Synthetic<'a> {
    pub library: &'a Library,
    parameters: usize,
    result: Type,
    out: Assembler<u32>,
}

impl<'a> Synthetic<'a> {
    pub fn new(library: &'a Library, parameters: &[Type], result: Type) -> Synthetic<'a> {
        let named = parameters.iter().enumerate().map(|(i, ty)| Register { name: format!("arg{i}"), ty: *ty });
        Synthetic::with(library, named.collect(), result)
    }

    /// With parameters that have names.
    pub fn with(library: &'a Library, parameters: Vec<Register>, result: Type) -> Synthetic<'a> {
        Synthetic { library, parameters: parameters.len(), result, out: Assembler::new(parameters) }
    }

    pub fn parameters(&self) -> &[Register] {
        &self.out.registers()[..self.parameters]
    }

    pub fn register(&mut self) -> Reg {
        self.out.fresh("", Type::Void)
    }

    pub fn emit(&mut self, instr: Instr) {
        self.out.emit(NO_LINE, instr);
    }

    pub fn label(&mut self) -> Label {
        self.out.label()
    }

    pub fn bind(&mut self, label: Label) {
        self.out.bind(label);
    }

    /// Goes on where a condition holds, and to the label where it does not.
    pub fn unless(&mut self, condition: Condition, otherwise: Label) {
        self.out.unless(NO_LINE, condition, otherwise);
    }

    /// Goes to the label where a condition holds, and on where it does not.
    pub fn when(&mut self, condition: Condition, then: Label) {
        self.out.when(NO_LINE, condition, then);
    }

    pub fn is_null(&mut self, object: Reg) -> Condition {
        let (null, is_null) = (self.constant(Const::Null), self.register());
        self.emit(Instr::RefEq { dst: is_null, lhs: object, rhs: null });
        Condition::Holds(is_null)
    }

    pub fn constant(&mut self, value: Const) -> Reg {
        let dst = self.register();
        self.emit(Instr::Const { dst, value });
        dst
    }

    pub fn init_class(&mut self, class: ClassId) {
        if self.library.java(class).needs_initializing {
            self.emit(Instr::InitClass { class });
        }
    }

    /// `new Class(arguments)`.
    pub fn new_object(&mut self, class: ClassId, descriptor: &str, arguments: &[Reg]) -> Reg {
        self.init_class(class);
        let object = self.register();
        self.emit(Instr::New { dst: object, class });
        let mut all = vec![object];
        all.extend(arguments);
        match self.library.declared_method(class, "<init>", descriptor) {
            Some(constructor) => self.call_method(Callee::Exactly(constructor), all),
            None => {
                let name = &self.library.class(class).name;
                let what = format!("the constructor {name}{descriptor}").into();
                self.emit(Instr::Unsupported { what });
                object
            }
        };
        object
    }

    pub fn call_method(&mut self, callee: Callee, args: Vec<Reg>) -> Reg {
        let dst = self.register();
        self.emit(Instr::Call { dst, callee, args: args.into() });
        dst
    }

    /// Calls this method of an object, which may be null.
    pub fn call_exactly(&mut self, method: MethodId, args: Vec<Reg>) -> Reg {
        self.emit(Instr::CheckNull { object: args[0] });
        self.call_method(Callee::Exactly(method), args)
    }

    /// Calls a method of a class by name; a static one if there is no receiver to dispatch on.
    pub fn call(&mut self, class: &str, name: &str, descriptor: &str, args: Vec<Reg>) -> Reg {
        let class = self.library.class_id(class);
        let Some(method) = self.library.find_method(class, &name.into(), &descriptor.into()) else {
            let what = format!("{}.{name}{descriptor}", self.library.internal_name(class)).into();
            self.emit(Instr::Unsupported { what });
            return self.register();
        };
        if self.library.declared(method).is(access::STATIC) {
            self.init_class(self.library.declared(method).class);
            return self.call_method(Callee::Exactly(method), args);
        }
        self.call_method(Callee::Virtual(class, self.library.selector_of(method)), args)
    }

    /// Calls a method. What it throws arrives in the second register at the label, which is to be bound.
    pub fn call_guarded(&mut self, callee: Callee, args: Vec<Reg>) -> (Reg, Reg, Label) {
        let (dst, thrown, handler) = (self.register(), self.register(), self.label());
        self.out.emit(GUARDED, Instr::Call { dst, callee, args: args.into() });
        self.out.catch(GUARDED..GUARDED + 1, None, handler, thrown);
        (dst, thrown, handler)
    }

    /// Reads a field as a value of the stack.
    pub fn get_field(&mut self, object: Reg, field: FieldId) -> Reg {
        let dst = self.register();
        self.emit(Instr::GetField { dst, object, field });
        self.widen(dst, self.library.field(field).ty);
        dst
    }

    fn widen(&mut self, register: Reg, ty: Type) {
        if matches!(ty, Type::Bool | Type::Byte | Type::Short | Type::Char) {
            self.emit(Instr::Unary { dst: register, op: UnaryOp::Widen(ty), src: register });
        }
    }

    /// Returns a value, or nothing.
    pub fn give_back(&mut self, value: Reg) {
        self.emit(Instr::Return { value: (self.result != Type::Void).then_some(value) });
    }

    pub fn finish(self, name: &str, class: ClassId) -> Method {
        let body = self.out.finish();
        Method {
            name: name.into(),
            class: Some(class),
            parameters: self.parameters,
            result: self.result,
            registers: body.registers,
            code: body.code,
            places: Vec::new(),
            lines: vec![NO_LINE; body.marks.len()],
            ops: Vec::new(),
            handlers: body.handlers,
        }
    }
}
