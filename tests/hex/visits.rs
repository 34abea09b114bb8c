//! A plain interpreter of programs on concrete heaps, which knows nothing of symbols: in which order a program looks at its input, and
//! the companion methods that are called on the way look at it.

use std::collections::HashMap;

use lazuli_engine::witness::{Concrete, Witness};
use lazuli_invariant::hex::Hex;
use lazuli_program::Program;
use lazuli_program::ir::{
    BinaryOp, Callee, ClassId, Condition, Const, FieldId, Instr, MethodId, Operand, Reg, Selector, Type, UnaryOp,
};

use super::oracle::Oracle;

/// A reference of the input that the program looked at for the first time.
#[derive(Clone, Debug)]
pub struct Visit {
    pub holder: Holder,
    /// The class that the reference is declared with.
    pub class: ClassId,
    /// The object of the heap, unless it is null.
    pub target: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Holder {
    Root(String),
    Field(usize, FieldId),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Int(i128),
    Bool(bool),
    /// An object of the input or, beyond these, of the program.
    Ref(Option<usize>),
    /// An input that nobody has looked at, by number.
    Root(usize),
}

struct Machine<'a> {
    program: &'a Program,
    hex: &'a Hex,
    heap: &'a Witness,
    calls: usize,
    visits: Vec<Visit>,
    /// Of so many visits the companions were called, or are being called.
    companions_of: usize,
    /// How many companions are being executed.
    nested: usize,
    /// What was written, or read before.
    cells: HashMap<(usize, FieldId), Value>,
    /// Of the program's own objects.
    allocated: Vec<ClassId>,
    steps: u32,
}

/// Why a run is over.
enum End {
    Returned(Value),
    Ended,
    /// A companion has said no.
    Refused,
    /// A bound was met, or a companion did not return: what the program would look at then is not known.
    Bounded,
}

/// What a program has looked at.
pub struct Visits {
    /// In their order.
    pub list: Vec<Visit>,
    /// Whether these are all: otherwise the run was cut short.
    pub ended: bool,
    /// Whether a companion has said no. Then nobody has looked any further.
    pub refused: bool,
}

/// Deeper calls are not followed.
const MOST_CALLS: usize = 100;

/// Companions that are called by companions, and so on, are executed up to this depth.
const MOST_NESTED: usize = 8;

/// The visits of a run.
pub fn visits(program: &Program, hex: &Hex, entry: MethodId, heap: &Witness, calls: usize) -> Visits {
    let (calls, visits) = (calls.min(MOST_CALLS), Vec::new());
    let (cells, allocated) = (HashMap::new(), Vec::new());
    let mut machine =
        Machine { program, hex, heap, calls, visits, companions_of: 0, nested: 0, cells, allocated, steps: 0 };
    let method = program.method(entry);
    let mut arguments = Vec::new();
    for (number, parameter) in method.registers[..method.parameters].iter().enumerate() {
        let value = machine.input(&parameter.name);
        // The receiver is an object from the beginning.
        let receiver = number == 0 && method.class.is_some();
        arguments.push(if receiver { machine.look(value) } else { value });
    }
    let end = match machine.call(entry, arguments, 1) {
        // The last instruction may have looked at something before it failed.
        End::Ended => machine.companions(1).unwrap_or(End::Ended),
        end => end,
    };
    Visits { list: machine.visits, ended: !matches!(end, End::Bounded), refused: matches!(end, End::Refused) }
}

/// Whether every input of an entry that is not null satisfies an invariant, a method of its class; `None` if a bound was met. They are
/// asked one after the other, on one heap. An invariant that throws does not hold.
#[allow(dead_code)]
pub fn satisfies(program: &Program, entry: MethodId, invariant: &str, heap: &Witness) -> Option<bool> {
    let selector = program.selectors.iter().position(|(name, parameters)| name == invariant && *parameters == 0);
    let selector = Selector(selector.expect("a method of that name") as u32);
    let (hex, cells) = (Hex::default(), HashMap::new());
    let mut machine = Machine {
        program,
        hex: &hex,
        heap,
        calls: MOST_CALLS,
        visits: Vec::new(),
        companions_of: 0,
        nested: 0,
        cells,
        allocated: Vec::new(),
        steps: 0,
    };
    let method = program.method(entry);
    for parameter in &method.registers[..method.parameters] {
        let value = machine.input(&parameter.name);
        let Value::Ref(Some(object)) = machine.look(value) else { continue };
        let Some(callee) = program.class(machine.class_of(object)).methods.get(&selector) else { continue };
        match machine.call(*callee, vec![Value::Ref(Some(object))], 1) {
            End::Returned(Value::Bool(true)) => {}
            End::Bounded => return None,
            _ => return Some(false),
        }
    }
    Some(true)
}

