//! Invariants of Java programs. The subjects of the HEX document in Java have the traces that they have in the tiny language, with the
//! same files of invariants; the heap models agree; HEX and bounded model finding leave no invalid trace; and what is called a valid
//! heap satisfies `repOk` on the real JVM. The JDK's own LinkedList and TreeMap are subjects too.

use crate::java;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lazuli::Control;
use lazuli::Run;
use lazuli_cli::tables::hex::{SUBJECTS, Subject as Tiny};
use lazuli_engine::Outcome;
use lazuli_engine::config::{Bounds, Config, HeapKind, Ints, Most, TraceDetail};
use lazuli_engine::confirm::{Replayer, run_concrete};
use lazuli_engine::invariant::Invariant;
use lazuli_engine::limits::Watch;
use lazuli_engine::witness::{Concrete, Witness};
use lazuli_invariant::complete::{self, Cut};
use lazuli_invariant::{InvariantSource, Invariants, Technique};
use lazuli_lab::audit;
use lazuli_program::Program;
use lazuli_program::frontend::java::{load, load_classes};
use lazuli_program::ir::MethodId;
use lazuli_program::library::World;

use java::{options, run};

/// A subject of the document in Java.
struct Subject {
    number: &'static str,
    /// Its source below `programs/java/hex`, and its class.
    source: &'static str,
    class: &'static str,
    /// The class of its nodes, and how many of them there are at most.
    node: &'static str,
    nodes: u32,
    completion: u32,
}

const SUBJECTS_IN_JAVA: [Subject; 3] = [
    Subject {
        number: "P1",
        source: "linkedlist/LinkedList.java",
        class: "hex/linkedlist/LinkedList",
        node: "Entry",
        nodes: 4,
        completion: 7,
    },
    Subject {
        number: "P2",
        source: "treemap/TreeMap.java",
        class: "hex/treemap/TreeMap",
        node: "Entry",
        nodes: 3,
        completion: 7,
    },
    Subject {
        number: "P3",
        source: "avltree/AvlTree.java",
        class: "hex/avltree/AvlTree",
        node: "AvlNode",
        nodes: 3,
        completion: 4,
    },
];

/// The models under which every trace of HEX was resolved when it was loaded.
const MODELS: [HeapKind; 4] = [HeapKind::Lazy, HeapKind::Summary, HeapKind::Pose, HeapKind::PoseIte];

/// Under lazy initialization an argument is resolved when it is passed on. In Java these methods loop where those of the tiny
/// language call themselves, and so they do not look at the argument if the list is empty: one trace less.
const NOT_PASSED_ON: [&str; 3] = ["indexOf", "lastIndexOf", "remove"];

impl Subject {
    fn tiny(&self) -> &'static Tiny {
        SUBJECTS.iter().find(|subject| subject.number == self.number).expect("a subject of the table")
    }

    fn load(&self) -> Program {
        let path = format!("{}/hex/{}", java::SOURCES, self.source);
        let world = World { max_array: 4, max_string: 2, ..World::default() };
        load_classes(Path::new(&path), &options(None, world)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The names of the targets, which are the same in both languages.
    fn targets(&self) -> impl Iterator<Item = &'static str> {
        self.tiny().entries.iter().map(|entry| entry.split_once('.').expect("Class.method").1)
    }

    /// The objects that a valid input may have.
    fn quota(&self) -> Vec<Most> {
        vec![Most::of(self.node, self.completion)]
    }

    fn invariants(&self, program: &Program, technique: Technique) -> Arc<dyn Invariant> {
        let path = format!("../programs/hex/subjects/{}.{}", self.tiny().file, technique);
        let completion = self.quota();
        let file = technique.reads_file().then(|| path.into());
        let source = InvariantSource { file, ..InvariantSource::methods(technique, completion) };
        Invariants::load(&source, program).unwrap_or_else(|error| panic!("{error}")).shared()
    }

    fn config(&self, program: &Program, technique: Technique, heap: HeapKind) -> Config {
        let n = vec![Most::of(self.node, self.nodes)];
        Config {
            heap,
            bounds: Bounds { n, steps: 100_000, calls: 60, ..Bounds::default() },
            invariants: Some(self.invariants(program, technique)),
            detail: TraceDetail::Full,
            ..Config::default()
        }
    }
}

