//! Syntax tree to IR, with names resolved and types checked on the way. The documents leave types to the reader; the
//! rules here are Java's: a value fits where its class or a superclass is wanted, a member belongs to the static class,
//! and only `(C e)` goes down the hierarchy.
//!
//! Variables can be assigned, and an operand that is a variable is not copied but is the variable's register. It is
//! copied only if an operand that is evaluated later assigns variables ([`Expr::assigns`]). `unit`, the absence of a
//! value, has no IR type: a method of type `unit` returns null of the root class, and no caller can use it.

use rustc_hash::FxHashMap;

use super::ast::{Expr, ExprKind, Name, Parsed};
use crate::assembler::{Assembler, Label};
use crate::frontend::body::{Body, Lowered, Operand, Static};
use crate::frontend::hierarchy::{MethodDecl, Selectors, Skeleton, TypeName, build, resolve_type, suggest};
use crate::ir::*;
use crate::program::Program;
use crate::source::{LoadError, Place, Source};

/// The IR type of a method that returns nothing.
const UNIT: Type = Type::Ref(ClassId(0));

pub fn lower(name: String, sources: Vec<Source>, parsed: Parsed) -> Result<Program, LoadError> {
    let Skeleton { mut program, methods, overrides, selectors } = build(name, sources, &parsed.classes, primitive)?;
    let ids = methods.iter().flatten().copied();
    let declared: FxHashMap<MethodId, &MethodDecl> = ids.zip(parsed.classes.iter().flat_map(|c| &c.methods)).collect();
    let mut units = vec![false; program.methods.len()];
    for (id, method) in &declared {
        units[id.index()] = method.result.name == "unit";
    }
    for &(overriding, overridden) in &overrides {
        check_override(&program, &units, declared[&overriding], overriding, overridden)?;
    }
    for (id, body) in methods.iter().flatten().zip(parsed.bodies.iter().flatten()) {
        let lowering = Lowering::new(&program, &selectors, &units, *id);
        let code = lowering.method(body)?.code;
        let method = &mut program.methods[id.index()];
        let body = code.finish();
        (method.registers, method.code, method.places) = (body.registers, body.code, body.marks);
    }
    if let Some((class, method)) = &parsed.entry {
        program.main = Some(entry(&mut program, class, method)?);
    }
    Ok(program)
}

fn primitive(name: &str) -> Option<Type> {
    match name {
        "int" => Some(Type::Int),
        "bool" => Some(Type::Bool),
        // The parser accepts it only as the result of a method.
        "unit" => Some(UNIT),
        _ => None,
    }
}

/// An overriding method has the same parameter types, and returns the same type or a subclass.
fn check_override(
    program: &Program,
    units: &[bool],
    declaration: &MethodDecl,
    overriding: MethodId,
    overridden: MethodId,
) -> Lowered<()> {
    let (below, above) = (program.method(overriding), program.method(overridden));
    let parameters = |m: &Method| m.registers[1..m.parameters].iter().map(|r| r.ty).collect::<Vec<_>>();
    let covariant = match (below.result, above.result) {
        _ if units[overriding.index()] || units[overridden.index()] => {
            units[overriding.index()] == units[overridden.index()]
        }
        (Type::Ref(a), Type::Ref(b)) => program.is_subclass(a, b),
        (a, b) => a == b,
    };
    if covariant && parameters(below) == parameters(above) {
        return Ok(());
    }
    let message = format!("{} does not fit {}, which it overrides", declaration.name, program.method_name(overridden));
    let error = LoadError::at(&program.sources, declaration.place, message);
    Err(error.help("the parameters have the same types, the result the same type or a subclass"))
}

