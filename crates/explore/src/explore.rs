//! A run from its configuration to its result.

use std::time::{Duration, Instant};

use lazuli_engine::config::Config;
use lazuli_engine::executor::entry_of;
use lazuli_engine::heap::with_heap_model;
use lazuli_engine::invariant::hex::complete::{impossible, inputs_elsewhere};
use lazuli_engine::invariant::instrumented;
use lazuli_engine::limits::Control;
use lazuli_program::Program;

use crate::run::Run;
use crate::tasks;

/// Explores a program. Errors are about the entry and the literals; everything else is in the run.
pub fn explore(program: &Program, config: &Config, control: &Control) -> Result<Run, String> {
    let entry = entry_of(program, config)?;
    let impossible = impossible(program, config, entry, control);
    if let Some(roots) = impossible.inputs {
        return Err(format!("the invariants contradict themselves: no {} is valid", roots.describe(program)));
    }
    let elsewhere = config.invariants.as_ref().and_then(|invariants| {
        let names = inputs_elsewhere(program, &invariants.hex, entry);
        let names: Vec<String> = names.iter().map(|name| format!("root.{name}")).collect();
        let entry = program.method_name(entry);
        (!names.is_empty())
            .then(|| format!("what is said of {} says nothing here: no input of {entry}", names.join(", ")))
    });
    let copy = instrumented(program, config, entry)?;
    let (program, entry) = copy.as_ref().map_or((program, entry), |copy| (copy.program(program), copy.entry));
    let started = Instant::now();
    let mut run = with_heap_model!(config.heap, |make| tasks::run(program, config, entry, control, make));
    run.time = started.elapsed().max(Duration::from_micros(1));
    run.caveats.extend(elsewhere);
    for roots in &impossible.objects {
        run.caveats.push(format!("the invariants contradict themselves: no {} is valid", roots.describe(program)));
    }
    if run.counts.traces == 0 && config.invariants.is_some() && run.incomplete.is_none() {
        let within = match (config.bounds.n, config.bounds.k) {
            (None, None) => "",
            (Some(_), None) => " and that --n permits",
            (None, Some(_)) => " and that --k permits",
            (Some(_), Some(_)) => " and that --n and --k permit",
        };
        run.caveats.push(format!("the invariants exclude every input that the program looks at{within}"));
    }
    Ok(run)
}