/// Makes a method of a class the program's entry. Gives its target on the real JVM.
fn set_entry(program: &mut Program, class: &str, method: &str) -> String {
    let library = program.library.as_deref().expect("a program in Java");
    let id = library.class_id(class);
    let methods = &library.java(id).declared_methods;
    let found: Vec<_> = methods.iter().filter(|((name, _), _)| **name == *method).collect();
    let [((_, descriptor), entry)] = found[..] else { panic!("{class} has not one method {method}") };
    let target = format!("{}.{method}{descriptor}", class.replace('/', "."));
    (program.main, program.receiver) = (Some(*entry), Some(id));
    target
}

#[test]
fn subjects_have_the_traces_of_the_tiny_language() {
    for subject in &SUBJECTS_IN_JAVA {
        let mut program = subject.load();
        let tiny = subject.tiny().load(Path::new("../programs")).expect("the subject loads");
        for heap in MODELS {
            let config = subject.config(&program, Technique::Hex, heap);
            let invariants = Some(subject.invariants(&tiny, Technique::Hex));
            for method in subject.targets() {
                set_entry(&mut program, subject.class, method);
                let name = format!("{}.{method} under {heap}", subject.tiny().file);
                let ours = run(&program, &config, &name);
                let entry = Some(format!("{}.{method}", subject.tiny().file));
                let theirs = run(&tiny, &Config { entry, invariants: invariants.clone(), ..config.clone() }, &name);
                // A comparison that is returned is a value there, and a branch in bytecode.
                if method == "isEmpty" {
                    assert_eq!(ours.counts.returned, 2, "{name}");
                    continue;
                }
                let (counts, mut expected) = (ours.counts, theirs.counts);
                if heap == HeapKind::Lazy && NOT_PASSED_ON.contains(&method) && subject.number == "P1" {
                    expected.returned -= 1;
                    expected.traces -= 1;
                }
                assert_eq!(
                    (counts.traces, counts.returned, counts.threw, counts.stopped),
                    (expected.traces, expected.returned, expected.threw, expected.stopped),
                    "{name}"
                );
            }
        }
    }
}

/// Where no bound cuts anything off, all models have the same control-flow paths.
#[test]
fn models_agree() {
    let subject = &SUBJECTS_IN_JAVA[0];
    let mut program = subject.load();
    for method in ["getFirst", "getLast", "add", "addFirst", "removeFirst", "removeLast", "clear"] {
        set_entry(&mut program, subject.class, method);
        let mut flows = Vec::new();
        for heap in HeapKind::ALL {
            let mut config = subject.config(&program, Technique::Hex, heap);
            config.bounds.n = Vec::new();
            let run = run(&program, &config, &format!("{method} under {heap}"));
            flows.push(run.traces.iter().map(|trace| trace.flow).collect::<BTreeSet<_>>());
        }
        assert!(!flows[0].is_empty() && flows.iter().all(|other| *other == flows[0]), "{method}: {flows:?}");
    }
}

/// Every trace of HEX and of bounded model finding has a valid completion, by `repOk`; conservative invariants and pre-evaluation
/// lose none of them.
#[test]
fn no_trace_is_invalid() {
    for subject in &SUBJECTS_IN_JAVA {
        let mut program = subject.load();
        for method in subject.targets() {
            set_entry(&mut program, subject.class, method);
            let measure = |technique: Technique| {
                let config = subject.config(&program, technique, HeapKind::Lazy);
                let extent = audit::Extent { completion: subject.quota(), time: Duration::from_secs(60) };
                audit::audit(&program, &config, extent, &Control::default()).unwrap_or_else(|error| panic!("{error}"))
            };
            let name = format!("{}.{method}", subject.tiny().file);
            let (hex, consp) = (measure(Technique::Hex), measure(Technique::Consp));
            assert_eq!((hex.invalid, hex.unknown, hex.stopped, hex.incomplete), (0, 0, 0, None), "{name}: HEX");
            assert!(hex.valid > 0, "{name}");
            assert_eq!(consp.valid, hex.valid, "{name}: the valid traces of ConsP and HEX");
            // Asking for completions at every assumption takes seconds where insertion rebalances.
            if subject.number != "P3" || method != "insert" {
                let bounded = measure(Technique::Bounded);
                assert_eq!((bounded.invalid, bounded.valid, bounded.unknown), (0, hex.valid, 0), "{name}: bounded");
            }
        }
    }
}

