//! The representation invariant as methods of the program: `repOk` says whether an object is a valid data structure,
//! `repOkConservative` the same of a partial one, in which it asks `isResolved` before it looks.
//!
//! Both speak of one object. What holds between the inputs of an entry is said by `repOkInputs` of the receiver's class, which
//! has the entry's parameters; without it, all is well if every input is. From these this file makes the methods that the
//! techniques execute; they are part of a copy of the program, under names that no source text can have. `java` does the same in Java.

mod java;

use lazuli_program::assembler::{Assembler, Label};
use lazuli_program::ir::{
    Callee, ClassId, Condition, Const, Exception, Instr, Method, MethodId, Reg, Register, Selector, Type,
};
use lazuli_program::verify::verify_body;
use lazuli_program::{Place, Program};

use crate::technique::Technique;

/// The invariant of all inputs, on a complete heap.
pub(crate) const FULL: &str = "repOk of the inputs";
/// The conservative invariants of all inputs, one by one.
pub(crate) const CONSERVATIVE: &str = "repOkConservative of the inputs";
/// What the harness of PrEP throws where an input is not valid.
pub(crate) const REJECTED: &str = "input that is not valid";

/// A program with the methods that a technique executes, and the entry in it.
pub struct Instrumented {
    /// `None` if they became part of the program itself, as in Java.
    copy: Option<Program>,
    pub entry: MethodId,
}

impl Instrumented {
    /// A program to which nothing was added.
    pub fn of_itself(entry: MethodId) -> Instrumented {
        Instrumented { copy: None, entry }
    }

    pub fn program<'p>(&'p self, original: &'p Program) -> &'p Program {
        self.copy.as_ref().unwrap_or(original)
    }
}

/// Adds what a technique executes. Errors are about methods that are missing.
pub(crate) fn instrument(program: &Program, entry: MethodId, technique: Technique) -> Result<Instrumented, String> {
    let Some(mut copy) = program.copy() else {
        let entry = match technique {
            Technique::Hex | Technique::Mso => entry,
            Technique::Prep => java::harness(program, entry)?,
            Technique::Consp => {
                java::check(program, entry, CONSERVATIVE, "repOkConservative", false)?;
                entry
            }
            Technique::Bounded => {
                java::check(program, entry, FULL, "repOk", true)?;
                entry
            }
        };
        return Ok(Instrumented::of_itself(entry));
    };
    let inputs = Inputs::of(program, entry);
    let mut instrumented_entry = entry;
    match technique {
        Technique::Hex | Technique::Mso => {}
        Technique::Prep => instrumented_entry = add(&mut copy, inputs.harness(program)?),
        Technique::Consp => {
            let check = inputs.check(program, CONSERVATIVE, "repOkConservative", None)?;
            add(&mut copy, check);
        }
        Technique::Bounded => {
            let full = inputs.full(program)?;
            add(&mut copy, full);
        }
    }
    Ok(Instrumented { copy: Some(copy), entry: instrumented_entry })
}

/// Adds the full invariant only: for measuring, whatever the technique.
pub fn with_full(program: &Program, entry: MethodId) -> Result<Instrumented, String> {
    instrument(program, entry, Technique::Bounded)
}

fn add(program: &mut Program, method: Method) -> MethodId {
    if let Err(fault) = verify_body(program, &method) {
        panic!("the body that was written for {} is wrong {fault}", method.name);
    }
    program.methods.push(method);
    MethodId(program.methods.len() as u32 - 1)
}

/// The parameters of an entry, the receiver included.
struct Inputs {
    entry: MethodId,
    registers: Vec<Register>,
}

impl Inputs {
    fn of(program: &Program, entry: MethodId) -> Inputs {
        let method = program.method(entry);
        Inputs { entry, registers: method.registers[..method.parameters].to_vec() }
    }

    /// PrEP: `if (every input is valid) P(inputs)`.
    fn harness(&self, program: &Program) -> Result<Method, String> {
        let method = program.method(self.entry);
        let class = method.class.ok_or("PrEP needs an entry that is a method of a class")?;
        let mut code = self.code(program);
        code.valid_inputs(program, "repOk")?;
        let selector = selector(program, &method.name, method.parameters - 1).expect("the entry has one");
        let result = code.register(method.result);
        let args = (0..method.parameters as u32).map(Reg).collect();
        code.emit(Instr::Call { dst: result, callee: Callee::Virtual(class, selector), args });
        code.emit(Instr::Return { value: Some(result) });
        code.rejected();
        code.emit(Instr::Throw { exception: Exception::Named(REJECTED.into()) });
        Ok(code.method(method.name.clone(), Some(class), method.result))
    }

    /// The full invariant: of every input, and between them.
    fn full(&self, program: &Program) -> Result<Method, String> {
        let between = program.method(self.entry).class.and_then(|class| {
            let selector = selector(program, "repOkInputs", self.registers.len() - 1)?;
            let method = program.method(*program.class(class).methods.get(&selector)?);
            let same = (1..self.registers.len()).all(|i| method.registers[i].ty == self.registers[i].ty);
            (same && method.result == Type::Bool).then_some(Callee::Virtual(class, selector))
        });
        self.check(program, FULL, "repOk", between)
    }

