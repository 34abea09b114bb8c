//! Entry points: everything that a user may write, and what is said when it names no method or several.

use std::sync::LazyLock;

use lazuli_program::bytecode::ClassPath;
use lazuli_program::frontend::java::entry;

use crate::bytecode::{Scratch, compile, open, refused, says};

const ORDERS: &str = r#"
package com.acme;

import java.util.List;
import java.util.Map;

public class Order extends Base implements Comparable<Order>, Priced {
    int n;
    public Order(int n) { this.n = n; }
    public int total(int x) { return n + x; }
    public int total(int x, String s) { return n; }
    static int unique(Map.Entry<String, Integer> e, int[]... rest) { return 0; }
    public int compareTo(Order o) { return n - o.n; }
    static String made(int x) { return "made"; }
    Order copy() { return this; }
    native int outside();
    static class Line { int price(List<String> l) { return 1; } static class Deep { static void m() {} } }
    class Dollar$Name { void m() {} }
}
abstract class Base {
    protected int inherited() { return 1; }
    private int hidden() { return 2; }
    static Object made(int x) { return x; }
    static int[] made() { return null; }
    Object copy() { return this; }
}
interface Priced { default int price() { return 3; } static int helper() { return 4; } }
"#;

static CLASSES: LazyLock<ClassPath> = LazyLock::new(|| compile("com/acme/Order.java", ORDERS));

#[track_caller]
fn finds(entry: &str, class: &str, name: &str, descriptor: &str) {
    let found = entry::resolve(&CLASSES, Some(entry)).unwrap_or_else(|e| panic!("{entry}: {e}"));
    let method = found.method();
    assert_eq!((&*found.class.name, &*method.name, &*method.descriptor), (class, name, descriptor), "{entry}");
}

fn fails(entry: &str) -> String {
    refused(entry::resolve(&CLASSES, Some(entry)))
}

#[test]
fn entries_are_found() {
    let unique = "(Ljava/util/Map$Entry;[[I)I";
    for class in ["com.acme.Order", "Order", "acme.Order", "com/acme/Order"] {
        finds(&format!("{class}.unique"), "com/acme/Order", "unique", unique);
    }
    finds("unique", "com/acme/Order", "unique", unique);
    finds("Order#unique", "com/acme/Order", "unique", unique);
    finds("Order::unique", "com/acme/Order", "unique", unique);
    let two = "(ILjava/lang/String;)I";
    let written = ["(ILjava/lang/String;)I", "(ILjava/lang/String;)", "(int,String)", "( int, java.lang.String )"];
    for parameters in written {
        finds(&format!("Order.total{parameters}"), "com/acme/Order", "total", two);
    }
    for parameters in ["(I)I", "(I)", "(int)"] {
        finds(&format!("com.acme.Order.total{parameters}"), "com/acme/Order", "total", "(I)I");
    }
    for parameters in ["(Map.Entry,int[]...)", "(Entry<String, Integer>, int[][])", "(java.util.Map$Entry,int[][])"] {
        finds(&format!("Order.unique{parameters}"), "com/acme/Order", "unique", unique);
    }
    for class in ["com.acme.Order.Line", "Order.Line", "Order$Line", "Line", "com.acme.Order$Line"] {
        finds(&format!("{class}.price"), "com/acme/Order$Line", "price", "(Ljava/util/List;)I");
    }
    finds("Order.Line.Deep.m", "com/acme/Order$Line$Deep", "m", "()V");
    finds("Order.Dollar$Name.m", "com/acme/Order$Dollar$Name", "m", "()V");
    finds("Order.new", "com/acme/Order", "<init>", "(I)V");
    finds("Order.<init>", "com/acme/Order", "<init>", "(I)V");
    finds("Order.new(int)", "com/acme/Order", "<init>", "(I)V");
}

#[test]
fn inherited_and_generated_methods_are_told_apart() {
    finds("Order.inherited", "com/acme/Base", "inherited", "()I");
    finds("Order.price", "com/acme/Priced", "price", "()I");
    says(&fails("Order.hashCode"), &["com.acme.Order.hashCode() is native"]);
    finds("Order.compareTo", "com/acme/Order", "compareTo", "(Lcom/acme/Order;)I");
    finds("Order.compareTo(Object)", "com/acme/Order", "compareTo", "(Ljava/lang/Object;)I");
    finds("Priced.helper", "com/acme/Priced", "helper", "()I");
    let found = entry::resolve(&CLASSES, Some("Order.inherited")).unwrap();
    assert_eq!(found.readable(), "com.acme.Order.inherited()");
    says(&fails("Order.hidden"), &["there is no method hidden in com.acme.Order"]);
    says(&fails("Order.helper"), &["there is no method helper in com.acme.Order"]);
}

