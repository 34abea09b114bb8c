//! Checks that a program is well formed, so that the engine need not. A front end that passes this cannot make the engine
//! panic by a bad register, jump, field or type.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::ir::*;
use crate::source::LoadError;

/// Accepts the program or says where it is wrong.
pub fn verify(program: &Program) -> Result<(), LoadError> {
    for (number, class) in program.classes.iter().enumerate() {
        if class.superclass.is_some_and(|s| s.index() >= number || program.class(s).last < class.last) {
            return Err(LoadError::new(format!("class {} is not numbered after its superclass", class.name)));
        }
        for (slot, field) in class.layout.iter().enumerate() {
            if program.fields.get(field.index()).is_none_or(|f| f.slot as usize != slot) {
                return Err(LoadError::new(format!("class {} has a field out of place", class.name)));
            }
        }
    }
    for index in 0..program.methods.len() {
        let id = MethodId(index as u32);
        Checker { program, method: program.method(id) }
            .check()
            .map_err(|(at, what)| LoadError::new(format!("{} at {at}: {what}", program.method_name(id))))?;
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    method: &'a Method,
}

type Fault = (usize, String);

impl Checker<'_> {
    fn check(&self) -> Result<(), Fault> {
        let code = &self.method.code;
        if code.is_empty() || self.method.places.len() != code.len() {
            return Err((0, "no code, or instructions without places".into()));
        }
        for (at, instr) in code.iter().enumerate() {
            self.instr(instr).map_err(|what| (at, what))?;
        }
        self.assigned()
    }

    /// Follows every path: no register is read before it is written, and none runs off the end. What is known is kept
    /// only where paths can meet, not at every instruction: methods can have many of both.
    fn assigned(&self) -> Result<(), Fault> {
        let code = &self.method.code;
        let mut meets = vec![false; code.len()];
        for (at, instr) in code.iter().enumerate() {
            let next = successors(instr, at);
            if next.as_slice() != [at + 1] {
                next.into_iter().filter(|n| *n < code.len()).for_each(|n| meets[n] = true);
            }
        }
        let mut known: FxHashMap<usize, Vec<bool>> = FxHashMap::default();
        let mut first = vec![false; self.method.registers.len()];
        first[..self.method.parameters].fill(true);
        let mut work = vec![(0usize, first)];
        while let Some((mut at, mut written)) = work.pop() {
            loop {
                if at >= code.len() {
                    return Err((code.len() - 1, "control runs off the end".into()));
                }
                if meets[at] && !narrow(known.entry(at), &mut written) {
                    break;
                }
                self.follow(at, &mut written)?;
                let next = successors(&code[at], at);
                let Some((&last, others)) = next.split_last() else { break };
                work.extend(others.iter().map(|other| (*other, written.clone())));
                at = last;
            }
        }
        Ok(())
    }

    /// Checks what one instruction reads, and notes what it writes.
    fn follow(&self, at: usize, written: &mut [bool]) -> Result<(), Fault> {
        let (reads, write) = operands(&self.method.code[at]);
        if let Some(register) = reads.iter().find(|r| !written[r.index()]) {
            return Err((at, format!("register {} is read before it is written", register.0)));
        }
        if let Some(register) = write {
            written[register.index()] = true;
        }
        Ok(())
    }

    fn ty(&self, register: Reg) -> Result<Type, String> {
        self.method
            .registers
            .get(register.index())
            .map(|r| r.ty)
            .ok_or_else(|| format!("there is no register {}", register.0))
    }

    fn want(&self, register: Reg, wanted: impl Fn(Type) -> bool, what: &str) -> Result<(), String> {
        match self.ty(register)? {
            ty if wanted(ty) => Ok(()),
            ty => Err(format!("register {} has type {}, not {what}", register.0, self.program.show_type(ty))),
        }
    }

    fn reference(&self, register: Reg) -> Result<(), String> {
        self.want(register, Type::is_ref, "a reference")
    }

    fn boolean(&self, register: Reg) -> Result<(), String> {
        self.want(register, |t| t == Type::Bool, "bool")
    }

    /// Both are references, or both have one primitive type.
    fn compatible(&self, a: Type, b: Type) -> Result<(), String> {
        if a == b || (a.is_ref() && b.is_ref()) { Ok(()) } else { Err("the types do not fit".into()) }
    }

    fn object_with(&self, object: Reg, field: FieldId) -> Result<Type, String> {
        let Some(declared) = self.program.fields.get(field.index()) else {
            return Err(format!("there is no field {}", field.0));
        };
        match self.ty(object)? {
            Type::Ref(class) if self.program.is_subclass(class, declared.class) => Ok(declared.ty),
            ty => Err(format!("{} has no field {}", self.program.show_type(ty), declared.name)),
        }
    }

    fn instr(&self, instr: &Instr) -> Result<(), String> {
        match instr {
            Instr::Const { dst, value } => match value {
                Const::Int(_) => self.want(*dst, |t| t == Type::Int, "int"),
                Const::Bool(_) => self.boolean(*dst),
                Const::Null => self.reference(*dst),
                _ => Err("a constant of Java".into()),
            },
            Instr::Input { dst, input } => match self.program.inputs.get(input.index()) {
                Some(input) => self.compatible(self.ty(*dst)?, input.ty),
                None => Err(format!("there is no input {}", input.0)),
            },
            Instr::Load { register } => self.reference(*register),
            Instr::Move { dst, src } => self.compatible(self.ty(*dst)?, self.ty(*src)?),
            Instr::Binary { dst, op, lhs, rhs } => {
                self.compatible(self.ty(*lhs)?, self.ty(*rhs)?)?;
                let operand = match op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Lt => Type::Int,
                    BinaryOp::And | BinaryOp::Or => Type::Bool,
                    BinaryOp::Eq => self.ty(*lhs)?,
                };
                self.want(*lhs, |t| t == operand && !t.is_ref(), "the operand's type")?;
                let result = if matches!(op, BinaryOp::Add | BinaryOp::Sub) { Type::Int } else { Type::Bool };
                self.want(*dst, |t| t == result, "the result's type")
            }
            Instr::Not { dst, src } => self.boolean(*dst).and(self.boolean(*src)),
            Instr::RefEq { dst, lhs, rhs } => self.boolean(*dst).and(self.reference(*lhs)).and(self.reference(*rhs)),
            Instr::InstanceOf { dst, src, class } => {
                self.boolean(*dst).and(self.reference(*src)).and(self.known_class(*class))
            }
            Instr::IsResolved { dst, object, field } => {
                self.boolean(*dst)?;
                match self.object_with(*object, *field)? {
                    Type::Ref(_) => Ok(()),
                    ty => Err(format!("only references are resolved, not {}", self.program.show_type(ty))),
                }
            }
            Instr::Cast { dst, src, class } => {
                self.reference(*dst).and(self.reference(*src)).and(self.known_class(*class))
            }
            Instr::New { dst, class } => self.reference(*dst).and(self.known_class(*class)),
            Instr::GetField { dst, object, field } => {
                let ty = self.object_with(*object, *field)?;
                self.compatible(self.ty(*dst)?, ty)
            }
            Instr::PutField { object, field, value } => {
                let ty = self.object_with(*object, *field)?;
                self.compatible(self.ty(*value)?, ty)
            }
            Instr::Call { dst, receiver, selector, args } => {
                self.ty(*dst)?;
                self.reference(*receiver)?;
                match self.program.selectors.get(selector.index()) {
                    Some((_, arity)) if *arity == args.len() => args.iter().try_for_each(|a| self.ty(*a).map(|_| ())),
                    _ => Err("a call with a wrong number of arguments".into()),
                }
            }
            Instr::Jump { .. } | Instr::Throw { .. } => Ok(()),
            Instr::Branch { condition, .. } | Instr::Assert { condition } => self.boolean(*condition),
            Instr::Return { value } => self.compatible(self.ty(*value)?, self.method.result),
            _ => Err("an instruction of Java".into()),
        }
    }

    fn known_class(&self, class: ClassId) -> Result<(), String> {
        if class.index() < self.program.classes.len() { Ok(()) } else { Err(format!("no class {}", class.0)) }
    }
}