    /// A method that is true if every input satisfies its own invariant, and if what is `between` them holds.
    fn check(&self, program: &Program, name: &str, invariant: &str, between: Option<Callee>) -> Result<Method, String> {
        let mut code = self.code(program);
        code.valid_inputs(program, invariant)?;
        if let Some(callee) = between {
            let ok = code.register(Type::Bool);
            let args = (0..self.registers.len() as u32).map(Reg).collect();
            code.emit(Instr::Call { dst: ok, callee, args });
            code.require(ok);
        }
        code.give(true);
        code.rejected();
        code.give(false);
        Ok(code.method(name.into(), None, Type::Bool))
    }

    fn code(&self, program: &Program) -> Code {
        let place = program.method(self.entry).places[0];
        let mut out = Assembler::new(self.registers.clone());
        let rejects = out.label();
        Code { parameters: self.registers.len(), out, place, rejects }
    }
}

fn selector(program: &Program, name: &str, parameters: usize) -> Option<Selector> {
    let wanted = |(text, number): &(String, usize)| text == name && *number == parameters;
    program.selectors.iter().position(wanted).map(|at| Selector(at as u32))
}

/// A method in the making.
struct Code {
    parameters: usize,
    out: Assembler<Place>,
    /// Of all its instructions.
    place: Place,
    /// Where it goes on where an input is not valid.
    rejects: Label,
}

impl Code {
    /// Asks every input that has the invariant and is not null.
    fn valid_inputs(&mut self, program: &Program, invariant: &str) -> Result<(), String> {
        let selector = selector(program, invariant, 0);
        let has = |class: ClassId| {
            let method = *program.class(class).methods.get(&selector?)?;
            (program.method(method).result == Type::Bool).then_some(())
        };
        let mut asked = false;
        for register in (0..self.parameters as u32).map(Reg) {
            let Type::Ref(class) = self.out.type_of(register) else { continue };
            if has(class).is_some() {
                let selector = selector.expect("a method has a selector");
                self.valid_input(register, Callee::Virtual(class, selector));
                asked = true;
            }
        }
        match asked {
            true => Ok(()),
            false => {
                let near = self.near_miss(program, invariant).map_or(String::new(), |near| format!(": {near}"));
                Err(format!("no input of the entry has a method bool {invariant}(){near}"))
            }
        }
    }

    /// A method of an input that has the name of the invariant, and why it is not the invariant.
    fn near_miss(&self, program: &Program, invariant: &str) -> Option<String> {
        let selectors = (0..).map(Selector).zip(&program.selectors).filter(|(_, (name, _))| name == invariant);
        selectors.into_iter().find_map(|(selector, (_, parameters))| {
            let mut inputs = self.out.registers()[..self.parameters].iter().filter_map(|register| match register.ty {
                Type::Ref(class) => Some(class),
                _ => None,
            });
            let method = inputs.find_map(|class| program.class(class).methods.get(&selector))?;
            let why = if *parameters > 0 { "has parameters" } else { "does not return bool" };
            Some(format!("{} {why}", program.method_name(*method)))
        })
    }

    fn valid_input(&mut self, input: Reg, invariant: Callee) {
        let (null, is_null, ok) =
            (self.register(Type::Ref(ClassId(0))), self.register(Type::Bool), self.register(Type::Bool));
        let done = self.out.label();
        self.emit(Instr::Load { register: input });
        self.emit(Instr::Const { dst: null, value: Const::Null });
        self.emit(Instr::RefEq { dst: is_null, lhs: input, rhs: null });
        self.out.when(self.place, Condition::Holds(is_null), done);
        self.emit(Instr::Call { dst: ok, callee: invariant, args: [input].into() });
        self.require(ok);
        self.out.bind(done);
    }

    fn register(&mut self, ty: Type) -> Reg {
        self.out.fresh("", ty)
    }

    fn emit(&mut self, instr: Instr) {
        self.out.emit(self.place, instr);
    }

    /// Goes on if the condition holds.
    fn require(&mut self, condition: Reg) {
        self.out.unless(self.place, Condition::Holds(condition), self.rejects);
    }

    /// What follows is for inputs that are not valid.
    fn rejected(&mut self) {
        self.out.bind(self.rejects);
    }

    fn give(&mut self, value: bool) {
        let dst = self.register(Type::Bool);
        self.emit(Instr::Const { dst, value: Const::Bool(value) });
        self.emit(Instr::Return { value: Some(dst) });
    }

    fn method(self, name: String, class: Option<ClassId>, result: Type) -> Method {
        let body = self.out.finish();
        Method {
            name,
            class,
            parameters: self.parameters,
            result,
            registers: body.registers,
            code: body.code,
            places: body.marks,
            lines: Vec::new(),
            ops: Vec::new(),
            handlers: body.handlers,
        }
    }
}
