//! Executing instructions until there is something to decide.

use lazuli_logic::{BitOp, PathCondition, Sort, Term};
use lazuli_program::ir::{BinaryOp, Const, Instr, MethodId, Reg, Type};

use crate::explore::Executor;
use crate::heap::{Effect, HeapModel};
use crate::outcome::{CLASS_CAST, Outcome, Stop};
use crate::state::{Frame, State};

/// Why execution paused.
pub(crate) enum Pause {
    /// The cases are in the executor's buffer.
    Decide,
    End(Outcome, Option<Term>),
}

impl<M: HeapModel> Executor<'_, M> {
    /// Runs a state to its next decision or its end. Instructions with a single case are carried out on the way.
    pub(crate) fn advance(&mut self, state: &mut State<M::Heap>) -> Pause {
        let limit = self.config.bounds.steps;
        loop {
            if state.steps >= limit {
                return Pause::End(Outcome::Stopped(Stop::Budget("--max-steps")), None);
            }
            state.steps += 1;
            self.counts.steps += 1;
            if self.steps_trace.is_some() {
                self.trace_step(state);
            }
            self.cases.clear();
            let restricts = self.model.restricts(&self.cx);
            if restricts {
                self.restrict_operands(state);
            }
            if let Some(end) = self.step(state) {
                return end;
            }
            if restricts {
                self.restrict_guards(&state.path);
            }
            self.settle(&state.path);
            match self.cases.list.as_slice() {
                [] => {}
                [case] if case.guard == Term::TRUE && !case.counted => {
                    let case = self.cases.list.pop().expect("there is one case");
                    if let Some(change) = case.change {
                        self.model.apply(&mut self.cx, &mut state.heap, change);
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
    fn restrict_operands(&mut self, state: &mut State<M::Heap>) {
        let frame = *state.frames.last().expect("a running state has a frame");
        let operands = match self.cx.program.method(frame.method).code[frame.pc as usize] {
            Instr::GetField { object, .. } => [Some(object), None],
            Instr::PutField { object, value, .. } => [Some(object), Some(value)],
            Instr::RefEq { lhs, rhs, .. } | Instr::Binary { lhs, rhs, .. } => [Some(lhs), Some(rhs)],
            Instr::InstanceOf { src, .. } | Instr::Cast { src, .. } => [Some(src), None],
            Instr::Call { receiver, .. } => [Some(receiver), None],
            Instr::Branch { condition, .. } | Instr::Assert { condition } => [Some(condition), None],
            _ => return,
        };
        let places = operands.map(|register| register.map(|r| frame.base as usize + r.index()));
        let terms = &mut self.cx.terms;
        let is_open =
            |at: &usize| !terms.is_constant(state.registers[*at]) && terms.as_symbol(state.registers[*at]).is_none();
        let open: Vec<usize> = places.into_iter().flatten().filter(is_open).collect();
        if open.is_empty() {
            return;
        }
        self.facts.turn_to(terms, &state.path);
        for at in open {
            state.registers[at] = terms.under(&mut self.facts, state.registers[at]);
        }
    }

    /// Leaves of the guards only what the path has not decided.
    fn restrict_guards(&mut self, path: &PathCondition) {
        let list = &mut self.cases.list;
        if list.iter().any(|case| case.guard.as_bool().is_none()) {
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
    fn settle(&mut self, path: &PathCondition) {
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
        let get = |state: &State<M::Heap>, r: Reg| state.registers[base + r.index()];
        let (cx, heap, cases) = (&mut self.cx, &mut state.heap, &mut self.cases);
        match *instr {
            Instr::Const { dst, value } => {
                let value = match value {
                    Const::Int(value) => cx.int(value),
                    Const::Bool(value) => Term::bool(value),
                    Const::Null => Term::NULL,
                };
                state.set(dst, value);
            }
            Instr::Input { dst, input } => {
                let input = &program.inputs[input.index()];
                let value = self.inputs.value(cx, &self.model, heap, &input.name, input.ty, false);
                state.set(dst, value);
            }
            Instr::Load { register } => {
                let value = state.registers[base + register.index()];
                if cx.terms.as_symbol(value).is_none() {
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
                self.model.read(cx, heap, object, field, cases);
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
                        state.flow.record(value as u64);
                        state.goto(if value { then } else { otherwise });
                    }
                    None => self.decide(condition, Effect::Goto(then), Effect::Goto(otherwise)),
                }
            }
            Instr::Return { value } => {
                let value = get(state, value);
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
        }
        None
    }

    /// Proposes the two sides of a program branch.
    fn decide(&mut self, condition: Term, then: Effect, otherwise: Effect) {
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
        let is_null = self.model.is_null(&mut self.cx, &state.heap, value);
        let passes = self.cx.terms.or(is_null, is);
        self.cases.checked(&mut self.cx, passes, bound, None, Effect::Value(value), CLASS_CAST);
    }

    /// Pops a frame.
    fn give_back(&mut self, state: &mut State<M::Heap>, value: Term) -> Option<Pause> {
        let frame = state.frames.pop().expect("a running state has a frame");
        state.registers.truncate(frame.base as usize);
        if state.frames.is_empty() {
            return Some(Pause::End(Outcome::Returned, Some(value)));
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
                | Instr::Cast { dst, .. }
                | Instr::GetField { dst, .. } => state.set(dst, value),
                Instr::Load { register } => state.set(register, value),
                Instr::PutField { .. } => state.next(),
                ref other => unreachable!("{other:?} has no value"),
            },
            Effect::Again => {}
            Effect::Goto(target) => {
                if let Instr::Branch { then, .. } = *instr {
                    state.flow.record((target == then) as u64);
                }
                state.goto(target);
            }
            Effect::Call(method) => return self.enter(state, method),
            Effect::Throw(exception) => {
                state.throws(3);
                return Some(Pause::End(Outcome::Threw(exception.to_string()), None));
            }
            Effect::AssertFails => {
                state.throws(4);
                return Some(Pause::End(Outcome::AssertFailed, None));
            }
        }
        None
    }

    /// Pushes a frame for the call that is the current instruction.
    fn enter(&mut self, state: &mut State<M::Heap>, method: MethodId) -> Option<Pause> {
        if state.frames.len() >= self.config.bounds.calls {
            return Some(Pause::End(Outcome::Stopped(Stop::Budget("--max-calls")), None));
        }
        state.flow.record(5 + method.0 as u64);
        let caller = state.frames.last_mut().expect("a running state has a frame");
        let Instr::Call { dst, receiver, ref args, .. } =
            self.cx.program.method(caller.method).code[caller.pc as usize]
        else {
            unreachable!("only a call enters a method")
        };
        let from = caller.base as usize;
        let base = state.registers.len();
        let size = self.cx.program.method(method).registers.len();
        state.registers.push(state.registers[from + receiver.index()]);
        for arg in args.iter() {
            state.registers.push(state.registers[from + arg.index()]);
        }
        state.registers.resize(base + size, Term::NULL);
        state.frames.push(Frame { method, pc: 0, base: base as u32, dst });
        None
    }
}

impl<H> State<H> {
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running state has a frame")
    }

    /// Writes a register of the current frame and goes on.
    fn set(&mut self, register: Reg, value: Term) {
        let frame = self.frame();
        frame.pc += 1;
        let at = frame.base as usize + register.index();
        self.registers[at] = value;
    }

    /// The path ends here. The place is part of it: between two branches there may be several instructions that throw.
    fn throws(&mut self, event: u64) {
        let place = self.frame().pc;
        self.flow.record(event);
        self.flow.record(place as u64);
    }

    fn next(&mut self) {
        self.frame().pc += 1;
    }

    fn goto(&mut self, target: u32) {
        self.frame().pc = target;
    }
}

/// What JBSE would have asked about a comparison of unknown values that simplifies to a constant, if a jump follows: one
/// question about the jump, and one about the other side if the first is satisfiable. (See [`crate::run::Counts::settled`].)
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
