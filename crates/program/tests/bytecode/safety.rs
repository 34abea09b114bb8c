//! Programs of others are read, never run, and what is no program does no harm.

use std::path::{Path, PathBuf};
use std::process::Command;

use lazuli_program::bytecode::ClassPath;

use crate::bytecode::{Scratch, compile, open, refused, says};

/// Code that the compiler would run: it leaves a mark.
fn evil(class: &str, header: &str, body: &str, mark: &Path) -> String {
    let mark = mark.to_str().unwrap();
    format!(
        "import java.util.*; public class {class} {header} {{
           static {{ try {{ java.nio.file.Files.writeString(java.nio.file.Path.of(\"{mark}\"), \"x\"); }} catch (Exception e) {{ }} }}
           {body} }}"
    )
}

fn javac(arguments: &[&str], out: &Path, class_path: &Path, source: &Path) {
    let javac = open("jdk").jdk().javac().unwrap();
    let status = Command::new(javac).args(arguments).arg("-d").arg(out).arg("-cp").arg(class_path).arg(source).status();
    assert!(status.unwrap().success());
}

/// A class path with code that starts by itself when something is compiled with it: its directory, and the mark that it leaves.
fn trap(scratch: &Scratch, name: &str, service: &str, header: &str, body: &str) -> (PathBuf, PathBuf) {
    let (classes, mark) = (scratch.0.join(name), scratch.0.join(format!("{name}.mark")));
    let source = scratch.write(&format!("{name}-source/Evil.java"), evil("Evil", header, body, &mark));
    std::fs::create_dir_all(&classes).unwrap();
    javac(&["-proc:none"], &classes, &classes, &source);
    scratch.write(&format!("{name}/META-INF/services/{service}"), "Evil\n");
    (classes, mark)
}

#[test]
fn nothing_of_the_class_path_runs_when_a_source_is_compiled() {
    let scratch = Scratch::new();
    let plugin = trap(
        &scratch,
        "plugin",
        "com.sun.source.util.Plugin",
        "implements com.sun.source.util.Plugin",
        "public String getName() { return \"evil\"; } public boolean autoStart() { return true; }
         public void init(com.sun.source.util.JavacTask task, String... arguments) { }",
    );
    let processor = trap(
        &scratch,
        "processor",
        "javax.annotation.processing.Processor",
        "extends javax.annotation.processing.AbstractProcessor",
        "public boolean process(Set<? extends javax.lang.model.element.TypeElement> a, javax.annotation.processing.RoundEnvironment r)
         { return false; }",
    );
    let source = scratch.write("program/A.java", "class A { @Deprecated int f() { return 1; } }");
    for (classes, mark) in [plugin, processor] {
        ClassPath::open(&source, std::slice::from_ref(&classes)).unwrap_or_else(|e| panic!("{e}"));
        assert!(!mark.exists(), "{} ran", classes.display());
        // Without the class path too: the trap is beside the source, or is the program itself.
        std::fs::copy(&source, classes.join("A.java")).unwrap();
        open(classes.join("A.java"));
        ClassPath::open(&classes, &[classes.join("A.java")]).unwrap_or_else(|e| panic!("{e}"));
        assert!(!mark.exists(), "{} ran", classes.display());
        // The trap works: a plain compiler falls into it.
        let arguments: &[&str] = if open("jdk").jdk().version() >= 21 { &["-proc:full"] } else { &[] };
        javac(arguments, &scratch.0, &classes, &source);
        assert!(mark.exists(), "{} does not even start under a plain javac", classes.display());
    }
}

#[cfg(unix)]
#[test]
fn only_files_are_read() {
    let scratch = Scratch::new();
    let pipe = |name: &str| {
        let path = scratch.0.join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    let link = |to: &str, name: &str| {
        let path = scratch.0.join(name);
        std::os::unix::fs::symlink(to, &path).unwrap();
        path
    };
    let opening = |path: &Path| refused(ClassPath::open(path, &[]));
    for name in ["A.class", "B.java", "c.jar"] {
        says(
            &opening(&pipe(name)),
            &[&format!("cannot read {}", scratch.0.join(name).display()), "it is a pipe, not a file"],
        );
    }
    for name in ["D.class", "E.java", "f.jar"] {
        says(&opening(&link("/dev/zero", name)), &[name, "it is a device, not a file"]);
    }
    std::fs::create_dir(scratch.0.join("G.class")).unwrap();
    assert!(ClassPath::open(&link("nowhere", "H.class"), &[]).is_err());

    // One of many: the others can be used.
    let classes = compile("I.java", "class I { J j; } class J { }");
    let many = Scratch::new();
    many.write_classes(&classes);
    std::fs::remove_file(many.0.join("J.class")).unwrap();
    assert!(Command::new("mkfifo").arg(many.0.join("J.class")).status().unwrap().success());
    let found = open(&many.0);
    assert!(found.find("I").unwrap().is_some());
    says(&refused(found.find("J")), &["J.class", "it is a pipe, not a file"]);
    // A link to a file is as good as the file.
    let linked = Scratch::new();
    std::os::unix::fs::symlink(many.0.join("I.class"), linked.0.join("I.class")).unwrap();
    assert!(open(&linked.0).find("I").unwrap().is_some());
    // The size is looked at before the file is.
    let large = scratch.write("K.class", "");
    std::fs::File::options().write(true).open(&large).unwrap().set_len(65 << 20).unwrap();
    says(&opening(&large), &["K.class", "it has 65 MB, the limit is 64 MB"]);
    let large = scratch.write("L.java", "");
    std::fs::File::options().write(true).open(&large).unwrap().set_len(1 << 40).unwrap();
    says(&opening(&large), &["L.java", "it has 1048576 MB, the limit is 64 MB"]);
}

/// What a compilation left that was killed is gone after the next one; what belongs to a process that lives stays.
#[cfg(target_os = "linux")]
#[test]
fn abandoned_directories_are_removed() {
    let scratch = Scratch::new();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap().to_string_lossy().into_owned();
    let namespace: String = namespace.chars().filter(char::is_ascii_digit).collect();
    let ended = {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    };
    let directory = |name: String| {
        let path = scratch.0.join(name);
        std::fs::create_dir_all(path.join("classes")).unwrap();
        path
    };
    let abandoned = directory(format!("lazuli-{namespace}-{ended}-x"));
    let kept = [
        directory(format!("lazuli-{namespace}-{}-x", std::process::id())),
        directory(format!("lazuli-1-{ended}-x")),
        directory(format!("other-{namespace}-{ended}-x")),
    ];
    let victim = directory("victim".into());
    std::os::unix::fs::symlink(&victim, scratch.0.join(format!("lazuli-{namespace}-{ended}-link"))).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bytecode::safety::in_a_temporary_directory", "--ignored", "--nocapture"])
        .env("TMPDIR", &scratch.0)
        .output()
        .unwrap();
    says(&String::from_utf8_lossy(&output.stdout), &["1 passed"]);
    assert!(!abandoned.exists(), "it was abandoned");
    assert!(kept.iter().chain([&victim]).all(|path| path.join("classes").exists()), "others are left alone");
    let left: Vec<_> = std::fs::read_dir(&scratch.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "the directory of the compilation is gone: {left:?}");
}

#[test]
#[ignore = "run by abandoned_directories_are_removed"]
fn in_a_temporary_directory() {
    compile("A.java", "class A { }");
}

/// Jars that were cut off, or whose table leads astray, are refused or read as far as they go.
#[test]
fn broken_jars_are_refused() {
    let scratch = Scratch::new();
    let classes = compile("A.java", "class A { int f() { return 1; } } class B { String s = \"a\"; }");
    let path = scratch.0.join("good.jar");
    crate::bytecode::programs::write_jar(&path, &classes);
    let good = std::fs::read(&path).unwrap();
    let look = |bytes: &[u8]| {
        let path = scratch.write("bad.jar", bytes);
        let Ok(found) = ClassPath::open(&path, &[]) else { return 0 };
        ["A", "B"].iter().filter(|name| matches!(found.find(name), Ok(Some(_)))).count()
    };
    assert_eq!(look(&good), 2);
    for length in (0..good.len()).step_by(41) {
        assert!(look(&good[..length]) < 2, "cut off after {length} bytes");
    }
    // Every entry of the table leads to the first one, or beyond the end, or unpacks to 4 GB.
    let table: Vec<usize> = (0..good.len() - 4).filter(|at| good[*at..].starts_with(b"PK\x01\x02")).collect();
    for (at, number) in [(42, 0u32), (42, u32::MAX - 1), (24, u32::MAX - 1)] {
        let mut bad = good.clone();
        for entry in &table {
            bad[entry + at..entry + at + 4].copy_from_slice(&number.to_le_bytes());
        }
        assert!(look(&bad) < 2, "{number} at {at}");
    }
}
