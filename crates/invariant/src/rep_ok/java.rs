//! The methods that the techniques execute on programs in Java: `boolean repOk()`, `boolean repOkConservative()` and `boolean repOkInputs(…)`
//! are called as a caller in Java would. What is made here becomes part of the program's library, under names that no class
//! file has.

use lazuli_program::Program;
use lazuli_program::assembler::Label;
use lazuli_program::frontend::java::Synthetic;
use lazuli_program::ir::{Callee, ClassId, Condition, Const, Exception, Instr, MethodId, Operand, Reg, Test, Type};
use lazuli_program::library::{Library, OBJECT, access};

use super::contract::{self, Contract, When};
use super::{Names, REJECTED};

/// `result = P(inputs); if (!post(inputs, result)) fail`. It takes the place of the entry.
pub(super) fn checked(program: &Program, entry: MethodId, post: &str) -> Result<MethodId, String> {
    let contract = contract::find(program, entry, post, When::After)?;
    let mut code = Code::new(program, entry, program.method(entry).result);
    let result = code.call_entry(program);
    let given = if code.is_made() { Reg(0) } else { result };
    code.begin_asking(&contract);
    let (ok, _, throws) = code.out.call_guarded(code.callee(&contract), contract::arguments(&contract, given));
    code.out.when(Condition::Compare(Test::Eq, ok, Operand::Int(0)), code.rejects);
    code.out.give_back(result);
    code.out.bind(throws);
    code.rejected();
    code.out.emit(Instr::Throw { exception: Exception::Contract });
    Ok(code.define("checked", &program.method(entry).name))
}

/// `if (the inputs are as they should be) P(inputs)`: PrEP, and preconditions. What is called may be another method than the entry.
pub(super) fn harness(
    program: &Program,
    entry: MethodId,
    names: Option<Names>,
    pre: Option<&str>,
    checked: Option<MethodId>,
) -> Result<MethodId, String> {
    let declared = program.method(entry);
    let mut code = Code::new(program, entry, declared.result);
    if let Some(names) = names {
        code.ask_inputs(names)?;
    }
    if let Some(pre) = pre {
        code.ask_precondition(program, pre)?;
    }
    let result = match checked {
        None => code.call_entry(program),
        Some(checked) => {
            let args = (0..declared.parameters as u32).map(Reg).collect();
            code.out.call_method(Callee::Exactly(checked), args)
        }
    };
    code.out.give_back(result);
    code.rejected();
    code.out.emit(Instr::Throw { exception: Exception::Named(REJECTED.into()) });
    Ok(code.define("harness", &declared.name))
}

/// A method that is true if every input satisfies its own invariant and, if that is asked for, what `repOkInputs` says of them.
pub(super) fn check(
    program: &Program,
    entry: MethodId,
    name: &str,
    invariant: Names,
    between: bool,
) -> Result<MethodId, String> {
    let mut code = Code::new(program, entry, Type::Bool);
    code.ask_inputs(invariant)?;
    if between {
        code.ask_between();
    }
    code.give(1);
    code.rejected();
    code.give(0);
    Ok(code.define(name, name))
}

/// A method in the making.
struct Code<'p> {
    library: &'p Library,
    entry: MethodId,
    has_receiver: bool,
    out: Synthetic<'p>,
    /// Where it goes on where an invariant does not hold.
    rejects: Label,
}

