//! HEX: the number of complete heaps that each example of the specification accepts, the rejections of the paper's Figure 2, and
//! agreement: under all heap models that resolve references at their first load the same inputs are covered, among them every
//! valid one, and every trace covers one.

#[path = "hex/valid.rs"]
mod valid;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use lazuli::{Control, explore};
use lazuli_engine::config::{Config, HeapKind, TraceDetail};
use lazuli_engine::invariant::Invariant;
use lazuli_invariant::Invariants;
use lazuli_invariant::complete::{self, Cut};
use lazuli_lab::exact::{self, Extent};
use lazuli_program::Program;

/// The models whose traces cover the same inputs: those that resolve a reference when it is loaded.
const ALIKE: [HeapKind; 5] = [HeapKind::Lazy, HeapKind::UberLazy, HeapKind::Summary, HeapKind::Pose, HeapKind::PoseIte];

/// A program of `programs/hex` with the invariants beside it.
fn example(name: &str, heap: HeapKind, entry: &str) -> (Program, Config) {
    let file = |ending: &str| format!("../programs/hex/{name}.{ending}");
    let program = lazuli_program::load(Path::new(&file("pose"))).unwrap_or_else(|e| panic!("{e}"));
    let hex = lazuli_invariant::hex::load(&program, Path::new(&file("hex"))).unwrap_or_else(|e| panic!("{e}"));
    let invariants = Some(Invariants::of_hex(hex).shared());
    let config = Config { heap, entry: Some(entry.into()), invariants, ..Config::default() };
    (program, config)
}

/// The number of complete heaps with at most `size` objects of a class, and how many of them are valid. They hang from the first
/// structure that the file names.
fn complete_heaps(name: &str, size: u32) -> (u64, usize) {
    let (program, config) = example(name, HeapKind::Lazy, "-");
    let all = complete::roots(&program, &Invariants::of(&config).expect("given").hex, None);
    let roots = &all[0];
    let extent = complete::Extent {
        size,
        keep: 1_000,
        accept: u64::MAX,
        steps: u64::MAX,
        order: complete::Order::Declared,
        numbers: None,
    };
    let accepted = complete::complete(&program, &config, roots, extent);
    assert_eq!(accepted.cut, Some(Cut::Size), "{name}: there are larger ones");
    let valid = accepted.heaps.iter().filter(|heap| valid::is_valid(name, &program, heap)).count();
    (accepted.count, valid)
}

#[test]
fn complete_heaps_of_the_circular_list() {
    assert_eq!(complete_heaps("circular", 6), (6, 6));
}

#[test]
fn complete_heaps_of_the_doubly_linked_list() {
    assert_eq!(complete_heaps("dll", 6), (6, 6));
}

#[test]
fn complete_heaps_of_the_tree() {
    assert_eq!(complete_heaps("tree", 5), (65, 65));
}

#[test]
fn complete_heaps_of_the_tree_with_parents() {
    assert_eq!(complete_heaps("parents", 5), (65, 65));
}

#[test]
fn complete_heaps_of_the_red_black_tree() {
    assert_eq!(complete_heaps("treemap", 5), (18, 18));
}

/// Trees of 0, 1, 3 and 5 nodes: 1, 1, 1 and 2.
#[test]
fn complete_heaps_of_the_full_tree() {
    assert_eq!(complete_heaps("full", 5), (5, 5));
}

/// For every length a ring and a chain.
#[test]
fn complete_heaps_of_the_list_that_is_a_ring_or_ends() {
    assert_eq!(complete_heaps("ends", 5), (10, 10));
}

