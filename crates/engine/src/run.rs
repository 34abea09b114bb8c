//! Everything a report needs of a finished run. Reports compute nothing.

use std::time::Duration;

use lazuli_logic::solver::Counters;

use crate::config::HeapKind;
use crate::outcome::Outcome;
use crate::state::{Decisions, Flow};
use crate::witness::Witness;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every ended path.
    pub traces: u64,
    pub returned: u64,
    pub threw: u64,
    pub assert_failed: u64,
    pub stopped: u64,
    pub pruned_infeasible: u64,
    /// Assumptions about the input that no valid data structure allows: see [`crate::invariant`].
    pub pruned_invariant: u64,
    /// Feasibility questions at decision points, as the papers count them.
    pub queries: u64,
    /// Questions at decision points that answered themselves: by a clause of the path, or because a comparison of
    /// unknown values simplifies to a constant. JBSE asks these too; its count is `queries + settled`.
    pub settled: u64,
    /// Feasibility questions about implicit checks, such as null dereferences, which the papers do not count.
    pub implicit_queries: u64,
    pub steps: u64,
    /// Traces whose witness did not replay: each one is a bug.
    pub unconfirmed: u64,
    /// Traces whose witness was replayed.
    pub confirmed: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.traces += other.traces;
        self.returned += other.returned;
        self.threw += other.threw;
        self.assert_failed += other.assert_failed;
        self.stopped += other.stopped;
        self.pruned_infeasible += other.pruned_infeasible;
        self.pruned_invariant += other.pruned_invariant;
        self.queries += other.queries;
        self.settled += other.settled;
        self.implicit_queries += other.implicit_queries;
        self.steps += other.steps;
        self.unconfirmed += other.unconfirmed;
        self.confirmed += other.confirmed;
    }
}

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

/// `-` names the trace without decisions.
pub fn show_decisions(decisions: &[u16]) -> String {
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