/// Shapes of trees are the same in both languages. Where `mona` is not installed, it says so.
#[test]
fn shapes_of_trees() {
    let subject = &SUBJECTS_IN_JAVA[1];
    let mut program = subject.load();
    let tiny = subject.tiny().load(Path::new("../programs")).expect("the subject loads");
    for method in ["get", "remove"] {
        set_entry(&mut program, subject.class, method);
        let mut config = subject.config(&program, Technique::Mso, HeapKind::Lazy);
        config.bounds.n = vec![Most::of_all(2)];
        let invariants = Some(subject.invariants(&tiny, Technique::Mso));
        let entry = Some(format!("TreeMap.{method}"));
        let theirs = Config { entry, invariants, ..config.clone() };
        match std::process::Command::new("mona").output().is_ok() {
            true => {
                let (ours, theirs) = (run(&program, &config, method), run(&tiny, &theirs, method));
                assert_eq!(ours.counts.traces, theirs.counts.traces, "{method}");
                assert!(ours.counts.pruned_invariant > 0, "{method}");
            }
            false => {
                let error = java::explore(&program, &config).expect_err("refused");
                assert!(error.to_string().contains("mona"), "{error}");
            }
        }
    }
}

/// `insert` computes with the heights of nodes whose children it never looks at, and of those the conservative invariant and shapes
/// know nothing: some traces exist only because a height at the end of 32 bits wraps around. They are the same in both languages,
/// there are none without wrap-around, and none of them is valid.
#[test]
fn heights_that_wrap_around() {
    let subject = &SUBJECTS_IN_JAVA[2];
    let mut program = subject.load();
    set_entry(&mut program, subject.class, "insert");
    let tiny = subject.tiny().load(Path::new("../programs")).expect("the subject loads");
    let measure = |technique: Technique| {
        let config = subject.config(&program, technique, HeapKind::Lazy);
        let extent = audit::Extent { completion: subject.quota(), time: Duration::from_secs(60) };
        audit::audit(&program, &config, extent, &Control::default()).unwrap_or_else(|error| panic!("{error}"))
    };
    let valid = measure(Technique::Hex).valid;
    let has_mona = std::process::Command::new("mona").output().is_ok();
    for (technique, wrapped) in [(Technique::Hex, 0), (Technique::Consp, 2), (Technique::Mso, 8)] {
        if technique == Technique::Mso && !has_mona {
            continue;
        }
        let config = subject.config(&program, technique, HeapKind::Lazy);
        let in_java = run(&program, &config, "insert");
        let entry = Some("AvlTree.insert".into());
        let config = Config { entry, invariants: Some(subject.invariants(&tiny, technique)), ..config };
        let unbounded = run(&tiny, &config, "insert");
        let narrow = run(&tiny, &Config { ints: Ints::Bits(32), ..config }, "insert");
        let counted = |run: &Run| (run.counts.traces, run.counts.returned, run.counts.threw, run.counts.stopped);
        assert_eq!(counted(&in_java), counted(&narrow), "{technique}");
        let known: BTreeSet<_> = unbounded.traces.iter().map(|trace| trace.flow).collect();
        let new: Vec<_> = narrow.traces.iter().filter(|trace| !known.contains(&trace.flow)).collect();
        assert_eq!(
            (new.len() as u64, narrow.counts.traces - unbounded.counts.traces),
            (wrapped, wrapped),
            "{technique}"
        );
        for trace in new {
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
            let fields = witness.objects.iter().flat_map(|object| &object.fields);
            let mut heights = fields.filter(|(field, _)| tiny.field(*field).name == "height").map(|(_, value)| *value);
            let is_last =
                |value: Concrete| matches!(value, Concrete::Int(h) if h == i32::MAX as i128 || h == i32::MIN as i128);
            assert!(heights.any(is_last), "{technique}: {}", trace.id());
        }
        assert_eq!(measure(technique).valid, valid, "{technique}");
    }
}

