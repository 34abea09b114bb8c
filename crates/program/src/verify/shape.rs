//! What values look like to instructions, and what each instruction wants and writes.

use super::{Checked, Checker};
use crate::ir::*;

/// The form of a value: what decides which operations it can go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Bool,
    Byte,
    /// Of 16 bits, with or without a sign.
    Short,
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Shape {
    /// What a place of a type holds; nothing, if it is `Void`.
    pub fn of(ty: Type) -> Option<Shape> {
        Some(match ty {
            Type::Bool => Shape::Bool,
            Type::Byte => Shape::Byte,
            Type::Short | Type::Char => Shape::Short,
            Type::Int => Shape::Int,
            Type::Long => Shape::Long,
            Type::Float => Shape::Float,
            Type::Double => Shape::Double,
            Type::Ref(_) => Shape::Ref,
            Type::Void => return None,
        })
    }

    /// What a parameter or a result of a type is, where truth values and what is narrow may be numbers.
    pub fn passed(semantics: Semantics, ty: Type) -> Option<Shape> {
        match (semantics.truth, Shape::of(ty)) {
            (Truth::Numbers, Some(Shape::Bool | Shape::Byte | Shape::Short)) => Some(Shape::Int),
            (_, shape) => shape,
        }
    }

    fn kind(kind: Kind) -> Shape {
        match kind {
            Kind::Bool => Shape::Bool,
            Kind::Int => Shape::Int,
            Kind::Long => Shape::Long,
            Kind::Float => Shape::Float,
            Kind::Double => Shape::Double,
        }
    }
}

/// What every register holds; `None` is nothing that is certain.
#[derive(Clone)]
pub(super) struct Held(Box<[Option<Shape>]>);

impl Held {
    pub fn nothing(registers: usize) -> Held {
        Held(vec![None; registers].into())
    }

    /// Gives what the register held before.
    pub fn set(&mut self, register: Reg, shape: Option<Shape>) -> Option<Shape> {
        std::mem::replace(&mut self.0[register.index()], shape)
    }

    /// Keeps what both agree on. Says whether that is less than before.
    pub fn meet(&mut self, other: &Held) -> bool {
        let mut less = false;
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            if mine.is_some() && *mine != *other {
                *mine = None;
                less = true;
            }
        }
        less
    }

    /// Whether [`Held::meet`] would say so.
    pub fn is_narrowed_by(&self, other: &Held) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, other)| mine.is_some() && mine != other)
    }
}

/// The register that an instruction writes, and what it holds afterwards.
type Written = Option<(Reg, Option<Shape>)>;

