//! The representation invariant as methods of the program: `repOk` says whether an object is a valid data structure,
//! `repOkConservative` the same of a partial one, in which it asks `isResolved` before it looks.
//!
//! Both speak of one object. What holds between the inputs of an entry is said by `repOkInputs` of the receiver's class, which
//! has the entry's parameters; without it, all is well if every input is. From these this file makes the methods that the
//! techniques execute; they are part of a copy of the program, under names that no source text can have. `java` does the same in Java.

mod contract;
mod java;

use lazuli_program::assembler::{Assembler, Label};
use lazuli_program::ir::{
    Callee, ClassId, Condition, Const, Exception, Instr, Method, MethodId, Reg, Register, Selector, Type,
};
use lazuli_program::verify::verify_body;
use lazuli_program::{Place, Program};

use crate::technique::Technique;

pub use contract::{Contract, Given, postcondition};

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

/// The names of an invariant, the first of which that an input has is meant.
type Names<'a> = &'a [&'a str];

/// What people call the method that says whether an object is valid.
const USUAL: Names = &["repOk", "repOK", "invariant"];

const CONSERVATIVE_NAMES: Names = &["repOkConservative"];

/// Which methods are executed.
pub(crate) struct Asked<'a> {
    pub technique: Technique,
    /// What the method is called that says whether an object is valid; otherwise by one of the usual names.
    pub rep_ok: Option<&'a str>,
    /// A method that is true of all inputs.
    pub pre: Option<&'a str>,
    /// A method that is true of what the entry leaves behind.
    pub post: Option<&'a str>,
}

/// Adds what the invariants of a run execute. Errors are about methods that are missing.
pub(crate) fn instrument(program: &Program, entry: MethodId, asked: &Asked) -> Result<Instrumented, String> {
    let given = asked.rep_ok.map(|name| [name]);
    let names: Names = given.as_ref().map_or(USUAL, |name| name);
    let copy = program.copy();
    let mut instrumented = match (copy, asked.technique) {
        (copy, Technique::Hex | Technique::Prep | Technique::Mso) => Instrumented { copy, entry },
        (copy, Technique::Consp) => with_check(program, copy, entry, CONSERVATIVE, CONSERVATIVE_NAMES)?,
        (copy, Technique::Bounded) => with_check(program, copy, entry, FULL, names)?,
    };
    let checked = match (asked.post, &instrumented.copy) {
        (None, _) => None,
        (Some(post), None) => Some(java::checked(program, entry, post)?),
        (Some(_), Some(_)) => return Err("only methods in Java have postconditions".into()),
    };
    instrumented.entry = checked.unwrap_or(instrumented.entry);
    let prepares = asked.technique == Technique::Prep;
    if prepares || asked.pre.is_some() {
        let (names, pre) = (prepares.then_some(names), asked.pre);
        instrumented.entry = match &mut instrumented.copy {
            None => java::harness(program, entry, names, pre, checked)?,
            Some(copy) => add(copy, Inputs::of(program, entry).harness(program, names, pre)?),
        };
    }
    Ok(instrumented)
}

/// Adds the method that is true if every input satisfies its invariant; the full one asks what holds between them, too.
fn with_check(
    program: &Program,
    mut copy: Option<Program>,
    entry: MethodId,
    name: &'static str,
    invariant: Names,
) -> Result<Instrumented, String> {
    let is_full = name == FULL;
    match &mut copy {
        None => {
            java::check(program, entry, name, invariant, is_full)?;
        }
        Some(copy) => {
            let inputs = Inputs::of(program, entry);
            let between = if is_full { inputs.between(program) } else { None };
            add(copy, inputs.check(program, name, invariant, between)?);
        }
    }
    Ok(Instrumented { copy, entry })
}

