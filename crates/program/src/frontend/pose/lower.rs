//! Syntax tree to IR, with names resolved and types checked on the way.
//!
//! The language has no casts and does not declare the types of its input symbols, so two things are inferred. An input's type
//! is the most special class that its uses demand (`(e : T)` says otherwise). Where a value of a superclass is used as one
//! of a subclass, a checked cast is inserted, which throws `ClassCastException` when it is wrong. A method whose body has a
//! class other than the declared one gets the common superclass as its result, and a warning. Because both kinds of
//! fact can change the types elsewhere, all bodies are lowered again until nothing changes. An overriding method may
//! declare other classes than the one that it overrides; it takes what any caller may pass, and its callers get what
//! any of the two returns.

use super::ParsedClass;
use super::ast::{Expr, ExprKind, Name, Op};
use super::prototype;
use super::types::InputType;
use crate::assembler::Label;
use crate::frontend::body::{Body, Lowered, Operand, Static};
use crate::frontend::hierarchy::{ClassDecl, Selectors, Skeleton, build, resolve_type};
use crate::ir::*;
use crate::program::Program;
use crate::source::{LoadError, Place, Source};

pub fn lower(
    name: String,
    sources: Vec<Source>,
    mut classes: Vec<ParsedClass>,
    main: Option<Expr>,
) -> Result<Program, LoadError> {
    let mended = prototype::mend_results(&sources, &mut classes, |name| primitive(name).is_some());
    let (declarations, bodies): (Vec<ClassDecl>, Vec<Vec<Expr>>) =
        classes.into_iter().map(|c| (c.declaration, c.bodies)).unzip();
    let Skeleton { mut program, methods, overrides, selectors } = build(name, sources, &declarations, primitive)?;
    for &(overriding, overridden) in &overrides {
        widen_parameters(&mut program, overriding, overridden);
    }
    if let Some(main) = &main {
        program.main = Some(MethodId(program.methods.len() as u32));
        program.methods.push(Method {
            name: "main".into(),
            class: None,
            parameters: 0,
            result: Type::Ref(ClassId(0)),
            registers: Vec::new(),
            code: Vec::new(),
            places: vec![main.place],
            lines: Vec::new(),
            ops: Vec::new(),
            handlers: Vec::new(),
        });
    }
    let mut bodies: Vec<(MethodId, &Expr)> =
        methods.iter().zip(&bodies).flat_map(|(ids, bodies)| ids.iter().copied().zip(bodies)).collect();
    bodies.extend(program.main.zip(main.as_ref()));
    let declared: Vec<Type> = program.methods.iter().map(|m| m.result).collect();
    let mut inputs = Vec::new();
    loop {
        let mut changed = false;
        program.warnings.clone_from(&mended);
        for &(id, body) in &bodies {
            let mut lowering = Lowering::new(&program, &selectors, id, declared[id.index()], &mut inputs);
            lowering.tail(body)?;
            let Lowering { body: Body { code, .. }, result, warnings, changed: inputs_changed, .. } = lowering;
            changed |= inputs_changed;
            program.warnings.extend(warnings);
            let method = &mut program.methods[id.index()];
            changed |= method.result != result;
            let body = code.finish();
            (method.result, method.registers) = (result, body.registers);
            (method.code, method.places) = (body.code, body.marks);
        }
        for &(overriding, overridden) in overrides.iter().rev() {
            changed |= widen_result(&mut program, overriding, overridden);
        }
        program.inputs = inputs.iter().map(|i| Input { name: i.name.clone(), ty: i.ty() }).collect();
        if !changed {
            return Ok(program);
        }
    }
}

/// What a caller may pass to the overridden method arrives at the overriding one too.
fn widen_parameters(program: &mut Program, overriding: MethodId, overridden: MethodId) {
    for i in 1..program.method(overriding).parameters {
        let types = [overriding, overridden].map(|id| program.method(id).registers[i].ty);
        if let [Type::Ref(a), Type::Ref(b)] = types {
            let common = Type::Ref(program.common_superclass(a, b));
            program.methods[overriding.index()].registers[i].ty = common;
        }
    }
}

