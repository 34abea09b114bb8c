//! Invariants: which inputs are valid data structures. The engine knows none; it says here when one is asked, and what
//! it may ask of a path.

use std::any::Any;
use std::fmt::Debug;

use lazuli_logic::Term;

use crate::context::{Assumptions, Context};
use crate::heap::Resolved;
use crate::outcome::Outcome;
use crate::quota::{Most, Quota};
use crate::suspend::Step;

/// Which inputs are valid. What a path must not assume is pruned.
pub trait Invariant: Any + Debug + Send + Sync {
    /// Prepares the context of a worker. Gives what listens to the assumptions of a path, if that is how the inputs
    /// are judged.
    fn begin(&self, _cx: &mut Context) -> Option<Box<dyn Assumptions>> {
        None
    }

    /// Whether it calls methods of the program in the middle of a path.
    fn calls(&self) -> Calls {
        Calls::Never
    }

    /// A reference of the input was resolved, under a model that enumerates: whether there still is a valid input.
    fn admit(&self, _path: &mut dyn Path) -> Step {
        Ok(())
    }

    /// A path has ended: whether a valid input takes it.
    fn admit_end(&self, _path: &mut dyn Path, _outcome: &Outcome) -> Step {
        Ok(())
    }
}

/// Which methods of the program an invariant calls in the middle of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Calls {
    Never,
    /// Those that say the same whenever they are executed.
    Sometime,
    /// Those that must be executed right after what was assumed.
    AtOnce,
}

/// What becomes, in a trial, of input references that the program has not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenInputs {
    /// They are resolved in all ways, like every reference that the method reads.
    Resolved,
    /// They are taken for null, about which there is nothing to ask.
    Skipped,
}

/// The path in work, as an invariant sees it.
pub trait Path {
    /// The bounds on the numbers of input objects.
    fn quotas(&self) -> Vec<Quota>;

    /// What the invariant keeps for the worker; it is made when it is asked for first.
    fn kept(&mut self) -> &mut Option<Box<dyn Any>>;

    /// Whether the method that was entered first has a call after the place where it is.
    fn calls_again(&self) -> bool;

    /// The references of input objects that have been resolved, with their initial values.
    fn resolved(&self) -> Vec<Resolved>;

    /// Other bounds, by the classes of the program.
    fn quotas_of(&self, list: &[Most]) -> Vec<Quota>;

    /// The input objects that have been resolved, of those that a quota counts.
    fn objects(&self, quota: &Quota) -> u32;

    /// Whether the method of this name, on the inputs of the entry, returns true on some path from the initial heap,
    /// as far as it was resolved; the inputs are within the quotas. What could not be followed is not taken for an
    /// answer.
    fn some_path_is_true(&mut self, name: &'static str, open: OpenInputs, quotas: Vec<Quota>) -> Step;

    /// Adds a clause to the path condition, which must stay satisfiable.
    fn assume(&mut self, clause: Term) -> Step;

    /// Whether the run must end; then what is being asked is given up.
    fn is_late(&mut self) -> bool;
}
