//! How often the program has written into a heap, where writing and looking for the first time leave the same marks.

/// A number of writes. It is no part of what a heap is: two that hold the same are the same.
#[derive(Clone, Copy, Default, Debug)]
pub struct Writes(u32);

impl Writes {
    pub fn add(&mut self) {
        self.0 += 1;
    }

    pub fn is_more_than(self, before: Writes) -> bool {
        self.0 > before.0
    }
}

impl PartialEq for Writes {
    fn eq(&self, _: &Writes) -> bool {
        true
    }
}

impl Eq for Writes {}
