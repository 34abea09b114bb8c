//! `lazuli test`: JUnit tests of what methods do, one for each of their behaviours.
//!
//! `method` explores one method; `behaviour` chooses what is worth a test, `name` says what it is called, `effect` in it what comes of the call, `draft` writes its code (inputs by
//! [`crate::code`]; `change` says what became of them), `source` puts a class together, `trial` compiles and runs it, and `report` says
//! what was written. A test that does not pass is never written.

mod behaviour;
mod change;
mod draft;
mod effect;
mod method;
mod name;
mod report;
mod source;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lazuli::{Control, Executed, HeapKind, Judge, Options, Target, TraceDetail};
use lazuli_program::escape;
use lazuli_program::frontend::java::is_java;

use crate::args::test::Test as Args;
use crate::args::{Solving, common};
use crate::check::{layout, pool};
use crate::code::{HELPER, Names, Tier};
use crate::names::{self, plural};
use crate::verdict::{Given, Question};
use crate::{command, terminal};
use method::{Asked, Tested};
use name::Parts;
use report::Known;
use source::Class;
use trial::Trial;

/// What is said where the user has had enough.
const INTERRUPTED: &str = "interrupted: nothing was written";

/// One way to write a test.
pub struct Attempt {
    pub tier: Tier,
    /// The classes that it imports.
    pub imports: Vec<String>,
    /// The methods of JUnit that it calls.
    pub asserts: BTreeSet<&'static str>,
    pub body: Vec<String>,
    /// What it is declared to throw.
    pub throws: Option<&'static str>,
    /// What the method executes in it.
    pub executed: Executed,
    /// Why the input need not be one that the method meets, if it fails on it.
    pub doubt: Option<String>,
}

/// A test of a behaviour.
pub struct Test {
    /// The method under test.
    pub method: String,
    pub name: String,
    parts: Parts,
    /// What holds of the input, in lines.
    pub comment: Vec<String>,
    /// The failure that it shows, if it shows one.
    pub shows: Option<String>,
    /// The same with its place, as a part of a sentence.
    pub fails: Option<String>,
    /// The ways to write it that were not given up, the next one last.
    attempts: Vec<Attempt>,
    /// Warnings that nobody who calls the method can avoid.
    pub suppressed: BTreeSet<String>,
    /// Why the last way was given up.
    pub why: String,
}

impl Test {
    /// The way that it is written now.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// Why the failure that it shows need not be one, if so.
    pub fn doubt(&self) -> Option<&str> {
        let attempt = self.attempt().filter(|_| self.shows.is_some())?;
        match attempt.tier {
            Tier::Reflection => Some("by reflection only"),
            _ => attempt.doubt.as_deref(),
        }
    }

    /// It does not pass as it is written now.
    pub fn give_up(&mut self, why: &str) {
        self.attempts.pop();
        self.suppressed.clear();
        self.why = why.into();
    }

    pub fn give_up_all(&mut self, why: &str) {
        self.attempts.clear();
        self.why = why.into();
    }
}

