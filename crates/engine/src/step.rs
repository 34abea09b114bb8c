//! Executing instructions until there is something to decide.

pub(crate) mod arith;
mod constants;
pub(crate) mod exceptions;
mod java;

use lazuli_logic::{BitOp, PathCondition, Sort, Term};
use lazuli_program::ir::{BinaryOp, Callee, Instr, MethodId, Operand, Reg, Type};

use crate::executor::Executor;
use crate::heap::{Effect, HeapModel};
use crate::invariant::Admit;
use crate::outcome::{Bound, CLASS_CAST, Outcome, Stop};
use crate::state::{Frame, State};

/// How often a path without decisions looks at the clock: every so many instructions, less one.
const LOOK_EVERY: u64 = (1 << 8) - 1;

/// Why execution paused.
pub enum Pause {
    /// The cases are in the executor's buffer.
    Decide,
    End(Outcome, Option<Term>),
    /// The only way on is one that the invariants of the input do not allow.
    Pruned,
}

impl<M: HeapModel> Executor<'_, M> {
    /// Runs a state to its next decision or its end. Instructions with a single case are carried out on the way.
    pub fn advance(&mut self, state: &mut State<M::Heap>) -> Pause {
        loop {
            if state.steps & LOOK_EVERY == 0
                && let Some(bound) = self.watch.late()
            {
                return Pause::End(Outcome::Stopped(Stop::Bound(bound)), None);
            }
            let most = self.config.bounds.steps;
            let limit = state.companions.last().map_or(most, |running| running.limit.min(most));
            if state.steps >= limit {
                return Pause::End(Outcome::Stopped(Stop::Bound(Bound::MaxSteps)), None);
            }
            state.steps += 1;
            self.counts.steps += 1;
            if self.steps_trace.is_some() {
                self.trace_step(state);
            }
            self.cases.clear();
            let restricts = self.model.restricts(&self.cx);
            if restricts && self.cx.origins.is_some() && !self.cx.path.is(&state.path) {
                self.cx.path = state.path.clone();
            }
            if !self.begins_companion(state) && !self.loads_first(state) {
                let end = match state.thrown {
                    None => self.step(state),
                    Some(_) => self.unwind(state),
                };
                if let Some(end) = end {
                    return end;
                }
            }
            if self.cases.is_open() {
                if restricts {
                    self.restrict_guards(&state.path);
                }
                self.settle(&state.path);
                if self.cases.list.len() > 1 {
                    self.model.look_first(&mut self.cx, &mut state.heap, &mut self.cases);
                }
            }
            if let Some(stop) = self.given_up() {
                return Pause::End(Outcome::Stopped(stop), None);
            }
            match self.cases.list.as_slice() {
                [] => {}
                [case] if case.guard == Term::TRUE && !case.counted => {
                    let case = self.cases.list.pop().expect("there is one case");
                    if let Some(change) = case.change {
                        match self.carry_out(state, change) {
                            Admit::Yes => {}
                            Admit::Pruned => return Pause::Pruned,
                            Admit::Stopped(stop) => return Pause::End(Outcome::Stopped(stop), None),
                        }
                    }
                    if let Some(end) = self.take_effect(state, case.effect) {
                        return end;
                    }
                }
                _ => return Pause::Decide,
            }
        }
    }

    /// Simplifies what a heap instruction or a branch is about to look at by what the path has decided.
    fn restrict_operands(&mut self, state: &mut State<M::Heap>, base: usize, instr: &Instr) {
        let [Some(first), second] = operands(instr) else { return };
        let value = |register: Reg| state.registers[base + register.index()];
        let values = [value(first), second.map_or(Term::TRUE, value)];
        if values.iter().all(|value| self.cx.terms.is_plain(*value)) {
            return;
        }
        // Either nothing is left of the other operand, or it stays what it is until somebody branches on it.
        if let Instr::Binary { op: BinaryOp::And | BinaryOp::Or, .. } = *instr
            && values.iter().any(|value| value.as_bool().is_some())
        {
            return;
        }
        for register in std::iter::once(first).chain(second) {
            let value = &mut state.registers[base + register.index()];
            if !self.cx.terms.is_plain(*value) {
                self.facts.turn_to(&self.cx.terms, &state.path);
                *value = self.cx.terms.under(&mut self.facts, *value);
            }
        }
    }

    /// Leaves of the guards only what the path has not decided.
    pub(crate) fn restrict_guards(&mut self, path: &PathCondition) {
        let list = &mut self.cases.list;
        if list.iter().any(|case| !self.cx.terms.is_plain(case.guard)) {
            self.facts.turn_to(&self.cx.terms, path);
            for case in list.iter_mut() {
                case.guard = self.cx.terms.under(&mut self.facts, case.guard);
            }
            // If nothing is left, a bound on the input cuts everything off: `fork` prunes the path.
            if list.iter().any(|case| case.guard != Term::FALSE) {
                list.retain(|case| case.guard != Term::FALSE);
            }
        }
    }

    /// An implicit check whose answer is a clause of the path already is no decision: a receiver just checked is not null.
    pub(crate) fn settle(&mut self, path: &PathCondition) {
        let list = &mut self.cases.list;
        if list.len() < 2 || list.iter().any(|case| case.counted) {
            return;
        }
        if let Some(taken) = list.iter().position(|case| path.entails(&self.cx.terms, case.guard)) {
            list.swap(0, taken);
            list.truncate(1);
            list[0].guard = Term::TRUE;
        }
    }

    /// One instruction: either carried out here, or proposed as cases.
    fn step(&mut self, state: &mut State<M::Heap>) -> Option<Pause> {
        let frame = *state.frames.last().expect("a running state has a frame");
        let program = self.cx.program;
        let instr = &program.method(frame.method).code[frame.pc as usize];
        let base = frame.base as usize;
        if self.model.restricts(&self.cx) {
            self.restrict_operands(state, base, instr);
        }
        let get = |state: &State<M::Heap>, r: Reg| state.registers[base + r.index()];
        let (cx, heap, cases) = (&mut self.cx, &mut state.heap, &mut self.cases);
        match *instr {
            Instr::Const { dst, value } => {
                let value = self.constant(state, value);
                state.set(dst, value);
            }
            Instr::Input { dst, input } => {
                let input = &program.inputs[input.index()];
                let value = self.inputs.value(cx, &self.model, heap, &input.name, input.ty, false);
                state.set(dst, value);
            }
            Instr::Load { register } => {
                let value = state.registers[base + register.index()];
                if cx.terms.as_symbol(value).is_none() || self.model.is_loaded(heap, value) {
                    state.next();
                } else {
                    self.model.load(cx, heap, value, cases);
                }
            }
            Instr::Move { dst, src } => {
                let value = get(state, src);
                state.set(dst, value);
            }
            Instr::Binary { dst, op, lhs, rhs } => {
                let (a, b) = (get(state, lhs), get(state, rhs));
                let value = binary(cx, op, a, b);
                if let Some(holds) = value.as_bool()
                    && !(cx.terms.is_constant(a) && cx.terms.is_constant(b))
                {
                    let next = &program.method(frame.method).code[frame.pc as usize + 1..];
                    self.counts.settled += settled_questions(op, holds, next);
                }
                state.set(dst, value);
            }
            Instr::Not { dst, src } => {
                let value = cx.terms.not(get(state, src));
                state.set(dst, value);
            }
            Instr::RefEq { lhs, rhs, .. } => {
                let (a, b) = (state.registers[base + lhs.index()], state.registers[base + rhs.index()]);
                self.model.ref_eq(cx, heap, a, b, cases);
            }
            Instr::InstanceOf { src, class, .. } => {
                let value = state.registers[base + src.index()];
                self.model.instance_of(cx, heap, value, class, cases);
            }
            Instr::IsResolved { object, field, .. } => {
                let object = state.registers[base + object.index()];
                self.model.is_resolved(cx, heap, object, field, cases);
            }
            Instr::Cast { src, class, .. } => {
                let value = state.registers[base + src.index()];
                self.cast(state, value, class);
            }
            Instr::New { dst, class } => {
                let object = self.model.alloc(cx, heap, class);
                state.set(dst, object);
            }
            Instr::GetField { object, field, .. } => {
                let object = state.registers[base + object.index()];
                if self.is_told(state, object, field) {
                    self.model.read(&mut self.cx, &mut state.heap, object, field, &mut self.cases);
                }
            }
            Instr::PutField { object, field, value } => {
                let (object, value) = (state.registers[base + object.index()], state.registers[base + value.index()]);
                self.model.write(cx, heap, object, field, value, cases);
            }
            Instr::Call { receiver, selector, .. } => {
                let Type::Ref(class) = program.method(frame.method).registers[receiver.index()].ty else {
                    unreachable!("verified: a receiver is a reference")
                };
                let receiver = state.registers[base + receiver.index()];
                self.model.dispatch(cx, heap, receiver, class, selector, cases);
            }
            Instr::Jump { target } => state.goto(target),
            Instr::Branch { condition, then, otherwise } => {
                let condition = get(state, condition);
                match condition.as_bool() {
                    Some(value) => {
                        state.record(value as u64);
                        state.goto(if value { then } else { otherwise });
                    }
                    None => self.decide(condition, Effect::Goto(then), Effect::Goto(otherwise)),
                }
            }
            Instr::Return { value } => {
                let mut value = get(state, value);
                if program.library.is_some() {
                    value = arith::returned(&mut cx.terms, program.method(frame.method).result, value);
                }
                return self.give_back(state, value);
            }
            Instr::Throw { ref exception } => {
                state.throws(3);
                return Some(Pause::End(Outcome::Threw(exception.to_string()), None));
            }
            Instr::Assert { condition } => {
                let condition = get(state, condition);
                self.decide(condition, Effect::Goto(frame.pc + 1), Effect::AssertFails);
            }
            ref java => return self.step_java(state, frame, java),
        }
        None
    }

    /// Proposes the two sides of a program branch.
    pub(crate) fn decide(&mut self, condition: Term, then: Effect, otherwise: Effect) {
        let negated = self.cx.terms.not(condition);
        for (guard, effect) in [(condition, then), (negated, otherwise)] {
            if guard != Term::FALSE {
                self.cases.push(guard, guard != Term::TRUE, None, effect);
            }
        }
    }

    /// A cast passes null and objects of the class. It is decided by what the model says of `instanceof`.
    fn cast(&mut self, state: &mut State<M::Heap>, value: Term, class: lazuli_program::ir::ClassId) {
        if value.is_null() {
            return self.cases.only(Effect::Value(value));
        }
        self.model.instance_of(&mut self.cx, &mut state.heap, value, class, &mut self.cases);
        let [case] = self.cases.list.as_slice() else { return };
        let Effect::Value(is) = case.effect else { return };
        let bound = case.guard;
        self.cases.list.clear();
        self.cases.loaded = bound;
        let is_null = self.model.is_null(&mut self.cx, &state.heap, value);
        let passes = self.cx.terms.or(is_null, is);
        self.cases.checked(&mut self.cx, passes, bound, None, Effect::Value(value), CLASS_CAST);
    }

    /// Pops a frame.
    pub(crate) fn give_back(&mut self, state: &mut State<M::Heap>, value: Term) -> Option<Pause> {
        let frame = state.frames.pop().expect("a running state has a frame");
        state.registers.truncate(frame.base as usize);
        state.frame_left();
        if let Some(end) = self.leave_companion(state, value) {
            return end;
        }
        if state.frames.is_empty() {
            return Some(Pause::End(Outcome::Returned, Some(value)));
        }
        if !frame.called {
            let class = self.cx.program.method(frame.method).class.expect("an initialiser has a class");
            self.make_statics_symbolic(state, class);
            return None;
        }
        state.set(frame.dst, value);
        None
    }

    /// Carries out the effect of the case that was taken; the instruction is still the current one.
    pub(crate) fn take_effect(&mut self, state: &mut State<M::Heap>, effect: Effect) -> Option<Pause> {
        let frame = *state.frames.last().expect("a running state has a frame");
        let instr = &self.cx.program.method(frame.method).code[frame.pc as usize];
        match effect {
            Effect::Value(value) => match *instr {
                Instr::RefEq { dst, .. }
                | Instr::InstanceOf { dst, .. }
                | Instr::IsResolved { dst, .. }
                | Instr::Cast { dst, .. }
                | Instr::GetField { dst, .. }
                | Instr::ArrayLoad { dst, .. }
                | Instr::Native { dst, .. } => state.set(dst, value),
                Instr::Load { register } => state.set(register, value),
                Instr::PutField { .. } | Instr::ArrayStore { .. } | Instr::CheckNull { .. } | Instr::Monitor { .. } => {
                    state.next()
                }
                ref other => unreachable!("{other:?} has no value"),
            },
            Effect::Again => {}
            Effect::Loaded { register, value } => {
                state.registers[frame.base as usize + register.index()] = value;
            }
            Effect::Refused => unreachable!("nobody takes a case that the invariants exclude"),
            Effect::Goto(target) => {
                match *instr {
                    Instr::Branch { then, .. } | Instr::If { then, .. } => {
                        state.record((target == then) as u64);
                    }
                    Instr::Switch { .. } => state.record(target as u64),
                    _ => {}
                }
                state.goto(target);
            }
            Effect::Call(method) => return self.enter(state, method),
            Effect::NoMethod(selector) => {
                let name = self.cx.program.selector_text(selector);
                let what = format!("a call of {name} on an object that does not have it");
                return Some(Pause::End(Outcome::Stopped(Stop::Unsupported(what)), None));
            }
            Effect::Untold => {
                return Some(Pause::End(Outcome::Stopped(Stop::Unsupported(exceptions::UNTOLD.into())), None));
            }
            Effect::Catch(handler) => self.take_handler(state, handler, true),
            Effect::NextHandler(handler) => self.take_handler(state, handler, false),
            Effect::Uncaught(class) => {
                state.record(8 + class.0 as u64);
                return Some(self.end_uncaught(class));
            }
            Effect::Throw(exception) => {
                self.forget_calls(state);
                let is_last = self.cx.library().is_none();
                state.throws(3);
                if !is_last {
                    return self.throw_new(state, exception);
                }
                return Some(Pause::End(Outcome::Threw(exception.to_string()), None));
            }
            Effect::Companion { method, argument } => return self.enter_companion(state, method, argument),
            Effect::AssertFails => {
                state.throws(4);
                return Some(Pause::End(Outcome::AssertFailed, None));
            }
        }
        None
    }

    /// Pushes a frame for the call that is the current instruction.
    pub(crate) fn enter(&mut self, state: &mut State<M::Heap>, method: MethodId) -> Option<Pause> {
        if state.frames.len() >= self.config.bounds.calls {
            return Some(Pause::End(Outcome::Stopped(Stop::Bound(Bound::MaxCalls)), None));
        }
        state.record(5 + method.0 as u64);
        let caller = *state.frames.last().expect("a running state has a frame");
        let (from, base) = (caller.base as usize, state.registers.len());
        let size = self.cx.program.method(method).registers.len();
        state.registers.reserve(size);
        let dst = match self.cx.program.method(caller.method).code[caller.pc as usize] {
            Instr::Call { dst, receiver, ref args, .. } => {
                state.registers.push(state.registers[from + receiver.index()]);
                args.iter().for_each(|arg| state.registers.push(state.registers[from + arg.index()]));
                dst
            }
            Instr::Invoke { dst, ref args, .. } => {
                args.iter().for_each(|arg| state.registers.push(state.registers[from + arg.index()]));
                dst
            }
            ref other => unreachable!("{other:?} enters no method"),
        };
        state.registers.resize(base + size, Term::NULL);
        state.frames.push(Frame { method, pc: 0, base: base as u32, dst, called: true });
        // The classes of inputs and constants were initialised by whoever made them.
        let library = self.cx.library()?;
        let class = library.declared(method).class;
        if library.java(class).needs_initializing && !state.vm.initialised.contains(&class) {
            return self.init_class(state, class);
        }
        None
    }
}