/// What a negated atom means: on a partial heap it may still fail until it is settled; on a complete one it must have failed.
#[test]
fn negated_atoms() {
    let (program, config) = example("ends", HeapKind::Lazy, "Program.both");
    let with = |text: &str| {
        let hex = lazuli_invariant::hex::load_text(&program, "test.hex", text.into()).unwrap_or_else(|e| panic!("{e}"));
        Config { invariants: Some(Invariants::of_hex(hex).shared()), ..config.clone() }
    };
    for heap in ALIKE {
        let alarms = |text: &str| {
            let config = Config { heap, ..with(text) };
            explore(&program, &config, &Control::default()).map(|run| run.counts.assert_failed)
        };
        let (forth, back) = ("root.a null => root.b null;", "root.b null => root.a null;");
        assert!(matches!(alarms(&format!("{forth} {back}")), Ok(0)), "{heap}");
        assert!(alarms(forth).is_ok_and(|alarms| alarms > 0), "{heap}: a without b is an alarm");
        assert!(matches!(alarms("not (root.a null) and not (root.b null);"), Ok(0)), "{heap}");
        // Both may not be null; one may.
        assert!(alarms("not (root.a null and root.b null);").is_ok_and(|alarms| alarms > 0), "{heap}");
        let never = alarms("root.a not null and (root.a null or root.b null) and root.b not null;");
        assert!(never.is_err_and(|why| matches!(why, lazuli::Error::Contradiction { .. })), "{heap}");
    }
    // Lists whose end is not null somewhere, by a negation: rings, and chains that lead into one.
    let complete = |text: &str| {
        let config = with(text);
        let roots = &complete::roots(&program, &Invariants::of(&config).expect("given").hex, None)[0];
        let extent = complete::Extent {
            size: 3,
            keep: 0,
            accept: u64::MAX,
            steps: u64::MAX,
            order: complete::Order::Declared,
            numbers: None,
        };
        complete::complete(&program, &config, roots, extent).count
    };
    assert_eq!(complete("root.list(.next)+ aliases nothing;"), 3, "chains");
    assert_eq!(complete("not (root.list(.next)+ aliases nothing);"), 1 + 2 + 3, "all others");
    assert_eq!(complete("root.list(.next)+ aliases nothing or not (root.list(.next)+ aliases nothing);"), 9, "all");
}

/// Seed 002, Figure 2: of the assumptions about a circular list exactly 1.2.1, 1.2.3.1 and 1.2.3.2 are rejected.
#[test]
fn rejections_of_figure_2() {
    let run = |with: bool| {
        let (program, mut config) = example("circular", HeapKind::Lazy, "Program.getList");
        config.bounds.exact_types = true;
        if !with {
            config.invariants = None;
        }
        explore(&program, &config, &Control::default()).expect("the entry exists")
    };
    let (all, valid) = (run(false), run(true));
    // The branch on foo is the first decision; then null, the objects so far, and a fresh one.
    let ids = |run: &lazuli::Run| run.traces.iter().map(|t| t.id()).collect::<Vec<_>>();
    let (all, kept) = (ids(&all), ids(&valid));
    let rejected: Vec<&String> = all.iter().filter(|id| !kept.contains(id)).collect();
    assert_eq!(rejected, ["0.1.0", "0.1.2.0", "0.1.2.2"], "of {all:?}");
    assert_eq!(valid.counts.pruned_invariant, 3);
    assert!(kept.contains(&"0.1.2.1".to_string()) && kept.contains(&"0.1.2.3".to_string()));
}

/// The inputs that the models cover are the same, by the exactness checker.
fn check_agreement(name: &str, entry: &str, extent: Extent) {
    let (program, config) = example(name, HeapKind::Lazy, entry);
    let comparison = exact::check(&program, &config, &ALIKE, extent, &Control::default()).expect("a complete run");
    if let Some(difference) = &comparison.difference {
        panic!("{name}, {entry}: {}", difference.show(&program));
    }
    assert_eq!(comparison.unfinished, None);
}

/// No valid input is lost, and every trace covers one, if those enumerated are large enough for that.
fn check_validity(name: &str, entry: &str, extent: Extent, large_enough: bool) {
    let (program, config) = example(name, HeapKind::Lazy, entry);
    let covered = exact::covered(&program, &config, &ALIKE, extent).expect("a complete run");
    let (mut valid, mut lost) = (0, 0);
    let mut covers_valid: Vec<Vec<Option<bool>>> = vec![Vec::new(); ALIKE.len()];
    for exact::Covered { heap, traces, .. } in &covered {
        let is_valid = valid::is_valid(name, &program, heap);
        valid += is_valid as usize;
        for (model, found) in covers_valid.iter_mut().zip(traces) {
            lost += (is_valid && found.is_empty()) as usize;
            for &trace in found {
                if model.len() <= trace {
                    model.resize(trace + 1, None);
                }
                model[trace] = Some(is_valid || model[trace] == Some(true));
            }
        }
    }
    assert!(valid > 0, "{name}: no valid heap among {}", covered.len());
    assert_eq!(lost, 0, "{name}, {entry}: valid inputs are lost");
    for (model, heap) in covers_valid.iter().zip(ALIKE).filter(|_| large_enough) {
        let without: Vec<usize> = (0..model.len()).filter(|t| model[*t] == Some(false)).collect();
        assert!(without.is_empty(), "{name}, {entry}, {heap}: traces {without:?} cover invalid inputs only");
    }
}

