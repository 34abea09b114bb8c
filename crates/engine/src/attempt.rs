//! What an instruction that was suspended remembers; see `decide.rs`.

use crate::heap::Found;

/// What the current instruction has found out so far: what the operations gave that asked, with their numbers.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// Whether its operands have been loaded, where that comes first.
    pub(crate) prepared: bool,
    /// Most instructions ask once: that needs no list.
    first: Option<(u32, Found)>,
    others: Vec<(u32, Found)>,
}

impl Attempt {
    /// Whether nothing has been answered.
    #[inline]
    pub(crate) fn is_first(&self) -> bool {
        self.first.is_none()
    }

    pub(crate) fn answer(&self, operation: u32) -> Option<Found> {
        let mut all = self.first.iter().chain(&self.others);
        all.find(|(number, _)| *number == operation).map(|(_, found)| *found)
    }

    pub(crate) fn record(&mut self, operation: u32, found: Found) {
        debug_assert!(self.answer(operation).is_none(), "an operation is answered once");
        match self.first {
            None => self.first = Some((operation, found)),
            Some(_) => self.others.push((operation, found)),
        }
    }

    /// The instruction, or its part that can be done only once, is done. Most have asked nothing: then there is nothing to forget.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.prepared || self.first.is_some() {
            self.forget();
        }
    }

    #[cold]
    fn forget(&mut self) {
        self.prepared = false;
        self.first = None;
        self.others.clear();
    }
}
