//! The library against the JVM: calls of public methods on constants, chosen by a seed from the JDK's image or a jar, executed by the engine
//! and by the JVM. What they give must be the same.
//!
//! What no program decides is taken out: what `excluded` names, and by trial what a second JVM, which runs the calls backwards, answers otherwise.

mod excluded;
mod jvm;
mod members;
mod source;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lazuli_engine::concrete;
use lazuli_engine::config::Config;
use lazuli_engine::natives;
use lazuli_program::Program;
use lazuli_program::bytecode::ClassPath;
use lazuli_program::frontend::java::{self, JavaOptions};
use lazuli_program::library::World;

use crate::random::Random;
use jvm::{Answer, Machine};
use members::{Member, Members};
use source::Call;
use values::Values;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Extent {
    pub seed: u64,
    /// How many calls are compared, if there are so many.
    pub calls: usize,
    /// Only of methods whose class and name contain this text.
    pub only: Option<String>,
    /// The library; the JDK's without.
    pub jar: Option<PathBuf>,
}

/// A call whose answers differ.
#[derive(Clone, Debug)]
pub struct Difference {
    pub source: String,
    pub ours: String,
    pub theirs: String,
    /// The method that threw what ours is, if so.
    pub place: String,
}

/// Calls that stopped for the same reason.
#[derive(Clone, Debug, Default)]
pub struct Stopped {
    pub calls: usize,
    /// One of them, and where it stopped.
    pub source: String,
    pub place: String,
}

#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Distinct methods among the calls.
    pub methods: usize,
    pub calls: usize,
    /// Calls that ended, with the same answer or another.
    pub executed: usize,
    pub different: Vec<Difference>,
    pub stopped: BTreeMap<String, Stopped>,
    /// Calls that were taken out after they were run: the JVM itself has two answers, or none within its limits.
    pub not_comparable: usize,
}

/// How many calls of one method are tried and how many of them are compared: rather those that return something.
const TRIED: usize = 6;
const COMPARED: usize = 3;
/// A call that takes so many instructions is not worth its time.
const STEPS: u64 = 3_000_000;

/// Compares; the directory is for sources and classes.
pub fn compare(extent: &Extent, directory: &Path) -> Result<Comparison, String> {
    let absolute = |path: &Path| std::path::absolute(path).map_err(|e| format!("{}: {e}", path.display()));
    let (directory, jar) = (absolute(directory)?, extent.jar.as_deref().map(absolute).transpose()?);
    let library = jar.as_deref().unwrap_or(Path::new("jdk"));
    let path = ClassPath::open(library, &[]).map_err(|e| e.to_string())?;
    let members = Members::of(&path)?;
    let machine = Machine { jdk: path.jdk(), jar: jar.as_deref(), directory: &directory };
    std::fs::create_dir_all(machine.classes()).map_err(|e| format!("cannot write {}: {e}", directory.display()))?;
    let mut calls = written(&members, extent);
    machine.compile(&mut calls)?;
    let (numbers, answers, not_comparable) = answered(&machine, &calls, extent.calls)?;
    let program = load(&machine)?;
    let ours = execute(&program, &numbers);
    let methods: BTreeSet<&str> = numbers.iter().flat_map(|n| &calls[*n]).map(|call| call.method.as_str()).collect();
    let mut comparison =
        Comparison { methods: methods.len(), calls: numbers.len(), not_comparable, ..Comparison::default() };
    for ((number, ours), theirs) in numbers.iter().zip(ours).zip(answers) {
        let call = calls[*number].as_ref().expect("it was compiled");
        comparison.add(call, ours, &theirs);
    }
    Ok(comparison)
}

/// Calls of methods in the order of chance, more than are compared.
fn written(members: &Members, extent: &Extent) -> Vec<Option<Call>> {
    let mut methods = members.methods();
    if let Some(only) = &extent.only {
        methods.retain(|m| format!("{}.{}", m.class.replace(['/', '$'], "."), m.name).contains(only));
    }
    let mut values = Values { members, random: Random(extent.seed) };
    values.random.shuffle(&mut methods);
    let mut calls = Vec::new();
    let calls_of = |member: &Member, values: &mut Values| -> Vec<Option<Call>> {
        let mut bodies = BTreeSet::new();
        let tried = (0..TRIED).filter_map(|_| Call::of(member, values));
        tried.filter(|call| bodies.insert(call.body.clone())).map(Some).collect()
    };
    for method in &methods {
        // Some are refused by the compiler, or cannot be compared.
        if calls.len() >= extent.calls * 3 {
            break;
        }
        calls.extend(calls_of(method, &mut values));
    }
    calls
}

/// A method that can be explored.
#[derive(Clone, Debug)]
pub struct Entry {
    pub jar: PathBuf,
    /// As `--entry` takes it.
    pub name: String,
}

