//! A run of a Java program as text for people: what matters first, then its behaviours.
//!
//! A behaviour is what paths have in common that end alike and take the same branches of the program's own code: a loop that is run twice is not
//! another one. Violations, and witnesses that a judge refuted, are written when they are found; all others at the end, one example each.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;

use lazuli::replay::Replayed;
use lazuli::{
    Branch, Concrete, Judge, Line, Outcome, Program, Run, Source, Stream, Subject, Trace, TraceFacts, Verdict, Witness,
};
use lazuli_program::escape;
use lazuli_program::ir::Type;

use super::sources::Sources;
use super::text;
use super::title::Title;
use super::values::{Heap, draw};
use crate::names::{self, plural};
use crate::style::Style;
use crate::{terminal, verdict};

/// How many behaviours are kept to be shown, whatever `--show` says.
const MAX_KEPT: usize = 10_000;
/// Longer texts of a condition or a line of the source are cut.
const MAX_CONDITION: usize = 160;
const MAX_SOURCE: usize = 70;

pub struct Writer {
    title: Title,
    style: Style,
    sources: Sources,
    /// The inputs of the entry, in its order.
    inputs: Vec<(String, Type)>,
    behaviours: Vec<Behaviour>,
    known: HashMap<Signature, usize>,
    /// Traces of behaviours that were not kept.
    beyond: u64,
    /// Traces without their facts.
    brief: u64,
    /// How many traces were written at once.
    written: u64,
}

/// What makes two traces one behaviour.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Signature {
    pub outcome: String,
    pub branches: BTreeSet<(Line, String)>,
}

impl Signature {
    pub fn of(trace: &Trace, facts: &TraceFacts) -> Signature {
        let branches = facts.branches.iter().map(|b| (b.place.clone(), b.code().to_string())).collect();
        Signature { outcome: outcome(trace, facts), branches }
    }
}

struct Behaviour {
    example: Trace,
    traces: u64,
    /// The results of its traces, as far as they differ, about the inputs or as constants.
    results: Results,
    /// Whether one of its traces has a result that cannot be said of all its inputs.
    is_vague: bool,
}

/// The shortest of several results: the others are computed alike.
#[derive(Default)]
struct Results {
    kept: BTreeSet<(usize, String)>,
    has_more: bool,
}

impl Results {
    fn extend(&mut self, result: Option<String>) {
        self.kept.extend(result.map(|result| (result.chars().count(), result)));
        if self.kept.len() > MAX_RESULTS {
            self.kept.pop_last();
            self.has_more = true;
        }
    }

    /// `0 or a[0] or a[0] + a[1] or …`; nothing if there are none.
    fn text(&self) -> Option<String> {
        let (mut text, mut has_more) = (String::new(), self.has_more);
        for (length, result) in &self.kept {
            if !text.is_empty() && text.chars().count() + length > MAX_RESULTS_LENGTH {
                has_more = true;
                break;
            }
            text = if text.is_empty() { result.clone() } else { format!("{text} or {result}") };
        }
        let more = if has_more { " or …" } else { "" };
        (!self.kept.is_empty()).then(|| format!("{text}{more}"))
    }
}

impl Writer {
    pub fn new(program: &Program, source: &Source, style: Style) -> Writer {
        let entry = program.main.map(|entry| program.method(entry));
        let inputs = entry.map_or_else(Vec::new, |entry| {
            let parameters = entry.registers.iter().take(entry.parameters);
            parameters.map(|register| (register.name.clone(), register.ty)).collect()
        });
        Writer {
            title: Title::default(),
            style,
            sources: Sources::near(source),
            inputs,
            behaviours: Vec::new(),
            known: HashMap::new(),
            beyond: 0,
            brief: 0,
            written: 0,
        }
    }

    pub fn begin(&mut self, subject: &Subject) {
        self.title.begin(subject);
    }