/// Exit code 1 where a test shows a failure, 3 where a behaviour has no test.
pub fn run(args: &Args, given: &Given) -> Result<u8, String> {
    let (mut subject, limits) = (args.subject(), args.limits());
    let (name, mut out) = (subject.program.display().to_string(), args.out.clone());
    if let Some(project) = layout::find(&subject.program, layout::local_repository().as_deref())? {
        project.warnings.iter().for_each(|warning| terminal::complain(&format!("warning: {warning}")));
        out.get_or_insert_with(|| subject.program.join("src/test/java"));
        subject.program = project.classes;
        subject.add_libraries(&project.libraries)?;
    }
    if !is_java(&subject.program) || subject.program == Path::new("jdk") {
        let known = "a .class, .jar or .java file, or a directory";
        return Err(format!("{}: tests are written of programs in Java: {known}", subject.program.display()));
    }
    let out = out.ok_or("--out DIR is needed: where the sources of tests are")?;
    if !args.suffix.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || args.suffix.is_empty() {
        return Err(format!("--suffix {}: the end of a class's name is wanted", args.suffix));
    }
    let mut invariants = args.invariant_args();
    invariants.look_beside(&subject);
    let options = common(&subject, HeapKind::Pose, &limits, &invariants, &Solving::default())?;
    // The tests themselves are put to the JVM.
    let options = Options { judge: Judge::Engine, detail: TraceDetail::Full, smallest: true, ..options };
    let target = Target::open(&subject.source()?).map_err(names::error)?;
    let methods = target.methods(&args.wanted).map_err(names::error)?;
    if methods.is_empty() {
        return Err(format!("there is no method with code to test in {}", subject.program.display()));
    }
    let word = plural(methods.len() as u64, "method");
    println!(
        "testing {} {word} of {}, each up to {:?}; tests are tried before they are written, which EXECUTES THE CODE",
        methods.len(),
        escape::line(&name),
        args.timeout
    );
    let asked = Asked {
        target: &target,
        options: &options,
        question: &Question::new(given, &subject, &limits, &invariants),
        junit: args.junit,
        strict: args.strict,
        null_args: args.null_args,
        failing_only: args.failing_only,
    };
    let control = command::control();
    let mut all: Vec<Tested> = Vec::new();
    let work = |index: usize, control: &Control| {
        let entry = &methods[index];
        // A bug of ours in one method, which the panic has reported, is no reason to write no tests of the others.
        catch_unwind(AssertUnwindSafe(|| asked.test(entry, control))).unwrap_or_else(|_| Tested {
            method: entry.readable(),
            class: entry.receiver.name.to_string(),
            tests: Vec::new(),
            cut: Some("a bug of Lazuli, please report it".into()),
            explored: None,
        })
    };
    pool::in_order(methods.len(), args.jobs(), &control, work, |_, tested| {
        all.extend(tested);
        terminal::tally(all.len(), methods.len(), "methods explored");
    });
    if control.is_interrupted() {
        return Err(INTERRUPTED.into());
    }
    let known: Vec<Known> = all.iter().map(Known::of).collect();
    let mut classes = classes(&target, all, &args.suffix);
    refuse_existing(&classes, &out, args)?;
    Trial::new(&target, &control)?.settle(&mut classes, args.junit)?;
    write(&classes, &out, args)?;
    let counted = report::counted(&target, &classes, &known)?;
    if let Some(path) = &args.coverage.coverage_xml {
        command::write_jacoco(path, &name, &counted)?;
    }
    Ok(report::print(&classes, &known, &counted, &out, args.coverage.coverage))
}

/// The classes of tests, one for each class under test, in the order of the methods.
fn classes(target: &Target, all: Vec<Tested>, suffix: &str) -> Vec<Class> {
    let mut order = Vec::new();
    let mut by_class: BTreeMap<String, Vec<Test>> = BTreeMap::new();
    for tested in all {
        if !order.contains(&tested.class) {
            order.push(tested.class.clone());
        }
        by_class.entry(tested.class).or_default().extend(tested.tests);
    }
    let mut classes = Vec::new();
    for internal in order {
        let mut tests = by_class.remove(&internal).unwrap_or_default();
        method::named(&mut tests);
        let package = internal.rsplit_once('/').map_or("", |(package, _)| package);
        let mut names = Names::new(target.classes(), package);
        let name = format!("{}{suffix}", names.joined(&internal));
        classes.push(Class { package: package.replace('/', "."), name, of: names.class(&internal), tests });
    }
    classes
}

/// Nothing is overwritten unless it is asked for.
fn refuse_existing(classes: &[Class], out: &Path, args: &Args) -> Result<(), String> {
    let paths = classes.iter().filter(|class| !class.is_empty()).map(|class| out.join(class.path()));
    let existing: Vec<PathBuf> = paths.filter(|path| path.exists()).collect();
    match existing.first() {
        Some(path) if !args.force => Err(format!(
            "{} exists: --force overwrites it, --suffix WORD names the classes otherwise, --out DIR puts them elsewhere",
            path.display()
        )),
        _ => Ok(()),
    }
}

fn write(classes: &[Class], out: &Path, args: &Args) -> Result<(), String> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for class in classes.iter().filter(|class| !class.is_empty()) {
        files.push((out.join(class.path()), class.source(args.junit).text));
    }
    for package in trial::helpers(classes) {
        files.push((out.join(source::in_package(&package, HELPER)), source::helper(&package)));
    }
    for (path, text) in files {
        let cannot = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(out))
            .and_then(|()| std::fs::write(&path, text))
            .map_err(cannot)?;
    }
    Ok(())
}