/// So many public methods with code of some jars, chosen by a seed.
pub fn entries(jars: &[PathBuf], seed: u64, count: usize, only: Option<&str>) -> Result<Vec<Entry>, String> {
    let mut all = Vec::new();
    for jar in jars {
        let path = ClassPath::open(jar, &[]).map_err(|e| e.to_string())?;
        for method in Members::of(&path)?.with_code() {
            let name = format!("{}.{}{}", method.class.replace('/', "."), method.name, method.descriptor);
            if only.is_none_or(|only| name.contains(only)) {
                all.push(Entry { jar: jar.clone(), name });
            }
        }
    }
    Random(seed).shuffle(&mut all);
    all.truncate(count);
    Ok(all)
}

type Answered = (Vec<usize>, Vec<Answer>, usize);

/// Runs the calls on two JVMs. Gives the numbers of those that are compared, their answers, and how many cannot be compared.
fn answered(machine: &Machine, calls: &[Option<Call>], most: usize) -> Result<Answered, String> {
    let compiled: Vec<usize> = (0..calls.len()).filter(|number| calls[*number].is_some()).collect();
    let (forwards, backwards) = std::thread::scope(|scope| {
        let backwards = scope.spawn(|| machine.run(&compiled, true));
        (machine.run(&compiled, false), backwards.join().expect("no panic"))
    });
    let (forwards, backwards) = (forwards?, backwards?);
    let answer = |number: usize| {
        let name = source::name(number);
        let answer = normalised(&forwards[&name]);
        let is_one = answer == normalised(&backwards[&name]) && !matches!(answer, Answer::Endless | Answer::Large);
        is_one.then_some(answer)
    };
    let (mut numbers, mut answers, mut not_comparable) = (Vec::new(), Vec::new(), 0);
    for of_method in compiled.chunk_by(|a, b| method(calls, *a) == method(calls, *b)) {
        let mut comparable: Vec<(usize, Answer)> = of_method.iter().filter_map(|n| Some((*n, answer(*n)?))).collect();
        not_comparable += of_method.len() - comparable.len();
        comparable.sort_by_key(|(_, answer)| matches!(answer, Answer::Threw(_)));
        comparable.truncate(COMPARED);
        for (number, answer) in comparable {
            if numbers.len() < most {
                numbers.push(number);
                answers.push(answer);
            }
        }
    }
    Ok((numbers, answers, not_comparable))
}

fn method(calls: &[Option<Call>], number: usize) -> Option<&str> {
    calls[number].as_ref().map(|call| call.method.as_str())
}

/// Without the hash codes of objects that define none, and the names that the machine gives to lambdas.
fn normalised(answer: &Answer) -> Answer {
    match answer {
        Answer::Returned(text) => Answer::Returned(without_hash_codes(text)),
        other => other.clone(),
    }
}

fn without_hash_codes(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        words.push(match word.split_once('@') {
            Some((class, hash)) if class.contains('.') => {
                let class = if class.contains("Lambda") { "lambda" } else { class };
                let rest = hash.trim_start_matches(|c: char| c.is_ascii_hexdigit());
                format!("{class}@{rest}")
            }
            _ => word.to_string(),
        });
    }
    words.join(" ")
}

fn load(machine: &Machine) -> Result<Program, String> {
    let options = JavaOptions {
        class_path: machine.jar.map(Path::to_path_buf).into_iter().collect(),
        entry: None,
        world: World::default(),
        provided: natives::provides,
    };
    java::load_classes(&machine.classes(), &options).map_err(|e| e.to_string())
}

/// Executes the calls, on as many threads as there are processors.
fn execute(program: &Program, numbers: &[usize]) -> Vec<concrete::Answer> {
    let mut config = Config::default();
    config.bounds.steps = STEPS;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let run = |number: &usize| {
        let request = format!("{}()Ljava/lang/String;", source::name(*number));
        concrete::call(program, &config, &request).unwrap_or_else(concrete::Answer::Stopped)
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || numbers.iter().skip(thread).step_by(threads).map(run).collect::<Vec<_>>())
            })
            .collect();
        let mut parts: Vec<_> = parts.into_iter().map(|part| part.join().expect("no panic").into_iter()).collect();
        (0..numbers.len()).map(|at| parts[at % threads].next().expect("every call has an answer")).collect()
    })
}

impl Comparison {
    fn add(&mut self, call: &Call, ours: concrete::Answer, theirs: &Answer) {
        let mut place = String::new();
        let ours = match ours {
            concrete::Answer::Returned(text) => Answer::Returned(without_hash_codes(&text)),
            concrete::Answer::Threw { class, place: method, .. } => {
                place = method;
                Answer::Threw(class)
            }
            concrete::Answer::Stopped(why) => {
                let (what, place) = why.split_once(", in ").unwrap_or((&why, ""));
                let stopped = self.stopped.entry(what.to_string()).or_default();
                stopped.calls += 1;
                if stopped.calls == 1 {
                    (stopped.source, stopped.place) = (call.body.clone(), place.to_string());
                }
                return;
            }
        };
        self.executed += 1;
        if ours != *theirs {
            let [ours, theirs] = [&ours, theirs].map(|answer| format!("{answer:?}"));
            self.different.push(Difference { source: call.body.clone(), ours, theirs, place });
        }
    }
}
