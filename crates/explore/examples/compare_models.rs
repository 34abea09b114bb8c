//! Explores a program under two heap models and compares what they cost: `cargo run -p lazuli --example compare_models -- PROGRAM`.

use lazuli::{Config, Control, HeapKind, Source, TraceDetail, explore};

fn main() -> Result<(), lazuli::Error> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "programs/pose/swap.pose".into());
    let program = Source::new(path).load()?;
    println!("{:12}{:>10}{:>10}{:>10}", "heap", "traces", "queries", "steps");
    for heap in [HeapKind::Lazy, HeapKind::Pose] {
        let config = Config { heap, detail: TraceDetail::None, ..Config::default() };
        let run = explore(&program, &config, &Control::default())?;
        let counts = run.counts;
        println!("{:12}{:>10}{:>10}{:>10}", heap.name(), counts.traces, counts.queries, counts.steps);
        if let Some(bound) = run.incomplete {
            println!("  incomplete: {bound}");
        }
    }
    Ok(())
}
