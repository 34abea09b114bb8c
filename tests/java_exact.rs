//! Exactness for Java: every small heap is represented by exactly one trace of each heap model, and a real JVM, given that heap, does what the trace
//! says. On the documents' subjects, and on random programs.
//!
//! `LAZULI_LONG` compares more programs on more heaps, `LAZULI_RANDOM_PROGRAMS=N` so many programs.

use crate::java::{self, generate};
use crate::java_random::compile;
use crate::random::Bound;
use crate::random::seeds::seeds;

use std::time::Duration;

use lazuli::{Control, Jvm};
use lazuli_engine::config::{Bounds, Config, HeapKind};
use lazuli_lab::exact::{self, Comparison, Extent};
use lazuli_program::Program;
use lazuli_program::library::World;

/// A program with more traces under one model is not compared under it.
const MOST_TRACES: u64 = 400;

/// What the models were compared under.
enum Answer {
    Compared(Comparison),
    TooLarge,
}

fn heaps(few: usize) -> usize {
    if std::env::var_os("LAZULI_LONG").is_some() { 10 * few } else { few }
}

fn compare(program: &Program, heaps: &[HeapKind], bound: Bound, extent: Extent, jvm: &Jvm) -> Result<Answer, String> {
    let mut config = Config { bounds: bound.within(Bounds::default(), program), ..Config::default() };
    config.bounds.calls = 200;
    config.bounds.depth = 60;
    config.bounds.steps = 100_000;
    config.bounds.traces = Some(MOST_TRACES);
    config.bounds.time = Some(Duration::from_secs(5));
    config.solver.effort = 500;
    let compared = exact::check_judged(program, &config, heaps, extent, &Control::default(), Some(jvm));
    match compared {
        Ok(Comparison { difference: Some(difference), .. }) => Err(difference.show(program)),
        Ok(comparison) => Ok(Answer::Compared(comparison)),
        Err(why) if why.contains("was stopped by") => Ok(Answer::TooLarge),
        Err(why) => Err(why),
    }
}

fn agreed(comparison: &Comparison) -> usize {
    comparison.on_jvm.as_ref().expect("a program in Java").agreed
}

/// The subjects of the documents, as far as they are small under a model: where lazy initialization has too many traces, those that do not
/// enumerate are compared.
#[test]
fn subjects_are_exact() {
    let entries = [
        "Sample.swap",
        "Sample.sum",
        "Sample.hasNullWithin4",
        "Sample.hasNullWithin10",
        "AvlTree.balancedWithin1",
        "AvlTree.findWithin5",
        "AvlTree.findMaxWithin10",
        "AvlTree.findMinWithin10",
        "DoubleLinkedList.add4",
        "DoubleLinkedList.get4",
        "DoubleLinkedList.getFirst",
        "DoubleLinkedList.getLast",
        "DoubleLinkedList.indexOfWithin8",
        "DoubleLinkedList.remove4",
        "DoubleLinkedList.removeFirst",
        "DoubleLinkedList.removeLast",
        "NodeCachingLinkedList.add",
        "TreeMap.putWithin2",
    ];
    let merging = [HeapKind::Summary, HeapKind::PoseIte, HeapKind::Pose];
    let extent = Extent { objects: 3, heaps: heaps(300) };
    // Of all classes that are compiled together, few are the subjects'.
    let types = vec![("java.lang.Object".into(), vec!["java.lang.Object".into(), "java.lang.Integer".into()])];
    let world = World { max_array: 3, max_string: 2, types, ..World::default() };
    let load = |entry: &str| java::program_with(&format!("pose.{entry}"), world.clone());
    let jvm = Jvm::of(&load(entries[0])).expect("a program in Java");
    let mut under_all = 0;
    for entry in entries {
        let program = load(entry);
        let mut answer =
            compare(&program, &HeapKind::ALL, Bound::None, extent, &jvm).unwrap_or_else(|why| panic!("{entry}: {why}"));
        match answer {
            Answer::TooLarge => {
                answer = compare(&program, &merging, Bound::None, extent, &jvm)
                    .unwrap_or_else(|why| panic!("{entry}: {why}"))
            }
            Answer::Compared(_) => under_all += 1,
        }
        let Answer::Compared(comparison) = answer else { panic!("{entry} has too many traces") };
        let compared = comparison.enumerated + comparison.witnesses;
        assert_eq!(agreed(&comparison), compared, "{entry}: {:?}", comparison.on_jvm);
        assert_eq!(comparison.unfinished, None, "{entry}");
    }
    assert!(under_all >= 12, "only {under_all} subjects were small enough for all models");
}

#[test]
fn random_programs_are_exact() {
    let seeds = seeds(200);
    let programs: Vec<generate::Program> = seeds.clone().map(generate::generate).collect();
    let classes = compile("java-exact", &programs);
    let world = || World { max_array: 2, max_string: 2, ..World::default() };
    let extent = Extent { objects: 3, heaps: heaps(60) };
    let mut jvm = None;
    let (mut compared, mut inputs, mut confirmed, mut different) = (0, 0, 0, Vec::new());
    for (seed, program) in seeds.clone().zip(&programs) {
        let options = java::options(Some(&format!("{}.run", program.class)), world());
        let loaded = lazuli_program::frontend::java::load(&classes, &options).unwrap_or_else(|error| panic!("{error}"));
        let jvm = jvm.get_or_insert_with(|| Jvm::of(&loaded).expect("a program in Java"));
        // Every fourth one under a bound on the number of objects, every fourth on the length of chains.
        let bound = match (seed % 4, (seed / 4 % 4) as u32) {
            (3, few) => Bound::N(few),
            (1, few) => Bound::K(few),
            _ => Bound::None,
        };
        match compare(&loaded, &HeapKind::ALL, bound, extent, jvm) {
            Ok(Answer::TooLarge) => {}
            Ok(Answer::Compared(comparison)) => {
                compared += 1;
                inputs += comparison.enumerated + comparison.witnesses;
                confirmed += agreed(&comparison);
            }
            Err(why) => different.push(format!("seed {seed}: {why}")),
        }
    }
    println!("{compared} of {} programs compared on {inputs} heaps, {confirmed} confirmed by the JVM", programs.len());
    assert!(different.is_empty(), "{} programs differ:\n\n{}", different.len(), different.join("\n\n"));
    assert!(compared * 10 >= programs.len() * 6, "only {compared} programs were small enough to compare");
    assert!(confirmed * 10 >= inputs * 9, "the JVM confirmed only {confirmed} of {inputs} heaps");
}
