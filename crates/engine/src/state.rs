//! One path while it is being executed: frames, heap, path condition, and how it came there.

use lazuli_logic::{PathCondition, Term};
use lazuli_program::ir::{MethodId, Reg};

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub method: MethodId,
    pub pc: u32,
    /// Where its registers begin.
    pub base: u32,
    /// The caller's register for the result.
    pub dst: Reg,
}

/// The case numbers taken where there was more than one case. They name a trace and replay it without a solver.
pub type Decisions = Vec<u16>;

/// A state. Cloning copies a few small vectors; nothing mutable is shared.
#[derive(Clone)]
pub struct State<H> {
    pub frames: Vec<Frame>,
    /// The registers of all frames, one after the other.
    pub registers: Vec<Term>,
    pub heap: H,
    pub path: PathCondition,
    pub decisions: Decisions,
    pub steps: u64,
    pub flow: Flow,
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