/// What a trace promises of the real JVM.
fn promise(program: &Program, target: &str, witness: &Witness) -> String {
    let entry = program.main.expect("an entry");
    java::witness::request(program, entry, target, witness).expect("all inputs are parameters")
}

fn check_answers(promises: &[(String, String)]) {
    let requests: Vec<String> = promises.iter().map(|(request, _)| request.clone()).collect();
    for ((request, promised), answer) in promises.iter().zip(java::run_on_jvm(&requests)) {
        assert!(answer.starts_with(promised), "{request}\n    promised: {promised}\n    JVM:      {answer}");
    }
}

fn promised(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned => "returned ".into(),
        Outcome::Threw(class) => format!("threw {class} "),
        other => panic!("{other}"),
    }
}

/// Witnesses are whole: they satisfy `repOk` on the real JVM, whatever the program looked at, and the traces end there as they
/// end here.
#[test]
fn witnesses_are_valid_on_the_jvm() {
    for subject in &SUBJECTS_IN_JAVA {
        let mut program = subject.load();
        let valid = set_entry(&mut program, subject.class, "repOk");
        let mut promises = Vec::new();
        for method in subject.targets() {
            let target = set_entry(&mut program, subject.class, method);
            for (technique, heap) in [
                (Technique::Hex, HeapKind::Lazy),
                (Technique::Hex, HeapKind::Pose),
                (Technique::Prep, HeapKind::Lazy),
                (Technique::Prep, HeapKind::Summary),
                (Technique::Bounded, HeapKind::Lazy),
            ] {
                let mut config = subject.config(&program, technique, heap);
                config.bounds.n = vec![Most::of_all(2)];
                for trace in run(&program, &config, &target).traces {
                    let facts = trace.detail.expect("kept");
                    let mut witness = facts.witness.expect("a feasible trace has a witness");
                    promises.push((promise(&program, &target, &witness), promised(&trace.outcome)));
                    witness.roots.retain(|(root, _)| root == "this");
                    let before = program.main;
                    set_entry(&mut program, subject.class, "repOk");
                    promises.push((promise(&program, &valid, &witness), "returned true".into()));
                    program.main = before;
                }
            }
        }
        assert!(promises.len() > 100, "{}", promises.len());
        check_answers(&promises);
    }
}

/// The complete heaps that invariants accept, with at most so many objects of a class.
fn complete_heaps(program: &Program, invariants: Arc<dyn Invariant>, size: u32) -> Vec<Witness> {
    let config = Config { invariants: Some(invariants), ..Config::default() };
    let all = complete::roots(program, &Invariants::of(&config).expect("given").hex, None);
    let [roots] = all.as_slice() else { panic!("one structure: {all:?}") };
    let extent = complete::Extent {
        size,
        keep: 1_000,
        accept: u64::MAX,
        steps: u64::MAX,
        order: complete::Order::Declared,
        numbers: None,
    };
    let accepted = complete::complete(program, &config, roots, extent);
    assert_eq!(accepted.cut, Some(Cut::Size), "there are larger ones");
    assert_eq!(accepted.count, accepted.heaps.len() as u64);
    accepted.heaps
}

/// As many complete heaps as in the tiny language, and the real JVM finds each of them valid.
#[test]
fn complete_heaps_are_valid_on_the_jvm() {
    for (subject, size, expected) in
        SUBJECTS_IN_JAVA.iter().zip([6, 5, 5]).zip([6, 18, 15]).map(|((s, n), e)| (s, n, e))
    {
        let mut program = subject.load();
        let heaps = complete_heaps(&program, subject.invariants(&program, Technique::Hex), size);
        assert_eq!(heaps.len(), expected, "{}", subject.class);
        let target = set_entry(&mut program, subject.class, "repOk");
        let mut promises = Vec::new();
        for mut heap in heaps {
            heap.roots[0].0 = "this".into();
            promises.push((promise(&program, &target, &heap), "returned true".into()));
        }
        check_answers(&promises);
    }
}

