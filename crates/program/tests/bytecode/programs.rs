//! Programs in every form: source, class file, directory, jar; and that all forms give the same classes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::code::Op;
use lazuli_program::bytecode::pool::{Constant, HandleKind};
use zip::write::SimpleFileOptions;

use crate::bytecode::{Scratch, compile, open};

const SHOP: &str = r#"
package com.acme;

import java.util.function.IntSupplier;

public class Shop {
    static final int LIMIT = 7;
    static final long BIG = 1L << 40;
    static final String NAME = "\u00e4\uD800\0x";
    static final boolean OPEN = true;
    int stock;

    sealed interface Shape permits Circle, Square {}
    record Circle(int radius, String label) implements Shape {}
    record Square(long side) implements Shape {}
    enum Size { SMALL, LARGE }
    class Inner { int v = stock; }

    public int add(int amount, Shop other) {
        int sum = stock + amount;
        if (sum > LIMIT) {
            throw new IllegalStateException("full");
        }
        other.stock = sum;
        return sum;
    }

    static IntSupplier later(int a) {
        return () -> a + 1;
    }

    static Runnable local() {
        return new Runnable() { public void run() {} };
    }

    static int guarded(int[] cells, int i) {
        try {
            return cells[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            return -1;
        } finally {
            cells[0]++;
        }
    }
}
"#;

static SHOP_CLASSES: LazyLock<ClassPath> = LazyLock::new(|| compile("com/acme/Shop.java", SHOP));

/// A jar of the user's classes.
pub fn write_jar(path: &Path, classes: &ClassPath) {
    let mut jar = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    jar.start_file("META-INF/MANIFEST.MF", SimpleFileOptions::default()).unwrap();
    jar.write_all(b"Manifest-Version: 1.0\n").unwrap();
    for name in classes.user_classes() {
        jar.start_file(format!("{name}.class"), SimpleFileOptions::default()).unwrap();
        jar.write_all(classes.find(name).unwrap().unwrap().bytes()).unwrap();
    }
    jar.start_file("META-INF/versions/11/com/acme/Shop.class", SimpleFileOptions::default()).unwrap();
    jar.write_all(b"for a newer JVM").unwrap();
    jar.start_file("module-info.class", SimpleFileOptions::default()).unwrap();
    jar.write_all(b"not a class").unwrap();
    jar.finish().unwrap();
}

#[test]
fn every_form_of_a_program_has_the_same_classes() {
    let source = &*SHOP_CLASSES;
    let expected = [
        "com/acme/Shop",
        "com/acme/Shop$1",
        "com/acme/Shop$Circle",
        "com/acme/Shop$Inner",
        "com/acme/Shop$Shape",
        "com/acme/Shop$Size",
        "com/acme/Shop$Square",
    ];
    assert_eq!(source.user_classes(), expected);
    assert_eq!(source.program_classes(), ["com/acme/Shop"]);
    let scratch = Scratch::new();
    scratch.write_classes(source);
    let jar = scratch.0.join("shop.jar");
    write_jar(&jar, source);
    let forms = [scratch.0.clone(), scratch.0.join("com/acme/Shop.class"), jar.clone()];
    for classes in forms.map(open) {
        assert_eq!(classes.user_classes(), expected);
        for (number, name) in expected.into_iter().enumerate() {
            assert_eq!(classes.class_number(name), Some(number as u32));
            assert_eq!(classes.class_name(number as u32).as_deref(), Some(name));
            let (ours, theirs) = (classes.require(name).unwrap(), source.require(name).unwrap());
            assert_eq!(ours.bytes(), theirs.bytes());
        }
        let object = classes.class_number("java/lang/Object").unwrap();
        assert_eq!(classes.class_name(object).as_deref(), Some("java/lang/Object"));
    }
    let whole = ClassPath::open(Path::new("jdk"), &[jar]).unwrap();
    assert_eq!(whole.user_classes(), expected);
    assert!(whole.program_classes().is_empty(), "the program is the JDK");
}

#[test]
fn keeps_what_lowering_and_reports_need() {
    let classes = &*SHOP_CLASSES;
    let shop = classes.require("com/acme/Shop").unwrap();
    assert_eq!(shop.source_file.as_deref(), Some("Shop.java"));
    let constant = |name: &str, descriptor| shop.field(name, descriptor).unwrap().constant.clone();
    assert!(matches!(constant("LIMIT", "I"), Some(Constant::Int(7))));
    assert!(matches!(constant("BIG", "J"), Some(Constant::Long(n)) if n == 1 << 40));
    assert!(matches!(constant("OPEN", "Z"), Some(Constant::Int(1))));
    let Some(Constant::String(name)) = constant("NAME", "Ljava/lang/String;") else { panic!("NAME is a string") };
    assert_eq!(*name, [0xE4, 0xD800, 0, 'x' as u16]);

    let add = shop.method("add", "(ILcom/acme/Shop;)I").unwrap();
    let names: Vec<_> = add.parameters.iter().map(|p| p.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["amount", "other"]);
    let code = add.code().unwrap().unwrap();
    let text: Vec<&str> = SHOP.lines().collect();
    let throw = code.ops.iter().position(|op| matches!(op, Op::Throw)).unwrap();
    assert!(text[code.line(throw).unwrap() as usize - 1].contains("throw new"));
    let local = |slot| code.local(throw, slot).map(|l| &*l.name);
    assert_eq!([0, 1, 2, 3].map(local), [Some("this"), Some("amount"), Some("other"), Some("sum")]);
    assert_eq!(code.local(0, 3).map(|l| &*l.name), None, "sum has no value yet");
    assert_eq!(code.index(code.offsets[throw]), Some(throw));

    let guarded = shop.method("guarded", "([II)I").unwrap().code().unwrap().unwrap();
    let caught: Vec<_> = guarded.handlers.iter().map(|h| h.catch.as_deref()).collect();
    assert_eq!(caught[0], Some("java/lang/ArrayIndexOutOfBoundsException"));
    assert!(caught.len() > 2 && caught[1..].iter().all(Option::is_none), "finally catches everything");
    for handler in &guarded.handlers {
        assert!(handler.start < handler.end && matches!(guarded.ops[handler.handler as usize], Op::Store(..)));
    }
}

#[test]
fn keeps_what_the_language_says_of_classes() {
    let classes = &*SHOP_CLASSES;
    let shop = classes.require("com/acme/Shop").unwrap();
    let later = shop.method("later", "(I)Ljava/util/function/IntSupplier;").unwrap().code().unwrap().unwrap();
    let call = later.ops.iter().find_map(|op| match op {
        Op::InvokeDynamic(call) => Some(call),
        _ => None,
    });
    let call = call.unwrap();
    assert_eq!((&*call.name, &*call.descriptor), ("getAsInt", "(I)Ljava/util/function/IntSupplier;"));
    let bootstrap = shop.bootstrap(call.bootstrap).unwrap();
    assert_eq!(bootstrap.method.kind, HandleKind::InvokeStatic);
    assert_eq!(&*bootstrap.method.member.class, "java/lang/invoke/LambdaMetafactory");
    let [Constant::MethodType(_), Constant::MethodHandle(body), Constant::MethodType(_)] = &bootstrap.arguments[..]
    else {
        panic!("{:?}", bootstrap.arguments)
    };
    assert!(body.member.name.starts_with("lambda$later$") && shop.bootstrap(77).is_err());

    let shape = classes.require("com/acme/Shop$Shape").unwrap();
    let permitted: Vec<_> = shape.permitted_subclasses.as_ref().unwrap().iter().map(|c| &**c).collect();
    assert_eq!(permitted, ["com/acme/Shop$Circle", "com/acme/Shop$Square"]);
    assert!(shape.access.is_interface() && shape.access.is_abstract());
    let circle = classes.require("com/acme/Shop$Circle").unwrap();
    let components: Vec<_> = circle.record.as_ref().unwrap().iter().map(|c| (&*c.name, &*c.descriptor)).collect();
    assert_eq!(components, [("radius", "I"), ("label", "Ljava/lang/String;")]);
    assert!(shop.record.is_none() && shop.permitted_subclasses.is_none());
    assert!(classes.require("com/acme/Shop$Size").unwrap().access.is_enum());
    let anonymous = classes.require("com/acme/Shop$1").unwrap();
    let enclosing = anonymous.enclosing_method.as_ref().unwrap();
    assert_eq!(&*enclosing.class, "com/acme/Shop");
    assert_eq!(&*enclosing.method.as_ref().unwrap().0, "local");
    let inner = shop.inner_classes.iter().find(|c| &*c.inner == "com/acme/Shop$Inner").unwrap();
    assert_eq!((inner.outer.as_deref(), inner.simple_name.as_deref()), (Some("com/acme/Shop"), Some("Inner")));
}

/// Only newer compilers can say this; dynamic constants among the arguments of a bootstrap method are what they make of it.
#[test]
fn reads_pattern_switches() {
    let newer = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    let newer = newer.filter(|home| home.join("bin/javac").is_file());
    let source = "sealed interface I permits E, R {}\nenum E implements I { A, B }\nrecord R(int x) implements I {}\n\
        class P { static int f(I i) { return switch (i) { case E.A -> 1; case E.B -> 2; case R(int x) -> x; }; } }";
    let scratch = Scratch::new();
    let path = scratch.write("P.java", source);
    for home in newer {
        let jdk = lazuli_program::bytecode::Jdk::at(&home).unwrap();
        // A compiler that is too old refuses the source; others must give a class that we can read.
        let Ok(classes) = ClassPath::open_with(&path, &[], jdk) else { continue };
        let class = classes.require("P").unwrap();
        let arguments = &class.bootstrap(0).unwrap().arguments;
        println!("{}: {arguments:?}", home.display());
        assert!(arguments.iter().any(|a| matches!(a, Constant::Dynamic(_))));
        assert!(class.methods.iter().all(|m| m.code().is_ok()));
    }
}

#[test]
fn sources_use_the_interfaces_for_test_drivers() {
    let driver = "package p;\nimport lazuli.Lazuli;\nimport org.sosy_lab.sv_benchmarks.Verifier;\n\
        class Driver { static void run() { int x = Lazuli.symbolicInt(\"x\"); Lazuli.assume(x > 0);\n\
        String s = Lazuli.symbolicObject(String.class, \"s\"); Lazuli.reachable(\"here\");\n\
        Verifier.assume(Verifier.nondetInt() > x); } }";
    let classes = compile("p/Driver.java", driver);
    for name in ["p/Driver", "lazuli/Lazuli", "org/sosy_lab/sv_benchmarks/Verifier"] {
        assert!(classes.user_classes().iter().any(|c| c == name), "{name} is missing");
    }
    let without = compile("Plain.java", "class Plain { static int f() { return 1; } }");
    assert_eq!(without.user_classes(), ["Plain"]);
}

#[test]
fn sources_see_those_beside_them_and_the_class_path() {
    let scratch = Scratch::new();
    let main = scratch.write("src/a/b/Main.java", "package a.b; public class Main { a.c.Other o; Near n; lib.Far f; }");
    scratch.write("src/a/c/Other.java", "package a.c; public class Other {}");
    scratch.write("src/a/b/Near.java", "/* here */ package a.b; class Near {}");
    let library = compile("lib/Far.java", "package lib; public class Far {}");
    let root = scratch.0.join("classes");
    library_at(&root, &library);
    let extra = [root];
    let classes = ClassPath::open(&main, &extra).unwrap();
    assert_eq!(classes.user_classes(), ["a/b/Main", "a/b/Near", "a/c/Other", "lib/Far"]);
    assert_eq!(classes.program_classes(), ["a/b/Main"]);
    // A directory of sources without classes, and several sources.
    let sources = scratch.0.join("src");
    let whole = ClassPath::open(&sources, &extra).unwrap();
    assert_eq!(whole.user_classes(), classes.user_classes());
    let more = scratch.write("More.java", "class More { }");
    let both: Vec<PathBuf> = vec![extra[0].clone(), more];
    assert!(ClassPath::open(&main, &both).unwrap().user_classes().contains(&"More".to_string()));
}

fn library_at(root: &Path, classes: &ClassPath) {
    for name in classes.user_classes() {
        let path = root.join(format!("{name}.class"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, classes.require(name).unwrap().bytes()).unwrap();
    }
}

/// The first of two classes with the same name counts, a class without package stands for those beside it, and a star for jars.
#[test]
fn class_paths_work_as_on_the_jvm() {
    let scratch = Scratch::new();
    let one = compile("A.java", "class A { static int one() { return 1; } }");
    let two = compile("A.java", "class A { static int two() { return 2; } } class B {}");
    library_at(&scratch.0.join("one"), &one);
    library_at(&scratch.0.join("two"), &two);
    library_at(&scratch.0.join("two/below"), &compile("below/C.java", "package below; class C {}"));
    let jars = scratch.0.join("jars");
    std::fs::create_dir(&jars).unwrap();
    write_jar(&jars.join("z.jar"), &one);
    write_jar(&jars.join("b.jar"), &two);
    let has = |classes: &ClassPath, method: &str| classes.require("A").unwrap().method(method, "()I").is_some();

    let first = ClassPath::open(&scratch.0.join("one"), &[scratch.0.join("two")]).unwrap();
    assert!(has(&first, "one") && first.user_classes().contains(&"B".to_string()));
    assert_eq!(first.program_classes(), ["A"]);
    let beside = open(scratch.0.join("two/A.class"));
    assert_eq!(beside.user_classes(), ["A", "B"]);
    let star = ClassPath::open(Path::new("jdk"), &[jars.join("*")]).unwrap();
    assert!(has(&star, "two") && star.user_classes() == ["A", "B"]);
}
