//! What is listed of Java's classes is listed in the same order, whatever was loaded first.

use std::path::Path;

use lazuli_program::Program;
use lazuli_program::frontend::java::{JavaOptions, load_classes};
use lazuli_program::ir::{ClassId, MethodId};
use lazuli_program::library::{Library, World, access};

/// The JDK after these classes were linked, in this order.
fn jdk(first: &[&str]) -> Program {
    let types = vec![("java.util.SortedSet".into(), vec!["java.util.TreeSet".into(), "java.util.ArrayList".into()])];
    let world = World { types, max_string: 5, max_array: 5, ..World::default() };
    let options = JavaOptions { class_path: Vec::new(), entry: None, world, provided: |_, _, _| false };
    let program = load_classes(Path::new("jdk"), &options).unwrap_or_else(|e| panic!("{e}"));
    for name in first {
        library(&program).class(library(&program).class_id(name));
    }
    program
}

fn library(program: &Program) -> &Library {
    program.library.as_deref().expect("a program in Java")
}

fn names(program: &Program, intervals: &[(u32, u32)]) -> Vec<String> {
    let classes = intervals.iter().flat_map(|&(low, high)| low..=high);
    classes.map(|class| program.class(ClassId(class)).name.clone()).collect()
}

const LISTS: [&str; 4] = ["java/util/Vector", "java/util/LinkedList", "java/util/ArrayList", "java/util/Stack"];

/// The implementations of `List.add`, each with the classes that run it.
fn implementations(program: &Program) -> Vec<(Option<String>, Vec<String>)> {
    let library = library(program);
    let add = library.selector(&"add".into(), &"(Ljava/lang/Object;)Z".into());
    let mut numbers: Vec<ClassId> = LISTS.iter().map(|name| library.class_id(name)).collect();
    numbers.sort_unstable();
    let found = program.implementations(numbers.into_iter(), library.class_id("java/util/List"), add);
    let shown = found.into_iter().map(|(method, classes)| {
        let mut classes = names(program, &classes);
        classes.sort();
        (method.map(|method| program.method_name(method)), classes)
    });
    shown.collect()
}

#[test]
fn implementations_are_listed_by_class_name() {
    let mut reversed = LISTS;
    reversed.reverse();
    let (a, b) = (jdk(&LISTS), jdk(&reversed));
    let number = |program: &Program| LISTS.map(|name| library(program).class_id(name));
    assert_ne!(number(&a), number(&b), "the order of loading shows in the numbers");
    let listed = implementations(&a);
    let methods: Vec<&str> = listed.iter().filter_map(|(method, _)| method.as_deref()).collect();
    assert_eq!(methods, ["java.util.ArrayList.add", "java.util.LinkedList.add", "java.util.Vector.add"]);
    assert_eq!(listed[2].1, ["java.util.Stack", "java.util.Vector"]);
    assert_eq!(listed, implementations(&b));
}

#[test]
fn classes_of_inputs_are_listed_in_one_order() {
    let declared = ["java/lang/Object", "java/util/List", "java/util/Map", "java/util/SortedSet", "java/util/Vector"];
    let (a, b) =
        (jdk(&[]), jdk(&["java/util/TreeMap", "java/lang/String", "java/util/LinkedList", "java/util/TreeSet"]));
    for name in declared {
        let listed = |program: &Program| names(program, &program.input_classes(library(program).class_id(name)));
        assert_eq!(listed(&a), listed(&b), "{name}");
    }
    let lists = names(&a, &a.input_classes(library(&a).class_id("java/util/List")));
    assert_eq!(lists, ["java.util.ArrayList", "java.util.LinkedList"]);
    let chosen = names(&a, &a.input_classes(library(&a).class_id("java/util/SortedSet")));
    assert_eq!(chosen, ["java.util.ArrayList", "java.util.TreeSet"]);
}

/// A lambda's class is called after where it stands, in every process alike.
#[test]
fn lambdas_have_names_of_their_own() {
    let lambdas = |first: &[&str]| {
        let program = jdk(first);
        let library = library(&program);
        let comparator = library.class_id("java/util/Comparator");
        let mut names = Vec::new();
        for method in library.java(comparator).declared_methods.values() {
            let code = &library.body(*method).code;
            names.extend(code.iter().filter_map(|instr| match instr {
                lazuli_program::ir::Instr::New { class, .. } => Some(program.class(*class).name.clone()),
                _ => None,
            }));
        }
        names.retain(|name| name.contains("$$Lambda$"));
        names.sort();
        names
    };
    let names = lambdas(&[]);
    assert!(names.len() > 5 && names.iter().all(|name| name.starts_with("java.util.Comparator$$")), "{names:?}");
    assert_eq!(names, lambdas(&["java/util/TreeMap", "java/util/stream/Stream"]));
}

/// Collections and locks of the JDK that have no objects of their own have implementations, if there is one in their package that
/// everybody can make from nothing; interfaces of one method have none.
#[test]
fn interfaces_of_the_jdk_have_implementations() {
    let options =
        JavaOptions { class_path: Vec::new(), entry: None, world: World::default(), provided: |_, _, _| false };
    let program = load_classes(Path::new("jdk"), &options).unwrap_or_else(|e| panic!("{e}"));
    let library = library(&program);
    let is_made = |class: &ClassId| {
        let (java, new) = (library.java(*class), library.declared_method(*class, "<init>", "()V"));
        let is_public = new.is_some_and(|new| library.declared(new).is(access::PUBLIC));
        java.is(access::PUBLIC) && java.is_instantiable() && is_public
    };
    let is_open = |interface: &ClassId| {
        let java = library.java(*interface);
        let is_abstract = |method: &&MethodId| library.declared(**method).is(access::ABSTRACT);
        let methods = library.class(*interface).methods.values().filter(is_abstract).count();
        java.is(access::INTERFACE) && java.is(access::PUBLIC) && methods > 1
    };
    // Threads are not executed, so nobody waits for what they compute.
    const OF_THREADS: [&str; 6] = ["Future", "Executor", "Completion", "Rejected", "Flow", "ForkJoin"];
    let mut interfaces = 0;
    for package in ["java/util", "java/util/concurrent", "java/util/concurrent/locks"] {
        let mut names = library.path.jdk_classes();
        names.retain(|name| name.rsplit_once('/').is_some_and(|(of, _)| of == package));
        names.retain(|name| !OF_THREADS.iter().any(|word| name.contains(word)));
        let all: Vec<ClassId> = names.iter().map(|name| library.class_id(name)).collect();
        let made: Vec<ClassId> = all.iter().copied().filter(is_made).collect();
        let is_implemented = |interface: &ClassId| made.iter().any(|class| library.is_subclass(*class, *interface));
        for interface in all.into_iter().filter(is_open).filter(is_implemented) {
            interfaces += 1;
            let classes = library.input_classes(interface).into_iter().flat_map(|(low, high)| low..=high).map(ClassId);
            for class in classes {
                let (class, of) = (library.internal_name(class), library.internal_name(interface));
                assert!(made.iter().any(|known| library.internal_name(*known) == class), "{of}: {class}");
            }
        }
    }
    assert!(interfaces > 12, "there are only {interfaces}");
    let comparator = library.input_classes(library.class_id("java/util/Comparator"));
    assert!(library.is_uninterpreted(ClassId(comparator[0].0)));
}
