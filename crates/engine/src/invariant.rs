//! Invariants: which inputs are valid data structures. Assumptions about the input that no valid one allows are pruned.
//!
//! There are several techniques, named by [`Technique`]. Under the heap models that enumerate, `fork` asks one question after
//! every assumption: [`Executor::carry_out`]. Under the models that do not, HEX is a clause of the initialisation and the
//! question is the solver's; nothing forks there.

mod bounded;
pub mod companion;
mod consp;
pub mod mso;
mod prep;
pub(crate) mod rep_ok;
pub(crate) mod trial;

pub use rep_ok::{Instrumented, with_full};

use lazuli_logic::{Node, Term, Verdict};
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::config::Config;
use crate::error::SetupError;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::hex::{self, Evaluator};
use crate::outcome::{Outcome, Stop};
use crate::state::State;
use crate::suspend::{Pruned, Step, Suspend};
use crate::technique::Technique;

/// The program as the technique of a configuration executes it; `None` if that is the program itself. Errors are about what the
/// technique needs and does not find.
pub fn instrumented(program: &Program, config: &Config, entry: MethodId) -> Result<Option<Instrumented>, SetupError> {
    let Some(technique) = config.invariants.as_ref().map(|invariants| invariants.technique) else { return Ok(None) };
    let enumerates = config.heap.resolves_inputs();
    match technique {
        Technique::Hex => Ok(None),
        Technique::Consp | Technique::Bounded | Technique::Mso if !enumerates => {
            Err(SetupError::NoPartialHeaps { technique, heap: config.heap })
        }
        Technique::Mso => mso::mona::is_installed().map(|()| None).map_err(SetupError::Technique),
        Technique::Prep | Technique::Consp | Technique::Bounded => {
            rep_ok::instrument(program, entry, technique).map(Some).map_err(SetupError::Technique)
        }
    }
}

impl<M: HeapModel> Executor<'_, M> {
    /// Carries out the change of the case that was taken, and asks the invariants if it is an assumption about the input.
    pub(crate) fn carry_out(&mut self, state: &mut State<M::Heap>, change: M::Change) -> Step {
        let asks = self.config.invariants.as_ref().filter(|_| self.model.resolves(&change));
        let technique = asks.map(|invariants| invariants.technique);
        let clause = self.model.apply(&mut self.cx, &mut state.heap, change);
        if let Some(stop) = self.given_up() {
            return Err(Suspend::stop(stop));
        }
        match technique {
            _ if self.trials.running => Ok(()),
            Some(Technique::Hex) => self.assume(state, clause),
            Some(Technique::Consp) => self.admit_conservatively(state),
            Some(Technique::Bounded) => self.admit_completable(state),
            Some(Technique::Mso) => self.admit_by_shape(state),
            Some(Technique::Prep) | None => Ok(()),
        }
    }

    /// What the invariants say of a path that has ended.
    pub fn admit_end(&mut self, state: &mut State<M::Heap>, outcome: &Outcome) -> Step {
        let pruned = |yes: bool| if yes { Err(Suspend::Prune(Pruned::Invariant)) } else { Ok(()) };
        match self.config.invariants.as_ref().map(|invariants| invariants.technique) {
            Some(Technique::Prep) => pruned(self.ended_in_harness(state, outcome)),
            Some(Technique::Bounded) => self.admit_completable(state),
            // The models that enumerate have nothing left to ask, and keep no path.
            Some(Technique::Hex) if self.model.restricts(&self.cx) => {
                self.cx.path = state.path.clone();
                let clause = self.model.ask(&mut self.cx, &mut state.heap);
                match self.given_up() {
                    Some(stop) => Err(Suspend::stop(stop)),
                    None => self.assume(state, clause),
                }
            }
            _ => Ok(()),
        }
    }

    /// Why the invariants could not be evaluated for the last instruction, if so.
    pub fn given_up(&mut self) -> Option<Stop> {
        self.cx.invariant.as_ref()?;
        std::mem::take(&mut self.cx.origins().too_many).then(|| {
            let most = hex::MAX_SPOTS;
            Stop::Invariant(format!("a reference may stand at more than {most} places of the backbone"))
        })
    }

    /// Adds a clause of the invariants to the path condition, which must stay satisfiable. Where it is decided what a reference is, the
    /// parts of a conjunction have little in common: keys, heights and sizes are asked about one by one, each with its own group.
    pub fn assume(&mut self, state: &mut State<M::Heap>, clause: Term) -> Step {
        let parts = match self.cx.terms.node(clause) {
            Some(Node::And(parts)) => parts.clone(),
            _ => return self.assume_part(state, clause),
        };
        for part in parts.iter() {
            self.assume_part(state, *part)?;
        }
        Ok(())
    }

    fn assume_part(&mut self, state: &mut State<M::Heap>, clause: Term) -> Step {
        match clause.as_bool() {
            Some(true) => return Ok(()),
            Some(false) => return Err(Suspend::Prune(Pruned::Invariant)),
            None => {}
        }
        match self.solver.extension(&mut self.cx.terms, &state.path, clause) {
            Verdict::Sat(extension) => {
                state.path.extend(extension);
                Ok(())
            }
            Verdict::Unsat => Err(Suspend::Prune(Pruned::Invariant)),
            Verdict::Unknown(reason) => Err(Suspend::stop(Stop::SolverUnknown(reason))),
        }
    }
}
