//! HEX, agreement with its definition: for every example and for random programs under random invariants, the concrete inputs that are
//! covered under `lazy`, `uber-lazy`, `summary` and `pose` are the same, and they are those covered without invariants less the
//! invalid ones. Which are invalid is decided by an oracle that knows nothing of the engine (`hex/oracle.rs`): it evaluates the
//! invariants on the concrete heap, in the order in which an interpreter (`hex/visits.rs`) looks at it.

#[path = "hex/generate.rs"]
mod generate;
#[path = "hex/oracle.rs"]
mod oracle;
#[allow(dead_code)]
mod random;
#[path = "hex/visits.rs"]
mod visits;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lazuli_engine::config::{Config, HeapKind};
use lazuli_engine::exact::{self, Extent};
use lazuli_engine::explore::Control;
use lazuli_engine::invariant::Invariants;
use lazuli_program::Program;

/// The models whose traces cover the same inputs: those that resolve a reference when it is loaded.
const ALIKE: [HeapKind; 4] = [HeapKind::Lazy, HeapKind::UberLazy, HeapKind::Summary, HeapKind::Pose];

/// What came of comparing the inputs that are covered with those that the oracle calls valid.
#[derive(Clone, Copy, Default)]
struct Coverage {
    heaps: u64,
    valid: u64,
}

/// Under every model exactly those inputs are covered of which the program sees nothing invalid: without the invariants all inputs
/// are, so these are the inputs covered without them, less the invalid ones.
fn check_coverage(program: &Program, config: &Config, extent: Extent) -> Result<Coverage, String> {
    let entry = match &config.entry {
        Some(name) => program.entry(name).expect("an entry"),
        None => program.main.expect("a main expression"),
    };
    let hex = &config.invariants.as_ref().expect("given").hex;
    let mut coverage = Coverage::default();
    for exact::Covered { heap, traces, finished } in exact::covered(program, config, &ALIKE, extent)? {
        let (visits, ended) = visits::visits(program, entry, &heap, config.bounds.calls);
        let oracle = oracle::Oracle::new(program, hex, &heap, &visits);
        let within = config.bounds.k.is_none_or(|k| oracle.depth() <= k as usize);
        let valid = within && oracle.is_valid();
        // What is invalid stays so, whatever the program would look at beyond a bound.
        if !finished || valid && !ended {
            continue;
        }
        coverage.heaps += 1;
        coverage.valid += valid as u64;
        for (found, model) in traces.iter().zip(ALIKE) {
            if found.is_empty() == valid {
                let word = if valid { "valid, but not" } else { "invalid, but" };
                let picture = exact::picture::draw(program, &heap).join("\n  ");
                let visited: Vec<String> = visits.iter().map(|visit| format!("{:?}", visit.holder)).collect();
                let visited = visited.join(", ");
                return Err(format!("this input is {word} covered under {model}:\n  {picture}\n  visits: {visited}"));
            }
        }
    }
    Ok(coverage)
}

fn load(name: &str, entry: Option<&str>) -> (Program, Config) {
    let file = |ending: &str| format!("../programs/hex/{name}.{ending}");
    let program = lazuli_program::load(Path::new(&file("pose"))).unwrap_or_else(|e| panic!("{e}"));
    let hex = lazuli_program::hex::load(&program, Path::new(&file("hex"))).unwrap_or_else(|e| panic!("{e}"));
    let invariants = Some(Arc::new(Invariants::of_hex(hex)));
    (program, Config { entry: entry.map(String::from), invariants, ..Config::default() })
}

/// The models agree with each other, path by path, and with the oracle.
fn check(program: &Program, config: &Config, extent: Extent) -> Result<Coverage, String> {
    let comparison = exact::check(program, config, &ALIKE, extent, &Control::default())?;
    match &comparison.difference {
        Some(difference) => Err(difference.show(program)),
        None => check_coverage(program, config, extent),
    }
}

/// Every example of `programs/hex`, with all entries whose runs are small.
#[test]
fn the_covered_inputs_of_the_examples_are_the_valid_ones() {
    let entries = [
        ("circular", "Program.getList", 4),
        ("circular", "Program.length4", 4),
        ("dll", "LinkedList.getFirst", 3),
        ("dll", "LinkedList.removeLast", 3),
        ("dll", "LinkedList.consistent", 3),
        ("tree", "Tree.contains", 4),
        ("parents", "Tree.uncle", 4),
        ("treemap", "TreeMap.get", 3),
        ("treemap", "TreeMap.firstKey", 3),
        ("full", "Tree.leftmost", 4),
        ("full", "Tree.rightmost", 4),
        ("ends", "Program.isRing", 4),
        ("subjects/LinkedList", "LinkedList.get", 3),
        ("subjects/LinkedList", "LinkedList.removeLast", 3),
        ("subjects/TreeMap", "TreeMap.get", 3),
        ("subjects/TreeMap", "TreeMap.firstKey", 3),
        ("subjects/AvlTree", "AvlTree.find", 3),
        ("subjects/NodeCachingLinkedList", "NodeCachingLinkedList.removeFirst", 4),
        ("subjects/ParseTree", "NodeTraversal.traverse", 4),
        ("subjects/ParseTree", "RenameLabels.rename", 4),
    ];
    for (name, entry, objects) in entries {
        // The subjects do not end without a bound.
        let bounds = if name.starts_with("subjects") { vec![Some(3)] } else { vec![None, Some(2), Some(3)] };
        for k in bounds {
            let (program, mut config) = load(name, Some(entry));
            config.bounds.k = k;
            let coverage = check_coverage(&program, &config, Extent { objects, heaps: 1_000 })
                .unwrap_or_else(|e| panic!("{name}, {entry}, k {k:?}: {e}"));
            println!("{name}, {entry}, k {k:?}: {} of {} heaps are valid", coverage.valid, coverage.heaps);
            assert!(coverage.valid > 0 && coverage.valid < coverage.heaps, "{name}, {entry}, k {k:?}");
        }
    }
}

