//! Contracts of an entry in Java: a method that is true of its inputs, and one that is true of what it leaves behind.
//!
//! A postcondition is called after the entry has returned, with what the entry was called with and its result. Objects are as the entry leaves
//! them then. Where the postcondition throws, it does not hold.

use lazuli_program::Program;
use lazuli_program::ir::{Callee, MethodId, Reg, Type};
use lazuli_program::library::{Library, access};

/// What a method of a contract is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// An input of the entry, by its number; the receiver is the first.
    Input(u32),
    /// What the entry gives: its result, or the object that a constructor makes.
    Result,
}

/// A method of a contract, and what it is given: the receiver first, unless it is static.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    pub method: MethodId,
    pub given: Vec<Given>,
}

/// When a method of a contract is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Before,
    After,
}

/// The postcondition of an entry in Java, by its name `Class.method`.
pub fn postcondition(program: &Program, entry: MethodId, name: &str) -> Result<Contract, String> {
    find(program, entry, name, When::After)
}

/// The method of this name that fits an entry.
pub(super) fn find(program: &Program, entry: MethodId, name: &str, when: When) -> Result<Contract, String> {
    let library = program.library.as_deref().ok_or("only methods in Java have such contracts")?;
    let (class, simple) = name.rsplit_once('.').ok_or_else(|| format!("{name} is no Class.method"))?;
    let class = program.class_named(class).ok_or_else(|| format!("there is no class {class}"))?;
    let methods = library.java(class).declared_methods.iter();
    let mut named: Vec<MethodId> =
        methods.filter(|((known, _), _)| &**known == simple).map(|(_, method)| *method).collect();
    named.sort_by_key(|method| library.method_signature(*method));
    let entry = Entry { library, entry, types: types(program, entry), when };
    let mut fitting: Vec<Contract> = named.iter().filter_map(|method| entry.contract(*method)).collect();
    match (fitting.pop(), fitting.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(_), false) => Err(format!("several methods {name} fit {}", library.method_signature(entry.entry))),
        (None, _) if named.is_empty() => Err(format!("there is no method {name}")),
        (None, _) => Err(entry.no_contract(name)),
    }
}

/// The types of the inputs, that of the receiver as it was asked for.
fn types(program: &Program, entry: MethodId) -> Vec<Type> {
    let method = program.method(entry);
    let mut types: Vec<Type> = method.registers[..method.parameters].iter().map(|register| register.ty).collect();
    if let Some(class) = program.receiver.filter(|_| program.has_receiver(entry)) {
        types[0] = Type::Ref(class);
    }
    types
}

/// An entry of which a contract speaks.
struct Entry<'a> {
    library: &'a Library,
    entry: MethodId,
    types: Vec<Type>,
    when: When,
}

impl Entry<'_> {
    fn is_static(&self) -> bool {
        self.library.declared(self.entry).is(access::STATIC)
    }

    /// Whether the entry is a constructor: its object is no input.
    fn makes(&self) -> bool {
        &*self.library.declared(self.entry).name == "<init>"
    }

    fn type_of(&self, given: Given) -> Type {
        match given {
            Given::Input(number) => self.types[number as usize],
            Given::Result if self.makes() => self.types[0],
            Given::Result => self.library.declared(self.entry).result,
        }
    }

    /// What a method may be given, in the order in which it is tried.
    fn lists(&self, is_static: bool) -> Vec<Vec<Given>> {
        let first = u32::from(!self.is_static());
        let parameters: Vec<Given> = (first..self.types.len() as u32).map(Given::Input).collect();
        let result = match self.when {
            When::After if self.makes() || self.library.declared(self.entry).result != Type::Void => {
                vec![Given::Result]
            }
            _ => Vec::new(),
        };
        let this: Vec<Given> = (!self.is_static() && !self.makes()).then_some(Given::Input(0)).into_iter().collect();
        let mut lists = match (is_static, self.makes()) {
            (true, _) => vec![
                [this.clone(), parameters.clone(), result.clone()].concat(),
                [parameters, result.clone()].concat(),
                [this, result.clone()].concat(),
                result,
            ],
            // The object that is made is asked itself, once there is one.
            (false, true) if self.when == When::After => vec![[result.clone(), parameters].concat(), result],
            _ if this.is_empty() => Vec::new(),
            _ => {
                vec![[this.clone(), parameters, result.clone()].concat(), [this.clone(), result].concat(), this]
            }
        };
        // A method that is given nothing says something only before an entry that is given nothing.
        let is_bare = self.when == When::Before && self.types.len() as u32 == first;
        lists.retain(|list| !list.is_empty() || is_bare);
        lists
    }

    /// How a method is asked, if it fits.
    fn contract(&self, method: MethodId) -> Option<Contract> {
        let declared = self.library.declared(method);
        if declared.result != Type::Bool {
            return None;
        }
        let takes = |wanted: &Type, given: &Given| match (wanted, self.type_of(*given)) {
            (Type::Ref(wanted), Type::Ref(given)) => self.library.is_subclass(given, *wanted),
            (wanted, given) => *wanted == given,
        };
        let wanted = &declared.parameters;
        let fits = |list: &Vec<Given>| {
            list.len() == wanted.len() && wanted.iter().zip(list).all(|(wanted, given)| takes(wanted, given))
        };
        let given = self.lists(declared.is(access::STATIC)).into_iter().find(fits)?;
        Some(Contract { method, given })
    }

    fn no_contract(&self, name: &str) -> String {
        let entry = self.library.method_signature(self.entry);
        match self.when {
            When::Before => format!(
                "{name} is no precondition of {entry}: a method is wanted that gives boolean, static with the receiver and the parameters \
                 or one of these alone, or of the receiver with the parameters or none"
            ),
            When::After => format!(
                "{name} is no postcondition of {entry}: a method is wanted that gives boolean, static with the receiver, the parameters and \
                 the result, or of the receiver with the parameters and the result; the receiver or the parameters may be left out"
            ),
        }
    }
}

/// How a method is called that somebody asks.
pub(super) fn callee(library: &Library, contract: &Contract, receiver: Type) -> Callee {
    let declared = library.declared(contract.method);
    match receiver {
        Type::Ref(class) if !declared.is(access::STATIC) && !declared.is(access::PRIVATE) => {
            Callee::Virtual(class, library.selector_of(contract.method))
        }
        _ => Callee::Exactly(contract.method),
    }
}

/// The registers with what it is given.
pub(super) fn arguments(contract: &Contract, result: Reg) -> Vec<Reg> {
    let register = |given: &Given| match given {
        Given::Input(number) => Reg(*number),
        Given::Result => result,
    };
    contract.given.iter().map(register).collect()
}
