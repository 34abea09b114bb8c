//! What was found, as commands of GitHub's workflows: annotations at the lines of a change.

use super::method::Checked;
use super::violation::Violation;

/// One line a violation.
pub fn annotations(checked: &Checked) -> String {
    checked.violations.iter().map(|violation| annotation(checked, violation) + "\n").collect()
}

fn annotation(checked: &Checked, violation: &Violation) -> String {
    let (level, word, doubt) = match &violation.doubt {
        None => ("error", "fails", String::new()),
        Some(doubt) => ("warning", "may fail", format!(" ({doubt})")),
    };
    let mut places = Vec::new();
    if let Some(path) = &violation.path {
        let here = std::env::current_dir().unwrap_or_default();
        let path = path.strip_prefix(&here).unwrap_or(path).display().to_string();
        places.push(format!("file={}", property(&path)));
        places.push(format!("line={}", violation.place.line));
    }
    places.push(format!("title={}", property(&format!("{} {word}", checked.name()))));
    let text = format!("{}{doubt}\n{}", violation.headline(), violation.facts);
    format!("::{level} {}::{}", places.join(","), data(text.trim_end()))
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of one of its properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
