//! Whole witnesses. A path says of its input what it depends on; what nobody looked at is open, and not every choice of it
//! is a valid data structure. Here a witness is completed to a valid input that takes the same path: it is followed under
//! lazy initialization, with everything open that it does not depend on, and the partial heap at the end is completed, by
//! HEX or by executing `repOk`, the smallest first.

use lazuli_engine::config::Config;
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::Enumerating;
use lazuli_engine::heap::lazy::{Heap, Lazy, When};
use lazuli_engine::invariant::OpenInputs;
use lazuli_engine::limits::Watch;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::quota::Quota;
use lazuli_engine::state::{Flow, State};
use lazuli_engine::witness::Witness;
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, MethodId};

use crate::complete::completed;
use crate::invariants::Invariants;
use crate::rep_ok::FULL;
use crate::technique::Technique;

/// Completes witnesses, one after the other.
pub struct Whole<'p> {
    program: &'p Program,
    config: &'p Config,
    entry: MethodId,
    executor: Option<Executor<'p, Lazy>>,
}

/// A machine that has made so many terms is put away.
const MOST_TERMS: usize = 1 << 20;

impl<'p> Whole<'p> {
    /// `None` where nobody says what a valid input is, or its method is executed before the program anyhow.
    pub fn new(program: &'p Program, config: &'p Config, entry: MethodId) -> Option<Whole<'p>> {
        let invariants = Invariants::of(config)?;
        let says_something = match invariants.technique {
            Technique::Hex => !invariants.hex.statements.is_empty(),
            Technique::Bounded => true,
            Technique::Prep | Technique::Consp | Technique::Mso => false,
        };
        says_something.then_some(Whole { program, config, entry, executor: None })
    }

    /// A valid input that goes the way of a witness; `None` if none was found.
    pub fn complete(&mut self, witness: &Witness, outcome: &Outcome, flow: Flow, watch: &Watch) -> Option<Witness> {
        let (program, config, entry) = (self.program, self.config, self.entry);
        let used = self.executor.take().filter(|executor| executor.cx.terms.len() < MOST_TERMS);
        let new = || Executor::new(program, config, entry, Lazy::new(When::Use));
        let executor = self.executor.insert(used.unwrap_or_else(new));
        executor.heed(watch);
        executor.lead(witness, |executor, state, ended| {
            let is_same = ended == *outcome && state.flow == flow;
            let whole = is_same.then(|| complete(executor, &state)).flatten()?;
            executor.witness_of(&whole, &whole.path).ok()
        })
    }
}

fn complete(executor: &mut Executor<'_, Lazy>, state: &State<Heap>) -> Option<Box<State<Heap>>> {
    let invariants = Invariants::of(executor.config)?;
    if invariants.technique == Technique::Hex {
        return completed(executor, state);
    }
    let quotas = Quota::all(executor.cx.program, &invariants.completion);
    let all = Quota { class: ClassId(0), most: 0 };
    let known = executor.model.objects_resolved(&executor.cx, &state.heap, &all);
    let most = quotas.iter().map(|quota| quota.most).sum::<u32>() + known;
    (known..=most).find_map(|most| {
        let quotas = quotas.iter().copied().chain([Quota { most, ..all }]).collect();
        executor.some_true_path(state, FULL, OpenInputs::Resolved, quotas).ok()
    })
}
