//! Bounds on paths, on inputs and on the run.

use std::time::Duration;

use clap::Args as ClapArgs;
use lazuli::{Bounds, Most};

use super::values::{Limit, parse_memory, parse_most, parse_timeout};

/// Bounds on one path, on its inputs, and on the memory: every command that explores has them.
#[derive(ClapArgs, Clone)]
pub struct BoundArgs {
    /// Decisions on one path
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    pub max_depth: usize,
    /// Instructions on one path
    #[arg(long, default_value_t = 10_000_000, value_name = "N")]
    pub max_steps: u64,
    /// Nested calls on one path
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub max_calls: usize,
    /// Length of reference chains from the inputs: deeper references are null or aliases
    #[arg(long, value_name = "N")]
    pub k: Option<u32>,
    /// Number of input objects, of all classes or of one; may be given several times
    #[arg(long, value_name = "[CLASS=]N", value_parser = parse_most)]
    pub n: Vec<Most>,
    /// Stop when the process has this much resident memory, such as 300M, 2G, or none; half of the machine's unless something is
    /// said
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub max_memory: Option<Limit<u64>>,
}

#[derive(ClapArgs)]
pub struct Limits {
    #[command(flatten)]
    pub bounds: BoundArgs,
    /// Under lazy, lazier and lazier#: a fresh input object is of its declared class exactly, as in JBSE
    #[arg(long)]
    pub exact_types: bool,
    /// Stop after this many traces
    #[arg(long, value_name = "N")]
    pub max_traces: Option<u64>,
    /// Stop after this time, such as 500ms, 30s, 5m, 2h, or none; 1h unless something is said
    #[arg(long, value_name = "TIME", value_parser = parse_timeout)]
    pub timeout: Option<Limit<Duration>>,
}

impl Limits {
    /// Those of one of several methods, each of which has its time.
    pub fn of_a_method(bounds: &BoundArgs, time: Duration) -> Limits {
        Limits { bounds: bounds.clone(), exact_types: false, max_traces: None, timeout: Some(Limit(Some(time))) }
    }

    pub fn bounds(&self) -> Bounds {
        let usual = Bounds::default();
        Bounds {
            depth: self.bounds.max_depth,
            steps: self.bounds.max_steps,
            calls: self.bounds.max_calls,
            k: self.bounds.k,
            n: self.bounds.n.clone(),
            exact_types: self.exact_types,
            traces: self.max_traces,
            time: self.timeout.map_or(usual.time, |limit| limit.0),
            memory: self.bounds.max_memory.map_or(usual.memory, |limit| limit.0),
        }
    }
}
