//! What the README shows is what the command prints.

use crate::common::{lazuli, root, stdout};

/// A line that stands for the rest of an answer.
const REST: &str = "…";

/// The commands of the README that are shown with their answers.
fn shown() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let blocks = text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("\n$ lazuli "));
    let examples = blocks.filter_map(|block| block.split_once('\n')).filter(|(_, answer)| !answer.trim().is_empty());
    let examples = examples.filter(|(_, answer)| !answer.starts_with("$ "));
    examples.map(|(args, answer)| (args.to_string(), answer.to_string())).collect()
}

#[test]
fn the_readme_is_true() {
    let examples = shown();
    assert!(examples.len() >= 2, "{examples:?}");
    for (args, answer) in examples {
        let args: Vec<&str> = args.split_whitespace().collect();
        let printed = stdout(&lazuli(&args));
        match answer.trim_end().strip_suffix(REST) {
            Some(beginning) => assert!(printed.starts_with(beginning), "{args:?}:\n{printed}"),
            None => assert_eq!(printed.trim_end(), answer.trim_end(), "{args:?}"),
        }
    }
}
