//! Postconditions, and what a block says of a violation: where it comes from, and the input as code. The judge is a JVM.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::check::{check, expect};
use crate::common::{file, stderr, stdout};

const CONTRACTS: &str = r#"public class Contracts {
    @interface Requires { String value(); }
    @interface Ensures { String[] value(); }
    private int size;
    private static int asked = Integer.parseInt("1");
    public Contracts() {}
    @Ensures("isMade")
    public Contracts(int made) { size = made; }
    boolean isMade(int made) { return size == made && size >= 0; }
    public void grow() { size++; } // holds
    @Ensures("isBoth")
    public static int max(int a, int b) { return a > b ? a : a; } // fails
    static boolean isBoth(int a, int b, int result) { return result >= a && result >= b; }
    @Requires("isPositive") @Ensures("isNatural")
    public static int half(int a) { return a / 2; } // holds
    static boolean isPositive(int a) { return a > 0; }
    static boolean isNatural(int result) { return result >= 0; }
    @Ensures("isSane")
    public int pop() { return --size; } // fails
    boolean isSane() { return size >= 0; }
    @Ensures("isLess")
    public int less(int by) { return by > 0 ? size - by : size; } // fails
    static boolean isLess(Contracts self, int by, int result) { return result <= self.size; }
    @Ensures("isOn")
    public static boolean on(boolean on) { return on | on; } // holds
    static boolean isOn(boolean on, boolean result) { return on == result && asked == 1; }
    @Ensures("throwsAtSeven")
    public static int same(int x) { return x; } // fails
    static boolean throwsAtSeven(int x, int result) {
        if (x == 7) throw new IllegalStateException();
        return result == x;
    }
    @Ensures("isBoth")
    public static int refuses(int a, int b) { // holds
        if (a != b) throw new IllegalArgumentException("they differ");
        return a;
    }
    @Ensures("isSorted")
    public static void sort(int[] pair) { // fails
        if (pair.length == 2 && pair[0] > pair[1]) pair[1] = pair[0];
    }
    static boolean isSorted(int[] pair) { return pair.length != 2 || pair[0] < pair[1]; }
    @Ensures("nobody")
    public int lost() { return 0; } // unknown: there is no method Contracts.nobody
    @Ensures("text")
    public int typed() { return 0; } // unknown: Contracts.text is no postcondition of Contracts.typed()
    static String text(int result) { return ""; }
    @Ensures({"isSane", "isSane"})
    public int twice() { return 0; } // unknown: @Ensures names several methods
}
"#;

#[test]
fn postconditions_are_judged_with_what_the_method_leaves_behind() {
    // A constructor is new in the table.
    let source = CONTRACTS.replace("@Ensures(\"isMade\")\n    public Contracts(int", "Contracts(int");
    let output = expect("Contracts.java", &source, &["--max-array", "2"]);
    let text = stdout(&output);
    for block in [
        "Contracts.max(int, int) fails: its postcondition isBoth does not hold\n",
        "  e.g. x = 7\n  code Contracts.same(7);\n       confirmed by the JVM\n",
        "  code new Contracts().pop();\n",
    ] {
        assert!(text.contains(block), "{block} in {text}");
    }
    // What did not fit into the table stands below it.
    assert!(text.contains("the receiver or the parameters may be left out\n"), "{text}");
    let refuted = text.contains("refuted") || text.contains("a bug of Lazuli");
    assert!(!refuted, "{text}");
}

