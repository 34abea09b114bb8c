//! Lowering of constants, fields, arrays, calls, and the instructions that only move what is on the stack.

use std::sync::Arc;

use super::{Entry, Lowered, Lowering, Value};
use crate::bytecode::code::{self, Element, Op};
use crate::bytecode::descriptor;
use crate::bytecode::pool::{Constant, MemberRef};
use crate::ir::*;
use crate::library::{LENGTH, Refusal, access, linkage};

/// The stack kind of a type.
pub(super) fn kind_of(ty: Type) -> code::Kind {
    match ty {
        Type::Long => code::Kind::Long,
        Type::Float => code::Kind::Float,
        Type::Double => code::Kind::Double,
        Type::Ref(_) => code::Kind::Ref,
        _ => code::Kind::Int,
    }
}

/// The class that a constant of the code is about: of an array, that of its elements, if they have one.
fn class_in(name: &str) -> Option<&str> {
    match name.trim_start_matches('[') {
        class if class.len() == name.len() => Some(class),
        element => element.strip_prefix('L')?.strip_suffix(';'),
    }
}

impl Lowering<'_> {
    pub(super) fn constant(&mut self, constant: &Constant) -> Lowered<()> {
        let kind = match constant {
            Constant::Int(value) => return self.push_value(code::Kind::Int, Value::Int(*value)),
            Constant::Long(_) => code::Kind::Long,
            Constant::Float(_) => code::Kind::Float,
            Constant::Double(_) => code::Kind::Double,
            _ => code::Kind::Ref,
        };
        let dst = self.push(kind)?;
        match constant {
            Constant::MethodType(_) | Constant::MethodHandle(_) | Constant::Dynamic(_) => {
                self.unsupported("a method handle or dynamic constant")
            }
            Constant::Class(name) if self.is_missing(name) => self.refuse_missing(name),
            _ => {
                let value = self.library.constant(constant);
                self.emit(Instr::Const { dst, value });
            }
        }
        Ok(())
    }

    pub(super) fn unsupported(&mut self, what: &str) {
        self.emit(Instr::Unsupported { what: what.into() });
    }

    /// The class is used; if that can run an initialiser, it is asked for.
    pub(super) fn init_class(&mut self, class: ClassId) {
        // While a method runs, its class has been initialised, and the classes above it; interfaces need not have been.
        let running = self.library.superclasses(self.declared.class).any(|above| above == class);
        if !running && (self.library.java(class).needs_initializing || self.library.java(class).missing.is_some()) {
            self.emit(Instr::InitClass { class });
        }
    }

    /// What the code mentions is there and may be used; otherwise the error that the JVM throws instead is thrown here.
    pub(super) fn linked<T>(&mut self, resolved: Result<T, Refusal>) -> Option<T> {
        match resolved {
            Ok(found) => return Some(found),
            Err(Refusal::Throws(error)) => self.emit(Instr::Throw { exception: Exception::New(error) }),
            Err(Refusal::Missing(what)) => self.unsupported(&what),
        }
        None
    }

    /// Whether a class, or an array's class of elements, is nowhere to be found. It is not read.
    pub(super) fn is_missing(&self, name: &str) -> bool {
        class_in(name).is_some_and(|class| !self.library.path.has(class))
    }

    pub(super) fn refuse_missing(&mut self, name: &str) {
        let class = descriptor::readable_class(class_in(name).unwrap_or(name));
        self.unsupported(&format!("the class {class}: it is not on the class path, and it"));
    }

    /// Null passes a cast to a class that is missing, and is an instance of none; for everything else the class is needed.
    pub(super) fn only_null(&mut self, src: Reg, name: &str) {
        let (null, is_null, done) = (self.scratch(1), self.scratch(0), self.out.label());
        self.emit(Instr::Const { dst: null, value: Const::Null });
        self.emit(Instr::RefEq { dst: is_null, lhs: src, rhs: null });
        self.out.when(self.at as u32, Condition::Holds(is_null), done);
        self.refuse_missing(name);
        self.out.bind(done);
    }

    fn resolve_field(&mut self, member: &MemberRef, is_static: bool, get: bool) -> Option<FieldId> {
        let from = self.declared.class;
        let field = self.library.resolve_field(from, member, is_static);
        let field = field.and_then(|field| match get || self.library.may_write(from, &self.declared.name, field) {
            true => Ok(field),
            false => Err(Refusal::Throws(linkage::ACCESS)),
        });
        self.linked(field)
    }

    pub(super) fn static_field(&mut self, member: &MemberRef, get: bool) -> Lowered<()> {
        let ty = self.library.type_of(&member.descriptor);
        let field = self.resolve_field(member, true, get);
        if let Some(field) = field {
            self.init_class(self.library.field(field).class);
        }
        if get {
            let dst = self.push(kind_of(ty))?;
            if let Some(field) = field {
                self.emit(Instr::GetStatic { dst, field });
                self.widen_top(ty);
            }
        } else {
            let value = self.pop(kind_of(ty))?;
            if let Some(field) = field {
                let value = self.narrowed(value, ty);
                self.emit(Instr::PutStatic { field, value });
            }
        }
        Ok(())
    }

    pub(super) fn field(&mut self, member: &MemberRef, get: bool) -> Lowered<()> {
        let ty = self.library.type_of(&member.descriptor);
        let field = self.resolve_field(member, false, get);
        if get {
            let object = self.pop(code::Kind::Ref)?;
            let dst = self.push(kind_of(ty))?;
            if let Some(field) = field {
                self.emit(Instr::GetField { dst, object, field });
                self.widen_top(ty);
            }
        } else {
            let value = self.pop(kind_of(ty))?;
            let object = self.pop(code::Kind::Ref)?;
            if let Some(field) = field {
                let value = self.narrowed(value, ty);
                self.emit(Instr::PutField { object, field, value });
            }
        }
        Ok(())
    }

    /// A value of the stack as one of a narrow place.
    pub(super) fn narrowed(&mut self, src: Reg, ty: Type) -> Reg {
        if !matches!(ty, Type::Bool | Type::Byte | Type::Short | Type::Char) {
            return src;
        }
        let dst = self.scratch(0);
        self.emit(Instr::Unary { dst, op: UnaryOp::Narrow(ty), src });
        dst
    }

    pub(super) fn new_array(&mut self, array: &str) -> Lowered<()> {
        let class = self.library.class_id(array);
        let length = self.pop(code::Kind::Int)?;
        let dst = self.push(code::Kind::Ref)?;
        match self.is_missing(array) {
            true => self.refuse_missing(array),
            false => self.emit(Instr::NewArray { dst, class, length }),
        }
        Ok(())
    }

    /// The null check and the check of the index, which are the branches of an access.
    pub(super) fn check_index(&mut self, array: Reg, index: Operand) {
        let length = self.scratch(0);
        self.emit(Instr::GetField { dst: length, object: array, field: LENGTH });
        self.emit(Instr::CheckIndex { index, length });
    }

    pub(super) fn array_load(&mut self, element: Element) -> Lowered<()> {
        let index = self.pop_operand(code::Kind::Int)?;
        let array = self.pop(code::Kind::Ref)?;
        let ty = self.element_type(element);
        self.check_index(array, index);
        let dst = self.push(kind_of(ty))?;
        self.emit(Instr::ArrayLoad { dst, array, index, element: ty });
        self.widen_top(ty);
        if ty.is_ref() {
            self.emit(Instr::Load { register: dst });
        }
        Ok(())
    }

    pub(super) fn array_store(&mut self, element: Element) -> Lowered<()> {
        let ty = self.element_type(element);
        let value = self.pop(kind_of(ty))?;
        let index = self.pop_operand(code::Kind::Int)?;
        let array = self.pop(code::Kind::Ref)?;
        self.check_index(array, index);
        if ty.is_ref() {
            self.emit(Instr::CheckStore { array, value });
        }
        let value = self.narrowed(value, ty);
        self.emit(Instr::ArrayStore { array, index, value, element: ty });
        Ok(())
    }

    fn element_type(&self, element: Element) -> Type {
        match element {
            Element::Int => Type::Int,
            Element::Long => Type::Long,
            Element::Float => Type::Float,
            Element::Double => Type::Double,
            Element::Ref => Type::Ref(crate::library::OBJECT),
            Element::ByteOrBoolean => Type::Byte,
            Element::Char => Type::Char,
            Element::Short => Type::Short,
        }
    }

    /// Takes arguments of these kinds; gives their registers in order.
    pub(super) fn pop_arguments(&mut self, kinds: &[code::Kind]) -> Lowered<Box<[Reg]>> {
        let mut arguments = Vec::with_capacity(kinds.len());
        for kind in kinds.iter().rev() {
            arguments.push(self.pop(*kind)?);
        }
        arguments.reverse();
        Ok(arguments.into())
    }

    pub(super) fn invoke(&mut self, how: code::Invoke, member: &Arc<MemberRef>) -> Lowered<()> {
        let library = self.library;
        let class = library.class_id(&member.class);
        let signature = descriptor::method(&member.descriptor).ok_or("it calls a method without a descriptor")?;
        let result = library.type_of(signature.result);
        let receiver = (how != code::Invoke::Static).then_some(code::Kind::Ref);
        let kinds: Vec<code::Kind> =
            receiver.into_iter().chain(signature.parameters.iter().map(|p| kind_of(library.type_of(p)))).collect();
        let args = self.pop_arguments(&kinds)?;
        let dst = match result {
            Type::Void => self.scratch(0),
            _ => self.push(kind_of(result))?,
        };
        if library.is_polymorphic(member) {
            match &*member.class == "java/lang/invoke/VarHandle" {
                true => self.handle_access(member, args, dst),
                false => {
                    let name = descriptor::readable_method(&member.class, &member.name, &member.descriptor);
                    self.unsupported(&name);
                }
            }
            return Ok(());
        }
        let is_static = how == code::Invoke::Static;
        let method = library.resolve_method(self.declared.class, member, is_static);
        let Some(method) = self.linked(method) else { return Ok(()) };
        let declared = library.declared(method);
        let callee = match how {
            code::Invoke::Static => {
                self.init_class(declared.class);
                Callee::Exactly(method)
            }
            code::Invoke::Special if &*member.name == "<init>" => {
                self.stack.iter_mut().for_each(|entry| entry.new_throwable = false);
                Callee::Exactly(method)
            }
            code::Invoke::Special => {
                self.check_receiver(args[0]);
                Callee::Exactly(library.above(self.declared.class, member, method))
            }
            _ if declared.is(access::PRIVATE) => {
                self.check_receiver(args[0]);
                Callee::Exactly(method)
            }
            _ => Callee::Virtual(class, library.selector_of(method)),
        };
        let callee = match callee {
            // Methods of the JDK that do nothing but put a message together.
            Callee::Exactly(method)
                if member.name.starts_with("outOfBounds")
                    && member.class.starts_with("java/")
                    && self.makes_message() =>
            {
                Callee::Message(method)
            }
            callee => callee,
        };
        self.emit(Instr::Call { dst, callee, args });
        Ok(())
    }

    /// Whether a text that is put together here is the message of an exception.
    pub(super) fn makes_message(&self) -> bool {
        let in_constructor = || {
            let throwable = self.library.class_id("java/lang/Throwable");
            &*self.declared.name == "<init>" && self.library.is_subclass(self.declared.class, throwable)
        };
        self.stack.iter().any(|entry| entry.new_throwable) || in_constructor()
    }

    /// `this` is never null; anything else may be.
    pub(super) fn check_receiver(&mut self, object: Reg) {
        if object != Reg(0) || self.declared.is(access::STATIC) {
            self.emit(Instr::CheckNull { object });
        }
    }

    /// Pops, duplicates and swaps. Values that are in their own registers go through intermediate ones.
    pub(super) fn shuffle(&mut self, op: &Op) -> Lowered<()> {
        // How many words are taken, and which of them (from the top, 0) are pushed again, lowest first.
        let (words, order): (usize, &[usize]) = match op {
            Op::Pop => (1, &[]),
            Op::Pop2 => (2, &[]),
            Op::Dup => (1, &[0, 0]),
            Op::DupX1 => (2, &[0, 1, 0]),
            Op::DupX2 => (3, &[0, 2, 1, 0]),
            Op::Dup2 => (2, &[1, 0, 1, 0]),
            Op::Dup2X1 => (3, &[1, 0, 2, 1, 0]),
            Op::Dup2X2 => (4, &[1, 0, 3, 2, 1, 0]),
            _ => (2, &[0, 1]),
        };
        let mut taken: Vec<Option<(Entry, Reg)>> = Vec::new();
        while taken.len() < words {
            let place = self.stack.len().checked_sub(1).ok_or("its stack underflows")?;
            let register = self.place(place);
            let entry = self.pop_any()?;
            // The upper word of a wide value goes with the lower.
            taken.push(Some((entry, register)));
            if entry.kind.words() == 2 {
                taken.push(None);
            }
        }
        if taken.len() > words {
            return Err("it splits a wide value".into());
        }
        if order.is_empty() {
            return Ok(());
        }
        if matches!(op, Op::Dup) || matches!(op, Op::Dup2) && taken[1].is_none() {
            return self.duplicate(taken[0].expect("there is a value"));
        }
        let mut saved = Vec::new();
        for (number, value) in taken.iter().enumerate() {
            saved.push(value.map(|(entry, register)| {
                let scratch = self.scratch(1 + number as u32);
                if entry.value == Value::Here {
                    self.emit(Instr::Move { dst: scratch, src: register });
                }
                (entry, scratch)
            }));
        }
        for &word in order {
            let Some((entry, scratch)) = saved[word] else { continue };
            match entry.value {
                Value::Here => {
                    let dst = self.push(entry.kind)?;
                    self.emit(Instr::Move { dst, src: scratch });
                }
                value => self.push_value(entry.kind, value)?,
            }
            self.stack.last_mut().expect("just pushed").new_throwable = entry.new_throwable;
        }
        Ok(())
    }

    /// `dup`, and `dup2` of a wide value: the value stays where it is.
    fn duplicate(&mut self, (entry, register): (Entry, Reg)) -> Lowered<()> {
        self.push_value(entry.kind, entry.value)?;
        match entry.value {
            Value::Here => {
                let dst = self.push(entry.kind)?;
                self.emit(Instr::Move { dst, src: register });
            }
            value => self.push_value(entry.kind, value)?,
        }
        let both = self.stack.len() - 2;
        self.stack[both..].iter_mut().for_each(|copy| copy.new_throwable = entry.new_throwable);
        Ok(())
    }
}
