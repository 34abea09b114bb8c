//! Measuring a run against the full invariant: which of its traces start from inputs that no valid data structure has?
//!
//! The initial heap of every ended path, refined by its final path condition, is completed by bounded model finding, as the document
//! measures its techniques. The time of the exploration does not include that of measuring it.

use std::time::{Duration, Instant};

use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::ends::{Ended, beginning, ends};
use lazuli_engine::config::{Config, Most};
use lazuli_engine::executor::{Executor, entry_of};
use lazuli_engine::heap::HeapModel;
use lazuli_engine::limits::{Control, Watch};
use lazuli_engine::outcome::{Bound, CLASS_CAST, NULL_POINTER, Outcome};
use lazuli_engine::suspend::Suspend;
use lazuli_engine::with_heap_model;
use serde::{Deserialize, Serialize};

use lazuli_invariant::{instrumented, is_completable, with_full};

/// How much is measured.
#[derive(Clone, Debug)]
pub struct Extent {
    /// The objects that a completion may have.
    pub completion: Vec<Most>,
    /// The time for measuring; what is left then is not measured.
    pub time: Duration,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Audit {
    pub traces: u64,
    /// Traces whose input has a valid completion.
    pub valid: u64,
    pub invalid: u64,
    /// Traces that nobody knows about: the time was up, or the solver did not know.
    pub unknown: u64,
    /// Assertions that fail, null dereferences and wrong casts.
    pub alarms: u64,
    /// Those on invalid inputs.
    pub false_alarms: u64,
    /// The traces that were not followed to their end.
    pub stopped: u64,
    pub pruned: u64,
    /// Of the exploration alone.
    pub time: Duration,
    /// What ended the exploration early.
    pub incomplete: Option<Bound>,
}

/// So many traces are explored before they are measured: their states are kept that long.
const CHUNK: u64 = 1_024;

/// Explores, on one worker, under a heap model that enumerates, and measures every trace.
pub fn audit(program: &Program, config: &Config, extent: Extent, control: &Control) -> Result<Audit, String> {
    let entry = entry_of(program, config)?;
    if !config.heap.resolves_inputs() {
        return Err(format!("traces of {} have no partial heaps that could be measured", config.heap));
    }
    let copy = instrumented(program, config, entry)?;
    let run_entry = copy.as_ref().map_or(entry, |copy| copy.entry);
    let program = copy.as_ref().map_or(program, |copy| copy.program(program));
    let full = with_full(program, entry)?;
    let program = full.program(program);
    with_heap_model!(config.heap, |make| run(program, config, run_entry, make(), extent, control))
}

fn run<M: HeapModel>(
    program: &Program,
    config: &Config,
    entry: MethodId,
    model: M,
    extent: Extent,
    control: &Control,
) -> Result<Audit, String> {
    let mut executor = Executor::new(program, config, entry, model);
    let mut open = beginning(&mut executor)?;
    let mut audit = Audit::default();
    let mut measuring = Duration::ZERO;
    while !open.is_empty() && audit.incomplete.is_none() {
        let started = Instant::now();
        let left = config.bounds.time.map(|time| time.saturating_sub(audit.time));
        let watch = Watch::of(config, control);
        let enough = executor.counts.traces + CHUNK;
        let (ended, reason) = ends(&mut executor, &mut open, &watch.until(left.map(|left| started + left)), enough);
        audit.incomplete = reason;
        audit.time += started.elapsed();
        let started = Instant::now();
        let deadline = started + extent.time.saturating_sub(measuring);
        // Measuring has its own time, also where that of the exploration is over.
        executor.heed(&watch.until(Some(deadline)));
        for end in ended {
            if control.is_interrupted() {
                audit.incomplete = Some(Bound::Interrupted);
                break;
            }
            audit.measure(&mut executor, end, &extent.completion);
        }
        measuring += started.elapsed();
    }
    audit.traces = executor.counts.traces;
    audit.stopped = executor.counts.stopped;
    audit.pruned = executor.counts.pruned_invariant;
    Ok(audit)
}

impl Audit {
    fn measure<M: HeapModel>(&mut self, executor: &mut Executor<'_, M>, mut end: Ended<M::Heap>, completion: &[Most]) {
        let alarm = match &end.outcome {
            Outcome::AssertFailed | Outcome::PostFailed => true,
            Outcome::Threw(exception) => [NULL_POINTER, CLASS_CAST].contains(&exception.as_str()),
            Outcome::Returned | Outcome::Endless { .. } | Outcome::Stopped(_) => false,
        };
        self.alarms += alarm as u64;
        match is_completable(executor, &mut end.state, completion) {
            Ok(()) => self.valid += 1,
            Err(Suspend::Prune(_)) => {
                self.invalid += 1;
                self.false_alarms += alarm as u64;
            }
            Err(_) => self.unknown += 1,
        }
    }
}
