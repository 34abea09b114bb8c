//! Whole answers of whole programs, beside the programs: `<program>.<heap>.golden`. `make bless` writes them anew.

use crate::common::{lazuli, root, stdout};

/// Small programs whose every trace can be read, with the entry and the heap models.
const PROGRAMS: [(&str, Option<&str>, &[&str]); 6] = [
    ("programs/pose/swap.pose", None, &["lazy", "lazier#", "uber-lazy", "summary", "pose", "pose-ite"]),
    ("programs/pose/sum.pose", None, &["lazier", "summary", "pose"]),
    ("programs/pose/hasNull_4.pose", None, &["lazier#", "pose"]),
    ("programs/pose/dll_get.pose", None, &["pose"]),
    ("programs/pose/ncll_add.pose", None, &["summary", "pose", "pose-ite"]),
    ("programs/javalite/figures.jvl", None, &["lazy", "summary", "pose", "pose-ite"]),
];

/// Programs of the kinds that people bring, each with an entry and its bounds: their answers are to be understood by whoever reads them first.
const EVERYDAY: [(&str, &[&str]); 19] = [
    ("Account.transfer", &[]),
    ("Order.pay", &[]),
    ("Flag.parse", &["--max-string", "3"]),
    ("Light.seconds", &[]),
    ("Range.join", &[]),
    ("Range.contains", &[]),
    ("Chain.remove", &["--k", "3", "--max-depth", "6"]),
    ("Tree.insert", &["--k", "2", "--max-depth", "5"]),
    ("Stock.take", &[]),
    ("Power.power", &["--max-depth", "4"]),
    ("Parser.parse", &["--max-array", "2"]),
    ("Scores.best", &[]),
    ("Median.median", &["--max-array", "3"]),
    ("Shelf.next", &[]),
    ("Shelf.pages", &["--max-array", "5"]),
    ("Shelf.first", &[]),
    ("Shelf.at", &[]),
    ("Shelf.isKept", &[]),
    ("Shelf.hasBooks", &[]),
];

/// Times differ from run to run.
fn timeless(text: &str) -> String {
    let line = |line: &str| match (line.strip_suffix(" ms"), line.rfind("; ")) {
        (Some(_), Some(at)) => line[..at].to_string(),
        _ => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// Compares an answer with the golden file, or writes the file.
fn check(args: &[&str], golden: &str) {
    let found = timeless(&stdout(&lazuli(args)));
    let path = root().join(golden);
    if std::env::var_os("LAZULI_BLESS").is_some() {
        return std::fs::write(&path, &found).expect("the golden file is written");
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(found, wanted, "{golden}: if this is right, run `make bless`");
}

#[test]
fn the_answers_are_the_blessed_ones() {
    for (program, entry, heaps) in PROGRAMS {
        for heap in heaps {
            let mut args = vec!["explore", program, "--heap", heap];
            args.extend(entry.iter().flat_map(|e| ["--entry", e]));
            check(&args, &format!("{program}.{heap}.golden"));
        }
    }
}

/// Exact heap summaries, Figures 8 to 16: how this.x and this.y are initialised, assigned and compared.
#[test]
fn the_machine_shows_the_figures() {
    let program = "programs/javalite/figures.jvl";
    for heap in ["lazy", "summary", "pose", "pose-ite"] {
        check(&["explore", program, "--heap", heap, "--steps-trace"], &format!("{program}.{heap}.steps.golden"));
    }
}

/// Whether a name of the machine's insides stands in an answer.
fn is_internal(line: &str) -> bool {
    ["zext", "sext", "ite(", "own(", "let #", "java.base", "elementData", "@1", "[31:0]"]
        .iter()
        .any(|name| line.contains(name))
}

#[test]
fn everyday_programs_are_told_in_their_own_words() {
    for (entry, bounds) in EVERYDAY {
        let class = entry.split('.').next().expect("a class");
        let program = format!("programs/java/everyday/{class}.java");
        let mut args = vec!["explore", program.as_str(), "--entry", entry];
        args.extend(bounds);
        let golden = format!("programs/java/everyday/{entry}.golden");
        check(&args, &golden);
        let text = std::fs::read_to_string(root().join(&golden)).expect("just looked at");
        for line in text.lines() {
            assert!(!is_internal(line), "{golden}: {line}");
            // A condition, without the place and the source's text beside it.
            let condition = line.split(".java:").next().unwrap_or_default();
            assert!(condition.chars().count() <= 200, "{golden}: {line}");
        }
    }
}