/// The method that `(C m)` names. Its receiver is of class `C`: for an inherited one, a method is made that calls it.
fn entry(program: &mut Program, class_name: &Name, method_name: &Name) -> Lowered<MethodId> {
    let Some(class) = program.class_named(&class_name.text) else {
        let error = LoadError::at(&program.sources, class_name.place, format!("there is no class {}", class_name.text));
        return Err(suggest(error, &class_name.text, program.classes.iter().map(|c| c.name.as_str())));
    };
    let table = &program.class(class).methods;
    let selector_name = |selector: &Selector| program.selectors[selector.index()].0.as_str();
    let mut found: Vec<(Selector, MethodId)> = table.iter().map(|(s, m)| (*s, *m)).collect();
    found.retain(|(selector, _)| selector_name(selector) == method_name.text);
    let (selector, id) = match found.as_slice() {
        [one] => *one,
        [] => {
            let message = format!("{} has no method {}", class_name.text, method_name.text);
            let error = LoadError::at(&program.sources, method_name.place, message);
            return Err(suggest(error, &method_name.text, table.keys().map(selector_name)));
        }
        _ => {
            let message = format!("{} has several methods {}", class_name.text, method_name.text);
            return Err(LoadError::at(&program.sources, method_name.place, message));
        }
    };
    let inherited = program.method(id);
    if inherited.class == Some(class) {
        return Ok(id);
    }
    let mut registers = inherited.registers[..inherited.parameters].to_vec();
    registers[0].ty = Type::Ref(class);
    let args = (0..registers.len() as u32).map(Reg).collect();
    let mut code = Assembler::new(registers);
    let dst = code.fresh("", inherited.result);
    code.emit(method_name.place, Instr::Call { dst, callee: Callee::Virtual(class, selector), args });
    code.emit(method_name.place, Instr::Return { value: Some(dst) });
    let body = code.finish();
    let made = Method {
        class: Some(class),
        registers: body.registers,
        code: body.code,
        places: body.marks,
        ..inherited.clone()
    };
    program.methods.push(made);
    Ok(MethodId(program.methods.len() as u32 - 1))
}

struct Variable {
    name: String,
    register: Reg,
    ty: Type,
    /// Whether the register is freed with the variable: it is neither a parameter nor another variable's.
    owned: bool,
    /// Whether it may hold an input that nobody has looked at. Parameters may, when the method is where the run
    /// begins; everything else was computed from values that were read.
    loads: bool,
}

