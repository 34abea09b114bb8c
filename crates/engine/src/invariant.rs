//! Invariants: which inputs are valid data structures. Assumptions about the input that no valid one allows are pruned.
//!
//! There are several techniques, named by [`Technique`]. Under the heap models that enumerate, `fork` asks one question after
//! every assumption: [`Executor::carry_out`]. Under the models that do not, HEX is a clause of the initialisation and the
//! question is the solver's; nothing forks there.

pub mod audit;
mod bounded;
pub mod companion;
mod consp;
pub mod hex;
pub mod mso;
mod prep;
pub(crate) mod rep_ok;
pub(crate) mod trial;

pub use rep_ok::Instrumented;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use lazuli_logic::{Node, Term, Verdict};
use lazuli_program::Program;
use lazuli_program::hex::Hex;
use lazuli_program::ir::MethodId;

use crate::config::Config;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::outcome::{Outcome, Stop};
use crate::state::State;

/// How the invariants are evaluated: HEX (seed 002), or one of the techniques it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Technique {
    /// Statements about the references of the partial heap, one reference at a time.
    Hex,
    /// The representation invariant as a method, executed before the program.
    Prep,
    /// A conservative representation invariant, executed on the partial heap at every assumption.
    Consp,
    /// Bounded model finding: is there a completion with few objects?
    Bounded,
    /// Monadic second-order logic over tree backbones.
    Mso,
}

impl Technique {
    pub const ALL: [Technique; 5] =
        [Technique::Hex, Technique::Prep, Technique::Consp, Technique::Bounded, Technique::Mso];

    pub fn name(self) -> &'static str {
        match self {
            Technique::Hex => "hex",
            Technique::Prep => "prep",
            Technique::Consp => "consp",
            Technique::Bounded => "bounded",
            Technique::Mso => "mso",
        }
    }
}

impl Technique {
    /// Whether the invariants are in a file; otherwise they are methods of the program.
    pub fn reads_file(self) -> bool {
        matches!(self, Technique::Hex | Technique::Mso)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Technique {
    type Err = String;

    fn from_str(name: &str) -> Result<Technique, String> {
        Technique::ALL.into_iter().find(|t| t.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Technique::ALL.iter().map(|t| t.name()).collect();
            format!("there is no technique {name}; there are {}", names.join(", "))
        })
    }
}

/// The invariants of a run.
#[derive(Debug)]
pub struct Invariants {
    pub technique: Technique,
    /// Those of HEX.
    pub hex: Arc<Hex>,
    /// Of the bounded technique: the objects (that `n` counts) which a completion may have.
    pub objects: u32,
    /// The shapes of the mso technique.
    pub trees: Vec<mso::graph::Tree>,
}

impl Invariants {
    /// The objects of a completion, where nobody says how many.
    pub const OBJECTS: u32 = 8;

    /// Those of HEX, by HEX.
    pub fn of_hex(hex: Hex) -> Invariants {
        Invariants { technique: Technique::Hex, hex: hex.into(), objects: Invariants::OBJECTS, trees: Vec::new() }
    }

