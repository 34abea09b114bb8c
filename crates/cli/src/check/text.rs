//! What was found, as text for people: a block for every violation, and a table.

use lazuli::{Called, Judge};
use lazuli_program::escape;

use super::method::{Checked, Verdict};
use super::violation::Violation;
use crate::names::plural;
use crate::style::Style;

/// What is said before anything is executed.
pub fn title(target: &str, methods: usize, time: std::time::Duration, judge: Judge) -> String {
    let confirmed = match judge {
        Judge::Jvm => "what is found is confirmed by a JVM, which EXECUTES THE CODE (--confirm engine does not)",
        Judge::Engine => "what is found is replayed by the engine; nothing is executed outside of it",
        Judge::None => "nothing that is found is confirmed",
    };
    let word = plural(methods as u64, "method");
    format!("checking {methods} {word} of {}, each up to {time:?}; {confirmed}\n", escape::line(target))
}

/// The violations of a method, each with a line before it. Those on inputs that no public call is known to build are said in short, unless all
/// are wanted.
pub fn blocks(checked: &Checked, is_all: bool, style: Style) -> String {
    let block = |violation: &Violation| block(&checked.name(), violation, !is_all && violation.is_hidden(), style);
    checked.violations.iter().map(|violation| format!("\n{}", block(violation))).collect()
}

fn block(method: &str, violation: &Violation, is_short: bool, style: Style) -> String {
    let (word, doubt) = match &violation.doubt {
        None => ("fails", String::new()),
        Some(doubt) => ("may fail", format!(", {doubt}")),
    };
    let head = escape::line(&format!("{method} {word}: {}{doubt}", violation.headline())).into_owned();
    let head = if violation.doubt.is_none() { style.red(&head) } else { style.yellow(&head) };
    let source = violation.source.as_deref().unwrap_or_default();
    let place = match &violation.path {
        Some(path) => format!("{}:{}", path.display(), violation.place.line),
        None => violation.place.to_string(),
    };
    let place = escape::line(format!("{place}   {source}").trim_end()).into_owned();
    if is_short {
        return format!("{head}\n  at   {place}\n");
    }
    let judgement = style.dim(&escape::line(&violation.judgement));
    let (stack, code) = (stack(violation, style), code(violation));
    format!("{head}\n  at   {place}\n{stack}{}{code}       {judgement}\n", violation.facts)
}

/// So many calls of a stack are shown, the newest.
const MAX_CALLS: usize = 8;

/// The calls that had not returned, where there is more than the one that the place names.
fn stack(violation: &Violation, style: Style) -> String {
    let calls = &violation.stack;
    if calls.len() < 2 {
        return String::new();
    }
    let line = |(number, call): (usize, &Called)| {
        let word = if number == 0 { "from" } else { "" };
        format!("  {word:5}{}\n", style.dim(&escape::line(&call.to_string())))
    };
    let mut text: String = calls.iter().take(MAX_CALLS).enumerate().map(line).collect();
    if calls.len() > MAX_CALLS {
        text += &format!("       {}\n", style.dim(&format!("… {} more", calls.len() - MAX_CALLS)));
    }
    text
}

/// The statements that make the input and call the method.
fn code(violation: &Violation) -> String {
    let line = |(number, line): (usize, &String)| {
        let word = if number == 0 { "code" } else { "" };
        format!("  {word:5}{}\n", escape::line(line))
    };
    violation.code.iter().enumerate().map(line).collect()
}

/// One row a method, and what all of it comes to; how many violations were shown in short.
pub fn table(all: &[Checked], known: usize, is_all: bool, style: Style) -> String {
    let verdicts: Vec<(String, String)> = all.iter().map(row).collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let names = width(&mut verdicts.iter().map(|(name, _)| name.chars().count()).chain([6]));
    let words = width(&mut verdicts.iter().map(|(_, word)| word.chars().count()).chain([7]));
    let mut text = format!("\n{}\n", style.bold(&format!("{:names$}  {:words$}  paths    time", "method", "verdict")));
    for (checked, (name, word)) in all.iter().zip(&verdicts) {
        let padding = " ".repeat(words - word.chars().count());
        let word = match &checked.verdict {
            Verdict::Fails => style.red(word),
            Verdict::MayFail(_) | Verdict::Unknown(_) => style.yellow(word),
            _ => style.green(word),
        };
        let time = format!("{:.1} s", checked.time.as_secs_f64());
        text += &format!("{name:names$}  {word}{padding}  {:>5}  {time:>6}\n", checked.paths);
    }
    text += &summary(all);
    // What did not fit into the table.
    for (checked, (name, _)) in all.iter().zip(&verdicts).filter(|(_, (_, word))| word.ends_with(CUT)) {
        text += &format!("{name}: {}\n", escape::line(&checked.verdict.text()));
    }
    let short = all.iter().flat_map(|checked| &checked.violations).filter(|violation| violation.is_hidden()).count();
    if short > 0 && !is_all {
        let word = plural(short as u64, "violation");
        text += &format!("{short} {word} by reflection only, shown in short (--all shows the inputs)\n");
    }
    if known > 0 {
        text += &format!("{known} known from before, because nothing has changed (--no-cache checks again)\n");
    }
    text
}

/// Longer verdicts are cut in the table.
const MAX_VERDICT: usize = 72;
const CUT: char = '…';

fn row(checked: &Checked) -> (String, String) {
    let mut word = checked.verdict.text();
    if let Some((at, _)) = word.char_indices().nth(MAX_VERDICT) {
        word.truncate(at);
        word.push(CUT);
    }
    (escape::line(&checked.name()).into_owned(), escape::line(&word).into_owned())
}

/// How many there are of each.
fn summary(all: &[Checked]) -> String {
    let count = |wanted: fn(&Verdict) -> bool| all.iter().filter(|checked| wanted(&checked.verdict)).count();
    let kinds = [
        (count(|verdict| *verdict == Verdict::Fails), "fail"),
        (count(|verdict| matches!(verdict, Verdict::MayFail(_))), "may fail"),
        (count(|verdict| matches!(verdict, Verdict::Unknown(_))), "unknown"),
        (count(|verdict| matches!(verdict, Verdict::WithinLimits(_) | Verdict::WithinBounds(_))), "hold within bounds"),
        (count(|verdict| *verdict == Verdict::Holds), "hold"),
    ];
    let kinds: Vec<String> =
        kinds.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}")).collect();
    format!("{} {}: {}\n", all.len(), plural(all.len() as u64, "method"), kinds.join(", "))
}

impl Verdict {
    /// As the table has it.
    pub fn text(&self) -> String {
        match self {
            Verdict::Fails => "fails".into(),
            Verdict::MayFail(doubt) => format!("may fail: {doubt}"),
            Verdict::Unknown(why) => format!("unknown: {why}"),
            Verdict::WithinLimits(within) | Verdict::WithinBounds(within) => format!("holds within {within}"),
            Verdict::Holds => "holds".into(),
        }
    }
}
