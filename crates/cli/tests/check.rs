//! `lazuli check`: what fails, what only may, what holds and how far; on programs that people write, beside a real JVM.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::common::{command, file, lazuli, root, stderr, stdout};
use crate::schema;

/// The verdicts of the table, by the simple names of the methods.
fn verdicts(text: &str) -> Vec<(String, String)> {
    let rows = text.lines().skip_while(|line| !line.starts_with("method  ")).skip(1);
    let rows = rows.take_while(|line| line.ends_with(" s"));
    let row = |line: &str| {
        let mut parts = line.split("  ").map(str::trim).filter(|part| !part.is_empty());
        let name = parts.next().expect("a method").split('(').next().expect("a name").to_string();
        (name, parts.next().expect("a verdict").to_string())
    };
    rows.map(row).collect()
}

/// Times differ from run to run.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.strip_suffix(" s").and_then(|rest| rest.rsplit_once("  ")) {
        Some((rest, time)) if time.trim().parse::<f64>().is_ok() => rest.trim_end().to_string(),
        _ => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

pub fn check(path: &Path, more: &[&str]) -> Output {
    let mut args = vec!["check", path.to_str().expect("text"), "--no-cache"];
    args.extend(more);
    lazuli(&args)
}

/// Looks at the verdicts of a source, of which each line `// verdict` says what is wanted of the method in it.
pub fn expect(name: &str, source: &str, more: &[&str]) -> Output {
    let path = file(name, source);
    let output = check(&path, more);
    let text = stdout(&output);
    let found = verdicts(&text);
    let mut wanted = 0;
    for line in source.lines() {
        let Some((code, verdict)) = line.split_once(" // ") else { continue };
        let method = code.split('(').next().and_then(|head| head.split_whitespace().last()).expect("a method");
        let (_, said) = found
            .iter()
            .find(|(name, _)| name.rsplit('.').next() == Some(method))
            .unwrap_or_else(|| panic!("{method} is not in\n{text}{}", stderr(&output)));
        assert!(said.starts_with(verdict), "{method}: {said}, and not {verdict}\n{text}");
        wanted += 1;
    }
    assert_eq!(wanted, found.len(), "{text}");
    output
}

#[test]
fn everyday_programs_are_checked_as_a_whole() {
    let bounds = ["--max-depth", "6", "--max-string", "3", "--max-array", "3", "--k", "3"];
    let mut args = vec!["check", "programs/java/everyday", "--no-cache"];
    args.extend(bounds);
    let output = lazuli(&args);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let found = timeless(&stdout(&output));
    let golden = root().join("programs/java/everyday/check.golden");
    if std::env::var_os("LAZULI_BLESS").is_some() {
        std::fs::write(&golden, &found).expect("the golden file is written");
    }
    let wanted = std::fs::read_to_string(&golden).expect("a golden file");
    assert_eq!(found, wanted, "if this is right, run `make bless`");
    // The answer is the same for every number of workers.
    args.extend(["--jobs", "1"]);
    assert_eq!(timeless(&stdout(&lazuli(&args))), wanted);
}

