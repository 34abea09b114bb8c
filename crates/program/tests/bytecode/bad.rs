//! Bad input: every message says what is wrong and where, and nothing panics.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use lazuli_program::bytecode::code::{Kind, Op};
use lazuli_program::bytecode::{ClassFile, ClassPath, Jdk};
use zip::write::SimpleFileOptions;

use crate::bytecode::assemble::{class_with_body, class_with_handlers};
use crate::bytecode::{Scratch, compile, open, refused, says};

const RETURN: u8 = 0xb1;

fn opening(path: impl AsRef<Path>) -> String {
    refused(ClassPath::open(path.as_ref(), &[]))
}

#[test]
fn files_that_are_no_programs_are_refused() {
    let scratch = Scratch::new();
    says(&opening("/no/such/file.class"), &["cannot read /no/such/file.class"]);
    says(&opening("/no/such/file.java"), &["cannot read /no/such/file.java"]);
    says(&opening("/no/such/file.jar"), &["cannot read /no/such/file.jar"]);
    says(&opening("/no/such/directory"), &["cannot read /no/such/directory"]);
    says(&opening(&scratch.0), &["there are no classes and no sources in"]);
    says(&opening(scratch.write("a.class", "hello, world")), &["a.class: this is not a class file"]);
    says(&opening(scratch.write("b.class", "")), &["b.class: corrupt class file: at byte 0"]);
    says(&opening(scratch.write("c.jar", "hello")), &["c.jar: this is not a jar"]);
    says(&opening(scratch.write("d.jar", "")), &["d.jar: this is not a jar"]);
    says(&opening(scratch.write("e.txt", "hello")), &["neither a directory nor a jar", ".class"]);
    let extra = [scratch.0.join("none")];
    says(&refused(ClassPath::open(Path::new("jdk"), &extra)), &["cannot read", "none"]);
}

#[test]
fn sources_that_do_not_compile_show_what_javac_said() {
    let scratch = Scratch::new();
    let message = opening(scratch.write("A.java", "class A {\n  int f() { return \"\"; }\n}"));
    says(&message, &["javac cannot compile", "A.java:2: error: incompatible types", "^"]);
    says(&opening(scratch.write("-d.java", "class {")), &["javac cannot compile", "-d.java:1: error"]);
}

#[test]
fn versions_are_checked() {
    let read = |major| ClassFile::read(class_with_body(major, 0, &[RETURN]), "C.class");
    for major in 45..=69 {
        let class = read(major).unwrap();
        assert_eq!((class.major, &*class.name), (major, "C"));
    }
    says(&refused(read(70)), &["C.class: the class file has version 70.0, that of Java 26", "45 to 69", "Java 25"]);
    says(&refused(read(44)), &["version 44.0"]);
    says(&refused(read(0xFFFF)), &["version 65535.0"]);
}

#[test]
fn every_truncation_is_noticed() {
    let class = compile("T.java", "class T { static String f(int x) { return x > 3 ? \"a\" + x : null; } }");
    let bytes = class.require("T").unwrap().bytes().to_vec();
    for length in 0..bytes.len() {
        says(&refused(ClassFile::read(&bytes[..length], "T.class")), &["T.class: corrupt class file: at byte"]);
    }
    let mut longer = bytes;
    longer.push(0);
    says(&refused(ClassFile::read(longer, "T.class")), &["1 bytes too many in the class file"]);
}

#[test]
fn classes_at_the_wrong_place_are_refused() {
    let classes = compile("p/A.java", "package p; class A {}");
    let scratch = Scratch::new();
    let bytes = classes.require("p/A").unwrap().bytes().to_vec();
    for place in ["A.class", "q/A.class", "p/B.class"] {
        let message = opening(scratch.write(place, &bytes));
        says(&message, &["this is the class p.A, at the place of", "directories named like its package"]);
    }
    let directory = ClassPath::open(&scratch.0, &[]).unwrap();
    let message = refused(directory.find("q/A"));
    says(&message, &["this is the class p.A, at the place of q.A"]);
    let name = "java/util/TreeMap";
    let copy = scratch.write("java/util/TreeMap.class", open("jdk").require(name).unwrap().bytes());
    says(&opening(copy), &["the JVM would not load java.util.TreeMap from here", "java.base"]);
}

#[test]
fn missing_classes_are_named() {
    says(
        &refused(open("jdk").require("com/acme/Missing$Inner")),
        &["there is no class com.acme.Missing.Inner", "further classes can be given"],
    );
}

/// The body of a class made by hand.
fn decode(major: u16, max_locals: u16, body: &[u8]) -> Result<Vec<Op>, String> {
    let class = ClassFile::read(class_with_body(major, max_locals, body), "C.class").unwrap();
    class.methods[0].code().map(|code| code.unwrap().ops.clone()).map_err(|e| e.to_string())
}

