//! The methods that the techniques execute on programs in Java: `boolean repOk()`, `boolean repOkConservative()` and `boolean repOkInputs(…)`
//! are called as a caller in Java would. What is made here becomes part of the program's library, under names that no class
//! file has.

use lazuli_program::Program;
use lazuli_program::ir::{Callee, ClassId, Const, Instr, Method, MethodId, Operand, Reg, Register, Test, Type};
use lazuli_program::library::{Library, OBJECT, access};

use super::REJECTED;

/// PrEP: `if (every input is valid) P(inputs)`.
pub(super) fn harness(program: &Program, entry: MethodId) -> Result<MethodId, String> {
    let mut code = Code::new(program, entry);
    code.ask_inputs("repOk")?;
    let declared = code.library.declared(entry);
    let result = code.register(stack_type(declared.result));
    let callee = match code.has_receiver && &*declared.name != "<init>" {
        true => code.virtual_callee(code.receiver(), entry),
        false => Callee::Exactly(entry),
    };
    let args = (0..code.parameters as u32).map(Reg).collect();
    code.emit(Instr::Invoke { dst: result, callee, args });
    code.emit(match declared.result {
        Type::Void => Instr::ReturnVoid,
        _ => Instr::Return { value: result },
    });
    code.land();
    code.emit(Instr::Throw { exception: REJECTED.into() });
    Ok(code.define("harness", &declared.name, declared.result))
}

/// A method that is true if every input satisfies its own invariant and, if that is asked for, what `repOkInputs` says of them.
pub(super) fn check(
    program: &Program,
    entry: MethodId,
    name: &str,
    invariant: &str,
    between: bool,
) -> Result<MethodId, String> {
    let mut code = Code::new(program, entry);
    code.ask_inputs(invariant)?;
    if between {
        code.ask_between();
    }
    code.give(1);
    code.land();
    code.give(0);
    Ok(code.define(name, name, Type::Bool))
}

/// A method in the making.
struct Code<'p> {
    library: &'p Library,
    entry: MethodId,
    has_receiver: bool,
    registers: Vec<Register>,
    parameters: usize,
    code: Vec<Instr>,
    /// The branches that are taken where an invariant does not hold.
    fails: Vec<usize>,
}

