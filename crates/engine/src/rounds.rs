//! How often a path has jumped backwards, and a state of it to come back to: what [`crate::endless`] compares.

use std::rc::Rc;

use lazuli_logic::{List, PathCondition, Term};
use lazuli_program::Program;
use lazuli_program::ir::MethodId;
use rustc_hash::FxHashMap;

use crate::state::{Frame, State};
use crate::vm::Vm;

/// The jumps backwards since the last decision that was none before.
pub(crate) struct Rounds<H> {
    pub number: u64,
    pub kept: Option<Box<Kept<H>>>,
    /// The state that goes on after a decision that the path had settled: where it is, and how many decisions it has.
    next: Option<(*const State<H>, usize)>,
    /// The registers that matter at places that were jumped back to.
    live: FxHashMap<(MethodId, u32), Rc<[bool]>>,
}

/// A state to come back to.
pub(crate) struct Kept<H> {
    frames: Vec<Frame>,
    registers: Vec<Term>,
    heap: H,
    path: PathCondition,
    vm: Rc<Vm>,
    monitors: Vec<Term>,
    quiet: Option<u32>,
    decisions: List<u32>,
    /// Where the program jumped back to since it came here again; `None` before that.
    pub around: Option<Vec<(MethodId, u32)>>,
}

impl<H> Default for Rounds<H> {
    fn default() -> Self {
        Rounds { number: 0, kept: None, next: None, live: FxHashMap::default() }
    }
}

impl<H> Rounds<H> {
    pub fn forget(&mut self) {
        self.number = 0;
        self.kept = None;
    }

    /// Whether the registers of a method matter at a place.
    pub fn live(&mut self, program: &Program, (method, pc): (MethodId, u32)) -> Rc<[bool]> {
        let live = self.live.entry((method, pc)).or_insert_with(|| program.method(method).live_at(pc).into());
        live.clone()
    }

    /// A state goes on. Mostly it is another one, or something was decided.
    #[inline]
    pub fn begin(&mut self, state: &State<H>) {
        if self.next.take() != Some((state as *const State<H>, state.decisions.len())) && self.number > 0 {
            self.forget();
        }
    }

    /// This state will go on after a decision that the path had settled.
    #[inline]
    pub fn expect(&mut self, state: &State<H>) {
        self.next = (self.number > 0).then_some((state as *const State<H>, state.decisions.len()));
    }
}

impl<H: Clone + PartialEq> Kept<H> {
    pub fn of(state: &State<H>) -> Kept<H> {
        Kept {
            frames: state.frames.clone(),
            registers: state.registers.clone(),
            heap: state.heap.clone(),
            path: state.path.clone(),
            vm: state.vm.clone(),
            monitors: state.monitors.clone(),
            quiet: state.quiet,
            decisions: state.decisions.clone(),
            around: None,
        }
    }

    /// What is shared cannot have changed: whoever changes it makes a copy.
    pub fn is(&self, state: &State<H>) -> bool {
        self.registers == state.registers
            && self.frames == state.frames
            && self.path.is(&state.path)
            && Rc::ptr_eq(&self.vm, &state.vm)
            && self.monitors == state.monitors
            && self.quiet == state.quiet
            && self.heap == state.heap
            // It is the same path, too.
            && self.decisions.iter().eq(state.decisions.iter().take(self.decisions.len()))
    }
}