/// What was found by the random programs below, made small, each by its name.
#[test]
fn named_programs_agree() {
    let mut names: Vec<String> = std::fs::read_dir("../programs/hex/agree")
        .expect("the folder of the named programs")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .filter_map(|name| name.strip_suffix(".hex").map(String::from))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        for k in [None, Some(1), Some(2)] {
            let (program, mut config) = load(&format!("agree/{name}"), None);
            config.bounds.k = k;
            let coverage = check(&program, &config, Extent { objects: 3, heaps: 2_000 })
                .unwrap_or_else(|e| panic!("{name}, k {k:?}: {e}"));
            assert!(k.is_some() || coverage.valid > 0 && coverage.valid < coverage.heaps, "{name}: nothing is decided");
        }
    }
}

/// What came of one random program.
enum Random {
    Compared {
        coverage: Coverage,
        formulas: bool,
    },
    /// Its invariants do not fit its classes, or it has too many traces.
    Passed,
}

fn random_program(seed: u64) -> Result<Random, String> {
    let source = random::generate::generate(seed).source();
    let program = lazuli_program::load_text("random.pose", source.clone()).unwrap_or_else(|e| panic!("{e}"));
    let text = generate::Generator::new(&program, seed).file();
    let Ok(hex) = lazuli_program::hex::load_text(&program, "random.hex", text.clone()) else {
        return Ok(Random::Passed);
    };
    let formulas = !hex.formulas.is_empty();
    let invariants = Some(Arc::new(Invariants::of_hex(hex)));
    // Every fourth one under a bound on the length of chains.
    let k = (seed % 4 == 3).then_some(1 + (seed / 4 % 3) as u32);
    let config = Config { invariants, ..random::config(k) };
    let few = Extent { objects: 3, heaps: 100 };
    let checked = catch_unwind(AssertUnwindSafe(|| check(&program, &config, few)));
    match checked.unwrap_or_else(|_| Err("the engine panicked".into())) {
        Ok(coverage) => Ok(Random::Compared { coverage, formulas }),
        Err(reason) if reason.contains("--max-traces") => Ok(Random::Passed),
        Err(reason) => Err(format!("seed {seed}, k {k:?}: {reason}\n{source}\n{text}")),
    }
}

/// Random programs under random invariants.
///
/// `LAZULI_RANDOM_PROGRAMS=N` compares more; `LAZULI_RANDOM_SEED=N` starts at another seed.
#[test]
fn the_covered_inputs_of_random_programs_are_the_valid_ones() {
    let number = |variable: &str, default: u64| match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => default,
    };
    let (first, programs) = (number("LAZULI_RANDOM_SEED", 1), number("LAZULI_RANDOM_PROGRAMS", 1_000));
    let next = AtomicU64::new(first);
    let counts: [AtomicU64; 5] = Default::default();
    let worker = || {
        let mut found = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + programs {
                return found;
            }
            match random_program(seed) {
                Err(difference) => found.push(difference),
                Ok(Random::Passed) => {}
                Ok(Random::Compared { coverage, formulas }) => {
                    let pruned = coverage.valid < coverage.heaps;
                    let each = [1, formulas as u64, pruned as u64, coverage.heaps, coverage.valid];
                    for (count, more) in counts.iter().zip(each) {
                        count.fetch_add(more, Ordering::Relaxed);
                    }
                }
            }
        }
    };
    let found: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a worker")).collect()
    });
    let [compared, formulas, pruned, heaps, valid] = counts.map(|count| count.into_inner());
    println!("{compared} programs compared, {formulas} with formulas; {pruned} with inputs that are invalid");
    println!("{valid} of {heaps} inputs are valid");
    assert!(found.is_empty(), "{} programs differ:\n\n{}", found.len(), found.join("\n\n"));
    assert!(compared * 3 > programs, "only {compared} of {programs} could be compared");
    assert!(formulas * 4 > compared, "only {formulas} of {compared} had formulas");
    assert!(pruned * 4 > compared, "only in {pruned} of {compared} is any input invalid");
    assert!(valid * 20 > heaps, "only {valid} of {heaps} inputs are valid");
}