/// The JDK's library with all keys and elements integers.
fn jdk(entry: Option<&str>) -> Program {
    let types = vec![("java.lang.Object".to_string(), vec!["java.lang.Integer".to_string()])];
    let world = World { types, max_array: 4, max_string: 2, ..World::default() };
    let options = options(entry, world);
    let program =
        if entry.is_some() { load(Path::new("jdk"), &options) } else { load_classes(Path::new("jdk"), &options) };
    program.unwrap_or_else(|error| panic!("{error}"))
}

fn of_the_jdk(program: &Program, class: &str) -> Arc<dyn Invariant> {
    let file = format!("{}/jdk/{class}.hex", java::SOURCES);
    let hex = lazuli_invariant::hex::load(program, Path::new(&file)).unwrap_or_else(|error| panic!("{error}"));
    Invariants::of_hex(hex).shared()
}

/// Lists of 0 to 5 nodes; coloured trees of up to 5 entries.
#[test]
fn complete_heaps_of_the_jdk() {
    for (class, expected) in [("LinkedList", 6), ("TreeMap", 18)] {
        let program = jdk(None);
        assert_eq!(complete_heaps(&program, of_the_jdk(&program, class), 5).len(), expected, "{class}");
    }
}

/// The JDK's own code throws only what it documents on valid lists and trees, and ends on the real JVM as it ends here.
#[test]
fn methods_of_the_jdk_on_valid_inputs() {
    let mut promises = Vec::new();
    for (entry, node, heap, traces, thrown) in [
        ("java.util.LinkedList.getFirst", "LinkedList.Node", HeapKind::Pose, 2, "java.util.NoSuchElementException"),
        ("java.util.LinkedList.removeLast", "LinkedList.Node", HeapKind::Lazy, 5, "java.util.NoSuchElementException"),
        ("java.util.LinkedList.removeLast", "LinkedList.Node", HeapKind::Pose, 3, "java.util.NoSuchElementException"),
        ("java.util.LinkedList.get", "LinkedList.Node", HeapKind::Summary, 10, "java.lang.IndexOutOfBoundsException"),
        ("java.util.TreeMap.get", "TreeMap.Entry", HeapKind::Lazy, 85, "java.lang.NullPointerException"),
        ("java.util.TreeMap.get", "TreeMap.Entry", HeapKind::Summary, 23, "java.lang.NullPointerException"),
        ("java.util.TreeMap.get", "TreeMap.Entry", HeapKind::Pose, 23, "java.lang.NullPointerException"),
        ("java.util.TreeMap.put(Object,Object)", "TreeMap.Entry", HeapKind::Pose, 36, "java.lang.NullPointerException"),
        ("java.util.TreeMap.firstKey", "TreeMap.Entry", HeapKind::Pose, 4, "java.util.NoSuchElementException"),
        ("java.util.ArrayList.get", "ArrayList", HeapKind::Lazy, 4, "java.lang.IndexOutOfBoundsException"),
        ("java.util.ArrayList.get", "ArrayList", HeapKind::Summary, 3, "java.lang.IndexOutOfBoundsException"),
        ("java.util.ArrayList.remove(int)", "ArrayList", HeapKind::Pose, 4, "java.lang.IndexOutOfBoundsException"),
    ] {
        let program = jdk(Some(entry));
        let class = entry.split('.').nth(2).expect("a class");
        let n = vec![Most::of(&format!("java.util.{node}"), if class == "LinkedList" { 4 } else { 3 })];
        let mut config = Config { heap, detail: TraceDetail::Full, ..Config::default() };
        config.bounds = Bounds { n, depth: 100, ..Bounds::default() };
        // Without invariants there are more inputs; on trees of any shape there would be no end to it.
        if entry == "java.util.LinkedList.removeLast" && heap == HeapKind::Lazy {
            let anything = java::explore(&program, &config).expect("the entry exists");
            assert!(anything.counts.traces > traces, "{entry} under {heap}: {}", anything.counts.traces);
        }
        config.invariants = Some(of_the_jdk(&program, class));
        let run = run(&program, &config, entry);
        assert_eq!((run.counts.traces, run.counts.stopped), (traces, 0), "{entry} under {heap}");
        let library = program.library.as_deref().expect("a program in Java");
        let declared = library.declared(program.main.expect("an entry"));
        let target = format!("java.util.{class}.{}{}", declared.name, declared.descriptor);
        for trace in &run.traces {
            if let Outcome::Threw(exception) = &trace.outcome {
                assert_eq!(exception, thrown, "{entry} under {heap}");
            }
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
            promises.push((promise(&program, &target, witness), promised(&trace.outcome)));
        }
    }
    check_answers(&promises);
}

