//! Where a path was decided, in the program's own code: what its reader is told. It is kept while a path is executed, shared between the paths
//! that have it in common, and looked at only when one has ended.
//!
//! What is decided inside a call of the library belongs to the call: a mark is left where that begins, one for each thing that was decided, and one
//! where the call came back.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::{FieldId, MethodId};

use crate::context::Resolution;
use crate::heap::Found;

/// Something that was decided, and the instruction of the program's own code that it was decided at.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub method: MethodId,
    pub pc: u32,
    /// The call of the program's own code that led into this method; none in the entry.
    pub called: Option<(MethodId, u32)>,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub enum What {
    /// One of several cases was taken.
    Case { guard: Term, found: Option<Found>, is_branch: bool },
    /// A model that enumerates has resolved a reference: an input, or what a field of an object held.
    Resolved { reference: Resolved, to: Resolution },
    /// A call of the library decided something.
    Inside,
    /// This is what it decided.
    Within(Term),
    /// It came back, with a value.
    Back(Term),
    /// It threw something.
    Threw,
}

/// A reference of the input.
#[derive(Clone, Copy, Debug)]
pub enum Resolved {
    Symbol(Symbol),
    Field(u32, FieldId),
    /// Something that has no name.
    Other,
}

#[derive(Clone, Debug, Default)]
pub struct Trail {
    last: Option<Rc<Link>>,
    /// The frames up to the one of the program's own code whose call is deciding something; none of them where it is not.
    inside: u32,
}

#[derive(Debug)]
struct Link {
    mark: Mark,
    before: Option<Rc<Link>>,
}

impl Drop for Link {
    /// A long trail is dropped link by link: it would be too deep for the stack.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut link) = before.and_then(|link| Rc::try_unwrap(link).ok()) {
            before = link.before.take();
        }
    }
}

impl Trail {
    pub fn push(&mut self, mark: Mark) {
        self.last = Some(Rc::new(Link { mark, before: self.last.take() }));
    }

    /// A call of the library decides something for the first time; so many frames are below its own.
    pub fn enter(&mut self, mark: Mark, frames: usize) {
        self.push(mark);
        self.inside = frames as u32;
    }

    /// Whether a call of the library is deciding something already.
    pub fn is_inside(&self) -> bool {
        self.inside > 0
    }

    /// What is decided there.
    pub fn within(&mut self, guard: Term) {
        self.push_after(What::Within(guard));
    }

    /// Whether it has just been left, so that so many frames remain.
    #[inline]
    pub fn leaves(&self, frames: usize) -> bool {
        self.inside as usize == frames && frames > 0
    }

    /// It was left.
    pub fn leave(&mut self, what: What) {
        self.inside = 0;
        self.push_after(what);
    }

    /// A mark at the place of the one before.
    fn push_after(&mut self, what: What) {
        if let Some(mark) = self.last.as_ref().map(|link| link.mark) {
            self.push(Mark { what, ..mark });
        }
    }

    /// All marks, the first first.
    pub fn marks(&self) -> Vec<Mark> {
        let links = std::iter::successors(self.last.as_deref(), |link| link.before.as_deref());
        let mut marks: Vec<Mark> = links.map(|link| link.mark).collect();
        marks.reverse();
        marks
    }
}
