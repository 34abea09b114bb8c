//! The chain: all stages in their order, and nowhere else.
//!
//! A stage is a function `answer` in a file of its own, which answers a question or leaves it to the next. To add
//! one, write it and enter it here: its counter, its name in reports and its place come from this list. Every answer
//! must be right on its own, so that the order is a matter of speed only: what is cheap for its chance of an answer
//! comes first. What a stage needs of the question is made just before the first that needs it (`after`).

use super::functions::{self, Judgement};
use super::question::{Question, Reply};
use super::{
    Solver, answers, bits, bounds, clauses, constants, differences, fits, fresh, guess, repair, search, twins, z3,
};
use crate::term::Terms;

/// What it takes to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing has to be decided: the answer is there, or a model that was known.
    Known,
    /// A decision procedure of our own.
    Theory,
    /// A solver of others.
    Backend,
}

macro_rules! chain {
    ($($stage:ident $name:literal $kind:ident $(after $prepare:ident)? => $module:ident, $doc:literal;)+) => {
        /// A stage of the chain, in the order in which they are asked.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Stage {
            $(#[doc = $doc] $stage,)+
        }

        impl Stage {
            pub const ALL: &'static [Stage] = &[$(Stage::$stage),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Stage::$stage => $name,)+
                }
            }

            pub const fn kind(self) -> Kind {
                match self {
                    $(Stage::$stage => Kind::$kind,)+
                }
            }
        }

        impl Solver {
            /// The first stage that has something to say, and what it says.
            pub(super) fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> (Stage, Reply) {
                $(
                    $(question.$prepare(self, terms);)?
                    while self.has(Stage::$stage)
                        && let Some(reply) = $module::answer(self, terms, question)
                    {
                        match functions::judge(terms, question, Stage::$stage, reply) {
                            Judgement::Stands(reply) => return (Stage::$stage, reply),
                            Judgement::Again => {}
                            Judgement::Dropped => break,
                        }
                    }
                )+
                unreachable!("the last stage says something, if only that it does not know")
            }
        }
    };
}

chain! {
    Constants   "constants"    Known                => constants,  "The guard is a constant.";
    KnownClause "known_clause" Known after connect  => clauses,    "The path has the guard as a clause, or its negation.";
    Twins       "twins"        Known                => twins,      "The guard was asked of the very same group before.";
    ModelFits   "model_fits"   Known after recall   => fits,       "The known model satisfies the guard.";
    FreshModel  "fresh_model"  Known                => fresh,      "It does, with objects for new references.";
    Repair      "repair"       Theory after join    => repair,     "It does, changed in a few symbols.";
    Bounds      "bounds"       Theory               => bounds,     "The intervals of integers leave nothing.";
    KnownAnswer "known_answer" Known                => answers,    "The same clauses were asked before.";
    Differences "differences"  Theory               => differences, "Difference and order constraints alone.";
    Search      "search"       Theory               => search,     "References, booleans and differences, by cases.";
    Guess       "guess"        Theory               => guess,      "Values for floating-point numbers, tried.";
    Bits        "bits"         Backend              => bits,       "Words and references: a circuit over CaDiCaL.";
    Z3          "z3"           Backend              => z3,         "Everything else: Z3.";
}

impl Stage {
    pub fn by_name(name: &str) -> Option<Stage> {
        Stage::ALL.iter().copied().find(|stage| stage.name() == name)
    }

    /// Whether its answers are kept for [`Stage::KnownAnswer`]: those that cost more than to look them up.
    pub(super) const fn is_dear(self) -> bool {
        matches!(self, Stage::Search | Stage::Guess | Stage::Bits | Stage::Z3)
    }
}
