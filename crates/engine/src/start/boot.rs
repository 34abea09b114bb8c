//! Starting the machine: what a virtual machine has done before the program's first instruction, as far as the JDK's own code does it.
//!
//! It is done when a static of `System` is first used, by executing the first phase of the JDK's start; a program that never asks for such a static pays
//! nothing for it.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{MethodId, Reg};

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};
use crate::vm::By;

/// The phases, in order: methods of `System`.
const PHASES: [(&str, &str); 2] = [("<clinit>", "()V"), ("initPhase1", "()V")];

impl<M: HeapModel> Executor<'_, M> {
    /// The machine has been started when this is done; if its start has to be executed on the path, the instruction comes again afterwards.
    pub(crate) fn boot(&mut self, state: &mut State<M::Heap>) -> Step {
        let system = self.cx.known.as_ref().expect("only Java has a machine").system;
        if state.vm.is_initialised(system) || self.take_over(state, system)? {
            return Ok(());
        }
        Rc::make_mut(&mut state.vm).set_initialised(system, By::Path);
        let library = self.cx.library().expect("only Java has a machine");
        let start = library.java(system).initializer.ok_or_else(|| Suspend::unsupported("the start of this JDK"))?;
        self.enter_initialisers(state, vec![start])?;
        Err(Suspend::Detour)
    }

    /// `System.<clinit>` is the start of the machine: its phases one after the other. After each this comes again.
    pub(crate) fn start_machine(&mut self, state: &mut State<M::Heap>) -> Step<Term> {
        let done = state.vm.phases as usize;
        Rc::make_mut(&mut state.vm).phases += 1;
        let Some((name, descriptor)) = PHASES.get(done) else { return Ok(Term::NULL) };
        let phase = self.phase(name, descriptor)?;
        self.push_frame(state, phase, &[], Reg(0), false);
        Err(Suspend::Detour)
    }

    /// Whether the machine's start is being executed in this state.
    pub(crate) fn is_booting(&self, state: &State<M::Heap>) -> bool {
        (1..=PHASES.len()).contains(&(state.vm.phases as usize))
    }

    fn phase(&self, name: &str, descriptor: &str) -> Step<MethodId> {
        let library = self.cx.library().expect("only Java has a machine");
        let system = self.cx.known.as_ref().expect("only Java has a machine").system;
        match library.declared_method(system, name, descriptor) {
            Some(phase) if library.is_provided(library.declared(phase)) => Ok(library.original(phase)),
            Some(phase) => Ok(phase),
            None => unsupported(format!("the start of this JDK: it has no System.{name}")),
        }
    }
}
