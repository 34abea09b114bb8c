//! What the README shows is what the command prints.

use crate::common::{lazuli, root, stdout};

/// A line that stands for what is left out of an answer.
const REST: &str = "…";

/// The commands of the README that are shown with their answers.
fn shown() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let blocks = text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("\n$ lazuli "));
    let examples = blocks.filter_map(|block| block.split_once('\n')).filter(|(_, answer)| !answer.trim().is_empty());
    let examples = examples.filter(|(_, answer)| !answer.starts_with("$ "));
    let command = |line: &str| line.split('#').next().unwrap_or(line).trim().to_string();
    examples.map(|(line, answer)| (command(line), answer.trim_end().to_string())).collect()
}

/// The parts of an answer between those that are left out.
fn parts(answer: &str) -> Vec<String> {
    let lines: Vec<&str> = answer.lines().collect();
    lines.split(|line| line.trim() == REST).map(|part| part.join("\n")).collect()
}

#[test]
fn the_readme_is_true() {
    let examples = shown();
    assert!(examples.len() >= 3, "{examples:?}");
    for (command, answer) in examples {
        let args: Vec<&str> = command.split_whitespace().collect();
        let printed = stdout(&lazuli(&args));
        let parts = parts(&answer);
        let (first, last) = (&parts[0], &parts[parts.len() - 1]);
        assert!(printed.starts_with(first.as_str()), "{command} begins:\n{printed}");
        assert!(printed.trim_end().ends_with(last.as_str()), "{command} ends:\n{printed}");
        let mut rest = printed.as_str();
        for part in &parts {
            let at =
                rest.find(part.as_str()).unwrap_or_else(|| panic!("{command} does not print\n{part}\nbut\n{printed}"));
            rest = &rest[at + part.len()..];
        }
    }
}