    /// Writes a trace that matters at once; of others the behaviour is kept.
    pub fn trace(&mut self, out: &mut impl Write, program: &Program, trace: Trace) -> std::io::Result<()> {
        if trace.is_violation() || trace.is_refuted() {
            self.title.write(out, self.style)?;
            self.written += 1;
            let text = self.block(program, &trace, None);
            return out.write_all(format!("\n{text}").as_bytes());
        }
        let Some(facts) = &trace.detail else {
            // Without its facts nobody knows what a trace has in common with others.
            self.brief += 1;
            if self.style.quiet || self.brief > self.style.show {
                return Ok(());
            }
            self.title.write(out, self.style)?;
            let outcome = names::outcome(&trace.outcome);
            return writeln!(out, "trace {}: {}", trace.id(), escape::line(&outcome));
        };
        let signature = Signature::of(&trace, facts);
        let told = told(program, facts);
        let is_vague = told.is_none() && facts.ending.as_ref().is_some_and(|ending| ending.value.is_some());
        match self.known.get(&signature) {
            Some(&at) => {
                let behaviour = &mut self.behaviours[at];
                behaviour.traces += 1;
                behaviour.is_vague |= is_vague;
                behaviour.results.extend(told);
                if size(&trace) < size(&behaviour.example) {
                    behaviour.example = trace;
                }
            }
            None if self.behaviours.len() >= MAX_KEPT => self.beyond += 1,
            None => {
                self.known.insert(signature, self.behaviours.len());
                let mut results = Results::default();
                results.extend(told);
                self.behaviours.push(Behaviour { example: trace, traces: 1, results, is_vague });
            }
        }
        Ok(())
    }

    /// The behaviours, and what the run came to.
    pub fn end(
        &mut self,
        out: &mut impl Write,
        program: &Program,
        run: &Run,
        verdict: &verdict::Verdict,
    ) -> std::io::Result<()> {
        self.title.write(out, self.style)?;
        let mut behaviours = std::mem::take(&mut self.behaviours);
        let number = behaviours.len();
        // What was thrown is looked at first; otherwise they stand as they were found.
        behaviours.sort_by_key(|behaviour| rank(&behaviour.example.outcome));
        let shown = if self.style.quiet { 0 } else { self.style.show.min(number as u64) as usize };
        let mut text = String::new();
        for behaviour in &behaviours[..shown] {
            text.push('\n');
            text += &self.block(program, &behaviour.example, Some(behaviour));
        }
        if self.written + self.brief > 0 || shown > 0 {
            text.push('\n');
        }
        text += &summary(run, number as u64 + self.written + self.brief + self.beyond, self.style);
        text += &verdict.text();
        if !self.style.quiet {
            run.notes.iter().for_each(|note| text.push_str(&format!("note: {}\n", names::note(note))));
            let hidden = (number - shown) as u64;
            let brief = self.brief.saturating_sub(self.style.show);
            let hidden = [(hidden, "behaviour"), (self.beyond + brief, "trace")];
            for (number, word) in hidden.into_iter().filter(|(number, _)| *number > 0) {
                let word = plural(number, word);
                text.push_str(&format!("note: {number} more {word} not shown (--show N, --format jsonl)\n"));
            }
        }
        out.write_all(text.as_bytes())
    }

    /// One behaviour, or one trace.
    fn block(&mut self, program: &Program, trace: &Trace, of: Option<&Behaviour>) -> String {
        let style = self.style;
        let head = headline(program, trace, of);
        let head = match (trace.is_violation() || trace.is_refuted(), &trace.outcome) {
            (true, _) => style.red(&head),
            (false, Outcome::Returned) => style.green(&head),
            (false, _) => style.yellow(&head),
        };
        let traces = of.map_or(1, |behaviour| behaviour.traces);
        let name = match traces {
            1 => format!("trace {}", trace.id()),
            many => format!("{many} traces, such as {}", trace.id()),
        };
        let mut text = format!("{head}   {}\n", style.dim(&name));
        let Some(facts) = &trace.detail else { return text };
        if trace.is_refuted() {
            text += &format!("  {}\n", style.red(&escape::line(&facts.judgement.to_string())));
        }
        text += &self.conditions(facts);
        if let Verdict::NotComparable(why) | Verdict::NotTried(why) = &facts.judgement.verdict
            && !matches!(trace.outcome, Outcome::Stopped(_))
            && facts.judgement.judge != Judge::None
        {
            text += &rows("note", &[format!("not judged: {why}")]);
        }
        if let Some(witness) = &facts.witness {
            let is_vague = of.is_some_and(|behaviour| behaviour.is_vague);
            text += &self.example(program, facts, witness, !is_vague);
        }
        if self.style.verbose {
            text += &rows("formula", &facts.path_condition);
            text += &rows("value", &facts.value.iter().cloned().collect::<Vec<_>>());
        }
        text
    }