fn program(source: &str) -> Program {
    lazuli_program::load_text("small.pose", source.into()).unwrap_or_else(|e| panic!("{e}"))
}

fn invariants(program: &Program, text: &str) -> Arc<dyn Invariant> {
    let hex = lazuli_invariant::hex::load_text(program, "small.hex", text.into()).unwrap_or_else(|e| panic!("{e}"));
    Invariants::of_hex(hex).shared()
}

/// The different results of an entry under invariants.
fn results(program: &Program, heap: HeapKind, entry: &str, text: &str) -> Result<String, String> {
    let (entry, invariants) = (Some(entry.into()), Some(invariants(program, text)));
    let run = explore(program, &Config { heap, entry, invariants, ..Config::default() }, &Control::default())?;
    let values: BTreeSet<String> = run.traces.iter().filter_map(|trace| trace.detail.as_ref()?.value.clone()).collect();
    Ok(values.into_iter().collect::<Vec<_>>().join(" "))
}

/// What others may be aliases of is drawn too, even if nothing is said of it.
#[test]
fn complete_heaps_have_the_targets_of_aliases() {
    let source = "class Node { Node next; } class Program { int both(Node y, Node x) := 0; }";
    let program = program(source);
    let text = "root.y not null; root.x not null and aliases nothing;
        root.x.next not null and expands to nothing and aliases root.y.next;";
    for more in ["", "root.y.next aliases nothing;"] {
        let text = format!("{text} {more}");
        let invariants = invariants(&program, &text);
        let config = Config { invariants: Some(invariants), ..Config::default() };
        let roots = complete::roots(&program, &Invariants::of(&config).expect("given").hex, None);
        let order = complete::Order::Declared;
        let extent = complete::Extent { size: 3, keep: 0, accept: u64::MAX, steps: u64::MAX, order, numbers: None };
        assert_eq!(complete::complete(&program, &config, &roots[0], extent).count, 1, "{text}");
    }
}

/// What the solver chooses for a ghost field may be any number.
#[test]
fn chosen_ghosts_are_found() {
    let source = "class A { A a; int v; int go() := if this.a = null then 1 else this.a.v; }";
    let program = program(source);
    let text =
        "ghost A { int far = fresh; } for any A x { x.a on expand do { assume x.far == initial(it.v) + 100; }; }";
    let (entry, invariants) = (Some("A.go".into()), Some(invariants(&program, text)));
    let config = Config { entry, invariants, ..Config::default() };
    let few = Extent { objects: 2, heaps: 100 };
    for covered in exact::covered(&program, &config, &ALIKE, few).expect("a complete run") {
        assert!(covered.traces.iter().all(|traces| traces.len() == 1), "{:?}", covered.traces);
    }
}

const SOME: Extent = Extent { objects: 4, heaps: 3_000 };

#[test]
fn models_agree_on_the_circular_list() {
    check_agreement("circular", "Program.getList", SOME);
    check_agreement("circular", "Program.length4", SOME);
}

#[test]
fn models_agree_on_the_doubly_linked_list() {
    for entry in ["LinkedList.getFirst", "LinkedList.removeLast", "LinkedList.consistent"] {
        check_agreement("dll", entry, SOME);
    }
}

#[test]
fn models_agree_on_trees() {
    check_agreement("tree", "Tree.contains", SOME);
    check_agreement("parents", "Tree.uncle", SOME);
    check_agreement("treemap", "TreeMap.get", SOME);
    check_agreement("treemap", "TreeMap.firstKey", SOME);
}