impl<H> State<H> {
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running state has a frame")
    }

    /// Writes a register of the current frame and goes on.
    pub(crate) fn set(&mut self, register: Reg, value: Term) {
        let frame = self.frame();
        frame.pc += 1;
        let at = frame.base as usize + register.index();
        self.registers[at] = value;
    }

    /// The path ends here. The place is part of it: between two branches there may be several instructions that throw.
    fn throws(&mut self, event: u64) {
        let place = self.frame().pc;
        self.record(event);
        self.record(place as u64);
    }

    pub(crate) fn next(&mut self) {
        self.frame().pc += 1;
    }

    pub(crate) fn goto(&mut self, target: u32) {
        self.frame().pc = target;
    }
}

/// What a heap instruction or a branch looks at.
#[inline(always)]
pub(crate) fn operands(instr: &Instr) -> [Option<Reg>; 2] {
    match *instr {
        Instr::GetField { object, .. } => [Some(object), None],
        Instr::PutField { object, value, .. } => [Some(object), Some(value)],
        Instr::RefEq { lhs, rhs, .. } | Instr::Binary { lhs, rhs, .. } => [Some(lhs), Some(rhs)],
        Instr::InstanceOf { src, .. } | Instr::Cast { src, .. } => [Some(src), None],
        Instr::Call { receiver, .. } => [Some(receiver), None],
        Instr::Branch { condition, .. } | Instr::Assert { condition } => [Some(condition), None],
        Instr::If { lhs, rhs: Operand::Reg(rhs), .. } => [Some(lhs), Some(rhs)],
        Instr::If { lhs, .. } => [Some(lhs), None],
        Instr::ArrayLoad { array, .. } | Instr::CheckStore { array, .. } => [Some(array), None],
        Instr::ArrayStore { array, value, .. } => [Some(array), Some(value)],
        Instr::CheckNull { object } => [Some(object), None],
        Instr::Invoke { callee: Callee::Virtual(..), ref args, .. } => [Some(args[0]), None],
        _ => [None, None],
    }
}

