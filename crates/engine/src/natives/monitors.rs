//! Monitors. One thread is executed: nobody waits for one, but it is known which are held.

use lazuli_logic::Term;
use lazuli_program::library::access;

use crate::executor::{Executor, Native};
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Step, unsupported};

const ILLEGAL_STATE: &str = "IllegalMonitorStateException";

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        // There is nobody to be woken up.
        "java/lang/Object.notify()V" | "java/lang/Object.notifyAll()V" => |e, state, args| {
            e.require_monitor(state, args[0])?;
            Ok(Term::NULL)
        },
        "java/lang/Object.wait(J)V" | "java/lang/Object.wait0(J)V" => |e, state, args| {
            e.require_monitor(state, args[0])?;
            unsupported("waiting for another thread")
        },
        "java/lang/Thread.holdsLock(Ljava/lang/Object;)Z" => |e, state, args| {
            e.check_null(state, args[0])?;
            let held = e.held(state, args[0])?;
            Ok(crate::arith::truth(&mut e.cx.terms, held))
        },
        "java/lang/Thread.yield()V" | "java/lang/Thread.yield0()V" => |_, _, _| Ok(Term::NULL),
        _ => return None,
    };
    Some(native)
}

impl<M: HeapModel> Executor<'_, M> {
    /// Enters a monitor, or leaves one that must be held.
    pub(crate) fn monitor(&mut self, state: &mut State<M::Heap>, object: Term, enter: bool) -> Step {
        // The JDK's own monitors guard what belongs to it; that nobody else enters the program's is an assumption.
        let method = state.frames.last().and_then(|frame| self.cx.program.method(frame.method).class);
        if method.is_some_and(|class| self.is_program(class)) {
            self.cx.take_for_granted(crate::scope::Taken::OneThread);
        }
        self.check_null(state, object)?;
        if enter {
            state.monitors.push(object);
            return Ok(());
        }
        // Mostly it is left through the reference by which it was entered.
        if let Some(at) = state.monitors.iter().rposition(|held| *held == object) {
            state.monitors.remove(at);
            return Ok(());
        }
        for at in (0..state.monitors.len()).rev() {
            let same = self.same(state, object, state.monitors[at])?;
            if self.check(state, same)? {
                state.monitors.remove(at);
                return Ok(());
            }
        }
        self.require_monitor(state, object)
    }

    fn require_monitor(&mut self, state: &mut State<M::Heap>, object: Term) -> Step {
        let held = self.held(state, object)?;
        self.require(state, held, ILLEGAL_STATE)
    }

    /// Whether the monitor of an object is held: by a statement, or by a method that is being executed.
    fn held(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Term> {
        let library = self.cx.library().expect("only Java has monitors");
        let mut holders = state.monitors.clone();
        for frame in state.frames.clone() {
            let declared = library.declared(frame.method);
            if declared.is(access::SYNCHRONIZED) && library.method_in_file(declared).is_some() {
                holders.push(match declared.is(access::STATIC) {
                    true => self.mirror(declared.class),
                    false => state.registers[frame.base as usize],
                });
            }
        }
        if holders.contains(&object) {
            return Ok(Term::TRUE);
        }
        let same = holders.into_iter().map(|holder| self.same(state, object, holder));
        let same = same.collect::<Step<Vec<Term>>>()?;
        Ok(self.cx.terms.any(same))
    }
}
