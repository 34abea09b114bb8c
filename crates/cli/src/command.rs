//! The commands, each from its arguments to an exit code.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use lazuli::Control;
use lazuli_engine::config::{Config, Search, TraceDetail};
use lazuli_engine::exact::{self, Extent};
use lazuli_program::Program;
use lazuli_program::frontend::java;

use crate::args::{Compare, Explore, Format, Ir, Replay, Subject};
use crate::progress::Progress;
use crate::report;

/// Reads a program, with its warnings on standard error.
pub fn load(subject: &Subject) -> Result<Program, String> {
    let path = &subject.program;
    if java::is_java(path) {
        return java::load(path, &subject.java_options()?).map_err(|e| e.to_string());
    }
    load_tiny(path)
}

/// Likewise, where nothing is executed: Java needs no entry then.
pub fn load_classes(subject: &Subject) -> Result<Program, String> {
    let path = &subject.program;
    match java::is_java(path) {
        true => java::load_classes(path, &subject.java_options()?).map_err(|e| e.to_string()),
        false => load_tiny(path),
    }
}

/// Reads a program in one of the tiny languages.
pub fn load_tiny(path: &Path) -> Result<Program, String> {
    let program = lazuli_program::load(path).map_err(|e| e.to_string())?;
    for warning in &program.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(program)
}

/// What the run looks at that is under way.
static RUN: OnceLock<Arc<Control>> = OnceLock::new();

/// Ctrl-C ends a run with what it has found; a second one, or one before there is a run, ends the process.
pub fn heed_interruptions() {
    let set = ctrlc::set_handler(|| {
        if RUN.get().is_none_or(|run| run.interrupted.swap(true, Ordering::Relaxed)) {
            java::exit_after_compilations(130);
        }
    });
    if let Err(error) = set {
        eprintln!("warning: Ctrl-C will end the process at once ({error})");
    }
}

/// For a run that begins now.
pub fn control() -> Arc<Control> {
    RUN.get_or_init(Arc::default).clone()
}

pub fn explore(args: &Explore) -> Result<u8, String> {
    let mut config = args.config()?;
    let program = load(&args.subject)?;
    config.invariants = args.invariants.load(&program, &config.bounds)?;
    let control = control();
    let progress = Progress::start(control.clone());
    let run = lazuli::explore(&program, &config, &control);
    progress.stop();
    let run = run?;
    match args.format {
        Format::Text => print!("{}{}", run.steps_trace.as_deref().unwrap_or(""), report::text::run(&program, &run)),
        Format::Json => println!("{}", report::json::run(&program, &run)),
    }
    Ok(run.exit_code())
}

pub fn compare(args: &Compare) -> Result<u8, String> {
    if args.exact {
        return compare_exactly(args);
    }
    let solver = args.solving.config(&args.subject)?;
    let program = load(&args.subject)?;
    let invariants = args.invariants.load(&program, &args.limits.bounds())?;
    let control = control();
    let mut runs = Vec::new();
    for &heap in &args.heaps {
        let config = Config {
            heap,
            entry: args.subject.tiny_entry(),
            bounds: args.limits.bounds(),
            search: Search::Depth,
            jobs: args.jobs as usize,
            detail: TraceDetail::None,
            ints: args.solving.ints,
            solver: solver.clone(),
            invariants: invariants.clone(),
            ..Config::default()
        };
        let progress = Progress::start(control.clone());
        let run = lazuli::explore(&program, &config, &control);
        progress.stop();
        runs.push(run?);
    }
    print!("{}", report::text::comparison(&runs));
    Ok(runs.iter().map(|r| r.exit_code()).fold(0, |a, b| if a == 1 || b == 1 { 1 } else { a.max(b) }))
}

/// Exit code 1 where the models differ from each other or from the program.
fn compare_exactly(args: &Compare) -> Result<u8, String> {
    let program = load(&args.subject)?;
    if program.semantics.loads_classes() {
        return Err("--exact enumerates heaps of the tiny languages, not of Java".into());
    }
    let config = Config {
        entry: args.subject.tiny_entry(),
        bounds: args.limits.bounds(),
        ints: args.solving.ints,
        solver: args.solving.config(&args.subject)?,
        invariants: args.invariants.load(&program, &args.limits.bounds())?,
        ..Config::default()
    };
    let control = control();
    let progress = Progress::start(control.clone());
    let extent = Extent { objects: args.objects, heaps: args.max_heaps.max(1) };
    let comparison = exact::check(&program, &config, &args.heaps, extent, &control);
    progress.stop();
    let comparison = comparison?;
    print!("{}", report::text::exactness(&program, &comparison));
    Ok(match (&comparison.difference, &comparison.unfinished) {
        (Some(_), _) => 1,
        (None, Some(_)) => 3,
        (None, None) => 0,
    })
}

pub fn replay(args: &Replay) -> Result<u8, String> {
    let program = load(&args.subject)?;
    let config = Config {
        heap: args.heap,
        entry: args.subject.tiny_entry(),
        bounds: args.limits.bounds(),
        ints: args.solving.ints,
        solver: args.solving.config(&args.subject)?,
        invariants: args.invariants.load(&program, &args.limits.bounds())?,
        ..Config::default()
    };
    let replayed = lazuli::replay::replay(&program, &config, &args.trace)?;
    print!("{}", report::text::replayed(&program, &replayed));
    Ok(0)
}

pub fn ir(args: &Ir) -> Result<u8, String> {
    let program = load(&args.subject)?;
    print!("{}", lazuli_program::text::show(&program));
    Ok(0)
}
