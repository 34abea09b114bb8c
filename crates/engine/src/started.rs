//! What is known of the start of a program, as data: see [`crate::start`].

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, StrId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::accesses::Accesses;
use crate::shared::Maker;
use crate::vm::{By, ByteView};

/// What a worker knows of the start of the program: the same for all its paths.
#[derive(Default)]
pub(crate) struct Start {
    /// The class whose initialiser was run, for every run for all paths.
    pub(crate) makers: Vec<ClassId>,
    /// What those runs came to that can be taken over.
    pub(crate) effects: FxHashMap<Maker, Effect>,
    /// How a class is initialised, for those that were asked for.
    pub(crate) known: FxHashMap<ClassId, Known>,
    /// The initialisers that are being run for all paths, the innermost last.
    pub(crate) running: Vec<Running>,
    /// Why the innermost is given up: this class waits for it.
    pub(crate) given_up: Option<ClassId>,
    /// Classes that are not initialised by a run of their own while another class waits: each needs the other.
    pub(crate) circular: FxHashSet<(ClassId, ClassId)>,
    /// The objects that stand for classes, and the classes they stand for.
    pub(crate) mirrors: FxHashMap<ClassId, Term>,
    pub(crate) classes: FxHashMap<Term, ClassId>,
    /// The fields that handles are of, where the handles are shared by all paths.
    pub(crate) handles: FxHashMap<Term, FieldId>,
    pub(crate) views: FxHashMap<Term, ByteView>,
    /// The objects of constant strings.
    pub(crate) literals: FxHashMap<StrId, Term>,
    /// Objects of the machine of which there is one.
    pub(crate) machine: FxHashMap<&'static str, Term>,
    /// Modules and packages, by their names.
    pub(crate) modules: FxHashMap<String, Term>,
    /// Objects that exist before the entry and were compared with inputs.
    pub(crate) compared: FxHashSet<u32>,
    /// The fields that were accessed through inputs, and in what exists before the entry.
    pub(crate) accesses: Accesses,
    /// The classes that every path begins with: their objects may be inputs.
    pub(crate) before: Vec<ClassId>,
    /// The instructions that all this has taken.
    pub(crate) steps: u64,
}

impl Start {
    /// What a run for all paths has left in a static of a class that it initialised.
    #[inline]
    pub(crate) fn static_of(&self, by: By, field: FieldId) -> Option<Term> {
        match by {
            By::Shared(maker) => self.effects[&maker].statics.get(&field).copied(),
            By::Path | By::Nobody => None,
        }
    }
}

/// How a class is initialised.
#[derive(Clone, Copy)]
pub(crate) enum Known {
    Effect(Maker),
    /// On every path anew.
    OnPath,
}

/// An initialiser that is being run for all paths.
pub(crate) struct Running {
    pub(crate) class: ClassId,
    /// The classes whose objects it may have looked at, and the statics that it has.
    pub(crate) depends: FxHashSet<ClassId>,
    pub(crate) statics: FxHashSet<FieldId>,
    /// The effects that it has taken over, in this order, by their classes.
    pub(crate) uses: Vec<(ClassId, Maker)>,
    /// How many values it has got that differ from run to run.
    pub(crate) varying: u32,
}

/// What an initialiser did.
#[derive(Default)]
pub(crate) struct Effect {
    /// Whether it asked for the identity hash code of an object of the user's.
    pub(crate) hashed: bool,
    /// The classes that it has initialised itself: its own, and those that are initialised together with it.
    pub(crate) members: Vec<ClassId>,
    /// The effects that come before it, by their classes.
    pub(crate) uses: Vec<(ClassId, Maker)>,
    /// The classes whose objects it may have looked at, and the statics that it has.
    pub(crate) depends: FxHashSet<ClassId>,
    pub(crate) read: FxHashSet<FieldId>,
    /// The statics of its members.
    pub(crate) statics: FxHashMap<FieldId, Term>,
    /// What it wrote elsewhere: statics of other classes, fields and elements of objects that others made.
    pub(crate) elsewhere: Vec<(FieldId, Term)>,
    pub(crate) cells: Vec<(u32, Term)>,
    pub(crate) arrays: Vec<(u32, Rc<Vec<Term>>)>,
    /// The literals it has met.
    pub(crate) strings: Vec<(StrId, Term)>,
}