/// What a subclass adds to an invariant is asked of objects that are declared with its superclass, in the fields of the subclass too.
#[test]
fn invariants_of_subclasses() {
    let source = "import lazuli.Lazuli;
        class Node {
            Node next; byte b; boolean t;
            boolean repOk() { return next == null || next.b > b && next.repOk(); }
            boolean repOkConservative() {
                return !Lazuli.isResolved(this, \"next\") || next == null || next.b > b && next.repOkConservative();
            }
        }
        class Sub extends Node {
            Node other;
            boolean repOk() { return super.repOk() && other != this && t; }
            boolean repOkConservative() {
                return super.repOkConservative() && (!Lazuli.isResolved(this, \"other\") || other != this) && t;
            }
        }
        class Small {
            static int look(Node n) {
                if (n == null) return 0;
                if (n.next == null) return 1;
                if (n.next == n) return 2;
                if (n instanceof Sub) return ((Sub) n).other == n ? 3 : 4;
                return n.next.b > n.b ? 5 : 6;
            }
        }";
    let program = java::small::load_small("subclasses", source, "Small.look", World::default());
    let explored = |technique: Technique, heap: HeapKind| {
        let invariants = Invariants::load(&InvariantSource::methods(technique, vec![Most::of_all(3)]), &program)
            .expect("methods of the program");
        let bounds = Bounds { n: vec![Most::of_all(3)], ..Bounds::default() };
        let invariants = Some(invariants.shared());
        let config = Config { heap, bounds, invariants, detail: TraceDetail::Full, ..Config::default() };
        let run = run(&program, &config, "subclasses");
        assert_eq!((run.counts.stopped, run.counts.threw, run.counts.doubtful()), (0, 0, 0), "{technique}, {heap}");
        (run.counts.traces, java::small::returned(&run))
    };
    for heap in HeapKind::ALL {
        assert_eq!(explored(Technique::Prep, heap).1, ["0", "1", "4", "5"], "{heap}");
    }
    for heap in [HeapKind::Lazy, HeapKind::Lazier, HeapKind::LazierSharp] {
        // Of the numbers ConsP keeps nothing.
        let (kept, values) = explored(Technique::Consp, heap);
        assert_eq!((kept, values.join(" ").as_str()), (7, "0 1 4 5 6"), "{heap}");
        let (kept, values) = explored(Technique::Bounded, heap);
        assert_eq!((kept, values.join(" ").as_str()), (6, "0 1 4 5"), "{heap}");
    }
}

/// The collections of witnesses are whole as well: one meets as many elements as they say that they have.
#[test]
fn witnesses_of_collections_are_whole() {
    let source = "import java.util.*;
        class Small {
            static int list(LinkedList<Integer> c, int i) { return c.get(i) == null ? 0 : 1; }
            static int some(List<Integer> c) { return c.size() > 2 ? 1 : c.isEmpty() ? 2 : 3; }
            static int tree(TreeSet<Integer> c, int i) { return c.contains(i) ? c.size() : -1; }
            static int hash(HashSet<Integer> c) { return c.size() == 3 ? 1 : 0; }
            static int deque(ArrayDeque<Integer> c) { return c.peekFirst() == null ? 0 : 1; }
            static void walk(Collection<Integer> c) {
                if (c == null) return;
                int number = 0;
                for (Iterator<Integer> i = c.iterator(); i.hasNext(); i.next()) number++;
                assert number == c.size();
            }
        }";
    for (entry, heap) in [
        ("Small.list", HeapKind::Pose),
        ("Small.list", HeapKind::Lazy),
        ("Small.some", HeapKind::Summary),
        ("Small.some", HeapKind::LazierSharp),
        ("Small.tree", HeapKind::Pose),
        ("Small.hash", HeapKind::Pose),
        ("Small.deque", HeapKind::Lazier),
    ] {
        let world = World { max_array: 4, ..World::default() };
        let mut program = java::small::load_small("whole", source, entry, world);
        let bounds = Bounds { n: vec![Most::of_all(8)], ..Bounds::default() };
        let invariants = Invariants::usual(&program).expect("the files are read").map(Invariants::shared);
        let config = Config { heap, bounds, invariants, detail: TraceDetail::Full, ..Config::default() };
        let explored = run(&program, &config, entry);
        let walk = set_entry(&mut program, "Small", "walk");
        assert!(explored.traces.len() > 1, "{entry} under {heap}");
        let entry_of_walk = program.main.expect("just set");
        program.receiver = None;
        for trace in &explored.traces {
            let facts = trace.detail.as_ref().expect("kept");
            let mut witness = facts.witness.clone().expect("a feasible trace has a witness");
            witness.roots.retain(|(root, _)| root == "c");
            let plain = Config::default();
            let (outcome, _) = run_concrete(&program, &plain, entry_of_walk, &witness).expect("it is run");
            let shown = witness.show(&program).join("; ");
            assert_eq!(outcome, Outcome::Returned, "{entry} under {heap}, {walk}: {shown}");
        }
    }
}

/// `repOk` as people write it: with a set of visited nodes, boxes, a queue, a stream; recursive, private, by other names. The
/// witnesses of every technique satisfy it.
#[test]
fn invariants_as_people_write_them() {
    let subjects = [
        ("Doubly", "get", "repOk", "Doubly$Node"),
        ("Search", "contains", "repOK", "Search$Node"),
        ("Avl", "find", "invariant", "Avl$Node"),
        ("RedBlack", "second", "repOk", "RedBlack$Entry"),
        ("Schedule", "block", "repOk", "Schedule$Process"),
        ("Chains", "get", "checkRep", "Chains$Entry"),
    ];
    let path = Path::new("java/repok/Structures.java");
    let mut program = load_classes(path, &options(None, World::default())).unwrap_or_else(|error| panic!("{error}"));
    for (class, method, rep_ok, node) in subjects {
        let (class, node) = (format!("repok/{class}"), format!("repok.{node}"));
        let mut traces = Vec::new();
        for (technique, heap) in [
            (Technique::Bounded, HeapKind::Lazy),
            (Technique::Bounded, HeapKind::LazierSharp),
            (Technique::Prep, HeapKind::Lazy),
            (Technique::Prep, HeapKind::Pose),
        ] {
            set_entry(&mut program, &class, method);
            let completion = vec![Most::of(&node, 3)];
            let rep_ok_name = Some(rep_ok.to_string());
            let source = InvariantSource { rep_ok: rep_ok_name, ..InvariantSource::methods(technique, completion) };
            let invariants = Invariants::load(&source, &program).expect("methods of the program").shared();
            let bounds = Bounds { n: vec![Most::of(&node, 3)], ..Bounds::default() };
            let config =
                Config { heap, bounds, invariants: Some(invariants), detail: TraceDetail::Full, ..Config::default() };
            let name = format!("{class}.{method} by {technique} under {heap}");
            let explored = run(&program, &config, &name);
            assert!(explored.counts.stopped == 0 && explored.counts.returned > 0, "{name}");
            set_entry(&mut program, &class, rep_ok);
            let valid = program.main.expect("just set");
            for trace in &explored.traces {
                let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()).expect("a witness");
                assert!(is_true(&program, valid, witness), "{name}: {}", witness.show(&program).join("; "));
            }
            traces.push(explored.counts.traces);
        }
        assert!(traces[0] <= traces[2], "{class}: PrEP tells apart what nobody looks at: {traces:?}");
    }
}

/// Whether a method is true of the receiver of a witness.
fn is_true(program: &Program, method: MethodId, witness: &Witness) -> bool {
    let mut witness = witness.clone();
    witness.roots.retain(|(root, _)| root == "this");
    let config = Config::default();
    let (outcome, flow) = run_concrete(program, &config, method, &witness).expect("it is run");
    let mut replayer = Replayer::new(program, &config, method);
    let ending = replayer.confirm(&witness, &outcome, flow, &Watch::default()).ending.expect("it ends as before");
    matches!(ending.value, Some(Concrete::Bool(true) | Concrete::Int(1)))
}
