//! Bodies: the end of a lowering, and methods that no class file has.

use super::Lowering;
use crate::frontend::bytecode::code::{Code, LocalName};
use crate::ir::*;
use crate::library::{Library, access};

/// The register that an instruction writes, if a store may take its place.
pub(super) fn destination(instr: &mut Instr) -> Option<&mut Reg> {
    match instr {
        Instr::Const { dst, .. }
        | Instr::Move { dst, .. }
        | Instr::Arith { dst, .. }
        | Instr::Unary { dst, .. }
        | Instr::Compare { dst, .. }
        | Instr::Cast { dst, .. }
        | Instr::New { dst, .. }
        | Instr::NewArray { dst, .. }
        | Instr::GetField { dst, .. }
        | Instr::GetStatic { dst, .. }
        | Instr::ArrayLoad { dst, .. }
        | Instr::Invoke { dst, .. } => Some(dst),
        _ => None,
    }
}

impl Lowering<'_> {
    /// Jumps lead to bytecode instructions until all blocks have their place.
    pub(super) fn link(&mut self) {
        let blocks = &self.blocks;
        let link = |target: &mut u32| *target = blocks[target];
        for (next, instr) in (1..).zip(&mut self.out) {
            match instr {
                Instr::Jump { target } => link(target),
                Instr::If { then, .. } => link(then),
                Instr::Branch { then, otherwise, .. } => {
                    link(then);
                    link(otherwise);
                }
                Instr::Switch { table, default, .. } => {
                    link(default);
                    table.iter_mut().for_each(|(_, target)| link(target));
                }
                _ => {}
            }
            // Where the body of a statement is empty, both ways are one: nothing is decided.
            match *instr {
                Instr::If { then, .. } if then == next => *instr = Instr::Jump { target: next },
                Instr::Branch { then, otherwise, .. } if then == otherwise => *instr = Instr::Jump { target: then },
                _ => {}
            }
        }
    }

    pub(super) fn finish(self) -> Method {
        let lines = self.from.iter().map(|op| self.code.line(*op as usize).unwrap_or(0) as u32).collect();
        let size = self.scratch as usize + SCRATCH;
        let mut registers = parameters(self.library, self.id, Some(self.code));
        registers.resize(size, Register { name: String::new(), ty: Type::Void });
        let handlers = self.handlers();
        Method {
            name: self.declared.name.to_string(),
            class: Some(self.declared.class),
            parameters: self.declared.parameters.len(),
            result: self.declared.result,
            registers,
            code: self.out,
            places: Vec::new(),
            lines,
            handlers,
        }
    }

    /// The exception table over the instructions as they are laid out now.
    fn handlers(&self) -> Vec<Handler> {
        let mut handlers = Vec::new();
        for handler in &self.code.handlers {
            let covered = |at: usize| (handler.start..handler.end).contains(&self.from[at]);
            let class = handler.catch.as_ref().map(|name| self.library.class_id(name));
            let Some(&target) = self.blocks.get(&handler.handler) else { continue };
            let mut at = 0;
            while at < self.from.len() {
                let start = at;
                while at < self.from.len() && covered(at) {
                    at += 1;
                }
                if at > start {
                    let register = Reg(self.stack_base);
                    handlers.push(Handler { start: start as u32, end: at as u32, target, class, register });
                }
                at += 1;
            }
        }
        handlers
    }
}

/// Registers beyond the stack for intermediate values.
const SCRATCH: usize = 6;

