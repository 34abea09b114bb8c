//! A sorted map whose copies share what they have in common: a copy costs one count, a change of a copy one small node on every level.
//!
//! Paths fork at every decision and differ in little. A map of a few dozen entries, which most are, is one sorted vector.

use std::fmt;
use std::rc::Rc;

/// How many entries a node has at most.
const WIDTH: usize = 64;

/// Whoever inserts an entry mostly inserts another.
const ROOM: usize = 2;

pub(crate) struct Map<K, V> {
    root: Option<Rc<Node<K, V>>>,
    length: usize,
}

#[derive(Clone)]
enum Node<K, V> {
    /// Sorted by key.
    Leaf(Vec<(K, V)>),
    /// Sorted by key: every child with a key that none of its own precedes, and that none of its left neighbour's reaches.
    Fork(Vec<(K, Rc<Node<K, V>>)>),
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map::EMPTY
    }
}

impl<K, V> Clone for Map<K, V> {
    fn clone(&self) -> Self {
        Map { root: self.root.clone(), length: self.length }
    }
}

impl<K, V> Map<K, V> {
    pub const EMPTY: Map<K, V> = Map { root: None, length: 0 };

    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &(K, V)> {
        // Most maps are one leaf: that needs no list of them.
        let mut leaves = Vec::new();
        let only: &[(K, V)] = match self.root.as_deref() {
            Some(Node::Leaf(list)) => list,
            Some(fork) => {
                fork.leaves(&mut leaves);
                &[]
            }
            None => &[],
        };
        only.iter().chain(leaves.into_iter().flatten())
    }
}

impl<K: Copy + Ord, V: Clone> Map<K, V> {
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(list) => return place(list, key).ok().map(|at| &list[at].1),
                Node::Fork(list) => node = &list[below(list, key)].1,
            }
        }
    }

    /// The entries have different keys.
    pub fn of(mut entries: Vec<(K, V)>) -> Map<K, V> {
        if entries.len() > WIDTH {
            let mut map = Map::EMPTY;
            entries.into_iter().for_each(|(key, value)| _ = map.insert(key, value));
            return map;
        }
        entries.sort_unstable_by_key(|(key, _)| *key);
        let length = entries.len();
        Map { root: (length > 0).then(|| Rc::new(Node::Leaf(entries))), length }
    }

    #[inline]
    pub fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// Enters a value, and gives the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let Some(root) = &mut self.root else {
            self.root = Some(Rc::new(Node::Leaf(vec![(key, value)])));
            self.length = 1;
            return None;
        };
        let (before, split) = Node::insert(root, key, value);
        if let Some(right) = split {
            let left = root.clone();
            *root = Rc::new(Node::Fork(vec![(left.first(), left), right]));
        }
        self.length += before.is_none() as usize;
        before
    }

    /// Takes an entry out, and gives its value.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let before = self.get(key)?.clone();
        Node::remove(self.root.as_mut().expect("it has an entry"), key);
        self.length -= 1;
        Some(before)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let mut node = self.root.as_mut()?;
        loop {
            match Rc::make_mut(node) {
                Node::Leaf(list) => return place(list, key).ok().map(|at| &mut list[at].1),
                Node::Fork(list) => {
                    let at = below(list, key);
                    node = &mut list[at].1;
                }
            }
        }
    }

    /// Changes all values.
    pub fn change(&mut self, mut change: impl FnMut(K, &mut V)) {
        if let Some(root) = &mut self.root {
            Node::change(root, &mut change);
        }
    }

    /// Adds all entries of another map, in the place of those with the same keys.
    pub fn absorb(&mut self, other: &Map<K, V>) {
        if self.is_empty() {
            *self = other.clone();
            return;
        }
        for (key, value) in other.iter() {
            self.insert(*key, value.clone());
        }
    }
}

fn with_room<T: Clone>(list: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.len() + ROOM);
    copy.extend_from_slice(list);
    copy
}

/// Where a key is in a leaf, or belongs.
#[inline]
fn place<K: Copy + Ord, V>(list: &[(K, V)], key: K) -> Result<usize, usize> {
    list.binary_search_by(|(other, _)| other.cmp(&key))
}

/// The child of a fork in which a key is, if it is anywhere.
#[inline]
fn below<K: Copy + Ord, V>(list: &[(K, V)], key: K) -> usize {
    list.partition_point(|(first, _)| *first <= key).saturating_sub(1)
}

/// The right half of a node that has become too wide. What grows at its end leaves full nodes behind.
fn split<T>(list: &mut Vec<T>, changed: usize) -> Option<Vec<T>> {
    (list.len() > WIDTH).then(|| list.split_off(if changed + 1 == list.len() { changed } else { WIDTH / 2 }))
}