struct Lowering<'a> {
    body: Body<'a>,
    scope: Vec<Variable>,
    /// Which methods return nothing.
    units: &'a [bool],
    method: MethodId,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program, selectors: &'a Selectors, units: &'a [bool], method: MethodId) -> Lowering<'a> {
        let body = Body::new(program, method, selectors);
        let scope = (0..)
            .map(Reg)
            .zip(body.code.registers())
            .map(|(register, parameter)| Variable {
                name: parameter.name.clone(),
                register,
                ty: parameter.ty,
                owned: false,
                loads: register != Reg(0) && parameter.ty.is_ref(),
            })
            .collect();
        Lowering { body, scope, units, method }
    }

    fn program(&self) -> &'a Program {
        self.body.program
    }

    fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        self.body.error(place, message)
    }

    fn show(&self, ty: Static) -> &'a str {
        match ty {
            Static::Is(ty) => self.program().show_type(ty),
            Static::Null => "null",
            Static::Unit => "unit",
            Static::Never => "error",
            Static::Input(_) => unreachable!("Javalite declares its inputs"),
        }
    }

    // ---- where no value is wanted, and where it is returned ----

    fn method(mut self, expr: &Expr) -> Lowered<Body<'a>> {
        if self.units[self.method.index()] {
            self.discard(expr)?;
            let nothing = self.body.constant(expr.place, Const::Null);
            self.body.code.emit(expr.place, Instr::Return { value: Some(nothing.register) });
        } else {
            self.tail(expr)?;
        }
        Ok(self.body)
    }

    fn tail(&mut self, expr: &Expr) -> Lowered<()> {
        match &expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                let other = self.condition(condition)?;
                self.tail(then)?;
                self.body.code.bind(other);
                self.tail(otherwise)
            }
            ExprKind::Var(ty, name, value, body) => {
                self.bind(ty, name, value, body)?;
                self.tail(body)?;
                self.unbind();
                Ok(())
            }
            ExprKind::Begin(parts) => {
                let last = self.all_but_last(parts)?;
                self.tail(last)
            }
            _ => {
                let value = self.expr(expr)?;
                if value.ty != Static::Never {
                    let value = self.fit(value, self.program().method(self.method).result, expr.place)?;
                    self.body.code.emit(expr.place, Instr::Return { value: Some(value.register) });
                    self.body.release(value);
                }
                Ok(())
            }
        }
    }

    /// Evaluates for the effect: the branches of a conditional need not have one type.
    fn discard(&mut self, expr: &Expr) -> Lowered<()> {
        match &expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                let other = self.condition(condition)?;
                self.discard(then)?;
                let end = self.body.code.label();
                self.body.code.jump(then.place, end);
                self.body.code.bind(other);
                self.discard(otherwise)?;
                self.body.code.bind(end);
            }
            ExprKind::Var(ty, name, value, body) => {
                self.bind(ty, name, value, body)?;
                self.discard(body)?;
                self.unbind();
            }
            ExprKind::Begin(parts) => {
                let last = self.all_but_last(parts)?;
                self.discard(last)?;
            }
            _ => {
                let value = self.expr(expr)?;
                self.body.release(value);
            }
        }
        Ok(())
    }

    fn all_but_last<'e>(&mut self, parts: &'e [Expr]) -> Lowered<&'e Expr> {
        let (last, before) = parts.split_last().expect("an empty begin is unit");
        before.iter().try_for_each(|part| self.discard(part))?;
        Ok(last)
    }

    // ---- expressions ----

    fn condition(&mut self, expr: &Expr) -> Lowered<Label> {
        let value = self.typed(expr, Type::Bool)?;
        Ok(self.body.branch(expr.place, value))
    }

    /// An expression of a certain type.
    fn typed(&mut self, expr: &Expr, want: Type) -> Lowered<Operand> {
        if let (ExprKind::Null, Type::Ref(_)) = (&expr.kind, want) {
            // Of the right class at once: the register may become a variable.
            let null = self.body.temporary(want);
            self.body.code.emit(expr.place, Instr::Const { dst: null.register, value: Const::Null });
            return Ok(null);
        }
        let value = self.expr(expr)?;
        self.fit(value, want, expr.place)
    }

    /// An expression that is an object of a known class.
    fn object(&mut self, expr: &Expr) -> Lowered<(Operand, ClassId)> {
        let value = self.expr(expr)?;
        match value.ty {
            Static::Is(Type::Ref(class)) => Ok((self.body.as_object(value, class, expr.place), class)),
            ty => Err(self.error(expr.place, format!("an object is wanted here, not {}", self.show(ty)))),
        }
    }

    /// An operand that keeps its value although variables are assigned before it is used.
    fn kept(&mut self, value: Operand, place: Place, assigned_later: bool) -> Operand {
        let endangered = assigned_later && !value.temporary && value.ty.has_value();
        if endangered { self.body.copy(value, place) } else { value }
    }

    fn expr(&mut self, expr: &Expr) -> Lowered<Operand> {
        let place = expr.place;
        match &expr.kind {
            ExprKind::Int(value) => Ok(self.body.constant(place, Const::Int(*value))),
            ExprKind::Bool(value) => Ok(self.body.constant(place, Const::Bool(*value))),
            ExprKind::Null => Ok(self.body.constant(place, Const::Null)),
            ExprKind::Unit => Ok(Operand::nothing(Static::Unit)),
            ExprKind::Error => {
                self.body.code.emit(place, Instr::Throw { exception: Exception::Named("error".into()) });
                Ok(Operand::nothing(Static::Never))
            }
            ExprKind::Variable(name) => self.variable(name, place),
            ExprKind::New(name) => {
                let class = self.body.class(name)?;
                Ok(self.body.new_object(place, class))
            }
            ExprKind::Get(object, name) => {
                let (object, class) = self.object(object)?;
                let field = self.field(class, name)?;
                Ok(self.body.read(place, object, field))
            }
            ExprKind::Put(object, name, value) => self.put(place, object, name, value),
            ExprKind::Invoke(receiver, name, args) => self.invoke(place, receiver, name, args),
            ExprKind::Equal(lhs, rhs) => self.equal(place, lhs, rhs),
            ExprKind::Arithmetic(op, lhs, rhs) => {
                let a = self.typed(lhs, Type::Int)?;
                let a = self.kept(a, lhs.place, rhs.assigns);
                let b = self.typed(rhs, Type::Int)?;
                Ok(self.body.binary(place, *op, a, b))
            }
            ExprKind::Not(inner) => {
                let value = self.typed(inner, Type::Bool)?;
                Ok(self.body.not(place, value))
            }
            ExprKind::InstanceOf(inner, class) => {
                let class = self.body.class(class)?;
                let (value, _) = self.object(inner)?;
                Ok(self.body.instance_of(place, value, class))
            }
            ExprKind::Cast(class, inner) => self.cast(place, class, inner),
            ExprKind::Assign(name, value) => self.assign(place, name, value),
            ExprKind::If(condition, then, otherwise) => {
                let other = self.condition(condition)?;
                let a = self.expr(then)?;
                let meeting = self.body.first_branch(other, a, then.place);
                let b = self.expr(otherwise)?;
                let joined = self.join(a.ty, b.ty, place)?;
                Ok(self.body.meet(meeting, b, joined, otherwise.place))
            }
            ExprKind::Var(ty, name, value, body) => {
                self.bind(ty, name, value, body)?;
                let value = self.expr(body)?;
                let variable = self.scope.last().expect("the variable that was bound");
                // A value that outlives the variable it is in is not freed with it.
                let dies = variable.owned && value.ty.has_value() && variable.register == value.register;
                let value = if dies { self.body.copy(value, place) } else { value };
                self.unbind();
                Ok(value)
            }
            ExprKind::Begin(parts) => {
                let last = self.all_but_last(parts)?;
                self.expr(last)
            }
            ExprKind::Assert(condition) => {
                let value = self.typed(condition, Type::Bool)?;
                self.body.code.emit(place, Instr::Assert { condition: value.register });
                Ok(value)
            }
        }
    }

    // ---- variables ----

    fn lookup(&self, name: &str, place: Place) -> Lowered<&Variable> {
        let unknown = || self.body.unknown_variable(name, place, self.scope.iter().map(|v| v.name.as_str()));
        self.scope.iter().rev().find(|v| v.name == name).ok_or_else(unknown)
    }

    fn variable(&mut self, name: &str, place: Place) -> Lowered<Operand> {
        let &Variable { register, ty, loads, .. } = self.lookup(name, place)?;
        if loads {
            self.body.code.emit(place, Instr::Load { register });
        }
        Ok(Operand { register, ty: Static::Is(ty), temporary: false })
    }

    fn assign(&mut self, place: Place, name: &Name, value: &Expr) -> Lowered<Operand> {
        let &Variable { register, ty, .. } = self.lookup(&name.text, name.place)?;
        let value = self.typed(value, ty)?;
        self.body.code.emit(place, Instr::Move { dst: register, src: value.register });
        self.body.release(value);
        Ok(Operand { register, ty: Static::Is(ty), temporary: false })
    }

    /// Declares a variable. It takes the register of its first value where that is possible: the register of a
    /// temporary of its own type, or of another variable if neither is assigned while it lives.
    fn bind(&mut self, ty: &TypeName, name: &Name, value: &Expr, body: &Expr) -> Lowered<()> {
        let ty = resolve_type(self.program(), primitive, ty)?;
        let place = value.place;
        let value = self.typed(value, ty)?;
        let same_type = self.body.register_type(value) == ty;
        let (register, owned) = match value.temporary {
            true if same_type => (value.register, true),
            false if same_type && !body.assigns => (value.register, false),
            _ => {
                let register = self.body.code.register(&name.text, ty);
                self.body.code.emit(place, Instr::Move { dst: register, src: value.register });
                self.body.release(value);
                (register, true)
            }
        };
        if owned {
            self.body.code.name(register, &name.text);
        }
        self.scope.push(Variable { name: name.text.clone(), register, ty, owned, loads: false });
        Ok(())
    }

    fn unbind(&mut self) {
        let variable = self.scope.pop().expect("a variable was bound");
        if variable.owned {
            self.body.code.release(variable.register);
        }
    }

    // ---- objects ----

    /// The variable is looked up after the value was computed, as in the documents' machine.
    fn put(&mut self, place: Place, object: &Name, name: &Name, value: &Expr) -> Lowered<Operand> {
        let variable = self.lookup(&object.text, object.place)?;
        let Type::Ref(class) = variable.ty else {
            let found = self.program().show_type(variable.ty);
            return Err(self.error(object.place, format!("an object is wanted here, not {found}")));
        };
        let field = self.field(class, name)?;
        let value = self.typed(value, self.program().field(field).ty)?;
        let object = self.variable(&object.text, object.place)?;
        self.body.write(place, object, field, value);
        Ok(value)
    }

    fn invoke(&mut self, place: Place, receiver: &Expr, name: &Name, args: &[Expr]) -> Lowered<Operand> {
        let (object, class) = self.object(receiver)?;
        let selector = self.body.selector(name, args.len())?;
        let program = self.program();
        let Some(&id) = program.class(class).methods.get(&selector) else {
            let known = program.class(class).methods.keys().map(|s| program.selectors[s.index()].0.as_str());
            let error = self.body.no_member(&program.class(class).name, "method", name, known);
            return Err(self.below(error, class, |c| program.class(c).methods.contains_key(&selector)));
        };
        let last_assigning = args.iter().rposition(|arg| arg.assigns);
        let object = self.kept(object, receiver.place, last_assigning.is_some());
        let method = program.method(id);
        let mut operands = Vec::with_capacity(args.len());
        for (at, (arg, want)) in args.iter().zip(&method.registers[1..method.parameters]).enumerate() {
            let value = self.typed(arg, want.ty)?;
            operands.push(self.kept(value, arg.place, last_assigning.is_some_and(|last| at < last)));
        }
        let result = self.body.call(place, object, selector, &operands, method.result);
        if !self.units[id.index()] {
            return Ok(result);
        }
        self.body.release(result);
        Ok(Operand::nothing(Static::Unit))
    }

    fn equal(&mut self, place: Place, lhs: &Expr, rhs: &Expr) -> Lowered<Operand> {
        let a = self.expr(lhs)?;
        let a = self.kept(a, lhs.place, rhs.assigns);
        let b = self.expr(rhs)?;
        self.body.equal(place, a, b).ok_or_else(|| {
            self.error(place, format!("{} cannot be compared with {}", self.show(a.ty), self.show(b.ty)))
        })
    }

    fn cast(&mut self, place: Place, class: &Name, inner: &Expr) -> Lowered<Operand> {
        let class = self.body.class(class)?;
        if matches!(inner.kind, ExprKind::Null) {
            return self.typed(inner, Type::Ref(class));
        }
        let (value, have) = self.object(inner)?;
        if !self.program().related(have, class) {
            let names = [have, class].map(|c| self.program().class(c).name.as_str());
            return Err(self.error(place, format!("an object of class {} is never one of {}", names[0], names[1])));
        }
        let value = self.body.cast(value, have, class, place);
        Ok(Operand { ty: Static::Is(Type::Ref(class)), ..value })
    }

    fn field(&self, class: ClassId, name: &Name) -> Lowered<FieldId> {
        let program = self.program();
        program.field_named(class, &name.text).ok_or_else(|| {
            let known = program.class(class).layout.iter().map(|f| program.field(*f).name.as_str());
            let error = self.body.no_member(&program.class(class).name, "field", name, known);
            self.below(error, class, |c| program.field_named(c, &name.text).is_some())
        })
    }

    /// Adds that a subclass has the member, if that is so and there is no better advice.
    fn below(&self, error: LoadError, class: ClassId, has: impl Fn(ClassId) -> bool) -> LoadError {
        let program = self.program();
        let mut subclasses = (class.0 + 1..=program.class(class).last.0).map(ClassId);
        match subclasses.find(|c| has(*c)).map(|c| &program.class(c).name) {
            Some(name) if error.help.is_none() => error.help(format!("its subclass {name} has one: cast, ({name} e)")),
            _ => error,
        }
    }

    // ---- types ----

    fn join(&self, a: Static, b: Static, place: Place) -> Lowered<Static> {
        Ok(match (a, b) {
            (Static::Never, other) | (other, Static::Never) => other,
            (Static::Null, Static::Is(Type::Ref(_))) => b,
            (Static::Is(Type::Ref(_)), Static::Null) => a,
            (Static::Is(Type::Ref(a)), Static::Is(Type::Ref(b))) => {
                Static::Is(Type::Ref(self.program().common_superclass(a, b)))
            }
            (a, b) if a == b => a,
            (a, b) => {
                let message = format!("the branches have different types: {} and {}", self.show(a), self.show(b));
                return Err(self.error(place, message));
            }
        })
    }

    /// Accepts a value where a type is wanted.
    fn fit(&self, value: Operand, want: Type, place: Place) -> Lowered<Operand> {
        let program = self.program();
        match (value.ty, want) {
            (Static::Is(have), want) if have == want => Ok(value),
            (Static::Is(Type::Ref(have)), Type::Ref(class)) if program.is_subclass(have, class) => Ok(value),
            (Static::Null, Type::Ref(_)) => Ok(Operand { ty: Static::Is(want), ..value }),
            (Static::Never, _) => Err(self.error(place, "a value is wanted here, and this has none")),
            (have, want) => {
                let message = format!("expected {}, found {}", program.show_type(want), self.show(have));
                let error = self.error(place, message);
                Err(match (have, want) {
                    (Static::Is(Type::Ref(have)), Type::Ref(class)) if program.is_subclass(class, have) => {
                        error.help(format!("cast: ({} e)", program.class(class).name))
                    }
                    _ => error,
                })
            }
        }
    }
}