/// The parameters with their names, as far as the class file has them.
fn parameters(library: &Library, id: MethodId, code: Option<&Code>) -> Vec<Register> {
    let declared = library.declared(id);
    let in_file = library.method_in_file(declared).map(|(file, index)| &file.methods[index]);
    let is_static = declared.is(access::STATIC);
    let mut slot = 0;
    let mut registers = Vec::new();
    for (number, ty) in declared.parameters.iter().enumerate() {
        let argument = number.wrapping_sub(!is_static as usize);
        let starts_here = |local: &&LocalName| local.slot == slot && local.start == 0;
        let from_debug = code.and_then(|code| code.locals.iter().find(starts_here)).map(|local| local.name.to_string());
        let from_parameters = || in_file?.parameters.get(argument)?.name.as_ref().map(|name| name.to_string());
        let name = match number {
            0 if !is_static => "this".to_string(),
            _ => from_debug.or_else(from_parameters).unwrap_or_else(|| format!("arg{argument}")),
        };
        registers.push(Register { name, ty: *ty });
        slot += if matches!(ty, Type::Long | Type::Double) { 2 } else { 1 };
    }
    registers
}

/// The body of a method that the engine provides.
pub(super) fn native(library: &Library, id: MethodId) -> Method {
    let dst = Reg(library.declared(id).parameters.len() as u32);
    let end = match library.declared(id).result {
        Type::Void => Instr::ReturnVoid,
        _ => Instr::Return { value: dst },
    };
    bare(library, id, vec![Instr::Native { dst, method: id }, end])
}

/// The body of a method that cannot be executed.
pub(super) fn unsupported(library: &Library, id: MethodId, what: String) -> Method {
    bare(library, id, vec![Instr::Unsupported { what: what.into() }])
}

fn bare(library: &Library, id: MethodId, code: Vec<Instr>) -> Method {
    let declared = library.declared(id);
    let mut registers = parameters(library, id, None);
    registers.push(Register { name: String::new(), ty: Type::Void });
    Method {
        name: declared.name.to_string(),
        class: Some(declared.class),
        parameters: declared.parameters.len(),
        result: declared.result,
        registers,
        lines: vec![0; code.len()],
        code,
        places: Vec::new(),
        handlers: Vec::new(),
    }
}

/// Writes the body of a method by hand: for lambdas, records, and exceptions that instructions throw.
pub struct Assembler<'a> {
    pub library: &'a Library,
    parameters: usize,
    result: Type,
    registers: Vec<Register>,
    pub code: Vec<Instr>,
}

impl<'a> Assembler<'a> {
    pub fn new(library: &'a Library, parameters: Vec<Type>, result: Type) -> Assembler<'a> {
        let registers: Vec<Register> =
            parameters.iter().enumerate().map(|(i, ty)| Register { name: format!("arg{i}"), ty: *ty }).collect();
        Assembler { library, parameters: parameters.len(), result, registers, code: Vec::new() }
    }

    pub fn register(&mut self) -> Reg {
        self.registers.push(Register { name: String::new(), ty: Type::Void });
        Reg(self.registers.len() as u32 - 1)
    }

    pub fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
    }

    /// Where the next instruction will stand.
    pub fn here(&self) -> u32 {
        self.code.len() as u32
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
            Some(constructor) => self.invoke(Callee::Exactly(constructor), all),
            None => {
                let name = &self.library.class(class).name;
                let what = format!("the constructor {name}{descriptor}").into();
                self.emit(Instr::Unsupported { what });
                object
            }
        };
        object
    }

    pub fn invoke(&mut self, callee: Callee, args: Vec<Reg>) -> Reg {
        let dst = self.register();
        self.emit(Instr::Invoke { dst, callee, args: args.into() });
        dst
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
            return self.invoke(Callee::Exactly(method), args);
        }
        let selector = self.library.selector(&name.into(), &descriptor.into());
        self.invoke(Callee::Virtual(class, selector), args)
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
        self.emit(match self.result {
            Type::Void => Instr::ReturnVoid,
            _ => Instr::Return { value },
        });
    }

    pub fn finish(self, name: &str, class: ClassId) -> Method {
        Method {
            name: name.into(),
            class: Some(class),
            parameters: self.parameters,
            result: self.result,
            registers: self.registers,
            lines: vec![0; self.code.len()],
            code: self.code,
            places: Vec::new(),
            handlers: Vec::new(),
        }
    }
}
