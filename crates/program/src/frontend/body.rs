//! Lowering the body of one method: what every source language does alike once it knows the operands. Which values fit
//! where is each language's own business; here are the registers, the instructions and the errors they share.
//!
//! An operand owns its register if it is temporary, and whoever consumes the operand releases it. A register's IR type
//! may be more special than the operand's static type, or, for `null`, the root class: member accesses go by
//! [`Body::as_object`].

use super::hierarchy::{Name, Selectors, suggest, unknown_class};
use crate::assembler::{Assembler, Label};
use crate::ir::{self, *};
use crate::program::Program;
use crate::source::{LoadError, Place};

/// The static type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Static {
    Is(Type),
    /// `null`: any class.
    Null,
    /// A reference input whose type is being inferred, in a language that does not declare them.
    Input(usize),
    /// There is no value, in a language that has expressions for their effect only.
    Unit,
    /// Control does not come back.
    Never,
}

impl Static {
    pub fn is_primitive(self) -> bool {
        matches!(self, Static::Is(Type::Int | Type::Bool))
    }

    /// Whether a register holds it.
    pub fn has_value(self) -> bool {
        !matches!(self, Static::Unit | Static::Never)
    }

    fn is_reference(self) -> bool {
        self.has_value() && !self.is_primitive()
    }
}

/// A value in a register.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub register: Reg,
    pub ty: Static,
    /// Whether the register may be used again afterwards.
    pub temporary: bool,
}

impl Operand {
    /// No value: nothing reads the register.
    pub fn nothing(ty: Static) -> Operand {
        debug_assert!(!ty.has_value());
        Operand { register: Reg(0), ty, temporary: false }
    }
}

/// The first of two branches, as far as the second needs it: see [`Body::first_branch`].
pub struct Meeting {
    dst: Reg,
    register_type: Type,
    first: Operand,
    end: Label,
}

pub struct Body<'a> {
    pub program: &'a Program,
    pub code: Assembler<Place>,
    selectors: &'a Selectors,
}

pub type Lowered<T> = Result<T, LoadError>;

