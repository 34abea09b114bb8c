//! What the answers of a run are about: which inputs were left out, and what was taken for granted of the machine under the program.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::existing::Offered;

/// Inputs that a run did not look at, though the program would have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// Strings with more characters.
    LongerStrings(u32),
    /// Arrays with more elements.
    LongerArrays(u32),
    /// Strings with characters beyond Latin-1.
    WiderCharacters,
    /// Objects of the type `of` that have another class than those it was taken to have, or more.
    OtherClasses { of: String, taken: Vec<String>, more: bool },
    /// Objects of this class that exist before the entry: constants of enums, literals, cached boxes, what static fields hold.
    Existing { class: String },
    /// Class objects but these few, the program's own comparisons among them.
    ClassObjects { taken: Vec<String> },
    /// Objects at the end of longer chains of references: the bound k.
    Deeper,
    /// More objects than the bound n.
    More,
}

/// What was taken for granted of the environment: a verdict calls it an assumption.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// The default locale is en_US.
    Locale,
    /// The default time zone is UTC.
    TimeZone,
    /// System properties, encodings among them, are those of the JDK that is read.
    Properties,
    /// Identity hash codes are numbers in the order of the questions.
    IdentityHashes,
    /// There is one thread, so that monitors are never waited for.
    OneThread,
    /// `Math` computes what `StrictMath` does.
    StrictMath,
    /// Services are those of the JDK.
    Services,
    /// Resources are those of the class path that was given.
    Resources,
    /// The machine has one processor.
    Processors,
    /// Objects hold what their generic types say: nobody has cheated by unchecked casts.
    Generics,
    /// The constructor of a record changes nothing that it has made itself.
    Constructor { class: String },
    /// A method that nobody implements gives any result, and does nothing else.
    Results { class: String, method: String },
}

/// What the answers of a run are about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scope {
    pub left_out: BTreeSet<LeftOut>,
    pub taken: BTreeSet<Taken>,
    /// What exists before the entry, mattered, and was not offered as an input: a run begins again with it, as long as nothing was given out.
    #[serde(default, skip_serializing_if = "Offered::is_empty")]
    pub wanted: Offered,
}

impl Scope {
    pub fn extend(&mut self, other: Scope) {
        self.left_out.extend(other.left_out);
        self.taken.extend(other.taken);
        self.wanted.extend(other.wanted);
    }
}
