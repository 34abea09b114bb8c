//! The trial of tests before anybody sees them: compiled by the JDK's own compiler without a warning, and run, twice, in machines that differ in what
//! a test must not depend on. What does not pass is given up, for the next way to write it, if there is one.
//!
//! JUnit need not be there: the few classes of it that tests are written with come along. They say the same, and nothing of them is written.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use lazuli::{Control, Target};
use lazuli_program::bytecode::{Jdk, Scratch, expand};

use super::INTERRUPTED;
use super::source::{Class, helper, in_package};
use crate::args::test::JUnit;
use crate::code::HELPER;

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../../java/", $name)))
    };
}

/// What runs tests, and what they are written with.
const SOURCES: [(&str, &str); 9] = [
    source!("lazuli/suite/Trial.java"),
    source!("org/junit/Assert.java"),
    source!("org/junit/Assume.java"),
    source!("org/junit/Test.java"),
    source!("org/junit/function/ThrowingRunnable.java"),
    source!("org/junit/jupiter/api/Assertions.java"),
    source!("org/junit/jupiter/api/Assumptions.java"),
    source!("org/junit/jupiter/api/Test.java"),
    source!("org/junit/jupiter/api/function/Executable.java"),
];

/// For each source the number of its class, and the first line of each of its tests.
type Lines = HashMap<String, (usize, Vec<(usize, usize)>)>;

/// More often nothing is compiled: what does not pass then is given up for good.
const MAX_ROUNDS: usize = 12;
/// The seconds that a test may take.
const PATIENCE: &str = "10";
/// Assertions are enabled, as builds have it.
const OPTIONS: [&str; 5] = ["-ea", "-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"];

/// Two machines: tests run forwards in the one and backwards in the other.
const MACHINES: [(&str, [&str; 3]); 2] = [
    ("forwards", ["-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC"]),
    ("backwards", ["-Duser.language=tr", "-Duser.country=TR", "-Duser.timezone=Asia/Tokyo"]),
];

/// How often somebody looks whether a process has ended, or the user has had enough.
const LOOK: Duration = Duration::from_millis(10);

pub struct Trial<'a> {
    scratch: Scratch,
    jdk: Jdk,
    class_path: OsString,
    control: &'a Control,
}

/// Why a process has said nothing.
enum NotRun {
    Failed(std::io::Error),
    Interrupted,
}

impl NotRun {
    fn of(self, program: &str) -> String {
        match self {
            NotRun::Failed(error) => format!("cannot run {program}: {error}"),
            NotRun::Interrupted => INTERRUPTED.into(),
        }
    }
}