/// Objects that no statement is about, beside references that may be their aliases and of which something is said.
#[test]
fn models_agree_on_bystanders() {
    let ring = "l.header not null and aliases nothing; l.header.next not null and aliases nothing;
        l.header.next.next not null and aliases l.header;
        l.header.next.next.next expands to nothing and not null and aliases l.header;";
    let first = "l.header.next.element";
    for elements in [
        String::new(),
        format!("{first} null;"),
        format!("{first} not null; l.header.next.next.element aliases nothing;"),
        format!("l.header.next.next.element expands to nothing and aliases {first};"),
        format!("l.header.next.next.element never aliases {first};"),
        "l.header.next.next.element on alias do { assume initial(l.size) == 2; };".into(),
    ] {
        let file = Path::new("../programs/hex/subjects/LinkedList.pose");
        let program = lazuli_program::load(file).unwrap_or_else(|e| panic!("{e}"));
        let text = format!("for any LinkedList l {{ {ring} {elements} }}");
        let hex = lazuli_invariant::hex::load_text(&program, "test.hex", text).unwrap_or_else(|e| panic!("{e}"));
        let invariants = Some(Invariants::of_hex(hex).shared());
        let config = Config { entry: Some("LinkedList.contains".into()), invariants, ..Config::default() };
        let comparison = exact::check(&program, &config, &ALIKE, SOME, &Control::default()).expect("a complete run");
        if let Some(difference) = &comparison.difference {
            panic!("{elements}: {}", difference.show(&program));
        }
        assert_eq!(comparison.unfinished, None);
    }
}

#[test]
fn valid_inputs_are_kept() {
    check_validity("circular", "Program.getList", Extent { objects: 4, heaps: 200_000 }, true);
    check_validity("dll", "LinkedList.getFirst", Extent { objects: 3, heaps: 200_000 }, true);
    check_validity("tree", "Tree.contains", Extent { objects: 3, heaps: 10_000 }, true);
    check_validity("parents", "Tree.uncle", Extent { objects: 3, heaps: 20_000 }, true);
    check_validity("treemap", "TreeMap.firstKey", Extent { objects: 3, heaps: 20_000 }, false);
    check_validity("full", "Tree.leftmost", Extent { objects: 4, heaps: 10_000 }, true);
    check_validity("ends", "Program.isRing", Extent { objects: 4, heaps: 1_000 }, true);
}

/// With the invariants nothing that the list itself asserts fails; without them it does.
#[test]
fn no_false_alarm() {
    for heap in HeapKind::ALL {
        let (program, mut config) = example("dll", heap, "LinkedList.consistent");
        config.detail = TraceDetail::None;
        let run = explore(&program, &config, &Control::default()).expect("the entry exists");
        assert_eq!(run.counts.assert_failed, 0, "{heap}");
        assert!(run.counts.returned > 0);
    }
    let (program, mut config) = example("dll", HeapKind::Pose, "LinkedList.consistent");
    config.invariants = None;
    let run = explore(&program, &config, &Control::default()).expect("the entry exists");
    assert!(run.counts.assert_failed > 0);
}

/// Companion methods are executed symbolically; one that never returns, or throws, stops the trace and says so.
#[test]
fn companions() {
    let program = lazuli_program::load(Path::new("../programs/hex/companion.pose")).unwrap_or_else(|e| panic!("{e}"));
    let text = std::fs::read_to_string("../programs/hex/companion.hex").expect("beside the program");
    let run = |heap: HeapKind, text: String| {
        let hex = lazuli_invariant::hex::load_text(&program, "companion.hex", text).unwrap_or_else(|e| panic!("{e}"));
        let invariants = Some(Invariants::of_hex(hex).shared());
        let config = Config { heap, entry: Some("List.inOrder".into()), invariants, ..Config::default() };
        explore(&program, &config, &Control::default()).expect("the entry exists")
    };
    for heap in HeapKind::ALL {
        let sorted = run(heap, text.clone());
        assert_eq!((sorted.counts.returned, sorted.counts.assert_failed, sorted.counts.stopped), (3, 0, 0), "{heap}");
        assert_eq!(sorted.counts.doubtful(), 0, "{heap}");
        assert!(sorted.counts.pruned_invariant > 0, "{heap}");
    }
    let endless = run(HeapKind::Lazy, text.replace("Node.ascends", "Node.forever"));
    assert!(
        endless.stops[0].0.to_string().contains("the companion Node.forever did not return"),
        "{:?}",
        endless.stops
    );
    // Whatever expands: of objects that the method does not take nothing is asked.
    let anything = run(HeapKind::Lazy, "any on expand do Node.ascends(it);".into());
    assert!(anything.counts.returned > 0 && anything.counts.doubtful() == 0, "{:?}", anything.stops);
    assert!(
        anything.stops.iter().all(|(why, _)| why.to_string().contains("the companion Node.ascends")),
        "{:?}",
        anything.stops
    );
    let throws = run(HeapKind::Lazy, text.replace("Node.ascends", "Node.breaks"));
    assert!(throws.stops.iter().any(|(why, _)| why.to_string().contains("Node.breaks threw NullPointerException")));
}

