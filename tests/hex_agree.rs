//! HEX, agreement with its definition: for every example and for random programs under random invariants, the concrete inputs that are
//! covered under `lazy`, `uber-lazy`, `summary` and `pose` are the same, and they are those covered without invariants less the
//! invalid ones. Which are invalid is decided by an oracle that knows nothing of the engine (`hex/oracle.rs`): it evaluates the
//! invariants on the concrete heap, in the order in which an interpreter (`hex/visits.rs`) looks at it.

#[path = "hex/companions.rs"]
pub mod companions;
#[path = "hex/generate.rs"]
pub mod generate;
#[path = "hex/oracle.rs"]
pub mod oracle;
use crate::random;
#[path = "hex/visits.rs"]
pub mod visits;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use lazuli::Control;
use lazuli_engine::config::{Config, HeapKind, Most};
use lazuli_engine::limits::Watch;
use lazuli_engine::witness::WitnessObject;
use lazuli_invariant::Invariants;
use lazuli_invariant::complete;
use lazuli_invariant::hex::{Companion, Event};
use lazuli_lab::exact::{self, Extent};
use lazuli_program::Program;
use random::seeds::{check_all, seeds};

/// The models whose traces cover the same inputs: those that resolve a reference when it is loaded.
const ALIKE: [HeapKind; 5] = [HeapKind::Lazy, HeapKind::UberLazy, HeapKind::Summary, HeapKind::Pose, HeapKind::PoseIte];

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
    let hex = &Invariants::of(config).expect("given").hex;
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
            let left_out = valid && !config.bounds.n.is_empty();
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
    let hex = lazuli_invariant::hex::load(&program, Path::new(&file("hex"))).unwrap_or_else(|e| panic!("{e}"));
    let invariants = Some(Invariants::of_hex(hex).shared());
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

