//! `--coverage`: equal to what JaCoCo counts on a JVM that executes the same witnesses, and what is said of the rest.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::common::{command, file, lazuli, root, stderr, stdout};

const JARS: &str = "/usr/share/java";

/// By source and line: instructions missed and covered, branches missed and covered.
type Lines = BTreeMap<(String, u32), [u32; 4]>;

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{command:?}: {}", stderr(&output));
    stdout(&output)
}

/// The lines of a report in JaCoCo's form.
fn lines_of_xml(text: &str) -> Lines {
    let value = |line: &str, key: &str| -> String {
        let (_, rest) = line.split_once(&format!(" {key}=\"")).unwrap_or_else(|| panic!("{key} in {line}"));
        rest.split('"').next().expect("a value").to_string()
    };
    let number = |line: &str, key: &str| value(line, key).parse().expect("a number");
    let mut source = String::new();
    let mut lines = Lines::new();
    for line in text.lines() {
        if line.starts_with("<sourcefile ") {
            source = value(line, "name");
        } else if line.starts_with("<line ") {
            let counts = ["mi", "ci", "mb", "cb"].map(|key| number(line, key));
            lines.insert((source.clone(), number(line, "nr")), counts);
        }
    }
    lines
}

/// JaCoCo as Debian has it, and a JDK whose `java` counts with it.
struct Jacoco {
    directory: PathBuf,
    executed: PathBuf,
    class_path: String,
}

impl Jacoco {
    /// `None` where it is not installed.
    fn find() -> Option<Jacoco> {
        let jar = |name: &str| Path::new(JARS).join(format!("{name}.jar"));
        let needed = ["org.jacoco.core", "asm", "asm-tree", "asm-commons", "asm-analysis"].map(jar);
        let agent = jar("org.jacoco.agent");
        if !agent.is_file() || !needed.iter().all(|jar| jar.is_file()) {
            return None;
        }
        let directory = file("nothing", "").with_file_name("jacoco");
        // What an earlier run has left; there is nothing at first.
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(directory.join("jdk/bin")).expect("a directory");
        run(Command::new("jar").current_dir(&directory).arg("xf").arg(&agent).arg("jacocoagent.jar"));
        let class_path = needed.map(|jar| jar.display().to_string()).join(":");
        let jacoco = Jacoco { executed: directory.join("executed"), directory, class_path };
        jacoco.compile();
        jacoco.make_jdk();
        Some(jacoco)
    }

    /// Compiles the program that counts and the agent that writes.
    fn compile(&self) {
        let sources = root().join("crates/cli/tests/java");
        let paths = format!("{}:{}", self.class_path, self.directory.join("jacocoagent.jar").display());
        let mut javac = Command::new("javac");
        javac.args(["-cp", &paths, "-d"]).arg(self.directory.join("classes"));
        run(javac.args(["Lines.java", "Dump.java"].map(|name| sources.join(name))));
        let manifest = self.directory.join("manifest");
        std::fs::write(&manifest, "Premain-Class: Dump\n").expect("a file");
        let mut jar = Command::new("jar");
        jar.arg("cfm").arg(self.directory.join("dump.jar")).arg(manifest).arg("-C");
        run(jar.arg(self.directory.join("classes")).arg("."));
    }

    /// A JDK that is the usual one, but for its `java`: it counts, and ends a while after its input has, so that all is written.
    fn make_jdk(&self) {
        let javac = run(Command::new("sh").args(["-c", "readlink -f \"$(command -v javac)\""]));
        let home = Path::new(javac.trim()).parent().and_then(Path::parent).expect("a JDK").to_path_buf();
        let own = self.directory.join("jdk");
        let link = |from: &Path, to: &Path| {
            for entry in std::fs::read_dir(from).expect("a directory").flatten() {
                if !["bin", "java"].iter().any(|name| entry.file_name() == *name) {
                    symlink(entry.path(), to.join(entry.file_name())).expect("a link");
                }
            }
        };
        link(&home, &own);
        link(&home.join("bin"), &own.join("bin"));
        let [agent, dump, executed] =
            ["jacocoagent.jar", "dump.jar", "executed"].map(|name| self.directory.join(name).display().to_string());
        let java = home.join("bin/java");
        let script = format!(
            "#!/bin/sh\n{{ /bin/cat; /bin/sleep 2; /bin/touch {executed}.done; }} | {} \
             -javaagent:{agent}=destfile={executed},inclnolocationclasses=true -javaagent:{dump} \"$@\"\n",
            java.display()
        );
        let path = own.join("bin/java");
        std::fs::write(&path, script).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be executed");
    }

    /// What JaCoCo counts of the classes while the command runs.
    fn count(&self, classes: &Path, mut command: Command) -> Lines {
        let done = self.directory.join("executed.done");
        for path in [&self.executed, &done] {
            // There is none at first.
            let _ = std::fs::remove_file(path);
        }
        let output = command.env("JAVA_HOME", self.directory.join("jdk")).output().expect("the command runs");
        assert!(stdout(&output).contains("coverage: "), "{output:?}");
        for _ in 0..600 {
            if done.is_file() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let paths = format!("{}:{}", self.class_path, self.directory.join("classes").display());
        let text = run(Command::new("java").args(["-cp", &paths, "Lines"]).arg(&self.executed).arg(classes));
        let line = |line: &str| {
            let (place, counts) = line.split_once(' ').expect("a line");
            let (source, number) = place.split_once(':').expect("a place");
            let counts: Vec<u32> = counts.split(' ').map(|count| count.parse().expect("a number")).collect();
            ((source.to_string(), number.parse().expect("a number")), counts.try_into().expect("four numbers"))
        };
        text.lines().map(line).collect()
    }
}

/// The lines of the sources that say by which rule JaCoCo counts them in another way.
fn marked(sources: &[PathBuf]) -> Vec<(String, u32)> {
    let of = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a source");
        let marked: Vec<u32> = (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.contains("// JaCoCo: "))
            .map(|(number, _)| number)
            .collect();
        marked.into_iter().map(move |number| (name.clone(), number))
    };
    sources.iter().flat_map(of).collect()
}