impl<'p> Code<'p> {
    fn new(program: &'p Program, entry: MethodId, result: Type) -> Code<'p> {
        let method = program.method(entry);
        let mut parameters = method.registers[..method.parameters].to_vec();
        let has_receiver = program.has_receiver(entry);
        if let Some(class) = program.receiver.filter(|_| has_receiver) {
            parameters[0].ty = Type::Ref(class);
        }
        let library = program.library.as_deref().expect("a program in Java");
        let mut out = Synthetic::with(library, parameters, result);
        let rejects = out.label();
        Code { library, entry, has_receiver, out, rejects }
    }

    /// The class of the receiver.
    fn receiver(&self) -> ClassId {
        match self.out.parameters()[0].ty {
            Type::Ref(class) => class,
            _ => OBJECT,
        }
    }

    /// Asks every input that has the invariant and is not null. The object of a constructor is no input.
    fn ask_inputs(&mut self, names: Names) -> Result<(), String> {
        let mut asked = false;
        for number in self.is_made() as usize..self.out.parameters().len() {
            let Type::Ref(class) = self.out.parameters()[number].ty else { continue };
            let of_class = |name: &&str| self.library.find_method(class, &(*name).into(), &"()Z".into());
            let of_object = |method: &MethodId| !self.library.declared(*method).is(access::STATIC);
            if let Some(method) = names.iter().filter_map(of_class).find(of_object) {
                self.ask_input(Reg(number as u32), self.virtual_callee(class, method));
                asked = true;
            }
        }
        match asked {
            true => Ok(()),
            false => {
                let near = names.iter().find_map(|name| self.near_miss(name));
                let near = near.map_or(String::new(), |near| format!(": {near}"));
                Err(format!("no input of the entry has a method boolean {}(){near}", names[0]))
            }
        }
    }

    /// Whether the entry is a constructor: its object is no input.
    fn is_made(&self) -> bool {
        self.has_receiver && &*self.library.declared(self.entry).name == "<init>"
    }

    /// Asks a method for which the inputs are there.
    fn ask_precondition(&mut self, program: &Program, pre: &str) -> Result<(), String> {
        let contract = contract::find(program, self.entry, pre, When::Before)?;
        self.begin_asking(&contract);
        self.ask(self.callee(&contract), contract::arguments(&contract, Reg(0)));
        Ok(())
    }

    /// A static method is one of a class that has been initialised.
    fn begin_asking(&mut self, contract: &Contract) {
        let declared = self.library.declared(contract.method);
        if declared.is(access::STATIC) {
            self.out.init_class(declared.class);
        }
    }

    fn callee(&self, contract: &Contract) -> Callee {
        contract::callee(self.library, contract, Type::Ref(self.receiver()))
    }

    /// Calls the entry as a caller would.
    fn call_entry(&mut self, program: &Program) -> Reg {
        let declared = program.method(self.entry);
        let callee = match self.has_receiver && !self.is_made() {
            true => self.virtual_callee(self.receiver(), self.entry),
            false => Callee::Exactly(self.entry),
        };
        let args = (0..declared.parameters as u32).map(Reg).collect();
        self.out.call_method(callee, args)
    }

    /// A method of an input that has the name of the invariant, and why it is not the invariant.
    fn near_miss(&self, invariant: &str) -> Option<String> {
        let inputs = self.out.parameters().iter().filter_map(|register| match register.ty {
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
        let done = self.out.label();
        self.out.emit(Instr::Load { register: input });
        let is_null = self.out.is_null(input);
        self.out.when(is_null, done);
        self.ask(invariant, vec![input]);
        self.out.bind(done);
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
        let args = (first..self.out.parameters().len() as u32).map(Reg).collect();
        let callee = if is_static { Callee::Exactly(method) } else { self.virtual_callee(class, method) };
        self.ask(callee, args);
    }

    fn ask(&mut self, callee: Callee, args: Vec<Reg>) {
        let ok = self.out.call_method(callee, args);
        self.out.when(Condition::Compare(Test::Eq, ok, Operand::Int(0)), self.rejects);
    }

    /// How a method is called on an object of a class.
    fn virtual_callee(&self, class: ClassId, method: MethodId) -> Callee {
        let declared = self.library.declared(method);
        match declared.is(access::PRIVATE) {
            true => Callee::Exactly(method),
            false => Callee::Virtual(class, self.library.selector_of(method)),
        }
    }

    /// What follows is for inputs that are not valid.
    fn rejected(&mut self) {
        self.out.bind(self.rejects);
    }

    fn give(&mut self, value: i64) {
        let value = self.out.constant(Const::Int(value));
        self.out.give_back(value);
    }

    fn define(self, key: &str, name: &str) -> MethodId {
        let class = self.library.declared(self.entry).class;
        self.library.define(key, self.entry, self.out.finish(name, class))
    }
}
