//! Exceptions of Java: raised by instructions and by `athrow`, passed from frame to frame until a handler takes them.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::Program;
use lazuli_program::ir::{FieldId, Instr, MethodId, Operand, Reg, Type};
use lazuli_program::library::THROWER;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::known::is_value_class;
use crate::outcome::{ARITHMETIC, Bound, NULL_POINTER, Outcome, Stop};
use crate::shared::is_shared;
use crate::state::{Frame, State, Thrown};
use crate::suspend::{Step, Suspend, unsupported};
use crate::trail::What;

/// What an exception says that an instruction raises.
enum Message {
    None,
    Known(String),
    /// Something with numbers that are not known, or that depends on class loaders: whoever looks into it cannot be answered.
    Unknown,
}

/// Why a path stops that looks into a text which was not put together.
pub(super) const UNTOLD: &str = "the text of a message that was not put together";

/// The internal name of an exception's class.
fn internal(exception: &str) -> String {
    if exception.contains('/') { exception.into() } else { format!("java/lang/{exception}") }
}

/// The places of so many exceptions of a path are remembered.
const MAX_RAISED: usize = 32;

impl<H> State<H> {
    /// An exception object starts its way. Where an instruction failed, the place is that instruction's.
    pub(crate) fn raise(&mut self, program: &Program, value: Term) {
        let is_thrower = |frame: &&Frame| program.method(frame.method).name == THROWER;
        let frame = *self.frames.iter().rev().find(|frame| !is_thrower(frame)).expect("a running state has a frame");
        let first = self.raised.iter().find(|(known, ..)| *known == value).map(|(_, method, pc)| (*method, *pc));
        let (method, pc) = first.unwrap_or((frame.method, frame.pc));
        if first.is_none() {
            // Which exceptions were thrown long ago matters to nobody.
            self.raised.truncate(MAX_RAISED - 1);
            self.raised.insert(0, (value, method, pc));
        }
        self.thrown = Some(Thrown { value, handler: 0, method, pc, came: None });
    }

    /// The exception in flight arrives at a handler.
    fn catch(&mut self, target: u32, register: Reg) {
        let thrown = self.thrown.take().expect("something was thrown");
        let frame = self.frames.last_mut().expect("a running state has a frame");
        frame.pc = target;
        let at = frame.base as usize + register.index();
        self.registers[at] = thrown.value;
    }
}

