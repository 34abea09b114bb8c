//! Programs of one small source, explored under every heap model.

use std::path::Path;

use lazuli::Run;
use lazuli::Trace;
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_invariant::Invariants;
use lazuli_program::Program;
use lazuli_program::frontend::java::load;
use lazuli_program::library::World;

use super::{options, run};

/// A program of one source.
pub fn load_small(name: &str, source: &str, entry: &str, world: World) -> Program {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("java-invariants-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder for the source");
    let path = folder.join("Small.java");
    std::fs::write(&path, source).expect("a source");
    load(&path, &options(Some(entry), world)).unwrap_or_else(|error| panic!("{error}"))
}

/// It is explored under every heap model, with the invariants in a text.
pub fn explore_small(name: &str, program: &Program, invariants: &str) -> Vec<(HeapKind, Run)> {
    let read = if invariants.contains("resolve begin") {
        lazuli_invariant::hex::load_jbse_text(program, name, invariants.into())
    } else {
        lazuli_invariant::hex::load_text(program, name, invariants.into())
    };
    let invariants = Invariants::of_hex(read.unwrap_or_else(|error| panic!("{error}"))).shared();
    let mut runs = Vec::new();
    for heap in HeapKind::ALL {
        let invariants = Some(invariants.clone());
        let config = Config { heap, invariants, detail: TraceDetail::Full, ..Config::default() };
        runs.push((heap, run(program, &config, name)));
    }
    runs
}

pub fn small(name: &str, source: &str, entry: &str, invariants: &str, world: World) -> (Program, Vec<(HeapKind, Run)>) {
    let program = load_small(name, source, entry, world);
    let runs = explore_small(name, &program, invariants);
    (program, runs)
}

pub fn arrays() -> World {
    World { max_array: 4, max_string: 2, ..World::default() }
}

/// The values that the traces of a run return, sorted, each once.
pub fn returned(run: &Run) -> Vec<String> {
    let value = |trace: &Trace| trace.detail.as_ref()?.value.clone();
    let mut values: Vec<String> = run.traces.iter().filter_map(value).collect();
    values.sort();
    values.dedup();
    values
}
