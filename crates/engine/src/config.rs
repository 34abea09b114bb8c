//! What a run is asked to do.

use std::sync::Arc;
use std::time::Duration;

use lazuli_logic::SolverConfig;
use serde::{Deserialize, Serialize};

use crate::context::Setup;
use crate::existing::Offered;
use crate::invariant::Invariant;
pub use crate::models::HeapKind;
pub use crate::quota::Most;

/// The integers of the tiny languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ints {
    Unbounded,
    /// Two's complement with wrap-around.
    Bits(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    Depth,
    Breadth,
    /// With a seed: the same seed gives the same order.
    Random(u64),
}

/// What is made of each trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceDetail {
    /// Condition, value and witness.
    Full,
    /// Decisions and outcome.
    Brief,
    /// It is counted. Violations have their decisions and outcome all the same.
    None,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Decisions on one path.
    pub depth: usize,
    /// Instructions on one path.
    pub steps: u64,
    /// Frames on the stack.
    pub calls: usize,
    /// Length of reference chains from the roots.
    pub k: Option<u32>,
    /// Numbers of input objects; all of these bounds hold.
    pub n: Vec<Most>,
    /// The lazy models: a fresh input object is of its declared class exactly, as in JBSE; otherwise of any subclass.
    pub exact_types: bool,
    pub traces: Option<u64>,
    pub time: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<u64>,
}

impl Bounds {
    /// The time of a run where nobody says how long.
    pub const TIME: Duration = Duration::from_secs(3_600);
}

/// The bounds on the run protect the machine: an hour, and half of the memory.
impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            depth: 1_000,
            steps: 10_000_000,
            calls: 10_000,
            k: None,
            n: Vec::new(),
            exact_types: false,
            traces: None,
            time: Some(Bounds::TIME),
            memory: physical_memory().map(|all| all / 2),
        }
    }
}

/// What is taken for granted of the machine that the program runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Environment {
    pub identity_hash: IdentityHash,
    pub varying: Varying,
}

/// What `Object.hashCode` gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentityHash {
    /// The number of the question on its path: one choice of many.
    #[default]
    Numbered,
    /// Any number.
    Unknown,
}

/// What becomes of values that differ from run to run: the time, random seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Varying {
    /// A path that depends on one stops.
    #[default]
    Stops,
    /// They are inputs.
    Unknown,
}

/// Who is asked whether a witness does what its trace says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// A real JVM: it executes the code under analysis.
    Jvm,
    /// The engine itself, on constants.
    #[default]
    Engine,
    /// Nobody.
    None,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub heap: HeapKind,
    /// `Class.method`, or `main`; by default the main expression.
    pub entry: Option<String>,
    pub bounds: Bounds,
    pub search: Search,
    pub jobs: usize,
    pub detail: TraceDetail,
    pub judge: Judge,
    pub ints: Ints,
    pub environment: Environment,
    pub solver: SolverConfig,
    /// Write down every configuration of the machine; of small runs only.
    pub steps_trace: bool,
    /// What exists before the entry and may be an input. A run finds out by itself what matters.
    pub offered: Offered,
    /// The parameters of the entry that are not null, by name.
    pub not_null: Vec<String>,
    /// Witnesses of paths that fail (throw, violate an assertion, do not end) are small.
    pub smallest: bool,
    /// What the runs on witnesses execute of the user's bytecode is kept.
    pub coverage: bool,
    /// Which inputs are valid data structures; all, without.
    pub invariants: Option<Arc<dyn Invariant>>,
}

impl Config {
    /// What a context depends on.
    pub fn setup(&self) -> Setup<'_> {
        let bits = match self.ints {
            Ints::Unbounded => None,
            Ints::Bits(width) => Some(width),
        };
        let Bounds { k, ref n, .. } = self.bounds;
        let exact_types = self.bounds.exact_types && self.heap.resolves_inputs();
        Setup { bits, exact_types, k, n }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            heap: HeapKind::Pose,
            entry: None,
            bounds: Bounds::default(),
            search: Search::Depth,
            jobs: 1,
            detail: TraceDetail::Full,
            judge: Judge::default(),
            ints: Ints::Unbounded,
            environment: Environment::default(),
            solver: SolverConfig::default(),
            steps_trace: false,
            offered: Offered::default(),
            not_null: Vec::new(),
            smallest: false,
            coverage: false,
            invariants: None,
        }
    }
}

/// The machine's memory in bytes, or what the process's control group may have of it; `None` where the system does not say.
fn physical_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let group = group.iter().find_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok());
    Some((kilobytes << 10).min(group.unwrap_or(u64::MAX)))
}