    /// Reads what a technique needs from a file: HEX, or the shapes of trees. The others have methods of the program instead.
    pub fn load(technique: Technique, file: Option<&Path>, program: &Program, objects: u32) -> Result<Self, String> {
        let mut invariants = Invariants { technique, hex: Arc::default(), objects, trees: Vec::new() };
        match (technique, file) {
            (Technique::Hex, Some(path)) => {
                invariants.hex = lazuli_program::hex::load(program, path).map_err(|e| e.to_string())?.into();
            }
            (Technique::Mso, Some(path)) => invariants.trees = mso::graph::load(program, path)?,
            (Technique::Hex | Technique::Mso, None) => {
                return Err(format!("{technique} needs a file of invariants: --invariants FILE"));
            }
            (_, Some(_)) => return Err(format!("{technique} takes the invariants from methods, not from a file")),
            (_, None) => {}
        }
        Ok(invariants)
    }
}

/// The program as the technique of a configuration executes it; `None` if that is the program itself. Errors are about what the
/// technique needs and does not find.
pub fn instrumented(program: &Program, config: &Config, entry: MethodId) -> Result<Option<Instrumented>, String> {
    let Some(technique) = config.invariants.as_ref().map(|invariants| invariants.technique) else { return Ok(None) };
    let enumerates = config.heap.resolves_inputs();
    match technique {
        Technique::Hex => Ok(None),
        Technique::Consp | Technique::Bounded | Technique::Mso if !enumerates => Err(format!(
            "{technique} asks about partial heaps, which {} does not have; choose --heap lazy, lazier or lazier#",
            config.heap
        )),
        Technique::Mso => mso::mona::is_installed().map(|()| None),
        Technique::Prep | Technique::Consp | Technique::Bounded => {
            rep_ok::instrument(program, entry, technique).map(Some)
        }
    }
}

/// What the invariants say of an assumption.
pub enum Admit {
    Yes,
    /// No valid data structure allows it.
    Pruned,
    /// Nobody knows, and why.
    Stopped(Stop),
}

impl<M: HeapModel> Executor<'_, M> {
    /// Carries out the change of the case that was taken, and asks the invariants if it is an assumption about the input.
    pub(crate) fn carry_out(&mut self, state: &mut State<M::Heap>, change: M::Change) -> Admit {
        let asks = self.config.invariants.as_ref().filter(|_| self.model.resolves(&change));
        let technique = asks.map(|invariants| invariants.technique);
        let clause = self.model.apply(&mut self.cx, &mut state.heap, change);
        if let Some(stop) = self.given_up() {
            return Admit::Stopped(stop);
        }
        match technique {
            _ if self.trials.running => Admit::Yes,
            Some(Technique::Hex) => self.assume(state, clause),
            Some(Technique::Consp) => self.admit_conservatively(state),
            Some(Technique::Bounded) => self.admit_completable(state),
            Some(Technique::Mso) => self.admit_by_shape(state),
            Some(Technique::Prep) | None => Admit::Yes,
        }
    }

    /// What the invariants say of a path that has ended.
    pub fn admit_end(&mut self, state: &mut State<M::Heap>, outcome: &Outcome) -> Admit {
        let pruned = |yes: bool| if yes { Admit::Pruned } else { Admit::Yes };
        match self.config.invariants.as_ref().map(|invariants| invariants.technique) {
            Some(Technique::Prep) => pruned(self.ended_in_harness(state, outcome)),
            Some(Technique::Bounded) => self.admit_completable(state),
            // The models that enumerate have nothing left to ask, and keep no path.
            Some(Technique::Hex) if self.model.restricts(&self.cx) => {
                self.cx.path = state.path.clone();
                let clause = self.model.ask(&mut self.cx, &mut state.heap);
                match self.given_up() {
                    Some(stop) => Admit::Stopped(stop),
                    None => self.assume(state, clause),
                }
            }
            _ => Admit::Yes,
        }
    }

    /// Why the invariants could not be evaluated for the last instruction, if so.
    pub fn given_up(&mut self) -> Option<Stop> {
        let too_many = &mut self.cx.origins.as_mut()?.too_many;
        std::mem::take(too_many).then(|| {
            let most = hex::MAX_SPOTS;
            Stop::Invariant(format!("a reference may stand at more than {most} places of the backbone"))
        })
    }

    /// Adds a clause of the invariants to the path condition, which must stay satisfiable. Where it is decided what a reference is, the
    /// parts of a conjunction have little in common: keys, heights and sizes are asked about one by one, each with its own group.
    pub fn assume(&mut self, state: &mut State<M::Heap>, clause: Term) -> Admit {
        let parts = match self.cx.terms.node(clause) {
            Some(Node::And(parts)) => parts.clone(),
            _ => return self.assume_part(state, clause),
        };
        for part in parts.iter() {
            match self.assume_part(state, *part) {
                Admit::Yes => {}
                other => return other,
            }
        }
        Admit::Yes
    }

    fn assume_part(&mut self, state: &mut State<M::Heap>, clause: Term) -> Admit {
        match clause.as_bool() {
            Some(true) => return Admit::Yes,
            Some(false) => return Admit::Pruned,
            None => {}
        }
        match self.solver.extension(&mut self.cx.terms, &state.path, clause) {
            Verdict::Sat(extension) => {
                state.path.extend(extension);
                Admit::Yes
            }
            Verdict::Unsat => Admit::Pruned,
            Verdict::Unknown(reason) => Admit::Stopped(Stop::SolverUnknown(reason)),
        }
    }
}
