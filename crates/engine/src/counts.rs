//! What is counted while paths are executed.

use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Every ended path.
    pub traces: u64,
    pub returned: u64,
    pub threw: u64,
    pub assert_failed: u64,
    /// Paths that were found not to end.
    #[serde(default)]
    pub endless: u64,
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
    /// Traces whose witness does what they say, as the judge says.
    pub agreed: u64,
    /// Traces whose witness does something else: each one is a bug.
    pub differed: u64,
    /// Of those, violations of a property.
    pub violations_refuted: u64,
    /// Traces that say something which no judge can compare.
    pub not_comparable: u64,
    /// Traces whose witness was not tried.
    pub not_tried: u64,
}

impl Counts {
    /// A path has ended.
    pub fn count_end(&mut self, outcome: &Outcome) {
        self.traces += 1;
        match outcome {
            Outcome::Returned => self.returned += 1,
            Outcome::Threw(_) => self.threw += 1,
            Outcome::AssertFailed | Outcome::PostFailed => self.assert_failed += 1,
            Outcome::Endless { .. } => self.endless += 1,
            Outcome::Stopped(_) => self.stopped += 1,
        }
    }

    pub fn add(&mut self, other: &Counts) {
        self.traces += other.traces;
        self.returned += other.returned;
        self.threw += other.threw;
        self.assert_failed += other.assert_failed;
        self.endless += other.endless;
        self.stopped += other.stopped;
        self.pruned_infeasible += other.pruned_infeasible;
        self.pruned_invariant += other.pruned_invariant;
        self.queries += other.queries;
        self.settled += other.settled;
        self.implicit_queries += other.implicit_queries;
        self.steps += other.steps;
        self.agreed += other.agreed;
        self.differed += other.differed;
        self.violations_refuted += other.violations_refuted;
        self.not_comparable += other.not_comparable;
        self.not_tried += other.not_tried;
    }

    /// Traces whose witness should have been found to agree, and was not.
    pub fn doubtful(&self) -> u64 {
        self.differed + self.not_tried
    }
}