    /// The branches, each with its place and the source's text.
    fn conditions(&mut self, facts: &TraceFacts) -> String {
        let mut rows: Vec<(String, String, String)> = Vec::new();
        let mut last = None;
        for branch in &facts.branches {
            let Branch { place, text: said, .. } = branch;
            // A line stands beside the first of its branches; of a long one, the part that is meant.
            let source = self.sources.line(place).unwrap_or_default();
            let source = match source.chars().count() > MAX_SOURCE {
                true => part_of(source, branch.code()),
                false if last == Some(place) => String::new(),
                false => source.to_string(),
            };
            let row = (cut(said, MAX_CONDITION), place.to_string(), source);
            if !rows.iter().any(|known| (&known.0, &known.1) == (&row.0, &row.1)) {
                rows.push(row);
                last = Some(place);
            }
        }
        let width = rows.iter().map(|row| row.0.chars().count()).filter(|w| *w <= 60).max().unwrap_or(0);
        let places = rows.iter().map(|row| row.1.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for (number, (said, place, source)) in rows.iter().enumerate() {
            let word = if number == 0 { "if" } else { "and" };
            let pad = " ".repeat(width.saturating_sub(said.chars().count()));
            let gap = " ".repeat(places - place.chars().count());
            let origin = escape::line(&format!("{place}{gap}  {source}")).trim_end().to_string();
            text += &format!("  {word:4} {}{pad}   {}\n", escape::line(said), self.style.dim(&origin));
        }
        text
    }

    /// An input that does it, and what becomes of it; its result too, unless that was told.
    fn example(&mut self, program: &Program, facts: &TraceFacts, witness: &Witness, tells_result: bool) -> String {
        let width = self.style.width.saturating_sub(7);
        let mut heap = Heap::new(program, &witness.objects);
        let mut lines = Vec::new();
        for (name, value, ty) in self.roots(witness) {
            lines.extend(draw(&mut heap, &name, value, ty, width));
        }
        let joined = lines.join(", ");
        let is_short = joined.chars().count() <= width.min(90) && !lines.iter().any(|line| line.contains("─ "));
        if is_short && !lines.is_empty() {
            lines = vec![joined];
        }
        let mut text = match facts.reached.is_empty() {
            true => String::new(),
            false => rows("via", &[facts.reached.join(", ")]),
        };
        text += &rows("e.g.", &lines);
        let Some(ending) = &facts.ending else { return text };
        // What is said of all inputs, for this one; an input itself is seen above.
        if tells_result && !facts.is_fixed && facts.said_value.is_some() {
            let result = result(program, facts).filter(|result| facts.said_value.as_ref() != Some(result));
            text += &rows("→", &result.into_iter().collect::<Vec<_>>());
        }
        let changes = Heap::changes(program, &heap, &ending.objects);
        text += &rows("then", &changes);
        for (stream, printed) in &ending.printed {
            let word = match stream {
                Stream::Out => "out",
                Stream::Err => "err",
            };
            text += &rows(word, &[string(printed)]);
        }
        text
    }

    /// The inputs in the order of the entry, then others.
    fn roots(&self, witness: &Witness) -> Vec<(String, Concrete, Option<Type>)> {
        let mut roots = Vec::new();
        for (name, ty) in &self.inputs {
            let given = witness.roots.iter().find(|(root, _)| root == name);
            roots.extend(given.map(|(_, value)| (name.clone(), *value, Some(*ty))));
        }
        let is_parameter = |name: &String| self.inputs.iter().any(|(input, _)| input == name);
        let others = witness.roots.iter().filter(|(name, _)| !is_parameter(name));
        roots.extend(others.map(|(name, value)| (name.clone(), *value, None)));
        roots
    }
}

/// A trace that was run again, with its decisions and its formulas.
pub fn replayed(program: &Program, source: &Source, replayed: &Replayed) -> String {
    let style = Style { show: 1, verbose: true, quiet: false, colour: false, width: terminal::width() };
    let block = Writer::new(program, source, style).block(program, &replayed.trace, None);
    format!("{}\n{block}", text::decisions(replayed))
}

/// The branches of a trace, and an input that takes them.
pub fn facts(program: &Program, source: &Source, trace: &Trace, style: Style) -> String {
    let Some(facts) = &trace.detail else { return String::new() };
    let mut writer = Writer::new(program, source, style);
    let mut text = writer.conditions(facts);
    if let Some(witness) = &facts.witness {
        text += &writer.example(program, facts, witness, true);
    }
    text
}

/// How many results of a behaviour are named, if they are short: together they take no more than this.
const MAX_RESULTS: usize = 4;
const MAX_RESULTS_LENGTH: usize = 80;

/// How much there is to read of an example: what it decides, and what its input consists of.
fn size(trace: &Trace) -> usize {
    let Some(facts) = &trace.detail else { return usize::MAX };
    let objects = facts.witness.iter().flat_map(|witness| &witness.objects);
    facts.branches.len() + objects.map(|object| 1 + object.elements.len()).sum::<usize>()
}

fn rank(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::AssertFailed | Outcome::PostFailed => 0,
        Outcome::Threw(_) => 1,
        Outcome::Endless { .. } => 2,
        Outcome::Returned => 3,
        Outcome::Stopped(_) => 4,
    }
}