/// Rules of JBSE mean what they mean there, under all models alike: relative targets, the longest path, names of fields.
#[test]
fn models_agree_on_rules_of_jbse() {
    for entry in ["LinkedList.getFirst", "LinkedList.removeLast", "LinkedList.consistent"] {
        let (program, config) = example("dll", HeapKind::Lazy, entry);
        let hex = lazuli_invariant::hex::load(&program, Path::new("../programs/hex/dll.jbse")).expect("rules");
        let config = Config { invariants: Some(Invariants::of_hex(hex).shared()), ..config };
        let comparison = exact::check(&program, &config, &ALIKE, SOME, &Control::default()).expect("a complete run");
        assert!(comparison.difference.is_none(), "{entry}: {}", comparison.difference.unwrap().show(&program));
        let run = explore(&program, &config, &Control::default()).expect("an entry");
        assert!(run.counts.pruned_invariant > 0, "{entry}");
    }
}

/// Rules of JBSE that say the same prune the same.
#[test]
fn rules_of_jbse_prune_alike() {
    for (name, entry) in [("circular", "Program.getList"), ("parents", "Tree.uncle")] {
        for heap in HeapKind::ALL {
            let (program, config) = example(name, heap, entry);
            let path = format!("../programs/hex/{name}.jbse");
            let hex = lazuli_invariant::hex::load(&program, Path::new(&path)).unwrap_or_else(|e| panic!("{e}"));
            let rules = Config { invariants: Some(Invariants::of_hex(hex).shared()), ..config.clone() };
            let count = |config: &Config| explore(&program, config, &Control::default()).expect("an entry").counts;
            let (a, b) = (count(&config), count(&rules));
            assert_eq!((a.traces, a.pruned_invariant), (b.traces, b.pruned_invariant), "{name}, {heap}");
        }
    }
}

/// What a companion writes, the program finds there; a witness has no companion, and the answer names that as a reason.
#[test]
fn a_companion_that_writes() {
    let source = "class Node { int value; Node next; bool sets() := { this.value := 7; true }; }
        class Program { int first(Node n) := if n.next = null then 0 else if n.next.value = 7 then 1 else 2; }";
    let program = program(source);
    let text = "any.next on expand do Node.sets(it);";
    let hex = lazuli_invariant::hex::load_text(&program, "sets.hex", text.into()).unwrap_or_else(|e| panic!("{e}"));
    let invariants = Some(Invariants::of_hex(hex).shared());
    for heap in HeapKind::ALL {
        let (entry, invariants) = (Some("Program.first".into()), invariants.clone());
        let config = Config { heap, entry, invariants, ..Config::default() };
        let run = explore(&program, &config, &Control::default()).expect("the entry exists");
        assert_eq!(run.counts.doubtful(), 1, "{heap}");
        let told = [lazuli::Limit::Refuted { witnesses: 1, companions: true }];
        assert_eq!(run.limits(lazuli::Chosen::default()), told, "{heap}");
    }
}

