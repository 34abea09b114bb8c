//! Jars as they come: with versions of classes for newer Javas, with the classes and libraries of applications in folders of their own,
//! and in directories.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use lazuli_program::bytecode::ClassPath;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::bytecode::{Scratch, compile, open, refused, says};

/// The bytes of a class that prints a number.
fn class(name: &str, number: u32) -> Vec<u8> {
    let text =
        format!("public class {name} {{ public static void main(String[] a) {{ System.out.print({number}); }} }}");
    compile(&format!("{name}.java"), &text).require(name).unwrap().bytes().to_vec()
}

fn write(path: &Path, entries: &[(&str, &[u8])], how: CompressionMethod) {
    let mut jar = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, contents) in entries {
        jar.start_file(*name, SimpleFileOptions::default().compression_method(how)).unwrap();
        jar.write_all(contents).unwrap();
    }
    jar.finish().unwrap();
}

fn jar(scratch: &Scratch, name: &str, entries: &[(&str, &[u8])]) -> PathBuf {
    let path = scratch.0.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    write(&path, entries, CompressionMethod::Deflated);
    path
}

const VERSIONS: &[u8] = b"Manifest-Version: 1.0\r\nmulti-release: TRUE\r\n\r\n";

#[test]
fn of_several_versions_the_newest_that_the_jdk_runs_counts() {
    let scratch = Scratch::new();
    let [base, nine, eleven, far] = [0, 9, 11, 99].map(|number| class("A", number));
    let only = class("Only", 9);
    let entries = [
        ("A.class", &base[..]),
        ("META-INF/versions/9/A.class", &nine),
        ("META-INF/versions/11/A.class", &eleven),
        ("META-INF/versions/99/A.class", &far),
        ("META-INF/versions/9/Only.class", &only),
        // What is no version of Java that looks for versions.
        ("META-INF/versions/8/A.class", &far),
        ("META-INF/versions/011/A.class", &far),
        ("META-INF/versions/A.class", &far),
    ];
    let manifests: [(&[u8], bool); 4] = [
        (VERSIONS, true),
        (b"Manifest-Version: 1.0\nMulti-Release: false\n", false),
        (b"Manifest-Version: 1.0\n\nName: A.class\nMulti-Release: true\n", false),
        (b"Manifest-Version: 1.0\n", false),
    ];
    let java = open("jdk").jdk().home.join("bin/java");
    for (manifest, several) in manifests {
        let mut all = vec![("META-INF/MANIFEST.MF", manifest)];
        all.extend(entries);
        let path = jar(&scratch, "versions.jar", &all);
        let classes = open(&path);
        let expected: &[&str] = if several { &["A", "Only"] } else { &["A"] };
        assert_eq!(classes.user_classes(), expected);
        let found = classes.require("A").unwrap();
        assert_eq!(found.bytes(), if several { &eleven } else { &base }, "{}", String::from_utf8_lossy(manifest));
        let output = Command::new(&java).arg("-cp").arg(&path).arg("A").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), if several { "11" } else { "0" }, "the JVM");
    }
    let without = jar(&scratch, "without.jar", &entries);
    assert_eq!(open(without).user_classes(), ["A"]);
}

#[test]
fn archives_of_applications_have_classes_and_libraries() {
    let scratch = Scratch::new();
    let [launcher, app, old, library, other] =
        [("Launcher", 1), ("App", 2), ("Lib", 0), ("Lib", 3), ("Other", 4)].map(|(name, number)| class(name, number));
    let lib = jar(
        &scratch,
        "lib.jar",
        &[
            ("META-INF/MANIFEST.MF", VERSIONS),
            ("Lib.class", &old),
            ("META-INF/versions/10/Lib.class", &library),
            ("BOOT-INF/lib/inner.jar", b"not looked at"),
        ],
    );
    let lib = std::fs::read(lib).unwrap();
    let second = std::fs::read(jar(&scratch, "second.jar", &[("Lib.class", &old), ("Other.class", &other)])).unwrap();
    for (folder, how) in [("BOOT-INF", CompressionMethod::Stored), ("WEB-INF", CompressionMethod::Deflated)] {
        let named = |name: &str| format!("{folder}/{name}");
        let names = [named("classes/App.class"), named("lib/a.jar"), named("lib/b.jar"), named("lib/notes.txt")];
        let entries = [
            ("Launcher.class", &launcher[..]),
            (&names[0], &app),
            (&names[1], &lib),
            (&names[2], &second),
            (&names[3], b"hello"),
        ];
        let path = scratch.0.join("app.jar");
        write(&path, &entries, how);
        let classes = open(&path);
        assert_eq!(classes.user_classes(), ["App", "Launcher", "Lib", "Other"]);
        assert_eq!(classes.program_classes(), ["App", "Launcher"], "libraries are not the program");
        assert_eq!(classes.require("App").unwrap().bytes(), app);
        assert_eq!(classes.require("Lib").unwrap().bytes(), library, "the first, in its newest version");
        assert_eq!(classes.require("Other").unwrap().bytes(), other);
        let also = ClassPath::open(Path::new("jdk"), std::slice::from_ref(&path)).unwrap();
        assert_eq!(also.user_classes(), ["App", "Launcher", "Lib", "Other"]);

        write(&path, &[(&names[1], b"not a jar")], how);
        says(&refused(ClassPath::open(&path, &[])), &[&format!("app.jar!{}: this is not a jar", names[1])]);
    }
}

#[test]
fn directories_of_jars() {
    let scratch = Scratch::new();
    let [a, b, c] = [("A", 1), ("B", 2), ("C", 3)].map(|(name, number)| class(name, number));
    jar(&scratch, "lib/a.jar", &[("A.class", &a)]);
    jar(&scratch, "lib/b.jar", &[("A.class", &b), ("B.class", &b)]);
    jar(&scratch, "lib/deeper/c.jar", &[("C.class", &c)]);
    scratch.write("lib/README", "nothing");
    let lib = scratch.0.join("lib");
    let jdk = Path::new("jdk");
    for path in [lib.clone(), lib.join("*")] {
        let classes = ClassPath::open(jdk, &[path]).unwrap();
        assert_eq!(classes.user_classes(), ["A", "B"]);
        assert_eq!(classes.require("A").unwrap().bytes(), a, "the first counts");
    }
    let program = open(&lib);
    assert_eq!(program.program_classes(), ["A", "B"]);
    // A source is compiled with them.
    let source = scratch.write("Use.java", "class Use { static void f() { A.main(null); B.main(null); } }");
    assert!(ClassPath::open(&source, std::slice::from_ref(&lib)).is_ok());
    // A directory with classes is one of classes.
    scratch.write("lib/C.class", &c);
    assert_eq!(ClassPath::open(jdk, &[lib]).unwrap().user_classes(), ["C"]);
}