/// How a trace ended, without its result.
fn outcome(trace: &Trace, facts: &TraceFacts) -> String {
    match &trace.outcome {
        Outcome::Returned => "returned".into(),
        other => format!("{} at {}", names::outcome(other), facts.came.as_ref().unwrap_or(&facts.place)),
    }
}

/// The result of a trace on its witness.
fn result(program: &Program, facts: &TraceFacts) -> Option<String> {
    let ending = facts.ending.as_ref()?;
    let ty = program.main.map(|entry| program.method(entry).result);
    let mut heap = Heap::new(program, &ending.objects);
    // Inputs that are returned are named as inputs.
    if let Some(witness) = &facts.witness {
        for (name, value) in &witness.roots {
            heap.show(*value, None, name);
        }
    }
    ending.value.map(|value| heap.show(value, ty, "result"))
}

fn headline(program: &Program, trace: &Trace, of: Option<&Behaviour>) -> String {
    let Some(facts) = &trace.detail else { return names::outcome(&trace.outcome) };
    let simple = |class: &str| class.rsplit(['.', '/']).next().unwrap_or(class).replace('$', ".");
    let place = facts.came.as_ref().unwrap_or(&facts.place);
    let message = facts.ending.as_ref().and_then(|ending| ending.message.as_deref());
    let message = message.map_or_else(String::new, |message| format!(": {}", string(message)));
    let head = match &trace.outcome {
        Outcome::Returned => match returned(program, facts, of) {
            Some(value) => format!("returned {value}"),
            None => "returned".into(),
        },
        Outcome::Threw(class) => format!("threw {}{message} at {place}", simple(class)),
        Outcome::AssertFailed => format!("VIOLATED: an assertion fails at {place}{message}"),
        Outcome::PostFailed => "VIOLATED: its postcondition does not hold".into(),
        other @ (Outcome::Endless { .. } | Outcome::Stopped(_)) => {
            format!("{} at {}", names::outcome(other), facts.place)
        }
    };
    escape::line(head.trim_end()).into_owned()
}

/// The result of a trace for all its inputs: about them, or a constant. None where it can only be shown for one of them.
fn told(program: &Program, facts: &TraceFacts) -> Option<String> {
    facts.said_value.clone().or_else(|| result(program, facts).filter(|_| facts.is_fixed))
}

