//! What keeps the answer of a run from being one about all inputs.

use lazuli_engine::config::Judge;
use lazuli_engine::outcome::{Bound, Stop};
use lazuli_engine::scope::LeftOut;

use crate::run::Run;

/// Which bounds are part of the question, because whoever asked it chose them. Those that have no default always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chosen {
    pub max_string: bool,
    pub max_array: bool,
}

impl Chosen {
    fn includes(self, left_out: &LeftOut) -> bool {
        match left_out {
            LeftOut::LongerStrings(_) => self.max_string,
            LeftOut::LongerArrays(_) => self.max_array,
            LeftOut::Deeper | LeftOut::More => true,
            LeftOut::WiderCharacters
            | LeftOut::OtherClasses { .. }
            | LeftOut::Existing { .. }
            | LeftOut::ClassObjects { .. } => false,
        }
    }
}

/// What nobody asked for, and what cut something off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The run ended before everything was explored.
    Ended(Bound),
    /// So many paths were not followed to their ends.
    Stopped(Stop, u64),
    /// So many witnesses did not do what their traces say. Methods of the invariants may have written what the program reads.
    Refuted { witnesses: u64, companions: bool },
    /// So many witnesses could not be put to the judge that was asked for.
    Untried { witnesses: u64, judge: Judge },
    /// Inputs that were not looked at.
    LeftOut(LeftOut),
}

impl Run {
    /// What cut something off beside the bounds that are part of the question. Without any, the answer is complete.
    pub fn limits(&self, chosen: Chosen) -> Vec<Limit> {
        let mut limits: Vec<Limit> = self.incomplete.map(Limit::Ended).into_iter().collect();
        limits.extend(self.stops.iter().map(|(stop, number)| Limit::Stopped(stop.clone(), *number)));
        let (refuted, not_tried) = (self.counts.differed, self.counts.not_tried);
        if refuted > 0 {
            limits.push(Limit::Refuted { witnesses: refuted, companions: self.companions });
        }
        if not_tried > 0 && self.judge != Judge::None {
            limits.push(Limit::Untried { witnesses: not_tried, judge: self.judge });
        }
        let unasked = self.scope.left_out.iter().filter(|left_out| !chosen.includes(left_out));
        limits.extend(unasked.cloned().map(Limit::LeftOut));
        limits
    }

    /// Whether a property was violated by a path whose witness nobody refuted.
    pub fn is_violated(&self) -> bool {
        self.counts.assert_failed > self.counts.violations_refuted
    }
}
