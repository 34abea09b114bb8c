//! A list that grows at its end, whose copies share all but their last few elements.

use std::fmt;
use std::rc::Rc;

/// How many elements are shared at a time. A shorter list is a plain vector.
const CHUNK: usize = 64;

pub struct List<T> {
    full: Option<Rc<Chunk<T>>>,
    last: Vec<T>,
}

impl<T: Copy> Clone for List<T> {
    fn clone(&self) -> Self {
        List { full: self.full.clone(), last: self.last.clone() }
    }

    /// In the room that is there.
    fn clone_from(&mut self, source: &Self) {
        self.full.clone_from(&source.full);
        self.last.clear();
        self.last.extend_from_slice(&source.last);
    }
}

struct Chunk<T> {
    before: Option<Rc<Chunk<T>>>,
    elements: Box<[T]>,
    /// How many elements there are with those before it.
    number: usize,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List::new()
    }
}

impl<T> List<T> {
    pub const fn new() -> List<T> {
        List { full: None, last: Vec::new() }
    }
}

impl<T: Copy> List<T> {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.full.as_ref().map_or(0, |chunk| chunk.number) + self.last.len()
    }

    #[inline]
    pub fn push(&mut self, element: T) {
        if self.last.len() == CHUNK {
            let number = self.len();
            let elements = std::mem::take(&mut self.last).into_boxed_slice();
            self.full = Some(Rc::new(Chunk { before: self.full.take(), elements, number }));
        }
        self.last.push(element);
    }

    /// A copy with room for some more.
    #[inline]
    pub fn with_room(&self, more: usize) -> List<T> {
        let mut last = Vec::with_capacity(self.last.len() + more);
        last.extend_from_slice(&self.last);
        List { full: self.full.clone(), last }
    }

    pub fn to_vec(&self) -> Vec<T> {
        let mut all = Vec::with_capacity(self.len());
        all.extend(self.iter().copied());
        all
    }

    /// The elements, from the first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        let mut chunks = Vec::new();
        let mut rest = self.full.as_deref();
        while let Some(chunk) = rest {
            chunks.push(&*chunk.elements);
            rest = chunk.before.as_deref();
        }
        chunks.into_iter().rev().flatten().chain(&self.last)
    }

    #[inline]
    pub fn last(&self) -> Option<&T> {
        self.last.last()
    }
}

impl<T: Copy + PartialEq> List<T> {
    /// The newest are looked at first.
    pub fn contains(&self, element: T) -> bool {
        let mut rest = self.full.as_deref();
        let mut found = self.last.contains(&element);
        while let Some(chunk) = rest.filter(|_| !found) {
            found = chunk.elements.contains(&element);
            rest = chunk.before.as_deref();
        }
        found
    }
}

impl<T: Copy + PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        let is_same = match (&self.full, &other.full) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        is_same && self.last == other.last || self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Copy + Eq> Eq for List<T> {}

impl<T: Copy> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<T: fmt::Debug + Copy> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> Drop for Chunk<T> {
    /// A loop, because a long list would otherwise be dropped by a deep recursion.
    fn drop(&mut self) {
        let mut rest = self.before.take();
        while let Some(chunk) = rest {
            rest = Rc::into_inner(chunk).and_then(|mut alone| alone.before.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_and_differ() {
        let mut list = List::default();
        let mut copies = Vec::new();
        for number in 0..1_000 {
            copies.push(list.with_room(1));
            list.push(number);
        }
        for (number, mut copy) in copies.into_iter().enumerate() {
            copy.push(5_000);
            assert_eq!((copy.len(), copy.last()), (number + 1, Some(&5_000)));
            assert!(copy.iter().copied().eq((0..number).chain([5_000])));
            assert!(copy.iter().rev().copied().eq([5_000].into_iter().chain((0..number).rev())));
            assert!(copy.contains(5_000) && copy.contains(number / 2) == (number > 0) && !copy.contains(number + 1));
        }
        let mut long = List::default();
        long.extend(0..10_000_000u32);
        assert_eq!(long.len(), 10_000_000);
    }
}