impl<'p> Code<'p> {
    fn new(program: &'p Program, entry: MethodId) -> Code<'p> {
        let method = program.method(entry);
        let mut registers = method.registers[..method.parameters].to_vec();
        let has_receiver = program.has_receiver(entry);
        if let Some(class) = program.receiver.filter(|_| has_receiver) {
            registers[0].ty = Type::Ref(class);
        }
        Code {
            library: program.library.as_deref().expect("a program in Java"),
            entry,
            has_receiver,
            registers,
            parameters: method.parameters,
            code: Vec::new(),
            fails: Vec::new(),
        }
    }

    /// The class of the receiver.
    fn receiver(&self) -> ClassId {
        match self.registers[0].ty {
            Type::Ref(class) => class,
            _ => OBJECT,
        }
    }

    /// Asks every input that has the invariant and is not null. The object of a constructor is no input.
    fn ask_inputs(&mut self, invariant: &str) -> Result<(), String> {
        let is_new = self.has_receiver && &*self.library.declared(self.entry).name == "<init>";
        let mut asked = false;
        for number in is_new as u32..self.parameters as u32 {
            let Type::Ref(class) = self.registers[number as usize].ty else { continue };
            let found = self.library.find_method(class, &invariant.into(), &"()Z".into());
            if let Some(method) = found.filter(|method| !self.library.declared(*method).is(access::STATIC)) {
                self.ask_input(Reg(number), self.virtual_callee(class, method));
                asked = true;
            }
        }
        match asked {
            true => Ok(()),
            false => {
                let near = self.near_miss(invariant).map_or(String::new(), |near| format!(": {near}"));
                Err(format!("no input of the entry has a method boolean {invariant}(){near}"))
            }
        }
    }

    /// A method of an input that has the name of the invariant, and why it is not the invariant.
    fn near_miss(&self, invariant: &str) -> Option<String> {
        let inputs = self.registers[..self.parameters].iter().filter_map(|register| match register.ty {
            Type::Ref(class) => Some(class),
            _ => None,
        });
        let mut methods: Vec<(String, &str)> = Vec::new();
        for class in inputs.flat_map(|class| self.library.superclasses(class)) {
            let declared = self.library.java(class).declared_methods.iter();
            for (_, method) in declared.filter(|((name, _), _)| &**name == invariant) {
                let declared = self.library.declared(*method);
                let why = match () {
                    _ if declared.is(access::STATIC) => "is static",
                    _ if !declared.descriptor.starts_with("()") => "has parameters",
                    _ if declared.result != Type::Bool => "does not return boolean",
                    _ => "is no method of an input",
                };
                methods.push((self.library.method_signature(*method), why));
            }
        }
        methods.into_iter().min().map(|(method, why)| format!("{method} {why}"))
    }

    fn ask_input(&mut self, input: Reg, invariant: Callee) {
        let (null, is_null) = (self.register(Type::Ref(OBJECT)), self.register(Type::Bool));
        self.emit(Instr::Load { register: input });
        self.emit(Instr::Const { dst: null, value: Const::Null });
        self.emit(Instr::RefEq { dst: is_null, lhs: input, rhs: null });
        // Over the call and its branch, if there is nothing to ask.
        let here = self.code.len() as u32;
        self.emit(Instr::Branch { condition: is_null, then: here + 3, otherwise: here + 1 });
        self.ask(invariant, Box::new([input]));
    }

    /// What holds between the inputs, if the class of the entry says so.
    fn ask_between(&mut self) {
        let declared = self.library.declared(self.entry);
        let parameters = &declared.descriptor[..=declared.descriptor.find(')').expect("a method's descriptor")];
        let class = if self.has_receiver { self.receiver() } else { declared.class };
        let found = self.library.find_method(class, &"repOkInputs".into(), &format!("{parameters}Z").as_str().into());
        let Some(method) = found else { return };
        let is_static = self.library.declared(method).is(access::STATIC);
        if !is_static && !self.has_receiver || &*declared.name == "<init>" {
            return;
        }
        let first = (self.has_receiver && is_static) as u32;
        let args = (first..self.parameters as u32).map(Reg).collect();
        let callee = if is_static { Callee::Exactly(method) } else { self.virtual_callee(class, method) };
        self.ask(callee, args);
    }

    fn ask(&mut self, callee: Callee, args: Box<[Reg]>) {
        let ok = self.register(Type::Int);
        self.emit(Instr::Invoke { dst: ok, callee, args });
        self.fails.push(self.code.len());
        self.emit(Instr::If { test: Test::Eq, lhs: ok, rhs: Operand::Int(0), then: u32::MAX });
    }

    /// How a method is called on an object of a class.
    fn virtual_callee(&self, class: ClassId, method: MethodId) -> Callee {
        let declared = self.library.declared(method);
        match declared.is(access::PRIVATE) {
            true => Callee::Exactly(method),
            false => Callee::Virtual(class, self.library.selector(&declared.name, &declared.descriptor)),
        }
    }

    fn register(&mut self, ty: Type) -> Reg {
        self.registers.push(Register { name: String::new(), ty });
        Reg(self.registers.len() as u32 - 1)
    }

    fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
    }

    /// Lets the branches where something does not hold lead here.
    fn land(&mut self) {
        let here = self.code.len() as u32;
        for branch in std::mem::take(&mut self.fails) {
            if let Instr::If { then, .. } = &mut self.code[branch] {
                *then = here;
            }
        }
    }

    fn give(&mut self, value: i64) {
        let dst = self.register(Type::Int);
        self.emit(Instr::Const { dst, value: Const::Int(value) });
        self.emit(Instr::Return { value: dst });
    }

    fn define(self, key: &str, name: &str, result: Type) -> MethodId {
        let declared = self.library.declared(self.entry);
        let lines = vec![0; self.code.len()];
        let method = Method {
            name: name.into(),
            class: Some(declared.class),
            parameters: self.parameters,
            result,
            registers: self.registers,
            code: self.code,
            places: Vec::new(),
            lines,
            handlers: Vec::new(),
        };
        self.library.define(key, self.entry, method)
    }
}

/// What a value of a type is on the JVM's stack.
fn stack_type(ty: Type) -> Type {
    match ty {
        Type::Bool | Type::Byte | Type::Short | Type::Char => Type::Int,
        other => other,
    }
}
