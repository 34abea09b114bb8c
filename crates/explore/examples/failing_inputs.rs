//! Lists the inputs that make a method fail: `cargo run -p lazuli --example failing_inputs -- PROGRAM [CLASS.METHOD]`.

use lazuli::{Control, Event, Options, Outcome, Source, explore_with};

fn main() -> Result<(), lazuli::Error> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "programs/pose/alias.pose".into());
    let entry = args.next();
    let source = Source { entry: entry.clone(), ..Source::new(path) };
    let program = source.load()?;
    // Java's entry belongs to the source: it says which classes are read.
    let options = Options { entry: entry.filter(|_| !source.is_java()), ..Options::default() };
    let config = options.config(&program)?;
    let run = explore_with(&program, &config, &Control::default(), None, &mut |event| {
        let Event::Trace(trace) = event else { return };
        if !matches!(trace.outcome, Outcome::AssertFailed | Outcome::Threw(_)) {
            return;
        }
        println!("{} ({})", trace.outcome, trace.id());
        let witness = trace.detail.and_then(|facts| facts.witness);
        for line in witness.iter().flat_map(|witness| witness.show(&program)) {
            println!("  {line}");
        }
    })?;
    println!("{} of {} traces fail", run.counts.assert_failed + run.counts.threw, run.counts.traces);
    Ok(())
}