#[test]
fn a_constructor_and_a_command_line_have_postconditions_too() {
    let path = file("Contracts.java", CONTRACTS);
    let output = check(&path, &["Contracts.<init>(int)"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    assert!(text.contains("  e.g. made = -1\n  code new Contracts(-1);\n       confirmed by the JVM\n"), "{text}");
    let output = check(&path, &["Contracts.half", "--post", "Contracts.isPositive"]);
    assert!(stdout(&output).contains("its postcondition isPositive does not hold"), "{}", stdout(&output));
    let output = check(&path, &["Contracts.half", "--post", "Contracts.isNatural", "--confirm", "engine"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let output = check(&path, &["Contracts.half", "--post", "Contracts.isBoth"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
}

const BANK: &str = r#"package bank;
import java.util.*;
public class Account {
    private final String owner;
    private int balance;
    private final List<Integer> log = new ArrayList<>();
    public Account(String owner) { this.owner = Objects.requireNonNull(owner); }
    public void deposit(int amount) {
        if (amount <= 0) throw new IllegalArgumentException("amount");
        balance += amount;
        log.add(amount);
    }
    public int average() { return share(log.size()); }
    private int share(int number) {
        return balance / number;
    }
    public boolean spend(int amount) {
        assert balance < 3 || amount < balance;
        return true;
    }
}
"#;

/// Objects that take several calls are built by them, and the code that is shown compiles and fails.
#[test]
fn what_fails_is_shown_as_code_that_fails() {
    let path = file("bank/Account.java", BANK);
    let output = check(&path, &["Account.average", "Account.spend", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let methods = report["methods"].as_array().expect("methods");
    let mut source = String::from("package bank;\npublic class Main { public static void main(String[] all) {\n");
    for method in methods {
        assert_eq!(method["verdict"], "fails", "{method:#}");
        let first = &method["violations"][0];
        assert!(first["judgement"].as_str().is_some_and(|text| text.contains("JVM")), "{first:#}");
        let code: Vec<&str> = first["code"].as_array().expect("code").iter().filter_map(Value::as_str).collect();
        assert!(code.concat().contains("new Account("), "{code:?}");
        source +=
            &format!("try {{ {} }} catch (Throwable thrown) {{ System.out.println(thrown); }}\n", code.join("\n"));
    }
    let stack: Vec<String> = methods[0]["violations"][0]["stack"]
        .as_array()
        .expect("a stack")
        .iter()
        .map(|call| format!("{}.{}:{}", call["class"], call["method"], call["line"]))
        .collect();
    assert_eq!(stack, ["\"bank.Account\".\"share\":15", "\"bank.Account\".\"average\":13"]);
    let main = file("bank/Main.java", source + "} }\n");
    let classes = file("classes/nothing", "").with_file_name("");
    let is_compiled = Command::new("javac").arg("-d").arg(&classes).args([&path, &main]).status().expect("javac runs");
    assert!(is_compiled.success());
    let java = Command::new("java").args(["-ea", "-cp"]).arg(&classes).arg("bank.Main").output().expect("java runs");
    let said: Vec<String> = stdout(&java).lines().map(str::to_string).collect();
    assert_eq!(said, ["java.lang.ArithmeticException: / by zero", "java.lang.AssertionError"], "{}", stderr(&java));
}

/// What is drawn has the calls that had not returned; a long stack is cut.
#[test]
fn blocks_have_stacks_and_sarif_has_them_too() {
    let source = "public class Deep {
    public static int last(int[] a) {
        return at(a, 20);
    }
    private static int at(int[] a, int n) {
        return n == 0 ? a[3] : at(a, n - 1);
    }
}
";
    let path = file("Deep.java", source);
    let text = stdout(&check(&path, &["Deep.last"]));
    assert!(text.contains("  from Deep.at(Deep.java:6)\n       Deep.at(Deep.java:6)\n"), "{text}");
    assert!(text.contains("       … 14 more\n"), "{text}");
    let report: Value =
        serde_json::from_str(&stdout(&check(&path, &["Deep.last", "--format", "sarif"]))).expect("JSON");
    let result = &report["runs"][0]["results"][0];
    let frames = result["stacks"][0]["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), 22);
    assert_eq!(frames[21]["location"]["physicalLocation"]["region"]["startLine"], 3, "{result:#}");
    assert_eq!(result["properties"]["code"][0], "Deep.last(new int[0]);");
    let standard =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sarif/sarif-schema-2.1.0.json"));
    let standard: Value = serde_json::from_str(&standard.expect("a schema")).expect("JSON");
    crate::schema::check(&standard, &standard, &report, "$").unwrap_or_else(|why| panic!("{why}"));
}