impl<'a> Body<'a> {
    /// Starts with the method's parameters.
    pub fn new(program: &'a Program, method: MethodId, selectors: &'a Selectors) -> Body<'a> {
        let method = program.method(method);
        Body { program, code: Assembler::new(method.registers[..method.parameters].to_vec()), selectors }
    }

    // ---- registers ----

    pub fn release(&mut self, operand: Operand) {
        if operand.temporary {
            self.code.release(operand.register);
        }
    }

    pub fn temporary(&mut self, ty: Type) -> Operand {
        Operand { register: self.code.register("", ty), ty: Static::Is(ty), temporary: true }
    }

    /// The IR type of the register that an operand is in; the root class where there is none.
    pub fn register_type(&self, value: Operand) -> Type {
        if value.ty.has_value() { self.code.type_of(value.register) } else { Type::Ref(ClassId(0)) }
    }

    /// The same value in a register that nothing else changes or frees.
    pub fn copy(&mut self, value: Operand, place: Place) -> Operand {
        let dst = self.code.register("", self.register_type(value));
        self.code.emit(place, Instr::Move { dst, src: value.register });
        Operand { register: dst, ty: value.ty, temporary: true }
    }

    // ---- instructions ----

    pub fn constant(&mut self, place: Place, value: Const) -> Operand {
        let (register_type, ty) = match value {
            Const::Int(_) => (Type::Int, Static::Is(Type::Int)),
            Const::Bool(_) => (Type::Bool, Static::Is(Type::Bool)),
            Const::Null => (Type::Ref(ClassId(0)), Static::Null),
            other => unreachable!("{other:?} is a constant of Java"),
        };
        let register = self.code.register("", register_type);
        self.code.emit(place, Instr::Const { dst: register, value });
        Operand { register, ty, temporary: true }
    }

    pub fn new_object(&mut self, place: Place, class: ClassId) -> Operand {
        let value = self.temporary(Type::Ref(class));
        self.code.emit(place, Instr::New { dst: value.register, class });
        value
    }

    pub fn not(&mut self, place: Place, value: Operand) -> Operand {
        self.release(value);
        let dst = self.temporary(Type::Bool);
        self.code.emit(place, Instr::Unary { dst: dst.register, op: UnaryOp::Not, src: value.register });
        dst
    }

    pub fn binary(&mut self, place: Place, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        self.release(a);
        self.release(b);
        let kind = match self.register_type(a) {
            Type::Bool => Kind::Bool,
            _ => Kind::Int,
        };
        let is_truth = kind == Kind::Bool || op.is_test();
        let dst = self.temporary(if is_truth { Type::Bool } else { Type::Int });
        let rhs = ir::Operand::Reg(b.register);
        self.code.emit(place, Instr::Binary { dst: dst.register, kind, op, lhs: a.register, rhs });
        dst
    }

    /// Equality of two references or two primitive values of one type; `None` if the operands are neither.
    pub fn equal(&mut self, place: Place, a: Operand, b: Operand) -> Option<Operand> {
        if a.ty == b.ty && a.ty.is_primitive() {
            return Some(self.binary(place, BinaryOp::Eq, a, b));
        }
        if !a.ty.is_reference() || !b.ty.is_reference() {
            return None;
        }
        self.release(a);
        self.release(b);
        let dst = self.temporary(Type::Bool);
        self.code.emit(place, Instr::RefEq { dst: dst.register, lhs: a.register, rhs: b.register });
        Some(dst)
    }

    pub fn instance_of(&mut self, place: Place, value: Operand, class: ClassId) -> Operand {
        self.release(value);
        let dst = self.temporary(Type::Bool);
        self.code.emit(place, Instr::InstanceOf { dst: dst.register, src: value.register, class });
        dst
    }

    pub fn read(&mut self, place: Place, object: Operand, field: FieldId) -> Operand {
        self.release(object);
        let dst = self.temporary(self.program.field(field).ty);
        self.code.emit(place, Instr::GetField { dst: dst.register, object: object.register, field });
        dst
    }

    pub fn is_resolved(&mut self, place: Place, object: Operand, field: FieldId) -> Operand {
        self.release(object);
        let dst = self.temporary(Type::Bool);
        self.code.emit(place, Instr::IsResolved { dst: dst.register, object: object.register, field });
        dst
    }

    /// Assigns a field. The value remains the caller's.
    pub fn write(&mut self, place: Place, object: Operand, field: FieldId, value: Operand) {
        self.release(object);
        self.code.emit(place, Instr::PutField { object: object.register, field, value: value.register });
    }

    pub fn call(
        &mut self,
        place: Place,
        receiver: Operand,
        selector: Selector,
        args: &[Operand],
        result: Type,
    ) -> Operand {
        let Type::Ref(class) = self.register_type(receiver) else { unreachable!("a receiver is a reference") };
        let all = std::iter::once(&receiver).chain(args).map(|operand| operand.register).collect();
        self.release(receiver);
        for &arg in args {
            self.release(arg);
        }
        let dst = self.temporary(result);
        let callee = Callee::Virtual(class, selector);
        self.code.emit(place, Instr::Call { dst: dst.register, callee, args: all });
        dst
    }

    /// Branches on a condition; the code that follows is the `then` part, the label is for the other one.
    pub fn branch(&mut self, place: Place, condition: Operand) -> Label {
        let otherwise = self.code.label();
        self.code.unless(place, Condition::Holds(condition.register), otherwise);
        self.release(condition);
        otherwise
    }

    /// Ends the first of two branches that give a value; the code that follows is the other one.
    pub fn first_branch(&mut self, otherwise: Label, first: Operand, place: Place) -> Meeting {
        let register_type = self.register_type(first);
        let dst = match register_type {
            // The type of a reference is known only when the branches meet.
            Type::Ref(_) => self.code.fresh("", register_type),
            _ => self.code.register("", register_type),
        };
        let end = self.code.label();
        self.arrive(dst, first, place, end);
        self.code.bind(otherwise);
        Meeting { dst, register_type, first, end }
    }

    /// Ends the second branch; here both meet. `joined` is the type that the language gives to the whole.
    pub fn meet(&mut self, meeting: Meeting, second: Operand, joined: Static, place: Place) -> Operand {
        let second_type = self.register_type(second);
        self.arrive(meeting.dst, second, place, meeting.end);
        self.code.bind(meeting.end);
        let ty = match joined {
            Static::Is(ty) => ty,
            _ if meeting.first.ty == Static::Never => second_type,
            _ => meeting.register_type,
        };
        self.code.retype(meeting.dst, ty);
        let value = Operand { register: meeting.dst, ty: joined, temporary: true };
        if joined.has_value() {
            return value;
        }
        self.release(value);
        Operand::nothing(joined)
    }

    /// Moves one branch's value to where both meet, and jumps there.
    fn arrive(&mut self, dst: Reg, value: Operand, place: Place, end: Label) {
        if value.ty == Static::Never {
            return;
        }
        if value.ty.has_value() {
            self.code.emit(place, Instr::Move { dst, src: value.register });
            self.release(value);
        }
        self.code.jump(place, end);
    }

    // ---- types and names ----

    pub fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        LoadError::at(&self.program.sources, place, message)
    }

    pub fn class(&self, name: &Name) -> Lowered<ClassId> {
        self.program.class_named(&name.text).ok_or_else(|| {
            let known = self.program.classes.iter().map(|c| c.name.as_str());
            unknown_class(&self.program.sources, name.place, &name.text, known)
        })
    }

    pub fn unknown_variable<'n>(&self, name: &str, place: Place, known: impl Iterator<Item = &'n str>) -> LoadError {
        suggest(self.error(place, format!("there is no variable {name}")), name, known)
    }

    /// The selector of a call.
    pub fn selector(&self, name: &Name, arguments: usize) -> Lowered<Selector> {
        if let Some(&selector) = self.selectors.get(&(name.text.clone(), arguments)) {
            return Ok(selector);
        }
        let known = &self.program.selectors;
        let arities: Vec<String> = known.iter().filter(|s| s.0 == name.text).map(|s| s.1.to_string()).collect();
        let error = self.error(name.place, format!("no class has a method {} of {arguments} arguments", name.text));
        Err(match arities.as_slice() {
            [] => suggest(error, &name.text, known.iter().map(|s| s.0.as_str())),
            _ => error.help(format!("{} takes {}", name.text, arities.join(" or "))),
        })
    }

    /// The error that `what` has no such field or method.
    pub fn no_member<'n>(
        &self,
        what: &str,
        kind: &str,
        name: &Name,
        known: impl Iterator<Item = &'n str>,
    ) -> LoadError {
        let error = self.error(name.place, format!("{what} has no {kind} {}", name.text));
        suggest(error, &name.text, known.filter(|k| *k != name.text))
    }

    /// Makes a value fit as the object of a member access through `owner`. Its static type fits already, its register
    /// may not: `null` lives in one of the root class, which has no members. It is cast, and the access throws.
    pub fn as_object(&mut self, value: Operand, owner: ClassId, place: Place) -> Operand {
        match self.register_type(value) {
            Type::Ref(held) => self.cast(value, held, owner, place),
            _ => unreachable!("an object is a reference"),
        }
    }

    /// A checked cast, unless none is necessary.
    pub fn cast(&mut self, value: Operand, have: ClassId, class: ClassId, place: Place) -> Operand {
        if self.program.is_subclass(have, class) {
            return value;
        }
        self.release(value);
        let dst = self.temporary(Type::Ref(class));
        self.code.emit(place, Instr::Cast { dst: dst.register, src: value.register, class });
        dst
    }
}