/// What a behaviour gives: about the inputs, if that can be said; otherwise what it gives for some of them.
fn returned(program: &Program, facts: &TraceFacts, of: Option<&Behaviour>) -> Option<String> {
    let told = told(program, facts);
    match of {
        Some(behaviour) if !behaviour.is_vague => behaviour.results.text(),
        None if told.is_some() => told,
        _ => result(program, facts).map(|result| format!("a value such as {result}")),
    }
}

/// A text as Java writes it.
fn string(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    lazuli_program::frontend::java::phrase::string_literal(&units)
}

/// Lines with a word before the first.
fn rows(word: &str, lines: &[String]) -> String {
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let word = if number == 0 { word } else { "" };
        text += &format!("  {word:4} {}\n", escape::line(line));
    }
    text
}

/// Of a long line of the source, the part around an expression that stands in it, however it is spaced; its beginning, if it does not.
fn part_of(line: &str, expression: &str) -> String {
    let marks: Vec<(usize, char)> = line.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).collect();
    let wanted: Vec<char> = expression.chars().filter(|c| !c.is_whitespace()).collect();
    let is_there = |at: &usize| marks[*at..].iter().map(|(_, c)| c).take(wanted.len()).eq(&wanted);
    let found = (0..marks.len()).find(|at| !wanted.is_empty() && is_there(at));
    // What is negated, or compared with a value that the path has, begins as the source does.
    let operand = expression.trim_start_matches('!').split([' ', '(']).next().unwrap_or_default();
    let Some(first) = found.map(|at| marks[at].0) else {
        return match operand.len() >= MIN_OPERAND && operand.len() < expression.len() {
            true => part_of(line, operand),
            false => cut(line, MAX_SOURCE),
        };
    };
    let length = line.chars().count();
    let from = first.saturating_sub(BEFORE).min(length - MAX_SOURCE);
    let part: String = line.chars().skip(from).take(MAX_SOURCE).collect();
    let (before, after) = (if from > 0 { "…" } else { "" }, if from + MAX_SOURCE < length { "…" } else { "" });
    format!("{before}{}{after}", part.trim())
}

/// So much of a line is shown before the part that is meant.
const BEFORE: usize = 16;
/// Shorter names are found anywhere.
const MIN_OPERAND: usize = 3;

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

fn summary(run: &Run, behaviours: u64, style: Style) -> String {
    let c = &run.counts;
    let failed = format!("{} failed", plural(c.assert_failed, "assertion"));
    let endless = if c.endless == 1 { "does not end" } else { "do not end" };
    let ends = [
        (c.returned, "returned"),
        (c.threw, "threw"),
        (c.assert_failed, failed.as_str()),
        (c.endless, endless),
        (c.stopped, "stopped"),
    ];
    let ends: Vec<String> = ends.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let alike = match behaviours {
        _ if behaviours == c.traces => String::new(),
        _ => format!(" in {behaviours} {}", plural(behaviours, "behaviour")),
    };
    let ends = if ends.is_empty() { String::new() } else { format!(": {}", ends.join(", ")) };
    let mut text = format!("{} {}{alike}{ends}\n", c.traces, plural(c.traces, "trace"));
    if c.pruned_invariant > 0 {
        let word = plural(c.pruned_invariant, "assumption");
        text += &format!("{} {word} about the input pruned by the invariants\n", c.pruned_invariant);
    }
    text += &text::judgements(run);
    if style.verbose {
        text += &text::effort(run);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::part_of;

    /// Of a long line, the part around the branch.
    #[test]
    fn the_part_that_is_meant() {
        let line = "static int last(List<Integer> numbers, int limit) { if (numbers.get(numbers.size()-1) > limit) return 1; return 0; }";
        let part = part_of(line, "numbers.get(numbers.size() - 1) > limit");
        assert!(part.starts_with('…') && part.ends_with('…'), "{part}");
        assert!(part.contains("numbers.get(numbers.size()-1) > limit"), "{part}");
        assert!(part_of(line, "nothing of it").starts_with("static int last("));
    }
}