/// What JBSE would have asked about a comparison of unknown values that simplifies to a constant, if a jump follows: one
/// question about the jump, and one about the other side if the first is satisfiable. (See [`crate::counts::Counts::settled`].)
fn settled_questions(op: BinaryOp, holds: bool, next: &[Instr]) -> u64 {
    let jumps = match next {
        [Instr::Branch { .. }, ..] => holds,
        [Instr::Not { .. }, Instr::Branch { .. }, ..] => !holds,
        _ => return 0,
    };
    match op {
        BinaryOp::Lt | BinaryOp::Eq => 1 + jumps as u64,
        _ => 0,
    }
}

fn binary(cx: &mut crate::context::Context, op: BinaryOp, a: Term, b: Term) -> Term {
    let terms = &mut cx.terms;
    match (op, cx.int_sort) {
        (BinaryOp::Add, Sort::Bits(_)) => terms.bit_op(BitOp::Add, a, b),
        (BinaryOp::Sub, Sort::Bits(_)) => terms.bit_op(BitOp::Sub, a, b),
        (BinaryOp::Lt, Sort::Bits(_)) => terms.bit_op(BitOp::SLt, a, b),
        (BinaryOp::Add, _) => terms.add(a, b),
        (BinaryOp::Sub, _) => terms.sub(a, b),
        (BinaryOp::Lt, _) => terms.lt(a, b),
        (BinaryOp::Eq, _) => terms.eq(a, b),
        (BinaryOp::And, _) => terms.and(a, b),
        (BinaryOp::Or, _) => terms.or(a, b),
    }
}