impl Checker<'_> {
    /// Checks what an instruction reads, and says what it writes.
    pub(super) fn shapes(&self, instr: &Instr, held: &Held) -> Checked<Written> {
        use Shape::*;
        let want = |register: Reg, shape: Shape| self.want(held, register, shape);
        let operand = |operand: Operand, shape: Shape| match operand {
            Operand::Reg(register) => want(register, shape),
            Operand::Int(_) if matches!(shape, Int | Long) => Ok(()),
            Operand::Int(_) => Err("a constant operand is an integer".to_string()),
        };
        let (dst, shape) = match *instr {
            Instr::Const { dst, value } => (dst, constant(value)),
            Instr::Input { dst, input } => match self.tables.input(input) {
                Some(ty) => (dst, Shape::of(ty)),
                None => return Err(format!("there is no input {}", input.0)),
            },
            Instr::Load { register } => {
                want(register, Ref)?;
                (register, Some(Ref))
            }
            Instr::Move { dst, src } => (dst, Some(self.read(held, src)?)),
            Instr::Binary { dst, kind, op, lhs, rhs } => {
                if !has_operation(kind, op) {
                    return Err(format!("there is no {op:?} of {kind:?}"));
                }
                let shape = Shape::kind(kind);
                want(lhs, shape)?;
                operand(rhs, if op.is_shift() { Int } else { shape })?;
                (dst, Some(if op.is_test() { Bool } else { shape }))
            }
            Instr::RefEq { dst, lhs, rhs } => {
                want(lhs, Ref)?;
                want(rhs, Ref)?;
                (dst, Some(Bool))
            }
            Instr::InstanceOf { dst, src, .. } => {
                want(src, Ref)?;
                (dst, Some(Bool))
            }
            Instr::IsResolved { dst, object, field } => {
                want(object, Ref)?;
                match self.member(object, field)? {
                    Type::Ref(_) => (dst, Some(Bool)),
                    ty => return Err(format!("only references are resolved, not {}", self.tables.type_name(ty))),
                }
            }
            Instr::Cast { dst, src, .. } => {
                want(src, Ref)?;
                (dst, Some(Ref))
            }
            Instr::New { dst, .. } => (dst, Some(Ref)),
            Instr::GetField { dst, object, field } => {
                want(object, Ref)?;
                (dst, Shape::of(self.member(object, field)?))
            }
            Instr::PutField { object, field, value } => {
                want(object, Ref)?;
                self.stored(held, value, self.member(object, field)?)?;
                return Ok(None);
            }
            Instr::Call { dst, callee, ref args } => (dst, self.call(held, callee, args)?),
            Instr::Jump { .. }
            | Instr::Throw { exception: Exception::Named(_) | Exception::New(_) | Exception::Contract }
            | Instr::Unsupported { .. }
            | Instr::Reach { .. }
            | Instr::InitClass { .. } => return Ok(None),
            Instr::Branch { condition: Condition::Holds(condition), .. } | Instr::Assert { condition } => {
                want(condition, Bool)?;
                return Ok(None);
            }
            Instr::Branch { condition: Condition::Compare(_, lhs, rhs), .. } => {
                want(lhs, Int)?;
                operand(rhs, Int)?;
                return Ok(None);
            }
            Instr::Return { value } => {
                match (value, Shape::passed(self.semantics, self.method.result)) {
                    (Some(value), Some(shape)) => want(value, shape)?,
                    (None, None) => {}
                    (Some(_), None) => return Err("it returns a value, and there is to be none".into()),
                    (None, Some(_)) => return Err("it returns nothing".into()),
                }
                return Ok(None);
            }
            Instr::Unary { dst, op, src } => {
                let (from, to) = match op {
                    UnaryOp::Not => (Some(Bool), Some(Bool)),
                    UnaryOp::Neg(kind) => (Some(Shape::kind(kind)), Some(Shape::kind(kind))),
                    UnaryOp::Convert { from, to } => (Some(Shape::kind(from)), Some(Shape::kind(to))),
                    UnaryOp::Narrow(ty) => (Some(Int), Shape::of(ty)),
                    UnaryOp::Widen(ty) => (Shape::of(ty), Some(Int)),
                };
                want(src, from.ok_or("nothing cannot be widened")?)?;
                (dst, to)
            }
            Instr::Compare { dst, kind, lhs, rhs, .. } => {
                want(lhs, Shape::kind(kind))?;
                want(rhs, Shape::kind(kind))?;
                (dst, Some(Int))
            }
            Instr::Switch { value, .. } => {
                want(value, Int)?;
                return Ok(None);
            }
            Instr::NewArray { dst, length, .. } => {
                want(length, Int)?;
                (dst, Some(Ref))
            }
            Instr::NewArrays { dst, ref lengths, .. } => {
                lengths.iter().try_for_each(|length| want(*length, Int))?;
                (dst, Some(Ref))
            }
            Instr::CheckIndex { index, length } => {
                operand(index, Int)?;
                want(length, Int)?;
                return Ok(None);
            }
            Instr::CheckStore { array, value } => {
                want(array, Ref)?;
                want(value, Ref)?;
                return Ok(None);
            }
            Instr::ArrayLoad { dst, array, index, element } => {
                want(array, Ref)?;
                operand(index, Int)?;
                (dst, Shape::of(element))
            }
            Instr::ArrayStore { array, index, value, element } => {
                want(array, Ref)?;
                operand(index, Int)?;
                self.stored(held, value, element)?;
                return Ok(None);
            }
            Instr::GetStatic { dst, field } => (dst, Shape::of(self.static_field(field)?)),
            Instr::PutStatic { field, value } => {
                self.stored(held, value, self.static_field(field)?)?;
                return Ok(None);
            }
            Instr::Native { dst, method } => {
                let args: Vec<Reg> = (0..self.method.parameters as u32).map(Reg).collect();
                (dst, self.call(held, Callee::Exactly(method), &args)?)
            }
            Instr::Throw { exception: Exception::Object(object) }
            | Instr::CheckNull { object }
            | Instr::Monitor { object, .. } => {
                want(object, Ref)?;
                return Ok(None);
            }
        };
        Ok(Some((dst, shape)))
    }

    fn read(&self, held: &Held, register: Reg) -> Checked<Shape> {
        held.0[register.index()].ok_or_else(|| format!("register {} is read before it is written", register.0))
    }

    fn want(&self, held: &Held, register: Reg, wanted: Shape) -> Checked {
        match self.read(held, register)? {
            shape if shape == wanted => Ok(()),
            shape => Err(format!("register {} holds {shape:?}, not {wanted:?}", register.0)),
        }
    }

    /// A value goes to a place of a type.
    fn stored(&self, held: &Held, value: Reg, ty: Type) -> Checked {
        self.want(held, value, Shape::of(ty).ok_or("a place of no type")?)
    }

    /// The type of a field of the object in a register.
    fn member(&self, object: Reg, field: FieldId) -> Checked<Type> {
        let Some(declared) = self.tables.find_field(field).filter(|field| !field.is_static) else {
            return Err(format!("there is no field {}", field.0));
        };
        if self.semantics.registers == Registers::Reused {
            return Ok(declared.ty);
        }
        match self.method.registers[object.index()].ty {
            Type::Ref(class) if self.tables.is_below(class, declared.class) => Ok(declared.ty),
            ty => Err(format!("{} has no field {}", self.tables.type_name(ty), declared.name)),
        }
    }

    fn static_field(&self, field: FieldId) -> Checked<Type> {
        let declared = self.tables.find_field(field).filter(|field| field.is_static);
        declared.map(|field| field.ty).ok_or_else(|| format!("there is no static field {}", field.0))
    }

    /// Checks the arguments of a call, and says what it gives back.
    fn call(&self, held: &Held, callee: Callee, args: &[Reg]) -> Checked<Option<Shape>> {
        if let (Callee::Virtual(class, _), Registers::Typed) = (callee, self.semantics.registers) {
            let held = args.first().map(|receiver| self.method.registers[receiver.index()].ty);
            if !matches!(held, Some(Type::Ref(held)) if self.tables.is_below(held, class)) {
                return Err("a call on what is no such object".into());
            }
        }
        let (mut count, mut fits) = (0, Ok(()));
        let result = self.tables.signature(callee, &mut |ty| {
            if let (Some(arg), Ok(())) = (args.get(count), &fits) {
                fits = self.passes(held, *arg, ty);
            }
            count += 1;
        });
        match result {
            None => Err("a call of a method that is not there".into()),
            Some(_) if count != args.len() => {
                Err(format!("a call with {} arguments of a method that has {count}", args.len()))
            }
            Some(result) => fits.map(|()| Shape::passed(self.semantics, result)),
        }
    }

    /// An argument goes to a parameter of a type.
    fn passes(&self, held: &Held, arg: Reg, ty: Type) -> Checked {
        self.want(held, arg, Shape::passed(self.semantics, ty).ok_or("a parameter of no type")?)
    }
}

/// Whether values of a kind have an operation.
fn has_operation(kind: Kind, op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => kind != Kind::Bool,
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr => matches!(kind, Kind::Int | Kind::Long),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => matches!(kind, Kind::Bool | Kind::Int | Kind::Long),
        BinaryOp::Lt => kind == Kind::Int,
        BinaryOp::Eq => matches!(kind, Kind::Bool | Kind::Int),
    }
}

fn constant(value: Const) -> Option<Shape> {
    Some(match value {
        Const::Int(_) => Shape::Int,
        Const::Bool(_) => Shape::Bool,
        Const::Long(_) => Shape::Long,
        Const::Float(_) => Shape::Float,
        Const::Double(_) => Shape::Double,
        Const::Null | Const::Str(_) | Const::Class(_) => Shape::Ref,
    })
}
