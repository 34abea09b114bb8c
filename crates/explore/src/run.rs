//! Everything a report needs of a finished run. Reports compute nothing.

use std::time::Duration;

use lazuli_engine::config::HeapKind;
use lazuli_engine::counts::Counts;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::state::{Decisions, Flow, show_decisions};
use lazuli_engine::witness::Witness;
use lazuli_logic::solver::Counters;

/// A finished path.
#[derive(Clone, Debug)]
pub struct Trace {
    pub decisions: Decisions,
    pub outcome: Outcome,
    pub flow: Flow,
    /// What is kept only in full detail.
    pub detail: Option<Box<TraceFacts>>,
}

#[derive(Clone, Debug)]
pub struct TraceFacts {
    /// The result, as a term over the inputs.
    pub value: Option<String>,
    /// Choices for input references, then the clauses.
    pub path_condition: Vec<String>,
    pub witness: Option<Witness>,
    /// Whether the witness drove the same program down the same path; otherwise why not.
    pub confirmed: Result<(), String>,
    /// Where the path ended, as `file:line`.
    pub place: String,
}

impl Trace {
    /// The trace's name: its decisions, such as `0.1.1`.
    pub fn id(&self) -> String {
        show_decisions(&self.decisions)
    }
}

#[derive(Clone, Debug)]
pub struct Run {
    pub program: String,
    pub entry: String,
    pub heap: HeapKind,
    pub counts: Counts,
    pub solver: Counters,
    pub traces: Vec<Trace>,
    /// Terms built, by all workers: the size of what the heaps share.
    pub terms: u64,
    /// Whether traces were counted but not kept.
    pub traces_omitted: u64,
    /// What a reader must know to trust the result.
    pub caveats: Vec<String>,
    /// Whether a bound, a limit or an interruption left something unexplored.
    pub incomplete: Option<&'static str>,
    /// Reasons of stopped traces with their numbers.
    pub stops: Vec<(String, u64)>,
    pub time: Duration,
    pub solver_time: Duration,
    /// The configurations of the machine, if they were asked for.
    pub steps_trace: Option<String>,
}

impl Run {
    /// The exit code of the command: a violated property outweighs an incomplete exploration.
    pub fn exit_code(&self) -> u8 {
        if self.counts.assert_failed > 0 {
            1
        } else if self.incomplete.is_some() || self.counts.stopped > 0 {
            3
        } else {
            0
        }
    }
}
