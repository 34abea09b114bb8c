//! From a method's bytecode to the IR: the JVM's stack becomes registers.
//!
//! Every local and every place of the stack has a register. While a block is lowered, a place of the stack may stand for a
//! local or a constant that was pushed there, so that most pushes and pops cost no instruction; at the end of a block everything is in
//! its own register. Blocks are lowered as they are reached, because what is on the stack at a block's start is known from where
//! it was jumped to.

mod body;
mod calls;
mod dynamic;
mod handles;
mod locals;
mod stack;
mod synthetic;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::assembler::{Assembler, Label};
use crate::bytecode::code::{self, Code, Op};
use crate::ir::*;
use crate::library::{Bodies, Declared, Library, THROWER, access, linkage};
use crate::verify::verify_body;

use stack::{Entry, Value};
pub use synthetic::Synthetic;

/// What the library is given: it asks for a body when it is first needed.
pub const BODIES: Bodies = Bodies { method, thrower };

/// Lowers a method. What cannot be lowered stops the trace that comes there.
fn method(library: &Library, id: MethodId) -> Method {
    let declared = library.declared(id);
    let name = || library.method_signature(id);
    if library.is_provided(declared) {
        return body::native(library, id);
    }
    if declared.is(access::ABSTRACT) {
        return body::failing(library, id, linkage::ABSTRACT);
    }
    let code = library.method_in_file(declared).map(|(file, index)| file.methods[index].code());
    match code {
        Some(Ok(Some(code))) => match Lowering::new(library, id, code).and_then(|lowering| lowering.lower()) {
            Ok(method) => method,
            Err(why) => body::unsupported(library, id, format!("{}: {why}", name())),
        },
        Some(Err(error)) => body::unsupported(library, id, format!("{}: {error}", name())),
        _ => body::unsupported(library, id, format!("{}, which has no code,", name())),
    }
}

/// The body of a method that throws a new exception.
fn thrower(library: &Library, class: ClassId, descriptor: &str, parameters: &[Type]) -> Method {
    let mut body = Synthetic::new(library, parameters, Type::Void);
    let arguments: Vec<Reg> = (0..parameters.len() as u32).map(Reg).collect();
    let exception = body.new_object(class, descriptor, &arguments);
    body.emit(Instr::Throw { exception: Exception::Object(exception) });
    body.finish(THROWER, class)
}

struct Lowering<'a> {
    library: &'a Library,
    declared: &'a Declared,
    code: &'a Code,
    /// The register of every local.
    locals: Vec<Reg>,
    /// The register of the lowest place of the stack, and the first after the highest.
    stack_base: u32,
    scratch: u32,
    stack: Vec<Entry>,
    /// The mark of an instruction is the bytecode instruction it belongs to.
    out: Assembler<u32>,
    /// The bytecode instruction in work.
    at: usize,
    leaders: FxHashSet<u32>,
    /// Where the code of a block begins.
    blocks: FxHashMap<u32, Label>,
    open: Vec<(u32, Vec<code::Kind>)>,
    /// The reference parameters that were looked at in this block.
    loaded: FxHashSet<u16>,
    parameter_locals: FxHashSet<u16>,
    /// What is on the stack where a block begins, and the first block of which two paths say different things.
    shapes: FxHashMap<u32, Vec<code::Kind>>,
    conflict: Option<u32>,
    /// For every `jsr`, the instruction after it and the stack there.
    returns: Vec<(u32, Vec<code::Kind>)>,
}

type Lowered<T> = Result<T, String>;

