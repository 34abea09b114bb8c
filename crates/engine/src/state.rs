//! One path while it is being executed: frames, heap, path condition, and how it came there.

use std::rc::Rc;

use lazuli_logic::{List, PathCondition, Term};
use lazuli_program::ir::{MethodId, Reg};

use crate::attempt::Attempt;
use crate::context::{Assumed, Call, Wanted};
use crate::trail::Trail;
use crate::vm::Vm;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub method: MethodId,
    pub pc: u32,
    /// Where its registers begin.
    pub base: u32,
    /// The caller's register for the result.
    pub dst: Reg,
    /// Whether the caller goes on after the instruction that called; a class initialiser comes back to the one that needed it.
    pub called: bool,
}

/// An exception on its way to a handler.
#[derive(Clone, Copy, Debug)]
pub struct Thrown {
    pub value: Term,
    /// The next handler of the current frame to be tried.
    pub handler: u32,
    /// Where it was thrown first.
    pub method: MethodId,
    pub pc: u32,
    /// Where it came to the program's own code, if it was thrown elsewhere.
    pub came: Option<(MethodId, u32)>,
}

/// A companion that is being executed.
#[derive(Clone, Copy, Debug)]
pub struct Running {
    pub method: MethodId,
    /// The frames below it.
    pub frames: usize,
    /// The program's control flow, to which what the companion does is not added.
    pub flow: Flow,
    /// The number of steps at which it is given up.
    pub limit: u64,
    pub wanted: Wanted,
}

/// The case numbers taken where there was more than one case. They name a trace and replay it without a solver.
pub type Decisions = Vec<u32>;

/// `-` names the trace without decisions.
pub fn show_decisions(decisions: &[u32]) -> String {
    if decisions.is_empty() {
        return "-".into();
    }
    decisions.iter().map(|d| d.to_string()).collect::<Vec<_>>().join(".")
}

pub fn parse_decisions(text: &str) -> Option<Decisions> {
    if text == "-" {
        return Some(Vec::new());
    }
    text.split('.').map(|part| part.parse().ok()).collect()
}

/// A state. Cloning copies a few small vectors; nothing mutable is shared.
pub struct State<H> {
    pub frames: Vec<Frame>,
    /// The registers of all frames, one after the other.
    pub registers: Vec<Term>,
    pub heap: H,
    /// What was assumed about the input.
    pub assumed: Assumed,
    pub path: PathCondition,
    /// See [`Decisions`].
    pub decisions: List<u32>,
    /// How many of them are not the program's: methods of the invariants made them, or they are about whether a loop has come around. A bound
    /// on decisions is about the others.
    pub aside: usize,
    pub steps: u64,
    pub flow: Flow,
    /// What the current instruction has found out so far.
    pub attempt: Attempt,
    /// Methods of the invariants that are being executed, and those to be executed next, the first at the end.
    pub companions: Vec<Running>,
    pub called: Vec<Call>,
    /// Those that wait.
    pub waiting: Vec<Call>,
    /// What only Java has.
    pub vm: Rc<Vm>,
    pub thrown: Option<Thrown>,
    /// The objects whose monitors were entered, as often as they were.
    pub monitors: Vec<Term>,
    /// While there are more frames than this, only the message of an exception is put together, or a class initialised: how is no
    /// part of the path.
    pub quiet: Option<u32>,
    /// Where the path was decided, if its reader is told.
    pub trail: Trail,
    /// Exceptions that were thrown, with their places: one that is thrown again was thrown there.
    pub raised: Vec<(Term, MethodId, u32)>,
    /// Where it may come back to.
    pub rings: Option<Rc<Rings<H>>>,
}

impl<H: Clone> Clone for State<H> {
    /// The copy has room for the calls to come.
    fn clone(&self) -> Self {
        State {
            frames: roomy(&self.frames, 4),
            registers: roomy(&self.registers, 16),
            heap: self.heap.clone(),
            assumed: self.assumed.clone(),
            path: self.path.clone(),
            decisions: self.decisions.with_room(8),
            attempt: self.attempt.clone(),
            companions: self.companions.clone(),
            called: self.called.clone(),
            waiting: self.waiting.clone(),
            monitors: self.monitors.clone(),
            vm: self.vm.clone(),
            trail: self.trail.clone(),
            raised: self.raised.clone(),
            rings: self.rings.clone(),
            ..*self
        }
    }
}

/// The rounds of a path, its jumps backwards after decisions: whether it comes back to one of them depends on the input.
pub struct Rings<H> {
    pub number: u32,
    /// How many decisions the path had at the last of them.
    pub decisions: usize,
    /// The jumps since then that decided nothing, as far as they were looked at.
    pub since: u32,
    /// The state that later ones are compared with.
    pub before: Rc<State<H>>,
    /// Where the program has jumped to since: the first of these places.
    pub place: Option<(MethodId, u32)>,
}

fn roomy<T: Copy>(list: &[T], room: usize) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.len() + room);
    copy.extend_from_slice(list);
    copy
}

impl<H> State<H> {
    /// Adds an event to the control-flow path.
    #[inline]
    pub fn record(&mut self, event: u64) {
        if self.quiet.is_none() {
            self.flow.record(event);
        }
    }

    /// From here on until the number of frames falls back to `frames`, nothing belongs to the path.
    pub fn be_quiet(&mut self, frames: usize) {
        self.quiet.get_or_insert(frames as u32);
    }

    /// A frame was left.
    #[inline]
    pub fn frame_left(&mut self) {
        if self.quiet.is_some_and(|frames| self.frames.len() as u32 <= frames) {
            self.quiet = None;
        }
    }

    /// A state that has not begun.
    pub fn new(heap: H, path: PathCondition) -> State<H> {
        State {
            frames: Vec::new(),
            registers: Vec::new(),
            heap,
            assumed: Assumed::default(),
            path,
            decisions: List::new(),
            steps: 0,
            flow: Flow::default(),
            attempt: Attempt::default(),
            vm: Rc::default(),
            thrown: None,
            monitors: Vec::new(),
            quiet: None,
            companions: Vec::new(),
            called: Vec::new(),
            aside: 0,
            waiting: Vec::new(),
            trail: Trail::default(),
            raised: Vec::new(),
            rings: None,
        }
    }
}

/// A fingerprint of the control-flow path: every branch with its direction, every call with its target, every throw. Two paths
/// of one program have the same fingerprint if and (but for a chance of 2^-100) only if they are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Flow(pub u128);

impl Flow {
    pub fn record(&mut self, event: u64) {
        const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
        let mixed = (self.0 ^ (event as u128 + 1)).wrapping_mul(MULTIPLIER);
        self.0 = mixed ^ (mixed >> 61);
    }
}
