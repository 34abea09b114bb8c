//! What a run gives: traces, and everything else that a report needs. Reports compute nothing.

use std::fmt;
use std::time::Duration;

use lazuli_engine::branches::{Branch, Line};
use lazuli_engine::config::{HeapKind, Judge};
use lazuli_engine::counts::Counts;
use lazuli_engine::existing::Offered;
use lazuli_engine::outcome::{Bound, Outcome, Stop};
use lazuli_engine::scope::Scope;
use lazuli_engine::snapshot::Ending;
use lazuli_engine::state::{Decisions, Flow, show_decisions};
use lazuli_engine::vm::Stream;
use lazuli_engine::witness::Witness;
use lazuli_logic::solver::Counters;

use crate::executed::Executed;
use crate::judgement::Judgement;

/// A finished path.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The cases taken: they name the trace, and replay it in every process.
    pub decisions: Decisions,
    pub outcome: Outcome,
    /// A fingerprint of the control flow. It has the numbers of methods in it, which differ between processes: a trace that was read
    /// from a checkpoint has none.
    pub flow: Flow,
    /// What is made only in full detail.
    pub detail: Option<Box<TraceFacts>>,
}

/// What is made of a trace in full detail.
#[derive(Clone, Debug)]
pub struct TraceFacts {
    /// The result, as a term over the inputs.
    pub value: Option<String>,
    /// The result as the source would write it, where it depends on the inputs and has such a form.
    pub said_value: Option<String>,
    /// Whether the result is the same for all inputs of the path.
    pub is_fixed: bool,
    /// What the program's own code decided. Those of the tiny languages are in the condition.
    pub branches: Vec<Branch>,
    /// Choices for input references, then the clauses.
    pub path_condition: Vec<String>,
    pub witness: Option<Witness>,
    /// How the engine's run on the witness ended, if it did what the trace says.
    pub ending: Option<Ending>,
    /// What a judge says of the witness.
    pub judgement: Judgement,
    /// Where the path ended.
    pub place: Line,
    /// Whether a `throw new` threw the exception that it ended with.
    pub is_new: bool,
    /// Where an exception that was thrown elsewhere came to the program's own code.
    pub came: Option<Line>,
    /// The method that was called there, if it is certain which.
    pub through: Option<String>,
    /// What it printed to the standard streams, in order; parts that are not known are terms in braces.
    pub printed: Vec<(Stream, String)>,
    /// The places with names that it came to, in order.
    pub reached: Vec<Box<str>>,
}

impl Trace {
    /// The trace's name: its decisions, such as `0.1.1`.
    pub fn id(&self) -> String {
        show_decisions(&self.decisions)
    }

    /// Whether it violates a property of the program.
    pub fn is_violation(&self) -> bool {
        matches!(self.outcome, Outcome::AssertFailed | Outcome::PostFailed)
    }

    /// Whether its witness does something else, as a judge says.
    pub fn is_refuted(&self) -> bool {
        self.detail.as_ref().is_some_and(|facts| facts.judgement.is_refuted())
    }

    /// The size of its texts: what it costs to make, to keep and to write.
    pub(crate) fn size(&self) -> usize {
        let Some(facts) = &self.detail else { return self.decisions.len() };
        let clauses: usize = facts.path_condition.iter().map(String::len).sum();
        let objects = facts.witness.as_ref().map_or(0, Witness::size);
        let branches: usize = facts.branches.iter().map(|branch| 32 + branch.text.len()).sum();
        let printed: usize = facts.printed.iter().map(|(_, text)| text.len()).sum();
        self.decisions.len() + clauses + branches + objects + printed + facts.value.as_ref().map_or(0, String::len)
    }
}

/// What is explored.
#[derive(Clone, Debug)]
pub struct Subject {
    pub program: String,
    pub entry: String,
    pub heap: HeapKind,
}

/// What a reader should know about the question itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// The invariants speak of these inputs, which the entry does not have.
    Elsewhere { names: Vec<String>, entry: String },
    /// Objects of these classes of the JDK are as its public methods leave them, by files that came with the program.
    Bundled { classes: Vec<&'static str> },
    /// No such object is valid.
    Contradiction { objects: String },
    /// The invariants left no input that the program looks at; there were these bounds beside them.
    NoInput { n: bool, k: bool },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Elsewhere { names, entry } => {
                write!(f, "what is said of {} says nothing here: no input of {entry}", names.join(", "))
            }
            Note::Bundled { classes } => {
                write!(f, "valid objects of {} are inputs, as public calls leave them", classes.join(", "))
            }
            Note::Contradiction { objects } => {
                write!(f, "the invariants contradict themselves: no {objects} is valid")
            }
            Note::NoInput { n, k } => {
                let within = if *n || *k { " within the bounds" } else { "" };
                write!(f, "the invariants exclude every input that the program looks at{within}")
            }
        }
    }
}

/// A run as a whole.
#[derive(Clone, Debug)]
pub struct Run {
    pub program: String,
    pub entry: String,
    pub heap: HeapKind,
    pub counts: Counts,
    pub solver: Counters,
    /// The traces, in the order of tasks; none of them if they were handed to somebody while they were found.
    pub traces: Vec<Trace>,
    /// Terms built, in all tasks: the size of what the heaps share.
    pub terms: u64,
    /// What was done, counted in instructions: see [`lazuli_engine::executor::Executor::effort`].
    pub effort: u64,
    /// The tasks that it was split into.
    pub tasks: u64,
    /// What the answers are about.
    pub scope: Scope,
    /// What exists before the entry and was offered as an input.
    pub offered: Offered,
    /// Whether methods of the invariants were called, which may write what the program reads.
    pub companions: bool,
    /// Who was asked about the witnesses.
    pub judge: Judge,
    /// Whether there were invariants: then what a bound left out may have been no valid input.
    pub judged: bool,
    pub notes: Vec<Note>,
    /// The limit that left something unexplored.
    pub incomplete: Option<Bound>,
    /// Reasons of stopped traces with their numbers.
    pub stops: Vec<(Stop, u64)>,
    /// What was executed on witnesses of the user's bytecode, if that was wanted.
    pub executed: Executed,
    pub time: Duration,
    pub solver_time: Duration,
}

impl Run {
    /// Whether every path of the inputs that were looked at was followed to its end: see [`Run::limits`] for what else may be missing.
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_none() && self.counts.stopped == 0
    }
}