/// Adds the full invariant only: for measuring, whatever the technique.
pub fn with_full(program: &Program, entry: MethodId) -> Result<Instrumented, String> {
    with_check(program, program.copy(), entry, FULL, USUAL)
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

    /// `if (the inputs are as they should be) P(inputs)`: PrEP, and preconditions.
    fn harness(&self, program: &Program, names: Option<Names>, pre: Option<&str>) -> Result<Method, String> {
        let method = program.method(self.entry);
        let class = method.class.ok_or("methods are asked before an entry that is a method of a class")?;
        let mut code = self.code(program);
        if let Some(names) = names {
            code.valid_inputs(program, names)?;
        }
        if let Some(pre) = pre {
            self.ask_precondition(program, &mut code, pre)?;
        }
        let selector = selector(program, &method.name, method.parameters - 1).expect("the entry has one");
        let result = code.register(method.result);
        let args = (0..method.parameters as u32).map(Reg).collect();
        code.emit(Instr::Call { dst: result, callee: Callee::Virtual(class, selector), args });
        code.emit(Instr::Return { value: Some(result) });
        code.rejected();
        code.emit(Instr::Throw { exception: Exception::Named(REJECTED.into()) });
        Ok(code.method(method.name.clone(), Some(class), method.result))
    }

    /// Asks a method of the receiver's class, which has the entry's parameters or none.
    fn ask_precondition(&self, program: &Program, code: &mut Code, pre: &str) -> Result<(), String> {
        let asked = program.entry(pre).ok_or_else(|| format!("there is no method {pre}"))?;
        let method = program.method(asked);
        let types = |registers: &[Register]| registers.iter().map(|register| register.ty).collect::<Vec<Type>>();
        let given = types(&self.registers[1..]);
        let wanted = types(&method.registers[1..method.parameters]);
        let class = program.method(self.entry).class;
        let is_of_receiver = class.zip(method.class).is_some_and(|(own, other)| program.is_subclass(own, other));
        if !is_of_receiver || method.result != Type::Bool || !wanted.is_empty() && wanted != given {
            let name = program.method_name(self.entry);
            return Err(format!(
                "{pre} is no precondition of {name}: a method of its class is wanted that gives bool, with its parameters or none"
            ));
        }
        let selector = selector(program, &method.name, wanted.len()).expect("a method has a selector");
        let ok = code.register(Type::Bool);
        let args = (0..=wanted.len() as u32).map(Reg).collect();
        let callee = Callee::Virtual(method.class.expect("checked above"), selector);
        code.emit(Instr::Call { dst: ok, callee, args });
        code.require(ok);
        Ok(())
    }

    /// What holds between the inputs, if the class of the entry says so.
    fn between(&self, program: &Program) -> Option<Callee> {
        program.method(self.entry).class.and_then(|class| {
            let selector = selector(program, "repOkInputs", self.registers.len() - 1)?;
            let method = program.method(*program.class(class).methods.get(&selector)?);
            let same = (1..self.registers.len()).all(|i| method.registers[i].ty == self.registers[i].ty);
            (same && method.result == Type::Bool).then_some(Callee::Virtual(class, selector))
        })
    }

    /// A method that is true if every input satisfies its own invariant, and if what is `between` them holds.
    fn check(
        &self,
        program: &Program,
        name: &str,
        invariant: Names,
        between: Option<Callee>,
    ) -> Result<Method, String> {
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
    fn valid_inputs(&mut self, program: &Program, names: Names) -> Result<(), String> {
        let found = |class: ClassId, name: &str| {
            let selector = selector(program, name, 0)?;
            let method = *program.class(class).methods.get(&selector)?;
            (program.method(method).result == Type::Bool).then_some(selector)
        };
        let mut asked = false;
        for register in (0..self.parameters as u32).map(Reg) {
            let Type::Ref(class) = self.out.type_of(register) else { continue };
            if let Some(selector) = names.iter().find_map(|name| found(class, name)) {
                self.valid_input(register, Callee::Virtual(class, selector));
                asked = true;
            }
        }
        match asked {
            true => Ok(()),
            false => {
                let near = names.iter().find_map(|name| self.near_miss(program, name));
                let near = near.map_or(String::new(), |near| format!(": {near}"));
                Err(format!("no input of the entry has a method bool {}(){near}", names[0]))
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
