//! Executing instructions until there is something to decide. How they ask is in `decide.rs`.

mod constants;
pub(crate) mod exceptions;
mod java;

use std::rc::Rc;

use lazuli_logic::{PathCondition, Term};
use lazuli_program::ir::{
    BinaryOp, Callee, ClassId, Condition, Exception, Failures, Instr, Integers, Kind, MethodId, Operand, Reg, UnaryOp,
};

use crate::arith;
use crate::executor::Executor;
use crate::heap::{Case, Found, Given, HeapModel};
use crate::outcome::{ARITHMETIC, Bound, CLASS_CAST, Outcome, Stop};
use crate::state::{Frame, State};
use crate::suspend::{Pause, Step, Suspend};
use crate::trail::What;

/// How often a path without decisions looks at the clock: every so many instructions, less one.
const LOOK_EVERY: u64 = (1 << 8) - 1;

impl<M: HeapModel> Executor<'_, M> {
    /// Runs a state to its next decision or its end.
    pub fn advance(&mut self, state: &mut State<M::Heap>) -> Pause {
        self.rounds.begin(state);
        self.cx.settled = 0;
        // A trial may run within an instruction of another path.
        let (steps, look_at) = (state.steps, std::mem::replace(&mut self.look_at, 0));
        let pause = self.run(state);
        self.counts.steps += state.steps - steps;
        self.look_at = look_at;
        pause
    }

    #[inline(always)]
    fn run(&mut self, state: &mut State<M::Heap>) -> Pause {
        loop {
            // An instruction that goes on after an answer has been counted.
            if state.attempt.is_first() {
                if state.steps >= self.look_at
                    && let Some(bound) = self.look_up(state)
                {
                    return Pause::End(Outcome::Stopped(Stop::Bound(bound)), None);
                }
                state.steps += 1;
            }
            self.operations = 0;
            match self.execute(state) {
                Ok(()) | Err(Suspend::Detour) => state.attempt.clear(),
                Err(Suspend::Choose) => return Pause::Decide,
                Err(Suspend::Throw(exception)) => {
                    state.attempt.clear();
                    match self.fail(state, exception) {
                        Ok(()) => {}
                        Err(Suspend::End(end)) => return Pause::End(end.0, end.1),
                        Err(Suspend::Stop(stop)) => return Pause::End(Outcome::Stopped(*stop), None),
                        Err(other) => unreachable!("a failure asks nothing: {other:?}"),
                    }
                }
                Err(Suspend::Stop(stop)) => return Pause::End(Outcome::Stopped(*stop), None),
                Err(Suspend::Prune(pruned)) => return Pause::Pruned(pruned),
                Err(Suspend::End(end)) => return Pause::End(end.0, end.1),
            }
        }
    }

    /// Looks up from the instructions before the next one: a limit that the path has come to. Says when to do so again.
    #[cold]
    fn look_up(&mut self, state: &mut State<M::Heap>) -> Option<Bound> {
        if state.steps & LOOK_EVERY == 0
            && let Some(bound) = self.watch.late()
        {
            return Some(bound);
        }
        let most = self.most_steps;
        let limit = state.companions.last().map_or(most, |running| running.limit.min(most));
        if state.steps >= limit {
            return Some(Bound::MaxSteps);
        }
        self.look_at = (state.steps | LOOK_EVERY).saturating_add(1).min(limit);
        if self.steps_trace.is_some() || self.visits.is_some() {
            self.look_at = 0;
            self.trace_step(state);
            self.visit(state);
        }
        None
    }

    /// Notes the next step of a state, unless that looks for who catches an exception.
    fn visit(&mut self, state: &State<M::Heap>) {
        let Some((visits, frame)) = self.visits.as_mut().zip(state.frames.last()) else { return };
        if state.thrown.is_none() {
            visits.step(self.cx.program, state.frames.len(), frame.method, frame.pc);
        }
    }

    #[inline]
    fn execute(&mut self, state: &mut State<M::Heap>) -> Step {
        if self.companions {
            self.prepare(state)?;
        }
        match state.thrown {
            None => self.step(state),
            Some(_) => self.unwind(state),
        }
    }

    /// The current instruction fails with an exception of a class.
    fn fail(&mut self, state: &mut State<M::Heap>, exception: &'static str) -> Step {
        self.forget_calls(state);
        state.throws(3);
        match self.cx.program.semantics.failures {
            Failures::Objects => self.throw_new(state, exception),
            Failures::Final => Err(Suspend::end(Outcome::Threw(exception.to_string()), None)),
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
        if let Instr::Binary { op, .. } = *instr {
            // What is calculated with words is simplified when somebody branches on it.
            let waits = self.cx.program.semantics.integers == Integers::Words;
            // Either nothing is left of the other truth value, or it stays what it is until then.
            let joins = matches!(op, BinaryOp::And | BinaryOp::Or);
            if waits || joins && values.iter().any(|value| value.as_bool().is_some()) {
                return;
            }
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

    /// One instruction.
    #[inline(always)]
    fn step(&mut self, state: &mut State<M::Heap>) -> Step {
        let frame = *state.frames.last().expect("a running state has a frame");
        let program = self.cx.program;
        let instr = &program.method(frame.method).code[frame.pc as usize];
        let base = frame.base as usize;
        // What was found out with these operands stays.
        if self.model.restricts(&self.cx) && state.attempt.is_first() {
            self.restrict_operands(state, base, instr);
        }
        let get = |state: &State<M::Heap>, r: Reg| state.registers[base + r.index()];
        match *instr {
            Instr::Const { dst, value } => {
                let value = self.constant(state, value);
                state.set(dst, value);
            }
            Instr::Input { dst, input } => {
                let input = &program.inputs[input.index()];
                let (cx, heap) = (&mut self.cx, &mut state.heap);
                let value = self.inputs.value(cx, &self.model, heap, &input.name, input.ty, Given::Nothing);
                state.set(dst, value);
            }
            Instr::Load { register } => {
                let value = get(state, register);
                if self.cx.terms.as_symbol(value).is_none() || self.is_loaded(state, value) {
                    state.next();
                } else {
                    let value = self.load(state, value)?;
                    state.set(register, value);
                }
            }
            Instr::Move { dst, src } => {
                let value = get(state, src);
                state.set(dst, value);
            }
            Instr::Binary { dst, kind, op, lhs, rhs } => {
                let a = get(state, lhs);
                let b = self.operand(state, base, rhs, if op.is_shift() { Kind::Int } else { kind });
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    self.check_divisor(state, kind, b)?;
                }
                let value = arith::binary(&mut self.cx, kind, op, a, b);
                if op.is_test()
                    && let Some(holds) = value.as_bool()
                    && !(self.cx.terms.is_constant(a) && self.cx.terms.is_constant(b))
                {
                    let next = &program.method(frame.method).code[frame.pc as usize + 1..];
                    self.counts.settled += settled_questions(holds, next);
                }
                state.set(dst, value);
            }
            Instr::Unary { dst, op, src } => {
                let value = arith::unary(&mut self.cx.terms, op, get(state, src));
                state.set(dst, value);
            }
            Instr::RefEq { dst, lhs, rhs } => {
                let (a, b) = (get(state, lhs), get(state, rhs));
                let equal = self.same(state, a, b)?;
                state.set(dst, equal);
            }
            Instr::InstanceOf { dst, src, class } => {
                let value = get(state, src);
                let is = self.instance_of(state, value, class)?;
                state.set(dst, is);
            }
            Instr::IsResolved { dst, object, field } => {
                let object = get(state, object);
                let resolved = self.is_resolved(state, object, field)?;
                state.set(dst, resolved);
            }
            Instr::Cast { dst, src, class } => {
                let value = get(state, src);
                self.cast(state, value, class)?;
                state.set(dst, value);
            }
            Instr::New { dst, class } => {
                let object = self.model.alloc(&mut self.cx, &mut state.heap, class);
                state.set(dst, object);
            }
            Instr::GetField { dst, object, field } => {
                let object = get(state, object);
                let value = self.read(state, object, field)?;
                state.set(dst, value);
            }
            Instr::PutField { object, field, value } => {
                let (object, value) = (get(state, object), get(state, value));
                self.write(state, object, field, value)?;
                state.next();
            }
            Instr::Call { dst, callee, ref args } => match callee {
                Callee::Virtual(class, selector) => {
                    let receiver = get(state, args[0]);
                    let method = self.dispatch(state, receiver, class, selector)?;
                    self.enter(state, method)?;
                }
                Callee::Exactly(method) => self.enter(state, method)?,
                Callee::Message(method) => {
                    let values: Vec<Term> = args.iter().map(|arg| get(state, *arg)).collect();
                    if !self.leaves_untold(state, method, &values) {
                        state.be_quiet(state.frames.len());
                        return self.enter(state, method);
                    }
                    let message = self.untold_text(state);
                    state.set(dst, message);
                }
            },
            Instr::Jump { target } => self.jump(state, frame.pc, target, None)?,
            Instr::Branch { condition, then, otherwise } => {
                let condition = match condition {
                    Condition::Holds(condition) => get(state, condition),
                    Condition::Compare(test, lhs, rhs) => {
                        let (a, b) = (get(state, lhs), self.operand(state, base, rhs, Kind::Int));
                        arith::test(&mut self.cx, test, a, b)
                    }
                };
                let holds = self.branch(state, condition)?;
                self.jump(state, frame.pc, if holds { then } else { otherwise }, Some(holds as u64))?;
            }
            Instr::Return { value } => {
                let value = match value {
                    None => Term::NULL,
                    Some(value) => arith::returned(&mut self.cx, frame.method, get(state, value)),
                };
                self.give_back(state, value)?;
            }
            Instr::Throw { ref exception } => match *exception {
                Exception::Named(ref name) => {
                    state.throws(3);
                    return Err(Suspend::end(Outcome::Threw(name.to_string()), None));
                }
                Exception::Contract => {
                    state.throws(5);
                    return Err(Suspend::end(Outcome::PostFailed, None));
                }
                Exception::New(name) => return Err(Suspend::Throw(name)),
                Exception::Object(object) => {
                    let object = get(state, object);
                    self.check_null(state, object)?;
                    state.raise(program, object);
                }
            },
            Instr::Assert { condition } => {
                let condition = get(state, condition);
                if !self.branch(state, condition)? {
                    state.throws(4);
                    return Err(Suspend::end(Outcome::AssertFailed, None));
                }
                state.next();
            }
            Instr::Reach { ref place } => {
                Rc::make_mut(&mut state.vm).reach(place);
                state.next();
            }
            ref java => self.step_java(state, frame, java)?,
        }
        Ok(())
    }

    /// Jumps, which may be an event of the control flow.
    #[inline]
    fn jump(&mut self, state: &mut State<M::Heap>, from: u32, target: u32, event: Option<u64>) -> Step {
        let is_back = target <= from;
        if is_back && state.rings.is_some() {
            self.look_for_ring(state, target)?;
        }
        if let Some(event) = event {
            state.record(event);
        }
        state.goto(target);
        if is_back { self.come_back(state) } else { Ok(()) }
    }

    /// The value of an operand of a kind.
    #[inline]
    fn operand(&mut self, state: &State<M::Heap>, base: usize, operand: Operand, kind: Kind) -> Term {
        match operand {
            Operand::Reg(register) => state.registers[base + register.index()],
            Operand::Int(value) => arith::number(&mut self.cx, kind, value),
        }
    }

    /// Integers cannot be divided by zero.
    fn check_divisor(&mut self, state: &mut State<M::Heap>, kind: Kind, divisor: Term) -> Step {
        if let Kind::Int | Kind::Long = kind {
            let zero = arith::number(&mut self.cx, kind, 0);
            let divides = self.cx.terms.ne(divisor, zero);
            self.require(state, divides, ARITHMETIC)?;
        }
        Ok(())
    }

    /// A cast passes null and objects of the class.
    fn cast(&mut self, state: &mut State<M::Heap>, value: Term, class: ClassId) -> Step {
        if value.is_null() {
            return Ok(());
        }
        self.operation(state, |executor, state| {
            let (cx, cases) = (&mut executor.cx, &mut executor.cases);
            executor.model.instance_of(cx, &mut state.heap, value, class, cases);
            // What the model says of `instanceof`, as a check.
            let [Case { guard: bound, found: Some(Found::Value(is)), .. }] = *cases.list.as_slice() else { return };
            cases.list.clear();
            cases.loaded = bound;
            let is_null = executor.model.is_null(cx, &state.heap, value);
            let passes = cx.terms.or(is_null, is);
            cases.checked(cx, passes, bound, None, Found::Value(value), CLASS_CAST);
        })?;
        Ok(())
    }

    /// Pops a frame.
    pub(crate) fn give_back(&mut self, state: &mut State<M::Heap>, value: Term) -> Step {
        let frame = state.frames.pop().expect("a running state has a frame");
        state.registers.truncate(frame.base as usize);
        state.frame_left();
        if state.trail.leaves(state.frames.len()) {
            state.trail.leave(What::Back(value));
        }
        if self.leaves_companion(state) {
            return self.leave_companion(state, value);
        }
        if state.frames.is_empty() {
            // The place where the path ends.
            state.frames.push(frame);
            return Err(Suspend::end(Outcome::Returned, Some(value)));
        }
        if !frame.called {
            let class = self.cx.program.method(frame.method).class.expect("an initialiser has a class");
            return self.make_statics_symbolic(state, class);
        }
        state.set(frame.dst, value);
        Ok(())
    }

    /// Pushes a frame for the call that is the current instruction.
    pub(crate) fn enter(&mut self, state: &mut State<M::Heap>, method: MethodId) -> Step {
        if state.frames.len() >= self.config.bounds.calls {
            return Err(Suspend::stop(Stop::Bound(Bound::MaxCalls)));
        }
        state.record(5 + method.0 as u64);
        let caller = *state.frames.last().expect("a running state has a frame");
        let (from, base) = (caller.base as usize, state.registers.len());
        let size = self.cx.program.method(method).registers.len();
        state.registers.resize(base + size, Term::NULL);
        let dst = match self.cx.program.method(caller.method).code[caller.pc as usize] {
            Instr::Call { dst, ref args, .. } => {
                let (registers, own) = state.registers.split_at_mut(base);
                own.iter_mut().zip(args).for_each(|(own, arg)| *own = registers[from + arg.index()]);
                dst
            }
            ref other => unreachable!("{other:?} enters no method"),
        };
        state.frames.push(Frame { method, pc: 0, base: base as u32, dst, called: true });
        // The classes of inputs and constants were initialised by whoever made them.
        match self.cx.program.initialises(method) {
            Some(class) if !state.vm.is_initialised(class) => self.init_class(state, class),
            _ => Ok(()),
        }
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
    pub(crate) fn throws(&mut self, event: u64) {
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
        Instr::RefEq { lhs, rhs, .. } => [Some(lhs), Some(rhs)],
        Instr::Binary { lhs, rhs: Operand::Reg(rhs), .. } => [Some(lhs), Some(rhs)],
        Instr::InstanceOf { src, .. } | Instr::Cast { src, .. } => [Some(src), None],
        Instr::Branch { condition: Condition::Holds(condition), .. } | Instr::Assert { condition } => {
            [Some(condition), None]
        }
        Instr::Branch { condition: Condition::Compare(_, lhs, rhs), .. } => match rhs {
            Operand::Reg(rhs) => [Some(lhs), Some(rhs)],
            Operand::Int(_) => [Some(lhs), None],
        },
        Instr::ArrayLoad { array, .. } | Instr::CheckStore { array, .. } => [Some(array), None],
        Instr::ArrayStore { array, value, .. } => [Some(array), Some(value)],
        Instr::CheckNull { object } => [Some(object), None],
        Instr::Call { callee: Callee::Virtual(..), ref args, .. } => [Some(args[0]), None],
        _ => [None, None],
    }
}

/// What JBSE would have asked about a comparison of unknown values that simplifies to a constant, if a jump follows: one
/// question about the jump, and one about the other side if the first is satisfiable. (See [`crate::counts::Counts::settled`].)
fn settled_questions(holds: bool, next: &[Instr]) -> u64 {
    let jumps = match next {
        [Instr::Branch { .. }, ..] => holds,
        [Instr::Unary { op: UnaryOp::Not, .. }, Instr::Branch { .. }, ..] => !holds,
        _ => return 0,
    };
    1 + jumps as u64
}