#[test]
fn what_is_declared_or_thrown_on_purpose_is_no_failure() {
    let source = r#"import java.util.*;
public class Purpose {
    static class Sold extends RuntimeException { }
    public static int argument(int x) { if (x < 0) { throw new IllegalArgumentException("x"); } return x; } // holds
    public static int state(int x) { if (x < 0) { throw new IllegalStateException(); } return x; } // holds
    public static int overflow(int x) { if (x > 9) { throw new ArithmeticException("overflow"); } return x; } // holds
    public static int again(int x) { try { return 1 / x; } catch (ArithmeticException e) { throw e; } } // fails
    public static int own(int x) { if (x == 7) { throw new Sold(); } return x; } // holds
    public static int runtime(int x) { if (x == 7) { throw new RuntimeException("unreachable"); } return x; } // fails
    public static int divided(int x) { return 10 / x; } // fails
    public static int declared(int x) throws ArithmeticException { return 10 / x; } // holds
    public static int above(int x) throws RuntimeException { return 10 / x; } // holds
    public static int checked(int i) { return Objects.checkIndex(i, 3); } // holds
    public static Object required(Object o, boolean b) { return Objects.requireNonNull(b ? null : o); } // holds
    public static int indirect(int i) { return List.of(1, 2).get(i); } // fails
    public static int asserted(int x) { assert x != 5 : "five"; return x; } // fails
    public static void endless(int n) { while (n != 0) { } } // fails
    public static int colour(Colour c) { switch (c) { case RED: return 1; case GREEN: return 2; default: throw new Error(); } } // holds
    enum Colour { RED, GREEN }
    public static void prints(int x) { System.out.println("x = " + (x > 3)); } // holds
}
"#;
    let output = expect("Purpose.java", source, &["--confirm", "jvm"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let first = text.lines().next().expect("a first line");
    assert!(first.contains("16 methods") && first.contains("EXECUTES THE CODE"), "{first}");
    let block = text.split("\n\n").find(|block| block.contains("asserted(int) fails")).expect("a block");
    for part in ["an assertion fails: five", "Purpose.java:16   ", "e.g. x = 5", "confirmed by the JVM"] {
        assert!(block.contains(part), "{part} in\n{block}");
    }
    let output =
        check(&file("Purpose.java", source), &["Purpose.argument", "Purpose.own", "--strict", "--confirm", "engine"]);
    let text = stdout(&output);
    assert!(verdicts(&text).iter().all(|(_, verdict)| verdict == "fails"), "{text}");
    assert!(text.contains("replayed") && !text.contains("EXECUTES"), "{text}");
}

#[test]
fn null_is_tried_where_callers_are_told_so() {
    let source = r#"public class Nulls {
    @interface Nullable { }
    public static int plain(String s) { return s.length(); } // holds within strings
    public static int compared(String s) { if (s != null) { s.trim(); } return s.length(); } // fails
    public static int annotated(int x, @Nullable String s) { return s.length(); } // fails
    public static int other(@Nullable String s, String t) { return t.length(); } // holds within strings
    public static int elements(String[] all) { int n = 0; for (String s : all) { n += s.length(); } return n; } // may fail: with null
}
"#;
    let fast = ["--confirm", "engine", "--max-array", "2"];
    assert_eq!(expect("Nulls.java", source, &fast).status.code(), Some(1));
    let all = source.replace("holds within strings", "fails").replace("may fail: with null", "fails");
    expect("Nulls.java", &all, &["--confirm", "engine", "--max-array", "2", "--null-args"]);
}

#[test]
fn a_failure_needs_an_input_that_calls_can_build() {
    let source = r#"import java.util.*;
public class Built {
    private int hidden;
    private final List<Integer> items = new ArrayList<>();
    public void secret() { assert hidden != 3; } // may fail: by reflection only
    public int any(int x) { return 1 / x; } // fails
    public static void point(Point p) { assert p.x != 3; } // fails
    public static void tested(Tested t) { assert t.x != -3; } // holds
    public static void open(Open o) { assert o.next == null || o.next.next != o; } // fails
    public static void circle(Closed c) { assert c.next != c; } // may fail: by reflection only
    public static void chain(Closed c) { assert c.next == null || c.next.next != null; } // fails
    public static int list(List<Integer> list) { return list.size() > 2 ? 1 / (list.size() - 3) : 0; } // fails
    public int kept(Named n) { return n.name.length(); } // may fail: with null given
    public int told(Told t) { return t.name == null ? 0 : t.name.length(); } // holds
    public int untold(Told t) { return t.name.length(); } // fails
    public static void shape(Shape s) { assert s.sides() != 3; } // may fail: by reflection only
    abstract static class Shape { abstract int sides(); static Shape three() { return new Shape() { int sides() { return 3; } }; } }
    static class Named { final String name; Named(String name) { this.name = name; } }
    @interface Nullable { }
    static class Told { final String name; Told(@Nullable String name) { this.name = name; } }
    record Point(int x, int y) { }
    record Tested(int x) { Tested { if (x < 0) { throw new IllegalArgumentException(); } } }
    static class Open { Open next; }
    static class Closed { private final Closed next; Closed(Closed next) { this.next = next; } }
}
"#;
    let output = expect_of("Built.java", source, "Built", &["--confirm", "engine"]);
    assert_eq!(output.status.code(), Some(1));
    let output = check(&file("Built.java", source), &["Built.secret", "--confirm", "engine"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
}

/// [`expect`] of one class.
fn expect_of(name: &str, source: &str, class: &str, more: &[&str]) -> Output {
    let more: Vec<&str> = std::iter::once(class).chain(more.iter().copied()).collect();
    expect(name, source, &more)
}

/// Strings have characters of their own, also where it is said which collections are valid.
#[test]
fn strings_are_inputs_beside_collections() {
    let source = "import java.util.*;
public class Beside {
    private final Map<String, Integer> stock = new HashMap<>();
    private List<Integer> list;
    public int count(String s) { return s.length(); } // holds within strings
    public char last(String s) { return s.charAt(s.length() - 1); } // fails
    public static int both(List<Integer> list, String s) { return s.length() == 2 ? 1 / list.size() : 0; } // fails
}
";
    expect("Beside.java", source, &["--confirm", "engine"]);
}

#[test]
fn the_exit_code_says_how_far_it_holds() {
    let source = "public class Codes {
        public static int holds(int x) { return x > 3 ? 1 : 2; }
        public static int array(int[] a) { return a.length; }
        public static int fails(int x) { return 1 / x; }
        public static int power(int x, int n) { int p = 1; for (int i = 0; i < n; i++) { p *= x; } return p; }
    }";
    let path = file("Codes.java", source);
    let code = |more: &[&str]| {
        let more: Vec<&str> = more.iter().copied().chain(["--confirm", "none"]).collect();
        let output = check(&path, &more);
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let is = |more: &[&str], wanted: i32, said: &str| {
        let (code, text) = code(more);
        assert_eq!(code, Some(wanted), "{more:?}\n{text}");
        assert!(text.contains(said), "{said} in\n{text}");
    };
    is(&["Codes.holds"], 0, "1 method: 1 hold");
    is(&["Codes.array"], 3, "holds within arrays of up to 8");
    is(&["Codes.array", "--max-array", "8"], 0, "holds within --max-array 8");
    is(&["Codes.holds", "Codes.fails", "Codes.array"], 1, "fails: ArithmeticException");
    is(&["Codes.power", "--timeout", "300ms"], 3, "unknown: stopped by --timeout");
    is(&["Codes.nothing"], 2, "there is no method nothing");
    is(&["Cods"], 2, "did you mean");
}

/// The numbers, lengths and objects of an input are no larger than they must be.
#[test]
fn inputs_are_small() {
    let source = "public class Small {
        static class Node { int value; Node next; }
        public static void sums(int a, int b) { assert a + b != 5 || a < 1000; }
        public static void strings(String s) { assert s.length() < 2; }
        public static void arrays(int[] a, int i) { if (i >= 0 && i < a.length && a[i] > 100) { throw new Error(); } }
        public static void nodes(Node n) { if (n.value > 7 && n.next == null) { throw new Error(); } }
        public static void longs(long x) { assert x <= 1L << 40; }
    }";
    let path = file("Small.java", source);
    let text = stdout(&check(&path, &["Small", "--confirm", "engine"]));
    for input in [
        "a = 1000, b = -995",
        "s = \"ab\"",
        "a = new int[]{101}, i = 0",
        "n = Node { value = 8, next = null }",
        "x = 1099511627777L",
    ] {
        assert!(text.contains(&format!("e.g. {input}\n")), "{input} in\n{text}");
    }
}

#[test]
fn the_first_violation_ends_a_method_unless_all_are_wanted() {
    let source = "public class Two { public static int both(int x, int y) { if (x == 3) { return 1 / (y - y); } assert y != 4; return 1; } }";
    let path = file("Two.java", source);
    let blocks = |more: &[&str]| stdout(&check(&path, more)).matches("Two.both(int, int) fails").count();
    assert_eq!(blocks(&["--confirm", "engine", "--first"]), 1);
    assert_eq!(blocks(&["--confirm", "engine", "--all"]), 2);
}

/// Compiles a project's sources to where its build would put them.
fn compile(project: &Path, sources: &str, classes: &str, class_path: &str) {
    let out = project.join(classes);
    std::fs::create_dir_all(&out).expect("a directory");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-cp", class_path, "-d"]).arg(&out).arg(project.join(sources));
    assert!(javac.status().expect("javac runs").success());
}

const NAMES: &str = "package shop;
public class Names {
    public static char initial(String name) {
        return name.isEmpty() ? '?' : tool.Tool.second(name);
    }
}
";

/// What an earlier run of the test has left.
fn remove(name: &str) {
    let path = file("nothing", "");
    // There is nothing at first.
    let _ = std::fs::remove_dir_all(path.with_file_name(name));
}

#[test]
fn projects_of_maven_are_found_with_their_libraries() {
    let pom = |version: &str| {
        format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
            <properties><tool.version>{version}</tool.version></properties>
            <dependencies>
              <dependency><groupId>org.tool</groupId><artifactId>tool</artifactId><version>${{tool.version}}</version></dependency>
              <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4</version><scope>test</scope></dependency>
            </dependencies></project>"
        )
    };
    remove("project");
    let path = file("project/pom.xml", pom("2.0"));
    let project = path.parent().expect("a directory");
    file("project/src/main/java/shop/Names.java", NAMES);
    let tool = "package tool; public class Tool { public static char second(String s) { return s.charAt(1); } }";
    let source = file("tool/Tool.java", tool);
    let home = source.parent().and_then(Path::parent).expect("a directory").join("home");
    let check = |home: &PathBuf| {
        let mut command = command(&["check", project.to_str().expect("text"), "--confirm", "engine", "--no-cache"]);
        command.env("HOME", home).output().expect("the command runs")
    };
    let output = check(&home);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("nothing is compiled") && stderr(&output).contains("mvn compile"), "{output:?}");
    // A jar of the local repository, with a library that is only there.
    let tool = source.parent().expect("a directory");
    compile(tool, "Tool.java", "classes", "");
    let repository = home.join(".m2/repository/org/tool/tool/2.0");
    std::fs::create_dir_all(&repository).expect("a directory");
    let jar = repository.join("tool-2.0.jar");
    let packed = Command::new("jar").arg("cf").arg(&jar).arg("-C").arg(tool.join("classes")).arg(".").status();
    assert!(packed.expect("jar runs").success());
    compile(project, "src/main/java/shop/Names.java", "target/classes", jar.to_str().expect("text"));
    let output = check(&home);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    // Only the project's own methods are checked, and its sources are shown.
    assert_eq!(verdicts(&text).len(), 1, "{text}");
    assert!(text.contains("src/main/java/shop/Names.java:4   return name.isEmpty() ?"), "{text}");
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
    // A version that is not there.
    file("project/pom.xml", pom("3.0"));
    let output = check(&home);
    assert!(stderr(&output).contains("warning: org.tool:tool:3.0 is not in the local repository"), "{output:?}");
    assert!(stdout(&output).contains("unknown: "), "{}", stdout(&output));
}