/// Checks sources with coverage, and compares it with JaCoCo's line by line.
fn compare(sources: &[PathBuf], by_finally: &[(&str, u32)]) {
    let Some(jacoco) = Jacoco::find() else {
        eprintln!("JaCoCo is not installed: nothing is compared");
        return;
    };
    let classes = jacoco.directory.join("program");
    run(Command::new("javac").args(["-g", "-d"]).arg(&classes).args(sources));
    let xml = jacoco.directory.join("coverage.xml");
    let mut check = command(&["check", classes.to_str().expect("text"), "--no-cache", "--coverage", "--coverage-xml"]);
    check.arg(&xml).args(["--max-depth", "6", "--max-string", "3", "--max-array", "3", "--k", "3"]);
    let theirs = jacoco.count(&classes, check);
    let ours = lines_of_xml(&std::fs::read_to_string(&xml).expect("a report"));
    let places: std::collections::BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    let differ: Vec<(String, u32)> =
        places.into_iter().filter(|place| ours.get(*place) != theirs.get(*place)).cloned().collect();
    let mut wanted = marked(sources);
    wanted.extend(by_finally.iter().map(|(source, line)| (source.to_string(), *line)));
    wanted.sort();
    let show = |place: &(String, u32)| format!("{place:?}: {:?} and {:?}", ours.get(place), theirs.get(place));
    assert_eq!(differ, wanted, "{:#?}", differ.iter().map(show).collect::<Vec<_>>());
    assert!(ours.len() > 40 && ours.values().any(|[.., covered]| *covered > 1), "{ours:?}");
}

#[test]
fn constructs_are_counted_as_jacoco_does_but_for_lines_that_say_so() {
    compare(&[root().join("crates/cli/tests/java/Constructs.java")], &[]);
}

#[test]
fn everyday_programs_are_counted_as_jacoco_does() {
    let directory = root().join("programs/java/everyday");
    let mut sources: Vec<PathBuf> =
        std::fs::read_dir(directory).expect("programs").flatten().map(|e| e.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "java"));
    sources.sort();
    // JaCoCo counts one of the copies that the compiler makes of `finally`.
    compare(&sources, &[("Parser.java", 15), ("Parser.java", 16)]);
}

const REASONS: &str = "public class Reasons {
    public static int impossible(int x) {
        if (x > 5 && x < 3) {
            return 1;
        }
        return helper(x);
    }
    private static int helper(int x) { return x == Integer.MIN_VALUE ? 1 : 0; }
    private static int unused(int x) { return x; }
    public static int cut(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum++;
        }
        if (sum > 100) {
            return 7;
        }
        return sum;
    }
}
";

#[test]
fn what_is_not_executed_has_a_reason() {
    let path = file("Reasons.java", REASONS);
    let check = |more: &[&str]| {
        let args = ["check", path.to_str().expect("text"), "--no-cache", "--coverage", "--max-depth", "9"];
        lazuli(&[&args, more].concat())
    };
    let text = stdout(&check(&["--confirm", "engine"]));
    for said in [
        ":4  Reasons.impossible: not executed; infeasible: no input leads there",
        ":9  Reasons.unused: not executed, 1 line; nothing that was explored calls it",
        ":16  Reasons.cut: not executed; beyond what was explored: ",
    ] {
        assert!(text.contains(said), "{said} in\n{text}");
    }
    assert!(text.contains("stopped by --max-depth") && !text.contains("Reasons.helper"), "{text}");
    let output = check(&["--confirm", "engine", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let methods = report["coverage"]["classes"][0]["methods"].as_array().expect("methods");
    let why = |name: &str| {
        let method = methods.iter().find(|method| method["method"].as_str().is_some_and(|text| text.starts_with(name)));
        method.expect("a method")["why"].clone()
    };
    assert_eq!([why("impossible"), why("unused"), why("cut")], ["infeasible", "not_called", "cut_off"]);
    // Without witnesses that are run, nothing is executed.
    let output = check(&["--confirm", "none"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--coverage"), "{output:?}");
}

#[test]
fn one_method_is_explored_with_coverage() {
    let path = file("Reasons.java", REASONS);
    let xml = path.with_file_name("coverage.xml");
    let entry = ["explore", path.to_str().expect("text"), "--entry", "Reasons.impossible", "--coverage"];
    let output = lazuli(&[&entry[..], &["--coverage-xml", xml.to_str().expect("text")]].concat());
    assert!(stdout(&output).contains("Reasons.java:4  Reasons.impossible: not executed"), "{output:?}");
    let lines = lines_of_xml(&std::fs::read_to_string(&xml).expect("a report"));
    assert_eq!(lines[&("Reasons.java".to_string(), 3)][2..], [1, 3]);
    assert_eq!(lines[&("Reasons.java".to_string(), 8)][2..], [0, 2]);
    let output = lazuli(&[&entry[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert!(report["coverage"]["branches"]["covered"].as_u64() > Some(4), "{report}");
}
