//! The JDK's library: every class of java.base is read and every body decoded, from every JDK on the machine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_program::bytecode::{ClassFile, ClassPath, Jdk};

use crate::bytecode::open;

#[test]
fn reads_all_of_java_base() {
    read_java_base(&open("jdk"));
}

#[test]
fn reads_the_library_of_every_jdk_on_the_machine() {
    let used = open("jdk").jdk().home.canonicalize().unwrap();
    let entries = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let homes: BTreeSet<PathBuf> = entries.filter_map(|e| e.ok()?.path().canonicalize().ok()).collect();
    for home in homes.into_iter().filter(|home| *home != used && home.join("lib/modules").is_file()) {
        println!("{}", home.display());
        let jdk = Jdk::at(&home).unwrap();
        read_java_base(&ClassPath::open_with(Path::new("jdk"), &[], jdk).unwrap());
    }
}

fn read_java_base(classes: &ClassPath) {
    let names = classes.jdk_classes();
    let in_base = |name: &&String| {
        let package = name.rsplit_once('/').unwrap().0;
        classes.module(package).unwrap().as_deref() == Some("java.base")
    };
    let base: Vec<&String> = names.iter().filter(in_base).collect();
    assert!(base.len() > 6000, "java.base has only {} classes", base.len());
    let start = Instant::now();
    let base: Vec<Arc<ClassFile>> = base.iter().map(|name| classes.find(name).unwrap().unwrap()).collect();
    let reading = start.elapsed();
    let start = Instant::now();
    let (mut bodies, mut ops) = (0, 0);
    for class in &base {
        for method in &class.methods {
            let code = method.code().unwrap();
            assert_eq!(code.is_some(), method.has_code());
            bodies += code.is_some() as usize;
            ops += code.map_or(0, |c| c.ops.len());
        }
    }
    println!(
        "{} classes read in {reading:?}; {bodies} bodies of {ops} instructions decoded in {:?}",
        base.len(),
        start.elapsed()
    );
    assert!(bodies > 40_000 && ops > 1_500_000, "{bodies} bodies, {ops} instructions");
}

/// Opening lists nothing, and one class costs little: a run that needs 200 classes starts at once.
#[test]
fn starts_quickly() {
    let start = Instant::now();
    let classes = open("jdk");
    let opening = start.elapsed();
    let bytes = classes.find("java/util/TreeMap").unwrap().unwrap().bytes().to_vec();
    let time = |_| {
        let bytes = bytes.clone();
        let start = Instant::now();
        let class = ClassFile::read(bytes, "TreeMap").unwrap();
        let time = start.elapsed();
        assert_eq!(&*class.name, "java/util/TreeMap");
        time
    };
    let best = (0..50).map(time).min().unwrap();
    println!("opened in {opening:?}, java.util.TreeMap without bodies read in {best:?}");
    // Far more than it takes, because machines differ and are busy.
    assert!(opening < Duration::from_millis(50) && best < Duration::from_millis(1));
}

#[test]
fn knows_what_the_class_file_says() {
    let classes = open("jdk");
    let object = classes.require("java/lang/Object").unwrap();
    assert!(object.superclass.is_none() && object.interfaces.is_empty());
    let map = classes.require("java/util/TreeMap").unwrap();
    assert_eq!(map.superclass.as_deref(), Some("java/util/AbstractMap"));
    assert_eq!(map.source_file.as_deref(), Some("TreeMap.java"));
    assert!(map.nest_members.iter().any(|m| &**m == "java/util/TreeMap$Entry"));
    assert!(map.field("root", "Ljava/util/TreeMap$Entry;").unwrap().access.is_private());
    let entry = classes.require("java/util/TreeMap$Entry").unwrap();
    assert_eq!(entry.nest_host.as_deref(), Some("java/util/TreeMap"));
    let put = map.method("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;").unwrap();
    assert!(put.access.is_public() && put.code().unwrap().unwrap().line(0).is_some());
    assert!(object.method("hashCode", "()I").unwrap().code().unwrap().is_none(), "it is native");
    assert!(classes.find("[I").unwrap().is_none());
    assert!(classes.find("java/util/NoSuchClass").unwrap().is_none());
    assert!(classes.find("no/such/package/C").unwrap().is_none());
    assert!(classes.user_classes().is_empty());
}

/// The number of a class depends neither on what was read before nor on the order of questions.
#[test]
fn numbers_every_class_once() {
    let (classes, others) = (open("jdk"), open("jdk"));
    let mut seen = BTreeSet::new();
    for name in classes.jdk_classes() {
        let number = classes.class_number(&name).unwrap();
        assert!(number < classes.numbers() && seen.insert(number), "{name} has the number {number}");
        assert_eq!(classes.class_name(number), Some(name));
    }
    others.find("java/util/HashMap").unwrap();
    for name in ["java/util/HashMap", "java/lang/Object", "java/util/TreeMap"] {
        assert_eq!(classes.class_number(name), others.class_number(name));
    }
    assert_eq!(classes.class_number("java/util/NoSuchClass"), None);
    assert_eq!(classes.class_name(u32::MAX), None);
}

#[test]
fn threads_share_one_copy_of_a_class() {
    let classes = open("jdk");
    let names = ["java/lang/String", "java/util/HashMap", "java/util/TreeMap", "java/lang/Integer"];
    let read = || names.map(|name| classes.find(name).unwrap().unwrap());
    let copies: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(read)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for copy in &copies {
        assert!(copy.iter().zip(&copies[0]).all(|(a, b)| Arc::ptr_eq(a, b)));
    }
}