/// A caller of the overridden method may get what the overriding one returns. Says whether this is news.
fn widen_result(program: &mut Program, overriding: MethodId, overridden: MethodId) -> bool {
    let before = program.method(overridden).result;
    if let (Type::Ref(a), Type::Ref(b)) = (before, program.method(overriding).result) {
        program.methods[overridden.index()].result = Type::Ref(program.common_superclass(a, b));
    }
    program.method(overridden).result != before
}

fn primitive(name: &str) -> Option<Type> {
    match name {
        "int" => Some(Type::Int),
        // The prototype's examples write `boolean`, its grammar `bool`.
        "bool" | "boolean" => Some(Type::Bool),
        _ => None,
    }
}

struct Variable {
    name: String,
    operand: Operand,
    /// Whether it may hold an input that nobody has looked at.
    loads: bool,
}

pub(super) struct Lowering<'a> {
    pub(super) body: Body<'a>,
    method: MethodId,
    pub(super) inputs: &'a mut Vec<InputType>,
    scope: Vec<Variable>,
    /// What the method says it returns, and the closest class above that which it really returns.
    declared: Type,
    result: Type,
    warnings: Vec<LoadError>,
    pub(super) changed: bool,
}

impl<'a> Lowering<'a> {
    fn new(
        program: &'a Program,
        selectors: &'a Selectors,
        method: MethodId,
        declared: Type,
        inputs: &'a mut Vec<InputType>,
    ) -> Lowering<'a> {
        let body = Body::new(program, method, selectors);
        let parameters = (0..).map(Reg).zip(body.code.registers());
        let scope = parameters
            .map(|(register, parameter)| Variable {
                name: parameter.name.clone(),
                operand: Operand { register, ty: Static::Is(parameter.ty), temporary: false },
                loads: register != Reg(0),
            })
            .collect();
        let result = program.method(method).result;
        Lowering { body, method, inputs, scope, declared, result, warnings: Vec::new(), changed: false }
    }

    pub(super) fn program(&self) -> &'a Program {
        self.body.program
    }

    pub(super) fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        self.body.error(place, message)
    }

    pub(super) fn show(&self, ty: Static) -> String {
        match ty {
            Static::Is(ty) => self.program().show_type(ty).to_string(),
            Static::Null => "null".into(),
            Static::Input(i) => self.inputs[i].name.clone(),
            Static::Unit | Static::Never => "nothing".into(),
        }
    }

    /// What the prototype forgives becomes a warning, and a path that comes there is stuck. What is wrong only because a part of it
    /// is stuck is said once.
    fn forgive(&mut self, place: Place, error: LoadError) -> Lowered<()> {
        if !prototype::forgives(&self.program().sources, place) {
            return Err(error);
        }
        let stuck = Instr::Throw { exception: Exception::Named(prototype::STUCK.into()) };
        if self.body.code.code().last() != Some(&stuck) {
            self.warnings.push(error.help(format!("a path that comes here throws {}", prototype::STUCK)));
            self.body.code.emit(place, stuck);
        }
        Ok(())
    }

    // ---- statements in tail position ----

    fn tail(&mut self, expr: &Expr) -> Lowered<()> {
        let outer = self.scope.len();
        self.tail_checked(expr).or_else(|error| {
            self.scope.truncate(outer);
            self.forgive(expr.place, error)
        })
    }

    fn tail_checked(&mut self, expr: &Expr) -> Lowered<()> {
        match &expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                let other = self.condition(condition)?;
                self.tail(then)?;
                self.body.code.bind(other);
                self.tail(otherwise)
            }
            ExprKind::Let(bindings, body) => {
                let outer = self.scope.len();
                for binding in bindings {
                    self.bind(binding)?;
                }
                self.tail(body)?;
                self.close(outer);
                Ok(())
            }
            ExprKind::Block(parts) => {
                let (last, before) = parts.split_last().expect("a block is not empty");
                for part in before {
                    self.discard(part)?;
                }
                self.tail(last)
            }
            _ => {
                let value = self.expr(expr)?;
                self.give(value, expr.place)
            }
        }
    }

    /// Returns a value from the method.
    fn give(&mut self, value: Operand, place: Place) -> Lowered<()> {
        if value.ty == Static::Never {
            return Ok(());
        }
        let is_main = self.program().method(self.method).class.is_none();
        let value = match (value.ty, self.result) {
            _ if is_main => {
                if let Static::Is(ty) = value.ty {
                    self.widen_main(ty, place)?;
                }
                value
            }
            (Static::Is(Type::Ref(have)), Type::Ref(want)) => {
                let Type::Ref(declared) = self.declared else { unreachable!("a reference stays a reference") };
                if !self.program().is_subclass(have, declared) {
                    self.warn_result(have, declared, place);
                }
                self.result = Type::Ref(self.program().common_superclass(have, want));
                value
            }
            (_, want) => self.coerce(value, want, place)?,
        };
        self.body.code.emit(place, Instr::Return { value: Some(value.register) });
        self.body.release(value);
        Ok(())
    }

    fn warn_result(&mut self, have: ClassId, declared: ClassId, place: Place) {
        let program = self.program();
        let message = format!(
            "{} is declared to return {}, but returns {}",
            program.method_name(self.method),
            program.class(declared).name,
            program.class(have).name
        );
        let common = &program.class(self.program().common_superclass(have, declared)).name;
        self.warnings.push(self.error(place, message).help(format!("its result is taken to be of class {common}")));
    }

    /// The main expression has the type of what it returns.
    fn widen_main(&mut self, ty: Type, place: Place) -> Lowered<()> {
        let earlier = self.body.code.code().iter().any(|i| matches!(i, Instr::Return { .. }));
        self.result = match (self.result, ty) {
            (Type::Ref(a), Type::Ref(b)) if earlier => Type::Ref(self.program().common_superclass(a, b)),
            (have, ty) if !earlier || have == ty => ty,
            (have, _) => {
                let (a, b) = (self.program().show_type(ty), self.program().show_type(have));
                return Err(self.error(place, format!("the program returns {a} here and {b} elsewhere")));
            }
        };
        Ok(())
    }

    // ---- expressions ----

    /// Evaluates for the effect.
    fn discard(&mut self, expr: &Expr) -> Lowered<()> {
        let value = self.expr(expr)?;
        self.body.release(value);
        Ok(())
    }

    /// Evaluates a condition and branches on it; the code that follows is the `then` part, the label is for the other.
    fn condition(&mut self, expr: &Expr) -> Lowered<Label> {
        let value = self.typed(expr, Type::Bool)?;
        Ok(self.body.branch(expr.place, value))
    }

    /// An expression of a certain type.
    fn typed(&mut self, expr: &Expr, want: Type) -> Lowered<Operand> {
        let value = self.expr(expr)?;
        self.coerce(value, want, expr.place)
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Lowered<Operand> {
        let outer = self.scope.len();
        self.expr_checked(expr).or_else(|error| {
            self.scope.truncate(outer);
            self.forgive(expr.place, error)?;
            Ok(Operand::nothing(Static::Never))
        })
    }

    fn expr_checked(&mut self, expr: &Expr) -> Lowered<Operand> {
        let place = expr.place;
        match &expr.kind {
            ExprKind::Int(value) => Ok(self.body.constant(place, Const::Int(*value))),
            ExprKind::Bool(value) => Ok(self.body.constant(place, Const::Bool(*value))),
            ExprKind::Null => Ok(self.body.constant(place, Const::Null)),
            ExprKind::Variable(name) => self.variable(name, place),
            ExprKind::Input(name) => Ok(self.input(name, place)),
            ExprKind::New(name) => {
                let class = self.body.class(name)?;
                Ok(self.body.new_object(place, class))
            }
            ExprKind::Let(bindings, body) => {
                let outer = self.scope.len();
                for binding in bindings {
                    self.bind(binding)?;
                }
                let value = self.expr(body)?;
                let value = self.keep(value, outer, place);
                self.close(outer);
                Ok(value)
            }
            ExprKind::If(condition, then, otherwise) => self.choice(place, condition, then, otherwise),
            ExprKind::Binary(op, lhs, rhs) => self.binary(place, *op, lhs, rhs),
            ExprKind::Not(inner) => {
                let value = self.typed(inner, Type::Bool)?;
                Ok(self.body.not(place, value))
            }
            ExprKind::InstanceOf(inner, class) => {
                let class = self.body.class(class)?;
                let value = self.reference(inner)?;
                Ok(self.body.instance_of(place, value, class))
            }
            ExprKind::IsResolved(object, name) => {
                let (object, field) = self.object_with(object, name)?;
                if !self.program().field(field).ty.is_ref() {
                    return Err(self.error(name.place, format!("{} is no reference: it is always resolved", name.text)));
                }
                Ok(self.body.is_resolved(place, object, field))
            }
            ExprKind::Get(object, name) => {
                let (object, field) = self.object_with(object, name)?;
                Ok(self.body.read(place, object, field))
            }
            ExprKind::Put(object, name, value) => {
                let (object, field) = self.object_with(object, name)?;
                let value = self.typed(value, self.program().field(field).ty)?;
                self.body.write(place, object, field, value);
                Ok(value)
            }
            ExprKind::Invoke(receiver, name, args) => self.invoke(place, receiver, name, args),
            ExprKind::Block(parts) => {
                let (last, before) = parts.split_last().expect("a block is not empty");
                for part in before {
                    self.discard(part)?;
                }
                self.expr(last)
            }
            ExprKind::Typed(inner, ty) => {
                let want = resolve_type(self.program(), primitive, ty)?;
                let value = self.expr(inner)?;
                self.annotate(value, want, place)
            }
            ExprKind::Assert(condition) => {
                let value = self.typed(condition, Type::Bool)?;
                self.body.code.emit(place, Instr::Assert { condition: value.register });
                Ok(value)
            }
            ExprKind::Reach(name) => {
                self.body.code.emit(place, Instr::Reach { place: name.text.as_str().into() });
                Ok(self.body.constant(place, Const::Bool(false)))
            }
            ExprKind::Throw(name) => {
                self.body.code.emit(place, Instr::Throw { exception: Exception::Named(name.text.as_str().into()) });
                Ok(Operand::nothing(Static::Never))
            }
        }
    }

    fn variable(&mut self, name: &str, place: Place) -> Lowered<Operand> {
        let Some(variable) = self.scope.iter().rev().find(|v| v.name == name) else {
            return Err(self.body.unknown_variable(name, place, self.scope.iter().map(|v| v.name.as_str())));
        };
        let (operand, loads) = (Operand { temporary: false, ..variable.operand }, variable.loads);
        if loads && !operand.ty.is_primitive() {
            self.body.code.emit(place, Instr::Load { register: operand.register });
        }
        Ok(operand)
    }

    fn input(&mut self, name: &str, place: Place) -> Operand {
        let known = self.inputs.iter().position(|i| i.name == name);
        let index = known.unwrap_or_else(|| {
            let integer = name.starts_with('X');
            self.inputs.push(InputType { name: name.into(), integer, annotated: None, demanded: None });
            self.changed = true;
            self.inputs.len() - 1
        });
        let ty = self.inputs[index].ty();
        let register = self.body.code.register("", ty);
        self.body.code.emit(place, Instr::Input { dst: register, input: InputId(index as u32) });
        let ty = if ty == Type::Int { Static::Is(ty) } else { Static::Input(index) };
        Operand { register, ty, temporary: true }
    }

    fn bind(&mut self, binding: &super::ast::Binding) -> Lowered<()> {
        let mut value = self.expr(&binding.value)?;
        let place = binding.value.place;
        if let Some(ty) = &binding.ty {
            let want = resolve_type(self.program(), primitive, ty)?;
            value = self.annotate(value, want, place)?;
        }
        // A variable bound to another variable is the same register: there is no assignment.
        let aliased = self.scope.iter().any(|v| v.loads && v.operand.register == value.register);
        let loads = matches!(value.ty, Static::Input(_)) || aliased;
        if value.temporary && value.ty != Static::Never {
            self.body.code.name(value.register, &binding.name.text);
        }
        self.scope.push(Variable { name: binding.name.text.clone(), operand: value, loads });
        Ok(())
    }

    /// Leaves a scope.
    fn close(&mut self, outer: usize) {
        while self.scope.len() > outer {
            let variable = self.scope.pop().expect("longer than the outer scope");
            self.body.release(variable.operand);
        }
    }

    /// A value that outlives the scope it was computed in is not freed with the scope's variables.
    fn keep(&mut self, value: Operand, outer: usize, place: Place) -> Operand {
        let owned = self.scope[outer..].iter().any(|v| v.operand.temporary && v.operand.register == value.register);
        if owned && value.ty.has_value() { self.body.copy(value, place) } else { value }
    }

    fn choice(&mut self, place: Place, condition: &Expr, then: &Expr, otherwise: &Expr) -> Lowered<Operand> {
        let other = self.condition(condition)?;
        let a = self.expr(then)?;
        let meeting = self.body.first_branch(other, a, then.place);
        let b = self.expr(otherwise)?;
        let (b, joined) = match self.join(a.ty, b.ty, place) {
            Ok(joined) => (b, joined),
            Err(error) => {
                self.forgive(place, error)?;
                (Operand::nothing(Static::Never), a.ty)
            }
        };
        Ok(self.body.meet(meeting, b, joined, otherwise.place))
    }

    fn binary(&mut self, place: Place, op: Op, lhs: &Expr, rhs: &Expr) -> Lowered<Operand> {
        let (ir, swapped, negated) = match op {
            Op::Add => (BinaryOp::Add, false, false),
            Op::Sub => (BinaryOp::Sub, false, false),
            Op::Lt => (BinaryOp::Lt, false, false),
            Op::Gt => (BinaryOp::Lt, true, false),
            Op::Ge => (BinaryOp::Lt, false, true),
            Op::Le => (BinaryOp::Lt, true, true),
            Op::And => (BinaryOp::And, false, false),
            Op::Or => (BinaryOp::Or, false, false),
            Op::Eq | Op::Ne => return self.equality(place, lhs, rhs, op == Op::Ne),
        };
        let operand = if matches!(ir, BinaryOp::And | BinaryOp::Or) { Type::Bool } else { Type::Int };
        let a = self.typed(lhs, operand)?;
        let b = self.typed(rhs, operand)?;
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let value = self.body.binary(place, ir, a, b);
        Ok(if negated { self.body.not(place, value) } else { value })
    }

    fn equality(&mut self, place: Place, lhs: &Expr, rhs: &Expr, negated: bool) -> Lowered<Operand> {
        let a = self.expr(lhs)?;
        let b = self.expr(rhs)?;
        match self.body.equal(place, a, b) {
            Some(value) if negated => Ok(self.body.not(place, value)),
            Some(value) => Ok(value),
            None => Err(self.error(place, format!("{} cannot be compared with {}", self.show(a.ty), self.show(b.ty)))),
        }
    }

    fn invoke(&mut self, place: Place, receiver: &Expr, name: &Name, args: &[Expr]) -> Lowered<Operand> {
        let value = self.reference(receiver)?;
        let selector = self.body.selector(name, args.len())?;
        let program = self.program();
        let has = |class: ClassId| program.class(class).methods.contains_key(&selector);
        let owner = self.owner(value.ty, name, "method", has)?;
        let value = self.as_object(value, owner, receiver.place)?;
        let method = program.method(program.class(owner).methods[&selector]);
        let wanted = &method.registers[1..method.parameters];
        let mut operands = Vec::with_capacity(args.len());
        for (arg, want) in args.iter().zip(wanted) {
            operands.push(self.typed(arg, want.ty)?);
        }
        Ok(self.body.call(place, value, selector, &operands, method.result))
    }
}
