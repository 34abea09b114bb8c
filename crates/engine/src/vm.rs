//! The part of a state that only Java has, and what a path leaves behind that no instruction reads.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, MethodId, StrId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::shared::Maker;

/// A box of a number that is not known: the number of its class, and the value, as one of the stack.
/// A question for an identity hash code.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub object: Term,
    pub hash: Term,
    /// Whether it is another object than those that were asked before, and none that all paths share.
    pub is_new: Term,
}

#[derive(Clone, Copy)]
pub struct Boxed {
    pub kind: usize,
    pub value: Term,
}

/// Statics, constant strings, and what the machine remembers. Cloned when a state that shares it changes it.
#[derive(Clone, Default)]
pub struct Vm {
    /// What the path has written, and what initialisers have that ran on it: the others have their values from those that ran for all paths.
    pub statics: FxHashMap<FieldId, Term>,
    /// Classes whose initialiser has run, or is running.
    pub initialised: Rc<FxHashMap<ClassId, By>>,
    /// Classes whose initialiser has thrown.
    pub failed: FxHashSet<ClassId>,
    /// How many phases of the machine's start have begun, where they are executed on the path.
    pub phases: u8,
    /// The standard streams by their names, where the machine was started on the path.
    pub streams: FxHashMap<&'static str, Term>,
    /// The strings that stand for their text: literals that were met, and what was interned.
    pub strings: Rc<FxHashMap<StrId, Term>>,
    /// The fields that handles are of, and how others look at bytes.
    pub handles: FxHashMap<Term, FieldId>,
    pub views: FxHashMap<Term, ByteView>,
    /// Strings that stand for texts which were not put together: whoever looks into one stops the path.
    pub untold: FxHashSet<Term>,
    /// Strings that were put together of parts that are not known: how they are shown, these parts as terms in braces.
    pub shown: FxHashMap<Term, Rc<str>>,
    /// Strings that are numbers in decimal digits, of numbers that are not known.
    pub numerals: FxHashMap<Term, Term>,
    /// Boxes of numbers that are not known.
    pub boxes: FxHashMap<Term, Boxed>,
    /// The calls of methods of the environment: the method, its arguments, and what it gave.
    pub calls: Vec<(MethodId, Vec<Term>, Term)>,
    /// The files of the JDK that are being read, by their streams.
    pub files: FxHashMap<Term, OpenFile>,
    /// What was printed, the last first.
    pub printed: Option<Rc<Printed>>,
    /// The places with names that the path has come to.
    pub reached: Rc<Vec<Box<str>>>,
    /// The objects whose identity hash codes were asked for, and what was given.
    pub hashes: Rc<Vec<Asked>>,
    /// Whether the identity hash code of an object of the user's was asked for that all paths share.
    pub hashed: bool,
    /// Whether it was asked who has loaded a class: a judge has loaders of its own.
    pub asked_loaders: bool,
    /// How many values the path has got that differ from run to run.
    pub varying: u32,
    /// How many inputs of a name the path has made.
    pub inputs: FxHashMap<String, u32>,
}

/// How a handle looks at an array of bytes: as numbers of this type.
#[derive(Clone, Copy, Debug)]
pub struct ByteView {
    pub ty: Type,
    pub high_first: bool,
}

/// A file that is being read.
#[derive(Clone, Debug)]
pub struct OpenFile {
    pub bytes: Rc<[u8]>,
    pub position: usize,
    /// Nobody knows what it gives.
    pub is_device: bool,
}

/// A piece of what a path has printed.
#[derive(Debug)]
pub struct Printed {
    pub stream: Stream,
    /// Parts that are not known are terms in braces.
    pub text: String,
    /// What was printed before.
    pub before: Option<Rc<Printed>>,
}

/// The standard streams that one can print to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    Out,
    Err,
}

/// Who has initialised a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// There was nothing to do.
    Nobody,
    /// The path itself, or it is doing so.
    Path,
    /// A run for all paths.
    Shared(Maker),
}

impl Vm {
    #[inline]
    pub fn is_initialised(&self, class: ClassId) -> bool {
        self.initialised.contains_key(&class)
    }

    /// What was printed, in order, the pieces of one stream put together.
    pub fn output(&self) -> Vec<(Stream, String)> {
        let pieces = std::iter::successors(self.printed.as_deref(), |piece| piece.before.as_deref());
        let mut pieces: Vec<&Printed> = pieces.collect();
        pieces.reverse();
        let mut output: Vec<(Stream, String)> = Vec::new();
        for piece in pieces {
            match output.last_mut().filter(|(stream, _)| *stream == piece.stream) {
                Some((_, text)) => text.push_str(&piece.text),
                None => output.push((piece.stream, piece.text.clone())),
            }
        }
        output
    }

    /// The path has come to a place that has a name.
    pub fn reach(&mut self, place: &str) {
        Rc::make_mut(&mut self.reached).push(place.into());
    }

    pub fn set_initialised(&mut self, class: ClassId, by: By) {
        Rc::make_mut(&mut self.initialised).insert(class, by);
    }
}
