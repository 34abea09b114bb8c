//! Where pieces of a run begin: decision prefixes in order, each by what it does not share with the one before it. Those of a long path
//! share nearly everything, and are as long as the path: written out, they would be its square.

use lazuli_engine::state::Decisions;
use serde::{Deserialize, Serialize};

/// Disjoint prefixes, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Prefixes(Vec<Prefix>);

/// The first decisions of the prefix before it, so many, and then these.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Prefix {
    pub shared: usize,
    pub rest: Box<[u32]>,
}

impl Prefix {
    /// How many decisions it has.
    pub fn len(&self) -> usize {
        self.shared + self.rest.len()
    }
}

impl Prefixes {
    /// The beginning of everything.
    pub fn whole() -> Prefixes {
        Prefixes::of_sorted([Vec::new()])
    }

    /// Of lists in order; only two of them are in memory at a time.
    pub fn of_sorted(lists: impl IntoIterator<Item = Decisions>) -> Prefixes {
        let mut prefixes = Vec::new();
        let mut before = Decisions::new();
        for list in lists {
            let shared = list.iter().zip(&before).take_while(|(a, b)| a == b).count();
            prefixes.push(Prefix { shared, rest: list[shared..].into() });
            before = list;
        }
        Prefixes(prefixes)
    }

    pub fn is_whole(&self) -> bool {
        matches!(self.0.as_slice(), [Prefix { rest, .. }] if rest.is_empty())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Prefix> {
        self.0.iter()
    }

    /// How many decisions those share with a prefix that come after it and leave it only after its own beginning: the most last.
    pub(crate) fn partings(&self, number: usize) -> Vec<usize> {
        let begin = self.0[number].shared;
        let later = self.0[number + 1..].iter().map(|prefix| prefix.shared);
        let mut partings: Vec<usize> = Vec::new();
        for shared in later.take_while(|shared| *shared > begin) {
            if partings.last().is_none_or(|last| shared < *last) {
                partings.push(shared);
            }
        }
        partings.reverse();
        partings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_kept_by_what_they_do_not_share() {
        let lists = [vec![0, 0, 1], vec![0, 1], vec![0, 2, 0], vec![0, 2, 1, 5], vec![3]];
        let prefixes = Prefixes::of_sorted(lists.clone());
        let mut way = Decisions::new();
        let again: Vec<Decisions> = prefixes
            .iter()
            .map(|prefix| {
                way.truncate(prefix.shared);
                way.extend_from_slice(&prefix.rest);
                way.clone()
            })
            .collect();
        assert_eq!(again, lists);
        assert_eq!(prefixes.iter().map(|prefix| prefix.rest.len()).sum::<usize>(), 9);
        // The first is left after one decision, the third after two.
        assert_eq!(
            (0..5).map(|number| prefixes.partings(number)).collect::<Vec<_>>(),
            [vec![1], vec![], vec![2], vec![], vec![]]
        );
        assert!(Prefixes::whole().is_whole() && !prefixes.is_whole());
    }
}
