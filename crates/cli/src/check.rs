//! `lazuli check`: are there inputs on which the methods of a class, a jar or a project fail?
//!
//! `method` explores one method and says what that comes to, by `property` (what it must not do), `contract` (what its annotations say) and
//! `violation` (an input on which it fails), which asks `reach` (which inputs public calls can build); `pool` does so for several at a time;
//! `layout` finds the classes of a project; `cache` keeps what does not change; the others write it down.

mod cache;
pub(crate) mod contract;
mod github;
mod json;
pub(crate) mod layout;
pub(crate) mod method;
pub(crate) mod pool;
pub(crate) mod property;
pub(crate) mod reach;
mod sarif;
mod text;
mod violation;
mod xml;

use std::io::{ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use lazuli::coverage::{self, Coverage, Explored};
use lazuli::{HeapKind, Judge, Options, Target, TraceDetail};
use lazuli_program::frontend::java::is_java;

use crate::args::check::{Check, CheckFormat};
use crate::args::{Solving, common};
use crate::command;
use crate::names;
use crate::report;
use crate::style::Style;
use crate::terminal::{self, Escaping};
use crate::verdict::{CUT_OFF, Given, Question, VIOLATED};
use cache::Cache;
use method::{Asked, Checked, Verdict};

/// Exit code 1 where a method fails, 3 where it is not known whether one does.
pub fn run(args: &Check, given: &Given) -> Result<u8, String> {
    let (mut subject, limits) = (args.subject(), args.limits());
    let name = subject.program.display().to_string();
    if let Some(project) = layout::find(&subject.program, layout::local_repository().as_deref())? {
        project.warnings.iter().for_each(|warning| terminal::complain(&format!("warning: {warning}")));
        subject.program = project.classes;
        subject.add_libraries(&project.libraries)?;
    }
    if !is_java(&subject.program) {
        let known = "a .class, .jar or .java file, a directory, or the word jdk";
        return Err(format!("{}: only Java is checked: {known}", subject.program.display()));
    }
    let mut invariants = args.invariant_args();
    invariants.look_beside(&subject);
    let options = common(&subject, HeapKind::Pose, &limits, &invariants, &Solving::default())?;
    let judge = args.confirm.judge(&subject)?;
    let coverage = args.coverage.is_wanted();
    if coverage && judge == Judge::None {
        return Err("--coverage counts what witnesses execute: it needs --confirm engine or jvm".into());
    }
    let post = args.post.clone();
    let options = Options { judge, detail: TraceDetail::Full, smallest: true, coverage, post, ..options };
    // Whoever counts what is executed goes on after a violation.
    let all_violations = args.all || coverage;
    let target = Target::open(&subject.source()?).map_err(names::error)?;
    let methods = target.methods(&args.wanted).map_err(names::error)?;
    if methods.is_empty() {
        return Err(format!("there is no method with code to check in {}", subject.program.display()));
    }
    let colour = args.format == CheckFormat::Text && terminal::is_painted();
    let style = Style { show: 0, verbose: false, quiet: true, colour, width: terminal::width() };
    let mut out = Escaping::new(std::io::stdout().lock(), style.colour);
    let title = text::title(&name, methods.len(), args.timeout, judge);
    match args.format {
        CheckFormat::Text | CheckFormat::Github => write(&mut out, &title)?,
        // Whoever reads it with a program is told all the same what is executed.
        CheckFormat::Json | CheckFormat::Sarif => terminal::complain(title.trim_end()),
    }
    let said = format!("{} {} {} {}", given.bounds(), args.strict, args.null_args, all_violations);
    let question = cache::Question { said: &said, style };
    let cache = if args.no_cache { None } else { Cache::open(&target, &options, &question) };
    let known: Vec<Mutex<Option<Checked>>> = methods
        .iter()
        .map(|entry| Mutex::new(cache.as_ref().and_then(|cache| cache.find(&entry.readable()))))
        .collect();
    let is_known = |known: &Mutex<Option<Checked>>| known.lock().is_ok_and(|known| known.is_some());
    let from_before = known.iter().filter(|known| is_known(known)).count();
    let jvm = (judge == Judge::Jvm && from_before < methods.len()).then(|| target.jvm());
    let asked = Asked {
        target: &target,
        options: &options,
        question: &Question::new(given, &subject, &limits, &invariants),
        jvm: jvm.as_ref(),
        strict: args.strict,
        null_args: args.null_args,
        all: all_violations,
        style,
    };
    let control = command::control();
    let mut all: Vec<Checked> = Vec::new();
    let mut written = Ok(());
    let work = |index: usize, control: &lazuli::Control| {
        let entry = &methods[index];
        if let Some(checked) = known[index].lock().ok().and_then(|mut known| known.take()) {
            return (checked, true);
        }
        // A bug of ours in one method, which the panic has reported, is no reason to say nothing of the others.
        let checked = catch_unwind(AssertUnwindSafe(|| asked.check(entry, control)));
        let is_whole = checked.is_ok();
        (checked.unwrap_or_else(|_| Checked::unknown(entry, "a bug of Lazuli, please report it")), !is_whole)
    };
    pool::in_order(methods.len(), args.jobs(), &control, work, |index, done| {
        let (checked, is_not_kept) = done.unwrap_or_else(|| (Checked::unknown(&methods[index], "interrupted"), true));
        if let Some(cache) = cache.as_ref().filter(|_| !is_not_kept && !control.is_interrupted()) {
            cache.keep(&checked);
        }
        let text = match args.format {
            CheckFormat::Text => text::blocks(&checked, all_violations, style),
            CheckFormat::Github => github::annotations(&checked),
            CheckFormat::Json | CheckFormat::Sarif => String::new(),
        };
        if written.is_ok() {
            written = write(&mut out, &text);
        }
        all.push(checked);
    });
    written?;
    let code = code(&all);
    let counted = coverage.then(|| counted(&target, &all, &name, args)).transpose()?;
    let counted = counted.as_ref().filter(|_| args.coverage.coverage);
    let end = match args.format {
        CheckFormat::Text | CheckFormat::Github => {
            text::table(&all, from_before, all_violations || args.format == CheckFormat::Github, style)
                + &counted.map_or_else(String::new, report::coverage::text)
        }
        CheckFormat::Json => json::report(&name, judge, &all, counted, code),
        CheckFormat::Sarif => sarif::report(&all),
    };
    write(&mut out, &end)?;
    Ok(code)
}

/// What was executed of all methods together; written to a file, if that is wanted.
fn counted(target: &Target, all: &[Checked], name: &str, args: &Check) -> Result<Coverage, String> {
    let explored: Vec<Explored> = all.iter().filter_map(|checked| checked.explored.clone()).collect();
    let counted = coverage::count(target.classes(), &explored).map_err(names::error)?;
    if let Some(path) = &args.coverage.coverage_xml {
        command::write_jacoco(path, name, &counted)?;
    }
    Ok(counted)
}

fn write(out: &mut impl Write, text: &str) -> Result<(), String> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(terminal::BROKEN_PIPE.into()),
        written => written.map_err(|error| format!("cannot write the answer: {error}")),
    }
}

fn code(all: &[Checked]) -> u8 {
    let any = |wanted: fn(&Verdict) -> bool| all.iter().any(|checked| wanted(&checked.verdict));
    match () {
        _ if any(|verdict| *verdict == Verdict::Fails) => VIOLATED,
        _ if any(|verdict| !matches!(verdict, Verdict::Holds | Verdict::WithinBounds(_))) => CUT_OFF,
        _ => 0,
    }
}