#[test]
fn other_entries_are_explained() {
    says(
        &fails("Order.total"),
        &[
            "Order.total may be one of",
            "com.acme.Order.total(int)  (I)I",
            "com.acme.Order.total(int, java.lang.String)  (ILjava/lang/String;)I",
        ],
    );
    says(&fails("Order.total(long)"), &["there is no Order.total(long); there is", "com.acme.Order.total(int)  (I)I"]);
    says(&fails("Order.totl"), &["there is no method totl in com.acme.Order; there is", "did you mean total?"]);
    says(&fails("Ordr.total"), &["there is no class Ordr", "did you mean Order?"]);
    says(&fails("com.acme.Ordr.total"), &["there is no class com.acme.Ordr", "did you mean com.acme.Order?"]);
    says(&fails("Order.outside"), &["com.acme.Order.outside() is native"]);
    says(&fails("java.util.List.size"), &["java.util.List.size() is abstract"]);
    says(&fails("Order"), &["Order is a class: which of its methods?", "com.acme.Order.total(int)"]);
    for text in
        ["", ".", "..", "(", ")", "Order.", ".total", "a.b(", "Order.total(", "Order.total)", "$.$", "é.ü(ö)", "["]
    {
        assert!(!fails(text).is_empty());
    }
}

#[test]
fn the_library_is_searched_last() {
    let jdk = open("jdk");
    let found = entry::resolve(&jdk, Some("java.util.TreeMap.put(Object,Object)")).unwrap();
    assert_eq!(&*found.class.name, "java/util/TreeMap");
    let simple = entry::resolve(&jdk, Some("TreeMap.firstKey")).unwrap();
    assert_eq!(simple.readable(), "java.util.TreeMap.firstKey()");
    let inner = entry::resolve(&jdk, Some("java.util.AbstractMap.SimpleEntry.getKey")).unwrap();
    assert_eq!(&*inner.class.name, "java/util/AbstractMap$SimpleEntry");
    says(&refused(entry::resolve(&jdk, None)), &["which method of the JDK?", "java.util.TreeMap.put"]);
    // Both java.util.Date and java.sql.Date have it.
    let date = refused(entry::resolve(&jdk, Some("Date.getTime")).map(|e| println!("{}", e.readable())));
    says(&date, &["java.util.Date.getTime()", "java.sql.Date.getTime()"]);
}

#[test]
fn without_an_entry_the_only_sensible_one_is_taken() {
    // Each class file is a program of its own.
    let sources = [
        "class Main { public static void main(String[] a) {} public static int f() { return 1; } }",
        "class Public { public static int f() { return 1; } int g() { return 2; } static int h() { return 1; } }",
        "class Single { int g() { return 2; } }",
        "class Several { public static int f() { return 1; } public static int g(Main m) { return 2; } }",
        "interface Nothing { }",
        "enum Colour { RED; public static int f() { return 1; } }",
        "class Driver { static void f() { lazuli.Lazuli.assume(true); } }",
    ];
    let scratch = Scratch::new();
    let classes = compile("All.java", &sources.join("\n"));
    scratch.write_classes(&classes);
    let taken = |name: &str| {
        let program = open(scratch.0.join(format!("{name}.class")));
        entry::resolve(&program, None).map(|e| e.readable())
    };
    assert_eq!(taken("Main").unwrap(), "Main.main(java.lang.String[])");
    assert_eq!(taken("Public").unwrap(), "Public.f()");
    assert_eq!(taken("Single").unwrap(), "Single.g()");
    let several = refused(taken("Several"));
    says(&several, &["which method?", "Several.f()  ()I", "Several.g(Main)  (LMain;)I", "name the method"]);
    says(&refused(taken("Nothing")), &["there is no method with code"]);
    assert_eq!(taken("Colour").unwrap(), "Colour.f()");
    assert_eq!(taken("Driver").unwrap(), "Driver.f()");
    // Of all together, one has a main method; the interface for drivers does not count.
    assert!(classes.user_classes().contains(&"lazuli/Lazuli".to_string()));
    assert_eq!(entry::resolve(&classes, None).unwrap().readable(), "Main.main(java.lang.String[])");
}

/// A static method hides the one above with its parameters, whatever that gives back; an overload stays one.
#[test]
fn what_is_hidden_is_no_candidate() {
    finds("Order.made(int)", "com/acme/Order", "made", "(I)Ljava/lang/String;");
    finds("Base.made(int)", "com/acme/Base", "made", "(I)Ljava/lang/Object;");
    finds("Order.made()", "com/acme/Base", "made", "()[I");
    finds("Order.copy", "com/acme/Order", "copy", "()Lcom/acme/Order;");
    let message = fails("Order.made");
    says(&message, &["Order.made may be one of", "made(int)  (I)Ljava/lang/String;", "made()"]);
    assert!(!message.contains("Ljava/lang/Object;"), "{message}");
}