/// All references of a heap, in an order that the numbers tell: the next one of those that can be looked at.
pub fn in_some_order(program: &Program, heap: &Witness, mut below: impl FnMut(usize) -> usize) -> Vec<Visit> {
    let reference = |value: Concrete| match plain(value) {
        Value::Ref(target) => Some(target),
        _ => None,
    };
    let inputs = program.inputs.iter().filter_map(|input| {
        let Type::Ref(class) = input.ty else { return None };
        let (_, value) = heap.roots.iter().find(|(name, _)| *name == input.name)?;
        Some(Visit { holder: Holder::Root(input.name.clone()), class, target: reference(*value)? })
    });
    let mut open: Vec<Visit> = inputs.collect();
    let (mut visits, mut met) = (Vec::new(), Vec::new());
    while !open.is_empty() {
        let visit = open.swap_remove(below(open.len()));
        if let Some(object) = visit.target.filter(|object| !met.contains(object)) {
            met.push(object);
            for &(field, value) in &heap.objects[object].fields {
                if let (Type::Ref(class), Some(target)) = (program.field(field).ty, reference(value)) {
                    open.push(Visit { holder: Holder::Field(object, field), class, target });
                }
            }
        }
        visits.push(visit);
    }
    visits
}

impl Machine<'_> {
    fn input(&self, name: &str) -> Value {
        let number = self.heap.roots.iter().position(|(root, _)| root == name).expect("the heap has all inputs");
        match self.heap.roots[number].1 {
            Concrete::Object(_) | Concrete::Null => Value::Root(number),
            other => plain(other),
        }
    }

    /// A reference is looked at, if it was not before.
    fn look(&mut self, value: Value) -> Value {
        let Value::Root(number) = value else { return value };
        let (name, concrete) = &self.heap.roots[number];
        let Value::Ref(target) = plain(*concrete) else { unreachable!("a reference") };
        let holder = Holder::Root(name.clone());
        if self.visits.iter().all(|visit| visit.holder != holder) {
            let class = self.declared(name);
            self.visits.push(Visit { holder, class, target });
        }
        Value::Ref(target)
    }

    fn declared(&self, name: &str) -> ClassId {
        let program = self.program;
        let parameters = program.methods.iter().flat_map(|m| &m.registers[..m.parameters]).map(|r| (&r.name, r.ty));
        let found = program.inputs.iter().map(|i| (&i.name, i.ty)).chain(parameters).find_map(|(known, ty)| match ty {
            Type::Ref(class) if known == name => Some(class),
            _ => None,
        });
        found.expect("an input of that name is a reference")
    }

    fn class_of(&self, object: usize) -> ClassId {
        let inputs = self.heap.objects.len();
        if object < inputs { self.heap.objects[object].class } else { self.allocated[object - inputs] }
    }

    fn read(&mut self, object: usize, field: FieldId) -> Value {
        if let Some(known) = self.cells.get(&(object, field)) {
            return *known;
        }
        let ty = self.program.field(field).ty;
        let default = plain(Concrete::default_of(ty));
        if object >= self.heap.objects.len() {
            return default;
        }
        let given = self.heap.objects[object].fields.iter().find(|(f, _)| *f == field);
        let value = given.map_or(default, |(_, value)| plain(*value));
        if let (Type::Ref(class), Value::Ref(target)) = (ty, value) {
            self.visits.push(Visit { holder: Holder::Field(object, field), class, target });
        }
        self.cells.insert((object, field), value);
        value
    }

    /// Executes the companions of what was visited since the last time. Gives how the run is over, if it is.
    fn companions(&mut self, depth: usize) -> Option<End> {
        let mut called = Vec::new();
        while self.companions_of < self.visits.len() {
            self.companions_of += 1;
            let oracle = Oracle::new(self.program, self.hex, self.heap, &self.visits[..self.companions_of]);
            called.extend(oracle.companions());
        }
        for (method, object) in called {
            if self.nested >= MOST_NESTED {
                return Some(End::Bounded);
            }
            self.nested += 1;
            let end = self.call(method, vec![Value::Ref(Some(object))], depth + 1);
            self.nested -= 1;
            match end {
                End::Returned(Value::Bool(false)) => return Some(End::Refused),
                End::Returned(_) => {}
                End::Refused => return Some(End::Refused),
                End::Ended | End::Bounded => return Some(End::Bounded),
            }
        }
        None
    }

    fn call(&mut self, method: MethodId, arguments: Vec<Value>, depth: usize) -> End {
        let method = self.program.method(method);
        let mut registers = arguments;
        registers.resize(method.registers.len(), Value::Ref(None));
        let mut pc = 0;
        // A companion is executed right after the visit: before the instruction looks at anything else, and before it writes.
        macro_rules! look {
            ($register:expr) => {{
                let value = self.look(registers[$register.index()]);
                if let Some(end) = self.companions(depth) {
                    return end;
                }
                value
            }};
        }
        loop {
            if let Some(end) = self.companions(depth) {
                return end;
            }
            self.steps += 1;
            if self.steps > 100_000 {
                return End::Bounded;
            }
            let set = |registers: &mut Vec<Value>, dst: Reg, value: Value| registers[dst.index()] = value;
            pc += 1;
            match &method.code[pc - 1] {
                Instr::Const { dst, value } => {
                    let value = match value {
                        Const::Int(value) => Value::Int(*value as i128),
                        Const::Bool(value) => Value::Bool(*value),
                        Const::Null => Value::Ref(None),
                        other => panic!("{other:?} is a constant of Java"),
                    };
                    set(&mut registers, *dst, value);
                }
                Instr::Input { dst, input } => {
                    let value = self.input(&self.program.inputs[input.index()].name);
                    set(&mut registers, *dst, value);
                }
                Instr::Load { register } => registers[register.index()] = look!(register),
                Instr::Move { dst, src } => registers[dst.index()] = registers[src.index()],
                Instr::Unary { dst, op: UnaryOp::Not, src } => {
                    let Value::Bool(value) = registers[src.index()] else { panic!("a truth value") };
                    set(&mut registers, *dst, Value::Bool(!value));
                }
                Instr::Binary { dst, op, lhs, rhs: Operand::Reg(rhs), .. } => {
                    let value = binary(*op, registers[lhs.index()], registers[rhs.index()]);
                    set(&mut registers, *dst, value);
                }
                Instr::RefEq { dst, lhs, rhs } => {
                    let (a, b) = (look!(lhs), look!(rhs));
                    set(&mut registers, *dst, Value::Bool(a == b));
                }
                Instr::InstanceOf { dst, src, class } => {
                    let is = denoted(look!(src)).is_some_and(|o| self.is(o, *class));
                    set(&mut registers, *dst, Value::Bool(is));
                }
                Instr::Cast { dst, src, class } => {
                    let object = denoted(look!(src));
                    if object.is_some_and(|o| !self.is(o, *class)) {
                        return End::Ended;
                    }
                    set(&mut registers, *dst, Value::Ref(object));
                }
                Instr::New { dst, class } => {
                    self.allocated.push(*class);
                    let object = self.heap.objects.len() + self.allocated.len() - 1;
                    set(&mut registers, *dst, Value::Ref(Some(object)));
                }
                Instr::GetField { dst, object, field } => {
                    let Some(object) = denoted(look!(object)) else { return End::Ended };
                    let value = self.read(object, *field);
                    set(&mut registers, *dst, value);
                }
                Instr::PutField { object, field, value } => {
                    let Some(object) = denoted(look!(object)) else { return End::Ended };
                    let value = look!(value);
                    self.cells.insert((object, *field), value);
                }
                Instr::Call { dst, callee: Callee::Virtual(_, selector), args } => {
                    let Some(object) = denoted(look!(args[0])) else { return End::Ended };
                    let Some(&callee) = self.program.class(self.class_of(object)).methods.get(selector) else {
                        return End::Bounded;
                    };
                    if depth >= self.calls {
                        return End::Bounded;
                    }
                    let mut arguments = vec![Value::Ref(Some(object))];
                    arguments.extend(args[1..].iter().map(|arg| registers[arg.index()]));
                    match self.call(callee, arguments, depth + 1) {
                        End::Returned(value) => set(&mut registers, *dst, value),
                        end => return end,
                    }
                }
                Instr::Jump { target } => pc = *target as usize,
                Instr::Branch { condition: Condition::Holds(condition), then, otherwise } => {
                    let Value::Bool(holds) = registers[condition.index()] else { panic!("a truth value") };
                    pc = if holds { *then } else { *otherwise } as usize;
                }
                Instr::Return { value: Some(value) } => return End::Returned(registers[value.index()]),
                Instr::Throw { .. } => return End::Ended,
                Instr::Assert { condition } => {
                    if registers[condition.index()] == Value::Bool(false) {
                        return End::Ended;
                    }
                }
                other => panic!("{other:?} is an instruction of Java"),
            }
        }
    }

    fn is(&self, object: usize, class: ClassId) -> bool {
        self.program.is_subclass(self.class_of(object), class)
    }
}

fn denoted(value: Value) -> Option<usize> {
    match value {
        Value::Ref(object) => object,
        other => panic!("{other:?} is no reference"),
    }
}

fn plain(concrete: Concrete) -> Value {
    match concrete {
        Concrete::Bool(value) => Value::Bool(value),
        Concrete::Int(value) => Value::Int(value),
        Concrete::Null => Value::Ref(None),
        Concrete::Object(object) => Value::Ref(Some(object)),
        other => panic!("{other:?} is a value of Java"),
    }
}

fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    match (op, a, b) {
        (BinaryOp::Add, Value::Int(a), Value::Int(b)) => Value::Int(a + b),
        (BinaryOp::Sub, Value::Int(a), Value::Int(b)) => Value::Int(a - b),
        (BinaryOp::Lt, Value::Int(a), Value::Int(b)) => Value::Bool(a < b),
        (BinaryOp::Eq, a, b) => Value::Bool(a == b),
        (BinaryOp::And, Value::Bool(a), Value::Bool(b)) => Value::Bool(a && b),
        (BinaryOp::Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(a || b),
        other => panic!("{other:?}"),
    }
}