impl<'a> Trial<'a> {
    /// Brings the classes under test to where a compiler finds them, also those that were compiled from sources.
    pub fn new(target: &Target, control: &'a Control) -> Result<Trial<'a>, String> {
        let text = |error: lazuli::LoadError| error.to_string();
        let (scratch, jdk) = (Scratch::new().map_err(text)?, Jdk::locate().map_err(text)?);
        let classes = scratch.path().join("classes");
        for name in target.classes().user_classes() {
            if let Some(bytes) = target.classes().user_class(name).map_err(text)? {
                write(&classes.join(format!("{name}.class")), &bytes)?;
            }
        }
        let mut entries = vec![scratch.path().join("tests"), classes];
        let source = target.source();
        let given: Vec<PathBuf> =
            std::iter::once(source.path.clone()).chain(source.class_path.iter().cloned()).collect();
        // What is no class is found where it was.
        for path in expand(given.iter()).map_err(text)? {
            let is_source = path.extension().is_some_and(|extension| extension == "java" || extension == "class");
            entries.extend((!is_source).then(|| std::path::absolute(&path).unwrap_or(path)));
        }
        let class_path = std::env::join_paths(entries).map_err(|error| error.to_string())?;
        Ok(Trial { scratch, jdk, class_path, control })
    }

    /// Tries all tests until those that are left pass.
    pub fn settle(&self, classes: &mut [Class], junit: JUnit) -> Result<(), String> {
        for _ in 0..MAX_ROUNDS {
            classes.iter_mut().for_each(Class::settle_imports);
            if classes.iter().all(Class::is_empty) || self.round(classes, junit)? {
                return Ok(());
            }
        }
        // What passed in the last round may stay only if it passes without the others.
        for class in classes.iter_mut() {
            class.tests.iter_mut().for_each(|test| test.give_up_all("no way to write it passes"));
        }
        Err("the tests do not come to an end: please report it".into())
    }

    /// Whether all tests pass; those that do not are given up.
    fn round(&self, classes: &mut [Class], junit: JUnit) -> Result<bool, String> {
        let (sources, out) = (self.scratch.path().join("sources"), self.scratch.path().join("tests"));
        // There is nothing in the first round.
        let _ = (std::fs::remove_dir_all(&sources), std::fs::remove_dir_all(&out));
        let mut files = Vec::new();
        let mut lines = Lines::new();
        for (number, class) in classes.iter().enumerate().filter(|(_, class)| !class.is_empty()) {
            let source = class.source(junit);
            let path = sources.join(class.path());
            write(&path, source.text.as_bytes())?;
            lines.insert(path.display().to_string(), (number, source.begins));
            files.push(path);
        }
        for package in helpers(classes) {
            let path = sources.join(in_package(&package, HELPER));
            write(&path, helper(&package).as_bytes())?;
            files.push(path);
        }
        let said = self.compile(&files, &sources, &out)?;
        let complaints = complaints(&said, &lines);
        if !complaints.is_empty() {
            for ((class, test), complaint) in complaints {
                complaint.heed(&mut classes[class].tests[test]);
            }
            return Ok(false);
        }
        if said.contains(": error: ") || said.contains("error: ") {
            return Err(format!("the tests cannot be compiled:\n{said}"));
        }
        let mut all_pass = true;
        for machine in MACHINES {
            all_pass &= self.run(classes, machine)?;
        }
        Ok(all_pass)
    }

    /// What the compiler says.
    fn compile(&self, files: &[PathBuf], sources: &Path, out: &Path) -> Result<String, String> {
        let nothing = self.scratch.path().join("nothing");
        for directory in [out, &nothing] {
            std::fs::create_dir_all(directory)
                .map_err(|error| format!("cannot write {}: {error}", directory.display()))?;
        }
        let mut command = Command::new(self.jdk.javac().map_err(|error| error.to_string())?);
        command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", "-J-Duser.language=en"]);
        // What a class path has is none of the tests' business.
        command.args(["-Xlint:all,-path,-classfile,-options", "-Xmaxwarns", "10000", "-Xmaxerrs", "10000"]);
        command.args(["-encoding", "US-ASCII", "-proc:none", "-processorpath"]).arg(&nothing);
        command.env_remove("JDK_JAVAC_OPTIONS").env_remove("CLASSPATH");
        command.arg("-cp").arg(&self.class_path).arg("-d").arg(out);
        for (name, text) in SOURCES {
            let path = sources.join("with").join(name);
            write(&path, text.as_bytes())?;
            command.arg(path);
        }
        self.said_by(command.args(files), true).map_err(|why| why.of("javac"))
    }

    /// What a process says until it ends, also about errors if that is wanted. It is killed when the user has had enough.
    fn said_by(&self, command: &mut Command, errors: bool) -> Result<String, NotRun> {
        let path = self.scratch.path().join("said");
        let said = File::create(&path).map_err(NotRun::Failed)?;
        let errors = if errors { said.try_clone().map_err(NotRun::Failed)?.into() } else { Stdio::null() };
        let child = command.stdin(Stdio::null()).stdout(said).stderr(errors).spawn();
        let mut child = child.map_err(NotRun::Failed)?;
        while child.try_wait().map_err(NotRun::Failed)?.is_none() {
            if self.control.is_interrupted() {
                let _ = (child.kill(), child.wait());
                return Err(NotRun::Interrupted);
            }
            std::thread::sleep(LOOK);
        }
        let said = std::fs::read(&path).map_err(NotRun::Failed)?;
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    /// Whether all tests pass in a machine. One that ends its machine takes those behind it along: they are tried again without it.
    fn run(&self, classes: &mut [Class], (order, settings): (&str, [&str; 3])) -> Result<bool, String> {
        let directory = self.scratch.path().join("empty");
        std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
        let mut command = Command::new(self.jdk.home.join("bin/java"));
        command.env_clear().current_dir(&directory).args(OPTIONS).args(settings);
        command.arg("-cp").arg(&self.class_path).args(["lazuli.suite.Trial", order, PATIENCE]);
        command.args(classes.iter().filter(|class| !class.is_empty()).map(Class::qualified));
        let said = self.said_by(&mut command, false).map_err(|why| why.of("java"))?;
        let mut passed: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut failed: BTreeMap<(&str, &str), &str> = BTreeMap::new();
        for line in said.lines() {
            match line.splitn(4, '\t').collect::<Vec<_>>().as_slice() {
                ["ok", class, test] => _ = passed.insert((class, test)),
                ["failed", class, test, why] => _ = failed.insert((class, test), why),
                _ => {}
            }
        }
        let mut all_pass = true;
        let mut is_ended = false;
        let mut ordered: Vec<(String, String, usize, usize)> = Vec::new();
        for (number, class) in classes.iter().enumerate() {
            let tests = class.tests.iter().enumerate().filter(|(_, test)| test.attempt().is_some());
            ordered.extend(tests.map(|(at, test)| (class.qualified(), test.name.clone(), number, at)));
        }
        ordered.sort();
        if order == "backwards" {
            ordered.reverse();
        }
        for (class, test, number, at) in &ordered {
            let key = (class.as_str(), test.as_str());
            let why = match failed.get(&key) {
                _ if passed.contains(&key) => continue,
                Some(why) => *why,
                // The first that is not told of has ended the machine.
                None if is_ended => {
                    all_pass = false;
                    continue;
                }
                None => {
                    is_ended = true;
                    "it ends the virtual machine"
                }
            };
            all_pass = false;
            classes[*number].tests[*at].give_up(why);
        }
        Ok(all_pass)
    }
}

/// The packages in which some test needs the helper.
pub fn helpers(classes: &[Class]) -> BTreeSet<String> {
    classes.iter().filter(|class| class.needs_helper()).map(|class| class.package.clone()).collect()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    let parent = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(parent).and_then(|()| std::fs::write(path, bytes)).map_err(cannot)
}

/// What the compiler has against a test.
enum Complaint {
    Error(String),
    /// The key of a warning.
    Warning(String),
}

impl Complaint {
    fn heed(&self, test: &mut super::Test) {
        match self {
            Complaint::Error(why) => test.give_up(&format!("javac: {why}")),
            // What is deprecated, or has no type arguments, is so in the class under test: there is no other way to call it.
            Complaint::Warning(key) if test.suppressed.insert(key.clone()) => {}
            Complaint::Warning(key) => test.give_up(&format!("javac warns: {key}")),
        }
    }
}

/// The complaints about tests, each by its class and its number: errors before warnings.
fn complaints(said: &str, lines: &Lines) -> BTreeMap<(usize, usize), Complaint> {
    let mut found = BTreeMap::new();
    for line in said.lines() {
        let Some((file, rest)) = line.split_once(".java:") else { continue };
        let Some((class, begins)) = lines.get(&format!("{file}.java")) else { continue };
        let Some((number, rest)) = rest.split_once(": ") else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        let Some((_, test)) = begins.iter().rev().find(|(first, _)| *first <= number) else { continue };
        let complaint = match (rest.strip_prefix("error: "), rest.strip_prefix("warning: [")) {
            (Some(why), _) => Complaint::Error(why.to_string()),
            (_, Some(rest)) => Complaint::Warning(rest.split(']').next().unwrap_or_default().to_string()),
            _ => Complaint::Error(rest.to_string()),
        };
        match found.get(&(*class, *test)) {
            Some(Complaint::Error(_)) => {}
            _ => _ = found.insert((*class, *test), complaint),
        }
    }
    found
}
