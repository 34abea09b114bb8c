//! Which instructions of the user's bytecode the runs on witnesses have executed, and where they went from there: what coverage is counted from.

use lazuli_program::Program;
use lazuli_program::ir::MethodId;
use rustc_hash::{FxHashMap, FxHashSet};

/// An instruction of a method, and the one that was executed before it in the same call; none where it is the first, or where something was
/// called in between.
pub type Visit = (Option<u32>, u32);

/// What runs have executed of the user's methods.
#[derive(Clone, Debug, Default)]
pub struct Visits {
    /// By method. Those of which nothing is kept have `None`.
    steps: FxHashMap<MethodId, Option<FxHashSet<Visit>>>,
    /// The instruction that was executed last, and how many frames there were.
    last: Option<(usize, MethodId, u32)>,
}

impl Visits {
    /// The methods that were executed, each with its steps: from which instruction to which.
    pub fn steps(&self) -> impl Iterator<Item = (MethodId, &FxHashSet<Visit>)> {
        self.steps.iter().filter_map(|(method, steps)| Some((*method, steps.as_ref()?)))
    }

    pub fn extend(&mut self, other: Visits) {
        for (method, steps) in other.steps {
            let known = self.steps.entry(method).or_default();
            if let Some(steps) = steps {
                known.get_or_insert_default().extend(steps);
            }
        }
    }

    /// An instruction is about to be executed, with so many frames.
    pub(crate) fn step(&mut self, program: &Program, frames: usize, method: MethodId, pc: u32) {
        let kept = self.steps.entry(method).or_insert_with(|| is_kept(program, method).then(FxHashSet::default));
        let Some((steps, op)) = kept.as_mut().zip(program.method(method).ops.get(pc as usize).copied()) else {
            self.last = None;
            return;
        };
        match self.last.replace((frames, method, op)) {
            Some(last) if last == (frames, method, op) => {}
            Some((as_many, same, from)) if (as_many, same) == (frames, method) => _ = steps.insert((Some(from), op)),
            _ => _ = steps.insert((None, op)),
        }
    }
}

fn is_kept(program: &Program, method: MethodId) -> bool {
    let class = program.method(method).class;
    program.library.as_deref().zip(class).is_some_and(|(library, class)| library.is_users(class))
}