impl<K, V> Node<K, V> {
    fn leaves<'a>(&'a self, all: &mut Vec<&'a [(K, V)]>) {
        match self {
            Node::Leaf(list) => all.push(list),
            Node::Fork(list) => list.iter().for_each(|(_, child)| child.leaves(all)),
        }
    }
}

impl<K: Copy + Ord, V: Clone> Node<K, V> {
    fn first(&self) -> K {
        match self {
            Node::Leaf(list) => list[0].0,
            Node::Fork(list) => list[0].0,
        }
    }

    /// A copy that will grow.
    fn copied(&self) -> Self {
        match self {
            Node::Leaf(list) => Node::Leaf(with_room(list)),
            Node::Fork(list) => Node::Fork(with_room(list)),
        }
    }

    /// The value that was there, and the right half if the node was split.
    #[allow(clippy::type_complexity)]
    fn insert(node: &mut Rc<Self>, key: K, value: V) -> (Option<V>, Option<(K, Rc<Self>)>) {
        if Rc::get_mut(node).is_none() {
            *node = Rc::new(node.copied());
        }
        match Rc::get_mut(node).expect("nobody else has the copy") {
            Node::Leaf(list) => match place(list, key) {
                Ok(at) => (Some(std::mem::replace(&mut list[at].1, value)), None),
                Err(at) => {
                    list.insert(at, (key, value));
                    (None, split(list, at).map(|right| (right[0].0, Rc::new(Node::Leaf(right)))))
                }
            },
            Node::Fork(list) => {
                let at = below(list, key);
                list[at].0 = list[at].0.min(key);
                let (before, right) = Node::insert(&mut list[at].1, key, value);
                let Some(right) = right else { return (before, None) };
                list.insert(at + 1, right);
                (before, split(list, at + 1).map(|right| (right[0].0, Rc::new(Node::Fork(right)))))
            }
        }
    }

    /// Takes out an entry that is there. Nodes may become empty: maps mostly grow.
    fn remove(node: &mut Rc<Self>, key: K) {
        match Rc::make_mut(node) {
            Node::Leaf(list) => {
                let at = place(list, key).expect("the entry is there");
                list.remove(at);
            }
            Node::Fork(list) => {
                let at = below(list, key);
                Node::remove(&mut list[at].1, key);
            }
        }
    }

    fn change(node: &mut Rc<Self>, change: &mut impl FnMut(K, &mut V)) {
        match Rc::make_mut(node) {
            Node::Leaf(list) => list.iter_mut().for_each(|(key, value)| change(*key, value)),
            Node::Fork(list) => list.iter_mut().for_each(|(_, child)| Node::change(child, change)),
        }
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for Map<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(key, value)| (key, value))).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Copies go their own ways, each like a map that shares nothing.
    #[test]
    fn copies_are_maps_of_their_own() {
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        let mut below = |bound: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % bound
        };
        let mut all: Vec<(Map<u32, u64>, BTreeMap<u32, u64>)> = vec![Default::default()];
        for step in 0..60_000u64 {
            let at = below(all.len() as u64) as usize;
            // Keys that grow, as symbols do, and keys anywhere.
            let key = if below(2) == 0 { step as u32 / 4 } else { below(20_000) as u32 };
            match below(50) {
                0 if all.len() < 8 => {
                    let copy = all[at].clone();
                    all.push(copy);
                }
                1 => {
                    let (map, plain) = &mut all[at];
                    assert_eq!(map.remove(key), plain.remove(&key));
                }
                2 => {
                    let (map, plain) = &mut all[at];
                    assert_eq!(map.get_mut(key).map(|value| *value), plain.get(&key).copied());
                }
                _ => {
                    let (map, plain) = &mut all[at];
                    assert_eq!(map.insert(key, step), plain.insert(key, step));
                }
            }
            let (map, plain) = &all[at];
            let asked = below(20_000) as u32;
            assert_eq!((map.get(asked), map.len()), (plain.get(&asked), plain.len()));
        }
        for (map, plain) in &all {
            assert!(map.iter().map(|(key, value)| (key, value)).eq(plain.iter()));
            assert!(map.iter().rev().map(|(key, value)| (key, value)).eq(plain.iter().rev()));
        }
        let (mut first, mut plain) = all[0].clone();
        first.absorb(&all[1].0);
        plain.extend(all[1].1.iter().map(|(key, value)| (*key, *value)));
        assert!(first.iter().map(|(key, value)| (key, value)).eq(plain.iter()));
        assert_eq!(Map::of(plain.iter().rev().map(|(key, value)| (*key, *value)).collect()), first);
        let few: Vec<(u32, u64)> = plain.iter().rev().take(40).map(|(key, value)| (*key, *value)).collect();
        assert!(Map::of(few.clone()).iter().rev().eq(few.iter()));
        first.change(|key, value| *value = key as u64);
        assert!(first.iter().all(|(key, value)| *key as u64 == *value));
    }
}