/// A reference may be an alias of what only another input, or another order, leads to: then nothing contradicts itself.
#[test]
fn what_is_possible_in_another_order_is_no_contradiction() {
    let source = "class Node { Node next; }
        class Odd extends Node { }
        class Pair { Node a; Node b; int beyond() := if this.b.next = this.a then 1 else 2; }
        class Three { Node a; Node b; Node c;
          int middle() := if this.b = null then (if this.a = null then (if this.c = null then 1 else 2) else 3) else 4; }
        class Program {
          int same(Node x, Node y) := if x = null then 0 else if x = y then 1 else 2;
          int below(Node x, Node y) := if x.next = y then 1 else 2;
          int apart(Program x, Node y) := 0;
          int after(Node x, Node y) := if y = null then 0 else if y.next = null then 1 else if x.next = y.next then 2 else 3;
        }";
    let program = program(source);
    let explored = |heap, entry: &str, text: &str| results(&program, heap, entry, text);
    let beyond = "for any Pair p { p.b not null and aliases nothing; p.b.next not null and aliases nothing;
        p.a not null and expands to nothing and aliases p.b.next; }";
    let alias = "root.y not null and expands to nothing;";
    for heap in HeapKind::ALL {
        assert_eq!(explored(heap, "Pair.beyond", beyond).as_deref(), Ok("1"), "{heap}");
        assert_eq!(explored(heap, "Program.same", alias).as_deref(), Ok("0 1"), "{heap}");
        let below = "root.x not null; root.x.next not null and aliases nothing;
            root.y not null and expands to nothing and aliases root.x.next;";
        assert_eq!(explored(heap, "Program.below", below).as_deref(), Ok("1"), "{heap}");
        // The order of the declarations finds 0 and the opposite one 2; the program's order has it.
        let middle = |found: i32| {
            format!(
                "ghost Three {{ int met = 0; }} for any Three t {{ t.a null; t.b null; t.c null;
                 t.a on null do {{ assume t.met == {found}; }};
                 t.b on null do {{ t.met += 1; }}; t.c on null do {{ t.met += 1; }}; }}"
            )
        };
        assert_eq!(explored(heap, "Three.middle", &middle(1)).as_deref(), Ok("1"), "{heap}");
        let never = explored(heap, "Three.middle", &middle(3));
        assert!(never.is_err_and(|why| why.contains("contradict themselves")), "{heap}");
        // Nothing is said of y.next itself; what is said of odd nodes need not be said of x.
        let after = "root.x not null and aliases nothing; for any Odd o { o.next aliases nothing; }
            root.x.next not null and expands to nothing and aliases root.y(.next)+;";
        assert_eq!(explored(heap, "Program.after", after).as_deref(), Ok("0 1 2"), "{heap}");
        // No other input leads to a node.
        assert!(
            explored(heap, "Program.apart", alias).is_err_and(|why| why.contains("contradict themselves")),
            "{heap}"
        );
        let never = "root.y not null and expands to nothing and aliases nothing;";
        assert!(
            explored(heap, "Program.same", never).is_err_and(|why| why.contains("contradict themselves")),
            "{heap}"
        );
    }
}

/// What is said of one class, of one input or of aliases is no contradiction where an input may be null, of another class, or an
/// alias of what is looked at before it.
#[test]
fn what_other_inputs_can_be_is_no_contradiction() {
    let source = "class Node { Node next; } class Special extends Node { Node other; }
        class Holder { Node first; }
        class Program {
          int below(Node x, Node y) := if x = null then 0 else if x.next = y then 1 else 2;
          int one(Node x) := if x = null then 0 else if x instanceof Special then 1 else 2;
          int held(Holder h, Node x) := if x = null then 0 else if h = null then 1 else if h.first = null then 2 else 3;
        }";
    let program = program(source);
    let explored = |heap, entry: &str, text: &str| results(&program, heap, entry, text);
    for heap in HeapKind::ALL {
        // y is an alias of x.next.
        let alias = "root.x not null; not (root.y aliases nothing); root.y never aliases root.x; root.x.next not null;";
        let below = explored(heap, "Program.below", alias);
        assert!(below.as_ref().is_ok_and(|values| values.contains('1') || values.contains("==")), "{heap}: {below:?}");
        // There is no special node; but others, and null.
        assert_eq!(explored(heap, "Program.one", "for any Special s { s null; }").as_deref(), Ok("0 2"), "{heap}");
        assert_eq!(explored(heap, "Program.one", "for any Node n { n null; }").as_deref(), Ok("0"), "{heap}");
        let special = "root.x not null and expands to Special;";
        assert_eq!(explored(heap, "Program.one", special).as_deref(), Ok("1"), "{heap}");
        // The formula is about an input, and holds or fails whatever the object of the scope is.
        let apart = "for any Holder h { h.first aliases nothing; } not (root.x null);";
        assert_eq!(explored(heap, "Program.held", apart).as_deref(), Ok("1 2 3"), "{heap}");
        // No receiver without an object of its own class.
        let never = explored(heap, "Program.one", "for any Program p { p not null; p null; }");
        assert!(never.is_err_and(|why| why.contains("contradict themselves")), "{heap}");
    }
}
