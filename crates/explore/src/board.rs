//! Which work is to be done, is being done and was done, in the order of tasks: a task comes before what it hands back, and that
//! before the tasks that follow it.
//!
//! Workers always take the first work that nobody does, so that what was done can soon be given out in order.

use std::collections::{BTreeMap, BTreeSet};

use crate::run::Trace;
use crate::task::{Part, Work};

/// The place of a task: the numbers of the tasks on the way from the whole run to it. What a task hands back first is the
/// shallowest, and comes last.
pub(crate) type Place = Vec<u32>;

fn child(place: &Place, number: usize) -> Place {
    let mut child = place.clone();
    child.push(u32::MAX - number as u32);
    child
}

/// Traces that wait for their turn may have texts of about so many bytes; then only the work that they wait for is begun.
const MAX_WAITING: usize = 16 << 20;

pub(crate) struct Board {
    pending: BTreeMap<Place, Work>,
    running: BTreeSet<Place>,
    done: BTreeMap<Place, (Work, Part)>,
    /// The size of what is done.
    waiting: usize,
    /// No more work is given out.
    closed: bool,
}

/// What somebody finds who asks for work.
pub(crate) enum Next {
    Work(Place, Work),
    /// There may be some later.
    Later,
    Never,
}

impl Board {
    pub fn new(work: Work) -> Board {
        Board {
            pending: BTreeMap::from([(Place::new(), work)]),
            running: BTreeSet::new(),
            done: BTreeMap::new(),
            waiting: 0,
            closed: false,
        }
    }

    pub fn next(&mut self) -> Next {
        if self.closed || (self.pending.is_empty() && self.running.is_empty()) {
            return Next::Never;
        }
        let is_first = |place: &Place| {
            self.running.first().is_none_or(|other| place < other)
                && self.done.keys().next().is_none_or(|other| place < other)
        };
        match self.pending.first_key_value() {
            Some((place, _)) if self.waiting <= MAX_WAITING || is_first(place) => {}
            _ => return Next::Later,
        }
        let (place, work) = self.pending.pop_first().expect("there is one");
        self.running.insert(place.clone());
        Next::Work(place, work)
    }

    /// A task that goes on hands something back, as the so-and-so-manyth.
    pub fn release(&mut self, place: &Place, number: usize, work: &Work) {
        self.pending.insert(child(place, number), work.clone());
    }

    /// A task is done, and has handed back so much before. The rest of what it hands back is to be done too.
    pub fn finish(&mut self, place: Place, work: Work, part: Part, released: usize) {
        self.running.remove(&place);
        if part.incomplete.is_none() {
            for (number, work) in part.open.iter().enumerate().skip(released) {
                self.release(&place, number, work);
            }
        }
        self.waiting += size(&part);
        self.done.insert(place, (work, part));
    }

    /// A task will never be done.
    pub fn give_up(&mut self, place: &Place) {
        self.running.remove(place);
        self.closed = true;
    }

    /// The next part in order, with its task; after the end, whatever is there.
    pub fn ready(&mut self) -> Option<(Work, Part)> {
        let place = self.done.keys().next()?;
        let before = |other: Option<&Place>| other.is_some_and(|other| other < place);
        let waits_for_pending = !self.closed && before(self.pending.keys().next());
        if waits_for_pending || before(self.running.first()) {
            return None;
        }
        let (_, (work, part)) = self.done.pop_first()?;
        self.waiting -= size(&part);
        Some((work, part))
    }

    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Whether all that was begun is done and given out.
    pub fn is_over(&self) -> bool {
        self.running.is_empty() && self.done.is_empty() && (self.closed || self.pending.is_empty())
    }

    /// Whether something was never done.
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// How many tasks wait for a worker.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }
}

fn size(part: &Part) -> usize {
    part.traces.iter().map(Trace::size).sum()
}
