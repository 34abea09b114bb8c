//! Twins: paths that differ in other groups only. They share the group itself, and what a guard has made of it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::path::Group;
use crate::solver::Solver;
use crate::solver::question::{Question, Reply};
use crate::term::{Term, Terms};

/// The stage.
pub(crate) fn answer(solver: &mut Solver, _: &mut Terms, question: &mut Question) -> Option<Reply> {
    let (after, held) = solver.twins.find(&question.connected, question.guard)?;
    question.held = held;
    Some(after.map_or(Reply::Unsat, Reply::Group))
}

/// When this many answers about shared groups are kept, all are forgotten.
const MAX_TWINS: usize = 1 << 12;

/// What guards have made of groups: of a single one, or of none.
#[derive(Default)]
pub(crate) struct Twins {
    answers: FxHashMap<(*const Group, Term), Twin>,
}

struct Twin {
    /// Held, so that nothing else gets its address.
    _before: Option<Rc<Group>>,
    /// `None`: unsatisfiable.
    after: Option<Rc<Group>>,
    /// Whether the known model satisfied the guard, if it was tried.
    held: Option<bool>,
}

impl Twins {
    fn find(&self, connected: &[&Rc<Group>], guard: Term) -> Option<(Option<Rc<Group>>, Option<bool>)> {
        let twin = self.answers.get(&(address(connected)?, guard))?;
        Some((twin.after.clone(), twin.held))
    }

    pub(crate) fn keep(
        &mut self,
        connected: &[&Rc<Group>],
        guard: Term,
        after: Option<&Rc<Group>>,
        held: Option<bool>,
    ) {
        let Some(address) = address(connected) else { return };
        if self.answers.len() >= MAX_TWINS {
            self.answers.clear();
        }
        let before = connected.first().map(|group| Rc::clone(group));
        self.answers.insert((address, guard), Twin { _before: before, after: after.cloned(), held });
    }
}

fn address(connected: &[&Rc<Group>]) -> Option<*const Group> {
    match connected {
        [] => Some(std::ptr::null()),
        [only] => Some(Rc::as_ptr(only)),
        _ => None,
    }
}
