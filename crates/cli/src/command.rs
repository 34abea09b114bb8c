//! The commands, each from its arguments to an exit code.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use lazuli::coverage::{self, Coverage, Explored};
use lazuli::{Checkpoint, Config, Control, Event, HeapKind, Identity, Options, Run, Source};
use lazuli_lab::exact::{self, Extent};
use lazuli_program::Program;
use lazuli_program::frontend::java;

use crate::args::{Compare, Explore, Ir, Replay, ReplayFormat, Subject};
use crate::progress::{Allowed, Progress};
use crate::verdict::{Given, Question, VIOLATED, Verdict};
use crate::{names, report, terminal};

/// Reads a program, with its warnings on standard error.
pub fn load(source: &Source) -> Result<Program, String> {
    warned(source.load())
}

/// Reads a program of which nothing is executed: Java needs no entry then.
pub fn load_classes(subject: &Subject) -> Result<Program, String> {
    warned(subject.source()?.load_classes())
}

/// Reads a program in one of the tiny languages.
pub fn load_tiny(path: &Path) -> Result<Program, String> {
    load(&Source::new(path))
}

fn warned(program: Result<Program, lazuli::Error>) -> Result<Program, String> {
    let program = program.map_err(names::error)?;
    for warning in &program.warnings {
        terminal::complain(&format!("warning: {warning}"));
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

pub fn explore(args: &Explore, given: &Given) -> Result<u8, String> {
    let (source, options) = (args.subject.source()?, args.options()?);
    let program = load(&source)?;
    let mut config = timed_config(&options, &program)?;
    (config.jobs, config.steps_trace) = (args.jobs as usize, args.steps_trace);
    let checkpoint = checkpoint(args, &source, &program, &options)?;
    let control = control();
    let allowed = Allowed { time: config.bounds.time, jobs: config.jobs, quiet: args.quiet };
    let progress = Progress::start(control.clone(), allowed);
    let mut report = report::Report::new(args.format, &program, &source, args.style());
    let mut violated = false;
    let run = lazuli::explore_with(&program, &config, &control, checkpoint.as_ref(), &mut |event| {
        violated |= matches!(&event, Event::Trace(trace) if trace.is_violation() && !trace.is_refuted());
        if !report.tell(event) {
            // Nobody reads on: there is nothing left to be found.
            control.interrupted.store(true, Ordering::Relaxed);
        }
    });
    progress.stop();
    let question = Question::new(given, &args.subject, &args.limits, &args.invariants);
    let ended = run.map_err(names::error).and_then(|run| {
        let verdict = question.verdict(&run);
        let coverage = args.coverage.is_wanted().then(|| coverage(args, &program, &run, &verdict)).transpose()?;
        report.end(&run, &verdict, coverage.as_ref().filter(|_| args.coverage.coverage))
    });
    match ended {
        // Whatever went wrong afterwards, a violation was found.
        Err(message) if violated => {
            eprintln!("error: {message}");
            Ok(VIOLATED)
        }
        ended => ended,
    }
}

/// The configuration of a run. Finding out what is known of the inputs of a large program takes a while, which is a part of the run's time.
fn timed_config(options: &Options, program: &Program) -> Result<Config, String> {
    let started = Instant::now();
    let mut config = options.config(program).map_err(names::error)?;
    config.bounds.time = config.bounds.time.map(|time| time.saturating_sub(started.elapsed()));
    Ok(config)
}

/// What the witnesses of a run have executed; written to a file, if that is wanted.
fn coverage(args: &Explore, program: &Program, run: &Run, verdict: &Verdict) -> Result<Coverage, String> {
    let library = program.library.as_deref().ok_or("only of Java it is known what is executed")?;
    let explored = Explored::new(program, run.executed.clone(), verdict.limit_texts(), verdict.within());
    let coverage = coverage::count(&library.path, explored.as_slice()).map_err(names::error)?;
    if let Some(path) = &args.coverage.coverage_xml {
        write_jacoco(path, &run.program, &coverage)?;
    }
    Ok(coverage)
}

/// Writes coverage to a file in the form of JaCoCo.
pub fn write_jacoco(path: &Path, name: &str, coverage: &Coverage) -> Result<(), String> {
    let text = report::jacoco::report(name, coverage);
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The file that the run is saved in, with what it has already.
fn checkpoint(
    args: &Explore,
    source: &Source,
    program: &Program,
    options: &Options,
) -> Result<Option<Checkpoint>, String> {
    let Some(path) = args.checkpoint.as_ref().or(args.resume.as_ref()) else { return Ok(None) };
    let identity = Identity::of(source, program, options).map_err(|e| format!("cannot read the program again: {e}"))?;
    let checkpoint = match args.resume {
        Some(_) => Checkpoint::resume(path, &identity),
        None => Checkpoint::create(path, &identity),
    };
    checkpoint.map(Some).map_err(names::error)
}

pub fn compare(args: &Compare, given: &Given) -> Result<u8, String> {
    if args.exact {
        return compare_exactly(args);
    }
    let first = args.options(HeapKind::Pose)?;
    let program = load(&args.subject.source()?)?;
    let first = timed_config(&first, &program)?;
    let control = control();
    let mut runs = Vec::new();
    for &heap in &args.heaps {
        let config = Config { heap, jobs: args.jobs as usize, ..first.clone() };
        let allowed = Allowed { time: config.bounds.time, jobs: config.jobs, quiet: false };
        let progress = Progress::start(control.clone(), allowed);
        let run = lazuli::explore_with(&program, &config, &control, None, &mut |_| {});
        progress.stop();
        runs.push(run.map_err(names::error)?);
    }
    let question = Question::new(given, &args.subject, &args.limits, &args.invariants);
    terminal::print(&report::text::comparison(&runs, &question));
    let codes = runs.iter().map(|run| question.verdict(run).code);
    Ok(codes.fold(0, |a, b| if a == 1 || b == 1 { 1 } else { a.max(b) }))
}

/// Exit code 1 where the models differ from each other or from the program.
fn compare_exactly(args: &Compare) -> Result<u8, String> {
    let program = load(&args.subject.source()?)?;
    let config = args.options(HeapKind::Pose)?.config(&program).map_err(names::error)?;
    let control = control();
    let progress = Progress::start(control.clone(), Allowed { jobs: 1, ..Allowed::default() });
    let extent = Extent { objects: args.objects, heaps: args.max_heaps.max(1) };
    let comparison = exact::check(&program, &config, &args.heaps, extent, &control);
    progress.stop();
    let comparison = comparison?;
    terminal::print(&report::text::exactness(&program, &comparison));
    Ok(match (&comparison.difference, &comparison.unfinished) {
        (Some(_), _) => 1,
        (None, Some(_)) => 3,
        (None, None) => 0,
    })
}

pub fn replay(args: &Replay) -> Result<u8, String> {
    let source = args.subject.source()?;
    let program = load(&source)?;
    let config = args.options()?.config(&program).map_err(names::error)?;
    let replayed = lazuli::replay::replay(&program, &config, &args.trace).map_err(names::error)?;
    match args.format {
        ReplayFormat::Text if program.semantics.tells_branches() => {
            terminal::print(&report::behaviours::replayed(&program, &source, &replayed));
        }
        ReplayFormat::Text => terminal::print(&report::text::replayed(&program, &replayed)),
        ReplayFormat::Json => terminal::print(&report::json::replayed(&program, &replayed)),
    }
    Ok(0)
}

pub fn ir(args: &Ir) -> Result<u8, String> {
    let program = load(&args.subject.source()?)?;
    terminal::print(&lazuli_program::text::show(&program));
    Ok(0)
}