impl<'a> Lowering<'a> {
    fn new(library: &'a Library, id: MethodId, code: &'a Code) -> Lowered<Lowering<'a>> {
        let declared = library.declared(id);
        let mut locals = vec![None; code.max_locals as usize];
        let mut at = 0;
        let mut parameter_locals = FxHashSet::default();
        for (number, ty) in declared.parameters.iter().enumerate() {
            let local = locals.get_mut(at).ok_or("its parameters do not fit into its locals")?;
            *local = Some(Reg(number as u32));
            if ty.is_ref() {
                parameter_locals.insert(at as u16);
            }
            at += if matches!(ty, Type::Long | Type::Double) { 2 } else { 1 };
        }
        let mut next = declared.parameters.len() as u32;
        let locals: Vec<Reg> = locals
            .into_iter()
            .map(|register| {
                register.unwrap_or_else(|| {
                    next += 1;
                    Reg(next - 1)
                })
            })
            .collect();
        let mut leaders = FxHashSet::default();
        for (at, op) in code.ops.iter().enumerate() {
            let mut follows = true;
            match op {
                Op::IfZero(_, target) | Op::IfInt(_, target) | Op::IfRef(_, target) | Op::IfNull(_, target) => {
                    leaders.insert(*target);
                }
                Op::Goto(target) | Op::Jsr(target) => {
                    leaders.insert(*target);
                }
                Op::Switch { default, cases } => {
                    leaders.insert(*default);
                    leaders.extend(cases.iter().map(|(_, target)| *target));
                }
                _ => follows = false,
            }
            if follows {
                leaders.insert(at as u32 + 1);
            }
        }
        leaders.extend(code.handlers.iter().map(|handler| handler.handler));
        Ok(Lowering {
            library,
            declared,
            code,
            locals,
            stack_base: next,
            scratch: next + code.max_stack as u32,
            stack: Vec::new(),
            out: Assembler::new(body::parameters(library, id, Some(code))),
            at: 0,
            leaders,
            blocks: FxHashMap::default(),
            open: vec![(0, Vec::new())],
            loaded: FxHashSet::default(),
            parameter_locals,
            shapes: FxHashMap::default(),
            conflict: None,
            returns: Vec::new(),
        })
    }

    fn lower(mut self) -> Lowered<Method> {
        self.check_locals()?;
        for handler in &self.code.handlers {
            self.open.push((handler.handler, vec![code::Kind::Ref]));
        }
        self.open.reverse();
        while let Some((leader, kinds)) = self.open.pop() {
            if !self.is_lowered(leader) {
                self.lower_from(leader, kinds)?;
            }
        }
        if let Some(block) = self.conflict {
            return Err(format!("the paths to instruction {block} disagree on its stack"));
        }
        let library = self.library;
        let body = self.finish();
        // The code of a class file may be wrong in ways that only paths through it show.
        verify_body(library, &body).map_err(|fault| format!("its code is wrong {fault}"))?;
        Ok(body)
    }

    /// Lowers blocks one after the other as long as each runs into the next.
    fn lower_from(&mut self, leader: u32, kinds: Vec<code::Kind>) -> Lowered<()> {
        self.stack = kinds.into_iter().map(|kind| Entry { kind, value: Value::Here, new_throwable: false }).collect();
        self.begin(leader);
        self.at = leader as usize;
        loop {
            let op = self.code.ops.get(self.at).ok_or("control runs off its end")?;
            self.op(op)?;
            if !op.falls_through() || matches!(op, Op::Jsr(_)) {
                return Ok(());
            }
            let next = self.at as u32 + 1;
            if self.leaders.contains(&next) {
                self.flush();
                self.come_to(next);
                if self.is_lowered(next) {
                    self.jump(next);
                    return Ok(());
                }
                self.begin(next);
            }
            self.at += 1;
        }
    }

    fn begin(&mut self, leader: u32) {
        let label = self.label(leader);
        self.out.bind(label);
        self.loaded.clear();
    }

    /// Where a block begins, or will begin.
    fn label(&mut self, block: u32) -> Label {
        *self.blocks.entry(block).or_insert_with(|| self.out.label())
    }

    fn is_lowered(&self, block: u32) -> bool {
        self.blocks.get(&block).is_some_and(|label| self.out.is_bound(*label))
    }

    fn emit(&mut self, instr: Instr) {
        self.out.emit(self.at as u32, instr);
    }

    fn jump(&mut self, block: u32) {
        let label = self.label(block);
        self.out.jump(self.at as u32, label);
    }

    // ---- instructions ----

    fn op(&mut self, op: &Op) -> Lowered<()> {
        use code::Kind as K;
        match op {
            Op::Nop => {}
            Op::Const(constant) => self.constant(constant)?,
            Op::Load(kind, local) => self.load(*kind, *local)?,
            Op::Store(kind, local) => self.store(*kind, *local)?,
            Op::ArrayLoad(element) => self.array_load(*element)?,
            Op::ArrayStore(element) => self.array_store(*element)?,
            Op::Pop | Op::Pop2 | Op::Dup | Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::Swap => {
                self.shuffle(op)?
            }
            Op::Arith(op, kind) => self.arith(*op, *kind)?,
            Op::Neg(kind) => self.unary(*kind, *kind, UnaryOp::Neg(number(*kind)?))?,
            Op::Increment(local, by) => {
                self.about_to_write(*local);
                let dst = self.local(*local)?;
                let rhs = Operand::Int(*by as i32);
                self.emit(Instr::Binary { dst, kind: Kind::Int, op: BinaryOp::Add, lhs: dst, rhs });
            }
            Op::Convert(from, to) => {
                let op = UnaryOp::Convert { from: number(*from)?, to: number(*to)? };
                self.unary(*from, *to, op)?;
            }
            Op::Narrow(to) => {
                let ty = match to {
                    code::Narrow::Byte => Type::Byte,
                    code::Narrow::Char => Type::Char,
                    code::Narrow::Short => Type::Short,
                };
                self.unary(K::Int, K::Int, UnaryOp::Narrow(ty))?;
                self.widen_top(ty);
            }
            Op::Compare(compare) => {
                let (from, kind, nan) = match compare {
                    code::Compare::Long => (K::Long, Kind::Long, 0),
                    code::Compare::Float { nan } => (K::Float, Kind::Float, *nan as i8),
                    code::Compare::Double { nan } => (K::Double, Kind::Double, *nan as i8),
                };
                let rhs = self.pop(from)?;
                let lhs = self.pop(from)?;
                let dst = self.push(K::Int)?;
                self.emit(Instr::Compare { dst, kind, lhs, rhs, nan });
            }
            Op::IfZero(cond, target) => {
                let lhs = self.pop(K::Int)?;
                self.branch_int(*cond, lhs, Operand::Int(0), *target);
            }
            Op::IfInt(cond, target) => {
                let rhs = self.pop_operand(K::Int)?;
                let lhs = self.pop(K::Int)?;
                self.branch_int(*cond, lhs, rhs, *target);
            }
            Op::IfRef(same, target) => {
                let rhs = self.pop(K::Ref)?;
                let lhs = self.pop(K::Ref)?;
                self.branch_ref(*same, lhs, rhs, *target);
            }
            Op::IfNull(is, target) => {
                let lhs = self.pop(K::Ref)?;
                let rhs = self.scratch(1);
                self.emit(Instr::Const { dst: rhs, value: Const::Null });
                self.branch_ref(*is, lhs, rhs, *target);
            }
            Op::Goto(target) => {
                self.flush();
                self.jump_to(*target);
                self.jump(*target);
            }
            Op::Jsr(target) => self.jsr(*target)?,
            Op::Ret(local) => self.ret(*local)?,
            Op::Switch { default, cases } => {
                let value = self.pop(K::Int)?;
                self.flush();
                self.jump_to(*default);
                for (_, target) in cases {
                    self.jump_to(*target);
                }
                self.switch(value, cases, *default);
            }
            Op::Return(None) if self.declared.result == Type::Void => self.emit(Instr::Return { value: None }),
            Op::Return(None) => return Err("it returns nothing".into()),
            Op::Return(Some(kind)) => {
                if self.declared.result == Type::Void || calls::kind_of(self.declared.result) != *kind {
                    return Err(format!("it returns {kind:?}"));
                }
                let value = self.pop(*kind)?;
                self.emit(Instr::Return { value: Some(value) });
            }
            Op::Throw => {
                let value = self.pop(K::Ref)?;
                self.emit(Instr::Throw { exception: Exception::Object(value) });
            }
            Op::New(name) => {
                let class = self.library.class_id(name);
                let dst = self.push(K::Ref)?;
                let usable = self.library.resolve_new(self.declared.class, class);
                if self.linked(usable).is_some() {
                    self.init_class(class);
                    self.emit(Instr::New { dst, class });
                }
                let top = self.stack.last_mut().expect("just pushed");
                top.new_throwable = self.library.is_subclass(class, self.library.class_id("java/lang/Throwable"));
            }
            Op::NewArray(element) => self.new_array(&format!("[{}", element.descriptor()))?,
            Op::NewRefArray(element) => {
                let array = if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") };
                self.new_array(&array)?;
            }
            Op::NewMultiArray(array, dimensions) => {
                let class = self.library.class_id(array);
                let lengths = self.pop_arguments(&vec![K::Int; *dimensions as usize])?;
                let dst = self.push(K::Ref)?;
                match self.is_missing(array) {
                    true => self.refuse_missing(array),
                    false => self.emit(Instr::NewArrays { dst, class, lengths }),
                }
            }
            Op::ArrayLength => {
                let object = self.pop(K::Ref)?;
                let dst = self.push(K::Int)?;
                self.emit(Instr::GetField { dst, object, field: crate::library::LENGTH });
            }
            Op::CheckCast(name) => {
                let class = self.library.class_id(name);
                let src = self.pop(K::Ref)?;
                let dst = self.push(K::Ref)?;
                match self.is_missing(name) {
                    true => {
                        self.only_null(src, name);
                        self.emit(Instr::Move { dst, src });
                    }
                    false => self.emit(Instr::Cast { dst, src, class }),
                }
            }
            Op::InstanceOf(name) => {
                let class = self.library.class_id(name);
                let src = self.pop(K::Ref)?;
                let dst = self.push(K::Int)?;
                match self.is_missing(name) {
                    true => {
                        self.only_null(src, name);
                        self.emit(Instr::Const { dst, value: Const::Int(0) });
                    }
                    false => {
                        self.emit(Instr::InstanceOf { dst, src, class });
                        self.widen_top(Type::Bool);
                    }
                }
            }
            Op::MonitorEnter | Op::MonitorExit => {
                let object = self.pop(K::Ref)?;
                self.emit(Instr::Monitor { object, enter: matches!(op, Op::MonitorEnter) });
            }
            Op::GetStatic(member) | Op::PutStatic(member) => {
                self.static_field(member, matches!(op, Op::GetStatic(_)))?;
            }
            Op::GetField(member) | Op::PutField(member) => self.field(member, matches!(op, Op::GetField(_)))?,
            Op::Invoke(how, member) => self.invoke(*how, member)?,
            Op::InvokeDynamic(site) => self.invoke_dynamic(site)?,
        }
        Ok(())
    }

    fn load(&mut self, kind: code::Kind, local: u16) -> Lowered<()> {
        let register = self.local(local)?;
        // Only the entry's parameters can hold references that nobody has looked at.
        if kind == code::Kind::Ref && self.parameter_locals.contains(&local) && self.loaded.insert(local) {
            self.emit(Instr::Load { register });
        }
        self.push_value(kind, Value::Local(local))
    }

    fn store(&mut self, kind: code::Kind, local: u16) -> Lowered<()> {
        let dst = self.local(local)?;
        let operand = match self.stack.last() {
            // A return address is stored like a reference.
            Some(entry) if kind == code::Kind::Ref && entry.kind == code::Kind::Int => {
                self.pop_operand(code::Kind::Int)
            }
            _ => self.pop_operand(kind),
        }?;
        self.about_to_write(local);
        match operand {
            Operand::Int(value) => self.emit(Instr::Const { dst, value: Const::Int(value as i64) }),
            Operand::Reg(src) if src == dst => {}
            Operand::Reg(src) => {
                // What was computed only to be stored is computed where it is stored.
                let only_stored = src.0 >= self.stack_base && self.out.redirect(src, dst);
                if !only_stored {
                    self.emit(Instr::Move { dst, src });
                }
            }
        }
        Ok(())
    }

    fn unary(&mut self, from: code::Kind, to: code::Kind, op: UnaryOp) -> Lowered<()> {
        let src = self.pop(from)?;
        let dst = self.push(to)?;
        self.emit(Instr::Unary { dst, op, src });
        Ok(())
    }

    /// The top of the stack came from a narrow place.
    fn widen_top(&mut self, ty: Type) {
        if matches!(ty, Type::Bool | Type::Byte | Type::Short | Type::Char) {
            let dst = self.place(self.stack.len() - 1);
            self.emit(Instr::Unary { dst, op: UnaryOp::Widen(ty), src: dst });
        }
    }

    fn arith(&mut self, op: code::Arith, kind: code::Kind) -> Lowered<()> {
        let op = match op {
            code::Arith::Add => BinaryOp::Add,
            code::Arith::Sub => BinaryOp::Sub,
            code::Arith::Mul => BinaryOp::Mul,
            code::Arith::Div => BinaryOp::Div,
            code::Arith::Rem => BinaryOp::Rem,
            code::Arith::Shl => BinaryOp::Shl,
            code::Arith::Shr => BinaryOp::Shr,
            code::Arith::Ushr => BinaryOp::Ushr,
            code::Arith::And => BinaryOp::And,
            code::Arith::Or => BinaryOp::Or,
            code::Arith::Xor => BinaryOp::Xor,
        };
        let is_shift = op.is_shift();
        let rhs = self.pop_operand(if is_shift { code::Kind::Int } else { kind })?;
        let lhs = self.pop(kind)?;
        let dst = self.push(kind)?;
        self.emit(Instr::Binary { dst, kind: number(kind)?, op, lhs, rhs });
        Ok(())
    }

    fn branch_int(&mut self, cond: code::Cond, lhs: Reg, rhs: Operand, target: u32) {
        let test = match cond {
            code::Cond::Eq => Test::Eq,
            code::Cond::Ne => Test::Ne,
            code::Cond::Lt => Test::Lt,
            code::Cond::Ge => Test::Ge,
            code::Cond::Gt => Test::Gt,
            code::Cond::Le => Test::Le,
        };
        self.flush();
        self.jump_to(target);
        let then = self.label(target);
        self.out.when(self.at as u32, Condition::Compare(test, lhs, rhs), then);
    }

    fn branch_ref(&mut self, holds: bool, lhs: Reg, rhs: Reg, target: u32) {
        self.flush();
        self.jump_to(target);
        let condition = self.scratch(0);
        self.emit(Instr::RefEq { dst: condition, lhs, rhs });
        let next = self.at as u32 + 1;
        self.jump_to(next);
        let (then, otherwise) = if holds { (target, next) } else { (next, target) };
        let (then, otherwise) = (self.label(then), self.label(otherwise));
        self.out.branch(self.at as u32, Condition::Holds(condition), then, otherwise);
    }

    fn jsr(&mut self, target: u32) -> Lowered<()> {
        let next = self.at as u32 + 1;
        self.returns.push((next, self.kinds()));
        self.push_value(code::Kind::Int, Value::Int(next as i32))?;
        self.flush();
        self.jump_to(target);
        self.jump(target);
        Ok(())
    }

    /// Goes back to whichever `jsr` left its address in the local.
    fn ret(&mut self, local: u16) -> Lowered<()> {
        let value = self.local(local)?;
        let ops = self.code.ops.iter().enumerate();
        let points: Vec<u32> = ops.filter(|(_, op)| matches!(op, Op::Jsr(_))).map(|(at, _)| at as u32 + 1).collect();
        let Some(&default) = points.last() else { return Err("it has ret without jsr".into()) };
        self.flush();
        for point in &points {
            let kinds =
                self.returns.iter().find(|(next, _)| next == point).map_or_else(|| self.kinds(), |r| r.1.clone());
            self.open.push((*point, kinds));
        }
        let table: Vec<(i32, u32)> = points.iter().map(|point| (*point as i32, *point)).collect();
        self.switch(value, &table, default);
        Ok(())
    }

    fn switch(&mut self, value: Reg, table: &[(i32, u32)], default: u32) {
        let default = self.label(default);
        let table: Vec<(i32, Label)> = table.iter().map(|(key, target)| (*key, self.label(*target))).collect();
        self.out.switch(self.at as u32, value, table.into_iter(), default);
    }
}

/// The numeric kind of a stack kind.
fn number(kind: code::Kind) -> Lowered<Kind> {
    match kind {
        code::Kind::Int => Ok(Kind::Int),
        code::Kind::Long => Ok(Kind::Long),
        code::Kind::Float => Ok(Kind::Float),
        code::Kind::Double => Ok(Kind::Double),
        code::Kind::Ref => Err("it calculates with a reference".into()),
    }
}