/// Where paths meet, only what all of them have written is written. Says whether this is news to what follows.
fn narrow(known: Entry<usize, Vec<bool>>, written: &mut Vec<bool>) -> bool {
    match known {
        Entry::Vacant(place) => {
            place.insert(written.clone());
            true
        }
        Entry::Occupied(mut place) => {
            let both: Vec<bool> = place.get().iter().zip(&*written).map(|(a, b)| *a && *b).collect();
            let news = both != *place.get();
            place.insert(both.clone());
            *written = both;
            news
        }
    }
}

/// The registers an instruction reads, and the one it writes.
fn operands(instr: &Instr) -> (Vec<Reg>, Option<Reg>) {
    match instr {
        Instr::Const { dst, .. } | Instr::Input { dst, .. } | Instr::New { dst, .. } => (vec![], Some(*dst)),
        Instr::Load { register } => (vec![*register], None),
        Instr::Move { dst, src }
        | Instr::Not { dst, src }
        | Instr::InstanceOf { dst, src, .. }
        | Instr::Cast { dst, src, .. } => (vec![*src], Some(*dst)),
        Instr::Binary { dst, lhs, rhs, .. } | Instr::RefEq { dst, lhs, rhs } => (vec![*lhs, *rhs], Some(*dst)),
        Instr::GetField { dst, object, .. } | Instr::IsResolved { dst, object, .. } => (vec![*object], Some(*dst)),
        Instr::PutField { object, value, .. } => (vec![*object, *value], None),
        Instr::Call { dst, receiver, args, .. } => {
            (std::iter::once(*receiver).chain(args.iter().copied()).collect(), Some(*dst))
        }
        Instr::Jump { .. } | Instr::Throw { .. } => (vec![], None),
        Instr::Branch { condition, .. } | Instr::Assert { condition } => (vec![*condition], None),
        Instr::Return { value } => (vec![*value], None),
        _ => (vec![], None),
    }
}

/// Where control can go next.
fn successors(instr: &Instr, at: usize) -> Vec<usize> {
    match instr {
        Instr::Jump { target } => vec![*target as usize],
        Instr::Branch { then, otherwise, .. } => vec![*then as usize, *otherwise as usize],
        Instr::Return { .. } | Instr::Throw { .. } => vec![],
        _ => vec![at + 1],
    }
}