#[test]
fn projects_of_gradle_are_found() {
    remove("project");
    let path = file("project/build.gradle", "plugins { id 'java' }");
    let project = path.parent().expect("a directory");
    let output = check(project, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("gradle classes"), "{output:?}");
    file("project/src/main/java/Div.java", "public class Div { public static int half(int x) { return x / 2; } }");
    compile(project, "src/main/java/Div.java", "build/classes/java/main", "");
    let output = check(project, &["--confirm", "engine"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("Div.half(int)  holds"), "{output:?}");
}

const WRITTEN: &str = "public class Written {
    private int hidden;
    public static int quotient(int x) { return 1 / x; }
    public void secret() { assert hidden != 3 : \"a, b: 100%\"; }
    public static int half(int x) { return x / 2; }
}
";

fn written(format: &str) -> (Output, String) {
    let path = file("Written.java", WRITTEN);
    let output = check(&path, &["--confirm", "engine", "--format", format]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = stdout(&output);
    (output, text)
}

#[test]
fn json_is_what_its_schema_says() {
    let (output, text) = written("json");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let schema = std::fs::read_to_string(root().join("docs/check.schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    schema::check(&schema, &schema, &report, "$").unwrap_or_else(|why| panic!("{why}: {text}"));
    assert!(stderr(&output).contains("checking 3 methods"), "{output:?}");
    let traces = schema::schema();
    let methods = report["methods"].as_array().expect("methods");
    let verdicts: Vec<&str> = methods.iter().filter_map(|method| method["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["fails", "may_fail", "holds"]);
    for violation in methods.iter().flat_map(|method| method["violations"].as_array().expect("violations")) {
        schema::check(&traces["$defs"]["trace"], &traces, &violation["trace"], "$")
            .unwrap_or_else(|why| panic!("{why}"));
    }
    assert_eq!(methods[0]["violations"][0]["at"]["line"], 3);
    assert_eq!(methods[0]["violations"][0]["trace"]["witness"]["inputs"]["x"], 0);
}

/// What the schema of SARIF 2.1.0 says, and what code hosts need.
#[test]
fn sarif_is_as_its_schema_says_and_has_what_its_readers_need() {
    let (_, text) = written("sarif");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let standard =
        std::fs::read_to_string(root().join("crates/cli/tests/sarif/sarif-schema-2.1.0.json")).expect("a schema");
    let standard: Value = serde_json::from_str(&standard).expect("JSON");
    schema::check(&standard, &standard, &report, "$").unwrap_or_else(|why| panic!("{why}"));
    // The schema is one that says no.
    for (path, wrong) in
        [("/version", "2.0.0".into()), ("/runs/0/results/0/level", "bad".into()), ("/runs", Value::Null)]
    {
        let mut report = report.clone();
        *report.pointer_mut(path).expect("it is there") = wrong;
        assert!(schema::check(&standard, &standard, &report, "$").is_err(), "{path}");
    }
    assert_eq!(report["version"], "2.1.0");
    let run = &report["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "lazuli");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for (result, (rule, level, line)) in results.iter().zip([("exception", "error", 3), ("assertion", "warning", 4)]) {
        let index = result["ruleIndex"].as_u64().expect("a rule") as usize;
        assert_eq!((&result["ruleId"], &driver["rules"][index]["id"]), (&rule.into(), &rule.into()));
        assert_eq!(result["level"], level);
        assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains("e.g. ")), "{result}");
        let location = &result["locations"][0];
        let place = &location["physicalLocation"];
        assert_eq!(place["region"]["startLine"], line);
        assert!(
            place["artifactLocation"]["uri"].as_str().is_some_and(|uri| uri.ends_with("/Written.java")),
            "{result}"
        );
        assert_eq!(location["logicalLocations"][0]["kind"], "function");
        assert!(result["partialFingerprints"].is_object());
    }
}

#[test]
fn annotations_are_at_the_lines() {
    let (_, text) = written("github");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    let [error, warning] = lines[..] else { panic!("{text}") };
    assert!(
        error.starts_with("::error file=") && error.contains("Written.java,line=3,title=Written.quotient(int) fails::")
    );
    assert!(error.contains("ArithmeticException: / by zero%0A"), "{error}");
    assert!(warning.starts_with("::warning ") && warning.contains("an assertion fails: a, b: 100%25"), "{warning}");
    assert!(text.contains("3 methods: 1 fail, 1 may fail, 1 hold"), "{text}");
}

#[test]
fn what_did_not_change_is_not_checked_again() {
    remove("cache");
    let source = "public class Kept { public static int quotient(int x) { return 1 / x; } public static int half(int x) { return x / 2; } }";
    let path = file("Kept.java", source);
    let cache = path.with_file_name("cache");
    let check = |more: &[&str]| {
        let args: Vec<&str> = ["check", path.to_str().expect("text"), "--confirm", "engine"].into_iter().collect();
        let args = [args, more.to_vec()].concat();
        let output = command(&args).env("XDG_CACHE_HOME", &cache).output().expect("the command runs");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        timeless(&stdout(&output))
    };
    let known =
        |text: &str| text.lines().find_map(|line| line.strip_suffix("(--no-cache checks again)")).map(str::to_string);
    let first = check(&[]);
    assert_eq!(known(&first), None);
    let second = check(&[]);
    assert_eq!(known(&second).as_deref(), Some("2 known from before, because nothing has changed "));
    // Nothing else differs.
    assert_eq!(second.lines().take(first.lines().count()).collect::<Vec<_>>(), first.lines().collect::<Vec<_>>());
    assert!(known(&check(&["Kept.half", "Kept.quotient"])).is_some_and(|text| text.starts_with("2 known")));
    // Other options are another question, and another class is another target.
    for more in [&["--no-cache"][..], &["--strict"], &["--max-string", "4"], &["--timeout", "9s"]] {
        assert_eq!(known(&check(more)), None, "{more:?}");
    }
    file("Kept.java", source.replace("x / 2", "x / 3"));
    assert_eq!(known(&check(&[])), None);
    // What cannot be read is checked again.
    let all: Vec<PathBuf> =
        walk(&cache).into_iter().filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    assert!(all.len() >= 4, "{all:?}");
    all.iter().for_each(|path| std::fs::write(path, "{}").expect("a file"));
    assert_eq!(known(&check(&[])), None);
}

fn walk(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory").flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// Eleven programs with one fault each; the line that fails says so. The JVM confirms every input.
#[test]
fn faults_of_small_programs_are_found_where_they_are() {
    let directory = root().join("programs/java/faulty");
    let output = lazuli(&["check", "programs/java/faulty", "--no-cache", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let found: Vec<&Value> =
        report["methods"].as_array().expect("methods").iter().filter(|method| method["verdict"] == "fails").collect();
    let mut programs = 0;
    for path in std::fs::read_dir(directory).expect("programs").flatten().map(|entry| entry.path()) {
        let text = std::fs::read_to_string(&path).expect("a program");
        let line = text.lines().position(|line| line.ends_with("// fails")).expect("a fault") + 1;
        let class = format!("faulty.{}", path.file_stem().expect("a name").to_string_lossy());
        let is_of = |method: &&&Value| method["violations"][0]["at"]["class"] == class;
        let method = found.iter().find(is_of).unwrap_or_else(|| panic!("{class} does not fail: {report:#}"));
        let first = &method["violations"][0];
        assert_eq!((&first["at"]["line"], &first["confirmed"]), (&line.into(), &true.into()), "{class}: {first:#}");
        assert!(first["judgement"].as_str().is_some_and(|text| text.contains("JVM")), "{class}: {first:#}");
        programs += 1;
    }
    assert_eq!((programs, found.len()), (11, 11), "{report:#}");
}

#[test]
fn preconditions_say_which_inputs_are_meant() {
    let source = "public class Needs {
    @interface Requires { String value(); }
    @Requires(\"isPositive\")
    public static int inverse(int x) { return 10 / x; } // holds
    @Requires(\"isPositive\")
    public static int before(int x) { return 10 / (x - 1); } // fails
    static boolean isPositive(int x) { return x > 0; }
    @Requires(\"nobody\")
    public static int lost(int x) { return x; } // unknown: there is no method Needs.nobody
    public static int free(int x) { return 10 / x; } // fails
}
";
    let output = expect("Needs.java", source, &[]);
    assert!(stdout(&output).contains("e.g. x = 1\n"), "{output:?}");
    let path = file("Needs.java", source);
    let output = check(&path, &["Needs.free", "--pre", "Needs.isPositive"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}