#[test]
fn bodies_that_no_compiler_writes_are_decoded() {
    let wide = decode(69, 301, &[0xc4, 0x15, 1, 44, 0xc4, 0x84, 1, 44, 0xff, 0x00, 0xc4, 0x37, 1, 43, RETURN]).unwrap();
    assert!(matches!(wide[0], Op::Load(Kind::Int, 300)));
    assert!(matches!(wide[1], Op::Increment(300, -256)));
    assert!(matches!(wide[2], Op::Store(Kind::Long, 299)));
    let far = decode(69, 0, &[0xc8, 0, 0, 0, 5, 0xc8, 0xff, 0xff, 0xff, 0xfb]).unwrap();
    assert!(matches!(far[..], [Op::Goto(1), Op::Goto(0)]));
    let subroutine = [0xa8, 0, 4, RETURN, 0x3a, 0, 0xa9, 0];
    assert!(matches!(
        decode(50, 1, &subroutine).unwrap()[..],
        [Op::Jsr(2), Op::Return(None), Op::Store(..), Op::Ret(0)]
    ));
    says(&decode(51, 1, &subroutine).unwrap_err(), &["jsr and ret do not exist since Java 7"]);
}

#[test]
fn bodies_that_cannot_run_are_refused() {
    let wrong = |max_locals, body: &[u8], says_: &[&str]| {
        let message = decode(69, max_locals, body).unwrap_err();
        says(&message, &["C.class: corrupt class file: at byte", "in method m()V"]);
        says(&message, says_);
    };
    wrong(0, &[0xca, RETURN], &["there is no instruction 0xca"]);
    wrong(0, &[0x00], &["control runs off the end"]);
    wrong(0, &[0xa7, 0, 1, RETURN], &["the jump at 0 leads to 1, which is not an instruction"]);
    wrong(0, &[0xa7, 0xff, 0xff, RETURN], &["the jump at 0 leads to -1"]);
    wrong(0, &[0xc8, 0x7f, 0xff, 0xff, 0xff, RETURN], &["the jump at 0 leads to"]);
    wrong(1, &[0x1b, RETURN], &["there is no local 1, there are 1"]);
    wrong(1, &[0x1e, RETURN], &["there is no local 0"]);
    wrong(0, &[0x12, 1, RETURN], &["constant 1 is not a value"]);
    wrong(0, &[0x12, 99, RETURN], &["constant 99 is not a value"]);
    wrong(0, &[0x14, 0, 8, RETURN], &["the constant 8 has the wrong size here"]);
    wrong(0, &[0xb2, 0, 8, RETURN], &["constant 8 is not a field"]);
    wrong(0, &[0xb8, 0, 8, RETURN], &["constant 8 is not a method"]);
    wrong(0, &[0xbb, 0, 8, RETURN], &["constant 8 is not a class"]);
    wrong(0, &[0xba, 0, 8, 0, 0, RETURN], &["constant 8 is not a dynamic call"]);
    wrong(0, &[0xbc, 12, RETURN], &["there is no primitive type 12"]);
    wrong(0, &[0xc5, 0, 2, 1, RETURN], &["1 dimensions of C"]);
    wrong(0, &[0xc4, 0x00, RETURN], &["is never wide"]);
    wrong(0, &[0x11, 0], &["2 bytes expected, 1 left"]);
    let mut table = vec![0xaa, 0, 0, 0, 0, 0, 0, 0];
    table.extend([0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]);
    wrong(0, &table, &["the switch from -2147483648 to 2147483647 does not fit"]);
    wrong(0, &[0xab, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], &["the switch with 4294967295 cases does not fit"]);
    let mut unordered = vec![0xab, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 2];
    unordered.extend([0, 0, 0, 2, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 28, RETURN]);
    wrong(0, &unordered, &["not in order"]);
    wrong(0, &[], &["the body has 0 bytes"]);
}

#[test]
fn handlers_stand_at_instructions() {
    let read = |handler| {
        let class = ClassFile::read(class_with_handlers(69, 0, &[0x11, 0, 0, RETURN], &[handler]), "C").unwrap();
        class.methods[0].code().map(|c| c.unwrap().handlers[0].clone())
    };
    let good = read([0, 4, 3]).unwrap();
    assert_eq!((good.start, good.end, good.handler, good.catch), (0, 2, 1, None));
    for bad in [[1, 4, 3], [0, 2, 3], [0, 5, 3], [3, 3, 3], [3, 0, 3], [0, 3, 4], [0, 3, 1]] {
        says(&refused(read(bad)), &["does not stand at instructions"]);
    }
}

/// A jar with one entry of that name.
fn jar(scratch: &Scratch, name: &str, entry: &str, chunks: usize, chunk: &[u8]) -> std::path::PathBuf {
    let path = scratch.0.join(name);
    let mut jar = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    jar.start_file(entry, SimpleFileOptions::default()).unwrap();
    for _ in 0..chunks {
        jar.write_all(chunk).unwrap();
    }
    jar.finish().unwrap();
    path
}

