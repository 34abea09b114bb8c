//! HEX, agreement with its definition: for every example and for random programs under random invariants, the concrete inputs that are
//! covered under `lazy`, `uber-lazy`, `summary` and `pose` are the same, and they are those covered without invariants less the
//! invalid ones. Which are invalid is decided by an oracle that knows nothing of the engine (`hex/oracle.rs`): it evaluates the
//! invariants on the concrete heap, in the order in which an interpreter (`hex/visits.rs`) looks at it.

#[path = "hex/companions.rs"]
mod companions;
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
use lazuli_program::hex::{Companion, Event};

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
        let visits = visits::visits(program, hex, entry, &heap, config.bounds.calls);
        let oracle = oracle::Oracle::new(program, hex, &heap, &visits.list);
        let within = config.bounds.k.is_none_or(|k| oracle.depth() <= k as usize);
        let valid = within && !visits.refused && oracle.is_valid();
        // What is invalid stays so, whatever the program would look at beyond a bound.
        if !finished || valid && !visits.ended {
            continue;
        }
        coverage.heaps += 1;
        coverage.valid += valid as u64;
        for (found, model) in traces.iter().zip(ALIKE) {
            // A bound on the number of objects leaves out what each model has met too many of.
            let left_out = valid && config.bounds.n.is_some();
            if found.is_empty() == valid && !left_out {
                let word = if valid { "valid, but not" } else { "invalid, but" };
                let picture = exact::picture::draw(program, &heap).join("\n  ");
                let visited: Vec<String> = visits.list.iter().map(|visit| format!("{:?}", visit.holder)).collect();
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
        ("companion", "List.inOrder", 3),
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
        companions: bool,
    },
    /// Its invariants do not fit its classes, or it has too many traces.
    Passed,
}

/// What a random program has.
#[derive(Clone, Copy, PartialEq)]
enum With {
    Nothing,
    Companions,
    /// Inputs that are put away before they are looked at.
    PutAway,
}

fn random_program(seed: u64, with: With) -> Result<Random, String> {
    let load = |source: &str| {
        lazuli_program::load_text("random.pose", source.into()).unwrap_or_else(|e| panic!("{e}\n{source}"))
    };
    let mut source = match with {
        With::PutAway => random::generate::generate_put_away(seed).source(),
        _ => random::generate::generate(seed).source(),
    };
    let mut program = load(&source);
    let with_companions = with == With::Companions;
    if with_companions {
        source = companions::add(&program, &source, seed);
        program = load(&source);
    }
    let text = generate::Generator::new(&program, seed, with_companions).file();
    let Ok(hex) = lazuli_program::hex::load_text(&program, "random.hex", text.clone()) else {
        return Ok(Random::Passed);
    };
    let formulas = !hex.formulas.is_empty();
    let is_method = |event: &Event| matches!(event.companion, Companion::Method { .. });
    let companions = hex.statements.iter().flat_map(|statement| &statement.events).any(is_method);
    let invariants = Some(Arc::new(Invariants::of_hex(hex)));
    // Every fourth one under a bound on the length of chains.
    let k = (seed % 4 == 3).then_some(1 + (seed / 4 % 3) as u32);
    let mut config = Config { invariants, ..random::config(k) };
    // And every fourth one that puts its inputs away under a bound on the number of objects.
    config.bounds.n = (with == With::PutAway && seed % 4 == 1).then_some(1 + (seed / 4 % 3) as u32);
    let few = Extent { objects: 3, heaps: 100 };
    let checked = catch_unwind(AssertUnwindSafe(|| check(&program, &config, few)));
    match checked.unwrap_or_else(|_| Err("the engine panicked".into())) {
        Ok(coverage) => Ok(Random::Compared { coverage, formulas, companions }),
        Err(reason) if reason.contains("--max-traces") => Ok(Random::Passed),
        Err(reason) => Err(format!("seed {seed}, k {k:?}: {reason}\n{source}\n{text}")),
    }
}

/// How many programs were compared, and what they had.
#[derive(Default)]
struct Counts {
    compared: AtomicU64,
    formulas: AtomicU64,
    companions: AtomicU64,
    pruned: AtomicU64,
    heaps: AtomicU64,
    valid: AtomicU64,
}

/// Compares random programs, so many from a seed on.
///
/// `LAZULI_RANDOM_PROGRAMS=N` compares more; `LAZULI_RANDOM_SEED=N` starts at another seed.
fn random_programs(programs: u64, with: With) -> [u64; 7] {
    let number = |variable: &str, default: u64| match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => default,
    };
    let (first, programs) = (number("LAZULI_RANDOM_SEED", 1), number("LAZULI_RANDOM_PROGRAMS", programs));
    let next = AtomicU64::new(first);
    let counts = Counts::default();
    let worker = || {
        let mut found = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + programs {
                return found;
            }
            match random_program(seed, with) {
                Err(difference) => found.push(difference),
                Ok(Random::Passed) => {}
                Ok(Random::Compared { coverage: Coverage { heaps, valid }, formulas, companions }) => {
                    for (count, more) in [
                        (&counts.compared, 1),
                        (&counts.formulas, formulas as u64),
                        (&counts.companions, companions as u64),
                        (&counts.pruned, (valid < heaps) as u64),
                        (&counts.heaps, heaps),
                        (&counts.valid, valid),
                    ] {
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
    let Counts { compared, formulas, companions, pruned, heaps, valid } = counts;
    let [compared, formulas, companions, pruned, heaps, valid] =
        [compared, formulas, companions, pruned, heaps, valid].map(AtomicU64::into_inner);
    println!("{compared} programs compared, {formulas} with formulas, {companions} with companions");
    println!("{pruned} with inputs that are invalid; {valid} of {heaps} inputs are valid");
    assert!(found.is_empty(), "{} programs differ:\n\n{}", found.len(), found.join("\n\n"));
    [programs, compared, formulas, companions, pruned, heaps, valid]
}

/// Random programs under random invariants.
#[test]
fn the_covered_inputs_of_random_programs_are_the_valid_ones() {
    let [programs, compared, formulas, _, pruned, heaps, valid] = random_programs(1_000, With::Nothing);
    assert!(compared * 3 > programs, "only {compared} of {programs} could be compared");
    assert!(formulas * 4 > compared, "only {formulas} of {compared} had formulas");
    assert!(pruned * 4 > compared, "only in {pruned} of {compared} is any input invalid");
    assert!(valid * 20 > heaps, "only {valid} of {heaps} inputs are valid");
}

/// The same with companion methods: straight-line and branching ones, that look at the object and at what hangs from it.
#[test]
fn companions_of_random_programs_are_executed() {
    let [programs, compared, _, companions, pruned, heaps, valid] = random_programs(240, With::Companions);
    assert!(compared * 4 > programs, "only {compared} of {programs} could be compared");
    assert!(companions * 3 > compared, "only {companions} of {compared} had companions");
    assert!(pruned * 4 > compared, "only in {pruned} of {compared} is any input invalid");
    assert!(valid * 20 > heaps, "only {valid} of {heaps} inputs are valid");
}

/// The same with inputs that are loaded and stored long before anybody looks at them.
#[test]
fn inputs_that_are_put_away_are_valid() {
    let [programs, compared, _, _, pruned, heaps, valid] = random_programs(600, With::PutAway);
    assert!(compared * 4 > programs, "only {compared} of {programs} could be compared");
    assert!(pruned * 4 > compared, "only in {pruned} of {compared} is any input invalid");
    assert!(valid * 20 > heaps, "only {valid} of {heaps} inputs are valid");
}
