//! What a walk over terms has met.

/// Marks of the nodes that one walk has met. Walks are frequent and short: a mark is the walk's number, so that nothing has to
/// be cleared in between.
#[derive(Default)]
pub(crate) struct Seen {
    marks: Vec<u32>,
    walk: u32,
}

impl Seen {
    pub fn start(&mut self, nodes: usize) {
        if self.walk == u32::MAX {
            self.marks.clear();
            self.walk = 0;
        }
        self.walk += 1;
        if self.marks.len() < nodes {
            // Ahead of the pool, which grows by a few nodes between two walks.
            self.marks.resize(nodes + nodes / 2, 0);
        }
    }

    /// Whether this is the first time in this walk.
    pub fn enter(&mut self, index: usize) -> bool {
        let first = self.marks[index] != self.walk;
        self.marks[index] = self.walk;
        first
    }
}
