//! Bodies: the end of a lowering, and methods without code.

use super::Lowering;
use crate::bytecode::code::{Code, LocalName};
use crate::ir::*;
use crate::library::{Library, THROWER, access};

impl Lowering<'_> {
    pub(super) fn finish(mut self) -> Method {
        self.out.reserve(self.scratch + SCRATCH);
        for handler in &self.code.handlers {
            let mut class = handler.catch.as_ref().map(|name| self.library.class_id(name));
            let mut target = self.blocks[&handler.handler];
            // Whether it takes an exception is not known without its class.
            if let Some(missing) = handler.catch.as_ref().filter(|name| self.is_missing(name)) {
                class = None;
                target = self.out.label();
                self.out.bind(target);
                self.refuse_missing(missing);
            }
            self.out.catch(handler.start..handler.end, class, target, Reg(self.stack_base));
        }
        let body = self.out.finish();
        Method {
            name: self.declared.name.to_string(),
            class: Some(self.declared.class),
            parameters: self.declared.parameters.len(),
            result: self.declared.result,
            registers: body.registers,
            code: body.code,
            places: Vec::new(),
            lines: body.marks.iter().map(|op| self.code.line(*op as usize).unwrap_or(0) as u32).collect(),
            ops: body.marks,
            handlers: body.handlers,
        }
    }
}

/// Registers beyond the stack for intermediate values.
const SCRATCH: u32 = 6;

/// The parameters with their names, as far as the class file has them.
pub(super) fn parameters(library: &Library, id: MethodId, code: Option<&Code>) -> Vec<Register> {
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
    let value = (library.declared(id).result != Type::Void).then_some(dst);
    bare(library, id, vec![Instr::Native { dst, method: id }, Instr::Return { value }])
}

/// The body of a method that cannot be executed.
pub(super) fn unsupported(library: &Library, id: MethodId, what: String) -> Method {
    bare(library, id, vec![Instr::Unsupported { what: what.into() }])
}

/// The body of a method that a call finds, but cannot run. The place of the error is that of the call.
pub(super) fn failing(library: &Library, id: MethodId, error: &'static str) -> Method {
    let body = bare(library, id, vec![Instr::Throw { exception: Exception::New(error) }]);
    Method { name: THROWER.into(), ..body }
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
        ops: Vec::new(),
        code,
        places: Vec::new(),
        handlers: Vec::new(),
    }
}