impl<M: HeapModel> Executor<'_, M> {
    /// An instruction fails: a new exception of the class is made by its own constructor, and thrown.
    pub(crate) fn throw_new(&mut self, state: &mut State<M::Heap>, exception: &str) -> Step {
        match self.message(state, exception) {
            Message::None => {
                let thrower =
                    self.cx.library().expect("only Java makes exceptions").thrower(&internal(exception), "()V");
                self.run_thrower(state, thrower, &[])
            }
            Message::Known(text) => self.throw_with_message(state, exception, &text),
            // The same constructor as in a replay, where the numbers are known.
            Message::Unknown => {
                let message = self.untold_text(state);
                self.throw_saying(state, exception, message)
            }
        }
    }

    /// A new string that stands for a text which is not put together. It is an object like others: it has a class, is not null and
    /// equals itself. Only its characters are missing, see [`Self::look_into`].
    pub(crate) fn untold_text(&mut self, state: &mut State<M::Heap>) -> Term {
        let text = self.new_string(state, &[]);
        Rc::make_mut(&mut state.vm).untold.insert(text);
        text
    }

    /// Whether the message that a method would put together is left untold: if it has a number that is not known, or a text that is
    /// untold itself. But if an object would be asked for its text, by code that may do anything, it is put together.
    pub(super) fn leaves_untold(&self, state: &State<M::Heap>, method: MethodId, values: &[Term]) -> bool {
        let is_known = |value: &Term| self.cx.terms.is_constant(*value) && !state.vm.untold.contains(value);
        if values.iter().all(is_known) {
            return false;
        }
        let library = self.cx.library().expect("only Java has messages");
        let declared = library.declared(method);
        let is_plain = |ty: &Type| match ty {
            Type::Ref(class) => is_value_class(library.internal_name(*class)),
            _ => true,
        };
        library.method_in_file(declared).is_some() || declared.parameters.iter().all(is_plain)
    }

    /// A field of an object is about to be read: not one of a text that was not put together, from wherever it came here. Every look
    /// into a string (its length, a comparison, a concatenation, its hash) begins with one of its fields. Where it is such a text the path stops.
    pub(crate) fn look_into(&mut self, state: &mut State<M::Heap>, object: Term, field: FieldId) -> Step {
        self.look_into_shared(state, object, field)?;
        if state.vm.untold.is_empty() || !self.is_of_string(field) {
            return Ok(());
        }
        let leaves = self.cx.terms.leaves(object);
        let untold: Vec<Term> =
            leaves.iter().filter(|(leaf, _)| state.vm.untold.contains(leaf)).map(|(_, guard)| *guard).collect();
        let untold = self.cx.terms.any(untold);
        let told = self.cx.terms.not(untold);
        match self.check(state, told)? {
            true => Ok(()),
            false => unsupported(UNTOLD),
        }
    }

    /// Likewise for objects of the machine of which not everything is known.
    fn look_into_shared(&mut self, state: &mut State<M::Heap>, object: Term, field: FieldId) -> Step {
        let is_own = object.as_location().is_some_and(|location| !is_shared(location));
        if is_own || !self.cx.shared.has_opaque() || self.cx.terms.as_symbol(object).is_some() {
            return Ok(());
        }
        for (leaf, guard) in self.cx.terms.leaves(object).to_vec() {
            let shared = leaf.as_location().filter(|location| is_shared(*location));
            let Some(what) = shared.and_then(|location| self.cx.shared.unknown_field(location, field)) else {
                continue;
            };
            let is_other = self.cx.terms.not(guard);
            if !self.check(state, is_other)? {
                return unsupported(format!("{what} ({})", self.cx.program.field(field).name));
            }
        }
        Ok(())
    }

    fn is_of_string(&self, field: FieldId) -> bool {
        self.cx.known.as_ref().is_some_and(|known| self.cx.program.field(field).class == known.string)
    }

    pub(crate) fn throw_with_message(&mut self, state: &mut State<M::Heap>, exception: &str, text: &str) -> Step {
        let units: Vec<u16> = text.encode_utf16().collect();
        let message = self.new_string(state, &units);
        self.throw_saying(state, exception, message)
    }

    /// Likewise with a string that is there already.
    pub(crate) fn throw_saying(&mut self, state: &mut State<M::Heap>, exception: &str, message: Term) -> Step {
        let library = self.cx.library().expect("only Java makes exceptions");
        let thrower = library.thrower(&internal(exception), "(Ljava/lang/String;)V");
        self.run_thrower(state, thrower, &[message])
    }

    /// What the machine says about the current instruction, which fails. A null pointer has no message of its own: the JDK asks the
    /// machine when somebody wants to know. What is said of casts depends on class loaders.
    fn message(&mut self, state: &State<M::Heap>, exception: &str) -> Message {
        let frame = *state.frames.last().expect("a running state has a frame");
        let register = |register: Reg| state.registers[frame.base as usize + register.index()];
        let number = |value: Term| self.cx.terms.as_bits(value).map(|(_, bits)| bits as i32);
        let known = match self.cx.program.method(frame.method).code[frame.pc as usize] {
            Instr::Binary { .. } if exception == ARITHMETIC => Some("/ by zero".into()),
            Instr::CheckIndex { index, length } => {
                let index = match index {
                    Operand::Reg(index) => number(register(index)),
                    Operand::Int(index) => Some(index),
                };
                let length = number(register(length));
                index.zip(length).map(|(index, length)| format!("Index {index} out of bounds for length {length}"))
            }
            Instr::NewArray { length, .. } => number(register(length)).map(|length| length.to_string()),
            Instr::NewArrays { ref lengths, .. } => {
                let lengths: Option<Vec<i32>> = lengths.iter().map(|length| number(register(*length))).collect();
                lengths.and_then(|all| all.into_iter().find(|length| *length < 0)).map(|length| length.to_string())
            }
            Instr::CheckStore { value, .. } => {
                let classes = self.model.classes(&mut self.cx, &state.heap, register(value));
                let single = classes.first().filter(|_| classes.len() == 1);
                let library = self.cx.library().expect("only Java has arrays");
                single.map(|(class, _)| library.internal_name(*class).replace('/', "."))
            }
            _ if exception == NULL_POINTER => return Message::None,
            _ => None,
        };
        known.map_or(Message::Unknown, Message::Known)
    }

    fn run_thrower(&mut self, state: &mut State<M::Heap>, thrower: MethodId, args: &[Term]) -> Step {
        if state.frames.len() >= self.config.bounds.calls {
            return Err(Suspend::stop(Stop::Bound(Bound::MaxCalls)));
        }
        self.push_frame(state, thrower, args, Reg(0), true);
        Ok(())
    }

    /// Looks for the handler of the exception in flight: in the current frame, then in its callers. Which handler takes it is a part of the
    /// path, whether that is known at once or decided here.
    pub(super) fn unwind(&mut self, state: &mut State<M::Heap>) -> Step {
        loop {
            let thrown = state.thrown.expect("something was thrown");
            let frame = *state.frames.last().expect("a running state has a frame");
            let handlers = &self.cx.program.method(frame.method).handlers;
            let covers = |at: &usize| (handlers[*at].start..handlers[*at].end).contains(&frame.pc);
            let Some(at) = (thrown.handler as usize..handlers.len()).find(covers) else {
                if state.frames.len() == 1 || self.is_companion_frame(state) {
                    self.companion_throws(state)?;
                    return self.uncaught(state, thrown.value);
                }
                self.leave(state, thrown)?;
                if state.thrown.is_none() {
                    return Ok(());
                }
                continue;
            };
            let handler = &handlers[at];
            let fits = match handler.class {
                None => true,
                Some(class) => {
                    let is = self.instance_of(state, thrown.value, class)?;
                    let fits = self.branch(state, is)?;
                    state.record(6 + fits as u64);
                    fits
                }
            };
            if fits {
                state.catch(handler.target, handler.register);
                return Ok(());
            }
            state.thrown = Some(Thrown { handler: at as u32 + 1, ..thrown });
            self.commit(state);
        }
    }

    /// Pops a frame that does not handle the exception. What leaves a class initialiser is wrapped, by a method that throws it anew.
    fn leave(&mut self, state: &mut State<M::Heap>, thrown: Thrown) -> Step {
        let frame = state.frames.pop().expect("a running state has a frame");
        state.registers.truncate(frame.base as usize);
        state.frame_left();
        if state.trail.leaves(state.frames.len()) {
            state.trail.leave(What::Threw);
        }
        let mut thrown = Thrown { handler: 0, ..thrown };
        if thrown.came.is_none() && !self.is_own(thrown.method) {
            let below = state.frames.last().copied().filter(|below| self.is_own(below.method));
            thrown.came = below.map(|below| (below.method, below.pc));
        }
        state.thrown = Some(thrown);
        if frame.called {
            return Ok(());
        }
        let library = self.cx.library().expect("only Java has initialisers");
        self.fail_initialising(state, frame);
        let error = library.class_id("java/lang/Error");
        let classes = self.model.classes(&mut self.cx, &state.heap, thrown.value);
        if classes.iter().all(|(class, _)| library.is_subclass(*class, error)) {
            return Ok(());
        }
        state.thrown = None;
        let thrower = library.thrower("java/lang/ExceptionInInitializerError", "(Ljava/lang/Throwable;)V");
        self.run_thrower(state, thrower, &[thrown.value])
    }

    /// A class whose initialiser threw cannot be used, nor can its subclasses whose initialisers were waiting for it.
    fn fail_initialising(&mut self, state: &mut State<M::Heap>, frame: Frame) {
        let class = self.cx.program.method(frame.method).class.expect("an initialiser has a class");
        let vm = Rc::make_mut(&mut state.vm);
        Rc::make_mut(&mut vm.initialised).remove(&class);
        vm.failed.insert(class);
        let waiting = state.frames.last().copied().filter(|below| {
            let of = self.cx.program.method(below.method).class;
            !below.called && below.pc == 0 && of.is_some_and(|of| self.cx.program.is_subclass(of, class))
        });
        if let Some(waiting) = waiting {
            state.frames.pop();
            state.registers.truncate(waiting.base as usize);
            self.fail_initialising(state, waiting);
        }
    }

    /// Nobody handles it: the outcome of the path is the class of the exception.
    fn uncaught(&mut self, state: &mut State<M::Heap>, value: Term) -> Step {
        self.asked_class(state, value);
        let classes = self.model.classes(&mut self.cx, &state.heap, value);
        let guards: Vec<Term> = match classes.len() {
            1 => vec![Term::TRUE],
            _ => classes.iter().map(|(_, guard)| *guard).collect(),
        };
        let (class, _) = classes[self.choose(state, &guards, true)?];
        state.record(8 + class.0 as u64);
        let library = self.cx.library().expect("only Java has exception objects");
        let outcome = match library.is_subclass(class, library.class_id("java/lang/AssertionError")) {
            true => Outcome::AssertFailed,
            false => Outcome::Threw(library.class(class).name.clone()),
        };
        Err(Suspend::end(outcome, None))
    }
}