/// The same for rules of JBSE, of which the oracle knows nothing: the models agree with each other.
fn check_rules(program: &Program, config: &Config, extent: Extent) -> Result<Coverage, String> {
    let comparison = exact::check(program, config, &ALIKE, extent, &Control::default())?;
    if let Some(difference) = &comparison.difference {
        return Err(difference.show(program));
    }
    let covered = exact::covered(program, config, &ALIKE, extent)?;
    let valid = covered.iter().filter(|heap| heap.traces.iter().all(|traces| !traces.is_empty())).count();
    Ok(Coverage { heaps: covered.len() as u64, valid: valid as u64 })
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
    /// Two scopes, and ghost fields of several objects.
    Scopes,
    /// Rules of JBSE instead of HEX.
    Rules,
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
    let mut generator = generate::Generator::new(&program, seed, with_companions);
    let mut files = std::iter::repeat_with(|| match with {
        With::Scopes => generator.rich_file(),
        With::Rules => generator.rules(),
        _ => generator.file(),
    });
    // Most of the rich ones are refused.
    let tries = if matches!(with, With::Scopes | With::Rules) { 20 } else { 1 };
    let load = |text| match with {
        With::Rules => lazuli_invariant::hex::load_jbse_text(&program, "random.jbse", text),
        _ => lazuli_invariant::hex::load_text(&program, "random.hex", text),
    };
    let loaded = files.by_ref().take(tries).find_map(|text: String| Some((load(text.clone()).ok()?, text)));
    let Some((hex, text)) = loaded else {
        return Ok(Random::Passed);
    };
    let formulas = !hex.formulas.is_empty();
    let is_method = |event: &Event| matches!(event.companion, Companion::Method { .. });
    let companions = hex.statements.iter().flat_map(|statement| &statement.events).any(is_method);
    let invariants = Some(Invariants::of_hex(hex).shared());
    // Every fourth one under a bound on the length of chains.
    let k = (seed % 4 == 3).then_some(1 + (seed / 4 % 3) as u32);
    let mut config = Config { invariants, ..random::config(&program, random::Bound::of_k(k)) };
    // And every fourth one that puts its inputs away under a bound on the number of objects.
    let most = || Most::of_all(1 + (seed / 4 % 3) as u32);
    config.bounds.n = (with == With::PutAway && seed % 4 == 1).then(most).into_iter().collect();
    let few = Extent { objects: 3, heaps: 100 };
    let check = if with == With::Rules { check_rules } else { check };
    let checked = catch_unwind(AssertUnwindSafe(|| check(&program, &config, few)));
    match checked.unwrap_or_else(|_| Err("the engine panicked".into())) {
        Ok(coverage) => Ok(Random::Compared { coverage, formulas, companions }),
        Err(reason) if reason.contains("the bound on traces") => Ok(Random::Passed),
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

/// Compares so many random programs.
fn random_programs(programs: u64, with: With) -> [u64; 7] {
    let seeds = seeds(programs);
    let counts = Counts::default();
    check_all(&seeds, |seed| {
        let Coverage { heaps, valid } = match random_program(seed, with) {
            Err(difference) => return Some(difference),
            Ok(Random::Passed) => return None,
            Ok(Random::Compared { coverage, formulas, companions }) => {
                counts.formulas.fetch_add(formulas as u64, Ordering::Relaxed);
                counts.companions.fetch_add(companions as u64, Ordering::Relaxed);
                coverage
            }
        };
        counts.compared.fetch_add(1, Ordering::Relaxed);
        counts.pruned.fetch_add((valid < heaps) as u64, Ordering::Relaxed);
        counts.heaps.fetch_add(heaps, Ordering::Relaxed);
        counts.valid.fetch_add(valid, Ordering::Relaxed);
        None
    });
    let Counts { compared, formulas, companions, pruned, heaps, valid } = counts;
    let [compared, formulas, companions, pruned, heaps, valid] =
        [compared, formulas, companions, pruned, heaps, valid].map(AtomicU64::into_inner);
    println!("{compared} programs compared, {formulas} with formulas, {companions} with companions");
    println!("{pruned} with inputs that are invalid; {valid} of {heaps} inputs are valid");
    [seeds.end - seeds.start, compared, formulas, companions, pruned, heaps, valid]
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

/// The same with more of the language: two scopes that speak of each other's objects, ghost fields that are handed down, several events.
#[test]
fn scopes_of_random_programs_agree() {
    let [programs, compared, _, _, pruned, heaps, valid] = random_programs(250, With::Scopes);
    assert!(compared * 3 > programs, "only {compared} of {programs} could be compared");
    assert!(pruned * 4 > compared, "only in {pruned} of {compared} is any input invalid");
    assert!(valid * 20 > heaps, "only {valid} of {heaps} inputs are valid");
}

/// Rules of JBSE, which combine in their own way.
#[test]
fn rules_of_random_programs_agree() {
    let [programs, compared, _, _, pruned, heaps, valid] = random_programs(250, With::Rules);
    assert!(compared * 3 > programs, "only {compared} of {programs} could be compared");
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

/// A random program of which nothing else is wanted.
fn small_program(seed: u64) -> (Program, String) {
    let source = random::generate::generate(seed).source();
    (lazuli_program::load_text("random.pose", source.clone()).unwrap_or_else(|e| panic!("{e}")), source)
}

/// A random file for it: every other one a rich one.
fn small_file(generator: &mut generate::Generator, seed: u64) -> String {
    if seed.is_multiple_of(2) { generator.rich_file() } else { generator.file() }
}

/// If it is said that the invariants contradict themselves, no small heap is valid, in whichever order it is looked at.
#[test]
fn contradictions_are_none_in_any_order() {
    const ORDERS: usize = 20;
    let (mut asked, mut said, mut compared) = (0, 0, 0);
    for seed in 1..=3_000 {
        let (program, source) = small_program(seed);
        let mut generator = generate::Generator::new(&program, seed, false);
        let mut text = small_file(&mut generator, seed);
        text.push_str(&generator.demands());
        let Ok(hex) = lazuli_invariant::hex::load_text(&program, "random.hex", text.clone()) else { continue };
        // Of formulas the oracle says what is not settled before the end; the claim is about the end.
        if !hex.formulas.is_empty() {
            continue;
        }
        let invariants = Some(Invariants::of_hex(hex.clone()).shared());
        let config = Config { invariants, ..random::config(&program, random::Bound::None) };
        let entry = program.main.expect("a main expression");
        asked += 1;
        if complete::impossible(&program, &config, entry, &Watch::default()).inputs.is_none() {
            continue;
        }
        said += 1;
        let few = Extent { objects: 3, heaps: 300 };
        let all = exact::covered(&program, &config, &[], few).expect("an entry");
        // What the program does not read is not there; the claim is about whole heaps.
        let is_whole = |object: &WitnessObject| {
            let mut references = program.class(object.class).layout.iter().filter(|f| program.field(**f).ty.is_ref());
            references.all(|field| object.fields.iter().any(|(known, _)| known == field))
        };
        for exact::Covered { heap, .. } in all.iter().filter(|covered| covered.heap.objects.iter().all(is_whole)) {
            compared += 1;
            for _ in 0..ORDERS {
                let visits = visits::in_some_order(&program, heap, |n| generator.below(n));
                let oracle = oracle::Oracle::new(&program, &hex, heap, &visits);
                let picture = || exact::picture::draw(&program, heap).join("\n  ");
                assert!(
                    !oracle.is_valid(),
                    "seed {seed}: this is valid\n  {}\n{source}\n{text}\n{visits:?}",
                    picture()
                );
            }
        }
    }
    println!("{said} of {asked} files contradict themselves; {compared} heaps were looked at");
    assert!(
        said * 20 > asked && compared > 1_000,
        "only {said} of {asked} contradict themselves, for {compared} heaps"
    );
}

/// `lazier#` decides less at a comparison with null; what it covers in the end is what `lazier` covers.
#[test]
fn lazier_models_cover_the_same() {
    let mut compared = 0;
    for seed in 1..=1_500 {
        let (program, source) = small_program(seed);
        let mut generator = generate::Generator::new(&program, seed, false);
        let text = small_file(&mut generator, seed);
        let Ok(hex) = lazuli_invariant::hex::load_text(&program, "random.hex", text.clone()) else { continue };
        let config = Config {
            invariants: Some(Invariants::of_hex(hex).shared()),
            ..random::config(&program, random::Bound::None)
        };
        let few = Extent { objects: 3, heaps: 100 };
        let heaps = [HeapKind::Lazier, HeapKind::LazierSharp];
        let Ok(covered) = exact::covered(&program, &config, &heaps, few) else { continue };
        compared += 1;
        for heap in covered.iter().filter(|heap| heap.finished) {
            let picture = || exact::picture::draw(&program, &heap.heap).join("\n  ");
            let numbers = heap.traces.iter().map(Vec::len).collect::<Vec<_>>();
            let alike = numbers == [0, 0] || numbers == [1, 1];
            assert!(alike, "seed {seed}: {numbers:?} traces for\n  {}\n{source}\n{text}", picture());
        }
    }
    assert!(compared > 500, "only {compared} were compared");
}
