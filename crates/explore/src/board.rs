//! Which work is to be done, is being done and was done, in the order of tasks: a task comes before what it hands back, and that
//! before the tasks that follow it.
//!
//! Somebody always does the first work that is left, so that what was done can soon be given out in order. The others take what is
//! probably large: what is left last should be small. Who does what changes nothing of what comes out.

use std::collections::{BTreeMap, BTreeSet};

use crate::prefixes::Prefix;
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

/// Traces that wait for their turn may have texts of about so many bytes; then only the work that they wait for is begun. After the end of
/// its time a run still writes them: that must be quick.
const MAX_WAITING: usize = 4 << 20;

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
        let Some((first, _)) = self.pending.first_key_value() else { return Next::Later };
        let leads = self.running.first().is_none_or(|other| first < other);
        let is_full = self.waiting > MAX_WAITING;
        if is_full && !(leads && self.done.keys().next().is_none_or(|other| first < other)) {
            return Next::Later;
        }
        let place = if leads || is_full { first.clone() } else { self.largest().clone() };
        let work = self.pending.remove(&place).expect("it is there");
        self.running.insert(place.clone());
        Next::Work(place, work)
    }

    /// The work that is probably the largest: it begins nearest to where the run begins. Among equals, the first.
    fn largest(&self) -> &Place {
        let depth = |work: &Work| work.prefixes.iter().map(Prefix::len).min();
        let largest = self.pending.iter().min_by_key(|(_, work)| depth(work));
        largest.expect("there is work").0
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prefixes::Prefixes;
    use lazuli_engine::counts::Counts;

    fn part(number: u64, open: Vec<Work>) -> Part {
        Part {
            version: crate::task::VERSION,
            traces: Vec::new(),
            counts: Counts { traces: number, ..Counts::default() },
            solver: Default::default(),
            solver_time: Default::default(),
            terms: 0,
            effort: 0,
            open,
            stops: Vec::new(),
            scope: Default::default(),
            offered: Default::default(),
            incomplete: None,
            steps_trace: None,
            executed: Default::default(),
        }
    }

    fn work(prefix: &[u32]) -> Work {
        Work { prefixes: Prefixes::of_sorted([prefix.to_vec()]), ..Work::whole() }
    }

    fn take(board: &mut Board) -> (Place, Work) {
        match board.next() {
            Next::Work(place, work) => (place, work),
            _ => panic!("there is work"),
        }
    }

    /// What is handed back first is the shallowest and comes last, whoever does it and however soon.
    #[test]
    fn parts_are_given_out_in_the_order_of_tasks() {
        let mut board = Board::new(Work::whole());
        let (root, whole) = take(&mut board);
        board.release(&root, 0, &work(&[1]));
        let (late, of_late) = take(&mut board);
        assert_eq!(of_late, work(&[1]));
        board.finish(late, of_late, part(4, Vec::new()), 0);
        assert!(board.ready().is_none(), "the whole run comes before what it hands back");
        board.finish(root, whole, part(1, vec![work(&[1]), work(&[0, 1]), work(&[0, 0])]), 1);
        let (first, of_first) = take(&mut board);
        assert_eq!(of_first, work(&[0, 0]), "the first work that is left");
        let (second, of_second) = take(&mut board);
        assert_eq!(of_second, work(&[0, 1]));
        board.finish(second, of_second, part(3, Vec::new()), 0);
        let mut order = Vec::new();
        let drain = |board: &mut Board, order: &mut Vec<u64>| {
            while let Some((_, part)) = board.ready() {
                order.push(part.counts.traces);
            }
        };
        drain(&mut board, &mut order);
        assert_eq!((order.as_slice(), board.is_over()), (&[1][..], false), "the others wait for the first");
        board.finish(first, of_first, part(2, Vec::new()), 0);
        drain(&mut board, &mut order);
        assert_eq!((order.as_slice(), board.is_over()), (&[1, 2, 3, 4][..], true));
        assert!(matches!(board.next(), Next::Never));
    }

    /// While somebody does the first work, others take what is nearest to the beginning.
    #[test]
    fn large_work_is_begun_early() {
        let mut board = Board::new(Work::whole());
        let (root, whole) = take(&mut board);
        for (number, prefix) in [&[1][..], &[0, 1], &[0, 0, 1]].into_iter().enumerate() {
            board.release(&root, number, &work(prefix));
        }
        let (_, large) = take(&mut board);
        assert_eq!(large, work(&[1]), "the shallowest, although it comes last");
        board.finish(root, whole, part(1, Vec::new()), 3);
        let (_, first) = take(&mut board);
        assert_eq!(first, work(&[0, 0, 1]), "nobody does what comes first");
        let (_, next) = take(&mut board);
        assert_eq!(next, work(&[0, 1]));
    }

    /// When a run must end, what is done is given out although something before it is missing.
    #[test]
    fn a_closed_board_gives_out_what_is_there() {
        let mut board = Board::new(Work::whole());
        let (root, whole) = take(&mut board);
        board.finish(root, whole, part(1, vec![work(&[1]), work(&[0])]), 0);
        let (missing, _) = take(&mut board);
        let (done, of_done) = take(&mut board);
        board.finish(done, of_done, part(2, vec![work(&[1, 0])]), 0);
        assert_eq!(board.ready().map(|(_, part)| part.counts.traces), Some(1));
        assert!(board.ready().is_none());
        board.give_up(&missing);
        assert_eq!(board.ready().map(|(_, part)| part.counts.traces), Some(2));
        assert!(board.is_over() && board.has_pending(), "something was never done");
    }
}
