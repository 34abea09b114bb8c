//! What a run is asked to do, as it can be sent elsewhere: everything that its result depends on, but the program.

use lazuli_engine::config::{Bounds, Config, Environment, HeapKind, Ints, Judge, Search, TraceDetail};
use lazuli_engine::existing::Offered;
use lazuli_invariant::{InvariantSource, Invariants};
use lazuli_logic::SolverConfig;
use lazuli_program::Program;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The options of a run. Those that only say how soon or where it ends (jobs, time, memory) change nothing of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    pub heap: HeapKind,
    /// Of a program in a tiny language: `Class.method`, or `main`; by default the main expression.
    pub entry: Option<String>,
    pub bounds: Bounds,
    pub search: Search,
    pub detail: TraceDetail,
    pub judge: Judge,
    pub ints: Ints,
    pub environment: Environment,
    pub solver: SolverConfig,
    /// What exists before the entry and may be an input: a run finds it out, and its tasks are told.
    #[serde(default, skip_serializing_if = "Offered::is_empty")]
    pub offered: Offered,
    /// The parameters of the entry that are not null, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_null: Vec<String>,
    /// Witnesses of paths that fail are small.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub smallest: bool,
    /// What the runs on witnesses execute of the user's bytecode is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub coverage: bool,
    /// A method of the program that is true of all inputs, as `Class.method`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<String>,
    /// A method of the program that is true of what the entry leaves behind, and of its result, as `Class.method`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<String>,
    pub invariants: Option<InvariantSource>,
}

impl Default for Options {
    fn default() -> Options {
        let Config { heap, entry, bounds, search, detail, judge, ints, .. } = Config::default();
        let Config { environment, solver, offered, not_null, smallest, coverage, .. } = Config::default();
        Options {
            heap,
            entry,
            bounds,
            search,
            detail,
            judge,
            ints,
            environment,
            solver,
            offered,
            not_null,
            smallest,
            coverage,
            pre: None,
            post: None,
            invariants: None,
        }
    }
}

impl Options {
    /// The configuration of the engine, with the invariants read.
    pub fn config(&self, program: &Program) -> Result<Config, Error> {
        let invariants = match &self.invariants {
            Some(source) => Invariants::load(source, program).map(Some),
            None => Invariants::usual(program),
        };
        let invariants = invariants.map_err(Error::Invariants)?;
        let invariants = Invariants::with_contract(invariants, self.pre.as_deref(), self.post.as_deref());
        Ok(Config {
            heap: self.heap,
            entry: self.entry.clone(),
            bounds: self.bounds.clone(),
            search: self.search,
            detail: self.detail,
            judge: self.judge,
            ints: self.ints,
            environment: self.environment,
            solver: self.solver.clone(),
            offered: self.offered.clone(),
            not_null: self.not_null.clone(),
            smallest: self.smallest,
            coverage: self.coverage,
            invariants: invariants.map(Invariants::shared),
            ..Config::default()
        })
    }
}
