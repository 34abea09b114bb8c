//! How many questions each stage answered, by the name of the stage.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Index};

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::chain::{Kind, Stage};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    answered: [u64; Stage::ALL.len()],
    /// Ite-free sub-queries of POSE-unwind.
    pub unwind: u64,
    /// The questions of which only so many sub-queries were counted as the bounds allow.
    pub unwind_cut: u64,
}

/// The name of the sub-queries among those of the stages.
const UNWIND: &str = "unwind";
/// Written only where there are some.
const UNWIND_CUT: &str = "unwind_cut";

impl Counters {
    #[inline]
    pub(super) fn count(&mut self, stage: Stage) {
        self.answered[stage as usize] += 1;
    }

    /// Every stage with its number, in the order of the chain.
    pub fn stages(&self) -> impl Iterator<Item = (Stage, u64)> + '_ {
        Stage::ALL.iter().map(|stage| (*stage, self[*stage]))
    }

    /// How many questions the stages of one kind answered.
    pub fn of(&self, kind: Kind) -> u64 {
        self.stages().filter(|(stage, _)| stage.kind() == kind).map(|(_, number)| number).sum()
    }

    /// How many questions reached a back end.
    pub fn backend(&self) -> u64 {
        self.of(Kind::Backend)
    }
}

impl Index<Stage> for Counters {
    type Output = u64;

    fn index(&self, stage: Stage) -> &u64 {
        &self.answered[stage as usize]
    }
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        self.answered.iter_mut().zip(&other.answered).for_each(|(all, more)| *all += more);
        self.unwind += other.unwind;
        self.unwind_cut += other.unwind_cut;
    }
}

/// A map from names to numbers, so that what is written stays readable when a stage comes or goes.
impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_cut = self.unwind_cut > 0;
        let mut map = serializer.serialize_map(Some(Stage::ALL.len() + 1 + usize::from(is_cut)))?;
        for (stage, number) in self.stages() {
            map.serialize_entry(stage.name(), &number)?;
        }
        map.serialize_entry(UNWIND, &self.unwind)?;
        if is_cut {
            map.serialize_entry(UNWIND_CUT, &self.unwind_cut)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Counters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counters = Counters::default();
        for (name, number) in BTreeMap::<String, u64>::deserialize(deserializer)? {
            match Stage::by_name(&name) {
                Some(stage) => counters.answered[stage as usize] = number,
                None if name == UNWIND => counters.unwind = number,
                None if name == UNWIND_CUT => counters.unwind_cut = number,
                None => return Err(D::Error::custom(format!("there is no stage `{name}`"))),
            }
        }
        Ok(counters)
    }
}
