//! Objects that are the same on all paths: what class initialisers made once for all of them, constant strings, and the objects that stand
//! for classes.
//!
//! They have numbers of their own, from [`FIRST`] on, which do not depend on the path that needs them first. Once its maker has ended an object
//! here never changes: what a path writes into it stands in the path's [`Overlay`](crate::heap::Overlay).

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The first number of such an object: those that a path allocates are below.
pub const FIRST: u32 = 1 << 30;

/// Whether a location is one of these objects.
#[inline]
pub fn is_shared(location: u32) -> bool {
    location >= FIRST
}

/// Who made an object: the number of an initialiser's run.
pub type Maker = u32;

struct Object {
    class: ClassId,
    /// Where its fields begin.
    first: u32,
    /// Its maker, and its number among what that has made. `None`: it belongs to the machine, as strings and classes do.
    made: Option<(Maker, u32)>,
}

#[derive(Default)]
pub struct Shared {
    objects: Vec<Object>,
    cells: Vec<Term>,
    arrays: FxHashMap<u32, Rc<Vec<Term>>>,
    /// The initialiser that is being run for all paths: what it allocates belongs here.
    pub(crate) maker: Option<Maker>,
    /// How many objects a maker has made.
    numbers: FxHashMap<Maker, u32>,
    /// Objects of which only some fields are known: whoever looks at another stops the path, by this name.
    opaque: FxHashMap<u32, Opaque>,
}

struct Opaque {
    what: Rc<str>,
    unknown: Unknown,
}

enum Unknown {
    /// All fields but these.
    AllBut(FxHashSet<FieldId>),
    Just(Rc<[FieldId]>),
}

impl Shared {
    pub fn class(&self, location: u32) -> ClassId {
        self.object(location).class
    }

    pub(crate) fn maker_of(&self, location: u32) -> Option<Maker> {
        self.made(location).map(|(maker, _)| maker)
    }

    pub(crate) fn made(&self, location: u32) -> Option<(Maker, u32)> {
        self.object(location).made
    }

    /// The object that a cell belongs to.
    pub(crate) fn holder_of(&self, cell: u32) -> u32 {
        FIRST + self.objects.partition_point(|object| object.first <= cell) as u32 - 1
    }

    fn object(&self, location: u32) -> &Object {
        &self.objects[(location - FIRST) as usize]
    }

    pub(crate) fn elements(&self, location: u32) -> Option<&Rc<Vec<Term>>> {
        self.arrays.get(&location)
    }

    pub(crate) fn set_elements(&mut self, location: u32, elements: Rc<Vec<Term>>) {
        self.arrays.insert(location, elements);
    }

    pub(crate) fn cell(&self, cell: u32) -> Term {
        self.cells[cell as usize]
    }

    pub(crate) fn set_cell(&mut self, cell: u32, value: Term) {
        self.cells[cell as usize] = value;
    }

    /// A new object with these fields.
    pub(crate) fn enter(&mut self, class: ClassId, fields: impl Iterator<Item = Term>, maker: Option<Maker>) -> u32 {
        let first = self.cells.len() as u32;
        self.cells.extend(fields);
        let made = maker.map(|maker| {
            let number = self.numbers.entry(maker).or_default();
            *number += 1;
            (maker, *number)
        });
        self.objects.push(Object { class, first, made });
        FIRST + self.objects.len() as u32 - 1
    }

    /// Where the fields of an object begin.
    pub(crate) fn first_cell(&self, location: u32) -> u32 {
        self.object(location).first
    }

    /// From now on only those fields of the object are known that are said to be.
    pub(crate) fn make_opaque(&mut self, location: u32, what: &str) {
        self.opaque.insert(location, Opaque { what: what.into(), unknown: Unknown::AllBut(FxHashSet::default()) });
    }

    /// Nobody knows these fields of the object.
    pub(crate) fn make_unknown(&mut self, location: u32, what: &Rc<str>, fields: &Rc<[FieldId]>) {
        self.opaque.insert(location, Opaque { what: what.clone(), unknown: Unknown::Just(fields.clone()) });
    }

    pub(crate) fn make_known(&mut self, location: u32, field: FieldId) {
        if let Some(Opaque { unknown: Unknown::AllBut(known), .. }) = self.opaque.get_mut(&location) {
            known.insert(field);
        }
    }

    /// Whether there is any.
    #[inline]
    pub(crate) fn is_used(&self) -> bool {
        !self.objects.is_empty()
    }

    /// Whether an object has parts that are not known.
    pub(crate) fn is_opaque(&self, location: u32) -> bool {
        self.opaque.contains_key(&location)
    }

    /// Whether anything here has parts that are not known.
    #[inline]
    pub(crate) fn has_opaque(&self) -> bool {
        !self.opaque.is_empty()
    }

    /// What an object is called if this field of it is not known.
    pub(crate) fn unknown_field(&self, location: u32, field: FieldId) -> Option<Rc<str>> {
        let opaque = self.opaque.get(&location)?;
        let is_unknown = match &opaque.unknown {
            Unknown::AllBut(known) => !known.contains(&field),
            Unknown::Just(fields) => fields.contains(&field),
        };
        is_unknown.then(|| opaque.what.clone())
    }
}