#[test]
fn jar_bombs_do_not_go_off() {
    let scratch = Scratch::new();
    let bomb = open(jar(&scratch, "bomb.jar", "Bomb.class", 65, &vec![0; 1 << 20]));
    assert_eq!(bomb.user_classes(), ["Bomb"]);
    says(&refused(bomb.find("Bomb")), &["bomb.jar!Bomb.class: unpacks to 65 MB, the limit is 64 MB"]);

    // The same entry, but the jar says that it unpacks to ten bytes.
    let path = jar(&scratch, "liar.jar", "Liar.class", 1, &vec![7; 1 << 20]);
    let mut bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == (1u32 << 20).to_le_bytes() {
            bytes[at..at + 4].copy_from_slice(&10u32.to_le_bytes());
        }
    }
    std::fs::write(&path, bytes).unwrap();
    says(&refused(open(&path).find("Liar")), &["liar.jar!Liar.class:"]);

    // The end of a file that claims a billion entries.
    let mut many = vec![0; 56];
    many[..4].copy_from_slice(b"PK\x06\x06");
    many[32..40].copy_from_slice(&1_000_000_000u64.to_le_bytes());
    many.extend(b"PK\x06\x07");
    many.extend([0; 16]);
    many.extend(b"PK\x05\x06");
    many.extend([0xff; 16]);
    many.extend([0; 2]);
    says(&opening(scratch.write("many.jar", many)), &["the jar has 1000000000 entries, the limit is 500000"]);

    // A jar in a jar is not opened; names that lead elsewhere are not classes.
    let nested =
        open(jar(&scratch, "nested.jar", "lib/inner.jar", 1, &std::fs::read(scratch.0.join("liar.jar")).unwrap()));
    assert!(nested.user_classes().is_empty());
    assert!(open(jar(&scratch, "up.jar", "/../../x.class", 1, b"x")).user_classes().is_empty());
}

#[test]
fn corrupt_entries_of_jars_are_refused() {
    let scratch = Scratch::new();
    let path = jar(&scratch, "a.jar", "A.class", 1, &class_with_body(69, 0, &[RETURN]));
    says(&refused(open(&path).find("A")), &["a.jar!A.class: this is the class C, at the place of A"]);
    let path = jar(&scratch, "b.jar", "B.class", 1, b"not a class");
    says(&refused(open(&path).find("B")), &["b.jar!B.class: this is not a class file"]);
}

#[test]
fn jdks_are_checked() {
    let scratch = Scratch::new();
    let home = |text: &str| Some(std::ffi::OsString::from(text));
    let locate = |java_home: &str| refused(Jdk::locate_in(home(java_home).as_deref(), None));
    says(&locate("/no/such/jdk"), &["JAVA_HOME does not lead to a JDK", "/no/such/jdk", "it has no lib/modules"]);
    scratch.write("old/lib/rt.jar", "");
    says(&locate(scratch.0.join("old").to_str().unwrap()), &["it is older than JDK 9"]);
    scratch.write("empty/lib/modules", "");
    says(&locate(scratch.0.join("empty").to_str().unwrap()), &["this is not a JDK's library: it is too short"]);
    scratch.write("text/lib/modules", "x".repeat(100));
    says(&locate(scratch.0.join("text").to_str().unwrap()), &["it does not start with CAFEDADA"]);
    let mut huge = 0xCAFE_DADAu32.to_le_bytes().to_vec();
    huge.extend([0xff; 100]);
    scratch.write("huge/lib/modules", huge);
    says(&locate(scratch.0.join("huge").to_str().unwrap()), &["its index does not fit"]);

    let real = open("jdk").jdk().home.clone();
    assert_eq!(Jdk::locate_in(Some(real.as_os_str()), None).unwrap().home, real);
    let path = std::env::join_paths([scratch.0.clone(), real.join("bin")]).unwrap();
    let found = Jdk::locate_in(None, Some(&path)).unwrap().home;
    assert_eq!(found.canonicalize().unwrap(), real.canonicalize().unwrap());
    assert!(Jdk::locate_in(home("").as_deref(), Some(&path)).is_ok(), "an empty JAVA_HOME is none");
}

/// Runs the test below with other environment variables, which only a new process can have.
#[cfg(unix)]
#[test]
fn without_a_compiler_sources_are_refused() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.0.join("runtime/lib")).unwrap();
    let modules = open("jdk").jdk().home.join("lib/modules");
    std::os::unix::fs::symlink(modules, scratch.0.join("runtime/lib/modules")).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bytecode::bad::in_an_environment_without_compiler", "--ignored", "--nocapture"])
        .env("JAVA_HOME", scratch.0.join("runtime"))
        .env("PATH", "/no/such/path")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    says(&said, &["there is no javac", "is a runtime without compiler", "help: install a JDK", "1 passed"]);
}

#[test]
#[ignore = "run by without_a_compiler_sources_are_refused"]
fn in_an_environment_without_compiler() {
    println!("{}", opening(Scratch::new().write("A.java", "class A {}")));
}
